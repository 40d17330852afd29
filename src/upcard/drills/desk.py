"""`DrillDesk`: a drill from its first question to its report, as front-ends show it.

A front-end shows the question of the desk, passes answers to it, and goes on.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from upcard.core.cards import Card
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.drills.counting_drills import CountingKind
from upcard.drills.drill import DrillError, Feedback, Prompt, dress
from upcard.drills.drill_run import DrillRun, DrillSetup
from upcard.drills.feedback import write_end, write_seconds
from upcard.rules.model import Rules
from upcard.rules.settings import DealOrder, HoleCard
from upcard.table.state import HandStatus, RoundState


class DrillStep(StrEnum):
    """Steps of a drill: each waits for something else."""

    PREPARING = "preparing"
    """There is no desk yet."""
    SHOWING = "showing"
    """The next group of cards is to be shown."""
    ASKING = "asking"
    JUDGING = "judging"
    """An answer is being judged in a thread."""
    JUDGED = "judged"
    """The verdict is to be read before the next question."""
    OVER = "over"


class Answered(NamedTuple):
    """A question and what its answer was worth."""

    prompt: Prompt
    feedback: Feedback
    after: str
    """The words after the reason: the end of a hand, or the time taken."""


class DrillDesk:
    """A drill that is asked; `goes_on_at_once` after right answers, or stops at every verdict.

    Calls may come from several threads, one at a time.
    """

    def __init__(self, name: str, setup: DrillSetup, *, goes_on_at_once: bool = True) -> None:
        """Prepare the drill, which may solve a game, and ask the first question."""
        self.setup = setup
        self.run: DrillRun = setup.start(name)
        self.run.rehearse()
        self.goes_on_at_once = goes_on_at_once
        self.step = DrillStep.ASKING
        self.answered: list[Answered] = []
        self.verdict: Answered | None = None
        """The last answer, until it was read: after going on there is none."""
        self.ending = ""
        """Why no further question is asked; empty while there is one."""
        self.place: int | None = None
        """The group of cards that is shown: -1 before the first, None when all were."""
        self._shown_at = 0.0
        self.ask()

    @property
    def prompt(self) -> Prompt:
        """The question that is asked, or whose verdict is shown."""
        return self.run.prompt or self.answered[-1].prompt

    @property
    def is_countdown(self) -> bool:
        """Whether best times are saved."""
        return self.run.drill.name == CountingKind.COUNTDOWN

    def ask(self) -> None:
        """Ask the next question."""
        prompt = self.run.ask()
        self.place = -1 if prompt.groups else None
        self.step = DrillStep.SHOWING if prompt.groups else DrillStep.ASKING

    def turn(self) -> None:
        """Show the next group of cards, or ask for the number after the last."""
        if self.place is None:
            raise DrillError("no cards are being shown")
        if self.place == -1:
            self._shown_at = self.setup.clock()
        self.place = self.place + 1 if self.place + 1 < len(self.prompt.groups) else None
        if self.place is None:
            self.step = DrillStep.ASKING

    def answer(self, text: str) -> Answered:
        """Judge an answer and save it; go on at once if that is wished."""
        run, prompt = self.run, self.run.prompt
        if prompt is None or self.step is not DrillStep.ASKING:
            raise DrillError(f"{text!r} answers nothing: no question is open")
        seconds = self.setup.clock() - self._shown_at if prompt.groups else None
        best = run.progress.record(prompt.item).best_seconds
        feedback = run.answer(text, seconds=seconds if self.is_countdown else None)
        after = ""
        if seconds is not None:
            after = self._write_time(seconds, best, is_right=feedback.is_right)
        elif run.hand is not None:
            after = "The hand goes on." if run.is_hand_open else write_end(run.hand)
        self.verdict = Answered(prompt, feedback, after)
        self.answered.append(self.verdict)
        self.ending = self.setup.why_over(run)
        self.step = DrillStep.JUDGED
        if self.goes_on_at_once and self.may_go_on:
            self.ask()
        return self.verdict

    @property
    def may_go_on(self) -> bool:
        """Whether the verdict may be passed over: it is right, and nothing ends with it."""
        # The end of a hand is looked at.
        is_end = bool(self.ending) or (self.run.hand is not None and not self.run.is_hand_open)
        return self.verdict is not None and self.verdict.feedback.is_right and not is_end

    def go_on(self) -> None:
        """Ask the next question after a verdict, or end."""
        if self.step is not DrillStep.JUDGED:
            raise DrillError("no verdict is shown: answer the question first")
        self.verdict = None
        if self.ending:
            self.end()
        else:
            self.ask()

    def end(self) -> None:
        """End the drill; all answers are saved already."""
        self.step = DrillStep.OVER

    def _write_time(self, seconds: float, best: float | None, *, is_right: bool) -> str:
        took = f"It took {write_seconds(seconds)}"
        if not self.is_countdown:
            return f"{took}."
        if is_right and (best is None or seconds < best):
            return f"{took}: your best."
        return f"{took}." if best is None else f"{took}; your best is {write_seconds(best)}."


_NAMES: Final = {"A": "an ace", "T": "a ten", "J": "a jack", "Q": "a queen", "K": "a king"}
_OUTCOMES: Final = {
    "win": "won",
    "natural": "won",
    "push": "pushed",
    "lose": "lost",
    "surrender": "surrendered",
}
_GROUPS: Final = {1: "one by one", 2: "by twos", 3: "by threes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FanView:
    """Some cards and their words; a card face down is None."""

    name: str
    """`You`, `Dealer` or `Hand 2`."""
    cards: tuple[Card | None, ...]
    """The cards in the order of the deal."""
    words: str
    """Total of the cards, or what the dealer shows."""
    is_active: bool = False
    """Whether it is the hand to answer for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayView:
    """A hand to be played, or a round of several: what is asked, and the cards."""

    ask: str
    count: str
    """The count at which it is asked; empty without one."""
    dealer: FanView
    hands: tuple[FanView, ...]
    is_over: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowingView:
    """Cards that are shown group by group; a front-end never has those to come."""

    cards: tuple[Card | None, ...]
    """The cards of this group; face down before the first."""
    place: int
    """Number of this group, from 1; 0 before the first."""
    of: int
    """Number of groups."""
    words: str
    """All the cards and groups in words."""
    best: str
    """The best time, where it is saved."""


