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
from upcard.core.cards import ACE, RANKS, UPCARD_ORDER, Rank, rank_name
from upcard.exact import finite_hands, insurance
from upcard.exact.composition import read_hand
from upcard.exact.finite_shoe import PreparedShoe
from upcard.exact.solver_results import (
    ROUNDING_ERROR,
    BonusPlay,
    CellCost,
    CompositionException,
    best_action,
)
from upcard.kernels.solving.hand_sets import player_hands
from upcard.kernels.solving.player_values import HIT, fill_reach
from upcard.rules import predicates
from upcard.rules.predicates import (
    gets_one_card,
    looks_before_answer,
    may_act_doubled,
    may_double_after_split,
    may_stand,
    splits_free,
)
from upcard.strategy.chart import (
    DOUBLED_LABELS,
    HAND_LABELS,
    PAIR_LABELS,
    UPCARD_LABELS,
    Strategy,
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


def best_chart(prepared: PreparedShoe) -> Strategy:
    """Find the best total-dependent chart for the cards of a shoe."""
    rules, shoe = prepared.rules, prepared.shoe
    columns = {upcard: dict.fromkeys(HAND_LABELS, "S") for upcard in UPCARD_ORDER}
    for solution in finite_hands.solve_starts(prepared).values():
        columns[solution.upcard] = _ChartColumn(solution).find_best()
    takes_insurance, is_for_paid = False, bool(prepared.free_splits)
    if shoe[ACE] and rules.insurance:
        columns[ACE], takes_insurance = _decide_insurance(prepared, columns[ACE])
    return Strategy(
        cells=tuple(tuple(columns[up][label] for up in UPCARD_ORDER) for label in HAND_LABELS),
        title=f"{rules}: the best total-dependent chart{' for paid hands' * is_for_paid}",
        takes_insurance=takes_insurance,
        doubled=_best_doubled_rows(prepared),
    )


def _best_doubled_rows(prepared: PreparedShoe) -> tuple[tuple[str, ...], ...]:
    """Find the best rows of hands that have doubled; none if they are asked nothing.

    Hands are weighted by the chance that a first double makes them.
    """
    if not may_act_doubled(prepared.rules, 1):
        return ()
    columns = [
        dict.fromkeys(DOUBLED_LABELS, "S")
        if upcard not in prepared.upcards
        else _best_doubled_column(finite_hands.UpcardSolution(prepared, upcard))
        for upcard in UPCARD_ORDER
    ]
    return tuple(tuple(column[label] for column in columns) for label in DOUBLED_LABELS)


def _best_doubled_column(solution: finite_hands.UpcardSolution) -> dict[str, str]:
    hands, column = solution.prepared.hands, {}
    chances = finite_hands.chances_of_doubled(solution)
    for label in DOUBLED_LABELS:
        total, is_soft, _ = hand_of_row(label[1:])
        of_row = (hands.total == total) & (hands.is_soft == is_soft) & (hands.cards >= 3)
        which = np.flatnonzero(of_row)
        weights = chances[which] if chances[which].any() else np.ones(which.size)
        sums: dict[Action, float] = {}
        for hand, weight in zip(which.tolist(), weights.tolist(), strict=True):
            for action, value in solution.doubled_values(hand, 1).items():
                sums[action] = sums.get(action, 0.0) + weight * value
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
    columns = {upcard: dict.fromkeys(HAND_LABELS, "S") for upcard in UPCARD_ORDER}
    for solution in finite_hands.solve_starts(prepared).values():
        columns[solution.upcard] = _FreeColumn(solution).find_best()
    return Strategy(
        cells=tuple(tuple(columns[up][label] for up in UPCARD_ORDER) for label in HAND_LABELS),
        title=f"{rules}: the best total-dependent chart for free hands",
    )


def _decide_insurance(prepared: PreparedShoe, cells: dict[str, str]) -> tuple[dict[str, str], bool]:
    """Return the column of an ace, and whether the chart takes insurance and even money.

    If the dealer looks for insurance, an insured hand may need other cells.
    """
    if not insurance.looks_for_insurance(prepared.rules):
        return cells, insurance.gain_of_taking(prepared.rules, prepared.shoe) > ROUNDING_ERROR
    insured = _ChartColumn(finite_hands.UpcardSolution(prepared.with_look(), ACE)).find_best()
    values = [
        _value_paid(prepared, _as_strategy(column, ACE, takes_insurance=takes), ACE)
        for column, takes in ((cells, False), (insured, True))
    ]
    return (insured, True) if values[1] > values[0] + ROUNDING_ERROR else (cells, False)


class _ChartColumn:
    nearly_even = 2e-5
    """Cells whose cost per round by the simple weights is lower are tried by the exact value."""
    has_undoubled_aces = False
    """Whether the hands of split aces play on but do not double, where others do."""

    def __init__(self, best_play: finite_hands.UpcardSolution) -> None:
        self.best_play = best_play
        self.upcard = best_play.upcard
        self.prepared = prepared = best_play.prepared
        self.rows = _rows(prepared.rules.charlie)
        self.openings = [
            (
                hand := prepared.hands.find(ranks),
                _row_of_opening(prepared, hand, pair),
                pair,
                chance,
            )
            for ranks, pair, chance in self._list_openings()
        ]
        """Number of each two-card hand, its row of the chart, its pair and its chance."""

    def _list_openings(self) -> Iterator[tuple[tuple[Rank, Rank], Rank, float]]:
        return finite_hands.opening_hands(self.best_play)

    def find_best(self) -> dict[str, str]:
        """Improve all cells together, then the nearly even ones one at a time."""
        return self._settle_close_cells(*self._improve())

    def _improve(self) -> tuple[dict[str, str], dict[str, list[CellOption]]]:
        """Improve all cells together; return them, and the options of each row."""
        cells = self._start()
        worth: dict[str, list[CellOption]] = {}
        for _ in range(_ROUNDS):
            worth = self._weigh(cells)
            improved = {label: max(options, key=_worth).cell for label, options in worth.items()}
            if improved == cells:
                break
            cells = improved
        return cells, worth

    def _start(self) -> dict[str, str]:
        """Start with the composition-dependent best action of each row's first hand."""
        cells = dict.fromkeys(HAND_LABELS, "H")
        for label, row in self.rows.items():
            action = self.best_play.plan.later[row.last] if row.last else 1
            cells[label] = "H" if action else "S"
        return cells

    def _play(self, cells: dict[str, str]) -> finite_hands.UpcardSolution:
        strategy = _as_strategy(cells, self.upcard)
        return finite_hands.UpcardSolution(self.prepared.with_strategy(strategy, None), self.upcard)

    def _weigh(self, cells: dict[str, str]) -> dict[str, list[CellOption]]:
        """Weight the options of every row, keeping all others."""
        played, prepared = self._play(cells), self.prepared
        hands = prepared.hands
        reach = np.zeros(len(hands.codes))
        plain: dict[str, list[tuple[float, dict[Action, float]]]] = {}
        for hand, label, pair, chance in self.openings:
            values = played.values(hand)
            if len(values) == 1 or played.is_natural(hand):
                continue
            if pair and prepared.most_hands(pair) >= 2:
                # Under best play: close enough for a first chart.
                values[Action.SPLIT] = self.best_play.split_value(pair)
            plain.setdefault(label, []).append((chance, values))
            reach[hand] += chance * (_first_action(cells[label], values) is Action.HIT)
        # Only hands that open with a hit continue; the kernel reads their next actions.
        hitting = np.full_like(played.plan.opening, HIT)
        order, plan = finite_hands.hands_with(0)[::-1].copy(), played.plan._replace(opening=hitting)
        fill_reach(played.shoe, order, hands.arrays, plan, reach)
        return {
            label: list(_options(plain.get(label, []), played, row.later, reach))
            for label, row in self.rows.items()
        }

    def _value(self, cells: dict[str, str]) -> float:
        return finite_hands.value_opening_round(self._play(cells)).ev

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

    def __init__(self, best_play: finite_hands.UpcardSolution) -> None:
        self.paid, rules = best_play, best_play.prepared.rules
        one_card, doubles = gets_one_card(rules, ACE), may_double_after_split(rules, ACE)
        self.has_undoubled_aces = not one_card and not doubles
        super().__init__(best_play.free)
        # Their weights do not count the hands of resplits: try more cells.
        self.nearly_even = 1e-3 * math.fsum(chance for *_, chance in self.openings)

    def _value(self, cells: dict[str, str]) -> float:
        """Return the value of the splits, with the best play of paid hands."""
        free = _as_strategy(cells, self.upcard)
        played = finite_hands.UpcardSolution(
            self.paid.prepared.with_strategy(None, free), self.upcard
        )
        cards = played.shoe.sum()
        return math.fsum(
            played.shoe[rank]
            * (played.shoe[rank] - 1)
            / cards
            / (cards - 1)
            * played.split_value(rank)
            for rank in played.prepared.free_splits
        )

    def _list_openings(self) -> Iterator[tuple[tuple[Rank, Rank], Rank, float]]:
        rules, prepared = self.prepared.rules, self.prepared
        for rank in prepared.splits_of:
            if not splits_free(rules, rank):
                continue
            left = self.best_play.shoe.copy()
            chance = 1.0
            for _ in range(2):
                chance *= left[rank] / left.sum()
                left[rank] -= 1
            for second in RANKS:
                pair = rank if second == rank and prepared.most_hands(rank) > 2 else 0
                # A soft 12 that may not be split hits, and has no row.
                is_asked = not gets_one_card(rules, rank) and rank + second != 2 * ACE
                if (pair or is_asked) and chance > 0 and left[second] > 0:
                    yield (rank, second), pair, chance * left[second] / left.sum()

    def find_best(self) -> dict[str, str]:
        """Find the best cells; a pair that is never split again is played by its total."""
        cells = super().find_best()
        paired = {label for _, label, pair, _ in self.openings if pair}
        totals = {label: str(sum(read_hand(label)[0])) for label in PAIR_LABELS}
        alike = {label: cells.get(total, "S") for label, total in totals.items()}
        return cells | {label: cell for label, cell in alike.items() if label not in paired}


def _worth(option: CellOption) -> tuple[float, float]:
    return option.worth, option.otherwise


def _options(
    openings: list[tuple[float, dict[Action, float]]],
    played: finite_hands.UpcardSolution,
    later: NDArray[np.int64],
    reach: NDArray[np.float64],
) -> Iterator[CellOption]:
    """Iterate over the possible cells of a row, with their value for all hands that reach it."""
    prepared = played.prepared
    later_worth = dict.fromkeys(_ROW_ACTIONS, 0.0)
    stands = all(Action.STAND in values for _, values in openings)
    if later.size:
        weight = reach[later]
        raw = played.raw
        later_worth[Action.HIT] = float(weight @ raw.hit[later])
        later_worth[Action.STAND] = float(weight @ raw.stand[later])
        later_worth[Action.DOUBLE] = float(weight @ raw.double[later])
        if prepared.payoffs.surrenders:
            later_worth[Action.SURRENDER] = float(weight @ played.surrenders[later])
        stands &= may_stand(prepared.rules, total=int(prepared.hands.total[later[0]]))
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
def _rows(charlie: int | None) -> dict[str, _Row]:
    """Return the rows of a chart; a hand that wins by its number of cards needs no decision."""
    hands = player_hands()
    most = charlie or hands.cards.max() + 1
    rows = {}
    for label in HAND_LABELS:
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
    """Return the row of a two-card hand; unlike tens are played as a 19, a hard 4 as a 5."""
    total, is_soft, _ = prepared.hands.facts[hand]
    row = total if is_soft else max(5, min(total, 19))
    return row_label(row, is_soft=is_soft, pair_rank=pair)


def _as_strategy(cells: dict[str, str], upcard: Rank, *, takes_insurance: bool = False) -> Strategy:
    """Make a chart with these cells in the column of every upcard."""
    rows = tuple((cells[label],) * len(RANKS) for label in HAND_LABELS)
    return Strategy(cells=rows, title=f"v {upcard}", takes_insurance=takes_insurance)


_WORTH_NAMING = 1e-9


def find_costs(prepared: PreparedShoe, strategy: Strategy) -> tuple[CellCost, ...]:
    """Return the cells of a chart with a cost, worst first; see `solve.costliest_cells`."""
    counts = prepared.shoe
    best = best_chart(prepared)
    cards = math.fsum(counts)
    costs = []
    for column, (upcard, letter) in enumerate(zip(UPCARD_ORDER, UPCARD_LABELS, strict=True)):
        if not counts[upcard]:
            continue
        charted = _value(prepared, strategy, upcard)
        for row, label in enumerate(HAND_LABELS):
            cell, better = strategy.cells[row][column], best.cells[row][column]
            if cell == better:
                continue
            mended = _value(prepared, _with_cell(strategy, row, column, better), upcard)
            cost = (mended - charted) * counts[upcard] / cards
            if cost > _WORTH_NAMING:
                costs.append(
                    CellCost(hand=label, upcard=letter, cell=cell, better=better, cost=cost)
                )
    return tuple(sorted(costs, key=lambda cost: -cost.cost))


def find_exceptions(prepared: PreparedShoe, strategy: Strategy) -> tuple[CompositionException, ...]:
    """Return the hands to play by their cards; see `solve.composition_exceptions`."""
    rules, counts = prepared.rules, prepared.shoe
    cards = math.fsum(counts)
    found = []
    for upcard in prepared.upcards:
        looks = upcard == ACE and strategy.takes_insurance and insurance.looks_for_insurance(rules)
        solution = finite_hands.UpcardSolution(prepared.with_look() if looks else prepared, upcard)
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
                        upcard=rank_name(upcard),
                        charted=charted,
                        better=better,
                        gain=gain,
                        gain_per_round=gain * chance * counts[upcard] / cards,
                    )
                )
    return tuple(sorted(found, key=lambda exception: -exception.gain_per_round))


