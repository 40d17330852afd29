"""Drills of counting: countdown, running count, true count, decks left, the bet; for any system.

Mistakes here have no exact price: the cost of an answer is its distance from the right one, and
items are chosen by error rate alone.
"""

import random
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from math import floor
from typing import Final

from upcard.core.cards import Card
from upcard.core.errors import UnsupportedRuleError
from upcard.core.numbers import exact_number
from upcard.drills.drill import DrillError, Feedback, Item, Prompt
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


_UNITS: Final = {CountingKind.DECKS: "decks off", CountingKind.BET: "units off"}


def refuse_infinite(rules: Rules, drill: str) -> None:
    """Refuse an infinite deck to a drill of counting."""
    if rules.is_infinite:
        reason = "cards that never run out leave nothing to count"
        raise UnsupportedRuleError(drill, "INF", reason)


class CountingDrill:
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
        self.about = f"{system} {self.shoe}"
        if self.kind is CountingKind.BET:
            self.about += f" {ramp}"
        self.unit = _UNITS.get(self.kind, "counts off")
        """The unit of mistakes."""
        sizes = tuple(self._sizes())
        self._items = tuple(
            Item(key=f"{self.kind} {size}", frequency=1 / len(sizes), cost=1.0) for size in sizes
        )
        self._by_key = dict(zip((item.key for item in self._items), sizes, strict=True))

    def items(self) -> tuple[Item, ...]:
        """Return the items of the drill, all with the same frequency."""
        return self._items

    def ask(self, item: str, rng: random.Random) -> Prompt:
        """Create a question of a size."""
        if item not in self._by_key:
            raise DrillError(f"no item is called {item!r} in this drill")
        ask = {
            CountingKind.COUNTDOWN: self._ask_countdown,
            CountingKind.RUNNING: self._ask_running,
            CountingKind.TRUE: self._ask_true,
            CountingKind.DECKS: self._ask_decks,
            CountingKind.BET: self._ask_bet,
        }[self.kind]
        return ask(Prompt(item=item, drill=self.name), self._by_key[item], rng)

    def check(self, prompt: Prompt, answer: str) -> Feedback:
        """Judge a number, written as a whole number, a decimal or a fraction."""
        given = exact_number(answer.strip().removeprefix("+"))
        if given is None:
            raise DrillError(f"{answer!r} is not an answer: write a number, such as 3, -1.5 or 1/2")
        right: tuple[Fraction, ...] = prompt.fact("right")
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

    def _ask_countdown(self, blank: Prompt, size: Fraction, rng: random.Random) -> Prompt:
        deck = list(self.system.deck.cards)
        rng.shuffle(deck)
        shown = tuple(deck[:-1])  # one card stays hidden: otherwise the count would always be 0
        groups = tuple(shown[at : at + int(size)] for at in range(0, len(shown), int(size)))
        data = self._count_up(shown, self.system.initial_count(1), decks=1)
        return replace(blank, cards=shown, groups=groups, data=data)

    def _ask_running(self, blank: Prompt, size: Fraction, rng: random.Random) -> Prompt:
        shoe = list(self.shoe.cards)
        rng.shuffle(shoe)
        start = self.system.initial_count(self.decks) + rng.randint(-6, 6)
        cards = tuple(shoe[: int(size)])
        groups: list[tuple[Card, ...]] = []
        at = 0
        while at < len(cards):
            groups.append(cards[at : at + rng.choice((2, 3, 4))])
            at += len(groups[-1])
        data = self._count_up(cards, start, decks=self.decks)
        return replace(blank, cards=cards, groups=tuple(groups), data=data)

    def _count_up(
        self, cards: tuple[Card, ...], start: Fraction, *, decks: int
    ) -> tuple[tuple[str, object], ...]:
        count = RunningCount(self.system, decks)
        for card in cards:
            count.see(card)
        end = start + count.running - self.system.initial_count(decks)
        return (("right", (end,)), ("system", str(self.system)), ("start", start))

    def _ask_true(self, blank: Prompt, decks_left: Fraction, rng: random.Random) -> Prompt:
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
        data = (
            ("right", (Fraction(right),)),
            ("system", str(self.system)),
            ("cards_left", cards_left),
            ("deck_size", self.shoe.deck_size),
            ("running", running),
            ("decks", self.system.estimate_decks(cards_left)),
            ("rounding", self.system.rounding),
        )
        return replace(blank, data=data)

    def _ask_decks(self, blank: Prompt, decks_left: Fraction, rng: random.Random) -> Prompt:
        cards_left = int(decks_left * self.shoe.deck_size) + rng.randint(-12, 12)
        discards = self.shoe.size - cards_left
        halves = Fraction(2 * cards_left, self.shoe.deck_size)
        below = halves.numerator // halves.denominator
        nearest = [
            _HALF * half
            for half in (below, below + 1)
            if abs(halves - half) == min(halves - below, below + 1 - halves)
        ]
        data = (
            ("right", tuple(max(one, _HALF) for one in nearest)),
            ("decks", self.decks),
            ("deck_size", self.shoe.deck_size),
            ("discards", discards),
        )
        return replace(blank, data=data)

    def _ask_bet(self, blank: Prompt, count: Fraction, _: random.Random) -> Prompt:
        if self.ramp is None:
            raise DrillError("a drill of bets needs a ramp")
        right = (self.ramp.bet(int(count)),)
        data = (("right", right), ("system", str(self.system)), ("count", int(count)))
        return replace(blank, data=data)


def write_number(number: Fraction) -> str:
    """Write a count in short form: `3`, `-1`, `2.5`."""
    return str(number.numerator) if number.denominator == 1 else f"{float(number):g}"
