"""The lab and its runs: started, followed, stopped, continued, extended, and kept in files."""

import inspect
import json
import os
import re
import sys
import threading
from contextlib import closing
from functools import partial

import pytest
from html_check import Page, find_faults
from starlette.testclient import TestClient
from web_server import KEY, ORIGIN, make_site

import upcard
from upcard import Rules
from upcard.analysis.count_rows import read_run
from upcard.analysis.ramp_plan import RampQuestion, make_plans
from upcard.answers.questions import QUESTIONS, Asking
from upcard.answers.ramp_report import list_figures
from upcard.answers.shared_fields import RunTerms
from upcard.cli.app import import_command, run
from upcard.core.errors import BlackjackError, RulesError, as_sentence
from upcard.core.fields import list_fields
from upcard.core.figure import write_percent
from upcard.core.long_work import COMPILING, Report, tell
from upcard.services.run_queue import MOST_WAITING, RunQueue, Status, yield_to_pages
from upcard.simulation.run import simulate
from upcard.simulation.run_state import Keeper, RunProgress, load_run, load_run_document
from upcard.store.bankroll import read_runs
from upcard.store.database import open_store
from upcard.web.app import make_app
from upcard.web.lab.page import fill_form, prepare_run

JSON = {"Accept": "application/json"}
TINY = {"r": "6D", "count": "hi-lo", "rounds": "1000", "seed": "7"}


@pytest.fixture
def site(tmp_path):
    """A server with saved games in a folder of the test."""
    with open_store(tmp_path / "upcard.db") as store:
        yield make_site(store)


@pytest.fixture
def lab(site):
    with TestClient(make_app(site), base_url=ORIGIN, follow_redirects=False) as client:
        client.headers["Authorization"] = f"Bearer {KEY}"
        yield client


def start(lab, **texts):
    answer = lab.post("/runs", data={**TINY, **texts})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def look(lab, address):
    answer = lab.get(address, headers=JSON)
    assert answer.status_code == 200
    return answer.json()


def wait(site, address):
    site.runs.wait(address.rpartition("/")[2])


