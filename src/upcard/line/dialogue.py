"""Base of every house's dialogue: it renders events and asks questions, and decides nothing."""

from __future__ import annotations

import random
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from upcard.core.actions import LETTERS, Action, parse_action
from upcard.core.errors import IllegalActionError, NotationError, as_sentence
from upcard.core.numbers import format_chips
from upcard.core.wager import Wager, type_wager
from upcard.line.console import AskAgainError, Console, SessionOverError, UndoAskedError
from upcard.players.bots import Decider
from upcard.players.play_rounds import Bank
from upcard.rules.describe import describe_rules
from upcard.session.coaching import SideBetAdvice
from upcard.session.plan import TablePlan
from upcard.strategy.count_system import CountSystem, read_count
from upcard.table import bet_limits
from upcard.table.events import Event
from upcard.table.legal import Refusal
from upcard.table.state import TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """A table, and settings from the command line; None or empty if left open."""

    plan: TablePlan
    rng: random.Random
    chips: Fraction | None = None
    bet: Wager | None = None
    """Fixed bets for every round and hand; if None, the player is asked."""
    hands: int | None = None
    bot: str = ""
    """The bot as written on the command line; empty if a person plays."""
    practice: str = ""
    """The sentence about practice at this table, if it is not the usual one."""

    @property
    def company(self) -> tuple[str | None, ...]:
        """Player of each spot, None for the person; empty if the person is alone."""
        if not self.plan.company.strip():
            return ()
        return tuple(None if seat is None else str(seat) for seat in self.plan.seats)


@dataclass(slots=True, kw_only=True)
class SideRequests:
    """Requests besides an answer; the game fills in those that it supports."""

    explain: Callable[[], str] = field(default=lambda: "There is no coach at this table.")
    """Values of the answers to the current question."""
    why_no_undo: Callable[[], str] = field(default=lambda: "Nothing can be taken back here.")
    """Reason why the last answer cannot be taken back; empty if it can."""
    add_seed: Callable[[str], str] = field(default=lambda _: "Nothing is mixed in here.")
    """Mix words into the shuffle; returns the result as text."""
    price_side: Callable[[], Sequence[SideBetAdvice]] = field(default=lambda: ())
    bring: Callable[[Fraction], object] | None = None
    """Continue with this number of chips, if chips are saved."""
    bring_more: Callable[[], object] = field(default=lambda: None)
    """Bring chips when the smallest bets are not covered."""


