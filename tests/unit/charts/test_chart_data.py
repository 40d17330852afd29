"""TSV and JSON hold the whole chart; TSV is read back."""

import json
import math
from dataclasses import replace

import pytest

from upcard import Action, Strategy
from upcard.charts.render import render_chart
from upcard.exact.solver_results import BonusPlay
from upcard.strategy.chart import DOUBLED_LABELS, HAND_LABELS, UPCARD_LABELS


@pytest.mark.parametrize("takes_insurance", [True, False])
def test_both_hold_the_whole_chart(strategy, values, takes_insurance):
    chart = Strategy(
        cells=strategy.cells, title="Größe\nof two lines", takes_insurance=takes_insurance
    )
    again = Strategy.parse(render_chart(chart, format="tsv"))
    assert again == chart
    document = json.loads(render_chart(chart, format="json", values=values))
    assert [(row["hand"], tuple(row["cells"])) for row in document["rows"]] == list(chart)
    assert (document["title"], document["takes_insurance"]) == (chart.title, takes_insurance)


def test_tsv_is_the_strategy_as_it_prints(strategy):
    assert render_chart(strategy, format="tsv") == str(strategy)
    assert render_chart(strategy, format="tsv", title="").startswith("hand\t2\t3")
    taker = Strategy(cells=strategy.cells, takes_insurance=True)
    assert render_chart(taker, format="tsv", title="x").endswith("\n# insurance: yes\n")


def test_json_holds_everything(strategy, values, rules):
    text = render_chart(
        strategy, format="json", rules=rules, ev=-0.005, values=values, notes=["A note."]
    )
    document = json.loads(text)
    assert text.endswith("}\n")
    assert document["title"] == "A chart <made up> & odd"
    assert document["rules"] == str(rules)
    assert (document["ev"], document["notes"]) == (-0.005, ["A note."])
    assert document["upcards"] == list(UPCARD_LABELS)
    assert [row["hand"] for row in document["rows"]] == list(HAND_LABELS)
    fifteen = document["rows"][HAND_LABELS.index("15")]
    assert fifteen["cells"][8] == "Rh"
    assert fifteen["values"][8] == values["15", "T"]
    assert next(iter(fifteen["values"][8])) == "surrender"


def test_json_holds_the_chart_for_free_hands(strategy, free):
    told = json.loads(render_chart(strategy, format="json", free=free))
    assert told["free_hands"] == {label: list(cells) for label, cells in free}
    assert "free_hands" not in json.loads(render_chart(strategy, format="json"))


def test_hands_that_have_doubled_and_hits_for_a_bonus_are_in_every_format(strategy):
    rows = [["S"] * 10 for _ in DOUBLED_LABELS]
    rows[DOUBLED_LABELS.index("x16")] = ["S"] * 6 + ["Dr", "Ds", "Rs", "Rs"]
    chart = replace(strategy, doubled=tuple(map(tuple, rows)))
    words = {"hand": "15", "charted": Action.STAND, "gain": 0.01}
    plays = tuple(
        BonusPlay(upcard=upcard, when="with 5 or more cards", **words) for upcard in ("3", "4")
    )
    line = "15 with 5 or more cards v 3 4"
    told = json.loads(render_chart(chart, format="json", bonus_plays=plays))
    assert told["doubled_hands"]["16"] == rows[DOUBLED_LABELS.index("x16")]
    assert [one["upcard"] for one in told["bonus_plays"]] == ["3", "4"]
    for kind in ("text", "svg", "html"):
        drawn = " ".join(render_chart(chart, format=kind, bonus_plays=plays).split())
        plain = render_chart(strategy, format=kind)
        for text in ("After a double", "double again, else rescue", "Other totals stand."):
            assert text in drawn
            assert text not in plain
        assert line in drawn
    text = render_chart(chart, format="text")
    below = text[text.index("After a double") :]
    assert "   16  S  S  S  S  S  S  Dr Ds Rs Rs" in below
    assert "   15" not in below


def test_json_without_values_has_none(strategy):
    document = json.loads(render_chart(strategy, format="json"))
    assert (document["rules"], document["ev"]) == (None, None)
    assert all("values" not in row for row in document["rows"])


def test_an_infinite_value_is_a_word(strategy):
    values = {("15", "2"): {Action.STAND: math.inf, Action.HIT: -math.inf}}
    document = json.loads(render_chart(strategy, format="json", values=values, ev=math.inf))
    assert document["ev"] == "infinite"
    row = document["rows"][HAND_LABELS.index("15")]["values"]
    assert row[0] == {"stand": "infinite", "hit": "-infinite"}
    assert row[1] == {}
