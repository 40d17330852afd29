"""CONTRIBUTING shows how to add a rule: the patch shown there works on a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
USE = """
from upcard.core.cards import parse_cards
from upcard.core.errors import UnsupportedRuleError
from upcard.exact.supported_rules import FINITE, INFINITE, NONSTANDARD, check_solvable
from upcard.rules.describe import describe_rules
from upcard.rules.model import Rules
from upcard.session.choice import RULE_CHOICES, turn
from upcard.simulation import job
from upcard.store.round_codes import decode_round, encode_round
from upcard.table import ScriptedShoe, Table, why_not
from upcard.table.rounds import CardList, RoundRecord
from upcard.core.actions import Action

rules = Rules.parse("2D nst H17")
assert rules == Rules.parse("2D H17 split_tens=false") != Rules.parse("2D H17")
assert not rules.split_tens
print(rules)
print(dict(describe_rules(rules))["Split"])
assert str(Rules.parse(str(rules))) == str(rules)
try:
    Rules(split_tens=2)
except Exception as error:
    print(error)
played = RoundRecord(rules=rules, bets=(1,), source=CardList(tuple(parse_cards("T 9 K 7"))))
assert decode_round(encode_round(played)).rules == rules
choice = RULE_CHOICES[-1]
print(choice.name, choice.words(rules), turn(choice, rules, 1).rules)
for cards in ("T 9 K 7", "8 9 8 7"):
    table = Table(rules, ScriptedShoe(cards))
    table.start([1])
    print(why_not(table.state, Action.SPLIT))
for engine in (FINITE, INFINITE, NONSTANDARD, job):
    assert not [rule for rule, _ in engine.find_unsupported(Rules()) if "split_tens" in rule]
    refused = dict(engine.find_unsupported(rules))
    print(getattr(engine, "name", job.ENGINE), refused["split_tens=false"])
for check in (check_solvable, job.check_supported):
    try:
        check(rules)
    except UnsupportedRuleError as error:
        print(error)
"""
SEEN = """\
2D H17 PEEK DOA DAS SP4 NRSA NS 3:2 NST
Two cards of the same value (a king and a ten too) may be split for a second bet and split again,\
 to at most 4 hands. Split aces get one card each and are not split again. An ace with a ten in a\
 split hand is 21, not a natural. Tens are not split.
split_tens: 2 is not true or false
Split tens no 2D H17 PEEK DOA DAS SP4 NRSA NS 3:2
"""


def read_patch():
    """Return the changes that CONTRIBUTING shows: file, text before and text after."""
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a rule")[2]
    shown = re.search(r"```diff\n(.*?)```", section, re.DOTALL)
    assert shown
    for part in re.split(r"^--- a/", shown[1], flags=re.MULTILINE)[1:]:
        name, _, hunk = part.partition("\n")
        lines = hunk.partition("@@\n")[2].splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        after = "".join(line[1:] for line in lines if line[0] in " +")
        yield name, before, after


@pytest.fixture
def package(tmp_path):
    """A copy of the package with the rule added."""
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "upcard", tmp_path / "src" / "upcard", ignore=ignore)
    for name, before, after in read_patch():
        path = tmp_path / name
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1, name
        path.write_text(text.replace(before, after), encoding="utf-8")
    return tmp_path / "src"


def run(package, *arguments):
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 2), done.stderr
    return done.stdout + done.stderr


def test_the_rule_of_the_example_touches_at_most_four_files():
    assert len({name for name, _, _ in read_patch()}) <= 4


def test_the_rule_of_the_example_works_at_the_table_and_is_refused_by_the_engines(package):
    seen = run(package, "-c", USE)
    assert seen.startswith(SEEN)
    rest = seen.removeprefix(SEEN).splitlines()
    assert rest[0].startswith("cannot split T K (20) v 9: this house does not split tens")
    assert rest[1] == "None"
    assert [line.endswith("it does not know this rule") for line in rest[2:6]] == [True] * 4
    assert "split_tens=false" in rest[6]
    assert "split_tens=false" in rest[7]


@pytest.mark.slow
def test_the_rule_of_the_example_is_known_to_the_commands(package):
    told = " ".join(run(package, "-m", "upcard", "rules", "2D NST").split())
    assert "Tens are not split." in told
    assert "does not know this rule" in told
    refused = run(package, "-m", "upcard", "solve", "T6 v 9", "--rules", "2D NST")
    assert "split_tens=false" in refused
