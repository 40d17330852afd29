"""Games by penetration and spread as one table: each penetration is simulated once, from one seed.

A spread moves no cards, so the run of a penetration answers every spread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from upcard._version import __version__
from upcard.answers.games.comparison import LeftOutGame, tabulate_counted
from upcard.answers.games.side_by_side import (
    NAMES,
    CountedPlay,
    GameUnderWay,
    Watch,
    bet_on,
    leave_out,
    note_plays,
    value_games,
)
from upcard.answers.ramp_report import PlanAnswer, write_hour
from upcard.core import errors, figure, numbers
from upcard.core.number_texts import read_spread, whole_of
from upcard.rules.house import RulesLike, as_rules
from upcard.rules.model import Rules
from upcard.strategy.count_system import CountSystem

VARIED: Final = ("pen", "spread")
"""Names of what a sweep varies."""
_STEP: Final = 5
"""Step of a range of percentages."""
_MOST_RUNS: Final = 48
_MOST_SPREADS: Final = 12


@dataclass(frozen=True, slots=True)
class Sweep:
    """The penetrations, in percent, and the spreads; an empty one is not varied."""

    pens: tuple[int, ...] = ()
    spreads: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SweptGame:
    """A game at a penetration, bet in a spread; figures are None where no bets win."""

    name: str
    """Its letter."""
    rules: str
    penetration: float
    """Share of the shoe that is dealt."""
    spread: float | None
    """Ratio of the largest to the least bet; None for bets that were given."""
    ev_per_hour: float | None
    ev_per_hour_standard_error: float | None
    sd_per_hour: float | None
    score: float | None
    score_standard_error: float | None
    n0: float | None
    ruin: float | None
    plan: PlanAnswer | None
    """The bets and all their figures."""
    why_no_plan: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSweep(figure.Displayed):
    """Every game at every penetration in every spread, in the money of the bankroll or unit."""

    games: tuple[SweptGame, ...]
    """A row for each game, penetration and spread."""
    best: int | None
    """Index of the one that earns most; None if none earns anything."""
    sentence: str
    """The row that earns most."""
    notes: tuple[str, ...]
    left_out: tuple[LeftOutGame, ...]
    count: str
    indices: str | None
    seed: int
    rounds_per_hour: float | None = None
    """Rounds of an hour; None if no bets win."""
    version: str = __version__

    def table(self) -> figure.AnswerTable:
        """Return a row for each game, penetration and spread."""
        columns = (
            *(figure.text("name", "game"), figure.text("rules", is_shown=False)),
            *(figure.share("penetration", "dealt", digits=0), figure.real("spread", digits=0)),
            figure.real("ev_per_hour", "EV an hour", error="ev_per_hour_standard_error"),
            figure.real("ev_per_hour_standard_error", is_shown=False),
            figure.real("sd_per_hour", "SD an hour", digits=1),
            figure.real("score", "SCORE", error="score_standard_error"),
            figure.real("score_standard_error", is_shown=False),
            *(figure.number("n0", "N0"), figure.share("ruin", digits=1)),
        )
        title = "By the share of the shoe that is dealt, and by spread"
        title += "" if self.rounds_per_hour is None else f", {write_hour(self.rounds_per_hour)}"
        return figure.make_table(title, columns, tabulate_counted(columns, self.games))


def read_sweep(text: str) -> Sweep:
    """Read `pen=60..85 spread=8,12,16`: percentages, a range of them in steps of 5, and spreads.

    Raises: NotationError.
    """
    found: dict[str, tuple[Any, ...]] = {}
    for word in text.split():
        name, _, values = word.partition("=")
        if name not in VARIED or f"{name}s" in found:
            raise errors.NotationError(
                f"sweep {errors.quote(word)}: write pen=60..85 or pen=60,75, and spread=8,12,16,"
                " each once"
            )
        read = _read_pens if name == "pen" else _read_spreads
        found[f"{name}s"] = tuple(dict.fromkeys(read(values)))
    if not found:
        raise errors.NotationError("an empty sweep: write pen=60..85 spread=8,12,16")
    return Sweep(**found)


def _read_pens(text: str) -> Iterator[int]:
    for part in text.split(","):
        low, dots, high = part.partition("..")
        ends = [
            whole_of(one.strip().removesuffix("%")) or 0
            for one in ((low, high) if dots else (low,))
        ]
        if not 1 <= ends[0] <= ends[-1] <= 99:
            raise errors.NotationError(
                f"pen {errors.quote(part)}: write percentages from 1 to 99, such as 60..85 or 75"
            )
        yield from range(ends[0], ends[-1] + 1, _STEP)


def _read_spreads(text: str) -> Iterator[float]:
    for part in text.split(","):
        yield read_spread(part if "-" in part else f"1-{part}")


def sweep_games(
    games: Sequence[RulesLike],
    sweep: Sweep | str,
    *,
    count: str | CountSystem,
    watch: Watch | None = None,
    **terms: Any,
) -> GameSweep:
    """Simulate one to eight games at every penetration, and bet in every spread of the sweep.

    The other terms are those of `compare_games` with a count.

    Raises: RulesError, NotationError; RulesError too if no game can be simulated.
    """
    wanted = read_sweep(sweep) if isinstance(sweep, str) else sweep
    given = [as_rules(one) for one in games]
    runs = len(given) * max(len(wanted.pens), 1)
    if not 1 <= len(given) <= len(NAMES) or runs > _MOST_RUNS:
        raise errors.RulesError(
            f"a sweep of {numbers.count_of(runs, 'run')}: name one to {len(NAMES)} games, and at"
            f" most {_MOST_RUNS} runs in all"
        )
    if (many := len(wanted.spreads)) > _MOST_SPREADS:
        raise errors.RulesError(f"a sweep of {many} spreads: at most {_MOST_SPREADS}")
    if wanted.spreads and any(terms.get(name) is not None for name in ("ramp", "spread")):
        raise errors.RulesError("the sweep has spreads: leave out the other spread or ramp")
    left_out: list[LeftOutGame] = []
    play = CountedPlay.read(given[0], count=count, **terms)
    valued = value_games(_list_games(given, wanted.pens, left_out), None, left_out)
    entries = [one for one in valued if play.prepare(one, left_out)]
    if not entries:
        reasons = "; ".join(map(str, left_out))
        raise errors.RulesError(f"no game of the sweep can be simulated: {reasons}")
    found = []
    for one in entries:
        one.run, plain = play.play(one, watch), one.game
        for ratio in wanted.spreads or (None,):
            one.game = plain
            bet_on(one, play.terms if ratio is None else replace(play.terms, spread=ratio))
            found.append(_describe(one, ratio))
    best = max(
        (place for place, one in enumerate(found) if (one.ev_per_hour or 0.0) > 0),
        key=lambda place: found[place].ev_per_hour or 0.0,
        default=None,
    )
    return GameSweep(
        games=tuple(found),
        best=best,
        sentence=_word_best(None if best is None else found[best]),
        notes=tuple(_list_notes(found, entries, play)),
        left_out=tuple(left_out),
        count=play.system.name,
        indices=next(
            (one.job.deviations.name for one in entries if one.job and one.job.deviations), None
        ),
        seed=play.seed,
        rounds_per_hour=next(
            (one.answer.question.rounds_per_hour for one in entries if one.answer), None
        ),
    )


def _list_games(
    games: Sequence[Rules], pens: Sequence[int], left_out: list[LeftOutGame]
) -> Iterator[tuple[str, Rules]]:
    """Iterate over the games at each penetration, by the name of the run: `A75`."""
    for letter, rules in zip(NAMES, games, strict=False):
        if not pens:
            yield letter, rules
        for pen in pens:
            try:
                yield f"{letter}{pen}", replace(rules, penetration=Fraction(pen, 100))
            except errors.BlackjackError as error:
                leave_out(f"{letter}{pen}", rules, error, left_out)


def _describe(entry: GameUnderWay, spread: float | None) -> SweptGame:
    names = set(SweptGame.__dataclass_fields__) - {"name", "penetration", "spread"}
    return SweptGame(
        name=entry.name[0],
        penetration=float(entry.rules.penetration),
        spread=spread,
        **numbers.fields_of(entry.game, *names),
    )


def _word_best(best: SweptGame | None) -> str:
    if best is None:
        return "With these bets no game can be beaten."
    more = numbers.with_error(best.ev_per_hour or 0.0, best.ev_per_hour_standard_error)
    spread = "" if best.spread is None else f" and a spread of 1-{best.spread:g}"
    return f"Most an hour: {more}, in {best.name} with {best.penetration:.0%} dealt{spread}."


def _list_notes(
    found: Sequence[SweptGame], entries: Sequence[GameUnderWay], play: CountedPlay
) -> Iterator[str]:
    yield f"Every game is simulated by its own best chart, seed {play.seed}."
    rounds = dict.fromkeys(f"{one.run.rounds:,}" for one in entries if one.run is not None)
    yield f"{' or '.join(rounds)} rounds of each game at each penetration."
    yield from note_plays((one.name[0], one.job) for one in entries if one.job is not None)
    if any(one.why_no_plan for one in found):
        yield "Rows without figures: no bets in that spread win."
    yield "Behind ± is one standard error; spreads of one penetration are bet on the same rounds."
