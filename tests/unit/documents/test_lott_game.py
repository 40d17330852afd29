"""Document 003's collaboration: `Game.cycle` and its steps, one by one."""

from __future__ import annotations

import random

import pytest

import upcard
from upcard import EmptyShoeError, IllegalActionError, OutOfDecisionsError, RulesError
from upcard.documents.lott import STEPS, Game, Player, ScriptedPlayer
from upcard.table import Phase, ScriptedShoe, make_shoe, play_round

LOTT = upcard.house("lott")


def sit(cards, *answers, rules=LOTT):
    return Game(rules, ScriptedPlayer(answers), ScriptedShoe(cards))


def step_through(game, last):
    """Call the steps up to and with `last`."""
    for step in STEPS[: STEPS.index(last) + 1]:
        getattr(game, step)()
    return game


def faces(cards):
    return " ".join(map(str, cards))


def test_bets_are_placed_on_one_empty_hand():
    game = step_through(sit("T 6 T 7"), "place_bets")
    assert [faces(hand.cards) for hand in game.hands] == [""]
    assert game.hands[0].bet == 1
    assert game.upcard is None


def test_the_deal_gives_two_cards_each_and_the_dealers_first_is_up():
    game = step_through(sit("T 6 9H 7 5"), "deal")
    assert faces(game.hands[0].cards) == "T 6"
    assert str(game.upcard) == "9H"
    assert game.dealer.hidden == 1
    assert game.shoe.cards_left == 1


def test_insurance_is_asked_with_an_ace_up_only():
    game = step_through(sit("T 6 A 7", "insurance"), "offer_insurance")
    assert game.player.unasked == ()
    assert [bet * 2 for bet in game.view.insurance] == [1]
    unasked = step_through(sit("T 6 T 7", "insurance"), "offer_insurance").player.unasked
    assert unasked == ("insurance",)


def test_the_dealer_looks_after_insurance_and_a_natural_ends_the_round():
    game = step_through(sit("T 9 A K", "insurance"), "offer_insurance")
    assert game.dealer.cards == tuple(map(upcard.Card, "AK"))
    for step in ("offer_splits", "fill_hands", "play_dealer"):
        getattr(game, step)()
    result = game.settle()
    assert (result.insurance_net, result.hands[0].net, result.net) == (1, -1, 0)


def test_splits_are_offered_until_none_is_left_and_halves_get_a_card_each():
    """Document 003 h: a hand with 9 9 is offered the split again."""
    game = step_through(sit("9 9 7 T 2 9 3 4", "split", "split"), "offer_splits")
    assert [faces(hand.cards) for hand in game.hands] == ["9 2", "9 3", "9 4"]
    assert game.next_step == "fill_hands"
    assert game.shoe.cards_left == 0


def test_a_declined_split_is_not_offered_again():
    game = step_through(sit("9 9 7 T", "no split"), "offer_splits")
    assert game.hands[0].declined_split
    assert game.view.phase is Phase.PLAY


def test_hands_are_filled_in_order_and_the_dealer_waits():
    answers = ("split", "hit", "stand", "stand")
    game = step_through(sit("8 8 7 T 2 3 9 5", *answers), "fill_hands")
    assert [faces(hand.cards) for hand in game.hands] == ["8 2 9", "8 3"]
    assert game.shoe.cards_left == 1
    assert game.player.unasked == ()


def test_a_double_gives_one_card_at_any_number_of_cards():
    """Document 003 j."""
    game = step_through(sit("2 3 6 T 4 T T", "hit", "double"), "fill_hands")
    assert (game.hands[0].total, game.hands[0].bet) == (19, 2)


def test_the_dealer_draws_in_a_step_of_his_own():
    game = step_through(sit("T 8 T 2 3 4", "stand"), "fill_hands")
    assert faces(game.dealer.cards) == "T 2"
    game.play_dealer()
    assert faces(game.dealer.cards) == "T 2 3 4"
    assert game.dealer.total == 19
    assert game.settle().net == -1


