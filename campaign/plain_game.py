"""A second simulator: blackjack in plain Python, without anything of upcard.

It deals from a list of ranks, plays one hand against the dealer by a printed chart, and settles
with the naive settlement of tests/naive.py. `facts` are those of tests/naive_exact.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from campaign.choosing import use_tests

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from fractions import Fraction

    Play = Callable[[tuple[int, ...], int, set[str]], str]

_LEAST_LEFT: Final = 40


class PlainShoe:
    """Ranks 1 (an ace) to 10, shuffled, dealt down to a cut card."""

    def __init__(self, decks: int, penetration: float, rng: random.Random) -> None:
        self.full = [rank for rank in (*range(1, 11), 10, 10, 10) for _ in range(4 * decks)]
        self.cut = int(len(self.full) * penetration)
        self.rng = rng
        self.cards: list[int] = []

    def begin_round(self) -> None:
        """Shuffle if the cut card has come out."""
        if len(self.full) - len(self.cards) >= self.cut or not self.cards:
            self.cards = list(self.full)
            self.rng.shuffle(self.cards)

    def draw(self) -> int:
        """Take a card; where none is left, the others come back shuffled, as at upcard's table."""
        if not self.cards:
            self.cards = list(self.full)
            self.rng.shuffle(self.cards)
        return self.cards.pop()


def play_round(facts: dict[str, Any], shoe: PlainShoe, play: Play) -> Fraction:
    """Play one round for a bet of 1; return its net."""
    use_tests()
    import naive

    shoe.begin_round()
    first = [shoe.draw(), shoe.draw()]
    up, hole = shoe.draw(), shoe.draw()  # where no hole card is dealt, its turn does not matter
    peeks = facts["hole_card"] == "peek" and up in (1, 10)
    hand = _new_hand(first)
    is_natural = sorted(first) == [1, 10]
    was_asked = False
    if peeks and facts["surrender"] == "early":
        was_asked = True
        if not is_natural and play(_sorted(first), up, _words(facts, hand, 1)) == "surrender":
            hand["surrendered"] = True
    hands = [hand]
    if not (peeks and sorted((up, hole)) == [1, 10]) and not hand["surrendered"]:
        hands = _play_hands(facts, hand, up, shoe, play, was_asked=was_asked)
    dealer = _play_dealer(facts, [up, hole], hands, shoe)
    nets, _ = naive.settle_round(facts, hands, dealer, [])
    return sum(nets[1:], start=nets[0])


def _new_hand(cards: list[int], split_from: int | None = None) -> dict[str, Any]:
    return {
        "cards": cards,
        "bet": 1,
        "initial_bet": 1,
        "spot": 0,
        "split_from": split_from,
        "doubled": False,
        "surrendered": False,
        "won_at_once": False,
    }


def _sorted(cards: list[int]) -> tuple[int, ...]:
    return tuple(sorted(cards))


def _play_hands(  # noqa: PLR0913 (private)
    facts: dict[str, Any],
    first: dict[str, Any],
    up: int,
    shoe: PlainShoe,
    play: Play,
    *,
    was_asked: bool,
) -> list[dict[str, Any]]:
    import naive

    waiting = [first]
    done: list[dict[str, Any]] = []
    while waiting:
        hand = waiting.pop(0)
        cards = hand["cards"]
        while True:
            total = naive.best_total(cards)
            if total <= 21 and len(cards) == facts["charlie"]:
                hand["won_at_once"] = True
            if total >= 21 or hand["won_at_once"]:
                break
            words = _words(facts, hand, len(waiting) + len(done) + 1)
            if was_asked or hand["split_from"] is not None:
                words.discard("surrender")
            is_ace_half = hand["split_from"] == 1 and not facts["hsa"]
            if is_ace_half and "split" not in words:
                break
            word = play(_sorted(cards), up, words)
            if is_ace_half and word != "split":
                break
            if word == "split":
                rank = cards[0]
                halves = [
                    _new_hand([rank, shoe.draw()], rank),
                    _new_hand([rank, shoe.draw()], rank),
                ]
                hand, cards = halves[0], halves[0]["cards"]
                waiting.insert(0, halves[1])
                continue
            if word == "surrender":
                hand["surrendered"] = True
                break
            if word == "stand":
                break
            cards.append(shoe.draw())
            if word == "double":
                hand |= {"bet": 2, "doubled": True}
                if naive.best_total(cards) <= 21 and len(cards) == facts["charlie"]:
                    hand["won_at_once"] = True
                break
        done.append(hand)
    return done


def _words(facts: dict[str, Any], hand: dict[str, Any], hands: int) -> set[str]:
    """Return what may be answered for a hand that is one of so many."""
    import naive

    cards, split_from = hand["cards"], hand["split_from"]
    words = {"stand", "hit"}
    if facts["surrender"] != "none" and len(cards) == 2:
        words.add("surrender")
    is_pair = len(cards) == 2 and cards[0] == cards[1]
    if is_pair and hands < facts["max_hands"] and (split_from != 1 or facts["rsa"]):
        words.add("split")
    may_double = facts["double_on"] == "any number" or (
        len(cards) == 2 and facts["double_on"] != "never"
    )
    if split_from is not None and not facts["das"]:
        may_double = False
    if split_from == 1 and not facts["double_split_aces"]:
        may_double = False
    least = {"9 to 11": 9, "10 to 11": 10}.get(facts["double_on"])
    if least is not None:
        may_double &= not naive.is_soft(cards) and least <= naive.best_total(cards) <= 11
    return words | ({"double"} if may_double else set())


def _play_dealer(
    facts: dict[str, Any], cards: list[int], hands: list[dict[str, Any]], shoe: PlainShoe
) -> list[int]:
    """Draw where a hand is to be compared with the dealer's."""
    import naive

    if sorted(cards) == [1, 10]:
        return cards
    is_compared = any(
        naive.best_total(hand["cards"]) <= 21
        and not hand["surrendered"]
        and not hand["won_at_once"]
        and not naive.is_natural(hand["cards"], hand["split_from"], facts["split_naturals"])
        for hand in hands
    )
    while is_compared and not naive.stands_on(facts, naive.best_total(cards), naive.is_soft(cards)):
        cards.append(shoe.draw())
    return cards
