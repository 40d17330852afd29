"""Questions about rules: what a hand may do, what is offered, when the dealer draws.

Each takes the rules and a few plain facts. Ranks go from 1 (ace) to 10; `split_rank` is the rank
of the pair that a hand was split from, 0 if it was not split.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from upcard.core.cards import ACE, RANKS, TEN, Card, Rank, rank_name
from upcard.core.hands import BUST_LIMIT, AceRule
from upcard.rules import settings
from upcard.rules.model import Rules

DEALER_STANDS_ON: Final = 17
_LEAST_HARD: Final = {settings.DoubleOn.HARD_9_TO_11: 9, settings.DoubleOn.HARD_10_TO_11: 10}
_MOST_HARD: Final = 11
_FIRST_TO_LIVE: Final = 7


def why_not_stand(
    rules: Rules, *, total: int, split_rank: Rank = 0, doubles: int = 0
) -> str | None:
    """Return why the rules do not let a hand stand; None if they do."""
    least = rules.min_stand
    if least is None or total >= least or doubles or gets_one_card(rules, split_rank):
        return None
    return f"rules: stand on {least} or more only"


def may_stand(rules: Rules, *, total: int, split_rank: Rank = 0) -> bool:
    """Whether the rules let a hand stand."""
    return why_not_stand(rules, total=total, split_rank=split_rank) is None


def why_not_double(  # noqa: PLR0913 (the facts of a hand)
    rules: Rules, *, cards: int, total: int, is_soft: bool, split_rank: Rank = 0, doubles: int = 0
) -> str | None:
    """Return why the rules do not let a hand double; None if they do.

    `doubles` is how often it has doubled; to double again it may have any total.
    """
    double_on = rules.double_on
    if doubles:
        most = rules.max_doubles
        times = "once" if most == 1 else f"{most} times at most"
        return None if doubles < most else f"the hand was doubled (rules: {times})"
    is_free = doubles_free(rules, cards=cards, total=total, is_soft=is_soft)
    if double_on is settings.DoubleOn.NEVER and not is_free:
        return "this house has no double"
    if cards != 2 and double_on is not settings.DoubleOn.ANY_NUMBER and not is_free:
        return f"{cards} cards (rules: double on the first two)"
    if split_rank and not may_double_after_split(rules, split_rank):
        if not rules.double_after_split:
            return "the hand was split (rules: no double after a split)"
        return "split aces cannot be doubled"
    if is_free:
        return None
    if double_on is settings.DoubleOn.ANY_TWO or double_on is settings.DoubleOn.ANY_NUMBER:
        return None
    if double_on is settings.DoubleOn.HARD:
        return "rules: double on hard totals only" if is_soft else None
    least = _LEAST_HARD[double_on]
    if is_soft or not least <= total <= _MOST_HARD:
        return f"rules: double on hard {least} to {_MOST_HARD} only"
    return None


def may_double(
    rules: Rules, *, cards: int, total: int, is_soft: bool, split_rank: Rank = 0
) -> bool:
    """Whether the rules let a hand double."""
    reason = why_not_double(rules, cards=cards, total=total, is_soft=is_soft, split_rank=split_rank)
    return reason is None


def say_spots(rules: Rules) -> str:
    """Return the numbers of bets that a round takes: `1 to 7`, or `2`."""
    least, most = rules.min_spots, rules.max_spots
    return str(most) if least == most else f"{least} to {most}"


def say_hands(rules: Rules) -> str:
    """Return the same in hands: `1 hand`, `1 to 7 hands`."""
    return f"{say_spots(rules)} hand{'' if rules.max_spots == 1 else 's'}"


def raise_of_double(rules: Rules, bet: Fraction, doubles: int = 0) -> Fraction:
    """Return what a double adds to a hand with this initial bet that has doubled so often."""
    return bet * ((rules.double_stake - 1) << doubles)


def may_act_doubled(rules: Rules, doubles: int) -> bool:
    """Whether a hand that has doubled so often is asked again: to redouble, or for a rescue."""
    return rules.rescue or doubles < rules.max_doubles


def doubles_free(rules: Rules, *, cards: int, total: int, is_soft: bool) -> bool:
    """Whether the house would pay for a double of a hand that may double."""
    if rules.free_double is settings.FreeDouble.NONE or is_soft or not 9 <= total <= _MOST_HARD:
        return False
    return cards == 2 or rules.free_double is settings.FreeDouble.ANY_NUMBER


def splits_free(rules: Rules, rank: Rank) -> bool:
    """Whether the house pays for the split of a pair of this rank."""
    match rules.free_split:
        case settings.FreeSplit.NOT_TENS:
            return rank != TEN
        case settings.FreeSplit.NOT_FOURS_OR_TENS:
            return rank not in (4, TEN)
    return rules.free_split is settings.FreeSplit.ANY


def may_double_after_split(rules: Rules, split_rank: Rank) -> bool:
    """Whether the hands of a split pair may double on any total."""
    return rules.double_after_split and (split_rank != ACE or rules.double_split_aces)


def may_double_later(rules: Rules, split_rank: Rank = 0) -> bool:
    """Whether a hand of more than two cards may double on any total."""
    if split_rank and not may_double_after_split(rules, split_rank):
        return False
    return rules.double_on is settings.DoubleOn.ANY_NUMBER


def gets_one_card(rules: Rules, split_rank: Rank) -> bool:
    """Whether each hand of a split pair gets only one card."""
    return split_rank == ACE and not rules.hit_split_aces


def why_not_split(
    rules: Rules,
    cards: Sequence[Card],
    *,
    split_rank: Rank = 0,
    spot_hands: int = 1,
    all_hands: int = 1,
) -> str | None:
    """Return why the rules do not let a hand be split; None if they do.

    `spot_hands` are the hands of its spot so far, `all_hands` those on the table.
    """
    if len(cards) != 2 or cards[0].rank != cards[1].rank:
        return "it is not a pair"
    if rules.max_hands == 1:
        return "this house has no split"
    if not is_pair(rules, cards):
        return "the cards differ (rules: split cards of the same rank only)"
    if not may_resplit(rules, split_rank):
        return "aces were split before (rules: no resplit of aces)"
    if rank_name(cards[0].rank) in rules.never_split:
        return f"pairs of {rank_name(cards[0].rank)} are never split here"
    most = _most_by_rank(rules, cards[0].rank)
    if most is not None and spot_hands >= most:
        return f"there are {spot_hands} hands from this one (rules: {most} at most)"
    if rules.max_total_hands is not None and all_hands >= rules.max_total_hands:
        return f"there are {all_hands} hands (rules: {rules.max_total_hands} in all)"
    return None


def is_pair(rules: Rules, cards: Sequence[Card]) -> bool:
    """Whether two cards are a pair, even if they may not be split."""
    if len(cards) != 2 or cards[0].rank != cards[1].rank:
        return False
    return rules.split_by is settings.SplitBy.VALUE or cards[0].face == cards[1].face


def find_pair(rules: Rules, ranks: Sequence[Rank], *, are_equal_faces: bool) -> Rank:
    """Return the rank of the pair that two ranks make, 0 if they make none.

    `are_equal_faces` distinguishes two kings from a king and a queen.
    """
    if len(ranks) != 2 or ranks[0] != ranks[1]:
        return 0
    return ranks[0] if are_equal_faces or rules.split_by is settings.SplitBy.VALUE else 0


def needs_equal_faces(rules: Rules, rank: Rank) -> bool:
    """Whether two cards of this rank need equal faces to be a pair."""
    return rank == TEN and rules.split_by is settings.SplitBy.RANK


def may_resplit(rules: Rules, split_rank: Rank) -> bool:
    """Whether a pair in a hand split from this rank may be split again."""
    return split_rank != ACE or rules.resplit_aces


def most_hands(rules: Rules) -> int | None:
    """Return how many hands one spot, alone at the table, may become; None for no limit."""
    return hands_left(rules, spot_hands=0, all_hands=0)


def may_split(rules: Rules) -> bool:
    """Whether a hand may be split at all."""
    return most_hands(rules) != 1


def _most_by_rank(rules: Rules, rank: Rank) -> int | None:
    """Return how many hands the rules allow a pair of a rank, if it may be split again."""
    limits = (rules.max_hands, rules.max_ace_hands if rank == ACE else None)
    return min((most for most in limits if most is not None), default=None)


def most_hands_of(rules: Rules, rank: Rank) -> int | None:
    """Return how many hands a pair of this rank may become; None for no limit."""
    if rank_name(rank) in rules.never_split:
        return 1
    most = hands_left(rules, spot_hands=0, all_hands=0, rank=rank)
    if may_resplit(rules, rank):
        return most
    return 2 if most is None else min(most, 2)


def makes_free_hands(rules: Rules) -> bool:
    """Whether a split can give a hand that the house pays for."""
    return any(splits_free(rules, rank) and most_hands_of(rules, rank) != 1 for rank in RANKS)


def hands_left(rules: Rules, *, spot_hands: int, all_hands: int, rank: Rank = 0) -> int | None:
    """Return how many more hands the rules allow a spot; None for no limit.

    `rank` is that of its pair, where it is known.
    """
    limits = []
    if (most := _most_by_rank(rules, rank)) is not None:
        limits.append(most - spot_hands)
    if rules.max_total_hands is not None:
        limits.append(rules.max_total_hands - all_hands)
    return max(min(limits), 0) if limits else None


def makes_natural(rules: Rules, split_rank: Rank) -> bool:
    """Whether an ace and a ten are a natural: always in a hand that was not split."""
    match rules.split_naturals:
        case settings.SplitNaturals.ALWAYS:
            return split_rank in (0, ACE, TEN)
        case settings.SplitNaturals.ON_TENS:
            return split_rank in (0, TEN)
    return split_rank == 0


def may_complete_natural(upcard: Rank) -> bool:
    """Whether one more card can make a natural of the dealer's upcard."""
    return upcard in (ACE, TEN)


