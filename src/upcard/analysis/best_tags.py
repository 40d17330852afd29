"""The best tags of a counting system: for bets, for plays, or for both in one game.

Tags are whole numbers from -level to level. What they are worth depends on their direction alone:
two systems are equal where one has the tags of the other times a number, plus a number.

- Betting: the betting correlation, exactly the best.
- Playing: playing efficiency, by Griffin's method.
- Growth: SCORE by linear estimates. With n of N cards left and the count z standard deviations
  from its mean, a gain with mean m, deviation v and correlation r is estimated at m + r v z
  (`efficiencies`). So is the edge, and the gain of every decision of two cards; a play is made
  where its estimate is above 0, and the bets are those from 1 to the spread with the highest SCORE.
  Depths are those before the cut card. The variance of a round is a constant.

The direction nearest to given effects is found exactly (`TagSet.nearest`): of all tags with the
same sum and the same sum of squares the best are found rank by rank. That is the answer for
betting. The other two are climbed: from the tags nearest to a step uphill, until neither these nor
any neighbour is better, from many starts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from upcard.analysis import efficiencies
from upcard.analysis.count_rows import DEFAULT_SPREAD
from upcard.cache import exact
from upcard.core.cards import RANKS, TEN, rank_name
from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.rules.deck import full_shoe
from upcard.rules.engines import check
from upcard.rules.settings import EngineName, Shuffle
from upcard.strategy.count_system import CountSystem

if TYPE_CHECKING:
    from upcard.analysis.efficiencies import DecisionEffects
    from upcard.rules.model import Rules

Floats: TypeAlias = NDArray[np.float64]
Tags: TypeAlias = NDArray[np.int64]
"""Shape (ranks,), ace to ten, or (systems, ranks)."""

FREE: Final = "free"
LEVELS: Final = {"1": 1, "2": 2, "3": 3, FREE: 20}
"""The largest tag of each level; that of `free` is the most that simulations count."""
_NEAR: Final = 5
"""The largest level whose nearest tags are found exactly at every step."""
_STARTS: Final = 24
_SEED: Final = 1
_EVEN: Final = 1e-12
_GRID: Final = 201
"""Correlations from 0 to 1 at which what a play gains is computed; between them it is linear."""
_VARIANCE: Final = 1.33
"""Of a round at one unit, in games of one hand and few doubles."""
_STRIPS: Final = 5
"""Depths of a shoe at which growth is estimated."""
_SPREADS: Final = np.geomspace(20, 2000, 31)
"""Bets per unit of edge that are tried, within the spread."""
_STEP: Final = 1e-4
_STEPS: Final = (0.05, 0.15, 0.5, 1.5, 5.0)
"""How far uphill, in parts of the tags' own length, the nearest tags are looked for."""
_A_STEP: Final = 0.005
_FREE_UNIT: Final = 10
"""Free tags are counted in tenths, so that a count is worth about one of Hi-Lo."""
_WORTHLESS: Final = 1e-4
"""Share of the gain of all plays that the least of them may have together to be left out."""


class TagGoal(StrEnum):
    """Purpose of the tags."""

    BETTING = "betting"
    PLAYING = "playing"
    GROWTH = "growth"


class BestTags(NamedTuple):
    """The best tags of a level, and the system that counts them."""

    tags: tuple[int, ...]
    """Whole tags, ace to ten."""
    per_deck: int
    """Their sum over a deck, which the count loses for each deck seen."""
    unit: int
    """The number of them that count 1."""
    system: CountSystem


def find_best_tags(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    goal: str,
    *,
    level: str = "1",
    sums: bool = False,
    spread: float = DEFAULT_SPREAD,
    watch: Callable[[float], None] = lambda _share: None,
) -> BestTags:
    """Return the best tags of a level, counted by true count to the card.

    With `sums` the tags may add up to any number over a deck. `spread` is for growth.

    Raises: UnsupportedRuleError for a game whose cards do not go, or that has no exact values;
    RulesError for an unknown goal or level.
    """
    if goal not in list(TagGoal) or level not in LEVELS:
        known = f"goals are {', '.join(TagGoal)}, and levels {', '.join(LEVELS)}"
        raise RulesError(f"goal {goal!r}, level {level!r}: {known}")
    check(rules, EngineName.REMOVAL, EngineName.CORRELATION)
    if rules.shuffle is Shuffle.EVERY_ROUND:
        reason = "with a fresh shoe every round no count says anything"
        raise UnsupportedRuleError("search for tags", "CSM", reason)
    tag_set = TagSet(rules.full_deck.counts[1:], LEVELS[level], sums)
    effects = effects_by_rank(rules)
    if goal == TagGoal.BETTING and tag_set.level <= _NEAR:
        tags = tag_set.nearest(effects)
    else:
        worth = make_worth(rules, TagGoal(goal), spread)
        tags = search(worth, tag_set, [effects], watch=watch)
    tags //= np.gcd.reduce(tags)
    total = int(np.dot(tag_set.cards, tags))
    unit = _FREE_UNIT if level == FREE else 1
    words = f"level {level}" if level != FREE else "any level"
    each = [(tag - Fraction(total, rules.deck_size)) / unit for tag in tags.tolist()]
    step, even = _measure_counts(rules, np.array(each, float), effects)
    system = CountSystem(
        name=f"best-{goal}-{level}",
        title=f"Best tags of {words} for {goal}",
        source=f"upcard best-count {goal} --level {level}, {rules}",
        tags=(Fraction(0), *each),
        deck_size=rules.deck_size,
        ramp_from=Fraction(even),
        ramp_step=Fraction(step),
    )
    return BestTags(tuple(tags.tolist()), total, unit, system)


