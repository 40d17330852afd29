"""Reasons and what would change them: they add up, and meet what is known."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import upcard
from upcard.analysis.indices.exact_gains import CountedShoes
from upcard.coach.adviser import Coach, compose_fresh, pose
from upcard.coach.reasons import (
    chance_of_bust,
    expected_composition,
    explain,
    find_changes,
    neutral_count,
)
from upcard.core.actions import Action
from upcard.core.cards import Card, parse_cards
from upcard.exact.solver_results import decimals_for
from upcard.rules.model import Rules
from upcard.strategy.count_system import load_system, system_names
from upcard.table import ScriptedShoe, Table


def advise(text, hand, up):
    rules = Rules.parse(text)
    cards, upcard_ = parse_cards(hand), Card(up)
    question = pose(rules, cards, upcard_)
    return Coach(rules).advise_on(question, compose_fresh(rules, cards, upcard_))


RULES = ["6D", "1D H17", "6D ENHC", "6D OBO DANY", "INF H17", "INF ENHC", "roanoke", "2D CSM"]


@pytest.mark.parametrize("text", RULES)
@pytest.mark.parametrize(("hand", "up"), [("T 6", "T"), ("A 7", "A"), ("6 5", "6"), ("9 3", "2")])
def test_chances_sum_to_one_and_say_what_standing_is_worth(text, hand, up):
    advice = advise(text, hand, up)
    why = explain(advice)
    assert sum(why.dealer.as_dict().values()) == pytest.approx(1)
    for chances in why.chances.values():
        assert chances.win + chances.push + chances.lose == pytest.approx(1)
        assert min(chances.win, chances.push, chances.lose) >= 0
    stand = why.chances[Action.STAND]
    assert stand.win - stand.lose == pytest.approx(advice.ev[Action.STAND])
    if "DANY" not in text:  # no bet grows on the way
        hit = why.chances[Action.HIT]
        assert hit.win - hit.lose == pytest.approx(advice.ev[Action.HIT])
    if Action.DOUBLE in why.chances and "OBO" not in text:
        double = why.chances[Action.DOUBLE]
        assert 2 * (double.win - double.lose) == pytest.approx(advice.ev[Action.DOUBLE])
    assert why.sentence.endswith(".")


def test_early_surrender_counts_the_natural_that_may_be_there():
    advice = advise("6D ES", "T 6", "T")
    why = explain(advice)
    assert why.dealer.natural == pytest.approx(24 / 309)
    stand = why.chances[Action.STAND]
    late = explain(advise("6D", "T 6", "T")).chances[Action.STAND]
    assert stand.lose == pytest.approx(24 / 309 + (1 - 24 / 309) * late.lose)


@pytest.mark.parametrize("player_21", ["stands", "wins"])
@pytest.mark.parametrize("hole_card", ["PEEK", "hole_card=no-peek"])
@pytest.mark.parametrize("decks", ["6D", "INF"])
def test_chances_before_a_look_are_those_of_the_value(decks, hole_card, player_21):
    """A natural that ties another 21 does so only where no peek has ended the round before."""
    text = f"{decks} {hole_card} ES SP1 natural_ties_21=true player_21={player_21}"
    advice = advise(text, "T 6", "T")
    hit = explain(advice).chances[Action.HIT]
    assert hit.win - hit.lose == pytest.approx(advice.position.value(Action.HIT))


def test_the_dealer_is_that_of_the_solver():
    rules = Rules.parse("6D H17")
    why = explain(advise("6D H17", "T 6", "5"))
    whole = upcard.solve(rules, "T6", "5")
    found = why.dealer.as_dict()
    assert found["bust"] - sum(found[t] for t in ("17", "18", "19", "20", "21")) == pytest.approx(
        whole.ev["stand"]
    )


def test_document_000s_dealer_stops_when_ahead():
    advice = advise("deshmukh", "T 2", "T")
    why = explain(advice)
    stand = why.chances[Action.STAND]
    assert why.dealer.below > 0
    assert why.chances.keys() == {Action.STAND}
    assert stand.win - stand.lose == pytest.approx(advice.ev[Action.STAND])


@pytest.mark.parametrize(("text", "natural"), [("6D", False), ("6D ENHC", True)])
def test_the_next_card_is_known_as_well_as_the_player_knows_it(text, natural):
    """After a look the hole card is not an ace, so that aces are a little likelier in the shoe."""
    advice = advise(text, "T 6", "T")
    left = dict.fromkeys(range(1, 10), 24) | {10: 94}
    left[6] -= 1
    bust = sum(left[rank] for rank in range(6, 11)) / 309
    if natural:
        assert chance_of_bust(advice) == pytest.approx(bust)
    else:
        # By the draw's mirror: a card that is not an ace, given that the hole card is none.
        no_ace = 285 / 309
        both = sum(left[rank] for rank in range(6, 11)) / 309 * (1 - 24 / 308)
        assert chance_of_bust(advice) == pytest.approx(both / no_ace)


def test_what_would_change_16_against_ten():
    changes = find_changes(advise("6D", "T 6", "T"))
    assert {change.what for change in changes.rules} == {
        "one deck more",
        "one deck less",
        "dealer hits soft 17",
    }
    assert not changes.others
    assert (changes.system, changes.neutral, changes.at_neutral) == ("hi-lo", 0, Action.HIT)
    turn = changes.turns[0]
    # Published: from 0 on for all sixteens together (D. Schlesinger, Blackjack Attack, the
    # Illustrious 18; recalled); T 6 alone turns within a count of that.
    assert (turn.is_above, turn.action, turn.count) == (True, Action.STAND, 1)


@pytest.mark.parametrize(
    ("text", "hand", "up", "what", "best"),
    [
        ("6D", "T 2", "4", "dealer hits soft 17", Action.STAND),
        ("6D", "A 8", "6", "dealer hits soft 17", Action.DOUBLE),
        ("6D H17", "A 8", "6", "dealer stands soft 17", Action.STAND),
        ("6D", "2 2", "3", "no double after a split", Action.HIT),
        ("6D NDAS", "2 2", "3", "double after a split", Action.SPLIT),
        ("2D", "9 2", "A", "one deck less", Action.DOUBLE),
    ],
)
def test_rules_that_change_an_answer(text, hand, up, what, best):
    advice = advise(text, hand, up)
    changes = find_changes(advice)
    assert {change.what: change.best for change in changes.others}.get(what) is best
    assert advice.best is not best


def test_insurance_turns_at_three():
    """Hi-Lo in six decks: insurance from +3 on, as is published; see deviation_sets/i18."""
    rules = Rules.parse("6D")
    table = Table(rules, ScriptedShoe("7 A 8 6"))
    table.start()
    coach = Coach(rules)
    advice = coach.advise(table.view(), table.legal_actions())
    turns = find_changes(advice).turns
    assert [(turn.count, turn.is_above, turn.action) for turn in turns] == [
        (3, True, Action.INSURANCE)
    ]


@pytest.mark.parametrize(
    ("pays", "even"), [("2:1", "33.3%"), ("5:2", "28.6%"), ("1:1", "50.0%"), ("3:1", "25.0%")]
)
def test_insurance_breaks_even_where_its_own_payment_does(pays, even):
    rules = Rules.parse(f"6D INS({pays})")
    table = Table(rules, ScriptedShoe("7 A 8 6"))
    table.start()
    advice = Coach(rules).advise(table.view(), table.legal_actions())
    assert f"insurance breaks even at {even}" in explain(advice).sentence
    chance = float(even.removesuffix("%")) / 100
    gains = advice.natural_probability > chance
    assert (advice.best is Action.INSURANCE) is gains


def test_an_infinite_deck_has_no_count():
    changes = find_changes(advise("INF", "T 6", "T"))
    assert (changes.system, changes.turns) == ("", ())
    assert [change.what for change in changes.rules] == ["dealer hits soft 17"]


@pytest.mark.parametrize("name", ["hi-lo", "ko", "red-7", "wong-halves", "omega-2"])
def test_the_shoe_to_be_expected_has_the_count(name):
    rules = Rules.parse("6D")
    system = load_system(name)
    cards, up = parse_cards("T 6"), Card("T")
    question = pose(rules, cards, up)
    fresh = compose_fresh(rules, cards, up)
    half = fresh.__class__(unseen=tuple(count / 2 for count in fresh.unseen), tens=None, told="")
    neutral = neutral_count(question, half, system)
    for count in (neutral, neutral + 4):
        shoe = expected_composition(question, half, system, count)
        assert sum(shoe.unseen) == pytest.approx(sum(half.unseen))
        tags = [float(tag) for tag in system.tags]
        if system.red_7 is not None:
            tags[7] = (tags[7] + float(system.red_7)) / 2
        seen = [24.0] * 10 + [96.0]
        running = float(system.initial_count(6)) + sum(
            tags[rank] * (seen[rank] - shoe.unseen[rank]) for rank in range(1, 11)
        )
        if system.red_7 is not None:
            # The count tells of the colours of the sevens left too: they are not half and half.
            rest = [count * 2 for count in half.unseen]
            mean = sum(tag * count for tag, count in zip(tags, rest, strict=True)) / sum(rest)
            slope = (shoe.unseen[10] / rest[10] - 0.5) / (tags[10] - mean)
            running -= slope * rest[7] * float((system.tags[7] - system.red_7) / 2) ** 2
        undealt = round(sum(half.unseen)) - 1
        decks = 1 if system.by == "running" else float(system.estimate_decks(undealt))
        assert running / decks == pytest.approx(count)


@pytest.mark.parametrize("name", system_names())
def test_the_shoe_to_be_expected_is_that_of_the_indices(name):
    """What the analysis of indices makes of the same count, by another formula."""
    rules, system = Rules.parse("6D"), load_system(name)
    cards, up = parse_cards("9 6"), Card("A")
    question = pose(rules, cards, up)
    fresh = compose_fresh(rules, cards, up)
    half = dataclasses.replace(fresh, unseen=tuple(count / 2 for count in fresh.unseen), tens=None)
    cards_left = sum(half.unseen)
    seen = [float(rank in {1, 6, 9}) for rank in range(11)]
    shoes = CountedShoes(rules, system)
    neutral = neutral_count(question, half, system)
    for count in (neutral - 2, neutral, neutral + 4):
        running = count * float(system.estimate_decks(round(cards_left) - 1))
        tilt = shoes.tilt_at_decision(
            np.array([running if system.by == "true" else count]),
            shoes.tags @ np.array(seen),
            np.array([3.0]),
            cards_left + 3,
        )
        tens = expected_composition(question, half, system, count).unseen[10]
        assert tens / cards_left == pytest.approx(shoes.share_of_tens(tilt[0], seen), rel=1e-12)


def test_a_count_that_no_shoe_has_is_none():
    rules = Rules.parse("1D")
    cards, up = parse_cards("T 6"), Card("T")
    question = pose(rules, cards, up)
    shoe = compose_fresh(rules, cards, up)
    assert expected_composition(question, shoe, load_system("hi-lo"), 30) is None


def test_a_surrender_that_a_natural_takes_whole_is_no_half_bet():
    """Without a look T 7 v A loses more than half a bet, and less than given up."""
    advice = advise("6D ENHC LS", "T 7", "A")
    assert advice.best is Action.STAND
    assert advice.ev[Action.SURRENDER] == pytest.approx(-0.5 - 95 / 309 / 2)


@pytest.mark.parametrize(
    ("gap", "decimals"),
    [(0.0842, 3), (0.012, 3), (0.0099, 4), (-0.00012, 5), (0.0, 3), (1e-12, 3), (2.0, 3)],
)
def test_decimals_show_two_digits_of_a_gap(gap, decimals):
    assert decimals_for(gap, least=3) == decimals
    assert decimals_for(float("inf"), least=4) == decimals_for(float("nan"), least=4) == 4
