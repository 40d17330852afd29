"""Every field of the form of a table goes through every door: option, page, line or key, store."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest
from cli.driving import talk
from html_check import find_faults
from screen_driver import drive, press, text_of
from table_client import HTML, JSON, run_site

from upcard.cli.play import command
from upcard.core.errors import BlackjackError, RulesError, as_sentence
from upcard.rules.model import Rules
from upcard.session import choice
from upcard.session.choice import FIELDS, MORE, ROWS
from upcard.session.plan import COMPANY, TablePlan
from upcard.store.database import open_store
from upcard.tui.app import ScreenOptions

RULES = "6D +PP(25/12/6)"
TEXTS = {
    "hands": "2",
    "chips": "250",
    "bet": "5",
    "side": "pp 2",
    "unit": "5",
    "limit": "50",
    "rounds": "7",
    "company": "mimic; you",
    "coach": "before",
    "knows": "seen",
    "count": "ko:5",
    "check_bets": "1-8",
    "player_seed": "words",
    "keep": "practice",
    "seed": "4",
    "cards": "TS TD 6H 8C 5D",
}
"""A text for each field that is not its default."""
FAULTS = {
    "hands": ({"hands": "9"}, "{hands} 9: in these rules it is 1 to 7 hands a round"),
    "hands as a text": ({"hands": "x"}, "hands 'x': write a whole number, such as 1"),
    "chips": ({"chips": "0"}, "chips '0': write a number over 0"),
    "bet": ({"unit": "5", "bet": "7"}, "{bet} 7: bets are multiples of {unit} 5; {unit} 1 takes"),
    "bet and limit": ({"limit": "5", "bet": "10"}, "{bet} 10: over the {limit} 5"),
    "side": ({"side": "21+3 2"}, "{side}: side bet '21+3': this house has pp"),
    "unit": ({"unit": "0"}, "smallest bet '0': write a number over 0"),
    "limit": ({"limit": "0.5"}, "{limit} 0.5: below the smallest bet, {unit} 1"),
    "company": ({"company": "you; wizard"}, "no player is called 'wizard'"),
    "company and braces": ({"company": "{hands}; you"}, "no player is called '"),
    "coach": ({"coach": "loud"}, "'loud': choose one of silent, after, before"),
    "knows": ({"knows": "all"}, "'all': choose one of fresh, seen"),
    "count": ({"count": "hi-lo:0"}, "{count}: 'hi-lo:0': write a number of rounds, 1 to 99"),
    "check_bets": ({"check_bets": "steep"}, "{check_bets}: ramp 'steep'"),
    "player_seed": ({"player_seed": "x" * 65}, "65 bytes of UTF-8, at most 64"),
    "seed": ({"seed": "-1"}, "seed -1: a seed is a whole number from 0"),
    "cards": ({"cards": "XX"}, "unknown card 'XX'"),
}
BY_KEY = {"side": "bet"}
"""Fields that are typed with another on the start screen."""
NOT_ON_SCREENS = {"rounds"}
"""A person leaves by a key; an end after some rounds is for commands."""
OF_COACH = {"coach", "knows"}
"""What the coach does is saved apart from the table."""
PLAN = [name for name in TEXTS if name in choice.write_texts(TablePlan())]


def say(words, name):
    """Write a sentence with the fields as a door names them."""
    for one in FIELDS.values():
        words = words.replace(f"{{{one.name}}}", name(one))
    return words


def in_words(words):
    return say(words, lambda one: one.title.lower())


def plan_with(**texts):
    plan = TablePlan(rules=Rules.parse(RULES))
    for name, text in texts.items():
        plan = choice.put_field(plan, name, text)
    return plan


def test_each_field_has_a_text_and_a_door_of_the_screen():
    assert set(TEXTS) == set(FIELDS)
    assert {*ROWS, *MORE, *BY_KEY, *NOT_ON_SCREENS} == set(FIELDS)
    assert {one.name for one in FIELDS.values() if not one.field.is_for_pages} == NOT_ON_SCREENS
    faulty = {case.split()[0] for case in FAULTS}
    assert faulty == set(FIELDS) - NOT_ON_SCREENS - {"keep"}


@pytest.fixture
def opened(monkeypatch):
    found = []
    monkeypatch.setattr(command, "can_show_screen", lambda: True)
    monkeypatch.setattr("upcard.tui.app.run_table", found.append)
    return found


@pytest.mark.parametrize("name", FIELDS)
def test_the_option_sets_the_field(name, opened):
    words = [FIELDS[name].option, TEXTS[name]]
    assert talk(["play", "--rules", RULES, *words[: 1 if FIELDS[name].field.sets else 2]]).code == 0
    (opening,) = opened
    assert getattr(opening, name) == FIELDS[name].read(TEXTS[name])
    if name in PLAN:
        assert opening.plan == replace(plan_with(**{name: TEXTS[name]}), title=opening.plan.title)


@pytest.mark.parametrize("name", [name for name in FIELDS if name not in NOT_ON_SCREENS])
def test_the_page_shows_the_field_and_sends_it(name):
    with open_store() as store, run_site(store=store) as client:
        given = client.get("/", params={"r": RULES, name: TEXTS[name]}, headers=JSON).json()
        (shown,) = (one for one in given["fields"] if one["name"] == name)
        assert (shown["text"], shown["title"]) == (TEXTS[name], FIELDS[name].title)
        assert f'id="play-{name}"' in client.get("/", params={"r": RULES}, headers=HTML).text
        seen, sit_down = [], client.site.tables.open

        async def open_table(plan, terms):
            seen.extend((plan, terms))
            return await sit_down(plan, terms)

        client.site.tables.open = open_table
        answer = client.post("/tables", data={"rules": RULES, name: TEXTS[name]}, headers=JSON)
        assert answer.status_code == 303, answer.text
        plan, terms = seen
        assert getattr(terms, name) == FIELDS[name].read(TEXTS[name])
        if name in PLAN:
            assert plan == plan_with(**{name: TEXTS[name]})
        if name in OF_COACH:
            assert TEXTS[name] in (client.site.tables.voice, client.site.tables.knows)


@pytest.mark.parametrize("name", PLAN)
def test_the_screen_and_the_store_have_the_field(name):
    before, text = TablePlan(rules=Rules.parse(RULES)), TEXTS[name]
    plan = choice.put_field(before, name, text)
    assert choice.write_texts(plan)[name] == text
    assert {*choice.write_texts(plan).items()} - {*choice.write_texts(before).items()} >= {
        (name, text)
    }
    assert choice.read_plan(json.loads(json.dumps(choice.write_plan(plan)))) == plan
    rows = {row.kind: row for row in choice.list_rows(before, voice="after", knows="fresh")}
    if name in ROWS and name != "keep":
        assert choice.read_row(before, rows[name], text) == plan
        assert rows[name].name == FIELDS[name].title
    if name == "side":
        assert choice.read_row(before, rows[BY_KEY[name]], f"10 {text}") == plan


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_stands_at_its_field_with_the_same_sentence(case, opened):
    texts, words = FAULTS[case]
    has_braces = any("{" in text for text in texts.values())
    name = case.split(" ")[0]
    options = [part for one, text in texts.items() for part in (FIELDS[one].option, text)]
    answer = talk(["play", "--rules", RULES, *options])
    assert (answer.code, opened) == (2, [])
    assert say(words, lambda one: one.option) in answer.err
    with run_site() as client:
        form = {"rules": RULES, **texts}
        refused = client.post("/tables", data=form, headers=JSON)
        assert refused.status_code == 422
        assert list(refused.json()["fields"]) == [name]
        said = refused.json()["fields"][name]
        assert in_words(words).lower() in said.lower()
        assert ("{hands}" in said, "{hands}" in answer.err) == (has_braces, has_braces)
        page = client.post("/tables", data=form, headers=HTML).text
        marked = f'id="play-{name}-about" class="problem"'
        assert marked in page
        assert find_faults(page) == []
    put = choice.put_field if name in PLAN else put_term
    with pytest.raises(BlackjackError) as error:
        put_all(put, texts)
    if name not in OF_COACH:
        assert as_sentence(str(error.value)) == said


def put_term(plan, name, text):
    choice.put_term(ScreenOptions(), plan, name, text)
    return plan


def put_all(put, texts):
    plan = TablePlan(rules=Rules.parse(RULES))
    for name, text in texts.items():
        plan = put(plan, name, text)


@pytest.mark.parametrize("name", ["bet", "chips", "unit", "limit", "check_bets", "side"])
def test_what_a_house_has_no_room_for_is_refused_and_not_shown(name):
    with run_site() as client:
        shown = client.get("/", params={"r": "roanoke"}, headers=JSON).json()["fields"]
        assert name not in {one["name"] for one in shown}
        form = {"rules": "roanoke", name: TEXTS[name]}
        said = client.post("/tables", data=form, headers=JSON).json()["fields"]
    words = f"{FIELDS[name].title}: there are no bets in roanoke."
    assert said == {name: words}


def test_practice_alone_refuses_to_save():
    with run_site() as client:
        answer = client.post("/tables", data={"rules": RULES, "keep": "saved"}, headers=JSON)
        assert list(answer.json()["fields"]) == ["keep"]
        answer = client.post("/tables", data={"rules": RULES, "keep": "banana"}, headers=JSON)
        assert list(answer.json()["fields"]) == ["keep"]


def test_a_seed_is_for_once_and_a_ramp_is_told_at_the_table():
    with open_store() as store, run_site(store=store) as client:
        form = {"rules": "6D NOINS", "check_bets": "2-8", "seed": "4"}
        path = client.post("/tables", data=form).headers["location"].partition("?")[0]
        assert path.startswith("/t/p-")
        table = client.get(path, headers=JSON).json()
        placed = client.post(
            f"{path}/bet", data={"v": table["version"], "bet": "10"}, headers=JSON
        ).json()
        told = [note for note in placed["notes"] if note.startswith("The ramp ")]
        assert len(told) == 1
        kept = choice.load_last_plan(store)
        assert (kept.check_bets, kept.keeps) == ("2-8", True)


PLAIN = {"house": "", "rules": "6D S17 PEEK DOA DAS SP4 NRSA NS 3:2", "hands": 1, "bet": "10"}
PLAIN |= {"unit": "1", "company": "", "keeps": True, "count": ""}
EUROPEAN = {"house": "european", "rules": "6D S17 ENHC D9 DAS SP4 NRSA LS 3:2", "bet": "2.5"}
SAVED = [
    PLAIN,
    PLAIN | EUROPEAN | {"hands": 2, "unit": "1/2", "company": "you; mimic", "keeps": False},
    PLAIN | {"rules": f"{PLAIN['rules']} +PP(25/12/6)", "bet": "10 pp 2", "count": "ko:5"},
]
"""Tables that earlier versions saved."""


@pytest.mark.parametrize("kept", SAVED)
def test_a_table_that_an_earlier_version_saved_is_read(kept):
    plan = choice.read_plan(kept)
    assert (plan == TablePlan()) == (kept is PLAIN)
    again = choice.write_plan(plan)
    assert {name: again[name] for name in kept} == kept
    assert {again[name] for name in again.keys() - kept.keys()} == {""}


@pytest.mark.slow
def test_the_key_for_other_choices_lists_and_takes_them():
    async def script(pilot, app):
        await press(pilot, "o")
        shown = text_of(app)
        assert all(f"{FIELDS[name].title}: -" in shown for name in MORE)
        await press(pilot, "down", "enter", "0", ".", "5", "enter")
        reason = in_words(FAULTS["limit"][1])[1:]
        assert reason in " ".join(text_of(app).split())
        await press(pilot, *["backspace"] * 3, "5", "enter")
        assert (app.screen.choice.limit, app.screen.choice.bet) == (5, 5)
        await press(pilot, "o", "enter", *"250", "enter", "enter")
        assert app.seat.session.bank.balance == Fraction(250)

    drive(script)


def row_of(plan, kind):
    return {row.kind: row for row in choice.list_rows(plan, voice="after", knows="fresh")}[kind]


@pytest.mark.parametrize("put", [("limit", "3"), ("bet", "10 pp 2")])
def test_a_smallest_bet_that_cannot_be_is_not_turned_to_and_says_why(put):
    plan = TablePlan(rules=Rules.parse("6D +PP(25/12/6)"))
    name, text = put
    plan = choice.read_row(plan, row_of(plan, "bet"), text) if name == "bet" else plan
    plan = choice.put_field(plan, name, text) if name == "limit" else plan
    turned, note = choice.turn_row(plan, row_of(plan, "unit"), 1)
    assert (turned, bool(note)) == (plan, True)


def test_a_smallest_bet_that_was_turned_back_is_as_before_and_a_chosen_one_is_kept():
    plan = TablePlan(rules=Rules.parse("6D"))
    turned, _ = choice.turn_row(plan, row_of(plan, "unit"), 1)
    assert choice.turn_row(turned, row_of(turned, "unit"), -1)[0].ramp_unit == plan.ramp_unit
    chosen = choice.put_field(plan, "unit", "1")
    assert choice.read_plan(choice.write_plan(chosen)).ramp_unit == chosen.ramp_unit == 1


@pytest.mark.parametrize("house", ["spanish-21", "pontoon-au", "6D48", "INF"])
@pytest.mark.parametrize("counting", [{"count": "hi-lo:3"}, {"check_bets": "1-8"}])
def test_a_saved_table_is_read_though_its_cards_are_not_counted_so(house, counting):
    kept = {"house": "", "rules": str(Rules.parse(house)), "hands": 1, "bet": "25", "unit": "5"}
    plan = choice.read_plan(kept | {"keeps": True, "company": "", **counting})
    assert (plan.rules, plan.bet, plan.unit) == (Rules.parse(house), 25, 5)
    assert {name: getattr(plan, name) for name in counting} == counting


def test_what_cannot_be_counted_by_any_more_goes_alone():
    kept = choice.write_plan(TablePlan(rules=Rules.parse("6D"), bet=25, count="hi-lo:1"))
    plan = choice.read_plan(kept | {"check_bets": "gone.txt"})
    assert (plan.bet, plan.count, plan.check_bets) == (25, "hi-lo:1", "")
    assert choice.read_plan(kept | {"count": "gone.toml"}).count == ""
    assert choice.read_plan(kept | {"count": "gone.toml"}).bet == 25


def test_a_count_is_switched_off_where_a_ramp_cannot_be():
    plan = TablePlan(rules=Rules.parse("spanish-21"), count="hi-lo:3", check_bets="1-8")
    assert choice.put_field(plan, "count", "Off").count == ""
    turned, _ = choice.turn_row(plan, row_of(plan, "count"), 1)
    assert turned.count != "hi-lo:3"


def test_your_seed_is_refused_for_a_table_that_is_practice():
    plan = replace(TablePlan(rules=Rules.parse("6D")), keeps=False)
    with pytest.raises(RulesError, match="no commitment"):
        choice.put_term(ScreenOptions(), plan, "player_seed", "abc")
    seeded = choice.put_term(ScreenOptions(), replace(plan, keeps=True), "player_seed", "abc")
    assert "no commitment" in choice.why_not_opened(seeded, plan)
    assert choice.why_not_opened(seeded, replace(plan, keeps=True)) == ""


def test_side_bets_are_refused_as_they_were_typed():
    plan = TablePlan(rules=Rules.parse("6D +PP(25/12/6)"))
    with pytest.raises(BlackjackError, match="'5': write each"):
        choice.read_row(plan, row_of(plan, "bet"), "10 5")


@pytest.mark.parametrize("house", ["spanish-21", "pontoon-au", "INF", "double-exposure"])
def test_a_form_for_another_game_can_be_sent_as_it_is_shown(house, tmp_path):
    with open_store(tmp_path / "upcard.db") as store, run_site(store=store) as client:
        plan = TablePlan(rules=Rules.parse("6D"), count="hi-lo:1", check_bets="1-8")
        choice.save_last_plan(store, replace(plan, company=COMPANY["a full table"]))
        shown = client.get("/", params={"r": house}, headers={"Accept": "application/json"}).json()
        again = {one["name"]: one["text"] for one in shown["fields"]} | {"rules": house}
        again["chips"] = "100"
        answer = client.post("/tables", data=again, follow_redirects=False)
        assert answer.status_code == 303, answer.text
