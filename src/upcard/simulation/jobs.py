"""Make a `Job` from what was asked: names become values, defaults are filled in, engines chosen."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.simulation.job import KERNEL_CHUNK, TABLE_CHUNK, Engine, Job
from upcard.simulation.support import check_supported, find_unsupported
from upcard.strategy.counting import load_system
from upcard.strategy.deviations import load_deviations
from upcard.strategy.ramp import BetRamp, parse_ramp

if TYPE_CHECKING:
    from upcard.rules.model import Rules
    from upcard.strategy.chart import Strategy
    from upcard.strategy.counting import CountSystem
    from upcard.strategy.deviations import Deviations

MOST_DRAWN_SEED: Final = 2**53 - 1
"""Every program that reads JSON knows whole numbers up to here."""
_CHUNKS: Final = {Engine.KERNEL: KERNEL_CHUNK, Engine.TABLE: TABLE_CHUNK}


def make_job(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    strategy: Strategy | None = None,
    *,
    seed: int | None = None,
    count: str | CountSystem | None = None,
    indices: str | Deviations | None = None,
    spots: int = 1,
    enter: int | None = None,
    leave: int | None = None,
    player: str | None = None,
    engine: str | None = None,
) -> Job:
    """Make a job: with the best chart, a drawn seed and the engine that can, unless told.

    Raises: RulesError for what clashes or is unknown; UnsupportedRuleError if the engine asked for
    cannot honour a rule, or there is no chart for the rules.
    """
    if player is not None and strategy is not None:
        msg = "a strategy and a player: give one of them, both say how to play"
        raise RulesError(msg)
    if player is not None:
        chosen, player, strategy = Engine.TABLE, *_find_player(player, rules, engine)
    else:
        chosen = choose_engine(rules, engine)
    if player is not None and indices is not None:
        msg = f"index plays change a chart, and player {player!r} follows none; give a strategy"
        raise RulesError(msg)
    system = load_system(count) if isinstance(count, str) else count
    if system is None and indices is not None:
        msg = "index plays need a count to go by, such as count hi-lo"
        raise RulesError(msg)
    deviations = load_deviations(indices, system) if isinstance(indices, str) else indices
    if system is not None and deviations is not None:
        deviations.require_system(system)
    return Job(
        rules=rules,
        strategy=_find_chart(rules) if strategy is None and player is None else strategy,
        seed=secrets.randbelow(MOST_DRAWN_SEED + 1) if seed is None else seed,
        spots=spots,
        system=system,
        deviations=deviations,
        enter=enter,
        leave=leave,
        engine=chosen,
        player=player,
        chunk_rounds=_CHUNKS[chosen],
    )


def choose_engine(rules: Rules, engine: str | None) -> Engine:
    """Return the engine asked for; else the kernel if it honours the rules, or the table.

    Raises: RulesError for an unknown one; UnsupportedRuleError if the kernel was asked for and
    cannot honour a rule.
    """
    if engine is None:
        return Engine.TABLE if find_unsupported(rules) else Engine.KERNEL
    try:
        chosen = Engine(engine.lower())
    except ValueError:
        msg = f"no engine is called {engine!r}: one of {', '.join(Engine)}"
        raise RulesError(msg) from None
    if chosen is Engine.KERNEL:
        check_supported(rules)
    return chosen


def read_ramp(ramp: str | BetRamp | None, job: Job) -> BetRamp | None:
    """Read the ramp of a job.

    Raises: RulesError without a count to bet by; NotationError for a text that is no ramp.
    """
    if ramp is None:
        return None
    if job.system is None:
        msg = "a ramp needs a count to bet by, such as count hi-lo"
        raise RulesError(msg)
    if isinstance(ramp, BetRamp):
        return ramp
    return parse_ramp(ramp, job.system, decks=job.rules.decks or 1)


def _find_player(name: str, rules: Rules, engine: str | None) -> tuple[str | None, Strategy | None]:
    """Return a player's name, or the chart of one who follows a chart: files may change, it not.

    Raises: RulesError for one that does not exist, or if the kernel is to play.
    """
    from upcard.players.chart import ChartPlayer
    from upcard.players.counting import CountingPlayer
    from upcard.simulation.registry import make_player

    decider = make_player(name, rules)
    if isinstance(decider, CountingPlayer):
        msg = (
            f"player {name!r}: a run counts by a count of its own, with a ramp and indices:"
            " --count hi-lo --ramp 1-8 --indices i18"
        )
        raise RulesError(msg)
    if engine is not None and choose_engine(rules, engine) is Engine.KERNEL:
        msg = f"the kernel plays a chart; player {name!r} needs engine table"
        raise RulesError(msg)
    return (None, decider.strategy) if isinstance(decider, ChartPlayer) else (name, None)


def _find_chart(rules: Rules) -> Strategy:
    from upcard.players.chart import basic_chart

    try:
        return basic_chart(rules)
    except UnsupportedRuleError as error:
        msg = f"there is no best chart for these rules ({error}): name a player, such as mimic"
        raise RulesError(msg) from None
