"""Values that come with upcard, and the stamp of the sources that computed values.

`tools/shipped_values.py` writes them. They are read only by the program that they were made by: a
change in the sources that compute makes them stale, as it does saved values.
"""

import binascii
import hashlib
import zlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from upcard._version import __version__

FOLDERS: Final = (
    "core",
    "rules",
    "strategy",
    "kernels",
    "kernels/solving",
    "exact",
    "exact/full_memory",
)
"""The folders whose sources compute: a change in one of them makes saved values stale."""
_DIGITS: Final = 16


@cache
def program_stamp(folders: tuple[str, ...] = FOLDERS) -> str:
    """Return the stamp of the sources in some folders, 16 hexadecimal digits."""
    digest = hashlib.sha256(f"upcard {__version__}\n".encode())
    for name in folders:
        folder = files("upcard").joinpath(name)
        sources = (file for file in folder.iterdir() if file.name.endswith(".py"))
        for source in sorted(sources, key=lambda file: file.name):
            text = source.read_bytes().replace(b"\r\n", b"\n")  # git may convert line breaks
            digest.update(f"{name}/{source.name} {len(text)}\n".encode() + text)
    return digest.hexdigest()[:_DIGITS]


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
