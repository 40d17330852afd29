"""Letters work in both cases on every screen, and a key that means nothing says so."""

from __future__ import annotations

import importlib
import pkgutil
from fractions import Fraction

import pytest
from screen_driver import drive, plan_for, press, text_of, wait_for
from textual.app import App
from textual.dom import DOMNode

import upcard.tui
from upcard.session.review import find_source
from upcard.tui.app import ScreenOptions

for module in pkgutil.walk_packages(upcard.tui.__path__, "upcard.tui."):
    importlib.import_module(module.name)


def all_nodes(kind=DOMNode):
    for found in kind.__subclasses__():
        if found.__module__.startswith("upcard."):
            yield found
        yield from all_nodes(found)


@pytest.mark.parametrize("node", sorted(set(all_nodes()), key=str), ids=lambda one: one.__name__)
def test_every_letter_is_bound_in_both_cases(node):  # F7
    bound = node._merge_bindings().key_to_bindings
    for key, bindings in bound.items():
        if len(key) == 1 and key.isalpha():
            other = [one.action for one in bound.get(key.swapcase(), ())]
            assert other == [one.action for one in bindings], key
    assert issubclass(node, App) or "x" not in bound


def hand():
    return ScreenOptions(plan=plan_for(), cards="T 6 8 T 9", chips=Fraction(100), coach="silent")


@pytest.mark.slow
def test_capital_letters_do_what_small_ones_do_at_the_table():  # F7
    async def script(pilot, app):
        await press(pilot, "enter", "C")
        assert "The coach speaks after the hand." in text_of(app)
        await press(pilot, "W")
        await wait_for(pilot, lambda: "The dealer ends with" in text_of(app))
        await press(pilot, "W", "L", "S", "U")
        assert "Taken back." in text_of(app)

    drive(script, hand())


UNKNOWN = [("x", "X"), ("Z", "Z"), ("g", "G"), ("f5", "F5"), ("ctrl+g", "Ctrl-G"), ("f6", "F6")]


async def all_mean_nothing(pilot, app, where="? lists the keys."):
    for key, name in UNKNOWN:
        await press(pilot, key)
        assert f"{name} means nothing here. {where}" in text_of(app)


@pytest.mark.slow
def test_a_key_that_means_nothing_says_so_at_a_question_and_between_hands():  # F8
    async def script(pilot, app):
        await all_mean_nothing(pilot, app)
        await press(pilot, "enter")
        await all_mean_nothing(pilot, app)
        for key in ("y", "up", "end"):
            await press(pilot, key)
            assert f"{key.capitalize()} means nothing here." in text_of(app)
        await press(pilot, "t")
        assert "means nothing" not in text_of(app)  # F11: it ends at the next key
        await press(pilot, "question_mark", "x")
        assert "X means nothing here. Esc closes." in text_of(app)

    drive(script, hand())


@pytest.mark.slow
def test_a_key_that_means_nothing_says_so_on_the_start_screen_and_in_the_history(tmp_path):  # F8
    async def script(pilot, app):
        for key, name in UNKNOWN[:5]:
            await press(pilot, key)
            assert f"{name} means nothing here. ? lists the keys." in text_of(app)
        await press(pilot, "h")
        await wait_for(pilot, lambda: "Your rounds" in text_of(app))
        await press(pilot, "z")
        assert "Z means nothing here." in text_of(app)

    drive(script, ScreenOptions(), path=tmp_path / "upcard.db")


def test_a_key_that_means_nothing_says_so_over_a_round_again():  # F8
    async def script(pilot, app):
        await wait_for(pilot, lambda: app.screen.replaying is not None)
        await all_mean_nothing(pilot, app)

    code = "0TAiDgkDHiwT_yPSaITTAOYudQ"
    drive(script, ScreenOptions(replay=find_source(code), keep="practice"))
