"""Chips that do not cover the bet: what is said, what is offered, what can be brought."""

from fractions import Fraction

from screen_driver import drive, flat, plan_for, press, text_of

from campaign.books import check_books
from upcard.store.bankroll import bankroll_of
from upcard.store.database import open_store
from upcard.store.files import StoreError
from upcard.tui.app import ScreenOptions

LOSE = "T 9 6 T T"  # 16 against 19: one card busts


def opening(cards="", *, chips="100", bet="10", **options):
    plan = plan_for("6D LS", bet=Fraction(bet), **options)
    return ScreenOptions(plan=plan, cards=cards or None, chips=Fraction(chips), coach="silent")


def test_chips_are_brought_where_the_smallest_bet_is_not_covered(tmp_path):
    """F5: with 0.1 chips left `B` worked at exactly 0 only."""
    path = tmp_path / "upcard.db"

    async def script(pilot, app):
        assert "Your balance of 0.1 does not cover the smallest bet, 1." in flat(app)
        assert "bring chips" in text_of(app).splitlines()[-1]
        await press(pilot, "enter")
        assert not app.seat.session.events
        await press(pilot, "b")
        assert "You bring 100 chips." in flat(app)
        assert app.seat.session.bank.balance == Fraction("100.1")
        assert "Enter bets 10;" in flat(app)
        await press(pilot, "b")
        assert "Chips are brought between hands, once the smallest bet" in flat(app)

    drive(script, opening(chips="0.1"), path=path)
    with open_store(path) as store:
        check_books(store)
        assert bankroll_of(store) == Fraction("100.1")


def test_no_bet_is_offered_that_typing_refuses():
    """F6: 2 chips for 3 hands offered a bet of 2/3."""

    async def script(pilot, app):
        assert "Not enough for 3 hands: you have 2, the smallest bet is 1." in flat(app)
        bar = text_of(app).splitlines()[-1]
        assert "play 2 hands" in bar
        assert "bring chips" in bar
        await press(pilot, "enter")
        assert "Enter bets 1 on each of 2 hands" in flat(app)
        await press(pilot, "enter")
        assert len(app.seat.session.state.hands) == 2

    drive(script, opening("T 6 9 8 T 7 9", chips="2", bet="20", hands=3))


def test_a_bet_that_is_lowered_is_said(tmp_path):
    """F6: `--bet 20` had become 16 without a word."""

    async def script(pilot, app):
        assert "Your chips do not cover 20 on each of 3 hands: the bet is now 16." in flat(app)

    drive(script, opening(chips="50", bet="20", hands=3), path=tmp_path / "upcard.db")


def test_a_bet_that_is_no_whole_chip_is_refused_with_the_reason():
    """F6: bets are multiples of the table's unit."""

    async def script(pilot, app):
        await press(pilot, "2", ".", "5", "enter")
        assert "A bet of 2.5: bets are whole chips." in flat(app)
        assert not app.seat.session.events

    drive(script, opening("T 6 8 T 9"))


def test_a_table_of_half_chips_takes_them():
    async def script(pilot, app):
        await press(pilot, "2", ".", "5", "enter", "s")
        assert app.seat.session.net == Fraction(5, 2)
        await press(pilot, "2", ".", "2", "enter")
        assert "bets are multiples of 0.5" in flat(app)

    drive(script, opening("T 6 8 T 9  T 6 8 T 9", unit=Fraction(1, 2)))


def test_a_natural_on_an_odd_bet_leaves_half_a_chip_and_whole_bets():
    async def script(pilot, app):
        await press(pilot, "5", "enter")
        assert app.seat.session.bank.balance == Fraction("17.5")
        await press(pilot, "1", "8", "enter")
        assert "A bet of 18 is more than your balance of 17.5." in flat(app)
        await press(pilot, "escape", "+", "+", "+")
        assert "Enter bets 17;" in flat(app)

    drive(script, opening("A 6 T T  T 6 8 T 9", chips="10", bet="5"))


def test_a_refused_bet_is_forgotten_by_escape():
    """F9: a refused bet of 1000000 became the default after Esc."""

    async def script(pilot, app):
        await press(pilot, *"1000000", "enter")
        assert "more than your balance of 100" in flat(app)
        assert "Your bet: 1000000_" in flat(app)
        await press(pilot, "escape")
        assert "Enter bets 10;" in flat(app)
        await press(pilot, "enter")
        assert app.seat.session.on_table == 10

    drive(script, opening("T 6 8 T 9"))


def test_chips_that_a_full_disk_cannot_save_are_not_brought(tmp_path, monkeypatch):
    """`B` ended the program with a traceback."""

    def fail(*_, **__):
        msg = "the disk is full"
        raise StoreError(msg)

    async def script(pilot, app):
        monkeypatch.setattr("upcard.session.betting.deposit", fail)
        await press(pilot, "b")
        assert "The disk is full." in flat(app)
        assert app.seat.session.bank.balance == Fraction("0.1")

    drive(script, opening(chips="0.1"), path=tmp_path / "upcard.db")
