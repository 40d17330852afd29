"""The infinite-deck solver and the naive one agree to the last digits, rule by rule."""

from itertools import combinations_with_replacement, cycle
from random import Random

import pytest
from differential.naive_chart import follow_chart
from naive_infinite import RANKS, Game, count

from upcard import Action, Rules, RulesError, Strategy, UnsupportedRuleError
from upcard.core.hands import AceRule, hand_table
from upcard.exact.infinite import InfiniteSolver
from upcard.exact.infinite_hands import rank_odds
from upcard.exact.solver_results import AskedHand
from upcard.rules.settings import HoleCard, Surrender

# What to add to the notation `INF(p)`, and the same as facts for the naive solver.
ENHC = {"hole": "no peek"}
OBO = {"hole": "no peek", "takes": "original"}
OBBO = {"hole": "no peek", "takes": "first and busted"}
VARIANTS = [
    ("", {}),
    ("H17", {"hits_soft_17": True}),
    ("ENHC", ENHC),
    ("hole_card=no-peek", ENHC),
    ("OBO", OBO),
    ("OBO LS", OBO | {"surrender": "late"}),
    ("OBO ES DANY", OBO | {"surrender": "early", "double": "any number"}),
    ("LS", {"surrender": "late"}),
    ("LS H17 RSA", {"surrender": "late", "hits_soft_17": True, "resplit_aces": True}),
    ("ENHC LS", ENHC | {"surrender": "late"}),
    ("ES", {"surrender": "early"}),
    ("ENHC ES", ENHC | {"surrender": "early"}),
    ("D9 NDAS", {"double": "9 to 11", "das": False}),
    ("D10", {"double": "10 to 11"}),
    ("ND", {"double": "never"}),
    ("DANY", {"double": "any number"}),
    ("DANY NDAS", {"double": "any number", "das": False}),
    ("SP1", {"hands": 1}),
    ("SP2", {"hands": 2}),
    ("SP3 RSA", {"hands": 3, "resplit_aces": True}),
    ("SP8", {"hands": 8}),
    ("SP8 max_total_hands=7", {"hands": 7}),
    ("SP1 max_total_hands=7", {"hands": 1}),
    ("HSA", {"hit_aces": True}),
    ("HSA RSA", {"hit_aces": True, "resplit_aces": True}),
    ("HSA DANY", {"hit_aces": True, "double": "any number"}),
    ("HSA double_split_aces=true", {"hit_aces": True, "double_aces": True}),
    (
        "HSA RSA DANY double_split_aces=true",
        {"hit_aces": True, "double_aces": True, "double": "any number", "resplit_aces": True},
    ),
    ("split_naturals=on-tens", {"split_naturals": "on tens"}),
    ("split_naturals=always", {"split_naturals": "always"}),
    ("ENHC RSA split_naturals=always", ENHC | {"split_naturals": "always", "resplit_aces": True}),
    ("split_by=rank", {"by_face": True}),
    ("ENHC split_by=rank", ENHC | {"by_face": True}),
    ("natural_ties_21=true", {"ties_21": True}),
    ("ENHC natural_ties_21=true", ENHC | {"ties_21": True}),
    ("player_21=asked", {"at_21": "asked"}),
    ("ENHC HSA player_21=asked", ENHC | {"at_21": "asked", "hit_aces": True}),
    ("DANY player_21=asked", {"at_21": "asked", "double": "any number"}),
    ("player_21=wins", {"at_21": "wins"}),
    ("SP1 hole_card=no-peek player_21=wins", ENHC | {"hands": 1, "at_21": "wins"}),
    (
        "SP1 hole_card=no-peek player_21=wins natural_ties_21=true",
        ENHC | {"hands": 1, "at_21": "wins", "ties_21": True},
    ),
    ("6:5", {"pays": 1.2}),
    ("ENHC 2:1", ENHC | {"pays": 2}),
]
FREE = {"free_double": "two cards", "free_splits": range(1, 10), "pushes_22": True}
VARIANTS += [
    ("RSA SPA3", {"resplit_aces": True, "ace_hands": 3}),
    ("ND NDAS FD9-11", {"double": "never", "das": False, "free_double": "two cards"}),
    ("DANY FD9-11", {"double": "any number", "free_double": "two cards"}),
    ("D9 NDAS FDANY", {"double": "9 to 11", "das": False, "free_double": "any number"}),
    ("P22 FD9-11 FSNT RSA H17", FREE | {"resplit_aces": True, "hits_soft_17": True}),
    (
        "P22 FD9-11 FSNT RSA SPA3 HSA DANY",
        FREE | {"resplit_aces": True, "hit_aces": True, "ace_hands": 3, "double": "any number"},
    ),
    ("P22 FD9-11 FSNT SP8 RSA", FREE | {"resplit_aces": True, "hands": 8}),
    ("P22 FD9-11 FSNT OBO", FREE | OBO),
    ("ZOMBIE P22 H17", {"busts_live": True, "pushes_22": True, "hits_soft_17": True}),
    (
        "ZOMBIE ENHC D3X FDANY FSNT",
        FREE
        | ENHC
        | {"busts_live": True, "pushes_22": False}
        | {"stake": 3, "free_double": "any number"},
    ),
    ("OBBO DANY HSA", OBBO | {"double": "any number", "hit_aces": True}),
    ("P22 FD9-11 FSNT OBBO SP8 RSA", FREE | OBBO | {"resplit_aces": True, "hands": 8}),
    (
        "OBBO BJL split_naturals=always natural_ties_21=true",
        OBBO | {"natural_tie": "lose", "split_naturals": "always", "ties_21": True},
    ),
    ("FSNT SP2 TALL", {"free_splits": range(1, 10), "hands": 2, "ties_lost": range(17, 22)}),
    ("FDANY 4CC(2:1)", {"free_double": "any number", "charlie": 4, "charlie_pays": 2}),
    ("FSANY split_by=rank", {"free_splits": RANKS, "by_face": True}),
    (
        "FSANY BJL ENHC split_naturals=always",
        ENHC | {"free_splits": RANKS, "natural_tie": "lose", "split_naturals": "always"},
    ),
]
TIES_LOST = {"T17": (17,), "T17-19": (17, 18, 19), "TALL": range(17, 22)}
CHARLIES = {"3CC": 3, "5CC": 5, "6CC": 6}
SMALL_VARIANTS = {
    "ties": [(token, {"ties_lost": totals}) for token, totals in TIES_LOST.items()],
    "natural tie": [
        ("BJW", {"natural_tie": "win", "even_money": False}),
        ("BJL", {"natural_tie": "lose"}),
    ],
    "suited naturals": [("BJS(2:1)", {"suited_pays": 2}), ("BJS(5:4)", {"suited_pays": 1.25})],
    "21": [("W21", {"at_21": "always wins"})],
    "charlie": [
        *((token, {"charlie": cards}) for token, cards in CHARLIES.items()),
        ("5CC(2:1)", {"charlie": 5, "charlie_pays": 2}),
        ("4CC(1:2)", {"charlie": 4, "charlie_pays": 0.5}),
    ],
    "double": [("DH", {"double": "hard"})],
    "stake": [("D3X", {"stake": 3}), ("D3X DANY", {"stake": 3, "double": "any number"})],
    "surrender": [
        ("ES10", {"surrender": "early v ten"}),
        ("LSX", {"surrender": "any cards"}),
    ],
    "least stand": [("MS15", {"min_stand": 15}), ("MS17", {"min_stand": 17})],
    "22": [("P22", {"pushes_22": True})],
    "living busts": [("ZOMBIE", {"busts_live": True})],
    "free double": [
        ("FD9-11", {"free_double": "two cards"}),
        ("FDANY", {"free_double": "any number"}),
    ],
    "free split": [
        ("FSNT", {"free_splits": range(1, 10)}),
        ("FSN4T", {"free_splits": (1, 2, 3, 5, 6, 7, 8, 9)}),
        ("FSANY", {"free_splits": RANKS}),
    ],
    "never split": [("NS4T", {"unsplit": (4, 10)})],
    "insurance": [("INS(5:2)", {"insurance_pays": 2.5}), ("INS(3:1)", {"insurance_pays": 3})],
}
BASES = [
    ("", {}),
    ("SP2 HSA", {"hands": 2, "hit_aces": True}),
    ("ENHC H17 SP3 RSA", ENHC | {"hits_soft_17": True, "hands": 3, "resplit_aces": True}),
    ("OBO SP2", OBO | {"hands": 2}),
    ("OBO SP1", OBO | {"hands": 1}),
    ("OBBO SP1", OBBO | {"hands": 1}),
    ("OBBO SP2 HSA", OBBO | {"hands": 2, "hit_aces": True}),
    ("OBBO RSA", OBBO | {"resplit_aces": True}),
    ("BB1 SP1 DANY", OBBO | {"hands": 1, "double": "any number"}),
    ("SP2 DANY HSA", {"hands": 2, "double": "any number", "hit_aces": True}),
    ("player_21=asked SP2", {"at_21": "asked", "hands": 2}),
    ("player_21=wins HSA SP2", {"at_21": "wins", "hit_aces": True, "hands": 2}),
    ("ENHC SP2 split_naturals=always", ENHC | {"hands": 2, "split_naturals": "always"}),
    ("ENHC SP2 natural_ties_21=true", ENHC | {"hands": 2, "ties_21": True}),
]
ALONE = [
    pytest.param(*base, *variant, id=f"{base[0]} {variant[0]}")
    for base in BASES[:3]
    for variants in SMALL_VARIANTS.values()
    for variant in variants
]
TEN_ODDS = ("4/13", "1/10", "9/20")


