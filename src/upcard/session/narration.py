"""One narration: each event of the table as one message, which every front-end paints."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from upcard.core.actions import Outcome
from upcard.core.cards import Card
from upcard.core.chip_format import format_chips, signed
from upcard.core.hands import BUST_LIMIT
from upcard.table.board import Board
from upcard.table.events import (
    Acted,
    DealerActed,
    DealerDealt,
    Dealt,
    InsuranceSettled,
    Peeked,
    Revealed,
    RoundEnded,
    RoundStarted,
    Settled,
    Shuffled,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from upcard.core.actions import Action
    from upcard.rules.model import Rules
    from upcard.table.events import Event

_DEALER = "dealer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One event in words and in data."""

    kind: str
    """The type of the event as JSON names it: `dealt`, `insurance_settled`."""
    seat: str
    """Who it is about: `dealer`, `shoe`, `table`, a spot, or a hand by its name."""
    text: str
    """A sentence."""
    brief: str
    """The same beside the seat, in a list of cards and payments; empty if it has no row there."""
    data: dict[str, object]
    """The fields of the event."""

    def to_json(self) -> dict[str, object]:
        """Return the event as an object: its type and its fields."""
        return {"type": self.kind} | self.data


class Narrator:
    """Hears the events of a table, and tells each in a message; `board` is the table then."""

    def __init__(
        self,
        rules: Rules,
        *,
        name_hand: Callable[[int], str] | None = None,
        name_insured: Callable[[int], str] | None = None,
        write_card: Callable[[Card], str] = str,
    ) -> None:
        """Name hands by `name_hand` (default: `You`, or `Hand 2` if there are several).

        `name_insured` names the insurance of a spot.
        """
        self.board = Board(rules)
        self._name_hand = name_hand or self._number_hand
        self._name_insured = name_insured or self._number_insured
        self._write_card = write_card

    def hear(self, event: Event) -> Message:
        """Put an event on the board, and tell it."""
        self.board.hear(event)
        seat, brief, text = self._word(event)
        data = {name: self._write(value) for name, value in event._asdict().items()}
        return Message(kind=name_kind(event), seat=seat, text=f"{text}.", brief=brief, data=data)

    def _word(self, event: Event) -> tuple[str, str, str]:
        """Return who an event is about, and the event in brief and as a sentence."""
        match event:
            case Shuffled(cards):
                brief = "shuffled" if cards is None else f"{cards} cards, shuffled"
                return "shoe", brief, "The cards are shuffled"
            case RoundStarted(bets):
                laid = ", ".join(map(format_chips, bets))
                return "table", "", f"A round begins, bets {laid}"
            case Dealt(hand, card, total):
                got = f"{self._write_card(card)}: {total}"
                name = self._name_hand(hand)
                return name, f"gets {got}", f"{_do(name, 'get')} {got}"
            case DealerDealt(card, total):
                return _DEALER, *self._word_dealer_card(card, total)
            case Peeked(has_natural):
                found = "a natural" if has_natural else "no natural"
                return _DEALER, f"looks: {found}", f"The dealer looks at the hole card: {found}"
            case Revealed(cards, total):
                shown = f"turns up {' '.join(map(self._write_card, cards))}: {total}"
                return _DEALER, shown, f"The dealer {shown}"
            case Acted(hand, action):
                name = self._name_hand(hand)
                return name, "", _do(name, action.verb)
            case DealerActed(action, total):
                return _DEALER, "", f"{_do('The dealer', action)} with {total}"
            case InsuranceSettled(spot, net):
                won = f"{'wins' if net > 0 else 'loses'} {format_chips(abs(net))}"
                whose = self._name_insured(spot)
                return f"spot {spot + 1}", f"insurance {signed(net)}", f"{whose} {won}"
            case Settled():
                return self._word_result(event)
            case RoundEnded(net):
                return "table", "", f"The round is over, net {signed(net)}"
        assert_never(event)

    def _word_dealer_card(self, card: Card | None, total: int) -> tuple[str, str]:
        got = "a card face down" if card is None else f"{self._write_card(card)}: {total}"
        brief = f"gets {got}"
        is_bust = total > BUST_LIMIT
        return brief, f"The dealer {f'busts with {total}' if is_bust else brief}"

    def _word_result(self, event: Settled) -> tuple[str, str, str]:
        name = self._name_hand(event.hand)
        brief = (
            f"{event.outcome} with {event.total},"
            f" bet {format_chips(event.bet)}: {signed(event.net)}"
        )
        amount = f" {format_chips(abs(event.net))}" if self.board.rules.betting else ""
        won, lost = f"{_do(name, 'win')}{amount}", f"{_do(name, 'lose')}{amount}"
        against = self._against(event.total)
        match event.outcome:
            case Outcome.WIN:
                text = f"{won}{against}"
            case Outcome.NATURAL:
                text = f"{won} with a natural"
            case Outcome.PUSH:
                text = f"{_do(name, 'push')}{against}"
            case Outcome.LOSE:
                text = f"{lost}{against}"
            case Outcome.BUST:
                text = f"{lost}, over {BUST_LIMIT}"
            case Outcome.SURRENDER:
                text = f"{lost} by surrender"
        return name, brief, text

    def _against(self, total: int) -> str:
        """Say what a hand met, unless the dealer has not shown all cards."""
        dealer, cards = self.board.dealer_total, self.board.dealer
        if len(cards) < 2 or None in cards:
            return ""
        if dealer > BUST_LIMIT:
            return ", the dealer is bust"
        if dealer == BUST_LIMIT and len(cards) == 2:
            return ", the dealer has a natural"
        return f", {total} against {dealer}"

    def _write(self, value: object) -> object:
        match value:
            case Card():
                return self._write_card(value)
            case tuple():
                return [self._write(item) for item in value]
        return value

    def _number_hand(self, hand: int) -> str:
        return f"Hand {hand + 1}" if len(self.board.hands) > 1 else "You"

    def _number_insured(self, spot: int) -> str:
        return f"Insurance {spot + 1}" if len(self.board.hands) > 1 else "Insurance"


def name_kind(event: Event) -> str:
    """Return the type of an event as JSON names it: `insurance_settled`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(event).__name__).lower()


def _do(name: str, verb: Action | str) -> str:
    """Write who does what: `You take insurance`, `Hand 2 takes insurance`, `mimic pushes`."""
    if name == "You":
        return f"{name} {verb}"
    first, *rest = str(verb).split()
    return " ".join((name, f"{first}{'es' if first.endswith('sh') else 's'}", *rest))
