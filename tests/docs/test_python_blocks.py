"""Every Python block of the pages runs, and so does every example in a docstring.

One test a page, because its blocks share their names and must run in one process, in order.
"""

import contextlib
from doctest import ELLIPSIS
from pathlib import Path
from types import FunctionType

import pytest
from sybil import Sybil
from sybil.document import PythonDocStringDocument
from sybil.parsers.markdown import PythonCodeBlockParser
from sybil.parsers.rest import DocTestParser

import upcard

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = [path for path in sorted((ROOT / "src").rglob("*.py")) if ">>> " in path.read_text()]

pages = Sybil([PythonCodeBlockParser(doctest_optionflags=ELLIPSIS)], pattern="*.md")
docstrings = Sybil(
    [DocTestParser(ELLIPSIS)],
    pattern="*.py",
    document_types={".py": PythonDocStringDocument},
)


def name_of(path):
    return str(path.relative_to(ROOT))


def run_examples(sybil, path):
    for example in sybil.parse(path).examples():
        example.evaluate()


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_python_blocks_of_a_page_run(page, tmp_path):
    with contextlib.chdir(tmp_path):
        run_examples(pages, page)


@pytest.mark.fast_cases(19)
@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_examples_in_docstrings_run(module, tmp_path):
    with contextlib.chdir(tmp_path):
        run_examples(docstrings, module)


def test_the_readme_has_a_python_block_that_runs():
    assert list(pages.parse(ROOT / "README.md").examples())


def list_first_names():
    """List what a newcomer meets first: three functions, and three classes with their methods."""
    yield from ("play_round", "solve", "simulate")
    for name in ("Table", "Rules", "Strategy"):
        yield name
        members = vars(getattr(upcard, name)).items()
        yield from (f"{name}.{key}" for key, value in members if is_method(key, value))


def is_method(name, value):
    return not name.startswith("_") and isinstance(value, (property, classmethod, FunctionType))


@pytest.mark.parametrize("name", list(list_first_names()))
def test_what_a_newcomer_meets_first_has_an_example_in_its_docstring(name):
    found = upcard
    for part in name.split("."):
        found = getattr(found, part)
    assert ">>> " in found.__doc__
