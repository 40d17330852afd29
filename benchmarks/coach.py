"""What the coach takes: advice at the table, its reasons, what would change it, a drill's start.

python -m benchmarks.coach           the slowest of many questions of each kind, and the median
python -m benchmarks.coach --json    for a program
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from benchmarks.timing import Figure, describe_machine, run_yardstick, time_once

if TYPE_CHECKING:
    from upcard.coach.judgement import Advice
    from upcard.rules.model import Rules

_ROUNDS: Final = 150
_HOUSES: Final = ("6D S17 LS", "8D H17 RSA HSA SP8", "1D ES DANY", "european", "lott", "deshmukh")


class Spread(NamedTuple):
    """Durations of many calls. Units: seconds, and yardsticks for the median."""

    median: float
    slowest: float
    calls: int
    yardsticks: float


def measure_coach(rounds: int = _ROUNDS) -> dict[str, Spread]:
    """Time the coach at every question of random rounds, the cards seen counted."""
    yardstick = statistics.median(time_once(run_yardstick) for _ in range(5))
    figures = {}
    for text in _HOUSES:
        plain, split, reasons, turns = _play(text, rounds)
        for what, taken in (("no split", plain), ("with split", split), ("why", reasons)):
            if taken:
                figures[f"{text}: {what}"] = _spread(taken, yardstick)
        if turns:
            figures[f"{text}: what would change it"] = _spread(turns, yardstick)
    figures["drill of strategy, its start"] = _spread(_start_drills(), yardstick)
    return figures


def measure_medians() -> dict[str, Figure]:
    """Time the coach as `measure_coach` does; return the medians, for the list of all figures."""
    return {
        f"coach: {name}": Figure(spread.median, spread.yardsticks)
        for name, spread in measure_coach().items()
    }


def _spread(taken: list[float], yardstick: float) -> Spread:
    median = statistics.median(taken)
    return Spread(median, max(taken), len(taken), median / yardstick)


def _play(text: str, rounds: int) -> tuple[list[float], list[float], list[float], list[float]]:
    """Play random answers; return the seconds of each advice, by kind."""
    from upcard.coach.adviser import Coach
    from upcard.coach.reasons import explain, find_changes
    from upcard.core.actions import Action
    from upcard.players.seen_cards import SeenCards
    from upcard.rules.model import Rules
    from upcard.table import Table, make_shoe

    rules: Rules = Rules.parse(text)
    rng = random.Random(3)
    table = Table(rules, make_shoe(rules, rng))
    seen = SeenCards(rules)
    table.listeners.append(seen.hear)
    coach = Coach(rules, cards="seen")
    plain: list[float] = []
    split: list[float] = []
    reasons: list[float] = []
    turns: list[float] = []
    found: list[Advice] = []
    for number in range(rounds + 20):
        table.start()
        while legal := table.legal_actions():
            ask = partial(coach.advise, table.view(), legal, seen.look())
            found.clear()
            taken = time_once(lambda ask=ask: found.append(ask()))
            if number >= 20:  # what is prepared once for all shoes is warm by then
                has_split = Action.SPLIT in found[0].ev
                (split if has_split else plain).append(taken)
                reasons.append(time_once(lambda: explain(found[0])))
                if number % 25 == 0:
                    turns.append(time_once(lambda: find_changes(found[0])))
            wants = Action.SPLIT if Action.SPLIT in legal else rng.choice(legal)
            table.act(wants)
        seen.finish_round(table.state.dealer)
    return plain, split, reasons, turns


def _start_drills() -> list[float]:
    from upcard.drills.strategy_drills import StrategyDrill
    from upcard.rules.model import Rules

    texts = ("6D", "2D H17", "8D ENHC LS", "1D ES NDAS", "4D OBO")
    return [time_once(lambda text=text: StrategyDrill(Rules.parse(text))) for text in texts]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure what the coach takes.")
    parser.add_argument("--rounds", type=int, default=_ROUNDS, help=f"rounds a house ({_ROUNDS})")
    parser.add_argument("--json", action="store_true", help="write one JSON object")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds starts at 1")
    figures = measure_coach(options.rounds)
    if options.json:
        print(json.dumps({name: figure._asdict() for name, figure in figures.items()}, indent=2))
        return
    print(describe_machine())
    print(f"{'':45}{'median':>10}{'slowest':>10}{'calls':>7}{'yardsticks':>12}")
    for name, figure in figures.items():
        print(
            f"{name:45}{figure.median * 1e3:7.1f} ms{figure.slowest * 1e3:7.1f} ms"
            f"{figure.calls:7}{figure.yardsticks:12.3g}"
        )


if __name__ == "__main__":
    main()
