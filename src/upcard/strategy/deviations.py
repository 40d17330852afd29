"""`Deviations`: where the count changes the play of the chart, as values and as text.

The text of a set has one play per line. `#` begins a comment; comment lines are the title, except
those that begin with `name:`, `source:`, `system:` (the count that the indices are for) and `for:`
(the game that they are made for, such as `4 to 8 decks, S17, DAS`):

    # system: hi-lo
    insurance >= 3           take insurance, and even money, at this count or above
    16 v T  S >= 0 else H    stand at 0 or above, hit below
    15 v T  R >= 0           surrender at 0 or above; below, the chart's play without surrender
    13 v 2  H < -1           hit below -1

The hand is a row of the chart (`16`, `A7`, `88`, `TT`), the action H, S, D, P (split) or R
(surrender). A play acts on exactly that row, so a pair that may be split has its own plays.
A faulty set is refused with every fault and its line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeAlias, Unpack

from upcard.core.actions import LETTERS, Action
from upcard.core.cards import UPCARD_ORDER, Rank, rank_name
from upcard.core.errors import NotationError, RulesError, UnsupportedRuleError, quote
from upcard.core.user_files import could_be_file, expand_user, is_user_file, or_path, read_user_file
from upcard.rules.tokens import read_tokens
from upcard.strategy import chart, count_system
from upcard.strategy.chart import HAND_LABELS, UPCARD_LABELS, ChartHand, Strategy, hand_of_row

if TYPE_CHECKING:
    from upcard.rules.model import Rules

Row: TypeAlias = tuple[int, bool, Rank]  # total, is_soft, pair_rank

_LETTERS: Final = {action: letter.upper() for action, letter in LETTERS.items()}
ACTION_LETTERS: Final = {letter: action for action, letter in _LETTERS.items()}
_ACTIONS: Final = tuple(_LETTERS)
_MOST_INDEX: Final = 1000
_HEADERS: Final = {"name": "name", "source": "source", "system": "system", "for": "made_for"}
"""The settings of a set that comment lines have, by their keys."""
_DECKS: Final = re.compile(r"(\d{1,2}) to (\d{1,2}) decks")
_JOINED: Final = " + "
_INSURANCE: Final = re.compile(r"insurance\s*>=\s*([+-]?[0-9]{1,9})", re.IGNORECASE)
_PLAY: Final = re.compile(
    r"(?P<hand>\w+(?:,\w+)?)\s+v\s+(?P<up>\w+)\s+(?P<action>[A-Z])\s*(?P<sign>>=|<)\s*"
    r"(?P<index>[+-]?[0-9]{1,9})(?:\s+else\s+(?P<otherwise>[A-Z]))?",
    re.IGNORECASE,
)
_FORM: Final = "write a play as in '16 v T S >= 0 else H', or insurance as in 'insurance >= 3'"
_UPCARDS: Final = dict(zip(UPCARD_LABELS, UPCARD_ORDER, strict=True)) | dict.fromkeys("TJQK", 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """One play: an action for a row of the chart and an upcard, on one side of an index."""

    hand: str
    """A row of the chart, one of `HAND_LABELS`."""
    upcard: Rank
    action: Action
    index: int
    at_or_above: bool = True
    """Whether the action is for counts from the index up; False for those below it."""
    otherwise: Action | None = None
    """Hit or stand on the other side of the index; None: the chart's play without `action`."""

    def __post_init__(self) -> None:
        """Check every part."""
        faults = list(_find_play_faults(self))
        if faults:
            raise RulesError(*faults)

    def __str__(self) -> str:
        """Write the play in the form that `Deviations.parse` reads."""
        sign = ">=" if self.at_or_above else "<"
        rest = f" else {_LETTERS[self.otherwise]}" if self.otherwise else ""
        return f"{self.cell}  {_LETTERS[self.action]} {sign} {self.index}{rest}"

    @property
    def cell(self) -> str:
        """The hand and the upcard: `16 v T`."""
        hand = "TT" if self.hand == "1010" else self.hand
        return f"{hand} v {rank_name(self.upcard)}"

    def holds(self, count: int) -> bool:
        """Whether the count is on the side of the index that the action is for."""
        return (count >= self.index) is self.at_or_above

    @property
    def rows(self) -> tuple[Row, ...]:
        """The rows that the play acts on, as total, softness and the rank of the pair."""
        total, is_soft, pair_rank = hand_of_row(self.hand)
        if pair_rank:
            return ((0, False, pair_rank),)
        # The chart's first row includes all lower totals.
        totals = range(total + 1) if total == 5 else (total,)
        return tuple((one, is_soft, 0) for one in totals)


