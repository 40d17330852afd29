"""Records that the store returns, and the text of amounts, times, cards and objects in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from upcard.core import errors, user_files, wager
from upcard.core.actions import Action, Outcome
from upcard.core.cards import Card, parse_cards
from upcard.core.numbers import exact_number, whole_number
from upcard.store.files import damaged
from upcard.table.side_stakes import SideResult

if TYPE_CHECKING:
    from upcard.fair import fair_shoe, seeds
    from upcard.rules.model import Rules
    from upcard.table.rounds import RoundRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """A session at one table: its player and rules."""

    id: int
    house: str
    """Name of the house, empty for custom rules."""
    rules: Rules
    player: str
    """`person`, or the name of the bot."""
    company: str = ""
    """The others at the table, as the front-end writes them; empty if there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRound:
    """A round in the history; by this class an open one, with the answers so far."""

    session: SessionRecord
    number: int
    """Number in the session, from 1."""
    player_spots: tuple[int, ...]
    """Spots of the person, from 0; never empty."""
    record: RoundRecord
    """Bets and answers of all spots, the company's too. The cards of an open round come from its
    seeds, those of a settled one from the key of its shoe once that has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredHand:
    """Result of one hand of a stored round."""

    spot: int
    cards: tuple[Card, ...]
    total: int
    outcome: Outcome
    bet: Fraction
    net: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledRound(SavedRound):
    """A round that is over, with its results.

    Hands are those of all spots; net and bankroll are the person's.
    """

    id: int
    shoe_id: int
    commitment: seeds.Commitment
    place: fair_shoe.Place
    """Position in its shoe where it started."""
    own_answers: tuple[int, ...]
    """Answers, from 0, for the person's spots."""
    cards: tuple[Card, ...]
    """Cards of the round, in the order dealt."""
    hands: tuple[StoredHand, ...]
    dealer: tuple[Card, ...]
    insurance_net: Fraction
    side: tuple[SideResult, ...]
    """Settled side bets of all spots."""
    net: Fraction
    bankroll: Fraction
    """Bankroll after it."""
    started_at: datetime
    settled_at: datetime

    @property
    def initial_bet(self) -> Fraction:
        """The person's main bets before the deal, on all own spots."""
        return sum((self.record.bets[spot].main for spot in self.player_spots), start=self.net * 0)

    @property
    def own_side(self) -> tuple[SideResult, ...]:
        """Side bets of the person's spots."""
        return tuple(one for one in self.side if one.spot in self.player_spots)

    @property
    def own_hands(self) -> tuple[StoredHand, ...]:
        """Hands of the person's spots."""
        return tuple(hand for hand in self.hands if hand.spot in self.player_spots)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredShoe:
    """A shoe of a session; `reveal` is None while it is in play."""

    id: int
    session: SessionRecord
    number: int
    """Number in the session, from 1."""
    commitment: seeds.Commitment
    reveal: seeds.Reveal | None
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementRecord:
    """Judgement of one decision of a round."""

    step: int
    """Number of the decision in its round, from 0."""
    situation: str
    """Short form of the decision: `T6 v 9`."""
    category: str
    """Class of the decision in leak reports, such as `soft doubles`."""
    chosen: Action
    best: Action
    cost_ev: float
    """Cost of the choice per initial bet; 0 for the best."""
    cost_chips: float
    method: str
    """Method of the values, with its assumptions."""


_LONGEST_AMOUNT: Final = 1000
"""Sums of odd fractions of chips can grow, but not to this."""


def write_amount(amount: Fraction | int) -> str:
    """Write chips exactly: `10`, `5/2`."""
    return str(Fraction(amount))


def read_amount(text: str) -> Fraction:
    """Read chips as `write_amount` writes them."""
    amount = exact_number(text, longest=_LONGEST_AMOUNT)
    if amount is None:
        raise damaged(f"{errors.quote(text)} is not an amount of chips")
    return amount


def write_bets(bets: Iterable[wager.Wager]) -> str:
    """Write the bets of all spots: `10 5/2`, `10;21+3=2 10`."""
    return " ".join(map(wager.write_record, bets))


def read_bets(text: str) -> tuple[wager.Wager, ...]:
    """Read bets as `write_bets` writes them."""
    found = tuple(map(wager.read_record, text.split()))
    bets = tuple(one for one in found if one is not None)
    if len(bets) != len(found):
        raise damaged(f"{errors.quote(text)} are not bets")
    return bets


def now() -> str:
    """Return this moment in UTC, to the millisecond."""
    return write_moment(datetime.now(tz=UTC))


def today() -> date:
    """Return the day by the clock of the place."""
    return datetime.now(tz=UTC).astimezone().date()


def write_moment(moment: datetime) -> str:
    """Write a time as the database has it: in UTC, to the millisecond; texts compare as times."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def write_side(result: SideResult) -> dict[str, Any]:
    """Return a settled side bet as an entry among the hands of a round."""
    amounts = {"bet": write_amount(result.stake), "net": write_amount(result.net)}
    return {"spot": result.spot, "side": result.code, "row": result.row, **amounts}


def read_entries(text: str) -> list[dict[str, Any]]:
    """Read the hands and side bets of a round, as JSON values."""
    found = _parse(text, "hands of a round")
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise damaged(f"{errors.quote(text)} are not hands")
    return found


def read_side(entries: Iterable[dict[str, Any]]) -> tuple[SideResult, ...]:
    """Read the settled side bets among the entries of hands; raises as dictionaries do."""
    return tuple(
        SideResult(
            int(one["spot"]),
            str(one["side"]),
            str(one["row"]),
            read_amount(one["bet"]),
            read_amount(one["net"]),
        )
        for one in entries
        if "side" in one
    )


def write_actions(actions: Iterable[Action]) -> str:
    """Write answers in the order given: `no insurance, hit`."""
    return ", ".join(actions)


def read_actions(text: str) -> tuple[Action, ...]:
    """Read answers as `write_actions` writes them."""
    try:
        return tuple(Action(word) for word in text.split(", ") if word)
    except ValueError:
        raise damaged(f"{text!r} are not answers") from None


def write_numbers(numbers: Iterable[int]) -> str:
    """Write numbers of spots or answers: `0,2`."""
    return ",".join(map(str, numbers))


def read_numbers(text: str) -> tuple[int, ...]:
    """Read numbers as `write_numbers` writes them."""
    numbers = tuple(whole_number(word) for word in text.split(",")) if text else ()
    whole = tuple(number for number in numbers if number is not None)
    if len(whole) != len(numbers):
        raise damaged(f"{errors.quote(text)} are not numbers")
    return whole


def write_cards(cards: Iterable[Card]) -> str:
    """Write cards in deal order: `AC KD`."""
    return " ".join(map(str, cards))


def read_cards(text: str) -> tuple[Card, ...]:
    """Read cards as `write_cards` writes them."""
    try:
        return parse_cards(text)
    except errors.BlackjackError:
        raise damaged(f"{text!r} are not cards") from None


def read_object(text: str, what: str) -> dict[str, Any]:
    """Read a JSON object of the store."""
    found = _parse(text, what)
    if not isinstance(found, dict):
        raise damaged(f"{what} is not a JSON object")
    return found


def _parse(text: str, what: str) -> Any:  # noqa: ANN401 (as JSON is)
    try:
        return user_files.parse_json(text, what)
    except errors.UserFileError:
        return None
