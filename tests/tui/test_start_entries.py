"""What is typed on the start screen, what Esc does there, and what is shown while it waits."""

import pytest
from screen_driver import LARGE, SMALL, drive, plan_for, press, settle, text_of, wait_for

from upcard.answers.edge import answer_edge
from upcard.core.errors import BlackjackError
from upcard.rules.model import Rules
from upcard.session.game_session import check_company
from upcard.tui.app import ScreenOptions

COMPANY_ROW = ["end", *["up"] * 4]


def flat(app):
    return " ".join(text_of(app).replace("│", " ").split())


async def type_over(pilot, text):
    """Type a text in place of the one in the entry."""
    await press(pilot, "end", *["backspace"] * 60, *map(named, text))


def named(character):
    return {" ": "space", ";": "semicolon", ":": "colon"}.get(character, character)


@pytest.mark.slow
def test_company_that_does_not_exist_is_refused_at_once_and_kept_for_correction():
    """F15: `basic; you; wizard` was accepted, refused at Enter with half the reason, and lost."""

    async def script(pilot, app):
        await press(pilot, *COMPANY_ROW, "e")
        await type_over(pilot, "basic; you; wizard")
        await press(pilot, "enter")
        assert "No player is called 'wizard': one of basic, chart:FILE, computer:" in flat(app)
        assert "lott-simple, mimic, never-bust, perfect." in flat(app)
        assert "basic; you; wizard" in flat(app)
        await press(pilot, *["backspace"] * 6, *"mimic", "enter")
        assert app.screen.choice.company == "basic; you; mimic"

    drive(script)


@pytest.mark.slow
def test_escape_closes_an_entry_and_never_ends_the_program():
    """F16: Esc after a refused entry ended the program."""

    async def script(pilot, app):
        await press(pilot, *COMPANY_ROW, "up", "up", "e")
        await type_over(pilot, "abc")
        await press(pilot, "enter")
        assert "number over 0" in flat(app)
        for _ in range(3):
            await press(pilot, "escape")
            assert "choose a table" in text_of(app)
        assert not app._exit
        assert str(app.screen.choice.bet) == "10"
        await press(pilot, "escape", "escape")
        assert app.is_running
        assert "Q ends the program." in flat(app) or app.screen._note == ""

    drive(script)


@pytest.mark.slow
def test_keys_without_meaning_change_nothing_on_the_start_screen():
    async def script(pilot, app):
        before = app.screen.choice
        await press(pilot, *"xzyg019;,", "f5", "tab", "insert", "delete", "escape", "backspace")
        assert app.screen.choice == before
        assert "choose a table" in text_of(app)

    drive(script)


@pytest.mark.slow
def test_what_was_chosen_stays_when_a_table_cannot_be_opened():
    """F15: after the refusal at Enter the company was "nobody" again."""

    async def script(pilot, app):
        await press(pilot, *COMPANY_ROW, "e")
        await type_over(pilot, "you; counter")
        await press(pilot, "enter", "home", "e")
        await type_over(pilot, "INF")
        await press(pilot, "enter", "enter")
        await settle(pilot)
        await wait_for(pilot, lambda: "never run out" in flat(app))
        assert app.seat is None
        assert app.screen.choice.company == "you; counter"
        assert "leave nothing to count; name 1D to 8D" in flat(app)

    drive(script)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("is_asked_for", [True, False], ids=["play --company", "start screen"])
def test_escape_while_the_company_sits_down_shows_the_start_screen(monkeypatch, is_asked_for):
    """F16: `Esc` everywhere; here it left an empty screen, or a table that had been left."""
    from threading import Event

    go_on = Event()
    monkeypatch.setattr("upcard.tui.seating.prepare_company", lambda *_, **__: go_on.wait(30))
    plan = plan_for("6D", company="mimic; you")

    async def script(pilot, app):
        if not is_asked_for:
            app.seating.open_table(plan)
        await wait_for(pilot, lambda: "The company is sitting down" in text_of(app))
        await press(pilot, "escape")
        assert "choose a table" in text_of(app)
        go_on.set()
        await press(pilot, "down", "up")
        assert "choose a table" in text_of(app)
        assert app.seat is None

    try:
        drive(script, ScreenOptions(plan=plan if is_asked_for else None))
    finally:
        go_on.set()


