"""A keymap gives actions of the screen other keys, and a faulty one is refused before it opens."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import pytest
from screen_driver import drive, plan_for, press, text_of

from upcard.cli.app import run
from upcard.cli.play import command
from upcard.core.errors import UserFileError
from upcard.tui.app import ScreenOptions
from upcard.tui.keys import SCREENS, read_keymap


def write_keymap(text):
    folder = Path(os.environ["UPCARD_DATA"])
    folder.mkdir(parents=True, exist_ok=True)
    folder.joinpath("keys.toml").write_text(text)


def play_hand(script, keymap):
    write_keymap(keymap)
    hand = ScreenOptions(plan=plan_for(), cards="T 6 8 T 9 5", chips=Fraction(100), coach="silent")
    return drive(script, hand, keymap=read_keymap())


def test_a_keymap_gives_an_answer_another_key_in_both_cases_and_on_the_bottom_line():
    async def script(pilot, app):
        await press(pilot, "enter")
        assert " X  hit" in text_of(app)
        await press(pilot, "h")
        assert "H means nothing here." in text_of(app)
        await press(pilot, "X")
        assert len(app.seat.session.state.hands[0].cards) == 3
        await press(pilot, "question_mark")
        assert "Your keymap: X answer.hit." in text_of(app)

    play_hand(script, '"answer.hit" = "x"')


def test_two_answers_may_swap_their_keys():
    async def script(pilot, app):
        await press(pilot, "enter", "s")
        assert len(app.seat.session.state.hands[0].cards) == 3

    play_hand(script, '[answer]\nhit = "s"\nstand = "h"')


def test_an_answer_that_is_not_legal_says_why_under_its_new_key_and_is_disabled():
    async def script(pilot, app):
        await press(pilot, "enter", "x")
        assert "Cannot split" in text_of(app) or "cannot split" in text_of(app)
        bound = app.screen.active_bindings
        assert not bound["x"].enabled
        assert bound["h"].enabled
        assert bound["h"].tooltip

    play_hand(script, '"answer.split" = "x"')


REFUSED = [
    ('"answer.hti" = "x"', 'no action is called "answer.hti"; similar ones: answer.hit'),
    ('"answer.hit" = "5"', "is needed to type numbers"),
    ('"answer.hit" = "kp_7"', "possible: a letter, a punctuation mark"),
    ('"answer.hit" = ""', "write its keys in quotes"),
    ('"answer.hit" = 7', "write its keys in quotes"),
    ('"answer.hit" = "s"', "is answer.hit and answer.stand on the table"),
    ('"answer.hit" = "x"\n"table.undo" = "X"', "is answer.hit and table.undo on the table"),
    ('"answer.hit" = "ctrl+c"', "ends the program"),
    ("answer", "not TOML"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_a_faulty_keymap_is_refused_with_what_is_possible(text, reason):
    write_keymap(text)
    with pytest.raises(UserFileError, match=r"keys\.toml") as found:
        read_keymap()
    assert reason in str(found.value).replace("'", '"')


def test_a_faulty_keymap_ends_the_command_with_exit_code_2(monkeypatch, capsys):
    write_keymap('"answer.hti" = "x"')
    monkeypatch.setattr(command, "can_show_screen", lambda: True)
    assert run(["play", "--practice"]) == 2
    assert "similar ones: answer.hit" in capsys.readouterr().err


def test_without_a_file_the_keys_are_the_standard_ones():
    assert read_keymap() == {}


@pytest.mark.parametrize("screen", SCREENS)
def test_every_action_with_an_id_has_a_tooltip_and_a_row_in_the_documentation(screen):
    page = Path(__file__).parents[2].joinpath("docs", "keymap.md").read_text()
    for binding in SCREENS[screen]:
        if binding.id is not None:
            assert binding.tooltip
            assert f"`{binding.id}`" in page