def test_the_dealer_does_not_draw_when_all_hands_are_bust():
    """Document 003 l."""
    game = step_through(sit("T 6 T 2 9 5", "hit"), "play_dealer")
    assert len(game.view.dealer) == 1
    assert game.shoe.cards_left == 1
    assert game.settle().net == -1


def test_003_k_a_21_is_asked_no_more():
    result = sit("T 6 T 6 5 T", "hit").cycle()
    assert result.hands[0].total == 21
    assert result.dealer.total == 26
    assert result.net == 1


def test_a_natural_goes_through_all_steps_without_a_question():
    result = sit("A K 9 8").cycle(10)
    assert result.net == 15
    assert str(result.events[0]).startswith("RoundStarted")


def test_surrender_on_its_own_comes_before_the_splits():
    rules = LOTT.replace(surrender="late")
    game = step_through(sit("8 8 9 7", "surrender", rules=rules), "offer_insurance")
    assert game.hands[0].status == "surrendered"
    for step in ("offer_splits", "fill_hands", "play_dealer"):
        getattr(game, step)()
    assert game.settle().hands[0].outcome == "surrender"


def test_a_house_that_peeks_ends_the_round_with_the_deal():
    game = step_through(sit("T T 6 A", rules=upcard.Rules.parse("6D")), "deal")
    assert game.view.phase is Phase.OVER
    assert str(game.dealer) == "T A (21)"


def test_a_house_that_offers_splits_with_the_rest_splits_while_filling():
    rules = upcard.Rules.parse("6D")
    game = step_through(sit("8 7 8 T 2 3", "split", "stand", "stand", rules=rules), "offer_splits")
    assert len(game.hands) == 1
    game.fill_hands()
    assert [faces(hand.cards) for hand in game.hands] == ["8 2", "8 3"]


def test_without_a_hole_card_the_dealer_takes_his_second_in_his_own_step():
    rules = upcard.house("european")
    game = step_through(sit("T 9 9 8", "stand", rules=rules), "fill_hands")
    assert faces(game.dealer.cards) == "9"
    game.play_dealer()
    assert faces(game.dealer.cards) == "9 8"
    natural = step_through(sit("A T K 9", rules=rules), "deal")
    assert faces(natural.dealer.cards) == "T"
    assert natural.shoe.cards_left == 1


@pytest.mark.parametrize("done", range(len(STEPS)))
@pytest.mark.parametrize("asked", STEPS)
def test_steps_out_of_order_are_refused(asked, done):
    game = sit("T 8 T 9", "stand")
    for step in STEPS[:done]:
        getattr(game, step)()
    if STEPS[done] == asked:
        return
    before = str(game)
    with pytest.raises(IllegalActionError, match=rf"cannot {asked}\(\): {STEPS[done]}\(\) comes"):
        getattr(game, asked)()
    assert str(game) == before


def test_after_the_settlement_the_next_game_begins():
    game = sit("T 8 T 9 T 9 T 8", "stand", "stand")
    assert [game.cycle().net for _ in range(2)] == [-1, 1]
    assert game.next_step == "new_game"


def test_a_bad_bet_is_refused_and_can_be_placed_again():
    game = sit("T 8 T 9", "stand")
    game.new_game()
    with pytest.raises(RulesError):
        game.place_bets(0)
    game.place_bets(5)
    assert game.hands[0].bet == 5


def test_an_illegal_answer_leaves_the_step_to_be_called_again():
    game = step_through(sit("T 6 T 9", "split", "stand"), "offer_splits")
    with pytest.raises(IllegalActionError, match="cannot split T 6"):
        game.fill_hands()
    game.fill_hands()
    assert game.next_step == "play_dealer"


