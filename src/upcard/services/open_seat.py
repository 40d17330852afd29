"""A seat that is open: its story, and the locks by which the calls of many take turns."""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from upcard.core import errors
from upcard.core.actions import Action, parse_action
from upcard.core.number_texts import read_chips, read_whole
from upcard.core.numbers import format_chips
from upcard.session import narration, table_view
from upcard.session.report import LeftTable, make_report, write_accuracy, write_score, write_worst
from upcard.session.seat import Seat, Update
from upcard.store.files import StoreError
from upcard.table import events


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


class OpenSeat:
    """A seat as it is shown: its story so far, in the order of the cards.

    All methods belong to one thread at a time: hold its `lock`, and let `OpenTables.run` call them.
    """

    def __init__(self, name: str, seat: Seat, news: asyncio.Event, *, note: str = "") -> None:
        """Show a seat from its beginning; the coach sets `news`, `note` is the first message."""
        self.name = name
        self.seat = seat
        self.session = seat.session
        self.coaching = seat.coaching
        self.betting = seat.betting
        self.touched = time.monotonic()
        """When something last happened at the table, by this clock."""
        self.lock = asyncio.Lock()
        """Held by a call until it is answered."""
        self.turn = threading.Lock()
        """Held by the work of a call, which outlasts one that is cancelled."""
        self.news = news
        self.beats = Beats()
        self.notes: list[str] = []
        """Messages that are true until the next bet."""
        self.said: list[str] = []
        """Sentences about the last move, for the status line."""
        self.story: list[str] = []
        """The round in sentences."""
        self._is_told = True
        """Whether the next event begins another story."""
        self._is_moving = True
        """Whether something has come of the move that is made."""
        self._begin_narration()
        self._tell(note)
        begun = seat.begin()
        for event in begun.events:
            self._hear(event)
        self._follow(begun)
        self.session.listeners.append(self._hear)

    # ---- moves; each raises BlackjackError with nothing changed

    def place(self, text: str, side: Mapping[str, str]) -> None:
        """Bet and deal; `side` has chips on side bets by their short names, empty for none."""
        placed = " ".join(
            f"{code} {format_chips(read_chips(chips.strip(), f'side bet {code}'))}"
            for code, chips in side.items()
            if chips.strip("0. ")
        )
        bet = f"{text} {placed}".strip() if self.session.rules.betting else self.betting.entry.wager
        self._move(lambda: self.seat.bet(bet))

    def answer_count(self, text: str) -> None:
        """Answer the count question; an empty text skips it."""
        self._move(lambda: self.seat.answer_count(text))

    def act(self, text: str) -> None:
        """Answer."""
        action = parse_action(text)
        self._move(lambda: self.seat.act(action))

    def undo(self) -> None:
        """Take the last answer back."""
        taken_back = self._check(self.seat.undo())
        self._begin_narration()
        self.notes.clear()
        for event in taken_back.events:
            self._hear(event)
        self.beats.rest()
        self.said = ["Taken back."]

    def play_hands(self, text: str) -> None:
        """Play another number of hands."""
        hands = read_whole(text, "hands", example="1")
        self._move(lambda: self.seat.play_hands(hands))
        self.narrator.company = table_view.name_company(self.session)

    def bring_chips(self) -> None:
        """Bring chips where the smallest bets are not covered."""
        self._move(self.seat.bring_chips)

    def add_seed(self, text: str) -> None:
        """Mix a text into the next shuffle."""
        self._check(self.seat.add_seed(text))
        self.said = [table_view.tell_seed(self.session, text)]

    def end_shoe(self) -> None:
        """End the shoe between rounds, and reveal its seeds."""
        self._move(self.seat.end_shoe)
        self.said = ["The shoe is ended, and its seed is shown; the next hand begins a new one."]

    def leave(self, patience: float) -> LeftTable:
        """Leave the table; return how it stands. An unfinished saved hand stays, to continue.

        The coach has `patience` seconds to judge the last answers.
        """
        self.coaching.judge(seconds=patience)
        report = make_report(self.seat)
        judged = write_accuracy(report) if report.judged else ""
        saved = "Your hand is saved: it continues when you open it again."
        return LeftTable(
            words=self.seat.leave(judged, write_score(report), saved=saved),
            rules=str(self.session.rules),
            worst=write_worst(report),
        )

    def collect(self) -> None:
        """Judge the answers whose value is known by now.

        A verdict that cannot be saved does not hide the table, which is as it is.
        """
        with suppress(StoreError):
            self.seat.collect()

    def _move(self, move: Callable[[], Update]) -> None:
        self._is_moving = False
        try:
            update = self._check(move())
        except StoreError:  # what was dealt is dealt
            self._begin_move()
            raise
        self._begin_move()
        self._follow(update)

    def _check(self, update: Update) -> Update:
        if update.refusal is not None:
            raise update.refusal.to_error()
        if update.fault is not None:
            raise update.fault
        return update

    def _follow(self, update: Update) -> None:
        if update.void is not None:
            self._is_told = True
            self._tell(errors.as_sentence(update.why_void))
            return
        self._tell(str(update.count_remark or ""), str(update.bet_remark or ""))
        if update.brought:
            self.notes.clear()
            self._tell(table_view.tell_brought(update.brought))
        if update.ends_round:
            if table_view.turn_up(self.session, self.board):
                self.beats.turn_up()
            self.said.append(table_view.write_result(self.session))
        if update.reveal is not None and update.ends_round:
            self._tell("The shoe is over, and its seed is shown: you can verify every card of it.")
        self._tell(*update.notes)

    # ---- what is heard

    def _begin_narration(self) -> None:
        rules = self.session.rules
        self.narrator = narration.Narrator(rules, write_card=lambda card: card.in_words)
        self.board = self.narrator.board
        self.story.clear()
        self.narrator.company = table_view.name_company(self.session)

    def _hear(self, event: events.Event) -> None:
        self._begin_move()
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
            self._is_told = True

    def _is_news(self, event: events.Event, *, was_opening: bool) -> bool:
        """Whether the status line says an event: not each card of the opening, nor of others."""
        spots, own = self.board.spots, self.session.player_spots
        match event:
            case events.Dealt(hand) | events.Settled(hand):
                return not was_opening and spots[hand] in own
            case events.DealerDealt() | events.Revealed():
                return not was_opening
        return narration.needs_message(event, self.board, own)

    def _begin_move(self) -> None:
        if not self._is_moving:
            self.said = []
            self.beats.rest()
            self._is_moving = True

    def _tell(self, *notes: str) -> None:
        self.notes += filter(None, notes)
        self.said += filter(None, notes)
