"""The loop of a session: rounds at a table, told by a voice, until somebody has enough."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from upcard.cli.line.console import SessionOverError, format_chips
from upcard.cli.line.voice import Question
from upcard.core.errors import EmptyShoeError
from upcard.players.betting import make_betting
from upcard.players.rounds import play_rounds
from upcard.table.legal import why_not
from upcard.table.shoe import ScriptedShoe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.cli.line.bank import Bank
    from upcard.cli.line.voice import Voice
    from upcard.core.actions import Action
    from upcard.players.betting import BettingSystem
    from upcard.players.interface import Decider
    from upcard.players.rounds import PlayedRound
    from upcard.table.session import Table
    from upcard.table.view import TableView


class Person:
    """The person at the keyboard as a player: decides by asking through the voice."""

    def __init__(self, table: Table, voice: Voice, bank: Bank) -> None:
        """Sit down at `table`."""
        self._table = table
        self._voice = voice
        self._bank = bank

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Ask until the answer is one of `legal`."""

        def explain(action: Action) -> str:
            reason = why_not(self._table.state, action)
            reason = reason or self._bank.why_not_covered(view, action)
            # The rules may allow more than the chips cover: name what is really open.
            return f"{reason.partition(' Legal: ')[0].rstrip('.')}. Legal: {', '.join(legal)}"

        return self._voice.ask(Question(view=view, legal=legal, why_not=explain))


class Watched:
    """A bot whose table is shown before each of its decisions."""

    def __init__(self, player: Decider, voice: Voice) -> None:
        """Show the table through `voice`, then let `player` decide."""
        self._player = player
        self._voice = voice

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Let the bot decide."""
        self._voice.watch(view)
        return self._player.decide(view, legal)


class Game:
    """One session; `run` plays it to its end, which a person or the cards may bring at any time."""

    def __init__(self, table: Table, voice: Voice, bank: Bank) -> None:
        """Let `voice` tell what happens at `table`."""
        self.table = table
        self.voice = voice
        self.bank = bank
        table.listeners.append(voice.hear)

    def play_person(self, rounds: int | None = None) -> None:
        """Play with the person at the console, at most so many rounds."""
        self._run(self._person_rounds(rounds))

    def play_bot(
        self, player: Decider, betting: BettingSystem, *, rounds: int, spots: int = 1
    ) -> None:
        """Let a bot play so many rounds, or until its chips do not cover the next bet."""
        self._run(self._bot_rounds(player, betting, rounds, spots))

    def _run(self, rounds: Iterator[PlayedRound]) -> None:
        """Play the rounds and book them; the end of input, Ctrl-C and a script's end are ends."""
        voice = self.voice
        try:
            voice.open()
            for played in rounds:
                self.bank.settle(played.state)
                voice.end_round(self.table.view())
        except (SessionOverError, KeyboardInterrupt):
            if self.table.is_playing:
                voice.note("the round is not finished and does not count")
        except EmptyShoeError as error:
            reason = "no card is left in the script" if self._is_scripted else str(error)
            voice.note(f"{reason}; this round does not count")
        voice.close()

    def _person_rounds(self, most: int | None) -> Iterator[PlayedRound]:
        voice, bank = self.voice, self.bank
        while (most is None or bank.rounds < most) and voice.wants_round():
            if self._is_scripted and not self.table.shoe.cards_left:
                voice.note("no card is left in the script")
                return
            bets = voice.ask_bets()
            player = Watched(voice.decider, voice) if voice.decider else self._person
            yield from self._play_once(player, bets)

    @property
    def _is_scripted(self) -> bool:
        return isinstance(self.table.shoe, ScriptedShoe)

    @property
    def _person(self) -> Decider:
        return Person(self.table, self.voice, self.bank)

    def _play_once(self, player: Decider, bets: tuple[Fraction, ...]) -> Iterator[PlayedRound]:
        """Play one round; a real deck that all lies on the table voids it and no more."""
        try:
            yield from play_rounds(
                self.table,
                player,
                betting=make_betting("flat", unit=bets[0]),
                rounds=1,
                bankroll=self.bank.balance,
                spots=len(bets),
            )
        except EmptyShoeError as error:
            if self._is_scripted:
                raise
            self.voice.note(f"{error}; this round does not count")

    def _bot_rounds(
        self, player: Decider, betting: BettingSystem, rounds: int, spots: int
    ) -> Iterator[PlayedRound]:
        yield from play_rounds(
            self.table,
            Watched(player, self.voice),
            betting=betting,
            rounds=rounds,
            bankroll=self.bank.balance,
            spots=spots,
        )
        if self.bank.rounds < rounds:
            bet = format_chips(Fraction(betting.next_bet()))
            self.voice.note(f"the chips do not cover the next bet, {bet}")
