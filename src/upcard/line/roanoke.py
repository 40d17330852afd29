"""Document 004: the dialogue of its sample sessions."""

from fractions import Fraction
from typing import Final

from upcard.core.actions import Action
from upcard.core.cards import SUIT_NAMES, Card
from upcard.core.hands import BUST_LIMIT
from upcard.core.numbers import digits_of, exact_number
from upcard.core.wager import Wager
from upcard.documents.roanoke import Computer
from upcard.line.console import AskAgainError, Console
from upcard.line.dialogue import Dialogue, DialogueQuestion, Terms
from upcard.players.play_rounds import Bank
from upcard.table import events, state

COMPUTER: Final = "Computer"
DEALER: Final = "Dealer"
_FACE_NAMES: Final = {"A": "Ace", "T": "10", "J": "Jack", "Q": "Queen", "K": "King"}
_NAME_PROMPT: Final = "Please enter the player's name (or enter Computer): "
_NUMBER_PROMPTS: Final = (
    "Enter the probability of hitting on a count of 12: ",
    "Enter the highest count for a hit: ",
    "Enter the probability of hitting on a count of {}: ",
)
_LONGEST_NAME: Final = 40


class RoanokeDialogue(Dialogue):
    """Prints the document's dialogues; its "Computers's turn" is written "Computer's turn"."""

    def __init__(self, console: Console, terms: Terms, bank: Bank) -> None:
        super().__init__(console, terms, bank)
        self.board = events.Board(terms.plan.rules)
        self.name = ""
        self.has_turn = False

    def open(self) -> None:
        """Print the banner and ask who plays; for a computer player, its three numbers too."""
        say = self.console.say
        say("Welcome to the Blackjack Casino!", "===============================", "")
        if self.terms.bot:
            self._introduce_bot()
        else:
            self.name = self.console.ask_until(_NAME_PROMPT, _read_name)
            if self.name == COMPUTER:
                say()
                self._ask_for_computer()
        say()

    def _introduce_bot(self) -> None:
        """Print the opening as if the bot's name and numbers had been entered."""
        kind, _, numbers = self.terms.bot.partition(":")
        self.name = kind.capitalize()
        self.console.say(f"{_NAME_PROMPT}{self.name}")
        parts = [part.strip() for part in numbers.split(",")]
        if self.name == COMPUTER and len(parts) == len(_NUMBER_PROMPTS):
            self.console.say()
            for prompt, number in zip(_NUMBER_PROMPTS, parts, strict=True):
                self.console.say(prompt.format(parts[1]) + number)

    def _ask_for_computer(self) -> None:
        first, second, third = _NUMBER_PROMPTS
        ask = self.console.ask_until
        prob12 = ask(first, _read_probability)
        highest = ask(second, _read_count)
        prob_high = ask(third.format(highest), _read_probability)
        computer = Computer(prob12, highest, prob_high, rng=self.terms.rng)
        if computer.note:
            self.note(computer.note)
        self.decider = computer

    def wants_round(self) -> bool:
        """Ask whether to play again, after every round but the first."""
        if not self.bank.rounds:
            return True
        again = self.console.ask_yes_no("Play again? ")
        if again:
            self.console.say()
        return again

    def ask_bets(self) -> tuple[Wager, ...]:
        """Return a bet of one without asking: this house has no bets."""
        return (Wager(Fraction(1)),)

    def hear(self, event: events.Event) -> None:
        """Print an event in the words of the samples."""
        was_opening = self.board.is_opening
        self.board.hear(event)
        match event:
            case events.RoundStarted():
                self.has_turn = False
            case events.Dealt(hand, _, total) if was_opening and len(self.board.hands[hand]) > 1:
                first, second = map(name_card, self.board.hands[hand])
                self._say_block(
                    f"Dealing {self.name}'s hand...",
                    f"Cards are {first} and {second}",
                    f"Count is {total}",
                )
            case events.Dealt(_, card, total) if not was_opening:
                self._say_new(card, total, self.name)
            case events.DealerDealt(card, _) if was_opening and card is not None:
                self._say_block("Dealing Dealer's hand...", f"Top card is {name_card(card)}")
            case events.DealerDealt(card, total) if card is not None:
                self._say_new(card, total, DEALER)
            case events.Acted(_, action):
                if not self._is_machine:
                    self.console.say()
                else:
                    verb = "hits" if action is Action.HIT else "sticks"
                    self._say_block(f"{self.name} {verb}...")
            case events.Revealed(cards, total):
                bottom = f"Bottom card is {name_card(cards[0])}"
                self._say_block("Dealer's turn...", bottom, f"Count is {total}")
            case events.DealerActed(action, _):
                verb = "hits" if action is Action.HIT else "sticks"
                self._say_block(f"Dealer {verb}...")
            case events.RoundEnded(net):
                self._say_result(net)

    def _say_block(self, *lines: str) -> None:
        self.console.say(*lines, "")

    def _say_new(self, card: Card, total: int, who: str) -> None:
        self._say_block(f"New card is {name_card(card)}", f"Count is {total}")
        if total > BUST_LIMIT:
            self._say_block(f"{who} busts")

    @property
    def _is_machine(self) -> bool:
        return bool(self.terms.bot) or self.decider is not None

    def _say_result(self, net: Fraction) -> None:
        board = self.board
        count = board.totals[0]
        is_natural = count == BUST_LIMIT and len(board.hands[0]) == 2
        if is_natural and net > 0:
            self._say_block(f"{self.name} has a blackjack")
        elif board.is_revealed and max(count, board.dealer_total) <= BUST_LIMIT:
            dealer = f"Dealer's count is {board.dealer_total}"
            self._say_block(f"{self.name}'s count is {count}", dealer)
        winner = {1: f"{self.name} wins!", 0: "It is a tie!", -1: f"{DEALER} wins!"}
        self._say_block(winner[(net > 0) - (net < 0)])

    def watch(self, view: state.TableView) -> None:  # noqa: ARG002 (the cards are shown already)
        """Announce the computer's turn before its first decision."""
        if not self.has_turn:
            self.has_turn = True
            self._say_block(f"{self.name}'s turn...")

    def ask(self, question: DialogueQuestion) -> Action:
        """Ask whether to hit or stick."""
        if not self.has_turn:
            self.has_turn = True
            self.console.say(f"{self.name}'s turn...")

        def read(answer: str) -> Action:
            word = answer.lower()
            if word in ("h", "hit"):
                return question.give(Action.HIT)
            if word in ("s", "stick", "stand", "stay"):
                return question.give(Action.STAND)
            raise AskAgainError("Please answer h or s.")

        return self.console.ask_until("Do you want to hit or stick (h or s)? ", read)

    def end_round(self, view: state.TableView) -> None:
        """Print nothing: the events have shown the result."""

    def close(self) -> None:
        """Print the counts."""
        bank = self.bank
        if not self.terms.bot:
            self.console.say()
        wins = f"{self.name or 'Player'} wins: {bank.wins}"
        self.console.say(wins, f"Dealer wins: {bank.losses}", f"Ties: {bank.ties}")


def name_card(card: Card) -> str:
    """Write a card as in the samples: `8 of Diamonds`; a card without a suit by its rank."""
    face = _FACE_NAMES.get(card.face, card.face)
    return f"{face} of {SUIT_NAMES[card.suit]}" if card.suit else face


def _read_name(answer: str) -> str:
    if not answer or len(answer) > _LONGEST_NAME:
        raise AskAgainError(f"Please enter a name of 1 to {_LONGEST_NAME} letters.")
    if answer.lower() == DEALER.lower():
        msg = "Sorry, the name Dealer is reserved for the dealer. Please choose another."
        raise AskAgainError(msg)
    return COMPUTER if answer.lower() == COMPUTER.lower() else answer


def _read_probability(answer: str) -> float:
    # The document's game asks for a decimal.
    probability = None if "/" in answer else exact_number(answer)
    if probability is None or not 0 <= probability <= 1:
        raise AskAgainError("Please enter a number from 0 to 1.")
    return float(probability)


def _read_count(answer: str) -> int:
    if (count := digits_of(answer)) is None or count > BUST_LIMIT:
        raise AskAgainError(f"Please enter a whole number from 0 to {BUST_LIMIT}.")
    return count
