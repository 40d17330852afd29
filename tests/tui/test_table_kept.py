"""A table that is kept: chips, shuffles and unfinished hands outlive the program."""

from fractions import Fraction

import pytest
from screen_driver import drive, plan_for, press, settle, text_of, wait_for

from campaign.books import check_books, read_judgements
from upcard.store.bankroll import bankroll_of
from upcard.store.database import open_store
from upcard.store.files import StoreError
from upcard.store.history import read_rounds
from upcard.store.kept_table import KeptTable
from upcard.tui.app import ScreenOptions


@pytest.fixture
def path(tmp_path):
    return tmp_path / "upcard.db"


def opening(**options):
    plan = options.pop("plan", None) or plan_for("6D LS")
    return ScreenOptions(plan=plan, coach="silent", **options)


async def play_round(pilot, app):
    """Play a round by standing, whatever is asked."""
    await press(pilot, "enter")
    while app.seat.session.options:
        await press(pilot, "n" if app.seat.session.options[-1].declines else "s")


@pytest.mark.slow
def test_chips_are_brought_once_and_last(path):
    async def script(pilot, app):
        assert "You bring 100 chips." in text_of(app)
        await play_round(pilot, app)
        await play_round(pilot, app)

    drive(script, opening(), path=path)
    with open_store(path) as store:
        check_books(store)
        rounds = list(read_rounds(store))
        left = bankroll_of(store)
    assert len(rounds) == 2
    assert left == 100 + sum(stored.net for stored in rounds)

    async def again(pilot, app):
        assert "bring" not in text_of(app)
        assert app.seat.session.bank.balance == left

    drive(again, opening(), path=path)


def test_so_many_chips_as_are_asked_for_are_had(path):
    async def script(pilot, app):
        assert app.seat.session.bank.balance == 250

    drive(script, opening(chips=Fraction(250)), path=path)

    async def fewer(pilot, app):
        assert "You take home 200 chips." in text_of(app)

    drive(fewer, opening(chips=Fraction(50)), path=path)


@pytest.mark.slow
def test_an_unfinished_hand_is_found_again(path):
    seen = []

    async def leave(pilot, app):
        await wait_for(pilot, lambda: app.seat is not None)
        await press(pilot, "enter")
        while not app.seat.session.options or app.seat.session.options[-1].declines:
            await press(pilot, "n" if app.seat.session.options else "enter")
        seen.append((app.seat.session.state.hands, app.seat.session.options))
        await press(pilot, "q")

    app = drive(leave, opening(plan=plan_for("6D LS", hands=2, company="mimic; you")), path=path)
    assert "The hand is saved: it continues at the next start." in app.farewell[0]

    async def go_on(pilot, app):
        await wait_for(pilot, lambda: app.seat is not None)
        await settle(pilot)
        assert "left unfinished" in text_of(app)
        assert (app.seat.session.state.hands, app.seat.session.options) == seen[0]
        assert app.seat.session.player_spots == (1, 2)
        while app.seat.session.options:
            await press(pilot, "s")
        assert "You " in text_of(app).splitlines()[-2] or "Even" in text_of(app).splitlines()[-2]

    drive(go_on, ScreenOptions(), path=path)  # also where nothing was asked for but the program
    with open_store(path) as store:
        check_books(store)


def test_ctrl_c_in_a_hand_keeps_it(path):
    async def leave(pilot, app):
        await press(pilot, "enter")
        while not app.seat.session.options:
            await press(pilot, "enter")
        await pilot.press("ctrl+c")

    app = drive(leave, opening(), path=path)
    assert "saved" in app.farewell[0]


@pytest.mark.slow
def test_every_decision_is_judged_and_kept_though_the_coach_is_silent(path):
    async def script(pilot, app):
        for _ in range(4):
            await play_round(pilot, app)

    drive(script, opening(), path=path)
    with open_store(path) as store:
        asked = sum(len(stored.record.actions) for stored in read_rounds(store))
        judged = read_judgements(store)
    assert len(judged) == asked
    assert all(item.judgement.method for item in judged)


@pytest.mark.slow
def test_the_shuffle_is_committed_to_before_and_revealed_after(path):
    async def script(pilot, app):
        shoe = app.seat.session.kept.fair_shoe
        first = shoe.commitment
        assert "The shuffle is committed to: F shows it." in text_of(app)
        assert str(first) not in text_of(app)  # D1: it greeted newcomers with 64 digits
        await press(pilot, "f")
        assert str(first) in text_of(app)
        await press(pilot, *"luck", "enter")
        assert "Your seed is mixed into this shoe." in text_of(app)
        await press(pilot, "escape")
        await play_round(pilot, app)
        await press(pilot, "f", *"more", "enter")
        assert "mixed into the next shoe" in text_of(app)
        await press(pilot, "ctrl+e")
        shown = text_of(app)
        assert "The shoe is ended" in shown
        assert shoe.reveals[-1].server_seed.hex() in shown
        shoe.reveals[-1].check(first)
        assert shoe.reveals[-1].player_seed == "luck"
        await press(pilot, "escape")

    drive(script, opening(), path=path)


