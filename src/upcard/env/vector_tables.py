"""`VectorTables`: the arrays of many tables, and the threads that play them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.errors import EmptyShoeError, UnsupportedRuleError
from upcard.env.cell_rows import list_cell_rows
from upcard.kernels import codes, credit, desk_codes, tables
from upcard.kernels.desk import Desk
from upcard.kernels.game import MOST_HANDS, LoweredGame
from upcard.kernels.randomness import STATE_WORDS
from upcard.kernels.room import MOST_CARDS, Room, make_room, most_round_cards
from upcard.kernels.terms import RANKS, SAME_STEP, StepResult, TableTerms

ENGINE: Final = "native vector environment"
ADVICE: Final = 'use vectorization_mode="sync"'
_SHUFFLE_FIRST: Final = 2**30
"""More cards than a shoe has."""
_LINE: Final = 64
"""Bytes of a line of the cache."""


class TableSetting(NamedTuple):
    """Settings that all tables of a vector environment share."""

    game: LoweredGame
    bets: Sequence[Fraction]
    is_fresh: bool
    """Whether every round has a shoe of its own."""
    decks: int
    mode: int
    by_shoe: bool
    actions: int
    columns: int
    """Numbers in a row of an observation; 0 if cells are observed."""
    most_waiting: int
    has_cards: bool
    has_spot: bool
    has_count: bool
    has_composition: bool
    keeps_credit: bool


class VectorTables:
    """Tables that are reset, and stepped, together."""

    def __init__(self, seating: TableSetting, number: int, *, threads: int, copies: bool) -> None:
        """Open a number of tables; without `copies`, results are overwritten by the next call."""
        self.number = number
        self.seating = seating
        self.desk = _open_desk(seating, number)
        self.terms = _agree(seating, self.desk, number)
        self._copies = copies
        self._kept: StepResult | None = None
        is_one = seating.game.spots == 1
        self._many = None if is_one else np.zeros(1, np.int64)
        # Of several spots there is one machine code, which counts: another would save little time.
        self._flat = np.zeros(1, np.int64) if is_one and not seating.has_count else None
        cuts = [number * part // threads for part in range(threads + 1)]
        self._parts = [
            (make_room(seating.game), one, two) for one, two in pairwise(cuts) if one < two
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
        return self.desk.fields[desk_codes.STATUS :: desk_codes.FIELDS]

    def start(self, table: int, seed: int) -> None:
        """Give a table the shoes of a seed, from shoe 0 on."""
        self.terms.seeds[table] = seed
        self.desk.shoes[2 * table] = 0
        fields = self.desk.fields[table * desk_codes.FIELDS :]
        fields[desk_codes.BEGIN] = fields[desk_codes.POSITION] = _SHUFFLE_FIRST

    def find_illegal(self, actions: NDArray[np.int64]) -> tuple[int, NDArray[np.bool_]]:
        """Return the first table whose action is not legal, -1 if there is none; and which are."""
        marks = np.zeros(self.number, np.bool_)
        game, bets = self.seating.game, len(self.seating.bets)
        fields, legal, mode = self.desk.fields, self.desk.legal, self.seating.mode
        first = tables.find_illegal(game.choice, fields, legal, actions, bets, mode, marks)
        return first, marks

    def reset(self, resets: NDArray[np.bool_], *, ends_shoe: bool) -> StepResult:
        """Begin an episode at some tables; observe all.

        Raises: EmptyShoeError if a round needs more cards than there are.
        """
        return self._play(resets.astype(np.int64), is_reset=1, ends_shoe=int(ends_shoe))

    def step(self, actions: NDArray[np.int64]) -> StepResult:
        """Give each table its answer.

        Raises: UnsupportedRuleError for more hands than the kernel holds, EmptyShoeError for too
        few cards.
        """
        return self._play(actions, is_reset=0, ends_shoe=int(self.seating.by_shoe))

    def pack(self, numbers: NDArray[np.int64], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the first `numbers[i]` values of each table in rows, NaN after them."""
        packed = np.full((self.number, int(numbers.max(initial=0))), np.nan)
        credit.pack_rows(numbers, values, len(values) // self.number, packed)
        return packed

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def _play(self, given: NDArray[np.int64], *, is_reset: int, ends_shoe: int) -> StepResult:
        result = self._make_result()
        seating = self.seating

        def play(part: tuple[Room, int, int]) -> int:
            room, first, stop = part
            with np.errstate(over="ignore"):  # without machine code, NumPy reports the wrap
                return tables.play_tables(
                    *(seating.game, self.desk, self.terms, room, given, is_reset, ends_shoe),
                    *(first, stop, result, self._many, self._flat),
                )

        each = self._pool.map if self._pool is not None else map
        for ending in [*each(play, self._parts)]:
            if ending != codes.DONE:
                self._refuse(ending)
        return result

    def _make_result(self) -> StepResult:
        if self._kept is not None:
            return self._kept
        seating, number = self.seating, self.number
        has_final = seating.mode == SAME_STEP
        cells = 0 if seating.columns else number
        masks, rows = number * seating.actions, number * seating.columns
        result = StepResult(
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
        table = int(np.flatnonzero(self.status == desk_codes.DUE)[0])
        if ending == codes.TOO_MANY_HANDS:
            reason = (
                f"table {table} split a hand into more than {MOST_HANDS}: play SP8, or {ADVICE}"
            )
            raise UnsupportedRuleError(ENGINE, "SPINF", reason)
        raise EmptyShoeError(
            f"table {table}: a round needed more than the {len(self.seating.game.deck)} cards there"
            " are: the round cannot go on"
        )


def _open_desk(seating: TableSetting, number: int) -> Desk:
    game = seating.game
    hands = min(game.max_hands, MOST_HANDS)
    width = most_round_cards(game) + (0 if game.is_infinite else 2 * len(game.deck))
    most_hands, most_answers = game.spots * hands, game.spots * (hands * (MOST_CARDS - 1) + 3)
    return Desk(
        todo=np.zeros(number, np.int64),
        tables=np.arange(number),
        fields=_make_lines(number * desk_codes.FIELDS),
        legal=np.zeros(number, np.uint8),
        shoes=np.zeros(number * 2, np.int32),
        cards=np.zeros(number * width, np.uint8),
        states=np.zeros(number * STATE_WORDS, np.uint64),
        keeps_credit=int(seating.keeps_credit),
        answers=np.zeros(number * most_answers, np.int8),
        trail=np.zeros(number * most_answers, np.int32),
        nets=np.zeros(number * most_hands, np.int32),
        levels=np.zeros(number * most_hands, np.int8),
        running=np.zeros(number * 2, np.int64),
        sits_out=np.array([bet == 0 for bet in seating.bets], np.int8),
        width=width,
        most_answers=most_answers,
        most_hands=most_hands,
    )


def _make_lines(size: int) -> NDArray[np.int32]:
    """Return numbers that begin where a line of the cache does."""
    spare = np.zeros(size + _LINE // 4, np.int32)
    first = -spare.ctypes.data % _LINE // 4
    return spare[first : first + size]


def _agree(seating: TableSetting, desk: Desk, number: int) -> TableTerms:
    bets = seating.bets if len(seating.bets) > 1 else (Fraction(1),)
    denominator = lcm(*(bet.denominator for bet in bets))
    with_credit = number * seating.keeps_credit
    return TableTerms(
        seeds=np.zeros(number, np.uint64),
        stakes=np.array([int(bet * denominator) for bet in bets], np.int64),
        divisor=seating.game.unit * denominator,
        mode=seating.mode,
        is_fresh=int(seating.is_fresh),
        by_shoe=int(seating.by_shoe),
        actions=seating.actions,
        hands=list_cell_rows(seating.game).ravel(),
        columns=seating.columns,
        most_waiting=seating.most_waiting,
        has_cards=int(seating.has_cards),
        has_spot=int(seating.has_spot),
        has_count=int(seating.has_count),
        has_composition=int(seating.has_composition),
        decks=seating.decks,
        seen=np.zeros(number * RANKS * seating.has_composition, np.int64),
        credit=np.zeros(with_credit * (desk.most_answers + 1)),
        credits=np.zeros(with_credit, np.int64),
        hand_numbers=np.zeros(with_credit, np.int64),
        nets=np.zeros(with_credit * desk.most_hands),
    )
