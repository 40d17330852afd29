"""Sentences about a hand: values, reasons, verdicts, assumptions, and what would change it."""

import dataclasses
import math

import pytest

import upcard
from upcard.answers.hand import (
    answer_advice,
    answer_hand,
    answer_question,
    answer_total,
    answer_verdict,
    draw_cost,
    explain_advice,
    list_changes,
    list_values,
    no_verdict,
)
from upcard.coach.adviser import Coach, compose_fresh, pose
from upcard.coach.reasons import explain
from upcard.core.actions import Action
from upcard.core.cards import Card, parse_cards
from upcard.exact.supported_rules import SplitPlay
from upcard.rules.model import Rules
from upcard.table import ScriptedShoe, Table

HIT, STAND, DOUBLE, SPLIT = Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT


def advise(text, hand, up):
    rules, cards, upcard_ = Rules.parse(text), parse_cards(hand), Card(up)
    return Coach(rules).advise_on(pose(rules, cards, upcard_), compose_fresh(rules, cards, upcard_))


def deal(text, cards):
    """Return the advice on the first question of a table."""
    rules = Rules.parse(text)
    table = Table(rules, ScriptedShoe(cards))
    table.start()
    return Coach(rules).advise(table.view(), table.legal_actions())


def put(advice, **ev):
    """Return the advice with other values: sentences are made from these."""
    values = advice.ev | {Action(name.replace("_", " ")): value for name, value in ev.items()}
    return dataclasses.replace(advice, ev=values, best=max(values, key=values.get))


def near(text, cards, **ev):
    """Return advice at a chance of a natural of which a digit more decides."""
    return dataclasses.replace(put(deal(text, cards), **ev), natural_probability=0.33337)


QUESTIONS = {
    "hard": ("T6", "T", "Hard 16 against 10: hit, −0.5347 of a bet."),
    "soft": ("A7", "9", "Soft 18 against 9: hit, −0.0985 of a bet."),
    "a pair": ("88", "A", "8,8 against A: split, −0.3643 of a bet."),
    "tens": ("TT", "6", "10,10 against 6: stand, +0.7028 of a bet."),
    "three cards": ("853", "T", "Hard 16 against 10: stand, −0.5399 of a bet."),
}


@pytest.mark.parametrize(("hand", "up", "sentence"), QUESTIONS.values(), ids=QUESTIONS)
def test_a_hand_is_said_in_a_sentence(hand, up, sentence):
    assert answer_hand(upcard.solve(Rules(), hand, up)).sentence == sentence


COSTS = {
    "a mistake": ({HIT: 0.1, STAND: -0.05}, ["+0.1000", "−0.0500"], ["best", "0.1500"]),
    "a near tie": ({HIT: 0.1, STAND: 0.0999999}, ["+0.1000", "+0.1000"], ["best", "0.00000010"]),
    "a tie": ({HIT: 0.1, STAND: 0.1}, ["+0.1000", "+0.1000"], ["best", "0"]),
    "no end": ({SPLIT: math.inf, STAND: 1.0}, ["infinite", "+1.0000"], ["best", "infinite"]),
    "no gain": ({HIT: -0.0, STAND: -1.0}, ["+0.0000", "−1.0000"], ["best", "1.0000"]),
}


@pytest.mark.parametrize(("ev", "texts", "costs"), COSTS.values(), ids=COSTS)
def test_values_come_best_first_with_costs_that_differ_from_nothing(ev, texts, costs):
    found = list_values(ev, next(iter(ev)))
    assert [one.short for one in found] == texts
    assert [one.short_cost for one in found] == costs
    assert [one.is_best for one in found] == [True, False]
    assert [one.bar for one in found] == [0, draw_cost(found[1].cost)]


REASONS = {
    "a card that cannot bust": (
        *(lambda: advise("6D", "A 7", "9"), STAND),
        (
            "Standing wins 35% and loses 53% (the dealer busts 23%);"
            " hitting wins 39% and loses 49% (the next card cannot bust)."
        ),
    ),
    "hit or stand": (
        *(lambda: advise("6D", "T 6", "T"), STAND),
        (
            "Standing wins 23.0% and loses 77.0% (the dealer busts 23%);"
            " hitting wins 20.3% and loses 73.7% (the next card busts 61%)."
        ),
    ),
    "a double": (
        *(lambda: advise("6D", "T 2", "5"), DOUBLE),
        (
            "Doubling, for twice the money and one card only, wins 38% and loses 57%;"
            " standing wins 42% and loses 58% (the dealer busts 42%)."
        ),
    ),
    "a near tie of splits": (
        *(lambda: put(advise("6D", "8 8", "T"), split=-0.48012, hit=-0.48019, stand=-0.6), None),
        "Hitting is worth −0.48019 of a bet, splitting into hands of 8 −0.48012.",
    ),
    "a surrender that a natural takes whole": (
        *(lambda: advise("6D ENHC LS", "T 7", "A"), Action.SURRENDER),
        "Standing loses 0.637 of a bet on average, surrendering 0.654.",
    ),
    "even money": (
        *(lambda: near("6D", "T A A 6", no_even_money=0.99995), None),
        (
            "The dealer has a natural 33.3% of the time: to wait is worth 0.99995 of a bet,"
            " even money 1."
        ),
    ),
    "insurance": (
        *(lambda: near("6D", "7 A 8 6", insurance=(3 * 0.33337 - 1) / 2), None),
        "The hole card is worth ten 33.337% of the time, and insurance breaks even at 33.333%.",
    ),
    "insurance with a look": (
        *(lambda: deal("lott", "8 8 A 9"), None),
        (
            "The hole card is worth ten 31.1% of the time, and insurance breaks even at 33.3%;"
            " the look that it buys is worth +0.104 of a bet on top."
        ),
    ),
}


