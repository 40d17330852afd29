"""A session: a player, a betting system, a bankroll."""

from __future__ import annotations

import random
import statistics
from fractions import Fraction

import pytest

import upcard
from upcard import Action, IllegalActionError, OutOfDecisionsError, RulesError
from upcard.documents.lott import DealerMimic, Player, ScriptedPlayer, SimpleBlackjackPlayer
from upcard.players.betting_systems import make_betting
from upcard.players.play_rounds import compare_players, covered_actions, free_chips, play_rounds
from upcard.table import ScriptedShoe, Table, make_shoe

WIN, LOSS, PUSH = "T 9 T 8", "T 8 T 9", "T 8 T 8"
LOTT = upcard.house("lott")


class Taker(Player):
    """Takes every offer and writes down what was legal."""

    def __init__(self):
        super().__init__()
        self.legal = []

    def decide(self, view, legal):
        self.legal.append(legal)
        return super().decide(view, legal)

    def insurance(self, hand):
        return True

    split = double_down = insurance


def session(cards, player=None, *, rules=LOTT, betting="flat", unit=1, **options):
    table = Table(rules, ScriptedShoe(cards))
    system = make_betting(betting, unit=unit)
    return list(play_rounds(table, player or Player(), betting=system, **options))


def test_the_betting_system_hears_every_net():
    played = session(f"{LOSS} {LOSS} {PUSH} {WIN} {LOSS}", betting="martingale", unit=5, rounds=5)
    assert [one.bet for one in played] == [5, 10, 20, 20, 5]
    assert [one.net for one in played] == [-5, -10, 0, 20, -5]
    assert [one.number for one in played] == [1, 2, 3, 4, 5]
    assert played[0].bankroll is None


def test_the_bankroll_follows_the_nets():
    played = session(f"{LOSS} {WIN} {PUSH}", rounds=3, unit=10, bankroll=100)
    assert [one.bankroll for one in played] == [90, 100, 100]


def test_a_session_stops_when_the_next_bet_is_not_covered():
    played = session(f"{LOSS} {LOSS} {LOSS} {LOSS}", betting="martingale", rounds=4, bankroll=6)
    assert [one.bankroll for one in played] == [5, 3]


def test_a_session_may_play_down_to_nothing():
    played = session(f"{LOSS} {LOSS} {LOSS}", rounds=3, bankroll=2)
    assert [one.bankroll for one in played] == [1, 0]


def test_the_result_of_a_round_can_be_had_in_full():
    played = session(WIN, rounds=1)[0]
    assert played.result.hands[0].outcome == "win"
    assert played.result.net == played.net == 1


@pytest.mark.parametrize(
    ("bankroll", "legal"),
    [
        (20, (Action.HIT, Action.STAND, Action.DOUBLE)),
        ("19.5", (Action.HIT, Action.STAND)),
    ],
)
def test_a_double_is_offered_only_if_the_chips_cover_it(bankroll, legal):
    player = Taker()
    session("5 6 9 T T", player, unit=10, rounds=1, bankroll=bankroll)
    assert player.legal == [legal]


def test_a_split_that_is_not_covered_is_not_offered():
    player = Taker()
    played = session("9 9 7 T", player, unit=10, rounds=1, bankroll=19)
    assert player.legal == [(Action.HIT, Action.STAND)]
    assert len(played[0].state.hands) == 1


def test_chips_in_second_bets_are_spent():
    """30 chips cover one split or one double of 10, not one more."""
    player = Taker()
    session("5 5 7 T 6 5 T T", player, unit=10, rounds=1, bankroll=29)
    assert player.legal[0] == (Action.SPLIT, Action.NO_SPLIT)
    assert all(Action.DOUBLE not in legal for legal in player.legal[1:])
    richer = Taker()
    session("5 5 7 T 6 6 T T 4", richer, unit=10, rounds=1, bankroll=30)
    assert richer.legal[1:] == [
        (Action.HIT, Action.STAND, Action.DOUBLE),
        (Action.HIT, Action.STAND),
    ]


@pytest.mark.parametrize(("bankroll", "insured"), [(15, True), ("14.5", False)])
def test_insurance_is_offered_only_if_the_chips_cover_it(bankroll, insured):
    played = session("T 9 A K", Taker(), unit=10, rounds=1, bankroll=bankroll)
    assert played[0].state.insurance.net == (10 if insured else 0)


def test_a_lost_insurance_bet_is_spent_before_the_double():
    player = Taker()
    session("5 6 A 9 T", player, unit=10, rounds=1, bankroll=20)
    assert player.legal == [
        (Action.INSURANCE, Action.NO_INSURANCE),
        (Action.HIT, Action.STAND),
    ]


def test_an_answer_that_the_chips_do_not_cover_is_refused():
    with pytest.raises(IllegalActionError, match="10 more chips are needed, 5 are left"):
        session("5 6 9 T T", ScriptedPlayer(["double"]), unit=10, rounds=1, bankroll=15)


def test_an_answer_that_the_rules_forbid_is_refused():
    with pytest.raises(IllegalActionError, match="cannot split"):
        session("5 6 9 T T", ScriptedPlayer(["split"]), rounds=1, bankroll=15)


def test_even_money_costs_nothing():
    class Careful(Player):
        def even_money(self, hand):
            return True

    assert session("A K A K", Careful(), unit=10, rounds=1, bankroll=10)[0].net == 10


