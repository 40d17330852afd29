"""A replay on the screen, every question with its values; and the saved rounds to choose from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from upcard.analysis.grades import grade_of
from upcard.answers.hand import answer_verdict
from upcard.coach.judgement import write_bets
from upcard.core.actions import Action
from upcard.core.errors import as_sentence
from upcard.core.figure import align
from upcard.core.numbers import signed
from upcard.session import narration, table_view
from upcard.session.review import Replaying, Review, Reviewed, Source, source_of
from upcard.store.database import Store
from upcard.store.history import RoundSearch, read_round, read_rounds
from upcard.store.learning import RoundCost, cost_of_round
from upcard.table.legal import find_refusal
from upcard.tui import drawing, felt_screen, keys, pages, table_words

if TYPE_CHECKING:
    from upcard.tui.app import UpcardApp

_ALWAYS: Final = (keys.WHY_KEY, keys.HELP_KEY, keys.LEAVE_KEY)
_HELP: Final = (
    "Left, right     the question before, the next one",
    "M               the next mistake, in this round or a later one",
    "Home, End       the first question, the end of the round",
    "H S D P R I N   what if? The answer of that key here, and the round played on by the coach",
    "O               back to the round as it was played",
    "W               why: values, chances, what would change the answer",
    "V               view all messages in full",
    "T theme   L letters   Q, Esc leave",
)
_MOST: Final = 500
"""Rounds that are listed; `upcard history` has them all."""
_REVIEW: Final = keys.Key("enter", "Enter", "review it")
_LEAVE: Final = keys.Key("leave", "Q", "back")


class ReplayScreen(felt_screen.FeltScreen):
    """Steps through a round, and plays it differently."""

    BINDINGS: ClassVar = [*keys.REPLAY]

    def __init__(
        self,
        source: Source,
        *,
        following: Sequence[Callable[[], Source]] = (),
        asks_first: bool = False,
    ) -> None:
        """Show a round; a thread reviews it.

        `M` continues to the mistakes of the rounds `following`. With `asks_first` the review begins
        at the first mistake, and every mistake is asked again before the answer is shown.
        """
        super().__init__()
        self.source = source
        self._following = list(following)
        self._asks_first = asks_first
        self._is_asking = False
        """Whether a mistake is shown without its answer, for the person to find it."""
        self.replaying: Replaying | None = None
        self._is_busy = False

    def on_mount(self) -> None:
        """Review the round."""
        self._load()
        self.call_after_refresh(self.draw)

    def _load(self) -> None:
        self.replaying = None
        self.messages.add("The coach is reviewing the round.", felt_screen.Until.SETTLED)
        self._ask(self.source.review, self._begin)

    def _begin(self, review: Review) -> Replaying:
        replaying = Replaying(review, review)
        if self._asks_first:
            self._go_to_mistake(replaying)
        return replaying

    def _go_to_mistake(self, replaying: Replaying, *, after: int = -1) -> bool:
        """Go to the next mistake of the round, and ask it again; False if there is none."""
        place = replaying.find_mistake(after)
        if place is None:
            return False
        replaying.go_to(place)
        self._is_asking = self._asks_first
        return True

    def action_next_mistake(self) -> None:
        """Go to the next mistake, in this round or a later one."""
        if self.replaying is None or self._is_busy:
            return
        self._is_asking = False
        replaying = self.replaying.as_played()
        if self._go_to_mistake(replaying, after=replaying.place):
            self.replaying = replaying
        elif self._following:
            self.source = self._following.pop(0)()
            self._asks_first = True
            self._load()
        else:
            has_one = replaying.find_mistake(-1) is not None
            self.say_of_key(
                "That was the last mistake." if has_one else "No mistake in this round."
            )
        self.draw()

    def action_step(self, by: int) -> None:
        """Go one question on or back."""
        if self._is_asking and by > 0:
            self._is_asking = False
        elif self.replaying is not None:
            self._is_asking = False
            self.replaying.step(by)
        self.draw()

    def action_go_to(self, place: int) -> None:
        """Go to a question, from 0; -1 is the end."""
        self._is_asking = False
        if self.replaying is not None:
            self.replaying.go_to(place)
        self.draw()

    def action_as_played(self) -> None:
        """Go back to the round as it was played."""
        if self.replaying is not None:
            self.replaying = self.replaying.as_played()
            self.say_of_key("The round as it was played.")

    def action_explain(self) -> None:
        """Show the reasons for the question at hand."""
        question = self._question
        self._is_asking = False
        if question is None or question.advice is None:
            reason = "Nothing is asked here." if question is None else question.reason
            self.say_of_key(as_sentence(reason))
            return
        self.app.push_screen(table_words.WhyPage(self.app, question.advice, answer=question.action))

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(pages.HelpPage("A round again", _HELP))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether an action is possible: None for an answer that is not legal here."""
        if action != "answer":
            return True
        if self.replaying is None:
            return False
        is_legal = table_view.find_answer(str(parameters[0]), self._legal) is not None
        return True if is_legal and not self._is_busy else None

    @property
    def _question(self) -> Reviewed | None:
        return None if self.replaying is None else self.replaying.question

    @property
    def _legal(self) -> tuple[Action, ...]:
        return () if self._question is None else self._question.legal

    def why_disabled(self, binding: Binding) -> str:
        """Return why an answer is not possible here."""
        question, meant = self._question, keys.meant_by(binding)
        if question is None or meant is None:
            return "Nothing is asked here: go back to a question first."
        if self._is_busy:
            return "The coach is still working it out."
        return table_words.write_refusal(find_refusal(question.state, meant), self)

    def action_answer(self, key: str) -> None:
        """Play the round differently from here."""
        replaying, question = self.replaying, self._question
        action = table_view.find_answer(key, self._legal)
        if replaying is None or question is None or action is None:
            return
        if self._is_asking:
            self._try(question, action)
        else:
            at, instead = replaying.branch(action)
            self.say_of_key(f"What if: {action}. The coach plays on.")
            self._ask(lambda: self.source.review(at, instead), replaying.otherwise)

    def _try(self, question: Reviewed, action: Action) -> None:
        """Judge another answer to a mistake, and show the values once the best is found."""
        if question.advice is None or action not in question.advice.ev:
            self.say_of_key("No value of that answer is known.")
            return
        judgement = question.advice.judge(action)
        if judgement.is_right:
            self._is_asking = False
            self.say_of_key(f"{str(action).capitalize()} is right.")
        elif action is question.action:
            self.say_of_key("That is what you did. Something else was better.")
        else:
            cost = write_bets(judgement.cost)
            self.say_of_key(f"{str(action).capitalize()} costs {cost}. Something else was better.")

    def _ask(self, work: Callable[[], Review], take: Callable[[Review], Replaying]) -> None:
        def done(review: Review) -> None:
            self._is_busy = False
            self.replaying = take(review)
            self.messages.end(felt_screen.Until.SETTLED)
            self.draw()

        def failed(error: Exception) -> None:
            self._is_busy = False
            self.messages.end(felt_screen.Until.SETTLED)
            self.say_of_key(as_sentence(str(error)))

        self._is_busy = True
        self.app.coach_work.submit(work, done, failed)

    # ---- drawing

    def draw(self) -> None:
        """Draw everything again."""
        if not self.can_draw:
            return
        replaying = self.replaying
        if replaying is None:
            self.show_frame(self._head(), None, Text())
        else:
            self.show_frame(self._head(), self._scene(replaying), self._place(replaying))
        self.show_words(self._lines(self._question))
        shown = [] if replaying is None else self._keys(replaying)
        self.query_one(keys.ActionBar).show(shown, _ALWAYS)

    def _keys(self, replaying: Replaying) -> list[keys.Key]:
        if self._is_asking:
            return [keys.Key("replay.on", "Space", "show it"), *keys.answer_keys(self._legal)]
        shown = [keys.Key("replay.back", "<-", "back"), keys.Key("replay.on", "->", "on")]
        if self._following or replaying.find_mistake(-1) is not None:
            shown.append(keys.Key("replay.mistake", "M", "mistakes"))
        if replaying.is_otherwise:
            shown.append(keys.Key("replay.played", "O", "as played"))
        given = None if self._question is None else self._question.action
        return [*shown, *keys.answer_keys(one for one in self._legal if one is not given)]

    def _scene(self, replaying: Replaying) -> drawing.Scene:
        question = replaying.question
        return drawing.Scene(
            board=replaying.board,
            look=self.app.look,
            styles=self.app.inks,
            active=-1 if question is None else question.view.active,
            names=replaying.names,
            has_bets=self.source.record.rules.betting,
        )

    def _head(self) -> Text:
        inks, stored = self.app.inks, self.source.stored
        name = "A round again" if stored is None else f"Round {stored.id} again"
        rules, code = self.source.record.rules.notation, self.source.code
        text = Text(name, inks.ink).append(f"  {rules}", inks.muted)
        room = self.columns - text.cell_len - 2
        if len(code) <= room:
            text.append(" " * (room - len(code) + 2)).append(code, inks.muted)
        return text

    def _lines(self, question: Reviewed | None) -> list[Text]:
        inks, look = self.app.inks, self.app.look
        if question is None:
            return []
        if question.advice is None:
            return [Text(f"No value: {question.reason}", inks.muted)]
        if self._is_asking:
            words = f"You chose {question.action}, and something else was better. Your move?"
            return [Text(words, inks.active)]
        values = question.values
        if self.is_wide:
            lines = [*table_words.write_value_table(values, look, inks), Text()]
        else:
            lines = table_words.write_values(values, look, inks, width=self.columns)
        judgement = question.judgement
        if judgement is not None:
            has_bets = self.source.record.rules.betting
            verdict = answer_verdict(judgement, question.reason, has_bets=has_bets)
            lines.append(table_words.write_verdict(verdict, inks))
            if self.is_wide:
                lines.append(Text(verdict.reason, inks.muted))
        return lines

    def _place(self, replaying: Replaying) -> Text:
        """Say where in the round one is, and how it ends, as played and instead."""
        inks, has_bets = self.app.inks, self.source.record.rules.betting
        review, question = replaying.review, replaying.question
        if question is None:
            text = Text("The end" if review.state.is_over else "It breaks off here")
        else:
            text = Text(f"Question {question.number} of {len(review.answers)}")
            if question.action is not None:
                text.append(f": {question.action}", inks.active)
                text.append(f" ({question.given})", inks.muted)
        played = _net(replaying.played.net, has_bets=has_bets)
        text.append("   ").append(f"as played: {played}", inks.muted)
        if replaying.is_otherwise:
            text.append(f"   instead: {_net(review.net, has_bets=has_bets)}", inks.active)
        return text


