"""The bet and the speed of costs in money: one file for all front-ends, read and refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from upcard.answers.edge import answer_edge, compare_edges
from upcard.answers.games.side_by_side import compare_games
from upcard.cli.app import run
from upcard.core import user_files
from upcard.core.errors import NotationError, UserFileError
from upcard.store import money
from upcard.store.money import MoneyPace, find_pace, load_pace, money_path, read_pace, save_pace


def test_without_a_file_it_is_the_default():
    assert find_pace() is None
    assert load_pace() == MoneyPace(bet=Fraction(10), hands_per_hour=Fraction(100))


def test_what_is_saved_is_read_by_every_answer():
    save_pace(read_pace("25", "80"))
    assert load_pace() == MoneyPace(bet=Fraction(25), hands_per_hour=Fraction(80))
    assert "10.00 an hour at 25 a hand, 80 hands an hour" in answer_edge(-0.005).sentence
    save_pace(read_pace("5/2", "60"))
    assert load_pace().bet == Fraction(5, 2)
    assert load_pace().value_hour(-0.01) == pytest.approx(-1.5)
    assert [file.name for file in money_path().parent.iterdir()] == [money_path().name]


def test_in_practice_it_ends_with_the_program(monkeypatch):
    monkeypatch.setattr(money, "_practice", [])
    save_pace(read_pace("50"), keeps=False)
    assert load_pace().bet == 50
    assert not money_path().exists()


@pytest.mark.parametrize("bet", ["0", "-5", "ten", "1e9", "nan"])
def test_another_bet_is_refused(bet):
    with pytest.raises(NotationError):
        read_pace(bet)
    with pytest.raises(NotationError):
        read_pace("10", bet)


@pytest.mark.parametrize("text", ["bet =", "bets = 5", 'bet = "x"', "bet = -1", "\x00", "[bet]"])
def test_a_faulty_file_is_named_with_its_fault(text):
    money_path().parent.mkdir(parents=True, exist_ok=True)
    money_path().write_text(text)
    with pytest.raises(UserFileError) as caught:
        load_pace()
    assert str(money_path()) in str(caught.value)


def test_numbers_of_the_file_need_no_quotes():
    money_path().parent.mkdir(parents=True, exist_ok=True)
    money_path().write_text("bet = 15\nhands_per_hour = 62.5\n")
    assert load_pace() == MoneyPace(bet=Fraction(15), hands_per_hour=Fraction(125, 2))


def test_a_faulty_file_is_replaced_by_what_is_set_and_a_change_still_has_words():
    edges = answer_edge(-0.02), answer_edge(-0.01)
    money_path().parent.mkdir(parents=True, exist_ok=True)
    money_path().write_text("bet = -1")
    change = compare_edges(*edges)
    assert change is not None
    assert change.sentence == "1.00000% better for you."
    assert run(["money"]) == 2
    assert run(["money", "--bet", "25"]) == 2
    assert run(["money", "--bet", "25", "--hands-per-hour", "60"]) == 0
    assert load_pace() == MoneyPace(bet=Fraction(25), hands_per_hour=Fraction(60))


def test_it_is_read_where_files_that_a_text_names_are_not(monkeypatch):
    """The browser's server reads no file that a text names; every page with an edge was refused."""
    save_pace(read_pace("25"))
    monkeypatch.setattr(user_files, "_forbidden", [True])
    monkeypatch.setattr(money, "_read", {})
    assert load_pace().bet == 25


def test_an_hour_has_one_length_wherever_it_is_printed():
    """The saved pace is that of settings, ramps, comparisons, banks and results."""
    from upcard.analysis.bet_terms import BetTerms
    from upcard.analysis.ramp_plan import RampQuestion
    from upcard.answers.asked.bets.banks import PathTerms
    from upcard.answers.asked.stats import choose_pace
    from upcard.answers.ramp_report import settle

    for hands in (None, "80"):
        if hands is not None:
            save_pace(read_pace("25", hands))
        hour = load_pace().hands_per_hour
        assert hour == (100 if hands is None else 80)
        assert settle(BetTerms(spread=8.0), {}).rounds_per_hour == hour
        assert settle(BetTerms(spread=8.0, rounds_per_hour=70.0), {}).rounds_per_hour == 70
        assert PathTerms(hours=Fraction(10)).choose_rounds() == 10 * hour
        assert choose_pace(None) == hour
    assert RampQuestion(spread=8.0).rounds_per_hour == 100  # the core knows no settings


@pytest.mark.slow
def test_tables_say_how_long_an_hour_is():
    save_pace(read_pace("25", "80"))
    found = compare_games(["6D S17 PEN85", "6D H17 PEN85"], count="hi-lo", rounds="500k", seed=1)
    assert found.tables()[-1].title == "With the count, an hour of 80 rounds"
    assert found.to_json()["rounds_per_hour"] == 80
    win = found.games[0].ev_per_hour
    assert win == pytest.approx(0.8 * found.games[0].plan.figures["ev_per_100"].value)
