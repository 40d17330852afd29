"""`make check` finds modules that import one another in a circle."""

import sys

import pytest
from import_cycles import ALLOWED, ROOT, find_circles, find_faults, read_folders

FILES = {
    "__init__": "",
    "value": "def parse():\n    from round_trip import text\n",
    "text": "from typing import TYPE_CHECKING\nimport round_trip.value\n"
    "if TYPE_CHECKING:\n    import round_trip.user\n",
    "user": "import round_trip.text\n",
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "round_trip"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield folder.name
    for name in [name for name in sys.modules if name.partition(".")[0] == folder.name]:
        del sys.modules[name]


def test_no_modules_of_upcard_import_one_another_in_a_circle():
    assert list(find_faults("upcard", ALLOWED)) == []


def test_a_circle_is_found_even_if_an_import_is_in_a_function(package):
    (fault,) = find_faults(package, ())
    assert "round_trip.value" in fault
    assert "round_trip.text" in fault
    assert "round_trip.user" not in fault


def test_a_circle_is_cut_where_an_exception_says_so(package):
    assert list(find_faults(package, [("round_trip.value", "round_trip.text")])) == []


def test_an_exception_that_is_not_needed_is_reported(package):
    allowed = [("round_trip.value", "round_trip.text"), ("round_trip.text", "round_trip.user")]
    assert list(find_faults(package, allowed)) == [
        "round_trip.text does not import round_trip.user: remove the exception"
    ]


BESIDE = {
    "campaign/__init__.py": "",
    "campaign/dice.py": "def throw():\n    from campaign import table\n",
    "campaign/table.py": "from . import dice\nimport helper\n",
    "tests/helper.py": "import other\nfrom typing import TYPE_CHECKING\n"
    "if TYPE_CHECKING:\n    from campaign import table\n",
    "tests/unit/other.py": "def help():\n    from helper import one\n",
    "tests/conftest.py": "from helper import one\n",
    "tests/unit/conftest.py": "import other\n",
}


@pytest.mark.slow
def test_no_modules_beside_the_package_import_one_another_in_a_circle():
    found = read_folders(ROOT)
    assert list(find_circles(found)) == []
    assert {"campaign.fuzz", "benchmarks.web", "import_cycles", "install", "naive"} <= set(found)
    assert "campaign.books" in found["campaign.kills_play"]
    assert "random_rules" in found["campaign.choosing"]


def test_every_circle_beside_the_package_is_found(tmp_path):
    for name, text in BESIDE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    faults = sorted(find_circles(read_folders(tmp_path, ("campaign", "tests"))))
    assert len(faults) == 2
    assert "campaign.dice" in faults[0]
    assert "campaign.table" in faults[0]
    assert "helper" in faults[1]
    assert "other" in faults[1]
