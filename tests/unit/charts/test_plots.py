"""Pictures of simulations: the numbers they show, their files, and their text forms."""

from __future__ import annotations

import re
import statistics
import sys
from array import array
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from marks import slow_except

from upcard import Rules, RulesError
from upcard.analysis.cards_gone import CardsGone, DepthRow
from upcard.charts import plots
from upcard.charts.plot_data import (
    FEW_LINES,
    MOST_LINES,
    SIGMAS,
    Side,
    read_bankroll_plot,
    read_convergence_plot,
    read_count_plot,
    read_depth_plot,
)
from upcard.charts.plots import draw_text
from upcard.core.cards import to_ascii
from upcard.core.errors import MissingExtraError
from upcard.core.numbers import to_json
from upcard.simulation.betting_sessions import BettingSession, SessionPlan
from upcard.simulation.tally import ExactCheck, Tally
from upcard.strategy.count_system import load_system

RULES = "6D S17 PEEK DOA DAS SP4 NRSA NS 3:2"
# Rounds by net, in halves of a bet, for each count.
ROUNDS = {
    -2: {-2: 30_000, 2: 20_000, 3: 1_000},
    -1: {-2: 120_000, 2: 110_000},
    0: {-2: 210_000, 0: 40_000, 2: 180_000, 3: 10_000},
    1: {-2: 90_000, 2: 89_500, 4: 300},
    2: {-4: 3_000, 2: 30_000, 4: 6_000},
    3: {-2: 40, 2: 50},
    4: {2: 60_000},
}
TOTAL = sum(sum(nets.values()) for nets in ROUNDS.values())


def make_document(*, spots=1, rounds=ROUNDS, system="hi-lo", **changes):
    counts = sorted(rounds)
    table = np.zeros((2, 2, len(counts), 9), np.int64)
    for place, count in enumerate(counts):
        for net, number in rounds[count].items():
            table[0, 1, place, net + 4] = number // 2
            table[1, 1, place, net + 4] = number - number // 2
    tally = Tally(
        unit=2,
        least_net=-4,
        least_count=counts[0] if counts else 0,
        spots=spots,
        rounds=table,
        added=np.zeros(table.shape[:3], np.int64),
        shoes=9,
        cards=99,
    )
    job = {"system": None if system is None else load_system(system).to_toml()}
    return {
        "rules": RULES,
        "seed": 7,
        "rounds": TOTAL,
        "ramp": None,
        "job": job,
        "tally": tally.to_json(),
        "exact": to_json(ExactCheck(exact_ev=-0.0041, is_fresh=True)),
        "progress": [[10_000 * k, -0.004 + 0.01 / k, 0.012 / k**0.5] for k in range(1, 41)],
        **changes,
    }


def make_runs(*series, rounds=6, **changes):
    """Make series of sessions from their chips after each round."""
    runs = []
    for betting, paths in series:
        plan = SessionPlan(
            rules=Rules(), betting=betting, rounds=rounds, stake=Fraction(10), seed=1, **changes
        )
        sessions = [
            BettingSession(
                number=number,
                rounds=len(path),
                stake=Fraction(10),
                peak=Fraction(max(path)),
                final=Fraction(path[-1]),
                is_ruined=len(path) < rounds,
                largest_bet=Fraction(1),
                initial_bets=Fraction(5),
                total_action=Fraction(5),
                losing_streak=1,
                path=array("d", path),
            )
            for number, path in enumerate(paths, 1)
        ]
        runs.append((plan, sessions))
    return runs


PATHS = [[11, 12, 13, 14, 15, 16], [9, 7, 3], [9, 10, 11, 10, 9, 8], [11, 9, 5, 1]]
RUNS = make_runs(("martingale", PATHS))
GONE = CardsGone(
    rules=Rules.parse("1D"),
    seed=7,
    rows=tuple(
        DepthRow(
            gone=gone,
            left=52 - gone,
            shoes=50,
            is_exact=not error,
            sd=0.02,
            ev=ev,
            error=error,
            low=ev - width,
            high=ev + width,
            winning=0.5,
            winning_error=error,
            gain=0.01,
            gain_error=error,
        )
        for gone, ev, error, width in [
            (0, 0.0, None, 0.0),
            (1, 0.01, None, 0.02),
            (20, 0.03, 0.01, 0.05),
        ]
    ),
)
EVERY_PLOT = {
    "depths": lambda: read_depth_plot(GONE),
    "count": lambda: read_count_plot(make_document()),
    "convergence": lambda: read_convergence_plot(make_document()),
    "bankroll": lambda: read_bankroll_plot(RUNS),
    "bankrolls": lambda: read_bankroll_plot(make_runs(("martingale", PATHS), ("flat", PATHS))),
    "many": lambda: read_bankroll_plot(make_runs(("flat", PATHS * 30))),
}
every_plot = pytest.mark.parametrize("plot", list(EVERY_PLOT))


