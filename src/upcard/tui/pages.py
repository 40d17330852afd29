"""Pages over the screen: texts to scroll in, fields, the primer, the report, the shuffle."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from upcard.coach.primer import SECTIONS, TITLE, PrimerHand
from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.figure import MARKS, AnswerTable, ColumnKind
from upcard.core.numbers import count_of, signed
from upcard.rules.model import Rules
from upcard.session.report import (
    SessionReport,
    make_report,
    write_accuracy,
    write_score,
    write_worst,
)
from upcard.session.table_view import describe_shoe, tell_seed
from upcard.tui.appearance import Appearance
from upcard.tui.drawing import SMALL, Styles, draw_fan, fan_width
from upcard.tui.keys import Keyed

if TYPE_CHECKING:
    from upcard.answers.questions import NamedQuestion, Sheet
    from upcard.session.coaching import Task
    from upcard.session.seat import Seat
    from upcard.tui.app import UpcardApp

_GAP: Final = 4
_ROOM: Final = 72
"""Characters of a line in a frame on the smallest screen."""
_OFTEN: Final = 0.2
_TALL: Final = 40
"""Lines from which on three revealed shoes have room, else one."""


def write_primer(look: Appearance, styles: Styles) -> list[Text]:
    """Write the page: a heading, paragraphs and drawn hands per section."""
    lines: list[Text] = []
    for section in SECTIONS:
        lines.append(Text(section.heading, styles.active))
        lines += [Text(paragraph, styles.ink) for paragraph in section.paragraphs]
        if section.hands:
            lines += draw_hands(section.hands, look, styles)
        lines.append(Text())
    return lines[:-1]


def draw_hands(hands: Sequence[PrimerHand], look: Appearance, styles: Styles) -> list[Text]:
    """Draw hands side by side as the table does, each with its name and its total."""
    rows = [Text() for _ in range(SMALL.height + 2)]
    for hand in hands:
        width = max(fan_width(len(hand.cards)), len(hand.name), len(hand.remark)) + _GAP
        name, remark = Text(hand.name, styles.muted), Text(hand.remark, styles.ink)
        drawn = [name, *draw_fan(hand.cards, look), remark]
        for row, line in zip(rows, drawn, strict=True):
            line.pad_right(width - line.cell_len)
            row.append_text(line)
    for row in rows:
        row.rstrip()
    return rows


Result = TypeVar("Result")
COMPILING: Final = "The first time on a machine this takes up to half a minute."
"""Shown with work that may have to compile first, once it takes longer than it usually does."""
PATIENCE_SECONDS: Final = 1.0
"""How long work takes at most where nothing has to be compiled."""
_SCROLLING: Final = ("up", "down", "pageup", "pagedown", "home", "end")


class Page(Keyed, ModalScreen[Result]):
    """A frame with a title, closed by Esc; `FOOT` is what its lower edge says."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "close")]
    FOOT = "Esc closes"
    WHERE_KEYS_ARE = "Esc closes."
    app: UpcardApp

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def frame(self, *widgets: Widget) -> VerticalScroll:
        """Return the frame around widgets."""
        scroll = VerticalScroll(*widgets, classes="page")
        scroll.set_class(self.app.look.ascii_only, "ascii")
        scroll.border_title = self._title
        scroll.border_subtitle = self.FOOT
        return scroll

    def say_of_key(self, words: str) -> None:
        """Report the effect of the last key, in the frame."""
        self.query_one(".page", VerticalScroll).border_subtitle = words


