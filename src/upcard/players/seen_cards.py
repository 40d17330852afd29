"""Cards that a player has seen of the shoe: listeners of public events, and their snapshots."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Self

from upcard.core.cards import FACES, TEN, Card
from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.rules.model import Rules
from upcard.rules.settings import Shuffle
from upcard.strategy.count_system import CountSystem, RunningCount
from upcard.table import events

if TYPE_CHECKING:
    from upcard.table.rounds import Table

_WHO: Final = "player counting"


class ShoeTracker:
    """Follows a table's events and reports each card once, when it is seen.

    - A shuffle starts again; so does an empty shoe that takes the discards back, and then the cards
      on the table are reported again.
    - A card is seen when it is dealt face up.
    - The hole card is seen when it is turned up, or when `finish_round` reports it.
    """

    def __init__(
        self, rules: Rules, *, see: Callable[[Card], None], forget: Callable[[], None]
    ) -> None:
        """Sit down at a freshly shuffled shoe.

        `see` receives each card seen; `forget` is called when the earlier cards no longer count.
        """
        self.cards = 0 if rules.is_infinite else rules.full_shoe.size
        """The number of cards in a full shoe; 0 for one that never runs out."""
        self.cards_left = self.cards
        """The number of undealt cards, which every player can see from the discards."""
        self.has_run_out = False
        """Whether the shoe ran out, and so is shuffled before the next round."""
        self.never_shown = 0
        """Number of cards of earlier rounds that were never turned up."""
        is_fresh = rules.shuffle is Shuffle.EVERY_ROUND
        self._cut = 0 if is_fresh else int(self.cards * rules.penetration)
        self._tell = see
        self._forget = forget
        self._on_table: list[Card] = []
        self._dealer_up: list[Card] = []
        self._hidden = 0
        self._is_over = True

    @property
    def has_unshown(self) -> bool:
        """Whether the round is over and one of its cards is still face down."""
        return self._is_over and self._hidden > 0

    def hear(self, event: events.Event) -> None:
        """Process an event of the table."""
        match event:
            case events.Shuffled(cards):
                self.cards_left = self.cards if cards is None else cards
                self.has_run_out = False
                self._begin_anew()
                self._clear_table()
            case events.RoundStarted():
                self.never_shown += self._hidden
                self._clear_table()
                self._is_over = False
            case events.Dealt(card=card) | events.TurnedUp(card):
                self._take_from_shoe()
                self._see(card)
            case events.DealerDealt(card=None):
                self._take_from_shoe()
                self._hidden += 1
            case events.DealerDealt(card=Card() as card):
                self._take_from_shoe()
                self._see(card)
                self._dealer_up.append(card)
            case events.Revealed(cards=shown):
                self.finish_round(shown)
            case events.RoundEnded():
                self._is_over = True

    def is_shuffle_due(self, table: Table | None) -> bool:
        """Whether the cards are shuffled before the next deal, as every player at a table can see.

        The cut card is out, the shoe ran out, or it was ended and replaced by a full one.
        """
        if table is None or not table.shoe.has_cut_card:
            return False
        is_full = table.shoe.cards_left == self.cards > self.cards_left
        return self.has_run_out or is_full or self.cards - self.cards_left >= self._cut

    def finish_round(self, dealer_cards: Iterable[Card]) -> None:
        """See the dealer's cards that were not seen before; a second call changes nothing."""
        known = list(self._dealer_up)
        for card in dealer_cards:
            if card in known:
                known.remove(card)
            else:
                self._see(card)
                self._dealer_up.append(card)
        self._hidden = 0

    def _begin_anew(self) -> None:
        self.never_shown = 0
        self._forget()

    def _clear_table(self) -> None:
        self._hidden = 0
        self._on_table.clear()
        self._dealer_up.clear()

    def _see(self, card: Card) -> None:
        self._tell(card)
        self._on_table.append(card)

    def _take_from_shoe(self) -> None:
        if not self.cards:
            return
        if not self.cards_left:
            # The discards came back, shuffled: only the cards on the table are out.
            self.has_run_out = True
            self.cards_left = self.cards - len(self._on_table) - self._hidden
            self._begin_anew()
            for card in self._on_table:
                self._tell(card)
        self.cards_left -= 1


class CountedShoe(ShoeTracker):
    """A shoe with the running count of the cards seen."""

    def __init__(self, rules: Rules, system: CountSystem) -> None:
        self.count = RunningCount(system, count_decks(rules, system))
        super().__init__(rules, see=self.count.see, forget=self.count.reset)

    def bet_count(self, table: Table | None) -> int:
        """Return the count for the next bet: that of a full shoe if a shuffle is due at a table."""
        if self.is_shuffle_due(table):
            system = self.count.system
            return system.convert(system.initial_count(self.count.decks), self.cards)
        return self.count.bet_count(self.cards_left)


