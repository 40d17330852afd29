"""The plots of pages: well-formed, in both widths, and inside their picture."""

import re
from xml.etree import ElementTree as ET

import pytest

from upcard.charts.page_plots import (
    WIDTHS,
    Axis,
    Band,
    Bar,
    Bars,
    Lines,
    PlotLine,
    draw_bars,
    draw_lines,
)


def write(value):
    return f"{value:g} & more"


def read(svg):
    pictures = list(ET.fromstring(f"<all>{svg}</all>"))  # noqa: S314 (our own)
    assert [one.get("class") for one in pictures] == [f"plot {name}" for name in WIDTHS]
    assert " style=" not in svg
    return pictures


def read_points(element):
    return [tuple(map(float, pair.split(","))) for pair in element.get("points").split()]


def test_lines_and_bands_are_inside_the_picture_in_both_widths():
    svg = draw_lines(
        Lines(
            title="a < b",
            across="rounds",
            write_x=write,
            write_y=write,
            lines=[PlotLine([(0, 0), (5, 30), (10, -70)], "is-net")],
            bands=[Band([(0, -10, 0), (5, -20, 40), (10, -90, 10)])],
            levels=[(20, "exact")],
        )
    )
    for picture, width in zip(read(svg), WIDTHS.values(), strict=True):
        height = float(picture.get("height"))
        shapes = [one for one in picture if one.get("points")]
        assert [len(read_points(one)) for one in shapes] == [6, 3]
        for x, y in (point for shape in shapes for point in read_points(shape)):
            assert 0 <= x <= width
            assert 0 <= y <= height
        assert next(x for x, _ in read_points(shapes[1])) < width / 4


def test_a_bar_has_a_whisker_of_its_error_and_none_leaves_a_gap():
    svg = draw_bars(
        ["-1", "0", "1"],
        [Bars(title="EV", bars=[Bar(None), Bar(8, 2), Bar(1)], write=write)],
    )
    for picture in read(svg):
        bars = picture.findall("g")
        assert [len(bar.findall("rect")) for bar in bars] == [1, 1]
        whisker = bars[0].find("path").get("d")
        top, bottom = (float(y) for y in re.findall(r" ([\d.]+)[Vh]", whisker)[1:])
        assert bars[1].find("path") is None
        box = bars[0].find("rect")
        start = float(box.get("y"))
        assert min(top, bottom) < start < max(top, bottom)


def test_ticks_are_round_and_values_between_the_ends_of_the_picture():
    axis = Axis(-90, 40, 100, 0)
    assert list(axis.ticks()) == [-50, 0]
    assert (axis(-90), axis(-25), axis(40)) == (100, 50, 0)
    assert (axis(-1000), axis(1000)) == (100, 0)


@pytest.mark.parametrize("ends", [(0, 0), (3, 3), (-1e-9, 1e-9), (1e9, 2e9), (0.1, 0.7)])
def test_any_values_have_an_axis_that_holds_them(ends):
    axis = Axis(*ends, 0, 100)
    assert 1 <= len(list(axis.ticks())) <= 6
    assert all(-0.01 <= axis(value) <= 100.01 for value in ends)
