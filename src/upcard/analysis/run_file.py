"""A run's document, read for questions about bets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from upcard.analysis.count_rows import CountedGame, read_rows
from upcard.analysis.errors import AnalysisError
from upcard.simulation.document import (
    load_run_document,
    naming_file,
    read_job,
    read_own_ramp,
    read_tally,
)
from upcard.simulation.estimates import check_ramp
from upcard.simulation.job import Job
from upcard.simulation.tally import Tally
from upcard.strategy.count_system import CountSystem
from upcard.strategy.ramp import BetRamp, parse_ramp

_DEFAULT_SPREAD: Final = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedRun:
    """A run with a count, by count."""

    job: Job
    system: CountSystem
    tally: Tally
    game: CountedGame
    ramp: BetRamp | None
    """Ramp of the run."""

    def parse_ramp(self, text: str) -> BetRamp:
        """Read a ramp for this run's system and decks.

        Raises: NotationError for an invalid ramp; RulesError if it distinguishes counts that the
        run merges.
        """
        if self.job.rules.decks is None:
            raise AnalysisError("an infinite deck has no count to bet by")
        ramp = parse_ramp(text, self.system, decks=self.job.rules.decks)
        check_ramp(self.tally, ramp)
        return ramp

    def choose_bets(
        self, *, ramp: str | None, spread: float | None, chip: float | None
    ) -> dict[str, BetRamp | float]:
        """Return the bets of a question about this run: a `ramp` in text, or the best of a spread.

        The default is the run's own ramp, or else the best ramp with a spread of 1-8.

        Raises: as `parse_ramp` does.
        """
        if ramp is not None:
            return {"ramp": self.parse_ramp(ramp)}
        # Whole chips are for the best ramp only, so the run's own ramp is not meant.
        if spread is None and self.ramp is not None and chip is None:
            return {"ramp": self.ramp}
        return {"spread": _DEFAULT_SPREAD if spread is None else spread}


def read_run(path: str | Path) -> CountedRun:
    """Read a run's file.

    Raises: RunError if it is not a run; AnalysisError for one without rounds or a count.
    """
    document = load_run_document(path)
    with naming_file(path):
        return read_document(document)


def read_document(document: dict[str, Any]) -> CountedRun:
    """Read a run's document.

    Raises: RunError if it cannot be read; AnalysisError if it has no rounds or no count.
    """
    job = read_job(document)
    if job.system is None:
        raise AnalysisError("this run counted nothing: run again with --count hi-lo")
    ramp = read_own_ramp(document, job)
    tally = read_tally(document, job, ramp)
    if tally is None:
        raise AnalysisError("this run has no rounds yet: carry it on with --resume")
    return CountedRun(
        job=job, system=job.system, tally=tally, game=read_rows(tally, job.rules), ramp=ramp
    )
