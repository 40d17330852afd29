"""Values that come with upcard: those of the built-in houses and of common games.

`tools/shipped_values.py` writes them. They are read only by the program that they were made by: a
change in the sources that compute makes them stale, as it does saved values.
"""

from __future__ import annotations

import binascii
import zlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from upcard.cache.stamp import program_stamp

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE_NAME: Final = "shipped.txt"
_HEAD: Final = "upcard shipped values 1"


@cache
def read_shipped() -> bytes:
    """Return the lines of the shipped values; none if this program did not make them."""
    try:
        data = files(__package__).joinpath(FILE_NAME).read_bytes()
    except OSError:
        return b""
    head, _, lines = data.replace(b"\r\n", b"\n").partition(b"\n")
    return b"\n" + lines if head == _write_head().encode() else b""


def find_shipped(name: str) -> str | None:
    """Return the shipped content of a question by its name; None if there is none."""
    lines = read_shipped()
    start = lines.find(f"\n{name} ".encode())
    if start < 0:
        return None
    begin = start + len(name) + 2
    try:
        return unpack(lines[begin : lines.index(b"\n", begin)])
    except (ValueError, zlib.error):  # a damaged installation
        return None


def count_shipped() -> int:
    """Return the number of shipped values that are read."""
    return max(read_shipped().count(b"\n") - 1, 0)


def write_shipped(contents: Mapping[str, str], before: bytes = b"") -> str:
    """Return the file for contents by name; lines of the file `before` stay if they say the same.

    Compression can give other bytes on another machine, and a new file then would change for
    nothing.
    """
    known = dict(line.split(b" ", 1) for line in before.splitlines()[1:])
    lines = [_write_head()]
    for name, content in sorted(contents.items()):
        packed = known.get(name.encode())
        if packed is None or unpack(packed) != content:
            packed = binascii.b2a_base64(zlib.compress(content.encode(), 9), newline=False)
        lines.append(f"{name} {packed.decode()}")
    return "\n".join(lines) + "\n"


def unpack(packed: bytes) -> str:
    """Return the content of a packed line."""
    return zlib.decompress(binascii.a2b_base64(packed)).decode()


def _write_head() -> str:
    return f"{_HEAD} {program_stamp()}"
