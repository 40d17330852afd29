"""A plan: a bet ramp, the value of a unit, and the bank behind it.

Two of unit, bank and risk determine the third. Risk of ruin and Kelly fraction are equivalent: bets
that start as the fraction k of full Kelly, and are never resized, lose the bank with the chance
exp(-2 / k).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal

from upcard.analysis.betting import Betting, bet_by_count
from upcard.analysis.errors import AnalysisError
from upcard.analysis.measures import kelly_bankroll, kelly_of_risk, kelly_unit, risk_of_kelly
from upcard.analysis.optimum import FINENESS, best_bets, best_first, square_of_di
from upcard.analysis.whole_chip_ramp import (
    best_chips,
    best_chips_at_risk,
    best_chips_from,
    equivalent,
)
from upcard.strategy.ramp import BetRamp

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from upcard.analysis.count_rows import CountedGame

ROUNDS_PER_HOUR: Final = 100.0
_FULL_KELLY: Final = 1.0

# Squares of amounts, and their ratios, stay far from the bounds of a float.
_LEAST: Final = 1e-12
_MOST: Final = 1e18


@dataclass(frozen=True, slots=True, kw_only=True)
class RampQuestion:
    """A question about a run. Amounts are money, or units if no unit is given.

    Either `ramp` or `spread` is given. `wong` is the lowest count to play at, or `best`.

    Raises: AnalysisError naming clashing settings or an invalid amount.
    """

    ramp: BetRamp | None = None
    spread: float | None = None
    wong: int | Literal["best"] | None = None
    bankroll: float | None = None
    risk: float | None = None
    kelly: float | None = None
    unit: float | None = None
    chip: float | None = None
    goal: float | None = None
    """Amount to win, on top of the bank."""
    hours: float | None = None
    rounds_per_hour: float = ROUNDS_PER_HOUR
    """Rounds seen, including those sat out."""

    def __post_init__(self) -> None:
        for name in ("bankroll", "kelly", "unit", "chip", "goal", "hours", "rounds_per_hour"):
            amount = getattr(self, name)
            if amount is not None and not 0 < amount < math.inf:
                raise AnalysisError(f"{name} {amount:g}: it must be over 0")
            if amount is not None and not _LEAST <= amount <= _MOST:
                raise AnalysisError(f"{name} {amount:g}: it must be from {_LEAST:g} to {_MOST:g}")
        if self.risk is not None and not 0 < self.risk < 1:
            raise AnalysisError(f"risk {self.risk:g}: a risk of ruin is over 0 and under 100%")
        if self.spread is not None and not 1 <= self.spread < math.inf:
            msg = f"spread {self.spread:g}: the largest bet is 1 or more times the least"
            raise AnalysisError(msg)
        faults = list(_find_clashes(self))
        if faults:
            raise AnalysisError("; ".join(faults))


def _find_clashes(question: RampQuestion) -> list[str]:
    has = {name: getattr(question, name) is not None for name in RampQuestion.__dataclass_fields__}
    clashes = []
    if has["ramp"] == has["spread"]:
        clashes.append("give a ramp or a spread, one of them: a ramp as it is, or the best ramp")
    if has["risk"] and has["kelly"]:
        clashes.append("give a risk or a Kelly fraction: each decides the other")
    if has["bankroll"] and has["unit"] and has["risk"]:
        clashes.append("give two of bankroll, unit and risk: they decide the third")
    if has["chip"] and has["ramp"]:
        clashes.append("whole chips are for the best ramp of a spread; a ramp is played as given")
    if has["chip"] and not has["bankroll"] and not has["unit"]:
        clashes.append("whole chips need a bankroll or a unit, in the same money as the chip")
    if question.chip and question.unit and not _is_whole(question.unit / question.chip):
        clashes.append(f"a unit of {question.unit:g} is not whole chips of {question.chip:g}")
    return clashes


def _is_whole(number: float) -> bool:
    return round(number) >= 1 and math.isclose(number, round(number), rel_tol=1e-9)


@dataclass(frozen=True, slots=True, kw_only=True)
class RampPlan:
    """A ramp played with a bank. `betting` and `bankroll` are in money."""

    title: str
    ramp: BetRamp
    unit: float
    """Value of one unit of the ramp."""
    betting: Betting
    bankroll: float
    """Infinite if no bank is enough."""
    kelly: float
    """Kelly fraction of the certainty equivalent."""
    first: int
    """First row that is played."""


def make_plans(game: CountedGame, question: RampQuestion) -> list[RampPlan]:
    """Plan the given ramp, or the best one in any amounts and, if requested, in chips.

    Raises: AnalysisError if no bets win, or no unit fits the bank.
    """
    if question.ramp is not None:
        given = [float(question.ramp.bet(row.count)) for row in game.rows]

        def play_from(first: int) -> list[float]:
            return [0.0] * first + given[first:]

        first = choose_first(game, question, play_from)
        return [_settle(game, question, play_from(first), title="as given", first=first)]

    spread = question.spread or 1.0
    first = choose_first(game, question, lambda start: best_bets(game, spread, first=start))
    bets = best_bets(game, spread, first=first)
    plans = [_settle(game, question, bets, title="any amounts", first=first)]
    if question.chip is not None:
        plans.append(_plan_chips(game, question, spread, question.chip))
    return plans


def choose_first(
    game: CountedGame,
    question: RampQuestion,
    find: Callable[[int], Sequence[float]],
    worth: Callable[[float, float], float] = square_of_di,
) -> int:
    """Return the row at which play starts; the best one has the highest `worth`.

    Raises: AnalysisError if the run sat rounds out itself, or merges these counts.
    """
    wong = question.wong
    if wong is None:
        return 0
    if game.sits_out:
        raise AnalysisError(
            "this run sat rounds out itself (its enter and leave): when to play is decided in it;"
            " run again without them to choose afterwards"
        )
    if wong == "best":
        return best_first(game, find, worth)
    lowest, highest = game.rows[0], game.rows[-1]
    if wong > highest.count:
        msg = f"wong {wong}: the highest count that came up or is distinguished is {highest.label}"
        raise AnalysisError(msg)
    if wong <= lowest.count and lowest.label.startswith("<"):
        msg = f"wong {wong}: counts {lowest.label} are merged; from {lowest.count + 1} on"
        raise AnalysisError(msg)
    return max(wong - lowest.count, 0)


def _settle(
    game: CountedGame, question: RampQuestion, bets: Sequence[float], *, title: str, first: int
) -> RampPlan:
    """Derive the missing one of unit, bank and risk."""
    unit, bankroll = question.unit, question.bankroll
    if unit is None and bankroll is not None:
        betting, kelly = bet_by_count(game, bets), _choose_kelly(question)
        ev, variance = betting.ev, betting.variance
        unit = kelly_unit(ev=ev, variance=variance, bankroll=bankroll, kelly=kelly)
        if not unit:
            raise AnalysisError(
                f"this ramp loses {-betting.ev:.4f} units a round, so that no unit has a risk of"
                f" ruin of {risk_of_kelly(kelly=kelly):.1%}: ruin is certain; name a unit to see"
                " the rest"
            )
    unit = 1.0 if unit is None else unit
    return _plan(game, question, bets, unit=unit, title=title, first=first)


def _plan_chips(game: CountedGame, question: RampQuestion, spread: float, chip: float) -> RampPlan:
    if question.unit is not None:
        least = round(question.unit / chip)

        def find(first: int) -> list[float]:
            return best_chips_from(game, spread, least=least, first=first)

        first = choose_first(game, question, find)
    else:
        kelly = _choose_kelly(question)
        bank = (question.bankroll or 0.0) / chip

        def find(first: int) -> list[float]:
            if question.risk is None:
                return best_chips(game, spread, bankroll=bank, kelly=kelly, first=first)
            return best_chips_at_risk(game, spread, bankroll=bank, risk=question.risk, first=first)

        def worth(mean: float, square: float) -> float:
            return equivalent(mean, square, bank=kelly * bank)

        first = choose_first(game, question, find, worth)
    return _plan(game, question, find(first), unit=chip, title="whole chips", first=first)


def _plan(  # noqa: PLR0913 (what a plan is made of)
    game: CountedGame,
    question: RampQuestion,
    bets: Sequence[float],
    *,
    unit: float,
    title: str,
    first: int,
) -> RampPlan:
    betting = bet_by_count(game, bets).scale(unit)
    kelly = _choose_kelly(question)
    bank = question.bankroll
    if bank is None:
        bank = kelly_bankroll(ev=betting.ev, variance=betting.variance, kelly=kelly)
    ramp = question.ramp
    if ramp is None or first:
        exact = tuple(Fraction(bet).limit_denominator(FINENESS) for bet in bets)
        ramp = BetRamp(least=game.rows[0].count, bets=exact)
    return RampPlan(
        title=title, ramp=ramp, unit=unit, betting=betting, bankroll=bank, kelly=kelly, first=first
    )


def _choose_kelly(question: RampQuestion) -> float:
    if question.kelly is not None:
        return question.kelly
    return _FULL_KELLY if question.risk is None else kelly_of_risk(risk=question.risk)