class TextPage(Page[None]):
    """A text in a frame; arrows scroll, Esc or the key that opened it closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,enter,space", "leave", "close")]

    def __init__(
        self, title: str, lines: Sequence[Text | str | Content], *, closes: str = ""
    ) -> None:
        """Show lines under a title; `closes` is the key that opened the page."""
        super().__init__(title)
        self._lines = list(lines)
        self._closes = closes

    def compose(self) -> ComposeResult:
        """Put the frame up."""
        yield self.frame(Static(self._text(), id="page-text"))

    def on_mount(self) -> None:
        """Show the lines of an answer that came while the page was put up."""
        self.replace(self._lines)

    def on_key(self, event: Key) -> None:
        """Close at the key that opened it."""
        if self._closes and event.key.lower() == self._closes:
            self.close(event)

    def close(self, event: Key) -> None:
        """Close at a key."""
        event.stop()
        event.prevent_default()
        self.dismiss()

    def add(self, lines: Sequence[Text | str]) -> None:
        """Add lines at the end, which came later."""
        self.replace([*self._lines, *lines])

    def replace(self, lines: Sequence[Text | str | Content]) -> None:
        """Show other lines."""
        self._lines = list(lines)
        for shown in self.query("#page-text").results(Static):  # none while the page closes
            shown.update(self._text())

    def _text(self) -> Text | Content:
        if any(isinstance(line, Content) for line in self._lines):
            return Content("\n").join(
                Content(line) if isinstance(line, str) else line
                for line in self._lines
                if not isinstance(line, Text)
            )
        lines = (line if isinstance(line, Text) else Text(str(line)) for line in self._lines)
        return Text("\n").join(lines)


class AnyKeyPage(TextPage):
    """A page that every key closes but those that scroll, and so does a click."""

    FOOT = "any key closes"

    def on_key(self, event: Key) -> None:
        """Close."""
        if event.key not in _SCROLLING:
            self.close(event)

    def on_click(self) -> None:
        """Close."""
        self.dismiss()


class PrimerPage(TextPage):
    """Blackjack in five minutes; Enter leads on to the first hands."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "begin", "first hands")]
    FOOT = "Enter: play your first hands, step by step   Esc closes"

    def __init__(self, look: Appearance, styles: Styles) -> None:
        super().__init__(TITLE, write_primer(look, styles))

    def action_begin(self) -> None:
        """Close, and sit down."""
        self.dismiss()
        self.app.call_later(self.app.open_first_hands)


class WaitingPage(TextPage):
    """A page to wait at; it says so if the work takes longer than usual."""

    def on_mount(self) -> None:
        """Begin to wait."""
        self.set_timer(PATIENCE_SECONDS, lambda: self.add([COMPILING]))


