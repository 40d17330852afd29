"""Dialogues of houses that have none of their own: words for people, JSON lines for programs."""

import json
import textwrap
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from upcard.core.actions import LETTERS, Action
from upcard.core.cards import Card
from upcard.core.hands import BUST_LIMIT
from upcard.core.numbers import fields_of, format_chips, to_json
from upcard.core.wager import Wager
from upcard.line.console import AskAgainError, Console, pad
from upcard.line.dialogue import LEAVE, Dialogue, DialogueQuestion, Terms, write_ways_out
from upcard.players.play_rounds import Bank
from upcard.rules import describe, settings
from upcard.session.coaching import SideBetAdvice
from upcard.session.narration import Narrator, write_wager
from upcard.session.table_view import say_free
from upcard.strategy.count_system import CountSystem
from upcard.table.events import (
    Acted,
    DealerDealt,
    Dealt,
    Event,
    InsuranceSettled,
    Peeked,
    Revealed,
    RoundStarted,
    Settled,
    Shuffled,
    SideBetSettled,
    TurnedUp,
)
from upcard.table.state import TableView

_LABEL_WIDTH: Final = 9
_LONGEST_LABEL: Final = 24
_CARDS_WIDTH: Final = 24
OPENING: Final = {"format": "upcard play", "format_version": 1}
"""In every object that can be the first. A new version means that a name or a meaning changed."""


