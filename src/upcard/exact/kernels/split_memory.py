"""Split hands played with full memory, for many numbered sets of drawn cards at once.

A layer is the sets of one size, sorted by sum; the sets up to any smaller sum come first in it. A
set's place among those of its size and sum follows from the number of ways to complete it: one sum
of table entries, no search and no hash table.

A state is the set of all cards drawn, the hand in play, and the hands that wait. Finished hands are
no part of it: results add up, and the mean result of a finished hand does not change while others
draw, as the dealer's next cards are as likely before as after. So a hand's result is counted when
it is finished, with the cards known then.

A stage is the play of one hand while given others wait. States of a stage differ by the drawn cards
(a row) and the hand (a column); a card leads to a row of the next layer, which has one card more.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import RANKS, TEN
from upcard.exact.kernels.dealer_hands import NATURAL_COLUMN, TWENTY_TWO_COLUMN
from upcard.exact.kernels.player_values import Payoffs
from upcard.kernels.jit import Floats, Integers, kernel


class CardSets(NamedTuple):
    """Numbering of the sets of cards that a shoe can deal, up to a sum of their ranks."""

    most_sum: int
    before: Integers
    """10 x n x s x c: of the sets of n cards with the sum s from this rank (1 to 9) up, how many
    have fewer than c cards of it."""
    first: Integers
    """n x s: the place in layer n of the first set with this sum, for sums to most_sum + 1."""

    @property
    def layers(self) -> int:
        """The number of sizes, from 0 cards up."""
        return int(self.first.shape[0])


def count_sets(shoe: Floats, most_sum: int) -> Floats:
    """Return the number of sets by size and sum. Shape: n x s."""
    ways = np.ones((1, 1))
    for rank in RANKS:
        ways = _add_rank(ways, rank, int(shoe[rank]), most_sum)
    return ways


def number_sets(shoe: Floats, most_sum: int) -> CardSets:
    """Return the numbering of the sets that `shoe` can deal."""
    ways = [np.ones((1, 1))]
    for rank in reversed(RANKS):
        ways.append(_add_rank(ways[-1], rank, int(shoe[rank]), most_sum))
    sizes = ways[-1].shape[0]
    deepest = int(max(shoe[1:])) + 1
    before = np.zeros((TEN, sizes, most_sum + 1, deepest + 1), dtype=np.int64)
    for rank in RANKS[:-1]:
        above = ways[TEN - rank]
        for drawn in range(min(deepest, most_sum // rank + 1)):
            counted = before[rank, :, :, drawn + 1]
            counted[:] = before[rank, :, :, drawn]
            rows = min(above.shape[0], sizes - drawn)
            columns = min(above.shape[1], most_sum + 1 - drawn * rank)
            if rows > 0 and columns > 0:
                counted[drawn : drawn + rows, drawn * rank : drawn * rank + columns] += above[
                    :rows, :columns
                ].astype(np.int64)
    full = np.zeros((sizes, most_sum + 1), dtype=np.int64)
    full[:, : ways[-1].shape[1]] = ways[-1]
    first = np.zeros((sizes, most_sum + 2), dtype=np.int64)
    np.cumsum(full, axis=1, out=first[:, 1:])
    return CardSets(most_sum, before, first)


def _add_rank(ways: Floats, rank: int, cards: int, most_sum: int) -> Floats:
    """Return the number of sets by size and sum, with up to `cards` of one more rank."""
    cards = min(cards, most_sum // rank)
    columns = min(ways.shape[1] + cards * rank, most_sum + 1)
    more = np.zeros((ways.shape[0] + cards, columns))
    for drawn in range(cards + 1):
        wide = min(ways.shape[1], columns - drawn * rank)
        if wide > 0:
            part = more[drawn : drawn + ways.shape[0], drawn * rank : drawn * rank + wide]
            part += ways[:, :wide]
    used = np.flatnonzero(more.any(axis=1))
    return more[: used[-1] + 1]


@kernel
def find_place(before: Integers, first: Integers, counts: Integers, size: int, total: int) -> int:
    """Return the place of a set in its layer."""
    place: int = first[size, total]
    for rank in range(1, 10):
        drawn = counts[rank]
        place += before[rank, size, total, drawn]
        size -= drawn
        total -= drawn * rank
        if size == 0:
            break
    return place


@kernel
def fill_counts(
    before: Integers,
    first: Integers,
    shoe: Floats,
    size: int,
    start: int,
    end: int,
    counts: Integers,
) -> None:
    """Write the sets from `start` up to `end` of a layer into `counts`, row by row."""
    total = 0
    for place in range(start, end):
        while first[size, total + 1] <= place:
            total += 1
        rest = place - first[size, total]
        cards_left, sum_left = size, total
        row = counts[place - start]
        row[:] = 0
        for rank in range(1, 10):
            drawn = 0
            while (
                drawn < shoe[rank]
                and drawn < cards_left
                and before[rank, cards_left, sum_left, drawn + 1] <= rest
            ):
                drawn += 1
            rest -= before[rank, cards_left, sum_left, drawn]
            row[rank] = drawn
            cards_left -= drawn
            sum_left -= drawn * rank
        row[10] = cards_left


FIRST_CARD: Final = 0
"""Column of a hand of one card, whose second is drawn next. Columns 1 to 10 are the hands of two
cards, by the rank of the second."""
LATER: Final = 11
"""First column of the hands of more cards, by total; then come those of `SPLIT_CARD`."""
STANDING: Final = 6
"""Values of a standing hand: up to 16, and 17 to 21."""


class SplitTotals(NamedTuple):
    """Totals of a split hand, hard or soft: all that matters of it for further cards."""

    total: Integers
    hard_total: Integers
    """The sum of its cards."""
    after: Integers
    """c x 11: what one more card makes of it, -1 for a bust."""
    opening: Integers
    """11: what it is with two cards, by the second."""
    doubles_opening: NDArray[np.int8]
    doubles_later: NDArray[np.int8]


class SplitStages(NamedTuple):
    """The stages, each after those that it leads to."""

    least: Integers
    """Least sum of the cards drawn by other hands, with the two of the pair."""
    most: Integers
    """Largest sum of them."""
    limit: Integers
    """Largest sum of all drawn cards, with the two of the pair, that has a row."""
    next_stage: Integers
    """The stage of the hand that is played next, -1 if this is the last."""
    next_column: Integers
    """The column in which the next hand starts."""
    split_stage: Integers
    """The stage after a split whose hands get no cards yet; -1 if there is none."""
    dealt_stages: Integers
    """j x 11: the stages after a split at once dealt, by the second card of the waiting hand; entry
    0 is -1 if there is none."""
    width: Integers
    """The number of columns."""


class LayerValues(NamedTuple):
    """Values of one layer, filled by `play_split_hands`."""

    standing: Floats
    """n x 6: a standing hand, by total."""
    values: Floats
    """All stages one after another: row by row."""
    offset: Integers
    """Place of each stage's first row in `values`."""
    rows: Integers
    """The number of rows of each stage."""


