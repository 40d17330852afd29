"""`upcard replay RUN.json`: rounds of a run as a list, or one with reasons for each decision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import click

from upcard.cli.output import describe, echo_heading, echo_json, echo_topic, fields_of
from upcard.core.cards import Card, rank_name
from upcard.core.chip_format import format_chips, signed
from upcard.core.errors import RulesError
from upcard.core.json_values import to_json
from upcard.session.narration import Narrator
from upcard.session.review_json import write_hands
from upcard.simulation.document import load_run_document, naming_file, read_state
from upcard.simulation.job import Job
from upcard.simulation.replaying import choose_round, count_rounds, count_shoes, replay_shoe
from upcard.simulation.state import RunState
from upcard.simulation.table_engine import Decision, SimulatedRound, Step
from upcard.strategy.ramp import BetRamp

_WIDTH = 79


def show_run(
    source: str, *, shoe: int | None, chunk: int, number: int | None, as_json: bool
) -> None:
    """Show a shoe of a run, or one round of it.

    Raises: RulesError for a missing shoe or round; as `load_run_document` and `replay_shoe` do.
    """
    document = load_run_document(source)
    with naming_file(source):
        state = read_state(document)
    place, rounds = _replay(state, chunk, shoe)
    shown = rounds if number is None else (choose_round(rounds, number),)
    if as_json:
        echo_json(_to_json(place, shown, is_whole=number is not None))
    elif number is None:
        _write_list(place, shown)
    else:
        _write_round(place, shown[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Place of rounds in a run, and the format of its cards and decisions."""

    job: Job
    ramp: BetRamp | None
    chunk: int
    shoe: int

    @property
    def counts(self) -> bool:
        return self.job.system is not None

    def describe(self) -> str:
        return f"{self.shoe}, chunk {self.chunk}, seed {self.job.seed}"

    def name(self, card: Card) -> str:
        """Write a card: the kernel's have no suit, unless red and black sevens differ."""
        system = self.job.system
        if self.job.engine == "table" or (
            card.rank == 7 and system is not None and system.red_7 is not None
        ):
            return str(card)
        return rank_name(card.rank)

    def write(self, cards: Iterable[Card]) -> str:
        return " ".join(map(self.name, cards))

    def narrate(self) -> Narrator:
        return Narrator(self.job.rules, write_card=self.name)

    def explain(self, decision: Decision) -> str:
        if decision.reason is not None:
            return str(decision.reason)
        who = "as the chart" if self.job.player is None else f"player {self.job.player}"
        return f"{decision.action}, {who}"


def _replay(
    state: RunState, chunk: int, shoe: int | None
) -> tuple[_Place, tuple[SimulatedRound, ...]]:
    rounds = count_rounds(state, chunk)
    if shoe is None:
        shoes = count_shoes(state.job, chunk, rounds)
        raise RulesError(f"say which shoe of chunk {chunk}: --shoe 0 to --shoe {shoes - 1}")
    place = _Place(job=state.job, ramp=state.ramp, chunk=chunk, shoe=shoe)
    return place, replay_shoe(state.job, chunk, shoe, rounds=rounds, ramp=state.ramp)


def _write_list(place: _Place, rounds: Sequence[SimulatedRound]) -> None:
    echo_heading(describe(place.job.rules))
    echo_topic("Shoe", place.describe())
    echo_topic("Rounds", f"{len(rounds)}; what one of them was like: --round J")
    click.echo()
    names = ("round", "dealt", *(("count",) if place.counts else ()), "bet", "net")
    lines = [(*names, "cards"), *(_list_round(place, one) for one in rounds)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)][:-1]
    for *cells, cards in lines:
        row = "  ".join(f"{cell:>{width}}" for width, cell in zip(widths, cells, strict=True))
        indent = f"  {row}  "
        room = _WIDTH - len(indent)
        for start in range(0, max(len(cards), 1), room):
            click.echo(((" " * len(indent) if start else indent) + cards[start:][:room]).rstrip())


