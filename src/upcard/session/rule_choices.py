"""Rules as switches: what a start screen lets one turn, one rule at a time."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from upcard.core.errors import RulesError
from upcard.rules.model import DEFAULT_PENETRATION
from upcard.rules.settings import DoubleOn, HoleCard, NaturalTakes, Shuffle, Soft17, Surrender

if TYPE_CHECKING:
    from upcard.rules.model import Rules


class RuleOption(NamedTuple):
    """One position of a switch: how it is written, and the settings that it stands for."""

    words: str
    changes: dict[str, Any]


class RuleChoice(NamedTuple):
    """A rule that can be turned."""

    name: str
    options: tuple[RuleOption, ...]

    def position(self, rules: Rules) -> int | None:
        """Return the position that `rules` are at; None if it is one that has no place here."""
        for index, option in enumerate(self.options):
            if all(getattr(rules, name) == value for name, value in option.changes.items()):
                return index
        return None

    def words(self, rules: Rules) -> str:
        """Write where it stands by these rules."""
        position = self.position(rules)
        return "of the house" if position is None else self.options[position].words


class Turned(NamedTuple):
    """Rules after a switch was turned, and why positions on the way were passed over."""

    rules: Rules
    passed: tuple[str, ...]


def turn(switch: RuleChoice, rules: Rules, step: int) -> Turned:
    """Turn a switch one position up (1) or down (-1), past those that clash with other rules."""
    start = switch.position(rules)
    at = (-1 if step > 0 else 0) if start is None else start
    restored = _restore_void(rules)
    passed: list[str] = []
    for _ in switch.options:
        at = (at + step) % len(switch.options)
        if at == start:
            break
        option = switch.options[at]
        try:
            turned = rules.replace(**(restored | option.changes))
        except RulesError as error:
            passed.append(f"{option.words}: {error}")
            continue
        # A stronger rule may make this one void: then there is nothing to turn.
        if switch.position(turned) == at:
            return Turned(turned, tuple(passed))
        passed.append(f"{option.words}: no effect with the other rules")
    return Turned(rules, tuple(passed))


# No cut card is used then: its place must be the default, or the rules clash.
_EVERY_ROUND: Final = {"shuffle": Shuffle.EVERY_ROUND, "penetration": DEFAULT_PENETRATION}


def _restore_void(rules: Rules) -> dict[str, Any]:
    """Return what the house has for settings that are void: they count again once they are not."""
    from upcard.rules.house import house, house_names
    from upcard.rules.model import Rules as Model
    from upcard.rules.model import void_settings

    base = house(rules.name) if rules.name in house_names() else Model()
    return {name: getattr(base, name) for name in void_settings(rules)}


def _decks() -> tuple[RuleOption, ...]:
    finite = (RuleOption(str(decks), {"decks": decks}) for decks in (1, 2, 4, 5, 6, 8))
    return (*finite, RuleOption("infinite", {"decks": None, **_EVERY_ROUND}))


def _yes_no(setting: str) -> tuple[RuleOption, ...]:
    return (RuleOption("no", {setting: False}), RuleOption("yes", {setting: True}))


RULE_CHOICES: Final = (
    RuleChoice("Decks", _decks()),
    RuleChoice(
        "Dealer on soft 17",
        (
            RuleOption("stands", {"soft_17": Soft17.STAND}),
            RuleOption("hits", {"soft_17": Soft17.HIT}),
        ),
    ),
    RuleChoice(
        "Hole card",
        (
            RuleOption("peek", {"hole_card": HoleCard.PEEK, "natural_takes": NaturalTakes.ALL}),
            RuleOption("none", {"hole_card": HoleCard.NONE, "natural_takes": NaturalTakes.ALL}),
            RuleOption(
                "none, one bet lost",
                {"hole_card": HoleCard.NONE, "natural_takes": NaturalTakes.ORIGINAL},
            ),
        ),
    ),
    RuleChoice(
        "A natural pays",
        tuple(
            RuleOption(words, {"natural_pays": Fraction(*pays)})
            for words, pays in (("3:2", (3, 2)), ("6:5", (6, 5)), ("1:1", (1, 1)), ("2:1", (2, 1)))
        ),
    ),
    RuleChoice(
        "Double",
        (
            RuleOption("any two cards", {"double_on": DoubleOn.ANY_TWO}),
            RuleOption("hard 9 to 11", {"double_on": DoubleOn.HARD_9_TO_11}),
            RuleOption("hard 10, 11", {"double_on": DoubleOn.HARD_10_TO_11}),
            RuleOption("any number", {"double_on": DoubleOn.ANY_NUMBER}),
            RuleOption("never", {"double_on": DoubleOn.NEVER}),
        ),
    ),
    RuleChoice("Double after a split", _yes_no("double_after_split")),
    RuleChoice(
        "Hands from a split",
        (
            RuleOption("no splits", {"max_hands": 1}),
            *(RuleOption(f"up to {most}", {"max_hands": most}) for most in range(2, 9)),
            RuleOption("no limit", {"max_hands": None}),
        ),
    ),
    RuleChoice("Resplit aces", _yes_no("resplit_aces")),
    RuleChoice("Hit split aces", _yes_no("hit_split_aces")),
    RuleChoice(
        "Surrender",
        (
            RuleOption("none", {"surrender": Surrender.NONE}),
            RuleOption("late", {"surrender": Surrender.LATE}),
            RuleOption("early", {"surrender": Surrender.EARLY}),
        ),
    ),
    RuleChoice("Insurance", _yes_no("insurance")),
    RuleChoice(
        "Shuffle",
        (
            *(
                RuleOption(
                    f"at {percent}%",
                    {"shuffle": Shuffle.CUT_CARD, "penetration": Fraction(percent, 100)},
                )
                for percent in (50, 60, 70, 75, 80, 85, 90)
            ),
            RuleOption("every round", _EVERY_ROUND),
        ),
    ),
)
"""What the start screen offers; all that a notation has, house files apart."""
