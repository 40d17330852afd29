"""Side bets in TOML files and in the rules notation: read, checked, found by name, written.

The words of a file are described in docs/side-bets.md. A fault names the file and the line.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, TypeAlias

from upcard.core import user_files
from upcard.core.cards import FACES, Card
from upcard.core.errors import BlackjackError, RulesError, quote, write_faults
from upcard.core.numbers import as_whole, exact_number, read_letters
from upcard.rules import side_bets
from upcard.rules.side_bet_reach import find_unreachable
from upcard.rules.side_bets import ANY_TEN, CARD_NAMES, DEALER, PayRow, Published, SideBet, Span

SideBetLike: TypeAlias = "SideBet | str | PathLike[str]"
"""A bet, the name of a shipped one, its token without the plus, or the path of a TOML file."""
MOST_SIDE_BETS: Final = 8
_FOLDER: Final = Path(__file__).parent / "bets"
_KEYS: Final = (
    *("title", "source", "code", "game", "cards", "for_each", "pays", "win", "after", "if_drawn"),
    "published",
)
_ROW_KEYS: Final = ("name", "pays", "push", "cards", *side_bets.WORDS)
_PUBLISHED_KEYS: Final = ("decks", "rules", "edge", "source", "hit", "standard_deviation")
_CODE: Final = re.compile(r"[a-z0-9][a-z0-9+.-]{0,19}")
_TOKEN: Final = re.compile(r"\+?(.+?)(?:\(([0-9./]*)\))?")
_SPAN: Final = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3})|(\+))?")
_MOST_ROWS: Final = 40
_MOST_SIZE: Final = 21
_MOST_PAY: Final = 1_000_000


@cache
def side_bet_names() -> tuple[str, ...]:
    """Return the names of the shipped side bets in alphabetical order."""
    return tuple(sorted(file.stem for file in _FOLDER.iterdir() if file.suffix == ".toml"))


@cache
def _load_shipped(name: str) -> SideBet:
    file = _FOLDER / f"{name}.toml"
    bet = read_side_bet(file.read_text(encoding="utf-8"), name=name, where=file.name)
    return replace(bet, is_shipped=True)


def shipped_side_bets() -> tuple[SideBet, ...]:
    """Return the shipped side bets in alphabetical order of their names."""
    return tuple(map(_load_shipped, side_bet_names()))


def load_side_bet(bet: SideBetLike) -> SideBet:
    """Return a side bet: itself, by the name of a shipped one, its token, or a file's path.

    Raises: RulesError for an unknown name, or with all the faults of the file.

    >>> load_side_bet("21+3 flat") is load_side_bet("+21+3(9)")
    True
    """
    if isinstance(bet, SideBet):
        return bet
    if isinstance(bet, PathLike):
        return _load_file(fspath(bet))
    if not isinstance(bet, str):
        raise RulesError(f"side bet {quote(bet)}: give its name, or the path of its file")
    wanted = bet.strip()
    if wanted.startswith(side_bets.WRITTEN):
        return _read_written(wanted)
    named = "-".join(wanted.lower().removeprefix("+").split())
    if named in side_bet_names():
        return _load_shipped(named)
    path = wanted.removeprefix("+")
    if not path.endswith(")") and user_files.could_be_file(path, ".toml"):
        return _load_file(path)
    return _find_by_code(wanted, named)


def _find_by_code(wanted: str, named: str) -> SideBet:
    match = _TOKEN.fullmatch(named)
    code, written = (match[1], match[2]) if match else (named, None)
    family = [one for one in shipped_side_bets() if one.code == code]
    if not family:
        codes = dict.fromkeys(one.code for one in shipped_side_bets())
        raise RulesError(
            f"no side bet is called {quote(wanted)}: one of {', '.join(side_bet_names())}; or by"
            f" {', '.join(codes)} with what it pays, such as 21+3(9)"
            + user_files.or_path(".toml file")
        )
    if written is None and len(family) == 1:
        return family[0]
    found = next((one for one in family if side_bets.write_pays(one) == written), None)
    if found is not None:
        return found
    changed = [] if written is None else list(_with_pays(family, written))
    if len(changed) == 1:
        return changed[0]
    raise RulesError(
        f"side bet {quote(wanted)}: {code} is paid in several ways, write one of"
        f" {', '.join(map(side_bets.write_token, family))}"
    )


def _with_pays(family: Iterable[SideBet], written: str) -> Iterator[SideBet]:
    """Iterate over the different bets of a family that could be paid so."""
    pays = [exact_number(one) for one in written.split("/")]
    if None in pays or not all(0 <= (one or 0) <= _MOST_PAY for one in pays):
        return
    layouts = set()
    for bet in family:
        layout = tuple((row.name, row.cards, row.words) for row in bet.rows)
        paid = [row for row in bet.rows if row.pays]
        if layout in layouts or len(pays) != len(paid):
            continue
        layouts.add(layout)
        new = iter([Fraction(one or 0) for one in pays])
        rows = tuple(row if not row.pays else replace(row, pays=next(new)) for row in bet.rows)
        title = f"{bet.title.partition(',')[0]}, {written}"
        yield replace(
            bet, name=f"{bet.code}({written})", title=title, rows=rows, game="", published=()
        )


def _read_written(token: str) -> SideBet:
    letters = token.removeprefix(side_bets.WRITTEN)
    try:
        data = user_files.parse_json(_expand(read_letters(letters) or b""), "side bet")
        bet, faults = _read_data(data, str(data.pop("name")))
    except (ValueError, zlib.error, AttributeError, KeyError, BlackjackError):
        bet, faults = None, []
    if bet is None or faults:
        raise RulesError(f"side bet {quote(token)} is mistyped or not whole")
    return bet


def _expand(packed: bytes) -> bytes:
    inflate = zlib.decompressobj()
    text = inflate.decompress(packed, side_bets.MOST_WRITTEN)
    if not inflate.eof or inflate.unused_data:
        raise ValueError("its text does not end where it should")
    return text


@cache
def _read_cached(path: str, text: str) -> SideBet:
    name = user_files.expand_user(path).stem
    return replace(read_side_bet(text, name=name, where=path), path=path)


def _load_file(path: str) -> SideBet:
    return _read_cached(path, user_files.read_user_file(path, "side bet"))


def read_side_bet(text: str, *, name: str, where: str) -> SideBet:
    """Read a bet from the text of a TOML file; messages call the file `where`.

    Raises: RulesError with all the faults of the file, each with its line.
    """
    bet, faults = _read_data(user_files.parse_toml(text, where, parse_float=Decimal), name)
    if bet is not None and not faults:
        faults = [*_find_too_long(bet)] or [
            (f'"{row.name}"', f"row {row.name!r} is never reached: earlier rows take all its cards")
            for row in find_unreachable(bet)
        ]
    if bet is None or faults:
        raise RulesError(*write_faults(where, faults, partial(_locate, text)))
    return bet


def _find_too_long(bet: SideBet) -> Iterator[tuple[str, str]]:
    """Refuse a bet that no record could have: it must be read again without its file."""
    if (size := len(side_bets.write_whole(bet))) > side_bets.MOST_WRITTEN:
        most = f"and may take {side_bets.MOST_WRITTEN:,}: shorten them"
        yield "title", f"its texts and rows take {size:,} characters in a saved round, {most}"


def _locate(text: str, key: str) -> str:
    """Locate a key, or the quoted name of a row, for a message: by line if it can be found."""
    pattern = re.compile(rf"[\"']?{re.escape(key)}[\"']?\s*=" if key[:1] != '"' else re.escape(key))
    for number, line in enumerate(text.splitlines() if key else (), start=1):
        if pattern.search(line.partition(" #")[0]):
            return f", line {number}"
    return ""


Faults: TypeAlias = list[tuple[str, str]]
"""Key, or quoted name of a row, and message of each fault."""


def _read_data(data: dict[str, Any], name: str) -> tuple[SideBet | None, Faults]:
    unknown = [key for key in data if key not in _KEYS]
    faults: Faults = [(key, f"unknown key {key!r}: one of {', '.join(_KEYS)}") for key in unknown]
    for key in ("title", "source", "cards", "win"):
        if key not in data:
            faults.append(("", f"key {key!r} is missing"))
    for key in ("title", "source", "code", "game"):
        if key in data and not (isinstance(data[key], str) and data[key].strip()):
            faults.append((key, f"{key!r} must be a text"))
    code = str(data.get("code", name)).strip().lower().replace(" ", "-")
    if not _CODE.fullmatch(code) or code.replace(".", "").isdecimal():
        form = "1 to 20 letters, digits, '+', '-' and '.', not a number"
        faults.append(("code", f"code {quote(code)}: {form}"))
    cards = _read_names(data, "cards", (*CARD_NAMES, DEALER), faults)
    for_each = _read_names(data, "for_each", CARD_NAMES, faults) if "for_each" in data else ()
    if DEALER in cards and (len(cards) > 1 or for_each):
        faults.append(("cards", f"{DEALER!r}, the dealer's final hand, is looked at alone"))
    if set(cards) & set(for_each):
        faults.append(("for_each", "a card of for_each is in cards too"))
    if data.get("pays", "to one") not in ("to one", "for one"):
        faults.append(("pays", "'pays' is 'to one' or 'for one'"))
    if not isinstance(data.get("if_drawn", False), bool):
        faults.append(("if_drawn", "'if_drawn' is true or false"))
    elif data.get("if_drawn") and (new := side_bets.NEXT) not in (*cards, *for_each):
        faults.append(("if_drawn", f"'if_drawn' is about {new!r}, which is not in cards"))
    after = _read_cards(data.get("after", []), "after", faults)
    rows = _read_rows(data, cards, for_each, faults)
    published = _read_published(data.get("published", []), str(data.get("source", "")), faults)
    if faults:
        return None, faults
    bet = SideBet(
        name=name,
        code=code,
        title=data["title"].strip(),
        source=data["source"].strip(),
        cards=cards,
        for_each=for_each,
        rows=rows,
        after=after,
        game=str(data.get("game", "")).strip(),
        if_drawn=bool(data.get("if_drawn", False)),
        published=published,
    )
    return bet, []


def _read_names(
    data: dict[str, Any], key: str, possible: tuple[str, ...], faults: Faults, line: str = ""
) -> tuple[str, ...]:
    written = data.get(key, [])
    if not isinstance(written, list) or not written or len(set(map(str, written))) < len(written):
        if key in data:
            faults.append((line or key, f"{key!r} is a list of different names of cards"))
        return ()
    faults += (
        (line or key, f"{key!r}: {quote(one)} is not one of {', '.join(possible)}")
        for one in written
        if one not in possible
    )
    return tuple(map(str, written))


def _read_cards(written: object, key: str, faults: Faults) -> tuple[Card, ...]:
    if not isinstance(written, list):
        faults.append((key, f"{key!r} is a list of cards, such as ['QH', 'QH']"))
        return ()
    found = []
    for one in written:
        try:
            found.append(Card(str(one)))
        except BlackjackError as error:
            faults.append((key, f"{key!r}: {error}"))
    return tuple(found)


def _read_rows(
    data: dict[str, Any], cards: tuple[str, ...], for_each: tuple[str, ...], faults: Faults
) -> tuple[PayRow, ...]:
    written = data.get("win", [])
    if not isinstance(written, list) or not all(isinstance(one, dict) for one in written):
        example = "{name = 'pair', same_rank = 2, pays = 11}"
        faults.append(("win", f"'win' is a list of rows, such as {example}"))
        return ()
    if not 0 < len(written) <= _MOST_ROWS:
        if "win" in data:
            faults.append(("win", f"'win' has {len(written)} rows, and may have 1 to {_MOST_ROWS}"))
        return ()
    is_for_one = data.get("pays") == "for one"
    reader = _RowReader(cards, for_each, is_for_one=is_for_one, faults=faults)
    rows = tuple(reader.read(number, row) for number, row in enumerate(written, start=1))
    names = [row.name for row in rows]
    for name in {name for name in names if names.count(name) > 1}:
        faults.append((f'"{name}"', f"two rows are called {name!r}"))
    return rows


class _RowReader:
    """Reads the rows of one bet; faults are added to the list."""

    def __init__(
        self, cards: tuple[str, ...], for_each: tuple[str, ...], *, is_for_one: bool, faults: Faults
    ) -> None:
        self.cards, self.for_each = cards, for_each
        self.is_for_one = is_for_one
        self.faults = faults
        self._line = "win"
        self._name = ""

    def read(self, number: int, row: dict[str, Any]) -> PayRow:
        name = row.get("name", "")
        has_name = isinstance(name, str) and bool(name.strip())
        self._name = name.strip() if has_name else f"row {number}"
        self._line = f'"{name}"' if has_name else "win"
        if not has_name:
            self._refuse("'name' must be a text")
        for word in row:
            if word not in _ROW_KEYS:
                self._refuse(f"unknown word {word!r}: one of {', '.join(_ROW_KEYS)}")
        looked: tuple[str, ...] = self.cards
        if "cards" in row:
            possible = (*self.cards, *self.for_each)
            looked = _read_names(row, "cards", possible, self.faults, self._line)
        size = None if looked == (DEALER,) else len(looked)
        if size is not None and self.for_each and "cards" not in row:
            size += 1
        words = tuple(
            (word, value)
            for word in side_bets.WORDS
            if word in row and (value := self._read_word(word, row[word], size)) is not None
        )
        if not any(word in row for word in side_bets.WORDS):
            self._refuse("it has no word that says which cards fit")
        if "ace" in row and "total" not in row:
            self._refuse("'ace' is about 'total', which it does not have")
        return PayRow(name=self._name, pays=self._read_pays(row), cards=looked, words=words)

    def _refuse(self, fault: str) -> None:
        self.faults.append((self._line, f"{self._name}: {fault}"))

    def _read_pays(self, row: dict[str, Any]) -> Any:  # noqa: ANN401 (a Fraction)
        if row.get("push", False) not in (True, False):
            self._refuse("'push' is true or false")
        if row.get("push") is True:
            if "pays" in row:
                self._refuse("a row that returns the bet has no 'pays'")
            return exact_number(0)
        pays = exact_number(row.get("pays"))
        if pays is None:
            wrong = "must be a number, such as 9 or 2.5" if "pays" in row else "is missing"
            self._refuse(f"'pays' {wrong}")
            return exact_number(0)
        if self.is_for_one:
            pays -= 1
        if not 0 < pays <= _MOST_PAY:
            self._refuse(f"it pays {pays} to one: over 0, at most {_MOST_PAY:,}; or 'push = true'")
        return pays

    def _read_word(self, word: str, value: Any, size: int | None) -> Any:  # noqa: ANN401 (by word)
        """Read the value of a word; `size` is the number of cards, None for the dealer's hand."""
        if word in ("ranks", "exact"):
            return self._read_list(word, value, size)
        if word in ("total", "size", "between"):
            return self._read_span(word, value, size)
        if word == "ace":
            if as_whole(value) != 1:
                self._refuse("'ace' is 1, or left out")
            return 1
        if word == "dealer_natural":
            if not isinstance(value, bool):
                self._refuse("'dealer_natural' is true or false")
            return value
        if word == "last":
            if size is not None:
                self._refuse("'last' is about the dealer's final hand: cards = ['dealer']")
            return self._read_rank(word, value)
        number, least = as_whole(value), 2
        most = _MOST_SIZE if size is None else size
        if number is None or not least <= number <= most:
            has = "" if size is None else f" of {size} cards"
            self._refuse(f"{word} = {quote(value)}: a number from {least} to {most}{has}")
            return None
        return number

    def _read_list(self, word: str, value: Any, size: int | None) -> Any:  # noqa: ANN401
        if not isinstance(value, list) or not value or (size is not None and len(value) != size):
            number = "one or more" if size is None else str(size)
            self._refuse(f"'{word}' is a list of {number}, as many as the cards it looks at")
            return None
        if word == "ranks":
            return tuple(self._read_rank(word, one) for one in value)
        faults: Faults = []
        cards = _read_cards(value, word, faults)
        for _, fault in faults:
            self._refuse(fault)
        if not faults and not all(card.suit for card in cards):
            self._refuse("'exact' has cards with suits, such as 'QH'; 'ranks' has none")
        return tuple(sorted(cards, key=str))

    def _read_rank(self, word: str, value: object) -> str:
        text = str(value).strip().upper().replace("10", "T")
        if text not in (*FACES, ANY_TEN):
            possible = f"{' '.join(FACES)}, or X for all tens"
            self._refuse(f"'{word}': {quote(value)} is not a rank: {possible}")
        return text

    def _read_span(self, word: str, value: object, size: int | None) -> Span | None:
        match = _SPAN.fullmatch(str(value).strip()) if not isinstance(value, bool) else None
        if match is None:
            self._refuse(f"{word} = {quote(value)}: write 20, '19-21' or '22+'")
            return None
        least = int(match[1])
        span = Span(least, None if match[3] else int(match[2] or least))
        if word == "between" and size != 3:
            self._refuse("'between' is about three cards, the last of which is between the others")
        if word == "size" and size is not None:
            self._refuse("'size' is about the dealer's final hand: cards = ['dealer']")
        most = {"total": 26 if size is None else 11 * size, "between": 11, "size": _MOST_SIZE}[word]
        low = {"total": 17 if size is None else size, "between": 1, "size": 2}[word]
        if not low <= least <= most or (span.most is not None and span.most < least):
            self._refuse(f"{word} = {quote(value)}: these cards have from {low} to {most}")
        return span


