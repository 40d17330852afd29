"""Exact values of side bets: against plain enumeration, and every published figure."""

import random
from collections import Counter
from fractions import Fraction
from math import fsum, sqrt

import pytest

import upcard
from tests import naive_side_bets as naive
from upcard.core.cards import DECK, FACES, Card, parse_cards
from upcard.core.errors import NotationError, RulesError, UnsupportedRuleError
from upcard.exact.composition import CardShoe, read_card_shoe, read_shoe
from upcard.exact.side.bet_values import effects_of_removal, value_bet
from upcard.exact.side.payouts import compile_bet
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import load_side_bet, read_side_bet, shipped_side_bets
from upcard.rules.side_bets import PayRow, SideBet, Span
from upcard.simulation import run_rounds
from upcard.simulation.run import simulate

NAMES = [bet.name for bet in shipped_side_bets()]
FLAT = load_side_bet("21+3 flat")


def game_of(rules):
    """Return the rules of a published figure, and its shoe: decks of 48 cards have no tens."""
    decks, *others = rules.split()
    number, _, short = decks.partition("D")
    shoe = None
    if short == "48":
        shoe = [0 if card.face == "T" else int(number) for card in DECK]
    return Rules.parse(" ".join([f"{number}D", *others])), shoe


def check_printed(printed, value):
    """A figure in percent is right to the digits that are printed."""
    digits = -printed.as_tuple().exponent
    assert abs(float(printed) - 100 * value) <= 0.5 * 10**-digits + 1e-9, (printed, 100 * value)


@pytest.mark.parametrize("name", NAMES)
def test_published_figures_of_a_shipped_bet_are_met_to_the_digits_printed(name):
    bet = load_side_bet(name)
    for one in bet.published:
        rules, shoe = game_of(one.rules)
        value = value_bet(bet, shoe, rules)
        check_printed(one.edge, value.edge)
        if one.hit is not None:
            check_printed(one.hit, value.hit)
        if one.standard_deviation is not None:
            check_printed(one.standard_deviation, value.standard_deviation / 100)


@pytest.mark.parametrize(
    ("name", "rules", "edge", "digits"),
    [
        ("21+3-flat", "6D", 3.2386, 4),
        ("21+3-flat", "8D", 2.7360, 4),
        ("21+3-v3", "6D", 4.1427, 4),
        ("21+3-xtreme", "6D", 13.3896, 4),
        ("21+3-100-40", "8D", 3.7039, 4),
        ("21+3-pair", "2D", 2.7786, 4),
        ("perfect-pairs-a", "2D", 22.33, 2),
        ("perfect-pairs-a", "6D", 6.11, 2),
        ("perfect-pairs-b", "8D", 3.3735, 4),
        ("bet-the-set-12-10", "6D", 15.4341, 4),
        ("royal-match-1", "1D", 10.8597, 4),
        ("royal-match-1", "6D", 6.6658, 4),
        ("royal-match-2", "6D", -1.1130, 4),
        ("over-13", "6D", 6.555, 3),
        ("under-13", "6D", 10.067, 3),
        ("exactly-13", "6D", 8.58, 2),
        ("super-sevens", "6D", 11.400, 3),
        ("lucky-ladies-a", "6D", 24.7089, 4),
        ("lucky-ladies-a", "1D", 38.16, 2),
        ("lucky-lucky", "2D", 2.8204, 4),
        ("in-between", "6D", 5.42, 2),
        ("match-the-dealer-6d", "6D", 4.06, 2),
        ("match-the-dealer-6d48", "6D48", 3.0555, 4),
        ("buster", "6D H17", 6.2143, 4),
        ("buster", "6D", 8.25, 2),
        ("buster-1-3-6", "6D H17", 4.724, 3),
        ("bust-it", "6D", 6.912, 3),
        ("push-22", "6D H17", 11.7565, 4),
        ("insurance", "6D", 7.395, 3),
    ],
)
def test_edges_of_the_common_games(name, rules, edge, digits):
    game, shoe = game_of(rules)
    value = value_bet(name, shoe, game)
    # Half a last digit, and a little: 11.40 and 7.395 are printed from other roundings.
    assert 100 * value.edge == pytest.approx(edge, abs=0.51 * 10**-digits)


