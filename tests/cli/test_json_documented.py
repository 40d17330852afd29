"""The JSON of the line game is documented, and says its version first."""

import json
import re
from pathlib import Path

from driving import talk
from gendocs import write_reference_page

from upcard.session.narration import name_kind
from upcard.table import events

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "line-game.md").read_text(encoding="utf-8")
OBJECTS = write_reference_page("web-api")
LINE = ROOT / "src" / "upcard" / "line"


def list_kinds():
    yield from (name_kind(event._make(event._fields)) for event in events.Event.__args__)
    for name in ("general.py", "messages.py"):
        source = (LINE / name).read_text(encoding="utf-8")
        yield from re.findall(r"""(?:json_line|_write)\(\s*["'](\w+)["']""", source)


def test_every_type_has_a_row_on_the_page():
    rows = "\n".join(re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE))
    missing = [kind for kind in set(list_kinds()) if f"`{kind}`" not in rows and kind != "asked"]
    assert not missing


def test_every_field_of_a_round_is_on_the_page():
    answer = talk(
        ["play", "--json", "--coach", "after", "--cards", "TD 9H 6C 7S"], ["10", "w", "stand"]
    )
    lines = [json.loads(line) for line in answer.out.splitlines()]
    fields = {field for line in lines for field in line}
    assert sorted(field for field in fields if f"`{field}`" not in PAGE + OBJECTS) == []


def test_the_first_object_says_the_format_and_its_version():
    answer = talk(["play", "--json", "--cards", "TD 9H 7C 7S"], ["10", "stand"])
    first = json.loads(answer.out.splitlines()[0])
    assert (first["format"], first["format_version"]) == ("upcard play", 1)
