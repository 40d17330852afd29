"""A second, naive solver for the infinite deck: plain recursion on lists of ranks, no `upcard`.

Rank 1 is an ace, 10 any ten-valued card. Slow and obvious on purpose: hands are the cards they
hold, both halves of a split get their cards at once, and every answer that is allowed is tried.

`Game(**facts)` takes the rules as facts; `USUAL` below names them all.
"""

from __future__ import annotations

from functools import cache

RANKS = range(1, 11)


USUAL = {
    "p": 4 / 13,
    "hits_soft_17": False,
    "hole": "peek",  # "peek", "no peek"
    "takes": "all",  # "all", "original"
    "pays": 1.5,
    "ties_21": False,
    "at_21": "stands",  # "stands", "asked", "wins"
    "double": "any two",  # "any two", "9 to 11", "10 to 11", "any number", "never"
    "das": True,
    "hands": 4,
    "by_face": False,
    "resplit_aces": False,
    "hit_aces": False,
    "double_aces": False,
    "split_naturals": "never",  # "never", "on tens", "always"
    "surrender": "none",  # "none", "late", "early"
}


class Game:
    """One set of rules; `values(hand, up)` and `ev()` are what it is for."""

    def __init__(self, **facts):
        assert set(facts) <= set(USUAL)
        for name, fact in (USUAL | facts).items():
            setattr(self, name, fact)
        self.draw = (0, *[(1 - self.p) / 9] * 9, self.p)
        self.play = cache(self.play)
        self.compare = cache(self.compare)
        self.dealer = cache(self.dealer)
        self.split_process = cache(self.split_process)
        self.results_against = cache(self.results_against)
        self.second_cards = cache(self.second_cards)
        self.play_half = cache(self.play_half)
        self.values = cache(self.values)

    def odds(self, rank):
        return self.draw[rank]

    # The dealer.

    def dealer(self, cards):
        """Return the odds of (final total, is it a natural?) from these cards on."""
        if len(cards) >= 2 and not self.dealer_draws(cards):
            return {(count(cards), is_two_card_21(cards)): 1.0}
        results = {}
        for rank in RANKS:
            for result, share in self.dealer(tuple(sorted((*cards, rank)))).items():
                results[result] = results.get(result, 0) + self.odds(rank) * share
        return results

    def dealer_draws(self, cards):
        if self.hits_soft_17 and count(cards) == 17 and is_soft(cards):
            return True
        return count(cards) < 17

    def results_against(self, up):
        """Return the dealer's results while the player plays: known to be no natural or not."""
        results = self.dealer((up,))
        if self.rules_natural_out(up):
            left = 1 - self.natural_odds(up)
            return {key: share / left for key, share in results.items() if not key[1]}
        return results

    def natural_odds(self, up):
        return sum(share for (_, natural), share in self.dealer((up,)).items() if natural)

    def rules_natural_out(self, up):
        """Whether values are those given no natural: after a peek.

        Where a natural takes one original bet, that is subtracted at the end (`with_natural`).
        """
        return up in (1, 10) and (self.hole == "peek" or self.takes == "original")

    # Settlement.

    def settle(self, cards, bet, up, is_natural=False):
        return -bet if count(cards) > 21 else self.compare(count(cards), bet, up, is_natural)

    def compare(self, own_total, bet, up, is_natural):
        net = 0.0
        for (total, dealer_natural), share in self.results_against(up).items():
            if is_natural:
                net += share * (0 if dealer_natural else self.pays * bet)
            elif dealer_natural:
                net += share * (0 if self.ties_21 and own_total == 21 else -bet)
            elif total > 21 or own_total > total:
                net += share * bet
            elif own_total < total:
                net -= share * bet
        return net

    def settle_21_by_a_hit(self, cards, up):
        if self.at_21 == "stands":
            return self.settle(cards, 1, up)
        net = 0.0  # it wins at once unless the dealer's two cards are 21
        for (_, dealer_natural), share in self.results_against(up).items():
            if not dealer_natural:
                net += share
            elif not self.ties_21:
                net -= share
        return net

    # Playing a hand to its end.

    def play(self, cards, up, split_from=0):
        """Return the value of the best way to play, splits aside."""
        return max(self.ways(cards, up, split_from).values())

    def ways(self, cards, up, split_from=0):
        ways = {"stand": self.settle(cards, 1, up)}
        if split_from != 1 or self.hit_aces:
            ways["hit"] = 0.0
            for rank in RANKS:
                more = tuple(sorted((*cards, rank)))
                if count(more) > 21:
                    ways["hit"] -= self.odds(rank)
                elif count(more) == 21 and self.at_21 != "asked":
                    ways["hit"] += self.odds(rank) * self.settle_21_by_a_hit(more, up)
                else:
                    ways["hit"] += self.odds(rank) * self.play(more, up, split_from)
        if self.may_double(cards, split_from):
            ways["double"] = sum(
                self.odds(rank) * self.settle((*cards, rank), 2, up) for rank in RANKS
            )
        return ways

    def may_double(self, cards, split_from):
        if self.double == "never":
            return False
        if split_from and not self.das:
            return False
        if split_from == 1 and not self.double_aces:
            return False
        if self.double == "any number":
            return True
        if len(cards) != 2:
            return False
        if self.double == "any two":
            return True
        least = 9 if self.double == "9 to 11" else 10
        return not is_soft(cards) and least <= count(cards) <= 11

    # Splits.

    def split(self, rank, up):
        return self.deal_halves(rank, up, undecided=0, hands=2)

    def deal_halves(self, rank, up, undecided, hands):
        """Split: two halves get a card each at once; `undecided` pairs lie there already."""
        net = 0.0
        for first, first_odds, first_pairs in self.second_cards(rank):
            for second, second_odds, second_pairs in self.second_cards(rank):
                done = 0.0
                waiting = undecided
                for card, pairs in ((first, first_pairs), (second, second_pairs)):
                    if pairs:
                        waiting += 1
                    else:
                        done += self.play_half(rank, card, up)
                rest = self.split_process(rank, up, waiting, hands)
                net += first_odds * second_odds * (done + rest)
        return net

    def split_process(self, rank, up, undecided, hands):
        """Return the value of pairs of `rank` that may each be played or split again."""
        if undecided == 0:
            return 0.0
        played = self.play_half(rank, rank, up)
        best = played + self.split_process(rank, up, undecided - 1, hands)
        if hands < self.hands and (rank != 1 or self.resplit_aces):
            best = max(best, self.deal_halves(rank, up, undecided - 1, hands + 1))
        return best

    def second_cards(self, rank):
        """Return each second card, its odds, and whether it makes a pair that could be split."""
        cards = [(card, self.odds(card), card == rank) for card in RANKS]
        if rank == 10 and self.by_face:
            cards[-1] = (10, self.odds(10) / 4, True)
            cards.append((10, self.odds(10) * 3 / 4, False))
        return cards

    def play_half(self, rank, card, up):
        cards = tuple(sorted((rank, card)))
        if is_two_card_21(cards):
            if self.split_naturals == "always" or (self.split_naturals == "on tens" and rank != 1):
                return self.settle(cards, 1, up, is_natural=True)
            if self.at_21 != "asked":
                return self.settle_21_by_a_hit(cards, up)
        # Only halves of aces have rules of their own: twos stand for all the others.
        return self.play(cards, up, min(rank, 2))

    # The first question.

    def values(self, cards, up, same_face=True):
        """Return the value of every answer to the first question."""
        cards = tuple(sorted(cards))
        values = dict(self.ways(cards, up))
        if cards[0] == cards[1] and self.hands > 1 and (same_face or not self.by_face):
            values["split"] = self.split(cards[0], up)
        if self.takes == "original":
            natural = self.natural_odds(up)
            values = {way: (1 - natural) * net - natural for way, net in values.items()}
        natural = self.natural_odds(up)
        if self.surrender == "late":
            values["surrender"] = -0.5 if self.hole == "peek" else -0.5 - natural / 2
        if self.surrender == "early":
            if self.hole == "peek" and up in (1, 10):  # before the look
                values = {way: (1 - natural) * net - natural for way, net in values.items()}
            values["surrender"] = -0.5
        return values

    def ev(self):
        """Return the value of a round."""
        total = 0.0
        for up in RANKS:
            for first in RANKS:
                for second in RANKS:
                    odds = self.odds(up) * self.odds(first) * self.odds(second)
                    total += odds * self.hand_ev((first, second), up)
        return total

    def hand_ev(self, cards, up):
        natural = self.natural_odds(up)
        if is_two_card_21(cards):
            return (1 - natural) * self.pays
        best = max(self.values(cards, up).values())
        if self.by_face and cards == (10, 10):
            best = best / 4 + max(self.values(cards, up, same_face=False).values()) * 3 / 4
        looked = self.hole == "peek" and up in (1, 10) and self.surrender != "early"
        return (1 - natural) * best - natural if looked else best


@cache
def count(cards):
    total = sum(cards)
    return total + 10 if 1 in cards and total + 10 <= 21 else total


def is_soft(cards):
    return count(cards) != sum(cards)


def is_two_card_21(cards):
    return sorted(cards) == [1, 10]
