"""The counting systems and deviations that come with upcard, as data files of the package."""

from __future__ import annotations

from importlib import resources


def names_in(folder: str, suffix: str) -> tuple[str, ...]:
    """Return the names of the data files in a folder of this package, without their suffix."""
    items = (resources.files("upcard.strategy") / folder).iterdir()
    return tuple(
        sorted(item.name.removesuffix(suffix) for item in items if item.name.endswith(suffix))
    )


def read_data_file(folder: str, name: str) -> str:
    """Read a data file of this package."""
    return (resources.files("upcard.strategy") / folder / name).read_text(encoding="utf-8")
