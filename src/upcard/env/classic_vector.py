"""`SuttonBartoVectorEnv`: thousands of tables of the game of Sutton and Barto in compiled code."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, TypeAlias

import gymnasium
import numpy as np
from gymnasium.envs.toy_text.blackjack import BlackjackEnv as GymnasiumBlackjack
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from upcard.core.errors import IllegalActionError, RulesError, UnsupportedRuleError
from upcard.env.classic import refuse_classic
from upcard.env.options import (
    MOST_TABLES,
    Seeds,
    read_actions,
    read_mask,
    read_mode,
    read_number,
    read_seeds,
)
from upcard.kernels import sutton_barto_tables
from upcard.kernels.sutton_barto_tables import STREAM_WORDS, read_stream

Seen: TypeAlias = tuple[NDArray[np.int64], ...]
VectorStep: TypeAlias = tuple[
    Seen, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]

_PARTS: Final = 3
_TRIED_TABLES: Final = 8
_TRIED_STEPS: Final = 40


class SuttonBartoVectorEnv(VectorEnv[Any, Any, Any]):
    """Gymnasium's Blackjack-v1 on many tables at once, bit for bit by seed.

    Every array is the one that `make_vec("Blackjack-v1", vectorization_mode="sync")` returns for
    the same seeds and actions, in each autoreset mode; only `final_obs` is one array, (tables, 3),
    whose rows are valid where `_final_obs` is True.

    Raises: UnsupportedRuleError where the installed NumPy or Gymnasium deals other cards than this
    code; RulesError for an option that does not exist.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        sab: bool = False,
        natural: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        """Open the tables; `reset` seeds and deals them."""
        num_envs = read_number("num_envs", num_envs, MOST_TABLES)
        sab, natural = bool(sab), bool(natural)
        _require_the_same_game(sab=sab, natural=natural)
        mode = read_mode(autoreset_mode)
        alone = GymnasiumBlackjack(sab=sab, natural=natural)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": mode}
        self.single_observation_space = alone.observation_space
        self.single_action_space = alone.action_space
        self.observation_space = batch_space(alone.observation_space, num_envs)
        self.action_space = batch_space(alone.action_space, num_envs)
        self._flags = int(sab), int(natural)
        self._deals_over = int(mode is AutoresetMode.NEXT_STEP)
        self._deals_at_once = int(mode is AutoresetMode.SAME_STEP)
        self._tables = _Tables(num_envs)
        self._is_seeded = np.zeros(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: Seeds = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Seen, dict[str, Any]]:
        """Deal every table, or those of `options={"reset_mask": ...}`; return what is seen at all.

        Table `i` has seed `seed + i`, or that of a list. Without a seed a table continues its
        stream; if it has none yet, the operating system's entropy starts it.

        Raises: RulesError for an unknown option, an invalid seed, a mask or a list of seeds of
        another shape, or a mask that leaves out a table that was never dealt.
        """
        is_dealt = read_mask({} if options is None else options, self.num_envs)
        seeds = read_seeds(seed, self.num_envs)
        is_seeded = self._is_seeded | is_dealt
        if not is_seeded.all():
            raise RulesError(
                f"table {is_seeded.argmin()} was never dealt: reset() all tables first"
            )
        for table in np.flatnonzero(is_dealt).tolist():
            if seeds[table] is not None or not self._is_seeded[table]:
                generator, _ = np_random(seeds[table])
                self._tables.start(table, generator)
        self._is_seeded = is_seeded
        return self._tables.deal(is_dealt), {}

    def step(self, actions: Any) -> VectorStep:  # noqa: ANN401 (Gymnasium's)
        """Take an action at each table: 0 stick, 1 hit.

        Raises: IllegalActionError, with nothing changed, for actions of another shape, for an
        invalid one, or for a round that is over where nothing resets it.
        """
        chosen = self._read_actions(actions)
        seen, rewards, over, last = self._tables.step(
            chosen, *self._flags, self._deals_over, self._deals_at_once
        )
        info: dict[str, Any] = {}
        if last is not None:
            info = {
                "final_obs": last,
                "_final_obs": over.copy(),
                "final_info": {},
                "_final_info": over.copy(),
            }
        return seen, rewards, over, np.zeros(self.num_envs, np.bool_), info

    def _read_actions(self, actions: Any) -> NDArray[np.int64]:  # noqa: ANN401
        if not self._is_seeded.any():
            raise gymnasium.error.ResetNeeded("no round has been dealt: call reset()")
        chosen = read_actions(actions, self.num_envs)
        waits = not (self._deals_over or self._deals_at_once)
        table = sutton_barto_tables.find_illegal(
            chosen, self._tables.over, self._deals_over, int(waits)
        )
        if table == sutton_barto_tables.ALL_LEGAL:
            return chosen
        if waits and self._tables.over[table]:
            raise IllegalActionError(f"table {table}: the round is over: reset it by a reset_mask")
        raise IllegalActionError(f"table {table}: {refuse_classic(actions[table])}")