# What is drawn.


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("spots", [1, 3])
def test_points_by_count_are_means_and_95_percent_intervals_of_the_rounds(spots):
    plot = read_count_plot(make_document(spots=spots))
    assert [point.label for point in plot.points] == ["≤−2", "−1", "0", "+1", "+2", "≥+4"]
    for point, count in zip(plot.points, (-2, -1, 0, 1, 2, 4), strict=True):
        number = sum(ROUNDS[count].values())
        nets = [net / 2 for net, times in ROUNDS[count].items() for _ in range(times)]
        assert point.share == number / TOTAL
        assert point.ev == pytest.approx(statistics.fmean(nets) / spots)
        error = statistics.stdev(nets) / number**0.5 / spots
        assert point.error == pytest.approx(SIGMAS * error)
    assert plot.count_name == "Hi-Lo"


def test_a_count_is_for_somebody_only_when_its_interval_leaves_zero_out():
    sides = [point.side for point in read_count_plot(make_document()).points]
    house, player, unknown = Side.HOUSE, Side.PLAYER, Side.UNKNOWN
    assert sides == [house, house, house, unknown, player, player]


def test_rare_counts_are_left_out_and_the_picture_says_so():
    about = read_count_plot(make_document()).caption.about[0]
    assert about.endswith("Counts in under 0.05% of the rounds are left out.")
    common = {count: ROUNDS[count] for count in (-1, 0, 1)}
    assert "left out" not in read_count_plot(make_document(rounds=common)).caption.about[0]


def test_few_rounds_have_a_frequency_and_no_ev():
    plot = read_count_plot(make_document(rounds={0: {2: 60, -2: 39}, 1: {2: 60, -2: 40}}))
    assert [point.ev for point in plot.points] == [None, pytest.approx(0.2)]
    assert plot.points[0].side is Side.UNKNOWN
    assert "+20.00" in draw_text(
        read_count_plot(make_document(rounds={0: {2: 60, -2: 39}, 1: {2: 60, -2: 40}}))
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"system": None}, "did not count"),
        ({"tally": None}, "no 'tally'"),
        ({"job": 3}, "no 'job'"),
        ({"rounds": {0: {}}}, "no rounds"),
    ],
)
def test_a_document_without_counts_is_refused(changes, words):
    with pytest.raises(RulesError, match=words):
        read_count_plot(make_document(**changes))


def test_convergence_takes_the_estimates_on_the_way_and_the_exact_value():
    plot = read_convergence_plot(make_document())
    assert len(plot.points) == 40
    assert plot.points[3].rounds == 40_000
    assert plot.points[3].ev == pytest.approx(-0.0015)
    assert plot.points[3].error == pytest.approx(SIGMAS * 0.006)
    assert (plot.exact, plot.exact_name) == (-0.0041, "exact")


def test_the_exact_value_is_called_that_of_a_fresh_shoe_where_a_cut_card_differs():
    check = ExactCheck(exact_ev=-0.0041, difference=-0.0003, standard_error=0.0001)
    document = make_document(exact=to_json(check))
    assert read_convergence_plot(document).exact_name == "exact, first round of a shoe"


def test_a_ramp_is_not_held_against_the_exact_value_of_flat_bets():
    plot = read_convergence_plot(make_document(ramp="1-8"))
    assert plot.exact is None
    assert (plot.per, plot.is_percent) == ("units per round", False)
    assert "ramp 1-8" in plot.caption.source


@pytest.mark.parametrize("progress", [None, [], [[1, 0.5, float("nan")]], [[0, 0.0, 0.0]]])
def test_a_document_without_estimates_on_the_way_is_refused(progress):
    with pytest.raises(RulesError, match="no estimates"):
        read_convergence_plot(make_document(progress=progress))


def test_estimates_that_are_none_are_refused():
    with pytest.raises(RulesError, match="not a list of rounds, EV and error"):
        read_convergence_plot(make_document(progress=[["x", 1, 2]]))


def test_bands_are_quantiles_and_the_ruined_keep_what_was_left():
    panel = read_bankroll_plot(RUNS).panels[0]
    assert panel.marks == (0, 1, 2, 3, 4, 5, 6)
    assert panel.bands[0] == (10,) * 5
    assert panel.bands[4] == pytest.approx((1.3, 2.5, 6.5, 11, 13.4))  # of 1, 3, 10, 14
    assert panel.bands[6] == pytest.approx((1.3, 2.5, 5.5, 10, 14.8))  # of 1, 3, 8, 16
    assert panel.ruined == 2
    assert panel.note == "2 of 4 ruined, 7.0 chips left on average"


