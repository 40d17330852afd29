"""Statistics with side bets: parts that add up to the net, compared with a naive sum."""

import random
from fractions import Fraction

import pytest

from upcard.answers.played import answer_statistics
from upcard.rules.model import Rules
from upcard.store.bankroll import deposit
from upcard.store.history import read_rounds
from upcard.store.kept_table import KeptTable
from upcard.store.statistics import add_up, read_curve

RULES = Rules.parse("6D +21+3(9) +BUST(2/2/4/12/50/250)")
VALUE = -0.01
BETS = ["10", "10 21+3 2", "5 bust 1", "5 21+3 1 bust 3"]


@pytest.fixture
def played(quick_store):
    rng = random.Random("side bets")
    deposit(quick_store, Fraction(5000), reason="brought")
    with KeptTable.sit_down(quick_store, RULES) as table:
        for _ in range(60):
            state = table.start([rng.choice(BETS)])
            while not state.is_over:
                state = table.act("stand" if "stand" in table.legal_actions() else state.legal[-1])
    return quick_store


def test_parts_add_up_to_the_net_and_each_bet_has_its_own(played):
    found = add_up(played, value_of=lambda _: VALUE, rounds_per_hour=70)
    total, rounds = found.total, list(read_rounds(played))
    values = {bet.code: -bet.value(None, RULES).edge for bet in RULES.side_bets}
    by_token = {one.bet: one for one in total.side_bets}
    for bet in RULES.side_bets:
        placed = [one for stored in rounds for one in stored.side if one.code == bet.code]
        mine = by_token[str(bet)]
        assert (mine.bets, mine.staked) == (len(placed), sum(one.stake for one in placed))
        assert mine.net == sum(one.net for one in placed)
        assert mine.won == sum(one.net > 0 for one in placed)
        assert mine.expected == pytest.approx(float(mine.staked) * values[bet.code])
    assert total.net == sum(stored.net for stored in rounds)
    assert total.initial_bets == sum(stored.record.bets[0].main for stored in rounds)
    assert float(total.net) == pytest.approx(
        total.best_play + total.side.expected - total.error_cost + total.luck
    )
    assert total.best_play == pytest.approx(VALUE * float(total.initial_bets))
    squares = 0.0
    for stored in rounds:
        (bet,) = stored.record.bets
        worth = sum(float(chips) * values[code] for code, chips in bet.side)
        squares += (float(stored.net) - VALUE * float(bet.main) - worth) ** 2
    assert total.luck_deviation == pytest.approx(squares**0.5)


def test_the_answer_has_a_part_for_side_bets_and_the_curve_ends_at_the_sums(played):
    found = add_up(played, value_of=lambda _: VALUE, rounds_per_hour=70)
    answer = answer_statistics(found, 70.0)
    parts = {one.name: one.value for one in answer.parts}
    assert parts["net"] == pytest.approx(sum(parts.values()) - parts["net"])
    assert "side_bets" in parts
    last = read_curve(played, lambda _: VALUE)[-1]
    assert last.net == pytest.approx(float(found.total.net))
    assert last.luck_deviation == pytest.approx(found.total.luck_deviation)


def test_side_bets_of_the_company_are_in_no_sum_of_the_persons(quick_store):
    rng = random.Random("company")
    deposit(quick_store, Fraction(5000), reason="brought")
    with KeptTable.sit_down(quick_store, RULES, company="basic; you; basic") as table:
        for _ in range(30):
            bets = ["50 21+3 20 bust 5", rng.choice(BETS), "10 21+3 1"]
            state = table.start(bets, player_spots=[1])
            while not state.is_over:
                state = table.act("stand" if "stand" in table.legal_actions() else state.legal[-1])
    total = add_up(quick_store, value_of=lambda _: VALUE, rounds_per_hour=70).total
    rounds = list(read_rounds(quick_store))
    own = [one for stored in rounds for one in stored.side if one.spot == 1]
    assert len(own) < sum(len(stored.side) for stored in rounds) / 3
    placed = {str(bet): [one for one in own if one.code == bet.code] for bet in RULES.side_bets}
    found = {one.bet: (one.bets, one.staked, one.won, one.net) for one in total.side_bets}
    assert found == {
        token: (
            *(len(its), sum(one.stake for one in its)),
            *(sum(one.net > 0 for one in its), sum(one.net for one in its)),
        )
        for token, its in placed.items()
    }
    assert {one.bet: one.rounds for one in total.side_bets} == {
        token: len(its) for token, its in placed.items()
    }
    assert total.side.rounds == sum(any(one.spot == 1 for one in stored.side) for stored in rounds)
    assert total.side.net == sum(one.net for one in own)
    assert total.net == sum(stored.net for stored in rounds)
    last = read_curve(quick_store, lambda _: VALUE)[-1]
    assert last.best_play == pytest.approx(total.best_play + total.side.expected)
    assert last.luck_deviation == pytest.approx(total.luck_deviation)
