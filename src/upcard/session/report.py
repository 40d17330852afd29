"""Report of a session: decisions right, what mistakes cost, the worst hands, how to review them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from upcard.analysis.grades import count_grades
from upcard.coach.judgement import Judgement, write_bets, write_chips, write_verdict
from upcard.core.numbers import fields_of
from upcard.session.game_session import GameSession
from upcard.session.review import Source, source_of
from upcard.session.seat import Seat
from upcard.store import database, files, history, round_codes
from upcard.table.rounds import RoundRecord

_WORST: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundWithMistakes:
    """One round of a session in which something was given away."""

    net: Fraction
    mistakes: tuple[Judgement, ...]
    stored: int | None = None
    """Its number in the history; None in practice."""
    record: RoundRecord | None = None
    """The round itself, in practice."""

    @property
    def cost(self) -> float:
        """The cost of the mistakes, in chips."""
        return math.fsum(judgement.chips for judgement in self.mistakes)

    @property
    def dearest(self) -> Judgement:
        """The mistake that cost most."""
        return max(self.mistakes, key=lambda one: one.chips)

    @property
    def name(self) -> str:
        """The name of the round for `upcard replay`: its number, or its code."""
        if self.stored is not None:
            return str(self.stored)
        return "" if self.record is None else round_codes.encode_round(self.record)

    def find_source(self, store: database.Store | None) -> Source:
        """Return what the round is reviewed from."""
        if self.record is not None:
            return Source(record=self.record, code=self.name)
        if store is None or self.stored is None:
            raise files.StoreError("the round is not on record")
        return source_of(store, history.read_round(store, self.stored))


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReport:
    """How a session went. Units: chips, and parts of a bet."""

    rounds: int
    net: Fraction
    has_bets: bool
    judged: int
    """How many decisions the coach has judged."""
    right: int
    cost_ev: float
    """The cost of the mistakes, each per initial bet of its hand."""
    cost_chips: float
    with_mistakes: tuple[RoundWithMistakes, ...]
    """In the order played."""
    counts_asked: int = 0
    """How many count questions were answered."""
    counts_right: int = 0

    @property
    def worst(self) -> tuple[RoundWithMistakes, ...]:
        """The rounds whose mistakes cost most, the costliest first."""
        return tuple(sorted(self.with_mistakes, key=lambda one: -one.cost)[:_WORST])

    @property
    def wrong(self) -> str:
        """The wrong decisions, counted by their grades."""
        return count_grades(one.cost for found in self.with_mistakes for one in found.mistakes)

    @property
    def accuracy(self) -> float | None:
        """The share of judged decisions that were right; None if none was judged."""
        return self.right / self.judged if self.judged else None

    def to_json(self) -> dict[str, Any]:
        """Return it as fields of a JSON object; `counts` only if the count was asked for."""
        counts = {"counts": {"asked": self.counts_asked, "right": self.counts_right}}
        return {
            **(counts if self.counts_asked else {}),
            "rounds": self.rounds,
            "net": self.net if self.has_bets else None,
            **fields_of(self, "judged", "right", "accuracy", "cost_ev"),
            "cost_chips": self.cost_chips if self.has_bets else None,
            "worst": [
                {
                    "round": one.stored,
                    "code": None if one.record is None else one.name,
                    "net": one.net,
                    "cost_chips": one.cost if self.has_bets else None,
                    "mistakes": [write_verdict(it, has_bets=self.has_bets) for it in one.mistakes],
                    "grades": [mistake.grade for mistake in one.mistakes],
                }
                for one in self.worst
            ],
        }


def make_report(seat: Seat) -> SessionReport:
    """Add up the rounds of a session that are over, and the answers to the count question."""
    session, check = seat.session, seat.betting.check
    judged: list[Judgement] = []
    with_mistakes: list[RoundWithMistakes] = []
    kept = session.kept
    for number, found in sorted(session.ledger.items()):
        if found.net is None:
            continue
        answers = [one for _, one in sorted(found.judged.items())]
        judged += answers
        if wrong := tuple(one for one in answers if not one.is_right):
            stored = None if kept is None else history.find_round(kept.store, kept.session, number)
            with_mistakes.append(
                RoundWithMistakes(net=found.net, mistakes=wrong, stored=stored, record=found.record)
            )
    return SessionReport(
        **fields_of(session.bank, "rounds", "net"),
        has_bets=session.rules.betting,
        judged=len(judged),
        right=sum(one.is_right for one in judged),
        cost_ev=math.fsum(one.cost for one in judged),
        cost_chips=math.fsum(one.chips for one in judged),
        with_mistakes=tuple(with_mistakes),
        counts_asked=0 if check is None else check.asked,
        counts_right=0 if check is None else check.right,
    )


def list_mistakes(session: GameSession) -> Iterator[str]:
    """Write the mistakes of the rounds that are over, the last one first: `Hand 3: 16 v T ...`."""
    has_bets = session.rules.betting
    for number, found in sorted(session.ledger.items(), reverse=True):
        if found.net is None:
            continue
        for _, judgement in sorted(found.judged.items(), reverse=True):
            if not judgement.is_right:
                yield f"Hand {number}: {write_verdict(judgement, has_bets=has_bets)}"


def write_accuracy(report: SessionReport) -> str:
    """Write how many decisions were right and what the mistakes cost, in a line."""
    if not report.judged:
        return "No decision was judged."
    share = f"{report.right} of {report.judged} decisions right ({report.accuracy:.0%})"
    if not report.with_mistakes:
        return f"{share}: no mistake."
    chips = f", {write_chips(report.cost_chips)} chips" if report.has_bets else ""
    return f"{share}; {report.wrong} cost {write_bets(report.cost_ev)}{chips}."


def write_score(report: SessionReport) -> str:
    """Write how many answers to the count question were right, in a line; empty if none was."""
    if not report.counts_asked:
        return ""
    return f"Counts: {report.counts_right} of {report.counts_asked} right."


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstHand:
    """A hand with one of the costliest mistakes of a session."""

    name: str
    """The round for `upcard replay`: its number in the history, or in practice its code."""
    round: int | None
    """Its number in the history; None in practice."""
    sentence: str
    """The verdict on its costliest answer."""


def write_worst(report: SessionReport) -> tuple[WorstHand, ...]:
    """Return the worst hands, the costliest first."""
    return tuple(
        WorstHand(
            name=one.name,
            round=one.stored,
            sentence=write_verdict(one.dearest, has_bets=report.has_bets),
        )
        for one in report.worst
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftTable:
    """How a table stood when it was left."""

    words: str
    """The balance, the decisions that were right, and the counts, as sentences."""
    rules: str
    """The game, in notation."""
    worst: tuple[WorstHand, ...]
    """The hands with the costliest mistakes, at most three."""
