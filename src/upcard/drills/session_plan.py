"""The plan of a session as in a casino, and its judged answers: what needs no simulator."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from upcard.core.fields import FieldClashError
from upcard.drills.drill import NumberPrompt
from upcard.players.seen_cards import countable_decks

if TYPE_CHECKING:
    from fractions import Fraction

    from upcard.rules.model import Rules
    from upcard.strategy.count_system import CountSystem
    from upcard.strategy.deviations import Deviations
    from upcard.strategy.ramp import BetRamp

READY: Final = "ready"
"""The drill of whole sessions; its module needs the simulator, and is imported when it begins."""
ROUNDS: Final = 200
"""Rounds of a session."""
DEFAULT_BANK: Final = 1000
"""Units of the bankroll by default."""
_WHO: Final = "session of ready"


class Asked(StrEnum):
    """Kinds of questions, as the report counts them."""

    TALK = "talk"
    """A question of the dealer near the count: a sum, a price, the time."""
    COUNT = "running count"
    BET = "bet"
    INSURANCE = "insurance"
    INDEX = "index play"
    """A play where the count changes the chart's answer."""
    CHART = "chart play"


class Judged(NamedTuple):
    """An answer of a session."""

    text: str
    round: int
    asked: Asked
    grade: str
    cost: float
    """In units."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetweenPrompt(NumberPrompt):
    """A question between two rounds: the bet, or the running count."""

    round: int
    rounds: int
    out: int
    """The number of cards in the tray."""
    shoe: int
    """The number of cards in all."""
    is_fresh: bool
    """Whether the cards are shuffled."""
    seed: int | None = None
    """Of the session that the question begins; None for a later question."""

    @property
    def ask(self) -> str:
        """The bet, or the count."""
        is_bet = self.item == Asked.BET
        return "How many units do you bet?" if is_bet else "What is the running count?"

    def write(self, rules: Rules) -> str:
        """Write the round, and what the tray shows."""
        del rules
        tray = f"{self.out} of {self.shoe} cards are in the tray"
        tray = "the cards are shuffled" if self.is_fresh else tray
        is_bet = self.item == Asked.BET
        asked = "your bet, in units?" if is_bet else f"the running count ({self.system})?"
        return f"round {self.round} of {self.rounds}, {tray}: {asked}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkPrompt(NumberPrompt):
    """A question of the dealer."""

    words: str
    short: ClassVar[str] = "What do you say?"

    def write(self, rules: Rules) -> str:
        """Write the dealer's words."""
        del rules
        return self.words


def read_judged(saved: Sequence[Any]) -> Judged:
    """Read a saved answer. Raises: ValueError or TypeError for anything else."""
    text, number, asked, grade, cost = saved
    return Judged(str(text), int(number), Asked(asked), str(grade), float(cost))


def make_talk(running: Fraction, rng: random.Random) -> tuple[str, int]:
    """Return a question of the dealer with numbers near the running count, and its answer."""
    near, other = max(abs(int(running)) + rng.randint(-1, 2), 1), rng.randint(2, 6)
    hour, minute = rng.randint(1, 12), 5 * rng.randint(1, 5)
    both = near + other
    time = f"It is {hour}:{minute:02d}, and I am off in {both} minutes."
    return rng.choice(
        (
            (f"My son asks what {near} plus {other} is. What is it?", both),
            (f"A drink is {near}, and {other} for the waiter. How much is that?", both),
            (f"{time} How many minutes past the hour is that?", (minute + both) % 60),
        )
    )


def name_session(
    rules: Rules, system: CountSystem, deviations: Deviations, ramp: BetRamp, *, talks: bool
) -> str:
    """Return the subject of a session, under which it is saved."""
    return f"{rules} {system} {deviations.name} {ramp}{' talk' if talks else ''}"


def refuse_session(rules: Rules, system: CountSystem, ramp: BetRamp) -> None:
    """Refuse what cannot be counted at a table, and ramps that do not bet every round."""
    countable_decks(rules, system)
    if ramp.side:
        raise FieldClashError(f"{{ramp}} {ramp}: a session bets on hands alone, without side bets")
    if not min(ramp.bets):
        msg = f"{{ramp}} {ramp}: you sit alone at the table, so every round needs a bet"
        raise FieldClashError(msg)
