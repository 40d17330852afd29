"""The folder of saved values: damage, kills, other processes, no room: never an error."""

import errno
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from upcard.cache import exact as cached
from upcard.cache import recall as folder_module
from upcard.cache.entry import SavedQuestion, read_entry, write_content, write_entry
from upcard.cache.recall import CacheFolder, open_folder, recall
from upcard.rules.model import Rules

STAMP = "0123456789abcdef"
RULES = Rules.parse("INF D9 7:5")  # never shipped
posix = pytest.mark.skipif(os.name == "nt", reason="modes and signals of POSIX")


class Asked:
    """A question that counts how often it is computed."""

    def __init__(self, number=0.5, asked=0):
        self.times = 0
        self.number = number
        self.question = SavedQuestion("game", RULES, (asked,), float, self.compute)

    def compute(self):
        self.times += 1
        return self.number


def damage(data, rng):
    """Flip, drop, repeat or cut bytes."""
    changed = bytearray(data)
    at = rng.randrange(len(changed))
    match rng.randrange(5):
        case 0:
            changed[at] ^= rng.randint(1, 255)
        case 1:
            del changed[at : at + rng.randint(1, 40)]
        case 2:
            changed[at:at] = rng.randbytes(rng.randint(1, 40))
        case 3:
            del changed[at:]
        case 4:
            changed[at:] = bytes(len(changed) - at)
    return bytes(changed)


def test_a_damaged_value_is_computed_again_and_replaced(saved_values):
    rng = random.Random(2)
    asked = Asked()
    recall(asked.question)
    (file,) = saved_values.glob("*.saved")
    whole = file.read_bytes()
    for times in range(2, 100):
        changed = damage(whole, rng)
        if changed == whole:
            changed = b""
        file.write_bytes(changed)
        assert recall(asked.question) == 0.5
        assert asked.times == times
        assert file.read_bytes() == whole
    assert recall(asked.question) == 0.5
    assert asked.times == 99


def test_the_value_of_another_question_in_its_place_is_not_read(saved_values):
    one, other = Asked(1.0, 1), Asked(2.0, 2)
    recall(one.question)
    (file,) = saved_values.glob("*.saved")
    entry = write_entry(other.question, write_content(other.question, 2.0))
    assert read_entry(other.question, entry) == 2.0
    file.write_bytes(entry)
    assert recall(one.question) == 1.0
    assert one.times == 2


@posix
@pytest.mark.parametrize("kind", ["folder", "large"])
def test_only_a_small_file_is_read(saved_values, kind):
    asked = Asked()
    recall(asked.question)
    (file,) = saved_values.glob("*.saved")
    file.unlink()
    if kind == "folder":
        file.mkdir()
    else:
        file.write_bytes(bytes(2**20 + 1))
    assert recall(asked.question) == 0.5
    assert asked.times == 2
    recall(asked.question)
    assert asked.times == (3 if kind == "folder" else 2)


@posix
def test_others_cannot_read_what_is_saved(saved_values):
    recall(Asked().question)
    (file,) = saved_values.glob("*.saved")
    assert file.stat().st_mode & 0o777 == 0o600
    assert saved_values.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("reason", [errno.EROFS, errno.EACCES, errno.ENOSPC])
def test_a_folder_that_takes_no_file_is_no_error(saved_values, monkeypatch, reason):
    asked = Asked()
    recall(asked.question)
    other = Asked(0.25, 1)
    whole = os.open

    def refuse(path, flags, *mode):
        if flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(reason, os.strerror(reason), path)
        return whole(path, flags, *mode)

    monkeypatch.setattr(os, "open", refuse)
    for _ in range(2):
        assert recall(asked.question) == 0.5  # what is there is read
        assert recall(other.question) == 0.25
    assert (asked.times, other.times) == (1, 2)


def test_a_disk_that_is_full_in_the_middle_of_a_value_keeps_nothing_of_it(
    saved_values, monkeypatch
):
    saved_values.mkdir()
    whole = os.fdopen

    class Full:
        def __init__(self, file, mode):
            self.stream = whole(file, mode)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.stream.close()

        def write(self, data):
            self.stream.write(data[:7])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fdopen", Full)
    assert recall(Asked().question) == 0.5
    assert list(saved_values.iterdir()) == []