def count_decks(rules: Rules, system: CountSystem | None = None) -> int:
    """Return the number of decks that a system (None: some system) can count, by the upcard too."""
    require_upcard(rules, _WHO)
    if rules.decks is None:
        reason = "cards that never run out leave nothing to count; name 1D to 8D"
        raise UnsupportedRuleError(_WHO, "INF", reason)
    if system is not None:
        system.require_deck(rules)
    return rules.decks


def countable_decks(rules: Rules, system: CountSystem | None = None) -> int:
    """Return the number of decks that a person can count by a system (None: by some system)."""
    decks = count_decks(rules, system)
    if rules.shuffle is Shuffle.EVERY_ROUND:
        raise RulesError("the cards are shuffled before every round, so there is nothing to count")
    return decks


def require_upcard(rules: Rules, who: str, *, reads_hole: bool = False) -> None:
    """Refuse rules by which a player sees no upcard, or more of the dealer than is read."""
    reason = "it decides by the dealer's upcard"
    if not rules.shows_upcard:
        raise UnsupportedRuleError(who, "shows_upcard=false", reason)
    if rules.shows_hole and not reads_hole:
        raise UnsupportedRuleError(who, "shows_hole=true", f"{reason} alone")


class Knowledge(StrEnum):
    """Cards that the coach takes as known."""

    FRESH = "fresh"
    """A fresh shoe, less the hands of this spot and the upcard, as in a chart."""
    SEEN = "seen"
    """Every card shown since the last shuffle, at all spots."""


FACE_INDEX: Final[Mapping[str, int]] = {face: index for index, face in enumerate(FACES)}


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """Known cards of a shoe at one moment; a value that other threads may use.

    Shape: `faces` has 13 entries, the cards seen of each face, ace to king.
    """

    faces: tuple[int, ...]
    never_shown: int = 0
    """Cards of earlier rounds that were never turned up; they count as not seen."""

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Self:
        """Return the state after seeing some cards of a fresh shoe."""
        seen = [card.face for card in cards]
        return cls(tuple(map(seen.count, FACES)))

    @property
    def cards(self) -> int:
        """Number of cards seen."""
        return sum(self.faces)


class SeenCards(ShoeTracker):
    """Counts the cards shown at a table; add `hear` to the table's listeners.

    A hole card counts when it is turned up. One that never is stays unseen, unless `finish_round`
    reports it, for dealers who show it when they pick up the cards.

    >>> from upcard.core.cards import Card
    >>> from upcard.rules.model import Rules
    >>> from upcard.table.events import Dealt
    >>> seen = SeenCards(Rules.parse("6D"))
    >>> seen.hear(Dealt(0, Card("5"), 5))
    >>> seen.look().cards
    1
    """

    def __init__(self, rules: Rules) -> None:
        self._faces = [0] * len(FACES)
        self.by_card: Counter[str] = Counter()
        """Number of cards seen by card, suits included, for bets that they matter to."""
        super().__init__(rules, see=self._count, forget=self._begin_count)

    def look(self) -> CardsSeen:
        """Return what is known now."""
        return CardsSeen(tuple(self._faces), self.never_shown)

    def _count(self, card: Card) -> None:
        self._faces[FACE_INDEX[card.face]] += 1
        self.by_card[str(card)] += 1

    def _begin_count(self) -> None:
        self._faces = [0] * len(FACES)
        self.by_card.clear()


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """Cards that the player has not seen: in the shoe, or face down.

    Shape: `unseen` has 11 entries by rank, entry 0 unused. They are whole numbers unless the
    composition is the expected one at a count.
    """

    unseen: tuple[float, ...]
    tens: tuple[int, ...] | None
    """Number of unseen T, J, Q and K; None if faces are not known."""
    told: str
    """Description of these cards."""
    never_shown: int = 0
    """Number of unseen cards face down among the discards."""

    def tens_like(self, face: str) -> int | None:
        """Return how many unseen cards have the face of a ten-valued card."""
        return None if self.tens is None else self.tens[FACES.index(face) - (TEN - 1)]


def compose(rules: Rules, seen: CardsSeen, told: str) -> Composition:
    """Return the full decks of `rules` without the cards seen."""
    full = rules.full_shoe
    left = [there - count for there, count in zip(full.faces, seen.faces, strict=True)]
    tens = tuple(left[TEN - 1 :])
    unseen = (0.0, *(float(count) for count in left[: TEN - 1]), float(sum(tens)))
    for rank, count in enumerate(unseen):
        if count < 0:
            there = full.counts[rank]
            raise RulesError(
                f"{there - count:.0f} cards of rank {FACES[rank - 1]} were seen, and"
                f" {full.in_words} ha{'ve' if full.decks != 1 else 's'} only {there}:"
                " name cards of one shoe"
            )
    if math.fsum(unseen) < 1:
        raise RulesError(f"all cards of {full.in_words} were seen: no card is left")
    # "T" without a suit stands for any ten, so a script of them has no faces.
    return Composition(
        unseen=unseen,
        tens=tens if min(tens) >= 0 else None,
        told=told,
        never_shown=seen.never_shown,
    )
