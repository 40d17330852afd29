"""No sentence is cut without a mark that says where the rest is (F12)."""

from __future__ import annotations

from rich.text import Text

from upcard.tui.appearance import Appearance, fit_line, fit_lines, fit_newest, more_mark

REASON = "Standing wins 42% (the dealer busts 42%), drawing wins 38%, and the next card is a ten."
MARK = more_mark("W", Appearance(), "")


def plain(lines):
    return [line.plain for line in lines]


def test_a_line_that_fits_is_as_it_was():
    assert fit_line(Text(REASON), len(REASON), MARK).plain == REASON


def test_a_line_that_is_too_long_is_cut_at_a_blank_and_marked():
    cut = fit_line(Text(REASON), 40, MARK).plain
    assert cut == "Standing wins 42% (the dealer … W: more"
    assert len(cut) <= 40
    assert fit_line(
        Text(REASON), 40, more_mark("W", Appearance(ascii_only=True), "")
    ).plain.isascii()


def test_wrapped_lines_are_marked_only_where_some_are_left_out():
    assert " ".join(plain(fit_lines([Text(REASON)], MARK, width=50, height=2))) == REASON
    cut = plain(fit_lines([Text(REASON), Text("More.")], MARK, width=50, height=2))
    assert len(cut) == 2
    assert cut[-1].endswith("… W: more")
    assert fit_lines([Text(REASON)], MARK, width=50, height=0) == []


def test_the_newest_words_come_first_where_not_all_have_room():
    texts = [Text("The oldest."), Text("The middle."), Text(REASON)]
    assert plain(fit_newest(texts, MARK, width=50, height=3))[0] == "The middle."
    assert plain(fit_newest(texts, MARK, width=50, height=1))[0].endswith("… W: more")
    assert fit_newest([], MARK, width=50, height=3) == []


def test_no_width_is_too_narrow_to_cut_a_line():
    """F33: at a width of 1 the length of the line was -1, at which Rich raises."""
    for width in range(len(REASON) + 2):
        line = fit_line(Text(REASON), width, MARK)
        assert len(line) == len(line.plain) <= max(width, 1)
