"""Document 003: the player who answers offers, the game, and scripts for tests.

The game drives the table's engine and adds no arithmetic, settlement or rule of its own.
"""

import inspect
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, Final, NamedTuple

from upcard.core import errors, numbers, wager
from upcard.core.actions import Action, parse_answers
from upcard.core.cards import ACE, Card, parse_cards
from upcard.core.hands import BUST_LIMIT, EMPTY_HAND, AceRule, hand_table
from upcard.players.bots import Decider, upcard_rank
from upcard.rules.house import RulesLike, as_rules
from upcard.rules.predicates import DEALER_STANDS_ON, dealer_draws
from upcard.table import engine, rounds
from upcard.table import state as table_state
from upcard.table.events import Event, RoundStarted, Shuffled
from upcard.table.shoe import Shoe, open_shoe
from upcard.table.state import (
    OWN_OFFERS,
    Hand,
    HandStatus,
    Phase,
    RoundState,
    TableView,
    start_round,
    view,
)

HITS_UP_TO: Final = 16
OFFERS: Final = {
    Action.EVEN_MONEY: "even_money",
    Action.INSURANCE: "insurance",
    Action.SURRENDER: "surrender",
    Action.SPLIT: "split",
    Action.DOUBLE: "double_down",
    Action.HIT: "hit",
}
"""The method that answers each offer, in document 003's order."""
_CLOSE: Final = 0.7
"""Similarity of two names, from 0 to 1, from which one is taken for a misspelling."""


