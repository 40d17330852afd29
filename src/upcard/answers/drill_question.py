"""Questions of the drills in words and cards, and why an answer is right or impossible."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from upcard.core.actions import Action
from upcard.core.cards import Card, write_face
from upcard.core.figure import Figure
from upcard.core.hands import BUST_LIMIT
from upcard.core.numbers import with_minus_signs
from upcard.drills import drill
from upcard.drills.hand_prompts import DrawnHand, write_hand_total, write_shown
from upcard.drills.trainer import DrillStep, DrillTrainer
from upcard.rules.settings import Surrender
from upcard.table.legal import Refusal, find_refusal
from upcard.table.state import HandStatus, RoundState

if TYPE_CHECKING:
    from upcard.drills.ready import Session
    from upcard.drills.strategy_drills import PlayedHand
    from upcard.rules.model import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCards:
    """Cards that are shown group by group; those to come are not in it."""

    cards: tuple[Card | None, ...]
    """The cards of this group; face down before the first."""
    place: int
    """Number of this group, from 1; 0 before the first."""
    of: int
    """Number of groups."""
    text: str
    """All the cards and groups in words."""
    best_text: str
    """The best time; empty if none is saved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnswer:
    """Question of a drill, with all that is shown with it."""

    question: int
    """Number of the question, from 1; a whole hand is one."""
    text: str
    """The whole question in one line."""
    ask: str
    """The question in a few words."""
    choices: tuple[str, ...]
    """The answers to choose from; empty if a number is asked for."""
    cards: tuple[Card, ...]
    """Cards of the hand; empty if a number is asked for."""
    upcard: Card | None
    """The dealer's upcard; None if a number is asked for."""
    hole: Card | None
    """The dealer's hole card; None unless the house shows it."""
    at: str
    """The count at which a hand is asked, `hi-lo +2`; empty without one."""
    dealer: DrawnHand | None
    """The dealer's cards as they are drawn; None if a number is asked for."""
    hands: tuple[DrawnHand, ...]
    """Your hands as they are drawn; empty if a number is asked for."""
    is_over: bool
    """Whether it is a whole hand that is over."""
    showing: ShownCards | None
    """The cards that are shown now, in two drills of counting; None once all were."""
    facts: tuple[Figure, ...]
    """Numbers of the question, such as the running count."""


def answer_drill(trainer: DrillTrainer) -> QuestionAnswer:
    """Return what a drill asks, or asked last."""
    prompt, rules, played = trainer.prompt, trainer.setup.options.rules, trainer.run.hand
    ask, dealer = prompt.ask, None
    hands: tuple[DrawnHand, ...] = ()
    state = None if played is None else played.state
    is_over = state is not None and state.is_over
    if state is not None:
        if prompt.choices:
            ask = "The hand is over" if is_over else _ask_in_round(state)
        # At a session the dealer's cards are picked up face up, and are counted.
        is_whole = is_over and trainer.run.is_session
        drawn = list(state.dealer) if is_whole else _order_shown(state)
        total = _write_dealer_total(state, is_whole=is_whole)
        dealer = DrawnHand(name="Dealer", cards=tuple(drawn), text=total)
        hands = tuple(_draw_hands(state))
    elif drawn_hands := prompt.draw(rules):
        is_open = trainer.step is DrillStep.ASKING
        dealer, *own = drawn_hands
        hands = tuple(replace(one, is_active=one.is_active and is_open) for one in own)
    return QuestionAnswer(
        question=trainer.run.questions,
        text=write_question(prompt, rules),
        ask=ask,
        choices=prompt.choices,
        cards=() if prompt.upcard is None else prompt.cards,
        upcard=prompt.upcard,
        hole=prompt.hole,
        at=prompt.at,
        dealer=dealer,
        hands=hands,
        is_over=is_over,
        showing=_show_cards(trainer),
        facts=prompt.facts,
    )


def write_question(prompt: drill.Prompt, rules: Rules) -> str:
    """Write the whole question in one line."""
    return with_minus_signs(prompt.write(rules))


def write_reason(prompt: drill.Prompt, feedback: drill.Feedback) -> str:
    """Write why the right answer is right."""
    return with_minus_signs(prompt.explain(feedback))


def name_question(prompt: drill.Prompt, rules: Rules) -> str:
    """Name a question beside its verdict: `10 6 (hard 16) against 9 at hi-lo +2`."""
    if prompt.upcard is None:
        return capital(write_question(prompt, rules))
    total, at = write_hand_total(prompt.cards, rules), prompt.at
    cards = " ".join(write_face(card.rank) for card in prompt.cards)
    hand = f"{cards} ({total})" if len(prompt.cards) > 1 else total
    dealer = " ".join(write_face(card.rank) for card in prompt.dealer)
    return f"{hand} against {dealer}" + (f" at {at}" if at else "")


