"""Codes: a round as a short text, and back, at the table."""

import base64
import hashlib
import json
import random
import zlib
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_rules import any_rules

from campaign.books import replay_stored
from upcard import Action, BlackjackError, EmptyShoeError, NotationError, Rules
from upcard.core.cards import DECK, Card
from upcard.fair.fair_shoe import FairShoe, KeyedCards, KeyedShoe, Place
from upcard.rules.house import house_names, load_house
from upcard.store.files import StoreError
from upcard.store.history import read_round
from upcard.store.round_codes import decode_round, encode_round
from upcard.table import Table
from upcard.table.rounds import CardList, RoundRecord

KEY = bytes(range(100, 116))
ALL = tuple(Action)
COMMON = RoundRecord(rules=Rules(), bets=(Fraction(10),), source=KeyedCards(KEY, Place(0, 5)))
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
# They must say the same for ever.
FIXED = {
    "0GRlZmdoaWprbG1ub3BxcnMjRS3MfFNzAMLVxg": (
        "6D S17 PEEK DOA DAS SP4 NRSA NS 3:2 | 6465666768696a6b6c6d6e6f70717273 0 57  | 10"
        " | hit, stand"
    ),
    "0GRlZmdoaWprbG1ub3BxcnMDxgg8HoAh7oduNChAQUGImTBqTPWNFMxrkB0N"
    "8w3Uc0ghguRz1CBBC0_04IWHItysGmNg9BgAAKSvhQ": (
        "2D H17 ENHC D9 NDAS SP4 NRSA LS 6:5 CSM even_money=instead"
        " | 6465666768696a6b6c6d6e6f70717273 300 0  | 5/2 7"
        " | hit, stand, double, split, surrender, insurance, no insurance, even money,"
        " no even money, no split, no surrender"
    ),
    "0RQeEAkFPf8zhKhFDmCYMkOUMMSMIKxJDD1r4cwhmGkImmKA0QH2CABMHnA": (
        "roanoke |  0 0 8D 5H 4D TC 6C T | 1 | stand"
    ),
}


def play_random(rules, seed, place=Place()):  # noqa: B008
    """Play a round with random answers; return what a code says of it, and the round."""
    rng = random.Random(seed)
    key = rng.randbytes(16)
    table = Table(rules, KeyedShoe(rules, key, place))
    spots = 1 + seed % min(rules.max_spots, 3)
    bets = tuple(Fraction(rng.randint(1, 30), rng.choice((1, 1, 2))) for _ in range(spots))
    actions = []
    state = table.start(bets)
    while not state.is_over:
        actions.append(rng.choice(state.legal))
        state = table.act(actions[-1])
    source = KeyedCards(key, place)
    return RoundRecord(rules=rules, bets=bets, actions=tuple(actions), source=source), state


@pytest.mark.slow
@given(any_rules(), st.integers(0, 2**32))
def test_a_round_reads_back_from_its_code_and_plays_the_same(rules, seed):
    try:
        coded, state = play_random(rules, seed)
    except EmptyShoeError:
        return
    code = encode_round(coded)
    assert set(code) <= set(LETTERS)
    again = decode_round(code)
    assert again == coded
    states = again.play()
    assert states[-1] == state
    assert len(states) == len(coded.actions) + 1
    assert again.result.net == state.net


@pytest.mark.slow
@given(any_rules(), st.integers(0, 2**32))
def test_a_code_can_list_the_cards_instead(rules, seed):
    rng = random.Random(seed)
    cards = tuple(rng.choice((*DECK, Card("T"), Card("5"))) for _ in range(rng.randint(1, 40)))
    coded = RoundRecord(
        rules=rules, bets=(Fraction(5, 2),), actions=ALL[:3], source=CardList(cards)
    )
    assert decode_round(encode_round(coded)) == coded
    assert isinstance(coded.source, CardList)


@pytest.mark.parametrize("name", house_names())
def test_the_house_comes_back_with_its_name(name):
    rules = load_house(name).rules
    coded = RoundRecord(rules=rules, bets=(Fraction(1),), source=KeyedCards(KEY))
    coded = decode_round(encode_round(coded))
    assert coded.rules == rules
    assert load_house(coded.rules.name).rules == rules