@pytest.mark.parametrize("turn", range(4))
def test_values_agree_with_the_naive_solver(turn):
    """An ace and the other upcards in turn, and the odds of a ten; the slow test has them all."""
    tokens, facts = VARIANTS[turn]
    naive, solution = solve_twice(TEN_ODDS[turn % len(TEN_ODDS)], tokens, facts)
    assert_same_values(naive, solution, 1 if turn % 2 else 2 + turn // 2 % 9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("p", "variant"),
    [*zip(cycle(TEN_ODDS), VARIANTS, strict=False)],
    ids=[tokens or "usual" for tokens, _ in VARIANTS],
)
def test_all_values_agree_with_the_naive_solver(p, variant):
    tokens, facts = variant
    naive, solution = solve_twice(p, tokens, facts)
    for up in RANKS:
        assert_same_values(naive, solution, up)
    assert without_offers(solution) == pytest.approx(naive.ev(), abs=1e-12)
    assert_same_free_values(naive, solution)


def assert_same_free_values(naive, solution, upcards=RANKS):
    table = hand_table(AceRule.BEST)
    for up in upcards if naive.free_splits and naive.hands > 1 else ():
        for first in RANKS:
            for second in range(first, 11):
                if {first, second} == {1, 10}:
                    continue
                pair = first if first == second else 0
                found = solution.against(up).free_values(table.state_of((first, second)), pair)
                expected = naive.free_values((first, second), up)
                assert {str(action) for action in found} == set(expected)
                assert found == pytest.approx(expected, abs=1e-12), (first, second, up)


