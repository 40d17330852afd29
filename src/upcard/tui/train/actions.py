"""Drills of one answer to a hand: basic strategy and deviations."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from rich.text import Text
from textual.content import Content
from textual.widgets import Static

from upcard.core.actions import Action
from upcard.core.hands import hand_table
from upcard.drills.catalogue import DEVIATIONS
from upcard.rules.settings import DealOrder, HoleCard
from upcard.session.keys import find_answer
from upcard.tui.action_bar import answer_keys, meant_by
from upcard.tui.cards import draw_fan, fan_width, write_face
from upcard.tui.keys import name_key
from upcard.tui.train.screen import DrillScreen, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import Binding

    from upcard.core.cards import Card
    from upcard.drills.drill import Prompt
    from upcard.rules.model import Rules
    from upcard.tui.action_bar import Key
    from upcard.tui.appearance import Appearance
    from upcard.tui.cards import CardSize

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

    def explain(self) -> str:
        """Say what the drill is."""
        if self.drill_name == DEVIATIONS:
            return (
                "Play the hand at the count. What is right is what the index plays say; what a"
                " mistake costs is worked out for the shoe to be expected at that count."
            )
        return "Play the hand that you see. What is best is worked out exactly, for these rules."

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
            self.say(self.write_unknown(key, character))
        else:
            caps = self.app.caps
            keys = [f"{caps.get(one.key, one.cap)} {one.words}" for one in self.keys(prompt)]
            self.say(f"{letter.upper()} is no answer here: {', '.join(keys)}.")

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
        from upcard.drills.refusals import explain_refusal

        if action.declines:
            return "it declines an offer, and nothing is offered here"
        return explain_refusal(action, prompt, rules=self.rules, hand=self.drill_run.hand)


def ask_line(prompt: Prompt) -> str:
    """Write what is asked: the count if there is one, and an offer alone."""
    _, colon, offer = prompt.text.partition(": ")
    at = prompt.text.partition(" at ")[2]
    if "insurance" in prompt.choices:
        return f"Insurance at {at}?" if at else "Insurance?"
    what = f"{offer[:1].upper()}{offer[1:]}: your answer?" if colon else "Your play?"
    return f"At {at}: {what[:1].lower()}{what[1:]}" if at else what


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


def dress_prompt(prompt: Prompt, rules: Rules) -> tuple[list[Card], Card]:
    """Return the hand and the upcard with suits: the same ones whenever it is drawn.

    Suits mean nothing to the question; no card comes oftener than it is in the shoe.
    """
    from upcard.drills.hands import dress

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


def order_dealer(upcard: Card, rules: Rules) -> list[Card | None]:
    """Return the dealer's opening cards in the order of the deal, as the table draws them."""
    if rules.hole_card is HoleCard.NONE:
        return [upcard]
    return [None, upcard] if rules.deal_order is DealOrder.HANDS_HOLE_UP else [upcard, None]


def write_total(cards: Sequence[Card], rules: Rules) -> str:
    """Write what cards count: `hard 16`, `soft 18`, `pair of 8s`."""
    table = hand_table(rules.ace_rule)
    state = table.state_of(card.rank for card in cards)
    total = table.total[state]
    if total > 21:
        return f"{total}, bust"
    kind = "soft" if table.is_soft[state] and total < 21 else "hard"
    return f"{kind} {total}" if total < 21 else "21"


def name_card(card: Card) -> str:
    """Write a card's face as players do."""
    return {"A": "an ace", "T": "a ten", "J": "a jack", "Q": "a queen", "K": "a king"}.get(
        card.face, f"an {card.face}" if card.face == "8" else f"a {card.face}"
    )
