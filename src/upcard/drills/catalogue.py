"""Drills by name, their options, and how each is created.

Reading options is quick and finds their faults. Creating a drill solves a game, which may take
seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, Final

from upcard.core.errors import (
    BlackjackError,
    RulesError,
    UnsupportedRuleError,
)
from upcard.core.fields import Field, FieldClashError, FormTerms, choice, list_fields
from upcard.core.number_texts import read_number, read_whole
from upcard.drills import counting_drills, dealer_drill, side_bet_drills
from upcard.drills.counting_drills import GROUPS, refuse_infinite
from upcard.drills.drill import CLASSES, Drill, DrillEntry, DrillError, InputKind, read_class
from upcard.drills.session_plan import READY, ROUNDS, name_session, refuse_session
from upcard.players.seen_cards import require_upcard
from upcard.rules.model import Rules
from upcard.rules.settings import Surrender
from upcard.store.money import load_pace
from upcard.strategy import chart, count_system, deviations
from upcard.strategy.chart import Strategy
from upcard.strategy.ramp import BetRamp, parse_ramp


def _make_strategy(rules: Rules, **options: Any) -> Drill[Any]:
    from upcard.drills.strategy_drills import StrategyDrill

    return StrategyDrill(rules, **options)


def _make_hands(rules: Rules, **options: Any) -> Drill[Any]:
    from upcard.drills.strategy_drills import HandDrill

    return HandDrill(rules, **options)


def _make_deviations(rules: Rules, **options: Any) -> Drill[Any]:
    from upcard.drills.strategy_drills import DeviationDrill

    return DeviationDrill(rules, **options)


def _name_rules(options: DrillOptions) -> str:
    return str(options.rules)


def _name_deviations(options: DrillOptions) -> str:
    refuse_infinite(options.rules, "drill of deviations")
    require_upcard(options.rules, "drill of deviations")
    return f"{options.rules} {options.read_system()} {options.read_indices().name}"


def _make_ready(rules: Rules, **options: Any) -> Drill[Any]:
    from upcard.drills.ready import ReadyDrill

    return ReadyDrill(rules, **options)


def _name_session(options: DrillOptions) -> str:
    system, ramp = options.read_system(), options.read_ramp()
    refuse_session(options.rules, system, ramp)
    plays = options.read_indices()
    return name_session(options.rules, system, plays, ramp, talks=options.talk)


_ENTRIES: Final = (
    DrillEntry(
        name="strategy",
        about="What to do with two cards, by class of hand",
        explanation=(
            "Play the hand that you see. What is best is worked out exactly, for these rules."
        ),
        make=_make_strategy,
        inputs=(InputKind.PLAY,),
        options={"classes": False},
        icon="chart",
        subject=_name_rules,
        has_cells=True,
    ),
    DrillEntry(
        name="hands",
        about="Whole hands, every decision to the end",
        explanation=(
            "Play hands to their end; every decision is judged, and the hand continues as you"
            " played it. Insurance is declined for you."
        ),
        make=_make_hands,
        inputs=(InputKind.PLAY,),
        options={"classes": False},
        icon="hand",
        subject=_name_rules,
        has_cells=True,
        has_one_bet=True,
    ),
    DrillEntry(
        name="deviations",
        about="When the count says to leave the chart",
        explanation=(
            "Play the hand at the count. The index plays decide what is right; what a mistake"
            " costs is worked out for the shoe to be expected at that count."
        ),
        make=_make_deviations,
        inputs=(InputKind.PLAY,),
        options={"system": True, "indices": True, "strategy": True},
        icon="curve",
        subject=_name_deviations,
    ),
    *counting_drills.ENTRIES,
    *side_bet_drills.ENTRIES,
    dealer_drill.ENTRY,
    DrillEntry(
        name=READY,
        about="A session as in a casino, and what it says in money",
        explanation=(
            "Two hundred rounds alone at a table: bet by your ramp, play by the chart and the index"
            " plays, and say the running count every third round. Nothing is judged before the end."
            " It can be left and resumed. The end says what you would win an hour, what your errors"
            " cost, what to practise, and whether you are ready at your bankroll."
        ),
        make=_make_ready,
        inputs=(InputKind.PLAY, InputKind.NUMBER),
        options={
            "system": True,
            "indices": True,
            "strategy": True,
            "ramp": True,
            "bankroll": False,
            "talk": False,
        },
        icon="table",
        subject=_name_session,
        has_one_bet=True,
        is_session=True,
    ),
)
"""The drills, in the order of lists: a new one is an entry here, defined beside its questions."""
CATALOGUE: Final[Mapping[str, DrillEntry]] = {str(entry.name): entry for entry in _ENTRIES}
DRILL_NAMES: Final = tuple(CATALOGUE)


def list_takers(option: str) -> tuple[str, ...]:
    """Return the drills that take an option; empty if it is one of all drills."""
    return tuple(name for name, entry in CATALOGUE.items() if option in entry.takes)


def _refuse_two_bets(entry: DrillEntry, rules: Rules) -> None:
    if rules.switch and entry.has_one_bet:
        raise UnsupportedRuleError(f"drill of {entry.name}", "SWITCH", "a round has two bets there")


def make_drill(name: str, rules: Rules, **options: Any) -> Drill[Any]:
    """Create a drill by its name, one of `DRILL_NAMES`.

    Strategy and hands take `classes`; deviations take `system`, `indices` and a chart, `strategy`;
    drills of counting take `system`, that of bets a `ramp`, and the countdown a `group`. An option
    that is None is not given. Raises: DrillError for one that it does not take, or needs.
    """
    name = read_name(name)
    entry = CATALOGUE[name]
    _refuse_two_bets(entry, rules)
    takes = entry.options
    given = {option: value for option, value in options.items() if value is not None}
    for option in given:
        if option not in takes:
            raise DrillError(str(_make_refusal(name, option, takes)))
    for option, is_needed in takes.items():
        if is_needed and option not in given:
            raise DrillError(f"the drill of {name} needs {option}")
    return entry.make(rules, **given)


def _refuse_option(name: str, option: str) -> None:
    if list_takers(option) and option not in CATALOGUE[name].takes:
        raise _make_refusal(name, option, CATALOGUE[name].takes)


def _make_refusal(name: str, option: str, takes: Iterable[str]) -> FieldClashError:
    its = ", ".join(f"{{{one}}}" for one in takes) or "none"
    return FieldClashError(f"the drill of {name} takes no {{{option}}}: it takes {its}")


def read_name(text: str) -> str:
    """Read the name of a drill, in any case; hyphens and underscores count as blanks."""
    name = " ".join(text.lower().replace("-", " ").replace("_", " ").split())
    if name not in DRILL_NAMES:
        raise DrillError(f"no drill is called {text!r}: one of {', '.join(DRILL_NAMES)}")
    return name


def read_session(name: str | None) -> str:
    """Return the drill of a whole session. Raises: FieldClashError if another one is named."""
    session = next(entry.name for entry in CATALOGUE.values() if entry.is_session)
    if name not in (None, session):
        raise FieldClashError(f"{{{session}}} is a session of its own: leave out {name}")
    return session


DEFAULT_SYSTEM: Final = "hi-lo"
DEFAULT_RAMP: Final = "1-8"
_INDEX_SETS: Final = {
    "i18": "Illustrious 18",
    "fab4": "Fab 4 surrenders",
    "i18+fab4": "Illustrious 18 and Fab 4",
}
MISTAKE_PERIODS: Final = {
    "": "everything, by what mistakes cost",
    "ever": "only your mistakes",
    "today": "only your mistakes of today",
    "month": "only your mistakes of the last 30 days",
}
"""Questions to choose from: all, or the mistakes of a period."""
_MONTH_DAYS: Final = 30
CLOCKS: Final = (8, 5, 3)
"""Seconds for an answer, to choose from."""
RISING: Final = "rising"
"""The clock that begins with the longest time, and shortens it while you hold."""
_CLOCK_WORDS: Final = {
    "": "no clock",
    **{str(seconds): f"{seconds} seconds" for seconds in CLOCKS},
    RISING: "8, then 5, then 3 seconds while you hold",
}


def choose_text(words: Mapping[str, str], help: str, **more: Any) -> Field:  # noqa: A002 (a field's name)
    """Return a field with texts to choose from, by their words; the empty one is the default."""
    texts = filter(None, words)
    return choice(texts, help, words[""], describe=words.__getitem__, **more)


def _read_class(text: str) -> str:
    return str(read_class(text.strip().lower()))


def _check_system(text: str) -> str:
    count_system.load_system(text)
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillOptions(FormTerms):
    """The options given; those that depend on others as texts. None selects a drill's default.

    Raises: BlackjackError for a text or number that its field refuses, alone or with the others.
    """

    rules: Rules
    classes: Annotated[
        tuple[str, ...] | None,
        Field(
            _read_class,
            "Hands to ask (default: all).",
            "NAMES",
            tuple(map(str, CLASSES)),
            describe=str.capitalize,
            many=",",
            option="--class",
            title="classes of hands",
        ),
    ] = None
    system: Annotated[
        str | None,
        Field(
            _check_system,
            "Counting system, see upcard counts (default: hi-lo).",
            "NAME|FILE",
            suggestions=count_system.system_names(),
            typed=DEFAULT_SYSTEM,
            title="count",
        ),
    ] = None
    indices: Annotated[
        str | None,
        Field(
            str,
            "Index plays: i18, fab4, i18+fab4 or a file (default: the published set).",
            "NAME|FILE",
            suggestions=tuple(_INDEX_SETS),
            no_choice="the published set",
            describe=_INDEX_SETS.__getitem__,
            title="index plays",
        ),
    ] = None
    ramp: Annotated[
        str | None,
        Field(
            str,
            "Bets by the count: 1-8, 1,1,2,4,8, 1:1 2:4 or a file (default: 1-8).",
            typed=DEFAULT_RAMP,
        ),
    ] = None
    bankroll: Annotated[
        Fraction | None,
        Field(
            partial(read_number, what="bankroll", over=0, example="10000"),
            "Bankroll of a session (default: 1,000 units).",
            "AMOUNT",
            no_choice="1,000 units by default",
        ),
    ] = None
    group: Annotated[
        int | None,
        Field(
            partial(read_whole, least=GROUPS[0], most=GROUPS[-1], example="2"),
            "Cards of a countdown at a time (default: each in turn).",
            "N",
            tuple(map(str, GROUPS)),
            no_choice="1, 2 and 3 in turn",
            title="cards at a time",
        ),
    ] = None
    talk: Annotated[
        bool,
        Field(
            bool,
            "In a session the dealer talks: sums, prices and times near the count.",
            no_choice="is silent",
            describe={"yes": "talks near the count"}.__getitem__,
            title="the dealer",
        ),
    ] = False
    cell: Annotated[
        str | None,
        Field(
            str,
            "Only the hands of a cell of the chart, such as 16 v T.",
            "CELL",
            no_choice="all hands",
        ),
    ] = None
    clock: Annotated[
        str | None,
        replace(
            choose_text(_CLOCK_WORDS, "Seconds for each answer (default: no clock)."),
            metavar="SECONDS",
        ),
    ] = None
    sound: Annotated[
        bool,
        Field(
            bool,
            "A bell where an answer is late or wrong; in the browser tones and speech.",
            no_choice="off",
            describe={"yes": "on"}.__getitem__,
        ),
    ] = False
    mistakes: Annotated[
        str,
        choose_text(
            MISTAKE_PERIODS,
            "Only questions that you answered wrong, at the table or in the drill.",
            sets="ever",
            title="ask",
        ),
    ] = ""

    def __post_init__(self) -> None:
        form: Callable[..., Any] = type(self)
        for one in list_fields(form):
            if (value := getattr(self, one.name)) != one.default:
                object.__setattr__(self, one.name, one.take(value))
        if self.cell is not None:
            label, _, letter = self.cell.partition(" v ")
            columns = chart.columns_of(self.rules)
            if label not in chart.ROWS[columns] or letter not in chart.COLUMN_KEYS[columns]:
                where = f"no hand {self.cell[:40]!r} of the chart"
                raise DrillError(f"{where}: write one such as '16 v T'")
        if self.indices is not None:
            self.read_indices()
        if self.ramp is not None:
            self.read_ramp()

    def find_start(self) -> datetime | None:
        """Return when the period of the mistakes began; None if it has no beginning."""
        now = datetime.now(tz=UTC).astimezone()
        if self.mistakes == "today":
            return now.replace(hour=0, minute=0, second=0, microsecond=0)
        return now - timedelta(days=_MONTH_DAYS) if self.mistakes == "month" else None

    def check(self, name: str, *, questions: int | None = None) -> None:
        """Refuse options that a drill does not take. Raises: FieldClashError."""
        if CATALOGUE[name].is_session and questions is not None:
            msg = f"{{questions}} {questions}: a session of {name} has {ROUNDS} rounds"
            raise FieldClashError(msg)
        for one in list_fields(DrillOptions):
            if getattr(self, one.name) != one.default:
                _refuse_option(name, one.name)

    def why_not(self, name: str) -> str | None:
        """Return why a drill is impossible, as far as that is known without solving a game."""
        try:
            self.about(name)
        except BlackjackError as error:
            return str(error)
        return None

    def about(self, name: str) -> str:
        """Return the subject of a drill with these options, without creating it."""
        entry = CATALOGUE[name]
        _refuse_two_bets(entry, self.rules)
        if self.cell is not None and not entry.has_cells:
            asked = " and of ".join(one.name for one in CATALOGUE.values() if one.has_cells)
            raise DrillError(f"{self.cell}: the drills of {asked} ask single hands")
        if self.mistakes and entry.is_session:
            raise DrillError(f"only your mistakes: a session of {name} asks what comes")
        if entry.subject is not None:
            return entry.subject(self)
        return self.make(name).about

    def make(self, name: str) -> Drill[Any]:
        """Create a drill; options that it does not take are ignored here: `check` refuses them."""
        made = {
            "strategy": self.read_strategy,
            "system": self.read_system,
            "indices": self.read_indices,
            "ramp": self.read_ramp,
            "bankroll": self.read_bank,
        }
        given = {
            option: made[option]() if option in made else getattr(self, option)
            for option in CATALOGUE[name].options
        }
        return make_drill(name, self.rules, **given)

    def read_strategy(self) -> Strategy:
        """Return the best chart."""
        from upcard.cache.exact import basic_strategy

        return basic_strategy(self.rules)

    def read_system(self) -> count_system.CountSystem:
        """Return the counting system."""
        return count_system.load_system(self.system or DEFAULT_SYSTEM)

    def read_indices(self) -> deviations.Deviations:
        """Return the set of index plays (default: the published one for the rules)."""
        system = self.read_system()
        if self.indices is not None:
            return deviations.load_deviations(self.indices, system)
        wanted = "i18" if self.rules.surrender is Surrender.NONE else "i18+fab4"
        try:
            return deviations.load_deviations(wanted, system)
        except RulesError:
            known = ", ".join(deviations.deviation_names())
            raise FieldClashError(
                f"no index plays for the count {system} come with upcard ({known} are for hi-lo):"
                f" make them by 'upcard indices --count {system} -o FILE', and give {{indices}}"
            ) from None

    def read_bank(self) -> Fraction | None:
        """Return the bankroll in units, each the bet of `upcard money`; None for the default."""
        return None if self.bankroll is None else self.bankroll / load_pace().bet

    def read_ramp(self) -> BetRamp:
        """Return the bets by the count."""
        system, decks = self.read_system(), self.rules.decks or 1
        return parse_ramp(self.ramp or DEFAULT_RAMP, system, decks=decks)

    def summary(self) -> tuple[tuple[str, str], ...]:
        """Return the settings in force, by topic."""
        system = self.read_system()
        decides = "running" if system.by is count_system.CountBy.RUNNING else "true"
        try:
            found = self.read_indices()
            made_for = f", made for {found.games}" if found.note_game(self.rules) else ""
            plays = f"{found.name}{made_for}"
        except RulesError:
            plays = "none for this count"
        return (
            ("rules", str(self.rules)),
            ("classes", ", ".join(self.classes or ("all",))),
            ("count", f"{system}, {decides} count"),
            ("indices", plays),
            ("ramp", str(self.read_ramp())),
        )


OPTIONS: Final = {one.name: one for one in list_fields(DrillOptions)}
"""The options by their names: a new one is a field above."""
