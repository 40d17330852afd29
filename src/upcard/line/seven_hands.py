"""The dialogue of document 001: one to seven hands drawn as boxes, numbered options."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from upcard.core.actions import Action, Outcome
from upcard.core.cards import Card, write_face
from upcard.core.hands import BUST_LIMIT
from upcard.core.numbers import format_chips, signed
from upcard.core.wager import Wager
from upcard.line.console import AskAgainError, Console, SessionOverError, pad
from upcard.line.dialogue import LEAVE, Dialogue, DialogueQuestion, Terms
from upcard.players.play_rounds import Bank
from upcard.table.events import Acted, Board, Event, InsuranceSettled, Peeked, Settled
from upcard.table.state import Hand, HandStatus, TableView

_STATUS: Final = {
    HandStatus.NATURAL: "[ BJ ]",
    HandStatus.EVEN_MONEY: "[ BJ ]",
    HandStatus.TWENTY_ONE: "[ 21 ]",
    HandStatus.STOOD: "[STND]",
    HandStatus.DOUBLED: "[DBLD]",
    HandStatus.BUST: "[BUST]",
    HandStatus.SURRENDERED: "[SURR]",
    HandStatus.WON: "[ 21 ]",
}
_RESULT: Final = {
    Outcome.WIN: "~WIN!~",
    Outcome.NATURAL: "~WIN!~",
    Outcome.PUSH: "~PUSH~",
    Outcome.LOSE: "~LOSS~",
    Outcome.BUST: "~LOSS~",
    Outcome.SURRENDER: "[SURR]",
}
_OPTIONS: Final = {Action.DOUBLE: "double down"}
"""The document's words for actions, where they are not ours."""
_DEALER_GAP: Final = 3
COLUMNS: Final = 6
_ROUND: Final = ("╭────╮", "╰────╯", "│", "▒")
_PLAIN: Final = ("+----+", "+----+", "|", "#")


class Column(NamedTuple):
    """One hand to draw; a card that is None is face down."""

    cards: Sequence[Card | None]
    mark: str = ""
    """A word above the cards: PLAY or DEAL."""
    value: str = ""
    status: str = ""


def draw_columns(columns: Sequence[Column], console: Console, gap: int = 1) -> list[str]:
    """Draw hands side by side, one blank between them, the value under each.

    The last column, the dealer's, is separated by `gap` more blanks.
    """
    drawn = [draw_hand(column.cards, console) for column in columns]
    lines = [[""] * len(columns) for _ in range(max(map(len, drawn)) + 3)]
    for index, (column, boxes) in enumerate(zip(columns, drawn, strict=True)):
        # A value is directly under its own hand, so it is higher under a shorter hand.
        words = (column.mark, column.value, column.status)
        mark, value, status = (word.center(COLUMNS) for word in words)
        for row, text in enumerate((mark, *boxes, value, status)):
            lines[row][index] = text
    return [_join(line, gap) for line in lines if any(text.strip() for text in line)]


def _join(texts: Sequence[str], gap: int) -> str:
    *hands, last = (pad(text, COLUMNS) for text in texts)
    line = " ".join(hands) + (" " * (gap + 1) if hands else "") + last
    return line.rstrip()


def draw_hand(cards: Sequence[Card | None], console: Console) -> list[str]:
    """Draw a hand: two lines a card, then a blank line and the bottom edge: 2n + 2 lines."""
    top, bottom, side, back = _PLAIN if console.ascii_only else _ROUND
    lines: list[str] = []
    for card in cards:
        if card is None:
            inside = back * 4
        else:
            face = write_face(card.face)
            inside = f"{pad(console.suit(card), 1)} {face:>2}"
        lines += [top, f"{side}{inside}{side}"]
    return [*lines, f"{side}    {side}", bottom] if lines else []


