"""How well a count serves for bets, for insurance and for plays.

A correlation compares the tag of every card with the effect of its removal: on the edge, on the
gain of insurance, or on the gain of a decision over the best alternative. Removing cards at random
until n of N are left, the linear estimate of such a gain with mean m and effects e is normal with

    variance  s^2 (N - 1) (N - n) / n,    s^2 = the mean of e^2 over the N cards, their mean being 0

and who knows it exactly gains v U(|m| / v) by it: v is the standard deviation and
U(x) = phi(x) - x (1 - Phi(x)), the unit normal linear loss. A count that has the correlation r with
the effects knows a part of standard deviation r v. The playing efficiency is what the count gains,
summed over the decisions by their chances, as a share of what perfect knowledge gains.

Source: Peter Griffin, The Theory of Blackjack, chapters 3 and 4. The decisions, weights and depths
of its sums are not known to us; `playing_efficiency` has those with which its two greatest
efficiencies come out: .690 for 0 1 2 2 3 2 2 1 -1 -3 (ace to ten) and .703 for
51 60 85 125 169 122 117 43 -52 -180.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import erfc, exp, fsum, inf, pi, sqrt
from typing import Any, Final

from upcard.cache.entry import SavedQuestion
from upcard.cache.exact import effects_of_removal
from upcard.cache.recall import program_stamp, recall
from upcard.core import figure, long_work
from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN, Rank, rank_name
from upcard.exact import finite_hands, finite_shoe, supported_rules
from upcard.rules.engines import check
from upcard.rules.model import Rules
from upcard.rules.predicates import is_early_surrender, one_hand
from upcard.rules.settings import EngineName, HoleCard
from upcard.strategy.chart import row_label
from upcard.strategy.count_system import CountSystem

_FEWEST_LEFT: Final = 21
_ASKED: Final = (Action.STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
"""Actions of decisions: each is compared with the best of those before it, and with hitting."""
_TASK: Final = "decisions"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionEffects:
    """Whether to take an action with two cards against an upcard, or insurance."""

    hand: str
    """The two cards, the higher first: `T6`; empty for insurance."""
    row: str
    """Their row of the chart."""
    upcard: Rank
    action: Action
    chance: float
    """Chance of hand and upcard, from the full shoe; 0 if an action that is asked about first is
    taken from it."""
    gain: float
    """Gain of the action over the best of those asked about after it, from the full shoe, per
    initial bet, given that the question is asked: after a look that finds no natural."""
    effects: tuple[float, ...]
    """Change of the gain when a card leaves the shoe, by rank, ace to ten."""

    def deck(self, cards: Sequence[int]) -> tuple[int, ...]:
        """Return the cards of which some leave: for insurance without the dealer's ace."""
        return (cards[0] - (self.action is Action.INSURANCE), *cards[1:])


def decision_effects(rules: Rules) -> tuple[DecisionEffects, ...]:
    """Return every decision of two cards with its effects of removal, computed once and saved.

    Raises: UnsupportedRuleError for an infinite deck, both dealer cards face up, and rules that
    the solver cannot honour.
    """
    check(rules, EngineName.CORRELATION)
    rules = one_hand(rules)
    supported_rules.check_solvable(rules)

    def find() -> tuple[DecisionEffects, ...]:
        with long_work.following(_TASK) as tell:
            return _find_decisions(rules, tell)

    stamp = (program_stamp(("analysis",)),)
    return recall(SavedQuestion(_TASK, rules, stamp, tuple[DecisionEffects, ...], find))


