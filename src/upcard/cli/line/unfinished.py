"""The hands that were left unfinished, found at the next start: they go on first."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from upcard.cli.line.commitments import ShoeTeller
from upcard.cli.line.game import LineGame
from upcard.core.errors import BlackjackError
from upcard.documents.terms import Terms
from upcard.session.coach_queue import CoachQueue
from upcard.session.coaching import CoachVoice
from upcard.session.unfinished import find_left_hands

if TYPE_CHECKING:
    from collections.abc import Callable

    from upcard.cli.line.messages import LineMessages
    from upcard.cli.line.options import PlayOptions
    from upcard.documents.bank import Bank
    from upcard.documents.dialogue import Dialogue
    from upcard.session.plan import TablePlan
    from upcard.session.unfinished import LeftHand
    from upcard.store.database import Store


def finish_left_rounds(
    store: Store,
    options: PlayOptions,
    *,
    remarks: LineMessages,
    make_dialogue: Callable[[Terms, Bank], Dialogue],
) -> bool:
    """Play all unfinished hands to their ends; False if you left again.

    Raises: StoreError.
    """
    return all(
        _finish(store, options, left, remarks=remarks, make_dialogue=make_dialogue)
        for left in find_left_hands(store)
    )


def _finish(
    store: Store,
    options: PlayOptions,
    left: LeftHand,
    *,
    remarks: LineMessages,
    make_dialogue: Callable[[Terms, Bank], Dialogue],
) -> bool:
    try:
        session = left.resume(store, knows=options.knows or "fresh")
    except BlackjackError as error:
        remarks.tell_kept(left, str(error))
        return True
    with session:
        plan = session.plan
        terms = Terms(
            rules=plan.rules,
            title=plan.title,
            notation=str(plan.rules.replace(name="")),
            rng=random.SystemRandom(),
            bet=plan.bet if plan.rules.betting else None,
            hands=plan.hands,
            company=name_company(plan),
        )
        remarks.tell_unfinished(left)
        game = LineGame(
            session,
            make_dialogue(terms, session.bank),
            remarks=remarks,
            coach_queue=CoachQueue(session),
            shoes=ShoeTeller(session.kept, remarks) if session.kept else None,
            coach=CoachVoice(options.coach or CoachVoice.SILENT),
        )
        game.finish()
    if not game.was_left:
        remarks.tell_next_table()
    return not game.was_left


def name_company(plan: TablePlan) -> tuple[str | None, ...]:
    """Return who plays each spot, None for the person; empty without company."""
    if not plan.company.strip():
        return ()
    return tuple(None if seat is None else str(seat) for seat in plan.seats)
