"""Engines ask `rules.predicates`; what kernels hold lowered says the same over random rules."""

import random
from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from random_rules import choose_rules

from upcard.core.cards import ACE, RANKS, TEN, parse_cards, rank_name
from upcard.core.hands import BUST_LIMIT, AceRule, hand_table
from upcard.rules.model import Rules
from upcard.rules.predicates import (
    dealer_draws,
    find_pair,
    hands_left,
    is_pair,
    makes_natural,
    may_double,
    may_double_after_split,
    may_double_later,
    most_hands_of,
    offers_surrender_first,
    surrender_ev,
    surrenders_before_look,
    why_not_split,
)

RANDOM_RULES = [choose_rules(random.Random(seed).choice) for seed in range(60)]


@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_the_dealer_tree_draws_where_the_rules_say(hits_soft_17):
    from upcard.exact.kernels.dealer_hands import dealer_tree

    rules = Rules(soft_17="hit" if hits_soft_17 else "stand")
    table = hand_table(AceRule.BEST)
    for start in (*((rank,) for rank in RANKS), *combinations_with_replacement(RANKS, 2)):
        layer = {(table.state_of(start), ()): 1}
        ends = orders = 0
        while layer:
            following = {}
            for (state, drawn), ways in layer.items():
                if not dealer_draws(rules, table.total[state], is_soft=table.is_soft[state]):
                    ends, orders = ends + 1, orders + ways
                    continue
                for rank in RANKS:
                    after = table.next_state[state][rank]
                    if table.total[after] <= BUST_LIMIT:
                        key = (after, tuple(sorted((*drawn, rank))))
                        following[key] = following.get(key, 0) + ways
            layer = following
        tree = dealer_tree(hits_soft_17, start)
        assert (len(tree.end_orders), tree.end_orders.sum()) == (ends, orders)


@pytest.mark.parametrize("rules", RANDOM_RULES[:20], ids=str)
def test_the_kernel_of_a_dealer_who_looks_draws_where_the_rules_say(rules):
    import numpy as np

    from upcard.exact.kernels.dealer_hands import DealerArrays, _draws
    from upcard.rules.settings import DealerRule, Soft17

    kernel = getattr(_draws, "py_func", _draws)  # nothing to compile for this
    table = hand_table(rules.ace_rule)
    lowered = DealerArrays(
        next_state=np.array(table.next_state, dtype=np.int32),
        total=np.array(table.total, dtype=np.int64),
        is_soft=np.array(table.is_soft, dtype=np.bool_),
        was_softened=np.array(table.was_softened, dtype=np.bool_),
        hits_soft_17=int(rules.soft_17 is Soft17.HIT),
        stops_ahead=int(rules.dealer_rule is DealerRule.UNTIL_AHEAD),
    )
    for state, total in enumerate(table.total):
        for player_total in (4, 12, 15, 16, 17, 20) if total <= BUST_LIMIT else ():
            draws = dealer_draws(
                rules,
                total,
                is_soft=table.is_soft[state],
                was_softened=table.was_softened[state],
                player_total=player_total,
            )
            assert kernel(lowered, state, player_total) == draws


@pytest.mark.fast_cases(20)
@pytest.mark.parametrize("rules", RANDOM_RULES, ids=str)
def test_the_simulators_lowered_tables_say_what_the_predicates_say(rules):
    from upcard.core.actions import Action
    from upcard.simulation.kernels import loop_codes
    from upcard.simulation.lower import _dealer_stops, find_cells, list_rows

    rows = list_rows(rules)
    for row, stops in zip(rows, _dealer_stops(rules, rows), strict=True):
        assert stops == (not dealer_draws(rules, row.total, is_soft=row.is_soft))
    for cell in find_cells(rules):
        context = cell.context
        if context == loop_codes.EARLY:
            assert surrenders_before_look(rules, cell.hand["upcard"])
            continue
        split_rank = 0
        if loop_codes.SPLIT_MORE <= context <= loop_codes.SPLIT_LATER:
            split_rank = TEN
        elif loop_codes.ACES_MORE <= context <= loop_codes.ACES_LATER:
            split_rank = ACE
        later = context in (loop_codes.LATER, loop_codes.SPLIT_LATER, loop_codes.ACES_LATER)
        doubles = may_double(
            rules,
            cards=5 if later else 2,
            total=cell.hand["total"],
            is_soft=cell.hand["is_soft"],
            split_rank=split_rank,
        )
        if Action.HIT in cell.legal:
            assert (Action.DOUBLE in cell.legal) == doubles


@pytest.mark.parametrize("rules", RANDOM_RULES, ids=str)
def test_the_predicates_agree_with_one_another(rules):
    for split_rank in (0, ACE, 5, TEN):
        later = [
            may_double(rules, cards=4, total=total, is_soft=False, split_rank=split_rank)
            for total in range(12, 17)  # where no double is free
        ]
        assert any(later) == may_double_later(rules, split_rank)
        if split_rank and not may_double_after_split(rules, split_rank):
            assert not any(later)
    for cards in map(parse_cards, ("K K", "K Q", "8 8", "A A", "A T")):
        ranks = tuple(card.rank for card in cards)
        pair = find_pair(rules, ranks, are_equal_faces=cards[0].face == cards[1].face)
        assert bool(pair) == is_pair(rules, cards)
        refused = why_not_split(rules, cards, spot_hands=1, all_hands=1)
        room = hands_left(rules, spot_hands=1, all_hands=1, rank=ranks[0]) != 0
        may_split = rank_name(ranks[0]) not in rules.never_split
        assert (refused is None) == (bool(pair) and room and may_split)
        if pair:
            most = most_hands_of(rules, pair)
            assert most is None or most >= 1
    assert makes_natural(rules, 0)
    assert not makes_natural(rules, 8)
    for upcard in RANKS:
        if surrenders_before_look(rules, upcard):
            assert offers_surrender_first(rules, upcard)
            assert upcard in (ACE, TEN)


def test_a_late_surrender_without_a_peek_loses_the_whole_bet_to_a_natural():
    natural = 4 / 13
    late = surrender_ev(Rules.parse("ENHC LS"), natural)
    assert late == pytest.approx(float(-Fraction(9, 13) / 2 - Fraction(4, 13)))
    assert surrender_ev(Rules.parse("LS"), natural) == -0.5
    assert surrender_ev(Rules.parse("ENHC ES"), natural) == -0.5
