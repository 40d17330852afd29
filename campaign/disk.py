"""A disk that forgets what was not synced, and one that is full, at every write of runs and store.

After a power cut, a store has what was told as settled, and a run the chunks that were kept; both
continue. On a full disk each command ends with one line, and continues when there is room again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from campaign.case import Subject

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from campaign.case import Case

_CASES_FOR_A_COMMAND: Final = 40


def start(folder: Path) -> Callable[[Case], None]:
    """Prepare a worker."""
    from campaign.disk_runs import RunDisk
    from campaign.disk_store import StoreDisk

    runs = RunDisk(folder.resolve() / "runs")
    stores = StoreDisk(folder.resolve() / "stores").__enter__()  # to the end of the worker

    def run(case: Case) -> None:
        # Workers take every n-th case: the kind must not go with the number alone.
        kind = case.rng.randrange(_CASES_FOR_A_COMMAND)
        if kind == 0:
            stores.fill_command(case)
        elif kind == 1:
            stores.fill(case)
        elif kind < 4:
            runs.fill(case)
        elif kind < _CASES_FOR_A_COMMAND // 2:
            runs.cut(case)
        else:
            stores.cut(case)

    return run


SUBJECT: Final = Subject(
    name="disk",
    about="power cuts and full disks at every write: nothing settled is lost, everything continues",
    unit="cases",
    quick=300,
    long=2500,
    start=start,
)