@pytest.mark.parametrize(("advice", "answer", "reason"), REASONS.values(), ids=REASONS)
def test_a_reason_compares_two_answers(advice, answer, reason):
    assert explain(advice(), answer).sentence == reason


ENDINGS = {
    "a tie": (
        *(lambda: put(advise("6D", "T 2", "4"), hit=-0.2, stand=-0.2 - 1e-12), None),
        ": hit and stand are worth the same.",
    ),
    "a lead": (lambda: advise("1D H17", "6 5", "6"), None, "double is better by 0.38 of a bet."),
    "a small lead": (
        lambda: advise("1D H17", "7 5", "2"),
        None,
        "hit is better by 0.0021 of a bet.",
    ),
    "hardly a lead": (
        lambda: advise("1D H17", "2 6", "5"),
        None,
        "is better by 0.000074 of a bet.",
    ),
    **{
        f"surrender or {played}": (
            *(
                lambda played=played: put(advise("6D LS", "T 6", "T"), hit=played, stand=-0.6),
                Action.SURRENDER,
            ),
            f"loses {written} of a bet on average, {half}",
        )
        for played, written, half in (
            (-0.505, "0.505", "surrendering half."),
            (-0.50004, "0.50004", "surrendering half."),
            (-0.49996, "0.49996", "surrendering half."),
            (-0.5 + 1e-12, "0.500", "and so does surrendering."),
        )
    },
}


@pytest.mark.parametrize(("advice", "answer", "ending"), ENDINGS.values(), ids=ENDINGS)
def test_near_ties_do_not_look_alike(advice, answer, ending):
    found = advice()
    assert explain(found, answer).sentence.endswith(ending)
    if "better by" in ending:
        lead = found.ev[found.best] - found.ev[found.runner_up]
        assert float(ending.split()[-4]) == pytest.approx(lead, rel=0.05)


VERDICTS = {
    "a blunder": (
        *(("T 2", "5"), DOUBLE, "blunder"),
        "You doubled 12 v 5. Stand was better: a blunder, 0.21 of a bet, 0.21 chips.",
    ),
    "a slip": (
        *(("T 6", "T"), STAND, "slip"),
        "You stood on 16 v 10. Hit was better: a slip, 0.0063 of a bet, 0.01 chips.",
    ),
    "right": (("T 2", "5"), STAND, "right", "You stood on 12 v 5. That was right."),
}


@pytest.mark.parametrize(("hand", "answer", "grade", "text"), VERDICTS.values(), ids=VERDICTS)
def test_a_verdict_says_what_was_better_and_the_cost(hand, answer, grade, text):
    advice = advise("6D", *hand)
    found = explain_advice(advice, answer)
    assert found.verdict.text == text
    assert (found.verdict.grade, found.verdict.action) == (grade, answer)
    assert found.verdict.cost == advice.costs[answer]
    assert found.verdict.is_mistake == (grade != "right")
    assert found.verdict.reason == found.reason
    without = answer_verdict(advice.judge(answer), "", has_bets=False)
    assert text.startswith(without.text.rstrip("."))
    assert "chip" not in without.text


def test_an_answer_without_a_value_has_no_verdict():
    found = no_verdict(parse_cards("8 8"), SPLIT, "no room")
    assert (found.situation, found.text, found.reason) == ("8 8", "", "no room")
    assert (found.is_known, found.is_mistake, found.cost, found.grade) == (False, False, None, None)
    advice = advise("6D", "T 6", "T")
    assert explain_advice(advice).verdict is explain_advice(advice, SPLIT).verdict is None


LOOKED = "The answers' EV and cost are given that the dealer has looked and has no natural."
BEFORE = "EV and cost are as of the offer of early surrender, before the dealer looks"
INSURED = "Insurance is answered before the look: a natural is counted there."
OFFERS = "Insurance and even money are answered before the look: a natural is counted there."
COUNTED = "The dealer does not look first: a natural is counted."
OF_SPLITS = "Splits CDZ-: split hands are played by the optimum for unsplit hands."
UNASKED = "A natural is settled unasked: any other answer is there for comparison."
ASSUMED = {
    "no natural possible": ("6D", "T6", "9", []),
    "a look": ("6D", "T6", "T", [LOOKED]),
    "a look after insurance": ("6D", "T6", "A", [LOOKED, INSURED]),
    "a natural": ("6D", "AT", "A", [LOOKED, OFFERS, UNASKED]),
    "early surrender": ("6D ES", "T6", "T", [f"{BEFORE}: a natural is counted."]),
    "no look": ("6D ENHC", "T6", "T", [COUNTED]),
    "a split": ("6D", "88", "9", [OF_SPLITS]),
    "an infinite deck": ("INF", "88", "9", []),
}


