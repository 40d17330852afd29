"""Every address answers as a page and as JSON; pages are well-formed and self-contained."""

import json
import re
from http import HTTPStatus
from pathlib import Path

import pytest
from html_check import Page, find_faults

import upcard.web.showing
from upcard.rules.describe import describe_rules
from upcard.rules.house import house_names, load_house
from upcard.web.showing import NAVIGATION, asset_url

STATIC = Path(upcard.web.showing.__file__).parent / "static"
PAGES = {
    "/": "start",
    "/?r=european": "start",
    "/lab": "lab",
    "/lab?r=NOPE&count=nope&rounds=x": "lab",
    "/houses": "houses",
    "/houses?compare=european&compare=lott&compare=deshmukh": "houses",
    "/houses/european": "house",
    "/rules": "rules",
    "/rules?r=INF+H17&was=INF": "rules",
    "/rules?r=INF&with=INF+H17": "rules",
    "/rules?r=INF&effects=1": "rules",
    "/rules?r=INF+UP2&with=INF+UP2+H17": "rules",
    "/hand": "hand",
    "/hand?r=INF&c=8.8&u=T": "hand",
    "/hand?r=INF&c=A.7&u=A": "hand",
    "/hand?r=INF&c=T.6&u=9&changes=1": "hand",
    "/hand?r=1D&c=8.8&u=T&less=7.7&splits=CDP1": "hand",
    "/hand?r=6D&less=7.T.A": "hand",
    "/learn/": "learn",
    "/learn/exact": "learn",
    "/learn/?q=hole+card": "learn",
    "/drills?r=INF": "drills",
    "/settings": "settings",
}


@pytest.mark.fast_cases(8)
@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_well_formed_labelled_and_without_inline_code_or_foreign_addresses(client, path):
    answer = client.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert find_faults(answer.text) == []


@pytest.mark.parametrize(("path", "page"), PAGES.items())
def test_the_same_address_answers_json(client, path, page):
    answer = client.get(path, headers={"Accept": "application/json"})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert (answer.json()["api"], answer.json()["page"]) == (1, page)


def test_the_check_of_pages_finds_faults():
    html = (
        "<h1>a</h1><h1>b</h1><p id=x><input id=x><b></p><script>1</script>"
        "<a href='//evil' onclick=''>"
    )
    faults = " ".join(find_faults(html))
    for what in ("2 h1", "ids twice", "no label", "inline script", "handler", "never closed"):
        assert what in faults


@pytest.mark.slow
def test_no_page_has_a_dead_link(client):
    links = set()
    for path in PAGES:
        links |= set(Page(client.get(path).text).links)
    inside = [link for link in links if link.startswith("/")]
    # Without their fields, but for the game of a question: what a page makes of them is tested
    # elsewhere.
    pages = {
        link.partition("#")[0].partition("?" if "/ask/" not in link else "#")[0] for link in inside
    }
    assert len(pages) > 60
    dead = [page for page in pages if client.head(page).status_code not in (200, 307)]
    assert dead == []


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("/nothing", 404, "not-found"),
        ("/houses/nowhere", 404, "not-found"),
        ("/learn/../pyproject", 404, "not-found"),
        ("/learn/%2e%2e/pyproject.toml", 404, "not-found"),
        ("/rules/chart.exe", 404, "not-found"),
        ("/rules/chart.svg?r=9D", 422, "invalid"),
        ("/rules?decks=1000", 422, "invalid"),
        ("/static/old/upcard.css", 404, "not-found"),
        ("/" + "?a=1" + "&a=1" * 64, 400, "too-many-fields"),
        ("/rules?r=" + "6" * 2001, 422, "too-long"),
    ],
)
def test_what_cannot_be_answered_is_a_sentence_in_both_forms(client, path, status, error):
    as_json = client.get(path, headers={"Accept": "application/json"})
    assert (as_json.status_code, as_json.json()["error"]) == (status, error)
    assert as_json.json()["words"].strip()
    page = client.get(path, headers={"Accept": "text/html"})
    assert page.status_code == status
    assert find_faults(page.text) == []


