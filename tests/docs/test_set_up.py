"""`make play` shows how far its set-up is, and what failed."""

from __future__ import annotations

import importlib.util
import io
import sys
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


@pytest.fixture(scope="module")
def script():
    place = importlib.util.spec_from_file_location("install", ROOT / "scripts" / "install.py")
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


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
