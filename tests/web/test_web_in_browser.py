"""The pages in Chromium: accessible, no overflow, no foreign request, with and without scripts."""

import re

import pytest
from chromium import PATIENCE_MS, check_every_look, follow, serve, settle
from played_rounds import play

from upcard import Rules
from upcard.simulation.run import simulate
from upcard.store.bankroll import deposit
from upcard.store.database import open_store

pytestmark = pytest.mark.browser


PAGES = {
    "start": "/",
    "lab": "/lab",
    "houses": "/houses",
    "houses side by side": "/houses?compare=european&compare=lott&compare=deshmukh",
    "house": "/houses/european",
    "rules": "/rules?r=INF+H17&was=INF",
    "faulty rules": "/rules?r=NOPE",
    "empty hand": "/hand?r=INF",
    "hand": "/hand?r=INF&c=8.8&u=T&changes=1",
    "split plays and counts": "/hand?r=1D&c=8.8&u=T&less=7.5&splits=CDP1",
    "index": "/learn/",
    "document": "/learn/exact",
    "search": "/learn/?q=hole+card",
    "settings": "/settings",
    "history": "/history",
    "mistakes": "/history?mistakes=1&class=hard+hits&cell=16+v+T",
    "faulty filter": "/history?over=x",
    "round": "/history/1",
    "what if": "/history/2?at=1&instead=hit",
    "results": "/stats",
    "run": "/runs/counted",
    "ramp": "/runs/counted/ramp?ramp=1-8&unit=10&bankroll=5000&hours=2&with=1-4",
    "delete a run": "/runs/counted/delete",
    "round of a run": "/runs/counted/0/2",
    "end of a round": "/history/1?at=end",
    "no page": "/nothing",
}


@pytest.fixture(scope="module")
def link(tmp_path_factory):
    folder = tmp_path_factory.mktemp("web")
    fill(folder)
    with serve(folder, "--port", "0") as (found, _):
        yield found


def fill(folder):
    """Make a store with rounds, and a run."""
    with open_store(folder / "upcard.db") as store:
        deposit(store, 10_000)
        play(store, Rules.parse("INF"), 45)
    (folder / "runs").mkdir()
    output = folder / "runs" / "counted.json"
    simulate(Rules.parse("6D"), count="hi-lo", rounds=2_000, seed=7, output=output)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_and_fits_in_every_size_and_scheme(open_page, axe, name):
    # A refused page has the status of an error, which Chromium reports on its console.
    page = open_page(PAGES[name], may_fail=name in ("faulty rules", "faulty filter", "no page"))
    settle(page)
    check_every_look(page, axe)


def test_a_turned_switch_changes_edge_chart_and_address_in_place(open_page):
    page = open_page("/rules?r=INF")
    settle(page)
    page.evaluate("document.body.dataset.same = 'page'")
    before = page.locator(".edge-figure").inner_text()
    page.locator("#soft_17-2").check()
    page.locator(".is-changed").first.wait_for()
    page.locator(".change.is-bad").wait_for()
    assert page.locator(".edge-figure").inner_text() != before
    assert "H17" in page.url
    assert page.evaluate("document.activeElement.id") == "soft_17-2"
    assert page.locator("#say").inner_text()
    assert page.evaluate("document.body.dataset.same") == "page"
    page.go_back()
    page.locator(".change").wait_for(state="detached")
    assert "H17" not in page.url


def test_the_newest_of_many_turned_switches_wins(open_page):
    page = open_page("/rules?r=INF")
    settle(page)
    group = page.locator("input[name=natural_pays]")
    group.first.focus()
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    page.locator("#switches input[name=natural_pays][value='2:1'][checked]").wait_for(
        state="attached"
    )
    settle(page)
    assert "2%3A1" in page.url
    assert page.locator("#chart table").count() == 3


def test_a_hand_is_put_together_by_keys_alone(open_page):
    page = open_page("/hand?r=INF")
    for key in ("8", "8", "t"):
        count = page.locator(".cards a").count()
        page.keyboard.press(key)
        page.locator(".cards a").nth(count).wait_for()
    page.locator("#answers-title").wait_for()
    assert page.locator("h1").inner_text() == "8,8 against 10"
    assert "c=8.8&u=T" in page.url


def test_arrows_go_from_cell_to_cell_of_a_chart(open_page):
    page = open_page("/rules?r=INF")
    settle(page)
    page.locator("td[tabindex='0']").first.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    held = page.evaluate("document.activeElement.ariaLabel")
    assert held.startswith("Hard 6 v 3: ")


def test_pages_work_without_scripts(open_page):
    page = open_page("/rules?r=INF", java_script_enabled=False)
    page.locator("#soft_17-2").check()
    follow(page, page.get_by_role("button", name="Show these rules"))
    assert "H17" in page.url
    assert page.locator(".change.is-bad").count() == 1
    follow(page, page.get_by_role("link", name="Hand", exact=True))
    for rank in ("T", "6", "9"):
        follow(page, page.locator(f"#add-{rank}"))
    assert page.locator("h1").inner_text() == "Hard 16 against 9"
    follow(page, page.get_by_role("link", name="Settings"))
    page.locator("#theme-dark").check()
    follow(page, page.get_by_role("button", name="Save"))
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.locator("#theme-auto").check()
    follow(page, page.get_by_role("button", name="Save"))


