"""`Game`: document 003's collaboration of game, hands and player, as public steps.

It drives the table's engine and adds no arithmetic, settlement or rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from upcard.core.cards import Card
from upcard.core.errors import EmptyShoeError, IllegalActionError
from upcard.core.numbers import write_chips
from upcard.documents.lott.player import Player, write_hand
from upcard.players.bots import Decider
from upcard.rules.model import Rules
from upcard.table.engine import apply
from upcard.table.events import Event, RoundStarted, Shuffled
from upcard.table.rounds import RoundResult, summarize_round
from upcard.table.shoe import Shoe, make_shoe
from upcard.table.state import Hand, Phase, RoundState, TableView, start_round, view

STEPS: Final = (
    *("new_game", "place_bets", "deal", "offer_insurance"),
    *("offer_splits", "fill_hands", "play_dealer", "settle"),
)


class DealerHand(NamedTuple):
    """The visible part of the dealer's hand; `total` counts the face-up cards."""

    cards: tuple[Card, ...]
    total: int
    hidden: int
    """Number of face-down cards."""

    def __str__(self) -> str:
        """Write the cards, `?` for each face-down one: `9H ? (9)`."""
        shown = [*map(str, self.cards), *["?"] * self.hidden]
        return f"{' '.join(shown)} ({self.total})" if shown else "no cards"


class Game:
    """A game of one player against the dealer, a round at a time (document 003's BlackjackGame).

    `cycle` plays a round by calling the methods in `STEPS` in order, and so may you. A step that
    does not apply does nothing.

    >>> from upcard.rules.house import house
    >>> from upcard.table.shoe import ScriptedShoe
    >>> game = Game(house("lott"), Player(), ScriptedShoe("T 6 T 7 9"))
    >>> str(game.cycle().hands[0].outcome)
    'bust'
    """

    def __init__(self, rules: Rules, player: Decider, shoe: Shoe | None = None) -> None:
        """Seat `player`; without a `shoe`, one is shuffled by the operating system's entropy.

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
        """Name of the next step."""
        return STEPS[self._next]

    @property
    def view(self) -> TableView:
        """The visible part of the table. Raises: IllegalActionError before the bets are placed."""
        return view(self._round())

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The player's hands; empty before the bets are placed."""
        return self._state.hands if self._state else ()

    @property
    def dealer(self) -> DealerHand:
        """The visible part of the dealer's hand."""
        if self._state is None:
            return DealerHand((), 0, 0)
        seen = view(self._state)
        return DealerHand(seen.dealer, seen.dealer_total, seen.hidden)

    @property
    def upcard(self) -> Card | None:
        """The dealer's upcard; None before it is dealt, or if the house hides it."""
        return view(self._state).upcard if self._state else None

    def cycle(self, bet: Fraction | int | str = 1) -> RoundResult:
        """Play one round, from the bet to the settlement.

        If the bet is refused, the table is cleared already, and the next call starts with its bet.

        Raises: as the steps do.
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
        """Place a bet, in chips, on an empty hand. Raises: RulesError for an invalid bet."""
        self._check("place_bets")
        self._state = start_round(self.rules, (bet,))
        self._events.append(RoundStarted(tuple(hand.bet for hand in self._state.hands)))
        self._finish()

    def deal(self) -> None:
        """Deal the opening cards, two to the player and the dealer's. Raises: EmptyShoeError."""
        self._check("deal")
        self._deal_due()
        self._finish()

    def offer_insurance(self) -> None:
        """Make the offers before the splits, then let the dealer look at the hole card.

        With an ace up that is even money or insurance; then surrender, if the house makes it a
        separate offer. The rules determine whether the dealer looks.
        """
        self._check("offer_insurance")
        self._ask_during(Phase.INSURANCE, Phase.SURRENDER)
        self._finish()

    def offer_splits(self) -> None:
        """Offer every split, until each hand has declined or cannot be split.

        Does nothing if the house offers splits along with hit and stand: see `fill_hands`.
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
        """Let the dealer draw, if any hand is to be compared."""
        self._check("play_dealer")
        self._deal_due()
        self._finish()

    def settle(self) -> RoundResult:
        """Return the result of the finished round."""
        self._check("settle")
        result = summarize_round(self._round(), self._events)
        self._finish()
        return result

    def _check(self, step: str) -> None:
        if step != STEPS[self._next]:
            raise IllegalActionError(
                f"cannot {step}(): {STEPS[self._next]}() comes next. The order: {', '.join(STEPS)}"
            )

    def _finish(self) -> None:
        """Move to the next step, and show the player the table."""
        self._next = (self._next + 1) % len(STEPS)
        if self._state is not None and isinstance(self.player, Player):
            self.player.table = view(self._state)

    def _round(self) -> RoundState:
        if self._state is None:
            raise IllegalActionError("no bets are placed: new_game() and place_bets() come first")
        return self._state

    def _ask_during(self, *phases: Phase) -> None:
        """Ask the player the questions of these phases, and deal the cards in between."""
        state = self._round()
        while state.awaits_action and state.phase in phases:
            state, events = apply(state, self.player.decide(view(state), state.legal))
            self._state = state
            self._events.extend(events)
            # The dealer's cards are a separate step, once the players are done.
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
                # The round is void: no bet was settled.
                self._state, self._next = None, 0
                raise
            state, events = apply(state, card)
            self._state = state
            self._events.extend(events)
        return state

    def __str__(self) -> str:
        """Write the table: what comes next, the dealer, the player; nothing secret.

        A `>` marks the active hand; settled hands show their net.
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
