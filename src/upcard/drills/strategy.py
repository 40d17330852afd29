"""Drills of basic strategy: opening hands by class, for any rules, judged by exact values."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from math import exp
from typing import Final

from upcard.coach.adviser import ValuedOpening, advise_opening, list_openings
from upcard.coach.judgement import Advice, Judgement, write_verdict
from upcard.coach.question import HandClass
from upcard.coach.reasons import explain
from upcard.core.actions import Action, parse_action
from upcard.core.errors import IllegalActionError
from upcard.drills.drill import CLASSES, DrillError, Feedback, Item, Prompt, read_class
from upcard.rules.model import Rules
from upcard.table.state import Phase

_OBVIOUS: Final = 0.15
_BY_LETTER: Final = {"p": Action.SPLIT, "r": Action.SURRENDER, "s": Action.STAND}
_ASKS: Final = {Phase.SURRENDER: "surrender is offered", Phase.SPLIT: "a split is offered"}


class StrategyDrill:
    """Asks for the play of opening hands of a fresh shoe. An item is a cell of the chart.

    Raises: UnsupportedRuleError for rules without exact values; DrillError if no class is left.
    """

    name: str = "strategy"

    def __init__(self, rules: Rules, classes: Iterable[HandClass | str] = CLASSES) -> None:
        wanted = tuple(dict.fromkeys(map(read_class, classes)))
        self.rules = rules
        self.about = str(rules)  # classes share their progress
        self.classes = tuple(one for one in CLASSES if one in wanted)
        found: dict[str, list[ValuedOpening]] = {}
        for opening in list_openings(rules):
            # If no answer costs anything, there is nothing to learn.
            if opening.hand_class in self.classes and opening.slip > 0:
                found.setdefault(f"{opening.hand_class} {opening.cell}", []).append(opening)
        if not found:
            named = " or ".join(self.classes) or "no class"
            raise DrillError(f"a drill of {named}: {rules} ask no such question")
        self._openings = found
        self._items = _weigh(found)
        self.share = sum_shares(one for cell in found.values() for one in cell)
        """The share of all opening hands with a question that the drill includes."""

    def items(self) -> tuple[Item, ...]:
        """Return the cells of the drill; frequencies sum to 1."""
        return self._items

    def ask(self, item: str, rng: random.Random) -> Prompt:
        """Deal a hand of a cell, by its chance. Raises: DrillError if there is no such item."""
        opening = choose_opening(self._openings, item, rng)
        cards, upcard = opening.situation.cards, opening.situation.upcard
        if rng.random() < 0.5:
            cards = (cards[1], cards[0])
        offer = _ASKS.get(opening.question.phase)
        what = f"{' '.join(map(str, cards))} v {upcard}"
        return Prompt(
            item=item,
            text=f"{what}: {offer}" if offer else what,
            choices=tuple(map(str, opening.question.legal)),
            cards=cards,
            upcard=upcard,
        )

    def check(self, prompt: Prompt, answer: str) -> Feedback:
        """Judge an action by its exact value."""
        action = read_answer(prompt, answer)
        if prompt.upcard is None:
            raise DrillError(f"not a question of this drill: {prompt.text}")
        advice = advise_opening(self.rules, prompt.cards, prompt.upcard)
        return give_feedback(advice, advice.judge(action))


def choose_opening(
    openings: dict[str, list[ValuedOpening]], item: str, rng: random.Random
) -> ValuedOpening:
    """Return one of the openings of an item, by its frequency.

    Raises: DrillError if there is no such item.
    """
    if item not in openings:
        raise DrillError(f"no item is called {item!r} in this drill")
    weights = [opening.situation.frequency for opening in openings[item]]
    return rng.choices(openings[item], weights=weights)[0]


def give_feedback(advice: Advice, judgement: Judgement) -> Feedback:
    """Return the feedback to an answer that was judged by exact values."""
    return Feedback(
        is_right=judgement.is_right,
        answer=str(judgement.chosen),
        right=str(judgement.best),
        cost=judgement.cost,
        reason=explain(advice, judgement.chosen).sentence,
        verdict=write_verdict(judgement, has_bets=False),
        ev=tuple((str(one), ev) for one, ev in advice.ev.items()),
    )


def read_answer(prompt: Prompt, answer: str) -> Action:
    """Read an action, by its word or its first letter where that is unique.

    Raises: DrillError listing the choices.
    """
    word = answer.strip().lower()
    by_letter = [choice for choice in prompt.choices if word and choice[0] == word]
    named = _BY_LETTER.get(word)
    if named in prompt.choices:
        by_letter = [named]
    try:
        action = parse_action(by_letter[0] if len(by_letter) == 1 else word)
    except IllegalActionError:
        action = None
    if action is None or action not in prompt.choices:
        raise DrillError(
            f"{answer!r} is no answer to {prompt.text}: one of {', '.join(prompt.choices)}"
        )
    return action


def _weigh(found: dict[str, list[ValuedOpening]]) -> tuple[Item, ...]:
    """Add up the hands of a cell; the frequencies of a drill sum to 1."""
    total = sum_shares(opening for cell in found.values() for opening in cell)
    items = []
    for key, openings in found.items():
        share = sum_shares(openings)
        lost = math.fsum(opening.situation.frequency * opening.slip for opening in openings)
        items.append(make_item(key, share / total, lost / share))
    return tuple(items)


def sum_shares(openings: Iterable[ValuedOpening]) -> float:
    """Return the share of all opening hands that some of them have."""
    return math.fsum(opening.situation.frequency for opening in openings)


def make_item(key: str, frequency: float, cost: float) -> Item:
    """Make an item whose likeliest mistake costs this EV."""
    return Item(key=key, frequency=frequency, cost=cost, prior=guess_error_rate(cost))


def guess_error_rate(cost: float) -> float:
    """Estimate how often an untaught player errs, if the likeliest mistake costs this EV.

    A rough start until there are answers: even odds if the mistake costs nothing, and a third of
    that for each `_OBVIOUS` of a bet; hitting a 20, for example, is very unlikely.
    """
    return 0.5 * exp(-cost / _OBVIOUS)
