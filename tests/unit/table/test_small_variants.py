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
        # Each double stakes twice as much: 2, 4, 8 bets; on any total, after a split too.
        ("RD2", "2 6 3 T 4 5 T", "d d", 4),
        ("RD3", "2 6 3 T 4 2 5 T", "d d d", 8),
        ("RD3", "2 6 3 T 4 9 5", "d d s", -4),
        ("RD3", "5 T 6 T T", "d", 2),
        ("RD2", "2 6 3 T T T", "d d", -4),
        ("RD2 D10", "5 6 5 T 2 5 4", "d d", -4),
        ("RD2 MS15", "2 6 3 T 2 5", "d s", -2),
        ("RD2", "8 6 8 T 2 9 4 5 6", "p d d s", 5),
        ("RD2 OBO", "5 A 6 2 3 T", "n d d", -1),
        ("RD2 ENHC", "5 A 6 2 3 T", "n d d", -4),
        # Rescue: half of what is staked, whichever double was last; after a split too.
        ("RE", "5 6 6 T 2", "d r", -1),
        ("RE RD2", "5 6 6 T 2 A", "d d r", -2),
        ("RE RD3", "5 6 6 T 2 A A", "d d d r", -4),
        ("RE", "5 6 6 T 2 5", "d s", -2),
        ("RE", "5 6 6 T T 5", "d", 0),
        ("RE player_21=wins", "5 6 6 T T 5", "d", 0),
        ("RE", "8 6 8 T 3 9 2 5", "p d r s", -2),
        ("RE LS", "5 6 6 T 2", "d r", -1),
        # Bonuses by the number of cards, in a split hand too, and none for a doubled 21.
        ("W21 BON", "2 6 3 T 6 4 6", "h h h", Fraction(3, 2)),
        ("W21 BON", "2 6 3 T 2 4 4 6", "h h h h", 2),
        ("W21 BON", "2 6 2 T 2 3 3 4 5", "h h h h h", 3),
        ("W21 BON", "A 6 A T 2 2 2 A 2", "h h h h h", 3),
        ("W21 BON", "5 6 2 T 4 T", "h h", 1),
        ("W21 BON(3=2:1)", "5 6 6 T T", "d", 2),
        ("W21 BON(3=2:1) DANY", "2 6 3 T 6 T", "h d", 2),
        ("W21 BON RD2", "2 6 3 T 6 T", "d d", 4),
        ("W21 BON RE", "5 6 6 T 2 5", "d s", -2),
        ("W21 BON(3=2:1)", "8 6 8 T 3 T T T", "p h s", 3),
        ("W21 BON(3=2:1)", "A 6 T T", "", Fraction(3, 2)),
        ("W21 BON(3=2:1)", "A 6 A T T T", "p", 2),
        ("W21 BON ENHC", "2 A 3 6 4 6", "n h h h", Fraction(3, 2)),
        ("W21 BON OBO", "2 A 3 6 4 6", "n h h h", Fraction(3, 2)),
        # 6 7 8 and 7 7 7: mixed, of one suit, of spades, in any order; unknown suits are mixed.
        ("W21 BON", "6H T 8S T 7H", "h", Fraction(3, 2)),
        ("W21 BON", "8H T 7H T 6H", "h", 2),
        ("W21 BON", "7S T 6S T 8S", "h", 3),
        ("W21 BON", "7 T 6 T 8", "h", Fraction(3, 2)),
        ("W21 BON", "7S T 6S T 8", "h", Fraction(3, 2)),
        ("W21 BON", "7S T 6S T 8S", "d", 2),
        ("W21 BON", "7C T 7D T 7C", "h", Fraction(3, 2)),
        ("W21 BON", "7D T 7D T 7D", "h", 2),
        ("W21 BON", "7S 7 7S T 7S", "h", 3),
        ("W21 BON(3=4:1/777=2:1-2:1-5:1)", "6S T 7S T 8S", "h", 4),
        # Three sevens of one suit against a seven, not after a split.
        ("W21 BON(usual/777v7=40:1)", "7D 7S 7D T 7D", "h", 40),
        ("W21 BON(usual/777v7=40:1)", "7S 7D 7S T 7S", "h", 40),
        ("W21 BON(usual/777v7=40:1)", "7C 7D 7D T 7D", "h", Fraction(3, 2)),
        ("W21 BON(usual/777v7=40:1)", "7S 8D 7S T 7S", "h", 3),
        ("W21 BON(usual/777v7=40:1)", "7S 7D 7S T 6S 7S 8S 7S", "p h h", 6),
        # Busted hands that live: the dealer busts with more than 22, against a 7 to an ace.
        ("6D ZOMBIE", "T T 6 6 T 7", "h", 1),
        ("6D ZOMBIE", "T T 6 6 T 6", "h", -1),
        ("6D ZOMBIE", "T T 6 6 T 2", "h", -1),
        ("6D ZOMBIE", "T 7 6 9 T T", "h", 1),
        ("6D ZOMBIE", "T A 6 5 T T T", "n h", 1),
        ("6D ZOMBIE", "T 6 6 T T", "h", -1),
        ("6D ZOMBIE", "T 2 6 T T", "h", -1),
        ("6D ZOMBIE", "8 6 8 T 7 T T 8", "p h s", 0),
        ("6D ZOMBIE", "T 7 2 9 T T", "d", 2),
        ("6D ZOMBIE P22", "T T 6 6 T 6", "h", -1),
        ("6D ZOMBIE P22", "T T 9 6 6", "s", 0),
        ("6D ZOMBIE", "8 8 8 8 7 8 T T T", "p h h", 2),
        ("6D ZOMBIE ENHC", "T A 6 T K", "n h", -1),
        ("6D ZOMBIE W21", "T T 5 6 6", "h", 1),
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
        # After a double, with what the house allows then.
        ("RD2", "2 6 3 T 4", "stand double"),
        ("RD2 RE", "2 6 3 T 4", "stand double surrender"),
        ("RE", "2 6 3 T 4", "stand surrender"),
        ("RD2 D10", "5 6 5 T 2", "stand double"),
        ("RD2 MS17", "2 6 3 T 4", "stand double"),
        ("RE LSX", "2 6 3 T 4", "stand surrender"),
        ("RD2 LSX", "2 6 3 T 4", "stand double"),
        ("RD2 player_21=asked", "5 6 6 T T", "stand double"),
        ("RE player_21=wins", "5 6 6 T T", ""),
    ],
)
def test_what_a_hand_may_do(rules, cards, legal):
    table = Table(Rules.parse(rules), ScriptedShoe(f"{cards} 9 9"))
    table.start()
    if len(cards.split()) == 5:
        table.act(Action.DOUBLE)
    assert " ".join(table.legal_actions()) == legal


