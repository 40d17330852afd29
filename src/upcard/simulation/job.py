"""`Job`: all that determines the integers of a run; the rules that the simulator supports.

`take` and `take_whole` read the values of a file. They raise ValueError, which the readers of jobs,
goals and tallies convert.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from fractions import Fraction
from types import NoneType
from typing import Any, Final, Self

from upcard._version import __version__
from upcard.core.actions import Action
from upcard.core.errors import BlackjackError, RulesError, UnsupportedRuleError
from upcard.core.numbers import as_whole, read_seed
from upcard.core.user_files import looks_like_file
from upcard.rules import notation, settings
from upcard.rules.model import Rules
from upcard.rules.predicates import say_spots
from upcard.rules.settings import (
    EngineName,
)
from upcard.strategy.chart import Strategy, load_strategy
from upcard.strategy.count_system import CountBy, CountSystem, load_system, read_system
from upcard.strategy.deviations import Deviations, load_deviations
from upcard.strategy.ramp import MOST_COUNT, BetRamp, parse_ramp


class RunError(BlackjackError):
    """A run that cannot be read, saved, or continued."""


class VersionsDifferError(RunError):
    """Rounds of different versions would be mixed."""


class WorkerLostError(RunError):
    """A worker was lost before it had handed over its chunk: another may play it."""


KERNEL_VERSION: Final = 1
"""Increases whenever the same seed would give other integers."""
KERNEL_CHUNK: Final = 1_000_000
TABLE_CHUNK: Final = 5_000
MOST_CHUNK: Final = 10**9
_MOST_DRAWN_SEED: Final = 2**53 - 1
"""Largest whole number that every JSON reader represents exactly."""


# Types of the values of a job in JSON.
_JSON_TYPES: Final[dict[str, tuple[type, ...]]] = {
    **dict.fromkeys(("rules", "house", "engine", "version"), (str,)),
    **dict.fromkeys(("strategy", "system", "deviations", "player", "bets"), (str, NoneType)),
    **dict.fromkeys(("seed", "spots", "chunk_rounds", "kernel_version"), (int,)),
    **dict.fromkeys(("enter", "leave"), (int, NoneType)),
    "without_luck": (bool,),
}


class Engine(StrEnum):
    """The engine that plays the rounds."""

    KERNEL = "kernel"
    """The compiled loop."""
    TABLE = "table"
    """The reference table, which supports every rule and player; some thousand times slower."""


PERFECT: Final = "perfect"
"""The player, and the bets, of those who know every card gone."""
VALUES: Final = CountSystem(
    name=PERFECT,
    title="Value of the next round, 0.25% of a bet a count",
    source="every card gone",
    tags=(Fraction(0),) * 11,
    by=CountBy.RUNNING,
    ramp_from=Fraction(0),
    ramp_step=Fraction(2),
)
"""The count of perfect bets. No tag counts: players value the cards left."""
_CHUNKS: Final = {Engine.KERNEL: KERNEL_CHUNK, Engine.TABLE: TABLE_CHUNK}


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A game, its player and its seed; its JSON form holds nothing else."""

    rules: Rules
    strategy: Strategy | None
    """The chart; None if a `player` of the table engine decides."""
    seed: int
    spots: int = 1
    system: CountSystem | None = None
    deviations: Deviations | None = None
    enter: int | None = None
    """Count at which to sit down; None to be always seated."""
    leave: int | None = None
    """Count below which to get up; None to stay seated."""
    engine: Engine = Engine.KERNEL
    player: str | None = None
    bets: str | None = None
    """`perfect` if `system` is `VALUES`: the count is the value of the next round."""
    without_luck: bool = False
    """Whether the luck of the cards is taken out of the EV: see `simulation.kernels.luck`."""
    chunk_rounds: int = KERNEL_CHUNK
    kernel_version: int = KERNEL_VERSION
    version: str = __version__

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", read_seed(self.seed))
        if not 1 <= self.chunk_rounds <= MOST_CHUNK:
            msg = f"chunks of {self.chunk_rounds} rounds: a chunk has 1 to {MOST_CHUNK:,}"
            raise RulesError(msg)
        least, most = self.rules.min_spots, self.rules.max_spots
        if not least <= (as_whole(self.spots) or 0) <= most:
            raise RulesError(f"{self.spots!r} spots: these rules take {say_spots(self.rules)}")
        if self.system is not None and not self.rules.is_infinite:
            self.system.require_deck(self.rules)
        if self.system is None:
            for name in ("enter", "leave", "deviations"):
                if getattr(self, name) is not None:
                    raise RulesError(f"{name} needs a count to go by, such as count hi-lo")
        if self.deviations is not None and self.rules.surrender is settings.Surrender.NONE:
            plays = [play for play in self.deviations.plays if play.action is Action.SURRENDER]
            if plays:
                raise RulesError(
                    f"the deviations {self.deviations.name or 'given'} surrender ({plays[0]}), and"
                    " these rules have no surrender: leave such plays out, or play LS or ES"
                )
        for name, count in (("enter", self.enter), ("leave", self.leave)):
            if count is not None and (as_whole(count) is None or abs(count) > MOST_COUNT):
                raise RulesError(f"{name} {count!r}: counts are from -{MOST_COUNT} to {MOST_COUNT}")
        if None not in (self.enter, self.leave) and self.enter < self.leave:  # type: ignore[operator]
            msg = f"enter at {self.enter}, leave under {self.leave}: leave at most where you enter"
            raise RulesError(msg)
        self._check_player()

    def _check_player(self) -> None:
        if self.without_luck and self.engine is not Engine.KERNEL:
            check_supported(self.rules)
            raise RulesError(
                "the table leaves the luck of the cards in: without luck takes the kernel"
            )
        if self.engine is Engine.KERNEL and (self.strategy is None or self.player is not None):
            raise RulesError("the kernel plays a chart; a player needs the table engine")
        if (bets := self.bets) is None:
            return
        if bets != PERFECT:
            raise RulesError(f"no bets are called {bets!r}: {PERFECT}; others go by a count")
        if self.engine is Engine.KERNEL:
            raise RulesError(
                f"bets {bets}: the kernel values no round before its deal; the table does"
            )
        if self.system is None or self.system.name != VALUES.name:
            raise RulesError(f"bets {bets} take the place of a count: give one of them")
        if self.deviations is not None:
            raise RulesError(f"index plays need a count to go by, and bets {bets} have none")
        if self.player not in (None, PERFECT):
            msg = f"bets {bets} value the rounds of a chart, or of player {PERFECT}"
            raise RulesError(f"{msg}, not of player {self.player!r}")

    @property
    def chart(self) -> Strategy:
        """The chart."""
        if self.strategy is None:
            raise RulesError(f"player {self.player} follows no chart")
        return self.strategy

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some settings changed."""
        return replace(self, **changes)

    def to_json(self) -> dict[str, Any]:
        """Write the job; `from_json` reads it back on any machine."""
        document: dict[str, Any] = {item.name: getattr(self, item.name) for item in fields(self)}
        document["rules"] = str(self.rules.replace(name=""))  # the file of a house may change
        document["house"] = self.rules.name
        document["strategy"] = None if self.strategy is None else str(self.strategy)
        document["system"] = None if self.system is None else self.system.to_toml()
        document["deviations"] = None if self.deviations is None else str(self.deviations)
        document["engine"] = str(self.engine)
        return document

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Job:
        """Read what `to_json` wrote."""
        try:
            values: dict[str, Any] = {
                key: take(document, key, *_JSON_TYPES[key]) for key in document
            }
            values["rules"] = _read_rules(values["rules"]).replace(name=values.pop("house"))
            if values["strategy"] is not None:
                values["strategy"] = Strategy.parse(values["strategy"])
            if values["system"] is not None:
                values["system"] = read_system(values["system"])
            if values["deviations"] is not None:
                values["deviations"] = Deviations.parse(values["deviations"])
            values["engine"] = Engine(values["engine"])
            return cls(**values)
        except KeyError as error:
            msg = f"this is not a job of a run: {str(error)[:40]} is missing or unknown"
            raise RulesError(msg) from None
        except (TypeError, ValueError) as error:
            raise RulesError(f"this is not a job of a run: {error}") from None


def _read_rules(text: str) -> Rules:
    """Read the rules of a job, which name no file."""
    first = text.replace(",", " ").partition(" ")[0].lower()
    is_infinite = first.startswith("inf(")
    if "=" not in first and not is_infinite and looks_like_file(first, ".toml"):
        raise ValueError(f"its rules name a file, {first[:40]!r}")
    return notation.parse_rules(text)


def check_versions(version: str, kernel_version: int, who: str) -> None:
    """Refuse rounds of another version, which are never mixed with ours.

    `who` begins the message: "this run was made by".
    """
    if (version, kernel_version) != (__version__, KERNEL_VERSION):
        raise VersionsDifferError(
            f"{who} upcard {version} with kernel {kernel_version}, and here is upcard {__version__}"
            f" with kernel {KERNEL_VERSION}: rounds of different versions are not mixed"
        )


def draw_seed() -> int:
    """Return a random seed."""
    return secrets.randbelow(_MOST_DRAWN_SEED + 1)


def make_job(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    strategy: Strategy | str | None = None,
    *,
    seed: int | None = None,
    count: str | CountSystem | None = None,
    indices: str | Deviations | None = None,
    spots: int | None = None,
    enter: int | None = None,
    leave: int | None = None,
    player: str | None = None,
    bets: str | None = None,
    engine: str | None = None,
    without_luck: bool = False,
) -> Job:
    """Make a job.

    Default: the optimal chart, a random seed, the fewest spots and the fastest engine possible.
    With `bets`, `perfect`, rounds are counted by what they are worth before the deal.
    """
    if player is not None and strategy is not None:
        raise RulesError("a strategy and a player: give one of them, both say how to play")
    chart = None if strategy is None else load_strategy(strategy)
    if player is not None:
        chosen, player, chart = Engine.TABLE, *_find_player(player, rules, engine)
    else:
        chosen = choose_engine(rules, "table" if bets and engine is None else engine)
    if player is not None and indices is not None:
        msg = f"index plays change a chart, and player {player!r} follows none; give a strategy"
        raise RulesError(msg)
    system = None if count is None else load_system(count)
    if system is None and indices is not None:
        raise RulesError("index plays need a count to go by, such as count hi-lo")
    deviations = None if indices is None else load_deviations(indices, system)
    if bets is not None and system is None:
        system = VALUES.replace(deck_size=rules.deck_size)
    job = Job(
        rules=rules,
        strategy=_find_chart(rules) if chart is None and player is None else chart,
        seed=draw_seed() if seed is None else seed,
        spots=rules.min_spots if spots is None else spots,
        system=system,
        deviations=deviations,
        enter=enter,
        leave=leave,
        engine=chosen,
        player=player,
        bets=bets,
        without_luck=without_luck,
        chunk_rounds=_CHUNKS[chosen],
    )
    if bets is not None:
        from upcard.players.perfect import check_valued

        check_valued(rules, valued_chart(job), f"bets {bets}")
    return job


def valued_chart(job: Job) -> Strategy:
    """Return the chart by which the rounds of a job are valued: its own, or the best."""
    return _find_chart(job.rules) if job.strategy is None else job.strategy


def choose_engine(rules: Rules, engine: str | None) -> Engine:
    """Return the given engine; by default the kernel if it honours the rules, or the table."""
    if engine is None:
        return Engine.TABLE if find_unsupported(rules) else Engine.KERNEL
    try:
        chosen = Engine(str(engine).lower())
    except ValueError:
        raise RulesError(f"no engine is called {engine!r}: one of {', '.join(Engine)}") from None
    if chosen is Engine.KERNEL:
        check_supported(rules)
    return chosen


def read_ramp(ramp: str | BetRamp | None, job: Job) -> BetRamp | None:
    """Read the ramp of a job."""
    if ramp is None:
        return None
    if job.system is None:
        raise RulesError("a ramp needs a count to bet by, such as count hi-lo, or bets perfect")
    codes = [bet.code for bet in job.rules.side_bets]
    return parse_ramp(ramp, job.system, decks=job.rules.decks or 1, side=codes)


def _find_player(name: str, rules: Rules, engine: str | None) -> tuple[str | None, Strategy | None]:
    """Return a player's name, or the chart of one who plays by a chart, since files may change."""
    from upcard.players.bots import ChartPlayer, CountingPlayer
    from upcard.simulation.registry import make_player

    decider = make_player(name, rules)
    if isinstance(decider, CountingPlayer):
        raise RulesError(
            f"player {name!r}: a run counts by a count of its own, with a ramp and indices:"
            " --count hi-lo --ramp 1-8 --indices i18"
        )
    if engine is not None and choose_engine(rules, engine) is Engine.KERNEL:
        raise RulesError(f"the kernel plays a chart; player {name!r} needs engine table")
    return (None, decider.strategy) if isinstance(decider, ChartPlayer) else (name, None)


