"""The results of a simulation: its figures with their errors, by count, and the exact value."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from upcard.analysis.figures import score
from upcard.core import figure
from upcard.core.figure import make_figure
from upcard.core.numbers import fields_of, finite, signed, with_error, with_minus, with_minus_signs
from upcard.core.wager import Wager
from upcard.simulation import tally as tallies
from upcard.simulation.job import Engine, Job
from upcard.simulation.run_state import Run
from upcard.simulation.tally import SUSPICIOUS_Z, ExactCheck, Tally
from upcard.store.money import load_pace
from upcard.strategy.ramp import BetRamp


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCheck:
    """The exact value of the game of a run, and how the run compares with it."""

    ev: float | None
    """The exact EV of the first round of a shoe; None if there is none."""
    difference: float | None
    """Simulated minus exact EV: the cut-card effect, and chance."""
    error: float | None
    """Standard error of the difference."""
    z: float | None
    """The difference in standard errors; None where a cut-card effect is part of it."""
    text: str
    """The exact EV in percent; empty if there is none."""
    sentence: str
    """The comparison, or why there is no exact value."""
    is_suspicious: bool
    """Whether the difference is too large for chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAnswer:
    """The results of a run so far."""

    figures: tuple[figure.Figure, ...]
    """The figures; shares are of a bet, or of a unit with a ramp."""
    check: RunCheck | None
    """The comparison with the exact value; None before the run has ended."""
    by_count: figure.AnswerTable | None
    """The rounds by the count before the deal, with flat bets; None for a run without a count."""


def answer_run(job: Job, tally: Tally, ramp: BetRamp | None, check: ExactCheck | None) -> RunAnswer:
    """Return the results of a run; `check` is None before it has ended."""
    return RunAnswer(
        figures=tuple(_list_figures(job, tally, ramp)),
        check=None if check is None else _check(check),
        by_count=None if job.system is None else tallies.tabulate_counts(tally, ramp),
    )


def tabulate_figures(run: Run) -> figure.AnswerTable:
    """Return the figures of a run as a table, without the exact value: it may not be known yet."""
    found = answer_run(run.job, run.tally, run.own_ramp, None).figures if run.rounds else ()
    columns = (
        *(figure.text("figure"), figure.label("text", "")),
        *(figure.real("value", is_shown=False), figure.real("standard_error", "±", is_shown=False)),
        figure.text("unit"),
    )
    rows = ((one.title, one.text, one.value, one.error, one.unit) for one in found)
    about = figure.caption(run.rules, seed=run.seed)
    return figure.make_table("Results", columns, rows, about)


def read_check(document: dict[str, Any]) -> ExactCheck | None:
    """Return the comparison that the document of a run has; None before the run has ended."""
    check = document["exact"]
    if check is None:
        return None
    return ExactCheck(
        exact_ev=check["ev"],
        difference=check["difference"],
        standard_error=check["standard_error"],
        is_fresh=check["is_same_game"],
        reason=check["reason"] or "",
    )


def describe_settings(job: Job, ramp: BetRamp | None, *, player: str = "") -> list[tuple[str, str]]:
    """Describe the settings of a run, a topic and a text each; `player` names its chart."""
    chart = "the chart saved with the run" if job.player is None else f"player {job.player}"
    indices = "" if job.deviations is None else f", with index plays {job.deviations.name or ''}"
    spots = "" if job.spots == 1 else f", at {job.spots} spots"
    rows = [("Played by", f"{player or chart}{indices.rstrip()}{spots}")]
    if job.bets is not None and job.system is not None:
        rows.append(("Count", job.system.title))
    elif job.system is not None:
        how = f"{job.system.by} count"
        if job.system.by == "true":
            how += f", {job.system.rounding}, decks left {job.system.decks_left}"
        rows.append(("Count", f"{job.system.title} ({how})"))
    if job.deviations is not None and (note := job.deviations.note_game(job.rules)):
        rows.append(("Index plays", with_minus_signs(note)))
    if seat := describe_seat(job):
        rows.append(("Wonging", seat))
    if ramp is not None:
        rows.append(("Ramp", with_minus_signs(f"{ramp} (count:units)")))
    if job.engine is Engine.TABLE:
        rows.append(("Engine", "the table, which supports every rule"))
    if job.without_luck:
        kept = "; side bets keep it, and a ramp with them" if job.rules.side_bets else ""
        rows.append(("Without luck", WITHOUT_LUCK + kept))
    return rows


WITHOUT_LUCK: Final = (
    "what each card was worth, less what it was worth on average, is taken out of the EV; the SD of"
    " a round keeps it"
)


def describe_seat(job: Job) -> str:
    """Say at which counts the player sits down and leaves; empty if always seated."""
    if job.enter is None and job.leave is None:
        return ""
    enter = "seated from the start" if job.enter is None else f"sits down at {signed(job.enter)}"
    leave = "stays" if job.leave is None else f"leaves below {signed(job.leave)}"
    return f"{enter}, {leave}"


def answer_state(run: Run) -> RunAnswer:
    """Return the results of a run of this process."""
    return answer_run(run.job, run.tally, run.own_ramp, run.check if run.is_complete else None)


def write_share(value: float | None, error: float | None = None) -> str:
    """Write a share in percent to the second digit of its error."""
    if value is None or not math.isfinite(value):
        return "not known"
    known = finite(error)
    return with_error(100 * value, None if known is None else 100 * known, "%")


