"""Faults found in other simulators, each of them a test of ours."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from scripted_kernel import record_script

import upcard
from upcard.core.actions import Action
from upcard.core.cards import Card, parse_cards
from upcard.simulation.job import Job
from upcard.simulation.kernel_rounds import play_chunk
from upcard.simulation.run_rounds import record_shoe
from upcard.strategy.count_system import Rounding, load_system
from upcard.strategy.deviations import Deviations
from upcard.strategy.ramp import parse_ramp

HI_LO = load_system("hi-lo")
RULES = upcard.Rules.parse("1D S17 DAS PEN90")


def make_job(rules=RULES, strategy=None, **options):
    return Job(rules=rules, strategy=strategy or find_chart(), seed=1, **options)


@cache
def find_chart():
    return upcard.basic_strategy(RULES)


def first_round(cards, job):
    """Play the first round of a deck in which these cards come first."""
    script = list(parse_cards(cards))
    rest = [Card(face + suit) for face in "A23456789TJQK" for suit in "CDHS"]
    for card in script:
        rest.remove(next(other for other in rest if other.rank == card.rank))
    return record_script(job, [*script, *rest])[0]


def test_two_aces_are_no_pair_of_sixes():
    """A,A looked up as 6,6: their total is 12 too."""
    aces = first_round("AC 9D AH TS 5C 6C", make_job())
    sixes = first_round("6C 9D 6H TS 5C 4C", make_job())
    assert aces.answers[0].action is Action.SPLIT
    assert sixes.answers[0].action is Action.HIT


def test_a_drawn_21_does_not_push_a_natural():
    rules = upcard.Rules.parse("1D ENHC PEN90")
    job = make_job(rules, upcard.basic_strategy(rules))
    one = first_round("5C AD 6H TS TC", job)  # 5 6 and a ten are 21; the dealer draws a ten
    assert [card.rank for card in one.cards] == [5, 1, 6, 10, 10]
    assert one.net == -2


def test_the_bet_stays_under_its_cap():
    """A cap on the bet that was stored in the wrong variable."""
    ramp = parse_ramp("1-8", HI_LO, decks=6)
    assert {ramp.bet(count) for count in range(5, 200)} == {Fraction(8)}
    assert {ramp.bet(count) for count in range(-200, 2)} == {Fraction(1)}


def test_a_true_count_that_says_floor_is_floored():
    """Half a point under zero is -1; it is 0 where the count says that it truncates."""
    assert HI_LO.convert(Fraction(-1), 104) == -1
    assert HI_LO.replace(rounding=Rounding.TRUNCATE).convert(Fraction(-1), 104) == 0
    low_first = "TC 9D 8H 8S"  # one round with a count of -1, then the bet of the next
    for rounding, count in [(Rounding.FLOOR, -2), (Rounding.TRUNCATE, -1), (Rounding.ROUND, -1)]:
        job = make_job(system=HI_LO.replace(rounding=rounding))
        rounds = record_script(job, [*parse_cards(low_first), *_rest(low_first)])
        assert rounds[1].count == count


def _rest(cards):
    rest = [Card(face + suit) for face in "23456789TJQKA" for suit in "CDHS"]
    for card in parse_cards(cards):
        rest.remove(card)
    return rest


@pytest.mark.parametrize(("hole", "net"), [("T", 2), ("9", -1)])
def test_insurance_is_settled_in_the_round_in_which_it_is_taken(hole, net):
    """Taken on the count at that moment, won or lost on this dealer's hole card."""
    plays = Deviations.parse("insurance >= 3")
    # Four low cards are on the table: the count is 4 less an ace, over 51 - 5 cards.
    job = make_job(system=HI_LO, deviations=plays, spots=2)
    one = first_round(f"2C 3C AD 4C 5C {hole}C TH TD 9H", job)
    assert [answer.action for answer in one.answers[:2]] == [Action.INSURANCE] * 2
    assert one.insurance_net == 2 * net
    assert one.count == 0


def test_the_dealer_draws_after_splits():
    one = first_round("8C 6D 8H TS 9C TC 5D", make_job())
    assert one.answers[0].action is Action.SPLIT
    assert len(one.cards) == 7  # two second cards, and the dealer's 16 got a five
    assert one.net == -4  # 17 and 18 against his 21


def test_bets_go_by_the_cards_before_the_deal():
    """The count of a first round is that of a full shoe, whatever is dealt in it."""
    job = make_job(system=HI_LO)
    shoes = [record_shoe(job, 0, shoe, rounds=1) for shoe in range(200)]
    assert {rounds[0].count for rounds in shoes} == {0}
    assert len({rounds[0].net for rounds in shoes}) > 3


def test_a_seed_says_everything():
    job = make_job()
    assert play_chunk(job, 3, 20_000) == play_chunk(job, 3, 20_000)
    assert play_chunk(job, 3, 20_000) != play_chunk(job, 4, 20_000)
    assert play_chunk(job, 3, 20_000) != play_chunk(job.replace(seed=2), 3, 20_000)


def test_error_bars_know_of_doubles_splits_and_naturals():
    """The variance of a round is that of what it won, not of one bet won or lost."""
    rows = play_chunk(make_job(), 0, 400_000).by_count()
    variance = rows.square_sum.sum() / 400_000 / 4 - (rows.net_sum.sum() / 400_000 / 2) ** 2
    assert 1.28 < variance < 1.36


def test_the_action_holds_doubles_and_splits():
    """Without them what is wagered is too little, and the house edge of it wrong."""
    tally = play_chunk(make_job(), 0, 400_000)
    added = tally.by_count().added.sum() / 2 / 400_000
    assert 0.11 < added < 0.15  # about 13 % more than the first bets


def test_a_rule_the_kernel_does_not_know_is_refused_by_name():
    rules = upcard.Rules.parse("6D split_by=rank")
    with pytest.raises(upcard.UnsupportedRuleError, match="split_by=rank"):
        play_chunk(make_job(rules), 0, 10)


def test_surrenders_where_there_is_no_surrender_are_refused():
    with pytest.raises(upcard.RulesError, match="no surrender"):
        make_job(system=HI_LO, deviations=Deviations.parse("15 v T  R >= 0"))
