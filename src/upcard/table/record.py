"""`RoundRecord`: everything needed to play a round again.

A round in the history, a code, a simulated round and an unfinished hand are each a record; cards,
questions, results and alternatives are computed by playing it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.errors import BlackjackError, NotationError
from upcard.rules.model import Rules
from upcard.table.events import Event
from upcard.table.replay import RoundResult, summarize_round
from upcard.table.shoe import ScriptedShoe, Shoe
from upcard.table.state import RoundState
from upcard.table.table import Table


class CardSource(Protocol):
    """Source of the cards of a recorded round: a value that makes its shoe."""

    def make_shoe(self, rules: Rules) -> Shoe:
        """Make the shoe that deals the round again."""


class CardList(NamedTuple):
    """The cards of a round in the order dealt; later cards are unknown."""

    cards: tuple[Card, ...]

    def make_shoe(self, rules: Rules) -> Shoe:  # noqa: ARG002 (the cards are enough)
        """Make a shoe of these cards only."""
        return ScriptedShoe(self.cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRecord:
    """A round as rules, bets, source of cards and actions; it may break off before its end.

    >>> from fractions import Fraction
    >>> from upcard.core.actions import Action
    >>> from upcard.core.cards import parse_cards
    >>> from upcard.rules.model import Rules
    >>> record = RoundRecord(
    ...     rules=Rules.parse("6D"),
    ...     bets=(Fraction(10),),
    ...     source=CardList(parse_cards("T 9 8 8")),
    ...     actions=(Action.STAND,),
    ... )
    >>> str(record.result.net)
    '10'
    """

    rules: Rules
    bets: tuple[Fraction, ...]
    """Bet of each spot, before doubles, splits and insurance."""
    source: CardSource
    actions: tuple[Action, ...] = ()
    """Actions for all spots, in the order asked."""

    def make_shoe(self) -> Shoe:
        """Make the shoe that deals the round."""
        return self.source.make_shoe(self.rules)

    def play(self, *listeners: Callable[[Event], object]) -> tuple[RoundState, ...]:
        """Play the round; return its state at each question, then where it ends or breaks off.

        Raises: NotationError if the actions do not fit the cards.
        """
        return self._play(self._seat(listeners), self.actions)

    def table_at(self, *, answers: int) -> Table:
        """Return a table with the round after its first `answers` actions, ready to be played on.

        Raises: NotationError, as `play` does, or if the round has fewer actions. The table raises
        EmptyShoeError when it needs a card that is not known.
        """
        if not 0 <= answers <= len(self.actions):
            most = len(self.actions)
            raise NotationError(f"answer {answers} of a round with {most}: 0 to {most}")
        table = self._seat(())
        self._play(table, self.actions[:answers])
        return table

    @property
    def events(self) -> tuple[Event, ...]:
        """All events of the round, in order. Raises: NotationError, as `play` does."""
        events: list[Event] = []
        self.play(events.append)
        return tuple(events)

    @property
    def result(self) -> RoundResult:
        """Result of the round.

        Raises: NotationError, as `play` does, or if the actions break off before the end.
        """
        events: list[Event] = []
        end = self.play(events.append)[-1]
        if not end.is_over:
            msg = f"the round breaks off after {len(self.actions)} answers: its end is unknown"
            raise NotationError(msg)
        return summarize_round(end, events)

    def _seat(self, listeners: Sequence[Callable[[Event], object]]) -> Table:
        table = Table(self.rules, self.make_shoe())
        table.listeners.extend(listeners)
        return table

    def _play(self, table: Table, actions: Sequence[Action]) -> tuple[RoundState, ...]:
        try:
            return (table.start(self.bets), *map(table.act, actions))
        except BlackjackError as error:
            raise NotationError(f"the round cannot be played: {error}") from None
