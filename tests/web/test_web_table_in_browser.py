"""The table in Chromium: by keys alone, without scripts, in two tabs, on a phone."""

import re
from urllib.parse import quote_plus

import pytest
from chromium import PATIENCE_MS, check_every_look, follow, serve, settle

pytestmark = pytest.mark.browser

STATES = ("betting", "asked", "settled", "seven hands", "why", "left", "count", "gone", "side bets")
SIDE_BETS = "6D +21+3(9) +BUST(2/2/4/12/50/250)"


def sit_down(page, **choices):
    """Fill the form of the start page, and play."""
    page.locator("#play summary").click()
    for name, value in ({"keep": "practice"} | choices).items():
        field = page.locator(f"#play-{name}")
        if field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    page.locator(".play-button").click()
    page.locator("#deal").wait_for()
    page.wait_for_load_state()


def version_of(page):
    return page.locator("#table").get_attribute("data-version")


def move(page, act):
    """Act, and wait until the table shows what came of it."""
    before = version_of(page)
    act()
    page.locator(f"#table:not([data-version='{before}'])").wait_for()
    page.wait_for_load_state()  # without scripts the table comes with a page, in pieces


def deal_until_asked(page):
    for _ in range(40):
        if page.locator("[name=do]").count():
            return
        if page.locator("#skip-count").count():
            move(page, page.locator("#skip-count").click)
            continue
        bring = page.locator("#bring")
        move(page, bring.click if bring.count() else page.locator("#deal").click)
    pytest.fail("no hand was asked about in 40 rounds")


def stand(page):
    """Answer until the round is over."""
    while page.locator("[name=do]").count():
        answer = page.locator("#do-stand, #do-no-insurance, #do-no-even-money").first
        move(page, answer.click)


@pytest.mark.parametrize("state", STATES)
def test_a_table_is_accessible_and_fits_in_every_size_and_scheme(open_page, axe, state):
    page = open_page("/?r=INF")
    if state == "gone":
        page = open_page("/t/p-gone?r=6D+H17", may_fail=True)
        page.get_by_role("button", name="Practise with these rules again").wait_for()
        check_every_look(page, axe)
        return
    if state == "count":
        page.goto(page.url.replace("INF", "6D"))
    if state == "side bets":
        page.goto(page.url.replace("INF", quote_plus(SIDE_BETS)))
    counts = {"count": "hi-lo:1"} if state == "count" else {}
    hands = "7" if state == "seven hands" else "1"
    sit_down(page, coach="before", hands=hands, bet="1", **counts)
    if state == "side bets":
        page.locator("#side-1").fill("2")
        page.locator("#side-2").fill("1")
    if state != "betting":
        deal_until_asked(page)
    if state in ("settled", "left", "count"):
        stand(page)
    if state == "why":
        page.locator("#why").click()
        page.locator("#why-body").wait_for()
    if state == "left":
        page.locator("#leave").click()
        page.get_by_role("heading", name="You have left the table").wait_for()
    settle(page)
    check_every_look(page, axe)


def test_a_hand_is_played_by_keys_alone_from_the_start_page_to_its_settlement(open_page):
    page = open_page("/?r=INF")
    page.locator(".play-button").focus()
    page.keyboard.press("Enter")
    page.locator("#deal").wait_for()
    for _ in range(40):
        if page.locator("[name=do]").count():
            break
        move(page, lambda: page.keyboard.press("Enter"))
    while page.locator("[name=do]").count():
        assert page.evaluate("document.activeElement.id") == "answers"
        key = "n" if page.locator("[data-key~=n]").count() else "s"
        move(page, lambda key=key: page.keyboard.press(key))
    assert re.search(r"You |Even\.|Push|Blackjack", page.locator("#question").inner_text())
    assert page.locator("#say").inner_text().endswith(page.locator("#question").inner_text())
    assert page.evaluate("document.activeElement.id") == "answers"
    before = page.locator("#bet").input_value()
    page.keyboard.press("+")
    assert float(page.locator("#bet").input_value()) == float(before) + 1
    page.keyboard.press("7")
    assert page.locator("#bet").input_value() == "7"
    move(page, lambda: page.keyboard.press("Enter"))


