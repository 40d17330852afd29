"""What the full screen is opened with: every option reaches it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from driving import talk

from upcard import Rules, house
from upcard.cli.play import command
from upcard.players.seen_cards import Knowledge
from upcard.session.coaching import CoachVoice
from upcard.session.count_check import CountCheck
from upcard.tui.app import ScreenOptions


@pytest.fixture
def opened(monkeypatch) -> list[ScreenOptions]:
    found: list[ScreenOptions] = []
    monkeypatch.setattr(command, "can_show_screen", lambda: True)
    monkeypatch.setattr("upcard.tui.app.run_table", found.append)
    return found


def test_nothing_asked_for_is_the_default_game(opened) -> None:
    assert talk(["play"]).code == 0
    (opening,) = opened
    assert opening.plan.rules == Rules()
    assert (opening.plan.hands, opening.plan.bet, opening.plan.limit) == (1, 10, None)
    assert opening == ScreenOptions(plan=opening.plan)
    assert opening.keeps


def test_every_option_reaches_the_screen(opened) -> None:
    words = (
        "play --house european --hands 2 --chips 250 --bet 5 --limit 50 --rounds 7 --coach after"
        " --knows seen --ascii --player-seed words"
    )
    assert talk([*words.split(), "--company", "basic; you"]).code == 0
    (opening,) = opened
    plan = opening.plan
    assert plan.rules == house("european")
    assert (plan.hands, plan.bet, plan.limit, plan.company) == (2, 5, 50, "basic; you")
    assert opening.chips == Fraction(250)
    assert opening.rounds == 7
    assert (opening.coach, opening.knows) == (CoachVoice.AFTER, Knowledge.SEEN)
    assert opening.ascii_only
    assert opening.player_seed == "words"


@pytest.mark.parametrize(
    ("options", "field", "value"),
    [
        (["--practice"], "keep", "practice"),
        (["--seed", "4"], "seed", 4),
        (["--cards", "T T"], "cards", "T T"),
    ],
)
def test_practice_reaches_the_screen(opened, options, field, value) -> None:
    talk(["play", *options])
    assert getattr(opened[0], field) == value
    assert not opened[0].keeps


def test_the_bet_is_not_over_the_limit(opened) -> None:
    talk(["play", "--limit", "5"])
    assert opened[0].plan.bet == 5


@pytest.mark.parametrize(
    "options",
    [
        ["--bet", "20", "--limit", "10"],
        ["--hands", "8"],
        ["--house", "nowhere"],
        ["--company", "nobody"],
        ["--cards", "XX"],
    ],
)
def test_what_cannot_be_is_refused_before_the_screen_opens(opened, options) -> None:
    assert talk(["play", *options]).code == 2
    assert opened == []


@pytest.mark.parametrize("options", [["--line"], ["--json"], ["--player", "mimic"]])
def test_lines_are_lines(opened, options) -> None:
    assert talk(["play", "--practice", *options]).code == 0
    assert opened == []


def test_the_count_question_and_the_bet_check_reach_the_screen(opened) -> None:
    """Issue 10, part 3: both were refused by name there."""
    words = "play --ask-count ko:5 --check-bets 1-8 --unit 5"
    assert talk(words.split()).code == 0
    (opening,) = opened
    plan = opening.plan
    assert (plan.count, plan.check_bets, plan.unit) == ("ko:5", "1-8", Fraction(5))


def test_a_first_bet_on_the_screen_is_the_unit_of_the_ramp(opened) -> None:
    assert talk(["play", "--bet", "20", "--check-bets", "1-8"]).code == 0
    (opening,) = opened
    assert CountCheck.of(opening.plan).unit == 20


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--ask-count", "hi-lo", "--rules", "6D CSM"], "--ask-count: the cards are shuffled"),
        (["--check-bets", "1-8", "--rules", "6D CSM"], "--check-bets: the cards are shuffled"),
        (["--ask-count", "hi-lo", "--rules", "INF"], "--ask-count: the player counting cannot"),
        (["--ask-count", "high"], "--ask-count: "),
        (["--ask-count", "hi-lo:0"], "write a number of rounds, 1 to 99"),
        (["--check-bets", "steep"], "--check-bets: ramp 'steep'"),
        (["--cards", "7 T T 8", "--ask-count", "red-7"], "cannot count a 7 without a suit"),
    ],
)
def test_what_cannot_be_counted_is_refused_before_the_screen_opens(opened, options, reason) -> None:
    answer = talk(["play", *options])
    assert answer.code == 2
    assert reason in answer.err
    assert not opened
