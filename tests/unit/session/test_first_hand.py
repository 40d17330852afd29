"""The led first hands: every step asks for the best answer, refuses others, and is resumed."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from upcard.core.actions import Action
from upcard.core.cards import DECK
from upcard.session import first_hand
from upcard.session.coaching import CoachVoice
from upcard.session.first_hand import HANDS, LED, FirstHands, find_place, open_first_hands
from upcard.session.seat import Due, Seat, Update
from upcard.store import bankroll
from upcard.store.database import open_store
from upcard.store.files import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.store.database import Store

LED_ANSWERS = (
    ("hit", "stand"),
    ("hit",),
    ("double",),
    ("split", "stand", "stand"),
    ("stand",),
)


@pytest.fixture
def store(tmp_path) -> Iterator[Store]:
    with open_store(tmp_path / "upcard.db") as found:
        yield found


def sit(store: Store | None) -> tuple[Seat, FirstHands]:
    seat = open_first_hands(store)
    assert seat.guide is not None
    seat.begin()
    return seat, seat.guide


def bet(seat: Seat) -> Update:
    update = seat.bet("10")
    assert update.fault is None
    return update


def play_led(seat: Seat, guide: FirstHands) -> list[str]:
    """Play a led hand as its steps say; return the answers."""
    bet(seat)
    answers = []
    while (asked := guide.step.action) is not None:
        assert seat.act(asked).refusal is None
        answers.append(str(asked))
    return answers


def play_ten(seat: Seat) -> None:
    """Play a hand by the coach's best answers."""
    bet(seat)
    while seat.session.options:
        seat.act(seat.coaching.advise().best)
    seat.coaching.judge()
    seat.collect()


def test_the_led_hands_ask_for_the_best_answers_and_have_every_step() -> None:
    seat, guide = sit(None)
    steps = []
    for answers in LED_ANSWERS:
        steps.append(guide.step.title)
        bet(seat)
        for answer in answers:
            steps.append(guide.step.title)
            request = seat.session.ask()
            assert request is not None
            assert seat.session.coach is not None
            assert guide.step.action is seat.session.coach.advise(request).best is Action(answer)
            assert guide.voice is CoachVoice.SILENT
            seat.act(Action(answer))
    names = [title.partition(": ")[2] for title in dict.fromkeys(steps)]
    assert names == ["Bet", "Hit", "Stand", "Bust", "Double", "Split", "The dealer"]
    assert seat.session.bank.net == 40
    assert guide.voice is CoachVoice.BEFORE


def test_the_shoe_has_the_cards_of_six_decks_wherever_it_is_resumed() -> None:
    for played in range(LED):
        cards = first_hand._choose_cards(open_first_hands(None).session.rules, played)
        assert not Counter(cards) - Counter(list(DECK) * 6)
        assert len(cards) <= 6 * len(DECK)
    assert Counter(first_hand._choose_cards(sit(None)[0].session.rules, 0)) == Counter(
        dict.fromkeys(DECK, 6)
    )


def test_another_answer_is_refused_and_changes_nothing() -> None:
    seat, guide = sit(None)
    bet(seat)
    before = guide.step
    refused = seat.act(Action.STAND)
    assert refused.refusal is not None
    assert (refused.refusal.action, refused.refusal.legal) == (Action.STAND, (Action.HIT,))
    assert guide.step == before
    assert seat.undo().fault is not None
    assert seat.play_hands(2).fault is not None
    assert seat.bet("10").fault is not None


def test_a_bet_that_would_leave_too_little_for_a_double_is_refused() -> None:
    seat, _ = sit(None)
    assert seat.bet("200").fault is not None
    assert seat.due is Due.BET


def test_the_place_is_saved_after_every_hand_and_a_hand_that_was_left_begins_again(store) -> None:
    seat, guide = sit(store)
    assert find_place(store).place == ""
    assert play_led(seat, guide) == ["hit", "stand"]
    bet(seat)  # and leave in the middle of the second
    assert find_place(store).place == f"1 of {LED + HANDS} hands played"
    assert find_place(store).done == 3
    seat, guide = sit(store)
    assert guide.step.title == "Step 4 of 7: Bust"
    for answers in LED_ANSWERS[1:]:
        assert tuple(play_led(seat, guide)) == answers
    assert find_place(store).done == 7


def test_ten_hands_are_counted_and_scored_across_two_sittings(store) -> None:
    seat, guide = sit(store)
    for _ in range(LED):
        play_led(seat, guide)
    for _ in range(4):
        play_ten(seat)
    seat, guide = sit(store)
    assert guide.step.title.startswith(f"Hand 5 of {HANDS}")
    for _ in range(HANDS - 4):
        play_ten(seat)
    assert guide.step.is_over
    assert "the goal is reached" in guide.step.words
    assert seat.bet("10").fault is not None
    assert find_place(store).place == ""  # they begin again


def test_mistakes_in_the_ten_hands_are_counted(store) -> None:
    bankroll.save_setting(
        store, "first hands", {"played": LED + HANDS - 1, "judged": 12, "right": 10}
    )
    seat, guide = sit(store)
    assert guide.step.words.startswith("2 mistakes so far")
    play_ten(seat)
    assert guide.step.is_over
    assert "2 mistakes" in guide.step.words


@pytest.mark.parametrize(
    "saved",
    [
        {},
        {"played": "x", "judged": 0, "right": 0},
        {"played": -1, "judged": 0, "right": 0},
        {"played": LED + HANDS, "judged": 20, "right": 20},
    ],
)
def test_a_place_that_cannot_be_read_is_the_beginning(store, saved) -> None:
    bankroll.save_setting(store, "first hands", saved)
    assert sit(store)[1].step.hands_played == 0


def test_a_full_disk_does_not_stop_the_hands(store, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(bankroll, "save_setting", fail)
    seat, guide = sit(store)
    for answers in islice(LED_ANSWERS, 2):
        assert tuple(play_led(seat, guide)) == answers
    assert guide.step.hands_played == 2
