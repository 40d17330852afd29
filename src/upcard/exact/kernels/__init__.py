"""Compiled loops of the exact solvers: the dealer, the player's hands, splits."""
