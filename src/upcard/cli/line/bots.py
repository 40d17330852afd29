"""A session that a bot plays and you watch, written by a dialogue."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from upcard.core.actions import Action
from upcard.core.errors import EmptyShoeError
from upcard.core.numbers import format_chips
from upcard.documents.bank import Bank
from upcard.documents.console import SessionOverError
from upcard.documents.dialogue import Dialogue
from upcard.players.betting_systems import BettingSystem
from upcard.players.bots import CountingPlayer, Decider
from upcard.players.play_rounds import play_rounds
from upcard.table.rounds import Table
from upcard.table.shoe import ScriptedShoe
from upcard.table.state import TableView


@dataclass(frozen=True, slots=True)
class Watched:
    """A bot whose table is shown by a dialogue before each of its decisions."""

    player: Decider
    dialogue: Dialogue

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Let the bot decide."""
        self.dialogue.watch(view)
        return self.player.decide(view, legal)


@dataclass(frozen=True, slots=True, kw_only=True)
class RampBetting:
    """A counter's ramp as a betting system: units of `unit` chips, at most `limit`."""

    counter: CountingPlayer
    unit: Fraction
    limit: Fraction | None = None

    def next_bet(self) -> Fraction:
        """Return the next bet, in chips; where the ramp sits out, the smallest there is."""
        bet = (self.counter.next_bet() or Fraction(1)) * self.unit
        return bet if self.limit is None else min(bet, self.limit)

    def record(self, net: Fraction) -> None:
        """Take in what a round won: a counter does not care."""


@dataclass(frozen=True, slots=True)
class BotGame:
    """One session of a bot; the end of the cards, or Ctrl-C, may end it at any time."""

    table: Table
    dialogue: Dialogue
    bank: Bank

    def __post_init__(self) -> None:
        self.table.listeners.append(self.dialogue.hear)

    def play(self, player: Decider, betting: BettingSystem, *, rounds: int, spots: int = 1) -> None:
        """Play the given number of rounds, or until the chips do not cover the next bet."""
        dialogue = self.dialogue
        try:
            dialogue.open()
            for played in play_rounds(
                self.table,
                Watched(player, dialogue),
                betting=betting,
                rounds=rounds,
                bankroll=self.bank.balance,
                spots=spots,
            ):
                self.bank.settle(played.net)
                dialogue.end_round(self.table.view())
            if self.bank.rounds < rounds:
                bet = format_chips(Fraction(betting.next_bet()))
                dialogue.note(f"the chips do not cover the next bet, {bet}")
        except (SessionOverError, KeyboardInterrupt):
            if self.table.is_playing:
                dialogue.note("the round is not finished and does not count")
        except EmptyShoeError as error:
            is_scripted = isinstance(self.table.shoe, ScriptedShoe)
            reason = "no card is left in the script" if is_scripted else str(error)
            dialogue.note(f"{reason}; this round does not count")
        dialogue.close()
