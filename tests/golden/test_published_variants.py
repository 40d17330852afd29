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
DOUBLE_EXPOSURE = {"double-exposure": (0.68, 0.05), "double-exposure-reno": (1.47, 0.2)}
DOUBLE_EXPOSURE_INFINITE = 1.6768


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


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("name", "edge"), DOUBLE_EXPOSURE.items())
def test_house_edge_of_double_exposure(name, edge):
    published, tolerance = edge
    rules = upcard.house(name)
    for strategy in (None, upcard.basic_strategy(rules)):
        found = -100 * upcard.expected_value(rules, strategy=strategy)
        assert found == pytest.approx(published, abs=tolerance)


def test_house_edge_of_double_exposure_in_an_infinite_deck():
    rules = upcard.house("double-exposure-reno").replace(decks=None)
    edge = 100 * upcard.solve_game(rules).house_edge
    assert round(edge, 4) == DOUBLE_EXPOSURE_INFINITE


def test_house_edge_of_double_exposure_by_what_the_number_of_splits_is_read_as():
    """Split "up to four times": four hands or five, aces once or again. The house has the last."""
    house = upcard.house("double-exposure")
    read = {
        words: 100 * upcard.solve_game(f"6D H17 D9 1:1 TALL BJW UP2 {words}").house_edge
        for words in ("SP4", "SP4 RSA", "SP5", "SP5 RSA")
    }
    assert [round(edge, 3) for edge in read.values()] == [0.771, 0.732, 0.714, 0.675]
    assert house == upcard.Rules.parse("6D H17 D9 1:1 TALL BJW UP2 SP5 RSA")


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
