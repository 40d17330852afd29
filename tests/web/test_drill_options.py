"""Every option of the drills goes through every door; its fault is one sentence at its field."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from table_client import HTML, JSON, run_site
from textual.widgets import Input
from tui.train.train_driving import drive, opened

from upcard.cli.app import run
from upcard.core.errors import BlackjackError, as_sentence
from upcard.drills.catalogue import CATALOGUE, OPTIONS, DrillOptions
from upcard.rules.model import Rules

ROOT = Path(__file__).resolve().parents[2]
FAULTY = {
    "classes": "hard,big",
    "system": "nope",
    "indices": "nope",
    "ramp": "8-1",
    "bankroll": "much",
    "group": "4",
    "talk": "perhaps",
    "cell": "16 v X",
    "clock": "4",
    "sound": "perhaps",
    "mistakes": "never",
}
"""A text that each option refuses, alone or with the others."""


def refuse(name):
    """Return the sentence of Python's door, without which there is none to compare."""
    with pytest.raises(BlackjackError) as fault:
        DrillOptions(rules=Rules(), **{name: FAULTY[name]})
    return str(fault.value)


@pytest.mark.parametrize("name", OPTIONS)
def test_a_fault_is_at_its_field_of_the_page_and_of_the_command(name, capsys):
    """Sentences in the browser named options of the command, and commands named no field."""
    sentence, option = refuse(name), OPTIONS[name].option
    with run_site() as site:
        answer = site.get("/drills", params={name: FAULTY[name]}, headers=JSON).json()
        assert answer["faults"] == {name: as_sentence(sentence)}
        shown = {one["field"]: one["value"] for one in answer["choices"]}
        assert shown.get(name, FAULTY[name]) == FAULTY[name]  # to be corrected
        page = site.get("/drills", params={name: FAULTY[name]}, headers=HTML).text
        assert f'id="{name}-problem"' in page
        assert name == "classes" or f'aria-describedby="{name}-problem"' in page
    if name not in ("talk", "sound", "mistakes"):  # which have no text on the command line
        assert run(["train", option, FAULTY[name]]) == 2
        assert capsys.readouterr().err.endswith(f"'{option}': {sentence}\n")


def test_a_fault_is_at_its_field_of_the_screen():
    """One sentence was below all fields, and only for the first fault."""

    async def scene():
        async with opened(None, size=(100, 60)) as driver:
            await driver.press("o")
            shown = {one.id: one for one in driver.screen.query(Input)}
            assert list(shown) == ["rules", *OPTIONS]
            for name, text in (FAULTY | {"rules": "6D FOO"}).items():
                shown[name].value = text
            await driver.press("enter")
            for name in OPTIONS:
                hint = driver.screen.query_one(f"#{name}-hint")
                assert hint.has_class("fault")
                assert str(hint.render()) == as_sentence(refuse(name))
            assert driver.screen.focused.id == "rules"
            for name, field in shown.items():
                field.value = "2D" if name == "rules" else ""
            await driver.press("enter")
            assert driver.screen.setup.options == DrillOptions(rules=Rules.parse("2D"))

    drive(scene)


def test_what_an_option_is_for_are_the_drills_that_take_it():
    """The page said that only deviations take index plays: a session of ready does, too."""
    with run_site() as site:
        choices = site.get("/drills", headers=JSON).json()["choices"]
    about = {one["field"]: one["about"] for one in choices}
    for name in about.keys() & OPTIONS.keys():
        takers = [one for one, entry in CATALOGUE.items() if name in entry.takes]
        assert about[name].startswith(", ".join(takers) or OPTIONS[name].field.help[:-1])
    assert about["indices"] == "deviations, ready"


def test_the_document_says_which_options_each_drill_takes():
    rows = re.findall(
        r"^\| `([\w-]+)` \|.*\|(.*)\|$", (ROOT / "docs/train.md").read_text(), re.MULTILINE
    )
    takes = {
        name.replace(" ", "-"): [OPTIONS[one].option for one in entry.takes]
        for name, entry in CATALOGUE.items()
    }
    assert {name: re.findall(r"--[\w-]+", cell) for name, cell in rows} == takes


@pytest.mark.parametrize(
    "path", sorted((ROOT / "src/upcard/drills").glob("*.py")), ids=lambda path: path.name
)
def test_no_sentence_of_a_drill_names_an_option_of_the_command(path):
    """Front-ends have fields; commands put their options for `{field}`."""
    tree = ast.parse(path.read_text())
    texts = (one.value for one in ast.walk(tree) if isinstance(one, ast.Constant))
    named = [one for one in texts if isinstance(one, str) and re.search(r"(^|\s)--(\w|$)", one)]
    own = {one.field.option for one in OPTIONS.values()}
    assert [one for one in named if one not in own and "upcard " not in one] == []
