"""A second, naive hand arithmetic and settlement, to check the engine against.

Written on plain lists of ranks (1 is an ace, 10 any ten-valued card) without anything of `upcard`.
It is meant to be slow and obvious: each rule is one `if` that reads like the rule.

`facts` is a plain dict of the rules that matter here; what is missing has the usual value:

    natural_pays     Fraction, won per unit bet on a natural        Fraction(3, 2)
    suited_pays      the same for two cards of one suit, or None    None
    natural_tie      "push", "win" or "lose" against a natural      "push"
    natural_ties_21  does a dealer's natural only tie another 21?   False
    lost_ties        from 17 to this total ties lose; None: none    None
    split_naturals   "never", "on tens" or "always"                 "never"
    hole_card        "peek", "no peek" or "none"                    "peek"
    pushes_22        does a dealer's 22 push the hands it meets?    False
    natural_takes    "all" bets or one "original" bet a spot;       "all"
                     "original-and-busted": the bet of a spot's
                     first hand and all bets of busted hands;
                     "busted-and-one": those and one original bet
                     of the spot's hands that are not bust
    insurance_pays   Fraction, won per unit bet on insurance        Fraction(2)
    surrender        "none", "late", "early", "early-v-ten" or      "none"
                     "any-cards", which is late
    ace_rule         "best" or "one softened"                       "best"
    dealer_rule      "to 17" or "until ahead"                       "to 17"
    soft_17          "stand" or "hit"                               "stand"
    charlie          number of cards that win at once, or None      None
    charlie_pays     Fraction, won per unit bet on such a hand      Fraction(1)
    player_21        "stands", or "always wins": every 21 but a     "stands"
                     natural wins at once
    bonuses          what such a 21 is paid that was not doubled:   None
                     a dict of numbers of cards ("7" is 7 or more),
                     and of "678" and "777" by their suits: mixed,
                     of one suit, of spades; by number if not there
    super_777        what 7 7 7 of one suit is paid against a 7,    None
                     if the hand was not split
    busts_live       does a busted hand win against a 7 to an ace   False
                     if the dealer busts with more than 22?

A hand is a dict. `cards` and `bet` are needed; what else is missing has the value given here:

    cards         list of ranks in the order they came
    bet           Fraction, the final bet: doubled if the hand was doubled
    initial_bet   Fraction, what was laid down first                the bet, half of it if doubled
    pays_on       Fraction, what it is paid on: more with free bets the bet
    spot          number of the bet position                        0
    split_from    None, or the rank of the pair it was split from   None
    doubled       was it doubled?                                   False
    surrendered   was it given up?                                  False
    even_money    was it paid at once?                              False
    won_at_once   did it win before the dealer played?              False
    suits         its suits, one letter each, in the same order     none is known
"""

from __future__ import annotations

from fractions import Fraction

USUAL_FACTS = {
    "natural_pays": Fraction(3, 2),
    "suited_pays": None,
    "natural_tie": "push",
    "natural_ties_21": False,
    "lost_ties": None,
    "pushes_22": False,
    "split_naturals": "never",
    "hole_card": "peek",
    "natural_takes": "all",
    "insurance_pays": Fraction(2),
    "surrender": "none",
    "ace_rule": "best",
    "dealer_rule": "to 17",
    "soft_17": "stand",
    "charlie": None,
    "charlie_pays": Fraction(1),
    "player_21": "stands",
    "bonuses": None,
    "super_777": None,
    "busts_live": False,
}


# Hand arithmetic.


def hand_total(cards: list[int], ace_rule: str = "best") -> int:
    """Count a hand by one of the two ace rules."""
    if ace_rule == "best":
        return best_total(cards)
    if ace_rule == "one softened":
        return sum(one_softened_values(cards))
    msg = f"unknown ace rule {ace_rule!r}"
    raise ValueError(msg)


def best_total(cards: list[int]) -> int:
    """Count every ace 1, then one of them 11 if that does not exceed 21."""
    total = sum(cards)
    if 1 in cards and total + 10 <= 21:
        return total + 10
    return total


def is_soft(cards: list[int]) -> bool:
    """Whether an ace counts 11 by the ordinary rule."""
    return best_total(cards) != sum(cards)


def one_softened_values(cards: list[int]) -> list[int]:
    """Return what each card of a hand counts by document 000: one ace may be 1.

    The opening two cards are valued as they are, an ace 11; two aces are 22, so one becomes 1.
    """
    values = [11 if card == 1 else card for card in cards[:2]]
    soften_opening_ace(values)
    for card in cards[2:]:
        values.append(value_of_drawn_card(values, card))
        soften_opening_ace(values)
    return values


