"""Counting systems as TOML: reading reports every fault of a file with its line; and writing.

        title, source, about      texts; about is optional
        name                      name of the system (default: the name of its file)
        by                        "true" (default) or "running"
        rounding                  of a true count: "floor" (default), "truncate", "round"
        decks_left                as estimated: "exact" (default), "half", "whole"
        side_aces                 worth of each extra ace left, for bets
    [tags]                    A, 2 to 9, T, and red_7 where red sevens differ
    [start]                   constant, per_deck
    [ramp]                    from, from_per_deck, step, step_per_deck

Numbers can be whole, decimal or texts such as "1/2".
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from upcard.core.cards import RANKS, rank_name
from upcard.core.errors import NotationError, RulesError, quote
from upcard.core.numbers import exact_number
from upcard.core.user_files import parse_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from upcard.strategy.counting import CountSystem

    Fault: TypeAlias = tuple[str, str, str]  # table, key, sentence

_TEXTS: Final = ("name", "title", "source", "about")
_NEEDED: Final = ("title", "source")
_WORDS: Final = ("by", "rounding", "decks_left")
_RANK_KEYS: Final = tuple(rank_name(rank) for rank in RANKS)
_TABLES: Final = {
    "tags": (*_RANK_KEYS, "red_7"),
    "start": ("constant", "per_deck"),
    "ramp": ("from", "from_per_deck", "step", "step_per_deck"),
}
_KEYS: Final = (*_TEXTS, *_WORDS, "side_aces", *_TABLES)


def read_toml(
    text: str, *, name: str, where: str, check: Callable[..., CountSystem]
) -> dict[str, Any]:
    """Return the settings of the `CountSystem` in a TOML text; `check` is its constructor.

    Raises: NotationError listing all the faults, each with its line.
    """
    # Decimals stay text, to be read exactly.
    data = parse_toml(text, where, parse_float=str)
    settings: dict[str, Any] = {"name": name or "unnamed"}
    faults = list(_read_data(data, settings))
    tried = {"title": "?", "source": "?", "tags": (0,) * 11, **settings}
    try:
        # Valid settings are checked together even if other keys are faulty, to report all faults.
        check(**tried)
    except RulesError as error:
        faults.extend((*_find_key(fault), fault) for fault in error.faults)
    if faults:
        raise NotationError(
            *(f"{where}{_find_line(text, table, key)}: {fault}" for table, key, fault in faults)
        )
    return settings


def _read_data(data: dict[str, Any], settings: dict[str, Any]) -> Iterator[Fault]:
    """Store the settings of the file in `settings`; yield place and description of each fault."""
    for key, value in data.items():
        if key not in _KEYS:
            yield "", key, f"unknown key {key!r}: one of {', '.join(_KEYS)}"
        elif key in _WORDS:
            settings[key] = value
        elif key == "side_aces":
            yield from _read_number("", key, value, key, settings)
        elif key in _TEXTS:
            if isinstance(value, str) and (value.strip() or key == "about"):
                settings[key] = value.strip()
            else:
                yield "", key, f"{key!r} must be a text"
    for key in _NEEDED:
        if key not in data:
            yield "", "", f"key {key!r} is missing"
    if "tags" in data:
        yield from _read_table("tags", data["tags"], settings)
    else:
        yield "", "", "table 'tags' is missing"
    for table in ("start", "ramp"):
        yield from _read_table(table, data.get(table, {}), settings)


def _read_table(table: str, numbers: object, settings: dict[str, Any]) -> Iterator[Fault]:
    if not isinstance(numbers, dict):
        yield "", table, f"{table!r} must be a table"
        return
    keys = _TABLES[table]
    for key in numbers:
        if key not in keys:
            yield table, key, f"unknown key {key!r} in [{table}]: one of {', '.join(keys)}"
    tags: dict[str, Any] = {}
    for key in keys:
        if key in numbers:
            setting = key if table == "tags" else f"{table}_{key}"
            into = tags if key in _RANK_KEYS else settings
            yield from _read_number(table, key, numbers[key], setting, into)
        elif key in _RANK_KEYS:
            yield "", "tags", f"[tags] has no {key}: every rank needs a tag, 0 if it counts nothing"
    if table == "tags":
        settings["tags"] = (Fraction(0), *(tags.get(key, Fraction(0)) for key in _RANK_KEYS))


def _read_number(
    table: str, key: str, value: object, setting: str, settings: dict[str, Any]
) -> Iterator[Fault]:
    number = exact_number(value)
    if number is None:
        yield table, key, f'{key} = {quote(value)} is not a number (whole, decimal, or "1/2")'
    else:
        settings[setting] = number


def _find_key(fault: str) -> tuple[str, str]:
    """Return table and key of the setting that a message of `CountSystem` begins with."""
    setting = re.split(r"[: ]", fault, maxsplit=1)[0]
    table, _, key = setting.partition("_")
    if table in ("start", "ramp"):
        return table, key
    return ("tags", setting) if setting == "red_7" else ("", setting)


def _find_line(text: str, table: str, key: str) -> str:
    """Describe the line of a key in a TOML text, or its name if no line can be found."""
    if not key:
        return ""
    written = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=")
    header = re.compile(rf"\s*\[\s*[\"']?{re.escape(table or key)}[\"']?\s*\]")
    inside = not table
    for number, line in enumerate(text.splitlines(), start=1):
        if header.match(line):
            if not table:
                return f", line {number}"
            inside = True
        elif line.lstrip().startswith("["):
            inside = False
        elif inside and written.match(line):
            return f", line {number}"
    return f", key {f'{table}.' if table else ''}{key}"


def write_toml(system: CountSystem) -> str:
    """Write a system as a TOML file, without the settings that have their default."""
    lines = [f"{key} = {_write_text(getattr(system, key))}" for key in _TEXTS]
    lines.append(f'by = "{system.by}"')
    if system.by == "true":
        lines += [f'rounding = "{system.rounding}"', f'decks_left = "{system.decks_left}"']
    if system.side_aces:
        lines.append(f"side_aces = {_write_number(system.side_aces)}")
    tags = {key: system.tags[rank] for rank, key in zip(RANKS, _RANK_KEYS, strict=True)}
    lines += ["", "[tags]", *(f"{key} = {_write_number(tag)}" for key, tag in tags.items())]
    if system.red_7 is not None:
        lines.append(f"red_7 = {_write_number(system.red_7)}")
    for table in ("start", "ramp"):
        numbers = {key: getattr(system, f"{table}_{key}") for key in _TABLES[table]}
        lines += ["", f"[{table}]"]
        lines += [f"{key} = {_write_number(number)}" for key, number in numbers.items()]
    return "\n".join(lines) + "\n"


def _write_text(text: str) -> str:
    # JSON's escapes are those of TOML, except for one control character that JSON leaves as is.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _write_number(number: Fraction) -> str:
    if number.denominator == 1:
        return str(number.numerator)
    if number.denominator in (2, 4, 5, 10):
        return str(float(number))
    return f'"{number}"'
