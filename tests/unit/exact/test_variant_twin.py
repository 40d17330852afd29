"""Random houses with several small variants: the solver of shoes against its naive twin."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations_with_replacement

import naive_exact
import naive_insurance
import pytest
from naive_dealer import OutOfCardsError, shoe_of
from naive_memory import MemoryGame

import upcard
from upcard.core.actions import Action
from upcard.core.errors import EmptyShoeError, RulesError, UnsupportedRuleError
from upcard.rules.engines import find_refusals
from upcard.rules.model import Rules
from upcard.rules.predicates import may_double_after_split, may_double_later
from upcard.rules.settings import EngineName

NAMES = "?A23456789T"
ALWAYS = {"player_21": "always wins"}
SPANISH = {
    "5": Fraction(3, 2),
    "6": Fraction(2),
    "7": Fraction(3),
    "678": (Fraction(3, 2), Fraction(2), Fraction(3)),
    "777": (Fraction(3, 2), Fraction(2), Fraction(3)),
}
SHOES = (
    {1: 3, 5: 4, 8: 5, 10: 5},
    {1: 4, 6: 5, 9: 4, 10: 6},
    {1: 3, 4: 3, 5: 4, 10: 6},
    {1: 4, 2: 4, 4: 3, 10: 7},
    {4: 3, 7: 5, 10: 6},
    {1: 5, 7: 4, 10: 6},
    {2: 3, 6: 3, 7: 5, 8: 3, 10: 3},
    {1: 3, 6: 2, 7: 5, 8: 3, 10: 3},
)
VARIANTS = {
    "tied naturals": [(f"natural_tie={end}", {"natural_tie": end}) for end in ("win", "lose")],
    "suited naturals": [("BJS(2:1)", {"suited_pays": Fraction(2)})],
    "always wins": [("W21", {"player_21": "always wins"})],
    "charlie": [
        ("charlie=4 charlie_pays=2", {"charlie": 4, "charlie_pays": Fraction(2)}),
        ("charlie=5 charlie_pays=1/2", {"charlie": 5, "charlie_pays": Fraction(1, 2)}),
    ],
    "hard doubles": [("DH", {"double_on": "hard"})],
    "triple": [("D3X", {"double_stake": 3})],
    "surrender": [
        ("ES10", {"surrender": "early-v-ten"}),
        ("LSX", {"surrender": "any-cards"}),
    ],
    "stand": [(f"MS{n}", {"min_stand": n}) for n in (12, 13, 15, 16, 17)],
    "push 22": [("P22", {"pushes_22": True})],
    "free doubles": [
        ("FD9-11", {"free_double": "two cards"}),
        ("FDANY", {"free_double": "any number"}),
    ],
    "free splits": [
        ("FSNT", {"free_splits": tuple(range(1, 10))}),
        ("FSN4T", {"free_splits": (1, 2, 3, 5, 6, 7, 8, 9)}),
        ("FSANY", {"free_splits": tuple(range(1, 11))}),
    ],
    "never split": [("never_split=4T", {"never_split": (4, 10)})],
    "insurance": [("insurance_pays=5/2", {"insurance_pays": Fraction(5, 2)})],
    "both cards": [("UP2", {"shows_hole": True})],
    "takes": [
        ("SP1 BB1", {"max_hands": 1, "hole_card": "none", "natural_takes": "busted-and-one"}),
        ("SP1 OBBO", {"max_hands": 1, "hole_card": "none", "natural_takes": "original-and-busted"}),
        ("SP2 BB1", {"max_hands": 2, "hole_card": "none", "natural_takes": "busted-and-one"}),
        ("SP3 BB1", {"max_hands": 3, "hole_card": "none", "natural_takes": "busted-and-one"}),
        ("SP3 OBBO", {"max_hands": 3, "hole_card": "none", "natural_takes": "original-and-busted"}),
        (
            "SP2 OBO W21",
            {"max_hands": 2, "hole_card": "none", "natural_takes": "original"} | ALWAYS,
        ),
    ],
    "redoubling": [(f"RD{n}", {"max_doubles": n}) for n in (2, 3)],
    "rescue": [("RE", {"rescue": True})],
    "bonuses": [
        ("W21 BON", ALWAYS | {"bonuses": SPANISH}),
        ("W21 BON(usual/777v7=100:1)", ALWAYS | {"bonuses": SPANISH, "super_777": Fraction(100)}),
        ("W21 BON(3=4:3/4=2:1)", ALWAYS | {"bonuses": {"3": Fraction(4, 3), "4": Fraction(2)}}),
        (
            "W21 BON(678=1:1-9:1-30:1/777=2:1-10:1-50:1)",
            ALWAYS
            | {
                "bonuses": {
                    "678": (Fraction(1), Fraction(9), Fraction(30)),
                    "777": (Fraction(2), Fraction(10), Fraction(50)),
                }
            },
        ),
    ],
    "living busts": [
        ("ZOMBIE", {"busts_live": True}),
        ("ZOMBIE P22", {"busts_live": True, "pushes_22": True}),
    ],
    "ties": [(f"dealer_wins_ties={n}", {"lost_ties": n}) for n in range(17, 22)],
}
SHOWN = ("both cards", "ties", "tied naturals")
USUAL = {
    "hole card": [
        ("PEEK", {}),
        ("ENHC", {"hole_card": "none"}),
        ("OBO", {"hole_card": "none", "natural_takes": "original"}),
        ("hole_card=no-peek", {"hole_card": "no peek"}),
    ],
    "hands": [("SP2", {"max_hands": 2}), ("SP2", {"max_hands": 2}), ("SP3", {"max_hands": 3})],
    "soft 17": [("S17", {}), ("H17", {"soft_17": "hit"})],
    "doubles": [("DOA", {}), ("DANY", {"double_on": "any number"})],
    "after a split": [("DAS", {}), ("NDAS", {"das": False})],
    "aces": [("NRSA", {}), ("HSA", {"hsa": True})],
    "naturals": [("3:2", {}), ("6:5", {"natural_pays": Fraction(6, 5)})],
    "split naturals": [
        ("split_naturals=never", {}),
        ("split_naturals=always", {"split_naturals": "always"}),
    ],
}


def draw_house(seed, *, variants=None):
    """Return rules that the solver supports, the facts that say the same, a shoe and an upcard."""
    rng = random.Random(seed)
    while True:
        drawn = {name: rng.choice(choices) for name, choices in USUAL.items()}
        names = variants or rng.sample(sorted(VARIANTS), rng.randint(2, 5))
        drawn |= {name: rng.choice(VARIANTS[name]) for name in names}
        if "hard doubles" in drawn:
            del drawn["doubles"]
        if "takes" in drawn:
            del drawn["hands"], drawn["hole card"], drawn["aces"], drawn["after a split"]
        facts = {}
        for _, said in drawn.values():
            facts |= said
        shoe = rng.choice(SHOES)
        # A natural of aces and tens ends hands, so most shoes have them.
        up = rng.choice(sorted(shoe))
        try:
            rules = Rules.parse(" ".join(["6D", *(text for text, _ in drawn.values())]))
        except RulesError:
            continue
        if not list(find_refusals(rules, EngineName.FINITE)):
            return rules, facts, shoe, up


def write(hand):
    return " ".join(NAMES[rank] for rank in hand)


def about(value):
    return pytest.approx(float(value), rel=0, abs=1e-12)


def openings(counts, *known):
    """Go through the two-card hands that a shoe holds beside the dealer's known cards."""
    for hand in combinations_with_replacement(sorted(counts), 2):
        if all((*known, *hand).count(rank) <= counts[rank] for rank in hand):
            yield hand


