import random
from collections import Counter
from fractions import Fraction

import pytest

import upcard
from upcard import EmptyShoeError, NotationError, Rules, RulesError
from upcard.core.cards import DECK
from upcard.rules.settings import HoleCard
from upcard.table import InfiniteShoe, ScriptedShoe, ShuffledShoe, Table, apply, start_round
from upcard.table.events import Shuffled


def deal(shoe, count):
    return [shoe.draw() for _ in range(count)]


def test_the_same_seed_deals_the_same_cards():
    rules = Rules.parse("2D")
    shoes = [ShuffledShoe(rules, random.Random(5)) for _ in range(2)]
    for shoe in shoes:
        shoe.start_round()
    assert deal(shoes[0], 60) == deal(shoes[1], 60)


def test_a_seeds_first_cards_are_the_same_in_every_version():
    shoe = ShuffledShoe(Rules.parse("6D"), random.Random(1))
    shoe.start_round()
    assert " ".join(map(str, deal(shoe, 8))) == "4H 8D KH 8C 4H 7C AS AH"


def test_the_cut_card_brings_a_shuffle_between_rounds_only():
    shoe = ShuffledShoe(Rules.parse("1D PEN50"), random.Random(1))
    assert shoe.start_round()
    deal(shoe, 25)
    assert not shoe.start_round()
    deal(shoe, 10)
    assert shoe.start_round()
    assert shoe.cards_left == 52


def test_csm_shuffles_every_round():
    shoe = ShuffledShoe(Rules.parse("1D CSM"), random.Random(1))
    for _ in range(3):
        assert shoe.start_round()
        deal(shoe, 4)


def test_an_empty_shoe_takes_the_discards_back():
    shoe = ShuffledShoe(Rules.parse("1D PEN100"), random.Random(1))
    shoe.start_round()
    discards = deal(shoe, 40)
    assert not shoe.start_round()
    on_table = deal(shoe, 12)
    again = deal(shoe, 40)
    assert Counter(again) == Counter(discards)
    assert Counter(again + on_table) == Counter(DECK)


def test_a_round_that_needs_more_cards_than_there_are_is_void():
    shoe = ShuffledShoe(Rules.parse("1D"), random.Random(1))
    shoe.start_round()
    deal(shoe, 52)
    with pytest.raises(EmptyShoeError, match="all 52 cards are on the table"):
        shoe.draw()


def test_every_card_is_as_likely_in_every_place():
    shoe = ShuffledShoe(Rules.parse("1D CSM"), random.Random(1))
    first, last = Counter(), Counter()
    for _ in range(5200):
        shoe.start_round()
        cards = deal(shoe, 52)
        first[cards[0]] += 1
        last[cards[-1]] += 1
    for counts in (first, last):
        # chi-square with 51 degrees of freedom exceeds 100 once in 25,000 shuffles of this size
        assert sum((counts[card] - 100) ** 2 / 100 for card in DECK) < 100


@pytest.mark.parametrize("share", [Fraction(0), Fraction(4, 13), Fraction(1, 2), Fraction(1)])
def test_an_infinite_deck_draws_tens_with_its_probability(share):
    rules = Rules(decks=None, ten_probability=share)
    cards = deal(InfiniteShoe(rules, random.Random(1)), 20_000)
    tens = sum(card.rank == 10 for card in cards) / len(cards)
    assert abs(tens - share) < 0.014  # 4 standard errors
    assert InfiniteShoe(rules).cards_left is None


def test_without_a_seed_two_shoes_differ():
    shoes = [ShuffledShoe(Rules.parse("6D")) for _ in range(2)]
    for shoe in shoes:
        shoe.start_round()
    assert deal(shoes[0], 100) != deal(shoes[1], 100)


def test_a_table_tells_of_a_shuffle():
    events = []
    table = Table(
        Rules.parse("1D CSM NOINS"), ShuffledShoe(Rules.parse("1D CSM"), random.Random(2))
    )
    table.listeners.append(events.append)
    table.start()
    assert events[0] == Shuffled(52)


def test_a_script_is_dealt_in_order_and_never_shuffled():
    shoe = ScriptedShoe("A 2 3")
    assert not shoe.start_round()
    assert [str(card) for card in deal(shoe, 3)] == ["A", "2", "3"]
    with pytest.raises(EmptyShoeError, match="card 4 was needed, the script has 3"):
        shoe.draw()


def test_a_shoe_that_ran_out_is_shuffled_before_the_next_round():
    """The cut card came out with the last cards, though few are on the table now."""
    shoe = ShuffledShoe(Rules.parse("1D PEN90"), random.Random(3))
    assert shoe.start_round()
    deal(shoe, 45)
    assert not shoe.start_round()
    deal(shoe, 10)
    assert shoe.cards_left == 42
    assert shoe.start_round()
    assert shoe.cards_left == 52


@pytest.mark.parametrize("name", upcard.house_names())
def test_cards_by_name_are_dealt_as_they_are_named_in_every_house(name):
    rules = upcard.house(name)
    if rules.switch:
        with pytest.raises(RulesError, match="1 spots: switch take 2"):
            ScriptedShoe.stack(rules, hand="5 6", upcard="7", hole="T")
        return
    hole = "" if rules.hole_card is HoleCard.NONE else "T"
    shoe = ScriptedShoe.stack(rules, hand="5 6", upcard="7", hole=hole, then="2 3 9 8 4")
    state = start_round(rules)
    while state.awaits_card:
        state, _ = apply(state, shoe.draw())
    assert [str(card) for card in state.hands[0].cards] == ["5", "6"]
    assert str(state.upcard) == "7"
    assert [str(card) for card in state.dealer if card is not state.upcard] == ["T"] * bool(hole)
    assert str(shoe.draw()) == "2"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hand": "T"}, "hand 'T': 2 cards, not 1"),
        ({"hand": "T 6 5"}, "hand 'T 6 5': 2 cards, not 3"),
        ({"upcard": ""}, "upcard '': one card, not 0"),
        ({"hole": ""}, "hole '': one card, not 0"),
        ({"hole": "T 6"}, "hole 'T 6': one card, not 2"),
        ({"hole": "X"}, "X"),
        ({"rules": "6D ENHC"}, "hole 'T': this house deals no hole card"),
    ],
)
def test_wrong_cards_by_name_are_refused(change, words):
    given = {"rules": "6D", "hand": "T 6", "upcard": "6", "hole": "T"} | change
    with pytest.raises(NotationError, match=words):
        ScriptedShoe.stack(upcard.Rules.parse(given.pop("rules")), **given)
