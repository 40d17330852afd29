"""A table that remembers: what is booked, what is found again, whose chips are free."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_rules import any_rules

from campaign.books import check_books, replay_stored
from upcard import Action, EmptyShoeError, IllegalActionError, Rules, RulesError, Table
from upcard.fair.fair_shoe import FairShoe, KeyedCards
from upcard.players.betting_systems import make_betting
from upcard.players.play_rounds import play_rounds
from upcard.simulation.registry import make_player
from upcard.store.bankroll import bankroll_of, deposit, free_chips_of
from upcard.store.database import open_in_memory, open_store
from upcard.store.files import NotCoveredError, StoreError
from upcard.store.history import (
    check_reveal,
    make_reveal,
    read_round,
    read_rounds,
    read_rounds_in_play,
    read_rounds_of_shoe,
    read_shoes,
)
from upcard.store.kept_table import KeptTable
from upcard.store.sessions import find_open_rounds
from upcard.table.rounds import CardList


def start_open(table, bets=(10,)):
    """Start rounds until one asks a question."""
    while True:
        state = table.start(bets)
        if not state.is_over:
            return state


def stand_to_the_end(table):
    while table.is_playing:
        table.act(Action.STAND)


def only_open(store):
    (found,) = find_open_rounds(store)
    return found


def test_a_round_is_booked_with_the_bankroll(quick_store, sit, play):
    table = play(sit(quick_store, "vegas-strip"), rounds=25)
    rounds = list(read_rounds(quick_store))
    assert [stored.number for stored in rounds] == list(range(1, 26))
    assert bankroll_of(quick_store) == 1000 + sum(stored.net for stored in rounds)
    assert rounds[-1].bankroll == bankroll_of(table.store) == bankroll_of(quick_store)
    assert rounds[-1].id == table.last_round
    assert rounds[0].session.house == "vegas-strip"
    check_books(quick_store)


@pytest.mark.slow
@settings(max_examples=40)
@given(any_rules(), st.integers(0, 2**32))
def test_what_is_stored_is_what_the_table_settled_and_it_replays(rules, seed):
    rng = random.Random(seed)
    spots = 1 + seed % min(rules.max_spots, 3)
    with open_in_memory() as store:
        deposit(store, 10**9)
        shoe = FairShoe(rules, seeds=lambda: rng.randbytes(32))
        table = KeptTable.sit_down(store, rules, shoe=shoe)
        nets = []
        for _ in range(4):
            bets = [Fraction(rng.randint(1, 20), rng.choice((1, 2))) for _ in range(spots)]
            try:
                state = table.start(bets)
                while not state.is_over:
                    state = table.act(rng.choice(state.legal))
            except EmptyShoeError:
                continue
            nets.append(state.net)
            stored = read_round(store, table.last_round)
            assert [wager.main for wager in stored.record.bets] == bets
            assert stored.dealer == state.dealer
            assert [hand.cards for hand in stored.hands] == [hand.cards for hand in state.hands]
            assert stored.insurance_net == state.insurance.net
            assert sum(hand.net for hand in stored.hands) + stored.insurance_net == stored.net
        table.close()
        rounds = list(read_rounds(store))
        assert [stored.net for stored in rounds] == nets
        booked = sum(nets) if rules.betting else 0
        assert bankroll_of(store) == 10**9 + booked
        check_books(store)
        for stored in rounds:
            assert stored.session.rules == rules
            replay_stored(stored)
        for shoe in read_shoes(store):
            rows = read_rounds_of_shoe(store, shoe.id)
            assert check_reveal(make_reveal(shoe, rows)) == len(rows)


def test_an_unfinished_round_is_found_again_as_it_stood(path, sit):
    with open_store(path) as store, sit(store, "6D") as table:
        state = start_open(table)
        state = table.act(Action.HIT)
        while state.is_over:
            start_open(table)
            state = table.act(Action.HIT)
        seeds = (table.fair_shoe.commitment, table.fair_shoe.next_commitment)
        before = bankroll_of(store)
    with open_store(path) as store:
        found = only_open(store)
        assert found.record.actions == (Action.HIT,)
        with KeptTable.resume(store, found) as table:
            assert table.state == state
            assert table.is_playing
            assert table.actions == (Action.HIT,)
            assert seeds == (table.fair_shoe.commitment, table.fair_shoe.next_commitment)
            assert (bankroll_of(table.store), table.free_chips) == (before, before)
            assert free_chips_of(store) == before - 10
            while not state.is_over:
                state = table.act(Action.STAND)
            assert bankroll_of(store) == before + state.net
            table.start([1])  # the session continues
        assert list(find_open_rounds(store)) == [] or only_open(store).number > 1
        check_books(store)


def test_words_for_the_next_shuffle_outlast_the_process(path, sit):
    """They are saved with the next round of the same shoe, which has other words or none."""
    with open_store(path) as store, sit(store, "6D") as table:
        start_open(table)
        stand_to_the_end(table)
        table.fair_shoe.add_player_seed("my own words")
        start_open(table)
    with open_store(path) as store, KeptTable.resume(store, only_open(store)) as table:
        shoe = table.fair_shoe
        assert (shoe.number, shoe.player_seed, shoe.next_player_seed) == (1, "", "my own words")


def test_a_round_that_only_had_to_be_booked_is_booked(path, sit, monkeypatch):
    def fail(*_, **__):
        msg = "the disk is full"
        raise StoreError(msg)

    with open_store(path) as store, sit(store) as table:
        state = start_open(table)
        monkeypatch.setattr("upcard.store.kept_table.KeptTable._settle", fail)
        with pytest.raises(StoreError, match="the disk is full"):
            stand_to_the_end(table)
        state = table.state
        assert state.is_over
        with pytest.raises(StoreError, match="the disk is full"):
            table.start([10])
        monkeypatch.undo()
    with open_store(path) as store:
        with KeptTable.resume(store, only_open(store)) as table:
            assert not table.is_playing
            assert read_round(store, table.last_round).net == state.net
        assert list(find_open_rounds(store)) == []
        check_books(store)


def test_a_round_that_was_not_booked_is_booked_before_the_next(quick_store, sit, monkeypatch):
    def fail(*_, **__):
        msg = "the disk is full"
        raise StoreError(msg)

    table = sit(quick_store)
    start_open(table)
    monkeypatch.setattr("upcard.store.kept_table.KeptTable._settle", fail)
    with pytest.raises(StoreError):
        stand_to_the_end(table)
    booked = len(list(read_rounds(quick_store)))
    monkeypatch.undo()
    table.start([10])
    assert len(list(read_rounds(quick_store))) >= booked + 1
    check_books(quick_store)


def test_a_round_of_another_terminal_is_not_found(store, path, sit):
    with sit(store) as table:
        start_open(table)
        with open_store(path) as other:
            assert list(find_open_rounds(other)) == []
    found = only_open(store)
    with (
        KeptTable.resume(store, found),
        open_store(path) as other,
        pytest.raises(StoreError, match="being played in another terminal"),
    ):
        KeptTable.resume(other, found)


def test_a_round_is_resumed_once(store, sit):
    with sit(store) as table:
        start_open(table)
    found = only_open(store)
    with KeptTable.resume(store, found) as table:
        stand_to_the_end(table)
    with pytest.raises(StoreError, match="has no open round any more"):
        KeptTable.resume(store, found)


def test_chips_on_one_table_are_not_free_at_another(store, path, sit):
    with sit(store, chips=125) as table, open_store(path) as other:
        start_open(table, [20])
        assert bankroll_of(other) == bankroll_of(table.store)
        left = bankroll_of(table.store) - 20
        assert free_chips_of(other) == left
        with sit(other, chips=0) as second:
            with pytest.raises(NotCoveredError, match=f"{left} are free"):
                second.start([left + 1])
            assert not second.is_playing
            assert second.store.rows("SELECT count(*) FROM open_rounds") == [(1,)]


def test_all_free_chips_can_be_bet_and_no_more(quick_store, sit):
    table = sit(quick_store, chips=1000)
    with pytest.raises(NotCoveredError, match="bets of 1001 chips: 1000 are free"):
        table.start([1001])
    table.start([1000])


def test_chips_on_a_table_cannot_be_taken_away(quick_store, sit):
    table = sit(quick_store, chips=1000)
    start_open(table, [400])
    before = bankroll_of(table.store)
    with pytest.raises(NotCoveredError, match=f"cannot take .* chips: {before - 400} are free"):
        deposit(quick_store, 400 - before - 1)
    assert bankroll_of(quick_store) == before
    deposit(quick_store, 400 - before)
    assert free_chips_of(quick_store) == 0


def test_free_chips_are_counted_and_laid_in_one_transaction(quick_store, sit, monkeypatch):
    """Otherwise two terminals of one profile could lay the same chips."""
    counted = []

    def count(store, *arguments, **options):
        counted.append(store.db.in_transaction)
        return free_chips_of(store, *arguments, **options)

    monkeypatch.setattr("upcard.store.kept_table.free_chips_of", count)
    monkeypatch.setattr("upcard.store.bankroll.free_chips_of", count)
    table = sit(quick_store, chips=1000)
    assert start_open(table).legal
    table.act(Action.HIT)
    deposit(quick_store, -1)
    assert len(counted) >= 3
    assert all(counted)


def test_an_answer_that_the_chips_do_not_cover_changes_nothing(quick_store, sit):
    table = sit(quick_store, "6D", chips=1000)
    state = start_open(table, [10])
    while Action.DOUBLE not in state.legal:
        while not state.is_over:
            state = table.act(Action.STAND if Action.STAND in state.legal else state.legal[-1])
        state = start_open(table, [10])
    deposit(quick_store, -bankroll_of(table.store) + 10 + 9)
    with pytest.raises(NotCoveredError, match="cannot double: it takes 10 more chips, 9 are free"):
        table.act(Action.DOUBLE)
    assert (table.state, table.actions) == (state, ())
    deposit(quick_store, 1)
    assert table.act(Action.DOUBLE).hands[0].bet == 20


def test_what_a_double_adds_is_not_free_either(quick_store, sit):
    table = sit(quick_store, "6D NOINS")
    while True:
        state = start_open(table, [10, 10])
        if Action.DOUBLE in state.legal and not table.act(Action.DOUBLE).is_over:
            break
        stand_to_the_end(table)
    assert free_chips_of(quick_store) == bankroll_of(table.store) - 30
    assert table.free_chips == bankroll_of(table.store)
    stand_to_the_end(table)
    assert free_chips_of(quick_store) == bankroll_of(table.store)


def test_what_is_not_legal_is_not_recorded(quick_store, sit):
    table = sit(quick_store)
    with pytest.raises(IllegalActionError):
        table.act(Action.HIT)
    with pytest.raises(RulesError, match="bets are over 0"):
        table.start([0])
    assert quick_store.rows("SELECT * FROM open_rounds") == []
    start_open(table)
    with pytest.raises(IllegalActionError, match="cannot split"):
        table.act(Action.SPLIT)
    with pytest.raises(IllegalActionError, match="finish"):
        table.start([10])
    with pytest.raises(IllegalActionError, match="finish"):
        table.end_shoe()
    assert quick_store.rows("SELECT actions FROM open_rounds") == [("",)]


def test_a_void_round_costs_nothing_and_ends_the_shoe(quick_store, sit, play, monkeypatch):
    def draw(_):
        msg = "all 52 cards are on the table"
        raise EmptyShoeError(msg)

    table = sit(quick_store, "1D CSM")
    shown = table.fair_shoe.commitment
    play(table, rounds=2)
    start_open(table)
    before = (bankroll_of(table.store), len(list(read_rounds(quick_store))))
    monkeypatch.setattr(FairShoe, "draw", draw)
    with pytest.raises(EmptyShoeError):
        table.act(Action.HIT)
    monkeypatch.undo()
    assert (bankroll_of(table.store), len(list(read_rounds(quick_store)))) == before
    assert quick_store.rows("SELECT * FROM open_rounds") == []
    assert table.fair_shoe.reveals[-1].commitment == shown
    play(table, rounds=3)
    check_books(quick_store)
    table.end_shoe()
    check_all_shoes(quick_store)


def check_all_shoes(store):
    for shoe in read_shoes(store):
        if shoe.reveal:
            check_reveal(make_reveal(shoe, read_rounds_of_shoe(store, shoe.id)))


def test_the_seeds_of_a_shoe_in_play_stay_in_the_store(quick_store, sit, play):
    table = play(sit(quick_store, "1D PEN50"), rounds=1)
    (stored,) = read_rounds(quick_store)
    (shoe,) = read_shoes(quick_store)
    assert isinstance(stored.record.source, CardList)
    assert shoe.reveal is None
    with pytest.raises(StoreError, match="shoe 1 is in play"):
        make_reveal(shoe, [stored])
    table.end_shoe()
    (stored,) = read_rounds(quick_store)
    (shoe,) = read_shoes(quick_store)
    assert KeyedCards(shoe.reveal.key, stored.place) == stored.record.source
    assert check_reveal(make_reveal(shoe, [stored])) == 1


def test_the_rounds_of_the_shoe_in_play_can_be_read(quick_store, sit, play):
    table = sit(quick_store, "6D")
    assert read_rounds_in_play(quick_store, table.session) == []
    play(table, rounds=2)
    table.end_shoe()
    assert read_rounds_in_play(quick_store, table.session) == []
    play(table, rounds=3)
    found = read_rounds_in_play(quick_store, table.session)
    assert [stored.number for stored in found] == [3, 4, 5]
    assert all(isinstance(stored.record.source, CardList) for stored in found)


def test_leaving_the_table_reveals_the_shoe(quick_store, sit, play):
    with sit(quick_store) as table:
        play(table)
    (shoe,) = read_shoes(quick_store)
    assert shoe.ended_at is not None
    assert quick_store.rows("SELECT ended_at IS NULL FROM sessions") == [(0,)]


def test_a_session_whose_process_died_is_ended_by_the_next(store, sit, play):
    table = play(sit(store))
    table._lock.release()  # as the system does for a process that is killed
    with sit(store, chips=0) as second:
        rows = store.rows("SELECT id, ended_at IS NULL FROM sessions ORDER BY id")
        assert rows == [(table.session.id, 0), (second.session.id, 1)]


def test_bots_play_at_it_as_at_any_table(quick_store, sit):
    table = sit(quick_store, "roanoke")
    assert isinstance(table, Table)
    player, betting = make_player("mimic", table.rules), make_betting("flat", unit=5)
    played = list(play_rounds(table, player, betting=betting, rounds=12, bankroll=1000))
    assert [stored.net for stored in read_rounds(quick_store)] == [item.net for item in played]


def test_houses_without_bets_move_no_chips(quick_store, sit, play):
    play(sit(quick_store, "6D betting=false", chips=0), rounds=9, bets=(1,))
    assert bankroll_of(quick_store) == 0
    assert len(list(read_rounds(quick_store))) == 9
    check_books(quick_store)


def test_wrong_books_are_found(quick_store, sit, play):
    play(sit(quick_store), rounds=3)
    quick_store.run("UPDATE bankroll SET amount = '77'")
    with pytest.raises(StoreError, match="the bankroll is 77, and its rounds add up to"):
        check_books(quick_store)


def test_no_more_chips_are_taken_than_are_free(quick_store):
    deposit(quick_store, 50)
    with pytest.raises(NotCoveredError, match="cannot take 51 chips: 50 are free"):
        deposit(quick_store, -51)
    assert deposit(quick_store, -50, reason="taken home") == 0


def test_the_last_rounds_can_be_asked_for(quick_store, sit, play):
    play(sit(quick_store), rounds=7)
    assert [stored.id for stored in read_rounds(quick_store, last=3)] == [5, 6, 7]
    assert len(list(read_rounds(quick_store, last=100))) == 7
    with pytest.raises(StoreError, match="there is no round 9: 1 to 7"):
        read_round(quick_store, 9)


def test_pages_of_rounds_join(quick_store, sit, play, monkeypatch):
    monkeypatch.setattr("upcard.store.history._PAGE", 3)
    play(sit(quick_store), rounds=8)
    assert [stored.id for stored in read_rounds(quick_store)] == list(range(1, 9))


def test_a_shoe_of_ones_own_rules_is_needed(quick_store):
    with pytest.raises(StoreError, match="the shoe is one of"):
        KeptTable.sit_down(quick_store, Rules.parse("6D"), shoe=FairShoe(Rules.parse("8D")))