class TextPrompt(Page[None]):
    """Asks for a text until it is accepted; Escape closes it and changes nothing."""

    FOOT = "Enter takes it   Esc: as it was"
    AUTO_FOCUS = "Input"

    def __init__(self, title: str, text: str, take: Callable[[str], None]) -> None:
        """Ask for `title`, with `text` to begin with.

        `take` takes what was typed, and raises a `BlackjackError` to refuse it.
        """
        super().__init__(title)
        self._text = text
        self._take = take

    def compose(self) -> ComposeResult:
        """Put the line up."""
        yield self.frame(Input(self._text), Static(id="refused"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close if it is accepted; what is refused stays, to be corrected."""
        try:
            self._take(event.value)
        except BlackjackError as error:
            self.query_one("#refused", Static).update(Text(as_sentence(str(error))))
        else:
            self.dismiss()


HELP: Final = (
    "H hit   S stand   D double   P split   R surrender",
    "I insurance or even money   N no   Y yes, to an offer",
    "The keys at the bottom are the legal ones; any other key says why not.",
    "",
    "Enter, Space    deal with the same bet; during the deal, show all cards",
    "+ -             raise or lower the bet;  digits type one, Esc forgets it",
    "Digits, + -     answer the count question (--ask-count); Esc skips it",
    "B               bring 100 chips when the smallest bet is not covered",
    "U               undo the last answer (in practice, alone at the table)",
    "",
    "C               the coach: silent, after the hand, before you act",
    "W               why: values, chances, the dealer's totals, what changes it",
    "V               view all messages in full, the newest first",
    "K               the coach goes by a fresh shoe, or by the cards seen",
    "F               the fair shuffle: commitment, your seed, what was revealed",
    "",
    "T theme   L letters for suits   A cards one by one, or at once",
    "Q, Esc          leave: a saved hand continues at the next start",
    "Ctrl-C          end the program; nothing settled is lost, nor is the hand",
    "Ctrl-P          the command palette; Ctrl-Z suspends until fg in the shell",
)

_NEW_HERE: Final = (f"New to the game? B opens {TITLE[0].lower()}{TITLE[1:]}.", "")


class HelpPage(TextPage):
    """The keys of a screen, closed by the key that opened it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("b", "open_primer", TITLE)]

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__(title, [*_NEW_HERE, *lines], closes="question_mark")

    def on_mount(self) -> None:
        """Add the keys of the keymap at the top."""
        if self.app.caps:
            yours = ", ".join(f"{cap} {one}" for one, cap in self.app.caps.items())
            self.replace([f"Your keymap: {yours}.", "", *self._lines])

    def action_open_primer(self) -> None:
        """Explain the game."""
        self.app.push_screen(TextPage(TITLE, write_primer(self.app.look, self.app.inks)))


class ChoicePage(Page[str]):
    """Asks for one of some texts; it is left with the text, or with an empty one."""

    FOOT = "Enter chooses   Esc closes"
    AUTO_FOCUS = "OptionList"

    def __init__(self, title: str, choices: Sequence[str], *, none: str = "not known") -> None:
        """Ask for one of the choices; the first one is an empty text, named `none` if that is."""
        super().__init__(title)
        self._choices = ("", *choices) if none else tuple(choices)
        self._shown = (none, *choices) if none else tuple(choices)

    def compose(self) -> ComposeResult:
        """Put the list up."""
        yield self.frame(OptionList(*self._shown, id="choices"))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the choice."""
        self.dismiss(self._choices[event.option_index])


def _color_marks(line: Text, table: AnswerTable, styles: Styles) -> Text:
    if any(column.kind is ColumnKind.MARK for column in table.shown):
        inks = {"known": styles.good, "learning": styles.warn, "weak": styles.bad}
        for state, style in inks.items():
            line.highlight_regex(rf"(?<= ){re.escape(MARKS[state])}(?= |$)", style)
    return line


class QuestionPage(TextPage):
    """The answer to a question about a game, once it is computed.

    Where a game was looked for, Enter takes it to the start screen. C changes a field and asks
    again.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", "take it"),
        Binding("c", "change", "change it"),
    ]

    def __init__(self, question: NamedQuestion, change: Callable[[], None] | None = None) -> None:
        """Show the answer; `change` asks for another one, None where nothing can be changed."""
        super().__init__(question.title, ["Working it out."])
        self._change = change
        self._finds = not question.takes_rules
        self._found = ""
        self.work: Task[Sheet] | None = None
        """The computation of the answer."""

    def on_unmount(self) -> None:
        """End the computation of an answer that is not shown any more."""
        if self.work is not None:
            self.work.abandon()

    def action_take(self) -> None:
        """Close, and take the game that was found."""
        self.dismiss()
        if self._found:
            self.app.call_later(self.app.take_rules, Rules.parse(self._found))

    def action_change(self) -> None:
        """Close, and ask for a field to change."""
        if self._change is not None:
            self.dismiss()
            self.app.call_later(self._change)

    def show_answer(self, sheet: Sheet, styles: Styles) -> None:
        """Show the answer."""
        lines: list[Text] = [Text(sheet.rules, styles.muted), Text()] if sheet.rules else []
        if sheet.findings:
            lines += [*(Text(sentence, styles.ink) for sentence in sheet.findings), Text()]
        for name, text in sheet.facts:
            lines.append(Text(f"{name}: ", styles.ink).append(text, styles.muted))
        lines += [Text()] * bool(sheet.facts)
        for table in sheet.tables:
            if not table.rows:
                continue
            rows = (Text(line, styles.ink) for line in table.lines(_ROOM))
            marked = (_color_marks(row, table, styles) for row in rows)
            lines += [Text(table.title, styles.active), *marked, Text()]
        if sheet.file_name and sheet.text is not None:
            lines += [Text(line, styles.ink) for line in sheet.text().splitlines()]
        for figure in sheet.figures:
            lines.append(Text(f"{figure.title}: {figure.text} {figure.unit}".rstrip(), styles.ink))
        for name, text in sheet.notes:
            lines.append(Text(f"{name}: ", styles.ink).append(text, styles.muted))
        lines += [Text(sentence, styles.muted) for sentence in sheet.sentences]
        self._found = sheet.rules if self._finds else ""
        self._say_keys()
        self.replace(lines)

    def show_fault(self, error: Exception) -> None:
        """Show why there is no answer."""
        self._say_keys()
        self.replace([as_sentence(str(error))])

    def _say_keys(self) -> None:
        keys = ["Enter: take this game"] * bool(self._found)
        keys += ["C: change what is asked"] * (self._change is not None)
        self.say_of_key("   ".join([*keys, "Esc closes"]))


