"""Check that documents and sources are written in plain modern English.

    python tools/plain_english.py            every document and source
    python tools/plain_english.py FILE...    these files only

Each phrase of the word list is reported as `file:line: phrase -> what to write`. In Markdown,
inline code and fenced blocks are skipped, except for Python code; of a Python file, strings and
comments are read. A phrase that is right in its place is listed in `EXCEPTIONS`.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parent.parent

# What is written by the program, and decisions, which are history.
SKIPPED: Final = ("docs/houses.md", "docs/blackjack.md", "docs/decisions/")

# Lanes and rounds of a kernel go on to their next step.
_LOOPS: Final = (
    *("env/kernels/tables", "simulation/kernels/paused_rounds"),
    *(f"simulation/kernels/lockstep/{name}" for name in ("automaton", "lanes", "whole_shoes")),
)
_ON: Final = ("go on", "Go on", "goes on")

# (file, phrase) pairs that are right as they are: the title of a decision, a recorded dialogue.
EXCEPTIONS: Final = frozenset(
    {
        *((f"src/upcard/{name}.py", words) for name in _LOOPS for words in _ON),
        ("docs/index.md", "Kept"),
        ("src/upcard/line/general.py", "he"),  # the houses of documents 002 and 003
        ("src/upcard/line/general.py", "his"),
        ("src/upcard/line/seven_hands.py", "his"),
        ("src/upcard/session/count_check.py", "said"),  # the count that you said
    }
)

# Patterns ignore case. A blank matches a line break, a quotation mark and a comment sign too.
WORD_LIST: Final[dict[str, str]] = {
    r"unless (it is )?told": '"by default", "(default: ...)"',
    r"tells|told": '"shows", "prints", "reports", "returns"',
    r"said": '"shown", "printed", "reported"',
    r"so many": '"N", "the given number of", "per"',
    r"(?<!there\s)(?-i:is none)": '"invalid", "not a ...", "there is no ..."',
    r"he|his|him|himself": '"the dealer", "the coach", "they"',
    r"look(s|ed|ing)? over": '"review"',
    r"(hold|holds|held|holding)\b[^.;:]{0,60}?\bagainst": '"check against", "compare with"',
    r"otherwise than|(play|go|decide|answer)(s|ed|ing)?\b[^,.;:]{0,20}\botherwise": (
        '"differently", "what if"'
    ),
    r"anew|had again|once more": '"again", "replay", "reproduce"',
    r"laid|lie|lies|lying": '"placed", "is"',
    r"hands? that (is|are) asked": '"the active hand"',
    r"com(e|es|ing) to|came to": '"is", "totals", "reaches"',
    r"kept": '"saved", or what happens instead: "stays", "is limited to"',
    r"(in|your|empty) memory": '"history", "saved games", "database"',
    r"nobody|somebody|anybody|whoever": "name the subject",
    r"by (itself|themselves)": '"automatically", "alone", "separately"',
    r"apart(?! from)": '"separate", "distinguish"',
    r"shall": '"can", "will"',
    r"(?<!there\s)(?<!There\s)(is|are|was|were) no "
    r"(?!(longer|more|other|one|less|fewer|split|limit|part|better|worse|such|way)\b)[a-z]+": (
        '"is not a ...", "is not ..."'
    ),
    r"(goes|go|going|gone|went) on(?!-)": '"continues", "is waiting"',
    r"who asks": '"the caller"',
    r"bet flat|flat bet(?=,)": '"with flat bets"',
    r"less exact": '"minus exact"',
    r"as what": "name it",
    r"what is (not )?understood": '"a valid value", "an invalid value"',
    r"without memory": '"without saving"',
    r"dear|dearer|dearest": '"costly", "costliest", "most expensive"',
}
_PHRASES: Final = {
    re.compile(r"\b(?:" + pattern.replace(" ", r"[\s\"'#]+") + r")\b", re.IGNORECASE): advice
    for pattern, advice in WORD_LIST.items()
}
_DOCSTRING_STARTS: Final = re.compile(r'"""(?:What|Where) ')
_FENCE: Final = re.compile(r"^```(\w*)\n.*?^```", re.MULTILINE | re.DOTALL)
_OUTPUT: Final = re.compile(r"^(?!>>>|\.\.\.).*$", re.MULTILINE)
_INLINE_CODE: Final = re.compile(r"`[^`\n]+`|<img [^>]*>|\]\([^)]*\)")


