"""Rules that the compiled simulator supports; it refuses all others by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from upcard.core.errors import UnsupportedRuleError
from upcard.core.hands import AceRule
from upcard.rules.model import Rules, find_unknown
from upcard.rules.settings import DealerRule, HoleCard, Player21, SplitBy, SplitNaturals, TurnOrder

ENGINE: Final = "simulator"
_MOST_WEIGHT: Final = 2**32
_KNOWN_SETTINGS: Final = frozenset(
    (
        *("decks", "ten_probability", "shuffle", "penetration", "ace_rule", "soft_17"),
        *("dealer_rule", "hole_card", "shows_upcard", "natural_takes", "natural_pays"),
        *("natural_ties_21", "player_21", "charlie", "double_on", "double_after_split"),
        *("split_by", "max_hands", "max_total_hands", "resplit_aces", "hit_split_aces"),
        *("double_split_aces", "split_naturals", "surrender", "insurance", "even_money"),
        *("turn_order", "deal_order", "betting", "max_spots"),
    )
)
"""Honoured, refused by value below, or without effect on a round of the simulator."""


def find_unsupported(rules: Rules) -> tuple[tuple[str, str], ...]:
    """Return the rules that the compiled simulator cannot honour, with the reasons."""
    return tuple(_find_unsupported(rules))


def check_supported(rules: Rules) -> None:
    """Refuse rules that the compiled simulator cannot honour.

    Raises: UnsupportedRuleError naming the first such rule.
    """
    for rule, reason in _find_unsupported(rules):
        raise UnsupportedRuleError(ENGINE, rule, reason)


def _find_unsupported(rules: Rules) -> Iterator[tuple[str, str]]:  # noqa: PLR0912 (one a rule)
    yield from find_unknown(rules, _KNOWN_SETTINGS)
    if rules.ace_rule is not AceRule.BEST:
        yield f"ace_rule={rules.ace_rule}", "its charts know soft hands by the ordinary rule"
    if rules.dealer_rule is not DealerRule.TO_17:
        yield f"dealer_rule={rules.dealer_rule}", "its dealer draws without looking at the player"
    if rules.hole_card is HoleCard.NO_PEEK:
        yield "hole_card=no-peek", "its dealer looks at a hole card that is dealt"
    if not rules.shows_upcard:
        yield "shows_upcard=false", "its charts are read by the upcard"
    if rules.natural_ties_21:
        yield "natural_ties_21=true", "its dealer's natural beats any other 21"
    if rules.player_21 is not Player21.STANDS:
        yield f"player_21={rules.player_21}", "its hands stand on 21"
    if rules.charlie is not None:
        yield f"charlie={rules.charlie}", "it does not count a hand's cards"
    if rules.split_by is SplitBy.RANK and rules.max_hands != 1:
        yield "split_by=rank", "its tens are all alike"
    if rules.split_naturals is not SplitNaturals.NEVER and rules.max_hands != 1:
        yield f"split_naturals={rules.split_naturals}", "its split hands make no naturals"
    if rules.max_total_hands is not None:
        yield f"max_total_hands={rules.max_total_hands}", "it limits the hands of each spot only"
    if rules.turn_order is not TurnOrder.HAND_BY_HAND:
        yield f"turn_order={rules.turn_order}", "it plays each hand to its end before the next"
    if not rules.betting:
        yield "betting=false", "it counts what bets win"
    if rules.decks is None and 9 * rules.ten_probability.denominator >= _MOST_WEIGHT:
        reason = "a denominator over 400 million does not fit its draws"
        yield f"ten_probability={rules.ten_probability}", reason
