"""Two hands whose second cards may be swapped: the solver against small shoes played card by card.

The twin knows what the solver's player knows: each hand is played by the optimum that knows the
other hand's two starting cards.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import naive_exact
import pytest
from naive import best_total
from naive_dealer import Dealer, add, draws, shoe_of, take

import upcard
from upcard.core.actions import Action
from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.exact.solve import choose_solver
from upcard.exact.supported_rules import SplitPlay
from upcard.exact.switch import swap, value_pairings
from upcard.rules.model import Rules

NAMES = "?A23456789T"
FACTS = {"pushes_22": True, "natural_pays": Fraction(1)}
GAMES = [
    ("H17 SP1", {"soft_17": "hit", "max_hands": 1}, {1: 3, 5: 3, 6: 3, 10: 5}),
    (
        "S17 SP1 LS BJW",
        {"max_hands": 1, "surrender": "late", "natural_tie": "win"},
        {1: 3, 9: 4, 10: 6},
    ),
    ("H17 SP2 NDAS", {"soft_17": "hit", "max_hands": 2, "das": False}, {1: 3, 8: 4, 10: 6}),
    ("S17 SP1 W21", {"max_hands": 1, "player_21": "always wins"}, {1: 3, 4: 3, 7: 2, 10: 5}),
]
DEALS = [((10, 5), (6, 10)), ((1, 6), (5, 10)), ((1, 10), (5, 6)), ((5, 5), (6, 6))]


class Twin:
    """Values of pairings against one upcard."""

    def __init__(self, facts, counts, up):
        self.facts, self.shoe, self.up = facts, shoe_of(counts), up
        self.games = {}

    def beside(self, other):
        """Return the game of a hand whose player knows another's two cards."""
        key = tuple(sorted(other))
        if key not in self.games:
            self.games[key] = naive_exact.Game(self.facts, take(self.shoe, *key), self.up)
        return self.games[key]

    def value_hand(self, hand, other, *, is_switched):
        """Return the value of a hand, given that the dealer has no natural."""
        game, hand = self.beside(other), tuple(sorted(hand))
        if hand != (1, 10):
            return max(game.values(hand).values())
        worth = game.worth(hand, 10 if is_switched else None)
        return game.settled(((worth, (1, 1)),), game.unseen(hand, ()), None)

    def value_pairings(self, hands):
        """Return the value of a switch, and of none."""
        return {
            action: sum(
                self.value_hand(own, other, is_switched=action is Action.SWITCH)
                for own, other in (pairing, pairing[::-1])
            )
            for action, pairing in ((Action.SWITCH, swap(hands)), (Action.NO_SWITCH, hands))
        }

    def value_round(self):
        """Return the value of a round per bet of one hand, deal by deal and hole by hole."""
        value = Fraction(0)
        for cards in product([rank for rank in range(1, 11) if self.shoe[rank - 1]], repeat=4):
            shoe, chance = take(self.shoe, self.up), Fraction(1)
            for rank in cards:
                chance *= Fraction(shoe[rank - 1], sum(shoe))
                if not chance:
                    break
                shoe = take(shoe, rank)
            if chance:
                value += chance * self.value_deal((cards[:2], cards[2:]), shoe)
        return value / 2

    def value_deal(self, hands, shoe):
        best = None
        value = Fraction(0)
        for hole, chance, _ in draws(shoe):
            if {self.up, hole} == {1, 10}:
                tie = self.facts.get("natural_tie") == "win"
                value += chance * sum(tie if set(hand) == {1, 10} else -1 for hand in hands)
            else:
                best = max(self.value_pairings(hands).values()) if best is None else best
                value += chance * best
        return value

    def play_out(self, hands, *, is_switched):
        """Return what two hands win together, both played from one shoe, then the dealer."""
        shoe = take(self.shoe, self.up, *hands[0], *hands[1])
        games = self.beside(hands[1]), self.beside(hands[0])
        holes = [(h, p, left) for h, p, left in draws(shoe) if {self.up, h} != {1, 10}]
        whole = sum(p for _, p, _ in holes)
        waiting = tuple(tuple(sorted(hand)) for hand in hands)
        split_from = 10 if is_switched else None

        def play(number, hand, done, left, hole):
            game = games[number]
            ended = (*done, (game.worth(hand, split_from), (1, 1)))
            word = "stand" if best_total(list(hand)) >= 21 else game.choose(hand)
            if word == "stand":
                return go_on(number, ended, left, hole)
            value = Fraction(0)
            for rank, chance, rest in draws(left):
                drawn = add(hand, rank)
                doubled = (*done, (game.worth(drawn, None), (2, 2)))
                value += chance * (
                    go_on(number, doubled, rest, hole)
                    if word == "double"
                    else play(number, drawn, done, rest, hole)
                )
            return value

        def go_on(number, done, left, hole):
            if number == 0:
                return play(1, waiting[1], done, left, hole)
            ends = Dealer(self.facts).ends(tuple(sorted((self.up, hole))), left)
            return sum(p * naive_exact.settle(games[0].facts, done, end) for end, p in ends.items())

        return sum(p * play(0, waiting[0], (), left, hole) for hole, p, left in holes) / whole


