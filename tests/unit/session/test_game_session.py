"""A session: who answers, what the chips cover, what is kept, found again and taken back."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.books import check_books, read_judgements, replay_stored
from upcard import Action, EmptyShoeError, IllegalActionError, Rules, RulesError
from upcard.core.numbers import format_chips, signed
from upcard.session.coaching import TableCoach
from upcard.session.game_session import GameSession
from upcard.session.plan import TablePlan
from upcard.store.bankroll import bankroll_of, deposit
from upcard.store.database import open_in_memory
from upcard.store.files import NotCoveredError, StoreError
from upcard.store.history import read_round, read_rounds
from upcard.store.sessions import find_open_rounds
from upcard.table.events import Acted
from upcard.table.legal import Refusal
from upcard.table.shoe import ScriptedShoe, make_shoe

RULES = Rules.parse("6D")
COMPANY = "basic; you; mimic martingale"


@pytest.fixture
def store(monkeypatch):
    # The same cards on every machine: server seeds are drawn from here.
    monkeypatch.setattr("secrets.token_bytes", random.Random(4).randbytes)
    with open_in_memory() as opened:
        deposit(opened, 1000)
        yield opened
        check_books(opened)


def plan(**changes) -> TablePlan:
    return TablePlan(**({"rules": RULES, "title": "T"} | changes))


def practise(cards: str, *, chips: int = 100, **changes) -> GameSession:
    shoe = ScriptedShoe(cards)
    return GameSession.practise(
        plan(**changes), chips=Fraction(chips), shoe=shoe, coach=TableCoach(RULES)
    )


def finish(session: GameSession, action: Action | None = None) -> None:
    """Answer until the round is over, by the first answer or one that is always legal."""
    while session.options:
        session.act(action or session.options[-1])


def keep_until_asked(store, **changes) -> GameSession:
    """Sit down and play until the person is asked something."""
    session = GameSession.keep(
        store, plan(**changes), coach=TableCoach(RULES), rng=random.Random(1)
    )
    while not session.options:
        session.place(Fraction(10))
    return session


# Alone, in practice.


def test_a_round_books_its_net() -> None:
    session = practise("T T 8 7")
    assert session.net is None
    session.place(Fraction(10))
    assert session.options == (Action.HIT, Action.STAND, Action.DOUBLE)
    session.act(Action.STAND)
    assert session.net == 10
    assert session.bank.balance == 110
    assert session.options == ()


def test_what_the_chips_do_not_cover_is_no_option() -> None:
    session = practise("8 T 8 7 T T", chips=15)
    session.place(Fraction(10))
    assert session.options == (Action.HIT, Action.STAND)
    assert str(session.act(Action.SPLIT)) == (
        "cannot split: it takes 10 more chips and you have 5 left. Legal: hit, stand"
    )
    refusal = session.act(Action.DOUBLE)
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "it takes 10 more chips and you have 5 left"
    assert (refusal.action, refusal.legal) == (Action.DOUBLE, session.options)


@pytest.mark.parametrize(
    ("bet", "hands", "reason"),
    [
        (0, 1, "bets are over 0"),
        (26, 1, "the table's limit is 25 a hand"),
        (20, 6, "more than your balance of 100"),
    ],
)
def test_a_bet_that_cannot_be_is_refused(bet, hands, reason) -> None:
    session = practise("T T 8 7", limit=Fraction(25), hands=hands)
    assert reason in session.why_not_bet(Fraction(bet))
    with pytest.raises(RulesError, match=reason):
        session.place(Fraction(bet))


def test_a_void_round_moves_no_chip() -> None:
    session = practise("T T 4 7")
    session.place(Fraction(10))
    with pytest.raises(EmptyShoeError):
        session.act(Action.HIT)
    assert session.bank.balance == 100
    assert not session.is_playing
    assert session.ledger == {}
    with pytest.raises(IllegalActionError, match="does not count, and your bet is back"):
        session.undo()


def test_an_answer_is_taken_back_with_chips_events_and_cards_seen() -> None:
    session = practise("T T 6 7 9")
    session.place(Fraction(10))
    events, seen = list(session.events), session.coach.seen.look()
    session.act(Action.HIT)
    assert (session.bank.balance, session.bank.rounds) == (90, 1)
    assert session.coach.seen.look() != seen
    assert session.can_undo
    session.undo()
    assert (session.bank.balance, session.bank.rounds) == (100, 0)
    assert (session.events, session.coach.seen.look()) == (events, seen)
    assert session.net is None
    session.act(Action.STAND)
    assert session.net == -10


def test_nothing_is_taken_back_twice_or_in_the_next_round() -> None:
    session = practise("T T 8 7 T T 8 7")
    session.place(Fraction(10))
    session.act(Action.STAND)
    session.undo()
    with pytest.raises(IllegalActionError, match="cannot undo"):
        session.undo()
    session.act(Action.STAND)
    session.place(Fraction(10))
    assert not session.can_undo


@given(seed=st.integers(0, 199))
@settings(max_examples=40)
def test_taking_all_back_is_as_never_having_answered(seed) -> None:
    rng = random.Random(seed)
    session = GameSession.practise(
        plan(hands=2), chips=Fraction(1000), shoe=make_shoe(RULES, rng), coach=TableCoach(RULES)
    )
    session.place(Fraction(10))
    before = session.state, list(session.events), session.bank.balance, session.coach.seen.look()
    answers = 0
    while session.options:
        session.act(rng.choice(session.options))
        answers += 1
    for _ in range(answers):
        session.undo()
    if answers:
        after = session.state, list(session.events), Fraction(1000), session.coach.seen.look()
        assert after == before


def test_hands_can_be_more_or_fewer_from_round_to_round() -> None:
    session = practise("T 9 8 7 T 9 T 7 9 9 T T 9 8", company="mimic; you")
    session.play_hands(2)
    assert session.player_spots == (1, 2)
    session.place(Fraction(10))
    assert len(session.state.hands) == 3
    with pytest.raises(IllegalActionError, match="the round in progress comes first"):
        session.play_hands(1)
    finish(session, Action.STAND)
    session.play_hands(1)
    assert session.player_spots == (1,)
    assert [seat is None for seat in session.seats] == [False, True]
    assert not session.can_undo
    with pytest.raises(RulesError, match="8 hands"):
        session.play_hands(8)


def test_a_round_of_other_hands_is_not_taken_back() -> None:
    session = practise("T 9 8 T")
    session.place(Fraction(10))
    session.act(Action.STAND)
    session.play_hands(1)
    assert session.can_undo
    session.play_hands(2)
    assert not session.can_undo


# Company.


def test_company_plays_at_its_spots_and_with_its_own_chips() -> None:
    # Dealt in turn to mimic, you, mimic, then the dealer.
    cards = "T 9 T 8  6 9 7 T  5"
    session = practise(cards, company="mimic; you; never-bust martingale")
    session.place(Fraction(20))
    assert [str(event.action) for event in session.events if isinstance(event, Acted)] == ["hit"]
    assert session.state.hands[0].total == 21
    session.act(Action.STAND)
    assert session.net == 0
    assert session.bank.balance == 100
    assert [seat and seat.net for seat in session.seats] == [10, None, -10]
    assert session.seats[2].next_bet() == 20
    assert session.state.net == 0


def test_company_means_that_nothing_is_taken_back() -> None:
    session = practise("T 9 8  9 9 T", company="mimic; you")
    session.place(Fraction(10))
    session.act(Action.STAND)
    assert not session.can_undo


def test_a_counter_in_company_sees_the_cards() -> None:
    session = practise("5 5 5 5 5 5  T T T T T T", company="counter")
    session.place(Fraction(10))
    assert session.seats[1].decider.running == 5  # all but the hole card


def test_bets_of_a_bot_are_asked_of_nobody() -> None:
    session = practise("T 9 8  9 9 T", company="mimic martingale; you", chips=10)
    session.place(Fraction(10))
    assert session.state.hands[0].bet == 10
    assert session.options == (Action.HIT, Action.STAND)


# Kept.


def test_only_ones_own_spots_are_booked(store) -> None:
    with keep_until_asked(store, company=COMPANY) as session:
        finish(session)
        stored = read_round(store, session.kept.last_round)
        assert stored.player_spots == (1,)
        assert stored.net == session.net
        assert bankroll_of(store) == session.bank.balance
        assert stored.session.company == COMPANY
        assert replay_stored(stored)[-1].net == session.state.net


def test_a_round_left_is_found_with_company_shoe_and_cards_seen(store) -> None:
    left = keep_until_asked(store, company=COMPANY)
    finish(left)
    while not left.options:
        left.place(Fraction(10))
    if Action.HIT in left.options:
        left.act(Action.HIT)
    while not left.options:
        left.place(Fraction(10))
    state, seen = left.state, left.coach.seen.look()
    shoe = left.kept.fair_shoe.commitment
    left.close()
    (found,) = find_open_rounds(store)
    session = GameSession.resume(
        store, found, plan(company=COMPANY), coach=TableCoach(RULES), rng=random.Random(1)
    )
    with session:
        assert session.state == state
        assert session.player_spots == (1,)
        assert session.coach.seen.look() == seen
        assert session.kept.fair_shoe.commitment == shoe
        finish(session)
        assert session.bank.balance == bankroll_of(store)
    assert list(find_open_rounds(store)) == []


@pytest.mark.parametrize("seed", range(12))
def test_a_round_taken_up_ends_as_if_it_had_never_been_left(monkeypatch, seed) -> None:
    """Left after any answer or none, with company: the same end as in one go."""

    def play(*, leaves: bool) -> tuple[object, ...]:
        monkeypatch.setattr("secrets.token_bytes", random.Random(seed).randbytes)
        rng, ends = random.Random(seed), []
        with open_in_memory() as store:
            deposit(store, 1000)
            sat = plan(company="mimic; you; never-bust")
            session = GameSession.keep(store, sat, coach=TableCoach(RULES))
            for _ in range(4):
                session.place(Fraction(10))
                while session.options:
                    leaves_now = rng.random() < 0.5
                    if leaves and leaves_now:
                        session.close()
                        (found,) = find_open_rounds(store)
                        session = GameSession.resume(store, found, sat, coach=TableCoach(RULES))
                    session.act(rng.choice(session.options))
                ends.append((session.state.hands, session.net, session.coach.seen.look()))
            rounds = [
                (one.record.bets, one.player_spots, one.record.actions, one.net)
                for one in read_rounds(store)
            ]
            check_books(store)
            return ends, rounds, bankroll_of(store)

    assert play(leaves=True) == play(leaves=False)


def test_a_judgement_is_kept_with_its_round(store) -> None:
    with keep_until_asked(store, company=COMPANY) as session:
        asked = session.ask()
        advice = session.coach.advise(asked)
        worst = min(advice.ev, key=advice.ev.__getitem__)
        session.act(worst)
        judgement = session.judge(asked, advice, worst)
        finish(session)
        while not session.options:
            session.place(Fraction(10))
        (kept,) = read_judgements(store)
        assert kept.number == asked.round_number
        assert kept.judgement.step == asked.step
        assert kept.judgement.chosen is worst
        assert kept.judgement.cost_ev == pytest.approx(judgement.cost)
        assert judgement.cost > 0


def test_a_judgement_that_comes_late_belongs_to_its_own_round(store) -> None:
    with keep_until_asked(store) as session:
        asked = session.ask()
        action = session.options[0]
        session.act(action)
        finish(session)
        first = asked.round_number
        session.place(Fraction(10))
        session.judge(asked, session.coach.advise(asked), action)
        assert [kept.number for kept in read_judgements(store)] == [first]


def test_chips_lost_in_another_terminal_are_seen_at_the_next_bet(store) -> None:
    with keep_until_asked(store) as session:
        finish(session)
        left = bankroll_of(store)
        deposit(store, -left + 5)
        with pytest.raises(RulesError, match="more than your balance of 5"):
            session.place(Fraction(10))
        assert session.bank.balance == 5


def play_until_settled(session: GameSession, bet: int = 10) -> Fraction:
    """Play rounds until one moves chips, and return what it brought."""
    while True:
        session.place(Fraction(bet))
        finish(session)
        if session.net:
            return session.net


def test_two_terminals_of_one_profile_show_one_bankroll(store) -> None:
    """F4: the chips that another terminal won or lost are seen when a round ends."""
    with (
        GameSession.keep(store, plan(), coach=TableCoach(RULES)) as one,
        GameSession.keep(store, plan(), coach=TableCoach(RULES)) as other,
    ):
        while not one.options:
            one.place(Fraction(10))
        elsewhere = play_until_settled(other, 20)
        before = one.bank.net
        finish(one)
        assert one.bank.balance == bankroll_of(store)
        assert one.bank.net == before + one.net  # what was won elsewhere is not this session's
        assert one.bank.balance == 1000 + one.bank.net + other.bank.net
        assert elsewhere


def test_the_balance_said_on_leaving_is_the_bankroll(store) -> None:
    """F4: also where the other terminal played since the last round here."""
    with (
        GameSession.keep(store, plan(), coach=TableCoach(RULES)) as one,
        GameSession.keep(store, plan(), coach=TableCoach(RULES)) as other,
    ):
        net = play_until_settled(one)
        play_until_settled(other, 20)
        rounds = f"{one.bank.rounds} round{'s' * (one.bank.rounds > 1)}"
        said = one.bank.summarize("round")
        chips = format_chips(bankroll_of(store))
        assert said == f"Balance {chips} after {rounds}, net {signed(one.bank.net)}."
        assert net


def test_a_double_that_another_terminal_has_uncovered_is_refused(store) -> None:
    with keep_until_asked(store) as session:
        deposit(store, -(bankroll_of(store) - 10))
        with pytest.raises(NotCoveredError):
            session.act(Action.DOUBLE)
        finish(session, Action.STAND)


def test_a_round_is_taken_up_once(store) -> None:
    keep_until_asked(store).close()
    (found,) = find_open_rounds(store)
    with GameSession.resume(store, found, plan()) as session:
        finish(session)
    with pytest.raises(StoreError, match="no open round"):
        GameSession.resume(store, found, plan())


def test_kept_games_take_nothing_back(store) -> None:
    with keep_until_asked(store) as session:
        session.act(Action.STAND)
        assert not session.can_undo
        with pytest.raises(IllegalActionError, match="only practice"):
            session.undo()


def test_a_house_without_bets_needs_no_chips(store) -> None:
    deposit(store, -1000)
    rules = Rules.parse("roanoke")
    with GameSession.keep(
        store, TablePlan(rules=rules, title="T"), coach=TableCoach(rules)
    ) as session:
        session.place(Fraction(1))
        finish(session, Action.STAND)
        assert session.bank.balance is None
    assert bankroll_of(store) == 0
