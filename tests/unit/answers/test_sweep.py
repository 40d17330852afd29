"""Games by penetration and spread: each row is that of the comparison of that game."""

from __future__ import annotations

import json

import pytest

from upcard.answers.games.side_by_side import compare_games
from upcard.answers.games.sweep import Sweep, read_sweep, sweep_games
from upcard.core.errors import BlackjackError, RulesError
from upcard.simulation.run_state import load_run

TERMS = {"count": "hi-lo", "seed": 1, "rounds": "300k", "bankroll": 10_000}
FIGURES = ("ev_per_hour", "ev_per_hour_standard_error", "sd_per_hour", "score", "n0", "ruin")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def swept(folder):
    return sweep_games(["2D H17", "6D LS"], "pen=60..70 spread=8,12", **TERMS, output=folder)


@pytest.mark.slow
def test_there_is_a_row_for_each_game_penetration_and_spread(swept):
    assert [(one.name, one.penetration, one.spread) for one in swept.games] == [
        (game, pen, spread) for game in "AB" for pen in (0.6, 0.65, 0.7) for spread in (8, 12)
    ]
    most = max(one.ev_per_hour or 0 for one in swept.games)
    assert swept.games[swept.best].ev_per_hour == most
    assert swept.sentence.startswith("Most an hour: ")
    assert json.loads(json.dumps(swept.to_json()))["best"] == swept.best


@pytest.mark.slow
def test_a_row_has_the_figures_of_a_comparison(swept):
    found = compare_games(["2D H17 PEN60", "2D H17 PEN70"], **TERMS, spread="1-12")
    for game, place in zip(found.games, (1, 5), strict=True):
        row = swept.games[place]
        assert row.rules == game.rules
        assert [getattr(row, one) for one in FIGURES] == [getattr(game, one) for one in FIGURES]


@pytest.mark.slow
def test_the_run_of_each_penetration_is_saved_once(swept, folder):
    names = [f"{game}{pen}.json" for game in "ab" for pen in (60, 65, 70)]
    assert sorted(file.name for file in folder.iterdir()) == names
    assert load_run(folder / "b65.json").rounds == 300_000
    longer = sweep_games(["2D H17", "6D LS"], "pen=60 spread=8", **TERMS, output=folder)
    assert longer.games[0] == swept.games[0]


@pytest.mark.slow
def test_a_row_without_a_winning_bet_has_no_figures():
    swept = sweep_games(["6D 6:5"], "spread=2", **TERMS)
    assert (swept.best, swept.games[0].ev_per_hour) == (None, None)
    assert swept.sentence == "With these bets no game can be beaten."
    assert swept.table().rows[0][4] is None
    wider = sweep_games(["2D H17"], "spread=1,12", **TERMS).games
    assert [(one.plan is None, one.why_no_plan == "") for one in wider] == [
        (True, False),
        (False, True),
    ]


@pytest.mark.slow
def test_a_given_ramp_is_bet_at_every_penetration():
    swept = sweep_games(["6D"], "pen=60,80", **TERMS, ramp="1-8", unit=5)
    assert [one.spread for one in swept.games] == [None, None]
    assert all("as given" in one.plan.choice for one in swept.games)


@pytest.mark.slow
def test_a_game_that_cannot_be_simulated_is_left_out():
    swept = sweep_games(["6D", "6D48", "6D CSM"], "pen=60", **TERMS)
    assert [one.name for one in swept.games] == ["A"]
    assert [one.name for one in swept.left_out] == ["B60", "C60"]
    with pytest.raises(RulesError, match="no game of the sweep"):
        sweep_games(["6D48"], "pen=60", **TERMS)


@pytest.mark.parametrize(
    ("text", "sweep"),
    [
        ("pen=60..85 spread=8,12,16", Sweep((60, 65, 70, 75, 80, 85), (8.0, 12.0, 16.0))),
        ("pen=67,60..65", Sweep((67, 60, 65))),
        ("spread=1-8,2-24", Sweep((), (8.0, 12.0))),
        ("pen=75,75", Sweep((75,))),
    ],
)
def test_a_sweep_is_read(text, sweep):
    assert read_sweep(text) == sweep


@pytest.mark.parametrize(
    "text",
    ["", "pen", "pen=", "pen=0..5", "pen=80..60", "pen=x", "decks=2", "pen=60 pen=70", "spread=0"],
)
def test_a_faulty_sweep_is_refused(text):
    with pytest.raises(BlackjackError):
        read_sweep(text)


@pytest.mark.parametrize(
    ("games", "sweep", "more", "words"),
    [
        ([], "pen=60", {}, "name one to 8 games"),
        (["6D"] * 8, "pen=30..90", {}, "at most 48 runs"),
        (["6D"], "spread=1,2,3,4,5,6,7,8,9,10,11,12,13", {}, "at most 12"),
        (["6D"], "spread=8", {"ramp": "1-8"}, "leave out the other"),
        (["6D"], "spread=8", {"tips": 1}, "tips is not an option"),
    ],
)
def test_a_sweep_that_asks_for_too_much_is_refused(games, sweep, more, words):
    with pytest.raises(BlackjackError, match=words):
        sweep_games(games, sweep, **TERMS | more)
