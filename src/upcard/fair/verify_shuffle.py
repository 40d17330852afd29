"""Check a shuffle of upcard without upcard: one file, Python's standard library only.

    python verify_shuffle.py reveal.json
    python verify_shuffle.py --server-seed HEX --player-seed TEXT --commitment HEX --rules "6D ..."

A reveal file comes from `upcard verify --shoe N --export reveal.json`. The method is specified in
docs/fair-shuffle.md; this program follows that page and imports nothing from upcard.
Exit code: 0 if everything fits, 1 if something does not, 2 if the input cannot be read.
"""

import argparse
import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

METHOD = "upcard-shuffle-2"
SHOES_OF_A_CHAIN = 4096
MOST_CARDS = 1000
NUMBER = re.compile(r"[0-9]{1,100}(/[0-9]{1,100}|\.[0-9]{1,100})?")


class MismatchError(Exception):
    """The check failed: the text names the place."""


class InputError(Exception):
    """The input cannot be read: the text gives the reason."""


def sha256(*parts: bytes) -> bytes:
    """Compute the SHA-256 of the parts, concatenated."""
    return hashlib.sha256(b"".join(parts)).digest()


def commitment_of(server_seed: bytes, number: int, rules: str) -> str:
    """Compute the commitment to show before the first shoe of the session."""
    name = METHOD.encode()
    link = server_seed
    for _ in range(number):
        link = sha256(name, b"chain", link)
    return sha256(name, b"rules", link, rules.encode("utf-8")).hex()


def key_of(server_seed: bytes, player_seed: str) -> bytes:
    """Compute the key of the shoe."""
    message = METHOD.encode() + player_seed.encode("utf-8")
    return hmac.new(server_seed, message, hashlib.sha256).digest()[:16]


def keystream(key: bytes, shuffle: int, part: int) -> Iterator[int]:
    """Yield the bytes of a shuffle's stream, one at a time."""
    number = 0
    while True:
        label = b"".join(value.to_bytes(4, "big") for value in (shuffle, part, number))
        yield from hmac.new(key, label, hashlib.sha256).digest()
        number += 1


def pick(stream: Iterator[int], choices: int) -> int:
    """Pick one of `choices`, all equally likely: numbers that would favour some are skipped."""
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


def new_decks(decks: str) -> list[str]:
    """Return decks such as 6D, or 6D48 without tens, in the order in which a shuffle begins."""
    faces = "A23456789JQK" if decks.endswith("D48") else "A23456789TJQK"
    return [face + suit for suit in "CDHS" for face in faces] * int(decks[0])


@lru_cache(maxsize=1)
def order_of(key: bytes, decks: str, shuffle: int) -> tuple[str, ...]:
    """Return the order of the shoe after a shuffle, the first card first."""
    return tuple(mix(new_decks(decks), keystream(key, shuffle, 0)))


def deal_infinite(key: bytes, tens: Fraction, shuffle: int, count: int) -> list[str]:
    """Return the first cards that an infinite deck deals in a round."""
    stream = keystream(key, shuffle, 0)
    cards = []
    for _ in range(count):
        ten = pick(stream, tens.denominator) < tens.numerator
        faces = "TJQK" if ten else "A23456789"
        cards.append(faces[pick(stream, len(faces))] + "CDHS"[pick(stream, 4)])
    return cards


def deal_round(key: bytes, decks: str, shuffle: int, dealt: int, count: int) -> list[str]:
    """Return `count` cards of a shuffle from card `dealt` on; discards come back if needed."""
    order = order_of(key, decks, shuffle)
    cards = list(order[dealt:])
    if count > len(cards):
        cards += mix(list(order[:dealt]), keystream(key, shuffle, 1))
    return cards[:count]


def read_number(text: object, what: str) -> Fraction:
    """Read a short number such as 3/4, 0.75 or 75."""
    try:
        return Fraction(NUMBER.fullmatch(str(text))[0])  # type: ignore[index]
    except (TypeError, ZeroDivisionError):
        raise InputError(f"{what} is {text!r}: write a number such as 3/4") from None