@pytest.mark.parametrize(
    ("name", "rules", "hit", "deviation"),
    [
        ("perfect-pairs-a", "6D", 0.073955, None),
        ("match-the-dealer-6d48", "6D48", 0.15411, 2.448),
        ("buster-1-3-6", "6D H17", 0.28576, 2.724),
    ],
)
def test_hit_rates_and_deviations(name, rules, hit, deviation):
    game, shoe = game_of(rules)
    value = value_bet(name, shoe, game)
    assert value.hit == pytest.approx(hit, abs=6e-6)
    if deviation is not None:
        assert value.standard_deviation == pytest.approx(deviation, abs=6e-4)


def test_published_pages_that_are_wrong_are_not_met():
    """A page contradicts its own edges, one is not exact, one has another pair of decks."""
    printed_15 = load_side_bet("bust(2/2/4/15/50/250)")
    assert value_bet(printed_15, None, "6D H17").edge != pytest.approx(0.062143, abs=5e-5)
    push = value_bet("push-22", None, "6D S17").rows[0].probability
    assert push == pytest.approx(0.072591, abs=6e-7)
    assert push != pytest.approx(0.072874, abs=1e-4)
    edge = value_bet("any-pair", None, "6D").edge
    assert edge == pytest.approx(0.106109, abs=6e-7)
    assert edge != pytest.approx(0.103199, abs=1e-3)


def test_triples_of_six_decks_by_number():
    triples = 312 * 311 * 310 // 6
    assert triples == 5_013_320
    rows = {one.name: one.probability * triples for one in value_bet("21+3-v3", None, "6D").rows}
    assert rows == pytest.approx(
        {
            "suited three of a kind": 1_040,
            "straight flush": 10_368,
            "three of a kind": 26_312 - 1_040,
            "straight": 155_520,
            "flush": 292_896,
        },
        rel=1e-12,
    )


def test_dealer_busts_by_number_of_cards():
    rows = value_bet("buster", None, "6D H17").rows
    assert [round(one.probability, 6) for one in rows[:5]] == [
        *(0.173032, 0.089392, 0.020473, 0.002638, 0.000214),
    ]


def random_shoe(seed, size):
    """Return a depleted shoe as a list of cards, some of them several times."""
    draw = random.Random(seed)
    return draw.sample([card for card in DECK for _ in range(2)], size)


def rich_shoe(seed, size):
    """Return a small shoe of few kinds, so that every row of a bet pays."""
    draw = random.Random(seed)
    kinds = [
        Card(one) for one in ("QH", "KS", "7S", "7D", "8S", "6S", "AS", "KH", "QS", "TH", "9C")
    ]
    return [draw.choice(kinds) for _ in range(size)]


def counts_of(shoe):
    held = Counter(shoe)
    return [held[card] for card in DECK]


