"""Find a game: the rules of a table from its place, its decks and the signs on the felt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any, Final

from upcard.answers.edge import find_edge
from upcard.answers.questions import QUESTIONS, Sheet
from upcard.core import errors, figure
from upcard.core.fields import choice
from upcard.core.figure import make_table
from upcard.core.numbers import count_of
from upcard.rules.house import House, house_names, load_house
from upcard.rules.model import Rules
from upcard.rules.settings import Soft17, Surrender
from upcard.rules.tokens import find_tokens

_SEVERAL: Final = "elsewhere"
_HOUSES: Final = tuple(one for one in map(load_house, house_names()) if one.place)
_NO: Final = "not known"
_PLACES: Final = (*dict.fromkeys(sorted(one.place for one in _HOUSES)), _SEVERAL)
_DECKS: Final = {str(decks): decks for decks in (1, 2, 4, 6, 8)}
_SOFT_17: Final = {"stands": Soft17.STAND, "hits": Soft17.HIT}
_SURRENDER: Final = {"yes": Surrender.LATE, "no": Surrender.NONE}
_NATURAL: Final = {"3:2": Fraction(3, 2), "6:5": Fraction(6, 5), "1:1": Fraction(1)}


_IN_WORDS: Final[Mapping[str, Callable[[Any], str]]] = {
    "decks": lambda value: count_of(value, "deck"),
    "natural_pays": lambda value: f"naturals pay {value.numerator}:{value.denominator}",
    "soft_17": lambda value: f"the dealer {value}s on soft 17",
    "surrender": lambda value: f"{'no' if value is Surrender.NONE else value} surrender",
}


def answer(
    *,
    place: Annotated[str | None, choice(_PLACES, "Place of the table.", _NO)] = None,
    decks: Annotated[str | None, choice(_DECKS, "Number of decks.", _NO)] = None,
    soft_17: Annotated[
        str | None, choice(_SOFT_17, "Whether the dealer stands or hits on soft 17.", _NO)
    ] = None,
    natural: Annotated[str | None, choice(_NATURAL, "What a blackjack pays.", _NO)] = None,
    surrender: Annotated[str | None, choice(_SURRENDER, "Whether you may surrender.", _NO)] = None,
) -> Sheet:
    """Return the rules that fit, with their edge, and the houses of the place.

    The house of the place that needs the fewest changes gives all other rules.
    """
    given: tuple[tuple[str, str | None, Mapping[str, Any]], ...] = (
        ("decks", decks, _DECKS),
        ("soft_17", soft_17, _SOFT_17),
        ("natural_pays", natural, _NATURAL),
        ("surrender", surrender, _SURRENDER),
    )
    wanted = {name: values[text] for name, text, values in given if text is not None}
    here = [one for one in _HOUSES if place in (None, _SEVERAL, one.place)]
    if not wanted and place is None:
        words = "Choose the place of your table, its decks, or a sign that you see on the felt."
        return Sheet(
            title=QUESTIONS["find"].title, findings=(words,), tables=(_tabulate(here, {}),)
        )
    nearest = min(here, key=lambda one: _weigh(_list_changes(one.rules, wanted)))
    changes = _list_changes(nearest.rules, wanted)
    rules = _change(nearest.rules, changes)
    edge = find_edge(rules)
    ev = abs(edge.ev or 0.0)
    found = figure.make_figure("house_edge", edge.title, ev, edge.text, "of the bet")
    return Sheet(
        title=QUESTIONS["find"].title,
        rules=str(rules),
        findings=tuple(_tell(nearest, rules, changes, edge.sentence)),
        figures=(found,) if edge.ev is not None else (),
        tables=(_tabulate(here, wanted),),
    )


def _write_settings(rules: Rules, names: Iterable[str]) -> Iterator[str]:
    """Write settings in notation: `8D`, `6:5`."""
    tokens = {name: token.text for _, token in find_tokens(rules) for name in token.changes}
    return (tokens[name] for name in names)


def _list_changes(rules: Rules, wanted: dict[str, Any]) -> dict[str, Any]:
    """Return the answers that differ from some rules; any surrender is a yes."""
    changes = {name: value for name, value in wanted.items() if getattr(rules, name) != value}
    if changes.get("surrender") is Surrender.LATE and rules.surrender is not Surrender.NONE:
        del changes["surrender"]
    return changes


def _weigh(changes: Mapping[str, Any]) -> tuple[int, bool]:
    """Weigh differences: as few as possible, and of equally many not the decks."""
    return len(changes), "decks" in changes


def _change(rules: Rules, changes: dict[str, Any]) -> Rules:
    if not changes:
        return rules
    try:
        return rules.replace(**changes)
    except errors.RulesError as error:
        raise errors.RulesError(f"no game of {rules.name} is like that: {error}") from None


def _tell(house: House, rules: Rules, changes: dict[str, Any], money: str) -> list[str]:
    game = f"Your game is {house.title} ({house.name})"
    if changes:
        game += f", but {', '.join(_IN_WORDS[name](value) for name, value in changes.items())}"
    others = "All other rules" if changes else "All rules"
    return [
        f"{game}.",
        money,
        f"{others} are those of {house.name}: ask the dealer about doubles and splits.",
        f'Commands know it as --rules "{rules}".',
    ]


def _tabulate(houses: list[House], wanted: dict[str, Any]) -> figure.AnswerTable:
    """Return the houses, those with the fewest differences first."""
    ordered = sorted(houses, key=lambda one: _weigh(_list_changes(one.rules, wanted)))
    edge = figure.share("house_edge", "edge")
    columns = (*map(figure.text, ("house", "place")), edge, figure.text("differs", "it has"))
    rows = (
        (
            *(one.name, one.place, find_edge(one.rules).house_edge),
            " ".join(_write_settings(one.rules, _list_changes(one.rules, wanted))),
        )
        for one in ordered
    )
    return make_table("Games to compare with", columns, rows)
