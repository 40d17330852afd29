"""Exact gains of plays by count, on the shoes that a count leaves.

With pool N_k cards of kind k, N in all, tags g_k with mean m, and a running count that leaves n
cards of tag sum T unseen, the least-squares (for normal counts: the conditional) expectation of
the cards left is

    n_k = N_k (n/N + (g_k - m) (T - n m) / Q),    Q = sum over kinds of N_k (g_k - m)^2

so every count at every depth leaves, to scale, a full shoe *tilted* by one number, the tilt
t = (N/n) (T - n m) / Q: N_k (1 + t (g_k - m)) cards of kind k. Hands are dealt from that full
shoe: cards not seen, and discards of which only the count is known, are all one pool.

Dealt so, the tags of the n cards are right on average only. The gain F(t) is nearly the mean of the
gain V at a known count over tilts of variance v = (N-n) / (n Q); so, to second order,
V = F - v F'' / 2. In one deck that moves an index by half a count, in six by a tenth.

Source: the removal of cards in proportion to their tags is that of Peter Griffin, The Theory of
Blackjack (1979), where the best linear estimate of an effect from a count is derived.

For every upcard and tilt of the shoe the solver gives the values of every hand's actions and the
chance of the hand. Hands, running counts before the deal and depths of the shoe then fall into
whole counts as at the table: the count at a decision includes the hand's own cards.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import floor, lcm
from typing import Final, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from upcard.analysis.indices import plays
from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN, Rank
from upcard.exact import finite_hands, finite_shoe
from upcard.exact.composition import Counts
from upcard.exact.kernels.hand_sets import player_hands
from upcard.exact.kernels.player_values import HIT, fill_reach, sum_by_count
from upcard.rules import predicates, settings
from upcard.rules.model import Rules
from upcard.strategy import chart, count_system
from upcard.strategy.ramp import BetRamp

Floats = NDArray[np.float64]

_MOST_TILT: Final = 0.5
"""At least this share of every rank stays, so that pairs can still be split in one deck."""
_WIDEST: Final = 0.36
"""Largest tilt considered, in standard deviations of a tag; Hi-Lo: some 16 true counts."""
_NODES: Final = 31
_NUDGE: Final = 1e-9


@dataclass(frozen=True)
class CountedShoes:
    """Shoes that a count can leave in a game, by their tilt."""

    rules: Rules
    system: count_system.CountSystem

    @property
    def decks(self) -> int:
        """Decks in the game; a counted game is not infinite."""
        return self.rules.decks or 1

    @property
    def cards(self) -> int:
        """Cards of the full shoe."""
        return self.rules.full_shoe.size

    @cached_property
    def tags(self) -> Floats:
        """Mean tag of a card of each rank, by rank; red and black sevens are one rank here."""
        tags = np.zeros(len(RANKS) + 1)
        for rank in RANKS:
            alike = [card for card in self.system.deck.cards if card.rank == rank]
            own = [float(self.system.tag(card)) for card in alike]
            tags[rank] = math.fsum(own) / len(own)
        return tags

    @cached_property
    def mean_tag(self) -> float:
        """Mean tag of a card of the full shoe: 0 in a balanced system."""
        return float(self.system.deck_sum) / self.system.deck_size

    @cached_property
    def square_sum(self) -> float:
        """Sum over the cards of the full shoe of the squares of tag less mean tag."""
        tags = [float(self.system.tag(card)) for card in self.system.deck.cards]
        return self.decks * math.fsum((tag - self.mean_tag) ** 2 for tag in tags)

    @property
    def spread(self) -> float:
        """Standard deviation of a card's tag; Hi-Lo: 0.877."""
        return float((self.square_sum / self.cards) ** 0.5)

    @cached_property
    def tilts(self) -> Floats:
        """Evenly spaced tilts over all that matter."""
        slope = np.abs(self.tags[1:] - self.mean_tag).max()
        most = min(_WIDEST / self.spread, _MOST_TILT / slope)
        return np.linspace(-most, most, _NODES)

    @cached_property
    def _full(self) -> Floats:
        return np.array(self.rules.full_shoe.counts, dtype=np.float64)

    @cached_property
    def step(self) -> float:
        """Least difference between two running counts."""
        numbers = (*self.system.tags, self.system.red_7 or 0)
        return 1 / lcm(*(getattr(number, "denominator", 1) for number in numbers))

    @cached_property
    def start(self) -> float:
        """Running count of a full shoe."""
        return float(self.system.initial_count(self.decks))

    def shoe(self, tilt: float) -> Counts:
        """Return the full shoe, tilted: fractions of cards, for the solver's kernels."""
        full = self.rules.full_shoe.counts
        counts = tuple(
            full[rank] * (1 + tilt * (float(self.tags[rank]) - self.mean_tag)) if rank else 0
            for rank in range(len(RANKS) + 1)
        )
        # The kernels count cards in floating point; only splits need whole numbers of a rank.
        return cast("Counts", counts)

    def place(self, tilts: Floats) -> Floats:
        """Return where tilts are between the computed ones: 1.5 is midway after the second."""
        return np.asarray((tilts - self.tilts[0]) / (self.tilts[1] - self.tilts[0]))

    def tilt_before_deal(self, running: Floats, cards_left: int) -> Floats:
        """Return the tilt of running counts with `cards_left` cards unseen."""
        total = self.cards * self.mean_tag
        return (self.cards / cards_left * (total - running + self.start) - total) / self.square_sum

    def tilt_at_decision(self, running: Floats, seen: Floats, cards: Floats, left: int) -> Floats:
        """Return the tilt of a shoe whose cards, less a hand's own, have the tags the count says.

        `running` includes the round's `cards` cards seen, whose tags add up to `seen`; `left` cards
        were unseen before the deal.
        """
        total = self.cards * self.mean_tag
        unseen = total - running + self.start
        pool = (self.cards - cards) / (left - cards)
        return (pool * unseen - total + seen) / self.square_sum

    def tilt_variance(self, cards: Floats, left: int) -> Floats:
        """Return how much the tilt of the unseen cards varies if only their pool is known."""
        unseen = left - cards
        pool = self.cards - cards
        return (pool - unseen) / unseen * pool / (pool - 1) / self.square_sum

    def share_of_tens(self, tilt: float, seen: Sequence[float]) -> float:
        """Return the share of ten-valued cards among the unseen, with `seen` cards of each rank.

        The tilt is that of the full shoe whose other cards have the tags of the count; the pool of
        the formula above is the one without the cards seen.
        """
        there = np.asarray(seen)
        pool = self._full - there
        cards = pool.sum()
        wanted = self.cards * self.mean_tag + tilt * self.square_sum - self.tags @ there
        mean = (self.tags @ pool) / cards
        # Squares about the pool's own mean, from those about the full shoe's.
        within = self.square_sum - float(there @ (self.tags - self.mean_tag) ** 2)
        within -= cards * (mean - self.mean_tag) ** 2
        own = (wanted - mean * cards) / within
        return float(pool[TEN] * (1 + own * (self.tags[TEN] - mean)) / cards)

    def expected_running(self, cards_left: int) -> float:
        """Return the mean running count with `cards_left` cards unseen."""
        return self.start + (self.cards - cards_left) * self.mean_tag

    def running_counts(self, cards_left: int) -> tuple[Floats, Floats]:
        """Return running counts before a deal, with their chances by the normal distribution."""
        dealt = self.cards - cards_left
        mean = self.expected_running(cards_left)
        variance = self.square_sum * dealt * cards_left / (self.cards * (self.cards - 1))
        reach = floor(5 * variance**0.5 / self.step) + 1
        middle = round((mean - self.start) / self.step)
        running = self.start + self.step * np.arange(middle - reach, middle + reach + 1)
        chances = np.exp(-((running - mean) ** 2) / (2 * max(variance, 1e-12)))
        return running, chances / chances.sum()

    def read_counts(self, running: Floats, cards_left: Floats | int) -> Floats:
        """Return the counts to go by, before they are rounded."""
        if self.system.by is count_system.CountBy.RUNNING:
            return running
        decks = np.maximum(cards_left, 1) / self.system.deck_size
        if self.system.decks_left is count_system.DeckEstimate.HALF:
            decks = np.maximum(np.floor(2 * decks + 0.5), 1) / 2
        elif self.system.decks_left is count_system.DeckEstimate.WHOLE:
            decks = np.maximum(np.floor(decks + 0.5), 1)
        return np.asarray(running / decks)


