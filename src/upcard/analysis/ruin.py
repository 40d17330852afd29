"""Risk of ruin: the chance of losing a bank, with and without a goal and a limit of time.

The bank is modelled as a Brownian motion with the drift `ev` and the variance `variance` per round,
which is accurate if bets are small relative to the bank. All amounts are in one unit; a goal is an
amount to win, on top of the bank.
"""

from __future__ import annotations

import math
from typing import Final

from upcard.analysis.formulas import formula

_FAR: Final = 30.0
"""Standard deviations beyond which the normal tail is computed from its series."""
_TINY: Final = 1e-18
_SLOW: Final = 0.2
"""Variance of the whole time over the barriers' distance squared from which waves beat images."""


@formula(
    "exp(-2 * ev * bankroll / variance)",
    source="P. Sileo; D. Schlesinger, Blackjack Attack, p. 112; gambler's ruin in the limit of"
    " small steps",
)
def risk_of_ruin(*, ev: float, variance: float, bankroll: float) -> float:
    """Return the chance of ever losing the bank; 1 for a losing game."""
    return math.exp(-2 * ev * bankroll / variance) if ev > 0 else 1.0


@formula(
    "(1 - exp(-2 * ev * goal / variance))"
    " / (exp(2 * ev * bankroll / variance) - exp(-2 * ev * goal / variance))",
    source="gambler's ruin in the limit of small steps, W. Feller, An Introduction to Probability"
    " Theory I, chapter XIV; D. Schlesinger, Blackjack Attack, p. 139",
)
def risk_before_goal(*, ev: float, variance: float, bankroll: float, goal: float) -> float:
    """Return the chance of losing the bank before the goal is won, without a limit of time."""
    rate = 2 * ev / variance
    if abs(rate) * (bankroll + goal) < 1e-9:
        return goal / (bankroll + goal)
    # Both forms are the same formula; each has negative exponents.
    if rate > 0:
        low = math.exp(-rate * bankroll)
        return low * -math.expm1(-rate * goal) / -math.expm1(-rate * (bankroll + goal))
    return math.expm1(rate * goal) / math.expm1(rate * (bankroll + goal))


@formula(
    "N((-bankroll - ev * rounds) / sqrt(variance * rounds)) + exp(-2 * ev * bankroll / variance)"
    " * N((-bankroll + ev * rounds) / sqrt(variance * rounds))",
    source="first passage of a drifting Brownian motion, inverse Gaussian (E. Schroedinger 1915);"
    " trip ruin in D. Schlesinger, Blackjack Attack, p. 132",
)
def risk_in_time(*, ev: float, variance: float, bankroll: float, rounds: float) -> float:
    """Return the chance of losing the bank within a number of rounds (trip ruin)."""
    if rounds <= 0:
        return 0.0
    sd = math.sqrt(variance * rounds)
    low = _tail(0.0, (-bankroll - ev * rounds) / sd)
    return min(low + _tail(-2 * ev * bankroll / variance, (-bankroll + ev * rounds) / sd), 1.0)


@formula(
    "exp(-ev * bankroll / variance) * sum over whole k of sign(y) * (exp(-|ev * y| / variance)"
    " * N((|ev| * rounds - |y|) / sqrt(variance * rounds)) + exp(|ev * y| / variance)"
    " * N((-|ev| * rounds - |y|) / sqrt(variance * rounds))), y = bankroll + 2 * k * (bankroll"
    " + goal)",
    source="method of images, D. Cox and H. Miller, The Theory of Stochastic Processes, chapter 5;"
    " the double barrier of D. Schlesinger, Blackjack Attack, p. 137",
)
def risk_before_goal_in_time(
    *, ev: float, variance: float, bankroll: float, goal: float, rounds: float
) -> float:
    """Return the chance of losing the bank before the goal is won and the time is over."""
    if rounds <= 0:
        return 0.0
    if variance * rounds > _SLOW * (bankroll + goal) ** 2:
        risk = _sum_waves(ev, variance, bankroll, goal, rounds)
    else:
        risk = _sum_images(ev, variance, bankroll, goal, rounds)
    return min(max(risk, 0.0), 1.0)


@formula(
    "risk_before_goal_in_time with ev = -ev, bankroll = goal, goal = bankroll",
    source="the same, with the barriers exchanged",
)
def chance_of_goal_in_time(
    *, ev: float, variance: float, bankroll: float, goal: float, rounds: float
) -> float:
    """Return the chance of winning the goal before the bank is lost and the time is over."""
    return risk_before_goal_in_time(
        ev=-ev, variance=variance, bankroll=goal, goal=bankroll, rounds=rounds
    )


@formula("N(ev * rounds / sqrt(variance * rounds))", source="central limit theorem")
def chance_ahead(*, ev: float, variance: float, rounds: float) -> float:
    """Return the chance of being ahead after a number of rounds, with an unlimited bank."""
    return _tail(0.0, ev * rounds / math.sqrt(variance * rounds))


def _sum_images(ev: float, variance: float, bankroll: float, goal: float, rounds: float) -> float:
    """Sum images of the start in both barriers: few are needed after a short time."""
    drift, sd = abs(ev), math.sqrt(variance * rounds)
    front = -ev * bankroll / variance
    total, k = 0.0, 0
    while True:
        parts = []
        for step in {k, -k}:
            y = bankroll + 2 * step * (bankroll + goal)
            far = drift * abs(y) / variance
            part = _tail(front - far, (drift * rounds - abs(y)) / sd)
            part += _tail(front + far, (-drift * rounds - abs(y)) / sd)
            parts.append(math.copysign(part, y))
        total += math.fsum(parts)
        if max(map(abs, parts)) < _TINY:
            return total
        k += 1


def _sum_waves(ev: float, variance: float, bankroll: float, goal: float, rounds: float) -> float:
    """Sum the decaying waves between the barriers: few are needed after a long time.

    The paths that have met neither barrier yet are the difference to `risk_before_goal`.
    Source: the same problem by separation of variables; Feller I, chapter XIV.
    """
    width = bankroll + goal
    front = math.pi * variance / width**2
    drift = ev**2 / (2 * variance)
    total, n = 0.0, 0
    while True:
        n += 1
        rate = drift + (n * math.pi / width) ** 2 * variance / 2
        # Both exponents are added first: that of the drift alone may be too large for a float.
        decay = math.exp(-ev * bankroll / variance - rate * rounds)
        total += front * n * math.sin(n * math.pi * bankroll / width) * decay / rate
        if front * n * decay / rate < _TINY:
            break
    return risk_before_goal(ev=ev, variance=variance, bankroll=bankroll, goal=goal) - total


def _tail(exponent: float, z: float) -> float:
    """Return exp(exponent) * N(z), where the first may be too large for a float."""
    if z > -_FAR:
        # N(z) is over 1e-198 here, so its logarithm is exact and only the sum matters.
        return math.exp(min(exponent + math.log(math.erfc(-z / math.sqrt(2)) / 2), 700.0))
    series = 1 - 1 / z**2 + 3 / z**4 - 15 / z**6
    log_tail = -z * z / 2 - math.log(-z * math.sqrt(2 * math.pi)) + math.log(series)
    return math.exp(min(exponent + log_tail, 700.0))
