"""A second, naive solver for the infinite deck: plain recursion on lists of ranks, no `upcard`.

Rank 1 is an ace, 10 any ten-valued card. Slow and obvious on purpose: hands are the cards they
hold, both halves of a split get their cards at once, and every answer that is allowed is tried.
A hand has a stake, what is lost, and what it pays on: house money is in the second only. `first`
is 1 for the first hand of a spot and 0 for the others.

`Game(**facts)` takes the rules as facts; `USUAL` below names them all.
"""

from __future__ import annotations

from functools import cache

RANKS = range(1, 11)


USUAL = {
    "p": 4 / 13,
    "hits_soft_17": False,
    "hole": "peek",  # "peek", "no peek"
    "takes": "all",  # "all", "original", "first and busted"
    "pays": 1.5,
    "suited_pays": None,
    "natural_tie": "push",  # "push", "win", "lose"
    "ties_21": False,
    "ties_lost": (),  # totals
    "at_21": "stands",  # "stands", "asked", "wins", "always wins"
    "charlie": 100,  # cards
    "charlie_pays": 1,
    "pushes_22": False,
    "busts_live": False,
    "min_stand": 0,
    "double": "any two",  # "any two", "hard", "9 to 11", "10 to 11", "any number", "never"
    "stake": 2,
    "free_double": "never",  # "never", "two cards", "any number"
    "free_splits": (),  # ranks
    "das": True,
    "hands": 4,
    "ace_hands": 100,
    "unsplit": (),  # ranks
    "by_face": False,
    "resplit_aces": False,
    "hit_aces": False,
    "double_aces": False,
    "split_naturals": "never",  # "never", "on tens", "always"
    "surrender": "none",  # "none", "late", "any cards", "early", "early v ten"
    "insurance_pays": 2,
    "even_money": True,
    "chart": None,  # (cards, upcard, answers) -> answer; None for the best play
}


