"""The line on top and the question above the keys."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rich.text import Text

from upcard.core.actions import Action
from upcard.core.cards import DECK
from upcard.rules.settings import Shuffle
from upcard.sitting.buying_in import shortage_at
from upcard.sitting.chips import format_chips, signed
from upcard.table.state import Phase
from upcard.tui.cards import write_card

if TYPE_CHECKING:
    from collections.abc import Sequence

    from upcard.sitting.sitting import Sitting
    from upcard.tui.look import Look
    from upcard.tui.picture import Styles
    from upcard.tui.table import TableScreen

_GAUGE: Final = 8


def write_head(sitting: Sitting, look: Look, styles: Styles, *, width: int) -> Text:
    """Write the table's title on the left, chips and shoe on the right, in one line."""
    right = Text()
    if sitting.bank.balance is not None:
        on_table = sitting.on_table
        right.append(f"{format_chips(sitting.bank.balance - on_table)} chips", styles.active)
        if on_table:
            right.append(f" + {format_chips(on_table)} bet", styles.active)
        right.append(f" ({signed(sitting.bank.net)})", _sign(sitting, styles))
    else:
        right.append(sitting.bank.standing, styles.active)
    if sitting.kept is None:
        right.append("  practice", styles.bad)
    right.append("  ")
    right.append_text(_gauge(sitting, look, styles))
    room = width - right.cell_len - 2
    title = sitting.plan.title
    notation = f"  {sitting.rules.replace(name='')}"
    left = Text(title if len(title) <= room else f"{title[: max(room - 3, 0)]}...", styles.ink)
    if left.cell_len + len(notation) <= room:
        left.append(notation, styles.muted)
    left.append(" " * max(width - left.cell_len - right.cell_len, 1))
    return left.append_text(right)


def _sign(sitting: Sitting, styles: Styles) -> str:
    net = sitting.bank.net
    return styles.good if net > 0 else styles.bad if net < 0 else styles.muted


def _gauge(sitting: Sitting, look: Look, styles: Styles) -> Text:
    """Draw how much of the shoe is dealt; the cut card stands where the rules put it."""
    rules = sitting.rules
    if rules.is_infinite:
        return Text("infinite deck", styles.muted)
    if rules.shuffle is Shuffle.EVERY_ROUND:
        return Text("shuffled every hand", styles.muted)
    cards = (rules.decks or 1) * len(DECK)
    shoe = sitting.table.shoe
    left = shoe.cards_left
    if left is None or not getattr(shoe, "has_cut_card", False):
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


def ask_words(screen: TableScreen, *, asked: Sequence[Action], is_dealing: bool) -> Text:
    """Write what the table asks, or how the round ended and what Enter does."""
    sitting, styles = screen.sitting, screen.app.inks
    if is_dealing:
        return Text()
    if asked:
        return _question(screen, asked)
    text = Text()
    if sitting.net is not None:
        text.append_text(_result(sitting, styles))
        text.append("  ")
    if screen.betting.is_over:
        room = screen.columns - text.cell_len
        return text.append(screen.betting.end_within(room), styles.muted)
    shortage = shortage_at(sitting)
    if shortage is not None:
        return text.append(str(shortage), styles.bad)
    hands = len(sitting.own)
    on = "" if hands == 1 else f" on each of {hands} hands"
    if not sitting.rules.betting:
        return text.append("Enter deals.", styles.muted)
    entry = screen.betting.entry
    if entry.typed:
        return text.append(f"Your bet{on}: {entry.typed}_")
    return text.append(f"Enter bets {entry.words}{on}; type another, or + and -", styles.muted)


def _result(sitting: Sitting, styles: Styles) -> Text:
    net = sitting.net or Fraction(0)
    if not sitting.rules.betting:
        words = "You win." if net > 0 else "You lose." if net < 0 else "A tie."
    else:
        amount = format_chips(abs(net))
        words = f"You win {amount}." if net > 0 else f"You lose {amount}." if net < 0 else "Even."
    return Text(words, styles.good if net > 0 else styles.bad if net < 0 else styles.ink)


def _question(screen: TableScreen, asked: Sequence[Action]) -> Text:
    sitting, look = screen.sitting, screen.app.look
    view = sitting.table.view()
    hand = view.hand
    text = Text()
    if len([one for one in view.hands if one.spot in sitting.own]) > 1:
        own = [index for index, one in enumerate(view.hands) if one.spot in sitting.own]
        text.append(f"Hand {own.index(view.active) + 1} of {len(own)}: ")
    for card in hand.cards:
        text.append_text(write_card(card, look)).append(" ")
    soft = "soft " if hand.is_soft and hand.total < 21 else ""
    text.append(f"is {soft}{hand.total}")
    if view.upcard is not None:
        text.append(" against ").append_text(write_card(view.upcard, look))
    return text.append(f".  {_offer(view.phase, asked)}")


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
