"""`play_rounds`: many rounds with a player and a betting system; `compare_players`: two of them.

`Bank` holds the chips that cover them, a bot's or a person's.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from upcard.core.actions import Action
from upcard.core.errors import IllegalActionError, RulesError
from upcard.core.numbers import count_of, format_chips, signed, write_chips
from upcard.core.wager import SideStakes, Wager, read_bet
from upcard.players import betting_systems, bots
from upcard.rules.model import Rules
from upcard.rules.predicates import raise_of_double, splits_free
from upcard.table.legal import Refusal, doubles_free
from upcard.table.rounds import RoundResult, Table, summarize_round
from upcard.table.shoe import make_shoe
from upcard.table.state import Bets, Hand, RoundState, TableView, prepare
from upcard.table.state import view as view_table


class PlayedRound(NamedTuple):
    """One round of a session. Amounts are in chips."""

    number: int
    """1 for the session's first round."""
    bet: Fraction
    """The bet of each spot, before doubles, splits and insurance."""
    net: Fraction
    """Won or lost over all hands, insurance included."""
    bankroll: Fraction | None
    """The bankroll after the round; None if the session has no bankroll."""
    state: RoundState
    """The round as it ended."""

    @property
    def result(self) -> RoundResult:
        """The full result of the round, without its events: listeners of the table get those."""
        return summarize_round(self.state)


def play_rounds(  # noqa: PLR0913 (each is named in the call)
    table: Table,
    player: bots.Decider,
    *,
    betting: betting_systems.BettingSystem,
    rounds: int,
    bankroll: Fraction | int | str | None = None,
    spots: int = 1,
    side: SideStakes = (),
) -> Iterator[PlayedRound]:
    """Play up to `rounds` rounds, one each time the iterator is advanced.

    Each spot gets the bet of the betting system, and the `side` bets; the system then receives the
    net over all spots. With a
    `bankroll` the session ends before a round whose bets it does not cover, and a double, split
    or insurance that it does not cover is not offered. If only one answer is left, the player is
    not asked.
    """
    if rounds < 0:
        raise RulesError(f"{rounds} rounds: a session has 0 or more")
    prepare(table.rules, spots)  # refuses more spots than the house allows
    chips = None if bankroll is None else read_bet(bankroll)

    def play() -> Iterator[PlayedRound]:
        left = chips
        for number in range(1, rounds + 1):
            bet = betting.next_bet()
            wager = Wager(bet, side)
            if left is not None and wager.total * spots > left:
                return
            state = _play_round(table, player, (wager,) * spots, left)
            betting.record(state.net)
            left = None if left is None else left + state.net
            yield PlayedRound(number, bet, state.net, left, state)

    return play()


class PlayerComparison(NamedTuple):
    """Two players with the same cards, round by round. EVs are per initial bet."""

    rounds: int
    first: float
    second: float
    standard_error: float
    """The standard error of `difference`."""

    @property
    def difference(self) -> float:
        """How much more the first player wins."""
        return self.first - self.second

    def __str__(self) -> str:
        return f"{self.difference:+.2%} ± {self.standard_error:.2%} of a bet"


def compare_players(
    rules: Rules, first: bots.Decider, second: bots.Decider, *, rounds: int, seed: int
) -> PlayerComparison:
    """Play each round twice, from the same fresh shoe, once with each player.

    Luck that both share cancels out, so the error of the difference is far smaller than that of
    either EV. Where the cards drawn differ, so do those that follow.

    >>> from upcard.rules.model import Rules
    >>> from upcard.simulation.registry import make_player
    >>> one, other = (make_player(name, Rules()) for name in ("mimic", "never-bust"))
    >>> found = compare_players(Rules(), one, other, rounds=200, seed=1)
    >>> found.rounds, found.standard_error < 0.1
    (200, True)
    """
    if rounds < 2:
        raise RulesError(f"{rounds} rounds: a comparison has an error from 2 on")
    bets = (Fraction(1),)
    nets = []
    for number in range(rounds):
        tables = (
            Table(rules, make_shoe(rules, random.Random(f"upcard pair {seed} {number}")))
            for _ in range(2)
        )
        both = list(zip(tables, (first, second), strict=True))
        for table, player in both:
            bots.sit_down(player, table)
        nets.append([float(_play_round(table, player, bets, None).net) for table, player in both])
    one, other = (math.fsum(column) / rounds for column in zip(*nets, strict=True))
    square = math.fsum((a - b - (one - other)) ** 2 for a, b in nets)
    return PlayerComparison(rounds, one, other, math.sqrt(square / (rounds - 1) / rounds))


def _play_round(
    table: Table, player: bots.Decider, bets: Bets, chips: Fraction | None
) -> RoundState:
    state = table.start(bets)
    while state.legal:
        seen = view_table(state)
        legal = state.legal if chips is None else covered_actions(seen, state.legal, chips)
        if len(legal) == 1:
            state = table.act(legal[0])
            continue
        action = player.decide(seen, legal)
        if chips is not None and action in state.legal and action not in legal:
            needed = write_chips(extra_bet(seen.rules, action, seen.hand))
            raise IllegalActionError(
                f"cannot {action.verb} {seen.hand}: {needed} more chips are needed,"
                f" {write_chips(free_chips(seen, chips))} are left. Legal: {', '.join(legal)}"
            )
        state = table.act(action)
    return state


