"""The painter of plots: nothing overlaps or leaves the picture, whatever is drawn and where."""

import math
import re
from dataclasses import replace
from importlib.resources import files
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import pytest
from test_plots import EVERY_PLOT, PATHS, make_document, make_runs

from upcard.charts import font, panels, plots
from upcard.charts.plot_data import PlotCaption, read_bankroll_plot, read_convergence_plot
from upcard.charts.plot_data import read_count_plot as read_counts
from upcard.charts.svg_plots import (
    HALF,
    WIDTHS,
    Axis,
    Band,
    Bar,
    Panel,
    PlotLine,
    draw_for_file,
    draw_for_notebook,
    draw_panels,
)

LONG = "cancellation:" + ",".join(map(str, range(1, 60)))
MANY = {count: {-2: 3_000, 2: 2_900 + 8 * count, 3: 90} for count in range(-20, 21)}


def settle(points, **changes):
    progress = [[rounds, ev, error] for rounds, ev, error in points]
    return read_convergence_plot(make_document(progress=progress, **changes))


ODD_PLOTS = {
    "one count": lambda: read_counts(make_document(rounds={0: {2: 200, -2: 200}})),
    "many counts": lambda: read_counts(make_document(rounds=MANY)),
    "no EV known": lambda: read_counts(make_document(rounds={0: {2: 60, -2: 39}})),
    "long names": lambda: replace(
        read_counts(make_document()),
        caption=PlotCaption(title=LONG, about=(f"{LONG} " * 3,), source="6D H17 · seed 1 " * 30),
        count_name="A name that goes on and on, " * 6 + "Ελληνικά Русский 漢字 <&>",
    ),
    "one point": lambda: settle([(500, 0.01, 0.02)]),
    "all equal": lambda: settle([(500 * step, 0.0, 0.0) for step in range(1, 9)], exact=None),
    "negative": lambda: settle([(10**step, -0.5 - 1 / step, 0.01) for step in range(3, 11)]),
    "thousands": lambda: settle([(10 * k, math.sin(k) / k, 0.1 / k) for k in range(1, 5000)]),
    "ramp": lambda: settle([(10, 1e-9, 1e-10), (11, 2e-9, 1e-10)], ramp="1-8"),
    "much money": lambda: read_bankroll_plot(
        make_runs((LONG, [[10**12, 10**12 + 1]]), ("flat", [[10**8, 3]]), rounds=2)
    ),
    "no change": lambda: read_bankroll_plot(make_runs(("flat", [[10, 10], [10, 10]]), rounds=2)),
    "long sessions": lambda: read_bankroll_plot(make_runs(("flat", [PATHS[0] * 2000] * 3))),
}
ALL_PLOTS = EVERY_PLOT | ODD_PLOTS
PLACES = {
    "file": panels.draw_svg,
    "notebook": lambda plot: draw_for_notebook(panels.list_panels(plot, has_paths=False)),
    "page": lambda plot: draw_panels(panels.list_panels(plot, has_paths=False), WIDTHS | HALF),
}
SIZES = {"plot-heading": 20, "plot-caption": 11.5, "plot-figure": 10.5}


def read(drawn):
    return list(ET.fromstring(f"<all>{drawn}</all>".replace("xmlns=", "x=")))  # noqa: S314 (our own)


def box(text):
    """Return the edges of a text: left, top, right and bottom."""
    kinds = text.get("class").split()
    size = next((SIZES[kind] for kind in kinds if kind in SIZES), 12)
    is_bold = {"plot-title", "plot-heading"} & {*kinds}
    width = font.measure(text.text, size, is_bold=bool(is_bold))
    part = 0.5 if "is-middle" in kinds else 1.0 if "is-end" in kinds else 0.0
    left, y = float(text.get("x")) - part * width, float(text.get("y"))
    return left, y - 0.73 * size, left + width, y + 0.2 * size


@pytest.mark.fast_cases(12)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("plot", ALL_PLOTS)
def test_no_words_overlap_or_leave_the_picture(plot, place):
    for picture in read(PLACES[place](ALL_PLOTS[plot]())):
        width, height = float(picture.get("width")), float(picture.get("height"))
        boxes = {text: box(text) for text in picture.iter("text")}
        for text, (left, top, right, bottom) in boxes.items():
            assert -0.1 <= left <= right <= width + 0.1, text.text
            assert 0 <= top <= bottom <= height, text.text
        for (one, a), (other, b) in combinations(boxes.items(), 2):
            overlap = a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
            named = "plot-level-name" in one.get("class") + other.get("class")
            assert named or not overlap, (one.text, other.text)


