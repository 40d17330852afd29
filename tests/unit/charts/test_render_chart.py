"""What a chart says whatever its format, and what is refused."""

import json
import math
from xml.etree import ElementTree as ET

import pytest

import upcard
from upcard import Action, IllegalActionError, NotationError, Rules, Strategy
from upcard.charts.facts import ChartFacts
from upcard.charts.layout import lay_out
from upcard.charts.render import FORMATS, render_chart
from upcard.exact.infinite import InfiniteSolver, as_infinite
from upcard.strategy.chart import COLUMN_KEYS, DEALER_LABELS, HAND_LABELS, UPCARD_LABELS


def captions(strategy, *, numbers=None, **facts):
    return " ".join(lay_out(ChartFacts(strategy=strategy, **facts), numbers=numbers).captions)


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_ends_its_last_line(strategy, format):  # noqa: A002
    text = render_chart(strategy, format=format)
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "pdf"}, "unknown chart format 'pdf': one of text, svg, html, json, tsv"),
        ({"format": "svg", "numbers": "edge"}, "numbers='edge': one of ev, cost, or none"),
        ({"format": "svg", "numbers": "ev"}, "numbers='ev': the values of the cells are not given"),
        ({"format": "tsv", "numbers": "ev"}, "numbers='ev' with format 'tsv'"),
        ({"format": "json", "numbers": "ev"}, "numbers='ev' with format 'json'"),
        ({"format": "html", "color": True}, "color with format 'html': it is for text"),
    ],
)
def test_what_does_not_exist_is_refused(strategy, options, message):
    with pytest.raises(NotationError) as caught:
        render_chart(strategy, **options)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({("16", "10"): {}}, "values for ('16', '10'): a cell is a row (5 to AA) and a column (2"),
        ({("20", "T"): {}}, "values for ('20', 'T')"),
        ({("16", "T"): {Action.INSURANCE: 0.0}}, "values for 16 v T: none of the actions"),
    ],
)
def test_values_that_belong_nowhere_are_refused(strategy, values, message):
    with pytest.raises(NotationError) as caught:
        render_chart(strategy, format="json", values=values)
    assert str(caught.value).startswith(message)


def test_values_that_the_cell_does_not_know_are_refused(strategy):
    with pytest.raises(IllegalActionError, match="the chart has no answer"):
        render_chart(
            strategy,
            format="svg",
            values={("A7", "2"): {Action.SPLIT: 1.0}},
            numbers="ev",
        )


def test_a_cell_has_the_value_of_what_is_played_where_its_first_choice_is_not_legal(strategy):
    values = {
        ("15", "A"): {Action.HIT: -0.4, Action.STAND: -0.6},
        ("88", "A"): {Action.SURRENDER: -0.5, Action.SPLIT: -0.5, Action.HIT: -0.6},
        ("88", "2"): {Action.HIT: -0.3, Action.STAND: -0.2},
        ("19", "2"): {Action.STAND: 0.4},
    }
    facts = ChartFacts(strategy=strategy, values=values)
    assert facts.ev_of_play("15", (1, 0)) == -0.4
    assert facts.cost_of_second_best("15", (1, 0)) == pytest.approx(0.2)
    assert facts.cost_of_second_best("88", (1, 0)) == 0
    assert facts.ev_of_play("88", (2, 0)) == -0.2  # as a hard 16
    assert (facts.ev_of_play("19", (2, 0)), facts.cost_of_second_best("19", (2, 0))) == (0.4, None)
    assert (facts.ev_of_play("19", (3, 0)), facts.cost_of_second_best("19", (3, 0))) == (None, None)


def test_a_chart_of_both_dealer_cards_is_drawn_in_three_parts():
    strategy = upcard.basic_strategy("INF UP2 TALL")
    drawn = {kind: render_chart(strategy, format=kind) for kind in FORMATS}
    assert Strategy.parse(drawn["tsv"]) == strategy
    told = json.loads(drawn["json"])
    assert told["dealer_hands"] == list(DEALER_LABELS)
    assert [row["hand"] for row in told["rows"]] == list(strategy.labels)
    heads = [line.split() for line in drawn["text"].splitlines() if line.startswith("Hard ")]
    parts = [words[1 : words.index("Soft")] for words in heads]
    assert [label for part in parts for label in part] == list(DEALER_LABELS)
    assert max(map(len, drawn["text"].splitlines())) <= 80
    cells = len(strategy.labels) * len(DEALER_LABELS)
    for kind in ("svg", "html"):
        page = ET.fromstring(drawn[kind].removeprefix("<!DOCTYPE html>"))  # noqa: S314 (our own)
        hints = [one.text or "" for one in page.iter() if one.tag.endswith("}title")]
        hints += [one.get("title", "") for one in page.iter()]
        assert sum(" v " in hint for hint in hints) == cells


