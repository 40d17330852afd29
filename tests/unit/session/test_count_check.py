"""The count question and the bet check: the count is that of the cards a person has seen."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from upcard import Action, Rules, RulesError, UnsupportedRuleError
from upcard.session.count_check import CountCheck
from upcard.session.game_session import GameSession
from upcard.session.plan import TablePlan
from upcard.strategy.count_system import load_system, read_count
from upcard.strategy.ramp import parse_ramp
from upcard.table.events import DealerDealt, Dealt, Revealed, Shuffled
from upcard.table.shoe import ScriptedShoe, make_shoe

HI_LO = load_system("hi-lo")
LOW, HIGH = (2, 3, 4, 5, 6), (1, 10)


def sit_down(rules: Rules, shoe) -> GameSession:
    return GameSession.practise(TablePlan(rules=rules, title="T"), chips=Fraction(10**6), shoe=shoe)


def play_round(session: GameSession, check: CountCheck, rng: random.Random) -> None:
    check.begin_round(Fraction(10), session)
    session.place(Fraction(10))
    while session.options:
        session.act(rng.choice(session.options))


class NaiveCount:
    """Writes down every card that lies face up, and adds all of them up when asked."""

    def __init__(self) -> None:
        self.ranks: list[int] = []
        self.dealer_up: list = []

    def hear(self, event) -> None:
        match event:
            case Shuffled():
                self.ranks.clear()
            case Dealt(card=card):
                self.ranks.append(card.rank)
            case DealerDealt(card=card) if card is not None:
                self.ranks.append(card.rank)
            case Revealed(cards=cards):
                # The upcard lay there before the hole card was turned up.
                self.ranks.append(cards[1].rank)

    @property
    def running(self) -> int:
        return sum((rank in LOW) - (rank in HIGH) for rank in self.ranks)


@pytest.mark.parametrize("rules", ["2D", "6D H17 LS", "1D", "6D ENHC", "2D hole_card=no-peek"])
def test_the_count_is_a_naive_recount_of_the_cards_seen_over_random_rounds(rules) -> None:
    table = Rules.parse(rules)
    rng = random.Random(7)
    session = sit_down(table, make_shoe(table, random.Random(7)))
    check, naive = CountCheck(table, HI_LO), NaiveCount()
    check.watch(session.table)
    session.listeners.append(naive.hear)
    shuffles: list[object] = []
    session.listeners.append(lambda event: isinstance(event, Shuffled) and shuffles.append(event))
    for _ in range(150):
        play_round(session, check, rng)
        assert check.running == naive.running
    assert len(shuffles) > 3


def test_the_hole_card_counts_once_it_is_shown() -> None:
    rules = Rules.parse("6D")
    session = sit_down(rules, ScriptedShoe("9 8 9 6 5"))
    check = CountCheck(rules, HI_LO)
    check.watch(session.table)
    session.place(Fraction(10))
    assert check.running == 0
    assert session.state.dealer[1].rank == 6
    session.act(Action.STAND)
    assert check.running == 2  # the six of the hole, and the five drawn


def test_a_card_taken_back_does_not_count_and_counts_once_when_dealt_again() -> None:
    rules = Rules.parse("6D")
    session = sit_down(rules, ScriptedShoe("2 T 3 8 4 9 T"))
    check = CountCheck(rules, HI_LO)
    check.watch(session.table)
    check.begin_round(Fraction(10), session)
    session.place(Fraction(10))
    assert check.running == 1
    for _ in range(2):
        session.act(session.options[0])
        assert check.running == 2
        session.undo()
        check.take_back(session.events)
        assert check.running == 1


def test_the_question_comes_after_n_rounds_and_not_before_a_shuffle() -> None:
    rules = Rules.parse("1D")
    rng = random.Random(3)
    session = sit_down(rules, make_shoe(rules, random.Random(3)))
    check = CountCheck(rules, HI_LO, every=2)
    check.watch(session.table)
    asked = 0
    before_shuffle = 0
    due = 0
    for _ in range(60):
        is_asked = bool(check.question)
        if is_asked:
            asked += 1
            check.skip()
            due = 0
        events_before = due
        play_round(session, check, rng)
        if isinstance(session.events[0], Shuffled):
            assert not is_asked
            before_shuffle += events_before >= 2
        due += 1
    assert asked > 5
    assert before_shuffle > 0
    assert (check.asked, check.right) == (0, 0)


def test_answers_are_judged_and_scored() -> None:
    check = CountCheck(Rules.parse("6D"), HI_LO)
    assert str(check.answer(Fraction(0))) == "Right: the running count is 0."
    assert str(check.answer(Fraction(-5))) == "It is 0, you said −5."
    assert (check.asked, check.right) == (2, 1)


def test_a_bet_is_compared_with_the_ramp_at_the_count() -> None:
    rules = Rules.parse("1D")
    check = CountCheck(rules, HI_LO, ramp=parse_ramp("1-8", HI_LO, decks=1))
    for text in ("2", "3", "4"):
        check.hear(Dealt(0, ScriptedShoe(text).draw(), int(text)))
    assert check.check_bet(Fraction(40)) is None
    remark = check.check_bet(Fraction(10))
    assert str(remark) == "The ramp bets 4 units (40) at a true count of +3; you bet 10."
    # What the chips or the limit do not cover cannot be asked of anybody.
    assert check.check_bet(Fraction(25), most=Fraction(25)) is None
    remark = check.check_bet(Fraction(10), most=Fraction(25))
    assert "4 units (40, possible 25) at" in str(remark)


def test_where_the_ramp_sits_out_one_unit_is_its_bet() -> None:
    check = CountCheck(Rules.parse("6D"), HI_LO, ramp=parse_ramp("0:0 1:2", HI_LO, decks=6))
    assert check.check_bet(Fraction(10)) is None
    assert str(check.check_bet(Fraction(20))) == (
        "The ramp sits out, which is a bet of 1 unit here (10), at a true count of 0; you bet 20."
    )


def test_a_bet_after_the_cut_card_goes_by_a_full_shoe() -> None:
    rules = Rules.parse("1D")
    session = sit_down(rules, make_shoe(rules, random.Random(5)))
    check = CountCheck(rules, HI_LO, ramp=parse_ramp("-50:9 0:1 1:5", HI_LO, decks=1))
    check.watch(session.table)
    rng = random.Random(5)
    seen = 0
    for _ in range(40):
        is_one_unit = check.check_bet(Fraction(10)) is None
        at = check.running
        play_round(session, check, rng)
        if isinstance(session.events[0], Shuffled) and at:
            assert is_one_unit
            seen += 1
    assert seen > 2


@pytest.mark.parametrize(
    ("rules", "error"), [("INF", UnsupportedRuleError), ("6D CSM", RulesError)]
)
def test_what_cannot_be_counted_is_refused(rules, error) -> None:
    with pytest.raises(error):
        CountCheck(Rules.parse(rules), HI_LO)


def test_a_count_is_read_exactly_or_refused() -> None:
    assert [read_count(text) for text in ("+3", "-2", "1/2")] == [3, -2, Fraction(1, 2)]
    with pytest.raises(RulesError, match="write a number, such as 3, -2 or 1/2"):
        read_count("three")
