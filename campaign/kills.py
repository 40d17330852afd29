"""kill -9 at random moments: in play, in commands on pipes and terminals, in simulations.

After each kill the books must balance, a hand that was left is found as it stood, nothing is left
behind, and a resumed run has the bytes of one that nobody interrupted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from campaign.case import Subject

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from campaign.case import Case

_ROUND: Final = (
    "fork",
    "fork",
    "pipe",
    "fork",
    "fork",
    "simulate",
    "fork",
    "fork",
    "terminal",
    "fork",
)
"""What is killed in turn: the real commands cost a second or two each, a fork a tenth."""
_SCREEN_EVERY: Final = 30


def start(folder: Path) -> Callable[[Case], None]:
    """Prepare a worker."""
    from campaign.kills_command import CommandKiller
    from campaign.kills_play import PlayKiller
    from campaign.kills_simulation import SimulationKiller

    forks = PlayKiller(folder / "forks")
    commands = CommandKiller(folder / "commands")
    simulations = SimulationKiller(folder / "simulations")

    def run(case: Case) -> None:
        # Workers take every n-th case: the kind must not go with the number alone.
        kind = _ROUND[case.rng.randrange(len(_ROUND))]
        if case.rng.randrange(_SCREEN_EVERY) == 0:
            commands.kill_screen(case)
        elif kind == "fork":
            forks.kill(case)
        elif kind == "pipe":
            commands.kill_pipe(case)
        elif kind == "terminal":
            commands.kill_terminal(case)
        else:
            simulations.kill(case)

    return run


SUBJECT: Final = Subject(
    name="kills",
    about="kill -9 in play and simulation: nothing settled is lost, nothing is left behind",
    unit="kills",
    quick=60,
    long=1000,
    start=start,
    patience=240.0,
    waits=True,
)