@pytest.mark.parametrize(
    ("path", "field", "words"),
    [
        ("/rules?r=INF+NOPE", "problem", "NOPE"),
        ("/rules?r=INF&with=NOPE", "compared_problem", "NOPE"),
        ("/hand?c=8.X", "problem", "X"),
        ("/hand?r=INF&c=A.T&u=9", "problem", "not asked about"),
        ("/hand?r=1D&c=8.8&u=T&less=8.8.8", "problem", "1 deck has only 4"),
        ("/hand?r=1D&less=8.8.8.8.8", "problem", "5 cards of rank 8"),
        ("/hand?r=1D&c=8.8&u=T&splits=nope", "problem", "CDP-exact"),
        ("/hand?r=1D+SP2&c=8.8&u=T&splits=full", "problem", "commands edge, solve"),
        ("/?r=NOPE", "problem", "NOPE"),
        ("/houses?compare=nowhere&compare=european", "problem", "'nowhere'"),
        ("/houses?compare=european", "problem", "tick another"),
    ],
)
def test_a_faulty_text_leaves_the_page_with_the_sentence_at_its_field(client, path, field, words):
    answer = client.get(path, headers={"Accept": "application/json"})
    assert answer.status_code == 422
    assert words in answer.json()[field]
    page = client.get(path)
    assert page.status_code == 422
    assert find_faults(page.text) == []


def test_text_from_an_address_is_escaped_in_the_page(client):
    text = '"><script>alert(1)</script>'
    for path in ("/rules", "/hand", "/"):
        for field in ("r", "with", "c", "house"):
            answer = client.get(path, params={field: text}, follow_redirects=True)
            assert "<script>alert" not in answer.text
            assert find_faults(answer.text) == []
    assert find_faults(client.get("/learn/", params={"q": text}).text) == []


def test_a_turned_switch_leads_to_the_address_of_that_game(client):
    answer = client.get("/rules?r=INF&soft_17=hits&decks=infinite")
    assert answer.status_code == 303
    shown = client.get(answer.headers["location"], headers={"Accept": "application/json"}).json()
    assert " H17 " in shown["game"]["rules"]
    assert shown["other"]["change"]["ev"] < 0
    assert shown["chart"]["changed_words"].endswith("change.")
    outlined = [
        (row["name"], cell["upcard"])
        for block in shown["chart"]["blocks"]
        for row in block["rows"]
        for cell in row["cells"]
        if cell["was"]
    ]
    assert sorted(outlined) == sorted(
        (cell["hand"], cell["upcard"]) for cell in shown["chart"]["changed"]
    )
    assert outlined


def test_where_the_house_pays_for_hands_their_chart_is_shown_and_saved(client):
    """A free 17 is hit against an ace, as a loss costs nothing."""
    game = "/rules?r=INF+FSNT+P22"
    chart = client.get(game, headers={"Accept": "application/json"}).json()["chart"]
    seventeens = [
        row["cells"][9]["mark"]["text"]
        for blocks in (chart["blocks"], *(other["blocks"] for other in chart["below"]))
        for row in blocks[0]["rows"]
        if row["name"] == "17"
    ]
    assert seventeens == ["S", "H"]
    heading = "Hands that the house has paid for"
    assert [other["heading"] for other in chart["below"]] == [heading]
    assert f"<h2>{heading}</h2>" in client.get(game).text
    assert heading in client.get("/rules/chart.svg?r=INF+FSNT+P22").text
    plain = client.get("/rules?r=INF", headers={"Accept": "application/json"}).json()
    assert plain["chart"]["below"] == []


@pytest.mark.slow
def test_a_page_shows_hands_that_have_doubled_and_hits_for_a_bonus(client):
    game = "/rules?r=spanish-21"
    chart = client.get(game, headers={"Accept": "application/json"}).json()["chart"]
    assert [other["heading"] for other in chart["below"]] == ["After a double"]
    assert {"text": "Rs", "words": "rescue"}.items() <= chart["below"][0]["legend"][1].items()
    assert "11 with 3 or more cards v T" in chart["lists"][0]["lines"]
    page = client.get(game).text
    assert "<h2>After a double</h2>" in page
    assert "<li>11 with 3 or more cards v T</li>" in page
    assert "For a bonus, hit where" in client.get("/rules/chart.svg?r=spanish-21").text


def test_a_chart_explains_its_marks_as_the_command_does(client):
    """E29: 16 v 10 was "surrender, else stand" without the line on three cards and more."""
    shown = client.get("/rules?r=INF+H17+LS", headers={"Accept": "application/json"}).json()
    line = "Rs: after a hit or a split there is no surrender; then stand."
    assert line in shown["chart"]["captions"]
    assert line in client.get("/rules?r=INF+H17+LS").text
    plain = client.get("/rules?r=INF", headers={"Accept": "application/json"}).json()
    assert line not in plain["chart"]["captions"]