def check_value(value, payments):
    ev = fsum(chance * payment for payment, chance in payments.items())
    square = fsum(chance * payment**2 for payment, chance in payments.items())
    assert value.ev == pytest.approx(ev, rel=1e-12, abs=1e-12)
    assert value.standard_deviation == pytest.approx(sqrt(square - ev * ev), rel=1e-11, abs=1e-9)
    hit = fsum(chance for payment, chance in payments.items() if payment > 0)
    assert value.hit == pytest.approx(hit, rel=1e-12, abs=1e-12)
    found = Counter()
    for one in value.outcomes:
        found[one.pays] += one.probability
    for payment, chance in payments.items():
        if payment != -1:
            assert found[payment] == pytest.approx(chance, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("make", [random_shoe, rich_shoe])
@pytest.mark.parametrize("name", [*naive.BETS, *naive.WITH_NATURAL])
def test_values_agree_with_plain_enumeration(name, make):
    shoe = make(name, 16)
    bet = load_side_bet(name)
    # An array of numbers of cards: those that the bet comes after are put in, to be taken out.
    after = [card if card.suit else Card(f"{card.face}S") for card in bet.after]  # of any suit
    value = value_bet(bet, counts_of([*shoe, *after]))
    check_value(value, naive.deal(name, shoe))


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        *((name, "6D H17") for name in ("buster", "push-22")),
        ("bust-it", "6D S17"),
        *(
            pytest.param(*one, marks=pytest.mark.slow)
            for one in (
                *((name, "6D S17") for name in ("buster", "buster-live", "push-22")),
                *((name, "6D H17") for name in ("bust-it", "buster-1-3-6")),
            )
        ),
    ],
)
def test_bets_on_the_dealer_agree_with_plain_enumeration(name, rules):
    shoe = random_shoe(f"{name} {rules}", 34)
    payments = naive.play_dealer(naive.ON_DEALER[name], shoe, hits_soft_17="H17" in rules)
    check_value(value_bet(name, counts_of(shoe), rules), payments)


WORDS_ALONE = [
    *[(word, 2) for word in ("same_rank", "same_value", "same_suit", "same_colour")],
    *[(word, 3) for word in ("same_rank", "same_value", "same_suit", "same_colour", "run")],
    *[("ranks", tuple(ranks)) for ranks in ("TXX", "KXA", "78X", "TJQ", "A78")],
    *[("between", span) for span in (Span(1, 1), Span(2, 4), Span(5, None))],
    *[("total", span) for span in (Span(20, 21), Span(22, None))],
    ("exact", parse_cards("7H 8S KD")),
]


@pytest.mark.parametrize(("word", "value"), WORDS_ALONE, ids=str)
def test_every_word_alone_has_the_value_of_its_cards(word, value):
    """A bet is valued by the coarsest cards that it needs: by card, by face or by rank."""
    names = ("player1", "player2", "upcard")
    row = PayRow(name="row", pays=Fraction(7), cards=names, words=((word, value),))
    bet = SideBet(name="one", code="one", title="One", source="us", cards=names, rows=(row,))
    cards = parse_cards("7H 7S 8S 8D 9C TH TD JC QS KD KH AS AH")
    fits = row.make_test()
    orders = list(naive.permutations(cards, 3))
    hit = sum(map(fits, orders)) / len(orders)
    found = value_bet(bet, [cards.count(card) for card in DECK], "1D")
    assert found.hit == pytest.approx(hit, abs=1e-12)
    assert found.ev == pytest.approx(7 * hit - (1 - hit), abs=1e-12)


def test_every_shipped_bet_has_a_naive_twin():
    assert {*naive.BETS, *naive.WITH_NATURAL, *naive.ON_DEALER} == set(NAMES)


FOUR = """
title = "Four"
source = "A test."
cards = ["player1", "player2", "upcard", "hole"]
win = [
  {name = "four of a suit", same_suit = 4, pays = 50},
  {name = "three of a rank", same_rank = 3, pays = 20},
  {name = "two dealt of a suit", same_suit = 2, cards = ["upcard", "hole"], pays = 1},
]
"""


@pytest.mark.slow
def test_a_bet_on_four_cards_agrees_with_plain_enumeration():
    bet = read_side_bet(FOUR, name="four", where="four.toml")

    def pays(cards):
        if naive.is_suited(cards):
            return 50
        if max(Counter(card.face for card in cards).values()) >= 3:
            return 20
        return 1 if naive.is_suited(cards[2:]) else -1

    shoe = rich_shoe("four", 14)
    found = Counter(map(pays, naive.permutations(shoe, 4)))
    every = sum(found.values())
    payments = {payment: ways / every for payment, ways in found.items()}
    check_value(value_bet(bet, counts_of(shoe)), payments)


