"""Which table comes next: a hand left unfinished first, then the table that was asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from upcard.core.errors import BlackjackError
from upcard.session import coaching, first_hand
from upcard.session.plan import TablePlan
from upcard.session.seat import LeftHand, Seat, find_left_hands, open_seat, prepare_company
from upcard.session.table_view import tell_brought
from upcard.tui import pages

if TYPE_CHECKING:
    from upcard.tui.app import UpcardApp


class Seating:
    """Opens tables on the screen and leaves them."""

    def __init__(self, app: UpcardApp) -> None:
        self._app = app
        self.seat: Seat | None = None
        """The seat at the table that is open; None on the start screen."""
        self._queue = partial(coaching.CoachQueue, worker=app.coach_work.worker)
        self._plan: TablePlan | None = None
        """The table that was asked for; None for the start screen."""
        self._is_found = False
        """Whether the open table is that of a hand left unfinished."""
        self._put_off_before: set[int] = set()
        """The sessions of hands that cannot continue; they are announced once."""
        self._notes: list[str] = []

    def open_table(self, plan: TablePlan | None) -> None:
        """Open a table, or without a plan the start screen; a hand left unfinished goes first."""
        self._plan = plan
        self._open_next()

    def _open_next(self) -> None:
        plan = self._plan
        keeps = self._app.opening.keeps if plan is None else plan.keeps
        left = self._find_left() if keeps else None
        if left is not None:
            self._prepare(left.plan, partial(self._resume, left), partial(self._put_off, left))
        elif plan is not None:
            self._prepare(plan, partial(self._open, plan), self._refuse)
        else:
            self._app.open_start(self._take_notes())

    def _find_left(self) -> LeftHand | None:
        """Find the next hand that can continue; note those that cannot."""
        store = self._app.store
        for left in () if store is None else find_left_hands(store):
            if left.found.session.id in self._put_off_before:
                continue
            try:
                _ = left.plan
            except BlackjackError as error:
                self._note_kept(left, error)
                continue
            return left
        return None

    def _note_kept(self, left: LeftHand, error: Exception) -> None:
        self._put_off_before.add(left.found.session.id)
        self._notes.append(left.why_kept(str(error)))

    def _put_off(self, left: LeftHand, error: BlackjackError) -> None:
        self._note_kept(left, error)
        self._open_next()

    def _refuse(self, error: BlackjackError) -> None:
        self._notes.append(str(error))
        self._app.open_start(self._take_notes())

    def _take_notes(self) -> str:
        words = " ".join(self._notes)
        self._notes.clear()
        return words

    # ---- company, which may need charts

    def _prepare(
        self, plan: TablePlan, seat: Callable[[], None], refuse: Callable[[BlackjackError], None]
    ) -> None:
        """Work out in a thread how the company plays, then sit down by `seat`."""
        app = self._app
        if not any(plan.seats):
            seat()
            return
        page = pages.WaitingPage("The company is sitting down", ["Working out how they play."])
        app.push_screen(page, lambda _: self._go_back())

        def end(then: Callable[[], None]) -> None:
            if page in app.screen_stack:  # the person has not gone back in the meantime
                app.pop_screen()
                app.call_after_refresh(then)

        def failed(error: Exception) -> None:
            if not isinstance(error, BlackjackError):
                raise error
            end(partial(refuse, error))

        app.edge_work.submit(partial(prepare_company, plan), lambda _: end(seat), failed)

    def _go_back(self) -> None:
        """Show the start screen where the wait ended early over anything else."""
        if not self._app.is_at_start:
            self._app.open_start(self._take_notes())

    # ---- sitting down

    def _resume(self, left: LeftHand) -> None:
        store = self._app.store
        if store is None:
            return
        asked = self._plan
        then = "the start screen" if asked is None else f"the table you asked for: {asked.title}"
        try:
            seat = left.resume(store, knows=self._app.knows, then=then, queue=self._queue)
        except BlackjackError as error:
            self._put_off(left, error)
            return
        self._is_found = True
        self._notes.append(left.announcement)
        self._show(seat)

    def _open(self, plan: TablePlan) -> None:
        app = self._app
        opening, coach = app.opening, coaching.TableCoach(plan.rules, knows=app.knows)
        try:
            seat = open_seat(plan, app.store, coach, opening, queue=self._queue)
            self._notes += filter(None, [tell_brought(seat.brought)])
            if seat.session.kept is not None and plan.rules.betting:
                app.opening = replace(opening, chips=None)  # once, not at every table
        except BlackjackError as error:
            self._refuse(error)
            return
        self._show(seat)

    def _show(self, seat: Seat) -> None:
        self.seat = seat
        self._app.show_table(seat, self._take_notes())

    def open_first_hands(self) -> None:
        """Sit down for the led first hands, where they were left."""
        store, queue = self._app.store, self._queue
        self._show(first_hand.open_first_hands(store, queue=queue, has_end=True))

    # ---- leaving

    def leave(self, *, is_thinking: bool = False) -> None:
        """Leave the table: for the next one, or by its report for the start screen or the way out.

        The report waits for the coach if they are still `is_thinking` about the last answers.
        """
        app, seat = self._app, self.seat
        if seat is None:
            return
        if self._is_found and not seat.session.is_playing:
            self._leave(seat)
            self._open_next()
        elif app.opening.plan is not None:
            self.close()
            app.show_report(seat, app.exit, is_thinking=is_thinking)
        else:
            words = self._leave(seat, "The hand is saved: Enter continues with it.")
            app.show_report(seat, partial(app.open_start, words), is_thinking=is_thinking)

    def close(self) -> None:
        """Leave the table that is still open when the program ends."""
        if self.seat is not None:
            words = "The hand is saved: it continues at the next start."
            self._app.farewell.append(self._leave(self.seat, words))

    def _leave(self, seat: Seat, saved: str = "") -> str:
        """Leave a table; return the balance, and `saved` if a hand is left unfinished."""
        self.seat = None
        self._is_found = False
        return seat.leave(saved=saved)
