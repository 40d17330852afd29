"""Counts compared with a player who knows every card gone, by their bets and by their plays.

The shoes are dealt with the best chart. At each question every answer has its exact value for the
cards not seen; what an answer loses against the best one, summed over a round, is on average what
its player wins less than a perfect one. Each player follows the same cards: where answers differ
the round continues both ways. Of the chart's loss a count's plays win a share back: `playing`.

Before some of the rounds the exact value of the chart's play is computed for the cards left. One
more unit in every round where that is above 0 wins the most that bets can win; one more unit from
some count on wins a share of it: `betting`, at the count where that is most.

Errors are standard errors over shoes. All figures come from the same rounds, so those of two counts
differ by less than their errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from itertools import count as count_up
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core import figure, numbers
from upcard.core.cards import FACES, RANKS, Card
from upcard.core.errors import EmptyShoeError, RulesError
from upcard.players.bots import ChartPlayer, basic_chart
from upcard.players.perfect import check_valued, value_legal, value_round
from upcard.players.question import read_question
from upcard.players.seen_cards import FACE_INDEX, CardsSeen, compose, count_decks
from upcard.simulation.executors import count_cores, start_processes
from upcard.simulation.table_engine import make_generator
from upcard.strategy.count_system import RunningCount
from upcard.table.engine import apply, deal
from upcard.table.state import RoundState, TableView, start_round, view

if TYPE_CHECKING:
    from upcard.core.actions import Action
    from upcard.rules.model import Rules
    from upcard.strategy.chart import Strategy
    from upcard.strategy.count_system import CountSystem
    from upcard.strategy.deviations import Deviations

DEFAULT_ROUNDS: Final = 40_000
_SHOES_A_TASK: Final = 4
_BETS: Final = 1 / 24
"""Share of the rounds whose value is computed before the deal: it takes as long as 30 rounds."""
_ENGINE: Final = "ceiling of counting"
_CHART: Final = 0
_Numbers = NDArray[np.float64]


@numbers.as_object()
class Mean(NamedTuple):
    """A gain, or a share of one, and its standard error over shoes; None if no round decides it."""

    value: float | None
    standard_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceiling:
    """The shares of a count in the gains of perfect plays and perfect bets over the best chart."""

    system: CountSystem
    """It plays with its exact indices for the rules."""
    playing: Mean
    betting: Mean
    bets_from: int
    """The count from which another unit wins most."""
    rounds: int
    shoes: int
    seed: int
    valued: int
    """Rounds that were valued before the deal."""
    perfect_playing: Mean
    """Gain of perfect plays with flat bets, per initial bet."""
    perfect_betting: Mean
    """Gain of another unit in every round that favours the chart, per round and unit."""
    json_keys = """
        betting=betting.value playing=playing.value error=playing.standard_error
        betting_error=betting.standard_error bets_from rounds shoes seed valued perfect_playing
        perfect_betting
    """

    def sentences(self) -> Iterator[tuple[str, str]]:
        """Iterate over the topics of what the table means, and their texts."""
        plays, bets = map(_write, (self.perfect_playing, self.perfect_betting))
        won = "which perfect play wins over the chart at flat bets"
        yield "Playing", f"share of {plays} of a bet, {won}. The counts play all exact indices."
        won = "which one more unit wins if it is bet exactly where the chart's next round wins"
        yield "Betting", f"share of {bets} of a unit a round, {won}. The counts bet it as shown."
        shoes, valued = numbers.count_of(self.shoes, "shoe"), f"{self.valued:,} of them valued"
        yield "Rounds", f"{self.rounds:,} in {shoes}, {valued} before the deal; seed {self.seed}."


def tabulate_shares(found: Iterable[Ceiling]) -> figure.AnswerTable:
    """Return the shares of each system."""
    share = figure.make_maker(figure.ColumnKind.SHARE, 1)
    count = figure.make_maker(figure.ColumnKind.SIGNED, 0)
    columns = (
        figure.text("system"),
        *(share("playing"), share("playing_error", "±")),
        *(share("betting"), share("betting_error", "±"), count("bets_from")),
    )
    rows = ((one.system.name, *one.playing, *one.betting, one.bets_from) for one in found)
    return figure.make_table("Shares of a perfect player's gain", columns, rows)


def _write(gain: Mean) -> str:
    if gain.value is None or gain.standard_error is None:
        return "an unknown part"
    return numbers.with_error(100 * gain.value, 100 * gain.standard_error, "%")


class _Played(NamedTuple):
    """One shoe."""

    rounds: int
    lost: tuple[float, ...]
    """Losses by answers: of the chart, then of each count."""
    values: tuple[float, ...]
    """Values of rounds before the deal."""
    counts: tuple[tuple[int, ...], ...]
    """The counts there."""


def find_ceiling(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    systems: Sequence[CountSystem],
    *,
    rounds: int = DEFAULT_ROUNDS,
    seed: int = 1,
    workers: int | None = None,
    watch: Callable[[str, float], None] = lambda _what, _share: None,
) -> tuple[Ceiling, ...]:
    """Play whole shoes of `rounds` rounds or more, on processes, and compare the systems.

    `workers` (default: all cores) changes no result. Ctrl-C ends it with the shoes so far.

    Raises: UnsupportedRuleError for rules without an exact value of every answer, or whose shoe
    does not last; RulesError for a system that does not count them.
    """
    from upcard.analysis.indices.search import indices

    workers = count_cores() if workers is None else workers
    if rounds < 1 or workers < 1:
        raise RulesError(f"{rounds} rounds and {workers} workers: 1 or more of each")
    for system in systems:
        count_decks(rules, system)
    chart = basic_chart(rules)
    check_valued(rules, chart, _ENGINE)
    plays = []
    for number, system in enumerate(systems):
        watch("exact indices", number / len(systems))
        plays.append(indices(rules, count=system, method="exact", saves=True).deviations)
    shoes: list[_Played] = []
    played = 0
    try:
        for shoe in _play_shoes((rules, chart, tuple(systems), tuple(plays), seed), workers):
            shoes.append(shoe)
            played += shoe.rounds
            watch("shoes", min(played / rounds, 1.0))
            if played >= rounds:
                break
    except KeyboardInterrupt:
        if len(shoes) < 2:
            raise
    return _sum_up(tuple(systems), shoes, seed)


_Game = tuple["Rules", "Strategy", tuple["CountSystem", ...], tuple["Deviations", ...], int]


def _play_shoes(game: _Game, workers: int) -> Iterator[_Played]:
    """Iterate over the shoes in order, without end."""
    executor = start_processes(workers)
    under_way: list[Future[list[_Played]]] = []
    try:
        for task in count_up():
            under_way.append(executor.submit(_play_task, game, task))
            if len(under_way) >= 2 * workers:
                yield from under_way.pop(0).result()
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _play_task(game: _Game, task: int) -> list[_Played]:
    seats = _seat(game[:4])
    return [
        _Shoe(seats, game[4], number).play()
        for number in range(task * _SHOES_A_TASK, (task + 1) * _SHOES_A_TASK)
    ]


class _Counter(ChartPlayer):
    """Follows a chart and deviations at a count that is given."""

    def __init__(self, chart: Strategy, system: CountSystem, plays: Deviations, decks: int) -> None:
        super().__init__(chart)
        self.fresh = RunningCount(system, decks)
        self.count = 0
        self._look_up = lambda **asked: plays.decide(chart, count=self.count, **asked)


class _Seats(NamedTuple):
    rules: Rules
    chart: ChartPlayer
    counters: tuple[_Counter, ...]
    round: RoundState


@lru_cache(maxsize=1)
def _seat(game: tuple[Rules, Strategy, tuple[CountSystem, ...], tuple[Deviations, ...]]) -> _Seats:
    rules, chart, systems, plays = game
    counters = tuple(
        _Counter(chart, system, own, rules.decks or 1)
        for system, own in zip(systems, plays, strict=True)
    )
    return _Seats(rules, ChartPlayer(chart), counters, start_round(rules, (1,) * rules.min_spots))


class _Shoe:
    """A shoe that the chart plays to its cut card, while the counts answer too."""

    def __init__(self, seats: _Seats, seed: int, number: int) -> None:
        self.seats = seats
        self.rng = make_generator(seed, number, "ceiling")
        self.cards = list(seats.rules.full_shoe.cards)
        self.rng.shuffle(self.cards)
        self.at = 0
        self.faces = [0] * len(FACES)
        self.counts = [copy(counter.fresh) for counter in seats.counters]
        self.lost = [0.0] * (1 + len(self.counts))

    def play(self) -> _Played:
        """Play all rounds; one that needs more cards than there are is left out."""
        rules = self.seats.rules
        cut, rounds = int(len(self.cards) * rules.penetration), 0
        values, counts = [], []
        while self.at < cut:
            before, start = self.lost.copy(), self.at
            try:
                if self.rng.random() < _BETS:
                    values.append(value_round(rules, self.seats.chart.strategy, self._ranks_left()))
                    left = len(self.cards) - start
                    counts.append(tuple(one.bet_count(left) for one in self.counts))
                self._follow(self.seats.round, start, tuple(range(len(self.lost))))
            except EmptyShoeError:
                self.lost = before
                break
            rounds += 1
            for card in self.cards[start : self.at]:
                self.faces[FACE_INDEX[card.face]] += 1
                for one in self.counts:
                    one.see(card)
        return _Played(rounds, tuple(self.lost), tuple(values), tuple(counts))

    def _ranks_left(self) -> list[int]:
        ranks = [card.rank for card in self.cards[self.at :]]
        return [ranks.count(rank) for rank in RANKS]

    def _follow(self, state: RoundState, at: int, who: tuple[int, ...]) -> None:
        """Play a round on for the players `who`, whose answers were the same so far."""
        while True:
            while state.pending:
                if at == len(self.cards):
                    raise EmptyShoeError("no card is left")
                state, _ = deal(state, self.cards[at])
                at += 1
            if not state.legal:
                break
            answers = {state.legal[0]: who}
            if len(state.legal) > 1:
                answers = self._ask(view(state), state.legal, at, who)
            first, *others = answers
            for action in others:
                self._follow(apply(state, action)[0], at, answers[action])
            state, who = apply(state, first)[0], answers[first]
        if _CHART in who:
            self.at = at

    def _ask(
        self, seen: TableView, legal: tuple[Action, ...], at: int, who: tuple[int, ...]
    ) -> dict[Action, tuple[int, ...]]:
        """Return the players by answer, and add what each answer loses."""
        shown = [card for hand in seen.hands for card in hand.cards] + list(seen.dealer)
        faces = self.faces.copy()
        for card in shown:
            faces[FACE_INDEX[card.face]] += 1
        unseen = compose(self.seats.rules, CardsSeen(tuple(faces)), "")
        values = value_legal(read_question(seen, legal), unseen)
        best = max(values.values(), default=0.0)
        answers: dict[Action, tuple[int, ...]] = {}
        for player in who:
            action = self._answer(player, seen, legal, shown, len(self.cards) - at)
            answers[action] = (*answers.get(action, ()), player)
            self.lost[player] += best - values.get(action, best)
        return answers

    def _answer(
        self,
        player: int,
        seen: TableView,
        legal: tuple[Action, ...],
        shown: list[Card],
        cards_left: int,
    ) -> Action:
        if player == _CHART:
            return self.seats.chart.decide(seen, legal)
        count, counter = copy(self.counts[player - 1]), self.seats.counters[player - 1]
        for card in shown:
            count.see(card)
        counter.count = count.play_count(cards_left)
        return counter.decide(seen, legal)


def _sum_up(
    systems: tuple[CountSystem, ...], shoes: list[_Played], seed: int
) -> tuple[Ceiling, ...]:
    rounds = np.array([shoe.rounds for shoe in shoes], dtype=np.float64)
    lost = np.array([shoe.lost for shoe in shoes])
    of_shoe = np.repeat(np.arange(len(shoes)), [len(shoe.values) for shoe in shoes])
    values = np.array([value for shoe in shoes for value in shoe.values])
    counts = np.array([row for shoe in shoes for row in shoe.counts]).reshape(-1, len(systems))

    def add_up(weights: _Numbers) -> _Numbers:
        return np.bincount(of_shoe, weights=weights, minlength=len(shoes)).astype(np.float64)

    most = add_up(np.maximum(values, 0.0))
    found = []
    for place, system in enumerate(systems):
        own = counts[:, place]
        limits = np.unique(own)
        won = [values[own >= limit].sum() for limit in limits]
        limit = int(limits[int(np.argmax(won))]) if len(limits) else 0
        found.append(
            Ceiling(
                system=system,
                playing=_ratio(lost[:, 0] - lost[:, place + 1], lost[:, 0]),
                betting=_ratio(add_up(values * (own >= limit)), most),
                bets_from=limit,
                rounds=int(rounds.sum()),
                shoes=len(shoes),
                seed=seed,
                valued=len(values),
                perfect_playing=_ratio(lost[:, 0], rounds),
                perfect_betting=_ratio(most, add_up(np.ones(len(values)))),
            )
        )
    return tuple(found)


def _ratio(part: _Numbers, whole: _Numbers) -> Mean:
    """Return a ratio of two sums over shoes, with its standard error."""
    total = whole.sum()
    if total == 0.0:
        return Mean(None, None)
    share = part.sum() / total
    apart = part - share * whole
    error = math.sqrt(float(apart @ apart) * len(part) / max(len(part) - 1, 1)) / total
    return Mean(float(share), float(error))
