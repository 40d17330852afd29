"""The table: it draws a session and gives it your answers; the session knows what is legal."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Final

from textual.binding import Binding
from textual.screen import Screen
from textual.timer import Timer

from upcard.answers.hand import Verdict
from upcard.core.actions import Action
from upcard.core.errors import BlackjackError, as_sentence
from upcard.players.seen_cards import Knowledge
from upcard.session import coaching, narration, table_view
from upcard.session.seat import Due, Seat, Update
from upcard.table import events
from upcard.tui import drawing, pages, table_words
from upcard.tui.felt_screen import FeltScreen, Until
from upcard.tui.keys import SOMETIMES, TABLE, TABLE_KEYS, ActionBar, Key, answer_keys, meant_by

_SECONDS: Final = 0.07
"""Between two cards: a round of one hand is dealt in a quarter of a second."""
_SHOWN: Final = (events.Dealt, events.DealerDealt, events.Revealed)
_READING_SECONDS: Final = 2.0
"""A verdict that was shown for less stays through the next round."""


class Dealing:
    """Hands events on in the order they came; those that show a card wait for their moment."""

    def __init__(
        self, screen: Screen[None], show: Callable[[events.Event], None], draw: Callable[[], None]
    ) -> None:
        """Put events on the table by `show`, and `draw` it after each card and at the end."""
        self._screen = screen
        self._show = show
        self._draw = draw
        self._waiting: deque[events.Event] = deque()
        self._timer: Timer | None = None

    @property
    def is_going_on(self) -> bool:
        """Whether there is something left to show."""
        return bool(self._waiting)

    def hear(self, event: events.Event) -> None:
        """Take an event in, to be shown by `go`."""
        self._waiting.append(event)

    def go(self, *, animate: bool) -> None:
        """Show what has come in, one by one or at once."""
        (self._step if animate else self.finish)()

    def finish(self) -> None:
        """Show all that is left at once."""
        self._stop()
        while self._waiting:
            self._show(self._waiting.popleft())
        self._draw()

    def clear(self) -> None:
        """Forget what has not been shown."""
        self._stop()
        self._waiting.clear()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _step(self) -> None:
        """Show up to the next card, then wait."""
        self._timer = None
        while self._waiting:
            event = self._waiting.popleft()
            self._show(event)
            if isinstance(event, _SHOWN) and self._waiting:
                self._draw()
                self._timer = self._screen.set_timer(_SECONDS, self._step)
                return
        self._draw()


class TableScreen(FeltScreen):
    """Plays one session, round by round, until it is left."""

    BINDINGS: ClassVar = [*TABLE]

    def __init__(self, seat: Seat, *, note: str = "") -> None:
        """Show a seat; `note` is the first message."""
        super().__init__()
        self.seat = seat
        self.session = seat.session
        self.betting = seat.betting
        self.coaching = seat.coaching
        self.is_betting = False
        """Whether the next bet was turned to: the last round's result is no longer shown."""
        self._begin_narration()
        self._note = note
        self._wants_to_leave = False
        self._ended: Update | None = None
        """The end of a round whose last cards are not shown yet."""
        self._untold: list[Verdict] = []
        """Verdicts that are not in the log: they wait for the end of their round."""
        self._told_at = 0.0
        """When the last verdict was shown, by the clock of `time.monotonic`."""

    @property
    def voice(self) -> coaching.CoachVoice:
        """When the coach speaks at this table."""
        return self.seat.choose_voice(self.app.voice)

    def _begin_narration(self) -> None:
        self.narrator = narration.Narrator(self.session.rules)
        self.board = self.narrator.board
        self._name_seats()

    def _name_seats(self) -> None:
        self.names = table_view.name_spots(self.session.seats, self.session.player_spots)
        self.narrator.company = table_view.name_company(self.session)

    def on_mount(self) -> None:
        """Begin: with what is left of a hand, if one is."""
        self.set_class(self.seat.guide is not None, "-led")
        app = self.app  # the coach is heard after the table is left, too
        self.coaching.heard = lambda: app.call_later(self._hear_coach)
        self.dealing = Dealing(self, self._show, self.draw)
        self.session.listeners.append(self.dealing.hear)
        self._tell([self._note])
        if not self.betting.then:  # the cards of a hand left unfinished were committed to before
            self._tell([table_view.tell_commitment(self.session)])
        begun = self.seat.begin()
        for event in begun.events:
            self.narrator.hear(event)
        if begun.ends_round:
            self._ended = begun
            self._end_round()
        else:
            self._tell(begun.notes)
        self.draw()

    # ---- keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action is possible: None where its key says why not, or hints."""
        session, betting = self.session, self.betting
        if action == "answer" and not self.dealing.is_going_on:
            if table_view.find_answer(str(parameters[0]), session.options) is not None:
                return True
            return False if parameters == ("y",) else None
        if action in ("change_bet", "skip_count", "deal"):
            if self.dealing.is_going_on or session.options:
                return action == "deal" and self.dealing.is_going_on
            if action == "change_bet":
                return betting.can_bet
            return action == "deal" or bool(betting.question)
        return True

    def why_disabled(self, binding: Binding) -> str:
        """Return why an answer is not possible now, or between hands what is."""
        meant = meant_by(binding)
        if not self.session.options or meant is None:
            return self.betting.hint
        return table_words.write_refusal(self.session.find_refusal(meant), self)

    def action_answer(self, key: str) -> None:
        """Give the answer of a key; during the deal, show all cards first."""
        action = table_view.find_answer(key, self.session.options)
        if self.dealing.is_going_on:
            self.dealing.finish()
        elif action is not None:
            self._follow(lambda: self.seat.act(action))

    def type_key(self, key: str | None) -> bool:
        """Take a key of a typed bet or count; False if it is not part of a number."""
        if key is None or self.dealing.is_going_on or self.session.options:
            return False
        if self.betting.type(key):
            if not self.betting.question:
                self._turn_to_bet()
            self.draw()
            return True
        is_sign = bool(self.betting.question) and key in self.betting.count.signs
        if key.isdecimal() or is_sign:
            self.say_of_key(self.betting.hint)
            return True
        return False

    def action_change_bet(self, steps: int) -> None:
        """Raise or lower the next bet."""
        self.betting.change(steps)
        self._turn_to_bet()
        self.draw()

    def action_turn_bet(self) -> None:
        """Type the next side bet, or the main bet again."""
        entry = self.betting.entry
        if not self.betting.can_bet or not entry.codes:
            self.say_of_key(self.betting.hint if entry.codes else "This house has no side bets.")
            return
        wrong = entry.turn()
        if wrong:
            self.say_of_key(as_sentence(wrong))
            return
        self._turn_to_bet()
        self.draw()
        advice = {one.code: one for one in coaching.price_side_bets(self.session)}
        if entry.turned_to in advice:
            self.say_of_key(advice[entry.turned_to].sentences[0])

    def action_skip_count(self) -> None:
        """Leave the count question without an answer."""
        self.seat.answer_count(None)
        self.draw()

    def _turn_to_bet(self) -> None:
        self.is_betting = True
        self.messages.end(Until.NEXT_BET)

    # ---- the round

    def action_deal(self) -> None:
        """Deal, or take the step before it: all cards, a count, fewer hands, the way out."""
        if self.dealing.is_going_on:
            self.dealing.finish()
            return
        due = self.seat.due
        if due is Due.NOTHING:
            self.action_leave()
        elif due is Due.COUNT:
            answered = self.seat.answer_count(self.betting.count.typed)
            if answered.fault is not None:
                self.say_of_key(as_sentence(str(answered.fault)))
                return
            self._tell([str(answered.count_remark or "")])
            self.draw()
        elif due is Due.CHIPS:
            self._change_terms(self.seat.play_fewer)
            self._name_seats()
            self.draw()
        else:
            self._deal()

    def _change_terms(self, move: Callable[[], Update]) -> None:
        """Bring chips or play fewer hands; the messages about chips are replaced."""
        self.messages.end(Until.NEXT_BET)
        update = self._make(move)
        if update is None:
            return
        if update.events:  # what a fault of the disk left of the last round
            self._play_on(update)
            return
        self.say_of_key(
            " ".join(filter(None, (table_view.tell_brought(update.brought), *update.notes)))
        )

    def _deal(self) -> None:
        bet = self.betting.entry.read()
        if isinstance(bet, str):
            self.say_of_key(as_sentence(bet))
            return
        # The mistakes of the round that is over, if they have only just been shown.
        was_read = time.monotonic() - self._told_at > _READING_SECONDS
        unread = [one for one in self.coaching.verdicts if one.is_mistake and not was_read]
        self._wants_to_leave = False
        self._follow(lambda: self.seat.bet(bet), unread)

    def _follow(self, move: Callable[[], Update], unread: Sequence[Verdict] | None = None) -> None:
        """Make a move, and show what comes of it; `unread` are verdicts to keep past a bet."""
        update = self._make(move)
        if update is None:
            return
        if unread is not None:
            self._turn_to_bet()
            self._tell_late(unread, is_logged=True)
            self._tell([str(update.bet_remark or "")])
        self._play_on(update)

    def _make(self, move: Callable[[], Update]) -> Update | None:
        """Make a move; None if nothing has changed, with the reason shown."""
        try:
            update = move()
        except BlackjackError as error:  # a fault of the disk; what was dealt is dealt
            self.dealing.finish()
            self.say_of_key(as_sentence(str(error)))
            return None
        words = table_words.write_refusal(update.refusal, self)
        if not words and update.fault is not None:
            words = as_sentence(str(update.fault))
        if words:
            self.say_of_key(words)
            return None
        return update

    def _play_on(self, update: Update) -> None:
        if update.ends_round:
            self._ended = update
        if update.void is not None:
            self.dealing.finish()
            self.say_of_key(as_sentence(update.why_void))
            return
        self.dealing.go(animate=self.app.look.animate)
        # The verdict comes once the screen shows what came of the answer.
        self.call_after_refresh(self._hear_coach)

    def _hear_coach(self) -> None:
        """Log the verdicts on rounds that are over, and show those that come after the next bet."""
        self._untold += self.coaching.collect()
        session, of_round = self.session, set(map(id, self.coaching.verdicts))
        if self.voice is coaching.CoachVoice.SILENT or session.is_void:
            self._untold.clear()
        now = [one for one in self._untold if id(one) in of_round]
        late = [one for one in self._untold if one.is_mistake and id(one) not in of_round]
        self._untold = now if session.is_playing else []
        self._tell_late(late)
        if now and not session.is_playing:
            self._told_at = time.monotonic()
            for verdict in now:
                self.messages.note(verdict.text)
        self.draw()

    def _tell_late(self, verdicts: Sequence[Verdict], *, is_logged: bool = False) -> None:
        for verdict in verdicts:
            self.messages.add(f"Before: {verdict.text}", Until.NEXT_BET, is_logged=is_logged)

    def _show(self, event: events.Event) -> None:
        self._narrate(event)
        if isinstance(event, events.RoundEnded):
            self._end_round()

    def _narrate(self, event: events.Event, *, is_logged: bool = False) -> None:
        message = self.narrator.hear(event)
        if narration.needs_message(event, self.board, self.session.player_spots):
            is_step = isinstance(event, (events.Acted, events.Peeked, events.Shuffled))
            until = Until.SETTLED if is_step else Until.NEXT_BET
            self.messages.add(message.text, until, is_logged=is_logged)

    def _end_round(self) -> None:
        self.is_betting = False
        self.messages.end(Until.SETTLED)
        table_view.turn_up(self.session, self.board)
        if self._ended is not None:
            reveal = table_view.tell_reveal(self.session, self._ended.reveal)
            self._tell([reveal, *self._ended.notes])
            self._ended = None

    def _tell(self, notes: Iterable[str]) -> None:
        """Say what is true until the next bet."""
        for words in filter(None, notes):
            self.messages.add(words, Until.NEXT_BET)

    # ---- what always works

    def action_turn_coach(self) -> None:
        """Let the coach speak before, after, or not at all."""
        if self.seat.guide is not None:
            self.say_of_key("In your first hands, the steps say when the coach speaks.")
            return
        self.app.turn_voice()
        coach = self.session.coach
        none = "" if coach is None or not coach.why_none else f" No coach here: {coach.why_none}"
        self.say_of_key(self.app.voice.sentence + none)

    def action_turn_knowledge(self) -> None:
        """Let the coach use the cards seen, or a fresh shoe."""
        coach = self.session.coach
        if coach is None:
            return
        self.app.turn_knowledge(coach)
        known = "the cards seen" if coach.knows is Knowledge.SEEN else "a fresh shoe"
        if self.session.options:
            self.coaching.ask()
        self.say_of_key(f"The coach goes by {known}.")

    def action_explain(self) -> None:
        """Show the reasons for the question at hand, or for what was answered."""
        explained = self.coaching.to_explain
        if explained is None:
            waits = "The coach is still working it out." if self.coaching.is_thinking else ""
            none = self.coaching.why_no_value and f"No value: {self.coaching.why_no_value}"
            self.say_of_key(none or waits or "Nothing has been asked yet.")
            return
        advice, answer = explained
        said = [] if self.session.options else self.coaching.verdicts
        wrong = [verdict for verdict in said if verdict.is_mistake]
        told = wrong if len(wrong) > 1 else []
        verdicts = table_words.write_round(told, self.app.inks, has_room=True)
        page = table_words.WhyPage(self.app, advice, answer=answer, verdicts=verdicts)
        self.app.push_screen(page)

    def action_undo(self) -> None:
        """Take the last answer back, in practice."""
        taken_back = self.seat.undo()
        if taken_back.fault is not None:
            self.say_of_key(as_sentence(str(taken_back.fault)))
            return
        self.dealing.clear()
        self.messages.end(Until.NEXT_BET, Until.SETTLED)
        self._begin_narration()
        for event in taken_back.events:
            self._narrate(event, is_logged=True)
        self._untold.clear()
        self._ended = None
        self.say_of_key("Taken back.")

    def action_show_shoe(self) -> None:
        """Show what the shuffle was committed to, and let a seed be added."""
        if self.session.kept is None:
            none = "There is no commitment to practice cards: play without --seed and --cards."
            self.say_of_key(none)
        else:  # a shoe that is ended there leaves nothing to count
            self.app.push_screen(pages.ShoePage(self.seat), lambda _: self.draw())

    def action_bring_chips(self) -> None:
        """Bring chips when the smallest bets are not covered."""
        self._change_terms(self.seat.bring_chips)

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(pages.HelpPage("Keys at the table", pages.HELP))

    def action_leave(self) -> None:
        """Leave the table; a hand in practice would be lost, so it is asked twice."""
        if self.betting.entry.cancel():
            self.draw()
            return
        is_lost = self.session.is_playing and self.session.kept is None and not self.seat.guide
        if is_lost and not self._wants_to_leave:
            self._wants_to_leave = True
            self.say_of_key("In practice an unfinished hand is lost. Press Q again to leave.")
            return
        self.coaching.collect()
        self.app.call_later(self.app.seating.leave, is_thinking=self.coaching.is_thinking)

    # ---- drawing

    def draw(self) -> None:
        """Draw everything again."""
        if not self.can_draw:
            return
        session, look, inks = self.session, self.app.look, self.app.inks
        is_dealing = self.dealing.is_going_on
        asked = () if is_dealing else session.options
        scene = drawing.Scene(
            board=self.board,
            look=look,
            styles=inks,
            active=session.state.active if asked else -1,
            names=self.names,
            has_bets=session.rules.betting,
        )
        self.show_frame(
            table_words.write_head(self.seat, look, inks, width=self.columns),
            scene if self.board.hands else None,
            table_words.write_asked(self, is_asked=bool(asked), is_dealing=is_dealing),
        )
        is_between = not (asked or is_dealing or session.is_playing)
        coach = table_words.write_coach(self, is_asked=bool(asked), is_between=is_between)
        self.show_words(coach, table_words.write_company(self))
        self.query_one(ActionBar).show(self._keys(asked), TABLE_KEYS)

    def _keys(self, asked: Sequence[Action]) -> list[Key]:
        if self.dealing.is_going_on:
            return [Key("table.deal", "Enter", "show all")]
        keys = answer_keys(asked) if asked else table_words.betting_keys(self.seat)
        undo = Key("table.undo", "U", "undo", weight=SOMETIMES)
        return [*keys, undo] if self.session.can_undo else keys
