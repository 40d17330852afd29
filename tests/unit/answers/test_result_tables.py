"""Results as tables, and as HTML, pictures and Arrow in notebooks and data frames."""

from __future__ import annotations

import csv
import gc
import sys
from fractions import Fraction
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import upcard
from upcard.analysis.insurance_counts import insurance_counts
from upcard.answers import edge, notebook
from upcard.charts import plot_data
from upcard.core.errors import MissingExtraError, NotationError, RulesError
from upcard.core.figure import (
    AnswerTable,
    ColumnKind,
    Displayed,
    Pictured,
    RowStream,
    TableColumn,
)
from upcard.simulation import run_state
from upcard.strategy.ramp import read_pairs

_MOST_BYTES = 60_000
SOURCE = Path(upcard.__file__).parent


@pytest.fixture(scope="session")
def nanoarrow():
    return pytest.importorskip("nanoarrow")


@pytest.fixture(scope="module")
def run():
    return upcard.simulate(
        "6D", rounds=60_000, seed=3, count="hi-lo", ramp="1-8", indices="i18", workers=1
    )


@pytest.fixture(scope="module")
def results(run):
    """A result of each kind that shows itself, by the name of its class."""
    found = [
        upcard.solve("6D LS", "T6", "9"),
        upcard.solve_game("6D H17"),
        upcard.dealer_outcomes("6D", "6"),
        upcard.effects_of_removal("1D SP1"),
        upcard.basic_strategy("6D"),
        upcard.play_round("6D", "8 6 8 T 3 2 T 5 T", decisions=["split", "double", "hit", "stand"]),
        upcard.policy("4/13"),
        upcard.indices("6D", count="hi-lo", method="exact", plays="16vT"),
        upcard.ev_table("INF"),
        run,
        run.ramp(spread="1-12", bankroll=10_000, unit=10),
        run.bankroll(200, paths=20, rounds=500, workers=1),
        upcard.side_bet("21+3 flat"),
        upcard.side_bet("21+3 flat").value(),
        upcard.side_bet("over 13").removal(),
        upcard.side_bet("over 13").count(),
        upcard.compare_games(["6D", "6D H17"]),
        insurance_counts("hi-lo", decks=1),
    ]
    return {type(one).__name__: one for one in found}