Plays: TypeAlias = tuple[Deviation, ...]


def _find_play_faults(play: Deviation) -> Iterator[str]:
    if play.hand not in HAND_LABELS:
        yield f"no row is called {play.hand!r}: one of {', '.join(HAND_LABELS)}"
    if play.upcard not in UPCARD_ORDER:
        yield f"no upcard has the rank {play.upcard!r}: 1 (ace) to 10"
    if play.action not in _LETTERS:
        yield f"no play is to {play.action!r}: {', '.join(_LETTERS)}"
    elif play.action is Action.SPLIT and play.hand not in chart.PAIR_LABELS:
        yield f"{play.hand} cannot be split: it is not a pair"
    yield from _find_index_faults(play.index)
    if play.otherwise is not None and play.otherwise not in chart.PLAIN:
        yield f"the play on the other side is hit or stand, not {play.otherwise}"
    elif play.otherwise is not None and play.otherwise is play.action:
        yield f"{play.action} on both sides of an index is not a deviation"


def find_set_faults(plays: Iterable[Deviation], insurance: int | None) -> Iterator[str]:
    """Find the plays that clash with one another, and a faulty index of insurance."""
    seen: dict[tuple[str, Rank, Action], Deviation] = {}
    for play in plays:
        # Hitting from one count on and standing from another is one play, with an else.
        kind = Action.STAND if play.action in chart.PLAIN else play.action
        other = seen.setdefault((play.hand, play.upcard, kind), play)
        if other is not play:
            yield f"{str(play)!r} clashes with {str(other)!r}: one play of a kind for each cell"
    if insurance is not None:
        yield from _find_index_faults(insurance)


def _find_index_faults(index: int) -> Iterator[str]:
    if type(index) is not int or abs(index) > _MOST_INDEX:
        yield f"an index is a whole count from -{_MOST_INDEX} to {_MOST_INDEX}, not {index!r}"


def read_settings(text: str, *, name: str) -> dict[str, Any]:
    """Return the settings of the `Deviations` in a text."""
    title: list[str] = []
    headers: dict[str, str] = {}
    insurance: list[int] = []
    plays: list[tuple[int, Deviation]] = []
    faults: list[str] = []
    for number, line in enumerate(str(text).removeprefix("\ufeff").splitlines(), start=1):
        where = f"line {number}"
        written, _, comment = line.replace("−", "-").partition("#")
        written = written.strip()
        if not written:
            faults += (f"{where}: {fault}" for fault in _read_comment(comment, title, headers))
        elif match := _INSURANCE.fullmatch(written):
            if insurance:
                faults.append(f"{where}: insurance is decided twice")
            insurance.append(int(match[1]))
        else:
            read, wrong = _read_play(written)
            faults += (f"{where}: {fault}" for fault in wrong)
            plays += [(number, play) for play in read]
    taken = insurance[0] if insurance else None
    faults += _find_clashes(plays)
    if not faults and not plays and not insurance:
        faults.append(f"no play and no insurance: {_FORM}")
    faults += find_set_faults((), taken)
    if faults:
        raise NotationError(*faults)
    return {
        "name": headers.get("name", name),
        "title": "\n".join(title),
        "source": headers.get("source", ""),
        "system": headers.get("system", ""),
        "made_for": headers.get("for", ""),
        "plays": tuple(play for _, play in plays),
        "insurance": taken,
    }


