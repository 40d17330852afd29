"""Write the generated parts of the documents anew, or check them.

    python tools/gendocs.py            write them
    python tools/gendocs.py --check    change nothing, fail if a page is stale

Generated are docs/houses.md, docs/blackjack.md with its pictures, the output in `console` blocks,
what docs/engines.md has between marks, and the chart in docs/img; `tools/screens.py` draws the
screens there. The reference pages, which
change with every command, are not in git: they are written where `upcard web` and the packages
find them.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import primer
from console_blocks import find_differences, refresh
from reference import REFERENCE, complete, draw_chart, fill, write_houses_page

from upcard.web.learn import REFERENCE_FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT: Final = Path(__file__).resolve().parent.parent
PAGES: Final[dict[Path, Callable[[], str]]] = {
    ROOT / "docs" / "houses.md": write_houses_page,
    ROOT / "docs" / "img" / "chart.svg": draw_chart,
    ROOT / "docs" / "blackjack.md": primer.write_page,
    **{
        ROOT / "docs" / "img" / name: partial(primer.draw_picture, section)
        for name, section in primer.PICTURES.items()
    },
}


def hand_written_pages() -> list[Path]:
    """Return the pages whose `console` blocks are run."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in pages if page not in PAGES]


def write_reference_page(name: str) -> str:
    """Write a reference page as a whole."""
    return complete(name, (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8"))


REFERENCE_PAGES: Final = {
    REFERENCE_FOLDER / f"{name}.md": partial(write_reference_page, name) for name in REFERENCE
}


def find_stale() -> Iterator[str]:
    """Say which pages are not what the program would write now.

    A reference page may be missing, as it is in a fresh clone.
    """
    there = {page: write for page, write in REFERENCE_PAGES.items() if page.exists()}
    for page, write in (PAGES | there).items():
        if not page.exists() or page.read_text(encoding="utf-8") != write():
            yield f"{page.relative_to(ROOT)} is stale"
    for page in hand_written_pages():
        text = page.read_text(encoding="utf-8")
        if fill(text) != text:
            yield f"{page.relative_to(ROOT)}: a part between marks is stale"
        for command, printed in find_differences(text):
            where = f"{page.relative_to(ROOT)}, line {command.line + 1}"
            yield f"{where}: `{command.text}` prints\n" + "\n".join(printed)


def write_all() -> None:
    """Write everything that is generated."""
    write_reference_pages()
    for page, write in PAGES.items():
        _write(page, write())
    for page in hand_written_pages():
        try:
            text = refresh(page.read_text(encoding="utf-8"))
        except ValueError as error:
            sys.exit(f"{page.relative_to(ROOT)}, {error}")
        _write(page, fill(text))


def write_reference_pages() -> None:
    """Write the reference pages where `upcard web` and the packages find them."""
    for page, write in REFERENCE_PAGES.items():
        _write(page, write())


def _write(page: Path, text: str) -> None:
    if page.exists() and page.read_text(encoding="utf-8") == text:
        return
    page.parent.mkdir(exist_ok=True)
    page.write_text(text, encoding="utf-8")
    print(f"wrote {page.relative_to(ROOT)}")


def main() -> None:
    """Read the options and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="change nothing, fail if stale")
    parser.add_argument("--reference", action="store_true", help="write the reference pages only")
    options = parser.parse_args()
    if options.reference:
        write_reference_pages()
        return
    if not options.check:
        write_all()
        return
    stale = list(find_stale())
    if stale:
        sys.exit("\n".join([*stale, "run `make docs`, and look at what it changes"]))


if __name__ == "__main__":
    main()