def without_offers(solution):
    """The value of a round, less the gain of insurance and even money."""
    gain = solution.offers().gain
    return solution.game_ev - (rank_odds(solution.rules)[1] * gain if gain else 0.0)


def solve_twice(p, tokens, facts):
    numerator, denominator = map(int, p.split("/"))
    naive = Game(p=numerator / denominator, **facts)
    return naive, InfiniteSolver(Rules.parse(f"INF({p}) {tokens}"))


def assert_same_values(naive, solution, up):
    for first in RANKS:
        for second in range(first, 11):
            if {first, second} != {1, 10}:
                expected = naive.values((first, second), up)
                found = solution.values((first, second), up)
                assert {str(action) for action in found} == set(expected)
                assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("word", "free_splits"), [("", ()), ("P22 FSANY RSA", RANKS)])
def test_endless_resplits_are_the_limit_of_many(word, free_splits):
    """A hundred hands are as good as endless ones while a ten is split again with odds of 1/3."""
    facts = {"free_splits": free_splits, "resplit_aces": bool(word), "pushes_22": bool(word)}
    naive = Game(p=1 / 3, hands=100, split_naturals="on tens", hole="no peek", **facts)
    endless = InfiniteSolver(Rules.parse(f"INF(1/3) ENHC SPINF split_naturals=on-tens {word}"))
    for rank in (1, 8, 10):
        expected = naive.values((rank, rank), 6)
        assert endless.values((rank, rank), 6) == pytest.approx(expected, abs=1e-6)


