"""Run `pip install` and show how far it is: scripts/install.py LOG PIP-ARGUMENT...

On a terminal one line changes as packages come in; elsewhere a line now and then. All that pip says
goes to LOG. Runs in the virtual environment that it installs into, with the standard library and
pip alone.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from pathlib import Path

WIDTH = 78
EVERY = 20  # packages, where no line can change
FACTS_SHOWN = 12  # lines of pip's when it fails
PAUSE = 0.25
# From an index, from a folder of wheels, or there already.
COLLECTED = re.compile(
    r"(?:Collecting |Processing (?:\S*/)?|Requirement already satisfied: )([\w.]+)"
)
FETCHED = re.compile(r"\s*Downloading (\S+?)-\d\S* \(([^)]*)\)")


def count_packages(arguments: list[str]) -> int:
    """Count the packages that the locks name for this Python and system."""
    from pip._vendor.packaging.requirements import InvalidRequirement, Requirement

    names = set()
    for lock in (arguments[n + 1] for n, word in enumerate(arguments) if word == "-r"):
        for line in Path(lock).read_text(encoding="utf-8").splitlines():
            try:
                package = Requirement(line.rstrip(" \\"))
            except InvalidRequirement:  # a hash or a comment
                continue
            if package.marker is None or package.marker.evaluate():
                names.add(package.name)
    return len(names)


class Progress:
    """What is being done, on standard error."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.collected = 0
        self.what = "asking the package index" if total else "building it"
        self.is_terminal = sys.stderr.isatty()
        self.begun = time.monotonic()
        self.is_over = threading.Event()

    def hear(self, line: str) -> None:
        """Take in a line of pip's."""
        if self.total and (match := COLLECTED.match(line)):
            self.collected += 1
            self.what = f"getting {match[1]}"
            if not self.is_terminal and self.total and self.collected % EVERY == 0:
                self.say(f"  {self.collected} of {self.total} packages found")
        elif (match := FETCHED.match(line)) and self.total:
            self.what = f"downloading {match[1]} ({match[2]})"
        elif line.startswith("Installing collected"):
            self.what = "unpacking, which takes longest" if self.total else "installing it"
            if not self.is_terminal and self.total:
                self.say(
                    f"  all {self.collected} packages are here; unpacking them, which takes longest"
                )
        elif "Retrying" in line:
            self.what = "the package index does not answer; trying again"
            if not self.is_terminal:
                self.say(f"  {self.what}")

    def say(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def show(self) -> None:
        """Draw the line again, several times a second, until it is over."""
        signs = "|/-\\"
        number = 0
        while not self.is_over.wait(PAUSE):
            number += 1
            seconds = int(time.monotonic() - self.begun)
            some = f"{min(self.collected, self.total)} of {self.total}: " if self.total else ""
            text = f"  {signs[number % len(signs)]} {some}{self.what} ({seconds} s)"
            sys.stderr.write(f"\r{text[:WIDTH]:<{WIDTH}}")
            sys.stderr.flush()
        sys.stderr.write(f"\r{'':<{WIDTH}}\r")
        sys.stderr.flush()


def install(log: Path, arguments: list[str]) -> int:
    """Run pip; return its exit status."""
    progress = Progress(count_packages(arguments))
    shown = threading.Thread(target=progress.show, daemon=True)
    if progress.is_terminal:
        shown.start()
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    options = ["--progress-bar", "off", "--no-warn-script-location"]
    said: list[str] = []
    with (
        log.open("a", encoding="utf-8") as file,
        subprocess.Popen(
            [*command, *options, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        ) as pip,
    ):
        for line in pip.stdout or ():
            file.write(line)
            said.append(line.rstrip())
            progress.hear(line)
    progress.is_over.set()
    if shown.is_alive():
        shown.join()
    if pip.returncode:
        errors = [line for line in said if line.startswith(("ERROR", "error"))]
        print("pip says:", file=sys.stderr)
        for line in errors or said[-FACTS_SHOWN:]:
            print(f"  {line}", file=sys.stderr)
    return pip.returncode


if __name__ == "__main__":
    try:
        sys.exit(install(Path(sys.argv[1]), sys.argv[2:]))
    except KeyboardInterrupt:
        sys.exit(130)