@pytest.mark.slow
def test_a_shoe_that_is_over_is_revealed_before_the_next_bet(path):
    async def script(pilot, app):
        for _ in range(60):
            await play_round(pilot, app)
            if app.seat.session.kept.fair_shoe.reveals:
                break
        words = "\n".join(app.screen.messages)
        assert "The shoe is over" in words
        await press(pilot, "f")
        assert str(app.seat.session.kept.fair_shoe.commitment) in text_of(app)
        assert app.seat.session.kept.fair_shoe.reveals[-1].server_seed.hex() in text_of(app)

    drive(script, opening(plan=plan_for("1D PEN50"), chips=Fraction(1000)), path=path)


def test_practice_has_no_commitment_to_show(path):
    async def script(pilot, app):
        await press(pilot, "f")
        assert "There is no commitment to practice cards" in text_of(app)

    drive(script, opening(keep="practice"), path=path)
    with open_store(path) as store:
        assert not list(read_rounds(store))


@pytest.mark.slow
def test_company_sits_down_and_plays(path):
    async def script(pilot, app):
        await wait_for(pilot, lambda: app.seat is not None)
        for _ in range(3):
            await play_round(pilot, app)
        text = text_of(app)
        assert "Company" in text
        assert "counter" in text

    plan = plan_for("6D LS", company="basic; you; mimic martingale; counter")
    drive(script, opening(plan=plan, chips=Fraction(1000)), size=(140, 45), path=path)
    with open_store(path) as store:
        check_books(store)


@pytest.mark.slow
def test_company_that_cannot_play_here_is_refused_with_the_reason(path):
    async def script(pilot, app):
        await wait_for(pilot, lambda: "INF" in text_of(app))
        assert "never run out" in " ".join(text_of(app).split())

    drive(script, opening(plan=plan_for("INF", company="you; counter")), path=path)


def test_after_so_many_rounds_enter_leaves(path):
    async def script(pilot, app):
        await play_round(pilot, app)
        assert "1 round is played: Enter leaves" in "\n".join(app.screen.messages)
        await press(pilot, "enter")
        assert app.seat is None

    app = drive(script, opening(rounds=1), path=path)
    assert "after 1 round" in app.farewell[0]


@pytest.mark.slow
def test_after_a_hand_that_was_left_comes_the_table_that_was_asked_for(path):
    async def leave(pilot, app):
        while not app.seat.session.options:
            await press(pilot, "enter")
        await press(pilot, "q")

    drive(leave, opening(plan=plan_for("6D LS NOINS")), path=path)

    async def go_on(pilot, app):
        assert str(app.seat.session.rules).startswith("6D")
        while app.seat.session.options:
            await press(pilot, "s")
        await press(pilot, "q")
        assert app.seat.session.rules.name == "european"
        await press(pilot, "q")
        assert app.seat is None

    drive(go_on, opening(plan=plan_for("european")), path=path)


@pytest.mark.slow
def test_left_in_the_middle_again_it_does_not_come_back_at_once(path):
    async def leave(pilot, app):
        while not app.seat.session.options:
            await press(pilot, "enter")
        await press(pilot, "q")

    drive(leave, opening(plan=plan_for("6D LS NOINS")), path=path)

    async def again(pilot, app):
        assert app.seat.session.options
        await press(pilot, "q")
        assert app.seat is None

    app = drive(again, opening(plan=plan_for("european")), path=path)
    assert "saved" in app.farewell[0]


def test_the_bet_that_enter_lays_is_one_that_the_chips_cover(path):
    async def script(pilot, app):
        assert "Enter bets 7;" in text_of(app)
        await press(pilot, "enter")
        assert app.seat.session.events

    drive(script, opening(chips=Fraction(7)), path=path)


def test_a_result_that_a_full_disk_keeps_from_being_booked_is_told_when_it_is(path, monkeypatch):
    """S3-1: the screen tells no win that is not on the disk, and does not call the round off."""
    settle_round = KeptTable._settle

    def fail(*_, **__):
        msg = "the disk is full"
        raise StoreError(msg)

    async def script(pilot, app):
        while not app.seat.session.options:
            await press(pilot, "enter")
        rounds = app.seat.session.bank.rounds
        monkeypatch.setattr(KeptTable, "_settle", fail)
        while app.seat.session.options:
            await press(pilot, "n" if app.seat.session.options[-1].declines else "s")
        assert "The disk is full" in text_of(app)
        assert "does not count" not in text_of(app)
        assert app.seat.session.net is None
        assert "You win" not in text_of(app)
        assert "You lose" not in text_of(app)
        await press(pilot, "enter")
        assert "The disk is full" in text_of(app)
        assert app.seat.session.bank.rounds == rounds
        monkeypatch.setattr(KeptTable, "_settle", settle_round)
        await press(pilot, "enter")
        assert app.seat.session.bank.rounds == rounds + 1
        assert app.seat.session.net is not None
        await press(pilot, "enter")
        assert app.seat.session.options or app.seat.session.bank.rounds == rounds + 2
        assert app.seat.session.bank.balance == 100 + app.seat.session.bank.net

    drive(script, opening(plan=plan_for("6D LS NOINS")), path=path)
    with open_store(path) as store:
        check_books(store)
