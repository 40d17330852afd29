"""Indices for the rules at hand: against published ones, the solver, and simulated rounds."""

from __future__ import annotations

import functools
import math
from itertools import pairwise

import numpy as np
import pytest

import upcard
from upcard.analysis.indices import search
from upcard.analysis.indices.exact_gains import CountedShoes, round_counts, work_out_curves
from upcard.analysis.indices.plays import (
    INSURANCE,
    Curve,
    Index,
    IndexQuestion,
    chart_says,
    find_index,
    find_questions,
    fit_index,
    gain_over_chart,
    read_wanted,
)
from upcard.analysis.indices.search import find_window, indices
from upcard.core.actions import Action
from upcard.core.cards import ACE, TEN
from upcard.core.errors import AnalysisError, RulesError, UnsupportedRuleError
from upcard.core.numbers import to_json
from upcard.exact.finite_hands import UpcardSolution, opening_hands
from upcard.exact.finite_shoe import PreparedShoe
from upcard.rules.deck import full_shoe
from upcard.strategy.count_system import load_system, system_names
from upcard.strategy.deviations import Deviations, load_deviations

SIX = upcard.Rules.parse("6D S17 DAS LS")


def counted(rules, count="hi-lo", **changes):
    return CountedShoes(upcard.Rules.parse(rules), load_system(count).replace(**changes))


def published_indices():
    """Schlesinger's Illustrious 18 and Fab 4, as they come with upcard; sources in the files."""
    known = load_deviations("i18+fab4")
    plays = {
        (play.hand, play.upcard, Action.STAND if play.otherwise else play.action): play.index
        for play in known.plays
    }
    return {**plays, ("", ACE, Action.INSURANCE): known.insurance}


def insurance_crossing(decks):
    """Return the true count at which a third of the unseen cards are tens, an ace being up."""
    shoes = counted(f"{decks}D")
    left = shoes.cards // 2
    seen = [0, 1, *[0] * 9]
    low, high = -3.0, 9.0
    while high - low > 1e-9:
        true = (low + high) / 2
        running = np.array([true * (left - 1) / 52])
        tilt = shoes.tilt_at_decision(running, np.array([-1.0]), np.array([1.0]), left)
        share = shoes.share_of_tens(float(tilt[0]), seen)
        low, high = (low, true) if share > 1 / 3 else (true, high)
    return low


@pytest.mark.parametrize(("decks", "published"), [(1, 1.4), (2, 2.4), (6, 3.0), (8, 3.1)])
def test_insurance_breaks_even_where_it_is_published_to(decks, published):
    """Hi-Lo: 1.4, 2.4, 3.0 and 3.1 for 1, 2, 6 and 8 decks are what the literature rounds to.

    Source: Stanford Wong, Professional Blackjack (1.4 for one deck; the page was not checked). By
    hand for one deck: 16/51 + 16 (52/51) / (39 - 1/51) (t/52 + 1/51) = 1/3 at t = 17/12.
    """
    if decks == 1:
        assert insurance_crossing(1) == pytest.approx(17 / 12)
    assert insurance_crossing(decks) == pytest.approx(published, abs=0.06)


def test_a_tilted_shoe_has_the_tags_that_the_count_says():
    for name in system_names():
        shoes = counted("6D", name)
        start = float(shoes.system.initial_count(6))
        for left in (290, 156, 80):
            expected = shoes.expected_running(left)
            running = expected + np.array([-6.0, 0.0, 5.0])
            tilts = shoes.tilt_before_deal(running, left)
            for count, tilt in zip(running, tilts, strict=True):
                shoe = np.array(shoes.shoe(float(tilt)))
                if shoes.system.red_7 is None:
                    unseen = shoe @ shoes.tags * left / 312
                    assert 312 * shoes.mean_tag - unseen == pytest.approx(count - start)
                assert shoe.sum() == pytest.approx(312)
            assert tilts[1] == pytest.approx(0)


