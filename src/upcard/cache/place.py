"""Location of saved values: the platform's cache folder, or the folder UPCARD_CACHE; or none."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from upcard.core.user_files import expand_user

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLE: Final = "UPCARD_CACHE"
OFF: Final = "off"
"""With this in the variable, every value is computed."""

_bypassed: list[bool] = []  # for the whole process: a context variable does not reach threads


def is_off() -> bool:
    """Whether saved values are neither read nor written."""
    return bool(_bypassed) or os.environ.get(VARIABLE, "").lower() == OFF


@contextmanager
def bypass_cache() -> Iterator[None]:
    """Compute every value, in all threads, until the context ends."""
    _bypassed.append(True)
    try:
        yield
    finally:
        _bypassed.pop()


def cache_folder() -> Path:
    """Return the folder of saved values; it need not exist yet.

    Raises: UserFileError if the variable names the home folder of an unknown user.
    """
    asked = os.environ.get(VARIABLE, "")
    if asked and asked.lower() != OFF:
        return expand_user(asked, f"folder that {VARIABLE} names")
    from platformdirs import user_cache_path

    return user_cache_path("upcard", appauthor=False)
