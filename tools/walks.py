"""Draw the walks of docs/architecture.md: which package calls which, from the top down.

    python tools/walks.py            write docs/img/walk-*.svg

A step is the package that is entered and what happens there; an arrow leads to it from the step
before. A test checks that the packages of a walk are those of the page.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
FOLDER: Final = ROOT / "docs" / "img"
WALKS: Final[dict[str, list[tuple[str, str]]]] = {
    "key": [
        ("tui", "keys: a key is bound to an action"),
        ("session", "Seat.act: is it legal, do the chips cover it?"),
        ("store", "KeptTable.act: the answer is on the disk first"),
        ("table", "Table.act: cards are drawn, events are sent"),
        ("answers", "Verdict: what the coach says of the answer"),
        ("tui", "TableScreen.draw paints the Update"),
    ],
    "post": [
        ("web", "Gate, then page_routes: host, key, module"),
        ("web", "endpoint: the signature reads the form"),
        ("web", "_move: only for the version that was seen"),
        ("session", "Seat.act, in a thread of the table"),
        ("store", "KeptTable.act: saved before it is played"),
        ("answers", "HandAnswer, Verdict: values and sentences"),
        ("web", "show: page, parts of it, or the same as JSON"),
    ],
    "saved": [
        ("cli", "edge_command reads options"),
        ("answers", "answer_game asks for values, words them"),
        ("cache", "exact.solve_game: a name of the question"),
        ("cache", "recall: shipped, saved, or computed now"),
        ("exact", "solve.solve_game, only if it is not saved"),
        ("cli", "output paints GameAnswer, or writes it as JSON"),
    ],
}
_ROW, _LANE, _TOP, _WIDTH = 44, 22, 14, 640
_STYLE: Final = """\
text{font:14px system-ui,sans-serif;fill:#1d2b26}.lane{font-weight:600}
rect{fill:#fff;stroke:#9bb0a7}path{stroke:#0f5c45;stroke-width:1.6;fill:none}
.tip{fill:#0f5c45}@media(prefers-color-scheme:dark){text{fill:#e6efe9}
rect{fill:#1c2a25;stroke:#4b6259}path{stroke:#6fcfa8}.tip{fill:#6fcfa8}}"""


def draw(steps: list[tuple[str, str]]) -> str:
    """Return a walk as SVG: a row for each step, further right where a lower package is entered."""
    height = 2 * _TOP + len(steps) * _ROW
    order = ("cli", "tui", "web", "session", "answers", "store", "cache", "table", "exact")
    depths = sorted({order.index(package) for package, _ in steps})
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img">',
        f"<style>{_STYLE}</style>",
    ]
    before = None
    for row, (package, words) in enumerate(steps):
        x = 8 + _LANE * depths.index(order.index(package))
        y = _TOP + row * _ROW
        if before is not None:
            from_x, to_x, end = before + 12, x + 12, y - 1
            parts.append(f'<path d="M{from_x} {y - 14}V{y - 8}H{to_x}V{end - 3}"/>')
            tip = f"M{to_x} {end}l-4-6h8z"
            parts.append(f'<path class="tip" d="{tip}"/>')
        parts.append(f'<rect x="{x}" y="{y}" width="{_WIDTH - x - 8}" height="30" rx="6"/>')
        parts.append(f'<text class="lane" x="{x + 12}" y="{y + 20}">{package}</text>')
        parts.append(f'<text x="{x + 92}" y="{y + 20}">{escape(words)}</text>')
        before = x
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    """Write the pictures."""
    for name, steps in WALKS.items():
        file = FOLDER / f"walk-{name}.svg"
        file.write_text(draw(steps), encoding="utf-8")
        print(f"wrote {file.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
