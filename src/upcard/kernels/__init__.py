"""Compiled loops: where they are, and stamps of programs, by which what they made is used again.

Saved values and machine code stand while the program is the one that made them. Two sources with
the same stripped text are the same program: what is left out is a comment, an empty line, or a
statement that is one text and nothing else. A text ends at its quote, as in the language of Python
3.11, the lowest that upcard runs on; from 3.12 on an f-string can have quotes in its braces.
"""

import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

from upcard._version import __version__

FOLDERS: Final = ("kernels", "exact/kernels", "simulation/kernels", "env/kernels")
"""The folders of compiled loops, each with those below it: they call one another."""
SOURCES: Final = ("core", *FOLDERS)
"""The folders that machine code follows from: numbers of `core` are part of it."""
_DIGITS: Final = 16
_LONG: Final = rb"QQQ[^Q\\]*(?:(?:\\.|Q(?!QQ))[^Q\\]*)*QQQ"
_SHORT: Final = rb"Q[^Q\\\n]*(?:\\.[^Q\\\n]*)*Q"
_TEXT: Final = b"|".join(one.replace(b"Q", q) for one in (_LONG, _SHORT) for q in (b'"', b"'"))
_PARTS: Final = re.compile(
    rb"(\n[ \t]*(?:%b)[ \t]*(?=#|\n|\Z)|%b|#[^\n]*)" % (_TEXT, _TEXT), re.DOTALL
)
"""A text with its lines to itself, another text, or a comment."""
_ENCODING: Final = re.compile(rb"[^\n]*\n?[^\n]*coding[:=]")


@cache
def stamp_sources(folders: tuple[str, ...], known: str = "") -> str:
    """Return the stamp of the sources in folders and below them, 16 hexadecimal digits.

    Texts in `known`, which `list_programs` returned for any version of them, need no stripping.
    """
    programs = {pair[:_DIGITS]: pair[_DIGITS:] for pair in known.split()}
    lines = [f"upcard {__version__}\n"]
    for name, text in _read(folders):
        lines.append(f"{name} {programs.get(_hash(text)) or _hash(strip_source(text))}\n")
    return _hash("".join(lines).encode())


def list_programs(folders: tuple[str, ...]) -> str:
    """Return hashes of each source: of its text, and of what `strip_source` leaves of it."""
    return " ".join(_hash(text) + _hash(strip_source(text)) for _, text in _read(folders))


def strip_source(text: bytes) -> bytes:
    """Return a source without comments, docstrings, empty lines, and blanks at the end of lines."""
    text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    pieces = _PARTS.split(b"\n" + text)
    # A line that continues: what is alone in the next one may be part of it. Or an encoding, which
    # counts in the first two lines only.
    if any(b"\\" in code for code in pieces[::2]) or _ENCODING.match(text):
        return text
    depth = since = 0
    for place in range(1, len(pieces), 2):
        part = pieces[place]
        is_left_out = part.startswith(b"#")
        if part.startswith(b"\n"):
            code = b"".join(pieces[since:place:2])
            depth += sum(map(code.count, b"([{")) - sum(map(code.count, b")]}"))
            since = place + 1
            is_left_out = depth == 0
        # Empty lines of a text stay.
        pieces[place] = b"" if is_left_out else part[:1] + part[1:].replace(b"\n", b"\0")
    return b"\n".join(filter(None, map(bytes.rstrip, b"".join(pieces).split(b"\n"))))


def _hash(text: bytes) -> str:
    return sha256(text).hexdigest()[:_DIGITS]


def _read(folders: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """Iterate over the sources in folders and below, by their path in the package."""
    for folder in folders:
        place = files("upcard").joinpath(folder)
        for entry in sorted(place.iterdir(), key=lambda one: one.name):
            name = f"{folder}/{entry.name}"
            if name.endswith(".py"):
                yield name, entry.read_bytes()
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                yield from _read((name,))
