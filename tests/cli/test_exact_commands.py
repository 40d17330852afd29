"""The commands on exact values: solve, edge, chart, removal; their numbers, faults and files."""

from __future__ import annotations

import io
import json
import re
import sys

import pytest
from driving import finish, open_terminal, pipe, talk

import upcard
from upcard.answers.asked.game_value import switch_rules
from upcard.answers.edge import answer_game
from upcard.exact.supported_rules import SplitPlay
from upcard.rules.describe import name_game

SIX_DECKS = "6D S17 PEEK DOA DAS SP4 NRSA NS 3:2"
FAULTS = {
    "three tens to start": (["solve", "TTT", "v", "9"], "counts 30: it is bust"),
    "a bust of many cards": (["solve", "9", "8", "5", "v", "9"], "counts 22: it is bust"),
    "five aces in one deck": (
        ["solve", "AAAAA", "v", "9", "--rules", "1D"],
        "the shoe has 4 cards of rank A",
    ),
    "an upcard that is out": (
        ["solve", "T6", "v", "9", "--shoe", "1D less 9 9 9 9"],
        "the shoe has 0 cards of rank 9",
    ),
    "more nines less than there are": (
        ["solve", "T6", "v", "9", "--shoe", "1D less 9 9 9 9 9"],
        "the shoe has 4 cards of rank 9",
    ),
    "a shoe that is none": (["edge", "--shoe", "shoe"], "a shoe of 'shoe'"),
    "an empty shoe": (["edge", "--shoe", "0 0 0 0 0 0 0 0 0 0"], "from 1 to 416 cards"),
    "a shoe that could run out": (
        ["solve", "T6", "v", "9", "--shoe", "0 0 0 0 0 1 0 0 1 1"],
        "the cards could run out",
    ),
    "an unknown card in a shoe": (["edge", "--shoe", "6D less X"], "unknown card 'X'"),
    "an unknown upcard": (["solve", "T6", "v", "X"], "unknown card 'X'"),
    "an unknown card in hand": (["solve", "T1", "v", "9"], "unknown card 'T1'"),
    "one card": (["solve", "T", "v", "9"], "two or more cards"),
    "a total of no two cards": (["solve", "21", "v", "9"], "two cards make hard 4 to 20"),
    "a soft total of none": (["solve", "soft", "30", "9"], "or soft 12 to 21"),
    "a dealer's natural for certain": (
        ["solve", "8T", "v", "A", "--rules", "6D LS", "--shoe", "1 0 0 0 0 0 0 1 0 11"],
        "the dealer has a natural for certain: you are not asked",
    ),
    "no upcard": (["solve", "T6", "v"], "write a hand, v and the upcard"),
    "two cards and no v": (["solve", "8", "T"], "write a hand, v and the upcard"),
    "no hand": (["solve", "v", "9"], "write a hand, v and the upcard"),
    "contradictory rules": (
        ["solve", "T6", "v", "9", "--rules", "6D S17 H17"],
        "'H17' contradicts 'S17'",
    ),
    "rules and house": (["edge", "--rules", "6D", "--house", "lott"], "not both"),
    "an unknown split play": (["edge", "--splits", "CDX"], "one of CDZ-, CDP1, CDP"),
    "full memory of a long game": (
        ["edge", "--splits", "full"],
        "Possible: single hands (upcard solve 88 v T --splits full)",
    ),
    "full memory of eight hands": (
        ["solve", "88", "v", "9", "--rules", "6D SP8", "--splits", "full"],
        "Possible: at most SP4, or --splits CDP-exact",
    ),
    "a shoe of an infinite deck": (["edge", "--rules", "INF", "--shoe", "6D"], "infinite deck"),
    "endless splits": (["edge", "--rules", "6D SPINF"], "cannot honour SPINF"),
    "rules without --rules": (["edge", "6:5"], "rules go behind --rules or --compare"),
    "an unknown switch": (["edge", "--compare", "FOO"], "--compare 'FOO': unknown token"),
    "a clashing switch": (["edge", "--compare", "H17 S17"], "contradicts"),
    "an impossible switch": (
        ["edge", "--house", "lott", "--compare", "SP1"],
        "--compare 'SP1': resplit_aces clashes with max_hands=1",
    ),
    "an empty switch": (["edge", "--compare", ""], "no token"),
    "decks switched in a given shoe": (
        ["edge", "--shoe", "6D", "--compare", "8D"],
        "the cards are those of the shoe",
    ),
    "a chart file that is not there": (["edge", "--strategy", "/nowhere"], "cannot read"),
    "a chart file that is not a chart": (["removal", "--strategy", __file__], "is not a chart"),
    "a chart file that is not text": (
        ["edge", "--strategy", sys.executable],
        "cannot read the chart",
    ),
    "a chart by totals of document 000": (["chart", "--house", "deshmukh"], "ace_rule"),
    "an unknown format": (["chart", "--format", "pdf"], "one of text, svg, html, json, tsv"),
    "a file of no known kind": (  # F21: text was written into it
        ["chart", "-o", "x.pdf"],
        "no chart is written as .pdf; the name ends with .txt, .svg, .html, .json, .tsv",
    ),
    "two formats": (["chart", "--format", "svg", "--json"], "give one of them"),
    "7-bit pictures": (["chart", "--format", "svg", "--ascii"], "it is for text"),
    "exceptions in pictures": (["chart", "--format", "svg", "--no-exceptions"], "text and json"),
    "figures in a table": (["chart", "--format", "tsv", "--numbers", "ev"], "figures"),
    "unknown figures": (["chart", "--numbers", "odds"], "one of ev, cost"),
    "a chart into a folder": (["chart", "-o", "/"], "-o '/': no file can be written there"),
    "cards out of an infinite deck": (["removal", "--house", "mdp"], "no card can leave"),
    "a picture of what has none": (["removal", "--plot", "-"], "--plot: this answer"),
    "shoes of no question": (["removal", "--shoes", "9"], "--shoes is for --by-cards"),
    "perfect play by a chart": (["removal", "--by-cards", "--splits", "CDP"], "without --strategy"),
    "one shoe": (["removal", "--by-cards", "--shoes", "1"], "2 shoes or more"),
    "no cards that go": (["removal", "--by-cards", "--rules", "6D CSM"], "CSM"),
    "a chart with a split play": (["removal", "--strategy", "x", "--splits", "CDP"], "says itself"),
}


