"""The drills in the browser: every route as a page and as JSON, and nothing is answered twice."""

import html
import re
from datetime import UTC, datetime, timedelta

import pytest
from html_check import Page, find_faults
from markupsafe import escape
from table_client import HTML, JSON, run_site
from web_server import ORIGIN

from upcard.answers.drill_question import answer_drill
from upcard.answers.drill_report import judge_answer
from upcard.core.errors import as_sentence
from upcard.core.numbers import to_json
from upcard.drills.catalogue import CATALOGUE, DRILL_NAMES, OPTIONS
from upcard.drills.counting_drills import CountingKind
from upcard.drills.drill import DrillError
from upcard.drills.drill_run import DrillMemory, price_of
from upcard.drills.session_plan import READY
from upcard.drills.side_bet_drills import SideBetPrompt
from upcard.store.bankroll import load_object
from upcard.store.database import open_in_memory, open_store
from upcard.web.drills.view import describe_tray

PARTS = {"Accept": "text/html", "Upcard-Parts": "drill"}
# Infinite decks are solved in an instant; what is counted needs a deck that runs out.
RULES = {name: "INF" if name in ("strategy", "hands") else "1D" for name in DRILL_NAMES}


class Learner:
    """Someone at one drill; `view` is what the last answer showed."""

    def __init__(self, client, name, **form):
        self.client = client
        slug = name.replace(" ", "-")
        answer = client.post(f"/drills/{slug}", data={"r": RULES[name]} | form)
        assert answer.status_code == 303, answer.text
        self.path = answer.headers["location"]
        self.view = client.get(self.path, headers=JSON).json()

    @property
    def trainer(self):
        return self.client.site.drills.find(self.path.rpartition("/")[2])._made.result()

    def post(self, move, headers=JSON, *, v=None, **form):
        version = self.view["version"] if v is None else v
        return self.client.post(f"{self.path}/{move}", data={"v": version} | form, headers=headers)

    def move(self, move, **form):
        answer = self.post(move, **form)
        assert answer.status_code == 200, answer.text
        self.view = answer.json()
        return self.view

    def see_cards(self):
        """Turn through the cards that are shown; return them."""
        seen = []
        while self.view["step"] == "showing":
            self.move("next")
            if self.view["question"]["showing"]:
                seen += self.view["question"]["showing"]["cards"]
        return seen

    def choose(self, *, is_right):
        """Return a right answer to what is asked, or a wrong one."""
        run, prompt = self.trainer.run, self.trainer.prompt
        if not prompt.choices:
            right = prompt.number if isinstance(prompt, SideBetPrompt) else prompt.right[0]
            return str(right if is_right else right + 30)
        if run.hand is not None:
            best = str(run.hand.advice().best)
            return best if is_right else next(one for one in prompt.choices if one != best)
        return next(
            one for one in prompt.choices if run.drill.check(prompt, one).is_right == is_right
        )

    def answer(self, *, is_right=True):
        self.see_cards()
        return self.move("answer", text=self.choose(is_right=is_right))


@pytest.fixture
def site():
    with run_site() as client:
        client.headers["Origin"] = ORIGIN
        yield client


@pytest.fixture
def kept_site():
    with run_site(store=open_in_memory()) as client:
        client.headers["Origin"] = ORIGIN
        yield client


def test_the_list_names_every_drill_with_what_it_teaches_and_its_standing(kept_site):
    page = kept_site.get("/drills?r=1D", headers=HTML)
    assert find_faults(page.text) == []
    view = kept_site.get("/drills?r=1D", headers=JSON).json()
    assert [one["name"] for one in view["drills"]] == list(DRILL_NAMES)
    for one in view["drills"]:
        assert one["explanation"] == CATALOGUE[one["name"]].explanation
        assert (one["asked"], one["why_not"], one["price"]) == (0, "", None)
        assert one["text"] in page.text


def test_a_drill_that_the_rules_exclude_says_why_and_cannot_be_begun(site):
    view = site.get("/drills?r=INF", headers=JSON).json()
    shut = {one["name"] for one in view["drills"] if one["why_not"]}
    assert shut == {"deviations", "side bet count", "ready", *map(str, CountingKind)}
    answer = site.post("/drills/bet", data={"r": "INF"}, headers=JSON)
    assert (answer.status_code, answer.json()["error"]) == (422, "invalid")
    bet = next(one for one in view["drills"] if one["name"] == "bet")
    assert answer.json()["words"] == bet["why_not"]
    assert site.post("/drills/nothing", data={"r": "1D"}).status_code == 404


