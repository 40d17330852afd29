"""The campaigns' table of texts is complete: what upcard reads from outside is fuzzed."""

import ast
import contextlib
import json
import re
from pathlib import Path

import pytest

from campaign.entries import TEXTS
from campaign.entry_points import NOT_TEXTS, OPTIONS, kind_of
from campaign.figures import FIGURES, PAGE, write_page
from campaign.fuzz_commands import is_text, list_commands, list_parameters
from campaign.seams import SEAMS, find_seam
from upcard.core.errors import BlackjackError

SRC = Path(__file__).resolve().parents[2] / "src" / "upcard"
READS = re.compile(r"(parse|read|load|decode)(_|$)")
READERS = {reader for text in TEXTS.values() for reader in text.readers}
# They read a text too, and are called otherwise, or are handed what a text was read into.
OTHER_NAMES = {
    "core.wager.read_wager",
    "core.wager.type_wager",
    "rules.side_bet_files.load_side_bet",
    "exact.composition.read_card_shoe",
    "answers.bench.read_answer",
    "exact.composition.read_shoe",
    "players.betting_systems.make_betting",
    "documents.roanoke.read_highest",
    "simulation.registry.make_player",
    "rules.tokens.read_tokens",
    "store.history.check_reveal",
    "fair.verify_shuffle.main",
    "fair.verify_shuffle.read_rules",
    "tui.appearance.read_look",
    "session.choice.read_plan",
}


def find_readers():
    """Find the public functions and methods that are called as readers are, and take a text."""
    for path in sorted(SRC.rglob("*.py")):
        module = ".".join(path.relative_to(SRC).with_suffix("").parts)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                inner = [(f"{module}.{node.name}.", item) for item in node.body]
            else:
                inner = [(f"{module}.", node)]
            for where, item in inner:
                if (
                    isinstance(item, ast.FunctionDef)
                    and READS.match(item.name)
                    and takes_text(item)
                ):
                    yield where + item.name


def takes_text(function):
    arguments = (*function.args.args, *function.args.kwonlyargs)
    types = [ast.unparse(one.annotation) for one in arguments if one.annotation]
    # Not what is in brackets: the keys of a document are not text of a user's.
    return any(re.search(r"\bstr\b", re.sub(r"\[.*\]", "", kind)) for kind in types)


def test_every_option_and_argument_that_is_a_text_has_a_kind():
    missing = [
        f"{command} {parameter.name}"
        for command, parameter in list_parameters()
        if is_text(parameter) and kind_of(command, parameter.name) is None
    ]
    assert missing == [], "add them to OPTIONS in campaign/entry_points.py"


def test_every_kind_of_an_option_is_in_the_table():
    assert set(OPTIONS.values()) <= set(TEXTS)


def test_no_option_is_in_the_table_that_no_command_has():
    names = {parameter.name for _, parameter in list_parameters()}
    commands = set(list_commands())
    for key in OPTIONS:
        command, _, name = key.rpartition(" ")
        assert name in names, key
        assert not command or command in commands, key


@pytest.mark.slow
def test_every_function_that_reads_a_text_is_fuzzed_or_says_why_not():
    found = set(find_readers())
    assert sorted(found - READERS - set(NOT_TEXTS)) == [], (
        "add them to TEXTS in campaign/entries.py, or to NOT_TEXTS in entry_points.py"
    )


@pytest.mark.slow
def test_the_table_names_no_reader_that_is_gone():
    found = set(find_readers()) | OTHER_NAMES
    assert sorted((READERS | set(NOT_TEXTS)) - found) == []


@pytest.mark.parametrize(
    ("name", "reader"), [(name, reader) for name in TEXTS for reader in TEXTS[name].readers]
)
def test_every_reader_can_be_called(name, reader, tmp_path, monkeypatch):
    """Its examples are read or refused; a reader that lost a parameter is found here."""
    monkeypatch.chdir(tmp_path)
    for text in TEXTS[name].examples or ("",):
        with contextlib.suppress(BlackjackError):
            TEXTS[name].readers[reader](text)


@pytest.mark.parametrize("seam", SEAMS)
def test_a_seam_where_work_is_stopped_exists(seam):
    assert callable(find_seam(seam)[2])


def test_no_solver_works_behind_the_seams():
    classes = {seam.split(".")[-2] for seam in SEAMS}
    for module in (SRC / "exact").glob("*.py"):
        for solver in re.findall(r"^class (\w+Solver)\(?", module.read_text("utf-8"), re.MULTILINE):
            assert solver in classes or solver == "Solver", f"{module.name}: {solver}"


def test_the_page_states_the_figures_that_were_kept():
    page = PAGE.read_text(encoding="utf-8")
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    assert write_page(page, figures) == page
