"""`make check` finds phrases that are not plain English, in pages and in sources."""

import subprocess
import sys

import plain_english
import pytest
from plain_english import ROOT, WORD_LIST, find_phrases, list_files

PAGE = """\
Best play, unless told.
`unless told` is code, and so is

```console
$ upcard told
```

```python
told = []
```

```python
>>> print("anew")
told
```
"""
SOURCE = '''\
"""What he\nholds."""
told = "so " "many"
# looked over
'''


def test_phrases_of_a_page_are_found_by_line_outside_code_and_output():
    found = [(item.line, item.phrase) for item in find_phrases("page.md", PAGE)]
    assert found == [(1, "unless told"), (1, "told"), (9, "told"), (13, "anew")]


def test_strings_docstrings_and_comments_of_a_source_are_read_and_names_are_not():
    found = [(item.line, item.phrase) for item in find_phrases("module.py", SOURCE)]
    assert found == [(1, "What"), (1, "he"), (3, 'so " "many'), (4, "looked over")]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('a = f"It is no {word}."\nb = "splits"\n', []),
        ('def f():\n    a = f"""is no\n {x}"""\n    """Return."""\n', []),
        ("a = f\"{first} {f'he {x:{width}} '} told {last}\"\n", ["he", "told"]),
        ('a = f"{told}" "anew"  # said\n', ["told", "anew", "said"]),
    ],
)
def test_a_formatted_string_is_one_string_with_its_fields(source, found):
    assert [item.phrase for item in find_phrases("module.py", source)] == found


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("The loop is held, card for card, against the table.", "held, card for card, against"),
        ("It plays the round otherwise.", "plays the round otherwise"),
        ("16 comes\nto 4.", "comes to"),
        ("The hand that is asked.", "hand that is asked"),
        ("What is none is refused.", "is none"),
        ("It starts by itself.", "by itself"),
        ("'x' is no number.", "is no number"),
        ("The hand goes on.", "goes on"),
        ("As who asks later gets it.", "who asks"),
    ],
)
def test_a_phrase_may_have_other_words_or_a_line_break_in_it(text, phrase):
    assert [item.phrase for item in find_phrases("page.md", text)] == [phrase]


@pytest.mark.parametrize(
    "text",
    [
        "Where there is none, it starts one.",
        "Otherwise the run ends; apart from that, see the other page.",
        "The dealer holds a card. A bet against the house loses.",
        "Memory stays under 300 MB.",
    ],
)
def test_plain_sentences_pass(text):
    assert find_phrases("page.md", text) == []


def test_every_section_of_the_changelog_is_read():
    text = "# Changelog\n\n## [Unreleased]\n\n- told\n\n## [0.1.0]\n\n- told\n"
    assert [item.line for item in find_phrases("CHANGELOG.md", text)] == [5, 9]


def test_every_source_and_document_is_checked():
    names = {path.relative_to(ROOT).as_posix() for path in list_files()}
    sources = {path.relative_to(ROOT).as_posix() for path in (ROOT / "src").rglob("*.py")}
    assert sources | {"README.md", "docs/index.md"} <= names


def test_each_phrase_has_advice():
    assert all(WORD_LIST.values())


def test_the_program_fails_with_file_line_phrase_and_advice(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("So many.\n", encoding="utf-8")
    monkeypatch.setattr(plain_english, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["plain_english", str(page)])
    with pytest.raises(SystemExit) as ending:
        plain_english.main()
    assert ending.value.code == 'page.md:1: So many -> "N", "the given number of", "per"'


@pytest.mark.slow
def test_the_documents_follow_the_word_list():
    command = [sys.executable, ROOT / "tools" / "plain_english.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
