"""`upcard train`: drills of strategy, deviations and counting, on the screen or line by line."""

from __future__ import annotations

import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from math import isfinite
from typing import Any, Final

import click

from upcard.cli.options import (
    any_seed_option,
    choose_rules,
    indices_option,
    positive_option,
    ramp_option,
    rules_options,
)
from upcard.cli.output import ascii_option, asked_for_ascii
from upcard.cli.streams import can_show_screen
from upcard.core.errors import BlackjackError
from upcard.core.numbers import fields_of, whole_number
from upcard.drills.catalogue import CATALOGUE, DRILL_NAMES, DrillMemory, DrillOptions, read_name
from upcard.drills.drill import DrillError, Feedback, Prompt
from upcard.drills.drill_run import DrillRun, DrillSetup
from upcard.drills.feedback import (
    summarize,
    write_dealer,
    write_end,
    write_seconds,
    write_standing,
    write_values,
    write_verdict,
)
from upcard.line.console import Console, SessionOverError
from upcard.line.dialogue import LEAVE
from upcard.line.general import json_line
from upcard.store.database import Store, open_store

_HELP: Final = (
    "Answer by the word or its first letter (p: split); numbers as 3, -1.5 or 1/2.",
    "q leaves with a summary; so do Ctrl-C and the end of input. Every answer is saved at once.",
)


def train(name: str | None, setup: DrillSetup, console: Console, *, as_json: bool = False) -> None:
    """Drill until the questions, the time or the input end; then show a summary."""
    dialogue: _Words = _Words(setup, console)
    if as_json:
        console.echo = False  # an answer is not JSON
        dialogue = _Json(setup, console)
    try:
        chosen = _choose(setup, dialogue) if name is None else name
    except SessionOverError:
        return
    run = setup.start(chosen)
    dialogue.begin(run)
    # Answers are judged and saved in a thread of their own, where Ctrl-C does not interrupt.
    with suppress(SessionOverError, KeyboardInterrupt), ThreadPoolExecutor(1) as judge:
        judge.submit(run.rehearse).result()
        while not setup.why_over(run):
            _ask(run, dialogue, judge)
    dialogue.end(run)


def _choose(setup: DrillSetup, dialogue: _Words) -> str:
    """Ask for a drill until it is a valid one."""
    dialogue.list_drills()
    while True:
        answer = dialogue.hear("Which drill (1-8, or its name)? ")
        try:
            place = whole_number(answer) or 0
            is_place = 1 <= place <= len(DRILL_NAMES)
            name = DRILL_NAMES[place - 1] if is_place else read_name(answer)
            setup.options.about(name)
        except BlackjackError as error:
            dialogue.refuse(str(error))
        else:
            return name


def _ask(run: DrillRun, dialogue: _Words, judge: Executor) -> None:
    """Ask one question until it is answered."""
    prompt = run.ask()
    began = dialogue.show(run, prompt)
    while True:
        answer = dialogue.hear(dialogue.write_question(prompt))
        if answer == "?":
            dialogue.help()
            continue
        seconds = None if began is None else dialogue.setup.clock() - began
        try:
            feedback = judge.submit(run.answer, answer, seconds=seconds).result()
        except BlackjackError as error:
            if run.prompt is None:
                raise
            dialogue.refuse(str(error))
            continue
        dialogue.tell(run, feedback, seconds)
        return


