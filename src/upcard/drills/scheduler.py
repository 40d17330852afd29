"""`Scheduler`: the choice of the next question, by the money that a learner would lose.

The weight of an item is its frequency, times the learner's error rate, times the cost of an error:
its expected cost in EV per round. Items are drawn in proportion to it. One that was answered wrong
is asked again soon, whatever its weight.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from upcard.drills.drill import Drill, DrillError, Item, Prompt
from upcard.drills.progress import NOT_OBSERVED, DrillProgress, Observed

REPEAT_AFTER: Final = 4
"""The number of answers after a mistake before its item is asked again."""
_REST: Final = 2
"""Answers for which an item rests, if there are others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheduler:
    """A drill and a learner's progress in it.

    Raises: DrillError for progress in another drill, or about other rules.
    """

    drill: Drill
    progress: DrillProgress
    observed: Mapping[str, Observed] = field(default_factory=lambda: MappingProxyType({}))
    """Decisions at the table by item; they count in addition to the answers to the drill."""
    only_mistakes: bool = False
    """Whether only items with mistakes are asked, made at the table or in the drill."""
    only: frozenset[str] | None = None
    """The items that alone are asked; None for all."""

    def __post_init__(self) -> None:
        mine, other = (
            (self.drill.name, self.drill.about),
            (self.progress.drill, self.progress.about),
        )
        if mine != other:
            raise DrillError(f"progress in {' '.join(other)!r} is not for {' '.join(mine)!r}")

    def items(self) -> tuple[Item, ...]:
        """Return the items in use: all of the drill, or those with mistakes.

        Raises: DrillError if there is no mistake yet.
        """
        items = self.drill.items()
        if self.only is not None:
            return tuple(item for item in items if item.key in self.only)
        if not self.only_mistakes:
            return items
        now = self.progress.answers
        wrong = tuple(
            item
            for item in items
            if self._observed(item.key).wrong or self.progress.record(item.key).has_mistakes(now)
        )
        if not wrong:
            raise DrillError(
                f"no mistake to drill in {self.drill.name} ({self.drill.about}): you have made"
                " none, at the table or in the drill; play some rounds, or drill everything"
            )
        return wrong

    def _observed(self, item: str) -> Observed:
        return self.observed.get(item, NOT_OBSERVED)

    def error_rate(self, item: Item) -> float:
        """Return the expected probability that the next answer to an item is wrong."""
        return self.progress.record(item.key).error_rate(
            self.progress.answers, prior=item.prior, observed=self._observed(item.key)
        )

    def weight(self, item: Item) -> float:
        """Return the EV that a question of an item is expected to cost this learner."""
        record = self.progress.record(item.key)
        # The cost of the likeliest mistake until there are mistakes, then their average cost.
        seen = self._observed(item.key)
        cost = (item.cost + record.lost + seen.lost) / (1 + record.errors + seen.wrong)
        return item.frequency * self.error_rate(item) * cost

    def weights(self) -> dict[str, float]:
        """Return the weight of every item, the heaviest first."""
        found = {item.key: self.weight(item) for item in self.items()}
        return dict(sorted(found.items(), key=lambda pair: -pair[1]))

    def pick(self, rng: random.Random) -> Prompt:
        """Return the next question."""
        return self.drill.ask(self._pick_item(rng), rng)

    def _is_rested(self, item: str, now: int) -> bool:
        """Whether an item may be asked: not just asked, and not before a mistake's repetition."""
        record = self.progress.record(item)
        return not record.asked or (record.again_at is None and now - record.last >= _REST)

    def _pick_item(self, rng: random.Random) -> str:
        items = self.items()
        now = self.progress.answers
        due = [
            (record.again_at, item.key)
            for item in items
            if (record := self.progress.record(item.key)).again_at is not None
            and record.again_at <= now + 1
        ]
        if due:
            return min(due)[1]
        rested = [item for item in items if self._is_rested(item.key, now)]
        open_to = rested or list(items)
        weights = [self.weight(item) for item in open_to]
        if not math.fsum(weights) > 0:
            return rng.choice(open_to).key
        return rng.choices(open_to, weights=weights)[0].key
