"""A second, naive solver for small shoes, to check the exact one against.

Written without anything of `upcard`: plain ranks (1 is an ace, 10 any ten-valued card), exact
fractions, every card drawn one at a time. It is meant to be slow and obvious. What a split is
worth is found by playing it: all hands, card after card from one shoe, then the dealer, and only
then is everything settled. Nothing is known here of averages that need not be played out.

A hand is a sorted tuple of ranks, a shoe a tuple of ten counts: aces, twos, ..., tens.

`facts` is a plain dict of the rules; what is missing has the usual value. The keys of `naive` that
matter here, and more:

    double_on          "any two", "9 to 11", "10 to 11", "hard", "any number", "never"  "any two"
    double_stake       bets on a hand after a double                                  2
    free_double        whose 9 to 11 is doubled at the house's cost: "two cards",
                       "any number" or "never"                                       "never"
    free_splits        ranks whose splits are at the house's cost                     ()
    never_split        ranks that are not split                                       ()
    ace_hands          hands that aces may become, if max_hands allows                None
    min_stand          least total to stand on, if not a split ace with one card      None
    decks              full decks, which say how suits of sevens meet                 6
    max_doubles        how often a hand may double                                    1
    rescue             may a doubled hand be given up for half?                       False
    das                may split hands double?                                        True
    max_hands          hands that one may become by splitting                         4
    rsa                may split aces be split again?                                 False
    hsa                do split aces get more than one card?                          False
    double_split_aces  may they double (with das and hsa)?                            False

`splits` names how the hands of a split are played; a pair is split again whenever it may be:

    CDZ-  as an unsplit hand of the same cards would best be played
    CDP1  the same, knowing that one more card of the pair has left the shoe
    CDP   the same, knowing all the cards of the pair that are with other hands once all is split

A hand has bets: what it stakes, and what it is paid on. They differ once the house has paid: of the
hands of a split it pays for, the first has the player's bet, and the others stake nothing.

With a `strategy` all hands are played by that function instead: it is called with the hand's
cards, the upcard (both dealer cards where these are shown) and the set of allowed words among
"stand", "hit", "double", "split" and "surrender", and returns one of them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from naive import is_natural, is_soft, lives_bust, loses_tie, pay_of_21
from naive_dealer import USUAL_FACTS, Dealer, add, draws, mean, take, total_of

HALF = Fraction(1, 2)


def settle(facts: dict, hands: tuple, dealer_end: int | str) -> Fraction:  # noqa: C901, PLR0912
    """Return the net of a spot: its finished hands, each with its bets, against a dealer's end.

    A hand is "bust", "living bust", "natural", "won at once", "charlie", "given up" or its total.
    The first hand comes first.
    """
    if dealer_end == "natural" and facts["natural_takes"] == "original-and-busted":
        return settle_original_and_busted(facts, hands)
    won, lost = 0, 0
    for hand, (stake, paid_on) in hands:
        if hand == "won at once":
            won += paid_on
        elif hand == "charlie":
            won += paid_on * facts["charlie_pays"]
        elif hand == "given up":
            lost += stake * HALF
        elif hand == "living bust":
            won += paid_on if dealer_end == "bust" else 0
            lost += stake if dealer_end != "bust" else 0
        elif hand == "natural" and dealer_end == "natural":
            won += average_pay(facts) * paid_on if facts["natural_tie"] == "win" else 0
            lost += stake if facts["natural_tie"] == "lose" else 0
        elif dealer_end == "natural":
            lost += 0 if hand == 21 and facts["natural_ties_21"] else stake
        elif hand == "bust":
            lost += stake
        elif hand == "natural":
            won += paid_on * average_pay(facts)
        elif dealer_end == 22 and facts["pushes_22"]:
            pass
        elif dealer_end in ("bust", 22) or hand > dealer_end:
            won += paid_on
        elif hand < dealer_end or loses_tie(facts, hand):
            lost += stake
    if dealer_end == "natural" and facts["natural_takes"] == "original":
        lost = min(lost, 1)
    if dealer_end == "natural" and facts["natural_takes"] not in ("all", "original"):
        busted = sum(stake for hand, (stake, _) in hands if hand == "bust")
        lost = busted + min(lost - busted, 1)
    return won - lost


def settle_original_and_busted(facts: dict, hands: tuple) -> Fraction:
    """Return the net against a natural that takes busted hands, and one bet if the first lost."""
    others = facts | {"natural_takes": "all"}
    busted = sum(stake for hand, (stake, _) in hands if hand == "bust")
    nets = [settle(others, (one,), "natural") for one in hands if one[0] != "bust"]
    won = sum(max(net, 0) for net in nets)
    first = min(-min(nets[0], 0), 1) if hands[0][0] != "bust" else 0
    return won - busted - first


def average_pay(facts: dict) -> Fraction:
    """Return what a natural is paid, its suits unknown: they are one in four times as often."""
    if facts["suited_pays"] is None:
        return facts["natural_pays"]
    return Fraction(3, 4) * facts["natural_pays"] + Fraction(1, 4) * facts["suited_pays"]


class Game:
    """The values of hands against one upcard; `shoe` holds all cards before the deal.

    The player sees the `hole` card too if there is one; it is dealt from the same shoe.
    """

    REMEMBERED = (
        *("is_finished", "pay_of", "kinds_of", "worth", "natural_chance", "holes", "next_cards"),
        *("unseen", "settled", "net", "best", "doubled", "choose", "choose_doubled"),
        *("playing_values", "values_of_kind", "play", "play_in_turn"),
    )

    def __init__(self, rules_facts, shoe, upcard, *, splits="CDZ-", strategy=None, hole=None):
        self.facts = USUAL_FACTS | rules_facts
        self.shoe = take(shoe, upcard) if hole is None else take(shoe, upcard, hole)
        self.upcard = upcard
        self.hole = hole
        self.splits = splits
        self.strategy = strategy
        self.dealer = Dealer(rules_facts)
        self.peeks = self.facts["hole_card"] == "peek"
        self.ties = set()  # hands of a split with two best plays: another solver may take the other
        self.without_super = self
        if self.facts["super_777"] is not None:
            plain = rules_facts | {"super_777": None}
            self.without_super = Game(plain, shoe, upcard, splits=splits, strategy=strategy)
        self.without_surrender = self
        if self.facts["surrender"] == "any-cards":
            # The hands of a split may not give up, and are played by one who never does.
            kept = rules_facts | {"surrender": "none"}
            self.without_surrender = Game(
                kept, shoe, upcard, splits=splits, strategy=strategy, hole=hole
            )
            self.without_surrender.ties = self.ties
        # What is asked again and again with the same words is worked out once.
        for name in self.REMEMBERED:
            setattr(self, name, cache(getattr(self, name)))

    # What the rules allow.

    def is_finished(self, hand: tuple[int, ...]) -> bool:
        """Whether a hand of two cards or more is asked nothing any more."""
        return total_of(hand) >= 21 or len(hand) == self.facts["charlie"]

    def may_double(self, hand: tuple[int, ...], split_from: int | None) -> bool:
        """Whether a hand may double."""
        double_on = self.facts["double_on"]
        if split_from is not None and not self.facts["das"]:
            return False
        if split_from == 1 and not self.facts["double_split_aces"]:
            return False
        if self.doubles_free(hand):
            return True
        if double_on == "never":
            return False
        if len(hand) != 2 and double_on != "any number":
            return False
        if double_on in ("any two", "any number"):
            return True
        if is_soft(list(hand)):
            return False
        if double_on == "hard":
            return True
        least = 9 if double_on == "9 to 11" else 10
        return least <= total_of(hand) <= 11

    def doubles_free(self, hand: tuple[int, ...]) -> bool:
        """Whether the house pays for a double."""
        when = self.facts["free_double"]
        if when == "never" or (when == "two cards" and len(hand) != 2):
            return False
        return not is_soft(list(hand)) and total_of(hand) in (9, 10, 11)

    def bets_of_double(self, hand: tuple[int, ...], stake: int) -> tuple[int, int]:
        """Return what a hand with this stake has at stake once doubled, and is paid on."""
        more = self.facts["double_stake"] - 1
        return (stake if self.doubles_free(hand) else stake + more), 1 + more

    def pay_of(self, hand: tuple[int, ...]) -> Fraction:
        """Return what a hand that was not doubled is paid on, its suits mixed."""
        if self.facts["bonuses"] is None or total_of(hand) != 21:
            return 1
        return pay_of_21(self.facts, list(hand))

    def kinds_of(self, hand: tuple[int, ...]) -> list[tuple[Fraction, int, Fraction]]:
        """Return the kinds of suits of two cards that a bonus distinguishes.

        Each has its chance, the third card that counts, and what that is paid on average.
        """
        bonuses, needs = self.facts["bonuses"], {(6, 7): 8, (6, 8): 7, (7, 8): 6, (7, 7): 7}
        if bonuses is None or hand not in needs:
            return [(1, 0, 0)]
        decks = self.facts["decks"]
        same, third = Fraction(1, 4), Fraction(1, 4)
        name = "678"
        if hand == (7, 7):
            name = "777"
            same, third = Fraction(decks - 1, 4 * decks - 1), Fraction(decks - 2, 4 * decks - 2)
        cards = [int(rank) for rank in name]
        mixed, suited, spades = (
            pay_of_21(self.facts, cards, kind) for kind in ("mixed", "one suit", "spades")
        )
        if name == "777" and self.upcard == 7 and self.facts["super_777"] is not None:
            suited = spades = self.facts["super_777"]
        return [
            (1 - same, needs[hand], mixed),
            (same * 3 / 4, needs[hand], mixed + third * (suited - mixed)),
            (same / 4, needs[hand], mixed + third * (spades - mixed)),
        ]

    def may_stand(self, hand: tuple[int, ...]) -> bool:
        """Whether a hand that may be hit may stand."""
        least = self.facts["min_stand"]
        return least is None or total_of(hand) >= least

    def may_surrender(self, hand: tuple[int, ...]) -> bool:
        """Whether a hand that was not split may be given up."""
        when = self.facts["surrender"]
        if when == "none" or (when == "early-v-ten" and self.upcard != 10):
            return False
        return len(hand) == 2 or when == "any-cards"

    def may_split(self, hand: tuple[int, ...], hands: int, split_from: int | None) -> bool:
        """Whether a hand may be split, being one of so many."""
        if len(hand) != 2 or hand[0] != hand[1] or hands >= self.facts["max_hands"]:
            return False
        if hand[0] in self.facts["never_split"]:
            return False
        if (
            hand[0] == 1
            and self.facts["ace_hands"] is not None
            and hands >= self.facts["ace_hands"]
        ):
            return False
        return split_from != 1 or self.facts["rsa"]

    def worth(self, hand: tuple[int, ...], split_from: int | None) -> int | str:
        """Return what a finished hand is at settlement."""
        total = total_of(hand)
        if total > 21:
            return "living bust" if lives_bust(self.facts, self.upcard) else "bust"
        if is_natural(list(hand), split_from, self.facts["split_naturals"]):
            return "natural"
        if len(hand) == self.facts["charlie"]:
            return "charlie"
        if total == 21 and self.facts["player_21"] == "always wins":
            return "won at once"
        return total

    # What the player knows of the hole card.

    def makes_natural(self, hole: int) -> bool:
        """Whether this hole card makes a natural of the upcard."""
        return sorted((self.upcard, hole)) == [1, 10]

    def natural_chance(self, shoe: tuple[int, ...]) -> Fraction:
        """Return the chance that the hole card, one of `shoe`, makes a natural."""
        if self.hole is not None:
            return Fraction(self.makes_natural(self.hole))
        return sum((p for rank, p, _ in draws(shoe) if self.makes_natural(rank)), Fraction(0))

    def holes(self, shoe: tuple[int, ...]) -> list[tuple[int, Fraction, tuple[int, ...]]]:
        """Return each possible hole card, its chance, and the other unseen cards."""
        if self.hole is not None:
            return [(self.hole, Fraction(1), shoe)]
        if not self.peeks:
            return draws(shoe)
        looked = 1 - self.natural_chance(shoe)
        return [(r, p / looked, left) for r, p, left in draws(shoe) if not self.makes_natural(r)]

    def next_cards(self, shoe: tuple[int, ...]) -> list[tuple[int, Fraction, tuple[int, ...]]]:
        """Return each card the player may get from the unseen cards, the hole among them."""
        if not self.peeks or self.hole is not None:
            return draws(shoe)
        chances = {}
        for _, chance, left in self.holes(shoe):
            for rank, then, _ in draws(left):
                chances[rank] = chances.get(rank, 0) + chance * then
        return [(rank, chance, take(shoe, rank)) for rank, chance in chances.items()]

    # Hands that are not split, with all cards unseen but their own and the upcard. `out` are
    # cards that the player knows to have left besides.

    def unseen(self, hand: tuple[int, ...], out: tuple[int, ...]) -> tuple[int, ...]:
        return take(self.shoe, *hand, *out)

    def settled(self, hands: tuple, shoe: tuple[int, ...], hole: int | None) -> Fraction:
        """Return what finished hands win on average, when the dealer has yet to play."""
        if hole is None:
            return mean((p, self.settled(hands, left, rank)) for rank, p, left in self.holes(shoe))
        cards = tuple(sorted((self.upcard, hole)))
        ended = ("bust", "natural", "won at once", "charlie", "given up")
        if all(hand in ended for hand, _ in hands):
            end = "natural" if cards == (1, 10) else "bust"  # he only shows his cards
            return self.net(hands, end)
        return mean((p, self.net(hands, end)) for end, p in self.dealer.ends(cards, shoe).items())

    def net(self, hands, dealer_end):
        return settle(self.facts, hands, dealer_end)

    def stand(self, hand, out=(), bets=(1, 1), stake=1):
        own = (self.worth(hand, None), bets)
        if stake:
            return self.settled((own,), self.unseen(hand, out), None)
        # The original bet is that of another hand, which may as well have lost it.
        spot = (("bust", (1, 1)), own)
        return self.settled(spot, self.unseen(hand, out), None) + 1

    def hit(self, hand, out=(), stake=1, kind=None):
        """Return the value of a hit; `kind` of suits (default: the mean of all)."""
        if kind is None:
            kinds = self.kinds_of(hand)
            return mean((one[0], self.hit(hand, out, stake, one)) for one in kinds)
        _, needs, paid = kind
        parts = []
        for rank, chance, _ in self.next_cards(self.unseen(hand, out)):
            drawn = add(hand, rank)
            if rank == needs:
                parts.append((chance, self.stand(drawn, out, (stake, paid), stake)))
            else:
                parts.append((chance, self.best(drawn, out, stake)))
        return mean(parts)

    def double(self, hand, out=(), stake=1):
        cards = self.next_cards(self.unseen(hand, out))
        bets = self.bets_of_double(hand, stake)
        if not self.acts_doubled(1):
            return mean((p, self.stand(add(hand, rank), out, bets, stake)) for rank, p, _ in cards)
        return mean((p, self.doubled(add(hand, rank), out, 1)) for rank, p, _ in cards)

    # Hands that have doubled and are asked again, so often.

    def acts_doubled(self, times: int) -> bool:
        """Whether a hand that has doubled so often is asked again."""
        return self.facts["rescue"] or times < self.facts["max_doubles"]

    def doubled(self, hand, out, times):
        """Return the best value of a hand that has doubled so often."""
        return max(self.doubled_values(hand, out, times).values())

    def doubled_values(self, hand, out, times):
        stake = self.facts["double_stake"] * 2 ** (times - 1)
        values = {"stand": self.stand(hand, out, (stake, stake), 1)}
        if self.is_finished(hand) or total_of(hand) > 21:
            return values
        if self.facts["rescue"]:
            given_up = (("given up", (stake, stake)),)
            values["surrender"] = self.settled(given_up, self.unseen(hand, out), None)
        if times < self.facts["max_doubles"]:
            cards = self.next_cards(self.unseen(hand, out))
            values["double"] = mean(
                (p, self.doubled(add(hand, rank), out, times + 1)) for rank, p, _ in cards
            )
        return values

    def choose_doubled(self, hand, out, times):
        """Say how a doubled hand goes on: of equal plays it stands, gives up, doubles."""
        values = self.doubled_values(hand, out, times)
        word = max(values, key=values.get)
        if list(values.values()).count(values[word]) > 1:
            self.ties.add(hand)
        return word

    def best(self, hand, out=(), stake=1):
        """Return the value of a hand, played on in the best way, or by the strategy."""
        if self.is_finished(hand):
            return self.stand(hand, out, (stake, self.pay_of(hand)), stake)
        if self.strategy:
            return self.playing_values(hand, out, stake)[self.choose(hand, out, stake=stake)]
        return mean(
            (kind[0], max(self.playing_values(hand, out, stake, kind).values()))
            for kind in self.kinds_of(hand)
        )

    def playing_values(self, hand, out=(), stake=1, kind=None):
        """Return the values of all but a split; the simpler one first."""
        stands = self.may_stand(hand)
        values = {"stand": self.stand(hand, out, (stake, 1), stake)} if stands else {}
        values["hit"] = self.hit(hand, out, stake, kind)
        if self.may_double(hand, None):
            values["double"] = self.double(hand, out, stake)
        if self.facts["surrender"] == "any-cards":
            values["surrender"] = self.surrender(hand)
        return values

    def choose(self, hand, out=(), split_from=None, stake=1, kind=None):
        """Say how a hand is played that is not split now; what is not allowed it must do without.

        Of equal plays the first is taken: to stand, to hit, to double.
        """
        if split_from is not None and self.without_surrender is not self:
            return self.without_surrender.choose(hand, out, split_from, stake, kind)
        may_double = self.may_double(hand, split_from)
        if self.strategy:
            words = {"hit"} | ({"double"} if may_double else set())
            words |= {"stand"} if self.may_stand(hand) else set()
            words |= {"surrender"} if self.facts["surrender"] == "any-cards" else set()
            return self.strategy(hand, self.upcard, words)
        values = dict(self.playing_values(hand, out, stake, kind))
        if not may_double:
            values.pop("double", None)
        word = max(values, key=values.get)
        if list(values.values()).count(values[word]) > 1:
            self.ties.add(hand)
        return word

    # A split: played card by card. Hands wait with their stakes.

    def split(self, hand: tuple[int, int]) -> Fraction:
        """Return the value of splitting a pair."""
        shoe = self.unseen(hand, ())
        if self.facts["hole_card"] == "none":
            return self.divide(((hand, 1),), (), shoe, None, hand[0])
        return mean(
            (p, self.divide(((hand, 1),), (), left, hole, hand[0]))
            for hole, p, left in self.holes(shoe)
        )

    def divide(self, waiting, done, shoe, hole, pair):
        """Make two hands of the first that waits; each gets a card at once, first half first."""
        (_, stake), *_ = waiting
        stake_of_second = 0 if pair in self.facts["free_splits"] else 1
        parts = []
        for first, chance, after_first in draws(shoe):
            one = add((pair,), first), stake
            seconds = []
            for second, then, left in draws(after_first):
                halves = one, (add((pair,), second), stake_of_second)
                seconds.append((then, self.play((*halves, *waiting[1:]), done, left, hole, pair)))
            parts.append((chance, mean(seconds)))
        return mean(parts)

    def play(self, waiting, done, shoe, hole, pair):
        """Return what a spot wins on average, with hands that wait for their turn and done ones."""
        if not waiting:
            return self.settled(done, shoe, hole)
        hand, stake = waiting[0]
        hands = len(waiting) + len(done)
        if self.splits == "CDP":  # all splits come first: their cards are what the player knows
            for number, (other, _) in enumerate(waiting):
                if self.may_split(other, hands, pair):
                    rest = (*waiting[:number], *waiting[number + 1 :])
                    return self.divide((waiting[number], *rest), done, shoe, hole, pair)
            return self.play_known(waiting, done, shoe, hole, pair)
        if self.may_split(hand, hands, pair):
            return self.divide(waiting, done, shoe, hole, pair)
        out = (pair,) if self.splits == "CDP1" else ()
        return self.play_on((hand, stake), out, waiting[1:], done, shoe, hole, pair)

    def play_known(self, waiting, done, shoe, hole, pair):
        """Play the first hand of all two-card hands, knowing the pair cards of the others.

        All that wait were settled on before any was played, so what waits is `hand, out` now.
        """
        known = tuple(
            (hand, (pair,) * sum(other.count(pair) for other, _ in all_but(waiting, number)))
            for number, hand in enumerate(waiting)
        )
        return self.play_in_turn(known, done, shoe, hole, pair)

    def play_in_turn(self, known, done, shoe, hole, pair):
        if not known:
            return self.settled(done, shoe, hole)
        (hand, out), *rest = known
        return self.play_on(hand, out, tuple(rest), done, shoe, hole, pair)

    def play_on(self, first, out, rest, done, shoe, hole, pair):  # noqa: PLR0917 (all of a split)
        """Play a hand as it must be, then those after it."""
        go_on = self.play_in_turn if self.splits == "CDP" else self.play
        hand, stake = first
        stood = end_hand(done, self.worth(hand, pair), (stake, self.pay_of(hand)))
        if self.is_finished(hand) or (pair == 1 and not self.facts["hsa"]):
            return go_on(rest, stood, shoe, hole, pair)
        kinds = self.kinds_of(hand)
        if len(kinds) > 1:
            return mean(
                (kind[0], self.play_kind(first, kind, out, rest, done, shoe, hole, pair))
                for kind in kinds
            )
        return self.play_kind(first, kinds[0], out, rest, done, shoe, hole, pair)

    def play_kind(self, first, kind, out, rest, done, shoe, hole, pair):  # noqa: PLR0917
        """Play on a hand whose kind of suits is known; in a split no super bonus is paid."""
        go_on = self.play_in_turn if self.splits == "CDP" else self.play
        hand, stake = first
        word = self.choose(hand, out, pair, stake, kind)
        stood = end_hand(done, self.worth(hand, pair), (stake, self.pay_of(hand)))
        if word == "stand":
            return go_on(rest, stood, shoe, hole, pair)
        if word == "double" and self.acts_doubled(1):
            return self.play_doubled(hand, 1, out, rest, done, shoe, hole, pair)
        parts = []
        for rank, chance, left in draws(shoe):
            drawn = add(hand, rank)
            if word == "double":
                then = end_hand(done, self.worth(drawn, pair), self.bets_of_double(hand, stake))
                value = go_on(rest, then, left, hole, pair)
            elif rank == kind[1]:
                paid = self.without_super.kinds_of(hand)[self.kinds_of(hand).index(kind)][2]
                then = end_hand(done, self.worth(drawn, pair), (stake, paid))
                value = go_on(rest, then, left, hole, pair)
            elif self.splits == "CDP":
                waiting = (((drawn, stake), out), *rest)
                value = self.play_in_turn(waiting, done, left, hole, pair)
            else:
                value = self.play(((drawn, stake), *rest), done, left, hole, pair)
            parts.append((chance, value))
        return mean(parts)

    def play_doubled(self, hand, times, out, rest, done, shoe, hole, pair):  # noqa: PLR0917
        """Deal a card to a hand that doubles for the `times`-th time, and play it on."""
        go_on = self.play_in_turn if self.splits == "CDP" else self.play
        stake = self.facts["double_stake"] * 2 ** (times - 1)
        parts = []
        for rank, chance, left in draws(shoe):
            drawn = add(hand, rank)
            is_over = self.is_finished(drawn) or total_of(drawn) > 21
            asked = not is_over and self.acts_doubled(times)
            word = self.choose_doubled(drawn, out, times) if asked else "stand"
            if word == "double":
                value = self.play_doubled(drawn, times + 1, out, rest, done, left, hole, pair)
            else:
                worth = "given up" if word == "surrender" else self.worth(drawn, pair)
                then = end_hand(done, worth, (stake, stake))
                value = go_on(rest, then, left, hole, pair)
            parts.append((chance, value))
        return mean(parts)

    # A round.

    def values(self, hand: tuple[int, int]) -> dict[str, Fraction]:
        """Return the value of each answer to an opening hand that is not a natural.

        With a peek: given that there is no natural.
        """
        return dict(self.values_of_kind(tuple(sorted(hand)), None))

    def values_of_kind(self, hand, kind):
        """The same for a kind of suits (default: the mean of all)."""
        if self.is_finished(hand):
            return {"stand": self.stand(hand)}
        values = dict(self.playing_values(hand, kind=kind))
        if self.may_split(hand, 1, None):
            values["split"] = self.split(hand)
        if self.may_surrender(hand):
            values["surrender"] = self.surrender(hand)
        return values

    def surrender(self, hand):
        """Return what is lost by giving up: half, all to a natural that shows after a late one."""
        if self.facts["surrender"] in ("late", "any-cards") and not self.peeks:
            natural = self.natural_chance(self.unseen(hand, ()))
            return -HALF * (1 - natural) - natural
        return -HALF

    def before_look(self, hand: tuple[int, int], action: str, kind=None) -> Fraction:
        """Return the value of an answer with the dealer's natural, if any, still to come.

        What the player answers after a peek he answers only if there is no natural; else he loses.
        """
        value = self.values_of_kind(tuple(sorted(hand)), kind)[action]
        is_early = self.facts["surrender"] in ("early", "early-v-ten")
        if not self.peeks or (action == "surrender" and is_early):
            return value
        natural = self.natural_chance(self.unseen(hand, ()))
        if self.worth(hand, None) == "natural":
            tied = {"push": 0, "win": average_pay(self.facts), "lose": -1}
            return (1 - natural) * value + natural * tied[self.facts["natural_tie"]]
        return (1 - natural) * value - natural

    def opening(self, hand: tuple[int, int]) -> Fraction:
        """Return the value of a round with this opening hand, before the dealer looks."""
        words = set(self.values(hand))
        if self.strategy and not self.is_finished(hand):
            return self.before_look(hand, self.strategy(hand, self.upcard, words))
        return mean(
            (kind[0], max(self.before_look(hand, word, kind) for word in words))
            for kind in self.kinds_of(hand)
        )

    def value(self) -> Fraction:
        """Return the value of a round against this upcard."""
        return mean(
            (chance * then, self.opening(tuple(sorted((first, second)))))
            for first, chance, left in draws(self.shoe)
            for second, then, _ in draws(left)
        )


def all_but(hands: tuple, number: int) -> tuple:
    """Return the other hands."""
    return (*hands[:number], *hands[number + 1 :])


@cache
def end_hand(done: tuple, worth: int | str, bets: tuple[int, int]) -> tuple:
    """Return the finished hands with one more; the order of all but the first does not matter."""
    return (*done[:1], *sorted((*done[1:], (worth, bets)), key=str))


def value_game(rules_facts, shoe, *, splits="CDZ-", strategy=None) -> Fraction:
    """Return the value of a round before any card is dealt, insurance not taken."""
    if rules_facts.get("shows_hole"):

        def seeing(hole):
            return strategy and (lambda hand, up, words: strategy(hand, (up, hole), words))

        return mean(
            (
                p * then,
                Game(
                    rules_facts, shoe, upcard, splits=splits, strategy=seeing(hole), hole=hole
                ).value(),
            )
            for upcard, p, left in draws(shoe)
            for hole, then, _ in draws(left)
        )
    return mean(
        (p, Game(rules_facts, shoe, upcard, splits=splits, strategy=strategy).value())
        for upcard, p, _ in draws(shoe)
    )