class Player:
    """A player to whom the table makes offers, one after another (document 003).

    By default even money, insurance, surrender, splits and doubles are declined, and a hit is
    accepted on 16 or less, like the dealer. Declining everything stands. During an offer
    `self.table` is the visible part of the table: `self.table.upcard`.

    >>> class Bold(Player):
    ...     def hit(self, hand):
    ...         return hand.total < 19
    """

    name: str = "Player"
    _table: TableView | None = None

    def __init_subclass__(cls, **options: Any) -> None:
        """Refuse a subclass with a misspelled offer, which the table would never make.

        Raises: TypeError naming the method that was probably meant.
        """
        super().__init_subclass__(**options)
        for written, method in vars(cls).items():
            if written.startswith("_") or hasattr(Player, written) or not _takes_a_hand(method):
                continue
            meant = get_close_matches(written, OFFERS.values(), n=1, cutoff=_CLOSE)
            if meant:
                raise TypeError(
                    f"{cls.__name__}.{written}(): did you mean {meant[0]}()? The table calls"
                    f" {', '.join(OFFERS.values())}; begin a method of your own with _"
                )

    def __init__(self, name: str = "") -> None:
        """Give the player a `name` (default: that of the class)."""
        if name:
            self.name = name

    @property
    def table(self) -> TableView:
        """The visible part of the table.

        Raises: IllegalActionError before the player has joined a table.
        """
        if self._table is None:
            msg = f"{self.name} sits at no table yet: it is seen from the first offer on"
            raise errors.IllegalActionError(msg)
        return self._table

    @table.setter
    def table(self, view: TableView) -> None:
        self._table = view

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The player's hands, split halves next to each other; empty between rounds."""
        return self._table.hands if self._table else ()

    def new_game(self) -> None:
        """Forget the last round's table and hands."""
        self._table = None

    def even_money(self, hand: Hand) -> bool:  # noqa: ARG002
        """Whether to be paid 1:1 at once for a natural against an ace."""
        return False

    def insurance(self, hand: Hand) -> bool:  # noqa: ARG002
        """Whether to bet half as much again that the dealer has a natural."""
        return False

    def surrender(self, hand: Hand) -> bool:  # noqa: ARG002
        """Whether to give up half the bet; only some houses offer it."""
        return False

    def split(self, hand: Hand) -> bool:  # noqa: ARG002
        """Whether to make two hands of a pair, with a second bet."""
        return False

    def double_down(self, hand: Hand) -> bool:  # noqa: ARG002
        """Whether to double the bet for exactly one more card."""
        return False

    def hit(self, hand: Hand) -> bool:
        """Whether to take one more card."""
        return hand.total <= HITS_UP_TO

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Make the legal offers in document 003's order; the first that is accepted counts.

        The order: even money, insurance, surrender, split, double, hit. Declining all of them
        stands, or declines a separate offer.

        Raises: TypeError if a method returns something other than True or False.
        """
        self._table = view
        hand = view.hands[view.active]
        for action, offer in OFFERS.items():
            if action in legal and self._accepts(offer, hand):
                return action
        declines = (action for action in legal if action is Action.STAND or action.declines)
        return next(declines, Action.HIT)  # a house may not let a low total stand

    def _accepts(self, offer: str, hand: Hand) -> bool:
        answer = getattr(self, offer)(hand)
        if answer not in (True, False):
            msg = f"{type(self).__name__}.{offer}() returned {answer!r}: return True or False"
            raise TypeError(msg)
        return bool(answer)

    def __str__(self) -> str:
        """Write the name and the hands: `Ann: 8D 5H (13) bet 1 | 8S T (18) bet 1`."""
        return f"{self.name}: {' | '.join(map(write_hand, self.hands)) or 'no hand'}"


def _takes_a_hand(method: object) -> bool:
    """Whether a method takes one argument besides `self`, as offers do."""
    return inspect.isfunction(method) and len(inspect.signature(method).parameters) == 2


def write_hand(hand: Hand) -> str:
    """Write a hand and its bet: `8D 5H (13) bet 1`."""
    return f"{hand if hand.cards else 'empty'} bet {numbers.write_chips(hand.stake)}"


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

    def __init__(self, rules: RulesLike, player: Decider, shoe: Shoe | str | None = None) -> None:
        """Seat `player`; the `shoe` is one or its cards (default: shuffled at random).

        Raises: TypeError if `player` is a class, or has no `decide`.
        """
        if isinstance(player, type):
            msg = f"player is the class {player.__name__}: pass an instance, {player.__name__}()"
            raise TypeError(msg)
        if not callable(getattr(player, "decide", None)):
            msg = f"player {player!r} has no method decide(view, legal): pass an upcard.Player"
            raise TypeError(msg)
        self.rules = as_rules(rules)
        self.player = player
        self.shoe = open_shoe(self.rules, shoe)
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

    def cycle(self, bet: Fraction | int | str = 1) -> rounds.RoundResult:
        """Play one round, from the bet to the settlement.

        If the bet is refused, the table is cleared already, and the next call starts with its bet.

        Raises: as the steps do.
        """
        if self.next_step != "place_bets":
            self.new_game()
        self.place_bets(bet)
        for step in STEPS[2:-1]:
            getattr(self, step)()
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
        """Place a bet, in chips, on an empty hand, or on both in a house of two.

        Raises: RulesError for an invalid bet.
        """
        self._check("place_bets")
        self._state = start_round(self.rules, (bet,) * self.rules.min_spots)
        self._events.append(RoundStarted(table_state.wagers_of(self._state)))
        self._finish()

    def deal(self) -> None:
        """Deal the opening cards, two to the player and the dealer's. Raises: EmptyShoeError."""
        self._check("deal")
        self._deal_due()
        self._finish()

    def offer_insurance(self) -> None:
        """Make the offers before the splits, then let the dealer look at the hole card.

        With an ace up that is even money or insurance; then surrender, if the house makes it a
        separate offer. The rules determine whether the dealer looks. A switch is offered after it.
        """
        self._check("offer_insurance")
        self._ask_during(Phase.INSURANCE, Phase.SURRENDER, Phase.SWITCH)
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

    def settle(self) -> rounds.RoundResult:
        """Return the result of the finished round."""
        self._check("settle")
        result = rounds.summarize_round(self._round(), self._events)
        self._finish()
        return result

    def _check(self, step: str) -> None:
        if step != STEPS[self._next]:
            raise errors.IllegalActionError(
                f"cannot {step}(): {STEPS[self._next]}() comes next. The order: {', '.join(STEPS)}"
            )

    def _finish(self) -> None:
        self._next = (self._next + 1) % len(STEPS)
        if self._state is not None and isinstance(self.player, Player):
            self.player.table = view(self._state)

    def _round(self) -> RoundState:
        if self._state is None:
            msg = "no bets are placed: new_game() and place_bets() come first"
            raise errors.IllegalActionError(msg)
        return self._state

    def _ask_during(self, *phases: Phase) -> None:
        """Ask the player the questions of these phases, and deal the cards in between."""
        state = self._round()
        while state.awaits_action and state.phase in phases:
            state, events = engine.apply(state, self.player.decide(view(state), state.legal))
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
            except errors.EmptyShoeError:
                # The round is void: no bet was settled.
                self._state, self._next = None, 0
                raise
            state, events = engine.apply(state, card)
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
                yield f"{text}: {outcome} {'+' * (net > 0)}{numbers.write_chips(net)}"
            else:
                yield f"> {text}" if index == self._state.active else text


