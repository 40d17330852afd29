"""A stamp goes by what sources do: what it leaves out changes no program, and nothing else is."""

import io
import tokenize
from pathlib import Path

import pytest

import upcard
from upcard import kernels as sources

PACKAGE = Path(upcard.__file__).parent
COMPUTING = ("core", "rules", "strategy", "kernels", "exact")
"""Those of the saved values, first."""
FOLDERS = (*COMPUTING, *sorted({one.parent.name for one in PACKAGE.glob("*/*.py")} - {*COMPUTING}))
IGNORED = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.INDENT, tokenize.DEDENT}


def read_statements(text):
    """Return the statements of a source by the tokens of Python's own reader, with their columns.

    Those that are one text and nothing else are left out.
    """
    statements, statement = [], []
    for token in tokenize.tokenize(io.BytesIO(text).readline):
        if token.type not in IGNORED | {tokenize.NEWLINE, tokenize.ENDMARKER}:
            statement += [token] if statement else [token.start[1], token]
        elif token.type == tokenize.NEWLINE:
            statements.append(statement)
            statement = []
    return [
        (column, [token.string for token in tokens])
        for column, *tokens in statements
        if len(tokens) > 1 or tokens[0].type != tokenize.STRING or tokens[0].string[0] not in "'\""
    ]


@pytest.mark.fast_cases(4)
@pytest.mark.parametrize("folder", FOLDERS)
def test_what_is_left_of_a_source_is_its_program(folder):
    """So two sources of which the same is left are one program."""
    for source in sorted((PACKAGE / folder).rglob("*.py")):
        text = source.read_bytes()
        stripped = sources.strip_source(text)
        assert len(stripped) < len(text)
        assert read_statements(stripped.replace(b"\0", b"\n")) == read_statements(text), source


def test_an_encoding_counts_in_the_first_two_lines_only():
    text = b"\n# coding: latin-1\nLIMIT = 21\n"
    assert sources.strip_source(text) != sources.strip_source(b"\n" + text)


def test_a_text_ends_at_its_quote_in_the_lowest_python():
    """From 3.12 on an f-string may have quotes in its braces, which are not read."""
    project = PACKAGE.parents[1] / "pyproject.toml"
    assert 'requires-python = ">=3.11"' in project.read_text("utf-8")


def test_no_program_reads_a_docstring():
    """Those of the saved values: a docstring that a value follows from would count."""
    for folder in COMPUTING:
        for source in (PACKAGE / folder).rglob("*.py"):
            text = source.read_text("utf-8")
            assert not any(word in text for word in ("__doc__", "getdoc", "getsource")), source


SOURCE = b'''"""A module."""

from functools import cache

LIMIT = 21
"""What a hand may be."""


@cache
def add(total: int, cards=(1, 2), is_soft=True):
    """Add cards."""
    text = (
        "a text"
    )
    lines = """one

    two"""
    if total > LIMIT and "#" not in text:
        return total + 1  # an ace
    return f"{total}"


class Empty(Exception):
    """Nothing."""
'''


def change(*changes):
    text = SOURCE
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    "text",
    [
        change((b"# an ace", b"# 'another' comment (")),
        change((b"  # an ace", b"")),
        change((b"LIMIT = 21\n", b"# Why.\nLIMIT = 21  \n")),
        change((b'"""A module."""\n\n', b"")),
        change((b'"""A module."""', b"'''Another: it's\n\nlonger.'''")),
        change((b'"""Add cards."""', b"'Add them.'  # a comment")),
        change((b'    """Add cards."""\n', b"")),
        change((b'"""What a hand may be."""\n', b"")),
        change((b"    text = (\n", b"    text = (\n        # in brackets\n\n")),
        change(
            (b'Exception):\n    """Nothing."""\n', b'Exception):\n    """Nothing\\"""at all."""\n')
        ),
        SOURCE.replace(b"\n", b"\r\n"),
        SOURCE.replace(b"\n", b"\r"),
        SOURCE.rstrip(),
        SOURCE + b"\n\n# The end.",
    ],
)
def test_comments_docstrings_and_empty_lines_leave_a_program(text):
    assert sources.strip_source(text) == sources.strip_source(SOURCE)


