"""The seeds of a fair shuffle: commitment, chain, reveal, key, and the numbers from a key.

docs/fair-shuffle.md specifies the method to the byte.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from upcard.core.cards import Card
from upcard.core.errors import BlackjackError, NotationError, quote

METHOD: Final = "upcard-shuffle-2"
SERVER_SEED_BYTES: Final = 32
KEY_BYTES: Final = 16
MOST_PLAYER_SEED_BYTES: Final = 64
SHOES_OF_A_CHAIN: Final = 4096

_CHAIN: Final = b"chain"
_RULES: Final = b"rules"
_LEAST_DRAWN_BYTES: Final = 4


class FairnessError(BlackjackError):
    """A revealed seed does not match its commitment, or the cards that were dealt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    """The value shown before the first card of a session: a SHA-256 that binds all its shoes."""

    digest: bytes

    @classmethod
    def parse(cls, text: str) -> Commitment:
        """Read the 64 hexadecimal digits that `str` writes."""
        return cls(digest=read_hex(text, hashlib.sha256().digest_size, "commitment"))

    def __str__(self) -> str:
        return self.digest.hex()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """The seeds shown after a shoe: its server seed, and the player's seed that was mixed in."""

    server_seed: bytes
    player_seed: str = ""
    number: int = 1
    """The number of the shoe within its commitment, from 1."""
    rules: str = ""
    """The rules committed to, in notation."""

    @property
    def commitment(self) -> Commitment:
        """The commitment that must have been shown before the shoe."""
        return commit_chain(unroll(self.server_seed, self.number)[0], self.rules)

    @property
    def key(self) -> bytes:
        """The key that fixes every card of the shoe."""
        return shoe_key(self.server_seed, self.player_seed)

    def check(self, shown: Commitment) -> None:
        """Check the server seed against the commitment that was shown."""
        if self.commitment != shown:
            raise FairnessError(
                f"the server seed {self.server_seed.hex()} as number {self.number} of a session has"
                f" the commitment {self.commitment}, and {shown} was shown before the shoe: it is"
                " not the seed committed to"
            )


def new_server_seed() -> bytes:
    """Draw a server seed from the operating system's entropy."""
    return secrets.token_bytes(SERVER_SEED_BYTES)


def unroll(server_seed: bytes, number: int) -> tuple[bytes, ...]:
    """Return the chain up to a seed: the anchor first, then the server seeds 1 to `number`.

    Each is the SHA-256 of the one after it, so a seed fixes those before it and reveals nothing
    about those after it.
    """
    chain = [server_seed]
    for _ in range(number):
        chain.append(hashlib.sha256(METHOD.encode() + _CHAIN + chain[-1]).digest())
    return tuple(reversed(chain))


def commit_chain(anchor: bytes, rules: str) -> Commitment:
    """Return the commitment to a chain of server seeds, and to the rules that go with them."""
    digest = hashlib.sha256(METHOD.encode() + _RULES + anchor + rules.encode()).digest()
    return Commitment(digest=digest)


def shoe_key(server_seed: bytes, player_seed: str = "") -> bytes:
    """Mix the two seeds into the key of a shoe, `KEY_BYTES` long."""
    message = METHOD.encode() + read_player_seed(player_seed).encode()
    return hmac.digest(server_seed, message, "sha256")[:KEY_BYTES]


def read_player_seed(text: str) -> str:
    """Check a player's seed: any text that fits on one line; an empty text for no seed."""
    if not text.isprintable():
        raise NotationError(f"player seed {text!r}: write printable characters only")
    length = len(text.encode())
    if length > MOST_PLAYER_SEED_BYTES:
        msg = f"player seed {text!r}: {length} bytes of UTF-8, at most {MOST_PLAYER_SEED_BYTES}"
        raise NotationError(msg)
    return text


def read_shoe_number(number: object) -> int:
    """Check the number of a shoe within its commitment."""
    if type(number) is not int or not 1 <= number <= SHOES_OF_A_CHAIN:
        raise NotationError(f"shoe {quote(number)} of a commitment: from 1 to {SHOES_OF_A_CHAIN}")
    return number


def read_hex(text: str, size: int, what: str) -> bytes:
    """Read `size` bytes written in hexadecimal."""
    written = text.strip()
    try:
        found = bytes.fromhex(written)
    except ValueError:
        found = b""
    if len(found) != size or len(written) != 2 * size:
        raise NotationError(f"{what} {text!r}: write {2 * size} hexadecimal digits")
    return found


class Stream:
    """The bytes that a key yields for one shuffle, and exact random numbers from them."""

    def __init__(self, key: bytes, shuffle: int, part: int = 0) -> None:
        """Begin the stream; `part` is 1 for discards shuffled back in, 0 for a full shoe."""
        self._key = key
        self._label = shuffle.to_bytes(4, "big") + part.to_bytes(4, "big")
        self._block = 0
        self._bytes = b""

    def take(self, count: int) -> bytes:
        """Return the next bytes."""
        while len(self._bytes) < count:
            message = self._label + self._block.to_bytes(4, "big")
            self._bytes += hmac.digest(self._key, message, "sha256")
            self._block += 1
        taken, self._bytes = self._bytes[:count], self._bytes[count:]
        return taken

    def below(self, limit: int) -> int:
        """Return a number from 0 to `limit` - 1, all equally likely, by rejection."""
        size = max(_LEAST_DRAWN_BYTES, -(-(limit - 1).bit_length() // 8))
        span = 256**size
        usable = span - span % limit
        while True:
            drawn = int.from_bytes(self.take(size), "big")
            if drawn < usable:
                return drawn % limit

    def shuffle(self, cards: list[Card]) -> None:
        """Shuffle in place by the Fisher-Yates method, from the last card to the second."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]


@dataclass(frozen=True)
class SeedChain:
    """The server seeds of a session, all derived from one secret: the last seed."""

    secret: bytes
    rules: str
    """The rules that are committed to with the seeds, in notation."""

    def seed(self, number: int) -> bytes:
        """Return the server seed of a shoe, from 1."""
        return _find_seed(self.secret, number)

    @property
    def commitment(self) -> Commitment:
        """The commitment to all the shoes, and to the rules."""
        return commit_chain(_find_seed(self.secret, 0), self.rules)


_MOST_CHAINS: Final = 8
_MOST_SEEDS: Final = 1024
"""The seeds in play at many tables are known without their chains, which are 4,097 seeds long."""


@lru_cache(maxsize=_MOST_SEEDS)
def _find_seed(secret: bytes, number: int) -> bytes:
    """Return a seed of a chain; number 0 is its anchor."""
    return _unroll(secret)[number]


@lru_cache(maxsize=_MOST_CHAINS)
def _unroll(secret: bytes) -> tuple[bytes, ...]:
    return unroll(secret, SHOES_OF_A_CHAIN)