class _Words:
    """Asks and answers in lines of words."""

    def __init__(self, setup: DrillSetup, console: Console) -> None:
        self.setup = setup
        self.console = console

    def list_drills(self) -> None:
        for place, name in enumerate(DRILL_NAMES, start=1):
            try:
                about = self.setup.options.about(name)
                how = write_standing(self.setup.memory.load(name, about))
            except BlackjackError as error:
                how = str(error)
            self.console.say(f"{place} {name}: {CATALOGUE[name].about} ({how})")

    def begin(self, run: DrillRun) -> None:
        self.console.say(f"Drill of {run.drill.name}: {run.drill.about}")
        self.console.say("? helps, q leaves.")

    def show(self, run: DrillRun, prompt: Prompt) -> float | None:
        """Show the question; return the start time, if it is timed."""
        say = self.console.say
        if run.hand is None or not run.hand.judgements:
            say()
        if not prompt.groups:
            return None
        say(f"{run.questions}. {prompt.text}")
        groups = [" ".join(map(self.console.card, group)) for group in prompt.groups]
        if self.console.height is None:  # a pipe needs no pages
            say(" | ".join(groups))
            return None
        self.console.ask(self.console.dim("Enter begins, and turns to the next cards. "))
        began = self.setup.clock()
        for group in groups:
            self.console.ask(f"{group}  ")
        return began

    def write_question(self, prompt: Prompt) -> str:
        if prompt.choices:
            return f"{prompt.text} ({', '.join(prompt.choices)})? "
        return "The count? " if prompt.groups else f"{line_text(prompt)} "

    def hear(self, question: str) -> str:
        """Ask, and return the answer."""
        answer = self.console.ask(question).lower()
        if answer in LEAVE:
            raise SessionOverError
        return answer

    def help(self) -> None:
        for line in _HELP:
            self.console.say(line)

    def refuse(self, reason: str) -> None:
        self.console.say(reason)

    def tell(self, run: DrillRun, feedback: Feedback, seconds: float | None) -> None:
        say = self.console.say
        say(f"{write_verdict(feedback)} {feedback.reason}")
        if feedback.ev:
            say(f"EV: {write_values(feedback)}")
        if seconds is not None:
            best = run.progress.record(run.last_item).best_seconds
            record = "" if best is None else f"; your best is {write_seconds(best)}"
            say(f"It took {write_seconds(seconds)}{record}.")
        if run.hand is not None and run.hand.is_over:
            say(f"{write_dealer(run.hand)} {write_end(run.hand)}")

    def end(self, run: DrillRun) -> None:
        self.console.say()
        for line in summarize(run):
            self.console.say(line)


class _Json(_Words):
    """Writes one JSON object per line: one for a question, one for an answer."""

    def list_drills(self) -> None:
        self._write("drills", names=list(DRILL_NAMES))

    def begin(self, run: DrillRun) -> None:
        self._write(
            "started",
            drill=run.drill.name,
            about=run.drill.about,
            rules=str(self.setup.options.rules),
            only_mistakes=bool(self.setup.options.mistakes),
            answers=run.progress.answers,
        )

    def show(self, run: DrillRun, prompt: Prompt) -> None:
        facts = {name: value for name, value in prompt.data if name in _PUBLIC}
        self._write(
            "asked",
            question=run.questions,
            item=prompt.item,
            text=line_text(prompt),
            choices=prompt.choices,
            cards=prompt.cards,
            groups=prompt.groups,
            upcard=prompt.upcard,
            **facts,
        )

    def write_question(self, prompt: Prompt) -> str:
        """Write nothing: the question is written already."""
        del prompt
        return ""

    def hear(self, question: str) -> str:
        del question
        return super().hear("")

    def help(self) -> None:
        self._write("help", text=" ".join(_HELP))

    def refuse(self, reason: str) -> None:
        self._write("refused", reason=reason)

    def tell(self, run: DrillRun, feedback: Feedback, seconds: float | None) -> None:
        del seconds
        self._write(
            "judged",
            item=run.last_item,
            **fields_of(feedback, "answer", "right", "is_right", "cost", "unit"),
            grade=feedback.grade,
            text=write_verdict(feedback),
            reason=feedback.reason,
            ev=dict(feedback.ev),
        )
        if run.hand is not None and run.hand.is_over:
            state = run.hand.state
            self._write(
                "hand_over",
                net=state.net,
                dealer=state.shown_dealer_cards,
                outcomes=[str(outcome) for outcome, _ in state.results],
                cost=run.hand.cost,
            )

    def end(self, run: DrillRun) -> None:
        self._write(
            "ended",
            **fields_of(run.tally, "asked", "right", "best_streak", "cost", "unit"),
            seconds=run.seconds,
            expected=[one._asdict() for one in run.expect(3)],
        )

    def _write(self, kind: str, **fields: Any) -> None:
        self.console.say(json_line(kind, **fields))


_PUBLIC: Final = ("count", "cards_left", "running", "discards")


def line_text(prompt: Prompt) -> str:
    """Return the question with what a screen would draw: the number of cards in the tray."""
    facts = dict(prompt.data)
    if "discards" not in facts:
        return prompt.text
    return f"{facts['discards']} cards are in {prompt.text}"


