"""Questions about a hand: its cards as they are drawn, and the words of totals and offers."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.drills.drill import Feedback, InputKind, Prompt, dress
from upcard.rules.payoffs import suits_decide
from upcard.rules.settings import DealOrder, HoleCard

if TYPE_CHECKING:
    from upcard.rules.model import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnHand:
    """Some cards and their words; a card face down is None."""

    name: str
    """`You`, `Dealer` or `Hand 2`."""
    cards: tuple[Card | None, ...]
    """The cards in the order of the deal, with suits, which mean nothing."""
    text: str
    """Total of the cards, or what the dealer shows."""
    is_active: bool = False
    """Whether it is the hand to answer for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPrompt(Prompt):
    """A hand against what the dealer shows: the answer is a play."""

    @property
    def input(self) -> InputKind:
        """A play."""
        return InputKind.PLAY

    @property
    def ask(self) -> str:
        """The question, with the count if there is one, and an offer separately."""
        at, offer = self.at, self._offer
        if "insurance" in self.choices:
            return f"Insurance at {at}?" if at else "Insurance?"
        what = f"{offer[:1].upper()}{offer[1:]}: your answer?" if offer else "Your play?"
        return f"At {at}: {what[:1].lower()}{what[1:]}" if at else what

    @property
    def _offer(self) -> str:
        """The offer, if the house asks for each offer alone; empty if it does not."""
        return _OFFERS.get(self.choices[-1], "") if self.choices else ""

    def write(self, rules: Rules) -> str:
        """Write the cards, and what is offered."""
        del rules
        offer = self._offer
        text = f"{_join(self.cards)} v {_join(self.dealer)}"
        return f"{text}: {offer}" if offer else text

    def draw(self, rules: Rules) -> tuple[DrawnHand, ...]:
        """Return the dealer's cards and the hand as the table draws them."""
        if self.upcard is None:
            return ()
        cards, shown = dress_prompt(self, rules)
        dealer, total = order_dealer(shown, rules), write_hand_total(cards, rules)
        return (
            DrawnHand(name="Dealer", cards=tuple(dealer), text=write_shown(shown, rules)),
            DrawnHand(name="You", cards=tuple(cards), text=total, is_active=True),
        )


_OFFERS: Final[Mapping[str, str]] = {
    Action.NO_SURRENDER: "surrender is offered",
    Action.NO_SPLIT: "a split is offered",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeHandPrompt(HandPrompt):
    """A decision of a hand that is played to its end."""

    seed: int = 0
    """Of the cards that follow the opening."""

    def write(self, rules: Rules) -> str:
        """Write the cards and their total."""
        total = write_hand_total(self.cards, rules)
        return f"{_join(self.cards)} ({total}) v {_join(self.dealer)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviationPrompt(HandPrompt):
    """A hand, or insurance, at a count near the index of its play."""

    count: int
    index: int
    holds: bool | None
    """Whether the play of the set holds at this count; None for insurance."""

    def write(self, rules: Rules) -> str:
        """Write the hand, or insurance, at the count."""
        del rules
        is_insurance = Action.INSURANCE in self.choices
        hand = "insurance?" if is_insurance else f"{_join(self.cards)} v {self.upcard}"
        return f"{hand} at {self.at}"

    def explain(self, feedback: Feedback) -> str:
        """Say the play of the set, and on which side of its index the count is."""
        if self.holds is None:
            side = "at it or above" if self.count >= self.index else "below it"
            text = f"Insurance is taken from {self.index:+d} on; {self.count:+d} is {side}."
        else:
            side = "on its side" if self.holds else "on the other side"
            text = f"The play is {self.item}; {self.count:+d} is {side} of the index."
        return f"{text} {feedback.note}".rstrip()


def _join(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def dress_prompt(prompt: Prompt, rules: Rules) -> tuple[list[Card], list[Card]]:
    """Return the hand and the dealer's cards with suits: the same ones whenever it is drawn.

    Suits mean nothing to the question, so a hand that the house pays by its suits has none. No card
    comes oftener than it is in the shoe.
    """
    if suits_decide(rules, [card.rank for card in prompt.cards]):
        return list(prompt.cards), [
            dress(card, rules, random.Random(prompt.item)) for card in prompt.dealer
        ]
    rng = random.Random(f"{prompt.item} {' '.join(map(str, prompt.cards))}")
    seen: list[Card] = []
    most = rules.decks or 8
    for card in (*prompt.cards, *prompt.dealer):
        dressed = dress(card, rules, rng)
        while seen.count(dressed) >= most and not card.suit:
            dressed = dress(card, rules, rng)
        seen.append(dressed)
    hand = len(prompt.cards)
    return seen[:hand], seen[hand:]


def order_dealer(shown: Sequence[Card], rules: Rules) -> list[Card | None]:
    """Return the dealer's opening cards in the order of the deal, as the table draws them."""
    upcard, *hole = shown
    if rules.hole_card is HoleCard.NONE:
        return [upcard]
    hidden = hole[0] if hole else None
    return [hidden, upcard] if rules.deal_order is DealOrder.HANDS_HOLE_UP else [upcard, hidden]


def write_shown(shown: Sequence[Card], rules: Rules) -> str:
    """Write what the dealer shows: `shows a 9`, `shows hard 16`."""
    return f"shows {_name_card(shown[0]) if len(shown) == 1 else write_hand_total(shown, rules)}"


def write_hand_total(cards: Sequence[Card], rules: Rules) -> str:
    """Write the total of cards: `hard 16`, `soft 18`, `21`, `24, bust`."""
    table = hand_table(rules.ace_rule)
    state = table.state_of(card.rank for card in cards)
    total = table.total[state]
    if total >= BUST_LIMIT:
        return f"{total}, bust" if total > BUST_LIMIT else str(total)
    return f"{'soft' if table.is_soft[state] else 'hard'} {total}"


_NAMES: Final = {"A": "an ace", "T": "a ten", "J": "a jack", "Q": "a queen", "K": "a king"}


def _name_card(card: Card) -> str:
    """Write a card's face as players do: `an ace`, `a 9`."""
    return _NAMES.get(card.face, f"an {card.face}" if card.face == "8" else f"a {card.face}")
