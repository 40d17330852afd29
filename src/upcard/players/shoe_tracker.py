"""`ShoeTracker`: which cards of a shoe have been seen, from public events only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from upcard.core.cards import Card
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
