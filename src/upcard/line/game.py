"""The game line by line: rounds of your session or a bot's, written by a dialogue."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction

from upcard.answers.hand import explain_advice
from upcard.core import numbers, wager
from upcard.core.actions import Action
from upcard.core.errors import BlackjackError, EmptyShoeError, NotationError
from upcard.fair.seeds import Commitment
from upcard.line import console, messages
from upcard.line.dialogue import Dialogue, DialogueQuestion
from upcard.players.betting_systems import BettingSystem
from upcard.players.bots import CountingPlayer, Decider
from upcard.players.play_rounds import Bank, play_rounds
from upcard.session.coaching import CoachVoice, price_side_bets
from upcard.session.report import make_report
from upcard.session.seat import Due, Seat, Update, open_seat
from upcard.store import files, history, kept_table
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
                side=dialogue.terms.plan.side,
            ):
                self.bank.settle(played.net)
                dialogue.end_round(self.table.view())
            if self.bank.rounds < rounds:
                bet = numbers.format_chips(Fraction(betting.next_bet()))
                dialogue.note(f"the chips do not cover the next bet, {bet}")
        except (console.SessionOverError, KeyboardInterrupt):
            if self.table.is_playing:
                dialogue.note("the round is not finished and does not count")
        except EmptyShoeError as error:
            is_scripted = isinstance(self.table.shoe, ScriptedShoe)
            reason = "no card is left in the script" if is_scripted else str(error)
            dialogue.note(f"{reason}; this round does not count")
        dialogue.close()


class ShoeTeller:
    """Follows the shoes of a table whose games are saved."""

    def __init__(self, table: kept_table.KeptTable, remarks: messages.LineMessages) -> None:
        self._table = table
        self._remarks = remarks
        self._shown: tuple[Commitment, int] | None = None
        self._revealed = 0

    def tell(self) -> None:
        """Between rounds: show the seeds of shoes that are over, and the commitment of the next."""
        shoe = self._table.fair_shoe
        self._reveal()
        stands = (shoe.commitment, shoe.number)
        if stands != self._shown:
            is_new = self._shown is None or self._shown[0] != shoe.commitment
            self._shown = stands
            self._remarks.tell_commitment(*stands, shoe.player_seed, is_new=is_new)

    def tell_seed(self, words: str) -> str:
        """Say into which shoe a player's words are mixed."""
        if self._table.fair_shoe.player_seed == words:
            return "Your words are mixed into this shoe."
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
        return history.find_shoe(self._table.store, self._table.session, commitment, number)


