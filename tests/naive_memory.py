"""Splits played by one who remembers every card seen, to check the exact solver against.

The player sees both hands of the split; the hole card is one of the cards he has not seen. All
that he may do he tries, at every turn of either hand.
"""

from __future__ import annotations

from naive_dealer import add, mean
from naive_exact import Game, end_hand


class MemoryGame(Game):
    """`Game` with full memory after a split, to two hands or as many as the facts say.

    `at_once` tells whether both halves get their second card before the first is played.
    """

    REMEMBERED = (*Game.REMEMBERED, "turn")

    def __init__(self, rules_facts, shoe, upcard, *, at_once) -> None:
        super().__init__({"max_hands": 2} | rules_facts, shoe, upcard)
        self.at_once = at_once

    def split(self, hand):
        return self.halve((), (), self.unseen(hand, ()), hand[0])

    def halve(self, others, done, shoe, pair):
        """Make two hands of a pair, before others that wait."""
        if not self.at_once:
            return self.turn(((pair,), (pair,), *others), done, shoe, pair)
        return mean(
            (
                chance * then,
                self.turn((add((pair,), first), add((pair,), second), *others), done, left, pair),
            )
            for first, chance, after_first in self.next_cards(shoe)
            for second, then, left in self.next_cards(after_first)
        )

    def turn(self, waiting, done, shoe, pair):
        """Return what the spot wins on average; `shoe` holds all cards not seen."""
        if not waiting:
            return self.settled(done, shoe, None)
        return max(self.answers(waiting, done, shoe, pair))

    def answers(self, waiting, done, shoe, pair):
        """Return the value of each thing that the first hand may do."""
        hand, *others = waiting
        rest = tuple(others)
        hit = [
            (chance, self.turn((add(hand, rank), *rest), done, left, pair))
            for rank, chance, left in (() if self.is_over(hand, pair) else self.next_cards(shoe))
        ]
        if len(hand) == 1:
            return [mean(hit)]
        known = []
        if not hit or self.may_stand(hand):
            known = [self.turn(rest, end_hand(done, self.worth(hand, pair), (1, 1)), shoe, pair)]
        if self.may_split(hand, len(waiting) + len(done), pair):
            known.append(self.halve(rest, done, shoe, pair))
        if not hit:
            return known
        known.append(mean(hit))
        if not self.may_double(hand, pair):
            return known
        bets = (self.facts["double_stake"], self.facts["double_stake"])
        double = []
        for rank, chance, left in self.next_cards(shoe):
            then = end_hand(done, self.worth(add(hand, rank), pair), bets)
            double.append((chance, self.turn(rest, then, left, pair)))
        return [*known, mean(double)]

    def is_over(self, hand, pair):
        """Whether a hand of a split gets no more cards."""
        if len(hand) == 1:
            return False
        return self.is_finished(hand) or (pair == 1 and not self.facts["hsa"])
