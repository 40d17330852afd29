"""Pages that show what a command of the documents prints: the same question, as an address."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Final, NamedTuple

from upcard.core.cards import Card, parse_cards, rank_name
from upcard.core.errors import BlackjackError
from upcard.exact.composition import read_hand, read_total
from upcard.rules.model import Rules
from upcard.web.showing import address

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMAND: Final = re.compile(r"^(?:\$ | *)upcard (\w+)((?: .*)?)$", re.MULTILINE)
_RULES: Final = {"--rules": "r", "--house": "r"}
_RUN: Final = {
    **_RULES,
    **{
        f"--{name}": name
        for name in ("rounds", "until", "seed", "count", "ramp", "indices", "spots", "enter")
    },
    "--leave": "leave",
    "--player": "plays",
}
_FIELDS: Final = {
    "solve": {**_RULES, "--shoe": "shoe"},
    "edge": _RULES,
    "chart": _RULES,
    "rules": {},
    "simulate": _RUN,
}
"""The options of each command that an address has a field for."""
_OF_OUTPUT: Final = {
    "--json": 0,
    "--ascii": 0,
    "--format": 1,
    "--numbers": 1,
    "-o": 1,
    "--output": 1,
}
"""Options about how the answer is written, with the number of texts that follow each."""
_DEFAULT: Final = "6D"
"""The rules of a command that names none."""
_LESS: Final = re.compile(r"(\w+) less (.+)")


class TryIt(NamedTuple):
    """A link to the page that answers a command."""

    words: str
    address: str


def list_pages(block: str) -> list[TryIt]:
    """Return the pages for the commands of a block; commands without a page are left out."""
    return list(dict.fromkeys(_find(block)))


def _find(block: str) -> Iterator[TryIt]:
    for name, rest in _COMMAND.findall(block):
        if name not in _FIELDS:
            continue
        try:
            texts, fields = _read(name, shlex.split(rest, comments=True))
            yield _lead(name, texts, fields)
        except (BlackjackError, LookupError, ValueError):
            continue  # a file, a placeholder, or an option without a field


def _read(name: str, words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return the arguments and the fields of a command."""
    known, texts, fields = _FIELDS[name], [], {}
    left = iter(words)
    for word in left:
        if word in _OF_OUTPUT:
            for _ in range(_OF_OUTPUT[word]):
                next(left, "")
        elif word.startswith("-"):
            fields[known[word]] = next(left, "")
        else:
            texts.append(word)
    return texts, fields


def _lead(name: str, texts: list[str], fields: dict[str, str]) -> TryIt:
    """Return the link of a command."""
    if name == "rules":
        fields, texts = {"r": " ".join(texts)}, []
    rules = Rules.parse(fields.setdefault("r", _DEFAULT))
    if name == "solve":
        return _lead_to_hand(texts, fields, rules)
    if texts:
        raise LookupError(texts[0])
    if name != "simulate":
        return TryIt(f"the rules {fields['r']}", address("/rules", **fields))
    if "rounds" not in fields and "until" not in fields:
        raise LookupError(name)
    count = f", {fields['count']}" if "count" in fields else ""
    return TryIt(f"a run of {fields['r']}{count}", address("/lab", **fields))


def _lead_to_hand(texts: list[str], fields: dict[str, str], rules: Rules) -> TryIt:
    hand, _, upcard = " ".join(texts).partition(" v ")
    hands = read_total(hand) or (hand,)
    if len(hands) > 1:
        raise LookupError(hand)  # a total has no page of its own
    cards, dealer = [rank_name(rank) for rank in read_hand(hands[0])[0]], Card(upcard).face
    less = ""
    if shoe := fields.pop("shoe", ""):
        match = _LESS.fullmatch(shoe)
        if match is None or Rules.parse(match[1]).decks != rules.decks:
            raise LookupError(shoe)
        less = ".".join(card.face for card in parse_cards(match[2]))
    words = f"{' '.join(cards)} v {dealer}, {fields['r']}"
    return TryIt(words, address("/hand", **fields, c=".".join(cards), u=dealer, less=less))