def value_of_drawn_card(values: list[int], card: int) -> int:
    """Value a card that joins `values`: an ace is 11 if it fits, or if another ace is 1 already."""
    if card != 1:
        return card
    if sum(values) + 11 <= 21:
        return 11
    if 1 not in values:
        return 1
    return 11


def soften_opening_ace(values: list[int]) -> bool:
    """Over 21, count an ace of the first two cards 1, if no ace is 1 yet; tell if that was done."""
    if sum(values) <= 21 or not may_soften(values):
        return False
    for position in (0, 1):
        if values[position] == 11:
            values[position] = 1
            return True
    return False


def may_soften(values: list[int]) -> bool:
    """Whether document 000 would still let an ace of the first two cards become 1."""
    return 11 in values[:2] and 1 not in values


def has_soft_ace(facts: dict, cards: list[int]) -> bool:
    """Whether an ace counts 11 and could still become 1."""
    if facts["ace_rule"] == "one softened":
        return may_soften(one_softened_values(cards))
    return is_soft(cards)


def is_two_card_21(cards: list[int]) -> bool:
    """Whether these are an ace and a ten-valued card and nothing else."""
    return sorted(cards) == [1, 10]


def is_natural(cards: list[int], split_from: int | None, split_naturals: str) -> bool:
    """Whether a player's hand counts as a natural."""
    if not is_two_card_21(cards):
        return False
    if split_from is None:
        return True
    if split_naturals == "always":
        return True
    if split_naturals == "on tens":
        return split_from == 10
    return False


# The dealer.


def dealer_hand(
    rules_facts: dict, first_two: list[int], draws: list[int], player_total: int | None = None
) -> list[int]:
    """Return all cards the dealer ends with, taking his from the front of `draws`.

    Only the dealer who stops when he is ahead asks for `player_total`.
    """
    facts = USUAL_FACTS | rules_facts
    if facts["dealer_rule"] == "to 17":
        return ordinary_dealer_hand(facts, first_two, draws)
    if facts["dealer_rule"] != "until ahead":
        msg = f"unknown dealer rule {facts['dealer_rule']!r}"
        raise ValueError(msg)
    if facts["ace_rule"] == "one softened":
        return softening_dealer_hand(facts, first_two, draws, player_total)
    return looking_dealer_hand(facts, first_two, draws, player_total)


def stands_on(facts: dict, total: int, soft: bool) -> bool:
    """Whether the dealer takes no card: on 17 or more, on a soft 17 by the house's rule."""
    if total == 17 and soft:
        return facts["soft_17"] == "stand"
    return total >= 17


def ordinary_dealer_hand(facts: dict, first_two: list[int], draws: list[int]) -> list[int]:
    """Draw to 17, and on a soft 17 if the house says so."""
    cards = list(first_two)
    left = list(draws)
    while True:
        total = hand_total(cards, facts["ace_rule"])
        if stands_on(facts, total, has_soft_ace(facts, cards)):
            return cards
        cards.append(left.pop(0))


def looking_dealer_hand(
    facts: dict, first_two: list[int], draws: list[int], player_total: int
) -> list[int]:
    """Draw to 17, but stop when ahead of the player; aces count as usual."""
    cards = list(first_two)
    left = list(draws)
    while True:
        total = best_total(cards)
        if total > player_total:
            return cards
        if stands_on(facts, total, is_soft(cards)):
            return cards
        cards.append(left.pop(0))


def softening_dealer_hand(
    facts: dict, first_two: list[int], draws: list[int], player_total: int
) -> list[int]:
    """Play document 000's dealer: the table of his decisions, before each card he might draw.

    His opening aces count 11 until he is over 21. Then one is softened and he draws before he
    compares, even if two aces (22, then 12) are ahead of a low total.
    """
    cards = list(first_two)
    left = list(draws)
    values = [11 if card == 1 else card for card in cards]
    while True:
        total = sum(values)
        if total > 21:
            softened = soften_opening_ace(values)
            if not softened or sum(values) >= 21:
                return cards
        elif total > player_total or stands_on(facts, total, may_soften(values)):
            return cards
        card = left.pop(0)
        cards.append(card)
        values.append(value_of_drawn_card(values, card))


# Settlement.