def _net(net: Fraction | None, *, has_bets: bool) -> str:
    if net is None:
        return "no end"
    if has_bets:
        return signed(net)
    return "won" if net > 0 else "lost" if net < 0 else "tied"


class HistoryScreen(keys.Keyed, Screen[None]):
    """Lists the newest rounds, the newest first."""

    BINDINGS: ClassVar = [*keys.HISTORY]
    app: UpcardApp

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store
        self._only_mistakes = False
        self._listed: list[int] = []
        """The rounds that are listed, the newest first."""

    def compose(self) -> ComposeResult:
        """Lay it out: headings, rounds, keys."""
        yield Static(id="head")
        yield Static(id="columns")
        yield OptionList(id="rounds")
        yield Static(id="message")
        yield keys.ActionBar(id="foot")

    def on_mount(self) -> None:
        """Read the rounds."""
        self._fill()
        self.query_one(OptionList).focus()
        self.call_after_refresh(self.draw)

    def _fill(self) -> None:
        found = read_rounds(self._store, RoundSearch(with_mistakes=self._only_mistakes), last=_MOST)
        rounds = list(found)[::-1]
        costs = [cost_of_round(self._store, stored) for stored in rounds]
        rows = [narration.row_of(stored, cost) for stored, cost in zip(rounds, costs, strict=True)]
        headings, *lines = align([narration.HEADINGS, *rows], range(narration.LEFT))
        listed = self.query_one(OptionList)
        listed.clear_options()
        listed.add_options(
            Option(self._color(line, row[-1], cost), id=row[0])
            for line, row, cost in zip(lines, rows, costs, strict=True)
        )
        self.query_one("#columns", Static).update(Text(headings, "bold"))
        self._listed = [stored.id for stored in rounds]
        message = ""
        if rows:
            listed.highlighted = 0
        elif self._only_mistakes:
            message = "The coach has found no mistake in your rounds."
        else:
            message = "No round has been saved yet: play some that are not practice."
        self.query_one("#message", Static).update(message)

    def _color(self, line: str, cell: str, cost: RoundCost) -> Text:
        """Write a line whose last cell, the cost, has the style of the worst answer."""
        text = Text(line, no_wrap=True)
        if cell:
            text.stylize(self.app.inks.of_grade(grade_of(max(cost.wrong))), -len(cell))
        return text

    def draw(self) -> None:
        """Draw what depends on the theme."""
        if not self.query("#foot"):
            return
        inks = self.app.inks
        which = "with mistakes, " if self._only_mistakes else ""
        words = Text("Your rounds", inks.active).append(f"  {which}the newest first", inks.muted)
        self.query_one("#head", Static).update(words)
        turn = "all rounds" if self._only_mistakes else "only mistakes"
        mistakes = keys.Key("history.mistakes", "M", turn)
        self.query_one(keys.ActionBar).show((_REVIEW, mistakes, _LEAVE))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Review a round; of those with mistakes only the mistakes, and then the older ones'."""
        numbers, only = [int(event.option.id or 0)], self._only_mistakes
        if only:
            numbers = self._listed[self._listed.index(numbers[0]) :]
        rounds = [partial(self._find, one) for one in numbers]
        self.app.call_later(self.app.open_replay, rounds, asks_first=only)

    def _find(self, number: int) -> Source:
        return source_of(self._store, read_round(self._store, number), cards="fresh")

    def action_turn_mistakes(self) -> None:
        """List only the rounds with mistakes, or all."""
        self._only_mistakes = not self._only_mistakes
        self._fill()
        self.draw()

    def say_of_key(self, words: str) -> None:
        """Say something about the last key."""
        self.query_one("#message", Static).update(words)