def round_counts(exact: Floats, rounding: count_system.Rounding) -> NDArray[np.int64]:
    """Return whole counts."""
    match rounding:
        case count_system.Rounding.FLOOR:
            whole = np.floor(exact + _NUDGE)
        case count_system.Rounding.TRUNCATE:
            whole = np.trunc(exact + np.copysign(_NUDGE, exact))
        case count_system.Rounding.ROUND:
            whole = np.copysign(np.floor(np.abs(exact) + 0.5 + _NUDGE), exact)
    return np.asarray(whole, np.int64)


_Sides: TypeAlias = Mapping[Action, bool | None]
"""Answers that are decided, by action; None for the better one."""
_About: TypeAlias = plays.IndexQuestion | plays.IndexAnswer
DEPTHS: Final = 12
"""Depths of the shoe at which rounds begin, evenly up to the cut card."""
_RARE: Final = 1e-8
"""Hands of three or more cards that are rarer than this are left out."""
_NO_SHARE: Final = 1e-13
_REACH: Final = 3


class _Entry(NamedTuple):
    """Hands for which a question comes up, at one tilt."""

    chance: Floats
    """Chance of hand and upcard, from the whole shoe."""
    asked: Floats
    """Chance that the question comes up with this hand: no natural, and no better action first."""
    gain: Floats
    """Gain of the action, without the cases of a dealer's natural that is not shown."""