def settle_round(
    rules_facts: dict,
    hands: list[dict],
    dealer_cards: list[int],
    insurance_bets: list[Fraction],
    upcard: int = 0,
) -> tuple[list[Fraction], Fraction]:
    """Settle a finished round: the net of each hand, and the net of all insurance bets.

    `dealer_cards` are all the cards the dealer ended with; one card alone is not a natural. The
    upcard matters to bonuses and to busted hands that live. Where a natural takes one original bet
    a spot, the first losing hand of the spot bears it.
    """
    facts = USUAL_FACTS | rules_facts
    natural = is_two_card_21(dealer_cards)
    dealer_total = hand_total(dealer_cards, facts["ace_rule"])
    nets = []
    for hand in hands:
        if natural:
            nets.append(net_against_natural(facts, hand, upcard))
        else:
            nets.append(net_against_total(facts, hand, dealer_total, upcard))
    if natural and facts["natural_takes"] == "original":
        nets = take_original_bets_only(hands, nets)
    if natural and facts["natural_takes"] == "original-and-busted":
        nets = take_first_bet_and_busted(facts, hands, nets)
    if natural and facts["natural_takes"] == "busted-and-one":
        nets = take_busted_and_one_bet(facts, hands, nets)
    return nets, insurance_net(facts, insurance_bets, natural)


def insurance_net(
    facts: dict, insurance_bets: list[Fraction], dealer_has_natural: bool
) -> Fraction:
    """Settle insurance: paid if the dealer has a natural, else lost."""
    staked = sum(insurance_bets, start=Fraction(0))
    if dealer_has_natural:
        return facts["insurance_pays"] * staked
    return -staked


def pay_of_won(facts: dict, hand: dict, upcard: int) -> Fraction:
    """Return what a hand that won already is paid: as a charlie, or with a bonus for its 21."""
    if facts["charlie"] is not None and len(hand["cards"]) >= facts["charlie"]:
        return paid_on(hand) * facts["charlie_pays"]
    if facts["bonuses"] is None or hand.get("doubled", False):
        return paid_on(hand)
    suits = hand.get("suits", [])
    is_suited = len(set(suits)) == 1 and "" not in suits
    is_super = sorted(hand["cards"]) == [7, 7, 7] and is_suited and upcard == 7
    if is_super and hand.get("split_from") is None and facts["super_777"] is not None:
        return paid_on(hand) * facts["super_777"]
    kind = "mixed"
    if is_suited:
        kind = "spades" if suits[0] == "S" else "one suit"
    return paid_on(hand) * pay_of_21(facts, hand["cards"], kind)


def pay_of_21(facts: dict, cards: list[int], kind: str = "mixed") -> Fraction:
    """Return what a 21 of suits that are "mixed", of "one suit" or "spades" is paid by itself."""
    named = "".join(map(str, sorted(cards)))
    if named in {"678", "777"} and named in facts["bonuses"]:
        pays = facts["bonuses"][named]
        return Fraction(pays[("mixed", "one suit", "spades").index(kind)])
    numbers = sorted(int(name) for name in facts["bonuses"] if name not in {"678", "777"})
    fitting = [number for number in numbers if number <= len(cards)]
    return facts["bonuses"][str(fitting[-1])] if fitting else Fraction(1)


def lives_bust(facts: dict, upcard: int) -> bool:
    """Whether a busted hand waits for the dealer."""
    return facts["busts_live"] and upcard in {1, 7, 8, 9, 10}


def pay_of_natural(facts: dict, hand: dict) -> Fraction:
    """Return what a natural is paid."""
    pays = facts["natural_pays"]
    suits = hand.get("suits", ["", ""])
    if facts["suited_pays"] is not None and suits[0] and suits[0] == suits[1]:
        pays = facts["suited_pays"]
    return paid_on(hand) * pays


def paid_on(hand: dict) -> Fraction:
    """Return what a hand that wins is paid on: the bets that the house adds count too."""
    return Fraction(hand.get("pays_on", hand["bet"]))


def was_won_already(facts: dict, hand: dict) -> bool:
    """Whether a hand won before the dealer played: at once by 21, or by its number of cards."""
    if hand.get("won_at_once", False):
        return True
    is_21 = hand_total(hand["cards"], facts["ace_rule"]) == 21
    natural = is_natural(hand["cards"], hand.get("split_from"), facts["split_naturals"])
    if facts["player_21"] == "always wins" and is_21 and not natural:
        return True
    if facts["charlie"] is None:
        return False
    unbusted = hand_total(hand["cards"], facts["ace_rule"]) <= 21
    return unbusted and len(hand["cards"]) >= facts["charlie"]


