"""The font of pictures: how wide text is, and PNG that is drawn with it.

It comes with upcard (`fonts`), so that the same picture gives the same file on every machine, also
on one without fonts.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from upcard.core.errors import MissingExtraError

FAMILY: Final = "DejaVu Sans"
FONT_FAMILY: Final = f"font-family: system-ui, '{FAMILY}', sans-serif;"
"""The reader's own font in SVG; no common one is wider than the one that measures."""
_FONTS: Final = [
    Path(__file__).with_name("fonts") / f"DejaVuSans{one}.ttf" for one in ("", "-Bold")
]
"""Regular and bold."""
_PNG_SCALE: Final = 2
_WIDEST: Final = 1.0
"""Width of a character that the font has not, as a share of the size."""


def measure(text: str, size: float, *, is_bold: bool = False) -> float:
    """Return the width of a line of text in the units of `size`."""
    widths = _read_widths(is_bold)
    return size * math.fsum(widths.get(ord(one), _WIDEST) for one in text)


def wrap(text: str, size: float, width: float, *, is_bold: bool = False) -> Iterator[str]:
    """Break text into lines that fit a width: after a blank, or a comma of a long word."""
    while measure(text, size, is_bold=is_bold) > width:
        totals = accumulate(measure(one, size, is_bold=is_bold) for one in text)
        fits = sum(total <= width for total in totals) or 1
        least = fits // 2
        cut = text.rfind(" ", least, fits + 1) + 1 or text.rfind(",", least, fits) + 1 or fits
        yield text[:cut].rstrip()
        text = text[cut:].lstrip()
    if text:
        yield text


@cache
def _read_widths(is_bold: bool) -> dict[int, float]:  # noqa: FBT001 (a key of the cache)
    """Read the widths of characters, as shares of the size, from the tables of a TrueType font."""
    data = _FONTS[is_bold].read_bytes()
    names = struct.iter_unpack(">4s4xI4x", data[12 : 12 + 16 * int.from_bytes(data[4:6])])
    starts = {name.decode(): start for name, start in names}

    def numbers(table: str, at: int, count: int, kind: str = "H") -> tuple[int, ...]:
        return struct.unpack_from(f">{count}{kind}", data, starts[table] + at)

    (units,), (known,) = numbers("head", 18, 1), numbers("hhea", 34, 1)
    advances = numbers("hmtx", 0, 2 * known)[::2]
    groups = iter(numbers("cmap", 28, 3 * numbers("cmap", 24, 1, "I")[0], "I"))  # format 12
    return {
        char: advances[min(glyph + char - first, known - 1)] / units
        for first, last, glyph in zip(groups, groups, groups, strict=True)
        for char in range(first, last + 1)
    }


def import_renderer() -> Any:  # noqa: ANN401 (a module)
    """Return the renderer of PNG. Raises: MissingExtraError without the extra `plots`."""
    try:
        import resvg_py
    except ImportError:
        raise MissingExtraError(
            "a PNG needs resvg_py: pip install 'upcard[plots]'"
            " (files whose names end in .svg or .txt need nothing)"
        ) from None
    return resvg_py


def draw_png(svg: str) -> bytes:
    """Draw a picture as PNG, at twice its size. Raises: MissingExtraError."""
    drawn: bytes = import_renderer().svg_to_bytes(
        svg_string=svg,
        zoom=_PNG_SCALE,
        skip_system_fonts=True,
        font_files=[str(path) for path in _FONTS],
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    return drawn
