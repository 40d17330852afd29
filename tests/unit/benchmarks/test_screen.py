"""The benchmark of the full screen reads its frames, whose words change, and presses its keys."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from benchmarks.screen import measure_screen


@pytest.mark.slow
def test_the_screen_is_there_and_answers_every_key():
    figures = measure_screen(1, presses=2)
    assert len(figures) == 5
    assert all(0 < figure.seconds < 60 for figure in figures.values())