def test_a_page_says_that_the_server_is_away_and_goes_on_when_it_is_back(browser, tmp_path):
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    with serve(tmp_path, "--port", "0") as (link, server):
        port = re.search(r":(\d+)/", link)[1]
        page.goto(link)
        page.goto(f"http://127.0.0.1:{port}/rules?r=INF")
        settle(page)
        server.terminate()
        server.wait()
    page.locator("#soft_17-2").check()
    page.locator(".away").wait_for()
    with serve(tmp_path, "--port", port) as (link, _):
        page.locator(".away", has_text="started again").wait_for()
        context.new_page().goto(link)
        page.locator(".away").wait_for(state="detached")
        page.locator(".change.is-bad").wait_for()
        context.close()


def test_arrow_keys_step_through_a_round_and_back(open_page):
    page = open_page("/history/1")
    settle(page)
    page.evaluate("document.body.dataset.same = 'page'")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**at=*")
    page.keyboard.press("End")
    while not page.locator(".step.is-end[aria-current]").count():
        here = page.locator("[aria-current=step]").get_attribute("id")
        page.keyboard.press("ArrowRight")
        page.locator(f"#{here}[aria-current]").wait_for(state="detached")
    assert "at=end" in page.url
    page.keyboard.press("ArrowLeft")
    page.locator(".step.is-end[aria-current]").wait_for(state="detached")
    assert page.evaluate("document.body.dataset.same") == "page"


def test_filters_change_the_list_in_place(open_page):
    page = open_page("/history")
    page.evaluate("document.body.dataset.same = 'page'")
    rows = page.locator(".rounds tbody tr")
    assert rows.count() == 40
    page.locator("#mistakes").check()
    page.locator(".applied").wait_for()
    assert rows.count() == 8
    assert page.url.endswith("/history?mistakes=1")
    assert page.evaluate("document.body.dataset.same") == "page"
    page.locator(".rounds tbody th a").first.click()
    page.locator("#review .steps").wait_for()


def test_a_run_is_followed_while_it_plays_and_its_ramps_answer_the_newest_of_many_moves(
    open_page, axe
):
    page = open_page("/lab?r=6D&count=hi-lo&rounds=2M&seed=1")
    settle(page)
    page.get_by_role("button", name="Start the run").click()
    page.get_by_role("link", name="Try bet ramps").wait_for()
    assert page.locator("#figures .figure").first.inner_text().startswith("−0.")
    for ramps in (False, True):
        if ramps:
            page.get_by_role("link", name="Try bet ramps").click()
            page.locator("#spread-range").focus()
            for _ in range(8):
                page.keyboard.press("ArrowRight")
            page.wait_for_url("**spread=1-16**")
            page.locator(".ramp-words code", has_text=":16").wait_for()
            assert page.locator("#spread").input_value() == "1-16"
            page.get_by_role("link", name="Pin it, and compare another").click()
            page.locator(".ramp-words .pinned").wait_for()
        page.evaluate(axe)
        for width in (360, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            found = page.evaluate("axe.run()")["violations"]
            assert [one["id"] for one in found] == []
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_run_is_stopped_and_gone_on_without_scripts(open_page):
    page = open_page("/lab?r=6D&count=&rounds=10G&seed=1", java_script_enabled=False)
    follow(page, page.get_by_role("button", name="Start the run"))
    follow(page, page.get_by_role("link", name="Refresh"))
    follow(page, page.get_by_role("button", name="Stop"))
    follow(page, page.get_by_role("button", name="Continue"))
    follow(page, page.get_by_role("button", name="Stop"))
    assert page.locator("#run .edge-title").inner_text().lower().startswith("stopped")


def find_pages(pdf):
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.parametrize(
    ("path", "pages"), [("/rules?r=6D+H17+LS", 2), ("/hand?r=6D&c=T.6&u=T", 2)]
)
def test_a_page_prints_on_few_sheets_without_empty_headings(open_page, path, pages):
    page = open_page(path)
    settle(page)
    for size in ("A4", "Letter"):
        assert find_pages(page.pdf(format=size)) <= pages
    page.emulate_media(media="print")
    alone = page.evaluate(
        """() => [...document.querySelectorAll("h2")].filter((title) => {
            const rest = [...title.parentElement.children].filter((one) => one !== title);
            return title.offsetParent && !rest.some((one) => one.getClientRects().length);
        }).map((title) => title.textContent)"""
    )
    assert alone == []
    assert page.get_by_role("heading", name="Type it, or compare").is_hidden()
    assert page.get_by_role("heading", name="What each switch is worth").is_hidden()