class GeneralDialogue(Dialogue):
    """A line for the dealer, a line for each hand, one letter for each action."""

    hear_aside = Dialogue.hear_any_aside

    def __init__(
        self, console: Console, terms: Terms, bank: Bank, *, hint: str = "", in_words_of: str = ""
    ) -> None:
        """Set the table; `hint` is a last line of the greeting.

        `in_words_of` is the document's house whose words these are, which know no memory.
        """
        super().__init__(console, terms, bank)
        self.hint = hint
        self.is_document = bool(in_words_of)
        self._names = _name_seats(terms.company)
        self._begin_narration()
        longest = max(map(len, filter(None, self._names)), default=0)
        self._label_width = max(_LABEL_WIDTH, min(longest + 2, _LONGEST_LABEL))

    def open(self) -> None:
        """Say which house this is."""
        say = self.console.say
        notation = textwrap.wrap(self.rules.notation, 79, break_on_hyphens=False)
        say(self.console.bold(self.terms.plan.title), *notation)
        if self.terms.bot:
            say(f"{self.terms.bot} plays.")
        elif self.is_document and self.terms.plan.keeps:
            say("? explains the rules, q leaves the table.")
        else:
            self._greet()
        if self.hint:
            say(self.hint)

    def _greet(self) -> None:
        """Say which keys there are, whether anything is saved, and who is there."""
        say = self.console.say
        say("? explains the rules, w says why, q leaves the table.")
        if self.terms.practice:
            say(self.terms.practice)
        elif not self.terms.plan.keeps:
            undo = "" if self.terms.company else ", and u takes an answer back"
            say(f"Practice: nothing is saved{undo}.")
        if self.terms.company:
            hands = self.terms.plan.hands
            mine = "you" if hands == 1 else f"you ({hands} hands)"
            seats: list[str] = []
            for name in self._names:
                if name is not None or mine not in seats:
                    seats.append(name or mine)
            say(*textwrap.wrap(f"At the table, in turn: {', '.join(seats)}.", 79))

    def wants_round(self) -> bool:
        """Ask where chips are missing, and where no bet will be asked for."""
        if self.bank.is_broke and self.is_document:
            self.console.say("You have no chips left.")
            return False
        while shortage := self.shortage:
            self.console.say(f"\n{shortage}")
            self.meet_shortage(shortage, f"Type {write_ways_out(shortage)}: ")
        if not self.bank.rounds or (self.rules.betting and self.terms.bet is None):
            return True
        self.console.say()
        return self.console.ask_until("Another round? [Y/n] ", self._read_again)

    def _read_again(self, answer: str) -> bool:
        word = answer.lower()
        if word in ("", "y", "yes"):
            return True
        if word in ("n", "no", *LEAVE):
            return False
        self.hear_aside(answer, answers="yes or no (y or n)")
        raise AskAgainError("Please answer yes or no (y or n).")

    def ask_bets(self) -> tuple[Wager, ...]:
        """Ask below an empty line."""
        self.console.say()
        return super().ask_bets()

    def write_bet_question(self, hands: int, default: Wager | None) -> str:
        """Return the prompt, with the balance and the default."""
        offered = "" if default is None else f" [{default}]"
        each = "" if hands == 1 else f" on each of {hands} hands"
        balance = format_chips(self.bank.balance or 0)
        side = f" (side bets: {', '.join(self.codes)}; side: prices)" if self.codes else ""
        return f"Balance {balance}. Your bet{each}{side}{offered}: "

    def ask_count(self, question: str, system: CountSystem) -> Fraction | None:
        """Ask below an empty line."""
        self.console.say()
        return super().ask_count(question, system)

    def retell(self, events: Sequence[Event]) -> None:
        """Show the table as it is again."""
        self._begin_narration()
        for event in events:
            self._narrator.hear(event)
        self.console.say("Taken back.")
        self._show_table()

    def _begin_narration(self) -> None:
        you = "Player" if self.terms.bot else "You"
        self._narrator = Narrator(self.rules, company=self._names, you=you)
        self.board = self._narrator.board

    def hear(self, event: Event) -> None:
        """Render an event, a line for each card after the opening cards."""
        was_opening = self.board.is_opening
        message = self._narrator.hear(event)
        match event:
            case RoundStarted(bets):
                self._start(bets)
            case Shuffled() if self.rules.shuffle is settings.Shuffle.CUT_CARD:
                self.console.say(self.console.dim(message.text))
            case Dealt(hand, _, _) if not was_opening:
                self._show_hand(hand)
            case Dealt() | DealerDealt() if was_opening and not self.board.is_opening:
                self._show_table()
            case DealerDealt() | Revealed() if not was_opening:
                self._show_dealer()
            case Acted(_, Action.SWITCH):
                self._show_table()
            case Acted(hand, action) if self.terms.bot or self._narrator.name_company(hand):
                self.console.say(self.console.dim(f"{self._narrator.name_hand(hand)}: {action}"))
            case Peeked(has_natural) if self.is_document:  # documents keep their words
                found = "he has a natural" if has_natural else "no natural"
                self.console.say(f"The dealer looks at his hole card: {found}.")
            case Peeked() | InsuranceSettled() | SideBetSettled() | TurnedUp() | Settled():
                self.console.say(message.text)

    def _start(self, bets: tuple[Wager, ...]) -> None:
        if self.terms.bot:
            stake = f", bet {format_chips(sum(bet.total for bet in bets))}"
            self.console.say(f"\nRound {self.bank.rounds + 1}{stake if self.rules.betting else ''}")
        elif self.terms.company and self.rules.betting:
            named = zip(self._names, bets, strict=True)
            placed = ", ".join(f"{name} {bet}" for name, bet in named if name is not None)
            self.console.say(*textwrap.wrap(f"Bets of the others: {placed}.", 79))

    def _show_table(self) -> None:
        self._show_dealer()
        for hand in range(len(self.board.hands)):
            self._show_hand(hand)

    def _show_dealer(self) -> None:
        board = self.board
        total = str(board.dealer_total) if any(board.dealer) else ""
        if board.dealer_total > BUST_LIMIT:
            total += " bust"
        self._show("Dealer", board.dealer, total)

    def _show_hand(self, hand: int) -> None:
        cards, total = self.board.hands[hand], self.board.totals[hand]
        self._show(self._narrator.name_hand(hand), list(cards), self._total_text(cards, total))

    def _show(self, label: str, cards: list[Card | None], total: str) -> None:
        if self.console.in_words:
            words = ", ".join(map(self.console.card, cards))
            self.console.say(f"{label}: {words}. {total}".rstrip())
            return
        written = pad(" ".join(map(self.console.card, cards)), _CARDS_WIDTH)
        self.console.say(f"{label:<{self._label_width}}{written} {total}".rstrip())

    def _total_text(self, cards: list[Card], total: int) -> str:
        if total > BUST_LIMIT:
            return f"{total} bust"
        soft = total < BUST_LIMIT and self.board.is_soft(cards)
        return f"soft {total}" if soft else str(total)

    def ask(self, question: DialogueQuestion) -> Action:
        """Ask with the letters of what is legal; `?`, `w`, `u` and `q` do as the greeting says."""
        prompt = self._prompt(question)
        answers = question.choices(with_letters=True)

        def read(answer: str) -> Action:
            self.hear_any_aside(answer, is_asked=True, answers=answers)
            return question.read(answer)

        return self.console.ask_until(prompt, read)

    def _prompt(self, question: DialogueQuestion) -> str:
        view = question.view
        is_of_both = question.legal[0] is Action.SWITCH
        has_others = len(view.hands) > 1 and not is_of_both
        whose = f"{self._narrator.name_hand(view.active)}: " if has_others else ""
        if not question.is_offer and (free := say_free(view, question.legal)):
            whose = f"{free} {whose}"
        if not question.is_offer and self.console.in_words:
            choices = question.choices()
            return f"{whose}{choices if whose else choices.capitalize()}? "
        if not question.is_offer:
            return f"{whose}{'  '.join(map(_mark_letter, question.legal))}? "
        offer = question.legal[0]
        bet = Fraction(view.hand.stake)
        text = {
            Action.INSURANCE: f"Insurance for {format_chips(bet / 2)}",
            Action.EVEN_MONEY: f"A natural against an ace. Even money, {format_chips(bet)} at once",
            Action.SURRENDER: f"Surrender half your bet, {format_chips(bet / 2)}",
            Action.SWITCH: "Switch the second cards",
            Action.SPLIT: say_free(view, (Action.SPLIT,))[:-1]
            or f"Split for another {format_chips(bet)}",
        }[offer]
        return f"{whose}{text}? [y/n] "

    def end_round(self, view: TableView) -> None:  # noqa: ARG002 (the events have shown all)
        """Say what the round brought where that is not in one line already."""
        if self.terms.bot or (self.rules.betting and self.terms.bet is not None):
            self.console.say(self.bank.standing + ".")

    def close(self) -> None:
        """Say how many rounds were played, and the balance or the score."""
        self.console.say(f"\n{self.bank.summarize('round')}")


