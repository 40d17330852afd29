"""Measures of a game and a ramp, from the mean and the variance of a round.

Units: `ev` and `variance` are per round seen, in units or in money; `bankroll` is in the same.
A measure without a value for a losing game is 0 or infinite, as its docstring says.
"""

from __future__ import annotations

import math
from typing import Final

from upcard.analysis.formulas import formula

_ATTACK: Final = "D. Schlesinger, Blackjack Attack"
_HARRIS: Final = "B. Harris, The Theory of Optimal Betting Spreads"


@formula("sqrt(variance)", source="definition")
def sd_per_round(*, variance: float) -> float:
    """Return the standard deviation of a round."""
    return math.sqrt(variance)


@formula("ev * rounds", source="definition; means add up")
def expected_win(*, ev: float, rounds: float) -> float:
    """Return the expected win over a number of rounds."""
    return ev * rounds


@formula("sqrt(variance * rounds)", source="definition; variances of independent rounds add up")
def sd_of_rounds(*, variance: float, rounds: float) -> float:
    """Return the standard deviation of the win over a number of rounds."""
    return math.sqrt(variance * rounds)


@formula(
    "1000000 * ev^2 / variance",
    source=f"{_ATTACK}: won in 100 rounds with a bank of 10 000, a risk of ruin of 13.5 % and the"
    " bets that go with them",
)
def score(*, ev: float, variance: float) -> float:
    """Return SCORE, which compares games by risk and expectation; 0 for a losing game."""
    return 1e6 * ev**2 / variance if ev > 0 else 0.0


@formula("1000 * ev / sqrt(variance)", source=f"{_ATTACK}: DI^2 = SCORE")
def desirability_index(*, ev: float, variance: float) -> float:
    """Return the edge per standard deviation (DI); negative for a losing game."""
    return 1000 * ev / math.sqrt(variance)


@formula(
    "variance / ev^2", source=f"{_HARRIS}; rounds until the expected win is one standard deviation"
)
def n0(*, ev: float, variance: float) -> float:
    """Return the rounds until luck and skill weigh the same; infinite for a losing game."""
    return variance / ev**2 if ev > 0 else math.inf


@formula(
    "rounds * (ev - variance / (2 * kelly * bankroll))",
    source="J. Kelly 1956, with the logarithm expanded to its second term; Schlesinger, Blackjack"
    " Attack, on the certainty equivalent",
)
def certainty_equivalent(
    *, ev: float, variance: float, bankroll: float, kelly: float, rounds: float
) -> float:
    """Return the sure win that a bettor of this Kelly fraction values like the risky one."""
    return rounds * (ev - variance / (2 * kelly * bankroll))


@formula(
    "variance / (kelly * ev)",
    source=f"{_HARRIS}: the bank for which these bets are Kelly's; for kelly = 1 the equivalent"
    " Kelly bankroll",
)
def kelly_bankroll(*, ev: float, variance: float, kelly: float) -> float:
    """Return the bank for which bets are that fraction of Kelly's; infinite for a losing game."""
    return variance / (kelly * ev) if ev > 0 else math.inf


@formula("kelly * bankroll * ev / variance", source=f"{_HARRIS}: the same, solved for the bets")
def kelly_unit(*, ev: float, variance: float, bankroll: float, kelly: float) -> float:
    """Return the unit of a ramp for a Kelly fraction; `ev` and `variance` are in units.

    0 for a losing game: the best bet is nothing.
    """
    return kelly * bankroll * ev / variance if ev > 0 else 0.0


@formula(
    "-2 / log(risk)",
    source="from risk = exp(-2 * ev * bankroll / variance) and bankroll = variance / (kelly * ev)",
)
def kelly_of_risk(*, risk: float) -> float:
    """Return the Kelly fraction whose bets, never resized, have this risk of ruin."""
    return -2 / math.log(risk)


@formula("exp(-2 / kelly)", source="the same, the other way")
def risk_of_kelly(*, kelly: float) -> float:
    """Return the risk of ruin of bets that start as a Kelly fraction and are never resized."""
    return math.exp(-2 / kelly)


@formula(
    "-variance * log(risk) / (2 * ev)", source=f"the risk of ruin solved for the bank; {_ATTACK}"
)
def bankroll_for_risk(*, ev: float, variance: float, risk: float) -> float:
    """Return the bank that these bets need for a risk of ruin; infinite for a losing game."""
    return -variance * math.log(risk) / (2 * ev) if ev > 0 else math.inf


@formula(
    "bankroll / ev",
    source="mean of the inverse Gaussian distribution (first passage of a drifting Brownian"
    " motion); ruin is left aside",
)
def rounds_to_double(*, ev: float, bankroll: float) -> float:
    """Return the expected rounds to double the bank with fixed bets; infinite if it loses."""
    return bankroll / ev if ev > 0 else math.inf
