"""Statistics with side bets: parts that add up to the net, compared with a naive sum."""

import random
from fractions import Fraction

import pytest

from upcard.answers.played import answer_statistics
from upcard.rules.model import Rules
from upcard.store.bankroll import deposit
from upcard.store.history import read_rounds
from upcard.store.kept_table import KeptTable
from upcard.store.learning import record_judgement
from upcard.store.records import JudgementRecord
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


@pytest.mark.parametrize("order", [["a", "b"], ["b", "a"]])
def test_a_sum_has_a_value_only_if_every_bet_in_it_has_one(quick_store, tmp_path, order):
    """`third` depends on how the hand is played; each house has one more bet."""
    file = tmp_path / "third.toml"
    file.write_text(
        'title = "Third"\nsource = "us"\ncards = ["player1", "next1"]\nif_drawn = true\n'
        'win = [{name = "pair", same_rank = 2, pays = 10}]\n'
    )
    houses = {"a": f"6D +{file} +21+3(9)", "b": "6D +21+3(9) +PP(25/12/6)"}
    placed = {"a": "10 third 1 21+3 2", "b": "10 21+3 2 pp 1"}
    deposit(quick_store, Fraction(5000), reason="brought")
    for name in order:
        with KeptTable.sit_down(quick_store, Rules.parse(houses[name])) as table:
            for _ in range(5):
                state = table.start([placed[name]])
                while not state.is_over:
                    state = table.act("stand" if "stand" in state.legal else state.legal[-1])
    found = add_up(quick_store, value_of=lambda _: VALUE, rounds_per_hour=70)
    total = found.total
    expected = {one.title.partition(",")[0]: one.expected for one in total.side_bets}
    assert (expected["Third"], total.side.expected) == (None, None)
    flat = RULES.side_bets[0].value(None, "6D").ev
    assert expected["21+3"] == pytest.approx(20 * flat)
    assert (total.best_play, total.luck, total.luck_deviation) == (None, None, None)
    by_house = {house: one.luck is None for house, one in found.by_house.items()}
    assert sorted(by_house.values()) == [False, True]
    curve = read_curve(quick_store, lambda _: VALUE)
    assert {one.without_luck for one in curve} == {None}


def judge(table, cost):
    judgement = JudgementRecord(
        step=0,
        situation="hard 16 v T",
        category="hard hits",
        chosen=table.actions[0],
        best=table.actions[0],
        cost_ev=cost / 10,
        cost_chips=cost,
        method="made up",
    )
    record_judgement(table.store, table.session, table.round_number, judgement)


def test_luck_is_what_is_left_of_each_round_after_its_bets_and_its_mistakes(quick_store):
    """Its deviation is that of the rounds one by one, side bets and mistakes together."""
    rng, costs = random.Random("judged"), {}
    deposit(quick_store, Fraction(5000), reason="brought")
    with KeptTable.sit_down(quick_store, RULES) as table:
        for _ in range(40):
            state = table.start([rng.choice(BETS)])
            while not state.is_over:
                state = table.act("stand" if "stand" in state.legal else state.legal[-1])
            if table.actions and rng.random() < 0.5:
                costs[table.last_round] = rng.choice([0.5, 2.0, 8.0])
                judge(table, costs[table.last_round])
    total = add_up(quick_store, value_of=lambda _: VALUE, rounds_per_hour=70).total
    values = {bet.code: -bet.value(None, RULES).edge for bet in RULES.side_bets}
    luck = []
    for stored in read_rounds(quick_store):
        (bet,) = stored.record.bets
        worth = sum(float(chips) * values[code] for code, chips in bet.side)
        luck.append(float(stored.net) - VALUE * float(bet.main) - worth + costs.get(stored.id, 0.0))
    assert total.error_cost == pytest.approx(sum(costs.values()))
    assert total.luck == pytest.approx(sum(luck))
    assert total.luck_deviation == pytest.approx(sum(one**2 for one in luck) ** 0.5)


@pytest.mark.parametrize(
    ("bets", "own", "is_known"),
    [
        (["10 21+3 2"], [0], True),
        (["10 21+3 2 third 1"], [0], False),
        (["10 third 1", "10 21+3 2"], [1], True),
        (["10 21+3 1", "10 third 2"], [0, 1], False),
    ],
)
def test_a_curve_has_no_luck_only_after_a_bet_without_a_value_was_placed(
    quick_store, tmp_path, bets, own, is_known
):
    file = tmp_path / "third.toml"
    file.write_text(
        'title = "Third"\nsource = "us"\ncards = ["player1", "next1"]\nif_drawn = true\n'
        'win = [{name = "pair", same_rank = 2, pays = 10}]\n'
    )
    rules = Rules.parse(f"6D +{file} +21+3(9)")
    deposit(quick_store, Fraction(5000), reason="brought")
    with KeptTable.sit_down(quick_store, rules) as table:
        for _ in range(4):
            state = table.start(bets, player_spots=own)
            while not state.is_over:
                state = table.act("stand" if "stand" in state.legal else state.legal[-1])
    total = add_up(quick_store, value_of=lambda _: VALUE, rounds_per_hour=70).total
    last = read_curve(quick_store, lambda _: VALUE)[-1]
    assert (last.without_luck is not None) is (total.luck is not None) is is_known
