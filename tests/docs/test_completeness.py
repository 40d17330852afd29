"""Pages that promise a whole list have all of it: settings, tokens, players, betting systems."""

import re
from enum import StrEnum
from pathlib import Path

import pytest

from upcard.players.betting_systems import betting_names
from upcard.rules.house import house_names
from upcard.rules.model import RULE_NAMES
from upcard.rules.notation import parse_rules
from upcard.rules.settings import SETTINGS
from upcard.simulation.registry import player_names

ROOT = Path(__file__).resolve().parents[2]
LINE_GAME = (ROOT / "docs" / "line-game.md").read_text(encoding="utf-8")
NOTATION = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
SYSTEMS = (ROOT / "docs" / "systems.md").read_text(encoding="utf-8")
TOKENS = (
    *("INF", "S17", "H17", "PEEK", "ENHC", "OBO", "DOA", "D9", "D10", "DANY", "ND", "DAS", "NDAS"),
    *("SPINF", "RSA", "NRSA", "HSA", "NHSA", "NS", "LS", "ES", "3:2", "6:5", "1:1", "2:1"),
    *("INS", "NOINS", "CSM"),
)


def row_of(setting):
    return re.search(rf"^\| `{setting}` \|(.*)$", NOTATION, re.MULTILINE)


@pytest.mark.parametrize("setting", RULE_NAMES)
def test_the_notation_page_has_every_setting_and_every_word_it_takes(setting):
    row = row_of(setting)
    assert row
    kinds = [kind for kind in SETTINGS[setting].kinds if issubclass(kind, StrEnum)]
    assert [word for kind in kinds for word in kind if f"`{word}`" not in row[1]] == []


def test_the_notation_page_lists_no_setting_that_does_not_exist():
    table = NOTATION.partition("## Settings")[2].partition("```")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(RULE_NAMES)


@pytest.mark.parametrize("token", TOKENS)
def test_the_notation_page_has_every_token(token):
    assert parse_rules(token)
    assert f"`{token}`" in NOTATION


def test_the_page_of_the_line_game_names_every_player_and_betting_system():
    words = [name.partition(":")[0] for name in (*player_names(), *betting_names())]
    assert [word for word in words if not re.search(rf"`{re.escape(word)}[`:]", LINE_GAME)] == []


@pytest.mark.parametrize("name", ["deshmukh", "seven-hands", "mdp", "lott", "roanoke"])
def test_each_document_has_its_house_its_choices_and_its_commands(name):
    assert name in house_names()
    assert f"upcard play --house {name}" in SYSTEMS
    sections = re.split(r"^## Document ", SYSTEMS, flags=re.MULTILINE)[1:]
    assert len(sections) == 5
    for section in sections:
        assert "### What was decided" in section
        assert "### What it shows" in section
        assert "```console" in section


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "decisions").glob("*.md")))
def test_a_decision_has_its_number_context_decision_and_consequences_on_half_a_page(page):
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"# {page.name[:4]} ")
    places = [text.index(f"**{part}.**") for part in ("Context", "Decision", "Consequences")]
    assert places == sorted(places)
    assert len(text.split()) <= 330