def dealer_peeks(rules: Rules, upcard: Rank) -> bool:
    """Whether the dealer looks for a natural before the players act."""
    return rules.hole_card is settings.HoleCard.PEEK and may_complete_natural(upcard)


def looks_before_answer(rules: Rules, *, upcard: Rank, cards: int) -> bool:
    """Whether any look for a natural comes before the answer of a hand.

    Early surrender is offered before the look, to the first two cards only.
    """
    surrenders_first = cards == 2 and surrenders_before_look(rules, upcard)
    return rules.hole_card is settings.HoleCard.PEEK and not surrenders_first


def dealer_draws(
    rules: Rules,
    total: int,
    *,
    is_soft: bool,
    was_softened: bool = False,
    player_total: int | None = None,
) -> bool:
    """Whether the dealer takes another card.

    `was_softened`: the last card made an ace count 1. `player_total` matters only to a dealer who
    stops when ahead. Source for until-ahead: document 000. The dealer draws on 16 or less unless
    already ahead; an opening A A, where one ace was just softened, draws before comparing.
    """
    if (
        rules.dealer_rule is settings.DealerRule.UNTIL_AHEAD
        and player_total is not None
        and total <= BUST_LIMIT
    ):
        if was_softened:
            return True
        if total > player_total:
            return False
    if total == DEALER_STANDS_ON and rules.soft_17 is settings.Soft17.HIT:
        return is_soft
    return total < DEALER_STANDS_ON


