"""`Table`: a shoe and its rounds, one after another; cards are dealt as soon as they are due."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.errors import EmptyShoeError, IllegalActionError
from upcard.rules.model import Rules
from upcard.table.engine import apply, deal
from upcard.table.events import Event, RoundStarted, Shuffled
from upcard.table.legal import legal_actions
from upcard.table.shoe import Shoe, make_shoe
from upcard.table.state import RoundState, start_round
from upcard.table.view import TableView, view


class Table:
    """A table with its shoe. Listeners are called with every event, in order.

    >>> from upcard.rules.model import Rules
    >>> from upcard.table.shoe import ScriptedShoe
    >>> table = Table(Rules.parse("6D"), ScriptedShoe("T 6 8 T 9"))
    >>> table.start([10]).hands[0].total
    18
    """

    def __init__(self, rules: Rules, shoe: Shoe | None = None) -> None:
        """Open a table; without a `shoe`, one is shuffled by the operating system's entropy."""
        self.rules = rules
        self.shoe = make_shoe(rules) if shoe is None else shoe
        self.listeners: list[Callable[[Event], object]] = []
        self.cards: list[Card] = []
        """Cards of the current or last round, in the order dealt."""
        self._state: RoundState | None = None

    @property
    def state(self) -> RoundState:
        """The round in progress, or the last one.

        Raises: IllegalActionError before the first round.

        >>> from upcard.rules.model import Rules
        >>> from upcard.table.shoe import ScriptedShoe
        >>> table = Table(Rules(), ScriptedShoe("T 6 8 T 9"))
        >>> table.start() == table.state
        True
        """
        if self._state is None:
            raise IllegalActionError("no round has been started at this table")
        return self._state

    @property
    def is_playing(self) -> bool:
        """Whether a round is in progress.

        >>> from upcard.rules.model import Rules
        >>> Table(Rules()).is_playing
        False
        """
        return self._state is not None and not self._state.is_over

    def view(self) -> TableView:
        """Return the public part of the round.

        >>> from upcard.rules.model import Rules
        >>> from upcard.table.shoe import ScriptedShoe
        >>> table = Table(Rules(), ScriptedShoe("T 6 8 T 9"))
        >>> state = table.start()
        >>> str(table.view().upcard), [str(card) for card in table.view().hand.cards]
        ('6', ['T', '8'])
        """
        return view(self.state)

    def legal_actions(self) -> tuple[Action, ...]:
        """Return the actions that are legal now.

        >>> from upcard.rules.model import Rules
        >>> from upcard.table.shoe import ScriptedShoe
        >>> table = Table(Rules.parse("6D LS"), ScriptedShoe("T 6 8 T 9"))
        >>> state = table.start()
        >>> print(*table.legal_actions())
        hit stand double surrender
        """
        return legal_actions(self.state)

    def start(self, bets: Iterable[Fraction | int | str] = (1,)) -> RoundState:
        """Place bets, one a spot, and deal; return the state at the first question or the end.

        Raises: RulesError for a bad bet; IllegalActionError while a round is in progress.

        >>> from upcard.rules.model import Rules
        >>> from upcard.table.shoe import ScriptedShoe
        >>> table = Table(Rules(), ScriptedShoe("T A 6 8 K T 9"))
        >>> [hand.total for hand in table.start([10, "2.5"]).hands]
        [18, 21]
        """
        if self.is_playing:
            raise IllegalActionError("a round is in progress at this table: finish it first")
        state = start_round(self.rules, bets)
        self.cards.clear()
        was_shuffled = self.shoe.start_round()
        if self.listeners:
            if was_shuffled:
                self._tell((Shuffled(self.shoe.cards_left),))
            self._tell((RoundStarted(tuple(hand.bet for hand in state.hands)),))
        return self._deal(state)

    def act(self, action: Action) -> RoundState:
        """Act on the active hand, and deal the cards that follow.

        Raises: IllegalActionError, with the round unchanged.

        >>> from upcard.core.actions import Action
        >>> from upcard.rules.model import Rules
        >>> from upcard.table.shoe import ScriptedShoe
        >>> table = Table(Rules(), ScriptedShoe("T 6 8 T 9"))
        >>> state = table.start([10])
        >>> str(table.act(Action.STAND).net)
        '10'
        """
        state, events = apply(self.state, action)
        self._tell(events)
        return self._deal(state)

    def take_over(self, state: RoundState, cards: Iterable[Card]) -> None:
        """Take over a round that was played from this table's shoe; listeners hear nothing of it.

        >>> from upcard.rules.model import Rules
        >>> from upcard.table.shoe import ScriptedShoe
        >>> shoe = ScriptedShoe("T 6 8 T 9")
        >>> first, second = Table(Rules(), shoe), Table(Rules(), shoe)
        >>> second.take_over(first.start(), first.cards)
        >>> second.view().hand.total
        18
        """
        self._state = state
        self.cards[:] = cards

    def _deal(self, state: RoundState) -> RoundState:
        self._state = state
        draw, cards, listeners = self.shoe.draw, self.cards, self.listeners
        while state.pending:
            try:
                card = draw()
            except EmptyShoeError:
                self._state = None  # the round is void; no bet of it was settled
                raise
            cards.append(card)
            state, events = deal(state, card)
            if listeners:
                self._tell(events)
        self._state = state
        return state

    def _tell(self, events: Iterable[Event]) -> None:
        for event in events:
            for listener in self.listeners:
                listener(event)