def test_every_spot_gets_the_bet():
    played = session("T T 9 9 8 8", rules=upcard.Rules.parse("6D"), unit=5, rounds=1, spots=2)
    assert [hand.bet for hand in played[0].state.hands] == [5, 5]


def test_all_spots_must_be_covered():
    options = {"rules": upcard.Rules.parse("6D"), "unit": 5, "rounds": 1, "spots": 2}
    assert session("T T 9 9 8 8", bankroll="9.5", **options) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rounds": -1}, "-1 rounds"),
        ({"rounds": 1, "spots": 2}, "2 spots: lott take 1"),
        ({"rounds": 1, "spots": 0}, "0 spots"),
        ({"rounds": 1, "bankroll": 0}, "a bet of 0"),
        ({"rounds": 1, "bankroll": "nan"}, "nan"),
    ],
)
def test_bad_numbers_are_refused_before_the_first_round(options, message):
    table = Table(LOTT, ScriptedShoe(""))
    with pytest.raises(RulesError, match=message):
        play_rounds(table, Player(), betting=make_betting("flat"), **options)


def test_rounds_are_played_one_at_a_time():
    table = Table(LOTT, ScriptedShoe(f"{WIN} {LOSS}"))
    played = play_rounds(table, Player(), betting=make_betting("flat"), rounds=2)
    assert table.shoe.cards_left == 8
    next(played)
    assert table.shoe.cards_left == 4


def test_a_script_that_ends_raises():
    with pytest.raises(upcard.EmptyShoeError):
        session(WIN, rounds=2)
    with pytest.raises(OutOfDecisionsError):
        session("T 5 T 7", ScriptedPlayer([]), rounds=1)


def test_listeners_of_the_table_hear_the_events():
    table = Table(LOTT, ScriptedShoe(WIN))
    heard = []
    table.listeners.append(heard.append)
    list(play_rounds(table, Player(), betting=make_betting("flat"), rounds=1))
    assert type(heard[-1]).__name__ == "RoundEnded"


@pytest.mark.parametrize("name", ["lott", "seven-hands", "helsinki", "european", "mdp"])
def test_no_player_ever_bets_more_than_the_chips(name):
    rules = upcard.house(name)
    for seed in range(20):
        rng = random.Random(seed)
        table = Table(rules, make_shoe(rules, rng))
        betting = make_betting("random:5", unit=1, rng=rng)
        left = Fraction(12)
        for one in play_rounds(table, Taker(), betting=betting, rounds=60, bankroll=left):
            staked = sum(hand.bet for hand in one.state.hands)
            staked += sum(bet or 0 for bet in one.state.insurance.bets)
            assert staked <= left
            assert one.bankroll == left + one.net >= 0
            left = one.bankroll


def test_chips_that_are_free():
    table = Table(LOTT, ScriptedShoe("T 9 A K"))
    table.start([10])
    view = table.view()
    assert free_chips(view, Fraction(14)) == 4
    assert covered_actions(view, table.legal_actions(), Fraction(14)) == (Action.NO_INSURANCE,)
    assert covered_actions(view, table.legal_actions(), Fraction(15)) == table.legal_actions()


def test_two_players_are_compared_on_the_same_cards():
    same = compare_players(LOTT, Player(), Player(), rounds=50, seed=1)
    assert (same.difference, same.standard_error, same.first) == (0, 0, same.second)
    one, other = (compare_players(LOTT, Player(), DealerMimic(), rounds=50, seed=2) for _ in "ab")
    assert one == other
    with pytest.raises(RulesError, match="1 rounds: a comparison has an error from 2 on"):
        compare_players(LOTT, Player(), Player(), rounds=1, seed=1)


@pytest.mark.slow
def test_the_error_of_a_difference_is_that_of_many_comparisons():
    """And far smaller than that of separate sessions, which is 0.058 at 800 rounds each."""
    found = [
        compare_players(LOTT, Player(), SimpleBlackjackPlayer(), rounds=800, seed=seed)
        for seed in range(30)
    ]
    differences = [one.difference for one in found]
    error = statistics.mean(one.standard_error for one in found)
    assert 0.7 * error < statistics.stdev(differences) < 1.4 * error
    assert error < 0.04


@pytest.mark.parametrize(
    ("side", "chips", "more"),
    [((), 20, 0), ((("pp", Fraction(2)),), 22, 2), ((("pp", Fraction(2)), ("21+3", 7)), 29, 9)],
)
@pytest.mark.parametrize("hand", ["8D 6S 8H TC 2 3 T", "6D 6S 5H TC 2 T"])
def test_chips_on_side_bets_cannot_be_bet_again(side, chips, more, hand):
    """They are not paid before the round is over, whether they have won or not."""
    rules = upcard.Rules.parse("6D NOINS +PP(25/12/6) +21+3(9)")
    for bankroll, covers in ((chips, True), (chips - 1, False), (10 + more, False)):
        taker = Taker()
        table = Table(rules, ScriptedShoe(f"{hand} T T T"))
        terms = {"betting": make_betting("flat", unit=10), "bankroll": bankroll, "side": side}
        assert len(list(play_rounds(table, taker, rounds=1, **terms))) == 1
        assert (Action.DOUBLE in taker.legal[0]) is covers
        if hand[0] == hand[6]:
            assert (Action.SPLIT in taker.legal[0]) is covers
