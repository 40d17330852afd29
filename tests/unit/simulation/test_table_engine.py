"""The table engine: the kernel's tally by other means, any player and house, exact values."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from upcard import expected_value
from upcard.core.actions import Action
from upcard.core.errors import EmptyShoeError, RulesError, UnsupportedRuleError
from upcard.exact.infinite import InfiniteSolver, as_infinite
from upcard.players.bots import basic_chart
from upcard.rules.model import Rules
from upcard.simulation.job import Engine, Job
from upcard.simulation.kernel_rounds import play_chunk
from upcard.simulation.lower import lower
from upcard.simulation.table_engine import (
    MOST_HANDS,
    Decision,
    TableGame,
    make_generator,
    play_table_chunk,
)
from upcard.simulation.tally import DEALT, estimate_flat
from upcard.strategy.chart import DOUBLED_LABELS, HAND_LABELS, PAIR_LABELS, Strategy
from upcard.strategy.count_system import load_system, system_names
from upcard.strategy.deviations import load_deviations

ODD_HOUSES = {
    "deshmukh": ("mimic", "never-bust", "computer:1,17,0.5"),
    "seven-hands": ("basic", "lott-simple", "mimic"),
    "mdp": ("basic", "mimic"),
    "lott": ("lott", "lott-simple", "basic"),
    "roanoke": ("computer:1,17,0.5", "basic", "mimic"),
}


def total_of(label):
    """Return the total of a row of the chart, and whether it is soft."""
    if label == "AA":
        return 12, True
    if label in PAIR_LABELS:
        return 2 * int(label[: len(label) // 2]), False
    return (11 + int(label[1:]), True) if label.startswith("A") else (int(label), False)


MIMIC = Strategy(
    cells=tuple(("S" if total_of(label)[0] >= 17 else "H",) * 10 for label in HAND_LABELS)
)
"""The chart of who draws to 17 and stands on soft 17."""
DOUBLES = Strategy(
    cells=tuple(
        ("P" if label in PAIR_LABELS else "H" if total_of(label)[0] < 10 else "Dh",) * 10
        for label in HAND_LABELS
    )
)
"""The chart of who splits all pairs and doubles from 10 on."""
HITS = Strategy(cells=tuple(("P" if label in PAIR_LABELS else "H",) * 10 for label in HAND_LABELS))


def make_job(rules, *, engine=Engine.TABLE, **changes):
    rules = rules if isinstance(rules, Rules) else Rules.parse(rules)
    settings = {"strategy": None if "player" in changes else MIMIC, "seed": 1, "chunk_rounds": 5000}
    return Job(rules=rules, engine=engine, **(settings | changes))


def play(rules, rounds=300, *, chunk=0, **changes):
    return play_table_chunk(make_job(rules, **changes), chunk, rounds)


def test_the_round_after_a_shoe_that_ran_out_is_counted_to_the_next_shoe():
    job = make_job("1D PEN95", strategy=HITS, spots=5, system=load_system("hi-lo"))
    game = TableGame(job, 0)
    has_run_out = 0
    for _ in range(200):
        shuffles, is_out = game.shoe.shuffles, game.shoe._has_run_out
        played = game.play()
        is_new = game.shoe.shuffles > shuffles
        assert (played.shoe, played.dealt == 0) == (game.shoe.shuffles - 1, is_new)
        if is_out:
            has_run_out += 1
            assert (is_new, played.count) == (True, 0)
    assert has_run_out > 20


# --- the tally has the kernel's shape and meaning ---

SHAPES = (
    *("6D", "1D 6:5", "2D CSM LS", "INF", "8D SP8 2:1 PEN50", "4D SP1 ND", "6D natural_pays=7/5"),
    *("6D INS(5:2)", "2D D3X OBBO SP8", "6D RE RD3 W21 BON(4=7:5/777v7=40:1)"),
)


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("notation", SHAPES)
@pytest.mark.parametrize("spots", [1, 7])
def test_the_tally_has_the_shape_of_the_kernels(notation, spots):
    rules = Rules.parse(notation)
    systems = [None] if rules.is_infinite else [None, *map(load_system, system_names())]
    for system in systems:
        job = make_job(rules, spots=spots, system=system)
        lowered = lower(job.replace(engine=Engine.KERNEL))
        expected = (lowered.shape, lowered.game.unit, lowered.game.least_net)
        ours = play_table_chunk(job, 0, 3)
        assert (ours.rounds.shape, ours.unit, ours.least_net) == expected
        theirs = play_chunk(job.replace(engine=Engine.KERNEL), 0, 3)
        assert (ours + theirs).seen == 6  # adding refuses tallies of different games


@pytest.mark.parametrize(
    "notation",
    [
        "1D 7:5 BJS(7:3) 4CC(29:2) D3X DANY NOINS",
        "1D INS(7:3) D3X DANY",
        "1D 10:1 SP8 RSA HSA split_naturals=always",
        "1D W21 RE RD3 DANY BON(3=7:3/777=3:1-9:1-20:1)",
    ],
)
def test_a_tally_holds_every_net_that_the_rules_allow(notation):
    rows = (("Dr",) * 10,) * len(DOUBLED_LABELS)
    chart = Strategy(cells=DOUBLES.cells, takes_insurance=True, doubled=rows)
    job = make_job(notation, strategy=chart)
    tally, game = play_table_chunk(job, 0, 600), TableGame(job, 0)
    rows = zip(tally.nets.tolist(), tally.rounds.sum(axis=(0, 1, 2)).tolist(), strict=True)
    counted = {Fraction(net, tally.unit): rounds for net, rounds in rows if rounds}
    assert counted == Counter(game.play().state.net for _ in range(600))


AGREE = (
    ("6D S17 LS", {}),
    ("1D H17 6:5 ES", {"system": "hi-lo", "deviations": "i18+fab4", "enter": 1, "leave": 0}),
    ("2D OBO RSA HSA PEN60", {"system": "ko", "spots": 3}),
    ("INF ENHC", {"spots": 2}),
    ("spanish-21 H17 RD3", {}),
)


@pytest.mark.slow
def test_table_and_kernel_come_to_the_same_averages():
    notation, settings = AGREE[0]
    check_agreement(notation, settings, rounds=6_000)


@pytest.mark.slow
@pytest.mark.parametrize(("notation", "settings"), AGREE)
def test_table_and_kernel_come_to_the_same_averages_of_many_rounds(notation, settings):
    """What is too small for this many rounds, test_simulator_and_table.py sees card by card."""
    check_agreement(notation, settings, rounds=15_000)


def check_agreement(notation, settings, *, rounds):
    """Hold net, bets added, cards, seats and counts of both engines against each other."""
    rules = Rules.parse(notation)
    settings = dict(settings)
    if "system" in settings:
        settings["system"] = load_system(settings["system"])
    if "deviations" in settings:
        settings["deviations"] = load_deviations(settings["deviations"], settings["system"])
    job = make_job(rules, strategy=basic_chart(rules), seed=7, chunk_rounds=10**6, **settings)
    table = play_table_chunk(job, 0, rounds)
    kernel = play_chunk(job.replace(engine=Engine.KERNEL), 0, 1_000_000)
    one, many = (estimate_flat(tally, seats=DEALT) for tally in (table, kernel))
    error = (one.standard_error**2 + many.standard_error**2) ** 0.5
    assert abs(one.ev - many.ev) < 4 * error
    assert one.standard_deviation == pytest.approx(many.standard_deviation, rel=0.06)
    assert table.cards / table.seen == pytest.approx(kernel.cards / kernel.seen, rel=0.015)
    assert table.added.sum() / table.seen == pytest.approx(kernel.added.sum() / 10**6, rel=0.15)
    if not rules.is_infinite:  # whose stretches of cards are the kernel's own affair
        assert table.shoes / table.seen == pytest.approx(kernel.shoes / kernel.seen, rel=0.03)
    # Rounds of a shoe hang together, so that shares wander more than those of single rounds.
    for axes in ((1, 2, 3), (0, 2, 3), (0, 1, 3)):
        ours = table.rounds.sum(axis=axes) / table.seen
        theirs = kernel.rounds.sum(axis=axes) / kernel.seen
        slack = 4 * np.sqrt(theirs * (1 - theirs) * 25 / rounds) + 4 / rounds
        assert (np.abs(ours - theirs) <= slack).all()


# --- a chunk is a pure function of its arguments ---


def test_the_same_chunk_is_the_same_and_another_is_another():
    job = make_job("6D", system=load_system("hi-lo"), player="computer:1,17,0.5", strategy=None)
    first = play_table_chunk(job, 3, 200)
    random.seed(99)
    assert play_table_chunk(job, 3, 200) == first
    assert play_table_chunk(job, 4, 200) != first
    assert play_table_chunk(job.replace(seed=2), 3, 200) != first
    assert play_chunk(job, 3, 200) == first


def test_fewer_rounds_of_a_chunk_are_its_first_ones():
    job = make_job("2D", system=load_system("zen"))
    many, few = (play_table_chunk(job, 0, rounds) for rounds in (200, 150))
    assert (few.rounds <= many.rounds).all()
    assert (few.seen, many.seen) == (150, 200)


def test_the_generators_are_those_that_are_documented():
    assert (
        make_generator(1, 0, "shoe").random()
        == random.Random(
            # The SHA-256 of "upcard table seed 1 chunk 0 shoe", as sha256sum prints it.
            0x043A3E6B334DEF3CCD5BF50CC50A2DFFC8FB65DF3813F7A49463874A7676B5A1
        ).random()
    )
    assert make_generator(1, 0, "shoe").random() != make_generator(1, 0, "player").random()


def test_the_players_chance_changes_no_card():
    games = [
        TableGame(make_job("deshmukh", player=player), 0)
        for player in ("mimic", "computer:0.5,17,0.5")
    ]
    for _ in range(50):
        dealt = [game.play() and game.table.cards[:4] for game in games]
        assert dealt[0] == dealt[1]


@pytest.mark.parametrize(
    ("enter", "leave", "expected"),
    [
        (1, 0, "no yes yes no no yes no"),
        (1, None, "no yes yes yes yes yes no"),
        (None, 0, "yes yes yes no no no yes"),
        (None, None, "yes yes yes yes yes yes yes"),
    ],
)
def test_a_seat_is_taken_and_left_by_the_count_and_again_with_each_shoe(enter, leave, expected):
    job = make_job("6D", system=load_system("hi-lo"), enter=enter, leave=leave)
    seat = TableGame(job, 0).seat
    moves = [(0, True), (1, False), (0, False), (-1, False), (0, False), (1, False), (0, True)]
    taken = [seat.move(count, is_new_shoe=is_new) for count, is_new in moves]
    assert ["yes" if one else "no" for one in taken] == expected.split()


# --- players and houses ---


@pytest.mark.parametrize("rules", ["6D", "seven-hands", "mdp", "lott", "roanoke", "deshmukh"])
def test_the_dealers_mimic_plays_as_its_chart_to_the_last_round(rules):
    assert play(rules, player="mimic") == play(rules, strategy=MIMIC)


@pytest.mark.parametrize(
    ("house", "player"), [(house, one) for house, players in ODD_HOUSES.items() for one in players]
)
def test_the_players_of_a_document_play_its_house(house, player):
    spots = Rules.parse(house).max_spots
    tally = play(house, 120, player=player, spots=spots)
    assert (tally.seen, tally.played, tally.spots) == (120, 120, spots)
    assert tally.cards >= 120 * (2 * spots + 2)
    if not Rules.parse(house).betting:
        assert tally.added.sum() == 0
        nets = tally.nets[tally.rounds.sum(axis=(0, 1, 2)) > 0]
        assert set(nets) == {-tally.unit, 0, tally.unit}


EXACT = {
    "roanoke": None,
    "seven-hands": None,
    "lott 1D CSM": None,
    "mdp": None,
    "deshmukh INF": None,
    "1D CSM H17 LS": None,
    "seven-hands shows_upcard=true": MIMIC,
    "roanoke H17": MIMIC,
    "lott 1D CSM charlie=6": MIMIC,
    "mdp INF(1/2)": MIMIC,
}


def test_rounds_at_the_table_meet_the_exact_value():
    check_exact_value("roanoke", rounds=6_000)


@pytest.mark.slow
@pytest.mark.parametrize("notation", EXACT)
def test_many_rounds_at_the_table_meet_the_exact_value(notation):
    """30,000 rounds show 3% of a bet, a natural paid at 1:1 for example.

    That the table itself settles exactly as the solver counts is tested in `differential`.
    """
    check_exact_value(notation, rounds=30_000)


def check_exact_value(notation, *, rounds):
    rules = Rules.parse(notation)
    if rules.is_infinite:
        chart = EXACT[notation] or InfiniteSolver(as_infinite(rules)).chart()
        exact = InfiniteSolver(rules, chart).game_ev
    else:
        chart = EXACT[notation] or basic_chart(rules)
        exact = expected_value(rules, strategy=chart)
    estimate = estimate_flat(play(rules, rounds, strategy=chart, seed=2026))
    assert abs(estimate.ev - exact) < 4 * estimate.standard_error


def test_a_hidden_upcard_is_no_hindrance_to_who_does_not_look():
    assert play("seven-hands shows_upcard=false", player="never-bust", spots=7).seen == 300


def test_a_counter_behind_another_player_decides_only_the_seat():
    """The cards are the same; the rounds are only told apart."""
    plain = play("1D", 500, player="lott")
    seated = play("1D", 500, player="lott", system=load_system("hi-lo"), enter=2, leave=1)
    assert (seated.cards, seated.shoes) == (plain.cards, plain.shoes)
    assert 0 < seated.played < seated.seen
    assert (seated.rounds.sum(axis=(1, 2)) == plain.rounds.sum(axis=(1, 2))).all()
    counts = seated.by_count()
    assert counts.rounds[counts.count < 1].sum() == 0


def test_steps_hold_every_event_and_every_decision_before_what_it_leads_to():
    game = TableGame(make_job("6D", system=load_system("hi-lo")), 0)
    steps = []
    game.table.listeners.append(steps.append)
    for _ in range(60):
        steps.clear()
        game.play(steps=steps)
        for place, step in enumerate(steps):
            if isinstance(step, Decision):
                following = steps[place + 1]
                assert (following.hand, following.action) == (step.hand, step.action)
                assert step.reason.action is step.action
            else:
                assert type(step).__name__ != "Acted" or isinstance(steps[place - 1], Decision)


# --- refusals ---

FAULTS = {
    "a chart in a file": ("6D", {"player": "chart:mine.tsv"}, RulesError, "as the strategy"),
    "an unknown player": ("6D", {"player": "nobody"}, RulesError, "no player is called"),
    "nobody": ("6D", {"strategy": None}, RulesError, "neither"),
    "a chart without an upcard": (
        "seven-hands shows_upcard=false",
        {},
        UnsupportedRuleError,
        "shows_upcard=false",
    ),
    "a count of nothing": ("INF", {"system": "hi-lo"}, UnsupportedRuleError, "INF"),
    "too many cards": (
        "1D SPINF CSM",
        {"spots": 7, "strategy": HITS},
        EmptyShoeError,
        "needed more than the 52 cards",
    ),
}


@pytest.mark.parametrize("case", FAULTS)
def test_what_cannot_be_played_is_refused_with_the_reason(case):
    rules, settings, error, words = FAULTS[case]
    settings = dict(settings)
    if "system" in settings:
        settings["system"] = load_system(settings["system"])
    with pytest.raises(error, match=words):
        play(rules, 5000, **settings)


def test_a_hand_that_is_split_without_end_ends_the_run():
    game = TableGame(make_job("INF(9/10) SPINF", strategy=HITS), 0)

    def play_on():
        for _ in range(100):
            game.play()

    with pytest.raises(UnsupportedRuleError, match="SPINF: a hand was split into more than 64"):
        play_on()
    assert len(game.table.state.hands) == MOST_HANDS + 1


def test_bets_added_are_those_of_doubles_splits_and_insurance():
    double = Strategy(cells=(("Dh",) * 10,) * len(HAND_LABELS), takes_insurance=True)
    game = TableGame(make_job("6D", strategy=double), 0)
    for _ in range(300):
        steps = []
        one = game.play(steps=steps)
        taken = [step.action for step in steps if isinstance(step, Decision)]
        expected = 2 * taken.count(Action.DOUBLE) + taken.count(Action.INSURANCE)
        assert 2 * one.added == expected