def _measure_counts(rules: Rules, tags: Floats, effects: Floats) -> tuple[int, int]:
    """Return the true counts that are worth half a percent of a bet, and that of an even game."""
    cards = np.array(rules.full_deck.counts[1:], float)
    # A card gone from a shoe of N changes the edge by its effect, n gone by (N - 1) / (N - n).
    slope = float((cards * tags) @ effects / (cards @ tags**2))
    slope *= (rules.full_shoe.size - 1) / rules.deck_size
    if slope <= 0:
        return 1, 0
    return max(1, round(_A_STEP / slope)), round(-exact.expected_value(rules) / slope)


def make_worth(rules: Rules, goal: TagGoal, spread: float = DEFAULT_SPREAD) -> Worth:
    """Return the function that says what tags are worth for a goal."""
    if goal is TagGoal.BETTING:
        return betting_worth(rules)
    return (
        playing_worth(rules.deck_size) if goal is TagGoal.PLAYING else growth_worth(rules, spread)
    )


def level_of(system: CountSystem) -> int:
    """Return the level of a system, its largest tag when all are whole."""
    tags = [*system.tags, system.red_7 or Fraction(0)]
    return int(max(map(abs, tags)) * lcm(*(tag.denominator for tag in tags)))


def effects_by_rank(rules: Rules) -> Floats:
    """Return the effects of removal on the edge, ace to ten."""
    found = exact.effects_of_removal(rules)
    return np.array([found[rank_name(rank)] for rank in RANKS])


