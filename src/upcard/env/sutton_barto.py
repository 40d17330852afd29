"""The game of Example 5.1 of Sutton and Barto: one table, or thousands in compiled code.

Rules, flags and observations are those of Gymnasium's `Blackjack-v1`; the cards are those of the
simulator's generator. Table `i` of many tables with seed `s` gets the cards of the single
environment with seed `s + i`.
"""

from typing import Any, Final, TypeAlias, cast

import gymnasium
import numpy as np
from gymnasium.envs.toy_text.blackjack import BlackjackEnv as GymnasiumBlackjack
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from upcard.core import errors, numbers
from upcard.env import options as env_options
from upcard.env.observations import INTEGERS, read_action
from upcard.kernels.jit import inlined_kernel, lean_kernel
from upcard.simulation.kernels.randomness import STATE_WORDS, next_word, pick, seed_state, whole

Seen: TypeAlias = tuple[int, int, int]
"""Total, upcard, usable ace."""
ManySeen: TypeAlias = tuple[NDArray[np.int64], ...]
VectorStep: TypeAlias = tuple[
    ManySeen, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
]

_STICK, _HIT = range(2)
_TEN: Final = 10
_MOST: Final = 21
_STANDS: Final = 17
"""The dealer stands on this total, hard or soft."""
_FACES: Final = "A23456789TJQK"
_SUITS: Final = "CDHS"
_CARDS: Final = np.uint64(len(_FACES) * len(_SUITS))
"""A card is a number below this: four suits of an ace, four of a two, up to the kings."""
_VALUES: Final = tuple(min(card // 4 + 1, _TEN) for card in range(52))
_AHEAD: Final = 256
_CHUNK: Final = np.uint64(2**63 + 1)
"""No simulation and no other environment draws from a chunk with this number."""
_SHOE: Final = np.uint64(0)
_HALF_BITS: Final = np.uint64(32)


class SuttonBartoEnv(GymnasiumBlackjack):  # type: ignore[misc,unused-ignore]
    """The game of Gymnasium's Blackjack-v1, at ten times its speed.

    `sab` and `natural` have the meaning that they have there, and the pictures are Gymnasium's.
    """

    def __init__(
        self, render_mode: str | None = None, *, natural: bool = False, sab: bool = False
    ) -> None:
        super().__init__(render_mode=render_mode, natural=natural, sab=sab)
        self.player: list[int] = []
        self.dealer: list[int] = []
        self._stream = np.zeros(STATE_WORDS, np.uint64)
        self._is_seeded = False
        self._ahead: list[int] = []
        """Cards drawn ahead, the next one last."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Deal a round, and return what is seen."""
        if seed is not None or not self._is_seeded:
            seed = None if seed is None else numbers.read_seed(seed)
            gymnasium.Env.reset(self, seed=seed, options=options)
            _start(self._stream, int(self.np_random.integers(2**63)) if seed is None else seed)
            self._ahead.clear()
            self._is_seeded = True
        draw = self._draw
        shown, hole, first, second = draw(), draw(), draw(), draw()
        self.dealer = [_VALUES[shown], _VALUES[hole]]
        self.player = [_VALUES[first], _VALUES[second]]
        self.dealer_top_card_value_str = _FACES[shown // 4]
        self.dealer_top_card_suit = _SUITS[shown % 4]
        if self.render_mode == "human":
            self._show()
        total, has_usable_ace = _add(self.player)
        return (total, self.dealer[0], has_usable_ace), {}

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Hit (1) or stick (0)."""
        code = action if type(action) in INTEGERS else read_action(action)
        if code not in (_STICK, _HIT):
            raise _refuse(action)
        reward, is_over = 0.0, True
        if code:
            self.player.append(_VALUES[self._draw()])
            total, has_usable_ace = _add(self.player)
            is_over = total > _MOST
            if is_over:
                reward = -1.0
        else:
            total, has_usable_ace = _add(self.player)
            reward = self._stick(total)
        if self.render_mode == "human":
            self._show()
        return (total, self.dealer[0], has_usable_ace), reward, is_over, False, {}

    def _stick(self, total: int) -> float:
        dealer = self.dealer
        dealer_total, _ = _add(dealer)
        while dealer_total < _STANDS:
            dealer.append(_VALUES[self._draw()])
            dealer_total, _ = _add(dealer)
        score = dealer_total if dealer_total <= _MOST else 0
        reward = float((total > score) - (total < score))
        if total == _MOST and len(self.player) == 2:
            if self.sab and not (score == _MOST and len(dealer) == 2):
                return 1.0
            if self.natural and reward == 1.0:
                return 1.5
        return reward

    def _show(self) -> None:
        cast("Any", self).render()

    def _draw(self) -> int:
        if not self._ahead:
            cards = np.empty(_AHEAD, np.uint8)
            with np.errstate(over="ignore"):  # without machine code, NumPy reports the wrap
                _draw_ahead(self._stream, cards)
            self._ahead = cards[::-1].tolist()
        return self._ahead.pop()


def _add(hand: list[int]) -> tuple[int, int]:
    """Return the total of a hand, and whether an ace in it counts 11."""
    hard = sum(hand)
    if hard <= _MOST - _TEN and 1 in hand:
        return hard + _TEN, 1
    return hard, 0


def _start(stream: NDArray[np.uint64], seed: int) -> None:
    with np.errstate(over="ignore"):
        seed_state(stream, np.uint64(seed), _CHUNK, _SHOE)


def _refuse(action: object) -> errors.IllegalActionError:
    return errors.IllegalActionError(f"action {errors.quote(action)}: 0 sticks, 1 hits")


class SuttonBartoVectorEnv(VectorEnv[Any, Any, Any]):
    """Many tables of the game at once.

    Every array is the one that `vectorization_mode="sync"` returns for the same seeds and actions,
    in each autoreset mode; only `final_obs` is one array, (tables, 3), whose rows are valid where
    `_final_obs` is True.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        sab: bool = False,
        natural: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        self.num_envs = env_options.read_number("num_envs", num_envs, env_options.MOST_TABLES)
        self._mode = env_options.read_mode(autoreset_mode)
        self.metadata = {"autoreset_mode": self._mode}
        alone = GymnasiumBlackjack()
        self.single_observation_space = alone.observation_space
        self.single_action_space = alone.action_space
        self.observation_space = batch_space(alone.observation_space, self.num_envs)
        self.action_space = batch_space(alone.action_space, self.num_envs)
        self._flags = int(bool(sab)), int(bool(natural))
        self._streams = np.zeros(self.num_envs * STATE_WORDS, np.uint64)
        self._hands = np.zeros(self.num_envs * _FIELDS, np.int64)
        self._over = np.zeros(self.num_envs, np.bool_)
        """Tables whose round ended in the last step."""
        self._is_seeded = np.zeros(self.num_envs, np.bool_)

    def reset(
        self, *, seed: env_options.Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[ManySeen, dict[str, Any]]:
        """Deal every table, or those of `options={"reset_mask": ...}`; return what is seen at all.

        Table `i` has seed `seed + i`, or that of a list. Without a seed a table continues its
        stream; if it has none yet, the operating system's entropy starts it.
        """
        is_dealt = env_options.read_mask({} if options is None else options, self.num_envs)
        for table, its_seed in env_options.seed_tables(self, seed, is_dealt, self._is_seeded):
            _start(self._streams[table * STATE_WORDS :][:STATE_WORDS], its_seed)
        self._is_seeded = self._is_seeded | is_dealt
        seen = np.empty((_PARTS, self.num_envs), np.int64)
        with np.errstate(over="ignore"):
            _deal_tables(self._streams, self._hands, is_dealt, self._over, seen.ravel())
        return tuple(seen), {}

    def step(self, actions: Any) -> VectorStep:  # noqa: ANN401 (Gymnasium's)
        """Take an action at each table: 0 stick, 1 hit."""
        chosen = self._read_actions(actions)
        tables, is_same_step = self.num_envs, self._mode is AutoresetMode.SAME_STEP
        seen, rewards = np.empty((_PARTS, tables), np.int64), np.empty(tables)
        last = np.zeros((tables if is_same_step else 0, _PARTS), np.int64)
        with np.errstate(over="ignore"):
            _step_tables(
                *(chosen, self._streams, self._hands, self._over, seen.ravel(), last.ravel()),
                *(rewards, *self._flags, int(is_same_step)),
            )
        over = self._over.copy()
        info: dict[str, Any] = {}
        if is_same_step and over.any():
            marks = {"_final_obs": over.copy(), "_final_info": over.copy()}
            info = {"final_obs": last, "final_info": {}, **marks}
        return tuple(seen), rewards, over, np.zeros(tables, np.bool_), info

    def _read_actions(self, actions: Any) -> NDArray[np.int64]:  # noqa: ANN401
        if not self._is_seeded.any():
            raise gymnasium.error.ResetNeeded("no round has been dealt: call reset()")
        chosen = env_options.read_actions(actions, self.num_envs)
        is_refused = (chosen | _HIT) != _HIT
        waits = self._mode is AutoresetMode.DISABLED
        if waits:
            is_refused |= self._over
        elif self._mode is AutoresetMode.NEXT_STEP:
            is_refused &= ~self._over
        if is_refused.any():
            table = int(is_refused.argmax())
            if waits and self._over[table]:
                raise errors.IllegalActionError(
                    f"table {table}: the round is over: reset it by a reset_mask"
                )
            raise errors.IllegalActionError(f"table {table}: {_refuse(actions[table])}")
        return chosen


# --- compiled ---

_PARTS: Final = 3
_HARD, _HAS_ACE, _HAS_TWO_CARDS, _UPCARD, _HOLE = range(5)
_FIELDS: Final = 5
"""Numbers of a table, which are in one flat array. The first is the sum with aces as 1."""


@inlined_kernel
def _draw(stream: NDArray[np.uint64]) -> np.int64:
    return pick(next_word(stream) >> _HALF_BITS, _CARDS, stream)


@inlined_kernel
def _draw_value(streams: NDArray[np.uint64], table: int) -> int:
    """Draw a card at a table; return its value, an ace as 1."""
    begin = table * STATE_WORDS
    return min(whole(_draw(streams[begin : begin + STATE_WORDS]) >> 2) + 1, _TEN)


@lean_kernel
def _draw_ahead(stream: NDArray[np.uint64], cards: NDArray[np.uint8]) -> None:
    for place in range(len(cards)):
        cards[place] = _draw(stream)


@inlined_kernel
def _total(hard: int, has_ace: int) -> int:
    return hard + _TEN if has_ace and hard + _TEN <= _MOST else hard


@inlined_kernel
def _deal(streams: NDArray[np.uint64], hands: NDArray[np.int64], table: int) -> None:
    place = table * _FIELDS
    hands[place + _UPCARD] = _draw_value(streams, table)
    hands[place + _HOLE] = _draw_value(streams, table)
    first, second = _draw_value(streams, table), _draw_value(streams, table)
    hands[place + _HARD] = first + second
    hands[place + _HAS_ACE] = first == 1 or second == 1
    hands[place + _HAS_TWO_CARDS] = 1


@inlined_kernel
def _observe(hands: NDArray[np.int64], table: int, seen: NDArray[np.int64], tables: int) -> None:
    """Write total, upcard and usable ace of a table; `seen` has those of all tables in a row."""
    place = table * _FIELDS
    hard = hands[place + _HARD]
    total = _total(hard, hands[place + _HAS_ACE])
    seen[table] = total
    seen[tables + table] = hands[place + _UPCARD]
    seen[2 * tables + table] = total != hard


@inlined_kernel
def _stand(
    streams: NDArray[np.uint64], hands: NDArray[np.int64], table: int, sab: int, natural: int
) -> float:
    """Play the dealer's hand; return the reward."""
    place = table * _FIELDS
    upcard, hole = hands[place + _UPCARD], hands[place + _HOLE]
    hard, has_ace = upcard + hole, upcard == 1 or hole == 1
    dealer = _total(hard, has_ace)
    dealer_is_natural = dealer == _MOST
    while dealer < _STANDS:
        card = _draw_value(streams, table)
        hard += card
        has_ace |= card == 1
        dealer = _total(hard, has_ace)
    player = _total(hands[place + _HARD], hands[place + _HAS_ACE])
    score = dealer if dealer <= _MOST else 0
    reward = float(int(player > score) - int(player < score))
    if player == _MOST and hands[place + _HAS_TWO_CARDS]:
        if sab and not dealer_is_natural:
            reward = 1.0
        elif natural and reward > 0.0:
            reward = 1.5
    return reward


@lean_kernel
def _deal_tables(
    streams: NDArray[np.uint64],
    hands: NDArray[np.int64],
    is_dealt: NDArray[np.bool_],
    over: NDArray[np.bool_],
    seen: NDArray[np.int64],
) -> None:
    """Deal the marked tables another round, and write what is seen at all tables."""
    tables = len(over)
    for table in range(tables):
        if is_dealt[table]:
            _deal(streams, hands, table)
            over[table] = False
        _observe(hands, table, seen, tables)


@lean_kernel
def _step_tables(  # noqa: PLR0913, PLR0917 (numba calls by position)
    actions: NDArray[np.int64],
    streams: NDArray[np.uint64],
    hands: NDArray[np.int64],
    over: NDArray[np.bool_],
    seen: NDArray[np.int64],
    last_seen: NDArray[np.int64],
    rewards: NDArray[np.float64],
    sab: int,
    natural: int,
    is_same_step: int,
) -> None:
    """Take an action at each table.

    A table whose round ends is dealt another: in the same step, where `last_seen` receives what
    was last seen there, three numbers a table; or else in the next one, instead of an action.
    """
    tables = len(actions)
    for table in range(tables):
        if over[table] and not is_same_step:
            _deal(streams, hands, table)
            over[table] = False
            rewards[table] = 0.0
            _observe(hands, table, seen, tables)
            continue
        reward, is_over = 0.0, True
        if actions[table] == _HIT:
            place = table * _FIELDS
            card = _draw_value(streams, table)
            hands[place + _HARD] += card
            hands[place + _HAS_ACE] |= card == 1
            hands[place + _HAS_TWO_CARDS] = 0
            is_over = hands[place + _HARD] > _MOST
            if is_over:
                reward = -1.0
        else:
            reward = _stand(streams, hands, table, sab, natural)
        rewards[table] = reward
        over[table] = is_over
        _observe(hands, table, seen, tables)
        if is_over and is_same_step:
            for part in range(_PARTS):
                last_seen[_PARTS * table + part] = seen[part * tables + table]
            _deal(streams, hands, table)
            _observe(hands, table, seen, tables)
