"""The switches of the rules as fields of a form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from upcard.core.errors import RulesError, as_sentence
from upcard.session.choice import RULE_CHOICES, RuleChoice, choose

if TYPE_CHECKING:
    from upcard.rules.model import Rules
    from upcard.web.reading import Fields


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionView:
    """One position of a switch."""

    words: str
    """The option in words; a form sends it as the value of the switch."""
    is_chosen: bool
    """Whether the rules have it now."""
    why_not: str
    """Why it cannot be chosen with the other rules; empty if it can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchView:
    """A rule that can be turned; `field` is its name in the form."""

    field: str
    """Name of the field in a form or address."""
    name: str
    """The rule in words."""
    options: tuple[OptionView, ...]
    """The options, of which at most one is chosen."""
    is_known: bool
    """Whether one of the options is that of the house."""


@lru_cache(maxsize=64)
def list_switches(rules: Rules) -> tuple[SwitchView, ...]:
    """Return the switches as they stand by these rules."""
    return tuple(_look_at(switch, rules) for switch in RULE_CHOICES)


def list_turned(rules: Rules) -> tuple[tuple[str, str, Rules], ...]:
    """Return every game that is one switch away: the switch, its option, the rules."""
    found = []
    for switch in RULE_CHOICES:
        for position, option in enumerate(switch.options):
            if position == switch.position(rules) or _why_not(switch, rules, position):
                continue
            found.append((switch.name, option.words, choose(switch, rules, position)))
    return tuple(found)


def read_switches(fields: Fields, rules: Rules) -> Rules | None:
    """Return the rules with the switches of a form; None if the form has none."""
    is_asked = False
    for switch in RULE_CHOICES:
        field = _field(switch)
        if field not in fields:
            continue
        is_asked = True
        words = [option.words for option in switch.options]
        chosen = fields.text(field)
        if chosen not in words:
            raise RulesError(f"{switch.name} is one of {', '.join(words)}")
        position = words.index(chosen)
        if switch.position(rules) != position:
            rules = choose(switch, rules, position)
    return rules if is_asked else None


def _field(switch: RuleChoice) -> str:
    return next(iter(switch.options[0].changes))


def _look_at(switch: RuleChoice, rules: Rules) -> SwitchView:
    position = switch.position(rules)
    options = tuple(
        OptionView(
            words=option.words,
            is_chosen=index == position,
            why_not="" if index == position else _why_not(switch, rules, index),
        )
        for index, option in enumerate(switch.options)
    )
    return SwitchView(
        field=_field(switch), name=switch.name, options=options, is_known=position is not None
    )


def _why_not(switch: RuleChoice, rules: Rules, position: int) -> str:
    try:
        choose(switch, rules, position)
    except RulesError as error:
        return as_sentence(str(error))
    return ""
