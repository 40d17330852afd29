"""The hand analyser: split plays to choose from, and the counts of the shoe by every system."""

import json
import re
from fractions import Fraction

import pytest

import upcard
from campaign.console import talk
from upcard.core.cards import parse_cards
from upcard.strategy.count_system import RunningCount, load_system, system_names

JSON = {"Accept": "application/json"}


def look(client, address):
    return client.get(address, headers=JSON).json()


@pytest.mark.parametrize("play", ["CDZ-", "CDP1", "CDP", "CDP-exact"])
def test_a_split_has_the_value_of_the_chosen_split_play(client, play):
    shown = look(client, f"/hand?r=1D+SP2&c=8.8&u=T&splits={play}")
    solved = upcard.solve(upcard.Rules.parse("1D SP2"), "88", "T", splits=play).ev
    split = next(one for one in shown["values"]["answers"] if one["action"] == "split")
    assert split["ev"] == pytest.approx(solved["split"])
    assert shown["splits"] == shown["values"]["splits"] == play
    chosen = [one["name"] for one in shown["split_plays"] if one["is_chosen"]]
    assert chosen == [play]


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("c=T.6&u=T", "T6 v T"),
        ("c=8.8&u=T", "88 v T"),
        ("c=T.6&u=A", "T6 v A"),
        ("c=A.7&u=9", "A7 v 9"),
    ],
)
def test_the_page_has_the_answer_of_the_command(client, hand, words):
    values = look(client, f"/hand?r=6D+LS&{hand}")["values"]
    said = json.loads(talk(["solve", *words.split(), "--rules", "6D LS", "--json"]).out)
    names = set(said) - {"shoe", "dealer", "chances", "reason", "answers"}
    assert {name: values[name] for name in names} == {name: said[name] for name in names}
    for name in ("answers", "dealer"):
        assert [one["text"] for one in values[name]] == [one["text"] for one in said[name]]


@pytest.mark.parametrize("hand", ["c=T.6&u=T", "c=8.8&u=T", "c=T.6&u=A", "c=A.7&u=9"])
def test_no_sentence_has_a_hyphen_for_a_minus_sign(client, hand):
    values = look(client, f"/hand?r=6D&{hand}&changes=1")["values"]
    said = [values["reason"], values["sentence"], *(one["text"] for one in values["changes"])]
    assert [text for text in said if re.search(r"(?<![\w-])-[0-9]", text)] == []
    assert "−" in values["sentence"]


def test_the_split_play_stays_chosen_while_cards_are_clicked(client):
    path = "/hand?r=1D&c=8.8&u=T&splits=CDP1"
    page = client.get(path).text
    assert 'value="CDP1" data-submits checked' in page
    clicked = client.get(f"{path}&to=less&add=5").headers["location"]
    assert look(client, clicked)["splits"] == "CDP1"
    without = look(client, path)["cards"][0]["without"]
    assert look(client, without)["splits"] == "CDP1"
    # A hand that is not a pair does not ask for it, and keeps it for the next hand.
    assert '<input type="hidden" name="splits" value="CDP1">' in client.get(without).text


@pytest.mark.parametrize("hand", ["r=INF&c=8.8&u=T", "r=1D+SP1&c=8.8&u=T", "r=1D&c=T.6&u=T"])
def test_split_plays_are_offered_only_where_they_change_a_value(client, hand):
    assert look(client, f"/hand?{hand}")["split_plays"] == []


def test_the_counts_of_the_shoe_are_those_of_the_counting_systems(client):
    shown = look(client, "/hand?r=6D&c=T.6&u=9&less=5.5.A.2")["counts"]
    assert [one["name"] for one in shown["counts"]] == list(system_names())
    # 312 cards, less seven seen and the hole card, which is not in the shoe.
    assert (shown["cards_seen"], shown["cards_left"]) == (7, 304)
    assert shown["decks_left"] == pytest.approx(304 / 52)
    for one in shown["counts"]:
        system = load_system(one["name"])
        count = RunningCount(system, 6)
        for card in parse_cards("T 6 9 5 5 A 2"):
            count.see(card)
        assert Fraction(one["running"].replace("−", "-")) == count.running
        assert int(one["count"].replace("−", "-")) == count.play_count(304)
        assert int(one["bet_count"].replace("−", "-")) == count.bet_count(304)
        if one["true_count"] is not None:
            assert one["true_count"] == pytest.approx(float(count.running) * 52 / 304)


def test_an_unbalanced_system_has_a_pivot_and_no_true_count(client):
    shown = look(client, "/hand?r=6D&less=5")["counts"]
    ko = next(one for one in shown["counts"] if one["name"] == "ko")
    assert (ko["is_balanced"], ko["true_count"]) == (False, None)
    assert (ko["start"], ko["pivot"], ko["running"]) == ("−20", "+4", "−19")
    hi_lo = next(one for one in shown["counts"] if one["name"] == "hi-lo")
    assert hi_lo["is_balanced"]
    assert shown["cards_left"] == 311  # no dealer, no hole card


def test_the_colour_of_a_seven_is_not_guessed(client):
    shown = look(client, "/hand?r=6D&less=7.7.5")["counts"]
    red_7 = next(one for one in shown["counts"] if one["name"] == "red-7")
    assert red_7["running"] == "−11 to −9"


@pytest.mark.parametrize("address", ["/hand?r=6D", "/hand?r=INF&c=8.8&u=T&less=5.5"])
def test_there_is_no_count_before_a_card_or_of_an_infinite_deck(client, address):
    assert look(client, address)["counts"] is None


def test_the_bar_of_an_answer_is_its_cost_and_the_best_has_none(client):
    """Fault 28: the best answer had a long red bar where all lose."""
    page = client.get("/hand?r=6D+LS&c=T.6&u=T").text
    drawn = re.findall(r'is-bad" .*?<rect width="([0-9.]+)" height="8" class="bar-full"', page)
    answers = look(client, "/hand?r=6D+LS&c=T.6&u=T")["values"]["answers"]
    assert answers[0]["action"] == "surrender"
    wanted = [min(200 * one["cost"], 100) for one in answers]
    assert [float(bar) for bar in drawn] == pytest.approx(wanted, abs=0.1)
    assert wanted[0] == 0


def test_suits_of_the_hand_count_where_the_house_pays_by_them(client):
    for cards, best in (("7S.8S", "hit"), ("7H.8H", "stand"), ("7.8", "stand")):
        shown = look(client, f"/hand?r=spanish-21&c={cards}&u=4")
        words = cards.replace(".", " ")
        assert shown["values"]["best"] == best == upcard.solve("spanish-21", words, "4").best
        assert [one["suit"] for one in shown["cards"]] == [card[1:] for card in words.split()]
    page = client.get("/hand?r=spanish-21&c=7S.8S&u=4").text
    assert 'name="c" value="7S.8S"' in page
    assert "7♠" in page


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/hand?r=spanish-21&c=7S.8&u=4", "suit of every card"),
        ("/hand?r=spanish-21&c=7S.8S&u=6S", "write 6"),
        ("/hand?r=spanish-21&c=T.6&u=9&less=6S", "write 6 for 6S"),
    ],
)
def test_suits_that_would_matter_and_are_not_looked_at_are_refused(client, address, words):
    shown = look(client, address)
    assert words in shown["problem"]
    assert shown["values"] is None
