"""The best play's value found by walking the table engine itself: every card, every answer.

The dealer's hole card lies there before the player acts, so what is walked are beliefs: all the
states that look alike to the player, each with its odds. One answer is chosen for all of them.
"""

from __future__ import annotations

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.rules.settings import DealerRule, HoleCard, SplitBy, TurnOrder
from upcard.table import HandStatus, Phase, apply, start_round
from upcard.table.settle import find_result
from upcard.table.state import DRAW, HOLE

DECLINE = (Action.NO_INSURANCE, Action.NO_EVEN_MONEY)


class Tree:
    """The engine under one set of rules on an infinite deck."""

    def __init__(self, rules):
        self.rules = rules
        p = float(rules.ten_probability)
        low = [(Card(face), (1 - p) / 9) for face in "A23456789"]
        tens = "TJQK" if rules.split_by is SplitBy.RANK else "T"
        self.draws = [*low, *((Card(face), p / len(tens)) for face in tens)]
        self.known = {}
        self.settled = {}

    def first_values(self, cards, upcard):
        """Return the value of each answer to the first question."""
        belief = self.deal([Card(card) for card in cards], Card(upcard))
        belief = self.decline_offers(belief)
        belief = [(share, state) for share, state in belief if not state.is_over]
        total = sum(share for share, _ in belief)
        belief = [(share / total, state) for share, state in belief]
        legal = belief[0][1].legal
        if Action.NO_SURRENDER not in legal and Action.NO_SPLIT not in legal:
            return {action: self.after(belief, action) for action in legal}
        # An offer of its own: what follows from declining it are further answers.
        accepted = {legal[0]: self.after(belief, legal[0])}
        declined = self.act(belief, legal[1])
        over = sum(share * float(state.net) for share, state in declined if state.is_over)
        going_on = [(share, state) for share, state in declined if not state.is_over]
        assert len({state.legal for _, state in going_on}) == 1
        values = {action: over + self.after(going_on, action) for action in going_on[0][1].legal}
        if Action.NO_SPLIT in values:
            del values[Action.NO_SPLIT]
            unsplit = self.act(going_on, Action.NO_SPLIT)
            values |= {action: over + self.after(unsplit, action) for action in unsplit[0][1].legal}
        return values | accepted

    def deal(self, hand, upcard):
        """Deal an opening; the hole card is every card at once."""
        belief = [(1.0, start_round(self.rules))]
        while belief[0][1].phase is Phase.DEAL:
            target = belief[0][1].pending[0]
            if target >= 0:
                card = hand[len(belief[0][1].hands[0].cards)]
                belief = [(share, apply(state, card)[0]) for share, state in belief]
            elif target == HOLE:
                belief = [
                    (share * odds, apply(state, card)[0])
                    for share, state in belief
                    for card, odds in self.draws
                ]
            else:
                belief = [(share, apply(state, upcard)[0]) for share, state in belief]
            if len({state.phase for _, state in belief}) > 1:
                break
        return belief

    def decline_offers(self, belief):
        """Turn insurance and even money down."""
        while any(state.phase is Phase.INSURANCE for _, state in belief):
            belief = [
                (share, apply(state, state.legal[-1])[0] if not state.is_over else state)
                for share, state in belief
            ]
        return belief

    def act(self, belief, action):
        return [(share, apply(state, action)[0]) for share, state in belief]

    def after(self, belief, action):
        return self.value(self.act(belief, action))

    def value(self, belief):
        """Return the value of a belief, played on in the best way."""
        parts = {}
        for share, state in belief:
            if state.is_over:
                look = "over"
            elif state.phase is Phase.DEALER:
                look = "dealer"
            else:
                look = (state.phase, state.active, state.pending, state.legal)
            parts.setdefault(look, []).append((share, state))
        return sum(self.part_value(look, part) for look, part in parts.items())

    def part_value(self, look, belief):
        if look == "over":
            return sum(share * float(state.net) for share, state in belief)
        if look == "dealer":
            return sum(share * self.dealer_value(state) for share, state in belief)
        total = sum(share for share, _ in belief)
        if not total:
            return 0.0
        key = (look, public(belief[0][1]), tuple((s / total, secret(state)) for s, state in belief))
        if key not in self.known:
            belief = [(share / total, state) for share, state in belief]
            if belief[0][1].pending:
                self.known[key] = sum(
                    odds * self.value([(share, apply(state, card)[0]) for share, state in belief])
                    for card, odds in self.draws
                )
            else:
                legal = belief[0][1].legal
                self.known[key] = max(self.after(belief, action) for action in legal)
        return total * self.known[key]

    def dealer_value(self, state):
        """Return the expected net of a round that only the dealer still plays."""
        if state.is_over:
            return float(state.net)
        key = (public(state), secret(state))
        if key not in self.settled:
            assert state.pending == (DRAW,)
            self.settled[key] = sum(
                odds * self.dealer_value(apply(state, card)[0]) for card, odds in self.draws
            )
        return self.settled[key]


def public(state):
    """Return what matters of what everybody sees."""
    over = [index for index in range(len(state.hands)) if is_over(state, index)]
    played = (played_hand(state, index) for index in over)
    playing = (public_hand(state, index) for index in range(len(state.hands)) if index not in over)
    up = state.dealer[0 if state.rules.hole_card is HoleCard.NONE else state.setup.up_index]
    return tuple(sorted(played)), tuple(playing), state.active, state.phase, up.rank


def is_over(state, index):
    return state.hands[index].status is not HandStatus.PLAYING and index not in state.pending


def played_hand(state, index):
    """Return what matters of a hand that is over, whichever it was of a round's hands."""
    hand = state.hands[index]
    # No dealer who draws to 17 ends under it, so lower totals are worth the same.
    least = 16 if state.rules.dealer_rule is DealerRule.TO_17 else 0
    return max(find_result(state.rules, hand, state.upcard.rank), least), *bets_of(hand)


def bets_of(hand):
    """Return the bets of a hand in whole numbers: a fraction in a key takes long to hash."""
    return *hand.stake.as_integer_ratio(), *hand.pays_on.as_integer_ratio()


def public_hand(state, index):
    hand = state.hands[index]
    return (
        hand.arithmetic_state,
        min(len(hand.cards), state.rules.charlie or 3),
        len(hand.cards) == 2 and hand.cards[0].face == hand.cards[1].face,
        hand.status,
        *bets_of(hand),
        hand.split_rank,
        state.rules.turn_order is TurnOrder.ROUND_ROBIN and hand.turns < state.turn,
        hand.declined_split,
    )


def secret(state):
    """Return what matters of the dealer's cards."""
    return state.dealer_state, min(len(state.dealer), 3)
