"""`Strategy`: a chart with an action for every hand against the dealer's cards, as a value.

A chart is total-dependent: it looks at the hand's total, whether that is soft, and whether the hand
is a pair that may be split. Its columns are the upcards, or in houses that show both dealer cards
their totals: 4 to 20, then AA to A9. Its text is a table of tab-separated cells:

    H S       hit, stand
    Dh Ds     double; where that is not allowed hit, stand
    P         split; where that is not allowed play the pair as its total
    Rh Rs Rp  surrender; where that is not allowed hit, stand, split

In houses that ask doubled hands again, rows such as `x16` and `xA6` may follow for these: `S`, `Rs`
(rescue, else stand), `Ds` (double again, else stand) and `Dr` (double again, else rescue or stand).
A chart without such rows stands on them.

In houses that offer a swap of second cards, rows such as `w8T` may follow: what two cards are worth
in the middle of a round, in 1/10,000 of a bet. The cards are swapped where both hands are worth
more then; a chart without such rows never swaps.

`D` alone is read as `Dh`. The table of document 002 (a label and ten letters) is also accepted.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Any, Final, NotRequired, TypeAlias, TypedDict

from upcard.core import figure
from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN, UPCARD_ORDER, Rank, rank_name, read_rank
from upcard.core.errors import IllegalActionError, NotationError, UnsupportedRuleError
from upcard.core.user_files import read_user_file

if TYPE_CHECKING:
    from upcard.rules.model import Rules

Options: TypeAlias = tuple[Action, ...]

PLAIN: Final = (Action.HIT, Action.STAND)


def first_legal(options: Options, legal: Collection[Action]) -> Action | None:
    """Return the first of the options that is legal; None if none is."""
    return next((action for action in options if action in legal), None)


def no_answer(
    options: Options, legal: Collection[Action], *, total: int, is_soft: bool, where: str
) -> IllegalActionError:
    """Return the error for a hand that has no legal option; `where` names upcard and count."""
    return IllegalActionError(
        f"the chart has no answer for {'soft ' if is_soft else ''}{total} v {where}: it knows"
        f" {', '.join(options)}. Legal: {', '.join(legal) or 'nothing'}"
    )


@lru_cache(maxsize=4096)
def put_in(
    options: Options,
    action: Action,
    otherwise: Action | None,
    holds: bool,  # noqa: FBT001
) -> Options:
    """Insert one play into the chart's options, or its other side if it does not hold."""
    if action in PLAIN:
        wanted = action if holds else otherwise
        return options if wanted is None else _put_plain(options, wanted)
    rest = _without(options, action)
    if not holds:
        return rest if otherwise is None else _put_plain(rest, otherwise)
    if action is Action.SURRENDER:
        return (action, *rest)
    first, _ = _split_off_surrender(options)
    rest = rest[len(first) :]
    # A pair that will be split declines a surrender that is offered before the splits.
    declines = (Action.NO_SURRENDER,) if action is Action.SPLIT else ()
    return (*first, action, *declines, *rest)


def _put_plain(options: Options, wanted: Action) -> Options:
    """Insert hit or stand after surrender, in place of double and split."""
    first, rest = _split_off_surrender(options)
    kept = (a for a in rest if a not in (wanted, Action.DOUBLE, Action.SPLIT, Action.SURRENDER))
    return (*first, wanted, *kept)


def _without(options: Options, action: Action) -> Options:
    if action is Action.SPLIT and action in options:
        place = options.index(action)
        after = options[place + 1 :]
        after = after[1:] if after[:1] == (Action.NO_SURRENDER,) else after
        return (*options[:place], *after)
    return tuple(other for other in options if other is not action)


def _split_off_surrender(options: Options) -> tuple[Options, Options]:
    """Separate surrender, if it is the first option, from the rest."""
    if options[:1] == (Action.SURRENDER,):
        return options[:1], options[1:]
    return (), options


