"""Counts for a side bet: the best tags, where it begins to pay, and what it earns.

With N cards at first and effects E of removing each card (their sum is 0), the EV once the cards R
are gone and n are left is estimated as

    EV + (N - 1) / n x (sum of E over R),

exactly for bets on one card (insurance), and without the curvature of others. A count with tags t
follows it with the correlation r of t and E over the cards, and a true count (running count per D
cards left, D being the cards of a deck, 52, or 48 without the tens) adds (N - 1) / D x cov(E, t) /
var(t) each. After k cards the estimate is taken as normal about the EV with deviation r x sd(E) x
sqrt((N - 1) k / n); a player bets one unit where it is over 0, at every depth up to the cut card
alike.

Against 20,000 sampled shoes valued exactly (six decks, 75% dealt, units in 100 rounds): insurance
0.581, sampled 0.595 +- 0.017; over 13 0.480, 0.451 +- 0.013; Royal Match 10-3 1.119, 1.110 +-
0.007; Lucky Ladies 0.112, 0.150 +- 0.013. So it is right to a tenth where many rows pay, and too
low by a quarter or more where rare rows do, whose best shoes no linear estimate finds.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import erf, exp, fsum, pi, sqrt
from typing import Final

from upcard.core import figure
from upcard.core.cards import DECK
from upcard.core.errors import UnsupportedRuleError
from upcard.core.number_texts import read_share
from upcard.exact.composition import ShoeLike
from upcard.exact.side.bet_values import effects_of_removal
from upcard.exact.side.payouts import ENGINE
from upcard.rules.house import RulesLike
from upcard.rules.model import Rules
from upcard.rules.settings import Shuffle
from upcard.rules.side_bet_files import SideBetLike
from upcard.rules.side_bets import SideBet

_LEVELS: Final = (1, 2, 3)
_WORTH_A_LEVEL: Final = 0.02
"""Correlation that a count with larger tags must gain."""
_STEPS: Final = 60
_PERCENT: Final = 100


@dataclass(frozen=True, kw_only=True)
class SideBetCount(figure.Displayed):
    """A count for a side bet, and what it is worth; see the module for the method."""

    bet: SideBet
    rules: Rules
    shoe: str
    ev: float
    """EV of the whole shoe."""
    penetration: Fraction
    tags: dict[str, int]
    """Tags of a balanced count in whole numbers, by rank, or by face where tens differ."""
    exact_tags: dict[str, float]
    """The best linear tags, scaled so that a true count of 1 adds 1% of the bet."""
    correlation: float
    """Correlation of `tags` with the effects of all 52 cards."""
    best_correlation: float
    """That of `exact_tags`; under 1 where suits matter, which the tags do not distinguish."""
    slope: float
    """Change of the EV for each true count of `tags`."""
    begins: float | None
    """True count at which the bet begins to pay; None if no count follows it."""
    share: float
    """Share of the rounds in which it pays, by the count."""
    per_100: float
    """Units earned in 100 rounds, with one unit bet where the count says that it pays."""
    best_per_100: float
    """The same for a player who knows the effect of every card."""
    json_keys = """
        tags exact_tags correlation best_correlation slope begins share per_100 best_per_100
        penetration=penetration.__float__
    """

    def table(self) -> figure.AnswerTable:
        """Return the tags, whole and exact."""
        tag = figure.make_maker(figure.ColumnKind.TAG)("tag")
        columns = (figure.text("card"), tag, figure.signed("exact", digits=3))
        rows = ((card, Fraction(tag), self.exact_tags[card]) for card, tag in self.tags.items())
        caption = (("rules", str(self.rules)), ("shoe", self.shoe))
        return figure.make_table("A count for it", columns, rows, caption)


def count_bet(
    bet: SideBetLike,
    shoe: ShoeLike = None,
    rules: RulesLike | None = None,
    *,
    penetration: str | float | Fraction | None = None,
) -> SideBetCount:
    """Return a count for a side bet; the penetration is that of the rules by default.

    Raises: as `effects_of_removal` does, NotationError for a penetration that is not over 0 and at
    most 1, and UnsupportedRuleError where every round is shuffled.
    """
    removal = effects_of_removal(bet, shoe, rules)
    game = removal.rules
    if game.shuffle is Shuffle.EVERY_ROUND:
        raise UnsupportedRuleError(ENGINE, "CSM", "no count outlasts a shuffle before every round")
    given = game.penetration if penetration is None else penetration
    share = read_share(given, "penetration", over=0, most=1, example="75%")
    effects = [change or 0.0 for change in removal.cards]
    numbers, size = removal.numbers, sum(removal.numbers)
    averaged = {name: change or 0.0 for name, change in removal.by_card.items()}
    names = [name if (name := card.face) in averaged else "T" for card in DECK]
    decks = max(1, round(size / game.deck_size))
    weights = dict.fromkeys(averaged, 0)
    for name, number in zip(names, numbers, strict=True):
        weights[name] += number
    whole = {name: round(number / decks) for name, number in weights.items()}
    tags = _round_tags(averaged, whole)
    by_card = [float(tags[name]) for name in names]
    mean = fsum(map(lambda n, t: n * t, numbers, by_card)) / size
    centred = [tag - mean for tag in by_card]
    spread = _product(numbers, effects, effects)
    tag_spread = _product(numbers, centred, centred)
    together = _product(numbers, effects, centred)
    best = [averaged[name] for name in names]
    best_spread = _product(numbers, best, best)
    per_count = (size - 1) / game.deck_size
    correlation = together / sqrt(spread * tag_spread) if spread * tag_spread else 0.0
    best_correlation = (
        _product(numbers, best, effects) / sqrt(spread * best_spread) if best_spread else 0.0
    )
    slope = per_count * together / tag_spread if tag_spread else 0.0
    deviation = sqrt(spread / size)
    chance, gain = _earn(removal.ev, correlation * deviation, size, float(share))
    return SideBetCount(
        bet=removal.bet,
        rules=game,
        shoe=removal.shoe,
        ev=removal.ev,
        penetration=share,
        tags=tags,
        exact_tags={name: _PERCENT * per_count * change for name, change in averaged.items()},
        correlation=correlation,
        best_correlation=best_correlation,
        slope=slope,
        begins=-removal.ev / slope if slope > 0 else None,
        share=chance,
        per_100=100 * gain,
        best_per_100=100 * _earn(removal.ev, deviation, size, float(share))[1],
    )


def _product(numbers: tuple[int, ...], first: list[float], second: list[float]) -> float:
    return fsum(n * x * y for n, x, y in zip(numbers, first, second, strict=True))


def _earn(ev: float, deviation: float, size: int, share: float) -> tuple[float, float]:
    """Return the share of rounds with an estimate over 0, and the mean gain of a round."""
    chances, gains = [], []
    last = max(1, min(size - 1, int(size * share)))
    for gone in range(last):
        spread = deviation * sqrt((size - 1) * gone / (size - gone))
        if spread <= 0:
            chances.append(float(ev > 0))
            gains.append(max(ev, 0.0))
            continue
        place = ev / spread
        chance = (1 + erf(place / sqrt(2))) / 2
        chances.append(chance)
        gains.append(ev * chance + spread * exp(-place * place / 2) / sqrt(2 * pi))
    return fsum(chances) / last, max(0.0, fsum(gains) / last)


def _round_tags(effects: dict[str, float], numbers: dict[str, int]) -> dict[str, int]:
    """Return the balanced tags in small whole numbers that follow effects best.

    Larger tags are taken where they gain some correlation. All scales of the effects are rounded,
    and what is not balanced is balanced one tag at a time, at the least loss.
    """
    best, found = 0.0, dict.fromkeys(effects, 0)
    largest = max(map(abs, effects.values()))
    if not largest:
        return found
    for level in _LEVELS:
        tried = []
        for step in range(1, _STEPS + 1):
            scale = level * step / _STEPS * 2
            tags = {name: round(scale * change / largest) for name, change in effects.items()}
            tried.append(_balance(tags, effects, numbers, level))
        better = max(tried, key=lambda tags: _follow(tags, effects, numbers))
        gained = _follow(better, effects, numbers)
        if gained > best + _WORTH_A_LEVEL * (best > 0):
            best, found = gained, better
    return found


def _follow(tags: dict[str, int], effects: dict[str, float], numbers: dict[str, int]) -> float:
    """Return the correlation of tags with effects; -1 for tags that are not balanced."""
    spread = sum(numbers[name] * tag**2 for name, tag in tags.items())
    is_balanced = sum(numbers[name] * tag for name, tag in tags.items()) == 0
    if not spread or not is_balanced:
        return -1.0
    wanted = fsum(numbers[name] * change * change for name, change in effects.items())
    return fsum(numbers[name] * tags[name] * effects[name] for name in tags) / sqrt(spread * wanted)


def _balance(
    tags: dict[str, int], effects: dict[str, float], numbers: dict[str, int], level: int
) -> dict[str, int]:
    """Return tags of at most a level, changed until a deck adds up to 0."""
    found = {name: max(-level, min(level, tag)) for name, tag in tags.items()}
    largest = max(map(abs, effects.values()))
    while off := sum(numbers[name] * tag for name, tag in found.items()):
        step = -1 if off > 0 else 1
        possible = [
            name
            for name, tag in found.items()
            if abs(tag + step) <= level and abs(off + step * numbers[name]) < abs(off)
        ]
        if not possible:
            break
        chosen = max(
            possible, key=lambda name: step * (effects[name] * level / largest - found[name])
        )
        found[chosen] += step
    return found
