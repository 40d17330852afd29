"""Tallies as few bytes, for journals and results of workers."""

from __future__ import annotations

import json
import math
import struct
import zlib
from typing import Final

import numpy as np

from upcard.simulation.errors import RunError
from upcard.simulation.json_values import take_whole
from upcard.simulation.tally import NUMBERS, Tally, check_shape, check_tally

_HEAD_LENGTH: Final = struct.Struct("<I")
_LEVEL: Final = 1
"""Compression level: tallies are mostly zeros, so more effort saves little."""
_MOST_BYTES: Final = 2**29


def pack(tally: Tally) -> bytes:
    """Write a tally as compressed bytes; `unpack` reads them back."""
    flat = tally.rounds.ravel()
    places = np.flatnonzero(flat)
    numbers = {name: getattr(tally, name) for name in NUMBERS}
    head = json.dumps(numbers | {"shape": tally.rounds.shape, "cells": len(places)}).encode()
    parts = (
        _HEAD_LENGTH.pack(len(head)),
        head,
        np.diff(places, prepend=0).astype("<i4").tobytes(),
        flat[places].astype("<i8").tobytes(),
        tally.added.astype("<i8").tobytes(),
    )
    return zlib.compress(b"".join(parts), _LEVEL)


def unpack(packed: bytes) -> Tally:
    """Read what `pack` wrote. Raises: RunError if it is not a packed tally."""
    try:
        data = _decompress(packed)
        (length,) = _HEAD_LENGTH.unpack_from(data)
        start = _HEAD_LENGTH.size + length
        head = json.loads(data[_HEAD_LENGTH.size : start])
        cells, shape = take_whole(head, "cells", 0, len(data)), check_shape(head.pop("shape"))
        del head["cells"]
        places = np.cumsum(np.frombuffer(data, "<i4", cells, start), dtype=np.int64)
        start += 4 * cells
        flat = np.zeros(math.prod(shape), np.int64)
        flat[places] = np.frombuffer(data, "<i8", cells, start)
        added = np.frombuffer(data, "<i8", -1, start + 8 * cells).reshape(shape[:3])
        return check_tally(Tally(rounds=flat.reshape(shape), added=added.astype(np.int64), **head))
    except (zlib.error, struct.error, LookupError, TypeError, ValueError, RecursionError) as error:
        raise RunError(f"this is no packed tally: {error}") from None


def _decompress(packed: bytes) -> bytes:
    """Decompress at most the bytes of a tally. Raises: ValueError; zlib.error."""
    stream = zlib.decompressobj()
    data = stream.decompress(packed, _MOST_BYTES)
    if not stream.eof:
        raise ValueError("it is cut off, or far too long")
    return data
