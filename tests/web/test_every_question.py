"""Every question of `upcard.answers.questions` goes through every door, and says the same there."""

from __future__ import annotations

import csv
import json
import re
from contextlib import nullcontext
from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from marks import slow_except
from played_rounds import play
from starlette.testclient import TestClient
from unit.analysis.made_games import make_document
from view_shapes import find_result, make_schema, make_whole
from web_server import KEY, ORIGIN, make_site

import upcard
from upcard.analysis.bet_terms import BetTerms, read_terms
from upcard.analysis.indices import search
from upcard.answers.questions import QUESTIONS, Asking
from upcard.cli import app as cli_app
from upcard.cli import questions
from upcard.core import long_work
from upcard.core.errors import BlackjackError, NotationError, RulesError
from upcard.core.fields import list_fields
from upcard.core.figure import ColumnKind, join_tables
from upcard.core.numbers import to_json, with_minus_signs
from upcard.drills.catalogue import DrillOptions
from upcard.rules.house import as_rules
from upcard.store.bankroll import deposit
from upcard.store.database import open_store
from upcard.web.app import make_app
from upcard.web.showing import list_questions
from upcard.web.site import PRACTICE

RULES = "2D"
VALUES = {
    "compare": {"games": ("6D H17",)},
    "bankroll": {"bankroll": "60", "rounds": "300", "paths": "50", "seed": "1"},
    "indices": {"method": "exact", "plays": "16 v T, insurance", "learn": "2"},
    "sidebet": {"bet": "any-pair"},
    "sessions": {"sessions": "3", "rounds": "20", "player": "mimic", "seed": "1"},
    "counts": {"count": "hi-lo"},
    "ceiling": {"count": "hi-lo", "rounds": "60", "seed": "1"},
    "best-count": {"rounds": "0", "seed": "1"},
    "policy": {"p": "0.3"},
    "bench": {"words": ("score",), "player": ("mimic",)},
    "league": {"player": ("mimic", "never-bust"), "rounds": 40, "seed": 1},
    "solve": {"hand": "88 v T"},
}
"""What is asked, where there must be something, or all of it takes minutes."""


QUICKLY = ("--rounds", "40k", "--seed", "1")
FEW_PATHS = ("--rounds", "300", "--paths", "50", "--count", "hi-lo", "--ramp", "1-8", "--seed", "1")
EXACTLY = ("--method", "exact", "--plays", "16 v T, 19 v T")
FEW_ROUNDS = ("--rounds", "100k", "--seed", "1")
DEAR_ONES = (
    *("counted", "several counts", "a sweep", "by cards", "tags for plays", "a goal", "swaps"),
    *("simulated indices", "hands without a bet", "both cards of the dealer", "all side bets"),
)
DEAR = ("ceiling", "best-count", "bankroll", "compare", "find", "removal")
NAMES = slow_except(QUESTIONS.keys() - DEAR, QUESTIONS)
ELSEWHERE = [name for name in QUESTIONS if QUESTIONS[name].is_elsewhere]
ASKED = slow_except(QUESTIONS.keys() - DEAR, [one for one in QUESTIONS if one not in ELSEWHERE])
GAMES = {
    **dict.fromkeys(("counts", "ceiling", "best-count"), "1D SP1"),
    "chart": "INF",
    "stats": None,
}
"""The game where it is not RULES: playing efficiency is of the first, and solved once; None where
none is given."""


@pytest.fixture(scope="module", autouse=True)
def run_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "run.json"
    path.write_text(json.dumps(make_document()), encoding="utf-8")
    VALUES["ramp"] = {"run": str(path), "unit": "5", "bankroll": "1000"}
    yield
    del VALUES["ramp"]


def is_of_shares(table):
    return {one.kind for one in table.shown[1:]} <= {ColumnKind.SHARE, ColumnKind.PERCENT}


def rules_of(name):
    return GAMES.get(name, RULES) if QUESTIONS[name].takes_rules else None


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch):
    monkeypatch.setattr("upcard.answers.asked.counts._QUICK_ROUNDS", 60)


@pytest.fixture(autouse=True)
def few_saved(request):
    """Rounds to add up, the same in each test."""
    if "stats" in request.node.name:
        with open_store() as store:
            deposit(store, 100)
            play(store, as_rules("INF"), 3)


@pytest.fixture
def talk(capsys):
    def run(*words):
        code = cli_app.run([*words])
        return (code, *capsys.readouterr())

    return run


