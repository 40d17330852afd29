"""`?` leads a newcomer to the rules of the game."""

import pytest
from rich.cells import cell_len
from screen_driver import drive, plan_for, press, text_of

from upcard.coach.primer import SECTIONS
from upcard.tui.app import ScreenOptions
from upcard.tui.appearance import Appearance
from upcard.tui.drawing import Styles
from upcard.tui.pages import TextPage, write_primer


@pytest.mark.slow
@pytest.mark.parametrize(
    "opening", [ScreenOptions(), ScreenOptions(plan=plan_for(), keep="practice")]
)
@pytest.mark.parametrize("key", ["b", "B"])
def test_help_leads_to_blackjack_in_five_minutes(opening, key):
    seen = []

    async def script(pilot, app):
        await press(pilot, "question_mark")
        seen.append(text_of(app))
        await press(pilot, key)
        seen.append(text_of(app))
        await press(pilot, "escape", "escape")
        seen.append(type(app.screen).__name__)

    drive(script, opening)
    assert "B opens blackjack in five minutes" in seen[0]
    assert "Blackjack in five minutes" in seen[1]
    assert "You play against the dealer" in seen[1]
    assert seen[2] in {"StartScreen", "TableScreen"}


def test_the_page_in_ascii_has_seven_bit_characters_only():
    text = "\n".join(line.plain for line in write_primer(Appearance(ascii_only=True), Styles()))
    assert text.isascii()


def test_every_hand_is_drawn_and_fits_80_columns():
    lines = [line.plain for line in write_primer(Appearance(), Styles())]
    drawn = [line for line in lines if "╭" in line]
    assert len(drawn) == sum(bool(section.hands) for section in SECTIONS)
    assert max(map(cell_len, drawn)) < 72


def test_what_comes_after_a_page_was_closed_is_dropped():
    """Esc while the reasons were still being computed could end the program with a traceback."""

    async def script(pilot, app):
        page = TextPage("Why", ["a line"])
        await app.push_screen(page)
        await page.query("#page-text").remove()  # as Textual does while a page closes
        page.add(["computed late"])
        page.replace(["computed late"])

    drive(script)