class Curves(NamedTuple):
    """Curves of questions, to find indices, and of answers, to value plays.

    An answer's gain is over hitting, whether or not the question comes up.
    """

    questions: dict[plays.IndexQuestion, plays.Curve]
    answers: dict[plays.IndexAnswer, plays.Curve]
    rounded: dict[count_system.Rounding, dict[plays.IndexQuestion, plays.Curve]]
    """The curves of questions by other roundings of the count."""

    def at_bets(self) -> "Curves":
        """Return the curves with the gains at the bets of the ramp."""

        def bet(curve: plays.Curve) -> plays.Curve:
            return curve if curve.ramp_gain is None else curve._replace(gain=curve.ramp_gain)

        return Curves(
            {asked: bet(curve) for asked, curve in self.questions.items()},
            {asked: bet(curve) for asked, curve in self.answers.items()},
            self.rounded,
        )


class _UpcardColumn:
    """Values against one upcard, tilt by tilt."""

    def __init__(self) -> None:
        self.places: dict[tuple[_About, int], int] = {}
        """Numbers of questions and answers with two-card hands."""
        self.openings: list[tuple[int, int, float, float, float]] = []
        """Number of the tilt, number in `places`, then as `_Entry`; what is left out is 0."""
        self.later: dict[Action, list[_Entry]] = defaultdict(list)
        """By action, over all hands of more cards, an entry per tilt."""
        self.later_answers: dict[Action, list[_Entry]] = defaultdict(list)
        """By answer, over all hands of more cards, an entry per tilt."""

    def open(self, about: _About, hand: int, node: int, entry: tuple[float, float, float]) -> None:
        """Note the chance, the share asked and the gain of a two-card hand at a tilt."""
        place = self.places.setdefault((about, hand), len(self.places))
        self.openings.append((node, place, *entry))


