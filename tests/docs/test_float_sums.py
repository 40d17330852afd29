"""`make check` refuses `sum()` of floats, which differs between Pythons, and nothing else."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SUMS = """\
from collections.abc import Iterator
from fractions import Fraction
from typing import Any


class Cost:
    chips: float
    rounds: int


def refused(floats: list[float], costs: list[Cost], pairs: dict[str, float]) -> dict[str, Any]:
    a = sum(floats)
    b = sum(floats, 0.0)
    c = sum(pairs.values())
    d = sum((0.5, 0.25))
    e = sum(one.chips for one in costs)
    f: float = sum([one.chips / 2 for one in costs])
    written: dict[str, Any] = {
        "chips": sum(one.chips for one in costs),
    }
    return written | {"all": [a, b, c, d, e, f]}


def allowed(whole: list[int], costs: Iterator[Cost], shares: tuple[Fraction, ...]) -> float:
    seen: float = sum(one.rounds for one in costs)
    of_three: dict[str, float] = {"three": sum(number > 3 for number in whole)}
    return seen + of_three["three"] + sum(whole) + float(sum(shares, Fraction(0)))
"""


@pytest.mark.slow
def test_only_sums_of_floats_are_refused(tmp_path, monkeypatch):
    api = pytest.importorskip("mypy.api")
    monkeypatch.chdir(ROOT)
    file = tmp_path / "sums.py"
    file.write_text(SUMS, encoding="utf-8")
    said, problems, _ = api.run(["--cache-dir", str(tmp_path / "cache"), str(file)])
    assert problems == ""
    refused = [number for number, line in enumerate(SUMS.splitlines(), 1) if "written" not in line]
    refused = [number for number in refused if 12 <= number <= 19]
    assert [int(line) for line in re.findall(r":(\d+): error: sum\(\) of floats", said)] == refused
    assert "Found 7 errors" in said
