"""A question that was asked before is answered without computing, by the same bits."""

import binascii
import inspect
import random
import zlib
from dataclasses import fields, replace
from fractions import Fraction

import numpy as np
import pytest
from random_rules import choose_rules

from upcard.cache import exact as cached
from upcard.cache import recall as recalling
from upcard.cache import recall as shipped
from upcard.cache.entry import SavedQuestion
from upcard.cache.recall import bypass_cache, cache_folder, open_folder, peek, recall
from upcard.coach import adviser
from upcard.core.errors import BlackjackError, NotationError, RulesError, UnsupportedRuleError
from upcard.exact import solve as fresh
from upcard.exact.supported_rules import SplitPlay
from upcard.rules.model import Rules

INFINITE = Rules.parse("INF D9 7:5")  # never shipped


@pytest.fixture
def computed(monkeypatch):
    """The kinds of what the solver was asked to compute."""
    kinds = []

    def question(kind, rules, asked, value_type, compute):
        def watched():
            kinds.append(kind)
            return compute()

        return SavedQuestion(kind, rules, asked, value_type, watched)

    monkeypatch.setattr(cached, "SavedQuestion", question)
    return kinds


def test_the_second_time_nothing_is_computed_and_the_result_is_the_same(saved_values, computed):
    chart = cached.basic_strategy(INFINITE)
    first = (
        cached.solve_game(INFINITE),
        cached.solve_game(INFINITE, strategy=chart),
        cached.solve(INFINITE, "88", "T"),
        cached.dealer_outcomes(INFINITE, "T"),
        cached.cell_values(INFINITE),
        chart.title,
    )
    assert len(computed) == 6
    assert len(list(saved_values.glob("*.saved"))) == 6
    again = (
        cached.solve_game(INFINITE),
        cached.solve_game(INFINITE, strategy=cached.basic_strategy(INFINITE)),
        cached.solve(INFINITE, "8 8", "10"),
        cached.dealer_outcomes(INFINITE, "T"),
        cached.cell_values(INFINITE),
        cached.basic_strategy(INFINITE).title,
    )
    assert repr(again) == repr(first)
    assert len(computed) == 6


def test_the_opening_hands_of_drills_are_saved(saved_values, monkeypatch):
    rules = Rules.parse("INF D9 ENHC")
    list_openings = adviser.list_openings.__wrapped__
    first = list_openings(rules)
    (file,) = saved_values.glob("openings-*.saved")
    monkeypatch.setattr(fresh, "choose_solver", lambda *_, **__: pytest.fail("computed"))
    assert list_openings(rules) == first
    assert repr([one.ev for one in list_openings(rules)]) == repr([one.ev for one in first])
    assert file.stat().st_size < 100_000


def test_the_functions_are_those_of_the_solver():
    names = ("solve", "solve_game", "expected_value", "dealer_outcomes", "effects_of_removal")
    names += ("basic_strategy", "opening_values", "cell_values", "costliest_cells")
    for name in (*names, "composition_exceptions"):
        mine, theirs = getattr(cached, name), getattr(fresh, name)
        assert mine is not theirs
        assert inspect.signature(mine) == inspect.signature(theirs)
        assert mine.__doc__ == theirs.__doc__
        with pytest.raises(TypeError):
            mine(INFINITE, nonsense=True)


def test_a_result_is_that_of_the_solver(saved_values):
    value = cached.solve_game(INFINITE)
    assert value == replace(fresh.solve_game(INFINITE), seconds=value.seconds)
    assert cached.expected_value(INFINITE) == fresh.expected_value(INFINITE)
    assert cached.basic_strategy(INFINITE).title == fresh.basic_strategy(INFINITE).title


def test_who_asks_first_gets_what_who_asks_later_gets(saved_values):
    asked = SavedQuestion("hand", INFINITE, (), tuple[float, ...], lambda: [np.float64(0.5)])
    assert [repr(recall(asked)) for _ in range(2)] == ["(0.5,)", "(0.5,)"]


