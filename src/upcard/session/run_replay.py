"""Rounds of a simulated run in words and as JSON, replayed at the table."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from upcard.core.cards import Card, rank_name
from upcard.core.numbers import fields_of, format_chips, signed, to_json
from upcard.session import narration, review
from upcard.simulation.job import Engine, Job
from upcard.simulation.run_rounds import choose_round, count_rounds, count_shoes, replay_shoe
from upcard.simulation.run_state import Run, restore_run
from upcard.simulation.table_engine import Decision, SimulatedRound, Step
from upcard.strategy.ramp import BetRamp


@dataclass(frozen=True, slots=True, kw_only=True)
class RunShoe:
    """A shoe of a run: its place, its rounds, and the format of their cards and decisions."""

    job: Job
    ramp: BetRamp | None
    chunk: int
    shoe: int
    rounds: tuple[SimulatedRound, ...]

    @property
    def counts(self) -> bool:
        """Whether the run counts."""
        return self.job.system is not None

    @property
    def check(self) -> str:
        """The meaning of the replay."""
        if self.job.engine is Engine.KERNEL:
            return "the table reached the same count, decisions and payments as the simulator"
        return "the table engine played this run; it has been dealt again from the run's seed"

    def choose(self, number: int) -> SimulatedRound:
        """Return a round by its number, from 1. Raises: RulesError."""
        return choose_round(self.rounds, number)

    def describe(self) -> str:
        """Write the place of the shoe."""
        return f"{self.shoe}, chunk {self.chunk}, seed {self.job.seed}"

    def name(self, card: Card) -> str:
        """Write a card: the kernel's have no suit, unless red and black sevens differ."""
        system = self.job.system
        has_suit = card.rank == 7 and system is not None and system.red_7 is not None
        has_suit = has_suit or self.job.engine is Engine.TABLE
        return str(card) if has_suit else rank_name(card.rank)

    def list_columns(self) -> tuple[str, ...]:
        """Return the names of the columns of `list_round`."""
        return ("round", "dealt", *(("count",) if self.counts else ()), "bet", "net", "cards")

    def list_round(self, one: SimulatedRound) -> tuple[str, ...]:
        """Return a round as a row of texts."""
        return (
            str(one.number),
            str(one.dealt),
            *((signed(Fraction(one.count)),) if self.counts else ()),
            format_chips(one.bet) if one.bet else "out",
            signed(one.net) if one.bet else "",
            "".join(rank_name(card.rank) for card in one.cards),
        )

    def describe_round(self, one: SimulatedRound) -> Iterator[tuple[str, str]]:
        """Iterate over what was known before the deal and the bet, a topic and a text each."""
        before = f"{one.dealt} cards dealt"
        if one.running is not None:
            running, count = Fraction(one.running), Fraction(one.count)
            before += f", running count {signed(running)}, count {signed(count)}"
        yield "Before the deal", before
        yield "Bet", self._describe_bet(one)

    def _describe_bet(self, one: SimulatedRound) -> str:
        spots = "" if self.job.spots == 1 else f" on each of {self.job.spots} spots"
        if not (one.is_seated and one.bet):
            why = "the ramp sits this count out" if one.is_seated else "not seated at this count"
            return f"none: {why}; others play for one unit{spots}"
        ramp = "" if self.ramp is None else f", by the ramp {self.ramp}"
        unit = "unit" if one.bet == 1 else "units"
        return f"{format_chips(one.bet)} {unit}{spots}{ramp}"

    def tell(self, one: SimulatedRound) -> Iterator[tuple[str, str]]:
        """Iterate over the events and decisions of a round: who, and what."""
        narrator = self._narrate()
        for step in one.steps:
            who, text = self._describe_step(step, narrator)
            if text:
                yield who, text

    def _describe_step(self, step: Step, narrator: narration.Narrator) -> tuple[str, str]:
        if not isinstance(step, Decision):
            message = narrator.hear(step)
            return message.seat, message.brief
        board = narrator.board
        hand = board.hands[step.hand]
        shown = self._write(card for card in board.dealer if card is not None)
        against = f" against {shown}" if shown else ""
        asked = f"{self._write(hand)} ({board.totals[step.hand]}){against}"
        who = "as the chart" if self.job.player is None else f"player {self.job.player}"
        reason = f"{step.action}, {who}" if step.reason is None else str(step.reason)
        return f"hand {step.hand + 1}", f"{asked}: {reason}"

    def _write(self, cards: Iterable[Card]) -> str:
        return " ".join(map(self.name, cards))

    def _narrate(self) -> narration.Narrator:
        return narration.Narrator(self.job.rules, write_card=self.name)

    def describe_net(self, one: SimulatedRound) -> str:
        """Write what a round won."""
        return f"{signed(one.net)} units" if one.bet else "0: sat out"

    def to_json(self, rounds: Sequence[SimulatedRound], *, is_whole: bool) -> dict[str, Any]:
        """Return rounds of the shoe as an object; `is_whole` adds their steps and hands."""
        plain: dict[str, Any] = to_json(
            {
                "rules": str(self.job.rules),
                "seed": self.job.seed,
                "chunk": self.chunk,
                "shoe": self.shoe,
                "engine": str(self.job.engine),
                "ramp": None if self.ramp is None else str(self.ramp),
                "rounds": [self._round_to_json(one, is_whole=is_whole) for one in rounds],
            }
        )
        return plain

    def _round_to_json(self, one: SimulatedRound, *, is_whole: bool) -> dict[str, Any]:
        document: dict[str, Any] = {
            "round": one.number,
            **fields_of(one, "dealt", "running"),
            "count": one.count if self.counts else None,
            "seated": one.is_seated,
            **fields_of(one, "bet", "net"),
            "cards": [self.name(card) for card in one.cards],
        }
        if is_whole:
            narrator = self._narrate()
            document["steps"] = [_step_to_json(step, narrator) for step in one.steps]
            document |= review.write_hands(one.state, write_card=self.name)
        return document


def _step_to_json(step: Step, narrator: narration.Narrator) -> dict[str, Any]:
    if not isinstance(step, Decision):
        return narrator.hear(step).to_json()
    asked: dict[str, Any] = {"type": "decision", **fields_of(step, "phase", "hand", "action")}
    if (reason := step.reason) is not None:
        asked |= {
            **fields_of(reason, "running", "count", "cards_left"),
            "deviation": None if reason.deviation is None else str(reason.deviation),
            "insurance_index": reason.insurance,
        }
    return asked


def replay_run(state: Run, chunk: int, shoe: int) -> RunShoe:
    """Replay a shoe of a run."""
    job, ramp = state.job, state.own_ramp
    rounds = replay_shoe(job, chunk, shoe, rounds=count_rounds(state, chunk), ramp=ramp)
    return RunShoe(job=job, ramp=ramp, chunk=chunk, shoe=shoe, rounds=rounds)


def replay_file(document: dict[str, Any], chunk: int, shoe: int) -> tuple[RunShoe, bool]:
    """Replay a shoe of a run; return whether the chunk is known to have another one."""
    state = restore_run(document)
    found = replay_run(state, chunk, shoe)
    if state.job.engine is Engine.TABLE:  # counting them would play the whole chunk
        return found, False
    return found, shoe + 1 < count_shoes(state.job, chunk, count_rounds(state, chunk))
