"""Files that several programs use: written as a whole, and locked for one holder."""

import ast
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import upcard
from campaign.recording import Recorder
from upcard.core import shared_files
from upcard.core.shared_files import drop_lock, replace, take_lock, write_whole
from upcard.simulation.run_state import Keeper
from upcard.store.files import Lock

pytestmark = pytest.mark.usefixtures("usual_umask")
POSIX = pytest.mark.skipif(os.name == "nt", reason="modes and names of POSIX")


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


def fail():
    yield b"the beginning"
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("before", [None, b"", b"what was there"])
def test_a_file_that_cannot_be_written_whole_is_what_it_was(tmp_path, before):
    path = tmp_path / "x.csv"
    if before is not None:
        path.write_bytes(before)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, fail())
    assert [file.read_bytes() for file in tmp_path.iterdir()] == (
        [] if before is None else [before]
    )


@pytest.mark.skipif(sys.platform != "linux", reason="the recorder needs /proc")
@pytest.mark.parametrize("room", [0, 1, 50])
def test_a_full_disk_leaves_the_file_that_was_there(tmp_path, room):
    path = tmp_path / "x.csv"
    path.write_bytes(b"what was there")
    with Recorder(tmp_path, room=room), pytest.raises(OSError, match="No space"):
        write_whole(path, [b"x" * 100])
    assert [file.read_bytes() for file in tmp_path.iterdir()] == [b"what was there"]


def test_who_reads_sees_the_old_file_or_the_new_one(tmp_path):
    path = tmp_path / "x.csv"
    write_whole(path, [b"old"])
    with path.open("rb") as reader:
        if os.name != "nt":
            write_whole(path, [b"ne", b"w"])
        assert reader.read() == b"old"
    write_whole(path, [b"ne", b"w"])
    assert path.read_bytes() == b"new"


@POSIX
def test_a_new_file_has_the_usual_mode_and_one_that_is_replaced_keeps_its_own(tmp_path):
    write_whole(tmp_path / "new", [b"1"])
    write_whole(tmp_path / "private", [b"1"], 0o600)
    assert [mode_of(tmp_path / name) for name in ("new", "private")] == [0o644, 0o600]
    (tmp_path / "new").chmod(0o640)
    write_whole(tmp_path / "new", [b"2"])
    assert (mode_of(tmp_path / "new"), (tmp_path / "new").read_bytes()) == (0o640, b"2")


@POSIX
def test_a_link_and_a_second_name_still_lead_to_the_content(tmp_path):
    file, link, second = (tmp_path / name for name in ("file", "link", "second"))
    file.write_bytes(b"0")
    link.symlink_to(file)
    write_whole(link, [b"1"])
    assert (link.is_symlink(), file.read_bytes()) == (True, b"1")
    second.hardlink_to(file)
    write_whole(file, [b"2"])
    assert second.read_bytes() == b"2"
    (tmp_path / "to nothing").symlink_to(tmp_path / "made")
    write_whole(tmp_path / "to nothing", [b"3"])
    assert (tmp_path / "made").read_bytes() == b"3"


@POSIX
def test_a_pipe_and_a_stream_by_its_name_are_written_where_they_are(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, [b"a", b"b"])
    reader.join()
    assert found == [b"ab"]
    stream = "/dev/stdout" if Path("/dev/stdout").exists() else "/proc/self/fd/1"
    code = (
        "from upcard.core.shared_files import write_whole; from pathlib import Path\n"
        f"write_whole(Path('{stream}'), [b'words'])"
    )
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (tmp_path / "out").read_bytes() == b"words"
    assert subprocess.check_output([sys.executable, "-c", code]) == b"words"


@POSIX
def test_what_may_not_be_written_is_refused_by_its_own_name(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(tmp_path / "nowhere" / "x", [b"1"])
    assert caught.value.filename == str(tmp_path / "nowhere" / "x")
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path, [b"1"])


