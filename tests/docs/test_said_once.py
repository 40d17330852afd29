"""What is said several times is counted as the page of the tool says."""

import pytest

from tools.said_once import (
    ROOT,
    WAYS,
    Tree,
    files_of_a_way,
    files_with_texts,
    sentence_tests,
    writers_of_json,
)

MOST_FILES = {"a saved edge": 24, "a key at the table": 50}
"""Limits that only fall."""

SOURCE = '''
"""A docstring is not text for people."""
def _plain(value):
    """Nor is that of a function."""
    return [_plain(one) for one in value] if isinstance(value, list) else value
'''
TEST = """
def test_one():
    assert refusal == "the bet is too small"
def test_two():
    assert code == "too-small"
def test_three():
    with pytest.raises(ValueError, match="no cards are left"):
        pass
"""


def test_texts_sentences_and_writers_are_counted(tmp_path):
    for folder, text in (("src", SOURCE), ("tests", TEST)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "one.py").write_text(text)
    (tmp_path / "src" / "two.py").write_text('print("the dealer hits soft 17")\n')
    tree = Tree(tmp_path)
    assert files_with_texts(tree) == ["src/two.py"]
    assert sentence_tests(tree) == ["tests/one.py::test_one", "tests/one.py::test_three"]
    assert writers_of_json(tree) == ["src/one.py::_plain"]


@pytest.mark.slow
@pytest.mark.parametrize("way", MOST_FILES)
def test_a_way_enters_no_more_files_than_it_did(way):
    assert 10 < len(files_of_a_way(Tree(ROOT), WAYS[way])) <= MOST_FILES[way]
