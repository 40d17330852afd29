"""The recipes of docs/extending.md: its patches work on a copy of the package, its files exist."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from upcard.core.errors import RulesError
from upcard.rules.model import Rules
from upcard.rules.settings import SETTINGS

ROOT = Path(__file__).resolve().parents[2]
USE = """
from upcard.core.cards import parse_cards
from upcard.core.errors import UnsupportedRuleError
from upcard.exact.supported_rules import check_solvable
from upcard.rules.describe import describe_rules
from upcard.rules.engines import find_refusals
from upcard.rules.model import Rules
from upcard.rules.settings import EngineName
from upcard.session.choice import RULE_CHOICES, turn
from upcard.simulation import job
from upcard.store.round_codes import decode_round, encode_round
from upcard.table import ScriptedShoe, Table, why_not
from upcard.table.rounds import CardList, RoundRecord
from upcard.core.actions import Action

rules = Rules.parse("2D LS nsva H17 NOINS")
same = "2D LS H17 NOINS surrender_v_ace=false"
assert rules == Rules.parse(same) != Rules.parse("2D LS H17 NOINS")
assert Rules.parse("2D NS NSVA") == Rules.parse("2D NS")
assert not rules.surrender_v_ace
print(rules)
print(dict(describe_rules(rules))["Surrender"])
assert str(Rules.parse(str(rules))) == str(rules)
try:
    Rules(surrender_v_ace=2)
except Exception as error:
    print(error)
played = RoundRecord(rules=rules, bets=(1,), source=CardList(tuple(parse_cards("T 9 K 7"))))
assert decode_round(encode_round(played)).rules == rules
choice = RULE_CHOICES[-1]
print(choice.name, choice.words(rules), turn(choice, rules, 1)[0])
for cards in ("T A 6 7", "T T 6 7"):
    table = Table(rules, ScriptedShoe(cards))
    table.start([1])
    print(why_not(table.state, Action.SURRENDER))
for engine in (EngineName.FINITE, EngineName.INFINITE, EngineName.NONSTANDARD, job.ENGINE):
    assert not [rule for rule, _ in find_refusals(Rules(), engine) if "surrender_v_ace" in rule]
    print(engine, dict(find_refusals(rules, engine))["surrender_v_ace=false"])
assert not list(find_refusals(rules, EngineName.TABLE))
for check in (check_solvable, job.check_supported):
    try:
        check(rules)
    except UnsupportedRuleError as error:
        print(error)
"""
SEEN = """\
2D H17 PEEK DOA DAS SP4 NRSA LS 3:2 NOINS NSVA
On the first two cards you may give up half your bet, after the dealer has looked for a natural.\
 Not against an ace.
surrender_v_ace: 2 is not true or false
Surrender v A no 2D H17 PEEK DOA DAS SP4 NRSA LS 3:2
"""


PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")


def read_patch(heading):
    """Return the changes that a section shows: file, text before and text after."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    shown = re.search(r"```diff\n(.*?)```", section, re.DOTALL)
    assert shown
    for part in re.split(r"^--- .*\n\+\+\+ b/", shown[1], flags=re.MULTILINE)[1:]:
        name, _, hunk = part.partition("\n")
        lines = hunk.partition("@@\n")[2].splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        after = "".join(line[1:] for line in lines if line[0] in " +")
        yield name, before, after


def patch(folder, heading):
    """Copy the package to a folder and change it as a section shows."""
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "upcard", folder / "src" / "upcard", ignore=ignore)
    for name, before, after in read_patch(heading):
        path = folder / name
        text = path.read_text(encoding="utf-8") if before else ""
        assert text.count(before) == 1 or not (before or path.exists()), name
        path.write_text(text.replace(before, after) if before else after, encoding="utf-8")
    return folder / "src"


@pytest.fixture
def package(tmp_path):
    """A copy of the package with the rule added."""
    return patch(tmp_path, "A rule")


def run(package, *arguments, **variables):
    variables |= {"PYTHONPATH": str(package), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 2), done.stderr
    return done.stdout + done.stderr


RECIPES = re.findall(r"^\| \[(an? .*?)\]\(#.*?\).*? \| (\d)?.* \| (yes)? ?\|$", PAGE, re.MULTILINE)


def test_the_eleven_recipes_are_listed_in_their_order():
    headings = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    assert [name.capitalize() for name, _, _ in RECIPES] == headings
    assert len(headings) == 11
    patched = [name.capitalize() for name, _, has_patch in RECIPES if has_patch]
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    assert [text.partition("\n")[0] for text in sections if "```diff" in text] == patched


