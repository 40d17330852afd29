"""What a printed chart says, read as a player reads it; without anything of `upcard`."""

from __future__ import annotations

from naive import best_total, is_soft


def follow_chart(text: str):
    """Return the strategy that a chart is: rows of a label and cells, one a column.

    Ten columns are upcards from 2 to ace; 26 are both dealer cards: hard 4 to 20, soft 12 to 20.
    """
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines()}

    def play(hand: tuple[int, ...], dealer: int | tuple[int, int], words: set[str]) -> str:
        return read_cell(find_cell(rows, hand, dealer, is_pair="split" in words), words)

    return play


def find_column(dealer: int | tuple[int, int]) -> int:
    """Find the column of the upcard, or of both dealer cards."""
    if isinstance(dealer, int):
        return [*range(2, 11), 1].index(dealer)
    total = best_total(list(dealer))
    if total == 21:
        return 0  # of no effect: the round is over
    return 17 + total - 12 if is_soft(list(dealer)) else total - 4


def find_cell(
    rows: dict, hand: tuple[int, ...], dealer: int | tuple[int, int], *, is_pair: bool
) -> str:
    """Find the cell of a hand; what has no row is plain: low totals as 5, high ones stand."""
    column = find_column(dealer)
    total = best_total(list(hand))
    if is_pair:
        return rows["AA" if hand[0] == 1 else f"{hand[0]}{hand[0]}"][column]
    if total >= 21:
        return "S"
    if is_soft(list(hand)):
        if total == 12:  # two aces that may not be split
            return (
                "H"
                if rows["AA"][column][:1] == "P" or "p" in rows["AA"][column]
                else rows["AA"][column]
            )
        return rows[f"A{total - 11}"][column]
    if total == 20 and "20" not in rows:
        return "S"
    return rows[str(max(total, 5))][column]


def read_cell(cell: str, words: set[str]) -> str:
    """Say what a cell means where only some answers are allowed."""
    first = {"H": "hit", "S": "stand", "D": "double", "P": "split", "R": "surrender"}[cell[0]]
    second = {"h": "hit", "s": "stand", "p": "split"}[cell[-1].lower()] if cell[1:] else "hit"
    return next(word for word in (first, second, "hit") if word in words)