class TagSet(NamedTuple):
    """The tags to choose from."""

    cards: Sequence[int]
    """Cards of a deck, by rank from ace to ten."""
    level: int
    """The largest tag."""
    sums: bool
    """Whether the tags may add up to any number over a deck; if not, to 0."""

    def near(self, effects: Floats) -> Tags:
        """Return tags close to effects; up to a level they are the nearest."""
        return self.nearest(effects) if self.level <= _NEAR else self._round(effects)

    def nearest(self, effects: Floats) -> Tags:
        """Return the tags of the highest correlation with effects, exactly."""
        sizes = [number // gcd(*self.cards) for number in self.cards]
        suit = sum(sizes)
        mean = float(np.dot(sizes, effects)) / suit
        most = suit * self.level
        best = np.full((2 * most + 1, suit * self.level * self.level + 1), -np.inf)
        best[most, 0] = 0.0
        chosen = []
        for size, effect in zip(sizes, effects, strict=True):
            after, choice = np.full_like(best, -np.inf), np.zeros(best.shape, np.int8)
            for tag in range(-self.level, self.level + 1):
                shift, square = size * tag, size * tag * tag
                width = best.shape[1] - square
                rows = slice(max(shift, 0), best.shape[0] + min(shift, 0))
                source = slice(max(-shift, 0), best.shape[0] + min(-shift, 0))
                reached = best[source, :width] + size * tag * (effect - mean)
                there = after[rows, square:]
                is_better = reached > there
                there[is_better] = reached[is_better]
                choice[rows, square:][is_better] = tag
            best = after
            chosen.append(choice)
        total = np.arange(-most, most + 1)[:, None]
        spread = np.arange(best.shape[1])[None, :] - total**2 / suit
        worth = np.where(spread > 0, best / np.sqrt(np.maximum(spread, _EVEN)), -np.inf)
        if not self.sums:
            worth[total[:, 0] != 0] = -np.inf
        row, column = np.unravel_index(int(np.argmax(worth)), worth.shape)
        tags = []
        for size, choice in zip(reversed(sizes), reversed(chosen), strict=True):
            tag = int(choice[row, column])
            tags.append(tag)
            row, column = row - size * tag, column - size * tag * tag
        return np.array(tags[::-1])

    def _round(self, effects: Floats) -> Tags:
        """Return tags close to effects, as large as the level allows."""
        each = effects - np.dot(self.cards, effects) / sum(self.cards)
        followed = _Correlated([effects], [self.cards])
        found: list[Tags] = []
        for most in np.linspace(self.level / 2, self.level, 4 * self.level):
            wanted = each / np.abs(each).max() * most
            tags = np.rint(wanted).astype(np.int64)
            while not self.sums and (total := int(np.dot(self.cards, tags)) // self.cards[0]):
                # The ranks of least weight make up for what the tens leave.
                apart = (tags - wanted)[: TEN - 1] * np.sign(total)
                apart[np.abs(tags[: TEN - 1] - np.sign(total)) > self.level] = -np.inf
                tags[int(np.argmax(apart))] -= np.sign(total)
            found.append(tags)
        return found[int(np.argmax(followed.correlate(np.array(found))[:, 0]))]

    def moves(self) -> Tags:
        """Return small changes of tags, which keep the sum over a deck if it is 0."""
        ranks, suits = len(RANKS), self.cards[TEN - 1] // self.cards[0]
        unit = np.eye(ranks, dtype=np.int64)
        moves = [unit[one] - unit[other] for one, other in combinations(range(ranks - 1), 2)]
        moves += [
            unit[TEN - 1] - unit[list(four)].sum(axis=0)
            for four in combinations(range(ranks - 1), suits)
        ]
        if self.sums:
            moves += list(unit)
            moves += [unit[one] + unit[other] for one, other in combinations(range(ranks), 2)]
            moves += [unit[one] - unit[TEN - 1] for one in range(ranks - 1)]
        return np.vstack([moves, np.negative(moves)])


class _Correlated:
    """Gains that tags may follow: their effects of removal, by rank, each with its own deck."""

    def __init__(
        self, effects: Sequence[Sequence[float] | Floats], decks: Sequence[Sequence[int]]
    ) -> None:
        cards = np.array(decks, float)
        shares = cards / cards.sum(axis=1, keepdims=True)
        each = np.array(effects, float)
        each -= (shares * each).sum(axis=1, keepdims=True)
        self._shares = shares
        squares = (shares * each**2).sum(axis=1, keepdims=True)
        self._unit = shares * each / np.sqrt(np.maximum(squares, _EVEN**2))

    def correlate(self, tags: NDArray[Any]) -> Floats:
        """Return the correlation of each system's tags with each gain; shape (systems, gains)."""
        tags = np.asarray(tags, float)
        squares = tags**2 @ self._shares.T - (tags @ self._shares.T) ** 2
        found: Floats = tags @ self._unit.T / np.sqrt(np.maximum(squares, _EVEN))
        return found


Worth: TypeAlias = Callable[[NDArray[Any]], Floats]
"""Return what each of some systems is worth; shape (systems, ranks) to (systems,)."""


def betting_worth(rules: Rules) -> Worth:
    """Return a function that returns betting correlations."""
    followed = _Correlated([effects_by_rank(rules)], [rules.full_deck.counts[1:]])
    return lambda tags: followed.correlate(tags)[:, 0]


def playing_worth(deck_size: int) -> Worth:
    """Return a function that returns playing efficiencies, to about 1e-5."""
    places, cards = efficiencies.find_positions(deck_size), full_shoe(1, deck_size).counts[1:]
    parts = np.linspace(0, 1, _GRID)
    gains = np.zeros((len(places), _GRID))
    for one, place in enumerate(places):
        for left in efficiencies.depths(deck_size):
            deviation = efficiencies.linear_deviation(place.deck(cards), place.effects, left)
            known = (parts * deviation).tolist()
            known = [efficiencies.linear_gain(place.gain, part) for part in known]
            gains[one] += place.chance * np.array(known)
    gains /= gains[:, -1].sum()
    followed = _Correlated(
        [place.effects for place in places], [place.deck(cards) for place in places]
    )
    numbers = np.arange(len(places))

    def find(tags: NDArray[Any]) -> Floats:
        at = np.abs(followed.correlate(tags)) * (_GRID - 1)
        low = np.minimum(at.astype(int), _GRID - 2)
        part = at - low
        each = (1 - part) * gains[numbers, low] + part * gains[numbers, low + 1]
        found: Floats = each.sum(axis=1)
        return found

    return find


def growth_worth(rules: Rules, spread: float) -> Worth:
    """Return a function that returns SCORE as estimated, with bets from 1 to `spread` units.

    Raises: UnsupportedRuleError for rules under which a decision is not one hand against an upcard.
    """
    if rules.switch:
        raise UnsupportedRuleError("growth", "switch=true", "it weighs one hand alone")
    cards = rules.full_shoe.counts[1:]
    size = sum(cards)
    strips = (np.arange(_STRIPS) + 0.5) / _STRIPS * float(rules.penetration)
    left = size * (1 - strips)
    places = _worthy(rules, float(left.min()))
    effects = [effects_by_rank(rules), *(np.array(place.effects) for place in places)]
    decks = [cards, *(place.deck(cards) for place in places)]
    followed = _Correlated(effects, decks)
    # Deviations at all depths are those half-way times the same numbers.
    depths = np.sqrt((size - left) / left)
    half_way = [
        efficiencies.linear_deviation(deck, each.tolist(), sum(deck) / 2)
        for deck, each in zip(decks, effects, strict=True)
    ]
    z = np.linspace(-4, 4, 33)
    weights = np.exp(-z * z / 2)
    weights = np.tile(weights / weights.sum() / _STRIPS, _STRIPS)
    points = (depths[:, None] * z).ravel()
    start = exact.expected_value(rules)
    means = np.array([place.gain for place in places])
    chances = np.array([place.chance for place in places])
    signs = np.where(means > 0, -1.0, 1.0)

    def find_one(parts: Floats) -> float:
        slopes = parts * half_way
        values = means[:, None] + slopes[1:, None] * points
        gains = chances @ np.maximum(signs[:, None] * values, 0.0)
        evs = start + slopes[0] * points + gains
        bets = np.clip(_SPREADS[:, None] * evs, 1.0, spread)
        won = np.maximum(bets @ (weights * evs), 0.0)
        return float((1e6 * won**2 / (_VARIANCE * (bets**2 @ weights))).max())

    return lambda tags: np.array([find_one(parts) for parts in followed.correlate(tags)])


def _worthy(rules: Rules, left: float) -> Sequence[DecisionEffects]:
    """Return the decisions that gain nearly all that plays gain with some cards left."""
    cards = rules.full_shoe.counts[1:]

    def gain(place: DecisionEffects) -> float:
        deviation = efficiencies.linear_deviation(place.deck(cards), place.effects, left)
        return place.chance * efficiencies.linear_gain(place.gain, deviation)

    joined = efficiencies.join_hands(efficiencies.decision_effects(rules))
    places = sorted(joined, key=gain, reverse=True)
    gained = np.cumsum([gain(place) for place in places])
    return places[: int(np.searchsorted(gained, (1 - _WORTHLESS) * gained[-1])) + 1]


def search(
    worth: Worth,
    tag_set: TagSet,
    starts: Sequence[Floats] = (),
    *,
    number: int = _STARTS,
    watch: Callable[[float], None] = lambda _share: None,
) -> Tags:
    """Return the best tags found from `starts`, effects to begin with, and random ones.

    The random ones are the same in every call. The tens' tag is not above 0.
    """
    rng = np.random.default_rng(_SEED)
    if tag_set.sums:  # the best that add up to 0 are among them
        balanced = search(worth, tag_set._replace(sums=False), starts, number=number)
        starts = [*starts, balanced.astype(float)]
    begun = [*starts, *rng.normal(size=(number, len(RANKS)))]
    moves = tag_set.moves()
    best, most = np.zeros(len(RANKS), np.int64), -np.inf
    for place, effects in enumerate(begun):
        watch(place / len(begun))
        tags, reached = _climb(worth, tag_set, moves, effects)
        if reached > most + _EVEN:
            best, most = tags, reached
    return -best if best[TEN - 1] > 0 else best


def _climb(worth: Worth, tag_set: TagSet, moves: Tags, effects: Floats) -> tuple[Tags, float]:
    """Return tags that are better than all their neighbours, and what they are worth."""
    sizes = np.array(tag_set.cards, float) / sum(tag_set.cards)
    tags = tag_set.near(effects)
    reached = float(worth(tags[None])[0])
    while True:
        unit = tags - sizes @ tags
        unit /= sqrt(sizes @ unit**2)
        near = unit + _STEP * np.vstack([np.eye(len(unit)), -np.eye(len(unit))])
        up, down = np.split(worth(near), 2)
        slope = (up - down) / sizes
        slope /= sqrt(sizes @ slope**2) or 1.0
        ahead = [tag_set.near(unit + step * slope) for step in _STEPS]
        around = tags + moves
        around = around[
            (np.abs(around) <= tag_set.level).all(axis=1) & (np.ptp(around, axis=1) > 0)
        ]
        tried = np.vstack([*ahead, around])
        values = worth(tried)
        best = int(np.argmax(values))
        if values[best] <= reached + _EVEN:
            return tags, reached
        tags, reached = tried[best], float(values[best])
