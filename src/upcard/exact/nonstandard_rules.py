"""Rules that need the solver for non-standard houses, and those that it supports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from upcard.core.hands import AceRule
from upcard.exact.known_settings import KNOWN_SETTINGS
from upcard.rules.known_settings import find_unknown
from upcard.rules.predicates import most_hands
from upcard.rules.settings import DealerRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.rules.model import Rules

ENGINE: Final = "non-standard solver"
NO_CHART: Final = "a chart by totals does not distinguish hands that this house's ace rule does"


def is_nonstandard(rules: Rules) -> bool:
    """Whether the ace rule is non-standard, or the dealer looks at the player."""
    return rules.ace_rule is not AceRule.BEST or rules.dealer_rule is not DealerRule.TO_17


def find_unsupported(rules: Rules) -> Iterator[tuple[str, str]]:
    """Find the settings that the non-standard solver cannot honour, with the reasons."""
    yield from find_unknown(rules, KNOWN_SETTINGS)
    if rules.is_infinite:
        yield "INF", "its cards are those of decks; name 1D to 8D"
    if most_hands(rules) != 1:
        reason = "with a non-standard ace or dealer rule it knows hands that are not split (SP1)"
        yield f"SP{rules.max_hands or 'INF'}", reason
    if rules.charlie is not None:
        yield f"charlie={rules.charlie}", "a hand that wins by its number of cards is not in it"
    if not rules.shows_upcard:
        yield "shows_upcard=false", "its values are those against an upcard that is seen"
