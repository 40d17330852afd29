"""A seat: one session at a table, played by the requests of a browser one after another."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from upcard.core import errors
from upcard.core.actions import Action, parse_action
from upcard.core.numbers import format_chips, read_chips, whole_number
from upcard.session.betting import TableBetting, bring_chips
from upcard.session.coach_queue import CoachQueue
from upcard.session.fair_words import mix_seed
from upcard.session.narration import Narrator, needs_message
from upcard.session.report import make_report, write_accuracy, write_score
from upcard.session.table_view import name_company, turn_up, write_result
from upcard.session.unfinished import leave_table
from upcard.store.files import StoreError
from upcard.table import events
from upcard.table.legal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from upcard.core.cards import Card
    from upcard.session.count_check import CountCheck
    from upcard.session.game_session import GameSession
    from upcard.session.worker import Worker


class Beats:
    """A number for each card that the last move brought, from 1; 0 for those from before."""

    def __init__(self) -> None:
        self.hands: list[list[int]] = []
        self.dealer: list[int] = []
        self.turned = -1
        """Index of the dealer's card that was turned up; -1 if none was."""
        self.last = 0
        self._hidden = -1

    def rest(self) -> None:
        """Take all cards for dealt."""
        self.hands = [[0] * len(hand) for hand in self.hands]
        self.dealer = [0] * len(self.dealer)
        self.turned = -1
        self.last = 0

    def hear(self, event: events.Event) -> None:
        """Give the cards of an event their numbers."""
        match event:
            case events.RoundStarted(bets):
                self.hands = [[] for _ in bets]
                self.dealer = []
                self.turned = self._hidden = -1
                self.last = 0
            case events.Dealt(hand):
                self.hands[hand].append(self._next())
            case events.DealerDealt(card):
                if card is None:
                    self._hidden = len(self.dealer)
                self.dealer.append(self._next())
            case events.Revealed():
                self.turn_up()
            case events.Acted(hand, Action.SPLIT):
                first, second = self.hands[hand]
                self.hands[hand : hand + 1] = [[first], [second]]

    def turn_up(self) -> None:
        """Give the hole card a number, as it is turned up."""
        if self._hidden >= 0:
            self.turned, self._hidden = self._hidden, -1
            self.dealer[self.turned] = self._next()

    def _next(self) -> int:
        self.last += 1
        return self.last


_A_ROUND: Final = 10_000
"""Versions of one round; it has fewer answers."""


