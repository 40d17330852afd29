"""RUN.json: whole at any moment, refused when it is not, the same file whatever happened."""

from __future__ import annotations

import errno
import json
import os
import random
import re
import subprocess
import sys
import time

import fake_rounds
import pytest
from fake_rounds import CHUNK, make_fake_job, make_state, play_everything, play_fake

from campaign.recording import Recorder
from upcard.core.errors import RulesError
from upcard.rules.model import Rules
from upcard.simulation.job import RunError, VersionsDifferError
from upcard.simulation.run import Workers, resume_run, start_run
from upcard.simulation.run_state import (
    Goal,
    Keeper,
    find_differences,
    format_document,
    list_run_files,
    load_run_document,
    make_document,
    restore_run,
    save_document,
)
from upcard.strategy.chart import Strategy
from upcard.strategy.count_system import load_system
from upcard.strategy.ramp import parse_ramp

WORKERS = Workers(count=2, play=play_fake)
RAMP = parse_ramp("-1:1 0:2 1:4", load_system("hi-lo"), decks=6)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.json"


def lock_of(path):
    return path.with_name(f"{path.name}.part")


def play_to(path, rounds, **options):
    return start_run(make_state(rounds, **options), WORKERS, output=path)


def extend(path, rounds=None, *, until=None):
    return resume_run(path, WORKERS, lambda _: Goal(rounds=rounds, until=until))


def go_on(path):
    return resume_run(path, WORKERS, lambda state: state.goal)


@pytest.mark.parametrize("rounds", [1, CHUNK, 3 * CHUNK + 1])
@pytest.mark.parametrize("counts", [False, True])
def test_a_document_reads_back_as_the_same_run(rounds, counts):
    state = play_everything(rounds, job=make_fake_job(counts=counts), ramp=RAMP if counts else None)
    document = make_document(state)
    again = restore_run(json.loads(format_document(document)))
    assert make_document(again) == document
    assert again.total() == state.total()
    assert again.points == state.points


def test_a_document_says_at_least_what_programs_ask_for():
    document = make_document(play_everything(2500))
    wanted = {"format", "version", "rounds", "ev", "standard_error", "rules", "seed", "tally"}
    assert wanted <= set(document)
    assert (document["format"], document["rounds"], document["seed"]) == ("upcard run", 2500, 1)
    assert list(document["progress"][-1]) == [2500, document["ev"], document["standard_error"]]
    assert document["names"]["progress"] == ["rounds", "ev", "standard_error"]
    assert len(document["names"]["tally.cells"]) == len(document["tally"]["cells"][0])


def test_a_run_that_was_not_begun_has_a_document_too(path):
    document = make_document(make_state(10))
    assert (document["rounds"], document["ev"], document["tally"]) == (0, None, None)
    save_document(path, document)
    assert restore_run(load_run_document(path)).rounds == 0


def test_a_run_without_a_seated_round_has_no_ev():
    job = make_fake_job(counts=True, enter=9)
    document = make_document(play_everything(2000, job=job))
    assert (document["rounds"], document["rounds_played"], document["ev"]) == (2000, 0, None)
    assert document["house_edge"] is not None
    format_document(document)  # JSON has no NaN


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("first", [1, 999, 1000, 1001, 2500])
@pytest.mark.parametrize("total", [2501, 3000, 5700])
def test_an_extended_run_is_the_run_of_the_total(tmp_path, first, total):
    extended, fresh = tmp_path / "extended.json", tmp_path / "fresh.json"
    play_to(extended, first)
    extend(extended, total)
    play_to(fresh, total)
    assert extended.read_bytes() == fresh.read_bytes()
    assert sorted(tmp_path.iterdir()) == [extended, fresh]


def test_a_run_until_an_error_can_go_on_to_a_smaller_one(tmp_path):
    extended, fresh = tmp_path / "extended.json", tmp_path / "fresh.json"
    play_to(extended, None, until=0.02)
    extend(extended, until=0.01)
    play_to(fresh, None, until=0.01)
    assert extended.read_bytes() == fresh.read_bytes()


def test_output_that_holds_the_same_run_is_gone_on_with(path):
    play_to(path, 2500)
    before = path.read_bytes()
    assert play_to(path, 2500).rounds == 2500
    assert path.read_bytes() == before
    assert play_to(path, 4000).rounds == 4000


def test_rounds_are_not_thrown_away(path):
    play_to(path, 2500)
    before = path.read_bytes()
    with pytest.raises(RulesError, match="holds 2,500 rounds of this run, more than the 1,000"):
        play_to(path, 1000)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": 2}, "seed 1 there, 2 here"),
        ({"rules": Rules.parse("8D")}, "rules 6D .* there, 8D .* here"),
        ({"spots": 3}, "spots 1 there, 3 here"),
        ({"strategy": Strategy(cells=(("H",) * 10,) * 33)}, "the chart is another"),
        ({"system": load_system("ko")}, "the counting system is in one of them only"),
    ],
)
def test_another_run_is_not_written_over(path, changes, words):
    play_to(path, 2500)
    before = path.read_bytes()
    job = make_fake_job().replace(**changes)
    with pytest.raises(RunError, match=f"holds another run: {words}"):
        play_to(path, 2500, job=job)
    assert path.read_bytes() == before


