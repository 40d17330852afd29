"""The table as lines: whatever is played, it keeps within the room there is."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard.rules.model import Rules
from upcard.table.events import Board
from upcard.table.rounds import Table
from upcard.table.shoe import ScriptedShoe, make_shoe
from upcard.tui.appearance import Appearance
from upcard.tui.drawing import Scene, draw_table


def board_of(cards, *, rules="6D", hands=1, actions=()):
    found = Rules.parse(rules)
    table, board = Table(found, ScriptedShoe(cards)), Board(found)
    table.listeners.append(board.hear)
    table.start([10] * hands)
    for action in actions:
        table.act(action)
    return board, table


def lines_of(board, *, width=80, height=17, **scene):
    look = scene.pop("look", Appearance())
    drawn = draw_table(Scene(board=board, look=look, **scene), width=width, height=height)
    return [line.plain for line in drawn]


def test_a_round_as_it_is_dealt():
    board, _table = board_of("TS 9H 6D TC")
    text = "\n".join(lines_of(board, height=12, names=["you"], active=0))
    assert "Dealer 9" in text
    assert "► you: 10" in text
    assert "▒" in text
    assert "16" in text


def test_a_round_as_it_ends():
    board, _ = board_of("TS 9H 8D TC", actions=["stand"])
    text = "\n".join(lines_of(board, names=["you"]))
    assert "Dealer 19" in text
    assert "18 lose −10" in text


def test_a_natural_of_the_dealer_has_its_name():
    board, _ = board_of("TS AH 8D TC", actions=["no insurance"])
    assert "Dealer natural" in "\n".join(lines_of(board, names=["you"]))


def test_without_bets_no_chips_are_shown():
    board, _ = board_of("TS 9H 8D TC", actions=["stand"])
    text = "\n".join(lines_of(board, names=["you"], has_bets=False))
    assert "10:" not in text
    assert "-10" not in text
    assert "lose" in text


def test_seven_hands_stand_in_two_rows_of_fans():
    board, _ = board_of("2 3 4 5 6 7 8 9 2 3 4 5 6 7 8 T", hands=7)
    names = [f"you {number}" for number in range(1, 8)]
    lines = lines_of(board, names=names, active=0)
    assert len(lines) <= 17
    assert sum("you" in line for line in lines) == 2


def test_eleven_hands_become_stacks_with_the_dealer_apart():
    board, _ = board_of(
        "8 8 8 8 8 8 8 6 8 8 8 8 8 8 8 T" + " 9" * 8, hands=7, actions=["split"] * 1
    )
    for hand in range(4):
        board._note(hand * 2, "split")
        for half in (0, 1):
            board.hands[hand * 2 + half].append(board.hands[0][0])
    lines = lines_of(board, width=80, height=12, names=["you"] * 7, active=3)
    assert len(lines) <= 12
    assert max(map(len, lines)) <= 80
    assert "Dealer" in "\n".join(lines)


def test_in_next_to_no_room_every_hand_is_a_line():
    board, _ = board_of("2 3 4 5 6 7 8 9 2 3 4 5 6 7 8 T", hands=7)
    lines = lines_of(board, width=40, height=5, names=["you"] * 7, active=6)
    assert len(lines) == 5
    assert "►" in lines[-1]
    assert "3 more" in lines[-1]


@pytest.mark.slow
@given(
    seed=st.integers(0, 10**6),
    hands=st.integers(1, 7),
    width=st.integers(56, 150),
    height=st.integers(5, 40),
    ascii_only=st.booleans(),
)
def test_whatever_is_played_it_keeps_within_its_room(seed, hands, width, height, ascii_only):
    rng = random.Random(seed)
    rules = Rules.parse("6D LS SP8 RSA")
    table, board = Table(rules, make_shoe(rules, rng)), Board(rules)
    table.listeners.append(board.hear)
    table.start([Fraction(10)] * hands)
    look = Appearance(ascii_only=ascii_only)
    while True:
        active = table.state.active if table.is_playing else -1
        lines = lines_of(
            board, width=width, height=height, names=["somebody"] * 7, active=active, look=look
        )
        assert len(lines) <= height
        if width >= 80:
            assert max(len(line.rstrip()) for line in lines) <= width
        if ascii_only:
            assert all(line.replace("−", "-").isascii() for line in lines)  # AsciiFilter
        if not table.is_playing:
            break
        legal = table.legal_actions()
        table.act("split" if "split" in legal else rng.choice(legal))
    assert all(board.results)


@pytest.mark.parametrize("height", [8, 12, 17, 36])
def test_every_card_is_on_the_picture(height):
    board, _ = board_of("2S 9H 3S TC 4S 5S 6S", actions=["hit", "hit", "stand"])
    text = "\n".join(lines_of(board, height=height, names=["you"]))
    assert text.count("♠") >= 4
