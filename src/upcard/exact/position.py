"""A hand in the middle of a round, valued by the solver for the rules that still apply.

A solver values a hand from the deal on. A question in the middle of a round is turned into such a
hand by changing the rules: after a look the dealer peeks, a split hand has the actions that splits
leave it, and a pair may become as many hands as there is room for.
"""

import math
import threading
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final

from upcard.core import cards, errors
from upcard.core.actions import Action
from upcard.exact import supported_rules
from upcard.exact.composition import natural_rank, start_of
from upcard.exact.infinite_hands import natural_odds
from upcard.exact.solve import Solver, choose_solver
from upcard.exact.solver_results import AskedHand, DealerOutcomes, OutcomeProbabilities
from upcard.rules import predicates
from upcard.rules.model import Rules
from upcard.rules.settings import DoubleOn, FreeDouble, HoleCard, NaturalTakes, Surrender, TurnOrder

_KEPT: Final = 24
_MOST_WITHOUT_LIMIT: Final = 8
_LOCK: Final = threading.RLock()
"""Solutions are shared and filled on demand; the screen's thread never waits here."""


_solve: Final = lru_cache(maxsize=_KEPT)(choose_solver)


@dataclass(frozen=True, kw_only=True)
class Position:
    """All that the values of a hand depend on; they are computed on demand."""

    name: str
    """The hand and the upcard, for messages."""
    rules: Rules
    ranks: tuple[cards.Rank, ...]
    """Ranks of the hand, in the order dealt."""
    upcard: cards.Rank
    hole: cards.Rank = 0
    """The hole card, 0 unless it is seen."""
    unseen: tuple[float, ...]
    """Cards not seen, by rank, entry 0 unused: those in the shoe and a hole card not seen."""
    has_looked: bool
    """Whether it is known that the dealer has no natural."""
    splits: supported_rules.SplitPlay
    """Play of split hands."""
    split_rank: cards.Rank = 0
    """Rank of the pair that the hand was split from, 0 if it was not split."""
    is_free: bool = False
    """Whether the house has paid for the hand: it wins a bet and loses none."""
    pair: cards.Rank = 0
    """Rank of the pair if the hand may be split, else 0."""
    most_hands: int | None = 1
    """Number of hands that this one may become; None for no limit."""
    further_pairs: float = 0.0
    """Number of unseen cards that would make another pair of it."""
    doubles: int = 0
    """How often it has doubled."""
    suits: tuple[str, ...] = ()
    """Suits of its cards, empty where they are unknown."""

    @property
    def natural(self) -> float:
        """Chance of a dealer's natural, ignoring any look."""
        if self.hole:
            return 0.0
        if self.rules.is_infinite:
            return natural_odds(self.rules, self.upcard)
        matching = natural_rank(self.upcard)
        return self.unseen[matching] / math.fsum(self.unseen) if matching else 0.0

    def value(self, action: Action) -> float:
        """Return the EV of an answer other than a split per initial bet, then playing best.

        That of a surrender is known of hands that have doubled.
        """
        return self._value(self._unsplit, action)

    def value_split(self, most: int | None) -> float:
        """Return the EV of splitting into `most` hands at most."""
        return self._value(self._solver(most), Action.SPLIT)

    def outcome_probabilities(self, action: Action) -> OutcomeProbabilities | None:
        """Return win, push and lose by an action; None if they are unknown."""
        solver = self._unsplit  # has a lock of its own, which comes first wherever both are taken
        with _LOCK:
            return solver.outcome_probabilities(self._asked, action)

    def dealer_outcomes(self) -> DealerOutcomes:
        """Return the probabilities of the dealer's result."""
        solver = self._unsplit
        with _LOCK:
            return solver.dealer_outcomes(self._asked)

    @property
    def _asked(self) -> AskedHand:
        return AskedHand(
            *(self.ranks, self.upcard, self.pair, self.has_looked, self.doubles, self.suits),
            is_free=self.is_free,
        )

    @cached_property
    def _unsplit(self) -> Solver:
        if self.pair:
            try:  # the solver of its split is good enough
                return self._solver(self.most_hands)
            except (errors.UnsupportedRuleError, errors.NoExactValueError):
                pass
        return self._solver(1)

    def _solver(self, most: int | None) -> Solver:
        rules = lower_rules(
            self.rules, most=most, split_rank=self.split_rank, has_looked=self.has_looked
        )
        if most is None:
            rules, _ = limit_splits(rules)
        pair = self.pair if most != 1 else 0
        # Of a shoe that cards have left only this hand is asked for, and what it can become.
        is_fresh = self._shoe in (None, rules.full_shoe.counts)
        holding = () if is_fresh else (pair,) if pair else self.ranks
        try:
            with _LOCK:
                return _solve(
                    rules,
                    self._shoe,
                    splits=self.splits,
                    upcards=(self.upcard,),
                    pairs=(pair,) if pair else (),
                    further_pairs=self.further_pairs if pair else 0.0,
                    hole=self.hole,
                    holding=holding,
                )
        except errors.EmptyShoeError as error:
            raise errors.NoExactValueError(f"{self.name}: no exact value: {error}") from None
        except errors.NoExactValueError as error:
            raise errors.NoExactValueError(f"{self.name}: {error}") from None

    @property
    def _shoe(self) -> tuple[float, ...] | None:
        """Cards before the hand and the dealer's known cards were dealt."""
        if self.rules.is_infinite:
            return None
        shoe = list(self.unseen)
        for rank in (*self.ranks, *start_of(self.upcard, self.hole)):
            shoe[rank] += 1
        return tuple(shoe)

    def _value(self, solver: Solver, action: Action) -> float:
        with _LOCK:
            value = solver.value_answer(self._asked, action)
        if value is None:
            hand = " ".join(map(cards.rank_name, self.ranks))
            msg = f"{self.name}: no exact value of {action} with {hand} in this house"
            raise errors.NoExactValueError(msg)
        return value