def test_an_address_without_a_number_of_questions_asks_twenty(site):
    for query, number in (("", "20"), ("&questions=20", "20"), ("&questions=none", "none")):
        view = site.get(f"/drills?r=INF{query}", headers=JSON).json()
        values = {choice["field"]: choice["value"] for choice in view["choices"]}
        assert (query, values["questions"]) == (query, number)
        again = site.get(view["permalink"], headers=JSON).json()
        assert again["choices"] == view["choices"]


def test_a_question_with_a_clock_shows_the_seconds_and_an_answer_after_them_is_late(site):
    learner = Learner(site, "bet", clock="3")
    assert 2 < learner.view["seconds_left"] <= 3
    page = site.get(learner.path, headers=HTML).text
    assert find_faults(page) == []
    assert 'id="clock">3 s<' in page
    learner.trainer._faced_at -= 3
    view = learner.move("answer", text="")
    assert (view["verdict"]["grade"], view["verdict"]["cost"]) == ("late", 0)
    assert (view["step"], view["seconds_left"]) == ("judged", None)
    assert find_faults(site.get(learner.path, headers=HTML).text) == []
    assert Learner(site, "bet").view["seconds_left"] is None
    refused = site.post("/drills/bet", data={"r": "1D", "clock": "4"}, headers=JSON)
    assert (refused.status_code, "'4'" in refused.json()["words"]) == (422, True)


@pytest.mark.slow
def test_a_session_asks_for_numbers_and_plays_and_judges_nothing_before_its_end(site):
    learner = Learner(site, "ready", r="6D", bankroll="5000")
    first = learner.view["question"]
    assert (first["choices"], first["dealer"]) == ([], None)
    assert learner.view["expected"] == []
    for _ in range(12):
        session = learner.trainer.run.hand
        view = learner.move("answer", text=session.best)
        assert (view["step"], view["verdict"], view["score"]["marks"]) == ("asking", None, [])
        page = site.get(learner.path, headers=HTML).text
        assert find_faults(page) == []
        assert ('id="text"' in page) == (not view["question"]["choices"])
        assert "of 200" in page
    report = learner.move("end")["report"]
    assert (report["ready"]["bankroll"], report["ready"]["errors_per_hour"]) == (5000, 0)
    assert report["ready"]["why"] in report["lines"]
    assert learner.view["again"][0]["words"] == "The same drill again"
    again = Learner(site, "ready", r="6D", bankroll="5000")
    assert len(again.trainer.run.hand.judgements) == 12
    assert find_faults(site.get(learner.path, headers=HTML).text) == []


def test_a_drill_of_a_cell_asks_its_hands_alone(site):
    cell = {"cell": "16 v T"}
    page = site.get("/drills?r=INF&cell=16+v+T", headers=HTML)
    assert find_faults(page.text) == []
    assert "/drills?r=INF" in page.text
    view = site.get("/drills?r=1D&cell=16+v+T", headers=JSON).json()
    assert (view["cell_words"], "cell=" in view["without_cell"]) == ("hard 16 v 10", False)
    assert "cell=16+v+T" in view["permalink"]
    assert {one["name"] for one in view["drills"] if not one["why_not"]} == {"strategy", "hands"}
    assert Learner(site, "hands", **cell).trainer.prompt.item == "hard 16 v T"
    learner = Learner(site, "strategy", **cell)
    for _ in range(3):
        assert learner.trainer.prompt.item == "hard 16 v T"
        learner.answer()
    faulty = site.get("/drills?r=INF&cell=16+v+X", headers=JSON)
    assert (faulty.status_code, list(faulty.json()["faults"])) == (422, ["cell"])
    none = Learner(site, "strategy", cell="19 v 9", classes="soft")
    assert (none.view["step"], "19 v 9" in none.view["problem"]) == ("over", True)


