"""Bets by the count as a question: what they win and risk, from one run, without playing again."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from upcard.analysis.bet_terms import BetTerms
from upcard.answers.questions import QUESTIONS, Asking, Sheet
from upcard.core import numbers
from upcard.core.errors import BlackjackError, NotationError, RulesError, quote
from upcard.core.fields import Field

if TYPE_CHECKING:
    from upcard.analysis.count_rows import CountedRun
    from upcard.answers.ramp_report import RampAnswer

# What reads a run is imported when it is asked for: it loads NumPy.


def _list_saved() -> list[Path]:
    """Return the files of the lab's runs, the last changed first."""
    from upcard.simulation.run_state import list_run_files
    from upcard.store.files import runs_folder

    return [place for _, place in list_run_files(runs_folder())]


def _find_saved(name: str) -> Path:
    """Return the file of a run by its name in the lab: a page reads no other."""
    saved = {one.stem: one for one in _list_saved()}
    if name not in saved:
        there = ", ".join(saved) or "there is none yet"
        raise RulesError(f"no run of the lab is called {quote(name)}: {there}")
    return saved[name]


def answer(
    *,
    run: Annotated[
        object,
        Field(
            str,
            "A run with a count; on the full screen the name of one in the lab (default: last).",
            "RUN.json",
            is_word=True,
            paste=_find_saved,
        ),
    ] = None,
    bets: BetTerms,
    explain: Annotated[
        bool,
        Field(
            bool,
            "Show every formula with its inputs and source.",
            in_json="every formula, its numbers and its source",
        ),
    ] = False,
    asking: Asking,
) -> Sheet[RampAnswer]:
    """Return what bets by the count win and risk, with the standard error of every figure.

    They are computed from one run, such as of upcard simulate --count hi-lo -o RUN.json, without
    simulating. The default is the run's own ramp, or else the best ramp with a spread of 1-8. Two
    of bankroll, unit and risk (or Kelly fraction) determine the third; if only one is given, the
    risk is that of full Kelly bets, 13.5 %. Amounts are in the money of --unit or --bankroll, or in
    units if neither is given.
    """
    from upcard.answers.ramp_report import answer_ramp, tabulate_counts, tabulate_figures

    if run is None and asking.is_patient:
        raise NotationError("name a run: what upcard simulate --count hi-lo -o RUN.json writes")
    counted, name = _read_last() if run is None else (_read(run), "")
    found = answer_ramp(counted, bets)
    return Sheet(
        title=f"{QUESTIONS['ramp'].title}, {counted.system.title}",
        rules=str(counted.job.rules),
        facts=(*_tell_run(counted, name), *_tell_plans(found)),
        tables=(tabulate_counts(found), tabulate_figures(found)),
        notes=tuple(_explain(found)) if explain else (),
        data=(found.table(),),
        result=found,
        shows_all=True,
    )


def _read(run: object) -> CountedRun:
    """Read a run, or the file of one."""
    from upcard.analysis.count_rows import read_document, read_run
    from upcard.simulation.run_state import Run, make_document

    return read_document(make_document(run)) if isinstance(run, Run) else read_run(str(run))


def _read_last() -> tuple[CountedRun, str]:
    """Return the last run of the lab that counted, and its name."""
    for place in _list_saved():
        with suppress(BlackjackError):  # it counted nothing, or cannot be read
            return _read(place), f"{place.stem}, "
    raise RulesError("there is no run with a count yet: the lab of upcard web plays one")


def _tell_run(run: CountedRun, name: str) -> Iterator[tuple[str, str]]:
    from upcard.answers.run_results import describe_seat

    game, job, deviations = run.game, run.job, run.job.deviations
    indices = "none" if deviations is None else (deviations.name or "of your own")
    spots = "" if job.spots == 1 else f" on {job.spots} spots"
    seat = describe_seat(job)
    rounds = f"{game.seen:,} rounds{spots} of {game.shoes:,} shoes, seed {job.seed}"
    yield "Run", f"{name}{rounds}, indices {indices}{'; ' if seat else ''}{seat}"
    edge = numbers.with_error(-100 * game.flat_ev, 100 * game.flat_error, "%")
    title, plays = "House edge", ""
    if deviations is not None:  # they are part of what the player wins, not of the game
        title, plays = "Edge with plays", f" by the index plays {indices}"
    yield title, f"{edge} of the first bets{plays}, betting the same in every round"


def _tell_plans(found: RampAnswer) -> Iterator[tuple[str, str]]:
    from upcard.answers.ramp_report import has_money

    question = found.question
    for plan in found.plan_answers:
        yield "Ramp", f"{plan.choice}: {plan.words}"
        yield "For --ramp", plan.ramp
    plan, *in_chips = found.plan_answers
    if has_money(question):
        reason = "" if question.unit is not None else f", which begins as {plan.kelly_text}"
        for other in in_chips:
            if other.unit != plan.unit:
                reason += f"; in whole chips {other.unit_text} (--unit)"
        yield "Unit", f"{plan.unit_text}{reason}"
    else:
        yield "Unit", "amounts are in units; --unit or --bankroll makes them money"
    if math.isfinite(plan.bankroll):
        reason = f", for which the bets are {plan.kelly_text}"
        yield "Bank", plan.bankroll_text + ("" if question.bankroll is not None else reason)
    yield "Pace", f"{question.rounds_per_hour:,g} rounds seen an hour, those sat out counted too"
    yield from (("Note", note) for note in found.all_notes())


def _explain(found: RampAnswer) -> Iterator[tuple[str, str]]:
    """Yield each figure with its formula, its inputs and its source."""
    for plan in found.plan_answers:
        many = f", {plan.title}" if len(found.plan_answers) > 1 else ""
        yield "How it is found", f"every figure{many}; N is the normal distribution function"
        for one in map(plan.figures.__getitem__, plan.shown):
            yield "Figure", f"{one.title}: {one.text}"
            yield "  formula", one.formula
            if one.inputs:
                inputs = (f"{name} = {value:.8g}" for name, value in one.inputs.items())
                yield "  put in", ", ".join(inputs)
            yield "  source", one.source
