"""Train the learners, value what they learned exactly, and write the table of docs/rl.md.

    python tools/leaderboard.py              train with five seeds, and write the table
    python tools/leaderboard.py --seeds 1    quicker, and print it only

It takes some minutes on one core. Seconds are those of the processor.
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from itertools import chain
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import gymnasium
import numpy as np
from classic_exact import optimum, value_of

import upcard
import upcard.env  # registers the environments
from upcard.env import learners
from upcard.env.policy_charts import chart_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PAGE: Final = Path(__file__).resolve().parent.parent / "docs" / "rl.md"
BEGIN: Final = "<!-- leaderboard: written by `make leaderboard` -->"
END: Final = "<!-- end of the leaderboard -->"
SEEDS: Final = 5
_TABLES: Final = 4_096
_GAMES: Final = ("6D H17 LS CSM", "INF S17")
_LEARNERS: Final = (
    *(("monte_carlo", rounds) for rounds in (1_000_000, 4_000_000)),
    *((name, 4_000_000) for name in ("q_learning", "sarsa", "expected_sarsa")),
)
_LONGEST: Final = ("monte_carlo", 16_000_000)
"""Only in the first of the games."""
_CLASSIC_ROUNDS: Final = 100_000
_TUTORIAL: Final = "agent of Gymnasium's tutorial"


class Trial(NamedTuple):
    """What a learner came to with one seed. Units: initial bets a round, seconds."""

    ev: float
    regret: float
    seconds: float = 0.0


class Row(NamedTuple):
    """A learner with all its seeds; a baseline has one trial and no rounds."""

    game: str
    name: str
    rounds: int
    trials: list[Trial]

    def write(self) -> str:
        """Write a row of the table."""
        ev = f"{fmean(trial.ev for trial in self.trials):.3%}".replace("-", "−")
        regret = f"{fmean(trial.regret for trial in self.trials):.3%}"
        if len(self.trials) > 1:
            regret += f" ± {stdev(trial.regret for trial in self.trials):.3%}"
        seconds = fmean(trial.seconds for trial in self.trials)
        spent = (f"{self.rounds:,}", f"{seconds:.1f}") if self.rounds else ("", "")
        return f"| {self.game} | {self.name} | {' | '.join(spent)} | {ev} | {regret} |"


def play_below(limit: int) -> Callable[[Any, Any], int]:
    """Return the policy that hits hard totals below a limit, and soft ones below 18."""

    def decide(observation: Any, mask: Any) -> int:  # noqa: ANN401
        total, is_soft = observation[:2]
        return int(bool(mask[1]) and total < (18 if is_soft and limit < 17 else limit))

    return decide


BASELINES: Final = {"never bust": play_below(12), "mimic the dealer": play_below(17)}


def rank_games(seeds: int) -> Iterator[Row]:
    """Train on `upcard/Blackjack-v1`, and value the charts."""
    for game in _GAMES:
        rules = upcard.Rules.parse(game)
        best = upcard.expected_value(rules, strategy=upcard.basic_strategy(rules))
        learners.monte_carlo(_open_tables(rules, has_credit=True), 1)  # compile, untimed

        def value(policy: Any, seconds: float = 0.0, rules: Any = rules, best: Any = best) -> Trial:  # noqa: ANN401
            ev = upcard.expected_value(rules, strategy=chart_of(policy, rules))
            return Trial(ev, best - ev, seconds)

        for name, policy in BASELINES.items():
            yield Row(game, name, 0, [value(policy)])
        yield Row(game, "basic strategy", 0, [Trial(best, 0.0)])
        for name, rounds in (*_LEARNERS, *([_LONGEST] if game == _GAMES[0] else ())):
            learn = getattr(learners, name)
            trials = []
            for seed in range(1, seeds + 1):
                envs = _open_tables(rules, has_credit=name == "monte_carlo")
                begun = time.process_time()
                values = learn(envs, rounds, seed=seed)
                trials.append(value(values, time.process_time() - begun))
            yield Row(game, f"`{name}`", rounds, trials)


def rank_classic(seeds: int) -> Iterator[Row]:
    """Train on `upcard/SuttonBarto-v0`, and value the policies against its exact optimum."""
    game = "SuttonBarto-v0"
    best, _ = optimum()

    def value(policy: Callable[[Any], int], seconds: float = 0.0) -> Trial:
        ev = value_of(policy)
        return Trial(ev, best - ev, seconds)

    yield Row(game, "never bust", 0, [value(lambda seen: int(seen[0] < (18 if seen[2] else 12)))])
    yield Row(game, "mimic the dealer", 0, [value(lambda seen: int(seen[0] < 17))])
    yield Row(game, "the best policy", 0, [Trial(best, 0.0)])
    trials = []
    for seed in range(1, seeds + 1):
        env = gymnasium.make("upcard/SuttonBarto-v0")
        begun = time.process_time()
        policy = _learn_as_the_tutorial(env, seed)
        trials.append(value(policy, time.process_time() - begun))
    yield Row(game, _TUTORIAL, _CLASSIC_ROUNDS, trials)


def _open_tables(rules: upcard.Rules, *, has_credit: bool) -> Any:  # noqa: ANN401
    return gymnasium.make_vec(
        "upcard/Blackjack-v1",
        num_envs=_TABLES,
        rules=rules,
        observation="cell",
        autoreset_mode="SameStep",
        credit=has_credit,
        copy=False,
    )


def _learn_as_the_tutorial(env: gymnasium.Env[Any, Any], seed: int) -> Callable[[Any], int]:
    """Learn as "Training an agent" in Gymnasium's documentation does, with its numbers."""
    rate, discount, explore, least = 0.01, 0.95, 1.0, 0.1
    decay = explore / (_CLASSIC_ROUNDS / 2)
    values: dict[Any, list[float]] = {}
    rng = np.random.default_rng(seed)
    for number in range(_CLASSIC_ROUNDS):
        seen, _ = env.reset(seed=None if number else seed)
        is_over = False
        while not is_over:
            row = values.setdefault(seen, [0.0, 0.0])
            action = int(rng.integers(2)) if rng.random() < explore else int(row[1] > row[0])
            after, reward, is_over, _, _ = env.step(action)
            goal = float(reward) + (0 if is_over else discount * max(values.get(after, [0.0])))
            row[action] += rate * (goal - row[action])
            seen = after
        explore = max(least, explore - decay)
    return lambda seen: int(values.get(seen, [0.0, 0.0])[1] > values.get(seen, [0.0, 0.0])[0])


def write_table(seeds: int) -> str:
    """Train everything, and write the table."""
    rows: list[str] = []
    for row in chain(rank_games(seeds), rank_classic(seeds)):
        rows.append(row.write())
        print(rows[-1], flush=True)
    python = ".".join(platform.python_version_tuple()[:2])
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {python}"
    return "\n".join(
        (
            BEGIN,
            "",
            "| rules | learner | rounds | seconds | exact EV | regret |",
            "|---|---|--:|--:|--:|--:|",
            *rows,
            "",
            f"Mean and standard deviation of {seeds} seeds, one thread; {machine}.",
            "",
            END,
        )
    )


def replace_table(page: str, table: str) -> str:
    """Return a page with its generated part replaced. Raises: ValueError if it has none."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"no part of the page is between {BEGIN} and {END}")
    return before + table + after


def main() -> None:
    """Read the options and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"of each learner ({SEEDS})")
    seeds = parser.parse_args().seeds
    table = write_table(seeds)
    if seeds == SEEDS:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(replace_table(page, table), encoding="utf-8")


if __name__ == "__main__":
    main()
