"""The best tags: exactly, against all tags of a level, and against naive sums."""

from itertools import product
from math import exp

import numpy as np
import pytest

from upcard.analysis import best_tags, efficiencies
from upcard.analysis.best_tags import TagGoal, TagSet, find_best_tags, make_worth, search
from upcard.analysis.figures import score
from upcard.cache import exact
from upcard.core.cards import rank_name
from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.rules.model import Rules
from upcard.strategy.count_system import CountSystem, load_system, read_system

GAME = Rules()
DECK = GAME.full_deck.counts[1:]
SPANISH = (4,) * 9 + (12,)


def every_tags(level, cards, *, sums):
    """Return all tags that are not the same for every card."""
    every = np.array(list(product(range(-level, level + 1), repeat=len(cards))))
    every = every[np.ptp(every, axis=1) > 0]
    return every if sums else every[every @ np.array(cards) == 0]


def correlate(tags, effects, cards):
    """Return Pearson's correlations over the cards of a deck."""
    every = np.repeat(tags, cards, axis=1)
    return [np.corrcoef(one, np.repeat(effects, cards))[0, 1] for one in every]


def named(tags):
    return CountSystem(name="mine", title="t", source="s", tags=(0, *map(int, tags)))


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("sums", [False, True])
@pytest.mark.parametrize(("cards", "seed"), [(DECK, 1), (DECK, 2), (SPANISH, 3), (DECK, None)])
def test_the_nearest_tags_are_the_best_of_all_of_level_1(cards, seed, sums):
    effects = best_tags.effects_by_rank(GAME)
    if seed is not None:
        effects = np.random.default_rng(seed).normal(size=10)
    every = every_tags(1, cards, sums=sums)
    worth = best_tags._Correlated([effects], [cards]).correlate(every)[:, 0]
    found = TagSet(cards, 1, sums).nearest(effects)
    assert sums or found @ np.array(cards) == 0
    best = correlate(found[None], effects, cards)[0]
    assert best == pytest.approx(worth.max(), abs=1e-12)
    some = every[:: len(every) // 50]
    assert correlate(some, effects, cards) == pytest.approx(worth[:: len(every) // 50], abs=1e-12)


@pytest.mark.slow
def test_more_tags_follow_the_effects_better_and_the_nearest_of_level_1_are_hi_lo():
    effects = best_tags.effects_by_rank(GAME)
    found = [TagSet(DECK, level, sums=False).nearest(effects) for level in (1, 2, 3, 4)]
    worth = correlate(np.array(found), effects, DECK)
    assert worth == sorted(worth)
    system = find_best_tags(GAME, "betting").system
    assert system.tags == load_system("hi-lo").tags
    assert (system.ramp_from, system.ramp_step) == (1, 1)
    assert efficiencies.betting_correlation(system, GAME) == pytest.approx(worth[0])


@pytest.mark.slow
def test_tables_of_playing_efficiency_are_those_of_the_systems():
    names = ("hi-lo", "omega-2", "uston-apc", "ko")
    systems = [load_system(name) for name in names]
    tags = np.array([system.tags[1:] for system in systems], float)
    found = make_worth(GAME, TagGoal.PLAYING)(tags)
    assert found == pytest.approx(list(map(efficiencies.playing_efficiency, systems)), abs=2e-5)


@pytest.mark.slow
@pytest.mark.parametrize("goal", [TagGoal.PLAYING, TagGoal.GROWTH])
def test_the_search_finds_the_best_of_all_balanced_tags_of_level_1(goal):
    worth = make_worth(GAME, goal)
    found = search(worth, TagSet(DECK, 1, sums=False), number=4)
    every = every_tags(1, DECK, sums=False)
    assert worth(found[None])[0] == pytest.approx(worth(every).max(), abs=1e-12)


@pytest.mark.slow
def test_the_search_for_plays_finds_the_best_of_all_tags_of_level_1():
    worth = make_worth(GAME, TagGoal.PLAYING)
    found = search(worth, TagSet(DECK, 1, sums=True))
    every = every_tags(1, DECK, sums=True)
    assert worth(found[None])[0] == pytest.approx(worth(every).max(), abs=1e-12)


@pytest.mark.slow
def test_the_best_tags_for_plays_reach_the_greatest_efficiencies_of_griffin():
    """Source: Peter Griffin, The Theory of Blackjack, chapter 4."""
    found = {
        level: efficiencies.playing_efficiency(
            named(find_best_tags(GAME, "playing", level=level).tags)
        )
        for level in ("3", "free")
    }
    assert found["3"] >= 0.690
    assert found["free"] >= 0.703


def estimate_score(system, rules, spread):
    """Estimate SCORE as the module says, decision by decision, without its arrays."""
    cards = rules.full_shoe.counts[1:]
    size = sum(cards)
    effects = exact.effects_of_removal(rules)
    gains = [
        (
            1.0,
            exact.expected_value(rules),
            [effects[rank_name(rank)] for rank in range(1, 11)],
            cards,
        )
    ]
    gains += [
        (one.chance, one.gain, one.effects, one.deck(cards))
        for one in efficiencies.join_hands(efficiencies.decision_effects(rules))
    ]
    each = []
    for chance, mean, effect, deck in gains:
        part = correlate(np.array([system.tags[1:]], float), effect, deck)[0]
        each.append(
            (chance, mean, part * efficiencies.linear_deviation(deck, effect, sum(deck) / 2))
        )
    rounds = []
    for strip in range(5):
        left = size * (1 - (strip + 0.5) / 5 * float(rules.penetration))
        depth = ((size - left) / left) ** 0.5
        for step in range(33):
            z = -4 + step / 4
            ev = each[0][1] + each[0][2] * depth * z
            for chance, mean, slope in each[1:]:
                gain = mean + slope * depth * z
                ev += chance * max(gain if mean <= 0 else -gain, 0.0)
            rounds.append((exp(-z * z / 2), ev))
    total = sum(weight for weight, _ in rounds)
    best = 0.0
    for number in range(31):
        per_edge = 20 * 100 ** (number / 30)
        bets = [(weight, ev, min(max(per_edge * ev, 1.0), spread)) for weight, ev in rounds]
        mean = sum(weight * bet * ev for weight, ev, bet in bets) / total
        square = 1.33 * sum(weight * bet * bet for weight, _, bet in bets) / total
        best = max(best, score(ev=mean, variance=square))
    return best


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hi-lo", "omega-2"])
def test_growth_is_the_sum_over_decisions_depths_and_counts(name):
    system = load_system(name)
    worth = make_worth(GAME, TagGoal.GROWTH, 12.0)(np.array([system.tags[1:]], float))[0]
    # It leaves out plays that gain next to nothing.
    assert worth == pytest.approx(estimate_score(system, GAME, 12.0), rel=1e-4)


@pytest.mark.slow
def test_better_tags_grow_faster_and_more_with_a_wider_spread():
    tags = np.array([load_system(name).tags[1:] for name in ("hi-lo", "zen")], float)
    narrow, wide = (make_worth(GAME, TagGoal.GROWTH, spread)(tags) for spread in (4.0, 16.0))
    assert narrow[0] < narrow[1] < wide[0] < wide[1]


def test_a_system_reads_back_and_tags_with_a_sum_are_counted_less_their_mean():
    found = find_best_tags(GAME, "betting", sums=True)
    assert found.tags == load_system("ko").tags[1:]
    assert read_system(found.system.to_toml(), name="x") == found.system
    assert found.per_deck == np.dot(DECK, found.tags) != 0
    assert found.system.deck_sum == 0
    apart = {tag - whole for tag, whole in zip(found.system.tags[1:], found.tags, strict=True)}
    assert len(apart) == 1


@pytest.mark.slow
def test_free_tags_count_in_tenths():
    found = find_best_tags(GAME, "betting", level="free")
    assert found.unit == 10
    assert max(map(abs, found.tags)) <= 20
    assert efficiencies.betting_correlation(found.system, GAME) > 0.999


@pytest.mark.parametrize("text", ["INF", "6D CSM"])
def test_games_whose_cards_do_not_go_are_refused(text):
    with pytest.raises(UnsupportedRuleError, match=text.split()[-1]):
        find_best_tags(Rules.parse(text), "betting")


@pytest.mark.parametrize("text", ["switch", "double-exposure"])
def test_growth_is_refused_where_a_decision_is_not_one_hand_against_an_upcard(text):
    with pytest.raises(UnsupportedRuleError, match=r"switch=true|shows_hole=true"):
        make_worth(Rules.parse(text), TagGoal.GROWTH)


@pytest.mark.parametrize(("goal", "level"), [("luck", "1"), ("betting", "4")])
def test_unknown_goals_and_levels_are_refused(goal, level):
    with pytest.raises(RulesError, match="goals are betting, playing, growth"):
        find_best_tags(GAME, goal, level=level)
