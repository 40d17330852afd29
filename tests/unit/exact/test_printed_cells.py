"""Every cell that a chart prints is what its player does, pairs that may not be split too."""

from dataclasses import replace

import pytest

import upcard
from upcard.core.actions import Action
from upcard.core.cards import RANKS
from upcard.core.hands import BUST_LIMIT
from upcard.exact.solve import composition_exceptions
from upcard.players.bots import basic_player
from upcard.rules import predicates
from upcard.rules.model import Rules
from upcard.strategy.chart import UPCARD_ORDER

FIRST = {"H": Action.HIT, "S": Action.STAND, "D": Action.DOUBLE, "P": Action.SPLIT}
FIRST |= {"R": Action.SURRENDER}


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize(
    "text",
    ["1D SP1", "INF SP1", "6D NS45T", "1D SP1 H17 LS", "2D SP1 LSX ENHC", "6D FSNT SP2", "6D NS4"],
)
def test_the_cell_of_a_pair_is_what_the_chart_plays(text):
    rules = Rules.parse(text)
    chart = upcard.basic_strategy(rules)
    for rank in RANKS:
        total = 12 if rank == 1 else 2 * rank
        is_soft = rank == 1
        splits = predicates.most_hands_of(rules, rank) != 1
        for up in UPCARD_ORDER:
            legal = [Action.HIT, Action.STAND] if total < BUST_LIMIT else [Action.STAND]
            legal += [Action.DOUBLE] * predicates.may_double(
                rules, cards=2, total=total, is_soft=is_soft
            )
            legal += [Action.SURRENDER] * predicates.may_surrender(rules, upcard=up, cards=2)
            legal += [Action.SPLIT] * splits
            played = chart.decide(
                total=total,
                is_soft=is_soft,
                pair_rank=rank if splits else 0,
                upcard=up,
                legal=legal,
            )
            cell = chart.cell("AA" if rank == 1 else f"{rank}{rank}", up)
            assert played is FIRST[cell[0]], f"{text}: {rank} {rank} v {up}: {cell}"


def test_two_aces_that_may_not_be_split_double_by_the_chart():
    rules = Rules.parse("6D SP1")
    chart = upcard.basic_strategy(rules)
    assert chart.cell("AA", "6") == "Dh"
    table = upcard.Table(rules, "A 6 A T 5 5")
    table.start()
    assert basic_player(rules).decide(table.view(), table.legal_actions()) is Action.DOUBLE
    exceptions = composition_exceptions(rules, chart)
    assert [one for one in exceptions if one.hand.replace(",", "").replace(" ", "") == "AA"] == []


@pytest.mark.parametrize("game", ["6D", "INF"])
def test_a_chart_that_hits_everything_says_what_it_has_no_row_for(game):
    rules = Rules.parse(game)
    chart = upcard.basic_strategy(rules)
    assert not any("no row" in note for note in upcard.solve_game(rules, strategy=chart).notes)
    hits = replace(chart, cells=(("H",) * 10,) * len(chart.labels))
    (note,) = [one for one in upcard.solve_game(rules, strategy=hits).notes if "no row" in one]
    assert note == (
        "The chart hits hard 19 and soft 20, and has no row for hard 20 or more and soft 21: they"
        " stand."
    )