@kernel
def play_split_hands(
    size: int,
    start: int,
    counts: Integers,
    outcomes: Floats,
    shoe: Floats,
    matching: int,
    payoffs: Payoffs,
    rank: int,
    plays: int,
    before: Integers,
    first: Integers,
    most_sum: int,
    totals: SplitTotals,
    stages: SplitStages,
    now: LayerValues,
    following: LayerValues,
) -> None:
    """Fill the values of the rows from `start` of the layer of `size` cards.

    `shoe` is without the upcard and the pair; `counts` are the cards drawn from it, one row each,
    and `outcomes` the dealer's against them. `plays` is 0 if every hand gets one card only.
    """
    kinds = totals.total.shape[0]
    left = np.empty(11)
    chance = np.empty(11)
    busted = np.empty(11)
    rest = np.empty(11)
    place = np.empty(11, dtype=np.int64)
    drawn = np.empty(11, dtype=np.int64)
    stand = np.empty(kinds)
    hit = np.empty(kinds)
    double = np.empty(kinds)
    is_open = np.empty(kinds, dtype=np.bool_)
    for position in range(counts.shape[0]):
        row = start + position
        total_drawn = 0
        cards_left = 0.0
        for card in range(1, 11):
            drawn[card] = counts[position, card]
            total_drawn += card * drawn[card]
            left[card] = shoe[card] - drawn[card]
            cards_left += left[card]
        _fill_standing(outcomes[position], payoffs, now.standing[row])
        for card in range(1, 11):
            chance[card] = left[card] / cards_left if cards_left > 0 else 0.0
            place[card] = -1
            if left[card] > 0 and total_drawn + card <= most_sum:
                drawn[card] += 1
                place[card] = find_place(before, first, drawn, size + 1, total_drawn + card)
                drawn[card] -= 1
            busted[card] = -1.0
            if matching and payoffs.natural_takes_all == 0.0 and cards_left > 1:
                matching_left = left[matching] - (1.0 if card == matching else 0.0)
                busted[card] += matching_left / (cards_left - 1)
        known = total_drawn + 2 * rank
        for stage in range(stages.least.shape[0]):
            if row >= now.rows[stage]:
                continue
            width = stages.width[stage]
            least, most = stages.least[stage], stages.most[stage]
            at = now.offset[stage] + row * width
            after = following.offset[stage]
            values, later = now.values, following.values
            if least <= known - rank <= most:
                value = 0.0
                for card in range(1, 11):
                    if chance[card] > 0:
                        value += chance[card] * later[after + place[card] * width + card]
                values[at + FIRST_CARD] = value
            # The value of all that follows this hand, now and after one more card.
            next_stage = stages.next_stage[stage]
            resting = 0.0
            rest[:] = 0.0
            if next_stage >= 0:
                column = stages.next_column[stage]
                next_width = stages.width[next_stage]
                if row < now.rows[next_stage]:
                    resting = values[now.offset[next_stage] + row * next_width + column]
                for card in range(1, 11):
                    if 0 <= place[card] < following.rows[next_stage]:
                        begin = following.offset[next_stage] + place[card] * next_width
                        rest[card] = later[begin + column]
            split = 0.0
            if stages.split_stage[stage] >= 0:
                target = stages.split_stage[stage]
                if row < now.rows[target]:
                    begin = now.offset[target] + row * stages.width[target]
                    split = values[begin + FIRST_CARD]
            elif stages.dealt_stages[stage, 0] >= 0:
                shares = LATER + kinds
                for card in range(1, 11):
                    values[at + shares + card] = 0.0
                    if chance[card] > 0 and 0 <= place[card] < following.rows[stage]:
                        split += chance[card] * later[after + place[card] * width + shares + card]
                for other in range(1, 11):
                    target = stages.dealt_stages[stage, other]
                    if chance[other] == 0 or not 0 <= place[other] < following.rows[target]:
                        continue
                    begin = following.offset[target] + place[other] * stages.width[target]
                    for card in range(1, 11):
                        values[at + shares + card] += chance[other] * later[begin + card]
            standing = now.standing[row]
            for kind in range(kinds):
                others = known - totals.hard_total[kind]
                is_open[kind] = least <= others <= most
                total = totals.total[kind]
                stand[kind] = standing[max(total - 16, 0)] + resting
                hit[kind] = 0.0
                double[kind] = 0.0
            if plays:
                for card in range(1, 11):
                    if chance[card] == 0:
                        continue
                    begin = after + place[card] * width + LATER
                    for kind in range(kinds):
                        if not is_open[kind] or totals.total[kind] == 21:
                            continue
                        drawn_to = totals.after[kind, card]
                        if drawn_to < 0:
                            hit[kind] += chance[card] * (busted[card] + rest[card])
                            lost = payoffs.double_stake * busted[card]
                            double[kind] += chance[card] * (lost + rest[card])
                        else:
                            hit[kind] += chance[card] * later[begin + drawn_to]
                            if totals.doubles_opening[kind] or totals.doubles_later[kind]:
                                made = max(totals.total[drawn_to] - 16, 0)
                                won = following.standing[place[card], made]
                                won *= payoffs.double_stake
                                double[kind] += chance[card] * (won + rest[card])
                for kind in range(kinds):
                    if not is_open[kind]:
                        continue
                    best = stand[kind]
                    if totals.total[kind] < payoffs.min_stand:
                        best = hit[kind]
                    if totals.total[kind] < 21:
                        best = max(best, hit[kind])
                        if totals.doubles_later[kind]:
                            best = max(best, double[kind])
                    values[at + LATER + kind] = best
            for card in range(1, 11):
                kind = totals.opening[card]
                if not is_open[kind]:
                    continue
                best = stand[kind]
                if plays and totals.total[kind] < payoffs.min_stand:
                    best = hit[kind]
                if plays and totals.total[kind] < 21:
                    best = max(best, hit[kind])
                    if totals.doubles_opening[kind]:
                        best = max(best, double[kind])
                may_split = stages.split_stage[stage] >= 0 or stages.dealt_stages[stage, 0] >= 0
                if card == rank and may_split:
                    best = max(best, split)
                values[at + card] = best


@kernel
def _fill_standing(chances: Floats, payoffs: Payoffs, standing: Floats) -> None:
    """Fill the value of a standing hand, by total, from the chances of the dealer's totals."""
    natural = chances[NATURAL_COLUMN]
    lost = payoffs.natural_takes_all * natural
    ended = 0.0
    for column in range(NATURAL_COLUMN):
        ended += chances[column]
    bust = 1.0 - ended - natural
    if payoffs.pushes_22:
        bust -= chances[TWENTY_TWO_COLUMN]
    below = 0.0
    for total in range(STANDING):
        same = chances[total - 1] if total > 0 else 0.0
        above = ended - below - same
        tied = same * payoffs.nets[16 + total, 16 + total]
        standing[total] = bust + below - above + tied - lost
        below += same
    standing[STANDING - 1] += lost * payoffs.natural_ties_21
    if payoffs.always_wins_21:
        standing[STANDING - 1] = 1.0 - natural * (1.0 - payoffs.natural_takes_all)