def test_the_hands_own_cards_are_in_the_count():
    """T 6 against T leaves the other cards as a running count of -1 without them would not."""
    shoes = counted("1D")
    running = np.array([-1.0])
    tilt = shoes.tilt_at_decision(running, running, np.array([3.0]), 52)
    assert tilt[0] == pytest.approx(0, abs=1e-12)  # nothing else was seen: the shoe is whole
    assert shoes.tilt_at_decision(np.array([1.0]), running, np.array([3.0]), 40)[0] < 0


@pytest.mark.parametrize("rounding", ["floor", "truncate", "round"])
@pytest.mark.parametrize("decks_left", ["exact", "half", "whole"])
def test_counts_are_made_whole_as_the_system_does(rounding, decks_left):
    shoes = counted("6D", rounding=rounding, decks_left=decks_left)
    for left in (312, 200, 156, 130, 52, 13, 1):
        running = np.arange(-30.0, 31.0)
        exact = shoes.read_counts(running, np.full(61, float(left)))
        whole = round_counts(exact, shoes.system.rounding)
        assert whole.tolist() == [shoes.system.convert(int(count), left) for count in running]


def make_curve(means, *, first=-5, errors=0.0):
    means = np.array(means, np.float64)
    counts = np.arange(first, first + len(means))
    share = np.full(len(means), 0.01)
    error = np.broadcast_to(np.float64(errors), means.shape) * share
    return Curve(counts, counts + 0.5, share, means * share, error**2)


def test_the_index_is_the_least_count_that_gains():
    found = find_index(make_curve([-3, -2, -1, 0.5, 1, 2]))
    assert (found.index, found.at_or_above) == (-2, True)
    assert found.crossing == pytest.approx(-3 + 0.5 + 2 / 3)
    found = find_index(make_curve([2, 1, -1, -2]))
    assert (found.index, found.at_or_above) == (-3, False)
    assert find_index(make_curve([1, 2, 3])) is None
    assert find_index(make_curve([-3, -2, -1])) is None


def test_a_line_through_simulated_gains_finds_the_index_and_its_error():
    exact = Index(index=1, at_or_above=True, crossing=0.8, error=0.0)
    means = [0.02 * (count + 0.5 - 1.3) for count in range(-5, 6)]
    curve = make_curve(means, errors=0.01)
    fit = fit_index(curve, exact, width=4, tolerance=0.0)
    assert (fit.found.index, fit.found.crossing) == (1, pytest.approx(1.3))
    # Eight counts from -2.5 to 4.5: their mean is 1, their squares add up to 42.
    error = 0.01 * math.sqrt(1 / 8 + 0.3**2 / 42) / 0.02
    assert fit.found.error == pytest.approx(error)
    apart = 0.02 * 0.5 / (0.01 * math.sqrt(1 / 8 + 0.2**2 / 42))
    assert fit.errors_apart == pytest.approx(apart)
    assert fit_index(curve, exact, width=4, tolerance=0.5).errors_apart < apart
    assert fit_index(make_curve(means, errors=0.1), exact, width=4, tolerance=0).found is None
    assert fit_index(curve, exact, width=0.6, tolerance=0) is None
    falls = fit_index(
        make_curve([-mean for mean in means], errors=0.001), exact, width=4, tolerance=1
    )
    assert falls.found is None
    assert falls.errors_apart < -10


def test_gains_are_counted_where_the_chart_does_otherwise():
    curve = make_curve([-3, -1, 2, 4], first=0, errors=1.0)
    above, below = (Index(2, at_or_above, 1.5, 0.0) for at_or_above in (True, False))
    gain = gain_over_chart(curve, above, chart_acts=False)
    assert gain.value == pytest.approx(6.0)
    assert gain.standard_error == pytest.approx(math.sqrt(2))
    gain = gain_over_chart(curve, above, chart_acts=True)
    assert gain.value == pytest.approx(4.0)
    assert gain_over_chart(curve, below, chart_acts=True).value == pytest.approx(-6)


