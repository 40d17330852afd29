"""Settings of `Rules` that the exact solvers know."""

from __future__ import annotations

from typing import Final

KNOWN_SETTINGS: Final = frozenset(
    (
        *("decks", "ten_probability", "shuffle", "penetration", "ace_rule", "soft_17"),
        *("dealer_rule", "hole_card", "shows_upcard", "natural_takes", "natural_pays"),
        *("natural_ties_21", "player_21", "charlie", "double_on", "double_after_split"),
        *("split_by", "max_hands", "max_total_hands", "resplit_aces", "hit_split_aces"),
        *("double_split_aces", "split_naturals", "surrender", "insurance", "even_money"),
        *("turn_order", "deal_order", "betting", "max_spots"),
    )
)
"""Honoured, refused by value (`find_unsupported`), or without effect on a value.

Add a setting once all three solvers do one of these; until then they refuse it.
"""
