"""The table in the browser: every route as a page and as JSON, and nothing is played twice."""

import asyncio
import os
import random
import sqlite3
from contextlib import closing

import pytest
from html_check import Page, find_faults
from table_client import HTML, JSON, PARTS, TableClient, run_site

from upcard.core.cards import Card
from upcard.core.numbers import signed, to_json
from upcard.drills.learned import load_goal
from upcard.rules.model import Rules
from upcard.services import open_tables
from upcard.session.choice import save_last_plan
from upcard.session.game_session import GameSession
from upcard.session.plan import PlayTerms, TablePlan, title_of
from upcard.session.table_view import turn_up, view_session
from upcard.store.database import open_store
from upcard.store.files import StoreError
from upcard.store.money import load_pace
from upcard.strategy.count_system import load_system
from upcard.table.events import Board
from upcard.table.shoe import make_practice_shoe


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "upcard.db") as found:
        yield found


def test_a_hand_is_played_from_the_form_to_its_settlement():
    with run_site(cards="8S TH 8D 6C 3H 5D TS") as client:
        page = client.get("/", headers=HTML)
        assert 'action="/tables"' in page.text
        player = TableClient(client, rules="6D")
        assert player.view["between"]["bet"] == "10"
        player.bet()
        assert player.session["dealer"] == {"cards": ["TH", None], "total": "10"}
        assert player.view["beats"] == {"0 0": 1, "dealer 0": 2, "0 1": 3, "dealer 1": 4}
        assert "16 against ten of hearts" in player.view["said"]
        player.act("hit")
        assert player.view["beats"] == {"0 2": 1}
        view = player.act("stand")
        assert (player.session["result"], view["between"]["tone"]) == ("You lose 10.", "bad")
        assert view["turned"] == 1
        assert player.session["balance"] == "90"
        page = player.check_page().text
        assert "You lose 10." in page
        assert ">−10<" in page  # the net, with a minus sign


def test_a_void_round_has_no_verdict_and_nothing_is_left_to_take_back():
    """Fault 11."""
    with run_site(cards="T 6 2 T 2", has_coach=True) as client:
        player = TableClient(client, rules="6D", coach="after")
        player.bet()
        player.act("hit")
        view = player.act("hit")
        assert "this round does not count" in view["said"]
        assert player.view["coach"]["verdicts"] == []
        assert not player.view["can_undo"]
        assert "does not count, and your bet is back" in player.post("undo", JSON).text
        assert player.session["balance"] == "100"


def test_the_first_hands_are_led_step_by_step_and_continue_where_they_were_left(store):
    with run_site(store=store) as client:
        begin = client.post("/first-hands").headers["location"].partition("?")[0]
        player = TableClient(client, begin)
        assert player.view["guide"]["title"] == "Step 1 of 7: Bet"
        player.bet()
        assert player.view["guide"]["action"] == "hit"
        assert not player.view["can_undo"]
        assert player.post("act", do="stand").status_code == 422
        player.act("hit")
        player.act("stand")
        player.check_page()
        client.post(f"{begin}/leave", data={"v": player.view["version"]})
        assert client.get("/first-hands", headers=JSON).json()["done"] == 3
        again = client.post("/first-hands").headers["location"].partition("?")[0]
        assert TableClient(client, again).view["guide"]["hands_played"] == 1


def test_the_start_page_offers_the_game_that_was_chosen_last_here_or_on_the_screen(store):
    with run_site(store=store) as client:
        client.site.follows_last_game = True
        TableClient(client, rules="2D H17", keep="saved")
        assert client.get("/", headers=JSON).json()["game"]["rules"].startswith("2D H17")
        save_last_plan(store, TablePlan(rules=Rules.parse("european")))
        assert client.get("/", headers=JSON).json()["game"]["house"]["name"] == "european"