def answer_insurance(*, takes: bool) -> Options:
    """Return the answers to insurance and even money."""
    if takes:
        return (Action.INSURANCE, Action.EVEN_MONEY)
    return (Action.NO_INSURANCE, Action.NO_EVEN_MONEY)


Column: TypeAlias = tuple[Options, ...]


class ChartHand(TypedDict):
    """A hand as a chart sees it: the keyword arguments of every question."""

    total: int
    is_soft: bool
    pair_rank: Rank
    """Rank of a pair that can be split, now or later in the offers; else 0."""
    upcard: Rank
    hole: NotRequired[Rank]
    """Rank of the hole card where the house shows it (default: 0, not seen)."""
    doubles: NotRequired[int]
    """How often the hand has doubled (default: 0)."""


HARD_LABELS: Final = tuple(str(total) for total in range(5, 20))
SOFT_LABELS: Final = tuple(f"A{rank}" for rank in range(2, 10))
PAIR_LABELS: Final = (*(f"{rank}{rank}" for rank in range(2, 11)), "AA")
HAND_LABELS: Final = (*HARD_LABELS, *SOFT_LABELS, *PAIR_LABELS)
"""The 33 rows of a chart, in the order of document 002."""
_WHOLE: Final = re.compile(r"-?[0-9]{1,6}")
DOUBLED_LABELS: Final = tuple(f"x{label}" for label in (*HARD_LABELS, *SOFT_LABELS))
"""The rows of hands that have doubled."""
WORTH_PAIRS: Final = tuple(combinations_with_replacement(RANKS, 2))
WORTH_LABELS: Final = tuple(f"w{rank_name(one)}{rank_name(other)}" for one, other in WORTH_PAIRS)
"""The rows of what two cards are worth."""
WORTH_OF_BET: Final = 10_000
"""The worth of a bet."""
UPCARD_LABELS: Final = (*(str(rank) for rank in range(2, 11)), "A")
"""The ten columns of a chart by the upcard."""
DEALER_LABELS: Final = (*(str(total) for total in range(4, 21)), "AA", *SOFT_LABELS)
"""The 26 columns of a chart by both dealer cards: hard totals, then soft ones; no natural."""
ROWS: Final = {
    UPCARD_LABELS: HAND_LABELS,
    # A dealer who shows a 20 and wins ties makes a hard 20 draw.
    DEALER_LABELS: (*HARD_LABELS, "20", *SOFT_LABELS, *PAIR_LABELS),
}
"""The rows of a chart, by its columns."""
CELLS: Final = ("H", "S", "Dh", "Ds", "P", "Rh", "Rs", "Rp")

_INSURANCE: Final = "insurance:"
_SHORT_CELLS: Final = {"D": "Dh"}
_ANSWERS: Final = {"yes": True, "no": False}
_OPTIONS: Final[dict[str, Options]] = {
    "H": (Action.HIT, Action.STAND),
    "S": (Action.STAND, Action.HIT),  # a house may not let a low total stand
    "Dh": (Action.DOUBLE, Action.HIT, Action.STAND),
    "Ds": (Action.DOUBLE, Action.STAND, Action.HIT),
    "Rh": (Action.SURRENDER, Action.HIT, Action.STAND),
    "Rs": (Action.SURRENDER, Action.STAND, Action.HIT),
}
_DOUBLED_OPTIONS: Final[dict[str, Options]] = {
    "S": (Action.STAND,),
    "Rs": (Action.SURRENDER, Action.STAND),
    "Ds": (Action.DOUBLE, Action.STAND),
    "Dr": (Action.DOUBLE, Action.SURRENDER, Action.STAND),
}
"""Cells of hands that have doubled."""
_PAIR_CELLS: Final[dict[str, Options]] = {
    # A pair that will be split declines a surrender that is offered before the splits.
    "P": (Action.SPLIT, Action.NO_SURRENDER),
    "Rp": (Action.SURRENDER, Action.SPLIT),
}
"""The actions before those of the pair's total."""