@pytest.mark.slow
def test_the_gain_on_fresh_shoes_is_the_solvers():
    """One round a shoe: all counts together, surrender of 12 v T costs what the solver says."""
    shoes = counted("1D LS PEN5")
    curve = work_out_curves(shoes, -12, 12, upcards=(TEN,)).questions[
        IndexQuestion("12", TEN, Action.SURRENDER)
    ]
    solver = PreparedShoe(shoes.rules, full_shoe(1).counts, upcards=(TEN,))
    solution = UpcardSolution(solver, TEN)
    expected = 0.0
    for ranks, pair, chance in opening_hands(solution):
        hand = solver.hands.find(ranks)
        if solver.hands.total[hand] == 12 and not pair and not solver.hands.is_soft[hand]:
            values = solution.values(hand, pair=pair)
            expected += 16 / 52 * chance * (values[Action.SURRENDER] - values[Action.HIT])
    assert curve.gain.sum() == pytest.approx(expected, rel=2e-3)


def test_plays_are_read_from_names_cells_and_sets():
    wanted = read_wanted("16 v T, A7v2, tt V 6, Insurance")
    assert wanted.cells == (("16", TEN), ("A7", 2), ("1010", 6))
    assert wanted.holds(INSURANCE)
    assert wanted.holds(IndexQuestion("16", TEN, Action.SURRENDER))
    assert not wanted.holds(IndexQuestion("15", TEN, Action.STAND))
    assert wanted.upcards == (2, 6, TEN, ACE)
    known = read_wanted("i18")
    assert known.holds(IndexQuestion("1010", 5, Action.SPLIT))
    assert not known.holds(IndexQuestion("1010", 5, Action.DOUBLE))
    assert all(read_wanted("all").holds(question) for question in find_questions())
    for text in ("", "19 v", "16 v T, 25 v 3", "i19", "12 v 3, i18"):
        with pytest.raises(AnalysisError, match="write all, a set"):
            read_wanted(text)


def test_a_question_knows_what_the_chart_says():
    chart = upcard.basic_strategy(SIX)
    for hand, up, action, says in (
        ("16", TEN, Action.SURRENDER, True),
        ("16", TEN, Action.STAND, True),  # Rs: of three cards and more it stands
        ("15", TEN, Action.STAND, False),
        ("11", 6, Action.DOUBLE, True),
        ("88", TEN, Action.SPLIT, True),
        ("1010", 6, Action.SPLIT, False),
    ):
        assert chart_says(chart, IndexQuestion(hand, up, action)) is says


@pytest.mark.slow
def test_exact_indices_of_a_few_cells():
    found = indices(SIX, plays="16 v T, 12 v T, 19 v T", method="exact")
    assert len(found.rows) == 2
    written = Deviations.parse(str(found))
    assert written == found.deviations
    assert written.system == "hi-lo"
    assert "6D S17 PEEK DOA DAS SP4 NRSA LS 3:2" in written.title
    assert [*map(str, found.missing)] == ["12 v T", "19 v T"]
    assert {"R >= -3", "S >= 0 else H"} == {
        str(play).partition("  ")[2] for play in found.deviations.plays
    }


