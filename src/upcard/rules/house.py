"""Houses: named rules in commented TOML files, built in or your own.

A house file has the keys `title`, `source` and `about` (text), `rules` (the notation), optionally
`place` (text), `side_bets` (names, or paths from the folder of the house's file), and an optional
table `[settings]` of `Rules` fields that the notation has no word for.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial, wraps
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar, cast

from upcard.core import user_files
from upcard.core.errors import BlackjackError, RulesError, quote, write_faults
from upcard.rules.model import RULE_NAMES, Rules
from upcard.rules.settings import SETTINGS
from upcard.rules.tokens import merge_changes, read_tokens

_HOUSES: Final = Path(__file__).parent / "houses"
_TEXT_KEYS: Final = ("title", "source", "about")
_KEYS: Final = (*_TEXT_KEYS, "place", "rules", "side_bets", "settings")


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """A named table: its rules, a description and the source of its rules."""

    name: str
    title: str
    source: str
    about: str
    rules: Rules
    place: str = ""
    """The place where it is dealt; empty for games of documents, and where it is not given."""


@cache
def house_names() -> tuple[str, ...]:
    """Return the names of the built-in houses in alphabetical order."""
    return tuple(sorted(file.stem for file in _HOUSES.iterdir() if file.is_file()))


def load_house(name: str) -> House:
    """Load a built-in house by name (in any case), or a TOML file by its path.

    Raises: RulesError for an unknown name, or with all the faults of the file.
    """
    wanted = str(name).strip()
    if wanted.lower() in house_names():
        return _load_built_in(wanted.lower())
    if not user_files.could_be_file(wanted, ".toml"):
        raise RulesError(
            f"no house is called {quote(wanted)}: one of {', '.join(house_names())}"
            + user_files.or_path(".toml file")
        )
    text = user_files.read_user_file(wanted, "house file")
    return read_house(text, name=user_files.expand_user(wanted).stem, where=wanted)


def house(name: str) -> Rules:
    """Return the rules of a house, given by name or by the path of a TOML file.

    Raises: RulesError, as `load_house` does.
    """
    return load_house(name).rules


@cache
def _load_built_in(name: str) -> House:
    file = _HOUSES / f"{name}.toml"
    return read_house(file.read_text(encoding="utf-8"), name=name, where=file.name)


def read_house(text: str, *, name: str, where: str) -> House:
    """Read a house from the text of a TOML file; messages call the file `where`."""
    data = user_files.parse_toml(text, where)
    changes: dict[str, Any] = {}
    faults = list(_read_data(data, changes))
    faults.extend(_read_side_bets(data.get("side_bets", []), changes, where))
    try:
        # Check what could be read even if other keys are faulty, to report all faults at once.
        rules = Rules(**changes, name=name)
    except RulesError as error:
        faults.extend((_first_named(fault, data), fault) for fault in error.faults)
    if faults:
        raise RulesError(*write_faults(where, faults, partial(_line, text)))
    texts = {key: data[key].strip() for key in (*_TEXT_KEYS, "place") if key in data}
    return House(name=name, rules=rules, **texts)


def _read_data(data: dict[str, Any], changes: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Read the file into `changes`; yield the key and a message for each fault."""
    for key in data:
        if key not in _KEYS:
            yield key, f"unknown key {key!r}: one of {', '.join(_KEYS)}"
    for key in (*_TEXT_KEYS, "place", "rules"):
        if key not in data:
            if key != "place":
                yield "", f"key {key!r} is missing"
        elif not isinstance(data[key], str) or (key != "rules" and not data[key].strip()):
            yield key, f"{key!r} must be a text"
    if isinstance(data.get("rules"), str):
        tokens, faults = read_tokens(data["rules"].replace(",", " ").split())
        yield from (("rules", fault) for fault in faults)
        changes.update(merge_changes(tokens))
    yield from _read_settings(data.get("settings", {}), changes)


def _read_side_bets(
    written: object, changes: dict[str, Any], where: str
) -> Iterator[tuple[str, str]]:
    """Read the list `side_bets` into `changes`; yield the key and a message for each fault."""
    if not isinstance(written, list) or not all(isinstance(one, str) for one in written):
        yield "side_bets", "'side_bets' must be a list of names of side bets, or of their files"
        return
    if not written:
        return
    from upcard.rules.side_bet_files import read_side_bets

    found = [str(Path(where).parent / one) if one.endswith(".toml") else one for one in written]
    try:
        changes["side_bets"] = (*changes.get("side_bets", ()), *read_side_bets(found))
    except BlackjackError as error:
        yield "side_bets", str(error)


def _read_settings(settings: object, changes: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Read the table `[settings]` into `changes`; yield the key and a message for each fault."""
    if not isinstance(settings, dict):
        yield "settings", "'settings' must be a table"
        return
    for key, written in settings.items():
        if key not in RULE_NAMES:
            yield key, f"unknown setting {key!r}: one of {', '.join(RULE_NAMES)}"
        elif key in changes and changes[key] != SETTINGS[key].coerce(written):
            yield key, f"{key!r} is set by the notation in 'rules' already, and differently"
        else:
            value = SETTINGS[key].coerce(written)
            if type(value) in SETTINGS[key].kinds:
                changes[key] = value
            else:
                yield key, f"{key} = {quote(written)} is not {SETTINGS[key].possible}"


def _first_named(fault: str, data: dict[str, Any]) -> str:
    settings = data.get("settings", {})
    if not isinstance(settings, dict):
        return "settings"
    named = (word for word in re.findall(r"[a-z]\w+", fault) if word in settings)
    return next(named, "rules")


def _line(text: str, key: str) -> str:
    """Locate a key of a TOML text for a message: by line if it can be found."""
    if not key:
        return ""
    pattern = re.compile(rf"\s*(\[\s*)?[\"']?{re.escape(key)}[\"']?\s*[\]=.]")
    for number, line in enumerate(text.splitlines(), start=1):
        if pattern.match(line):
            return f", line {number}"
    return f", key {key!r}"


RulesLike: TypeAlias = Rules | str | PathLike[str]
"""Rules, or a text that names them: notation, the name of a house, or the path of its file."""
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def as_rules(rules: RulesLike) -> Rules:
    """Return the rules that are given or named.

    Raises: NotationError or RulesError for a text that names none, and for anything else.

    >>> as_rules("6D H17").soft_17 is as_rules(Rules.parse("6D H17")).soft_17
    True
    """
    if isinstance(rules, Rules):
        return rules
    if isinstance(rules, PathLike):
        return load_house(fspath(rules)).rules
    if not isinstance(rules, str):
        raise RulesError(
            f"rules {quote(rules)}: give Rules, notation such as '6D H17', the name of a house, or"
            " the path of its file"
        )
    has_suffix = rules.strip().lower().endswith(".toml")
    if has_suffix and user_files.is_user_file(rules):  # it may have blanks
        return load_house(rules).rules
    return Rules.parse(rules)


def reads_rules(
    function: Callable[Concatenate[Rules, Arguments], Result],
) -> Callable[Concatenate[RulesLike, Arguments], Result]:
    """Let a function take its rules, the first argument, as a text or a path too."""

    @wraps(function)
    def read(rules: RulesLike, *others: Arguments.args, **named: Arguments.kwargs) -> Result:
        return function(as_rules(rules), *others, **named)

    # The type of what `wraps` returns has the name of the first parameter.
    return cast("Callable[Concatenate[RulesLike, Arguments], Result]", read)
