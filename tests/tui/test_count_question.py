"""The count question and the bet check on the screen: asked, judged, scored, taken back."""

from __future__ import annotations

from fractions import Fraction

import pytest
from screen_driver import SMALL, drive, flat, plan_for, press, settle, text_of, wait_for

from upcard.core.errors import NotationError, as_sentence
from upcard.session.betting import HINT
from upcard.session.count_check import BetRemark, CountRemark
from upcard.store.database import open_store
from upcard.strategy.count_system import CountBy, load_system, read_count
from upcard.tui.app import ScreenOptions
from upcard.tui.pages import ReportPage

# You stand on 20 against 18, three times: the count falls by 3 a round.
CARDS = "T T T 8 T T T 8 T T T 8"
QUESTION = f"What is the running count ({load_system('hi-lo')})?"
BETS = "Enter bets 10"
MINUS_3 = ("-", "3", "enter")


def judge(count, said):
    return str(CountRemark(count=Fraction(count), said=Fraction(said)))


def play(script, *keys, ask="hi-lo:1", ramp=None, unit=None, size=SMALL, rules="6D", **options):
    """Press keys at a table that asks, then run the script."""

    async def run(pilot, app):
        await press(pilot, *keys)
        await script(pilot, app)

    opening = ScreenOptions(
        plan=plan_for(
            rules, count=ask or "", check_bets=ramp or "", **({"unit": unit} if unit else {})
        ),
        coach="silent",
        **({"cards": CARDS, "chips": Fraction(100)} | options),
    )
    return drive(run, opening, size=size)


def seen(*keys, **options):
    """Return what the screen shows after some keys, in one line."""
    shown = []

    async def script(_, app):
        shown.append(flat(app))

    play(script, *keys, **options)
    return shown[0]


def test_the_count_is_asked_between_rounds_in_the_place_of_the_bet():
    assert f"{QUESTION} _ Enter" in seen("enter", "s")
    assert QUESTION not in seen()


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("size", [(40, 12), SMALL, (140, 45)])
def test_the_question_is_asked_in_full_at_every_size(size):
    assert "count (hi-lo)? -12_" in seen("enter", "s", *"-12", size=size)


@pytest.mark.slow
def test_it_is_asked_after_every_n_rounds():
    assert QUESTION not in seen("enter", "s", ask="hi-lo:2")
    assert QUESTION in seen("enter", "s", "enter", "s", ask="hi-lo:2")


@pytest.mark.slow
def test_a_right_answer_is_told_and_the_next_round_can_be_dealt():
    text = seen("enter", "s", *MINUS_3)
    assert judge(-3, -3) in text
    assert BETS in text
    assert QUESTION not in text
    assert "against 10" in seen("enter", "s", *MINUS_3, "enter")


def test_a_wrong_answer_is_told_with_the_count():
    assert judge(-3, 5) in seen("enter", "s", "5", "enter")


@pytest.mark.parametrize("key", ["enter", "space", "escape"])
def test_a_question_can_be_skipped_and_is_not_scored(key):
    async def script(pilot, app):
        assert QUESTION not in flat(app)
        assert BETS in flat(app)
        await press(pilot, "q")
        assert "Counts:" not in flat(app)

    play(script, "enter", "s", key)


def test_escape_skips_what_is_half_typed_too():
    text = seen("enter", "s", "7", "escape")
    assert BETS in text
    assert judge(-3, 7) not in text


def test_what_is_no_number_is_refused_and_stays_to_be_corrected():
    async def script(pilot, app):
        with pytest.raises(NotationError) as fault:
            read_count("3-")
        assert as_sentence(str(fault.value)) in flat(app)
        assert f"{QUESTION} 3-_" in flat(app)
        await press(pilot, "backspace", "backspace", *MINUS_3)
        assert judge(-3, -3) in flat(app)

    play(script, "enter", "s", "3", "-", "enter")


def test_keys_of_answers_say_what_can_be_typed():
    assert HINT.partition(",")[0] in seen("enter", "s", "h")


@pytest.mark.slow
def test_the_coach_the_messages_and_help_can_be_opened_at_the_question():
    async def script(pilot, app):
        for key in ("w", "v", "question_mark"):
            await press(pilot, key)
            assert QUESTION not in text_of(app).splitlines()[10]
            await press(pilot, "escape")
            assert QUESTION in flat(app)
            assert app.screen.betting.question

    play(script, "enter", "s")


def test_a_round_taken_back_at_the_question_is_counted_again():
    async def script(pilot, app):
        assert QUESTION not in flat(app)
        await press(pilot, "s")
        assert f"{QUESTION} _" in flat(app)
        await press(pilot, *MINUS_3)
        assert judge(-3, -3) in flat(app)

    play(script, "enter", "s", "5", "u")


