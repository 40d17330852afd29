"""How compiled loops are made; the loops are with those that they serve, in `FOLDERS`."""

from typing import Final

FOLDERS: Final = ("kernels", "exact/kernels", "simulation/kernels", "env/kernels")
"""The folders of compiled loops, each with those below it: they call one another."""
SOURCES: Final = ("core", *FOLDERS)
"""The folders that machine code follows from: numbers of `core` are part of it."""
