"""The chart on a terminal: it fits, it says every cell, and it is plain unless asked."""

import re

import pytest

from upcard import Rules, Strategy
from upcard.charts.render import render_chart
from upcard.core.cards import to_ascii
from upcard.strategy.chart import HARD_LABELS, PAIR_LABELS, SOFT_LABELS, UPCARD_LABELS

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def shown(label):
    """Return a row's name on the chart."""
    return (
        label if label in HARD_LABELS else f"{label[: len(label) // 2]},{label[len(label) // 2 :]}"
    )


def test_it_fits_a_small_terminal(strategy, rules):
    lines = render_chart(
        strategy, format="text", title="Mine", rules=rules, ev=-0.0512345
    ).splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert lines[:2] == ["Mine", f"Rules: {rules}"]


def test_every_cell_is_there(strategy):
    lines = render_chart(strategy, format="text").splitlines()[1:]
    left = [line[:36].split() for line in lines[:16]]
    right = [line[40:].split() for line in lines]
    assert left[0] == ["Hard", *UPCARD_LABELS]
    rows = dict(strategy)
    assert left[1:] == [[shown(label), *rows[label]] for label in HARD_LABELS]
    assert right[0] == ["Soft", *UPCARD_LABELS]
    assert right[1:9] == [[shown(label), *rows[label]] for label in SOFT_LABELS]
    assert right[10] == ["Pairs", *UPCARD_LABELS]
    assert right[11:21] == [[shown(label), *rows[label]] for label in PAIR_LABELS]


def test_the_legend_explains_the_marks_that_occur(strategy):
    text = render_chart(strategy, format="text")
    assert "H  hit" in text
    assert "Rp surrender, else split" in text
    stands = Strategy(cells=(("S",) * 10,) * 33)
    text = render_chart(stands, format="text")
    assert "S  stand" in text
    assert "hit" not in text
    assert "Columns: the dealer's upcard" in text


def test_no_escape_and_no_blank_at_a_line_end_unless_asked(strategy):
    text = render_chart(strategy, format="text")
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_colors_change_nothing_but_colors(strategy, values):
    for options in ({"values": values, "numbers": "ev"}, {}):
        plain = render_chart(strategy, format="text", **options)
        colored = render_chart(strategy, format="text", color=True, **options)
        bare = [line.rstrip() for line in ESCAPE.sub("", colored).splitlines()]
        assert bare == plain.splitlines()
    assert "\x1b[38;5;16;48;5;153m H \x1b[0m" in colored
    assert "\x1b[38;5;16;48;5;208m Dh\x1b[0m" in colored


def test_ascii_is_ascii(strategy, values):
    text = to_ascii(
        render_chart(strategy, format="text", title="Größe 6×", values=values, numbers="ev")
    )
    assert text.isascii()
    assert "Gr??e 6x" in text
    assert "-0.050" in text


@pytest.mark.parametrize(("numbers", "first"), [("ev", "−0.050"), ("cost", "0.250")])
def test_figures_stand_below_their_cells(strategy, values, numbers, first):
    lines = render_chart(strategy, format="text", values=values, numbers=numbers).splitlines()
    place = next(i for i, line in enumerate(lines) if line.split()[:1] == ["5"])
    assert lines[place].split() == ["5", *strategy.cells[0]]
    assert len(lines[place + 1].split()) == 10
    assert first in lines[place + 1].split()
    assert max(map(len, lines)) <= 80


def test_long_rules_are_wrapped(strategy):
    rules = Rules.parse("deshmukh")
    text = render_chart(strategy, format="text", rules=rules, title="word " * 40)
    assert max(map(len, text.splitlines())) <= 80


def test_controls_in_a_title_do_not_reach_the_terminal(strategy):
    text = render_chart(strategy, format="text", title="red \x1b[31m\x07 alert\x9b2J")
    assert text.splitlines()[0] == "red [31m alert 2J"
