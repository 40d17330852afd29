"""The hands that were left unfinished, found at the next start: they go on first."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from upcard.cli.line.commitments import ShoeTeller
from upcard.cli.line.game import LineGame
from upcard.cli.line.messages import LineMessages
from upcard.cli.line.options import PlayOptions
from upcard.core.errors import BlackjackError
from upcard.documents.bank import Bank
from upcard.documents.dialogue import Dialogue
from upcard.documents.terms import Terms
from upcard.session.coach_queue import CoachQueue
from upcard.session.coaching import CoachVoice
from upcard.session.plan import TablePlan
from upcard.session.unfinished import LeftHand, find_left_hands
from upcard.store.database import Store


def finish_left_rounds(
    store: Store,
    options: PlayOptions,
    *,
    remarks: LineMessages,
    make_dialogue: Callable[[Terms, Bank], Dialogue],
) -> bool:
    """Play all unfinished hands to their ends; False if you left again. Raises: StoreError."""

    def finish(left: LeftHand) -> bool:
        try:
            session = left.resume(store, knows=options.knows or "fresh")
        except BlackjackError as error:
            remarks.tell_kept(left, str(error))
            return True
        plan = session.plan
        bet = plan.bet if plan.rules.betting else None
        terms = make_terms(plan, random.SystemRandom(), bet=bet, hands=plan.hands)
        with session:
            remarks.tell_unfinished(left)
            game = LineGame(
                session=session,
                dialogue=make_dialogue(terms, session.bank),
                remarks=remarks,
                coach_queue=CoachQueue(session),
                shoes=ShoeTeller(session.kept, remarks) if session.kept else None,
                coach=CoachVoice(options.coach or CoachVoice.SILENT),
            )
            game.finish()
        if not game.was_left:
            remarks.tell_next_table()
        return not game.was_left

    return all(map(finish, find_left_hands(store)))


def make_terms(plan: TablePlan, rng: random.Random, **settings: Any) -> Terms:
    """Return the terms of a table for a dialogue, with further settings of `Terms`."""
    notation = str(plan.rules.replace(name=""))
    company: tuple[str | None, ...] = ()
    if plan.company.strip():
        company = tuple(None if seat is None else str(seat) for seat in plan.seats)
    return Terms(
        rules=plan.rules, title=plan.title, notation=notation, rng=rng, company=company, **settings
    )