NEIGHBOURS = """
title = "Neighbours"
source = "A test."
code = "next"
cards = ["player1", "player2"]
win = [
  {name = "suited neighbours", run = 2, same_suit = 2, pays = 6},
  {name = "neighbours", run = 2, pays = 2},
  {name = "suited", same_suit = 2, push = true},
]
"""


@pytest.mark.parametrize("make", [random_shoe, rich_shoe])
def test_two_cards_in_sequence_agree_with_plain_enumeration(make):
    bet = read_side_bet(NEIGHBOURS, name="next", where="next.toml")
    shoe = make("next", 30)
    found = Counter(map(naive.pays_neighbours, naive.permutations(shoe, 2)))
    every = sum(found.values())
    payments = {payment: ways / every for payment, ways in found.items()}
    check_value(value_bet(bet, counts_of(shoe)), payments)


def test_two_cards_in_sequence_are_counted_by_hand():
    """In six decks: 13 pairs of neighbouring ranks, the ace with the king and with the 2."""
    bet = read_side_bet(NEIGHBOURS, name="next", where="next.toml")
    suited, others, flush = (one.probability for one in value_bet(bet, None, "6D").rows)
    pairs = 312 * 311 / 2
    assert suited == pytest.approx(13 * 4 * 6 * 6 / pairs, rel=1e-13)
    assert others == pytest.approx(13 * 4 * 3 * 6 * 6 / pairs, rel=1e-13)
    assert flush == pytest.approx(4 * (78 * 77 / 2 - 13 * 6 * 6) / pairs, rel=1e-13)


@pytest.mark.slow
def test_the_simulator_and_the_table_settle_two_cards_in_sequence():
    bet = read_side_bet(NEIGHBOURS, name="next", where="next.toml")
    rules = Rules.parse("1D").replace(side_bets=(bet,))
    run = simulate(rules, rounds=3_000, seed=7, workers=1)
    for shoe in range(3):  # round by round: the table's nets must be those of the loop
        assert len(run_rounds.replay_shoe(run.job, 0, shoe, rounds=run.rounds)) > 2
    (found,) = run.side
    exact = value_bet(bet, None, rules)
    assert abs(found.placed.ev - exact.ev) < 5 * exact.standard_deviation / 3_000**0.5


NATURAL = """
title = "Natural"
source = "A test."
cards = ["player1", "upcard"]
win = [
  {name = "seen", ranks = ["A", "K"], dealer_natural = true, pays = 90},
  {name = "hidden", same_value = 2, dealer_natural = true, pays = 40},
  {name = "pair", same_rank = 2, dealer_natural = false, pays = 10},
]
"""


def test_naturals_behind_a_known_upcard_agree_with_plain_enumeration():
    bet = read_side_bet(NATURAL, name="natural", where="natural.toml")

    def pays(cards):
        first, up, hole = cards
        if naive.ranks([up, hole]) == [1, 10]:
            if naive.faces([first, up]) == "AK":
                return 90
            return 40 if first.rank == up.rank else -1
        return 10 if first.face == up.face else -1

    shoe = rich_shoe("natural", 15)
    found = Counter(map(pays, naive.permutations(shoe, 3)))
    payments = {payment: ways / (15 * 14 * 13) for payment, ways in found.items()}
    assert {90, 40, 10} <= set(payments)
    check_value(value_bet(bet, counts_of(shoe)), payments)


@pytest.mark.parametrize("name", ["perfect-pairs-a", "royal-match-1", "lucky-ladies-a", "21+3-v3"])
def test_cards_of_unknown_suits_are_averaged_over(name):
    """The mean over all cards that can be gone, one after the other, each with its chance."""
    shoe = read_card_shoe(counts_of(rich_shoe("unknown", 24)), Rules())
    gone = shoe.without([Card("Q"), Card("T")])

    def average(cards, wanted):
        if not wanted:
            return value_bet(name, CardShoe(tuple(cards))).ev
        fits, *others = wanted
        places = [place for place, card in enumerate(DECK) if fits(card) and cards[place]]
        every = sum(cards[place] for place in places)
        return fsum(
            cards[place]
            / every
            * average([n - (one == place) for one, n in enumerate(cards)], others)
            for place in places
        )

    wanted = average(shoe.cards, [lambda card: card.face == "Q", lambda card: card.rank == 10])
    assert value_bet(name, gone).ev == pytest.approx(wanted, rel=1e-12, abs=1e-13)


