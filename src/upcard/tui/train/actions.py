"""Drills of one answer to a hand: basic strategy, whole hands and deviations."""

from __future__ import annotations

from rich.text import Text
from textual.binding import Binding
from textual.content import Content
from textual.widgets import Static

from upcard.core.actions import Action
from upcard.drills.desk import DrillStep, FanView, dress_prompt, view_play
from upcard.drills.drill import Prompt
from upcard.drills.strategy_drills import explain_refusal
from upcard.session.table_view import find_answer
from upcard.tui.action_bar import Key, answer_keys, meant_by
from upcard.tui.appearance import Appearance
from upcard.tui.cards import SMALL, CardSize, draw_fan, fan_width, write_cards, write_face
from upcard.tui.keys import name_key
from upcard.tui.train.screen import DrillScreen

_LABEL_GAP = 3


class ActionScreen(DrillScreen):
    """Shows the hands and the dealer's cards; H S D P R I N answer."""

    KEYS = (
        ("H S D", "hit, stand, double"),
        ("P R", "split, surrender"),
        ("I N", "insurance; no: decline what is offered"),
    )

    def draw_question(self) -> None:
        """Draw the dealer's cards over the hands, and write what is asked, or what followed."""
        shown, verdict = view_play(self.desk), self.desk.verdict
        if shown is None:
            return
        after = verdict.after if verdict is not None and self.step is DrillStep.JUDGED else ""
        self.query_one("#drill-ask", Static).update(Content(after or shown.ask))
        is_single = len(shown.hands) == 1
        look = self.app.look
        size = self.card_size if is_single else SMALL
        lines = draw_labelled(shown.dealer, look, size)
        if is_single and not shown.is_over:
            lines.append(Text())
        for hand in shown.hands:
            if is_single or hand.is_active:
                lines += draw_labelled(hand, look, size)
            else:
                line = Text(f"{hand.name}  ", "bold").append_text(write_cards(hand.cards, look))
                lines.append(line.append(f"  {hand.words}", "none"))
        self.query_one("#drill-cards", Static).update(Text("\n").join(lines))

    def draw_answered(self) -> None:
        """Show the hand after the answer, and its end if that it was."""
        self.draw_question()

    def name_question(self, prompt: Prompt) -> str:
        """Name the cards as they are drawn, and the count if there is one."""
        cards, upcard = dress_prompt(prompt, self.setup.options.rules)
        _, at, count = prompt.text.partition(" at ")
        return f"{' '.join(map(write_face, cards))} v {write_face(upcard)}{at}{count}"

    def keys(self) -> list[Key]:
        """Return the legal answers."""
        return answer_keys(map(Action, self.desk.prompt.choices))

    def read_key(self, key: str, character: str | None) -> None:
        """Say why a key is no answer."""
        letter = character or ""
        if not letter.strip() or not letter.isprintable():
            self.say_of_key(self.write_unknown(key, character))
        else:
            caps = self.app.caps
            keys = [f"{caps.get(one.key, one.cap)} {one.words}" for one in self.keys()]
            self.say_of_key(f"{letter.upper()} is no answer here: {', '.join(keys)}.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action is possible: None for an answer that is not legal here."""
        if action != "answer" or self.step is not DrillStep.ASKING:
            return super().check_action(action, parameters)
        return True if self._find(parameters[0]) is not None else None

    def why_disabled(self, binding: Binding) -> str:
        """Return why an answer is not legal here."""
        meant, desk = meant_by(binding), self.desk
        if meant is None:
            return ""
        why = "it declines an offer, and nothing is offered here"
        if not meant.declines:
            rules, hand = self.setup.options.rules, desk.run.hand
            why = explain_refusal(meant, desk.prompt, rules=rules, hand=hand)
        return f"{name_key(binding.key)}: {why}."

    def action_answer(self, key: str) -> None:
        """Give the answer of a key."""
        action = self._find(key)
        if action is not None:
            self.answer(str(action))

    def _find(self, key: object) -> Action | None:
        return find_answer(str(key), map(Action, self.desk.prompt.choices))


def draw_labelled(fan: FanView, look: Appearance, size: CardSize) -> list[Text]:
    """Draw a fan with its name and words on its right."""
    lines = draw_fan(fan.cards, look, size)
    gap = " " * (max(fan_width(2, size) - fan_width(len(fan.cards), size), 0) + _LABEL_GAP)
    middle = size.height // 2
    lines[middle - 1].append_text(Text(gap + fan.name, "bold"))
    lines[middle].append_text(Text(gap + fan.words))
    return lines
