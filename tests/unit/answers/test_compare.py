"""Games side by side: the same figures as those of the single commands, and paired errors."""

from __future__ import annotations

import json
from statistics import mean, stdev

import pytest

import upcard
from upcard.answers.games.comparison import ComparisonInterruptedError
from upcard.answers.games.side_by_side import compare_games
from upcard.cache import exact
from upcard.core.errors import BlackjackError, RulesError
from upcard.exact.solver_results import difference
from upcard.simulation.run import resume
from upcard.simulation.run_state import RunError, load_run, make_document, restore_run

PAIR = ("6D S17 DAS", "6D H17 DAS LS")
BETS = {"count": "hi-lo", "spread": "1-8", "seed": 1, "workers": 2}
SHORT = BETS | {"rounds": "1M"}


@pytest.fixture(scope="module")
def counted():
    return compare_games([*PAIR, "2D H17"], **SHORT, indices="i18+fab4", bankroll=10_000, chip=5)


@pytest.mark.slow
def test_the_exact_part_is_that_of_the_single_commands():
    found = compare_games([*PAIR, "2D H17 D10"])
    chart = upcard.basic_strategy(PAIR[0])
    for game in found.games:
        best = upcard.expected_value(game.rules)
        by_chart = upcard.expected_value(game.rules, strategy=chart)
        own = upcard.expected_value(game.rules, strategy=upcard.basic_strategy(game.rules))
        assert game.house_edge == -best
        assert game.chart_cost == pytest.approx(difference(own, by_chart), abs=1e-12)
        assert game.cells == tuple(exact.costliest_cells(upcard.Rules.parse(game.rules), chart))
        assert game.cells_changed == len(game.cells)
    assert [game.cells_changed for game in found.games] == [0, 10, 3]
    assert found.best == 0
    assert found.games[1].chart_cost == pytest.approx(
        sum(cell.cost for cell in found.games[1].cells), rel=0.01
    )


def test_the_chart_that_is_known_may_be_that_of_another_game():
    chart = upcard.basic_strategy("6D H17 DAS LS")
    found = compare_games(PAIR, strategy=chart)
    assert [game.cells_changed for game in found.games] == [4, 0]
    assert found.sentences[1].startswith("Until you know these cells your chart gives away 0.0")


@pytest.mark.slow
def test_a_game_with_charts_of_another_kind_has_its_edge_and_no_price_of_yours():
    found = compare_games(["6D", "double-exposure"])
    game = found.games[1]
    assert game.house_edge == -upcard.expected_value("double-exposure")
    assert (game.chart_cost, game.cells_changed, game.cells) == (None, None, ())
    assert any(note.startswith("Your chart is not for B: ") for note in found.notes)
    assert found.to_json()["games"][1]["why_no_cost"] == game.why_no_cost


@pytest.mark.slow
def test_cells_of_an_infinite_deck_have_the_prices_that_mend_the_chart():
    found = compare_games(["6D H17", "INF S17 LS"])
    game = found.games[1]
    assert game.cells
    assert sum(cell.cost for cell in game.cells) == pytest.approx(game.chart_cost, rel=1e-3)


@pytest.mark.slow
def test_equal_games_are_too_close_to_call():
    assert compare_games(["6D", "6D PEN60"]).sentences == ("A and B cost the same.",)
    found = compare_games(["6D", "6D"], **SHORT)
    assert (found.games[1].ev_behind, found.games[1].ev_behind_standard_error) == (0, 0)
    assert "A and B are too close to call" in found.sentences[0]


@pytest.mark.slow
def test_figures_with_a_count_are_those_of_its_saved_runs(tmp_path):
    found = compare_games(PAIR, **SHORT, output=tmp_path / "games", bankroll=5000, wong="best")
    for game, name in zip(found.games, "ab", strict=True):
        run = load_run(tmp_path / "games" / f"{name}.json")
        figures = run.ramp(spread="1-8", bankroll=5000, wong="best").plan_answers[-1].figures
        assert game.ev_per_hour == figures["ev_per_hour"].value
        assert game.ev_per_hour_standard_error == figures["ev_per_hour"].standard_error
        assert (game.sd_per_hour, game.score) == (
            figures["sd_per_hour"].value,
            figures["score"].value,
        )
        assert (game.n0, game.ruin) == (figures["n0"].value, figures["risk_of_ruin"].value)


@pytest.mark.slow
def test_the_best_game_earns_most_and_the_others_are_behind_it(counted):
    most = max(game.ev_per_hour for game in counted.games)
    assert counted.games[counted.best].ev_per_hour == most
    for game in counted.games:
        assert game.ev_behind == pytest.approx(most - game.ev_per_hour)
    assert counted.games[counted.best].ev_behind_standard_error == 0
    assert counted.sentences[0].startswith("Play C: at your bank it earns ")
    assert " more an hour than " in counted.sentences[0]
    assert counted.sentences[0].endswith(", and 8 cells of your chart change.")
    assert all("in chips of 5" in game.plan.choice for game in counted.games)


