"""What the saved rounds show, in words: parts of the net, notes, and why there is nothing."""

from fractions import Fraction

import pytest

from upcard.answers.played import answer_statistics, find_cell, name_cell
from upcard.store.statistics import METHOD, Leak, Results, SideBetResults, Statistics

SUMS = {
    "rounds": 20,
    "won": 8,
    "lost": 10,
    "initial_bets": Fraction(205),
    "net": Fraction(-15, 2),
    "decisions": 30,
    "judged": 30,
    "mistakes": 0,
    "grades": {},
    "error_cost": 0.0,
    "best_play": -1.0,
    "luck": -6.5,
    "luck_deviation": 13.0,
}
LEAK = Leak(
    category="insurance",
    decisions=3,
    mistakes=1,
    grades={"blunder": 1},
    cost=2.0,
    per_hour=10.0,
    cost_deviation=2.0,
    per_hour_deviation=10.0,
)
BEST = ("Best play", f"the bets times the value of each house: {METHOD}")


def answer(*, leaks=(), without_bets=0, **changes):
    side = SideBetResults(
        bet="", title="", rounds=0, bets=0, won=0, staked=Fraction(0), expected=0.0, net=Fraction(0)
    )
    total = Results(**SUMS | {"side": side, "side_bets": ()} | changes)
    return answer_statistics(Statistics(total, {"6D": total}, leaks, without_bets, 20), 100.0)


@pytest.mark.parametrize(
    ("changes", "parts"),
    [
        (
            {},
            [
                ("Best play was worth", "−1.00", ""),
                ("Errors", "+0.00", "no mistake in 30 of 30 decisions"),
                ("Luck", "−6.50", "one SD is ± 13.00; this is −0.5 of it"),
                ("Net", "−7.5", "chips"),
            ],
        ),
        (
            {"judged": 0, "best_play": None, "luck": None},
            [
                ("Errors", "+0.00", "no decision was judged: switch the coach on"),
                ("Net", "−7.5", "chips"),
            ],
        ),
        (
            {"judged": 20, "error_cost": 2.0, "grades": {"blunder": 1, "slip": 2}, "luck": 0.0},
            [
                ("Best play was worth", "−1.00", ""),
                ("Errors", "−2.00", "1 blunder, 2 slips in 20 of 30 decisions"),
                ("Luck", "+0.00", "one SD is ± 13.00; this is +0.0 of it"),
                ("Net", "−7.5", "chips"),
            ],
        ),
    ],
)
def test_the_net_is_split_into_parts(changes, parts):
    found = answer(**changes)
    assert [(part.title, part.text, part.note) for part in found.parts] == parts


@pytest.mark.parametrize(
    ("changes", "notes"),
    [
        ({}, [BEST]),
        (
            {"leaks": (LEAK,), "judged": 28, "without_bets": 4},
            [
                BEST,
                ("±", "one standard deviation: what chance alone does to it, from your rounds"),
                ("Not judged", "2 decisions: what they cost is in the luck"),
                ("Left out", "4 rounds in houses without bets"),
            ],
        ),
        ({"best_play": None}, [("Not split up", "no exact method values 6D")]),
    ],
)
def test_notes_say_what_the_figures_rest_on(changes, notes):
    assert list(answer(**changes).notes) == notes


@pytest.mark.parametrize(
    ("rounds", "without_bets", "why"),
    [
        (20, 0, ""),
        (0, 0, "No round has been saved yet."),
        (0, 3, "3 rounds, all in houses without bets: no chips to split up."),
    ],
)
def test_without_results_it_says_why(rounds, without_bets, why):
    found = answer(rounds=rounds, without_bets=without_bets)
    assert found.why_none == why
    assert (found.luck, found.costly) == (-0.5, ())


@pytest.mark.parametrize(
    ("situation", "cell", "name"),
    [
        ("hard 16 v T", ("16", "T"), "hard 16 v 10"),
        ("surrender 16 v T", ("16", "T"), "hard 16 v 10"),
        ("pair TT v 6", ("1010", "6"), "10,10 v 6"),
        ("soft A7 v 9", ("A7", "9"), "A,7 v 9"),
        ("hard 4 v 2", ("5", "2"), "hard 5 v 2"),
        ("insurance v A", None, ""),
        ("free hard 16 v T", None, ""),  # another chart is for it
    ],
)
def test_a_situation_has_a_cell_of_the_chart(situation, cell, name):
    assert find_cell(situation) == cell
    assert name_cell(" v ".join(cell or ())) == name
