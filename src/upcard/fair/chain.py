"""Server seeds that are all fixed before the first card: a chain, committed to as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias

from upcard.fair.seeds import METHOD, METHOD_1, SHOES_OF_A_CHAIN, commit_chain, commit_seed, unroll

if TYPE_CHECKING:
    from upcard.fair.seeds import Commitment


@dataclass(frozen=True)
class SeedChain:
    """The server seeds of a session, all derived from one secret: the last seed."""

    method: ClassVar[str] = METHOD
    secret: bytes
    rules: str
    """The rules that are committed to with the seeds, in notation."""

    @property
    def last(self) -> int:
        """The number of shoes that the chain has seeds for."""
        return SHOES_OF_A_CHAIN

    def seed(self, number: int) -> bytes:
        """Return the server seed of a shoe, from 1."""
        return _find_seed(self.secret, number)

    def commitment(self, number: int) -> Commitment:  # noqa: ARG002 (one for all of them)
        """Return the commitment of a shoe: the same for all shoes."""
        return commit_chain(_find_seed(self.secret, 0), self.rules)


@dataclass(frozen=True)
class SeedPair:
    """The server seeds of a shoe and the next, as drawn by the first method.

    A session left in play by an older version ends its two shoes with these.
    """

    method: ClassVar[str] = METHOD_1
    seeds: tuple[bytes, ...]
    rules: str = ""

    @property
    def last(self) -> int:
        """The number of shoes that the pair has seeds for."""
        return len(self.seeds)

    def seed(self, number: int) -> bytes:
        """Return the server seed of a shoe, from 1."""
        return self.seeds[number - 1]

    def commitment(self, number: int) -> Commitment:
        """Return the commitment of a shoe: each has its own."""
        return commit_seed(self.seed(number))


ServerSeeds: TypeAlias = SeedChain | SeedPair
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
