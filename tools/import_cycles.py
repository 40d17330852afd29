"""Check that no modules of upcard import one another in a circle, imports in functions included.

    python tools/import_cycles.py

Imports for the type checker only are left out. A circle that is meant is cut by listing one of its
imports in `ALLOWED`, with the reason.
"""

from __future__ import annotations

import sys
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Final

import grimp

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    Import = tuple[str, str]  # the module that imports, the module that is imported

ALLOWED: Final[dict[Import, str]] = {
    ("upcard.rules.model", "upcard.rules.notation"): (
        "`Rules.parse` and `str(rules)` are the documented reader and writer of rules; the notation"
        " may begin with a house, and a house has rules"
    ),
}


def find_faults(package: str, allowed: Collection[Import]) -> Iterator[str]:
    """Describe one circle of imports of a package, if there are any, and needless exceptions."""
    graph = grimp.build_graph(package, exclude_type_checking_imports=True, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    for module, imported in allowed:
        if imported in imports.get(module, ()):
            imports[module].remove(imported)
        else:
            yield f"{module} does not import {imported}: remove the exception"
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        yield f"imports in a circle: {' < '.join(error.args[1])}"


def main() -> None:
    """List the faults."""
    faults = list(find_faults("upcard", ALLOWED))
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