def test_a_shoe_by_rank_has_unknown_suits():
    numbers = [24] * 8 + [23, 95]
    for shoe in (numbers, dict(zip("A23456789T", numbers, strict=True)), "6D less 9 T"):
        assert value_bet("pp(25/12/6)", shoe).ev == value_bet("pp(25/12/6)", "6D less T 9").ev
    known = value_bet("pp(25/12/6)", "6D less 9H KH").ev
    assert known != value_bet("pp(25/12/6)", "6D less 9 T").ev


def test_shoes_with_suits_are_read_from_text_mappings_and_numbers():
    text = read_card_shoe("1D less QH AS", Rules())
    numbers = [card not in (Card("QH"), Card("AS")) for card in DECK]
    assert read_card_shoe([int(one) for one in numbers], Rules()) == text
    mapping = {str(card): 1 for card in DECK if str(card) not in ("QH", "AS")}
    assert read_card_shoe(mapping, Rules()) == text
    assert str(text) == "1D less QH AS"
    assert text.ranks() == read_shoe("1D less Q A", Rules())
    assert str(read_card_shoe("6D less T 5 KD", Rules())) == "6D less KD 5 T"


@pytest.mark.parametrize(
    ("shoe", "words"),
    [
        ("1D less QH QH", "QH"),
        ("1D less A A A A A", "A"),
        ("1D less T " + "T " * 16, "T"),
        ("9D", "'9D'"),
        ({"QH": 2, "7": 3}, "suit"),
        ({"QH": -1}, "numbers of cards"),
        ([1.5] * 52, "numbers of cards"),
        ([0] * 52, "numbers of cards"),
        ([40] * 9 + [1], "decks"),
    ],
)
def test_a_faulty_shoe_is_refused(shoe, words):
    with pytest.raises(NotationError, match=words):
        value_bet(FLAT, shoe)


def test_a_shoe_of_too_few_cards_is_refused():
    with pytest.raises(RulesError, match="2 cards"):
        value_bet(FLAT, {"QH": 1, "KH": 1})
    with pytest.raises(RulesError, match="too few"):
        value_bet("buster", {"2H": 2, "3H": 2})


def test_what_has_no_exact_value_is_refused_by_name():
    drawn = FOUR.replace('"hole"', '"next1"') + "if_drawn = true\n"
    bet = read_side_bet(
        drawn.replace('["upcard", "next1"]', '["upcard", "next1"]'), name="x", where="x"
    )
    with pytest.raises(UnsupportedRuleError, match="simulate it"):
        value_bet(bet)
    with pytest.raises(UnsupportedRuleError, match="until-ahead"):
        value_bet("buster", None, "6D dealer_rule=until-ahead max_spots=1 max_hands=1")
    with pytest.raises(UnsupportedRuleError, match="infinite"):
        value_bet(FLAT, "6D", "INF")
    with pytest.raises(UnsupportedRuleError, match="INF"):
        effects_of_removal(FLAT, None, "INF")


@pytest.mark.parametrize("name", ["21+3-flat", "lucky-ladies-a", "buster", "match-the-dealer-6d"])
def test_an_infinite_deck_is_the_limit_of_many_cards(name):
    """A shoe of a thousandfold deck has a value that differs in the third digit at most."""
    many = CardShoe((4000,) * 52)
    value = value_bet(name, None, "INF")
    assert value.ev == pytest.approx(value_bet(name, many).ev, abs=2e-4)
    assert value.shoe is None
    tens = value_bet("exactly-13", None, "INF(1/2)").ev
    assert tens == pytest.approx(11 * (2 * (1 / 18 * 1 / 2) + 6 / 18**2) - 1, abs=1e-12)


