"""The figures of a campaign: as a table at its end, as JSON, and in docs/reliability.md."""

from __future__ import annotations

import datetime as dt
import json
import os
import platform
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from campaign.running import Result

ROOT: Final = Path(__file__).resolve().parents[1]
FIGURES: Final = ROOT / "campaign" / "figures.json"
PAGE: Final = ROOT / "docs" / "reliability.md"
BEGIN: Final = "<!-- figures: written by python -m campaign --keep -->"
END: Final = "<!-- end of figures -->"


def describe_run(words: Sequence[str]) -> dict[str, Any]:
    """Say of which code, by which command, when and where the figures are."""
    return {
        "command": " ".join(
            ("make campaign", f'ARGS="{" ".join(words)}"' if words else "")
        ).strip(),
        "commit": _find_commit(),
        "date": dt.datetime.now(tz=dt.UTC).date().isoformat(),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
    }


def _find_commit() -> str:
    """Return the commit of the code; `-dirty` if it differs, whatever the figures are."""
    commit = _ask_git("rev-parse", "--short=10", "HEAD")
    changed = _ask_git("status", "--porcelain", "--", "src", "campaign/*.py")
    return f"{commit}-dirty" if changed else commit or "unknown"


def _ask_git(*words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


def keep(known: dict[str, Any], results: Sequence[Result], facts: dict[str, Any]) -> dict[str, Any]:
    """Put results by their subject beside those that are known."""
    return known | {
        result.subject: {
            "cases": result.cases,
            "unit": result.unit,
            "counts": dict(sorted(result.counts.items())),
            "findings": [
                {"number": finding.number, "text": finding.text, "command": finding.command}
                for finding in result.findings
            ],
            "seconds": round(result.seconds),
            "seed": result.seed,
            "was_interrupted": result.was_interrupted,
            **facts,
        }
        for result in results
    }


def write_summary(results: Sequence[Result]) -> str:
    """Write the closing table, and the findings once more."""
    rows = [("subject", "cases", "", "findings", "seconds")]
    for result in results:
        rows.append(
            (
                result.subject,
                f"{result.cases:,}",
                result.unit + (" (interrupted)" if result.was_interrupted else ""),
                str(len(result.findings)),
                f"{result.seconds:.0f}",
            )
        )
        rows += [
            ("", f"{amount:,}", f"  {what}", "", "")
            for what, amount in sorted(result.counts.items())
        ]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = [
        "  ".join(
            cell.rjust(width) if column in (1, 3, 4) else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    for result in results:
        lines += [
            f"FINDING ({finding.times} times): {finding.command}" for finding in result.findings
        ]
    return "\n".join(lines)


def keep_in_page(results: Sequence[Result], facts: dict[str, Any]) -> None:
    """Put the figures into figures.json, and the table of all of them into the page."""
    known = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    figures = keep(known, results, facts)
    FIGURES.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    PAGE.write_text(write_page(PAGE.read_text(encoding="utf-8"), figures), encoding="utf-8")


def write_page(page: str, figures: dict[str, Any]) -> str:
    """Return the page with the table of these figures in its place."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{write_table(figures)}{END}{after}"


def write_table(figures: dict[str, Any]) -> str:
    """Write the figures of the last kept runs as a Markdown table."""
    lines = [
        "| campaign | tried | findings | time | seed | commit |",
        "|---|---|---|---|---|---|",
    ]
    for name, one in figures.items():
        parts = ", ".join(f"{amount:,} {what}" for what, amount in one["counts"].items())
        tried = f"**{one['cases']:,} {one['unit']}**" + (f": {parts}" if parts else "")
        lines.append(
            f"| {name} | {tried} | {len(one['findings'])} | {one['seconds'] / 60:.0f} min"
            f" | {one['seed']} | `{one['commit']}` |"
        )
    commands: dict[str, list[str]] = {}
    for name, one in figures.items():
        where = f"{one['date']}, Python {one['python']}, {one['cores']} cores"
        commands.setdefault(f"`{one['command']}` ({where})", []).append(name)
    lines.append("")
    lines += [f"{', '.join(names)}: {command}\n" for command, names in commands.items()]
    return "\n".join(lines) + "\n"
