"""The coach against the table engine itself, walked card by card on a few unseen cards."""

from __future__ import annotations

import pytest
from belief_tree import FACES, BeliefTree, look_at

from upcard.coach.adviser import Coach
from upcard.core.actions import Action
from upcard.core.cards import FACES as ALL_FACES
from upcard.core.cards import Card
from upcard.players.seen_cards import CardsSeen
from upcard.rules.house import house
from upcard.rules.model import Rules
from upcard.rules.settings import EvenMoney, HoleCard, Player21, TurnOrder

UNSEEN = (1, 1, 1, 0, 2, 0, 1, 0, 1, 3)  # aces, twos, ..., tens
FEW = (1, 0, 1, 1, 1, 0, 1, 1, 1, 4)


def seen_but(rules, unseen):
    """All cards of the shoe are seen but these."""
    per_face = 4 * rules.decks
    left = dict(zip(FACES, unseen, strict=True))
    faces = [per_face - left.get(face, 0) for face in ALL_FACES]
    return CardsSeen(tuple(faces))


def advise(rules, tree, belief, unseen_now, **options):
    view = look_at(belief)
    coach = Coach(rules, cards="seen", **options)
    return coach.advise(view, belief[0][1].legal, seen_but(rules, unseen_now))


def less(unseen, cards):
    left = list(unseen)
    for card in cards:
        left[FACES.index(card)] -= 1
    return tuple(left)


HOUSES = {
    "peek": Rules.parse("6D"),
    "peek, late surrender, H17": Rules.parse("6D H17 LS"),
    "early surrender before the peek": Rules.parse("6D ES"),
    "any number of cards doubles": Rules.parse("6D DANY"),
    "no hole card": Rules.parse("6D ENHC LS"),
    "no hole card, original bets": Rules.parse("6D OBO ES"),
    "no peek, insurance makes the dealer look": Rules.parse("6D LS").replace(
        hole_card=HoleCard.NO_PEEK
    ),
    "a natural ties 21": Rules.parse("6D ENHC").replace(natural_ties_21=True),
    "five cards win": Rules.parse("6D").replace(charlie=5),
    "21 wins at once": Rules.parse("6D ND").replace(
        hole_card=HoleCard.NO_PEEK, player_21=Player21.WINS, max_hands=1
    ),
    "surrender offered by itself": Rules.parse("6D LS").replace(turn_order=TurnOrder.SPLITS_FIRST),
    "early surrender by itself, no peek": Rules.parse("6D ES").replace(
        turn_order=TurnOrder.SPLITS_FIRST, hole_card=HoleCard.NO_PEEK
    ),
    "document 000": house("deshmukh"),
    "document 000 with a peek": house("deshmukh").replace(
        hole_card=HoleCard.PEEK, player_21=Player21.STANDS
    ),
    "document 003": house("lott"),
    "document 004": house("roanoke"),
    "21 is asked": Rules.parse("6D").replace(player_21=Player21.ASKED),
}
HANDS = [("T6", "9"), ("A7", "A"), ("65", "T"), ("65", "A"), ("A4", "5")]


@pytest.mark.fast_cases(18)
@pytest.mark.parametrize("name", HOUSES)
@pytest.mark.parametrize(("hand", "upcard"), HANDS)
def test_first_questions_are_worth_what_the_engine_says(name, hand, upcard):
    rules = HOUSES[name]
    tree = BeliefTree(rules, UNSEEN)
    belief = tree.deal(hand, upcard)
    while belief:
        legal = belief[0][1].legal
        advice = advise(rules, tree, belief, UNSEEN)
        expected = tree.values(belief)
        if Action.INSURANCE in legal:  # valued by itself: what it adds to declining
            base = expected[Action.NO_INSURANCE]
            expected = {action: value - base for action, value in expected.items()}
        assert advice.is_exact
        assert tuple(advice.ev) == legal
        assert advice.ev == pytest.approx(expected, abs=1e-9)
        declines = [action for action in legal if action.declines]
        if not declines:
            break
        belief = tree.give(belief, declines[0])


@pytest.mark.fast_cases(7)
@pytest.mark.parametrize("name", HOUSES)
def test_later_questions_are_worth_what_the_engine_says(name):
    rules = HOUSES[name]
    tree = BeliefTree(rules, UNSEEN)
    belief = tree.deal("32", "T")
    while declines := [action for action in belief[0][1].legal if action.declines]:
        belief = tree.give(belief, declines[0])
    for number, drawn in enumerate("3A"):
        belief = tree.give(belief, Action.HIT)
        belief = tree.give(belief, Card(drawn))
        unseen = less(UNSEEN, "3A"[: number + 1])
        advice = advise(rules, tree, belief, unseen)
        assert advice.ev == pytest.approx(tree.values(belief), abs=1e-9)