def test_a_refusal_is_saved_and_raised_again(saved_values, computed):
    rules = Rules.parse("6D SPINF")
    texts = []
    for _ in range(2):
        with pytest.raises(UnsupportedRuleError, match="without a limit") as caught:
            cached.solve_game(rules)
        texts.append((str(caught.value), caught.value.rule))
    assert texts[0] == texts[1]
    assert computed == ["game"]


def test_what_is_asked_wrongly_is_refused_each_time_in_the_words_of_the_solver(saved_values):
    cached.solve(INFINITE, "T6", "9")
    cached.solve_game(INFINITE)
    asked = [
        lambda one: one.solve(INFINITE, "16", "9"),
        lambda one: one.solve(INFINITE, "T6", "0"),
        lambda one: one.solve(INFINITE, "TTT", "9"),
        lambda one: one.solve(INFINITE, "T6", "9", shoe="6D"),
        lambda one: one.solve(Rules(), "T6", "9", shoe="1D less T T T T T T T T T T T T T T T T"),
        lambda one: one.solve_game(INFINITE, splits="CDX"),
        lambda one: one.solve_game(Rules(), splits="full", shoe="nonsense"),
        lambda one: one.solve_game(Rules(), shoe="nonsense"),
    ]
    for ask in asked:
        with pytest.raises(BlackjackError) as there:
            ask(fresh)
        with pytest.raises(type(there.value)) as here:
            ask(cached)
        assert str(here.value) == str(there.value)


def name_of(rules=INFINITE, kind="game", asked=()):
    return SavedQuestion(kind, rules, asked, float, float).name


def test_different_rules_have_different_keys():
    rng = random.Random(5)
    drawn = {choose_rules(rng.choice) for _ in range(1000)}
    assert len({name_of(rules) for rules in drawn}) == len(drawn)


NOT_DRAWN = ("side_bets", "switch")
KEYED = [
    one.name for one in fields(Rules) if one.init and one.compare and one.name not in NOT_DRAWN
]


def test_a_swap_is_in_the_key():
    rules = Rules.parse("switch")
    assert name_of(rules) != name_of(rules.replace(switch=False))


def test_side_bets_change_no_value_of_the_main_game():
    assert name_of(Rules.parse("6D +PP(25/12/6)")) == name_of(Rules.parse("6D"))


@pytest.mark.parametrize("name", KEYED)
def test_rules_that_differ_in_one_setting_have_different_keys(name):
    """D: without one setting in the key, a value would be that of another game."""
    rng = random.Random(name)
    pairs = 0
    while pairs < 20:
        rules, other = choose_rules(rng.choice), choose_rules(rng.choice)
        try:
            changed = rules.replace(**{name: getattr(other, name)})
        except RulesError:
            continue
        if changed != rules:
            assert name_of(changed) != name_of(rules)
            pairs += 1


def test_the_rest_of_the_question_is_in_the_key_and_the_name_of_a_house_is_not(saved_values):
    asked = [(), ("CDP",), ("CDP", [0, 1]), ("CDP", [0, 2]), ("CDP", None), ("CDP", None, "chart")]
    assert len({name_of(asked=one) for one in asked}) == len(asked)
    assert name_of(kind="hand") != name_of()
    assert name_of(replace(INFINITE, name="mine")) == name_of()
    named = replace(INFINITE, name="mdp")
    assert cached.basic_strategy(INFINITE).title.startswith(f"{INFINITE}: ")
    assert cached.basic_strategy(named).title == fresh.basic_strategy(named).title
    assert cached.solve_game(named).rules.name == "mdp"


@pytest.mark.parametrize("text", ["1D", "1D SP1 H17", "INF H17", "deshmukh"])
def test_a_result_has_the_types_of_the_computed_one(saved_values, text):
    """A14: `splits` came back as a text, and was a `SplitPlay` when it was computed."""
    rules = Rules.parse(text)
    computed = fresh.solve(rules, "T6", "T")
    assert cached.solve(rules, "T6", "T") == cached.solve(rules, "T6", "T") == computed
    for _ in range(2):
        assert repr(cached.solve(rules, "T6", "T")) == repr(computed)
        assert type(cached.solve_game(rules).splits) is type(computed.splits)
    assert isinstance(computed.splits, SplitPlay) is (text[0] == "1")