def test_the_axis_starts_at_nothing_left_unless_nobody_came_near_it():
    assert read_bankroll_plot(RUNS).extent == pytest.approx((0, 16.45))
    rich = read_bankroll_plot(make_runs(("flat", [[1010, 1020], [990, 980]]), rounds=2))
    assert rich.extent[0] == 0  # the stake of 10 is drawn too
    high = make_runs(("flat", [[11, 12], [9, 8]]), rounds=2)
    assert read_bankroll_plot(high).extent == pytest.approx((7.88, 12.12))
    assert "        8 |" in to_ascii(draw_text(read_bankroll_plot(high)))


def test_the_title_tells_how_many_were_ruined_or_how_many_systems_are_compared():
    assert read_bankroll_plot(RUNS).caption.title == "Martingale: 2 of 4 sessions ruined"
    title = EVERY_PLOT["bankrolls"]().caption.title
    assert title == "4 sessions by 2 betting systems"


def test_sessions_without_paths_cannot_be_drawn():
    import dataclasses

    plan, sessions = RUNS[0]
    bare = [dataclasses.replace(session, path=None) for session in sessions]
    with pytest.raises(RulesError, match="not recorded"):
        read_bankroll_plot([(plan, bare)])
    for nothing in ([], [(plan, [])]):
        with pytest.raises(RulesError, match="no sessions"):
            read_bankroll_plot(nothing)


# Pictures.


def draw_svg(plot):
    with TemporaryDirectory() as folder:
        path = Path(folder, "plot.svg")
        plots.write_plot(plot, str(path))
        return path.read_text(encoding="utf-8")


@pytest.mark.slow
@every_plot
def test_a_picture_has_its_words_and_nothing_from_outside(plot):
    made = EVERY_PLOT[plot]()
    svg = draw_svg(made)
    words = "|".join(ET.fromstring(svg).itertext())  # noqa: S314 (our own)
    for line in (made.caption.title, *made.caption.about, made.caption.source):
        assert line in words
    assert set(re.findall(r"https?://[^\"' ]*", svg)) == {"http://www.w3.org/2000/svg"}
    assert "<image" not in svg


@pytest.mark.slow
@pytest.mark.parametrize("plot", slow_except(["convergence"], EVERY_PLOT))
def test_the_same_plot_gives_the_same_file(plot, tmp_path):
    for suffix in plots.SUFFIXES:
        first, second = tmp_path / f"first{suffix}", tmp_path / f"second{suffix}"
        plots.write_plot(EVERY_PLOT[plot](), str(first))
        plots.write_plot(EVERY_PLOT[plot](), str(second))
        assert first.read_bytes() == second.read_bytes()


@pytest.mark.slow
def test_the_suffix_decides_the_format_whatever_its_case(tmp_path):
    document = make_document()
    plots.write_plot(read_count_plot(document), str(tmp_path / "a.PNG"))
    plots.write_plot(read_convergence_plot(document), str(tmp_path / "b.svg"))
    plots.write_plot(read_bankroll_plot(RUNS), str(tmp_path / "c.txt"))
    assert (tmp_path / "a.PNG").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "b.svg").read_text(encoding="utf-8").startswith("<svg")
    text = (tmp_path / "c.txt").read_text(encoding="utf-8")
    assert text == draw_text(read_bankroll_plot(RUNS))


@pytest.mark.slow
def test_every_axis_has_a_title_with_its_unit():
    words = {
        "count": (
            "EV, % of the initial bet, with 95% intervals",
            "% of rounds",
            "Hi-Lo count before the deal",
        ),
        "convergence": ("EV so far, % of the initial bet, with its 95% interval", "Rounds"),
        "bankroll": ("Chips", "Rounds played"),
    }
    for plot, titles in words.items():
        svg = draw_svg(EVERY_PLOT[plot]())
        assert [title for title in titles if f">{title}</text>" not in svg] == []


@pytest.mark.slow
def test_the_ruined_are_darker_than_those_who_played_on_so_that_grey_tells_them_apart():
    svg = draw_svg(EVERY_PLOT["bankroll"]())
    drawn = set(re.findall(r'class="plot-line (is-\w+)"', svg))
    lines = [
        color for kind, color in re.findall(r"\.(is-\w+) { stroke: (#\w+)", svg) if kind in drawn
    ]

    def lightness(color):
        red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    shades = sorted(lightness(color) for color in set(lines))
    assert len(shades) == 3
    assert min(after - before for before, after in pairwise(shades)) > 0.15
    assert svg.count('class="plot-cross"') == 2  # for each ruined session