@pytest.mark.slow
def test_a_run_is_started_followed_and_extended_and_its_file_is_that_of_the_longer_run(
    site, lab, tmp_path
):
    address = start(lab, rounds="600", ramp="1-8")
    wait(site, address)
    found = look(lab, address)
    assert (found["status"], found["settings"][-1]) == ("done", ["Seed", "7"])
    assert find_faults(lab.get(address).text) == []
    with lab.stream("GET", f"{address}/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        assert events.read().startswith(b"event: done\nid: 600\n")
    refused = lab.post(f"{address}/extend", data={"rounds": "many"}, headers=JSON)
    assert (refused.status_code, "many" in refused.json()["extend_problem"]) == (422, True)
    lab.post(f"{address}/extend", data={"rounds": "400"})
    wait(site, address)
    results = look(lab, address)["results"]["answer"]
    figures = {one["name"]: one["value"] for one in results["figures"]}
    assert figures["rounds"] == 1000
    whole = tmp_path / "whole.json"
    simulate(Rules.parse("6D"), count="hi-lo", ramp="1-8", rounds=1000, seed=7, output=whole)
    assert (tmp_path / f"{address[1:]}.json").read_bytes() == whole.read_bytes()
    check_ramps(lab, address, read_run(whole))
    row = look(lab, "/lab")["runs"][0]
    assert (row["rounds"], row["status"], row["about"][:5]) == (1000, "done", "Hi-Lo")


FAULTY = {"ramp", "spread", "wong", "bankroll"}  # a bank under 0 is refused at its field too


def check_ramps(lab, address, run):
    """The ramps of a run are those that `upcard ramp` computes; faults are said at their fields."""
    question = RampQuestion(ramp=run.parse_ramp("1-8"), unit=10, bankroll=5000, hours=1)
    plan = make_plans(run.game, question)[0]
    known = {figure.name: figure for figure in list_figures(plan, question)}
    found = look(lab, f"{address}/ramp?ramp=1-8&unit=10&bankroll=5000&hours=1&with=1-4")["result"]
    for figure in found["plans"][0]["figures"].values():
        same = known[figure["name"]]
        assert (figure["value"], figure["standard_error"]) == (same.value, same.standard_error)
    assert found["other"]["ramp"].endswith(":4")
    assert sum(row["share"] for row in found["by_count"]) == pytest.approx(1)
    for query in ("ramp=1-8&unit=10", "ramp=1-8&unit=10&with=ramp%3D1-2%26unit%3D5"):
        assert find_faults(lab.get(f"{address}/ramp?{query}").text) == []
    faulty = lab.get(f"{address}/ramp?ramp=1-8&spread=x&bankroll=-1&wong=low", headers=JSON)
    assert (faulty.status_code, set(faulty.json()["faults"])) == (422, FAULTY)
    assert find_faults(lab.get(f"{address}/ramp?ramp=/etc/hosts").text) == []


def ask_page(lab, address, status=200):
    """Return the JSON of an address; its HTML is checked too."""
    answer = lab.get(address, headers=JSON)
    assert answer.status_code == status, answer.text
    page = lab.get(address, headers={"Accept": "text/html"})
    assert (page.status_code, find_faults(page.text)) == (status, [])
    return answer.json()


def save_run(site, name, rules="6D", **settings):
    """Play a run into the folder of a server."""
    simulate(Rules.parse(rules), output=site.runs.folder / f"{name}.json", **settings)


def test_a_run_is_deleted_after_a_question_and_never_while_it_is_played(site, lab):
    blocked = threading.Event()
    site.runs._pool.submit(blocked.wait)
    address = start(lab)
    refused = lab.post(f"{address}/delete", headers=JSON)
    assert (refused.status_code, refused.json()["error"]) == (409, "running")
    lab.post(f"{address}/stop")
    blocked.set()
    asked = ask_page(lab, f"{address}/delete")
    assert asked["file"] == f"{address[1:]}.json"
    assert f'href="{address}/delete"' in lab.get(address).text
    file = site.runs.folder / f"{asked['run']['name']}.json"
    assert file.is_file()
    gone = lab.post(f"{address}/delete")
    assert (gone.status_code, gone.headers["location"]) == (303, "/lab")
    assert list(site.runs.folder.iterdir()) == []
    assert look(lab, "/lab")["runs"] == []
    assert lab.post(f"{address}/delete").status_code == 404
    assert read_runs(site.store) == []


def test_a_run_that_another_process_plays_is_not_deleted(site, lab):
    save_run(site, "counted", count="hi-lo", rounds=60, seed=7)
    file = site.runs.folder / "counted.json"
    with closing(Keeper.resume(file)[0]):
        refused = lab.post("/runs/counted/delete", headers=JSON)
        assert (refused.status_code, "another process" in refused.json()["words"]) == (422, True)
    assert file.is_file()


def test_odd_files_beside_the_runs_do_not_hide_them(site, lab, monkeypatch):
    """A folder, a pipe, or a run that was deleted after it was listed made the lab a 404."""
    folder = site.runs.folder
    save_run(site, "counted", count="hi-lo", rounds=60, seed=7)
    (folder / "folder.json").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.json")
    (folder / "gone.json").symlink_to(folder / "nowhere")
    with (folder / "large.json").open("wb") as file:
        file.truncate(2**30)  # sparse
    (folder / "brief.json").write_text("{}")
    summarize = RunQueue.summarize

    def delete_first(runs, name):
        if name == "brief":
            (folder / "brief.json").unlink()
        return summarize(runs, name)

    monkeypatch.setattr(RunQueue, "summarize", delete_first)
    rows = {row["name"]: row for row in ask_page(lab, "/lab")["runs"]}
    assert set(rows) == {"counted", "large"}
    assert rows["counted"]["is_readable"]
    assert "larger than a run can be" in rows["large"]["words"]
    assert lab.get("/runs/large").status_code == 422
    assert lab.get("/runs/pipe").status_code == lab.get("/runs/folder").status_code == 404


def test_a_file_that_is_no_run_can_be_deleted_from_the_list(site, lab):
    (site.runs.folder / "odd.json").write_text("{}")
    row = ask_page(lab, "/lab")["runs"][0]
    assert (row["name"], row["status"], row["is_readable"]) == ("odd", "failed", False)
    assert 'href="/runs/odd/delete"' in lab.get("/lab").text
    assert ask_page(lab, "/runs/odd/delete")["run"]["title"] == "odd"
    lab.post("/runs/odd/delete")
    assert ask_page(lab, "/lab")["runs"] == []


@pytest.mark.slow
def test_a_slider_reads_the_file_of_its_run_once_and_again_when_it_has_changed(
    site, lab, monkeypatch
):
    reads = []

    def load(path):
        reads.append(path)
        return load_run_document(path)

    monkeypatch.setattr("upcard.simulation.run_state.load_run_document", load)

    def ramp_of(unit):
        return look(lab, f"/runs/counted/ramp?ramp=1-8&unit={unit}")["result"]

    save_run(site, "counted", count="hi-lo", rounds=100, seed=7)
    reads.clear()
    first = ramp_of(10)
    assert ramp_of(20) != first
    assert len(reads) == 1
    save_run(site, "counted", count="hi-lo", rounds=200, seed=7)
    reads.clear()
    assert ramp_of(10) != first
    assert len(reads) == 1


def test_the_paths_of_a_bank_are_those_of_the_command_line(site, lab, capsys):
    save_run(site, "counted", count="hi-lo", rounds=200, seed=7)
    query = "ramp=1-8&unit=10&bankroll=300&hours=1"
    paths = ask_page(lab, f"/runs/counted/ramp?{query}&with=1-4")["paths"]
    assert (paths["places"][0], paths["places"][-1]) == (0, 1)
    assert [bank["title"] for bank in paths["banks"]] == ["This ramp", "The pinned ramp"]
    file = str(site.runs.folder / "counted.json")
    bets = ("--ramp", "1-8", "--unit", "10", "--bankroll", "300", "--hours", "1")
    assert run(["bankroll", file, *bets, "--paths", "1000", "--json"]) == 0
    known = json.loads(capsys.readouterr().out)
    shown = paths["banks"][0]
    assert shown["outcome"] == known
    assert shown["bands"][-1] == list(known["spreads"]["final"]["quantiles"].values())
    page = Page(lab.get(f"/runs/counted/ramp?{query}", headers={"Upcard-Parts": "paths"}).text)
    assert page.text.count("Median") == 1


def test_the_answer_of_a_ramp_is_that_of_the_command_line(site, lab, capsys):
    save_run(site, "counted", count="hi-lo", rounds=200, seed=7)
    result = ask_page(lab, "/runs/counted/ramp?spread=1-8&unit=10&bankroll=300&hours=1")["result"]
    file = str(site.runs.folder / "counted.json")
    bets = ("--spread", "1-8", "--unit", "10", "--bankroll", "300", "--hours", "1")
    assert run(["ramp", file, *bets, "--json"]) == 0
    known = json.loads(capsys.readouterr().out)
    assert result["outcome"] == known
    assert (result["plans"], result["notes"]) == (known["plans"], known["notes"])


def test_a_run_without_luck_is_a_tick_of_the_form(site, lab):
    page = lab.get("/lab?r=6D&count=hi-lo&rounds=1k&without_luck=yes").text
    (tick,) = re.findall(r"<input[^>]*name=.without_luck.[^>]*>", page)
    assert 'type="checkbox"' in tick
    assert "checked" in tick
    assert (
        "checked"
        not in re.findall(r"<input[^>]*name=.without_luck.[^>]*>", lab.get("/lab").text)[0]
    )
    form = fill_form({"r": "6D", "count": "", "rounds": "1k", "without_luck": "yes"})
    assert prepare_run(form).job.without_luck
    assert not prepare_run(form | {"without_luck": ""}).job.without_luck


def test_the_page_of_ramps_has_the_fields_of_the_question_and_reads_them_so(site, lab):
    save_run(site, "counted", count="hi-lo", rounds=200, seed=7)
    view = ask_page(lab, "/runs/counted/ramp")
    shown = {*(one["field"] for one in view["sliders"]), *(one[0] for one in view["others"])}
    asked = [one for one in QUESTIONS["ramp"].fields if one.name not in ("run", "explain")]
    assert view["form"].keys() == shown == {one.name for one in asked}
    page = lab.get("/runs/counted/ramp").text
    assert all(one.field.help in page for one in asked)
    for query in ("rounds_per_hour=60", "pace=60"):  # as addresses have it that were sent before
        found = ask_page(lab, f"/runs/counted/ramp?{query}&ramp=1-4&unit=5&with=1-8")
        assert found["form"]["rounds_per_hour"] == "60"
        assert found["result"]["outcome"]["rounds_per_hour"] == 60
    for one in asked:
        with pytest.raises(BlackjackError) as error:
            one.read(text := "x" if one.name != "ramp" else __file__)
        answer = lab.get("/runs/counted/ramp", params={one.name: text}, headers=JSON)
        assert answer.json()["faults"] == {one.name: as_sentence(str(error.value))}


def test_the_screen_asks_about_the_last_run_of_the_lab_that_counted(site, monkeypatch):
    monkeypatch.setenv("UPCARD_DATA", str(site.runs.folder.parent))
    ask = partial(upcard.ask, "ramp", asking=Asking(is_patient=False))
    with pytest.raises(RulesError):
        ask()
    save_run(site, "counted", count="hi-lo", rounds=200, seed=7)
    save_run(site, "flat", rounds=200, seed=7)
    (site.runs.folder / "torn.json").write_text("{}")
    (site.runs.folder / "gone.json").symlink_to(site.runs.folder / "nowhere")
    if hasattr(os, "mkfifo"):
        os.mkfifo(site.runs.folder / "pipe.json")
    assert dict(ask().facts)["Run"].split(",")[0] == "counted"
    (run,) = (one for one in QUESTIONS["ramp"].fields if one.name == "run")
    known = upcard.ask("ramp", run=site.runs.folder / "counted.json", ramp="1-4")
    assert ask(run=run.read("counted"), ramp="1-4").result == known.result
    for name in ("../runs/counted", str(site.runs.folder / "counted.json"), "nothing"):
        with pytest.raises(RulesError) as error:
            run.read(name)
        assert str(error.value).replace(",", "").split()[-3:] == ["torn", "flat", "counted"]


def test_two_ruins_of_one_trip_say_which_ev_each_is_by(site, lab):
    save_run(site, "counted", count="hi-lo", rounds=200, seed=7)
    view = ask_page(lab, "/runs/counted/ramp?ramp=1-8&unit=10&bankroll=300&hours=1")
    figures = view["result"]["plans"][0]["figures"]
    shown = {name: one["text"] for name, one in figures.items()}
    [bank] = view["paths"]["banks"]
    ev = shown["ev_per_100"]
    assert (
        f"and {shown['risk_in_time']} for the EV of the run, {ev} in an hour of 100 rounds."
        in bank["words"]
    )
    assert "for the EV of their rounds, " in bank["words"]


def test_a_bank_without_paths_says_why(site, lab):
    save_run(site, "counted", count="hi-lo", rounds=200, seed=7)
    save_run(site, "table", rules="6D", player="mimic", count="hi-lo", rounds=200, seed=7)
    for name, query, words in (
        ("counted", "ramp=1-8&unit=10&bankroll=300&hours=5000", "this trip has 500,000"),
        ("counted", "ramp=1-8&unit=10&bankroll=3", "does not cover the least bet"),
        ("table", "ramp=1-8&unit=10&bankroll=300", "table engine"),
    ):
        found = ask_page(lab, f"/runs/{name}/ramp?{query}")
        assert words in found["paths"]["problem"]
        assert found["result"]["plans"]


@pytest.mark.parametrize(
    ("rules", "name"),
    [("INF", "z"), pytest.param("6D", "difference", marks=pytest.mark.slow)],
)
def test_a_run_by_the_chart_is_compared_with_the_exact_value(site, lab, rules, name):
    save_run(site, "flat", rules=rules, rounds=400, seed=7)
    results = ask_page(lab, "/runs/flat")["results"]
    known = json.loads((site.runs.folder / "flat.json").read_text())["exact"]
    check = results["answer"]["check"]
    assert (check["ev"], check[name]) == (known["ev"], known[name])
    assert check["text"] == write_percent(known["ev"])


def test_any_round_of_a_run_is_that_of_the_command_line(site, lab, capsys):
    save_run(site, "counted", count="hi-lo", ramp="1-8", rounds=120, seed=7)
    found = ask_page(lab, "/runs/counted/1/3")
    file = str(site.runs.folder / "counted.json")
    assert run(["replay", file, "--shoe", "1", "--round", "3", "--json"]) == 0
    assert found["replay"] == json.loads(capsys.readouterr().out)
    places = [found["before"], found["after"]]
    assert places == ["/runs/counted/1/2", "/runs/counted/1/4"]
    first = ask_page(lab, "/runs/counted/0/1")
    assert (first["before"], first["rows"][1][0]) == ("", "/runs/counted/0/2")
    end = ask_page(lab, "/runs/counted/0/last")
    assert (end["round"], end["after"]) == (first["of"], "/runs/counted/1/1")
    assert ask_page(lab, "/runs/counted/1/1")["before"] == "/runs/counted/0/last"
    assert 'aria-current="page">Lab</a>' in lab.get("/runs/counted/0/1").text
    form = lab.get("/runs/counted/round?shoe=1&round=3")
    assert (form.status_code, form.headers["location"]) == (303, "/runs/counted/1/3")
    shoes = lab.get("/runs/counted/99/1", headers=JSON).json()["words"].partition("has ")[2]
    last = int(shoes.rpartition(" ")[2].rstrip("."))
    assert ask_page(lab, f"/runs/counted/{last}/last")["after"] == ""


def test_a_round_that_a_run_does_not_have_is_a_sentence(site, lab):
    save_run(site, "counted", count="hi-lo", rounds=60, seed=7)
    for place, words in (
        ("9/1", "no shoe 9"),
        ("0/99", "no round 99"),
        ("0/0", "no round 0"),
        ("0/1?chunk=3", "no chunk 3"),
    ):
        assert words in ask_page(lab, f"/runs/counted/{place}", 404)["words"]
    for place in ("x/1", "0/x", "0/1?chunk=x", "-1/1", f"0/{'9' * 40}"):
        assert "not a place in a run" in ask_page(lab, f"/runs/counted/{place}", 422)["words"]
    assert "not a place" in ask_page(lab, "/runs/counted/round?shoe=&round=x", 422)["words"]
    assert ask_page(lab, "/runs/nothing/0/1", 404)["error"] == "not-found"


def test_a_round_of_the_table_engine_and_a_run_of_another_version(site, lab, monkeypatch):
    save_run(site, "table", rules="6D", player="mimic", rounds=30, seed=7)
    found = ask_page(lab, "/runs/table/0/1")
    assert "dealt again from the run's seed" in found["check"]
    assert len(found["hands"][0]["cards"][0]["name"]) == 2
    (site.runs.folder / "old.json").write_bytes((site.runs.folder / "table.json").read_bytes())
    monkeypatch.setattr("upcard.simulation.job.__version__", "0.0.1")
    assert "made by upcard" in ask_page(lab, "/runs/old/0/1", 422)["words"]


def test_a_run_that_the_server_did_not_finish_stands_as_stopped_and_goes_on(site, lab, tmp_path):
    blocked = threading.Event()
    site.runs._pool.submit(blocked.wait)
    address = start(lab)
    assert look(lab, address)["status"] == "waiting"
    other = RunQueue(site.store)  # that of the next server
    assert other.look(address.rpartition("/")[2]).status == Status.STOPPED
    other.close()
    lab.post(f"{address}/stop")
    blocked.set()
    assert look(lab, address)["status"] == "stopped"
    lab.post(f"{address}/go-on")
    wait(site, address)
    assert look(lab, address)["status"] == "done"
    whole = tmp_path / "whole.json"
    simulate(Rules.parse("6D"), count="hi-lo", rounds=1000, seed=7, output=whole)
    assert (tmp_path / f"{address[1:]}.json").read_bytes() == whole.read_bytes()


def test_eight_runs_wait_and_the_next_is_refused(site, lab):
    blocked = threading.Event()
    site.runs._pool.submit(blocked.wait)
    try:
        addresses = [start(lab) for _ in range(MOST_WAITING + 1)]
        refused = lab.post("/runs", data=TINY, headers=JSON)
        assert (refused.status_code, refused.json()["error"]) == (429, "queue-full")
        assert look(lab, addresses[2])["status_words"] == "Waiting: 2 runs before it."
        assert find_faults(lab.get("/lab").text) == []
        for address in addresses:
            assert lab.post(f"{address}/stop").status_code == 303
            assert look(lab, address)["status"] == "stopped"
    finally:
        blocked.set()


def test_faults_of_a_new_run_are_named_at_their_fields(lab):
    sent = {**TINY, "r": "9D", "rounds": "x", "until": "y", "seed": "z", "ramp": "1-8", "count": ""}
    answer = lab.post("/runs", data=sent, headers=JSON)
    assert answer.status_code == 422
    assert set(answer.json()["faults"]) == {"r", "rounds", "until", "seed"}
    page = lab.post("/runs", data=sent)
    assert find_faults(page.text) == []
    assert page.text.count('aria-invalid="true"') == 4
    no_count = lab.post("/runs", data={**TINY, "ramp": "1-8", "count": ""}, headers=JSON)
    assert "needs a count" in no_count.json()["faults"]["ramp"]


def test_the_form_of_a_run_is_the_same_at_every_door(site, lab):
    fields = {one.name: one for one in list_fields(RunTerms)}
    assert {one.name for one in import_command("simulate").params} > fields.keys()
    own = {"rounding", "decks_left"}  # Python sets them in the count itself
    assert inspect.signature(simulate).parameters.keys() > fields.keys() - own
    shown = {name for name, one in fields.items() if one.field.is_for_pages}
    view = look(lab, "/lab")
    assert view["form"].keys() == shown | {"r", "plays", "chart"}
    page = lab.get("/lab")
    assert find_faults(page.text) == []
    assert all(f'name="{name}"' in page.text for name in view["form"])
    address = start(lab, rounding="Truncate", decks_left="half", rounds="200")
    wait(site, address)
    file = site.runs.folder / f"{address.rpartition('/')[2]}.json"
    system = read_run(file).system
    assert (str(system.rounding), str(system.decks_left)) == ("truncate", "half")
    for name in shown - {"leave", "indices", "ramp"}:
        with pytest.raises(BlackjackError) as error:
            fields[name].read("?")
        faults = look_faulty(lab, {**TINY, name: "?"})
        assert faults == {name: as_sentence(str(error.value))}
    assert look_faulty(lab, {**TINY, "count": "", "rounding": "floor"}) == {}


def look_faulty(lab, texts):
    found = lab.get("/lab", params=texts, headers=JSON).json()
    assert (bool(found["problem"]), found["ready"]) == (True, [])
    return found["faults"]


def test_what_the_compiled_engine_refuses_is_said_before(lab):
    found = look(lab, "/lab?r=6D+hole_card%3Dno-peek&count=hi-lo&rounds=1000")
    assert "hole_card=no-peek" in " ".join(found["ready"])


@pytest.mark.parametrize("name", ["nothing", "..%2fupcard", "%2e%2e", ".hidden", "a" * 65])
def test_only_names_of_runs_are_looked_for(lab, name):
    assert lab.get(f"/runs/{name}").status_code == 404
    assert lab.post(f"/runs/{name}/stop").status_code in (404, 405, 415)


def test_runs_of_practice_are_in_a_temporary_folder_that_goes(client):
    runs = RunQueue(None)
    folder = runs.folder
    assert folder.is_dir()
    runs.close()
    assert not folder.exists()
    assert "temporary folder" in client.get("/lab").text


def test_a_run_that_waits_for_a_compilation_names_it_and_the_seconds_left(site, lab, monkeypatch):
    heard, told = threading.Event(), threading.Event()

    def compile_first(place, workers, _):
        workers.watch(RunProgress(load_run(place), 0, 0.0))
        tell(Report(COMPILING, "the simulator", done=0.1, seconds_left=21.4))
        told.set()
        heard.wait(20)
        tell(Report(COMPILING, "the simulator", is_over=True))

    monkeypatch.setattr("upcard.simulation.run.resume_run", compile_first)
    name = start(lab).rpartition("/")[2]
    assert told.wait(20)
    waiting = site.runs.follow(name)[1]
    shown = look(lab, f"/runs/{name}")["progress"]["words"]["left"]
    heard.set()
    site.runs.wait(name)
    assert waiting.words["left"] == shown == "compiling the simulator, about 21 s left"


@pytest.mark.skipif(sys.platform != "linux", reason="threads have no priority of their own here")
def test_the_threads_that_play_a_run_give_way_to_the_pages(site, lab, monkeypatch):
    found = []

    def note():
        yield_to_pages()
        thread = threading.current_thread().name
        found.append((thread, os.getpriority(os.PRIO_PROCESS, threading.get_native_id())))

    monkeypatch.setattr("upcard.services.run_queue.yield_to_pages", note)
    own = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    wait(site, start(lab))
    assert found
    assert all(thread.startswith("chunks") and priority >= 10 for thread, priority in found)
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == own
