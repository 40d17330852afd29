"""Events of the table in short sentences, for the running messages."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING, Final

from upcard.core.actions import Action
from upcard.core.chip_format import format_chips
from upcard.core.hands import BUST_LIMIT
from upcard.table.events import (
    Acted,
    DealerDealt,
    InsuranceSettled,
    Peeked,
    Revealed,
    Shuffled,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from upcard.session.count_check import CountCheck
    from upcard.session.game_session import GameSession
    from upcard.table.board import Board
    from upcard.table.events import Event

_VERBS: Final = {
    Action.HIT: "hits",
    Action.STAND: "stands",
    Action.DOUBLE: "doubles",
    Action.SPLIT: "splits",
    Action.SURRENDER: "surrenders",
    Action.INSURANCE: "takes insurance",
    Action.EVEN_MONEY: "takes even money",
}
_YOU: Final = {
    Action.INSURANCE: "You take insurance.",
    Action.EVEN_MONEY: "You take even money.",
}


def tell(event: Event, board: Board, names: Sequence[str], player_spots: Sequence[int]) -> str:
    """Tell an event that the cards alone do not show; empty for one that they do.

    `board` has heard it already.
    """
    match event:
        case Shuffled(cards) if cards is not None:
            return "The cards are shuffled."
        case Peeked(has_natural):
            found = "a natural" if has_natural else "no natural"
            return f"The dealer looks at the hole card: {found}."
        case Acted(hand, action):
            return _tell_answer(hand, action, board, names, player_spots)
        case DealerDealt(card, total) if card is not None and total > BUST_LIMIT:
            return f"The dealer busts with {total}."
        case InsuranceSettled(spot, net):
            whose = "Your insurance" if spot in player_spots else f"Insurance of {names[spot]}"
            return f"{whose} {'wins' if net > 0 else 'loses'} {format_chips(abs(net))}."
    return ""


def _tell_answer(
    hand: int, action: Action, board: Board, names: Sequence[str], player_spots: Sequence[int]
) -> str:
    spot = board.spots[hand]
    if spot in player_spots:
        return _YOU.get(action, "")
    verb = _VERBS.get(action)
    return f"{names[spot].capitalize()} {verb}." if verb else ""


def name_spots(seats: Sequence[object | None], player_spots: Sequence[int]) -> tuple[str, ...]:
    """Return a short name for each spot: yours are `you`, or numbered if there are several."""
    names = []
    for spot, seat in enumerate(seats):
        if seat is None:
            names.append(
                "you" if len(player_spots) == 1 else f"you {list(player_spots).index(spot) + 1}"
            )
        else:
            names.append(str(getattr(seat, "name", seat)).split()[0].partition(":")[0])
    return tuple(names)


def name_hands(spots: Sequence[int], names: Sequence[str]) -> tuple[str, ...]:
    """Return a name for each hand by its spot; those of a split have letters: `you 1a`, `1b`."""
    named = []
    for index, spot in enumerate(spots):
        name = names[spot] if spot < len(names) else ""
        if name and spots.count(spot) > 1:
            letter = ascii_lowercase[spots[:index].count(spot) % len(ascii_lowercase)]
            name += letter if name[-1].isdigit() else f" {letter}"
        named.append(name)
    return tuple(named)


def turn_up(session: GameSession, board: Board, check: CountCheck | None = None) -> None:
    """Show the hole card of a round that was settled without it, as a dealer does afterwards.

    The coach and the count `check` have seen it then.
    """
    if not session.is_playing and None in board.dealer:
        dealer = session.state.dealer
        board.hear(Revealed(dealer, session.state.dealer_total))
        if session.desk is not None:
            session.desk.finish_round(dealer)
        if check is not None:
            check.finish_round(dealer)
