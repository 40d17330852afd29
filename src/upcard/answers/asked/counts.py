"""Counting systems as questions: what each is, how far it is from perfect, the best tags."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Final

from upcard.answers.questions import Asking, Sheet
from upcard.answers.shared_fields import COUNT, RUN_ROUNDS, SEED, WORKERS, read_set
from upcard.core import errors, figure, numbers
from upcard.core.fields import Field, FieldClashError, choice, refuse_given
from upcard.core.number_texts import read_spread
from upcard.rules.model import Rules
from upcard.strategy import count_system, ramp
from upcard.strategy.count_system import CountSystem
from upcard.strategy.deviations import Deviations, deviation_names, load_deviations

if TYPE_CHECKING:
    from upcard.analysis.ceiling import Ceiling
    from upcard.answers.games.best_count import BestCount

# What simulates or searches is imported when it is asked for or read: it loads NumPy.
_RANK_KEYS: Final = tuple("A23456789T")
_QUICK_ROUNDS: Final = 400
"""Rounds where an answer is awaited in seconds; its seed is 1."""
_MOST: Final = ("1", "2", "3", "free")
_GOALS: Final = ("betting", "playing", "growth")
ROUNDED: Final = {
    count_system.Rounding.FLOOR: "rounded down",
    count_system.Rounding.TRUNCATE: "its fraction cut off",
    count_system.Rounding.ROUND: "rounded to the nearest",
}
_KNOWN: Final = {
    count_system.DeckEstimate.EXACT: "known to the card",
    count_system.DeckEstimate.HALF: "estimated to the half deck",
    count_system.DeckEstimate.WHOLE: "estimated to the deck",
}
_NAMED: Final = replace(
    COUNT, metavar="[NAME|FILE]", suggestions=count_system.system_names(), is_word=True
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountAnswer:
    """A counting system, and what it is worth in a game."""

    system: CountSystem
    insurance_correlation: float
    """Correlation of the tags with the tens; 1 is perfect."""
    playing_efficiency: float
    """Share of the gain of perfect play that the count gains in one deck, by Griffin's method."""
    deviations: tuple[str, ...]
    """Names of the sets of index plays that come with upcard for it."""
    rules: Rules | None = None
    start: Fraction | None = None
    """The count of a fresh shoe of the rules."""
    ramp_from: int | None = None
    """The count of the smallest bet of a ramp by its spread."""
    ramp_step: int | None = None
    """Counts between two bets of such a ramp."""
    betting_correlation: float | None = None
    """Correlation of the tags with the effects of removal of the rules; 1 is perfect."""
    decisions: list[dict[str, figure.Value]] = field(default_factory=list)
    """How well it follows each decision, with the effects of each rank."""
    share_of_perfect: Ceiling | None = None
    """Its shares of what a player who knows every card gone gains."""
    json_keys = """
        name=system.name title=system.title source=system.source about by=system.by
        rounding=system.rounding decks_left=system.decks_left tags red_7=system.red_7
        side_aces=system.side_aces deck_size=system.deck_size deck_sum=system.deck_sum
        insurance_correlation playing_efficiency deviations rules?rules start?start
        ramp_from?ramp_from ramp_step?ramp_step betting_correlation?betting_correlation
        decisions?decisions share_of_perfect?share_of_perfect
    """

    @property
    def about(self) -> str:
        """A few sentences about the system."""
        return " ".join(self.system.about.split())

    @property
    def tags(self) -> dict[str, Fraction]:
        """The tag of each rank."""
        return {key: self.system.tags[rank] for rank, key in enumerate(_RANK_KEYS, start=1)}


def answer(  # noqa: PLR0913 (one parameter a field)
    rules: Rules,
    *,
    is_given: bool = True,
    count: Annotated[
        CountSystem | None,
        replace(_NAMED, help="One system: a name, or a TOML file.", no_choice="all of them"),
    ] = None,
    decisions: Annotated[bool, Field(bool, "Show how well it follows each decision.")] = False,
    indices: Annotated[
        str | None,
        Field(str, "Write a set of its index plays, such as i18.", "NAME", paste=read_set),
    ] = None,
    toml: Annotated[bool, Field(bool, "Write the system as a TOML file, to edit.")] = False,
    asking: Asking,
) -> Sheet[list[CountAnswer] | CountAnswer]:
    """List the systems, or show one: a name or your own TOML file.

    Betting correlation shows how well the count follows the edge of the rules (default: the default
    game), insurance correlation how well it follows the tens; 1 is perfect. Playing efficiency is
    Peter Griffin's: the share of the gain of perfect play that the count gains in one deck.
    """
    has_rules = is_given and asking.is_patient  # a page always has a game
    wanted = {"game": has_rules, "decisions": decisions, "toml": toml, "indices": indices}
    if count is None:
        refuse_given("{} is about one system: name it", **wanted)
        return _list(asking)
    chosen = [f"{{{name}}}" for name, value in wanted.items() if value not in (None, False)]
    if len(chosen) > 1 and chosen != ["{game}", "{decisions}"]:
        raise FieldClashError(f"{chosen[0]} with {chosen[-1]}: a file is written alone, as it is")
    if toml:
        return Sheet(title=count.title, text=count.to_toml, file_name=f"{count.name}.toml")
    if indices is not None:
        plays = load_deviations(indices, count)
        return Sheet(title=plays.title, text=lambda: str(plays), file_name=f"{plays.name}.txt")
    return _describe(count, rules, has_decisions=decisions)


