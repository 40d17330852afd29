"""A round again on the screen: every question, and what could have been."""

from __future__ import annotations

import pytest
from screen_driver import drive, press, settle, text_of, wait_for

from upcard.coach.adviser import Coach
from upcard.core.actions import Action
from upcard.core.cards import parse_cards
from upcard.rules.model import Rules
from upcard.session.review import find_source
from upcard.store.round_codes import encode_round
from upcard.table.rounds import CardList, RoundRecord
from upcard.tui.app import ScreenOptions
from upcard.tui.pages import ReportPage

RULES = Rules.parse("6D LS")
CARDS = "TS 9H 2D TC 4C 5H 6S 7D"


def source(actions=("hit", "stand"), cards=CARDS, rules=RULES):
    coded = RoundRecord(
        rules=rules,
        bets=(10,),
        actions=tuple(map(Action, actions)),
        source=CardList(tuple(parse_cards(cards))),
    )
    return find_source(encode_round(coded))


def replay(script, found=None, **options):
    async def run(pilot, app):
        await wait_for(pilot, lambda: app.screen.replaying is not None)
        await script(pilot, app)

    return drive(run, ScreenOptions(replay=found or source(), keep="practice"), **options)


async def at_rest(pilot, app):
    await settle(pilot)
    await wait_for(pilot, lambda: not app.screen._is_busy)


def test_it_begins_at_the_first_question_with_the_values():
    async def script(pilot, app):
        text = text_of(app)
        assert "Question 1 of 2: hit (played)" in text
        assert "as played: −10" in text
        assert "★hit" in text
        assert "You hit 12 v 9. That was right." in text
        assert app.screen.source.code in text

    replay(script)


def test_arrows_step_and_stop_at_the_ends():
    async def script(pilot, app):
        await press(pilot, "left")
        assert "Question 1 of 2" in text_of(app)
        await press(pilot, "right")
        assert "Question 2 of 2: stand" in text_of(app)
        assert "Hit was better: a " in text_of(app)
        await press(pilot, "right", "right")
        assert "The end" in text_of(app)
        await press(pilot, "home")
        assert "Question 1 of 2" in text_of(app)
        await press(pilot, "end")
        assert "The end" in text_of(app)

    replay(script)


def test_the_values_are_the_coachs():
    async def script(pilot, app):
        question = app.screen.replaying.question
        advice = Coach(RULES).advise(question.view, question.legal)
        assert question.advice.ev == advice.ev

    replay(script)


def test_another_answer_plays_the_round_otherwise():
    async def script(pilot, app):
        await press(pilot, "right", "h")
        await at_rest(pilot, app)
        text = text_of(app)
        assert "as played: −10" in text
        assert "instead:" in text
        assert app.screen.replaying.review.state.hands[0].total == 21
        await press(pilot, "o")
        assert "instead:" not in text_of(app)

    replay(script, source(cards="TS 9H 2D TC 4C 5H"))


def test_a_second_change_keeps_the_first():
    async def script(pilot, app):
        await press(pilot, "s")  # 12 against 9
        await at_rest(pilot, app)
        assert "The end" in text_of(app)
        await press(pilot, "left", "d")
        await at_rest(pilot, app)
        assert app.screen.replaying.review.state.hands[0].bet == 20

    replay(script)


def test_an_illegal_answer_and_an_answer_at_the_end_say_why_not():
    async def script(pilot, app):
        await press(pilot, "p")
        assert "Cannot split 10♠ 2♦ v 9♥: it is not a pair." in text_of(app)
        await press(pilot, "end", "h")
        assert "go back to a question first" in text_of(app)

    replay(script)


def test_cards_that_nobody_knows_are_told_of():
    async def script(pilot, app):
        await press(pilot, "right", "h")
        await at_rest(pilot, app)
        assert "an unknown card is needed" in " ".join(text_of(app).split())

    replay(script, source(cards="TS 9H 2D TC 4C"))


def test_w_explains():
    async def script(pilot, app):
        await press(pilot, "w")
        await wait_for(pilot, lambda: "The dealer ends with" in text_of(app))
        await press(pilot, "escape", "question_mark")
        assert "What if?" in text_of(app) or "what if?" in text_of(app)

    replay(script)


@pytest.mark.slow
def test_from_the_list_of_ones_rounds(tmp_path):
    from fractions import Fraction

    async def script(pilot, app):
        await press(pilot, "enter", "enter")
        while app.seat.session.options:
            await press(pilot, "n" if app.seat.session.options[-1].declines else "s")
        await press(pilot, "q")
        if isinstance(app.screen, ReportPage):  # not after a natural: nothing was judged
            await press(pilot, "enter")
        await press(pilot, "h")
        assert "Your rounds" in text_of(app)
        await press(pilot, "enter")
        await wait_for(pilot, lambda: getattr(app.screen, "replaying", None) is not None)
        assert "Round 1 again" in text_of(app)
        await press(pilot, "q")
        assert "Your rounds" in text_of(app)
        await press(pilot, "q")
        assert "choose a table" in text_of(app)

    drive(script, ScreenOptions(chips=Fraction(100)), path=tmp_path / "upcard.db")


@pytest.mark.slow
def test_without_rounds_the_list_says_so():
    async def script(pilot, app):
        await press(pilot, "h")
        assert "No round has been saved yet" in text_of(app)
        await press(pilot, "escape")

    drive(script)
