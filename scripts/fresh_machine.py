"""Try upcard on a fresh machine: a minimal Debian made with debootstrap, thrown away afterwards.

    scripts/fresh_machine.py                                    README's two commands, Debian 13
    scripts/fresh_machine.py --suite bookworm                   Debian 12
    scripts/fresh_machine.py --suite forky --with-python 3.15   Debian testing, its newer Python
    scripts/fresh_machine.py --pytest-args tests/unit/core      some of the tests, not all of them
    scripts/fresh_machine.py --root --command 'bash .ci/run'    anything, as its root

The Debian has python3, python3-venv, make and git, with `--with-python` the packages python3.N and
python3.N-venv of the same release too, and of this machine only what reaches the network:
resolv.conf, hosts, certificates, and what apt and pip are told in /etc. The last commit is
cloned into a folder with a blank and an accent in its path, for a user who is not root. Needs root,
debootstrap, and the right to mount and to chroot; says so and exits with 3 where it has them not.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from dist import DistError, try_screen

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("ca-certificates", "git", "make", "python3", "python3-venv")
# debootstrap makes a release that is newer than itself as it makes this one.
SCRIPTS = Path(os.environ.get("DEBOOTSTRAP_DIR", "/usr/share/debootstrap")) / "scripts"
NEWER, OWN_MIRROR = "sid", ""  # debootstrap takes an empty name for its own mirror
NO_OTHER_TIME = ("No such script", "Couldn't find these debs")  # what no second try changes
USER = "player"
CLONE = f"/home/{USER}/my cards é/upcard"
# A bet, no insurance, stand, leave the table; an answer to nothing is refused, and no hand is left.
PIPED = "10\nn\ns\nq\n"
NO_MACHINE = 3
FAILING = ("FAILED", "ERROR", "E  ", "Error", "make:", "error:")  # how such lines begin
HOSTS_OWN = (  # files and folders of this machine
    "/etc/apt/apt.conf.d",
    "/etc/hosts",
    "/etc/pip.conf",
    "/etc/resolv.conf",
    "/etc/ssl/certs/ca-certificates.crt",
)
# Variables that say how to reach the network, by a part of their names.
NETWORK = ("CERT", "SSL", "CA_BUNDLE", "PROXY", "PIP_INDEX", "PIP_EXTRA", "PIP_TRUSTED", "TIMEOUT")
# Processes and mounts of the machine end with the first process in it.
ENTER = """
set -e
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t tmpfs -o mode=755 dev dev
for node in null zero full random urandom tty; do
    : >dev/$node
    mount --bind /dev/$node dev/$node
done
ln -s /proc/self/fd dev/fd
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
ln -s pts/ptmx dev/ptmx
mount -t tmpfs -o mode=1777 shm dev/shm
user=$2
shift 2
exec chroot --userspec="$user" . "$@"
"""


class NoMachineError(Exception):
    """Why no fresh machine can be made here, as a sentence."""


class Machine:
    """A minimal Debian in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def command(self, words: list[str], *, user: str = USER) -> list[str]:
        """Return the command line that runs a program in it."""
        home = "/root" if user == "root" else f"/home/{user}"
        variables = {
            "HOME": home,
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "TERM": "xterm-256color",
        } | {
            key: text
            for key, text in os.environ.items()
            if any(part in key.upper() for part in NETWORK)
        }
        settings = [f"{key}={text}" for key, text in variables.items()]
        new = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
        enter = ["sh", "-c", ENTER, "sh", str(self.folder), user]
        return [*new, *enter, "env", "-i", *settings, *words]

    def shell(self, line: str, *, user: str = USER, typed: str | None = None) -> str:
        """Run a line of shell in the clone, show what it says, and return it.

        Raises: DistError if it fails.
        """
        print(f"$ {line}", flush=True)
        command = self.command(["sh", "-c", f"cd {shlex.quote(CLONE)} && {line}"], user=user)
        said = []
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL if typed is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        ) as running:
            if typed is not None:
                running.stdin.write(typed)
                running.stdin.close()
            for text in running.stdout:
                said.append(text)
                print(text, end="", flush=True)
        if running.returncode:
            failing = [text for text in said if text.startswith(FAILING)]
            last = "".join([*failing[:20], *said[-20:]])
            msg = f"`{line}` ended with exit code {running.returncode}:\n{last}"
            raise DistError(msg)
        return "".join(said)

    def run(self, words: list[str], *, user: str = USER) -> str:
        """Run a program and return what it says. Raises: DistError."""
        return run_quietly(self.command(words, user=user))


def check() -> None:
    """Refuse to go on where no machine can be made. Raises: NoMachineError."""
    if sys.platform != "linux" or os.geteuid() != 0:
        raise NoMachineError("only root on Linux can make one")
    if shutil.which("debootstrap") is None and shutil.which("apt-get"):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        variables = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update"], check=False, **quiet)
        install = ["apt-get", "install", "-y", "--no-install-recommends", "debootstrap"]
        subprocess.run(install, check=False, env=variables, **quiet)
    if shutil.which("debootstrap") is None:
        raise NoMachineError("debootstrap is not installed, and apt cannot install it")
    trial = "mount -t tmpfs tmpfs /mnt && chroot / true"
    done = subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "sh", "-c", trial],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NoMachineError(f"mounting and chroot are not allowed: {done.stderr.strip()}")


def run_quietly(command: list[str]) -> str:
    """Run a program and return what it says. Raises: DistError."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        said = f"{done.stdout}{done.stderr}"[-3000:]
        msg = f"`{shlex.join(command[:3])} …` ended with exit code {done.returncode}:\n{said}"
        raise DistError(msg)
    return done.stdout


def find_mirror() -> list[str]:
    """Return the mirror that apt uses for Debian itself, if it has one; else debootstrap's own."""
    ask = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"]
    done = subprocess.run(
        [*ask, "Origin: Debian", "Label: Debian"], capture_output=True, text=True, check=False
    )
    return done.stdout.split()[:1]


