"""Glyphs have one translation into 7-bit characters."""

import re
from pathlib import Path

import pytest

import upcard
from upcard.core.cards import to_ascii

SOURCES = Path(upcard.__file__).parent
PAINTED = [path for path in SOURCES.rglob("*.py") if not {"tui", "web"} & set(path.parts)]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("10♦ ± 0.5", "10D +- 0.5"),
        ("−∞ to 2×", "-inf to 2x"),
        ("… a second", "... a second"),
        ("╭────╮", "+----+"),
        ("Größe", "Gr??e"),
        ("as it is\n", "as it is\n"),
    ],
)
def test_glyphs_become_what_they_look_like(text, plain):
    assert to_ascii(text) == plain


def test_every_glyph_in_the_sources_has_a_counterpart():
    """The full screen has glyphs of its own, by its option `ascii_only`; a browser has them all."""
    glyphs = set(re.findall(r"[^\x00-\x7f]", "".join(path.read_text("utf-8") for path in PAINTED)))
    glyphs -= {"٣"}  # a digit that is refused
    assert sorted(glyph for glyph in glyphs if to_ascii(glyph) == "?") == []
