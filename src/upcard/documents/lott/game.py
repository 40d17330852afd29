"""`Game`: document 003's collaboration of game, hands and player, one public step after another.

It drives the table's engine and adds nothing to it: no arithmetic, no settlement, no rule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from upcard.core.chip_format import write_chips
from upcard.core.errors import EmptyShoeError, IllegalActionError
from upcard.documents.lott.player import Player, write_hand
from upcard.table.engine import apply
from upcard.table.events import RoundStarted, Shuffled
from upcard.table.replay import summarize_round
from upcard.table.shoe import make_shoe
from upcard.table.state import Phase, start_round
from upcard.table.view import view

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from upcard.core.cards import Card
    from upcard.players.interface import Decider
    from upcard.rules.model import Rules
    from upcard.table.events import Event
    from upcard.table.hand import Hand
    from upcard.table.replay import RoundResult
    from upcard.table.shoe import Shoe
    from upcard.table.state import RoundState
    from upcard.table.view import TableView

STEPS: Final = (
    "new_game",
    "place_bets",
    "deal",
    "offer_insurance",
    "offer_splits",
    "fill_hands",
    "play_dealer",
    "settle",
)


class DealerHand(NamedTuple):
    """What can be seen of the dealer's hand; `total` counts the cards that lie face up."""

    cards: tuple[Card, ...]
    total: int
    hidden: int
    """How many cards lie face down."""

    def __str__(self) -> str:
        """Write the cards, `?` for one that lies face down: `9H ? (9)`."""
        shown = [*map(str, self.cards), *["?"] * self.hidden]
        return f"{' '.join(shown)} ({self.total})" if shown else "no cards"


