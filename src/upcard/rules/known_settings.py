"""Settings that an engine does not know: it refuses them rather than ignore them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.rules.setting_table import SETTINGS
from upcard.rules.tokens import write_value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from upcard.rules.model import Rules


def find_unknown(rules: Rules, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Find settings of `rules` that an engine does not know and that differ from the default.

    `known` are those that the engine honours, refuses by value, or may ignore because they do not
    change its answers. Each setting is paired with the reason.
    """
    for name, setting in SETTINGS.items():
        value = getattr(rules, name)
        if name not in known and value != setting.default:
            yield f"{name}={write_value(value)}", "it does not know this rule"