def _read_comment(comment: str, title: list[str], headers: dict[str, str]) -> Iterator[str]:
    """Store a comment where it belongs; yield a sentence if its key occurs twice."""
    key, colon, value = comment.partition(":")
    key = key.strip().lower()
    if not colon or key not in _HEADERS:
        if comment.strip():
            title.append(comment.strip())
    elif key in headers:
        yield f"{key!r} is there already"
    elif value.strip():
        headers[key] = value.strip()


def _read_play(written: str) -> tuple[list[Deviation], list[str]]:
    match = _PLAY.fullmatch(written)
    if match is None:
        return [], [f"{quote(written)}: {_FORM}"]
    faults: list[str] = []
    hand = match["hand"].upper().replace(",", "").replace("T", "10")
    if hand not in HAND_LABELS:
        faults.append(f"no row is called {quote(match['hand'])}: one of {', '.join(HAND_LABELS)}")
    up = match["up"].upper()
    if up not in _UPCARDS:
        faults.append(f"no upcard is called {quote(match['up'])}: one of {', '.join(_UPCARDS)}")
    letters = [match["action"].upper(), (match["otherwise"] or "H").upper()]
    faults += (
        f"no action is called {letter!r}: one of {', '.join(ACTION_LETTERS)}"
        for letter in letters
        if letter not in ACTION_LETTERS
    )
    if faults:
        return [], faults
    try:
        play = Deviation(
            hand=hand,
            upcard=_UPCARDS[up],
            action=ACTION_LETTERS[letters[0]],
            index=int(match["index"]),
            at_or_above=match["sign"] == ">=",
            otherwise=ACTION_LETTERS[letters[1]] if match["otherwise"] else None,
        )
    except RulesError as error:
        return [], list(error.faults)
    return [play], []


def _find_clashes(plays: list[tuple[int, Deviation]]) -> Iterator[str]:
    kept: list[Deviation] = []
    for number, play in plays:
        faults = list(find_set_faults((*kept, play), None))
        yield from (f"line {number}: {fault}" for fault in faults)
        if not faults:
            kept.append(play)


