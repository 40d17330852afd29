"""The heat map of mistakes: shades, marks, figures, and what is on no chart."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from test_chart_palette import contrast, lightness

import upcard
from upcard.analysis.grades import count_grades
from upcard.charts.facts import ChartFacts
from upcard.charts.heat_map import (
    MARKS,
    SHADES,
    Heat,
    draw_heat_html,
    draw_heat_svg,
    draw_heat_text,
    find_level,
    lay_out_heat,
    list_worst,
    write_cost,
)
from upcard.core.cards import to_ascii
from upcard.core.errors import NotationError
from upcard.strategy.chart import COLUMN_KEYS, HAND_LABELS, UPCARD_LABELS

SVG = "{http://www.w3.org/2000/svg}"
HEATS = {
    ("16", "T"): Heat(40, [0.3, *[0.05] * 11], 27.0, 81.0),
    ("A7", "9"): Heat(9, [0.1] * 3, 9.0, 16.0),
    ("88", "A"): Heat(2, [0.2], 3.0, 9.0),
    ("1010", "6"): Heat(7, [0.009], 0.9, 0.81),
    ("12", "4"): Heat(5, [], 0.0),
}
OTHERS = {"insurance v A": Heat(6, [0.01, 0.001], 5.5, 9.0), "hard 20 v 7": Heat(3, [], 0.0)}


@pytest.fixture
def facts(strategy, rules):
    return ChartFacts(strategy=strategy, rules=rules, notes=("So many were judged.",))


@pytest.fixture
def heat_map(facts):
    return lay_out_heat(facts, HEATS, others=OTHERS)


def cells_of(heat_map):
    rows = [row for block in heat_map.layout.blocks for row in block.rows]
    return {
        (label, letter): cell
        for label, row in zip(HAND_LABELS, rows, strict=True)
        for letter, cell in zip(COLUMN_KEYS[UPCARD_LABELS], row.cells, strict=True)
    }


def test_every_cell_has_its_heat_and_the_charts_letters(heat_map, strategy):
    cells = cells_of(heat_map)
    assert len(cells) == 330
    for key, cell in cells.items():
        heat = HEATS.get(key)
        assert cell.figure == (write_cost(heat.cost) if heat and heat.cost else "")
        wrong = heat and (count_grades(heat.wrong) or "no mistake")
        assert (f"Asked {heat.asked}, {wrong}" if heat else "Never") in cell.hint
        assert (cell.level is None) == (heat is None)
    for label, row in strategy:
        for letter, text in zip(COLUMN_KEYS[UPCARD_LABELS], row, strict=True):
            assert cells[label, letter].mark.text == text


def test_places_add_up():
    assert Heat(1, [0.1], 0.5) + Heat(10, [0.2], 1.5) == Heat(11, [0.1, 0.2], 2.0)


def test_both_dealer_cards_have_a_map_in_parts():
    strategy = upcard.basic_strategy("INF UP2 TALL")
    heats = {("16", "16"): Heat(4, [0.5], 2.5), ("20", "A9"): Heat(2, [0.9], 9.0)}
    heat_map = lay_out_heat(ChartFacts(strategy=strategy), heats, others={})
    assert [(worst.name, worst.place) for worst in heat_map.worst] == [
        ("hard 20 v A9", "20 v A9"),
        ("hard 16 v 16", "16 v 16"),
    ]
    text = draw_heat_text(heat_map, per_hour=None)
    assert max(map(len, text.splitlines())) <= 80
    assert all(f"{MARKS[level]}{mark}" in text for level, mark in ((4, "H"), (3, "S")))
    root = ET.fromstring(draw_heat_svg(heat_map))  # noqa: S314 (our own)
    figures = [one.text for one in root.iter(f"{SVG}text") if one.get("class") == "figure"]
    assert figures == ["2.5", "9.0"]


def test_shades_go_by_thirds_of_the_dearest(heat_map):
    cells = cells_of(heat_map)
    levels = {key: cells[key].level for key in HEATS}
    assert levels == {
        ("16", "T"): 4,
        ("A7", "9"): 3,
        ("88", "A"): 2,
        ("1010", "6"): 1,
        ("12", "4"): 0,
    }
    assert [find_level(cost, 27) for cost in (0, 0.01, 1, 1.01, 3, 3.01, 9, 9.01, 27)] == [
        0, 1, 1, 2, 2, 3, 3, 4, 4,
    ]  # fmt: skip
    assert [words for _, words in heat_map.legend] == [
        "asked, no mistake",
        "up to 1.0 chips lost",
        "up to 3.0 chips lost",
        "up to 9.0 chips lost",
        "up to 27.0 chips lost",
    ]


def test_the_worst_come_dearest_first_with_what_is_on_no_chart(heat_map):
    assert list_worst(heat_map, per_hour=0.5) == (
        ("hand", "right play", "asked", "mistakes", "cost", "an hour", "SD"),
        ("hard 16 v 10", "hit", "40", "1 blunder, 11 mistakes", "27.0", "13.5", "4.5"),
        ("A,7 v 9", "hit", "9", "3 blunders", "9.0", "4.5", "2.0"),
        ("insurance v A", "-", "6", "1 mistake, 1 slip", "5.5", "2.8", "1.5"),
        ("8,8 v A", "surrender, else split", "2", "1 blunder", "3.0", "1.5", "1.5"),
        ("10,10 v 6", "stand", "7", "1 slip", "0.90", "0.45", "0.45"),
    )


def test_a_table_too_wide_for_a_terminal_leaves_the_right_plays_to_the_chart(facts, heat_map):
    text = draw_heat_text(heat_map, per_hour=None)
    assert "surrender, else split" in text
    wide = draw_heat_text(heat_map, per_hour=0.5)
    assert "surrender, else split  " not in wide
    assert "1 blunder, 11 mistakes" in wide
    assert max(map(len, wide.splitlines())) < 80


def test_after_few_rounds_no_place_has_a_rate(heat_map):
    """F19: one hand was blown up to an hour."""
    rows = list_worst(heat_map, per_hour=None)
    assert rows[:2] == (
        ("hand", "right play", "asked", "mistakes", "cost"),
        ("hard 16 v 10", "hit", "40", "1 blunder, 11 mistakes", "27.0"),
    )
    assert "an hour" not in draw_heat_text(heat_map, per_hour=None)


def test_at_most_ten_are_listed(facts):
    heats = {("16", letter): Heat(1, [0.1], 1.0) for letter in COLUMN_KEYS[UPCARD_LABELS]} | HEATS
    heat_map = lay_out_heat(facts, heats, others=OTHERS)
    assert len(heat_map.worst) == 10


def test_text_has_marks_and_fits_80_columns(heat_map):
    text = draw_heat_text(heat_map, per_hour=1.0)
    lines = text.splitlines()
    assert all(len(line) <= 80 for line in lines)
    assert "\x1b" not in text
    (sixteen,) = [line for line in lines if line.lstrip().startswith("16 ")]
    assert sixteen[:36] == "   16  S  S  S  S  S  H  H  H 4H  H "
    (tens,) = [line for line in lines if "10,10 " in line and "v" not in line]
    assert tens.endswith(" 10,10  S  S  S  S 1S  H  H  H  H  H")
    (eights,) = [line for line in lines if "  8,8 " in line and "8,8 v" not in line]
    assert eights.endswith("  P 2Rp")
    assert "   4 up to 27.0 chips lost" in text
    assert "never asked: no mark" in text
    assert "So many were judged." in text
    assert "H hit; S stand; Dh double, else hit" in text


def test_colours_only_add_shades(heat_map):
    plain = draw_heat_text(heat_map, per_hour=1.0)
    colored = draw_heat_text(heat_map, per_hour=1.0, color=True)
    bare = re.sub(r"\x1b\[[\d;]*m", "", colored)
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()
    dearest = SHADES[4]
    assert f"\x1b[38;5;{dearest.xterm_ink};48;5;{dearest.xterm_fill}m4H \x1b[0m" in colored


def test_plain_text_is_seven_bits(heat_map):
    text = to_ascii(draw_heat_text(heat_map, per_hour=1.0))
    assert text.isascii()
    assert "?" not in text


def test_the_picture_has_a_box_a_hint_and_a_figure_for_each_cell(heat_map):
    root = ET.fromstring(draw_heat_svg(heat_map))  # noqa: S314 (our own)
    groups = root.findall(f"{SVG}g")
    assert len(groups) == 330
    told = [group.find(f"{SVG}title").text for group in groups]
    assert "Hard 16 v 10: hit. Asked 40, 1 blunder, 11 mistakes, cost 27.0 chips" in told
    assert "Hard 12 v 4: stand. Asked 5, no mistake" in told
    assert sum(text.endswith(". Never asked") for text in told) == 325
    fills = [group.find(f"{SVG}rect").get("fill") for group in groups]
    assert [fills.count(shade.fill) for shade in SHADES] == [1] * 5
    figures = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "figure"]
    assert sorted(figures) == ["0.90", "27.0", "3.0", "9.0"]
    about = root.find(f"{SVG}desc").text
    assert "Most was lost at hard 16 v 10: 27.00 chips lost by 12 of 40" in about


def test_the_page_has_the_picture_and_the_table(heat_map):
    page = draw_heat_html(heat_map, per_hour=0.5)
    root = ET.fromstring(page.removeprefix("<!DOCTYPE html>\n"))  # noqa: S314 (our own)
    html = "{http://www.w3.org/1999/xhtml}"
    rows = [["".join(cell.itertext()) for cell in row] for row in root.iter(f"{html}tr")]
    assert rows == [list(row) for row in list_worst(heat_map, per_hour=0.5)]
    assert len(list(root.iter(f"{SVG}svg"))) == 1
    assert "http://" not in page.replace("http://www.w3.org/", "")


def test_without_mistakes_there_is_no_table(facts):
    clean = lay_out_heat(facts, {("12", "4"): Heat(5, [], 0.0)}, others={})
    assert clean.worst == ()
    assert [level for level, _ in clean.legend] == [0]
    assert "Where most was lost" not in draw_heat_text(clean, per_hour=1.0)
    assert "<table>" not in draw_heat_html(clean, per_hour=1.0)


def test_what_is_in_no_cell_is_refused(facts):
    with pytest.raises(NotationError, match="a mistake at 20 v T: there is no such cell"):
        lay_out_heat(facts, {("20", "T"): Heat(1, [0.1], 1.0)}, others={})
    with pytest.raises(NotationError, match="16 v 10"):
        lay_out_heat(facts, {("16", "10"): Heat(1, [0.1], 1.0)}, others={})


# --- legible in grey, and by people who see colours in another way ---


@pytest.mark.parametrize("shade", SHADES)
def test_letters_stand_out_from_their_shade(shade):
    assert contrast(shade.ink, shade.fill) >= 4.5
    assert contrast(shade.xterm_ink, shade.xterm_fill) >= 4.5


@pytest.mark.parametrize("field", ["fill", "xterm_fill"])
def test_dearer_is_darker_by_lightness_alone(field):
    steps = [lightness(getattr(shade, field)) for shade in SHADES]
    assert min(before - after for before, after in pairwise(steps)) >= 9


def test_marks_and_shades_are_as_many():
    assert len(MARKS) == len(SHADES) == 5


@pytest.mark.parametrize(
    ("cost", "text"),
    [(123.4, "123"), (99.96, "100"), (12.34, "12.3"), (0.5, "0.50"), (0.001, "<0.01")],
)
def test_costs_are_written_short(cost, text):
    assert write_cost(cost) == text