class Game:
    """One set of rules; `values(hand, up)` and `ev()` are what it is for."""

    def __init__(self, **facts):
        assert set(facts) <= set(USUAL)
        for name, fact in (USUAL | facts).items():
            setattr(self, name, fact)
        suits = [(one, other) for one in range(4) for other in range(4)]
        pays = self.pays if self.suited_pays is None else self.suited_pays
        self.natural_pays = sum(pays if one == other else self.pays for one, other in suits) / 16
        self.draw = (0, *[(1 - self.p) / 9] * 9, self.p)
        self.known = {}
        self.compare = cache(self.compare)
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
        key = ("dealer", *what_counts(cards))
        if key not in self.known:
            self.known[key] = self.draw_dealer(cards)
        return self.known[key]

    def draw_dealer(self, cards):
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

        Where a natural takes one original bet of all hands, that is subtracted at the end.
        """
        return up in (1, 10) and (self.hole == "peek" or self.is_taken_at_the_end())

    def is_taken_at_the_end(self):
        return self.takes == "original" and self.hands > 1

    # Settlement.

    def settle(self, cards, stake, pays_on, up, first=1, is_natural=False):  # noqa: PLR0917
        if count(cards) > 21:
            if self.busts_live and (up == 1 or up > 6):
                results = self.results_against(up).items()
                won = sum(share for (total, _), share in results if total > 22)
                return won * pays_on - (1 - won) * stake
            if self.takes != "original" or self.rules_natural_out(up):
                return -stake
            natural = self.natural_odds(up)
            return -stake * (1 - natural) - natural * min(stake, 1)
        if len(cards) >= self.charlie:
            return pays_on * self.charlie_pays
        return self.compare(count(cards), stake, pays_on, up, first, is_natural)

    def compare(self, own_total, stake, pays_on, up, first, is_natural):  # noqa: PLR0917
        net = 0.0
        taken = stake if self.takes == "all" else min(stake, first)
        for (total, dealer_natural), share in self.results_against(up).items():
            if is_natural and dealer_natural:
                if self.natural_tie == "win":
                    net += share * pays_on * self.natural_pays
                elif self.natural_tie == "lose":
                    net -= share * taken
            elif is_natural:
                net += share * pays_on * self.natural_pays
            elif own_total == 21 and self.at_21 == "always wins":
                net += share * pays_on
            elif dealer_natural:
                net -= 0 if self.ties_21 and own_total == 21 else share * taken
            elif total == 22 and self.pushes_22:
                continue
            elif total > 21 or own_total > total:
                net += share * pays_on
            elif own_total < total or total in self.ties_lost:
                net -= share * stake
        return net

    def settle_21_by_a_hit(self, cards, stake, up, first):
        if self.at_21 == "always wins":
            return 1.0
        if self.at_21 == "stands":
            return self.settle(cards, stake, 1, up, first)
        net = 0.0  # it wins at once unless the dealer's two cards are 21
        for (_, dealer_natural), share in self.results_against(up).items():
            if not dealer_natural:
                net += share
            elif not self.ties_21:
                net -= share * stake
        return net

    # Playing a hand to its end.

    def play(self, cards, up, split_from=0, stake=1, first=1):
        """Return the value of the best way to play, or of the chart's, splits aside."""
        key = (*what_counts(cards), up, split_from, stake, first)
        if key not in self.known:
            self.known[key] = self.pick(cards, up, self.ways(cards, up, split_from, stake, first))
        return self.known[key]

    def pick(self, cards, up, ways):
        asks_chart = self.chart and len(ways) > 1
        return ways[self.chart(cards, up, set(ways))] if asks_chart else max(ways.values())

    def ways(self, cards, up, split_from=0, stake=1, first=1):
        ways = {}
        if count(cards) >= self.min_stand or (split_from == 1 and not self.hit_aces):
            ways["stand"] = self.settle(cards, stake, 1, up, first)
        if self.surrender == "any cards" and not split_from:
            ways["surrender"] = -0.5
            if not self.rules_natural_out(up):
                ways["surrender"] -= self.natural_odds(up) / 2
        if split_from != 1 or self.hit_aces:
            ways["hit"] = 0.0
            for rank in RANKS:
                more = tuple(sorted((*cards, rank)))
                if count(more) > 21:
                    ways["hit"] += self.odds(rank) * self.settle(more, stake, 1, up, first)
                elif len(more) >= self.charlie:
                    ways["hit"] += self.odds(rank) * self.charlie_pays
                elif count(more) == 21 and self.at_21 != "asked":
                    ways["hit"] += self.odds(rank) * self.settle_21_by_a_hit(more, stake, up, first)
                else:
                    ways["hit"] += self.odds(rank) * self.play(more, up, split_from, stake, first)
        if self.may_double(cards, split_from):
            bought = 0 if self.doubles_free(cards) else self.stake - 1
            ways["double"] = sum(
                self.odds(rank) * self.settle((*cards, rank), stake + bought, self.stake, up, first)
                for rank in RANKS
            )
        return ways

    def doubles_free(self, cards):
        if is_soft(cards) or count(cards) not in (9, 10, 11):
            return False
        return self.free_double == "any number" or (
            self.free_double == "two cards" and len(cards) == 2
        )

    def may_double(self, cards, split_from):
        if split_from and not self.das:
            return False
        if split_from == 1 and not self.double_aces:
            return False
        if self.doubles_free(cards):
            return True
        if self.double == "never":
            return False
        if self.double == "any number":
            return True
        if len(cards) != 2:
            return False
        if self.double == "any two":
            return True
        if self.double == "hard":
            return not is_soft(cards)
        least = 9 if self.double == "9 to 11" else 10
        return not is_soft(cards) and least <= count(cards) <= 11

    # Splits.

    def split(self, rank, up):
        return self.deal_halves(rank, up, (1, 1), (), hands=2)

    def deal_halves(self, rank, up, bet, others, hands):
        """Split: two halves get a card each at once, before `others`, bets of pairs that wait.

        A bet is the stake, and whether its hand is the first.
        """
        second_bet = (0 if rank in self.free_splits else 1, 0)
        cards = self.second_cards(rank)
        firsts, seconds = (
            [0.0 if is_pair else self.play_half(rank, card, up, *own) for card, _, is_pair in cards]
            for own in (bet, second_bet)
        )
        rests = {
            (one, two): self.split_process(
                rank, up, (*(bet,) * one, *(second_bet,) * two, *others), hands
            )
            for one in (False, True)
            for two in (False, True)
        }
        net = 0.0
        for (_, first_odds, first_pairs), first in zip(cards, firsts, strict=True):
            for (_, second_odds, second_pairs), second in zip(cards, seconds, strict=True):
                rest = rests[first_pairs, second_pairs]
                net += first_odds * second_odds * (first + second + rest)
        return net

    def split_process(self, rank, up, undecided, hands):
        """Return the value of pairs of `rank` that are each played or split again, in this order.

        `undecided` are their bets.
        """
        if not undecided:
            return 0.0
        bet, *others = undecided
        played = self.play_half(rank, rank, up, *bet)
        best = played + self.split_process(rank, up, tuple(others), hands)
        if hands < self.most_hands(rank) and (rank != 1 or self.resplit_aces):
            again = self.deal_halves(rank, up, bet, tuple(others), hands + 1)
            best = again if self.chart else max(best, again)
        return best

    def most_hands(self, rank):
        if rank in self.unsplit:
            return 1
        return min(self.hands, self.ace_hands) if rank == 1 else self.hands

    def second_cards(self, rank):
        """Return each second card, its odds, and whether it makes a pair that could be split."""
        cards = [(card, self.odds(card), card == rank) for card in RANKS]
        if rank == 10 and self.by_face:
            cards[-1] = (10, self.odds(10) / 4, True)
            cards.append((10, self.odds(10) * 3 / 4, False))
        return cards

    def play_half(self, rank, card, up, stake, first):
        cards = tuple(sorted((rank, card)))
        if is_two_card_21(cards):
            if self.split_naturals == "always" or (self.split_naturals == "on tens" and rank != 1):
                return self.settle(cards, stake, 1, up, first, is_natural=True)
            if self.at_21 != "asked":
                return self.settle_21_by_a_hit(cards, stake, up, first)
        # Only halves of aces have rules of their own: twos stand for all the others.
        return self.play(cards, up, min(rank, 2), stake, first)

    # The first question, and that of a free hand.

    def free_values(self, cards, up):
        """Return the value of every answer to a free hand of two cards."""
        cards = tuple(sorted(cards))
        is_pair = cards[0] == cards[1]
        values = self.ways(cards, up, 1 if is_pair and cards[0] == 1 else 2, 0, 0)
        may_resplit = is_pair and self.most_hands(cards[0]) > 2
        if may_resplit and cards[0] in self.free_splits and (cards[0] != 1 or self.resplit_aces):
            values["split"] = self.deal_halves(cards[0], up, (0, 0), (), hands=3)
        if self.is_taken_at_the_end():
            values = {way: (1 - self.natural_odds(up)) * net for way, net in values.items()}
        return values

    def values(self, cards, up, same_face=True):
        """Return the value of every answer to the first question."""
        cards = tuple(sorted(cards))
        values = dict(self.ways(cards, up))
        is_pair = len(cards) == 2 and cards[0] == cards[1]
        if is_pair and self.most_hands(cards[0]) > 1 and (same_face or not self.by_face):
            values["split"] = self.split(cards[0], up)
        natural = self.natural_odds(up)
        if self.is_taken_at_the_end():
            values = {way: (1 - natural) * net - natural for way, net in values.items()}
        if len(cards) != 2:
            return values
        if self.surrender == "late":
            values["surrender"] = -0.5 if self.hole == "peek" else -0.5 - natural / 2
        if self.surrenders_early(up):
            if self.hole == "peek" and up in (1, 10):  # before the look
                values = {way: (1 - natural) * net - natural for way, net in values.items()}
            values["surrender"] = -0.5
        return values

    def surrenders_early(self, up):
        return self.surrender == "early" or (self.surrender == "early v ten" and up == 10)

    def ev(self):
        """Return the value of a round."""
        total = 0.0
        for up in RANKS:
            for first in RANKS:
                for second in RANKS:
                    odds = self.odds(up) * self.odds(first) * self.odds(second)
                    total += odds * self.hand_ev((first, second), up)
        return total

    def natural_ev(self, up, pays=None):
        natural = self.natural_odds(up)
        pays = self.natural_pays if pays is None else pays
        tied = {"push": 0, "win": pays, "lose": -1}[self.natural_tie]
        return (1 - natural) * pays + natural * tied

    def hand_ev(self, cards, up):
        natural = self.natural_odds(up)
        if is_two_card_21(cards):
            return self.natural_ev(up)
        best = self.pick(cards, up, self.values(cards, up))
        if self.by_face and cards == (10, 10):
            unlike = self.pick(cards, up, self.values(cards, up, same_face=False))
            best = best / 4 + unlike * 3 / 4
        looked = self.hole == "peek" and up in (1, 10) and not self.surrenders_early(up)
        return (1 - natural) * best - natural if looked else best

    def gain_of_offers(self):
        """Return what insurance and even money gain a round, where the dealer looks for neither."""
        natural = self.natural_odds(1)
        insurance = max((self.insurance_pays * natural - (1 - natural)) / 2, 0.0)
        two_card_21s = 2 * self.odds(1) * self.odds(10)
        gain = insurance * (1 - two_card_21s)
        suited = self.pays if self.suited_pays is None else self.suited_pays
        for share, pays in ((1 / 4, suited), (3 / 4, self.pays)):  # the player sees the suits
            paid_now = max(1 - self.natural_ev(1, pays), 0.0) if self.even_money else insurance
            gain += share * two_card_21s * paid_now
        return self.odds(1) * gain


def what_counts(cards):
    """Return all that the rules ask about a hand that is not split: hands alike in it are one."""
    return sum(cards), 1 in cards, len(cards)


@cache
def count(cards):
    total = sum(cards)
    return total + 10 if 1 in cards and total + 10 <= 21 else total


def is_soft(cards):
    return count(cards) != sum(cards)


def is_two_card_21(cards):
    return sorted(cards) == [1, 10]