def test_the_form_leads_to_the_address_of_its_options(site):
    form = "?r=6D&decks=2&house=&class-hard=1&class-soft=1&system=ko&questions=none&speed=0.5"
    answer = site.get(f"/drills{form}")
    assert answer.status_code == 303
    view = site.get(answer.headers["location"], headers=JSON).json()
    assert view["rules"].startswith("2D ")
    assert [name for name, is_asked in view["classes"] if is_asked] == ["hard", "soft"]
    values = {one["field"]: one["value"] for one in view["choices"]}
    assert (values["system"], values["questions"], values["speed"]) == ("ko", "none", "0.5")
    chosen = site.get("/drills?r=6D&house=european").headers["location"]
    assert chosen.startswith("/drills?r=european")


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("r", "NOPE"),
        ("classes", "hard,big"),
        ("system", "nope"),
        ("indices", "nope"),
        ("ramp", "nope"),
        ("group", "4"),
        ("group", "x"),
        ("questions", "-1"),
        ("minutes", "1e9"),
        ("speed", "0"),
        ("mistakes", "mine"),
        ("pause", "never"),
    ],
)
def test_a_faulty_option_is_a_sentence_at_its_field_and_begins_nothing(site, field, text):
    answer = site.get("/drills", params={field: text}, headers=JSON)
    assert answer.status_code == 422
    assert answer.json()["faults"][field].endswith(".")
    page = site.get("/drills", params={field: text}, headers=HTML)
    assert (page.status_code, find_faults(page.text)) == (422, [])
    refused = site.post("/drills/strategy", data={field: text}, headers=JSON)
    assert (refused.status_code, list(refused.json()["fields"])) == (422, [field])


@pytest.mark.slow
def test_every_value_that_the_list_offers_is_taken(site):
    for choice in site.get("/drills", headers=JSON).json()["choices"]:
        for value, _ in choice["options"]:
            answer = site.get("/drills", params={"r": "1D", choice["field"]: value}, headers=JSON)
            assert (choice["field"], value, answer.json()["faults"]) == (choice["field"], value, {})


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "deviations" else ())
        for name in DRILL_NAMES
        if name != READY  # it judges nothing before its end
    ],
)
def test_every_drill_is_answered_wrong_and_right_to_its_report(kept_site, name):
    learner = Learner(kept_site, name, questions="2", group="3" if name == "countdown" else "")
    verdicts = []
    while learner.view["step"] != "over":
        assert find_faults(kept_site.get(learner.path, headers=HTML).text) == []
        if learner.view["step"] == "judged":
            learner.move("next")
        else:
            verdicts.append(learner.answer(is_right=bool(verdicts))["verdict"]["is_right"])
    assert verdicts[0] is False
    assert all(verdicts[1:])
    report = learner.view["report"]
    assert [one["is_right"] for one in report["mistakes"]] == [False]
    (grade,) = {one["grade"] for one in report["mistakes"]}
    assert report["marks"] == [grade, *["right"] * (len(verdicts) - 1)]
    assert report["wrong"] == f"1 {grade}"
    assert [one["mistakes"] for one in learner.view["again"]] == [1, 1, None]
    page = kept_site.get(learner.path, headers=HTML).text
    assert find_faults(page) == []
    assert [line for line in report["lines"] if str(escape(line)) not in page] == []
    rows = kept_site.get("/drills", params={"r": RULES[name]}, headers=JSON).json()["drills"]
    standing = next(one for one in rows if one["name"] == name)
    assert (standing["asked"], standing["right"]) == (2, 1)


@pytest.mark.parametrize("name", ["strategy", "true count"])
def test_nothing_of_the_answer_is_in_the_page_before_it_is_given(site, name):
    learner = Learner(site, name)
    page = site.get(learner.path, headers=HTML).text
    assert learner.view["verdict"] is None
    assert 'class="verdict' not in page
    verdict = learner.answer()["verdict"]
    for secret in (verdict["reason"], *(one["text"] for one in verdict["answers"])):
        assert secret not in page


def test_cards_are_shown_group_by_group_and_never_those_to_come(site):
    learner = Learner(site, "countdown", group="3")
    shown = [str(card) for card in learner.trainer.prompt.cards]
    assert learner.view["question"]["showing"]["cards"] == [None, None, None]
    assert learner.post("answer", text="0").status_code == 422
    seen = []
    while learner.view["step"] == "showing":
        learner.move("next")
        if learner.view["question"]["showing"]:
            now = learner.view["question"]["showing"]["cards"]
            seen += now
            page = site.get(learner.path, headers=HTML).text
            assert page.count('<svg class="pc ') == len(now)
    assert seen == shown
    assert len(seen) == 51


def test_the_tray_in_words_tells_what_an_eye_sees_and_not_the_number_of_cards(site):
    learner = Learner(site, "deck estimation")
    tray = learner.view["tray"]
    discards = learner.trainer.prompt.discards
    assert tray["pile"] / tray["deck"] == pytest.approx(discards / 52, abs=0.01)
    assert not re.search(r"\d", tray["words"])
    assert f'aria-label="{tray["words"]}"' in site.get(learner.path, headers=HTML).text


