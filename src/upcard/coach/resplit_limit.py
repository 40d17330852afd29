"""Cost of a split to pairs that wait: the rules limit the hands of a whole spot."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def value_with_waiting(  # noqa: PLR0913 (each is named in the call)
    split: Callable[[int], float],
    unsplit: float,
    *,
    room: int,
    waiting: int,
    pair_cards: float,
    cards: float,
) -> float:
    """Return the EV of splitting now, less what it takes from `waiting` pairs like this one.

    `split(most)` is the EV of a pair that may become `most` hands, `unsplit` its best other EV;
    `room` splits are left, this one included. The room that a split leaves is weighted by its
    chance, ignoring that the same cards also change the later values a little.
    """

    @cache
    def later(pairs: int, left: int) -> float:
        """Return the EV of the waiting pairs, with `left` splits left."""
        if not pairs:
            return 0.0
        declined = unsplit + later(pairs - 1, left)
        if not left:
            return declined
        return max(declined, taken(pairs, left))

    def taken(pairs: int, left: int) -> float:
        """Return the EV if the first of them is split."""
        rest = room_after(pair_cards, cards, room=left - 1)
        return split(left + 1) + sum(share * later(pairs - 1, n) for n, share in rest.items())

    return taken(waiting + 1, room) - later(waiting, room)


def room_after(pair_cards: float, cards: float, *, room: int) -> dict[int, float]:
    """Return the chances of the splits left once two halves are played, with resplits."""
    chances: dict[int, float] = {}

    def play(halves: int, left: int, pairs: float, unseen: float, share: float) -> None:
        if not halves or not left:
            chances[left] = chances.get(left, 0.0) + share
            return
        again = min(max(pairs, 0.0) / unseen, 1.0) if unseen > 0 else 0.0
        if again:
            play(halves + 1, left - 1, pairs - 1, unseen - 1, share * again)
        if again < 1:
            play(halves - 1, left, pairs, unseen - 1, share * (1 - again))

    play(2, room, pair_cards, cards, 1.0)
    return chances
