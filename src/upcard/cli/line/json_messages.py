"""Messages beside the game as JSON lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.cli.line.jsonl import OPENING, json_line
from upcard.cli.line.messages import LineMessages
from upcard.cli.output import fields_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    from upcard.coach.explanation import Explanation
    from upcard.coach.judgement import Advice
    from upcard.coach.sensitivity import Changes
    from upcard.documents.console import Console
    from upcard.fair.seeds import Commitment, Reveal
    from upcard.session.coach_queue import Verdict
    from upcard.session.count_check import BetRemark, CountRemark
    from upcard.session.report import SessionReport
    from upcard.session.unfinished import LeftHand
    from upcard.store.records import SavedRound


class JsonMessages(LineMessages):
    """Writes one JSON object a line for each remark."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self._console = console

    def tell_brought(self, chips: Fraction) -> None:
        """Write the chips; less than 0 were taken home."""
        self._write("chips_brought", chips=chips)

    def tell_unfinished(self, left: LeftHand) -> None:
        """Write where the hand was left; its events follow."""
        found = left.found
        self._write(
            "unfinished_hand", **_describe(found), title=left.plan.title, actions=found.actions
        )

    def tell_kept(self, left: LeftHand, reason: str) -> None:
        """Write why the hand cannot go on now; it stays as it is."""
        self._write("unfinished_hand_kept", **_describe(left.found), reason=reason)

    def tell_commitment(
        self, commitment: Commitment, number: int, player_seed: str, *, is_new: bool
    ) -> None:
        """Write the commitment, which of its shoes begins, and the player's seed."""
        _ = is_new  # a program is given it each time
        self._write(
            "commitment", commitment=str(commitment), number=number, player_seed=player_seed
        )

    def tell_reveal(self, reveal: Reveal, shoe: int) -> None:
        """Write both seeds and what they were committed to."""
        self._write(
            "revealed_shoe",
            shoe=shoe,
            commitment=str(reveal.commitment),
            number=reveal.number,
            server_seed=reveal.server_seed.hex(),
            player_seed=reveal.player_seed,
        )

    def tell_no_coach(self, reason: str) -> None:
        """Write the reason."""
        self._write("no_coach", reason=reason)

    def tell_values(self, advice: Advice) -> None:
        """Write the EV of each answer, and what they rest on."""
        self._write("values", **_describe_advice(advice))

    def tell_verdicts(self, verdicts: Sequence[Verdict]) -> None:
        """Write a line for each answer."""
        for verdict in verdicts:
            judgement = verdict.judgement
            if judgement is None:
                self._write(
                    "not_judged",
                    **fields_of(verdict, "situation", "action"),
                    reason=verdict.sentence,
                )
                continue
            self._write(
                "judged",
                **fields_of(verdict, "situation", "action"),
                best=judgement.best,
                cost_ev=judgement.cost,
                cost_chips=judgement.chips,
                text=verdict.text,
                why=verdict.sentence,
            )

    def tell_count(self, remark: CountRemark) -> None:
        """Write the count, the answer, and whether they are the same."""
        self._write("count_checked", count=remark.count, answer=remark.said, right=remark.is_right)

    def tell_bet(self, remark: BetRemark) -> None:
        """Write the bet and what the ramp bets: in units, in chips, and as far as possible."""
        names = ("count", "by", "units", "chips", "possible", "bet")
        self._write("bet_checked", **fields_of(remark, *names))

    def end(self, report: SessionReport, say_goodbye: Callable[[], None]) -> None:
        """Write the report, then the session's end, which stays the last line."""
        if report.rounds:
            self._write("sitting_report", **report.to_json())
        say_goodbye()

    def explain(self, advice: Advice, why: Explanation, changes: Changes) -> str:
        """Return the reasons as a line."""
        chances = {
            str(action): {"win": chance.win, "push": chance.push, "lose": chance.lose}
            for action, chance in why.chances.items()
        }
        return json_line(
            "why",
            **_describe_advice(advice),
            why=why.sentence,
            dealer=why.dealer.as_dict(),
            chances=chances,
            changes=[{"what": change.what, "best": change.best} for change in changes.rules],
            count=changes.system or None,
            turns=[
                {"count": turn.count, "above": turn.is_above, "best": turn.action}
                for turn in changes.turns
            ],
        )

    def refuse_to_explain(self, reason: str) -> str:
        """Return the reason as a line."""
        return json_line("no_coach", reason=reason)

    def _write(self, kind: str, **fields: object) -> None:
        self._console.say(json_line(kind, **fields))


def _describe(left: SavedRound) -> dict[str, object]:
    return {
        **OPENING,
        "house": left.session.house or None,
        "rules": str(left.session.rules.replace(name="")),
        "bets": left.bets,
        "own": left.player_spots,
        "company": left.session.company or None,
    }


def _describe_advice(advice: Advice) -> dict[str, object]:
    return {
        "cards": advice.question.cards,
        "upcard": advice.question.upcard,
        "ev": {str(action): ev for action, ev in advice.ev.items()},
        "best": advice.best,
        "assumptions": advice.assumptions,
        "approximations": advice.approximations,
        "missing": {str(action): reason for action, reason in advice.missing.items()},
    }
