"""BlackJack(p), document 002's game, as an environment."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from upcard.documents.mdp import mdp_rules
from upcard.env.blackjack import BlackjackEnv


class BlackJackPEnv(BlackjackEnv):
    """BlackJack(p): a card is worth ten with probability `p`.

    The other options are those of `BlackjackEnv`.

    Raises: NotationError if `p` is not a probability.
    """

    def __init__(self, p: str | float | Fraction = "4/13", **options: Any) -> None:
        """Open a table of the house `mdp`."""
        super().__init__(mdp_rules(p), **options)
