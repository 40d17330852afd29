"""Small shoes and the dealer, card by card in exact fractions; see `naive_exact`."""

from __future__ import annotations

from fractions import Fraction

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


def draws(shoe: tuple[int, ...]) -> list[tuple[int, Fraction, tuple[int, ...]]]:
    """Return each rank that may come next, its chance, and the shoe then."""
    cards = sum(shoe)
    if not cards:
        raise OutOfCardsError
    return [(r, Fraction(shoe[r - 1], cards), take(shoe, r)) for r in range(1, 11) if shoe[r - 1]]


def add(hand: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """Return a hand with one more card."""
    return tuple(sorted((*hand, rank)))


class Dealer:
    """How the dealer ends, from the cards he has and the shoe he draws from."""

    def __init__(self, rules_facts: dict) -> None:
        self.facts = USUAL_FACTS | rules_facts
        self.known = {}

    def ends(self, cards: tuple[int, ...], shoe: tuple[int, ...]) -> dict[int | str, Fraction]:
        """Return the chance of each end."""
        if (cards, shoe) not in self.known:
            self.known[cards, shoe] = self.work_out(cards, shoe)
        return self.known[cards, shoe]

    def work_out(self, cards, shoe):
        total = best_total(list(cards))
        if cards == (1, 10):
            return {"natural": Fraction(1)}
        if total == 22 and (self.facts["pushes_22"] or self.facts["busts_live"]):
            return {22: Fraction(1)}
        if total > 21:
            return {"bust": Fraction(1)}
        if len(cards) >= 2 and stands_on(self.facts, total, is_soft(list(cards))):
            return {total: Fraction(1)}
        chances = {}
        for rank, chance, left in draws(shoe):
            for end, then in self.ends(add(cards, rank), left).items():
                chances[end] = chances.get(end, 0) + chance * then
        return chances


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
