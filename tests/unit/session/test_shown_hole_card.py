"""Both dealer cards in words: questions, verdicts, reviews, the history and the mistake map."""

import json
import random
from fractions import Fraction

import pytest

from upcard import Action, Rules, Table
from upcard.answers.drill_question import answer_drill
from upcard.answers.hand import answer_advice, explain_advice
from upcard.answers.played import find_cell, sort_places
from upcard.cli.app import run
from upcard.coach.adviser import Coach, advise_opening, list_dealt, list_openings, pose
from upcard.core.cards import Card, rank_name
from upcard.core.errors import UnsupportedRuleError
from upcard.drills.catalogue import DrillOptions
from upcard.drills.drill import DrillError
from upcard.drills.drill_run import DrillMemory, DrillSetup
from upcard.drills.trainer import DrillTrainer
from upcard.players.question import place_in_chart
from upcard.session.narration import Narrator
from upcard.store.database import open_in_memory
from upcard.store.round_codes import encode_round
from upcard.store.statistics import AnsweredQuestions
from upcard.strategy.chart import column_key
from upcard.table.legal import why_not
from upcard.table.rounds import CardList, RoundRecord
from upcard.table.shoe import ScriptedShoe

HOUSE = Rules.parse("6D H17 D9 UP2 TALL BJW 1:1")


def deal(hand, upcard, hole, then=""):
    """Return a table that asks about a hand, and what is said there."""
    table = Table(HOUSE, ScriptedShoe.stack(HOUSE, hand=hand, upcard=upcard, hole=hole, then=then))
    narrator, said = Narrator(HOUSE), []
    table.listeners.append(lambda event: said.append(narrator.hear(event).text))
    table.start([10])
    return table, said


def test_the_second_card_is_said_when_it_is_dealt():
    table, said = deal("T 6", "T", "6", then="5")
    assert said[2] == "The dealer gets T: 10."
    assert said[4] == "The dealer gets 6: 16."
    table.act(Action.STAND)
    assert "You lose 10, 16 against 21." in said
    assert not any("turns up" in text or "looks" in text for text in said)


def test_a_refusal_names_both_cards():
    table, _ = deal("T 6", "T", "6")
    refusal = why_not(table.state, Action.SPLIT)
    assert refusal.startswith("cannot split T 6 (16) v T 6: it is not a pair")


def test_the_coach_says_both_cards():
    table, _ = deal("T 6", "T", "6")
    advice = Coach(HOUSE).advise(table.view(), table.legal_actions())
    answer = answer_advice(advice)
    assert answer.question == "Hard 16 against 10 6"
    assert (answer.upcard, answer.hole, answer.dealer_cards) == ("T", "6", "T 6")
    assert "Both dealer cards are seen." in answer.assumptions
    why = explain_advice(advice, Action.HIT)
    assert why.verdict.text.startswith("You hit 16 v 10 6. Stand was better")
    assert why.verdict.situation == "hard 16 v T 6"
    assert why.dealer[-1].chance == pytest.approx(advice.position.dealer_outcomes().bust)


def test_a_situation_against_both_cards_has_a_cell_of_their_chart():
    assert find_cell("hard 16 v T") == ("16", "T")
    assert find_cell("hard 16 v T 6") == ("16", "16")
    assert find_cell("hard 20 v A 6") == ("20", "A6")
    names = ("hard 16 v T 6", "hard 16 v 9 7", "free hard 16 v T 6")
    cells, others = sort_places([AnsweredQuestions(name=name, asked=2) for name in names])
    assert {cell: heat.asked for cell, heat in cells.items()} == {("16", "16"): 4}
    assert list(others) == ["free hard 16 v 10 6"]


def test_questions_by_the_upcard_alone_are_refused():
    with pytest.raises(UnsupportedRuleError, match="shows_hole=true"):
        pose(HOUSE, (Card("T"), Card("6")), Card("9"))


def test_opening_hands_know_both_cards_and_have_the_values_of_the_coach():
    dealt = list_dealt(HOUSE)
    left = HOUSE.full_shoe.counts
    natural = 2 * left[1] * left[10] / (sum(left) * (sum(left) - 1))
    assert sum(one.frequency for one in dealt) == pytest.approx(1 - natural)
    assert all(one.hole.rank >= one.upcard.rank for one in dealt)
    for one in random.Random(1).sample(list_openings(HOUSE), 10):
        cards, up, _, hole = one.situation
        assert one.ev == pytest.approx(advise_opening(HOUSE, cards, up, hole).ev, abs=1e-12)
        assert one.cell.split(" v ")[1] == column_key(up.rank, hole.rank)


@pytest.mark.parametrize("name", ["strategy", "hands"])
def test_drills_show_both_cards(name):
    store = open_in_memory()
    setup = DrillSetup(options=DrillOptions(rules=HOUSE), memory=DrillMemory(store), seed=1)
    trainer = DrillTrainer(name, setup)
    asked, prompt = answer_drill(trainer), trainer.prompt
    store.close()
    assert [card.rank for card in asked.dealer.cards] == [card.rank for card in prompt.dealer]
    assert asked.dealer.text.startswith("shows ")
    assert f" v {prompt.upcard} {prompt.hole}" in asked.text
    right = str(advise_opening(HOUSE, prompt.cards, *map(_ranked, prompt.dealer)).best)
    assert trainer.run.drill.check(prompt, right).is_right


def test_a_cell_of_the_chart_by_both_cards_can_be_drilled():
    assert DrillOptions(rules=HOUSE, cell="20 v 20").cell == "20 v 20"
    with pytest.raises(DrillError, match="no hand '16 v T' of the chart"):
        DrillOptions(rules=HOUSE, cell="16 v T")


def _ranked(card):
    return Card(rank_name(card.rank))


def test_a_decision_at_the_table_belongs_to_the_cell_of_a_drill():
    assert place_in_chart("hard 16 v T 6") == "hard 16 v 16"
    assert place_in_chart("soft A7 v 6 A") == "soft A7 v A6"
    assert place_in_chart("hard 16 v T") == "hard 16 v T"


def test_a_round_is_replayed_with_both_cards(capsys):
    shown = CardList(tuple(map(Card, ("T", "T", "6", "6", "5"))))
    answers = (Action.STAND,)
    record = RoundRecord(rules=HOUSE, bets=(Fraction(10),), source=shown, actions=answers)
    assert run(["replay", encode_round(record)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "T 6 (16) against T 6: stand. That was right." in told
    assert "both dealer cards are seen" in told
    assert run(["replay", encode_round(record), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    questions = [one for one in told["played"]["steps"] if one["type"] == "question"]
    assert [(one["upcard"], one["hole"]) for one in questions] == [("T", "6")]
