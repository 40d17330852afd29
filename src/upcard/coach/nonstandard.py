"""A position in a house with a non-standard ace or dealer rule, by the non-standard solver."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from upcard.coach.conditional_rules import lower_rules
from upcard.coach.errors import NoExactValueError
from upcard.coach.outcome_probabilities import DealerTotals, compare
from upcard.core.actions import Action
from upcard.core.cards import RANKS, rank_name
from upcard.core.hands import BUST_LIMIT, EMPTY_HAND, hand_table
from upcard.exact.nonstandard import NonstandardSolver
from upcard.kernels.dealer_tree import natural_rank
from upcard.rules.predicates import dealer_draws

if TYPE_CHECKING:
    from upcard.coach.outcome_probabilities import OutcomeProbabilities
    from upcard.coach.question import Question
    from upcard.coach.seen_cards import Composition
    from upcard.core.cards import Rank
    from upcard.exact.shoe import Counts
    from upcard.rules.model import Rules


@lru_cache(maxsize=8)
def _solve(
    rules: Rules, shoe: Counts, upcard: Rank
) -> tuple[NonstandardSolver, list[dict[Action, float]]]:
    solver = NonstandardSolver(rules, shoe)
    return solver, solver.against(upcard)


class NonstandardPosition:
    """A hand in the order of its cards, the upcard, and a shoe of which all else is known."""

    def __init__(self, question: Question, cards: Composition, *, has_looked: bool) -> None:
        """Read the question.

        Raises: NoExactValueError for a composition that is not whole.
        """
        if any(count != int(count) for count in cards.unseen):
            msg = f"{question}: in this house values are known for whole cards only"
            raise NoExactValueError(msg)
        self.question = question
        self.has_looked = has_looked
        self._unseen = tuple(int(count) for count in cards.unseen)
        shoe = list(self._unseen)
        for rank in (*question.ranks, question.upcard.rank):
            shoe[rank] += 1
        self._shoe = tuple(shoe)
        matching = natural_rank(question.upcard.rank)
        self.natural = self._unseen[matching] / sum(self._unseen) if matching else 0.0

    def stand(self) -> float:
        """EV of standing, per initial bet."""
        return self._find(Action.STAND)

    def hit(self) -> float:
        """EV of one card and the best play after it."""
        return self._find(Action.HIT)

    def double(self) -> float:
        """EV of a doubled bet and one card."""
        return self._find(Action.DOUBLE)

    def split(self, most: int | None) -> float:
        """Refuse: the non-standard solver knows hands that are not split."""
        msg = f"{self.question}: no exact value of splitting into {most} hands in this house"
        raise NoExactValueError(msg)

    @cached_property
    def _values(self) -> dict[Action, float]:
        rules = lower_rules(self.question.rules, most=1, has_looked=self.has_looked)
        solver, values = _solve(rules, self._shoe, self.question.upcard.rank)
        return values[solver.find(self.question.ranks)]

    def _find(self, action: Action) -> float:
        if action not in self._values:
            hand = " ".join(map(rank_name, self.question.ranks))
            msg = f"{self.question}: no exact value of {action} with {hand} in this house"
            raise NoExactValueError(msg)
        ev = self._values[action]
        # After a look the solver's values still hold what the natural would have taken.
        return (ev + self.natural) / (1 - self.natural) if self.has_looked else ev

    def chances(self, action: Action) -> OutcomeProbabilities | None:
        """Return win, push and lose by standing; of other actions they are not known."""
        if action is not Action.STAND or self.question.total == BUST_LIMIT:
            return None
        finals, natural = self._finals
        ending = compare(
            self.question.rules,
            self.question.total,
            [(total, share) for total, share in finals.items() if total <= BUST_LIMIT],
            bust=sum(share for total, share in finals.items() if total > BUST_LIMIT),
            natural=natural,
        )
        return ending.finish(is_conditional=self.has_looked)

    def dealer(self) -> DealerTotals:
        """Return how the dealer ends against this hand as it stands."""
        finals, natural = self._finals
        whole = 1 - natural if self.has_looked else 1.0
        chances = [finals.get(total, 0.0) / whole for total in range(17, 22)]
        below = sum(share for total, share in finals.items() if total < 17) / whole
        return DealerTotals.of(chances, natural=0.0 if self.has_looked else natural, below=below)

    @cached_property
    def _finals(self) -> tuple[dict[int, float], float]:
        """Play the dealer out in every order: totals with their shares, and that of a natural."""
        rules = self.question.rules
        table = hand_table(rules.ace_rule)
        first = table.next_state[EMPTY_HAND][self.question.upcard.rank]
        finals: dict[int, float] = {}
        natural = 0.0
        start = (first, 1, self._unseen)
        layer: dict[tuple[int, int, tuple[int, ...]], float] = {start: 1.0}
        while layer:
            following: dict[tuple[int, int, tuple[int, ...]], float] = {}
            for (state, cards, left), share in layer.items():
                whole = sum(left)
                for rank in RANKS:
                    if not left[rank]:
                        continue
                    after = table.next_state[state][rank]
                    part = share * left[rank] / whole
                    if cards == 1 and table.total[after] == BUST_LIMIT:
                        natural += part
                    elif self._draws(after):
                        rest = (*left[:rank], left[rank] - 1, *left[rank + 1 :])
                        key = (after, cards + 1, rest)
                        following[key] = following.get(key, 0.0) + part
                    else:
                        total = table.total[after]
                        finals[total] = finals.get(total, 0.0) + part
            layer = following
        return finals, natural

    def _draws(self, state: int) -> bool:
        """Whether the dealer takes another card."""
        rules = self.question.rules
        table = hand_table(rules.ace_rule)
        return dealer_draws(
            rules,
            table.total[state],
            is_soft=table.is_soft[state],
            was_softened=table.was_softened[state],
            player_total=self.question.total,
        )