def about(value):
    return pytest.approx(float(value), rel=0, abs=1e-12)


def read(words):
    deck = "" if words.startswith("INF") else "6D"
    return Rules.parse(f"{deck} 1:1 NOINS P22 SWITCH {words}")


@pytest.mark.parametrize(("words", "facts", "counts"), GAMES)
def test_a_game_is_worth_what_its_deals_are(words, facts, counts):
    found = upcard.solve_game(read(words), shoe=shoe_of(counts)).by_upcard
    for up in counts:
        assert found[NAMES[up]] == about(Twin(FACTS | facts, counts, up).value_round())


@pytest.mark.parametrize("hands", DEALS)
@pytest.mark.parametrize("up", [1, 6, 10])
def test_a_pairing_is_worth_what_both_hands_win_when_they_are_played_from_one_shoe(hands, up):
    words, facts, counts = GAMES[0]
    counts = counts | {5: 4, 6: 4}
    twin = Twin(FACTS | facts, counts, up)
    unseen = (0, *take(twin.shoe, up, *hands[0], *hands[1]))
    found = value_pairings(read(words), unseen, hands, up, SplitPlay.CDZ)
    assert found == {
        Action.SWITCH: about(twin.play_out(swap(hands), is_switched=True)),
        Action.NO_SWITCH: about(twin.play_out(hands, is_switched=False)),
    }


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("INF", "INF"),
        ("ace_rule=one-softened", "ace_rule"),
        ("BJS(2:1)", "suited_natural_pays"),
        ("W21 BON(5=3:2/678=3:2-2:1-3:1)", "bonuses"),
        ("split_by=rank", "split_by"),
        ("max_total_hands=6", "max_total_hands"),
        ("player_21=wins", "player_21=wins"),
    ],
)
def test_rules_beyond_it_are_refused_by_name(words, rule):
    with pytest.raises(UnsupportedRuleError, match=rf"the switch solver cannot honour {rule}"):
        upcard.solve_game(read(words))


def test_charts_and_full_memory_are_refused():
    rules = read("H17 SP2")
    chart = upcard.basic_strategy("6D H17")
    for ask in (
        lambda: upcard.basic_strategy(rules),
        lambda: upcard.solve_game(rules, strategy=chart),
        lambda: upcard.solve_game(rules, splits="full"),
    ):
        with pytest.raises((UnsupportedRuleError, RulesError), match="switch solver"):
            ask()


def test_a_hand_alone_is_that_of_the_same_game_without_the_switch():
    plain = read("H17").replace(switch=False)
    for hand, up in (("T 6", "9"), ("8 8", "T"), ("A 7", "6")):
        assert upcard.solve(read("H17"), hand, up).ev == upcard.solve(plain, hand, up).ev


def test_the_notes_say_what_each_hand_knows():
    solver = choose_solver(read("H17"), read("H17").full_shoe.counts)
    notes = solver.describe_assumptions(None)
    assert "Each hand is played knowing the other hand's two starting cards." in notes