def _find_decisions(
    rules: Rules, tell: Callable[[str, float], None]
) -> tuple[DecisionEffects, ...]:
    full = rules.full_shoe.counts
    gains: dict[tuple[str, str, Rank, Action], list[float]] = {}
    chances: dict[tuple[str, str, Rank, Action], float] = {}
    for gone in (0, *RANKS):
        tell(long_work.REMOVAL, gone / len(RANKS))
        shoe = tuple(number - (gone == rank > 0) for rank, number in enumerate(full))
        prepared = finite_shoe.PreparedShoe(rules, shoe)
        for solution in finite_hands.solve_starts(prepared).values():
            for ranks, pair, chance in finite_hands.opening_hands(solution):
                hand = prepared.hands.find(ranks)
                values = solution.values(hand, pair=pair)
                if solution.is_natural(hand) or Action.HIT not in values:
                    continue
                row = row_label(
                    max(int(prepared.hands.total[hand]), 5),
                    is_soft=bool(prepared.hands.is_soft[hand]),
                    pair_rank=pair if prepared.most_hands(pair) >= 2 else 0,
                )
                name = "".join(map(rank_name, sorted(ranks, key=lambda rank: (rank != ACE, -rank))))
                looks = rules.hole_card is HoleCard.PEEK
                asked = 1 - solution.natural_probability(hand) if looks else 1.0
                comes_up = full[solution.upcard] / fsum(full) * chance
                for action, gain in reversed(_gains(values).items()):
                    key = name, row, solution.upcard, action
                    first = action is Action.SURRENDER and is_early_surrender(rules)
                    share = 1.0 if first else asked
                    gains.setdefault(key, []).append(gain / share)
                    if not gone:
                        chances[key] = comes_up * share
                        comes_up *= gain <= 0
    decisions = [
        DecisionEffects(
            hand=key[0],
            row=key[1],
            upcard=key[2],
            action=key[3],
            chance=chances[key],
            gain=whole,
            effects=tuple(each - whole for each in less),
        )
        for key, (whole, *less) in gains.items()
        if key in chances and len(less) == len(RANKS)
    ]
    return (*decisions, *_insure(rules))


def _gains(values: Mapping[Action, float]) -> dict[Action, float]:
    """Return what each action gains over the best of those asked about after it, those first."""
    rest, gains = values[Action.HIT], {}
    for action in _ASKED:
        if action in values:
            gains[action] = values[action] - rest
            rest = max(rest, values[action])
    return gains


def _insure(rules: Rules) -> list[DecisionEffects]:
    """Return the decision of insurance, from the shoe without the dealer's ace."""
    if not rules.insurance:
        return []
    full = rules.full_shoe
    tens, cards, won = full.counts[TEN], full.size - 1, (1 + float(rules.insurance_pays)) / 2
    gain = won * tens / cards - 0.5
    effects = (won * (tens - (rank == TEN)) / (cards - 1) - 0.5 - gain for rank in RANKS)
    decision = DecisionEffects(
        hand="",
        row="",
        upcard=ACE,
        action=Action.INSURANCE,
        chance=full.counts[ACE] / full.size,
        gain=gain,
        effects=tuple(effects),
    )
    return [decision]


def betting_correlation(system: CountSystem, rules: Rules) -> float:
    """Correlate each card's tag in the betting count with its effect of removal on the edge."""
    check(rules, EngineName.REMOVAL, EngineName.CORRELATION)
    system.require_deck(rules)
    effects = effects_of_removal(rules)
    tags = [float(system.betting_tag(card)) for card in system.deck.cards]
    return _correlate(tags, [effects[rank_name(card.rank)] for card in system.deck.cards])


def insurance_correlation(system: CountSystem) -> float:
    """Correlate the playing tags with the gain of insurance per removed card: -9 a ten, else +4.

    Source: Peter Griffin, The Theory of Blackjack: 2:1 on 16 tens against 36 others.
    """
    tens, cards = system.deck.counts[TEN], system.deck.size
    gains = [(tens - cards if rank == TEN else tens) / 4 for rank in RANKS]
    return correlate_plays(system, gains)


def correlate_plays(
    system: CountSystem, effects: Sequence[float], *, has_all: bool = True
) -> float:
    """Correlate the playing tags of a deck's cards with effects by rank, ace to ten.

    `has_all` says whether the deck has all its cards; if not, an ace is missing.
    """
    deck = system.deck.cards if has_all else system.deck.cards[1:]
    tags = [float(system.tag(card)) for card in deck]
    return _correlate(tags, [effects[card.rank - 1] for card in deck])


def playing_efficiency(system: CountSystem) -> float:
    """Return the share of the gain of perfect play that the count gains, by linear estimates.

    It is that of one deck with 50 to 21 cards left, S17, any double, without splits and surrender.
    The decisions are those of the first two cards by the rows of the chart, their effects weighed
    by the cards of a full deck, and insurance, for which the ace is missing.
    """
    perfect, own = [], []
    for place in find_positions(system.deck_size):
        has_all = place.action is not Action.INSURANCE
        part = abs(correlate_plays(system, place.effects, has_all=has_all))
        for left in depths(system.deck_size):
            deviation = linear_deviation(place.deck(system.deck.counts[1:]), place.effects, left)
            perfect.append(place.chance * linear_gain(place.gain, deviation))
            own.append(place.chance * linear_gain(place.gain, part * deviation))
    return fsum(own) / fsum(perfect)


