"""Rounds in progress: shoe, state machine, events, settlement. The reference engine.

>>> from upcard.rules.model import Rules
>>> from upcard.table import apply, legal_actions, parse_cards, start_round
>>> state = start_round(Rules.parse("6D"), [10])
>>> for card in parse_cards("T 6 8 T"):
...     state, events = apply(state, card)
>>> legal_actions(state)
(<Action.HIT: 'hit'>, <Action.STAND: 'stand'>, <Action.DOUBLE: 'double'>)

Most modules are imported when one of their names is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

# At once: the module has the name of the function.
from upcard.table.state import Hand, HandStatus, Phase, RoundState, TableView, start_round, view

if TYPE_CHECKING:
    from upcard.core.cards import parse_cards
    from upcard.table.engine import apply
    from upcard.table.legal import legal_actions, why_not
    from upcard.table.rounds import RoundResult, Table, play_round, summarize_round
    from upcard.table.shoe import InfiniteShoe, ScriptedShoe, Shoe, ShuffledShoe, make_shoe

__all__ = [
    "Hand",
    "HandStatus",
    "InfiniteShoe",
    "Phase",
    "RoundResult",
    "RoundState",
    "ScriptedShoe",
    "Shoe",
    "ShuffledShoe",
    "Table",
    "TableView",
    "apply",
    "legal_actions",
    "make_shoe",
    "parse_cards",
    "play_round",
    "start_round",
    "summarize_round",
    "view",
    "why_not",
]

_NAMES = {
    "core.cards": ("parse_cards",),
    "table.engine": ("apply",),
    "table.legal": ("legal_actions", "why_not"),
    "table.rounds": ("RoundResult", "Table", "play_round", "summarize_round"),
    "table.shoe": ("InfiniteShoe", "ScriptedShoe", "Shoe", "ShuffledShoe", "make_shoe"),
}
_HOME = {name: home for home, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Import a name from its module when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'upcard.table' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"upcard.{_HOME[name]}"), name)
    return found


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