def _share(name: str, title: str, value: float, error: float, unit: str) -> figure.Figure:
    return figure.Figure(
        name=name,
        title=title,
        value=finite(value),
        error=finite(error),
        unit=unit,
        text=write_share(value, error),
    )


def _list_figures(job: Job, tally: Tally, ramp: BetRamp | None) -> Iterator[figure.Figure]:
    flat, dealt = tallies.estimate_flat(tally), tallies.estimate_flat(tally, seats=tallies.DEALT)
    spots = f" over {job.spots} spots" if job.spots > 1 else ""
    if ramp is not None:
        quoted = tallies.estimate_ramp(tally, ramp)
        title, error = "EV with the ramp", quoted.standard_error
        yield _share("ramp_ev", title, quoted.ev, error, "of a unit for each round dealt")
        deviation = quoted.standard_deviation
        text, unit = f"{deviation:.4f}", "units a round"
        yield make_figure("ramp_sd", "SD with the ramp", deviation, text, unit)
        if quoted.ev > 0:
            won = score(ev=quoted.ev, variance=deviation**2)
            error = 2 * won * error / quoted.ev
            unit, text = "by 100 rounds an hour", with_error(won, finite(error))
            yield figure.Figure(
                name="score", title="SCORE", value=won, error=finite(error), unit=unit, text=text
            )
    if flat.rounds:
        yield _share("ev", "EV with flat bets", flat.ev, flat.standard_error, "of the bet")
    else:
        none = "none: no round was played at these counts"
        yield figure.Figure(name="ev", title="EV with flat bets", value=None, text=none)
    where = "" if tally.played == tally.seen else "over all rounds dealt"
    title = "House edge" if job.deviations is None else "Edge with plays"
    yield _share("house_edge", title, -dealt.ev, dealt.standard_error, where)
    if ramp is None and not where and job.rules.betting and math.isfinite(dealt.ev):
        pace = load_pace()
        hour, spread = pace.value_hour(dealt.ev), finite(pace.value_hour(dealt.standard_error))
        yield figure.Figure(
            name="money",
            title="In money",
            value=hour,
            error=spread,
            unit=f"an hour {pace}",
            text=with_error(hour, spread),
        )
    deviation = flat.standard_deviation
    if math.isfinite(deviation):
        yield make_figure("sd", "SD of a round", deviation, f"{deviation:.4f}", f"of a bet{spots}")
    yield from _list_side(job, tally)
    played = "" if tally.played == tally.seen else f"of them {tally.played:,} played"
    yield make_figure("rounds", "Rounds", tally.seen, f"{tally.seen:,}", played)
    if tally.shoes and tally.shoes < tally.seen:
        rounds = tally.seen / tally.shoes
        shoes = f"in {tally.shoes:,} shoes"
        yield make_figure("rounds_a_shoe", "Rounds a shoe", rounds, f"{rounds:.1f}", shoes)
    cards = tally.cards / max(tally.seen, 1)
    yield make_figure("cards_a_round", "Cards a round", cards, f"{cards:.3f}")


def _list_side(job: Job, tally: Tally) -> Iterator[figure.Figure]:
    """Iterate over the figures of the side bets, a unit on each in every round."""
    found = tallies.estimate_side(tally)
    for one in found:
        ev = one.placed
        more = f"of the bet; wins {one.hit:.2%}, SD {ev.standard_deviation:.3f}"
        if math.isfinite(one.correlation):
            more += with_minus(f", correlation with the main bet {one.correlation:+.3f}")
        yield _share(f"side_{one.code}", f"Side bet {one.code}", ev.ev, ev.standard_error, more)
    if found:
        wager = Wager(Fraction(1), tuple((one.code, Fraction(1)) for one in found))
        joint = tallies.estimate_wager(tally, wager).standard_deviation
        spots = f" over {job.spots} spots" if job.spots > 1 else ""
        unit = f"units a round, a unit on the main bet and on each side bet{spots}"
        yield make_figure("joint_sd", "SD of all bets", joint, f"{joint:.4f}", unit)


def _check(check: ExactCheck) -> RunCheck:
    return RunCheck(
        ev=check.exact_ev,
        **fields_of(check, "difference", "z", "is_suspicious"),
        error=check.standard_error,
        text="" if check.exact_ev is None else figure.write_percent(check.exact_ev),
        sentence=_word_check(check),
    )


def _word_check(check: ExactCheck) -> str:
    if check.exact_ev is None:
        return f"There is none to compare with: {check.reason}."
    if check.difference is None or check.standard_error is None:
        return ""
    gap = write_share(check.difference, check.standard_error)
    if not check.is_fresh:
        what = (
            "which is what playing on until the cut card changes"
            if check.is_told_from_chance
            else "under three standard errors, so not distinguishable from chance"
        )
        return f"That is the first round of a shoe. Cut-card effect: {gap}, {what}."
    z = "" if check.z is None else f", z = {figure.write_ev(check.z, 2)}"
    sentence = f"Simulated minus exact: {gap}{z}."
    if check.is_suspicious:
        sentence += (
            f" The two differ by more than {SUSPICIOUS_Z:g} standard errors: chance does that once"
            " in 16,000 runs, so one of the two is probably wrong. Please report it."
        )
    return sentence