@pytest.mark.slow
def test_simulated_and_exact_indices_stand_side_by_side():
    words = {"plays": "15 v T, insurance", "rounds": 2_000_000, "seed": 2, "ramp": "1-8"}
    found = indices(SIX, **words)
    again = indices(SIX, **words, workers=1)
    assert to_json(found) == to_json(again)
    assert found.seed == 2
    by_action = {row.question.action: row for row in found.rows}
    row = by_action[Action.SURRENDER]
    assert row.agrees
    assert row.simulated.index.crossing == pytest.approx(-0.4, abs=1)
    assert row.index == row.exact
    assert row.simulated.gain.value == pytest.approx(
        row.exact.gain, abs=4 * row.simulated.gain.standard_error
    )
    assert by_action[Action.INSURANCE].simulated.ramp_gain.value > 0
    alone = indices(SIX, **words | {"method": "simulation"})
    for row in alone.rows:
        assert row.index == row.simulated.index


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ko", "red-7", "uston-apc"])
def test_other_counts_get_indices_of_their_own(name):
    found = indices(SIX, count=name, plays="16 v T, insurance", method="exact")
    assert {row.question.action for row in found.rows} >= {Action.INSURANCE, Action.STAND}
    assert all(found.least < row.exact.index <= found.most for row in found.rows)
    if name == "ko":
        assert (found.least, found.most) == (-50, 28)
        insurance = [row for row in found.rows if not row.question.hand]
        # Preferred KO insures at +3: Vancura and Fuchs, Knock-Out Blackjack, 1998.
        assert insurance[0].exact.index == pytest.approx(3, abs=1)


@pytest.mark.parametrize(
    ("name", "most"), [("hi-lo", 10), ("hi-opt-1", 10), ("zen", 18), ("uston-apc", 25)]
)
def test_the_window_of_a_true_count_is_ten_of_hi_lo(name, most):
    """Tags twice as large make counts twice as large."""
    assert find_window(counted("6D", name)) == (-most, most)


@pytest.mark.parametrize(
    ("rules", "options", "error", "message"),
    [
        ("6D CSM", {}, UnsupportedRuleError, "no count to go by"),
        ("INF", {}, UnsupportedRuleError, "no count to go by"),
        ("switch", {}, UnsupportedRuleError, "switch=true: it weighs one hand alone"),
        ("6D 5CC", {}, UnsupportedRuleError, "charlie=5: it weighs a hand by its total"),
        ("6D ZOMBIE", {}, UnsupportedRuleError, "busts_live=true: it weighs no hand that is bust"),
        ("6D", {"plays": "17 w 3"}, AnalysisError, "write all, a set"),
        ("6D", {"method": "guess"}, AnalysisError, "both, exact, simulation"),
        ("6D", {"method": "exact", "seed": 3}, AnalysisError, "seed is for the simulation"),
        ("6D", {"method": "exact", "learn": 0}, AnalysisError, "1 or more"),
        ("6D", {"method": "simulation", "learn": 3}, AnalysisError, "goes by exact gains"),
        ("6D", {"rounds": 0}, AnalysisError, "1 or more"),
        ("6D", {"seed": -1}, RulesError, "a seed is"),
        ("6D", {"count": "lo-hi"}, RulesError, "no counting system"),
    ],
)
def test_what_cannot_be_is_refused(rules, options, error, message):
    with pytest.raises(error, match=message):
        indices(upcard.Rules.parse(rules), **options)


def test_tags_that_the_simulator_does_not_hold_are_refused():
    wide = load_system("hi-lo").replace(tags=(0, -52, 51, 60, 85, 125, 169, 122, 117, 43, -180))
    with pytest.raises(UnsupportedRuleError, match="tags of up to 180"):
        indices(SIX, count=wide, method="exact")


TWO = upcard.Rules.parse("2D S17 LS PEN85")


