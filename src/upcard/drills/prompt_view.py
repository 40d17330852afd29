"""A question of a drill as a front-end shows it: what is asked, the cards, names and totals."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from upcard.core.cards import Card
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.drills.desk import DrillDesk, DrillStep
from upcard.drills.dressing import dress
from upcard.drills.drill import Prompt
from upcard.drills.feedback_text import write_seconds
from upcard.rules.model import Rules
from upcard.rules.settings import DealOrder, HoleCard
from upcard.table.state import HandStatus, RoundState

_NAMES: Final = {"A": "an ace", "T": "a ten", "J": "a jack", "Q": "a queen", "K": "a king"}
_OUTCOMES: Final = {
    "win": "won",
    "natural": "won",
    "push": "pushed",
    "lose": "lost",
    "surrender": "surrendered",
}
_GROUPS: Final = {1: "one by one", 2: "by twos", 3: "by threes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FanView:
    """Some cards and their words; a card face down is None."""

    name: str
    """`You`, `Dealer` or `Hand 2`."""
    cards: tuple[Card | None, ...]
    """The cards in the order of the deal."""
    words: str
    """Total of the cards, or what the dealer shows."""
    is_active: bool = False
    """Whether it is the hand to answer for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayView:
    """A hand to be played, or a round of several: what is asked, and the cards."""

    ask: str
    count: str
    """The count at which it is asked; empty without one."""
    dealer: FanView
    hands: tuple[FanView, ...]
    is_over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowingView:
    """Cards that are shown group by group; a front-end never has those to come."""

    cards: tuple[Card | None, ...]
    """The cards of this group; face down before the first."""
    place: int
    """Number of this group, from 1; 0 before the first."""
    of: int
    """Number of groups."""
    words: str
    """All the cards and groups in words."""
    best: str
    """The best time, where it is saved."""


def view_play(desk: DrillDesk) -> PlayView | None:
    """Return the cards of the question; None if a number is asked for."""
    prompt, rules, played = desk.prompt, desk.setup.options.rules, desk.run.hand
    if played is not None:
        state = played.state
        return PlayView(
            ask="The hand is over" if state.is_over else _ask_in_round(state),
            count="",
            dealer=_fan("Dealer", _show_dealer(state), _write_dealer_total(state)),
            hands=_view_hands(state),
            is_over=state.is_over,
        )
    if prompt.upcard is None:
        return None
    cards, upcard = dress_prompt(prompt, rules)
    is_open = desk.step is DrillStep.ASKING
    return PlayView(
        ask=_ask_line(prompt),
        count=prompt.text.partition(" at ")[2],
        dealer=_fan("Dealer", _order_dealer(upcard, rules), f"shows {_name_card(upcard)}"),
        hands=(_fan("You", cards, write_total(cards, rules), is_active=is_open),),
        is_over=False,
    )


def view_showing(desk: DrillDesk) -> ShowingView | None:
    """Return the group of cards that is shown now; None after the last one."""
    place, groups = desk.place, desk.prompt.groups
    if place is None:
        return None
    best = desk.run.best_seconds(desk.prompt.item)
    how = _GROUPS.get(len(groups[0]), "") if desk.is_countdown else f"in {len(groups)} groups"
    return ShowingView(
        cards=(None,) * len(groups[0]) if place < 0 else groups[place],
        place=place + 1,
        of=len(groups),
        words=f"{sum(map(len, groups))} cards {how}",
        best="" if best is None else write_seconds(best),
    )


def _fan(
    name: str, cards: Sequence[Card | None], words: str, *, is_active: bool = False
) -> FanView:
    return FanView(name=name, cards=tuple(cards), words=words, is_active=is_active)


def _view_hands(state: RoundState) -> tuple[FanView, ...]:
    return tuple(
        _fan(
            "You" if len(state.hands) == 1 else f"Hand {index + 1}",
            hand.cards,
            _write_status(state, index),
            is_active=not state.is_over and index == state.active,
        )
        for index, hand in enumerate(state.hands)
    )


