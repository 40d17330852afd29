"""Rounds of the compiled simulator in full: every card, question, answer and settlement.

This is the loop of a run, compiled with its log. Tests compare it with the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.errors import RulesError
from upcard.kernels import codes
from upcard.simulation.count_table import CARD_OF_KIND
from upcard.simulation.job import Job
from upcard.simulation.kernel_rounds import play_rounds
from upcard.simulation.lower import lower
from upcard.simulation.round_sums import RoundSums
from upcard.simulation.table_engine import Decision
from upcard.table.state import Phase

_ENTRIES: Final = 1 << 17
_PLAYS: Final = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
_OFFERS: Final = {
    codes.ASKED_EVEN_MONEY: (Phase.INSURANCE, Action.EVEN_MONEY, Action.NO_EVEN_MONEY),
    codes.ASKED_INSURANCE: (Phase.INSURANCE, Action.INSURANCE, Action.NO_INSURANCE),
    codes.ASKED_SURRENDER: (Phase.SURRENDER, Action.SURRENDER, Action.NO_SURRENDER),
}
"""Phase of a question, and the actions of its answers: any code, and 0."""


class RecordedHand(NamedTuple):
    """A hand as it was settled."""

    spot: int
    net: int
    """Net in 1/unit of a bet."""
    bets: int
    """1, or 2 if it was doubled."""


@dataclass(frozen=True, slots=True)
class KernelRound:
    """A round as the kernel logged it. Nets are in 1/unit of a bet."""

    shoe: int
    number: int
    """Number of the round in its shoe, from 1."""
    dealt: int
    """Cards of the shoe that were dealt before this round."""
    count: int
    """The betting count before the deal."""
    is_seated: bool
    cards: tuple[Card, ...]
    """Cards in the order dealt; suits are made up except for red sevens."""
    answers: tuple[Decision, ...]
    hands: tuple[RecordedHand, ...]
    insurance_net: int
    net: int
    added: int
    """Half bets added by doubling, splitting and insurance."""


def record_shoe(job: Job, chunk: int, shoe: int, *, rounds: int) -> tuple[KernelRound, ...]:
    """Replay a shoe of a run, at most `rounds` rounds of it.

    Raises: RulesError for an invalid chunk or shoe.
    """
    if chunk < 0 or shoe < 0 or rounds < 1:
        msg = f"chunk {chunk}, shoe {shoe}, {rounds} rounds: chunks and shoes are 0 or more"
        raise RulesError(msg)
    played = record_rounds(job, chunk, shoe, rounds)
    return tuple(one for one in played if one.shoe == shoe)


def record_rounds(
    job: Job, chunk: int, shoe: int, rounds: int, script: NDArray[np.uint8] | None = None
) -> Iterator[KernelRound]:
    """Play rounds from a shoe of a chunk on, or from the cards of a script, with a log."""
    lowered = lower(job)
    entries = _ENTRIES
    while True:
        log = np.zeros((entries, codes.LOG_FIELDS), np.int64)
        sums = RoundSums.zeros(lowered)
        if play_rounds(
            job, lowered, chunk, rounds, sums=sums, first_shoe=shoe, script=script, log=log
        ):
            return _read(log[1 : int(log[0, 0])].tolist())
        entries *= 4


def _read(log: list[list[int]]) -> Iterator[KernelRound]:
    numbers: dict[int, int] = {}
    for kind, *values in log:
        match kind:
            case codes.LOG_ROUND:
                dealt, count, seated, shoe = values
                answers: list[Decision] = []
                hands: list[RecordedHand] = []
                cards: list[Card] = []
                insurance_net = 0
            case codes.LOG_ANSWER:
                answers.append(_read_answer(*values[:3]))
            case codes.LOG_HAND:
                hands.append(RecordedHand(*values[:3]))
            case codes.LOG_INSURANCE:
                insurance_net = values[0]
            case codes.LOG_CARD:
                cards.append(Card(CARD_OF_KIND[values[0]]))
            case codes.LOG_END:
                numbers[shoe] = numbers.get(shoe, 0) + 1
                yield KernelRound(
                    shoe,
                    numbers[shoe],
                    dealt,
                    count,
                    bool(seated),
                    tuple(cards),
                    tuple(answers),
                    tuple(hands),
                    insurance_net,
                    *values[:2],
                )


def _read_answer(hand: int, question: int, answer: int) -> Decision:
    if question not in _OFFERS:
        return Decision(Phase.PLAY, hand, _PLAYS[answer])
    phase, yes, no = _OFFERS[question]
    return Decision(phase, hand, yes if answer else no)
