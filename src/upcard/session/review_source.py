"""A round to review: by its code, or by its number in the history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from upcard.core.actions import Action
from upcard.core.errors import NotationError
from upcard.session.review import Review, review_round
from upcard.store.database import Store, open_for_reading
from upcard.store.history import hear_shoe_before, read_round
from upcard.store.records import SettledRound
from upcard.store.round_codes import decode_round, encode_round
from upcard.table.events import Event
from upcard.table.rounds import RoundRecord

_MOST_DIGITS: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A round to review, and what is known of it besides its code."""

    record: RoundRecord
    code: str
    stored: SettledRound | None = None
    before: tuple[Event, ...] | None = None
    """The cards seen of its shoe before it; None where the coach goes by a fresh shoe."""

    @property
    def player_spots(self) -> tuple[int, ...] | None:
        """The person's spots; None for a code, which does not tell them."""
        return None if self.stored is None else self.stored.player_spots

    def review(self, at: int | None = None, instead: Sequence[Action] = ()) -> Review:
        """Look the round over, as `review_round` does."""
        return review_round(
            self.record, player_spots=self.player_spots, before=self.before, at=at, instead=instead
        )


def find_source(text: str, *, cards: str = "fresh") -> Source:
    """Find the round that a code or a number of one's own memory names.

    With `cards="seen"` the coach goes by all the cards of its shoe that were seen before it.

    Raises: NotationError for what is neither, or for cards seen with a code; StoreError.
    """
    if text.isdecimal() and text.isascii() and len(text) <= _MOST_DIGITS:
        with open_for_reading() as store:
            return source_of(store, read_round(store, int(text)), cards=cards)
    try:
        record = decode_round(text)
    except NotationError as error:
        raise NotationError(f"{error}; there is no file of that name either") from None
    if cards == "seen":
        raise NotationError("--cards seen with a code: it does not tell what came before the round")
    return Source(record=record, code="".join(text.split()))


def source_of(store: Store, stored: SettledRound, *, cards: str = "fresh") -> Source:
    """Return the source of a stored round."""
    before = hear_shoe_before(store, stored) if cards == "seen" else None
    code = encode_round(stored.record)
    return Source(record=stored.record, code=code, stored=stored, before=before)
