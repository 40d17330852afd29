"""`Door`: the names and the key by which the server is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

OPEN_PATH: Final = "/open"
"""Path of the link, whose key is exchanged for a cookie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """The hosts by which the server may be reached, and its key."""

    hosts: frozenset[str]
    """Exact values of the header Host, with the port."""
    key: str
    port: int

    @property
    def origins(self) -> frozenset[str]:
        """Exact values of the header Origin."""
        return frozenset(f"http://{host}" for host in self.hosts)

    @property
    def cookie(self) -> str:
        """Name of the cookie: cookies do not distinguish ports."""
        return f"upcard_{self.port}"
