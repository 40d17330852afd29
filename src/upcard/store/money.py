"""The bet and the speed by which costs are written as money: the file `money.toml`.

It is beside the saved games, is one for all front-ends, and can be edited by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Final

from upcard.core.errors import NotationError, UserFileError, quote
from upcard.core.number_texts import read_number
from upcard.core.numbers import ROUNDS_PER_HOUR, format_chips
from upcard.core.shared_files import write_whole
from upcard.core.user_files import parse_toml, read_user_stream
from upcard.store.files import FILE_MODE, data_folder, make_folder

_NAME: Final = "money.toml"
_WHAT: Final = "money file"
_MOST_BET: Final = 1_000_000
_MOST_HANDS: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyPace:
    """A bet and a speed, for costs in money."""

    bet: Fraction = Fraction(10)
    """Bet on each hand."""
    hands_per_hour: Fraction = Fraction(ROUNDS_PER_HOUR)
    """Hands an hour, which are rounds: the length of an hour wherever one is printed."""

    def __str__(self) -> str:
        hands = format_chips(self.hands_per_hour)
        return f"at {format_chips(self.bet)} a hand, {hands} hands an hour"

    def value_hour(self, ev: float) -> float:
        """Return the value of an hour, for an EV in bets."""
        return ev * float(self.bet * self.hands_per_hour)

    def say_hour(self, ev: float) -> str:
        """Write the value of an hour: `about 4.03 an hour at 10 a hand, 100 hands an hour`."""
        return f"about {abs(self.value_hour(ev)):,.2f} an hour {self}"


def money_path() -> Path:
    """Return the file; it need not exist."""
    return data_folder() / _NAME


_practice: list[MoneyPace] = []
"""The pace of a program that saves nothing."""
_read: dict[tuple[str, int], MoneyPace] = {}
"""The last file read, by its path and time."""


def load_pace() -> MoneyPace:
    """Return the pace that was chosen, or the default.

    Raises: UserFileError for a file that cannot be read, or is faulty.
    """
    return find_pace() or MoneyPace()


def find_pace() -> MoneyPace | None:
    """Return the pace that was chosen; None if none was."""
    if _practice:
        return _practice[-1]
    path = money_path()
    try:
        key = str(path), path.stat().st_mtime_ns
    except OSError:
        return None
    if key not in _read:
        _read.clear()
        _read[key] = _read_file(path)
    return _read[key]


def _read_file(path: Path) -> MoneyPace:
    """Read the file, which is upcard's own: the browser's server opens no file that is named."""
    try:
        with path.open("rb") as file:
            data = parse_toml(read_user_stream(file, path, _WHAT), path, _WHAT)
    except OSError as error:
        raise UserFileError(path, error.strerror or "it cannot be opened", _WHAT) from None
    unknown = [name for name in data if name not in ("bet", "hands_per_hour")]
    if unknown:
        reason = f"{quote(unknown[0])} in it is neither bet nor hands_per_hour"
        raise UserFileError(path, reason, _WHAT, is_read=True)
    try:
        return read_pace(*(str(data.get(name, "")) for name in ("bet", "hands_per_hour")))
    except NotationError as error:
        raise UserFileError(path, str(error), _WHAT, is_read=True) from None


def read_pace(bet: str = "", hands_per_hour: str = "") -> MoneyPace:
    """Read a bet and a number of hands an hour; an empty text is the default.

    Raises: NotationError for any other text than a number over 0, and for one that is too large.
    """
    default = MoneyPace()
    read = partial(read_number, over=0)
    pace = hands_per_hour.strip() and read(
        hands_per_hour, "hands an hour", most=_MOST_HANDS, example="80"
    )
    return MoneyPace(
        bet=(bet.strip() and read(bet, "bet", most=_MOST_BET, example="25")) or default.bet,
        hands_per_hour=pace or default.hands_per_hour,
    )


def save_pace(pace: MoneyPace, *, keeps: bool = True) -> None:
    """Save a pace for all front-ends; without `keeps` it is that of this program only."""
    if not keeps:
        _practice[:] = [pace]
        return
    path = money_path()
    make_folder(path.parent, tightens=False)
    text = "# The bet and the speed by which upcard writes costs as money.\n"
    text += f'bet = "{pace.bet}"\nhands_per_hour = "{pace.hands_per_hour}"\n'
    write_whole(path, [text.encode()], FILE_MODE)
