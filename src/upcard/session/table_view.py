"""A table as a front-end shows it: title, chips, shoe, cards, question, answers, keys and company.

Everything here is public at the table: it comes from the events and from what the session offers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from string import ascii_lowercase
from typing import TYPE_CHECKING, Final, NamedTuple

from upcard.core.actions import LETTERS, Action, Outcome
from upcard.core.cards import Card
from upcard.core.hands import BUST_LIMIT
from upcard.core.numbers import count_of, fields_of, format_chips, signed
from upcard.players.play_rounds import extra_bet
from upcard.rules.settings import Shuffle
from upcard.table.events import Board, Revealed
from upcard.table.state import Phase, TableView

if TYPE_CHECKING:
    from upcard.fair.seeds import Reveal
    from upcard.session.coaching import CoachQueue
    from upcard.session.game_session import GameSession
    from upcard.store.kept_table import KeptTable


class AnswerKey(NamedTuple):
    """A key that answers: the id by which a keymap moves it, its name and its effect."""

    key: str
    id: str
    name: str
    effect: str


ANSWER_KEYS: Final = (
    AnswerKey("h", "answer.hit", "Hit", "Take a card"),
    AnswerKey("s", "answer.stand", "Stand", "Take no more cards"),
    AnswerKey("d", "answer.double", "Double", "Raise the bet and take one card"),
    AnswerKey("p", "answer.split", "Split", "Play a pair as two hands"),
    AnswerKey("r", "answer.surrender", "Surrender", "Give up half of the bet"),
    AnswerKey("i", "answer.insure", "Insure", "Take insurance or even money"),
    AnswerKey("n", "answer.no", "No", "Decline an offer"),
)
YES: Final = AnswerKey("y", "answer.yes", "Yes", "Take what is offered")
KEYS: Final = LETTERS | {
    Action.INSURANCE: "i",
    Action.NO_INSURANCE: "n",
    Action.EVEN_MONEY: "i",
    Action.NO_EVEN_MONEY: "n",
    Action.NO_SPLIT: "n",
    Action.NO_SURRENDER: "n",
    Action.SWITCH: YES.key,
    Action.NO_SWITCH: "n",
}
"""The key of each answer. Where two share one, no house asks for both at once."""


_OFFERS: Final = {
    Phase.INSURANCE: "Insurance?",
    Phase.SURRENDER: "Surrender?",
    Phase.SPLIT: "Split the pair?",
    Phase.SWITCH: "Switch the second cards?",
}


def find_answer(key: str, options: Iterable[Action]) -> Action | None:
    """Return the answer among `options` that a key stands for; `y` takes what is offered."""
    possible = tuple(options)
    if key == YES.key and possible and possible[-1].declines:
        return possible[0]
    return next((action for action in possible if KEYS[action] == key), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandView:
    """One hand on the table, and the words around it."""

    name: str
    """`you`, `you 1a`, or the name of a bot."""
    cards: tuple[Card, ...]
    """The cards in the order in which they came."""
    total: str
    """`16`, `soft 17`; empty before its first card."""
    short_total: str
    """`7/17` for a soft total."""
    bet: str
    """In chips, `10` or `10 + 10 free`; empty in a house without bets."""
    paid: str
    """The chips of `bet` that are lost if the hand loses; empty if there are none."""
    free: str
    """`10 free`: what the house has added; empty if there is nothing."""
    word: str
    """Its last action, or how it ended: `doubled`, `win +10`."""
    net: Fraction
    """Its net in chips; 0 until it is settled."""
    is_own: bool
    """Whether you play it."""
    is_active: bool
    """Whether it is the hand that the question is about."""
    side: tuple[SideBetView, ...] = ()
    """The side bets of its spot, if it is the first hand there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBetView:
    """A side bet on the table, at the first hand of its spot."""

    code: str
    """Short name of the bet."""
    chips: str
    row: str
    """The row that paid, or `lost`; empty while it is open."""
    net: Fraction
    """Its net in chips; 0 until it is settled."""

    def __str__(self) -> str:
        """Write it in brief: `21+3 2`, settled `21+3 straight +18`."""
        return f"{self.code} {f'{self.row} {signed(self.net)}' if self.row else self.chips}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerView:
    """The dealer's cards; one face down is None."""

    cards: tuple[Card | None, ...]
    """The cards in the order of the deal; one face down is None."""
    total: str
    """Total of the cards that are up: `17`, `soft 17`, `natural`, `24 bust`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeView:
    """How much of the shoe is dealt, in words or, if it has a cut card, as a share."""

    words: str = ""
    """The shoe in words: `infinite deck`; empty if it has a cut card."""
    dealt: float = 0.0
    """Share of the shoe that is dealt, 0 to 1; 0 without a cut card."""
    cut: float = 1.0
    """Share of the shoe before the cut card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedView:
    """The question to the person, and the answers by their keys."""

    cards: tuple[Card, ...]
    """The cards of the active hand."""
    total: str
    """`16`, `soft 17` or `blackjack`."""
    upcard: Card | None
    """The dealer's upcard; None while there is none."""
    hole: Card | None
    """The dealer's hole card; None unless the house shows it."""
    name: str
    """The name of the hand, if the person plays several; else empty."""
    place: int
    """Its place among the person's hands, from 1."""
    hands: int
    """Number of hands that the person plays, split ones included."""
    offer: str
    """`Insurance?`; where a hand is played, which bets the house pays, if any."""
    answers: dict[str, str]
    """Each answer with its key."""
    can_undo: bool
    """Whether the last answer can be taken back."""

    @property
    def dealer(self) -> tuple[Card, ...]:
        """The dealer's cards that are seen."""
        return tuple(card for card in (self.upcard, self.hole) if card is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """A table at one moment. Units: chips."""

    title: str
    """Title of the table: `Blackjack by rules of your own`."""
    rules: str
    is_kept: bool
    """Whether the rounds are saved."""
    balance: Fraction | None
    """Chips that are not on the table; None in a house without bets."""
    on_table: Fraction
    """Chips bet in this round."""
    net: Fraction
    """Chips won or lost since you sat down."""
    standing: str
    """The chips in words: `Balance 4775`; without bets the rounds won and lost."""
    shoe: ShoeView
    """How much of the shoe is dealt."""
    dealer: DealerView
    """The dealer's cards."""
    hands: tuple[HandView, ...]
    """All hands on the table by spot, split ones beside each other."""
    asked: AskedView | None
    """None between rounds."""
    result: str
    """How the last round ended: `You win 10.`; empty before its end."""
    company: dict[str, Fraction]
    """Net of each bot so far."""
    verdicts: tuple[str, ...]
    """Verdicts of the coach on the last round, as sentences."""


def view_session(
    session: GameSession, board: Board, coaching: CoachQueue | None = None
) -> SessionView:
    """Return what is shown of a session whose events `board` has heard."""
    balance, on_table = session.bank.balance, session.on_table
    active = session.state.active if session.options else -1
    own, names = session.player_spots, name_spots(session.seats, session.player_spots)
    has_bets = session.rules.betting
    return SessionView(
        title=session.plan.title,
        rules=session.rules.notation,
        is_kept=session.kept is not None,
        balance=None if balance is None else balance - on_table,
        on_table=on_table,
        **fields_of(session.bank, "net", "standing"),
        shoe=view_shoe(session),
        dealer=view_dealer(board),
        hands=view_hands(board, names, active=active, own=own, has_bets=has_bets),
        asked=view_question(session),
        result="" if session.net is None else write_result(session),
        company={seat.name: Fraction(seat.net) for seat in session.seats if seat is not None},
        verdicts=tuple(one.text for one in coaching.verdicts) if coaching is not None else (),
    )


def view_shoe(session: GameSession) -> ShoeView:
    """Return how much of the shoe is dealt."""
    rules, shoe = session.rules, session.table.shoe
    if rules.is_infinite:
        return ShoeView(words="infinite deck")
    if rules.shuffle is Shuffle.EVERY_ROUND:
        return ShoeView(words="shuffled every hand")
    left = shoe.cards_left
    if left is None or not shoe.has_cut_card:
        return ShoeView(words=f"{count_of(left or 0, 'card')} left")
    # Before the first round a shoe may hold nothing: the shuffle comes with it.
    cards = rules.full_shoe.size
    return ShoeView(dealt=(cards - left) / cards if left else 0.0, cut=float(rules.penetration))


def view_dealer(board: Board) -> DealerView:
    """Return the dealer's cards and what those that are up count."""
    shown = [card for card in board.dealer if card is not None]
    total = _write_total(board, shown, board.dealer_total) if shown else ""
    if len(shown) == len(board.dealer) == 2 and board.dealer_total == BUST_LIMIT:
        total = "natural"
    elif board.dealer_total > BUST_LIMIT:
        total += " bust"
    return DealerView(cards=tuple(board.dealer), total=total)


def view_hands(
    board: Board,
    names: Sequence[str],
    *,
    active: int = -1,
    own: Collection[int] = (),
    has_bets: bool = True,
) -> tuple[HandView, ...]:
    """Return all hands; `names` and `own` are by spot, `active` is the active hand."""
    found = []
    for index, name in enumerate(name_hands(board.spots, names)):
        cards, word, result = board.hands[index], board.words[index], board.results[index]
        spot = board.spots[index]
        total = _write_total(board, cards, board.totals[index]) if cards else ""
        if result is not None:
            word = str(result.outcome)
            if has_bets and result.net and result.outcome is not Outcome.PUSH:
                word += f" {signed(result.net)}"
        stake, house = board.bets[index], board.free[index]
        paid = format_chips(stake) if has_bets and stake else ""
        free = f"{format_chips(house)} free" if house else ""
        is_soft = total.startswith("soft")
        hand = HandView(
            name=name,
            cards=tuple(cards),
            total=total,
            short_total=f"{board.totals[index] - 10}/{board.totals[index]}" if is_soft else total,
            bet=" + ".join(filter(None, (paid, free))),
            paid=paid,
            free=free,
            word=word,
            net=Fraction(0) if result is None else Fraction(result.net),
            is_own=spot in own,
            is_active=index == active,
            side=_view_side(board, spot) if board.spots.index(spot) == index else (),
        )
        found.append(hand)
    return tuple(found)


def _view_side(board: Board, spot: int) -> tuple[SideBetView, ...]:
    """Return the side bets of a spot, the open ones first."""
    open_bets = [
        SideBetView(code=code, chips=format_chips(chips), row="", net=Fraction(0))
        for code, chips in board.side[spot].items()
    ]
    settled = [
        SideBetView(code=one.bet, chips=format_chips(one.stake), row=one.row, net=one.net)
        for one in board.side_results
        if one.spot == spot
    ]
    return (*open_bets, *settled)


def view_question(session: GameSession) -> AskedView | None:
    """Return the question to the person; None if there is none."""
    asked = session.options
    if not asked:
        return None
    view = session.table.view()
    spots = [one.spot for one in view.hands]
    own = [index for index, spot in enumerate(spots) if spot in session.player_spots]
    names = name_hands(spots, name_spots(session.seats, session.player_spots))
    hand = view.hand
    soft = "soft " if hand.is_soft and hand.total < BUST_LIMIT else ""
    offer = "Even money?" if Action.EVEN_MONEY in asked else _OFFERS.get(view.phase, "")
    return AskedView(
        cards=hand.cards,
        total="blackjack" if hand.is_natural else f"{soft}{hand.total}",
        upcard=view.upcard,
        hole=view.hole,
        name=names[view.active] if len(own) > 1 else "",
        place=own.index(view.active) + 1,
        hands=len(own),
        offer=offer or say_free(view, asked),
        answers={str(action): KEYS[action] for action in asked},
        can_undo=session.can_undo,
    )


def write_result(session: GameSession) -> str:
    """Write how the last round ended: `You win 10.`, `Blackjack! You win 15.`, `A tie.`."""
    net = session.net or Fraction(0)
    amount = f" {format_chips(abs(net))}" if session.rules.betting else ""
    own = [hand for hand in session.state.hands if hand.spot in session.player_spots]
    even = "A tie."
    if session.rules.betting:
        even = "Push: your bet comes back." if len(own) == 1 else "Even: you win what you lose."
    words = f"You {'win' if net > 0 else 'lose'}{amount}." if net else even
    return f"Blackjack! {words}" if any(hand.is_natural for hand in own) else words


def name_spots(seats: Sequence[object | None], player_spots: Sequence[int]) -> tuple[str, ...]:
    """Return a short name for each spot: yours are `you`, or numbered if there are several."""
    names = [str(getattr(seat, "name", seat)).split()[0].partition(":")[0] for seat in seats]
    for number, spot in enumerate(player_spots, start=1):
        names[spot] = "you" if len(player_spots) == 1 else f"you {number}"
    return tuple(names)


def name_company(session: GameSession) -> list[str | None]:
    """Return the names of the company by spot, as a `Narrator` writes them; None for yours."""
    names = name_spots(session.seats, session.player_spots)
    pairs = zip(session.seats, names, strict=True)
    return [None if seat is None else name.capitalize() for seat, name in pairs]


def name_hands(spots: Sequence[int], names: Sequence[str]) -> tuple[str, ...]:
    """Return a name for each hand by its spot; those of a split have letters: `you 1a`, `1b`."""
    named = []
    for index, spot in enumerate(spots):
        name = names[spot] if spot < len(names) else ""
        if name and spots.count(spot) > 1:
            letter = ascii_lowercase[spots[:index].count(spot) % len(ascii_lowercase)]
            name += letter if name[-1].isdigit() else f" {letter}"
        named.append(name)
    return tuple(named)


def turn_up(session: GameSession, board: Board) -> bool:
    """Show the hole card of a round that was settled without it, as a dealer does afterwards."""
    is_hidden = not session.is_playing and None in board.dealer
    if is_hidden:
        board.hear(Revealed(session.state.dealer, session.state.dealer_total))
    return is_hidden


def _write_total(board: Board, cards: Sequence[Card], total: int) -> str:
    is_soft = total < BUST_LIMIT and board.is_soft(list(cards))
    return f"soft {total}" if is_soft else str(total)


def say_free(view: TableView, legal: Sequence[Action]) -> str:
    """Say which answers the house pays for: `Doubling is free.`; empty if none."""
    raising = {Action.DOUBLE: "doubling", Action.SPLIT: "splitting"}
    free = [
        word
        for action, word in raising.items()
        if action in legal and not extra_bet(view.rules, action, view.hand)
    ]
    verb = "are" if len(free) > 1 else "is"
    return f"{' and '.join(free).capitalize()} {verb} free." if free else ""


ABOUT_COMMITMENT: Final = (
    "One SHA-256, fixed before your first card, commits to the rules and to the secret seeds of"
    " all shoes of the session; you may add a seed of your own. After a shoe its secret is shown,"
    " and upcard verify, or any program of yours, deals the same cards again"
)


def tell_commitment(session: GameSession) -> str:
    """Say that the shoe is committed to, before its first card."""
    if session.why_final:
        return ""
    if session.kept is None:
        return "Practice: nothing is saved, and there is no commitment to the cards."
    return "The shuffle is committed to: F shows it."


def tell_reveal(session: GameSession, reveal: Reveal | None) -> str:
    """Say that the shoe is over and where its seed is; empty without a `reveal`."""
    if reveal is None or session.kept is None:
        return ""
    if session.kept.fair_shoe.commitment == reveal.commitment:
        return "The shoe is over: F shows its seed."
    return "The shoe is over: F shows its seed and the commitment of the next ones."


def tell_seed(session: GameSession, text: str) -> str:
    """Say into which shuffle a seed of yours is mixed."""
    if session.kept is None:
        return ""
    when = "this shoe" if session.kept.fair_shoe.player_seed == text.strip() else "the next shoe"
    mixed = "Your seed is mixed" if text.strip() else "No seed of yours is mixed"
    return f"{mixed} into {when}."


def describe_shoe(kept: KeptTable, *, reveals: int) -> list[str]:
    """Return the commitment, your seeds, and the last `reveals` shoes that were revealed."""
    shoe = kept.fair_shoe
    coming = shoe.next_player_seed or "none"
    if shoe.next_commitment is None:
        coming = "none yet; it gets a new commitment first"
    lines = [
        f"{ABOUT_COMMITMENT} (docs/fair-shuffle.md).",
        "",
        "Commitment",
        f"  {shoe.commitment}",
        f"Shoe {shoe.number:<10}your seed: {shoe.player_seed or 'none'}",
        f"The next one   your seed: {coming}",
        "",
    ]
    for reveal in shoe.reveals[-reveals:][::-1]:
        lines += [
            f"Shoe {reveal.number:<10}your seed: {reveal.player_seed or 'none'}, server seed:",
            f"  {reveal.server_seed.hex()}",
        ]
    return lines


def tell_brought(brought: Fraction) -> str:
    """Say what was brought or taken home; empty if nothing was."""
    verb = "bring" if brought > 0 else "take home"
    return f"You {verb} {format_chips(abs(brought))} chips." if brought else ""
