"""A hand left unfinished continues first, announced; then comes the table that was asked for."""

import re
from fractions import Fraction

import pytest
from screen_driver import SMALL, drive, flat, plan_for, press, settle, text_of, wait_for

from campaign.books import check_books
from upcard import Rules, basic_strategy
from upcard.core.numbers import format_chips
from upcard.store.bankroll import free_chips_of
from upcard.store.database import open_store
from upcard.store.history import read_rounds
from upcard.store.sessions import find_open_rounds
from upcard.tui.app import ScreenOptions

SIX_DECKS = "6D NOINS"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "upcard.db"
    yield path
    with open_store(path) as store:
        check_books(store)


def opening(rules=SIX_DECKS, *, chips=None, rounds=None, player_seed="", **options):
    return ScreenOptions(
        plan=plan_for(rules, **options),
        coach="silent",
        chips=chips,
        rounds=rounds,
        player_seed=player_seed,
    )


async def deal(pilot, app):
    """Deal until a hand is asked."""
    await wait_for(pilot, lambda: app.seat is not None)
    while not app.seat.session.options:
        await press(pilot, "enter")


async def finish(pilot, app):
    """Stand until the hand is over."""
    while app.seat.session.options:
        await press(pilot, "n" if app.seat.session.options[-1].declines else "s")


def leave_a_hand(path, **options):
    async def leave(pilot, app):
        await deal(pilot, app)
        await press(pilot, "escape")

    return drive(leave, opening(**options), path=path)


@pytest.mark.slow
def test_it_is_announced_before_the_table_that_was_asked_for(path):
    """F1: the hand of another table stood there without a word."""
    leave_a_hand(path)

    async def script(pilot, app):
        assert "A hand was left unfinished: Blackjack by rules of your own, bet 10." in flat(app)
        assert "It continues first." in flat(app)
        await finish(pilot, app)
        last = text_of(app).splitlines()[-2]
        assert "Enter opens: European, no hole card (european)." in last
        asked = "That hand is finished. Enter opens the table you asked for: European, no hole card"
        assert asked in " ".join(app.screen.messages)
        await press(pilot, "enter")
        assert app.seat.session.rules.name == "european"
        assert "Enter bets 10" in flat(app)

    drive(script, opening("european"), path=path)


@pytest.mark.slow
def test_the_table_asked_for_has_its_chips_bet_hands_company_rounds_and_seed(path):
    """F1: `--house`, `--company`, `--chips` and `--bet` were ignored without a word."""
    leave_a_hand(path)

    async def script(pilot, app):
        await finish(pilot, app)
        await press(pilot, "enter")
        await wait_for(pilot, lambda: app.seat is not None)
        await settle(pilot)
        session = app.seat.session
        assert session.plan.company == "mimic; you; never-bust"
        assert session.player_spots == (1, 2)
        assert session.bank.balance == 500
        assert "Enter bets 5 on each of 2 hands" in flat(app)
        assert session.kept.fair_shoe.player_seed == "luck"
        await press(pilot, "enter")
        await finish(pilot, app)
        assert "1 round is played: Enter leaves the table." in flat(app)

    options = {"bet": Fraction(5), "hands": 2, "company": "mimic; you; never-bust"}
    drive(
        script,
        opening("european", chips=Fraction(500), rounds=1, player_seed="luck", **options),
        path=path,
    )


@pytest.mark.slow
def test_the_next_key_opens_even_the_same_rules_as_they_were_asked_for(path):
    """F1: `--chips 500 --bet 5` at the house of the hand were used up by it."""
    leave_a_hand(path)

    async def script(pilot, app):
        await finish(pilot, app)
        asked = text_of(app).splitlines()[-2]  # worded by what the result leaves room for
        assert re.search("Enter opens.*: Blackjack by rules of your own\\.", asked)
        await press(pilot, "h")
        assert not app.seat.session.is_playing
        await press(pilot, "space")
        assert app.seat.session.bank.balance == 500
        assert "Enter bets 5;" in flat(app)

    drive(script, opening(chips=Fraction(500), bet=Fraction(5)), path=path)


