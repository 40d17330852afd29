"""A refused action, in parts."""

import copy

import pytest

from upcard.core.actions import Action
from upcard.core.errors import IllegalActionError
from upcard.rules.model import Rules
from upcard.table.legal import find_refusal, why_not
from upcard.table.rounds import Table
from upcard.table.shoe import ScriptedShoe


def table_of(cards, rules="6D"):
    table = Table(Rules.parse(rules), ScriptedShoe(cards))
    table.start([10])
    return table


def test_a_refused_action_has_its_parts_and_one_text():  # F10
    table = table_of("AD 4S 7S TC")
    refusal = find_refusal(table.state, Action.SPLIT)
    assert refusal.reason == "it is not a pair"
    assert refusal.legal == (Action.HIT, Action.STAND, Action.DOUBLE)
    assert refusal.without_legal == "cannot split AD 7S (soft 18) v 4S: it is not a pair"
    assert str(refusal) == f"{refusal.without_legal}. Legal: hit, stand, double"
    assert why_not(table.state, Action.SPLIT) == str(refusal)
    assert find_refusal(table.state, Action.STAND) is None


def test_the_error_carries_action_reason_and_what_is_legal():  # F10
    table = table_of("AD 4S 7S TC")
    with pytest.raises(IllegalActionError) as caught:
        table.act(Action.SPLIT)
    error = copy.copy(caught.value)
    assert str(error) == why_not(table.state, Action.SPLIT)
    assert (error.action, error.reason) == (Action.SPLIT, "it is not a pair")
    assert error.legal == table.state.legal


def test_an_offer_is_taken_or_declined():
    table = table_of("T 9 8 T")
    names = ("insurance", "no split")
    refused = [find_refusal(table.state, Action(name)).action.verb for name in names]
    assert refused == ["take insurance", "decline split"]
