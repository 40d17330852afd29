"""Insurance by the count: against all shoes one by one, and against published figures."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import comb

import pytest

from upcard.analysis.insurance_counts import insurance_counts
from upcard.core.cards import Card, rank_name
from upcard.core.errors import NotationError, RulesError, UnsupportedRuleError
from upcard.strategy.count_system import CountSystem, load_system

ONE_DECK = (0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
ODD_ONE = CountSystem(  # tens are tagged like eights, and tags have halves and signs of both kinds
    name="odd", title="t", source="s", tags=(0, "1/2", -1, 2, 0, "3/2", 1, 0, -2, 1, -2)
)


def parts(pool, number):
    """Iterate over the ways to take a number of cards, rank by rank, and their weights."""
    if len(pool) == 1:
        if number <= pool[0]:
            yield (number,), comb(pool[0], number)
        return
    for taken in range(min(pool[0], number) + 1):
        for rest, weight in parts(pool[1:], number - taken):
            yield (taken, *rest), comb(pool[0], taken) * weight


def look_at_every_shoe(system, cards_left, hand):
    """Return what a row says, from every shoe, in fractions."""
    known = [1, *hand]
    pool = [number - known.count(rank) for rank, number in enumerate(ONE_DECK)][1:]
    tag = [int(2 * system.mean_tag(rank_name(rank))) for rank in range(1, 11)]  # whole numbers
    start = int(2 * system.initial_count(1)) + sum(tag[rank - 1] for rank in known)
    tens = defaultdict(int)
    weights = defaultdict(int)
    perfect = all_weights = 0
    unseen = parts(pool, cards_left)  # by the cards seen or, where that is quicker, by those left
    if 2 * cards_left > sum(pool):
        unseen = (
            (tuple(all_of - one for all_of, one in zip(pool, seen, strict=True)), weight)
            for seen, weight in parts(pool, sum(pool) - cards_left)
        )
    for shoe, weight in unseen:
        seen = [all_of - one for all_of, one in zip(pool, shoe, strict=True)]
        count = start + sum(number * each for number, each in zip(seen, tag, strict=True))
        left = shoe[-1]
        weights[count] += weight
        tens[count] += weight * left
        all_weights += weight
        perfect += weight * max(3 * left - cards_left, 0)
    counts = sorted(weights)
    gains = [(Fraction(3 * tens[one], weights[one] * cards_left) - 1) / 2 for one in counts]
    all_gains = sum(max(gain, 0) * weights[one] for gain, one in zip(gains, counts, strict=True))
    counts = [Fraction(count, 2) for count in counts]
    least = next((place for place, gain in enumerate(gains) if gain > 0), len(counts))
    even = None
    if 0 < least < len(counts):
        (x, y), (a, b) = gains[least - 1 : least + 1], counts[least - 1 : least + 1]
        even = a + (b - a) * -x / (y - x)
    return {
        "least": counts[least] if least < len(counts) else None,
        "losing": tuple(
            count for count, gain in zip(counts[least:], gains[least:], strict=True) if gain <= 0
        ),
        "even": even,
        "gain": all_gains / all_weights,
        "perfect_gain": Fraction(perfect, 2 * cards_left * all_weights),
    }


def check(system, hand, cards_left):
    found = insurance_counts(system, decks=1, hand=" ".join(map(rank_name, hand)))
    row = next(row for row in found.rows if row.cards_left == cards_left)
    for name, expected in look_at_every_shoe(system, cards_left, hand).items():
        value = getattr(row, name)
        if expected is None:
            assert value is None, (name, value)
        else:
            assert value == pytest.approx(
                tuple(map(float, expected)) if name == "losing" else float(expected), abs=1e-12
            ), name


@pytest.mark.parametrize("cards_left", [49, 48, 47, 4, 3, 2, 1])
@pytest.mark.parametrize("hand", [(), (10, 6), (1, 1)])
@pytest.mark.parametrize("name", ["hi-lo", "ko", "uston-apc", "ace-five", "odd"])
def test_a_row_is_that_of_all_shoes_of_one_deck(name, hand, cards_left):
    check(ODD_ONE if name == "odd" else load_system(name), hand, cards_left)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "cards_left"), [("hi-lo", 26), ("ko", 40)])
def test_so_it_is_deeper_in_the_deck(name, cards_left):
    """Of half a deck there are some 1.9 million shoes."""
    check(load_system(name), (), cards_left)


def test_the_numbers_of_shoes_are_those_of_the_literature():
    """One deck: the shoes with 51, 50, 49 and 48 cards, by the numbers of their ranks."""
    shoes = [sum(1 for _ in parts(ONE_DECK[1:], seen)) for seen in (1, 2, 3, 4)]
    assert shoes == [10, 55, 220, 715]


@pytest.mark.parametrize(
    ("cards_left", "gain"),
    [(47, 1.71460), (46, 2.31098), (44, 3.99169), (41, 6.33449), (29, 16.827)],
)
def test_perfect_insurance_gains_what_is_published_of_one_deck(cards_left, gain):
    """In 1/10,000 of a bet; one round in thirteen has an ace up. Source: Griffin's table."""
    row = next(row for row in insurance_counts(decks=1).rows if row.cards_left == cards_left)
    digits = 3 if cards_left == 29 else 5
    assert round(row.perfect_gain / 13 * 10_000, digits) == gain


