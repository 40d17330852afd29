"""The history, one's own rounds and any round by its code, as pages and as JSON."""

import csv
import io
import json
from contextlib import contextmanager

import pytest
from html_check import Page, find_faults
from played_rounds import play, play_round, sit_down
from starlette.testclient import TestClient
from web_server import KEY, ORIGIN, make_site

from upcard import Action, Rules
from upcard.core.cards import parse_cards
from upcard.session.review import source_of, write_reviews
from upcard.store.bankroll import deposit
from upcard.store.database import open_store
from upcard.store.history import read_round, read_rounds, row_of
from upcard.store.learning import cost_of_round
from upcard.store.round_codes import encode_round
from upcard.table.rounds import CardList, RoundRecord
from upcard.web.app import make_app
from upcard.web.showing import _environment

ROUNDS = 45
RULES = Rules.parse("INF")


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    """A store with rounds in which one stands; every fifth costs 2.5 chips, in two classes."""
    made = open_store(tmp_path_factory.mktemp("data") / "upcard.db")
    deposit(made, 10_000)
    play(made, RULES, ROUNDS - 5)
    play(made, Rules.parse("INF H17"), 4, seed=5000)
    table = sit_down(made, RULES, seed=9000)  # its shoe stays in play
    play_round(made, table, 0)
    yield made
    table.close()
    made.close()


@pytest.fixture(scope="session")
def served(store):
    with serve(store) as client:
        yield client


@contextmanager
def serve(store):
    site = make_site(store)
    with TestClient(make_app(site), base_url=ORIGIN, follow_redirects=False) as client:
        client.headers["Authorization"] = f"Bearer {KEY}"
        yield client
        site.store = None  # its maker closes it


def read(client, path, status=200):
    answer = client.get(path, headers={"Accept": "application/json"})
    assert answer.status_code == status, answer.text
    page = client.get(path, headers={"Accept": "text/html"})
    assert page.status_code == status
    assert find_faults(page.text) == []
    return answer.json()


@pytest.fixture(scope="session")
def rows(served):
    """Every row of the list, by its number."""
    pages = [read(served, "/history"), read(served, "/history?before=6")]
    return {row["round"]: row for shown in pages for row in shown["rounds"]}


def numbers_of(shown):
    return [row["round"] for row in shown["rounds"]]


def test_the_history_shows_every_round_once_newest_first_page_by_page(served):
    first = read(served, "/history")
    assert (first["found"], first["newer"]) == (ROUNDS, "")
    second = read(served, first["older"])
    assert second["older"] == ""
    assert numbers_of(first) + numbers_of(second) == list(range(ROUNDS, 0, -1))
    assert numbers_of(read(served, second["newer"])) == numbers_of(first)
    assert first["cost"] == "22.50"


def test_a_row_has_the_figures_of_the_saved_round(served, store):
    row = read(served, "/history")["rounds"][0]
    stored = read_round(store, row["round"])
    saved = row_of(stored, cost_of_round(store, stored))
    assert row["code"] == saved["code"]
    assert row["net"].lstrip("+") == str(saved["net"])
    assert row["hands"][0]["outcome"] == saved["hands"][0]["outcome"]


def test_a_row_has_the_grade_of_its_worst_answer(served, rows):
    assert {(row["mistakes"], row["grade"]) for row in rows.values()} == {(0, ""), (1, "blunder")}
    assert (
        '<span class="lost is-blunder">2.50 <small>blunder</small></span>'
        in served.get("/history", headers={"Accept": "text/html"}).text
    )


