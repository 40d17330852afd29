"""`CountCheck`: asks a person for the running count, and compares bets with a ramp.

It counts what the person has seen: cards dealt face up, and the hole card once it is shown.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from upcard.core.cards import Card, parse_cards
from upcard.core.errors import BlackjackError, RulesError, quote
from upcard.core.fields import FieldFaultsError, quote_names
from upcard.core.number_texts import whole_of
from upcard.core.numbers import format_chips, signed
from upcard.core.user_files import is_user_file
from upcard.players.seen_cards import CountedShoe, countable_decks
from upcard.rules.model import Rules
from upcard.strategy.count_system import CountBy, CountSystem, load_system
from upcard.strategy.ramp import BetRamp, parse_ramp
from upcard.table.bet_limits import DEFAULT_BET, WHOLE_CHIPS, round_bet
from upcard.table.events import Event, RoundEnded

if TYPE_CHECKING:
    from upcard.session.game_session import GameSession
    from upcard.session.plan import TablePlan
    from upcard.table.rounds import Table


DEFAULT_EVERY: Final = 3
"""After how many rounds the count is asked for by default."""
MOST_EVERY: Final = 99


def read_ask_count(text: str) -> tuple[str, int]:
    """Read `SYSTEM` or `SYSTEM:N`: a system's name or file, and after how many rounds to ask."""
    name, colon, rounds = text.rpartition(":")
    if not colon or is_user_file(text):
        return text, DEFAULT_EVERY
    every = whole_of(rounds)
    if every is None or not 1 <= every <= MOST_EVERY:
        msg = f"{quote(text)}: write a number of rounds, 1 to {MOST_EVERY}, after the colon"
        raise RulesError(msg)
    return name, every


@dataclass(frozen=True, slots=True, kw_only=True)
class CountRemark:
    """The verdict on an answer to the count question."""

    count: Fraction
    said: Fraction

    @property
    def is_right(self) -> bool:
        """Whether the answer is the count."""
        return self.count == self.said

    def __str__(self) -> str:
        if self.is_right:
            return f"Right: the running count is {signed(self.count)}."
        return f"It is {signed(self.count)}, you said {signed(self.said)}."


@dataclass(frozen=True, slots=True, kw_only=True)
class BetRemark:
    """A bet that is not the ramp's. Units: chips, but for `units`."""

    count: int
    by: CountBy
    units: Fraction
    """The bet of the ramp, in its units; 0 is to sit the round out."""
    chips: Fraction
    """The bet of the ramp in chips, or where it sits out, one unit."""
    possible: Fraction
    """The most of it that the table takes and the chips cover."""
    bet: Fraction

    def __str__(self) -> str:
        units = "1 unit" if self.units == 1 else f"{format_chips(self.units)} units"
        what = f"bets {units}" if self.units else "sits out, which is a bet of 1 unit here"
        chips = format_chips(self.chips)
        if self.possible != self.chips:
            chips = f"{chips}, possible {format_chips(self.possible)}"
        at = f"at a {self.by} count of {signed(Fraction(self.count))}"
        comma = "" if self.units else ","
        return f"The ramp {what} ({chips}){comma} {at}; you bet {format_chips(self.bet)}."


