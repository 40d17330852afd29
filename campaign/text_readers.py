"""What reads a text: functions of upcard that the fuzzing calls, as their callers do."""

from __future__ import annotations

import contextlib
import io
import json
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from campaign.case import FindingError

if TYPE_CHECKING:
    from collections.abc import Callable


def read_rules(text: str) -> object:
    """Read rules, and read back what they print as."""
    from upcard.rules.model import Rules

    rules = Rules.parse(text)
    if Rules.parse(str(rules)) != rules:
        msg = f"Rules.parse(str(rules)) != rules for {text!r}, which prints as {str(rules)!r}"
        raise FindingError(msg)
    return rules


def read_rule_tokens(text: str) -> object:
    """Read the tokens of rules."""
    from upcard.rules.tokens import read_tokens

    return read_tokens(text.split())


@cache
def hi_lo() -> Any:
    """Return the Hi-Lo counting system."""
    from upcard.strategy.count_system import load_system

    return load_system("hi-lo")


@cache
def default_rules() -> Any:
    """Return the default rules."""
    from upcard.rules.model import Rules

    return Rules()


def call(path: str, *args: object, **named: object) -> Callable[[Any], object]:
    """Return a function that hands a text to `upcard.PATH`, and these arguments after it.

    What can be called is called first: the package is imported when a text is read, not before.
    """
    module, _, name = path.rpartition(".")

    @cache
    def find() -> Callable[..., object]:
        owner, attribute = module, name
        if module.rpartition(".")[2][:1].isupper():  # a method of a class
            owner, _, cls = module.rpartition(".")
            return getattr(getattr(import_module(f"upcard.{owner}"), cls), attribute)
        return getattr(import_module(f"upcard.{owner}"), attribute)

    def read(text: str) -> object:
        late = [arg() if callable(arg) else arg for arg in args]
        return find()(text, *late, **named)

    return read


def direct(*paths: str) -> dict[str, Callable[[str], object]]:
    """Return the readers at these paths below `upcard`, by path."""
    return {path: call(path) for path in paths}


def call_with_file(path: str) -> Callable[[str], object]:
    """Return a function that writes a text to a file and hands its name to `upcard.PATH`."""
    hand_over = call(path)

    def read(text: str) -> object:
        Path("text.json").write_text(text, encoding="utf-8", errors="surrogatepass")
        return hand_over("text.json")

    return read


def call_with_object(path: str) -> Callable[[str], object]:
    """Return a function that hands the JSON object in a text to `upcard.PATH`."""
    hand_over = call(path)

    def read(text: str) -> object:
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            return None
        return hand_over(document if isinstance(document, dict) else {})

    return read


def read_reveal(text: str) -> object:
    """Check the reveal in a text."""
    from upcard.core.user_files import parse_json
    from upcard.store.history import check_reveal

    return check_reveal(parse_json(text, "x"))


def run_verify_shuffle(text: str) -> object:
    """Run the stand-alone program on a file; it may refuse, but not break."""
    Path("reveal-text.json").write_text(text, encoding="utf-8", errors="surrogatepass")
    return _run_verify_shuffle(["reveal-text.json"], text)


def run_verify_shuffle_rules(text: str) -> object:
    """Run the stand-alone program with a text as the rules."""
    return _run_verify_shuffle(["--server-seed", "0f" * 32, f"--rules={text}"], text)


def run_verify_shuffle_seed(text: str) -> object:
    """Run the stand-alone program with a text as the server seed."""
    return _run_verify_shuffle([f"--server-seed={text}"], text)


def _run_verify_shuffle(words: list[str], text: str) -> object:
    from upcard.fair.verify_shuffle import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    if code not in (0, 1, 2):
        msg = f"verify_shuffle.py ended with {code} on {text[:200]!r}"
        raise FindingError(msg)
    return code


def type_on_start_screen(text: str) -> object:
    """Type a text on every row of the start screen."""
    from upcard.core.errors import BlackjackError
    from upcard.session.choice import list_rows, read_row
    from upcard.session.plan import TablePlan

    plan = TablePlan()
    for row in list_rows(plan, voice="", knows=""):
        try:
            read_row(plan, row, text)
        except BlackjackError:
            continue
    return None


def read_computer(which: str) -> Callable[[str], object]:
    """Return the reader of one setting of document 004's Computer."""

    def read(text: str) -> object:
        from upcard.documents import roanoke

        if which == "highest":
            return roanoke.read_highest(text, [])
        return roanoke.read_probability(text, "p", [])

    return read


def read_saved_value(text: str) -> None:
    """Read what a file in the cache folder holds, as an edge and as a number, or damaged."""
    from upcard.cache.entry import MalformedError, SavedQuestion, read_content
    from upcard.exact.solver_results import GameValue

    for form in (GameValue, float):
        question = SavedQuestion("value", default_rules(), (), form, lambda: None)
        with contextlib.suppress(MalformedError):
            read_content(question, text)


def read_run_file(text: str) -> object:
    """Read a run file as --resume and `upcard ramp` do."""
    from upcard.analysis.count_rows import read_run
    from upcard.core.errors import BlackjackError
    from upcard.simulation.run_state import load_run

    Path("run-text.json").write_text(text, encoding="utf-8", errors="surrogatepass")
    with contextlib.suppress(BlackjackError):
        load_run("run-text.json")
    return read_run("run-text.json")
