"""Drills: what they ask, how they judge, and that their weights are money."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction

import pytest

import upcard
from upcard.coach.adviser import advise_opening, list_openings, list_situations
from upcard.core.actions import Action
from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.drills.catalogue import make_drill
from upcard.drills.drill import DrillError
from upcard.drills.strategy_drills import HandDrill, StrategyDrill, read_answer
from upcard.players.question import HandClass
from upcard.rules.house import house
from upcard.rules.model import Rules
from upcard.rules.settings import HoleCard
from upcard.strategy.count_system import RunningCount, load_system
from upcard.strategy.deviations import Deviations, load_deviations
from upcard.strategy.ramp import parse_ramp

TEXTS = ["6D", "1D H17 ES", "4D ENHC LS", "INF LS", "lott", "seven-hands", "deshmukh", "mdp"]
HI_LO = load_system("hi-lo")


@pytest.fixture(scope="module")
def deviation_drill():
    rules = Rules.parse("6D LS")
    return make_drill(
        "deviations",
        rules,
        system=HI_LO,
        indices=load_deviations("i18+fab4", HI_LO),
        strategy=upcard.basic_strategy(rules),
    )


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("text", TEXTS)
def test_frequencies_sum_to_one(text):
    rules = Rules.parse(text)
    assert sum(one.frequency for one in list_situations(rules)) == pytest.approx(1)
    assert sum(item.frequency for item in StrategyDrill(rules).items()) == pytest.approx(1)


def test_frequencies_are_those_of_the_deal():
    """Without a peek every hand but a natural is asked: frequencies are plain chances."""
    rules = Rules.parse("1D ENHC")
    naturals = 2 * 4 * 16 / (52 * 51)
    sixteen = next(
        one for one in list_situations(rules) if one.ranks == (6, 10) and one.upcard.rank == 9
    )
    chance = 4 / 52 * 2 * 4 * 16 / (51 * 50)
    assert sixteen.frequency == pytest.approx(chance / (1 - naturals))


def test_a_peek_takes_the_dealers_naturals_out_of_a_shoe():
    rules = Rules.parse("1D")
    chances = {
        one.upcard.rank: one.frequency for one in list_situations(rules) if one.ranks == (5, 10)
    }
    ten_up = 16 / 52 * (4 * 15) / (51 * 50) * (1 - 4 / 49)
    nine_up = 4 / 52 * (4 * 16) / (51 * 50)
    assert chances[10] / chances[9] == pytest.approx(ten_up / nine_up)


def test_a_peek_takes_the_dealers_naturals_out():
    rules = Rules.parse("INF")
    by_upcard = {}
    for one in list_situations(rules):
        by_upcard[one.upcard.rank] = by_upcard.get(one.upcard.rank, 0.0) + one.frequency
    assert by_upcard[1] / by_upcard[2] == pytest.approx(9 / 13)
    assert by_upcard[10] / by_upcard[2] == pytest.approx(4 * 12 / 13)


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("text", TEXTS)
def test_openings_are_worth_what_the_coach_says(text):
    rules = Rules.parse(text)
    for opening in list_openings(rules)[::29]:
        advice = advise_opening(rules, opening.situation.cards, opening.situation.upcard)
        assert opening.ev == pytest.approx(advice.ev, abs=1e-12)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("text", ["6D LS", "2D ENHC ES H17", "1D SP1"])
def test_every_question_is_judged_by_its_exact_value(text):
    rules = Rules.parse(text)
    drill = StrategyDrill(rules)
    rng = random.Random(5)
    for item in drill.items()[::17]:
        prompt = drill.ask(item.key, rng)
        found = [drill.check(prompt, choice) for choice in prompt.choices]
        assert all(feedback.cost >= 0 for feedback in found)
        assert any(feedback.is_right for feedback in found)
        assert all(feedback.is_right == (feedback.cost == 0) for feedback in found)
        assert len({feedback.right for feedback in found if not feedback.is_right}) <= 1
        assert all(feedback.reason for feedback in found)


def test_classes_are_asked_alone():
    rules = Rules.parse("6D LS")
    keys = {
        name: {i.key for i in StrategyDrill(rules, [name]).items()}
        for name in ("hard", "soft", "pair", "surrender")
    }
    assert "hard 16 v T" not in keys["hard"]
    assert "surrender 16 v T" in keys["surrender"]
    assert {"hard 12 v 4", "hard 11 v A"} <= keys["hard"]
    assert "soft A7 v 9" in keys["soft"]
    assert "pair 88 v 5" in keys["pair"]
    assert "surrender 88 v A" in keys["surrender"]
    together = {item.key for item in StrategyDrill(rules).items()}
    assert together == set().union(*keys.values())


def test_answers_are_words_or_letters():
    drill = StrategyDrill(Rules.parse("6D LS"))
    prompt = drill.ask("pair 88 v 6", random.Random(1))
    letters = {"h": "hit", "s": "stand", "d": "double", "p": "split", "r": "surrender"}
    for letter, word in letters.items():
        assert read_answer(prompt, letter) == read_answer(prompt, word) == Action(word)
    for wrong in ("", "x", "insurance", "no split"):
        with pytest.raises(DrillError, match=", ".join(prompt.choices)):
            drill.check(prompt, wrong)


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("text", ["6D LS", "1D ES", "2D ENHC", "INF", "lott", "deshmukh"])
def test_whole_hands_are_played_to_their_end(text):
    rules = Rules.parse(text)
    drill = HandDrill(rules)
    rng = random.Random(8)
    for item in drill.items()[::43]:
        prompt = drill.ask(item.key, rng)
        hand, again = drill.begin(prompt), drill.begin(prompt)
        assert {card.rank for card in hand.prompt().cards} == {card.rank for card in prompt.cards}
        assert hand.prompt().choices == prompt.choices
        with pytest.raises(DrillError):
            hand.answer("juggle")
        assert not hand.judgements
        while not hand.is_over:
            answer = rng.choice(hand.prompt().choices)
            assert hand.answer(answer) == again.answer(answer)
        assert hand.cost == math.fsum(one.cost for one in hand.judgements)
        assert hand.state.is_over
        up = prompt.upcard.rank
        if rules.hole_card is HoleCard.PEEK and up in (1, 10):
            assert not hand.state.dealer_has_natural


def test_no_dealer_has_a_natural_that_a_peek_would_have_found():
    drill = HandDrill(Rules.parse("6D"))
    rng = random.Random(1)
    for _ in range(40):
        hand = drill.begin(drill.ask("hard 15 v A", rng))
        assert not hand.state.dealer_has_natural
        assert not hand.is_over


@pytest.mark.slow
def test_deviations_ask_every_play_near_its_index(deviation_drill):
    drill = deviation_drill
    keys = {item.key for item in drill.items()}
    assert len(keys) == len(drill.deviations.plays) + 1
    assert "insurance" in keys
    assert sum(item.frequency for item in drill.items()) == pytest.approx(1)
    rng = random.Random(3)
    for item in drill.items():
        for _ in range(3):
            prompt = drill.ask(item.key, rng)
            index = drill._index(item.key)
            assert -3 <= prompt.count - index <= 2
            found = [drill.check(prompt, choice) for choice in prompt.choices]
            assert sum(feedback.is_right for feedback in found) == 1
            assert all(feedback.cost >= 0 for feedback in found)


def test_a_deviation_is_right_on_its_side_of_the_index(deviation_drill):
    drill = deviation_drill
    item = "12 v 3  S >= 2 else H"
    rng = random.Random(2)
    rights = {}
    for _ in range(40):
        prompt = drill.ask(item, rng)
        rights[prompt.count] = drill.check(prompt, "double").right
    assert rights == {-1: "hit", 0: "hit", 1: "hit", 2: "stand", 3: "stand", 4: "stand"}


@pytest.mark.parametrize(
    ("play", "past"),
    [("13 v 2  H < -1", -4), ("12 v 3  S >= 2 else H", 4), ("11 v A  D >= 1", 3)],
)
def test_a_play_is_weighed_by_what_it_gains_on_its_own_side_of_the_index(play, past):
    """That is what the other answer costs two whole counts past the index."""
    rules = Rules.parse("6D")
    drill = make_drill(
        "deviations",
        rules,
        system=HI_LO,
        indices=Deviations.parse(play),
        strategy=upcard.basic_strategy(rules),
    )
    (item,) = drill.items()
    common = max(drill._openings[item.key], key=lambda one: one.situation.frequency).situation
    prompt = drill.ask(item.key, random.Random(1))
    prompt = replace(prompt, cards=common.cards, count=past)
    costs = sorted(drill.check(prompt, choice).cost for choice in prompt.choices)
    assert drill.check(prompt, {"H": "hit", "S": "stand", "D": "double"}[play[8]]).is_right
    assert costs[0] == 0
    assert item.cost == pytest.approx(costs[1], abs=1e-12)
    assert item.cost > 0


def test_only_surrenders_are_asked_with_surrender(deviation_drill):
    rng = random.Random(2)
    stand = deviation_drill.ask("15 v T  S >= 4 else H", rng)
    give_up = deviation_drill.ask("15 v T  R >= 0", rng)
    assert "surrender" not in stand.choices
    assert "surrender" in give_up.choices


def test_deviations_of_another_count_are_refused(deviation_drill):
    with pytest.raises(RulesError, match="hi-lo"):
        make_drill(
            "deviations",
            Rules.parse("6D"),
            system=load_system("ko"),
            indices=load_deviations("i18"),
            strategy=deviation_drill.strategy,
        )


@pytest.mark.parametrize("name", ["hi-lo", "ko", "red-7", "wong-halves", "zen", "ace-five"])
@pytest.mark.parametrize("kind", ["countdown", "running count"])
def test_counting_up_agrees_with_the_counter(name, kind):
    rules = Rules.parse("2D")
    system = load_system(name)
    drill = make_drill(kind, rules, system=system)
    rng = random.Random(11)
    for item in drill.items():
        prompt = drill.ask(item.key, rng)
        assert [card for group in prompt.groups for card in group] == list(prompt.cards)
        count = RunningCount(system, 1)
        before = count.running
        for card in prompt.cards:
            count.see(card)
        start = prompt.start
        if kind == "countdown":
            right = start + count.running - before
            assert drill.check(prompt, str(right)).is_right
            wrong = drill.check(prompt, str(right + 2))
            assert (wrong.is_right, wrong.cost, wrong.unit) == (False, 2.0, "counts off")
        sizes = {len(group) for group in prompt.groups[:-1]}
        assert sizes <= ({int(item.key[-1])} if kind == "countdown" else {2, 3, 4})


@pytest.mark.parametrize("rounding", ["floor", "truncate", "round"])
def test_true_counts_are_those_of_the_system(rounding):
    system = HI_LO.replace(rounding=rounding, decks_left="half")
    drill = make_drill("true count", Rules.parse("6D"), system=system)
    rng = random.Random(7)
    for item in drill.items():
        prompt = drill.ask(item.key, rng)
        right = system.convert(prompt.running, prompt.cards_left)
        assert drill.check(prompt, f"{right:+d}").is_right
        assert not drill.check(prompt, str(right + 1)).is_right


def test_decks_are_estimated_to_a_half():
    drill = make_drill("deck estimation", Rules.parse("6D"), system=HI_LO)
    rng = random.Random(7)
    for item in drill.items():
        prompt = drill.ask(item.key, rng)
        left = (312 - prompt.discards) / 52
        right = prompt.right
        assert all(abs(float(one) - left) <= 0.25 + 1e-9 or one == Fraction(1, 2) for one in right)
        assert drill.check(prompt, str(float(right[0]))).is_right


def test_bets_are_those_of_the_ramp():
    ramp = parse_ramp("1-8", HI_LO, decks=6)
    drill = make_drill("bet", Rules.parse("6D"), system=HI_LO, ramp=ramp)
    assert [item.key for item in drill.items()] == [f"bet {count}" for count in range(-1, 8)]
    for item in drill.items():
        prompt = drill.ask(item.key, random.Random(1))
        right = ramp.bet(int(item.key.removeprefix("bet ")))
        assert drill.check(prompt, str(right)).is_right
        assert drill.check(prompt, str(right + 3)).cost == 3
    with pytest.raises(DrillError, match="a number"):
        drill.check(prompt, "a lot")


RAMP = parse_ramp("1-8", HI_LO, decks=6)
SIX = Rules.parse("6D")
REFUSED = [
    (lambda: make_drill("chess", SIX), "no drill is called 'chess': one of strategy, hands"),
    (lambda: make_drill("countdown", SIX, system=HI_LO, ramp=RAMP), "takes no ramp"),
    (lambda: make_drill("strategy", SIX, system=HI_LO), "takes no system: it takes classes"),
    (lambda: make_drill("bet", SIX, system=HI_LO), "needs ramp"),
    (lambda: make_drill("deviations", SIX), "needs system"),
    (lambda: make_drill("true count", SIX, system=load_system("ko")), "no true count"),
    (lambda: make_drill("countdown", Rules.parse("INF"), system=HI_LO), "INF"),
    (lambda: StrategyDrill(SIX, [HandClass.SURRENDER]), "a drill of surrender"),
    (lambda: StrategyDrill(SIX, ["insurance"]), "no class of hands is called 'insurance'"),
    (lambda: StrategyDrill(SIX).ask("nothing", random.Random(1)), "no item is called 'nothing'"),
    (
        lambda: make_drill("countdown", SIX, system=HI_LO).ask("nothing", random.Random(1)),
        "no item is called 'nothing'",
    ),
]


@pytest.mark.parametrize(("make", "reason"), REFUSED)
def test_a_drill_that_cannot_be_is_refused_by_name(make, reason):
    with pytest.raises((DrillError, UnsupportedRuleError), match=reason):
        make()


def test_an_item_of_another_drill_is_refused(deviation_drill):
    with pytest.raises(DrillError, match="'nothing'"):
        deviation_drill.ask("nothing", random.Random(1))


def test_a_house_that_asks_by_offers_is_drilled_by_offers():
    drill = StrategyDrill(house("lott"), ["pair"])
    prompt = drill.ask("pair 88 v 6", random.Random(1))
    assert prompt.choices == ("split", "no split")
    assert drill.check(prompt, "split").is_right