def test_running_out_of_answers_leaves_the_hands_as_they_are():
    game = step_through(sit("T 2 T 9 3", "hit"), "offer_splits")
    with pytest.raises(OutOfDecisionsError):
        game.fill_hands()
    assert faces(game.hands[0].cards) == "T 2 3"


def test_an_empty_shoe_makes_the_round_void():
    game = sit("T 6 T", "hit")
    with pytest.raises(EmptyShoeError):
        game.cycle()
    assert game.hands == ()
    assert game.next_step == "new_game"


def test_there_is_no_view_before_the_bets():
    with pytest.raises(IllegalActionError, match="no bets are placed"):
        _ = sit("").view


def test_the_text_of_a_game_at_each_step():
    game = sit("9S 9D 7H TC 2C 8D KH", "split", "hit", "stand")
    shown = [str(game)]
    for step in STEPS:
        getattr(game, step)()
        shown.append(str(game))
    none = "dealer: no cards\nScript: no hand"
    up = "dealer: 7H ? (7)\nScript: >"
    over = "dealer: 7H TC (17)\nScript: 9S 2C KH (21) bet 1"
    assert shown == [
        f"lott, next: new_game\n{none}",
        f"lott, next: place_bets\n{none}",
        "lott, next: deal\ndealer: no cards\nScript: empty bet 1",
        f"lott, next: offer_insurance\n{up} 9S 9D (18) bet 1",
        f"lott, next: offer_splits\n{up} 9S 9D (18) bet 1",
        f"lott, next: fill_hands\n{up} 9S 2C (11) bet 1 | 9D 8D (17) bet 1",
        f"lott, next: play_dealer\n{over} | 9D 8D (17) bet 1",
        f"lott, next: settle\n{over} | 9D 8D (17) bet 1",
        f"lott, next: new_game\n{over}: win +1 | 9D 8D (17) bet 1: push 0",
    ]


def test_the_text_never_shows_the_hole_card_before_its_time():
    game = sit("T 6 9H 8S K", "hit")
    for step in STEPS:
        getattr(game, step)()
        assert "8S" not in str(game)
        assert "8S" not in repr(game.dealer)


def test_a_player_sees_the_table_after_each_step():
    player = Player("Ann")
    game = Game(LOTT, player, ScriptedShoe("T 7 T 9"))
    game.cycle()
    assert str(player) == "Ann: T 7 (17) bet 1"
    assert player.table.dealer_total == 19
    game.new_game()
    assert player.hands == ()


def test_without_a_shoe_the_house_shuffles_its_own():
    game = Game(LOTT, Player())
    assert game.cycle().events[0].cards == 260


def test_anybody_who_decides_can_play():
    class Stander:
        def decide(self, view, legal):
            return next(answer for answer in legal if answer == "stand" or answer.declines)

    game = Game(LOTT, Stander(), ScriptedShoe("T 6 T 9"))
    assert game.cycle().net == -1
    assert "Stander: T 6 (16)" in str(game)


@pytest.mark.parametrize("name", upcard.house_names())
def test_a_cycle_is_the_round_that_the_table_plays(name):
    """Random answers in every house: the same cards and answers give `play_round`'s result."""
    rules = upcard.house(name)

    class Gambler:
        def __init__(self, rng):
            self.rng = rng
            self.answers = []

        def decide(self, view, legal):
            self.answers.append(self.rng.choice(legal))
            return self.answers[-1]

    class Recording:
        def __init__(self, shoe):
            self.shoe = shoe
            self.cards = []

        def draw(self):
            self.cards.append(self.shoe.draw())
            return self.cards[-1]

        def start_round(self):
            self.shoe.start_round()
            return False

    for seed in range(100):
        rng = random.Random(seed)
        shoe = Recording(make_shoe(rules, rng))
        player = Gambler(rng)
        result = Game(rules, player, shoe).cycle(2)
        bets = [2] * rules.min_spots
        assert result == play_round(rules, shoe.cards, decisions=player.answers, bets=bets)