def test_the_bet_and_speed_of_costs_are_set_once_and_every_answer_follows(store):
    with run_site(store=store) as client:
        before = client.get("/?r=european", headers=JSON).json()["edge"]["sentence"]
        assert client.post("/settings", data={"bet": "25", "hands": "80"}).status_code == 303
        after = client.get("/?r=european", headers=JSON).json()["edge"]["sentence"]
        assert "at 10 a hand, 100 hands an hour" in before
        assert "at 25 a hand, 80 hands an hour" in after
        refused = client.post("/settings", data={"bet": "much"}, headers=HTML)
        assert refused.status_code == 422
        assert find_faults(refused.text) == []
        assert load_pace().bet == 25


def test_the_coach_before_says_the_unit_and_a_reason_and_mistakes_stay_listed():
    with run_site(cards="TS TH 6D 7C 5H TS 9H TC 7C", has_coach=True) as client:
        player = TableClient(client, rules="6D", coach="before")
        player.bet()
        answer = client.get(f"{player.path}/coach", headers=JSON).json()["coach"]
        assert (answer["state"], answer["unit"]) == ("ready", "of a bet")
        assert "of a bet" in answer["reason"]
        assert answer["mistakes"] == []
        player.look()
        player.act("double")  # 16 against a ten
        answer = client.get(f"{player.path}/coach", headers=JSON).json()["coach"]
        (mistake,) = answer["mistakes"]
        assert mistake.startswith("Hand 1: You doubled 16 v 10.")
        player.look()
        player.bet()  # the verdict is not lost by the next hand
        assert player.view["coach"]["mistakes"] == [mistake]
        player.check_page()


def test_a_goal_is_saved_by_post_and_never_by_the_address_of_a_page():
    with open_store() as store, run_site(store=store) as client:
        assert client.get("/ask/mastery?r=INF&goal=0.1%25", headers=JSON).status_code == 200
        assert load_goal(store) is None
        assert client.post("/ask/mastery", data={"r": "INF", "goal": "0.1%"}).status_code == 303
        assert load_goal(store).share == 0.001
    with run_site() as client:
        refused = client.post("/ask/mastery", data={"r": "INF", "goal": "0.2%"}, headers=JSON)
        assert refused.status_code == 422


def test_the_story_of_a_round_begins_with_its_shuffle():
    with run_site(seed=3) as client:
        player = TableClient(client, rules="1D", bet="5")
        assert player.bet("5")["story"][:2] == [
            "The cards are shuffled.",
            "A round begins, bets 5.",
        ]
        stories = [" ".join(view["story"]) for view in player.play(random.Random(1), steps=40)]
        assert all(one.count("A round begins") == 1 for one in stories)
        assert 1 < sum("shuffled" in one for one in stories) < 40


def test_a_move_at_a_saved_table_waits_for_the_disk_once_before_it_is_answered(store, monkeypatch):
    syncs, statements = [], []
    monkeypatch.setattr(os, "fsync", lambda _: syncs.append(1))
    with run_site(store=store) as client:
        player = TableClient(client, rules="6D", keep="saved", company="basic; you; mimic")
        store.db.set_trace_callback(statements.append)
        for _ in range(4):
            syncs.clear()
            statements.clear()
            player.stand() if player.asked else player.bet()
            assert len(syncs) == 1
            assert statements.count("COMMIT") == statements.count("PRAGMA synchronous = NORMAL")
            if not player.asked:
                break
        assert statements.count("COMMIT") > 1  # answers of all, and the settlement


@pytest.mark.parametrize("state", ["betting", "asked", "settled", "left"])
def test_a_table_is_well_formed_and_labelled_in_every_state(state):
    with run_site(cards="8S TH 8D 6C 3H 5D TS", has_coach=True) as client:
        player = TableClient(
            client, coach="before", company="mimic; you" if state == "left" else ""
        )
        if state in ("asked", "settled"):
            player.bet()
        if state == "settled":
            player.act("stand")
        if state == "left":
            assert player.post("leave", HTML).headers["location"] == f"{player.path}/left"
            assert player.check_page("/left").status_code == 200
            assert player.check_page().status_code == 200
            assert player.look().json()["page"] == "left"
            return
        for path in ("", "/coach", *(("/why", "/changes") if state != "betting" else ())):
            answer = player.check_page(path)
            assert answer.status_code == 200
        parts = client.get(player.path, headers=PARTS).text
        assert parts.lstrip().startswith('<div id="table"')