@pytest.mark.slow
def test_index_plays_that_surrender_are_left_out_where_there_is_none(counted):
    assert any("left out: A and C" in note for note in counted.notes)


@pytest.mark.slow
def test_games_of_the_same_shoes_have_an_error_of_their_difference():
    found = compare_games(PAIR, **SHORT)
    behind = found.games[1 - found.best]
    apart = sum(game.ev_per_hour_standard_error**2 for game in found.games) ** 0.5
    assert behind.same_shoes
    assert 0 < behind.ev_behind_standard_error < 0.7 * apart
    other = compare_games(["6D S17 DAS", "8D S17 DAS"], **SHORT)
    behind = other.games[1 - other.best]
    apart = sum(game.ev_per_hour_standard_error**2 for game in other.games) ** 0.5
    assert not behind.same_shoes
    assert behind.ev_behind_standard_error == pytest.approx(apart)


@pytest.mark.slow
@pytest.mark.usefixtures("saved_values")  # every seed has the same exact part
@pytest.mark.parametrize("pair", [PAIR, ("6D PEN75", "6D PEN80"), ("6D", "8D")], ids=str)
def test_the_error_of_a_difference_is_its_spread_over_seeds(pair):
    differences, errors_of = [], []
    for seed in range(1, 25):
        found = compare_games(pair, count="hi-lo", ramp="1-8", unit=10, rounds="2M", seed=seed)
        differences.append(found.games[0].ev_per_hour - found.games[1].ev_per_hour)
        errors_of.append(found.games[1 - found.best].ev_behind_standard_error)
    # The relative error of a deviation of 24 values is 15 %.
    assert stdev(differences) == pytest.approx(mean(errors_of), rel=0.45)


def test_a_ramp_as_given_is_bet_in_every_game_and_may_lose():
    found = compare_games(["6D", "6D 6:5"], **SHORT | {"spread": None}, ramp="1-2", unit=10)
    assert found.games[1].ev_per_hour < found.games[0].ev_per_hour < 0
    assert found.games[1].ruin == 1
    assert found.sentences[0].startswith("With these bets no game can be beaten")
    assert found.sentences[1].startswith("Play A: it loses ")
    assert " less an hour than B" in found.sentences[1]
    table = found.tables()[-1]
    at = [column.name for column in table.columns].index("n0")
    assert [row[at] for row in table.rows] == ["infinite", "infinite"]


@pytest.mark.slow
def test_a_game_that_no_ramp_beats_says_so():
    found = compare_games(["6D", "6D 6:5"], **SHORT)
    assert found.games[1].ev_per_hour is None
    assert "no ramp with a spread of 1-8 wins" in found.games[1].why_no_plan
    assert found.sentences[0].startswith("Play A: no other game can be beaten with these bets")


LEFT_OUT = {
    "aces of their own": ({}, "deshmukh", "ace_rule=one-softened"),
    "a deck of 48 cards": (SHORT, "6D48", "cannot honour 6D48"),
    "an infinite deck": (SHORT, "INF", "nothing to count"),
}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("terms", "game", "reason"), LEFT_OUT.values(), ids=LEFT_OUT)
def test_a_game_that_an_engine_cannot_do_is_left_out_with_its_reason(terms, game, reason):
    found = compare_games(["6D", game, "2D"], **terms)
    assert [one.name for one in found.games] == ["A", "C"]
    (left_out,) = found.left_out
    assert left_out.name == "B"
    assert reason in left_out.reason
    with pytest.raises(RulesError, match="two games or more can be compared"):
        compare_games(["6D", game], **terms)


FAULTS = {
    "one game": (["6D"], {}, "1 game to compare: name two to 8"),
    "nine games": (["6D"] * 9, {}, "9 games to compare"),
    "bets without a count": (PAIR, {"ramp": "1-8"}, "ramp is for counting"),
    "a faulty game": (["6D", "nonsense"], {}, "unknown token 'nonsense'"),
    "an unknown count": (PAIR, {"count": "nope"}, "no counting system"),
    "indices of another count": (PAIR, BETS | {"count": "ko", "indices": "i18"}, "--count ko -o"),
    "three of three": (PAIR, BETS | {"bankroll": 1, "unit": 1, "risk": "5%"}, "two of bankroll"),
    "an odd term": (PAIR, BETS | {"tips": 5}, "tips is not an option of a ramp"),
    "an odd ramp": (PAIR, BETS | {"spread": None, "ramp": "8-1"}, "ramp '8-1'"),
}


