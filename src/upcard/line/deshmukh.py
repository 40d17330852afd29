"""The dialogue of document 000: chips, cards with their values, hit and stand by a menu."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from upcard.core import errors, wager
from upcard.core.actions import Action, Outcome
from upcard.core.cards import ACE, FACES, SUIT_NAMES, Card
from upcard.core.hands import BUST_LIMIT, AceRule, hand_table
from upcard.core.number_texts import read_chips
from upcard.core.numbers import count_of, format_chips, signed
from upcard.line.console import AskAgainError, Console
from upcard.line.dialogue import Dialogue, DialogueQuestion, Terms
from upcard.players.play_rounds import Bank
from upcard.table import events
from upcard.table.state import TableView

_NUMBER_NAMES: Final = ("Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_FACE_NAMES: Final = dict(zip(FACES, (*_NUMBER_NAMES, "Ten", "Jack", "Queen", "King"), strict=True))
_MENU: Final = {"1": Action.HIT, "2": Action.STAND}


class DeshmukhDialogue(Dialogue):
    """A match lasts until the player ends it or has no chips; then another may begin."""

    def __init__(self, console: Console, terms: Terms, bank: Bank) -> None:
        super().__init__(console, terms, bank)
        self.board = events.Board(terms.plan.rules)
        self.rounds_of_match = 0
        self.asks_for_chips = terms.chips is None and not terms.bot
        if self.asks_for_chips:
            bank.bring(Fraction(0))  # the player chooses the chips first

    def open(self) -> None:
        """Print the title and ask for the chips in play."""
        self.console.say("BLACK JACK", "==========")
        self._start_match()

    def _start_match(self) -> None:
        self.rounds_of_match = 0
        if self.asks_for_chips:
            self.console.say()
            chips = self.console.ask_until("How many chips will you play with? ", _read_stock)
            self.bring(chips)
        else:
            self.bring(self.bank.brought)

    def wants_round(self) -> bool:
        """Ask whether the match continues, and after a match whether another begins."""
        if not self.rounds_of_match:
            return True
        if self.bank.is_broke:
            self.console.say("You have no chips left: the match is over.")
        elif self._choose("1 continue the match", "2 end the match"):
            return True
        if not self._choose("1 new game", "2 end the game"):
            return False
        self._start_match()
        return True

    def _choose(self, first: str, second: str) -> bool:
        """Ask a menu of two options; True for the first."""
        self.console.say("", first, second)

        def read(answer: str) -> bool:
            word = answer.lower()
            if word in ("1", "2"):
                return word == "1"
            for text in (first, second):
                if word and word in (text[2:], text[2:].split(maxsplit=1)[0]):
                    return text is first
            raise AskAgainError("Please answer 1 or 2.")

        return self.console.ask_until("Your choice? ", read)

    def ask_bets(self) -> tuple[wager.Wager, ...]:
        """Show the balance and ask for the bet."""
        self.console.say()
        self._say_balance()
        return (self.fixed_bet() or self.ask_bet("Your bet? "),)

    def _say_balance(self) -> None:
        table = self.bank.on_table
        left = f", and {format_chips(table)} on the table" if table else ""
        self.console.say(f"Balance: {format_chips(self.bank.free or 0)} chips{left}")

    def hear(self, event: events.Event) -> None:
        """List the opening cards, then each new one with the total."""
        was_opening = self.board.is_opening
        self.board.hear(event)
        match event:
            case events.Shuffled():
                self.console.say("Shuffling...")
            case events.Dealt() | events.DealerDealt() if was_opening:
                if not self.board.is_opening:
                    self._list_player()
                    self._list_dealer()
            case events.Dealt():
                self._list_player()
            case events.Acted(_, action) if self.terms.bot:
                self.console.say(f"\nThe player chooses to {action}.")
            case events.DealerActed(action, _):
                verb = "hits" if action is Action.HIT else "stands"
                self.console.say(f"The dealer {verb}.")
            case events.Revealed() | events.DealerDealt():
                self._list_dealer()
            case events.Settled():
                self._say_result(event)

    def _list_player(self) -> None:
        self.console.say("", "The player's cards:" if self.terms.bot else "Your cards:")
        self._list_cards(self.board.hands[0])
        self._say_total(self.board.totals[0])

    def _list_dealer(self) -> None:
        self.console.say("", "The dealer's cards:")
        self._list_cards(self.board.dealer)
        if None not in self.board.dealer:
            self._say_total(self.board.dealer_total)

    def _list_cards(self, cards: Sequence[Card | None]) -> None:
        values = iter(value_cards((card for card in cards if card), self.rules.ace_rule))
        for card in cards:
            text = "(face down)" if card is None else f"{name_card(card)} = {next(values)}"
            self.console.say(f"   {text}")

    def _say_total(self, total: int) -> None:
        bust = " and burst" if total > BUST_LIMIT else ""
        self.console.say(f"   Making a total of {total}{bust}")

    def ask(self, question: DialogueQuestion) -> Action:
        """Show the menu and ask; words work as well as numbers."""
        self.console.say("", "1 hit", "2 stand")

        def read(answer: str) -> Action:
            action = _MENU.get(answer) or question.known(answer)
            if action is None:
                raise AskAgainError("Please answer 1 or 2, hit or stand.")
            return question.give(action)

        return self.console.ask_until("Your choice? ", read)

    def _say_result(self, event: events.Settled) -> None:
        won = "The player wins" if self.terms.bot else "You win"
        chips = f"{format_chips(abs(event.net))} chips"
        match event.outcome:
            case Outcome.NATURAL:
                text = f"A natural! {won} {chips}."
            case Outcome.WIN:
                text = f"{won} {chips}."
            case Outcome.PUSH:
                text = "A tie: the bet is returned."
            case Outcome.BUST:
                text = f"Burst: the dealer takes {chips}."
            case _:
                dealer = self.board.dealer
                is_natural = self.board.dealer_total == BUST_LIMIT and len(dealer) == 2
                how = "The dealer has a natural and wins" if is_natural else "The dealer wins"
                text = f"{how}: {chips} are lost."
        self.console.say("", text)

    def end_round(self, view: TableView) -> None:  # noqa: ARG002 (the events have shown it)
        """Show the balance after every round."""
        self.rounds_of_match += 1
        self._say_balance()

    def close(self) -> None:
        """Show the balance a last time."""
        bank = self.bank
        rounds = count_of(bank.rounds, "round")
        self.console.say()
        self._say_balance()
        self.console.say(f"FIN after {rounds}, net {signed(bank.net, '-')}.")


def name_card(card: Card) -> str:
    """Write a card as the document does: `Two of Clubs`."""
    face = _FACE_NAMES[card.face]
    return f"{face} of {SUIT_NAMES[card.suit]}" if card.suit else face


def value_cards(cards: Iterable[Card], ace_rule: AceRule) -> list[int]:
    """Return what each card counts in its hand; they sum to the hand's total.

    The hand table determines how many aces count 11. A new ace keeps its 11 if possible; if one
    must become 1, it is the earliest.
    """
    table = hand_table(ace_rule)
    values: list[int] = []
    ranks: list[int] = []
    for card in cards:
        ranks.append(card.rank)
        state = table.state_of(ranks)
        total = table.total[state]
        values.append(11 if card.rank == ACE else card.rank)
        if sum(values) > total and card.rank == ACE and not table.was_softened[state]:
            values[-1] = 1
        while sum(values) > total:
            values[values.index(11)] = 1
    return values


def _read_stock(answer: str) -> Fraction:
    try:
        return read_chips(answer, "chips")
    except errors.NotationError as error:
        raise AskAgainError(errors.as_sentence(str(error))) from None
