"""Words beside the table: the coach's values, verdicts, reasons; the company's chips; refusals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

from rich.text import Text

from upcard.analysis.grades import Grade
from upcard.answers import hand
from upcard.coach.judgement import Advice
from upcard.core.actions import Action
from upcard.core.errors import as_sentence
from upcard.core.numbers import count_of, format_chips, signed
from upcard.players.question import HandClass, Question
from upcard.session.coaching import CoachVoice
from upcard.session.seat import Seat
from upcard.session.table_view import view_question, view_shoe, write_result
from upcard.table.legal import Refusal
from upcard.tui.appearance import Appearance
from upcard.tui.drawing import Styles, write_cards
from upcard.tui.keys import SELDOM, Key
from upcard.tui.pages import TextPage

if TYPE_CHECKING:
    from upcard.tui.app import UpcardApp
    from upcard.tui.felt_screen import FeltScreen
    from upcard.tui.table import TableScreen

_BAR: Final = 16
_GAUGE: Final = 8
_GAP: Final = 2


def write_values(
    values: Iterable[hand.AnswerValue], look: Appearance, styles: Styles, *, width: int
) -> list[Text]:
    """Write what each answer is worth, the best first, in as few lines as hold them."""
    lines = [Text()]
    for one in values:
        words = f"{_mark(one, look)}{one.action} {one.short}  "
        if lines[-1].cell_len + len(words) - 2 > width:
            lines.append(Text())
        lines[-1].append(words, styles.good if one.is_best else styles.ink)
    if lines[-1].cell_len + len(hand.VALUE_UNIT) <= width:
        lines[-1].append(hand.VALUE_UNIT, styles.muted)
    return lines


def write_value_table(
    values: Iterable[hand.AnswerValue], look: Appearance, styles: Styles
) -> list[Text]:
    """Write what each answer is worth, the best first, a line each: EV, and its cost."""
    return [
        Text(
            f"{_mark(one, look)} {one.action:<14}{one.short}",
            styles.good if one.is_best else styles.ink,
        )
        .append(f"  {one.short_cost}", styles.of_grade(one.grade))
        .append("" if place else f"  {hand.VALUE_UNIT}", styles.muted)
        for place, one in enumerate(values)
    ]


def _mark(value: hand.AnswerValue, look: Appearance) -> str:
    return ("*" if look.ascii_only else "★") if value.is_best else " "


def write_verdict(verdict: hand.Verdict, styles: Styles) -> Text:
    """Write one decision's verdict, its grade and cost in the colour of the grade."""
    style = styles.of_grade(verdict.grade or Grade.RIGHT)
    if not verdict.is_mistake:
        return Text(verdict.text, style)
    what, colon, cost = verdict.text.partition(": ")
    return Text(what + colon, styles.ink).append(cost, style)


def write_round(verdicts: Sequence[hand.Verdict], styles: Styles, *, has_room: bool) -> list[Text]:
    """Write what a round's decisions were worth: the mistakes, or that there was none.

    A sentence says why, for each where there is room, else for a single one.
    """
    wrong = [verdict for verdict in verdicts if verdict.is_mistake]
    if not verdicts:
        return []
    if not wrong:
        return [Text("No mistake.", styles.good)]
    lines = []
    for verdict in wrong:
        lines.append(write_verdict(verdict, styles))
        if has_room or len(wrong) == 1:
            lines.append(Text(verdict.reason, styles.muted))
    return lines


def write_why(
    found: hand.HandAnswer, question: Question, look: Appearance, styles: Styles
) -> list[Text]:
    """Write the reasons: values, chances by action, the dealer's totals, what they rest on.

    The verdict on an answer that was given comes before the reason.
    """
    heading = write_cards(question.cards, look)
    if question.other:
        heading.append(" and ", styles.muted).append_text(write_cards(question.other, look))
    heading.append(" v ", styles.muted)
    lines = [heading.append_text(write_cards(question.dealer, look)), Text()]
    lines += write_value_table(found.answers, look, styles)
    for action, reason in found.missing.items():
        lines.append(Text(f"  {action}: {reason}", styles.muted))
    lines.append(Text())
    if found.verdict is not None:
        lines.append(write_verdict(found.verdict, styles))
    lines += [Text(found.reason, styles.ink), Text()]
    if found.chances:
        lines.append(Text(f"{'':14}{'win':>8}{'push':>8}{'lose':>8}", styles.muted))
        for action, chance in found.chances.items():
            row = f"{action:<14}{chance.win:>8.1%}{chance.push:>8.1%}{chance.lose:>8.1%}"
            lines.append(Text(row))
        lines.append(Text())
    if question.hand_class not in (HandClass.INSURANCE, HandClass.EVEN_MONEY):
        lines.append(Text("The dealer ends with", styles.muted))
        lines += _dealer_bars(found, look, styles)
        lines.append(Text())
    mark = "·" if look.has_glyphs else "-"
    given = (f"Shoe: {found.shoe}", *found.given)
    return [*lines, *(Text(f"{mark} {line}", styles.muted) for line in given)]