@pytest.fixture
def command(talk):
    return lambda name, *more: talk(name, *list_words(name), *more)[1]


def list_words(name):
    question = QUESTIONS[name]
    words = [RULES] if question.is_by_games else []
    known = {one.name: one for one in question.fields}
    for key, value in VALUES.get(name, {}).items():
        for text in [str(value)] if isinstance(value, str | int) else value:
            words += [text] if known[key].field.is_word else [known[key].option, text]
    if question.takes_rules and not question.is_by_games and rules_of(name):
        words += ["--rules", rules_of(name)]
    return words


@pytest.fixture(scope="module")
def sheets():
    """The answers as Python gives them, each found once."""
    found = {}

    def find(name):
        if name not in found:
            found[name] = upcard.ask(name, rules_of(name), **VALUES.get(name, {}))
        return found[name]

    return find


@pytest.mark.parametrize("name", NAMES)
def test_the_command_writes_the_sheet_as_text(name, sheets, command):
    sheet, shown = sheets(name), command(name)
    if sheet.text is not None and not QUESTIONS[name].writes:
        assert shown == sheet.text()
        return
    for table in sheet.tables:
        short = replace(table, rows=table.rows[: questions._ROWS_SHOWN])
        assert all(with_minus_signs(line) in shown for line in short.lines(77))
    flat = " ".join(shown.split())
    facts = (text for key, text in (*sheet.facts, *sheet.notes) if key != "Time")
    for words in (*sheet.findings, *sheet.sentences, *facts):
        assert " ".join(with_minus_signs(words).split()) in flat


@pytest.mark.parametrize("name", NAMES)
def test_the_command_writes_its_json(name, sheets, command):
    sheet = sheets(name)
    told = json.loads(command(name, "--json"))
    assert list_faults(name, told) == []
    assert drop_seconds(told) == drop_seconds(
        to_json(sheet if sheet.result is None else sheet.result)
    )


def list_faults(name, told):
    """What differs from the schema of the type that the function of a question returns."""
    schema = Draft202012Validator(make_whole(find_result(QUESTIONS[name])))
    return [f"{fault.json_path}: {fault.message[:200]}" for fault in schema.iter_errors(told)]


OTHERS = {
    "a game without a count": ("compare", "6D H17", "6D"),
    "counted": ("compare", "6D", "2D", "--count", "hi-lo", *QUICKLY, "--bankroll", "1000"),
    "several counts": ("compare", "6D", "--count", "hi-lo,ko", *QUICKLY),
    "a sweep": ("compare", "6D", "--count", "hi-lo", *QUICKLY, "--sweep", "pen=70 spread=8,12"),
    "by cards": (*("removal", "--rules", "1D", "--by-cards", "--exact", "1", "--shoes", "2"),),
    "a chart's removal": ("removal", "--rules", "1D SP1"),
    "all side bets": ("sidebet",),
    "a side bet's count": ("sidebet", "any-pair", "--rules", "2D", "--removal", "--count"),
    "all counts": ("counts",),
    "decisions": ("counts", "ko", "--rules", "1D SP1", "--decisions"),
    "an average hand": ("solve", "16 v T", "--rules", "INF"),
    "a hole card": ("solve", "88 v T", "--hole", "6", "--rules", "INF"),
    "money that is infinite": ("policy", "1/2"),
    "no mistakes": ("stats", "--chart"),
    "mistakes of saved stats": ("stats", "--chart"),
    "questions": ("bench", "--rules", "INF"),
    "two players": (*("bench", "score", "--rules", "INF"), *("--player", "mimic") * 2),
    "both cards of the dealer": ("chart", "--house", "double-exposure"),
    "hands without a bet": ("chart", "--house", "free-bet"),
    "swaps": ("chart", "--house", "switch"),
    "bonuses": ("rules", "spanish-21"),
    "a ramp's indices": ("indices", "--rules", "2D", *EXACTLY, "--ramp", "1-8"),
    "simulated indices": ("indices", "--rules", "6D", "--plays", "16 v T", *FEW_ROUNDS),
    "averse indices": (
        *("indices", "--rules", "6D", "--plays", "16 v T", "--ramp", "1-8"),
        *("--bankroll", "400", *FEW_ROUNDS),
    ),
    "a goal": (*("bankroll", "--rules", "6D", "--bankroll", "60", "--goal", "9"), *FEW_PATHS),
    "tags for plays": ("best-count", "playing", "--rules", "1D SP1", "--rounds", "100k"),
    "an effect": ("edge", "--rules", "INF", "--compare", "H17", "--compare", "D9"),
    "own rules": ("rules", "6D LS"),
}
"""More answers, whose results are of another type or have parts that others have not."""