@pytest.mark.parametrize(
    "text",
    [
        change((b"LIMIT = 21", b"LIMIT = 22")),
        change((b"LIMIT = 21", b"LIMIT = 21.0")),
        change((b"total + 1", b"total + 1.0")),
        change((b"total + 1", b"total - 1")),
        change((b"total > LIMIT", b"total >= LIMIT")),
        change((b"is_soft=True", b"is_soft=1")),
        change((b"(1, 2)", b"(1, 3)")),
        change((b"total: int", b"total: float")),
        change((b"@cache\n", b"")),
        change((b'"a text"', b'"another text"')),
        change((b'        "a text"\n', b'        "a text"\n        "a text"\n')),
        change((b"one\n\n", b"one\n")),
        change((b"one\n\n", b"one\n\n\n")),
        change((b'"#"', b'"# "')),
        change((b"# an ace", b"\r        total = 2")),
        change((b'f"{total}"', b'"{total}"')),
        change((b'    """Add cards."""', b'    f"{total.add()}"')),
        change((b'    """Add cards."""', b'    """Add cards.""".strip()')),
        change((b'    """Add cards."""', b'    total = """Add cards."""')),
        change((b'    """Add cards."""', b'    """Add cards."""; total = 2')),
        change((b"        return total + 1", b"    return total + 1")),
        change((b"LIMIT = 21\n", b"LIMIT = 21 \\\n\n")),
        change((b'LIMIT = 21\n"""What', b'LIMIT = \\\n"""What')),
        b"# coding: latin-1\n" + SOURCE,
        b"\n# coding: latin-1\n" + SOURCE,
    ],
)
def test_what_a_program_does_counts(text):
    assert sources.strip_source(text) != sources.strip_source(SOURCE)


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Two folders of sources, one below the other, and one that does not count."""
    for name in ("core/deep", "table"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "core" / "deep" / "add.py").write_bytes(SOURCE)
    (tmp_path / "core" / "limit.py").write_bytes(b"LIMIT = 21\n")
    (tmp_path / "table" / "limit.py").write_bytes(b"LIMIT = 21\n")
    monkeypatch.setattr(sources, "files", lambda _: tmp_path)
    return tmp_path


def stamp(known=""):
    return sources.stamp_sources.__wrapped__(("core",), known)


def test_the_stamp_is_the_same_on_every_python(tree, monkeypatch):
    monkeypatch.setattr(sources, "__version__", "1.0")
    assert stamp() == "59c7277ee7d0b71e"


def test_the_stamp_is_of_the_version_and_of_every_source_below_its_folders(tree, monkeypatch):
    before = stamp()
    for name, text in (
        ("core/limit.py", b"LIMIT = 22\n"),
        ("core/deep/add.py", change((b"21", b"22"))),
        ("core/new.py", b""),
        ("core/deep/new.py", b"LIMIT = 21\n"),
    ):
        source = tree / name
        old = source.read_bytes() if source.exists() else None
        source.write_bytes(text)
        assert stamp() != before, name
        source.unlink()
        assert stamp() != before or old is None, name
        if old is not None:
            source.write_bytes(old)
    (tree / "core" / "limit.py").rename(tree / "core" / "most.py")
    assert stamp() != before
    (tree / "core" / "most.py").rename(tree / "core" / "limit.py")
    (tree / "core" / "limit.py").write_bytes(b'"""A limit."""\r\nLIMIT = 21  # of a hand\r\n')
    (tree / "core" / "notes.txt").write_text("no source")
    (tree / "core" / "__pycache__").mkdir()
    (tree / "core" / "__pycache__" / "old.py").write_text("1")
    (tree / "table" / "limit.py").write_bytes(b"LIMIT = 22\n")
    assert stamp() == before
    monkeypatch.setattr(sources, "__version__", "9.9")
    assert stamp() != before


def test_a_source_that_is_known_is_not_stripped_and_no_change_of_it_is_missed(tree, monkeypatch):
    before, known = stamp(), sources.list_programs(("core",))
    with monkeypatch.context() as patch:
        patch.setattr(sources, "strip_source", lambda _: pytest.fail("stripped"))
        assert stamp(known) == before
    for text in (b"LIMIT = 22\n", b"LIMIT = 21  # of a hand\n"):
        (tree / "core" / "limit.py").write_bytes(text)
        assert stamp(known) == stamp()
    assert stamp(f"{known[:40]} nonsense {known[50:]}") == stamp()