class Game:
    """A game of one player against the dealer, a round at a time (document 003's BlackjackGame).

    `cycle` plays a round; it calls the steps of `STEPS` in this order, and so may you. A step in
    which there is nothing to do, does nothing.

    >>> from upcard.rules.house import house
    >>> from upcard.table.shoe import ScriptedShoe
    >>> game = Game(house("lott"), Player(), ScriptedShoe("T 6 T 7 9"))
    >>> str(game.cycle().hands[0].outcome)
    'bust'
    """

    def __init__(self, rules: Rules, player: Decider, shoe: Shoe | None = None) -> None:
        """Seat `player`; without a `shoe`, one is shuffled by the operating system.

        Raises: TypeError if `player` is a class, or has no `decide`.
        """
        if isinstance(player, type):
            msg = f"player is the class {player.__name__}: pass an instance, {player.__name__}()"
            raise TypeError(msg)
        if not callable(getattr(player, "decide", None)):
            msg = f"player {player!r} has no method decide(view, legal): pass an upcard.Player"
            raise TypeError(msg)
        self.rules = rules
        self.player = player
        self.shoe = make_shoe(rules) if shoe is None else shoe
        self._state: RoundState | None = None
        self._events: list[Event] = []
        self._next = 0

    @property
    def next_step(self) -> str:
        """The name of the step that comes next."""
        return STEPS[self._next]

    @property
    def view(self) -> TableView:
        """What may be seen of the table.

        Raises: IllegalActionError before the bets are placed.
        """
        return view(self._round())

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The player's hands; none before the bets are placed."""
        return self._state.hands if self._state else ()

    @property
    def dealer(self) -> DealerHand:
        """What can be seen of the dealer's hand."""
        if self._state is None:
            return DealerHand((), 0, 0)
        seen = view(self._state)
        return DealerHand(seen.dealer, seen.dealer_total, seen.hidden)

    @property
    def upcard(self) -> Card | None:
        """The dealer's upcard; None before it is dealt, and where the house hides it."""
        return view(self._state).upcard if self._state else None

    def cycle(self, bet: Fraction | int | str = 1) -> RoundResult:
        """Play one round, from the bet to the settlement.

        After a refused bet the table is cleared already, and the next call begins with its bet.

        Raises: what the steps raise.
        """
        if self.next_step != "place_bets":
            self.new_game()
        self.place_bets(bet)
        self.deal()
        self.offer_insurance()
        self.offer_splits()
        self.fill_hands()
        self.play_dealer()
        return self.settle()

    def new_game(self) -> None:
        """Clear the table, reset the player, and shuffle if it is time."""
        self._check("new_game")
        self._state = None
        self._events = []
        if isinstance(self.player, Player):
            self.player.new_game()
        if self.shoe.start_round():
            self._events.append(Shuffled(self.shoe.cards_left))
        self._finish()

    def place_bets(self, bet: Fraction | int | str = 1) -> None:
        """Put a bet, in chips, on an empty hand.

        Raises: RulesError for a bad bet.
        """
        self._check("place_bets")
        self._state = start_round(self.rules, (bet,))
        self._events.append(RoundStarted(tuple(hand.bet for hand in self._state.hands)))
        self._finish()

    def deal(self) -> None:
        """Deal the opening cards, two to the player and the dealer's.

        Raises: EmptyShoeError.
        """
        self._check("deal")
        self._deal_due()
        self._finish()

    def offer_insurance(self) -> None:
        """Offer what comes before the splits, then let the dealer look at the hole card.

        With an ace up that is even money or insurance; then surrender, where the house makes it an
        offer of its own. Whether the dealer looks is up to the rules.
        """
        self._check("offer_insurance")
        self._ask_during(Phase.INSURANCE, Phase.SURRENDER)
        self._finish()

    def offer_splits(self) -> None:
        """Offer every split, until each hand has declined or cannot be split.

        Nothing is done where the house offers splits among hit and stand: `fill_hands` does it.
        """
        self._check("offer_splits")
        self._ask_during(Phase.SPLIT)
        self._finish()

    def fill_hands(self) -> None:
        """Fill the player's hands, one after another in the order of the house."""
        self._check("fill_hands")
        self._ask_during(Phase.PLAY)
        self._finish()

    def play_dealer(self) -> None:
        """Let the dealer draw, if any hand is to be compared with his."""
        self._check("play_dealer")
        self._deal_due()
        self._finish()

    def settle(self) -> RoundResult:
        """Return what each hand won or lost; the round is over."""
        self._check("settle")
        result = summarize_round(self._round(), self._events)
        self._finish()
        return result

    def _check(self, step: str) -> None:
        """Refuse a step out of order."""
        if step != STEPS[self._next]:
            msg = (
                f"cannot {step}(): {STEPS[self._next]}() comes next. The order: {', '.join(STEPS)}"
            )
            raise IllegalActionError(msg)

    def _finish(self) -> None:
        """Go on to the next step, and show the player the table."""
        self._next = (self._next + 1) % len(STEPS)
        if self._state is not None and isinstance(self.player, Player):
            self.player.table = view(self._state)

    def _round(self) -> RoundState:
        if self._state is None:
            msg = "no bets are placed: new_game() and place_bets() come first"
            raise IllegalActionError(msg)
        return self._state

    def _ask_during(self, *phases: Phase) -> None:
        """Put the questions of these phases to the player, and deal what his answers need."""
        state = self._round()
        while state.awaits_action and state.phase in phases:
            state, events = apply(state, self.player.decide(view(state), state.legal))
            self._state = state
            self._events.extend(events)
            # The dealer's cards are a step of their own, whenever the players are done.
            if state.phase is not Phase.DEALER:
                state = self._deal_due()

    def _deal_due(self) -> RoundState:
        """Deal the cards that are due before the next question."""
        state = self._round()
        phase = state.phase
        while state.awaits_card and (state.phase is phase or state.phase is not Phase.DEALER):
            try:
                card = self.shoe.draw()
            except EmptyShoeError:
                # The round is void: no bet of it was settled.
                self._state, self._next = None, 0
                raise
            state, events = apply(state, card)
            self._state = state
            self._events.extend(events)
        return state

    def __str__(self) -> str:
        """Write the table: what comes next, the dealer, the player; nothing secret.

        A `>` stands before the hand that is asked; settled hands tell what they won or lost.
        """
        name = getattr(self.player, "name", type(self.player).__name__)
        return "\n".join(
            (
                f"{self.rules.name or self.rules}, next: {self.next_step}",
                f"dealer: {self.dealer}",
                f"{name}: {' | '.join(self._write_hands()) or 'no hand'}",
            )
        )

    def _write_hands(self) -> Iterator[str]:
        if self._state is None:
            return
        is_settled = self.next_step == STEPS[0]
        for index, hand in enumerate(self._state.hands):
            text = write_hand(hand)
            if is_settled:
                outcome, net = self._state.results[index]
                yield f"{text}: {outcome} {'+' * (net > 0)}{write_chips(net)}"
            else:
                yield f"> {text}" if index == self._state.active else text
