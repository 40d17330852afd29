"""`Deviations`: where the count changes the play of the chart, as a value.

One play per line. `#` begins a comment; comment lines are the title, except those that begin with
`name:`, `source:` and `system:` (the count that the indices are for):

    # system: hi-lo
    insurance >= 3           take insurance, and even money, at this count or above
        16 v T  S >= 0 else H    stand at 0 or above, hit below
        15 v T  R >= 0           surrender at 0 or above; below, the chart's play without surrender
    13 v 2  H < -1           hit below -1

The hand is a row of the chart (`16`, `A7`, `88`, `TT`), the action H, S, D, P (split) or R
(surrender). A play acts on exactly that row, so a pair that may be split has its own plays.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cache
from operator import attrgetter
from typing import Final, Unpack

from upcard.core.actions import Action
from upcard.core.cards import Rank
from upcard.core.errors import NotationError, RulesError, quote
from upcard.core.user_files import could_be_file, expand_user, is_user_file, or_path, read_user_file
from upcard.strategy.chart import ChartHand, Strategy
from upcard.strategy.counting import CountSystem, load_system, system_names
from upcard.strategy.deviation import (
    Deviation,
    Row,
    find_set_faults,
    read_settings,
    write_deviations,
)
from upcard.strategy.files import names_in, read_data_file
from upcard.strategy.layers import first_legal, no_answer, put_in

# Applied in this order, the last one takes precedence: surrender before split, and so on.
_LAYERS: Final = (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
_ASKED: Final = (Action.SURRENDER, Action.SPLIT, Action.DOUBLE)
"""The actions asked before hit or stand, first to last."""
_COUNT: Final = attrgetter("tags", "red_7", "by", "start_per_deck", "start_constant")
"""Settings that make a count, whatever its rounding."""
_YES: Final = (Action.INSURANCE, Action.EVEN_MONEY)
_NO: Final = (Action.NO_INSURANCE, Action.NO_EVEN_MONEY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviations:
    """A set of plays. Two are equal when they play the same for the same count.

    `str(deviations)` prints the set and `Deviations.parse` reads it back.

    Raises: RulesError naming every two plays that clash.
    """

    name: str = field(default="", compare=False)
    title: str = field(default="", compare=False)
    source: str = field(default="", compare=False)
    system: str = ""
    """Name of the counting system that the indices are for; empty: for any."""
    plays: tuple[Deviation, ...] = ()
    insurance: int | None = None
    """The count from which insurance and even money are taken; None: as in the chart."""
    _cells: dict[tuple[Row, Rank], tuple[Deviation, ...]] = field(
        init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Check that no two plays clash, then sort them by the cells they act on."""
        faults = list(find_set_faults(self.plays, self.insurance))
        if faults:
            raise RulesError(*faults)
        cells: dict[tuple[Row, Rank], tuple[Deviation, ...]] = {}
        for play in sorted(self.plays, key=lambda play: _LAYERS.index(play.action)):
            for row in play.rows:
                place = (row, play.upcard)
                cells[place] = (*cells.get(place, ()), play)
        object.__setattr__(self, "_cells", cells)

    @classmethod
    def parse(cls, text: str, *, name: str = "") -> Deviations:
        """Read a set; a line `# name:` in it takes precedence over the argument.

        Raises: NotationError listing all the faults, each with its line.
        """
        return cls(**read_settings(text, name=name))

    def __str__(self) -> str:
        """Write the set; `Deviations.parse` reads it back, title and source included."""
        return write_deviations(self)

    def in_cell(
        self, *, total: int, is_soft: bool, pair_rank: Rank, upcard: Rank
    ) -> tuple[Deviation, ...]:
        """Return the plays that act on a hand, in the order in which they are applied."""
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
        chart = strategy.options(**hand)
        for play in self.in_cell(**hand):
            chart = put_in(chart, play.action, play.otherwise, play.holds(count))
        if self.insurance is not None:
            chart = (*chart[:-2], *(_YES if count >= self.insurance else _NO))
        return chart

    def decide(
        self,
        strategy: Strategy,
        *,
        count: int,
        legal: Collection[Action],
        **hand: Unpack[ChartHand],
    ) -> Action:
        """Return the action for a hand at a count, among those that are `legal`.

        Raises: IllegalActionError if no option of the chart and its deviations is legal.
        """
        options = self.options(strategy, count=count, **hand)
        action = first_legal(options, legal)
        if action is None:
            where = f"{hand['upcard']} at count {count}"
            raise no_answer(
                options, legal, total=hand["total"], is_soft=hand["is_soft"], where=where
            )
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
        as_chart = answer = first_legal(options, legal)
        used = None
        plays = self.in_cell(**hand)
        for play in plays:
            options = put_in(options, play.action, play.otherwise, play.holds(count))
            last, answer = answer, first_legal(options, legal)
            used = used if answer is last else play
        if answer is as_chart:
            return None
        first = next((one for one in _ASKED if one in (as_chart, answer)), None)
        return next((play for play in plays if play.action is first), used)

    def takes_insurance(self, strategy: Strategy, count: int) -> bool:
        """Whether insurance and even money are taken at a count."""
        return strategy.takes_insurance if self.insurance is None else count >= self.insurance

    def require_system(self, system: CountSystem) -> None:
        """Refuse a count that these indices are not for.

        A system of another name that counts in the same way and only rounds differently is
        accepted.

        Raises: RulesError.
        """
        named = self.system.lower()
        if named in ("", system.name.lower()):
            return
        if named in system_names() and _COUNT(load_system(named)) == _COUNT(system):
            return
        raise RulesError(
            f"the deviations {self.name or self.title!r} are for the count {self.system}, not for"
            f" {system.name}: the same index means another shoe there"
        )


@cache
def deviation_names() -> tuple[str, ...]:
    """Return the names of the sets that come with upcard; `+` joins sets: `i18+fab4`."""
    return names_in("deviation_sets", ".txt")


def load_deviations(name: str, system: CountSystem | None = None) -> Deviations:
    """Load a set by name (in any case), a user's file by its path, or several joined by `+`.

    Raises: RulesError naming the sets that exist, the faults of a file, plays that clash, or a set
    that is for another count than `system`.
    """
    wanted = str(name).strip()
    parts = wanted.split("+")
    if wanted.lower() in deviation_names():
        known = wanted.lower()
        loaded = Deviations.parse(read_data_file("deviation_sets", f"{known}.txt"), name=known)
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
    """Join sets into one.

    Raises: RulesError if they are for different counts, or clash.
    """
    names = [one.name for one in sets]
    if len(set(names)) < len(names):
        raise RulesError(f"deviations {name!r}: a set is named twice")
    systems = sorted({one.system for one in sets} - {""})
    if len(systems) > 1:
        msg = f"deviations {name!r}: they are for different counts, {' and '.join(systems)}"
        raise RulesError(msg)
    indices = {one.insurance for one in sets} - {None}
    if len(indices) > 1:
        raise RulesError(f"deviations {name!r}: insurance is taken from different counts")
    return Deviations(
        name=name.lower(),
        title=" + ".join(one.title.partition("\n")[0] for one in sets),
        source="; ".join(dict.fromkeys(one.source for one in sets if one.source)),
        system="".join(systems),
        plays=tuple(play for one in sets for play in one.plays),
        insurance=next(iter(indices), None),
    )