def busts_live(rules: Rules, upcard: Rank) -> bool:
    """Whether a busted hand still wins if the dealer busts with more than 22."""
    return rules.busts_live and (upcard == ACE or upcard >= _FIRST_TO_LIVE)


def offers_insurance(rules: Rules, upcard: Rank) -> bool:
    """Whether insurance is offered against this upcard."""
    return rules.insurance and upcard == ACE


def is_early_surrender(rules: Rules) -> bool:
    """Whether half the bet is lost whatever the dealer has, where surrender is offered."""
    return rules.surrender in (settings.Surrender.EARLY, settings.Surrender.EARLY_V_TEN)


def is_late_surrender(rules: Rules) -> bool:
    """Whether surrender is offered after the look for a natural only."""
    return rules.surrender in (settings.Surrender.LATE, settings.Surrender.ANY_CARDS)


def why_not_surrender(
    rules: Rules, *, upcard: Rank, cards: int, split_rank: Rank = 0, doubles: int = 0
) -> str | None:
    """Return why the rules do not let a hand surrender, first or in its turn; None if they do."""
    if doubles:
        return None if rules.rescue else "the hand was doubled (rules: no rescue)"
    if rules.surrender is settings.Surrender.NONE:
        return "this house has no surrender"
    if split_rank:
        return "the hand was split (rules: no surrender after a split)"
    if cards != 2 and rules.surrender is not settings.Surrender.ANY_CARDS:
        return f"{cards} cards (rules: surrender on the first two)"
    if upcard != TEN and rules.surrender is settings.Surrender.EARLY_V_TEN:
        return "the dealer shows no ten (rules: surrender against a ten only)"
    return None


