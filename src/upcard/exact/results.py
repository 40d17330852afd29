"""Results of the exact solvers: values of hands and games, of charts, and of the dealer's cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Self

from upcard.core.actions import Action
from upcard.core.cards import Rank
from upcard.exact.finite_rules import SplitPlay
from upcard.rules.model import Rules

SPLIT_PLAYS: Final = {
    "CDZ-": "split hands are played by the optimum for unsplit hands",
    "CDP1": "split hands are played knowing that one card of the pair is out",
    "CDP": "as published: the optima by number of pair cards out, mixed; see CDP-exact",
    "CDP-exact": "split hands are played knowing how many cards of the pair are out",
    "full": "using every card seen; the second hand waits for its second card",
    "full-at-once": "using every card seen; both hands get a second card at once",
    "chart": "split hands are played by the chart",
    "infinite deck": "cards that are out change nothing, so all split plays are equal",
    "no splits": "no hand can be split",
}
"""Meaning of each split play, by its name."""
BEFORE_LOOK: Final = "EV and cost are as of the offer of early surrender, before the dealer looks"
"""The scale of a hand's values where the look follows that offer."""
_TOTALS: Final = ("seventeen", "eighteen", "nineteen", "twenty", "twenty_one")


def weigh_upcards(
    chances: Mapping[Rank, float] | Sequence[float], evs: Mapping[Rank, float]
) -> float:
    """Return the EV of a round from those by upcard; NaN if it wins and loses without end."""
    total = 0.0  # no fsum: it refuses to add infinities of both signs
    for upcard, ev in evs.items():
        if chances[upcard]:
            total += chances[upcard] * ev
    return total


class AskedHand(NamedTuple):
    """A hand in the middle of a round."""

    ranks: tuple[Rank, ...]
    """Ranks of its cards, in the order dealt."""
    upcard: Rank
    pair: Rank = 0
    """Rank of the pair if it may be split, else 0."""
    has_looked: bool = False
    """Whether it is known that the dealer has no natural; if not, naturals count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandValue:
    """Value of each legal answer to a hand, per initial bet, for the player.

    With a peek, values assume that the dealer has no natural (`is_conditional`), except those of
    two cards to which early surrender is offered before the look: they are as of that offer.
    """

    hand: str
    upcard: str
    rules: Rules
    shoe: str
    """Cards before the deal."""
    splits: SplitPlay | str
    """Split play of the value of a split; a text where there is no choice."""
    ev: dict[Action, float]
    missing: dict[Action, str]
    """Legal answers without an exact value, each with the reason."""
    best: Action
    is_conditional: bool
    natural_probability: float
    """Chance of a dealer's natural, from the player's hand and the upcard."""
    insurance_ev: float | None
    """EV of insuring half a bet, per initial bet; None if it is not offered."""
    even_money_ev: float | None
    """Gain of even money over waiting, per initial bet; None if it is not offered."""
    dealer: DealerOutcomes
    """Probabilities of the dealer's result, next to this hand; given no natural as the values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameValue:
    """EV of a round per initial bet, for the player, before any card is dealt.

    It is that of the first round of a shuffled shoe. Insurance and even money are taken if that
    gains, or as the followed chart says.
    """

    ev: float
    insurance_ev: float
    """Part of `ev` due to insurance and even money."""
    by_upcard: dict[str, float]
    """Value given each upcard, `A`, `2` to `9`, `T`."""
    rules: Rules
    shoe: str
    splits: SplitPlay | str
    notes: tuple[str, ...]
    """Assumptions, one sentence each."""
    seconds: float
    """Computing time."""

    @property
    def house_edge(self) -> float:
        """The house's win per initial bet."""
        return -self.ev


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerOutcomes:
    """Probabilities of the dealer's results; they sum to 1."""

    seventeen: float
    eighteen: float
    nineteen: float
    twenty: float
    twenty_one: float
    natural: float
    """0 once the dealer has looked and has no natural."""
    bust: float
    below: float = field(default=0.0, repr=False)
    """Under 17: only a dealer who stops when ahead ends there."""

    @classmethod
    def of(
        cls, finals: Iterable[float], *, natural: float, bust: float, below: float = 0.0
    ) -> Self:
        """Make them from the probabilities of 17 to 21 and the others."""
        return cls(
            **dict(zip(_TOTALS, finals, strict=True)), natural=natural, bust=bust, below=below
        )

    def __iter__(self) -> Iterator[float]:
        """Iterate over 17, 18, 19, 20, 21, natural and bust."""
        return iter((*(getattr(self, name) for name in _TOTALS), self.natural, self.bust))

    def as_dict(self) -> dict[str, float]:
        """Return the probabilities by name of the result, in order."""
        names = ("17", "18", "19", "20", "21", "natural", "bust")
        named = dict(zip(names, self, strict=True))
        return {"under 17": self.below, **named} if self.below else named


@dataclass(frozen=True, slots=True, kw_only=True)
class CellCost:
    """Cost of one cell of a chart per round, compared with the same chart with the best cell."""

    hand: str
    upcard: str
    cell: str
    better: str
    cost: float
    """Cost per round and initial bet; 0.01 is one percent of a bet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionException:
    """A two-card hand whose best play depends on its cards, not only its total."""

    hand: str
    upcard: str
    charted: Action
    better: Action
    gain: float
    """Gain per initial bet, when the hand occurs."""
    gain_per_round: float