def test_the_hole_card_that_the_dealer_shows_after_your_bust_is_counted():
    """The line game does not show it, and does not count it."""
    keys = ("enter", "h", "1", "enter")  # T, 6 and T of yours, 5 and 6 of the dealer's
    assert judge(1, 1) in seen(*keys, cards="T 5 6 6 T")


@pytest.mark.slow
def test_the_report_has_the_score():
    async def script(pilot, app):
        assert isinstance(app.screen, ReportPage)
        text = flat(app)
        assert "1 of 2" in text
        assert text.index("2 rounds") < text.index("Counts:") < text.rindex("decisions")

    play(script, "enter", "s", *MINUS_3, "enter", "s", "5", "enter", "q")


def test_a_table_where_nothing_was_decided_reports_the_score_too():
    async def script(pilot, app):
        assert "1 of 1" in flat(app)

    play(script, "enter", "-", "2", "enter", "q", cards="A 9 T 8")


def test_no_question_comes_after_the_last_round():
    text = seen("enter", "s", rounds=1)
    assert "1 round" in text
    assert QUESTION not in text


@pytest.mark.slow
def test_a_bet_that_is_not_the_ramps_is_told_when_the_round_is_dealt():
    # Six low cards of a deck: the dealer has 4+5+6, you 5+6 and stand; then the shoe is rich.
    cards = "5 4 6 5 6 2 T T 8 9"
    ramp = {"units": Fraction(8), "chips": Fraction(80), "possible": Fraction(80)}
    said = str(BetRemark(count=6, by=CountBy.TRUE, bet=Fraction(10), **ramp))
    options = {"ask": None, "ramp": "1-8", "rules": "1D", "cards": cards}
    assert said not in seen("enter", "s", **options)
    assert said in seen("enter", "s", "enter", **options)
    assert "The ramp" not in seen("enter", "s", "8", "0", "enter", **options)


def test_a_bet_that_is_refused_is_not_compared():
    text = seen("5", "0", "0", "enter", ask=None, ramp="1-8")
    assert "The ramp" not in text
    assert "500" in text


@pytest.mark.slow
def test_no_count_is_asked_of_a_shoe_that_was_ended():
    """On the page of the fair shuffle; the next bet is that of a fresh shoe."""

    async def script(pilot, app):
        while app.seat.session.bank.rounds < 2:
            await press(pilot, *(["enter"] if not app.seat.session.options else []))
            while app.seat.session.options:
                await press(pilot, "n" if app.seat.session.options[-1].declines else "s")
        assert QUESTION in flat(app)
        await press(pilot, "f", "ctrl+e", "escape")
        assert BETS in flat(app)
        await press(pilot, "enter")
        assert "The ramp" not in " ".join(app.screen.messages)

    play(script, ask="hi-lo:2", ramp="1-8", cards=None)


@pytest.mark.slow
def test_counting_begins_at_the_table_that_was_asked_for_after_a_hand_left_unfinished(tmp_path):
    path = tmp_path / "upcard.db"
    opening = ScreenOptions(plan=plan_for("6D NOINS", count="hi-lo:1"), coach="silent")

    async def deal(pilot, app):
        await wait_for(pilot, lambda: app.seat is not None)
        while not app.seat.session.options:
            await press(pilot, "enter")

    async def leave(pilot, app):
        await deal(pilot, app)
        await press(pilot, "q")

    async def go_on(pilot, app):
        while app.seat.session.options:
            await press(pilot, "s")
        assert QUESTION not in flat(app)
        await press(pilot, "enter")
        await settle(pilot)
        await deal(pilot, app)
        while app.seat.session.options:
            await press(pilot, "s")
        assert QUESTION in flat(app)

    drive(leave, ScreenOptions(plan=plan_for("6D NOINS"), coach="silent"), path=path)
    drive(go_on, opening, path=path)
    with open_store(path):
        pass


@pytest.mark.slow
def test_the_start_screen_has_the_question_among_its_lines():
    async def script(pilot, app):
        row = next(line for line in text_of(app).splitlines() if "Count question" in line)
        assert "off" in row
        await press(pilot, "end", "up", "right")
        assert "hi-lo, every 1" in flat(app)
        await press(pilot, "down", "right", "enter")
        await wait_for(pilot, lambda: app.seat is not None)
        await settle(pilot)
        assert app.screen.betting.count._check.every == 1

    drive(script)


@pytest.mark.slow
def test_a_count_question_is_typed_on_the_start_screen_and_refused_with_the_reason():
    async def script(pilot, app):
        await press(pilot, "end", "up", "e", *"high", "enter")
        assert "'high'" in flat(app)
        await press(pilot, *["backspace"] * 4, *"ko", "colon", "7", "enter")
        assert app.screen.choice.count == "ko:7"
        assert "ko, every 7" in flat(app)

    drive(script)
