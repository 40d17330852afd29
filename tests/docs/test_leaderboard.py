import re
from pathlib import Path

import leaderboard
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = leaderboard.PAGE.read_text(encoding="utf-8")


def rows():
    """Return the cells of each row of the generated table, without its head."""
    table = PAGE.partition(leaderboard.BEGIN)[2].partition(leaderboard.END)[0]
    lines = [line for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def percent(text):
    return float(text.removesuffix("%").replace("−", "-"))


def test_every_learner_and_baseline_has_a_row_in_every_game():
    named = {(row[0], row[1]) for row in rows()}
    for game in leaderboard._GAMES:
        learners = {f"`{name}`" for name, _ in leaderboard._LEARNERS}
        expected = {*leaderboard.BASELINES, "basic strategy", *learners}
        assert {name for its, name in named if its == game} == expected
    classic = {name for its, name in named if its == "SuttonBarto-v0"}
    assert classic >= {"never bust", "mimic the dealer", "the best policy", leaderboard._TUTORIAL}


def test_every_row_has_its_figures():
    best = {row[0]: percent(row[4]) for row in rows() if row[5] == "0.000%"}
    assert len(best) == 3
    for game, name, rounds, seconds, ev, regret in rows():
        mean, *spread = regret.split(" ± ")
        assert percent(mean) >= 0, name
        assert percent(ev) + percent(mean) == pytest.approx(best[game], abs=0.0015)
        assert bool(rounds) is bool(seconds) is bool(spread), name
        assert not rounds or (int(rounds.replace(",", "")) > 0 and float(seconds) > 0)


def test_the_page_names_a_command_that_exists():
    command = re.search(r"make (\w+)", leaderboard.BEGIN).group(1)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"\n{command}: ##" in makefile
    assert "tools/leaderboard.py" in makefile


def test_a_table_replaces_the_one_before():
    table = f"{leaderboard.BEGIN}\nnew\n{leaderboard.END}"
    page = leaderboard.replace_table(PAGE, table)
    assert page.count("new\n") >= 1
    assert leaderboard.replace_table(page, table) == page
    with pytest.raises(ValueError, match="no part of the page"):
        leaderboard.replace_table("nothing", table)
