"""The notebooks of docs/notebooks run, and become pages with what their cells show."""

import ast
import re

import nbformat
import notebooks
import pytest
from nbclient.exceptions import CellExecutionError

NAMES = notebooks.find_notebooks()
OUTPUT = nbformat.v4.new_output
SVG = '<svg xmlns="http://www.w3.org/2000/svg"><text>chart</text></svg>'


def read_code(name):
    cells = notebooks.read_notebook(NAMES[name]).cells
    return [ast.parse(cell.source).body for cell in cells if cell.cell_type == "code"]


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_begins_with_its_title_and_is_listed(name):
    first, *cells = notebooks.read_notebook(NAMES[name]).cells
    assert first.cell_type == "markdown"
    assert re.match(r"# \w", first.source)
    assert all(cell.source for cell in cells)
    for page in ("index.md", "notebook.md"):
        listed = (notebooks.ROOT / "docs" / page).read_text(encoding="utf-8")
        assert f"(notebooks/{name}.py)" in listed


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_and_each_cell_that_ends_in_a_value_shows_it(name, tmp_path):
    notebook = notebooks.run_notebook(NAMES[name])
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for cell, body in zip(cells, read_code(name), strict=True):
        shown = list(notebooks._read_outputs(cell))
        ends_in_value = isinstance(body[-1], ast.Expr) and not isinstance(body[-1].value, ast.Call)
        assert shown or not ends_in_value, cell.source
        faults = [one for one in cell.outputs if one.get("name") == "stderr"]
        assert not any("Error" in one.text or "Warning" in one.text for one in faults)
    notebooks.write_page(notebook, name, tmp_path)
    assert nbformat.read(tmp_path / f"{name}.ipynb", 4).cells == notebook.cells
    assert (tmp_path / f"{name}.md").stat().st_size < 150_000


@pytest.mark.slow
def test_a_cell_that_fails_stops_the_program(tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text('# %%\nimport upcard\nupcard.solve("6X", "T6", "9")\n', encoding="utf-8")
    with pytest.raises(CellExecutionError, match="'6X'"):
        notebooks.run_notebook(path)


@pytest.mark.parametrize("text", ["", "import upcard\n", "import upcard\n# %%\nupcard\n"])
def test_a_file_that_does_not_begin_with_a_cell_is_refused(text, tmp_path):
    path = tmp_path / "plain.py"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match="begins with a cell"):
        notebooks.read_notebook(path)


def test_a_page_has_the_text_the_cells_and_what_they_show(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("# %% [markdown]\n# # Mine\n#\n# Words.\n\n# %%\n1 + 1\n", encoding="utf-8")
    notebook = notebooks.read_notebook(path)
    notebook.cells[1].outputs = [
        OUTPUT("stream", name="stderr", text="\rSimulation: 50%  1M rounds"),
        OUTPUT("stream", name="stdout", text="\x1b[1mone\x1b[0m\n"),
        OUTPUT("stream", name="stdout", text="two\n"),
        OUTPUT("display_data", data={"text/plain": "Chart", "image/svg+xml": SVG}),
        OUTPUT(
            "execute_result",
            data={"text/plain": "T", "text/html": "<table>\n\n\n<tr></tr></table>"},
            execution_count=1,
        ),
        OUTPUT("execute_result", data={"text/plain": "x\n" * 500}, execution_count=1),
    ]
    notebooks.write_page(notebook, "mine", tmp_path)
    page = (tmp_path / "mine.md").read_text(encoding="utf-8")
    assert page.startswith(
        "# Mine\n\nWords.\n\nDownload this page [as a notebook](mine.ipynb).\n\n"
    )
    shown = page.partition("```python\n1 + 1\n```\n\n")[2]
    assert shown.startswith("```text\none\ntwo\n```\n\n![Output of the cell above](mine-1.svg)\n\n")
    assert "<div>\n<table>\n<tr></tr></table>\n</div>" in shown
    assert shown.endswith("x\n...\n```\n")
    assert len(shown) < 400
    assert "Simulation" not in page
    assert (tmp_path / "mine-1.svg").read_text(encoding="utf-8") == SVG
