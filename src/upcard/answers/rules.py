"""Explained rules: the settings in words, houses, and the engines that honour them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from upcard.answers.edge import EdgeAnswer, EdgeChange, compare_edges
from upcard.answers.questions import QUESTIONS, Asking, Sheet
from upcard.answers.shared_fields import ask_text
from upcard.core import figure, user_files
from upcard.core.errors import NotationError, as_sentence
from upcard.core.fields import FieldClashError
from upcard.core.numbers import fields_of
from upcard.rules import describe
from upcard.rules.house import House, house_names, load_house
from upcard.rules.model import RULE_NAMES, Rules
from upcard.rules.settings import EngineName


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseAnswer:
    """A house."""

    name: Annotated[str, figure.text()]
    title: Annotated[str, figure.text()]
    source: Annotated[str, figure.text()]
    """Origin of the rules."""
    about: str
    """A few sentences about the house."""
    rules: Annotated[str, figure.text()]


def answer_house(house: House) -> HouseAnswer:
    """Return a house as it is shown."""
    return HouseAnswer(
        **fields_of(house, "name", "title", "source"),
        about=" ".join(house.about.split()),
        rules=house.rules.notation,
    )


def list_houses() -> tuple[HouseAnswer, ...]:
    """Return the built-in houses in alphabetical order."""
    return tuple(answer_house(load_house(name)) for name in house_names())


def answer_houses() -> Sheet[tuple[HouseAnswer, ...]]:
    """Return the houses that come with upcard.

    Use their names with --house and --rules. `upcard rules NAME` shows the rules of a house and
    their source.
    """
    houses, title = list_houses(), QUESTIONS["houses"].title
    shown = [(one.name, f"{one.title}: {one.rules}") for one in houses]
    saved = ("name", "title", "rules", "source")
    return Sheet(
        title=title,
        findings=("A name stands for rules: upcard play --house NAME, upcard rules NAME LS.",),
        tables=(figure.make_table(title, map(figure.text, ("house", "rules")), shown),),
        data=(figure.tabulate_fields(title, HouseAnswer, houses, names=saved),),
        result=houses,
        shows_all=True,
    )


class RuleSettings(Rules):
    """The settings of a game."""

    json_keys = " ".join(RULE_NAMES).replace("side_bets", "side_bets=tokens")

    @property
    def tokens(self) -> tuple[str, ...]:
        """The side bets, in notation."""
        return tuple(map(str, self.side_bets))


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesAnswer:
    """The rules of a game, in notation and in words."""

    rules: str
    notation: str
    name: str
    """The game in words: the title of its house, or its main rules."""
    house: HouseAnswer | None
    """The house that the rules are from; None for rules of your own."""
    is_changed: bool
    """Whether settings of the house were changed."""
    settings: RuleSettings
    """Every setting by its name."""
    in_words: tuple[tuple[str, str], ...]


def answer_rules(rules: Rules, house: House | None = None) -> RulesAnswer:
    """Return the rules in words; `house` is where they are from, if it is not a built-in one."""
    if house is None and rules.name in house_names():
        house = load_house(rules.name)
    return RulesAnswer(
        rules=str(rules),
        notation=rules.notation,
        name=describe.name_game(rules),
        house=None if house is None else answer_house(house),
        is_changed=house is not None and house.rules != rules,
        settings=RuleSettings(**fields_of(rules, *RULE_NAMES)),
        in_words=tuple(describe.describe_rules(rules)),
    )


def read_rules(text: str) -> tuple[Rules, House | None]:
    """Read notation, a house's name or a file's path; return the house too if it is unchanged."""
    wanted = text.strip()
    is_one_file = len(wanted.split()) == 1 and wanted.lower().endswith(".toml")
    if wanted.lower() in house_names() or is_one_file or user_files.is_user_file(wanted):
        house = load_house(wanted)
        return house.rules, house
    return Rules.parse(wanted), None


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedRule:
    """A setting that an engine does not support."""

    rule: str
    """The setting in notation."""
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSupport:
    """Whether an engine honours the rules, and what it refuses."""

    engine: Annotated[str, figure.text()]
    about: str
    """Work of the engine, in a line."""
    honours: bool
    """Whether it supports all settings of the rules."""
    refuses: tuple[RefusedRule, ...]
    limit: str
    """Refusal that depends on the cards; empty if there is none."""
    sentence: Annotated[str, figure.text(title="answer")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedRules(RulesAnswer):
    """The rules of a game, and the engines that support them."""

    engines: tuple[EngineSupport, ...]


def explain_rules(rules: Rules, house: House | None = None) -> ExplainedRules:
    """Return the rules in words, with the answer of every engine to them."""
    return ExplainedRules(**fields_of(answer_rules(rules, house)), engines=find_engines(rules))


_TEXT: Final = ask_text(
    "Rules in notation, a house, or for a command the path of a house's TOML file.",
    *("TEXT...", "rules", "6D H17 or european LS"),
    is_word=True,
)


def answer(
    rules: Rules,
    *,
    is_given: bool = True,
    text: Annotated[str | None, _TEXT] = None,
    asking: Asking,
) -> Sheet[ExplainedRules]:
    """Return rules in plain words, and the engines that honour them.

    TEXT is notation, a house's name, or the path of a house's TOML file. A house may be followed by
    notation that changes it. All faults of a text or a file are reported at once. The last table
    lists the engines that support the rules, and what the others refuse.
    """
    if text is None and not is_given and asking.is_patient:
        raise NotationError("no rules: write them in notation, or the name or file of a house")
    if text is not None and is_given:
        raise FieldClashError("{text} with {game}: give one of them")
    found = explain_rules(*((rules, None) if text is None else read_rules(text)))
    house = None if found.is_changed else found.house
    known = {} if house is None else fields_of(house, "title", "source", "about")
    facts = [*zip(("House", "Source", "About"), known.values(), strict=False)]
    if found.rules != found.notation or not asking.is_patient:
        facts.append(("In notation", found.notation))
    title = "Which engine honours these rules"
    return Sheet(
        title=found.rules,
        facts=(*facts, *found.in_words),
        tables=(figure.tabulate_fields(title, EngineSupport, found.engines),),
        result=found,
    )


def answer_engine(
    engine: str, about: str, refusals: Sequence[tuple[str, str]], limit: str = ""
) -> EngineSupport:
    """Return whether an engine honours rules of which it refuses these, each with a reason."""
    if refusals:
        sentence = f"No. {as_sentence('; '.join(f'{rule}: {why}' for rule, why in refusals))}"
    else:
        parts = ("Yes.", as_sentence(about), as_sentence(limit) if limit else "")
        sentence = " ".join(part for part in parts if part)
    return EngineSupport(
        engine=engine,
        about=about,
        honours=not refusals,
        refuses=tuple(RefusedRule(rule=rule, reason=why) for rule, why in refusals),
        limit=limit,
        sentence=sentence,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseToken:
    """A setting in notation."""

    text: str
    """The setting: `H17`."""
    differs: bool
    """Whether a compared house does not have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedHouse:
    """One of the houses that are compared."""

    name: str
    title: str
    tokens: tuple[HouseToken, ...]
    edge: EdgeAnswer | None
    change: EdgeChange | None
    """Worth of this house against the first one; None for the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferingTopic:
    """A topic of the rules, with the sentence of each house."""

    topic: str
    """The topic: `Dealer`, `Doubling` and so on."""
    sentences: tuple[str, ...]
    """A sentence for each house, in the order of `houses`; empty for one without such a rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HousesAnswer:
    """Houses side by side: the topics in which they differ, and those that are the same."""

    houses: tuple[ComparedHouse, ...]
    """The compared houses, the first as the measure."""
    differing: tuple[DifferingTopic, ...]
    same: tuple[tuple[str, str], ...]
    """The other topics, each with the sentence that all share."""