def test_side_bets_are_placed_and_stay_for_the_next_round(open_page):
    page = open_page("/?r=" + quote_plus(SIDE_BETS))
    sit_down(page, coach="before")
    poker, bust = (f"[name='side.{code}']" for code in ("21+3", "bust"))
    assert "The house has 3.2386% of the bet" in page.locator(".side-bets").inner_text()
    page.locator(poker).fill("2")
    page.locator(bust).fill("1")
    move(page, lambda: page.keyboard.press("Enter"))
    shown = page.locator(".side-spots li")
    assert shown.count() == 2
    deal_until_asked(page)
    assert re.search(
        r"21\+3.*(lost|pays|wins|[+−]\d)", page.locator(".side-spots").first.inner_text()
    )
    stand(page)
    assert page.locator(poker).input_value() == "2"
    assert page.locator(bust).input_value() == "1"
    page.locator(".side-bets legend a").click()
    page.get_by_role("heading", name="Side bets").first.wait_for()


@pytest.mark.parametrize("query", ["", "&bet=21%2B3(9)&shoe=6D+less+T+T+T"])
def test_the_page_of_a_side_bet_is_accessible_and_fits(open_page, axe, query):
    page = open_page("/ask/sidebet?r=6D" + query)
    settle(page)
    check_every_look(page, axe)


def test_a_hand_is_played_without_scripts(open_page):
    page = open_page("/?r=INF", java_script_enabled=False)
    sit_down(page, coach="before")
    deal_until_asked(page)
    assert page.locator(".pc").count() >= 3
    stand(page)
    assert page.locator(".result").inner_text()
    follow(page, page.get_by_role("button", name=re.compile("Leave the table")))
    assert page.locator("h1").inner_text() == "You have left the table"


def test_letters_do_nothing_where_they_are_switched_off_and_enter_still_deals(open_page):
    page = open_page("/settings")
    page.locator("#keys-off").check()
    page.get_by_role("button", name="Save").click()
    page.locator(".saved").wait_for()
    page.goto(page.url.partition("/settings")[0] + "/?r=INF")
    sit_down(page)
    deal_until_asked(page)
    before = version_of(page)
    page.locator("#answers").focus()
    for key in ("s", "h", "n"):
        page.keyboard.press(key)
    move(page, page.locator("#do-stand, #do-no-insurance, #do-no-even-money").first.click)
    assert int(version_of(page)) == int(before) + 1
    stand(page)
    page.locator("#answers").focus()
    move(page, lambda: page.keyboard.press("Enter"))
    page.goto(page.url.partition("/t/")[0] + "/settings")
    page.locator("#keys-on").check()
    page.get_by_role("button", name="Save").click()
    page.locator(".saved").wait_for()


def test_a_letter_without_g_before_it_leads_to_no_other_page(open_page):
    page = open_page("/?r=INF")
    page.keyboard.press("s")
    page.keyboard.press("r")
    page.locator(".play-button").focus()
    assert page.url.endswith("/?r=INF")


def test_the_count_is_typed_and_answered_or_skipped_by_keys(open_page):
    page = open_page("/?r=6D")
    sit_down(page, count="hi-lo:1")
    for key, is_answered in (("Enter", True), ("Escape", False)):
        deal_until_asked(page)
        stand(page)
        assert page.evaluate("document.activeElement.id") == "answers"
        page.keyboard.press("-")
        page.keyboard.press("9")
        assert page.locator("#count").input_value() == "-9"
        move(page, lambda key=key: page.keyboard.press(key))
        page.locator("#deal").wait_for()
        assert page.locator(".note", has_text="−9").count() == is_answered


def test_a_double_click_deals_one_round_and_the_other_tab_follows(open_page):
    page = open_page("/?r=INF")
    sit_down(page)
    other = page.context.new_page()
    other.goto(page.url)
    other.locator("#deal").wait_for()
    before = version_of(page)
    page.locator("#deal").dblclick()
    page.locator(f"#table:not([data-version='{before}'])").wait_for()
    other.locator(f"#table[data-version='{version_of(page)}']").wait_for()
    assert int(version_of(page)) == int(before) + 1


