"""Check that no modules import one another in a circle, imports in functions included.

    python tools/import_cycles.py

It reads the package and the files beside it: campaigns, benchmarks, tools, scripts and tests.
Imports for the type checker only are left out. A circle that is meant is cut by listing one of its
imports in `ALLOWED`, with the reason.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import grimp

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    Import: TypeAlias = tuple[str, str]  # the module that imports, the module that is imported
    Graph: TypeAlias = dict[str, set[str]]  # what each module imports

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDERS: Final = ("campaign", "benchmarks", "tools", "scripts", "tests")
"""Folders of modules beside the package."""

ALLOWED: Final[dict[Import, str]] = {
    ("upcard.rules.model", "upcard.rules.notation"): (
        "`Rules.parse` and `str(rules)` are the documented reader and writer of rules; the notation"
        " may begin with a house, and a house has rules"
    ),
}


def find_faults(package: str, allowed: Collection[Import]) -> Iterator[str]:
    """Describe the circles of imports of a package, and needless exceptions."""
    graph = grimp.build_graph(package, exclude_type_checking_imports=True, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    for module, imported in allowed:
        if imported in imports.get(module, ()):
            imports[module].remove(imported)
        else:
            yield f"{module} does not import {imported}: remove the exception"
    yield from find_circles(imports)


def find_circles(imports: Graph) -> Iterator[str]:
    """Describe a circle of imports after the other, each cut to find the next one."""
    left = {module: set(imported) for module, imported in imports.items()}
    while True:
        try:
            TopologicalSorter(left).prepare()
        except CycleError as error:
            circle: list[str] = error.args[1]
            yield f"imports in a circle: {' < '.join(circle)}"
            left[circle[1]].discard(circle[0])
        else:
            return


def read_folders(root: Path, folders: Sequence[str] = FOLDERS) -> Graph:
    """Return what the modules in some folders import of one another.

    A folder with an `__init__.py` is a package; any other file is imported by its own name.
    """
    files = [file for folder in folders for file in sorted((root / folder).rglob("*.py"))]
    times = Counter(map(_name_module, files))
    names = {
        file: name if times[name := _name_module(file)] == 1 else str(file.relative_to(root))
        for file in files
    }  # a conftest of each folder is imported by none
    known = set(names.values())
    return {name: set(_read_imports(file, name, known)) - {name} for file, name in names.items()}


def _name_module(file: Path) -> str:
    parts = [] if file.name == "__init__.py" else [file.stem]
    folder = file.parent
    while (folder / "__init__.py").exists():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts)


def _read_imports(file: Path, name: str, known: Collection[str]) -> Iterator[str]:
    """Iterate over the known modules that a file imports, in functions too."""
    package = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
    for node in _walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in known)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            for one in node.names:
                inner = f"{base}.{one.name}".strip(".")
                yield from ([inner] if inner in known else {base} & {*known})


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Iterate over all nodes but those for the type checker only."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            for other in child.orelse:
                yield other
                yield from _walk(other)
        else:
            yield child
            yield from _walk(child)


def main() -> None:
    """List the faults."""
    faults = [*find_faults("upcard", ALLOWED), *find_circles(read_folders(ROOT))]
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
