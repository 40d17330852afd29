"""`upcard simulate` killed and resumed: the file has the bytes of a run that nobody interrupted."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final

from campaign.bystanders import find_leftovers, wait_for_end
from campaign.case import FindingError

if TYPE_CHECKING:
    from pathlib import Path

    from campaign.case import Case

_JOBS: Final = (
    ("--house", "deshmukh", "--player", "mimic", "--rounds", "16k", "--seed", "1"),
    ("--rules", "6D", "--rounds", "6M", "--seed", "2"),
    ("--rules", "2D H17", "--count", "hi-lo", "--ramp", "1-8", "--rounds", "3M", "--seed", "3"),
)
_NAME: Final = "RUN.json"


class SimulationKiller:
    """Kills simulations in a folder; what they should come to is simulated once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._whole: dict[tuple[str, ...], tuple[bytes, float]] = {}

    def kill(self, case: Case) -> None:
        """Kill a run, resume it, and compare.

        Raises: FindingError.
        """
        job = case.rng.choice(_JOBS)
        expected, seconds = self._play_whole(job)
        words = [*job, "-o", _NAME, "--workers", "2"]
        killed, share = False, 0.2 + 0.8 * case.rng.random()  # from the start to about the end
        while not killed:
            self._clear()
            killed = self._kill(words, seconds * share, case)
            share /= 2  # it was faster than before
        case.count("kills of simulations")
        place = self.folder / _NAME
        # Without a file it was killed before it had begun.
        done = self._run(["--resume", _NAME] if place.exists() else [*job, "-o", _NAME])
        case.require(
            done.returncode == 0, f"after a kill of {words}: {done.stderr.decode()[-600:]}"
        )
        case.require(
            place.read_bytes() == expected,
            f"upcard simulate {words}, killed and resumed, differs from a run in one piece",
        )
        left = find_leftovers(self.folder, {_NAME})
        case.require(not left, f"left after a finished run: {left}")

    def _kill(self, words: list[str], seconds: float, case: Case) -> bool:
        process = self._start(words)
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)  # the main process alone
        process.wait()
        left = wait_for_end(process.pid)
        case.require(not left, f"{len(left)} processes live on after the kill of {words}")
        return process.returncode == -signal.SIGKILL

    def _play_whole(self, job: tuple[str, ...]) -> tuple[bytes, float]:
        if job not in self._whole:
            self._clear()
            self._run([*job, "-o", _NAME, "--workers", "2"])  # compiled, in the disk's cache
            self._clear()
            begun = time.monotonic()
            done = self._run([*job, "-o", _NAME, "--workers", "2"])
            if done.returncode:
                raise FindingError(done.stderr.decode())
            self._whole[job] = (self.folder / _NAME).read_bytes(), time.monotonic() - begun
        return self._whole[job]

    def _run(self, words: list[str]) -> subprocess.CompletedProcess[bytes]:
        process = self._start(words)
        code = process.wait(timeout=120)
        err = (self.folder.parent / "simulate-err.txt").read_bytes()
        return subprocess.CompletedProcess(words, code, b"", err)

    def _start(self, words: list[str]) -> subprocess.Popen[bytes]:
        # Not to pipes: whoever waits for the end of one waits for every process that has it.
        with (self.folder.parent / "simulate-err.txt").open("wb") as err:
            return subprocess.Popen(
                [sys.executable, "-m", "upcard", "simulate", *words],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=err,
                start_new_session=True,
            )

    def _clear(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
