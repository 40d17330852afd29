"""What each command loads before it begins: a drawing at the top of a module doubles a start.

The numbers are limits that only fall: modules of upcard, and the heavy libraries among the rest.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from upcard.cli.app import _HELP

MOST: dict[str, tuple[int, tuple[str, ...]]] = {
    "bankroll": (33, ()),
    "basics": (42, ()),
    "best-count": (39, ()),
    "bench": (78, ()),
    "cache": (34, ()),
    "ceiling": (39, ()),
    "chart": (53, ()),
    "compare": (41, ()),
    "counts": (39, ()),
    "dealer": (48, ()),
    "edge": (53, ()),
    "find": (52, ()),
    "history": (75, ()),
    "houses": (53, ()),
    "indices": (34, ()),
    "insurance": (39, ("numpy",)),
    "league": (83, ()),
    "mastery": (108, ()),
    "money": (34, ()),
    "play": (50, ()),
    "policy": (45, ()),
    "ramp": (38, ()),
    "removal": (53, ()),
    "replay": (87, ()),
    "rules": (53, ()),
    "sessions": (49, ()),
    "sidebet": (58, ("numpy",)),
    "simulate": (63, ("numpy",)),
    "solve": (51, ()),
    "stats": (71, ()),
    "train": (101, ()),
    "verify": (60, ()),
    "web": (42, ()),
}
FIRST = ("edge", "removal", "insurance", "compare", "sidebet", "solve")
HEAVY = ("numpy", "numba", "resvg_py", "rich", "textual", "starlette", "jinja2")
CODE = f"""
import contextlib, io, sys
from upcard.cli.app import run
with contextlib.redirect_stdout(io.StringIO()):
    assert run([*sys.argv[1:], "--help"]) == 0
print(sum(one.partition(".")[0] == "upcard" for one in sys.modules))
print(*(one for one in {HEAVY} if one in sys.modules))
"""


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("name", sorted(MOST, key=lambda name: name not in FIRST))
def test_a_command_loads_no_more_than_it_did(name):
    words = [sys.executable, "-c", CODE, name]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    count, heavy = done.stdout.splitlines()
    most, allowed = MOST[name]
    assert int(count) <= most
    assert set(heavy.split()) <= set(allowed)


def test_every_command_has_its_limit():
    assert set(MOST) == set(_HELP)