@pytest.mark.parametrize("words", slow_except(OTHERS.keys() - DEAR_ONES, OTHERS))
def test_every_kind_of_result_has_the_schema_of_its_type(words, talk):
    name, *more = OTHERS[words]
    code, out, err = talk(name, *more, "--json")
    assert (code, list_faults(name, json.loads(out))) == (0, []), err


def list_untyped(schema, path=""):
    """The parts of a schema that may be anything, or an object or a list of anything."""
    kind = schema.get("type")
    inside = {
        **schema.get("properties", {}),
        **schema.get("$defs", {}),
        **dict(enumerate((*schema.get("anyOf", ()), *schema.get("prefixItems", ())))),
        **{key: schema[key] for key in ("items", "additionalProperties") if schema.get(key)},
    }
    if not schema.keys() - {"$defs"} or (kind in ("object", "array") and not inside):
        yield path
    for key, part in inside.items():
        yield from list_untyped(part, f"{path}/{key}")


ANY: dict[str, dict[str, str]] = {}
"""The parts that may be anything by question, each with the reason: none."""


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_part_of_a_result_may_be_anything(name):
    assert [*list_untyped(make_whole(find_result(QUESTIONS[name])))] == [*ANY.get(name, ())]


def test_what_may_be_anything_is_found():
    anything = (Any, object, dict[str, Any], list[Any], tuple[int, dict[str, object]], int | object)
    assert [len([*list_untyped(make_schema(one))]) for one in anything] == [1] * len(anything)
    bare = {"type": "object"}, {"type": "array"}, {"type": "object", "properties": {}}
    assert [[*list_untyped(one)] for one in bare] == [[""]] * 3


@pytest.mark.parametrize("damage", [{"more": 1}, {"rules": None}, {"rows": [{"hand": 1}]}])
def test_another_answer_has_not_that_schema(damage, sheets):
    told = to_json(sheets("removal").result)
    assert list_faults("removal", told) == []
    assert list_faults("removal", told | damage)
    del told["rules"]
    assert list_faults("removal", told)


def drop_seconds(document):
    if isinstance(document, list):
        return document
    return {key: value for key, value in document.items() if key != "seconds"}


@pytest.mark.parametrize("name", NAMES)
def test_the_command_writes_its_tables_as_one_csv(name, sheets, command):
    sheet = sheets(name)
    tables = sheet.tables if sheet.data is None else sheet.data
    written = command(name, "--csv", "-")
    if not tables:  # it is refused: an answer may be figures alone
        assert written == ""
        return
    one = tables[0] if len(tables) == 1 else join_tables(tables)
    assert written == one.to_csv()
    head, *rows = csv.reader(written.splitlines())
    assert {len(row) for row in rows} == {len(head)}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_page_of_its_own_is_where_every_door_leads(name):
    question = QUESTIONS[name]
    head = {"Authorization": f"Bearer {KEY}", "Accept": "text/html"}
    with TestClient(make_app(make_site()), base_url=ORIGIN, follow_redirects=False) as client:
        bare = next(one.name for one in question.fields if not one.field.is_word)
        led = client.get(f"/ask/{name}?r=6D&{bare}=2", headers=head)  # which that page has not
        assert (led.status_code, led.headers["location"]) == (303, f"{question.pages[-1]}?r=6D")
        rules = client.get("/rules?r=6D", headers=head)
        assert f'href="/ask/{name}' not in rules.text
        assert f'href="{question.pages[-1]}?r=6D' in rules.text
        for page in question.pages[:-1]:
            given = dict.fromkeys(re.findall(r"{(\w+)}", page), "x/y")
            rest = next(one.name for one in question.fields if one.name not in given)
            led = client.get(f"/ask/{name}", params={**given, rest: "2"}, headers=head)
            where = re.sub(r"{\w+}", "x%2Fy", page)
            assert led.headers["location"] == f"{where}?{rest}=2"
        assert client.get(f"/ask/{name}/tables.csv", headers=head).status_code == 404


@pytest.mark.parametrize("name", [name for name in QUESTIONS if QUESTIONS[name].is_about_you])
def test_a_site_that_saves_nothing_shows_nobodys_rounds(name):
    head = {"Authorization": f"Bearer {KEY}", "Accept": "application/json"}
    with TestClient(make_app(make_site()), base_url=ORIGIN) as client:
        told = client.get(f"/ask/{name}", headers=head)
        assert (told.status_code, told.json()["answer"]) == (422, None)
        assert told.json()["problem"] == PRACTICE
        assert client.get(f"/ask/{name}/tables.csv", headers=head).status_code == 422