@pytest.mark.parametrize(("rules", "hand", "up", "more"), ASSUMED.values(), ids=ASSUMED)
def test_assumptions_are_sentences(rules, hand, up, more):
    found = answer_hand(upcard.solve(Rules.parse(rules), hand, up))
    first = "EV is per initial bet, from the player's side, played best afterwards."
    assert found.assumptions == (first, *more)


FIGURES = {
    "none": ("6D", "T6", "9", []),
    "a natural": ("6D", "T6", "T", ["7.7670%"]),
    "insurance": ("6D", "88", "A", ["31.0680%", "−0.033981 for half a bet"]),
    "even money": (
        *("6D", "AT", "A"),
        ["30.7443%", "−0.038835 for half a bet", "−0.038835 against waiting"],
    ),
    "no insurance": ("6D NOINS", "88", "A", ["31.0680%"]),
}


@pytest.mark.parametrize(("rules", "hand", "up", "texts"), FIGURES.values(), ids=FIGURES)
def test_figures_are_there_where_they_matter(rules, hand, up, texts):
    found = answer_hand(upcard.solve(Rules.parse(rules), hand, up)).figures
    names = ["natural_probability", "insurance_ev", "even_money_ev"]
    assert [one.name for one in found] == names[: len(texts)]
    assert [one.text for one in found] == texts


def test_insurance_that_buys_a_look_has_both_values():
    rules, hand, up = upcard.house("lott"), parse_cards("8 8"), Card("A")
    question = pose(rules, hand, up, has_offers=False)
    found = answer_question(question, compose_fresh(rules, hand, up), splits=SplitPlay.CDZ)
    text = "−0.033074 for half a bet, +0.070814 with the look that it buys"
    assert found.figures[1].text == text


CHANGES = {
    "counts": (
        *("6D", "T 6", "T"),
        (
            "one deck more: still hit; one deck less: still hit; dealer hits soft 17: still hit;"
            " hi-lo at +0: hit; hi-lo +1 and above: stand"
        ),
    ),
    "a rule": (
        *("6D", "T 2", "4"),
        (
            "one deck more: still hit; one deck less: still hit; dealer hits soft 17: stand;"
            " hi-lo at +0: hit; hi-lo +1 and above: stand"
        ),
    ),
    "a low count": (
        *("6D", "T 3", "3"),
        (
            "one deck more: still stand; one deck less: still stand;"
            " dealer hits soft 17: still stand; hi-lo at +0: stand; hi-lo −3 and below: hit"
        ),
    ),
    "no count": (
        *("6D", "T T", "T"),
        (
            "one deck more: still stand; one deck less: still stand;"
            " dealer hits soft 17: still stand; no double after a split: still stand;"
            " hi-lo at +0: stand; hi-lo: no count changes it"
        ),
    ),
    "an infinite deck": ("INF", "T 6", "T", "dealer hits soft 17: still hit"),
}


@pytest.mark.parametrize(("rules", "hand", "up", "text"), CHANGES.values(), ids=CHANGES)
def test_changes_name_the_best_answer_with_each(rules, hand, up, text):
    advice = advise(rules, hand, up)
    found = list_changes(advice)
    assert "; ".join(one.text for one in found) == text
    assert {one.best for one in found if not one.is_other} == {advice.best}
    assert advice.best not in {one.best for one in found if one.is_other}


def test_a_total_has_its_play_in_words():
    rules = Rules.parse("1D LS")
    values = [upcard.solve(rules, hand, "T") for hand in ("T6", "97")]
    found = answer_total("16", values, values[0].ev, "Rs")
    text = (
        "surrender, else stand. Rs: after a hit or a split there is no surrender; then stand."
        " The row 16 weighs its hands by their chances, without a pair."
    )
    assert (found.question, found.play, found.play_text) == (
        "Hard 16 against 10",
        "surrender, else stand",
        text,
    )
    assert [one.hand for one in found.hands] == ["T 6", "9 7"]


def test_an_advice_has_the_words_of_the_coach_as_sentences():
    advice = deal("6D", "8 T 8 6")
    found = answer_advice(advice)
    shoe = "6 decks, fresh, less this spot's cards and the upcard"
    given = (
        "No natural after the look.",
        "Splits: CDZ-, split again whenever the rules allow it.",
    )
    assert (found.shoe, found.given, found.splits) == (shoe, given, "CDZ-")
    values = "split −0.4749 (best), hit −0.5354, stand −0.5369, double −1.0707 of a bet"
    assert found.values == values
    unknown = dataclasses.replace(found, missing={"split": "no room"}).values
    assert unknown == f"{values}, split not known"
