"""`play_rounds`: play many rounds with a player and a betting system."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from typing import NamedTuple

from upcard.core.actions import Action
from upcard.core.chip_format import write_chips
from upcard.core.errors import IllegalActionError, RulesError
from upcard.players.betting import BettingSystem
from upcard.players.interface import Decider
from upcard.table.hand import Hand
from upcard.table.replay import RoundResult, summarize_round
from upcard.table.state import RoundState, prepare, read_bet
from upcard.table.table import Table
from upcard.table.view import TableView
from upcard.table.view import view as view_table


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
    player: Decider,
    *,
    betting: BettingSystem,
    rounds: int,
    bankroll: Fraction | int | str | None = None,
    spots: int = 1,
) -> Iterator[PlayedRound]:
    """Play up to `rounds` rounds, one each time the iterator is advanced.

    Each spot gets the bet of the betting system, which then receives the net over all spots. With a
    `bankroll` the session ends before a round whose bets it does not cover, and a double, split
    or insurance that it does not cover is not offered. If only one answer is left, the player is
    not asked.

    Raises: RulesError at once for a bad number; while playing IllegalActionError, if the player
    gives an answer that was not offered, EmptyShoeError, and the player's own errors.
    """
    if rounds < 0:
        raise RulesError(f"{rounds} rounds: a session has 0 or more")
    prepare(table.rules, spots)  # refuses more spots than the house allows
    chips = None if bankroll is None else read_bet(bankroll)

    def play() -> Iterator[PlayedRound]:
        left = chips
        for number in range(1, rounds + 1):
            bet = betting.next_bet()
            if left is not None and bet * spots > left:
                return
            state = _play_round(table, player, (bet,) * spots, left)
            betting.record(state.net)
            left = None if left is None else left + state.net
            yield PlayedRound(number, bet, state.net, left, state)

    return play()


def _play_round(
    table: Table, player: Decider, bets: tuple[Fraction, ...], chips: Fraction | None
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
            needed = write_chips(extra_bet(action, seen.hand))
            raise IllegalActionError(
                f"cannot {action.verb} {seen.hand}: {needed} more chips are needed,"
                f" {write_chips(free_chips(seen, chips))} are left. Legal: {', '.join(legal)}"
            )
        state = table.act(action)
    return state


def extra_bet(action: Action, hand: Hand) -> Fraction:
    """Return the chips that an action adds to the bets on the table."""
    if action is Action.DOUBLE or action is Action.SPLIT:
        return hand.bet
    if action is Action.INSURANCE:
        return hand.bet / 2
    return hand.bet * 0


def free_chips(
    view: TableView, bankroll: Fraction, spots: Collection[int] | None = None
) -> Fraction:
    """Return the `bankroll` of the start of the round less the bets on the table.

    `spots` are those that the bankroll plays, all of them if None. A lost insurance bet is deducted
    too: nothing is paid before the round is over.
    """
    free = bankroll
    for hand in view.hands:
        if spots is None or hand.spot in spots:
            free -= hand.bet
    for spot, bet in enumerate(view.insurance):
        if bet and (spots is None or spot in spots):
            free -= bet
    return free


def covered_actions(
    view: TableView,
    legal: tuple[Action, ...],
    bankroll: Fraction,
    spots: Collection[int] | None = None,
) -> tuple[Action, ...]:
    """Remove the actions that the chips do not cover; `bankroll` is that before the round."""
    free = free_chips(view, bankroll, spots)
    if free >= view.hand.bet:  # nothing costs more than a second bet
        return legal
    return tuple(action for action in legal if extra_bet(action, view.hand) <= free)