def read_whole(value: object, what: str, most: int, *, least: int = 0) -> int:
    """Check a whole number from `least` to `most`."""
    if type(value) is not int or not least <= value <= most:
        raise InputError(f"{what} is {value!r}: it is a whole number from {least} to {most}")
    return value


def read_rules(text: object) -> dict[str, Any]:
    """Read how cards are dealt from rules in upcard's notation."""
    if not isinstance(text, str):
        raise InputError("the rules are not a text")
    decks: str | None = None
    tens, penetration, shuffle = Fraction(4, 13), Fraction(3, 4), "cut-card"
    has_decks = False
    for word in text.split():
        name, _, value = word.partition("=")
        if re.fullmatch("[1-8]D(48)?", word):
            decks, has_decks = word, True
        elif found := re.fullmatch(r"INF(?:\((.*)\))?", word):
            shuffle, has_decks = "every-round", True
            tens = read_number(found[1], "the probability of a ten") if found[1] else tens
        elif re.fullmatch("PEN[0-9]{1,3}", word):
            penetration = Fraction(int(word[3:]), 100)
        elif word == "CSM":
            shuffle = "every-round"
        elif name == "penetration":
            penetration = read_number(value, name)
        elif name == "ten_probability":
            tens = read_number(value, name)
    if not has_decks:
        msg = f"the rules {text!r} do not name the decks: they are not in upcard's notation"
        raise InputError(msg)
    # The decks as in the notation, None for an infinite deck.
    return {"decks": decks, "ten_probability": tens, "shuffle": shuffle, "penetration": penetration}


def check_rules(document: dict[str, Any]) -> dict[str, Any]:
    """Check the dealing settings of a reveal file against its rules; return those of the rules."""
    dealt = read_rules(document["rules"])
    written = {
        "decks": document["decks"],
        "ten_probability": read_number(document["ten_probability"], "ten_probability"),
        "shuffle": document["shuffle"],
        "penetration": read_number(document["penetration"], "penetration"),
    }
    number = dealt["decks"] and int(dealt["decks"][0])
    for name, setting in {**dealt, "decks": number}.items():
        if written[name] != setting:
            msg = f"{name} is {written[name]} in the file, and {setting} by its rules"
            raise MismatchError(msg)
    return dealt


def check_file(document: object) -> int:
    """Check a reveal file; return its number of rounds.

    Raises MismatchError for the first difference; InputError if it is not a reveal file.
    """
    if not isinstance(document, dict):
        raise InputError("it is not a reveal file")
    try:
        return check_entries(document)
    except KeyError as error:
        raise InputError(f"{error} is missing") from None
    except (TypeError, AttributeError):
        raise InputError("a value in it is not of the kind it must be") from None
    except (ValueError, ArithmeticError, MemoryError, RecursionError) as error:
        raise InputError(str(error) or type(error).__name__) from None


def check_entries(document: dict[str, Any]) -> int:
    """Check the entries of a reveal file; return its number of rounds."""
    method = document["method"]
    if method != METHOD:
        raise InputError(f"the method is {method!r}; this program knows {METHOD}")
    number = read_whole(document["number"], "number", SHOES_OF_A_CHAIN, least=1)
    dealt = check_rules(document)
    server_seed = read_seed(document["server_seed"])
    check_commitment(commitment_of(server_seed, number, document["rules"]), document["commitment"])
    check_rounds(document["rounds"], key_of(server_seed, document["player_seed"]), dealt)
    return len(document["rounds"])


