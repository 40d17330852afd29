"""Sessions with a stake as a question: how long they last by a betting system, and what is left."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, Final

from upcard._version import __version__
from upcard.answers.questions import QUESTIONS, Asking, Sheet
from upcard.answers.shared_fields import SEED, read_included
from upcard.core import figure, long_work
from upcard.core.fields import Field
from upcard.core.number_texts import read_chips, read_whole
from upcard.core.numbers import fields_of, write_chips
from upcard.players.betting_systems import betting_names
from upcard.rules.model import Rules

if TYPE_CHECKING:
    from upcard.charts.plots import Plot
    from upcard.simulation.betting_sessions import BettingSession, SessionPlan, SessionsSummary

# What plays is imported when it is asked for: it loads NumPy.
_SESSIONS: Final = 50
_ROUNDS: Final = 250
"""Both are those of `simulation.betting_sessions`."""
_MOST_QUICK: Final = 100_000
"""Rounds in all where an answer is awaited in seconds."""
_LONG: Final = 20_000
"""Rounds from which the progress is shown: about a second of work."""
_FIGURES: Final = (
    figure.number("rounds"),
    *(*map(figure.amount, ("peak", "final", "net")), figure.number("is_ruined")),
    *(figure.amount("largest_bet"), figure.number("losing_streak")),
    *map(figure.amount, ("initial_bets", "total_action")),
)
_ABOUT: Final = (
    ("Peak", "the most chips after a round"),
    ("Ruined", "ended early, because the chips did not cover the next bet"),
    ("EV", "won or lost per chip bet before the deal; ± is one standard error"),
)


@dataclass(frozen=True, kw_only=True)
class SessionSeries:
    """The sessions by one betting system."""

    plan: SessionPlan
    sessions: list[BettingSession]
    """Results of each, in their order."""
    json_keys = "betting=plan.betting summary sessions"

    @cached_property
    def summary(self) -> SessionsSummary:
        """The results of all together."""
        from upcard.simulation.betting_sessions import summarize_sessions

        return summarize_sessions(self.sessions)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionsAnswer:
    """Sessions with a stake, by each betting system on the same shoes; amounts are in chips."""

    plan: SessionPlan
    """That of the first betting system."""
    sessions_asked: int
    """Number of sessions to play."""
    series: list[SessionSeries]
    """The sessions, a series for each betting system."""
    version: str = __version__
    json_keys = """
        rules=plan.rules player=plan.player seed=plan.seed version rounds=plan.rounds sessions
        sessions_asked stake=plan.stake unit=plan.unit limit=plan.limit series
    """

    @property
    def sessions(self) -> int:
        """Number of sessions that were played whole."""
        return len(self.series[0].sessions)


def _load_player(text: str) -> str:
    from upcard.simulation.registry import load_player

    return load_player(text)


def _list_players() -> dict[str, str]:
    from upcard.simulation.registry import player_names

    return player_names()


def _ask_number(what: str, help: str, most: int | None = None) -> Field:  # noqa: A002 (a field's name)
    """Return a field with a number from 1; on a page it is at most `most`."""
    read, paste = (partial(read_whole, what=what, least=1, most=one) for one in (None, most))
    return Field(read, help, "N", paste=paste)


def _ask_chips(help: str) -> Field:  # noqa: A002 (the field's own name)
    return Field(partial(read_chips, what="the amount"), help, "N")


PLAYER: Final = Field(
    _load_player,
    "Player (default: basic).",
    "NAME",
    no_choice="basic",
    suggestions=("mimic", "never-bust", "lott", "lott-simple", "perfect"),
    paste=read_included,
    listed=("Players", _list_players),
)
BETTING: Final = Field(
    str,
    "Betting system (default: flat); several are compared on the same shoes.",
    "NAME",
    no_choice="flat",
    suggestions=(*betting_names(), "flat; martingale; 1-3-2-6"),
    many=";",
    listed=("Betting systems", betting_names),
)
LENGTH: Final = _ask_number("rounds", f"Most rounds of a session (default: {_ROUNDS}).")
NUMBER: Final = _ask_number(
    "sessions", f"Number of sessions (default: {_SESSIONS}).", _MOST_QUICK // _ROUNDS
)
UNIT: Final = _ask_chips("Chips per unit (default: 1).")
LIMIT: Final = _ask_chips("Largest bet on a hand.")


def answer(  # noqa: PLR0913 (one parameter a field)
    rules: Rules,
    *,
    player: Annotated[str, PLAYER] = "basic",
    betting: Annotated[tuple[str, ...], BETTING] = (),
    sessions: Annotated[int, NUMBER] = _SESSIONS,
    rounds: Annotated[int, LENGTH] = _ROUNDS,
    stake: Annotated[Fraction | None, _ask_chips("Chips per session (default: 100 units).")] = None,
    unit: Annotated[Fraction, UNIT] = Fraction(1),
    limit: Annotated[Fraction | None, LIMIT] = None,
    seed: Annotated[int | None, SEED] = None,
    asking: Asking,
) -> Sheet[SessionsAnswer]:
    """Return sessions with a stake in figures, by each betting system on the same shoes.

    It shows how long they last, how high they get, and what is left. A session ends after its
    rounds, or is ruined when the chips do not cover the next bet. Session K has the same shoes with
    every betting system. Amounts are in chips.
    """
    from upcard.simulation.betting_sessions import STAKE, SessionPlan
    from upcard.simulation.job import draw_seed

    systems = betting or ("flat",)
    total = rounds * sessions * len(systems)
    asking.refuse_long(total, _MOST_QUICK, "sessions")
    if (seed := asking.choose_seed(seed)) is None:
        seed = draw_seed()
    stake = STAKE * unit if stake is None else stake
    make = partial(SessionPlan, rules=rules, player=player, rounds=rounds, unit=unit, limit=limit)
    plans = [make(betting=name, stake=stake, seed=seed) for name in systems]
    return _show(_play(plans, sessions, asking, is_long=total >= _LONG), sessions)


def _play(
    plans: list[SessionPlan], sessions: int, asking: Asking, *, is_long: bool
) -> list[SessionSeries]:
    """Play session 1 with every betting system, then session 2; Ctrl-C keeps those of all."""
    from upcard.simulation.betting_sessions import play_sessions

    playing = [play_sessions(plan, sessions=sessions) for plan in plans]
    series = [SessionSeries(plan=plan, sessions=[]) for plan in plans]
    try:
        for done, step in enumerate(zip(*playing, strict=True), start=1):
            long_work.check()
            for one, session in zip(series, step, strict=True):
                one.sessions.append(session)
            if is_long:
                asking.watch(f"{done:,} of {sessions:,} sessions", done / sessions)
    except KeyboardInterrupt:
        if not series[-1].sessions:
            raise
    return series


def _show(series: list[SessionSeries], asked: int) -> Sheet[SessionsAnswer]:
    from upcard.simulation.betting_sessions import tabulate_sessions

    plan = series[0].plan
    found = SessionsAnswer(plan=plan, sessions_asked=asked, series=series)
    limit = "no limit" if plan.limit is None else f"a limit of {write_chips(plan.limit)}"
    done = f"{asked}" if found.sessions == asked else f"{found.sessions} of {asked}"
    stake = f"{write_chips(plan.stake)} chips; a unit of {write_chips(plan.unit)}, {limit}"
    columns = (figure.text("betting"), figure.number("session"), *_FIGURES)
    names = ("number", *(column.name for column in _FIGURES))
    rows = [
        (of.plan.betting, *fields_of(one, *names).values()) for of in series for one in of.sessions
    ]

    def draw() -> Plot:
        from upcard.charts.plot_data import read_bankroll_plot

        return read_bankroll_plot([(one.plan, one.sessions) for one in series])

    return Sheet(
        title=QUESTIONS["sessions"].title,
        rules=str(plan.rules),
        facts=(
            ("Sessions", f"{done}, of at most {plan.rounds} rounds"),
            *(("Stake", stake), ("Player", plan.player), ("Seed", str(plan.seed))),
        ),
        tables=tabulate_sessions(
            [(figure.shorten(one.plan.betting), one.summary) for one in series]
        ),
        notes=_ABOUT,
        result=found,
        data=(figure.make_table("Every session", columns, rows),),
        plot=draw,
        interrupted="" if found.sessions == asked else "these are the sessions that are whole",
    )