def test_the_worth_of_every_switch_is_that_of_turning_it(client):
    shown = client.get("/rules?r=INF&effects=1", headers={"Accept": "application/json"}).json()
    effects = shown["effects"]["games"]
    assert len(effects) == shown["effects"]["of"] > 20
    changes = [one["change"]["ev"] for one in effects if one["change"]]
    unknown = {one["name"] for one in effects if not one["change"]}
    assert unknown == {"Hole card: none, busted bets and one lost"}
    assert changes == sorted(changes, reverse=True)
    one = next(one for one in effects if one["name"] == "Surrender: late")
    turned = client.get("/rules", params={"r": one["rules"], "was": shown["game"]["rules"]})
    assert one["change"]["text"] in turned.text
    assert "+0.08" in one["change"]["text"]


def test_a_house_of_the_form_replaces_the_switches(client):
    answer = client.get("/rules?r=INF&house=european&decks=infinite")
    assert answer.headers["location"].startswith("/rules?r=european")


def test_a_switch_without_effect_cannot_be_turned(client):
    shown = client.get("/rules?r=INF+SPINF", headers={"Accept": "application/json"}).json()
    options = {
        (switch["field"], option["words"]): option["why_not"]
        for switch in shown["switches"]
        for option in switch["options"]
    }
    assert all(isinstance(why, str) for why in options.values())
    clashing = client.get("/rules?r=INF+SP1&resplit_aces=yes")
    assert clashing.status_code in (303, 422)


def test_parts_of_a_page_come_alone(client):
    headers = {"Accept": "text/html", "Upcard-Parts": "edge words"}
    answer = client.get("/rules?r=INF", headers=headers)
    assert '<section id="edge"' in answer.text
    assert '<div id="words"' in answer.text
    assert "<table" not in answer.text
    assert "<html" not in answer.text
    assert 'id="say"' in answer.text


def test_a_clicked_card_goes_to_the_hand_then_to_the_dealer(client):
    path = "/hand?r=INF"
    for rank in "A79":
        path = client.get(f"{path}&add={rank}").headers["location"]
    shown = client.get(path, headers={"Accept": "application/json"}).json()
    assert [card["name"] for card in shown["cards"]] == ["A", "7"]
    assert [card["name"] for card in shown["upcard"]] == ["9"]
    assert shown["values"]["best"] == "hit"
    without = client.get(shown["cards"][0]["without"], headers={"Accept": "application/json"})
    assert [card["name"] for card in without.json()["cards"]] == ["7"]


def test_the_analyser_gives_the_values_of_the_solver(client):
    import upcard

    shown = client.get("/hand?r=INF&c=T.6&u=9", headers={"Accept": "application/json"}).json()
    solved = upcard.solve(upcard.Rules.parse("INF"), "T6", "9").ev
    values = shown["values"]
    assert {one["action"]: one["ev"] for one in values["answers"]} == pytest.approx(
        {str(action): ev for action, ev in solved.items()}
    )
    assert sum(total["chance"] for total in values["dealer"]) == pytest.approx(1)
    assert set(values["chances"]) == {"hit", "stand", "double"}
    for one in values["chances"].values():
        assert one["win"] + one["push"] + one["lose"] == pytest.approx(1)


def test_a_hand_of_three_cards_may_neither_be_doubled_nor_surrendered(client):
    shown = client.get("/hand?r=INF+ES&c=T.2.4&u=T", headers={"Accept": "application/json"}).json()
    assert {one["action"] for one in shown["values"]["answers"]} == {"hit", "stand"}


@pytest.mark.parametrize("kind", ["svg", "html", "tsv", "json"])
def test_a_chart_is_saved_as_a_file_with_a_policy_of_its_own(client, kind):
    answer = client.get(f"/rules/chart.{kind}?r=INF")
    assert answer.status_code == 200
    assert "attachment" in answer.headers["content-disposition"]
    assert "sandbox" in answer.headers["content-security-policy"]
    assert len(answer.text) > 800


def test_settings_are_changed_by_a_post_and_used_at_once(client):
    headers = {"Origin": "http://127.0.0.1:8121"}
    answer = client.post("/settings", data={"theme": "dark", "keys": "off"}, headers=headers)
    assert (answer.status_code, answer.headers["location"]) == (303, "/settings?saved=1")
    page = client.get("/settings?saved=1").text
    assert 'data-theme="dark"' in page
    assert 'data-keys="off"' in page
    refused = client.post("/settings", data={"theme": "pink"}, headers=headers)
    assert refused.status_code == 422
    assert "auto, dark, light, four-colour, high-contrast" in refused.text
    client.post("/settings", data={"theme": "auto", "keys": "on"}, headers=headers)


def test_files_of_the_pages_are_cached_for_ever_under_their_hash(client):
    files = [
        file.name for file in STATIC.parent.rglob("*.*") if file.suffix in (".css", ".js", ".svg")
    ]
    for name in ("chart-colors.css", *files):
        answer = client.get(asset_url(name))
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
    assert client.get("/").headers["cache-control"] == "no-store"
    assert client.get("/favicon.ico").headers["content-type"] == "image/svg+xml"


