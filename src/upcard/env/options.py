"""Options of environments and of their resets: choices by name, numbers, bets, seeds, masks."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

from upcard.core.errors import IllegalActionError, RulesError, quote
from upcard.core.numbers import MOST_SEED, as_whole, exact_number, read_seed
from upcard.core.wager import Wager, read_wager
from upcard.env.observations import read_action
from upcard.rules.model import Rules
from upcard.rules.predicates import say_spots
from upcard.rules.side_bet_files import SideBetLike

EPISODES: Final = ("round", "shoe")
ILLEGAL: Final = ("raise", "stand")
_NO_BET: Final = Fraction(0)


def check_option(option: str, value: str, possible: Sequence[str]) -> None:
    """Raise RulesError if the value of an option is not a possible one."""
    if value not in possible:
        raise RulesError(f"{option}={quote(value)}: one of {', '.join(possible)}")


def check_reset_options(options: object, possible: Sequence[str]) -> Mapping[str, Any]:
    """Return the options of a reset."""
    known = f"the option{'s are' if len(possible) > 1 else ' is'} {' and '.join(possible)}"
    if not isinstance(options, Mapping):
        raise RulesError(f"options={quote(options)}: give a dictionary; {known}")
    for name in options:
        if name not in possible:
            raise RulesError(f"reset option {quote(name)}: {known}")
    return options


def read_number(option: str, value: object, most: int) -> int:
    """Read a whole number from 1 on."""
    number = as_whole(value)
    if number is None or not 1 <= number <= most:
        raise RulesError(f"{option}={quote(value)}: a whole number from 1 to {most:,}")
    return number


def read_spots(spots: int | None, rules: Rules) -> int:
    """Read a number of spots (default: the fewest that the rules take)."""
    number = as_whole(rules.min_spots if spots is None else spots)
    if number is None or not rules.min_spots <= number <= rules.max_spots:
        raise RulesError(f"spots={quote(spots)}: the rules take {say_spots(rules)}")
    return number


def read_bets(
    bets: Sequence[int | float | str | Fraction], codes: Collection[str] = ()
) -> tuple[Wager, ...]:
    """Read a choice of bets; 0 sits out. `codes` are the side bets that a text may name."""
    given = bets.tolist() if hasattr(bets, "tolist") else bets
    if not isinstance(given, list | tuple) or not given:
        raise RulesError(f"bets={quote(bets)}: give a sequence of bets, such as (1, 2, 4)")
    read = tuple(
        Wager(_NO_BET) if exact_number(bet) == 0 else read_wager(bet).in_order(codes)
        for bet in given
    )
    if len(set(read)) < len(read):
        raise RulesError(f"bets={quote(bets)}: two of them are equal")
    if read == (Wager(_NO_BET),):
        raise RulesError(f"bets={quote(bets)}: 0 sits out, which needs another bet to choose from")
    return read


def read_wagers(
    bets: Sequence[int | float | str | Fraction], rules: Rules, rewards: str
) -> tuple[Wager, ...]:
    """Read a choice of bets that may place side bets of the house."""
    read = read_bets(bets, [bet.code for bet in rules.side_bets])
    if rewards != "net" and any(wager.side for wager in read):
        raise RulesError(f"rewards={rewards!r}: it is the cost of answers, not of side bets")
    return read


def main_bets(bets: Sequence[Wager]) -> tuple[Fraction, ...]:
    """Return the main bets of a choice."""
    return tuple(bet.main for bet in bets)


def add_side_bets(rules: Rules, side_bets: Sequence[SideBetLike]) -> Rules:
    """Return rules with side bets beside their own."""
    if isinstance(side_bets, str):
        raise RulesError(f"side_bets={quote(side_bets)}: give a sequence, such as ('21+3-flat',)")
    return rules.replace(side_bets=(*rules.side_bets, *side_bets)) if side_bets else rules


Seeds: TypeAlias = int | Sequence[int | None] | None
Masks: TypeAlias = NDArray[np.bool_]

MASK_OPTION: Final = "reset_mask"
MOST_TABLES: Final = 2**20


def read_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Read the name of a mode."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        possible = ", ".join(one.value for one in AutoresetMode)
        raise RulesError(f"autoreset_mode={quote(mode)}: one of {possible}") from None


def read_mask(
    options: Mapping[str, Any], tables: int, known: Sequence[str] = ()
) -> NDArray[np.bool_]:
    """Return which tables to reset: all without a `reset_mask`; `known` are the other options."""
    given = check_reset_options(options, (*known, MASK_OPTION))
    if MASK_OPTION not in given:
        return np.ones(tables, np.bool_)
    mask = given[MASK_OPTION]
    fits = isinstance(mask, np.ndarray) and mask.dtype == np.bool_
    if not fits or mask.shape != (tables,) or not mask.any():
        shape = f"an array of {tables} bools"
        raise RulesError(f"{MASK_OPTION}={quote(mask)}: {shape}, one of them True at least")
    return np.array(mask)


def read_seeds(seed: object, tables: int) -> list[int | None]:
    """Return the seed of each table: `seed + i` for table `i`, or those of a list."""
    if seed is None:
        return [None] * tables
    given: Any = seed
    if not isinstance(seed, list | tuple) and getattr(seed, "ndim", 0) != 1:
        first = read_seed(seed)
        if first + tables - 1 <= MOST_SEED:
            return [*range(first, first + tables)]
        given = range(first, first + tables)
    if len(given) != tables:
        raise RulesError(f"{len(given)} seeds: {tables} tables take one each")
    seeds: list[int | None] = []
    for table, its in enumerate(given):
        try:
            seeds.append(None if its is None else read_seed(its))
        except RulesError as error:
            raise RulesError(f"table {table}: {error}") from None
    return seeds


def seed_tables(
    envs: VectorEnv[Any, Any, Any], seed: object, resets: Masks, is_dealt: Masks
) -> Iterator[tuple[int, int]]:
    """Yield the tables that get a seed, and it: one given, or drawn where none was dealt yet."""
    seeds, known = read_seeds(seed, envs.num_envs), is_dealt | resets
    if not known.all():
        raise RulesError(f"table {known.argmin()} was never dealt: reset() all tables first")
    for table in np.flatnonzero(resets).tolist():
        its_seed = seeds[table]
        if its_seed is None and not is_dealt[table]:
            its_seed = int(envs.np_random.integers(2**63))
        if its_seed is not None:
            yield table, its_seed


def read_actions(actions: Any, tables: int) -> NDArray[np.int64]:  # noqa: ANN401 (Gymnasium's)
    """Return the number of each table's action, as `read_action` does."""
    given = np.asarray(actions) if hasattr(actions, "__array__") else actions
    if isinstance(given, np.ndarray):
        if given.dtype.kind in "iu" and given.shape in {(tables,), (tables, 1)}:
            return np.ascontiguousarray(given.reshape(tables), np.int64)
        has_length = given.ndim > 0
    else:
        has_length = isinstance(given, list | tuple)
    if not has_length or len(given) != tables:
        wanted = f"whole numbers of shape ({tables},)"
        raise IllegalActionError(f"actions {quote(actions)}: {wanted} are needed")
    return np.array([read_action(action) for action in given], np.int64)
