"""The list of seeded faults stays true to the code, and the runner tells what is noticed."""

import ast
import re
import subprocess

import mutations
import pytest
from mutation_list import MUTATIONS, Mutation
from mutations import ROOT, copy_tree, mutated, try_mutation


def test_every_mutation_has_a_name_of_its_own():
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS) >= 84


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_the_text_of_a_mutation_is_in_the_code_once_and_its_tests_are_there(mutation):
    text = mutation.find(ROOT).read_text(encoding="utf-8").replace(mutation.old, mutation.new)
    ast.parse(text)
    for selected in mutation.tests.split():
        file, _, name = selected.partition("::")
        tests = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"^def {name}\(", tests, re.MULTILINE), selected


def test_a_text_that_is_gone_or_there_twice_is_named(tmp_path):
    (tmp_path / "one.py").write_text("a = 1\n", encoding="utf-8")
    (tmp_path / "two.py").write_text("a = 1\n", encoding="utf-8")
    for old, words in (("b = 1", "not in no file"), ("a = 1", "not in one.py, two.py")):
        with pytest.raises(LookupError, match=words):
            Mutation("another", "*.py", old, "a = 2", "test_it.py").find(tmp_path)


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A tracked tree with a source and a test of half of it, copied as the runner does."""
    checkout, tree = tmp_path / "checkout", tmp_path / "tree"
    source = checkout / "src" / "sums.py"
    source.parent.mkdir(parents=True)
    source.write_text("ONE = 1\nTWO = 2\n", encoding="utf-8")
    (checkout / "test_sums.py").write_text(
        "import sums, pytest\n@pytest.mark.slow\ndef test_one():\n    assert sums.ONE == 1\n",
        encoding="utf-8",
    )
    (checkout / "pytest.ini").write_text(
        "[pytest]\naddopts = -m 'not slow'\nmarkers = slow\n", encoding="utf-8"
    )
    for command in (["init", "-q"], ["add"]):
        subprocess.run(["git", *command, "."], cwd=checkout, check=True)
    (checkout / "untracked.py").write_text("", encoding="utf-8")
    copy_tree(checkout, tree)
    return tree


@pytest.mark.slow
def test_a_mutation_is_seen_or_not_and_leaves_nothing_behind(tree, tmp_path):
    before = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}
    assert {path.name for path in before} == {"pytest.ini", "sums.py", "test_sums.py"}
    seen = [
        try_mutation(Mutation(old, "src/*.py", old, new, tests), tree, tmp_path).seen_by
        for old, new, tests in (
            ("ONE = 1", "ONE = 3", "test_sums.py"),
            ("TWO = 2", "TWO = 3", "test_sums.py"),
            ("ONE = 1", "ONE = (", "no_such_test.py"),  # which is not a test that failed
        )
    ]
    assert seen == ["test_sums.py::test_one", "", ""]
    assert {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()} == before


def test_a_mutation_is_undone_when_its_tests_cannot_run(tree):
    source = tree / "src" / "sums.py"

    def fail():
        with mutated(Mutation("one", "src/*.py", "ONE = 1", "ONE = 3", ""), tree):
            assert "ONE = 3" in source.read_text(encoding="utf-8")
            raise OSError("no tests")

    with pytest.raises(OSError, match="no tests"):
        fail()
    assert "ONE = 1" in source.read_text(encoding="utf-8")


def test_a_part_of_a_name_is_enough(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["mutations.py", "--list", "--only", "cookie"])
    mutations.main()
    assert capsys.readouterr().out.startswith("the cookie is the key\n")
    monkeypatch.setattr("sys.argv", ["mutations.py", "--only", "nothing of this kind"])
    with pytest.raises(SystemExit, match="no mutation has such a name"):
        mutations.main()