def may_surrender(rules: Rules, *, upcard: Rank, cards: int, split_rank: Rank = 0) -> bool:
    """Whether the rules let a hand surrender, first or in its turn."""
    reason = why_not_surrender(rules, upcard=upcard, cards=cards, split_rank=split_rank)
    return reason is None


def surrenders_before_look(rules: Rules, upcard: Rank) -> bool:
    """Whether surrender is offered before the dealer looks for a natural."""
    is_early = is_early_surrender(rules) and may_surrender(rules, upcard=upcard, cards=2)
    return is_early and dealer_peeks(rules, upcard)


def offers_surrender_first(rules: Rules, upcard: Rank) -> bool:
    """Whether surrender is a separate offer, before the look or before the splits."""
    if not may_surrender(rules, upcard=upcard, cards=2):
        return False
    comes_before_splits = rules.turn_order is settings.TurnOrder.SPLITS_FIRST
    return comes_before_splits or surrenders_before_look(rules, upcard)


def natural_beats_surrender(rules: Rules) -> bool:
    """Whether a dealer's natural takes the whole bet of a surrendered hand."""
    return is_late_surrender(rules) and rules.hole_card is not settings.HoleCard.PEEK


def surrender_ev(rules: Rules, natural: float) -> float:
    """Return the EV of a surrender per initial bet, given the chance of a dealer's natural.

    `natural` is 0 once a natural is ruled out.
    """
    return -(1 - natural) / 2 - natural if natural_beats_surrender(rules) else -0.5


def is_nonstandard(rules: Rules) -> bool:
    """Whether the ace rule is non-standard, or the dealer looks at the player."""
    return rules.ace_rule is not AceRule.BEST or rules.dealer_rule is not settings.DealerRule.TO_17


def one_hand(rules: Rules) -> Rules:
    """Return the rules of each of two hands, for values after a swap or without one."""
    return rules.replace(switch=False, max_spots=1) if rules.switch else rules


def takes_busted(rules: Rules) -> bool:
    """Whether a natural takes all bets of busted hands, and one bet of others."""
    return rules.natural_takes not in (settings.NaturalTakes.ALL, settings.NaturalTakes.ORIGINAL)


def takes_first(rules: Rules) -> bool:
    """Whether a natural takes the bet of a spot's first hand, and those of busted hands."""
    return rules.natural_takes is settings.NaturalTakes.ORIGINAL_AND_BUSTED


def has_free_bets(rules: Rules) -> bool:
    """Whether the house pays for some bets: they are won and not lost."""
    is_free = rules.free_double is not settings.FreeDouble.NONE
    return is_free or rules.free_split is not settings.FreeSplit.NONE


def acts_doubled(rules: Rules) -> bool:
    """Whether doubled hands are asked again, or lose a bonus."""
    return may_act_doubled(rules, 1) or rules.bonuses is not None


def takes_original(rules: Rules) -> bool:
    """Whether a natural leaves some bets of hands that are not bust."""
    return rules.natural_takes is not settings.NaturalTakes.ALL


def wins_later(rules: Rules) -> bool:
    """Whether a hand that won at once keeps it against a natural that does not take all bets."""
    return takes_original(rules) and rules.player_21 is settings.Player21.ALWAYS_WINS


def may_improve_21(rules: Rules) -> bool:
    """Whether a hand of 21 can win more than by standing: a triple stake, or as a charlie."""
    doubles_21 = rules.double_on in (settings.DoubleOn.ANY_TWO, settings.DoubleOn.ANY_NUMBER)
    return rules.charlie is not None or (rules.double_stake > 2 and doubles_21)


def counts_ended(rules: Rules) -> bool:
    """Whether what a natural takes depends on the hands that ended before it."""
    return takes_busted(rules) or wins_later(rules)


def counts_together(rules: Rules) -> bool:
    """Whether that depends on all hands together, not on each of them and which is the first."""
    return counts_ended(rules) and not takes_first(rules)


def asks_first(rules: Rules) -> bool:
    """Whether a round-robin order of splits matters: the first hand has a bet of its own."""
    is_first = rules.free_split is not settings.FreeSplit.NONE or takes_first(rules)
    return is_first and rules.turn_order is settings.TurnOrder.ROUND_ROBIN
