"""`upcard train`: drills of strategy, deviations and counting, on the screen or line by line."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

import click

from upcard.answers import drill_question, drill_report
from upcard.cli import options, output, streams
from upcard.core.errors import BlackjackError
from upcard.core.fields import FieldClashError, fill_each, list_fields
from upcard.core.numbers import to_json, whole_number, with_minus_signs
from upcard.drills import catalogue
from upcard.drills.drill import DrillError, InputKind, Prompt
from upcard.drills.drill_run import DrillMemory, DrillSetup
from upcard.drills.trainer import DrillStep, DrillTrainer
from upcard.line.console import Console, SessionOverError
from upcard.line.dialogue import LEAVE
from upcard.line.general import json_line
from upcard.store.database import Store, open_store

HELP: Final = (
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
    trainer = DrillTrainer(chosen, setup, goes_on_at_once=False)
    dialogue.begin(trainer)
    # Answers are judged and saved in a thread of their own, where Ctrl-C does not interrupt.
    with suppress(SessionOverError, KeyboardInterrupt), ThreadPoolExecutor(1) as judge:
        judge.submit(trainer.run.warm).result()  # a thread that is only starting can be interrupted
        while trainer.step is not DrillStep.OVER:
            _ask(trainer, dialogue, judge)
            if trainer.step is DrillStep.JUDGED:
                trainer.go_on()
    dialogue.end(drill_report.report_drill(trainer))


def _choose(setup: DrillSetup, dialogue: _Words) -> str:
    dialogue.list_drills(drill_report.list_standings(setup.options, setup.memory))
    while True:
        answer = dialogue.hear(f"Which drill (1-{len(catalogue.DRILL_NAMES)}, or its name)? ")
        try:
            place = whole_number(answer) or 0
            is_place = 1 <= place <= len(catalogue.DRILL_NAMES)
            name = catalogue.DRILL_NAMES[place - 1] if is_place else catalogue.read_name(answer)
            setup.options.about(name)
        except BlackjackError as error:
            dialogue.refuse(str(error))
        else:
            return name


def _ask(trainer: DrillTrainer, dialogue: _Words, judge: Executor) -> None:
    dialogue.show(trainer)
    trainer.start_clock()
    while True:
        answer = dialogue.hear(dialogue.write_question(trainer.prompt))
        if answer == "?":
            dialogue.help()
            continue
        try:
            answered = judge.submit(trainer.answer, answer).result()
        except BlackjackError as error:
            if trainer.run.prompt is None:
                raise
            dialogue.refuse(str(error))
            continue
        if trainer.rings(answered):
            dialogue.console.ring()
        if not trainer.is_silent:
            dialogue.tell(drill_report.judge_answer(answered, trainer.setup.options.rules))
        return


class _Words:
    """Asks and answers in lines of words."""

    def __init__(self, setup: DrillSetup, console: Console) -> None:
        self.setup = setup
        self.console = console

    def list_drills(self, standings: Iterable[drill_report.DrillStanding]) -> None:
        for place, one in enumerate(standings, start=1):
            self.console.say(f"{place} {one.name}: {one.about} ({one.text or one.why_not})")

    def begin(self, trainer: DrillTrainer) -> None:
        drill = trainer.run.drill
        self.console.say(f"Drill of {drill.name}: {drill.about}", "? helps, q leaves.")
        if drill.note:
            self.console.say(drill.note)

    def show(self, trainer: DrillTrainer) -> None:
        """Show the question, and the cards of a count: on a terminal against the clock."""
        say, prompt, hand = self.console.say, trainer.prompt, trainer.run.hand
        if hand is None or hand.is_session or not hand.judgements:
            say()
        asked = drill_question.answer_drill(trainer)
        if asked.dealer is not None and prompt.input is not InputKind.PLAY:  # not in the question
            for one in (asked.dealer, *asked.hands):
                cards = (self.console.card(card) for card in one.cards if card is not None)
                say(f"{one.name}: {' '.join(cards)}" + (f" ({one.text})" if one.text else ""))
        if not prompt.groups:
            return
        say(f"{asked.question}. {asked.text}")
        groups = [" ".join(map(self.console.card, group)) for group in prompt.groups]
        if self.console.height is None:  # a pipe needs no pages
            say(" | ".join(groups))
            trainer.show_all()
            return
        self.console.ask(self.console.dim("Enter begins, and turns to the next cards. "))
        for group in groups:
            trainer.turn()
            self.console.ask(f"{group}  ")
        trainer.turn()

    def write_question(self, prompt: Prompt) -> str:
        if prompt.choices:
            asked = self.write_line(prompt).removesuffix("?")
            return f"{asked} ({', '.join(prompt.choices)})? "
        return f"{prompt.ask if prompt.groups else self.write_line(prompt)} "

    def write_line(self, prompt: Prompt) -> str:
        """Return the question with what a screen would draw."""
        return with_minus_signs(prompt.write_undrawn(self.setup.options.rules))

    def hear(self, question: str) -> str:
        answer = self.console.ask(question).lower()
        if answer in LEAVE:
            raise SessionOverError
        return answer

    def help(self) -> None:
        self.console.say(*HELP)

    def refuse(self, reason: str) -> None:
        self.console.say(reason)

    def tell(self, verdict: drill_report.DrillVerdict) -> None:
        say, hand = self.console.say, verdict.hand
        say(f"{verdict.text} {verdict.reason}")
        if verdict.answers:
            say(f"EV: {verdict.values}")
        if hand is not None:
            say(f"{hand.dealer_text} {hand.text}")
        elif verdict.seconds is not None:
            say(verdict.after)

    def end(self, report: drill_report.DrillReport) -> None:
        self.console.say("", *report.lines)


class _Json(_Words):
    """Writes one JSON object per line: one for a question, one for an answer."""

    def list_drills(self, standings: Iterable[drill_report.DrillStanding]) -> None:
        self._write("drills", drills=list(standings))

    def begin(self, trainer: DrillTrainer) -> None:
        self._write(
            "started",
            drill=trainer.run.drill.name,
            about=trainer.run.drill.about,
            rules=str(self.setup.options.rules),
            only_mistakes=bool(self.setup.options.mistakes),
            answers=trainer.run.progress.answers,
        )

    def show(self, trainer: DrillTrainer) -> None:
        prompt = trainer.prompt
        if prompt.groups:
            trainer.show_all()
        tray = {} if prompt.discards is None else {"discards": prompt.discards}
        question = to_json(drill_question.answer_drill(trainer)) | {"text": self.write_line(prompt)}
        self._write("asked", item=prompt.item, **question, groups=prompt.groups, **tray)

    def write_question(self, prompt: Prompt) -> str:
        """Write nothing: the question is written already."""
        del prompt
        return ""

    def hear(self, question: str) -> str:
        del question
        return super().hear("")

    def help(self) -> None:
        self._write("help", text=" ".join(HELP))

    def refuse(self, reason: str) -> None:
        self._write("refused", reason=reason)

    def tell(self, verdict: drill_report.DrillVerdict) -> None:
        self._write("judged", **to_json(verdict))

    def end(self, report: drill_report.DrillReport) -> None:
        self._write("ended", **to_json(report))

    def _write(self, kind: str, **fields: Any) -> None:
        self.console.say(json_line(kind, **fields))


@click.command(
    "train",
    cls=options.ListingCommand,
    lists=lambda: {
        "Drills": {name.replace(" ", "-"): one.about for name, one in catalogue.CATALOGUE.items()}
    },
    epilog="\b\nExamples:\n"
    "  upcard train\n"
    "  upcard train strategy --house european --class soft,pair\n"
    "  upcard train countdown --system ko --group 2\n"
    "  upcard train strategy --mistakes\n"
    '  upcard train deviations --rules "6D LS" --indices i18+fab4 --questions 50\n'
    "  upcard train bet --ramp 1-12 --minutes 5\n"
    "  upcard train hands --clock 5\n"
    "  upcard train --ready --talk --clock 8\n"
    "  upcard train --ready --ramp 1-12 --bankroll 20000\n"
    '  echo "h s d" | tr " " "\\n" | upcard train strategy --seed 1 --json',
)
@click.argument("drill", required=False)
@options.rules_options
@options.form_options(DrillSetup)
@options.flag("--ready", "Play a session as in a casino: are you ready? The drill of ready.")
@options.any_seed_option("--seed", help="Choose the questions with this seed.")
@options.flag("--line", "Drill line by line instead of on a full screen.")
@output.ascii_option
@options.flag("--json", "Write questions and verdicts as JSON lines.", to="as_json")
def train_command(
    *,
    drill: str | None,
    house: str | None,
    rules: str | None,
    line: bool,
    as_json: bool,
    **terms: Any,
) -> None:
    """Practise until mistakes stop costing money; without DRILL, choose from a menu.

    Questions are chosen by how often a hand occurs, times how often you answer it wrong, times the
    cost of that; your decisions at the table count too. Answers are saved. The best answers are
    computed for the given rules (default: 6D S17 PEEK DOA DAS SP4 NRSA NS 3:2).
    """
    given = {name: terms.pop(name) for name in catalogue.OPTIONS}
    if given["sound"] and (as_json or not sys.stdout.isatty()):
        raise click.UsageError("--sound rings the bell of a terminal: JSON and pipes have none")
    drill_options, faults = fill_each(
        catalogue.DrillOptions(rules=options.choose_rules(house, rules)),
        {name: value for name, value in given.items() if value is not None},
    )
    for field, fault in faults.items():
        raise click.BadParameter(str(fault), param_hint=[catalogue.OPTIONS[field].option])
    name, is_ready = None if drill is None else catalogue.read_name(drill), terms.pop("ready")
    try:
        name = catalogue.read_session(name) if is_ready else name
        if name is not None:
            drill_options.check(name, questions=terms["questions"])
            drill_options.about(name)
    except FieldClashError as error:
        names = {one.name: one.option for one in list_fields(DrillSetup)}
        words = error.write(lambda field: names.get(field, f"--{field}"))
        raise click.UsageError(words) from None
    with open_store() as store:
        setup = DrillSetup(options=drill_options, memory=DrillMemory(store), **terms)
        if line or as_json or not streams.can_show_screen():
            console = Console.of_process(ascii_only=output.asked_for_ascii())
            train(name, setup, console, as_json=as_json)
        else:
            _train_on_screen(name, setup, store)


def _train_on_screen(name: str | None, setup: DrillSetup, store: Store) -> None:
    from upcard.tui import appearance, keys
    from upcard.tui.app import ScreenOptions, UpcardApp

    ascii_only = output.asked_for_ascii() or appearance.needs_ascii(sys.stdout.encoding)
    opening = ScreenOptions(train=setup, drill=name, ascii_only=ascii_only)
    app = UpcardApp(opening, store, keys.read_keymap())
    app.show()
    if app.ended is None:
        return
    for text in app.ended.summary:
        click.echo(text)
    if app.ended.fault is not None:
        raise DrillError(app.ended.fault)
