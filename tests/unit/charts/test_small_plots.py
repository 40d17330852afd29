"""Small plots: paths in a box, round ticks, whiskers."""

import pytest

from upcard.charts.plots.small_plots import plot_bars, plot_lines


def read_path(path):
    pairs = path.strip("MZ").split("L")
    return [tuple(map(float, pair.split())) for pair in pairs]


def test_lines_and_bands_fill_the_box_between_round_ticks():
    plot = plot_lines([0, 5, 10], {"net": [0, 30, -70]}, {"luck": ([-10, -20, -90], [0, 40, 10])})
    assert plot.y_ticks == ("50", "0", "−50", "−100")
    assert plot.grid == pytest.approx((0, 100 / 3, 200 / 3, 100), abs=0.01)
    assert plot.zero == pytest.approx(100 / 3, abs=0.01)
    assert plot.x_ticks == ("0", "5", "10")
    net = [(0, 33.33), (50, 13.33), (100, 80)]
    assert [pytest.approx(point) for point in net] == read_path(plot.lines["net"])
    assert len(read_path(plot.bands["luck"])) == 6
    assert plot.bands["luck"].endswith("Z")


@pytest.mark.parametrize("ys", [[0, 0], [3, 3], [-1e-9, 1e-9], [1e9, 2e9], [0.1, 0.7]])
def test_any_values_have_an_axis_that_holds_them(ys):
    plot = plot_lines([0, 1], {"net": ys}, {})
    assert 2 <= len(plot.y_ticks) <= 7
    assert all(-0.01 <= y <= 100.01 for _, y in read_path(plot.lines["net"]))


def test_a_bar_has_whiskers_of_one_deviation_that_begin_at_zero_at_least():
    wide, narrow = plot_bars([8, 1], [2, 3])
    assert (wide.length, wide.low, wide.high) == (80, 60, 100)
    assert (narrow.length, narrow.low, narrow.high) == (10, 0, 40)
    assert plot_bars([0], [0])[0].high == 0
