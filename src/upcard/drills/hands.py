"""Drills of whole hands: an opening of the strategy drill, played to the end at a table."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from upcard.coach.adviser import Coach
from upcard.coach.judgement import Advice, Judgement
from upcard.coach.question import HandClass
from upcard.core.actions import Action
from upcard.core.cards import DECK, Card, Rank
from upcard.drills.dressing import dress, stands_for
from upcard.drills.drill import CLASSES, DrillError, Feedback, Prompt
from upcard.drills.strategy import StrategyDrill, give_feedback, read_answer
from upcard.rules.model import Rules
from upcard.rules.settings import HoleCard, Surrender
from upcard.table.legal import Refusal, find_refusal
from upcard.table.rounds import Table
from upcard.table.shoe import InfiniteShoe, ScriptedShoe
from upcard.table.state import RoundState, order_deal

_DECLINED = (Action.NO_INSURANCE, Action.NO_EVEN_MONEY)
_INFINITE_SUPPLY = 64


class HandDrill(StrategyDrill):
    """Asks for every decision of a hand, until it is over. An item is the cell of its opening.

    A prompt of `ask` holds the seed of its shoe: `begin` deals it, and the round continues.
    `check` judges the opening decision alone, as the strategy drill does.
    """

    name = "hands"

    def __init__(self, rules: Rules, classes: Iterable[HandClass | str] = CLASSES) -> None:
        super().__init__(rules, classes)
        self._coach = Coach(rules)

    def ask(self, item: str, rng: random.Random) -> Prompt:
        """Deal an opening of a cell, and fix the cards that will follow."""
        asked = super().ask(item, rng)
        return replace(asked, data=(("seed", rng.getrandbits(64)),))

    def begin(self, prompt: Prompt) -> PlayedHand:
        """Deal the hand of a question."""
        return PlayedHand(self._coach, prompt)


class PlayedHand:
    """A hand in play: answer until it is over; every answer is judged.

    Raises: DrillError for a prompt that is not of a hand drill.
    """

    def __init__(self, coach: Coach, prompt: Prompt) -> None:
        if prompt.upcard is None or len(prompt.cards) != 2:
            raise DrillError(f"not the opening of a hand: {prompt.text}")
        self._coach = coach
        self._item = prompt.item
        self._table = deal_opening(
            coach.rules, prompt.cards, prompt.upcard, random.Random(prompt.fact("seed"))
        )
        self.judgements: list[Judgement] = []
        self._advice: Advice | None = None

    @property
    def is_over(self) -> bool:
        """Whether there are no more questions."""
        return not self._table.legal_actions()

    @property
    def state(self) -> RoundState:
        """The state of the round."""
        return self._table.state

    @property
    def cost(self) -> float:
        """The cost of all mistakes of the hand, per initial bet."""
        return math.fsum(judgement.cost for judgement in self.judgements)

    def advice(self) -> Advice:
        """Return the values of the answers to the present question; computed on request."""
        if self._advice is None:
            legal = self._table.legal_actions()
            self._advice = self._coach.advise(self._table.view(), legal)
        return self._advice

    def prompt(self) -> Prompt:
        """Return the present question."""
        view = self._table.view()
        hand = view.hand
        return Prompt(
            item=self._item,
            text=f"{hand} v {view.upcard}",
            choices=tuple(map(str, self._table.legal_actions())),
            cards=hand.cards,
            upcard=view.upcard,
        )

    def answer(self, text: str) -> Feedback:
        """Judge an answer, and play it.

        Raises: DrillError for an invalid answer; then nothing has changed.
        """
        action = read_answer(self.prompt(), text)
        advice = self.advice()
        judgement = advice.judge(action)
        self.judgements.append(judgement)
        self._advice = None
        self._table.act(action)
        return give_feedback(advice, judgement)


def deal_opening(rules: Rules, hand: tuple[Card, ...], upcard: Card, rng: random.Random) -> Table:
    """Return a table with this hand dealt against the upcard, insurance declined.

    The cards get suits, and a ten any face that the rules treat alike: later cards come from the
    rest of the same shoe.
    """
    table = Table(rules, ScriptedShoe(_stack(rules, hand, upcard, rng)))
    table.start()
    while declined := [one for one in _DECLINED if one in table.legal_actions()]:
        table.act(declined[0])
    return table


def _stack(rules: Rules, hand: tuple[Card, ...], upcard: Card, rng: random.Random) -> list[Card]:
    """Return a shuffled shoe that deals this hand and upcard first.

    If the dealer peeks before the first question, the dealer has no natural.
    """
    (*wanted, shown), rest = _take_out(rules, (*hand, upcard), rng)
    if rules.hole_card is HoleCard.PEEK:
        place = next(
            index for index, card in enumerate(rest) if not _is_natural(shown.rank, card.rank)
        )
        rest[0], rest[place] = rest[place], rest[0]
    left = iter(rest)
    return [*order_deal(rules, wanted, shown, left), *left]


def _take_out(
    rules: Rules, wanted: tuple[Card, ...], rng: random.Random
) -> tuple[list[Card], list[Card]]:
    """Take cards out of a shuffled shoe: return these cards of the shoe, and the rest."""
    if rules.is_infinite:
        shoe = InfiniteShoe(rules, rng)
        out = [card if card.suit else dress(card, rng) for card in wanted]
        return out, [shoe.draw() for _ in range(_INFINITE_SUPPLY)]
    rest = list(DECK) * (rules.decks or 1)
    rng.shuffle(rest)
    out = []
    for card in wanted:
        out.append(next(one for one in rest if stands_for(card, one)))
        rest.remove(out[-1])
    return out, rest


def _is_natural(upcard: Rank, other: Rank) -> bool:
    return sorted((upcard, other)) == [1, 10]


_SIDE: Final = (Action.INSURANCE, Action.EVEN_MONEY)


def explain_refusal(
    action: Action, prompt: Prompt, *, rules: Rules, hand: PlayedHand | None = None
) -> str:
    """Return one sentence saying why an action is not an answer to a question of a drill."""
    if hand is not None and not hand.is_over:
        return _shorten(find_refusal(hand.state, action), action)
    if prompt.upcard is None or not prompt.cards:
        return f"cannot {action.verb}: a number is asked for"
    if any(one in prompt.choices for one in _SIDE):
        return f"cannot {action.verb}: the question is insurance alone"
    if action is Action.SURRENDER and rules.surrender is not Surrender.NONE and prompt.choices:
        return f"cannot {action.verb}: this play is asked as if there were no surrender"
    table = deal_opening(rules, prompt.cards, prompt.upcard, random.Random(0))
    return _shorten(find_refusal(table.state, action), action)


def _shorten(refusal: Refusal | None, action: Action) -> str:
    """Omit the legal actions, which the screen shows."""
    return f"cannot {action.verb} here" if refusal is None else refusal.without_legal
