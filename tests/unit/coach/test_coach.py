"""What the coach takes, refuses and says, question by question."""

from __future__ import annotations

import random
import threading
from dataclasses import replace

import pytest

from upcard.coach.adviser import Coach, Knowledge, list_situations, pose
from upcard.coach.judgement import write_chips
from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.errors import (
    IllegalActionError,
    NoExactValueError,
    NotationError,
    RulesError,
    UnsupportedRuleError,
)
from upcard.exact.solver_results import NEARLY_EQUAL, cost_of
from upcard.players.question import HandClass, read_question
from upcard.players.seen_cards import SeenCards
from upcard.rules.house import house, house_names
from upcard.rules.model import Rules
from upcard.rules.settings import HoleCard, NaturalTakes, Player21, SplitNaturals, TurnOrder
from upcard.table import ScriptedShoe, Table, make_shoe
from upcard.table.events import Dealt


def sit(rules, cards, bets=(10,)):
    table = Table(rules, ScriptedShoe(cards))
    seen = SeenCards(rules)
    table.listeners.append(seen.hear)
    table.start(bets)
    return table, seen


def advise(table, seen=None, **options):
    coach = Coach(table.rules, **options)
    look = None if seen is None else seen.look()
    return coach.advise(table.view(), table.legal_actions(), look)


def test_verdict_says_what_a_mistake_costs_in_ev_and_chips():
    table, _ = sit(Rules.parse("6D"), "T 9 6 6", bets=[50])
    advice = advise(table)
    right, wrong = advice.judge(Action.HIT), advice.judge(Action.STAND)
    assert (right.is_right, right.cost, right.chips) == (True, 0, 0)
    assert str(right) == "You hit 16 v 9. That was right."
    assert not wrong.is_right
    assert wrong.cost == pytest.approx(advice.ev[Action.HIT] - advice.ev[Action.STAND])
    assert wrong.chips == pytest.approx(50 * wrong.cost)
    assert str(wrong).startswith("You stood on 16 v 9. Hit was better: a mistake, 0.03")
    assert wrong.key == "hard 16 v 9"
    assert wrong.cell == ("16", "9")
    assert advice.chips[Action.HIT] == 50 * advice.ev[Action.HIT]


def test_a_judgement_costs_nothing_or_more():
    table, _ = sit(Rules.parse("6D"), "8 T 8 6")
    judgement = advise(table).judge(Action.STAND)
    assert judgement.hand_class is HandClass.PAIR
    with pytest.raises(NotationError, match="0 or more"):
        replace(judgement, cost=-0.1)


def test_what_is_not_legal_cannot_be_judged():
    table, _ = sit(Rules.parse("6D"), "T 9 6 6")
    with pytest.raises(
        IllegalActionError, match=r"cannot judge split .* Legal: hit, stand, double"
    ):
        advise(table).judge(Action.SPLIT)


def test_assumptions_are_named():
    table, seen = sit(Rules.parse("6D"), "8 T 8 6")
    fresh, counted = advise(table), advise(table, seen, cards="seen")
    assert fresh.cards.told in fresh.assumptions
    assert counted.cards.told in counted.assumptions
    assert "3 cards" in counted.cards.told
    for advice in (fresh, counted):
        assert "no natural after the look" in advice.assumptions
        assert "splits: CDZ-, split again whenever the rules allow it" in advice.assumptions
        assert advice.split_class == "CDZ-"
        assert advice.is_exact
    assert counted.ev == pytest.approx(fresh.ev, abs=1e-12)  # the same cards are known


def test_cards_of_earlier_rounds_and_other_spots_count_if_seen():
    rules = Rules.parse("6D")
    table, seen = sit(rules, "T 6 T 6 T T  5 T 2 6 T T T T T T", bets=[10, 10])
    while table.legal_actions():
        table.act(Action.STAND)
    table.start([10, 10])
    advice = advise(table, seen, cards=Knowledge.SEEN)
    assert advice.cards.unseen[10] == 96 - seen.look().faces[9]
    assert "each spot is valued separately" in advice.assumptions
    fresh = advise(table)
    assert sum(fresh.cards.unseen) == 312 - 3
    assert advice.ev != pytest.approx(fresh.ev, abs=1e-4)


def test_a_coach_for_cards_seen_needs_them():
    table, _ = sit(Rules.parse("6D"), "8 T 8 6")
    with pytest.raises(RulesError, match="needs them"):
        advise(table, cards="seen")


