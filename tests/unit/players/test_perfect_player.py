"""The perfect player: every card that has gone counts, and each answer is the exact best."""

import math
import random
from collections import Counter

import pytest

import upcard
from upcard import Action, IllegalActionError, UnsupportedRuleError
from upcard.core.cards import RANKS, parse_cards, rank_name
from upcard.core.errors import BlackjackError
from upcard.players import perfect
from upcard.players.perfect import PerfectPlayer, RoundValuer, value_round
from upcard.simulation.job import Job, make_job
from upcard.simulation.registry import make_player
from upcard.table import Table, make_shoe
from upcard.table.events import Dealt
from upcard.table.state import Phase


def sit_down(rules, seed):
    table = Table(rules, make_shoe(rules, random.Random(seed)))
    player = PerfectPlayer(rules)
    player.watch(table)
    return table, player


def play_round(table, player, check=lambda view, action: None):
    state = table.start()
    while state.legal:
        action = player.decide(table.view(), state.legal)
        check(table.view(), action)
        state = table.act(action)


@pytest.mark.parametrize("text", ["6D S17", "2D H17 LS NDAS", "1D ENHC SP2 PEN60", "1D SP4 D10"])
def test_every_answer_is_that_of_solve_with_the_cards_seen(text):
    rules = upcard.Rules.parse(text)
    table, player = sit_down(rules, f"perfect {text}")
    compared = Counter()

    def check(view, action):
        hand = view.hand
        if hand.split_rank or view.phase not in (Phase.PLAY, Phase.INSURANCE):
            return
        unseen = list(player.compose().unseen)
        for rank in (*(card.rank for card in hand.cards), view.upcard.rank):
            unseen[rank] += 1
        shoe = [int(unseen[rank]) for rank in RANKS]
        ranks = "".join(rank_name(card.rank) for card in hand.cards)
        found = upcard.solve(rules, ranks, rank_name(view.upcard.rank), shoe=shoe)
        if view.phase is Phase.INSURANCE:
            assert (action in (Action.INSURANCE, Action.EVEN_MONEY)) == (found.insurance_ev > 1e-12)
        elif not found.missing:
            assert action is found.best
        compared[view.phase] += 1

    for _ in range(60):
        play_round(table, player, check)
    assert compared[Phase.PLAY] > 40
    assert compared[Phase.INSURANCE] > 0


@pytest.mark.parametrize("text", ["1D", "2D ENHC", "1D PEN95", "4D CSM"])
def test_between_rounds_it_knows_the_cards_of_the_shoe(text):
    rules = upcard.Rules.parse(text)
    table, player = sit_down(rules, text)
    for _ in range(60):
        play_round(table, player)
        player.finish_round(table.state.dealer)  # as it does when the next round starts
        left = Counter(card.rank for card in table.shoe._cards[table.shoe.position :])
        assert player.compose().unseen == (0, *(left[rank] for rank in RANKS))


@pytest.mark.parametrize(
    ("gone", "best"), [("", Action.HIT), ("5 5 4 5 4 4 6 4 3 5 4 2 5 3 2 5", Action.STAND)]
)
def test_sixteen_against_a_ten_stands_when_small_cards_have_gone(gone, best):
    table = Table("6D", "T T 6 9 T")
    player = PerfectPlayer(table.rules)
    player.watch(table)
    for card in parse_cards(gone):
        player.hear(Dealt(0, card, 0))
    table.start()
    assert player.decide(table.view(), table.legal_actions()) is best


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("6D SPINF", "SPINF"),
        ("pontoon-au", "natural_takes=busted-and-one"),
        ("6D ENHC NOINS shows_upcard=false", "shows_upcard=false"),
    ],
)
def test_rules_that_leave_an_answer_without_a_value_are_refused_by_name(text, reason):
    with pytest.raises(UnsupportedRuleError, match=reason):
        make_player("perfect", upcard.Rules.parse(text))


