"""The full screen in two worlds, driven by keys and compared as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from campaign.case import FindingError
from campaign.choosing import use_tests
from campaign.games import choose_game, choose_wager
from campaign.worlds import WorldShoe, exchange_hidden, shuffle_world

if TYPE_CHECKING:
    from collections.abc import Sequence

    from campaign.case import Case
    from upcard.core.cards import Card
    from upcard.core.wager import SideStakes
    from upcard.rules.model import Rules

_MOST_ANSWERS: Final = 3


def compare_screens(case: Case) -> None:
    """Compare every frame up to a random question, the coach and the page of reasons included."""
    use_tests()
    rng = case.rng
    rules = choose_game(rng)
    side = choose_wager(rules, rng).side
    stop, policy = rng.randint(0, _MOST_ANSWERS), rng.random()
    has_coach = rng.random() < 0.5 and rules.decks is not None
    first, shoe, state, has_looked = _play(
        rules, side, shuffle_world(rules, rng), stop, policy, has_coach=has_coach
    )
    if state is None:
        case.count("screens without a question")
        return
    others = exchange_hidden(shoe, state, rng, has_looked=has_looked)
    if others is None:
        case.count("screens without a second world")
        return
    answers = len(first) // (2 if has_coach else 1) - 1
    second, *_ = _play(rules, side, others, answers, policy, has_coach=has_coach)
    for one, other in zip(first, second, strict=True):
        if one != other:
            msg = f"a hidden card shows on the screen of {rules}:\n{one}\n---\n{other}"
            raise FindingError(msg)
    case.count("screens", len(first))


def _play(  # noqa: PLR0913 (a table, its cards, and how it is played)
    rules: Rules,
    side: SideStakes,
    cards: Sequence[Card],
    stop: int,
    policy: float,
    *,
    has_coach: bool,
) -> tuple[list[str], WorldShoe, Any, bool]:
    import random

    from screen_driver import drive, plan_for, press, text_of

    from upcard.session.table_view import KEYS
    from upcard.table.events import Peeked
    from upcard.tui.app import ScreenOptions

    rng = random.Random(policy)
    frames: list[str] = []
    shoe = WorldShoe(cards)
    found: dict[str, Any] = {}

    async def script(pilot: Any, app: Any) -> None:
        await press(pilot, "enter")
        for answered in range(stop + 1):
            session = app.seat.session
            if not session.options:
                return
            frames.append(text_of(app))
            if has_coach:
                await press(pilot, "w")
                frames.append(text_of(app))
                await press(pilot, "escape")
            found["state"] = session.state
            found["frames"] = len(frames)
            found["looked"] = any(isinstance(event, Peeked) for event in session.events)
            shoe.position = len(cards) - (session.table.shoe.cards_left or 0)
            if answered < stop:
                await press(pilot, KEYS[rng.choice(session.options)])

    opening = ScreenOptions(
        plan=plan_for(str(rules), side=side),
        cards=" ".join(map(str, cards)),
        coach="before" if has_coach else "silent",
    )
    drive(script, opening)
    return (
        frames[: found.get("frames", 0)],
        shoe,
        found.get("state"),
        bool(found.get("looked")),
    )
