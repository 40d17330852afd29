"""The coach's words as text for the screen: values, verdicts, reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rich.text import Text

from upcard.analysis.grades import grade_of
from upcard.coach.judgement import (
    Advice,
    Judgement,
    decimals_for,
    write_answer,
    write_better,
    write_cost,
    write_outcome,
)
from upcard.coach.question import HandClass
from upcard.core.actions import Action
from upcard.session.coach_queue import Verdict
from upcard.tui.appearance import Appearance
from upcard.tui.background import Background
from upcard.tui.cards import write_card, write_cards
from upcard.tui.pages import TextPage
from upcard.tui.table_drawing import Styles

if TYPE_CHECKING:
    from upcard.coach.reasons import Changes, Explanation

_BAR: Final = 16


def write_values(advice: Advice, look: Appearance, styles: Styles, *, width: int) -> list[Text]:
    """Write what each answer is worth, the best first, in as few lines as hold them."""
    lines = [Text()]
    for action, mark in _rank(advice, look):
        style = styles.good if action is advice.best else styles.ink
        words = f"{mark}{action} {advice.ev[action]:+.4f}  "
        if lines[-1].cell_len + len(words) - 2 > width:
            lines.append(Text())
        lines[-1].append(words, style)
    return lines


def write_value_table(advice: Advice, look: Appearance, styles: Styles) -> list[Text]:
    """Write what each answer is worth, the best first, a line each: EV, and what it gives away."""
    lines = []
    for action, mark in _rank(advice, look):
        is_best, cost = action is advice.best, advice.costs[action]
        row = f"{mark} {action:<14}{advice.ev[action]:+.4f}"
        text = Text(row, styles.good if is_best else styles.ink)
        lost = "" if is_best else f"-{cost:.{decimals_for(cost, least=4)}f}"
        lines.append(text.append(f"  {lost}", styles.of_grade(grade_of(cost))))
    return lines


def _rank(advice: Advice, look: Appearance) -> list[tuple[Action, str]]:
    """Return the answers, those of most value first, with the mark of the best."""
    mark = "*" if look.ascii_only else "★"
    ranked = sorted(advice.ev, key=lambda action: -advice.ev[action])
    return [(action, mark if action is advice.best else " ") for action in ranked]


def write_verdict(judgement: Judgement, styles: Styles, *, has_bets: bool) -> Text:
    """Write one decision's verdict: what was done, what was better, and the cost."""
    did = write_answer(judgement)
    if judgement.is_right:
        return Text(f"{did} {write_outcome(judgement)}", styles.of_grade(judgement.grade))
    text = Text(f"{did} {write_better(judgement)}: ", styles.ink)
    return text.append(write_cost(judgement, has_bets=has_bets), styles.of_grade(judgement.grade))


def write_round(verdicts: Sequence[Verdict], styles: Styles, *, has_room: bool) -> list[Text]:
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
        if verdict.judgement is not None:
            lines.append(write_verdict(verdict.judgement, styles, has_bets=verdict.has_bets))
        if has_room or len(wrong) == 1:
            lines.append(Text(verdict.sentence, styles.muted))
    return lines


def write_why(
    advice: Advice,
    why: Explanation,
    look: Appearance,
    styles: Styles,
    *,
    answer: Action | None = None,
) -> list[Text]:
    """Write the reasons: values, chances by action, the dealer's totals, what they rest on.

    After an `answer` the verdict on it comes first.
    """
    question = advice.question
    heading = write_cards(question.cards, look).append(" v ", styles.muted)
    lines = [heading.append_text(write_card(question.upcard, look)), Text()]
    lines += write_value_table(advice, look, styles)
    for action, reason in advice.missing.items():
        lines.append(Text(f"  {action}: {reason}", styles.muted))
    lines.append(Text())
    if answer in advice.ev:
        judgement = advice.judge(answer)
        lines.append(write_verdict(judgement, styles, has_bets=question.rules.betting))
    lines += [Text(why.sentence, styles.ink), Text()]
    if why.chances:
        lines.append(Text(f"{'':14}{'win':>8}{'push':>8}{'lose':>8}", styles.muted))
        for action, chance in why.chances.items():
            lines.append(
                Text(f"{action:<14}{chance.win:>8.1%}{chance.push:>8.1%}{chance.lose:>8.1%}")
            )
        lines.append(Text())
    if question.hand_class not in (HandClass.INSURANCE, HandClass.EVEN_MONEY):
        lines.append(Text("The dealer ends with", styles.muted))
        lines += _dealer_bars(why, look, styles)
        lines.append(Text())
    lines += [
        Text(f"· {line}" if look.has_glyphs else f"- {line}", styles.muted)
        for line in (*advice.assumptions, *advice.approximations)
    ]
    return lines


def _dealer_bars(why: Explanation, look: Appearance, styles: Styles) -> Iterator[Text]:
    block = "#" if look.ascii_only else "█"
    chances = why.dealer.as_dict()
    most = max(chances.values()) or 1.0
    for name, chance in chances.items():
        if not chance:
            continue
        bar = block * round(_BAR * chance / most)
        text = Text(f"{name:<10}{chance:>7.1%}  ")
        yield text.append(bar, styles.bad if name == "bust" else styles.active)


def write_changes(changes: Changes, advice: Advice, styles: Styles) -> list[Text]:
    """Write what would change the answer, and what would not."""
    lines = [Text("What would change it", styles.muted)]
    lines += [
        Text(f"  {change}", styles.active if change.is_other else styles.ink)
        for change in changes.rules
    ]
    if changes.system:
        lines.append(
            Text(f"  {changes.system} at {changes.neutral:+d}: {changes.at_neutral}", styles.ink)
        )
        lines += [Text(f"  {changes.system} {turn}", styles.active) for turn in changes.turns]
        if not changes.turns:
            lines.append(Text(f"  {changes.system}: no count changes it", styles.ink))
    if not changes.rules and not changes.system:
        lines.append(Text(f"  nothing looked at: {advice.best} in any case", styles.ink))
    return lines


class WhyPage(TextPage):
    """A page about one advice."""

    def __init__(  # noqa: PLR0913 (the last two are named in the call)
        self,
        advice: Advice,
        look: Appearance,
        styles: Styles,
        background: Background,
        *,
        answer: Action | None = None,
        verdicts: Sequence[Text] = (),
    ) -> None:
        """Show the reasons at once; ask in `background` for what would change the best answer.

        After an `answer` the page begins with the verdict on it. `verdicts` on a whole round stand
        first.
        """
        from upcard.coach.reasons import explain

        lines = write_why(advice, explain(advice, answer), look, styles, answer=answer)
        above = [*verdicts, Text()] if verdicts else []
        super().__init__("Why", [*above, *lines], closes="w")
        self._advice = advice
        self._styles = styles
        self._background = background

    def on_mount(self) -> None:
        """Ask what would change the answer: a dozen shoes are solved for it."""
        from upcard.coach.reasons import find_changes

        advice = self._advice
        self._background.submit(lambda: find_changes(advice), self._tell, self._miss)

    def _tell(self, changes: Changes) -> None:
        if self.is_mounted:
            self.add(["", *write_changes(changes, self._advice, self._styles)])

    def _miss(self, error: Exception) -> None:
        if self.is_mounted:
            self.add(["", f"What would change it is not known: {error}"])
