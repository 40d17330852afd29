"""The curve of results: net, best play and luck after each round, as plots show them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple

from upcard.rules.model import Rules
from upcard.store.database import Store
from upcard.store.errors import reading
from upcard.store.results import read_results, read_round_results
from upcard.store.sessions import read_rules

_MOST_POINTS: Final = 240


class CurvePoint(NamedTuple):
    """Sums after a number of rounds. Units: chips."""

    rounds: int
    net: float
    best_play: float | None
    """The value of best play; None if a game has no exact value."""
    without_luck: float | None
    """Best play less the cost of the errors: what the net would be without luck."""
    luck_deviation: float | None
    """One standard deviation of the luck."""


def read_curve(store: Store, value_of: Callable[[Rules], float | None]) -> list[CurvePoint]:
    """Read the curve of all rounds for chips, session by session, thinned to a few hundred points.

    `value_of` returns the value of a game per initial bet; the last point has the sums of `add_up`.

    Raises: StoreDamagedError.
    """
    with store.reading() as state:
        sessions = []
        for item in read_results(state):
            with reading(f"session {item.session_id}"):
                rules = read_rules(item.rules, item.house)
            if rules.betting and item.sums.rounds:
                sessions.append((item.session_id, value_of(rules), item.sums.rounds))
        total = sum(rounds for _, _, rounds in sessions)
        is_known = all(value is not None for _, value, _ in sessions)
        every = math.ceil(total / _MOST_POINTS)
        points = [_point(0, 0.0, 0.0, 0.0, 0.0, is_known=is_known)]
        rounds = 0
        net = best = cost = squares = 0.0
        for session_id, value, _ in sessions:
            for result in read_round_results(state, session_id):
                rounds += 1
                won, expected = float(result.net), float(result.bets) * (value or 0.0)
                net, best, cost = net + won, best + expected, cost + result.cost
                squares += (won - expected + result.cost) ** 2
                if rounds % every == 0 or rounds == total:
                    points.append(_point(rounds, net, best, cost, squares, is_known=is_known))
    return points if rounds else []


def _point(  # noqa: PLR0913 (the sums of one point)
    rounds: int, net: float, best: float, cost: float, squares: float, *, is_known: bool
) -> CurvePoint:
    if not is_known:
        return CurvePoint(rounds, net, None, None, None)
    return CurvePoint(rounds, net, best, best - cost, math.sqrt(squares))