def test_unequal_faces_are_no_pair_where_equal_rank_is_asked_for():
    solution = InfiniteSolver(Rules.parse("INF(9/20) split_by=rank"))
    naive = Game(p=9 / 20, by_face=True)
    assert solution.values("KQ", "6") == pytest.approx(
        naive.values((10, 10), 6, same_face=False), abs=1e-12
    )
    equal_faces = naive.values((10, 10), 6)
    assert equal_faces["split"] > equal_faces["stand"]  # so that resplits count
    assert solution.values("KK", "6") == pytest.approx(equal_faces, abs=1e-12)
    assert "split" not in solution.values("K Q", "6")
    assert "split" in solution.values("KK", "6")
    assert solution.values("1010", "6") == solution.values("KS KD", "6")


def combine(seed):
    """Return the notation and the facts of two to five small variants in a house that may be odd.

    Settings that clash, and what the solver refuses, are drawn again.
    """
    random = Random(seed)
    while True:
        tokens, facts = random.choice(BASES)
        for name in random.sample(sorted(SMALL_VARIANTS), random.randint(2, 5)):
            token, fact = random.choice(SMALL_VARIANTS[name])
            tokens, facts = f"{tokens} {token}", facts | fact
        try:
            InfiniteSolver(Rules.parse(f"INF {tokens}"))
        except (RulesError, UnsupportedRuleError):  # a NotationError is one too
            continue
        return tokens, facts


def assert_same_later_values(naive, solution, up, hands):
    """Hands in the middle of a round, of three cards and more."""
    for cards in hands:
        is_over = len(cards) >= naive.charlie or (count(cards) == 21 and naive.at_21 != "asked")
        if count(cards) <= 21 and not is_over:
            found = solution.values(cards, up)
            expected = naive.values(cards, up)
            assert {str(action) for action in found} == set(expected)
            assert found == pytest.approx(expected, abs=1e-12), (cards, up)


LATER = [
    *combinations_with_replacement(RANKS, 3),
    *((1, 1, 1, 5), (1, 2, 3, 4), (2, 2, 3, 3), (2, 2, 2, 8)),
    *((1, 1, 2, 2, 3), (2, 2, 2, 3, 3), (1, 1, 1, 1, 1)),
]


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize(("base", "base_facts", "tokens", "facts"), ALONE)
def test_each_small_variant_agrees_with_the_naive_solver(base, base_facts, tokens, facts):
    naive, solution = solve_twice("4/13", f"{base} {tokens}", base_facts | facts)
    for up in (1, 10, 6):
        assert_same_values(naive, solution, up)
        assert_same_later_values(naive, solution, up, LATER)
    assert_same_free_values(naive, solution, (1, 10, 6))
    assert solution.value_round(8).ev == pytest.approx(round_ev(naive, 8), abs=1e-12)


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("seed", range(60))
def test_combined_small_variants_agree_with_the_naive_solver(seed):
    tokens, facts = combine(seed)
    naive, solution = solve_twice(TEN_ODDS[seed % len(TEN_ODDS)], tokens, facts)
    up = (1, 10, 2 + seed // 3 % 8)[seed % 3]
    assert_same_values(naive, solution, up)
    assert_same_later_values(naive, solution, up, Random(seed).sample(LATER, 40))
    assert_same_free_values(naive, solution, [up])
    if up != 1:
        assert solution.value_round(up).ev == pytest.approx(round_ev(naive, up), abs=1e-12), tokens


def round_ev(naive, up):
    """The value of a round against one upcard, without insurance."""
    hands = [(first, second) for first in RANKS for second in RANKS]
    return sum(naive.odds(a) * naive.odds(b) * naive.hand_ev((a, b), up) for a, b in hands)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60, 84))