@pytest.mark.parametrize(
    ("decks", "true_count"), [(1, 1.4), (2, 2.4), (3, 2.7), (4, 2.9), (5, 3.0), (6, 3.0), (8, 3.1)]
)
def test_hi_lo_insures_at_the_true_counts_of_wong(decks, true_count):
    """After the ace, half-way. Source: Stanford Wong, Professional Blackjack."""
    row = insurance_counts(decks=decks).half_way
    assert row.even * 52 / row.cards_left == pytest.approx(true_count, abs=0.0505)


def test_a_perfect_count_of_tens_gains_all_there_is():
    tags = (0, *[4] * 9, -9)
    tens = CountSystem(name="tens", title="t", source="s", tags=tags)
    for row in insurance_counts(tens, decks=2, hand="9 2").rows:
        assert row.gain == pytest.approx(row.perfect_gain, abs=1e-14)


def test_red_sevens_count_by_their_colour():
    red, black = (
        insurance_counts("red-7", decks=2, hand=hand).half_way for hand in ("7H 7D", "7C 7S")
    )
    assert red.even > black.even


def test_decks_of_48_cards_have_twelve_tens():
    short = load_system("hi-lo").replace(name="short", deck_size=48)
    found = insurance_counts(short, decks=1)
    assert found.rows[0].cards_left == 45
    assert found.title == "Insurance by short, 1 deck of 48"
    assert all(
        row.gain < full.gain
        for row, full in zip(found.rows[5:20], insurance_counts(decks=1).rows[8:], strict=False)
    )


def test_a_row_of_the_table_stands_for_all_cards_left_with_the_same_count():
    found = insurance_counts(decks=1)
    assert [row[:2] for row in found.table().rows[:3]] == [
        *[("49 to 48", "never"), ("47 to 39", "+2"), ("38 to 3", "+1")]
    ]
    assert sum(1 for _ in found.full_table().rows) == 49


@pytest.mark.parametrize(
    ("count", "decks", "hand", "error", "words"),
    [
        ("hi-lo", 9, "", RulesError, "decks 9: 1 to 8"),
        ("hi-lo", 0, "", RulesError, "decks 0: 1 to 8"),
        ("hi-lo", 1, "T", NotationError, "your own two cards"),
        ("hi-lo", 1, "T 6 2", NotationError, "your own two cards"),
        ("red-7", 1, "7 6", NotationError, "without a suit"),
        ("nix", 1, "", RulesError, "no counting system"),
    ],
)
def test_what_is_not_possible_is_refused(count, decks, hand, error, words):
    with pytest.raises(error, match=words):
        insurance_counts(count, decks=decks, hand=hand)


def test_tags_with_too_many_sums_are_refused():
    tags = (0, "999.9999", *load_system("hi-lo").tags[2:])
    fine = CountSystem(name="fine", title="t", source="s", tags=tags)
    with pytest.raises(UnsupportedRuleError, match="count fine: its tags have"):
        insurance_counts(fine)


def test_a_hand_may_be_written_without_a_blank():
    assert insurance_counts(hand="T6").hand == (Card("T"), Card("6"))


def test_a_saved_answer_is_of_the_same_count_decks_and_hand(saved_values):
    asked = [
        (name, decks, hand)
        for name in ("hi-lo", "ace-five", "hi-opt-1")
        for decks in (1, 2)
        for hand in ("", "T6", "99", "TT")
    ]
    found = {one: insurance_counts(one[0], decks=one[1], hand=one[2]).rows for one in asked}
    assert len(set(found.values())) == len(asked), "each has rows of its own"
    files = [path for path in saved_values.rglob("*") if path.is_file()]
    for name, decks, hand in asked[::-1]:
        assert insurance_counts(name, decks=decks, hand=hand).rows == found[name, decks, hand]
    assert [path for path in saved_values.rglob("*") if path.is_file()] == files
