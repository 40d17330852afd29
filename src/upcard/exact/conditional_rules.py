"""Rules for one question: those that an exact solver gets in place of the table's rules.

A solver values a hand from the deal on. A question in the middle of a round is turned into such a
hand by changing the rules: after a look the dealer peeks, a split hand has the actions that splits
leave it, and a pair may become as many hands as there is room for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from upcard.core.errors import UnsupportedRuleError
from upcard.exact.support import check_solvable, is_nonstandard
from upcard.rules.predicates import may_double_after_split
from upcard.rules.settings import DoubleOn, HoleCard, NaturalTakes, Surrender, TurnOrder

if TYPE_CHECKING:
    from upcard.core.cards import Rank
    from upcard.rules.model import Rules

_MOST_WITHOUT_LIMIT = 8


def check_rules(rules: Rules) -> None:
    """Refuse rules under which not even an unsplit hand has an exact value.

    Raises: UnsupportedRuleError naming the rule.
    """
    check_solvable(rules if is_nonstandard(rules) else lower_rules(rules, most=1))


@lru_cache(maxsize=256)
def lower_rules(
    rules: Rules, *, most: int | None, split_rank: Rank = 0, has_looked: bool = False
) -> Rules:
    """Return the rules with which a solver values a hand that may become `most` hands."""
    changes: dict[str, Any] = {"max_total_hands": None, "turn_order": TurnOrder.HAND_BY_HAND}
    if has_looked:
        changes |= {"hole_card": HoleCard.PEEK, "natural_takes": NaturalTakes.ALL}
    if split_rank:
        changes["surrender"] = Surrender.NONE
        if not may_double_after_split(rules, split_rank):
            changes |= {"double_on": DoubleOn.NEVER, "double_split_aces": False}
    if most == 1:
        changes["max_hands"] = 1
        changes |= dict.fromkeys(("resplit_aces", "hit_split_aces", "double_split_aces"), False)
    else:
        changes["max_hands"] = most
        if most == 2:
            changes["resplit_aces"] = False
    return rules.replace(**changes)


def limit_splits(rules: Rules) -> tuple[Rules, tuple[str, ...]]:
    """Limit splits if they have an exact method only with a limit; return a note about it."""
    try:
        check_solvable(rules)
    except UnsupportedRuleError as error:
        if error.rule != "SPINF":
            raise
        limited = rules.replace(max_hands=_MOST_WITHOUT_LIMIT)
        check_solvable(limited)
        return limited, (f"splits are valued to {_MOST_WITHOUT_LIMIT} hands, not without limit",)
    return rules, ()
