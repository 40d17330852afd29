"""The pictures of the screen in the README and the pages are what the program shows."""

import pytest
import screens


@pytest.mark.parametrize("name", screens.PICTURES)
def test_the_picture_is_what_the_screen_shows(name):
    assert screens.place_of(name).read_text(encoding="utf-8") == screens.PICTURES[name]()


def test_pictures_bring_nothing_from_elsewhere():
    for name in screens.PICTURES:
        svg = screens.place_of(name).read_text(encoding="utf-8")
        assert "url(" not in svg.replace("url(#", "")
        assert "@import" not in svg