def _list(asking: Asking) -> Sheet[list[CountAnswer]]:
    systems = [count_system.load_system(name) for name in count_system.system_names()]
    return Sheet(
        title="Counting systems",
        tables=(count_system.tabulate_systems(systems, _RANK_KEYS),),
        facts=(
            ("Tags", "by rank; red-7 counts the red sevens 1, the others 0."),
            ("Deck", "what the tags of a deck add up to, 0 in a balanced system."),
            ("More", "name a system."),
        ),
        result=list(map(_tell, systems)) if asking.wants_result else None,
        shows_all=True,
    )


def _describe(system: CountSystem, rules: Rules, *, has_decisions: bool) -> Sheet[CountAnswer]:
    from upcard.analysis import efficiencies

    correlation = efficiencies.betting_correlation(system, rules)
    decks = rules.decks or 0  # an infinite deck was refused
    found = _tell(
        system,
        rules=rules,
        start=system.initial_count(decks),
        ramp_from=system.ramp_start(decks),
        ramp_step=system.ramp_stride(decks),
        betting_correlation=correlation,
    )
    facts = tuple(_list_facts(found, decks))
    tables = (replace(count_system.tabulate_systems([system], _RANK_KEYS), title="Tags"),)
    if has_decisions:
        tables = (efficiencies.tabulate_decisions(system, rules),)
        found = replace(found, decisions=tables[0].to_dicts())
        size = f"{len(tables[0].rows):,}"
        facts = (
            ("Correlation", "of the tags with the effects of removal on the gain of the action."),
            ("Perfect", "gain of knowing every card, half-way, per 100 rounds; most first."),
            ("Gain", "over the best other action, from the full shoe."),
            ("More", f"the saved table has all {size} decisions and their effects."),
        )
    return Sheet(title=system.title, rules=str(rules), facts=facts, tables=tables, result=found)


def _list_facts(found: CountAnswer, decks: int) -> Iterator[tuple[str, str]]:
    system = found.system
    if system.red_7 is not None:
        yield "Red sevens", f"{_write_tag(system.red_7)}; the tag below is their mean."
    if found.about:
        yield "About", found.about
    yield "Source", system.source
    yield "Decides", _describe_count(system)
    if system.side_aces:
        ace = f"{_write_tag(system.side_aces)} for each ace left"
        yield "Aces aside", f"bets: {ace} above a {system.suit}th of the cards left."
    total, start = system.deck_sum, _write_tag(system.initial_count(decks))
    balance = "balanced" if total == 0 else f"unbalanced, {_write_tag(total)} a deck"
    yield "Start", f"{start} with {numbers.count_of(decks, 'deck')}; {balance}."
    yield "Ramp 1-8", f"{ramp.parse_ramp('1-8', system, decks=decks)} (count:bet)."
    sets = _deviations_for(system)
    known = "; ".join(f"{one.name} ({one.title.splitlines()[0]})" for one in sets)
    yield "Deviations", f"{known}." if sets else "none come with upcard."
    effects, tens = "with these rules' effects of removal.", "with the tens and the others."
    yield "For bets", f"correlation {found.betting_correlation:.3f} {effects}"
    yield "For insurance", f"correlation {found.insurance_correlation:.3f} {tens}"
    yield "For plays", f"efficiency {found.playing_efficiency:.3f}, by Griffin's method."


def _describe_count(system: CountSystem) -> str:
    if system.by is count_system.CountBy.RUNNING:
        return "the running count."
    rounded, known = ROUNDED[system.rounding], _KNOWN[system.decks_left]
    return f"the true count: running count / decks left, {rounded}; decks {known}."


def _deviations_for(system: CountSystem) -> list[Deviations]:
    sets = []
    for name in deviation_names():
        with suppress(errors.RulesError):  # for another count
            sets.append(load_deviations(name, system))
    return sets


def _write_tag(tag: Fraction) -> str:
    return f"{float(tag):+g}" if tag else "0"


def _tell(system: CountSystem, **of_game: Any) -> CountAnswer:
    """Return a system for programs."""
    from upcard.analysis import efficiencies

    return CountAnswer(
        system=system,
        insurance_correlation=efficiencies.insurance_correlation(system),
        playing_efficiency=efficiencies.playing_efficiency(system),
        deviations=tuple(one.name for one in _deviations_for(system)),
        **of_game,
    )


