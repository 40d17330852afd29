"""Rounds of a run in full: every card, question and answer, replayed at the table and checked.

`record_rounds` plays them again with the loop of the run, compiled with a log; `replay_shoe` plays
the logged cards at the table, and compares.

A round is addressed by its chunk and shoe, both from 0, and its number in the shoe, from 1. If
every round has a fresh shuffle or an infinite deck, a shoe here is a sequence of rounds.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.errors import BlackjackError, EmptyShoeError, RulesError
from upcard.rules.settings import Shuffle
from upcard.rules.side_bets import SideBet
from upcard.simulation import kernel_rounds, run_state
from upcard.simulation.job import Engine, Job
from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import ROUNDS_A_FRESH_SHOE
from upcard.simulation.kernels.side_tables import CARD_OF_BYTE, LoweredSide, list_outcomes
from upcard.simulation.lower import CARD_OF_KIND, lower
from upcard.simulation.table_engine import Decision, SimulatedRound, SimulatedSeat, Step, TableGame
from upcard.strategy.ramp import BetRamp
from upcard.table.events import Shuffled
from upcard.table.rounds import Table
from upcard.table.shoe import ScriptedShoe
from upcard.table.side_stakes import SideBets
from upcard.table.state import Phase

_PLAYS: Final = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
_OFFERS: Final = {
    loop_codes.ASKED_EVEN_MONEY: (Phase.INSURANCE, Action.EVEN_MONEY, Action.NO_EVEN_MONEY),
    loop_codes.ASKED_INSURANCE: (Phase.INSURANCE, Action.INSURANCE, Action.NO_INSURANCE),
    loop_codes.ASKED_SWITCH: (Phase.SWITCH, Action.SWITCH, Action.NO_SWITCH),
    loop_codes.ASKED_SURRENDER: (Phase.SURRENDER, Action.SURRENDER, Action.NO_SURRENDER),
}
"""Phase of a question, and the actions of its answers: any code, and 0."""
_LEAST_CARDS: Final = 3
"""A spot's two cards and the upcard: no round has fewer."""


class RecordedHand(NamedTuple):
    """A hand as it was settled."""

    spot: int
    net: int
    """Net in 1/unit of a bet."""
    bets: int
    """Its stake, 0 to 8; what the house added is not counted."""


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
    """Cards in the order dealt; where no bet and no bonus is on suits, they are made up except for
    red sevens."""
    answers: tuple[Decision, ...]
    hands: tuple[RecordedHand, ...]
    insurance_net: int
    net: int
    added: int
    """Half bets added by doubling, splitting and insurance."""
    side: tuple[tuple[int, str, str, Fraction], ...] = ()
    """Side bets of one unit: spot, short name, rows that paid, net."""


def record_shoe(job: Job, chunk: int, shoe: int, *, rounds: int) -> tuple[KernelRound, ...]:
    """Replay a shoe of a run, at most `rounds` rounds of it."""
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
    entries = 1 << 17
    while True:
        log = np.zeros((entries, loop_codes.LOG_FIELDS), np.int64)
        sums = kernel_rounds.RoundSums.zeros(lowered)
        if kernel_rounds.play_rounds(
            job, lowered, chunk, rounds, sums=sums, first_shoe=shoe, script=script, log=log
        ):
            return _read(log[1 : int(log[0, 0])].tolist(), lowered.side)
        entries *= 4


def _read(log: list[list[int]], lowered: LoweredSide | None) -> Iterator[KernelRound]:
    numbers: dict[int, int] = {}
    bets: tuple[SideBet, ...] = () if lowered is None else lowered.bets
    for kind, *values in log:
        match kind:
            case loop_codes.LOG_ROUND:
                dealt, count, seated, shoe = values
                answers: list[Decision] = []
                hands: list[RecordedHand] = []
                cards: list[Card] = []
                side: list[tuple[int, str, str, Fraction]] = []
                insurance_net = 0
            case loop_codes.LOG_ANSWER:
                answers.append(_read_answer(*values[:3]))
            case loop_codes.LOG_HAND:
                hands.append(RecordedHand(*values[:3]))
            case loop_codes.LOG_INSURANCE:
                insurance_net = values[0]
            case loop_codes.LOG_CARD:
                card = Card(CARD_OF_KIND[values[0]]) if lowered is None else CARD_OF_BYTE[values[0]]
                cards.append(card)
            case loop_codes.LOG_SIDE:
                spot, number, outcome = values[:3]
                side.append((spot, bets[number].code, *list_outcomes(bets[number])[outcome]))
            case loop_codes.LOG_END:
                numbers[shoe] = numbers.get(shoe, 0) + 1
                yield KernelRound(
                    *(shoe, numbers[shoe], dealt, count, bool(seated)),
                    *(tuple(cards), tuple(answers), tuple(hands), insurance_net),
                    *(values[0], values[1], tuple(side)),
                )