def check_rounds(rounds: list[Any], key: bytes, dealt: dict[str, Any]) -> None:
    """Check that rounds follow one another without a gap, and every card of them."""
    decks = dealt["decks"]
    expected = (0, 0)
    for number, played in enumerate(rounds, start=1):
        place = (
            read_whole(played["shuffle"], "a shuffle", 2**32 - 1),
            read_whole(played["dealt"], "a place", len(new_decks("8D"))),
        )
        if place != expected:
            msg = f"round {number} begins at {place}, and {expected} comes next: a gap"
            raise MismatchError(msg)
        cards = played["cards"].split()
        read_whole(len(cards), f"the number of cards of round {number}", MOST_CARDS, least=1)
        if decks is None:
            right = deal_infinite(key, dealt["ten_probability"], place[0], len(cards))
        else:
            right = deal_round(key, decks, *place, len(cards))
        for at, card in enumerate(cards, start=1):
            given = f"the seeds give {right[at - 1]}" if at <= len(right) else "no card is left"
            if at > len(right) or card != right[at - 1]:
                raise MismatchError(f"round {number}, card {at}: {card} was dealt, {given}")
        if dealt["shuffle"] == "every-round":
            expected = (place[0] + 1, 0)
        else:
            cut = int(len(new_decks(decks)) * dealt["penetration"])
            expected = (0, place[1] + len(cards))
            if expected[1] >= max(cut, 1) and number < len(rounds):
                msg = f"round {number + 1} was dealt after the cut card: it needed a new shoe"
                raise MismatchError(msg)


def check_commitment(right: str, shown: str) -> None:
    """Check a commitment that was shown before the shoe."""
    if shown.strip().lower() != right:
        raise MismatchError(f"the commitment of this server seed is {right}, not {shown.strip()}")


def read_seed(text: str) -> bytes:
    """Read a server seed written in hexadecimal."""
    try:
        seed = bytes.fromhex(text.strip())
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise InputError(f"the server seed is {text!r}: it has 64 hexadecimal digits")
    return seed


def read_document(path: str) -> object:
    """Read a reveal file."""
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 (as typed)
        return json.load(file)


def main(arguments: list[str] | None = None) -> int:
    """Check the reveal file or the seeds of the command line; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", nargs="?", help="a reveal file in JSON")
    parser.add_argument("--server-seed", metavar="HEX")
    parser.add_argument("--player-seed", metavar="TEXT", default="")
    parser.add_argument("--commitment", metavar="HEX", help="as it was shown before the shoe")
    parser.add_argument("--rules", metavar="TEXT", help="as a reveal file or upcard rules has them")
    parser.add_argument("--number", type=int, default=1, help="which shoe of its commitment (1)")
    parser.add_argument("--decks", type=int, choices=range(1, 9), help="6, or as in the rules")
    parser.add_argument("--shuffle", type=int, default=0, help="the number of the shuffle, from 0")
    asked = parser.parse_args(arguments)
    if (asked.file is None) == (asked.server_seed is None):
        parser.error("give a reveal file or --server-seed")
    try:
        if asked.file is not None:
            rounds = check_file(read_document(asked.file))
            say(f"Everything fits: the commitment and the cards of {rounds} rounds.")
        else:
            check_seeds(asked)
    except MismatchError as found:
        say(f"DOES NOT FIT: {found}")
        return 1
    except (
        *(InputError, OSError, ValueError, KeyError, TypeError, AttributeError),
        *(ArithmeticError, MemoryError, RecursionError),
    ) as error:
        reason = " ".join((str(error) or type(error).__name__).split())
        sys.stderr.write(f"verify_shuffle: cannot read the input: {reason}\n")
        return 2
    return 0


def check_seeds(asked: argparse.Namespace) -> None:
    """Check a commitment against seeds, and print the order of the cards."""
    seed = read_seed(asked.server_seed)
    number = read_whole(asked.number, "--number", SHOES_OF_A_CHAIN, least=1)
    of_rules = read_rules(asked.rules)["decks"] if asked.rules else "6D"
    decks = f"{asked.decks}D{(of_rules or '')[2:]}" if asked.decks else of_rules
    if asked.rules:
        right = commitment_of(seed, number, asked.rules)
        if asked.commitment is None:
            say(f"Commitment: {right}")
        else:
            check_commitment(right, asked.commitment)
            say("The commitment fits.")
    elif asked.commitment is not None:
        raise InputError("the commitment binds the rules too: give --rules")
    if decks is None:
        raise InputError("an infinite deck has no order to print: check its reveal file")
    shuffle = read_whole(asked.shuffle, "--shuffle", 2**32 - 1)
    say(" ".join(order_of(key_of(seed, asked.player_seed), decks, shuffle)))


def say(text: str) -> None:
    """Write a line."""
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    sys.exit(main())
