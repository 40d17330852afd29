"""Each drill speaks for itself: its entry and its questions say all that front-ends show."""

from __future__ import annotations

import ast
import random
import re
from pathlib import Path

import pytest

from upcard.core.fields import FieldClashError
from upcard.drills.catalogue import CATALOGUE, DrillOptions, read_session
from upcard.drills.drill import DrillError, InputKind, Prompt, read_choice, read_number
from upcard.rules.model import Rules

SOURCE = Path(__file__).resolve().parents[3] / "src" / "upcard"
QUICK = [name for name, entry in CATALOGUE.items() if InputKind.PLAY not in entry.inputs]


@pytest.mark.parametrize("name", QUICK)
def test_questions_are_answered_as_the_entry_says_and_say_themselves(name):
    entry, rules = CATALOGUE[name], Rules.parse("2D")
    drill = DrillOptions(rules=rules).make(name)
    assert (drill.name, drill.about) == (name, DrillOptions(rules=rules).about(name))
    for item in drill.items():
        prompt = drill.ask(item.key, random.Random(1))
        asked = (*([InputKind.CARDS] if prompt.groups else []), prompt.input)
        assert asked == entry.inputs
        assert prompt.ask != Prompt.short
        assert prompt.write(rules) != prompt.ask
        assert prompt.explain(drill.check(prompt, "1"))


def test_an_item_of_a_chart_says_its_cell_and_does_not_read_as_advice():
    for item in DrillOptions(rules=Rules.parse("6D LS")).make("strategy").items():
        offer, _, cell = item.key.partition(" ")
        assert item.cell == cell
        assert item.name == (f"{cell}: surrender?" if offer == "surrender" else item.key)


def test_every_drill_has_a_picture_that_the_browser_draws():
    """The two drills of side bets had none: pictures were named by their drills."""
    drawn = re.findall(r'<symbol id="drill-(\w+)"', (SOURCE / "web/drills/drills.html").read_text())
    assert {entry.icon for entry in CATALOGUE.values()} <= set(drawn)


MADE_BY = r"\.(counting_drills|dealer_drill|side_bet_drills|strategy_drills|session_plan)$"
NAMES = {name.replace(" ", separator) for name in CATALOGUE for separator in " -_"}
ABOVE = [
    path
    for folder in ("answers", "line", "cli", "tui", "web")
    for path in sorted((SOURCE / folder).rglob("*"))
    if path.suffix in (".py", ".html", ".js", ".css") and "__pycache__" not in path.parts
    if re.search("drill|train", str(path.relative_to(SOURCE)))
]
CONSTANTS = {"STRATEGY", "HANDS", "DEVIATIONS", "READY", "DEALER", "HandClass"}
ALLOWED = {"ROUNDS", "deal_opening"}


def find_named(path):
    """Return what a file above the drills knows of a single drill."""
    text = path.read_text()
    if path.suffix != ".py":
        yield from re.findall(rf"""(?:of-|id="drill-|#drill-)(?:{"|".join(NAMES)})\b""", text)
        yield from re.findall(rf"""[=!]=\s*["'](?:{"|".join(NAMES)})["']""", text)
        return
    tree = ast.parse(text)
    typing = [one for one in tree.body if isinstance(one, ast.If)]
    skipped = {id(one) for block in typing for one in ast.walk(block)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and id(node) not in skipped:
            if node.module == "upcard.drills":
                yield from (one.name for one in node.names if re.search(MADE_BY, f".{one.name}"))
            elif re.search(MADE_BY, node.module or ""):
                yield from (one.name for one in node.names if one.name not in ALLOWED)
        names = [node.id] if isinstance(node, ast.Name) else []
        names += [node.attr] if isinstance(node, ast.Attribute) else []
        yield from (one for one in names if one in CONSTANTS)
        if isinstance(node, ast.Compare | ast.MatchValue):
            parts = (one.value for one in ast.walk(node) if isinstance(one, ast.Constant))
            yield from (one for one in parts if one in NAMES)


@pytest.mark.parametrize("path", ABOVE, ids=lambda path: str(path.relative_to(SOURCE)))
def test_nothing_above_the_drills_asks_for_a_single_one(path):
    assert list(find_named(path)) == []


def test_a_session_is_asked_for_without_its_name():
    assert read_session(None) == read_session("ready") == "ready"
    with pytest.raises(FieldClashError, match="leave out bet"):
        read_session("bet")


@pytest.mark.parametrize(
    ("answer", "choice"), [("2", "the dealer"), ("Neither", "neither"), ("the d", "the dealer")]
)
def test_a_choice_is_read_by_its_place_or_its_beginning(answer, choice):
    prompt = Prompt(item="x", choices=("the player", "the dealer", "neither"))
    assert prompt.input is InputKind.CHOICE
    assert read_choice(prompt, answer) == choice


@pytest.mark.parametrize("answer", ["", "the", "4", "0", "nobody"])
def test_a_choice_that_is_none_or_two_is_refused(answer):
    prompt = Prompt(item="x", choices=("the player", "the dealer", "neither"))
    with pytest.raises(DrillError, match="one of the player, the dealer, neither"):
        read_choice(prompt, answer)


@pytest.mark.parametrize(("answer", "number"), [("+3", 3), (" -1.5 ", -1.5), ("25%", 25)])
def test_a_number_is_read_with_its_sign_and_its_unit(answer, number):
    assert read_number(answer, unit="%") == number
