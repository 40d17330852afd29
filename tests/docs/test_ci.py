"""Steps of CI run in two queues: none hides a failure, and what each printed is shown."""

import os
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from time_limits import time_limit

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
QUEUES = """
set -euo pipefail
. {steps}
one() {{
    {one}
}}
other() {{
    {other}
}}
side_by_side one other
step echo last
"""


def write(one, other):
    return QUEUES.format(steps=shlex.quote(str(ROOT / ".ci/steps")), one=one, other=other)


def run(one, other):
    """Run two queues of steps; return the exit code and the lines that they print."""
    with TemporaryDirectory() as place:
        done = subprocess.run(
            ["bash", "-c", write(one, other)],
            env=os.environ | {"TMPDIR": place},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert list(Path(place).iterdir()) == []
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_two_queues_run_side_by_side_and_say_what_each_step_took(tmp_path):
    wait = (
        f"bash -c 'touch {tmp_path}/$0; until [ -e {tmp_path}/$1 ]; do sleep 0.01; done; echo $0'"
    )
    code, lines = run(f"step {wait} a b; step echo A", f"step {wait} b a; step echo B")
    assert code == 0
    for said in ("A", "B", "last"):
        assert lines[lines.index(said) - 1] == f"== echo {said}: ended with exit code 0"
    assert {"a", "b"} <= {*lines}
    table = lines[lines.index("== seconds, and those of processors, of each step:") + 1 :]
    assert len(table) == 6
    assert [line.rpartition(" s  ")[2] for line in table[-2:]] == ["echo last", "all"]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_failure_in_either_queue_fails_the_run(order):
    fails = (
        "step echo before; step bash -c 'echo Some; echo FAILED tests/test_a.py::test_b; exit 3';"
        " step echo after; step echo 'after that'"
    )
    queues = [fails, "step sleep 1; step echo others"]
    code, lines = run(queues[order[0]], queues[order[1]])
    assert code == 1
    assert [line for line in lines if line in {"before", "Some", "after", "others", "last"}] == [
        "before",
        "Some",
    ]
    assert lines[-2].startswith("== FAILED: bash -c echo Some")
    assert lines[-1] == "FAILED tests/test_a.py::test_b"
    assert any(line.endswith("ended with exit code 3") for line in lines)


def test_a_queue_that_ends_between_two_steps_fails_the_run():
    code, lines = run("step echo before; false; step echo after", "step true")
    assert code == 1
    assert "before" in lines
    assert "after" not in lines


def test_a_function_that_fails_in_its_middle_is_a_failure_too():
    code, lines = run(
        "check() { sleep 1; false && true; }; step check", "step bash -c 'sleep 1; exit 2'"
    )
    assert code == 1
    assert sorted(lines[-2:]) == ["== FAILED: bash -c sleep 1; exit 2", "== FAILED: check"]


def test_an_interrupted_run_shows_what_its_steps_printed_and_ends_them(tmp_path):
    place = tmp_path / "pid"
    long = f"step bash -c 'echo half; echo $$ >{place}.new; mv {place}.new {place}; sleep 99'"
    with subprocess.Popen(
        ["bash", "-c", write(long, "step sleep 99")], stdout=subprocess.PIPE, text=True
    ) as running:
        wait_until(place.exists)
        running.send_signal(signal.SIGTERM)
        said, _ = running.communicate(timeout=60)
    assert running.returncode == 143
    assert "== interrupted, after:\nhalf\n" in said
    wait_until(lambda: not is_running(int(place.read_text())))


def wait_until(is_so):
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def is_running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("name", [".ci/run", ".ci/steps", "scripts/bootstrap"])
def test_a_script_can_be_parsed(name):
    subprocess.run(["bash", "-n", ROOT / name], check=True)


SOME = ROOT / "tests/on_every_python.txt"
KINDS = ("cli", "conformance", "docs", "env", "golden", "tui", "unit/exact", "unit/kernels")


def test_what_runs_on_every_python_is_there_and_of_every_kind():
    names = SOME.read_text(encoding="utf-8").splitlines()
    assert names == sorted({*names})
    assert [name for name in names if not (ROOT / name).exists()] == []
    kinds = (*KINDS, "unit/simulation", "unit/store", "unit/core", "web", "differential")
    assert [kind for kind in kinds if f"tests/{kind}" not in "\n".join(names)] == []
    # One machine runs every test, each of the others these.
    run = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert SOME.relative_to(ROOT).as_posix() in run
    machines = [line for line in run.splitlines() if line.strip().startswith("step fresh ")]
    assert sum('"$some"' not in line for line in machines) == 1


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarm here")
def test_a_test_that_does_not_end_fails():
    with pytest.raises(pytest.fail.Exception), time_limit(0.05):
        time.sleep(60)