def test_swapping_stays_a_small_script():
    assert (STATIC / "swap.js").read_bytes().count(b"\n") <= 200


def test_all_houses_have_a_page(client):
    shown = client.get("/houses", headers={"Accept": "application/json"}).json()
    assert [one["house"]["name"] for one in shown["houses"]] == list(house_names())
    assert json.dumps(shown)


def test_ticked_houses_stand_side_by_side_with_what_differs(client):
    path = "/houses?compare=vegas-strip&compare=atlantic-city"
    shown = client.get(path, headers={"Accept": "application/json"}).json()
    one, two = compared = shown["compared"]["houses"]
    assert [house["name"] for house in compared] == ["vegas-strip", "atlantic-city"]
    for house in compared:
        assert " ".join(token["text"] for token in house["tokens"]) == str(
            load_house(house["name"]).rules.replace(name="")
        )
    marked = [
        [token["text"] for token in house["tokens"] if token["differs"]] for house in compared
    ]
    assert not set(marked[0]) & set(marked[1])
    assert "LS" in marked[1]
    assert two["change"]["ev"] == pytest.approx(two["edge"]["ev"] - one["edge"]["ev"])
    described = [dict(describe_rules(load_house(house["name"]).rules)) for house in compared]
    for topic in shown["compared"]["differing"]:
        assert topic["sentences"] == [each[topic["topic"]] for each in described]
        assert topic["sentences"][0] != topic["sentences"][1]
    assert all(described[0][topic] == described[1][topic] for topic, _ in shown["compared"]["same"])
    assert len(shown["compared"]["differing"]) + len(shown["compared"]["same"]) == len(described[0])
    ticked = [one["house"]["name"] for one in shown["houses"] if one["is_ticked"]]
    assert sorted(ticked) == ["atlantic-city", "vegas-strip"]
    page = client.get(path).text
    assert 'value="vegas-strip" checked' in page
    assert "<mark>LS</mark>" in page


def test_houses_with_and_without_a_topic_stand_side_by_side(client):
    for others in (("free-bet", "spanish-21"), ("vegas-strip", "spanish-21", "free-bet")):
        path = "/houses?" + "&".join(f"compare={name}" for name in others)
        answer = client.get(path)
        assert answer.status_code == HTTPStatus.OK
        assert "No rule of this kind." in answer.text
        for topic in client.get(path, headers={"Accept": "application/json"}).json()["compared"][
            "differing"
        ]:
            for name, sentence in zip(others, topic["sentences"], strict=True):
                described = dict(describe_rules(load_house(name).rules))
                assert sentence == described.get(topic["topic"], "")


@pytest.mark.parametrize("path", ["/rules", "/history", "/houses", "/learn/", "/settings"])
def test_the_game_of_an_address_travels_along_every_link_of_the_header(client, path):
    header = client.get(f"{path}?r=6D+H17").text.partition("</header>")[0]
    pages = [*(place for place, _ in NAVIGATION), "/settings"]
    game = "r=6D+H17+PEEK+DOA+DAS+SP4+NRSA+NS+3%3A2"
    assert {f"{place}?{game}" for place in pages} <= set(Page(header).links)
    assert "nonsense" not in client.get(f"{path}?r=nonsense").text.partition("</header>")[0]


def test_the_edge_leads_to_the_game_its_drill_and_its_chart_on_paper(client):
    page = Page(client.get("/rules?r=6D+H17").text)
    game = "r=6D+H17+PEEK+DOA+DAS+SP4+NRSA+NS+3%3A2"
    chart = f"/rules/chart.html?{game}&show=1"
    assert {f"/?{game}", f"/drills?{game}", chart} <= set(page.links)
    assert client.get(chart).headers["content-disposition"].startswith("inline")
    saved = client.get(f"/rules/chart.html?{game}").headers
    assert saved["content-disposition"].startswith("attachment")


def test_two_keys_lead_to_every_page_of_the_header_and_the_settings_list_them(client):
    script = client.get(asset_url("keys.js")).text
    pages = dict(
        re.findall(r'(\w): "(/[^"]*)"', script.partition("const PAGES")[2].partition("}")[0])
    )
    listed = re.findall(
        r"<kbd>G</kbd> <kbd>(\w)</kbd></dt><dd>(\w+)</dd>", client.get("/settings").text
    )
    names = {path: name for path, name in NAVIGATION if path != "/"} | {"/settings": "Settings"}
    assert {key.lower(): name for key, name in listed} == {
        key: names[path] for key, path in pages.items()
    }
    assert set(pages.values()) == set(names)
