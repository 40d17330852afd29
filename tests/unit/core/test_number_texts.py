"""Numbers as people type them: read alike by every option, field and call that reads one."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial

import click
import pytest

from upcard.analysis.bet_terms import read_terms
from upcard.answers import bank_report, ramp_report
from upcard.answers.games.sweep import read_sweep
from upcard.answers.questions import QUESTIONS
from upcard.cli.app import cli
from upcard.core import number_texts
from upcard.core.errors import BlackjackError, NotationError, quote
from upcard.drills.catalogue import DrillOptions
from upcard.drills.drill import DrillError, read_number
from upcard.drills.learned import read_goal
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import load_side_bet
from upcard.session.count_check import read_ask_count
from upcard.simulation import run_state
from upcard.store.money import load_pace, read_pace
from upcard.web.lab.page import fill_form, prepare_run

SHARES = ["50%", "50 %", "1/2", "0.5", ".5", " 0.50 ", "5e-1"]
WHOLE = ["2000", "2,000", "2_000", "2k", "2 K", "2e3", "0.002M", "+2000"]
AMOUNTS = ["2500", "2,500", "2_500", "2.5k", "2500.0", "5000/2", "0.0025M"]
CHIPS = AMOUNTS[:5]
NEGATIVE = ["-3", "−3", "-3.0"]
NO_NUMBER = ["", "k", "2,5", "1,00", "1,0000", ",5", "1__0", "1/0", "nan", "inf", "٣", "1 0", "%"]
NO_NUMBER += ["1e999", "x", "0x10", "5%%", "--3", "1/2/3", "9" * 200]


@pytest.mark.parametrize("text", NO_NUMBER)
def test_what_is_no_number_is_none(text):
    assert number_texts.number_of(text) is None
    assert number_texts.share_of(text) is None


@pytest.mark.parametrize(("texts", "number"), [(SHARES, 0.5), (WHOLE, 2000), (AMOUNTS, 2500)])
def test_every_form_of_a_number_is_the_same_number(texts, number):
    read = number_texts.share_of if texts is SHARES else number_texts.number_of
    assert {read(text) for text in texts} == {Fraction(number)}
    assert {number_texts.whole_of(text) for text in NEGATIVE} == {-3}
    assert number_texts.number_of(True) is number_texts.number_of(None) is None
    assert number_texts.whole_of("2.5") is None


@pytest.mark.parametrize(
    ("read", "sentence"),
    [
        (lambda: number_texts.read_share("180%", "--pen", over=0, most=1), "over 0, at most 1,"),
        (lambda: number_texts.read_share("x"), "'x': write a share, such as 5%"),
        (lambda: number_texts.read_number("0", "bank", over=0), "bank '0': write a number over 0,"),
        (
            lambda: number_texts.read_whole("9", "decks", least=1, most=8),
            "number from 1 to 8, such",
        ),
        (lambda: number_texts.read_whole("1.5", "hands", least=1), "whole number at least 1, such"),
    ],
)
def test_a_refusal_says_what_was_asked_and_what_is_possible(read, sentence):
    with pytest.raises(NotationError) as refused:
        read()
    assert sentence in str(refused.value)


def _list_options():
    context = click.Context(cli)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        for option in command.params:
            if isinstance(option, click.Option) and not option.is_flag:
                yield pytest.param(command, option, id=f"{name} {option.opts[0]}")


def _take(command, option, text):
    """Return the number that an option has from a text; None if it reads none."""
    context = click.Context(command)
    try:
        value = option.process_value(context, (text,) if option.multiple else text)
    except (click.UsageError, BlackjackError):
        return None
    is_number = isinstance(value, int | float | Fraction) and not isinstance(value, bool)
    return Fraction(value) if is_number else None


@pytest.mark.parametrize(("command", "option"), list(_list_options()))
def test_an_option_that_reads_a_number_reads_every_form_of_it(command, option):
    assert type(option.type) not in {
        type(click.INT),
        type(click.FLOAT),
        click.IntRange,
        click.FloatRange,
    }
    for texts in (SHARES, WHOLE, AMOUNTS, NEGATIVE):
        numbers = [_take(command, option, text) for text in texts]
        if numbers[0] is not None and "seed" not in option.name:
            few = 5 if texts is AMOUNTS and option.name in CHIPS_ONLY else len(texts)
            few = 5 if texts is WHOLE and option.name in CHIPS_ONLY else few
            assert set(numbers[:few]) == {numbers[0]}, texts


REFUSED = ["x", "2,5", "1/0", "nan", "--3", "1e999", ""]
OTHER_WORDS = {"--wong", "--spread", "--seed", "--p", "--group"}
"""A word too, a range, any whole number up to 64 bits, the odds of a document, one of three."""


def _refuse(command, option, text):
    """Return the sentence by which a text is refused; None if it is read."""
    try:
        option.process_value(click.Context(command), (text,) if option.multiple else text)
    except click.UsageError as error:
        return error.message
    except BlackjackError as error:
        return str(error)
    return None


@pytest.mark.parametrize(("command", "option"), list(_list_options()))
def test_every_option_refuses_what_is_no_number_in_the_same_words(command, option):
    if not any(_take(command, option, text) is not None for text in ("1", "50%", "2000")):
        return
    for text in REFUSED[:-1]:
        sentence = _refuse(command, option, text)
        assert sentence is not None, text
        assert quote(text) in sentence
        if option.opts[0] not in OTHER_WORDS:
            assert re.search(r": write a (whole )?(number|share)\b.*, such as \S", sentence)


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_field_refuses_what_is_no_number_in_the_same_words(name):
    for one in QUESTIONS[name].fields:
        for read in {one.field.read, one.field.paste} - {None}:
            if not _is_number(read, "1") and not _is_number(read, "50%"):
                continue
            for text in REFUSED:
                with pytest.raises(BlackjackError) as refused:
                    read(text)
                assert quote(text) in str(refused.value), (one.name, text)
                if one.option not in OTHER_WORDS:
                    said = r": write a (whole )?(number|share)\b.*, such as \S"
                    assert re.search(said, str(refused.value)), (one.name, text)


def _is_number(read, text):
    try:
        return isinstance(read(text), int | float | Fraction) and read(text) is not True
    except BlackjackError:
        return False


def test_a_sweep_a_goal_and_a_drill_read_numbers_as_other_doors_do():
    assert read_sweep("pen=60%..70%,1_0 spread=8") == read_sweep("pen=60..70,10 spread=8")
    assert read_goal("0.1 %").share == read_goal("1e-1%").share == 0.001
    assert read_number("1,000") == read_number("+1k") == 1000
    assert read_ask_count("hi-lo:+3") == read_ask_count("hi-lo:3.0") == ("hi-lo", 3)
    for text in ("+-3", "1__0", "2,5"):
        with pytest.raises(DrillError):
            read_number(text)


CHIPS_ONLY = {"bet", "chips", "stake", "unit", "limit", "over", "cost_over"}
"""Chips are counted in decimals: no fraction, no exponent and no sign."""


def _ask(name, field):
    read = next(one.field.read for one in QUESTIONS[name].fields if one.name == field)
    return lambda text: Fraction(read(text))


def ask_bets(**terms):
    return ramp_report.settle(read_terms(**terms), {"spread": 8.0})


DRILL = partial(DrillOptions, rules=Rules())
SHARE_DOORS = {
    "a fraction of Kelly": lambda text: ask_bets(kelly=text, bankroll=100).kelly,
    "the risk of a comparison": _ask("compare", "risk"),
    "the error of a run": number_texts.read_error,
    "the error of a page": lambda text: (
        prepare_run(fill_form({"r": "6D", "until": text})).goal.until
    ),
    "the cards of a side bet": lambda text: (
        load_side_bet("over 13").count(penetration=text).penetration
    ),
}
AMOUNT_DOORS = {
    "a bankroll of a ramp": lambda text: ask_bets(bankroll=text).bankroll,
    "a bankroll of a comparison": _ask("compare", "bankroll"),
    "a bankroll of a drill": lambda text: DRILL(bankroll=text).read_bank() * load_pace().bet,
    "a bet of the pace": lambda text: read_pace(bet=text).bet,
}


@pytest.mark.parametrize("door", SHARE_DOORS)
def test_every_door_reads_every_form_of_a_share(door):
    assert {float(SHARE_DOORS[door](text)) for text in SHARES} == {0.5}


@pytest.mark.parametrize("door", AMOUNT_DOORS)
def test_every_door_reads_every_form_of_an_amount(door):
    assert {float(AMOUNT_DOORS[door](text)) for text in AMOUNTS} == {2500}


def test_chips_are_counted_in_decimals():
    assert {number_texts.read_chips(text) for text in CHIPS} == {2500}
    for text in ("5000/2", "2e3", "+5", "-3", "2,5", "1.23456"):
        with pytest.raises(NotationError, match="over 0 and under a billion"):
            number_texts.read_chips(text)


@pytest.mark.parametrize("name", ["goal", "unit"])
def test_a_wrong_amount_of_a_bankroll_is_refused_in_words(name):
    job = run_state.Run.__new__(run_state.Run)
    job.job, job.own_ramp = type("Job", (), {"replace": lambda self, **_: self})(), None
    with pytest.raises(NotationError, match=f"{name} 'x': write a number over 0"):
        bank_report.simulate_bankroll(job, 100, **{name: "x"})


@pytest.mark.parametrize("bound", [0.1, 0.2, 0.7, 1.1, 5.0])
@pytest.mark.parametrize("read", [number_texts.read_number, number_texts.read_share])
def test_a_bound_that_is_a_float_can_be_typed(read, bound):
    """The float 0.2 is a little over one fifth, so that a typed 0.2 was under it."""
    assert read(str(bound), least=bound, most=bound) == Fraction(str(bound))
    with pytest.raises(NotationError, match=re.escape(f"from {bound:g} to {bound:g}")):
        read("99", least=bound, most=bound)


@pytest.mark.parametrize(("least", "most"), [(0, 6), (1, 8), (2, 3), (5000, 9000)])
def test_the_example_of_a_refusal_is_possible(least, most):
    with pytest.raises(NotationError) as refused:
        number_texts.read_whole("x", least=least, most=most)
    assert least <= number_texts.whole_of(str(refused.value).split()[-1]) <= most