@pytest.mark.parametrize(
    ("discards", "decks", "words"),
    [
        (
            78,
            6,
            (
                "A discard tray. The pile in it reaches a quarter of the tray. The deck beside it"
                " is a sixth as high as the tray."
            ),
        ),
        (1, 6, "just above the floor of the tray"),
        (117, 6, "midway between a quarter and half of the tray"),
        (300, 6, "just below the top"),
        (312, 6, "reaches the top of the tray"),
        (26, 1, "as high as the tray"),
    ],
)
def test_a_tray_in_words_is_as_exact_as_an_eye(discards, decks, words):
    assert words in describe_tray(discards / 52 / decks, decks)


def test_piles_within_a_quarter_of_a_deck_sound_alike():
    """The words are not arithmetic."""
    assert len({describe_tray(discards / 312, 6) for discards in range(1, 313)}) == 24


@pytest.mark.parametrize("name", ["strategy", "hands", "bet"])
def test_the_page_has_the_answers_that_every_front_end_has(site, name):
    learner = Learner(site, name, pause="always")
    trainer = learner.trainer
    assert learner.view["question"] == to_json(answer_drill(trainer))
    view = learner.answer(is_right=False)
    verdict = judge_answer(trainer.answered[-1], trainer.setup.options.rules)
    assert view["verdict"] == to_json(verdict)
    page = site.get(learner.path, headers=HTML).text
    for text in (verdict.text, verdict.reason, *(one.short_cost for one in verdict.answers)):
        assert html.escape(text, quote=False) in page


def test_an_old_version_changes_nothing_and_shows_what_is_asked_now(site):
    learner = Learner(site, "strategy", pause="always")
    old = learner.view["version"]
    learner.answer()
    asked = learner.trainer.run.tally.asked
    for move in ("answer", "next", "end", "pause"):
        answer = learner.post(move, v=old, text="hit")
        assert answer.status_code == 409
        assert (answer.json()["version"], answer.json()["step"]) == (old + 1, "judged")
        assert answer.json()["problem"]
    page = learner.post("answer", HTML, v=old, text="hit")
    assert (page.status_code, find_faults(page.text)) == (409, [])
    assert learner.post("next", v="").status_code == 409
    assert (learner.trainer.run.tally.asked, learner.trainer.step) == (asked, "judged")


@pytest.mark.parametrize(("name", "text"), [("strategy", "fold"), ("bet", "many"), ("bet", "")])
def test_an_answer_that_cannot_be_read_is_a_sentence_and_the_question_stays(site, name, text):
    learner = Learner(site, name)
    answer = learner.post("answer", text=text)
    assert answer.status_code == 422
    assert (answer.json()["step"], answer.json()["version"]) == ("asking", learner.view["version"])
    with pytest.raises(DrillError) as fault:
        learner.trainer.run.drill.check(learner.trainer.prompt, text)
    assert answer.json()["problem"] == as_sentence(str(fault.value))
    page = learner.post("answer", HTML, text=text)
    assert (page.status_code, find_faults(page.text)) == (422, [])
    assert learner.trainer.run.tally.asked == 0


def test_a_form_without_a_script_leads_back_to_the_page_and_a_script_gets_its_part(site):
    learner = Learner(site, "bet")
    page = learner.post("answer", HTML, text="1")
    assert (page.status_code, page.headers["location"]) == (303, learner.path)
    learner.view = site.get(learner.path, headers=JSON).json()
    part = learner.post("end", PARTS)
    assert part.status_code == 200
    assert '<div id="drill"' in part.text
    assert "<html" not in part.text
    assert 'id="say"' in part.text


def test_right_answers_go_on_at_once_and_the_last_verdict_stays_below(site):
    learner = Learner(site, "bet")
    view = learner.answer()
    assert (view["step"], view["verdict"]["is_right"]) == ("asking", True)
    view = learner.answer(is_right=False)
    assert view["step"] == "judged"
    assert learner.post("answer", text="1").status_code == 422
    view = learner.move("next")
    assert (view["step"], view["verdict"]) == ("asking", None)
    assert learner.move("pause")["pauses"]
    assert learner.answer()["step"] == "judged"
    report = learner.move("end")["report"]
    assert (report["asked"], report["right"], report["share"]) == (3, 2, "67%")


