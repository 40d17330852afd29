"""A learner's answers, as a value that is written to JSON and read back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

from upcard.core.errors import UserFileError
from upcard.core.user_files import parse_json
from upcard.drills.drill import DrillError

FORMAT: Final = "upcard drill progress"
FORMAT_VERSION: Final = 1
_REMEMBERED: Final = 0.25
"""A wrong answer whose weight has faded below this share is forgotten."""
HALF_LIFE: Final = 300
"""Number of answers after which an answer counts half as much: learners forget."""

_PRIOR_ANSWERS: Final = 2


class Observed(NamedTuple):
    """Decisions at the table that belong to an item, in addition to the answers to the drill."""

    asked: int = 0
    wrong: int = 0
    lost: float = 0.0
    """The cost of the wrong ones, per initial bet."""


NOT_OBSERVED: Final = Observed()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The answers to one item. `right` and `wrong` fade with each further answer."""

    right: float = 0.0
    wrong: float = 0.0
    asked: int = 0
    errors: int = 0
    lost: float = 0.0
    """The cost of all the errors."""
    last: int = 0
    """The number of the last answer to this item."""
    again_at: int | None = None
    """When it is asked again after an error; None if nothing is due."""

    def error_rate(
        self, now: int, *, prior: float = 0.5, observed: Observed = NOT_OBSERVED
    ) -> float:
        """Return the expected probability that the next answer is wrong.

        Bayes: a Beta distribution with the mean `prior` that weighs as much as two answers, then
        the answers, faded by their age, and the decisions `observed` at the table.
        """
        share = _fade(now - self.last)
        known = (self.right + self.wrong) * share + observed.asked
        wrong = self.wrong * share + observed.wrong
        return (wrong + _PRIOR_ANSWERS * prior) / (known + _PRIOR_ANSWERS)

    def has_mistakes(self, now: int) -> bool:
        """Whether a wrong answer is not yet outweighed by time."""
        return self.wrong * _fade(now - self.last) >= _REMEMBERED

    def add(self, now: int, cost: float, *, repeat_after: int) -> Record:
        """Return the record with one more answer; a `cost` of 0 is a right one."""
        share = _fade(now - self.last)
        is_wrong = cost > 0
        return Record(
            right=self.right * share + (not is_wrong),
            wrong=self.wrong * share + is_wrong,
            asked=self.asked + 1,
            errors=self.errors + is_wrong,
            lost=self.lost + cost,
            last=now,
            again_at=now + repeat_after if is_wrong else None,
        )


def _fade(age: int) -> float:
    return float(0.5 ** (age / HALF_LIFE))


_NOTHING: Final = Record()
_FIELDS: Final = tuple(_NOTHING.__slots__)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillProgress:
    """All answers of a learner to one drill."""

    drill: str
    about: str
    answers: int = 0
    records: Mapping[str, Record] = field(default_factory=lambda: MappingProxyType({}))

    def record(self, item: str) -> Record:
        """Return the record of an item, an empty one if it was never asked."""
        return self.records.get(item, _NOTHING)

    def add(self, item: str, cost: float, *, repeat_after: int) -> DrillProgress:
        """Return the progress with one more answer."""
        now = self.answers + 1
        added = self.record(item).add(now, cost, repeat_after=repeat_after)
        records = MappingProxyType({**self.records, item: added})
        return replace(self, answers=now, records=records)

    def to_json(self) -> dict[str, Any]:
        """Return the progress as JSON data; `from_json` reads it back."""
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "drill": self.drill,
            "about": self.about,
            "answers": self.answers,
            "records": {
                item: {name: getattr(record, name) for name in _FIELDS}
                for item, record in self.records.items()
            },
        }

    @classmethod
    def from_json(cls, data: dict[str, Any] | str) -> Self:
        """Read the data that `to_json` returned, or its text.

        Raises: DrillError for other data, damaged data or a newer version.
        """
        try:
            found = parse_json(data, "progress") if isinstance(data, str) else data
            if found["format"] != FORMAT or found["format_version"] != FORMAT_VERSION:
                kind = f"{found['format']} version {found['format_version']}"
                raise DrillError(
                    f"progress is {kind}; this program reads {FORMAT} version {FORMAT_VERSION}"
                )
            records = {
                str(item): Record(**{name: record[name] for name in _FIELDS})
                for item, record in found["records"].items()
            }
            return cls(
                drill=str(found["drill"]),
                about=str(found["about"]),
                answers=int(found["answers"]),
                records=MappingProxyType(records),
            )
        except (UserFileError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise DrillError(f"no progress of a drill: {error!r}") from None
