"""What the exact solver takes: games, hands, charts, shoes, saved values, memory."""

from __future__ import annotations

import os
import random
import sys
import tempfile
from functools import partial
from typing import TYPE_CHECKING, Final
from unittest import mock

from benchmarks.jobs import measure_command
from benchmarks.timing import Figure, measure, run_python

if TYPE_CHECKING:
    from collections.abc import Callable

SHOES: Final = 40
_GAMES: Final = {
    "6 decks, 4 hands": "6D",
    "8 decks, 4 hands": "8D",
    "6 decks, 2 hands": "6D SP2",
    "6 decks, no splits": "6D SP1",
}
_REMEMBERED: Final = {"6 decks, 2 hands": ("6D SP2", 2), "1 deck, 3 hands": ("1D SP3", 3)}
_HANDS: Final = {
    "a hand, depleted shoe": ("T6", "9"),
    "a pair with its split, depleted shoe": ("88", "T"),
}
_PEAK: Final = """
import resource
from upcard.cli.app import run
run(["edge"])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def measure_solver(runs: int) -> dict[str, Figure]:
    """Time games, hands and charts in this process, after a first call that may compile."""
    import upcard
    from upcard.exact.finite_shoe import dealer_totals

    def afresh(job: Callable[[], object]) -> Callable[[], object]:
        """Return a job that begins with nothing known of any shoe."""

        def forget_and_do() -> None:
            dealer_totals.cache_clear()
            job()

        return forget_and_do

    jobs: dict[str, Callable[[], object]] = {}
    for name, text in _GAMES.items():
        jobs[f"a game, {name}"] = afresh(partial(upcard.solve_game, upcard.Rules.parse(text)))
    rules = upcard.Rules.parse("6D S17 DAS")
    jobs["a game, 6 decks, its shoe solved before"] = partial(upcard.solve_game, rules)
    shoe = deplete(random.Random(1))
    for name, (hand, against) in _HANDS.items():
        jobs[name] = afresh(partial(upcard.solve, rules, hand, against, shoe=shoe))
    for name, (text, hands) in _REMEMBERED.items():
        jobs[f"88 v T split with full memory, {name}"] = afresh(split_remembering(text, hands))
    jobs["the best chart by totals, 6 decks"] = afresh(partial(upcard.basic_strategy, rules))
    jobs["all indices of Hi-Lo, 6 decks"] = partial(upcard.indices, "6D", method="exact")
    figures = {name: measure(job, runs=runs) for name, job in jobs.items()}
    rng = random.Random(2)
    shoes = [deplete(rng) for _ in range(SHOES)]

    def value_shoes() -> None:
        for counts in shoes:
            upcard.expected_value(rules, shoe=counts)

    total = measure(value_shoes, runs=min(runs, 3))
    figures["a game, one of many depleted shoes"] = Figure(
        total.seconds / SHOES, total.yardsticks / SHOES
    )
    return figures


def split_remembering(text: str, hands: int) -> Callable[[], object]:
    """Return the work of splitting 88 v T with full memory, which is computed each time."""
    import upcard
    from upcard.exact.full_memory.optimum import SplitQuestion, solve_split
    from upcard.exact.solve import read_cards

    rules = upcard.Rules.parse(text)
    cards = read_cards(rules, None)
    question = SplitQuestion(rules, cards or (), 10, 8, most_hands=hands, at_once=False)
    return lambda: solve_split(question, lambda _: None)


def deplete(rng: random.Random) -> list[int]:
    """Return what is left by rank of six decks, of which 52 to 234 cards have been dealt."""
    cards = [rank for rank in range(1, 11) for _ in range(96 if rank == 10 else 24)]
    left = rng.sample(cards, len(cards) - rng.randint(52, 234))
    return [left.count(rank) for rank in range(1, 11)]


def measure_saved(runs: int) -> dict[str, Figure]:
    """Time commands whose values were saved before."""
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, {"UPCARD_CACHE": folder}),
    ):
        return {
            f"upcard {' '.join(words)}, saved": measure_command(*words, runs=runs)
            for words in (("edge",), ("chart",), ("solve", "T6", "v", "9"))
        }


def measure_peak_memory(*, compiles: bool) -> float | None:
    """Return the most memory, in MB, that `upcard edge` holds; None where it cannot be asked."""
    if sys.platform == "win32":
        return None
    with tempfile.TemporaryDirectory() as folder:
        changes = {"NUMBA_CACHE_DIR": folder} if compiles else {}
        with mock.patch.dict(os.environ, changes):
            most = int(run_python(_PEAK).split()[-1])
    return most / (1e6 if sys.platform == "darwin" else 1e6 / 1024)
