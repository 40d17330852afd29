"""Events and questions as JSON lines, for programs that play over a pipe."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from upcard.cli.output import fields_of
from upcard.core.actions import Action
from upcard.core.numbers import to_json
from upcard.documents.bank import Bank
from upcard.documents.console import AskAgainError, Console
from upcard.documents.dialogue import LEAVE, Dialogue, DialogueQuestion, Terms
from upcard.rules.describe import describe_rules
from upcard.session.narration import Narrator
from upcard.strategy.count_system import CountSystem
from upcard.table.events import Event
from upcard.table.state import TableView

OPENING: Final = {"format": "upcard play", "format_version": 1}
"""In every object that can be the first. A new version means that a name or a meaning changed."""


class JsonDialogue(Dialogue):
    """Writes one JSON object a line and nothing else; answers come in as plain lines."""

    hear_aside = Dialogue.hear_any_aside

    def __init__(self, console: Console, terms: Terms, bank: Bank) -> None:
        super().__init__(console, terms, bank)
        self._narrator = Narrator(terms.rules)

    def open(self) -> None:
        """Say which rules are in force, and with how many chips."""
        terms = self.terms
        beside: dict[str, object] = {}
        if not terms.bot:
            beside["practice"] = terms.is_practice
        if terms.company:
            beside["company"] = terms.company
        self._write(
            "session_started",
            **OPENING,
            house=self.rules.name or None,
            title=terms.title,
            rules=terms.notation,
            player=terms.bot or "person",
            balance=self.bank.balance,
            **beside,
        )

    def wants_round(self) -> bool:
        """Ask where chips are missing, and where no bet will be asked for."""
        while shortage := self.shortage:
            fewer = [str(number) for number in range(1, shortage.most_hands + 1)]
            asked = json_line(
                "asked",
                question="chips",
                reason=str(shortage),
                **fields_of(shortage, "hands", "unit", "balance", "brings"),
                answers=["bring", *fewer, "leave"],
            )
            self.meet_shortage(shortage, f"{asked}\n")
        if not self.bank.rounds or (self.rules.betting and self.terms.bet is None):
            return True
        asked = json_line("asked", question="another round", answers=["yes", "no"])

        def read(answer: str) -> bool:
            word = answer.lower()
            if word in ("y", "yes", "n", "no", *LEAVE):
                return word in ("y", "yes")
            self.hear_aside(answer)
            raise self.refuse("answer yes or no")

        return self.console.ask_until(f"{asked}\n", read)

    def write_bet_question(self, hands: int, default: Fraction | None) -> str:
        """Return the bet question as a line; an empty answer takes the default."""
        chips = {"unit": self.terms.unit, "balance": self.bank.balance, "default": default}
        return f"{json_line('asked', question='bet', hands=hands, **chips)}\n"

    def write_count_question(self, question: str, system: CountSystem) -> str:  # noqa: ARG002
        """Return the count question as a line."""
        return f"{json_line('asked', question='count', system=system.name)}\n"

    def retell(self, events: Sequence[Event]) -> None:
        """Write the cards on the table again."""
        self._narrator = Narrator(self.rules)
        for event in events:
            self._narrator.hear(event)
        board = self._narrator.board
        self._write("taken_back", hands=board.hands, dealer=board.dealer, bets=board.bets)

    def hear(self, event: Event) -> None:
        """Write an event: its type and its fields."""
        message = self._narrator.hear(event)
        self._write(message.kind, **message.data)

    def ask(self, question: DialogueQuestion) -> Action:
        """Write what is asked and what is legal, again after each answer that is not."""
        view = question.view
        asked = json_line(
            "asked",
            question=str(question.legal[0]) if question.is_offer else "play",
            hand=view.active,
            legal=question.legal,
            cards=view.hand.cards,
            total=view.hand.total,
            soft=view.hand.is_soft,
            upcard=view.upcard,
        )

        def read(answer: str) -> Action:
            self.hear_any_aside(answer, is_asked=True, answers=question.choices(with_letters=True))
            try:
                return question.read(answer)
            except AskAgainError as reply:
                raise self.refuse(str(reply)) from None

        return self.console.ask_until(f"{asked}\n", read)

    def note(self, text: str) -> None:
        """Write a remark as a line of its own."""
        self._write("note", text=text)

    def end_round(self, view: TableView) -> None:  # noqa: ARG002 (the events have shown all)
        """Write the standing after a round; its events' net is that of all spots."""
        self._write("standing", rounds=self.bank.rounds, balance=self.bank.balance)

    def close(self) -> None:
        """Write the last line: balance and score."""
        bank = self.bank
        self._write(
            "session_ended",
            balance=bank.free,
            **({"on_table": bank.on_table} if bank.on_table else {}),
            **fields_of(bank, "net", "rounds", "wins", "losses", "ties"),
        )

    def rules_page(self) -> str:
        """Return the rules as one JSON line: `?` is answered like any other question."""
        return json_line("rules", rules=dict(describe_rules(self.rules)))

    def help(self, answers: str, *, with_rules: bool) -> AskAgainError:
        """Return the rules as a JSON line, or what can be answered as a note."""
        if with_rules:
            return AskAgainError(self.rules_page())
        return self.reply(f"You can answer {answers}. ? lists the rules.")

    def reply(self, text: str) -> AskAgainError:
        """Write a note as a JSON line."""
        return AskAgainError(json_line("note", text=text))

    def _write(self, kind: str, **fields: object) -> None:
        self.console.say(json_line(kind, **fields))

    def refuse(self, reason: str) -> AskAgainError:
        """Word a refusal as a JSON line."""
        return AskAgainError(json_line("refused", reason=reason))


def json_line(kind: str, **fields: object) -> str:
    """Return an object as one line, without its end."""
    return json.dumps({"type": kind} | to_json(fields))