_ASKED: Final = (Action.SURRENDER, Action.SPLIT, Action.DOUBLE)
"""The actions asked before hit or stand, first to last."""
_COUNT: Final = attrgetter("tags", "red_7", "by", "start_per_deck", "start_constant")
"""Settings that make a count, whatever its rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviations:
    """A set of plays. Two are equal when they play the same for the same count.

    `str(deviations)` prints the set and `Deviations.parse` reads it back.
    """

    name: str = field(default="", compare=False)
    title: str = field(default="", compare=False)
    source: str = field(default="", compare=False)
    system: str = ""
    """Name of the counting system that the indices are for; empty: for any."""
    made_for: str = field(default="", compare=False)
    """The game that the indices are made for, such as `4 to 8 decks, S17, DAS`; empty: unknown."""
    plays: tuple[Deviation, ...] = ()
    insurance: int | None = None
    """The count from which insurance and even money are taken; None: as in the chart."""
    _cells: dict[tuple[Row, Rank], Plays] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check that no two plays clash, then sort them by the cells they act on."""
        faults = list(find_set_faults(self.plays, self.insurance))
        if faults:
            raise RulesError(*faults)
        cells: dict[tuple[Row, Rank], Plays] = {}
        # Applied in this order, the last one takes precedence: surrender before split, and so on.
        for play in sorted(self.plays, key=lambda play: _ACTIONS.index(play.action)):
            for row in play.rows:
                place = (row, play.upcard)
                cells[place] = (*cells.get(place, ()), play)
        object.__setattr__(self, "_cells", cells)

    @classmethod
    def parse(cls, text: str, *, name: str = "") -> Deviations:
        """Read a set; a line `# name:` in it takes precedence over the argument."""
        return cls(**read_settings(text, name=name))

    def __str__(self) -> str:
        """Write the set; `Deviations.parse` reads it back, title and source included."""
        headers = ((key, getattr(self, setting)) for key, setting in _HEADERS.items())
        lines = [f"# {line}" for line in self.title.splitlines()]
        lines += [f"# {header}: {text}" for header, text in headers if text]
        if self.insurance is not None:
            lines.append(f"insurance >= {self.insurance}")
        return "\n".join([*lines, *map(str, self.plays)]) + "\n"

    def in_cell(  # noqa: PLR0913 (the facts of a hand)
        self,
        *,
        total: int,
        is_soft: bool,
        pair_rank: Rank,
        upcard: Rank,
        hole: Rank = 0,
        doubles: int = 0,
    ) -> Plays:
        """Return the plays that act on a hand, in the order in which they are applied.

        None acts on a doubled hand.

        Raises: UnsupportedRuleError if the hole card is seen: they go by the upcard.
        """
        if hole:
            reason = "index plays go by the upcard alone"
            raise UnsupportedRuleError("count", "shows_hole=true", reason)
        if doubles:
            return ()
        row = (0, False, pair_rank) if pair_rank else (total, is_soft, 0)
        return self._cells.get((row, upcard), ())

    def options(
        self, strategy: Strategy, *, count: int, **hand: Unpack[ChartHand]
    ) -> tuple[Action, ...]:
        """Return the options for a hand at a count, the first to try first.

        It is the chart's list (`Strategy.options`) with the plays of its cell inserted; the answers
        to insurance and even money, after all others, also depend on the count if there is an
        index.
        """
        options = strategy.options(**hand)
        for play in self.in_cell(**hand):
            options = chart.put_in(options, play.action, play.otherwise, play.holds(count))
        if self.insurance is not None and not hand.get("doubles"):
            options = (*options[:-2], *chart.answer_insurance(takes=count >= self.insurance))
        return options

    def decide(
        self,
        strategy: Strategy,
        *,
        count: int,
        legal: Collection[Action],
        **hand: Unpack[ChartHand],
    ) -> Action:
        """Return the action for a hand at a count, among those that are `legal`."""
        options = self.options(strategy, count=count, **hand)
        action = chart.first_legal(options, legal)
        if action is None:
            where = f"{hand['upcard']} at count {count}"
            total, is_soft = hand["total"], hand["is_soft"]
            raise chart.no_answer(options, legal, total=total, is_soft=is_soft, where=where)
        return action

    def find_used(
        self,
        strategy: Strategy,
        *,
        count: int,
        legal: Collection[Action],
        **hand: Unpack[ChartHand],
    ) -> Deviation | None:
        """Return the play that changes the chart's answer; None if the answer is the chart's.

        Of several it is the one asked first: if one play declines surrender and another one hits,
        the first of them is returned.
        """
        options = strategy.options(**hand)
        as_chart = answer = chart.first_legal(options, legal)
        used = None
        plays = self.in_cell(**hand)
        for play in plays:
            options = chart.put_in(options, play.action, play.otherwise, play.holds(count))
            last, answer = answer, chart.first_legal(options, legal)
            used = used if answer is last else play
        if answer is as_chart:
            return None
        first = next((one for one in _ASKED if one in (as_chart, answer)), None)
        return next((play for play in plays if play.action is first), used)

    def takes_insurance(self, strategy: Strategy, count: int) -> bool:
        """Whether insurance and even money are taken at a count."""
        return strategy.takes_insurance if self.insurance is None else count >= self.insurance

    def note_game(self, rules: Rules) -> str:
        """Say what game the set is made for, if it is known and the rules are of another one."""
        if not (others := [word for word in self._words_of_game if not _fits(word, rules)]):
            return ""
        return (
            f"The index plays {self.name or 'given'} are made for {self.games}, and this game is"
            f" not {', '.join(others)}: some are wrong here. upcard indices finds those of this"
            " game."
        )

    @property
    def games(self) -> str:
        """The game that the set is made for, in words; those of joined sets together."""
        return ", ".join(self._words_of_game)

    @property
    def _words_of_game(self) -> list[str]:
        words = (word.strip() for game in self.made_for.split(_JOINED) for word in game.split(","))
        return list(dict.fromkeys(filter(None, words)))

    def require_system(self, system: count_system.CountSystem) -> None:
        """Refuse a count that these indices are not for.

        A system of another name that counts in the same way and only rounds differently is
        accepted.
        """
        named = self.system.lower()
        if named in ("", system.name.lower()):
            return
        is_known = named in count_system.system_names()
        if is_known and _COUNT(count_system.load_system(named)) == _COUNT(system):
            return
        raise RulesError(
            f"the deviations {self.name or self.title!r} are for the count {self.system}, not for"
            f" {system.name}: the same index means another shoe there. upcard indices --count"
            f" {system.name} -o FILE computes those"
        )