def net_against_natural(facts: dict, hand: dict, upcard: int) -> Fraction:
    """Settle a hand against a dealer's natural, with all its bets at stake."""
    cards = hand["cards"]
    bet = Fraction(hand["bet"])
    if hand.get("even_money", False):
        return paid_on(hand)
    if was_won_already(facts, hand):
        return pay_of_won(facts, hand, upcard)
    if hand.get("surrendered", False):
        if facts["surrender"] in ("early", "early-v-ten"):
            return -bet / 2
        return -bet
    total = hand_total(cards, facts["ace_rule"])
    if total > 21:
        return -bet
    if is_natural(cards, hand.get("split_from"), facts["split_naturals"]):
        if facts["natural_tie"] == "win":
            return pay_of_natural(facts, hand)
        return -bet if facts["natural_tie"] == "lose" else Fraction(0)
    if total == 21 and facts["natural_ties_21"]:
        return Fraction(0)
    return -bet


def net_against_total(facts: dict, hand: dict, dealer_total: int, upcard: int) -> Fraction:
    """Settle a hand against a dealer who has no natural."""
    cards = hand["cards"]
    bet = Fraction(hand["bet"])
    if hand.get("even_money", False):
        return paid_on(hand)
    if was_won_already(facts, hand):
        return pay_of_won(facts, hand, upcard)
    if hand.get("surrendered", False):
        return -bet / 2
    total = hand_total(cards, facts["ace_rule"])
    if total > 21 and lives_bust(facts, upcard):
        return paid_on(hand) if dealer_total > 22 else -bet
    if total > 21:
        return -bet
    if is_natural(cards, hand.get("split_from"), facts["split_naturals"]):
        return pay_of_natural(facts, hand)
    if dealer_total == 22 and facts["pushes_22"]:
        return Fraction(0)
    if dealer_total > 21 or total > dealer_total:
        return paid_on(hand)
    if total < dealer_total:
        return -bet
    return -bet if loses_tie(facts, total) else Fraction(0)


def loses_tie(facts: dict, total: int) -> bool:
    """Whether the dealer wins a tie at this total."""
    return facts["lost_ties"] is not None and 17 <= total <= facts["lost_ties"]


def original_bet(hand: dict) -> Fraction:
    """Return what was laid down for a hand before any double."""
    if "initial_bet" in hand:
        return Fraction(hand["initial_bet"])
    if hand.get("doubled", False):
        return Fraction(hand["bet"]) / 2
    return Fraction(hand["bet"])


def take_original_bets_only(hands: list[dict], nets: list[Fraction]) -> list[Fraction]:
    """Let a natural take one original bet from each spot that loses anything, and no more."""
    limited = list(nets)
    paid_spots = []
    for number, hand in enumerate(hands):
        if nets[number] >= 0:
            continue
        if hand.get("surrendered", False) and nets[number] == -Fraction(hand["bet"]) / 2:
            continue
        spot = hand.get("spot", 0)
        if spot in paid_spots:
            limited[number] = Fraction(0)
        else:
            limited[number] = -original_bet(hand)
            paid_spots.append(spot)
    return limited


def gave_up_half(hand: dict, net: Fraction) -> bool:
    """Whether a hand was surrendered early, which a natural does not change."""
    return hand.get("surrendered", False) and net == -Fraction(hand["bet"]) / 2


def take_first_bet_and_busted(facts: dict, hands: list[dict], nets: list[Fraction]):
    """Let a natural take busted bets, and the original bet of a spot's first hand if it lives."""
    limited = list(nets)
    seen_spots = []
    for number, hand in enumerate(hands):
        spot, is_first = hand.get("spot", 0), hand.get("spot", 0) not in seen_spots
        seen_spots.append(spot)
        is_bust = hand_total(hand["cards"], facts["ace_rule"]) > 21
        if nets[number] >= 0 or is_bust or gave_up_half(hand, nets[number]):
            continue
        limited[number] = -original_bet(hand) if is_first else Fraction(0)
    return limited


def take_busted_and_one_bet(facts: dict, hands: list[dict], nets: list[Fraction]):
    """Let a natural take busted bets, and one original bet of the losing hands of a spot."""
    limited = list(nets)
    paid_spots = []
    for number, hand in enumerate(hands):
        is_bust = hand_total(hand["cards"], facts["ace_rule"]) > 21
        if nets[number] >= 0 or is_bust or gave_up_half(hand, nets[number]):
            continue
        spot = hand.get("spot", 0)
        limited[number] = Fraction(0) if spot in paid_spots else -original_bet(hand)
        paid_spots.append(spot)
    return limited