def list_holes(rules, counts, up):
    """Return the hole cards that may be seen, with their chances; None for one that is not."""
    if not rules.shows_hole:
        return {None: 1}
    left = {rank: count - (rank == up) for rank, count in counts.items()}
    return {rank: Fraction(n, sum(left.values())) for rank, n in left.items() if n}


def comes_before_look(twin):
    """Whether values are as of an offer of surrender before the dealer looks."""
    return twin.peeks and twin.facts["surrender"] == "early-v-ten" and twin.upcard == 10


def check_house(rules, facts, counts, up):
    """Compare every answer to every hand against an upcard, and the value of the round."""
    shoe, value, has_ties = shoe_of(counts), Fraction(0), False
    for hole, chance in list_holes(rules, counts, up).items():
        twin = naive_insurance.Game(facts, shoe, up, hole=hole)
        if hole is None or not twin.makes_natural(hole):
            check_hands(rules, twin, counts)
        value += chance * twin.value()
        has_ties |= bool(twin.ties)
    game = upcard.solve_game(rules, shoe=shoe)
    if not has_ties:
        assert game.by_upcard[NAMES[up]] == about(value), f"{rules}: v {NAMES[up]}"


def check_hands(rules, twin, counts):
    """Compare every answer to every hand against the dealer's known cards."""
    up, hole, shoe = twin.upcard, twin.hole, shoe_of(counts)
    seen = None if hole is None else NAMES[hole]
    for hand in openings(counts, up, *([] if hole is None else [hole])):
        expected = twin.values(hand)
        if comes_before_look(twin):
            expected = {word: twin.before_look(hand, word) for word in expected}
        found = upcard.solve(rules, write(hand), NAMES[up], hole=seen, shoe=shoe).ev
        if twin.ties:  # equally good plays of split hands: the solver may take the other
            expected.pop("split", None)
            found.pop(Action.SPLIT, None)
        if hand == (1, 10):  # what else a natural would be worth is told, but never played
            found = {Action.STAND: found[Action.STAND]}
        where = f"{rules}: {write(hand)} v {NAMES[up]} {seen or ''}"
        assert found == {word: about(value) for word, value in expected.items()}, where


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("name", VARIANTS)
def test_a_house_with_one_variant_is_worth_what_playing_it_out_gives(name):
    check_house(*draw_house(name, variants=[name]))