@pytest.mark.slow
def test_gains_of_plays_in_one_cell_add_up_to_what_they_are_worth_together(tmp_path):
    """G1: the chart surrenders 16 v T, so no gain is had twice; 0.0663 was printed, for 0.0369."""
    path = tmp_path / "stand.txt"
    path.write_text("16 v T  S >= 0 else H\n")
    (alone,) = indices(TWO, plays=str(path), method="exact").rows
    together = indices(TWO, plays="16 v T", method="exact").rows
    gains = {row.question.action: row.exact.gain for row in together}
    assert gains[Action.STAND] == pytest.approx(0.01799, abs=2e-5)
    assert gains[Action.STAND] == pytest.approx(alone.exact.gain, rel=1e-9)
    assert gains[Action.SURRENDER] == pytest.approx(0.0189, abs=2e-4)
    assert sum(gains.values()) == pytest.approx(0.0369, abs=2e-4)
    assert [row.exact.gain for row in together] == sorted(gains.values(), reverse=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "cells", "millions"),
    [
        ("2D S17 LS PEN85", "16 v T", 15),
        ("6D S17 LS", "15 v T, 16 v T, 16 v 9, 88 v T, insurance", 30),
    ],
)
def test_simulated_gains_are_those_of_the_same_cards_played_by_the_chart(rules, cells, millions):
    """G1: rows and sum, exact and simulated, against rounds with all plays and by the chart.

    What was counted twice for 2 decks, 0.0294, is nine standard errors of these rounds.
    """
    rounds = millions * 10**6
    found = indices(upcard.Rules.parse(rules), plays=cells, rounds=rounds, seed=3, ramp="1-8")
    for row in found.rows:
        gain = row.simulated.gain
        near = 4 * gain.standard_error + 0.03 * abs(row.exact.gain)
        assert gain.value == pytest.approx(row.exact.gain, abs=near), str(row.question)
        assert row.simulated.ramp_gain.value > 0
    gains = [row.simulated.gain for row in found.rows]
    error = math.sqrt(sum(gain.standard_error**2 for gain in gains))
    together = sum(row.exact.gain for row in found.rows)
    assert sum(gain.value for gain in gains) == pytest.approx(together, abs=3.5 * error)


def test_an_answer_is_credited_to_the_play_that_is_asked_first():
    """G1: so that gains add up, a hand that two plays turn from the chart counts for one."""
    chart = upcard.basic_strategy(TWO)
    plays = Deviations.parse(
        "16 v T  S >= 0 else H\n16 v T  R >= -3\n88 v T P >= -2\n88 v T S >= 9"
    )
    sixteen = {"total": 16, "is_soft": False, "pair_rank": 0, "upcard": TEN}
    eights = sixteen | {"pair_rank": 8}
    two, more = {Action.HIT, Action.STAND, Action.SURRENDER}, {Action.HIT, Action.STAND}

    def used(hand, count, legal):
        play = plays.find_used(chart, **hand, count=count, legal=legal)
        return None if play is None else play.action

    assert used(sixteen, -4, two) is Action.SURRENDER  # it hits, but would not without this play
    assert used(sixteen, -4, more) is Action.STAND
    assert used(sixteen, -1, two) is None
    assert used(sixteen, -1, more) is Action.STAND
    assert used(eights, -3, {*more, Action.SPLIT}) is Action.SPLIT


@pytest.mark.slow
def test_the_plays_to_learn_come_in_the_order_of_what_each_adds():
    """Against every order of the plays of the cells: a share is that of the plays so far."""
    words = {"plays": "16 v T, 15 v T, insurance", "method": "exact", "ramp": "1-8"}
    everything = indices(SIX, **words)
    found = indices(SIX, learn=4, **words)
    learned, shares = zip(*((row.question, row.share_so_far) for row in found.rows), strict=True)
    assert len(learned) == 4
    gained = [row.exact.ramp_gain for row in everything.rows]
    assert found.gain_of_all == pytest.approx(sum(gained), rel=1e-9)
    assert sum(row.exact.ramp_gain for row in found.rows) == pytest.approx(
        shares[-1] * found.gain_of_all, rel=1e-9
    )
    added = np.diff([0.0, *shares])
    assert min(added) > 0
    for place in range(3):
        # Whatever else could have come at this place would have added less.
        before = learned[:place]
        for other in learned[place + 1 :]:
            cells = {question[:2] for question in (*before, other)}
            if len(cells) == place + 1:
                assert added[place] >= added[learned.index(other)]