def capital(text: str) -> str:
    """Write a text with a capital letter."""
    return text[:1].upper() + text[1:]


def _show_cards(trainer: DrillTrainer) -> ShownCards | None:
    place, groups = trainer.place, trainer.prompt.groups
    if place is None:
        return None
    best = trainer.run.progress.record(trainer.prompt.item).best_seconds
    return ShownCards(
        cards=(None,) * len(groups[0]) if place < 0 else groups[place],
        place=place + 1,
        of=len(groups),
        text=trainer.prompt.shows,
        best_text="" if best is None else write_seconds(best),
    )


_OUTCOMES: Final = {
    "win": "won",
    "natural": "won",
    "push": "pushed",
    "lose": "lost",
    "surrender": "surrendered",
}


def _draw_hands(state: RoundState) -> Iterable[DrawnHand]:
    for index, hand in enumerate(state.hands):
        yield DrawnHand(
            name="You" if len(state.hands) == 1 else f"Hand {index + 1}",
            cards=tuple(hand.cards),
            text=_write_status(state, index),
            is_active=not state.is_over and index == state.active,
        )


def _ask_in_round(state: RoundState) -> str:
    """Write what is asked in a whole hand: `Your play?`, `Hand 1 of 2: surrender?`."""
    count = len(state.hands)
    which = f"Hand {state.active + 1} of {count}: " if count > 1 else ""
    offers = {"surrender": "surrender?", "split": "split?", "insurance": "insurance?"}
    line = which + offers.get(state.phase, "your play?")
    return capital(line)


def _order_shown(state: RoundState) -> list[Card | None]:
    """Return the dealer's cards in the order of the deal, as the table draws them."""
    if len(state.shown_dealer_cards) == len(state.dealer):
        return list(state.dealer)
    up = state.setup.up_index if state.shown_dealer_cards else -1
    return [card if place == up else None for place, card in enumerate(state.dealer)]


def _write_dealer_total(state: RoundState, *, is_whole: bool) -> str:
    """Write the dealer's total if all cards are shown (`is_whole`), else what the dealer shows."""
    if is_whole or (state.is_over and len(state.dealer) == len(state.shown_dealer_cards) > 1):
        total = state.dealer_total
        return f"{total}, bust" if total > BUST_LIMIT else str(total)
    shown = state.shown_dealer_cards if state.rules.shows_hole else (state.upcard,)
    return write_shown(shown, state.rules)


def _write_status(state: RoundState, index: int) -> str:
    """Write the total of a hand, and that it waits, is finished or how it ended."""
    hand = state.hands[index]
    total = write_hand_total(hand.cards, state.rules)
    if state.is_over:
        outcome = str(state.results[index][0])
        return total if outcome == "bust" else f"{total}, {_OUTCOMES.get(outcome, outcome)}"
    if hand.status is HandStatus.PLAYING:
        return total if index == state.active else f"{total}, waits"
    is_told = hand.status in (HandStatus.BUST, HandStatus.TWENTY_ONE)
    return total if is_told else f"{total}, {hand.status}"


def write_seconds(seconds: float) -> str:
    """Write a time: `24.3 s`, `4 min 10 s`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest:02d} s"


def explain_refusal(
    action: Action, prompt: drill.Prompt, *, rules: Rules, hand: PlayedHand | Session | None = None
) -> str:
    """Return one sentence saying why an action is not an answer to a question of a drill."""
    if hand is not None and prompt.choices and not hand.is_over and hand.state is not None:
        return _shorten(find_refusal(hand.state, action), action)
    if prompt.input is not drill.InputKind.PLAY:
        asked = f"the answers are {', '.join(prompt.choices)}" if prompt.choices else ""
        return f"cannot {action.verb}: {asked or 'a number is asked for'}"
    if Action.INSURANCE in prompt.choices or Action.EVEN_MONEY in prompt.choices:
        return f"cannot {action.verb}: the question is insurance alone"
    if action is Action.SURRENDER and rules.surrender is not Surrender.NONE and prompt.choices:
        return f"cannot {action.verb}: this play is asked as if there were no surrender"
    from upcard.drills.strategy_drills import deal_opening

    table = deal_opening(rules, prompt.cards, prompt.dealer, random.Random(0))
    return _shorten(find_refusal(table.state, action), action)


def _shorten(refusal: Refusal | None, action: Action) -> str:
    """Omit the legal actions, which the screen shows."""
    return f"cannot {action.verb} here" if refusal is None else refusal.without_legal
