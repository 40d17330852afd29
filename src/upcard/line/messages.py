"""Messages beside the game, as text or as JSON lines: chips, commitments, the coach."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from upcard.answers.hand import HandAnswer, Verdict
from upcard.core.numbers import fields_of, format_chips, to_json
from upcard.fair.seeds import Commitment, Reveal
from upcard.line.console import Console
from upcard.line.general import OPENING, json_line
from upcard.session import first_hand, seat
from upcard.session.narration import write_wager
from upcard.session.report import SessionReport, write_accuracy, write_score, write_worst
from upcard.store.records import SavedRound

_WIDTH = 79
_TOPIC = 9


def _stay_silent(*_: str) -> None:
    """Write nothing: the documents know neither a history nor a coach."""


class LineMessages:
    """Writes lines of text."""

    def __init__(self, say: Callable[..., object] = _stay_silent) -> None:
        self._say = say

    def tell_brought(self, chips: Fraction) -> None:
        """Say how many chips were brought, or taken home (less than 0)."""
        if chips > 0:
            self._say(f"You bring {format_chips(chips)} more chips to the table.")
        else:
            self._say(f"You take {format_chips(-chips)} chips home.")

    def tell_unfinished(self, left: seat.LeftHand) -> None:
        """Say which hand was left unfinished and continues; the cards follow as events."""
        self._wrap(left.announcement)
        self._wrap(left.rules.notation)

    def tell_kept(self, left: seat.LeftHand, reason: str) -> None:
        """Say why a hand that was left unfinished cannot continue now."""
        self._wrap(left.why_kept(reason))
        self._say()

    def tell_next_table(self) -> None:
        """Separate the hand that was left unfinished from what follows."""
        self._say()

    def tell_commitment(
        self, commitment: Commitment, number: int, player_seed: str, *, is_new: bool
    ) -> None:
        """Show a new commitment, or the number of a later shoe of it."""
        if is_new:
            self._say(f"Commitment {commitment}")
        if number > 1:
            self._say(f"Shoe {number} of this commitment.")
        if player_seed:
            self._say(f"Mixed in: {player_seed}")

    def tell_reveal(self, reveal: Reveal, shoe: int) -> None:
        """Show the server seed of a shoe that is over, and how to check it."""
        self._say(f"Server seed {reveal.server_seed.hex()}")
        self._say(f"Shoe {shoe} is over. To check it: upcard verify --shoe {shoe}")

    def tell_no_coach(self, reason: str) -> None:
        """Say why there is no coach for these rules."""
        self._wrap(f"There is no coach here: {reason}.")

    def tell_step(self, step: first_hand.LedStep) -> None:
        """Write the step of the first hands, and what to do."""
        self._say()
        self._wrap(f"{step.title}. {step.words}")

    def tell_values(self, found: HandAnswer) -> None:
        """Write the value of each answer to the open question, the best first, and the reason."""
        self._wrap(f"Coach: {found.values}. {found.reason}")

    def tell_verdicts(self, verdicts: Sequence[Verdict]) -> None:
        """Write a line for each mistake, and the reason; or that there was none."""
        for verdict in verdicts:
            if not verdict.is_known:
                self._wrap(f"Coach, {verdict.situation}: no value is known, {verdict.reason}.")
            elif verdict.is_mistake:
                self._wrap(f"Coach: {verdict.text}")
                self._wrap(verdict.reason, indent="  ")
        known = [verdict for verdict in verdicts if verdict.is_known]
        if known and not any(verdict.is_mistake for verdict in known):
            self._wrap("Coach: no mistake.")

    def tell_remarks(self, update: seat.Update) -> None:
        """Say whether the running count was right, and what the ramp would have bet."""
        for remark in filter(None, (update.count_remark, update.bet_remark)):
            self._wrap(str(remark))

    def end(self, report: SessionReport, say_goodbye: Callable[[], None]) -> None:
        """Say goodbye, then write the score of counts, the accuracy and the worst hands."""
        say_goodbye()
        score = write_score(report)
        if score:
            self._say(score)
        if not report.judged:
            return
        self._wrap(write_accuracy(report))
        for one in write_worst(report):
            self._wrap(one.sentence, indent="  ")
            if one.name:
                self._say(f"  Review it: upcard replay {one.name}")

    def explain(self, found: HandAnswer) -> str:
        """Return what `w` is answered with: values, reasons, what would change the answer."""
        rows = _explain_rows(found)
        return "\n".join(line for topic, text in rows for line in _topic_lines(topic, text))

    def refuse_to_explain(self, reason: str) -> str:
        """Return what `w` is answered with where no value is known."""
        return "\n".join(_topic_lines("Coach", f"no value is known: {reason}"))

    def _wrap(self, text: str, *, indent: str = "") -> None:
        for line in textwrap.wrap(
            text, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
        ):
            self._say(line)


def _explain_rows(found: HandAnswer) -> Iterator[tuple[str, str]]:
    yield "Coach", f"{found.hand} v {found.dealer_cards}: {found.values}"
    yield "Why", found.reason
    yield "Dealer", ", ".join(f"{one.name} {one.text}" for one in found.dealer)
    for action, chances in found.chances.items():
        yield action.capitalize(), chances.text
    yield "Changes", "; ".join(one.text for one in found.changes or ())
    yield "Shoe", found.shoe
    yield "Given", " ".join(found.given)
    for action, reason in found.missing.items():
        yield action.capitalize(), reason


def _topic_lines(topic: str, text: str) -> list[str]:
    return textwrap.wrap(
        f"{topic:<{_TOPIC}}{text}", _WIDTH, subsequent_indent=" " * _TOPIC, break_on_hyphens=False
    )


class _JsonMessages(LineMessages):
    """Writes one JSON object a line for each remark."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console

    def tell_brought(self, chips: Fraction) -> None:
        self._write("chips_brought", chips=chips)

    def tell_unfinished(self, left: seat.LeftHand) -> None:
        found = left.found
        self._write(
            "unfinished_hand",
            **_describe(found),
            title=left.plan.title,
            actions=found.record.actions,
        )

    def tell_kept(self, left: seat.LeftHand, reason: str) -> None:
        self._write("unfinished_hand_kept", **_describe(left.found), reason=reason)

    def tell_commitment(
        self, commitment: Commitment, number: int, player_seed: str, *, is_new: bool
    ) -> None:
        _ = is_new  # a program is given it each time
        self._write(
            "commitment", commitment=str(commitment), number=number, player_seed=player_seed
        )

    def tell_reveal(self, reveal: Reveal, shoe: int) -> None:
        self._write(
            "revealed_shoe",
            shoe=shoe,
            commitment=str(reveal.commitment),
            number=reveal.number,
            server_seed=reveal.server_seed.hex(),
            player_seed=reveal.player_seed,
        )

    def tell_no_coach(self, reason: str) -> None:
        self._write("no_coach", reason=reason)

    def tell_values(self, found: HandAnswer) -> None:
        self._write("values", **to_json(found))

    def tell_verdicts(self, verdicts: Sequence[Verdict]) -> None:
        for verdict in verdicts:
            self._write("judged" if verdict.is_known else "not_judged", **to_json(verdict))

    def tell_remarks(self, update: seat.Update) -> None:
        if (one := update.count_remark) is not None:
            self._write("count_checked", count=one.count, answer=one.said, right=one.is_right)
        if update.bet_remark is not None:
            names = ("count", "by", "units", "chips", "possible", "bet")
            self._write("bet_checked", **fields_of(update.bet_remark, *names))

    def end(self, report: SessionReport, say_goodbye: Callable[[], None]) -> None:
        """Write the report, then the session's end, which stays the last line."""
        if report.rounds:
            self._write("sitting_report", **report.to_json())
        say_goodbye()

    def explain(self, found: HandAnswer) -> str:
        return json_line("why", **to_json(found))

    def refuse_to_explain(self, reason: str) -> str:
        return json_line("no_coach", reason=reason)

    def _write(self, kind: str, **fields: object) -> None:
        self._console.say(json_line(kind, **fields))


def open_messages(console: Console, *, as_json: bool) -> LineMessages:
    """Return the messages of a console, as text or as JSON."""
    return _JsonMessages(console) if as_json else LineMessages(console.say)


def _describe(left: SavedRound) -> dict[str, object]:
    return {
        **OPENING,
        "house": left.session.house or None,
        "rules": left.session.rules.notation,
        "bets": list(map(write_wager, left.record.bets)),
        "own": left.player_spots,
        "company": left.session.company or None,
    }