@pytest.mark.parametrize(
    ("move", "form"),
    [("bet", {"bet": "10"}), ("hands", {"hands": "2"}), ("undo", {}), ("act", {"do": "stand"})],
)
def test_a_form_without_scripts_leads_back_to_the_table(move, form):
    with run_site(seed=3) as client:
        player = TableClient(client)
        if move in ("undo", "act"):
            player.bet()
        if move == "undo":
            player.act("hit")
        answer = player.post(move, HTML, **form)
        assert answer.status_code == 303
        assert answer.headers["location"].partition("?")[0] == player.path


def test_an_old_version_plays_nothing_and_shows_the_table_as_it_is():
    with run_site(seed=3) as client:
        player = TableClient(client)
        version = player.view["version"]
        first = player.bet()
        for headers in (JSON, HTML, PARTS):
            again = player.post("bet", headers, v=version, bet="10")
            assert again.status_code == 409
            if headers is JSON:
                assert again.json()["error"] == "old-version"
                assert again.json()["session"] == first["session"]
            if headers is HTML:
                assert find_faults(again.text) == []
        for move in ("act", "undo", "count", "hands", "chips", "seed", "end-shoe", "leave"):
            assert player.post(move, v=version, do="stand").status_code == 409
        assert client.post(f"{player.path}/act", data={"do": "hit"}).status_code == 409
        assert player.look().json()["version"] == first["version"]
        for path in ("/coach", "/why", "/changes"):
            assert client.get(f"{player.path}{path}?v={version}").status_code == 409


@pytest.mark.parametrize(
    ("move", "form", "words"),
    [
        ("bet", {"bet": "x"}, "write a number"),
        ("bet", {"bet": "2.5"}, "whole chips"),
        ("bet", {"bet": "1000"}, "more than your balance"),
        ("hands", {"hands": "70"}, "1 to 7 hands"),
        ("hands", {"hands": "many"}, "whole number"),
        ("act", {"do": "hit"}, "no hand is asked"),
        ("act", {"do": "jump"}, "Unknown action"),
        ("undo", {}, "Cannot undo"),
        ("count", {"count": "1"}, "not asked now"),
        ("chips", {}, "brought between hands"),
        ("seed", {"text": "mine"}, "no commitment"),
        ("end-shoe", {}, "no commitment"),
    ],
)
def test_what_is_not_possible_is_a_sentence_and_changes_nothing(move, form, words):
    with run_site(seed=3) as client:
        player = TableClient(client)
        before = player.view["version"]
        answer = player.post(move, **form)
        assert answer.status_code == 422
        assert (answer.json()["error"], answer.json()["version"]) == ("refused", before)
        assert words in answer.json()["problem"]
        assert find_faults(player.post(move, HTML, **form).text) == []


def test_the_start_page_comes_while_someone_else_sits_down(monkeypatch):
    with run_site(seed=3) as client:
        player = TableClient(client)
        player.bet()
        is_playing = GameSession.is_playing.fget
        seats = client.site.tables

        def sit_down(session):
            """Open another table while this one is looked at, as a thread of the server does."""
            monkeypatch.setattr(GameSession, "is_playing", property(is_playing))
            seats._sit_down(asyncio.get_event_loop(), session.plan, PlayTerms())
            return is_playing(session)

        monkeypatch.setattr(GameSession, "is_playing", property(sit_down))
        page = client.get("/", headers=HTML)
        assert page.status_code == 200
        assert player.path in page.text


def test_an_unfinished_practice_hand_is_left_only_when_that_is_certain():
    with run_site(seed=3) as client:
        player = TableClient(client)
        player.bet()
        answer = player.post("leave")
        assert (answer.status_code, answer.json()["error"]) == (409, "unsure")
        assert player.post("leave", sure="1").json()["page"] == "left"
        assert player.post("leave", sure="1").json()["page"] == "left"