@pytest.mark.fast_cases(41)
@pytest.mark.parametrize(("arguments", "told"), FAULTS.values(), ids=FAULTS)
def test_fault_is_one_line_that_says_what_is_wrong(arguments, told):
    answer = talk(arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("upcard")
    assert answer.err.count("\n") == 1
    assert told in answer.err


WIDE = {
    "a hand": ["solve", "8", "8", "v", "A", "--rules", "6D LS"],
    "a hand of a non-standard house": ["solve", "AT", "v", "A", "--house", "lott"],
    "the non-standard house": ["edge", "--house", "deshmukh"],
    "rules switched": ["edge", "--compare", "H17", "RSA HSA LS"],
    "a chart with figures": ["chart", "--rules", "1D", "--numbers", "cost"],
    "a chart of a house": ["chart", "--house", "helsinki", "--ascii"],
    "removal": ["removal", "--house", "single-deck"],
}


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("arguments", WIDE.values(), ids=WIDE)
def test_nothing_is_wider_than_the_screen(arguments):
    answer = talk(arguments)
    assert (answer.code, answer.err) == (0, "")
    assert max(map(len, answer.out.splitlines())) <= 80
    assert "\x1b" not in answer.out
    assert [line for line in answer.out.splitlines() if line != line.rstrip()] == []


# solve.


@pytest.mark.parametrize(
    "words", [["T6", "v", "9"], ["T", "6", "vs", "9"], ["10 6 v 9"], ["KC", "6D", "V", "9H"]]
)
def test_a_hand_may_be_written_in_many_ways(words):
    told = json.loads(talk(["solve", *words, "--json"]).out)
    assert (told["hand"], told["upcard"]) == ("T 6", "9")
    assert values_of(told) == upcard.solve(upcard.Rules(), "T6", "9").ev


def values_of(told):
    """Return the EV of each answer of the JSON, the best first."""
    return {one["action"]: one["ev"] for one in told["answers"]}


def test_solve_lists_the_answers_best_first_with_what_they_cost():
    lines = talk(["solve", "T6", "v", "9"]).out.splitlines()
    assert lines[0] == f"T 6 v 9: {SIX_DECKS}"
    assert [line.split() for line in lines[3:6]] == [
        ["hit", "−0.504547", "best"],
        ["stand", "−0.542505", "0.037958"],
        ["double", "−1.009094", "0.504547"],
    ]


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["88", "v", "A"], ["--splits", "CDP-exact"]),
        (["88", "v", "A"], ["--rules", "ES"]),
        (["88", "v", "A"], ["--house", "european"]),
        (["A", "K", "v", "A"], []),
        (["T6", "v", "T"], []),
    ],
)
def test_solve_prints_all_that_its_json_has(words, options):
    shown = " ".join(talk(["solve", *words, *options]).out.split())
    told = json.loads(talk(["solve", *words, *options, "--json"]).out)
    for one in (*told["figures"], *told["dealer"], *told["answers"]):
        assert one["text"] in shown
    assert all(one["cost_text"] in shown for one in told["answers"])
    assert " ".join(told["assumptions"]) in shown
    assert f"Shoe {told['shoe']} Assumed" in shown


