"""Build the wheel and the source distribution, and try both in clean environments.

Run by `make dist`. The wheel is installed with the oldest and with the newest dependencies that
pyproject.toml allows, on every Python that it names and that is on the PATH. The source
distribution is unpacked, installed with the pinned dependencies, and its tests are run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import select
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RELEASES = tuple(
    kind.rpartition(" ")[2]
    for kind in PROJECT["classifiers"]
    if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", kind)
)
RESOLUTIONS = {"oldest": "lowest-direct", "newest": "highest"}
UV = Path(sys.executable).with_name("uv")
SCREEN_SECONDS = 180  # until the full screen is there and has ended
KEY_SECONDS = 3  # until a key is pressed again
SOLVE = ("solve", "88 v T", "--rules", "6D H17 LS", "--json")
IMPORT = """
import upcard
rules = upcard.Rules.parse("6D H17 LS")
assert upcard.solve(rules, "88", "T").best is upcard.Action.SPLIT
assert upcard.simulate(rules, rounds=2000, seed=1).rounds == 2000
print(upcard.__version__)
"""


class DistError(Exception):
    """What does not work, as a sentence."""


def make_variables(folder: Path | None = None) -> dict[str, str]:
    """Return environment variables that name nothing of whoever runs this."""
    leave_out = ("PYTHON", "PIP_", "VIRTUAL_ENV", "UPCARD_")
    variables = {key: text for key, text in os.environ.items() if not key.startswith(leave_out)}
    if folder is not None:
        variables |= {
            "UPCARD_DATA": str(folder / "data"),
            "UPCARD_CACHE": "off",  # nothing is compiled that outlives the folder
            "NUMBA_CACHE_DIR": str(folder / "jit"),
        }
    return variables


def run(*command: str | Path, cwd: Path = ROOT, typed: str = "", folder: Path | None = None) -> str:
    """Run a program and return what it printed. Raises: DistError."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=make_variables(folder),
        input=typed,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        said = (done.stdout + done.stderr).strip()
        words = " ".join(map(str, command))
        msg = f"{words}\nended with exit code {done.returncode}:\n{said}"
        raise DistError(msg)
    return done.stdout


def expect(what: object, text: str) -> None:
    """Refuse output that lacks something. Raises: DistError."""
    if str(what) not in text:
        msg = f"expected {what!r} in:\n{text}"
        raise DistError(msg)