class TakenSeat:
    """A session, its story so far, and its coach.

    All methods belong to one thread at a time: the book of tables holds the seat's lock.
    """

    def __init__(  # noqa: PLR0913 (each is named in the call)
        self,
        name: str,
        session: GameSession,
        *,
        worker: Worker,
        heard: Callable[[], object],
        note: str = "",
        check: CountCheck | None = None,
    ) -> None:
        """Sit at `session`, with what was already played there; `note` is the first message.

        `check` asks for the running count.
        """
        self.name = name
        self.session = session
        self.version = 0
        self.touched = time.monotonic()
        self.coaching = CoachQueue(session, worker=worker, heard=heard)
        self.betting = TableBetting(session, rounds=None, then="", check=check)
        self.beats = Beats()
        self.notes: list[str] = []
        """Messages that are true until the next bet."""
        self.said: list[str] = []
        """Sentences about the last move, for the status line."""
        self.story: list[str] = []
        """The round in sentences."""
        self._is_over = False
        self._is_told = True
        """Whether the next event begins another story."""
        self._begin_narration()
        session.listeners.append(self._hear)
        self._tell(note)
        for event in session.events:
            self._hear(event)
        self._go_on()
        if not session.events:
            self._tell(*self.betting.begin())

    # ---- moves; each raises BlackjackError with nothing changed

    def place(self, text: str) -> None:
        """Bet and deal."""
        session = self.session
        if session.is_playing:
            raise errors.IllegalActionError("a round is in progress: finish it first")
        if self.betting.question:
            raise errors.IllegalActionError(
                "the running count is asked first: answer it or skip it"
            )
        bet = read_chips(text) if session.rules.betting else self.betting.entry.bet
        reason = session.why_not_bet(bet)
        if reason:
            raise errors.RulesError(reason)
        self._begin_move()
        if session.settle_owed():  # the end of the last round comes before a new one
            self._go_on()
            return
        self.coaching.start_round()
        self.betting.begin_round(bet)
        try:
            session.place(bet)
        except errors.EmptyShoeError as error:
            self._void(error)
            return
        self.betting.entry.accept(bet)
        self._go_on()

    def answer_count(self, text: str) -> None:
        """Answer the count question; an empty text skips it."""
        count = self.betting.count
        if not self.betting.question:
            raise errors.IllegalActionError("the running count is not asked now")
        count.typed = text
        problem, remark = count.answer()
        if problem:
            count.cancel()
            raise errors.NotationError(problem)
        self._begin_move()
        self._tell(remark)
        self._next_version()

    def act(self, text: str) -> None:
        """Answer."""
        action = parse_action(text)
        refusal = self.session.find_refusal(action)
        if refusal is not None:
            raise refusal.to_error()
        self._begin_move()
        try:
            answered = self.session.act(action)
        except errors.EmptyShoeError as error:
            self._void(error)
            return
        if isinstance(answered, Refusal):  # found above
            raise answered.to_error()
        self.coaching.note(action)
        self._go_on()

    def undo(self) -> None:
        """Take the last answer back."""
        self.session.undo()
        self._begin_move()
        self._begin_narration()
        self.notes.clear()
        for event in self.session.events:
            self._hear(event)
        self.beats.rest()
        self.said = ["Taken back."]
        self._is_over = False
        self.coaching.take_back()
        self.betting.take_back()
        self._go_on()

    def play_hands(self, text: str) -> None:
        """Play another number of hands."""
        hands = whole_number(text)
        if hands is None:
            raise errors.RulesError(f"{text[:40]!r} hands: write a whole number, such as 1")
        self.session.play_hands(hands)
        self._begin_move()
        self.narrator.company = name_company(self.session)
        self._tell(*self.betting.begin())
        self._next_version()

    def bring_chips(self) -> None:
        """Bring chips where the smallest bets are not covered."""
        chips = bring_chips(self.session)
        self._begin_move()
        self.notes.clear()
        self._tell(f"You bring {format_chips(chips)} chips.", *self.betting.begin())
        self._next_version()

    def add_seed(self, text: str) -> None:
        """Mix a text into the next shuffle."""
        kept = self.session.kept
        if kept is None:
            msg = "practice has no commitment to the cards, so no seed of yours either"
            raise errors.IllegalActionError(msg)
        self.said = [mix_seed(kept, text)]

    def end_shoe(self) -> None:
        """End the shoe between rounds, and reveal its seeds."""
        kept = self.session.kept
        if kept is None:
            msg = "practice has no commitment to the cards, so there is nothing to reveal"
            raise errors.IllegalActionError(msg)
        kept.end_shoe()
        self._begin_move()
        self.said = ["The shoe is ended, and its seed is shown; the next hand begins a new one."]
        self._next_version()

    def leave(self, patience: float) -> str:
        """Leave the table; return how it stands. An unfinished saved hand stays, to go on.

        The coach has `patience` seconds to judge the last answers.
        """
        session = self.session
        self.coaching.judge(seconds=patience)
        report = make_report(session, self.betting.check)
        judged = write_accuracy(report) if report.judged else ""
        saved = "Your hand is saved: it goes on when you open it again."
        return leave_table(session, judged, write_score(report), saved=saved)

    def touch(self) -> None:
        """Note that something happens at the table."""
        self.touched = time.monotonic()

    def collect(self) -> None:
        """Judge the answers whose value is known by now.

        A verdict that cannot be saved does not hide the table, which is as it is.
        """
        with suppress(StoreError):
            self.coaching.collect()

    # ---- what is heard

    def _begin_narration(self) -> None:
        self.narrator = Narrator(self.session.rules, write_card=_write_card)
        self.board = self.narrator.board
        self.story.clear()
        self.narrator.company = name_company(self.session)

    def _hear(self, event: events.Event) -> None:
        was_opening = self.board.is_opening
        message = self.narrator.hear(event)
        if self._is_told:  # a shuffle comes before the round starts
            self.story.clear()
            self.notes.clear()
            self._is_told = False
        self.beats.hear(event)
        self.story.append(message.text)
        if self._is_news(event, was_opening=was_opening):
            self.said.append(message.text)
        if isinstance(event, events.RoundEnded):
            self._is_over = self._is_told = True

    def _is_news(self, event: events.Event, *, was_opening: bool) -> bool:
        """Whether the status line says an event: not each card of the opening, nor of others."""
        spots, own = self.board.spots, self.session.player_spots
        match event:
            case events.Dealt(hand) | events.Settled(hand):
                return not was_opening and spots[hand] in own
            case events.DealerDealt() | events.Revealed():
                return not was_opening
        return needs_message(event, self.board, own)

    def _begin_move(self) -> None:
        self.said.clear()
        self.beats.rest()
        self._is_over = False

    def _go_on(self) -> None:
        if self.session.options:
            self.coaching.ask()
        elif self._is_over:
            self._end_round()
        self._next_version()

    def _end_round(self) -> None:
        session = self.session
        hidden = None in self.board.dealer
        turn_up(session, self.board, self.betting.check)
        if hidden and None not in self.board.dealer:
            self.beats.turn_up()
        self.said.append(write_result(session))
        kept = session.kept
        if kept is not None and kept.fair_shoe.is_over:
            kept.end_shoe()
            self._tell("The shoe is over, and its seed is shown: you can verify every card of it.")
        self._tell(*self.betting.begin())

    def _void(self, error: errors.EmptyShoeError) -> None:
        self._is_told = True
        self._tell(errors.as_sentence(f"{error}; this round does not count"))
        self._next_version()

    def _tell(self, *notes: str) -> None:
        self.notes += filter(None, notes)
        self.said += filter(None, notes)

    def _next_version(self) -> None:
        """Give the table as it stands now a number.

        In a saved round it follows from the round and its answers, so that a page from before a
        restart of the server counts as what it is: up to date, or old.
        """
        kept = self.session.kept
        following = self.version + 1
        if kept is None or not self.session.events:
            self.version = following
            return
        self.version = max(following, kept.round_number * _A_ROUND + len(kept.actions))


def _write_card(card: Card) -> str:
    return card.in_words