def test_a_view_of_other_rules_is_refused():
    table, _ = sit(Rules.parse("6D"), "8 T 8 6")
    with pytest.raises(RulesError, match="the table plays 6D S17"):
        Coach(Rules.parse("6D H17")).advise(table.view(), table.legal_actions())


def test_nothing_is_advised_where_nothing_is_asked():
    table, _ = sit(Rules.parse("6D"), "T T A 6")
    with pytest.raises(IllegalActionError, match="asks nothing"):
        advise(table)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"shows_upcard": False, "hole_card": "no-peek", "insurance": False}, "shows_upcard"),
        ({"charlie": 5, "hole_card": "none", "natural_takes": "original"}, "charlie"),
    ],
)
def test_rules_without_exact_values_are_refused_by_name(changes, rule):
    with pytest.raises(UnsupportedRuleError, match=rule):
        Coach(Rules.parse("6D").replace(**changes))


def test_names_are_checked():
    with pytest.raises(RulesError, match="fresh or seen"):
        Coach(Rules(), cards="all")
    with pytest.raises(NotationError, match="CDP1"):
        Coach(Rules(), splits="best")
    with pytest.raises(RulesError, match="full memory takes seconds"):
        Coach(Rules(), splits="full")


def test_splits_without_an_exact_method_are_named_and_the_rest_is_valued():
    rules = Rules.parse("6D OBO").replace(split_naturals=SplitNaturals.ALWAYS)
    table, _ = sit(rules, "8 T 8")
    advice = advise(table)
    assert set(advice.ev) == {Action.HIT, Action.STAND, Action.DOUBLE}
    assert "split_naturals=always" in advice.missing[Action.SPLIT]
    assert not advice.is_exact
    with pytest.raises(NoExactValueError, match="split_naturals"):
        advice.judge(Action.SPLIT)
    plain, _ = sit(Rules.parse("6D OBO"), "8 T 8")
    assert advice.ev[Action.HIT] == pytest.approx(advise(plain).ev[Action.HIT], abs=1e-12)


def test_splits_without_limit_are_valued_to_eight_hands_and_it_is_said():
    table, _ = sit(Rules.parse("6D SPINF"), "8 T 8 6")
    advice = advise(table)
    assert advice.approximations == ("splits are valued to 8 hands, not without limit",)
    eight, _ = sit(Rules.parse("6D SP8"), "8 T 8 6")
    assert advice.ev == pytest.approx(advise(eight).ev, abs=1e-12)


def test_a_pair_that_waits_wants_the_same_room():
    """With room for one more hand, it is all the same which of two equal pairs is split."""
    table, _ = sit(Rules.parse("6D SP3"), "8 6 8 6 8 8 5 5 5")
    table.act(Action.SPLIT)
    advice = advise(table)
    assert table.view().hands[1].total == 16
    others = max(ev for action, ev in advice.ev.items() if action is not Action.SPLIT)
    assert advice.ev[Action.SPLIT] == pytest.approx(others, abs=1e-12)
    assert "want the same room" in advice.approximations[0]
    table.act(Action.SPLIT)
    table.act(Action.STAND)
    assert advise(table).is_exact


def test_a_hand_of_a_split_gets_what_the_rules_leave_it():
    rules = Rules.parse("6D NDAS LS")
    table, _ = sit(rules, "8 6 8 6 3 T")
    table.act(Action.SPLIT)
    advice = advise(table)
    assert set(advice.ev) == {Action.HIT, Action.STAND}
    assert advice.split_class is None
    assert "the other hands of the split are valued separately" in advice.assumptions


def test_a_hand_of_a_split_knows_the_other_hands():
    """The two eights and the three are out: less likely to come than in the class CDZ-."""
    table, _ = sit(Rules.parse("1D"), "8 6 8 6 3 3")
    table.act(Action.SPLIT)
    apart = pose(Rules.parse("1D"), table.view().hand.cards, table.view().upcard)
    assert advise(table).cards.unseen[8] == 2
    assert apart.label == "11"


def test_split_aces_that_cannot_be_hit_only_stand_or_split():
    table, _ = sit(Rules.parse("6D RSA"), "A 6 A 6 A 5")
    table.act(Action.SPLIT)
    advice = advise(table)
    assert set(advice.ev) == {Action.STAND, Action.SPLIT}
    assert advice.best is Action.SPLIT


