"""The best total-dependent chart for a shoe, and charts compared with the best play.

A chart has one cell for a total, whatever its cards, so each cell weights the hands that reach it
by their chances. Cells depend on one another through the hands reached and the values of hits; they
are improved together until none changes, then nearly even ones one at a time, by the exact value of
the whole chart, splits included. Charts are compared by such values too.
"""

import math
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, Rank, rank_name
from upcard.exact import composition, finite_hands, insurance
from upcard.exact.composition import read_hand
from upcard.exact.finite_shoe import PreparedShoe
from upcard.exact.kernels.dealer_hands import Start
from upcard.exact.kernels.hand_sets import player_hands
from upcard.exact.kernels.player_values import HIT, fill_reach
from upcard.exact.solver_results import (
    ROUNDING_ERROR,
    BonusPlay,
    CellCost,
    CompositionException,
    best_action,
)
from upcard.rules import predicates
from upcard.rules.model import Rules
from upcard.strategy.chart import (
    DOUBLED_LABELS,
    PAIR_LABELS,
    ROWS,
    Strategy,
    column_key,
    column_label,
    columns_of,
    hand_of_row,
    row_label,
)

_ROUNDS: Final = 12
_GAIN: Final = 1e-13
_ROW_ACTIONS: Final = (Action.HIT, Action.STAND, Action.DOUBLE, Action.SURRENDER)


class _Row(NamedTuple):
    """The hands decided by a row of totals; none for a row of pairs."""

    last: int
    """The last of them, 0 if there are none."""
    later: NDArray[np.int64]
    """Those of three or more cards."""


class CellOption(NamedTuple):
    """A possible cell of a row, and its value for the hands that reach it."""

    cell: str
    worth: float
    otherwise: float = 0.0
    """Value for opening hands that may not take the first choice: it breaks ties."""


class Faced(NamedTuple):
    """Cards of the dealer, and their share of the deals of their column."""

    share: float
    solution: finite_hands.UpcardSolution


def share_starts(prepared: PreparedShoe) -> dict[str, tuple[float, dict[Start, float]]]:
    """Return by column its weight, and the dealer's known cards in it with their shares.

    A weight is the chance, times the number of cards of the shoe.
    """
    shoe, columns = prepared.shoe, dict[str, dict[Start, float]]()
    dealt = dict(composition.deal_two_cards(shoe, ()))
    for start in prepared.starts:
        weight = dealt[start] * math.fsum(shoe) if start in dealt else shoe[start[0]]
        columns.setdefault(column_label(*start), {})[start] = weight
    found = {}
    for label in filter(columns.__contains__, columns_of(prepared.rules)):
        whole = math.fsum(columns[label].values())
        shares = {start: weight / whole for start, weight in columns[label].items()}
        found[label] = whole, shares
    return found


def _solve_columns(prepared: PreparedShoe) -> dict[str, list[Faced]]:
    """Return by column the solutions of the dealer's known cards."""
    solutions = finite_hands.solve_starts(prepared)
    return {
        label: [Faced(share, solutions[start]) for start, share in starts.items()]
        for label, (_, starts) in share_starts(prepared).items()
    }


def labels_of(rules: Rules) -> tuple[str, ...]:
    """Return the rows of charts for a house."""
    return ROWS[columns_of(rules)]


