"""Rules of single houses at the table, each in a round that shows it: cards in the order dealt."""

import random
from fractions import Fraction

import pytest
from random_rules import choose_rules

from upcard import Action, EmptyShoeError, IllegalActionError, NotationError, Rules, Table
from upcard.core.cards import Card
from upcard.rules.settings import DealOrder
from upcard.session.table_view import find_answer
from upcard.table.engine import apply
from upcard.table.events import Board, DealerDealt, Peeked, Revealed
from upcard.table.shoe import ScriptedShoe, make_shoe
from upcard.table.state import start_round
from upcard.table.state import view as tabled


@pytest.mark.parametrize(
    ("rules", "cards", "decisions", "net"),
    [
        # Ties: 17 against 17, 18 against 18, 21 against 21, 20 with a double.
        ("T17", "T T 7 7", "s", -1),
        ("T17", "T T 8 8", "s", 0),
        ("T17-18", "T T 8 8", "s", -1),
        ("T17-20", "7 5 4 6 T 2 8", "h", 0),
        ("TALL", "7 5 4 6 T 2 8", "h", -1),
        ("TALL", "5 T 5 T T", "d", -2),
        ("TALL", "A A T T", "n", 0),
        # Two naturals; a suited one; even money is not offered where a natural always wins.
        ("BJW", "A A T T", "n", Fraction(3, 2)),
        ("BJL", "A T T A", "", -1),
        ("BJS(2:1)", "AS T KS 9", "", 2),
        ("BJS(2:1)", "AS T KH 9", "", Fraction(3, 2)),
        ("BJS(2:1)", "A T K 9", "", Fraction(3, 2)),
        ("BJS(2:1) BJW", "AS T KS A", "", 2),
        # Every 21 wins, against a 21, against a natural without a hole card, doubled and split.
        ("W21", "7 T 4 T T", "h", 1),
        ("W21", "7 T 4 T T", "d", 2),
        ("W21 ENHC", "7 A 4 T", "n h", 1),
        ("W21", "A 5 A T T 9 6", "p", 0),
        # A charlie wins at its pay, doubled too.
        ("5CC", "2 T 2 T 3 3 2", "h h h", 1),
        ("5CC(2:1)", "2 T 2 T 3 3 2", "h h h", 2),
        ("5CC(2:1) DANY", "2 T 2 T 3 3 2", "h h d", 4),
        # Doubles.
        ("D3X", "5 6 6 T T 5", "d", 0),
        ("D3X", "5 6 6 T T T", "d", 3),
        # Insurance.
        ("INS(5:2)", "T A 9 T", "i", Fraction(1, 4)),
        ("INS(5:2)", "T A 9 9", "i s", Fraction(-3, 2)),
        # Surrender on three cards; early against a ten.
        ("LSX", "2 T 3 8 T", "h r", Fraction(-1, 2)),
        ("LSX ENHC", "2 A 3 T K", "n h r", -1),
        ("ES10", "T T 6 A", "r", Fraction(-1, 2)),
        # What a natural takes: a doubled bust; two split hands, the first or the second bust.
        ("OBO", "T A 2 T T", "n d", -1),
        ("OBBO", "T A 2 T", "n d", -2),
        ("BB1", "T A 2 T", "n d", -2),
        ("OBBO", "5 A 6 2 T", "n d", -1),
        ("BB1", "5 A 6 2 T", "n d", -1),
        ("OBO", "8 A 8 8 8 T T", "n p h s", -1),
        ("OBBO", "8 A 8 7 7 T T", "n p h s", -1),
        ("BB1", "8 A 8 7 7 T T", "n p h s", -2),
        ("OBBO", "8 A 8 9 7 T T", "n p s h", -2),
        ("BB1", "8 A 8 9 7 T T", "n p s h", -2),
        # A dealer's 22.
        ("P22", "T 6 9 T 6", "s", 0),
        ("P22", "T 6 9 T 7", "s", 1),
        ("P22", "A 6 T T", "", Fraction(3, 2)),
        ("P22", "5 6 6 T T 6", "d", 0),
        ("P22", "T 6 6 T T", "h", -1),
        ("P22 W21", "5 6 6 T T", "d", 2),
        # Both dealer cards are seen: no insurance, and a natural ends the round.
        ("UP2", "T A 6 9", "s", -1),
        ("UP2", "T A 6 T", "", -1),
        ("UP2 BJW 1:1", "A T T A", "", 1),
        ("UP2 TALL 1:1", "A A T T", "", 0),
        ("UP2 LS", "T T 6 T", "r", Fraction(-1, 2)),
        # Free bets: a double, a split, both; a paid double of a free hand.
        ("FD9-11", "5 6 6 T T T", "d", 2),
        ("FD9-11", "5 6 6 T 2 5", "d", -1),
        ("FD9-11", "7 6 5 T 9 T", "d", 2),
        ("ND FD9-11", "8 6 8 T 3 T T T", "p d s", 3),
        ("FD9-11", "A 6 7 T 2 5", "d", -2),
        ("FDANY", "2 6 3 T 5 T 5", "h d", -1),
        ("FSNT", "8 6 8 T T T T", "p s s", 2),
        ("FSNT", "8 6 8 T T T 5", "p s s", -1),
        ("FSNT FD9-11", "8 6 8 T 3 3 T T T", "p d d", 4),
        ("FSNT FD9-11", "8 6 8 T 3 3 2 2 5", "p d d", -1),
        ("FSNT", "8 6 8 T T 3 2 5", "p s d", -2),
        ("FSNT P22 FD9-11", "8 6 8 T 3 3 2 2 6", "p d d", 0),
        ("FSNT", "T 6 T T 7 7 5", "p s s", -2),
        ("FSN4T", "4 6 4 T 9 9 5", "p s s", -2),
        ("FSANY", "T 6 T T 7 7 5", "p s s", -1),
    ],
)
def test_a_round(rules, cards, decisions, net):
    table = Table(Rules.parse(rules), ScriptedShoe(cards))
    state = table.start()
    for key in decisions.split():
        state = table.act(find_answer(key, table.legal_actions()))
    assert state.is_over
    assert state.net == net
    assert table.shoe.cards_left == 0