def _read_published(written: object, source: str, faults: Faults) -> tuple[Published, ...]:
    if not isinstance(written, list) or not all(isinstance(one, dict) for one in written):
        faults.append(("published", "'published' is a list, such as [{decks = 6, edge = 3.2386}]"))
        return ()
    found = []
    for one in written:
        faults += (
            ("published", f"unknown key {key!r}: one of {', '.join(_PUBLISHED_KEYS)}")
            for key in one
            if key not in _PUBLISHED_KEYS
        )
        rules = str(one.get("rules", f"{one.get('decks')}D"))
        figures = {
            key: Decimal(str(one[key]))
            for key in ("edge", "hit", "standard_deviation")
            if exact_number(one.get(key)) is not None
        }
        if "edge" not in figures or ("rules" in one) == ("decks" in one):
            faults.append(("published", "a published figure has 'edge', and 'decks' or 'rules'"))
            continue
        found.append(Published(rules=rules, source=str(one.get("source", source)), **figures))
    return tuple(found)


def read_side_bets(bets: Iterable[SideBetLike]) -> tuple[SideBet, ...]:
    """Return the side bets of a house, given as values, by name, or by the paths of files.

    Raises: RulesError for too many, for two with one short name, and for one that is not placed
    before the deal.
    """
    found = tuple(map(load_side_bet, bets))
    if len(found) > MOST_SIDE_BETS:
        raise RulesError(f"{len(found)} side bets: a table has at most {MOST_SIDE_BETS}")
    codes = [bet.code for bet in found]
    for bet in found:
        if bet.after:
            raise RulesError(
                f"side bet {bet.name}: it is offered only after {' '.join(map(str, bet.after))},"
                " not before the deal; `upcard sidebet` prices it"
            )
        if codes.count(bet.code) > 1:
            raise RulesError(f"two side bets are called {bet.code}: each needs a name of its own")
    return found


side_bet = load_side_bet
"""The public name: `upcard.side_bet("21+3 flat")`."""