@pytest.mark.parametrize("house", upcard.house_names())
def test_every_house_solves_a_hand_and_its_dealer_ends_somehow(house):
    seen = ["--hole", "6"] if upcard.house(house).shows_hole else []
    told = json.loads(talk(["solve", "T6", "v", "T", "--house", house, *seen, "--json"]).out)
    best = told["answers"][0]
    assert (told["best"], best["cost"]) == (best["action"], 0)
    assert best["ev"] == max(values_of(told).values())
    assert sum(one["chance"] for one in told["dealer"]) == pytest.approx(1)


def test_the_dealer_draws_from_the_shoe_less_the_hand():
    told = json.loads(talk(["solve", "5", "5", "5", "v", "6", "--rules", "1D", "--json"]).out)
    outcomes = upcard.dealer_outcomes(upcard.Rules.parse("1D"), "6", shoe="1D less 5 5 5")
    found = {one["name"]: one["chance"] for one in told["dealer"]}
    assert found == pytest.approx({k: v for k, v in outcomes.as_dict().items() if v})


@pytest.mark.parametrize(
    ("words", "hand"),
    [
        (["T6", "T"], "T6"),
        (["8", "5", "3", "T"], "853"),
        (["soft", "18", "v", "9"], "A7"),
        (["soft18", "9"], "A7"),
        (["20", "v", "6"], "TT"),
        (["hard", "19", "6"], "T9"),
        (["A7", "9"], "A7"),
    ],
)
def test_a_hand_is_written_as_people_type_it(words, hand):
    """E24: without v, and totals that only one hand makes, were refused."""
    told = json.loads(talk(["solve", *words, "--rules", "1D", "--json"]).out)
    assert values_of(told) == upcard.solve(upcard.Rules.parse("1D"), hand, words[-1]).ev


def test_a_total_is_its_hands_of_two_cards_and_its_best_play():
    """E24: `upcard solve 16 v T` was refused."""
    rules = upcard.Rules.parse("1D LS")
    told = json.loads(talk(["solve", "16", "v", "T", "--rules", "1D LS", "--json"]).out)
    assert [hand["hand"] for hand in told["hands"]] == ["T 6", "9 7", "8 8"]
    for hand in told["hands"]:
        value = upcard.solve(rules, hand["hand"], "T")
        assert (values_of(hand), hand["best"]) == (value.ev, value.best)
    first, second = (values_of(hand) for hand in told["hands"][:2])
    for action, ev in values_of(told).items():
        assert min(first[action], second[action]) <= ev <= max(first[action], second[action])
    assert (told["best"], told["play"]) == ("surrender", "surrender, else stand")
    shown = talk(["solve", "16", "T", "--rules", "1D LS"]).out
    assert told["play_text"] in " ".join(shown.split())
    assert all(one["text"] in shown for one in told["answers"])
    # With one hand left in the shoe, that is the question.
    told = json.loads(
        talk(
            ["solve", "16", "v", "T", "--shoe", "2D less 9 9 9 9 9 9 9 9 8 8 8 8 8 8 8", "--json"]
        ).out
    )
    assert told["hand"] == "T 6"