def test_a_low_total_that_may_not_stand_is_refused_with_the_rule():
    table = Table(Rules.parse("MS15"), ScriptedShoe("T T 4 T"))
    table.start()
    with pytest.raises(IllegalActionError, match=r"stand on 15 or more only\. Legal: hit, double"):
        table.act(Action.STAND)


@pytest.mark.parametrize(
    ("rules", "answers", "asked", "refusal"),
    [
        ("RD2", "d", "surrender", "(9) v 6: the hand was doubled (rules: no rescue)"),
        ("RD2", "d", "hit", "(9) v 6: a doubled hand gets one card"),
        ("RE", "d", "double", "(9) v 6: the hand was doubled (rules: once)"),
        ("RE RD2", "d d", "double", "(14) v 6: the hand was doubled (rules: 2 times at most)"),
    ],
)
def test_what_a_doubled_hand_may_not_do_is_refused_with_the_rule(rules, answers, asked, refusal):
    table = Table(Rules.parse(rules), ScriptedShoe("2 6 3 T 4 5"))
    table.start()
    for key in answers.split():
        table.act(find_answer(key, table.legal_actions()))
    with pytest.raises(IllegalActionError) as error:
        table.act(Action(asked))
    legal = ", ".join(table.legal_actions())
    cards = " ".join(map(str, table.state.hands[0].cards))
    assert str(error.value) == f"cannot {asked} {cards} {refusal}. Legal: {legal}"


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
        "6D48 RD3 RE W21 BON",
        "6D RD2 W21 BON(4=3:2/6=2:1/777=3:2-2:1-3:1/777v7=100:1)",
        "6D P22 ZOMBIE",
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
        ("RD2 RD3", "'RD3' contradicts 'RD2'"),
        ("max_doubles=4", "max_doubles: 4 is not from 1 to 3"),
        ("RD2 D3X", "max_doubles=2 clashes with double_stake=3"),
        ("RE D3X", "rescue clashes with double_stake=3"),
        ("RD3 FD9-11", "max_doubles=3 clashes with free_double and free_split"),
        ("RE FSNT", "rescue clashes with free_double and free_split"),
        ("RE ENHC", "rescue clashes with hole_card=none"),
        ("RE hole_card=no-peek", "rescue clashes with hole_card=no-peek"),
        ("BON", "bonuses clash with player_21=stands"),
        ("W21 BON 5CC", "bonuses clash with charlie=5"),
        ("W21 BON betting=false", "bonuses clash with betting=false"),
        ("W21 BON FSNT", "bonuses clash with free_double and free_split"),
        ("W21 BON()", "'BON()': write numbers of cards and pays"),
        ("W21 BON(5)", "'BON(5)': write numbers of cards and pays, as in BON(5=3:2/678="),
        ("W21 BON BON(5=3:2)", "'BON(5=3:2)' contradicts 'BON'"),
        ("W21 bonuses=much", "bonuses is one of bonuses such as 5=3:2/678=3:2-2:1-3:1, none"),
        ("6D ZOMBIE shows_upcard=false ENHC NOINS", "busts_live clashes with shows_upcard=false"),
        ("6D ZOMBIE OBO", "busts_live clashes with natural_takes=original"),
        (
            "6D ZOMBIE SP1 max_spots=1 dealer_rule=until-ahead",
            "busts_live clashes with dealer_rule=until-ahead",
        ),
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
        ("ND RD2 RE", "ND"),
        ("UP2 insurance_pays=3 even_money=instead", "UP2 NOINS even_money=never"),
    ]
    for one, other in same:
        assert Rules.parse(one) == Rules.parse(other)


@pytest.mark.parametrize("seed", range(20))
def test_the_board_has_the_stakes_and_the_free_bets_of_the_table(seed):
    rng = random.Random(seed)
    free = {"betting": True, "free_double": "any-number", "free_split": "not-tens"}
    paid = {"max_doubles": 1, "rescue": False, "bonuses": None}
    rules = choose_rules(rng.choice).replace(**free, **paid)
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
