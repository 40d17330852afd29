"""The rules notation: `6D H17 LS`, `european LS`, `INF(4/13) ENHC SPINF`.

Tokens come in any order and any case, separated by blanks or commas. A house (a name, or the path
of a TOML file) may come first. What the notation has no word for is written `setting=value`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from upcard.core.errors import NotationError, RulesError, quote
from upcard.core.numbers import exact_number, whole_number
from upcard.core.user_files import looks_like_file
from upcard.rules.model import (
    DEFAULT_PENETRATION,
    FAIR_FOR_EVEN_MONEY,
    FAIR_TEN_PROBABILITY,
    RULE_NAMES,
    Rules,
)
from upcard.rules.settings import (
    DoubleOn,
    EvenMoney,
    HoleCard,
    NaturalTakes,
    Shuffle,
    Soft17,
    Surrender,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

_WORDS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "S17": ("S17|H17", {"soft_17": Soft17.STAND}),
    "H17": ("S17|H17", {"soft_17": Soft17.HIT}),
    "PEEK": (
        "PEEK|ENHC|OBO",
        {"hole_card": HoleCard.PEEK, "natural_takes": NaturalTakes.ALL},
    ),
    "ENHC": (
        "PEEK|ENHC|OBO",
        {"hole_card": HoleCard.NONE, "natural_takes": NaturalTakes.ALL},
    ),
    "OBO": (
        "PEEK|ENHC|OBO",
        {"hole_card": HoleCard.NONE, "natural_takes": NaturalTakes.ORIGINAL},
    ),
    "DOA": ("DOA|D9|D10|DANY|ND", {"double_on": DoubleOn.ANY_TWO}),
    "D9": ("DOA|D9|D10|DANY|ND", {"double_on": DoubleOn.HARD_9_TO_11}),
    "D10": ("DOA|D9|D10|DANY|ND", {"double_on": DoubleOn.HARD_10_TO_11}),
    "DANY": ("DOA|D9|D10|DANY|ND", {"double_on": DoubleOn.ANY_NUMBER}),
    "ND": ("DOA|D9|D10|DANY|ND", {"double_on": DoubleOn.NEVER}),
    "DAS": ("DAS|NDAS", {"double_after_split": True}),
    "NDAS": ("DAS|NDAS", {"double_after_split": False}),
    "RSA": ("RSA|NRSA", {"resplit_aces": True}),
    "NRSA": ("RSA|NRSA", {"resplit_aces": False}),
    "HSA": ("HSA|NHSA", {"hit_split_aces": True}),
    "NHSA": ("HSA|NHSA", {"hit_split_aces": False}),
    "NS": ("NS|LS|ES", {"surrender": Surrender.NONE}),
    "LS": ("NS|LS|ES", {"surrender": Surrender.LATE}),
    "ES": ("NS|LS|ES", {"surrender": Surrender.EARLY}),
    "INS": ("INS|NOINS", {"insurance": True}),
    "NOINS": ("INS|NOINS", {"insurance": False}),
    "CSM": (
        "PENnn|CSM",
        {"shuffle": Shuffle.EVERY_ROUND, "penetration": DEFAULT_PENETRATION},
    ),
}
_DECKS: Final = re.compile(r"([0-9]+)D")
_INFINITE: Final = re.compile(r"INF(?:\((.*)\))?")
_SPLITS: Final = re.compile(r"SP([0-9]+|INF)")
_PAYS: Final = re.compile(r"([0-9]+):([0-9]+)")
_PENETRATION: Final = re.compile(r"PEN([0-9]+(?:\.[0-9]+)?)")
_VOCABULARY: Final = (
    "1D..8D INF S17 H17 PEEK ENHC OBO DOA D9 D10 DANY ND DAS NDAS SP1..SP8 SPINF RSA NRSA HSA"
    " NHSA NS LS ES 3:2 6:5 1:1 2:1 INS NOINS PENnn CSM, a house's name first, or setting=value"
)
# Pairs of groups whose tokens contradict each other although their groups differ.
_CONTRADICTIONS: Final = (
    ("ND", "DAS", "nothing is ever doubled"),
    ("SP1", "RSA", "nothing is ever split"),
    ("SP2", "RSA", "a resplit needs a third hand"),
    ("SP1", "HSA", "nothing is ever split"),
)


class _Token(NamedTuple):
    """A token as written, the group that may appear once, and what it sets."""

    text: str
    group: str
    changes: dict[str, Any]


def parse_rules(text: str) -> Rules:
    """Read the notation.

    Raises: NotationError naming every unknown, repeated or contradictory token;
    RulesError if the settings clash.
    """
    words = re.sub(r"\s*=\s*", "=", str(text).replace(",", " ")).split()
    base, name = Rules(), ""
    if words and _looks_like_house(words[0]):
        from upcard.rules.house import load_house

        base = load_house(words.pop(0)).rules
        name = base.name
    tokens, faults = read_tokens(words)
    if faults:
        raise NotationError(*faults)
    changes = merge_changes(tokens)
    try:
        return base.replace(**changes, name=name) if changes else base
    except RulesError as error:
        raise NotationError(*(f"{fault} (in {quote(text)})" for fault in error.faults)) from None


def read_saved_rules(text: str) -> Rules:
    """Read rules as `str(rules)` wrote them, in this version or an earlier one.

    Where a natural pays less than 3:2 and nothing is said of even money, 0.1 wrote them and
    offered it.

    Raises: as `parse_rules` does.
    """
    rules = parse_rules(text)
    if "even_money=" in text or rules.even_money is not EvenMoney.NEVER:
        return rules
    # Void, it stays never.
    return rules.replace(even_money=EvenMoney.INSTEAD)


def read_tokens(words: list[str]) -> tuple[list[_Token], list[str]]:
    """Read tokens; returns those understood and a sentence for each fault."""
    tokens: list[_Token] = []
    faults: list[str] = []
    for word in words:
        try:
            token = _read_token(word)
        except ValueError as error:
            faults.append(str(error))
            continue
        earlier = next((other for other in tokens if other.group == token.group), None)
        if earlier is None:
            tokens.append(token)
        elif earlier.changes == token.changes:
            faults.append(f"token {quote(word)} is repeated")
        else:
            faults.append(f"token {quote(word)} contradicts {earlier.text!r}")
    written = {token.text.upper(): token.text for token in tokens}
    faults.extend(
        f"token {written[second]!r} contradicts {written[first]!r}: {reason}"
        for first, second, reason in _CONTRADICTIONS
        if first in written and second in written
    )
    infinite = next((word for key, word in written.items() if key.startswith("INF")), None)
    faults.extend(
        f"token {written[key]!r} contradicts {infinite!r}: an infinite deck has no cut card"
        for key in written
        if infinite and key.startswith("PEN")
    )
    return tokens, faults


def merge_changes(tokens: list[_Token]) -> dict[str, Any]:
    """Put together what tokens set; a later one that a group implies does not undo another."""
    changes: dict[str, Any] = {}
    for token in tokens:
        changes.update(token.changes)
    return changes


def _read_token(word: str) -> _Token:
    key = word.upper()
    if key in _WORDS:
        group, changes = _WORDS[key]
        return _Token(word, group, changes)
    if match := _DECKS.fullmatch(key):
        return _Token(word, "nD|INF", {"decks": _limited(word, match[1], 8)})
    if match := _INFINITE.fullmatch(key):
        return _Token(word, "nD|INF", {"decks": None, "ten_probability": _share(word, match[1])})
    if match := _SPLITS.fullmatch(key):
        most = None if match[1] == "INF" else _limited(word, match[1], 8)
        return _Token(word, "SPn", {"max_hands": most})
    if match := _PAYS.fullmatch(key):
        pays = exact_number(f"{match[1]}/{match[2]}")
        if not pays:
            msg = f"token {quote(word)}: a natural must pay something, such as 3:2"
            raise ValueError(msg)
        return _Token(word, "n:m", {"natural_pays": pays})
    if match := _PENETRATION.fullmatch(key):
        percent = exact_number(match[1])
        if percent is None or not 1 <= percent <= 100:
            msg = f"token {quote(word)}: penetration goes from PEN1 to PEN100 percent"
            raise ValueError(msg)
        settings = {"penetration": percent / 100, "shuffle": Shuffle.CUT_CARD}
        return _Token(word, "PENnn|CSM", settings)
    name, equals, written = word.partition("=")
    if equals and name.lower() in RULE_NAMES:
        return _Token(word, name.lower(), {name.lower(): _setting(word, name.lower(), written)})
    msg = f"unknown token {quote(word)}: the notation knows {_VOCABULARY}"
    raise ValueError(msg)


def _setting(word: str, name: str, written: str) -> object:
    """Read the value of `setting=value`."""
    from upcard.rules.validation import coerce_setting, describe_types, setting_types

    allowed = setting_types()[name]
    known = {"true": True, "false": False} if bool in allowed else {}
    if written.lower() in known:
        return known[written.lower()]
    number = whole_number(written) if int in allowed else None
    setting = coerce_setting(name, written.lower() if number is None else number)
    if type(setting) not in allowed:
        msg = f"token {quote(word)}: {name} is {describe_types(allowed)}"
        raise ValueError(msg)
    return setting


def _limited(word: str, digits: str, most: int) -> int:
    number = whole_number(digits)
    if number is None or not 1 <= number <= most:
        msg = f"token {quote(word)}: from 1 to {most}"
        raise ValueError(msg)
    return number


def _share(word: str, written: str | None) -> Fraction:
    if written is None:
        return FAIR_TEN_PROBABILITY
    share = exact_number(written)
    if share is None or not 0 <= share <= 1:
        msg = f"token {quote(word)}: write a probability from 0 to 1, as in INF(4/13)"
        raise ValueError(msg)
    return share


def _looks_like_house(word: str) -> bool:
    """Whether a first word is a house rather than a token: a name, or a file's path."""
    from upcard.rules.house import house_names

    if "=" in word or _INFINITE.fullmatch(word.upper()):
        return False
    return word.lower() in house_names() or looks_like_file(word, ".toml")


