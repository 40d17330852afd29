"""The picture of a bank's paths says what its lines are."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from upcard.analysis.ruin_paths import PathsAnswer
from upcard.charts.panels import draw_svg
from upcard.charts.plot_data import read_paths_plot
from upcard.rules.model import Rules
from upcard.simulation.bank_paths import BankPlan, play_paths
from upcard.simulation.job import make_job, read_ramp


def play(goal):
    job = make_job(Rules.parse("6D"), seed=1, count="hi-lo")
    plan = BankPlan(
        job=job,
        ramp=read_ramp("1-8", job),
        bankroll=Fraction(100),
        goal=goal,
        rounds=300,
        paths=20,
    )
    return PathsAnswer(paths=play_paths(plan, workers=1))


def test_the_dashed_lines_and_the_ends_of_paths_are_explained():
    """D3: lines at bank and goal had no word, and paths that stopped were "played to the end"."""
    about = read_paths_plot(play(Fraction(50))).caption.about
    assert about[-1] == (
        "Dashed: the bank at the start, and the goal of 150. A path ends with a cross if ruined,"
        " at the goal, or when its rounds are played."
    )
    assert "goal" not in read_paths_plot(play(None)).caption.about[-1]


@pytest.mark.slow
def test_the_legend_of_ruin_shows_the_formula_dashed_and_stands_below():
    """D3: the dashed line was solid in the legend, whose words ran into one another."""
    svg = draw_svg(read_paths_plot(play(Fraction(50))))
    banks, ruin = svg.index(">Bank<"), svg.index(">Ruined so far<")
    sign = re.search('<g class="is-formula".*?<path class="plot-line is-formula".*?</g>', svg)
    assert ruin < svg.index(">simulated (95% interval)<") < sign.start() < svg.index(">formula<")
    assert banks < svg.index(">not ruined<") < ruin
    assert re.search(r"\.is-formula { [^}]*stroke-dasharray", svg)
    assert "played to the end" not in svg