class _Tables:
    """The arrays of the tables."""

    def __init__(self, tables: int) -> None:
        self._streams = np.zeros(tables * STREAM_WORDS, np.uint64)
        self._hands = np.zeros(tables * sutton_barto_tables.FIELDS, np.int64)
        self.over = np.zeros(tables, np.bool_)
        """Tables whose round ended in the last step."""

    def start(self, table: int, generator: np.random.Generator) -> None:
        """Set the stream of a table."""
        begin = table * STREAM_WORDS
        self._streams[begin : begin + STREAM_WORDS] = read_stream(generator)

    def deal(self, is_dealt: NDArray[np.bool_]) -> Seen:
        """Deal the marked tables; return what is seen at all of them."""
        seen = np.empty((_PARTS, len(self.over)), np.int64)
        with np.errstate(over="ignore"):  # without machine code, NumPy reports the wrap
            sutton_barto_tables.deal_tables(
                self._streams, self._hands, is_dealt, self.over, seen.ravel()
            )
        return tuple(seen)

    def step(
        self,
        actions: NDArray[np.int64],
        sab: int,
        natural: int,
        deals_over: int,
        deals_at_once: int,
    ) -> tuple[Seen, NDArray[np.float64], NDArray[np.bool_], NDArray[np.int64] | None]:
        """Step; return what is seen, rewards, which are over, and what was last seen there."""
        tables = len(actions)
        seen = np.empty((_PARTS, tables), np.int64)
        last = np.zeros((tables if deals_at_once else 0, _PARTS), np.int64)
        rewards = np.empty(tables)
        with np.errstate(over="ignore"):
            ended = sutton_barto_tables.step_tables(
                *(actions, self._streams, self._hands, self.over, seen.ravel(), last.ravel()),
                *(rewards, sab, natural, deals_over, deals_at_once),
            )
        return tuple(seen), rewards, self.over.copy(), last if deals_at_once and ended else None


@cache
def _require_the_same_game(*, sab: bool, natural: bool) -> None:
    """Play some rounds beside the installed Gymnasium's.

    Raises: UnsupportedRuleError if a card, a reward or an end differs.
    """
    tables = _Tables(_TRIED_TABLES)
    alone: list[Any] = [GymnasiumBlackjack(sab=sab, natural=natural) for _ in range(_TRIED_TABLES)]
    for seed, env in enumerate(alone):
        tables.start(seed, np_random(seed)[0])
        env.reset(seed=seed)
    tables.deal(np.ones(_TRIED_TABLES, np.bool_))
    for number in range(_TRIED_STEPS):
        actions = np.array([(number + table) % 3 > 0 for table in range(_TRIED_TABLES)], np.int64)
        seen, rewards, over, last = tables.step(actions, int(sab), int(natural), 0, 1)
        for table, env in enumerate(alone):
            observation, reward, is_over, _, _ = env.step(int(actions[table]))
            ours = seen if last is None or not is_over else tuple(last.T)
            ours_now = tuple(int(part[table]) for part in ours)
            if (ours_now, rewards[table], over[table]) != (observation, reward, is_over):
                versions = f"Gymnasium {gymnasium.__version__} with NumPy {np.__version__}"
                advice = 'deals other cards: use vectorization_mode="sync"'
                raise UnsupportedRuleError(
                    "native vector environment", "upcard/SuttonBarto-v0", f"{versions} {advice}"
                )
            if is_over:
                env.reset()
