"""Questions of the drills in words, and the reasons of their answers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from upcard.answers.drill_question import (
    answer_drill,
    explain_refusal,
    name_question,
    write_question,
    write_reason,
)
from upcard.core.actions import Action
from upcard.core.cards import parse_cards
from upcard.drills.counting_drills import (
    BetPrompt,
    CountdownPrompt,
    DecksPrompt,
    RunningPrompt,
    TruePrompt,
)
from upcard.drills.drill import Feedback, Prompt
from upcard.drills.hand_prompts import DeviationPrompt, HandPrompt, WholeHandPrompt
from upcard.drills.trainer import DrillStep
from upcard.rules.model import Rules

SIX = Rules.parse("6D")
HI_LO = {"system": "hi-lo"}


def pose(kind, cards="", *, item="12 v 3  S >= 2 else H", **facts):
    """Make a question as a drill does; the last card is the upcard."""
    *hand, upcard = parse_cards(cards) if cards else (None,)
    return kind(item=item, cards=tuple(hand), upcard=upcard, **facts)


RIGHT = {"right": (Fraction(-2),)}
QUESTIONS = [
    (pose(HandPrompt, "9 8 T", choices=("hit", "stand")), "9 8 v T", "Why."),
    (
        pose(HandPrompt, "8 8 6", choices=("split", "no split")),
        "8 8 v 6: a split is offered",
        "Why.",
    ),
    (
        pose(HandPrompt, "T 6 9", choices=("surrender", "no surrender")),
        "T 6 v 9: surrender is offered",
        "Why.",
    ),
    (pose(WholeHandPrompt, "AH 6C TD", choices=("hit",)), "AH 6C (soft 17) v TD", "Why."),
    (
        pose(DeviationPrompt, "T 2 3", **HI_LO, count=-2, index=2, holds=False),
        "T 2 v 3 at hi-lo −2",
        "The play is 12 v 3  S >= 2 else H; −2 is on the other side of the index.",
    ),
    (
        pose(DeviationPrompt, "T 2 3", **HI_LO, count=2, index=2, holds=True),
        "T 2 v 3 at hi-lo +2",
        "The play is 12 v 3  S >= 2 else H; +2 is on its side of the index.",
    ),
    (
        pose(
            DeviationPrompt,
            "T 2 A",
            **HI_LO,
            count=1,
            index=3,
            holds=None,
            choices=("insurance", "no insurance"),
        ),
        "insurance? at hi-lo +1",
        "Insurance is taken from +3 on; +1 is below it.",
    ),
    (
        pose(CountdownPrompt, **HI_LO, **RIGHT, start=Fraction(-4)),
        "hi-lo: count 0 cards of one deck from −4",
        "The cards add up to 2: from −4 to −2.",
    ),
    (
        pose(RunningPrompt, **HI_LO, **RIGHT, start=Fraction(1)),
        "hi-lo: the running count is 1; count on",
        "The cards add up to −3: from 1 to −2.",
    ),
    (
        pose(
            TruePrompt,
            **HI_LO,
            **RIGHT,
            running=Fraction(-3),
            cards_left=104,
            decks=Fraction(2),
            deck_size=52,
            rounding="floor",
        ),
        "hi-lo: running count −3, 104 cards left (2.00 decks); the true count?",
        "−3 over 2 decks is −1.50; floor: −2.",
    ),
    (
        pose(DecksPrompt, **RIGHT, decks=6, discards=78, deck_size=52),
        "the discard tray of a 6-deck shoe: decks left, to a half?",
        "78 cards are out, 234 are left: 4.50 decks.",
    ),
    (
        pose(BetPrompt, **HI_LO, right=(Fraction(8),), count=5),
        "hi-lo +5: how many units?",
        "At +5 the ramp says: bet 8.",
    ),
    (
        pose(BetPrompt, **HI_LO, right=(Fraction(0),), count=-1),
        "hi-lo −1: how many units?",
        "At −1 the ramp says: sit the round out.",
    ),
]


@pytest.mark.parametrize(("prompt", "text", "reason"), QUESTIONS)
def test_a_question_and_its_reason_in_one_line_each(prompt, text, reason):
    feedback = Feedback(is_right=True, answer="1", right="1", cost=0.0, reason="Why.")
    assert (write_question(prompt, SIX), write_reason(prompt, feedback)) == (text, reason)


@pytest.mark.parametrize(
    ("place", "name"),
    [
        (0, "9 8 (hard 17) against 10"),
        (3, "A 6 (soft 17) against 10"),
        (4, "10 2 (hard 12) against 3 at hi-lo −2"),
        (11, "Hi-lo +5: how many units?"),
    ],
)
def test_a_question_is_named_beside_its_verdict(place, name):
    assert name_question(QUESTIONS[place][0], SIX) == name


ASKED = {
    "strategy": "Your play?",
    "hands": "Your play?",
    "countdown": "What is the count?",
    "running count": "What is the running count?",
    "true count": "What is the true count?",
    "deck estimation": "How many decks are left?",
    "bet": "How many units do you bet?",
}
FACTS = {
    "true count": ["Running count", "Cards left", "Decks left"],
    "bet": ["Count"],
}


@pytest.mark.parametrize("name", ASKED)
def test_every_drill_asks_in_a_few_words(begin, name):
    trainer = begin(name, "INF" if name in ("strategy", "hands") else "2D", classes="hard")
    asked = answer_drill(trainer)
    assert (asked.question, asked.ask) == (1, ASKED[name])
    assert [one.title for one in asked.facts] == FACTS.get(name, [])
    assert (asked.dealer is None) == (not asked.choices)
    assert bool(asked.showing) == (trainer.step is DrillStep.SHOWING)
    if asked.choices:
        assert [one.name for one in (asked.dealer, *asked.hands)] == ["Dealer", "You"]
        assert asked.hands[0].is_active
        assert {card.rank for card in asked.hands[0].cards} == {card.rank for card in asked.cards}


def test_an_offer_is_asked_by_its_name(begin):
    trainer = begin("strategy", "lott", classes="pair")
    offers = {"split": "A split is offered", "surrender": "Surrender is offered"}
    assert answer_drill(trainer).ask == f"{offers[trainer.prompt.choices[0]]}: your answer?"


def test_the_cards_of_a_count_are_named_before_they_are_shown(begin):
    trainer = begin("countdown", "1D")
    before = answer_drill(trainer).showing
    how = {1: "51 cards one by one", 2: "51 cards by twos", 3: "51 cards by threes"}
    assert (before.place, before.text) == (0, how[len(before.cards)])
    assert set(before.cards) == {None}
    trainer.turn()
    assert answer_drill(trainer).showing.cards == trainer.prompt.groups[0]
    trainer.show_all()
    assert answer_drill(trainer).showing is None


def test_insurance_is_refused_as_taking_it():
    """The drills still said `cannot insurance`: they worded the action themselves."""
    reason = explain_refusal(Action.INSURANCE, Prompt(item="count"), rules=SIX)
    assert reason == "cannot take insurance: a number is asked for"
