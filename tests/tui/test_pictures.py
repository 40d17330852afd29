"""What the pictures of the screen consist of; `make docs ARGS=--check` draws them again."""

import re

import pytest
import screens


def test_pictures_bring_nothing_from_elsewhere():
    for name in screens.PICTURES:
        svg = screens.place_of(name).read_text(encoding="utf-8")
        assert "url(" not in svg.replace("url(#", "")
        assert "@import" not in svg


@pytest.mark.parametrize("name", screens.PICTURES)
def test_a_word_of_a_picture_is_a_text_of_its_own(name):
    # D3: programs drop or squeeze the blanks of a text, and then words and frames shift.
    svg = screens.place_of(name).read_text(encoding="utf-8")
    texts = re.findall(r"<text [^>]*>([^<]*)</text>", svg)
    assert len(texts) > 10
    assert [text for text in texts if re.search(r"\s", text)] == []


def test_frames_and_bars_of_a_picture_are_lines_and_not_letters():
    for name in screens.PICTURES:
        svg = screens.place_of(name).read_text(encoding="utf-8")
        assert re.findall("[─│╭╮╰╯█▒]", svg) == []
