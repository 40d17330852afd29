"""The counts of a shoe by every counting system, from the cards that have left it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from upcard.answers.asked.counts import ROUNDED
from upcard.core.cards import Card
from upcard.core.numbers import count_of, fields_of, format_chips, signed, with_minus
from upcard.rules.model import Rules
from upcard.rules.settings import HoleCard
from upcard.strategy import count_system

_RED, _BLACK = "D", "S"


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemCountView:
    """The counts of a shoe by one system.

    Figures are a range where the colours of sevens matter and are not known.
    """

    name: str
    """Name of the system, as fields take it: `hi-lo`."""
    title: str
    """Name of the system for people: `Hi-Lo`."""
    source: str
    """The publication that the system is from."""
    is_balanced: bool
    """Whether the tags of a deck add up to 0."""
    start: str
    """The running count of a full shoe."""
    pivot: str
    """The running count of an empty shoe, the start if balanced."""
    running: str
    """The running count, exact."""
    true_count: float | None
    """The running count per deck left; None if the running count decides."""
    rounded: str
    """How the true count becomes whole."""
    count: str
    """The whole count that decides plays."""
    bet_count: str
    """The whole count that decides bets; differs from `count` with a side count of aces."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeCountsView:
    """The counts of a shoe by every system."""

    cards_seen: int
    cards_left: int
    """Number of cards in the shoe, without a hole card."""
    decks_left: float
    """The same in decks."""
    words: str
    """The number of cards seen and left, as a sentence."""
    counts: tuple[SystemCountView, ...]


def count_shoe(rules: Rules, seen: tuple[Card, ...], *, has_dealer: bool) -> ShoeCountsView | None:
    """Return the counts after `seen` cards; None if no card was seen, or none is left.

    A dealer who has an upcard may have a hole card too: it is neither seen nor in the shoe.
    """
    if rules.decks is None or not seen:
        return None
    hidden = int(has_dealer and rules.hole_card is not HoleCard.NONE)
    left = rules.full_shoe.size - len(seen) - hidden
    if left < 1:
        return None
    decks = Fraction(left, rules.deck_size)
    are, hole = "is" if left == 1 else "are", ", without the hole card" if hidden else ""
    words = (
        f"{count_of(len(seen), 'card')} seen; {count_of(left, 'card')} left in"
        f" the shoe, which {are} {float(decks):.2f} decks{hole}."
    )
    return ShoeCountsView(
        cards_seen=len(seen),
        cards_left=left,
        decks_left=float(decks),
        words=words,
        counts=tuple(
            _count(system, rules.decks, seen, left)
            for system in map(count_system.load_system, count_system.system_names())
            if system.deck_size == rules.deck_size
        ),
    )


def _count(
    system: count_system.CountSystem, decks: int, seen: tuple[Card, ...], left: int
) -> SystemCountView:
    # A seven of unknown colour is between all of them red and all of them black.
    ends = [_run(system, decks, seen, suit) for suit in (_RED, _BLACK)]

    def span(read: Callable[[count_system.RunningCount], Fraction | int]) -> str:
        low, high = sorted(Fraction(read(end)) for end in ends)
        return _sign(low) if low == high else f"{_sign(low)} to {_sign(high)}"

    decides_by_true = system.by is count_system.CountBy.TRUE
    per_deck = float(ends[0].running / system.estimate_decks(left)) if decides_by_true else None
    start = system.initial_count(decks)
    return SystemCountView(
        **fields_of(system, "name", "title", "source"),
        is_balanced=not system.deck_sum,
        start=_sign(start),
        pivot=_sign(start + system.deck_sum * decks),
        running=span(lambda end: end.running),
        true_count=per_deck,
        rounded=ROUNDED[system.rounding] if decides_by_true else "",
        count=span(lambda end: end.play_count(left)),
        bet_count=span(lambda end: end.bet_count(left)),
    )


def _run(
    system: count_system.CountSystem, decks: int, seen: tuple[Card, ...], suit: str
) -> count_system.RunningCount:
    count = count_system.RunningCount(system, decks)
    for card in seen:
        count.see(Card(f"{card.face}{suit}"))
    return count


def _sign(count: Fraction) -> str:
    """Write a count with its sign, and the minus of the other figures."""
    return with_minus(signed(count)) if count else format_chips(count)
