"""Small shoes and the dealer, card by card in exact fractions; see `naive_exact`."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from math import lcm

from naive import USUAL_FACTS as USUAL_FACTS_OF_A_TABLE
from naive import best_total, is_soft, stands_on

USUAL_FACTS = USUAL_FACTS_OF_A_TABLE | {
    "double_on": "any two",
    "double_stake": 2,
    "free_double": "never",
    "free_splits": (),
    "never_split": (),
    "ace_hands": None,
    "min_stand": None,
    "decks": 6,
    "max_doubles": 1,
    "rescue": False,
    "das": True,
    "max_hands": 4,
    "rsa": False,
    "hsa": False,
    "double_split_aces": False,
}
DEALER_ENDS = (17, 18, 19, 20, 21, "natural", "bust")
KNOWN_ENDS = defaultdict(dict)
"""How dealers end, by the rules that it depends on: games share what one has worked out."""


class OutOfCardsError(Exception):
    """A card is due and none is left."""


def shoe_of(counts: dict[int, int]) -> tuple[int, ...]:
    """Return a shoe with so many cards of each rank."""
    return tuple(counts.get(rank, 0) for rank in range(1, 11))


def take(shoe: tuple[int, ...], *ranks: int) -> tuple[int, ...]:
    """Return the shoe without these cards."""
    left = list(shoe)
    for rank in ranks:
        left[rank - 1] -= 1
        if left[rank - 1] < 0:
            raise OutOfCardsError
    return tuple(left)


@cache
def draws(shoe: tuple[int, ...]) -> tuple[tuple[int, Fraction, tuple[int, ...]], ...]:
    """Return each rank that may come next, its chance, and the shoe then."""
    cards = sum(shoe)
    if not cards:
        raise OutOfCardsError
    ranks = (rank for rank in range(1, 11) if shoe[rank - 1])
    return tuple((rank, Fraction(shoe[rank - 1], cards), take(shoe, rank)) for rank in ranks)


def mean(parts) -> Fraction:
    """Return the sum of chances times values, in parts (chance, value).

    It is reduced once, at the end: most of a fraction's time is that.
    """
    products = [(p.numerator * v.numerator, p.denominator * v.denominator) for p, v in parts]
    whole = lcm(*(below for _, below in products))
    return Fraction(sum(above * (whole // below) for above, below in products), whole)


@cache
def total_of(hand: tuple[int, ...]) -> int:
    """Return the total of a hand."""
    return best_total(list(hand))


@cache
def add(hand: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """Return a hand with one more card."""
    return tuple(sorted((*hand, rank)))


class Dealer:
    """How the dealer ends, from the cards he has and the shoe he draws from."""

    def __init__(self, rules_facts: dict) -> None:
        self.facts = USUAL_FACTS | rules_facts
        self.tells_22 = self.facts["pushes_22"] or self.facts["busts_live"]
        self.known = KNOWN_ENDS[self.facts["soft_17"], self.tells_22]

    def ends(self, cards: tuple[int, ...], shoe: tuple[int, ...]) -> dict[int | str, Fraction]:
        """Return the chance of each end."""
        if (cards, shoe) not in self.known:
            self.known[cards, shoe] = self.work_out(cards, shoe)
        return self.known[cards, shoe]

    def work_out(self, cards, shoe):
        total = total_of(cards)
        if cards == (1, 10):
            return {"natural": Fraction(1)}
        if total == 22 and self.tells_22:
            return {22: Fraction(1)}
        if total > 21:
            return {"bust": Fraction(1)}
        if len(cards) >= 2 and stands_on(self.facts, total, is_soft(list(cards))):
            return {total: Fraction(1)}
        chances = defaultdict(list)
        for rank, chance, left in draws(shoe):
            for end, then in self.ends(add(cards, rank), left).items():
                chances[end].append((chance, then))
        return {end: mean(parts) for end, parts in chances.items()}


def dealer_outcomes(rules_facts: dict, shoe: tuple[int, ...], upcard: int) -> dict:
    """Return the chance of each of `DEALER_ENDS`; with a peek, given that there is no natural."""
    dealer = Dealer(rules_facts)
    ends = dict.fromkeys(DEALER_ENDS, Fraction(0))
    ends |= dealer.ends((upcard,), take(shoe, upcard))
    if dealer.facts["hole_card"] == "peek":
        unnatural = 1 - ends["natural"]
        ends["natural"] = Fraction(0)
        return {end: chance / unnatural for end, chance in ends.items()}
    return ends