def test_what_a_question_depends_on_makes_another_file(saved_values, monkeypatch):
    chart = fresh.basic_strategy(INFINITE)
    monkeypatch.setattr(fresh, "choose_solver", lambda *_, **__: pytest.fail("computed"))
    asked = []
    monkeypatch.setattr(cached, "recall", lambda question: asked.append(question.name))
    other = replace(chart, takes_insurance=True)
    rules = Rules.parse("1D")
    for options in (
        {},
        {"splits": "CDP"},
        {"strategy": chart},
        {"strategy": other},
        {"shoe": "1D less T"},
        {"shoe": [4] * 9 + [14]},
    ):
        cached.solve_game(rules, **options)
    for hand, up in (("T6", "9"), ("6T", "9"), ("T6", "8"), ("TT", "9"), ("KQ", "9")):
        cached.solve(rules, hand, up)
    assert len(set(asked)) == 11
    cached.solve_game(rules, shoe="1D", splits="cdz-")
    cached.solve_game(rules, strategy=replace(chart, title="another title"))
    cached.solve_game(rules, shoe=iter([4] * 9 + [16]))
    assert len(set(asked)) == 11


def test_the_cards_before_the_deal_are_in_every_key_that_depends_on_them(saved_values, monkeypatch):
    class Asked(Exception):  # noqa: N818 (it is none)
        pass

    asked = []

    def note(question):
        asked.append(question.name)
        raise Asked

    monkeypatch.setattr(cached, "recall", note)
    rules, free = Rules.parse("1D"), Rules.parse("1D FSNT")
    chart = fresh.basic_strategy(INFINITE)
    ways = {
        "dealer": lambda shoe: cached.dealer_outcomes(rules, "T", shoe=shoe),
        "hand": lambda shoe: cached.solve(rules, "T6", "T", shoe=shoe),
        "game": lambda shoe: cached.solve_game(rules, shoe=shoe),
        "chart": lambda shoe: cached.basic_strategy(rules, shoe=shoe),
        "free": lambda shoe: cached.free_strategy(free, shoe=shoe),
        "cells": lambda shoe: cached.cell_values(rules, shoe=shoe),
        "costs": lambda shoe: cached.costliest_cells(rules, chart, shoe=shoe),
        "exceptions": lambda shoe: cached.composition_exceptions(rules, chart, shoe=shoe),
    }
    shoes = (None, "1D less 5", "1D less 5 5", "1D less A")
    for ask in ways.values():
        for shoe in shoes:
            with pytest.raises(Asked):
                ask(shoe)
    assert len(set(asked)) == len(ways) * len(shoes)


def test_values_of_another_version_or_other_sources_are_not_read(
    saved_values, computed, monkeypatch
):
    cached.solve_game(INFINITE)
    monkeypatch.setattr(recalling, "program_stamp", lambda: "0" * 16)
    cached.solve_game(INFINITE)
    assert len(computed) == 2
    assert len(list(saved_values.glob("*.saved"))) == 2
    monkeypatch.undo()


def test_switched_off_saved_values_are_neither_read_nor_written(
    saved_values, computed, monkeypatch
):
    with bypass_cache():
        cached.solve_game(INFINITE)
    monkeypatch.setenv("UPCARD_CACHE", "OFF")
    cached.solve_game(INFINITE)
    assert peek(lambda: cached.expected_value(INFINITE)) is None
    assert len(computed) == 2
    assert not saved_values.exists()
    monkeypatch.setenv("UPCARD_CACHE", str(saved_values))
    cached.solve_game(INFINITE)
    assert len(list(saved_values.glob("*.saved"))) == 1


def test_switched_off_a_question_asks_for_a_value_once(computed):
    for times in (1, 2):
        with bypass_cache():
            assert cached.solve_game(INFINITE) is cached.solve_game(INFINITE)
        assert len(computed) == times
    with bypass_cache():  # a result has the rules of its own question
        named = [INFINITE.replace(name=name) for name in ("", "european")]
        assert [cached.solve_game(one).rules.name for one in named] == ["", "european"]


