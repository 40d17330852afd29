"""What every house's voice has in common: it renders events and asks, and decides nothing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from upcard.cli.line.console import AskAgainError, SessionOverError, format_chips, read_chips
from upcard.core.actions import Action, parse_action
from upcard.core.errors import IllegalActionError, NotationError

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from upcard.cli.line.bank import Bank
    from upcard.cli.line.console import Console
    from upcard.players.interface import Decider
    from upcard.rules.model import Rules
    from upcard.table.events import Event
    from upcard.table.view import TableView

DEFAULT_BET: Final = Fraction(10)
LEAVE: Final = ("q", "quit", "leave", "exit")
_LETTERS: Final = {
    "h": Action.HIT,
    "s": Action.STAND,
    "d": Action.DOUBLE,
    "p": Action.SPLIT,
    "r": Action.SURRENDER,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What the command line has settled; None and empty where it left a question open."""

    rules: Rules
    title: str
    notation: str
    rng: random.Random
    chips: Fraction | None = None
    bet: Fraction | None = None
    """One bet for every round and hand; nobody is asked then."""
    hands: int | None = None
    limit: Fraction | None = None
    """The most that may be bet on a hand."""
    bot: str = ""
    """The bot that plays as it was written, empty if a person does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the table asks a person: `legal` is what the rules allow and the chips cover."""

    view: TableView
    legal: tuple[Action, ...]
    why_not: Callable[[Action], str]

    @property
    def is_offer(self) -> bool:
        """Whether it is answered yes or no."""
        return self.legal[-1].declines

    def read(self, answer: str) -> Action:
        """Read an answer: a letter or a word, in any case; yes or no to an offer.

        Raises: AskAgainError with the reason if it is none, or not legal here.
        """
        word = answer.lower()
        if self.is_offer and word in ("y", "yes", "n", "no"):
            return self.legal[0] if word.startswith("y") else self.legal[-1]
        action = self.known(answer)
        if action is None:
            msg = f"Please answer {self.choices()}."
            raise AskAgainError(msg)
        return self.allow(action)

    def known(self, answer: str) -> Action | None:
        """Find the action that a letter or a word names; None if there is none."""
        action = _LETTERS.get(answer.lower())
        if action is not None:
            return action
        try:
            return parse_action(answer)
        except IllegalActionError:
            return None

    def allow(self, action: Action) -> Action:
        """Return an action that is legal here.

        Raises: AskAgainError with the reason why it is not.
        """
        if action in self.legal:
            return action
        raise AskAgainError(as_sentence(self.why_not(action)))

    def choices(self) -> str:
        """List the possible answers in words."""
        if self.is_offer:
            return "yes or no (y or n)"
        words = [str(action) for action in self.legal]
        return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


class Voice(ABC):
    """How a house talks. One session has one voice."""

    def __init__(self, console: Console, terms: Terms, bank: Bank) -> None:
        """Talk through `console` about the chips in `bank`."""
        self.console = console
        self.terms = terms
        self.rules = terms.rules
        self.bank = bank
        self.last_bet: Fraction | None = None
        self.decider: Decider | None = None
        """Who plays instead of the person, if the session's opening found one."""

    @abstractmethod
    def open(self) -> None:
        """Greet, and ask what must be known before the first round."""

    @abstractmethod
    def wants_round(self) -> bool:
        """Whether there is to be another round; the first is not asked about."""

    @abstractmethod
    def ask_bets(self) -> tuple[Fraction, ...]:
        """Return one bet for each hand that is to be played."""

    @abstractmethod
    def hear(self, event: Event) -> None:
        """Render an event as it happens."""

    @abstractmethod
    def ask(self, question: Question) -> Action:
        """Ask the person until the answer is legal."""

    @abstractmethod
    def end_round(self, view: TableView) -> None:
        """Close a round whose result is in the bank."""

    @abstractmethod
    def close(self) -> None:
        """Say how the session ended."""

    def watch(self, view: TableView) -> None:  # noqa: B027 (most voices wait for what follows)
        """Render the table before a bot decides, where the voice has something to show."""

    def note(self, text: str) -> None:
        """Tell something that is neither event nor question."""
        self.console.say(as_sentence(text))

    def refuse(self, reason: str) -> AskAgainError:
        """Return what makes the console ask again, with the reason as this voice words it."""
        return AskAgainError(reason)

    def fixed_bet(self, hands: int = 1) -> Fraction | None:
        """Return the bet that the command line has fixed, as long as the chips cover it."""
        fixed = self.terms.bet
        if fixed is None:
            return None
        reason = self.why_not_bet(fixed, hands)
        if reason is None:
            return fixed
        self.note(reason)
        return None

    def ask_bet(self, prompt: str, hands: int = 1, default: Fraction | None = None) -> Fraction:
        """Ask for one bet that the chips cover on each of `hands`; `?` and `q` work here too."""

        def read(answer: str) -> Fraction:
            if answer.lower() in LEAVE:
                raise SessionOverError
            if answer == "?":
                raise AskAgainError(self.rules_page())
            try:
                bet = default if not answer and default is not None else read_chips(answer)
            except NotationError as error:
                raise self.refuse(as_sentence(str(error))) from None
            objection = self.why_not_bet(bet, hands)
            if objection is not None:
                raise self.refuse(objection)
            return bet

        bet = self.console.ask_until(prompt, read)
        self.last_bet = bet
        return bet

    def why_not_bet(self, bet: Fraction, hands: int) -> str | None:
        """Say why a bet cannot be placed; None if it can."""
        limit = self.terms.limit
        if limit is not None and bet > limit:
            return f"The table's limit is {format_chips(limit)} a hand."
        if not self.bank.can_bet(bet, hands):
            times = "" if hands == 1 else f" on each of {hands} hands"
            return (
                f"A bet of {format_chips(bet)}{times} is more than your"
                f" balance of {format_chips(self.bank.balance or 0)}."
            )
        return None

    def default_bet(self, hands: int = 1) -> Fraction | None:
        """Return the bet that Enter stands for: the last one, or the most the chips allow."""
        bet = self.last_bet or DEFAULT_BET
        if self.terms.limit is not None:
            bet = min(bet, self.terms.limit)
        if self.bank.can_bet(bet, hands):
            return bet
        most = Fraction(int((self.bank.balance or 0) / hands))
        return most or None

    def rules_page(self) -> str:
        """Return the rules in force in our own words, to be read on 80 columns."""
        import textwrap

        from upcard.rules.describe import describe_rules

        lines = textwrap.wrap(f"Rules: {self.terms.notation}", 78, break_on_hyphens=False)
        for topic, sentence in describe_rules(self.rules):
            lines += textwrap.wrap(
                sentence, 78, initial_indent=f"  {topic:<17}", subsequent_indent=" " * 19
            )
        return "\n".join(lines)


def as_sentence(text: str) -> str:
    """Write a reason as a sentence of its own."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
