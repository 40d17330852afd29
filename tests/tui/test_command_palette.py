"""The command palette lists what can be done now, and runs it."""

from __future__ import annotations

import asyncio
from fractions import Fraction
from threading import Event

import pytest
from screen_driver import drive, plan_for, press, text_of, wait_for
from test_cards_drawn import contrast
from textual.command import CommandList

from upcard.answers.questions import QUESTIONS, NamedQuestion, Sheet
from upcard.charts.palette import THEME_NAMES
from upcard.core import long_work
from upcard.tui.app import ScreenOptions
from upcard.tui.appearance import Appearance


def hand():
    return ScreenOptions(plan=plan_for(), cards="T 6 8 T 9 5", chips=Fraction(100), coach="silent")


def titles(app):
    return [one.title for one in app.get_system_commands(app.screen)]


def test_the_palette_lists_the_legal_answers_and_no_others():
    async def script(pilot, app):
        assert "Hit" not in titles(app)
        assert "Deal" in titles(app)
        await press(pilot, "enter")
        assert {"Hit", "Stand", "Double", "Surrender"} <= set(titles(app))
        assert not {"Split", "Insure", "Yes", "Deal"} & set(titles(app))
        assert {"Help", "Leave", "History", "Drills", "Theme light", "Quit"} <= set(titles(app))

    drive(script, hand())


def test_a_command_of_the_palette_is_run_at_the_table():
    async def script(pilot, app):
        await press(pilot, "enter", "ctrl+p")
        await wait_for(pilot, lambda: "Search for commands" in text_of(app))
        await press(pilot, *"hit")
        await wait_for(pilot, lambda: "Take a card." in text_of(app))
        await press(pilot, "enter")
        await wait_for(pilot, lambda: len(app.seat.session.state.hands[0].cards) == 3)

    drive(script, hand())


def test_a_search_that_begins_when_the_palette_is_closed_ends_nothing():
    async def script(pilot, app):
        await press(pilot, "enter", "ctrl+p")
        await wait_for(pilot, lambda: "Search for commands" in text_of(app))
        await app.screen.query(CommandList).remove()  # as it is while it is closed
        await press(pilot, "h", "escape")
        await wait_for(pilot, lambda: "Search for commands" not in text_of(app))
        assert app.failure is None

    drive(script, hand())


def test_a_page_that_nothing_waits_for_any_more_is_left_all_the_same():
    async def script(pilot, app):
        await press(pilot, "enter", "question_mark")
        page = app.screen
        page._result_callbacks[-1].future = asyncio.get_running_loop().create_future()
        page._result_callbacks[-1].future.cancel()
        await press(pilot, "escape")
        await wait_for(pilot, lambda: app.screen is not page)
        assert app.failure is None

    drive(script, hand())


def test_a_page_is_left_once_and_takes_no_other_with_it():
    async def script(pilot, app):
        await press(pilot, "enter", "question_mark")
        table, page = app.screen_stack[-2:]
        page.dismiss()
        page.dismiss()
        await press(pilot)
        assert app.screen is table
        assert app.failure is None

    drive(script, hand())


def test_a_page_under_the_palette_is_left_with_it():
    async def script(pilot, app):
        await press(pilot, "enter", "question_mark")
        table = app.screen_stack[-2]
        page = app.screen
        await press(pilot, "ctrl+p")
        await wait_for(pilot, lambda: app.screen is not page)
        page.dismiss()
        await wait_for(pilot, lambda: app.screen is table)
        assert app.failure is None

    drive(script, hand())


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("theme", THEME_NAMES)
def test_the_palette_is_readable_in_every_theme(theme):
    """WCAG 2.2, 1.4.3: a contrast of at least 4.5 to 1."""

    async def script(pilot, app):
        await press(pilot, "enter", "ctrl+p", *"hit")
        await wait_for(pilot, lambda: "Take a card." in text_of(app))
        shown = app.screen._compositor.render_strips()
        words = [part for row in shown for part in row if any(map(str.isalpha, part.text))]
        box = [one for one in words if one.style.bgcolor is not None and "Take a" in one.text]
        assert box
        for part in words:
            if not any(word in part.text for word in ("Hit", "Take", "Stand", "Double", "Search")):
                continue
            ink, paper = (one.triplet.hex for one in (part.style.color, part.style.bgcolor))
            assert contrast(ink, paper) >= 4.5, (part.text, part.style)

    drive(script, hand(), look=Appearance(theme=theme, animate=False))


