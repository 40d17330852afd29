"""Machine code is compiled ahead once, by one process, and only where something is lacking."""

import os
import subprocess
import sys

import pytest
from filelock import FileLock

from upcard.session import machine_code

JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


class Process:
    """A process that works until it is told to end."""

    pid = 0
    code = None

    def poll(self):
        return self.code


@pytest.fixture
def started(monkeypatch):
    """The commands that were started in the background."""
    commands = []

    def start(command, **_):
        commands.append(command)
        return Process()

    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(machine_code.os, "setpriority", lambda *_: None, raising=False)
    monkeypatch.setattr(machine_code, "_started", [])
    return commands


@pytest.fixture
def parts(tmp_path, monkeypatch):
    """Two parts to compile, whose machine code is a file each."""
    done = []
    places = [tmp_path / name for name in ("solver", "simulator")]

    def list_parts():
        for place in places:
            yield place.name, lambda place=place: (place.touch(), done.append(place.name))

    monkeypatch.setattr(machine_code, "_list_parts", list_parts)
    monkeypatch.setattr(machine_code, "_list_code", lambda: map(str, places))
    return places, done


def test_a_background_process_starts_once_and_is_told_while_it_works(saved_values, started):
    assert machine_code.compile_soon() == machine_code.NOTICE
    assert started == [[sys.executable, "-P", "-m", "upcard", "cache", "--compile"]]
    assert machine_code.compile_soon() == ""
    assert (len(started), machine_code.is_compiling()) == (1, True)
    machine_code._started[0].code = 0
    assert not machine_code.is_compiling()
    assert not saved_values.exists()


def test_on_windows_the_background_process_has_no_console_and_the_lowest_priority(
    saved_values, started, monkeypatch
):
    """Ctrl-C in the game reaches every process of its console."""
    options = []
    begin = subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda *words, **given: options.append(given) or begin(*words)
    )
    assert machine_code.compile_soon()
    assert options[0]["creationflags"] == 0
    machine_code._started.clear()
    monkeypatch.setattr(subprocess, "CREATE_NO_WINDOW", 0x08000000, raising=False)
    monkeypatch.setattr(subprocess, "IDLE_PRIORITY_CLASS", 0x40, raising=False)
    assert machine_code.compile_soon()
    assert options[1]["creationflags"] == 0x08000040


def test_nothing_starts_where_saved_values_are_off(started):
    assert (machine_code.compile_soon(), started) == ("", [])


def test_nothing_starts_until_machine_code_is_lacking(saved_values, started, parts):
    places, done = parts
    told = []
    assert machine_code.compile_now(told.append)
    assert told == done == ["solver", "simulator"]
    assert (machine_code.compile_soon(), started) == ("", [])
    places[1].unlink()  # as `make clean` does
    assert machine_code.compile_soon() == machine_code.NOTICE
    assert saved_values.exists()


def test_a_second_process_leaves_the_work_to_the_first(saved_values, parts):
    saved_values.mkdir()
    with FileLock(f"{machine_code._mark()}.lock"):
        assert not machine_code.compile_now(lambda _: None)
    assert parts[1] == []


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_commands_after_it_wait_for_no_compiler(tmp_path):
    places = {"NUMBA_CACHE_DIR": str(tmp_path / "jit"), "UPCARD_CACHE": str(tmp_path / "values")}

    def run(*words):
        command = [sys.executable, "-m", "upcard", *words]
        done = subprocess.run(
            command, env=os.environ | places, capture_output=True, check=True, text=True
        )
        return done.stderr

    assert "simulator" in run("cache", "--compile")
    assert run("edge", "--rules", "3D H17 NDAS") == ""
    assert run("simulate", "--rounds", "1000", "--count", "hi-lo", "--seed", "1") == ""
