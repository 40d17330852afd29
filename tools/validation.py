"""Write docs/validation.md: every number that we claim, its source, ours, and the difference.

    python tools/validation.py            compute and write; rows that take minutes stay as they are
    python tools/validation.py --slow     compute those too
    python tools/validation.py --check    change nothing; fail if a row is missing, or a value off

A check computes all but the slow rows, and compares values to their tolerance, not digit by digit.
"""

from __future__ import annotations

import argparse
import re
import sys
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from claims import ROOT, list_claims

if TYPE_CHECKING:
    from collections.abc import Iterator

    from claims import Claim

PAGE: Final = ROOT / "docs" / "validation.md"
INTRODUCTION: Final = """\
<!-- Written by `make docs`; do not edit. -->

# Validation

Compare every number of upcard that is published elsewhere: its source, our value, the difference.
EVs are per initial bet, from the player's side.
Those of hands are conditional on no dealer natural; those of whole games are not.
Whole games exclude insurance and even money, as the sources do.
A row of several values shows how many there are, and the largest difference.
A difference under 1e-12 is rounding.
A published value is accurate to its printed digits.

The published values are in `tests/golden/exact_values.json` and `tests/conformance/data`.
`make test` compares all of them with ours, except the slow ones, which `make slow` compares.
`python tools/validation.py --slow` writes this page again.
"""
ABOUT: Final = {
    "Whole games": "Each split class is exact by its definition; see the [glossary](glossary.md).",
    "Answers to a hand": "Each value of each hand against each of the ten upcards.",
    "Splits with full memory": "Every card is remembered. A natural costs one bet, with ENHC all.",
    "BlackJack(p)": "Document 002's game: an infinite deck, ten-valued cards with probability p.",
    "No hole card": "A dealer's natural takes all bets. The source is good to 1e-5.",
}
HEADER: Final = (
    "| quantity | rules | source | theirs | ours | difference |\n|---|---|---|--:|--:|--:|"
)
ROUNDING: Final = 1e-12
_ROW: Final = re.compile(r"\| ([^|]*) \| `([^`|]*)` \| ([^|]*) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|")


class Row(NamedTuple):
    """A line of the page as it is written."""

    quantity: str
    rules: str
    source: str
    theirs: str
    ours: str
    difference: str

    def __str__(self) -> str:
        """Write the line."""
        return (
            f"| {self.quantity} | `{self.rules}` | {self.source} | {self.theirs} | {self.ours}"
            f" | {self.difference} |"
        )


def make_row(claim: Claim, ours: tuple[float, ...]) -> Row:
    """Hold our values against theirs.

    Raises: ValueError if they differ by more than the tolerance.
    """
    pairs = zip(ours, claim.references, strict=True)
    worst = max(abs(one - other) for one, other in pairs)
    if worst > claim.tolerance:
        msg = f"{claim.quantity}, {claim.rules}: off by {worst:.3g}, allowed {claim.tolerance:.3g}"
        raise ValueError(msg)
    if claim.tolerance == 0 and len(ours) == 1:
        theirs, mine, difference = f"{claim.references[0]:,}", f"{ours[0]:,}", "0"
    elif len(ours) == 1:
        digits = _digits(claim.references[0])
        theirs = f"{claim.references[0]:+.{digits}f}"
        mine = f"{ours[0]:+.{digits}f}"
        difference = _write_difference(worst)
    else:
        theirs = f"{len(claim.references)} {claim.what}"
        mine = f"{len(ours)} agree"
        difference = "0" if claim.tolerance == 0 else _write_difference(worst)
    return Row(claim.quantity, claim.rules, claim.source, theirs, mine, difference)


def _digits(number: float) -> int:
    """Return how many decimals a source gives, 12 at most."""
    return min(12, len(repr(number).partition(".")[2]))


def _write_difference(difference: float) -> str:
    return "< 1e-12" if difference < ROUNDING else f"{difference:.0e}"


def read_rows(text: str) -> list[Row]:
    """Read the rows of a page."""
    found = (_ROW.fullmatch(line) for line in text.splitlines())
    return [Row(*match.groups()) for match in found if match]


def key_of(row: Row | Claim) -> tuple[str, str]:
    """Return what tells a row from all others."""
    return (row.quantity, row.rules)


def make_page(*, with_slow: bool, old: str) -> str:
    """Compute the rows and write the page; slow rows are kept from the old page if it has them.

    Raises: ValueError if a value is off.
    """
    kept = {key_of(row): row for row in read_rows(old)}
    claims = list_claims()
    values = sum(len(claim.references) for claim in claims)
    parts = [INTRODUCTION, f"{values:,} values in {len(claims)} rows.\n"]
    for section, members in groupby(claims, key=lambda claim: claim.section):
        lines = [f"## {section}\n"]
        if section in ABOUT:
            lines.append(f"{ABOUT[section]}\n")
        lines.append(HEADER)
        for claim in members:
            row = kept.get(key_of(claim)) if claim.is_slow and not with_slow else None
            lines.append(str(row or make_row(claim, claim.compute())))
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def find_faults(text: str, *, computes: bool = True) -> Iterator[str]:
    """Say what a page lacks, and which values are not what they should be.

    Without `computes` the page's own numbers are held against the sources'.
    """
    rows = read_rows(text)
    claims = list_claims()
    if [key_of(row) for row in rows] != [key_of(claim) for claim in claims]:
        yield "the rows of docs/validation.md are not those of tools/claims.py"
        return
    for row, claim in zip(rows, claims, strict=True):
        shown = claim.references
        if len(shown) == 1:
            shown = (float(row.ours.replace(",", "")),)
        try:
            expected = make_row(claim, shown)
            if computes and not claim.is_slow:
                make_row(claim, claim.compute())
        except ValueError as error:
            yield str(error)
            continue
        # Digits beyond what a source is good to may differ from one machine to another.
        if row[:4] != expected[:4] or (len(claim.references) > 1 and row.ours != expected.ours):
            yield f"{row} should be {expected}"


def main() -> None:
    """Read the options and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="change nothing, fail if off")
    parser.add_argument("--slow", action="store_true", help="compute what takes minutes too")
    options = parser.parse_args()
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    if options.check:
        faults = list(find_faults(old))
        if faults:
            sys.exit("\n".join([*faults, "run `make docs`, and look at what it changes"]))
        return
    try:
        page = make_page(with_slow=options.slow, old=old)
    except ValueError as error:
        sys.exit(str(error))
    if page != old:
        PAGE.write_text(page, encoding="utf-8")
        print(f"wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
