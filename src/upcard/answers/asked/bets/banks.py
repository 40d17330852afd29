"""A bankroll round by round as a question: how often it is ruined, and what the formulas say."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

from upcard._version import __version__
from upcard.answers.questions import QUESTIONS, Asking, Sheet
from upcard.answers.shared_fields import RAMP, SEED, WORKERS, SeatTerms
from upcard.core import errors, figure, numbers
from upcard.core.fields import Field, FieldClashError, FormTerms, refuse_given
from upcard.core.number_texts import read_number, read_rounds
from upcard.rules.model import Rules

if TYPE_CHECKING:
    from upcard.analysis.ruin_paths import PathsAnswer
    from upcard.charts.plots import Plot
    from upcard.simulation.bank_paths import BankPlan
    from upcard.simulation.job import Job
    from upcard.strategy.ramp import BetRamp

# What plays is imported when it is asked for: it loads NumPy and the compiled kernels.
_PATHS: Final = 1000
_ROUNDS: Final = 100_000
_QUICK_PATHS: Final = 200
_QUICK_ROUNDS: Final = 20_000
"""Paths and their rounds where an answer is awaited in seconds."""
_MOST_QUICK: Final = 20_000_000
_QUICK_BANK: Final = Fraction(500)
_BAR: Final = 44


def _ask_money(help: str) -> Field:  # noqa: A002 (the field's own name)
    return Field(partial(read_number, over=0), help, "N")


def _read_few(text: str) -> int:
    """Return a number of paths of which a page plays as many rounds as it may."""
    if (paths := read_rounds(text)) > (most := _MOST_QUICK // _QUICK_ROUNDS):
        raise errors.RulesError(f"{paths:,} paths: here there are at most {most:,}")
    return paths


@dataclass(frozen=True, slots=True, kw_only=True)
class PathTerms(FormTerms):
    """The bank, what ends a path, and how many paths are played."""

    unit: Annotated[Fraction, _ask_money("Value of a unit (default: 1).")] = Fraction(1)
    bankroll: Annotated[
        Fraction | None, _ask_money(f"Starting bankroll (on a page {_QUICK_BANK}).")
    ] = None
    goal: Annotated[Fraction | None, _ask_money("Stop after winning this amount.")] = None
    rounds: Annotated[
        int | None,
        Field(
            read_rounds,
            f"Stop after N rounds, sat out or not (default: 100,000; on a page {_QUICK_ROUNDS:,}).",
            "N",
        ),
    ] = None
    hours: Annotated[Fraction | None, _ask_money("Stop after N hours.")] = None
    rounds_per_hour: Annotated[
        Fraction | None, _ask_money("With --hours (default: as in upcard money).")
    ] = None
    paths: Annotated[
        int | None,
        Field(
            read_rounds,
            f"Number of paths (default: {_PATHS:,}; on a page {_QUICK_PATHS}).",
            "N",
            paste=_read_few,
        ),
    ] = None
    seed: Annotated[int | None, SEED] = None
    workers: Annotated[int | None, WORKERS] = None

    @property
    def pace(self) -> float | Fraction:
        """Rounds an hour."""
        from upcard.store.money import load_pace

        return self.rounds_per_hour or load_pace().hands_per_hour

    def choose_rounds(self) -> int | None:
        """Return the most rounds of a path; None without a limit of time. Raises: RulesError."""
        if self.hours is None:
            if self.rounds_per_hour is not None:
                msg = "{rounds_per_hour} says how long {hours} are: give {hours} too"
                raise FieldClashError(msg)
            return self.rounds
        if self.rounds is not None:
            msg = "{rounds} and {hours}: each is the limit of time, give one of them"
            raise FieldClashError(msg)
        number = self.hours * self.pace
        if number < 1:
            raise errors.RulesError(f"{float(self.hours):g} hours are not one round: play longer")
        return int(number)


def answer(  # noqa: PLR0913 (one parameter a field)
    rules: Rules,
    *,
    is_given: bool = True,
    file: Annotated[
        str | None,
        Field(str, "A run whose game it is.", "[RUN.json]", is_word=True, is_for_pages=False),
    ] = None,
    ramp: Annotated[str | None, RAMP] = None,
    seat: SeatTerms,
    terms: PathTerms,
    asking: Asking,
) -> Sheet[PathsAnswer]:
    """Return the risk of ruin of a bankroll by simulation, beside the formulas.

    A path ends when it is ruined, at the goal or after its time. It is ruined when the bankroll
    does not cover the bets that the count requires before the deal. Bets are never resized. Amounts
    are in the money of the unit, or in units. The game is that of the options, or that of RUN.json
    with its ramp and seed; path K plays the rounds of chunk K of a run with the same seed. The
    formulas get EV and variance from the same rounds.
    """
    from upcard.analysis.ruin_paths import PathsAnswer
    from upcard.simulation.bank_paths import BankPlan, play_paths
    from upcard.simulation.job import Engine, make_job, read_ramp

    time, paths, bank = terms.choose_rounds(), terms.paths, terms.bankroll
    seed = asking.choose_seed(terms.seed)
    if asking.is_patient and bank is None:
        raise FieldClashError("give the starting bankroll, such as {bankroll} 500")
    if not asking.is_patient:
        time, paths = time or _QUICK_ROUNDS, _QUICK_PATHS if paths is None else paths
        asking.refuse_long(time * paths, _MOST_QUICK, "bankroll")
    own = None
    if file is None:
        job = make_job(rules, seed=seed, engine=Engine.KERNEL, **numbers.fields_of(seat))
    else:
        job, own = _read_game(file, seed, seat, is_given=is_given)
    plan = BankPlan(
        job=job,
        ramp=own if ramp is None else read_ramp(ramp, job),
        bankroll=bank or _QUICK_BANK,
        **numbers.fields_of(terms, "unit", "goal"),
        paths=_PATHS if paths is None else paths,
        rounds=_ROUNDS if time is None else time,
    )

    def watch(done: int) -> None:
        asking.watch(f"{done:,} of {plan.paths:,} paths", done / plan.paths)

    return _show(PathsAnswer(paths=play_paths(plan, workers=terms.workers, watch=watch)), terms)


def _read_game(
    path: str, seed: int | None, seat: SeatTerms, *, is_given: bool
) -> tuple[Job, BetRamp | None]:
    from upcard.simulation.job import KERNEL_VERSION
    from upcard.simulation.run_state import load_run_document, naming_file, read_job, read_own_ramp

    words = f"{path} with {{}}: the run says which game is played; leave one of them out"
    if is_given:
        raise FieldClashError(words.replace("{}", "{house} or {rules}"))
    refuse_given(words, **numbers.fields_of(seat))
    document = load_run_document(path)
    # No round of the run is reused, so its version does not matter.
    with naming_file(path):
        job = read_job(document)
        ramp = read_own_ramp(document, job)
    changes = {} if seed is None else {"seed": seed}
    return job.replace(version=__version__, kernel_version=KERNEL_VERSION, **changes), ramp


def _show(found: PathsAnswer, terms: PathTerms) -> Sheet[PathsAnswer]:
    from upcard.answers.bank_report import count_ends, tabulate_paths, tabulate_spreads

    plan, ends = found.paths.plan, count_ends(found)
    most = max(number for _, number in ends)
    by_bank = figure.make_table(
        "Paths by the bank at the end",
        (figure.label("bank"), figure.share("share", digits=1), figure.text("bar", "")),
        ((bank, one / plan.paths, "█" * math.ceil(_BAR * one / most)) for bank, one in ends),
    )

    def draw() -> Plot:
        from upcard.charts.plot_data import read_paths_plot

        return read_paths_plot(found)

    return Sheet(
        title=QUESTIONS["bankroll"].title,
        rules=str(plan.job.rules),
        facts=tuple(_describe(found, plan, terms)),
        tables=(found.table(), tabulate_spreads(found), by_bank),
        notes=tuple(_tell(found)),
        result=found,
        data=(tabulate_paths(found),),
        plot=draw,
    )


def _describe(found: PathsAnswer, plan: BankPlan, terms: PathTerms) -> Iterator[tuple[str, str]]:
    from upcard.answers.run_results import describe_seat

    job, betting = plan.job, found.betting
    yield "Count", "flat bets" if job.system is None else job.system.title
    if job.deviations is not None:
        note = job.deviations.note_game(job.rules)
        yield "Index plays", (job.deviations.name or "of your own") + (f". {note}" if note else "")
    if seat := describe_seat(job):
        yield "Wonging", seat
    ramp = "1 unit in every round" if plan.ramp is None else f"{plan.ramp} (count:units)"
    spots = "" if job.spots == 1 else f" on each of {job.spots} spots"
    yield "Bets", f"{ramp}, a unit of {float(plan.unit):,.10g}{spots}"
    goal = "" if plan.goal is None else f"; the goal is to win {float(plan.goal):,.10g}"
    yield "Bank", f"{float(plan.bankroll):,.10g}{goal}"
    rounds = f"{plan.rounds:,} rounds"
    if terms.hours is not None:
        rounds += f" ({float(terms.hours):,.10g} hours of {float(terms.pace):,.10g})"
    yield "Paths", f"{plan.paths:,} of at most {rounds}, seed {job.seed}"
    ev = numbers.with_error(betting.ev, betting.standard_error)
    average = f"average bet {betting.average_bet.value:,.4g}"
    yield "Rounds dealt", f"{betting.rounds:,}: EV {ev} and SD {betting.sd:,.4g} a round, {average}"
    later = "doubles, splits and insurance are always paid, so that it may end under 0"
    short = "the bank does not cover the bets before the deal that the count asks for"
    yield "Ruined means", f"{short}; {later}"


def _tell(found: PathsAnswer) -> Iterator[tuple[str, str]]:
    low, high = found.ruined.interval
    risk = f"the simulated risk of ruin is between {low:.3%} and {high:.3%}"
    yield "95% interval", risk
    unlimited = (f"{each.text} {each.title}" for each in found.unlimited)
    yield "Without a limit", f"the formulas say {', '.join(unlimited)}"
    yield from (("Note", note) for note in found.notes())
