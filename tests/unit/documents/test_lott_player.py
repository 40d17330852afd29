"""Document 003's player: the offers, their order and the default answers."""

from __future__ import annotations

from fractions import Fraction

import pytest

import upcard
from upcard import Action, IllegalActionError
from upcard.documents.lott import Game, Player, make_hand
from upcard.table import ScriptedShoe

LOTT = upcard.house("lott")


class Recorder(Player):
    """Writes down every offer and accepts those it is told to."""

    def __init__(self, *accepts):
        super().__init__("Recorder")
        self.accepts = accepts
        self.offers = []

    def _answer(self, offer, hand):
        self.offers.append(offer)
        return offer in self.accepts

    def even_money(self, hand):
        return self._answer("even money", hand)

    def insurance(self, hand):
        return self._answer("insurance", hand)

    def surrender(self, hand):
        return self._answer("surrender", hand)

    def split(self, hand):
        return self._answer("split", hand)

    def double_down(self, hand):
        return self._answer("double", hand)

    def hit(self, hand):
        return self._answer("hit", hand)


def play(player, cards, rules=LOTT):
    return Game(rules, player, ScriptedShoe(cards)).cycle()


@pytest.mark.parametrize("total", range(4, 21))
def test_default_player_hits_16_or_less_and_stands_on_17_or_more(total):
    """Document 003, BlackjackPlayer.hit: accepts on 16 or less, which mimics the dealer."""
    hand = make_hand(["2"] * (total // 2) if total % 2 == 0 else ["3", *["2"] * ((total - 3) // 2)])
    assert hand.total == total
    assert Player().hit(hand) is (total <= 16)


@pytest.mark.parametrize("offer", ["even_money", "insurance", "surrender", "split", "double_down"])
def test_default_player_rejects_every_other_offer(offer):
    """Document 003: the superclass always rejects this offer."""
    assert getattr(Player(), offer)(make_hand("8 8")) is False


def test_003_l_default_player_hits_16_and_busts():
    result = play(Player(), "T 6 T 7 9")
    assert result.hands[0].outcome == "bust"
    assert result.net == -1
    assert len(result.dealer.cards) == 2


def test_003_m_default_player_stands_on_17():
    result = play(Player(), "T 7 T 7")
    assert len(result.hands[0].cards) == 2
    assert result.hands[0].outcome == "push"


def test_003_10_default_player_takes_no_even_money_no_insurance_and_no_split():
    natural = play(Player(), "A K A 9")
    assert natural.net == Fraction(3, 2)
    assert natural.insurance_net == 0
    pair = play(Player(), "9 9 7 T")
    assert len(pair.hands) == 1
    assert pair.hands[0].bet == 1


def test_offers_come_in_the_documents_order():
    player = Recorder()
    play(player, "8 8 A 9", LOTT.replace(surrender="late"))
    assert player.offers == ["insurance", "surrender", "split", "double", "hit"]


def test_a_natural_against_an_ace_is_offered_even_money_then_insurance():
    player = Recorder()
    assert play(player, "A K A K").net == 0
    assert player.offers == ["even money", "insurance"]


def test_accepted_even_money_ends_the_offers():
    player = Recorder("even money")
    assert play(player, "A K A K").net == 1
    assert player.offers == ["even money"]


def test_where_all_is_offered_at_once_surrender_comes_before_split_double_and_hit():
    player = Recorder()
    play(player, "8 9 8 9", upcard.Rules.parse("6D LS"))
    assert player.offers == ["surrender", "split", "double", "hit"]


@pytest.mark.parametrize(
    ("accepted", "outcome", "bet"),
    [("surrender", "surrender", 1), ("double", "win", 2), ("hit", "win", 1)],
)
def test_an_accepted_offer_is_the_action(accepted, outcome, bet):
    rules = upcard.Rules.parse("6D LS")
    result = play(Recorder(accepted), "5 9 6 9 T", rules)
    assert result.hands[0].outcome == outcome
    assert result.hands[0].bet == bet


def test_declining_everything_is_to_stand():
    player = Recorder()
    result = play(player, "2 3 T 7")
    assert player.offers == ["double", "hit"]
    assert result.hands[0].total == 5


@pytest.mark.parametrize(
    ("legal", "answer"),
    [
        ((Action.EVEN_MONEY, Action.NO_EVEN_MONEY), Action.NO_EVEN_MONEY),
        ((Action.INSURANCE, Action.NO_INSURANCE), Action.NO_INSURANCE),
        ((Action.SURRENDER, Action.NO_SURRENDER), Action.NO_SURRENDER),
        ((Action.SPLIT, Action.NO_SPLIT), Action.NO_SPLIT),
        ((Action.NO_SPLIT,), Action.NO_SPLIT),
        ((Action.STAND,), Action.STAND),
    ],
)
def test_an_offer_of_its_own_is_declined_in_its_own_words(legal, answer):
    game = Game(LOTT, Recorder(), ScriptedShoe("8 8 7 T"))
    game.new_game()
    game.place_bets()
    game.deal()
    assert game.player.decide(game.view, legal) is answer


def test_the_table_is_seen_during_an_offer_and_has_no_hole_card():
    seen = []

    class Watcher(Player):
        def hit(self, hand):
            seen.append((str(self.table.upcard), self.table.dealer, self.table.hidden))
            return False

    play(Watcher(), "T 6 9H 8S")
    assert seen == [("9H", (upcard.Card("9H"),), 1)]


def test_there_is_no_table_before_the_first_offer():
    with pytest.raises(IllegalActionError, match="Player sits at no table yet"):
        _ = Player().table


def test_text_shows_name_and_hands():
    player = Player("Ann")
    assert str(player) == "Ann: no hand"
    game = Game(LOTT, player, ScriptedShoe("8D 5H 9H 8S KC"))
    game.new_game()
    game.place_bets("2.5")
    assert str(player) == "Ann: empty bet 2.5"
    game.deal()
    assert str(player) == "Ann: 8D 5H (13) bet 2.5"


def test_new_game_forgets_the_hands():
    player = Player()
    play(player, "T 7 T 7")
    assert len(player.hands) == 1
    player.new_game()
    assert player.hands == ()


def test_a_subclass_of_ten_lines_plays():
    class Doubler(Player):
        """Doubles 11 against 6."""

        def double_down(self, hand):
            return hand.total == 11 and self.table.upcard.rank == 6

    assert play(Doubler(), "5 6 6 T T T").net == 2
    assert play(Doubler(), "5 6 7 T T").net == 1
