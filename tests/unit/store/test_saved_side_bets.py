"""Side bets on disk: placed before a card is dealt, found again, booked with the round."""

from fractions import Fraction

import pytest

from upcard.fair.fair_shoe import FairShoe
from upcard.rules.model import Rules
from upcard.store.bankroll import bankroll_of, deposit, free_chips_of
from upcard.store.files import NotCoveredError
from upcard.store.history import read_round, row_of
from upcard.store.kept_table import KeptTable
from upcard.store.round_codes import decode_round, encode_round
from upcard.store.sessions import find_open_rounds, read_rules, write_rules

OWN = """title = "Reds"
source = "us"
cards = ["player1", "player2"]
win = [{name = "both red", exact = ["QH", "QD"], pays = 30},
  {name = "pair", same_rank = 2, push = true}]
"""


def play_out(table):
    state = table.state
    while not state.is_over:
        legal = table.legal_actions()
        state = table.act("stand" if "stand" in legal else legal[-1])
    return state


@pytest.fixture
def own(tmp_path):
    file = tmp_path / "reds.toml"
    file.write_text(OWN)
    return file


def test_chips_of_side_bets_are_at_risk_until_the_round_is_booked(quick_store):
    rules = Rules.parse("6D +21+3(9) +BUST(2/2/4/12/50/250)")
    deposit(quick_store, Fraction(20), reason="brought")
    with KeptTable.sit_down(quick_store, rules) as table:
        with pytest.raises(NotCoveredError, match="bets of 21 chips: 20 are free"):
            table.start(["15 21+3 4 bust 2"])
        for _ in range(30):
            before = bankroll_of(quick_store)
            if before < 5:
                deposit(quick_store, Fraction(20), reason="brought")
                before = bankroll_of(quick_store)
            state = table.start(["2 21+3 1 bust 2"])
            if not state.is_over:
                assert free_chips_of(quick_store) == before - 5
            state = play_out(table)
            stored = read_round(quick_store, table.last_round)
            assert bankroll_of(quick_store) == before + state.net
            assert stored.side == state.side.results
            assert stored.net == sum(hand.net for hand in stored.hands) + stored.insurance_net + (
                sum(one.net for one in stored.side)
            )
            row = row_of(stored)
            assert [one["code"] for one in row["side_bets"]] == [one.code for one in stored.side]
            assert decode_round(row["code"]).result.side == stored.side


def test_an_unfinished_round_continues_with_its_side_bets(quick_store, own):
    rules = Rules.parse(f"6D +{own} +PP(25/12/6)")
    deposit(quick_store, Fraction(100), reason="brought")
    table = KeptTable.sit_down(quick_store, rules)
    state = table.start(["10 reds 2 pp 1.5"])
    while state.is_over:
        state = table.start(["10 reds 2 pp 1.5"])
    table.close()
    own.unlink()  # records do not depend on the file
    (found,) = find_open_rounds(quick_store)
    assert str(found.record.bets[0]) == "10 reds 2 pp 1.5"
    with KeptTable.resume(quick_store, found) as again:
        end = play_out(again)
    assert {one.code for one in end.side.results} == {"reds", "pp"}
    stored = read_round(quick_store, again.last_round)
    code = encode_round(stored.record)
    assert decode_round(code).result.net == end.net


def test_saved_rules_have_the_whole_bet(own):
    rules = Rules.parse(f"6D +{own}")
    text = write_rules(rules)
    assert str(own) not in text
    own.unlink()
    assert read_rules(text, "") == rules


def test_a_fair_shoe_deals_a_card_that_is_turned_up():
    from upcard.table.rounds import Table

    rules = Rules.parse("6D +S7(5000/500/100/50/3)")
    shoe = FairShoe(rules)
    table = Table(rules, shoe)
    for _ in range(20):
        state = table.start(["1 s7 1"])
        while not state.is_over:
            state = table.act("stand" if "stand" in table.legal_actions() else state.legal[-1])
        assert state.side.next_card in table.cards[4:]
