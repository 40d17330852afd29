"""TSV and JSON say the whole chart and are read back; faulty JSON is refused in one line."""

import json
import math

import pytest

from upcard import Action, NotationError, Strategy
from upcard.charts.facts import read_json
from upcard.charts.render import render_chart
from upcard.strategy.chart import HAND_LABELS, UPCARD_LABELS


@pytest.mark.parametrize("takes_insurance", [True, False])
def test_both_are_read_back(strategy, values, takes_insurance):
    chart = Strategy(
        cells=strategy.cells, title="Größe\nof two lines", takes_insurance=takes_insurance
    )
    for again in (
        Strategy.parse(render_chart(chart, format="tsv")),
        read_json(render_chart(chart, format="json", values=values)),
    ):
        assert again == chart
    assert again.title == chart.title


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


@pytest.mark.parametrize(
    "spoil",
    [
        lambda document: document.pop("rows"),
        lambda document: document.pop("title"),
        lambda document: document.update(takes_insurance="no"),
        lambda document: document.update(rows=3),
        lambda document: document["rows"][0].update(cells=[1] * 10),
    ],
)
def test_what_is_no_chart_is_refused(strategy, spoil):
    document = json.loads(render_chart(strategy, format="json"))
    spoil(document)
    with pytest.raises(NotationError, match="the JSON is not a chart: it needs a title"):
        read_json(json.dumps(document))


def test_faulty_cells_are_named(strategy):
    document = json.loads(render_chart(strategy, format="json"))
    document["rows"][0]["cells"][0] = "X"
    with pytest.raises(NotationError, match="row 5: unknown cell 'X'"):
        read_json(json.dumps(document))


@pytest.mark.parametrize("text", ["", "{", "hand\t2", "[" * 100_000])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(NotationError, match=r"the chart: (not JSON|it is nested)"):
        read_json(text)
