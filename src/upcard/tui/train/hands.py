"""The drill of whole hands: every decision to the end, splits and all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual.content import Content
from textual.widgets import Static

from upcard.drills.feedback_text import write_end
from upcard.drills.prompt_view import (
    ask_in_round,
    show_dealer,
    write_dealer_total,
    write_status,
    write_total,
)
from upcard.tui.cards import SMALL, write_cards, write_face
from upcard.tui.train.actions import ActionScreen, draw_labelled

if TYPE_CHECKING:
    from upcard.drills.drill import Feedback, Prompt
    from upcard.table.state import RoundState


class HandsScreen(ActionScreen):
    """Plays a hand on by the answers, right or wrong, and shows how it ends."""

    def draw_question(self, prompt: Prompt) -> None:
        """Draw the round as it stands."""
        hand = self.drill_run.hand
        if hand is None:
            super().draw_question(prompt)
            return
        self._draw_round(hand.state, ask_in_round(hand.state))

    def name_question(self, prompt: Prompt) -> str:
        """Name the decision: the total against the upcard."""
        upcard = "" if prompt.upcard is None else f" v {write_face(prompt.upcard)}"
        return write_total(prompt.cards, self.rules) + upcard

    def draw_answered(self, feedback: Feedback) -> str:
        """Show the hand after the answer, and its end if that it was."""
        hand = self.drill_run.hand
        if hand is not None:
            self._draw_round(hand.state, write_end(hand) if hand.is_over else "The hand goes on.")
        return super().draw_answered(feedback)

    def _may_go_on(self, feedback: Feedback) -> bool:
        # The end of a hand is looked at.
        return super()._may_go_on(feedback) and self.drill_run.is_hand_open

    def _draw_round(self, state: RoundState, ask: str) -> None:
        self.query_one("#drill-ask", Static).update(Content(ask))
        is_single = len(state.hands) == 1
        size = self.card_size if is_single else SMALL
        dealer = ("Dealer", write_dealer_total(state))
        lines = draw_labelled(show_dealer(state), dealer, self.look, size)
        if is_single and not state.is_over:
            lines.append(Text())
        for index, hand in enumerate(state.hands):
            name = "You" if is_single else f"Hand {index + 1}"
            words = write_status(state, index)
            if is_single or (index == max(state.active, 0) and not state.is_over):
                lines += draw_labelled(hand.cards, (name, words), self.look, size)
            else:
                line = Text(f"{name}  ", "bold").append_text(write_cards(hand.cards, self.look))
                lines.append(line.append(f"  {words}", "none"))
        self.query_one("#drill-cards", Static).update(Text("\n").join(lines))
