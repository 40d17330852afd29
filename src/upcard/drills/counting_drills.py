"""Drills of counting: countdown, running count, true count, decks left, the bet; for any system.

Mistakes here have no exact price: the cost of an answer is its distance from the right one, and
items are chosen by error rate alone.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import partial
from math import floor
from typing import ClassVar, Final

from upcard.core.cards import Card
from upcard.core.errors import UnsupportedRuleError
from upcard.core.figure import Figure, make_figure
from upcard.core.numbers import with_minus
from upcard.drills.drill import (
    Drill,
    DrillEntry,
    DrillError,
    Feedback,
    InputKind,
    Item,
    NumberPrompt,
    read_number,
)
from upcard.rules.deck import DECK_SIZE
from upcard.rules.model import Rules
from upcard.strategy.count_system import CountBy, CountSystem, RunningCount
from upcard.strategy.ramp import BetRamp

_WHO: Final = "drill of counting"
GROUPS: Final = (1, 2, 3)
"""The number of cards of a countdown shown at a time."""
_LENGTHS: Final = (8, 16, 24, 32)
_BEYOND_RAMP: Final = 2
_MOST_TRUE: Final = 8
"""Larger true counts are not asked: they are too rare."""
_HALF: Final = Fraction(1, 2)


class CountingKind(StrEnum):
    """The parts of counting that are drilled."""

    COUNTDOWN = "countdown"
    """A deck shown in groups of one, two or three cards: the count at the end."""
    RUNNING = "running count"
    """Cards from a shoe on top of a count: the count after them."""
    TRUE = "true count"
    """A running count and the decks left: the count that decides."""
    DECKS = "deck estimation"
    """A discard tray: the decks left, to a half."""
    BET = "bet"
    """A count: the bet by the ramp."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningPrompt(NumberPrompt):
    """Cards on top of a running count: the count after them."""

    start: Fraction
    short: ClassVar[str] = "What is the running count?"

    def write(self, rules: Rules) -> str:
        """Write the count to begin with."""
        del rules
        return f"{self.system}: the running count is {write_number(self.start)}; count on"

    def explain(self, feedback: Feedback) -> str:
        """Say what the cards add up to."""
        del feedback
        moved, start = write_number(self.right[0] - self.start), write_number(self.start)
        return f"The cards add up to {moved}: from {start} to {write_number(self.right[0])}."


@dataclass(frozen=True, slots=True, kw_only=True)
class CountdownPrompt(RunningPrompt):
    """A deck but for one card: the count at its end."""

    short: ClassVar[str] = "What is the count?"

    @property
    def shows(self) -> str:
        """The cards, and how many at a time."""
        return f"{len(self.cards)} cards {_AT_A_TIME[len(self.groups[0])]}"

    def write(self, rules: Rules) -> str:
        """Write the cards, and the count to begin with."""
        del rules
        start = write_number(self.start)
        return f"{self.system}: count {len(self.cards)} cards of one deck from {start}"