def test_a_shoe_and_a_split_play_are_honoured():
    options = ["--rules", "2D", "--shoe", "2D less T T 5", "--splits", "cdp"]
    told = json.loads(talk(["solve", "88", "v", "T", *options, "--json"]).out)
    value = upcard.solve(upcard.Rules.parse("2D"), "88", "T", shoe="2D less T T 5", splits="CDP")
    assert values_of(told) == value.ev
    assert (told["shoe"], told["splits"]) == ("2D less 5 T T", "CDP")


def test_an_infinite_value_is_told_as_such():
    arguments = ["solve", "TT", "v", "6", "--rules", "INF(0.5) SPINF"]
    assert "split    infinite      best" in talk(arguments).out
    assert values_of(json.loads(talk([*arguments, "--json"]).out))["split"] == "infinite"


# edge.


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("house", upcard.house_names())
def test_every_house_has_its_exact_edge(house):
    told = json.loads(talk(["edge", "--house", house, "--json"]).out)
    assert told["ev"] == upcard.expected_value(upcard.house(house))
    assert told["house_edge"] == -told["ev"]
    if house == "deshmukh":
        assert told["best_chart"]["ev"] is None
        assert told["best_chart"]["why_none"]
    else:
        assert 0 <= told["best_chart"]["distance_to_best"] < 0.001


def test_the_edge_is_painted_with_its_words_and_the_upcards():
    answer = answer_game(upcard.Rules(), splits="CDP")
    told = talk(["edge", "--splits", "CDP"]).out
    words = " ".join(told.split())
    for topic, text in answer.in_words:
        assert f"{topic} {text}" in words
    for line in answer.tabulate_upcards().lines_across():
        assert " ".join(line.split()) in words


COMPARED = ["edge", "--rules", "6D", "--compare", "H17", "6:5", "LS DAS"]


@pytest.mark.slow
def test_compare_tells_what_each_rule_changes():
    told = json.loads(talk([*COMPARED, "--json"]).out)
    base = upcard.expected_value(upcard.Rules.parse("6D"))
    assert [row["name"] for row in told["compare"]] == ["H17", "6:5", "LS DAS"]
    for row in told["compare"]:
        ev = upcard.expected_value(upcard.Rules.parse(f"6D {row['name']}"))
        assert row["edge"]["ev"] == ev
        assert row["change"]["ev"] == ev - base
    assert "H17         −0.61539%    0.61539%     −0.21252%" in talk(COMPARED).out


@pytest.mark.slow
def test_compare_may_be_repeated_and_changes_a_house():
    told = talk(["edge", "--house", "european", "--compare", "LS", "--compare", "ENHC"]).out
    rows = [line for line in told.splitlines() if line.startswith(("  LS", "  ENHC"))]
    assert [row.split()[0] for row in rows] == ["LS", "ENHC"]
    assert ["no change" in row for row in rows] == [False, True]
    changed = switch_rules(upcard.house("european"), "PEEK LS")
    assert changed == upcard.Rules.parse("european PEEK LS")


def damaged_chart(tmp_path):
    """Write the best chart with one mistake: it stands on 11 against a 6."""
    lines = str(upcard.basic_strategy(upcard.Rules())).splitlines()
    row = next(number for number, line in enumerate(lines) if line.startswith("11\t"))
    cells = lines[row].split("\t")
    cells[5] = "S"
    lines[row] = "\t".join(cells)
    file = tmp_path / "mine.tsv"
    file.write_text("\n".join(lines))
    return str(file)


@pytest.mark.slow
def test_a_chart_file_has_its_edge_its_distance_and_its_costliest_cells(tmp_path):
    file = damaged_chart(tmp_path)
    told = json.loads(talk(["edge", "--strategy", file, "--json"]).out)
    best = upcard.basic_strategy(upcard.Rules())
    best_ev = upcard.expected_value(upcard.Rules(), strategy=best)
    assert told["splits"] == "chart"
    assert told["strategy"]["distance_to_best_chart"] == pytest.approx(best_ev - told["ev"])
    assert told["strategy"]["distance_to_best"] > told["strategy"]["distance_to_best_chart"] > 0
    [cell] = told["strategy"]["costliest_cells"]
    assert (cell["hand"], cell["upcard"], cell["cell"], cell["better"]) == ("11", "6", "S", "Dh")
    assert cell["cost"] == pytest.approx(best_ev - told["ev"])
    assert "11    6       S       Dh" in talk(["edge", "--strategy", file]).out


