"""docs/architecture.md names files, packages and functions that exist, and no others."""

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CODE = sorted(set(re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL))))
NAMES = [text for text in CODE if re.fullmatch(r"[a-z_]\w*(\.\w+)+", text) and "toml" not in text]
FILES = [text for text in CODE if text.startswith("src/")]


def find(name):
    """Import as much of a dotted name as is a module, and follow the rest as attributes."""
    parts = name.removeprefix("upcard.").split(".")
    for end in range(len(parts), -1, -1):
        try:
            found = import_module(".".join(["upcard", *parts[:end]]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            found = getattr(found, part)
        return found
    raise AssertionError(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_the_walks_exists(name):
    assert find(name) is not None


@pytest.mark.parametrize("name", ["table.nothing.play_round", "table.rounds.nothing"])
def test_a_name_that_does_not_exist_is_found_out(name):
    with pytest.raises(AttributeError):
        find(name)


@pytest.mark.parametrize("path", FILES)
def test_a_file_in_the_walks_exists(path):
    assert (ROOT / path).exists()


def test_each_walk_names_functions_and_the_page_names_every_package_in_the_order_of_the_contract():
    walks = re.split(r"^## Walk ", PAGE, flags=re.MULTILINE)[1:]
    assert len(walks) == 6
    assert all(sum(f"`{name}`" in walk for name in NAMES) >= 5 for walk in walks)
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = contracts["tool"]["importlinter"]["contracts"][0]["layers"]
    levels = [re.findall(r"\w+", layer) for layer in reversed(layers)]
    described = re.findall(r"^(?:- )?\*\*(\w+)\*\* \(`src/upcard/(\w+)/`\)", PAGE, re.MULTILINE)
    assert [name for name, folder in described if name != folder] == []
    places = [next(i for i, level in enumerate(levels) if name in level) for name, _ in described]
    assert places == sorted(places)
    packages = {path.parent.name for path in (ROOT / "src" / "upcard").glob("*/__init__.py")}
    assert {name for name, _ in described} == packages
