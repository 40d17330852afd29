"""Players that follow a chart have an exact value; others are refused with what differed."""

import random

import pytest

import upcard
from upcard import Player, RulesError, UnsupportedRuleError
from upcard.analysis.player_chart import chart_of_player, value_of
from upcard.core.errors import IllegalActionError
from upcard.players.bots import ChartPlayer
from upcard.simulation.registry import make_player
from upcard.strategy.chart import HAND_LABELS

HOUSES = ("6D H17 LS", "lott", "6D ENHC ES", "INF S17 NS", "1D D10 RSA HSA", "european")


class Ann(Player):
    """Splits eights, doubles 11, and never hits a stiff hand against a weak upcard."""

    def split(self, hand):
        return hand.cards[0].rank == 8

    def double_down(self, hand):
        return hand.total == 11

    def hit(self, hand):
        is_stiff = hand.total >= 12 and not hand.is_soft
        return hand.total < 17 and not (is_stiff and 2 <= self.table.upcard.rank <= 6)


@pytest.mark.slow
@pytest.mark.parametrize("text", HOUSES)
def test_the_chart_of_a_chart_is_the_chart(text):
    best = upcard.basic_strategy(text)
    insured = upcard.Strategy(cells=best.cells, takes_insurance=True)
    rules = upcard.Rules.parse(text)
    assert chart_of_player(ChartPlayer(best), rules) == best
    assert chart_of_player(ChartPlayer(insured), rules).takes_insurance


@pytest.mark.slow
def test_every_form_of_a_player_has_one_value(tmp_path):
    file = tmp_path / "ann.py"
    file.write_text(
        "from upcard import Player\nclass Ann(Player):\n    def hit(self, hand):\n"
        "        return hand.total < 15\n",
        encoding="utf-8",
    )

    class Same(Player):
        def hit(self, hand):
            return hand.total < 15

    rows = {label: "H" if total_of(label) < 15 else "S" for label in HAND_LABELS}
    chart = upcard.Strategy(cells=tuple((rows[label],) * 10 for label in HAND_LABELS))
    exact = upcard.expected_value("6D", strategy=chart)
    for player in (f"{file}:Ann", str(file), Same, Same(), chart):
        assert upcard.value_of(player, "6D") == exact


def total_of(label):
    if label == "AA":
        return 12
    if label.startswith("A"):
        return 11 + int(label[1:])
    half = label[: len(label) // 2]
    return 2 * int(half) if label == half * 2 and label != "11" else int(label)


@pytest.mark.slow
def test_the_value_of_a_player_is_what_it_wins():
    run = upcard.simulate("lott", player="lott-simple", rounds=20_000, seed=3)
    assert abs(run.ev - value_of("lott-simple", "lott")) < 4 * run.standard_error


class ByCards(Player):
    def hit(self, hand):
        return hand.total < 16 or (hand.total == 16 and hand.cards[0].rank == 9)


class ByState(Player):
    asked = 0

    def hit(self, hand):
        self.asked += 1
        return hand.total < (17 if self.asked < 500 else 13)


class ByChance(Player):
    rng = random.Random(5)

    def hit(self, hand):
        return hand.total < 16 or (hand.total == 16 and self.rng.random() < 0.9)


class Insures(Player):
    def insurance(self, hand):
        return hand.total == 20


@pytest.mark.parametrize(
    ("player", "words"),
    [
        (ByCards(), r"answered hit for 9 7 \(16\) v \w+, and stand when"),
        (ByState(), r"answered stand for .* \(1[3-6]\) v \w+, and hit when"),
        (ByChance(), r"\(16\) v \w+, and (hit|stand) when"),
        (Insures(), r"answered insurance for .*20\) v A, and no insurance when"),
        ("counter", r"'Counter' follows no chart: it answered"),
        ("computer:1,17,0.5", "'Computer' follows no chart"),
    ],
)
def test_a_player_that_is_no_chart_is_refused_with_what_differed(player, words):
    with pytest.raises(RulesError, match=words):
        value_of(player, "6D")


class Illegal:
    def decide(self, view, legal):
        return "banana"


def test_what_is_no_player_or_answers_no_action_is_refused():
    with pytest.raises(IllegalActionError, match="'Illegal' answered 'banana' for 2 3"):
        value_of(Illegal, "6D")
    with pytest.raises(RulesError, match="3 is not a player"):
        value_of(3, "6D")
    with pytest.raises(RulesError, match="no player is called 'nobody'"):
        value_of("nobody", "6D")


def test_a_house_without_an_upcard_has_no_charts():
    rules = upcard.house("seven-hands").replace(shows_upcard=False)
    with pytest.raises(UnsupportedRuleError, match="shows_upcard"):
        chart_of_player(make_player("mimic", rules), rules)


class Bob(upcard.Player):
    """A player of one's own that follows no chart."""

    def hit(self, hand):
        return len(hand.cards) < 3


class Named(Bob):
    """One with a name of its own."""

    name = "Ann A."


@pytest.mark.parametrize(
    ("player", "name"),
    [(Bob, "Bob"), (Bob(), "Bob"), (Named, "Ann A."), (Named(), "Ann A."), (Bob("Carl"), "Carl")],
)
def test_a_class_of_ones_own_is_called_by_its_name(player, name):
    """Bob was "player 'Player'"."""
    with pytest.raises(upcard.RulesError, match=f"player '{name}' follows no chart"):
        upcard.value_of(player, "6D")