def test_a_code_of_the_common_game_is_short():
    coded = RoundRecord(
        rules=Rules(),
        bets=(Fraction(10),),
        actions=(Action.SPLIT, Action.HIT, Action.STAND, Action.DOUBLE),
        source=KeyedCards(b"\xff" * 16, Place(0, 200)),
    )
    assert len(encode_round(coded)) <= 50
    assert len(encode_round(replace(coded, source=CardList(DECK[:8])))) <= 40


def test_a_code_survives_copying_and_is_no_option_number_or_file():
    for seed in range(50):
        code = encode_round(play_random(Rules(), seed)[0])
        assert code[0] == "0"
        assert not code.isdecimal()
        assert decode_round(f" {code[:9]}\n{code[9:]} ") == decode_round(code)


@pytest.mark.parametrize(("code", "text"), FIXED.items())
def test_codes_stay_good(code, text):
    coded = decode_round(code)
    match coded.source:
        case KeyedCards(key, place):
            said = f"{key.hex()} {place.shuffle} {place.dealt} "
        case CardList(cards):
            said = f" 0 0 {' '.join(map(str, cards))}"
    bets = " ".join(str(bet.main) for bet in coded.bets)
    assert f"{coded.rules} | {said} | {bets} | {', '.join(coded.actions)}" == text


@given(st.one_of(st.text(max_size=60), st.text(LETTERS, max_size=60)))
def test_no_text_crashes(text):
    for code in (text, "0" + text):
        with suppress(BlackjackError):
            decode_round(code).play()


def check_bytes(data, count):
    return hashlib.sha256(data).digest()[:count]


@given(st.binary(min_size=1, max_size=60))
def test_no_bytes_with_good_check_letters_crash(data):
    for kind in (b"\xd0" + KEY, b"\xd1"):
        with suppress(BlackjackError):
            whole = kind + data
            letters = base64.urlsafe_b64encode(whole + check_bytes(whole, 3)).decode().rstrip("=")
            decode_round(letters).play()


@given(st.text(max_size=80))
def test_no_text_within_a_code_crashes(text):
    deflate = zlib.compressobj(wbits=-15)
    whole = b"\xd1" + deflate.compress(text.encode()) + deflate.flush()
    letters = base64.urlsafe_b64encode(whole + check_bytes(whole, 3)).decode().rstrip("=")
    with pytest.raises(BlackjackError):
        decode_round(letters)


@given(st.integers(0, 2**32), st.integers(0, 100), st.sampled_from(LETTERS))
def test_a_mistyped_letter_is_found(seed, where, letter):
    code = encode_round(play_random(Rules(), seed)[0])
    where %= len(code)
    mistyped = code[:where] + letter + code[where + 1 :]
    if mistyped != code:
        # Three check bytes: one slip in 16 million gets past them, none of these examples.
        with pytest.raises(NotationError):
            decode_round(mistyped)


@pytest.mark.parametrize(("bets", "length"), [(1, 3_000), (8, 400), (8, 3_000), (8, 20_000)])
def test_a_round_of_any_house_with_bets_of_its_own_reads_back_from_its_code(bets, length):
    """Whole bets are in the code: those of a large house make a long one."""
    rng = random.Random(bets * length)
    side = []
    for number in range(bets):
        row = {"name": "seven", "ranks": ["7"], "pays": "11"}
        data = {
            "name": f"own {length}",
            "code": f"own{number}",
            "source": "us",
            "cards": ["player1"],
        }
        data |= {"cards": ["player1"], "win": [row], "title": ""}
        data["title"] = "".join(rng.choices(LETTERS, k=length - len(json.dumps(data))))
        packed = zlib.compress(json.dumps(data).encode(), 9)
        side.append("+bet:" + base64.urlsafe_b64encode(packed).decode().rstrip("="))
    rules = Rules(side_bets=tuple(side))
    wagers = ("10 " + " ".join(f"own{number} 1" for number in range(bets)),)
    for source in (KeyedCards(KEY), CardList(DECK[:8])):
        coded = RoundRecord(rules=rules, bets=wagers, source=source, actions=(Action.STAND,))
        again = decode_round(encode_round(coded))
        assert again == coded
        assert [bet.title for bet in again.rules.side_bets] == [
            bet.title for bet in rules.side_bets
        ]


