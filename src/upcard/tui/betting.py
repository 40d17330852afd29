"""The bet between hands: repeated, raised and lowered by keys, or typed."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from upcard.core.errors import NotationError
from upcard.sitting.chips import format_chips, read_chips

_LONGEST: Final = 12


class BetEntry:
    """What Enter bets; digits type another bet, + and - change it by the first one."""

    def __init__(self, bet: Fraction) -> None:
        """Begin with a bet, in chips."""
        self.bet = bet
        self.step = bet
        self.typed = ""

    @property
    def words(self) -> str:
        """What Enter would bet, as it is written."""
        return self.typed or format_chips(self.bet)

    def press(self, key: str, *, balance: Fraction | None, hands: int) -> bool:
        """Take a key in; False if it is none of a bet's."""
        if key.isdecimal() or (key in (".", "full_stop") and "." not in self.typed):
            if len(self.typed) < _LONGEST:
                self.typed += "." if key == "full_stop" else key
            return True
        match key:
            case "backspace" if self.typed:
                self.typed = self.typed[:-1]
            case "+" | "plus" | "=" | "up":
                self._change(self.step, balance, hands)
            case "-" | "minus" | "down":
                self._change(-self.step, balance, hands)
            case _:
                return False
        return True

    def take(self) -> Fraction | str:
        """Return the bet, or what is wrong with what was typed; nothing is typed any more."""
        written, self.typed = self.typed, ""
        if not written:
            return self.bet
        try:
            self.bet = read_chips(written.rstrip("."))
        except NotationError as error:
            return str(error)
        return self.bet

    def give_back(self, bet: Fraction) -> None:
        """Show a bet again that could not be laid."""
        self.typed = format_chips(bet)

    def cancel(self) -> bool:
        """Forget what was typed; False if nothing was."""
        had, self.typed = bool(self.typed), ""
        return had

    def fit(self, balance: Fraction | None, hands: int) -> None:
        """Lower the bet to what the chips cover, in whole chips where that can be."""
        if balance is None or balance <= 0 or self.bet * hands <= balance:
            return
        most = balance / hands
        self.bet = Fraction(int(most)) or most

    def _change(self, by: Fraction, balance: Fraction | None, hands: int) -> None:
        self.typed = ""
        self.bet = max(self.bet + by, min(self.step, self.bet))
        self.fit(balance, hands)