@pytest.mark.parametrize(
    ("path", "status"),
    [("/t/p-gone", 410), ("/t/s1", 404), ("/t/x", 404), ("/t/s99999999999999999999", 404)],
)
def test_a_table_that_is_not_there_is_a_sentence_with_a_way_on(client, path, status):
    assert client.get(path, headers=JSON).status_code == status
    page = client.get(path, headers=HTML)
    assert page.status_code == status
    assert 'href="/"' in page.text
    assert client.post(f"{path}/act", data={"v": 1, "do": "hit"}).status_code == status


def test_a_practice_table_that_is_gone_offers_its_rules_again():
    with run_site(seed=3) as client:
        form = {"rules": "6D H17", "keep": "practice"}
        path = client.post("/tables", data=form).headers["location"]
        assert find_faults(client.get(path, headers=HTML).text) == []
        rules = client.get(path, headers=JSON).json()["session"]["rules"]
    with run_site(seed=3) as client:
        page = client.get(path, headers=HTML)
        assert page.status_code == 410
        assert find_faults(page.text) == []
        assert f'name="rules" value="{rules}"' in page.text
        gone = client.get(path, headers=JSON).json()
        assert (gone["error"], gone["rules"]) == ("gone", rules)
        # A form of the page that is still open names them too.
        name, _, query = path.partition("?")
        posted = client.post(f"{name}/bet?{query}", data={"v": 1, "bet": "10"}, headers=HTML)
        assert (posted.status_code, rules in posted.text) == (410, True)
        for text in ("", "NOPE", "/etc/passwd"):
            again = client.get(name, params={"r": text}, headers=JSON)
            assert (again.status_code, "rules" in again.json()) == (410, False)


def test_the_running_count_is_asked_before_the_bet_and_answered_or_skipped():
    cards = "5S TH 6D 9C TC 4S 9S 6C 7D 8H 9D TS 9H KC QD 2C 3C 7H"
    with run_site(cards=cards) as client:
        player = TableClient(client, rules="6D", count="hi-lo:1")
        assert player.view["between"]["count_question"] == ""
        player.bet()
        player.act("stand")
        assert player.view["between"]["count_question"] == "What is the running count (hi-lo)?"
        assert player.view["said"].endswith("What is the running count (hi-lo)?")
        assert "What is the running count" in player.check_page().text
        for bet in ("10", "many"):
            problem = player.post("bet", bet=bet).json()["problem"]
            assert problem == "The running count is asked first: answer it or skip it."
        assert "write a number" in player.post("count", count="many").json()["problem"]
        seen = [card for hand in player.session["hands"] for card in hand["cards"]]
        seen += player.session["dealer"]["cards"]
        count = sum(load_system("hi-lo").tag(Card(card)) for card in seen)
        view = player.move("count", count=str(count))
        assert view["notes"] == [f"Right: the running count is {signed(count)}."]
        assert view["between"]["count_question"] == ""
        player.bet()
        player.act("stand")
        wrong = player.move("count", count="77")
        assert "you said +77" in wrong["notes"][0]
        player.bet()
        player.act("stand")
        skipped = player.move("count", count="5", skip="1")
        assert skipped["between"]["count_question"] == ""
        assert skipped["notes"] == []
        assert "Counts: 1 of 2 right." in player.post("leave").json()["words"]


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"rules": "6D", "count": "nope"}, "counting system is called"),
        ({"rules": "6D", "count": "hi-lo:0"}, "1 to 99"),
        ({"rules": "INF", "count": "hi-lo:1"}, "INF"),
        ({"rules": "6D CSM", "count": "hi-lo:1"}, "nothing to count"),
    ],
)
def test_a_count_that_cannot_be_asked_for_is_refused_with_the_form(client, form, words):
    answer = client.post("/tables", data=form, headers=JSON)
    assert (answer.status_code, answer.json()["error"]) == (422, "invalid")
    assert words in answer.json()["words"]


def test_the_count_is_taken_back_with_an_answer():
    with run_site(cards="5S TH 6D 9C 4S TS 9S 6C 7D 8H 9D TS") as client:
        player = TableClient(client, rules="6D", count="hi-lo:1")
        player.bet()
        player.act("hit")
        player.move("undo")
        player.act("stand")
        # 5 T 6 9: the four that was taken back is not counted.
        assert player.move("count", count="1")["notes"] == ["Right: the running count is +1."]


