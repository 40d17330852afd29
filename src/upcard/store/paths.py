"""Location of saved games: the platform's folder for user data, or the folder UPCARD_DATA."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from upcard.core.user_files import expand_user

FILE_NAME: Final = "upcard.db"
KEYMAP_NAME: Final = "keys.toml"
VARIABLE: Final = "UPCARD_DATA"


def data_folder() -> Path:
    """Return the folder of saved data; it need not exist yet."""
    asked = os.environ.get(VARIABLE)
    if asked:
        return expand_user(asked, f"folder that {VARIABLE} names")
    from platformdirs import user_data_path

    return user_data_path("upcard", appauthor=False)


def store_path() -> Path:
    """Return the file of the store; it need not exist yet."""
    return data_folder() / FILE_NAME


def keymap_path() -> Path:
    """Return the file of the keymap; it need not exist."""
    return data_folder() / KEYMAP_NAME
