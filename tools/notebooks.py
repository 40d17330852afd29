"""Run the notebooks of docs/notebooks, and write them as pages of the site and as .ipynb.

    python tools/notebooks.py [NAME...] [--into FOLDER]

A notebook is a Python file in cells: `# %%`, and `# %% [markdown]` with the text in comments. It
runs in a kernel of its own; a cell that fails ends the program. With --into, each is also written
with its output, as a page and as .ipynb.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import nbformat
from nbclient import NotebookClient

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nbformat import NotebookNode

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "docs" / "notebooks"
TIMEOUT: Final = 300
_CELL: Final = re.compile(r"^# %%(?P<kind> \[markdown\])?\n", re.MULTILINE)
_ESCAPE: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_BLANK_LINES: Final = re.compile(r"\n\s*\n")
_MOST_LINES: Final = 45
_MOST_TEXT: Final = 2500
_KERNEL: Final = {"name": "python3", "display_name": "Python 3", "language": "python"}


def find_notebooks() -> dict[str, Path]:
    """Return the notebooks by name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.py"))}


def read_notebook(path: Path) -> NotebookNode:
    """Read the cells of a file."""
    start, *parts = _CELL.split(path.read_text(encoding="utf-8"))
    if start.strip() or not parts:
        raise SystemExit(f"{path}: a notebook begins with a cell, # %%")
    cells = []
    for number, (kind, source) in enumerate(zip(parts[::2], parts[1::2], strict=True)):
        text = source.strip("\n")
        if kind:
            text = "\n".join(line.removeprefix("#").removeprefix(" ") for line in text.split("\n"))
        make = nbformat.v4.new_markdown_cell if kind else nbformat.v4.new_code_cell
        cells.append(make(text, id=f"{path.stem}-{number}"))
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": _KERNEL})


def run_notebook(path: Path) -> NotebookNode:
    """Return a notebook with the output of its cells. Raises: CellExecutionError."""
    notebook = read_notebook(path)
    NotebookClient(notebook, timeout=TIMEOUT, kernel_name="python3").execute(cwd=str(FOLDER))
    return notebook


def write_page(notebook: NotebookNode, name: str, folder: Path) -> None:
    """Write a notebook as NAME.md, with its pictures beside it, and as NAME.ipynb."""
    pictures = 0
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        for kind, content in _read_outputs(cell):
            if kind == "text":
                parts.append(f"```text\n{content}\n```")
            elif kind == "html":
                block = _BLANK_LINES.sub("\n", content)  # one would end the block of HTML
                parts.append(f"<div>\n{block}\n</div>")
            else:
                pictures += 1
                file = f"{name}-{pictures}.svg"
                (folder / file).write_text(content, encoding="utf-8")
                parts.append(f"![Output of the cell above]({file})")
    parts.insert(1, f"Download this page [as a notebook]({name}.ipynb).")
    (folder / f"{name}.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    nbformat.write(notebook, folder / f"{name}.ipynb")


def _read_outputs(cell: NotebookNode) -> Iterator[tuple[str, str]]:
    """Yield the kind and the content of what a cell shows, without its progress."""
    printed = "".join(
        output.text
        for output in cell.outputs
        if output.output_type == "stream" and output.name == "stdout"
    )
    if printed.strip():
        yield "text", _cut(printed)
    for output in cell.outputs:
        data = output.get("data", {})
        if "text/html" in data:
            yield "html", data["text/html"]
        elif "image/svg+xml" in data:
            yield "svg", data["image/svg+xml"]
        elif "text/plain" in data:
            yield "text", _cut(data["text/plain"])


def _cut(text: str) -> str:
    """Return text as it is read: without escape sequences, and not too long."""
    lines = _ESCAPE.sub("", text).strip("\n").split("\n")
    shown = "\n".join(line.rstrip() for line in lines[:_MOST_LINES])
    is_whole = len(lines) <= _MOST_LINES and len(shown) <= _MOST_TEXT
    return shown if is_whole else f"{shown[:_MOST_TEXT]}\n..."


def main(arguments: Sequence[str] | None = None) -> None:
    known = find_notebooks()
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(known)}")
    parser.add_argument("--into", type=Path, help="write pages and .ipynb files to this folder")
    asked = parser.parse_args(arguments)
    unknown = set(asked.names) - set(known)
    if unknown:
        parser.error(f"no notebook is called {', '.join(unknown)}: one of {', '.join(known)}")
    for name in asked.names or known:
        begun = time.monotonic()
        notebook = run_notebook(known[name])
        if asked.into is not None:
            asked.into.mkdir(parents=True, exist_ok=True)
            write_page(notebook, name, asked.into)
        print(f"{name}: {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