@pytest.mark.parametrize(
    ("name", "files"), [(name, int(files)) for name, files, has_patch in RECIPES if has_patch]
)
def test_an_addition_touches_as_many_files_as_is_shown(name, files):
    assert len({path for path, _, _ in read_patch(name.capitalize())}) == files


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:\w+/)+[\w-]*(?:\.\w+)?)`", PAGE))))
def test_a_file_of_a_recipe_exists(path):
    path = Path(path)
    path = path.parent if path.stem == "NAME" else path
    assert (ROOT / path).exists() or (ROOT / "src" / "upcard" / path).exists()


def test_the_rule_of_the_example_is_a_new_one():
    """It was NST, which the notation has: pairs of tens are never split."""
    added = "".join(after for _, _, after in read_patch("A rule"))
    [words] = re.findall(r"Words\(\d+, \{(.*?)\}", added)
    names = re.findall(r'"(\w+)":', words)
    assert names
    for name in [*names, *re.findall(r"\"(\w+)\",\n +True,", added)]:
        assert name not in SETTINGS
        with pytest.raises(RulesError, match="unknown token"):
            Rules.parse(f"2D {name}")


def test_the_rule_of_the_example_works_at_the_table_and_is_refused_by_the_engines(package):
    seen = run(package, "-c", USE)
    assert seen.startswith(SEEN)
    rest = seen.removeprefix(SEEN).splitlines()
    assert rest[0].startswith("cannot surrender T 6 (16) v A: the dealer shows an ace (rules: no")
    assert rest[1] == "None"
    assert [line.endswith("it does not know this rule") for line in rest[2:6]] == [True] * 4
    assert "surrender_v_ace=false" in rest[6]
    assert "surrender_v_ace=false" in rest[7]


@pytest.mark.slow
def test_the_rule_of_the_example_is_known_to_the_commands(package):
    told = " ".join(run(package, "-m", "upcard", "rules", "2D LS NSVA").split())
    assert "Not against an ace." in told
    assert "does not know this rule" in told
    refused = run(package, "-m", "upcard", "solve", "T6 v 9", "--rules", "2D LS NSVA")
    assert "surrender_v_ace=false" in refused


ASK = """
import json
from starlette.testclient import TestClient
from upcard.rules.model import Rules
from upcard.web.app import make_app
from upcard.web.door import Door
from upcard.web.site import Site

door = Door(hosts=frozenset({"127.0.0.1:8121"}), key="k" * 43, port=8121)
client = TestClient(make_app(Site(door=door, store=None, rules=Rules())))
client.base_url = "http://127.0.0.1:8121"
client.headers.update({"Authorization": "Bearer " + "k" * 43})
"""


@pytest.mark.slow
def test_the_question_of_the_example_is_a_command_and_a_page(tmp_path):
    package = patch(tmp_path, "A question")
    assert "A pair" in run(package, "-m", "upcard", "pairs", "--rules", "1D")
    assert '"value": 0.00452' in run(package, "-m", "upcard", "pairs", "--rules", "1D", "--json")
    assert "rank" in run(package, "-m", "upcard", "pairs", "--rank", "x")
    page = """
for text in ("8", "x"):
    answer = client.get("/ask/pairs", params={"r": "1D", "rank": text},
                        headers={"Accept": "application/json"})
    print(answer.status_code, answer.json()["fields"][0]["name"])
"""
    assert run(package, "-c", ASK + page).split() == ["200", "rank", "422", "rank"]


@pytest.mark.slow
def test_the_page_of_the_example_is_html_and_json_and_refuses_its_field(tmp_path):
    package = patch(tmp_path, "A page")
    asked = """
print(client.get("/shoe?r=2D").text.count("32 × T"))
for text in ("2D", "NOPE"):
    answer = client.get("/shoe", params={"r": text}, headers={"Accept": "application/json"})
    print(answer.status_code, list(answer.json())[2:])
"""
    told = run(package, "-c", ASK + asked).splitlines()
    assert told == ["1", "200 ['rules', 'cards']", "422 ['words', 'fields']"]


def test_the_command_of_the_example_counts_and_refuses(tmp_path):
    package = patch(tmp_path, "A command")
    assert run(package, "-m", "upcard", "decks", "--rules", "2D").split()[-1] == "32"
    assert "nonsense" in run(package, "-m", "upcard", "decks", "--shoe", "nonsense")


@pytest.mark.slow
def test_the_side_bet_of_the_example_is_priced(tmp_path):
    package = patch(tmp_path, "A side bet")
    asked = ("sidebet", "pocket-aces", "--decks", "6", "--json")
    answer = json.loads(run(package, "-m", "upcard", *asked))
    assert answer["edge"] == pytest.approx(1 - 151 * 24 * 23 / (312 * 311), rel=1e-12)


def test_the_count_of_the_example_is_read_by_its_name(tmp_path):
    package = patch(tmp_path, "A count")
    written = run(package, "-m", "upcard", "counts", "tens-and-fives", "--toml")
    tags = tomllib.loads(written)["tags"]
    assert {card: tag for card, tag in tags.items() if tag} == {"5": 4, "T": -1}


@pytest.mark.slow
def test_the_player_of_the_example_plays(tmp_path):
    package = patch(tmp_path, "A player")
    asked = ("play", "--player", "stander", "--cards", "9 8 7 6 T", "--json")
    lines = run(package, "-m", "upcard", *asked).splitlines()
    events = [json.loads(line) for line in lines if line.startswith("{")]
    assert [one["action"] for one in events if one["type"] == "acted"] == ["stand"]


OBSERVE = """
import gymnasium, numpy as np, upcard.env
options = {"rules": "6D", "observation": "totals"}
one = gymnasium.make("upcard/Blackjack-v1", **options)
many = gymnasium.make_vec("upcard/Blackjack-v1", num_envs=3, **options)
seen, _ = one.reset(seed=2)
fits = one.observation_space.contains(seen)
print(np.array_equal(seen, many.reset(seed=0)[0][2]), seen.shape, fits)
"""


@pytest.mark.slow
def test_the_observation_of_the_example_is_that_of_one_table_and_of_many(tmp_path):
    package = patch(tmp_path, "An observation")
    said = run(package, "-c", OBSERVE, NUMBA_DISABLE_JIT="1")  # compiling it takes 20 seconds
    assert said.split("\n")[0] == "True (2,) True"
