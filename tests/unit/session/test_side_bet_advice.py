"""The coach's prices of side bets: exact, from the cards that are public, and no others."""

from fractions import Fraction

import pytest

from upcard.players.seen_cards import Knowledge
from upcard.rules.model import Rules
from upcard.session.coaching import TableCoach, price_side_bets
from upcard.session.game_session import GameSession
from upcard.session.plan import TablePlan
from upcard.table.shoe import ScriptedShoe

RULES = Rules.parse("6D +PP(25/12/6)")


def practise(cards, knows, rules=RULES):
    coach = TableCoach(rules, knows=knows)
    plan = TablePlan(rules=rules, keeps=False)
    return GameSession.practise(plan, chips=Fraction(100), shoe=ScriptedShoe(cards), coach=coach)


def edge(session):
    (advice,) = price_side_bets(session)
    return advice.answer.edge


def test_the_price_is_that_of_the_cards_seen_with_their_suits():
    session = practise("8D 7S 8H TC", Knowledge.SEEN)
    bet = RULES.side_bets[0]
    assert edge(session) == bet.value(None, RULES).edge
    session.place(Fraction(10))
    assert edge(session) == pytest.approx(bet.value("6D less 8D 7S 8H", RULES).edge)
    session.coach.knows = Knowledge.FRESH
    assert edge(session) == bet.value(None, RULES).edge


def test_the_hole_card_changes_no_price_before_it_is_shown():
    prices = set()
    for hole in ("TC", "8C", "AS"):
        session = practise(f"8D 7S 8H {hole} 2C 3C 4C", Knowledge.SEEN)
        session.place(Fraction(10))
        prices.add(edge(session))
    assert len(prices) == 1


def test_a_bet_without_an_exact_price_is_left_out(tmp_path):
    file = tmp_path / "third.toml"
    file.write_text(
        'title = "Third"\nsource = "us"\ncards = ["player1", "next1"]\nif_drawn = true\n'
        'win = [{name = "pair", same_rank = 2, pays = 10}]\n'
    )
    session = practise("8D 7S 8H TC", Knowledge.SEEN, Rules.parse(f"6D +{file}"))
    assert price_side_bets(session) == ()