@pytest.mark.parametrize(("patience", "is_named"), [(3600, False), (0.001, True)])
def test_the_wait_for_compiling_is_named_only_after_a_while(monkeypatch, patience, is_named):
    """F18: it was said at every start, with the letter "a" on a line of its own."""
    from threading import Event

    go_on = Event()
    monkeypatch.setattr(
        "upcard.tui.background.find_edge", lambda _: go_on.wait(30) and answer_edge(-0.004)
    )
    monkeypatch.setattr("upcard.tui.pages.PATIENCE_SECONDS", patience)

    async def script(pilot, app):
        await wait_for(pilot, lambda: "Working it out." in text_of(app))
        if is_named:
            await wait_for(pilot, lambda: "first time" in text_of(app))
            assert "The first time on a machine this takes up to half a minute." in about(app)
        else:
            await press(pilot, "down", "up")
            assert "first time" not in text_of(app)
        assert all(len(line) > 3 for line in about_lines(app)[:4])
        go_on.set()
        await wait_for(pilot, lambda: "House edge  0.4" in text_of(app))
        assert "first time" not in text_of(app)

    try:
        drive(script)
    finally:
        go_on.set()


def about_lines(app):
    return [line[42:].strip() for line in text_of(app).splitlines()[1:] if line[42:].strip()]


def about(app):
    return " ".join(about_lines(app))


@pytest.mark.slow
@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_rules_that_have_no_room_are_marked_and_can_be_scrolled_to(size):
    """D3: at 80 by 24 the rules ended with "is a natural and"."""

    async def script(pilot, app):
        await press(pilot, "pagedown", "pageup")
        rules = app.screen.query_one("#rules")
        await wait_for(pilot, lambda: app.screen.query_one("#story").size.height > 0)
        has_more = rules.max_scroll_y > 0
        assert ("PgDn, PgUp: all the rules" in text_of(app)) == has_more
        assert has_more == (size == SMALL)
        if has_more:
            for _ in range(5):
                await press(pilot, "pagedown")
            await wait_for(pilot, lambda: rules.scroll_y == rules.max_scroll_y)
            await wait_for(pilot, lambda: "Hands: You may play" in text_of(app))

    drive(script, size=size)


@pytest.mark.slow
def test_a_whole_hint_is_shown_at_80_columns():
    async def script(pilot, app):
        note = "A first sentence of some length, for one. " * 4 + "The end."
        app.open_start(note)
        await wait_for(pilot, lambda: "The end." in text_of(app))

    drive(script, ScreenOptions(), size=SMALL)


@pytest.mark.parametrize(
    ("company", "reason"),
    [
        ("you; wizard", "no player is called 'wizard'"),
        ("you; mimic martingal", "no player is called 'mimic martingal'"),
        ("you; counter:nothing", "nothing"),
        ("you; computer:1", "the computer needs three numbers"),
        ("you; chart:/nowhere", "cannot read the chart"),
        ("you; you", "you sit at one place"),
    ],
)
def test_company_is_checked_without_working_out_a_chart(company, reason, monkeypatch):
    def refuse(_):
        pytest.fail("a chart is worked out")

    monkeypatch.setattr("upcard.players.bots.basic_chart", refuse)
    with pytest.raises(BlackjackError, match=reason):
        check_company(company, Rules())
    check_company("basic; you; counter:zen; lott-simple fibonacci", Rules())
    with pytest.raises(BlackjackError, match="never run out"):
        check_company("counter", Rules.parse("INF"))
