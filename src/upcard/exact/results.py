"""What the exact solver answers: values of a hand, of a game, and of the dealer's cards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Self

    from upcard.core.actions import Action
    from upcard.rules.model import Rules

_TOTALS: Final = ("seventeen", "eighteen", "nineteen", "twenty", "twenty_one")


@dataclass(frozen=True, slots=True, kw_only=True)
class HandValue:
    """What each legal answer to a hand is worth, per initial bet, from the player's side.

    With a peek, values are given that the dealer has no natural (`is_conditional`), unless early
    surrender is offered before he looks: then they are as of that offer.
    """

    hand: str
    upcard: str
    rules: Rules
    shoe: str
    """The cards before the deal."""
    splits: str
    """Which split play the value of a split stands for."""
    ev: dict[Action, float]
    best: Action
    is_conditional: bool
    natural_probability: float
    """The chance that the dealer has a natural, from the player's hand and the upcard."""
    insurance_ev: float | None
    """Insurance of half a bet, per initial bet; None where it is not offered."""
    even_money_ev: float | None
    """Gain of even money over waiting, per initial bet; None where it is not offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameValue:
    """What a round is worth per initial bet, from the player's side, before any card is dealt.

    It is the value of the first round of a shuffled shoe. Insurance and even money are taken where
    that gains, or as the chart says that is followed.
    """

    ev: float
    insurance_ev: float
    """What insurance and even money are of `ev`; without them it is `ev - insurance_ev`."""
    by_upcard: dict[str, float]
    """The value given each upcard, `A`, `2` to `9`, `T`."""
    rules: Rules
    shoe: str
    splits: str
    notes: tuple[str, ...]
    """What is assumed, one sentence each."""
    seconds: float
    """How long it took."""

    @property
    def house_edge(self) -> float:
        """What the house wins per initial bet."""
        return -self.ev


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerOutcomes:
    """How the dealer ends: probabilities that sum to 1."""

    seventeen: float
    eighteen: float
    nineteen: float
    twenty: float
    twenty_one: float
    natural: float
    """0 once the dealer has looked and has none."""
    bust: float
    below: float = field(default=0.0, repr=False)
    """Under 17: only a dealer who stops as soon as they are ahead ends there."""

    @classmethod
    def of(
        cls, finals: Iterable[float], *, natural: float, bust: float, below: float = 0.0
    ) -> Self:
        """Make them from the probabilities of 17 to 21 and the others."""
        return cls(
            **dict(zip(_TOTALS, finals, strict=True)), natural=natural, bust=bust, below=below
        )

    def __iter__(self) -> Iterator[float]:
        """Go through 17, 18, 19, 20, 21, natural and bust."""
        return iter(self.as_tuple())

    def as_tuple(self) -> tuple[float, ...]:
        """Return the probabilities of 17, 18, 19, 20, 21, natural and bust."""
        return (*(getattr(self, name) for name in _TOTALS), self.natural, self.bust)

    def as_dict(self) -> dict[str, float]:
        """Return the probabilities by how the dealer ends, in order, for a picture or a program."""
        names = ("17", "18", "19", "20", "21", "natural", "bust")
        named = dict(zip(names, self, strict=True))
        return {"under 17": self.below, **named} if self.below else named