def _value(prepared: PreparedShoe, strategy: Strategy, upcard: Rank) -> float:
    solution = finite_hands.UpcardSolution(prepared.with_strategy(strategy, strategy), upcard)
    return finite_hands.value_opening_round(solution).ev


def _value_paid(prepared: PreparedShoe, strategy: Strategy, upcard: Rank) -> float:
    """Return the value of a chart for paid hands, with the best play of free ones."""
    solution = finite_hands.UpcardSolution(prepared.with_strategy(strategy, None), upcard)
    return finite_hands.value_opening_round(solution).ev


def _with_cell(strategy: Strategy, row: int, column: int, cell: str) -> Strategy:
    cells = [list(written) for written in strategy.cells]
    cells[row][column] = cell
    return replace(strategy, cells=tuple(map(tuple, cells)))


def value_cells(prepared: PreparedShoe) -> dict[tuple[str, str], dict[Action, float]]:
    """Return the EVs of a chart's cells; see `solve.cell_values`."""
    return {
        (label, rank_name(up)): evs
        for up in prepared.upcards
        for label, evs in _column(finite_hands.UpcardSolution(prepared, up)).items()
    }


def _column(solution: finite_hands.UpcardSolution) -> dict[str, dict[Action, float]]:
    prepared = solution.prepared
    rules, hands = prepared.rules, prepared.hands
    has_looked = looks_before_answer(rules, upcard=solution.upcard, cards=2)
    sums: dict[str, dict[Action, float]] = {}
    weights: dict[str, float] = {}
    for ranks, pair, chance in finite_hands.opening_hands(solution):
        hand = hands.find(ranks)
        total, is_soft = int(hands.total[hand]), bool(hands.is_soft[hand])
        label = row_label(total, is_soft=is_soft, pair_rank=pair)
        weight = chance * (1 - solution.natural_probability(hand) if has_looked else 1)
        if label not in HAND_LABELS or not weight:
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
    solutions = {one.upcard: one for one in finite_hands.solve_starts(prepared).values()}
    for upcard in UPCARD_ORDER:
        if upcard in solutions:
            found += _by_cards(solutions[upcard], strategy)
            found += _by_suits(solutions[upcard], strategy)
    return tuple(found)


def _answer_later(
    solution: finite_hands.UpcardSolution, strategy: Strategy, total: int, *, is_soft: bool
) -> Action:
    """Return the chart's answer to a hand of three or more cards."""
    rules, upcard = solution.prepared.rules, solution.upcard
    may_double = predicates.may_double(rules, cards=3, total=total, is_soft=is_soft)
    legal = (Action.HIT, Action.STAND, *((Action.DOUBLE,) if may_double else ()))
    return strategy.decide(total=total, is_soft=is_soft, pair_rank=0, upcard=upcard, legal=legal)


def _by_cards(solution: finite_hands.UpcardSolution, strategy: Strategy) -> Iterator[BonusPlay]:
    hands, raw, up = solution.prepared.hands, solution.raw, rank_name(solution.upcard)
    reach = finite_hands.reach_of_hits(solution)
    for label in HAND_LABELS:
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
    hands, raw, up = solution.prepared.hands, solution.raw, rank_name(solution.upcard)
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