def view_play(desk: DrillDesk) -> PlayView | None:
    """Return the cards of the question; None if a number is asked for."""
    prompt, rules, played = desk.prompt, desk.setup.options.rules, desk.run.hand
    if played is not None:
        state = played.state
        return PlayView(
            ask="The hand is over" if state.is_over else _ask_in_round(state),
            count="",
            dealer=_fan("Dealer", _show_dealer(state), _write_dealer_total(state)),
            hands=_view_hands(state),
            is_over=state.is_over,
        )
    if prompt.upcard is None:
        return None
    cards, upcard = dress_prompt(prompt, rules)
    is_open = desk.step is DrillStep.ASKING
    return PlayView(
        ask=_ask_line(prompt),
        count=prompt.text.partition(" at ")[2],
        dealer=_fan("Dealer", _order_dealer(upcard, rules), f"shows {_name_card(upcard)}"),
        hands=(_fan("You", cards, write_total(cards, rules), is_active=is_open),),
        is_over=False,
    )


def view_showing(desk: DrillDesk) -> ShowingView | None:
    """Return the group of cards that is shown now; None after the last one."""
    place, groups = desk.place, desk.prompt.groups
    if place is None:
        return None
    best = desk.run.progress.record(desk.prompt.item).best_seconds
    how = _GROUPS.get(len(groups[0]), "") if desk.is_countdown else f"in {len(groups)} groups"
    return ShowingView(
        cards=(None,) * len(groups[0]) if place < 0 else groups[place],
        place=place + 1,
        of=len(groups),
        words=f"{sum(map(len, groups))} cards {how}",
        best="" if best is None else write_seconds(best),
    )


def _fan(
    name: str, cards: Sequence[Card | None], words: str, *, is_active: bool = False
) -> FanView:
    return FanView(name=name, cards=tuple(cards), words=words, is_active=is_active)