@pytest.mark.parametrize("path", ["/rules/chart.svg", "/ask/rules", "/ask/chart/answer.txt"])
def test_equal_rules_are_called_as_they_were_asked_for(path):
    """Rules are equal whatever the name of their house; what was remembered of one had its name."""
    named = as_rules("european")
    plain = str(named.replace(name=""))
    head = {"Authorization": f"Bearer {KEY}", "Accept": "*/*"}
    with TestClient(make_app(make_site()), base_url=ORIGIN) as client:
        asked = [client.get(path, params={"r": r}, headers=head).text for r in ("european", plain)]
    assert ["European" in text for text in asked] == [True, False]


def test_a_file_is_waited_for():
    """A server that had not loaded its solver yet sent "Ask again"."""
    head = {"Authorization": f"Bearer {KEY}", "Accept": "*/*"}
    site = make_site()
    with TestClient(make_app(site), base_url=ORIGIN) as client:
        site.solver.is_loaded = False
        answer = client.get("/ask/chart/answer.txt", params={"r": "2D MS16"}, headers=head)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("name", ASKED)
def test_the_page_and_its_json_have_the_sheet_and_its_files(name):
    question = QUESTIONS[name]
    shown = {one.name for one in question.fields if one.field.is_for_pages}
    values = {key: value for key, value in VALUES.get(name, {}).items() if key in shown}
    fields = {
        key: str(value) if isinstance(value, str | int) else "; ".join(value)
        for key, value in values.items()
    }
    sheet = upcard.ask(
        name,
        rules_of(name),
        asking=Asking(is_patient=False),
        **values,
    )
    head = {"Authorization": f"Bearer {KEY}", "Accept": "application/json"}
    saved = open_store() if question.changes else nullcontext()
    with saved as store, TestClient(make_app(make_site(store)), base_url=ORIGIN) as client:
        asked = {"r": rules_of(name) or ("" if question.has_own_game else RULES), **fields}
        told = client.get(f"/ask/{name}", params=asked, headers=head).json()
        result = told["answer"]["result"]
        assert list_faults(name, told["answer"] if result is None else result) == []
        answer = to_json(sheet)
        if isinstance(answer["result"], dict):
            answer["result"] = drop_seconds(answer["result"])
            told["answer"]["result"] = drop_seconds(told["answer"]["result"])
        assert told["answer"] == answer
        assert [one["name"] for one in told["fields"]] == [
            one.name for one in question.fields if one.field.is_for_pages
        ]
        page = client.get(f"/ask/{name}", params=asked, headers=head | {"Accept": "text/html"})
        assert all(f'name="{one["name"]}"' in page.text for one in told["fields"])
        if not any(one.rows and is_of_shares(one) for one in sheet.tables):
            assert "narrow-only" not in page.text  # where 0.97 would be 1
        for table in sheet.tables:
            if is_of_shares(table) and table.shown[0].kind in (
                ColumnKind.SHARE,
                ColumnKind.PERCENT,
            ):
                first = table.cells[0][0][0]  # a row without a name has its first number short too
                assert f'<td class="is-text"><span class="wide-only">{first}</span>' in page.text
        tables = sheet.tables if sheet.data is None else sheet.data
        assert ("tables.csv" in told["files"]) == bool(tables)
        if tables:
            csv_file = client.get(told["files"]["tables.csv"], headers=head)
            one = tables[0] if len(tables) == 1 else join_tables(tables)
            assert csv_file.text == one.to_csv()
        for file in told["files"]:
            assert client.get(told["files"][file], headers=head).status_code == 200
        assert ("card.html" in told["files"]) == (sheet.card is not None)
        assert ("answer.txt" in told["files"]) == (sheet.text is not None)
        if sheet.text is not None:
            saved = client.get(told["files"]["answer.txt"], headers=head)
            assert saved.text == sheet.text()