def _list_round(place: _Place, one: SimulatedRound) -> tuple[str, ...]:
    return (
        str(one.number),
        str(one.dealt),
        *((signed(Fraction(one.count)),) if place.counts else ()),
        format_chips(one.bet) if one.bet else "out",
        signed(one.net) if one.bet else "",
        "".join(rank_name(card.rank) for card in one.cards),
    )


def _write_round(place: _Place, one: SimulatedRound) -> None:
    job = place.job
    echo_heading(describe(job.rules))
    echo_topic("Round", f"{one.number} of shoe {place.describe()}")
    before = f"{one.dealt} cards dealt"
    if one.running is not None:
        running, count = Fraction(one.running), Fraction(one.count)
        before += f", running count {signed(running)}, count {signed(count)}"
    echo_topic("Before the deal", before)
    echo_topic("Bet", _describe_bet(place, one))
    click.echo()
    narrator = place.narrate()
    for step in one.steps:
        who, text = _describe_step(place, step, narrator)
        if text:
            echo_topic(f"  {who}", text)
    click.echo()
    echo_topic("Net", f"{signed(one.net)} units" if one.bet else "0: sat out")
    if job.engine == "kernel":
        text = "the table reached the same count, decisions and payments as the simulator"
    else:
        text = "the table engine played this run; it has been dealt again from the run's seed"
    echo_topic("Checked", text)


def _describe_bet(place: _Place, one: SimulatedRound) -> str:
    spots = "" if place.job.spots == 1 else f" on each of {place.job.spots} spots"
    if not one.is_seated:
        return f"none: not seated at this count; others play for one unit{spots}"
    if not one.bet:
        return f"none: the ramp sits this count out; others play for one unit{spots}"
    ramp = "" if place.ramp is None else f", by the ramp {place.ramp}"
    unit = "unit" if one.bet == 1 else "units"
    return f"{format_chips(one.bet)} {unit}{spots}{ramp}"


def _describe_step(place: _Place, step: Step, narrator: Narrator) -> tuple[str, str]:
    if not isinstance(step, Decision):
        message = narrator.hear(step)
        return message.seat, message.brief
    board = narrator.board
    hand = board.hands[step.hand]
    shown = " ".join(place.name(card) for card in board.dealer if card is not None)
    against = f" against {shown}" if shown else ""
    asked = f"{place.write(hand)} ({board.totals[step.hand]}){against}"
    return f"hand {step.hand + 1}", f"{asked}: {place.explain(step)}"


def _to_json(place: _Place, rounds: Sequence[SimulatedRound], *, is_whole: bool) -> dict[str, Any]:
    document = {
        "rules": str(place.job.rules),
        "seed": place.job.seed,
        "chunk": place.chunk,
        "shoe": place.shoe,
        "engine": str(place.job.engine),
        "ramp": None if place.ramp is None else str(place.ramp),
        "rounds": [_round_to_json(place, one, is_whole=is_whole) for one in rounds],
    }
    plain: dict[str, Any] = to_json(document)
    return plain


def _round_to_json(place: _Place, one: SimulatedRound, *, is_whole: bool) -> dict[str, Any]:
    document: dict[str, Any] = {
        "round": one.number,
        **fields_of(one, "dealt", "running"),
        "count": one.count if place.counts else None,
        "seated": one.is_seated,
        "bet": one.bet,
        "net": one.net,
        "cards": [place.name(card) for card in one.cards],
    }
    if is_whole:
        narrator = place.narrate()
        document["steps"] = [_step_to_json(step, narrator) for step in one.steps]
        document |= write_hands(one.state, write_card=place.name)
    return document


def _step_to_json(step: Step, narrator: Narrator) -> dict[str, Any]:
    if isinstance(step, Decision):
        reason = step.reason
        asked = {"type": "decision", **fields_of(step, "phase", "hand", "action")}
        if reason is not None:
            asked |= {
                **fields_of(reason, "running", "count", "cards_left"),
                "deviation": None if reason.deviation is None else str(reason.deviation),
                "insurance_index": reason.insurance,
            }
        return asked
    return narrator.hear(step).to_json()
