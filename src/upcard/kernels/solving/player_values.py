"""The player's values by backward induction over hands, how often hands are reached, and splits.

All values are expectations over the round from here, *unnormalised* where the dealer peeks: they
count only the cases without a dealer natural. Cards are exchangeable, so the player draws with
plain odds although the hole card is known not to make a natural. With `natural_takes_all` 1 the
values include the cases with a dealer natural, as the loss of the bets.

Consider one hand of the pair's rank X. Cards drawn by other hands of its spot affect it only by
whether they are pair cards or not, so its value is N(e, b): e extra pair cards and b other cards
are known to have left. A card that leaves unseen changes nothing on average:

    N(e, b) = p N(e + 1, b) + (1 - p) N(e, b + 1),   p = pair cards left / cards left

so N(e, b) follows from N(e, 0) alone, the hand evaluated with e pair cards removed. The number of
hands is an urn process: each second card is a pair card, which splits again while there is room, or
ends a hand. All its orders with the same number of pair cards are equally likely.

A bet that the house adds (free doubles and splits) is won and not lost. A free hand, which comes of
a free split, is worth what it wins, and has a best play of its own; the first hand of the split is
the paid one.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import Floats, kernel
from upcard.kernels.solving.dealer_hands import NATURAL_COLUMN, TWENTY_TWO_COLUMN
from upcard.kernels.solving.hand_sets import HandArrays

STAND, HIT, DOUBLE, SURRENDER = range(4)
FOLLOW, CHOOSE, FOLLOW_CHART = range(3)
"""Uses of a plan: as it is, to write it, and as it is but for doubled hands, of which charts say
nothing."""
PAID_DOUBLE: Final = 1
FREE_DOUBLE: Final = 2


class Payoffs(NamedTuple):
    """The rules that settle a hand."""

    nets: Floats
    """22 x 22: net of a total that stands against the dealer's."""
    natural_takes_all: float
    """1 if a dealer's natural takes all bets, 0 if values exclude dealer naturals."""
    natural_takes_busted: float
    """1 if they are excluded but for what a natural takes of busted doubles beyond one bet."""
    spot_loss: float
    """Bet that a natural takes of the spot, if values exclude naturals: 1, or 0 in a split,
    whose spot loses it once."""
    wins_later: int
    """1 if values exclude naturals, and a hand that won at once keeps what it won."""
    natural_ties_21: float
    """1 if a dealer's natural only ties another 21, else 0."""
    natural_pays: float
    natural_tied: float
    """Value of a split hand's natural against the dealer's."""
    charlie: int
    """Number of cards that win at once, 0 for no such rule."""
    charlie_pays: float
    wins_21: int
    """1 if a 21 wins at once unless the dealer has a natural."""
    always_wins_21: int
    """1 if a 21 wins at once whatever the dealer has, doubled or not."""
    double_stake: float
    min_stand: int
    """Least total to stand on, 0 for any."""
    surrenders: int
    """1 if hands of any number of cards may surrender, late."""
    busts_live: int
    """1 if a busted hand wins if the dealer busts with more than 22: it is a hand of its own."""
    pushes_22: int
    """1 if a dealer's 22 pushes hands that stand: the outcomes have its column."""
    has_free_bets: int
    """1 if some bets are won and not lost."""
    stake: float
    """The bet of a hand before a double: 1, or 0 for a free hand."""
    pays_21: Floats
    """Pay of a 21 that always wins, by hand; of no length without bonuses."""
    doubled: int
    """How often a hand may double where doubled hands are asked again, or lose a bonus; else 0."""
    rescues: int
    """1 if a doubled hand may be surrendered."""
    suited: NDArray[np.int32]
    """Hands of two cards whose suits decide what a third card pays; mostly none. k hands."""
    suited_needs: NDArray[np.int32]
    """The rank of that third card."""
    suited_chances: Floats
    """k x 3: chance that the two cards are mixed, of one suit but not spades, and spades."""
    suited_extras: Floats
    """k x 3: the additional pay of the third card over mixed suits, on average over its suits."""


class HandPlan(NamedTuple):
    """The action for every hand: STAND, HIT, DOUBLE or SURRENDER."""

    opening: NDArray[np.int8]
    """For hands of two cards."""
    later: NDArray[np.int8]
    """For hands of more cards."""
    doubled: NDArray[np.int8]
    """For hands that have doubled once, twice and so on: a row each, none if they are not asked."""
    suited: NDArray[np.int8]
    """For hands of two cards by their suits, as `Payoffs.suited_chances`."""


def empty_plan(size: int, payoffs: Payoffs) -> HandPlan:
    """Make a plan for a number of hands, which stands on all."""
    opening, later = np.zeros((2, size), dtype=np.int8)
    doubled = np.zeros((payoffs.doubled, size), dtype=np.int8)
    return HandPlan(opening, later, doubled, np.zeros(payoffs.suited_chances.shape, dtype=np.int8))


