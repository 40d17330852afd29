"""Server seeds fixed before the player's seed is known, for all shoes of a session (S3-6)."""

from dataclasses import replace

import pytest

from upcard import NotationError, Rules
from upcard.fair import seeds
from upcard.fair.fair_shoe import FairShoe
from upcard.fair.seeds import (
    SHOES_OF_A_CHAIN,
    FairnessError,
    Reveal,
    SeedChain,
    read_shoe_number,
)

RULES = Rules.parse("1D PEN50")


def play_shoe(shoe):
    """Deal rounds until a shoe has ended; return its reveal."""
    ended = len(shoe.reveals)
    while len(shoe.reveals) == ended:
        shoe.start_round()
        for _ in range(6):
            shoe.draw()
    return shoe.reveals[-1]


def test_every_server_seed_is_settled_before_the_players_seed_is_known():
    calls = []

    def draw():
        calls.append("server seed drawn")
        return bytes(range(32))

    shoe = FairShoe(RULES, seeds=draw)
    shown = shoe.commitment
    calls.append("commitment shown")
    shoe.add_player_seed("my own words")
    calls.append("player's seed known")
    reveals = [play_shoe(shoe) for _ in range(5)]
    assert calls == ["server seed drawn", "commitment shown", "player's seed known"]
    assert [reveal.number for reveal in reveals] == [1, 2, 3, 4, 5]
    assert {reveal.player_seed for reveal in reveals} == {"my own words"}
    assert len({reveal.server_seed for reveal in reveals}) == 5
    for reveal in reveals:
        reveal.check(shown)


def test_each_reveal_alone_fits_the_one_commitment_and_no_other_place():
    shoe = FairShoe(RULES, seeds=lambda: b"7" * 32)
    shown = shoe.commitment
    for reveal in [play_shoe(shoe) for _ in range(5)]:
        replace(reveal).check(shown)
        for other in (
            replace(reveal, number=reveal.number + 1),
            replace(reveal, server_seed=bytes(32)),
            replace(reveal, rules="2D S17 PEEK DOA DAS SP4 NRSA NS 3:2"),
            replace(reveal, rules=""),
        ):
            with pytest.raises(FairnessError, match="not the seed committed to"):
                other.check(shown)


def test_a_house_that_draws_another_seed_for_a_later_shoe_is_caught():
    shoe = FairShoe(RULES, seeds=lambda: b"7" * 32)
    shown = shoe.commitment
    play_shoe(shoe)
    play_shoe(shoe)
    state = shoe.prepare_round()
    better_for_us = SeedChain(b"8" * 32, state.seeds.rules)
    cheating = FairShoe(RULES, state=state._replace(seeds=better_for_us))
    with pytest.raises(FairnessError):
        play_shoe(cheating).check(shown)


def test_a_later_seed_cannot_be_worked_out_from_those_revealed():
    """A chain is revealed from its far end: each seed is the SHA-256 of the one after it."""
    chain = SeedChain(b"7" * 32, "")
    seeds = [chain.seed(number) for number in range(1, 6)]
    for number, seed in enumerate(seeds, start=1):
        earlier = Reveal(server_seed=seed, number=number).commitment
        assert earlier == chain.commitment
    assert chain.seed(SHOES_OF_A_CHAIN) == b"7" * 32


def test_a_commitment_that_has_no_shoe_left_is_renewed_without_the_players_seed():
    """What the player said before it was drawn does not count for the new one."""
    drawn = iter((b"1" * 32, b"2" * 32))
    shoe = FairShoe(RULES, player_seed="known", seeds=lambda: next(drawn))
    first = shoe.commitment
    state = shoe.prepare_round()._replace(number=SHOES_OF_A_CHAIN)
    shoe = FairShoe(RULES, state=state, seeds=lambda: next(drawn))
    assert shoe.commitment == first
    assert shoe.next_commitment is None
    play_shoe(shoe).check(first)
    assert shoe.commitment != first
    assert (shoe.number, shoe.player_seed, shoe.next_player_seed) == (1, "", "")


@pytest.mark.parametrize("number", [0, -1, SHOES_OF_A_CHAIN + 1, 10**40, True, "1", 1.0, None])
def test_a_number_beyond_the_chain_is_refused(number):
    with pytest.raises(NotationError, match="of a commitment: from 1 to 4096"):
        read_shoe_number(number)


def test_the_chains_of_many_tables_are_derived_once_each(monkeypatch):
    derived, unroll_seeds = [], seeds.unroll

    def unroll(secret, number):
        derived.append(secret)
        return unroll_seeds(secret, number)

    monkeypatch.setattr("upcard.fair.seeds.unroll", unroll)
    chains = [SeedChain(bytes([17, number] * 16), "1D") for number in range(20)]
    shown = [(chain.commitment, chain.seed(1)) for chain in chains]
    assert [(chain.commitment, chain.seed(1)) for chain in chains] == shown
    assert len(derived) == len(set(derived)) == 20
