"""The colours can be read, and told apart by who sees no colours."""

from itertools import pairwise

import pytest

from upcard.charts.layout import MARKS
from upcard.charts.palette import DARK_PAGE, LIGHT_PAGE, PAINTS

STEPS = (0, 95, 135, 175, 215, 255)


def rgb(color):
    """Return red, green and blue of `#rrggbb` or of a number in xterm's cube."""
    if isinstance(color, int):
        assert 16 <= color <= 231
        cube = color - 16
        return tuple(STEPS[cube // place % 6] for place in (36, 6, 1))
    return tuple(int(color[place : place + 2], 16) for place in (1, 3, 5))


def luminance(color):
    """Return the relative luminance that WCAG 2 defines."""
    shares = (channel / 255 for channel in rgb(color))
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def lightness(color):
    """Return CIE L*, 0 to 100."""
    y = luminance(color)
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


def test_the_measure_knows_black_on_white():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast(16, 231) == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("mark", MARKS.values(), ids=MARKS)
def test_letters_stand_out_from_their_fill(mark):
    paint = PAINTS[mark.first]
    assert contrast(paint.ink, paint.fill) >= 4.5
    assert contrast(paint.xterm_ink, paint.xterm_fill) >= 4.5


@pytest.mark.parametrize("page", [LIGHT_PAGE, DARK_PAGE], ids=["light", "dark"])
def test_words_stand_out_from_the_page(page):
    assert contrast(page.ink, page.paper) >= 4.5
    assert contrast(page.muted, page.paper) >= 4.5


@pytest.mark.parametrize("field", ["fill", "xterm_fill"])
def test_fills_differ_in_lightness_alone(field):
    steps = sorted(lightness(getattr(paint, field)) for paint in PAINTS.values())
    assert min(after - before for before, after in pairwise(steps)) >= 9


def test_a_second_choice_shows_in_the_corner():
    for mark in MARKS.values():
        if mark.second is not None:
            fills = (PAINTS[mark.first].fill, PAINTS[mark.second].fill)
            assert contrast(*fills) >= 1.3
