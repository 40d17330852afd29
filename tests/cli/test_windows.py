"""On Windows nothing fails at import, and the main paths work; see `stand_in_windows`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
TESTS = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """What the stand-in found in a process of its own."""
    folder = tmp_path_factory.mktemp("windows")
    paths = os.pathsep.join([str(TESTS), str(TESTS / "web")])
    variables = os.environ | {"PYTHONPATH": paths, "UPCARD_DATA": str(folder / "data")}
    # numba-cuda 0.30 asks NumPy 2.5 for one when it is imported; see pyproject.toml.
    generic = "ignore:The 'generic' unit for NumPy timedelta:DeprecationWarning"
    options = ("-W", "error", "-W", generic)
    command = [sys.executable, *options, TESTS / "stand_in_windows.py", folder]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_every_module_is_imported_but_the_one_that_is_for_terminals_elsewhere(report):
    assert report["modules"] == {
        "upcard.tui.terminal": "ModuleNotFoundError: No module named 'termios'"
    }


def test_commands_work(report):
    code, shown = report["play"]
    assert (code, "Balance 95 after 1 round" in shown) == (0, True)
    assert {words: code for words, (code, _) in report["commands"].items() if code} == {}
    assert "split   -0.47" in report["commands"]["solve 88 v T"][1]
    assert report["files"] == ["data", "run.json"]


def test_the_pages_are_served(report):
    assert report["pages"] == dict.fromkeys(report["pages"], 200)
    assert len(report["pages"]) > 4


def test_an_old_console_is_told_to_read_colours(report):
    (code, shown), modes = report["colours"]
    assert code == 0
    assert "\x1b[" in shown
    assert modes == [7, 7]  # standard output and standard error: what it was, 3, and escape codes