def _view_hands(state: RoundState) -> tuple[FanView, ...]:
    return tuple(
        _fan(
            "You" if len(state.hands) == 1 else f"Hand {index + 1}",
            hand.cards,
            _write_status(state, index),
            is_active=not state.is_over and index == state.active,
        )
        for index, hand in enumerate(state.hands)
    )


def _ask_line(prompt: Prompt) -> str:
    """Write what is asked: the count if there is one, and an offer separately."""
    _, colon, offer = prompt.text.partition(": ")
    at = prompt.text.partition(" at ")[2]
    if "insurance" in prompt.choices:
        return f"Insurance at {at}?" if at else "Insurance?"
    what = f"{offer[:1].upper()}{offer[1:]}: your answer?" if colon else "Your play?"
    return f"At {at}: {what[:1].lower()}{what[1:]}" if at else what


def _ask_in_round(state: RoundState) -> str:
    """Write what is asked in a whole hand: `Your play?`, `Hand 1 of 2: surrender?`."""
    count = len(state.hands)
    which = f"Hand {state.active + 1} of {count}: " if count > 1 else ""
    line = which + {"surrender": "surrender?", "split": "split?"}.get(state.phase, "your play?")
    return line[:1].upper() + line[1:]


def dress_prompt(prompt: Prompt, rules: Rules) -> tuple[list[Card], Card]:
    """Return the hand and the upcard with suits: the same ones whenever it is drawn.

    Suits mean nothing to the question; no card comes oftener than it is in the shoe.
    """
    rng = random.Random(prompt.text)
    seen: list[Card] = []
    most = rules.decks or 8
    for card in (*prompt.cards, prompt.upcard):
        if card is None:
            continue
        dressed = dress(card, rng)
        while seen.count(dressed) >= most and not card.suit:
            dressed = dress(card, rng)
        seen.append(dressed)
    return seen[:-1], seen[-1]


def _order_dealer(upcard: Card, rules: Rules) -> list[Card | None]:
    """Return the dealer's opening cards in the order of the deal, as the table draws them."""
    if rules.hole_card is HoleCard.NONE:
        return [upcard]
    return [None, upcard] if rules.deal_order is DealOrder.HANDS_HOLE_UP else [upcard, None]


def _show_dealer(state: RoundState) -> list[Card | None]:
    """Return the dealer's cards in the order of the deal, as the table draws them."""
    if len(state.shown_dealer_cards) == len(state.dealer):
        return list(state.dealer)
    up = state.setup.up_index if state.shown_dealer_cards else -1
    return [card if place == up else None for place, card in enumerate(state.dealer)]


def write_total(cards: Sequence[Card], rules: Rules) -> str:
    """Write the total of cards: `hard 16`, `soft 18`, `21`, `24, bust`."""
    table = hand_table(rules.ace_rule)
    state = table.state_of(card.rank for card in cards)
    total = table.total[state]
    if total >= BUST_LIMIT:
        return f"{total}, bust" if total > BUST_LIMIT else str(total)
    return f"{'soft' if table.is_soft[state] else 'hard'} {total}"


def _write_dealer_total(state: RoundState) -> str:
    """Write the dealer's total once the round is over, else what the dealer shows."""
    if state.is_over and len(state.dealer) == len(state.shown_dealer_cards) > 1:
        total = state.dealer_total
        return f"{total}, bust" if total > BUST_LIMIT else str(total)
    return f"shows {_name_card(state.upcard)}"


def _write_status(state: RoundState, index: int) -> str:
    """Write the total of a hand, and that it waits, is finished or how it ended."""
    hand = state.hands[index]
    total = write_total(hand.cards, state.rules)
    if state.is_over:
        outcome = str(state.results[index][0])
        return total if outcome == "bust" else f"{total}, {_OUTCOMES.get(outcome, outcome)}"
    if hand.status is HandStatus.PLAYING:
        return total if index == state.active else f"{total}, waits"
    is_told = hand.status in (HandStatus.BUST, HandStatus.TWENTY_ONE)
    return total if is_told else f"{total}, {hand.status}"


def _name_card(card: Card) -> str:
    """Write a card's face as players do: `an ace`, `a 9`."""
    return _NAMES.get(card.face, f"an {card.face}" if card.face == "8" else f"a {card.face}")
