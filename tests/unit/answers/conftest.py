"""A memory of drills that is not saved, and drills that begin with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from upcard.drills.catalogue import DrillOptions
from upcard.drills.drill_run import DrillMemory, DrillSetup
from upcard.drills.trainer import DrillTrainer
from upcard.rules.model import Rules
from upcard.store.database import open_in_memory


@pytest.fixture
def memory() -> Iterator[DrillMemory]:
    store = open_in_memory()
    yield DrillMemory(store)
    store.close()


@pytest.fixture
def begin(memory: DrillMemory) -> Callable[..., DrillTrainer]:
    """Return a function that begins a drill whose clock stands still."""

    def begin_drill(name: str, rules: str = "INF", **options: Any) -> DrillTrainer:
        setup = {"seed": 1, "clock": lambda: 0.0} | options
        chosen = DrillOptions(rules=Rules.parse(rules), classes=setup.pop("classes", None))
        return DrillTrainer(
            name, DrillSetup(options=chosen, memory=memory, **setup), goes_on_at_once=False
        )

    return begin_drill