def column_label(upcard: Rank, hole: Rank = 0) -> str:
    """Return the label of the column for an upcard, or for both dealer cards without a natural."""
    if not hole:
        return UPCARD_LABELS[UPCARD_ORDER.index(upcard)]
    if ACE in (upcard, hole):
        return "AA" if upcard == hole else f"A{max(upcard, hole)}"
    return str(upcard + hole)


def column_key(upcard: Rank, hole: Rank = 0) -> str:
    """Return the label of a column as values have it: a ten that is the upcard is `T`."""
    return column_label(upcard, hole) if hole else rank_name(upcard)


_PLACES: Final = {
    UPCARD_LABELS: {(up, 0): UPCARD_LABELS.index(column_label(up)) for up in RANKS},
    DEALER_LABELS: {
        (up, hole): DEALER_LABELS.index(column_label(up, hole))
        for up in RANKS
        for hole in RANKS
        if {up, hole} != {ACE, TEN}
    },
}
"""The place of a column by the dealer's cards, for each kind of chart."""
DEALERS: Final = {
    columns: tuple(dict(sorted((at, cards) for cards, at in places.items())).values())
    for columns, places in _PLACES.items()
}
"""Cards of the dealer for each column: the upcard, and the hole card or 0."""
COLUMN_KEYS: Final = {
    columns: tuple(column_key(*dealer) for dealer in dealers)
    for columns, dealers in DEALERS.items()
}
"""The labels of columns as values have them, for each kind of chart."""
_COLUMNS: Final = (
    f"they are {' '.join(UPCARD_LABELS)}, in this order, or those of both dealer cards,"
    f" {' '.join(DEALER_LABELS)}"
)


def tabulate_cells(
    title: str,
    labels: tuple[str, ...],
    rows: Iterable[tuple[str, ...]],
    caption: figure.Caption,
) -> figure.AnswerTable:
    """Return rows of a hand and its cells, under the labels of upcards, as a table."""
    columns = (figure.label(f"v_{label}", label) for label in labels)
    return figure.make_table(title, (figure.text("hand"), *columns), rows, caption)


