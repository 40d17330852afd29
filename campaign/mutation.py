"""Texts that are nearly right, and texts that are noise."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

_NUMBERS: Final = (
    *("0", "-1", "1", "2", "7", "21", "52", "255", "1000", "65536", "1000000", "2147483648"),
    *("-9223372036854775809", "1e9", "1e999999999", "-1e-999999999", "1E400", "0.1", ".5", "5."),
    *("1/0", "0/0", "1/3", "-1/2", "9" * 30, "9" * 5000, "0x10", "1_000", "1,000", "1e", "٣", "½"),
    *(
        "nan",
        "NaN",
        "inf",
        "-inf",
        "Infinity",
        "null",
        "true",
        "1e-5",
        "+5",
        "- 5",
        "0" * 400 + "1",
    ),
)
_SCRAPS: Final = (
    *("", " ", "  ", "\t", "\n", "\r\n", "\x0b", "\x00", "\x1b[31m", "\x7f", "\x85", "\u2028"),
    *(
        "\ufeff",
        "\u200b",
        "é",
        "ß",
        "İ",
        "\u017f",
        "ﬁ",
        "♠",
        "🂡",
        "\U0001d7d9",
        "A\u0301",
        "\ud800",
        "\udcff",
    ),
    *("/", "\\", "..", "../..", "~", "~nobody7/x", "~/x", ".", "-", "--", "-o", "--json", "=", ":"),
    *(";", ",", "|", "#", "%", "*", "?", "!", "@", "$HOME", "`id`", "&&", "'", '"', '"""', "{}"),
    *("[", "]", "[[", "{", "}", "[" * 3000, "{" * 3000, '{"a":' * 500, "(" * 200, "x" * 300),
    *("x" * 5000, "null", "None", "True", "self", "__class__", "%s%n", "{0}", "you", "basic"),
    *("6D", "H17", "INF", "T6", "v", "less", "S17", "8D", "AS", "TT", "1-8", "i18", "hi-lo"),
    *("deshmukh", "european", "hit", "stand", "split", "insurance", "counter:", "chart:", "1:2"),
)
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_POOLS: Final = (
    "".join(map(chr, range(32, 127))),
    "0123456789.,:;/-+eE% ",
    "AKQJT98765432SHDC ",
    "".join(map(chr, (*range(32), 127, *range(128, 256)))),
    "\u00a0\u0660\u0966\u2003\u2028\u202e\u2212\uff10\ufeff\U0001f0a1\ud800\udfff",
)
_MOST: Final = 20_000


def choose_text(rng: random.Random, examples: Sequence[str], *, wildness: float = 0.9) -> str:
    """Return an example, most often changed a little; now and then it is noise."""
    if rng.random() > wildness:
        return rng.choice(examples)
    if rng.random() < 0.1:
        return make_noise(rng)
    text = rng.choice(examples)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 6))):
        text = rng.choice(_CHANGES)(rng, text, examples)[:_MOST]
    return text


def make_noise(rng: random.Random) -> str:
    """Return characters without any sense."""
    pool = rng.choice(_POOLS)
    length = int(rng.expovariate(1 / 20))
    return "".join(rng.choices(pool, k=length))


def _cut(rng: random.Random, text: str) -> tuple[str, str, str]:
    """Cut a text in three at random places."""
    one, two = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    if rng.random() < 0.7:
        two = min(two, one + 4)
    return text[:one], text[one:two], text[two:]


def _drop(rng: random.Random, text: str, _: Sequence[str]) -> str:
    before, _middle, after = _cut(rng, text)
    return before + after


def _repeat(rng: random.Random, text: str, _: Sequence[str]) -> str:
    before, middle, after = _cut(rng, text)
    return before + middle * rng.choice((2, 2, 3, 40, 1000)) + after


def _insert(rng: random.Random, text: str, _: Sequence[str]) -> str:
    before, middle, after = _cut(rng, text)
    return before + middle + rng.choice(_SCRAPS) + after


def _replace(rng: random.Random, text: str, _: Sequence[str]) -> str:
    before, _middle, after = _cut(rng, text)
    return before + rng.choice((rng.choice(_SCRAPS), make_noise(rng)[:3])) + after


def _change_number(rng: random.Random, text: str, _: Sequence[str]) -> str:
    found = list(_NUMBER.finditer(text))
    if not found:
        return text + rng.choice(_NUMBERS)
    one = rng.choice(found)
    return text[: one.start()] + rng.choice(_NUMBERS) + text[one.end() :]


def _change_word(rng: random.Random, text: str, examples: Sequence[str]) -> str:
    parts = re.split(r"(\W+)", text)
    others = re.split(r"(\W+)", rng.choice(examples))
    at = rng.randrange(len(parts))
    parts[at] = rng.choice((rng.choice(others), rng.choice(_SCRAPS), rng.choice(_NUMBERS), ""))
    return "".join(parts)


def _swap_words(rng: random.Random, text: str, _: Sequence[str]) -> str:
    words = text.split(" ")
    one, two = rng.randrange(len(words)), rng.randrange(len(words))
    words[one], words[two] = words[two], words[one]
    return " ".join(words)


def _swap_lines(rng: random.Random, text: str, _: Sequence[str]) -> str:
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return text + text
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return "".join(lines[: rng.randint(1, len(lines))] if rng.random() < 0.3 else lines)


def _splice(rng: random.Random, text: str, examples: Sequence[str]) -> str:
    other = rng.choice(examples)
    return text[: rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1) :]


def _change_case(rng: random.Random, text: str, _: Sequence[str]) -> str:
    return rng.choice((str.upper, str.lower, str.swapcase, str.title))(text)


def _flip(rng: random.Random, text: str, _: Sequence[str]) -> str:
    if not text:
        return make_noise(rng)
    at = rng.randrange(len(text))
    return text[:at] + chr(ord(text[at]) ^ (1 << rng.randrange(7))) + text[at + 1 :]


_CHANGES: Final = (
    *(_drop, _repeat, _insert, _insert, _replace, _replace, _change_number, _change_number),
    *(_change_word, _change_word, _swap_words, _swap_lines, _splice, _change_case, _flip),
)
