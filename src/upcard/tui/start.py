"""The start screen: house, rules and company, each rule with the exact edge of the table."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from upcard._version import __version__
from upcard.answers.edge import compare_edges
from upcard.answers.questions import QUESTIONS
from upcard.answers.rules import answer_rules
from upcard.core.errors import UserFileError
from upcard.core.figure import shorten
from upcard.core.numbers import format_chips
from upcard.rules.model import Rules
from upcard.session import choice
from upcard.session.machine_code import NOTICE, is_compiling
from upcard.session.plan import TablePlan
from upcard.store import bankroll, database, money
from upcard.tui import background, pages
from upcard.tui.keys import HELP_KEY, ROWS, START, ActionBar, Key, Keyed

if TYPE_CHECKING:
    from upcard.tui.app import UpcardApp

_WORKING: Final = ("House edge  ...", "Working it out.")
"""Title and sentence until the edge is known."""
_PAUSE_SECONDS: Final = 0.05
_FIRST_PAUSE_SECONDS: Final = 0.2
_KEYS: Final = (
    Key("start.play", "Enter", "play"),
    Key("start.up", "<- ->", "turn"),
    Key("start.type", "E", "type it"),
    Key("start.drills", "D", "drills"),
    Key("start.history", "H", "history"),
    HELP_KEY,
    Key("start.quit", "Q", "quit"),
)
_LOOK_SECONDS: Final = 2.0
_ROOM: Final = 17
_WELCOME: Final = "Enter plays. New to the game? Press B. F finds your casino's game."
_HELP: Final = (
    "Up, down        choose a line",
    "Left, right     turn it: the edge is that of the table as it stands",
    "E               type it: a house or rules (european LS), a bet, company,",
    "                a count (ko:5, or off)",
    "O               chips, the largest bet, a ramp, seeds, cards",
    "PgUp, PgDn      scroll the rules on the right",
    "Enter, P        sit down",
    "D               drills: basic strategy, whole hands, deviations, counting",
    "B               blackjack in five minutes, and a first hand that is led step by step",
    "M               money: the bet and the speed by which costs are written",
    "F               find your game: the place, the decks, the signs on the felt",
    "H               your rounds: review one, and see what if you had played differently",
    "T theme   L letters for suits   A cards one by one, or at once   Q quit",
    "Ctrl-P          the command palette: all that can be done now, by name",
    "",
    "Other players are written seat by seat, with semicolons between; `you` is your place:",
    "  basic; you; mimic martingale; counter:zen",
    "upcard play --help lists players and betting systems.",
    "",
    "The edge is exact, by best play from a full shoe. Hole card `none` is the",
    "European deal; `one bet lost` returns doubles and splits if the dealer has",
    "a natural. In practice nothing is saved, and an answer can be taken back.",
)


class Rows(OptionList):
    """The list of what can be turned."""

    BINDINGS: ClassVar = [*ROWS]


class StartScreen(Keyed, Screen[None]):
    """Offers the choice of a table."""

    BINDINGS: ClassVar = [*START]
    app: UpcardApp

    def __init__(self, note: str = "") -> None:
        super().__init__()
        self._note = note
        self._before: Rules | None = None
        self._solving: Timer | None = None
        self._slow: Rules | None = None
        """The rules whose edge takes longer than usual."""

    def compose(self) -> ComposeResult:
        """Lay it out: the rows on the left, what they make on the right."""
        yield Static(id="head")
        with Horizontal(id="middle"):
            yield Rows(id="rows")
            with Vertical(id="about"):
                yield Static(id="edge")
                with VerticalScroll(id="rules", can_focus=False):
                    yield Static(id="story")
                yield Static("PgDn, PgUp: all the rules", id="more")
        yield Static(id="message")
        yield ActionBar(id="foot")

    def on_mount(self) -> None:
        """Begin with what was chosen last."""
        self.choice: TablePlan = choice.load_last_plan(self.app.store)
        last, asked = self.choice, self.app.opening
        count = last.count if asked.count is None else asked.count
        ramp = last.check_bets if asked.check_bets is None else asked.check_bets
        self.choice = replace(last, count=count, check_bets=ramp)
        self._chips = "" if self.app.store is None else _write_chips(self.app.store)
        self.edges = background.Edges(self.app.edge_work, self.draw)
        self._solve_soon(_FIRST_PAUSE_SECONDS)
        if is_compiling():
            self._compiling = self.set_interval(_LOOK_SECONDS, self._see_compiled)
        rows = self.query_one(Rows)
        rows.add_options(Option(self._write(row), id=row.name) for row in self._rows())
        rows.highlighted = 0
        rows.focus()
        self.call_after_refresh(self.draw)

    def on_resize(self) -> None:
        """Use the room there is."""
        self.call_after_refresh(self.draw)

    def on_unmount(self) -> None:
        """Save what was chosen."""
        self._save()

    def _save(self) -> None:
        choice.save_last_plan(self.app.store, self.choice)

    # ---- keys

    def action_turn(self, step: int) -> None:
        """Turn the row that is chosen."""
        row = self._chosen()
        self._note = ""
        if row.kind == "coach":
            self.app.turn_voice()
        elif row.kind == "knows":
            self.app.turn_knowledge()
        else:
            self._before = self.choice.rules
            self.choice, self._note = choice.turn_row(self.choice, row, step)
            self._solve_soon(_PAUSE_SECONDS)
        self.draw()

    def on_option_list_option_selected(self) -> None:
        """Turn a row that is clicked."""
        self.action_turn(1)

    def say_of_key(self, words: str) -> None:
        """Say something about the last key."""
        self._note = words
        self.draw()

    def action_type(self) -> None:
        """Type the value of the chosen row."""
        row = self._chosen()
        if row.kind in choice.FIELDS and choice.FIELDS[row.kind].field.choices:
            self.action_turn(1)
            return
        now, is_rules = self.choice, row.kind in ("house", "rule")
        words = "House or rules" if is_rules else row.name
        shown = row.words
        if row.kind in ("company", "count"):
            shown = choice.write_texts(now)[row.kind]
        shown = str(now.rules) if is_rules else shown

        def take(text: str) -> None:
            taken = choice.read_row(self.choice, row, text)
            self._before, self.choice, self._note = self.choice.rules, taken, ""
            self._solve_soon(_PAUSE_SECONDS)
            self.draw()

        self.app.push_screen(pages.TextPrompt(words, shown, take))

    def action_more(self) -> None:
        """List the choices that have no row, and type one of them."""
        rules = self.choice.rules
        fields = [choice.FIELDS[name] for name in choice.MORE if choice.fits(name, rules)]
        texts = choice.write_terms(self.app.opening) | choice.write_texts(self.choice)
        lines = {f"{one.title}: {texts.get(one.name) or '-'}": one for one in fields}

        def ask(line: str | None) -> None:
            if line is not None:
                one = lines[line]
                take = partial(self._take_choice, one.name)
                self.app.push_screen(
                    pages.TextPrompt(one.field.help, texts.get(one.name, ""), take)
                )

        self.app.push_screen(pages.ChoicePage("Other choices", [*lines], none=""), ask)

    def _take_choice(self, name: str, text: str) -> None:
        """Take a choice that has no row: the plan's, or one that is brought to the next table."""
        if name in choice.write_texts(self.choice):
            self.choice = choice.put_field(self.choice, name, text)
        else:
            self.app.opening = choice.put_term(self.app.opening, self.choice, name, text)
        self._note = "" if self.app.opening.keeps else "The next table is practice."
        self.draw()

    def action_find(self) -> None:
        """Find the rules of a table."""
        self.app.ask(QUESTIONS["find"], Rules())

    def action_set_money(self) -> None:
        """Set the bet and the speed by which costs are written as money."""
        pace = money.MoneyPace()
        with suppress(UserFileError):  # what is typed replaces the file
            pace = money.load_pace()

        def take(text: str) -> None:
            bet, _, hands = text.strip().partition(" ")
            chosen = money.read_pace(bet, hands)
            money.save_pace(chosen, keeps=self.app.store is not None)
            self.edges = background.Edges(self.app.edge_work, self.draw)
            self._note = f"Costs are written as money {chosen}."
            self._solve_soon(_PAUSE_SECONDS)
            self.draw()

        shown = f"{format_chips(pace.bet)} {format_chips(pace.hands_per_hour)}"
        title = "Money: bet on a hand, and hands an hour"
        self.app.push_screen(pages.TextPrompt(title, shown, take))

    def take_rules(self, rules: Rules) -> None:
        """Show a game that was found."""
        self._before = None
        self.choice = choice.fit_rules(self.choice, rules)
        self._note = "Enter plays your game."
        self._solve_soon(_PAUSE_SECONDS)
        self.draw()

    def action_play(self) -> None:
        """Sit down."""
        if why := choice.why_not_opened(self.app.opening, self.choice):
            self.say_of_key(why)
            return
        self._save()  # a start screen that comes back, with the reason, begins with it
        plan = choice.drop_counting(self.choice)
        plan = replace(plan, keeps=plan.keeps and self.app.opening.keeps)
        self.app.call_later(self.app.open_table, plan)

    def action_go_back(self) -> None:
        """Clear the message; only Q ends the program."""
        self._note = "" if self._note else "Q ends the program."
        self.draw()

    def action_scroll_rules(self, step: int) -> None:
        """Scroll the rules that have no room."""
        rules = self.query_one("#rules", VerticalScroll)
        rules.scroll_page_down() if step > 0 else rules.scroll_page_up()

    def action_drills(self) -> None:
        """Go to the drills, by the rules chosen."""
        self.app.call_later(self.app.open_drills, self.choice.rules)

    def action_open_basics(self) -> None:
        """Explain the game."""
        self.app.push_screen(pages.PrimerPage(self.app.look, self.app.inks))

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(pages.HelpPage("Choosing a table", _HELP))

    # ---- drawing

    def _see_compiled(self) -> None:
        if not is_compiling():
            self._compiling.stop()
            self.draw()

    def _solve_soon(self, seconds: float) -> None:
        """Ask for the edge once the screen is drawn: the solver takes its share of the time."""
        if self._solving is not None:
            self._solving.stop()
        self._solving = self.set_timer(seconds, self._solve)

    def _solve(self) -> None:
        rules = self.choice.rules

        def note_slow() -> None:
            if self.edges.find(rules) is None:
                self._slow = rules
                self.draw()

        before = () if self._before is None else (self._before,)
        self.edges.want(rules, *before)  # turned in haste, the change is still to be shown
        self.set_timer(pages.PATIENCE_SECONDS, note_slow)

    def _rows(self) -> list[choice.ChoiceRow]:
        voice, knows = str(self.app.voice), str(self.app.knows)
        return list(choice.list_rows(self.choice, voice=voice, knows=knows))

    def _chosen(self) -> choice.ChoiceRow:
        return self._rows()[self.query_one(Rows).highlighted or 0]

    def _write(self, row: choice.ChoiceRow) -> Text:
        words = shorten(row.words, _ROOM)
        return Text(f"{row.name:<22}", self.app.inks.muted).append(words, self.app.inks.ink)

    def draw(self) -> None:
        """Draw everything again."""
        if not self.query("#foot"):  # an edge that comes when the screen has gone
            return
        widget = self.query_one(Rows)
        rows = self._rows()
        if widget.option_count != len(rows):
            highlighted = widget.highlighted
            widget.clear_options()
            widget.add_options(Option(self._write(row), id=row.name) for row in rows)
            widget.highlighted = min(highlighted or 0, len(rows) - 1)
        else:
            for index, row in enumerate(rows):
                widget.replace_option_prompt_at_index(index, self._write(row))
        self.query_one("#head", Static).update(self._head())
        self.query_one("#edge", Static).update(Text("\n").join(self._edge_lines()))
        self.query_one("#story", Static).update(Text("\n").join(self._story()))
        ready = f"\n{NOTICE}" if is_compiling() else ""
        self.query_one("#message", Static).update(Text((self._note or _WELCOME) + ready))
        self.query_one(ActionBar).show(_KEYS)
        self.call_after_refresh(self._mark_more)

    def _mark_more(self) -> None:
        if self.query("#more"):
            self.query_one("#more").display = self.query_one("#rules").max_scroll_y > 0

    def _head(self) -> Text:
        text = Text("upcard ", self.app.inks.active).append(__version__, self.app.inks.muted)
        text.append("  choose a table", self.app.inks.ink)
        room = self.size.width - 2 - text.cell_len - len(self._chips)
        return text.append(" " * max(room, 2)).append(self._chips, self.app.inks.active)

    def _edge_lines(self) -> list[Text]:
        inks, rules = self.app.inks, self.choice.rules
        edge = self.edges.find(rules)
        before = None if self._before is None else self.edges.find(self._before)
        title, sentence = _WORKING
        if edge is not None:
            title, sentence = f"{edge.title}  {edge.text}", edge.sentence
        lines = [Text(title, inks.active), Text(sentence, inks.muted)]
        change = compare_edges(before, edge)
        if change is not None and self._before != rules:
            lines.append(Text(f"This change: {change.sentence}", inks.of(change.ev)))
        elif edge is None or edge.ev is not None:
            is_slow = edge is None and self._slow == rules
            lines.append(Text(pages.COMPILING if is_slow else "", inks.muted))
        return [*lines, Text()]

    def _story(self) -> list[Text]:
        answer, inks = answer_rules(self.choice.rules), self.app.inks
        lines = []
        if answer.house is not None:
            lines += [Text(answer.house.about, inks.muted), Text()]
        for topic, sentence in answer.in_words:
            lines.append(Text(f"{topic}: ", inks.ink).append(sentence, inks.muted))
        return [*lines, Text(), Text(answer.notation, inks.ink)]


def _write_chips(store: database.Store) -> str:
    """Write the chips of the profile; those on a hand left unfinished are named separately."""
    chips, free = bankroll.bankroll_of(store), bankroll.free_chips_of(store)
    if not chips:
        return ""
    table = f", {format_chips(chips - free)} on a table" if chips != free else ""
    return f"{format_chips(free)} chips{table}"
