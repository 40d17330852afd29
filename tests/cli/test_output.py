"""Standard output and files beside it: what is told when either fails, and what stays."""

from __future__ import annotations

import contextlib
import io
import sys
from dataclasses import replace
from pathlib import Path

import click
import pytest
from driving import talk

from upcard.cli import app, output
from upcard.cli.app import run
from upcard.cli.streams import output_file
from upcard.core import figure
from upcard.store.bankroll import bankroll_of, deposit
from upcard.store.database import open_store
from upcard.store.files import store_path

LONG = "a" * 300
INPUTS = {"strategy", "resume", "count", "indices", "system"}
QUICK = ["--rounds", "200k", "--seed", "1"]


class Gone(io.StringIO):
    """A pipe whose reader has left."""

    encoding = "utf-8"

    def write(self, text: str, /) -> int:
        raise BrokenPipeError(32, "Broken pipe")


def talk_to_nobody(arguments) -> tuple[int, str]:
    err = io.StringIO()
    with contextlib.redirect_stdout(Gone()), contextlib.redirect_stderr(err):
        code = run(arguments)
    assert not isinstance(sys.stdout, Gone)
    return code, err.getvalue()


@pytest.fixture(scope="module")
def counted_run(tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "run.json"
    assert talk(["simulate", *QUICK, "--count", "hi-lo", "-o", str(path)]).code == 0
    return str(path)


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulate", *QUICK, "--csv"],
        ["simulate", *QUICK, "--json", "--csv"],
        ["sessions", "--sessions", "2", "--rounds", "9", "--seed", "1", "--csv"],
        ["sessions", "--sessions", "2", "--rounds", "9", "--seed", "1", "--plot"],
        ["bankroll", "--bankroll", "9", "--rounds", "9", "--paths", "2", "--seed", "1", "--csv"],
        ["bankroll", "--bankroll", "9", "--rounds", "9", "--paths", "2", "--seed", "1", "--plot"],
        ["ramp", "RUN.json", "--ramp", "1-8", "--unit", "1", "--bankroll", "99", "--csv"],
        pytest.param(
            ["indices", "--method", "exact", "--plays", "16 v T", "-o"], marks=pytest.mark.slow
        ),
    ],
    ids=" ".join,
)
def test_a_file_is_written_though_the_reader_of_the_text_has_left(arguments, counted_run, tmp_path):
    """F4 of the audit: `upcard simulate --csv FILE | head` wrote no file."""
    words = [counted_run if word == "RUN.json" else word for word in arguments]
    there, here = tmp_path / "there.txt", tmp_path / "here.txt"
    assert talk([*words, str(there)]).code == 0
    code, err = talk_to_nobody([*words, str(here)])
    assert code == 0
    assert "cannot" not in err
    assert here.read_bytes() == there.read_bytes() != b""


@pytest.mark.parametrize("is_across", [False, True])
def test_columns_are_aligned_as_they_are_written_without_glyphs(is_across):
    columns = (figure.text("name"), figure.label("value"))
    rows = [("one", "1 ± 2"), ("two", "−3"), ("three", "4")]
    table = replace(figure.make_table("", columns, rows), is_across=is_across)
    with contextlib.redirect_stdout(io.StringIO()) as out:  # without an encoding: 7 bits
        output.echo_table(table)
    lines = out.getvalue().splitlines()
    assert "+-" in out.getvalue()
    assert len({*map(len, lines)}) == 1, lines


def test_every_option_that_writes_a_file_holds_the_text_back():
    named = {
        (name, option.name)
        for name in app.cli.list_commands(click.Context(app.cli))
        for option in app.import_command(name).params
        if "FILE" in (option.metavar or "").split("|") and option.callback is not output_file
    }
    assert {option for _, option in named} <= INPUTS


def test_what_is_held_back_keeps_its_bytes(tmp_path):
    path = str(tmp_path / "x.txt")
    words = ["sessions", "--sessions", "2", "--rounds", "9", "--seed", "1", "--plot", "-"]
    assert talk([*words, "--csv", path]).out == talk(words).out


@pytest.mark.parametrize("option", ["--csv", "--plot"])
def test_a_file_that_cannot_be_is_named_and_is_not_the_output(option, tmp_path):
    """S4.1: any error of the system became "cannot write the output"."""
    path = str(tmp_path / (LONG + ".txt"))
    code, out, err = talk(["bankroll", "--bankroll", "9", "--rounds", "9", option, path])
    assert code == 2
    assert not out
    assert LONG in err
    assert "File name too long" in err
    assert "output" not in err


def test_an_error_of_a_file_in_a_command_names_the_file(monkeypatch):
    """S4.1."""

    def fail(**_):
        Path(LONG).stat()

    monkeypatch.setattr("upcard.answers.rules.list_houses", fail)
    assert talk(["houses"]) == (
        2,
        "",
        f"upcard houses: cannot use the file '{LONG}': File name too long\n",
    )


def test_an_error_of_the_output_is_called_so(monkeypatch):
    class Full(Gone):
        def write(self, text: str, /) -> int:
            raise OSError(28, "No space left on device")

        flush = lambda self: self.write("")  # noqa: E731

    err = io.StringIO()
    with contextlib.redirect_stdout(Full()), contextlib.redirect_stderr(err):
        code = run(["houses"])
    assert (code, err.getvalue()) == (
        2,
        "upcard: cannot write the output: No space left on device\n",
    )


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("plya", "upcard: There is no command 'plya'. Did you mean 'play' or 'replay'?\n"),
        ("Simulat", "upcard: There is no command 'Simulat'. Did you mean 'simulate'?\n"),
        ("xyzzy", "upcard: There is no command 'xyzzy'. upcard --help lists them.\n"),
    ],
)
def test_a_command_that_is_misspelt_is_guessed(written, told):
    """F30."""
    assert talk([written]) == (2, "", told)


def test_the_saved_games_are_no_place_for_an_output():
    with open_store() as store:
        deposit(store, 5)
    done = talk(["chart", "--format", "text", "-o", str(store_path())])
    assert (done.code, "it holds your saved games" in done.err) == (2, True)
    with open_store() as store:
        assert bankroll_of(store) == 5
