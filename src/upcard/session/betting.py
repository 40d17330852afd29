"""Between hands: the count question, the bet, chips that are missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from upcard.core.errors import IllegalActionError, NotationError
from upcard.core.number_texts import read_chips
from upcard.core.numbers import count_of, exact_number
from upcard.core.wager import Wager
from upcard.session.count_check import BetRemark, CountCheck
from upcard.store.bankroll import deposit
from upcard.table.bet_limits import WHOLE_CHIPS, WHY_NOT_BROUGHT, Shortage, find_shortage, fit_wager

if TYPE_CHECKING:
    from upcard.session.game_session import GameSession


def shortage_at(session: GameSession) -> Shortage | None:
    """Return what is missing for the smallest bet on each hand; None if nothing, or mid-round."""
    if session.is_playing:
        return None
    return find_shortage(
        session.bank.balance,
        hands=len(session.player_spots),
        unit=session.plan.unit,
        fewest=session.rules.min_spots,
    )


def bring_chips(session: GameSession) -> Fraction:
    """Bring chips to a table at which the smallest bets are not covered; return how many."""
    if not session.is_playing:
        session.bank.look()
    shortage = shortage_at(session)
    if shortage is None:
        raise IllegalActionError(WHY_NOT_BROUGHT)
    if session.kept is not None:
        deposit(session.kept.store, shortage.brings, reason="brought")
    session.bank.add(shortage.brings)
    return shortage.brings


_LONGEST: Final = 12
_NAMES: Final = {"full_stop": "."}


class TypedNumber:
    """The typed part of a number; Enter reads its value."""

    def __init__(self, signs: tuple[str, ...]) -> None:
        """Take digits, and each of the `signs` once."""
        self.typed = ""
        self.signs = signs

    def type(self, key: str) -> bool:
        """Take a key in; False if it is not part of a number."""
        character = _NAMES.get(key, key)
        if character == "backspace" and self.typed:
            self.typed = self.typed[:-1]
            return True
        is_sign = character in self.signs and character not in self.typed
        if not character.isdecimal() and not is_sign:
            return False
        if len(self.typed) < _LONGEST:
            self.typed += character
        return True

    def cancel(self) -> bool:
        """Forget what was typed; False if nothing was."""
        had, self.typed = bool(self.typed), ""
        return had


HINT: Final = "Type the running count, such as -2; Enter answers, Esc skips."


class CountEntry(TypedNumber):
    """The answer to the count question, as it is typed."""

    def __init__(self, check: CountCheck | None) -> None:
        super().__init__(("+", "-", ".", "/"))
        self._check = check

    @property
    def question(self) -> str:
        """The question between rounds; empty if there is no question now."""
        return "" if self._check is None else self._check.question

    def wordings(self) -> Iterator[str]:
        """Word the question with what is typed, the longest first."""
        system = "" if self._check is None else str(self._check.system)
        for words in (self.question, f"Running count ({system})?", "Running count?"):
            yield f"{words} {self.typed}_"

    def skip(self) -> None:
        """Leave the question without an answer."""
        self.cancel()
        if self._check is not None:
            self._check.skip()


class BetEntry(TypedNumber):
    """The bets of Enter; digits type another, + and - change it by the first one.

    `turn` goes from the main bet to the side bets of the house, and back; 0 takes one away.
    """

    def __init__(
        self, wager: Wager, *, unit: Fraction = WHOLE_CHIPS, codes: Sequence[str] = ()
    ) -> None:
        """Begin with a wager, in chips, at a table whose bets are multiples of `unit`."""
        super().__init__((".",))
        self.wager = wager
        self.unit = unit
        self.codes = codes
        self.turned_to = ""
        """Side bet that is typed; empty for the main bet."""
        self._step = wager.main

    @property
    def words(self) -> str:
        """The bets of Enter, as they are written."""
        if not self.turned_to:
            return self.typed or str(self.wager)
        read = self.read()
        return self.typed if isinstance(read, str) else str(read)

    @property
    def name(self) -> str:
        """The bet that is typed or changed: `bet`, `21+3`."""
        return self.turned_to or "bet"

    def turn(self) -> str:
        """Turn to the next bet of the house; return what is wrong with what was typed, if so."""
        read = self.read()
        if isinstance(read, str):
            return read
        bets = ["", *self.codes]
        turned = bets[(bets.index(self.turned_to) + 1) % len(bets)]
        self.accept(read)
        self.turned_to = turned
        return ""

    def read(self) -> Wager | str:
        """Return the bets, or what is wrong with what is typed; it stays there to be corrected."""
        if not self.typed:
            return self.wager
        typed = self.typed.rstrip(".")
        try:
            is_none = bool(self.turned_to) and exact_number(typed) == 0
            return self._with(Fraction(0) if is_none else read_chips(typed, self.name))
        except NotationError as error:
            return str(error)

    def _with(self, chips: Fraction) -> Wager:
        """Return the bets with the one that is turned to changed."""
        if not self.turned_to:
            return self.wager._replace(main=chips)
        side = {**dict(self.wager.side), self.turned_to: chips}
        placed = tuple((code, side[code]) for code in self.codes if side.get(code))
        return self.wager._replace(side=placed)

    def accept(self, wager: Wager) -> None:
        """Take bets that were placed for the next ones too; nothing is typed any more."""
        self.wager = wager
        self.typed = self.turned_to = ""

    def fit(self, balance: Fraction | None, hands: int) -> bool:
        """Lower the bets to what the chips cover; False if nothing changes, or none is covered."""
        wager = fit_wager(self.wager, balance, hands=hands, unit=self.unit)
        if not wager.main or wager == self.wager:
            return False
        self.wager = wager
        return True

    def change(self, steps: int, *, balance: Fraction | None, hands: int) -> None:
        """Raise or lower a bet: the main one by steps of the first; what is typed is dropped."""
        self.typed = ""
        if self.turned_to:
            chips = self.wager.on(self.turned_to) + steps * self.unit
            self.wager = self._with(max(chips, Fraction(0)))
        else:
            main = self.wager.main
            self.wager = self._with(max(main + steps * self._step, min(self._step, main)))
        self.fit(balance, hands)


@dataclass
class TableBetting:
    """The time between the hands of a table: bets, chips brought, fewer hands, the end."""

    session: GameSession
    rounds: int | None
    """After how many rounds the table is over; None if it is not."""
    then: str
    """The table that opens after the hand in progress, if no other is played at this one."""
    check: CountCheck | None = None
    """Asks for the count and compares the bets."""

    def __post_init__(self) -> None:
        plan = self.session.plan
        codes = tuple(bet.code for bet in plan.rules.side_bets)
        self.entry = BetEntry(plan.wager, unit=plan.unit, codes=codes)
        self.count = CountEntry(self.check)
        if self.check is not None:
            self.check.watch(self.session.table)

    @property
    def question(self) -> str:
        """The count question, if it comes before the next bet; else empty."""
        return "" if self.session.is_playing or self.is_over else self.count.question

    @property
    def is_over(self) -> bool:
        """Whether nothing more is played at this table."""
        if self.session.is_playing:
            return False
        has_enough = self.rounds is not None and self.session.bank.rounds >= self.rounds
        return bool(self.then) or has_enough

    @property
    def ending(self) -> str:
        """The reason why the table is over, and the effect of Enter."""
        if self.then:
            return f"That hand is finished. Enter opens {self.then}."
        count = f"{self.rounds} rounds are" if self.rounds != 1 else "1 round is"
        return f"{count} played: Enter leaves the table."

    def end_within(self, width: int) -> str:
        """Write `ending`, or as much of it as fits on a line: what Enter does comes first."""
        if not self.then:
            return self.ending
        title = self.then.partition(": ")[2] or self.then
        ways = (
            self.ending,
            f"Enter opens {self.then}.",
            f"Finished. Enter opens: {title}.",
            "That hand is finished. Enter continues.",
        )
        return next((words for words in ways if len(words) <= width), ways[-1])

    @property
    def hint(self) -> str:
        """The next step, for a key that does nothing."""
        if self.is_over:
            return self.ending
        if self.question:
            return HINT
        shortage = self.shortage
        return "Enter deals the next hand." if shortage is None else f"{shortage} B brings chips."

    def begin(self) -> list[str]:
        """Prepare the next bet; return messages about it."""
        if self.is_over:
            return [self.ending]
        session = self.session
        before, hands = self.entry.wager, len(session.player_spots)
        if not self.entry.fit(session.bank.balance, hands):
            return []
        times = "" if hands == 1 else f" on each of {hands} hands"
        return [f"Your chips do not cover {before}{times}: the bet is now {self.entry.wager}."]

    @property
    def shortage(self) -> Shortage | None:
        """Why no bet is covered; None if one is."""
        return shortage_at(self.session)

    @property
    def can_bet(self) -> bool:
        """Whether the next bet may be changed now."""
        has_end = self.is_over or bool(self.question)
        return not has_end and self.session.rules.betting and self.shortage is None

    def type(self, key: str) -> bool:
        """Take a key of the typed bet, or of the count asked for; False if it is neither."""
        if self.question:
            return self.count.type(key)
        return self.can_bet and self.entry.type(key)

    def change(self, steps: int) -> None:
        """Raise or lower the bet."""
        hands = len(self.session.player_spots)
        self.entry.change(steps, balance=self.session.bank.balance, hands=hands)

    def begin_round(self, bet: Fraction) -> BetRemark | None:
        """Have the count check compare a bet before its round is dealt."""
        return None if self.check is None else self.check.begin_round(bet, self.session)

    def take_back(self) -> None:
        """Count again what is left of a round after an answer was taken back."""
        self.count.cancel()
        if self.check is not None:
            self.check.take_back(self.session.events)

    def play_fewer(self) -> list[str]:
        """Play as many hands as the chips cover; return messages about it."""
        shortage = self.shortage
        if shortage is None:
            return []
        most = shortage.most_hands
        if not most:
            return [self.hint]
        self.session.play_hands(most)
        return [f"You play {count_of(most, 'hand')} from now on.", *self.begin()]
