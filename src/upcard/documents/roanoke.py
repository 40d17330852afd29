"""Document 004: the computer that hits at random."""

import random
from fractions import Fraction
from typing import Final

from upcard.core import errors, numbers
from upcard.documents.lott import Player
from upcard.table.state import Hand

LEAST_UNSURE: Final = 12
_MOST: Final = 21


class Computer(Player):
    """Always hits under 12, never above `highest`, and between them at random.

    The probability falls evenly from `prob_12` at 12 to `prob_high` at `highest`. If `highest` is
    12, `prob_12` applies, and `note` says so if they differ. If `highest` is under 12, it stands
    from 12 on.

    Source: document 004, the computer's strategy.

    >>> [Computer(1, 17, 0.5).hit_probability(count) for count in (11, 12, 13, 17, 18)]
    [1.0, 1.0, 0.9, 0.5, 0.0]
    """

    name = "Computer"

    def __init__(
        self,
        prob_12: float | Fraction | str,
        highest: int | str,
        prob_high: float | Fraction | str,
        *,
        rng: random.Random | None = None,
    ) -> None:
        """Set the three numbers; without `rng` it uses the operating system's entropy."""
        super().__init__()
        faults: list[str] = []
        self._prob_12 = read_probability(prob_12, f"hitting on {LEAST_UNSURE}", faults)
        self.highest = read_highest(highest, faults)
        self._prob_high = read_probability(prob_high, "hitting on the highest count", faults)
        if faults:
            raise errors.RulesError(*faults)
        self._rng = rng or random.SystemRandom()

    @property
    def note(self) -> str:
        """A remark about the numbers for the player; empty if there is none."""
        if self.highest == LEAST_UNSURE and self._prob_high != self._prob_12:
            return (
                f"the highest count is {LEAST_UNSURE}, whose probability was given first:"
                f" {float(self._prob_12):g} counts, {float(self._prob_high):g} is ignored"
            )
        return ""

    def hit_probability(self, count: int) -> float:
        """Return the chance of hitting on `count`, from 0 to 1."""
        if count < LEAST_UNSURE:
            return 1.0
        if count > self.highest:
            return 0.0
        above = count - LEAST_UNSURE
        if not above:
            return float(self._prob_12)
        decrease = (self._prob_12 - self._prob_high) / (self.highest - LEAST_UNSURE)
        return float(self._prob_12 - decrease * above)

    def hit(self, hand: Hand) -> bool:
        """Hit if a random number from 0 to 1 is less than the chance for this count."""
        chance = self.hit_probability(hand.total)
        # Certain answers draw no random number, so that they do not depend on one.
        return chance >= 1 or (chance > 0 and self._rng.random() < chance)


def read_probability(written: object, what: str, faults: list[str]) -> Fraction:
    """Read a probability exactly; an invalid one adds a message to `faults`."""
    exact = numbers.exact_number(written)
    if exact is not None and 0 <= exact <= 1:
        return exact
    given = errors.quote(str(written).strip())
    faults.append(f"the probability of {what} is {given}: write a number from 0 to 1")
    return Fraction(0)


def read_highest(written: object, faults: list[str]) -> int:
    """Read the highest count to hit on; an invalid one adds a message to `faults`."""
    count = numbers.whole_number(str(written))
    if count is None or not 0 <= count <= _MOST:
        given = f"the highest count to hit on is {errors.quote(str(written))}"
        faults.append(f"{given}: write a whole number, 0 to {_MOST}")
        return -1
    return count
