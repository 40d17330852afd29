"""Arguments of a vector environment: masks of tables to reset, seeds and actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from upcard.core.errors import IllegalActionError, RulesError, quote

Seeds: TypeAlias = int | Sequence[int | None] | None

MASK_OPTION: Final = "reset_mask"


def read_mask(options: Mapping[str, Any], tables: int, known: Sequence[str] = ()) -> NDArray[Any]:
    """Return which tables to reset: all without a `reset_mask`; `known` are the other options.

    Raises: RulesError for an unknown option, and for a mask of another shape or type.
    """
    names = (*known, MASK_OPTION)
    for name in options:
        if name not in names:
            possible = f"options are {' and '.join(names)}" if known else f"option is {MASK_OPTION}"
            raise RulesError(f"reset option {name!r}: the {possible}")
    if MASK_OPTION not in options:
        return np.ones(tables, np.bool_)
    mask = options[MASK_OPTION]
    fits = isinstance(mask, np.ndarray) and mask.dtype == np.bool_
    if not fits or mask.shape != (tables,) or not mask.any():
        shape = f"an array of {tables} bools"
        raise RulesError(f"{MASK_OPTION}={quote(mask)}: {shape}, one of them True at least")
    return np.array(mask)


def read_seeds(seed: Seeds, tables: int) -> list[int | None]:
    """Return the seed of each table: `seed + i` for table `i`, or those of a list.

    Raises: RulesError for a list of another length.
    """
    if seed is None:
        return [None] * tables
    if isinstance(seed, int | np.integer):
        return [int(seed) + table for table in range(tables)]
    if len(seed) != tables:
        raise RulesError(f"{len(seed)} seeds: {tables} tables take one each")
    return list(seed)


def read_actions(actions: Any, tables: int) -> NDArray[np.int64]:  # noqa: ANN401 (Gymnasium's)
    """Return one whole number for each table.

    Raises: IllegalActionError for another shape or type.
    """
    given = np.asarray(actions)
    if given.shape != (tables,) or given.dtype.kind not in "iu":
        wanted = f"whole numbers of shape ({tables},)"
        raise IllegalActionError(f"actions {quote(actions)}: {wanted} are needed")
    return np.ascontiguousarray(given, np.int64)