def depths(deck_size: int) -> range:
    """Return the numbers of cards left of a deck over which playing efficiency is summed."""
    return range(_FEWEST_LEFT, deck_size - 1)


@cache
def find_positions(deck_size: int) -> tuple[DecisionEffects, ...]:
    """Return the decisions of playing efficiency."""
    return join_hands(decision_effects(Rules(decks=1, deck_size=deck_size, max_hands=1)))


def join_hands(decisions: Iterable[DecisionEffects]) -> tuple[DecisionEffects, ...]:
    """Return decisions with those of a row and an upcard as one, weighed by their chances."""
    alike = defaultdict[tuple[str, Rank, Action], list[DecisionEffects]](list)
    for one in decisions:
        if one.chance:
            alike[one.row, one.upcard, one.action].append(one)
    positions = []
    for hands in alike.values():
        chance = fsum(one.chance for one in hands)
        columns = zip(*((one.gain, *one.effects) for one in hands), strict=True)
        gain, *effects = (
            fsum(one.chance / chance * each for one, each in zip(hands, column, strict=True))
            for column in columns
        )
        mean = replace(hands[0], chance=chance, gain=gain, effects=tuple(effects))
        positions.append(mean)
    return tuple(positions)


def linear_deviation(counts: Sequence[int], effects: Sequence[float], left: float) -> float:
    """Return the standard deviation of a gain by linear estimate, with `left` cards left.

    `counts` are the cards before, and `effects` their effects, by rank from ace to ten.
    """
    cards = sum(counts)
    mean = fsum(n * effect for n, effect in zip(counts, effects, strict=True)) / cards
    squares = fsum(n * (one - mean) ** 2 for n, one in zip(counts, effects, strict=True))
    return sqrt(squares / cards * (cards - 1) * (cards - left) / left)


def linear_gain(mean: float, deviation: float) -> float:
    """Return what the better answer gains over the usual one, for a normal gain of the other."""
    distance = abs(mean) / deviation if deviation else inf
    if distance > 30:
        return 0.0
    density = exp(-distance * distance / 2) / sqrt(2 * pi)
    return deviation * (density - distance * erfc(distance / sqrt(2)) / 2)


def tabulate_decisions(system: CountSystem, rules: Rules) -> figure.AnswerTable:
    """Return the decisions of a game, with the correlation of the count with each.

    First comes what perfect knowledge gains most by, half-way through the shoe.
    """
    system.require_deck(rules)
    cards, half = rules.full_shoe.counts[1:], rules.full_shoe.size // 2
    worth = {
        one: one.chance * linear_gain(one.gain, linear_deviation(cards, one.effects, half))
        for one in decision_effects(rules)
    }
    rows: list[tuple[figure.Value, ...]] = [
        (
            *(one.hand or str(one.action), rank_name(one.upcard), str(one.action)),
            *(correlate_plays(system, one.effects), 100 * worth[one], one.gain, *one.effects),
        )
        for one in sorted(worth, key=worth.__getitem__, reverse=True)
    ]
    hidden: dict[str, Any] = {"is_shown": False}
    columns = (
        *(figure.text("hand"), figure.label("upcard", "v"), figure.text("action")),
        *(figure.real("correlation", digits=4), figure.real("perfect", digits=5)),
        figure.ev("gain"),
        *(figure.ev(rank_name(rank), **hidden) for rank in RANKS),
    )
    return figure.make_table("Decisions", columns, rows)


def _correlate(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Pearson's correlation of two lists of numbers, 0 if one of them is constant."""
    left, right = (
        [number - mean for number in numbers]
        for numbers in (first, second)
        for mean in [fsum(numbers) / len(numbers)]
    )
    spread = sqrt(fsum(x * x for x in left) * fsum(y * y for y in right))
    return fsum(x * y for x, y in zip(left, right, strict=True)) / spread if spread else 0.0
