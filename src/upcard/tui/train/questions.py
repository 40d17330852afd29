"""The screens of the drills: an answer to a hand, a number, and cards shown group by group."""

import random
from collections.abc import Sequence
from typing import Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from upcard.answers.drill_question import answer_drill, explain_refusal
from upcard.core.actions import Action
from upcard.drills.drill import InputKind
from upcard.drills.hand_prompts import DrawnHand
from upcard.drills.trainer import DrillStep
from upcard.rules.deck import FullShoe
from upcard.session.table_view import find_answer
from upcard.tui.appearance import MUTED, Appearance
from upcard.tui.drawing import SMALL, CardSize, draw_fan, fan_width, write_cards
from upcard.tui.keys import Key, answer_keys, meant_by, name_key
from upcard.tui.train.screen import DrillScreen

_LABEL_GAP = 3


class ActionScreen(DrillScreen):
    """Shows the hands and the dealer's cards; H S D P R I N answer."""

    def draw_question(self) -> None:
        """Draw the dealer's cards over the hands, and write what is asked, or what followed."""
        shown, verdict = answer_drill(self.trainer), self.verdict
        for part in ("entry", "pad"):
            self.query_one(f"#drill-{part}").display = False
        self.query_one("#drill-cards").display = True
        if shown.dealer is None:
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
                lines.append(write_labelled(hand, look))
        self.query_one("#drill-cards", Static).update(Text("\n").join(lines))

    def keys(self) -> Sequence[Key]:
        """Return the legal answers."""
        return answer_keys(map(Action, self.trainer.prompt.choices))

    def read_key(self, key: str, character: str | None) -> None:
        """Say why a key is not an answer."""
        letter = character or ""
        if not letter.strip() or not letter.isprintable():
            self.say_of_key(self.write_unknown(key, character))
        else:
            caps = self.app.caps
            keys = [f"{caps.get(one.key, one.cap)} {one.words}" for one in self.keys()]
            self.say_of_key(f"{letter.upper()} is not an answer here: {', '.join(keys)}.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action is possible: None for an answer that is not legal here."""
        takes_plays = InputKind.PLAY in self.entry.inputs
        if action != "answer" or not takes_plays or self.step is not DrillStep.ASKING:
            return super().check_action(action, parameters)
        return True if self._find(parameters[0]) is not None else None

    def why_disabled(self, binding: Binding) -> str:
        """Return why an answer is not legal here."""
        meant, trainer = meant_by(binding), self.trainer
        if meant is None:
            return ""
        why = "it declines an offer, and nothing is offered here"
        if not meant.declines:
            rules, hand = self.setup.options.rules, trainer.run.hand
            why = explain_refusal(meant, trainer.prompt, rules=rules, hand=hand)
        return f"{name_key(binding.key)}: {why}."

    def action_answer(self, key: str) -> None:
        """Give the answer of a key."""
        action = self._find(key)
        if action is not None:
            self.answer(str(action))

    def _find(self, key: object) -> Action | None:
        if self.trainer.prompt.input is not InputKind.PLAY:
            return None
        return find_answer(str(key), map(Action, self.trainer.prompt.choices))


def draw_labelled(fan: DrawnHand, look: Appearance, size: CardSize) -> list[Text]:
    """Draw a fan with its name and words on its right."""
    lines = draw_fan(fan.cards, look, size)
    gap = " " * (max(fan_width(2, size) - fan_width(len(fan.cards), size), 0) + _LABEL_GAP)
    middle = size.height // 2
    lines[middle - 1].append_text(Text(gap + fan.name, "bold"))
    lines[middle].append_text(Text(gap + fan.text))
    return lines


def write_labelled(hand: DrawnHand, look: Appearance) -> Text:
    """Write cards with their name and words in a line."""
    line = Text(f"{hand.name}  ", "bold").append_text(write_cards(hand.cards, look))
    return line.append(f"  {hand.text}", "none")


WIDTH: Final = 14
_EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
_ASCII_STEPS: Final = " _-="
_GAP: Final = 6
_LEAST_ROWS: Final = 8


def draw_tray(discards: int, shoe: FullShoe, look: Appearance, *, rows: int) -> list[Text]:
    """Draw a tray that holds a whole shoe in `rows` lines, and a single deck on its right.

    Both are one smooth block: nothing in them can be counted, only compared.
    """
    per_row = shoe.size / rows
    side, floor = ("|", "-") if look.ascii_only else ("│", "─")
    left, right = ("+", "+") if look.ascii_only else ("╰", "╯")
    lines = []
    for row in reversed(range(rows)):
        pile, scale = (_fill(cards / per_row - row, look) for cards in (discards, shoe.deck_size))
        line = Text(side).append_text(pile).append(side)
        lines.append(line.append(" " * _GAP).append_text(scale))
    foot = left + floor * WIDTH + right + " " * _GAP + "one deck".center(WIDTH).rstrip()
    return [*lines, Text(foot)]


def choose_rows(discards: int, most: int) -> int:
    """Return how many lines a tray takes, `most` at most: another scale for every pile.

    So that lines do not become a measure: the deck beside the tray is the only one.
    """
    return random.Random(discards).randint(min(max(_LEAST_ROWS, most * 2 // 3), most), most)


def _fill(share: float, look: Appearance) -> Text:
    """Draw one line of a pile: full, empty, or as high as its share."""
    steps = _ASCII_STEPS if look.ascii_only else _EIGHTHS
    glyph = steps[min(max(round(share * (len(steps) - 1)), 0), len(steps) - 1)]
    if look.ascii_only:
        return Text(("#" if share >= 1 else glyph) * WIDTH)
    return Text(glyph * WIDTH, look.paints.edge.partition(" on ")[2])


_PAD: Final = "".join(f"[@click=screen.press('{key}')] {key} [/]" for key in "1234567890-.")
NUMBER_KEYS: Final = tuple("0123456789-+./")
_LONGEST: Final = 8
_TENTHS: Final = (2, 50)
"""The shortest and the longest time for a group, in tenths of a second."""
_NAMES: Final = {"minus": "-", "plus": "+", "full_stop": ".", "slash": "/", "comma": "."}


class NumberScreen(DrillScreen):
    """Shows cards group by group, then asks for a number, or for one of some words.

    A number takes digits, a point, a sign, Backspace and Enter; a word the digit of its place.
    """

    def picture(self) -> ComposeResult:
        """Yield the picture, the line with the number typed so far, and its digits to click."""
        yield Static(id="drill-cards")
        yield Static(id="drill-entry")
        yield Static(Content.from_markup(_PAD), id="drill-pad")

    def on_mount(self) -> None:
        """Begin with nothing typed, and the key turning the cards."""
        self.typed = ""
        self.tenths = 10
        self.has_timer = False
        self._timer: Timer | None = None
        super().on_mount()
        for part in ("entry", "pad"):
            self.query_one(f"#drill-{part}").display = False

    def draw_question(self) -> None:
        """Write the question, and draw what belongs to it."""
        self.typed = ""
        text = answer_drill(self.trainer).text
        self.query_one("#drill-ask", Static).update(Content(text[:1].upper() + text[1:]))
        picture = self.draw_picture()
        cards = self.query_one("#drill-cards", Static)
        cards.update(picture)
        cards.display = bool(picture.plain)
        self.show_entry()

    def draw_picture(self) -> Text:
        """Return the picture: a group of cards, a tray as high as there is room, or hands."""
        shown, discards = answer_drill(self.trainer), self.trainer.prompt.discards
        if shown.showing is not None:
            return Text("\n").join(draw_fan(shown.showing.cards, self.app.look, self.card_size))
        if discards is not None:
            rows = choose_rows(discards, max(8, min(self.size.height - 13, 24)))
            shoe = self.setup.options.rules.full_shoe
            return Text("\n").join(draw_tray(discards, shoe, self.app.look, rows=rows))
        hands = () if shown.dealer is None else (shown.dealer, *shown.hands)
        return Text("\n").join(write_labelled(hand, self.app.look) for hand in hands)

    def keys(self) -> Sequence[Key]:
        """Return the keys of the cards while they are shown, then those of the answer."""
        if self.trainer.place is not None:
            turn = "begin" if self.trainer.place == -1 else "next"
            timer = "by key" if self.has_timer else "by timer"
            speed = (Key("drill.faster", "+", "faster"), Key("drill.slower", "-", "slower"))
            return (Key("drill.next", "Space", turn), Key("drill.timer", "T", timer), *speed)
        if self.trainer.prompt.choices:
            return [
                Key(str(at), str(at), one) for at, one in enumerate(self.trainer.prompt.choices, 1)
            ]
        return (Key("enter", "Enter", "answers"), Key("backspace", "Backspace", "takes back"))

    def read_key(self, key: str, character: str | None) -> None:
        """Take a digit, or Enter."""
        is_written = character is not None and character.isprintable()
        if self.trainer.place is not None:
            what = "does nothing while cards are shown: Space turns them."
            self.say_of_key(f"{character!r} {what}" if is_written else self.write_unknown(key))
        elif self.trainer.prompt.choices:
            choices = {str(at): one for at, one in enumerate(self.trainer.prompt.choices, start=1)}
            if (character or "") in choices:
                self.answer(choices[character or ""])
                return
            what = f"is not an answer here: write 1 to {len(choices)}."
            self.say_of_key(f"{character!r} {what}" if is_written else self.write_unknown(key))
        else:
            self._type(key, character)

    def _type(self, key: str, character: str | None) -> None:
        typed = _NAMES.get(key, character or "").replace(",", ".")
        if key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "enter":
            if not self.typed:
                self.say_of_key("Type the number first: digits, - and a point; Enter answers.")
                return
            self.answer(self.typed)
        elif typed in NUMBER_KEYS:
            if len(self.typed) >= _LONGEST:
                self.say_of_key("That is long enough for any answer: Backspace takes a digit back.")
                return
            self.typed += typed
        elif typed.isprintable() and typed:
            why = "is no part of a number: digits, - and a point; Enter answers."
            self.say_of_key(f"{typed!r} {why}")
        else:
            self.say_of_key(self.write_unknown(key))
        self.show_entry()

    def show_entry(self) -> None:
        """Show what has been typed, or how far the cards are."""
        prompt, shown = self.trainer.prompt, answer_drill(self.trainer).showing
        entry = self.query_one("#drill-entry", Static)
        entry.display = shown is not None or not prompt.choices
        self.query_one("#drill-pad").display = shown is None and not prompt.choices
        if shown is None:
            cursor = "_" if self.app.look.ascii_only else "▏"
            entry.update(Content.assemble("Your answer  ", (self.typed + cursor, "bold $accent")))
            return
        begins = f"{shown.text}. Space begins."
        what = f"{shown.place} of {shown.of}" if shown.place else begins
        pace = f"{self.tenths / 10:.1f} s a group" if self.has_timer else "Space turns"
        record = f", best {shown.best_text}" if shown.best_text else ""
        entry.update(Content.assemble((what, "bold"), (f"\n{pace}{record}", MUTED)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action is possible: the cards' own while they are shown."""
        if action in ("turn", "toggle_timer", "change_pace"):
            return self.step is DrillStep.SHOWING
        return super().check_action(action, parameters)

    def action_toggle_timer(self) -> None:
        """Turn the cards by a timer, or by the key."""
        self.has_timer = not self.has_timer
        self._show_pace()

    def action_change_pace(self, tenths: int) -> None:
        """Turn the cards by a timer, with more or less time for a group."""
        self.has_timer = True
        self.tenths = min(max(self.tenths + tenths, _TENTHS[0]), _TENTHS[1])
        self._show_pace()

    def _show_pace(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if self.has_timer and (self.trainer.place or 0) >= 0 and self.step is DrillStep.SHOWING:
            self._timer = self.set_timer(self.tenths / 10, self.action_turn)
        self.show_entry()
        self.show_keys()

    def action_turn(self) -> None:
        """Show the next group, or ask after the last."""
        self.trainer.turn()
        self.trainer.start_clock()
        self.query_one("#drill-cards", Static).update(self.draw_picture())
        self._show_pace()
        if self.trainer.place is None and self.trainer.prompt.choices:
            self.draw_question()


class QuestionScreen(ActionScreen, NumberScreen):
    """Asks the questions of any drill: each says what a person does to answer it."""

    @property
    def _how(self) -> type[ActionScreen | NumberScreen]:
        """The way to ask the present question."""
        is_play = self.trainer.place is None and self.trainer.prompt.input is InputKind.PLAY
        return ActionScreen if is_play else NumberScreen

    def draw_question(self) -> None:
        """Draw the cards, with what is asked."""
        self._how.draw_question(self)

    def draw_answered(self) -> None:
        """Show the hand after a play."""
        if self._how is ActionScreen:
            self.draw_question()

    def keys(self) -> Sequence[Key]:
        """Return the keys of the question."""
        return self._how.keys(self)

    def read_key(self, key: str, character: str | None) -> None:
        """Take a digit, or say why a key is not an answer."""
        self._how.read_key(self, key, character)
