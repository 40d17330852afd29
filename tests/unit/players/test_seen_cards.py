"""The counter of cards that came to light, by nothing but public events."""

from __future__ import annotations

import random

import pytest

from upcard.core.actions import Action
from upcard.core.cards import FACES, Card
from upcard.core.errors import RulesError
from upcard.players.seen_cards import CardsSeen, SeenCards, compose
from upcard.rules.model import Rules
from upcard.table import ScriptedShoe, ShuffledShoe, Table
from upcard.table.events import DealerDealt, Dealt, Revealed, RoundEnded, RoundStarted, Shuffled


def test_the_hole_card_is_seen_when_it_is_turned_up():
    table = Table(Rules.parse("6D"), ScriptedShoe("T 9 8 7 T"))
    seen = SeenCards(table.rules)
    table.listeners.append(seen.hear)
    table.start()
    assert seen.look().cards == 3
    table.act(Action.STAND)
    assert seen.look().cards == 5
    assert seen.look().faces[FACES.index("7")] == 1


def test_a_hole_card_that_was_not_shown_stays_unseen_unless_reported():
    table = Table(Rules.parse("6D"), ScriptedShoe("T 9 8 7 T T 9 8 7"))
    seen, told = SeenCards(table.rules), SeenCards(table.rules)
    table.listeners += [seen.hear, told.hear]
    table.start()
    table.act(Action.HIT)
    told.finish_round(table.state.dealer)
    table.start()
    assert seen.look().never_shown == 1
    assert told.look().never_shown == 0
    assert told.look().cards == seen.look().cards + 1
    composition = compose(table.rules, seen.look(), "")
    assert composition.never_shown == 1
    assert sum(composition.unseen) == 312 - seen.look().cards


def test_a_shuffle_starts_again():
    seen = SeenCards(Rules.parse("6D"))
    for event in (RoundStarted(()), Dealt(0, Card("K"), 10), RoundEnded(0), Shuffled(312)):
        seen.hear(event)
    assert seen.look() == CardsSeen((0,) * 13)


def test_discards_that_come_back_are_unseen_again():
    """Of an empty shoe, only what lies on the table stays out."""
    rules = Rules.parse("1D PEN100")
    table = Table(rules, ShuffledShoe(rules, random.Random(4)))
    seen = SeenCards(rules)
    out = []

    def watch(event):
        if isinstance(event, Shuffled | RoundStarted):
            out.clear()
        elif isinstance(event, Dealt):
            out.append(event.card)

    table.listeners += [seen.hear, watch]
    came_back = False
    for _ in range(60):
        before = seen.look().cards
        table.start([1] * 7)
        while table.legal_actions():
            table.act(table.legal_actions()[-1])
        came_back = came_back or seen.look().cards < before
        assert seen.look().cards <= 52
        assert max(seen.look().faces) <= 4
    assert came_back


def test_dealer_cards_count_once():
    seen = SeenCards(Rules.parse("6D"))
    up, hole = Card("9H"), Card("9C")
    for event in (RoundStarted(()), DealerDealt(up, 9), DealerDealt(None, 9)):
        seen.hear(event)
    seen.hear(Revealed((up, hole), 18))
    seen.hear(DealerDealt(Card("2D"), 20))
    seen.finish_round((up, hole, Card("2D")))
    assert seen.look().cards == 3


def test_more_cards_than_there_are_is_refused():
    faces = (5, *(0,) * 12)
    with pytest.raises(RulesError, match="5 cards of rank A were seen, and 1 deck has only 4"):
        compose(Rules.parse("1D"), CardsSeen(faces), "")
    with pytest.raises(RulesError, match="no card is left"):
        compose(Rules.parse("1D"), CardsSeen((4,) * 13), "")


def test_tens_without_a_face_say_nothing_about_faces():
    faces = (*(0,) * 9, 9, 0, 0, 0)
    composition = compose(Rules.parse("1D"), CardsSeen(faces), "")
    assert composition.unseen[10] == 7
    assert composition.tens is None
    assert composition.tens_like("K") is None
