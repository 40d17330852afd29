"""Rules as switches: what a start screen lets one turn, one rule at a time."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from upcard.core.errors import RulesError
from upcard.rules.model import Rules
from upcard.rules.settings import SETTINGS


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
    passed: list[str] = []
    for _ in switch.options:
        at = (at + step) % len(switch.options)
        if at == start:
            break
        try:
            return Turned(choose(switch, rules, at), tuple(passed))
        except RulesError as error:
            passed.append(f"{switch.options[at].words}: {error}")
    return Turned(rules, tuple(passed))


def choose(switch: RuleChoice, rules: Rules, position: int) -> Rules:
    """Return rules with a switch at this position.

    Raises: RulesError if that clashes with other rules, or has no effect with them.
    """
    changed = rules.replace(**(_restore_void(rules) | switch.options[position].changes))
    # A stronger rule may make this one void: then there is nothing to choose.
    if switch.position(changed) != position:
        raise RulesError("no effect with the other rules")
    return changed


def _restore_void(rules: Rules) -> dict[str, Any]:
    """Return what the house has for settings that are void: they count again once they are not."""
    from upcard.rules.house import house, house_names
    from upcard.rules.model import Rules as Model
    from upcard.rules.model import void_settings

    base = house(rules.name) if rules.name in house_names() else Model()
    return {name: getattr(base, name) for name in void_settings(rules)}


RULE_CHOICES: Final = tuple(
    RuleChoice(
        menu.name,
        tuple(RuleOption(words, setting.changes(value)) for words, value in menu.options.items()),
    )
    for setting in sorted(SETTINGS.values(), key=lambda one: one.menu.place if one.menu else 0)
    if (menu := setting.menu) is not None
)
"""The choices of the start screen: all settings of the notation, without those of house files."""