@pytest.mark.parametrize(
    ("query", "keeps"),
    [
        ("house=INF+H17+PEEK+DOA+DAS+SP4+NRSA+NS+3:2", lambda row: "H17" in row["rules"]),
        ("mistakes=1", lambda row: row["mistakes"]),
        ("class=hard+hits", lambda row: row["mistakes"] and (row["round"] - 1) % 2),
        ("over=2.4", lambda row: row["mistakes"]),
        ("over=2.5", lambda row: float(row["cost"] or 0) > 2.5),
        ("from=2020-01-01&to=9000-01-01", lambda _: True),
        ("to=2020-01-01", lambda _: False),
        ("cell=16+v+T&mistakes=1", lambda row: row["mistakes"] and (row["round"] - 1) % 2),
    ],
)
def test_a_filter_keeps_the_rounds_that_fit_it(served, rows, query, keeps):
    assert len(rows) == ROUNDS
    found = served.get(f"/history.jsonl?{query}")
    assert [json.loads(line)["round"] for line in found.text.splitlines()] == sorted(
        number for number, row in rows.items() if keeps(row)
    )
    headers = {"Accept": "application/json"}
    shown = served.get(f"/history?{query}", headers=headers).json()
    assert shown["found"] == len(found.text.splitlines())
    assert shown["filters"]["is_any"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("house=nowhere", "house"),
        ("class=nothing", "class"),
        ("over=-1", "over"),
        ("from=yesterday", "from"),
        ("to=9999-12-31", "to"),
        ("cell=99+v+Q", "cell"),
    ],
)
def test_a_faulty_filter_is_a_sentence_at_its_field(served, query, field):
    assert list(read(served, f"/history?{query}", 422)["filters"]["problems"]) == [field]
    assert served.get(f"/history.csv?{query}").status_code == 422


def test_the_downloads_are_those_of_the_command_line(served, store):
    stored = list(read_rounds(store))
    lines = served.get("/history.jsonl").text.splitlines()
    rows = [row_of(one, cost_of_round(store, one)) for one in stored]
    assert [json.loads(line) for line in lines] == json.loads(json.dumps(rows))
    answer = served.get("/history.csv")
    assert "attachment" in answer.headers["content-disposition"]
    names, *cells = csv.reader(io.StringIO(answer.text))
    assert names[0] == "round"
    assert len(cells) == ROUNDS
    assert served.get("/history.exe").status_code == 404


def test_the_empty_fields_of_a_form_are_left_out_of_the_address(served):
    answer = served.get("/history?house=&class=&over=2.4&mistakes=1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/history?mistakes=1&over=2.4")


def test_practice_says_that_there_is_no_history(client):
    assert "practice" in read(client, "/history")["why_none"]
    for path in ("/history/1", "/history.csv"):
        assert "practice" in read_words(client, path, 404)


def read_words(client, path, status):
    answer = client.get(path, headers={"Accept": "application/json"})
    assert answer.status_code == status
    assert find_faults(client.get(path).text) == []
    return answer.json()["words"]


def test_an_own_round_is_shown_as_replay_shows_it(served, store):
    shown = read(served, "/history/2")
    source = source_of(store, read_round(store, 2))
    played = source.review()
    assert shown["review"] == json.loads(json.dumps(write_reviews(source, played, None)))
    by_code = read(served, f"/h/{source.code}")
    assert by_code["round"] is None
    assert by_code["hands"] == shown["hands"]


def find_asked(store):
    """Return a round of an ended shoe with one question, and its source."""
    for stored in read_rounds(store):
        source = source_of(store, stored)
        review = source.review()
        asked = [(answer.action, Action.HIT in answer.legal) for answer in review.answers]
        if asked == [(Action.STAND, True)]:
            return stored.id, source
    raise AssertionError


def test_every_place_of_a_round_has_an_address_and_links_to_its_neighbours(served, store):
    number, _ = find_asked(store)
    first = read(served, f"/history/{number}")
    assert (first["place"], first["before"]) == (1, "")
    assert None not in [card for hand in first["hands"] for card in hand["cards"]]
    assert first["question"]["action"] == "stand"
    assert {value["action"] for value in first["question"]["answers"]} >= {"hit", "stand"}
    end = read(served, first["after"])
    assert (end["question"], end["after"]) == (None, "")
    assert [step["is_here"] for step in end["steps"]] == [False, True]
    assert read(served, end["before"])["place"] == 1


def test_a_question_against_an_ace_is_written_with_its_capital_letter():
    template = _environment().from_string(
        "{{ '12 v A'|capitalize }}, {{ 'no insurance'|capitalize }}"
    )
    assert template.render() == "12 v A, No insurance"


