"""What an engine does not know of rules: a rule that it was not taught is refused, not ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.rules.setting_table import SETTINGS
from upcard.rules.tokens import write_value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from upcard.rules.model import Rules


def find_unknown(rules: Rules, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Find settings of `rules` that an engine does not know and that differ from the default.

    `known` are those that the engine honours, refuses by value, or may leave out because they do
    not change its answers. Each comes with the reason.
    """
    for name, setting in SETTINGS.items():
        value = getattr(rules, name)
        if name not in known and value != setting.default:
            yield f"{name}={write_value(value)}", "it does not know this rule"
