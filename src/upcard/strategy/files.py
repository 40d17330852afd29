"""The counting systems and deviations that come with upcard, as data files of the package."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent


def names_in(folder: str, suffix: str) -> tuple[str, ...]:
    """Return the names of the data files in a folder of this package, without their suffix."""
    names = (file.name for file in (_HERE / folder).iterdir())
    return tuple(sorted(name.removesuffix(suffix) for name in names if name.endswith(suffix)))


def read_data_file(folder: str, name: str) -> str:
    """Read a data file of this package."""
    return (_HERE / folder / name).read_text(encoding="utf-8")