def test_games_with_small_variants_agree_with_the_naive_solver(seed):
    """Insurance and even money too: no house here lets the dealer look because of them."""
    tokens, facts = combine(seed)
    naive, solution = solve_twice(TEN_ODDS[seed % len(TEN_ODDS)], tokens, facts)
    assert solution.game_ev == pytest.approx(naive.ev() + naive.gain_of_offers(), abs=1e-12)


CHART = """
5 H H H H H H H H H H
6 H H H H H H H H H H
7 H H H H H H H H H H
8 H H H Dh Dh H H H H H
9 Dh Dh Dh Dh Dh H H H H H
10 Dh Dh Dh Dh Dh Dh Dh Dh H H
11 Dh Dh Dh Dh Dh Dh Dh Dh Dh Dh
12 H H S S S H H H H H
13 S S S S S H H H H H
14 S S S S S H H H Rh Rh
15 S S S S S H H H Rh H
16 S S S S S H Rs Rh Rs Rs
17 S S S S S S S S S Rs
18 S S S S S S S S S S
19 S S S S S S S S S S
A2 H H H Dh Dh H H H H H
A3 H H Dh Dh Dh H H H H H
A4 H H Dh Dh Dh H H H H H
A5 H H Dh Dh Dh H H H H H
A6 H Dh Dh Dh Dh H H H H H
A7 Ds Ds Ds Ds Ds S S H H H
A8 S S S S Ds S S S S S
A9 S S S S S S S S S S
AA P P P P P P P P P P
22 P P P P P P H H H H
33 P P P P P P H H H H
44 H H H P P H H H H H
55 Dh Dh Dh Dh Dh Dh Dh Dh H H
66 P P P P P H H H H H
77 P P P P P P H H Rh Rh
88 P P P P P P P P Rp Rp
99 P P P P P S P P S S
1010 S S S S P S S S S S
"""


def with_least_stand(chart, least):
    """A chart in which hands that may not stand hit where it stands."""
    cells = {"S": "H", "Ds": "Dh", "Rs": "Rh"}
    rows = []
    for label, *row in map(str.split, chart.strip().splitlines()):
        total = int(label.replace("A", "")) + 11 * label.startswith("A") if label != "AA" else 12
        is_low = label in map(str, range(5, least)) or (label[0] == "A" and total < least)
        rows.append(" ".join((label, *(cells.get(c, c) if is_low else c for c in row))))
    return "\n".join(rows)


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("seed", range(84, 124))
def test_a_chart_followed_agrees_with_the_naive_solver(seed):
    tokens, facts = combine(seed)
    text = with_least_stand(CHART, facts.get("min_stand", 0))
    naive = Game(p=4 / 13, chart=follow_chart(text), **facts)
    solution = InfiniteSolver(Rules.parse(f"INF {tokens}"), Strategy.parse(text))
    for up in (2 + seed % 8, 10):
        assert solution.value_round(up).ev == pytest.approx(round_ev(naive, up), abs=1e-12), tokens


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("seed", range(124, 164))
def test_chances_of_results_agree_with_values(seed):
    """Where every end wins or loses one bet; a later surrender counts as a loss."""
    tokens, _ = combine(seed)
    rules = Rules.parse(f"INF {tokens}").replace(
        charlie_pays=1,
        double_on="never",
        free_double="none",
        max_hands=1,
        resplit_aces=False,
        hit_split_aces=False,
    )
    solution = InfiniteSolver(rules)
    for up in (1, 10, 2 + seed % 8):
        has_looked = rules.hole_card is HoleCard.PEEK
        for cards in Random(seed).sample(LATER, 30):
            if count(cards) >= 21 or len(cards) >= (rules.charlie or 100):
                continue
            asked = AskedHand(cards, up, 0, has_looked)
            for action, value in solution.values(cards, up).items():
                chances = solution.outcome_probabilities(asked, action)
                if action is Action.SURRENDER:
                    assert chances is None
                    continue
                if rules.surrender is not Surrender.ANY_CARDS:
                    assert chances.win - chances.lose == pytest.approx(value, abs=1e-12)
                assert chances.win + chances.push + chances.lose == pytest.approx(1, abs=1e-12)