@pytest.mark.parametrize(
    ("rules", "cards", "legal"),
    [
        ("MS15", "T T 4 T", "hit double"),
        ("MS15", "T T 5 T", "hit stand double"),
        ("MS15", "A T 3 T", "hit double"),
        ("DH", "A 6 6 T", "hit stand"),
        ("DH", "4 6 3 T", "hit stand double"),
        ("NS4T", "4 T 4 T", "hit stand double"),
        ("NS4T", "T 6 T T", "hit stand double"),
        ("NS4T", "8 6 8 T", "hit stand double split"),
        ("ES10", "T 9 6 T", "hit stand double"),
        ("ES10", "T T 6 9", "surrender no surrender"),
        ("ES10 NOINS", "T A 6 9", "hit stand double"),
    ],
)
def test_what_a_hand_may_do(rules, cards, legal):
    table = Table(Rules.parse(rules), ScriptedShoe(cards))
    table.start()
    assert " ".join(table.legal_actions()) == legal


def test_a_low_total_that_may_not_stand_is_refused_with_the_rule():
    table = Table(Rules.parse("MS15"), ScriptedShoe("T T 4 T"))
    table.start()
    with pytest.raises(IllegalActionError, match=r"stand on 15 or more only\. Legal: hit, double"):
        table.act(Action.STAND)


def test_aces_have_a_limit_of_their_own():
    for rules, hands in (("RSA SPA3", 3), ("RSA", 4), ("SPA2", 2)):
        table = Table(Rules.parse(rules), ScriptedShoe("A 6 A T A A A A A A A A A A"))
        state = table.start()
        while Action.SPLIT in table.legal_actions():
            state = table.act(Action.SPLIT)
        assert len(state.hands) == hands, rules