_AT_A_TIME: Final = {1: "one by one", 2: "by twos", 3: "by threes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TruePrompt(NumberPrompt):
    """A running count and the cards left: the true count."""

    running: Fraction
    cards_left: int
    deck_size: int
    decks: Fraction
    """The decks left as the system estimates them."""
    rounding: str
    short: ClassVar[str] = "What is the true count?"

    @property
    def facts(self) -> tuple[Figure, ...]:
        """The running count, and what is left."""
        running, cards = self.running, self.cards_left
        text, decks = with_minus(write_number(running)), cards / self.deck_size
        return (
            make_figure("running", "Running count", float(running), text),
            make_figure("cards_left", "Cards left", float(cards), str(cards)),
            make_figure("decks_left", "Decks left", decks, f"{decks:.2f}"),
        )

    def write(self, rules: Rules) -> str:
        """Write the running count, and what is left."""
        del rules
        running, left = write_number(self.running), self.cards_left
        return (
            f"{self.system}: running count {running}, {left} cards left"
            f" ({left / self.deck_size:.2f} decks); the true count?"
        )

    def explain(self, feedback: Feedback) -> str:
        """Divide, and round."""
        del feedback
        running, decks = self.running, self.decks
        return (
            f"{write_number(running)} over {float(decks):.3g} decks is"
            f" {float(running / decks):+.2f}; {self.rounding}: {int(self.right[0]):+d}."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DecksPrompt(NumberPrompt):
    """A discard tray: the decks left."""

    decks: int
    """The decks of the shoe."""
    deck_size: int
    discards: int
    short: ClassVar[str] = "How many decks are left?"

    def write(self, rules: Rules) -> str:
        """Write the shoe whose tray is drawn."""
        del rules
        shoe, size = f"{self.decks}-deck shoe", self.deck_size
        shoe += "" if size == DECK_SIZE else f" of {size} cards a deck"
        return f"the discard tray of a {shoe}: decks left, to a half?"

    def write_undrawn(self, rules: Rules) -> str:
        """Write how many cards are in the tray."""
        return f"{self.discards} cards are in {self.write(rules)}"

    def explain(self, feedback: Feedback) -> str:
        """Count what is out and what is left."""
        del feedback
        left = self.deck_size * self.decks - self.discards
        decks = f"{left / self.deck_size:.2f} decks"
        return f"{self.discards} cards are out, {left} are left: {decks}."


@dataclass(frozen=True, slots=True, kw_only=True)
class BetPrompt(NumberPrompt):
    """A count: the bet."""

    count: int
    short: ClassVar[str] = "How many units do you bet?"

    def write(self, rules: Rules) -> str:
        """Write the count."""
        del rules
        return f"{self.at}: how many units?"

    def explain(self, feedback: Feedback) -> str:
        """Say what the ramp says."""
        del feedback
        (bet,) = self.right
        what = f"bet {write_number(bet)}" if bet else "sit the round out"
        return f"At {self.count:+d} the ramp says: {what}."


_UNITS: Final = {CountingKind.DECKS: "decks off", CountingKind.BET: "units off"}


def refuse_infinite(rules: Rules, drill: str) -> None:
    """Refuse an infinite deck to a drill of counting."""
    if rules.is_infinite:
        reason = "cards that never run out leave nothing to count"
        raise UnsupportedRuleError(drill, "INF", reason)


class CountingDrill(Drill[NumberPrompt]):
    """Asks for one kind of counting. Items are its sizes: groups, lengths, decks left, counts.

    A countdown asks for all its sizes in turn, or with `group` for that one alone.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        kind: CountingKind | str,
        system: CountSystem,
        ramp: BetRamp | None = None,
        group: int | None = None,
    ) -> None:
        refuse_infinite(rules, _WHO)
        if kind not in list(CountingKind):
            msg = f"no drill of counting is called {kind!r}: one of {', '.join(CountingKind)}"
            raise DrillError(msg)
        self.kind = CountingKind(kind)
        if self.kind is not CountingKind.DECKS:
            system.require_deck(rules)
        if self.kind is CountingKind.TRUE and system.by is CountBy.RUNNING:
            msg = f"{system} decides by the running count: it has no true count to drill"
            raise DrillError(msg)
        if self.kind is CountingKind.BET and ramp is None:
            raise DrillError("a drill of bets needs a ramp, such as 1-8")
        if group is not None and group not in GROUPS:
            raise DrillError(f"cards are shown in groups of 1, 2 or 3, not of {group}")
        self.shoe = rules.full_shoe
        self.decks = self.shoe.decks
        self.system = system
        self.ramp = ramp
        self.group = group
        self.name = str(self.kind)
        self.is_timed = self.kind is CountingKind.COUNTDOWN
        self.about = f"{system} {self.shoe}"
        if self.kind is CountingKind.BET:
            self.about += f" {ramp}"
        self.unit = _UNITS.get(self.kind, "counts off")
        sizes = tuple(self._sizes())
        self._items = tuple(
            Item(key=f"{self.kind} {size}", frequency=1 / len(sizes), cost=1.0) for size in sizes
        )
        self._by_key = dict(zip((item.key for item in self._items), sizes, strict=True))

    def items(self) -> tuple[Item, ...]:
        """Return the items of the drill, all with the same frequency."""
        return self._items

    def ask(self, item: str, rng: random.Random) -> NumberPrompt:
        """Create a question of a size."""
        if item not in self._by_key:
            raise DrillError(f"no item is called {item!r} in this drill")
        asks: dict[CountingKind, Callable[[str, Fraction, random.Random], NumberPrompt]] = {
            CountingKind.COUNTDOWN: self._ask_countdown,
            CountingKind.RUNNING: self._ask_running,
            CountingKind.TRUE: self._ask_true,
            CountingKind.DECKS: self._ask_decks,
            CountingKind.BET: self._ask_bet,
        }
        return asks[self.kind](item, self._by_key[item], rng)

    def check(self, prompt: NumberPrompt, answer: str) -> Feedback:
        """Judge a number, written as a whole number, a decimal or a fraction."""
        given, right = read_number(answer), prompt.right
        off = min(abs(given - one) for one in right)
        return Feedback(
            is_right=not off,
            answer=answer.strip(),
            right=" or ".join(map(write_number, right)),
            cost=float(off),
            unit=self.unit,
        )

    def _sizes(self) -> tuple[Fraction, ...]:
        """Return the sizes of the kind: groups, cards, decks left or counts."""
        match self.kind:
            case CountingKind.COUNTDOWN:
                return tuple(map(Fraction, GROUPS if self.group is None else (self.group,)))
            case CountingKind.RUNNING:
                return tuple(Fraction(one) for one in _LENGTHS if one <= self.shoe.size)
            case CountingKind.TRUE | CountingKind.DECKS:
                return tuple(_HALF * half for half in range(1, 2 * self.decks))
            case CountingKind.BET:
                if self.ramp is None:
                    return ()
                least, end = self.ramp.least, self.ramp.least + len(self.ramp.bets)
                return tuple(map(Fraction, range(least - _BEYOND_RAMP, end + _BEYOND_RAMP)))

    def _ask_countdown(self, item: str, size: Fraction, rng: random.Random) -> NumberPrompt:
        deck = list(self.system.deck.cards)
        rng.shuffle(deck)
        shown = tuple(deck[:-1])  # one card stays hidden: otherwise the count would always be 0
        groups = tuple(shown[at : at + int(size)] for at in range(0, len(shown), int(size)))
        start = self.system.initial_count(1)
        return CountdownPrompt(
            item=item,
            cards=shown,
            groups=groups,
            system=str(self.system),
            start=start,
            right=self._count_up(shown, start, decks=1),
        )

    def _ask_running(self, item: str, size: Fraction, rng: random.Random) -> NumberPrompt:
        shoe = list(self.shoe.cards)
        rng.shuffle(shoe)
        start = self.system.initial_count(self.decks) + rng.randint(-6, 6)
        cards = tuple(shoe[: int(size)])
        groups: list[tuple[Card, ...]] = []
        at = 0
        while at < len(cards):
            groups.append(cards[at : at + rng.choice((2, 3, 4))])
            at += len(groups[-1])
        return RunningPrompt(
            item=item,
            cards=cards,
            groups=tuple(groups),
            system=str(self.system),
            start=start,
            right=self._count_up(cards, start, decks=self.decks),
        )

    def _count_up(self, cards: tuple[Card, ...], start: Fraction, *, decks: int) -> tuple[Fraction]:
        count = RunningCount(self.system, decks)
        for card in cards:
            count.see(card)
        return (start + count.running - self.system.initial_count(decks),)

    def _ask_true(self, item: str, decks_left: Fraction, rng: random.Random) -> NumberPrompt:
        while True:
            # Around the size by up to a quarter of a deck, so that the estimate matters.
            cards_left = max(int(decks_left * self.shoe.deck_size) + rng.randint(-12, 12), 1)
            most = max(2, round(_MOST_TRUE * decks_left))
            running = Fraction(rng.randint(-most, most))
            # The decks left, which the question shows to two decimals, must be exact enough.
            decks = Fraction(cards_left, self.shoe.deck_size)
            exact, shown = running / decks, running / Fraction(f"{float(decks):.2f}")
            if all(floor(exact + shift) == floor(shown + shift) for shift in (0, _HALF)):
                break
        right = self.system.convert(running, cards_left)
        return TruePrompt(
            item=item,
            right=(Fraction(right),),
            system=str(self.system),
            cards_left=cards_left,
            deck_size=self.shoe.deck_size,
            running=running,
            decks=self.system.estimate_decks(cards_left),
            rounding=self.system.rounding,
        )

    def _ask_decks(self, item: str, decks_left: Fraction, rng: random.Random) -> NumberPrompt:
        cards_left = int(decks_left * self.shoe.deck_size) + rng.randint(-12, 12)
        discards = self.shoe.size - cards_left
        halves = Fraction(2 * cards_left, self.shoe.deck_size)
        below = halves.numerator // halves.denominator
        nearest = [
            _HALF * half
            for half in (below, below + 1)
            if abs(halves - half) == min(halves - below, below + 1 - halves)
        ]
        return DecksPrompt(
            item=item,
            right=tuple(max(one, _HALF) for one in nearest),
            decks=self.decks,
            deck_size=self.shoe.deck_size,
            discards=discards,
        )

    def _ask_bet(self, item: str, count: Fraction, _: random.Random) -> NumberPrompt:
        if self.ramp is None:
            raise DrillError("a drill of bets needs a ramp")
        right = (self.ramp.bet(int(count)),)
        return BetPrompt(item=item, right=right, system=str(self.system), count=int(count))


def write_number(number: Fraction) -> str:
    """Write a count in short form: `3`, `-1`, `2.5`."""
    return str(number.numerator) if number.denominator == 1 else f"{float(number):g}"


ENTRIES: Final = (
    DrillEntry(
        name=CountingKind.COUNTDOWN,
        about="A deck against the clock, by one, two or three cards",
        explanation=(
            "Count a deck down against the clock. One card stays hidden, so the count at the end is"
            " not known beforehand. The time runs from the first cards to Enter; the best time of"
            " each group size is saved, of right answers only."
        ),
        make=partial(CountingDrill, kind=CountingKind.COUNTDOWN),
        inputs=(InputKind.CARDS, InputKind.NUMBER),
        options={"system": True, "group": False},
        icon="stopwatch",
    ),
    DrillEntry(
        name=CountingKind.RUNNING,
        about="The count after some rounds from a shoe",
        explanation="Count on from the running count, through some rounds from a shoe.",
        make=partial(CountingDrill, kind=CountingKind.RUNNING),
        inputs=(InputKind.CARDS, InputKind.NUMBER),
        options={"system": True},
    ),
    DrillEntry(
        name=CountingKind.TRUE,
        about="Running count and cards left: the count that decides",
        explanation=(
            "Turn the running count into the count that decides, as your system does: the decks"
            " left as it estimates them, rounded as it rounds."
        ),
        make=partial(CountingDrill, kind=CountingKind.TRUE),
        inputs=(InputKind.NUMBER,),
        options={"system": True},
        icon="division",
    ),
    DrillEntry(
        name=CountingKind.DECKS,
        about="A look at the discard tray: how many decks are left",
        explanation=(
            "Look at the tray and say how many decks are left in the shoe, to a half. The single"
            " deck beside it has the same width and scale; the scale changes with every question."
        ),
        make=partial(CountingDrill, kind=CountingKind.DECKS),
        inputs=(InputKind.NUMBER,),
        options={"system": True},
        icon="tray",
    ),
    DrillEntry(
        name=CountingKind.BET,
        about="From the count to the bet, by your ramp",
        explanation="Say what the ramp bets at this count, in units; 0 is to sit the round out.",
        make=partial(CountingDrill, kind=CountingKind.BET),
        inputs=(InputKind.NUMBER,),
        options={"system": True, "ramp": True},
        icon="chips",
    ),
)
