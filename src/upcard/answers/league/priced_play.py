"""A league: players in files play the same shoes, and every decision has its exact price."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from upcard._version import __version__
from upcard.analysis.player_chart import chart_of_player
from upcard.answers import notebook
from upcard.answers.league import player_process as processes
from upcard.cache.exact import expected_value
from upcard.coach import adviser
from upcard.core import errors, figure, numbers
from upcard.core.actions import Action
from upcard.exact.solver_results import cost_of
from upcard.players import evaluation
from upcard.players.question import read_question
from upcard.players.shoe_tracker import require_upcard
from upcard.rules.model import Rules
from upcard.simulation import betting_sessions, job, table_engine
from upcard.strategy.chart import first_legal
from upcard.table.state import TableView

_FORFEIT: Final = -1.0
"""Result of a round in which the player had a fault, in bets."""
_DECLINE: Final = (
    *(Action.STAND, Action.NO_INSURANCE, Action.NO_EVEN_MONEY),
    *(Action.NO_SURRENDER, Action.NO_SPLIT),
    Action.HIT,  # a house may not let a low total stand
)
_COLUMNS: Final = (
    figure.text("player"),
    figure.percent("chart_ev", "exact EV", digits=3, unit=""),
    figure.real("regret_per_100", "regret", digits=2),
    figure.real("regret_error", "±", digits=2),
    figure.percent("ev", "EV", digits=1, unit=""),
    figure.share("standard_error", "±", digits=1),
    figure.real("milliseconds", "ms", digits=1),
    *(figure.number("rounds"), figure.number("lost_rounds", "lost")),
)
LEGEND: Final = {
    "exact EV": "the EV of a player that follows a chart, without luck",
    "regret": "bets that the decisions of 100 rounds lose against the best ones: exact for a fresh"
    " shoe less the spot's cards and the upcard, with splits CDZ-",
    "EV": "what was won or lost per bet; a fault loses the bet of its round",
    "±": "one standard error",
    "ms": "milliseconds per decision",
    "lost": "rounds with a fault",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class League(figure.Displayed):
    """The players of a folder, the best first."""

    rules: Rules
    seed: int
    rounds: int
    """Rounds that each should play."""
    ranked_by: str
    """Measure by which the players are ordered."""
    players: figure.AnswerTable
    remarks: tuple[tuple[str, str], ...]
    """Faults, and why numbers are missing: a player, or a word, and a text."""
    is_complete: bool
    """Whether all played to the end."""

    @property
    def terms(self) -> str:
        """The rounds that everyone plays."""
        return f"{self.rounds:,} rounds each, from the same shoes (seed {self.seed})"

    def table(self) -> figure.AnswerTable:
        """Return the players, the best first."""
        return self.players

    def to_json(self) -> dict[str, Any]:
        """Return all of it for JSON, a player as an object."""
        document = numbers.fields_of(self) | {"rules": str(self.rules), "version": __version__}
        document["players"] = self.players.to_dicts()
        document["remarks"] = [{"about": about, "text": text} for about, text in self.remarks]
        found: dict[str, Any] = numbers.to_json(document)
        return found


def play_league(  # noqa: PLR0913 (each is named in the call)
    folder: str,
    rules: Rules,
    *,
    rounds: int,
    seed: int,
    limits: processes.Limits,
    shows_output: bool = False,
    watch: Callable[[float], None] = lambda _: None,
) -> League:
    """Let each `*.py` of a folder play `rounds` rounds, in a process of its own.

    `watch` gets the share of all rounds that are played. Ctrl-C ends the league with what was
    played so far.
    """
    files = processes.list_players(folder)
    coach = None
    notes = []
    try:
        require_upcard(rules, "league")
        coach = adviser.Coach(rules)
    except errors.RulesError as error:
        notes.append(("note", f"decisions have no price: {error}"))
    # All files are read before the first one runs: it could write to those that play later.
    waiting = [
        _Play(processes.PlayerProcess(file, limits, shows_output=shows_output), rules, coach)
        for file in files
    ]
    plays: list[_Play] = []
    with suppress(KeyboardInterrupt):
        while waiting:
            play = waiting[0]
            plays.append(play)
            try:
                for played in play.play(rounds, seed):
                    watch((len(plays) - 1 + played / rounds) / len(files))
                del waiting[0]
            finally:
                play.process.close()
    if waiting:
        names = ", ".join(play.process.name for play in waiting)
        notes.append(("interrupted", f"not played to the end: {names}"))
    ranked_by = _rank(plays, rules)
    return League(
        rules=rules,
        seed=seed,
        rounds=rounds,
        ranked_by=ranked_by,
        players=figure.AnswerTable(
            title=f"Players by {ranked_by}",
            columns=_COLUMNS,
            rows=tuple(play.to_row() for play in plays),
        ),
        remarks=(*(remark for play in plays for remark in play.remark()), *notes),
        is_complete=not waiting,
    )


def _rank(plays: list[_Play], rules: Rules) -> str:
    """Sort players, the best first, and return by what: by an exact value where there is one.

    Among players with one, the others have that of best play less their regret, which has less of
    luck in it than what they won.
    """
    is_exact = [play.exact_ev is not None for play in plays if play.ev is not None]
    has_regret = any(play.regret is not None for play in plays)
    best: float | None = 0.0
    words = others = "regret" if has_regret else "EV"
    if any(is_exact):
        words = "exact EV"
        best, others = None, "EV"
        if has_regret and not all(is_exact):
            with suppress(errors.BlackjackError):
                best, others = expected_value(rules), "EV of best play less regret"
    if any(is_exact) and not all(is_exact):
        words += f", or where there is none, {others}"

    def value(play: _Play) -> tuple[bool, float]:
        found = play.exact_ev
        if found is None:
            regret = play.regret
            found = play.ev if best is None or regret is None else best - regret
        return play.ev is None, -(found or 0.0)

    plays.sort(key=value)
    return words


class _Play:
    """A player at the table, with the price of each answer."""

    def __init__(
        self, process: processes.PlayerProcess, rules: Rules, coach: adviser.Coach | None
    ) -> None:
        self.process = process
        self.faults: dict[str, tuple[str, list[int]]] = {}
        """Reason and rounds of the faults of a kind: those of one line and one error."""
        self.nets: list[float] = []
        self._regrets: list[float] = []
        self._rules = rules
        self._coach = coach
        self._regret = 0.0
        self._has_fault = False
        self._unpriced = 0
        self._chart_ev: float | None = None
        self._no_chart = ""

    def play(self, rounds: int, seed: int) -> Iterator[int]:
        """Play the rounds, yield their number, and ask for the chart."""
        its_job = job.Job(rules=self._rules, strategy=None, seed=seed, engine=job.Engine.TABLE)
        try:
            self.process.load()
            for number in range(rounds):
                chunk, is_later = divmod(number, job.TABLE_CHUNK)
                if not is_later:
                    self.process.seat(table_engine.make_generator(seed, chunk, "player"))
                    game = table_engine.TableGame(its_job, chunk, self)
                self._regret, self._has_fault = 0.0, False
                net = float(game.play().net)
                self.nets.append(_FORFEIT if self._has_fault else net)
                self._regrets.append(self._regret)
                yield number + 1
            if not self.faults:
                self.process.seat(table_engine.make_generator(seed, 0, "player"))
                self._ask_chart()
        except errors.BlackjackError as error:
            self._note(str(error), len(self.nets) + 1 if self.nets else 0)

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Let the player decide, and price the answer; after a fault decline everything."""
        answer = None
        if not self._has_fault:
            ev = self._price(view, legal)
            try:
                answer = self.process.decide(view, legal)
            except processes.PlayerFaultError as fault:
                self._has_fault = True
                self._note(str(fault), len(self.nets) + 1)
            own = _FORFEIT if answer is None else ev.get(answer)
            if own is None or not ev:
                self._unpriced += 1
            else:
                self._regret += cost_of(max(ev.values()), own)
        return answer or first_legal(_DECLINE, legal) or legal[-1]

    @property
    def exact_ev(self) -> float | None:
        """The exact EV of the player's chart; None if it follows none."""
        return self._chart_ev

    @property
    def ev(self) -> float | None:
        """The mean of what was won; None before the first round."""
        return _mean(self.nets)[0]

    @property
    def regret(self) -> float | None:
        """The mean of what the decisions of a round lose; None where they have no price."""
        return _mean(self._regrets)[0] if self._coach else None

    def to_row(self) -> tuple[figure.Value, ...]:
        """Return the values of the columns."""
        process = self.process
        regrets = [100 * lost for lost in self._regrets if self._coach]
        taken = 1000 * process.seconds / process.answers if process.answers else None
        lost = sum(len(places) for _, places in self.faults.values() if places[0])
        played = (*_mean(regrets), *_mean(self.nets), taken, len(self.nets), lost)
        return _clean(process.name), self._chart_ev, *played

    def remark(self) -> Iterator[tuple[str, str]]:
        """Yield the faults, and why numbers are missing."""
        texts = []
        for reason, (first, *others) in self.faults.values():
            more = f" and {len(others):,} more" if others else ""
            when = f"round {first:,}{more}" if first else "not played"
            texts.append(f"{reason} ({when})")
        if self._no_chart:
            texts.append(f"no exact EV: {self._no_chart}")
        if self._unpriced and self._coach:
            texts.append(f"{self._unpriced:,} decisions have no exact price")
        for text in texts:
            yield _clean(self.process.name), _clean(text)

    def _ask_chart(self) -> None:
        try:
            chart = chart_of_player(self.process, self._rules)
            self._chart_ev = expected_value(self._rules, strategy=chart)
        except errors.BlackjackError as error:
            self._no_chart = str(error)

    def _price(self, view: TableView, legal: tuple[Action, ...]) -> dict[Action, float]:
        """Return the values of the legal answers that have one."""
        if self._coach is None:
            return {}
        try:
            found = evaluation.value_answers(
                read_question(view, legal), self._coach.compose(view), splits=self._coach.splits
            )
        except errors.BlackjackError:  # a hidden upcard, or a hand without a value
            return {}
        return found.ev

    def _note(self, reason: str, number: int) -> None:
        kind = re.match(r"line \d+: \w+", reason)
        self.faults.setdefault(kind[0] if kind else reason, (reason, []))[1].append(number)


def _clean(text: str) -> str:
    """Return what a player wrote without characters that no file or terminal takes."""
    return "".join(each if each.isprintable() else "?" for each in text)


def _mean(results: list[float]) -> tuple[float | None, float | None]:
    """Return the mean of some rounds and its standard error, as far as they are known."""
    if not results:
        return None, None
    found = betting_sessions.describe_sample(results)
    return found.mean, found.standard_error


def draw_page(league: League) -> str:
    """Draw a league as a page of HTML that needs no other file."""
    notes = (
        *((who, text) for who, text in league.remarks),
        *((f"{name}:", text) for name, text in LEGEND.items()),
    )
    return notebook.write_page(
        f"League: {league.rules}",
        (
            f"<p>{escape(league.terms)}</p>",
            notebook.write_html(league.players, most=None),
            *(f"<p><b>{escape(who)}</b> {escape(text)}</p>" for who, text in notes),
        ),
    )
