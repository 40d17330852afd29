"""Compute the values that come with upcard anew, or check them.

    python tools/shipped_values.py            write src/upcard/cache/shipped.txt
    python tools/shipped_values.py --check    change nothing, fail if a value is missing or differs

They are the game, the best chart, its value and its exceptions of every built-in house and of the
common games below, the values of the chart's cells of every house, and the edge of every side bet
in the game of its pay table. Run it whenever a source
that computes has changed: until then the shipped values are not read.
"""

from __future__ import annotations

import argparse
import binascii
import json
import os
import sys
import tempfile
import zlib
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final
from unittest import mock

from upcard.answers.asked.sidebet import list_side_bets
from upcard.cache import exact
from upcard.cache import recall as shipped
from upcard.cache.entry import REFUSALS
from upcard.cache.recall import VARIABLE
from upcard.kernels import list_programs
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

ROOT: Final = Path(__file__).resolve().parent.parent
FILE: Final = ROOT / "src" / "upcard" / "cache" / shipped.FILE_NAME
_ROUNDING: Final = 1e-12
"""NumPy adds in another order on another processor, so that last digits differ."""
_CHOICES: Final = (
    ("1D", "2D", "4D", "6D", "8D"),
    ("S17", "H17"),
    ("DAS", "NDAS"),
    ("NS", "LS"),
)
_OTHERS: Final = (
    *("INF", "INF H17", "6D ENHC", "8D ENHC"),
    *("6D H17 6:5", "8D H17 6:5", "2D H17 6:5", "1D H17 6:5"),
    *("6D RSA", "6D LS RSA", "6D H17 LS RSA", "8D LS RSA", "8D H17 LS RSA"),
)


def list_houses() -> list[Rules]:
    """Return the rules of the built-in houses, and the default game."""
    return [Rules(), *(load_house(name).rules for name in house_names())]


def list_games() -> list[Rules]:
    """Return the houses and the common games, each once."""
    common = [Rules.parse(" ".join(tokens)) for tokens in product(*_CHOICES)]
    others = [Rules.parse(tokens) for tokens in _OTHERS]
    return list(dict.fromkeys((*list_houses(), *common, *others)))


def compute(games: Iterable[Rules], *, has_side_bets: bool = False) -> dict[str, str]:
    """Compute the values of games, and of the side bets; return their contents by name."""
    houses = set(list_houses())
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.dict(os.environ, {VARIABLE: folder}),
        mock.patch.object(shipped, "read_shipped", return_value=b""),
    ):
        for rules in games:
            for _ in _ask(rules, has_cells=rules in houses):
                pass
        if has_side_bets:
            list_side_bets()
        return dict(_read(Path(folder)))


def _ask(rules: Rules, *, has_cells: bool) -> Iterator[object]:
    """Ask all questions about a game."""
    try:
        yield exact.solve_game(rules)
        chart = exact.basic_strategy(rules)
        yield exact.solve_game(rules, strategy=chart)
        if not rules.is_infinite:
            yield exact.composition_exceptions(rules, chart)
        if has_cells:
            yield exact.cell_values(rules)
    except REFUSALS:
        return  # the refusal is a value too; what follows is never asked


def _read(folder: Path) -> Iterator[tuple[str, str]]:
    """Iterate over the names and contents of saved values, without the time that they took."""
    for file in sorted(folder.glob("*.saved")):
        content = file.read_text(encoding="utf-8").splitlines()[2]
        name, _, _ = file.name.rpartition("-")
        if name.startswith("game-") and content.startswith('{"value":'):
            content = f"{content.rpartition(',')[0]},0.0]}}"
        yield name, content


def find_faults(computed: dict[str, str]) -> Iterator[str]:
    """Say which of the computed values are not shipped, or not so."""
    for name, content in computed.items():
        found = shipped.find_shipped(name)
        if found is None:
            yield f"{name}: not shipped"
        elif not are_close(json.loads(found), json.loads(content)):
            yield f"{name}: another value is shipped"


def digest(contents: dict[str, str]) -> str:
    """Return a fingerprint of values, in which every bit of them counts."""
    lines = (f"{name} {content}\n" for name, content in sorted(contents.items()))
    return sha256("".join(lines).encode()).hexdigest()


def are_close(one: object, other: object) -> bool:
    """Whether two JSON values are equal, numbers up to the rounding of other processors."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= _ROUNDING
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(are_close, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(are_close(one[key], other[key]) for key in one)
    return one == other


def write_shipped(contents: Mapping[str, str], before: bytes = b"") -> str:
    """Return the file for contents by name; lines of the file `before` stay if they say the same.

    Compression can give other bytes on another machine, and a new file then would change for
    nothing.
    """
    known = dict(line.split(b" ", 1) for line in before.splitlines()[2:])
    lines = [shipped.write_head(), list_programs(shipped.FOLDERS)]
    for name, content in sorted(contents.items()):
        packed = known.get(name.encode())
        if packed is None or shipped.unpack(packed) != content:
            packed = binascii.b2a_base64(zlib.compress(content.encode(), 9), newline=False)
        lines.append(f"{name} {packed.decode()}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Read the options and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="change nothing, fail if stale")
    options = parser.parse_args()
    contents = compute(list_games(), has_side_bets=True)
    if options.check:
        faults = list(find_faults(contents))
        if shipped.count_shipped() != len(contents):
            faults.append(f"{shipped.count_shipped()} values are shipped, not {len(contents)}")
        if faults:
            sys.exit("\n".join([*faults, "run `make values`, and look at what it changes"]))
        # Equal on every Python of a machine, to the last bit: .ci/run compares these lines.
        print(f"values: {len(contents)}, digest {digest(contents)}")
        return
    before = FILE.read_bytes() if FILE.exists() else b""
    text = write_shipped(contents, before)
    if text.encode() != before:
        FILE.write_text(text, encoding="utf-8", newline="\n")
        print(f"wrote {FILE.relative_to(ROOT)}: {len(contents)} values, {len(text):,} bytes")


if __name__ == "__main__":
    main()
