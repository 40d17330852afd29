"""Rewards without luck: minus the exact cost of each answer, and the values that they come from."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import RANKS, Card
from upcard.core.errors import NoExactValueError, RulesError, UnsupportedRuleError
from upcard.env import observations, options
from upcard.exact import position
from upcard.exact.solver_results import cost_of
from upcard.players.evaluation import AnswerValues, value_answers
from upcard.players.question import read_question
from upcard.players.seen_cards import CardsSeen, Composition, compose, require_upcard
from upcard.rules.model import Rules
from upcard.rules.predicates import is_nonstandard, most_hands_of
from upcard.rules.settings import Shuffle
from upcard.table import engine
from upcard.table.state import start_round, view

NET, REGRET, FRESH_REGRET = REWARDS = ("net", "regret", "fresh-shoe regret")
SPLITS: Final = "CDZ-"
NO_CARDS: Final = CardsSeen.of(())
_ONE: Final = Fraction(1)
_ALONE: Final = (
    "a hand beside others of its round is valued as if of those only the card that it was split"
    " from had been seen"
)
_AGAIN: Final = (
    "a pair is valued as split again whenever the rules allow it: a wrong split costs too much"
)
_EARLIER: Final = "cards of earlier rounds are valued as not seen"
_Numbers: TypeAlias = NDArray[np.int64]


def value_asked(asked: observations.EnvQuestion, cards: Composition, splits: str) -> AnswerValues:
    """Return the values of the legal answers; see `players.evaluation.value_answers`."""
    assert asked.view is not None  # noqa: S101 (only a bet has no view)
    return value_answers(read_question(asked.view, asked.legal), cards, splits=splits)


class ExactRewards:
    """Minus the exact cost of each answer under some rules: its value less that of the best.

    For `rewards="regret"` from the cards seen, as `ExactValues` has it; for "fresh-shoe regret"
    from the full decks without the hand, the dealer's cards in sight and, if a pair was split,
    another such card.
    """

    def __init__(self, rules: Rules, rewards: str, spots: int) -> None:
        """Refuse rules under which an answer has no exact value."""
        require_upcard(rules, f"rewards={rewards!r}", reads_hole=True)
        position.check_rules(rules)
        for rank in RANKS:
            refusal = position.find_unvalued(rules, rank)
            if refusal and most_hands_of(rules, rank) != 1:
                raise UnsupportedRuleError("exact rewards", *refusal)
        self.rules = rules
        self.is_by_shoe = rewards == REGRET and not rules.is_infinite
        """Whether the values depend on all cards seen."""
        self._is_alone = rewards == FRESH_REGRET and not rules.is_infinite
        self.notes: tuple[str, ...] = ()
        """Approximations in the values, one sentence each."""
        if not is_nonstandard(rules):
            self.notes = position.limit_splits(position.lower_rules(rules, most=rules.max_hands))[1]
            self.notes += (_AGAIN,) * (not rules.is_infinite and rules.max_hands not in (1, 2))
        if self._is_alone:
            has_others = rules.max_hands != 1 or spots > 1
            self.notes += (_ALONE,) * has_others + (_EARLIER,) * (not is_fresh(rules))
        self._known = np.zeros(1, np.int64), np.zeros((1, observations.FIRST_BET))
        """Keys in order, and a row of rewards for each; 0 asks nothing."""

    def value(
        self, asked: observations.EnvQuestion, seen: CardsSeen = NO_CARDS
    ) -> NDArray[np.float64]:
        """Return the reward of each answer by its number, NaN if it is not legal.

        Raises: NoExactValueError if a legal answer has no exact value.
        """
        rewards = np.full(observations.FIRST_BET, np.nan)
        if asked.stage is observations.Stage.SETTLED:
            rewards[observations.STAND] = 0.0
            return rewards
        assert asked.view is not None  # noqa: S101 (no bet is asked)
        if self._is_alone:
            hand = asked.view.hand
            known = [*hand.cards, *hand.cards[: int(hand.is_split)], *asked.view.dealer]
            if asked.stage is observations.Stage.SWITCH:
                known += asked.view.hands[1].cards
            seen = CardsSeen.of(known)
        ev, _, missing = value_asked(asked, compose(self.rules, seen, ""), SPLITS)
        if missing or not np.isfinite([*ev.values()]).all():
            unknown = " ".join(missing) or "a value is infinite"
            hand, up = asked.view.hand, asked.view.upcard
            raise NoExactValueError(f"exact rewards: no value with {hand} v {up}: {unknown}")
        for action, value in ev.items():
            rewards[observations.CODES[action]] = 0.0 - cost_of(max(ev.values()), value)  # no -0.0
        return rewards

    def look_up(
        self, keys: _Numbers, actions: _Numbers, ask: Callable[[int], observations.EnvQuestion]
    ) -> NDArray[np.float64]:
        """Return the reward of each table's action; `ask` returns the question of a new key."""
        known, rows = self._known
        places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        unknown = np.flatnonzero(known[places] != keys)
        if not len(unknown):
            return np.asarray(rows[places, np.where(keys == 0, 0, actions)])
        new, first = np.unique(keys[unknown], return_index=True)
        found = [self.value(ask(table)) for table in unknown[first].tolist()]
        order = np.argsort(known := np.concatenate((known, new)))
        self._known = known[order], np.concatenate((rows, found))[order]
        return self.look_up(keys, actions, ask)


def is_fresh(rules: Rules) -> bool:
    """Whether every round has a shoe of its own, as with an infinite deck."""
    return rules.shuffle is Shuffle.EVERY_ROUND


def open_rewards(
    rewards: str, rules: Rules, bets: Sequence[Fraction], spots: int
) -> ExactRewards | None:
    """Read the option `rewards`; None for net rewards."""
    options.check_option("rewards", rewards, REWARDS)
    if rewards == NET:
        return None
    if len(bets) > 1:
        raise RulesError(f"rewards={rewards!r} takes one bet: the cost of a bet is not part of it")
    return ExactRewards(rules, rewards, spots)


def replay(
    rules: Rules, spots: int, faces: str, answers: Iterable[int]
) -> observations.EnvQuestion:
    """Return what the table asks after some answers in a round with these cards."""
    state, dealt, given = start_round(rules, (_ONE,) * spots), map(Card, faces), iter(answers)
    while True:
        while state.pending:
            state, _ = engine.deal(state, next(dealt))
        if (code := next(given, None)) is None:
            return observations.ask(view(state), state.legal)
        action = observations.find_action(code, state.legal)
        assert action is not None, code  # noqa: S101 (it was legal)
        state, _ = engine.apply(state, action)
