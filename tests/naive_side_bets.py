"""Side bets by plain enumeration of real cards: every order is dealt, every payment written out.

It shares nothing with `upcard.rules.side_bets` or `upcard.exact`: only `Card`.
"""

from collections import Counter
from itertools import permutations

from upcard.core.cards import Card

HIGH = {"A": 14, "T": 10, "J": 11, "Q": 12, "K": 13}


def height(card):
    return HIGH.get(card.face) or int(card.face)


def is_suited(cards):
    return len({card.suit for card in cards}) == 1


def is_one_colour(cards):
    return len({card.suit in "HD" for card in cards}) == 1


def is_one_face(cards):
    return len({card.face for card in cards}) == 1


def is_straight(cards):
    high = sorted(map(height, cards))
    low = sorted(1 if one == 14 else one for one in high)
    return any(line[1] == line[0] + 1 and line[2] == line[1] + 1 for line in (low, high))


def is_next(cards):
    """Whether two cards are neighbours, an ace with a king and with a 2."""
    return abs(height(cards[0]) - height(cards[1])) in (1, 12)


def pays_neighbours(cards):
    """Two cards: suited and consecutive 6, consecutive 2, suited returned."""
    if is_next(cards):
        return 6 if is_suited(cards) else 2
    return 0 if is_suited(cards) else -1


def total(cards):
    hard = sum(card.rank for card in cards)
    return hard + 10 if any(card.rank == 1 for card in cards) and hard <= 11 else hard


def faces(cards):
    return "".join(sorted(card.face for card in cards))


def ranks(cards):
    return sorted(card.rank for card in cards)


def pays_21_3(cards, *, flat=None, suited_trips=None, flush=5, straight=10, trips=33, both=35):
    if suited_trips is not None and is_one_face(cards) and is_suited(cards):
        return suited_trips
    if is_straight(cards) and is_suited(cards):
        return flat or both
    if is_one_face(cards):
        return flat or trips
    if is_straight(cards):
        return flat or straight
    return (flat or flush) if is_suited(cards) else -1


def pays_pair_or_better(cards):
    has_pair = len({card.face for card in cards}) < 3
    return 2.5 if has_pair or is_straight(cards) or is_suited(cards) else -1


def pays_pair(cards, same, colour, mixed):
    if not is_one_face(cards):
        return -1
    return same if is_suited(cards) else colour if is_one_colour(cards) else mixed


def pays_royal(cards, royal, suited):
    if not is_suited(cards):
        return -1
    return royal if faces(cards) == "KQ" else suited


def pays_13(cards, wanted, pays):
    hard = sum(card.rank for card in cards)
    where = "over" if hard > 13 else "under" if hard < 13 else "exactly"
    return pays if where == wanted else -1


def pays_sevens(cards):
    sevens = [card.rank == 7 for card in cards]
    if all(sevens):
        return 5000 if is_suited(cards) else 500
    if sevens[0] and sevens[1]:
        return 100 if is_suited(cards[:2]) else 50
    return 3 if sevens[0] else -1


def pays_ladies(cards, natural, *, four=125, matched=19, suited=9):
    if total(cards) != 20:
        return -1
    if all(str(card) == "QH" for card in cards):
        return 1000 if natural else four
    if not is_suited(cards):
        return 4
    return matched if is_one_face(cards) else suited


def pays_king(cards, natural):
    if total(cards) != 20:
        return -1
    if all(str(card) == "KS" for card in cards):
        return 1000 if natural else 100
    if is_suited(cards) and is_one_face(cards) and cards[0].face in "TJQK":
        return 30 if cards[0].face == "K" else 20
    if is_suited(cards):
        return 9
    return 6 if faces(cards) == "KK" else 4


def pays_lucky(cards):
    suited, three = is_suited(cards), ranks(cards)
    if three == [7, 7, 7]:
        return 200 if suited else 50
    if three == [6, 7, 8]:
        return 100 if suited else 30
    if total(cards) == 21:
        return 15 if suited else 3
    return 2 if total(cards) in (19, 20) else -1


def pays_hot(cards):
    if ranks(cards) == [7, 7, 7]:
        return 100
    if total(cards) == 21:
        return 20 if is_suited(cards) else 4
    return {20: 2, 19: 1}.get(total(cards), -1)


def pays_between(cards):
    if is_one_face(cards):
        return 30
    low, high = sorted(map(height, cards[:2]))
    if not low < height(cards[2]) < high:
        return -1
    return {1: 10, 2: 6, 3: 4}.get(high - low - 1, 1)


def pays_match(cards, suited, plain):
    up, *own = cards
    won = [suited if one.suit == up.suit else plain for one in own if one.face == up.face]
    return sum(won) if won else -1


def pays_bust(cards, by_size):
    return by_size[min(len(cards), 8)] if total(cards) > 21 else -1


def pays_bust_it(cards):
    if len(cards) != 3 or total(cards) < 22:
        return -1
    if ranks(cards) == [8, 8, 8]:
        if is_suited(cards):
            return 200
        if is_one_colour(cards):
            return 50
    return {6: 15, 7: 9, 8: 7, 9: 5, 10: 3}.get(cards[-1].rank, -1)


def sizes(*pays):
    return dict(enumerate(pays, start=3))


