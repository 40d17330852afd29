"""Words of the rules notation: their meaning, and the words that describe given rules.

Plain words such as `H17` come from `rules.settings`; the patterns `6D`, `6D48`, `INF(1/3)`, `SP4`,
`3:2` and `PEN75` are read and written here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from upcard.core.errors import BlackjackError, quote
from upcard.core.numbers import exact_number, whole_number
from upcard.rules.bonuses import Bonuses
from upcard.rules.deck import DECK_SIZE, SHORT_DECK_SIZE
from upcard.rules.settings import FAIR_TEN_PROBABILITY, SETTINGS, Shuffle

if TYPE_CHECKING:
    from upcard.rules.model import Rules
    from upcard.rules.side_bets import SideBet

_INFINITE: Final = re.compile(r"INF(?:\((.*)\))?")
_Read: TypeAlias = Callable[[str, re.Match[str]], dict[str, Any]]
_PAYS: Final = re.compile(r"([0-9]+):([0-9]+)")
_SPOKEN: Final = tuple(
    (setting, words)
    for setting in sorted(SETTINGS.values(), key=lambda one: one.words.place if one.words else 0)
    if (words := setting.words) is not None
)
"""The settings with words, in the order of the canonical notation."""
_WORDS: Final = {
    word: (words.vocabulary.replace(" ", "|") or "|".join(words.values), setting.changes(value))
    for setting, words in _SPOKEN
    for word, value in words.values.items()
}
"""Group and changes of each plain word."""
_VOCABULARY: Final = (
    " ".join(words.vocabulary or " ".join(words.values) for _, words in _SPOKEN)
    + " +BET, a house's name first, or setting=value"
)
# Tokens of different groups that contradict each other.
_CONTRADICTIONS: Final = (
    ("ND", "DAS", "nothing is ever doubled"),
    ("SP1", "RSA", "nothing is ever split"),
    ("SP2", "RSA", "a resplit needs a third hand"),
    ("SP1", "HSA", "nothing is ever split"),
    ("UP2", "INS", "a dealer's natural is seen"),
)


class Token(NamedTuple):
    """A token as written, its group (which may appear once) and its settings."""

    text: str
    group: str
    changes: dict[str, Any]


def read_tokens(words: list[str]) -> tuple[list[Token], list[str]]:
    """Read tokens; return those understood and a message for each fault."""
    tokens: list[Token] = []
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
        if first in written
        and second in written
        and not (second == "DAS" and written.keys() & {"FD9-11", "FDANY"})
    )
    infinite = next((word for key, word in written.items() if key.startswith("INF")), None)
    faults.extend(
        f"token {written[key]!r} contradicts {infinite!r}: an infinite deck has no cut card"
        for key in written
        if infinite and key.startswith("PEN")
    )
    return tokens, faults


def merge_changes(tokens: list[Token], side_bets: tuple[SideBet, ...] = ()) -> dict[str, Any]:
    """Merge the settings of tokens; later ones win.

    Side bets are added to those of the house, `side_bets`, which `side_bets=none` takes away.
    """
    changes: dict[str, Any] = {}
    for token in sorted(tokens, key=lambda one: one.text.startswith("+")):
        changes.update(token.changes)
        if token.text.startswith("+"):
            side_bets = changes["side_bets"] = (*side_bets, *token.changes["side_bets"])
        elif "side_bets" in token.changes:
            side_bets = token.changes["side_bets"]
    return changes


def _read_token(word: str) -> Token:
    if word.startswith("+"):
        from upcard.rules.side_bet_files import load_side_bet

        try:
            bet = load_side_bet(word)
        except BlackjackError as error:
            raise ValueError(f"token {quote(word)}: {error}") from None
        return Token(word, f"+{bet.code}", {"side_bets": (bet,)})
    key = word.upper()
    if key in _WORDS:
        group, changes = _WORDS[key]
        return Token(word, group, changes)
    for pattern, group, read in _PATTERNS:
        if match := pattern.fullmatch(key):
            return Token(word, group, read(word, match))
    name, equals, written = word.partition("=")
    if equals and name.lower() in SETTINGS:
        group = "nD|INF" if name.lower() == "deck_size" else name.lower()  # a token says both
        return Token(word, group, {name.lower(): _setting(word, name.lower(), written)})
    raise ValueError(f"unknown token {quote(word)}: the notation knows {_VOCABULARY}")


def _setting(word: str, name: str, written: str) -> object:
    setting = SETTINGS[name]
    if setting.kind is bool and written.lower() in ("true", "false"):
        return written.lower() == "true"
    number = whole_number(written) if setting.kind is int else None
    value = setting.coerce(written.lower() if number is None else number)
    if type(value) not in setting.kinds:
        raise ValueError(f"token {quote(word)}: {name} is {setting.possible}")
    return value


def _read_decks(word: str, match: re.Match[str]) -> dict[str, Any]:
    decks = _limited(word, match[1], "decks")
    return {"decks": decks, "deck_size": SHORT_DECK_SIZE if match[2] else DECK_SIZE}


def _read_infinite(word: str, match: re.Match[str]) -> dict[str, Any]:
    share = _share(word, match[1])
    return {"decks": None, "deck_size": DECK_SIZE, "ten_probability": share}


def _read_splits(word: str, match: re.Match[str]) -> dict[str, Any]:
    return {"max_hands": None if match[1] == "INF" else _limited(word, match[1], "max_hands")}


def _read_charlie(word: str, match: re.Match[str]) -> dict[str, Any]:
    pays = _pays(word, match[2], "a charlie", "5CC(2:1)") if match[2] else Fraction(1)
    return {"charlie": _limited(word, match[1], "charlie"), "charlie_pays": pays}


def _read_penetration(word: str, match: re.Match[str]) -> dict[str, Any]:
    percent = exact_number(match[1])
    if percent is None or not 1 <= percent <= 100:
        raise ValueError(f"token {quote(word)}: penetration goes from PEN1 to PEN100 percent")
    return {"penetration": percent / 100, "shuffle": Shuffle.CUT_CARD}


def _limited(word: str, digits: str, name: str) -> int:
    number, setting = whole_number(digits), SETTINGS[name]
    if number is None or setting.is_out_of_range(number):
        raise ValueError(f"token {quote(word)}: {setting.limits}")
    return number


def _pays(word: str, written: str, what: str, example: str) -> Fraction:
    match = _PAYS.fullmatch(written)
    pays = exact_number(f"{match[1]}/{match[2]}") if match else None
    if not pays:
        raise ValueError(f"token {quote(word)}: {what} must pay something, such as {example}")
    return pays


def _bonuses(word: str, written: str) -> Bonuses:
    bonuses = Bonuses.parse(written)
    if bonuses is None:
        example = "BON(5=3:2/678=3:2-2:1-3:1)"
        raise ValueError(f"token {quote(word)}: write numbers of cards and pays, as in {example}")
    return bonuses


def _share(word: str, written: str | None) -> Fraction:
    if written is None:
        return FAIR_TEN_PROBABILITY
    share = exact_number(written)
    if share is None or not 0 <= share <= 1:
        raise ValueError(f"token {quote(word)}: write a probability from 0 to 1, as in INF(4/13)")
    return share


_PATTERNS: Final[tuple[tuple[re.Pattern[str], str, _Read], ...]] = (
    (re.compile(rf"([0-9]+)D({SHORT_DECK_SIZE})?"), "nD|INF", _read_decks),
    (_INFINITE, "nD|INF", _read_infinite),
    (re.compile(r"SP([0-9]+|INF)"), "SPn", _read_splits),
    (_PAYS, "n:m", lambda word, match: {"natural_pays": _pays(word, match[0], "a natural", "3:2")}),
    (re.compile(r"PEN([0-9]+(?:\.[0-9]+)?)"), "PENnn|CSM", _read_penetration),
    (re.compile(r"([0-9]+)CC(?:\((.*)\))?"), "nCC", _read_charlie),
    (re.compile(r"NS([2-9TA]+)"), "NSr", lambda _, match: {"never_split": match[1]}),
    (
        re.compile(r"SPA([0-9]+)"),
        "SPAn",
        lambda word, match: {"max_ace_hands": _limited(word, match[1], "max_ace_hands")},
    ),
    (
        re.compile(r"BON(?:\((.*)\))?"),
        "BON",
        lambda word, match: {"bonuses": _bonuses(word, "usual" if match[1] is None else match[1])},
    ),
    (
        re.compile(r"MS([0-9]+)"),
        "MSn",
        lambda word, match: {"min_stand": _limited(word, match[1], "min_stand")},
    ),
    (
        re.compile(r"BJS\((.*)\)"),
        "BJS",
        lambda word, match: {
            "suited_natural_pays": _pays(word, match[1], "a suited natural", "BJS(2:1)")
        },
    ),
    (
        re.compile(r"INS\((.*)\)"),
        _WORDS["INS"][0],
        lambda word, match: {
            "insurance": True,
            "insurance_pays": _pays(word, match[1], "insurance", "INS(5:2)"),
        },
    ),
)
"""Tokens with numbers: the pattern, the group, and the function that returns the changes."""


def is_infinite_deck(word: str) -> bool:
    """Whether a word is `INF` or `INF(p)`, whose probability may look like a path."""
    return _INFINITE.fullmatch(word.upper()) is not None


def find_tokens(rules: Rules) -> Iterator[tuple[bool, Token]]:
    """Find the words that describe `rules`, in canonical order, and whether each is usual."""
    for setting, words in _SPOKEN:
        text = _write_pattern(rules, setting.name)
        if text is None:
            text = next((word for word in words.values if _holds(word, rules)), "")
        if text:
            yield words.is_usual, _read_token(text)


def _holds(word: str, rules: Rules) -> bool:
    return all(getattr(rules, name) == value for name, value in _WORDS[word][1].items())


_PATTERNS_OF_ONE: Final = {
    "suited_natural_pays": "BJS({})",
    "min_stand": "MS{}",
    "bonuses": "BON({})",
    "max_ace_hands": "SPA{}",
    "never_split": "NS{}",
    "insurance_pays": "INS({})",
}
"""Tokens of one value that are written where it is not the default."""


def _write_pattern(rules: Rules, name: str) -> str | None:
    """Write a setting by its pattern; None if it has plain words."""
    if pattern := _PATTERNS_OF_ONE.get(name):
        value, default = getattr(rules, name), SETTINGS[name].default
        written = write_pays(value) if isinstance(value, Fraction) else value
        text = "" if value == default else pattern.format(written)
        return text.replace("(usual)", "")
    match name:
        case "decks" if rules.decks is not None:
            return str(rules.full_shoe)
        case "decks":
            fair = rules.ten_probability == FAIR_TEN_PROBABILITY
            return "INF" if fair else f"INF({rules.ten_probability})"
        case "max_hands":
            return f"SP{'INF' if rules.max_hands is None else rules.max_hands}"
        case "natural_pays":
            return write_pays(rules.natural_pays)
        case "charlie" if rules.charlie is None:
            return ""
        case "charlie":
            pays = f"({write_pays(rules.charlie_pays)})" if rules.charlie_pays != 1 else ""
            return f"{rules.charlie}CC{pays}"
        case "shuffle" if rules.decks is None:
            return ""
        case "shuffle" if rules.shuffle is Shuffle.CUT_CARD:
            percent = rules.penetration * 100
            return f"PEN{percent.numerator}" if percent.denominator == 1 else ""
    return None


def write_pays(pays: Fraction) -> str:
    """Write what is paid for a unit as `3:2`."""
    return f"{pays.numerator}:{pays.denominator}"


def write_value(value: object) -> str:
    """Write a value as in `setting=value`."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)
