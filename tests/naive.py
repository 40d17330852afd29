"""A second, naive hand arithmetic and settlement, to check the engine against.

Written on plain lists of ranks (1 is an ace, 10 any ten-valued card) without anything of `upcard`.
It is meant to be slow and obvious: each rule is one `if` that reads like the rule.

`facts` is a plain dict of the rules that matter here; what is missing has the usual value:

    natural_pays     Fraction, won per unit bet on a natural        Fraction(3, 2)
    natural_ties_21  does a dealer's natural only tie another 21?   False
    split_naturals   "never", "on tens" or "always"                 "never"
    hole_card        "peek", "no peek" or "none"                    "peek"
    natural_takes    "all" bets or one "original" bet a spot        "all"
    surrender        "none", "late" or "early"                      "none"
    ace_rule         "best" or "one softened"                       "best"
    dealer_rule      "to 17" or "until ahead"                       "to 17"
    soft_17          "stand" or "hit"                               "stand"
    charlie          number of cards that win at once, or None      None

A hand is a dict. `cards` and `bet` are needed; what else is missing has the value given here:

    cards         list of ranks in the order they came
    bet           Fraction, the final bet: doubled if the hand was doubled
    initial_bet   Fraction, what was laid down first                the bet, half of it if doubled
    spot          number of the bet position                        0
    split_from    None, or the rank of the pair it was split from   None
    doubled       was it doubled?                                   False
    surrendered   was it given up?                                  False
    even_money    was it paid at once?                              False
    won_at_once   did it win before the dealer played?              False
"""

from __future__ import annotations

from fractions import Fraction

USUAL_FACTS = {
    "natural_pays": Fraction(3, 2),
    "natural_ties_21": False,
    "split_naturals": "never",
    "hole_card": "peek",
    "natural_takes": "all",
    "surrender": "none",
    "ace_rule": "best",
    "dealer_rule": "to 17",
    "soft_17": "stand",
    "charlie": None,
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
) -> tuple[list[Fraction], Fraction]:
    """Settle a finished round: the net of each hand, and the net of all insurance bets.

    `dealer_cards` are all the cards the dealer ended with; one card alone is not a natural. Where a
    natural takes one original bet a spot, the first losing hand of the spot bears it.
    """
    facts = USUAL_FACTS | rules_facts
    natural = is_two_card_21(dealer_cards)
    dealer_total = hand_total(dealer_cards, facts["ace_rule"])
    nets = []
    for hand in hands:
        if natural:
            nets.append(net_against_natural(facts, hand))
        else:
            nets.append(net_against_total(facts, hand, dealer_total))
    if natural and facts["natural_takes"] == "original":
        nets = take_original_bets_only(hands, nets)
    return nets, insurance_net(insurance_bets, natural)


def insurance_net(insurance_bets: list[Fraction], dealer_has_natural: bool) -> Fraction:
    """Settle insurance: 2:1 if the dealer has a natural, else lost."""
    staked = sum(insurance_bets, start=Fraction(0))
    if dealer_has_natural:
        return 2 * staked
    return -staked


def was_won_already(facts: dict, hand: dict) -> bool:
    """Whether a hand won before the dealer played: at once by 21, or by its number of cards."""
    if hand.get("won_at_once", False):
        return True
    if facts["charlie"] is None:
        return False
    unbusted = hand_total(hand["cards"], facts["ace_rule"]) <= 21
    return unbusted and len(hand["cards"]) >= facts["charlie"]


def net_against_natural(facts: dict, hand: dict) -> Fraction:
    """Settle a hand against a dealer's natural, with all its bets at stake."""
    cards = hand["cards"]
    bet = Fraction(hand["bet"])
    if hand.get("even_money", False):
        return bet
    if was_won_already(facts, hand):
        return bet
    if hand.get("surrendered", False):
        if facts["surrender"] == "early":
            return -bet / 2
        return -bet
    total = hand_total(cards, facts["ace_rule"])
    if total > 21:
        return -bet
    if is_natural(cards, hand.get("split_from"), facts["split_naturals"]):
        return Fraction(0)
    if total == 21 and facts["natural_ties_21"]:
        return Fraction(0)
    return -bet


def net_against_total(facts: dict, hand: dict, dealer_total: int) -> Fraction:
    """Settle a hand against a dealer who has no natural."""
    cards = hand["cards"]
    bet = Fraction(hand["bet"])
    if hand.get("even_money", False):
        return bet
    if was_won_already(facts, hand):
        return bet
    if hand.get("surrendered", False):
        return -bet / 2
    total = hand_total(cards, facts["ace_rule"])
    if total > 21:
        return -bet
    if is_natural(cards, hand.get("split_from"), facts["split_naturals"]):
        return bet * facts["natural_pays"]
    if dealer_total > 21:
        return bet
    if total > dealer_total:
        return bet
    if total < dealer_total:
        return -bet
    return Fraction(0)


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
