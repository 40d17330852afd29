"""A league: players in files play the same shoes, and every decision has its exact price."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from random import Random
from typing import Annotated, Final

from upcard._version import __version__
from upcard.analysis.player_chart import chart_of_player
from upcard.answers.league import player_process as processes
from upcard.answers.questions import QUESTIONS, Asking, Sheet
from upcard.answers.shared_fields import CHART, SEED
from upcard.cache.exact import expected_value
from upcard.coach import adviser
from upcard.core import errors, figure, long_work
from upcard.core.actions import Action
from upcard.core.fields import Field, FieldClashError
from upcard.core.number_texts import read_whole
from upcard.exact.solver_results import cost_of
from upcard.players import bots, evaluation
from upcard.players.question import read_question
from upcard.players.seen_cards import require_upcard
from upcard.rules.model import Rules
from upcard.simulation import betting_sessions, job, registry
from upcard.strategy.chart import Strategy, first_legal, load_strategy
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
    version: str = __version__
    json_keys = """
        rules seed rounds ranked_by players=players.to_dicts remarks=told_remarks
        is_complete version
    """

    @property
    def terms(self) -> str:
        """The rounds that everyone plays."""
        return f"{self.rounds:,} rounds each, from the same shoes (seed {self.seed})"

    def table(self) -> figure.AnswerTable:
        """Return the players, the best first."""
        return self.players

    @property
    def told_remarks(self) -> list[dict[str, str]]:
        """The remarks by what they are about, for programs."""
        return [{"about": about, "text": text} for about, text in self.remarks]


def play_league(  # noqa: PLR0913 (each is named in the call)
    folder: str,
    rules: Rules,
    *,
    others: Iterable[tuple[str, str | Strategy]] = (),
    rounds: int,
    seed: int,
    limits: processes.Limits,
    shows_output: bool = False,
    watch: Callable[[float], None] = lambda _: None,
) -> League:
    """Let each `*.py` of a folder play `rounds` rounds, in a process of its own.

    The `others`, players that come with upcard and charts by their names, play in this process;
    the folder may be empty text then.
    `watch` gets the share of all rounds that are played. Ctrl-C ends the league with what was
    played so far.
    """
    files = processes.list_players(folder) if folder else []
    coach = None
    notes = []
    try:
        require_upcard(rules, "league")
        coach = adviser.Coach(rules)
    except errors.RulesError as error:
        notes.append(("note", f"decisions have no price: {error}"))
    # All files are read before the first one runs: it could write to those that play later.
    own = (processes.PlayerProcess(file, limits, shows_output=shows_output) for file in files)
    named = (*((player.name, player) for player in own), *others)
    waiting = [_Play(name, player, rules, coach) for name, player in named]
    count = len(waiting)
    plays: list[_Play] = []
    with suppress(KeyboardInterrupt):
        while waiting:
            play = waiting[0]
            plays.append(play)
            try:
                for played in play.play(rounds, seed):
                    watch((len(plays) - 1 + played / rounds) / count)
                del waiting[0]
            finally:
                play.close()
    if waiting:
        names = ", ".join(play.name for play in waiting)
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
        self,
        name: str,
        player: processes.PlayerProcess | str | Strategy,
        rules: Rules,
        coach: adviser.Coach | None,
    ) -> None:
        """Take a player in a process, one that comes with upcard by its name, or a chart."""
        self.name = name
        self._player = player
        self._decider: bots.Decider | None = None
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
        from upcard.simulation import table_engine  # it loads Numba, without which there is help

        its_job = job.Job(rules=self._rules, strategy=None, seed=seed, engine=job.Engine.TABLE)
        try:
            if isinstance(self._player, processes.PlayerProcess):
                self._player.load()
            for number in range(rounds):
                chunk, is_later = divmod(number, job.TABLE_CHUNK)
                long_work.check()
                if not is_later:
                    self._seat(table_engine.make_generator(seed, chunk, "player"))
                    game = table_engine.TableGame(its_job, chunk, self)
                self._regret, self._has_fault = 0.0, False
                net = float(game.play().net)
                self.nets.append(_FORFEIT if self._has_fault else net)
                self._regrets.append(self._regret)
                yield number + 1
            if not self.faults:
                self._seat(table_engine.make_generator(seed, 0, "player"))
                self._ask_chart()
        except errors.BlackjackError as error:
            self._note(str(error), len(self.nets) + 1 if self.nets else 0)

    def _seat(self, rng: Random) -> None:
        """Seat a new player, who has these random numbers."""
        player = self._player
        if isinstance(player, processes.PlayerProcess):
            player.seat(rng)
            self._decider = player
        elif isinstance(player, Strategy):
            self._decider = bots.ChartPlayer(player)
        else:
            self._decider = registry.make_player(player, self._rules, rng)

    def close(self) -> None:
        """End the process of the player, if there is one."""
        if isinstance(self._player, processes.PlayerProcess):
            self._player.close()

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Let the player decide, and price the answer; after a fault decline everything."""
        answer = None
        if not self._has_fault and self._decider is not None:
            ev = self._price(view, legal)
            try:
                answer = self._decider.decide(view, legal)
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
        player, taken = self._player, None
        regrets = [100 * lost for lost in self._regrets if self._coach]
        if isinstance(player, processes.PlayerProcess) and player.answers:
            taken = 1000 * player.seconds / player.answers
        lost = sum(len(places) for _, places in self.faults.values() if places[0])
        played = (*_mean(regrets), *_mean(self.nets), taken, len(self.nets), lost)
        return _clean(self.name), self._chart_ev, *played

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
            yield _clean(self.name), _clean(text)

    def _ask_chart(self) -> None:
        if self._decider is None:
            return
        try:
            chart = chart_of_player(self._decider, self._rules)
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
    from upcard.answers import notebook

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