def _read_answer(hand: int, question: int, answer: int) -> Decision:
    if question not in _OFFERS:
        return Decision(Phase.PLAY, hand, _PLAYS[answer])
    phase, yes, no = _OFFERS[question]
    return Decision(phase, hand, yes if answer else no)


class ReplayMismatchError(BlackjackError):
    """The table's result differs from the run's: one of the two is wrong."""


def count_rounds(run: run_state.Run, chunk: int) -> int:
    """Return how many rounds of a chunk a run has."""
    if chunk < run.full:
        return run.job.chunk_rounds
    if run.short is not None and chunk == run.full:
        return run.short.seen
    if not run.chunks:
        raise RulesError("no chunk of this run is finished yet, so there is nothing to replay")
    raise RulesError(f"there is no chunk {chunk}: this run has {_list(run.chunks, 'chunk')}")


def count_shoes(job: Job, chunk: int, rounds: int) -> int:
    """Return how many shoes the first `rounds` rounds of a chunk take, by playing them."""
    if (stretch := _stretch(job)) is not None:
        return -(-rounds // stretch)
    return kernel_rounds.play_chunk(job, chunk, rounds).shoes


def replay_shoe(
    job: Job, chunk: int, shoe: int, *, rounds: int, ramp: BetRamp | None = None
) -> tuple[SimulatedRound, ...]:
    """Replay a shoe at the table; the run has the first `rounds` rounds of its chunk."""
    if job.engine is Engine.TABLE:
        return _replay_table(job, chunk, shoe, rounds, ramp)
    shoes = count_shoes(job, chunk, rounds)
    if not 0 <= shoe < shoes:
        raise _no_shoe(chunk, shoe, shoes)
    recorded = _record(job, chunk, shoe, rounds=rounds, is_last=shoe == shoes - 1)
    return tuple(_replay_recorded(job, chunk, recorded, ramp))


def choose_round(replayed: Sequence[SimulatedRound], number: int) -> SimulatedRound:
    """Return one round of a shoe."""
    if not 1 <= number <= len(replayed):
        msg = f"there is no round {number}: this shoe has {len(replayed)}, 1 to {len(replayed)}"
        raise RulesError(msg)
    return replayed[number - 1]


def _stretch(job: Job) -> int | None:
    """Return how many rounds are one shoe; None if it depends on the cards."""
    is_fresh = job.rules.shuffle is Shuffle.EVERY_ROUND
    # The kernel draws the cards of an infinite deck in batches, and plays until one runs out.
    if is_fresh and not (job.engine is Engine.KERNEL and job.rules.is_infinite):
        return ROUNDS_A_FRESH_SHOE
    return None


def _no_shoe(chunk: int, shoe: int, shoes: int) -> RulesError:
    return RulesError(f"there is no shoe {shoe}: chunk {chunk} has {_list(shoes, 'shoe')}")


def _list(number: int, what: str) -> str:
    return f"1 {what}, number 0" if number == 1 else f"{number:,} {what}s, 0 to {number - 1}"


def _record(
    job: Job, chunk: int, shoe: int, *, rounds: int, is_last: bool
) -> tuple[KernelRound, ...]:
    if (stretch := _stretch(job)) is not None:
        return record_shoe(job, chunk, shoe, rounds=min(stretch, rounds - shoe * stretch))
    most = 1024 if job.rules.is_infinite else job.rules.full_shoe.size
    whole = record_shoe(job, chunk, shoe, rounds=most // (_LEAST_CARDS - 1 + job.spots) + 1)
    if not is_last:
        return whole
    # The chunk may end in the middle of its last shoe: find the round that started it.
    low, high = max(rounds - len(whole), 0), rounds
    while high - low > 1:
        middle = (low + high) // 2
        if count_shoes(job, chunk, middle) > shoe:
            high = middle
        else:
            low = middle
    return whole[: rounds - low]


def _replay_recorded(
    job: Job, chunk: int, recorded: Sequence[KernelRound], ramp: BetRamp | None
) -> Iterator[SimulatedRound]:
    table = Table(job.rules)
    steps: list[Step] = []
    table.listeners.append(steps.append)
    seat = SimulatedSeat(job, table, random.Random(0))  # a chart draws no random numbers
    is_fresh = job.rules.shuffle is Shuffle.EVERY_ROUND
    for one in recorded:
        steps.clear()
        where = f"round {one.number} of shoe {one.shoe} in chunk {chunk}"
        is_new_shoe = one.number == 1 or is_fresh
        shuffled = Shuffled(job.rules.full_shoe.size)
        if is_new_shoe and seat.counter is not None:
            # The kernel shuffles before the bet, so the count must see it first.
            seat.counter.hear(shuffled)
        if is_new_shoe and not job.rules.is_infinite:
            steps.append(shuffled)
        table.shoe = shoe = ScriptedShoe(one.cards)
        try:
            played = seat.play(
                one.shoe, dealt=one.dealt, is_new_shoe=is_new_shoe, ramp=ramp, steps=steps
            )
        except EmptyShoeError:
            raise _mismatch(where, "dealt", f"only {len(one.cards)} cards", "more") from None
        _compare(job, one, played, steps, where)
        if shoe.cards_left:
            raise _mismatch(where, "dealt", f"{len(one.cards)} cards", "fewer")
        yield replace(played, number=one.number, steps=tuple(steps))


def _compare(
    job: Job, one: KernelRound, played: SimulatedRound, steps: Sequence[Step], where: str
) -> None:
    unit = lower(job).game.unit
    state = played.state
    stake = state.hands[0].initial_bet
    answers = [step[:3] for step in steps if isinstance(step, Decision)]
    hands = [
        (hand.spot, hand.stake / stake, net / stake)
        for hand, (_, net) in zip(state.hands, state.results, strict=True)
    ]
    insurance_net = Fraction(one.insurance_net, unit)
    for what, theirs, ours in (
        ("count before the deal", one.count, played.count),
        ("seat", one.is_seated, played.is_seated),
        ("decisions", [answer[:3] for answer in one.answers], answers),
        ("hands", [(hand.spot, hand.bets, Fraction(hand.net, unit)) for hand in one.hands], hands),
        ("insurance", insurance_net, state.insurance.net / stake),
        ("net", Fraction(one.net, unit), (state.net - state.side.net) / stake),
        ("side bets", _placed(one, state.side), _tell_side(state.side)),
        ("bets added", Fraction(one.added, 2), played.added / stake),
    ):
        if theirs != ours:
            raise _mismatch(where, f"had as {what}", _write(theirs), _write(ours))


def _tell_side(side: SideBets) -> list[tuple[int, str, str, Fraction]]:
    """Return the side bets that were settled as `KernelRound.side` has them, in order."""
    return sorted(
        (one.spot, one.code, _order(one.row), one.net / one.stake) for one in side.results
    )


def _order(row: str) -> str:
    """Order the names of the rows that a bet on several cards was paid by."""
    return " and ".join(sorted(row.split(" and ")))


def _placed(one: KernelRound, side: SideBets) -> list[tuple[int, str, str, Fraction]]:
    """Return the side bets of a logged round that were placed at the table, in order."""
    placed = {(spot, code) for spot, bets in enumerate(side.stakes) for code, _ in bets}
    return sorted(
        (spot, code, _order(row), net)
        for spot, code, row, net in one.side
        if (spot, code) in placed
    )


def _mismatch(where: str, what: str, theirs: str, ours: str) -> ReplayMismatchError:
    msg = (
        f"in {where} the simulator {what} {theirs}, the table {ours}: this is a bug in upcard."
        " Please report it, with the run's file"
    )
    return ReplayMismatchError(msg)


def _write(value: object) -> str:
    if isinstance(value, list):
        return ", ".join("/".join(map(str, item)) for item in value) or "none"
    return str(value)


def _replay_table(
    job: Job, chunk: int, shoe: int, rounds: int, ramp: BetRamp | None
) -> tuple[SimulatedRound, ...]:
    """Replay a chunk of the table engine, from its start to the end of a shoe."""
    stretch = _stretch(job)
    game = TableGame(job, chunk)
    steps: list[Step] = []
    game.table.listeners.append(steps.append)
    found: list[SimulatedRound] = []
    number = last = 0
    for index in range(rounds):
        steps.clear()
        played = game.play(ramp, steps)
        here = played.shoe if stretch is None else index // stretch
        number = number + 1 if here == last else 1
        last = here
        if here > shoe:
            return tuple(found)
        if here == shoe:
            found.append(replace(played, number=number, steps=tuple(steps)))
    if not found:
        raise _no_shoe(chunk, shoe, last + 1)
    return tuple(found)
