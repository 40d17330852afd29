"""Axes of plots: round ticks, and places between the ends."""

import pytest

from upcard.charts.axis import Axis


def test_ticks_are_round_and_values_between_the_ends_of_the_picture():
    axis = Axis(-90, 40, 100, 0)
    assert list(axis.ticks()) == [-50, 0]
    assert (axis(-90), axis(-25), axis(40)) == (100, 50, 0)
    assert (axis(-1000), axis(1000)) == (100, 0)


@pytest.mark.parametrize("ends", [(0, 0), (3, 3), (-1e-9, 1e-9), (1e9, 2e9), (0.1, 0.7)])
def test_any_values_have_an_axis_that_holds_them(ends):
    axis = Axis(*ends, 0, 100)
    assert 1 <= len(list(axis.ticks())) <= 6
    assert all(-0.01 <= axis(value) <= 100.01 for value in ends)