class Parser(HTMLParser):
    """Checks that the tags of a text are closed, and collects them."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags = [], set()
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.add(tag)
        names = {name for name, _ in attrs}
        assert not names & {"src", "href", "onclick", "onload"}

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def _list_kinds(base):
    """Return every class of results, in modules that are not imported yet, too."""
    for path in sorted(SOURCE.rglob("*.py")):
        if f"{base.__name__}" in path.read_text():
            module = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
            import_module(module.removesuffix(".__init__"))
    found, waiting = set(), [base]
    while waiting:
        new = waiting.pop().__subclasses__()
        found.update(new)
        waiting += new
    return {one for one in found if one.__module__.startswith("upcard.")}


def test_every_kind_of_result_defines_its_table_or_picture():
    kinds = _list_kinds(Displayed)
    assert {"Evaluation", "League", "TotalAnswer"} < {one.__name__ for one in kinds}
    assert [one.__name__ for one in kinds if one.table is Displayed.table] == []
    assert {one.__name__ for one in _list_kinds(Pictured)} == set(notebook._PICTURES)


@pytest.mark.slow
def test_a_result_of_another_name_keeps_its_table(results):
    for name, value in results.items():
        before = str(value.table())
        try:
            type(value).__name__ = "Renamed"
            assert str(value.table()) == before
        finally:
            type(value).__name__ = name


@pytest.mark.slow
def test_every_kind_of_result_has_html(results):
    for name, value in results.items():
        table = value.table()
        assert table.rows, name
        assert all(len(row) == len(table.columns) for row in table.rows)
        text = value._repr_html_()
        tags = Parser(text).tags
        assert "script" not in tags
        assert {"table", "svg"} & tags
        assert len(text.encode()) < _MOST_BYTES, name
        assert text.startswith('<div class="upcard">')
        assert table.title in str(table)


def test_pictures_are_svg_that_fits_its_place(results, run):
    document = run_state.make_document(run)
    pictures = [results[name] for name in ("Strategy", "Run", "RampAnswer", "PathsAnswer")]
    pictures += [plot_data.read_count_plot(document), plot_data.read_convergence_plot(document)]
    pictures += [plot_data.read_paths_plot(results["PathsAnswer"])]
    for value in pictures:
        drawn = value._repr_svg_()
        assert ET.fromstring(drawn).tag.endswith("svg")  # noqa: S314 (our own text)
        assert "max-width: 100%" in drawn
        assert len(drawn.encode()) < _MOST_BYTES


def test_rules_of_a_picture_touch_no_other_picture(results):
    style = results["Strategy"]._repr_svg_().partition("<style>")[2].partition("</style>")[0]
    selectors = [line.partition("{")[0].strip() for line in style.strip().splitlines()]
    assert all(one.startswith(".upcard-chart ") for each in selectors for one in each.split(", "))


def test_a_run_without_a_count_shows_its_figures_and_one_without_rounds_as_well():
    run = upcard.simulate("6D", rounds=2000, seed=1, workers=1)
    assert "House edge" in run._repr_html_()
    with pytest.raises(upcard.BlackjackError, match="counted nothing"):
        run.by_count()
    empty = run_state.Run(run.job, run.goal)
    assert empty._repr_html_() is not None
    assert empty.table().rows == ()


def test_showing_a_run_computes_no_exact_value(run, monkeypatch):
    def refuse(*_):
        raise AssertionError

    monkeypatch.setattr(run_state.tallies, "check_exactly", refuse)
    monkeypatch.setattr(run, "_check", None)
    assert "svg" in run._repr_html_()
    assert run.ramp("1-8").table().rows


def test_what_cannot_be_shown_is_left_to_the_text(run, monkeypatch):
    def fail(*_):
        raise ValueError

    monkeypatch.setattr(notebook, "_write_table", fail)
    monkeypatch.setattr(notebook, "draw_picture", fail)
    assert run._repr_html_() is None
    assert run._repr_svg_() is None


def test_ipython_without_html_gets_the_table(results):
    class Printer:
        def text(self, text):
            self.shown = text

    printer = Printer()
    results["HandValue"]._repr_pretty_(printer, cycle=False)
    assert printer.shown.splitlines()[2].split() == ["surrender", "−0.500000", "best"]


def test_by_count_and_ramp_are_what_the_commands_write(run):
    rows = run.by_count().to_dicts()
    assert sum(row["rounds"] for row in rows) == run.rounds
    assert [row["bet"] for row in rows if row["count"] == 3] == [Fraction(4)]
    answer = run.ramp(spread="1-12", wong="best", bankroll=10_000, risk="5%")
    assert answer.question.spread == 12
    assert answer.question.risk == 0.05
    assert run.ramp().plans[0].ramp == run.own_ramp
    table = list(csv.DictReader(answer.table().to_csv().splitlines()))
    assert [int(row["rounds"]) for row in table] == [row.seen for row in answer.run.game.rows]


def test_the_answers_of_commands_have_tables_too():
    rules = upcard.Rules.parse("1D SP1")
    other = upcard.Rules.parse("1D SP1 H17")
    compared = edge.answer_game(rules, switches=[("H17", other)]).table()
    assert [row["rule"] for row in compared.to_dicts()] == ["as it is", "H17"]
    assert edge.answer_game(rules).table().title == "By upcard"
    assert edge.answer_removal(rules).table().to_dicts()[-1]["card"] == "sum"


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda run: run.ramp(spread="wide"), NotationError, "write the least and the largest bet"),
        (lambda run: run.ramp(risk="much"), NotationError, "write a share"),
        (lambda run: run.ramp(banc=3), RulesError, "banc is not an option of a ramp"),
        (lambda run: run.ramp("1-8", spread="1-12"), RulesError, "give ramp or spread"),
        (lambda run: run.ramp(read_pairs("500:1 900:2")), RulesError, "changes beyond the counts"),
        (lambda run: run.bankroll(100, hours=2), RulesError, "hours is not an option"),
        (lambda run: run.bankroll(0), RulesError, "a bankroll of 0"),
    ],
)
def test_a_wrong_option_is_refused_in_words(run, call, error, words):
    with pytest.raises(error, match=words):
        call(run)


def test_ev_table_has_the_value_of_every_answer():
    table = upcard.ev_table("6D LS")
    rows = {(row["hand"], row["upcard"], row["answer"]): row for row in table.to_dicts()}
    value = upcard.solve("6D LS", "55", "9").ev
    for action, ev in value.items():
        assert rows["55", "9", str(action)]["ev"] == pytest.approx(ev, abs=1e-12)
    assert {hand for hand, _, _ in rows} == {hand for hand, _ in upcard.basic_strategy("6D")}
    assert min(row["cost"] for row in table.to_dicts()) == 0


TABLE = AnswerTable(
    title="Made up",
    columns=(
        TableColumn(name="hand", title="hand"),
        TableColumn(name="ev", title="EV", kind=ColumnKind.EV, error="error"),
        TableColumn(name="error", title="±", kind=ColumnKind.EV, is_shown=False),
        TableColumn(name="rounds", title="rounds", kind=ColumnKind.NUMBER),
        TableColumn(name="net", title="net", kind=ColumnKind.AMOUNT),
    ),
    rows=(("16", -0.5, 0.01, 5, Fraction(5, 2)), ("9", None, None, None, Fraction(10, 3))),
    caption=(("rules", "6D"), ("seed", "1")),
)


def test_people_see_a_value_with_its_error_and_programs_see_both():
    assert TABLE.lines(79) == [
        "hand              EV  rounds   net",
        "16    −0.500 ± 0.010       5   2.5",
        "9                             10/3",
    ]
    assert str(TABLE).splitlines()[-1] == "rules 6D; seed 1"
    assert TABLE.to_json()["rows"][1] == ["9", None, None, None, "10/3"]
    assert TABLE.to_csv().splitlines()[1:] == ["16,-0.5,0.01,5,2.5", "9,,,,10/3"]


def test_a_data_frame_reads_numbers_and_exact_texts(nanoarrow):
    array = nanoarrow.Array(TABLE)
    assert array.to_pylist() == [
        {"hand": "16", "ev": -0.5, "error": 0.01, "rounds": 5, "net": 2.5, "net_exact": "2.5"},
        {
            "hand": "9",
            "ev": None,
            "error": None,
            "rounds": None,
            "net": 10 / 3,
            "net_exact": "10/3",
        },
    ]


@pytest.mark.slow
def test_a_stream_reads_its_parts_when_they_are_asked_for_and_is_released(nanoarrow):
    read = []

    def parts():
        for number in range(3):
            read.append(number)
            yield [(number, "x")] * 2

    columns = (
        TableColumn(name="number", title="", kind=ColumnKind.NUMBER),
        TableColumn(name="word", title=""),
    )
    stream = RowStream(columns=columns, batches=parts)
    arrays = nanoarrow.ArrayStream(stream)
    assert read == []
    first = next(iter(arrays))
    assert (read, first.to_pylist()[0]) == ([0], {"number": 0, "word": "x"})
    arrays.close()
    assert [row["number"] for row in stream] == [0, 0, 1, 1, 2, 2]
    stream.__arrow_c_stream__()
    del first, arrays
    gc.collect()
    assert (notebook._readings, notebook._streams) == ({}, {})


def test_a_fault_in_the_middle_of_a_stream_is_told(nanoarrow):
    def parts():
        yield [(1,)]
        raise ValueError("row 2 is damaged")

    column = TableColumn(name="number", title="", kind=ColumnKind.NUMBER)
    with pytest.raises(Exception, match="row 2 is damaged"):
        nanoarrow.Array(RowStream(columns=(column,), batches=parts))


def test_without_the_extra_data_frames_name_the_cure(monkeypatch):
    monkeypatch.setitem(sys.modules, "nanoarrow", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'upcard\[data\]'"):
        TABLE.__arrow_c_stream__()


def test_an_empty_table_is_a_data_frame_without_rows(nanoarrow):
    empty = AnswerTable(title="", columns=TABLE.columns, rows=())
    assert nanoarrow.Array(empty).to_pylist() == []
    assert empty.lines(79)[0].split() == ["hand", "EV", "rounds", "net"]
