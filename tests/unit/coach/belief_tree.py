"""The best play's value by walking the table engine on a few unseen cards: an independent source.

The hole card lies there before the player acts, so what is walked are beliefs: all the states that
look alike to the player, each with its share and with the cards that are left in the shoe then.
"""

from __future__ import annotations

from upcard.core.cards import Card
from upcard.rules.settings import HoleCard
from upcard.table import Phase, apply, start_round, view
from upcard.table.state import HOLE, UPCARD

FACES = "A23456789T"


class BeliefTree:
    """A round of `rules` with `unseen` cards left: ten numbers, aces first."""

    def __init__(self, rules, unseen):
        self.rules = rules
        self.unseen = tuple(unseen)
        self.known = {}

    def deal(self, hand, upcard):
        """Deal known cards, the hole card being every unseen card at once; until a question."""
        belief = [(1.0, start_round(self.rules), self.unseen)]
        hand = [Card(card) for card in hand]
        while any(state.phase is Phase.DEAL for _, state, _ in belief):
            target = belief[0][1].pending[0]
            if target == UPCARD:
                belief = [(p, apply(s, Card(upcard))[0], left) for p, s, left in belief]
            elif target == HOLE:
                belief = [
                    self.draw(s, left, place, p)
                    for p, s, left in belief
                    for place in range(10)
                    if left[place]
                ]
            else:
                card = hand.pop(0)
                belief = [(p, apply(s, card)[0], left) for p, s, left in belief]
        return self.condition(belief)

    @staticmethod
    def draw(state, left, place, share):
        chance = left[place] / sum(left)
        rest = (*left[:place], left[place] - 1, *left[place + 1 :])
        return share * chance, apply(state, Card(FACES[place]))[0], rest

    @staticmethod
    def condition(belief):
        """Keep what continues, with shares that sum to 1: the rest is over, and seen to be."""
        belief = [one for one in belief if not one[1].is_over]
        whole = sum(share for share, _, _ in belief)
        return [(share / whole, state, left) for share, state, left in belief]

    def give(self, belief, move):
        """Apply an answer, or a card to a player's hand."""
        if isinstance(move, Card):
            place = FACES.index(move.face)
            belief = [self.draw(s, left, place, p) for p, s, left in belief if left[place]]
        else:
            belief = [(p, apply(s, move)[0], left) for p, s, left in belief]
        return self.condition(belief)

    def values(self, belief):
        """Return the value of the round for each answer, played on in the best way."""
        state = belief[0][1]
        return {action: self.after(belief, action) for action in state.legal}

    def after(self, belief, action):
        return self.value([(p, apply(s, action)[0], left) for p, s, left in belief])

    def value(self, belief):
        parts = {}
        for one in belief:
            state = one[1]
            look = (state.phase, state.active, state.pending, state.legal)
            parts.setdefault(look, []).append(one)
        return sum(self.part_value(look, part) for look, part in parts.items())

    def part_value(self, look, belief):
        phase = look[0]
        if phase is Phase.OVER:
            return sum(share * float(state.net) for share, state, _ in belief)
        if phase is Phase.DEALER:
            return sum(share * self.dealer_value(state, left) for share, state, left in belief)
        whole = sum(share for share, _, _ in belief)
        if not whole:
            return 0.0
        first = belief[0][1]
        hands = tuple(
            (h.arithmetic_state, h.status, h.stake, h.pays_on, len(h.cards), h.split_rank)
            for h in first.hands
        )
        key = (
            look,
            hands,
            first.insurance,
            tuple((round(p / whole, 12), s.dealer, left) for p, s, left in belief),
        )
        if key not in self.known:
            if first.pending:
                value = 0.0
                for place in range(10):
                    drawn = [
                        self.draw(s, left, place, p / whole) for p, s, left in belief if left[place]
                    ]
                    value += self.value(drawn) if drawn else 0.0
            else:
                alike = [(p / whole, s, left) for p, s, left in belief]
                value = max(self.after(alike, action) for action in first.legal)
            self.known[key] = value
        return whole * self.known[key]

    def dealer_value(self, state, left):
        if state.is_over:
            return float(state.net)
        finals = tuple((h.total, h.status, h.stake, h.pays_on) for h in state.hands)
        key = (finals, state.dealer_state, len(state.dealer), left, state.insurance)
        if key not in self.known:
            drawn = (self.draw(state, left, place, 1.0) for place in range(10) if left[place])
            self.known[key] = sum(p * self.dealer_value(s, rest) for p, s, rest in drawn)
        return self.known[key]


def look_at(belief):
    """Return what the player sees: the same in all states of a belief."""
    views = {repr(view(state)) for _, state, _ in belief}
    assert len(views) == 1 or belief[0][1].rules.hole_card is HoleCard.NONE
    return view(belief[0][1])
