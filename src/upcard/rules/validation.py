"""Which settings cannot stand together: every fault of a `Rules`, as sentences."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, Final, get_args, get_type_hints

from upcard.core.errors import quote
from upcard.core.numbers import exact_number
from upcard.rules.settings import (
    DealerRule,
    DoubleOn,
    EvenMoney,
    HoleCard,
    NaturalTakes,
    Player21,
    Shuffle,
    TurnOrder,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.rules.model import Rules

MOST_DECKS: Final = 8
MOST_HANDS: Final = 8
MOST_SPOTS: Final = 7

_WHOLE_NUMBERS: Final = {
    "decks": range(1, MOST_DECKS + 1),
    "max_hands": range(1, MOST_HANDS + 1),
    "max_total_hands": range(1, MOST_SPOTS * MOST_HANDS + 1),
    "max_spots": range(1, MOST_SPOTS + 1),
    "charlie": range(3, 22),
}
_SHARES: Final = {
    "penetration": (Fraction(1, 100), Fraction(1)),
    "ten_probability": (Fraction(0), Fraction(1)),
    "natural_pays": (Fraction(1, 100), Fraction(10)),
}


def find_faults(rules: Rules) -> tuple[str, ...]:
    """Return every reason why `rules` cannot be played, none if they can."""
    wrong_kinds = tuple(_find_wrong_kinds(rules))
    out_of_range = tuple(_find_out_of_range(rules))
    # Settings of the wrong kind cannot be compared with one another.
    clashes = () if wrong_kinds else tuple(_find_clashes(rules))
    return (*wrong_kinds, *out_of_range, *clashes)


def _find_wrong_kinds(rules: Rules) -> Iterator[str]:
    """Find values of the wrong kind."""
    for name, allowed in setting_types().items():
        value = getattr(rules, name)
        # bool is an int to Python, and 1.5 equals a Fraction: compare the exact types.
        if type(value) not in allowed:
            yield f"{name}: {quote(value)} is not {describe_types(allowed)}"


def _find_out_of_range(rules: Rules) -> Iterator[str]:
    """Find values outside their range."""
    for name, limits in _WHOLE_NUMBERS.items():
        number = getattr(rules, name)
        if type(number) is int and number not in limits:
            yield f"{name}: {number} is not from {limits.start} to {limits.stop - 1}"
    for name, (least, most) in _SHARES.items():
        share = getattr(rules, name)
        if type(share) is Fraction and not least <= share <= most:
            yield f"{name}: {share} is not from {least} to {most}"


def _find_clashes(rules: Rules) -> Iterator[str]:
    """Find settings that contradict one another, both named."""
    if rules.hole_card is HoleCard.PEEK and rules.natural_takes is NaturalTakes.ORIGINAL:
        yield (
            "natural_takes=original clashes with hole_card=peek:"
            " after a peek only original bets are on the table"
        )
    if not rules.shows_upcard:
        if rules.insurance:
            yield "insurance clashes with shows_upcard=false: nobody sees an ace to insure against"
        if rules.hole_card is HoleCard.PEEK:
            yield "hole_card=peek clashes with shows_upcard=false: a peek gives the upcard away"
    if rules.even_money is EvenMoney.FIRST and not rules.insurance:
        yield "even_money=first clashes with insurance=false: there is nothing to offer second"
    if rules.even_money is EvenMoney.FIRST and rules.natural_pays <= 1:
        yield (
            f"even_money=first clashes with natural_pays={rules.natural_pays}:"
            " a natural that pays no more than even money has nothing to give up"
        )
    yield from _find_split_clashes(rules)
    yield from _find_dealer_clashes(rules)
    if (
        rules.decks is not None
        and rules.shuffle is Shuffle.EVERY_ROUND
        and rules.penetration != Fraction(3, 4)
    ):
        yield (
            f"penetration={rules.penetration} clashes with shuffle=every-round:"
            " no cut card is used when every round is shuffled"
        )


def _find_split_clashes(rules: Rules) -> Iterator[str]:
    most = rules.max_hands
    if rules.resplit_aces and most is not None and most <= 2:
        yield f"resplit_aces clashes with max_hands={most}: a resplit needs a third hand"
    if rules.hit_split_aces and most == 1:
        yield "hit_split_aces clashes with max_hands=1: nothing is ever split"
    if rules.double_split_aces:
        if not rules.hit_split_aces:
            yield "double_split_aces clashes with hit_split_aces=false"
        if not rules.double_after_split:
            yield "double_split_aces clashes with double_after_split=false"
        if rules.double_on is DoubleOn.NEVER:
            yield "double_split_aces clashes with double_on=never"
    if rules.max_total_hands is not None and rules.max_total_hands < rules.max_spots:
        yield (
            f"max_total_hands={rules.max_total_hands} clashes with"
            f" max_spots={rules.max_spots}: more spots than hands"
        )
    if rules.turn_order is TurnOrder.SPLITS_FIRST and most == 1:
        yield "turn_order=splits-first clashes with max_hands=1: there are no splits to offer"


def _find_dealer_clashes(rules: Rules) -> Iterator[str]:
    if rules.dealer_rule is DealerRule.UNTIL_AHEAD and (
        rules.max_spots != 1 or rules.max_hands != 1
    ):
        yield (
            "dealer_rule=until-ahead clashes with"
            f" max_spots={rules.max_spots}, max_hands={rules.max_hands}:"
            " the dealer can be ahead of one hand only, so both must be 1"
        )
    if rules.player_21 is Player21.WINS and rules.hole_card is HoleCard.NONE:
        yield "player_21=wins clashes with hole_card=none: it needs the dealer's two cards"


def coerce_setting(name: str, value: object) -> object:
    """Turn a value as people and files write it into the setting's own type.

    Texts name members of the closed sets, fractions are written `3/2` or `3:2`; whatever cannot be
    turned is returned as it came, for `find_faults` to name.
    """
    allowed = setting_types()[name]
    if type(value) in allowed:
        return value
    if value == "none" and type(None) in allowed:
        return None
    for kind in allowed:
        if issubclass(kind, StrEnum) and isinstance(value, str):
            word = value.lower().replace("_", "-")
            return kind(word) if word in list(kind) else value
        if kind is Fraction and type(value) in (int, str):
            number = exact_number(str(value).replace(":", "/"))
            return value if number is None else number
    return value


@cache
def setting_types() -> dict[str, tuple[type, ...]]:
    """Return the types each setting may have, by its name."""
    from upcard.rules.model import RULE_NAMES, Rules

    hints: dict[str, Any] = get_type_hints(Rules)
    return {name: get_args(hints[name]) or (hints[name],) for name in RULE_NAMES}


def describe_types(allowed: tuple[type, ...]) -> str:
    """Say in words which values a setting may have."""
    words: list[str] = []
    for kind in allowed:
        if issubclass(kind, StrEnum):
            words.extend(kind)
        elif kind is type(None):
            words.append("none")
        else:
            words.append({bool: "true or false", int: "a whole number"}.get(kind, "a fraction"))
    return words[0] if len(words) == 1 else "one of " + ", ".join(words)