class Values(NamedTuple):
    """Arrays over hands, filled by `evaluate_hands`. `best` is the value of the action taken."""

    stand: Floats
    hit: Floats
    double: Floats
    best: Floats
    won: Floats
    """Win of a bet on a hand that stands; like `lost` only where some bets are free."""
    lost: Floats
    """Loss of a stake on it."""
    doubled: Floats
    """Values of hands that have doubled once, twice and so on, per initial bet: a row each."""


def make_values(size: int, payoffs: Payoffs) -> Values:
    """Make arrays for a number of hands, not filled; those of free bets where needed."""
    doubled = np.empty((payoffs.doubled, size))
    if payoffs.has_free_bets:
        stand, hit, double, best, won, lost = np.empty((6, size))
        return Values(stand, hit, double, best, won, lost, doubled)
    stand, hit, double, best = np.empty((4, size))
    return Values(stand, hit, double, best, stand, stand, doubled)


@kernel
def _stand_otherwise(
    chances: Floats,
    hand: int,
    total: int,
    waits: bool,  # noqa: FBT001 (compiled)
    stand: float,
    payoffs: Payoffs,
    values: Values,
) -> float:
    """Return the value of a standing hand where a 22 pushes or bets are free; `stand` is the usual.

    `chances` are those of the dealer's ends; `waits` is whether the hand waits for them.
    """
    if waits and payoffs.pushes_22:
        stand -= chances[TWENTY_TWO_COLUMN]
    if not payoffs.has_free_bets:
        return stand
    won = stand
    if waits:
        won = 1.0
        for column in range(chances.shape[0]):
            is_total = column < NATURAL_COLUMN
            if not is_total or payoffs.nets[total, 17 + column] <= 0.0:
                won -= chances[column]
    values.won[hand] = won
    values.lost[hand] = won - stand
    return stand if payoffs.stake > 0.0 else won


@kernel
def fill_stand(
    outcomes: Floats,
    of_hand: NDArray[np.int32],
    which: NDArray[np.int32],
    hands: HandArrays,
    payoffs: Payoffs,
    values: Values,
) -> None:
    """Fill the value of standing for the hands in `which`, where the context has them.

    It is their best value too until `evaluate_hands` or `follow_plan` finds another.

    `outcomes` are the dealer's against the upcard, by set; `of_hand` are its rows for hands.
    """
    total, cards = hands.total, hands.cards
    is_plain = not (payoffs.pushes_22 or payoffs.has_free_bets)
    for position in range(which.shape[0]):
        hand = which[position]
        row = of_hand[hand]
        if row < 0:
            continue
        natural = outcomes[row, NATURAL_COLUMN]
        if total[hand] > 21:
            lost = payoffs.natural_takes_all * natural
            for column in range(outcomes.shape[1]):
                lost += outcomes[row, column] if column != NATURAL_COLUMN else 0.0
            won = 1.0 - lost - natural * (1.0 - payoffs.natural_takes_all)
            values.stand[hand] = values.best[hand] = (
                won - lost if payoffs.busts_live else -won - lost
            )
            continue
        won = 0.0
        if payoffs.charlie and cards[hand] >= payoffs.charlie:
            won = payoffs.charlie_pays
        elif payoffs.always_wins_21 and total[hand] == 21:
            won = payoffs.pays_21[hand] if payoffs.pays_21.shape[0] else 1.0
        if won > 0.0 and payoffs.wins_later:
            stand = won + natural * payoffs.spot_loss
        elif won > 0.0:
            stand = won * (1.0 - natural * (1.0 - payoffs.natural_takes_all))
        else:
            ended = 0.0
            net = 0.0
            for column in range(NATURAL_COLUMN):
                chance = outcomes[row, column]
                ended += chance
                net += chance * payoffs.nets[total[hand], 17 + column]
            bust = 1.0 - ended - natural
            loss = payoffs.natural_takes_all * natural
            if total[hand] == 21:
                loss *= 1.0 - payoffs.natural_ties_21
            stand = bust + net - loss
        if not is_plain:
            waits = won == 0.0
            stand = _stand_otherwise(
                outcomes[row], hand, total[hand], waits, stand, payoffs, values
            )
        values.stand[hand] = stand
        values.best[hand] = stand


