"""EV by cards gone: exact over all shoes, and over shuffled ones."""

import numpy as np
import pytest

import upcard
from upcard.analysis import cards_gone
from upcard.analysis.cards_gone import find_cards_gone
from upcard.answers.asked import removal
from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.players.bots import basic_chart
from upcard.players.perfect import value_round

GAME = upcard.Rules.parse("1D PEN30")
FULL = GAME.full_shoe.counts[1:]


@pytest.fixture
def few(monkeypatch):
    """Value two depths beyond those that are exact."""
    monkeypatch.setattr(cards_gone, "_DEPTHS", 2)


def test_all_shoes_with_up_to_four_cards_gone_are_weighed_by_their_chances():
    depths = cards_gone._list_depths(GAME, 4, 2, 1)[:5]
    assert [len(depth.shoes) for depth in depths] == [1, 10, 55, 220, 715]
    for gone, depth in enumerate(depths):
        assert {sum(shoe) for shoe in depth.shoes} == {52 - gone}
        assert depth.weights.sum() == pytest.approx(1, abs=1e-14)
        left = depth.weights @ np.array(depth.shoes)
        assert left == pytest.approx(np.array(FULL) * (1 - gone / 52), abs=1e-12)


@pytest.mark.slow
def test_by_a_fixed_chart_the_mean_is_that_of_the_full_shoe_at_every_depth(few, monkeypatch):
    chart = basic_chart(GAME)
    whole = upcard.expected_value(GAME, strategy=chart)
    monkeypatch.setattr(
        cards_gone,
        "_value_shoes",
        lambda rules, shoes: tuple(value_round(rules, chart, list(shoe)) for shoe in shoes),
    )
    monkeypatch.setenv("UPCARD_CACHE", "off")
    rows = find_cards_gone(GAME, exact_to=2, shoes=4, workers=1).rows
    assert [row.gone for row in rows] == [0, 1, 2, 8, 15]
    assert [row.ev for row in rows[:3]] == pytest.approx([whole] * 3, abs=1e-12)
    for row in rows[3:]:
        assert row.ev == pytest.approx(whole, abs=5 * row.error)


@pytest.mark.slow
def test_with_one_card_gone_the_mean_is_that_of_the_effects_of_removal(few):
    effects = upcard.effects_of_removal(GAME)
    whole = upcard.expected_value(GAME)
    start, one, *_ = find_cards_gone(GAME, exact_to=1, shoes=2, workers=1).rows
    evs = np.array([whole + effects[rank] for rank in "A23456789T"])
    weights = np.array(FULL) / 52
    assert start.ev == whole
    assert one.ev == pytest.approx(weights @ evs, abs=1e-12)
    assert one.sd == pytest.approx(np.sqrt(weights @ (evs - one.ev) ** 2), abs=1e-12)
    assert one.winning == pytest.approx(weights @ (evs > 0), abs=1e-12)
    assert one.gain == pytest.approx(weights @ np.maximum(evs, 0), abs=1e-12)
    assert one.low == evs.min()


@pytest.mark.slow
def test_shuffled_shoes_agree_with_all_shoes_and_much_better_than_their_spread(few):
    rules = upcard.Rules.parse("1D PEN5")  # two cards
    every = find_cards_gone(rules, exact_to=2, shoes=2, workers=1).rows[2]
    depth = cards_gone._Depth(2, tuple(_shuffle(rules, 120)), None)
    evs = np.array([value_round(rules, None, list(shoe)) for shoe in depth.shoes])
    effects = upcard.effects_of_removal(rules)
    each = np.array([effects[rank] for rank in "A23456789T"])
    found = depth.sum_up(FULL, evs, each, upcard.expected_value(rules))
    assert found.ev == pytest.approx(every.ev, abs=4 * found.error)
    assert found.error < 0.2 * evs.std() / np.sqrt(len(evs))
    assert found.winning == pytest.approx(every.winning, abs=4 * found.winning_error)
    assert found.gain == pytest.approx(every.gain, abs=4 * found.gain_error)


def _shuffle(rules, number):
    rng = np.random.default_rng(5)
    cards = np.repeat(np.arange(10), FULL)
    for _ in range(number):
        yield tuple(np.bincount(rng.permutation(cards)[2:], minlength=10).tolist())


def test_what_was_interrupted_continues_with_saved_values(few, monkeypatch, tmp_path):
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path))
    valued, stops = [], [3]

    def value(rules, shoes):
        if stops and len(valued) == stops[0]:
            stops.clear()
            raise KeyboardInterrupt
        valued.append(shoes)
        return tuple(float(sum(shoe)) for shoe in shoes)

    monkeypatch.setattr(cards_gone, "_value_shoes", value)
    found = find_cards_gone(GAME, exact_to=2, shoes=2, workers=1)
    assert not found.is_whole
    assert [row.gone for row in found.rows] == [0, 1]
    again = find_cards_gone(GAME, exact_to=2, shoes=2, workers=1)
    assert again.is_whole
    assert again.rows[:2] == found.rows
    assert len(valued) == len(set(valued)) == 7
    assert again.rows[1].ev == 51.0


@pytest.mark.slow
def test_workers_change_no_result(few, monkeypatch):
    monkeypatch.setenv("UPCARD_CACHE", "off")
    rules = upcard.Rules.parse("1D PEN20")
    one, two = (
        find_cards_gone(rules, exact_to=2, shoes=4, seed=2, workers=workers) for workers in (1, 2)
    )
    # A process of its own values all shoes by itself, with the same kernels.
    assert one.rows == two.rows


@pytest.mark.parametrize("text", ["INF", "6D CSM", "2D SPINF"])
def test_rules_without_values_are_refused_by_name(text):
    with pytest.raises(UnsupportedRuleError, match=text.split()[-1]):
        find_cards_gone(upcard.Rules.parse(text))


@pytest.mark.parametrize("terms", [{"shoes": 1}, {"exact_to": 7}, {"workers": 0}])
def test_a_mean_needs_two_shoes_and_exact_ones_are_few(terms):
    with pytest.raises(RulesError, match="2 shoes or more, 1 worker or more, 0 to 6 cards"):
        find_cards_gone(GAME, **terms)


def test_the_question_has_the_limits_of_the_analysis():
    """It names them in its help, for which the simulator is not loaded."""
    there = (cards_gone.EXACT_TO, cards_gone.MOST_EXACT, cards_gone.DEFAULT_SHOES)
    assert there == (removal._EXACT_TO, removal._MOST_EXACT, removal._SHOES)
