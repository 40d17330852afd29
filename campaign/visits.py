"""Every page, question and entry of the palette, visited in the middle of a saved session.

Other processes read and write the same store meanwhile. The log beside the store must stay the
same file while the session is open; after `kill -9` the file is whole, and each settled round that
was shown is in it. The screen is driven by keys, the server by requests, and Python by calls.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from campaign.case import Subject
from campaign.seams import import_everything
from campaign.visit_scene import Scene
from campaign.visits_python import visit_python
from campaign.visits_screen import visit_screen
from campaign.visits_web import load_addresses, visit_web

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from campaign.case import Case

DOORS: Final = (visit_screen, visit_web, visit_python)


def start(folder: Path) -> Callable[[Case], None]:
    """Prepare a worker: cases visit by one door after the other."""
    os.environ["UPCARD_CACHE"] = str(folder / "cache")  # a question is asked many times
    import_everything()
    load_addresses()

    def run(case: Case) -> None:
        scene = Scene(case, case.folder / "visited")
        DOORS[case.number % len(DOORS)](scene, case.number // len(DOORS))

    return run


SUBJECT: Final = Subject(
    name="visits",
    about="every page, question and entry of the palette in mid-session, others at the same store",
    unit="sessions killed after visits",
    quick=12,
    long=120,
    start=start,
    patience=400.0,
    waits=True,
)