def format_rules(rules: Rules) -> str:
    """Write the canonical notation, by the house's name where only the house can say it."""
    from upcard.rules.house import house_names, load_house

    bases: list[tuple[str, Rules]] = [("", Rules())]
    if rules.name in house_names():
        bases.insert(0, (rules.name, load_house(rules.name).rules))
    prefix, base = bases[0]
    for explicit in (False, True):
        text = " ".join(word for word in (prefix, *_write_tokens(rules, base, explicit)) if word)
        if parse_rules(text) == rules:
            return text
    prefix, base = bases[-1]
    return " ".join(_write_tokens(rules, base, explicit=True))


def _write_tokens(rules: Rules, base: Rules, explicit: bool) -> Iterator[str]:  # noqa: FBT001
    """Write what sets `rules` apart from `base`; all the usual tokens when base is the default."""
    default = base == Rules()
    said: dict[str, Any] = {name: getattr(base, name) for name in RULE_NAMES}
    for is_usual, token in _all_tokens(rules):
        changes = token.changes
        differs = any(said[name] != setting for name, setting in changes.items())
        if differs or (is_usual and (default or explicit)):
            yield token.text
            said |= changes
    pays = {name: said[name] for name in ("natural_pays", "insurance")}
    said["even_money"] = base.replace(**pays).even_money
    if default and rules.natural_pays < FAIR_FOR_EVEN_MONEY:
        # Written always: earlier versions offered even money at every payout over 1:1.
        said["even_money"] = None
    for name in RULE_NAMES:
        setting = getattr(rules, name)
        if said[name] != setting and not _is_void(rules, name):
            yield f"{name}={_write_setting(setting)}"


