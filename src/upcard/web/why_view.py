"""Why an answer is best, as the page of a table shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from upcard.web.hand_values import HandValues


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyView:
    """The reasons for the question at hand, or for what was answered."""

    table: str
    """Name of the table."""
    version: int
    values: HandValues
    """The values of the question."""
    answer: str
    """The answer that was given; empty while the question is open."""
    verdict: str
    """The coach's verdict on that answer; empty while the question is open."""
    mistakes: tuple[str, ...]
    """Verdicts on the mistakes of the round, if there are several."""