@pytest.mark.slow
def test_where_no_table_was_asked_for_comes_the_start_screen(path):
    leave_a_hand(path)

    async def script(pilot, app):
        await finish(pilot, app)
        assert "That hand is finished. Enter opens the start screen." in flat(app)
        await press(pilot, "enter")
        assert "choose a table" in text_of(app)
        assert app.seat is None

    drive(script, ScreenOptions(coach="silent"), path=path)


@pytest.mark.slow
def test_play_on_the_start_screen_finds_it(path):
    """F2: after Esc in mid-hand, Enter opened a new table and the bet hung."""
    seen = []

    async def script(pilot, app):
        await press(pilot, "enter")
        await deal(pilot, app)
        seen.append(app.seat.session.state.hands)
        await press(pilot, "escape")
        assert "choose a table" in text_of(app)
        for key in ("h", "d"):  # neither history nor drills lose it
            await press(pilot, key, "escape")
        await press(pilot, "enter")
        assert "A hand was left unfinished: " in flat(app)
        assert app.seat.session.state.hands == seen[0]
        await finish(pilot, app)
        await press(pilot, "enter")
        assert "Enter bets" in flat(app)

    drive(script, ScreenOptions(coach="silent"), path=path)
    with open_store(path) as store:
        assert not list(find_open_rounds(store))
        assert len(list(read_rounds(store))) >= 1


@pytest.mark.slow
def test_the_hint_on_the_start_screen_is_whole_at_80_columns(path):
    """F2: "it continues at the next" was cut before its last word."""

    async def script(pilot, app):
        await press(pilot, "enter")
        await deal(pilot, app)
        free = app.seat.session.bank.balance - 10
        await press(pilot, "q")
        assert "The hand is saved: Enter continues with it." in flat(app)
        assert f"{format_chips(free)} chips, 10 on a table" in text_of(app).splitlines()[0]

    drive(script, ScreenOptions(coach="silent"), size=SMALL, path=path)


@pytest.mark.slow
def test_left_again_it_is_kept_again(path):
    leave_a_hand(path)

    async def script(pilot, app):
        await press(pilot, "escape")
        assert "choose a table" in text_of(app)
        await press(pilot, "enter")
        assert "A hand was left unfinished" in flat(app)

    drive(script, ScreenOptions(coach="silent"), path=path)
    with open_store(path) as store:
        assert len(list(find_open_rounds(store))) == 1


def test_practice_does_not_look_for_hands(path):
    leave_a_hand(path)

    async def script(pilot, app):
        assert "unfinished" not in flat(app)
        assert app.seat.session.kept is None

    plan = plan_for(SIX_DECKS)
    drive(script, ScreenOptions(plan=plan, keep="practice", coach="silent"), path=path)


@pytest.mark.slow
def test_a_hand_that_cannot_go_on_is_announced_and_the_table_opens(path, tmp_path):
    """Company that is gone: the line game says so and opens the table, and so does the screen."""
    chart = tmp_path / "chart.txt"
    chart.write_text(str(basic_strategy(Rules.parse(SIX_DECKS))))
    leave_a_hand(path, company=f"you; chart:{chart}")
    chart.unlink()

    async def script(pilot, app):
        await wait_for(pilot, lambda: app.seat is not None)
        await settle(pilot)
        assert "cannot continue now: cannot read the chart" in " ".join(app.screen.messages)
        assert app.seat.session.rules.name == "european"

    drive(script, opening("european"), path=path)
    with open_store(path) as store:
        assert len(list(find_open_rounds(store))) == 1


def test_leaving_names_the_bet_on_the_table_separately(path):
    """F27: the farewell took the bet out of the balance, the table's top line did not."""
    heads = []

    async def leave(pilot, app):
        await deal(pilot, app)
        heads.append((text_of(app).splitlines()[0], app.seat.session.bank.balance))
        await press(pilot, "q")

    app = drive(leave, opening(), path=path)
    head, balance = heads[0]
    free = format_chips(balance - 10)
    assert f"{free} chips + 10 bet" in head
    assert f"Balance {free}, and 10 on the table, after " in app.farewell[0]
    with open_store(path) as store:
        assert free_chips_of(store) == balance - 10
