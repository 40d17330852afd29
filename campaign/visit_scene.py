"""A store with a session that is visited, and the processes that read and write it meanwhile."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from campaign.books import check_books_and_rounds, finish_open
from campaign.bystanders import die_with_parent, find_leftovers
from campaign.case import FindingError
from campaign.console import talk
from campaign.fuzz_commands import list_commands
from campaign.games import answer_json, choose_game, write_game
from campaign.kills_play import play_round, sit_down
from campaign.seams import close_seams
from upcard.core.errors import BlackjackError
from upcard.rules.model import Rules
from upcard.store.bankroll import deposit
from upcard.store.database import open_store

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from campaign.case import Case

CHIPS: Final = 10**7
_COMMAND_SECONDS: Final = 120
_ANSWERS: Final = 60
_READS: Final = ("history", "stats")
"""Commands that read the store beside the session, after each visit."""
_ASKING: Final = ("play", "train")
"""Commands that ask until their input ends: `play` writes, and is run with answers."""


_SHORT: Final = {"ceiling": ("hi-lo", "--rounds", "1"), "best-count": ("--rounds", "0")}
"""Words after a command that takes minutes without them."""


def find_readers() -> list[str]:
    """Return the commands that are run beside a session, from the registry of commands."""
    return [name for name in list_commands() if name not in _ASKING]


class Scene:
    """A store with an open session, and the processes beside it."""

    def __init__(self, case: Case, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.case = case
        self.path = folder / "upcard.db"
        with open_store(self.path) as store:
            deposit(store, CHIPS)
        self.settled: dict[int, str] = {}
        """Rounds that the session has shown as settled, with their nets."""
        self.others = 0
        """Rounds that the processes beside it have shown as settled."""
        self.faults: list[str] = []
        self._log: tuple[int, int] | None = None
        self._visited: list[str] = []

    @property
    def rules(self) -> Rules:
        """The game of the session: the usual one, whose values are at hand, or any other."""
        rng = self.case.rng
        return Rules() if rng.random() < 0.5 else choose_game(rng)

    def look(self, visited: str) -> None:
        """Have other processes read, and now and then write; then look at the log."""
        rng = self.case.rng
        self._visited.append(visited)
        self._watch()
        commands = [rng.choice(_READS)]
        if rng.random() < 0.3:
            commands.append(rng.choice(find_readers()))
        for name in commands:
            self._run([name, *_SHORT.get(name, ())], [])
            self.case.count("commands that read beside it")
            self._watch(f"upcard {name}")
        if rng.random() < 0.3:
            self._write()
            self._watch("upcard play")

    def forget_log(self) -> None:
        """Begin to watch again: another program opens the store."""
        self._log = None

    def _watch(self, after: str = "") -> None:
        """Note which file the log is; report a fault if it is another one than before."""
        log = self.path.with_name(f"{self.path.name}-wal")
        found = (log.stat().st_dev, log.stat().st_ino) if log.exists() else None
        if self._log is not None and found != self._log:
            self.faults.append(
                f"the log of the open store {'is gone' if found is None else 'was replaced'} after"
                f" {', '.join(self._visited[-3:])}, then {after} in another process"
            )
        self._log = found

    def _write(self) -> None:
        """Play a round with the real command in another process."""
        rng = self.case.rng
        rules = choose_game(rng)
        bet = answer_json({"side_bets": [one.code for one in rules.side_bets]}, rng)
        words = ["play", *write_game(rules), "--json", "--rounds", "1"]
        out = self._run(words, [bet, *rng.choices(("s", "no", "h", "1", "y", "d"), k=_ANSWERS)])
        told = [json.loads(line) for line in out.splitlines()]
        self.others += sum(one["type"] == "standing" for one in told)
        self.case.count("rounds played beside it", sum(one["type"] == "standing" for one in told))

    def _run(self, words: Sequence[str], answers: Sequence[str]) -> str:
        """Run a command in a process of its own; return what it printed."""
        place = self.path.parent.parent / "beside.txt"
        place.unlink(missing_ok=True)
        process = os.fork()
        if process == 0:
            _run_beside(words, answers, self.path.parent, place)
        until = time.monotonic() + _COMMAND_SECONDS
        while os.waitpid(process, os.WNOHANG)[0] == 0:
            if time.monotonic() > until:
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
                msg = f"upcard {' '.join(words)} beside a session takes {_COMMAND_SECONDS} s"
                raise FindingError(msg)
            time.sleep(0.005)
        code, out, err = json.loads(place.read_text(encoding="utf-8"))
        if code not in (0, 2) or "Traceback" in out + err or "cannot" in err or "damaged" in err:
            self.faults.append(f"upcard {' '.join(words)} beside a session ended {code}: {err}")
        return str(out)

    def check(self) -> None:
        """Check the store after the session was killed, and report all that was found.

        Raises: FindingError.
        """
        try:
            self._check_store()
        except (BlackjackError, FindingError) as error:
            self.faults.append(str(error))
        if self.faults:
            raise FindingError("\n".join([*self.faults[1:], self.faults[0]]))

    def _check_store(self) -> None:
        with closing(sqlite3.connect(self.path)) as db:
            (whole,) = db.execute("PRAGMA integrity_check").fetchone()
            found = dict(db.execute("SELECT id, net FROM rounds"))
        if whole != "ok":
            self.faults.append(f"the file is damaged: {whole}")
        lost = sorted(set(self.settled) - set(found))
        if lost:
            self.faults.append(f"{len(lost)} of {len(self.settled)} rounds shown are lost: {lost}")
        if len(found) < len(self.settled) + self.others:
            shown = f"{len(self.settled)} and {self.others} beside it"
            self.faults.append(f"{shown} were shown as settled, {len(found)} rounds are kept")
        check_books_and_rounds(self.path, 0)
        self.case.count("settled rounds found", len(found))
        finish_open(self.path, self.case.rng)
        with open_store(self.path) as store, sit_down(store, random.Random(1)) as session:
            play_round(session, random.Random(1))  # a session in peace removes what is left
        left = find_leftovers(self.path.parent, {"upcard.db", "runs", "printed.txt"})
        self.case.require(not left, f"left after the last session: {left}")


def _run_beside(words: Sequence[str], answers: Sequence[str], folder: Path, place: Path) -> None:
    """Run a command in this forked process; what takes seconds is not worked out."""
    answer: Any = (1, "", "it did not end")
    try:
        die_with_parent()
        os.environ["UPCARD_DATA"] = str(folder)
        close_seams()
        answer = talk(words, answers)
    except BaseException:
        import traceback

        answer = (1, "", traceback.format_exc())
    finally:
        place.write_text(json.dumps(answer), encoding="utf-8")
        os._exit(0)


def take_turn(items: Sequence[str], turn: int, count: int) -> list[str]:
    """Return some items, the next ones at each turn, so that all have theirs."""
    return [items[(turn * count + at) % len(items)] for at in range(min(count, len(items)))]