def _dealer_bars(found: hand.HandAnswer, look: Appearance, styles: Styles) -> Iterator[Text]:
    block = "#" if look.ascii_only else "█"
    for one in found.dealer:
        bar = block * round(_BAR * one.chance / found.likeliest)
        text = Text(f"{one.name:<10}{one.text:>8}  ")
        yield text.append(bar, styles.bad if one.name == "bust" else styles.active)


class WhyPage(TextPage):
    """A page about one advice."""

    def __init__(
        self,
        app: UpcardApp,
        advice: Advice,
        *,
        answer: Action | None = None,
        verdicts: Sequence[Text] = (),
    ) -> None:
        """Show the reasons at once; ask in the background what would change the best answer.

        After an `answer` the page begins with the verdict on it. `verdicts` on a whole round stand
        first.
        """
        lines = write_why(hand.explain_advice(advice, answer), advice.question, app.look, app.inks)
        above = [*verdicts, Text()] if verdicts else []
        super().__init__("Why", [*above, *lines], closes="w")
        self._advice = advice

    def on_mount(self) -> None:
        """Ask what would change the answer: a dozen shoes are solved for it."""
        self.app.coach_work.submit(partial(hand.list_changes, self._advice), self._tell, self._miss)

    def _tell(self, changes: tuple[hand.ChangedAnswer, ...]) -> None:
        if self.is_mounted:
            inks = self.app.inks
            tones = [inks.active if one.is_other else inks.ink for one in changes]
            lines = [Text(f"  {one.text}", tone) for one, tone in zip(changes, tones, strict=True)]
            self.add(["", Text("What would change it", inks.muted), *lines])

    def _miss(self, error: Exception) -> None:
        if self.is_mounted:
            self.add(["", f"What would change it is not known: {error}"])


def write_head(seat: Seat, look: Appearance, styles: Styles, *, width: int) -> Text:
    """Write the table's title on the left, chips and shoe on the right, in one line.

    What has no room is left out whole: the notation, then the long title, the shoe, the net.
    """
    session = seat.session
    practice = Text("  practice" if session.kept is None else "", styles.bad)
    gauge = Text("  ").append_text(_gauge(seat, look, styles))
    chips, net = _chips(seat, styles)
    notation, title = session.rules.notation, session.plan.title
    titles = [(title, f"  {notation}"), (title, ""), (session.rules.name or notation, "")]
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


def _chips(seat: Seat, styles: Styles) -> tuple[Text, Text]:
    """Write the chips, or the score of a house without bets; and what was won or lost."""
    bank, on_table = seat.session.bank, seat.session.on_table
    if bank.balance is None:
        return Text(bank.standing, styles.active), Text()
    chips = Text(f"{format_chips(bank.balance - on_table)} chips", styles.active)
    if on_table:
        chips.append(f" + {format_chips(on_table)} bet")
    return chips, Text(f" ({signed(bank.net)})", styles.of(bank.net))


def _gauge(seat: Seat, look: Appearance, styles: Styles) -> Text:
    """Draw how much of the shoe is dealt; the cut card stands where the rules put it."""
    shoe = view_shoe(seat.session)
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
    wordings = list(_questions(screen) if is_asked else _between(screen)) or [Text()]
    return next((text for text in wordings if text.cell_len <= screen.columns), wordings[-1])


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
        wordings = list(screen.betting.count.wordings())
        yield ended.copy().append(wordings[0], styles.ink)
        yield from (Text(words, styles.ink) for words in wordings)
        return
    shortage = screen.betting.shortage
    if shortage is not None:
        yield ended.copy().append(str(shortage), styles.bad)
        yield Text(str(shortage), styles.bad)
        yield ended.copy().append("Too few chips.", styles.bad)
        return
    style = styles.ink if screen.betting.entry.typed else styles.muted
    for words in _offers(screen):
        yield ended.copy().append(words, style)
    yield ended