def _find_chart(rules: Rules) -> Strategy:
    from upcard.players.bots import basic_chart

    try:
        return basic_chart(rules.main_game)
    except UnsupportedRuleError as error:
        msg = f"there is no best chart for these rules ({error}): name a player, such as mimic"
        raise RulesError(msg) from None


ENGINE: Final = EngineName.SIMULATOR


def find_unsupported(rules: Rules) -> tuple[tuple[str, str], ...]:
    """Return the rules that the compiled simulator cannot honour, with the reasons."""
    from upcard.rules.engines import find_refusals  # the help does without it

    refusals = tuple(find_refusals(rules, ENGINE))
    if not rules.side_bets:
        return refusals
    from upcard.simulation.kernels.side_tables import find_unsupported_bets  # the kernel is heavy

    return (*refusals, *find_unsupported_bets(rules))


def check_supported(rules: Rules) -> None:
    """Refuse rules that the compiled simulator cannot honour."""
    for rule, reason in find_unsupported(rules):
        raise UnsupportedRuleError(ENGINE, rule, reason)


_LONGEST: Final = 60


def take(document: object, key: str, *kinds: type) -> Any:  # noqa: ANN401 (any JSON value)
    """Return the value of a key, if it has one of these types."""
    if not isinstance(document, dict):
        msg = f"{_show(document)} is not a JSON object with {key!r}"
        raise ValueError(msg)  # noqa: TRY004 (it is the file's fault, not the caller's)
    if key not in document:
        raise ValueError(f"{key!r} is missing")
    value = document[key]
    # A bool is not a number in JSON.
    if (isinstance(value, bool) and bool not in kinds) or not isinstance(value, kinds):
        raise ValueError(f"{key!r} cannot be {_show(value)}")
    return value


def take_whole(document: object, key: str, least: int, most: int) -> int:
    """Return the whole number under a key."""
    value: int = take(document, key, int)
    if not least <= value <= most:
        msg = f"{key!r} cannot be {_show(value)}: it is a whole number from {least} to {most}"
        raise ValueError(msg)
    return value


def _show(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # a number of more digits than Python writes
        return "a number that long"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
