"""A session as in a casino, in money: win, errors, what to practise, ready or not."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.analysis import figures
from upcard.core.numbers import count_of, format_chips, with_minus_signs
from upcard.drills.drill import CLOSE, LATE
from upcard.drills.session_plan import ROUNDS, Asked, Judged
from upcard.store.money import load_pace

if TYPE_CHECKING:
    from upcard.drills.ready import Session

MOST_RISK: Final = figures.risk_of_kelly(kelly=1.0)
"""Highest risk of ruin with which one is ready: that of full Kelly bets, 13.5%, as in SCORE."""
MOST_LOST: Final = 0.25
"""Highest share of the plan's win that errors may cost."""
_PRACTISE: Final = {
    Asked.COUNT: "upcard train running-count",
    Asked.BET: "upcard train true-count, then upcard train bet",
    Asked.INSURANCE: "upcard train deviations",
    Asked.INDEX: "upcard train deviations",
    Asked.CHART: "upcard train strategy",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyPart:
    """The answers of a session to one kind of question."""

    asked: str
    """`talk`, `running count`, `bet`, `insurance`, `index play` or `chart play`."""
    answers: int
    wrong: int
    close: int
    """Answers that another estimate of the decks left makes right, by up to half a deck."""
    late: int
    cost_per_hour: float
    """Cost of the wrong ones, in money an hour; 0 for counts, which cost by what follows them."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyReport:
    """The result of a session. Units: money, by the bet and the speed of `upcard money`."""

    rounds: int
    """Rounds that were played."""
    of: int
    """Rounds of a whole session."""
    bankroll: float
    unit: float
    """Money of a unit of the ramp."""
    rounds_per_hour: float
    win_per_hour: float
    """Expected win of the plan, without an error."""
    win_error: float
    """Its standard error, from the simulation."""
    sd_per_hour: float
    errors_per_hour: float
    """Cost of your errors."""
    errors_error: float
    """Its standard error, from the rounds of the session; 0 for fewer than two."""
    net_per_hour: float
    """Expected win with your errors."""
    risk_of_ruin: float
    """Risk of losing the bankroll, 0 to 1, with your errors."""
    risk_without_errors: float
    parts: tuple[ReadyPart, ...]
    """The answers by what was asked."""
    practise: tuple[str, ...]
    """Drills to practise, the most important first."""
    is_ready: bool
    why: str
    """The verdict in a sentence."""
    lines: tuple[str, ...]
    """All of it in sentences, the verdict last."""


def report_ready(session: Session) -> ReadyReport:
    """Return what a session says so far; only a whole one can say that you are ready."""
    drill, pace = session.drill, load_pace()
    unit, speed = float(pace.bet), float(pace.hands_per_hour)
    hour, bank, rounds = unit * speed, drill.bank, session.rounds
    betting = drill.betting
    costs: dict[int, float] = defaultdict(float)
    for one in session.judgements:
        costs[one.round] += one.cost
    lost = math.fsum(costs.values()) / max(rounds, 1)
    square = math.fsum((cost - lost) ** 2 for cost in costs.values())
    square += (rounds - len(costs)) * lost**2 if rounds > len(costs) else 0.0
    error = math.sqrt(square / (rounds * (rounds - 1))) if rounds > 1 else 0.0
    risk, without = (
        figures.risk_of_ruin(ev=ev, variance=betting.variance, bankroll=bank)
        for ev in (betting.ev - lost, betting.ev)
    )
    parts = tuple(_list_parts(session.judgements, hour / max(rounds, 1)))
    worst = [one for one in parts if one.wrong and (one.cost_per_hour or one.asked == Asked.COUNT)]
    worst.sort(key=lambda one: (one.asked != Asked.COUNT, -one.cost_per_hour))
    practise = tuple(f"{one.asked}: {_PRACTISE[Asked(one.asked)]}" for one in worst)
    needed = figures.bankroll_for_risk(ev=betting.ev, variance=betting.variance, risk=MOST_RISK)
    why_not = "" if session.is_over else f"{rounds} of {ROUNDS} rounds are played: resume it"
    if not why_not and betting.ev <= 0:
        why_not = "this plan loses even without an error"
    elif not why_not and without > MOST_RISK:
        why_not = (
            f"even without an error the risk of ruin is {without:.1%}; a bankroll of"
            f" {needed * unit:,.0f} would do"
        )
    elif not why_not and lost >= betting.ev:
        why_not = "your errors cost more than the plan wins"
    elif not why_not and lost > MOST_LOST * betting.ev:
        why_not = f"your errors cost {lost / betting.ev:.0%} of the win, more than {MOST_LOST:.0%}"
    elif not why_not and risk > MOST_RISK:
        why_not = f"with your errors the risk of ruin is {risk:.1%}; {MOST_RISK:.1%} is the most"
    note = drill.deviations.note_game(drill.rules)
    money = f"at a bankroll of {bank * unit:,.0f}"
    why = f"Not ready {money}: {why_not}." if why_not else f"You are ready {money}."
    lines = [
        f"{rounds} of {ROUNDS} rounds, {count_of(len(session.judgements), 'answer')}.",
        (
            f"Without an error you would win {betting.ev * hour:,.2f} an hour"
            f" (± {betting.standard_error * hour:.2f}), give or take"
            f" {betting.sd * unit * math.sqrt(speed):,.0f}: {format_chips(pace.bet)} a unit,"
            f" {format_chips(pace.hands_per_hour)} rounds an hour."
        ),
        (
            f"Your errors cost {lost * hour:,.2f} an hour (± {error * hour:.2f}); you would win"
            f" {(betting.ev - lost) * hour:,.2f}."
        ),
        *(one.text for one in parts),
        *([note] if note else []),
        f"Risk of ruin {money}: {risk:.1%}, without an error {without:.1%}.",
        *(f"Practise {one}." for one in practise),
        why,
    ]
    return ReadyReport(
        rounds=rounds,
        of=ROUNDS,
        bankroll=bank * unit,
        unit=unit,
        rounds_per_hour=speed,
        win_per_hour=betting.ev * hour,
        win_error=betting.standard_error * hour,
        sd_per_hour=betting.sd * unit * math.sqrt(speed),
        errors_per_hour=lost * hour,
        errors_error=error * hour,
        net_per_hour=(betting.ev - lost) * hour,
        risk_of_ruin=risk,
        risk_without_errors=without,
        parts=parts,
        practise=practise,
        is_ready=not why_not,
        why=with_minus_signs(why),
        lines=tuple(map(with_minus_signs, lines)),
    )


def _list_parts(judged: Sequence[Judged], scale: float) -> Iterator[ReadyPart]:
    """Yield the answers by what was asked; a unit lost in all is `scale` of money an hour."""
    for asked in Asked:
        its = [one for one in judged if one.asked is asked]
        if not its:
            continue
        grades = [one.grade for one in its]
        close, late = grades.count(CLOSE), grades.count(LATE)
        wrong = len(its) - grades.count("right") - close - late
        cost = scale * math.fsum(one.cost for one in its)
        name = "dealer's question" if asked is Asked.TALK else asked
        text = f"{count_of(len(its), name)}: {wrong} wrong"
        text += f", {cost:,.2f} an hour" if cost else ""
        text += f", {count_of(close, 'close call')}" if close else ""
        text += f", {late} late" if late else ""
        yield ReadyPart(
            asked=asked.value,
            answers=len(its),
            wrong=wrong,
            close=close,
            late=late,
            cost_per_hour=cost,
            text=f"{text}.",
        )
