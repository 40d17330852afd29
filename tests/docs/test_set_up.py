"""`make play` shows how far its set-up is, and what failed."""

from __future__ import annotations

import importlib.util
import io
import os
import shutil
import subprocess
import sys
import threading
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PIP_SAYS = """\
Collecting hatchling==1.33.0 (from -r requirements/build.txt (line 7))
  Downloading hatchling-1.33.0-py3-none-any.whl (78 kB)
Processing /wheels/llvmlite-0.50.0-cp311-manylinux_2_28_x86_64.whl (from -r x (line 1))
Requirement already satisfied: click in .venv/lib (from -r x (line 1))
WARNING: Retrying (Retry(total=4, connect=None)) after connection broken
Installing collected packages: hatchling, llvmlite
"""


def load_script(name):
    place = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def script():
    return load_script("install")


@pytest.fixture
def get_pip(monkeypatch, tmp_path):
    """The script, on a machine where nothing names an index, and its lock has pip 7."""
    module = load_script("get_pip")
    for name in list(os.environ):
        if name.startswith(("PIP_", "XDG_CONFIG")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    lock = tmp_path / "pip.txt"
    lock.write_text(f"pip==7 \\\n    --hash=sha256:{sha256(b'the wheel').hexdigest()}\n")
    monkeypatch.setattr(module, "LOCK", lock)
    return module


@pytest.fixture
def index(tmp_path):
    """An index with two versions of pip, and the address that it has."""
    page = tmp_path / "index" / "pip"
    page.mkdir(parents=True)
    link = '<a href="../{0}/pip-{0}-py3-none-any.whl#x">{0}</a>'
    (page / "index.html").write_text(link.format(6) + link.format(7))
    (page.parent / "7").mkdir()
    (page.parent / "7" / "pip-7-py3-none-any.whl").write_bytes(b"the wheel")

    class Quiet(SimpleHTTPRequestHandler):
        def __init__(self, *about):
            super().__init__(*about, directory=page.parent)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        serving.join()


@pytest.fixture
def bootstrap(tmp_path):
    """Run scripts/bootstrap in a copy, where the given programs are the only Pythons on the PATH.

    Each is this Python after a line of Python, and makes no environment.
    """
    clone, programs = tmp_path / "clone", tmp_path / "programs"
    for name in ("scripts/bootstrap", "pyproject.toml", "src/upcard/_version.py"):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    shutil.copytree(ROOT / "requirements", clone / "requirements")
    programs.mkdir()
    for name in ("cat", "cksum", "dirname", "rm", "sed", "sh"):
        (programs / name).symlink_to(shutil.which(name))

    def write_program(name, text):
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)

    def run(pythons, *, system="Linux", **variables):
        for old in programs.glob("python*"):
            old.unlink()
        write_program("uname", f"echo {system}")
        for name, line in pythons.items():
            begin = '[ "$1" = -c ] || { echo "$@"; exit 9; }\n'
            code = f'"import platform, sys; {line}\n$2"'
            write_program(name, f"{begin}exec '{sys.executable}' -c {code}")
        words = [programs / "sh", clone / "scripts" / "bootstrap", "play"]
        variables |= {"PATH": str(programs)}
        done = subprocess.run(words, env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 1, done.stderr
        return done.stderr

    return run


PYPY = "sys.implementation.name = 'pypy'; platform.python_implementation = lambda: 'PyPy'"
INTEL = "sys.platform = 'darwin'; platform.machine = lambda: 'x86_64'; sys.version_info = (3, 14)"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (PYPY, "is PyPy. upcard needs CPython: numba has wheels for nothing else."),
        (INTEL, "is newer than 3.13, the last that numba has wheels for on Intel Macs."),
        ("sys.version_info = (2, 7)", "is not a Python from 3.11."),
        ("sys.exit(1)", "does not run."),
    ],
)
def test_a_python_that_cannot_run_upcard_is_refused_at_once(bootstrap, line, sentence):
    said = bootstrap({"mine": line}, PYTHON="mine")
    assert said == f"upcard: PYTHON=mine {sentence}\n"
    assert bootstrap({"python3": line}).startswith("upcard: no Python that can run upcard found")


def test_every_python_of_today_is_found(bootstrap):
    import tomllib

    kinds = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["classifiers"]
    releases = [kind.rpartition(" ")[2] for kind in kinds if " :: 3." in kind]
    assert len(releases) > 4
    for release in releases:
        assert f"making .venv with python{release}," in bootstrap({f"python{release}": "0"})


def test_windows_is_told_what_to_run(bootstrap):
    said = bootstrap({"python3": "0"}, system="MINGW64_NT-10.0")
    assert said == "upcard: make cannot set up .venv on Windows. Run: pipx install .\n"


