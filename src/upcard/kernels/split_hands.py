"""The numbers that a split round of the automaton keeps, for the cores and for CUDA devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from upcard.kernels import codes
from upcard.kernels.automaton import KEPT_RESULTS, KEPT_SURRENDER
from upcard.kernels.game import MOST_HANDS
from upcard.kernels.jit import inlined_kernel
from upcard.kernels.round_steps import settle_hand

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HANDS, WAITING, DONE, MORE, EXTRA, LIVE, INSURED, BUSTED, SURRENDERED = range(9)
"""Hands in all, those that wait and those that are done, and sums of those that are done."""
ROWS: Final = 16
"""From here on the rows of the hands that wait, then results and bets of those that are done."""
RESULTS: Final = ROWS + MOST_HANDS
BETS: Final = RESULTS + MOST_HANDS
HAND_FIELDS: Final = BETS + MOST_HANDS
"""Numbers that a split round keeps; those before the rows are 0 before and after it."""


@inlined_kernel
def forget_hands(hands: NDArray[np.int64]) -> None:
    """Forget the hands of a round, for the next one."""
    for field in range(ROWS):
        hands[field] = 0


@inlined_kernel
def note_result(hands: NDArray[np.int64], kept: int) -> None:
    """Note the bet and the result of a finished hand, by the number of its step above `NOTES`."""
    bet = 1 + kept // KEPT_RESULTS
    result = kept % KEPT_RESULTS
    if result == KEPT_SURRENDER:
        result = codes.SURRENDERED
        hands[SURRENDERED] += 1
    elif result == 0:
        hands[BUSTED] += bet
    else:
        hands[LIVE] += 1
    hands[RESULTS + hands[DONE]] = result
    hands[BETS + hands[DONE]] = bet
    hands[DONE] += 1
    hands[EXTRA] += 2 * (bet - 1)


@inlined_kernel
def needs_hole(
    hands: NDArray[np.int64], up: int, natural_beats_surrender: int, takes_original: int
) -> bool:
    """Whether the dealer draws a second card: for live hands, or to see a natural that matters."""
    if hands[LIVE] > 0:
        return True
    if up != codes.ACE and up != codes.TEN:  # noqa: PLR1714 (a tuple is slower here)
        return False
    if hands[INSURED] > 0 or (hands[SURRENDERED] > 0 and natural_beats_surrender > 0):
        return True
    return takes_original > 0 and hands[BUSTED] > 1


@inlined_kernel
def settle_hands(
    hands: NDArray[np.int64],
    dealer_total: int,
    has_natural: int,
    pays: tuple[int, int, int],
    takes_original: int,
) -> int:
    """Return the net of a split round, its insurance included; `pays` as `settle_hand` takes it."""
    unit = pays[0]
    net = 0
    if hands[INSURED] > 0:
        net = unit if has_natural else -(unit // 2)
    charged = False
    for hand in range(hands[DONE]):
        result, bet = hands[RESULTS + hand], hands[BETS + hand]
        if has_natural and takes_original and result < codes.NATURAL:
            net += 0 if charged else -unit
            charged = True
        else:
            net += settle_hand(result, bet * unit, dealer_total, has_natural, pays)
    return net
