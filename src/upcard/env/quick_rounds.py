"""`QuickRounds`: rounds along known positions, several times as fast as at the table.

The engine gives each answer; a graph of positions remembers it. Rounds that differ only in what no
rule reads share their positions: suits, the order of the cards, and which cards make up a total.
"""

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, Final

import numpy as np

from upcard.core.cards import FACES, TEN, Card
from upcard.env import observations
from upcard.rules.model import Rules
from upcard.rules.settings import SplitBy
from upcard.table.engine import apply, deal
from upcard.table.settle import insurance_of_spots
from upcard.table.shoe import Shoe
from upcard.table.state import Hand, RoundState, start_round, view

_MOST_POSITIONS: Final = 2**16
_MANY_CARDS: Final = 3
"""No rule but Charlie's counts further."""


class GraphPosition:
    """A state of a round with a bet of 1, and the positions that follow it."""

    __slots__ = (
        *("after_answer", "after_card", "awaits_card", "codes", "credit", "hands"),
        *("is_kept", "is_over", "look", "mask", "reward", "state", "target"),
    )

    look: Callable[[], Any]
    """Returns a new observation."""

    def __init__(
        self, state: RoundState, layout: observations.ObservationLayout, *, is_kept: bool
    ) -> None:
        self.state = state
        self.is_kept = is_kept
        self.awaits_card = bool(state.pending)
        self.after_card: dict[str, GraphPosition] = {}
        """By the card's face."""
        self.after_answer: dict[int, GraphPosition] = {}
        """By the number of a legal action."""
        self.is_over = state.is_over
        if self.awaits_card:
            return
        question = observations.ask(view(state), state.legal)
        self.codes = [observations.CODES[action] for action in state.legal] or [observations.STAND]
        self.mask: observations.Mask = observations.make_mask(self.codes, observations.FIRST_BET)
        self.target = observations.target_of(question)
        seen = layout.write(question, {})
        self.look = seen.copy if isinstance(seen, np.ndarray) else lambda: seen
        if self.is_over:
            self.reward = float(state.net)
            self.hands = tuple(float(net) for _, net in state.results)
            self.after_answer[observations.STAND] = self
            self.credit: float | None = None
            """Credit of every answer of the round; None if it depends on the answer."""
            was_asked = any(bet is not None for bet in state.insurance.bets)
            if len(self.hands) == 1 and not was_asked:
                self.credit = self.hands[0]


class PositionGraph:
    """The positions of the rounds under some rules, found as rounds reach them."""

    def __init__(self, rules: Rules, observation: str) -> None:
        self._named = rules, observation
        self._layout = observations.choose_layout(observation, rules, {})
        self._first = start_round(rules, (1,))
        self._by_face = rules.split_by is SplitBy.RANK
        self._known: dict[Hashable, GraphPosition] = {}
        self.start = self._find(self._first)
        """The position before the first card."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and unpickle to the one graph of the rules, which remembers more and more."""
        return graph_of, self._named

    def deal(self, position: GraphPosition, card: Card) -> GraphPosition:
        """Return the position after a card."""
        state, _ = deal(position.state, card)
        then = self._find(state)
        if not then.is_kept:
            return then
        alike = FACES[TEN - 1 :] if card.rank == TEN and not self._by_face else card.face
        position.after_card.update(dict.fromkeys(alike, then))
        return then

    def answer(self, position: GraphPosition, code: int) -> GraphPosition:
        """Return the position after a legal action."""
        action = observations.find_action(code, position.state.legal)
        assert action is not None, code  # noqa: S101 (the mask has it)
        state, _ = apply(position.state, action)
        then = self._find(state)
        if then.is_kept:
            position.after_answer[code] = then
        return then

    def _find(self, state: RoundState) -> GraphPosition:
        if len(state.hands) > 1:  # rounds with splits are seldom alike
            return GraphPosition(state, self._layout, is_kept=False)
        key = _key_of(state)
        if (position := self._known.get(key)) is None:
            if len(self._known) == _MOST_POSITIONS:  # rounds in progress keep theirs
                self._known = {}
                self.start = self._find(self._first)
            position = self._known[key] = GraphPosition(state, self._layout, is_kept=True)
        return position


@lru_cache(maxsize=8)
def graph_of(rules: Rules, observation: str) -> PositionGraph:
    """Return the graph of some rules, which all their environments share."""
    return PositionGraph(rules, observation)


def _key_of(state: RoundState) -> Hashable:
    """Return what the engine and the layouts read of a state with one hand."""
    (hand,) = state.hands
    dealer, hand_key = state.dealer, _key_of_hand(state.rules, hand)
    if state.is_over:
        return state.upcard.rank, hand_key, state.results, state.insurance
    shown: Hashable = tuple(card.rank for card in dealer)
    if len(dealer) >= _MANY_CARDS:
        shown = state.upcard.rank, _MANY_CARDS
    due = state.phase, state.pending, state.active, state.turn
    return due, hand_key, shown, state.dealer_state, state.insurance, state.is_revealed


def _key_of_hand(rules: Rules, hand: Hand) -> Hashable:
    cards = hand.cards
    if len(cards) == 1 or (hand.is_live and hand.is_pair):  # which may become two hands
        by_face = rules.split_by is SplitBy.RANK
        kinds: Hashable = tuple(card.face if by_face else card.rank for card in cards)
    else:
        kinds = len(cards) if rules.charlie is not None else min(len(cards), _MANY_CARDS)
    return kinds, hand[1:]


class QuickRounds:
    """The round in progress: its position, and the moves by which the table repeats it."""

    def __init__(self, graph: PositionGraph) -> None:
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
        """Deal a round from a shoe."""
        self._shoe = None
        shoe.start_round()
        self.moves = []
        self.answers = []
        self._deal_cards(shoe, self._graph.start)
        self._shoe = shoe

    def answer(self, code: int) -> None:
        """Take a legal action."""
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
            info["credit"] = observations.share_credit(
                self.answers, nets, insurance_of_spots(over.state)
            )
        return over.reward

    def replay(
        self, state: RoundState
    ) -> tuple[RoundState, list[Card], observations.EnvQuestion | None]:
        """Repeat the moves from a round that has just started.

        Returns the state, the cards dealt, and the question answered last.
        """
        cards, asked = [], None
        for move in self.moves:
            if isinstance(move, Card):
                cards.append(move)
                state, _ = apply(state, move)
                continue
            asked = observations.ask(view(state), state.legal)
            action = observations.find_action(move, state.legal)
            assert action is not None, move  # noqa: S101 (it was legal)
            state, _ = apply(state, action)
        if self.answers and not any(isinstance(move, int) for move in self.moves):
            asked = observations.EnvQuestion(observations.Stage.SETTLED, view(state))
        return state, cards, asked

    def _deal_cards(self, shoe: Shoe, position: GraphPosition) -> None:
        draw, moves = shoe.draw, self.moves
        while position.awaits_card:
            card = draw()
            moves.append(card)
            position = position.after_card.get(card.face) or self._graph.deal(position, card)
        self.position = position