@pytest.mark.slow
def test_another_rounding_of_the_true_count_has_an_index_of_its_own():
    (row, *_) = indices(SIX, plays="insurance", method="exact", learn=1).rows
    assert row.exact.crossing == pytest.approx(3.03, abs=0.03)
    # Rounded, +3 is 2.5 to 3.5, and most of that is below the crossing.
    assert row.exact.rounded == {"floor": 3, "truncate": 3, "round": 4}
    (row, *_) = indices(SIX, plays="16 v T", method="exact", learn=1).rows
    for rounding, index in row.exact.rounded.items():
        system = load_system("hi-lo").replace(rounding=rounding)
        (alone, *_) = indices(SIX, count=system, plays="16 v T", method="exact", learn=1).rows
        assert alone.exact.index == index


@functools.cache
def simulated_indices(rules, count="hi-lo"):
    """Find the published plays' indices by both methods.

    `test_paired_play` compares the probe with the table to the chip, so that 16 million rounds are
    for the exact values' approximations only.
    """
    plays = "i18+fab4" if "LS" in rules else "i18"
    return indices(upcard.Rules.parse(rules), count=count, plays=plays, rounds=16_000_000, seed=12)


@pytest.mark.slow
@pytest.mark.xdist_group("indices")
def test_the_illustrious_18_and_the_fab_4_are_met_within_one_count():
    """Published for 4 to 8 decks, S17, DAS, their indices truncated or rounded; ours are floored.

    Floored, an index is the first whole count that gains on average, so that one published from
    the same crossing by rounding may lie one beside it.
    """
    found = simulated_indices("6D S17 DAS LS")
    published = published_indices()
    assert len(found.rows) == len(published) == 24
    for row in found.rows:
        assert abs(row.exact.index - published[tuple(row.question)]) <= 1, str(row.question)
        assert row.exact.at_or_above


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(("6D S17 DAS LS",), marks=pytest.mark.xdist_group("indices")),
        ("2D H17 NDAS",),
        ("6D H17", "ko"),
    ],
)
def test_simulation_and_exact_values_agree(case):
    found = simulated_indices(*case)
    told = [row.simulated for row in found.rows if row.simulated.errors_apart is not None]
    assert len(told) > 15
    assert [str(row.question) for row in found.rows if row.agrees is False] == []
    squares = sum(one.errors_apart**2 for one in told)
    assert squares < len(told) + 4 * math.sqrt(2 * len(told))
    for row in found.rows:
        gain = row.simulated.gain
        near = 4.5 * gain.standard_error + 0.1 * abs(row.exact.gain)
        assert gain.value == pytest.approx(row.exact.gain, abs=near), str(row.question)


@pytest.fixture
def searches(monkeypatch, tmp_path):
    """Save to a folder of the test; return the questions that are searched, as they come."""
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path))
    found = []
    search_for = search._find
    monkeypatch.setattr(
        search, "_find", lambda asked, *more: found.append(asked) or search_for(asked, *more)
    )
    return found


ONE_PLAY = {"plays": "16 v T", "method": "exact", "saves": True}


def test_indices_are_saved_and_the_same_question_is_answered_by_them(searches):
    rules = upcard.Rules.parse("1D")
    first = indices(rules, **ONE_PLAY)
    assert indices(rules, **ONE_PLAY) == first
    assert len(searches) == 1


@pytest.mark.parametrize(
    "change",
    [{"count": "ko"}, {"plays": "16 v T, insurance"}, {"saves": False}, {"method": "both"}],
)
def test_another_question_searches_again(change, searches, monkeypatch):
    monkeypatch.setattr(search, "simulate_plays", lambda *_, **asked: ([None], asked["rounds"]))
    rules = upcard.Rules.parse("1D")
    indices(rules, **ONE_PLAY)
    indices(rules, **ONE_PLAY | change)
    assert len(searches) == 2


def test_changed_sources_search_again(searches, monkeypatch):
    rules = upcard.Rules.parse("1D")
    indices(rules, **ONE_PLAY)
    monkeypatch.setattr(search, "program_stamp", lambda _: "another")
    indices(rules, **ONE_PLAY)
    assert len(searches) == 2


