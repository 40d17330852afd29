"""Pages over a drill: help, and how it went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from upcard.drills.feedback import ABOUT_WEIGHTS
from upcard.tui.pages import AnyKeyPage


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a drill ended."""

    summary: tuple[str, ...] = ()
    fault: str | None = None
    """Why it could not go on; None if it was left."""


HELP: tuple[tuple[str, str], ...] = (
    ("?", "this page"),
    ("Q, Esc, Ctrl-C", "leave; every answer is saved already"),
    ("A", "stop after right answers too, or go on at once"),
    ("any key", "after a mistake: the next question"),
)


def write_keys(keys: Sequence[tuple[str, str]]) -> Content:
    """Write keys and what they do in two columns."""
    width = max(len(key) for key, _ in keys) + 2
    return Content("\n").join(
        Content.assemble((f"{key:<{width}}", "bold $accent"), what) for key, what in keys
    )


def make_help(title: str, text: str, keys: Sequence[tuple[str, str]]) -> AnyKeyPage:
    """Return the help page of a drill."""
    return AnyKeyPage(title, [text, "", write_keys((*keys, *HELP)), "", ABOUT_WEIGHTS])


def make_summary(lines: Sequence[str]) -> AnyKeyPage:
    """Return the page that says how a drill went."""
    title, *rest = lines
    return AnyKeyPage(title, rest)
