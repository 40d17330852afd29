"""JSON lines, and: no input breaks the game, no chip appears or vanishes."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import accumulate
from unittest import mock

import pytest
from driving import ending, fix_shuffle, talk
from hypothesis import given, settings
from hypothesis import strategies as st

import upcard
from campaign.books import check_books
from upcard.store.bankroll import free_chips_of
from upcard.store.database import open_store
from upcard.store.sessions import find_open_rounds


@pytest.mark.parametrize("house", upcard.house_names())
def test_json_lines_are_all_that_is_written(house) -> None:
    answers = ["10", "?", "hit", "nonsense", "stand", "n", "s", "s", "yes"]
    answer = talk(["play", "--house", house, "--json", "--seed", "2"], answers)
    assert answer.code == 0
    assert answer.err == ""
    lines = [json.loads(line) for line in answer.out.splitlines()]
    assert all("type" in line for line in lines)
    assert lines[-1]["type"] == "session_ended"
    asked = [line for line in lines if line["type"] == "asked" and "legal" in line]
    of_second = {1} if upcard.house(house).switch else set()
    assert all(line["hand"] in {0} | of_second and line["legal"] for line in asked)


def test_json_hides_the_hole_card_until_it_is_turned() -> None:
    answer = talk(["play", "--json", "--cards", "TD 9H 8C 7S"], ["10", "stand"])
    lines = [json.loads(line) for line in answer.out.splitlines()]
    dealt = [line["card"] for line in lines if line["type"] == "dealer_dealt"]
    assert dealt == ["9H", None]
    first = next(index for index, line in enumerate(lines) if "7S" in str(line))
    assert lines[first]["type"] == "revealed"


def test_json_numbers_are_exact() -> None:
    from upcard.line.general import json_line

    values = (Fraction(5, 2), Fraction(3), Fraction(1, 3), upcard.Card("8D"), None)
    assert json.loads(json_line("x", values=values))["values"] == [2.5, 3, "1/3", "8D", None]


# No input breaks the game, and no chip appears or vanishes.

WORDS = (
    "h s d p r y n q 1 2 3 4 5 7 10 2.5 hit stand split double surrender insurance no-insurance"
    " even-money ? yes no 0 -5 nan inf 1e999 99999999999999999999 1/0 Computer Dealer"
    " u undo why seed"
)
LINES = st.one_of(
    st.just(""),
    st.sampled_from(WORDS.split()),
    st.text(max_size=12).filter(lambda text: "\n" not in text),
)
KEPT = (
    [],
    ["--json", "--coach", "before"],
    ["--company", "mimic; you; never-bust martingale", "--coach", "after"],
    ["--house", "seven-hands"],
    ["--house", "deshmukh"],
    ["--house", "roanoke"],
)
ODD_RULES = (
    "6D LS",
    "2D ES DANY RSA HSA",
    "6D OBO 6:5",
    "6D betting=false charlie=5",
    "seven-hands INS hole_card=peek even_money=first split_by=rank",
    "seven-hands betting=false turn_order=splits-first",
    "1D shows_upcard=false hole_card=no-peek NOINS",
)


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("rules", [*upcard.house_names(), *ODD_RULES])
@given(answers=st.lists(LINES, max_size=40), seed=st.integers(0, 99))
@settings(max_examples=25)
def test_no_input_breaks_the_line_game(rules, answers, seed) -> None:
    answer = talk(["play", "--rules", rules, "--seed", str(seed)], answers)
    assert answer.code == 0
    assert answer.err == ""
    assert ending(answer.out)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("options", KEPT, ids=" ".join)
@given(answers=st.lists(LINES, max_size=25), number=st.integers(0, 99))
@settings(max_examples=12)
def test_no_input_breaks_a_game_that_is_kept(options, answers, number, tmp_path_factory) -> None:
    """Whatever is typed, twice over: the books balance, and all that was left is found again."""
    memory = {"UPCARD_DATA": str(tmp_path_factory.mktemp("kept"))}
    with mock.patch.dict("os.environ", memory), pytest.MonkeyPatch.context() as patch:
        fix_shuffle(patch, number)
        for _ in range(2):
            answer = talk(["play", *options], answers)
            assert (answer.code, answer.err) == (0, "")
            assert ending(answer.out)
            with open_store() as store:
                check_books(store)
                assert free_chips_of(store) >= 0
                assert len(list(find_open_rounds(store))) == answer.out.count("hand is saved")


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize("rules", [*upcard.house_names(), *ODD_RULES])
@given(
    answers=st.lists(
        st.sampled_from(["h", "s", "d", "p", "r", "y", "n", "7", "2.5", "40", "0.3"]), max_size=60
    ),
    seed=st.integers(0, 999),
)
@settings(max_examples=25)
def test_balance_is_the_chips_brought_plus_the_nets(rules, answers, seed) -> None:
    answer = talk(["play", "--rules", rules, "--json", "--seed", str(seed)], answers)
    lines = [json.loads(line) for line in answer.out.splitlines()]
    nets = [exact(line["net"]) for line in lines if line["type"] == "round_ended"]
    standings = [line["balance"] for line in lines if line["type"] == "standing"]
    assert len(nets) == len(standings) == lines[-1]["rounds"]
    if not upcard.Rules.parse(rules).betting:
        return
    balances = list(accumulate(nets, initial=Fraction(100)))
    assert [exact(balance) for balance in standings] == balances[1:]
    assert exact(lines[-1]["balance"]) == balances[-1]
    assert exact(lines[-1]["net"]) == sum(nets)
    assert min(balances) >= 0
    paid = Fraction(0)  # what hands and insurance won makes up the net of their round
    for line in lines:
        if line["type"] in ("settled", "insurance_settled"):
            paid += exact(line["net"])
        elif line["type"] == "round_ended":
            assert paid == exact(line["net"])
            paid = Fraction(0)


def exact(number: float | str) -> Fraction:
    return Fraction(str(number))
