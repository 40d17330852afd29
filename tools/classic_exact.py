"""Exact values of the game of Sutton and Barto, by a program that shares nothing with upcard.

The game is Gymnasium's Blackjack-v1: an infinite deck, hit (1) and stick (0).
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Seen: TypeAlias = tuple[int, int, int]
"""Total, upcard, usable ace: what the player sees."""

ODDS = {card: (4 if card == 10 else 1) / 13 for card in range(1, 11)}


def total_of(hard: int, has_ace: bool) -> int:  # noqa: FBT001 (a state, not an option)
    """Return the total of a hand."""
    return hard + 10 if has_ace and hard <= 11 else hard


@cache
def _dealer(hard: int, has_ace: bool) -> dict[int, float]:  # noqa: FBT001
    """Return the chances of the dealer's final scores, 0 for a bust."""
    total = total_of(hard, has_ace)
    if total >= 17:
        return {total if total <= 21 else 0: 1.0}
    scores: dict[int, float] = {}
    for card, odds in ODDS.items():
        for score, chance in _dealer(hard + card, has_ace or card == 1).items():
            scores[score] = scores.get(score, 0.0) + odds * chance
    return scores


@cache
def _stand(total: int, upcard: int, *, is_natural: bool, sab: bool, natural: bool) -> float:
    ev = 0.0
    for hole, odds in ODDS.items():
        for score, chance in _dealer(upcard + hole, 1 in (upcard, hole)).items():
            reward = float((total > score) - (total < score))
            if is_natural and sab and {upcard, hole} != {1, 10}:
                reward = 1.0
            elif is_natural and not sab and natural and reward == 1:
                reward = 1.5
            ev += odds * chance * reward
    return ev


def value_of(
    decide: Callable[[Seen], int] | None, *, sab: bool = True, natural: bool = False
) -> float:
    """Return the EV of a policy, a function of what the player sees; of the best one for None."""
    return _solve(decide, {}, sab=sab, natural=natural)


def optimum(*, sab: bool = True, natural: bool = False) -> tuple[float, dict[Seen, int]]:
    """Return the value of the game, and the best action by what the player sees."""
    best: dict[Seen, int] = {}
    return _solve(None, best, sab=sab, natural=natural), best


def _solve(
    decide: Callable[[Seen], int] | None, best: dict[Seen, int], *, sab: bool, natural: bool
) -> float:
    @cache
    def value(hard: int, has_ace: bool, upcard: int, is_natural: bool) -> float:  # noqa: FBT001
        total = total_of(hard, has_ace)
        seen = total, upcard, int(total != hard)
        stands = _stand(total, upcard, is_natural=is_natural, sab=sab, natural=natural)
        hits = 0.0
        for card, odds in ODDS.items():
            has_aces = has_ace or card == 1
            lives = hard + card <= 21
            hits += odds * (value(hard + card, has_aces, upcard, False) if lives else -1)
        if not is_natural:
            best[seen] = int(hits > stands)
        if decide is None:
            return max(stands, hits)
        return hits if decide(seen) else stands

    ev = 0.0
    for up, one, two in product(ODDS, repeat=3):
        is_natural = {one, two} == {1, 10}
        ev += ODDS[up] * ODDS[one] * ODDS[two] * value(one + two, 1 in (one, two), up, is_natural)
    return ev
