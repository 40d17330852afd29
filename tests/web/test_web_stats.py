"""Results in the browser: the figures of `upcard stats`, the curve, leaks and the mistake map."""

import json
from urllib.parse import parse_qsl, urlsplit

import pytest
from html_check import Page, find_faults
from played_rounds import play, play_round, sit_down
from table_client import run_site

import upcard
from campaign.console import talk
from upcard import Rules
from upcard.answers.played import answer_mistakes, answer_statistics
from upcard.core.errors import BlackjackError
from upcard.core.numbers import to_json
from upcard.rules.house import house, house_names
from upcard.store.bankroll import deposit
from upcard.store.database import open_store
from upcard.store.statistics import CurvePoint, add_up, find_mistakes, game_value, read_curve

RULES = Rules.parse("INF")


def make_store(folder, rounds):
    store = open_store(folder / "upcard.db")
    deposit(store, 10_000)
    if rounds:
        play(store, RULES, rounds)
    return store


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with make_store(tmp_path_factory.mktemp("stats"), 20) as made:
        yield made


@pytest.fixture(scope="module")
def served(store):
    with run_site(store=store) as client:
        yield client


def read(client, path, status=200):
    answer = client.get(path, headers={"Accept": "application/json"})
    assert answer.status_code == status, answer.text
    page = client.get(path, headers={"Accept": "text/html"})
    assert (page.status_code, find_faults(page.text)) == (status, [])
    return answer.json()


def ask(client, path, status=200):
    answer = client.get(path, headers={"Accept": "application/json"})
    assert answer.status_code == status, answer.text
    return answer.json()


def test_the_figures_are_those_of_the_command_line(served, store):
    shown = read(served, "/stats?pace=60")
    found = add_up(store, value_of=game_value, rounds_per_hour=60.0)
    assert shown["statistics"] == to_json(answer_statistics(found, 60.0))
    mistakes = find_mistakes(store, RULES)
    figures = to_json(answer_mistakes(RULES, mistakes, 60.0))
    assert shown["map"]["figures"] == figures
    assert [part["name"] for part in shown["statistics"]["parts"]][-1] == "net"
    leaks = [leak for leak in shown["statistics"]["leaks"] if leak["mistakes"]]
    assert [leak["category"] for leak in leaks] == ["hard hits", "insurance"]
    for leak in (*leaks, *figures["cells"], *figures["others"]):
        assert sum(leak["grades"].values()) == leak["mistakes"]
    assert figures["grades"] == found.total.grades


@pytest.fixture
def used():
    """A site with the store that commands and Python read, too."""
    with open_store() as saved:
        deposit(saved, 10_000)
        play(saved, Rules.parse("INF NOINS SP1"), 6)
        play(saved, RULES, 2)
        with run_site(store=saved) as client:
            yield client


def test_the_answer_is_that_of_python_and_of_the_page(used):
    client = used
    head = {"Accept": "application/json"}
    for fields, words in (
        ({"rounds_per_hour": "50"}, ["--rounds-per-hour", "50"]),
        ({"chart": "yes"}, ["--chart"]),
        ({"chart": "yes", "r": "INF"}, ["--chart", "--rules", "INF"]),
    ):
        told = client.get("/ask/stats", params=fields, headers=head).json()
        assert told["answer"]["result"] == json.loads(talk(["stats", *words, "--json"]).out)
        for address in told["files"].values():
            assert client.get(address).status_code == 200
        assert client.get("/ask/stats", params=fields).status_code == 200
        python = {"chart": True} if "chart" in fields else {"rounds_per_hour": 50}
        sheet = upcard.ask("stats", fields.get("r"), **python)
        assert to_json(sheet.result) == told["answer"]["result"]
    with pytest.raises(BlackjackError, match="game without chart: it is for the chart"):
        upcard.ask("stats", "INF")
    wrong = client.get("/ask/stats", params={"rounds_per_hour": "0"}, headers=head)
    assert (wrong.status_code, "from 1 to 1,000,000" in wrong.text) == (422, True)


