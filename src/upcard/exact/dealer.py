"""The dealer on an infinite deck: probabilities of every final total."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from upcard.core.cards import ACE, RANKS, TEN, Rank
from upcard.core.errors import RulesError
from upcard.core.hands import BUST_LIMIT, EMPTY_HAND, AceRule, hand_table
from upcard.rules.model import Rules
from upcard.rules.predicates import dealer_draws, dealer_peeks
from upcard.rules.settings import DealerRule

BUST: Final = BUST_LIMIT + 1
_PARTNER: Final = {ACE: TEN, TEN: ACE}


class DealerProbabilities(NamedTuple):
    """Probabilities of the dealer's result; they sum to 1."""

    totals: tuple[float, ...]
    """By final total, 0 to 21, without naturals."""
    bust: float
    natural: float
    """0 once the dealer has looked and has no natural."""


def rank_odds(rules: Rules) -> tuple[float, ...]:
    """Return the probability of drawing each rank, 1 to 10 (entry 0 is unused)."""
    share = float(_low_share(rules))
    return (0.0, *(share for _ in range(ACE, TEN)), float(rules.ten_probability))


def natural_odds(rules: Rules, upcard: Rank) -> float:
    """Return the probability that the dealer's second card makes a natural, before any look."""
    partner = _PARTNER.get(upcard)
    return rank_odds(rules)[partner] if partner else 0.0


def dealer_outcomes(
    rules: Rules, upcard: Rank, *, player_total: int | None = None
) -> DealerProbabilities:
    """Return the probabilities of the dealer's result, without naturals once the dealer has looked.

    Only a dealer who stops when ahead needs `player_total`.

    Raises: RulesError if it is needed and missing.
    """
    if rules.dealer_rule is not DealerRule.UNTIL_AHEAD:
        player_total = None
    elif player_total is None:
        raise RulesError("the odds of a dealer who stops when ahead: player_total is needed")
    table = hand_table(rules.ace_rule)
    odds = rank_odds(rules)
    reached = [0.0] * len(table.total)
    first = table.next_state[EMPTY_HAND][upcard]
    for rank, share in _second_card(rules, upcard):
        reached[table.next_state[first][rank]] += share
    finals = [0.0] * (BUST + 1)
    draws = drawing_states(rules, player_total)
    for state in growth_order(rules.ace_rule):
        share = reached[state]
        if not share:
            continue
        if draws[state]:
            for rank, after in enumerate(table.next_state[state][1:], start=1):
                reached[after] += share * odds[rank]
        else:
            finals[min(table.total[state], BUST)] += share
    natural = 0.0 if dealer_peeks(rules, upcard) else natural_odds(rules, upcard)
    return DealerProbabilities(tuple(finals[:BUST]), finals[BUST], natural)


@lru_cache(maxsize=4)
def growth_order(ace_rule: AceRule) -> tuple[int, ...]:
    """Return all states in an order in which every card leads to a later one."""
    table = hand_table(ace_rule)

    def least(state: int) -> int:
        """Return the total with a soft ace as 1: every card increases it."""
        return table.total[state] - 10 * table.is_soft[state]

    return tuple(sorted(range(len(table.total)), key=least))


def _low_share(rules: Rules) -> Fraction:
    return (1 - rules.ten_probability) / 9


def _second_card(rules: Rules, upcard: Rank) -> list[tuple[Rank, float]]:
    """Return the odds of each second card that makes no natural, given so after a look.

    Computed in fractions, so that an ace up has its limit if all cards are tens.
    """
    low = _low_share(rules)
    shares = dict.fromkeys(RANKS, low) | {TEN: rules.ten_probability}
    partner = _PARTNER.get(upcard)
    if partner:
        del shares[partner]
    if dealer_peeks(rules, upcard):
        if upcard == ACE:
            shares = dict.fromkeys(shares, Fraction(1, 9))
        else:
            shares = {rank: share / (1 - low) for rank, share in shares.items()}
    return [(rank, float(share)) for rank, share in shares.items()]


@lru_cache(maxsize=64)
def drawing_states(rules: Rules, player_total: int | None) -> tuple[bool, ...]:
    """Return for every state whether the dealer takes another card.

    `player_total` is None for a dealer who ignores it.
    """
    table = hand_table(rules.ace_rule)
    return tuple(
        dealer_draws(
            rules, total, is_soft=is_soft, was_softened=was_softened, player_total=player_total
        )
        for total, is_soft, was_softened in zip(
            table.total, table.is_soft, table.was_softened, strict=True
        )
    )
