"""upcard: play, learn, solve and simulate blackjack under any house rules.

Heavy rooms are imported when one of their names is first used, so `import upcard` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from upcard._version import __version__

if TYPE_CHECKING:
    from upcard.core.actions import Action, Outcome
    from upcard.core.cards import Card
    from upcard.core.errors import (
        BlackjackError,
        EmptyShoeError,
        IllegalActionError,
        NotationError,
        OutOfDecisionsError,
        RulesError,
        UnsupportedRuleError,
    )
    from upcard.rules.house import house, house_names
    from upcard.rules.model import Rules
    from upcard.table.replay import RoundResult, play_round
    from upcard.table.session import Table

__all__ = [
    "Action",
    "BlackjackError",
    "Card",
    "EmptyShoeError",
    "IllegalActionError",
    "NotationError",
    "OutOfDecisionsError",
    "Outcome",
    "RoundResult",
    "Rules",
    "RulesError",
    "Table",
    "UnsupportedRuleError",
    "__version__",
    "house",
    "house_names",
    "play_round",
]

_HOME = {
    "Action": "core.actions",
    "BlackjackError": "core.errors",
    "Card": "core.cards",
    "EmptyShoeError": "core.errors",
    "IllegalActionError": "core.errors",
    "NotationError": "core.errors",
    "OutOfDecisionsError": "core.errors",
    "Outcome": "core.actions",
    "RoundResult": "table.replay",
    "Rules": "rules.model",
    "RulesError": "core.errors",
    "Table": "table.session",
    "UnsupportedRuleError": "core.errors",
    "house": "rules.house",
    "house_names": "rules.house",
    "play_round": "table.replay",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Import a public name from its room when it is first used."""
    home = _HOME.get(name)
    if home is None:
        msg = f"module 'upcard' has no attribute {name!r}"
        raise AttributeError(msg)
    found = getattr(import_module(f"upcard.{home}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
