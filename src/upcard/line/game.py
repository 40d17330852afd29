"""The game line by line: rounds of your session or a bot's, written by a dialogue."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction

from upcard.core.actions import Action
from upcard.core.errors import BlackjackError, EmptyShoeError, NotationError, RulesError
from upcard.core.numbers import format_chips
from upcard.documents.bank import Bank
from upcard.documents.console import SessionOverError, UndoAskedError
from upcard.documents.dialogue import Dialogue, DialogueQuestion
from upcard.fair.seeds import Commitment
from upcard.line.messages import LineMessages
from upcard.players.betting_systems import BettingSystem
from upcard.players.bots import CountingPlayer, Decider
from upcard.players.play_rounds import play_rounds
from upcard.session.betting import bring_chips
from upcard.session.coach_queue import CoachQueue
from upcard.session.coaching import CoachVoice
from upcard.session.count_check import CountCheck
from upcard.session.game_session import GameSession
from upcard.session.report import make_report
from upcard.store.files import NotCoveredError
from upcard.store.history import find_shoe
from upcard.store.kept_table import KeptTable
from upcard.table.legal import Refusal
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


class ShoeTeller:
    """Follows the shoes of a table whose games are saved."""

    def __init__(self, table: KeptTable, remarks: LineMessages) -> None:
        self._table = table
        self._remarks = remarks
        self._shown: tuple[Commitment, int] | None = None
        self._revealed = 0

    def tell(self) -> None:
        """Between rounds: reveal the shoe that is over, show what the next one is committed to."""
        shoe = self._table.fair_shoe
        if shoe.is_over and not self._table.is_playing:
            self._table.end_shoe()
        self._reveal()
        stands = (shoe.commitment, shoe.number)
        if stands != self._shown:
            is_new = self._shown is None or self._shown[0] != shoe.commitment
            self._shown = stands
            self._remarks.tell_commitment(*stands, shoe.player_seed, is_new=is_new)

    def add_seed(self, text: str) -> str:
        """Mix a player's words into the shuffle, and say into which."""
        words = text.strip()
        if not words:
            raise NotationError("write some words of your own behind it: seed my lucky words")
        shoe = self._table.fair_shoe
        shoe.add_player_seed(words)
        if shoe.player_seed == words:
            return "Your words are mixed into this shoe."
        if shoe.next_commitment is None:
            msg = "the next shoe gets a new commitment: add your words once that is shown"
            raise NotationError(msg)
        return "Your words are mixed into the next shoe of this table, and those after it."

    def close(self) -> None:
        """Leave the table, which ends the shoe; not so in the middle of a round."""
        if self._table.is_playing:
            return
        shoe = self._table.fair_shoe
        if self._find(shoe.commitment, shoe.number) is not None:
            self._table.end_shoe()
        self._reveal()

    def _reveal(self) -> None:
        reveals = self._table.fair_shoe.reveals[self._revealed :]
        self._revealed += len(reveals)
        for reveal in reveals:
            number = self._find(reveal.commitment, reveal.number)
            if number is not None:
                self._remarks.tell_reveal(reveal, number)

    def _find(self, commitment: Commitment, number: int) -> int | None:
        """Return the number in the store of a shoe; None if no round was dealt from it."""
        return find_shoe(self._table.store, self._table.session, commitment, number)