def extra_bet(rules: Rules, action: Action, hand: Hand) -> Fraction:
    """Return the chips that an action adds to the bets on the table."""
    if action is Action.DOUBLE:
        raised = raise_of_double(rules, hand.initial_bet, hand.doubles)
        return raised * 0 if doubles_free(rules, hand) else raised
    if action is Action.SPLIT:
        return hand.initial_bet * (0 if splits_free(rules, hand.cards[0].rank) else 1)
    if action is Action.INSURANCE:
        return hand.stake / 2
    return hand.stake * 0


def free_chips(
    view: TableView, bankroll: Fraction, spots: Collection[int] | None = None
) -> Fraction:
    """Return the `bankroll` of the start of the round less the bets on the table.

    `spots` are those that the bankroll plays, all of them if None. Insurance and side bets that
    are settled are deducted too: nothing is paid before the round is over.
    """
    free = bankroll
    for hand in view.hands:
        if spots is None or hand.spot in spots:
            free -= hand.stake
    for spot, bet in enumerate(view.insurance):
        if spots is None or spot in spots:
            free -= (bet or 0) + view.side.placed(spot)
    return free


def covered_actions(
    view: TableView,
    legal: tuple[Action, ...],
    bankroll: Fraction,
    spots: Collection[int] | None = None,
) -> tuple[Action, ...]:
    """Remove the actions that the chips do not cover; `bankroll` is that before the round."""
    free = free_chips(view, bankroll, spots)
    rules, hand = view.rules, view.hand
    if free >= raise_of_double(rules, hand.initial_bet, hand.doubles):
        return legal  # nothing costs more than a double
    return tuple(action for action in legal if extra_bet(rules, action, hand) <= free)


@dataclass(slots=True, kw_only=True)
class Bank:
    """The player's chips, None in a house without bets, and the score of the session.

    Chips of practice are those that were brought plus the nets. A profile's chips are shared with
    its other tables: `look` reads them, while the score stays that of this session.
    """

    balance: Fraction | None
    read_chips: Callable[[], Fraction] | None = field(default=None, compare=False, repr=False)
    """Reads the chips of a profile: those free to bet and those on this table. None in practice."""
    brought: Fraction = field(default=Fraction(0), init=False)
    net: Fraction = field(default=Fraction(0), init=False)
    rounds: int = field(default=0, init=False)
    wins: int = field(default=0, init=False)
    losses: int = field(default=0, init=False)
    ties: int = field(default=0, init=False)
    on_table: Fraction = field(default=Fraction(0), init=False)
    """The bets of a hand that is left unfinished. They are part of `balance` and not free."""

    def __post_init__(self) -> None:
        self.brought = self.balance or Fraction(0)

    @property
    def is_broke(self) -> bool:
        """Whether no chip is left in a house where one needs them."""
        return self.balance is not None and self.balance <= 0

    def look(self) -> None:
        """Read the chips again: another terminal may have won or lost some of the same profile."""
        if self.balance is not None and self.read_chips is not None:
            self.balance = self.read_chips()

    def bring(self, chips: Fraction) -> None:
        """Start again with this many chips, as for a new match; the score continues."""
        self.balance = chips
        self.brought = chips

    def add(self, chips: Fraction) -> None:
        """Add chips that were brought to the table; the score continues."""
        self.balance = (self.balance or Fraction(0)) + chips
        self.brought += chips
        self.look()

    def settle(self, net: Fraction) -> None:
        """Book what a round won or lost, in chips."""
        self._book(net, 1)
        self.look()

    def undo(self, net: Fraction) -> None:
        """Take a round back that was booked with this net."""
        self._book(net, -1)

    def _book(self, net: Fraction, times: int) -> None:
        if self.balance is not None:
            self.balance += net * times
        self.net += net * times
        self.rounds += times
        self.wins += times * (net > 0)
        self.losses += times * (net < 0)
        self.ties += times * (not net)

    @property
    def free(self) -> Fraction | None:
        """The chips without those on the table; None in a house without bets."""
        return None if self.balance is None else self.balance - self.on_table

    @property
    def standing(self) -> str:
        """Say what is left; in a house without bets, the score."""
        if self.free is None:
            return f"Won {self.wins}, lost {self.losses}, tied {self.ties}"
        table = f", and {format_chips(self.on_table)} on the table" if self.on_table else ""
        return f"Balance {format_chips(self.free)}{table}"

    def summarize(self, unit: str) -> str:
        """Say where the session ended; `unit` is what a round is called."""
        self.look()
        net = "" if self.balance is None else f", net {signed(self.net)}"
        comma = "," if self.on_table else ""
        return f"{self.standing}{comma} after {count_of(self.rounds, unit)}{net}."

    def refuse_uncovered(
        self,
        view: TableView,
        action: Action,
        legal: tuple[Action, ...],
        spots: Collection[int] | None = None,
    ) -> Refusal:
        """Refuse an action that the chips do not cover; `legal` are those that they do.

        `spots` are the player's, all if None.
        """
        left = free_chips(view, self.balance or Fraction(0), spots)
        needed = format_chips(Fraction(extra_bet(view.rules, action, view.hand)))
        reason = f"it takes {needed} more chips and you have {format_chips(left)} left"
        return Refusal(action, reason, legal)
