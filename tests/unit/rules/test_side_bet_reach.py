"""Rows that no cards reach: found as trying every hand finds them, in little and bounded work."""

import random
from itertools import combinations, product

import pytest

from upcard.core.cards import DECK, FACES, Card
from upcard.core.errors import RulesError
from upcard.rules import side_bet_reach
from upcard.rules.side_bet_files import read_side_bet, shipped_side_bets
from upcard.rules.side_bet_reach import Work, find_unreachable

FIVE = ("player1", "player2", "upcard", "hole", "next1")


def write(rows, cards, more=""):
    written = ",\n".join(
        f'  {{name = "row {n}", {row}, pays = 2}}' for n, row in enumerate(rows, 1)
    )
    names = ", ".join(f'"{name}"' for name in cards)
    return f'title = "x"\nsource = "x"\ncards = [{names}]\n{more}\nwin = [\n{written}\n]\n'


def read(rows, cards=FIVE, more=""):
    return read_side_bet(write(rows, cards, more), name="x", where="x.toml")


def make(rows, cards, monkeypatch, more=""):
    """Read a bet without looking for rows that are never reached."""
    monkeypatch.setattr("upcard.rules.side_bet_files.find_unreachable", lambda _: [])
    return read(rows, cards, more)


def find_by_hand(bet, kinds):
    """Return the names of the rows that no hand of these kinds of cards reaches, in any order."""
    size = len(bet.cards) + bool(bet.for_each)
    reached = set()
    for hand in product(kinds, repeat=size):
        dealt = (*hand, *hand[-1:] * (max(len(bet.for_each), 1) - 1))
        for natural in (False, True):
            reached.update(bet.find_rows(dealt, has_natural=natural))
    return [row.name for number, row in enumerate(bet.rows) if number not in reached]


WORDS = (
    *("same_rank = 2", "same_value = 2", "same_suit = 2", "same_colour = 2", "run = 2"),
    *("run = 2, same_suit = 2", "same_rank = 2, same_colour = 2", "total = 12", "total = '2-11'"),
    *("total = '12+'", "total = 12, ace = 1", 'ranks = ["A", "X"]', 'ranks = ["T", "K"]'),
    *('exact = ["KH", "AH"]', 'exact = ["2C", "2D"]', "same_suit = 2, dealer_natural = true"),
    *("same_rank = 2, dealer_natural = false", 'ranks = ["A"], cards = ["player1"]'),
    *('ranks = ["K"], cards = ["upcard"]', "same_colour = 2, dealer_natural = true"),
)


@pytest.mark.fast_cases(25)
@pytest.mark.parametrize("seed", range(150))
def test_two_cards_agree_with_trying_every_hand(seed, monkeypatch):
    draw = random.Random(seed)
    rows = draw.sample(WORDS, draw.randint(2, 6))
    bet = make(rows, ("player1", "upcard"), monkeypatch)
    assert [row.name for row in find_unreachable(bet)] == find_by_hand(bet, DECK)


THREE_WORDS = (
    *(f"{word} = {n}" for word in ("same_rank", "same_suit", "same_colour", "run") for n in (2, 3)),
    *("run = 2, same_suit = 3", "run = 3, same_colour = 3", "total = '3-20'", "total = '21+'"),
    *("between = 1", "between = '2+'", "same_suit = 2, cards = ['player1', 'upcard']"),
    *("same_rank = 2, cards = ['player2', 'upcard']", "exact = ['AH', 'AH', 'KS']"),
    "ranks = ['A', 'A', 'K']",
)


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("seed", range(40))
def test_three_cards_agree_with_trying_hands_of_some_ranks(seed, monkeypatch):
    draw = random.Random(seed)
    rows = draw.sample(THREE_WORDS, draw.randint(3, 7))
    bet = make(rows, ("player1", "player2", "upcard"), monkeypatch)
    # Every suit of these: enough for all rows here.
    kinds = [card for card in DECK if card.face in "A234QK"]
    work = Work()
    found, wanted = [row.name for row in find_unreachable(bet, work)], find_by_hand(bet, kinds)
    # A search that was given up names no row that is reached.
    assert found == (wanted[: len(found)] if work.is_over else wanted)


@pytest.mark.parametrize("seed", range(6))
def test_each_card_in_turn_agrees_with_trying_every_hand(seed, monkeypatch):
    draw = random.Random(seed)
    rows = draw.sample(WORDS[:13], 4)
    more = 'for_each = ["player1", "player2"]'
    bet = make(rows, ("upcard",), monkeypatch, more)
    assert [row.name for row in find_unreachable(bet)] == find_by_hand(bet, DECK)