def test_after_insurance_the_dealer_of_a_house_without_peek_has_looked():
    rules = HOUSES["no peek, insurance makes the dealer look"]
    tree = BeliefTree(rules, UNSEEN)
    belief = tree.give(tree.deal("T6", "A"), Action.INSURANCE)
    advice = advise(rules, tree, belief, UNSEEN)
    lost = 0.5  # the side bet is gone, whatever is played now
    expected = {action: value + lost for action, value in tree.values(belief).items()}
    assert "no natural after the look" in advice.assumptions
    assert advice.natural_probability == 0
    assert advice.ev == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("even_money", [EvenMoney.INSTEAD, EvenMoney.FIRST])
@pytest.mark.parametrize("hole_card", [HoleCard.PEEK, HoleCard.NO_PEEK, HoleCard.NONE])
def test_even_money_is_worth_what_the_engine_says(even_money, hole_card):
    rules = Rules.parse("6D").replace(even_money=even_money, hole_card=hole_card)
    for unseen in (UNSEEN, (2, 1, 1, 0, 2, 1, 1, 1, 1, 1), (1, 0, 0, 0, 0, 1, 1, 0, 1, 6)):
        tree = BeliefTree(rules, unseen)
        belief = tree.deal("AT", "A")
        advice = advise(rules, tree, belief, unseen)
        assert advice.ev == pytest.approx(tree.values(belief), abs=1e-9)


@pytest.mark.parametrize("text", ["6D SP2", "6D SP2 H17 NDAS", "6D SP2 ENHC", "6D SP2 OBO"])
@pytest.mark.parametrize("upcard", ["T", "6"])
def test_the_last_hand_of_a_split_differs_by_what_the_engine_says(text, upcard):
    """Other hands are done: what they win on average does not depend on this one's answer."""
    rules = Rules.parse(text)
    tree = BeliefTree(rules, UNSEEN)
    belief = tree.give(tree.deal("88", upcard), Action.SPLIT)
    for card in "52":
        belief = tree.give(belief, Card(card))
    belief = tree.give(belief, Action.HIT)
    belief = tree.give(belief, Card("T"))  # the first hand is bust
    if belief[0][1].active == 0:
        belief = tree.give(belief, Action.STAND)
    advice = advise(rules, tree, belief, less(UNSEEN, "52T"))
    expected = tree.values(belief)
    best = max(expected.values())
    assert advice.costs == pytest.approx(
        {action: best - value for action, value in expected.items()}, abs=1e-9
    )
    if "OBO" not in text:
        lost = 1.0  # the bust hand
        assert advice.ev[Action.STAND] == pytest.approx(expected[Action.STAND] + lost, abs=1e-9)


FREE = [
    *("6D SP2 FSNT", "6D SP2 FD9-11 FSNT P22 H17", "6D SP2 FDANY FSNT DANY", "6D SP2 FSANY ENHC"),
    *("6D SP2 FSNT NDAS hole_card=no-peek", "6D SP2 FD9-11 FSNT OBO"),
    "6D SP2 FSNT player_21=asked",
]


@pytest.mark.parametrize("text", FREE)
@pytest.mark.parametrize("upcard", ["T", "6"])
def test_a_free_hand_is_worth_what_the_engine_says(text, upcard):
    """Beside a bust hand, which loses one bet whatever is answered."""
    rules = Rules.parse(text)
    tree = BeliefTree(rules, UNSEEN)
    belief = tree.give(tree.deal("88", upcard), Action.SPLIT)
    for move in (Card("5"), Card("2"), Action.HIT, Card("T")):
        belief = tree.give(belief, move)
    left = less(UNSEEN, "52T")
    for drawn in ("", "3"):
        if drawn:
            belief = tree.give(tree.give(belief, Action.HIT), Card(drawn))
            left = less(left, drawn)
        assert look_at(belief).hand.is_free
        advice = advise(rules, tree, belief, left)
        lost = 1.0
        expected = {action: ev + lost for action, ev in tree.values(belief).items()}
        assert advice.is_exact
        assert tuple(advice.ev) == belief[0][1].legal
        assert advice.ev == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("text", ["6D SP3 FSNT P22", "6D SP3 FD9-11 FSNT ENHC"])