def test_another_ramp_is_another_run(path):
    job = make_fake_job(counts=True)
    play_to(path, 2500, job=job)
    with pytest.raises(RunError, match="ramp none there, -1:1 0:2 1:4 here"):
        play_to(path, 2500, job=job, ramp=RAMP)


def test_names_and_titles_make_no_other_run():
    job = make_fake_job()
    other = job.replace(
        rules=Rules(name="my house"), strategy=Strategy(cells=job.strategy.cells, title="mine")
    )
    assert find_differences(job, other) == []


@pytest.mark.fast_cases(9)
@pytest.mark.parametrize("place", range(20))
def test_a_file_that_was_damaged_anywhere_is_refused_and_left_alone(path, place):
    play_to(path, 2500)
    text = path.read_text(encoding="utf-8")
    digits = [match.start() for match in re.finditer(r"\d", text)]
    at = digits[place * (len(digits) - 1) // 19]
    damaged = text[:at] + ("8" if text[at] != "8" else "3") + text[at + 1 :]
    path.write_text(damaged, encoding="utf-8")
    with pytest.raises(RunError, match=r"damaged|no run|format version"):
        go_on(path)
    with pytest.raises(RunError, match=r"damaged|no run|format version"):
        play_to(path, 2500)
    assert path.read_text(encoding="utf-8") == damaged
    assert not lock_of(path).exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a run"),
        ("[]", "not a run"),
        ("{}", "not a run"),
        ('{"format": "upcard run", "format_version": 99}', "format version 99"),
        (
            '{"format": "upcard run", "format_version": 1}',
            "format version 1; this",
        ),
        ('{"format": "upcard run", "format_version": 2}', "damaged"),
        ("\xff", "not a run"),
    ],
)
def test_a_file_that_is_no_run_is_refused_and_left_alone(path, text, words):
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(RunError, match=words):
        play_to(path, 2500)
    assert path.read_bytes() == text.encode("latin-1")


def test_a_run_of_another_version_is_refused_and_left_alone(path):
    state = play_everything(2500, job=make_fake_job().replace(version="0.0.1"))
    save_document(path, make_document(state))
    before = path.read_bytes()
    with pytest.raises(VersionsDifferError, match=r"made by upcard 0\.0\.1 .* not mixed"):
        go_on(path)
    assert path.read_bytes() == before
    assert load_run_document(path)["version"] == "0.0.1"  # read, it can be


def test_a_file_in_use_is_refused(path):
    play_to(path, 2500)
    keeper, _ = Keeper.resume(path)
    with pytest.raises(RunError, match="another process is playing this run"):
        go_on(path)
    keeper.close()
    go_on(path)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("nowhere/run.json", "there is no folder"),
        (".", "not an ordinary file"),
        ("/dev/null", "not an ordinary file"),
    ],
)
def test_a_place_for_no_file_is_refused(tmp_path, place, words):
    with pytest.raises(RunError, match=words):
        play_to(tmp_path / place, 2500)


def test_a_run_is_kept_behind_a_link(tmp_path, path):
    link = tmp_path / "link.json"
    link.symlink_to(path)
    play_to(link, 2500)
    assert link.is_symlink()
    assert load_run_document(path)["rounds"] == 2500


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr("upcard.simulation.run_state.time", clock)
    return clock


def test_a_chunk_is_saved_within_a_second(path, clock):
    run = make_state(9 * CHUNK)
    keeper = Keeper.start(path, run)
    saved = []
    for chunk, clock.now in enumerate((0.4, 0.9, 1.0, 1.3, 1.9, 2.5)):
        run.receive(chunk, play_fake(run.job, chunk, CHUNK))
        keeper.keep(run)
        saved.append(load_run_document(path)["chunks"]["done"])
    assert saved == [0, 0, 3, 3, 3, 6]
    assert keeper.seconds_left is None
    clock.now = 2.75
    run.receive(6, play_fake(run.job, 6, CHUNK))
    keeper.keep(run)
    assert keeper.seconds_left == pytest.approx(0.75)
    keeper.save_rest(run)
    assert load_run_document(path)["chunks"]["done"] == 7
    assert keeper.seconds_left is None
    keeper.close()


def test_a_chunk_is_saved_although_the_next_one_takes_long(path):
    """The loop wakes up to save a chunk: the next one ends only when it finds that in the file."""
    found = []

    def play_and_look(job, chunk, rounds):
        if chunk == 1:
            end = time.monotonic() + 9
            while not found and time.monotonic() < end:
                found.extend([1] * (load_run_document(path)["chunks"]["done"] == 1))
                time.sleep(0.01)
        return play_fake(job, chunk, rounds)

    start_run(make_state(2 * CHUNK), Workers(count=1, play=play_and_look), output=path)
    assert found


