"""One narration: each event of the table as a message, and the history, which front-ends paint."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, assert_never

from upcard.coach.judgement import write_chips
from upcard.core.actions import Action, Outcome
from upcard.core.cards import Card
from upcard.core.hands import BUST_LIMIT
from upcard.core.numbers import format_chips, signed
from upcard.core.wager import Wager
from upcard.rules.model import Rules
from upcard.rules.settings import Player21
from upcard.rules.tokens import write_pays
from upcard.session.plan import name_of
from upcard.store import learning, records
from upcard.table import events
from upcard.table.state import prepare

_DEALER: Final = "dealer"
_VERBS: Final = {Outcome.WIN: "win", Outcome.NATURAL: "win", Outcome.PUSH: "push"}
_SWITCHES: Final = {
    Action.SWITCH: "swap the second cards",
    Action.NO_SWITCH: "keep the cards as dealt",
}
_ENDINGS: Final = {
    Outcome.NATURAL: " with a natural",
    Outcome.BUST: f", over {BUST_LIMIT}",
    Outcome.SURRENDER: " by surrender",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One event in words and in data."""

    kind: str
    """The type of the event as JSON names it: `dealt`, `insurance_settled`."""
    seat: str
    """Who it is about: `dealer`, `shoe`, `table`, `spot 1` or `hand 1`."""
    spot: int | None
    """The spot of that hand; None if the event is about no player."""
    text: str
    """A sentence."""
    brief: str
    """The same beside the seat, in a list of cards and payments; empty if it has no row there."""
    data: dict[str, object]
    """The fields of the event."""

    def to_json(self) -> dict[str, object]:
        """Return the event as an object: its type and its fields."""
        return {"type": self.kind} | self.data


