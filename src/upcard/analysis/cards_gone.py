"""EV by the number of cards gone, for a player who knows them all and plays perfectly.

Up to four cards gone every set of ranks is valued, weighed by the number of ways to draw it.
With more cards gone shoes are shuffled, the same for all depths. Their mean is measured against the
linear estimate by the effects of removal, whose mean is known to be that of the full shoe: what is
left varies so little that a hundred shoes show the mean to some thousandths of a percent.

By a fixed chart the mean is the same at every depth; the rest is what knowing the cards is worth to
the play. What it is worth to bets is in the spread.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations_with_replacement
from math import comb, prod, sqrt
from operator import sub
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from upcard.cache.entry import SavedQuestion
from upcard.cache.exact import effects_of_removal
from upcard.cache.recall import peek, program_stamp, recall
from upcard.core import figure
from upcard.core.cards import RANKS, rank_name
from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.players.perfect import value_round
from upcard.rules.engines import check
from upcard.rules.settings import EngineName, Shuffle
from upcard.simulation.executors import count_cores, start_processes
from upcard.simulation.table_engine import make_generator

if TYPE_CHECKING:
    from upcard.rules.model import Rules

EXACT_TO: Final = 4
"""Cards gone whose shoes are all valued by default: 715 of them with four gone."""
_WHO: Final = "EV by cards gone"
MOST_EXACT: Final = 6
"""The most of them: 5,005 shoes."""
DEFAULT_SHOES: Final = 200
QUANTILES: Final = (0.05, 0.95)
_DEPTHS: Final = 8
"""Numbers of cards gone beyond, evenly spaced to the cut card."""
_PART: Final = 20
"""Shoes that are valued, and saved, at a time."""

Floats: TypeAlias = NDArray[np.float64]
_Shoe: TypeAlias = tuple[int, ...]
"""Cards by rank, ace to ten."""


_HIDDEN: Final = figure.ev(is_shown=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthRow:
    """The shoes with one number of cards gone. Values are per initial bet."""

    gone: Annotated[int, figure.number()]
    left: Annotated[int, figure.number()]
    shoes: Annotated[int, figure.number()]
    is_exact: Annotated[bool, figure.text("is_exact", "", is_shown=False)]
    """Whether these are all shoes, weighed by their chances."""
    ev: Annotated[float, figure.percent(title="EV", digits=4, error="error")]
    """Mean EV of a round."""
    error: Annotated[float | None, _HIDDEN]
    """Its standard error; None if it is exact, as those below."""
    sd: Annotated[float, figure.share(title="SD", digits=3)]
    """Standard deviation of the EV over the shoes."""
    low: Annotated[float, _HIDDEN]
    """EV that 5 % of the shoes are at or below."""
    high: Annotated[float, _HIDDEN]
    """EV that 95 % of the shoes are at or below."""
    winning: Annotated[float, figure.share(digits=1, error="winning_error")]
    """Share of the shoes in which a round wins."""
    winning_error: Annotated[float | None, _HIDDEN]
    gain: Annotated[float, figure.percent(digits=4, error="gain_error")]
    """Mean EV of one unit bet where a round wins, and nothing elsewhere."""
    gain_error: Annotated[float | None, _HIDDEN]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsGone(figure.Displayed):
    """EV by the number of cards gone."""

    rules: Rules
    seed: int
    rows: tuple[DepthRow, ...]
    """By cards gone, fewest first."""
    is_whole: bool = field(default=True, metadata={"json": False})
    """Whether no row is missing after Ctrl-C."""

    def table(self) -> figure.AnswerTable:
        """Return a row for every number of cards gone."""
        return figure.tabulate_fields("EV by cards gone", DepthRow, self.rows)

    def sentences(self) -> Iterator[tuple[str, str]]:
        """Iterate over the topics of what the table means, and their texts."""
        yield "EV", "mean over the shoes of the exact EV of a round by perfect play, flat bets."
        yield "SD", "of that EV over the shoes: what a perfect count has to bet by."
        yield "Winning", "share of the shoes in which a round wins."
        yield "Gain", "of a unit bet in these shoes only, per round."
        if sampled := [row for row in self.rows if not row.is_exact]:
            first = f"{sampled[0].gone} cards gone"
            yield "Exact", f"all shoes, weighed by their chances; from {first} on shuffled shoes."
            yield "Seed", f"{self.seed}; ± is one standard error."


def find_cards_gone(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    *,
    exact_to: int = EXACT_TO,
    shoes: int = DEFAULT_SHOES,
    seed: int = 1,
    workers: int | None = None,
    watch: Callable[[str, float], None] = lambda _what, _share: None,
) -> CardsGone:
    """Value shoes by the number of cards gone, on processes.

    Up to `exact_to` cards gone these are all shoes, beyond `shoes` shuffled ones for each number.

    Values are saved as they are found: the same call continues after Ctrl-C, which ends it with the
    depths so far. `workers` (default: all cores) changes no result.

    Raises: UnsupportedRuleError for rules whose cards do not go, or that have no exact value.
    """
    workers = count_cores() if workers is None else workers
    if shoes < 2 or workers < 1 or not 0 <= exact_to <= MOST_EXACT:
        asked = f"{shoes} shoes, {workers} workers, exact to {exact_to} cards"
        raise RulesError(f"{asked}: 2 shoes or more, 1 worker or more, 0 to {MOST_EXACT} cards")
    check(rules, EngineName.REMOVAL, _WHO)
    if rules.shuffle is Shuffle.EVERY_ROUND:
        raise UnsupportedRuleError(_WHO, "CSM", "with a fresh shoe none are gone")
    full = rules.full_shoe.counts[1:]
    value_round(rules, None, list(full))  # refuses rules
    depths = _list_depths(rules, exact_to, shoes, seed)
    parts = [part for depth in depths for part in depth.parts()]
    values = _value_parts(rules, parts, workers)
    found = effects_of_removal(rules)
    effects = np.array([found[rank_name(rank)] for rank in RANKS])
    rows: list[DepthRow] = []
    done = 0
    try:
        for depth in depths:
            evs: list[float] = []
            for _ in depth.parts():
                evs += next(values)
                done += 1
                watch("shoes", done / len(parts))
            rows.append(depth.sum_up(full, np.array(evs), effects, rows[0].ev if rows else evs[0]))
    except KeyboardInterrupt:
        if not rows:
            raise
    finally:
        values.close()
    return CardsGone(rules=rules, seed=seed, rows=tuple(rows), is_whole=len(rows) == len(depths))


class _Depth(NamedTuple):
    """The shoes with one number of cards gone."""

    gone: int
    shoes: tuple[_Shoe, ...]
    weights: Floats | None
    """Their chances; None if they were shuffled."""

    def parts(self) -> Iterator[tuple[_Shoe, ...]]:
        """Iterate over the shoes in parts."""
        yield from (self.shoes[at : at + _PART] for at in range(0, len(self.shoes), _PART))

    def sum_up(self, full: _Shoe, evs: Floats, effects: Floats, start: float) -> DepthRow:
        """Return the row of the EVs of the shoes; `start` is that of the full shoe."""
        size, number = sum(full), len(evs)
        is_exact = self.weights is not None
        weights = np.full(number, 1 / number) if self.weights is None else self.weights
        mean = float(weights @ evs)
        deviation = sqrt(max(float(weights @ (evs - mean) ** 2), 0.0))
        if not is_exact:
            # The mean of the linear estimate over all shoes is 0.
            centred = effects - np.dot(full, effects) / size
            cards = np.array(full) - np.array(self.shoes)
            rest = evs - cards @ centred * (size - 1) / (size - self.gone) - start
            mean = start + float(rest.mean())
        order = np.argsort(evs)
        below = np.cumsum(weights[order])
        low, high = (float(evs[order][np.searchsorted(below, share)]) for share in QUANTILES)
        wins, gains = evs > 0, np.maximum(evs, 0.0)
        return DepthRow(
            gone=self.gone,
            left=size - self.gone,
            shoes=number,
            is_exact=is_exact,
            ev=mean,
            error=None if is_exact else _error(rest),
            sd=deviation,
            low=low,
            high=high,
            winning=float(weights @ wins),
            winning_error=None if is_exact else _error(wins),
            gain=float(weights @ gains),
            gain_error=None if is_exact else _error(gains),
        )


def _error(values: NDArray[Any]) -> float:
    return float(values.std(ddof=1)) / sqrt(len(values))


def _list_depths(rules: Rules, exact_to: int, shoes: int, seed: int) -> list[_Depth]:
    """Return the shoes of every depth: all of them, then shuffled ones."""
    full = rules.full_shoe.counts[1:]
    size = sum(full)
    depths = []
    for gone in range(exact_to + 1):
        drawn = [
            tuple(ranks.count(place) for place in range(len(full)))
            for ranks in combinations_with_replacement(range(len(full)), gone)
        ]
        ways = [prod(map(comb, full, cards)) for cards in drawn]
        left = tuple(tuple(map(sub, full, cards)) for cards in drawn)
        depths.append(_Depth(gone, left, np.array(ways, float) / comb(size, gone)))
    cut = int(size * rules.penetration)
    numbers = {round(cut * depth / _DEPTHS) for depth in range(1, _DEPTHS + 1)}
    order = []
    for number in range(shoes):
        cards = list(rules.full_shoe.cards)
        make_generator(seed, number, "cards gone").shuffle(cards)
        order.append([card.rank for card in cards])
    for gone in sorted(number for number in numbers if number > exact_to):
        every = tuple(tuple(map(ranks[gone:].count, RANKS)) for ranks in order)
        depths.append(_Depth(gone, every, None))
    return depths


def _value_parts(
    rules: Rules, parts: Sequence[tuple[_Shoe, ...]], workers: int
) -> Generator[tuple[float, ...]]:
    """Iterate over the EVs of parts: saved, or computed on processes and saved."""
    stamp = program_stamp(("analysis", "documents", "players", "simulation", "table"))

    def save(part: tuple[_Shoe, ...], find: Callable[[], tuple[float, ...]]) -> tuple[float, ...]:
        return recall(SavedQuestion("gone", rules, (stamp, part), tuple[float, ...], find))

    executor = start_processes(workers) if workers > 1 else None
    under_way: deque[tuple[tuple[_Shoe, ...], Callable[[], tuple[float, ...]]]] = deque()
    try:
        for part in parts:
            value = partial(_value_shoes, rules, part)
            find: Callable[[], tuple[float, ...]] = value
            if executor is not None and peek(partial(save, part, value)) is None:
                find = executor.submit(value).result
            under_way.append((part, find))
            if len(under_way) > 2 * workers:
                yield save(*under_way.popleft())
        while under_way:
            yield save(*under_way.popleft())
    finally:
        if executor is not None:
            executor.shutdown(wait=True, cancel_futures=True)


def _value_shoes(rules: Rules, shoes: tuple[_Shoe, ...]) -> tuple[float, ...]:
    return tuple(value_round(rules, None, list(shoe)) for shoe in shoes)
