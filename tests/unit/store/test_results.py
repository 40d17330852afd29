"""Sums of rounds: exact, of one state of the store, and with the damaged round named."""

import random
from collections import Counter
from fractions import Fraction

import pytest

from campaign.books import check_books, read_judgements
from upcard import Action, EmptyShoeError, Rules
from upcard.fair.fair_shoe import FairShoe
from upcard.store import statistics
from upcard.store.bankroll import bankroll_of, chips_on_tables, free_chips_of
from upcard.store.database import Store, open_store
from upcard.store.files import StoreDamagedError
from upcard.store.history import read_rounds
from upcard.store.learning import record_judgement
from upcard.store.records import JudgementRecord
from upcard.store.statistics import add_up, find_mistakes, read_curve, read_played


def judge(table, step, cost, category="hard hits", number=None):
    record_judgement(
        table.store,
        table.session,
        table.round_number if number is None else number,
        JudgementRecord(
            step=step,
            situation=f"hard {12 + step} v T",
            category=category,
            chosen=Action.HIT,
            best=Action.STAND if cost else Action.HIT,
            cost_ev=cost / 10,
            cost_chips=cost,
            method="made up",
        ),
    )


def play_judged(table, rng, rounds, bets, player_spots=None):
    """Judge some answers while the hand continues, and some when it is over."""
    for _ in range(rounds):
        state = table.start(bets, player_spots=player_spots)
        while not state.is_over:
            state = table.act(rng.choice(state.legal))
            if rng.random() < 0.5:
                judge(table, len(table.actions) - 1, rng.choice((0.0, 0.1, 1 / 3)))
        if table.actions and rng.random() < 0.5:
            judge(table, rng.randrange(len(table.actions)), rng.random())


def add_up_plainly(store):
    """Add up each set of rules by reading every round and every judgement of it."""
    found = {}
    for stored in read_rounds(store):
        rules = str(stored.session.rules)
        sums = found.setdefault(rules, Counter(nets=[]))
        sums["nets"].append((stored.initial_bet, stored.net, costs := []))
        sums["decisions"] += len(stored.own_answers)
        for session, number, judgement in read_judgements(store):
            is_here = (session, number) == (stored.session.id, stored.number)
            if is_here and judgement.step in stored.own_answers:
                sums["judged"] += 1
                sums[judgement.situation] += 1
                costs.append(Fraction(judgement.cost_chips))
    return found


def square(value, rounds):
    return sum((net - value * bet + sum(costs)) ** 2 for bet, net, costs in rounds)


def test_sums_are_those_of_all_rounds_to_the_last_digit(quick_store, sit, monkeypatch):
    rng = random.Random(5)
    with sit(quick_store, "vegas-strip") as table:
        play_judged(table, rng, 15, ("10/3", "5/2"))
    with sit(quick_store, "6D NOINS") as table:
        play_judged(table, rng, 15, (100, 10, 200), player_spots=[1])
    with sit(quick_store, "6D betting=false") as table:
        play_judged(table, rng, 5, (1,))
    with sit(quick_store, "vegas-strip") as table:
        play_judged(table, rng, 5, ("10/3",))
    monkeypatch.setattr(statistics, "_ROUNDS_AT_ONCE", 7)
    plain = add_up_plainly(quick_store)
    played = read_played(quick_store)
    assert [game.sums.rounds for game in played] == [20, 15, 5]
    for game in played:
        sums, right = game.sums, plain[str(game.rules)]
        assert sums.rounds == game.coached_rounds == len(right["nets"])
        assert (sums.won, sums.lost) == (
            sum(net > 0 for _, net, _ in right["nets"]),
            sum(net < 0 for _, net, _ in right["nets"]),
        )
        assert (sums.decisions, game.asked.total()) == (right["decisions"], right["judged"])
        for (situation, _), times in game.asked.items():
            assert times == right[situation]
        assert len(game.wrong) == sum(cost > 0 for *_, costs in right["nets"] for cost in costs)
        assert sums.cost == sum(sum(costs) for *_, costs in right["nets"]) > 0
        for value in (Fraction(0), Fraction(-0.005)):
            assert sums.squared_luck(value) == square(value, right["nets"])


def test_a_later_judgement_replaces_the_earlier_one_in_the_sums(quick_store, sit, play):
    play(table := sit(quick_store), rounds=3)
    number = quick_store.rows("SELECT number FROM rounds WHERE actions != ''")[0][0]
    for cost, category in ((0.7, "hard hits"), (0.0, "hard hits"), (0.2, "stands")):
        judge(table, 0, cost, category, number)
    (game,) = read_played(quick_store)
    assert game.asked == {("hard 12 v T", "stands"): 1}
    assert (len(game.wrong), game.sums.cost) == (1, Fraction(0.2))