def test_effects_of_removal_of_bust_it():
    ranks = effects_of_removal("bust-it", None, "6D").ranks
    assert ranks["2"] == pytest.approx(0.006589, abs=6e-7)
    assert ranks["6"] == pytest.approx(-0.006910, abs=6e-7)
    assert ranks["A"] == pytest.approx(0.009038, abs=6e-7)


@pytest.mark.parametrize("name", NAMES)
def test_effects_of_removal_are_differences_of_values_and_sum_to_nothing(name):
    bet = load_side_bet(name)
    found = effects_of_removal(bet, "2D less 5 9H QH", "2D")
    for card in ("QH", "7D"):
        without = value_bet(bet, f"2D less 5 9H QH {card}", "2D").ev
        if bet.needs_suits:
            assert found.cards[DECK.index(Card(card))] == pytest.approx(
                without - found.ev, abs=1e-12
            )
    left = read_card_shoe("2D less 5 9H QH", Rules()).without(bet.after)
    of_all = (number * found.faces[face] for face, number in zip(FACES, left.faces(), strict=True))
    if not bet.needs_suits:  # a five of unknown suit is weighed by face
        assert fsum(of_all) == pytest.approx(0, abs=1e-10)
    assert found.ranks["5"] == found.faces["5"]


@pytest.mark.parametrize("name", ["lucky-ladies-a", "perfect-pairs-a", "21+3-flat", "over-13"])
@pytest.mark.parametrize(
    "shoe", ["6D less QH QH QH QH QH KS KS KS KS", "1D less AS 7H 7D TC", "2D less 5C 5C 5D JH"]
)
def test_the_mean_over_cards_as_they_are_left_changes_nothing(name, shoe):
    """A card at random leaves: by suit, face or rank, each weighed by how many there are."""
    found = effects_of_removal(name, shoe)
    by_face = dict(zip(FACES, read_card_shoe(shoe, Rules()).faces(), strict=True))
    by_rank = Counter()
    for face, number in by_face.items():
        by_rank[face if face in found.ranks else "T"] += number
    for changes, numbers in ((found.faces, by_face), (found.ranks, by_rank)):
        mean = fsum(numbers[one] * (change or 0.0) for one, change in changes.items())
        assert mean == pytest.approx(0, abs=1e-10)


def test_suits_are_shown_where_they_matter():
    ladies = effects_of_removal("lucky-ladies-a", None, "6D")
    assert list(ladies.by_suit) == ["Q"]
    assert ladies.by_suit["Q"]["H"] < ladies.by_suit["Q"]["S"] < 0
    assert effects_of_removal("pp(25/12/6)").by_suit == {}
    assert list(effects_of_removal("over-13").by_card) == list("A23456789T")


def test_a_bet_is_compiled_once():
    first = compile_bet(FLAT, Rules())
    assert compile_bet(load_side_bet("+21+3(9)"), Rules.parse("8D H17")) is first
    assert compile_bet(load_side_bet("buster"), Rules()) is compile_bet(
        load_side_bet("buster"), Rules.parse("2D DAS")
    )


def test_results_have_tables():
    value = upcard.side_bet("21+3 flat").value("6D less QH QH AS T", "6D H17")
    table = value.table()
    assert [row["name"] for row in table.to_dicts()] == [row.name for row in FLAT.rows]
    assert "house edge 3.1817%" in str(table)
    assert [row[0] for row in FLAT.removal().table().rows] == list(FACES)
    assert FLAT.table().rows == FLAT.value().table().rows
    assert "<table" in value._repr_html_()


def test_insurance_against_an_ace_of_any_suit():
    """The ace of spades is gone, and another one is up: 15 of 49 cards are tens."""
    value = value_bet("insurance", "1D less AS TS")
    assert value.ev == pytest.approx((2 * 15 - 34) / 49, abs=1e-15)
    with pytest.raises(RulesError, match="too few cards for A"):
        value_bet("insurance", "1D less AS AH AD AC")
