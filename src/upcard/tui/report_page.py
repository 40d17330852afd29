"""The page on leaving a table: how the session went, and a key that reviews its mistakes."""

from __future__ import annotations

from functools import partial
from typing import Final

from rich.text import Text
from textual.events import Key

from upcard.core.numbers import signed
from upcard.session.count_check import CountCheck
from upcard.session.game_session import GameSession
from upcard.session.report import (
    SessionReport,
    make_report,
    write_accuracy,
    write_score,
    write_worst,
)
from upcard.tui.pages import AnyKeyPage
from upcard.tui.requests import OpenReplay
from upcard.tui.table_drawing import Styles

_OFTEN: Final = 0.2
_REVIEW: Final = "r"


class ReportPage(AnyKeyPage):
    """The report of a session; R reviews its mistakes, any other key closes it."""

    FOOT = ""

    def __init__(
        self, session: GameSession, styles: Styles, check: CountCheck | None = None
    ) -> None:
        """Report on `session`, with the score of `check`.

        Verdicts that still come are added while the page is open.
        """
        self._session = session
        self._styles = styles
        self._check = check
        self.report = make_report(session, check)
        super().__init__("Your session", write_report(self.report, styles))

    def on_mount(self) -> None:
        """Look out for late verdicts of the coach."""
        self.set_interval(_OFTEN, self._look)

    def on_key(self, event: Key) -> None:
        """Review, or close."""
        if event.key.lower() == _REVIEW and self.report.with_mistakes:
            event.stop()
            event.prevent_default()
            rounds = [one for one in self.report.with_mistakes if one.name]
            if rounds:
                sources = [partial(one.find_source, self.app.store) for one in rounds]
                self.post_message(OpenReplay(sources, asks_first=True))
        else:
            self.close(event)

    def _look(self) -> None:
        report = make_report(self._session, self._check)
        if report != self.report:
            self.report = report
            self.replace(write_report(report, self._styles))


def write_report(report: SessionReport, styles: Styles) -> list[Text]:
    """Write the report: rounds and net, counts, accuracy and cost, the worst hands."""
    rounds = f"{report.rounds} round{'' if report.rounds == 1 else 's'}"
    net = f", net {signed(report.net)}" if report.has_bets else ""
    lines = [Text(f"{rounds}{net}.", styles.ink)]
    if report.counts_asked:
        lines.append(Text(write_score(report), styles.active))
    lines.append(Text(write_accuracy(report), styles.active))
    if report.with_mistakes:
        lines += [Text(), Text("The costliest mistakes", styles.muted)]
        for name, verdict in write_worst(report):
            lines.append(Text(verdict, styles.ink))
            lines.append(Text(f"  upcard replay {name}" if name else "", styles.muted))
    keys = "Any key continues."
    if report.with_mistakes:
        keys = "R reviews your mistakes one by one; any other key continues."
    return [*lines, Text(), Text(keys, styles.muted)]
