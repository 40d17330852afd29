"""A seat after a fault of the disk: what was stopped continues first, and nothing else is done."""

from __future__ import annotations

from contextlib import closing
from fractions import Fraction

import pytest

from upcard import Rules
from upcard.core.actions import Action
from upcard.fair import fair_shoe
from upcard.session.game_session import GameSession
from upcard.session.plan import TablePlan
from upcard.session.seat import Due, Seat
from upcard.store.bankroll import deposit
from upcard.store.database import open_store
from upcard.store.files import StoreError
from upcard.store.kept_table import KeptTable

FULL = "the disk is full"


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "upcard.db") as found:
        deposit(found, 1000)
        yield found


def sit_down(store, **changes) -> Seat:
    plan = TablePlan(rules=Rules.parse("6D NOINS"), title="T", **changes)
    seat = Seat(GameSession.keep(store, plan))
    seat.begin()
    return seat


def fill_disk(patch, name: str) -> None:
    """Let a function of the saved table fail."""

    def fail(*_, **__):
        raise StoreError(FULL)

    patch.setattr(KeptTable, name, fail)


def play_round(seat: Seat) -> None:
    """Play a round by standing."""
    update = seat.bet(Fraction(1))
    while update.due is Due.ANSWER:
        update = seat.act(Action.STAND)


def test_company_that_a_full_disk_stops_goes_on_before_anything_else(store, monkeypatch) -> None:
    seat = sit_down(store, company="mimic; you")
    with closing(seat.session):
        with monkeypatch.context() as patch:
            fill_disk(patch, "_save_answer")
            while True:  # a natural of the dealer's ends a round before the bot is asked
                try:
                    seat.bet(Fraction(1))
                except StoreError:
                    break
        assert seat.session.is_playing
        assert seat.session.options == ()
        refused = seat.act(Action.STAND)
        assert str(refused.refusal.reason) == "no hand is asked now"
        number = seat.session.kept.round_number
        update = seat.bet(Fraction(1))
        assert seat.session.kept.round_number == number
        assert update.events
        assert update.ends_round or seat.session.state.active in seat.session.player_spots


@pytest.mark.parametrize(
    "move", [lambda seat: seat.bet(Fraction(1)), lambda seat: seat.play_hands(2), Seat.bring_chips]
)
def test_a_round_that_could_not_be_booked_is_booked_first(store, monkeypatch, move) -> None:
    seat = sit_down(store)
    with closing(seat.session), monkeypatch.context() as patch:
        fill_disk(patch, "_settle")
        with pytest.raises(StoreError, match=FULL):
            play_round(seat)
        with pytest.raises(StoreError, match=FULL):
            move(seat)
        patch.undo()
        rounds = seat.session.bank.rounds
        update = move(seat)
        assert update.ends_round
        assert (seat.session.bank.rounds, seat.session.plan.hands) == (rounds + 1, 1)
        assert not seat.session.is_playing


def test_words_that_a_new_commitment_would_drop_are_refused_and_not_noted(store, monkeypatch):
    monkeypatch.setattr(fair_shoe, "SHOES_OF_A_CHAIN", 1)
    seat = sit_down(store)
    with closing(seat.session):
        play_round(seat)
        fault = seat.add_seed("too late").fault
        assert "a new commitment" in str(fault)
        assert seat.session.kept.fair_shoe.next_player_seed == ""