def build() -> tuple[Path, Path]:
    """Build both archives; return the wheel and the source distribution."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "hatchling", "build")
    (wheel,) = DIST.glob("*.whl")
    (source,) = DIST.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        for page in ("commands", "web-api"):  # as a whole, not as git has them
            expect(f"upcard/web/reference/{page}.md", "\n".join(archive.namelist()))
    return wheel, source


def find_python(release: str) -> str | None:
    """Return an interpreter of a release such as 3.12, or None."""
    here = sys._base_executable  # noqa: SLF001 (the interpreter that .venv was made with)
    for name in (here, f"python{release}"):
        place = shutil.which(name)
        if place is None:
            continue
        ask = [place, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        done = subprocess.run(ask, capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout.strip() == release:
            return place
    return None


def make_environment(python: str, folder: Path, *arguments: str | Path) -> Path:
    """Make an environment, install into it, and return its folder of programs."""
    run(UV, "venv", "--quiet", "--python", python, folder)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    options = ("--quiet", "--system-certs", "--python", programs / "python")
    run(UV, "pip", "install", *options, *arguments)
    return programs


def try_screen(command: Sequence[str | Path], folder: Path | None = None) -> None:
    """Open the full screen in a terminal and leave it again. Raises: DistError."""
    import fcntl  # these three are there on POSIX systems only
    import pty
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    variables = make_variables(folder) | {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
    shown = b""
    pressed = 0
    begun = heard = time.monotonic()
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=variables
    ) as game:
        os.close(theirs)
        while (now := time.monotonic()) < begun + SCREEN_SECONDS:
            if select.select([ours], [], [], KEY_SECONDS)[0]:
                try:
                    shown += os.read(ours, 65536)
                except OSError:  # it has closed the terminal
                    break
                heard = time.monotonic()
            # A key that comes while the terminal is being set up can get lost: press it again.
            if b"choose a table" in shown and now >= begun + pressed * KEY_SECONDS:
                pressed += 1
                os.write(ours, b"q")
        else:
            game.kill()
    os.close(ours)
    if game.returncode or not pressed:
        silent = time.monotonic() - heard
        readable = re.sub(rb"\x1b\[[0-?]*[ -/]*[@-~]|[^ -~\n]", b"", shown).decode()
        msg = (
            f"the full screen ended with exit code {game.returncode} "
            f"after {time.monotonic() - begun:.0f} s, the last {silent:.0f} of them silent; "
            f"q was pressed {pressed} times; it showed {len(shown)} bytes, at the end:\n"
            f"{readable[-2000:]}"
        )
        raise DistError(msg)


def expect_solved(printed: str) -> None:
    """Refuse what SOLVE printed where its best answer is another. Raises: DistError."""
    best = json.loads(printed)["answers"][0]
    expect("split −0.474894 best", f"{best['action']} {best['text']} {best['cost_text']}")


def try_program(programs: Path, version: str) -> None:
    """Use an installed upcard as a player and as a programmer do. Raises: DistError."""
    folder = programs.parent
    upcard = programs / "upcard"
    expect(version, run(upcard, "--version", cwd=folder, folder=folder))
    game = ("--rules", "2D H17 LS", "--cards", "TS TD 6H 7C")
    typed = "10\nsurrender\n"
    played = run(upcard, "play", "--json", *game, cwd=folder, folder=folder, typed=typed)
    written = [json.loads(line) for line in played.splitlines()]
    expect(("session_ended", 95), str((written[-1]["type"], written[-1]["balance"])))
    expect_solved(run(upcard, *SOLVE, cwd=folder, folder=folder))
    expect(version, run(programs / "python", "-c", IMPORT, cwd=folder, folder=folder))
    if os.name == "posix":
        try_screen([upcard], folder)


def try_wheel(wheel: Path, version: str, work: Path) -> None:
    """Install the wheel on every Python there is, with old and new dependencies."""
    for release in RELEASES:
        python = find_python(release)
        if python is None:
            print(f"wheel, Python {release}: skipped, no python{release} on the PATH", flush=True)
            continue
        for age, resolution in RESOLUTIONS.items():
            begun = time.monotonic()
            # Named here too: lowest-direct means what is asked for, not what a wheel asks for.
            needs = ("--requirements", ROOT / "pyproject.toml")
            options = ("--resolution", resolution, "--only-binary", ":all:", *needs)
            programs = make_environment(python, work / f"{release}-{age}", *options, wheel)
            try_program(programs, version)
            seconds = time.monotonic() - begun
            print(f"wheel, Python {release}, {age} dependencies: works ({seconds:.0f} s)")
            listed = run(UV, "pip", "freeze", "--quiet", "--python", programs / "python")
            names = [line for line in listed.splitlines() if "==" in line]
            print(f"  {' '.join(names)}", flush=True)


def try_without_clone(wheel: Path, work: Path) -> None:
    """Run the wheel by uvx and, where it is installed, by pipx, as README's line for a stranger."""
    words = ("upcard", *SOLVE)
    tries = {"uvx": (UV, "tool", "run", "--system-certs", "--from", wheel, *words)}
    if shutil.which("pipx"):
        tries["pipx"] = ("pipx", "run", "--spec", wheel, *words)
    else:
        print("pipx run --spec WHEEL upcard: skipped, no pipx on the PATH", flush=True)
    for name, command in tries.items():
        expect_solved(run(*command, folder=work))
        print(f"{name} with the wheel: works", flush=True)


def try_source(source: Path, version: str, work: Path, tests: list[str]) -> None:
    """Unpack the source distribution, install it as pinned, and run its tests."""
    with tarfile.open(source) as archive:
        # Python 3.11.2, Debian 12's, has no filters.
        safe = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(work, **safe)  # noqa: S202 (made by us)
    root = work / source.name.removesuffix(".tar.gz")
    pins = ("--require-hashes", "-r", root / "requirements" / "dev.txt")
    python = sys._base_executable  # noqa: SLF001 (as above)
    programs = make_environment(python, work / "source", *pins)
    options = ("--quiet", "--no-deps", "--no-build-isolation")
    run(UV, "pip", "install", *options, "--python", programs / "python", root)
    try_program(programs, version)
    print("source distribution: unpacked, installed; its tests:", flush=True)
    command = [programs / "python", "-m", "pytest", "-n", "auto", "--dist", "worksteal", *tests]
    done = subprocess.run(command, cwd=root, check=False)
    if done.returncode:
        msg = f"the tests of the source distribution ended with exit code {done.returncode}."
        raise DistError(msg)


def main() -> None:
    """Build, try, and leave what works in dist/."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tests", nargs="*", help="arguments of pytest in the source distribution")
    tests = parser.parse_args().tests
    try:
        wheel, source = build()
        version = wheel.name.split("-")[1]
        with tempfile.TemporaryDirectory(prefix="upcard-dist-") as folder:
            try_wheel(wheel, version, Path(folder))
            try_without_clone(wheel, Path(folder))
            try_source(source, version, Path(folder), tests)
    except DistError as error:
        sys.exit(f"make dist: {error}")
    for archive in (wheel, source):
        print(f"{archive.relative_to(ROOT)}: {archive.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