def _write_rows(
    columns: dict[str, dict[str, str]], rules: Rules, labels: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a chart from its columns; all stand in one without dealer cards."""
    standing = dict.fromkeys(labels, "S")
    found = [columns.get(column, standing) for column in columns_of(rules)]
    return tuple(tuple(column[label] for column in found) for label in labels)


def best_chart(prepared: PreparedShoe) -> Strategy:
    """Find the best total-dependent chart for the cards of a shoe."""
    rules, shoe = prepared.rules, prepared.shoe
    solved = _solve_columns(prepared)
    columns = {label: _ChartColumn(faced).find_best() for label, faced in solved.items()}
    takes_insurance, is_for_paid = False, bool(prepared.free_splits)
    if shoe[ACE] and rules.insurance:
        columns["A"], takes_insurance = _decide_insurance(prepared, columns["A"])
    doubled: tuple[tuple[str, ...], ...] = ()
    if predicates.may_act_doubled(rules, 1):
        after = {label: _best_doubled_column(faced) for label, faced in solved.items()}
        doubled = _write_rows(after, rules, DOUBLED_LABELS)
    return Strategy(
        cells=_write_rows(columns, rules, labels_of(rules)),
        title=f"{rules}: the best total-dependent chart{' for paid hands' * is_for_paid}",
        takes_insurance=takes_insurance,
        doubled=doubled,
        columns=columns_of(rules),
    )


def _best_doubled_column(faced: list[Faced]) -> dict[str, str]:
    """Find the best cells of hands that have doubled, by the chance that a first double makes them.

    Hands that none makes count alike.
    """
    hands, column = faced[0].solution.prepared.hands, {}
    chances = [finite_hands.chances_of_doubled(one.solution) for one in faced]
    for label in DOUBLED_LABELS:
        total, is_soft, _ = hand_of_row(label[1:])
        of_row = (hands.total == total) & (hands.is_soft == is_soft) & (hands.cards >= 3)
        which = np.flatnonzero(of_row)
        is_made = any(one[which].any() for one in chances)
        sums: dict[Action, float] = {}
        for (share, solution), chance in zip(faced, chances, strict=True):
            weights = chance[which] if is_made else np.ones(which.size)
            for hand, weight in zip(which.tolist(), weights.tolist(), strict=True):
                for action, value in solution.doubled_values(hand, 1).items():
                    sums[action] = sums.get(action, 0.0) + share * weight * value
        again = sums.pop(Action.DOUBLE, -math.inf)
        rescue = sums.get(Action.SURRENDER, -math.inf) > sums.get(Action.STAND, -math.inf)
        other = "r" if rescue else "s"
        is_raised = again > max(sums.values(), default=0.0)
        column[label] = f"D{other}" if is_raised else ("Rs" if rescue else "S")
    return column


def best_free_chart(prepared: PreparedShoe) -> Strategy:
    """Find the best total-dependent chart for the hands without a stake that free splits make.

    Two-card hands are weighted by the chances of the first cards after a split.
    """
    rules = prepared.rules
    if not rules.double_after_split:
        prepared = copy(prepared)
        prepared.doubles = np.zeros_like(prepared.doubles)
    solved = _solve_columns(prepared)
    columns = {label: _FreeColumn(faced).find_best() for label, faced in solved.items()}
    return Strategy(
        cells=_write_rows(columns, rules, labels_of(rules)),
        title=f"{rules}: the best total-dependent chart for free hands",
        columns=columns_of(rules),
    )


def _decide_insurance(prepared: PreparedShoe, cells: dict[str, str]) -> tuple[dict[str, str], bool]:
    """Return the column of an ace, and whether the chart takes insurance and even money.

    If the dealer looks for insurance, an insured hand may need other cells.
    """
    if not insurance.looks_for_insurance(prepared.rules):
        return cells, insurance.gain_of_taking(prepared.rules, prepared.shoe) > ROUNDING_ERROR
    looking = finite_hands.UpcardSolution(prepared.with_look(), ACE)
    insured = _ChartColumn([Faced(1.0, looking)]).find_best()
    values = [
        _value(prepared, _as_strategy(column, prepared.rules, takes_insurance=takes), None, (ACE,))
        for column, takes in ((cells, False), (insured, True))
    ]
    return (insured, True) if values[1] > values[0] + ROUNDING_ERROR else (cells, False)


class _ChartColumn:
    nearly_even = 2e-5
    """Cells whose cost per round by the simple weights is lower are tried by the exact value."""
    has_undoubled_aces = False
    """Whether the hands of split aces play on but do not double, where others do."""

    def __init__(self, best_play: list[Faced]) -> None:
        self.best_play = best_play
        self.prepared = prepared = best_play[0].solution.prepared
        self.rows = _rows(labels_of(prepared.rules), prepared.rules.charlie)
        self.openings = [
            [
                (
                    hand := prepared.hands.find(ranks),
                    _row_of_opening(prepared, hand, self._pair_of_row(pair)),
                    pair,
                    share * chance,
                )
                for ranks, pair, chance in self._list_openings(solution)
            ]
            for share, solution in best_play
        ]
        """Number of each two-card hand, its row of the chart, its pair and its chance: those
        against each of the dealer's known cards."""

    def _list_openings(
        self, solution: finite_hands.UpcardSolution
    ) -> Iterator[tuple[tuple[Rank, Rank], Rank, float]]:
        return finite_hands.opening_hands(solution)

    def _pair_of_row(self, rank: Rank) -> Rank:
        """Return the pair whose row decides a hand, 0 for its total: of a pair never split.

        Two aces have no other row, and tens none in a chart without one of 20.
        """
        is_split = self.prepared.most_hands(rank) >= 2
        return rank if is_split or rank == ACE or str(2 * rank) not in self.rows else 0

    def find_best(self) -> dict[str, str]:
        """Improve all cells together, then the nearly even ones one at a time.

        A pair that is never split is played by its total.
        """
        cells = self._settle_close_cells(*self._improve())
        for rank in RANKS[1:]:
            if self.prepared.most_hands(rank) < 2:
                cells[f"{rank}{rank}"] = cells.get(str(max(2 * rank, 5)), "S")
        return cells

    def _improve(self) -> tuple[dict[str, str], dict[str, list[CellOption]]]:
        """Improve all cells together; return them, and the options of each row."""
        cells = self._start()
        worth: dict[str, list[CellOption]] = {}
        for _ in range(_ROUNDS):
            worth = self._weigh(cells)
            # Of equal cells the present one stays: what is reached by splits alone has no weight.
            improved = {
                label: max(options, key=lambda one: (*_worth(one), one.cell == cells[label])).cell
                for label, options in worth.items()
            }
            if improved == cells:
                break
            cells = improved
        return cells, worth

    def _start(self) -> dict[str, str]:
        """Start with the composition-dependent best action of each row's first hand."""
        cells = dict.fromkeys(self.rows, "H")
        likeliest = max(self.best_play, key=lambda one: one.share).solution
        for label, row in self.rows.items():
            action = likeliest.plan.later[row.last] if row.last else 1
            cells[label] = "H" if action else "S"
        return cells

    def _play(self, cells: dict[str, str]) -> list[Faced]:
        """Return the solutions by a chart with these cells."""
        following = self.prepared.with_strategy(_as_strategy(cells, self.prepared.rules), None)
        return [
            Faced(share, finite_hands.UpcardSolution(following, *one.start))
            for share, one in self.best_play
        ]

    def _weigh(self, cells: dict[str, str]) -> dict[str, list[CellOption]]:
        """Weight the options of every row, keeping all others."""
        prepared, hands = self.prepared, self.prepared.hands
        plain: dict[str, list[tuple[float, dict[Action, float]]]] = {}
        played = []
        for one, best, openings in zip(
            self._play(cells), self.best_play, self.openings, strict=True
        ):
            solution, reach = one.solution, np.zeros(len(hands.codes))
            for hand, label, pair, chance in openings:
                values = solution.values(hand)
                if len(values) == 1 or solution.is_natural(hand):
                    continue
                if pair and prepared.most_hands(pair) >= 2:
                    # Under best play: close enough for a first chart.
                    values[Action.SPLIT] = best.solution.split_value(pair)
                plain.setdefault(label, []).append((chance, values))
                reach[hand] += chance * (_first_action(cells[label], values) is Action.HIT)
            # Only hands that open with a hit continue; the kernel reads their next actions.
            plan = solution.plan._replace(opening=np.full_like(solution.plan.opening, HIT))
            order = finite_hands.hands_with(0)[::-1].copy()
            fill_reach(solution.shoe, order, hands.arrays, plan, reach)
            played.append((solution, reach))
        return {
            label: list(_options(prepared, plain.get(label, []), played, row.later))
            for label, row in self.rows.items()
        }

    def _value(self, cells: dict[str, str]) -> float:
        return math.fsum(
            share * finite_hands.value_opening_round(solution).ev
            for share, solution in self._play(cells)
        )

    def _settle_close_cells(
        self, cells: dict[str, str], worth: dict[str, list[CellOption]]
    ) -> dict[str, str]:
        """Try the second-best option of nearly even rows by the exact value of the chart."""
        close: list[tuple[str, str]] = []
        # Where all hands but those of a split surrender, what else they do shows in splits only.
        tries_equal = self.prepared.payoffs.surrenders or self.has_undoubled_aces
        for label, options in worth.items():
            ranked = sorted(options, key=_worth, reverse=True)
            close.extend(
                (label, option.cell)
                for option in ranked[1:]
                if ranked[0].worth - self.nearly_even < option.worth
                and (tries_equal or option.worth < ranked[0].worth)
            )
        if not close:
            return cells
        value = self._value(cells)
        for label, cell in close:
            changed = cells | {label: cell}
            other = self._value(changed)
            if other > value + _GAIN:
                cells, value = changed, other
        return cells


class _FreeColumn(_ChartColumn):
    """The column of hands without a stake."""

    def __init__(self, best_play: list[Faced]) -> None:
        self.paid = best_play[0].solution.prepared
        rules = self.paid.rules
        doubles = predicates.may_double_after_split(rules, ACE)
        self.has_undoubled_aces = not predicates.gets_one_card(rules, ACE) and not doubles
        super().__init__([Faced(share, one.free) for share, one in best_play])
        # Their weights do not count the hands of resplits: try more cells.
        every = (chance for openings in self.openings for *_, chance in openings)
        self.nearly_even = 1e-3 * math.fsum(every)

    def _value(self, cells: dict[str, str]) -> float:
        """Return the value of the splits, with the best play of paid hands."""
        following = self.paid.with_strategy(None, _as_strategy(cells, self.paid.rules))
        values = []
        for share, one in self.best_play:
            played = finite_hands.UpcardSolution(following, *one.start)
            shoe, cards = played.shoe, played.shoe.sum()
            values += [
                share
                * (shoe[rank] * (shoe[rank] - 1) / cards / (cards - 1) * played.split_value(rank))
                for rank in following.free_splits
            ]
        return math.fsum(values)

    def _list_openings(
        self, solution: finite_hands.UpcardSolution
    ) -> Iterator[tuple[tuple[Rank, Rank], Rank, float]]:
        rules, prepared = self.prepared.rules, self.prepared
        for rank in prepared.splits_of:
            if not predicates.splits_free(rules, rank):
                continue
            left = solution.shoe.copy()
            chance = 1.0
            for _ in range(2):
                chance *= left[rank] / left.sum()
                left[rank] -= 1
            for second in RANKS:
                pair = rank if second == rank and prepared.most_hands(rank) > 2 else 0
                # A soft 12 that may not be split hits, and has no row.
                is_asked = not predicates.gets_one_card(rules, rank) and rank + second != 2 * ACE
                if (pair or is_asked) and chance > 0 and left[second] > 0:
                    yield (rank, second), pair, chance * left[second] / left.sum()

    def find_best(self) -> dict[str, str]:
        """Find the best cells; a pair that is never split again is played by its total."""
        cells = super().find_best()
        every = (opening for openings in self.openings for opening in openings)
        paired = {label for _, label, pair, _ in every if pair}
        totals = {label: str(sum(read_hand(label)[0])) for label in PAIR_LABELS}
        alike = {label: cells.get(total, "S") for label, total in totals.items()} | {"AA": "H"}
        return cells | {label: cell for label, cell in alike.items() if label not in paired}


def _worth(option: CellOption) -> tuple[float, float]:
    return option.worth, option.otherwise


def _options(
    prepared: PreparedShoe,
    openings: list[tuple[float, dict[Action, float]]],
    played: list[tuple[finite_hands.UpcardSolution, NDArray[np.float64]]],
    later: NDArray[np.int64],
) -> Iterator[CellOption]:
    """Iterate over the possible cells of a row, with their value for all hands that reach it.

    `played` has the solutions of the column, with the chances of its hands to be reached.
    """
    later_worth = dict.fromkeys(_ROW_ACTIONS, 0.0)
    stands = all(Action.STAND in values for _, values in openings)
    if later.size:
        for solution, reach in played:
            weight, raw = reach[later], solution.raw
            later_worth[Action.HIT] += float(weight @ raw.hit[later])
            later_worth[Action.STAND] += float(weight @ raw.stand[later])
            later_worth[Action.DOUBLE] += float(weight @ raw.double[later])
            if prepared.payoffs.surrenders:
                later_worth[Action.SURRENDER] += float(weight @ solution.surrenders[later])
        stands &= predicates.may_stand(prepared.rules, total=int(prepared.hands.total[later[0]]))
    second = [("h", Action.HIT), ("s", Action.STAND)] if stands else [("h", Action.HIT)]

    def opened(action: Action) -> float:
        return math.fsum(chance * values[action] for chance, values in openings)

    for small, action in second:
        yield CellOption(small.upper(), opened(action) + later_worth[action])
    may_later = {
        Action.DOUBLE: bool(prepared.doubles[later].any()),
        Action.SURRENDER: bool(prepared.payoffs.surrenders),
    }
    if openings:
        may = set.intersection(*(set(values) for _, values in openings))
    else:
        may = {Action.SURRENDER} if later.size and may_later[Action.SURRENDER] else set()
    for small, action in second:
        otherwise = opened(action)
        for letter, first in (("D", Action.DOUBLE), ("R", Action.SURRENDER)):
            if first in may:
                rest = later_worth[first if may_later[first] else action]
                yield CellOption(f"{letter}{small}", opened(first) + rest, otherwise)
    if Action.SPLIT in may:
        yield CellOption("P", opened(Action.SPLIT))
        if Action.SURRENDER in may:
            yield CellOption("Rp", opened(Action.SURRENDER), opened(Action.SPLIT))


def _first_action(cell: str, values: dict[Action, float]) -> Action:
    first = {"H": Action.HIT, "S": Action.STAND, "D": Action.DOUBLE, "R": Action.SURRENDER}
    action = first.get(cell[0], Action.SPLIT)
    if action in values:
        return action
    return Action.STAND if cell.endswith("s") else Action.HIT


@cache
def _rows(labels: tuple[str, ...], charlie: int | None) -> dict[str, _Row]:
    """Return the rows of a chart; a hand that wins by its number of cards needs no decision."""
    hands = player_hands()
    most = charlie or hands.cards.max() + 1
    rows = {}
    for label in labels:
        if label in PAIR_LABELS:
            rows[label] = _Row(0, np.zeros(0, dtype=np.int64))
            continue
        if label.startswith("A"):
            wanted = hands.is_soft & (hands.total == 11 + int(label[1:]))
        else:
            wanted = ~hands.is_soft & (hands.total == int(label))
        every = np.flatnonzero(wanted & (hands.cards >= 2))
        rows[label] = _Row(
            int(every[-1]), every[(hands.cards[every] > 2) & (hands.cards[every] < most)]
        )
    return rows


def _row_of_opening(prepared: PreparedShoe, hand: int, pair: Rank) -> str:
    """Return the row of a two-card hand: a total without a row has the nearest one."""
    total, is_soft, _ = prepared.hands.facts[hand]
    last = 20 if prepared.rules.shows_hole else 19
    row = total if is_soft else max(5, min(total, last))
    return row_label(row, is_soft=is_soft, pair_rank=pair)


def _as_strategy(cells: dict[str, str], rules: Rules, *, takes_insurance: bool = False) -> Strategy:
    """Make a chart with these cells in every column."""
    columns = columns_of(rules)
    rows = tuple((cells[label],) * len(columns) for label in ROWS[columns])
    return Strategy(cells=rows, takes_insurance=takes_insurance, columns=columns)


_WORTH_NAMING = 1e-9


def find_costs(prepared: PreparedShoe, strategy: Strategy) -> tuple[CellCost, ...]:
    """Return the cells of a chart with a cost, worst first; see `solve.costliest_cells`."""
    best, cards = best_chart(prepared), math.fsum(prepared.shoe)
    costs = []
    for letter, (weight, starts) in share_starts(prepared).items():
        column = strategy.columns.index(letter)

        def value(chart: Strategy, starts: dict[Start, float] = starts) -> float:
            return math.fsum(
                share * _value(prepared, chart, chart, start) for start, share in starts.items()
            )

        charted = value(strategy)
        for row, label in enumerate(strategy.labels):
            cell, better = strategy.cells[row][column], best.cells[row][column]
            if cell == better:
                continue
            cost = (value(_with_cell(strategy, row, column, better)) - charted) * weight / cards
            if cost > _WORTH_NAMING:
                costs.append(
                    CellCost(hand=label, upcard=letter, cell=cell, better=better, cost=cost)
                )
    return tuple(sorted(costs, key=lambda cost: -cost.cost))


def find_exceptions(prepared: PreparedShoe, strategy: Strategy) -> tuple[CompositionException, ...]:
    """Return the hands to play by their cards; see `solve.composition_exceptions`."""
    rules, cards, found = prepared.rules, math.fsum(prepared.shoe), []
    dealers = [
        (start, weight * share)
        for weight, starts in share_starts(prepared).values()
        for start, share in starts.items()
    ]
    for start, weight in sorted(dealers):
        looks = (
            start == (ACE,) and strategy.takes_insurance and insurance.looks_for_insurance(rules)
        )
        solution = finite_hands.UpcardSolution(prepared.with_look() if looks else prepared, *start)
        for ranks, pair, chance in finite_hands.opening_hands(solution):
            hand = prepared.hands.find(ranks)
            if solution.is_natural(hand):
                continue
            values = solution.values(hand, pair=pair)
            better = best_action(values)
            charted = finite_hands.follow(solution, strategy, hand, pair, values)
            gain = values[better] - values[charted]
            if charted is not better and gain > _WORTH_NAMING:
                found.append(
                    CompositionException(
                        hand=" ".join(map(rank_name, sorted(ranks, reverse=True))),
                        upcard=_name_start(start),
                        charted=charted,
                        better=better,
                        gain=gain,
                        gain_per_round=gain * chance * weight / cards,
                    )
                )
    return tuple(sorted(found, key=lambda exception: -exception.gain_per_round))


def _value(
    prepared: PreparedShoe, strategy: Strategy, free: Strategy | None, start: Start
) -> float:
    """Return the value of a chart against known cards of the dealer, and of one for free hands.

    Without one they are played best.
    """
    solution = finite_hands.UpcardSolution(prepared.with_strategy(strategy, free), *start)
    return finite_hands.value_opening_round(solution).ev


def _name_start(start: Start) -> str:
    return ",".join(map(rank_name, start))


def _with_cell(strategy: Strategy, row: int, column: int, cell: str) -> Strategy:
    cells = [list(written) for written in strategy.cells]
    cells[row][column] = cell
    return replace(strategy, cells=tuple(map(tuple, cells)))


def value_cells(prepared: PreparedShoe) -> dict[tuple[str, str], dict[Action, float]]:
    """Return the EVs of a chart's cells; see `solve.cell_values`."""
    return {
        (label, column_key(*faced[0].solution.start)): evs
        for faced in _solve_columns(prepared).values()
        for label, evs in _column(faced).items()
    }


def _column(faced: list[Faced]) -> dict[str, dict[Action, float]]:
    sums: dict[str, dict[Action, float]] = {}
    weights: dict[str, float] = {}
    for share, solution in faced:
        prepared = solution.prepared
        rules, hands = prepared.rules, prepared.hands
        has_looked = predicates.looks_before_answer(rules, upcard=solution.upcard, cards=2)
        for ranks, pair, chance in finite_hands.opening_hands(solution):
            hand = hands.find(ranks)
            total, is_soft = int(hands.total[hand]), bool(hands.is_soft[hand])
            label = row_label(total, is_soft=is_soft, pair_rank=pair)
            is_asked = 1 - solution.natural_probability(hand) if has_looked else 1
            weight = share * chance * is_asked
            if label not in labels_of(rules) or not weight:
                continue
            weights[label] = weights.get(label, 0.0) + weight
            row = sums.setdefault(label, {})
            for action, value in solution.values(hand, pair=pair).items():
                finished = solution.finish(value, hand, has_looked=has_looked)
                row[action] = row.get(action, 0.0) + weight * finished
    return {
        label: {action: total / weights[label] for action, total in row.items()}
        for label, row in sums.items()
    }


# Plays for the bonuses of a 21. Printed charts of Spanish 21 mark them in their cells: "stand, but
# hit with four cards or more", "double, but hit with five", "stand, but hit 6 7 of spades".
SUIT_KINDS: Final = ("mixed", "of one suit", "of spades")
"""Kinds of the suits of two cards, in the order of the solver."""
_MOST_CARDS: Final = 8


def find_bonus_plays(prepared: PreparedShoe, strategy: Strategy) -> tuple[BonusPlay, ...]:
    """Find the hands that a chart stands on or doubles and a bonus makes worth a hit, row by row.

    Numbers of cards are counted where hitting is better on average over all hands of the total with
    as many cards, weighted by their chances in the best play.
    """
    found: list[BonusPlay] = []
    for faced in _solve_columns(prepared).values():
        for _, solution in faced:
            found += _by_cards(solution, strategy)
            found += _by_suits(solution, strategy)
    return tuple(found)


def _answer_later(
    solution: finite_hands.UpcardSolution, strategy: Strategy, total: int, *, is_soft: bool
) -> Action:
    """Return the chart's answer to a hand of three or more cards."""
    rules = solution.prepared.rules
    may_double = predicates.may_double(rules, cards=3, total=total, is_soft=is_soft)
    legal = (Action.HIT, Action.STAND, *((Action.DOUBLE,) if may_double else ()))
    return strategy.decide(
        total=total,
        is_soft=is_soft,
        pair_rank=0,
        upcard=solution.upcard,
        hole=solution.hole,
        legal=legal,
    )


def _by_cards(solution: finite_hands.UpcardSolution, strategy: Strategy) -> Iterator[BonusPlay]:
    hands, raw, up = solution.prepared.hands, solution.raw, _name_start(solution.start)
    reach = finite_hands.reach_of_hits(solution)
    for label in strategy.labels:
        if label in PAIR_LABELS:
            continue
        total, is_soft, _ = hand_of_row(label)
        charted = _answer_later(solution, strategy, total, is_soft=is_soft)
        if charted is Action.HIT:
            continue
        others = raw.stand if charted is Action.STAND else raw.double
        fewest, gain = 0, 0.0
        for cards in range(_MOST_CARDS, 2, -1):
            of_row = (hands.total == total) & (hands.is_soft == is_soft) & (hands.cards == cards)
            weight = reach[of_row]
            if not weight.sum():
                continue
            gained = float(weight @ (raw.hit[of_row] - others[of_row]) / weight.sum())
            if gained <= 0:
                break
            fewest, gain = cards, gained
        if fewest:
            when = f"with {fewest} or more cards"
            yield BonusPlay(hand=label, upcard=up, charted=charted, when=when, gain=gain)


def _by_suits(solution: finite_hands.UpcardSolution, strategy: Strategy) -> Iterator[BonusPlay]:
    hands, raw, up = solution.prepared.hands, solution.raw, _name_start(solution.start)
    for hand in solution.suited_hands:
        total, is_soft, _ = hands.facts[hand]
        if _answer_later(solution, strategy, total, is_soft=is_soft) is not Action.STAND:
            continue
        stand = raw.stand.item(hand)
        hits = (hit for _, hit in solution.hits_by_suit(hand))
        better = [(kind, hit - stand) for kind, hit in enumerate(hits) if hit > stand]
        if better:
            kind, gain = better[0]
            ranks = np.repeat(np.arange(11), hands.counts[hand].astype(int)).tolist()
            cards = " ".join(map(rank_name, ranks))
            when = SUIT_KINDS[kind] if kind else "of any suits"
            yield BonusPlay(hand=cards, upcard=up, charted=Action.STAND, when=when, gain=gain)