class ScriptedPlayer(Player):
    """Gives the answers of a list, in the order of the questions.

    As with `play_round`, any other answer declines a split or a surrender that is a separate offer,
    and then answers the next question. Illegal answers are given too: the table refuses them.
    """

    name = "Script"

    def __init__(self, answers: str | Iterable[Action | str]) -> None:
        super().__init__()
        self._answers = parse_answers(answers)
        self._given = 0

    @property
    def unasked(self) -> tuple[Action, ...]:
        """Answers that were not used."""
        return self._answers[self._given :]

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Return the next answer."""
        self.table = view
        if self._given == len(self._answers):
            raise errors.OutOfDecisionsError(
                f"the table asks about {view.hand} and all {self._given} answers are given."
                f" Legal: {', '.join(legal)}"
            )
        answer = self._answers[self._given]
        if view.phase in OWN_OFFERS and answer not in legal and not answer.declines:
            return next(action for action in legal if action.declines)
        self._given += 1
        return answer


def make_hand(
    cards: str | Iterable[Card | str],
    *,
    bet: Fraction | int | str = 1,
    ace_rule: AceRule = AceRule.BEST,
) -> Hand:
    """Make a hand of `cards`, to test offers about it.

    >>> print(make_hand("A 6"))
    A 6 (soft 17)
    """
    known = parse_cards(cards)
    table = hand_table(ace_rule)
    state = EMPTY_HAND
    for card in known:
        if table.total[state] > BUST_LIMIT:
            msg = f"a hand of {' '.join(map(str, known))} is over {BUST_LIMIT} before its last card"
            raise errors.NotationError(msg)
        state = table.next_state[state][card.rank]
    total, status = table.total[state], HandStatus.PLAYING
    if total > BUST_LIMIT:
        status = HandStatus.BUST
    elif total == BUST_LIMIT:
        status = HandStatus.NATURAL if len(known) == 2 else HandStatus.TWENTY_ONE
    exact = wager.read_bet(bet)
    return Hand(known, state, total, table.is_soft[state], exact, exact, exact, 0, status=status)


_FIRST_STIFF: Final = 12
_GOOD_SOFT: Final = 18
_LAST_WEAK_UPCARD: Final = 6


class DealerMimic(Player):
    """Plays like the dealer of the house: draws to 17, soft 17 by the rules, declines offers."""

    name = "Mimic"

    def hit(self, hand: Hand) -> bool:
        """Hit under 17, and a soft 17 if the dealer does."""
        return dealer_draws(self.table.rules, hand.total, is_soft=hand.is_soft)


class NeverBust(Player):
    """Never risks a bust: stands on hard 12 and soft 18 or more, hits everything else."""

    name = "Never-bust"

    def hit(self, hand: Hand) -> bool:
        """Hit hands that no card can bust, up to a soft 17."""
        if hand.is_soft:
            return hand.total < _GOOD_SOFT
        return hand.total < _FIRST_STIFF


class SimpleBlackjackPlayer(Player):
    """Document 003's SimpleBlackjackPlayer, poor on purpose.

    No insurance, no even money; splits aces and eights only. 9 or less and soft 12 to 16 hit; 10
    and 11 hit against 2 to 6 and double against 7 to ace; hard 12 to 16 stand against 2 to 6
    and hit against 7 to ace; 17 and more stand.

    Source: the table of document 003's strategy chapter, which takes precedence over its sentence
    that would double every 11 or less.
    """

    name = "Simple"

    def split(self, hand: Hand) -> bool:
        """Split aces and eights."""
        return hand.cards[0].rank in (ACE, 8)

    def double_down(self, hand: Hand) -> bool:
        """Double 10 and 11 against 7 to ace."""
        return hand.total in (10, 11) and not self._faces_weak_upcard()

    def hit(self, hand: Hand) -> bool:
        """Hit under 12, soft hands under 17, and stiff hands against 7 to ace."""
        if hand.total < _FIRST_STIFF:
            return True
        if hand.total >= DEALER_STANDS_ON:
            return False
        return hand.is_soft or not self._faces_weak_upcard()

    def _faces_weak_upcard(self) -> bool:
        return ACE < upcard_rank(self.table, self.name) <= _LAST_WEAK_UPCARD
