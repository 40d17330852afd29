"""Columns that rows annotate, and what results ask of packages above their own."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, NamedTuple

import pytest

import upcard
from upcard import core
from upcard.core import figure

SOURCE = Path(upcard.__file__).parent


@dataclass(frozen=True, slots=True)
class Row:
    """A row with a column of another name, and attributes without one."""

    key: Annotated[str, figure.text("hand", "hand")]
    secret: str
    ev: Annotated[float, figure.ev(title="EV")]
    initial_bets: Annotated[Fraction, figure.amount(is_shown=False)]

    @property
    def twice(self) -> Annotated[float, figure.share()]:
        return 2 * self.ev

    @property
    def plain(self) -> float:
        return self.ev


class Pair(NamedTuple):
    one: Annotated[int, figure.number()]
    other: Annotated[int, figure.number(title="the other")]


def test_rows_have_their_columns_in_annotations():
    columns = figure.columns_of(Row)
    assert list(columns) == ["key", "ev", "initial_bets", "twice"]
    assert [one.name for one in columns.values()] == ["hand", "ev", "initial_bets", "twice"]
    assert [one.title for one in columns.values()] == ["hand", "EV", "initial bets", "twice"]
    table = figure.tabulate_fields("T", Row, [Row("16", "x", 0.25, Fraction(3, 2))])
    assert table.rows == (("16", 0.25, Fraction(3, 2), 0.5),)
    assert table.headings == ("hand", "EV", "twice")
    assert figure.tabulate_fields("T", Row, []).columns == table.columns


def test_names_choose_and_order_columns():
    row = Row("16", "x", 0.25, Fraction(1))
    table = figure.tabulate_fields("T", Row, [row], names=("twice", "key"))
    assert table.to_dicts() == [{"twice": 0.5, "hand": "16"}]
    with pytest.raises(KeyError, match="secret"):
        figure.tabulate_fields("T", Row, [row], names=("secret",))
    assert figure.tabulate_fields("", Pair, [Pair(1, 2)]).headings == ("one", "the other")


def test_a_result_without_a_table_says_so():
    class Bare(figure.Displayed):
        pass

    with pytest.raises(NotImplementedError, match="Bare has no table"):
        Bare().table()
    assert Bare()._repr_html_() is None


@pytest.mark.slow
def test_packages_above_do_what_results_ask_of_them():
    asked = {name for name in vars(core.Above) if not name.startswith("_")}
    provided = {name for name in vars(upcard._Above) if not name.startswith("_")}
    assert provided == asked
    for name in asked:
        wanted, has = (
            [one.kind for one in inspect.signature(getattr(kind, name)).parameters.values()]
            for kind in (core.Above, upcard._Above)
        )
        assert len(wanted) == len(has), name
    used = {
        node.attr
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "above"
    }
    assert used == asked


BY_NAME = {
    "__init__.py": 1,  # the public names
    "answers/questions.py": 1,
    "cli/app.py": 1,
    "table/__init__.py": 1,  # its public names
    "web/page_routes.py": 1,
}
"""Files that find functions or pages by name, all of them in packages of their own or below."""


@pytest.mark.slow
def test_no_function_of_a_package_above_is_found_by_a_name():
    found = {}
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name not in {"import_module", "__import__", "ask_above"}:
                continue
            written = ast.unparse(node.args[0])
            if name == "ask_above" or "upcard" in written:
                place = path.relative_to(SOURCE).as_posix()
                found[place] = found.get(place, 0) + 1
    assert found == BY_NAME
