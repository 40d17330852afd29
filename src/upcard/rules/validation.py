"""Validation of `Rules`: every fault as a sentence, and settings that an engine does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.core.errors import quote
from upcard.rules.setting_table import DEFAULT_PENETRATION, SETTINGS
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
from upcard.rules.tokens import write_value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from upcard.rules.model import Rules


def find_faults(rules: Rules) -> tuple[str, ...]:
    """Return every reason why `rules` cannot be played."""
    # bool is an int to Python, and 1.5 equals a Fraction: compare the exact types.
    wrong_kinds = tuple(
        f"{name}: {quote(value)} is not {setting.possible}"
        for name, setting in SETTINGS.items()
        if type(value := getattr(rules, name)) not in setting.kinds
    )
    out_of_range = tuple(
        f"{name}: {value} is not from {setting.least} to {setting.most}"
        for name, setting in SETTINGS.items()
        if setting.is_out_of_range(value := getattr(rules, name))
    )
    # Settings of the wrong type cannot be compared with one another.
    clashes = () if wrong_kinds else tuple(_find_clashes(rules))
    return (*wrong_kinds, *out_of_range, *clashes)


def _find_clashes(rules: Rules) -> Iterator[str]:
    if rules.hole_card is HoleCard.PEEK and rules.natural_takes is NaturalTakes.ORIGINAL:
        yield (
            "natural_takes=original clashes with hole_card=peek:"
            " after a peek only original bets are on the table"
        )
    if not rules.shows_upcard:
        if rules.insurance:
            yield "insurance clashes with shows_upcard=false: players see no ace to insure against"
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
        and rules.penetration != DEFAULT_PENETRATION
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


def find_unknown(rules: Rules, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Find settings of `rules` that an engine does not know and that differ from the default.

    `known` are those that the engine honours, refuses by value, or may ignore because they do not
    change its answers. Each setting is paired with the reason.
    """
    for name, setting in SETTINGS.items():
        value = getattr(rules, name)
        if name not in known and value != setting.default:
            yield f"{name}={write_value(value)}", "it does not know this rule"