def _ask_line(prompt: Prompt) -> str:
    """Write what is asked: the count if there is one, and an offer separately."""
    _, colon, offer = prompt.text.partition(": ")
    at = prompt.text.partition(" at ")[2]
    if "insurance" in prompt.choices:
        return f"Insurance at {at}?" if at else "Insurance?"
    what = f"{offer[:1].upper()}{offer[1:]}: your answer?" if colon else "Your play?"
    return f"At {at}: {what[:1].lower()}{what[1:]}" if at else what


def _ask_in_round(state: RoundState) -> str:
    """Write what is asked in a whole hand: `Your play?`, `Hand 1 of 2: surrender?`."""
    count = len(state.hands)
    which = f"Hand {state.active + 1} of {count}: " if count > 1 else ""
    line = which + {"surrender": "surrender?", "split": "split?"}.get(state.phase, "your play?")
    return line[:1].upper() + line[1:]


def dress_prompt(prompt: Prompt, rules: Rules) -> tuple[list[Card], Card]:
    """Return the hand and the upcard with suits: the same ones whenever it is drawn.

    Suits mean nothing to the question; no card comes oftener than it is in the shoe.
    """
    rng = random.Random(prompt.text)
    seen: list[Card] = []
    most = rules.decks or 8
    for card in (*prompt.cards, prompt.upcard):
        if card is None:
            continue
        dressed = dress(card, rng)
        while seen.count(dressed) >= most and not card.suit:
            dressed = dress(card, rng)
        seen.append(dressed)
    return seen[:-1], seen[-1]


def _order_dealer(upcard: Card, rules: Rules) -> list[Card | None]:
    """Return the dealer's opening cards in the order of the deal, as the table draws them."""
    if rules.hole_card is HoleCard.NONE:
        return [upcard]
    return [None, upcard] if rules.deal_order is DealOrder.HANDS_HOLE_UP else [upcard, None]


def _show_dealer(state: RoundState) -> list[Card | None]:
    """Return the dealer's cards in the order of the deal, as the table draws them."""
    if len(state.shown_dealer_cards) == len(state.dealer):
        return list(state.dealer)
    up = state.setup.up_index if state.shown_dealer_cards else -1
    return [card if place == up else None for place, card in enumerate(state.dealer)]


def write_total(cards: Sequence[Card], rules: Rules) -> str:
    """Write the total of cards: `hard 16`, `soft 18`, `21`, `24, bust`."""
    table = hand_table(rules.ace_rule)
    state = table.state_of(card.rank for card in cards)
    total = table.total[state]
    if total >= BUST_LIMIT:
        return f"{total}, bust" if total > BUST_LIMIT else str(total)
    return f"{'soft' if table.is_soft[state] else 'hard'} {total}"


def _write_dealer_total(state: RoundState) -> str:
    """Write the dealer's total once the round is over, else what the dealer shows."""
    if state.is_over and len(state.dealer) == len(state.shown_dealer_cards) > 1:
        total = state.dealer_total
        return f"{total}, bust" if total > BUST_LIMIT else str(total)
    return f"shows {_name_card(state.upcard)}"


def _write_status(state: RoundState, index: int) -> str:
    """Write the total of a hand, and that it waits, is finished or how it ended."""
    hand = state.hands[index]
    total = write_total(hand.cards, state.rules)
    if state.is_over:
        outcome = str(state.results[index][0])
        return total if outcome == "bust" else f"{total}, {_OUTCOMES.get(outcome, outcome)}"
    if hand.status is HandStatus.PLAYING:
        return total if index == state.active else f"{total}, waits"
    is_told = hand.status in (HandStatus.BUST, HandStatus.TWENTY_ONE)
    return total if is_told else f"{total}, {hand.status}"


def _name_card(card: Card) -> str:
    """Write a card's face as players do: `an ace`, `a 9`."""
    return _NAMES.get(card.face, f"an {card.face}" if card.face == "8" else f"a {card.face}")
