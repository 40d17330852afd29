"""Drills by name: their options, how each is created, and the saved answers.

Reading options is quick and finds their faults. Creating a drill solves a game, which may take
seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from operator import add
from typing import TYPE_CHECKING, Annotated, Any, Final, get_origin, get_type_hints

from upcard.core.errors import BlackjackError, RulesError, UnsupportedRuleError, quote
from upcard.core.number_texts import read_number, whole_of
from upcard.drills import counting_drills, dealer_drill, side_bet_drills
from upcard.drills.counting_drills import GROUPS, refuse_infinite
from upcard.drills.drill import (
    CLASSES,
    NOT_OBSERVED,
    Drill,
    DrillEntry,
    DrillError,
    DrillProgress,
    InputKind,
    Observed,
    read_class,
)
from upcard.drills.session_plan import (
    READY,
    ROUNDS,
    Judged,
    name_session,
    read_judged,
    refuse_session,
)
from upcard.players.question import place_in_chart
from upcard.players.shoe_tracker import require_upcard
from upcard.rules.model import Rules
from upcard.rules.settings import Surrender
from upcard.store import bankroll, learning
from upcard.store.money import load_pace
from upcard.store.records import write_moment
from upcard.strategy import chart, count_system, deviations
from upcard.strategy.ramp import BetRamp, parse_ramp

if TYPE_CHECKING:
    from fractions import Fraction

    from upcard.store.database import Store


STRATEGY: Final = "strategy"
HANDS: Final = "hands"
DEVIATIONS: Final = "deviations"
_KIND: Final = "drill"
NEWEST: Final = 20
"""Number of newest decisions of each situation at the table that count: habits change."""


def _make_strategy(rules: Rules, **options: Any) -> Drill[Any]:
    from upcard.drills.strategy_drills import StrategyDrill

    return StrategyDrill(rules, **options)


def _make_hands(rules: Rules, **options: Any) -> Drill[Any]:
    from upcard.drills.strategy_drills import HandDrill

    return HandDrill(rules, **options)


def _make_deviations(rules: Rules, **options: Any) -> Drill[Any]:
    from upcard.drills.strategy_drills import DeviationDrill

    return DeviationDrill(rules, **options)


def _make_ready(rules: Rules, **options: Any) -> Drill[Any]:
    from upcard.drills.ready import ReadyDrill

    return ReadyDrill(rules, **options)


def _name_rules(options: DrillOptions) -> str:
    return str(options.rules)


def _name_deviations(options: DrillOptions) -> str:
    refuse_infinite(options.rules, "drill of deviations")
    require_upcard(options.rules, "drill of deviations")
    system = options.read_system()
    return f"{options.rules} {system} {options.read_indices(system).name}"


def _name_session(options: DrillOptions) -> str:
    system = options.read_system()
    ramp = options.read_ramp(system)
    refuse_session(options.rules, system, ramp)
    plays, talks = options.read_indices(system), options.talk is not None
    return name_session(options.rules, system, plays, ramp, talks=talks)


_ENTRIES: Final = (
    DrillEntry(
        name=STRATEGY,
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
        name=HANDS,
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
        name=DEVIATIONS,
        about="When the count says to leave the chart",
        explanation=(
            "Play the hand at the count. The index plays decide what is right; what a mistake"
            " costs is worked out for the shoe to be expected at that count."
        ),
        make=_make_deviations,
        inputs=(InputKind.PLAY,),
        options={"system": True, "deviations": True, "strategy": True},
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
            "deviations": True,
            "strategy": True,
            "ramp": True,
            "bank": False,
            "talks": False,
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


def _refuse_two_bets(entry: DrillEntry, rules: Rules) -> None:
    if rules.switch and entry.has_one_bet:
        raise UnsupportedRuleError(f"drill of {entry.name}", "SWITCH", "a round has two bets there")


def make_drill(name: str, rules: Rules, **options: Any) -> Drill[Any]:
    """Create a drill by its name, one of `DRILL_NAMES`.

    Strategy and hands take `classes`; deviations take `system`, `deviations` and a chart,
    `strategy`; drills of counting take `system`, that of bets a `ramp`, and the countdown a
    `group`. An option that is None is not given.
    """
    name = read_name(name)
    entry = CATALOGUE[name]
    _refuse_two_bets(entry, rules)
    takes = entry.options
    given = {option: value for option, value in options.items() if value is not None}
    for option in given:
        if option not in takes:
            raise _refuse_option(name, option, takes)
    for option, is_needed in takes.items():
        if is_needed and option not in given:
            raise DrillError(f"the drill of {name} needs {option}")
    return entry.make(rules, **given)


def _refuse_option(name: str, option: str, takes: Iterable[str]) -> DrillError:
    its = ", ".join(takes) or "none"
    return DrillError(f"the drill of {name} takes no {option}: it takes {its}")


DEFAULT_SYSTEM: Final = "hi-lo"
DEFAULT_RAMP: Final = "1-8"
INDEX_SETS: Final = {
    "": "the published set",
    "i18": "Illustrious 18",
    "fab4": "Fab 4 surrenders",
    "i18+fab4": "Illustrious 18 and Fab 4",
}
"""Index plays to choose from, as `indices` names them."""
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
CLOCK_WORDS: Final = {
    "": "no clock",
    **{str(seconds): f"{seconds} seconds" for seconds in CLOCKS},
    RISING: "8, then 5, then 3 seconds while you hold",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionField:
    """An option of the drills: from it follow the command's, the screen's and the browser's."""

    title: str
    help: str
    flag: str
    """Its name on the command line."""
    value: Callable[[DrillOptions], object]
    """Returns the value that a drill is made with."""
    metavar: str = "TEXT"
    choices: Callable[[], Mapping[str, str]] = dict
    """Returns the texts to choose from, and their words; nothing where any text is read."""
    usual: str = ""
    """The text of the default, where people are to see it."""
    about: str = ""
    """The drills that use it, in words."""
    makes: str = ""
    """The option of `DrillEntry.make` that it is; empty if all drills have it."""
    word: str = ""
    """Its name among those that a drill takes; empty to leave it out."""
    is_switch: bool = False
    """Whether `yes` is its only text, and on the command line it has none."""
    is_several: bool = False
    """Whether several texts may be chosen, with commas between."""

    @property
    def text_help(self) -> str:
        """The help where a text is asked for."""
        return f"`yes`: {self.help[:1].lower()}{self.help[1:]}" if self.is_switch else self.help


