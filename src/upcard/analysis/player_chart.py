"""Players as charts: `ask_chart` reads one cell by cell, `value_of` values a player exactly."""

from __future__ import annotations

import itertools
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Final

from upcard.cache.exact import expected_value
from upcard.core.actions import LETTERS, Action
from upcard.core.cards import RANKS, TEN, UPCARD_ORDER, Rank, rank_name
from upcard.core.errors import IllegalActionError, RulesError, quote
from upcard.players import bots, seen_cards
from upcard.rules.house import RulesLike, as_rules
from upcard.rules.model import Rules
from upcard.simulation.registry import load_player, make_player
from upcard.strategy.chart import HAND_LABELS, PAIR_LABELS, Strategy
from upcard.table import Phase, ScriptedShoe, Table, make_shoe, state

_HOLE: Final = "7"
"""No natural with any upcard."""
_LETTERS: Final = {action: letter.upper() for action, letter in LETTERS.items()}
_CHECKED_ROUNDS: Final = 1000


class DealtCell(ABC):
    """A round dealt for a cell of a chart, and the player who is asked in it."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @abstractmethod
    def ask(self, *without: Action) -> Action:
        """Return the player's answer where the actions `without` are not legal."""

    def answer(self, action: Action) -> None:
        """Give the table an answer."""
        self.table.act(action)


def ask_chart(rules: Rules, deal: Callable[[str], DealtCell]) -> Strategy:
    """Return the answers to 330 opening hands as a chart; `deal` deals the cards of a script.

    Where the best answer is to double, split or surrender, the player is asked again without it.
    """
    insured: list[bool] = []
    cells = tuple(
        tuple(
            _ask_cell(deal(_script(rules, _cards_of(label), upcard)), insured)
            for upcard in UPCARD_ORDER
        )
        for label in HAND_LABELS
    )
    return Strategy(cells=cells, takes_insurance=2 * sum(insured) > len(insured))


def _ask_cell(cell: DealtCell, insured: list[bool]) -> str:
    """Decline the offers before the play, and return the letters of the answer."""
    surrenders = False
    while True:
        match cell.table.state.phase:
            case Phase.SURRENDER:
                surrenders = cell.ask() is Action.SURRENDER
                cell.answer(Action.NO_SURRENDER)
            case Phase.INSURANCE:
                insured.append(cell.ask() is Action.INSURANCE)
                cell.answer(Action.NO_INSURANCE)
            case Phase.SPLIT if cell.ask() is Action.SPLIT:
                return "Rp" if surrenders else "P"
            case Phase.SPLIT:
                cell.answer(Action.NO_SPLIT)
            case _:
                break
    first = "R" if surrenders else _LETTERS[cell.ask()]
    if first == "R":
        return "R" + _LETTERS[cell.ask(Action.SURRENDER, Action.DOUBLE)].lower()
    if first == "D":
        return "D" + _LETTERS[cell.ask(Action.DOUBLE, Action.SPLIT, Action.SURRENDER)].lower()
    return first


def _script(rules: Rules, hand: tuple[Rank, Rank], upcard: Rank) -> str:
    """Return the cards that deal a hand against an upcard, in the house's order."""
    names = map(rank_name, hand)
    return " ".join(
        (*state.order_deal(rules, names, rank_name(upcard), itertools.repeat(_HOLE)), _HOLE)
    )


def _cards_of(label: str) -> tuple[Rank, Rank]:
    if label == "AA":
        return 1, 1
    if label in PAIR_LABELS:
        rank = int(label[: len(label) // 2])
        return rank, rank
    if label.startswith("A"):
        return 1, int(label[1:])
    total = int(label)
    return (2, total - 2) if total <= 12 else (TEN, total - TEN)


class _AskedPlayer(DealtCell):
    def __init__(self, player: bots.Decider, table: Table) -> None:
        super().__init__(table)
        self._player = player
        table.start()

    def ask(self, *without: Action) -> Action:
        legal = tuple(one for one in self.table.legal_actions() if one not in without)
        view = self.table.view()
        answer = self._player.decide(view, legal)
        if answer in legal:
            return legal[legal.index(answer)]
        raise IllegalActionError(
            f"{_name(self._player)} answered {quote(answer)} for {view.hand} v {view.upcard}."
            f" Legal: {', '.join(legal)}"
        )


def chart_of_player(player: bots.Decider, rules: Rules) -> Strategy:
    """Return the chart that a player follows.

    Its answers to the 330 opening hands make the chart. Then every hand of two cards is dealt in
    both orders, and 1,000 rounds from shuffled shoes, always the same.

    Raises: RulesError if an answer is not that of the chart: by the composition of the hand, the
    cards seen before, a state of the player, or chance.
    """
    seen_cards.require_upcard(rules, "chart of a player")
    chart = ask_chart(
        rules, lambda script: _AskedPlayer(player, Table(rules, ScriptedShoe(script)))
    )
    by_chart = bots.ChartPlayer(chart)
    for table in _open_tables(rules, player):
        asked = _AskedPlayer(player, table)
        while legal := table.legal_actions():
            view = table.view()
            answer, own = asked.ask(), by_chart.decide(view, legal)
            if answer is not own:
                raise RulesError(
                    f"{_name(player)} follows no chart: it answered {answer} for {view.hand} v"
                    f" {view.upcard}, and {own} when first asked about such a hand. A chart has one"
                    " answer for equal totals, whatever their cards and whatever came before"
                )
            asked.answer(answer)
    return chart


def _open_tables(rules: Rules, player: bots.Decider) -> Iterator[Table]:
    rng = random.Random(_CHECKED_ROUNDS)
    for first, second, upcard in itertools.product(RANKS, repeat=3):
        drawn = [rank_name(rank) for rank in RANKS] * 5
        rng.shuffle(drawn)
        dealt = _script(rules, (first, second), upcard)
        yield Table(rules, ScriptedShoe(f"{dealt} {' '.join(drawn)}"))
    table = Table(rules, make_shoe(rules, rng))
    if (watch := getattr(player, "watch", None)) is not None:  # a player who counts
        watch(table)
    for _ in range(_CHECKED_ROUNDS):
        yield table


def _name(player: bots.Decider) -> str:
    """Name a player by its own name, or that of its class; one of a base class says nothing."""
    own = {**vars(type(player)), **getattr(player, "__dict__", {})}
    name = getattr(player, "name", "") if "name" in own else type(player).__name__
    return f"player {quote(str(name))}"


def value_of(player: str | Strategy | bots.Decider | type[bots.Decider], rules: RulesLike) -> float:
    """Return the exact EV, per initial bet, of a player that follows a chart.

    A player is the name of one, as `--player` takes it, a `Player` or its class, or a `Strategy`.

    Raises: RulesError if it follows no chart, and UnsupportedRuleError if no solver knows the
    rules.

    >>> import upcard
    >>> round(value_of("mimic", "INF S17 3:2"), 5)
    -0.05675
    """
    house = as_rules(rules)
    if isinstance(player, str):
        player = make_player(load_player(player), house)
    elif isinstance(player, type):
        player = player()
    if isinstance(player, Strategy):
        return expected_value(house, strategy=player)
    if not callable(getattr(player, "decide", None)):
        raise RulesError(
            f"{quote(player)} is not a player: give a name, FILE.py:CLASS, a Player or a Strategy"
        )
    return expected_value(house, strategy=chart_of_player(player, house))
