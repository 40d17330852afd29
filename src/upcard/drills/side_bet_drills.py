"""Drills of side bets: what one costs, and from which true count it pays.

A number is asked for, and judged by its distance: who knows that a bet costs about a tenth knows
enough to leave it.
"""

from __future__ import annotations

import random
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final

from upcard.core.errors import BlackjackError
from upcard.core.numbers import exact_number
from upcard.drills.counting_drills import refuse_infinite
from upcard.drills.drill import DrillError, Feedback, Item, Prompt
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import shipped_side_bets
from upcard.rules.side_bets import SideBet

if TYPE_CHECKING:
    from upcard.exact.side.bet_counts import SideBetCount

_WHO: Final = "drill of side bets"
_LEAST_CORRELATION: Final = 0.6
"""A count that follows a bet less than this is not asked for."""
_MOST_TRUE: Final = 25
_CLOSE_EDGE: Final = 1.0
"""Points of percent by which an edge may be missed, or a fifth of it."""
_CLOSE_COUNT: Final = 1.0


class SideBetKind(StrEnum):
    """The questions about side bets."""

    COST = "side bet cost"
    """The house edge of a bet, in percent."""
    COUNT = "side bet count"
    """The true count of its own count from which a bet pays."""


UNITS: Final = {SideBetKind.COST: "points off", SideBetKind.COUNT: "counts off"}


@lru_cache(maxsize=128)
def _value(bet: SideBet, rules: Rules) -> float | None:
    """Return the house edge of a bet in percent; None where it has no exact value."""
    from upcard.exact.side import bet_values

    try:
        return 100 * bet_values.value_bet(bet, None, rules).edge
    except BlackjackError:
        return None


@lru_cache(maxsize=128)
def _count(bet: SideBet, rules: Rules) -> SideBetCount | None:
    from upcard.exact.side import bet_counts

    try:
        found = bet_counts.count_bet(bet, None, rules)
    except BlackjackError:
        return None
    if found.begins is None or found.correlation < _LEAST_CORRELATION:
        return None
    return found if 0 < found.begins <= _MOST_TRUE else None


class SideBetDrill:
    """Asks one kind of question about the side bets that ship; items are the bets.

    Those that cost most come first, since they cost most to believe in.
    """

    def __init__(self, rules: Rules, *, kind: SideBetKind | str) -> None:
        self.kind = SideBetKind(kind)
        if self.kind is SideBetKind.COUNT:
            refuse_infinite(rules, _WHO)
        self.rules = rules
        self.game = rules.main_game
        self.name = str(self.kind)
        self.unit = UNITS[self.kind]
        self.about = str(self.game)

    def _game_of(self, bet: SideBet) -> Rules:
        """Return the game of a question: that of the pay table, if the house has not the bet."""
        from upcard.exact.side.bet_values import choose_game

        return choose_game(bet, beside=self.rules).main_game

    @cached_property
    def _by_key(self) -> dict[str, SideBet]:
        found = {}
        for bet in shipped_side_bets():
            game = self._game_of(bet)
            edge = _value(bet, game)
            if edge is None or edge <= 0 or bet.after:
                continue
            if self.kind is SideBetKind.COST or _count(bet, game) is not None:
                found[f"{self.kind} {bet.name}"] = bet
        return found

    def items(self) -> tuple[Item, ...]:
        """Return the bets, all with the same frequency; their cost is the house edge."""
        share = 1 / len(self._by_key)
        return tuple(
            Item(key=key, frequency=share, cost=(_value(bet, self._game_of(bet)) or 0.0) / 100)
            for key, bet in self._by_key.items()
        )

    def ask(self, item: str, rng: random.Random) -> Prompt:  # noqa: ARG002 (one question an item)
        """Create the question about a bet."""
        bet = self._by_key.get(item)
        if bet is None:
            raise DrillError(f"no item is called {item!r} in this drill")
        game = self._game_of(bet)
        known: dict[str, object] = {"title": bet.title, "game": str(game.full_shoe)}
        if self.kind is SideBetKind.COST:
            known["number"] = _value(bet, game)
        else:
            found = _count(bet, game)
            known["tags"] = _write_tags({} if found is None else found.tags)
            known["number"] = None if found is None else found.begins
        return Prompt(item=item, drill=self.name, data=tuple(known.items()))

    def check(self, prompt: Prompt, answer: str) -> Feedback:
        """Judge a number by its distance."""
        text = answer.strip().removeprefix("+").removesuffix("%")
        given, number = exact_number(text), float(prompt.fact("number"))
        if given is None:
            raise DrillError(f"{answer!r} is not an answer: write a number, such as 3 or 6.5")
        off = abs(float(given) - number)
        is_cost = self.kind is SideBetKind.COST
        close = max(_CLOSE_EDGE, abs(number) / 5) if is_cost else _CLOSE_COUNT
        return Feedback(
            is_right=off <= close,
            answer=answer.strip(),
            right=f"{number:.2f}%" if is_cost else f"{number:+.1f}",
            cost=0.0 if off <= close else round(off, 2),
            unit=self.unit,
        )


def _write_tags(tags: dict[str, int]) -> str:
    """Write the tags of a count, cards of the same tag together: `A 2 K +3, J 0`."""
    by_tag: dict[int, list[str]] = {}
    for card, tag in tags.items():
        by_tag.setdefault(tag, []).append(card)
    return ", ".join(f"{' '.join(cards)} {tag:+d}" for tag, cards in sorted(by_tag.items()) if tag)
