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

_HOME = {
    "InfiniteShoe": "table.shoe",
    "RoundResult": "table.rounds",
    "ScriptedShoe": "table.shoe",
    "Shoe": "table.shoe",
    "ShuffledShoe": "table.shoe",
    "Table": "table.rounds",
    "apply": "table.engine",
    "legal_actions": "table.legal",
    "make_shoe": "table.shoe",
    "parse_cards": "core.cards",
    "play_round": "table.rounds",
    "summarize_round": "table.rounds",
    "why_not": "table.legal",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Import a name from its module when it is first used."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'upcard.table' has no attribute {name!r}")
    found = getattr(import_module(f"upcard.{home}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
