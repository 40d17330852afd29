"""The drill of whole hands: every decision to the end, splits and all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual.content import Content
from textual.widgets import Static

from upcard.drills.feedback_text import write_end
from upcard.table.hand import HandStatus
from upcard.tui.cards import SMALL, write_cards, write_face
from upcard.tui.train.actions import (
    ActionScreen,
    draw_labelled,
    name_card,
    write_total,
)

if TYPE_CHECKING:
    from upcard.core.cards import Card
    from upcard.drills.drill import Feedback, Prompt
    from upcard.table.hand import Hand
    from upcard.table.state import RoundState

_OVER_WORDS = {
    "win": "won",
    "natural": "won",
    "push": "pushed",
    "lose": "lost",
    "bust": "bust",
    "surrender": "surrendered",
}


class HandsScreen(ActionScreen):
    """Plays a hand on by the answers, right or wrong, and shows how it ends."""

    def explain(self) -> str:
        """Say what the drill is."""
        return (
            "Play hands to their end; every decision is judged, and the hand goes on as you played"
            " it. Insurance is declined for you."
        )

    def draw_question(self, prompt: Prompt) -> None:
        """Draw the round as it stands."""
        hand = self.drill_run.hand
        if hand is None:
            super().draw_question(prompt)
            return
        state = hand.state
        count = len(state.hands)
        which = f"Hand {state.active + 1} of {count}: " if count > 1 else ""
        offer = {"surrender": "surrender?", "split": "split?"}.get(str(state.phase), "your play?")
        line = f"{which}{offer}"
        self.query_one("#drill-ask", Static).update(Content(line[:1].upper() + line[1:]))
        self._draw_round(state)

    def name_question(self, prompt: Prompt) -> str:
        """Name the decision: the total against the upcard."""
        upcard = "" if prompt.upcard is None else f" v {write_face(prompt.upcard)}"
        return write_total(prompt.cards, self.rules) + upcard

    def draw_answered(self, feedback: Feedback) -> str:
        """Show the hand after the answer, and its end if that it was."""
        del feedback
        hand = self.drill_run.hand
        if hand is None:
            return ""
        self._draw_round(hand.state)
        text = write_end(hand) if hand.is_over else "The hand goes on."
        self.query_one("#drill-ask", Static).update(Content(text))
        return ""

    def _may_go_on(self, feedback: Feedback) -> bool:
        # The end of a hand is looked at.
        return super()._may_go_on(feedback) and self.drill_run.is_hand_open

    def _draw_round(self, state: RoundState) -> None:
        size = self.card_size if len(state.hands) == 1 else SMALL
        lines = draw_labelled(
            shown_dealer(state), ("Dealer", _dealer_words(state)), self.look, size
        )
        if len(state.hands) == 1 and not state.is_over:
            lines.append(Text())
        active = max(state.active, 0)
        for index, hand in enumerate(state.hands):
            if len(state.hands) > 1 and (index != active or state.is_over):
                lines.append(self._write_hand(state, index))
            else:
                words = (_name(state, index), _status(state, index, self._total(hand)))
                lines += draw_labelled(hand.cards, words, self.look, size)
        self.query_one("#drill-cards", Static).update(Text("\n").join(lines))

    def _write_hand(self, state: RoundState, index: int) -> Text:
        hand = state.hands[index]
        line = Text(f"{_name(state, index)}  ", "bold")
        line.append_text(write_cards(hand.cards, self.look))
        return line.append(f"  {_status(state, index, self._total(hand))}", "none")

    def _total(self, hand: Hand) -> str:
        return write_total(hand.cards, self.rules)


def shown_dealer(state: RoundState) -> list[Card | None]:
    """Return the dealer's cards in the order of the deal, as the table draws them."""
    if len(state.shown_dealer_cards) == len(state.dealer):
        return list(state.dealer)
    up = state.setup.up_index if state.shown_dealer_cards else -1
    return [card if place == up else None for place, card in enumerate(state.dealer)]


def _dealer_words(state: RoundState) -> str:
    if state.is_over and len(shown_dealer(state)) == len(state.shown_dealer_cards) > 1:
        total = state.dealer_total
        return f"{total}, bust" if total > 21 else str(total)
    return f"shows {name_card(state.upcard)}"


def _name(state: RoundState, index: int) -> str:
    return f"Hand {index + 1}" if len(state.hands) > 1 else "You"


def _status(state: RoundState, index: int, total: str) -> str:
    if state.is_over:
        outcome = str(state.results[index][0])
        word = _OVER_WORDS.get(outcome, outcome)
        return total if outcome == "bust" else f"{total}, {word}"
    status = state.hands[index].status
    if status is HandStatus.PLAYING:
        return total if index == state.active else f"{total}, waits"
    is_told = status in (HandStatus.BUST, HandStatus.TWENTY_ONE)
    return total if is_told else f"{total}, {status}"