@pytest.mark.fast_cases(12)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("plot", ALL_PLOTS)
def test_every_mark_is_inside_the_picture_and_has_a_look(plot, place):
    (folder, name) = ("web/static", "plots") if place == "page" else ("charts", "plot_picture")
    style = files("upcard").joinpath(f"{folder}/{name}.css").read_text("utf-8")
    style = style.partition("@media")[0]
    known = {*re.findall(r"\.([a-z-]+)", style), "plot-label", "is-narrow", "is-path", "is-median"}
    for picture in read(PLACES[place](ALL_PLOTS[plot]())):
        width, height = float(picture.get("width")), float(picture.get("height"))
        used = {kind for one in picture.iter() for kind in one.get("class", "").split()}
        assert used - known <= {"is-outer", "is-half", "upcard-plot", "upcard-picture", "is-plain"}
        for shape in picture.iter():
            for pair in shape.get("points", "").split():
                x, y = map(float, pair.split(","))
                assert 0 <= x <= width
                assert 0 <= y <= height
            assert 0 <= float(shape.get("cy", 0)) <= height
            assert float(shape.get("y", 0)) + float(shape.get("height", 0)) <= height


@pytest.mark.slow
@pytest.mark.parametrize("plot", ODD_PLOTS)
def test_odd_plots_are_files_too(plot, tmp_path):
    for suffix in plots.SUFFIXES:
        plots.write_plot(ODD_PLOTS[plot](), str(tmp_path / f"a{suffix}"))
        assert (tmp_path / f"a{suffix}").stat().st_size > 100


def test_controls_of_a_file_reach_neither_a_picture_nor_a_terminal():
    """A title may have any character that TOML can write, the rules any that JSON can."""
    document = make_document(rules="6D \x1b[2J \ud800 S17")
    document["job"]["system"] = 'title = "Bell \\u0007 end"'
    plot = read_counts(document)
    assert (plot.count_name, plot.caption.source[:12]) == ("Bell end", "6D [2J S17 ·")
    assert "\x1b" not in plots.draw_text(plot)
    ET.fromstring(panels.draw_svg(replace(plot, count_name="a \x07\ud800 b")))  # noqa: S314 (ours)


@pytest.mark.slow
def test_of_many_points_the_highest_and_the_lowest_are_drawn():
    heights = [math.sin(place) for place in range(100_000)]
    heights[5_000], heights[70_000] = 9, -7
    panel = Panel(title="a", lines=[PlotLine(list(enumerate(heights)))])
    for picture in read(draw_panels([panel])):
        (line,) = picture.iter("polyline")
        points = [tuple(map(float, pair.split(","))) for pair in line.get("points").split()]
        assert len(points) <= 4 * float(picture.get("width"))
        assert max(y for _, y in points) - min(y for _, y in points) > 0.9 * panel.height
        assert [x for x, _ in points] == sorted(x for x, _ in points)


def test_the_interval_of_a_single_estimate_is_seen():
    (picture,) = read(panels.draw_svg(ODD_PLOTS["one point"]()))
    (band,) = picture.iter("polygon")
    places = [float(pair.split(",")[0]) for pair in band.get("points").split()]
    assert max(places) - min(places) > 5


def test_a_picture_stands_beside_others_without_touching_them():
    for draw in (panels.draw_svg, PLACES["notebook"]):
        style = draw(EVERY_PLOT["count"]()).partition("<style>")[2].partition("</style>")[0]
        selectors = [line.partition("{")[0] for line in style.strip().splitlines()]
        assert all(one.strip().startswith(".upcard-p") for one in ",".join(selectors).split(","))


def test_lines_and_bands_begin_at_the_upright_axis():
    svg = draw_panels(
        [
            Panel(
                title="a < b",
                across="rounds",
                lines=[PlotLine([(0, 0), (5, 30), (10, -70)], "is-net")],
                bands=[Band([(0, -10, 0), (5, -20, 40), (10, -90, 10)])],
                levels=[(20, "exact")],
            )
        ]
    )
    assert " style=" not in svg
    for picture, (name, width) in zip(read(svg), WIDTHS.items(), strict=True):
        assert picture.get("class") == f"plot {name}"
        shapes = [one.get("points").split() for one in picture if one.get("points")]
        assert [len(points) for points in shapes] == [6, 3]
        assert float(shapes[1][0].split(",")[0]) < width / 4


def test_a_bar_has_a_whisker_of_its_error_and_none_leaves_a_gap():
    labels, bars = ["-1", "0", "1"], [Bar(None), Bar(8, 2), Bar(1)]
    for picture in read(draw_panels([Panel(title="EV", labels=labels, bars=bars)])):
        drawn = picture.findall("g")
        assert [len(bar.findall("rect")) for bar in drawn] == [1, 1]
        whisker = drawn[0].find("path").get("d")
        top, bottom = (float(y) for y in re.findall(r" ([\d.]+)[Vh]", whisker)[1:])
        assert drawn[1].find("path") is None
        start = float(drawn[0].find("rect").get("y"))
        assert min(top, bottom) < start < max(top, bottom)


