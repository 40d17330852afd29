"""The counting player: what he has seen, when it counts, and what he bets and plays by it."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import upcard
from upcard import Action, EmptyShoeError, IllegalActionError, RulesError, UnsupportedRuleError
from upcard.core.cards import DECK, parse_cards
from upcard.fair.fair_shoe import FairShoe
from upcard.players.bots import CountingPlayer
from upcard.players.play_rounds import play_rounds
from upcard.strategy.chart import HAND_LABELS, Strategy
from upcard.strategy.count_system import load_system, system_names
from upcard.strategy.deviations import Deviations, load_deviations
from upcard.strategy.ramp import parse_ramp
from upcard.table import ScriptedShoe, Table, make_shoe
from upcard.table.events import DealerDealt, Dealt, Revealed, RoundEnded, RoundStarted, Shuffled

HI_LO = load_system("hi-lo")
RULES = upcard.Rules.parse("6D LS")


def chart(**rows):
    """Return a chart in which every hand stands but those in `rows` (written `h16="Rh"`)."""
    rows = {label.removeprefix("h"): cell for label, cell in rows.items()}
    return Strategy(cells=tuple((rows.get(label, "S"),) * 10 for label in HAND_LABELS))


MIXED = chart(
    **dict.fromkeys(["h5", "h6", "h7", "h8", "h12", "h14", "A2", "A3"], "H"),
    h9="Dh",
    h10="Dh",
    h11="Dh",
    h16="Rh",
    A7="Ds",
    **{"88": "P", "AA": "P", "h22": "P", "h33": "P"},
)


def make_player(strategy=MIXED, system=HI_LO, *, rules=RULES, deviations=None, ramp=None):
    plays = None if deviations is None else Deviations.parse(deviations)
    bets = None if ramp is None else parse_ramp(ramp, system, decks=rules.decks)
    return CountingPlayer(strategy, system, rules=rules, deviations=plays, ramp=bets)


def sit_down(cards, **settings):
    """Return a player at a table with these cards in front."""
    player = make_player(**settings)
    table = Table(player.rules, ScriptedShoe(cards))
    player.watch(table)
    return player, table


def play_on(table, player):
    while table.state.legal:
        table.act(player.decide(table.view(), table.state.legal))


# --- the twin: all cards out of the shoe, less what lies face down ---


def naive_running(table, system, tag):
    """Add up the tags of all that is out of the shoe and has been seen."""
    shoe = table.shoe
    out = list(shoe._cards[: shoe.position])
    if not table.state.is_over:
        state = table.state
        hidden = list(state.dealer)
        for card in state.shown_dealer_cards:
            hidden.remove(card)
        for card in hidden:
            out.remove(card)
    return system.initial_count(table.rules.decks) + sum(map(tag, out))


NOTATIONS = (
    *("6D LS", "1D H17 PEN100", "2D ENHC ES", "1D OBO PEN90 SPINF RSA HSA", "8D CSM LS"),
    *("2D S17 PEN40 SP2 ND", "1D PEN100 DANY NOINS"),
)


@pytest.mark.slow
@pytest.mark.parametrize("notation", NOTATIONS)
@given(
    name=st.sampled_from(system_names()),
    spots=st.integers(1, 7),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=25)
def test_the_count_is_that_of_all_cards_seen_at_every_decision_and_bet(notation, name, spots, seed):
    rules = upcard.Rules.parse(notation)
    system = load_system(name)
    player = make_player(system=system, rules=rules, deviations="insurance >= 0")
    rng = random.Random(seed)
    table = Table(rules, make_shoe(rules, rng))
    player.watch(table)
    for _ in range(30):
        size = 52 * rules.decks
        start = system.initial_count(rules.decks)
        if table.shoe._has_run_out or table.shoe.position >= table.shoe._cut:
            assert player.bet_count() == system.convert(start, size)
        else:
            betting = naive_running(table, system, system.betting_tag)
            assert player.bet_count() == system.convert(betting, table.shoe.cards_left)
            assert player.betting == betting
        try:
            table.start([1] * spots)
            while table.state.legal:
                running = naive_running(table, system, system.tag)
                action = player.decide(table.view(), table.state.legal)
                left = table.shoe.cards_left
                reason = player.last_reason
                assert (reason.running, reason.cards_left, reason.action) == (running, left, action)
                assert reason.count == system.convert(running, left)
                table.act(rng.choice(table.state.legal))
        except EmptyShoeError:
            return  # seven spots and one deck: no round was settled
        assert player.cards_left == table.shoe.cards_left


# --- one case each ---


def test_the_hole_card_counts_when_it_is_turned_up():
    player, table = sit_down("T 9 8 T 5")
    table.start()
    assert (player.running, player.cards_left) == (-1, 308)
    play_on(table, player)  # stands on 18; the dealer shows T for 19
    assert player.running == -2


def test_a_hole_card_that_was_not_turned_up_counts_at_the_end_of_the_round():
    player, table = sit_down("T 9 6 5 T 2 3 4 5", strategy=chart(h16="H"))
    table.start()
    assert player.running == 0
    play_on(table, player)  # busts, and the dealer's five stays down
    assert table.state.is_over
    assert player.running == -1
    assert player.bet_count() == 0
    assert player.running == 0


def test_a_player_who_hears_but_does_not_watch_gets_the_hole_card():
    player = make_player()
    for event in (
        RoundStarted((Fraction(1),)),
        Dealt(0, *parse_cards("T"), 10),
        DealerDealt(*parse_cards("9"), 9),
        Dealt(0, *parse_cards("6"), 16),
        DealerDealt(None, 9),
        RoundEnded(Fraction(-1)),
    ):
        player.hear(event)
    assert player.running == 0
    with pytest.raises(IllegalActionError, match=r"finish_round\(dealer_cards\)"):
        player.bet_count()
    with pytest.raises(IllegalActionError, match="was not turned up"):
        player.hear(RoundStarted((Fraction(1),)))
    for _ in range(2):
        player.finish_round(parse_cards("9 5"))
        assert player.running == 1
    player.hear(RoundStarted((Fraction(1),)))
    assert player.bet_count() == 0


def test_two_cards_of_a_face_are_two_cards():
    player = make_player()
    player.hear(RoundStarted((Fraction(1),)))
    player.hear(DealerDealt(*parse_cards("5"), 5))
    player.hear(DealerDealt(None, 5))
    assert player.running == 1
    player.hear(Revealed(parse_cards("5 5"), 10))
    assert player.running == 2
    player.hear(Revealed(parse_cards("5 5"), 10))
    assert player.running == 2


def test_a_shuffle_starts_again_with_all_the_cards_of_the_shoe():
    player = make_player(system=load_system("ko"))
    player.hear(Dealt(0, *parse_cards("5"), 5))
    assert (player.running, player.cards_left) == (-19, 311)
    player.hear(Shuffled(312))
    assert (player.running, player.cards_left) == (-20, 312)


def test_the_discards_that_come_back_are_not_out_any_more():
    """One deck dealt to the end: 4 cards are on the table when the shoe is empty."""
    rules = upcard.Rules.parse("1D PEN100")
    player = make_player(rules=rules)
    for card in DECK[:48]:
        player.hear(Dealt(0, card, 0))
    player.hear(RoundStarted((Fraction(1),)))
    for card in parse_cards("2 3 4 8"):
        player.hear(Dealt(0, card, 0))
    assert player.cards_left == 0
    player.hear(Dealt(0, *parse_cards("K"), 0))
    assert (player.cards_left, player.running) == (47, 2)


def test_bets_follow_the_count_before_the_deal_and_asking_changes_nothing():
    player = make_player(ramp="1-8")
    for _ in range(12):
        player.hear(Dealt(0, *parse_cards("5"), 5))
    assert [player.bet_count(), player.bet_count()] == [2, 2]
    assert [player.next_bet(), player.next_bet()] == [2, 2]
    assert make_player().next_bet() == 1
    assert make_player(ramp="0,1,2").next_bet() == 0


def test_a_bet_after_the_cut_card_is_that_of_a_full_shoe():
    rules = upcard.Rules.parse("1D PEN50")
    player = make_player(rules=rules, system=load_system("ko"), ramp="1-8")
    table = Table(rules, make_shoe(rules, random.Random(5)))
    player.watch(table)
    bets = 0
    while table.shoe.position < table.shoe._cut or not bets:
        table.start()
        play_on(table, player)
        bets += 1
    assert player.running != 0
    assert player.bet_count() == 0
    assert player.next_bet() == 1


def test_a_bet_after_a_shoe_was_ended_early_is_that_of_a_full_shoe():
    """The page of the fair shuffle ends one: the counter bet by the cards of the old shoe."""
    player = make_player(ramp="1-8", rules=upcard.Rules.parse("1D PEN75"))
    numbers = random.Random(4)
    shoe = FairShoe(player.rules, seeds=lambda: numbers.randbytes(32))
    table = Table(player.rules, shoe)
    player.watch(table)
    while player.next_bet() == 1:
        table.start((1,))
        play_on(table, player)
    assert not shoe.is_over
    shoe.end_shoe()
    assert player.next_bet() == 1


def test_the_player_is_a_betting_system_too():
    player = make_player(ramp="1-8", deviations=str(load_deviations("i18+fab4", HI_LO)))
    table = Table(RULES, make_shoe(RULES, random.Random(2)))
    player.watch(table)
    bets = {round_.bet for round_ in play_rounds(table, player, betting=player, rounds=400)}
    assert {1, 2, 4} <= bets


@pytest.mark.parametrize(("extra", "action"), [("", Action.HIT), ("5 5 5 5 5 ", Action.STAND)])
def test_the_last_reason_names_the_play_that_made_the_difference(extra, action):
    player, table = sit_down("T T 6 9", strategy=chart(h16="H"), deviations="16 v T  S >= 0")
    for card in parse_cards(extra):
        player.hear(Dealt(0, card, 0))
    table.start()
    assert player.decide(table.view(), (Action.HIT, Action.STAND)) is action
    reason = player.last_reason
    if extra:
        assert str(reason) == "stand: count +0 (running 4, 303 cards left), 16 v T  S >= 0"
        assert reason.deviation is player.deviations.plays[0]
    else:
        assert str(reason) == "hit: count -1 (running -1, 308 cards left), as the chart"


@pytest.mark.parametrize(("fives", "action"), [(17, Action.NO_INSURANCE), (18, Action.INSURANCE)])
def test_insurance_goes_by_the_count_of_the_moment(fives, action):
    """The ace up takes one off: 16 is 2.86 with 291 cards left, 17 is 3.05 with 290."""
    player, table = sit_down("9 A 9 T", deviations="insurance >= 3")
    for card in parse_cards("5 " * fives):
        player.hear(Dealt(0, card, 0))
    table.start()
    left = 312 - fives - 4
    assert player.decide(table.view(), table.state.legal) is action
    assert player.last_reason.insurance == 3
    assert player.last_reason.count == (fives - 1) * 52 // left
    assert str(player.last_reason).endswith("insurance >= 3")


def test_even_money_goes_by_the_count_of_the_moment():
    for fives, action in ((2, Action.NO_EVEN_MONEY), (30, Action.EVEN_MONEY)):
        player, table = sit_down("A A K T", deviations="insurance >= 3")
        for card in parse_cards("5 " * fives):
            player.hear(Dealt(0, card, 0))
        table.start()
        assert table.state.legal == (Action.EVEN_MONEY, Action.NO_EVEN_MONEY)
        assert player.decide(table.view(), table.state.legal) is action


def test_what_cannot_be_counted_is_refused():
    with pytest.raises(UnsupportedRuleError, match="player counting cannot honour INF"):
        make_player(rules=upcard.Rules.parse("INF"))
    hidden = upcard.house("seven-hands").replace(shows_upcard=False)
    with pytest.raises(UnsupportedRuleError, match="shows_upcard"):
        make_player(rules=hidden)
    with pytest.raises(RulesError, match="for the count hi-lo, not for zen"):
        make_player(system=load_system("zen"), deviations=str(load_deviations("i18", HI_LO)))
