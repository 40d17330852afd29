"""RUN.json: whole at any moment, refused when it is not, the same file whatever happened."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import time

import fake_rounds
import pytest
from fake_rounds import CHUNK, make_fake_job, make_state, play_everything, play_fake

from upcard.core.errors import RulesError
from upcard.rules.model import Rules
from upcard.simulation.document import (
    Keeper,
    find_differences,
    format_document,
    journal_path,
    load_run_document,
    make_document,
    read_state,
    save_document,
)
from upcard.simulation.job import RunError, VersionsDifferError
from upcard.simulation.run import Workers, resume_run, start_run
from upcard.simulation.run_state import Goal, JournalEntry
from upcard.simulation.tally import pack
from upcard.strategy.chart import Strategy
from upcard.strategy.count_system import load_system
from upcard.strategy.ramp import parse_ramp

WORKERS = Workers(count=2, play=play_fake)
RAMP = parse_ramp("-1:1 0:2 1:4", load_system("hi-lo"), decks=6)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.json"


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
    again = read_state(json.loads(format_document(document)))
    assert make_document(again) == document
    assert again.tally == state.tally
    assert again.points == state.points


def test_a_document_says_at_least_what_programs_ask_for():
    document = make_document(play_everything(2500))
    wanted = {"format", "version", "rounds", "ev", "standard_error", "rules", "seed", "tally"}
    assert wanted <= set(document)
    assert (document["format"], document["rounds"], document["seed"]) == ("upcard run", 2500, 1)
    assert list(document["progress"][-1]) == [2500, document["ev"], document["standard_error"]]


def test_a_run_that_was_not_begun_has_a_document_too(path):
    document = make_document(make_state(10))
    assert (document["rounds"], document["ev"], document["tally"]) == (0, None, None)
    save_document(path, document)
    assert read_state(load_run_document(path)).rounds == 0


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
    assert not journal_path(path).exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no run"),
        ("[]", "no run"),
        ("{}", "no run"),
        ('{"format": "upcard run", "format_version": 99}', "format version 99"),
        ('{"format": "upcard run", "format_version": 1}', "damaged"),
        ("\xff", "no run"),
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
        (".", "no ordinary file"),
        ("/dev/null", "no ordinary file"),
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


def test_folding_now_and_then_changes_nothing(path, tmp_path, monkeypatch):
    monkeypatch.setattr("upcard.simulation.document.FOLD_BYTES", 0)
    play_to(path, 7500)
    monkeypatch.undo()
    fresh = tmp_path / "fresh.json"
    play_to(fresh, 7500)
    assert path.read_bytes() == fresh.read_bytes()


def test_a_crash_between_folding_and_emptying_the_journal_does_no_harm(path, tmp_path):
    play_to(path, 7500)
    keeper, state = Keeper.resume(path)
    for chunk, size in ((2, CHUNK), (6, CHUNK), (7, 500), (8, CHUNK)):
        keeper._journal.add(JournalEntry(chunk, size, pack(play_fake(state.job, chunk, size))))
    keeper.close()
    before = path.read_bytes()
    go_on(path)
    assert path.read_bytes() == before
    assert not journal_path(path).exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "kills"), [(0, 2), *(pytest.param(seed, 8, marks=pytest.mark.slow) for seed in (1, 2))]
)
def test_a_run_that_is_killed_again_and_again_ends_as_if_undisturbed(tmp_path, seed, kills):
    path, rounds = tmp_path / "run.json", 400 * CHUNK + 5
    pauses = random.Random(seed)
    program = [sys.executable, fake_rounds.__file__, str(path), str(rounds)]
    done = []
    for kill in range(kills):
        before = measure(path)
        process = subprocess.Popen(program)
        if kill % 3:  # else it is killed while it starts
            while measure(path) <= before:
                time.sleep(0.002)
        time.sleep(pauses.uniform(0, 0.15))
        process.kill()
        process.wait()
        if path.exists():
            keeper, state = Keeper.resume(path)
            keeper.close()
            done.append(state.chunks + len(state.waiting))
    assert done == sorted(done)
    assert 0 < done[-1] < 400
    subprocess.run(program, check=True)
    fresh = tmp_path / "fresh.json"
    play_to(fresh, rounds)
    assert path.read_bytes() == fresh.read_bytes()
    assert sorted(tmp_path.iterdir()) == [fresh, path]


def measure(path):
    journal = journal_path(path)
    return max(200, journal.stat().st_size if journal.exists() else 0)  # beyond its first line


@pytest.mark.slow
def test_nothing_of_the_past_is_lost_in_a_kill(tmp_path):
    path = tmp_path / "run.json"
    program = [sys.executable, fake_rounds.__file__, str(path), str(10**6)]
    process = subprocess.Popen(program)
    journal = journal_path(path)
    while not journal.exists() or journal.stat().st_size < 10_000:
        time.sleep(0.005)
    process.kill()
    process.wait()
    lines = journal.read_bytes().count(b"\n") - 1
    keeper, state = Keeper.resume(path)
    keeper.close()
    assert state.chunks + len(state.waiting) == lines
