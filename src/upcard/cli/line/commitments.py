"""The fair shuffle in the line game: the commitment before each shoe, its seed after it."""

from __future__ import annotations

from upcard.cli.line.messages import LineMessages
from upcard.core.errors import NotationError
from upcard.fair.seeds import Commitment
from upcard.store.history import find_shoe
from upcard.store.kept_table import KeptTable


class ShoeTeller:
    """Follows the shoes of a table whose games are saved."""

    def __init__(self, table: KeptTable, remarks: LineMessages) -> None:
        self._table = table
        self._remarks = remarks
        self._shown: tuple[Commitment, int] | None = None
        self._revealed = 0

    def tell(self) -> None:
        """Between rounds: reveal the shoe that is over, show what the next one is committed to."""
        shoe = self._table.fair_shoe
        if shoe.is_over and not self._table.is_playing:
            self._table.end_shoe()
        self._reveal()
        stands = (shoe.commitment, shoe.number)
        if stands != self._shown:
            is_new = self._shown is None or self._shown[0] != shoe.commitment
            self._shown = stands
            self._remarks.tell_commitment(*stands, shoe.player_seed, is_new=is_new)

    def add_seed(self, text: str) -> str:
        """Mix a player's words into the shuffle, and say into which."""
        words = text.strip()
        if not words:
            raise NotationError("write some words of your own behind it: seed my lucky words")
        shoe = self._table.fair_shoe
        shoe.add_player_seed(words)
        if shoe.player_seed == words:
            return "Your words are mixed into this shoe."
        if shoe.next_commitment is None:
            msg = "the next shoe gets a new commitment: add your words once that is shown"
            raise NotationError(msg)
        return "Your words are mixed into the next shoe of this table, and those after it."

    def close(self) -> None:
        """Leave the table, which ends the shoe; not so in the middle of a round."""
        if self._table.is_playing:
            return
        shoe = self._table.fair_shoe
        if self._find(shoe.commitment, shoe.number) is not None:
            self._table.end_shoe()
        self._reveal()

    def _reveal(self) -> None:
        reveals = self._table.fair_shoe.reveals[self._revealed :]
        self._revealed += len(reveals)
        for reveal in reveals:
            number = self._find(reveal.commitment, reveal.number)
            if number is not None:
                self._remarks.tell_reveal(reveal, number)

    def _find(self, commitment: Commitment, number: int) -> int | None:
        """Return the number in the store of a shoe; None if no round was dealt from it."""
        return find_shoe(self._table.store, self._table.session, commitment, number)
