"""BlackJack(p), document 002: the best first action for every hand, for any odds of a ten."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, TypeAlias, overload

from upcard.core import cards, errors, figure, numbers
from upcard.core.actions import Action
from upcard.exact.infinite import InfiniteSolver
from upcard.rules.house import house
from upcard.rules.model import Rules
from upcard.strategy.chart import HAND_LABELS, UPCARD_LABELS, read_row, tabulate_cells

Row: TypeAlias = tuple[str, str]

_LETTERS: Final = {Action.HIT: "H", Action.STAND: "S", Action.DOUBLE: "D", Action.SPLIT: "P"}
_LONGEST: Final = 800


@dataclass(frozen=True, slots=True)
class ValuedRow:
    """A row of the policy, by upcard."""

    hand: str
    actions: list[str]
    """Letter of the best first action."""
    values: list[dict[str, float]]
    """Value of each legal first action, by its letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy(Sequence["Row"], figure.Displayed):
    """33 rows of a label and ten letters, one for each upcard from 2 to ace.

    A letter is the best first action: H hit, S stand, D double, P split. `str(policy)` is the text
    in the format of document 002.
    """

    p: Fraction
    """Odds of a ten-valued card."""
    ev: float
    """EV of a round per unit bet with the best play; infinite where endless splits pay."""
    rows: tuple[Row, ...]
    solution: InfiniteSolver = field(repr=False, compare=False)
    """Solver of the letters."""
    json_keys = "p=p.__str__ ev upcards rows=valued_rows"

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        """Write label, tab and ten letters with blanks between, a line for each row."""
        return "".join(f"{label}\t{' '.join(letters)}\n" for label, letters in self.rows)

    def values(self, label: str, upcard: str | cards.Rank) -> dict[str, float]:
        """Return the value of each legal first action, by its letter.

        Raises: NotationError if there is no such row or column.
        """
        values = self.solution.values(read_row(label), cards.read_rank(upcard, "upcard"))
        return {letter: values[action] for action, letter in _LETTERS.items() if action in values}

    def table(self) -> figure.AnswerTable:
        """Return the best first action of each hand against each upcard."""
        rows = ((hand, *letters) for hand, letters in self)
        about = figure.caption(f"a card is worth ten with probability {self.p}")
        return tabulate_cells(f"BlackJack({self.p})", UPCARD_LABELS, rows, about)

    @property
    def upcards(self) -> Sequence[str]:
        """The headings of the columns."""
        return UPCARD_LABELS

    @property
    def valued_rows(self) -> tuple[ValuedRow, ...]:
        """The rows with the value of every legal first action against each upcard."""
        return tuple(
            ValuedRow(hand, [*letters], [self.values(hand, one) for one in UPCARD_LABELS])
            for hand, letters in self.rows
        )


def policy(p: str | float | Fraction) -> Policy:
    """Solve BlackJack(p): document 002's game, in which a card is worth ten with probability p.

    Hands that cannot occur (p is 0 or 1) have the best play if they did.

    Raises: NotationError if `p` is not a probability.

    >>> policy("4/13")[11]
    ('16', 'SSSSSHHHHH')
    """
    rules = mdp_rules(p)
    solution = InfiniteSolver(rules)
    rows = tuple(
        (label, "".join(_LETTERS[solution.best(label, up)] for up in cards.UPCARD_ORDER))
        for label in HAND_LABELS
    )
    return Policy(p=rules.ten_probability, ev=solution.game_ev, rows=rows, solution=solution)


def mdp_rules(p: str | float | Fraction) -> Rules:
    """Return the rules of BlackJack(p)."""
    return house("mdp").replace(ten_probability=read_probability(p))


def read_probability(p: str | float | Fraction) -> Fraction:
    """Read a decimal or a fraction exactly; a float means the decimal that it prints as.

    Raises: NotationError if it is not a probability.
    """
    share = numbers.exact_number(p, longest=_LONGEST)
    if share is None or not 0 <= share <= 1:
        shown = str(p).strip()
        shown = shown if len(shown) <= 40 else shown[:37] + "..."
        msg = f"p = {shown!r}: write a probability from 0 to 1, a decimal (0.3) or fraction (4/13)"
        raise errors.NotationError(msg)
    return share
