"""How the dealer ends: the chance of every final total, by upcard."""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum
from typing import Annotated, Final

from upcard.answers.questions import QUESTIONS, SHOE, Sheet
from upcard.cache.exact import dealer_outcomes
from upcard.core import figure
from upcard.core.cards import ACE, RANKS, TEN, UPCARD_ORDER, Rank, rank_name
from upcard.core.figure import make_table
from upcard.exact import composition, infinite_hands
from upcard.rules.model import Rules
from upcard.rules.settings import HoleCard

_BUST: Final = "bust"
_NATURAL: Final = "natural"
_HOLE_CARD: Final = {ACE: TEN, TEN: ACE}
"""The hole card that makes a natural with an upcard."""


def answer(rules: Rules, *, shoe: Annotated[str | None, SHOE] = None) -> Sheet:
    """Return the chances of the dealer's results by upcard, and over all rounds."""
    cards = _weigh_ranks(rules, shoe)
    every = fsum(cards.values())
    rows: list[tuple[str | float, ...]] = []
    shares: list[list[float]] = []
    names: tuple[str, ...] = ()
    for upcard in UPCARD_ORDER:
        if not cards[upcard]:
            continue
        found = dealer_outcomes(rules, upcard, shoe=shoe).as_dict()
        found = {_BUST: found.pop(_BUST), **found}  # what is asked most often comes first
        names = tuple(found)
        rows.append((rank_name(upcard), *found.values()))
        # After a look they are the chances without a natural.
        natural = 0.0 if found[_NATURAL] else _weigh_natural(cards, upcard, rules)
        of_rounds = found | {name: value * (1 - natural) for name, value in found.items()}
        of_rounds[_NATURAL] += natural
        chance = cards[upcard] / every
        shares.append([chance * value for value in of_rounds.values()])
    rows.append(("all", *(fsum(column) for column in zip(*shares, strict=True))))
    columns = (figure.text("upcard"), *map(figure.share, names))
    return Sheet(
        title=QUESTIONS["dealer"].title,
        rules=str(rules),
        sentences=tuple(_tell(rules)),
        tables=(make_table("Chance of each result, by upcard", columns, rows),),
    )


def _weigh_ranks(rules: Rules, shoe: str | None) -> dict[Rank, float]:
    """Return the cards of each rank; of an infinite deck the odds."""
    if rules.is_infinite:
        odds = infinite_hands.rank_odds(rules)
        return {rank: odds[rank] for rank in RANKS}
    counts = composition.read_shoe(shoe, rules)
    return {rank: float(counts[rank]) for rank in RANKS}


def _weigh_natural(cards: dict[Rank, float], upcard: Rank, rules: Rules) -> float:
    """Return the chance that the hole card makes a natural."""
    hole = _HOLE_CARD.get(upcard)
    if hole is None:
        return 0.0
    return cards[hole] / (fsum(cards.values()) - (0 if rules.is_infinite else 1))


def _tell(rules: Rules) -> Iterator[str]:
    yield "Exact, with the cards of the shoe but for the upcard; your own hand is not known."
    yield "The dealer draws even if every player is over 21."
    if rules.hole_card is HoleCard.PEEK:
        yield "An ace or a ten up: the dealer has looked and has no natural."
        yield "The last row is over all rounds, with the dealer's naturals."
    else:
        yield "A natural is counted where it shows: the dealer does not look first."