@pytest.mark.slow
def test_the_best_chart_read_back_costs_nothing(tmp_path):
    file = tmp_path / "best.tsv"
    assert talk(["chart", "-o", str(file)]) == (0, "", "")
    told = json.loads(talk(["edge", "--strategy", str(file), "--json"]).out)
    assert told["strategy"]["costliest_cells"] == []
    assert told["strategy"]["distance_to_best_chart"] == 0


# chart.


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        ("6D", "Six decks, dealer stands on soft 17"),
        ("1D H17 D10", "One deck, dealer hits on soft 17, double on 10 and 11 only"),
        (
            "2D NDAS LS",
            "Two decks, dealer stands on soft 17, no double after split, late surrender",
        ),
        ("INF ENHC 6:5", "Infinite deck, dealer stands on soft 17, naturals pay 6:5, no hole card"),
        ("european", "European, no hole card"),
    ],
)
def test_a_game_is_named_by_what_sets_it_apart(rules, name):
    """D3: the chart's title was notation."""
    assert name_game(upcard.Rules.parse(rules)) == name


@pytest.mark.slow
def test_the_chart_tells_its_edge_and_where_cards_matter_more_than_totals():
    told = talk(["chart"]).out
    assert told.startswith(f"Six decks, dealer stands on soft 17: best chart\nRules: {SIX_DECKS}\n")
    assert "exactly −0.40592%; play by a hand's cards is worth 0.00305% more" in (
        " ".join(told.split())
    )
    assert "\n  T,2 v 4 hit 0.075%\n" in told
    assert "T,2 v 4" not in talk(["chart", "--no-exceptions"]).out


@pytest.mark.slow
def test_a_chart_with_surrender_else_stand_says_when_a_hand_cannot_surrender():
    """D3: printed charts have Rh for 16 v 10, and nothing said why ours has Rs."""
    why = "Rs: after a hit or a split there is no surrender; then stand."
    for kind in ("text", "svg", "html"):
        told = talk(["chart", "--rules", "6D LS", "--format", kind]).out
        assert "Rs: after a hit" in told
    assert why in " ".join(talk(["chart", "--rules", "6D LS"]).out.split())
    assert "Rs" not in talk(["chart"]).out


def test_the_chart_as_a_table_is_what_the_strategy_prints():
    told = talk(["chart", "--rules", "1D", "--format", "tsv"]).out
    best = upcard.basic_strategy(upcard.Rules.parse("1D"))
    assert upcard.Strategy.parse(told) == best
    rows = [line for line in told.splitlines() if not line.startswith("#")]
    assert rows[0] == "hand\t2\t3\t4\t5\t6\t7\t8\t9\t10\tA"
    assert (rows[1][:2], rows[-1][:3]) == ("5\t", "AA\t")


@pytest.mark.slow
def test_where_the_house_pays_for_hands_their_chart_follows_that_of_paid_hands():
    """A free 17 is hit against a 7, as a loss costs nothing; so Free Bet's charts print it."""
    words = ["chart", "--house", "free-bet", "--no-exceptions"]
    paid, _, free = talk(words).out.partition("Hands that the house has paid for")
    assert "This chart is for hands that you pay for" in " ".join(paid.split())
    (seventeen,) = [line for line in paid.splitlines() if line.startswith("   17 ")]
    (free_17,) = [line for line in free.splitlines() if line.startswith("   17 ")]
    assert seventeen.split()[:11] == ["17", *"SSSSSSSSSS"]
    assert free_17.split()[:11] == ["17", *"SSSSSHHHSH"]
    assert json.loads(talk([*words, "--json"]).out)["free_hands"]["17"] == list("SSSSSHHHSH")


@pytest.mark.slow
def test_the_chart_as_json_has_values_exceptions_and_the_chart():
    told = json.loads(talk(["chart", "--rules", "1D", "--json"]).out)
    best = upcard.basic_strategy(upcard.Rules.parse("1D"))
    assert [(row["hand"], tuple(row["cells"])) for row in told["rows"]] == list(best)
    assert told["best_ev"] - told["ev"] == pytest.approx(told["distance_to_best"])
    assert told["exceptions"][0]["hand"] == "T 2"
    row = next(row for row in told["rows"] if row["hand"] == "88")
    assert row["values"][8] == upcard.solve(upcard.Rules.parse("1D"), "88", "T").ev


