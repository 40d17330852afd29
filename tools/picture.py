"""The picture of a round in the README: a real game at a pseudo-terminal, drawn by Rich.

The cards are scripted, so that the picture stays the same; everything else is the program's.
"""

from __future__ import annotations

import html
import io
import os
import re
import sys
from typing import Final

import pexpect
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

_COLUMNS: Final = 56
_CELL: Final = 12.2  # width of a character in Rich's pictures
_TITLE: Final = "upcard play --house seven-hands --hands 3"
_CARDS: Final = "AS KH 6D 5C TS 8D 6H TC TD 4S"
# What is waited for, and what is typed then.
_DIALOGUE: Final = (
    ("(y/N) ", "n"),
    ("Bet on each hand", "10"),
    ("Your choice: ", "3"),
    ("Your choice: ", "2"),
)
_LAST: Final = "Play again? (y/N) "
_ROWS: Final = 27

_THEME: Final = TerminalTheme(
    (24, 60, 46),
    (236, 240, 232),
    [(24, 60, 46), (255, 140, 125), *[(236, 240, 232)] * 6],
    [(24, 60, 46), (255, 140, 125), *[(255, 255, 255)] * 6],
)
_TEXT: Final = re.compile(
    r'<text class="(round-r\d+)" x="([\d.]+)" y="([\d.]+)"'
    r' textLength="[\d.]+"[^>]*>([^<]*)</text>\s*'
)
# Rich's own frame fetches its font from elsewhere; this one takes what the reader has.
_FRAME: Final = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img">
<title>A round of blackjack in a terminal</title>
<style>
.{unique_id}-matrix {{
  font-family: "DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", monospace;
  font-size: 20.4px;
}}
.{unique_id}-title {{ font-size: 17px; font-family: Helvetica, Arial, sans-serif; }}
{styles}
</style>
{chrome}
<g class="{unique_id}-matrix" transform="translate({terminal_x}, {terminal_y})">
{matrix}
</g>
</svg>
"""


def play_round() -> str:
    """Play the round at a pseudo-terminal; return what was on it, colours included."""
    screen = io.StringIO()
    game = pexpect.spawn(
        sys.executable,
        ["-c", "from upcard.cli import main; main()", *_arguments()],
        encoding="utf-8",
        dimensions=(40, 80),
        env={**os.environ, "TERM": "xterm-256color", "NO_COLOR": "", "PYTHONIOENCODING": "utf-8"},
        timeout=20,
    )
    game.logfile_read = screen
    for prompt, answer in _DIALOGUE:
        game.expect_exact(prompt)
        game.sendline(answer)
    game.expect_exact(_LAST)
    game.close(force=True)
    return screen.getvalue().replace("\r\n", "\n")


def _arguments() -> list[str]:
    return ["play", "--house", "seven-hands", "--hands", "3", "--cards", _CARDS]


def draw_round() -> str:
    """Draw the last rows of the terminal as SVG."""
    rows = play_round().split("\n")[-_ROWS:]
    recorder = Console(record=True, width=_COLUMNS, file=io.StringIO(), force_terminal=True)
    for row in rows:
        recorder.print(Text.from_ansi(row), soft_wrap=True)
    picture = recorder.export_svg(title=_TITLE, theme=_THEME, code_format=_FRAME, unique_id="round")
    return _TEXT.sub(_place_words, picture)


def _place_words(match: re.Match[str]) -> str:
    """Place each word by itself: not every program keeps blanks as wide as letters."""
    style, left, bottom, text = match.groups()
    placed = []
    for word in re.finditer(r"[^\s]+", html.unescape(text).replace("\xa0", " ")):
        start = float(left) + word.start() * _CELL
        length = len(word[0]) * _CELL
        placed.append(
            f'<text class="{style}" x="{start:.1f}" y="{bottom}" textLength="{length:.1f}">'
            f"{html.escape(word[0])}</text>\n"
        )
    return "".join(placed)
