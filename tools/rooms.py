"""Measure how the sources are divided into files, and the limits that the tests hold them to.

    python tools/rooms.py                  the table, and what breaks a limit
    python tools/rooms.py --base COMMIT    also as it was at a commit
    python tools/rooms.py --lower          set the limits that only fall to what is there

A file is a subject that a reader would look up by its name. Too many small ones cost imports, too
large ones cannot be read at once.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tarfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools import said_once  # noqa: E402 (its folder is found first)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

SOURCE: Final = "src/upcard"
TESTS: Final = "tests"
FRONT_ENDS: Final = ("cli", "line", "tui", "web")
NO_ROOMS: Final = ("__init__.py", "__main__.py", "_version.py")
"""Files whose names Python or the packaging gives."""
DOCUMENTS: Final = "documents"
"""Its five modules may have the names of others: each plays a game of its own."""

MOST_LINES: Final = 900
FEWEST_LINES: Final = 60
MOST_FILES: Final = 15
"""Files of one folder."""
FEWEST_FILES: Final = 3

# What is left to do is written here, once; lower a limit when it is done, and never raise one.
MOST_LARGE_FILES: Final = 0
MOST_SMALL_FILES: Final = 0
MOST_REPEATED_NAMES: Final = 0
MOST_UNEVEN_FOLDERS: Final = 0

LONG_FUNCTION: Final = 60
"""Lines of a function that a reader sees at once."""
AIMS: Final = {
    "lines": 96_795,
    "class names": 910,
    "functions over 60 lines": 29,
    "functions named to_json or as_json": 10,
    "files with text for people": 260,
    "tests that compare a sentence": 823,
}
"""Limits that only fall. A feature pays for its lines elsewhere, or a decision record raises the
limit and says what the reader gets for it. `--lower` sets them to what is there."""
SLACK: Final = 0.01
"""Share by which such a limit may be above what is there, before it must be lowered."""

MOST_IMPORTS_BELOW: Final = 0.056
"""Share of lines, below the front-ends."""
MOST_IMPORTS: Final = 0.063
"""Share of all lines."""


class Contents(NamedTuple):
    """What a file imports and defines, in functions too."""

    import_lines: int
    classes: list[str]


@dataclass(frozen=True)
class Rooms:
    """The Python files of a version of the sources, by their path in the package."""

    texts: dict[PurePosixPath, str]
    tests: dict[PurePosixPath, str] = field(default_factory=dict)
    """Those of the tests, by their path in their folder."""

    def files(self, folder: str) -> Iterator[tuple[Path, ast.Module]]:
        """Parse the files of `src` or `tests`, by their path in the project."""
        top, texts = (SOURCE, self.texts) if folder == "src" else (TESTS, self.tests)
        for path, text in texts.items():
            yield Path(top) / path, _parse(text)

    @cached_property
    def counted(self) -> dict[str, list[str] | int]:
        """What the limits that only fall count, by their names."""
        return {
            "lines": self.all_lines,
            "class names": len(self.classes()),
            "functions over 60 lines": self.long_functions(),
            "functions named to_json or as_json": said_once.methods_to_json(self),
            "files with text for people": said_once.files_with_texts(self),
            "tests that compare a sentence": said_once.sentence_tests(self),
        }

    def count(self, name: str) -> int:
        """Return the number that a limit that only falls is about."""
        found = self.counted[name]
        return found if isinstance(found, int) else len(found)

    def long_functions(self) -> list[str]:
        return [
            f"{path}::{one.name}"
            for path, module in self.files("src")
            for one in ast.walk(module)
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
            and (one.end_lineno or one.lineno) - one.lineno >= LONG_FUNCTION
        ]

    @cached_property
    def contents(self) -> dict[PurePosixPath, Contents]:
        return {path: _read_contents(text) for path, text in self.texts.items()}

    @cached_property
    def below(self) -> list[PurePosixPath]:
        """The files below the front-ends."""
        return [path for path in self.texts if path.parts[0] not in FRONT_ENDS]

    def lines(self, path: PurePosixPath) -> int:
        return len(self.texts[path].splitlines())

    @property
    def all_lines(self) -> int:
        return sum(map(self.lines, self.texts))

    def import_share(self, paths: Iterable[PurePosixPath]) -> float:
        """Return the share of lines of import statements."""
        chosen = list(paths)
        imports = sum(self.contents[path].import_lines for path in chosen)
        return imports / sum(map(self.lines, chosen))

    def large_files(self) -> list[str]:
        return [str(path) for path in self.texts if self.lines(path) > MOST_LINES]

    def small_files(self) -> list[str]:
        return [
            str(path)
            for path in self.texts
            if self.lines(path) < FEWEST_LINES and path.name not in NO_ROOMS
        ]

    def classes(self) -> dict[str, list[str]]:
        """Return where each name of a class is defined."""
        places = defaultdict(list)
        for path, contents in self.contents.items():
            for name in contents.classes:
                places[name].append(str(path))
        return places

    def repeated_names(self) -> list[str]:
        """Return the names of several modules below the front-ends."""
        names = Counter(
            path.name
            for path in self.below
            if path.name not in NO_ROOMS and path.parts[0] != DOCUMENTS
        )
        return sorted(name for name, times in names.items() if times > 1)

    def uneven_folders(self) -> list[str]:
        """Return the folders with too many or too few files."""
        files = Counter(path.parent for path in self.texts if len(path.parts) > 1)
        return [
            f"{folder} ({count})"
            for folder, count in sorted(files.items())
            if not FEWEST_FILES <= count <= MOST_FILES
        ]


@cache
def _parse(text: str) -> ast.Module:
    return ast.parse(text)


def _read_contents(text: str) -> Contents:
    lines, classes = 0, []
    for node in _list_statements(_parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            lines += (node.end_lineno or node.lineno) - node.lineno + 1
        elif isinstance(node, ast.ClassDef):
            classes.append(node.name)
    return Contents(lines, classes)


def _list_statements(node: ast.AST) -> Iterator[ast.AST]:
    for part in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, part, ()):
            yield inner
            yield from _list_statements(inner)


def read_here() -> Rooms:
    """Read the sources and tests of the checkout."""
    return Rooms(*(_read_folder(ROOT / top) for top in (SOURCE, TESTS)))


def _read_folder(top: Path) -> dict[PurePosixPath, str]:
    return {
        PurePosixPath(path.relative_to(top).as_posix()): path.read_text(encoding="utf-8")
        for path in sorted(top.rglob("*.py"))
    }


def read_commit(commit: str) -> Rooms:
    """Read the sources and tests of a commit. Raises: SystemExit if there is none."""
    done = subprocess.run(
        ["git", "archive", commit, SOURCE, TESTS], cwd=ROOT, capture_output=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr.decode().strip())
    found: dict[str, dict[PurePosixPath, str]] = {SOURCE: {}, TESTS: {}}
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.name.endswith(".py") else None
            if file is not None:
                top = SOURCE if member.name.startswith(f"{SOURCE}/") else TESTS
                found[top][PurePosixPath(member.name).relative_to(top)] = file.read().decode()
    return Rooms(found[SOURCE], found[TESTS])


ROWS: Final[tuple[tuple[str, Callable[[Rooms], object], str], ...]] = (
    ("source files", lambda rooms: len(rooms.texts), ""),
    ("  below the front-ends", lambda rooms: len(rooms.below), ""),
    (
        "import lines",
        lambda rooms: _percent(rooms.import_share(rooms.texts)),
        f"{MOST_IMPORTS:.1%}",
    ),
    (
        "  below the front-ends",
        lambda rooms: _percent(rooms.import_share(rooms.below)),
        f"{MOST_IMPORTS_BELOW:.1%}",
    ),
    (
        f"files under {FEWEST_LINES} lines",
        lambda rooms: len(rooms.small_files()),
        f"{MOST_SMALL_FILES}",
    ),
    (
        f"files over {MOST_LINES} lines",
        lambda rooms: len(rooms.large_files()),
        f"{MOST_LARGE_FILES}",
    ),
    (
        "module names that occur twice",
        lambda rooms: len(rooms.repeated_names()),
        f"{MOST_REPEATED_NAMES}",
    ),
    (
        f"folders without {FEWEST_FILES} to {MOST_FILES} files",
        lambda rooms: len(rooms.uneven_folders()),
        f"{MOST_UNEVEN_FOLDERS}",
    ),
    *(
        (name, lambda rooms, name=name: f"{rooms.count(name):,}", f"{most:,}")
        for name, most in AIMS.items()
    ),
)
"""What is measured, how, and the limit that the tests hold it to."""


def _percent(share: float) -> str:
    return f"{share:.2%}"


def find_faults(rooms: Rooms) -> list[str]:
    """Return what breaks a limit, each with the files."""
    faults = []
    for what, found, most in (
        (f"files over {MOST_LINES} lines", rooms.large_files(), MOST_LARGE_FILES),
        (f"files under {FEWEST_LINES} lines", rooms.small_files(), MOST_SMALL_FILES),
        ("module names that occur twice", rooms.repeated_names(), MOST_REPEATED_NAMES),
        ("uneven folders", rooms.uneven_folders(), MOST_UNEVEN_FOLDERS),
    ):
        if len(found) > most:
            faults.append(f"{len(found)} {what}, at most {most}: {', '.join(found)}")
    for what, share, most in (
        ("imports below the front-ends", rooms.import_share(rooms.below), MOST_IMPORTS_BELOW),
        ("imports", rooms.import_share(rooms.texts), MOST_IMPORTS),
    ):
        if share > most:
            faults.append(f"{what}: {share:.2%} of the lines, at most {most:.1%}")
    for name, limit in AIMS.items():
        if (count := rooms.count(name)) > limit:
            faults.append(f"{name}: {count:,}, at most {limit:,}: pay for it elsewhere")
        elif count < limit * (1 - SLACK):
            faults.append(f"{name}: {count:,}, and the limit is {limit:,}: lower it, with --lower")
    return faults


def lower(text: str, rooms: Rooms) -> str:
    """Return the text of this file with the limits that only fall set to what is there."""
    for name, most in AIMS.items():
        count = min(rooms.count(name), most)
        text = re.sub(rf'("{name}": )[\d_]+', rf"\g<1>{count:_}", text, count=1)
    return text


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure how the sources are divided into files.")
    parser.add_argument("--base", metavar="COMMIT", help="show an earlier version beside this one")
    parser.add_argument("--lower", action="store_true", help="lower the limits to what is there")
    asked = parser.parse_args()
    here = read_here()
    if asked.lower:
        file = Path(__file__)
        file.write_text(lower(file.read_text(encoding="utf-8"), here), encoding="utf-8")
        return
    versions = [read_commit(asked.base), here] if asked.base else [here]
    heads = [*([asked.base[:10]] if asked.base else []), "here"]
    print("| |", *(f"{head} |" for head in heads), "limit |")
    print("|---|", *("---|" for _ in heads), "---|", sep="")
    for name, measure, limit in ROWS:
        print(f"| {name} |", *(f"{measure(rooms)} |" for rooms in versions), f"{limit} |")
    faults = find_faults(here)
    sys.exit("\n".join(faults) if faults else 0)


if __name__ == "__main__":
    main()
