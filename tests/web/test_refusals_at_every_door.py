"""What a hand, a chart, rules and houses refuse: by the command, in Python and on the page."""

from __future__ import annotations

import html

import pytest

import upcard
from upcard.answers.questions import QUESTIONS, Asking
from upcard.cli.app import run
from upcard.core.errors import BlackjackError

HAND = {"hand": "88 v T"}
BY_COMMAND = {
    "no hand": (["solve"], "hand is empty. Hand v upcard: T6 v 9"),
    "no rules": (["rules"], "no rules: write them in notation"),
    "no such house file": (["rules", "nowhere.toml"], "nowhere.toml"),
    "a word for houses": (["houses", "zombie"], "unexpected extra argument"),
    "houses twice on the screen": (["houses", "--csv", "-", "--json"], "both want the screen"),
    "rules twice on the screen": (["rules", "6D", "--csv", "-", "--json"], "both want the screen"),
    "a hand twice on the screen": (["solve", "88 v T", "--csv", "-", "--json"], "want the screen"),
    "a house and rules": (["solve", "88 v T", "--rules", "6D", "--house", "lott"], "not both"),
    "a total and a hole card": (["solve", "16 v T", "--hole", "6"], "'16' with --hole: name its"),
    "4 doubles": (["solve", "88 v T", "--doubled", "4"], "'4': write a whole number from 0 to 3"),
    "half a double": (["solve", "88 v T", "--doubled", "0.5"], "'0.5': write a whole number"),
    "one hand, no picture": (["solve", "88 v T", "--plot", "-"], "No such option"),
    "another format than JSON": (
        ["chart", "--json", "--format", "tsv"],
        "--json with --format tsv",
    ),
    "7 bits of JSON": (["chart", "--json", "--ascii"], "--ascii with --json: it is for text"),
    "7 bits of a file": (["chart", "-o", "a.svg", "--ascii"], "--ascii with --format svg"),
    "figures in JSON": (["chart", "--json", "--numbers", "ev"], "--numbers with --format json"),
    "no exceptions in a file": (["chart", "-o", "a.html", "--no-exceptions"], "--no-exceptions"),
    "an unknown ending": (["chart", "-o", "a.gif"], "-o 'a.gif': no chart is written as .gif"),
    "a folder that is none": (["chart", "-o", "/nowhere/a.svg"], "-o '/nowhere/a.svg'"),
    "a chart twice on the screen": (["chart", "--csv", "-", "--json"], "both want the screen"),
}
EVERYWHERE = {
    "a hand without an upcard": ("solve", {"hand": "8 T"}, "write a hand, v and the upcard"),
    "a bust hand": ("solve", {"hand": "TTT v 9"}, "counts 30: it is bust"),
    "a card that is none": ("solve", {"hand": "T1 v 9"}, "unknown card"),
    "a hole card that is none": ("solve", HAND | {"hole": "X"}, "unknown card 'X'"),
    "a shoe that is none": ("solve", HAND | {"shoe": "2D less X"}, "unknown card 'X'"),
    "a split play that is none": ("solve", HAND | {"splits": "CDX"}, "one of CDZ-, CDP1, CDP"),
    "doubles over the rule": ("solve", HAND | {"doubled": "1"}, "doubled"),
    "a chart of no cards": ("chart", {"shoe": "2D less X"}, "unknown card 'X'"),
}