def test_judgements_of_a_void_round_are_not_those_of_the_next(quick_store, sit, monkeypatch):
    """The next round has its number: only what is saved with it may be about it."""

    def draw(_):
        raise EmptyShoeError("all 52 cards are on the table")

    table = sit(quick_store, "1D CSM NOINS")
    while table.start([10]).is_over:
        pass
    number = table.round_number
    judge(table, 0, 0.7)
    monkeypatch.setattr(FairShoe, "draw", draw)
    with pytest.raises(EmptyShoeError):
        table.act(Action.HIT)
    monkeypatch.undo()
    assert quick_store.rows("SELECT * FROM judgements") == []
    state = table.start([10])
    assert table.round_number == number
    while not state.is_over:
        state = table.act(Action.STAND)
    (game,) = read_played(quick_store)
    assert (game.asked, game.wrong, game.sums.cost) == ({}, [], 0)


@pytest.mark.parametrize(
    ("change", "number"),
    [
        ("UPDATE rounds SET bets = 'x' WHERE id = 3", 3),
        ("UPDATE rounds SET net = '1/0' WHERE id = 2", 2),
        ("UPDATE rounds SET own = '5' WHERE id = 4", 4),
        ("UPDATE rounds SET session_id = 9 WHERE id = 2", 2),
        ("UPDATE judgements SET cost_chips = 'x', number = 1", 1),
        ("UPDATE judgements SET cost_chips = 9e999, number = 1", 1),
    ],
)
def test_a_round_that_cannot_be_counted_is_named_and_stops_no_play(
    quick_store, sit, play, change, number
):
    """S4.4: the file opens and can still be played; what adds up says which round is damaged."""
    table = play(sit(quick_store), rounds=4)
    judge(table, 0, 0.5)
    quick_store.run("PRAGMA foreign_keys = OFF")
    quick_store.run(change)
    with pytest.raises(StoreDamagedError, match=f"is damaged: round {number}: "):
        read_played(quick_store)
    play(sit(quick_store, chips=0), rounds=1)


def test_adding_up_many_rounds_shows_the_progress(quick_store, sit, play, monkeypatch):
    play(sit(quick_store), rounds=5)
    monkeypatch.setattr(statistics, "_ROUNDS_AT_ONCE", 2)
    shown = []
    found = add_up(
        quick_store,
        value_of=lambda _: -0.01,
        rounds_per_hour=100,
        watch=lambda *numbers: shown.append(numbers),
    )
    assert shown == [(2, 5), (4, 5), (5, 5)]
    assert found.total.rounds == 5


@pytest.fixture
def meanwhile(monkeypatch):
    """Return a function that names what somebody else does after each statement of a reader."""

    def start(others, act):
        ask = Store.rows

        def rows(self, query, *values):
            found = ask(self, query, *values)
            if self is not others:
                act()
            return found

        monkeypatch.setattr(Store, "rows", rows)

    return start


READS = {
    "totals": lambda store: add_up(store, value_of=lambda _: -0.01, rounds_per_hour=100).total,
    "mistakes": lambda store: find_mistakes(store, Rules.parse("6D")),
    "curve": lambda store: read_curve(store, lambda _: -0.01)[-1],
}


@pytest.mark.parametrize("name", READS)
def test_mistakes_in_a_house_without_bets_are_not_among_those_for_chips(name, quick_store, sit):
    rng = random.Random(3)
    with sit(quick_store, "6D betting=false") as table:
        play_judged(table, rng, 5, (1,))
    with sit(quick_store, "6D") as table:
        play_judged(table, rng, 5, (10,))
    assert READS[name](quick_store).rounds == 5


@pytest.mark.parametrize("name", READS)
def test_what_is_added_up_is_one_state_while_others_play(name, path, sit, play, meanwhile):
    with open_store(path) as store, open_store(path) as others:
        table = play(sit(others), rounds=2)
        meanwhile(others, lambda: play(table, rounds=1))
        assert READS[name](store).rounds == 2
        assert READS[name](store).rounds > 2


def test_the_books_are_checked_while_others_play(path, sit, play, meanwhile):
    with open_store(path) as store, open_store(path) as others:
        table = play(sit(others), rounds=2)
        meanwhile(others, lambda: play(table, rounds=1))
        check_books(store)


def test_free_chips_are_those_of_one_state_while_a_round_is_settled(path, sit, meanwhile):
    with open_store(path) as store, open_store(path) as others:
        table = sit(others)
        while not table.is_playing:
            table.start([10])

        def end():
            while table.is_playing:
                table.act(Action.STAND if Action.STAND in table.legal_actions() else Action.HIT)

        chips = bankroll_of(store)
        assert chips_on_tables(store) == 10
        meanwhile(others, end)
        assert free_chips_of(store) == chips - 10
        assert not table.is_playing
        assert free_chips_of(store) == bankroll_of(store) != chips


def test_mistakes_are_those_of_the_same_rules_whatever_the_house_is_called(quick_store, sit, play):
    """A house by its name, the same rules in notation, and other rules."""
    named = Rules.parse("vegas-strip")
    for notation in ("vegas-strip", str(named.replace(name="")), "6D"):
        play(sit(quick_store, notation), rounds=3).close()
    for asked in (named, named.replace(name=""), named.replace(name="mine")):
        assert find_mistakes(quick_store, asked).rounds == 6
    assert find_mistakes(quick_store, Rules.parse("6D")).rounds == 3
