"""`QuickRounds`: rounds along known positions, several times as fast as at the table."""

from __future__ import annotations

from typing import Any

from upcard.core.cards import Card
from upcard.env.actions import find_action
from upcard.env.credit import share_credit
from upcard.env.positions import GraphPosition, PositionGraph
from upcard.env.questions import EnvQuestion, Stage, ask
from upcard.table.engine import apply
from upcard.table.settle import insurance_of_spots
from upcard.table.shoe import Shoe
from upcard.table.state import RoundState, view


class QuickRounds:
    """The round in progress: its position, and the moves by which the table repeats it."""

    def __init__(self, graph: PositionGraph) -> None:
        """Wait for the first round."""
        self._graph = graph
        self._shoe: Shoe | None = None
        self.position: GraphPosition = graph.start
        self.moves: list[Card | int] = []
        """Cards, and the numbers of the actions."""
        self.answers: list[tuple[int, int]] = []
        """Target and number of each answer of the round."""

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the position, which the moves lead to again."""
        return {name: value for name, value in vars(self).items() if name != "position"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.position = self._graph.start
        for move in self.moves:
            follow: Any = self._graph.deal if isinstance(move, Card) else self._graph.answer
            self.position = follow(self.position, move)

    @property
    def has_round(self) -> bool:
        """Whether a round was dealt."""
        return self._shoe is not None

    def deal(self, shoe: Shoe) -> None:
        """Deal a round from a shoe. Raises: EmptyShoeError."""
        self._shoe = None
        shoe.start_round()
        self.moves = []
        self.answers = []
        self._deal_cards(shoe, self._graph.start)
        self._shoe = shoe

    def answer(self, code: int) -> None:
        """Take a legal action. Raises: EmptyShoeError."""
        position = self.position
        self.answers.append((position.target, code))
        if position.is_over:
            return
        self.moves.append(code)
        then = position.after_answer.get(code) or self._graph.answer(position, code)
        if then.awaits_card:
            shoe, self._shoe = self._shoe, None
            assert shoe is not None  # noqa: S101 (a round was dealt)
            self._deal_cards(shoe, then)
            self._shoe = shoe
        else:
            self.position = then

    def report(self, info: dict[str, Any]) -> float:
        """Add the nets of a round that is over to `info`; return the reward."""
        over = self.position
        info["hands"] = over.hands
        if over.credit is not None:
            info["credit"] = (over.credit,) * len(self.answers)
        else:
            nets = [net for _, net in over.state.results]
            info["credit"] = share_credit(self.answers, nets, insurance_of_spots(over.state))
        return over.reward

    def replay(self, state: RoundState) -> tuple[RoundState, list[Card], EnvQuestion | None]:
        """Repeat the moves from a round that has just started.

        Returns the state, the cards dealt, and the question answered last.
        """
        cards, asked = [], None
        for move in self.moves:
            if isinstance(move, Card):
                cards.append(move)
                state, _ = apply(state, move)
                continue
            asked = ask(view(state), state.legal)
            action = find_action(move, state.legal)
            assert action is not None, move  # noqa: S101 (it was legal)
            state, _ = apply(state, action)
        if self.answers and not any(isinstance(move, int) for move in self.moves):
            asked = EnvQuestion(Stage.SETTLED, view(state))
        return state, cards, asked

    def _deal_cards(self, shoe: Shoe, position: GraphPosition) -> None:
        draw, moves = shoe.draw, self.moves
        while position.awaits_card:
            card = draw()
            moves.append(card)
            position = position.after_card.get(card.face) or self._graph.deal(position, card)
        self.position = position