@kernel
def _double_with_free_bets(
    left: Floats,
    cards_left: float,
    matching: int,
    after_hand: NDArray[np.int32],
    is_free: bool,  # noqa: FBT001 (compiled)
    payoffs: Payoffs,
    values: Values,
) -> float:
    """Return the value of a double that can win more than it stakes.

    `after_hand` is what one more card of each rank makes of the hand.
    """
    stake = payoffs.stake if is_free else payoffs.stake + payoffs.double_stake - 1.0
    double = 0.0
    for rank in range(1, 11):
        if left[rank] <= 0:
            continue
        chance = left[rank] / cards_left
        after = after_hand[rank]
        if after >= 0:
            won = payoffs.double_stake * values.won[after]
            double += chance * (won - stake * values.lost[after])
        else:
            lost = stake
            if matching and payoffs.natural_takes_all == 0.0:
                matching_left = left[matching] - (1.0 if rank == matching else 0.0)
                lost *= 1.0 - matching_left / (cards_left - 1)
            double -= chance * lost
    return double


@kernel
def _double_and_act(
    left: Floats,
    cards_left: float,
    matching: int,
    after_hand: NDArray[np.int32],
    times: int,
    stake: float,
    payoffs: Payoffs,
    values: Values,
) -> float:
    """Return the value of a double for the `times`-th time, from 0, after which `stake` is at risk.

    The hand may redouble, or be surrendered, after its card.
    """
    value = 0.0
    for rank in range(1, 11):
        if left[rank] <= 0:
            continue
        chance = left[rank] / cards_left
        after = after_hand[rank]
        if after >= 0:
            value += chance * values.doubled[times, after]
        else:
            lost = stake
            if matching and payoffs.natural_takes_all == 0.0:
                matching_left = left[matching] - (1.0 if rank == matching else 0.0)
                natural = matching_left / (cards_left - 1)
                lost -= natural * stake
                lost += payoffs.natural_takes_busted * natural * (stake - payoffs.spot_loss)
            value -= chance * lost
    return value


@kernel
def value_redouble(
    hand: int,
    shoe: Floats,
    matching: int,
    times: int,
    stake: float,
    hands: HandArrays,
    payoffs: Payoffs,
    values: Values,
) -> float:
    """Return the value of a double by a hand that has doubled `times`; see `evaluate_hands`."""
    left = np.empty(11)
    cards_left = 0.0
    for rank in range(1, 11):
        left[rank] = shoe[rank] - hands.counts[hand, rank]
        cards_left += left[rank]
    return _double_and_act(
        left, cards_left, matching, hands.next_hand[hand], times, stake, payoffs, values
    )


@kernel
def _fill_doubled(
    hand: int,
    left: Floats,
    cards_left: float,
    matching: int,
    acts: bool,  # noqa: FBT001 (compiled)
    chooses: bool,  # noqa: FBT001 (compiled)
    hands: HandArrays,
    payoffs: Payoffs,
    plan: HandPlan,
    values: Values,
) -> None:
    """Fill the values of a hand that has doubled; those of hands with more cards must be there."""
    stand = values.stand[hand]
    is_21 = payoffs.always_wins_21 and hands.total[hand] == 21
    natural = left[matching] / cards_left if matching and cards_left > 0 else 0.0
    kept = payoffs.spot_loss * natural if payoffs.wins_later and is_21 else 0.0
    if payoffs.pays_21.shape[0] and is_21:
        stand = (stand - kept) / payoffs.pays_21[hand] + kept
    stake = payoffs.double_stake
    for times in range(payoffs.doubled):
        best = stake * (stand - kept) + kept
        action = STAND
        if acts:
            given = plan.doubled[times, hand]
            if payoffs.rescues:
                rescue = -0.5 * stake * (1.0 - natural)
                if (chooses and rescue > best) or (not chooses and given == SURRENDER):
                    best = rescue
                    action = SURRENDER
            if times + 1 < payoffs.doubled:
                again = _double_and_act(
                    left, cards_left, matching, hands.next_hand[hand], times + 1, 2.0 * stake,
                    payoffs, values,
                )  # fmt: skip
                if (chooses and again > best) or (not chooses and given == DOUBLE):
                    best = again
                    action = DOUBLE
        if chooses:
            plan.doubled[times, hand] = action
        values.doubled[times, hand] = best
        stake *= 2.0


@kernel
def _choose(
    stand: float,
    hit: float,
    double: float,
    surrender: float,
    may_double: bool,  # noqa: FBT001 (compiled)
    may_stand: bool,  # noqa: FBT001 (compiled)
    may_surrender: bool,  # noqa: FBT001 (compiled)
) -> int:
    """Return the action with the highest value."""
    action = HIT if hit > stand or not may_stand else STAND
    best = hit if action == HIT else stand
    if may_double and double > best:
        action = DOUBLE
        best = double
    if may_surrender and surrender > best:
        action = SURRENDER
    return action


@kernel
def _value_of(action: int, stand: float, hit: float, double: float, surrender: float) -> float:
    if action == SURRENDER:
        return surrender
    if action == STAND:
        return stand
    return hit if action == HIT else double