def answer_ceiling(  # noqa: PLR0913 (one parameter a field)
    rules: Rules,
    *,
    count: Annotated[
        CountSystem | None,
        replace(
            _NAMED,
            help="One system: a name, or a TOML file (default: all of them; on a page hi-lo).",
            no_choice="hi-lo",
        ),
    ] = None,
    rounds: Annotated[
        int | None, replace(RUN_ROUNDS, help="Rounds to play (default: 40k).")
    ] = None,
    seed: Annotated[int | None, SEED] = None,
    workers: Annotated[int | None, WORKERS] = None,
    asking: Asking,
) -> Sheet[list[CountAnswer] | CountAnswer]:
    """Play whole shoes, and compare each system with a player who knows every card gone.

    For plays its share is that of what perfect play gains over the chart, with all exact indices;
    for bets that of what one more unit gains, bet exactly where the next round wins. All systems
    are compared on the same shoes.
    """
    from upcard.analysis.ceiling import DEFAULT_ROUNDS, find_ceiling, tabulate_shares
    from upcard.simulation.job import draw_seed

    if not asking.is_patient:
        rounds = _QUICK_ROUNDS
    rounds = DEFAULT_ROUNDS if rounds is None else rounds
    names = count_system.system_names() if asking.is_patient else ("hi-lo",)
    systems = [count] if count is not None else list(map(count_system.load_system, names))
    if (seed := asking.choose_seed(seed)) is None:
        seed = draw_seed()
    found = find_ceiling(
        rules, systems, rounds=rounds, seed=seed, workers=workers, watch=asking.watch
    )
    told = [_tell(one.system, rules=rules, share_of_perfect=one) for one in found]
    hint = f"A page plays few rounds; upcard ceiling plays {DEFAULT_ROUNDS:,}."
    return Sheet(
        title="How far from perfect",
        rules=str(rules),
        facts=tuple(found[0].sentences()),
        tables=(tabulate_shares(found),),
        result=told[0] if len(told) == 1 else told,
        sentences=() if asking.is_patient else (hint,),
        interrupted="" if found[0].rounds >= rounds else f"{found[0].rounds:,} rounds so far",
    )


def answer_best(  # noqa: PLR0913 (one parameter a field)
    rules: Rules,
    *,
    goal: Annotated[
        str,
        replace(
            choice(_GOALS, "Best for bets (default), plays, or growth, the SCORE of both."),
            metavar=f"[{'|'.join(_GOALS)}]",
            no_choice=_GOALS[0],
            is_word=True,
        ),
    ] = _GOALS[0],
    level: Annotated[str, choice(_MOST, "Largest tag (default: 1).", "1")] = "1",
    unbalanced: Annotated[bool, Field(bool, "Also tags with another sum than 0 a deck.")] = False,
    every: Annotated[
        bool, Field(bool, "Simulate all of the level.", option="--all", is_for_pages=False)
    ] = False,
    spread: Annotated[
        float | None,
        Field(read_spread, "Least and largest bet, for growth (default: 1-8).", "A-B"),
    ] = None,
    toml: Annotated[bool, Field(bool, "Write the system as a TOML file, unsimulated.")] = False,
    rounds: Annotated[int | None, replace(RUN_ROUNDS, help="Rounds each (default: 100M).")] = None,
    seed: Annotated[int | None, replace(SEED, is_for_pages=False)] = None,
    workers: Annotated[int | None, WORKERS] = None,
    asking: Asking,
) -> Sheet[BestCount]:
    """Find the best tags of a level for the rules: for bets, for plays, or for both.

    They are then simulated, beside Hi-Lo and the best other system of the level, or with --all
    beside all of them. A page simulates nothing.
    """
    from upcard.analysis.count_rows import DEFAULT_SPREAD
    from upcard.answers.games.best_count import find_best_count
    from upcard.simulation.job import draw_seed

    if toml:
        words = "{toml} with {}: it writes the system, unsimulated"
        refuse_given(words, rounds=rounds, seed=seed, workers=workers, every=every)
    if not asking.is_patient or toml:
        rounds, seed = 0, 1
    found = find_best_count(
        *(rules, goal),
        level=level,
        sums=unbalanced,
        spread=DEFAULT_SPREAD if spread is None else spread,
        every=every,
        rounds=rounds,
        seed=draw_seed() if seed is None else seed,
        workers=workers,
        watch=asking.watch,
    )
    if toml:
        best = found.best.system
        return Sheet(title=best.title, text=best.to_toml, file_name=f"{best.name}.toml")
    hint = "Nothing is simulated here: upcard best-count plays 100 million rounds of each."
    return Sheet(
        title=found.best.system.title,
        rules=str(rules),
        facts=tuple(found.sentences()),
        tables=tuple(found.tables()),
        data=(found.table(),),
        result=found,
        sentences=() if asking.is_patient else (hint,),
        interrupted="" if found.is_whole else "not every system was simulated",
    )
