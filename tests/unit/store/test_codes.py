"""Codes: a round as a short text, and back, at the table."""

import random
from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_rules import any_rules

from upcard import Action, BlackjackError, EmptyShoeError, NotationError, Rules
from upcard.core.cards import DECK, Card
from upcard.fair.shoe import KeyedShoe, Place
from upcard.rules.house import house_names, load_house
from upcard.rules.model import RULE_NAMES
from upcard.rules.validation import setting_types
from upcard.store.base58 import ALPHABET, read_base58, write_base58
from upcard.store.codes import ACTIONS, CodedRound, code_of, decode_round, encode_round
from upcard.store.errors import StoreError
from upcard.store.history import read_round
from upcard.store.packing import SETTINGS, Reader, Writer
from upcard.store.replay import actions_of, replay, replay_stored, table_at
from upcard.table import Table

KEY = bytes(range(100, 116))
COMMON = CodedRound(rules=Rules(), bets=(Fraction(10),), actions=(), key=KEY, place=Place(0, 5))
# Codes of version 1: they must say the same for ever.
FIXED = {
    "QNgFkay6miVNd9ZKChcj6rtx7M646kes8": (
        "6D S17 PEEK DOA DAS SP4 NRSA NS 3:2 | 6465666768696a6b6c6d6e6f70717273 0 57  | 10"
        " | hit, stand"
    ),
    "jk9gBgGPKePJ5qV69TukeCgCKNrQC3wJCZBThyiw9WXBqv4ZoqvDELfh2zRfegJzVFz": (
        "2D H17 ENHC D9 NDAS SP4 NRSA LS 6:5 CSM even_money=instead"
        " | 6465666768696a6b6c6d6e6f70717273 300 0  | 5/2 7"
        " | hit, stand, double, split, surrender, insurance, no insurance, even money,"
        " no even money, no split, no surrender"
    ),
    "2zMiduCtCm8NuoMtCfSZxETB8HUFoNrBxSqaLAL3w6JEg22stKJBXpcNR": (
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
    return CodedRound(rules=rules, bets=bets, actions=tuple(actions), key=key, place=place), state


@given(any_rules(), st.integers(0, 2**32))
def test_a_round_reads_back_from_its_code_and_plays_the_same(rules, seed):
    try:
        coded, state = play_random(rules, seed)
    except EmptyShoeError:
        return
    code = encode_round(coded)
    assert decode_round(code) == coded
    again = replay(code)
    assert again.states[-1] == state
    assert again.result.net == state.net
    assert [question.active >= 0 for question, _ in actions_of(again)] == [True] * len(
        coded.actions
    )


@given(any_rules(), st.integers(0, 2**32))
def test_a_code_can_list_the_cards_instead(rules, seed):
    rng = random.Random(seed)
    cards = tuple(rng.choice((*DECK, Card("T"), Card("5"))) for _ in range(rng.randint(1, 40)))
    coded = CodedRound(rules=rules, bets=(Fraction(5, 2),), actions=ACTIONS[:3], cards=cards)
    assert decode_round(encode_round(coded)) == coded
    assert not coded.has_shoe


@pytest.mark.parametrize("name", house_names())
def test_the_house_comes_back_with_its_name(name):
    rules = load_house(name).rules
    coded = CodedRound(rules=rules, bets=(Fraction(1),), actions=(), key=KEY)
    coded = decode_round(encode_round(coded))
    assert coded.rules == rules
    assert load_house(coded.rules.name).rules == rules


def test_a_code_of_the_common_game_is_short():
    coded = CodedRound(
        rules=Rules(),
        bets=(Fraction(10),),
        actions=(Action.SPLIT, Action.HIT, Action.STAND, Action.DOUBLE),
        key=b"\xff" * 16,
        place=Place(0, 200),
    )
    assert len(encode_round(coded)) <= 37
    assert (
        len(
            encode_round(
                CodedRound(**{**_fields(coded), "key": b"", "place": Place(), "cards": DECK[:8]})
            )
        )
        <= 24
    )


def _fields(coded):
    names = ("rules", "bets", "actions", "key", "place", "cards")
    return {name: getattr(coded, name) for name in names}


@pytest.mark.parametrize(("code", "text"), FIXED.items())
def test_codes_of_the_first_version_stay_good(code, text):
    coded = decode_round(code)
    said = f"{coded.rules} | {coded.key.hex()} {coded.place.shuffle} {coded.place.dealt}"
    cards = " ".join(map(str, coded.cards))
    bets = " ".join(map(str, coded.bets))
    assert f"{said} {cards} | {bets} | {', '.join(coded.actions)}" == text


def test_codes_can_say_every_setting_and_every_word_of_it():
    assert [name for name, _, _ in SETTINGS] == list(RULE_NAMES)
    for name, common, words in SETTINGS:
        assert common == getattr(Rules(), name)
        kinds = [kind for kind in setting_types()[name] if words and kind is type(words[0])]
        assert len(words) == len(set(words))
        assert set(words) == {word for kind in kinds for word in kind}
    assert set(ACTIONS) == set(Action)


@given(st.binary(max_size=60).filter(lambda data: not data.startswith(b"\0")))
def test_base_58_reads_back(data):
    text = write_base58(data)
    assert set(text) <= set(ALPHABET)
    if data:
        assert read_base58(text) == data
        assert read_base58(f" {text[:3]}\n{text[3:]} ") == data


@given(st.lists(st.fractions(0), max_size=5), st.lists(st.integers(0, 2**200), max_size=5))
def test_numbers_read_back(fractions, numbers):
    out = Writer()
    for fraction in fractions:
        out.fraction(fraction)
    for number in numbers:
        out.number(number)
    source = Reader(bytes(out.data))
    assert [source.fraction() for _ in fractions] == fractions
    assert [source.number() for _ in numbers] == numbers
    assert source.rest() == b""


@given(st.one_of(st.text(max_size=60), st.text(ALPHABET, max_size=60)))
def test_no_text_crashes(text):
    with suppress(BlackjackError):
        replay(text)


@given(st.binary(min_size=1, max_size=60))
def test_no_bytes_with_good_check_letters_crash(data):
    from upcard.store.codes import _check

    with suppress(BlackjackError):
        replay(write_base58(b"\1" + data + _check(b"\1" + data)))
    with suppress(BlackjackError):
        replay(write_base58(b"\2" + data + _check(b"\2" + data)))


@given(st.integers(0, 2**32), st.integers(0, 100), st.sampled_from(ALPHABET))
def test_a_mistyped_letter_is_found(seed, where, letter):
    code = encode_round(play_random(Rules(), seed)[0])
    where %= len(code)
    mistyped = code[:where] + letter + code[where + 1 :]
    if mistyped != code:
        # Two check bytes: one slip in 65,536 gets past them, none of these examples.
        with pytest.raises(NotationError):
            decode_round(mistyped)


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("", "an empty code"),
        ("0OIl", "'0' is in no code"),
        ("abc", "check letters do not fit"),
        ("z" * 401, "no code has more than 400"),
    ],
)
def test_what_is_no_code_is_refused(code, fault):
    with pytest.raises(NotationError, match=fault):
        decode_round(code)


