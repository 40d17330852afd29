"""The dealer's mistakes: each is a round that the table settled, with another payment beside it."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from upcard.answers.drill_question import write_question
from upcard.core.errors import UnsupportedRuleError
from upcard.core.hands import hand_table
from upcard.drills.catalogue import make_drill
from upcard.drills.drill import DrillError
from upcard.rules.house import house
from upcard.rules.model import Rules

SIX = Rules.parse("6D LS")
KINDS = {
    "short natural",
    "insurance",
    "22 for 21",
    "tie taken",
    "tie paid",
    "short double",
    "surrendered bet",
    "no mistake",
}


@pytest.fixture(scope="module")
def drill():
    return make_drill("dealer-mistakes", SIX)


def ask(drill, kind, seed=0):
    """Return a question of a kind, and its facts as numbers."""
    prompt = drill.ask(kind, random.Random(seed))
    return prompt, prompt.bet, prompt.paid, prompt.right[0]


def total(cards):
    table = hand_table(SIX.ace_rule)
    return table.total[table.state_of(card.rank for card in cards)]


def test_every_mistake_is_asked_and_none_in_four_of_ten(drill):
    items = {item.key: item for item in drill.items()}
    assert set(items) == KINDS
    assert sum(item.frequency for item in items.values()) == pytest.approx(1)
    assert items["no mistake"].frequency == 0.4


@pytest.mark.parametrize("seed", range(5))
def test_each_mistake_is_what_it_says(drill, seed):
    prompt, bet, paid, right = ask(drill, "short natural", seed)
    assert (len(prompt.cards), total(prompt.cards), paid, right) == (2, 21, bet, bet * 3 / 2)
    prompt, bet, paid, right = ask(drill, "insurance", seed)
    dealer = prompt.dealer_cards
    assert (len(dealer), total(dealer), prompt.insurance) == (2, 21, bet / 2)
    assert right - paid == bet * 3 / 2  # taken, and not paid two to one
    prompt, bet, paid, right = ask(drill, "22 for 21", seed)
    assert (total(prompt.dealer_cards), paid, right > 0) == (22, -right, True)
    prompt, bet, paid, right = ask(drill, "tie taken", seed)
    assert (right, paid < 0) == (0, True)
    assert total(prompt.cards) == total(prompt.dealer_cards)
    prompt, bet, paid, right = ask(drill, "short double", seed)
    assert (prompt.doubled, right, paid) == (bet, 2 * bet, bet)
    prompt, bet, paid, right = ask(drill, "surrendered bet", seed)
    assert (right, paid) == (-bet / 2, -bet)
    prompt, bet, paid, right = ask(drill, "no mistake", seed)
    assert paid == right


@pytest.mark.parametrize("pays", ["1:1", "2:1", "5:2", "3:1"])
def test_insurance_that_is_not_paid_costs_what_the_house_pays_for_it(pays):
    drill = make_drill("dealer-mistakes", Rules.parse(f"1D INS({pays})"))
    for seed in range(10):
        prompt, bet, paid, right = ask(drill, "insurance", seed)
        insurance = prompt.insurance
        assert insurance == bet / 2
        assert right - paid == insurance * (Fraction(pays.replace(":", "/")) + 1)
        assert paid <= -insurance, "it is lost, whatever the hand"


def test_an_answer_is_judged_in_bets_and_who_lets_it_pass_is_told(drill):
    prompt, bet, paid, right = ask(drill, "22 for 21")
    assert drill.check(prompt, str(right)).is_right
    missed = drill.check(prompt, str(paid))
    assert (missed.is_right, missed.cost) == (False, float(abs(right - paid) / bet))
    assert missed.reason.startswith("The dealer has 22, and took it for 21: ")
    assert missed.reason.endswith("You let it pass.")
    with pytest.raises(DrillError):
        drill.check(prompt, "much")


def test_the_question_says_the_bets_and_what_the_dealer_does(drill):
    prompt, bet, *_ = ask(drill, "insurance")
    text = write_question(prompt, SIX)
    insured = f"you bet {bet}, took insurance for {float(bet) / 2:g}"
    assert text.startswith(f"{insured}; the dealer takes ")
    prompt, *_ = ask(drill, "tie taken")
    assert "what is right" in write_question(prompt, SIX)


def test_rules_without_a_rule_have_no_mistake_about_it():
    kinds = {item.key for item in make_drill("dealer-mistakes", Rules.parse("6D NOINS ND")).items()}
    assert kinds == KINDS - {"insurance", "short double", "surrendered bet"}
    with pytest.raises(UnsupportedRuleError, match="SWITCH"):
        make_drill("dealer-mistakes", house("switch"))