def test_original_bets_only_differs_from_all_bets_by_what_a_natural_takes():
    both = {}
    for text in ("6D ENHC", "6D OBO"):
        table, _ = sit(Rules.parse(text), "6 T 5")
        both[text] = advise(table)
    natural = both["6D OBO"].natural_probability
    assert natural == pytest.approx(24 / 309)
    lost = both["6D OBO"].ev[Action.DOUBLE] - both["6D ENHC"].ev[Action.DOUBLE]
    assert lost == pytest.approx(natural)
    assert both["6D OBO"].ev[Action.STAND] == pytest.approx(both["6D ENHC"].ev[Action.STAND])


def test_insurance_is_worth_a_third_of_tens():
    table, seen = sit(Rules.parse("6D"), "T A 2 T")
    advice = advise(table, seen, cards="seen")
    assert advice.question.hand_class is HandClass.INSURANCE
    assert advice.ev[Action.INSURANCE] == pytest.approx((3 * 95 / 309 - 1) / 2)
    assert advice.best is Action.NO_INSURANCE
    assert advice.natural_probability == pytest.approx(95 / 309)


def test_faces_of_tens_matter_where_pairs_are_split_by_rank():
    """Kings that are out make fewer new pairs of kings; queens that are out do not."""
    rules = Rules.parse("1D SP4").replace(split_by="rank")
    coach = Coach(rules, cards="seen")
    found = {}
    for other in "QK":
        table, seen = sit(rules, "K 6 K 5")
        seen.hear(Dealt(0, Card(other), 0))
        found[other] = coach.advise(table.view(), table.legal_actions(), seen.look()).ev
    assert found["Q"][Action.STAND] == found["K"][Action.STAND]
    assert found["Q"][Action.SPLIT] != found["K"][Action.SPLIT]


def test_the_dealer_has_looked_if_another_hand_won_at_once():
    rules = Rules.parse("6D ND SP1").replace(hole_card=HoleCard.NO_PEEK, player_21=Player21.WINS)
    table, _ = sit(rules, "5 T A 6 6 6 T 5", bets=[10, 10])
    table.act(Action.NO_INSURANCE)
    table.act(Action.NO_INSURANCE)
    assert not read_question(table.view(), table.legal_actions()).has_looked
    table.act(Action.HIT)
    assert table.view().hands[0].total == 21
    question = read_question(table.view(), table.legal_actions())
    assert question.has_looked
    assert "no natural after the look" in advise(table).assumptions


def test_a_tied_21_that_is_asked_again_has_no_value_and_says_so():
    rules = Rules.parse("6D ND SP1").replace(
        hole_card=HoleCard.NO_PEEK, player_21=Player21.WINS, natural_ties_21=True
    )
    table, _ = sit(rules, "5 A 6 T T 5")
    table.act(Action.NO_INSURANCE)
    table.act(Action.HIT)
    with pytest.raises(NoExactValueError, match="natural"):
        advise(table)


def test_a_shoe_that_could_run_out_has_no_value_and_says_so():
    rules = Rules.parse("1D")
    cards = [f"{rank}" for rank in "A23456789TJQK" for _ in range(4)]
    for card in ("2", "3", "6", "8", "8"):
        cards.remove(card)
    seen = SeenCards(rules)
    table = Table(rules, ScriptedShoe("8 6 8 2 3 5"))
    table.listeners.append(seen.hear)
    table.start()
    for card in cards[:-2]:
        seen.hear(Dealt(0, Card(card), 0))
    assert "run out" in advise(table, seen, cards="seen").missing[Action.SPLIT]
    seen.hear(Dealt(0, Card(cards[-2]), 0))
    with pytest.raises(NoExactValueError, match="run out"):
        advise(table, seen, cards="seen")


@pytest.mark.parametrize("name", ["lott", "seven-hands", "mdp", "helsinki", "deshmukh"])
def test_posed_openings_are_those_of_the_table(name):
    rules = house(name)
    for situation in list_situations(rules)[::11]:
        posed = pose(rules, situation.cards, situation.upcard)
        first, second = map(str, situation.cards)
        up = str(situation.upcard)
        script = {
            "hands-up-hole": [first, second, up, "7"],
            "hands-hole-up": [first, second, "7", up],
            "casino": [first, up, second, "7"],
        }[rules.deal_order]
        table, _ = sit(rules, [*script, *"5" * 12], bets=[1])
        while declines := [
            one
            for one in table.legal_actions()
            if one in (Action.NO_INSURANCE, Action.NO_EVEN_MONEY)
        ]:
            table.act(declines[0])
        assert read_question(table.view(), table.legal_actions()) == posed