def test_cards_come_one_by_one_and_a_key_shows_all_at_once(browser, link):
    context = browser.new_context(reduced_motion="no-preference")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(link)
    page.goto(re.match(r"http://[^/]+", link)[0] + "/?r=INF")
    sit_down(page)
    names = "[...document.getAnimations()].map(one => one.animationName)"
    deal_until_asked(page)
    delays = page.evaluate(
        "[...document.querySelectorAll('.dealt')].map(one => getComputedStyle(one).animationDelay)"
    )
    assert len(set(delays)) == len(delays) >= 3
    page.keyboard.press("Enter")
    assert "deal" not in page.evaluate(names)
    context.close()


def test_a_killed_server_leaves_the_hand_which_goes_on_in_the_open_page(browser, tmp_path):
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    with serve(tmp_path, "--port", "0") as (link, server):
        port = re.search(r":(\d+)/", link)[1]
        page.goto(link)
        page.goto(f"http://127.0.0.1:{port}/?r=6D")
        sit_down(page, keep="saved")
        deal_until_asked(page)
        cards = page.locator(".spot .unseen").all_inner_texts()
        server.kill()
        server.wait()
    page.locator("#do-stand, #do-no-insurance, #do-no-even-money").first.click()
    page.locator(".away").wait_for()
    with serve(tmp_path, "--port", port) as (link, _):
        page.locator(".away", has_text="started again").wait_for()
        context.new_page().goto(link)
        page.locator(".away").wait_for(state="detached")
        stand(page)
        assert page.locator(".result").count() == 1
        assert page.locator(".spot .unseen").all_inner_texts()[:2] == cards[:2]
        context.close()


def test_six_tabs_stay_in_use_beside_a_running_simulation(open_page):
    run = open_page("/lab?r=6D&count=hi-lo&rounds=10G&seed=1")
    settle(run)
    run.get_by_role("button", name="Start the run").click()
    rounds = run.locator("[data-shows=rounds]")
    rounds.wait_for()
    origin = re.match(r"http://[^/]+", run.url)[0]
    addresses = (run.url, "/?r=INF", "/rules?r=INF", "/hand?r=INF", "/drills?r=INF")
    tabs = []
    for address in addresses:
        tabs.append(run.context.new_page())
        tabs[-1].goto(address if address == run.url else origin + address)
    other, table, rules, hand, drill = tabs
    first = rounds.inner_text()
    sit_down(table)
    deal_until_asked(table)
    stand(table)
    settle(rules)
    rules.locator("#soft_17-2").check()
    rules.locator(".is-changed").first.wait_for()
    for key in ("8", "8", "t"):
        count = hand.locator(".cards a").count()
        hand.keyboard.press(key)
        hand.locator(".cards a").nth(count).wait_for()
    drill.keyboard.press("1")
    drill.locator("#drill[data-step=asking]").wait_for()
    unchanged = re.compile(rf"^\s*{re.escape(first)}\s*$")  # 0 is a part of 1,000,000 too
    for page in (run, other):
        page.locator("[data-shows=rounds]").filter(has_not_text=unchanged).wait_for()
    other.get_by_role("button", name="Stop").click()
    for page in (run, other):
        page.locator("#run .edge-title", has_text="stopped").wait_for()


def test_on_a_phone_play_is_in_view_the_header_is_one_row_and_no_key_is_shown(open_page):
    phone = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
    page = open_page("/", **phone)
    button = page.locator(".play-button").bounding_box()
    assert button["y"] + button["height"] < 844
    assert page.locator("header.top").bounding_box()["height"] < 60
    assert not page.locator("#play-bet").is_visible()
    page.locator("#play summary").click()
    assert page.locator("#play-bet").is_visible()
    page.locator(".play-button").click()
    page.locator("#deal").wait_for()
    assert not any(one.is_visible() for one in page.locator("button kbd").all())
