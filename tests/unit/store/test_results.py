"""Sums kept from one round to the next are those of all rounds counted again."""

import random

import pytest

from upcard import Action, EmptyShoeError, Rules
from upcard.fair.fair_shoe import FairShoe
from upcard.store.bankroll import bankroll_of, check_books, chips_on_tables, free_chips_of
from upcard.store.database import Store, open_store
from upcard.store.files import StoreDamagedError, StoreError, listen
from upcard.store.learning import record_judgement
from upcard.store.records import JudgementRecord
from upcard.store.results import check_results, fill_tables, read_results, read_situations
from upcard.store.statistics import add_up, find_mistakes, read_curve


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
    """Judge some answers while the hand goes on, and some when it is over."""
    for _ in range(rounds):
        state = table.start(bets, player_spots=player_spots)
        while not state.is_over:
            state = table.act(rng.choice(state.legal))
            if rng.random() < 0.5:
                judge(table, len(table.actions) - 1, rng.choice((0.0, 0.1, 1 / 3)))
        if table.actions and rng.random() < 0.5:
            judge(table, rng.randrange(len(table.actions)), rng.random())


def test_kept_sums_are_those_of_the_rounds(quick_store, sit):
    rng = random.Random(5)
    with sit(quick_store, "vegas-strip") as table:
        play_judged(table, rng, 15, ("10/3", "5/2"))
    with sit(quick_store, "6D NOINS") as table:
        play_judged(table, rng, 15, (100, 10, 200), player_spots=[1])
    with sit(quick_store, "6D betting=false") as table:
        play_judged(table, rng, 5, (1,))
    check_results(quick_store)
    assert [item.sums.rounds for item in read_results(quick_store)] == [15, 15, 5]
    assert sum(item.sums.judged for item in read_results(quick_store)) == sum(
        item.asked for item in read_situations(quick_store).values()
    )


def test_a_later_word_of_the_coach_replaces_the_earlier_one_in_the_sums(quick_store, sit, play):
    table = play(sit(quick_store), rounds=3)
    number = quick_store.rows("SELECT number FROM rounds WHERE actions != ''")[0][0]
    for cost, category in ((0.7, "hard hits"), (0.0, "hard hits"), (0.2, "stands")):
        judge(table, 0, cost, category, number)
        check_results(quick_store)
    (item,) = read_results(quick_store)
    assert (item.sums.judged, item.sums.mistakes, float(item.sums.cost)) == (1, 1, 0.2)


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
    (item,) = read_results(quick_store)
    assert (item.sums.judged, item.sums.cost) == (0, 0)


def test_sums_that_are_off_are_found(quick_store, sit, play):
    play(sit(quick_store), rounds=3)
    quick_store.run("UPDATE results SET net = '777'")
    with pytest.raises(StoreError, match="the saved results of session 1 are not those"):
        check_books(quick_store)
    quick_store.run("UPDATE results SET net = 'x'")
    with pytest.raises(StoreDamagedError, match="the results of session 1: 'x' is no amount"):
        read_results(quick_store)


def test_a_round_of_an_older_file_that_cannot_be_counted_is_named_and_stops_nothing(
    quick_store, sit, play
):
    """S4.4: the file opens and goes on being played; what adds up says which round is damaged."""
    play(sit(quick_store), rounds=4)
    quick_store.run("UPDATE rounds SET bets = 'x' WHERE id = 3")
    quick_store.run("DELETE FROM results")
    with quick_store.change():
        fill_tables(quick_store.db)
    with pytest.raises(StoreDamagedError, match="is damaged: round 3: "):
        read_results(quick_store)
    play(sit(quick_store, chips=0), rounds=1)


def test_counting_many_rounds_says_how_far_it_is(quick_store, sit, play, monkeypatch):
    play(sit(quick_store), rounds=5)
    monkeypatch.setattr("upcard.store.results._TOLD_EVERY", 2)
    told = []
    listen(lambda *words: told.append(words))
    try:
        check_results(quick_store)
    finally:
        listen(None)
    assert [done for _, done, _ in told] == [0, 2, 4, 5]
    assert {total for *_, total in told} == {5}


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
