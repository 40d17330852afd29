"""Fields that several questions ask for: a shoe, a chart, a count, a seed; the form of a run.

Their readers load what they need when they read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final

from upcard.core.errors import NotationError, RulesError, quote
from upcard.core.fields import Field, FieldClashError, FormTerms, choice
from upcard.core.number_texts import read_error, read_rounds, read_whole, whole_of
from upcard.core.numbers import read_seed
from upcard.core.user_files import read_typed

if TYPE_CHECKING:
    from upcard.rules.model import Rules
    from upcard.simulation.job import Engine
    from upcard.simulation.run_state import Goal, Run
    from upcard.strategy.chart import Strategy
    from upcard.strategy.count_system import CountSystem

MOST_ROUNDS: Final = 10**10
"""A run of the lab ends within a day; longer ones are for the command line."""


def read_included(text: str) -> str:
    """Return the text of a player that comes with upcard: a page runs no file."""
    from upcard.simulation.registry import read_included as read

    return read(text)


def list_included() -> tuple[tuple[str, str], ...]:
    """Return the players with one way to play, but for the best chart, with a line about each."""
    from upcard.simulation.registry import player_names

    return tuple(
        (name, about)
        for name, about in player_names().items()
        if name not in ("basic", "counter") and ":" not in name
    )


def read_few_rounds(text: str) -> int:
    """Read a number of rounds unless it is too large for the lab."""
    if (rounds := read_rounds(text)) > MOST_ROUNDS:
        raise NotationError(f"at most {MOST_ROUNDS:,} rounds here; `upcard simulate` plays more")
    return rounds


def ask_text(help: str, metavar: str, what: str, example: str, **more: Any) -> Field:  # noqa: A002 (a field's name)
    """Return a field with a text or, for a command, a file; on a page `example` is typed."""
    return Field(str, help, metavar, paste=partial(read_typed, what=what, example=example), **more)


def _parse_chart(text: str) -> Strategy:
    from upcard.strategy.chart import Strategy

    return Strategy.parse(text)


def _load_count(name: str) -> CountSystem:
    from upcard.strategy.count_system import load_system

    return load_system(name)


def load_shipped(name: str) -> CountSystem:
    """Return a count that comes with upcard: a page reads no file of the server."""
    from upcard.strategy.count_system import system_names

    if name.strip().lower() not in (names := system_names()):
        raise RulesError(f"{quote(name)} is not one of the counts: {', '.join(names)}")
    return _load_count(name)


def read_set(text: str, what: str = "a set of index plays") -> str:
    """Return index plays by the name of a set: a page reads no file of the server."""
    from upcard.strategy.deviations import deviation_names

    known = deviation_names()
    if not {one.strip().lower() for one in text.split("+")} <= {*known}:
        raise RulesError(f"{quote(text)}: {what}: {', '.join(known)}")
    return text


CHART: Final = Field(
    str,
    "Strategy chart, a file in the format that upcard prints; on a page pasted.",
    "FILE",
    paste=_parse_chart,
)
COUNT: Final = Field(
    _load_count, "Count cards: hi-lo, ko ... (upcard counts).", "NAME|FILE", paste=load_shipped
)
RUN_ROUNDS: Final = Field(
    read_rounds, "Rounds of each game (default: 40M).", "N", is_for_pages=False
)
HI_LO: Final = replace(COUNT, help="Counting system (default: hi-lo).")
SEED: Final = Field(
    lambda text: read_seed(text if (seed := whole_of(text)) is None else seed),
    "Seed of the random numbers (default: a random one; on a page 1).",
    "N",
)
WORKERS: Final = Field(
    lambda text: read_whole(text, "the number of workers", least=1),
    "Number of workers (default: all cores).",
    "N",
    is_for_pages=False,
)
RAMP: Final = ask_text(
    "Bets by the count: 1-8, 1,1,2,4,8 or a file.", "TEXT", "ramp", "its pairs, such as 1:1 2:4"
)
_PLAYS: Final = "Index plays: i18, i18+fab4 or a file."
INDICES: Final = ask_text(
    _PLAYS, "NAME|FILE", "index plays", "a set, such as i18", title="Index plays"
)
SPOTS: Final = Field(
    partial(read_whole, what="bet positions", least=1, most=7),
    "Bet positions (default: 1; 2 in Switch).",
    "N",
)
ROUNDING: Final = choice(
    ("floor", "truncate", "round"), "Rounding of the true count (default: that of the system)."
)
DECKS_LEFT: Final = choice(
    ("exact", "half", "whole"), "Precision of the estimate of the decks left."
)
BETS: Final = choice(
    ("perfect",), "Count the value of the next round by every card gone.", is_for_pages=False
)
ENGINE: Final = choice(
    ("kernel", "table"),
    "Engine (default: the kernel, or the table if it cannot).",
    is_for_pages=False,
)

WITHOUT_LUCK: Final = Field(
    bool, "Take the luck of the cards out of the EV: a hundredth of the rounds."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTerms(FormTerms):
    """How the game of the options is counted and sat at."""

    count: Annotated[Any, COUNT] = None
    indices: Annotated[str | None, INDICES] = None
    spots: Annotated[int | None, SPOTS] = None
    enter: Annotated[int | None, Field(read_whole, "Sit down at this count or more.", "N")] = None
    leave: Annotated[int | None, Field(read_whole, "Leave below this count.", "N")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTerms(SeatTerms):
    """A run: how it is played, counted and bet, and when it ends; None is the default."""

    rounding: Annotated[str | None, ROUNDING] = None
    decks_left: Annotated[str | None, DECKS_LEFT] = None
    ramp: Annotated[str | None, RAMP] = None
    seed: Annotated[
        int | None, replace(SEED, help="Seed of the random numbers (default: a random one).")
    ] = None
    rounds: Annotated[
        int | None, Field(read_rounds, "Rounds: 1000000, 1e8, 100M.", "N", paste=read_few_rounds)
    ] = None
    until: Annotated[
        float | None, Field(read_error, "Stop at this standard error of the EV: 0.01%.", "P")
    ] = None
    strategy: Annotated[
        Any, Field(str, "Strategy chart (default: the optimal chart).", "FILE", is_for_pages=False)
    ] = None
    player: Annotated[
        str | None,
        Field(
            str,
            "Player such as mimic or ann.py:Ann, at the table.",
            "NAME",
            paste=read_included,
            is_for_pages=False,
        ),
    ] = None
    bets: Annotated[str | None, BETS] = None
    engine: Annotated[str | None, ENGINE] = None
    without_luck: Annotated[bool, WITHOUT_LUCK] = False

    def make_run(self, rules: Rules, there: Run | None = None, *, extend: int | None = None) -> Run:
        """Make the run; what is not given is that of the run `there`, or the default.

        Raises: RulesError, NotationError; FieldClashError for fields that need another.
        """
        from upcard.simulation import job as jobs
        from upcard.simulation.registry import load_player
        from upcard.simulation.run_state import Run

        job = None if there is None else there.job

        def choose(name: str) -> Any:  # noqa: ANN401 (the type of the field)
            given = getattr(self, name)
            return getattr(job, name, None) if given is None else given

        player = None if self.player is None else load_player(self.player)
        strategy = self.strategy
        if strategy is None and job is not None and player is None:
            player, strategy = job.player, job.strategy
        names = ("seed", "spots", "enter", "leave", "bets", "engine")
        calm = self.without_luck or (job is not None and job.without_luck)
        made = jobs.make_job(
            rules,
            strategy,
            count=self._choose_system(None if job is None or job.bets else job.system),
            indices=job.deviations if job is not None and self.indices is None else self.indices,
            player=player,
            without_luck=calm,
            **{name: choose(name) for name in names},
        )
        ramp = there.own_ramp if there is not None and self.ramp is None else self.ramp
        goal = self._choose_goal(there, made.engine, extend)
        return Run(made, goal, jobs.read_ramp(ramp, made))

    def _choose_system(self, there: CountSystem | None) -> CountSystem | None:
        texts = {"rounding": self.rounding, "decks_left": self.decks_left}
        given: dict[str, Any] = {name: text for name, text in texts.items() if text is not None}
        system = there if self.count is None else self.count
        if system is None and given:
            msg = "says how a count is read: give {count} too, such as {count} hi-lo"
            raise FieldClashError(f"{{{next(iter(given))}}} {msg}")
        return system and system.replace(**given)

    def _choose_goal(self, there: Run | None, engine: Engine, extend: int | None) -> Goal:
        from upcard.simulation.run import DEFAULT_ROUNDS, extend_goal
        from upcard.simulation.run_state import Goal

        if self.rounds is not None:
            return Goal(rounds=self.rounds, until=self.until)
        if there is not None:
            return extend_goal(there, extend=extend, until=self.until)
        if self.until is not None:
            return Goal(until=self.until)
        return Goal(rounds=DEFAULT_ROUNDS[engine])