@kernel
def follow_plan(
    shoe: Floats,
    matching: int,
    order: NDArray[np.int32],
    hands: HandArrays,
    may_double: NDArray[np.int8],
    payoffs: Payoffs,
    plan: HandPlan,
    values: Values,
) -> None:
    """Fill `values.best` for hands in `order` that follow a plan, as `evaluate_hands` does.

    Values of other actions are not computed.
    """
    counts, next_hand, total, cards = hands.counts, hands.next_hand, hands.total, hands.cards
    left = np.empty(11)
    for position in range(order.shape[0]):
        hand = order[position]
        stand = values.stand[hand]
        is_settled = payoffs.charlie > 0 and cards[hand] >= payoffs.charlie
        wins = total[hand] == 21 and payoffs.wins_21 and not is_settled
        action = plan.opening[hand] if cards[hand] == 2 else plan.later[hand]
        if not wins and (action == STAND or total[hand] == 21 or is_settled):
            values.best[hand] = stand
            continue
        cards_left = 0.0
        is_possible = True
        for rank in range(1, 11):
            left[rank] = shoe[rank] - counts[hand, rank]
            if left[rank] < 0:
                is_possible = False
            cards_left += left[rank]
        if not is_possible or cards_left < 2:
            values.best[hand] = stand
            continue
        if wins:
            natural = left[matching] / cards_left if matching else 0.0
            loss = payoffs.natural_takes_all * (1.0 - payoffs.natural_ties_21) * natural
            values.best[hand] = 1.0 - natural - payoffs.stake * loss
            continue
        is_free = may_double[hand] == FREE_DOUBLE
        if action == DOUBLE and (is_free or payoffs.stake == 0.0):
            values.best[hand] = _double_with_free_bets(
                left, cards_left, matching, next_hand[hand], is_free, payoffs, values
            )
            continue
        following = values.best if action == HIT else values.stand
        value = 0.0
        for rank in range(1, 11):
            if left[rank] <= 0:
                continue
            chance = left[rank] / cards_left
            after = next_hand[hand, rank]
            if after >= 0:
                value += chance * following[after]
            else:
                lost = 1.0
                if matching and payoffs.natural_takes_all == 0.0:
                    matching_left = left[matching] - (1.0 if rank == matching else 0.0)
                    lost -= matching_left / (cards_left - 1)
                value -= chance * lost * payoffs.stake
        values.best[hand] = value if action == HIT else payoffs.double_stake * value


