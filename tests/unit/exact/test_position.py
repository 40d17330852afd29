"""Hands in the middle of a round: paid and free ones of a split against the naive twins."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement, count

import pytest
from naive import best_total
from naive_dealer import OutOfCardsError, shoe_of, take
from naive_exact import Game, end_hand
from test_infinite_naive import TEN_ODDS, combine, solve_twice
from test_variant_twin import VARIANTS, draw_house

from upcard.core.actions import Action
from upcard.core.cards import RANKS
from upcard.core.errors import NoExactValueError, UnsupportedRuleError
from upcard.exact.position import Position
from upcard.exact.supported_rules import SplitPlay
from upcard.rules.predicates import gets_one_card


def position_of(rules, ranks, upcard, unseen=(), **more):
    """Return a hand of two cards or more after a split, once the dealer has looked if they do."""
    return Position(
        name="asked",
        rules=rules,
        ranks=ranks,
        upcard=upcard,
        unseen=(0, *unseen),
        has_looked=rules.hole_card == "peek",
        splits=SplitPlay.CDZ,
        **more,
    )


def split_again(twin, rank, most, *, is_free):
    """Play a pair that may become `most` hands; beside a free one the paid one is bust."""
    shoe = twin.unseen((rank, rank), ())
    waiting = (((rank, rank), 0 if is_free else 1),)
    done = end_hand((), "bust", (1, 1)) if is_free else ()
    twin.facts = twin.facts | {"max_hands": most + is_free}
    holes = twin.holes(shoe) if twin.facts["hole_card"] != "none" else [(None, 1, shoe)]
    return is_free + sum(
        chance * twin.divide(waiting, done, left, hole, rank) for hole, chance, left in holes
    )


def check_hand(rules, facts, counts, up, ranks, *, is_free):
    rank, *_ = ranks
    twin = Game(facts, shoe_of(counts), up)
    unseen = take(shoe_of(counts), up, *ranks)
    hand = tuple(sorted(ranks))
    stake = 0 if is_free else 1
    if gets_one_card(rules, rank):
        expected = {"stand": twin.stand(hand, bets=(stake, 1), stake=stake)}
    else:
        expected = twin.without_surrender.playing_values(hand, stake=stake)
    asked = {"split_rank": rank, "is_free": is_free}
    position = position_of(rules, ranks, up, unseen, **asked)
    where = f"{rules}: {ranks} of {rank} v {up}, free: {is_free}"
    for word, value in expected.items():
        assert position.value(Action(word)) == pytest.approx(float(value), abs=1e-12), where
    return position


SEEDS = range(120)
NOT_FREE = {"both cards", "redoubling", "rescue", "bonuses", "living busts"}
"""Variants that clash with free splits, or ask for the hole card."""
OTHERS = sorted(set(VARIANTS) - {"free splits", "takes", "never split"} - NOT_FREE)


@pytest.mark.fast_cases(12)
@pytest.mark.parametrize("seed", SEEDS)
def test_hands_of_a_free_split_are_worth_what_playing_them_out_gives(seed):
    rng = random.Random(seed)
    variants = ["free splits", *rng.sample(OTHERS, rng.randint(0, 3))]
    rules, facts, counts, up = draw_house(seed, variants=variants)
    rank = rng.choice([rank for rank in counts if rank in facts["free_splits"]])
    # Where split hands may not double, hits are valued as if no double followed.
    known = facts if facts.get("das", True) and rank != 1 else facts | NO_DOUBLES
    left = dict(counts) | {rank: counts[rank] - 1}
    for others in [*combinations_with_replacement(counts, 1), rng.choices(list(counts), k=2)]:
        ranks = (rank, *others)
        total = best_total(list(ranks))
        has_all = all((*ranks, up).count(one) <= left[one] for one in ranks)
        if not has_all or total >= 21 or len(ranks) >= (rules.charlie or 9):
            continue
        for is_free in (False, True):
            check_hand(rules, known, left, up, ranks, is_free=is_free)


NO_DOUBLES = {"double_on": "never", "free_double": "never"}
"""An ace's hands never double in the drawn houses."""


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("is_free", [False, True])
def test_a_pair_of_a_free_split_is_split_again_as_playing_it_out_gives(seed, is_free):
    """A free one makes free hands alone, and a paid one keeps its stake on the first."""
    rng = random.Random(seed)
    variants = ["free splits", *rng.sample(OTHERS, rng.randint(0, 2))]
    rules, facts, counts, up = draw_house(seed, variants=variants)
    ranks = [rank for rank in counts if rank in facts["free_splits"] and rank != 1]
    rank, most = rng.choice(ranks), rng.choice((2, 2, 3))
    if counts[rank] - (rank == up) < 3:
        pytest.skip("too few cards")
    rules = rules.replace(max_hands=4)
    known = facts if facts.get("das", True) else facts | NO_DOUBLES
    twin = Game(known, shoe_of(counts), up)
    asked = {"split_rank": rank, "is_free": is_free, "pair": rank, "most_hands": most}
    unseen = take(shoe_of(counts), up, rank, rank)
    position = position_of(rules, (rank, rank), up, unseen, further_pairs=unseen[rank - 1], **asked)
    try:
        found = position.value_split(most)
        expected = split_again(twin, rank, most, is_free=is_free)
    except (NoExactValueError, UnsupportedRuleError, OutOfCardsError) as error:
        pytest.skip(str(error))
    if not twin.ties:
        assert found == pytest.approx(float(expected), abs=1e-12), f"{rules}: {rank} v {up}"


def may_split(facts):
    return facts.get("hands", 4) > 1


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("seed", range(60))
def test_free_hands_of_an_infinite_deck_are_worth_what_the_naive_solver_says(seed):
    houses = map(combine, count(100 * seed))
    tokens, facts = next(
        one
        for one in houses
        # Where a natural takes busted hands, a hand of a split has no value of its own.
        if one[1].get("free_splits") and may_split(one[1]) and "OBBO" not in one[0]
    )
    if seed % 2 and "SP2" in tokens:  # room for free hands of free hands
        tokens, facts = tokens.replace("SP2", "SP3"), facts | {"hands": 3}
    naive, solution = solve_twice(TEN_ODDS[seed % len(TEN_ODDS)], tokens, facts)
    rules, up = solution.rules, (1, 10, 2 + seed // 3 % 8)[seed % 3]
    for ranks in combinations_with_replacement(RANKS, 2):
        if set(ranks) == {1, 10}:
            continue
        pair = ranks[0] if len(set(ranks)) == 1 else 0
        most = max(naive.most_hands(pair) - 1, 1) if pair else 1
        asked = {"split_rank": pair or 2, "is_free": True, "most_hands": most}
        asked["pair"] = pair if most > 1 else 0
        position = position_of(rules, ranks, up, **asked)
        for word, value in naive.free_values(ranks, up).items():
            is_split = word == "split"
            found = position.value_split(most) if is_split else position.value(Action(word))
            assert found == pytest.approx(value, abs=1e-12), (tokens, ranks, up, word)