class TrainCommand(click.Command):
    """A command whose help page lists the drills."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list, then the examples."""
        with formatter.section("Drills"):
            listed = [(name.replace(" ", "-"), one.about) for name, one in CATALOGUE.items()]
            formatter.write_dl(listed)
        super().format_epilog(ctx, formatter)


@click.command(
    "train",
    cls=TrainCommand,
    epilog="\b\nExamples:\n"
    "  upcard train\n"
    "  upcard train strategy --house european --class soft,pair\n"
    "  upcard train countdown --system ko --group 2\n"
    "  upcard train strategy --mistakes\n"
    '  upcard train deviations --rules "6D LS" --indices i18+fab4 --questions 50\n'
    "  upcard train bet --ramp 1-12 --minutes 5\n"
    '  echo "h s d" | tr " " "\\n" | upcard train strategy --seed 1 --json',
)
@click.argument("drill", required=False)
@rules_options
@click.option(
    "--class", "classes", metavar="NAMES", help="Hands: hard,soft,pair,surrender (default: all)."
)
@click.option(
    "--system", metavar="NAME|FILE", help="Counting system, see upcard counts (default: hi-lo)."
)
@indices_option
@ramp_option
@click.option(
    "--group", type=click.IntRange(1, 3), metavar="N", help="Cards of a countdown at a time."
)
@click.option(
    "--mistakes",
    is_flag=True,
    help="Only questions that you answered wrong, at the table or in the drill.",
)
@positive_option("--questions", help="Stop after N questions.")
@click.option(
    "--minutes", type=click.FloatRange(0, min_open=True), metavar="M", help="Stop after M minutes."
)
@any_seed_option("--seed", help="Choose the questions with this seed.")
@click.option("--line", is_flag=True, help="Drill line by line instead of on a full screen.")
@ascii_option
@click.option("--json", "as_json", is_flag=True, help="Write questions and verdicts as JSON lines.")
def train_command(
    *,
    drill: str | None,
    house: str | None,
    rules: str | None,
    line: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Practise until mistakes stop costing money; without DRILL, choose from a menu.

    Questions are chosen by how often a hand occurs, times how often you answer it wrong, times the
    cost of that; your decisions at the table count too. Answers are saved. The best answers are
    computed for the given rules (default: 6D S17 PEEK DOA DAS SP4 NRSA NS 3:2).
    """
    minutes = options["minutes"]
    if minutes is not None and not isfinite(minutes):
        raise click.UsageError(f"--minutes {minutes}: how long to drill, such as 5 or 2.5")
    names = ("classes", "system", "indices", "ramp", "group", "mistakes")
    drill_options = DrillOptions(
        rules=choose_rules(house, rules), **{name: options.pop(name) for name in names}
    )
    name = None if drill is None else read_name(drill)
    if name is not None:
        drill_options.check(name)
        drill_options.about(name)
    with open_store() as store:
        if line or as_json or not can_show_screen():
            _train_by_lines(name, drill_options, store, as_json=as_json, **options)
        else:
            _train_on_screen(name, drill_options, store, **options)


def _train_by_lines(
    name: str | None, drill_options: DrillOptions, store: Store, **options: Any
) -> None:
    as_json = options.pop("as_json")
    setup = DrillSetup(options=drill_options, memory=DrillMemory(store), **options)
    train(name, setup, Console.of_process(ascii_only=asked_for_ascii()), as_json=as_json)


def _train_on_screen(
    name: str | None, drill_options: DrillOptions, store: Store, **options: Any
) -> None:
    """Show the screen, and print its summary afterwards."""
    from upcard.tui.app import UpcardApp
    from upcard.tui.appearance import needs_ascii
    from upcard.tui.keys import read_keymap
    from upcard.tui.requests import ScreenOptions

    setup = DrillSetup(options=drill_options, memory=DrillMemory(store), **options)
    ascii_only = asked_for_ascii() or needs_ascii(sys.stdout.encoding)
    opening = ScreenOptions(train=setup, drill=name, ascii_only=ascii_only)
    app = UpcardApp(opening, store, read_keymap())
    app.show()
    if app.ended is None:
        return
    for text in app.ended.summary:
        click.echo(text)
    if app.ended.fault is not None:
        raise DrillError(app.ended.fault)