class SevenHandsDialogue(Dialogue):
    """Draws the table before every question and at the end of the round."""

    def __init__(self, console: Console, terms: Terms, bank: Bank) -> None:
        super().__init__(console, terms, bank)
        self.board = Board(terms.plan.rules)
        self.hands = terms.hands
        self.results: list[Settled] = []

    def open(self) -> None:
        """Print the title; offer the rules to a person."""
        say = self.console.say
        say(self.console.bold("BLACKJACK"), self.terms.plan.title)
        if self.terms.bot:
            say(f"{self.terms.bot} plays.")
        elif self.console.ask_yes_no("Read the rules? (y/N) ", default=False):
            say()
            self.console.show(self.rules_page())
            say()

    def wants_round(self) -> bool:
        """Ask whether to play again, after every game but the first."""
        if not self.bank.rounds:
            return True
        if self.bank.is_broke:
            self.console.say("You have no chips left.")
            return False
        return self.console.ask_yes_no("Play again? (y/N) ", default=False)

    def ask_bets(self) -> tuple[Wager, ...]:
        """Ask for the number of hands and for one bet on each of them."""
        self.hands_played = self._ask_hands()
        return super().ask_bets()

    def write_bet_question(self, hands: int, default: Wager | None) -> str:  # noqa: ARG002
        """Return the prompt, with the balance and the default."""
        offered = "" if default is None else f" [{default}]"
        return f"Balance {format_chips(self.bank.balance or 0)}. Bet on each hand{offered}: "

    def _ask_hands(self) -> int:
        if self.terms.hands is not None:
            return self.terms.hands
        most = self.rules.max_spots
        if most == self.rules.min_spots:
            return most
        last = self.hands
        offered = "" if last is None else f" [{last}]"

        def read(answer: str) -> int:
            if not answer and last is not None:
                return last
            if answer in map(str, range(1, most + 1)):
                return int(answer)
            raise AskAgainError(f"Please enter a number from 1 to {most}.")

        self.hands = self.console.ask_until(f"How many hands (1-{most})?{offered} ", read)
        return self.hands

    def hear(self, event: Event) -> None:
        """Save results for the last picture; print what a picture cannot show."""
        was_opening = self.board.is_opening
        self.board.hear(event)
        match event:
            case Settled():
                self.results.append(event)
            case Acted(hand, action) if self.terms.bot:
                self.console.say(f"Hand {hand + 1}: {_OPTIONS.get(action, action)}")
            case Peeked(has_natural) if not was_opening:
                found = "a natural" if has_natural else "no natural"
                self.console.say(f"The dealer looks at his hole card: {found}.")
            case InsuranceSettled(spot, net):
                self.console.say(f"Insurance on hand {spot + 1}: {signed(net, '-')}")

    def watch(self, view: TableView) -> None:
        """Draw the table for a bot."""
        self._draw(view)

    def ask(self, question: DialogueQuestion) -> Action:
        """Draw the table and number the legal actions; words work too."""
        self._draw(question.view)
        if question.is_offer:
            return self.console.ask_until(self._offer(question), question.read)
        numbered = {str(number): action for number, action in enumerate(question.legal, start=1)}
        options = "  ".join(f"{key} {_OPTIONS.get(act, act)}" for key, act in numbered.items())
        self.console.say(f"Hand {question.view.active + 1}: {options}")

        def read(answer: str) -> Action:
            if answer.lower() in LEAVE:
                raise SessionOverError
            if answer == "?":
                raise AskAgainError(self.rules_page())
            action = numbered.get(answer) or question.known(answer)
            if action is None:
                raise AskAgainError(f"Please answer 1 to {len(numbered)}, or with a word.")
            return question.give(action)

        return self.console.ask_until("Your choice: ", read)

    def _offer(self, question: DialogueQuestion) -> str:
        bet = Fraction(question.view.hand.stake)
        offer = question.legal[0]
        cost = format_chips(bet / 2 if offer is Action.INSURANCE else bet)
        text = {
            Action.INSURANCE: f"insurance for {cost}",
            Action.EVEN_MONEY: f"even money, {cost} at once",
            Action.SPLIT: f"split for another {cost}",
            Action.SWITCH: "swap the second cards",
        }.get(offer, str(offer))
        return f"Hand {question.view.active + 1}: {text}? (y/n) "

    def _draw(self, view: TableView) -> None:
        columns = [
            Column(
                hand.cards,
                mark="PLAY" if index == view.active else "",
                value=f"*{hand.total}" if _is_fresh_split(hand) else str(hand.total),
                status=self._status(index, hand),
            )
            for index, hand in enumerate(view.hands)
        ]
        hidden = (None,) * view.hidden
        value = str(view.dealer_total) if view.dealer else ""
        dealer = Column((*view.dealer, *hidden), "DEAL", value, self._dealer_status(view))
        self.console.say("", *draw_columns([*columns, dealer], self.console, _DEALER_GAP))

    def _status(self, index: int, hand: Hand) -> str:
        if self.results:
            return _RESULT[self.results[index].outcome]
        return _STATUS.get(hand.status, "")

    def _dealer_status(self, view: TableView) -> str:
        if view.dealer_total > BUST_LIMIT:
            return "[BUST]"
        is_natural = len(view.dealer) == 2 and view.dealer_total == BUST_LIMIT
        return "[ BJ ]" if is_natural else ""

    def end_round(self, view: TableView) -> None:
        """Draw the table a last time, with the result of every hand."""
        self._draw(view)
        if self.rules.betting:
            nets = [result.net for result in self.results]
            each = f" ({', '.join(signed(net, '-') for net in nets)})" if len(nets) > 1 else ""
            self.console.say(f"Net {signed(sum(nets), '-')}{each}. {self.bank.standing}.")
        else:
            self.console.say(f"{self.bank.standing}.")
        self.results = []

    def close(self) -> None:
        """Report the number of games, and the balance or the score."""
        self.console.say(f"\n{self.bank.summarize('game')}")


def _is_fresh_split(hand: Hand) -> bool:
    return hand.is_split and hand.is_live and len(hand.cards) == 2
