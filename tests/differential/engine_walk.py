"""The exact value of a round found by walking the table engine: every card that can come.

Each card is a move with the odds of the cards left; the player's answers come from a function.
"""

from __future__ import annotations

from fractions import Fraction

from naive_dealer import draws, mean

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.table import HandStatus, apply, start_round

DECLINE = (Action.NO_EVEN_MONEY, Action.NO_INSURANCE)


class Walk:
    """The engine under one set of rules; `answer` is called with the state and gives an action.

    Answers may depend on the asked hand, the upcard and whether insurance was taken; if it
    `sees_pair_cards`, also on how many cards of the pair the other hands of a split began with.
    Insurance and even money are declined, unless `answer` is `asked_offers` too.
    """

    def __init__(self, rules, answer, *, sees_pair_cards=False, asked_offers=False):
        self.rules = rules
        self.answer = answer
        self.sees_pair_cards = sees_pair_cards
        self.asked_offers = asked_offers
        self.known = {}

    def game_value(self, counts):
        """Return the value of a round dealt from ten counts of cards: aces, twos, ..., tens."""
        return self.value(start_round(self.rules), tuple(counts))

    def value(self, state, counts):
        while state.awaits_action:
            state, _ = apply(state, self.choose(state))
        if state.is_over:
            return Fraction(state.net)
        seen = (
            tuple(ranks_of(hand.cards[:2]) for hand in state.hands) if self.sees_pair_cards else ()
        )
        key = (*look(state), state.insurance, counts, seen)
        if key not in self.known:
            self.known[key] = mean(
                (chance, self.value(apply(state, Card("?A23456789T"[rank]))[0], left))
                for rank, chance, left in draws(counts)
            )
        return self.known[key]

    def choose(self, state):
        if self.asked_offers:
            return self.answer(state)
        declined = next((action for action in DECLINE if action in state.legal), None)
        return declined or self.answer(state)


def look(state):
    """Return all of a state that can matter to what follows."""
    hands = tuple(
        (
            *(ranks_of(hand.cards), hand.split_rank, hand.status, hand.declined_split, hand.turns),
            *bets_of(hand),
        )
        if hand.status in (HandStatus.PLAYING, HandStatus.DOUBLED)
        else (hand.total, *bets_of(hand), hand.status)
        for hand in state.hands
    )
    dealer = tuple(card.rank for card in state.dealer)
    if not state.pending or state.pending[0] >= 0 or len(dealer) < 3:
        return hands, dealer, state.pending, state.active, state.phase
    return hands, dealer[:1], tuple(sorted(dealer)), state.pending, state.phase


def bets_of(hand):
    """Return the bets of a hand in whole numbers: a fraction in a key takes long to hash."""
    return *hand.stake.as_integer_ratio(), *hand.pays_on.as_integer_ratio()


def ranks_of(cards):
    return tuple(sorted(card.rank for card in cards))
