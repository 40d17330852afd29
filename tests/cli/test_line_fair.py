"""The fair shuffle in the line game: what is shown before a shoe, and after it."""

from __future__ import annotations

import hashlib
import json
import re

import pytest
from driving import fix_shuffle, talk

from upcard import Rules
from upcard.store.database import open_store
from upcard.store.history import read_shoes

# Without insurance, so that "s" always stands.
PLAY = ["play", "--rules", "6D NOINS"]
COMMITMENT = re.compile(r"^Commitment ([0-9a-f]{64})$", re.MULTILINE)
SEED = re.compile(r"^Server seed ([0-9a-f]{64})$", re.MULTILINE)


def commit(seed: str, number: int = 1, notation: str = "6D NOINS") -> str:
    """Work the commitment out as docs/fair-shuffle.md says."""
    link = bytes.fromhex(seed)
    for _ in range(number):
        link = hashlib.sha256(b"upcard-shuffle-2chain" + link).digest()
    rules = str(Rules.parse(notation)).encode()
    return hashlib.sha256(b"upcard-shuffle-2rules" + link + rules).hexdigest()


def mixed_in() -> list[str]:
    """Return the player's words in each shoe that is over."""
    with open_store() as store:
        return [shoe.reveal.player_seed for shoe in read_shoes(store) if shoe.reveal]


def test_a_shoe_is_committed_to_before_and_revealed_after(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    out = talk(PLAY, ["10", "s", "10", "s", "q"]).out
    (shown,) = COMMITMENT.findall(out)
    (seed,) = SEED.findall(out)
    assert commit(seed) == shown
    assert out.index(shown) < out.index("Your bet") < out.index("The cards are shuffled.")
    assert out.rindex("Your bet") < out.index(seed)
    assert "Shoe 1 is over. To check it: upcard verify --shoe 1\n" in out
    checked = talk(["verify", "--shoe", "1"])
    assert checked.out == "Shoe 1 fits: the commitment and the cards of 2 rounds.\n"


def test_every_shoe_of_a_session_fits_the_commitment_shown_before_the_first(monkeypatch) -> None:
    """S3-6: the server seeds from the third shoe on were drawn when the player's was known."""
    fix_shuffle(monkeypatch)
    answers = ["seed my words", *["5", "s", "s"] * 20, "q"]
    rules = "1D PEN25 NOINS"
    out = talk(["play", "--rules", rules, "--chips", "500"], answers).out
    (shown,) = COMMITMENT.findall(out)
    seeds = SEED.findall(out)
    assert len(seeds) > 4
    assert {commit(seed, number, rules) for number, seed in enumerate(seeds, start=1)} == {shown}
    # It is shown before all cards; a seed follows its shoe and comes before the next one.
    told = re.findall(
        r"^(Commitment|The cards are shuffled|Server seed|Shoe \d+ of this)", out, re.MULTILINE
    )
    later = [
        ("Server seed", f"Shoe {number} of this", "The cards are shuffled")
        for number in range(2, len(seeds) + 1)
    ]
    assert told == [
        *("Commitment", "The cards are shuffled"),
        *(word for words in later for word in words),
        "Server seed",
    ]
    assert set(mixed_in()) == {"my words"}
    assert talk(["verify"]).code == 0


def test_a_shoe_that_nothing_was_dealt_from_is_not_revealed() -> None:
    out = talk(["play"], ["q"]).out
    assert COMMITMENT.search(out)
    assert not SEED.search(out)


def test_a_hand_that_is_left_keeps_its_seed(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    answer = talk(PLAY, ["10"])
    assert (answer.code, answer.err) == (0, "")
    left = answer.out
    assert not SEED.search(left)
    again = talk(PLAY, ["s", "q"]).out
    assert COMMITMENT.findall(again)[0] == COMMITMENT.findall(left)[0]
    assert commit(SEED.findall(again)[0]) == COMMITMENT.findall(left)[0]


@pytest.mark.parametrize("rules", ["CSM NOINS", "INF NOINS"])
def test_a_shoe_that_never_ends_by_itself_ends_when_the_table_is_left(monkeypatch, rules) -> None:
    fix_shuffle(monkeypatch)
    out = talk(["play", "--rules", rules], ["10", "s", "10", "s", "q"]).out
    (shown,) = COMMITMENT.findall(out)
    assert commit(SEED.findall(out)[0], notation=rules) == shown
    assert talk(["verify"]).code == 0


def test_words_of_the_player_are_mixed_in(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    plain = talk([*PLAY, "--rounds", "1"], ["10", "s"]).out
    fix_shuffle(monkeypatch)
    mixed = talk([*PLAY, "--rounds", "1", "--player-seed", "my words"], ["10", "s"]).out
    assert COMMITMENT.findall(plain) == COMMITMENT.findall(mixed)
    assert "Mixed in: my words\n" in mixed
    assert plain.partition("shuffled")[2] != mixed.partition("shuffled")[2]
    assert mixed_in() == ["", "my words"]
    assert talk(["verify"]).code == 0


def test_words_can_be_added_once_the_commitment_is_shown(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    out = talk(PLAY, ["seed my words", "10", "s", "seed more words", "seed", "q"]).out
    assert "Your words are mixed into this shoe.\n" in out
    assert "Your words are mixed into the next shoe of this table" in out
    assert "Write some words of your own behind it" in out
    assert mixed_in() == ["my words"]


def test_words_that_cannot_be_mixed_in_are_refused() -> None:
    answer = talk(["play", "--player-seed", "x" * 65])
    assert (answer.code, answer.out) == (2, "")
    assert "--player-seed: player seed" in answer.err
    assert "65 bytes of UTF-8, at most 64" in talk(["play"], [f"seed {'x' * 65}", "q"]).out


@pytest.mark.parametrize("options", [["--practice"], ["--seed", "1"], ["--cards", "T T"]])
def test_practice_has_nothing_to_mix_into(options) -> None:
    answer = talk(["play", *options, "--player-seed", "x"])
    assert (answer.code, answer.out) == (2, "")
    assert "--player-seed: there is no commitment to practice cards" in answer.err
    assert (
        "There is no commitment to practice cards" in talk(["play", *options], ["seed x", "q"]).out
    )


def test_documents_mix_in_silence(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    options = ["play", "--house", "roanoke", "--player-seed", "my words"]
    assert "my words" not in talk(options, ["Ann", "s", "n"]).out
    assert mixed_in() == ["my words"]


def test_json_has_both_as_events(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    answer = talk([*PLAY, "--json"], ["seed my words", "10", "stand", "q"])
    lines = [json.loads(line) for line in answer.out.splitlines()]
    kinds = [line["type"] for line in lines]
    shown = lines[kinds.index("commitment")]["commitment"]
    revealed = lines[kinds.index("revealed_shoe")]
    assert commit(revealed["server_seed"]) == shown == revealed["commitment"]
    assert revealed["number"] == lines[kinds.index("commitment")]["number"] == 1
    assert revealed["player_seed"] == "my words"
    assert kinds.index("commitment") < kinds.index("shuffled") < kinds.index("revealed_shoe")