@pytest.mark.parametrize(("games", "terms", "words"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_request_is_refused_before_a_round_is_played(games, terms, words):
    def watch(*_):
        raise AssertionError

    with pytest.raises(BlackjackError) as fault:
        compare_games(games, **terms, watch=watch)
    assert words in str(fault.value)


@pytest.mark.slow
def test_saved_runs_continue_with_their_seed_and_the_same_sums(tmp_path):
    terms = {name: term for name, term in SHORT.items() if name != "seed"}
    compare_games(PAIR, **SHORT, output=tmp_path)
    longer = compare_games(PAIR, **terms | {"rounds": "1500000"}, output=tmp_path)
    whole = compare_games(PAIR, **SHORT | {"rounds": "1500000"})
    assert longer.to_json() == whole.to_json()


@pytest.mark.slow
def test_sums_by_block_that_are_not_those_of_the_run_are_refused(tmp_path):
    compare_games(PAIR, **SHORT | {"rounds": "300k"}, output=tmp_path)
    run = load_run(tmp_path / "a.json")
    document = make_document(run)
    assert restore_run(document).blocks == run.blocks
    assert resume(run, extend=100_000).blocks[:3] == document["blocks"]
    document["blocks"][0][3] += 1
    with pytest.raises(RunError, match="blocks cannot be read: they are not those of the tally"):
        restore_run(document)


@pytest.mark.slow
def test_an_interruption_leaves_the_games_that_are_done(tmp_path):
    seen = []

    def interrupt(stop):
        def watch(name, _):
            seen.append(name)
            if name == stop:
                raise KeyboardInterrupt

        return watch

    with pytest.raises(ComparisonInterruptedError) as caught:
        compare_games([*PAIR, "2D"], **SHORT, watch=interrupt("C"), output=tmp_path)
    assert [game.name for game in caught.value.found.games] == ["A", "B"]
    assert caught.value.found.left_out[0].reason == "interrupted"
    with pytest.raises(ComparisonInterruptedError, match="no two games") as caught:
        compare_games(PAIR, **SHORT, watch=interrupt("A"))
    assert caught.value.found is None


@pytest.mark.slow
def test_the_exact_values_come_before_the_first_round():
    order = []
    compare_games(
        PAIR,
        **SHORT,
        early=lambda found: order.append(found.games[0].house_edge),
        watch=lambda name, _: order.append(name),
    )
    assert order[0] == compare_games(PAIR).games[0].house_edge
    assert set(order[1:]) == {"A", "B"}


@pytest.mark.slow
def test_json_has_the_names_of_a_count_only_with_one(counted):
    plain = compare_games(PAIR).to_json()
    exact_names = {"rules", "house_edge", "chart_cost", "cells_changed"}
    more = {"ev_per_hour", "sd_per_hour", "score", "n0", "ruin"}
    assert exact_names <= plain["games"][0].keys()
    assert not more & plain["games"][0].keys()
    full = json.loads(json.dumps(counted.to_json()))
    assert exact_names | more <= full["games"][0].keys()
    assert full["best"] == 2


@pytest.mark.slow
def test_a_game_at_the_table_is_slower_and_says_so():
    found = compare_games(["6D split_by=rank", "6D"], **BETS, rounds=2000)
    assert any("A is played at the table" in note for note in found.notes)


@pytest.mark.slow
def test_counts_are_compared_in_one_game_on_the_same_shoes(tmp_path):
    asked = {"rounds": "1M", "indices": "4", "spread": "1-8", "seed": 1, "output": tmp_path}
    found = upcard.compare_counts("6D S17", ["hi-lo", "ko"], **asked)
    assert [game.name for game in found.games] == ["hi-lo", "ko"]
    assert (found.noun, found.count, found.indices) == ("count", "hi-lo, ko", "that gain most (4)")
    for system, game in zip(("hi-lo", "ko"), found.games, strict=True):
        run = load_run(tmp_path / f"{system}.json")
        alone = run.ramp(spread="1-8").plan_answers[-1].figures["ev_per_hour"]
        assert game.ev_per_hour == pytest.approx(alone.value, rel=1e-12)
        rules = upcard.Rules.parse("6D S17")
        learned = upcard.indices(rules, count=system, method="exact", ramp="1-8", learn=4)
        assert run.job.deviations == learned.deviations
    behind = found.games[1 - found.best]
    assert behind.same_shoes
    apart = [game.ev_per_hour_standard_error for game in found.games]
    assert 0 < behind.ev_behind_standard_error < sum(one**2 for one in apart) ** 0.5
    assert [table.columns[0].title for table in found.tables()] == ["count"]


@pytest.mark.parametrize("counts", [["hi-lo"], ["hi-lo", "hi-lo"], ["hi-lo"] * 13])
def test_counts_to_compare_are_several_and_each_once(counts):
    with pytest.raises(RulesError, match="name two to 12, each once"):
        upcard.compare_counts("6D", counts)


def test_a_count_that_does_not_fit_is_left_out_with_its_reason():
    with pytest.raises(RulesError, match=r"two counts or more .* cannot honour 6D48"):
        upcard.compare_counts("6D48", ["hi-lo", "zen"])
    with pytest.raises(RulesError, match="indices 0: a number of plays"):
        upcard.compare_counts("6D", ["hi-lo", "zen"], indices=0)