def find_start(period: str) -> datetime | None:
    """Return when a period of `MISTAKE_PERIODS` began; None if it has no beginning."""
    now = datetime.now(tz=UTC).astimezone()
    if period == "today":
        return now.replace(hour=0, minute=0, second=0, microsecond=0)
    return now - timedelta(days=_MONTH_DAYS) if period == "month" else None


def read_name(text: str) -> str:
    """Read the name of a drill, in any case; hyphens and underscores count as blanks."""
    name = " ".join(text.lower().replace("-", " ").replace("_", " ").split())
    if name not in DRILL_NAMES:
        raise DrillError(f"no drill is called {text!r}: one of {', '.join(DRILL_NAMES)}")
    return name


def read_session(name: str | None) -> str:
    """Return the drill of a whole session. Raises: DrillError if another one is named."""
    session = next(entry.name for entry in CATALOGUE.values() if entry.is_session)
    if name not in (None, session):
        raise DrillError(f"--{session} is a session of its own: leave out {name}")
    return session


def read_classes(text: str) -> tuple[str, ...]:
    """Read classes of hands with commas between: `hard,soft`."""
    found = dict.fromkeys(read_class(word.strip().lower()) for word in text.split(","))
    return tuple(map(str, found))


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillOptions:
    """The options given, each as its text; None selects a drill's default."""

    rules: Rules
    classes: Annotated[
        str | None,
        OptionField(
            title="Hands",
            help="Hands: hard,soft,pair,surrender (default: all).",
            flag="--class",
            metavar="NAMES",
            value=lambda options: read_classes(options.classes) if options.classes else None,
            choices=lambda: {str(name): name.capitalize() for name in CLASSES},
            makes="classes",
            word="classes",
            is_several=True,
        ),
    ] = None
    system: Annotated[
        str | None,
        OptionField(
            title="Count",
            help="Counting system, see upcard counts (default: hi-lo).",
            flag="--system",
            metavar="NAME|FILE",
            value=lambda options: options.read_system(),
            choices=lambda: {name: name for name in count_system.system_names()},
            usual=DEFAULT_SYSTEM,
            about="Drills of counting and of index plays",
            makes="system",
            word="count",
        ),
    ] = None
    indices: Annotated[
        str | None,
        OptionField(
            title="Index plays",
            help="Index plays: i18, fab4, i18+fab4 or a file (default: the published set).",
            flag="--indices",
            metavar="NAME|FILE",
            value=lambda options: options.read_indices(options.read_system()),
            choices=lambda: INDEX_SETS,
            about="Deviations",
            makes="deviations",
            word="index plays",
        ),
    ] = None
    ramp: Annotated[
        str | None,
        OptionField(
            title="Ramp",
            help="Bets by the count: 1-8, 1,1,2,4,8, 1:1 2:4 or a file.",
            flag="--ramp",
            value=lambda options: options.read_ramp(options.read_system()),
            usual=DEFAULT_RAMP,
            about="Bet, ready",
            makes="ramp",
            word="ramp",
        ),
    ] = None
    bankroll: Annotated[
        str | None,
        OptionField(
            title="Bankroll",
            help="Bankroll of a session (default: 1,000 units).",
            flag="--bankroll",
            metavar="AMOUNT",
            value=lambda options: options.read_bank(),
            about="Ready; 1,000 units by default",
            makes="bank",
        ),
    ] = None
    group: Annotated[
        int | None,
        OptionField(
            title="Cards at a time",
            help="Cards of a countdown at a time: 1, 2 or 3 (default: each in turn).",
            flag="--group",
            metavar="N",
            value=lambda options: options.group,
            choices=lambda: {"": "1, 2 and 3 in turn"} | {str(one): str(one) for one in GROUPS},
            about="Countdown",
            makes="group",
            word="group",
        ),
    ] = None
    clock: Annotated[
        str | None,
        OptionField(
            title="Clock",
            help="Time for each answer: 3, 5, 8 or rising (default: no clock).",
            flag="--clock",
            metavar="SECONDS",
            value=lambda options: options.clock,
            choices=lambda: CLOCK_WORDS,
            about="An answer",
        ),
    ] = None
    talk: Annotated[
        str | None,
        OptionField(
            title="The dealer",
            help="In a session the dealer talks: sums, prices and times near the count.",
            flag="--talk",
            value=lambda options: options.talk is not None,
            choices=lambda: {"": "is silent", "yes": "talks near the count"},
            about="Ready",
            makes="talks",
            is_switch=True,
        ),
    ] = None
    sound: Annotated[
        str | None,
        OptionField(
            title="Sound",
            help="A bell where an answer is late or wrong; in the browser tones and speech.",
            flag="--sound",
            value=lambda options: options.sound is not None,
            choices=lambda: {"": "off", "yes": "on"},
            about="Tones; the dealer is heard",
            is_switch=True,
        ),
    ] = None
    place: str | None = None
    """A cell of the chart, such as `16 v T`: only its hands are asked."""
    mistakes: datetime | bool = False
    """Whether only items answered wrong, at the table or in the drill, are asked; or since when."""

    def __post_init__(self) -> None:
        if self.classes is not None:
            read_classes(self.classes)
        if self.place is not None:
            label, _, letter = self.place.partition(" v ")
            columns = chart.columns_of(self.rules)
            if label not in chart.ROWS[columns] or letter not in chart.COLUMN_KEYS[columns]:
                where = f"no hand {self.place[:40]!r} of the chart"
                raise DrillError(f"{where}: write one such as '16 v T'")
        if self.group is not None and self.group not in GROUPS:
            raise DrillError(f"--group {self.group}: cards are shown in groups of 1, 2 or 3")
        if self.bankroll is not None:
            self.read_bank()
        for name, field in OPTIONS.items():
            text = getattr(self, name)
            if field.is_switch and text not in (None, "yes"):
                raise DrillError(f"{field.flag} {quote(text)}: write yes, or leave it empty")
        if self.clock is not None and self.clock not in CLOCK_WORDS:
            known = ", ".join(filter(None, CLOCK_WORDS))
            raise DrillError(f"--clock {quote(self.clock)}: seconds for an answer, one of {known}")
        system = self.read_system()
        if self.indices is not None:
            self.read_indices(system)
        if self.ramp is not None:
            self.read_ramp(system)

    def with_texts(self, texts: Mapping[str, str | None]) -> DrillOptions:
        """Return the same with options from their texts, None for a default."""
        return replace(self, **{name: self._read(name, text) for name, text in texts.items()})

    def _read(self, name: str, text: str | None) -> Any:  # noqa: ANN401 (that of the field)
        if name != "group" or text is None:
            return text
        value = whole_of(text)
        if value is None:
            msg = f"{quote(text)} is not a group: cards are shown in groups of 1, 2 or 3"
            raise DrillError(msg)
        return value

    def check(self, name: str, *, questions: int | None = None) -> None:
        """Refuse options that a drill does not take, by their names on the command line."""
        if CATALOGUE[name].is_session and questions is not None:
            raise DrillError(f"--questions {questions}: a session of {name} has {ROUNDS} rounds")
        takes = CATALOGUE[name].options
        its = [one.flag for one in OPTIONS.values() if one.makes in takes]
        for option, field in OPTIONS.items():
            if getattr(self, option) is not None and field.makes and field.makes not in takes:
                raise _refuse_option(name, field.flag, its)

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
        if self.place is not None and not entry.has_cells:
            asked = " and of ".join(one.name for one in CATALOGUE.values() if one.has_cells)
            raise DrillError(f"{self.place}: the drills of {asked} ask single hands")
        if self.mistakes and entry.is_session:
            raise DrillError(f"only your mistakes: a session of {name} asks what comes")
        if entry.subject is not None:
            return entry.subject(self)
        return self.make(name).about

    def make(self, name: str) -> Drill[Any]:
        """Create a drill; options that it does not take are ignored here: `check` refuses them."""
        from upcard.cache.exact import basic_strategy

        takes = CATALOGUE[name].options
        given = {one.makes: one.value(self) for one in OPTIONS.values() if one.makes in takes}
        if "strategy" in takes:
            given["strategy"] = basic_strategy(self.rules)
        return make_drill(name, self.rules, **{option: given[option] for option in takes})

    def read_system(self) -> count_system.CountSystem:
        """Return the counting system."""
        return count_system.load_system(self.system or DEFAULT_SYSTEM)

    def read_indices(self, system: count_system.CountSystem) -> deviations.Deviations:
        """Return the set of index plays (default: the published one for the rules)."""
        if self.indices is not None:
            return deviations.load_deviations(self.indices, system)
        wanted = "i18" if self.rules.surrender is Surrender.NONE else "i18+fab4"
        try:
            return deviations.load_deviations(wanted, system)
        except RulesError:
            known = ", ".join(deviations.deviation_names())
            raise RulesError(
                f"no index plays for the count {system} come with upcard ({known} are for hi-lo):"
                f" make them by 'upcard indices --count {system} -o FILE' and give --indices FILE"
            ) from None

    def read_bank(self) -> Fraction | None:
        """Return the bankroll in units, each the bet of `upcard money`; None for the default."""
        if self.bankroll is None:
            return None
        amount = read_number(self.bankroll, "--bankroll", over=0, example="10000")
        return amount / load_pace().bet

    def read_ramp(self, system: count_system.CountSystem) -> BetRamp:
        """Return the bets by the count."""
        return parse_ramp(self.ramp or DEFAULT_RAMP, system, decks=self.rules.decks or 1)

    def summary(self) -> tuple[tuple[str, str], ...]:
        """Return the settings in force, by topic."""
        system = self.read_system()
        decides = "running" if system.by is count_system.CountBy.RUNNING else "true"
        try:
            found = self.read_indices(system)
            made_for = f", made for {found.games}" if found.note_game(self.rules) else ""
            plays = f"{found.name}{made_for}"
        except RulesError:
            plays = "none for this count"
        return (
            ("rules", str(self.rules)),
            ("classes", ", ".join(read_classes(self.classes)) if self.classes else "all"),
            ("count", f"{system}, {decides} count"),
            ("indices", plays),
            ("ramp", str(self.read_ramp(system))),
        )