@pytest.fixture
def ask_command(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def ask(*words):
        code = run([*words])
        assert list(tmp_path.iterdir()) == []
        return (code, *capsys.readouterr())

    return ask


@pytest.mark.parametrize("case", BY_COMMAND)
def test_the_command_refuses_before_it_writes(case, ask_command):
    words, said = BY_COMMAND[case]
    code, out, err = ask_command(*words)
    assert (code, out) == (2, "")
    assert (err.startswith("upcard"), err.count("\n")) == (True, 1)
    assert said in err


@pytest.mark.parametrize("case", EVERYWHERE)
def test_every_door_refuses_the_same(case, ask_command, client):
    name, fields, said = EVERYWHERE[case]
    words = [name]
    for one in QUESTIONS[name].fields:
        if text := fields.get(one.name):
            words += [text] if one.field.is_word else [one.option, text]
    code, out, err = ask_command(*words, *["--rules", "2D"] * (name != "rules"))
    assert (code, out) == (2, "")
    assert said in err
    with pytest.raises(BlackjackError) as refused:
        upcard.ask(name, "2D", **fields)
    assert said in str(refused.value)
    for kind in ("application/json", "text/html"):
        answer = client.get(f"/ask/{name}", params={"r": "2D", **fields}, headers={"Accept": kind})
        assert answer.status_code == 422
        assert said.lower() in html.unescape(answer.text).replace("\\'", "'").lower()


@pytest.mark.parametrize(
    "name",
    [name for name, one in QUESTIONS.items() if "splits" in {field.name for field in one.fields}],
)
def test_no_page_splits_with_a_memory_that_takes_minutes(name, client):
    fields = {"r": "1D SP2", "splits": "full", **(HAND if name == "solve" else {})}
    told = client.get(f"/ask/{name}", params=fields, headers={"Accept": "application/json"})
    (problem,) = (one["problem"] for one in told.json()["fields"] if one["name"] == "splits")
    assert (told.status_code, told.json()["answer"]) == (422, None)
    assert "the commands edge, solve and removal have it" in problem


def test_a_page_explains_no_file_of_the_server(client, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('title = "A canary"\nsource = "Me"\nabout = "Small"\nrules = "1D H17"\n')
    head = {"Accept": "application/json"}
    told = client.get("/ask/rules", params={"text": str(file)}, headers=head)
    assert told.status_code == 422
    assert "canary" not in told.text
    assert upcard.ask("rules", text=str(file)).result.house.title == "A canary"


def test_rules_are_given_once(client):
    """A page sends no game on beside a text that names one."""
    with pytest.raises(BlackjackError, match="game"):
        upcard.ask("rules", "1D", text="european")
    head = {"Accept": "application/json"}
    assert client.get("/ask/rules?r=1D", headers=head).json()["keeps_rules"] is False
    told = client.get("/ask/rules", params={"text": "6D FOO"}, headers=head)
    assert (told.status_code, "FOO" in told.json()["problem"]) == (422, True)


WITH_PAGES = [name for name, one in QUESTIONS.items() if one.pages and not one.is_elsewhere]


@pytest.mark.parametrize("name", WITH_PAGES)
def test_lists_of_questions_lead_to_the_page_of_its_own(name, client):
    page = client.get("/rules", params={"r": "INF"}).text
    assert f'href="/ask/{name}' not in page
    assert client.get(QUESTIONS[name].pages[-1]).status_code == 200


@pytest.mark.slow
def test_the_format_of_a_chart_is_that_of_json_of_the_option_or_of_the_ending(capsys, tmp_path):
    def write(*words):
        assert run(["chart", "--rules", "INF", *words]) == 0
        return capsys.readouterr().out

    texts = {kind: upcard.ask("chart", "INF", format=kind).text() for kind in ("json", "svg")}
    assert write("--json") == write("--format", "json") == texts["json"]
    for name, words, kind in (
        ("a.SVG", (), "svg"),
        ("a.txt", ("--format", "svg"), "svg"),
        ("a.json", (), "json"),
        ("a.svg", ("--json",), "json"),
    ):
        file = tmp_path / name
        assert write("-o", str(file), *words) == ""
        assert file.read_text(encoding="utf-8") == texts[kind]
    plain, colored = (
        upcard.ask("chart", "INF", asking=Asking(has_color=one)).text() for one in (False, True)
    )
    assert ("\x1b[" in plain, "\x1b[" in colored) == (False, True)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("rules", "titles"),
    [
        ("INF FDANY FSANY", ["Hands that the house has paid for"]),
        ("2D FD9-11 FSNT P22", ["Hands that the house has paid for", "Hands that you pay for"]),
        ("1D48 RD2 RE W21 BON DANY", ["After a double", "Hands better"]),
    ],
)
def test_a_chart_has_its_other_parts_at_every_door(rules, titles, client):
    """A page that shows one part of a chart would be followed in the hands of another."""
    sheet = upcard.ask("chart", rules)
    named = [one.title for one in sheet.tables[1:] if one.rows]
    assert [any(one.startswith(title) for one in named) for title in titles] == [True] * len(titles)
    shown = client.get("/ask/chart", params={"r": rules}, headers={"Upcard-Parts": "answer"}).text
    assert all(f"<h2>{title}" in shown for title in titles)
    drawn = sheet.text()
    for table in sheet.tables[1:]:
        for row in table.to_dicts():
            assert str(next(iter(row.values()))).replace(" ", ",") in drawn
    letters = dict(sheet.notes)
    assert len(letters) == len(sheet.notes)  # a mark that means two things is explained twice
    assert {title for title in titles if "paid" in title or "double" in title} <= set(letters)
