"""Every key of the start screen."""

import pytest
from screen_driver import LARGE, SMALL, drive, press, text_of, wait_for

from upcard.exact.solve import expected_value
from upcard.rules.model import Rules
from upcard.session.machine_code import NOTICE
from upcard.tui import start


def known_edge(app):
    return app.screen.edges.find(app.screen.choice.rules) is not None


@pytest.mark.slow
def test_it_shows_the_exact_edge_of_each_rule_that_is_turned():
    async def script(pilot, app):
        await wait_for(pilot, lambda: known_edge(app))
        first = expected_value(Rules())
        assert f"House edge  {-first:.5%}" in text_of(app)
        await press(pilot, "down", "down", "right")
        assert app.screen.choice.rules == Rules.parse("6D H17")
        await wait_for(pilot, lambda: known_edge(app))
        second = expected_value(Rules.parse("6D H17"))
        assert f"House edge  {-second:.5%}" in text_of(app)
        assert f"This change: {first - second:.5%} worse for you" in text_of(app)

    drive(script)


@pytest.mark.slow
def test_houses_go_round_both_ways():
    async def script(pilot, app):
        await press(pilot, "right")
        assert app.screen.choice.rules.name == "atlantic-city"
        await press(pilot, "left", "left")
        assert app.screen.choice.rules.name == "zombie"
        await press(pilot, "down", "right")
        assert str(app.screen.choice.rules) == "zombie 8D"

    drive(script)


@pytest.mark.slow
def test_enter_sits_down_and_leaving_comes_back():
    async def script(pilot, app):
        await press(pilot, "enter")
        assert app.seat is not None
        await press(pilot, "q")
        assert "choose a table" in text_of(app)
        assert "after 0 rounds" in text_of(app)

    app = drive(script)
    assert app.farewell == []


@pytest.mark.slow
def test_what_is_chosen_is_found_again(tmp_path):
    path = tmp_path / "upcard.db"

    async def choose(pilot, app):
        await press(pilot, *["down"] * 10, "right", "enter")
        assert app.seat.session.rules == Rules.parse("6D LS")

    drive(choose, path=path)

    async def again(pilot, app):
        assert app.screen.choice.rules == Rules.parse("6D LS")

    drive(again, path=path)


@pytest.mark.slow
def test_rules_can_be_typed_and_faults_are_told():
    async def script(pilot, app):
        await press(pilot, "e", *["backspace"] * 60, *"european", "space", *"LS", "enter")
        assert app.screen.choice.rules == Rules.parse("european LS")
        await press(pilot, "e", *["backspace"] * 60, *"6X", "enter")
        assert "6X" in text_of(app)
        await press(pilot, "escape")  # what is refused stays to be corrected
        assert app.screen.choice.rules == Rules.parse("european LS")
        await press(pilot, "e", *"junk", "escape")
        assert app.screen.choice.rules == Rules.parse("european LS")

    drive(script)


@pytest.mark.slow
def test_coach_company_and_memory_are_rows():
    async def script(pilot, app):
        await press(pilot, "end")
        assert app.screen._chosen().kind == "keep"
        await press(pilot, "right")
        assert not app.screen.choice.keeps
        await press(pilot, "up", "right")
        assert app.screen.choice.count == "hi-lo:1"
        await press(pilot, "up", "right")
        assert str(app.knows) == "seen"
        await press(pilot, "up", "right")
        assert str(app.voice) == "before"
        await press(pilot, "up", "right", "right")
        assert app.screen.choice.company == "mimic; you; lott-simple"
        await press(pilot, "enter")
        await wait_for(pilot, lambda: app.seat is not None)
        assert app.seat.session.kept is None
        assert app.seat.session.player_spots == (1,)

    drive(script)


@pytest.mark.slow
def test_a_house_for_one_hand_takes_no_company():
    async def script(pilot, app):
        await press(pilot, *["down"] * 13, "right")
        assert app.screen.choice.hands == 2
        await press(pilot, "home", "right", "right")
        assert app.screen.choice.rules.name == "deshmukh"
        assert app.screen.choice.hands == 1

    drive(script)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_nothing_is_cut_off(size):
    async def script(pilot, app):
        await wait_for(pilot, lambda: known_edge(app))
        lines = text_of(app).splitlines()
        assert "Rounds are" in text_of(app)
        assert "quit" in lines[-1]

    drive(script, size=size)


@pytest.mark.slow
def test_help_theme_and_quit():
    async def script(pilot, app):
        await press(pilot, "question_mark")
        assert "the edge is that of the table" in text_of(app)
        await press(pilot, "escape", "t", "t")
        assert app.theme == "four-colour"
        await press(pilot, "q")
        assert not app.is_running or app._exit

    drive(script)


def test_the_screen_says_so_while_machine_code_is_compiled(monkeypatch):
    working = [True]
    monkeypatch.setattr(start, "is_compiling", lambda: bool(working))
    monkeypatch.setattr(start, "_LOOK_SECONDS", 0.01)

    async def script(pilot, app):
        assert NOTICE in text_of(app)
        working.clear()
        await wait_for(pilot, lambda: NOTICE not in text_of(app))

    drive(script)
