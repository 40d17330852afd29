"""`BlackjackVectorEnv`: thousands of tables on the simulator's compiled loop."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any, Final, TypeAlias

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from upcard.core.errors import EmptyShoeError, IllegalActionError, UnsupportedRuleError
from upcard.env import blackjack, exact_rewards, observations
from upcard.env import options as env_options
from upcard.env.kernels import table_rounds, tables
from upcard.rules.deck import FullShoe
from upcard.rules.engines import check
from upcard.rules.house import RulesLike, as_rules
from upcard.rules.settings import EngineName
from upcard.simulation.kernels import loop_codes, paused_rounds, randomness, shoes
from upcard.simulation.kernels.game import KINDS, MOST_HANDS, LoweredGame
from upcard.simulation.lower import lower_asked
from upcard.strategy.count_system import load_system

ENGINE: Final = EngineName.VECTOR
ADVICE: Final = 'use vectorization_mode="sync"'
_SHUFFLE_FIRST: Final = 2**30
"""More cards than a shoe has."""
_FACES: Final = "A23456789T7"
"""By kind of card."""
_CARD_BITS: Final = 1 << np.array((33, 38, 42, 45, 48, 51, 53, 55, 57, 59, 53))
"""By kind: a card in a key, with room for as many as a hand may have."""
_LINE: Final = 64
"""Bytes of a line of the cache."""


class VectorTables:
    """Tables that are reset, and stepped, together."""

    def __init__(  # noqa: PLR0913 (each is named in the call)
        self,
        number: int,
        game: LoweredGame,
        bets: Sequence[Fraction],
        *,
        full: FullShoe,
        keeps_credit: bool,
        threads: int,
        copies: bool,
        **setting: int,
    ) -> None:
        """Open a number of tables; without `copies`, results are overwritten by the next call.

        `setting` are fields of `TableTerms`, which the compiled loop gets as they are.
        """
        self.number = number
        self.game = game
        self.bets = bets
        self.keeps_credit = keeps_credit
        self.paused = self._pause_rounds()
        self.terms = self._agree(full, setting)
        self._copies = copies
        self._kept: table_rounds.StepResult | None = None
        is_one = game.spots == 1
        self._many = None if is_one else np.zeros(1, np.int64)
        # Of several spots there is one machine code, which counts: another would save little time.
        self._flat = np.zeros(1, np.int64) if is_one and not self.terms.has_count else None
        cuts = [number * part // threads for part in range(threads + 1)]
        self._parts = [
            (shoes.make_room(game), one, two) for one, two in pairwise(cuts) if one < two
        ]
        self._start_threads()

    def _start_threads(self) -> None:
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the threads, of which a copy has its own."""
        return {**vars(self), "_pool": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._start_threads()

    @property
    def status(self) -> NDArray[np.int32]:
        """The status of each table."""
        return self.paused.fields[loop_codes.STATUS :: loop_codes.FIELDS]

    def start(self, table: int, seed: int) -> None:
        """Give a table the shoes of a seed, from shoe 0 on."""
        self.terms.seeds[table] = seed
        self.paused.shoes[2 * table] = 0
        fields = self.paused.fields[table * loop_codes.FIELDS :]
        fields[loop_codes.BEGIN] = fields[loop_codes.POSITION] = _SHUFFLE_FIRST

    def find_illegal(self, actions: NDArray[np.int64]) -> tuple[int, NDArray[np.bool_]]:
        """Return the first table whose action is not legal, -1 if there is none; and which are."""
        marks = np.zeros(self.number, np.bool_)
        game, bets = self.game, len(self.bets)
        fields, legal, mode = self.paused.fields, self.paused.legal, self.terms.mode
        return tables.find_illegal(game.choice, fields, legal, actions, bets, mode, marks), marks

    def reset(self, resets: NDArray[np.bool_], *, ends_shoe: bool) -> table_rounds.StepResult:
        """Begin an episode at some tables; observe all."""
        return self._play(resets.astype(np.int64), is_reset=1, ends_shoe=int(ends_shoe))

    def step(self, actions: NDArray[np.int64]) -> table_rounds.StepResult:
        """Give each table its answer."""
        return self._play(actions, is_reset=0, ends_shoe=self.terms.by_shoe)

    def pack(self, numbers: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the first `numbers[i]` values of each table in rows, NaN after them."""
        packed = np.full((self.number, int(numbers.max(initial=0))), np.nan)
        tables.pack_rows(numbers, values, len(values) // self.number, packed)
        return packed

    def write_keys(self) -> NDArray[np.int64]:
        """Return for each table what the value of its question depends on, 0 without one.

        From bit 0 on the cell, from 16 on the hands of the spot and the pairs like this one that
        wait, where a hand may be split again; bit 28 for even money, or after a split for a free
        hand. In a finite shoe, from 29 on the kind of a pair that was split, and from 33 on the
        cards of the hand.
        """
        game, paused, at = self.game, self.paused, np.arange(self.number)
        fields = paused.fields.reshape(self.number, -1).astype(np.int64).T
        cells = fields[loop_codes.CELL]
        keys = np.where(cells % KINDS == loop_codes.RED_7, cells - 4, cells)
        context = cells // (game.rows * KINDS)
        is_split = (context >= loop_codes.SPLIT_MORE) & (context < loop_codes.EARLY)
        may_split = is_split & (game.choice[cells] >> loop_codes.SPLIT & 1 == 1)
        keys += may_split * fields[loop_codes.HANDS] << 16
        entries = paused.trail[at * paused.most_answers + fields[loop_codes.GIVEN]]
        levels = entries >> loop_codes.LEVEL_SHIFT
        keys += (context == loop_codes.EARLY) * levels << 28
        first = fields[loop_codes.BEGIN] + fields[loop_codes.SPOT] * game.first_step
        dealt = paused.cards[at * paused.width + first].astype(np.int64)
        if game.free_splits:
            of_spot = fields[loop_codes.HANDS] & (1 << loop_codes.ALIKE_SHIFT) - 1
            split_kind = game.pair_kind[game.opening[dealt * (KINDS + 1)]].astype(np.int64)
            is_later = is_split & (of_spot > levels + 1)  # the first hand is not free
            keys += is_later * (game.free_splits >> split_kind & 1) << 28
        if not game.is_infinite:
            keys += is_split * dealt << 29
            drawn = fields[loop_codes.LAST] - fields[loop_codes.DRAWN]
            for number in range(-2, drawn.max()):
                place = fields[loop_codes.DRAWN] + number
                place = first if number == -2 else fields[loop_codes.PAIR] if number < 0 else place
                has = np.flatnonzero(drawn > number)
                keys[has] += _CARD_BITS[paused.cards[(at * paused.width + place)[has]]]
        return np.where(self.status == loop_codes.ASKED, keys, 0)

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def _play(
        self, given: NDArray[np.int64], *, is_reset: int, ends_shoe: int
    ) -> table_rounds.StepResult:
        result = self._make_result()

        def play(part: tuple[shoes.Room, int, int]) -> int:
            room, first, stop = part
            with np.errstate(over="ignore"):  # without machine code, NumPy reports the wrap
                return tables.play_tables(
                    *(self.game, self.paused, self.terms, room, given, is_reset, ends_shoe),
                    *(first, stop, result, self._many, self._flat),
                )

        each = self._pool.map if self._pool is not None else map
        for ending in [*each(play, self._parts)]:
            if ending != loop_codes.DONE:
                self._refuse(ending)
        return result

    def _make_result(self) -> table_rounds.StepResult:
        if self._kept is not None:
            return self._kept
        terms, number = self.terms, self.number
        has_final = terms.mode == table_rounds.SAME_STEP
        cells = 0 if terms.columns else number
        masks, rows = number * terms.actions, number * terms.columns
        result = table_rounds.StepResult(
            rewards=np.zeros(number),
            over=np.zeros(number, np.bool_),
            ended=np.zeros(number, np.bool_),
            masks=np.empty(masks, np.int8),
            cells=np.empty(cells, np.int64),
            rows=np.empty(rows, np.float32),
            final_masks=np.zeros(masks * has_final, np.int8),
            final_cells=np.zeros(cells * has_final, np.int64),
            final_rows=np.zeros(rows * has_final, np.float32),
        )
        if not self._copies:
            self._kept = result
        return result

    def _refuse(self, ending: int) -> None:
        table = int(np.flatnonzero(self.status == loop_codes.DUE)[0])
        if ending == loop_codes.TOO_MANY_HANDS:
            reason = (
                f"table {table} split a hand into more than {MOST_HANDS}: play SP8, or {ADVICE}"
            )
            raise UnsupportedRuleError(ENGINE, "SPINF", reason)
        raise EmptyShoeError(
            f"table {table}: a round needed more than the {len(self.game.deck)} cards there"
            " are: the round cannot continue"
        )

    def _pause_rounds(self) -> paused_rounds.PausedRounds:
        game, number = self.game, self.number
        hands = min(game.max_hands, MOST_HANDS)
        width = shoes.most_round_cards(game) + (0 if game.is_infinite else 2 * len(game.deck))
        most_hands = game.spots * hands
        most_answers = game.spots * (hands * (shoes.MOST_CARDS - 1) + 3)
        return paused_rounds.PausedRounds(
            todo=np.zeros(number, np.int64),
            tables=np.arange(number),
            fields=_make_lines(number * loop_codes.FIELDS),
            legal=np.zeros(number, np.uint8),
            shoes=np.zeros(number * 2, np.int32),
            cards=np.zeros(number * width, np.uint8),
            states=np.zeros(number * randomness.STATE_WORDS, np.uint64),
            keeps_credit=int(self.keeps_credit),
            answers=np.zeros(number * most_answers, np.int8),
            trail=np.zeros(number * most_answers, np.int32),
            nets=np.zeros(number * most_hands, np.int32),
            levels=np.zeros(number * most_hands, np.int8),
            running=np.zeros(number * 2, np.int64),
            sits_out=np.array([bet == 0 for bet in self.bets], np.int8),
            width=width,
            most_answers=most_answers,
            most_hands=most_hands,
        )

    def _agree(self, full: FullShoe, setting: dict[str, int]) -> table_rounds.TableTerms:
        paused, number = self.paused, self.number
        bets = self.bets if len(self.bets) > 1 else (Fraction(1),)
        denominator = lcm(*(bet.denominator for bet in bets))
        with_credit = number * self.keeps_credit
        return table_rounds.TableTerms(
            seeds=np.zeros(number, np.uint64),
            stakes=np.array([int(bet * denominator) for bet in bets], np.int64),
            divisor=self.game.unit * denominator,
            hands=observations.list_cell_rows(self.game).ravel(),
            full=np.array(full.counts[1:], np.int64),
            deck_size=full.deck_size,
            seen=np.zeros(number * table_rounds.RANKS * setting["has_composition"], np.int64),
            credit=np.zeros(with_credit * (paused.most_answers + 1)),
            credits=np.zeros(with_credit, np.int64),
            hand_numbers=np.zeros(with_credit, np.int64),
            nets=np.zeros(with_credit * paused.most_hands),
            **setting,
        )


def _make_lines(size: int) -> NDArray[np.int32]:
    """Return numbers that begin where a line of the cache does."""
    spare = np.zeros(size + _LINE // 4, np.int32)
    first = -spare.ctypes.data % _LINE // 4
    return spare[first : first + size]


VectorStep: TypeAlias = tuple[
    Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]

_MODES: Final = {
    AutoresetMode.NEXT_STEP: table_rounds.NEXT_STEP,
    AutoresetMode.SAME_STEP: table_rounds.SAME_STEP,
    AutoresetMode.DISABLED: table_rounds.DISABLED,
}
_MOST_THREADS: Final = 256
_STAGES: Final = {
    loop_codes.BETTING: observations.Stage.BET,
    loop_codes.SETTLED: observations.Stage.SETTLED,
}


class BlackjackVectorEnv(VectorEnv[Any, Any, Any]):
    """Many tables of `upcard/Blackjack-v1` in one call.

    All arrays are those of `make_vec(..., vectorization_mode="sync")` with the same seeds and
    actions, but for these: `final_obs` has the form of the observations, valid where `_final_obs`
    is True. With `credit`, `credit` and `hands` of rounds that ended are arrays too, a row for each
    table and NaN after its last number; without, they are left out.

    `threads` share the tables; results do not depend on them. With `copy=False` the arrays are
    overwritten by the next call.
    """

    def __init__(  # noqa: PLR0913 (each is named in the call)
        self,
        num_envs: int = 1,
        rules: RulesLike = "6D",
        *,
        observation: str = "hand",
        bets: Sequence[int | float | str | Fraction] = (1,),
        spots: int | None = None,
        count: str | None = None,
        composition: bool = False,
        episode: str = "round",
        illegal: str = "raise",
        rewards: str = "net",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        credit: bool = False,
        threads: int = 1,
    ) -> None:
        self.rules = as_rules(rules)
        env_options.check_option("episode", episode, env_options.EPISODES)
        env_options.check_option("illegal", illegal, env_options.ILLEGAL)
        num_envs = env_options.read_number("num_envs", num_envs, env_options.MOST_TABLES)
        threads = env_options.read_number("threads", threads, _MOST_THREADS)
        if render_mode is not None:
            raise UnsupportedRuleError(ENGINE, f"render_mode={render_mode!r}", ADVICE)
        if episode == "shoe":
            blackjack.require_shoe(self.rules, "shoe as an episode")
        mode = env_options.read_mode(autoreset_mode)
        self.bets = env_options.main_bets(env_options.read_bets(bets))
        self.spots = env_options.read_spots(spots, self.rules)
        if rewards == exact_rewards.REGRET and exact_rewards.is_fresh(self.rules):
            rewards = exact_rewards.FRESH_REGRET
        self._exact = exact_rewards.open_rewards(rewards, self.rules, self.bets, self.spots)
        self.rewards, self.reward_notes = rewards, self._exact.notes if self._exact else ()
        if self._exact and self._exact.is_by_shoe:
            reason = "each takes milliseconds, as the cards left always differ: give"
            reason += f" rewards={exact_rewards.FRESH_REGRET!r}, or {ADVICE}"
            raise UnsupportedRuleError(ENGINE, f"rewards={rewards!r} in a shoe that lasts", reason)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": mode}
        self.episode = episode
        self.illegal = illegal
        extras: dict[str, tuple[float, float, int]] = {}
        if count is not None:
            extras["count"] = (*blackjack.ShoeCount(self.rules, count).range, 2)
        if composition:
            blackjack.require_shoe(self.rules, "composition of the unseen cards")
            extras["composition"] = (0.0, 1.0, table_rounds.RANKS)
        layout = observations.choose_layout(observation, self.rules, extras, spots=self.spots)
        self.single_observation_space = layout.space
        self.observation_space = batch_space(layout.space, num_envs)
        actions = observations.FIRST_BET + (len(self.bets) if len(self.bets) > 1 else 0)
        self.single_action_space = gymnasium.spaces.Discrete(actions)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._layout = layout
        try:
            check(self.rules, ENGINE)
            system = None if count is None else load_system(count)
            game = lower_asked(self.rules, system=system, spots=self.spots)
        except UnsupportedRuleError as error:
            raise UnsupportedRuleError(ENGINE, error.rule, f"{error.reason}: {ADVICE}") from None
        self._tables = VectorTables(
            num_envs,
            game,
            self.bets,
            full=self.rules.full_shoe,
            keeps_credit=bool(credit),
            threads=threads,
            copies=bool(copy),
            is_fresh=int(exact_rewards.is_fresh(self.rules)),
            mode=_MODES[mode],
            by_shoe=int(episode == "shoe"),
            actions=actions,
            columns=0 if layout.IS_CELL else sum(layout.parts.values()),
            most_waiting=observations.most_waiting(self.rules, self.spots),
            has_cards=int("cards" in layout.parts),
            has_spot=int("spot" in layout.parts),
            has_count=int(count is not None),
            has_composition=int(bool(composition)),
        )
        self._is_dealt = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: env_options.Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode at every table, or those of `options={"reset_mask": ...}`; observe all.

        Table `i` has seed `seed + i`, or that of a list. Without a seed a table continues its
        shoe; if it has none yet, the operating system's entropy seeds it. With the option
        `shuffle`, it gets another shoe.
        """
        given: Any = {} if options is None else options
        if isinstance(given, dict) and "cards" in given:
            raise UnsupportedRuleError(ENGINE, "the reset option cards", ADVICE)
        resets = env_options.read_mask(given, self.num_envs, ("shuffle",))
        for row, its_seed in env_options.seed_tables(self, seed, resets, self._is_dealt):
            self._tables.start(row, its_seed)
        ends_shoe = bool(given.get("shuffle")) or self.episode == "shoe"
        self._is_dealt[:] = False  # a reset that fails leaves no tables to step
        result = self._tables.reset(resets, ends_shoe=ends_shoe)
        self._is_dealt[:] = True
        masks = np.where(resets[:, None], self._shape(result.masks), np.int8(0))
        info = {"action_mask": masks, "_action_mask": resets}
        return self._write(result.cells, result.rows), info

    def step(self, actions: Any) -> VectorStep:  # noqa: ANN401 (Gymnasium's)
        """Answer each table's question."""
        chosen, replaced = self._read(actions)
        exact = None
        if self._exact is not None:
            exact = self._exact.look_up(self._tables.write_keys(), chosen, self._ask)
        self._is_dealt[:] = False
        result = self._tables.step(chosen)
        self._is_dealt[:] = True
        if exact is not None:
            result.rewards[:] = exact
        info: dict[str, Any] = {
            "action_mask": self._shape(result.masks),
            "_action_mask": np.ones(self.num_envs, np.bool_),
        }
        is_final = result.over
        has_final = self._tables.terms.mode == table_rounds.SAME_STEP and bool(is_final.any())
        self._add(info, result, replaced, ~is_final if has_final else None)
        if has_final:
            final = {"action_mask": self._shape(result.final_masks), "_action_mask": is_final}
            self._add(final, result, replaced, is_final)
            info["final_obs"] = self._write(result.final_cells, result.final_rows)
            info["final_info"] = final
            info["_final_obs"], info["_final_info"] = is_final.copy(), is_final.copy()
        seen = self._write(result.cells, result.rows)
        return seen, result.rewards, result.over, np.zeros(self.num_envs, np.bool_), info

    def action_masks(self) -> NDArray[np.int8]:
        """Return the actions that are possible now, a row for each table: 1 legal, 0 not."""
        paused, status = self._tables.paused, self._tables.status
        cells = paused.fields[loop_codes.CELL :: loop_codes.FIELDS]
        bits = np.where(status == loop_codes.ASKED, self._tables.game.choice[cells], 1)
        is_bet = (status == loop_codes.BETTING)[:, None]
        numbers = np.arange(self._tables.terms.actions)
        answers = (bits[:, None] >> numbers) & 1
        return np.where(is_bet, numbers >= observations.FIRST_BET, answers).astype(np.int8)

    def close_extras(self, **_: Any) -> None:
        """End the threads."""
        self._tables.close()

    def _ask(self, table: int) -> observations.EnvQuestion:
        paused, place = self._tables.paused, table * loop_codes.FIELDS
        begin, stop, _, given = paused.fields[place : place + loop_codes.STATUS].tolist()
        kinds = paused.cards[table * paused.width :][begin:stop]
        faces = "".join(_FACES[kind] for kind in kinds)
        answers = paused.answers[table * paused.most_answers :][:given].tolist()
        return exact_rewards.replay(self.rules, self.spots, faces, answers)

    def _read(self, actions: Any) -> tuple[NDArray[np.int64], NDArray[np.bool_] | None]:  # noqa: ANN401
        """Return the actions to take, and which of them replace illegal ones, if any do."""
        if not self._is_dealt.any():
            raise gymnasium.error.ResetNeeded("no round has been dealt: call reset()")
        chosen = env_options.read_actions(actions, self.num_envs)
        first, is_illegal = self._tables.find_illegal(chosen)
        if first < 0:
            return chosen, None
        status = self._tables.status
        is_over = is_illegal & (status == loop_codes.OVER)
        if is_over.any():
            raise IllegalActionError(
                f"table {is_over.argmax()}: the episode is over: reset it by a reset_mask"
            )
        if self.illegal == "raise":
            raise self._refuse(first, actions[first])
        instead = self.action_masks().argmax(axis=1)  # to stand, where a low total may
        return np.where(is_illegal, instead, chosen), is_illegal

    def _refuse(self, table: int, action: object) -> IllegalActionError:
        legal = np.flatnonzero(self.action_masks()[table]).tolist()
        stage = _STAGES.get(int(self._tables.status[table]), observations.Stage.PLAY)
        refused = observations.refuse_action(
            action, stage, legal, self.bets, "it is not legal here"
        )
        return IllegalActionError(f"table {table}: {refused}")

    def _add(
        self,
        info: dict[str, Any],
        result: table_rounds.StepResult,
        replaced: NDArray[np.bool_] | None,
        where: NDArray[np.bool_] | None,
    ) -> None:
        """Add what only some tables, of those `where`, report: replaced actions, and results."""

        def choose(tables: NDArray[np.bool_]) -> NDArray[np.bool_]:
            return tables if where is None else tables & where

        if replaced is not None and (here := choose(replaced)).any():
            info["illegal"] = info["_illegal"] = here
        if not self._tables.keeps_credit or not (has_ended := choose(result.ended)).any():
            return
        terms = self._tables.terms
        for name, numbers, values in (
            ("hands", terms.hand_numbers, terms.nets),
            ("credit", terms.credits, terms.credit),
        ):
            info[name] = self._tables.pack(np.where(has_ended, numbers, 0), values)
            info[f"_{name}"] = has_ended

    def _shape(self, masks: NDArray[np.int8]) -> NDArray[np.int8]:
        return masks.reshape(self.num_envs, -1)

    def _write(self, cells: NDArray[np.int64], rows: NDArray[np.float32]) -> Any:  # noqa: ANN401
        return self._layout.write_tables(cells, rows.reshape(self.num_envs, -1))
