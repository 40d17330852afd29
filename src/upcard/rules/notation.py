"""The rules notation: `6D H17 LS`, `european LS`, `INF(4/13) ENHC SPINF`.

Tokens come in any order and any case, separated by blanks or commas. A house (a name or the path
of a TOML file) may come first. Settings without a word are written `setting=value`, side bets with
a plus: `+PP(25/12/6)`, `+my-bet.toml`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from upcard.core.errors import NotationError, RulesError, quote
from upcard.core.user_files import looks_like_file
from upcard.rules.house import house_names, load_house
from upcard.rules.model import FAIR_FOR_EVEN_MONEY, RULE_NAMES, Rules, void_settings
from upcard.rules.tokens import (
    find_tokens,
    is_infinite_deck,
    merge_changes,
    read_tokens,
    write_value,
)

_MOST_FORMATTED: Final = 256
"""Notations that are remembered: each is written and read back, and views write it each time."""


def parse_rules(text: str) -> Rules:
    """Read rules from their notation."""
    words = re.sub(r"\s*=\s*", "=", str(text).replace(",", " ")).split()
    base, name = Rules(), ""
    if words and _looks_like_house(words[0]):
        base = load_house(words.pop(0)).rules
        name = base.name
    tokens, faults = read_tokens(words)
    if faults:
        raise NotationError(*faults)
    changes = merge_changes(tokens, base.side_bets)
    try:
        return base.replace(**changes, name=name) if changes else base
    except RulesError as error:
        raise NotationError(*(f"{fault} (in {quote(text)})" for fault in error.faults)) from None


def _looks_like_house(word: str) -> bool:
    """Whether the first word is a house name or path rather than a token."""
    if "=" in word or is_infinite_deck(word):
        return False
    return word.lower() in house_names() or looks_like_file(word, ".toml")


@lru_cache(maxsize=_MOST_FORMATTED)
def format_rules(rules: Rules, name: str) -> str:
    """Write the canonical notation, by the house's name if the notation alone cannot say it.

    `name` is that of the rules: rules of different names can be equal.
    """
    bases: list[tuple[str, Rules]] = [("", Rules())]
    if name in house_names():
        bases.insert(0, (name, load_house(name).rules))
    prefix, base = bases[0]
    for explicit in (False, True):
        text = " ".join(word for word in (prefix, *_write_tokens(rules, base, explicit)) if word)
        if parse_rules(text) == rules:
            return text
    prefix, base = bases[-1]
    return " ".join(_write_tokens(rules, base, explicit=True))


def _write_tokens(rules: Rules, base: Rules, explicit: bool) -> Iterator[str]:  # noqa: FBT001
    """Write how `rules` differ from `base`; all the usual tokens if base is the default."""
    default = base == Rules()
    said: dict[str, Any] = {name: getattr(base, name) for name in RULE_NAMES}
    for is_usual, token in find_tokens(rules):
        changes = token.changes
        differs = any(said[name] != setting for name, setting in changes.items())
        if differs or (is_usual and (default or explicit)):
            yield token.text
            said |= changes
    pays = {name: said[name] for name in ("natural_pays", "insurance")}
    said["even_money"] = base.replace(**pays).even_money
    if default and rules.natural_pays < FAIR_FOR_EVEN_MONEY:
        # Always written, so that saved rules do not depend on what is usual there.
        said["even_money"] = None
    void = void_settings(rules)
    said["side_bets"] = rules.side_bets
    for name in RULE_NAMES:
        setting = getattr(rules, name)
        if said[name] != setting and name not in void:
            yield f"{name}={write_value(setting)}"
    known = len(base.side_bets)
    if rules.side_bets[:known] != base.side_bets:
        yield "side_bets=none"
        known = 0
    yield from map(str, rules.side_bets[known:])
