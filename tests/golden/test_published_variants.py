"""Published gains of small variants, in percent of a bet; none is ours.

They are differences from eight decks, S17 PEEK DOA DAS SP4 3:2. Those of the infinite deck are met
to all the digits that are printed. Those of eight decks are for play by totals, ours for the best
play by composition.
"""

import pytest

import upcard
from upcard.exact.infinite import InfiniteSolver

TOLERANCE = 0.02
FREE_BETS = {"P22 FD9-11 FSNT": 0.9937, "P22 FDANY FSN4T": 0.6208}
GAINS = {"6CC": 0.16, "ES10": 0.24, "W21": 0.54, "BJS(2:1)": 0.57, "D9": -0.09, "HSA": 0.19}
NOT_MET = {"5CC": 1.46, "T17": -1.87}
INFINITE_GAINS = {"6CC": 0.1605, "5CC": 1.578, "W21": 0.5424, "BJS(2:1)": 0.5637}
INFINITE_GAINS |= {"D9": -0.0890, "HSA": 0.191}
EARLY_V_TENS = 0.2511
SWITCH_EDGE = 0.58
SWITCH_S17 = 0.30


def rules_of(deck, variant=""):
    return upcard.Rules.parse(f"{deck} S17 PEEK DAS SP4 3:2 {variant}")


def gain_of(deck, variant, strategy=None):
    """Return what a variant gains, in percent."""
    changed, plain = (
        upcard.expected_value(rules_of(deck, words), strategy=strategy) for words in (variant, "")
    )
    return 100 * (changed - plain)


@pytest.mark.parametrize(("variant", "gain"), INFINITE_GAINS.items())
def test_gain_in_an_infinite_deck(variant, gain):
    digits = len(str(gain).partition(".")[2])
    assert round(gain_of("INF", variant), digits) == gain


def test_gain_of_early_surrender_against_tens_in_an_infinite_deck():
    """Nothing changes against other upcards."""
    plain, changed = (InfiniteSolver(rules_of("INF", words)) for words in ("", "ES10"))
    gains = {
        up: 100 * chance * (changed.value_round(up).ev - plain.value_round(up).ev)
        for up, chance in changed.upcard_probabilities().items()
    }
    assert round(gains.pop(10), 4) == EARLY_V_TENS
    assert set(gains.values()) == {0.0}


@pytest.mark.parametrize(("words", "edge"), FREE_BETS.items())
def test_house_edge_of_free_bets_in_an_infinite_deck(words, edge):
    rules = upcard.Rules.parse(f"INF H17 PEEK DOA DAS SP4 RSA 3:2 {words}")
    assert round(100 * upcard.solve_game(rules).house_edge, 4) == edge


def test_house_edge_of_switch():
    """The published play is by totals: the best play loses less, but not by much."""
    edge = 100 * upcard.solve_game("switch").house_edge
    assert round(edge, 4) == 0.5408
    assert 0 < SWITCH_EDGE - edge < 2 * TOLERANCE


@pytest.mark.slow
def test_gain_of_s17_at_switch_that_our_play_does_not_meet():
    """It gains 0.40, by this solver and by the infinite-deck values of the hands."""
    stands, hits = (upcard.solve_game(f"switch {soft}").ev for soft in ("S17", "H17"))
    assert round(100 * (stands - hits), 2) == 0.40 > SWITCH_S17 + TOLERANCE


def test_a_12_against_a_4_is_hit_where_22_pushes():
    plain, push = (upcard.solve(f"INF H17 {words}", "T 2", "4").ev for words in ("", "P22"))
    answers = (upcard.Action.STAND, upcard.Action.HIT)
    assert [round(plain[answer], 6) for answer in answers] == [-0.205850, -0.213839]
    assert [round(push[answer], 6) for answer in answers] == [-0.301161, -0.279823]


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(("variant", "gain"), GAINS.items())
def test_gain_in_eight_decks(variant, gain):
    assert gain_of("8D", variant) == pytest.approx(gain, abs=TOLERANCE)


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "gain"), NOT_MET.items())
def test_gain_in_eight_decks_that_no_reading_of_the_rule_meets(variant, gain):
    """They lie between the gain of one who plays on as in the plain game and that of the best play.

    5CC: 1.12 and 1.52; T17: -1.92 and -1.80.
    """
    plain_chart = upcard.basic_strategy(rules_of("8D"))
    best = gain_of("8D", variant)
    assert gain_of("8D", variant, plain_chart) < gain < best - TOLERANCE