@dataclass(kw_only=True)
class LineGame:
    """One session; it ends when you leave, or when a script runs out of cards.

    `dialogue` writes what happens at `session`, and `remarks` what is beside it.
    """

    session: GameSession
    dialogue: Dialogue
    remarks: LineMessages
    coach_queue: CoachQueue
    shoes: ShoeTeller | None
    """Follows the shoes of a saved game."""
    coach: CoachVoice = CoachVoice.SILENT
    check: CountCheck | None = None
    brought: Fraction = Fraction(0)
    """Chips that were brought to a saved game."""
    is_scripted: bool = False
    """Whether the command lists the cards."""
    was_left: bool = field(default=False, init=False)
    """Whether the person has gone, by a word or by the end of input."""
    _why_no_value: str = field(default="", init=False)

    def __post_init__(self) -> None:
        desk = self.dialogue.desk
        desk.explain = self._explain
        desk.why_no_undo = lambda: self.session.why_no_undo
        desk.add_seed = self._add_seed
        desk.bring_more = self._bring_more
        self.session.listeners.append(self.dialogue.hear)
        if self.check is not None:
            self.check.watch(self.session.table)

    def play(self, rounds: int | None = None) -> None:
        """Play with the person at the console; `rounds` is the most."""
        self._run(lambda: self._play_rounds(rounds))
        self._say_goodbye()

    def finish(self) -> None:
        """Finish the round that the session was taken up with, and play no other."""
        self._run(self._finish_found)
        if self.was_left:
            self._say_goodbye()

    def _say_goodbye(self) -> None:
        self.session.bank.look()
        self.remarks.end(make_report(self.session, self.check), self.dialogue.close)

    def _run(self, play: Callable[[], None]) -> None:
        """Play; the end of input, Ctrl-C and the end of a script are ends."""
        try:
            play()
        except (SessionOverError, KeyboardInterrupt):
            self.was_left = True
            if self.session.is_playing and self.session.kept is None:
                self.dialogue.note("the round is not finished and does not count")
            elif self.session.is_playing:
                self.session.bank.on_table = self.session.on_table
                self.dialogue.note("the hand is saved: it continues at the next start")
        except EmptyShoeError:
            self.dialogue.note("no card is left in the script; this round does not count")
        with suppress(KeyboardInterrupt):  # enough of waiting: what is not judged, is not
            self.coach_queue.finish()
        if self.shoes is not None:
            self.shoes.close()

    def _play_rounds(self, most: int | None) -> None:
        dialogue = self.dialogue
        dialogue.open()
        if self.brought:
            self.remarks.tell_brought(self.brought)
        self._tell_no_coach()
        if dialogue.decider is not None and self.session.kept is not None:
            self._play_for_nothing()
        while most is None or dialogue.bank.rounds < most:
            self.session.bank.look()
            if self.shoes is not None:
                self.shoes.tell()
            try:
                self._ask_count()
                if not dialogue.wants_round():
                    return
                if self.is_scripted and not self.session.table.shoe.cards_left:
                    dialogue.note("no card is left in the script")
                    return
                bets = dialogue.ask_bets()
            except UndoAskedError:
                self._take_back()
            else:
                if not self._place(bets):
                    continue
            self._finish_round()

    def _finish_found(self) -> None:
        if self.shoes is not None:
            self.shoes.tell()
        self._tell_no_coach()
        for event in self.session.events:
            self.dialogue.hear(event)
        self._finish_round()

    def _tell_no_coach(self) -> None:
        """Say once that the coach who was asked for has no method for these rules."""
        desk = self.session.desk
        if self.coach is CoachVoice.SILENT or desk is None:
            return
        from upcard.coach.adviser import Coach

        try:
            Coach(desk.rules, cards=desk.knows)
        except BlackjackError as error:
            self.remarks.tell_no_coach(str(error))
            self.coach = CoachVoice.SILENT

    def _ask_count(self) -> None:
        """Ask for the running count if it is time; an empty answer skips the question."""
        check = self.check
        if check is None or not check.question:
            return
        said = self.dialogue.ask_count(check.question, check.system)
        if said is None:
            check.skip()
        else:
            self.remarks.tell_count(check.answer(said))

    def _check_bet(self, bet: Fraction) -> None:
        """Say what the ramp would bet, before the cards are dealt."""
        remark = None if self.check is None else self.check.begin_round(bet, self.session)
        if remark is not None:
            self.remarks.tell_bet(remark)

    def _place(self, bets: tuple[Fraction, ...]) -> bool:
        """Lay the bets and deal; False if that is refused, with the reason shown."""
        try:
            self.session.play_hands(len(bets))
            self._check_bet(bets[0])
            self.coach_queue.start_round()
            self.session.place(bets[0])
        except EmptyShoeError as error:
            self._tell_void(error)
            return False
        except (RulesError, NotCoveredError) as error:
            self.dialogue.note(str(error))
            return False
        return True

    def _finish_round(self) -> None:
        """Ask until the round is over; with all cards of a real deck on the table it is void."""
        session = self.session
        try:
            while session.options:
                self._answer()
        except EmptyShoeError as error:
            self._tell_void(error)
            return
        self.dialogue.end_round(session.table.view())
        if self.coach is CoachVoice.AFTER:
            self.remarks.tell_verdicts(self.coach_queue.judge())
        else:
            self.coach_queue.collect()

    def _tell_void(self, error: EmptyShoeError) -> None:
        if self.is_scripted:
            raise error
        self.dialogue.note(f"{error}; this round does not count")

    def _answer(self) -> None:
        session, dialogue = self.session, self.dialogue
        view, legal = session.table.view(), session.options
        if dialogue.decider is not None:
            refused = self._give(Watched(dialogue.decider, dialogue).decide(view, legal))
            if refused is not None:
                raise refused.to_error()
            return
        self.coach_queue.ask()
        if self.coach is CoachVoice.BEFORE:
            self._tell_values()
        try:
            dialogue.ask(DialogueQuestion(view=view, legal=legal, answer=self._give))
        except UndoAskedError:
            self._take_back()
        except NotCoveredError as error:  # another terminal took the chips
            dialogue.note(str(error))

    def _give(self, action: Action) -> Refusal | None:
        answered = self.session.act(action)
        if isinstance(answered, Refusal):
            return answered
        self.coach_queue.note(action)
        return None

    def _tell_values(self) -> None:
        try:
            self.remarks.tell_values(self.coach_queue.advise())
        except BlackjackError as error:
            if str(error) != self._why_no_value:
                self._why_no_value = str(error)
                self.remarks.tell_no_coach(str(error))

    def _explain(self) -> str:
        from upcard.coach.reasons import explain, find_changes

        try:
            advice = self.coach_queue.advise()
        except BlackjackError as error:
            return self.remarks.refuse_to_explain(str(error))
        return self.remarks.explain(advice, explain(advice), find_changes(advice))

    def _take_back(self) -> None:
        self.session.undo()
        self.coach_queue.take_back()
        if self.check is not None:
            self.check.take_back(self.session.events)
        self.dialogue.retell(self.session.events)

    def _add_seed(self, text: str) -> str:
        if self.shoes is None:
            raise NotationError("there is no commitment to practice cards, so nothing is mixed in")
        return self.shoes.add_seed(text)

    def _bring_more(self) -> None:
        self.remarks.tell_brought(bring_chips(self.session))

    def _play_for_nothing(self) -> None:
        """Let the bot that the opening named play unkept: its rounds are not the person's."""
        self.session.close()
        self.shoes = None
        self.session = GameSession.practise(self.session.plan, chips=Fraction(0))
        self.dialogue.bank = self.session.bank
        self.session.listeners.append(self.dialogue.hear)
