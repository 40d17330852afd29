"""S3-4: whatever a RUN.json holds, its readers refuse it with one error, or take it is."""

from __future__ import annotations

import contextlib
import copy
import json
import random
import re

import pytest
from fake_rounds import CHUNK, make_fake_job, make_state, play_everything, play_fake

from upcard.analysis.count_rows import read_run
from upcard.analysis.ramp_plan import RampQuestion, make_plans
from upcard.core.errors import BlackjackError
from upcard.simulation import run_state
from upcard.simulation.job import RunError
from upcard.simulation.run_state import (
    Keeper,
    format_document,
    load_run_document,
    make_document,
)
from upcard.strategy.count_system import load_system
from upcard.strategy.deviations import Deviations
from upcard.strategy.ramp import parse_ramp

HI_LO = load_system("hi-lo")
RAMP = parse_ramp("-1:1 0:2 1:4", HI_LO, decks=6)
REFUSED = r"is damaged or was edited|is not a run"
VALUES = [
    *(None, True, 0, 1, -1, 2, 7, 1.5, 1e308, 10**9, 10**30, -(10**30)),
    *("", "x", "a" * 300, "~nobody7/x", "/", "1-8", "0:0", "2:1e99999999", "6D", "\ud800", "a\nb"),
    *([], [[]], {}, {"x": 1}, [1, 2, 3], [10**9] * 4, [8, 2, 10**9, 10**9]),
]


def make_run():
    """Make the document of a run that is under way, with everything in it that can be."""
    job = make_fake_job(counts=True, deviations=Deviations.parse("16 v T S >= 0"))
    state = make_state(9 * CHUNK + 1, job=job, ramp=RAMP)
    for chunk in (0, 1, 2):
        state.receive(chunk, play_fake(job, chunk, CHUNK))
    return json.loads(format_document(make_document(state)))


RUN = make_run()
FINISHED = json.loads(
    format_document(make_document(play_everything(2501, job=make_fake_job(counts=True), ramp=RAMP)))
)


def write(path, document):
    """Write a document with the checksum that it must have."""
    document["checksum"] = run_state._checksum(document)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def use(path):
    """Read a run in every way; continue with it, as far as that plays no round."""
    run = read_run(path)
    make_plans(run.game, RampQuestion(ramp=run.ramp, bankroll=1000.0, unit=1.0))
    keeper, state = Keeper.resume(path)
    try:
        keeper.save(state)
    finally:
        keeper.close()


def places(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        if isinstance(inner, dict | list):
            yield from places(inner, (*path, key))
        else:
            yield (*path, key)


def change(document, path, value, *, removes=False):
    changed = copy.deepcopy(document)
    part = changed
    for key in path[:-1]:
        part = part[key]
    if removes:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    return changed


def test_the_documents_that_are_changed_here_can_be_used(tmp_path):
    for document in (RUN, FINISHED):
        use(write(tmp_path / f"{document['rounds']}.json", document))


@pytest.mark.parametrize("document", [RUN, FINISHED], ids=["under way", "finished"])
@pytest.mark.parametrize("number", [40, pytest.param(600, marks=pytest.mark.slow)])
def test_whatever_is_changed_in_a_run_ends_in_one_error_or_none(number, document, tmp_path):
    rng = random.Random(number)
    # A part is as likely to be hit as its single numbers.
    every = sorted(places(document), key=len)
    short = [path for path in every if 0 < len(path) < 3]
    for _ in range(number):
        path = rng.choice(short if rng.random() < 0.7 else every[1:])
        changed = change(document, path, rng.choice(VALUES), removes=rng.random() < 0.2)
        place = write(tmp_path / "run.json", changed)
        with contextlib.suppress(BlackjackError):
            use(place)
        (tmp_path / "run.json.part").unlink(missing_ok=True)


CHANGES = {
    "no system, but a number": (("job", "system"), 7, "'system' cannot be 7"),
    "no job": (("job",), None, "'job' cannot be None"),
    "no tally": (("tally",), 5, "'tally' cannot be 5"),
    "chunks of no rounds": (("job", "chunk_rounds"), 0, "chunks of 0 rounds"),
    "a unit that divides by 0": (("tally", "unit"), 0, "'unit' cannot be 0"),
    "a tally for all memory": (("tally", "shape"), [8, 2, 10**9, 10**9], "shape|size"),
    "a system of nonsense": (("job", "system"), "a" * 300, "system"),
    "a ramp as long as a file name": (("ramp",), "a" * 300, "ramp"),
    "a house in a file": (("job", "rules"), "~nobody7/x.toml H17", "rules name a file"),
    "a ramp in a file": (("ramp",), "/etc/passwd", "not a count and a bet"),
    "rounds that nobody played": (("chunks", "done"), 400, "different numbers of rounds"),
}


@pytest.mark.parametrize(("path", "value", "told"), CHANGES.values(), ids=CHANGES)
def test_a_part_that_cannot_be_is_named(path, value, told, tmp_path):
    place = write(tmp_path / "run.json", change(RUN, path, value))
    with pytest.raises(RunError, match=told):
        Keeper.resume(place)
    if path[0] != "chunks":  # bets need no chunks
        with pytest.raises(RunError, match=f"cannot use the run '{re.escape(str(place))}'.*{told}"):
            read_run(place)


@pytest.mark.parametrize("key", ["job", "tally", "goal", "chunks", "progress", "ramp"])
def test_a_part_that_is_missing_is_named(key, tmp_path):
    place = write(tmp_path / "run.json", change(RUN, (key,), None, removes=True))
    with pytest.raises(RunError, match=f"'{key}' is missing"):
        Keeper.resume(place)


@pytest.mark.parametrize("number", ["Infinity", "-Infinity", "NaN", "1e999", "9" * 5000])
def test_a_number_that_json_has_not_is_refused(number, tmp_path):
    text = format_document(RUN)
    path = tmp_path / "run.json"
    path.write_text(re.sub(r'"ev": [^,]+,', f'"ev": {number},', text, count=1), encoding="utf-8")
    with pytest.raises(RunError, match=REFUSED):
        load_run_document(path)


@pytest.mark.parametrize("depth", [500, 990, 2000, 200_000])
def test_brackets_however_deep_are_refused(depth, tmp_path):
    path = tmp_path / "run.json"
    path.write_text("[" * depth + "]" * depth, encoding="utf-8")
    with pytest.raises(RunError, match="is not a run"):
        load_run_document(path)
    path.write_text(
        format_document(RUN).replace('"ev": ', f'"x": {"[" * depth + "]" * depth},\n"ev": ', 1),
        encoding="utf-8",
    )
    with pytest.raises(RunError, match=REFUSED):
        load_run_document(path)
