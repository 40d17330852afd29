"""`Door`: the names, the key and the pass by which the server is reached."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Final

OPEN_PATH: Final = "/open"
"""Path of the link, whose key is exchanged for a cookie."""


KEY_BYTES: Final = 32


def make_secret() -> str:
    """Return a text that cannot be guessed."""
    return secrets.token_urlsafe(KEY_BYTES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """The hosts by which the server may be reached, its key, and the pass of this start."""

    hosts: frozenset[str]
    """Exact values of the header Host, with the port."""
    key: str
    port: int
    day_pass: str = field(default_factory=make_secret)
    """Value of the cookie. Browsers send it to every port of the host, so it is worth something
    only until the server ends, and the key does not follow from it."""

    @property
    def origins(self) -> frozenset[str]:
        """Exact values of the header Origin."""
        return frozenset(f"http://{host}" for host in self.hosts)

    @property
    def cookie(self) -> str:
        """Name of the cookie: cookies do not distinguish ports."""
        return f"upcard_{self.port}"
