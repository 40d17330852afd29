"""Files that a user names: the one place where they are found and read.

A house, a counting system, deviations, a ramp, a chart, a reveal file: every file that a user
names is read here, and nowhere else (tests/unit/core/test_user_files.py checks it). Every fault
is a `UserFileError` with the file and the reason. A file's content is read by `parse_toml` or
`parse_json`, which refuse input that makes Python's parsers fail with a traceback.

A server that reads text from requests calls `forbid_user_files` first: from then on no name opens
a file, or reveals whether there is one.
"""

import math
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, NoReturn

from upcard.core.errors import NotationError, UserFileError, quote

_KIB: Final = 2**10
MOST_BYTES: Final = 256 * _KIB
"""A text file of this size has thousands of lines; no house or chart comes close."""
MOST_JSON_BYTES: Final = 64 * _KIB * _KIB
"""Runs and long shoes are larger than files written by hand."""
_MOST_LEVELS: Final = 32
_MOST_DOTS: Final = 200
_MOST_BITS: Final = 4096
_FORBIDDEN: Final = "files are not read here; paste its text, or give the name of a built-in one"
_forbidden: list[bool] = []  # for the whole process: a context variable does not reach threads


def forbid_user_files() -> None:
    """Refuse every file that a text names, in all threads, until the process ends."""
    _forbidden.append(True)


def expand_user(name: str | Path, what: str = "file") -> Path:
    """Return the path that a user names, with `~` replaced by the home folder."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        user = str(name).partition("/")[0]
        raise UserFileError(name, f"no home folder is known for {user!r}", what) from None


def is_user_file(name: str) -> bool:
    """Whether a file of this name exists and may be read; never raises, whatever the name is."""
    if _forbidden:
        return False
    try:
        return Path(name).expanduser().is_file()
    except (OSError, ValueError, RuntimeError):
        return False


def read_typed(text: str, *, what: str, example: str) -> str:
    """Return a text that does not name a file, as a command may. Raises: NotationError."""
    if any(map(is_user_file, (text, *text.split("+")))):  # several names are joined so
        raise NotationError(f"{what} {quote(text)}: write {example}")
    return text


def looks_like_file(text: str, suffix: str = "") -> bool:
    """Whether a text looks like the name of a file, not like the thing itself.

    It contains a `/`, or ends in `suffix` (any suffix if none is given).
    """
    return "/" in text or (text.lower().endswith(suffix) if suffix else bool(Path(text).suffix))


def or_path(kind: str) -> str:
    """End a list of what may be written with the path of a file, where files are read."""
    return "" if _forbidden else f", or the path of a {kind}"


def could_be_file(text: str, suffix: str = "") -> bool:
    """Whether a text looks like the name of a file, or such a file exists."""
    return looks_like_file(text, suffix) or is_user_file(text)


def read_user_file(name: str | Path, what: str = "file", *, most_bytes: int = MOST_BYTES) -> str:
    """Read a user's text file; `what` names the kind of file, such as "house file"."""
    if _forbidden:
        raise UserFileError(name, _FORBIDDEN, what)
    try:
        with expand_user(name, what).open("rb") as file:
            return read_user_stream(file, name, what, most_bytes=most_bytes)
    except OSError as error:
        raise UserFileError(name, error.strerror or "it cannot be opened", what) from None
    except ValueError:  # a NUL or a lone surrogate
        reason = "its name has a character that no file's name can have"
        raise UserFileError(name, reason, what) from None


def read_input(path: str, what: str) -> str:
    """Read a large text file of a user's; `-` is standard input. `what` names the kind of file."""
    if path == "-" and not _forbidden:
        return read_user_stream(sys.stdin.buffer, path, what, most_bytes=MOST_JSON_BYTES)
    return read_user_file(path, what, most_bytes=MOST_JSON_BYTES)


def read_user_stream(
    stream: BinaryIO, name: str | Path, what: str = "file", *, most_bytes: int = MOST_BYTES
) -> str:
    """Read text from an open file, such as standard input, as `read_user_file` does."""
    data = stream.read(most_bytes + 1)  # never more, however large the file is
    if len(data) > most_bytes:
        reason = f"it is larger than {most_bytes // _KIB:,} KiB, the most that is read"
        raise UserFileError(name, reason, what)
    try:
        return data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise UserFileError(name, "it is not UTF-8 text", what) from None


def parse_toml(
    text: str, name: str | Path, what: str = "file", *, parse_float: Callable[[str], Any] = float
) -> dict[str, Any]:
    """Read TOML; `name` and `what` name its file in messages."""
    import tomllib

    if any(line.count(".") > _MOST_DOTS for line in text.splitlines()):
        # Python's parser takes minutes for a key of 20,000 parts.
        reason = f"a line in it has more than {_MOST_DOTS} dots"
        raise UserFileError(name, reason, what, is_read=True)
    read = partial(tomllib.loads, text, parse_float=parse_float)
    data: dict[str, Any] = _parse(read, "TOML", tomllib.TOMLDecodeError, name, what)
    return data


def parse_json(text: str | bytes, name: str | Path, what: str = "file") -> Any:  # noqa: ANN401 (as JSON is)
    """Read JSON; `name` and `what` name its file in messages. NaN and infinities are refused."""
    import json

    def refuse(constant: str) -> NoReturn:
        reason = f"{constant} in it is not a number that JSON knows"
        raise UserFileError(name, reason, what, is_read=True)

    def read_float(written: str) -> float:
        number = float(written)
        return number if math.isfinite(number) else refuse(written)

    read = partial(json.loads, text, parse_constant=refuse, parse_float=read_float)
    return _parse(read, "JSON", json.JSONDecodeError, name, what)


def _parse(
    read: Callable[[], Any], form: str, fault: type[ValueError], name: str | Path, what: str
) -> Any:  # noqa: ANN401 (as JSON is)
    try:
        data = read()
    except fault as error:
        reason = f"not {form}: {error}"
    except UnicodeDecodeError:
        raise UserFileError(name, "it is not UTF-8 text", what) from None
    except RecursionError:
        reason = _TOO_DEEP
    except ValueError:
        reason = _TOO_LONG
    else:
        _check(data, name, what)
        return data
    raise UserFileError(name, reason, what, is_read=True)


_TOO_DEEP: Final = f"it is nested more than {_MOST_LEVELS} levels deep"
_TOO_LONG: Final = "a number in it has too many digits"


def _check(data: object, name: str | Path, what: str) -> None:
    """Refuse what a parser accepts and its readers cannot process: deep nesting, huge numbers."""
    level: list[object] = [data]
    for _ in range(_MOST_LEVELS + 1):
        deeper: list[object] = []
        for item in level:
            if isinstance(item, dict):
                deeper.extend(item.values())
            elif isinstance(item, list):
                deeper.extend(item)
            elif isinstance(item, int) and item.bit_length() > _MOST_BITS:
                raise UserFileError(name, _TOO_LONG, what, is_read=True)
        if not deeper:
            return
        level = deeper
    raise UserFileError(name, _TOO_DEEP, what, is_read=True)