@pytest.mark.slow
def test_many_sessions_are_drawn_as_bands_with_the_first_lines():
    def count_lines(number):
        svg = draw_svg(read_bankroll_plot(make_runs(("flat", [PATHS[0]] * number))))
        return svg.count('<polyline class="plot-line is-path"'), svg.count("<polygon ")

    assert count_lines(MOST_LINES) == (MOST_LINES, 1)
    assert count_lines(MOST_LINES + 1) == (FEW_LINES, 2)


@pytest.mark.parametrize(
    ("name", "words"),
    [("a.pdf", "must end in"), ("a", "must end in"), ("nowhere/a.svg", "no folder 'nowhere'")],
)
def test_a_file_that_cannot_be_drawn_is_refused(name, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RulesError, match=words):
        plots.check_plot_file(name)


def test_a_file_that_cannot_be_written_is_one_clear_error(tmp_path):
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(RulesError, match="cannot write"):
        plots.write_plot(read_bankroll_plot(RUNS), str(tmp_path / "a.txt"))


def test_without_the_extra_only_a_png_names_the_cure(tmp_path, monkeypatch):
    """SVG needed 95 MB of other packages too."""
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'upcard\[plots\]'"):
        plots.write_plot(read_bankroll_plot(RUNS), str(tmp_path / "a.png"))
    assert not (tmp_path / "a.png").exists()
    for name in ("a.txt", "a.svg"):
        plots.write_plot(read_bankroll_plot(RUNS), str(tmp_path / name))
        assert (tmp_path / name).exists()


# Text.


@every_plot
@pytest.mark.parametrize("ascii_only", [False, True])
def test_text_has_80_columns_at_most(plot, ascii_only):
    text = plots.draw_text(EVERY_PLOT[plot]())
    if ascii_only:
        text = to_ascii(text)
        assert "?" not in text
    assert max(map(len, text.splitlines())) <= 80
    assert [line for line in text.splitlines() if line != line.rstrip()] == []
    assert text.isascii() is ascii_only
    assert text.endswith("\n")


def test_long_names_and_many_chips_fit_too():
    name = "cancellation:" + ",".join(map(str, range(1, 40)))
    runs = make_runs((name, [[10**8, 10**8 + 1], [10**8, 10**8 - 1]]), rounds=2)
    assert max(map(len, draw_text(read_bankroll_plot(runs)).splitlines())) <= 80


def test_the_text_by_count_shows_the_picture_in_figures():
    lines = draw_text(read_count_plot(make_document())).splitlines()
    row = next(line for line in lines if line.lstrip().startswith("−1 "))
    assert row.split()[1:6] == ["23.00%", "██████", "-4.35", "±", "0.41"]
    assert row.count("●") == 1
    assert row.index("●") < row.index("│")


def test_the_text_of_convergence_thins_and_keeps_the_first_and_the_last():
    lines = draw_text(read_convergence_plot(make_document())).splitlines()
    rows = [line for line in lines if "●" in line]
    assert len(rows) == 20
    assert rows[0].split()[0] == "10,000"
    assert rows[-1].split()[:4] == ["400,000", "-0.375", "±", "0.372"]
    assert "-0.4100 (exact)" in " ".join(lines)
    single = make_document(progress=[[500, 0.01, 0.02]])
    assert draw_text(read_convergence_plot(single)).count("●") == 1


def test_the_text_of_sessions_shades_the_bands_and_the_ruined():
    text = to_ascii(draw_text(read_bankroll_plot(RUNS)))
    lines = text.splitlines()
    assert "martingale: 2 of 4 ruined, 7.0 chips left on average" in lines
    ruined = next(line for line in lines if line.startswith("   ruined"))
    # Nobody, then one of four after round 3, then two after round 4.
    assert re.fullmatch(r"   ruined +2+4+", ruined)
    assert len(ruined) == 80
    assert any(line.startswith("       15 |") for line in lines)  # the 95% quantile of chips


def test_ev_by_cards_gone_is_a_line_for_each_number():
    lines = draw_text(read_depth_plot(GONE)).splitlines()
    assert lines[1].endswith("50 shoes a depth · seed 7")
    assert [line.split()[:2] for line in lines[4:7]] == [
        ["0", "+0.000"],
        ["1", "+1.000"],
        ["20", "+3.000"],
    ]
    assert lines[6].index("●") > lines[5].index("●") > lines[4].index("●")
    assert lines[6].count("─") > lines[5].count("─") > lines[4].count("─") == 0
    assert "│" in lines[5]
