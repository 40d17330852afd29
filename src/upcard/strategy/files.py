"""Where counting systems and deviations are kept: the package's data files, and users' own."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from upcard.core.errors import RulesError


def names_in(folder: str, suffix: str) -> tuple[str, ...]:
    """Return the names of the data files in a folder of this room, without their suffix."""
    items = (resources.files("upcard.strategy") / folder).iterdir()
    return tuple(
        sorted(item.name.removesuffix(suffix) for item in items if item.name.endswith(suffix))
    )


def read_data_file(folder: str, name: str) -> str:
    """Read a data file of this room."""
    return (resources.files("upcard.strategy") / folder / name).read_text(encoding="utf-8")


def read_user_file(path: str, what: str) -> str:
    """Read a user's text file; `what` says what it should be.

    Raises: RulesError saying why it cannot be read.
    """
    try:
        text = Path(path).expanduser().read_text(encoding="utf-8")
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        msg = f"cannot read the {what} {path!r}: {reason}"
        raise RulesError(msg) from None
    return text.removeprefix("\ufeff")
