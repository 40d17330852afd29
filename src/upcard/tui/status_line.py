"""The line on top and the question above the keys."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rich.text import Text

from upcard.core.actions import Action
from upcard.core.cards import DECK
from upcard.core.chip_format import format_chips, signed
from upcard.core.hands import BUST_LIMIT
from upcard.rules.settings import Shuffle
from upcard.session.buy_in import shortage_at
from upcard.table.state import Phase
from upcard.tui.cards import write_card
from upcard.tui.event_messages import name_hands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from upcard.session.game_session import GameSession
    from upcard.table.view import TableView
    from upcard.tui.appearance import Appearance
    from upcard.tui.table import TableScreen
    from upcard.tui.table_drawing import Styles

_GAUGE: Final = 8
_GAP: Final = 2


def write_head(session: GameSession, look: Appearance, styles: Styles, *, width: int) -> Text:
    """Write the table's title on the left, chips and shoe on the right, in one line.

    What has no room is left out whole: the notation, then the long title, the shoe, the net.
    """
    practice = Text("  practice" if session.kept is None else "", styles.bad)
    gauge = Text("  ").append_text(_gauge(session, look, styles))
    chips, net = _chips(session, styles)
    name = session.rules.name or str(session.rules.replace(name=""))
    notation = f"  {session.rules.replace(name='')}"
    titles = [(session.plan.title, notation), (session.plan.title, ""), (name, "")]
    rights = [[chips, net, practice, gauge], [chips, net, practice], [chips, practice], [chips]]
    for found in (titles, [("", "")]):
        for parts in rights:
            right = Text.assemble(*parts)
            for title, more in found:
                left = Text(title, styles.ink).append(more, styles.muted)
                gap = width - left.cell_len - right.cell_len
                if gap >= _GAP * bool(title):
                    return left.append(" " * gap).append_text(right)
    return chips


def _chips(session: GameSession, styles: Styles) -> tuple[Text, Text]:
    """Write the chips, or the score of a house without bets; and what was won or lost."""
    bank = session.bank
    if bank.balance is None:
        return Text(bank.standing, styles.active), Text()
    on_table = session.on_table
    chips = Text(f"{format_chips(bank.balance - on_table)} chips", styles.active)
    if on_table:
        chips.append(f" + {format_chips(on_table)} bet")
    return chips, Text(f" ({signed(bank.net)})", _sign(session, styles))


def _sign(session: GameSession, styles: Styles) -> str:
    net = session.bank.net
    return styles.good if net > 0 else styles.bad if net < 0 else styles.muted


def _gauge(session: GameSession, look: Appearance, styles: Styles) -> Text:
    """Draw how much of the shoe is dealt; the cut card stands where the rules put it."""
    rules = session.rules
    if rules.is_infinite:
        return Text("infinite deck", styles.muted)
    if rules.shuffle is Shuffle.EVERY_ROUND:
        return Text("shuffled every hand", styles.muted)
    cards = (rules.decks or 1) * len(DECK)
    shoe = session.table.shoe
    left = shoe.cards_left
    if left is None or not shoe.has_cut_card:
        return Text(f"{left or 0} card{'' if left == 1 else 's'} left", styles.muted)
    # Before the first round a shoe may hold nothing: the shuffle comes with it.
    dealt = (cards - left) / cards if left else 0.0
    full, empty = ("#", ".") if look.ascii_only else ("█", "░")
    filled = round(_GAUGE * dealt)
    cut = round(_GAUGE * float(rules.penetration))
    text = Text("shoe ", styles.muted)
    for cell in range(_GAUGE):
        style = styles.active if cell < filled else styles.muted
        text.append(full if cell < filled else empty if cell < cut else " ", style)
    return text.append(f" {dealt:.0%}", styles.muted)


def write_asked(screen: TableScreen, *, asked: Sequence[Action], is_dealing: bool) -> Text:
    """Write what the table asks, or how the round ended and what Enter does."""
    if is_dealing:
        return Text()
    if asked:
        return _fitting(_questions(screen, asked), screen.columns)
    return _fitting(_between(screen), screen.columns)


def _fitting(wordings: Iterable[Text], width: int) -> Text:
    """Return the first wording that fits, the last and shortest if none does."""
    text = Text()
    for text in wordings:
        if text.cell_len <= width:
            break
    return text


def _between(screen: TableScreen) -> Iterator[Text]:
    """Word what Enter does between two hands, the longest first."""
    session, styles = screen.session, screen.app.inks
    ended = Text()
    if session.net is not None and not screen.is_betting:
        ended = _result(session, styles).append("  ")
    if screen.betting.is_over:
        room = screen.columns - ended.cell_len
        yield ended.copy().append(screen.betting.end_within(room), styles.muted)
        return
    if screen.betting.question:
        yield from _ask_count(screen, ended)
        return
    shortage = shortage_at(session)
    if shortage is not None:
        yield ended.copy().append(str(shortage), styles.bad)
        yield Text(str(shortage), styles.bad)
        yield ended.copy().append("Too few chips.", styles.bad)
        return
    style = styles.ink if screen.betting.entry.typed else styles.muted
    for words in _offers(screen):
        yield ended.copy().append(words, style)
    yield ended


def _ask_count(screen: TableScreen, ended: Text) -> Iterator[Text]:
    ink, wordings = screen.app.inks.ink, list(screen.betting.count.wordings())
    yield ended.copy().append(wordings[0], ink)
    for words in wordings:
        yield Text(words, ink)


def _offers(screen: TableScreen) -> Iterator[str]:
    hands, entry = len(screen.session.player_spots), screen.betting.entry
    on = "" if hands == 1 else f" on each of {hands} hands"
    if not screen.session.rules.betting:
        yield "Enter deals."
    elif entry.typed:
        yield f"Your bet{on}: {entry.typed}_"
        yield f"Your bet: {entry.typed}_"
    else:
        yield f"Enter bets {entry.words}{on}; type another, or + and -"
        yield f"Enter bets {entry.words}{on}; type another"
        yield f"Enter bets {entry.words}{on}"
        yield f"Enter bets {entry.words}"


def _result(session: GameSession, styles: Styles) -> Text:
    net = session.net or Fraction(0)
    if not session.rules.betting:
        words = "You win." if net > 0 else "You lose." if net < 0 else "A tie."
    else:
        amount = format_chips(abs(net))
        words = f"You win {amount}." if net > 0 else f"You lose {amount}." if net < 0 else "Even."
    if any(hand.is_natural for hand in session.state.hands if hand.spot in session.player_spots):
        words = f"Blackjack! {words}"
    return Text(words, styles.good if net > 0 else styles.bad if net < 0 else styles.ink)


def _questions(screen: TableScreen, asked: Sequence[Action]) -> Iterator[Text]:
    """Word the question of the active hand, the longest first."""
    view = screen.session.table.view()
    spots = [one.spot for one in view.hands]
    player_spots = [
        index for index, spot in enumerate(spots) if spot in screen.session.player_spots
    ]
    prefixes = [""]
    if len(player_spots) > 1:
        place = player_spots.index(view.active) + 1
        name = name_hands(spots, screen.names)[view.active]
        prefixes = [
            f"Hand {place} of {len(player_spots)}, {name}: ",
            f"Hand {place} of {len(player_spots)}: ",
            f"{place}/{len(player_spots)}: ",
        ]
    offer = _offer(view.phase, asked)
    for prefix in prefixes:
        yield _question(view, screen.app.look, prefix, f".  {offer}", is_short=False)
    yield _question(view, screen.app.look, prefixes[-1], f". {offer}", is_short=True)


def _question(
    view: TableView, look: Appearance, prefix: str, offer: str, *, is_short: bool
) -> Text:
    hand, upcard = view.hand, view.upcard
    text = Text(prefix)
    if not is_short:
        for card in hand.cards:
            text.append_text(write_card(card, look)).append(" ")
        text.append("is ")
    soft = "soft " if hand.is_soft and hand.total < BUST_LIMIT else ""
    text.append("blackjack" if hand.is_natural else f"{soft}{hand.total}")
    if upcard is not None:
        text.append(" v " if is_short else " against ").append_text(write_card(upcard, look))
    return text.append(offer)


def _offer(phase: Phase, asked: Sequence[Action]) -> str:
    if Action.EVEN_MONEY in asked:
        return "Even money?"
    if phase is Phase.INSURANCE:
        return "Insurance?"
    if phase is Phase.SURRENDER:
        return "Surrender?"
    if phase is Phase.SPLIT:
        return "Split the pair?"
    return ""
