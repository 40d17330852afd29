"""The chart as a value and as a text: what is printed is read back, and all faults are named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard import NotationError
from upcard.strategy.chart import (
    CELLS,
    DEALER_LABELS,
    HAND_LABELS,
    PAIR_LABELS,
    ROWS,
    UPCARD_LABELS,
    Strategy,
)

PLAIN_CELLS = tuple(cell for cell in CELLS if cell not in ("P", "Rp"))
LINE = st.text(st.characters(codec="ascii", categories=("L", "N", "P", "Zs")), max_size=30)
TITLE = st.lists(LINE.map(str.strip).filter(lambda line: not line.lower().startswith("insurance:")))


@st.composite
def strategies(draw):
    columns = draw(st.sampled_from(tuple(ROWS)))
    cells = tuple(
        tuple(
            draw(st.sampled_from(CELLS if label in PAIR_LABELS else PLAIN_CELLS)) for _ in columns
        )
        for label in ROWS[columns]
    )
    title, insures = "\n".join(draw(TITLE)), draw(st.booleans())
    return Strategy(cells=cells, title=title, takes_insurance=insures, columns=columns)


def chart_text(**changed_rows):
    """Return a chart in which every hand stands, with some rows written differently."""
    rows = {label: "\t".join((label, *["S"] * 10)) for label in HAND_LABELS} | changed_rows
    lines = ["\t".join(("hand", *UPCARD_LABELS)), *(rows[label] for label in HAND_LABELS)]
    return "\n".join(line for line in lines if line is not None)


@pytest.mark.slow
@given(strategies())
def test_what_is_printed_is_read_back(strategy):
    again = Strategy.parse(str(strategy))
    assert again == strategy
    assert again.takes_insurance == strategy.takes_insurance
    assert again.columns == strategy.columns
    assert str(again).splitlines()[-34:] == str(strategy).splitlines()[-34:]


def test_the_text_is_a_table_with_a_header():
    strategy = Strategy.parse(chart_text(**{"16": "16\tS S S S S H H Rh Rh Rh"}))
    lines = str(strategy).split("\n")
    assert lines[0] == "hand\t2\t3\t4\t5\t6\t7\t8\t9\t10\tA"
    assert lines[12] == "16\tS\tS\tS\tS\tS\tH\tH\tRh\tRh\tRh"
    assert [line.split("\t")[0] for line in lines[1:-1]] == list(HAND_LABELS)
    assert lines[-1] == ""


def test_title_and_insurance_are_comments():
    strategy = Strategy.parse("# mine\n# of 2026\n#insurance: YES\n" + chart_text())
    assert (strategy.title, strategy.takes_insurance) == ("mine\nof 2026", True)
    assert str(strategy).startswith("hand\t2")
    assert str(strategy).endswith("\n# insurance: yes\n")
    assert "insurance" not in str(Strategy.parse(chart_text()))


def test_charts_are_equal_when_they_play_the_same():
    assert Strategy.parse("# one title\n" + chart_text()) == Strategy.parse(chart_text())
    assert Strategy.parse("# insurance: yes\n" + chart_text()) != Strategy.parse(chart_text())
    assert Strategy.parse(chart_text(AA="AA\t" + "P " * 10)) != Strategy.parse(chart_text())


def test_document_002_s_table_is_read():
    """Document 002, output format: label, tab, ten letters, no header; `D` is hit else."""
    text = "\n".join(f"{label}\tD H S D D S S H H H " for label in HAND_LABELS)
    strategy = Strategy.parse(text)
    assert strategy.cell("5", 2) == "Dh"
    assert strategy.cell("AA", 1) == "H"


def test_lower_case_is_read():
    strategy = Strategy.parse(chart_text(AA="aa\tp p p p p p RP rp dh DS").lower())
    assert strategy.cell("AA", 8) == "Rp"
    assert strategy.cell("AA", 1) == "Ds"


def test_all_faults_are_named_at_once_with_their_lines():
    text = chart_text(
        **{
            "7": None,
            "9": "9\tS S S",
            "12": "12\tP S S S S S S S S S",
            "15": "16\t" + "S " * 10,
            "A2": "A2\tS S S X S S S ? S X",
            "99": None,
            "AA": "AB\t" + "S " * 10,
        }
    )
    with pytest.raises(NotationError) as caught:
        Strategy.parse("# insurance: perhaps\n" + text)
    assert caught.value.faults == (
        "line 1: insurance: 'perhaps' is not yes or no",
        "line 6: row 9 has 3 cells, not 10",
        "line 9: row 12: cell 'P' splits, and 12 is not a pair",
        "line 13: row 16 is there already, in line 12",
        "line 17: row A2: unknown cell 'X': one of H, S, Dh, Ds, P, Rh, Rs, Rp",
        "line 17: row A2: unknown cell '?': one of H, S, Dh, Ds, P, Rh, Rs, Rp",
        f"line 33: unknown row 'AB': one of {', '.join(HAND_LABELS)}",
        "row 7 is missing",
        "row 15 is missing",
        "row 99 is missing",
        "row AA is missing",
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            chart_text().replace("\t9\t10\tA", "\tA\t9\t10"),
            (
                "line 1: columns 2 3 4 5 6 7 8 A 9 10: they are 2 3 4 5 6 7 8 9 10 A, in this"
                f" order, or those of both dealer cards, {' '.join(DEALER_LABELS)}"
            ),
        ),
        (chart_text() + "\nhand 2 3", "line 35: the header is not the first row"),
        (
            "# insurance: yes\n# insurance: no\n" + chart_text(),
            "line 2: insurance is answered twice",
        ),
    ],
)
def test_a_faulty_header_or_comment_is_named(text, fault):
    with pytest.raises(NotationError) as caught:
        Strategy.parse(text)
    assert caught.value.faults == (fault,)


def test_an_empty_text_misses_every_row():
    with pytest.raises(NotationError, match="row 5 is missing") as caught:
        Strategy.parse("")
    assert len(caught.value.faults) == 33


@given(st.text())
def test_any_text_is_read_or_refused(text):
    with pytest.raises(NotationError):
        Strategy.parse(text)


def test_cells_are_checked_when_a_chart_is_made():
    standing = Strategy.parse(chart_text())
    with pytest.raises(NotationError, match="32 rows: a chart has 33"):
        Strategy(cells=standing.cells[1:])
    with pytest.raises(NotationError, match="row AA: 9 cells, not 10; row AA: unknown cell 'D'"):
        Strategy(cells=(*standing.cells[:-1], ("D",) * 9))
    with pytest.raises(NotationError, match="a title cannot start with 'insurance:'"):
        Strategy(cells=standing.cells, title="Insurance: never")


def test_a_cell_is_named_as_everywhere_else():
    """E23: an upcard was a number here, and a letter in `solve` and `by_upcard`."""
    rows = [[f"{'HS'[(row + column) % 2]}" for column in range(10)] for row in range(33)]
    chart = Strategy(cells=tuple(map(tuple, rows)))
    for label, written in zip(HAND_LABELS, rows, strict=True):
        for upcard, cell in zip((*range(2, 11), 1), written, strict=True):
            names = {1: ("A", "a", "AS"), 10: ("T", "10", "K")}.get(upcard, (str(upcard),))
            assert {chart.cell(label, name) for name in (upcard, *names)} == {cell}
    assert chart.cell("TT", "9") == chart.cell("1010", 9)
    assert chart.cell("a7", "9") == chart.cell("A7", 9)


def test_a_cell_that_is_not_there_is_refused_with_what_is_possible():
    standing = Strategy.parse(chart_text())
    with pytest.raises(NotationError, match="no row is called '20': one of 5, 6"):
        standing.cell("20", 2)
    with pytest.raises(NotationError, match=r"upcard 11: a rank from 1 \(ace\) to 10"):
        standing.cell("19", 11)