def test_a_value_has_its_bytes_before_its_name(saved_values, monkeypatch):
    """Another process that reads it in that moment sees all of it."""
    named, rename = [], Path.replace

    def note(part, target):
        named.append((part.stat().st_size, target))
        return rename(part, target)

    monkeypatch.setattr(Path, "replace", note)
    assert recall(Asked().question) == 0.5
    ((size, target),) = named
    assert size == target.stat().st_size > 0


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path / "file" / "below"))
    assert recall(Asked().question) == 0.5
    assert open_folder().list_files() == []
    assert open_folder().clear() == []


def test_all_together_take_a_bounded_room_and_those_not_used_for_longest_leave(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(folder_module, "MOST_BYTES", 10 * 4096)
    folder = CacheFolder(tmp_path / "values", STAMP)
    names = [f"game-{number:040x}" for number in range(10)]
    for age, name in enumerate(names):
        folder.write(name, b"x" * 100)
        file = folder.path / f"{name}-{STAMP}.saved"
        os.utime(file, (1000 + age, 1000 + age))
    assert folder.read(names[0]) == b"x" * 100  # used last now
    for number in range(10, 14):
        folder.write(f"game-{number:040x}", b"y" * 4000)
        assert sum(file.room for file in folder.list_files()) <= 10 * 4096
    assert folder.read(names[0]) is not None
    assert [folder.read(name) for name in names[1:5]] == [None] * 4
    assert folder.read(names[5]) is not None
    folder.write("game-" + "f" * 40, b"z" * 4096 * 9)
    kept = {file.path.name[:6] for file in folder.list_files()}
    assert "game-f" in kept
    assert len(folder.list_files()) == 2


def test_unfinished_files_of_killed_processes_are_deleted_after_an_hour(tmp_path):
    folder = CacheFolder(tmp_path, STAMP)
    old, new, other = (tmp_path / name for name in ("0" * 16 + ".part", "1" * 16 + ".part", "mine"))
    for file in (old, new, other):
        file.write_bytes(b"")
    os.utime(old, (1000, 1000))
    os.utime(other, (1000, 1000))
    folder.write("game-" + "0" * 40, b"x")
    assert not old.exists()
    assert new.exists()
    assert other.exists()


def test_clearing_deletes_what_upcard_saved_and_nothing_else(saved_values):
    for number in range(3):
        recall(Asked(asked=number).question)
        recall(Asked(asked=number).question)
    (saved_values / "mine.txt").write_text("")
    assert len(open_folder().clear()) == 3
    assert [file.name for file in saved_values.iterdir()] == ["mine.txt"]
    (saved_values / "mine.txt").unlink()
    assert open_folder().clear() == []
    assert not saved_values.exists()


ASK = """
import sys
from upcard.cache.entry import SavedQuestion
from upcard.cache.recall import recall
from upcard.rules.model import Rules
rules = Rules.parse("INF")
for turn in range(int(sys.argv[1])):
    for number in range(40):
        value = tuple(number / (1 + one) for one in range(2000))
        question = SavedQuestion("game", rules, (number,), tuple[float, ...], lambda: value)
        assert recall(question) == value, number
        print(number, flush=True)
        if turn % 2 and "clear" in sys.argv:
            from upcard.cache.recall import open_folder
            open_folder().clear()
"""


def start(turns, *words):
    return subprocess.Popen(
        [sys.executable, "-c", ASK, str(turns), *words], stdout=subprocess.PIPE, text=True
    )


def check_all(saved_values):
    """Check that every saved file is whole."""
    files = list(saved_values.glob("*.saved"))
    for file in files:
        assert file.read_bytes().endswith(b"]}\n")
    return len(files)


@posix
def test_a_process_that_is_killed_while_it_saves_leaves_whole_values_only(saved_values):
    rng = random.Random(4)
    saved = []
    for _ in range(3):
        with start(100) as process:
            for _ in range(rng.randint(1, 30)):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        saved.append(check_all(saved_values))
    assert saved[-1] > 0
    process = start(1)
    process.communicate()
    assert process.returncode == 0
    assert check_all(saved_values) == 40


@pytest.mark.slow
def test_several_processes_at_once_get_the_right_values(saved_values):
    processes = [start(6), start(6), start(4, "clear")]
    for process in processes:
        process.communicate()
    assert [process.returncode for process in processes] == [0, 0, 0]
    check_all(saved_values)


def test_the_solvers_are_asked_through_the_folder(saved_values):
    before = cached.expected_value(RULES)
    assert [file.kind for file in open_folder().list_files()] == ["game"]
    assert cached.expected_value(RULES) == before