def columns_of(rules: Rules) -> tuple[str, ...]:
    """Return the columns of charts for a house."""
    return DEALER_LABELS if rules.shows_hole else UPCARD_LABELS


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy(figure.Displayed, figure.Pictured):
    """A chart: a row for each of its `labels`, of a cell for each of its `columns`.

    Two are equal when they play the same, whatever their `title`. `str(strategy)` prints the chart
    and `Strategy.parse` reads it back.

    Raises: NotationError listing every row that is not a cell of the right kind for each column.

    >>> from upcard import Rules, basic_strategy
    >>> chart = basic_strategy(Rules.parse("6D LS"))
    >>> next(iter(chart))
    ('5', ('H', 'H', 'H', 'H', 'H', 'H', 'H', 'H', 'H', 'H'))
    """

    cells: tuple[tuple[str, ...], ...]
    """Rows in the order of the labels, cells in that of the columns."""
    title: str = field(default="", compare=False)
    """Printed above the table, one or more lines."""
    takes_insurance: bool = False
    """Whether insurance and even money are taken."""
    doubled: tuple[tuple[str, ...], ...] = ()
    """Rows of hands that have doubled, in the order of `DOUBLED_LABELS`; empty to stand on all."""
    worths: tuple[tuple[int, ...], ...] = ()
    """Rows in the order of `WORTH_LABELS`; empty to keep the cards where a swap is offered."""
    columns: tuple[str, ...] = UPCARD_LABELS
    """`UPCARD_LABELS`, or `DEALER_LABELS` for houses that show both dealer cards."""
    _places: dict[tuple[Rank, Rank], int] = field(init=False, repr=False, compare=False)
    _hard: tuple[Column, ...] = field(init=False, repr=False, compare=False)
    _soft: tuple[Column, ...] = field(init=False, repr=False, compare=False)
    _pairs: tuple[Column, ...] = field(init=False, repr=False, compare=False)
    _after_double: dict[str, Column] = field(init=False, repr=False, compare=False)
    _worths: dict[tuple[Rank, ...], tuple[int, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the cells, then lower them to the options to try first, second and so on."""
        faults = list(_find_faults(self))
        if faults:
            raise NotationError(*faults)
        insurance = answer_insurance(takes=self.takes_insurance)
        # Every hand's answers to an offer that its cell does not accept.
        offers = (Action.NO_SPLIT, Action.NO_SURRENDER, Action.NO_SWITCH, *insurance)
        options = {cell: (*actions, *offers) for cell, actions in _OPTIONS.items()}
        rows = dict(zip(self.labels, self.cells, strict=True))
        object.__setattr__(self, "_places", _PLACES[self.columns])
        width = len(self.columns)
        lowered = {
            "_hard": (_lower(rows, str(max(total, 5)), options, width) for total in range(22)),
            "_soft": (_lower_soft(rows, total, options, width) for total in range(22)),
            "_pairs": (_lower_pair(rows, rank, options, width) for rank in (0, *RANKS)),
        }
        for name, columns in lowered.items():
            object.__setattr__(self, name, tuple(columns))
        doubled = dict(zip(DOUBLED_LABELS, self.doubled, strict=False))
        after = {label: _lower(doubled, label, _DOUBLED_OPTIONS, width) for label in doubled}
        object.__setattr__(self, "_after_double", after)
        worths = dict(zip(WORTH_PAIRS, self.worths, strict=False))
        object.__setattr__(self, "_worths", worths)

    def table(self) -> figure.AnswerTable:
        """Return a row per hand and a column per upcard, or per total of the dealer.

        >>> from upcard import Rules, basic_strategy
        >>> basic_strategy(Rules.parse("6D LS")).table().to_dicts()[11]["v_9"]
        'Rh'
        """
        title, *about = self.title.splitlines() or [""]
        rows = ((hand, *cells) for hand, cells in self)
        return tabulate_cells(title, self.columns, rows, tuple(("", line) for line in about))

    @classmethod
    def parse(cls, text: str) -> Strategy:
        """Read a chart: tab-separated with a header, or document 002's letters without one.

        The header names the columns: upcards, or the totals of both dealer cards.
        Lines that start with `#` are its title, `# insurance: yes` its answer to insurance.

        Raises: NotationError listing all the faults, each with its line.

        >>> from upcard import Rules, basic_strategy
        >>> chart = basic_strategy(Rules.parse("6D LS"))
        >>> Strategy.parse(str(chart)) == chart
        True
        """
        return cls(**_read_chart(text))

    def __str__(self) -> str:
        """Write the table, header first; `Strategy.parse` reads it back. The title is left out."""
        lines = [
            "\t".join(("hand", *self.columns)),
            *("\t".join((label, *row)) for label, row in self),
        ]
        doubled = zip(DOUBLED_LABELS, self.doubled, strict=False)
        lines += ["\t".join((label, *row)) for label, row in doubled]
        worths = zip(WORTH_LABELS, self.worths, strict=False)
        lines += ["\t".join((label, *map(str, row))) for label, row in worths]
        if self.takes_insurance:
            lines.append(f"# {_INSURANCE} yes")
        return "\n".join(lines) + "\n"

    def __iter__(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Iterate over the rows: label and cells."""
        return iter(zip(self.labels, self.cells, strict=True))

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels of the rows: `HAND_LABELS`, and a 20 where both dealer cards are seen.

        >>> from upcard import Rules, basic_strategy
        >>> basic_strategy(Rules.parse("6D")).labels[:3]
        ('5', '6', '7')
        """
        return ROWS[self.columns]

    @property
    def dealers(self) -> tuple[tuple[Rank, Rank], ...]:
        """Cards of the dealer for each column: the upcard, and the hole card or 0.

        >>> from upcard import Rules, basic_strategy
        >>> basic_strategy(Rules.parse("6D")).dealers[-2:]
        ((10, 0), (1, 0))
        """
        return DEALERS[self.columns]

    def cell(self, label: str, column: str | Rank) -> str:
        """Return one cell, by the labels of row and column; an upcard may be a card or a rank.

        Raises: NotationError if there is no such row or column.

        >>> from upcard import Rules, basic_strategy
        >>> chart = basic_strategy(Rules.parse("6D LS"))
        >>> chart.cell("15", "T"), chart.cell("15", 10), chart.cell("TT", "A")
        ('Rh', 'Rh', 'S')
        """
        if column in self.columns:
            place = self.columns.index(str(column))
        else:
            place = self.place(read_rank(column, "upcard"))
        return self.cells[self.labels.index(read_row(label, self.labels))][place]

    @property
    def left_open(self) -> tuple[str, ...]:
        """Sentences on totals without a row that the chart plays unlike the rows next to them.

        >>> import upcard
        >>> upcard.basic_strategy("6D").left_open
        ()
        """
        rows = dict(zip(self.labels, self.cells, strict=True))
        last = 20 if "20" in rows else 19
        hit = [f"hard {last}"] if any(cell in ("H", "Dh", "Rh") for cell in rows[str(last)]) else []
        hit += ["soft 20"] if any(cell in ("H", "Dh", "Rh") for cell in rows["A9"]) else []
        if not hit:
            return ()
        above = "hard 20 or more" if last < 20 else "hard 21"
        hits = f"The chart hits {' and '.join(hit)}"
        return (f"{hits}, and has no row for {above} and soft 21: they stand.",)

    def worth(
        self, cards: tuple[Rank, Rank], upcard: Rank, *, natural_pays: Fraction | None = None
    ) -> int:
        """Return what two cards are worth, in 1/10,000 of a bet; 0 in a chart without worths.

        `natural_pays` is for cards as they were dealt; after a swap there are no naturals.

        >>> from upcard import basic_strategy, house
        >>> basic_strategy(house("switch")).worth((10, 10), 6)
        5871
        """
        if not self.worths:
            return 0
        low, high = pair = min(cards), max(cards)
        if natural_pays is not None and (low, high) == (ACE, TEN):
            return int(natural_pays * WORTH_OF_BET)
        return self._worths[pair][UPCARD_ORDER.index(upcard)]

    def answer_swap(
        self,
        first: tuple[Rank, Rank],
        second: tuple[Rank, Rank],
        upcard: Rank,
        natural_pays: Fraction,
    ) -> Action:
        """Return the answer to a swap of the second cards of two hands.

        >>> from upcard import basic_strategy, house
        >>> print(basic_strategy(house("switch")).answer_swap((10, 5), (6, 10), 7, 1))
        switch
        """
        kept = (self.worth(hand, upcard, natural_pays=natural_pays) for hand in (first, second))
        crossed = ((first[0], second[1]), (second[0], first[1]))
        swapped = (self.worth(hand, upcard) for hand in crossed)
        return Action.SWITCH if sum(swapped) > sum(kept) else Action.NO_SWITCH

    def place(self, upcard: Rank, hole: Rank = 0) -> int:
        """Return the place of the column for the dealer's cards; `hole` is 0 if it is not seen.

        Raises: UnsupportedRuleError if the columns are for other dealer cards.

        >>> from upcard import Rules, basic_strategy
        >>> basic_strategy(Rules.parse("6D")).place(10)
        8
        """
        try:
            return self._places[upcard, hole]
        except KeyError:
            self.require_dealer(shows_hole=hole > 0, who="chart")
            raise IllegalActionError(f"no chart plays against {upcard}, {hole}") from None

    def require_dealer(self, *, shows_hole: bool, who: str) -> None:
        """Refuse a house whose players see other dealer cards than the columns are for.

        >>> from upcard import Rules, basic_strategy
        >>> basic_strategy(Rules.parse("6D")).require_dealer(shows_hole=False, who="chart")
        """
        if shows_hole != (self.columns == DEALER_LABELS):
            seen = ("both dealer cards", "the upcard alone")
            shown, charted = seen if shows_hole else seen[::-1]
            reason = f"players see {shown}, and the columns of the chart are for {charted}"
            raise UnsupportedRuleError(who, f"shows_hole={str(shows_hole).lower()}", reason)

    def options(  # noqa: PLR0913 (the facts of a hand)
        self,
        *,
        total: int,
        is_soft: bool,
        pair_rank: Rank,
        upcard: Rank,
        hole: Rank = 0,
        doubles: int = 0,
    ) -> Options:
        """Return the chart's actions for a hand, in the order in which to try them; see `decide`.

        >>> from upcard import Rules, basic_strategy
        >>> chart = basic_strategy(Rules.parse("6D LS"))
        >>> print(*chart.options(total=11, is_soft=False, pair_rank=0, upcard=6)[:3])
        double hit stand
        """
        place = self.place(upcard, hole)
        if doubles:
            row = row_label(total if is_soft else max(total, 5), is_soft=is_soft)
            column = self._after_double.get(f"x{row}")
            return _DOUBLED_OPTIONS["S"] if column is None else column[place]
        if pair_rank:
            return self._pairs[pair_rank][place]
        if is_soft:
            return self._soft[total][place]
        return self._hard[total][place]

    def decide(  # noqa: PLR0913 (the facts of a hand)
        self,
        *,
        total: int,
        is_soft: bool,
        pair_rank: Rank,
        upcard: Rank,
        legal: Collection[Action],
        hole: Rank = 0,
        doubles: int = 0,
    ) -> Action:
        """Return the action of the chart for a hand, among those that are `legal`.

        `pair_rank` is 0 unless the hand is a pair that can be split, now or later in the offers;
        `hole` is 0 unless the house shows it; `doubles` is how often the hand has doubled.
        Totals without a row: under 5 as 5; soft 12 as two aces, and it hits where they are split;
        hard 20 and 21 and soft 21 stand. The
        offers that some houses make separately (insurance, surrender, splits) are answered too.

        Raises: IllegalActionError if none of the chart's options is legal.

        >>> from upcard import Action, Rules, basic_strategy
        >>> chart = basic_strategy(Rules.parse("6D LS"))
        >>> legal = (Action.HIT, Action.STAND)
        >>> str(chart.decide(total=15, is_soft=False, pair_rank=0, upcard=10, legal=legal))
        'hit'
        """
        options = self.options(
            total=total,
            is_soft=is_soft,
            pair_rank=pair_rank,
            upcard=upcard,
            hole=hole,
            doubles=doubles,
        )
        for action in options:
            if action in legal:
                return action
        where = column_label(upcard, hole)
        raise no_answer(options, legal, total=total, is_soft=is_soft, where=where)


_FAULTS_SHOWN: Final = 2


def load_strategy(strategy: Strategy | str) -> Strategy:
    """Return the chart that is given, or that in a file in the format of `str(Strategy)`."""
    if isinstance(strategy, Strategy):
        return strategy
    path = str(strategy)
    text = read_user_file(path, "chart")
    try:
        return Strategy.parse(text)
    except NotationError as error:
        shown = list(error.faults[:_FAULTS_SHOWN])
        rest = len(error.faults) - len(shown)
        if rest:
            shown.append(f"and {rest} more")
        raise NotationError(f"{path!r} is not a chart: {'; '.join(shown)}") from None


def read_row(label: str, labels: tuple[str, ...] = HAND_LABELS) -> str:
    """Read the label of a row: `16`, `A7`, `88`, `TT`."""
    row = str(label).strip().upper().replace("T", "10")
    if row not in labels:
        raise NotationError(f"no row is called {label!r}: one of {', '.join(labels)}")
    return row


def hand_of_row(label: str) -> tuple[int, bool, Rank]:
    """Return the total of a row, whether it is soft, and the rank of its pair, else 0."""
    if label in PAIR_LABELS:
        rank = ACE if label == "AA" else int(label[: len(label) // 2])
        return (12, True, ACE) if rank == ACE else (2 * rank, False, rank)
    return (11 + int(label[1:]), True, 0) if label in SOFT_LABELS else (int(label), False, 0)


def row_label(total: int, *, is_soft: bool, pair_rank: Rank = 0) -> str:
    """Return the label of a hand's row; totals without a row have labels that no chart knows."""
    if pair_rank:
        return "AA" if pair_rank == ACE else f"{pair_rank}{pair_rank}"
    return f"A{total - 11}" if is_soft else str(total)


def _find_cell_fault(label: str, cell: str) -> str | None:
    """Describe the fault of a cell in the row `label`; None if there is none."""
    if label in WORTH_LABELS:
        is_whole = _WHOLE.fullmatch(cell)
        return None if is_whole else f"cell {cell!r}: a worth is a whole number of 1/10,000"
    if label in DOUBLED_LABELS:
        is_known = cell in _DOUBLED_OPTIONS
        return None if is_known else f"unknown cell {cell!r}: one of {', '.join(_DOUBLED_OPTIONS)}"
    if cell not in CELLS:
        return f"unknown cell {cell!r}: one of {', '.join(CELLS)}"
    if cell in _PAIR_CELLS and label not in PAIR_LABELS:
        return f"cell {cell!r} splits, and {label} is not a pair"
    return None


def _find_faults(strategy: Strategy) -> Iterator[str]:
    if strategy.columns not in ROWS:
        yield f"columns {' '.join(strategy.columns)}: {_COLUMNS}"
        return
    for what, rows, labels in (
        ("rows", strategy.cells, strategy.labels),
        ("rows of doubled hands", strategy.doubled, DOUBLED_LABELS),
        ("rows of worths", strategy.worths, WORTH_LABELS),
    ):
        if len(rows) != len(labels) and (rows or what == "rows"):
            yield f"{len(rows)} {what}: a chart has {len(labels)}"
            return
        for label, row in zip(labels, rows, strict=False):
            if len(row) != len(strategy.columns):
                yield f"row {label}: {len(row)} cells, not {len(strategy.columns)}"
            for fault in (_find_cell_fault(label, str(cell)) for cell in row):
                if fault is not None:
                    yield f"row {label}: {fault}"
    for line in strategy.title.splitlines():
        if line.strip().lower().startswith(_INSURANCE):
            yield f"title line {line!r}: a title cannot start with {_INSURANCE!r}"


_SOFT_ACES: Final = 12


def _soft_row(total: int) -> str:
    if total <= 12:
        return "H"
    return "S" if total == 21 else f"A{total - 11}"


def _lower(
    rows: dict[str, tuple[str, ...]], row: str, options: Mapping[str, Options], width: int
) -> Column:
    """Return the options for a total in order, by column; `row` may be the cell of all columns."""
    cell = row if row in options else "S"
    return tuple(options[one] for one in rows.get(row, (cell,) * width))


def _lower_soft(
    rows: dict[str, tuple[str, ...]], total: int, options: Mapping[str, Options], width: int
) -> Column:
    """Return the options for a soft total in order, by column."""
    column = _lower(rows, _soft_row(total), options, width)
    if total != _SOFT_ACES:
        return column
    # Two aces that may not be split have no other row; where it says split, they hit.
    cells = zip(rows["AA"], column, strict=True)
    return tuple(after if cell in _PAIR_CELLS else options[cell] for cell, after in cells)


def _lower_pair(
    rows: dict[str, tuple[str, ...]], rank: Rank, options: Mapping[str, Options], width: int
) -> Column:
    """Return the options for a pair in order, by column."""
    if not rank:
        return ()
    row = _soft_row(12) if rank == ACE else str(max(2 * rank, 5))
    as_total = _lower(rows, row, options, width)
    cells = rows[row_label(2 * rank, is_soft=False, pair_rank=rank)]
    return tuple(
        (*_PAIR_CELLS[cell], *after) if cell in _PAIR_CELLS else options[cell]
        for cell, after in zip(cells, as_total, strict=True)
    )


# --- reading of a text: every fault at once, each with its line ---


def _read_chart(text: str) -> dict[str, Any]:
    title: list[str] = []
    insurance: list[bool] = []
    rows: dict[str, tuple[int, tuple[str, ...]]] = {}
    faults: list[str] = []
    columns, has_table = UPCARD_LABELS, False
    for number, line in enumerate(str(text).removeprefix("\ufeff").splitlines(), start=1):
        where = f"line {number}"
        words = line.split()
        if not words:
            continue
        if line.lstrip().startswith("#"):
            faults.extend(_read_comment(where, line.lstrip()[1:].strip(), title, insurance))
        elif words[0].lower() == "hand":
            named = tuple(column.upper() for column in words[1:])
            if has_table:
                faults.append(f"{where}: the header is not the first row")
            elif named in ROWS:
                columns = named
            else:
                faults.append(f"{where}: columns {' '.join(words[1:]) or '(none)'}: {_COLUMNS}")
            has_table = True
        else:
            has_table = True
            faults.extend(_read_row(number, words, rows, columns))
    needed = labels = ROWS[columns]
    if any(label in rows for label in DOUBLED_LABELS):
        needed += DOUBLED_LABELS
    if any(label in rows for label in WORTH_LABELS):
        needed += WORTH_LABELS
    faults.extend(f"row {label} is missing" for label in needed if label not in rows)
    if faults:
        raise NotationError(*faults)
    return {
        "cells": tuple(rows[label][1] for label in labels),
        "title": "\n".join(title),
        "takes_insurance": any(insurance),
        "doubled": tuple(rows[label][1] for label in DOUBLED_LABELS if label in rows),
        "worths": tuple(tuple(map(int, rows[one][1])) for one in WORTH_LABELS if one in rows),
        "columns": columns,
    }


def _read_comment(where: str, comment: str, title: list[str], taken: list[bool]) -> Iterator[str]:
    key, colon, answer = comment.partition(":")
    if not colon or key.strip().lower() != "insurance":
        title.append(comment)
        return
    word = answer.strip().lower()
    if word not in _ANSWERS:
        yield f"{where}: insurance: {answer.strip()!r} is not yes or no"
    elif taken:
        yield f"{where}: insurance is answered twice"
    else:
        taken.append(_ANSWERS[word])


def _read_row(
    number: int,
    words: list[str],
    rows: dict[str, tuple[int, tuple[str, ...]]],
    columns: tuple[str, ...],
) -> Iterator[str]:
    """Add a row to `rows`; yield a sentence for each fault."""
    label, *written = words[0].upper().replace("X", "x").replace("W", "w"), *words[1:]
    where = f"line {number}"
    if label not in (*ROWS[columns], *DOUBLED_LABELS, *WORTH_LABELS):
        yield f"{where}: unknown row {words[0]!r}: one of {', '.join(ROWS[columns])}"
        return
    if label in rows:
        yield f"{where}: row {label} is there already, in line {rows[label][0]}"
        return
    cells = tuple(_read_cell(word) for word in written)
    rows[label] = (number, cells)
    if len(cells) != len(columns):
        yield f"{where}: row {label} has {len(cells)} cells, not {len(columns)}"
    for fault in dict.fromkeys(_find_cell_fault(label, cell) for cell in cells):
        if fault is not None:
            yield f"{where}: row {label}: {fault}"


def _read_cell(word: str) -> str:
    cell = word[:1].upper() + word[1:].lower()
    return _SHORT_CELLS.get(cell, cell)
