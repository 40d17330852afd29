"""Suits of a question's cards, where a house pays by them: they count, or they are refused.

Naturals of one suit (`BJS`) and bonuses for 6 7 8 and 7 7 7 (`BON`) are paid by suits. The suits of
the own hand decide then; those of other cards, which say little about the cards to come, are not
looked at, so that a question that names them is refused where they would change the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from upcard.core.cards import ACE, TEN, Card, Rank, rank_name
from upcard.core.errors import NotationError, RulesError, UnsupportedRuleError
from upcard.core.hands import BUST_LIMIT
from upcard.exact import composition
from upcard.rules import bonuses as bonus_cards
from upcard.rules.model import Rules

_PAID: Final = 3
"""Cards that a bonus pays by their suits."""


def pay_by_suit(rules: Rules) -> bool:
    """Whether the house pays some hand by its suits."""
    return rules.suited_natural_pays is not None or any(
        decide(rules, ranks) for ranks in ((6, 7, 8), (bonus_cards.SEVEN,) * _PAID)
    )


def decide(rules: Rules, ranks: Sequence[Rank]) -> bool:
    """Whether the suits of a hand decide what it is paid, or what one more card is paid."""
    if sorted(ranks) == [ACE, TEN]:
        return rules.suited_natural_pays is not None
    needed = _needed(ranks)
    bonuses = rules.bonuses
    if bonuses is None or needed is None:
        return False
    cards = [*ranks, *needed]
    pays = bonuses.by_suit(cards)
    is_super = cards == [bonus_cards.SEVEN] * _PAID and bonuses.suited_777_v_7 is not None
    return pays is not None and (len({*pays}) > 1 or is_super)


def _needed(ranks: Sequence[Rank]) -> tuple[Rank, ...] | None:
    """Return the card that a hand needs for three cards of 21, none if it has them."""
    missing = BUST_LIMIT - sum(ranks)
    if len(ranks) == _PAID:
        return () if not missing else None
    is_near = len(ranks) == _PAID - 1 and 0 < missing <= TEN
    return (missing,) if is_near else None


def read_suits(rules: Rules, hand: str | Iterable[Rank]) -> tuple[str, ...]:
    """Return the suits of a hand's cards where its house pays it by them; empty if not written.

    Raises: NotationError if some are written only; RulesError for more cards than the decks have.
    """
    cards = composition.read_hand_cards(hand)
    if not any(card.suit for card in cards) or not decide(rules, [card.rank for card in cards]):
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


def check_upcard(rules: Rules, ranks: Sequence[Rank], upcard: str | Card | Rank, what: str) -> None:
    """Refuse the suit of a card of the dealer's if one more such card is paid by its suit.

    Raises: NotationError, which names the card `what`.
    """
    card = Card(str(upcard)) if isinstance(upcard, str | Card) else None
    is_needed = card is not None and card.suit and card.rank in (_needed(ranks) or ())
    if card is not None and is_needed and decide(rules, ranks):
        raise NotationError(
            f"{what} {str(card)!r}: one more {card.face} is paid by its suit, and values look at"
            f" the suits of the hand alone: write {card.face}"
        )


def check_shoe(rules: Rules, shoe: composition.ShoeLike, engine: str) -> None:
    """Refuse suits of the cards that have left a shoe, where the house pays by suits.

    Raises: UnsupportedRuleError.
    """
    if shoe is not None and pay_by_suit(rules):
        check_gone(rules, composition.read_gone(shoe, rules), engine)


def check_gone(rules: Rules, cards: Sequence[Card], engine: str) -> None:
    """Refuse suits of cards that are gone, where the house pays by suits.

    Raises: UnsupportedRuleError.
    """
    suited = [card for card in cards if card.suit]
    if not suited or not pay_by_suit(rules):
        return
    word = "bonuses" if rules.suited_natural_pays is None else "suited_natural_pays"
    reason = f"it counts cards that are gone by rank: write {suited[0].face} for {suited[0]}"
    raise UnsupportedRuleError(engine, f"{word}={getattr(rules, word)}", reason)