def check_rules(rules: Rules) -> None:
    """Refuse rules under which not even an unsplit hand has an exact value."""
    if rules.switch:
        supported_rules.check_solvable(rules)
    supported_rules.check_solvable(
        rules if predicates.is_nonstandard(rules) else lower_rules(rules, most=1)
    )


def find_unvalued(
    rules: Rules, split_rank: cards.Rank, *, has_looked: bool = False
) -> tuple[str, str] | None:
    """Return the rule because of which a hand of a split has no value of its own, and the reason.

    None if it has one, and for a hand that was not split.
    """
    if split_rank and predicates.takes_busted(rules) and not has_looked:
        reason = "after a split, what a natural takes depends on which hands are bust"
        return f"natural_takes={rules.natural_takes}", reason
    return None


@lru_cache(maxsize=256)
def lower_rules(
    rules: Rules, *, most: int | None, split_rank: cards.Rank = 0, has_looked: bool = False
) -> Rules:
    """Return the rules with which a solver values a hand that may become `most` hands."""
    if refusal := find_unvalued(rules, split_rank, has_looked=has_looked):
        raise errors.NoExactValueError(": ".join(refusal))
    rules, changes = predicates.one_hand(rules), dict[str, Any]()
    if not predicates.asks_first(rules):
        changes["turn_order"] = TurnOrder.HAND_BY_HAND
    changes |= dict.fromkeys(("max_total_hands", "max_ace_hands"))  # `most` has them
    if has_looked:
        changes |= {"hole_card": HoleCard.PEEK, "natural_takes": NaturalTakes.ALL}
    if split_rank and rules.bonuses is not None:
        changes["bonuses"] = replace(rules.bonuses, suited_777_v_7=None)
    if split_rank:
        changes["surrender"] = Surrender.NONE
        if predicates.gets_one_card(rules, split_rank):
            changes["min_stand"] = None
        if not predicates.may_double_after_split(rules, split_rank):
            changes |= {"double_on": DoubleOn.NEVER, "double_split_aces": False}
            changes["free_double"] = FreeDouble.NONE
    if most == 1:
        changes["max_hands"] = 1
        changes |= dict.fromkeys(("resplit_aces", "hit_split_aces", "double_split_aces"), False)
    else:
        changes["max_hands"] = most
        if most == 2:
            changes["resplit_aces"] = False
    return rules.replace(**changes)


def limit_splits(rules: Rules) -> tuple[Rules, tuple[str, ...]]:
    """Limit splits if they have an exact method only with a limit; return a note about it."""
    try:
        supported_rules.check_solvable(rules)
    except errors.UnsupportedRuleError as error:
        if error.rule != "SPINF":
            raise
        limited = rules.replace(max_hands=_MOST_WITHOUT_LIMIT)
        supported_rules.check_solvable(limited)
        return limited, (f"splits are valued to {_MOST_WITHOUT_LIMIT} hands, not without limit",)
    return rules, ()
