"""The SVG stands alone, says every cell, and lies within its frame."""

import re
from xml.etree import ElementTree as ET

import pytest

from upcard import Strategy
from upcard.charts.layout import MARKS
from upcard.charts.palette import PAINTS
from upcard.charts.render import render_chart
from upcard.strategy.chart import HARD_LABELS, PAIR_LABELS, SOFT_LABELS

SVG = "{http://www.w3.org/2000/svg}"


def draw(strategy, **options):
    text = render_chart(strategy, format="svg", **options)
    return ET.fromstring(text)  # noqa: S314 (our own text)


def cell_groups(root):
    """Return the cells, row by row in the order of the blocks."""
    return root.findall(f"{SVG}g")


def letters(group):
    return "".join(group.find(f"{SVG}text[@class='mark']").itertext())


def test_every_cell_is_there_on_its_color(strategy):
    groups = cell_groups(draw(strategy))
    rows = dict(strategy)
    expected = [
        cell for label in (*HARD_LABELS, *SOFT_LABELS, *PAIR_LABELS) for cell in rows[label]
    ]
    assert [letters(group) for group in groups] == expected
    for group, cell in zip(groups, expected, strict=True):
        mark = MARKS[cell]
        assert group.find(f"{SVG}rect").get("fill") == PAINTS[mark.first].fill
        corner = group.find(f"{SVG}path")
        second = None if corner is None else corner.get("fill")
        assert second == (PAINTS[mark.second].fill if mark.second else None)


def test_it_needs_nothing_from_outside(strategy, values, rules):
    text = render_chart(strategy, format="svg", values=values, numbers="ev", rules=rules, ev=-0.005)
    assert re.findall(r"https?://[^\"'\s<]*", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"url\(|href|@import|<script|<image", text)


def test_title_rules_and_ev_are_said(strategy, rules):
    root = draw(strategy, rules=rules, ev=-0.005)
    words = [text.text for text in root.findall(f"{SVG}text")]
    assert root.find(f"{SVG}title").text == "A chart <made up> & odd"
    assert "A chart <made up> & odd" in words
    assert f"Rules: {rules}" in words
    assert "Expected value −0.500% of the first bet: house edge 0.500%. Decline insurance." in words
    assert "surrender, else split" in words


@pytest.mark.parametrize("numbers", ["ev", "cost"])
def test_every_cell_has_its_figure(strategy, values, numbers):
    figures = [
        group.find(f"{SVG}text[@class='figure']").text
        for group in cell_groups(draw(strategy, values=values, numbers=numbers))
    ]
    assert len(figures) == 330
    assert set(figures) == ({"0.250"} if numbers == "cost" else {"−0.050", "−0.175"})


def test_a_cell_is_explained_when_pointed_at(strategy, values):
    hints = [group.find(f"{SVG}title").text for group in cell_groups(draw(strategy, values=values))]
    assert hints[108] == (
        "Hard 15 v 10: surrender, else hit."
        " surrender −0.0500, hit −0.3000, stand −0.4250, double −0.5500"
    )
    assert hints[15 * 10].startswith("A,2 v 2: stand. ")


@pytest.mark.parametrize("numbers", [None, "ev"])
@pytest.mark.parametrize("title", ["Short", "A very long title " * 20])
def test_all_lies_within_the_frame(strategy, values, rules, numbers, title):
    root = draw(
        strategy,
        title=title,
        values=values,
        rules=rules,
        numbers=numbers,
        notes=["It is a note of some length."] * 12,
    )
    require_frame(root)


def require_frame(root):
    width, height = float(root.get("width")), float(root.get("height"))
    for box in root.iter(f"{SVG}rect"):
        assert float(box.get("x", 0)) + float(box.get("width")) <= width
        assert float(box.get("y", 0)) + float(box.get("height")) <= height
    for text in root.iter(f"{SVG}text"):
        assert 0 < float(text.get("x")) < width
        assert 0 < float(text.get("y")) < height - 10


def test_the_chart_for_free_hands_is_drawn_below_the_other(strategy, free):
    root = draw(strategy, free=free)
    cells = [letters(group) for group in cell_groups(root)]
    assert cells[:330] == [letters(group) for group in cell_groups(draw(strategy))]
    assert cells[330:] == ["H"] * 330
    words = [(float(text.get("y")), text.text) for text in root.findall(f"{SVG}text")]
    (heading,) = [y for y, word in words if word == "Hands that the house has paid for"]
    boxes = [float(group.find(f"{SVG}rect").get("y")) for group in cell_groups(root)]
    assert max(boxes[:330]) < heading < min(boxes[330:])
    assert "Hands that the house has paid for" in root.find(f"{SVG}desc").text
    require_frame(root)


def test_controls_do_not_break_the_picture(strategy):
    odd = Strategy(cells=strategy.cells, title="bell \x07 null \x00 lone \ud800 end")
    assert draw(odd).find(f"{SVG}title").text == "bell null lone end"


def test_the_legend_reads_line_by_line_as_on_the_page(strategy):
    """D3: the picture had it column by column."""
    words = [
        (float(text.get("y")), float(text.get("x")), text.text)
        for text in draw(strategy).iter(f"{SVG}text")
        if text.get("class") == "words"
    ]
    rows = {cell for _, cells in strategy for cell in cells}
    assert [text for *_, text in sorted(words)] == [
        mark.words for text, mark in MARKS.items() if text in rows
    ]