@pytest.mark.slow
def test_which_game_to_play_asks_for_the_games(monkeypatch):
    asked = []

    def answer(question, rules, **values):
        asked.append(values)
        return Sheet(title="Which game", findings=("Play A.",))

    monkeypatch.setattr(NamedQuestion, "ask", answer)

    async def script(pilot, app):
        command = next(
            one for one in app.get_system_commands(app.screen) if one.title == "Which game to play"
        )
        command.callback()
        await wait_for(pilot, lambda: "The other games" in text_of(app))
        await press(pilot, *["backspace"] * len("vegas-strip, downtown, six-to-five"))
        await press(pilot, *"2D", "enter")
        for words in ("Count cards", "Index plays"):
            await wait_for(pilot, lambda words=words: words in text_of(app))
            await press(pilot, "enter")
        await wait_for(pilot, lambda: "Play A." in text_of(app))
        await press(pilot, "escape")
        asked_before = len(asked)
        command.callback()
        await wait_for(pilot, lambda: "The other games" in text_of(app))
        await press(pilot, "escape")
        await pilot.pause()
        assert len(asked) == asked_before  # Escape asks nothing

    drive(script, hand())
    assert asked[0]["games"] == ("2D",)


def test_a_question_that_needs_a_text_shows_one_to_be_changed():
    async def script(pilot, app):
        app.ask(QUESTIONS["policy"], app.seat.session.rules)
        await wait_for(pilot, lambda: "Probability of a card" in text_of(app))
        await press(pilot, "enter")
        await wait_for(pilot, lambda: "BlackJack(4/13)" in text_of(app))

    drive(script, hand())


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_palette_asks_for_what_an_answer_needs(name):
    """Every field that only a text can fill and that decides the answer is asked for."""
    texts = {one.name for one in QUESTIONS[name].fields if one.field.typed}
    asked = {"compare": {"games"}, "policy": {"p"}, "solve": {"hand"}}
    assert texts == asked.get(name, set())


def test_a_closed_page_ends_the_computation_of_its_answer(monkeypatch):
    begun, ended = Event(), Event()

    def answer(question, rules, **values):
        begun.set()
        try:
            while not ended.wait(0.001):
                long_work.check()
        finally:
            ended.set()

    monkeypatch.setattr(NamedQuestion, "ask", answer)

    async def script(pilot, app):
        app.ask(QUESTIONS["dealer"], app.seat.session.rules)
        await wait_for(pilot, begun.is_set)
        await press(pilot, "escape")
        await wait_for(pilot, ended.is_set)

    drive(script, hand())


def test_any_field_of_a_question_is_changed_and_it_is_asked_again(monkeypatch):
    asked = []

    def answer(question, rules, *, is_given, asking, **values):
        asked.append(values)
        return Sheet(title="Dealer", findings=(f"Shoe {values.get('shoe')}.",))

    monkeypatch.setattr(NamedQuestion, "ask", answer)

    async def script(pilot, app):
        app.ask(QUESTIONS["dealer"], app.seat.session.rules)
        await wait_for(pilot, lambda: "Shoe None." in text_of(app))
        assert "C: change" in text_of(app)
        await press(pilot, "c")
        await wait_for(pilot, lambda: "Shoe: -" in text_of(app))
        await press(pilot, "enter")
        await wait_for(pilot, lambda: "Cards before the deal" in text_of(app))
        await press(pilot, *"1D", "enter")
        await wait_for(pilot, lambda: "Shoe 1D." in text_of(app))
        await press(pilot, "c")
        await wait_for(pilot, lambda: "Shoe: 1D" in text_of(app))

    drive(script, hand())
    assert asked == [{}, {"shoe": "1D"}]
