"""Every setting of the rules has a value, or is refused by name, where counts are asked about."""

from __future__ import annotations

from enum import EnumType

import pytest

from campaign.console import talk
from upcard.core.errors import RulesError
from upcard.rules.model import Rules
from upcard.rules.settings import SETTINGS

NUMBERED = (
    *("1D48", "6D", "INF", "SPINF", "SP8 6D", "MS15", "MS17", "5CC", "5CC(2:1)", "BJS(2:1)"),
    *("D3X", "INS(5:2)", "SPA2 RSA", "BON W21", "BON(usual/777v7=100:1) W21", "LSX MS12", "PEN50"),
    *("ENHC OBO", "ENHC BB1", "ENHC OBBO", "ENHC LSX", "INS BJW even_money=first", "T17-19"),
    *("dealer_wins_ties=20", "max_total_hands=5", "never_split=4T", "ten_probability=1/4"),
)
"""Words with a number, and words that need others."""


def list_words():
    """Return the words of every setting, and the values of those that have none."""
    yield from NUMBERED
    for setting in SETTINGS.values():
        words = setting.words.values if setting.words else {}
        yield from words
        if not words and isinstance(setting.kind, EnumType):
            yield from (f"{setting.name}={value}" for value in setting.kind)
        elif not words and setting.kind is bool:
            yield f"{setting.name}={str(not setting.default).lower()}"


def read_house(words):
    """Return rules with these words, in one deck unless they say how many."""
    for start in ("1D SP2", "1D SP2 NOINS", "1D", "SP2", ""):
        try:
            return str(Rules.parse(f"{start} {words}"))
        except RulesError:
            continue
    return None


WORDS = sorted({*list_words()})
HOUSES = {rules: words for words in reversed(WORDS) if (rules := read_house(words))}
"""Different rules, each with the first words that make them: none is asked about twice."""
NEED_OTHERS = {
    *("ENHC BB1", "ENHC OBBO", "ENHC OBO", "INS BJW even_money=first", "dealer_rule=until-ahead"),
    *("double_split_aces=true", "max_total_hands=5", "natural_takes=busted-and-one"),
    *("natural_takes=original", "natural_takes=original-and-busted", "shows_upcard=false"),
}
"""Words that are no house's in one deck alone."""
QUICK = {
    "indices": ["indices", "--method", "exact", "--plays", "16 v T, 12 v 4, 44 v 5, insurance"],
    "decisions": ["counts", "hi-lo", "--decisions"],
    "removal": ["removal"],
}
LONG = {
    "all indices": ["indices", "--method", "exact", "--no-cache"],
    "ceiling": ["ceiling", "hi-lo", "--rounds", "200"],
    "compare": ["compare", "6D", "--count", "hi-lo", "--indices", "3", "--rounds", "20k"],
}


def check(command, rules):
    is_compared = command[0] == "compare"
    said = talk([*command, *([rules] if is_compared else ["--rules", rules])])
    assert said.code in (0, 2), said
    assert said.code == 0 or said.err.startswith("upcard: "), said


def test_few_words_are_left_out():
    assert {words for words in WORDS if read_house(words) is None} == NEED_OTHERS


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("command", QUICK)
@pytest.mark.parametrize("rules", HOUSES, ids=HOUSES.get)
def test_every_setting_has_a_value_or_is_refused(rules, command):
    check(QUICK[command], rules)


@pytest.mark.slow
@pytest.mark.parametrize("words", ["MS15", "LSX", "LSX MS12", "D3X", "FSANY FDANY", "ND", "ENHC"])
@pytest.mark.parametrize("command", LONG)
def test_hands_that_lack_an_answer_have_values_in_long_questions_too(command, words):
    check(LONG[command], read_house(words))
