"""Compiled loops and the tables lowered for them, nothing else; numpy and numba live here."""