def test_what_if_shows_both_ends_side_by_side(served, store):
    number, source = find_asked(store)
    first = read(served, f"/history/{number}")
    links = first["question"]["instead"]
    assert "stand" not in links
    shown = read(served, links["hit"])
    other = source.review(1, (Action.HIT,))
    assert shown["review"] == json.loads(json.dumps(write_reviews(source, source.review(), other)))
    assert len(shown["compared"]["instead"]["hands"][0]["cards"]) > 2
    assert shown["compared"]["played"]["answers"] == "stand"
    assert read(served, shown["as_played"])["compared"] is None
    step = read(served, shown["steps"][0]["href"])
    assert step["question"]["given"] == "instead"


def test_a_place_or_an_answer_that_does_not_exist_is_a_sentence(served, store):
    number, _ = find_asked(store)
    for query in ("at=7", "at=x", "at=1&instead=fly", "at=2&instead=hit", "at=1&instead=split"):
        shown = read(served, f"/history/{number}?{query}", 422)
        assert shown["problem"]
        assert shown["dealer"]
    assert "unknown card" in read(served, f"/history/{ROUNDS}?at=1&instead=hit", 422)["problem"]


def test_unknown_rounds_and_codes_are_sentences(served):
    assert "1 to 45" in read_words(served, "/history/999", 404)
    assert "number" in read_words(served, "/history/x1", 404)
    for code in ("nonsense", "0AAAAAAAA", "%22%3E%3Cscript%3E", "0" + "A" * 3000):
        assert read_words(served, f"/h/{code}", 404)


def test_a_code_whose_answers_do_not_fit_its_cards_is_a_sentence(served):
    source = CardList(parse_cards("TC 9C TD 8D"))
    record = RoundRecord(rules=RULES, bets=(10,), source=source, actions=(Action.SPLIT,))
    assert read_words(served, f"/h/{encode_round(record)}", 422)


def unfinished(hole):
    cards = parse_cards(f"TC 9C 6D {hole} 5C")
    return encode_round(RoundRecord(rules=RULES, bets=(10,), source=CardList(cards), actions=()))


def test_no_page_shows_the_hole_card_of_an_unfinished_round(served):
    pages = []
    for hole in ("8D", "KS"):
        code = unfinished(hole)
        for query in ("", "?at=end", "?at=1&instead=hit"):
            for kind in ("text/html", "application/json"):
                answer = served.get(f"/h/{code}{query}", headers={"Accept": kind})
                assert answer.status_code == (422 if "instead" in query else 200)
                pages.append(answer.text.replace(code, "CODE"))
    assert pages[:6] == pages[6:]
    assert "not finished" in pages[4]


def test_a_damaged_round_is_named_and_the_others_are_shown(tmp_path):
    store = open_store(tmp_path / "upcard.db")
    deposit(store, 1000)
    play(store, RULES, 3)
    store.run("UPDATE rounds SET dealer = 'nothing' WHERE id = 2")
    with serve(store) as client:
        shown = read(client, "/history")
        assert numbers_of(shown) == [3, 2, 1]
        assert "round 2" in shown["rounds"][1]["problem"]
        assert "round 2" in read_words(client, "/history/2", 500)
        assert "round 2" in read_words(client, "/history.csv", 500)
    store.close()


def test_no_link_of_the_history_is_dead(served):
    paths = ["/history?mistakes=1&before=30", "/history/1", "/history/1?at=end"]
    links = {link for path in paths for link in Page(served.get(path).text).links}
    own = [link for link in links if link.startswith(("/h", "/stats"))]
    assert len(own) > 15
    assert [link for link in own if served.head(link).status_code != 200] == []


def test_the_story_of_a_round_names_the_places_of_the_company(tmp_path):
    store = open_store(tmp_path / "upcard.db")
    deposit(store, 1000)
    with sit_down(store, RULES, seed=1) as table:
        state = table.start((10, 10), player_spots=(1,))
        while not state.is_over:
            state = table.act(Action.STAND if Action.STAND in state.legal else state.legal[-1])
        table.end_shoe()
    with serve(store) as client:
        story = " ".join(read(client, "/history/1?at=end")["story"])
    store.close()
    assert "Place 1" in story
    assert "StepPlace" not in story