@dataclass(kw_only=True)
class LineGame:
    """One session; it ends when you leave, or when a script runs out of cards.

    `dialogue` writes what happens at the `seat`, and `remarks` what is beside it.
    """

    seat: Seat
    dialogue: Dialogue
    remarks: messages.LineMessages
    shoes: ShoeTeller | None
    """Follows the shoes of a saved game."""
    coach: CoachVoice = CoachVoice.SILENT
    tells_brought: bool = True
    """Whether the chips that were brought are written."""
    is_scripted: bool = False
    """Whether the command lists the cards."""
    was_left: bool = field(default=False, init=False)
    """Whether the person has gone, by a word or by the end of input."""
    _why_no_value: str = field(default="", init=False)
    _told: int = field(default=0, init=False)
    """How many events of the round the dialogue has heard."""

    def __post_init__(self) -> None:
        self.session = self.seat.session
        self.seat.shows_hole_card = False
        requests = self.dialogue.requests
        requests.explain = self._explain
        requests.why_no_undo = lambda: self.session.why_no_undo
        requests.price_side = lambda: price_side_bets(self.session)
        requests.add_seed = self._add_seed
        requests.bring_more = self._bring_more

    @property
    def voice(self) -> CoachVoice:
        """When the coach speaks."""
        return self.seat.choose_voice(self.coach)

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
        self.remarks.end(make_report(self.seat), self.dialogue.close)

    def _run(self, play: Callable[[], None]) -> None:
        """Play; the end of input, Ctrl-C and the end of a script are ends."""
        try:
            play()
        except (console.SessionOverError, KeyboardInterrupt):
            self.was_left = True
            if self.session.is_playing and self.session.kept is None:
                self.dialogue.note("the round is not finished and does not count")
            elif self.session.is_playing:
                self.session.bank.on_table = self.session.on_table
                self.dialogue.note("the hand is saved: it continues at the next start")
        except EmptyShoeError:
            self.dialogue.note("no card is left in the script; this round does not count")
        with suppress(KeyboardInterrupt):  # enough of waiting: what is not judged, is not
            self.seat.coaching.finish()
        if self.shoes is not None:
            self.shoes.close()

    def _play_rounds(self, most: int | None) -> None:
        dialogue = self.dialogue
        self.seat.begin()
        dialogue.open()
        if self.tells_brought and self.seat.brought:
            self.remarks.tell_brought(self.seat.brought)
        self._tell_no_coach()
        if dialogue.decider is not None and self.session.kept is not None:
            self._play_for_nothing()
        while most is None or dialogue.bank.rounds < most:
            self.session.bank.look()
            if self.shoes is not None:
                self.shoes.tell()
            self._tell_step()
            try:
                self._ask_count()
                if not dialogue.wants_round():
                    return
                if self.is_scripted and not self.session.table.shoe.cards_left:
                    dialogue.note("no card is left in the script")
                    return
                bets = dialogue.ask_bets()
            except console.UndoAskedError:
                self._take_back()
            else:
                if not self._place(bets):
                    continue
            self._finish_round()

    def _finish_found(self) -> None:
        self.seat.begin()
        if self.shoes is not None:
            self.shoes.tell()
        self._tell_no_coach()
        self._tell_events()
        self._finish_round()

    def _tell_no_coach(self) -> None:
        """Say once that the coach who was asked for has no method for these rules."""
        asked = self.session.coach
        if self.coach is CoachVoice.SILENT or asked is None:
            return
        from upcard.coach.adviser import Coach

        try:
            Coach(asked.rules, cards=asked.knows)
        except BlackjackError as error:
            self.remarks.tell_no_coach(str(error))
            self.coach = CoachVoice.SILENT

    def _tell_events(self) -> None:
        heard, self._told = self._told, len(self.session.events)
        for event in self.session.events[heard:]:
            self.dialogue.hear(event)

    def _ask_count(self) -> None:
        """Ask for the running count if it is time; an empty answer skips the question."""
        check = self.seat.betting.check
        if check is None or self.seat.due is not Due.COUNT:
            return
        said = self.dialogue.ask_count(check.question, check.system)
        self.remarks.tell_remarks(self.seat.answer_count(said))

    def _place(self, bets: tuple[wager.Wager, ...]) -> bool:
        """Lay the bets and deal; False if that is refused, with the reason shown."""
        self._told = 0
        try:
            update = self._bet(bets)
        except files.NotCoveredError as error:  # another terminal took the chips
            self.dialogue.note(str(error))
            return False
        except files.StoreError:  # what was dealt is dealt
            self._tell_events()
            raise
        if update.fault is not None:
            self.dialogue.note(str(update.fault))
            return False
        self.remarks.tell_remarks(update)
        self._tell_events()
        return not self._is_void(update)

    def _bet(self, bets: tuple[wager.Wager, ...]) -> Update:
        if len(bets) != self.session.plan.hands:
            update = self.seat.play_hands(len(bets))
            if update.fault is not None:
                return update
        return self.seat.bet(bets[0])

    def _finish_round(self) -> None:
        """Ask until the round is over; with all cards of a real deck on the table it is void."""
        session = self.session
        while session.options:
            self._answer()
        if session.is_void:
            return
        self.dialogue.end_round(session.table.view())
        if self.voice is CoachVoice.AFTER:
            self.remarks.tell_verdicts(self.seat.coaching.judge())
        else:
            self.seat.collect()

    def _tell_step(self) -> None:
        if self.seat.guide is not None:
            self.remarks.tell_step(self.seat.guide.step)

    def _is_void(self, update: Update) -> bool:
        """Say that a round does not count, if so; a script that has run out ends the session."""
        if update.void is None:
            return False
        if self.is_scripted:
            raise update.void
        self.dialogue.note(update.why_void)
        return True

    def _answer(self) -> None:
        session, dialogue = self.session, self.dialogue
        view, legal = session.table.view(), session.options
        if dialogue.decider is not None:
            refused = self._give(Watched(dialogue.decider, dialogue).decide(view, legal))
            if refused is not None:
                raise refused.to_error()
            return
        self._tell_step()
        if self.voice is CoachVoice.BEFORE:
            self._tell_values()
        try:
            dialogue.ask(DialogueQuestion(view=view, legal=legal, answer=self._give))
        except console.UndoAskedError:
            self._take_back()
        except files.NotCoveredError as error:  # another terminal took the chips
            dialogue.note(str(error))

    def _give(self, action: Action) -> Refusal | None:
        try:
            update = self.seat.act(action)
        finally:
            self._tell_events()
        self._is_void(update)
        return update.refusal

    def _tell_values(self) -> None:
        try:
            advice = self.seat.coaching.advise()
        except BlackjackError as error:
            if str(error) != self._why_no_value:
                self._why_no_value = str(error)
                self.remarks.tell_no_coach(str(error))
        else:
            self.remarks.tell_values(explain_advice(advice))

    def _explain(self) -> str:
        try:
            advice = self.seat.coaching.advise()
        except BlackjackError as error:
            return self.remarks.refuse_to_explain(str(error))
        return self.remarks.explain(explain_advice(advice, has_changes=True))

    def _take_back(self) -> None:
        update = self.seat.undo()
        if update.fault is not None:
            raise update.fault
        self._told = len(update.events)
        self.dialogue.retell(update.events)

    def _add_seed(self, text: str) -> str:
        if self.shoes is None:
            raise NotationError("there is no commitment to practice cards, so nothing is mixed in")
        if not text.strip():
            raise NotationError("write some words of your own behind it: seed my lucky words")
        fault = self.seat.add_seed(text).fault
        if fault is not None:
            raise fault
        return self.shoes.tell_seed(text.strip())

    def _bring_more(self) -> None:
        update = self.seat.bring_chips()
        if update.fault is not None:
            raise update.fault
        self.remarks.tell_brought(update.brought)

    def _play_for_nothing(self) -> None:
        """Let the bot that the opening named play unkept: its rounds are not the person's."""
        self.session.close()
        self.shoes = None
        self.seat = open_seat(replace(self.session.plan, keeps=False), None, None)
        self.session = self.seat.session
        self.dialogue.bank = self.session.bank