@pytest.mark.parametrize(
    ("name", "start"), [("a.svg", "<svg"), ("a.html", "<!DOCTYPE html>"), ("a.tsv", "hand\t")]
)
def test_the_format_of_a_file_follows_its_name(name, start, tmp_path):
    file = tmp_path / name
    assert talk(["chart", "-o", str(file), "--house", "mdp"]) == (0, "", "")
    assert file.read_text(encoding="utf-8").lower().startswith(start.lower())


def test_pictures_have_the_rules_and_figures():
    told = talk(["chart", "--format", "svg", "--house", "mdp", "--numbers", "ev"]).out
    assert "BlackJack(p), the decision process: best chart" in told
    assert 'class="figure"' in told


def test_an_infinite_deck_has_no_exceptions():
    assert "Hands better played" not in talk(["chart", "--rules", "INF"]).out


@pytest.mark.slow
def test_a_stream_that_takes_no_glyphs_gets_7_bit_characters(monkeypatch):
    class Plain(io.StringIO):
        encoding = "ascii"

    monkeypatch.setattr("driving.Screen", Plain)
    told = talk(["chart"])
    assert told.out.isascii()
    assert "exactly -0.40592%" in " ".join(told.out.split())


@pytest.mark.slow
def test_a_terminal_gets_colours_and_nothing_wider_than_itself():
    terminal = open_terminal(["chart"])
    assert finish(terminal) == 0
    assert "\x1b[38;5;" in terminal.before
    lines = re.sub(r"\x1b\[[\d;]*m", "", terminal.before).splitlines()
    assert 70 < max(map(len, lines)) <= 80


# removal.


@pytest.mark.slow
def test_removal_of_every_rank_and_their_sum():
    told = json.loads(talk(["removal", "--rules", "1D NDAS", "--json"]).out)
    assert told["effects"] == upcard.effects_of_removal(upcard.Rules.parse("1D NDAS"))
    assert sum(told["counts"].values()) == 52
    assert told["weighted_sum"] > 0
    text = " ".join(talk(["removal", "--rules", "1D NDAS"]).out.split())
    assert "5 +0.74466% 4 +2.9786%" in text
    assert f"Play {told['play']}" in text


@pytest.mark.slow
def test_removal_by_cards_is_a_row_for_each_number_and_a_picture(tmp_path):
    picture = tmp_path / "gone.txt"
    asked = ["removal", "--by-cards", "--rules", "1D PEN20", "--shoes", "3", "--seed", "4"]
    asked += ["--exact", "1", "--workers", "1"]
    told = json.loads(talk([*asked, "--plot", str(picture), "--json"]).out)
    assert [row["gone"] for row in told["rows"]] == [0, 1, 2, 4, 5, 6, 8, 9, 10]
    assert [row["is_exact"] for row in told["rows"]] == [True, True, *[False] * 7]
    assert told["rows"][0]["ev"] == upcard.expected_value(upcard.Rules.parse("1D PEN20"))
    assert picture.read_text(encoding="utf-8").startswith("EV by cards gone")
    text = talk([*asked, "--plot", "-"]).out
    assert "EV by cards gone: 1D" in text
    assert "from 2 cards gone on shuffled" in " ".join(text.split())
    rows = talk([*asked, "--csv", "-"]).out.splitlines()
    assert rows[0].startswith("gone,left,shoes,is_exact,ev,error,sd")
    assert len(rows) == 10


@pytest.mark.slow
def test_removal_by_a_fixed_chart_weighs_up(tmp_path):
    file = damaged_chart(tmp_path)
    told = json.loads(talk(["removal", "--strategy", file, "--json"]).out)
    assert told["is_fixed_strategy"]
    assert told["weighted_sum"] == pytest.approx(0, abs=1e-10)
    assert told["play"] in " ".join(talk(["removal", "--strategy", file]).out.split())


# The whole process.


@pytest.mark.slow
def test_a_process_of_its_own_answers_quietly():
    answer = pipe(["edge", "--house", "mdp"])
    assert (answer.code, answer.err) == (0, "")


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("splits", [play for play in SplitPlay if "full" not in play])
def test_every_split_play_says_what_it_is(splits):
    for words in (["solve", "88", "v", "A"], ["edge"]):
        assert splits in talk([*words, "--splits", splits]).out
