"""Compiled loops and the tables lowered for them; numpy and numba are used here."""
