"""`PerfectPlayer`: knows every card that has gone, and gives the best answer for those left."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from upcard.core.actions import Action
from upcard.core.cards import RANKS
from upcard.core.errors import IllegalActionError, NoExactValueError, UnsupportedRuleError
from upcard.exact import position, supported_rules
from upcard.exact.solver_results import best_action
from upcard.players.bots import ChartPlayer, ShoeWatcher, basic_player
from upcard.players.evaluation import value_answers
from upcard.players.question import Question, read_question
from upcard.players.seen_cards import CardsSeen, Composition, SeenCards, compose
from upcard.players.shoe_tracker import require_upcard
from upcard.rules.predicates import most_hands_of

if TYPE_CHECKING:
    from upcard.rules.model import Rules
    from upcard.table.state import TableView

_WHO: Final = "perfect player"


class PerfectPlayer(ShoeWatcher):
    """Gives the answer with the highest exact value for the cards not seen; insurance too.

    Splits are valued as `upcard solve` does by default (CDZ-). Where the cards left could run out
    in a split, it is valued for as many hands as they are enough for; a hand without any exact
    value is played by the best chart.

    >>> from upcard.rules.model import Rules
    >>> from upcard.table.rounds import Table
    >>> table = Table(Rules.parse("6D"), "T T T 6 7")
    >>> player = PerfectPlayer(table.rules)
    >>> player.watch(table)
    >>> state = table.start()
    >>> player.decide(table.view(), table.legal_actions())
    <Action.STAND: 'stand'>
    """

    def __init__(self, rules: Rules) -> None:
        """Sit down at a freshly shuffled shoe.

        Raises: UnsupportedRuleError for rules under which an answer has no exact value.
        """
        require_upcard(rules, _WHO, reads_hole=True)
        supported_rules.check_solvable(rules)
        for rank in RANKS:
            refusal = position.find_unvalued(rules, rank)
            if refusal and most_hands_of(rules, rank) != 1:
                raise UnsupportedRuleError(_WHO, *refusal)
        self._rules = rules
        self._shoe: SeenCards = SeenCards(rules)

    def compose(self) -> Composition:
        """Return the cards not seen."""
        seen = CardsSeen.of(()) if self._rules.is_infinite else self._shoe.look()
        return compose(self._rules, seen, "")

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Return the best answer; of equal ones that which stakes least.

        Raises: IllegalActionError if it does not watch the table.
        """
        if self._shoe.cards_left == self._shoe.cards > 0:
            raise IllegalActionError(f"{_WHO} has seen no card of this shoe: call watch(table)")
        values = value_legal(read_question(view, legal), self.compose())
        return best_action(values) if values else self._chart.decide(view, legal)

    @cached_property
    def _chart(self) -> ChartPlayer:
        return basic_player(self._rules)

    def __str__(self) -> str:
        return "Perfect"


def value_legal(question: Question, unseen: Composition) -> dict[Action, float]:
    """Return the exact value of each legal answer; none if the cards left could run out.

    A split is valued for as many hands as the cards left are enough for.
    """
    try:
        values = value_answers(question, unseen, splits=supported_rules.SplitPlay.CDZ).ev
    except NoExactValueError:
        return {}
    most = question.most_hands or 0
    while Action.SPLIT in question.legal and Action.SPLIT not in values and most > 2:
        most -= 1
        fewer = replace(question, most_hands=most)
        values = value_answers(fewer, unseen, splits=supported_rules.SplitPlay.CDZ).ev
    return values
