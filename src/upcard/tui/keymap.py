"""The keymap: the file `keys.toml` gives actions of the screen other keys."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Final, TypeAlias

from textual.binding import Binding

from upcard.core.errors import UserFileError, quote
from upcard.core.user_files import is_user_file, parse_toml, read_user_file
from upcard.store.files import keymap_path
from upcard.tui.bindings import SCREENS
from upcard.tui.keys import name_key

Keymap: TypeAlias = Mapping[str, tuple[str, ...]]
_IDS: Final = sorted(
    {one.id for bindings in SCREENS.values() for one in bindings if one.id is not None}
)
_NAMED: Final = (
    *("enter", "space", "escape", "tab", "backspace", "delete", "insert", "comma"),
    *("home", "end", "pageup", "pagedown", "up", "down", "left", "right"),
    *(f"f{number}" for number in range(1, 13)),
)
_TAKEN: Final = {
    "ctrl+c": "ends the program",
    "ctrl+q": "ends the program",
    "ctrl+z": "suspends the program",
    "ctrl+p": "opens the command palette",
}
_CAPS: Final = {"escape": "Esc", "left": "<-", "right": "->"}


def read_keymap() -> dict[str, tuple[str, ...]]:
    """Return the keys of your keymap by the ids of their bindings; empty without a file."""
    path = keymap_path()
    if not is_user_file(str(path)):
        return {}
    data = parse_toml(read_user_file(path, "keymap"), path, "keymap")
    try:
        keymap = {id_: _read_keys(id_, value) for id_, value in _flatten(data)}
        _check_clashes(keymap)
    except ValueError as error:
        raise UserFileError(path, str(error), "keymap", is_read=True) from None
    return keymap


def write_caps(keymap: Keymap) -> dict[str, str]:
    """Return how the first key of each id is written on the bottom line."""
    return {id_: _CAPS.get(keys[0]) or _write_key(keys[0]) for id_, keys in keymap.items()}


def to_textual(keymap: Keymap) -> dict[str, str]:
    """Return a keymap for `App.set_keymap`: every letter in both cases."""
    return {
        id_: ",".join(dict.fromkeys(case for key in keys for case in (key, _other_case(key))))
        for id_, keys in keymap.items()
    }


def _flatten(data: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield ids and values; `answer.hit` may be written in a table `[answer]` too."""
    for name, value in data.items():
        if isinstance(value, dict):
            yield from ((f"{name}.{key}", one) for key, one in value.items())
        else:
            yield name, value


def _read_keys(id_: str, value: object) -> tuple[str, ...]:
    if id_ not in _IDS:
        near = get_close_matches(id_, _IDS, n=3)
        possible = f"{'similar ones' if near else 'possible'}: {', '.join(near or _IDS)}"
        raise ValueError(f"no action is called {quote(id_)}; {possible}")
    if not isinstance(value, str) or not value.split():
        raise ValueError(
            f'{id_}: write its keys in quotes with blanks between, such as "x" or "x f5"'
        )
    return tuple(_read_key(id_, key) for key in value.split())


def _read_key(id_: str, key: str) -> str:
    key = key.lower()
    control, _, letter = key.rpartition("+")
    if key in _TAKEN:
        raise ValueError(f"{id_}: key {quote(key)} {_TAKEN[key]}; choose another one")
    if key.isdigit() or key == ".":
        raise ValueError(f"{id_}: key {quote(key)} is needed to type numbers; choose another one")
    is_plain = len(key) == 1 and key in string.ascii_lowercase + string.punctuation
    is_control = control == "ctrl" and len(letter) == 1 and letter in string.ascii_lowercase
    if not (is_plain or is_control or key in _NAMED):
        raise ValueError(
            f"{id_}: key {quote(key)} is unknown; possible: a letter, a punctuation mark,"
            f" ctrl+LETTER, {', '.join(_NAMED[:16])}, f1 to f12"
        )
    return _name("comma" if key == "," else key)


def _name(key: str) -> str:
    """Return Textual's name of a key."""
    return next(iter(Binding.make_bindings([Binding(key, "")]))).key


def _other_case(key: str) -> str:
    return key.upper() if len(key) == 1 else key


def _write_key(key: str) -> str:
    marks = {_name(mark): mark for mark in string.punctuation if mark != ","} | {"comma": ","}
    return marks.get(key) or name_key(key)


def _check_clashes(keymap: Keymap) -> None:
    for screen, bindings in SCREENS.items():
        found: dict[str, set[str]] = {}
        for id_, keys in _keys_of(bindings, keymap):
            for key in keys:
                found.setdefault(key, set()).add(id_)
        for id_, keys in _keys_of(bindings, keymap):
            for key in keys if id_ in keymap else ():
                others = sorted(found[key] - {id_})
                if others:
                    raise ValueError(
                        f"key {quote(_write_key(key))} is {id_} and {others[0]} on {screen};"
                        " give each of them a key of its own"
                    )


def _keys_of(bindings: list[Binding], keymap: Keymap) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the id, or without one the action, and the keys of each binding."""
    for one in Binding.make_bindings(bindings):
        yield (one.id or one.action, keymap.get(one.id or "", (one.key.lower(),)))