def _fits(word: str, rules: Rules) -> bool:
    """Whether the rules are as a word of `made_for` says; one that is not understood fits."""
    if match := _DECKS.fullmatch(word):
        return rules.decks is not None and int(match[1]) <= rules.decks <= int(match[2])
    tokens, _ = read_tokens([word])
    return all(
        getattr(rules, name) == value for one in tokens for name, value in one.changes.items()
    )


@cache
def deviation_names() -> tuple[str, ...]:
    """Return the names of the sets that come with upcard; `+` joins sets: `i18+fab4`."""
    return count_system.names_in("deviation_sets", ".txt")


def load_deviations(
    name: str | Deviations, system: count_system.CountSystem | None = None
) -> Deviations:
    """Load a set by name (in any case), a user's file by its path, or several joined by `+`.

    A set is returned as it is. With a `system`, it must be for that.
    """
    wanted = str(name).strip()
    parts = wanted.split("+")
    if isinstance(name, Deviations):
        loaded = name
    elif wanted.lower() in deviation_names():
        known = wanted.lower()
        text = count_system.read_data_file("deviation_sets", f"{known}.txt")
        loaded = Deviations.parse(text, name=known)
    elif len(parts) > 1 and not is_user_file(wanted):
        if len({part.strip() for part in parts}) < len(parts):
            raise RulesError(f"deviations {quote(wanted)}: a set is named twice")
        loaded = _join(wanted, [load_deviations(part, system) for part in parts])
    elif could_be_file(wanted):
        text = read_user_file(wanted, "deviations")
        try:
            loaded = Deviations.parse(text, name=expand_user(wanted).stem)
        except NotationError as error:
            raise NotationError(*(f"{wanted}: {fault}" for fault in error.faults)) from None
    else:
        raise RulesError(
            f"no deviations are called {quote(wanted)}: one of {', '.join(deviation_names())},"
            f" several joined as in {'+'.join(reversed(deviation_names()))}" + or_path("file")
        )
    if system is not None:
        loaded.require_system(system)
    return loaded


def _join(name: str, sets: list[Deviations]) -> Deviations:
    names = [one.name for one in sets]
    if len(set(names)) < len(names):
        raise RulesError(f"deviations {name!r}: a set is named twice")
    systems = sorted({one.system for one in sets} - {""})
    if len(systems) > 1:
        counts = " and ".join(systems)
        raise RulesError(f"deviations {name!r}: they are for different counts, {counts}")
    indices = {one.insurance for one in sets} - {None}
    if len(indices) > 1:
        raise RulesError(f"deviations {name!r}: insurance is taken from different counts")
    return Deviations(
        name=name.lower(),
        title=" + ".join(one.title.partition("\n")[0] for one in sets),
        source="; ".join(dict.fromkeys(one.source for one in sets if one.source)),
        system="".join(systems),
        made_for=_JOINED.join(dict.fromkeys(one.made_for for one in sets if one.made_for)),
        plays=tuple(play for one in sets for play in one.plays),
        insurance=next(iter(indices), None),
    )
