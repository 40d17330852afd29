"""Words in the room there is: wrapped, and cut only with a mark that names where the rest is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from upcard.tui.appearance import Appearance

_CONSOLE = Console(width=80, force_terminal=False)


def more_mark(key: str, look: Appearance, style: str) -> Text:
    """Return the mark of a text that is cut: `… W: more`."""
    return Text(f"{'...' if look.ascii_only else '…'} {key}: more", style)


def fit_line(text: Text, width: int, mark: Text) -> Text:
    """Return a text in one line, cut at a blank and marked if it is too long."""
    return text if text.cell_len <= width else _cut(text, width, mark)


def fit_lines(texts: Iterable[Text], mark: Text, *, width: int, height: int) -> list[Text]:
    """Wrap texts into a number of lines; the last line is marked if there are more."""
    lines = wrap(texts, width)
    if len(lines) <= height:
        return lines
    return [*lines[: height - 1], _cut(lines[height - 1], width, mark)] if height else []


def fit_newest(texts: Sequence[Text], mark: Text, *, width: int, height: int) -> list[Text]:
    """Wrap as many of the last texts as fit whole; the last one is cut if it is too long."""
    lines: list[Text] = []
    for text in reversed(texts):
        wrapped = wrap([text], width)
        if len(lines) + len(wrapped) > height:
            break
        lines = [*wrapped, *lines]
    return lines if lines or not texts else fit_lines(texts[-1:], mark, width=width, height=height)


def choose(variants: Sequence[str], width: int) -> str:
    """Return the first of several wordings that fits; the last one if none does."""
    return next((words for words in variants if len(words) <= width), variants[-1])


def wrap(texts: Iterable[Text], width: int) -> list[Text]:
    """Break texts into lines of a width."""
    lines: list[Text] = []
    for text in texts:
        found = text.wrap(_CONSOLE, max(width, 1)) if text.plain else [Text()]
        for line in found:
            line.rstrip()
            lines.append(line)
    return lines


def _cut(text: Text, width: int, mark: Text) -> Text:
    """Cut a text so that a mark fits behind it."""
    line = text.copy()
    room = max(width - mark.cell_len - 1, 0)
    if line.cell_len > room:
        line.truncate(room)
        blank = line.plain.rfind(" ")
        if blank > room // 2 and text.plain[len(line.plain) : len(line.plain) + 1] != " ":
            line.right_crop(len(line.plain) - blank)
    line.rstrip()
    line.append(" ").append_text(mark)
    if line.cell_len > width:
        line.truncate(width)
    return line
