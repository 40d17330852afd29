"""The naive twin of `naive_exact` with insurance and even money played out, hole card by hole card.

More keys of `facts`:

    insurance        is it offered?                                                      True
    even_money       "never", "instead" or "first": before insurance, offered after it   "instead"
    surrender_first  does early surrender come before a look that insurance brings about? False

`taking` says how offers are answered:

    never   declined
    always  taken, even money where it is offered
    best    each hand answers as it is best off, but even money alone where a natural pays under 3:2

Where the dealer looks only if somebody insured ("no peek"), an insured hand is played in a game in
which he has looked.
"""

from __future__ import annotations

from fractions import Fraction

import naive_exact
from naive import is_natural
from naive_dealer import draws, take

HALF = Fraction(1, 2)


class Game(naive_exact.Game):
    """The values of hands against one upcard, the offers answered."""

    def __init__(self, rules_facts, shoe, upcard, *, strategy=None, hole=None):
        super().__init__(rules_facts, shoe, upcard, strategy=strategy, hole=hole)
        self.taking = "best"
        self.asked = rules_facts, shoe, upcard
        self.insured = self
        if self.facts["hole_card"] == "no peek":
            looked = rules_facts | {"hole_card": "peek", "natural_takes": "all"}
            if self.facts["surrender"] == "early" and not self.facts.get("surrender_first"):
                looked["surrender"] = "late"
            self.insured = naive_exact.Game(looked, shoe, upcard, strategy=strategy)

    def value(self, taking="best"):
        """Return the value of a round against this upcard."""
        self.taking = taking
        return super().value()

    def opening(self, hand):
        if self.facts["suited_pays"] is not None and is_natural(list(hand), None, "never"):
            return sum(share * self.of_one_pay(pays, hand) for share, pays in self.pays_by_suit())
        if self.taking == "never":
            return super().opening(hand)
        declined, *answers = self.answers(hand).values()
        return answers[0] if answers and self.taking == "always" else max([declined, *answers])

    def pays_by_suit(self):
        """Return what naturals pay, each with its share: the player sees their suits."""
        suited = Fraction(1, 4)
        return ((1 - suited, self.facts["natural_pays"]), (suited, self.facts["suited_pays"]))

    def of_one_pay(self, pays, hand):
        """Return the value of a natural that pays so much; even money is offered as before."""
        facts, shoe, upcard = self.asked
        even_money = {"even_money": self.even_money()}
        paid = facts | even_money | {"natural_pays": pays, "suited_pays": None}
        game = Game(paid, shoe, upcard, strategy=self.strategy, hole=self.hole)
        game.taking = self.taking
        return game.opening(hand)

    def even_money(self):
        is_fair = self.facts["natural_pays"] >= Fraction(3, 2)
        even_money = self.facts.get("even_money", "instead" if is_fair else "never")
        if self.facts["natural_tie"] == "win":
            even_money = "never"  # such a natural has nothing to lose
        return even_money

    def answers(self, hand):
        """Return the values of declining and of what is offered, in the order it is offered."""
        declined = super().opening(hand)
        if self.upcard != 1 or self.hole or not self.facts.get("insurance", True):
            return {"decline": declined}
        after_look = declined if self.insured is self else self.insured.opening(hand)
        side_bet = sum(
            p * (self.facts["insurance_pays"] * HALF if hole == 10 else -HALF)
            for hole, p, _ in draws(take(self.shoe, *hand))
        )
        even_money = self.even_money()
        if even_money == "never" or not is_natural(list(hand), None, "never"):
            return {"decline": declined, "insurance": after_look + side_bet}
        if even_money == "instead":
            return {"decline": declined, "even money": Fraction(1)}
        return {
            "decline": declined,
            "even money": Fraction(1),
            "insurance": after_look + side_bet,
        }


def value_game(rules_facts, shoe, *, taking="best", strategy=None):
    """Return the value of a round before any card is dealt."""
    return sum(
        p * Game(rules_facts, shoe, upcard, strategy=strategy).value(taking)
        for upcard, p, _ in draws(shoe)
    )