def test_an_answer_in_practice_can_be_taken_back():
    with run_site(cards="8S TH 8D 6C 3H 5D TS") as client:
        player = TableClient(client)
        before = player.bet()["session"]
        player.act("hit")
        assert player.move("undo")["session"] == before
        assert player.view["beats"] == {}


@pytest.mark.parametrize(
    ("cards", "rules", "answers", "hands", "result"),
    [
        ("TS AH 8D 6C", "6D", ["insurance", "stand"], 1, ""),
        ("AS AH KD 6C", "6D", ["even money"], 1, "Blackjack! You win 10."),
        ("TS TH 6D 8C", "6D LS", ["surrender"], 1, "You lose 5."),
        ("8S TH 8D 7C 3H 2D 8C 9S 9H", "6D", ["split", "stand", "stand"], 2, ""),
    ],
)
def test_every_kind_of_answer_can_be_given(cards, rules, answers, hands, result):
    with run_site(cards=cards + " 5D 5C 5S 5H TS TC") as client:
        player = TableClient(client, rules=rules)
        player.bet()
        for answer in answers:
            assert answer in player.asked
            player.act(answer)
            player.check_page()
        assert len(player.session["hands"]) == hands
        assert player.session["result"].endswith(result)


def test_seven_hands_beside_no_one_are_all_shown_and_settled():
    with run_site(seed=5) as client:
        player = TableClient(client, hands="7", bet="5")
        player.bet("5")
        while player.asked:
            player.stand()
        assert [hand["name"] for hand in player.session["hands"]][-1] == "you 7"
        assert all(hand["word"] for hand in player.session["hands"])
        player.check_page()
        assert player.move("hands", hands="2")["between"]["hands"] == 2


def test_company_plays_beside_you_and_its_chips_are_shown():
    with run_site(seed=5) as client:
        player = TableClient(client, company="mimic; you")
        player.play(random.Random(1), 6)
        assert list(player.session["company"]) == ["mimic"]
        answer = client.post("/tables", data={"company": "nobody-known; you"}, headers=JSON)
        assert (answer.status_code, answer.json()["error"]) == (422, "invalid")


def test_a_refused_form_keeps_its_game_and_what_was_typed(client):
    form = {"rules": "6D H17", "bet": "2.5x", "chips": "300", "company": "mimic; you"}
    answer = client.post("/tables", data=form | {"hands": "3", "count": "ko:3"}, headers=HTML)
    assert answer.status_code == 422
    assert "6D H17" in answer.text
    for field in ('name="bet" type="text" inputmode="decimal" value="2.5x"', 'value="300"'):
        assert field in answer.text
    for chosen in ("mimic; you", "ko:3"):
        assert f'type="text" value="{chosen}"' in answer.text
    assert "<option selected>3</option>" in answer.text


def test_the_coach_speaks_before_or_after_or_not_and_that_can_be_changed():
    with run_site(cards="TS TH 6D 8C 5S 5H", has_coach=True) as client:
        player = TableClient(client, coach="before")
        player.bet()
        view = client.get(f"{player.path}/coach", headers=JSON).json()
        assert view["coach"]["state"] == "ready"
        assert {one["action"] for one in view["coach"]["values"]} == {"hit", "stand", "double"}
        changed = player.post("coach", coach="after").json()
        assert (changed["coach"]["voice"], changed["coach"]["values"]) == ("after", [])
        assert player.post("coach", coach="loud").status_code == 422
        player.act("hit")
        view = client.get(f"{player.path}/coach", headers=JSON).json()
        assert len(view["coach"]["verdicts"]) == 1
        why = client.get(f"{player.path}/why", headers=JSON).json()
        assert (why["page"], why["values"]["verdict"]["action"]) == ("why", "hit")