def test_a_player_who_sees_no_card_says_so():
    table = Table("6D", "T 9 6 7 5")
    player = PerfectPlayer(table.rules)
    table.start()
    with pytest.raises(IllegalActionError, match="watch"):
        player.decide(table.view(), table.legal_actions())


@pytest.mark.slow
def test_a_run_is_the_same_on_any_number_of_workers():
    asked = {"player": "perfect", "rounds": 5_100, "seed": 2}
    rules = "2D CSM SP1 D10"  # two chunks
    one, two = (upcard.simulate(rules, **asked, workers=workers) for workers in (1, 2))
    assert one.job == two.job
    assert one.tally == two.tally


@pytest.mark.parametrize("text", ["1D SP1 D10", "2D ENHC SP1 NS PEN60"])
def test_a_round_is_counted_by_its_exact_value_for_the_cards_of_the_shoe(text, monkeypatch):
    """Where the estimate is not trusted."""
    monkeypatch.setattr(perfect, "_SHOES", 20)
    monkeypatch.setattr(perfect, "_MARGIN", math.inf)
    rules = upcard.Rules.parse(text)
    chart = upcard.basic_strategy(rules)
    table, player = sit_down(rules, text)
    valuer = RoundValuer(rules, chart)
    valuer.watch(table)
    counts = []
    for _ in range(12):
        at = 0 if table.shoe.is_cut_out else table.shoe.position
        ranks = [card.rank for card in table.shoe._cards[at:]]
        exact = value_round(rules, chart, [ranks.count(rank) for rank in RANKS])
        counts.append(valuer.bet_count())
        assert counts[-1] == math.floor(400 * exact)
        play_round(table, player)
    assert min(counts) < 0 < max(counts)


@pytest.mark.slow
def test_estimates_are_close_and_their_signs_are_those_of_exact_values():
    rules, rng = upcard.Rules.parse("6D"), random.Random("other shoes")
    chart, ranks = upcard.basic_strategy(rules), [card.rank for card in rules.full_shoe.cards]
    valuer = RoundValuer(rules, chart)
    apart = []
    for _ in range(200):
        left = rng.sample(ranks, rng.randrange(78, 313))
        shoe = [left.count(rank) for rank in RANKS]
        exact, value = value_round(rules, chart, shoe), valuer.value(shoe)
        assert (value > 0) == (exact > 0)
        apart.append(value - exact)
    assert math.hypot(*apart) / math.sqrt(len(apart)) < 2 * valuer.error < 0.0003


@pytest.mark.slow
def test_a_run_bets_by_the_value_of_the_next_round(monkeypatch):
    monkeypatch.setattr(perfect, "_SHOES", 40)
    asked = {"bets": "perfect", "rounds": 60, "seed": 1, "ramp": "-1:1 0:8"}
    run = upcard.simulate("1D SP1 D9", **asked, workers=1, executor="threads")
    assert run.job.player is None
    assert Job.from_json(run.job.to_json()) == run.job
    counts = run.tally.rounds.sum(axis=(0, 1, 3))
    assert counts[:60].sum() > 0 < counts[60:].sum()  # below 0, and from 0 on
    assert counts.sum() == 60


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("6D", {"bets": "bold"}, "no bets are called 'bold'"),
        ("6D", {"count": "hi-lo"}, "take the place of a count"),
        ("6D", {"player": "mimic"}, "not of player 'mimic'"),
        ("6D", {"engine": "kernel"}, "the kernel values no round"),
        ("6D CSM", {}, "CSM: with a fresh shoe every round"),
        ("INF", {}, "INF: with a fresh shoe every round"),
        ("6D UP2", {}, "shows_hole=true"),
        ("switch", {}, "switch=true"),
        ("6D SPINF", {"player": "perfect"}, "SPINF"),
    ],
)
def test_perfect_bets_are_refused_by_name(text, options, reason):
    with pytest.raises(BlackjackError, match=reason):
        make_job(upcard.Rules.parse(text), **{"bets": "perfect"} | options)