@pytest.mark.parametrize("drawn", ["AT", "TA"])
def test_a_pair_after_a_free_split_is_split_again_as_the_engine_says(text, drawn):
    """Split aces get one card each, so that every class of split play is the same."""
    rules = Rules.parse(text + " RSA")
    tree = BeliefTree(rules, FEW)
    belief = tree.give(tree.deal("AA", "6"), Action.SPLIT)
    for card in drawn:
        belief = tree.give(belief, Card(card))
    advice = advise(rules, tree, belief, less(FEW, drawn))
    expected = tree.values(belief)
    assert look_at(belief).hand.is_free == (drawn == "TA")
    assert advice.ev[Action.SPLIT] - advice.ev[Action.STAND] == pytest.approx(
        expected[Action.SPLIT] - expected[Action.STAND], abs=1e-9
    )


def test_a_paid_pair_takes_the_last_split_from_a_free_one_as_the_engine_says():
    rules = Rules.parse("6D SP3 FSNT RSA")
    unseen = (2, 0, 0, 0, 1, 0, 1, 1, 1, 3)
    tree = BeliefTree(rules, unseen)
    belief = tree.give(tree.deal("AA", "6"), Action.SPLIT)
    for card in "AA":
        belief = tree.give(belief, Card(card))
    advice = advise(rules, tree, belief, less(unseen, "AA"))
    expected = tree.values(belief)
    assert advice.question.waiting_pairs == 1
    assert advice.ev[Action.SPLIT] - advice.ev[Action.STAND] == pytest.approx(
        expected[Action.SPLIT] - expected[Action.STAND], abs=1e-9
    )


@pytest.mark.parametrize("takes", ["all", "original"])
def test_a_free_21_that_did_not_win_at_once_loses_only_what_a_double_adds(takes):
    rules = Rules.parse("6D SP2 FSNT DANY hole_card=no-peek player_21=wins")
    rules = rules.replace(natural_takes=takes)
    tree = BeliefTree(rules, UNSEEN)
    belief = tree.give(tree.deal("88", "A"), Action.NO_INSURANCE)
    belief = tree.give(belief, Action.SPLIT)
    for move in (Card("5"), Card("2"), Action.HIT, Card("T"), Action.HIT, Card("A")):
        belief = tree.give(belief, move)
    advice = advise(rules, tree, belief, less(UNSEEN, "52TA"))
    lost = 1.0  # the bust hand
    expected = {action: ev + lost for action, ev in tree.values(belief).items()}
    assert look_at(belief).hand.is_free
    assert advice.question.must_be_natural
    assert Action.DOUBLE in expected
    assert advice.ev == pytest.approx(expected, abs=1e-9)


def test_a_hand_of_a_split_that_may_not_double_never_does():
    """Where any number of cards doubles, hitting 5 would else be worth more."""
    rules = Rules.parse("6D SP2 DANY NDAS")
    tree = BeliefTree(rules, UNSEEN)
    belief = tree.give(tree.deal("22", "6"), Action.SPLIT)
    for move in (Card("T"), Card("3"), Action.STAND):
        belief = tree.give(belief, move)
    advice = advise(rules, tree, belief, less(UNSEEN, "T3"))
    expected = tree.values(belief)
    assert advice.ev.keys() == {Action.HIT, Action.STAND}
    assert advice.ev[Action.HIT] - advice.ev[Action.STAND] == pytest.approx(
        expected[Action.HIT] - expected[Action.STAND], abs=1e-9
    )


@pytest.mark.slow
def test_split_aces_that_get_one_card_each_are_worth_what_the_engine_says():
    """Nothing is decided after such a split, so that every class of split play is the same."""
    rules = Rules.parse("6D SP2")
    tree = BeliefTree(rules, FEW)
    belief = tree.deal("AA", "7")
    advice = advise(rules, tree, belief, FEW)
    expected = tree.values(belief)
    assert advice.ev == pytest.approx(expected, abs=1e-9)
    assert advice.split_class == "CDZ-"


def test_a_21_that_did_not_win_at_once_tells_of_a_natural():
    rules = HOUSES["21 wins at once"]
    tree = BeliefTree(rules, UNSEEN)
    belief = tree.deal("T6", "A")
    belief = tree.give(belief, Action.NO_INSURANCE)
    belief = tree.give(belief, Action.HIT)
    belief = tree.give(belief, Card("5"))
    advice = advise(rules, tree, belief, less(UNSEEN, "5"))
    assert advice.ev == tree.values(belief) == {Action.HIT: -1.0, Action.STAND: -1.0}
    assert advice.natural_probability == 1