def test_the_folder_is_that_of_the_variable_or_of_the_platform(monkeypatch, tmp_path):
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path / "here"))
    assert cache_folder() == tmp_path / "here"
    monkeypatch.delenv("UPCARD_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder().name == "upcard"
    if cache_folder().parts[1] != "Users":  # macOS has no such variable
        assert cache_folder() == tmp_path / "upcard"
    monkeypatch.setenv("UPCARD_CACHE", "~nobody7/x")
    with pytest.raises(NotationError, match="no home folder is known for '~nobody7'"):
        cache_folder()


def test_a_peek_returns_what_is_saved_and_computes_nothing(saved_values, computed):
    def find():
        return cached.expected_value(INFINITE)

    assert peek(find) is None
    assert not computed
    ev = find()
    assert peek(find) == ev
    assert computed == ["game"]


def test_shipped_values_are_read_before_saved_ones_and_damaged_ones_are_not(
    saved_values, computed, monkeypatch
):
    cached.solve_game(INFINITE)
    (file,) = saved_values.glob("*.saved")
    content = file.read_text(encoding="utf-8").splitlines()[2]
    name = "-".join(file.name.split("-")[:2])
    open_folder().clear()
    for shipped_content, times in ((content, 1), (content[:-9], 2)):
        packed = binascii.b2a_base64(zlib.compress(shipped_content.encode()), newline=False)
        line = f"{name} {packed.decode()}\n"
        monkeypatch.setattr(shipped, "read_shipped", lambda line=line: f"\n{line}".encode())
        cached.solve_game(INFINITE)
        assert len(computed) == times


def test_a_value_that_cannot_be_saved_is_returned(saved_values):
    question = SavedQuestion("game", INFINITE, (), float, lambda: float("nan"))
    assert recall(question) != recall(question)
    assert not saved_values.exists()


@pytest.fixture
def raw(monkeypatch):
    """The results that the solver returned or raised, with all their bits."""
    found = []

    def question(kind, rules, asked, value_type, compute):
        def watched():
            result = None
            try:
                result = compute()
            except BlackjackError as error:
                result = error
                raise
            finally:
                found.append(repr(result))
            return result

        return SavedQuestion(kind, rules, asked, value_type, watched)

    monkeypatch.setattr(cached, "SavedQuestion", question)
    return found


def questions(rules, hand, upcard):
    """Return a game, a chart and a hand to ask about."""
    return (
        lambda: cached.solve_game(rules),
        lambda: cached.basic_strategy(rules),
        lambda: cached.solve(rules, hand, upcard, hole="9" if rules.shows_hole else None),
    )


def check(ask, rules, raw):
    """Compare what is computed with what is saved and read; return the kind of the result."""
    raw.clear()
    read = [answer(ask), answer(ask)]
    assert [one.replace("title=': the", f"title='{rules}: the") for one in raw] == [read[0]]
    assert read[1] == read[0]
    return read[0].partition("(")[0]


def answer(ask):
    """Return a result with all its bits, or an error."""
    try:
        return repr(ask())
    except BlackjackError as error:
        return repr(error)


def test_computed_and_saved_values_of_infinite_decks_are_equal_byte_for_byte(saved_values, raw):
    rng = random.Random(15)
    kinds = set()
    for _ in range(8):
        rules = choose_rules(rng.choice).replace(decks=None, deck_size=52, charlie=None)
        kinds |= {check(ask, rules, raw) for ask in questions(rules, "88", rng.choice("A29T"))}
    assert kinds >= {"GameValue", "Strategy", "HandValue", "UnsupportedRuleError"}


@pytest.mark.slow
def test_computed_and_saved_values_of_random_rules_are_equal_byte_for_byte(saved_values, raw):
    rng = random.Random(14)
    kinds = set()
    for number in range(200):
        hand = rng.choice(["T6", "88", "A7", "AA", "532", "9 9"])
        rules = choose_rules(rng.choice)
        asked = questions(rules, hand, rng.choice("A29T"))
        kinds.add(check(asked[number % len(asked)], rules, raw))
    assert kinds >= {"GameValue", "Strategy", "HandValue", "UnsupportedRuleError"}


def test_exact_fractions_of_rules_are_in_the_key():
    thirds = [INFINITE.replace(ten_probability=Fraction(n, 30)) for n in range(1, 30)]
    assert len({name_of(rules) for rules in thirds}) == 29