class Narrator:
    """Turns the events of a table into messages; `board` is the table after the last of them."""

    def __init__(
        self,
        rules: Rules,
        *,
        company: Sequence[str | None] = (),
        you: str = "You",
        write_card: Callable[[Card], str] = str,
    ) -> None:
        """Name the seats: `company` by spot, None for yours (default: all are), and `you`."""
        self.board = events.Board(rules)
        self.company = company
        self._you = you
        self._write_card = write_card

    def name_company(self, hand: int) -> str:
        """Return the name of the company at a hand; empty if the hand is yours."""
        return (self.company[self.board.spots[hand]] or "") if self.company else ""

    def name_hand(self, hand: int) -> str:
        """Return the name of a hand: `You`, `Hand 2` if you have several, `mimic (2)`."""
        seat, spots = self.name_company(hand), self.board.spots
        if seat:
            number = spots[: hand + 1].count(spots[hand])
            return seat if number == 1 else f"{seat} ({number})"
        yours = [one for one in range(len(spots)) if not self.name_company(one)]
        return self._you if len(yours) == 1 else f"Hand {yours.index(hand) + 1}"

    def _name_spot(self, bet: str, spot: int) -> str:
        """Name a bet of a spot: `Insurance`, `Insurance 2` if you have several."""
        name = self.company[spot] if self.company else None
        if name:
            return f"{bet} of {name}"
        yours = [one for one, seat in enumerate(self.company) if not seat]
        yours = yours or sorted(set(self.board.spots))
        return bet if len(yours) == 1 else f"{bet} {yours.index(spot) + 1}"

    def hear(self, event: events.Event) -> Message:
        """Put an event on the board, and return its message."""
        self.board.hear(event)
        seat, brief, text = self._word(event)
        hand = getattr(event, "hand", None)
        spot = getattr(event, "spot", None) if hand is None else self.board.spots[hand]
        data = {name: self._write(value) for name, value in event._asdict().items()}
        kind, text = name_kind(event), f"{text}."
        return Message(kind=kind, seat=seat, spot=spot, text=text, brief=brief, data=data)

    def _word(self, event: events.Event) -> tuple[str, str, str]:
        """Return who an event is about, and the event in brief and as a sentence."""
        match event:
            case events.Shuffled(cards):
                brief = "shuffled" if cards is None else f"{cards} cards, shuffled"
                return "shoe", brief, "The cards are shuffled"
            case events.RoundStarted(bets):
                placed = ", ".join(map(str, bets))
                return "table", "", f"A round begins, bets {placed}"
            case events.Dealt(hand, card, total):
                got = f"{self._write_card(card)}: {total}"
                who = _do(self.name_hand(hand), "get")
                return f"hand {hand + 1}", f"gets {got}", f"{who} {got}"
            case events.DealerDealt(card, total):
                got = "a card face down" if card is None else f"{self._write_card(card)}: {total}"
                did = f"busts with {total}" if total > BUST_LIMIT else f"gets {got}"
                return _DEALER, f"gets {got}", f"The dealer {did}"
            case events.Peeked(has_natural):
                found = "a natural" if has_natural else "no natural"
                return _DEALER, f"looks: {found}", f"The dealer looks at the hole card: {found}"
            case events.Revealed(cards, total):
                shown = f"turns up {' '.join(map(self._write_card, cards))}: {total}"
                return _DEALER, shown, f"The dealer {shown}"
            case events.Acted(hand, Action.SWITCH | Action.NO_SWITCH as action):
                who = self.name_company(hand) or self._you
                return "table", "", _do(who, _SWITCHES[action])
            case events.Acted(hand, action):
                return f"hand {hand + 1}", "", _do(self.name_hand(hand), action.verb)
            case events.DealerActed(action, total):
                return _DEALER, "", f"{_do('The dealer', action)} with {total}"
            case events.InsuranceSettled() | events.SideBetSettled() | events.TurnedUp():
                return self._word_aside(event)
            case events.Settled(hand, outcome, total, bet, net):
                brief = f"{outcome} with {total}, bet {format_chips(bet)}: {signed(net)}"
                return f"hand {hand + 1}", brief, self._word_result(event)
            case events.RoundEnded(net):
                return "table", "", f"The round is over, net {signed(net)}"
        assert_never(event)

    def _word_aside(
        self, event: events.InsuranceSettled | events.SideBetSettled | events.TurnedUp
    ) -> tuple[str, str, str]:
        """Return the words of `_word` for bets beside the main one."""
        match event:
            case events.TurnedUp(card):
                shown = f"turns up {self._write_card(card)} for the side bets"
                return _DEALER, shown, f"The dealer {shown}"
            case events.SideBetSettled(spot, bet, row, _, net):
                bets = self.board.rules.side_bets
                title = next(one.title.partition(",")[0] for one in bets if one.code == bet)
                whose, brief = self._name_spot(title, spot), f"{bet} {row}"
                text = f"{whose}: {row}, {_win_or_lose(net)}" if net > 0 else ""
                text = text or f"{whose} {_win_or_lose(net)}"
                return f"spot {spot + 1}", f"{brief} {signed(net)}", text
            case events.InsuranceSettled(spot, net):
                text = f"{self._name_spot('Insurance', spot)} {_win_or_lose(net)}"
                return f"spot {spot + 1}", f"insurance {signed(net)}", text

    def _word_result(self, event: events.Settled) -> str:
        verb = _VERBS.get(event.outcome, "lose")
        is_paid = self.board.rules.betting and event.outcome is not Outcome.PUSH
        amount = f" {format_chips(abs(event.net))}" if is_paid else ""
        if is_paid and not event.net:
            amount = " a free bet"  # which the house had paid
        if event.outcome is Outcome.WIN and (why := self._won_at_once(event)):
            return f"{_do(self.name_hand(event.hand), verb)}{amount} with {why}"
        loses_tie = event.outcome is Outcome.LOSE and event.total == self.board.dealer_total
        ending = _ENDINGS.get(event.outcome) or self._against(event.total, loses_tie=loses_tie)
        return f"{_do(self.name_hand(event.hand), verb)}{amount}{ending}"

    def _won_at_once(self, event: events.Settled) -> str:
        """Say by what a hand won before the dealer played, if the rules let it."""
        rules, cards = self.board.rules, len(self.board.hands[event.hand])
        if rules.charlie is not None and cards >= rules.charlie:
            return f"{cards} cards"
        if rules.bonuses is not None and event.net > event.bet:
            name = rules.bonuses.name_of(self.board.hands[event.hand])
            return f"{name}, paid {write_pays(event.net / event.bet)}"
        is_21 = event.total == BUST_LIMIT and rules.player_21 is Player21.ALWAYS_WINS
        return str(BUST_LIMIT) if is_21 else ""

    def _against(self, total: int, *, loses_tie: bool) -> str:
        """Say what a hand met, unless the dealer has not shown all cards."""
        dealer, cards = self.board.dealer_total, self.board.dealer
        if len(cards) < 2 or None in cards:
            return ""
        if dealer == BUST_LIMIT + 1 and self.board.rules.pushes_22:
            return ", the dealer has 22"
        if dealer > BUST_LIMIT:
            return ", the dealer is bust"
        if dealer == BUST_LIMIT and len(cards) == 2:
            return ", the dealer has a natural"
        return f", {total} against {dealer}" + (", and the dealer wins ties" if loses_tie else "")

    def _write(self, value: object) -> object:
        match value:
            case Card():
                return self._write_card(value)
            case Wager():
                return write_wager(value)
            case tuple():
                return [self._write(item) for item in value]
        return value