LEAVE: Final = ("q", "quit", "leave", "exit")
_BRING: Final = ("b", "bring")
_BY_LETTER: Final = {letter: action for action, letter in LETTERS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueQuestion:
    """A question of the table: `legal` is what the rules allow and the chips cover."""

    view: TableView
    legal: tuple[Action, ...]
    answer: Callable[[Action], Refusal | None]
    """Gives an answer to the table, which may refuse it."""

    @property
    def is_offer(self) -> bool:
        """Whether the answer is yes or no."""
        return self.legal[-1].declines

    def read(self, answer: str) -> Action:
        """Read an answer and give it: a letter or a word, in any case; yes or no to an offer."""
        word = answer.lower()
        if self.is_offer and word in ("y", "yes", "n", "no"):
            return self.give(self.legal[0] if word.startswith("y") else self.legal[-1])
        action = self.known(answer)
        if action is None:
            raise AskAgainError(f"Please answer {self.choices()}.")
        return self.give(action)

    def known(self, answer: str) -> Action | None:
        """Find the action for a letter or a word; None if there is none."""
        try:
            return _BY_LETTER.get(answer.lower()) or parse_action(answer)
        except IllegalActionError:
            return None

    def give(self, action: Action) -> Action:
        """Give an answer to the table, and return it."""
        refusal = self.answer(action)
        if refusal is not None:
            raise AskAgainError(as_sentence(str(refusal)))
        return action

    def choices(self, *, with_letters: bool = False) -> str:
        """List the possible answers in words, optionally with their letters."""
        if self.is_offer:
            return "yes or no (y or n)"
        words = [f"{one} ({LETTERS[one]})" if with_letters else str(one) for one in self.legal]
        return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


class Dialogue(ABC):
    """The dialogue of a house. One session has one dialogue."""

    def __init__(self, console: Console, terms: Terms, bank: Bank) -> None:
        self.console = console
        self.terms = terms
        self.rules = terms.plan.rules
        self.bank = bank
        self.requests = SideRequests()
        self.last_bet: Wager | None = None
        self.codes = tuple(bet.code for bet in self.rules.side_bets)
        self.hands_played = terms.hands or terms.plan.rules.min_spots
        """Number of hands, if it is not asked before each round."""
        self.decider: Decider | None = None
        """Player in place of the person, if the session's opening chose one."""

    @abstractmethod
    def open(self) -> None:
        """Greet, and ask for what must be known before the first round."""

    @abstractmethod
    def wants_round(self) -> bool:
        """Whether to play another round; the first is not asked about."""

    @abstractmethod
    def hear(self, event: Event) -> None:
        """Render an event as it happens."""

    @abstractmethod
    def ask(self, question: DialogueQuestion) -> Action:
        """Ask until the table has taken an answer, and return it."""

    @abstractmethod
    def end_round(self, view: TableView) -> None:
        """End a round whose result is in the bank."""

    @abstractmethod
    def close(self) -> None:
        """Report how the session ended."""

    def watch(self, view: TableView) -> None:  # noqa: B027 (most dialogues show nothing)
        """Render the table before a bot decides, if the dialogue has something to show."""

    def retell(self, events: Sequence[Event]) -> None:  # noqa: B027 (most dialogues have no undo)
        """Show the round again after an answer was taken back; `events` are its events."""

    def bring(self, chips: Fraction) -> None:
        """Play with this number of chips from now on."""
        if self.requests.bring is not None:
            self.requests.bring(chips)
        self.bank.bring(chips)

    def hear_aside(self, answer: str, *, answers: str = "") -> None:  # noqa: ARG002 (see above)
        """Handle input that is not an answer; most dialogues have none."""
        if answer.lower() in LEAVE:
            raise SessionOverError

    def hear_any_aside(self, answer: str, *, is_asked: bool = False, answers: str = "") -> None:
        """Handle input that is not an answer: leave, help, why, undo, seed; `is_asked`: of a hand.

        `answers` lists the possible answers, for help.
        """
        word, _, rest = answer.strip().partition(" ")
        match word.lower():
            case word if word in LEAVE and not rest:
                raise SessionOverError
            case "?" | "help" if not rest:
                raise self.help(answers, with_rules=word == "?")
            case "w" | "why" if not rest:
                if is_asked:
                    raise AskAgainError(self.requests.explain())
                raise self.refuse("No hand is asked now.")
            case "u" | "undo" if not rest:
                reason = self.requests.why_no_undo()
                raise self.refuse(as_sentence(reason)) if reason else UndoAskedError
            case "seed" if not is_asked:
                try:
                    raise self.reply(self.requests.add_seed(rest))
                except NotationError as error:
                    raise self.refuse(as_sentence(str(error))) from None
            case "side" if not rest and not is_asked and self.codes:
                raise self.tell_side(self.requests.price_side())
            case word if word in _BRING and not rest and not is_asked:
                raise self.refuse(as_sentence(bet_limits.WHY_NOT_BROUGHT))

    @property
    def shortage(self) -> bet_limits.Shortage | None:
        """Chips missing for the smallest bet on each hand; None if it is covered."""
        return bet_limits.find_shortage(
            self.bank.balance,
            hands=self.hands_played,
            unit=self.terms.plan.unit,
            fewest=self.rules.min_spots,
        )

    def meet_shortage(self, shortage: bet_limits.Shortage, prompt: str) -> None:
        """Ask the player to bring chips, or for a number of hands that the chips cover."""
        fewer = [str(number) for number in range(self.rules.min_spots, shortage.most_hands + 1)]

        def read(answer: str) -> int | None:
            word = answer.lower()
            if word in _BRING:
                return None
            if word in fewer:
                return int(word)
            self.hear_aside(answer)
            raise self.refuse(f"Please answer {write_ways_out(shortage)}.")

        hands = self.console.ask_until(prompt, read)
        if hands is None:
            self.requests.bring_more()
        else:
            self.hands_played = hands

    def help(self, answers: str, *, with_rules: bool) -> AskAgainError:
        """Return the error that shows the possible answers, and the rules if wanted."""
        said = [f"You can answer {answers}."] if answers else []
        said.append(self.rules_page() if with_rules else "? lists the rules as well.")
        return AskAgainError("\n".join(said))

    def tell_side(self, found: Sequence[SideBetAdvice]) -> AskAgainError:
        """Return the error that shows what the side bets cost."""
        lines = []
        for one in found:
            lines.append(f"{one.code} ({one.title}):")
            for sentence in one.sentences:
                lines += textwrap.wrap(sentence, 78, initial_indent="  ", subsequent_indent="  ")
        return AskAgainError("\n".join(lines) or "No side bet here has an exact price.")

    def reply(self, text: str) -> AskAgainError:
        """Return the error that repeats the question after `text`."""
        return AskAgainError(text)

    def note(self, text: str) -> None:
        """Show a message that is neither event nor question."""
        self.console.say(as_sentence(text))

    def refuse(self, reason: str) -> AskAgainError:
        """Return the error that repeats the question, with the reason in this dialogue's words."""
        return AskAgainError(reason)

    def fixed_bet(self, hands: int = 1) -> Wager | None:
        """Return the bets fixed on the command line, while the chips cover it."""
        fixed = self.terms.bet
        reason = None if fixed is None else self.why_not_bet(fixed, hands)
        if reason is None:
            return fixed
        self.note(reason)
        return None

    def ask_bet(self, prompt: str, hands: int = 1, default: Wager | None = None) -> Wager:
        """Ask for bets that the chips cover on each of `hands`; `?` and `q` work too."""

        def read(answer: str) -> Wager:
            side = f", or with side bets: 10 {self.codes[0]} 2" if self.codes else ""
            self.hear_aside(answer, answers=f"with a bet, such as 10{side}")
            if answer == "?":
                raise AskAgainError(self.rules_page())
            try:
                bet = default if not answer and default else type_wager(answer, self.codes)
            except NotationError as error:
                raise self.refuse(as_sentence(str(error))) from None
            objection = self.why_not_bet(bet, hands)
            if objection is not None:
                raise self.refuse(objection)
            return bet

        bet = self.console.ask_until(prompt, read)
        self.last_bet = bet
        return bet

    def ask_bets(self) -> tuple[Wager, ...]:
        """Ask for the bets of a hand, the same for all, unless they are fixed."""
        hands = self.hands_played
        if not self.rules.betting:
            return (Wager(Fraction(1)),) * hands
        bet = self.fixed_bet(hands)
        if bet is None:
            default = self.default_bet(hands)
            bet = self.ask_bet(self.write_bet_question(hands, default), hands, default)
        return (bet,) * hands

    def write_bet_question(self, hands: int, default: Wager | None) -> str:  # noqa: ARG002
        """Return the prompt for a bet on each of `hands`."""
        return "Your bet? "

    def ask_count(self, question: str, system: CountSystem) -> Fraction | None:
        """Ask for the running count; None if the answer is empty."""

        def read(answer: str) -> Fraction | None:
            if not answer:
                return None
            self.hear_aside(answer, answers="with the running count, such as -2, or Enter to skip")
            try:
                return read_count(answer)
            except NotationError as error:
                raise self.refuse(as_sentence(str(error))) from None

        return self.console.ask_until(self.write_count_question(question, system), read)

    def write_count_question(self, question: str, system: CountSystem) -> str:  # noqa: ARG002
        """Return the prompt of the count question."""
        return f"{question} "

    def why_not_bet(self, bet: Wager, hands: int) -> str | None:
        """Return why a bet cannot be placed; None if it can."""
        unit, limit = self.terms.plan.unit, self.terms.plan.limit
        reason = bet_limits.why_not_bet(bet, self.bank.balance, hands=hands, unit=unit, limit=limit)
        return as_sentence(reason) if reason else None

    def default_bet(self, hands: int = 1) -> Wager | None:
        """Return the bet for Enter: the last one, or the most the chips allow."""
        plan = self.terms.plan
        unit = plan.unit
        if unit <= bet_limits.SMALLEST_UNIT:  # where any amount is taken, whole chips are offered
            unit = bet_limits.WHOLE_CHIPS
        first = bet_limits.round_bet(bet_limits.DEFAULT_BET, plan.unit, plan.limit)
        bet = self.last_bet or Wager(first, plan.side)
        found = bet_limits.fit_wager(bet, self.bank.balance, hands=hands, unit=unit)
        return found if found.main else None

    def rules_page(self) -> str:
        """Return the rules in plain words, for 80 columns."""
        lines = textwrap.wrap(f"Rules: {self.rules.notation}", 78, break_on_hyphens=False)
        for topic, sentence in describe_rules(self.rules):
            lines += textwrap.wrap(
                sentence, 78, initial_indent=f"  {topic:<17}", subsequent_indent=" " * 19
            )
        return "\n".join(lines)


def write_ways_out(shortage: bet_limits.Shortage) -> str:
    """List the answers to a shortage: `b to bring 100 chips or q to leave`."""
    most = shortage.most_hands
    ways = [f"b to bring {format_chips(shortage.brings)} chips"]
    if most == 1:
        ways.append("1 to play one hand")
    elif most:
        ways.append(f"1 to {most} to play fewer hands")
    return f"{', '.join(ways)} or q to leave"