TWO, THREE = 2, 3
BETS = {
    "21+3-flat": (THREE, lambda cards: pays_21_3(cards, flat=9)),
    "21+3-v3": (THREE, lambda cards: pays_21_3(cards, suited_trips=100)),
    "21+3-xtreme": (THREE, lambda cards: pays_21_3(cards, both=30, trips=20)),
    "21+3-100-40": (THREE, lambda cards: pays_21_3(cards, suited_trips=100, both=40, trips=30)),
    "21+3-pair": (THREE, pays_pair_or_better),
    "perfect-pairs-a": (TWO, lambda cards: pays_pair(cards, 25, 12, 6)),
    "perfect-pairs-b": (TWO, lambda cards: pays_pair(cards, 30, 10, 5)),
    "perfect-pairs-c": (TWO, lambda cards: pays_pair(cards, 25, 12, 5)),
    "perfect-pairs-d": (TWO, lambda cards: pays_pair(cards, 25, 15, 5)),
    "any-pair": (TWO, lambda cards: pays_pair(cards, 15, 10, 10)),
    "bet-the-set-12-10": (TWO, lambda cards: pays_pair(cards, 12, 10, 10)),
    "bet-the-set-25-8": (TWO, lambda cards: pays_pair(cards, 25, 8, 8)),
    "bet-the-set-25-10": (TWO, lambda cards: pays_pair(cards, 25, 10, 10)),
    "royal-match-1": (TWO, lambda cards: pays_royal(cards, 25, 2.5)),
    "royal-match-2": (TWO, lambda cards: pays_royal(cards, 10, 3)),
    "over-13": (TWO, lambda cards: pays_13(cards, "over", 1)),
    "under-13": (TWO, lambda cards: pays_13(cards, "under", 1)),
    "exactly-13": (TWO, lambda cards: pays_13(cards, "exactly", 10)),
    "super-sevens": (THREE, pays_sevens),
    "lucky-lucky": (THREE, pays_lucky),
    "hot-3": (THREE, pays_hot),
    "in-between": (THREE, pays_between),
    "match-the-dealer-2d": (THREE, lambda cards: pays_match(cards, 19, 4)),
    "match-the-dealer-4d": (THREE, lambda cards: pays_match(cards, 12, 4)),
    "match-the-dealer-5d": (THREE, lambda cards: pays_match(cards, 15, 3)),
    "match-the-dealer-6d": (THREE, lambda cards: pays_match(cards, 11, 4)),
    "match-the-dealer-8d": (THREE, lambda cards: pays_match(cards, 14, 3)),
    "match-the-dealer-6d48": (THREE, lambda cards: pays_match(cards, 9, 4)),
    "match-the-dealer-8d48": (THREE, lambda cards: pays_match(cards, 12, 3)),
    "insurance": (1, lambda cards: 2 if cards[0].rank == 10 else -1),
}
"""Number of cards, and what they pay, of bets on the first cards."""
WITH_NATURAL = {
    "lucky-ladies-a": pays_ladies,
    "lucky-ladies-b": lambda cards, natural: pays_ladies(
        cards, natural, four=200, matched=25, suited=10
    ),
    "kings-bounty": pays_king,
}
"""What two cards pay, by whether the dealer has a natural."""
ON_DEALER = {
    "buster": lambda cards: pays_bust(cards, sizes(2, 2, 4, 12, 50, 250)),
    "buster-1-3-6": lambda cards: pays_bust(cards, sizes(1, 3, 6, 30, 100, 200)),
    "buster-live": lambda cards: pays_bust(cards, sizes(1, 2, 9, 50, 100, 250)),
    "bust-it": pays_bust_it,
    "push-22": lambda cards: 11 if total(cards) == 22 else -1,
}
"""What the dealer's final hand pays."""


def deal(name, shoe):
    """Return the chance of each payment of a bet on first cards, from a list of cards."""
    if name in WITH_NATURAL:
        pays = WITH_NATURAL[name]
        found = Counter(
            pays(cards[:2], ranks(cards[2:]) == [1, 10]) for cards in permutations(shoe, 4)
        )
    else:
        number, pays = BETS[name]
        found = Counter(pays(cards) for cards in permutations(shoe, number))
    every = sum(found.values())
    return {payment: ways / every for payment, ways in found.items()}


def play_dealer(pay, shoe, *, hits_soft_17):
    """Return the chance of each payment of a bet on the dealer's final hand, from a list of cards.

    Cards other than eights are told apart by rank only: the bets look at no other suits.
    """
    kinds = Counter(
        card if card.rank == 8 else Card(card.face if card.rank < 10 else "T") for card in shoe
    )
    found = Counter()

    def draw(cards, chance, left):
        for kind, number in list(kinds.items()):
            if not number:
                continue
            hand, here = [*cards, kind], chance * number / left
            hard = sum(card.rank for card in hand)
            now = total(hand)
            is_soft_17 = now == 17 and hard == 7
            if len(hand) > 1 and now >= 17 and not (is_soft_17 and hits_soft_17):
                found[pay(hand)] += here
                continue
            kinds[kind] -= 1
            draw(hand, here, left - 1)
            kinds[kind] += 1

    draw([], 1.0, len(shoe))
    return dict(found)