def test_a_damaged_file_is_searched_again(searches, tmp_path):
    rules = upcard.Rules.parse("1D")
    first = indices(rules, **ONE_PLAY)
    (file,) = tmp_path.rglob("indices-*")
    file.write_bytes(file.read_bytes()[:-20])
    assert indices(rules, **ONE_PLAY) == first
    assert len(searches) == 2


@pytest.mark.slow
def test_the_seed_that_was_drawn_is_saved_with_what_it_gave(searches):
    rules = upcard.Rules.parse("1D")
    asked = {"plays": "16 v T", "rounds": 20_000, "saves": True}
    first, again = indices(rules, **asked), indices(rules, **asked)
    assert again == first
    assert again.seed == first.seed is not None
    assert len(searches) == 1


@pytest.mark.slow
def test_risk_averse_indices_ask_more_of_doubles_and_splits_and_nothing_of_stands():
    rules = upcard.Rules.parse("6D S17 DAS")
    words = {"plays": "TT v 6, 10 v T, 16 v T", "rounds": 4_000_000, "seed": 1, "ramp": "1-8"}
    found = indices(rules, **words, bankroll=400)
    plain = indices(rules, **words)
    rows = {str(row.question): row for row in found.rows}
    assert [row.exact for row in plain.rows] == [row.exact for row in found.rows]
    apart = {cell: row.risk_averse.crossing - row.exact.crossing for cell, row in rows.items()}
    assert abs(apart["16 v T"]) < 0.1
    assert apart["TT v 6"] > 0.5
    assert apart["10 v T"] > 2
    # A double of a hand that would be hit has the squares of two bets: 4, less pushes.
    assert 2 < rows["10 v T"].simulated.added_square < 3
    assert [row.index for row in found.rows] == [row.risk_averse for row in found.rows]
    rich = indices(rules, **words, bankroll=1e9)
    for row in rich.rows:
        assert row.risk_averse.crossing == pytest.approx(row.exact.crossing, abs=1e-6)
    assert to_json(found)["bankroll"] == 400
    assert "risk-averse: bets 1:1 2:2 3:4 4:6 5:8, a bankroll of 400 units" in str(found)


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        ({"bankroll": 400}, "need a ramp, and the method both"),
        ({"bankroll": 400, "ramp": "1-8", "method": "exact"}, "need a ramp, and the method both"),
        ({"bankroll": 0, "ramp": "1-8"}, "bankroll 0: units of the ramp, over 0"),
    ],
)
def test_a_bankroll_without_bets_or_a_simulation_is_refused(terms, told):
    with pytest.raises(AnalysisError, match=told):
        indices(upcard.Rules.parse("6D"), **terms)


@pytest.mark.slow
def test_a_play_that_lets_go_of_surrender_has_its_other_half():
    """Below -4 a hand of 16 is hit, where the chart's own next answer is to stand."""
    found = indices("6D LSX", plays="16 v T", method="exact")
    assert {str(row) for row in found.rows} == {
        "16 v T  R >= -4",
        "16 v T  S >= 0 else H",
    }
    assert all(row.exact.gain >= 0 for row in found.rows)
    wrong, *_ = indices("6D LSX", plays="fab4", method="exact").rows
    assert wrong.exact.gain >= 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    ["6D LSX", "2D H17 LSX", "1D LSX ENHC", "1D H17", "1D LS", "2D ES10 DANY", "6D MS15 LSX"],
)
def test_no_play_of_a_set_loses(rules):
    found = indices(rules, method="exact")
    assert [str(row) for row in found.rows if row.exact.gain < -1e-9] == []


@pytest.mark.slow
def test_a_play_is_learnt_with_its_other_half():
    found = indices("6D LSX", method="exact", learn=12)
    names = [str(row) for row in found.rows]
    place = names.index("16 v T  S >= 0 else H")
    assert names[place + 1] == "16 v T  R >= -4"
    shares = [row.share_so_far for row in found.rows]
    assert all(after >= before for before, after in pairwise(shares))