def test_mistakes_of_today_are_a_drill_of_exactly_these_items(kept_site):
    learner = Learner(kept_site, "bet")
    item = learner.trainer.prompt.item
    learner.answer(is_right=False)
    again = learner.move("end")["again"][0]
    assert (again["fields"]["mistakes"], again["mistakes"]) == ("today", 1)
    answer = kept_site.post("/drills/bet", data=again["fields"])
    learner.path = answer.headers["location"]
    learner.view = kept_site.get(learner.path, headers=JSON).json()
    for _ in range(3):
        assert learner.trainer.prompt.item == item
        learner.answer()


def test_without_a_mistake_since_then_there_is_no_such_drill(kept_site):
    learner = Learner(kept_site, "bet", mistakes="today")
    assert (learner.view["step"], learner.view["report"]) == ("over", None)
    page = kept_site.get(learner.path, headers=HTML)
    assert find_faults(page.text) == []
    assert html.escape(learner.view["problem"], quote=False) in page.text


def test_a_mistake_is_of_the_days_since_it_was_made(kept_site):
    learner = Learner(kept_site, "bet")
    learner.answer(is_right=False)
    memory, drill = learner.trainer.run.memory, learner.trainer.run.drill
    now = datetime.now(tz=UTC)
    assert memory.find_mistakes(drill, now - timedelta(hours=1))
    assert not memory.find_mistakes(drill, now + timedelta(hours=1))


def test_answers_are_saved_as_upcard_train_saves_them(kept_site):
    learner = Learner(kept_site, "bet")
    item = learner.trainer.prompt.item
    learner.answer()
    store = kept_site.site.store
    kept = DrillMemory(store).load("bet", learner.view["about"])
    assert kept.record(item).asked == 1
    assert load_object(store, "drill", f"bet: {learner.view['about']}")["answers"] == 1


def test_practice_saves_nothing_and_says_so(site):
    learner = Learner(site, "bet", questions="1")
    learner.answer()
    learner.move("next")
    assert site.site.store is None
    for path in ("/drills", learner.path):
        assert "Practice:" in site.get(path, headers=HTML).text


def test_after_a_restart_a_drill_is_gone_and_its_answers_are_not(tmp_path):
    with open_store(tmp_path / "upcard.db") as store, run_site(store=store) as client:
        learner = Learner(client, "bet")
        learner.answer()
    with open_store(tmp_path / "upcard.db") as store, run_site(store=store) as client:
        answer = client.get(learner.path, headers=JSON)
        assert (answer.status_code, answer.json()["error"]) == (410, "gone")
        page = client.get(learner.path, headers=HTML)
        assert (page.status_code, find_faults(page.text)) == (410, [])
        assert answer.json()["words"] in page.text
        assert (
            client.post(f"{learner.path}/answer", data={"v": "1"}, headers=JSON).status_code == 410
        )
        assert client.get("/d/nothing", headers=JSON).status_code == 404
        rows = client.get("/drills?r=1D", headers=JSON).json()["drills"]
        assert next(one for one in rows if one["name"] == "bet")["asked"] == 1


def test_the_price_of_mistakes_is_that_of_the_screen(kept_site):
    learner = Learner(kept_site, "strategy")
    learner.answer(is_right=False)
    row = kept_site.get("/drills?r=INF", headers=JSON).json()["drills"][0]
    drill, memory = learner.trainer.run.drill, DrillMemory(kept_site.site.store)
    price = price_of(drill, memory.load("strategy", drill.about))
    assert row["price"]["value"] == pytest.approx(price)
    assert row["price"]["text"] in kept_site.get("/drills?r=INF", headers=HTML).text


def test_every_key_of_a_question_is_a_button_with_its_letter(site):
    learner = Learner(site, "strategy")
    text = site.get(learner.path, headers=HTML).text
    assert list(learner.view["keys"]) == learner.view["question"]["choices"]
    for answer, keys in learner.view["keys"].items():
        assert f'value="{answer}" data-key="{keys}"' in text
    assert Page(text).headings.count("h1") == 1


def test_only_a_drill_that_shows_cards_says_that_all_were_shown(site):
    """The drills of side bets said so too, which show none."""
    words = "All cards were shown"
    without = Learner(site, "side bet cost")
    assert words not in site.get(without.path, headers=HTML).text
    shown = Learner(site, "countdown")
    shown.see_cards()
    assert words in site.get(shown.path, headers=HTML).text


def test_every_option_that_the_drills_declare_is_on_the_page(site):
    page = site.get("/drills?r=1D", headers=HTML).text
    choices = {one["field"] for one in site.get("/drills?r=1D", headers=JSON).json()["choices"]}
    for name, option in OPTIONS.items():
        assert option.field.many or (name in choices and f'id="{name}" name="{name}"' in page)