@kernel
def evaluate_hands(
    shoe: Floats,
    matching: int,
    order: NDArray[np.int32],
    hands: HandArrays,
    may_double: NDArray[np.int8],
    payoffs: Payoffs,
    use: int,
    plan: HandPlan,
    values: Values,
) -> None:
    """Evaluate hands in `order` (most cards first), choosing actions or following given ones.

    `shoe` is without the upcard and all other cards that have left it except the hand; `matching`
    is the rank that makes a natural with the upcard, 0 or 0. `use` says what becomes of `plan`.
    `may_double` is 0, PAID_DOUBLE or FREE_DOUBLE by hand; `values.stand` must be filled.
    """
    counts, next_hand, total, cards = hands.counts, hands.next_hand, hands.total, hands.cards
    opening, later = plan.opening, plan.later
    left = np.empty(11)
    for position in range(order.shape[0]):
        hand = order[position]
        cards_left = 0.0
        is_possible = True
        for rank in range(1, 11):
            left[rank] = shoe[rank] - counts[hand, rank]
            if left[rank] < 0:
                is_possible = False
            cards_left += left[rank]
        stand = values.stand[hand]
        if not is_possible or cards_left < 2:
            values.hit[hand] = stand
            values.double[hand] = payoffs.double_stake * stand
            values.best[hand] = stand
            if payoffs.doubled:
                _fill_doubled(
                    hand, left, cards_left, matching, False, False, hands, payoffs, plan, values
                )
            continue
        hit = 0.0
        double = 0.0
        taken = 0.0
        for rank in range(1, 11):
            if left[rank] <= 0:
                continue
            chance = left[rank] / cards_left
            after = next_hand[hand, rank]
            if after >= 0:
                hit += chance * values.best[after]
                double += chance * values.stand[after]
            else:
                lost = 1.0
                if matching and payoffs.natural_takes_all == 0.0:
                    matching_left = left[matching] - (1.0 if rank == matching else 0.0)
                    lost -= matching_left / (cards_left - 1)
                    taken += chance * (1.0 - lost)
                    lost += payoffs.natural_takes_busted * (1.0 - payoffs.spot_loss) * (1.0 - lost)
                hit -= chance * lost * payoffs.stake
                double -= chance * lost
        double *= payoffs.double_stake
        double -= payoffs.natural_takes_busted * (payoffs.double_stake - 1.0) * taken
        is_free = may_double[hand] == FREE_DOUBLE
        if is_free or payoffs.stake == 0.0:
            double = _double_with_free_bets(
                left, cards_left, matching, next_hand[hand], is_free, payoffs, values
            )
        is_settled = payoffs.charlie > 0 and cards[hand] >= payoffs.charlie
        if payoffs.doubled:
            acts = not is_settled and total[hand] != 21
            _fill_doubled(
                hand, left, cards_left, matching, acts, use != FOLLOW, hands, payoffs, plan, values
            )
            double = _double_and_act(
                left, cards_left, matching, next_hand[hand], 0, payoffs.double_stake, payoffs,
                values,
            )  # fmt: skip
        values.hit[hand] = hit
        values.double[hand] = double
        if total[hand] == 21 and payoffs.wins_21 and not is_settled:
            natural = left[matching] / cards_left if matching else 0.0
            loss = payoffs.natural_takes_all * (1.0 - payoffs.natural_ties_21) * natural
            values.best[hand] = 1.0 - natural - payoffs.stake * loss
            continue
        if total[hand] == 21 or is_settled:
            opening[hand] = STAND
            later[hand] = STAND
            values.best[hand] = stand
            continue
        surrender = 0.0
        if payoffs.surrenders:
            natural = left[matching] / cards_left if matching else 0.0
            surrender = -0.5 * (1.0 - natural) - payoffs.natural_takes_all * natural
        may = may_double[hand] != 0, total[hand] >= payoffs.min_stand, payoffs.surrenders != 0
        if use == CHOOSE:
            action = _choose(stand, hit, double, surrender, *may)
            if cards[hand] == 2:
                opening[hand] = action
            later[hand] = action
        action = opening[hand] if cards[hand] == 2 else later[hand]
        values.best[hand] = _value_of(action, stand, hit, double, surrender)
        for pair in range(payoffs.suited.shape[0] if cards[hand] == 2 else 0):
            if payoffs.suited[pair] != hand:
                continue
            rank = payoffs.suited_needs[pair]
            after = next_hand[hand, rank]
            unit = left[rank] / cards_left
            if not payoffs.wins_later:
                unit *= values.stand[after] / payoffs.pays_21[after]
            best = 0.0
            values.hit[hand] = 0.0
            for suits in range(payoffs.suited_chances.shape[1]):
                more = hit + unit * payoffs.suited_extras[pair, suits]
                if use == CHOOSE:
                    plan.suited[pair, suits] = _choose(stand, more, double, surrender, *may)
                elif use == FOLLOW_CHART:
                    plan.suited[pair, suits] = action
                chance = payoffs.suited_chances[pair, suits]
                kept = plan.suited[pair, suits]
                best += chance * _value_of(kept, stand, more, double, surrender)
                values.hit[hand] += chance * more
            values.best[hand] = best


NO_NATURAL: Final = -1
LEARN_NOTHING: Final = 0
"""All rows follow the given plan."""
LEARN_FIRST: Final = 1
"""The first row chooses, the others follow it."""
LEARN_EACH: Final = 2
"""Each row chooses its own actions; the recurrence then mixes their plans."""
LEARN_AND_KEEP: Final = 3
"""Each row chooses its own actions, and its plan is followed through the recurrence."""


class SplitHands(NamedTuple):
    """The hands that can follow from one card of a pair."""

    rank: int
    first_card: int
    """Index of the hand that is this one card."""
    natural: int
    """Index of the two-card hand that counts as a natural after this split, -1 if none does."""
    played: NDArray[np.int32]
    """The hands that may do better than stand, most cards first: none if each gets one card."""
    standing: NDArray[np.int32]
    """The hands whose value of standing is needed."""
    may_double: NDArray[np.int8]


class SplitOrders(NamedTuple):
    """The orders in which second cards make h hands, of which j stay pairs.

    Shapes: rows (h, j, plain, paired), the numbers of hands in all the orders together that end
    with another card and as a pair. Only the last number of hands has pairs left over.
    """

    every: Floats
    """All hands."""
    first: Floats
    """The first hand, which is asked before the others."""
    others: Floats


