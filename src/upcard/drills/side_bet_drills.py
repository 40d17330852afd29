"""Drills of side bets: what one costs, and from which true count it pays.

A number is asked for, and judged by its distance: who knows that a bet costs about a tenth knows
enough to leave it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, ClassVar, Final

from upcard.core.errors import BlackjackError
from upcard.drills import drill
from upcard.drills.counting_drills import refuse_infinite
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBetPrompt(drill.Prompt):
    """A side bet: what it costs."""

    title: str
    game: str
    number: float
    """The house edge in percent, or the true count."""
    short: ClassVar[str] = "What is the house edge, in percent?"

    def write(self, rules: Rules) -> str:
        """Write the bet and its game."""
        del rules
        return f"{self.title}, in {self.game}: the house edge, in percent?"

    def explain(self, feedback: drill.Feedback) -> str:
        """Say the number."""
        return f"{self.title} in {self.game}: {feedback.right} of the bet is the house's."


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBetCountPrompt(SideBetPrompt):
    """A side bet and the tags of a count: from which true count it pays."""

    tags: str
    short: ClassVar[str] = "From which true count does it pay?"

    def write(self, rules: Rules) -> str:
        """Write the bet, its game and the tags."""
        del rules
        return f"{self.title}, in {self.game}, counted {self.tags}: the true count?"

    def explain(self, feedback: drill.Feedback) -> str:
        """Say the number."""
        return f"{self.title} in {self.game}: {feedback.right} is where it begins to pay."


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


class SideBetDrill(drill.Drill[SideBetPrompt]):
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

    def items(self) -> tuple[drill.Item, ...]:
        """Return the bets, all with the same frequency; their cost is the house edge."""
        share = 1 / len(self._by_key)
        return tuple(
            drill.Item(
                key=key, frequency=share, cost=(_value(bet, self._game_of(bet)) or 0.0) / 100
            )
            for key, bet in self._by_key.items()
        )

    def ask(self, item: str, rng: random.Random) -> SideBetPrompt:
        """Create the question about a bet."""
        del rng  # one question an item
        bet = self._by_key.get(item)
        if bet is None:
            raise drill.DrillError(f"no item is called {item!r} in this drill")
        game = self._game_of(bet)
        title, shoe = bet.title, str(game.full_shoe)
        if self.kind is SideBetKind.COST:
            return SideBetPrompt(item=item, title=title, game=shoe, number=_value(bet, game) or 0.0)
        found = _count(bet, game)
        if found is None or found.begins is None:
            raise drill.DrillError(f"no item is called {item!r} in this drill")
        return SideBetCountPrompt(
            item=item, title=title, game=shoe, number=found.begins, tags=_write_tags(found.tags)
        )

    def check(self, prompt: SideBetPrompt, answer: str) -> drill.Feedback:
        """Judge a number by its distance."""
        given = drill.read_number(answer, "a number, such as 3 or 6.5", unit="%")
        number = prompt.number
        off = abs(float(given) - number)
        is_cost = self.kind is SideBetKind.COST
        close = max(_CLOSE_EDGE, abs(number) / 5) if is_cost else _CLOSE_COUNT
        return drill.Feedback(
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


ENTRIES: Final = (
    drill.DrillEntry(
        name=SideBetKind.COST,
        about="What a side bet costs, in percent of the bet",
        explanation=(
            "Estimate the house edge of a side bet. Right is within a point, or a fifth of it. The"
            " costliest bets come first."
        ),
        make=partial(SideBetDrill, kind=SideBetKind.COST),
        inputs=(drill.InputKind.NUMBER,),
        icon="chips",
    ),
    drill.DrillEntry(
        name=SideBetKind.COUNT,
        about="From which true count a side bet pays",
        explanation=(
            "Say from which true count of its own count the side bet pays; right is within one."
        ),
        make=partial(SideBetDrill, kind=SideBetKind.COUNT),
        inputs=(drill.InputKind.NUMBER,),
        icon="chips",
    ),
)
