"""Rounds in progress: shoe, state machine, events, settlement. The reference engine.

>>> from upcard.rules.model import Rules
>>> state = start_round(Rules.parse("6D"), [10])
>>> for card in parse_cards("T 6 8 T"):
...     state, events = apply(state, card)
>>> legal_actions(state)
(<Action.HIT: 'hit'>, <Action.STAND: 'stand'>, <Action.DOUBLE: 'double'>)
"""

from upcard.core.cards import parse_cards
from upcard.table.engine import apply
from upcard.table.hand import Hand, HandStatus
from upcard.table.legal import legal_actions, why_not
from upcard.table.replay import RoundResult, play_round, summarize_round
from upcard.table.shoe import InfiniteShoe, ScriptedShoe, Shoe, ShuffledShoe, make_shoe
from upcard.table.state import Phase, RoundState, start_round
from upcard.table.table import Table
from upcard.table.view import TableView, view

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