def test_long_work_ends_at_the_next_report_where_its_answer_is_not_wanted_any_more(monkeypatch):
    left = Event()

    def simulate(*_, watch, **__):
        left.set()
        watch(0.5)
        pytest.fail("it went on")

    monkeypatch.setattr(search, "simulate_plays", simulate)
    asked = {"method": "simulation", "plays": "12 v 2", "asking": Asking(is_patient=False)}
    with long_work.until(left), pytest.raises(long_work.AbandonedError):
        upcard.ask("indices", RULES, **asked)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("bankroll", {"bankroll": 60.5, "goal": 30, "rounds": 300.0, "paths": 20, "seed": 1}),
        ("sessions", {"player": "mimic", "sessions": 2, "stake": 50, "unit": 0.5, "seed": 1}),
        ("sidebet", {"bet": "any-pair", "count": True, "pen": 0.5}),
    ],
)
def test_python_reads_a_number_as_it_is_typed(name, values):
    texts = {key: one if one is True else str(one) for key, one in values.items()}
    answers = (upcard.ask(name, RULES, **given).result for given in (values, texts))
    assert len({json.dumps(to_json(one)) for one in answers}) == 1
    with pytest.raises(RulesError, match="from 0 to 6"):
        upcard.ask("removal", RULES, by_cards=True, exact=99)


FORMS = {name: one.answer for name, one in QUESTIONS.items()}
FIELDS = {
    f"{name} {one.name}": one
    for name, form in {**FORMS, "train": DrillOptions, "Run.ramp": BetTerms}.items()
    for one in list_fields(form)
}


@pytest.mark.parametrize("field", FIELDS.values(), ids=FIELDS)
def test_python_gives_no_true_but_to_a_mark_and_no_other_texts_than_a_command(field):
    """DrillOptions(mistakes=True) and classes=("nonsense",) were taken as they were."""
    with nullcontext() if field.field.is_mark else pytest.raises(NotationError, match=field.name):
        assert field.take(True) is True
    if field.field.many:
        for part in (True, None):
            with pytest.raises(NotationError, match=f"{field.name}={part}"):
                field.take((part,))
    if field.needs_text:
        with pytest.raises(NotationError, match=f"{field.name}=None"):
            field.take(None)
    if field.field.read is str:
        with pytest.raises(NotationError, match=field.name):
            field.take(as_rules("6D"))
    if field.field.many and field.field.choices:
        with pytest.raises(BlackjackError):
            field.take(("no such choice",))


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("mistakes", lambda: DrillOptions(rules=as_rules("6D"), mistakes=True)),
        ("cell", lambda: DrillOptions(rules=as_rules("6D"), cell=True)),
        ("bankroll", lambda: read_terms(bankroll=True)),
        ("bankroll", lambda: upcard.ask("bankroll", RULES, bankroll=True)),
    ],
)
def test_true_where_a_text_belongs_is_refused_by_the_name_of_its_field(name, make):
    with pytest.raises(NotationError, match=f"{name}=True"):
        make()


def test_python_refuses_what_is_no_question_and_no_field():
    with pytest.raises(RulesError, match="question 'weather'"):
        upcard.ask("weather")
    with pytest.raises(RulesError, match="no 'count': shoe"):
        upcard.ask("dealer", RULES, count="hi-lo")
    with pytest.raises(RulesError, match="no game"):
        upcard.ask("find", RULES)


@pytest.mark.parametrize(
    "words",
    [
        ["--shoe", "nonsense"],
        ["--rules", "NOPE"],
        ["--house", "deshmukh"],
        ["--csv", "-", "--json"],
        ["more"],
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_line(words, talk):
    code, out, err = talk("dealer", *words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1 or err.startswith("Usage")


def test_a_page_fills_in_what_must_be_given_and_refuses_it_at_its_field():
    head = {"Authorization": f"Bearer {KEY}", "Accept": "application/json"}
    with TestClient(make_app(make_site()), base_url=ORIGIN) as client:
        told = client.get("/ask/policy?ev=yes", headers=head).json()
        assert (told["fields"][0]["text"], told["answer"]["result"]["p"]) == ("4/13", "4/13")
        assert [len(one["rows"]) for one in told["answer"]["tables"]] == [33, 109]
        wrong = client.get("/ask/policy?p=2", headers=head).json()
    assert (wrong["answer"], wrong["fields"][0]["problem"][:7]) == (None, "P = '2'")


@pytest.mark.parametrize(
    ("rules", "lacking"),
    [
        (str(as_rules("double-exposure")), {"bench", "indices", "insurance"}),
        ("INF", {"removal", "insurance", "indices", "ceiling", "best-count"}),
        ("6D", set()),
    ],
)
def test_a_game_is_offered_the_questions_that_it_can_be_asked(rules, lacking):
    assert QUESTIONS.keys() - {one.name for one in list_questions(rules)} == lacking