_ROUNDS: Final = 2000
_QUICK_ROUNDS: Final = 500
"""Rounds of each where an answer is awaited in seconds."""
_SEEDS: Final = 2**32
_INCLUDED: Final = ("basic", "lott", "lott-simple", "mimic", "never-bust")


def _whole(about: str, metavar: str, least: int, most: int, usual: float) -> Field:
    words = "the number"
    read = partial(read_whole, what=words, least=least, most=most, example=f"{usual:g}")
    return Field(read, about, metavar, is_for_pages=False)


def _read_player(text: str) -> str:
    """Return the name of a player that comes with upcard and does not follow the cards."""
    if registry.read_included(text).lower().partition(":")[0] in ("counter", "perfect"):
        raise errors.RulesError(
            f"player {errors.quote(text)} follows the cards of a shoe, but a league prices"
            " decisions in a fresh one: upcard simulate has what it wins"
        )
    return text


_FOLDER: Final = Field(str, "Folder of players.", "FOLDER", is_word=True, is_for_pages=False)
_PLAYER: Final = Field(
    _read_player,
    f"Rank a player of upcard too; a page runs no file, and has {', '.join(_INCLUDED)}.",
    "NAME",
    many=";",
)
_CHART: Final = replace(
    CHART, help="Rank a chart too, a file as printed; pasted on a page.", many=";"
)
_LIMIT: Final = processes.Limits()
_SECONDS: Final = _whole(
    f"Seconds for an answer or for loading (default: {_LIMIT.seconds:g}); 60 times as much for all"
    " answers.",
    "S",
    1,
    3600,
    _LIMIT.seconds,
)
_MEMORY: Final = _whole(
    f"Memory of a player, where the system limits it (default: {_LIMIT.memory}).",
    "MB",
    128,
    2**20,
    _LIMIT.memory,
)
_SHOWS: Final = Field(bool, "Show on standard error what players print.", is_for_pages=False)


def answer(  # noqa: PLR0913 (one parameter a field)
    rules: Rules,
    *,
    folder: Annotated[str, _FOLDER] = "",
    player: Annotated[tuple[str, ...], _PLAYER] = (),
    strategy: Annotated[tuple[Strategy | str, ...], _CHART] = (),
    rounds: Annotated[
        int | None, _whole(f"Rounds per player (default: {_ROUNDS}).", "N", 1, 10**6, _ROUNDS)
    ] = None,
    seed: Annotated[int | None, SEED] = None,
    time_limit: Annotated[float, _SECONDS] = _LIMIT.seconds,
    memory_limit: Annotated[int, _MEMORY] = _LIMIT.memory,
    show_output: Annotated[bool, _SHOWS] = False,
    asking: Asking,
) -> Sheet[League]:
    """Rank the players in the *.py files of FOLDER by what their decisions lose.

    Each file of FOLDER, *.py, is a player in a process of its own. All play the same shoes; one
    that fails loses its rounds and disturbs no other. All code in the files runs, with your rights.
    """
    is_page = not asking.is_patient
    others: list[tuple[str, str | Strategy]] = [(name, _read_player(name)) for name in player]
    if is_page and not player:
        others = [(name, name) for name in _INCLUDED]
    for chart in strategy:
        name = chart if isinstance(chart, str) else "your chart"
        others.append((name, load_strategy(chart)))
    if not folder and not others:
        raise FieldClashError("name a FOLDER of players, or give {player} or {strategy}")
    if folder:
        processes.hide_option("--seed")
    if (seed := asking.choose_seed(seed)) is None:
        seed = secrets.randbelow(_SEEDS)

    def watch(share: float) -> None:
        if not show_output:  # it goes to the same screen
            asking.watch("Players", share)

    league = play_league(
        folder,
        rules,
        others=others,
        rounds=rounds or (_QUICK_ROUNDS if is_page else _ROUNDS),
        seed=seed,
        limits=processes.Limits(seconds=time_limit, memory=memory_limit),
        shows_output=show_output,
        watch=watch,
    )
    return _show(league, is_page=is_page)


def _show(league: League, *, is_page: bool) -> Sheet[League]:
    no_file = "A page runs no file of a player: upcard league FOLDER ranks those."
    again = f"the same command with --seed {league.seed} plays it from the start"
    return Sheet(
        title=QUESTIONS["league"].title,
        rules=str(league.rules),
        facts=(
            *(("League", league.terms), ("Ranked by", league.ranked_by)),
            *((figure.shorten(about), text) for about, text in (*league.remarks, *LEGEND.items())),
        ),
        tables=(league.players,),
        sentences=(no_file,) * is_page,
        result=league,
        card=lambda: draw_page(league),
        shows_all=True,
        interrupted="" if league.is_complete else again,
    )