def test_the_same_view_is_not_sent_twice():
    with run_site(seed=3) as client:
        player = TableClient(client)
        mark = player.look().headers["etag"]
        same = client.get(player.path, headers={**JSON, "If-None-Match": mark})
        assert (same.status_code, same.content) == (304, b"")
        player.bet()
        assert player.look().headers["etag"] != mark


def test_more_tables_than_fit_are_refused_with_a_sentence(monkeypatch):
    monkeypatch.setattr(open_tables, "MOST_SEATS", 1)
    with run_site(seed=3) as client:
        player = TableClient(client)
        answer = client.post("/tables", data={"rules": "INF"}, headers=JSON)
        assert (answer.status_code, answer.json()["error"]) == (503, "full")
        player.post("leave", sure="1")
        TableClient(client)


def test_a_saved_hand_goes_on_after_a_restart_and_an_open_page_can_still_answer(store):
    with run_site(store=store) as client:
        player = TableClient(client, rules="6D", keep="saved")
        while not player.asked:
            player.bet(player.view["between"]["bet"])
        before = player.view
        (session,) = store.row("SELECT max(id) FROM sessions")
        assert player.path == f"/t/s{session}"
    with open_store(store.path) as again, run_site(store=again) as client:
        assert f'href="{player.path}"' in client.get("/").text
        resumed = TableClient(client, player.path)
        assert resumed.view["version"] == before["version"]
        for name in ("dealer", "hands", "asked", "rules", "on_table", "balance"):
            assert resumed.session[name] == before["session"][name]
        resumed.stand()
        assert resumed.view["version"] > before["version"]


def test_a_saved_table_that_was_left_between_hands_is_gone(store):
    with run_site(store=store) as client:
        path = TableClient(client, rules="6D", keep="saved").path
        TableClient(client, path).post("leave")
        assert client.get(path).status_code == 200  # how it was left
    with open_store(store.path) as again, run_site(store=again) as client:
        assert client.get(path, headers=JSON).status_code == 410


def test_an_idle_table_is_closed_and_its_hand_is_saved(store, monkeypatch):
    with run_site(store=store) as client:
        player = TableClient(client, rules="6D", keep="saved")
        while not player.asked:
            player.bet(player.view["between"]["bet"])
        before = player.session
        monkeypatch.setattr(open_tables, "IDLE_SECONDS", -1)
        client.portal.call(client.site.tables.close_idle)
        assert client.site.tables._seats == {}
        player.look()
        assert player.session["hands"] == before["hands"]


def test_the_shuffle_is_committed_to_before_the_first_card_and_revealed_after(store):
    with run_site(store=store) as client:
        player = TableClient(client, rules="1D", keep="saved")
        shown = player.view["fair"]["commitment"]
        player.move("seed", text="my words")
        assert player.view["fair"]["player_seed"] == "my words"
        player.bet()
        while player.asked:
            player.stand()
        assert player.view["fair"]["commitment"] == shown
        player.move("end-shoe")
        (revealed, *_) = player.view["fair"]["reveals"]
        assert (revealed["number"], revealed["player_seed"]) == (1, "my words")
        assert len(revealed["server_seed"]) == 64
        player.check_page()


def test_missing_chips_are_brought_or_fewer_hands_are_played():
    with run_site(cards="TS TH 6D 8C " * 9) as client:
        player = TableClient(client, rules="6D", chips="10")
        player.bet("10")
        player.act("stand")
        assert "no chips left" in player.view["between"]["shortage"]
        player.check_page()
        assert player.move("chips")["session"]["balance"] == "100"


@pytest.mark.parametrize("rules", ["INF", "1D H17", "european", "mdp"])
def test_browser_and_screen_show_the_same_table(rules):
    """The screen's session is played by hand here, as `tui.table` does it."""
    found = Rules.parse(rules)
    plan = TablePlan(rules=found, title=title_of(found))
    with run_site(seed=9) as client:
        player = TableClient(client, rules=rules)
        shoe = make_practice_shoe(found, seed=9)
        session = GameSession.practise(plan, chips=100, shoe=shoe)
        board = Board(found)
        session.listeners.append(board.hear)
        rng = random.Random(f"{rules} views")
        for _ in range(25):
            shown = {name: one for name, one in player.session.items() if name != "verdicts"}
            same = to_json(view_session(session, board))
            del same["verdicts"]
            assert shown == same
            if player.asked:
                action = rng.choice(session.options)
                session.act(action)
                player.act(str(action))
            elif player.view["between"]["shortage"]:
                break
            else:
                bet = player.view["between"]["bet"]
                session.place(int(bet))
                player.bet(bet)
            turn_up(session, board) if session.events and not session.is_playing else None