@cache
def count_split_orders(most_hands: int) -> SplitOrders:
    """Count the orders of second cards in a split by the number of hands."""
    orders: dict[tuple[int, int], int] = {}
    first_paired: dict[tuple[int, int], int] = {}
    layer = {(2, 2, 0, False): 1}
    while layer:
        following: dict[tuple[int, int, int, bool], int] = {}
        for (hands, waiting, pairs, is_first), count in layer.items():
            plain = (hands, waiting - 1, pairs, is_first)
            pair = (
                (hands + 1, waiting + 1, pairs, False)
                if hands < most_hands
                # While no hand has ended, the card is for the first.
                else (hands, waiting - 1, pairs + 1, is_first or waiting == hands)
            )
            for key in (plain, pair):
                if key[1] == 0:
                    end = (key[0], key[2])
                    orders[end] = orders.get(end, 0) + count
                    first_paired[end] = first_paired.get(end, 0) + count * key[3]
                else:
                    following[key] = following.get(key, 0) + count
        layer = following
    rows = [(*end, orders[end], first_paired[end]) for end in sorted(orders)]
    hands_made, pairs_left, counts, paired = np.array(rows, dtype=np.float64).T
    every = counts * (hands_made - pairs_left), counts * pairs_left
    first = counts - paired, paired
    others = every[0] - first[0], every[1] - first[1]
    return SplitOrders(
        *(np.stack([hands_made, pairs_left, *ended], axis=1) for ended in (every, first, others))
    )


@kernel
def evaluate_split(
    shoe: Floats,
    matching: int,
    pair_cards: float,
    split: SplitHands,
    outcomes: Floats,
    of_hand: NDArray[np.int32],
    hands: HandArrays,
    payoffs: Payoffs,
    learn: int,
    plan: HandPlan,
    split_orders: Floats,
    values: Values,
) -> float:
    """Return the value of splitting a pair, over the hands that `split_orders` count.

    `shoe` is without the upcard and both pair cards; `pair_cards` of its cards make a further pair.
    Row e of `of_hand` are the hands with e extra pair cards out, for as many rows as the shoe has
    pair cards or the split orders need. `learn` selects the rows that choose their own best
    actions.
    """
    extras = of_hand.shape[0]
    most_known = 2 * int(split_orders[-1, 0]) - 3
    plain = np.zeros((extras + 1, most_known + 1))
    paired = np.zeros((extras + 1, most_known + 1))
    cards_left = 0.0
    for rank in range(1, 11):
        cards_left += shoe[rank]
    own_plain = np.zeros_like(plain)
    own_paired = np.zeros_like(paired)
    # If each number of extra pair cards has a fixed plan of its own every plan must be followed
    # through the rows that its recurrence needs.
    for first in range(extras if learn == LEARN_AND_KEEP else 1):
        own_plain[:] = 0.0
        own_paired[:] = 0.0
        for extra in range(first, extras):
            if pair_cards - extra < 0 or cards_left - extra < 1:
                break
            learns = learn == LEARN_EACH or (learn != LEARN_NOTHING and extra == first)
            _evaluate_row(
                shoe, matching, pair_cards, cards_left, extra, split, outcomes, of_hand[extra],
                hands, payoffs, learns, plan, values, own_plain, own_paired,
            )  # fmt: skip
        for others in range(most_known):
            for extra in range(first, min(extras, most_known - others)):
                among = cards_left - extra - others
                chance = max(pair_cards - extra, 0.0) / among if among > 0 else 1.0
                if chance < 1.0:
                    for known in (own_plain, own_paired):
                        known[extra, others + 1] = (
                            known[extra, others] - chance * known[extra + 1, others]
                        ) / (1.0 - chance)
        if learn == LEARN_AND_KEEP:
            plain[first, :] = own_plain[first, :]
            paired[first, :] = own_paired[first, :]
        else:
            plain[:] = own_plain
            paired[:] = own_paired
    value = 0.0
    for row in range(split_orders.shape[0]):
        made, pairs = split_orders[row, 0], split_orders[row, 1]
        drawn_pairs = int(made - 2 + pairs)
        ended = int(made - pairs)
        if split_orders[row, 2] > 0:
            chance = _chance_of_cards(pair_cards, cards_left, drawn_pairs, ended - 1)
            if chance > 0:
                value += split_orders[row, 2] * chance * plain[drawn_pairs, ended - 1]
        if split_orders[row, 3] > 0:
            chance = _chance_of_cards(pair_cards, cards_left, drawn_pairs - 1, ended)
            if chance > 0:
                value += split_orders[row, 3] * chance * paired[drawn_pairs - 1, ended]
    return value


