"""The one translation of the glyphs that upcard writes into 7-bit characters."""

from __future__ import annotations

from typing import Final

from upcard.core.cards import SUIT_GLYPHS

_ASCII: Final = {
    **str.maketrans("−–—×≤≥·", "---x<>|"),
    # Boxes, bars, whiskers and shades of pictures; the shares of a column in eighths.
    **str.maketrans("╭╮╰╯└┤│┊─┄◂▸●░▒█▁▂▃▄▅▆▇", "+++++||:--<>o.:#1234567"),
    **{ord(glyph): suit for suit, glyph in SUIT_GLYPHS.items()},
    ord("±"): "+-",
    ord("∞"): "inf",
}


def to_ascii(text: str) -> str:
    """Write a text in 7 bits; what has no counterpart becomes a question mark.

    >>> to_ascii("10♦ ± 0.5")
    '10D +- 0.5'
    """
    return text.translate(_ASCII).encode("ascii", "replace").decode("ascii")