class CountCheck:
    """Counts along with a person, asks for the count between rounds, and checks bets.

    Let it `watch` the table, from a freshly shuffled shoe on, and `begin_round` before each deal.
    """

    def __init__(
        self,
        rules: Rules,
        system: CountSystem,
        *,
        every: int | None = DEFAULT_EVERY,
        ramp: BetRamp | None = None,
        unit: Fraction = DEFAULT_BET,
    ) -> None:
        """Ask after `every` rounds, None for never; a unit of the `ramp` is `unit` chips."""
        countable_decks(rules, system)
        self.rules = rules
        self.system = system
        self.every = every
        self.ramp = ramp
        self.unit = unit
        self.asked = 0
        """How many questions were answered."""
        self.right = 0
        self._shoe = CountedShoe(rules, system)
        self._rounds = 0
        """Rounds settled since the count was last asked for."""
        self._before = self._copy()
        self._table: Table | None = None

    @classmethod
    def of(cls, plan: TablePlan, cards: str | None = None) -> CountCheck | None:
        """Return what asks for the count and checks the bets of a table; None if neither is wanted.

        `cards` are those that will be dealt, if they are listed.

        Raises: FieldFaultsError, by the field that cannot be.
        """
        if not plan.count and not plan.check_bets:
            return None
        listed = () if cards is None else parse_cards(cards)
        field = "count" if plan.count else "check_bets"
        try:
            name, every = read_ask_count(plan.count) if plan.count else ("hi-lo", None)
            system = load_system(name)
            check = cls(plan.rules, system, every=every)
            for card in listed:
                system.tag(card)  # some systems count only cards with suits
            field = "check_bets"
            if plan.check_bets:
                check.ramp = parse_ramp(plan.check_bets, system, decks=plan.rules.decks or 1)
                check.unit = plan.ramp_unit
        except BlackjackError as error:
            raise FieldFaultsError({field: f"{{{field}}}: {quote_names(error)}"}) from None
        return check

    @property
    def running(self) -> Fraction:
        """The running count of the cards seen."""
        return self._shoe.count.running

    @property
    def question(self) -> str:
        """The question to ask now, between rounds; empty if there is none."""
        if self.every is None or self._rounds < self.every:
            return ""
        if self._shoe.is_shuffle_due(self._table):
            return ""
        return f"What is the running count ({self.system})?"

    def watch(self, table: Table) -> None:
        """Listen to a table from now on."""
        self._table = table
        table.listeners.append(self.hear)

    def hear(self, event: Event) -> None:
        """Take in what happened at the table."""
        self._shoe.hear(event)
        if isinstance(event, RoundEnded):
            self._rounds += 1

    def begin_round(self, bet: Fraction, session: GameSession) -> BetRemark | None:
        """Compare the bet of a round that is dealt next with the ramp's; remember the count."""
        plan, balance = session.plan, session.bank.balance
        limits = [] if plan.limit is None else [plan.limit]
        if balance is not None:
            limits.append(balance / plan.hands)
        self._before = self._copy()
        return self.check_bet(bet, smallest=plan.unit, most=min(limits, default=None))

    def finish_round(self, dealer_cards: Iterable[Card]) -> None:
        """Count a hole card that is shown after the round; `dealer_cards` are all the dealer's."""
        self._shoe.finish_round(dealer_cards)

    def take_back(self, events: Iterable[Event]) -> None:
        """Count the round again after an answer was taken back; `events` are what is left of it."""
        self._shoe, self._rounds = self._before
        self._before = self._copy()
        for event in events:
            self.hear(event)

    def answer(self, said: Fraction) -> CountRemark:
        """Take an answer to the question, and say whether it is right."""
        self.skip()
        remark = CountRemark(count=self.running, said=said)
        self.asked += 1
        self.right += remark.is_right
        return remark

    def skip(self) -> None:
        """Leave the question without an answer; it comes again after as many rounds."""
        self._rounds = 0

    def check_bet(
        self, bet: Fraction, *, smallest: Fraction = WHOLE_CHIPS, most: Fraction | None = None
    ) -> BetRemark | None:
        """Compare the next bet with the ramp's; None if it is that one, or there is no ramp.

        Bets are multiples of `smallest`; `most` is the most that a hand can bet now.
        """
        if self.ramp is None:
            return None
        count = self._shoe.bet_count(self._table)
        units = self.ramp.bet(count)
        chips = (units or Fraction(1)) * self.unit
        possible = round_bet(chips, smallest, most)
        if bet == possible:
            return None
        return BetRemark(
            count=count, by=self.system.by, units=units, chips=chips, possible=possible, bet=bet
        )

    def _copy(self) -> tuple[CountedShoe, int]:
        return copy.deepcopy(self._shoe), self._rounds
