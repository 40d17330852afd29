"""A deck and a full shoe: one description, and games of 48 cards by every engine."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

import upcard
from upcard.analysis.indices.search import indices
from upcard.core.cards import DECK, Card
from upcard.core.errors import BlackjackError, NotationError, RulesError, UnsupportedRuleError
from upcard.drills.counting_drills import CountingDrill
from upcard.exact.composition import describe_shoe, read_shoe
from upcard.exact.finite import FiniteSolver
from upcard.exact.finite_hands import opening_hands
from upcard.exact.infinite import as_infinite
from upcard.players.bots import CountingPlayer, basic_chart
from upcard.players.seen_cards import CardsSeen, compose
from upcard.rules.deck import STANDARD_DECK, FullShoe
from upcard.rules.describe import describe_rules, name_game
from upcard.rules.model import Rules
from upcard.simulation.lower import lower_asked
from upcard.strategy.count_system import RunningCount, load_system, read_system
from upcard.table.shoe import make_shoe

SPANISH = Rules.parse("6D48")


def test_a_full_shoe_counts_its_cards():
    assert STANDARD_DECK.cards == DECK
    assert STANDARD_DECK.counts == (0, 4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
    shoe = FullShoe(6, 48)
    assert (str(shoe), shoe.size, shoe.ten_faces) == ("6D48", 288, 3)
    assert shoe.counts == (0, 24, 24, 24, 24, 24, 24, 24, 24, 24, 72)
    assert shoe.faces == (24,) * 9 + (0,) + (24,) * 3
    assert Counter(shoe.cards) == Counter(card for card in DECK * 6 if card.face != "T")
    assert shoe.counts[1:] == tuple(
        sum(card.rank == rank for card in shoe.cards) for rank in range(1, 11)
    )


@pytest.mark.parametrize("text", ["6D48", "6d48", "deck_size=48", "INF deck_size=48", "9D48"])
def test_the_notation_has_decks_without_tens(text):
    if text in ("INF deck_size=48", "9D48"):
        with pytest.raises(NotationError):
            Rules.parse(text)
    else:
        assert str(Rules.parse(text)) == "6D48 S17 PEEK DOA DAS SP4 NRSA NS 3:2"
        assert Rules.parse(str(Rules.parse(text))) == SPANISH != Rules()


def test_what_contradicts_decks_without_tens_is_refused_by_name():
    for text, said in (
        ("6D48 6D", "token '6D' contradicts '6D48'"),
        ("6D48 deck_size=52", "token 'deck_size=52' contradicts '6D48'"),
        ("deck_size=50", "deck_size: 50 is not 48 or 52"),
    ):
        with pytest.raises(NotationError, match=said):
            Rules.parse(text)
    with pytest.raises(RulesError, match=r"deck_size=48 clashes with decks=none.*INF\(1/4\)"):
        SPANISH.replace(decks=None)
    assert Rules.parse("european").replace(deck_size=48).decks == Rules.parse("european").decks


def test_it_is_said_in_words():
    assert dict(describe_rules(SPANISH))["Cards"].startswith("6 decks of 48 cards: the four tens")
    assert name_game(SPANISH) == "Six decks of 48 cards, dealer stands on soft 17"


def test_the_table_deals_no_ten():
    shoe = make_shoe(Rules.parse("2D48 CSM"))
    shoe.start_round()
    assert Counter(shoe.draw() for _ in range(96)) == Counter(FullShoe(2, 48).cards)


def test_a_shoe_as_text_names_its_decks():
    counts = read_shoe("6D48 less A T", SPANISH)
    assert counts == (0, 23, 24, 24, 24, 24, 24, 24, 24, 24, 71)
    assert describe_shoe(counts, 48) == "6D48 less A T"
    assert read_shoe("2D48", Rules()) == FullShoe(2, 48).counts
    for text, rules in (("6D less A", SPANISH), ("6D48", Rules.parse("split_by=rank"))):
        with pytest.raises(NotationError, match="the decks of these rules have"):
            read_shoe(text, rules)


def test_its_infinite_twin_has_its_share_of_tens():
    assert as_infinite(SPANISH) == Rules.parse("INF(1/4)")
    assert as_infinite(Rules()) == Rules.parse("INF")


@pytest.mark.slow
def test_the_solver_values_insurance_and_a_removal_by_the_cards_there_are():
    # 72 tens of 287 unseen: 3 p - 1 of half a bet; the player's own cards, known, are gone too.
    odds = Fraction(72, 288 - 3)
    found = upcard.solve(SPANISH, "5 6", "A").insurance_ev
    assert found == pytest.approx(float((3 * odds - 1) / 2))
    effects = upcard.effects_of_removal(Rules.parse("6D48 CSM"))
    counts = FullShoe(6, 48).counts
    chart = upcard.basic_strategy(Rules.parse("6D48 CSM"))
    fixed = upcard.effects_of_removal(Rules.parse("6D48 CSM"), strategy=chart)
    assert effects["T"] < 0 < effects["5"]
    weighted = sum(counts[rank] * effect for rank, effect in enumerate(fixed.values(), start=1))
    assert weighted == pytest.approx(0, abs=1e-12)


def test_equal_faces_are_three_of_the_tens():
    """Pairs are J J, Q Q and K K, of 12 tens; against a ten the faces of the 11 others."""
    rules = Rules.parse("1D48 split_by=rank SP2 CSM")
    solver = FiniteSolver(rules, rules.full_shoe.counts)
    against_ten = Fraction(sum(n * (n - 1) for n in (4, 4, 3)), 11 * 10)
    for up, same in ((2, Fraction(3, 11)), (10, against_ten)):
        tens = {
            pair: chance
            for ranks, pair, chance in opening_hands(solver.against(up))
            if ranks == (10, 10)
        }
        assert tens[10] / (tens[10] + tens[0]) == pytest.approx(float(same))


def test_the_coach_takes_what_was_seen_from_its_decks():
    cards = compose(SPANISH, CardsSeen.of([Card("K"), Card("5")]), "")
    assert cards.unseen == (0, 24, 24, 24, 24, 23, 24, 24, 24, 24, 71)
    assert cards.tens == (0, 24, 24, 23)
    with pytest.raises(RulesError, match="6 decks of 48 have only 72"):
        compose(SPANISH, CardsSeen.of([Card("K")] * 73), "")


COUNT = """
title = "A balanced count for 48 cards"
source = "this test"
deck_size = 48
[tags]
A = -1
2 = 0
3 = 1
4 = 1
5 = 1
6 = 1
7 = 0
8 = 0
9 = 0
T = -1
"""


def test_a_count_for_decks_of_48_divides_by_them_and_another_is_refused():
    count = read_system(COUNT, name="mine")
    assert (count.deck_sum, count.estimate_decks(96)) == (0, 2)
    assert read_system(count.to_toml()) == count
    running = RunningCount(count, 6)
    for card in SPANISH.full_shoe.cards:
        running.see(card)
    assert running.running == 0
    for wrong in (49, "48"):
        text = COUNT.replace("deck_size = 48", f"deck_size = {wrong!r}".replace("'", '"'))
        with pytest.raises(NotationError, match=r"line 4: deck_size: .* is not 48 or 52"):
            read_system(text)
    hi_lo = load_system("hi-lo")
    # This drill counts nothing.
    assert CountingDrill(SPANISH, kind="deck estimation", system=hi_lo).items()
    refused = "count hi-lo cannot honour 6D48: its tags are for decks of 52 cards, and add up to 4"
    for use in (
        lambda: CountingPlayer(basic_chart(SPANISH), hi_lo, rules=SPANISH),
        lambda: CountingDrill(SPANISH, kind="running count", system=hi_lo),
        lambda: lower_asked(SPANISH, system=hi_lo),
        lambda: indices(SPANISH, count=hi_lo),
    ):
        with pytest.raises(UnsupportedRuleError, match=refused):
            use()
    with pytest.raises(BlackjackError, match="count mine cannot honour 6D: "):
        lower_asked(Rules(), system=count)
    assert (
        lower_asked(SPANISH, system=count).factor[0] == lower_asked(Rules(), system=hi_lo).factor[0]
    )