@kernel
def _evaluate_row(
    shoe: Floats,
    matching: int,
    pair_cards: float,
    cards_left: float,
    extra: int,
    split: SplitHands,
    outcomes: Floats,
    of_hand: NDArray[np.int32],
    hands: HandArrays,
    payoffs: Payoffs,
    learns: bool,  # noqa: FBT001 (compiled)
    plan: HandPlan,
    values: Values,
    plain: Floats,
    paired: Floats,
) -> None:
    """Fill `plain[extra, 0]` and `paired[extra, 0]`: a hand's value with its second card drawn.

    Weighted by the chance of a second card that ends the hand's splitting, or makes a new pair.
    """
    pairs_out = pair_cards - extra
    left = np.empty(11)
    for rank in range(11):
        left[rank] = shoe[rank]
    # `counts` already includes the hand's own card of the pair.
    left[split.rank] += 1.0 - extra
    fill_stand(outcomes, of_hand, split.standing, hands, payoffs, values)
    if split.natural >= 0 and of_hand[split.natural] >= 0:
        tied = outcomes[of_hand[split.natural], NATURAL_COLUMN]
        won = payoffs.natural_pays * (1.0 - tied)
        net = payoffs.natural_tied if payoffs.stake > 0.0 else max(payoffs.natural_tied, 0.0)
        values.stand[split.natural] = won + net * tied
    is_played = split.played.shape[0] > 0
    if is_played and learns:
        evaluate_hands(
            left, matching, split.played, hands, split.may_double, payoffs, CHOOSE, plan, values
        )
    elif is_played and payoffs.doubled:
        evaluate_hands(
            left, matching, split.played, hands, split.may_double, payoffs, FOLLOW, plan, values
        )
    elif is_played:
        follow_plan(left, matching, split.played, hands, split.may_double, payoffs, plan, values)
    if split.natural >= 0:
        values.best[split.natural] = values.stand[split.natural]
    for rank in range(1, 11):
        of_rank = left[rank] - (1.0 if rank == split.rank else 0.0)
        if of_rank <= 0:
            continue
        hand = hands.next_hand[split.first_card, rank]
        value = values.best[hand] if is_played else values.stand[hand]
        wins_at_once = payoffs.wins_21 and hands.total[hand] == 21 and hand != split.natural
        if wins_at_once and not is_played:
            natural = outcomes[of_hand[hand], NATURAL_COLUMN]
            lost = payoffs.natural_takes_all * (1.0 - payoffs.natural_ties_21)
            value = 1.0 - natural - payoffs.stake * lost * natural
        again = pairs_out if rank == split.rank else 0.0
        plain[extra, 0] += (of_rank - again) / (cards_left - extra) * value
        paired[extra, 0] += again / (cards_left - extra) * value


@kernel
def _end_hands(
    shoe: Floats,
    first_card: int,
    order: NDArray[np.int32],
    hands: HandArrays,
    may_double: NDArray[np.int8],
    payoffs: Payoffs,
    plan: HandPlan,
    one_card: bool,  # noqa: FBT001 (compiled)
    reach: Floats,
    ended: Floats,
) -> None:
    """Fill the chances with which a hand of a split ends before the dealer plays.

    `shoe` is without the hand's first card; `order` has the fewest cards first. `reach` is filled
    with the chance of each hand to be played on, `ended` (hands x ranks) with that of a card that
    makes it bust, if busted bets are lost, or 21, which wins.
    """
    counts, next_hand, total = hands.counts, hands.next_hand, hands.total
    left = np.empty(11)
    for hand in order:
        reach[hand] = 0.0
        ended[hand] = 0.0
    ended[first_card] = 0.0
    reach[first_card] = 1.0
    for position in range(-1, order.shape[0]):
        hand = first_card if position < 0 else order[position]
        if reach[hand] <= 0.0:
            continue
        hits = 1.0
        doubles = 0.0
        if position >= 0:
            action = plan.opening[hand] if hands.cards[hand] == 2 else plan.later[hand]
            if action == DOUBLE and not may_double[hand]:
                action = HIT
            hits = 1.0 if action == HIT else 0.0
            doubles = 1.0 if action == DOUBLE else 0.0
            for pair in range(payoffs.suited.shape[0] if hands.cards[hand] == 2 else 0):
                if payoffs.suited[pair] == hand:
                    hits = 0.0
                    for suits in range(payoffs.suited_chances.shape[1]):
                        if plan.suited[pair, suits] == HIT:
                            hits += payoffs.suited_chances[pair, suits]
        draws = hits + doubles
        if draws == 0.0 or (one_card and position >= 0):
            continue
        cards_left = 0.0
        for rank in range(1, 11):
            left[rank] = shoe[rank] - counts[hand, rank] + counts[first_card, rank]
            cards_left += left[rank]
        for rank in range(1, 11):
            if left[rank] <= 0.0 or cards_left <= 0.0:
                continue
            chance = reach[hand] * left[rank] / cards_left
            after = next_hand[hand, rank]
            if after < 0:
                ended[hand, rank] = draws * chance * payoffs.natural_takes_busted
            elif total[after] == 21 and payoffs.always_wins_21:
                ended[hand, rank] = draws * chance
            else:
                reach[after] += hits * chance


