"""The page about `upcard bench` states what it measures."""

import re
from pathlib import Path

import pytest

import upcard
from upcard.core.numbers import ROUNDS_PER_HOUR

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_the_page_states_the_scores_of_what_ships():
    page = ROOT / "docs" / "bench.md"
    rows = re.findall(
        r"^\| (chart of )?`(.*)` \| (.*) \| (.*) \| (.*) \|$", page.read_text("utf-8"), re.MULTILINE
    )
    assert len(rows) == 13
    for chart, name, *written in rows:
        player = upcard.basic_strategy(name) if chart else name
        short, long = (
            upcard.score_player("6D H17 LS", player, long=one).regret_per_100
            for one in (False, True)
        )
        assert written == [
            f"{short:.4f}",
            f"{long:.4f}",
            f"{long / 100 * 10 * ROUNDS_PER_HOUR:.2f}",
        ], name