@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="root may write everywhere")
def test_a_file_in_a_folder_that_may_not_be_written_is_written_where_it_is(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"old")
    tmp_path.chmod(0o500)
    write_whole(path, [b"new"])
    tmp_path.chmod(0o700)
    assert path.read_bytes() == b"new"


def test_windows_is_asked_again_while_somebody_reads_the_file(tmp_path, monkeypatch):
    refused = []

    def refuse_twice(self, target):
        if len(refused) < 2:
            refused.append(target)
            raise PermissionError(13, "Access is denied")
        os.replace(self, target)  # noqa: PTH105 (what is patched calls it)

    monkeypatch.setattr(Path, "replace", refuse_twice)
    monkeypatch.setattr(shared_files, "_PAUSE_SECONDS", 0)
    (tmp_path / "new").touch()
    with pytest.raises(PermissionError):
        replace(tmp_path / "new", tmp_path / "x")
    monkeypatch.setattr(shared_files, "IS_WINDOWS", True)
    replace(tmp_path / "new", tmp_path / "x")
    assert len(refused) == 2
    assert (tmp_path / "x").exists()


@pytest.mark.parametrize("name", ["the same", "another"])
def test_a_file_that_is_locked_here_is_not_opened_again(tmp_path, monkeypatch, name):
    """On a network file system closing it would end the lock."""
    path = tmp_path / "lock"
    other = path if name == "the same" else tmp_path / "link"
    handle = take_lock(path)
    if other != path:
        other.symlink_to(path)
    monkeypatch.setattr(os, "open", None)
    assert take_lock(other) is None
    assert not Lock(other).take()
    monkeypatch.undo()
    drop_lock(handle, path)
    again = take_lock(path)
    assert again is not None
    drop_lock(again, path)
    assert not path.exists()


def test_locks_of_runs_and_tables_know_of_each_other(tmp_path):
    keeper = Keeper(tmp_path / "run.json")
    assert take_lock(tmp_path / "run.json.part") is None
    keeper.close()
    assert list(tmp_path.iterdir()) == []


MAY_WRITE = {
    "core/shared_files.py": "it is the place where files are written",
    "simulation/run_state.py": "a run's file is synced together with its folder, under its lock",
    "cache/recall.py": "names of parts that a later start removes",
    "web/showing.py": "a template is compiled again if it is lost",
    "web/run.py": "a new file that is removed at the end",
    "answers/league/player_process.py": "what a player prints, as it comes; removed at the end",
}


@pytest.mark.slow
def test_files_are_written_in_one_place():
    """A file that is opened to be written is empty until it has been written."""
    package = Path(upcard.__file__).parent
    found = set()
    for module in package.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _writes(node):
                found.add(module.relative_to(package).as_posix())
    assert found == set(MAY_WRITE)


def _writes(call):
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name in {"write_text", "write_bytes", "NamedTemporaryFile"}:
        # The charts have a function of this name, which writes SVG.
        return isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) != "render"
    if name not in {"open", "fdopen"}:
        return False
    modes = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
    modes += [word.value.value for word in call.keywords if isinstance(word.value, ast.Constant)]
    return any(isinstance(mode, str) and set(mode) <= set("wabx+") and mode for mode in modes)


@pytest.mark.slow
def test_every_file_is_replaced_in_one_place():
    """A path's `replace` and `rename` have one argument, text's and a data class's have more."""
    source = Path(upcard.__file__).parent
    found = {
        f"{file.relative_to(source).as_posix()}:{node.lineno}"
        for file in source.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and ast.unparse(node.func.value) != "self"
        and (
            (node.func.attr in ("replace", "rename") and len(node.args) == 1 and not node.keywords)
            or ast.unparse(node.func) in ("os.replace", "os.rename", "os.renames", "shutil.move")
        )
    }
    assert {place.partition(":")[0] for place in found} == {"core/shared_files.py"}
