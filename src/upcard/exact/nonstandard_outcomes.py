"""Results of the dealer in a non-standard house, over every order of cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from upcard.core.cards import RANKS
from upcard.core.hands import BUST_LIMIT, EMPTY_HAND, hand_table
from upcard.exact.dealer import drawing_states
from upcard.rules.settings import DealerRule

if TYPE_CHECKING:
    from upcard.core.cards import Rank
    from upcard.rules.model import Rules


class DealerFinals(NamedTuple):
    """The dealer's results against one hand, as parts of the whole."""

    by_total: dict[int, float]
    """Totals of 21 and less, without naturals."""
    bust: float
    natural: float


def play_dealer_out(
    rules: Rules, upcard: Rank, unseen: tuple[int, ...], player_total: int
) -> DealerFinals:
    """Play the dealer out against a hand; `unseen` are the cards left, including the hole card."""
    table = hand_table(rules.ace_rule)
    looks = rules.dealer_rule is DealerRule.UNTIL_AHEAD
    draws = drawing_states(rules, player_total if looks else None)
    finals: dict[int, float] = {}
    natural = 0.0
    start = (table.next_state[EMPTY_HAND][upcard], 1, unseen)
    layer: dict[tuple[int, int, tuple[int, ...]], float] = {start: 1.0}
    while layer:
        following: dict[tuple[int, int, tuple[int, ...]], float] = {}
        for (state, cards, left), share in layer.items():
            whole = sum(left)
            for rank in RANKS:
                if not left[rank]:
                    continue
                after = table.next_state[state][rank]
                part = share * left[rank] / whole
                if cards == 1 and table.total[after] == BUST_LIMIT:
                    natural += part
                elif draws[after]:
                    rest = (*left[:rank], left[rank] - 1, *left[rank + 1 :])
                    key = (after, cards + 1, rest)
                    following[key] = following.get(key, 0.0) + part
                else:
                    total = table.total[after]
                    finals[total] = finals.get(total, 0.0) + part
        layer = following
    bust = sum(share for total, share in finals.items() if total > BUST_LIMIT)
    by_total = {total: share for total, share in finals.items() if total <= BUST_LIMIT}
    return DealerFinals(by_total, bust, natural)