def test_answers_that_the_cards_do_not_allow_are_refused():
    code = encode_round(CodedRound(**{**_fields(COMMON), "actions": (Action.SURRENDER,)}))
    with pytest.raises(NotationError, match="the code cannot be played: cannot surrender"):
        replay(code)


def test_a_code_may_break_off():
    again = replay(encode_round(COMMON))
    assert not again.is_over
    with pytest.raises(NotationError, match="breaks off after 0 answers"):
        _ = again.result


def test_a_round_can_be_played_on_otherwise():
    coded, _ = play_random(Rules(), 7)
    assert coded.actions
    for answers in range(len(coded.actions) + 1):
        table = table_at(encode_round(coded), answers=answers)
        assert table.state == replay(coded).states[answers]
    table = table_at(coded, answers=0)
    other = next(action for action in table.state.legal if action != coded.actions[0])
    state = table.act(other)
    while not state.is_over:
        state = table.act(Action.STAND)
    with pytest.raises(NotationError, match=f"0 to {len(coded.actions)}"):
        table_at(coded, answers=len(coded.actions) + 1)


def test_a_list_of_cards_ends_where_the_round_did():
    cards = "T 9 8 T"
    listed = CodedRound(
        rules=Rules(),
        bets=(Fraction(1),),
        actions=(Action.STAND,),
        cards=tuple(map(Card, cards.split())),
    )
    assert replay(encode_round(listed)).is_over is True
    table = table_at(listed, answers=0)
    with pytest.raises(EmptyShoeError):
        table.act(Action.HIT)


def test_a_stored_round_has_the_code_of_its_shoe_once_that_is_over(quick_store, sit, play):
    table = play(sit(quick_store, "1D PEN50"))
    listed = code_of(read_round(quick_store, 1))
    assert not listed.has_shoe
    table.end_shoe()
    stored = read_round(quick_store, 1)
    assert code_of(stored).has_shoe
    assert replay(code_of(stored)).result.net == replay(listed).result.net == stored.net


def test_a_round_that_was_tampered_with_does_not_replay(quick_store, sit, play):
    play(sit(quick_store)).close()
    replay_stored(read_round(quick_store, 1))
    quick_store.run("UPDATE rounds SET net = '777'")
    with pytest.raises(StoreError, match="round 1 does not replay"):
        replay_stored(read_round(quick_store, 1))