def test_the_curve_ends_at_the_sums(served, store):
    total = add_up(store, value_of=lambda _: -0.02, rounds_per_hour=100.0).total
    first, *_, last = read_curve(store, lambda _: -0.02)
    assert first == CurvePoint(0, 0.0, 0.0, 0.0, 0.0)
    assert last.rounds == total.rounds
    assert last.net == pytest.approx(float(total.net))
    assert last.best_play == pytest.approx(total.best_play)
    assert last.without_luck == pytest.approx(total.best_play - total.error_cost)
    assert last.luck_deviation == pytest.approx(total.luck_deviation)
    assert [point.best_play for point in read_curve(store, lambda _: None)][-1] is None
    assert len(ask(served, "/stats")["curve"]) == 21


@pytest.mark.slow
def test_mistakes_in_every_house_are_added_up_on_every_page(tmp_path):
    """One in a house without chips, and no page had results any more."""
    with make_store(tmp_path, 0) as store:
        for name in house_names():
            table = sit_down(store, house(name), seed=1)
            with table:
                least = house(name).min_spots
                for number in range(3):
                    play_round(store, table, number, spots=least)
                table.end_shoe()
        with run_site(store=store) as client:
            for path in ("/stats", "/ask/stats", "/history", "/history?mistakes=1", "/", "/drills"):
                read(client, path)
            for name in house_names():
                read(client, f"/stats?rules={name}")
            assert client.get("/history.jsonl").status_code == 200


def test_a_cell_and_a_leak_open_their_rounds(served):
    shown = ask(served, "/stats")
    cells = [
        cell
        for block in shown["map"]["blocks"]
        for row in block["rows"]
        for cell in row["cells"]
        if cell["level"]
    ]
    assert [cell["level"] for cell in cells] == [4]
    links = Page(served.get("/stats").text).links
    house = {"house": shown["map"]["house"]}
    for fields in (house | {"cell": cells[0]["place"], "mistakes": "1"}, {"class": "hard hits"}):
        (href,) = (
            link
            for link in links
            if fields.items() <= dict(parse_qsl(urlsplit(link).query)).items()
        )
        assert href.startswith("/history?")
        assert ask(served, href)["found"] > 0
    drills = [href for href in (*shown["map"]["drills"], shown["map"]["mistakes"]) if href]
    assert ["cell=16+v+T" in href for href in drills] == [True, False]
    for href in drills:
        assert ask(served, href)["rules"].startswith("INF")
        assert href in Page(served.get("/stats").text).links


def test_the_pace_is_called_as_everywhere_and_as_it_was(served):
    shown = read(served, "/stats?rounds_per_hour=60")
    assert shown == read(served, "/stats?pace=60")
    assert (shown["pace"], shown["statistics"]["rounds_per_hour"]) == ("60", 60)


@pytest.mark.parametrize("name", ["pace", "rounds_per_hour"])
@pytest.mark.parametrize("pace", ["nan", "1e9", "2,5"])
def test_a_faulty_pace_is_a_sentence_and_the_figures_stay(served, name, pace):
    shown = ask(served, f"/stats?{name}={pace}", 422)
    assert "rounds per hour" in shown["problem"]
    assert shown["statistics"]["rounds_per_hour"] == 100


def test_a_house_that_was_never_played_has_no_map(served):
    assert "nowhere" in ask(served, "/stats?house=nowhere")["map_problem"]


def test_without_rounds_or_without_a_store_a_sentence_says_so(client, tmp_path):
    assert "practice" in read(client, "/stats")["why_none"]
    with run_site(store=make_store(tmp_path, 0)) as empty:
        assert "No round" in read(empty, "/stats")["why_none"]
        assert "No round" in read(empty, "/history")["why_none"]
        for fields in ("", "?chart=yes"):
            told = read(empty, f"/ask/stats{fields}")
            assert "No round" in told["answer"]["findings"][0]
            assert empty.get(told["files"]["tables.csv"]).text.count("\n") == 1


def test_damaged_results_are_a_sentence(tmp_path):
    store = make_store(tmp_path, 2)
    store.run("UPDATE rounds SET net = 'much' WHERE id = 2")
    with run_site(store=store) as client:
        answer = client.get("/stats", headers={"Accept": "application/json"})
        assert (answer.status_code, answer.json()["error"]) == (500, "damaged")
        assert find_faults(client.get("/stats").text) == []