def test_values_and_figures_of_a_chart_of_both_dealer_cards_are_drawn():
    rules = Rules.parse("INF UP2 TALL")
    values = InfiniteSolver(rules).cell_values()
    layout = lay_out(
        ChartFacts(strategy=upcard.basic_strategy(rules), values=values), numbers="cost"
    )
    cells = {
        cell.place: cell
        for part in (layout, *layout.below)
        for block in part.blocks
        for row in block.rows
        for cell in row.cells
    }
    assert cells["16 v 16"].hint.startswith("Hard 16 v 16: stand. stand ")
    assert cells["16 v A5"].hint.startswith("Hard 16 v A5: stand. stand ")
    assert {place for place, cell in cells.items() if not cell.figure} == {
        f"20 v {label}" for label in DEALER_LABELS
    }


def test_a_mistake_costs_less_than_nothing_and_is_explained(strategy):
    values = {("15", "2"): {Action.HIT: -0.25, Action.STAND: -0.5}}
    text = captions(strategy, values=values, numbers="cost")
    assert "A minus: the play shown is not the best, and loses that much." in text
    layout = lay_out(ChartFacts(strategy=strategy, values=values), numbers="cost")
    assert layout.blocks[0].rows[10].cells[0].figure == "−0.250"
    values = {("15", "2"): {Action.HIT: -0.5, Action.STAND: -0.25}}
    assert "minus" not in captions(strategy, values=values, numbers="cost")


def test_a_mistake_too_small_to_be_seen_keeps_its_minus_and_noise_has_none(strategy):
    """G3: 0.000 stood where the play shown was not the best, beside the words about a minus."""
    for loss, figure in ((0.0001, "−0.000"), (1e-15, "0.000"), (-0.0001, "0.000")):
        values = {("15", "2"): {Action.HIT: -0.25, Action.STAND: -0.25 - loss}}
        layout = lay_out(ChartFacts(strategy=strategy, values=values), numbers="cost")
        assert layout.blocks[0].rows[10].cells[0].figure == figure
        assert ("A minus" in " ".join(layout.captions)) is figure.startswith("−")


def test_infinite_values_are_drawn(strategy):
    values = {
        ("88", "2"): {Action.SPLIT: math.inf, Action.HIT: 0.0},
        ("88", "3"): {Action.SPLIT: math.inf, Action.HIT: math.inf},
    }
    facts = ChartFacts(strategy=strategy, values=values)
    cells = lay_out(facts, numbers="cost").blocks[2].rows[6].cells
    assert [cell.figure for cell in cells[:3]] == ["∞", "0.000", ""]
    assert captions(strategy, ev=math.inf).startswith("Expected value ∞ per initial bet. ")


@pytest.mark.parametrize(
    ("ev", "text"),
    [
        (-0.00405, "Expected value −0.405% of the first bet: house edge 0.405%."),
        (0.0012, "Expected value +0.120% of the first bet: player's edge 0.120%."),
        (-0.0, "Expected value +0.000% of the first bet: house edge 0.000%."),
    ],
)
def test_the_ev_is_said_for_both_sides(strategy, ev, text):
    assert captions(strategy, ev=ev).startswith(text)


def test_insurance_is_answered_where_it_is_offered(strategy):
    taker = Strategy(cells=strategy.cells, takes_insurance=True)
    assert captions(strategy) == "Decline insurance."
    assert captions(taker, rules=Rules()) == "Take insurance."
    assert captions(strategy, rules=Rules.parse("NOINS")) == ""


def test_the_rules_are_not_said_twice(strategy, rules):
    facts = ChartFacts(strategy=Strategy(cells=strategy.cells, title=f"{rules}: x"), rules=rules)
    assert lay_out(facts).subheadings == ()
    facts = ChartFacts(strategy=Strategy(cells=strategy.cells, title="a\n\nb"), rules=rules)
    assert (lay_out(facts).heading, *lay_out(facts).subheadings) == ("a", "b", f"Rules: {rules}")
    assert lay_out(ChartFacts(strategy=Strategy(cells=strategy.cells))).heading == "Strategy chart"


def test_a_solved_chart_has_no_mistakes():
    solution = InfiniteSolver(as_infinite(Rules.parse("H17 LS")))
    chart = solution.chart()
    values = {
        (label, letter): solution.values(label, letter)
        for label in HAND_LABELS
        for letter in COLUMN_KEYS[UPCARD_LABELS]
    }
    text = render_chart(chart, format="text", values=values, numbers="cost", ev=solution.game_ev)
    assert "−" not in text.split("Expected value")[0]
    assert "minus" not in text
