"""Drills of one answer to a hand: basic strategy and deviations."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual.binding import Binding
from textual.content import Content
from textual.widgets import Static

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.drills.drill import Feedback, Prompt
from upcard.drills.feedback_text import write_end
from upcard.drills.hands import explain_refusal
from upcard.drills.prompt_view import (
    ask_in_round,
    ask_line,
    dress_prompt,
    name_card,
    order_dealer,
    show_dealer,
    write_dealer_total,
    write_status,
    write_total,
)
from upcard.rules.model import Rules
from upcard.session.keys import find_answer
from upcard.table.state import RoundState
from upcard.tui.action_bar import Key, answer_keys, meant_by
from upcard.tui.appearance import Appearance
from upcard.tui.cards import SMALL, CardSize, draw_fan, fan_width, write_cards, write_face
from upcard.tui.keys import name_key
from upcard.tui.train.screen import DrillScreen, Step

_LABEL_GAP = 3


class ActionScreen(DrillScreen):
    """Shows a hand and the dealer's upcard; H S D P R I N answer."""

    KEYS = (
        ("H S D", "hit, stand, double"),
        ("P R", "split, surrender"),
        ("I N", "insurance; no: decline what is offered"),
    )

    def draw_question(self, prompt: Prompt) -> None:
        """Draw the upcard over the hand, and write what is asked."""
        self.query_one("#drill-ask", Static).update(Content(ask_line(prompt)))
        if prompt.upcard is None:
            return
        look, size = self.look, self.card_size
        cards, upcard = dress_prompt(prompt, self.rules)
        dealer = order_dealer(upcard, self.rules)
        lines = [
            *draw_labelled(dealer, ("Dealer", f"shows {name_card(upcard)}"), look, size),
            Text(),
            *draw_labelled(cards, ("You", write_total(cards, self.rules)), look, size),
        ]
        self.query_one("#drill-cards", Static).update(Text("\n").join(lines))

    def name_question(self, prompt: Prompt) -> str:
        """Name the cards as they are drawn, and the count if there is one."""
        cards, upcard = dress_prompt(prompt, self.rules)
        _, at, count = prompt.text.partition(" at ")
        return f"{' '.join(map(write_face, cards))} v {write_face(upcard)}{at}{count}"

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self.setup.options.rules

    def keys(self, prompt: Prompt) -> Sequence[Key]:
        """Return the legal answers."""
        return answer_keys(map(Action, prompt.choices))

    def read_key(self, key: str, character: str | None) -> None:
        """Say why a key is no answer."""
        prompt = self.drill_run.prompt
        if prompt is None:
            return
        letter = character or ""
        if not letter.strip() or not letter.isprintable():
            self.say_of_key(self.write_unknown(key, character))
        else:
            caps = self.app.caps
            keys = [f"{caps.get(one.key, one.cap)} {one.words}" for one in self.keys(prompt)]
            self.say_of_key(f"{letter.upper()} is no answer here: {', '.join(keys)}.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action is possible: None for an answer that is not legal here."""
        if action != "answer" or self.step is not Step.ASKING:
            return super().check_action(action, parameters)
        return True if self._find(parameters[0]) is not None else None

    def why_disabled(self, binding: Binding) -> str:
        """Return why an answer is not legal here."""
        prompt, meant = self.drill_run.prompt, meant_by(binding)
        if prompt is None or meant is None:
            return ""
        return f"{name_key(binding.key)}: {self._why_not(meant, prompt)}."

    def action_answer(self, key: str) -> None:
        """Give the answer of a key."""
        action = self._find(key)
        if action is not None:
            self.answer(str(action))

    def _find(self, key: object) -> Action | None:
        prompt = self.drill_run.prompt
        choices = () if prompt is None else prompt.choices
        return find_answer(str(key), map(Action, choices))

    def _why_not(self, action: Action, prompt: Prompt) -> str:
        if action.declines:
            return "it declines an offer, and nothing is offered here"
        return explain_refusal(action, prompt, rules=self.rules, hand=self.drill_run.hand)


def draw_labelled(
    cards: Sequence[Card | None], labels: tuple[str, str], look: Appearance, size: CardSize
) -> list[Text]:
    """Draw a fan with two lines of words on its right."""
    lines = draw_fan(cards, look, size)
    gap = " " * (max(fan_width(2, size) - fan_width(len(cards), size), 0) + _LABEL_GAP)
    middle = size.height // 2
    lines[middle - 1].append_text(Text(gap + labels[0], "bold"))
    lines[middle].append_text(Text(gap + labels[1]))
    return lines


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