class Finding(NamedTuple):
    """A phrase of the word list, and what to write instead."""

    path: str
    line: int
    phrase: str
    advice: str

    def __str__(self) -> str:
        """Write the finding as `file:line: phrase -> advice`."""
        return f"{self.path}:{self.line}: {self.phrase} -> {self.advice}"


def find_phrases(path: str, text: str) -> list[Finding]:
    """Find the phrases of the word list in the text of a file, in order."""
    prose = _prose_of_python(text) if path.endswith(".py") else _prose_of_markdown(text)
    found = [
        (match.start(), " ".join(match[0].split()), advice)
        for phrase, advice in _PHRASES.items()
        for match in phrase.finditer(prose)
    ]
    if path.endswith(".py"):
        found += [
            (match.start(), match[0].strip('" '), "begin with a noun or a verb")
            for match in _DOCSTRING_STARTS.finditer(prose)
        ]
    return [
        Finding(path, prose.count("\n", 0, start) + 1, phrase, advice)
        for start, phrase, advice in sorted(found)
        if (path, phrase) not in EXCEPTIONS
    ]


def list_files() -> Iterator[Path]:
    """List the documents and the sources."""
    yield from (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md")
    yield from sorted((ROOT / "docs").rglob("*.md"))
    yield from sorted((ROOT / "src" / "upcard").rglob("*.py"))


def _prose_of_markdown(text: str) -> str:
    """Blank the code of a page."""
    return _INLINE_CODE.sub(_blank, _FENCE.sub(_blank_block, text))


def _prose_of_python(text: str) -> str:
    """Blank everything but strings and comments."""
    lines = [re.sub(r"[^\n]", " ", line) for line in text.splitlines(keepends=True)]
    source = text.splitlines(keepends=True)
    for (first, begin), (last, end) in _find_prose(text):
        for number in range(first, last + 1):
            left = begin if number == first else 0
            right = end if number == last else len(source[number - 1])
            line = lines[number - 1]
            lines[number - 1] = line[:left] + source[number - 1][left:right] + line[right:]
    return "".join(lines)


def _find_prose(text: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield where each string and comment begins and ends.

    An f-string is one, with its fields; from Python 3.12 on its tokens are many.
    """
    begun: list[tuple[int, int]] = []
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        name = tokenize.tok_name[token.type]
        if name in ("FSTRING_START", "TSTRING_START"):
            begun.append(token.start)
        elif name in ("FSTRING_END", "TSTRING_END"):
            start = begun.pop()
            if not begun:
                yield start, token.end
        elif name in ("STRING", "COMMENT") and not begun:
            yield token.start, token.end


def _blank_block(match: re.Match[str]) -> str:
    """Blank a fenced block: all of it, or of a Python session what it prints."""
    if match[1] != "python":
        return _blank(match)
    return _OUTPUT.sub(_blank, match[0]) if ">>> " in match[0] else match[0]


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", "`", match[0])


def main() -> None:
    """Read the options, check the files and list the findings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="*", type=Path, help="(default: all that are in scope)")
    chosen = [path.resolve() for path in parser.parse_args().files] or list(list_files())
    names = {path: path.relative_to(ROOT).as_posix() for path in chosen}
    findings = [
        finding
        for path, name in names.items()
        if not name.startswith(SKIPPED)
        for finding in find_phrases(name, path.read_text(encoding="utf-8"))
    ]
    if findings:
        sys.exit("\n".join(map(str, findings)))


if __name__ == "__main__":
    main()
