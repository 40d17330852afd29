"""Play of split hands, and rules in the form that the finite-deck solver's kernels take."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from upcard.rules.predicates import makes_natural, needs_equal_faces
from upcard.rules.settings import HoleCard, NaturalTakes, Player21, Surrender

if TYPE_CHECKING:
    from upcard.core.cards import Rank
    from upcard.kernels.player import Payoffs
    from upcard.rules.model import Rules

_TWO_HANDS: Final = 2


class SplitPlay(StrEnum):
    """Knowledge of the player when playing the hands of a split."""

    CDZ = "CDZ-"
    """Plays by the composition-dependent optimum of an unsplit hand."""
    CDP1 = "CDP1"
    """Plays by the optimum that knows of one removed pair card."""
    CDP = "CDP"
    """As published: the recurrence over removed pair cards, with the optimum of each number.

    It mixes plans, so it is not exactly the value of any play; `CDP-exact` is.
    """
    CDP_EXACT = "CDP-exact"
    """Plays by the optimum that knows how many pair cards the other hands got."""
    FULL = "full"
    """Remembers every card; the second hand gets its second card when the first is done."""
    FULL_AT_ONCE = "full-at-once"
    """Remembers every card; both hands get their second card at once, as at our table."""


FULL_MEMORY: Final = (SplitPlay.FULL, SplitPlay.FULL_AT_ONCE)
"""The split plays that remember every card."""


def find_without_memory(rules: Rules, rank: Rank, *, hands: int | None) -> tuple[str, str] | None:
    """Return the rule that rules out full memory for a pair split into `hands`, with the reason.

    Returns None if it is possible. `hands` is None for no limit.
    """
    if rules.charlie is not None or rules.player_21 is Player21.WINS:
        rule = "player_21=wins" if rules.charlie is None else f"charlie={rules.charlie}"
        return rule, "a hand that wins at once is not in it (charlie, player_21=wins)"
    if makes_natural(rules, rank):
        return f"split_naturals={rules.split_naturals}", "naturals after a split are not in it"
    if needs_equal_faces(rules, rank) and (hands is None or hands > _TWO_HANDS):
        reason = "which faces are left decides which tens may be split again; it knows SP2"
        return f"split_by={rules.split_by}", reason
    return None


def counts_naturals(rules: Rules) -> bool:
    """Whether kernel values include the dealer's naturals: if a natural takes all bets."""
    return rules.hole_card is not HoleCard.PEEK and rules.natural_takes is NaturalTakes.ALL


def payoffs_of(rules: Rules) -> Payoffs:
    """Lower the payoffs of a standing hand."""
    from upcard.kernels.player import Payoffs

    return Payoffs(
        natural_takes_all=float(counts_naturals(rules)),
        natural_ties_21=float(rules.natural_ties_21),
        natural_pays=float(rules.natural_pays),
        charlie=rules.charlie or 0,
        wins_21=int(rules.player_21 is Player21.WINS),
    )


def surrender_value(rules: Rules, natural: float) -> float:
    """Return the kernel value of a surrender, given the chance of a dealer's natural."""
    counted = counts_naturals(rules)
    if rules.surrender is Surrender.EARLY:
        return -0.5 + (0.0 if counted else natural)
    return -0.5 * (1 - natural) - (natural if counted else 0.0)
