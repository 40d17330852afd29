"""Counts for side bets: best tags, the count from which a bet pays, and what it earns."""

import random
from math import sqrt

import pytest

from upcard.core.cards import DECK
from upcard.core.errors import NotationError, UnsupportedRuleError
from upcard.exact.composition import CardShoe, full_cards
from upcard.exact.side.bet_counts import count_bet
from upcard.exact.side.bet_values import effects_of_removal, expected_value, value_bet
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import load_side_bet

SIX = Rules.parse("6D PEN75")


def deal(name, shoes, seed, *, deepest=0.75):
    """Iterate over depleted shoes: the true count of the best tags, and the exact EV."""
    bet, draw = load_side_bet(name), random.Random(seed)
    count, shoe = count_bet(bet, None, SIX), full_cards(SIX.full_shoe).without(bet.after)
    cards = [place for place, number in enumerate(shoe.cards) for _ in range(number)]
    tags = [count.tags[card.face] if card.face in count.tags else count.tags["T"] for card in DECK]
    mean = sum(tags[place] for place in cards) / len(cards)
    for _ in range(shoes):
        draw.shuffle(cards)
        gone = draw.randrange(int(len(cards) * deepest))
        running = sum(tags[place] - mean for place in cards[:gone])
        left = [0] * 52
        for place in cards[gone:]:
            left[place] += 1
        true = running * 52 / (len(cards) - gone)
        yield true, expected_value(bet, CardShoe(tuple(left)), SIX)


def test_insurance_is_linear_so_the_estimate_is_exact():
    removal = effects_of_removal("insurance", None, SIX)
    shoe = full_cards(SIX.full_shoe).without(load_side_bet("insurance").after)
    gone = [0] * 52
    for place in (9, 9, 22, 1, 2, 40):
        gone[place] += 1
    known = tuple(one - other for one, other in zip(shoe.cards, gone, strict=True))
    left = CardShoe(known, shoe.gone, shoe.gone_tens)
    estimate = removal.ev + 310 / 305 * sum(
        number * change for number, change in zip(gone, removal.cards, strict=True)
    )
    assert expected_value(load_side_bet("insurance"), left, SIX) == pytest.approx(
        estimate, abs=1e-13
    )


def test_the_count_of_insurance_is_the_ten_count():
    found = count_bet("insurance", None, SIX)
    assert found.tags == {"A": 0, **dict.fromkeys("23456789", 1), "T": -2}
    assert found.exact_tags["2"] / found.exact_tags["T"] == pytest.approx(-96 / 215, rel=1e-9)
    assert found.best_correlation == pytest.approx(1)
    assert found.begins == pytest.approx(-found.ev / found.slope)


@pytest.mark.parametrize("name", ["over-13", "bust-it", "royal-match-2", "21+3-flat", "in-between"])
def test_tags_are_whole_balanced_and_follow_the_effects(name):
    found = count_bet(name, None, SIX)
    size = {tag: 16 if tag == "T" and "K" not in found.tags else 4 for tag in found.tags}
    assert sum(size[card] * tag for card, tag in found.tags.items()) == 0
    assert max(map(abs, found.tags.values())) <= 3
    assert 0.9 < found.correlation <= found.best_correlation <= 1 + 1e-12
    assert found.per_100 <= found.best_per_100


def test_no_linear_count_follows_pairs():
    found = count_bet("perfect-pairs-a", None, SIX)
    assert found.begins is None
    assert set(found.tags.values()) == {0}
    assert (found.share, found.per_100) == (0, 0)


def test_a_deeper_cut_earns_more():
    shallow, deep = (count_bet("over-13", penetration=share) for share in ("0.5", "0.9"))
    assert 0 < shallow.per_100 < deep.per_100
    assert count_bet("royal-match-2").per_100 > -100 * value_bet("royal-match-2").edge


@pytest.mark.parametrize("share", [0, "1.1", "x", None])
def test_a_faulty_penetration_is_refused(share):
    if share is None:
        with pytest.raises(UnsupportedRuleError, match="CSM"):
            count_bet("over-13", None, "6D CSM")
        return
    with pytest.raises(NotationError, match="penetration"):
        count_bet("over-13", penetration=share)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["insurance", "over-13"])
def test_what_it_earns_agrees_with_sampled_shoes(name):
    """The approximation is right to a tenth: normal tails are thinner than those of shoes."""
    found = count_bet(name, None, SIX)
    gains, played, shoes = [], 0, 6000
    for true, ev in deal(name, shoes, 20):
        pays = true > found.begins
        played += pays
        gains.append(ev if pays else 0.0)
    mean = sum(gains) / shoes
    error = sqrt(sum((gain - mean) ** 2 for gain in gains)) / shoes
    assert 100 * mean == pytest.approx(found.per_100, abs=300 * error + 0.1 * found.per_100)
    assert played / shoes == pytest.approx(found.share, abs=0.015)
