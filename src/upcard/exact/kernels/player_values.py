"""The player's values by backward induction over hands, and how often hands are reached.

All values are expectations over the round from here, *unnormalised* where the dealer peeks: they
count only the cases without a dealer natural. Cards are exchangeable, so the player draws with
plain odds although the hole card is known not to make a natural. With `natural_takes_all` 1 the
values include the cases with a dealer natural, as the loss of the bets.

A bet that the house adds (free doubles and splits) is won and not lost. A free hand, which comes of
a free split, is worth what it wins, and has a best play of its own; the first hand of the split is
the paid one.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.exact.kernels.dealer_hands import NATURAL_COLUMN, TWENTY_TWO_COLUMN
from upcard.exact.kernels.hand_sets import HandArrays
from upcard.kernels.jit import Floats, Integers, inner_kernel, kernel

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
    """Bet that a natural takes of the spot, if values exclude naturals: 1, or 0 in a hand of a
    split, whose spot loses it once, unless it is that of the first hand."""
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


@inner_kernel
def chance_of_pay(hand: int, payoffs: Payoffs, values: Values) -> float:
    """Return the chance, in kernel values, that a 21 which always wins is paid its bonus.

    A natural that takes one bet leaves it what it won; the value of standing has that bet too.
    """
    if payoffs.wins_later:
        return 1.0
    chance: float = values.stand[hand] / payoffs.pays_21[hand]
    return chance


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
                natural = matching_left / (cards_left - 1)
                taken = payoffs.natural_takes_busted * natural * (lost - payoffs.spot_loss)
                lost *= 1.0 - natural
                lost += taken
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
        cards_left, is_possible = 0.0, True
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
        value, following = 0.0, values.best if action == HIT else values.stand
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
        double -= (
            payoffs.natural_takes_busted * (payoffs.double_stake - 1.0) * payoffs.spot_loss * taken
        )
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
            unit = left[rank] / cards_left * chance_of_pay(after, payoffs, values)
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


@kernel
def sum_by_count(
    tables: Floats,
    odds: Floats,
    before: Floats,
    after: Floats,
    spread: Floats,
    exact: Floats,
    bets: Floats,
    places: Integers,
    kinds: Integers,
    first_place: Integers,
    sums: Floats,
) -> None:
    """Add up entries by whole count, over running counts, for index plays.

    `tables` has the chance, the share asked, the gain and half its second derivative of each entry
    (last axis) at each tilt. `kinds` are the entries' kinds, which share counts: `before` (running
    count) and `after` (running count, kind) are tilts as places between those of the tables, which
    are interpolated linearly; `spread` is the variance of a kind's tilt. `places` (rounding,
    running count, kind), beyond the `first_place` of an entry, says where in `sums` (rounding,
    figure, place) the share, the gain, the share times the `exact` count and the gain times the bet
    are added.
    """
    chance, asked, gain, bend = tables
    last = chance.shape[0] - 2
    nodes = np.empty(spread.shape[0], np.uint64)
    parts = np.empty(spread.shape[0])
    one = np.uint64(1)  # indices that can be negative are checked each time
    for row in range(len(odds)):
        low = np.uint64(min(max(int(np.floor(before[row])), 0), last))
        part = min(max(before[row] - low, 0.0), 1.0)
        for kind in range(spread.shape[0]):
            nodes[kind] = min(max(int(np.floor(after[row, kind])), 0), last)
            parts[kind] = min(max(after[row, kind] - nodes[kind], 0.0), 1.0)
        for entry in range(chance.shape[1]):
            same = np.uint64(kinds[entry])
            node, within = nodes[same], parts[same]
            first, second = chance[low, entry], chance[low + one, entry]
            weight = odds[row] * (first + part * (second - first))
            first, second = asked[node, entry], asked[node + one, entry]
            share = weight * (first + within * (second - first))
            first, second = gain[node, entry], gain[node + one, entry]
            gained = first + within * (second - first)
            first, second = bend[node, entry], bend[node + one, entry]
            gained = weight * (gained - spread[same] * (first + within * (second - first)))
            for rounding in range(places.shape[0]):
                into = np.uint64(first_place[entry] + places[rounding, row, same])
                sums[rounding, 0, into] += share
                sums[rounding, 1, into] += gained
                sums[rounding, 2, into] += share * exact[row, same]
                sums[rounding, 3, into] += gained * bets[row]