def _offers(screen: TableScreen) -> Iterator[str]:
    hands, entry = len(screen.session.player_spots), screen.betting.entry
    on = "" if hands == 1 else f" on each of {hands} hands"
    if not screen.session.rules.betting:
        yield "Enter deals."
    elif entry.typed or entry.turned_to:
        chips = entry.typed or format_chips(entry.wager.on(entry.turned_to))
        yield f"Your {entry.name}{on}: {chips}_"
        yield f"Your {entry.name}: {chips}_"
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
    dealer = write_cards(asked.dealer, look)
    for prefix in prefixes:
        text = Text(prefix).append_text(write_cards(asked.cards, look)).append(" is ")
        text.append(asked.total).append(" against " if dealer else "").append_text(dealer)
        yield text.append(f".  {asked.offer}")
    text = Text(prefixes[-1] + asked.total).append(" v " if dealer else "").append_text(dealer)
    yield text.append(f". {asked.offer}")


def write_coach(screen: TableScreen, *, is_asked: bool, is_between: bool) -> list[Text]:
    """Write what the coach says now: values before an answer, verdicts after the hand.

    In the first hands their step comes first.
    """
    inks = screen.app.inks
    advice = _write_advice(screen, is_asked=is_asked, is_between=is_between)
    if screen.seat.guide is None:
        return advice
    step = screen.seat.guide.step
    return [Text(step.title, inks.active), Text(step.words, inks.ink), *advice]


def _write_advice(screen: TableScreen, *, is_asked: bool, is_between: bool) -> list[Text]:
    look, inks, voice = screen.app.look, screen.app.inks, screen.voice
    if voice is CoachVoice.BEFORE and is_asked:
        if screen.coaching.why_no_value:
            return [Text(f"No value: {screen.coaching.why_no_value}", inks.muted)]
        told = screen.coaching.told
        if told is None:
            return [Text("The coach is working it out.", inks.muted)]
        write = write_value_table if screen.is_wide else partial(write_values, width=screen.columns)
        return [*write(told.answers, look, inks), Text(told.reason, inks.muted)]
    if voice is not CoachVoice.SILENT and is_between:
        return write_round(screen.coaching.verdicts, inks, has_room=screen.is_wide)
    return []


def write_company(screen: TableScreen) -> list[Text]:
    """Write what the bots have won or lost so far."""
    lines = [
        Text(f"  {seat.name:<28}{signed(Fraction(seat.net)):>8}")
        for seat in screen.session.seats
        if seat is not None
    ]
    return [Text("Company", screen.app.inks.active), *lines, Text()] if lines else []


def write_refusal(refusal: Refusal | None, screen: FeltScreen) -> str:
    """Write why an answer cannot be given, with the cards as they are drawn; empty if it can.

    What is legal is added where the line has room: the keys show it too.
    """
    if refusal is None:
        return ""
    look = screen.app.look
    hand = "" if refusal.hand is None else f" {write_cards(refusal.hand.cards, look).plain}"
    dealer = f" v {write_cards(refusal.dealer, look).plain}" if refusal.dealer else ""
    words = as_sentence(f"cannot {refusal.action.verb}{hand}{dealer}: {refusal.reason}")
    full = f"{words} Legal: {', '.join(refusal.legal)}."
    return full if refusal.legal and len(full) <= screen.columns else words


def betting_keys(seat: Seat) -> list[Key]:
    """Return the keys that do something between hands."""
    betting = seat.betting
    if betting.is_over:
        return [Key("table.deal", "Enter", "continue" if betting.then else "leave")]
    if betting.question:
        typed = betting.count.typed
        skip = [Key("escape", "Esc", "skip")] if typed else []
        return [Key("table.deal", "Enter", f"answer {typed}" if typed else "skip"), *skip]
    shortage = betting.shortage
    if shortage is not None:
        most = shortage.most_hands
        enter = [Key("table.deal", "Enter", f"play {count_of(most, 'hand')}")] if most else []
        return [*enter, Key("table.chips", "B", "bring chips")]
    if not seat.session.rules.betting:
        return [Key("table.deal", "Enter", "deal")]
    return [
        Key("table.deal", "Enter", f"deal {betting.entry.words}"),
        Key("table.more", "+", "more", SELDOM),
        Key("table.less", "-", "less", SELDOM),
        *([Key("table.side", "Tab", "side bets")] if betting.entry.codes else []),
    ]
