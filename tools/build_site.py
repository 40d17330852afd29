"""Build the documentation site from docs/ into site/, and refuse it if a link leads nowhere.

    python tools/build_site.py

The files of the project that documents link to become pages beside them, reference pages are
whole, and the notebooks become pages with their output, for which they are run
(`tools/notebooks.py`). Zensical builds in strict mode;
`tools/site_check.py` then checks what it does not: files, pictures, anchors and foreign addresses
in the HTML, and that every page has the parts that `upcard web` shows under /learn/.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from gendocs import write_reference_page, write_reference_pages
from notebooks import FOLDER, find_notebooks, read_notebook, run_notebook, write_page
from reference import REFERENCE
from site_check import find_faults

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parent.parent
SITE: Final = ROOT / "site"
DOCS: Final = "docs"
BROUGHT: Final = {
    "README.md": "readme.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "licence.txt",
    "src/upcard/fair/verify_shuffle.py": "verify_shuffle.py",
}
"""Files outside docs/ that pages link to, with their place on the site."""
LAST_GROUP: Final = ("About upcard", ("readme.md", "changelog.md"))
"""Pages that the index of docs/ does not list, because they are on the front of the project."""
_LINK: Final = re.compile(r"(\]\()([^)\s]+)(\))|(\b(?:src|srcset|href)=\")([^\"]+)(\")")
_FENCE: Final = re.compile(r"^(```.*?^```)", re.DOTALL | re.MULTILINE)
_ROW: Final = re.compile(r"^\| \[[^]]+\]\(([^)]+\.md)\) \|", re.MULTILINE)


def place_on_site(source: str) -> str:
    """Return where a file of the project is on the site; its own place if it is not there."""
    if source in BROUGHT:
        return BROUGHT[source]
    if source.endswith(".py") and (ROOT / source).parent == FOLDER:
        source = f"{source.removesuffix('.py')}.md"
    return source.removeprefix(f"{DOCS}/") if source.startswith(f"{DOCS}/") else f"../{source}"


def turn_links(text: str, source: str) -> str:
    """Return a page with the links of its place on the site; code stays as it is."""
    folder = PurePosixPath(source).parent.as_posix()
    here = PurePosixPath(place_on_site(source)).parent.as_posix()

    def turn(match: re.Match[str]) -> str:
        before, target, after = match.group(1, 2, 3) if match[1] else match.group(4, 5, 6)
        path, mark, anchor = target.partition("#")
        if not path or "://" in path:
            return match[0]
        place = place_on_site(os.path.normpath(f"{folder}/{path}"))
        return f"{before}{os.path.relpath(place, here)}{mark}{anchor}{after}"

    parts = _FENCE.split(text)
    return "".join(part if part.startswith("```") else _LINK.sub(turn, part) for part in parts)


def list_groups(index: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the groups of the navigation: the sections of the index, with the pages of each."""
    for section in re.split(r"^## ", index, flags=re.MULTILINE)[1:]:
        pages = _ROW.findall(section)
        if pages:
            yield section.splitlines()[0], pages
    yield LAST_GROUP[0], list(LAST_GROUP[1])


def write_sources(folder: Path, *, runs: bool = False) -> None:
    """Lay out the pages and the settings that Zensical builds from; the notebooks may be run."""
    shutil.copytree(ROOT / DOCS, folder / DOCS)
    for name, path in find_notebooks().items():
        notebook = run_notebook(path) if runs else read_notebook(path)
        write_page(notebook, name, folder / DOCS / FOLDER.name)
    for name in REFERENCE:
        (folder / DOCS / f"{name}.md").write_text(write_reference_page(name), encoding="utf-8")
    for source, place in BROUGHT.items():
        shutil.copy(ROOT / source, folder / DOCS / place)
    moved = {place: source for source, place in BROUGHT.items()}
    for page in (folder / DOCS).rglob("*.md"):
        name = page.relative_to(folder / DOCS).as_posix()
        text = turn_links(page.read_text(encoding="utf-8"), moved.get(name, f"{DOCS}/{name}"))
        page.write_text(text, encoding="utf-8")
    groups = list_groups((folder / DOCS / "index.md").read_text(encoding="utf-8"))
    rows = [f"  {{ {json.dumps(name)} = {json.dumps(pages)} }},\n" for name, pages in groups]
    settings = (ROOT / "tools" / "site.toml").read_text(encoding="utf-8")
    nav = f'[project]\nnav = [\n  "index.md",\n{"".join(rows)}]\n'
    text = settings.replace("[project]\n", nav, 1)
    (folder / "zensical.toml").write_text(text, encoding="utf-8")


def main() -> None:
    """Build, check, and only then replace site/."""
    write_reference_pages()  # the check compares the site with /learn/
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_sources(folder, runs=True)
        zensical = [sys.executable, "-m", "zensical", "build", "--strict"]
        if subprocess.run(zensical, cwd=folder, check=False).returncode:
            sys.exit("Zensical refuses the pages: see its warnings above.")
        faults = find_faults(folder / "site")
        if faults:
            sys.exit("\n".join(faults))
        shutil.rmtree(SITE, ignore_errors=True)
        shutil.copytree(folder / "site", SITE)
    pages = len(list(SITE.rglob("*.html")))
    print(f"{pages} pages in {SITE.relative_to(ROOT)}/: open {SITE.name}/index.html")


if __name__ == "__main__":
    main()
