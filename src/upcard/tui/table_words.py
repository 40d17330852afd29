"""Words beside the table: the coach's, the company's chips, refusals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rich.text import Text

from upcard.core.errors import as_sentence
from upcard.core.numbers import format_chips, signed
from upcard.session.betting import TableBetting, count_hands, shortage_at
from upcard.session.coaching import CoachVoice
from upcard.session.game_session import GameSession
from upcard.session.table_view import view_question, view_shoe, write_result
from upcard.table.legal import Refusal
from upcard.tui.action_bar import SELDOM, Key
from upcard.tui.appearance import Appearance
from upcard.tui.cards import write_card, write_cards
from upcard.tui.coach_words import write_round, write_value_table, write_values
from upcard.tui.table_drawing import Styles

if TYPE_CHECKING:
    from upcard.tui.table import TableScreen

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
    return chips, Text(f" ({signed(bank.net)})", styles.of(bank.net))


def _gauge(session: GameSession, look: Appearance, styles: Styles) -> Text:
    """Draw how much of the shoe is dealt; the cut card stands where the rules put it."""
    shoe = view_shoe(session)
    if shoe.words:
        return Text(shoe.words, styles.muted)
    full, empty = ("#", ".") if look.ascii_only else ("█", "░")
    filled, cut = round(_GAUGE * shoe.dealt), round(_GAUGE * shoe.cut)
    text = Text("shoe ", styles.muted)
    for cell in range(_GAUGE):
        style = styles.active if cell < filled else styles.muted
        text.append(full if cell < filled else empty if cell < cut else " ", style)
    return text.append(f" {shoe.dealt:.0%}", styles.muted)


def write_asked(screen: TableScreen, *, is_asked: bool, is_dealing: bool) -> Text:
    """Write what the table asks, or how the round ended and what Enter does."""
    if is_dealing:
        return Text()
    return _fitting(_questions(screen) if is_asked else _between(screen), screen.columns)


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
        style = styles.of(session.net, even=styles.ink)
        ended = Text(write_result(session), style).append("  ")
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


def _questions(screen: TableScreen) -> Iterator[Text]:
    """Word the question of the active hand, the longest first."""
    asked = view_question(screen.session)
    if asked is None:
        return
    prefixes = [""]
    if asked.hands > 1:
        place = f"Hand {asked.place} of {asked.hands}"
        prefixes = [f"{place}, {asked.name}: ", f"{place}: ", f"{asked.place}/{asked.hands}: "]
    look = screen.app.look
    upcard = Text() if asked.upcard is None else write_card(asked.upcard, look)
    for prefix in prefixes:
        text = Text(prefix).append_text(write_cards(asked.cards, look)).append(" is ")
        text.append(asked.total).append(" against " if upcard else "").append_text(upcard)
        yield text.append(f".  {asked.offer}")
    text = Text(prefixes[-1] + asked.total).append(" v " if upcard else "").append_text(upcard)
    yield text.append(f". {asked.offer}")


def write_coach(screen: TableScreen, *, is_asked: bool, is_between: bool) -> list[Text]:
    """Write what the coach says now: values before an answer, verdicts after the hand."""
    look, inks, voice = screen.app.look, screen.app.inks, screen.app.voice
    if voice is CoachVoice.BEFORE and is_asked:
        if screen.coaching.why_no_value:
            return [Text(f"No value: {screen.coaching.why_no_value}", inks.muted)]
        advice = screen.coaching.advice
        if advice is None:
            return [Text("The coach is working it out.", inks.muted)]
        if screen.is_wide:
            return write_value_table(advice, look, inks)
        return write_values(advice, look, inks, width=screen.columns)
    if voice is not CoachVoice.SILENT and is_between:
        return write_round(screen.coaching.verdicts, inks, has_room=screen.is_wide)
    return []


def write_company(screen: TableScreen) -> list[Text]:
    """Write what the bots have won or lost so far."""
    seats = [seat for seat in screen.session.seats if seat is not None]
    if not seats:
        return []
    lines = [Text("Company", screen.app.inks.active)]
    lines += [Text(f"  {seat.name:<28}{signed(Fraction(seat.net)):>8}") for seat in seats]
    return [*lines, Text()]


def write_refusal(refusal: Refusal, look: Appearance, *, width: int) -> str:
    """Write why an answer cannot be given, with the cards as they are drawn.

    What is legal is added where the line has room: the keys show it too.
    """
    hand = "" if refusal.hand is None else f" {write_cards(refusal.hand.cards, look).plain}"
    upcard = "" if refusal.upcard is None else f" v {write_card(refusal.upcard, look).plain}"
    words = as_sentence(f"cannot {refusal.action.verb}{hand}{upcard}: {refusal.reason}")
    full = f"{words} Legal: {', '.join(refusal.legal)}."
    return full if refusal.legal and len(full) <= width else words


def betting_keys(betting: TableBetting) -> list[Key]:
    """Return the keys that do something between hands."""
    if betting.is_over:
        return [Key("table.deal", "Enter", "go on" if betting.then else "leave")]
    if betting.question:
        typed = betting.count.typed
        skip = [Key("escape", "Esc", "skip")] if typed else []
        return [Key("table.deal", "Enter", f"answer {typed}" if typed else "skip"), *skip]
    shortage = shortage_at(betting.session)
    if shortage is not None:
        most = shortage.most_hands
        enter = [Key("table.deal", "Enter", f"play {count_hands(most)}")] if most else []
        return [*enter, Key("table.chips", "B", "bring chips")]
    if not betting.session.rules.betting:
        return [Key("table.deal", "Enter", "deal")]
    return [
        Key("table.deal", "Enter", f"deal {betting.entry.words}"),
        Key("table.more", "+", "more", SELDOM),
        Key("table.less", "-", "less", SELDOM),
    ]