def work_out_curves(  # noqa: PLR0913 (each is named in the call)
    shoes: CountedShoes,
    least: int,
    most: int,
    *,
    upcards: Collection[Rank] = RANKS,
    decided: Callable[[plays.IndexQuestion], bool | None] = lambda _: None,
    ramp: BetRamp | None = None,
    roundings: Collection[count_system.Rounding] = (),
    watch: Callable[[float], None] | None = None,
) -> Curves:
    """Return the curves of all questions against `upcards`, for counts from `least` to `most`.

    If `decided` answers a question, that answer is used at every count; None for the better one.
    A `ramp` adds the gains at its bets, `roundings` the curves of counts that are rounded so.
    `watch` is called with the share that is done.
    """
    tilts = shoes.tilts
    columns = {upcard: _UpcardColumn() for upcard in upcards}
    steps = len(tilts) + len(upcards)

    @cache
    def sides_of(label: str, upcard: Rank) -> _Sides:
        return {
            action: decided(plays.IndexQuestion(label, upcard, action))
            for action in plays.asked_of(label)
        }

    for node, tilt in enumerate(tilts):
        prepared = finite_shoe.PreparedShoe(shoes.rules, shoes.shoe(float(tilt)), upcards=upcards)
        for solution in finite_hands.solve_starts(prepared).values():
            _fill(shoes, columns[solution.upcard], solution, node, sides_of)
        if watch is not None:
            watch((node + 1) / steps)
    whole = (shoes.system.rounding, *roundings)
    curves = Curves({}, {}, {rounding: {} for rounding in roundings})
    for done, upcard in enumerate(upcards, start=len(tilts) + 1):
        first, *others = _sum_up(
            shoes, upcard, columns[upcard], range(least, most + 1), whole, ramp
        )
        for asked, curve in first.items():
            if isinstance(asked, plays.IndexQuestion):
                curves.questions[asked] = curve
            else:
                curves.answers[asked] = curve
        for rounding, found in zip(roundings, others, strict=True):
            asked_so = {one: found[one] for one in found if isinstance(one, plays.IndexQuestion)}
            curves.rounded[rounding].update(asked_so)
        if watch is not None:
            watch(done / steps)
    return curves


def _fill(
    shoes: CountedShoes,
    column: _UpcardColumn,
    solution: finite_hands.UpcardSolution,
    node: int,
    sides_of: Callable[[str, Rank], _Sides],
) -> None:
    prepared, upcard = solution.prepared, solution.upcard
    hands = prepared.hands
    tilt = float(shoes.tilts[node])
    of_upcard = prepared.shoe[upcard] / math.fsum(prepared.shoe)
    # A dealer who looks ends the round before a question comes up, with a natural.
    looks = prepared.rules.hole_card is settings.HoleCard.PEEK
    is_early = predicates.is_early_surrender(prepared.rules)
    reach = np.zeros(len(hands.codes))
    for ranks, pair, chance in finite_hands.opening_hands(solution):
        hand = hands.find(ranks)
        natural = solution.natural_probability(hand)
        if upcard == ACE and prepared.rules.insurance:
            seen = hands.counts[hand].copy()
            seen[ACE] += 1
            won = (1 + float(prepared.rules.insurance_pays)) / 2
            gain = won * shoes.share_of_tens(tilt, seen) - 0.5
            column.open(plays.INSURANCE, hand, node, (of_upcard * chance, 1.0, gain))
        values = solution.values(hand, pair=pair)
        if solution.is_natural(hand) or len(values) == 1:
            continue
        label = _find_row(hand, pair if prepared.most_hands(pair) >= 2 else 0)
        if not label:
            reach[hand] += chance * (values[Action.HIT] > values.get(Action.STAND, -math.inf))
            continue
        best, questions = _ask(values, sides_of(label, upcard))
        reach[hand] += chance * (best is Action.HIT)
        asked = 1 - natural if looks else 1.0
        for action, gain, comes_up in questions:
            # Early surrender is offered before the look.
            is_first = action is Action.SURRENDER and is_early
            there = (1.0 if is_first else asked) if comes_up else 0.0
            question = plays.IndexQuestion(label, upcard, action)
            column.open(question, hand, node, (of_upcard * chance, there, gain))
        legal = frozenset(values)
        for action in legal - {Action.HIT}:
            answer = plays.IndexAnswer(label, upcard, legal, action)
            gain = values[action] - values[Action.HIT]
            column.open(answer, hand, node, (of_upcard * chance, 1.0, gain))
    _fill_later(column, solution, of_upcard, reach)