DOUBLED_AND_PAID = [
    one for name in ("redoubling", "rescue", "bonuses", "living busts") for one in VARIANTS[name]
]


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("up", SHOES[-1])
@pytest.mark.parametrize(("text", "facts"), DOUBLED_AND_PAID)
def test_doubled_hands_and_bonuses_against_every_upcard(text, facts, up):
    check_house(Rules.parse(f"6D SP2 {text}"), facts | {"max_hands": 2}, SHOES[-1], up)


BUSTED = {"hole_card": "none", "natural_takes": "busted-and-one", "max_hands": 2}
ORIGINAL = {"hole_card": "none", "natural_takes": "original", "max_hands": 2}
FIRST = {"hole_card": "none", "natural_takes": "original-and-busted", "max_hands": 3}
ANY = {"double_on": "any number"}
FREE = {"free_splits": tuple(range(1, 11)), "free_double": "any number"}
LATE_NATURALS = [
    ("SP2 BB1", BUSTED),
    ("SP2 BB1 NDAS", BUSTED | {"das": False}),
    ("SP2 OBO W21", ORIGINAL | ALWAYS),
    ("SP2 BB1 W21 HSA DANY", BUSTED | ALWAYS | ANY | {"hsa": True}),
    ("SP2 BB1 W21 BON BJW", BUSTED | ALWAYS | {"natural_tie": "win", "bonuses": SPANISH}),
    ("SP1 OBO W21 D3X", ORIGINAL | ALWAYS | {"max_hands": 1, "double_stake": 3}),
    ("SP1 BB1 W21 DANY", BUSTED | ALWAYS | ANY | {"max_hands": 1}),
    (
        "SP3 BB1 W21 BON HSA RSA",
        BUSTED | ALWAYS | {"max_hands": 3, "bonuses": SPANISH, "hsa": True, "rsa": True},
    ),
    ("SP3 OBO W21 RSA", ORIGINAL | ALWAYS | {"max_hands": 3, "rsa": True}),
    ("SP3 OBBO", FIRST),
    ("SP3 OBBO W21 HSA DANY", FIRST | ALWAYS | ANY | {"hsa": True}),
    ("SP3 OBBO RD2", FIRST | {"max_doubles": 2}),
    (
        "SP2 OBBO D3X FD9-11",
        FIRST | {"max_hands": 2, "double_stake": 3, "free_double": "two cards"},
    ),
    ("SP3 OBBO FSANY FDANY HSA", FIRST | FREE | {"hsa": True}),
    ("SP1 BB1 RD3", BUSTED | {"max_hands": 1, "max_doubles": 3}),
]


@pytest.mark.fast_cases(8)
@pytest.mark.parametrize("up", [1, 10])
@pytest.mark.parametrize("counts", [SHOES[0], SHOES[1], SHOES[-1]], ids=str)
@pytest.mark.parametrize(("text", "facts"), LATE_NATURALS)
def test_what_a_natural_takes_of_all_hands(text, facts, counts, up):
    check_house(Rules.parse(f"6D {text}"), facts, counts, up)