OPTIONS: Final[dict[str, OptionField]] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(DrillOptions, globals(), include_extras=True).items()
    if get_origin(hint) is Annotated
}
"""The options that are read from a text, by their names: a new one is a field above."""


@lru_cache(maxsize=1024)
def write_meaning(about: str) -> str:
    """Write the subject of a drill with its rules in full, if it begins with rules.

    `six-to-five hi-lo i18` and `6D H17 6:5 hi-lo i18` are one subject.
    """
    words = about.split()
    for number in range(len(words), 0, -1):
        try:
            rules = Rules.parse(" ".join(words[:number]))
        except BlackjackError:
            continue
        return " ".join((str(rules.replace(name="")), *words[number:]))
    return about


class DrillMemory:
    """Loads and saves drills in a store; by name and by subject."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def load(self, name: str, about: str) -> DrillProgress:
        """Return the progress of a drill, empty if it was never begun.

        Rules that are equal have one progress, however they were written.
        """
        progress = DrillProgress(drill=name, about=about)
        for _, saved in self._find(_KIND, f"{name}: ", about):
            try:
                found = DrillProgress.from_json(saved)
            except DrillError as error:
                msg = f"the saved drill of {name} about {about!r} cannot be read: {error}"
                raise DrillError(msg) from None
            progress = progress.then(found) if progress.answers else found
        return replace(progress, about=about)

    def _find(self, kind: str, begin: str, about: str) -> list[tuple[str, dict[str, Any]]]:
        """Return what is saved about equal rules, by name, the last saved at the end."""
        meant = write_meaning(about)
        found = []
        for name in bankroll.list_objects(self._store, kind):
            if name.startswith(begin) and write_meaning(name.removeprefix(begin)) == meant:
                saved = bankroll.load_object(self._store, kind, name)
                if saved is not None:
                    found.append((name, saved))
        return found

    def _save(self, kind: str, begin: str, about: str, saved: dict[str, Any]) -> None:
        """Save something about rules, in place of all that is saved about equal ones."""
        new = f"{begin}{write_meaning(about)}"
        for name, _ in self._find(kind, begin, about):
            if name != new:
                bankroll.delete_object(self._store, kind, name)
        bankroll.save_object(self._store, kind, new, saved)

    def change(
        self, name: str, about: str, change: Callable[[DrillProgress], DrillProgress]
    ) -> DrillProgress:
        """Change the saved progress, and return the result; another terminal's answers stay."""
        with self._store.change():
            progress = change(self.load(name, about))
            self._save(_KIND, f"{name}: ", about, progress.to_json())
        return progress

    def save_session(self, about: str, seed: int, judged: Sequence[Judged]) -> None:
        """Save a session of ready with its newest answer.

        Raises: DrillError if another terminal has continued it.
        """
        with self._store.change():
            found = self.load_session(about)
            known = 0 if found is None or found[0] != seed else len(found[1])
            if known != len(judged) - 1:
                raise DrillError("this session was continued on another terminal: begin it again")
            saved = {"seed": seed, "answers": [list(one) for one in judged]}
            self._save(READY, "", about, saved)

    def load_session(self, about: str) -> tuple[int, list[Judged]] | None:
        """Return the seed and the answers of the saved session; None if there is none."""
        saved = self._find(READY, "", about)
        if not saved:
            return None
        _, found = saved[-1]
        try:
            return int(found["seed"]), [read_judged(one) for one in found["answers"]]
        except (KeyError, TypeError, ValueError):
            raise DrillError(f"the saved session about {about!r} cannot be read") from None

    def find_mistakes(self, drill: Drill[Any], since: datetime) -> frozenset[str]:
        """Return the items answered wrong after a time, at the table or in the drill."""
        moment = write_moment(since)
        records = self.load(drill.name, drill.about).records
        drilled = {item for item, record in records.items() if record.wrong_at >= moment}
        seen = self.observe(drill, since=moment).items()
        wrong = drilled | {item for item, observed in seen if observed.wrong}
        return frozenset(wrong & {item.key for item in drill.items()})

    def observe(self, drill: Drill[Any], *, since: str = "") -> dict[str, Observed]:
        """Return the decisions at the table that belong to the items of a drill.

        They are read from the judged rounds of the drill's rules each time, so that none counts
        twice; the answers to the drill are separate. Drills of counting have none.
        """
        rules = getattr(drill, "rules", None)
        if rules is None or drill.name == DEVIATIONS:
            return {}
        keys = {item.key for item in drill.items()}
        found: dict[str, Observed] = {}
        made_of = learning.read_decisions(self._store, rules, newest=NEWEST, since=since)
        for situation, made in made_of.items():
            # Drills ask a hand whose surrender is close in a class of its own.
            cell = place_in_chart(situation)
            surrender = f"surrender {cell.split(' ', 1)[-1]}"
            key = next((key for key in (cell, surrender) if key in keys), None)
            if key is not None:
                found[key] = Observed(*map(add, found.get(key, NOT_OBSERVED), made))
        return found