def _fill_later(
    column: _UpcardColumn, solution: finite_hands.UpcardSolution, of_upcard: float, reach: Floats
) -> None:
    """Fill in the hands of three or more cards, which two-card hands that hit become."""
    prepared = solution.prepared
    hands = prepared.hands
    hitting = np.full_like(solution.plan.opening, HIT)
    order = finite_hands.hands_with(0)[::-1].copy()
    fill_reach(solution.shoe, order, hands.arrays, solution.plan._replace(opening=hitting), reach)
    chance = np.where(hands.cards > 2, of_upcard * reach, 0.0)
    asked = np.ones(len(chance))
    if prepared.rules.hole_card is settings.HoleCard.PEEK:
        asked -= solution.naturals
    raw = solution.raw
    plain = raw.stand - raw.hit
    everywhere = np.ones(len(chance))
    column.later_answers[Action.STAND].append(_Entry(chance, everywhere, plain))
    others = {}
    if prepared.payoffs.surrenders:
        others[Action.SURRENDER] = solution.surrenders
    if predicates.may_double_later(prepared.rules):
        others[Action.DOUBLE] = raw.double
    stands = hands.total >= prepared.payoffs.min_stand
    rest = np.where(stands, np.maximum(raw.stand, raw.hit), raw.hit)
    # The last is asked about first: what it gains is over the best of those after it.
    gains = {}
    for action, value in reversed(others.items()):
        gains[action] = value - rest
        rest = np.maximum(rest, value)
    for action, value in others.items():
        column.later[action].append(_Entry(chance, asked, gains[action]))
        column.later_answers[action].append(_Entry(chance, everywhere, value - raw.hit))
        asked = np.where(gains[action] > 0, 0.0, asked)
    column.later[Action.STAND].append(_Entry(chance, asked, plain))


def _ask(
    values: Mapping[Action, float], sides: _Sides
) -> tuple[Action, list[tuple[Action, float, bool]]]:
    """Return the best play of a hand as far as it is not decided, and the hand's questions.

    A question is an action, its gain, and whether it comes up: if an action is taken, those after
    it do not.
    """
    best, stand, hit = Action.HIT, values.get(Action.STAND), values[Action.HIT]
    value, gains = hit, []
    if stand is not None:
        side = sides[Action.STAND]
        gains.append((Action.STAND, stand - hit))
        if stand > hit if side is None else side:
            best, value = Action.STAND, stand
    for action in reversed(plays.ASKED[:-1]):
        if action not in values:
            continue
        gains.append((action, values[action] - value))
        side = sides[action]
        if values[action] >= value if side is None else side:
            best, value = action, values[action]
    comes_up, questions = True, []
    for action, gain in reversed(gains):
        questions.append((action, gain, comes_up))
        side = sides[action]
        comes_up = comes_up and not (gain > 0 if side is None else side)
    return best, questions


@cache
def _find_row(hand: int, pair: Rank) -> str:
    """Return the row of the chart that decides a hand; empty for a total without a row."""
    hands = player_hands()
    label = chart.row_label(
        max(int(hands.total[hand]), 5), is_soft=bool(hands.is_soft[hand]), pair_rank=pair
    )
    return label if label in chart.HAND_LABELS else ""


class _TiltedHands(NamedTuple):
    """The hands of an upcard, by question and answer."""

    asked_about: list[_About]
    of_entry: NDArray[np.int64]
    """Index of the hand of each entry."""
    hand: NDArray[np.int64]
    values: Floats
    """Chance, share asked, gain, and half its second derivative by the tilt: of shape (4, tilts,
    entries)."""


def _lay_out(
    rules: Rules, upcard: Rank, column: _UpcardColumn, tilts: int, step: float
) -> _TiltedHands:
    asked_about: dict[_About, int] = {}
    of_entry = [asked_about.setdefault(about, len(asked_about)) for about, _ in column.places]
    hands = [hand for _, hand in column.places]
    opened = np.array(column.openings)
    node, place = opened[:, :2].astype(np.int64).T
    parts = [np.zeros((tilts, 3, len(hands)))]
    parts[0][node, :, place] = opened[:, 2:]
    every = frozenset({Action.HIT, *column.later_answers})
    for later in (column.later, column.later_answers):
        for action, entries in later.items():
            table, kept = np.array(entries), []
            numbers: dict[tuple[str, int], int | None] = {}
            for hand in np.flatnonzero(table[:, 0].max(axis=0) > _RARE).tolist():
                row = label, total = _find_row(hand, 0), player_hands().facts[hand][0]
                if row not in numbers:
                    legal = every
                    if not predicates.may_stand(rules, total=total):
                        legal -= {Action.STAND}
                    about = (
                        plays.IndexQuestion(label, upcard, action)
                        if later is column.later
                        else plays.IndexAnswer(label, upcard, legal, action)
                    )
                    is_asked = label and action in legal
                    numbers[row] = (
                        asked_about.setdefault(about, len(asked_about)) if is_asked else None
                    )
                if (number := numbers[row]) is not None:
                    kept.append(hand)
                    of_entry.append(number)
            hands += kept
            parts.append(table[:, :, kept])
    chance, asked, gain = np.concatenate(parts, axis=2).transpose(1, 0, 2)
    comes_up = asked > 0
    where = (list(asked_about), np.array(of_entry), np.array(hands))
    values = np.array((chance, asked, gain * comes_up, _bend(gain, step) * comes_up))
    return _TiltedHands(*where, values)


