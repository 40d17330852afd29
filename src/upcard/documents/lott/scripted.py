"""Scripted answers and hands for tests: `ScriptedPlayer` and `make_hand`."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from upcard.core.actions import Action, parse_action
from upcard.core.cards import Card, parse_cards
from upcard.core.errors import NotationError, OutOfDecisionsError
from upcard.core.hands import BUST_LIMIT, EMPTY_HAND, AceRule, hand_table
from upcard.documents.lott.player import Player
from upcard.table.state import Hand, HandStatus, Phase, TableView, read_bet


class ScriptedPlayer(Player):
    """Gives the answers of a list, in the order of the questions.

    As with `play_round`, any other answer declines a split or a surrender that is a separate offer,
    and then answers the next question. Illegal answers are given too: the table refuses them.

    Raises: IllegalActionError for an unknown word; OutOfDecisionsError for a question without an
    answer.
    """

    name = "Script"

    def __init__(self, answers: Iterable[Action | str]) -> None:
        super().__init__()
        self._answers = tuple(parse_action(answer) for answer in answers)
        self._given = 0

    @property
    def unasked(self) -> tuple[Action, ...]:
        """Answers that were not used."""
        return self._answers[self._given :]

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Return the next answer."""
        self.table = view
        if self._given == len(self._answers):
            raise OutOfDecisionsError(
                f"the table asks about {view.hand} and all {self._given} answers are given."
                f" Legal: {', '.join(legal)}"
            )
        answer = self._answers[self._given]
        is_own_offer = view.phase in (Phase.SPLIT, Phase.SURRENDER)
        if is_own_offer and answer not in legal and not answer.declines:
            return next(action for action in legal if action.declines)
        self._given += 1
        return answer


def make_hand(
    cards: str | Iterable[Card | str],
    *,
    bet: Fraction | int | str = 1,
    ace_rule: AceRule = AceRule.BEST,
) -> Hand:
    """Make a hand of `cards`, to test offers about it.

    Raises: NotationError for an invalid card, or one after a bust; RulesError for an invalid bet.

    >>> print(make_hand("A 6"))
    A 6 (soft 17)
    """
    known = parse_cards(cards)
    table = hand_table(ace_rule)
    state = EMPTY_HAND
    for card in known:
        if table.total[state] > BUST_LIMIT:
            msg = f"a hand of {' '.join(map(str, known))} is over {BUST_LIMIT} before its last card"
            raise NotationError(msg)
        state = table.next_state[state][card.rank]
    total = table.total[state]
    status = HandStatus.PLAYING
    if total > BUST_LIMIT:
        status = HandStatus.BUST
    elif total == BUST_LIMIT:
        status = HandStatus.NATURAL if len(known) == 2 else HandStatus.TWENTY_ONE
    exact = read_bet(bet)
    return Hand(known, state, total, table.is_soft[state], exact, exact, 0, status=status)
