"""A page asks the players that come with upcard, and runs no file of the server and no code."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient
from web_server import KEY, ORIGIN, make_site

import upcard
from upcard.cli.app import run
from upcard.core.errors import RulesError
from upcard.simulation.registry import load_player, read_included
from upcard.strategy.chart import load_strategy
from upcard.web.app import make_app

CODE = "import pathlib\npathlib.Path('ran').touch()\ndef decide(view, legal):\n    return 'stand'\n"
FILES = (
    "ann.py",
    "ann.py:decide",
    "ann:decide",
    "mimic:decide",
    "counter:mine",
    "counter:zen.toml",
)
OTHERS = ("chart:mine.tsv", "chart:", "nobody", "ann.py; mimic", "mimic; ann.py", "import os")
QUESTIONS = ("bench", "league")


@pytest.fixture
def client(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("ann.py", "mimic.py", "counter.py"):
        (tmp_path / name).write_text(CODE)
    chart = upcard.basic_strategy("INF")
    (tmp_path / "mine.tsv").write_text(str(chart))
    with TestClient(make_app(make_site()), base_url=ORIGIN) as client:
        client.headers.update({"Authorization": f"Bearer {KEY}", "Accept": "application/json"})
        yield client


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("player", [*FILES, *OTHERS])
def test_a_page_refuses_a_player_in_a_file_by_name(name, player, client, tmp_path):
    told = client.get(f"/ask/{name}", params={"r": "INF", "player": player})
    (problem,) = (one["problem"] for one in told.json()["fields"] if one["name"] == "player")
    assert (told.status_code, told.json()["answer"]) == (422, None)
    assert player.replace("; mimic", "").replace("mimic; ", "") in problem
    assert not (tmp_path / "ran").exists()
    saved = client.get(f"/ask/{name}/tables.csv", params={"r": "INF", "player": player})
    assert saved.status_code == 422


@pytest.mark.slow
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_page_has_no_field_for_files(name, client, tmp_path):
    known = {one["name"] for one in client.get(f"/ask/{name}").json()["fields"]}
    assert {"player", "strategy"} <= known
    assert not {"words", "folder", "output", "time_limit", "show_output"} & known
    told = client.get(f"/ask/{name}", params={"r": "INF", "strategy": str(tmp_path / "mine.tsv")})
    assert told.status_code == 422


@pytest.mark.parametrize("player", [" Mimic", "counter:zen", "computer:1,17,0.5", "perfect"])
def test_what_comes_with_upcard_is_read_in_any_case(player, client):
    told = client.get("/ask/bench", params={"r": "6D", "player": player}).json()
    assert told["answer"]["result"]["player"] == player.strip()


@pytest.mark.slow
def test_a_page_ranks_the_players_that_come_with_upcard_by_their_exact_value(client, tmp_path):
    chart = (tmp_path / "mine.tsv").read_text()
    told = client.get("/ask/league", params={"r": "6D", "strategy": chart}).json()["answer"]
    rows = {row["player"]: row for row in told["result"]["players"]}
    assert [*rows][:2] == ["basic", "your chart"]
    assert (told["result"]["seed"], {row["lost_rounds"] for row in rows.values()}) == (1, {0})
    for name in ("basic", "lott-simple", "mimic", "never-bust"):
        assert rows[name]["chart_ev"] == upcard.value_of(name, "6D")
    assert rows["your chart"]["chart_ev"] == upcard.value_of(upcard.basic_strategy("INF"), "6D")
    again = upcard.ask("league", "6D", player=("mimic",), rounds=500, seed=1)
    assert again.result.to_json()["players"][0]["ev"] == rows["mimic"]["ev"]  # the same shoes


def test_a_chart_is_pasted_with_its_blank_lines(client, tmp_path):
    text = (tmp_path / "mine.tsv").read_text()
    asked = {"r": "6D", "player": "mimic", "strategy": f"{text}\n\n"}
    told = client.get("/ask/bench", params=asked).json()
    chart = load_strategy(str(tmp_path / "mine.tsv"))
    sheet = upcard.ask("bench", "6D", words="score", player="mimic", strategy=(chart,))
    assert told["answer"]["figures"][0]["value"] == sheet.figures[0].value


@pytest.mark.parametrize("player", ["mimic", "counter:zen", "computer:1,17,0.5"])
def test_a_name_of_upcard_is_no_file_of_the_folder(player, client, tmp_path):
    """`counter:zen` ran a file counter.py with a class zen, where there was one."""
    (tmp_path / "counter.py").write_text(f"{CODE}class zen:\n    decide = decide\n")
    assert load_player(player) == read_included(player) == player
    assert run(["bench", "score", "--player", player, "--rules", "6D"]) == 0
    assert not (tmp_path / "ran").exists()
    with pytest.raises(RulesError):
        read_included("zen:counter")
