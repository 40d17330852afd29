"""The rules of a game in words: its house, the engines that support it, houses side by side."""

import itertools

import pytest

import upcard
from upcard.answers.edge import answer_edge
from upcard.answers.rules import (
    answer_engine,
    answer_rules,
    compare_houses,
    explain_rules,
    list_houses,
    read_rules,
)
from upcard.rules.house import load_house

ENGINES = {
    "support": ("plays rounds", [], "", "Yes. Plays rounds."),
    "a limit": ("plays rounds", [], "a run may end", "Yes. Plays rounds. A run may end."),
    "refusals": (
        "plays rounds",
        [("6D", "no shoe"), ("LS", "no surrender")],
        "a run may end",
        "No. 6D: no shoe; LS: no surrender.",
    ),
}


@pytest.mark.parametrize(("about", "refusals", "limit", "sentence"), ENGINES.values(), ids=ENGINES)
def test_an_engine_says_what_it_does_or_refuses(about, refusals, limit, sentence):
    answer = answer_engine("table", about, refusals, limit)
    assert answer.sentence == sentence
    assert answer.honours is (not refusals)
    assert [(one.rule, one.reason) for one in answer.refuses] == refusals


@pytest.mark.parametrize(
    ("text", "house", "is_changed", "name"),
    [
        ("european", "european", False, "European, no hole card"),
        ("european LS", "european", True, None),
        ("6D H17", None, False, "Six decks, dealer hits on soft 17"),
    ],
)
def test_rules_name_the_house_that_they_are_from(text, house, is_changed, name):
    answer = answer_rules(upcard.Rules.parse(text))
    assert (answer.house and answer.house.name, answer.is_changed) == (house, is_changed)
    assert answer.rules == text or house is None
    assert upcard.Rules.parse(answer.notation) == upcard.Rules.parse(text)
    assert name in (None, answer.name)


def test_a_house_of_a_file_is_the_house_of_its_rules(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('title = "Mine"\nsource = "Me"\nabout = "Small\\nbut good"\nrules = "1D"\n')
    answer = explain_rules(*read_rules(str(file)))
    assert (answer.house.title, answer.house.about) == ("Mine", "Small but good")
    assert not answer.is_changed
    assert {engine.honours for engine in answer.engines} == {True, False}


def test_every_house_is_listed_with_rules_that_read_back():
    houses = list_houses()
    assert [house.name for house in houses] == list(upcard.house_names())
    for house in houses:
        assert upcard.Rules.parse(house.rules) == upcard.house(house.name)


def test_houses_side_by_side_share_topics_and_differ_in_others():
    houses = [load_house(name) for name in ("vegas-strip", "atlantic-city")]
    answer = compare_houses(houses, [answer_edge(-0.01), None])
    first, second = answer.houses
    assert (first.change, second.change) == (None, None)
    assert (first.edge.ev, second.edge) == (-0.01, None)
    assert all(len(set(topic.sentences)) == 2 for topic in answer.differing)
    assert any(token.differs for token in second.tokens)
    topics = {topic.topic for topic in answer.differing} | {topic for topic, _ in answer.same}
    assert topics == {topic for topic, _ in answer_rules(houses[0].rules).in_words}
    answer = compare_houses(houses, [answer_edge(-0.01), answer_edge(-0.005)])
    assert answer.houses[1].change.ev == pytest.approx(0.005)


@pytest.mark.parametrize(
    "names",
    [*itertools.combinations(upcard.house_names(), 2), upcard.house_names()],
    ids=lambda names: "-".join(names)[:40],
)
def test_every_pair_of_houses_has_each_sentence_below_its_own_heading(names):
    houses = [load_house(name) for name in names]
    answer = compare_houses(houses, [None] * len(houses))
    assert len({one.topic for one in answer.differing}) == len(answer.differing)
    for place, house in enumerate(houses):
        shown = [(one.topic, one.sentences[place]) for one in answer.differing]
        told = {topic: sentence for topic, sentence in (*shown, *answer.same) if sentence}
        assert told == dict(answer_rules(house.rules).in_words)


def test_a_house_without_a_topic_of_the_other_says_nothing_below_it():
    houses = [load_house(name) for name in ("vegas-strip", "spanish-21", "free-bet")]
    answer = compare_houses(houses, [None] * 3)
    found = {one.topic: [bool(sentence) for sentence in one.sentences] for one in answer.differing}
    assert found["Bonuses"] == [False, True, False]
    assert found["Free bets"] == [False, False, True]
    # The order is that of the rules in words: what only one house has stands where that says it.
    order = [topic for topic, _ in answer_rules(houses[1].rules).in_words]
    assert [topic for topic in found if topic in order] == sorted(
        (topic for topic in found if topic in order), key=order.index
    )