@kernel
def count_ended_pairs(
    shoe: Floats,
    matching: int,
    first_card: int,
    order: NDArray[np.int32],
    hands: HandArrays,
    may_double: NDArray[np.int8],
    payoffs: Payoffs,
    plan: HandPlan,
    one_card: bool,  # noqa: FBT001 (compiled)
) -> float:
    """Return the chance that both hands of a split end before the dealer, who has a natural.

    `shoe` is without the upcard and both pair cards.
    """
    size = hands.cards.shape[0]
    reach, others = np.empty(size), np.empty(size)
    ended, then = np.zeros((size, 11)), np.zeros((size, 11))
    _end_hands(shoe, first_card, order, hands, may_double, payoffs, plan, one_card, reach, ended)
    chance = 0.0
    left = np.empty(11)
    for hand in range(size):
        for rank in range(1, 11):
            if ended[hand, rank] <= 0.0:
                continue
            for other in range(11):
                left[other] = shoe[other] - hands.counts[hand, other]
                left[other] += hands.counts[first_card, other]
            left[rank] -= 1.0
            _end_hands(
                left, first_card, order, hands, may_double, payoffs, plan, one_card, others, then
            )
            for place in range(-1, order.shape[0]):
                second = first_card if place < 0 else order[place]
                among = 0.0
                for last in range(1, 11):
                    among += then[second, last]
                if among <= 0.0:
                    continue
                cards_left = 0.0  # its pair card was out before, its last card is out now
                for other in range(1, 11):
                    cards_left += left[other] - hands.counts[second, other]
                for last in range(1, 11):
                    if then[second, last] > 0.0 and cards_left > 0.0:
                        matching_left = left[matching] - hands.counts[second, matching]
                        matching_left += hands.counts[first_card, matching]
                        matching_left -= 1.0 if last == matching else 0.0
                        chance += (
                            ended[hand, rank] * then[second, last] * matching_left / cards_left
                        )
    return chance


@kernel
def mark_sets(
    of_hand: NDArray[np.int32], standing: NDArray[np.int32], wanted: NDArray[np.bool_]
) -> None:
    """Mark the sets of removed cards that the hands in `standing` have in any context."""
    for context in range(of_hand.shape[0]):
        for position in range(standing.shape[0]):
            row = of_hand[context, standing[position]]
            if row >= 0:
                wanted[row] = True


@kernel
def find_reached(
    first_card: int, order: NDArray[np.int32], hands: HandArrays, plan: HandPlan
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the hands that a plan plays on or that may win at once, and those that may stand.

    `order` are all hands that hold the card, most cards first; so are the results. Most hands never
    occur: a plan does not hit 12 against a 6.
    """
    comes_up = np.zeros(hands.cards.shape[0], np.bool_)
    may_stand = np.zeros(hands.cards.shape[0], np.bool_)
    for rank in range(1, 11):
        second = hands.next_hand[first_card, rank]
        comes_up[second] = True
        may_stand[second] = True
    for position in range(order.shape[0] - 1, -1, -1):
        hand = order[position]
        if not comes_up[hand]:
            continue
        action = plan.opening[hand] if hands.cards[hand] == 2 else plan.later[hand]
        if action == STAND:
            comes_up[hand] = hands.total[hand] == 21
            continue
        for rank in range(1, 11):
            after = hands.next_hand[hand, rank]
            if after >= 0:
                may_stand[after] = True
                if action == HIT:
                    comes_up[after] = True
    return order[comes_up[order]], order[may_stand[order]]


@kernel
def _chance_of_cards(pair_cards: float, cards_left: float, pairs: int, others: int) -> float:
    """Return the chance of `pairs` pair cards, then `others` other cards, in one given order."""
    chance = 1.0
    for drawn in range(pairs):
        chance *= max(pair_cards - drawn, 0.0)
    for drawn in range(others):
        chance *= max(cards_left - pair_cards - drawn, 0.0)
    for drawn in range(pairs + others):
        remaining = cards_left - drawn
        chance = chance / remaining if remaining > 0 else 0.0
    return chance


@kernel
def fill_reach(
    shoe: Floats, order: NDArray[np.int32], hands: HandArrays, plan: HandPlan, reach: Floats
) -> None:
    """Spread the chances in `reach` of two-card hands to all hands that hitting makes of them.

    `shoe` is without the upcard; `order` has the fewest cards first.
    """
    left = np.empty(11)
    for position in range(order.shape[0]):
        hand = order[position]
        if reach[hand] <= 0:
            continue
        action = plan.opening[hand] if hands.cards[hand] == 2 else plan.later[hand]
        if action != HIT:
            continue
        cards_left = 0.0
        for rank in range(1, 11):
            left[rank] = shoe[rank] - hands.counts[hand, rank]
            cards_left += left[rank]
        for rank in range(1, 11):
            after = hands.next_hand[hand, rank]
            if after >= 0 and left[rank] > 0:
                reach[after] += reach[hand] * left[rank] / cards_left