@pytest.mark.slow
@pytest.mark.parametrize("up", [1, 10])
@pytest.mark.parametrize("counts", SHOES[:2], ids=str)
def test_what_a_natural_takes_of_four_hands(counts, up):
    check_house(Rules.parse("6D SP4 BB1"), BUSTED | {"max_hands": 4}, counts, up)


@pytest.mark.parametrize("extra", ["", "FSNT"])
def test_aces_that_make_fewer_hands_than_other_pairs(extra):
    rules = Rules.parse(f"6D SP4 RSA SPA3 {extra}")
    facts = {"rsa": True, "ace_hands": 3, "free_splits": range(1, 10) if extra else ()}
    counts = {1: 7, 7: 4, 10: 8}
    for up in counts:
        twin = naive_exact.Game(facts, shoe_of(counts), up)
        found = upcard.solve(rules, "A A", NAMES[up], shoe=shoe_of(counts)).ev[Action.SPLIT]
        assert found == about(twin.split((1, 1)))


SHORT = {89}
"""Houses whose splits of small cards play out the shoe, so that the twin has no value."""


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("seed", range(200))
def test_a_house_with_several_variants_is_worth_what_playing_it_out_gives(seed):
    try:
        check_house(*draw_house(seed))
    except OutOfCardsError:
        assert seed in SHORT


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("seed", range(400, 404))
def test_a_house_that_shows_both_cards_is_worth_what_playing_it_out_gives(seed):
    check_house(*draw_house(seed, variants=SHOWN))


@pytest.mark.parametrize("splits", ["CDP1", "CDP-exact"])
def test_split_hands_against_both_cards_are_worth_what_playing_them_out_gives(splits):
    compare_splits(404, splits, play_of(splits), variants=SHOWN)


def play_of(splits):
    """Return a way to make the twin that plays split hands so."""
    word = splits.removesuffix("-exact")
    return lambda facts, shoe, up, hole: naive_exact.Game(facts, shoe, up, splits=word, hole=hole)


def compare_splits(seed, splits, twin_of, *, variants=None):
    """Compare the splits of one house, unless its rules rule this play out."""
    rules, facts, counts, up = draw_house(seed, variants=variants)
    shoe = shoe_of(counts)
    hole = next((rank for rank in list_holes(rules, counts, up) if rank not in (1, 10)), None)
    seen = None if hole is None else NAMES[hole]
    for rank in counts:
        if rules.max_hands == 1 or counts[rank] - (up, hole).count(rank) < 2:
            continue
        # The twin values hits by the doubles of an unsplit hand; the solver knows there are none.
        later = may_double_later(rules) or facts.get("free_double") == "any number"
        if "CDP" in splits and later and not may_double_after_split(rules, rank):
            continue
        try:
            hand = write((rank, rank))
            found = upcard.solve(rules, hand, NAMES[up], hole=seen, shoe=shoe, splits=splits)
        except (UnsupportedRuleError, EmptyShoeError):
            continue
        if Action.SPLIT not in found.ev:
            continue
        twin = twin_of(facts, shoe, up, hole)
        try:
            expected = twin.split((rank, rank))
        except OutOfCardsError:  # hands that may not stand bust with more than the solver asks for
            continue
        if twin.ties:
            continue
        if comes_before_look(twin):
            natural = twin.natural_chance(twin.unseen((rank, rank), ()))
            expected = (1 - natural) * expected - natural
        where = f"{rules}: {write((rank, rank))} v {NAMES[up]}"
        assert found.ev[Action.SPLIT] == about(expected), where


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("seed", range(200, 300))
@pytest.mark.parametrize("splits", ["CDP1", "CDP-exact"])
def test_split_hands_that_know_pair_cards_are_worth_what_playing_them_out_gives(splits, seed):
    compare_splits(seed, splits, play_of(splits))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300, 330))
@pytest.mark.parametrize("splits", ["full", "full-at-once"])
def test_full_memory_is_worth_what_trying_everything_gives(splits, seed):
    at_once = splits == "full-at-once"
    compare_splits(
        seed, splits, lambda facts, shoe, up, _: MemoryGame(facts, shoe, up, at_once=at_once)
    )
