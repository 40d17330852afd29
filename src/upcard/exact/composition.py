"""The cards of a shoe and of hands, read from text, and the two-card hands dealt from a shoe."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Final, NamedTuple, TypeAlias, TypeVar

from upcard.core.cards import (
    ACE,
    DECK,
    FACES,
    RANKS,
    SUITS,
    TEN,
    Card,
    Rank,
    parse_cards,
    rank_name,
    read_rank,
)
from upcard.core.errors import NotationError, RulesError, UnsupportedRuleError, quote
from upcard.core.hands import BUST_LIMIT
from upcard.core.numbers import whole_number
from upcard.rules.deck import DECK_SIZE, SHORT_DECK_SIZE, FullShoe, full_shoe
from upcard.rules.model import Rules
from upcard.rules.payoffs import needed_card, pays_by_suit, suits_decide
from upcard.rules.settings import MOST_DECKS, SplitBy
from upcard.strategy.chart import HAND_LABELS, HARD_LABELS

Counts: TypeAlias = tuple[int, ...]
"""Eleven entries: the number of cards of each rank, entry 0 unused."""
ShoeLike: TypeAlias = str | Mapping[int | str, int] | Iterable[int] | None
Kind = TypeVar("Kind", Card, str, Rank)
_PLACES: Final = {card: place for place, card in enumerate(DECK)}

TWO_CARD_HANDS: Final = tuple(combinations_with_replacement(RANKS, 2))
MOST_CARDS: Final = full_shoe(MOST_DECKS).size
_LESS: Final = re.compile(
    rf"\s*([0-9]+)\s*D({SHORT_DECK_SIZE})?\s*(?:less\s+(.*))?", re.IGNORECASE | re.DOTALL
)
_NUMBERS: Final = re.compile(r"\s*[0-9]+(?:[\s,]+[0-9]+){9}\s*")
_POSSIBLE: Final = (
    "write '6D', '6D48', '6D less T T 5', ten numbers of cards (ace, 2 to 9, ten-valued), or a"
    " mapping of ranks to numbers"
)


def natural_rank(upcard: Rank) -> Rank:
    """Return the rank that makes a natural with the upcard, 0 if none does."""
    return {ACE: TEN, TEN: ACE}.get(upcard, 0)


def start_of(upcard: Rank, hole: Rank) -> tuple[Rank, ...]:
    """Return the dealer's known cards; without a hole card (0) that is the upcard."""
    return (min(upcard, hole), max(upcard, hole)) if hole else (upcard,)


def read_shoe(shoe: ShoeLike, rules: Rules) -> Counts:
    """Read a shoe; None is the full decks of `rules`."""
    if shoe is None:
        return rules.full_shoe.counts
    if isinstance(shoe, str):
        counts = _read_text(shoe, rules)
    elif isinstance(shoe, Mapping):
        counts = _read_mapping(shoe)
    else:
        counts = (0, *shoe) if hasattr(shoe, "__iter__") else ()
    is_whole = all(type(count) is int and count >= 0 for count in counts)
    if len(counts) != 11 or not is_whole or not 0 < sum(counts) <= MOST_CARDS:
        raise NotationError(f"a shoe of {quote(shoe)}: {_POSSIBLE}; from 1 to {MOST_CARDS} cards")
    return counts


class CardShoe(NamedTuple):
    """The cards of a shoe by face and suit, as far as they are known.

    A card that is gone and whose suit is not known was any of those of its face with equal chance;
    a ten-valued one whose face is not known either, any ten-valued card.
    """

    cards: tuple[int, ...]
    """Numbers of cards in the order of `DECK`, those gone with an unknown suit among them."""
    gone: tuple[int, ...] = (0,) * len(FACES)
    """Number of cards gone by face, in the order of `FACES`, with unknown suits."""
    gone_tens: int = 0
    """Ten-valued cards gone whose face is not known."""

    def faces(self) -> tuple[int, ...]:
        """Return the number of cards by face, those gone as tens of an unknown face among them."""
        size = len(FACES)
        return tuple(sum(self.cards[place::size]) - self.gone[place] for place in range(size))

    def ranks(self) -> Counts:
        """Return the number of cards by rank."""
        faces = self.faces()
        return (0, *faces[: TEN - 1], sum(faces[TEN - 1 :]) - self.gone_tens)

    def without(self, cards: Iterable[Card]) -> "CardShoe":
        """Return the shoe without cards; a card without a suit is gone with an unknown one.

        Raises: RulesError for a card that the shoe does not have.
        """
        known, gone, tens = list(self.cards), list(self.gone), self.gone_tens
        for card in sorted(cards, key=lambda one: not one.suit):
            if card.suit:
                known[_PLACES[card]] -= 1
            elif card.face == "T":
                tens += 1
            else:
                gone[FACES.index(card.face)] += 1
            left = CardShoe(tuple(known), tuple(gone), tens)
            if min(*left.cards, *left.faces(), *left.ranks()) < 0:
                raise RulesError(f"the shoe has too few cards for {card} to be gone")
        return CardShoe(tuple(known), tuple(gone), tens)

    def __str__(self) -> str:
        """Write it as full decks less the missing cards, or as numbers by rank."""
        has_tens = any(self.cards[FACES.index("T") :: len(FACES)])
        for decks in range(1, MOST_DECKS + 1):
            full = full_shoe(decks, DECK_SIZE if has_tens else SHORT_DECK_SIZE)
            missing = [
                there - own for there, own in zip(full_cards(full).cards, self.cards, strict=True)
            ]
            if min(missing) >= 0:
                known, gone = _repeat(DECK, missing), _repeat(FACES, self.gone)
                names = [*map(str, known), *gone, *["T"] * self.gone_tens]
                return " ".join([str(full), *["less"] * bool(names), *names])
        return " ".join(map(str, self.ranks()[1:]))


