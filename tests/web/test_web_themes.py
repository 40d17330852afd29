"""The browser has the themes of the screen, in the same colours."""

import re
from importlib.resources import files

import pytest

from upcard.charts.palette import THEME_NAMES, THEMES
from upcard.tui.app import ScreenOptions, UpcardApp
from upcard.tui.appearance import PAINTS, register_themes
from upcard.web.site import CHOICES

CSS = (files("upcard.web") / "static" / "upcard.css").read_text(encoding="utf-8")


def colors_in_browser(theme):
    """Return the custom properties of a theme, as the rules of the stylesheet give them."""
    found = {}
    for selectors, body in re.findall(r"^(:root[^{]*){([^}]*)}", CSS, re.MULTILINE):
        if any(
            one.strip() in (":root", f':root[data-theme="{theme}"]') for one in selectors.split(",")
        ):
            found |= dict(re.findall(r"([a-z-]+):\s*([^;]+);", body))
    place = ["light", "dark"].index(found["color-scheme"])
    pair = re.compile(r"light-dark\((#\w+), (#\w+)\)")
    return {name: pair.sub(lambda one: one[place + 1], text) for name, text in found.items()}


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_a_theme_has_the_same_colours_on_the_screen_and_in_the_browser(theme):
    table, browser = THEMES[theme], colors_in_browser(theme)
    assert tuple(browser[f"--{name}"] for name in ("good", "bad", "gold")) == table[:3]
    assert tuple(browser[f"--suit-{suit}"] for suit in "shdc") == table.suits
    app = UpcardApp(ScreenOptions(), None)
    register_themes(app)
    screen = app.get_theme(theme)
    assert (screen.success, screen.error, screen.warning) == table[:3]
    assert [PAINTS[theme].suits[suit].split()[1] for suit in "SHDC"] == list(table.suits)
    assert screen.dark == (browser["color-scheme"] == "dark")


def test_the_settings_offer_the_themes_of_the_screen():
    assert set(CHOICES["theme"]) == {"auto", *THEME_NAMES}
