"""Random rules for the campaigns, from the generator that the property tests use."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

    from upcard.rules.model import Rules

ROOT = Path(__file__).resolve().parents[1]


def use_tests() -> None:
    """Let the modules of tests/ be imported: the naive twins, and the generator of rules."""
    for folder in ("tools", "tests/differential", "tests/env", "tests"):
        path = str(ROOT / folder)
        if path not in sys.path:
            sys.path.insert(0, path)


def choose_any_rules(rng: random.Random) -> Rules:
    """Choose every setting at random."""
    use_tests()
    from random_rules import choose_rules

    rules: Rules = choose_rules(rng.choice)
    return rules
