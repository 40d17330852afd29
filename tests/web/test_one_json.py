"""The JSON of a command and that of a page about the same question have one vocabulary."""

from __future__ import annotations

import json

import pytest
from marks import slow_except

from campaign.console import talk

JSON = {"Accept": "application/json"}
PAIRS = {
    "a game": (["rules", "INF"], "/rules?r=INF", ["game"], {"engines"}),
    "a house": (["rules", "european"], "/houses/european", ["game"], None),
    "houses": (["houses"], "/houses", ["houses", 0, "house"], set()),
    "a hand": (
        ["solve", "T6", "v", "9", "--rules", "INF"],
        "/hand?r=INF&c=T.6&u=9",
        ["values"],
        None,
    ),
    "the dealer": (["dealer", "--rules", "2D"], "/ask/dealer?r=2D", ["answer"], set()),
    "games to compare with": (["find"], "/ask/find", ["answer"], set()),
    "a chart": (
        ["chart", "--rules", "6D"],
        "/rules/chart.json?r=6D",
        [],
        set(),
    ),
}
"""Command, address, the place in the page, and what only the command has; None: more is asked."""

OTHERWISE = {
    "a hand": {"chances", "reason", "shoe"},  # the page asks the coach, who names the cards seen
}
"""Names whose values may differ, and why."""


@pytest.mark.parametrize("pair", slow_except(PAIRS.keys() - {"games to compare with"}, PAIRS))
def test_a_page_says_what_its_command_says_in_the_same_words(pair, client):
    words, address, place, extra = PAIRS[pair]
    mine = json.loads(talk([*words, "--json"]).out)
    page = client.get(address, headers=JSON).json()
    for step in place:
        page = page[step]
    mine = mine[0] if isinstance(mine, list) else mine
    if extra is None:
        assert set(page) - {"engines"} <= set(mine)
    else:
        assert set(mine) - set(page) == extra
    different = {name for name in page if name in mine and mine[name] != page[name]}
    assert different <= OTHERWISE.get(pair, set())