def test_chunks_that_wait_for_an_earlier_one_are_played_again(path, tmp_path):
    run = make_state(7500)
    keeper = Keeper.start(path, run)
    for chunk in (0, 1, 3):
        run.receive(chunk, play_fake(run.job, chunk, CHUNK))
    keeper.save(run)
    keeper.close()
    assert load_run_document(path)["chunks"]["done"] == 2
    go_on(path)
    fresh = tmp_path / "fresh.json"
    play_to(fresh, 7500)
    assert path.read_bytes() == fresh.read_bytes()


def test_the_lock_is_free_only_once_the_file_is_whole(path, monkeypatch):
    """Whoever has it next reads what the previous owner left."""
    closed = []
    close = Keeper.close

    def look_and_close(keeper):
        closed.append(load_run_document(path)["chunks"]["done"])
        assert lock_of(path).exists()
        close(keeper)

    monkeypatch.setattr(Keeper, "close", look_and_close)
    play_to(path, 7500)
    assert closed == [8]
    assert not lock_of(path).exists()


def test_a_file_with_the_name_of_the_lock_is_left_alone(path):
    lock_of(path).write_text("a download", encoding="utf-8")
    play_to(path, 2500)
    assert lock_of(path).read_text(encoding="utf-8") == "a download"


def test_a_file_and_its_name_are_on_the_disk_when_it_is_saved(path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino))
    save_document(path, make_document(make_state(CHUNK)))
    assert synced == [path.stat().st_ino, path.parent.stat().st_ino]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "kills"), [(0, 2), (1, 5)])
def test_a_run_that_is_killed_again_and_again_ends_as_if_undisturbed(tmp_path, seed, kills):
    # Three workers play 300 chunks a second, and the file is written every second.
    path, chunks = tmp_path / "run.json", 600 * kills
    rounds = chunks * CHUNK + 5
    pauses = random.Random(seed)
    program = [sys.executable, fake_rounds.__file__, str(path), str(rounds)]
    done = []
    for kill in range(kills):
        before = measure(path)
        process = subprocess.Popen(program)
        if kill % 3:  # else it is killed while it starts
            while measure(path) <= before:
                assert process.poll() is None, "the run ended before it was killed"
                time.sleep(0.002)
        time.sleep(pauses.uniform(0, 0.15))
        process.kill()
        process.wait()
        if path.exists():
            keeper, state = Keeper.resume(path)
            keeper.close()
            done.append(state.chunks)
    assert done == sorted(done)
    assert 0 < done[-1] < chunks
    subprocess.run(program, check=True)
    fresh = tmp_path / "fresh.json"
    play_to(fresh, rounds)
    assert path.read_bytes() == fresh.read_bytes()
    assert sorted(tmp_path.iterdir()) == [fresh, path]


def measure(path):
    return load_run_document(path)["chunks"]["done"] if path.exists() else 0


@pytest.mark.slow
def test_a_kill_loses_no_more_than_a_second(tmp_path):
    path = tmp_path / "run.json"
    process = subprocess.Popen([sys.executable, fake_rounds.__file__, str(path), str(10**6)])
    while measure(path) < 10:
        assert process.poll() is None
        time.sleep(0.005)
    before = measure(path)
    time.sleep(2)  # for a machine under load; about a second would do
    process.kill()
    process.wait()
    assert measure(path) > before
    keeper, run = Keeper.resume(path)
    keeper.close()
    assert run.chunks == measure(path)


def test_what_a_full_disk_cut_off_is_removed(path, monkeypatch):
    run = path
    save_document(run, make_document(make_state(2 * CHUNK)))
    before = run.read_bytes()

    def refuse(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(RunError, match="No space left"):
        save_document(run, make_document(make_state(CHUNK)))
    assert [one.name for one in run.parent.iterdir()] == ["run.json"]
    assert run.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="the layer needs /proc")
def test_a_run_outlasts_a_power_cut_at_every_moment(tmp_path):
    """RUN.json is whole, and has all chunks with which it was saved."""
    state, place = make_state(3 * CHUNK), tmp_path / "recorded" / "run.json"
    place.parent.mkdir()
    with Recorder(place.parent) as recorder:
        keeper = Keeper.start(place, state)
        for chunk in range(3):
            state.receive(chunk, play_fake(state.job, chunk, CHUNK))
            keeper.save(state)
            recorder.say(chunk + 1)
        keeper.close()
    for until in recorder.tape.find_risky():
        promised = [int(chunks) for (chunks,) in recorder.tape.said(until)]
        for seed in range(5):
            folder = tmp_path / f"{until}-{seed}"
            folder.mkdir()
            recorder.tape.cut(until, random.Random(seed), folder)
            if promised or (folder / "run.json").exists():
                again, found = Keeper.resume(folder / "run.json")
                again.close()
                assert found.chunks >= max(promised, default=0)


def test_files_that_no_run_of_the_lab_has_the_name_of_are_not_listed(tmp_path):
    for name in ("good-1", "my run", ".hidden", "x" * 65):
        (tmp_path / f"{name}.json").write_text("{}")
    assert [file.stem for _, file in list_run_files(tmp_path)] == ["good-1"]