def _mark_letter(action: Action) -> str:
    """Write an action with its letter in brackets: `su[R]render`."""
    letter = LETTERS[action]
    return action.replace(letter, f"[{letter.upper()}]", 1)


def _name_seats(company: Sequence[str | None]) -> tuple[str | None, ...]:
    """Return the names of the company; those of the same name are numbered."""
    names: list[str | None] = []
    for spot, name in enumerate(company):
        number = company[: spot + 1].count(name)
        is_shared = name is not None and company.count(name) > 1
        names.append(f"{name} {number}" if is_shared else name)
    return tuple(names)


class _JsonDialogue(Dialogue):
    """Writes one JSON object a line and nothing else; answers come in as plain lines."""

    hear_aside = Dialogue.hear_any_aside

    def __init__(self, console: Console, terms: Terms, bank: Bank) -> None:
        super().__init__(console, terms, bank)
        self._narrator = Narrator(terms.plan.rules)

    def open(self) -> None:
        terms = self.terms
        beside: dict[str, object] = {}
        if not terms.bot:
            beside["practice"] = not terms.plan.keeps
        if terms.company:
            beside["company"] = terms.company
        self._write(
            "session_started",
            **OPENING,
            house=self.rules.name or None,
            title=terms.plan.title,
            rules=terms.plan.rules.notation,
            player=terms.bot or "person",
            balance=self.bank.balance,
            **beside,
        )

    def wants_round(self) -> bool:
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

    def write_bet_question(self, hands: int, default: Wager | None) -> str:
        offered = None if default is None else write_wager(default)
        chips = {"unit": self.terms.plan.unit, "balance": self.bank.balance, "default": offered}
        if self.codes:
            chips["side_bets"] = list(self.codes)
        return f"{json_line('asked', question='bet', hands=hands, **chips)}\n"

    def write_count_question(self, question: str, system: CountSystem) -> str:  # noqa: ARG002
        return f"{json_line('asked', question='count', system=system.name)}\n"

    def retell(self, events: Sequence[Event]) -> None:
        self._narrator = Narrator(self.rules)
        for event in events:
            self._narrator.hear(event)
        board = self._narrator.board
        self._write("taken_back", hands=board.hands, dealer=board.dealer, bets=board.bets)

    def hear(self, event: Event) -> None:
        message = self._narrator.hear(event)
        self._write(message.kind, **message.data)

    def ask(self, question: DialogueQuestion) -> Action:
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
            hole=view.hole,
        )

        def read(answer: str) -> Action:
            self.hear_any_aside(answer, is_asked=True, answers=question.choices(with_letters=True))
            try:
                return question.read(answer)
            except AskAgainError as reply:
                raise self.refuse(str(reply)) from None

        return self.console.ask_until(f"{asked}\n", read)

    def note(self, text: str) -> None:
        self._write("note", text=text)

    def end_round(self, view: TableView) -> None:  # noqa: ARG002 (the events have shown all)
        """Write the standing after a round; its events' net is that of all spots."""
        self._write("standing", rounds=self.bank.rounds, balance=self.bank.balance)

    def close(self) -> None:
        bank = self.bank
        self._write(
            "session_ended",
            balance=bank.free,
            **({"on_table": bank.on_table} if bank.on_table else {}),
            **fields_of(bank, "net", "rounds", "wins", "losses", "ties"),
        )

    def rules_page(self) -> str:
        """Return the rules as one JSON line: `?` is answered like any other question."""
        return json_line("rules", rules=dict(describe.describe_rules(self.rules)))

    def help(self, answers: str, *, with_rules: bool) -> AskAgainError:
        if with_rules:
            return AskAgainError(self.rules_page())
        return self.reply(f"You can answer {answers}. ? lists the rules.")

    def tell_side(self, found: Sequence[SideBetAdvice]) -> AskAgainError:
        bets = [
            {
                "bet": one.code,
                **fields_of(one.answer, "edge", "fresh_edge", "hit", "standard_deviation"),
                **fields_of(one.answer, "cost_per_hour", "shoe", "rows"),
                "sentences": one.sentences,
            }
            for one in found
        ]
        return AskAgainError(json_line("side_bets", bets=bets))

    def reply(self, text: str) -> AskAgainError:
        return AskAgainError(json_line("note", text=text))

    def _write(self, kind: str, **fields: object) -> None:
        self.console.say(json_line(kind, **fields))

    def refuse(self, reason: str) -> AskAgainError:
        return AskAgainError(json_line("refused", reason=reason))


def open_json(console: Console, terms: Terms, bank: Bank) -> Dialogue:
    """Return the dialogue with programs."""
    return _JsonDialogue(console, terms, bank)


def json_line(kind: str, **fields: object) -> str:
    """Return an object as one line, without its end."""
    return json.dumps({"type": kind} | to_json(fields, amount=_as_number))


def _as_number(amount: Fraction) -> int | float | str:
    """Return chips as a number where a decimal is exact: programs add up the nets of a game."""
    text = format_chips(amount)
    return text if "/" in text else (float(text) if "." in text else int(text))