@pytest.mark.parametrize(
    "text",
    [
        "2D T17 BJW 5CC(2:1)",
        "6D48 BJS(5:2) MS15 D3X NS4T INS(5:2)",
        "1D OBBO DH ES10 RSA SPA3",
        "8D BB1 LSX W21 BJL 7CC",
        "6D ND DAS FD9-11 FSNT P22",
        "6D H17 UP2 TALL BJW 1:1",
    ],
)
def test_notation_is_read_back(text):
    rules = Rules.parse(text)
    assert Rules.parse(str(rules)) == rules
    assert all(word in str(rules).split() for word in text.split())


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("T17 TALL", "'TALL' contradicts 'T17'"),
        ("NOINS INS(5:2)", "contradicts 'NOINS'"),
        ("5CC(0:1)", "a charlie must pay something"),
        ("2CC", "from 3 to 21"),
        ("MS18", "from 4 to 17"),
        ("SPA3", "max_ace_hands=3 clashes with resplit_aces=false"),
        ("RSA SP3 SPA4", "max_ace_hands=4 clashes with max_hands=3"),
        ("OBBO hole_card=peek", "natural_takes=original-and-busted clashes with hole_card=peek"),
        ("TALL natural_ties_21=true", "natural_ties_21 clashes with dealer_wins_ties=21"),
        ("ES10 ENHC NOINS shows_upcard=false", "clashes with shows_upcard=false"),
        ("BJW even_money=first", "even_money=first clashes with natural_tie=win"),
        ("never_split=4X", "X is not a rank"),
        ("UP2 ENHC", "shows_hole clashes with hole_card=none"),
        ("UP2 hole_card=no-peek", "shows_hole clashes with hole_card=no-peek"),
        ("UP2 NOINS hole_card=no-peek shows_upcard=false", "clashes with shows_upcard=false"),
        ("UP2 ES", "surrender=early clashes with shows_hole"),
        ("UP2 ES10", "surrender=early-v-ten clashes with shows_hole"),
        ("UP2 INS", "'INS' contradicts 'UP2'"),
    ],
)
def test_faults_are_named(text, fault):
    with pytest.raises(NotationError) as error:
        Rules.parse(text)
    assert fault in str(error.value)


@pytest.mark.parametrize("order", DealOrder)
def test_players_see_both_dealer_cards_as_they_are_dealt(order):
    rules = Rules.parse("UP2").replace(deal_order=order)
    shoe = ScriptedShoe.stack(rules, hand="T 6", upcard="9", hole="4")
    table, heard, board = Table(rules, shoe), [], Board(rules)
    table.listeners += [heard.append, board.hear]
    table.start([1])
    view = table.view()
    assert sorted(map(str, view.dealer)) == ["4", "9"]
    assert (str(view.upcard), view.hidden, view.dealer_total) == ("9", 0, 13)
    assert [event.total for event in heard if isinstance(event, DealerDealt)][-1] == 13
    assert not any(isinstance(event, Peeked | Revealed) for event in heard)
    assert board.dealer == list(view.dealer)
    assert board.is_revealed
    state = start_round(rules)
    while state.awaits_card:  # every moment of the deal has a view
        shown = tabled(state)
        assert shown.hidden == 0
        assert len(shown.dealer) == len(state.dealer)
        state, _ = apply(state, Card("5"))


def test_void_settings_take_their_default():
    same = [
        ("charlie_pays=2", ""),
        ("ND D3X", "ND"),
        ("NOINS insurance_pays=3", "NOINS"),
        ("BJS(3:2)", ""),
        ("W21 natural_ties_21=true", "W21"),
        ("W21 TALL", "W21 T17-20"),
        ("BJW even_money=instead", "BJW even_money=never"),
        ("UP2 insurance_pays=3 even_money=instead", "UP2 NOINS even_money=never"),
    ]
    for one, other in same:
        assert Rules.parse(one) == Rules.parse(other)


@pytest.mark.parametrize("seed", range(20))
def test_the_board_has_the_stakes_and_the_free_bets_of_the_table(seed):
    rng = random.Random(seed)
    free = {"betting": True, "free_double": "any-number", "free_split": "not-tens"}
    rules = choose_rules(rng.choice).replace(**free)
    table, board = Table(rules, make_shoe(rules, rng)), Board(rules)
    table.listeners.append(board.hear)
    doubled_free = 0
    for _ in range(60):
        try:
            state = table.start([rng.choice((1, 5))])
        except EmptyShoeError:
            break
        while not state.is_over:
            wanted = [one for one in state.legal if one in (Action.SPLIT, Action.DOUBLE)]
            state = table.act(rng.choice(wanted or state.legal))
            assert board.bets == [hand.stake for hand in state.hands]
            assert board.free == [hand.pays_on - hand.stake for hand in state.hands]
        doubled_free += any(board.free)
        assert all(
            net >= -hand.stake for hand, (_, net) in zip(state.hands, state.results, strict=True)
        )
    assert doubled_free