@pytest.mark.parametrize("keep", ["saved", "practice"])
def test_a_round_that_is_over_leads_to_its_review(store, keep):
    with run_site(store=store, seed=3) as client:
        player = TableClient(client, keep=keep)
        assert player.view["review"] == ""
        player.bet()
        while player.asked:
            player.stand()
        assert client.get(player.view["review"]).status_code == 200


def test_a_verdict_that_cannot_be_saved_does_not_hide_the_table(store, monkeypatch):
    """On a full disk the page of the table was a 422 after some moves."""

    def fail(*_, **__):
        msg = "the disk is full"
        raise StoreError(msg)

    with run_site(store=store, has_coach=True) as client:
        player = TableClient(client, keep="saved", coach="after")
        monkeypatch.setattr("upcard.session.coaching.keep_judgement", fail)
        for _ in range(3):
            player.bet("1")
            while player.asked:
                player.stand()
            answer = client.get(f"{player.path}/coach", headers=JSON)
            assert (answer.status_code, answer.json()["version"]) == (200, player.view["version"])
            player.check_page()


def test_while_another_program_holds_the_saved_games_the_status_is_503(store):
    with (
        run_site(store=store) as client,
        closing(sqlite3.connect(store.path, isolation_level=None)) as other,
    ):
        player = TableClient(client, keep="saved")
        store.db.execute("PRAGMA busy_timeout = 20")
        other.execute("BEGIN IMMEDIATE")
        answer = player.post("bet", bet="1")
        assert (answer.status_code, answer.json()["error"]) == (503, "busy")
        assert "another process held it" in answer.json()["words"]
        assert client.post("/tables", data={"rules": "INF", "keep": "saved"}).status_code == 503
        assert player.look().status_code == 200
        other.execute("ROLLBACK")
        player.bet("1")


@pytest.mark.parametrize("is_saved", [False, True])
def test_a_table_that_was_left_leads_to_the_reviews_of_its_costliest_mistakes(store, is_saved):
    saved = {"store": store} if is_saved else {}
    with run_site(has_coach=True, **saved) as client:
        keep = "saved" if is_saved else "practice"
        player = TableClient(client, rules="6D NOINS", coach="after", keep=keep)
        for _ in range(8):
            player.bet()
            while player.asked:
                player.act("hit")
                client.get(f"{player.path}/coach", headers=JSON)
        left = player.post("leave", sure="1").json()
        assert len(left["worst"]) == 3
        links = Page(client.get(f"{player.path}/left", headers=HTML).text).links
        for worst in left["worst"]:
            place = f"/history/{worst['round']}" if is_saved else f"/h/{worst['name']}"
            assert place in links
            assert client.get(place, headers=JSON).json()["code"]
        assert bool(left["drill"]) is is_saved
        assert not is_saved or left["drill"] in links


def test_second_cards_are_swapped():
    with run_site(cards="TC 5D 6C 6H TS TH 9C 5C") as client:
        player = TableClient(client, rules="switch")
        assert player.view["between"]["fewest_hands"] == player.view["between"]["hands"] == 2
        player.bet()
        assert player.session["asked"]["offer"] == "Switch the second cards?"
        assert player.asked == {"switch": "y", "no switch": "n"}
        player.act("switch")
        hands = [(hand["cards"], hand["total"]) for hand in player.session["hands"]]
        assert hands == [(["TC", "TS"], "20"), (["5D", "6H"], "11")]
        refused = client.post("/tables", data={"rules": "switch", "hands": "1"})
        assert (refused.status_code, "it is 2 hands" in refused.text) == (422, True)
