"""Stops upcard where the expensive work would begin, so that millions of inputs can be tried.

What a command reads and refuses is done for real; what it would then work out for seconds is
replaced by a refusal.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from typing import Any, Final, NoReturn

import upcard
from upcard.core.errors import BlackjackError

SEAMS: Final = (
    "exact.finite.FiniteSolver.against",
    "exact.finite.FiniteSolver.chart",
    "exact.infinite.InfiniteSolver.__init__",
    "exact.nonstandard.NonstandardSolver.__init__",
    "exact.switch.SwitchSolver.__init__",
    "coach.adviser.Coach.advise",
    "simulation.run.play_chunks",
    "simulation.bank_paths.play_paths",
    "simulation.betting_sessions.play_sessions",
    "simulation.executors.Cluster.__init__",
)


class NotWorkedOutError(BlackjackError):
    """The campaign stops here: the input was accepted."""


def _stop(*_: object, **__: object) -> NoReturn:
    msg = "not worked out in a campaign"
    raise NotWorkedOutError(msg)


def import_everything() -> None:
    """Import all modules of upcard, so that each name bound to a seam is known."""
    for found in pkgutil.walk_packages(upcard.__path__, "upcard."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)


def close_seams() -> None:
    """Replace the work behind every seam, in every module that has its name.

    Raises: AttributeError if a seam does not exist any more.
    """
    import_everything()
    for seam in SEAMS:
        owner, name, original = find_seam(seam)
        if isinstance(owner, type):
            setattr(owner, name, _stop)
            continue
        for module in list(sys.modules.values()):
            if getattr(module, "__name__", "").startswith("upcard"):
                for attribute, value in list(vars(module).items()):
                    if value is original:
                        setattr(module, attribute, _stop)


def find_seam(seam: str) -> tuple[Any, str, Any]:
    """Return the class or module of a seam, the name in it, and what it is.

    Raises: AttributeError, ImportError if there is none.
    """
    path, _, name = seam.rpartition(".")
    owner: Any
    if path.rpartition(".")[2][:1].isupper():
        module, _, cls = path.rpartition(".")
        owner = getattr(importlib.import_module(f"upcard.{module}"), cls)
    else:
        owner = importlib.import_module(f"upcard.{path}")
    return owner, name, getattr(owner, name)
