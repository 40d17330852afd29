"""The states of a round in which a card is drawn, by all that the rest depends on."""

from __future__ import annotations

from typing import Final, NamedTuple

NO_HOLE: Final = -1


class Hole(NamedTuple):
    """Facts of a round from its deal on."""

    up: int
    dealer_row: int
    """The row of upcard and hole card, or `NO_HOLE`."""
    insured: int


class Hit(NamedTuple):
    """The player draws one card and may go on."""

    row: int
    hole: Hole


class Double(NamedTuple):
    """The player draws one card at twice the bet."""

    row: int
    hole: Hole


class Dealer(NamedTuple):
    """The dealer draws against one hand."""

    result: int
    bet: int
    row: int
    insured: int


class DrawHole(NamedTuple):
    """The dealer draws the hole card after one hand was played."""

    result: int
    bet: int
    hole: Hole


class SplitHit(NamedTuple):
    """A hand of a split draws one card and may go on."""

    context: int
    row: int
    up: int


class SplitDouble(NamedTuple):
    """A hand of a split draws one card at twice the bet."""

    row: int


class Rest(NamedTuple):
    """The dealer draws for a split round."""

    row: int


State = Hit | Double | Dealer | DrawHole | SplitHit | SplitDouble | Rest