def test_each_line_of_pip_moves_the_progress(script, monkeypatch):
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    progress = script.Progress(4)
    seen = []
    for line in PIP_SAYS.splitlines():
        progress.hear(line)
        seen.append((progress.collected, progress.what))
    assert seen == [
        (1, "getting hatchling"),
        (1, "downloading hatchling (78 kB)"),
        (2, "getting llvmlite"),
        (3, "getting click"),
        (3, "the package index does not answer; trying again"),
        (3, "unpacking, which takes longest"),
    ]


def test_without_a_terminal_there_is_a_line_now_and_then(script, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    progress = script.Progress(41)
    for number in range(41):
        progress.hear(f"Collecting package{number}==1")
    progress.hear("Installing collected packages: a, b")
    assert stream.getvalue().splitlines() == [
        "  20 of 41 packages found",
        "  40 of 41 packages found",
        "  all 41 packages are here; unpacking them, which takes longest",
    ]


def test_the_packages_of_a_lock_are_counted_for_this_python(script, tmp_path):
    lock = tmp_path / "lock.txt"
    lock.write_text(
        "# comment\n"
        "one==1 \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\n"
        "two==2 ; python_version < '3' \\\n    --hash=sha256:00\n"
        "two==3 ; python_version >= '3' \\\n    --hash=sha256:00\n",
        encoding="utf-8",
    )
    assert script.count_packages(["--require-hashes", "-r", str(lock)]) == 2
    assert script.count_packages(["--editable", "."]) == 0


@pytest.mark.slow
def test_what_failed_is_said_and_all_of_it_kept(script, tmp_path, capsys):
    log = tmp_path / "setup.log"
    assert script.install(log, ["--no-index", "no-such-package-of-upcard"]) == 1
    told = capsys.readouterr().err
    assert "pip says:\n  ERROR: " in told
    assert "no-such-package-of-upcard" in told
    assert "no-such-package-of-upcard" in log.read_text(encoding="utf-8")


def test_pips_wheel_comes_from_the_index_of_a_file_or_a_variable(
    get_pip, index, tmp_path, monkeypatch
):
    (tmp_path / ".config" / "pip").mkdir(parents=True)
    (tmp_path / ".config" / "pip" / "pip.conf").write_text(f"[global]\nindex-url = {index}/\n")
    assert get_pip.fetch_wheel(tmp_path).read_bytes() == b"the wheel"
    monkeypatch.setenv("PIP_INDEX_URL", f"{index}/none")
    with pytest.raises(get_pip.GetPipError, match="404"):
        get_pip.fetch_wheel(tmp_path)
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", index)
    assert get_pip.fetch_wheel(tmp_path).name == "pip-7-py3-none-any.whl"


def test_another_wheel_than_the_locked_one_is_refused(get_pip, index, tmp_path, monkeypatch):
    with pytest.raises(get_pip.GetPipError, match="no package index is configured for pip"):
        get_pip.fetch_wheel(tmp_path)
    monkeypatch.setenv("PIP_INDEX_URL", index)
    (tmp_path / "index" / "7" / "pip-7-py3-none-any.whl").write_bytes(b"another wheel")
    with pytest.raises(get_pip.GetPipError, match=r"pip-7-py3-none-any\.whl has another hash"):
        get_pip.fetch_wheel(tmp_path)
    get_pip.LOCK.write_text("pip==8 --hash=sha256:00\n")
    with pytest.raises(get_pip.GetPipError, match=r"no pip-8-py3-none-any\.whl"):
        get_pip.fetch_wheel(tmp_path)


@pytest.fixture
def fresh_machine(monkeypatch):
    """The script, which waits for no mirror."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    module = load_script("fresh_machine")
    monkeypatch.setattr(module.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(module, "find_mirror", list)
    return module


def test_a_fresh_machine_that_cannot_be_made_is_said(fresh_machine, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    with pytest.raises(fresh_machine.NoMachineError, match="only root on Linux"):
        fresh_machine.check()


LOBBY = """
import sys, termios, time, tty
print("choose a table", flush=True)
time.sleep(0.5)
termios.tcflush(0, termios.TCIFLUSH)
tty.setraw(0)
sys.exit(3 if sys.stdin.read(1) != "q" or {fails} else 0)
"""


@pytest.mark.slow
def test_a_key_that_gets_lost_is_pressed_again(monkeypatch):
    dist = load_script("dist")
    monkeypatch.setattr(dist, "KEY_SECONDS", 0.1)
    dist.try_screen([sys.executable, "-c", LOBBY.format(fails=False)])
    with pytest.raises(dist.DistError, match=r"exit code 3 .* bytes, at the end:\nchoose a table"):
        dist.try_screen([sys.executable, "-c", LOBBY.format(fails=True)])


def test_a_full_screen_that_does_not_end_is_killed(monkeypatch):
    dist = load_script("dist")
    monkeypatch.setattr(dist, "SCREEN_SECONDS", 0.2)
    monkeypatch.setattr(dist, "KEY_SECONDS", 0.1)
    with pytest.raises(dist.DistError, match=r"exit code -9 .* silent; q was pressed 0 times"):
        dist.try_screen([sys.executable, "-c", "import time; time.sleep(60)"])


def test_a_mirror_of_debian_that_does_not_answer_is_asked_again(
    fresh_machine, monkeypatch, tmp_path, capsys
):
    asked = []

    def fail(command):
        asked.append(command)
        (tmp_path / "sid" / "bin").symlink_to("usr/bin")
        raise fresh_machine.DistError("debootstrap said:\nE: no such mirror")

    monkeypatch.setattr(fresh_machine, "run_quietly", fail)
    (tmp_path / "sid").mkdir()
    with pytest.raises(fresh_machine.NoMachineError, match=r"make Debian sid: E: no such mirror"):
        fresh_machine.bootstrap("sid", tmp_path / "sid")
    assert len(asked) == 3
    assert "trying again in 60 s" in capsys.readouterr().out


@pytest.mark.parametrize(
    "fault",
    ["No such script: /usr/share/debootstrap/scripts/forky", "Couldn't find these debs: python3.9"],
)
def test_what_no_mirror_can_mend_is_not_asked_again(fresh_machine, monkeypatch, tmp_path, fault):
    asked = []

    def fail(command):
        asked.append(command)
        raise fresh_machine.DistError(f"debootstrap said:\nE: {fault}")

    monkeypatch.setattr(fresh_machine, "run_quietly", fail)
    with pytest.raises(fresh_machine.NoMachineError, match=f"make Debian sid: E: {fault}"):
        fresh_machine.bootstrap("sid", tmp_path)
    assert len(asked) == 1


def test_a_debian_newer_than_debootstrap_is_made_as_its_newest(
    fresh_machine, monkeypatch, tmp_path
):
    asked = []
    monkeypatch.setattr(fresh_machine, "run_quietly", asked.append)
    monkeypatch.setattr(fresh_machine, "SCRIPTS", tmp_path)
    (tmp_path / "trixie").touch()
    for suite in ("trixie", "forky"):
        fresh_machine.bootstrap(suite, tmp_path, ["python3.15", "python3.15-venv"])
    assert all("python3-venv,python3.15,python3.15-venv" in " ".join(words) for words in asked)
    after = [words[words.index(str(tmp_path)) + 1 :] for words in asked]
    assert after == [[], ["", "sid"]]


def test_a_fresh_machine_takes_the_python_and_the_tests_that_it_is_given(
    fresh_machine, monkeypatch
):
    lines = []

    class Machine:
        def shell(self, line, *, typed=None):
            lines.append(line)
            return "Balance 100" if typed else ""

        def command(self, words):
            lines.append(words[-1].partition("exec ")[2])

    monkeypatch.setattr(fresh_machine, "try_screen", lambda command: None)
    fresh_machine.try_readme(Machine(), "3.15", "-k 'a or b'")
    chosen = "PYTHON=/usr/bin/python3.15"
    assert lines == [
        f"make play ARGS=play {chosen}",
        f"make play {chosen}",
        f"make test {chosen} PYTEST_ARGS='-k '\"'\"'a or b'\"'\"''",
        f"make values ARGS=--check {chosen}",
        "make clean",
        "git status --porcelain --ignored",
    ]


@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
@pytest.mark.parametrize("is_on_path", [False, True])
def test_make_play_says_how_to_type_the_command_where_there_is_none(is_on_path, tmp_path):
    """README, the pages and the game name `upcard`, and there was none after `make play`."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    programs = ["scripts/bootstrap", ".venv/bin/upcard", *["bin/upcard"] * is_on_path]
    for name in programs:
        program = tmp_path / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text('#!/bin/sh\necho "$0 $*"\n')
        program.chmod(0o755)
    (tmp_path / "bin").mkdir(exist_ok=True)
    for name in ("make", "sh", "awk"):
        found = shutil.which(name)
        if found:
            (tmp_path / "bin" / name).symlink_to(found)
    done = subprocess.run(
        ["make", "play", "ARGS=stats --json"],
        cwd=tmp_path,
        env={"PATH": str(tmp_path / "bin")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["./scripts/bootstrap play", ".venv/bin/upcard stats --json"]
    assert (".venv/bin/upcard in this folder" in done.stderr) != is_on_path
    assert ("pipx install ." in done.stderr) != is_on_path
