"""A kernel of Jupyter: progress below the cell, and what its stop button leaves."""

import nbformat
import pytest
from nbclient import NotebookClient

STOP = "import os, signal, sys, threading\nstop = lambda: os.kill(os.getpid(), signal.SIGINT)\n"
FIRST = (
    "import sys, upcard\nassert 'IPython' in sys.modules\n"
    "run = upcard.simulate('6D', rounds='2M', seed=1); print(type(sys.stderr).__module__)"
)


def after_first_report(task):
    """Return code that stops the cell, as the button does, at the second report of a task."""
    return (
        f"{STOP}from upcard.core import long_work\n"
        "def hear(report):\n"
        "    upcard._show(report)\n"
        f"    if report.task == {task!r} and report.done and not report.is_over:\n"
        "        seen.append(report)\n"
        "        if len(seen) == 2: stop()\n"
        "seen = []; long_work.listen(hear); long_work.REPORT_SECONDS = 0.2\n"
    )


def run_cells(*cells):
    """Run cells in a kernel; return the texts of each by stream, and the error's."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in cells])
    NotebookClient(notebook, timeout=300, kernel_name="python3", allow_errors=True).execute()
    found = []
    for cell in notebook.cells:
        texts = {"stdout": "", "stderr": "", "error": ""}
        for output in cell.outputs:
            if output.output_type == "error":
                texts["error"] += f"{output.ename}: {output.evalue}"
            else:
                texts[output.name] += output.text
        found.append(texts)
    return found


@pytest.mark.slow
def test_a_stopped_run_is_shown_and_played_to_its_end():
    first, stopped, rest = run_cells(
        FIRST,
        after_first_report("simulation") + "upcard.simulate('6D', rounds='200M', seed=1)",
        "run = sys.last_value.run; before = run.rounds\n"
        "assert upcard.resume(run) is run and before < run.rounds == 200_000_000\n"
        "assert run.tally == upcard.simulate('6D', rounds='200M', seed=1, watch=id).tally",
    )
    assert first["stdout"] == "ipykernel.iostream\n"
    assert "\rSimulation: " in stopped["stderr"]
    assert stopped["stderr"].rpartition("\r")[0].endswith(" " * 20)  # the line is taken away
    assert stopped["error"].startswith("RunInterruptedError: interrupted after ")
    assert "import sys; run = upcard.resume(sys.last_value.run)" in stopped["error"]
    assert rest["error"] == ""


@pytest.mark.slow
def test_a_stopped_run_with_a_file_names_it(tmp_path):
    path = tmp_path / "run.json"
    simulate = f"upcard.simulate('6D', rounds='2G', seed=1, output={str(path)!r})"
    _, stopped, rest = run_cells(
        FIRST,
        after_first_report("simulation") + simulate,
        "assert sys.last_value.run.rounds\nlong_work.listen(None)\n"
        f"run = upcard.resume({str(path)!r}, until='1%'); print(run.rounds >= 1_000_000)",
    )
    assert f"run = upcard.resume({str(path)!r})" in stopped["error"]
    assert (rest["error"], rest["stdout"]) == ("", "True\n")


@pytest.mark.slow
def test_stopped_indices_are_those_of_the_rounds_so_far():
    _, stopped, rest = run_cells(
        FIRST,
        after_first_report("indices").replace("report.done", "report.about == 'simulation'")
        + "upcard.indices('6D LS', plays='i18', rounds='1G', seed=1)",
        "found = sys.last_value.indices\n"
        "again = upcard.indices('6D LS', plays='i18', rounds=found.rounds, seed=1)\n"
        "print([row.exact for row in found.rows] == [row.exact for row in again.rows])\n"
        "print(0 < found.rounds < 10**9, found.rows[0].simulated.rounds > 0)",
    )
    assert "\rIndices: " in stopped["stderr"]
    assert stopped["error"].startswith("IndicesInterruptedError: interrupted after ")
    assert (rest["error"], rest["stdout"]) == ("", "True\nTrue True\n")


@pytest.mark.slow
def test_splits_that_were_done_are_not_computed_again():
    _, stopped, rest = run_cells(
        FIRST,
        after_first_report("full memory") + "upcard.expected_value('1D SP3', splits='full')",
        "from upcard.exact.full_memory import values\nprint(len(values._known))",
    )
    assert "\rFull memory: " in stopped["stderr"]
    assert "the same call continues with the others" in stopped["error"]
    done = int(stopped["error"].split(" after ")[1].split()[0])
    assert (rest["error"], rest["stdout"]) == ("", f"{done}\n")
