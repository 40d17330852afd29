"""The infinite-deck solver and the naive one agree to the last digits, rule by rule."""

import pytest
from naive_infinite import RANKS, Game

from upcard import Rules
from upcard.exact.infinite import InfiniteSolver
from upcard.exact.infinite_hands import rank_odds

# What to add to the notation `INF(p)`, and the same as facts for the naive solver.
ENHC = {"hole": "no peek"}
OBO = {"hole": "no peek", "takes": "original"}
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
TEN_ODDS = ("4/13", "1/10", "9/20")


@pytest.mark.parametrize("turn", range(4))
def test_values_agree_with_the_naive_solver(turn):
    """An ace and the other upcards in turn, and the odds of a ten; the slow test has them all."""
    tokens, facts = VARIANTS[turn]
    naive, solution = solve_twice(TEN_ODDS[turn % len(TEN_ODDS)], tokens, facts)
    assert_same_values(naive, solution, 1 if turn % 2 else 2 + turn // 2 % 9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tokens", "facts"), VARIANTS, ids=[tokens or "usual" for tokens, _ in VARIANTS]
)
@pytest.mark.parametrize("p", TEN_ODDS)
def test_all_values_agree_with_the_naive_solver(p, tokens, facts):
    naive, solution = solve_twice(p, tokens, facts)
    for up in RANKS:
        assert_same_values(naive, solution, up)
    assert without_offers(solution) == pytest.approx(naive.ev(), abs=1e-12)


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
def test_endless_resplits_are_the_limit_of_many():
    """A hundred hands are as good as endless ones while a ten is split again with odds of 1/3."""
    naive = Game(p=1 / 3, hands=100, split_naturals="on tens", hole="no peek")
    endless = InfiniteSolver(Rules.parse("INF(1/3) ENHC SPINF split_naturals=on-tens"))
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
