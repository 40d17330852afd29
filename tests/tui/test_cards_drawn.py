"""Cards as boxes."""

import pytest
from rich.cells import cell_len

from upcard.charts.palette import THEME_NAMES
from upcard.core.cards import parse_cards
from upcard.core.errors import NotationError
from upcard.tui.appearance import Appearance
from upcard.tui.drawing import (
    LARGE,
    SMALL,
    draw_fan,
    draw_stack,
    fan_width,
    stack_height,
    write_cards,
)

HAND = parse_cards("TS 6D AC")


def test_a_fan_shows_rank_and_suit_of_every_card():
    assert [line.plain for line in draw_fan(HAND, Appearance())] == [
        "╭──╭──╭────╮",
        "│10│6 │A   │",
        "│♠ │♦ │ ♣  │",
        "╰──╰──╰────╯",
    ]


def test_document_001_stack_takes_two_lines_a_card_and_two_more():
    assert [line.plain for line in draw_stack(HAND[:2], Appearance())] == [
        "╭────╮",
        "│♠ 10│",
        "╭────╮",
        "│♦  6│",
        "│    │",
        "╰────╯",
    ]


def test_a_dense_stack_takes_one_line_a_card():
    lines = draw_stack(HAND, Appearance(), is_dense=True)
    assert len(lines) == len(HAND) + 2 == stack_height(len(HAND), is_dense=True)


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("cards", range(1, 12))
@pytest.mark.parametrize(
    "look", [Appearance(), Appearance(letters=True), Appearance(ascii_only=True)]
)
def test_a_fan_is_as_wide_as_it_says(cards, size, look):
    for hand in (HAND * 4)[:cards], [None] * cards:
        lines = draw_fan(hand, look, size)
        assert len(lines) == size.height
        assert {line.cell_len for line in lines} == {fan_width(cards, size)}


def test_ascii_and_letters_use_no_glyphs():
    for lines in (
        draw_fan([*HAND, None], Appearance(ascii_only=True)),
        draw_stack(HAND, Appearance(ascii_only=True)),
    ):
        assert all(line.plain.isascii() for line in lines)
    assert write_cards(HAND, Appearance(letters=True)).plain == "10S 6D AC"
    assert write_cards([None], Appearance()).plain == "??"


def test_no_cards_are_as_high_as_some():
    assert [line.plain for line in draw_fan([], Appearance())] == [""] * 4
    assert draw_stack([], Appearance()) == []


def test_four_colours_tell_the_suits_apart():
    look = Appearance(theme="four-colour")
    assert len({look.style_of(card) for card in parse_cards("AS AH AD AC")}) == 4


def test_an_unknown_theme_is_refused():
    with pytest.raises(NotationError, match=r"mauve.*high-contrast"):
        Appearance(theme="mauve")


def test_themes_go_round():
    look, seen = Appearance(), []
    for _ in THEME_NAMES:
        seen.append(look.theme)
        look = look.next_theme()
    assert tuple(seen) == THEME_NAMES
    assert look == Appearance()


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_inks_are_read_on_their_paper(theme):
    """WCAG 2.2, 1.4.3: a contrast of at least 4.5 to 1."""
    paints = Appearance(theme=theme).paints
    for style in paints.suits.values():
        ink, paper = style.removeprefix("bold ").split(" on ")
        assert contrast(ink, paper) >= 4.5


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color):
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_glyphs_take_one_column():
    assert all(cell_len(glyph) == 1 for glyph in "♠♥♦♣╭╮╰╯│─▒►★░█")