def write_wager(wager: Wager) -> object:
    """Return bets as a value of JSON: the chips alone where there are no side bets."""
    return {"bet": wager.main, "side": dict(wager.side)} if wager.side else wager.main


def needs_message(event: events.Event, board: events.Board, player_spots: Sequence[int]) -> bool:
    """Whether an event needs a message where cards are drawn: they alone do not show it.

    `board` has heard it already.
    """
    match event:
        case events.Shuffled(cards):
            return cards is not None
        case events.DealerDealt(_, total):
            return total > BUST_LIMIT
        case events.Acted(hand, action):
            is_side_bet = action in (Action.INSURANCE, Action.EVEN_MONEY)
            is_other = board.spots[hand] not in player_spots
            return is_side_bet or (is_other and not action.declines)
    kinds = events.Peeked | events.InsuranceSettled | events.SideBetSettled | events.TurnedUp
    return isinstance(event, kinds)


def name_kind(event: events.Event) -> str:
    """Return the type of an event as JSON names it: `insurance_settled`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", type(event).__name__).lower()


def _win_or_lose(net: Fraction) -> str:
    if not net:
        return "is returned"
    return f"{'wins' if net > 0 else 'loses'} {format_chips(abs(net))}"


def _do(name: str, verb: Action | str) -> str:
    """Write who does what: `You take insurance`, `Hand 2 takes insurance`, `mimic pushes`."""
    if name == "You":
        return f"{name} {verb}"
    first, *rest = str(verb).split()
    return " ".join((name, f"{first}{'es' if first.endswith('sh') else 's'}", *rest))


HEADINGS: Final = ("round", "when", "house", "hand", "outcome", "bet", "net", "bankroll", "cost")
LEFT: Final = 5
"""How many of the columns are flush left."""
_LONGEST_HOUSE: Final = 12


def row_of(stored: records.SettledRound, cost: learning.RoundCost) -> tuple[str, ...]:
    """Return a round as the columns of `HEADINGS`; its time is local.

    The last column is what mistakes cost, in chips; empty where there is none.
    """
    hands, name = stored.own_hands, name_of(stored.session.rules)
    return (
        str(stored.id),
        f"{stored.settled_at.astimezone():%m-%d %H:%M}",
        name if len(name) <= _LONGEST_HOUSE else f"{name[: _LONGEST_HOUSE - 3]}...",
        write_settled_hand(stored),
        ", ".join(str(hand.outcome) for hand in hands),
        write_initial_bets(stored),
        signed(stored.net),
        format_chips(stored.bankroll),
        write_chips(cost.cost) if cost.mistakes else "",
    )


def write_initial_bets(stored: records.SettledRound) -> str:
    """Write the bets before the deal: `10`, and `10+3` with 3 chips on side bets."""
    side = sum((one.stake for one in stored.own_side), start=stored.net * 0)
    main = format_chips(stored.initial_bet)
    return f"{main}+{format_chips(side)}" if side else main


def write_settled_hand(stored: records.SettledRound) -> str:
    """Write one's own hand and the upcard: `TC 6D 9H v 9C`; several hands by their number.

    Where the house shows both dealer cards, they are written.
    """
    rules = stored.session.rules
    up = prepare(rules, len(stored.record.bets)).up_index
    dealer = stored.dealer[:2] if rules.shows_hole else stored.dealer[up : up + 1]
    hands = stored.own_hands
    mine = " ".join(map(str, hands[0].cards)) if len(hands) == 1 else f"{len(hands)} hands"
    return f"{mine} v {' '.join(map(str, dealer))}"