def bootstrap(suite: str, folder: Path, packages: Sequence[str] = ()) -> None:
    """Fill a folder with a minimal Debian and more packages. Raises: NoMachineError."""
    options = ["--variant=minbase", f"--include={','.join([*PACKAGES, *packages])}"]
    source = find_mirror()
    if not (SCRIPTS / suite).exists():
        source = [*(source or [OWN_MIRROR]), NEWER]
    # A mount of debootstrap's own that is left behind goes with its namespace.
    command = ["unshare", "--mount", "debootstrap", *options, suite, str(folder), *source]
    for seconds in (20, 60, None):  # a mirror that does not answer now may do so later
        try:
            run_quietly(command)
        except DistError as error:
            if seconds is None or any(words in str(error) for words in NO_OTHER_TIME):
                last = str(error).strip().splitlines()[-1]
                msg = f"debootstrap cannot make Debian {suite}: {last}"
                raise NoMachineError(msg) from error
            print(f"fresh machine: {error}\ntrying again in {seconds} s", flush=True)
            time.sleep(seconds)
            shutil.rmtree(folder)
            folder.mkdir(mode=0o755)
        else:
            return


def make_machine(suite: str, folder: Path, *, owner: str, release: str | None = None) -> Machine:
    """Make a minimal Debian with a clone of the last commit, and with a Python such as 3.15.

    Raises: DistError, NoMachineError.
    """
    begun = time.monotonic()
    machine = Machine(folder)
    bootstrap(suite, folder, [f"python{release}", f"python{release}-venv"] if release else ())
    for name in map(Path, HOSTS_OWN):
        place = folder / name.relative_to("/")
        if name.is_dir():
            shutil.copytree(name, place, dirs_exist_ok=True)
        elif name.exists():
            place.unlink(missing_ok=True)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(name, place)
    machine.run(["useradd", "--create-home", USER], user="root")
    clone = folder / CLONE.removeprefix("/")
    clone.parent.mkdir()
    run_quietly(["git", "clone", "--quiet", f"file://{ROOT}", str(clone)])
    machine.run(["chown", "--recursive", f"{owner}:", f"/home/{USER}"], user="root")
    python = machine.run([f"python{release or 3}", "-V"]).strip()
    report(f"Debian {suite}, {python}, made", begun)
    return machine


def report(what: str, begun: float) -> None:
    print(f"fresh machine: {what} in {time.monotonic() - begun:.0f} s", flush=True)


def try_readme(machine: Machine, release: str | None = None, tests: str = "") -> None:
    """Run README's two commands as its reader does, and compute the values.

    A release such as 3.15 names another Python than the first that `make` finds, `tests` are
    options of pytest. Raises: DistError.
    """
    chosen = f" PYTHON=/usr/bin/python{release}" if release else ""
    begun = time.monotonic()
    said = machine.shell(f"make play ARGS=play{chosen}", typed=PIPED)
    if "Balance 100" not in said:
        raise DistError("`make play` began no game")
    make_play = ["sh", "-c", f"cd {shlex.quote(CLONE)} && exec make play{chosen}"]
    try_screen(machine.command(make_play))
    report("`make play`, piped and on a terminal,", begun)
    begun = time.monotonic()
    machine.shell(f"make test{chosen}" + (f" PYTEST_ARGS={shlex.quote(tests)}" if tests else ""))
    report("`make test`", begun)
    begun = time.monotonic()
    machine.shell(f"make values ARGS=--check{chosen}")
    report("every value computed and compared", begun)
    machine.shell("make clean")
    if left := machine.shell("git status --porcelain --ignored"):
        msg = f"`make clean` left:\n{left}"
        raise DistError(msg)


def main() -> None:
    """Make a machine, use it, and remove it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--suite", default="trixie", help="release of Debian (default: trixie)")
    parser.add_argument("--with-python", metavar="3.N", help="use this Python of the release's")
    parser.add_argument("--pytest-args", default="", help="options of `make test` (default: none)")
    parser.add_argument("--command", help="run this in the clone instead of README's commands")
    parser.add_argument("--root", action="store_true", help="as root instead of a common user")
    parser.add_argument("--keep", action="store_true", help="leave the machine's folder")
    options = parser.parse_args()
    release = options.with_python
    if release and not re.fullmatch(r"3\.\d+", release):
        parser.error(f"--with-python {release}: expected a release such as 3.15")
    if options.command and options.pytest_args:
        parser.error("--pytest-args: --command runs no tests of its own; name them in the command")
    folder = None
    try:
        check()
        folder = Path(tempfile.mkdtemp(prefix=f"upcard-{options.suite}-", dir="/var/tmp"))
        folder.chmod(0o755)
        owner = "root" if options.root else USER
        machine = make_machine(options.suite, folder, owner=owner, release=release)
        if options.command:
            machine.shell(options.command, user=owner)
        else:
            try_readme(machine, release, options.pytest_args)
    except NoMachineError as error:
        print(f"fresh machine: NOT TRIED, {error}")
        sys.exit(NO_MACHINE)
    except (DistError, OSError) as error:
        # Standard output is long: what went wrong stands at the end, and in every line what it is.
        about = f"Error: fresh machine, {options.suite}: "
        sys.exit("\n".join(about + line[:300] for line in str(error).splitlines()))
    finally:
        if folder and options.keep:
            print(f"fresh machine: left in {folder}")
        elif folder:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