@pytest.mark.parametrize(
    ("rules", "actions", "cards", "words"),
    [
        ("6D", "hit, " * 1_000 + "stand", b"\x01", "longer than that of any round"),
        ("6D" + " " * 5_000, "stand", b"\x01", "longer than that of any round"),
        ("6D", "hit, " * 10_000_000 + "stand", b"\x01", "does not end where it should"),
        ("6D", "stand", b"\x01" * 2_001, "no round has 2001 cards"),
    ],
)
def test_a_code_unpacks_to_no_more_than_a_round_can_have(rules, actions, cards, words):
    deflate = zlib.compressobj(9, wbits=-15)
    text = f"{rules}|1|{actions}".encode()
    whole = b"\xd1" + cards + b"\xff" + deflate.compress(text) + deflate.flush()
    letters = base64.urlsafe_b64encode(whole + check_bytes(whole, 3)).decode().rstrip("=")
    with pytest.raises(NotationError, match=words):
        decode_round(letters)


LISTED = RoundRecord(
    rules=Rules(),
    bets=(Fraction(1),),
    actions=(Action.STAND,),
    source=CardList(tuple(map(Card, ["T", "9", "8", "T"]))),
)


def play_code(**changes):
    return decode_round(encode_round(replace(COMMON, **changes))).play()


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda: decode_round(""), "an empty code: copy all of it"),
        (
            lambda: decode_round("abc"),
            "code 'abc' is mistyped or not whole: its check letters do not fit",
        ),
        (
            lambda: decode_round("QNgFkay6miVNd9ZKChcj6rtx7M646kes8"),
            (
                "code 'QNgFkay6miVNd9ZKChcj6rtx7M646kes8' is mistyped or not whole:"
                " its check letters do not fit"
            ),
        ),
        (
            lambda: decode_round("0a%c"),
            "code '0a%c' is mistyped or not whole: its check letters do not fit",
        ),
        (
            lambda: decode_round("abc+def/"),  # not URL-safe: Python 3.15 warns of both
            "code 'abc+def/' is mistyped or not whole: its check letters do not fit",
        ),
        (
            lambda: decode_round("0" * 216_441),
            "a code of 216441 characters: no code has more than 216440",
        ),
        (
            lambda: encode_round(replace(COMMON, source=FairShoe(Rules()).prepare_round())),
            "a hand left unfinished has no code: finish it first",
        ),
        (
            lambda: play_code(actions=(Action.SURRENDER,)),
            (
                "the round cannot be played: cannot surrender 6D AD (soft 17) v QD:"
                " this house has no surrender. Legal: hit, stand, double"
            ),
        ),
        (
            lambda: play_code(source=KeyedCards(KEY, Place(0, 311))),
            (
                "no round begins at card 311 of shuffle 0: with these rules it is card"
                " 0 to 233, shuffle 0 to 4294967295"
            ),
        ),
        (
            lambda: decode_round(encode_round(COMMON)).result,
            "the round breaks off after 0 answers: its end is unknown",
        ),
        (
            lambda: play_code(source=LISTED.source, actions=(Action.HIT,)),
            "the round cannot be played: card 5 was needed, the script has 4",
        ),
    ],
)
def test_what_is_no_code_of_a_round_is_refused(ask, sentence):
    """A hand left unfinished has none: its seeds would tell the cards to come."""
    with pytest.raises(NotationError) as caught:
        ask()
    assert str(caught.value) == sentence


def test_a_code_may_break_off():
    assert not play_code()[-1].is_over


def test_a_list_of_cards_ends_where_the_round_did():
    assert decode_round(encode_round(LISTED)).play()[-1].is_over is True


def test_a_stored_round_has_the_code_of_its_shoe_once_that_is_over(quick_store, sit, play):
    table = play(sit(quick_store, "1D PEN50"))
    listed = read_round(quick_store, 1).record
    assert isinstance(listed.source, CardList)
    table.end_shoe()
    stored = read_round(quick_store, 1)
    assert not isinstance(stored.record.source, CardList)
    assert stored.record.result.net == listed.result.net == stored.net


def test_a_round_that_was_tampered_with_does_not_replay(quick_store, sit, play):
    play(sit(quick_store)).close()
    replay_stored(read_round(quick_store, 1))
    quick_store.run("UPDATE rounds SET net = '777'")
    with pytest.raises(StoreError, match="round 1 does not replay"):
        replay_stored(read_round(quick_store, 1))
