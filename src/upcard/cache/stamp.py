"""The stamp of saved values: the version and the sources that computed them."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import Final

from upcard._version import __version__

PACKAGES: Final = ("core", "rules", "strategy", "kernels", "exact")
"""The packages whose sources compute: a change in one of them makes saved values stale."""
PLAY_ONLY: Final = {
    "kernels/automaton.py",
    "kernels/automaton_states.py",
    "kernels/bankroll.py",
    "kernels/classic.py",
    "kernels/codes.py",
    "kernels/counting.py",
    "kernels/credit.py",
    "kernels/desk.py",
    "kernels/desk_codes.py",
    "kernels/desk_steps.py",
    "kernels/game.py",
    "kernels/lanes.py",
    "kernels/lockstep.py",
    "kernels/numpy_stream.py",
    "kernels/observing.py",
    "kernels/probing.py",
    "kernels/randomness.py",
    "kernels/rare_steps.py",
    "kernels/resuming.py",
    "kernels/room.py",
    "kernels/round_steps.py",
    "kernels/shoe_batch.py",
    "kernels/shoes.py",
    "kernels/simulator.py",
    "kernels/table_rounds.py",
    "kernels/tables.py",
    "kernels/terms.py",
    "strategy/count_system.py",
    "strategy/deviations.py",
    "strategy/ramp.py",
}
"""Sources in them that the exact solvers never import; a test checks it."""
_DIGITS: Final = 16


@cache
def program_stamp() -> str:
    """Return the stamp of this program, 16 hexadecimal digits."""
    digest = hashlib.sha256(f"upcard {__version__}\n".encode())
    for package in PACKAGES:
        folder = files("upcard").joinpath(package)
        sources = (file for file in folder.iterdir() if file.name.endswith(".py"))
        for source in sorted(sources, key=lambda file: file.name):
            if f"{package}/{source.name}" in PLAY_ONLY:
                continue
            text = source.read_bytes().replace(b"\r\n", b"\n")  # git may convert line breaks
            digest.update(f"{package}/{source.name} {len(text)}\n".encode() + text)
    return digest.hexdigest()[:_DIGITS]