def compare_houses(houses: list[House], edges: list[EdgeAnswer | None]) -> HousesAnswer:
    """Compare two houses or more, given the edges that are known by now."""
    described = [describe.describe_topics(house.rules) for house in houses]
    differing, same = [], []
    for topic in described[0]:
        sentences = tuple(topics[topic] for topics in described)
        if len(set(sentences)) > 1:
            differing.append(DifferingTopic(topic=topic, sentences=sentences))
        elif sentences[0]:
            same.append((topic, sentences[0]))
    notations = [house.rules.notation.split() for house in houses]
    shared = Counter(token for notation in notations for token in set(notation))
    return HousesAnswer(
        houses=tuple(
            ComparedHouse(
                name=house.name,
                title=house.title,
                tokens=tuple(
                    HouseToken(text=token, differs=shared[token] < len(houses))
                    for token in notation
                ),
                edge=edge,
                change=compare_edges(edges[0], edge) if house is not houses[0] else None,
            )
            for house, edge, notation in zip(houses, edges, notations, strict=True)
        ),
        differing=tuple(differing),
        same=tuple(same),
    )


_MOST_HANDS: Final = {EngineName.TABLE: 64, EngineName.SIMULATOR: 16}
"""Hands into which one hand may be split in a run, if the house has no limit."""


def find_engines(rules: Rules) -> tuple[EngineSupport, ...]:
    """Return the answer of each engine to these rules."""
    from upcard.rules.engines import find_refusals  # the houses do without it
    from upcard.simulation.job import find_unsupported

    refused = {engine: tuple(find_refusals(rules, engine)) for engine in _ENGINES}
    refused[EngineName.SIMULATOR] = find_unsupported(rules)  # side bets too
    return tuple(
        answer_engine(engine, about, refused[engine], _find_limit(rules, engine))
        for engine, about in _ENGINES.items()
    )


def _find_limit(rules: Rules, engine: EngineName) -> str:
    if rules.max_hands is not None or engine not in _MOST_HANDS:
        return ""
    return f"a run ends if one hand is split into more than {_MOST_HANDS[engine]}"


_ENGINES: Final = {
    EngineName.TABLE: "plays rounds: the game, and any player's simulation",
    EngineName.SIMULATOR: "compiled, plays millions of rounds a second by a chart",
    EngineName.INFINITE: "exact values where cards never run out",
    EngineName.FINITE: "exact values of decks, for each class of split play",
    EngineName.FULL_MEMORY: "exact values with every card seen, up to an hour of work",
    EngineName.NONSTANDARD: "exact values with a non-standard ace or dealer rule",
    EngineName.SWITCH: "exact values of two hands whose cards may be swapped",
}
"""Description of each engine that is asked about."""