def test_five_cards_are_decided_in_little_work():
    """Four suits: two of five cards always share one, three always a colour."""
    for rows, never in (
        (["same_suit = 2", "same_rank = 5"], ["row 2"]),
        (
            ["same_suit = 2", *(f"same_rank = {n}" for n in (5, 4, 3, 2))],
            [f"row {n}" for n in "2345"],
        ),
        (["same_colour = 3", "same_rank = 5"], ["row 2"]),
        (["same_rank = 5", "same_rank = 4", "same_suit = 5", "run = 5", "same_suit = 2"], []),
        (
            ["same_suit = 2", *(f"same_rank = {n}, run = {m}" for n in (3, 4) for m in (3, 4, 5))],
            None,
        ),
    ):
        work = Work()
        bet = _Quiet.read(rows)
        found = [row.name for row in find_unreachable(bet, work)]
        assert found == (never if never is not None else [row.name for row in bet.rows[1:]])
        assert not work.is_over
        assert work.tried < 100_000


class _Quiet:
    """Reads bets whose rows may never be reached."""

    @staticmethod
    def read(rows, cards=FIVE):
        with pytest.MonkeyPatch.context() as patch:
            return make(rows, cards, patch)


@pytest.mark.parametrize("cards", [FIVE, ("dealer",)])
def test_any_file_is_decided_or_given_up_in_bounded_work(cards, monkeypatch):
    monkeypatch.setattr(side_bet_reach, "MOST_TRIED", 5_000)
    draw = random.Random(5)
    several = [
        f"{word} = {n}"
        for word in ("same_rank", "same_suit", "same_colour", "run")
        for n in (2, 3, 4, 5)
    ]
    several += [f"total = '{n}+'" for n in (18, 22, 24)]
    for _ in range(15):
        bet = _Quiet.read(draw.sample(several, 12), cards)
        work = Work()
        find_unreachable(bet, work)
        assert work.tried <= 5_000 + len(bet.rows)


def test_work_is_counted_where_groups_have_many_cards():
    """A dealer's hand of 13 cards has 1,716 groups of 6; they are counted, not tried."""
    bet = _Quiet.read(["same_suit = 6, same_colour = 6", "run = 9", "same_rank = 9"], ("dealer",))
    hand = tuple(Card(face + "CDHS"[place % 4]) for place, face in enumerate("A" * 13))
    assert bet.find_rows(hand) == (2,)


def naive_has_group(cards, number, words):
    """Whether some group of cards fits, by trying every group of that number."""
    fits = {
        "same_rank": lambda group: len({card.face for card in group}) == 1,
        "same_value": lambda group: len({card.rank for card in group}) == 1,
        "same_suit": lambda group: len({card.suit for card in group}) == 1,
        "same_colour": lambda group: len({card.suit in "HD" for card in group}) == 1,
        "run": lambda group: any(
            sorted(places) == list(range(min(places), min(places) + number))
            for places in (
                [FACES.index(card.face) for card in group],
                [FACES.index(card.face) or 13 for card in group],
            )
        ),
    }
    return any(all(fits[word](group) for word in words) for group in combinations(cards, number))


@pytest.mark.parametrize("seed", range(20))
def test_groups_agree_with_trying_every_group(seed):
    draw = random.Random(seed)
    for _ in range(60):
        words = tuple(
            draw.sample(("same_rank", "same_value", "same_suit", "same_colour", "run"), 2)
        )
        number = draw.randint(2, 4)
        bet = _Quiet.read([", ".join(f"{word} = {number}" for word in words)])
        faces = draw.choice(("A23QK", FACES, "AKQ2", "5678"))
        cards = [Card(draw.choice(faces) + draw.choice("CDHS")) for _ in range(5)]
        assert bool(bet.find_rows(cards)) is naive_has_group(cards, number, words), (cards, words)


def test_a_dealers_hand_is_tried_with_all_kinds_of_suits():
    # Two suits apart on every three cards, and a hand of exact cards: both were refused.
    assert read(["same_suit = 2", "size = 3"], ("dealer",)).rows
    assert read(["size = '4+'", "exact = ['QH', '6D', 'TC']"], ("dealer",)).rows
    with pytest.raises(RulesError, match="row 'row 2' is never reached"):
        read(["size = '2+'", "exact = ['QH', '6D', 'TC']"], ("dealer",))
    with pytest.raises(RulesError, match="row 'row 1' is never reached"):
        read(["exact = ['2H', '6D', '2C']"], ("dealer",))


@pytest.mark.parametrize("bet", shipped_side_bets(), ids=lambda bet: bet.name)
def test_every_row_of_a_shipped_bet_is_reached(bet):
    work = Work()
    assert find_unreachable(bet, work) == []
    assert not work.is_over
