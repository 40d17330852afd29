"""Mistakes at the table weigh in the drills, and can be drilled alone."""

from fractions import Fraction

import pytest

from upcard.answers.drill_report import list_expected
from upcard.core.actions import Action
from upcard.drills.catalogue import make_drill
from upcard.drills.drill import DrillError, DrillProgress, Observed, Record, Scheduler
from upcard.drills.drill_run import NEWEST, DrillMemory, DrillRun
from upcard.rules.model import Rules
from upcard.store.bankroll import buy_in
from upcard.store.database import open_in_memory
from upcard.store.kept_table import KeptTable
from upcard.store.learning import record_judgement
from upcard.store.records import JudgementRecord

RULES = Rules.parse("6D S17")
CELL = "soft A7 v 9"


@pytest.fixture
def store():
    with open_in_memory() as store:
        buy_in(store, Fraction(5000))
        yield store


def play(store, situation, *, wrong, times=1, rules=RULES):
    """Play rounds at a table and record one judged decision in each."""
    table = KeptTable.sit_down(store, rules)
    for _ in range(times):
        state = table.start([1])
        while not state.is_over:
            state = table.act(Action.STAND if Action.STAND in state.legal else state.legal[-1])
        judgement = JudgementRecord(
            step=0,
            situation=situation,
            category="soft hits",
            chosen=Action.STAND,
            best=Action.HIT,
            cost_ev=0.0842 * wrong,
            cost_chips=0.0842 * wrong,
            method="exact",
        )
        record_judgement(store, table.session, table.round_number, judgement)
    table.close()


@pytest.fixture(scope="module")
def drill():
    return make_drill("strategy", RULES)


def share_of(run, item):
    return next((one.share for one in list_expected(run, 500) if one.item == item), 0.0)


def test_a_mistake_at_the_table_makes_its_cell_come_more_often(store, drill):
    memory = DrillMemory(store)
    before = share_of(DrillRun(drill, memory), CELL)
    play(store, CELL, wrong=True, times=3)
    assert share_of(DrillRun(drill, memory), CELL) > 2 * before


def test_right_decisions_at_the_table_make_it_come_less_often(store, drill):
    memory = DrillMemory(store)
    before = share_of(DrillRun(drill, memory), CELL)
    play(store, CELL, wrong=False, times=3)
    assert share_of(DrillRun(drill, memory), CELL) < before


def test_against_both_dealer_cards_a_cell_has_its_decisions_at_the_table(store):
    rules = Rules.parse("6D H17 D9 UP2 TALL BJW 1:1")
    for dealer in ("T 6", "7 9"):
        play(store, f"hard 16 v {dealer}", wrong=True, rules=rules)
    observed = DrillMemory(store).observe(make_drill("strategy", rules))
    assert observed == {"hard 16 v 16": Observed(2, 2, pytest.approx(2 * 0.0842))}


def test_the_answers_to_the_drill_stay_apart(store, drill):
    play(store, CELL, wrong=True, times=3)
    memory = DrillMemory(store)
    run = DrillRun(drill, memory, seed=1)
    run.ask()
    run.answer(run.prompt.choices[0])
    kept = memory.load(drill.name, drill.about)
    assert sum(record.asked for record in kept.records.values()) == 1
    assert memory.observe(drill) == {CELL: Observed(3, 3, pytest.approx(3 * 0.0842))}


def test_only_the_newest_decisions_of_a_situation_count(store, drill):
    play(store, CELL, wrong=True, times=2)
    play(store, CELL, wrong=False, times=NEWEST)
    assert DrillMemory(store).observe(drill)[CELL] == Observed(NEWEST, 0, 0.0)


def test_rounds_by_other_rules_do_not_count(store, drill):
    play(store, CELL, wrong=True, rules=Rules.parse("6D H17"))
    assert DrillMemory(store).observe(drill) == {}


def test_a_close_surrender_is_asked_in_its_own_class(store):
    play(store, "hard 16 v T", wrong=True, rules=Rules.parse("6D S17 LS"))
    drill = make_drill("strategy", Rules.parse("6D S17 LS"))
    assert set(DrillMemory(store).observe(drill)) == {"surrender 16 v T"}


def test_only_my_mistakes_asks_nothing_else(store, drill):
    play(store, CELL, wrong=True)
    run = DrillRun(drill, DrillMemory(store), seed=1, only_mistakes=True)
    for _ in range(5):
        assert run.ask().item == CELL
        run.answer("hit")


def test_a_mistake_in_the_drill_is_one_of_mine_too(store, drill):
    memory = DrillMemory(store)
    run = DrillRun(drill, memory, seed=1)
    item = run.ask().item
    wrong = max(run.prompt.choices, key=lambda one: drill.check(run.prompt, one).cost)
    run.answer(wrong)
    assert DrillRun(drill, memory, only_mistakes=True).ask().item == item


def test_without_a_mistake_only_my_mistakes_is_refused(store, drill):
    with pytest.raises(DrillError, match="no mistake to drill in strategy"):
        DrillRun(drill, DrillMemory(store), only_mistakes=True)


def test_the_rate_is_bayes_with_the_table_as_evidence():
    assert Record().error_rate(0, prior=0.5, observed=Observed(2, 2, 0.1)) == pytest.approx(0.75)
    assert Record().error_rate(0, prior=0.5) == pytest.approx(0.5)


def test_what_table_mistakes_cost_weighs_in(drill):
    progress = DrillProgress(drill=drill.name, about=drill.about)
    item = next(one for one in drill.items() if one.key == CELL)
    plain = Scheduler(drill=drill, progress=progress)
    observed = {CELL: Observed(1, 1, 2 * item.cost)}
    seen = Scheduler(drill=drill, progress=progress, observed=observed)
    rate = (1 + 2 * item.prior) / 3
    assert seen.weight(item) == pytest.approx(item.frequency * rate * 1.5 * item.cost)
    assert plain.weight(item) == pytest.approx(item.frequency * item.prior * item.cost)