def _repeat(kinds: Iterable[Kind], numbers: Iterable[int]) -> Iterator[Kind]:
    return Counter(dict(zip(kinds, numbers, strict=True))).elements()


def full_cards(full: FullShoe) -> CardShoe:
    """Return the cards of full decks by face and suit."""
    return CardShoe(tuple(full.faces[FACES.index(card.face)] // len(SUITS) for card in DECK))


def read_card_shoe(shoe: ShoeLike, rules: Rules) -> CardShoe:
    """Read a shoe whose suits matter: a text as `read_shoe` does, a mapping, or 10 or 52 numbers.

    52 numbers are in the order of `DECK`: ace to king of clubs, diamonds, hearts and spades. Of
    numbers by rank, the suits are those of as many decks as the rules have (or as the numbers
    need), less the missing cards with unknown suits.

    Raises: NotationError for anything else.
    """
    if shoe is None:
        return full_cards(rules.full_shoe)
    if isinstance(shoe, str) and not _NUMBERS.fullmatch(shoe):
        full, missing = _read_less(shoe, rules)
        try:
            left = full_cards(full).without(missing)
        except RulesError as error:
            raise NotationError(f"a shoe of {quote(shoe)}: {error}") from None
        if not sum(left.ranks()):
            raise NotationError(f"a shoe of {quote(shoe)}: no card is left")
        return left
    if isinstance(shoe, Mapping):
        cards = {Card(str(name)): count for name, count in shoe.items() if _has_suit(name)}
        if cards and len(cards) == len(shoe):
            return _check_cards([cards.get(card, 0) for card in DECK], shoe)
        if cards:
            raise NotationError("a shoe: give a suit to every card, or to none")
    elif not isinstance(shoe, str) and hasattr(shoe, "__iter__"):
        shoe = tuple(shoe)
        if len(shoe) == len(DECK):
            return _check_cards([int(count) if count == int(count) else -1 for count in shoe], shoe)
    counts = read_shoe(shoe, rules)
    for decks in dict.fromkeys((rules.decks or 1, *range(1, MOST_DECKS + 1))):
        full = full_shoe(decks, rules.deck_size)
        gone = [other - count for other, count in zip(full.counts, counts, strict=True)]
        if min(gone) >= 0:
            return full_cards(full)._replace(gone=(*gone[1:TEN], 0, 0, 0, 0), gone_tens=gone[TEN])
    raise NotationError(
        f"a shoe of {quote(shoe)}: {MOST_DECKS} decks have fewer cards of a rank; give its 52"
        " numbers, by face and suit"
    )


def _has_suit(name: object) -> bool:
    return not isinstance(name, int) and bool(Card(str(name)).suit)


def _check_cards(counts: list[int], shoe: object) -> CardShoe:
    is_whole = all(type(one) is int and one >= 0 for one in counts)
    if not is_whole or not 0 < sum(counts) <= MOST_CARDS:
        raise NotationError(
            f"a shoe of {quote(shoe)}: numbers of cards by face and suit, 1 to {MOST_CARDS} in all"
        )
    return CardShoe(tuple(counts))


def remove_cards(counts: Counts, ranks: Iterable[Rank]) -> Counts:
    """Return the shoe without these cards."""
    left = list(counts)
    for rank in ranks:
        left[rank] -= 1
        if left[rank] < 0:
            there = counts[rank]
            raise RulesError(
                f"the shoe has {there} card{'' if there == 1 else 's'} of rank {rank_name(rank)},"
                " and more are asked for"
            )
    return tuple(left)


def deal_two_cards(
    shoe: tuple[float, ...], known: Iterable[Rank]
) -> Iterator[tuple[tuple[Rank, Rank], float]]:
    """Iterate over the two-card hands beside the known cards of the dealer, with their chances."""
    left = list(shoe)
    for rank in known:
        left[rank] -= 1
    cards = math.fsum(left)
    for first, second in TWO_CARD_HANDS:
        if first == second:
            chance = left[first] * (left[first] - 1) / (cards * (cards - 1))
        else:
            chance = 2 * left[first] * left[second] / (cards * (cards - 1))
        if chance:
            yield (first, second), chance


def describe_shoe(counts: Counts, deck_size: int = DECK_SIZE) -> str:
    """Write a shoe as full decks less the missing cards, or as numbers by rank."""
    for decks in range(1, MOST_DECKS + 1):
        full = full_shoe(decks, deck_size)
        missing = [full.counts[rank] - counts[rank] for rank in RANKS]
        if min(missing) >= 0:
            names = " ".join(map(rank_name, _repeat(RANKS, missing)))
            return f"{full} less {names}" if names else str(full)
    return " ".join(str(counts[rank]) for rank in RANKS)


def _read_text(text: str, rules: Rules) -> Counts:
    if _NUMBERS.fullmatch(text):
        numbers = [whole_number(word) for word in text.replace(",", " ").split()]
        return (0, *(MOST_CARDS + 1 if number is None else number for number in numbers))
    shoe, cards = _read_less(text, rules)
    try:
        return remove_cards(shoe.counts, (card.rank for card in cards))
    except RulesError as error:
        raise NotationError(f"a shoe of {quote(text)}: {error}") from None


def decks_of(shoe: object) -> FullShoe | None:
    """Return the full decks that the text of a shoe names; None if it names none."""
    match = _LESS.fullmatch(shoe) if isinstance(shoe, str) else None
    decks = whole_number(match[1]) if match else None
    if match is None or decks is None or not 1 <= decks <= MOST_DECKS:
        return None
    return full_shoe(decks, SHORT_DECK_SIZE if match[2] else DECK_SIZE)


def _read_less(text: str, rules: Rules) -> tuple[FullShoe, tuple[Card, ...]]:
    """Read `6D less T T 5`: full decks, and the missing cards."""
    match, shoe = _LESS.fullmatch(text), decks_of(text)
    if match is None or shoe is None:
        raise NotationError(f"a shoe of {quote(text)}: {_POSSIBLE}")
    if shoe.deck_size != rules.deck_size and not (match[2] and rules.split_by is SplitBy.VALUE):
        asked = full_shoe(shoe.decks, rules.deck_size)
        raise NotationError(
            f"a shoe of {quote(text)}: the decks of these rules have {rules.deck_size} cards; write"
            f" '{asked}', or ten numbers of cards"
        )
    return shoe, parse_cards(match[3] or "")


def _read_mapping(shoe: Mapping[int | str, int]) -> Counts:
    counts = [0] * 11
    for name, count in shoe.items():
        counts[read_rank(name, "a shoe with rank")] += count
    return tuple(counts)


_COMPACT: Final = re.compile(r"(?:(?:10|[2-9TJQKA])[CDHS♣♦♥♠]?)+")
_TOTAL: Final = re.compile(r"(?:(hard|soft)\s*)?([0-9]{1,2})", re.IGNORECASE)
_ONE_CARD: Final = re.compile(r"(?:10|[2-9TJQKA])[CDHS♣♦♥♠]?")


def read_hand(hand: str | Iterable[Rank]) -> tuple[tuple[Rank, ...], bool]:
    """Return a hand's ranks, and whether all its cards may have one face.

    A hard total stands for any two cards that make it and are not a pair.
    """
    if not isinstance(hand, str):
        ranks = tuple(hand) if hasattr(hand, "__iter__") else ()
        if len(ranks) < 2 or any(rank not in RANKS for rank in ranks):
            raise NotationError(f"hand {hand!r}: two or more ranks, each from 1 (ace) to 10")
        return ranks, len(set(ranks)) == 1
    label = hand.strip().upper()
    if label in HARD_LABELS:
        total = int(label)
        low = 2 if total - 2 <= TEN and total != 4 else total - TEN
        return (low, total - low), False
    cards = read_hand_cards(label)
    if len(cards) < 2:
        msg = f"hand {hand!r}: write two or more cards, as T6, or a row of a chart, as 16 or 88"
        raise NotationError(msg)
    return tuple(card.rank for card in cards), len({card.face for card in cards}) == 1


def read_hand_cards(hand: str | Iterable[Rank]) -> tuple[Card, ...]:
    """Return the cards that `read_hand` reads, with the suits that are written; none of a total."""
    label = hand.strip().upper() if isinstance(hand, str) else ""
    if not label or label in HARD_LABELS:
        return ()
    if label in HAND_LABELS:
        half = len(label) // 2  # of a soft or pair row
        return Card(label[:half]), Card(label[half:])
    if _COMPACT.fullmatch(label):
        return parse_cards(_ONE_CARD.findall(label))
    return parse_cards(label)


def read_gone(shoe: ShoeLike, rules: Rules) -> tuple[Card, ...]:
    """Return the cards that a text says have left a shoe, or those that a mapping names."""
    if isinstance(shoe, Mapping):
        return parse_cards([str(name) for name in shoe if not isinstance(name, int)])
    if isinstance(shoe, str) and not _NUMBERS.fullmatch(shoe):
        return _read_less(shoe, rules)[1]
    return ()


# Naturals of one suit (`BJS`) and bonuses for 6 7 8 and 7 7 7 (`BON`) are paid by suits. The suits
# of the own hand decide then. Those of other cards, which say little about the cards to come, are
# not looked at: a question that names them is refused where they would change the answer.


def read_suits(rules: Rules, hand: str | Iterable[Rank]) -> tuple[str, ...]:
    """Return the suits of a hand's cards where its house pays it by them; empty if not written.

    Raises: NotationError if some are written only; RulesError for more cards than the decks have.
    """
    cards = read_hand_cards(hand)
    if not any(card.suit for card in cards) or not suits_decide(
        rules, [card.rank for card in cards]
    ):
        return ()
    if not all(card.suit for card in cards):
        raise NotationError(
            f"hand {hand!r}: this house pays it by its suits: write the suit of every card, or of"
            " none"
        )
    for card in set(cards):
        most = cards.count(card)
        if rules.decks is not None and card.face != rank_name(TEN) and most > rules.decks:
            raise RulesError(f"hand {hand!r}: {rules.full_shoe.in_words} have no {most} of {card}")
    return tuple(card.suit for card in cards)


def check_upcard_suit(
    rules: Rules, ranks: Sequence[Rank], upcard: str | Card | Rank, what: str
) -> None:
    """Refuse the suit of a card of the dealer's if one more such card is paid by its suit.

    Raises: NotationError, which names the card `what`.
    """
    card = Card(str(upcard)) if isinstance(upcard, str | Card) else None
    is_needed = card is not None and card.suit and card.rank in (needed_card(ranks) or ())
    if card is not None and is_needed and suits_decide(rules, ranks):
        raise NotationError(
            f"{what} {str(card)!r}: one more {card.face} is paid by its suit, and values look at"
            f" the suits of the hand alone: write {card.face}"
        )


def check_shoe_suits(rules: Rules, shoe: ShoeLike, engine: str) -> None:
    """Refuse suits of the cards that have left a shoe, where the house pays by suits.

    Raises: UnsupportedRuleError.
    """
    if shoe is not None and pays_by_suit(rules):
        check_gone_suits(rules, read_gone(shoe, rules), engine)


def check_gone_suits(rules: Rules, cards: Sequence[Card], engine: str) -> None:
    """Refuse suits of cards that are gone, where the house pays by suits.

    Raises: UnsupportedRuleError.
    """
    suited = [card for card in cards if card.suit]
    if not suited or not pays_by_suit(rules):
        return
    word = "bonuses" if rules.suited_natural_pays is None else "suited_natural_pays"
    reason = f"it counts cards that are gone by rank: write {suited[0].face} for {suited[0]}"
    raise UnsupportedRuleError(engine, f"{word}={getattr(rules, word)}", reason)


def read_total(text: str) -> tuple[str, ...]:
    """Return the hands of two cards of a total, as `16`, `hard 16` or `soft 18`.

    Empty if the text is not a total. A bare number of one digit is one, since it is not a hand.

    >>> read_total("16"), read_total("soft 18"), read_total("88")
    (('T 6', '9 7', '8 8'), ('A 7',), ())
    """
    match = _TOTAL.fullmatch(text.strip())
    if match is None:
        return ()
    kind, total = match[1], int(match[2])
    if not kind and not int(HARD_LABELS[0]) <= total <= BUST_LIMIT:
        return ()
    if kind and kind.lower() == "soft":
        pairs = [(ACE, total - BUST_LIMIT + TEN)]
    else:
        pairs = [(total - low, low) for low in range(2, total // 2 + 1)]
    hands = tuple(
        f"{rank_name(high)} {rank_name(low)}"
        for high, low in pairs
        if 1 <= low <= TEN and high <= TEN
    )
    if not hands:
        raise NotationError(f"hand {text!r}: two cards make hard 4 to 20, or soft 12 to 21")
    return hands
