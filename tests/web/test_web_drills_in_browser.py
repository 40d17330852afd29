"""The drills in Chromium: accessible at every step, by keys alone, by a timer, without scripts."""

import pytest
from chromium import check_every_look, follow

pytestmark = pytest.mark.browser


def wait_for_step(page, *steps):
    named = ", ".join(f"#drill[data-step={step}]" for step in steps)
    page.locator(named).first.wait_for()
    return page.locator("#drill").get_attribute("data-step")


def change(page, act):
    """Do what changes the drill, and wait for its next version."""
    before = page.locator("#drill").get_attribute("data-version")
    act()
    page.wait_for_function(
        "before => document.getElementById('drill').dataset.version !== before", arg=before
    )


def answer_somehow(page):
    if page.locator("#text").count():
        page.locator("#text").fill("1")
        change(page, lambda: page.locator("#send").click())
    else:
        change(page, page.locator(".choices button").first.click)


def begin(page, slug, **chosen):
    for field, value in chosen.items():
        page.locator(f"#{field}").evaluate("(one, value) => { one.value = value }", value)
    page.locator(f"button[formaction='/drills/{slug}']").click()
    wait_for_step(page, "asking", "showing")


def test_the_list_and_every_step_of_a_drill_are_accessible_and_fit(open_page, axe):
    page = open_page("/drills?r=1D")
    check_every_look(page, axe)
    begin(page, "deck-estimation", questions="10")
    check_every_look(page, axe)
    page.locator("#text").fill("9")
    change(page, lambda: page.keyboard.press("Enter"))
    assert wait_for_step(page, "judged") == "judged"
    check_every_look(page, axe)
    change(page, lambda: page.locator("#end").click())
    wait_for_step(page, "over")
    check_every_look(page, axe)


def test_a_drill_of_hands_is_answered_by_keys_alone_and_says_each_verdict(open_page, axe):
    page = open_page("/drills?r=INF")
    page.keyboard.press("1")
    wait_for_step(page, "asking")
    check_every_look(page, axe)
    page.evaluate("document.body.dataset.same = 'page'")
    steps = set()
    for _ in range(6):
        step = page.locator("#drill").get_attribute("data-step")
        steps.add(step)
        if step == "asking":
            key = page.locator(".choices button").first.get_attribute("data-key").split()[0]
            change(page, lambda key=key: page.keyboard.press(key))
            assert page.locator("#say").inner_text()
        else:
            assert page.evaluate("document.activeElement.id") == "next"
            change(page, lambda: page.keyboard.press("x"))
    assert "judged" in steps
    change(page, lambda: page.keyboard.press("q"))
    wait_for_step(page, "over")
    assert page.evaluate("document.body.dataset.same") == "page"


def test_cards_turn_by_the_timer_until_the_count_is_asked(open_page):
    page = open_page("/drills?r=1D")
    begin(page, "countdown", group="3", speed="0.2")
    page.keyboard.press("Space")
    wait_for_step(page, "asking")
    assert page.evaluate("document.activeElement.id") == "text"


def test_without_scripts_a_drill_is_a_form_for_every_step(open_page):
    page = open_page("/drills?r=1D", java_script_enabled=False)
    follow(page, page.locator("button[formaction='/drills/countdown']"))
    for _ in range(60):
        if not page.locator("#turn").count():
            break
        follow(page, page.locator("#turn"))
    page.locator("#text").fill("0")
    follow(page, page.locator("#send"))
    follow(page, page.locator("#end"))
    assert page.locator("h1").inner_text() == "How it went"


@pytest.mark.parametrize("slug", ["bet", "strategy"])
def test_the_clock_runs_down_and_closes_the_question(open_page, slug):
    page = open_page("/drills?r=1D")
    begin(page, slug, clock="3")
    assert page.locator("h1 #clock").inner_text() in ("3 s", "2 s")
    assert wait_for_step(page, "judged") == "judged"
    assert page.locator(".verdict.is-late").count() == 1
    assert page.locator("#say").inner_text().startswith("Late: ")


HEAR = """
  window.heard = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function () {
    heard.push(Math.round(this.frequency.value));
    start.call(this);
  };
  speechSynthesis.speak = (words) => heard.push(words.text);
"""


@pytest.mark.parametrize("sound", ["", "yes"])
def test_with_sound_tones_are_heard_and_the_dealer_speaks(open_page, sound):
    page = open_page("/drills?r=1D")
    page.add_init_script(HEAR)
    begin(page, "bet", clock="3", sound=sound)
    wait_for_step(page, "judged")
    assert page.evaluate("heard") == ([880, 880, 165] if sound else [])
    page = open_page("/drills?r=1D")
    page.add_init_script(HEAR)
    begin(page, "ready", sound=sound)
    answer_somehow(page)
    asked = page.locator("#ask, .drill-text").all_inner_texts()
    assert page.evaluate("heard")[-1:] == ([asked[-1]] if sound else [])


def test_a_session_and_a_settled_round_are_accessible_and_fit(open_page, axe):
    page = open_page("/drills?r=1D")
    begin(page, "dealer-mistakes")
    check_every_look(page, axe)
    page = open_page("/drills?r=1D")
    begin(page, "ready", talk="yes")
    for _ in range(4):
        check_every_look(page, axe)
        answer_somehow(page)
    change(page, lambda: page.locator("#end").click())
    wait_for_step(page, "over")
    check_every_look(page, axe)
