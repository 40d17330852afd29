"""The messages of a table on the screen: which events have one, and the names of the seats."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

from upcard.core.actions import Action
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


def is_told(event: Event, board: Board, player_spots: Sequence[int]) -> bool:
    """Whether an event needs a message: the cards alone do not show it.

    `board` has heard it already.
    """
    match event:
        case Shuffled(cards):
            return cards is not None
        case DealerDealt(_, total):
            return total > BUST_LIMIT
        case Acted(hand, action):
            is_side_bet = action in (Action.INSURANCE, Action.EVEN_MONEY)
            is_other = board.spots[hand] not in player_spots
            return is_side_bet or (is_other and not action.declines)
    return isinstance(event, Peeked | InsuranceSettled)


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
