"""Words beside the table: the coach's, the company's chips, refusals."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rich.text import Text

from upcard.core.chip_format import signed
from upcard.core.sentences import as_sentence
from upcard.session.coaching import CoachVoice
from upcard.tui.cards import write_card, write_cards
from upcard.tui.coach_words import write_round, write_value_table, write_values

if TYPE_CHECKING:
    from upcard.table.refusal import Refusal
    from upcard.tui.appearance import Appearance
    from upcard.tui.table import TableScreen


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
