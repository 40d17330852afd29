"""The counter at work: two sums, exact, started anew at each shuffle."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from upcard.core.cards import DECK, parse_cards
from upcard.strategy.count_system import RunningCount, load_system, system_names

SYSTEMS = st.sampled_from([load_system(name) for name in system_names()])


@given(SYSTEMS, st.integers(1, 8), st.lists(st.sampled_from(DECK)))
def test_the_counts_are_the_start_and_the_sums_of_the_tags(system, decks, cards):
    count = RunningCount(system, decks)
    for card in cards:
        count.see(card)
    start = system.initial_count(decks)
    assert count.running == start + sum(map(system.tag, cards))
    assert count.betting == start + sum(map(system.betting_tag, cards))
    left = 52 * decks - len(cards)
    assert count.play_count(left) == system.convert(count.running, left)
    assert count.bet_count(left) == system.convert(count.betting, left)


def test_a_shuffle_starts_again():
    count = RunningCount(load_system("ko"), decks=6)
    for card in parse_cards("2 3 4 T 7"):
        count.see(card)
    assert (count.running, count.play_count(cards_left=307)) == (-17, -17)
    count.reset()
    assert count.running == count.betting == -20


def test_aces_move_the_bet_and_not_the_play():
    count = RunningCount(load_system("hi-opt-2"), decks=1)
    for card in parse_cards("A A"):
        count.see(card)
    assert count.running == 0
    assert count.betting == Fraction(-48, 13)
    assert (count.play_count(26), count.bet_count(26)) == (0, -8)