class ReportPage(AnyKeyPage):
    """The report of a session; R reviews its mistakes, any other key closes it."""

    FOOT = ""

    def __init__(self, seat: Seat, styles: Styles) -> None:
        """Report on a seat; verdicts that still come are added while the page is open."""
        self._seat = seat
        self._styles = styles
        self.report = make_report(seat)
        super().__init__("Your session", write_report(self.report, styles))

    def on_mount(self) -> None:
        """Look out for late verdicts of the coach."""
        self.set_interval(_OFTEN, self._look)

    def on_key(self, event: Key) -> None:
        """Review, or close."""
        if event.key.lower() == "r" and self.report.with_mistakes:
            event.stop()
            event.prevent_default()
            rounds = [one for one in self.report.with_mistakes if one.name]
            if rounds:
                sources = [partial(one.find_source, self.app.store) for one in rounds]
                self.app.call_later(self.app.open_replay, sources, asks_first=True)
        else:
            self.close(event)

    def _look(self) -> None:
        report = make_report(self._seat)
        if report != self.report:
            self.report = report
            self.replace(write_report(report, self._styles))


def write_report(report: SessionReport, styles: Styles) -> list[Text]:
    """Write the report: rounds and net, counts, accuracy and cost, the worst hands."""
    rounds = count_of(report.rounds, "round")
    net = f", net {signed(report.net)}" if report.has_bets else ""
    lines = [Text(f"{rounds}{net}.", styles.ink)]
    if report.counts_asked:
        lines.append(Text(write_score(report), styles.active))
    lines.append(Text(write_accuracy(report), styles.active))
    keys = "Any key continues."
    if report.with_mistakes:
        keys = "R reviews your mistakes one by one; any other key continues."
        lines += [Text(), Text("The costliest mistakes", styles.muted)]
        for one in write_worst(report):
            lines.append(Text(one.sentence, styles.ink))
            lines.append(Text(f"  upcard replay {one.name}" if one.name else "", styles.muted))
    return [*lines, Text(), Text(keys, styles.muted)]


class ShoePage(Page[None]):
    """Commitments, revealed seeds, and a line for the player's seed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+e", "end_shoe", "end the shoe", priority=True)
    ]
    FOOT = "Enter adds the seed   Ctrl-E ends the shoe   Esc closes"

    def __init__(self, seat: Seat) -> None:
        super().__init__("A shuffle that you can verify")
        self._seat = seat
        self._said = ""

    def compose(self) -> ComposeResult:
        """Put the frame up."""
        seed = Input(placeholder="your seed: any words", id="seed")
        yield self.frame(Static(id="shoe-text"), seed)

    def on_mount(self) -> None:
        """Show the present state; the seed may be typed at once."""
        self._draw()
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Add the player's seed."""
        update = self._seat.add_seed(event.value)
        self._said = str(update.fault or tell_seed(self._seat.session, event.value))
        self._draw()

    def action_end_shoe(self) -> None:
        """End the shoe between hands, to see its seeds now."""
        if self._seat.session.is_playing:
            self._said = "The shoe ends between hands: finish this one first."
        else:
            self._seat.end_shoe()
            self._said = "The shoe is ended; the next hand begins a new one."
        self._draw()

    def _draw(self) -> None:
        kept = self._seat.session.kept
        if kept is None:
            return
        lines = describe_shoe(kept, reveals=3 if self.size.height >= _TALL else 1)
        self.query_one("#shoe-text", Static).update(Text("\n".join([*lines, self._said])))
