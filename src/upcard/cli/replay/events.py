"""Events of a table as lines of text and as JSON, for replays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from upcard.core.cards import Card
from upcard.core.chip_format import format_chips, signed
from upcard.table import events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from upcard.table.events import Event


def describe_event(event: Event, *, name: Callable[[Card], str] = str) -> Iterator[tuple[str, str]]:
    """Describe an event by its subject and text; nothing if another event includes it.

    `name` writes a card.
    """
    match event:
        case events.Shuffled(cards):
            yield "shoe", "shuffled" if cards is None else f"{cards} cards, shuffled"
        case events.Dealt(hand, card, total):
            yield f"hand {hand + 1}", f"gets {name(card)}: {total}"
        case events.DealerDealt(card, total):
            got = "gets a card face down" if card is None else f"gets {name(card)}"
            yield "dealer", f"{got}: {total}" if card is not None else got
        case events.Peeked(has_natural):
            yield "dealer", f"looks: {'a natural' if has_natural else 'no natural'}"
        case events.Revealed(cards, total):
            yield "dealer", f"turns up {' '.join(map(name, cards))}: {total}"
        case events.InsuranceSettled(spot, net):
            yield f"spot {spot + 1}", f"insurance {signed(net)}"
        case events.Settled(hand, outcome, total, bet, net):
            text = f"{outcome} with {total}, bet {format_chips(bet)}: {signed(net)}"
            yield f"hand {hand + 1}", text


def event_to_json(event: Event, *, name: Callable[[Card], str] = str) -> dict[str, Any]:
    """Return an event as a dictionary: its type and its fields, cards by `name`."""
    told: dict[str, Any] = {"type": _snake(type(event).__name__)}
    for field, value in event._asdict().items():
        match value:
            case Card():
                told[field] = name(value)
            case tuple():
                told[field] = [name(item) if isinstance(item, Card) else item for item in value]
            case _:
                told[field] = value
    return told


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)[1:]
