"""How the server is reached: its options, the hosts of requests, its key, and the pass."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final

from upcard.core import user_files
from upcard.core.errors import BlackjackError
from upcard.rules.model import Rules
from upcard.store.files import data_folder, make_private

OPEN_PATH: Final = "/open"
"""Path of the link, whose key is exchanged for a cookie."""
KEY_BYTES: Final = 32
PORT: Final = 8121
KEY_NAME: Final = "web.key"
LOOPBACK: Final = "127.0.0.1"
_LEAST_KEY_CHARS: Final = 32


class ServeError(BlackjackError):
    """A server that cannot start as asked."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """The options of `upcard web`."""

    rules: Rules | None = None
    """Rules of pages whose address names none; None goes by the last game."""
    port: int = PORT
    host: str | None = None
    """Address to listen on, instead of this machine only."""
    name: str | None = None
    """Name or address by which other devices reach it."""
    opens_browser: bool = True
    is_practice: bool = False
    new_key: bool = False
    """Make a new key, so that the links and programs with the old one are refused."""


def host_names(options: ServeOptions) -> frozenset[str]:
    """Return the hosts that requests may name."""
    names = {LOOPBACK, "localhost", "[::1]"}
    if options.host is None:
        if options.name is not None:
            raise ServeError("--name is for --host: it is how other devices reach that address")
        return frozenset(names)
    if not is_any(options.host):
        names.add(bracket(options.host))
    elif options.name is None:
        raise ServeError(
            f"--host {options.host} listens on every address: add --name, the name or address of"
            " this machine that your other devices use"
        )
    if (name := options.name) is not None:
        letters = name.replace(".", "").replace("-", "").replace(":", "")
        if not letters.isascii() or not letters.isalnum():
            raise ServeError(
                f"--name {name!r}: write a name such as laptop.local, or an address, without a port"
            )
        names.add(bracket(name).lower())
    return frozenset(names)


def load_key(*, makes_new: bool = False) -> str:
    """Return the key of this person's server, made once: bookmarks outlast a restart."""
    file = data_folder() / KEY_NAME
    try:
        make_private(file)
        key = file.read_text(encoding="ascii").strip()
        if makes_new or len(key) < _LEAST_KEY_CHARS:
            key = make_secret()
            fresh = file.with_name(f"{KEY_NAME}.{os.getpid()}")
            make_private(fresh)
            fresh.write_text(f"{key}\n", encoding="ascii")
            user_files.replace(fresh, file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise ServeError(f"cannot use the key file '{file}': {reason}") from None
    return key


def is_any(host: str) -> bool:
    """Whether a server at this address listens on every address."""
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listens_here(options: ServeOptions) -> bool:
    """Whether 127.0.0.1 reaches the server."""
    return options.host in (None, LOOPBACK, "0.0.0.0", "localhost")  # noqa: S104 (asked for)


def bracket(host: str) -> str:
    """Write a host as addresses of pages have it: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host
