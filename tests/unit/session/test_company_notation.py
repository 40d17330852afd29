"""Who sits where, as text: read, seated, and how its chips go."""

from __future__ import annotations

from fractions import Fraction

import pytest

from upcard import Rules, RulesError, UnsupportedRuleError
from upcard.players.bots import CountingPlayer
from upcard.session.game_session import seat_companion
from upcard.session.plan import SeatPlan, read_company

SIX_DECKS = Rules.parse("6D")


@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("", (None,)),
        ("  ", (None,)),
        ("you", (None,)),
        ("basic", (None, SeatPlan("basic"))),
        ("basic; you", (SeatPlan("basic"), None)),
        (
            "basic; you; mimic martingale; counter",
            (SeatPlan("basic"), None, SeatPlan("mimic", "martingale"), SeatPlan("counter")),
        ),
        ("counter:zen", (None, SeatPlan("counter:zen"))),
        ("computer:1,17, 0.5 flat", (None, SeatPlan("computer:1,17, 0.5", "flat"))),
    ],
)
def test_company_is_read_in_the_order_of_dealing(text, seats) -> None:
    assert read_company(text) == seats


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("basic;;you", "the place between two semicolons is empty"),
        ("basic;", "the place between"),
        ("you; you", "you sit at one place"),
    ],
)
def test_company_that_cannot_be_read_is_refused(text, reason) -> None:
    with pytest.raises(RulesError, match=reason):
        read_company(text)


@pytest.mark.parametrize("text", ["basic", "mimic martingale", "counter:zen flat"])
def test_a_seat_is_written_as_it_is_read(text) -> None:
    assert str(read_company(text)[1]) == text


def test_a_bot_bets_by_its_system_in_the_units_of_the_table() -> None:
    bot = seat_companion(SeatPlan("mimic", "martingale"), SIX_DECKS, unit=Fraction(5))
    assert bot.next_bet() == 5
    bot.record(Fraction(-5))
    assert bot.next_bet() == 10
    assert bot.net == -5


def test_a_martingale_has_an_end() -> None:
    bot = seat_companion(SeatPlan("mimic", "martingale"), SIX_DECKS, unit=Fraction(1))
    for _ in range(20):
        bot.record(-bot.next_bet())
    assert bot.next_bet() <= 100


def test_a_counter_bets_by_its_ramp_unless_told_otherwise() -> None:
    by_ramp = seat_companion(SeatPlan("counter"), SIX_DECKS, unit=Fraction(10))
    flat = seat_companion(SeatPlan("counter", "flat"), SIX_DECKS, unit=Fraction(10))
    for bot in (by_ramp, flat):
        assert isinstance(bot.decider, CountingPlayer)
        assert bot.next_bet() == 10
    assert by_ramp.betting is by_ramp.decider
    assert flat.betting is not flat.decider


@pytest.mark.parametrize(
    ("seat", "rules", "error"),
    [
        (SeatPlan("nobody"), SIX_DECKS, RulesError),
        (SeatPlan("counter:nothing"), SIX_DECKS, RulesError),
        (SeatPlan("counter"), Rules.parse("INF"), UnsupportedRuleError),
    ],
)
def test_who_cannot_sit_there_is_refused(seat, rules, error) -> None:
    with pytest.raises(error):
        seat_companion(seat, rules, unit=Fraction(1))
