"""Check of versions: rounds of different versions are never mixed."""

from __future__ import annotations

from upcard._version import __version__
from upcard.simulation.errors import VersionsDifferError
from upcard.simulation.job import KERNEL_VERSION


def check_versions(version: str, kernel_version: int, who: str) -> None:
    """Refuse another version; `who` begins the message: "this run was made by".

    Raises: VersionsDifferError.
    """
    if (version, kernel_version) == (__version__, KERNEL_VERSION):
        return
    raise VersionsDifferError(
        f"{who} upcard {version} with kernel {kernel_version}, and here is upcard {__version__}"
        f" with kernel {KERNEL_VERSION}: rounds of different versions are not mixed"
    )
