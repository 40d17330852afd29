"""Check a shuffle of upcard's without upcard: one file, Python's standard library only.

    python verify_shuffle.py reveal.json
    python verify_shuffle.py --server-seed HEX --player-seed TEXT --commitment HEX --decks 6

A reveal file comes from `upcard verify --shoe N --export reveal.json`. The method is written down
in docs/fair-shuffle.md; this program follows that page and imports nothing of upcard's.
Exit code: 0 if everything fits, 1 if something does not, 2 if the input cannot be read.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = b"upcard-shuffle-1"


class MismatchError(Exception):
    """The check failed: the text says where."""


def commitment_of(server_seed: bytes) -> str:
    """Work out what was to be shown before the shoe."""
    return hashlib.sha256(NAME + server_seed).hexdigest()


def key_of(server_seed: bytes, player_seed: str) -> bytes:
    """Work out the shoe's key."""
    return hmac.new(server_seed, NAME + player_seed.encode("utf-8"), hashlib.sha256).digest()[:16]


def keystream(key: bytes, shuffle: int, part: int) -> Iterator[int]:
    """Yield byte after byte of a shuffle's stream."""
    number = 0
    while True:
        label = b"".join(value.to_bytes(4, "big") for value in (shuffle, part, number))
        yield from hmac.new(key, label, hashlib.sha256).digest()
        number += 1


def pick(stream: Iterator[int], choices: int) -> int:
    """Pick one of so many choices: equally likely, numbers that would favour some are skipped."""
    width = 4
    while 256**width < choices:
        width += 1
    while True:
        number = 0
        for _ in range(width):
            number = number * 256 + next(stream)
        rounds, rest = divmod(number, choices)
        if (rounds + 1) * choices <= 256**width:
            return rest


def mix(cards: list[str], stream: Iterator[int]) -> list[str]:
    """Return the cards shuffled."""
    mixed = list(cards)
    place = len(mixed)
    while place > 1:
        chosen = pick(stream, place)
        place -= 1
        mixed[place], mixed[chosen] = mixed[chosen], mixed[place]
    return mixed


def new_decks(decks: int) -> list[str]:
    """Return so many decks in the order in which every shuffle begins."""
    deck = [face + suit for suit in "CDHS" for face in "A23456789TJQK"]
    return deck * decks


def order_of(key: bytes, decks: int, shuffle: int) -> list[str]:
    """Return the order of the shoe after a shuffle, the first card dealt first."""
    return mix(new_decks(decks), keystream(key, shuffle, 0))


def deal_infinite(key: bytes, tens: Fraction, shuffle: int, count: int) -> list[str]:
    """Return the first cards that an infinite deck deals in a round."""
    stream = keystream(key, shuffle, 0)
    cards = []
    for _ in range(count):
        ten = pick(stream, tens.denominator) < tens.numerator
        faces = "TJQK" if ten else "A23456789"
        face = faces[pick(stream, len(faces))]
        cards.append(face + "CDHS"[pick(stream, 4)])
    return cards


def deal_round(key: bytes, decks: int, shuffle: int, dealt: int, count: int) -> list[str]:
    """Return `count` cards from card `dealt` of a shuffle on; discards come back if they must."""
    order = order_of(key, decks, shuffle)
    cards = order[dealt:]
    if count > len(cards):
        cards += mix(order[:dealt], keystream(key, shuffle, 1))
    return cards[:count]


def check_file(document: dict[str, Any]) -> int:
    """Check a reveal file; return how many rounds it has."""
    if document["method"] != NAME.decode():
        msg = f"the method is {document['method']!r}; this program knows {NAME.decode()!r}"
        raise MismatchError(msg)
    server_seed = read_seed(document["server_seed"])
    check_commitment(server_seed, document["commitment"])
    key = key_of(server_seed, document["player_seed"])
    decks = document["decks"]
    expected = (0, 0)
    for number, played in enumerate(document["rounds"], start=1):
        place = (played["shuffle"], played["dealt"])
        if place != expected:
            msg = f"round {number} begins at {place}, and {expected} comes next: a gap"
            raise MismatchError(msg)
        cards = played["cards"].split()
        if decks is None:
            tens = Fraction(document["ten_probability"])
            right = deal_infinite(key, tens, place[0], len(cards))
        else:
            right = deal_round(key, decks, *place, len(cards))
        for at, (card, other) in enumerate(zip(cards, right, strict=True), start=1):
            if card != other:
                msg = f"round {number}, card {at}: {card} was dealt, the seeds give {other}"
                raise MismatchError(msg)
        if document["shuffle"] == "every-round":
            expected = (place[0] + 1, 0)
        else:
            cut = int(decks * 52 * Fraction(document["penetration"]))
            expected = (0, place[1] + len(cards))
            if expected[1] >= max(cut, 1) and number < len(document["rounds"]):
                msg = f"round {number + 1} was dealt after the cut card: it needed a new shoe"
                raise MismatchError(msg)
    return len(document["rounds"])


def check_commitment(server_seed: bytes, shown: str) -> None:
    """Hold a server seed against the commitment shown before the shoe."""
    right = commitment_of(server_seed)
    if shown.strip().lower() != right:
        msg = f"the commitment of this server seed is {right}, not {shown.strip()}"
        raise MismatchError(msg)


def read_seed(text: str) -> bytes:
    """Read a server seed written in hexadecimal."""
    seed = bytes.fromhex(text.strip())
    if len(seed) != 32:
        msg = f"a server seed has 64 hexadecimal digits, this one {2 * len(seed)}"
        raise ValueError(msg)
    return seed


def main(arguments: list[str] | None = None) -> int:
    """Check what the command line names; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", nargs="?", help="a reveal file in JSON")
    parser.add_argument("--server-seed", metavar="HEX")
    parser.add_argument("--player-seed", metavar="TEXT", default="")
    parser.add_argument("--commitment", metavar="HEX", help="as it was shown before the shoe")
    parser.add_argument("--decks", type=int, default=6, choices=range(1, 9))
    parser.add_argument("--shuffle", type=int, default=0, help="the number of the shuffle, from 0")
    asked = parser.parse_args(arguments)
    if (asked.file is None) == (asked.server_seed is None):
        parser.error("give a reveal file or --server-seed")
    try:
        if asked.file is not None:
            with open(asked.file, encoding="utf-8") as file:  # noqa: PTH123 (as typed)
                rounds = check_file(json.load(file))
            say(f"Everything fits: the commitment and the cards of {rounds} rounds.")
            return 0
        seed = read_seed(asked.server_seed)
        if asked.commitment is not None:
            check_commitment(seed, asked.commitment)
            say("The commitment fits.")
        else:
            say(f"Commitment: {commitment_of(seed)}")
        say(" ".join(order_of(key_of(seed, asked.player_seed), asked.decks, asked.shuffle)))
    except MismatchError as found:
        say(f"DOES NOT FIT: {found}")
        return 1
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
        sys.stderr.write(f"verify_shuffle: cannot read the input: {error}\n")
        return 2
    return 0


def say(text: str) -> None:
    """Write a line."""
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
