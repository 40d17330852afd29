"""Python beside an open table: `upcard.history()`, and every question as a call."""

from __future__ import annotations

import os
import random
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NoReturn

import upcard
from campaign.bystanders import die_with_parent
from campaign.games import choose_wager
from campaign.kills_play import finish_round
from campaign.seams import close_seams
from upcard.answers.questions import QUESTIONS, Asking
from upcard.core.errors import BlackjackError
from upcard.session.game_session import GameSession
from upcard.session.plan import TablePlan
from upcard.store.database import open_store

if TYPE_CHECKING:
    from pathlib import Path

    from campaign.visit_scene import Scene
    from upcard.rules.model import Rules

_STEPS: Final = 8
_CALLS: Final = ("history", *QUESTIONS)


def visit_python(scene: Scene, turn: int) -> None:
    """Call in turn what a notebook calls, beside a table that is open; then kill it.

    Raises: FindingError.
    """
    rules = scene.rules
    reading, saying = os.pipe()
    waiting, going = os.pipe()
    seed = scene.case.rng.random()
    process = os.fork()
    if process == 0:
        os.close(reading)
        os.close(going)
        _play_and_call(scene.path, rules, random.Random(seed), turn, (saying, waiting))
    os.close(saying)
    os.close(waiting)
    with os.fdopen(reading, encoding="utf-8") as lines:
        for line in lines:
            kind, _, rest = line.strip().partition(" ")
            if kind == "settled":
                number, _, net = rest.partition(" ")
                scene.settled[int(number)] = net
            elif kind == "called":
                scene.look(f"Python's {rest}")
                scene.case.count("calls of Python")
                os.write(going, b".")
            elif kind == "end":
                break
            else:
                scene.faults.append(f"Python ended by {line}{lines.read()}")
                break
        os.kill(process, signal.SIGKILL)
    os.close(going)
    os.waitpid(process, 0)
    scene.check()


def _play_and_call(
    path: Path, rules: Rules, rng: random.Random, turn: int, pipes: tuple[int, int]
) -> NoReturn:
    saying, waiting = pipes

    def say(line: str) -> None:
        os.write(saying, f"{line}\n".encode())

    try:
        die_with_parent()
        os.environ["UPCARD_DATA"] = str(path.parent)
        close_seams()
        with open_store(path) as store, GameSession.keep(store, TablePlan(rules=rules)) as session:
            for step in range(_STEPS):
                session.place(choose_wager(rules, rng))
                name = _CALLS[(turn + step) % len(_CALLS)]
                _call(name, rules)
                say(f"called {name}")
                os.read(waiting, 1)
                finish_round(session, rng)
                kept = session.kept
                if kept is not None and kept.last_round is not None:
                    say(f"settled {kept.last_round} {session.net}")
            say("end")
            os.read(waiting, 1)
    except BaseException:
        import traceback

        say(f"error {traceback.format_exc()}")
    os._exit(1)


def _call(name: str, rules: Rules) -> None:
    if name == "history":
        upcard.history()
        return
    with suppress(BlackjackError):  # what needs the solver is not worked out
        QUESTIONS[name].ask(rules, asking=Asking(is_patient=False))
