"""Visits leave out no page, no question and no command, and find what they are there to find."""

import sys
from contextlib import contextmanager
from subprocess import PIPE, Popen

import click
import pytest
from test_campaign_slices import SLICES

from campaign import visit_scene, visits_python, visits_web
from campaign.__main__ import NAMES
from campaign.case import FindingError, make_case
from campaign.visit_scene import Scene, find_readers, take_turn
from campaign.visits_web import list_routes, list_visits, load_addresses
from upcard.answers.questions import QUESTIONS
from upcard.cli.app import cli
from upcard.store.database import open_store

# They do not end, or solve dozens of games.
NOT_VISITED = {"GET /runs/{name}/events", "GET /t/{table}/changes"}


@pytest.fixture
def scene(tmp_path):
    return Scene(make_case("visits", seed=1, number=0, folder=tmp_path), tmp_path / "visited")


def test_every_address_that_shows_a_page_is_visited():
    load_addresses()
    pages = {route for route in list_routes() if route.startswith("GET ")}
    assert len(pages) > 25
    assert pages - {address for address, _, _ in list_visits()} == NOT_VISITED


def test_every_question_is_asked_of_the_server_and_of_python():
    paths = {path for _, path, _ in list_visits()}
    assert {f"/ask/{name}" for name in QUESTIONS} <= paths
    assert set(visits_python._CALLS) == {"history", *QUESTIONS}


def test_a_new_question_is_asked_by_itself(monkeypatch):
    monkeypatch.setitem(visits_web.QUESTIONS, "weather", QUESTIONS["dealer"])
    assert ("GET /ask/{question}", "/ask/weather", {}) in list_visits()


def test_every_command_is_run_beside_a_session():
    known = set(cli.list_commands(click.Context(cli)))
    assert {*find_readers(), *visit_scene._ASKING, "web"} == known


def test_all_have_their_turn():
    items = [str(number) for number in range(25)]
    assert {one for turn in range(3) for one in take_turn(items, turn, 12)} == set(items)
    assert sorted(take_turn(items[:3], 5, 12)) == items[:3]


def test_a_log_that_is_taken_away_is_found(scene, monkeypatch):
    log = scene.path.with_name("upcard.db-wal")
    monkeypatch.setattr(Scene, "_run", lambda *_: log.unlink(missing_ok=True) or "")
    monkeypatch.setattr(Scene, "_write", lambda _: None)
    with open_store(scene.path):
        scene.look("a page")
    assert len(scene.faults) >= 1
    assert "the log of the open store is gone after a page, then upcard" in scene.faults[0]


def test_rounds_that_are_lost_are_found(scene):
    scene.settled[99] = "10"
    with pytest.raises(FindingError, match=r"1 of 1 rounds shown are lost: \[99\]"):
        scene.check()


def test_rounds_of_others_that_are_lost_are_found(scene):
    scene.others = 3
    with pytest.raises(FindingError, match="0 and 3 beside it were shown as settled, 0 rounds"):
        scene.check()


@contextmanager
def open_elsewhere(path):
    """Have another process keep a store open: a forked copy of this one may not use what is."""
    program = "import sys; from upcard.store.database import open_store as o\n"
    program += "with o(sys.argv[1]): print(flush=True); sys.stdin.read()"
    words = [sys.executable, "-c", program, str(path)]
    with Popen(words, stdin=PIPE, stdout=PIPE) as process:
        process.stdout.read(1)
        yield
        process.stdin.close()
    assert process.returncode == 0


@pytest.mark.slow
def test_other_processes_read_and_write_beside_a_session(scene):
    with open_elsewhere(scene.path):
        scene.look("a page")
        tries = iter(range(20))
        while not scene.others and next(tries, None) is not None:
            scene._write()
        scene.look("another page")
    assert scene.faults == []
    assert scene.case.counts["commands that read beside it"] >= 2
    assert scene.case.counts["rounds played beside it"] == scene.others
    scene.check()


def test_every_campaign_has_a_slice():
    assert set(SLICES) == set(NAMES)