def test_an_interval_that_is_cut_has_no_cap_there():
    labels, bars = ["0", "1"], [Bar(0.01, 0.5), Bar(0.0, 0.001)]
    panel = Panel(title="EV", unit="%", labels=labels, bars=bars, has_dots=True)
    (picture,) = read(draw_panels([panel], HALF))
    cut, whole = (group.find("path").get("d") for group in picture.findall("g"))
    assert (cut.count("h"), whole.count("h")) == (0, 2)


def test_a_cut_interval_is_explained():
    assert panels._CUT in panels.draw_svg(ODD_PLOTS["one count"]())
    sure = read_counts(make_document(rounds={0: {2: 200_000, -2: 200_000}}))
    assert panels._CUT not in panels.draw_svg(sure)


def test_ticks_are_round_and_values_between_the_ends_of_the_picture():
    axis = Axis(-90, 40, 100, 0)
    assert list(axis.ticks()) == [-50, 0]
    assert (axis(-90), axis(-25), axis(40)) == (100, 50, 0)
    assert (axis(-1000), axis(1000)) == (100, 0)


@pytest.mark.parametrize("most", range(1, 9))
@pytest.mark.parametrize("decades", range(2, 13))
def test_ticks_of_powers_of_ten_are_as_far_apart(decades, most):
    """A run of 100 billion rounds had one number at the end of its axis."""
    ticks = Axis(1e6, 10.0 ** (6 + decades), 0, 100, is_log=True, most=most).ticks()
    assert ticks[0] == 1e6
    assert 1 <= len(ticks) <= max(most, 1)
    assert len(ticks) > 1 or most == 1
    if len(ticks) <= decades:
        assert len({round(after / before) for before, after in pairwise(ticks)}) <= 2


def test_counts_without_an_ev_say_so():
    few = read_counts(make_document(rounds={0: {2: 3, -2: 4}}))
    assert panels._UNKNOWN in panels.draw_svg(few)


@pytest.mark.parametrize("ends", [(0, 0), (3, 3), (-1e-9, 1e-9), (1e9, 2e9), (0.1, 0.7)])
@pytest.mark.parametrize("is_log", [False, True])
def test_any_values_have_an_axis_that_holds_them(ends, is_log):
    axis = Axis(*ends, 0, 100, is_log=is_log)
    assert 1 <= len(list(axis.ticks())) <= 6
    assert all(-0.01 <= axis(value) <= 100.01 for value in ends)


@pytest.mark.parametrize(
    ("axis", "texts"),
    [
        (Axis(-0.021, 0.033, 0, 1, "%", is_signed=True), "−2% 0% +2%"),
        (Axis(-0.001, 0.0014, 0, 1, "%"), "−0.10% −0.05% 0% 0.05% 0.10%"),
        (Axis(0, 1.1e6, 0, 1), "0 500,000 1,000,000"),
        (Axis(900, 120_000, 0, 1, is_log=True), "1,000 3,000 10,000 30,000 100,000"),
        (Axis(1, 3, 0, 1, is_whole=True), "1 2 3"),
        (Axis(7, 7, 0, 1, is_whole=True), "7"),
    ],
)
def test_labels_have_as_many_digits_as_it_takes(axis, texts):
    assert " ".join(text for _, text in axis.labels()) == texts


# The font.


def test_text_is_as_wide_as_the_font_says():
    # Advances of DejaVu Sans 2.37, in 2048ths of the size.
    for text, is_bold, units in (
        ("A", False, 1401),
        ("A", True, 1585),
        ("0−", False, 1303 + 1716),
    ):
        assert font.measure(text, 2048, is_bold=is_bold) == pytest.approx(units)
    assert font.measure("漢", 10) == 10


@pytest.mark.parametrize("is_bold", [False, True])
def test_the_font_has_what_plots_can_write(is_bold):
    wanted = {*map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x180)))} | {*"±−×–—…≥≤√♠♥♦♣·ΑαωАяё"}
    known = font._read_widths(is_bold)
    assert {one for one in wanted if ord(one) not in known} == set()


@pytest.mark.slow
def test_a_png_has_its_text_without_fonts_of_the_machine():
    def draw(text):
        return font.draw_png(draw_for_file([Panel(title=text)], "", ()))

    assert len({draw(text) for text in ("", "abc", "abe", "Ж", "±")}) == 5
    # The same box for what the font has not, even where the machine has a font for it.
    assert draw("漢") == draw("字") == draw("Ա") == draw("Բ")


def test_a_line_breaks_between_words_and_in_a_long_one_after_a_comma():
    lines = list(font.wrap("Chips, " + LONG + " and 999,890 rounds", 12, 300))
    assert all(font.measure(line, 12) <= 300 for line in lines)
    assert all(line[-1] in ",s" or " " in line for line in lines)
    assert lines[-1].endswith("999,890 rounds")
    assert list(font.wrap("", 12, 300)) == []
