"""Comparing with other programs, here scripts that print what those print."""

from __future__ import annotations

import shlex
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import others
from benchmarks.other_programs import (
    ProgramError,
    Sample,
    ask_farmer,
    count_errors,
    open_bjnb,
    play_freebj,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="runs scripts by their first line")

NOTEBOOK = """
def Rules(**rules): return rules
def Strategy(): return None
def default_shoes_creator(rules): return None
def run_simulations(rules, strategy, hands, create, parallel, quiet, *, start_shoe_index):
    print("noise")
    return -0.0036, hands, 1.13
# %%
def monte_carlo_house_edge_cpu(
this is no Python
"""


def write_program(folder: Path, code: str) -> Path:
    path = folder / "program"
    # A line with #! ends at the first blank; for Python, the shell's line is a string.
    shell = f"#!/bin/sh\n'''exec' {shlex.quote(sys.executable)} \"$0\" \"$@\"\n' '''\n"
    path.write_text(f"{shell}{code}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_the_analyzer_is_asked_for_shoes_and_gives_evs_and_seconds(tmp_path: Path) -> None:
    path = write_program(
        tmp_path, "import sys\nfor line in sys.stdin: print(-len(line.split()) / 1000, 0.25)"
    )
    assert ask_farmer(path, [[4] * 9 + [16]] * 2) == ([-0.01, -0.01], 0.5)


def test_a_program_that_prints_something_else_is_refused(tmp_path: Path) -> None:
    path = write_program(tmp_path, "print('hello')")
    with pytest.raises(ProgramError, match="was it built as --help says"):
        ask_farmer(path, [[4] * 9 + [16]])
    with pytest.raises(ProgramError, match="printed no JSON"):
        play_freebj(path)(1000, 1)


def test_freebj_is_read_by_its_json(tmp_path: Path) -> None:
    code = (
        "import json, sys\n"
        "print(json.dumps({'ev': -0.0036, 'stddev': 1.13, 'rounds': int(sys.argv[2])}))"
    )
    sample = play_freebj(write_program(tmp_path, code))(1000, 1)
    assert sample[:3] == (-0.0036, 1.13, 1000)
    assert sample.seconds > 0


def test_the_notebook_runs_up_to_its_simulator_and_stays_open(tmp_path: Path) -> None:
    path = tmp_path / "blackjack.py"
    path.write_text(NOTEBOOK)
    with open_bjnb(path, sys.executable) as play:
        assert play(1000, 1)[:3] == (-0.0036, 1.13, 1000)
        assert play(2000, 2).rounds == 2000


def test_a_notebook_that_fails_says_why(tmp_path: Path) -> None:
    path = tmp_path / "blackjack.py"
    path.write_text("import no_such_module")
    with (
        pytest.raises(ProgramError, match="No module named 'no_such_module'"),
        open_bjnb(path, sys.executable),
    ):
        pass


def test_evs_are_compared_in_standard_errors_of_both_runs() -> None:
    ours, theirs = Sample(0.0, 3.0, 900, 1.0), Sample(0.5, 4.0, 1600, 1.0)
    assert count_errors([ours], [theirs]) == pytest.approx(0.5 / 0.02**0.5)


def test_the_table_has_the_spread_of_the_ratios_and_marks_values_that_differ() -> None:
    row = others.Row("FreeBJ", "rounds", "2 M", "9 M", (4.0, 5.0, 4.5), "+5.0", agrees=False)
    assert others.write_table([row]).splitlines()[2] == (
        "| FreeBJ | rounds | 2 M | 9 M | 4.50 | 4.00 to 5.00 | **DIFFER**: +5.0 |"
    )


@pytest.mark.parametrize("option", ["--farmer", "--freebj", "--bjnb"])
def test_a_path_that_is_no_file_is_refused_in_one_line(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ending:
        others.main([option, "/nowhere/program"])
    assert ending.value.code == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.endswith("/nowhere/program is not a file: give the path of the program")


def test_no_program_at_all_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert others.main([]) == 2
    assert "give --farmer, --freebj or --bjnb" in capsys.readouterr().err


def test_a_program_that_fails_is_refused_and_the_others_are_skipped_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(others, "_value_shoes", lambda shoes: [0.0] * len(shoes))
    path = write_program(tmp_path, "import sys; sys.exit('out of cards')")
    assert others.main(["--farmer", str(path), "--turns", "1"]) == 2
    output = capsys.readouterr()
    assert output.out.splitlines() == [
        "skipped: FreeBJ, as there is no --freebj",
        "skipped: H. Hoppe's notebook, as there is no --bjnb",
    ]
    assert output.err.strip().endswith("failed: out of cards")


STAND_IN = """
#include <cstdlib>
#include <cstring>
#include <new>
void *operator new(std::size_t size) { return std::memset(std::malloc(size), 0xff, size); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
struct BJShoe { BJShoe(const int *) {} };
struct BJRules { BJRules(bool, bool, bool, bool, bool, bool, bool, bool, bool, double) {} };
struct BJStrategy { BJStrategy(bool, bool) {} };
struct BJProgress {};
struct BJPlayer {
    double unset[4];
    BJPlayer(const BJShoe &, BJRules &, BJStrategy &, BJProgress &) {}
    double getValue() const { return unset[2]; }
};
"""


@pytest.mark.skipif(shutil.which("g++") is None, reason="compiles C++")
def test_the_analyzer_is_built_in_memory_that_holds_zeros(tmp_path: Path) -> None:
    (tmp_path / "blackjack.h").write_text(STAND_IN)
    source = Path(others.__file__).with_name("farmer_values.cpp")
    program = tmp_path / "values"
    subprocess.run(["g++", "-I", tmp_path, "-o", program, source], check=True)
    evs, _ = ask_farmer(program, [[4] * 9 + [16]] * 3)
    assert evs == [0.0] * 3
