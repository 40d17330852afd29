"""No warning of a dependency or of Python's own comes out of a command: each is an error here."""

import subprocess
import sys

import pytest

GAME = ("--rules", "2D H17 LS", "--cards", "TS TD 6H 7C")


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize(
    ("words", "typed", "code"),
    [
        (("--help",), "", 0),
        (("play", *GAME), "10\nsurrender\n", 0),
        (("solve", "88 v T", "--rules", "INF"), "", 0),
        (("replay", "abc+def/"), "", 2),
        (("rules", "6D H17 +21+3(9)"), "", 0),
        (("edge", "--rules", "6D H17 LS"), "", 0),
        (("chart", "--rules", "INF", "--json"), "", 0),
        (("simulate", "--rounds", "20000", "--count", "hi-lo", "--ramp", "1-8"), "", 0),
        (("simulate", "--rounds", "2000", "--workers", "2", "--executor", "processes"), "", 0),
        (("simulate", "--rounds", "500", "--engine", "table"), "", 0),
        (("sessions", "--sessions", "20"), "", 0),
        (("stats",), "", 0),
        (("train",), "", 0),
        (("cache",), "", 0),
    ],
)
def test_no_command_gives_a_warning(words, typed, code, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "upcard", *words],
        input=typed,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "Warning" not in done.stderr
    assert "Traceback" not in done.stderr