def _bend(table: Floats, step: float) -> Floats:
    """Return half the second derivative along the tilts, over a range that smooths kinks."""
    wide = 2 * _REACH
    middle = (table[wide:] - 2 * table[_REACH:-_REACH] + table[:-wide]) / (_REACH * step) ** 2 / 2
    return np.pad(middle, ((_REACH, _REACH), (0, 0)), mode="edge")


_Summed: TypeAlias = dict[_About, plays.Curve]


def _sum_up(  # noqa: PLR0913, PLR0917 (private)
    shoes: CountedShoes,
    upcard: Rank,
    column: _UpcardColumn,
    counts: range,
    roundings: Collection[count_system.Rounding],
    ramp: BetRamp | None,
) -> list[_Summed]:
    """Sum the entries of an upcard by whole count, over depths and running counts.

    There is a result for each rounding of the counts.
    """
    if not column.openings:
        return [{} for _ in roundings]
    step = float(shoes.tilts[1] - shoes.tilts[0])
    tilted = _lay_out(shoes.rules, upcard, column, len(shoes.tilts), step)
    held = player_hands().counts[tilted.hand]
    alike = np.stack([held @ shoes.tags + shoes.tags[upcard], held.sum(axis=1) + 1], axis=1)
    # Hands with the same tags and cards are at the same counts.
    (seen, cards), kind = (part.T for part in np.unique(alike, axis=0, return_inverse=True))
    size = len(counts)
    sums = np.zeros((len(roundings), 4, len(tilted.asked_about) * size))
    has_hole = shoes.rules.hole_card is settings.HoleCard.PEEK
    cut = int(shoes.cards * shoes.rules.penetration)
    for depth in range(DEPTHS):
        left = shoes.cards - round(cut * (depth + 0.5) / DEPTHS)
        running, odds = shoes.running_counts(left)
        later = running[:, None] + seen
        exact = shoes.read_counts(later, left - cards - has_hole)
        at_deal = round_counts(shoes.read_counts(running, left), shoes.system.rounding)
        places = [np.clip(round_counts(exact, one) - counts[0], 0, size - 1) for one in roundings]
        sum_by_count(
            tilted.values,
            odds / DEPTHS,
            shoes.place(shoes.tilt_before_deal(running, left)),
            shoes.place(shoes.tilt_at_decision(later, seen, cards, left)),
            shoes.tilt_variance(cards, left),
            exact,
            np.array([1.0 if ramp is None else float(ramp.bet(one)) for one in at_deal.tolist()]),
            np.array(places),
            kind.ravel(),
            tilted.of_entry * size,
            sums,
        )
    return [
        dict(
            zip(
                tilted.asked_about,
                _make_curves(found.reshape(4, -1, size), counts[0], has_ramp=ramp is not None),
                strict=True,
            )
        )
        for found in sums
    ]


def _make_curves(sums: Floats, least: int, *, has_ramp: bool) -> Iterator[plays.Curve]:
    """Iterate over the curves of sums (figure, question or answer, count)."""
    share, gain, weighed, ramped = sums
    share = np.where(share > _NO_SHARE, share, 0.0)
    exact = np.divide(weighed, share, out=np.full(share.shape, np.nan), where=share > 0)
    gain, ramped = (np.where(share > 0, one, 0.0) for one in (gain, ramped))
    counts = np.arange(least, least + share.shape[1], dtype=np.int64)
    none = np.zeros(len(counts))
    for row, of_ramp in enumerate(ramped):
        ramp = of_ramp if has_ramp else None
        yield plays.Curve(counts, exact[row], share[row], gain[row], none, ramp)