def test_round_robin_and_splits_first_are_read():
    rules = Rules.parse("6D LS").replace(turn_order=TurnOrder.SPLITS_FIRST)
    table, _ = sit(rules, "8 T 8 6")
    first = advise(table)
    assert set(first.ev) == {Action.SURRENDER, Action.NO_SURRENDER}
    table.act(Action.NO_SURRENDER)
    second = advise(table)
    assert set(second.ev) == {Action.SPLIT, Action.NO_SPLIT}
    assert first.ev[Action.NO_SURRENDER] == pytest.approx(max(second.ev.values()), abs=1e-12)
    table.act(Action.NO_SPLIT)
    third = advise(table)
    assert second.ev[Action.NO_SPLIT] == pytest.approx(max(third.ev.values()), abs=1e-12)


def test_early_surrender_is_weighed_before_the_look():
    table, _ = sit(Rules.parse("6D ES"), "T T 6 6")
    advice = advise(table)
    late, _ = sit(Rules.parse("6D"), "T T 6 6")
    after = max(advise(late).ev.values())
    natural = 24 / 309
    assert advice.ev[Action.NO_SURRENDER] == pytest.approx((1 - natural) * after - natural)
    assert advice.natural_probability == pytest.approx(natural)


def test_threads_get_the_same_answers():
    rules = Rules.parse("2D")
    tables = [sit(rules, f"{a} T {b} 6")[0] for a, b in ("88", "99", "T6", "77", "A7", "22")]
    alone = [advise(table).ev for table in tables]
    found = [None] * len(tables)

    def work(index):
        found[index] = advise(tables[index]).ev

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(tables))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone


def test_original_takes_is_read_with_insurance_in_a_house_without_peek():
    rules = Rules.parse("6D").replace(
        hole_card=HoleCard.NO_PEEK, natural_takes=NaturalTakes.ORIGINAL
    )
    table, _ = sit(rules, "6 A 5 9")
    advice = advise(table)
    # A natural takes one bet with or without a look, and doubles are returned: nothing is saved.
    assert advice.ev[Action.INSURANCE] == pytest.approx((3 * 96 / 309 - 1) / 2, abs=1e-9)


@pytest.mark.parametrize("name", ["lott", "mdp", "deshmukh", "helsinki", "seven-hands"])
def test_any_house_has_a_coach(name):
    table, _ = sit(house(name), "8 8 6 5 5 5 5 5")
    assert advise(table).ev


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("name", ["spanish-21", *(n for n in house_names() if n != "spanish-21")])
def test_values_are_numbers_of_python(name):
    """NumPy's are neither `float` nor JSON once they are compared and added up."""
    rules, rng = house(name), random.Random(name)
    deals = [None, "6S J 8S 9 9"] if name == "spanish-21" else [None]  # near a suited 678
    for cards in deals * 3:
        shoe = ScriptedShoe(cards) if cards else make_shoe(rules, rng)
        table = Table(rules, shoe)
        table.start([10] * rules.min_spots)
        advice = advise(table) if table.legal_actions() else None
        for action, ev in advice.ev.items() if advice else ():
            judgement = advice.judge(action)
            assert (type(ev), type(judgement.cost)) == (float, float)
            assert type(judgement.is_right) is bool


def test_a_difference_that_is_rounding_costs_nothing():
    assert cost_of(0.5, 0.5 - NEARLY_EQUAL / 2) == 0
    assert cost_of(0.5, 0.5 + NEARLY_EQUAL / 2) == 0
    assert cost_of(float("inf"), float("inf")) == 0
    assert cost_of(float("inf"), 1.0) == float("inf")
    assert cost_of(0.5, 0.25) == 0.25


def test_chips_are_written_with_the_digits_they_need():
    assert [write_chips(x) for x in (0, 0.004, 0.125, 2.0)] == ["0", "under 0.01", "0.12", "2"]


def test_early_surrender_of_an_infinite_deck_is_weighed_before_the_look():
    table, _ = sit(Rules.parse("INF ES"), "T T 6 6")
    late, _ = sit(Rules.parse("INF"), "T T 6 6")
    after = max(advise(late).ev.values())
    assert advise(table).ev[Action.NO_SURRENDER] == pytest.approx((12 * after - 1) / 13)
