"""Write the generated parts of the documents anew, or check them.

    python tools/gendocs.py            write them
    python tools/gendocs.py --check    change nothing, fail if a page is stale

Generated are docs/commands.md, docs/houses.md, docs/web-api.md, docs/blackjack.md with its
pictures, the output in `console` blocks, and the chart in docs/img; `tools/screens.py` draws the
screens there.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import primer
import web_api
from console_blocks import find_differences, refresh
from reference import draw_chart, write_commands_page, write_houses_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT: Final = Path(__file__).resolve().parent.parent
PAGES: Final[dict[Path, Callable[[], str]]] = {
    ROOT / "docs" / "commands.md": write_commands_page,
    ROOT / "docs" / "houses.md": write_houses_page,
    ROOT / "docs" / "web-api.md": web_api.write_page,
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


def find_stale() -> Iterator[str]:
    """Say which pages are not what the program would write now."""
    for page, write in PAGES.items():
        if not page.exists() or page.read_text(encoding="utf-8") != write():
            yield f"{page.relative_to(ROOT)} is stale"
    for page in hand_written_pages():
        for command, printed in find_differences(page.read_text(encoding="utf-8")):
            where = f"{page.relative_to(ROOT)}, line {command.line + 1}"
            yield f"{where}: `{command.text}` prints\n" + "\n".join(printed)


def write_all() -> None:
    """Write everything that is generated."""
    for page, write in PAGES.items():
        _write(page, write())
    for page in hand_written_pages():
        try:
            text = refresh(page.read_text(encoding="utf-8"))
        except ValueError as error:
            sys.exit(f"{page.relative_to(ROOT)}, {error}")
        _write(page, text)


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
    options = parser.parse_args()
    if not options.check:
        write_all()
        return
    stale = list(find_stale())
    if stale:
        sys.exit("\n".join([*stale, "run `make docs`, and look at what it changes"]))


if __name__ == "__main__":
    main()
