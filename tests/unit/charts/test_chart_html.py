"""The page is well-formed, stands alone, and holds real tables with headers."""

import re
from xml.etree import ElementTree as ET

import pytest

from upcard import Rules
from upcard.charts.palette import DARK_PAGE, LIGHT_PAGE, PAINTS
from upcard.charts.render import render_chart
from upcard.rules.describe import describe_rules
from upcard.strategy.chart import HAND_LABELS, UPCARD_LABELS

X = "{http://www.w3.org/1999/xhtml}"


def page(strategy, **options):
    text = render_chart(strategy, format="html", **options)
    assert text.startswith("<!DOCTYPE html>\n")
    return ET.fromstring(text)  # noqa: S314 (our own text)


def marks(row):
    return [
        "".join(part for part in (cell.text, *(s.text for s in cell.findall(f"{X}small"))))
        for cell in row.findall(f"{X}td")
    ]


def test_three_tables_hold_every_cell(strategy):
    tables = list(page(strategy).iter(f"{X}table"))
    assert [table.find(f"{X}caption").text.strip() for table in tables] == [
        "Hard totals",
        "Soft totals",
        "Pairs",
    ]
    rows = [row for table in tables for row in table.find(f"{X}tbody")]
    assert [row.find(f"{X}th").text.replace(",", "") for row in rows] == list(HAND_LABELS)
    assert [tuple(marks(row)) for row in rows] == list(strategy.cells)


def test_three_more_tables_hold_the_chart_for_free_hands(strategy, free):
    root = page(strategy, free=free)
    assert [heading.text for heading in root.iter(f"{X}h2")] == [
        "Hands that the house has paid for"
    ]
    rows = [row for body in root.iter(f"{X}tbody") for row in body]
    assert [tuple(marks(row)) for row in rows] == [*strategy.cells, *free.cells]


def test_the_marks_of_both_charts_have_colors(strategy, free):
    text = render_chart(free, format="html", free=strategy)
    assert ".Dh { background" in text
    assert ".Dh { background" not in render_chart(free, format="html")


def test_headers_have_their_scope(strategy):
    for table in page(strategy).iter(f"{X}table"):
        columns = table.findall(f"{X}thead/{X}tr/{X}th")
        assert [column.text for column in columns] == ["hand", *UPCARD_LABELS]
        assert {column.get("scope") for column in columns} == {"col"}
        assert {th.get("scope") for th in table.findall(f"{X}tbody/{X}tr/{X}th")} == {"row"}


def test_a_cell_tells_what_every_action_is_worth(strategy, values):
    cells = list(page(strategy, values=values).iter(f"{X}td"))
    assert len(cells) == 330
    assert cells[108].get("title") == (
        "Hard 15 v 10: surrender, else hit."
        " surrender −0.0500, hit −0.3000, stand −0.4250, double −0.5500"
    )
    assert all("−" in cell.get("title") for cell in cells)


@pytest.mark.parametrize(("numbers", "figures"), [("cost", {"0.250"}), (None, {None})])
def test_figures_are_in_the_cells_when_asked(strategy, values, numbers, figures):
    cells = page(strategy, values=values, numbers=numbers).iter(f"{X}td")
    assert {getattr(cell.find(f"{X}span"), "text", None) for cell in cells} == figures


def test_it_needs_nothing_from_outside(strategy, values, rules):
    text = render_chart(
        strategy, format="html", values=values, numbers="ev", rules=rules, ev=-0.005
    )
    assert re.findall(r"https?://[^\"'\s<]*", text) == ["http://www.w3.org/1999/xhtml"]
    assert not re.search(r"url\(|href|src=|@import|<script", text)


def test_light_dark_and_print_are_styled(strategy):
    style = page(strategy).find(f"{X}head/{X}style").text
    assert "@media (prefers-color-scheme: dark)" in style
    assert "@media print" in style
    assert f"--paper: {LIGHT_PAGE.paper}" in style
    assert f"--paper: {DARK_PAGE.paper}" in style
    assert all(paint.fill in style for paint in PAINTS.values())
    assert style.count("{") == style.count("}")


def test_the_rules_can_be_read_in_words(strategy):
    rules = Rules.parse("european")
    root = page(strategy, rules=rules)
    assert [dt.text for dt in root.iter(f"{X}dt")] == [topic for topic, _ in describe_rules(rules)]
    assert [dd.text for dd in root.iter(f"{X}dd")] == [text for _, text in describe_rules(rules)]
    assert not list(page(strategy).iter(f"{X}details"))


def test_a_title_is_text_and_nothing_else(strategy):
    root = page(strategy, title='</title><script>alert("1")</script>')
    assert root.find(f"{X}body/{X}main/{X}h1").text == '</title><script>alert("1")</script>'
    assert not list(root.iter(f"{X}script"))