def _all_tokens(rules: Rules) -> Iterator[tuple[bool, _Token]]:
    """All the tokens that hold for `rules`, in canonical order; whether each is usually written."""
    if rules.decks is None:
        fair = rules.ten_probability == FAIR_TEN_PROBABILITY
        text = "INF" if fair else f"INF({rules.ten_probability})"
    else:
        text = f"{rules.decks}D"
    yield True, _read_token(text)
    for usual, group in (
        (True, ("S17", "H17")),
        (True, ("PEEK", "ENHC", "OBO")),
        (True, ("DOA", "D9", "D10", "DANY", "ND")),
        (True, ("DAS", "NDAS")),
    ):
        yield from _matching(rules, usual, group)
    most = "INF" if rules.max_hands is None else rules.max_hands
    yield True, _read_token(f"SP{most}")
    yield from _matching(rules, True, ("RSA", "NRSA"))
    yield from _matching(rules, False, ("NHSA", "HSA"))
    yield from _matching(rules, True, ("NS", "LS", "ES"))
    pays = rules.natural_pays
    yield True, _read_token(f"{pays.numerator}:{pays.denominator}")
    yield from _matching(rules, False, ("INS", "NOINS"))
    if rules.decks is not None:
        if rules.shuffle is Shuffle.EVERY_ROUND:
            yield False, _read_token("CSM")
        else:
            percent = rules.penetration * 100
            if percent.denominator == 1:
                yield False, _read_token(f"PEN{percent.numerator}")


def _matching(
    rules: Rules,
    usual: bool,  # noqa: FBT001
    group: tuple[str, ...],
) -> Iterator[tuple[bool, _Token]]:
    for word in group:
        changes: Mapping[str, Any] = _WORDS[word][1]
        if all(getattr(rules, name) == setting for name, setting in changes.items()):
            yield usual, _read_token(word)
            return


def _is_void(rules: Rules, name: str) -> bool:
    from upcard.rules.model import void_settings

    return name in void_settings(rules)


def _write_setting(setting: object) -> str:
    if isinstance(setting, bool):
        return str(setting).lower()
    return "none" if setting is None else str(setting)
