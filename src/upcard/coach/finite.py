"""A position on a shoe with known cards, by the finite-deck solver."""

from __future__ import annotations

import threading
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, cast

from upcard.coach.conditional_rules import limit_splits, lower_rules
from upcard.coach.errors import NoExactValueError
from upcard.coach.outcome_probabilities import DealerTotals, Ending, compare
from upcard.coach.position import pair_cards_unseen
from upcard.core.actions import Action
from upcard.core.cards import RANKS
from upcard.core.errors import EmptyShoeError, UnsupportedRuleError
from upcard.core.hands import BUST_LIMIT
from upcard.exact.finite import ShoeSolver
from upcard.exact.finite_rules import SplitPlay, counts_naturals
from upcard.kernels.dealer_tree import NATURAL_COLUMN, natural_rank
from upcard.kernels.player import DOUBLE, HIT
from upcard.rules.predicates import needs_equal_faces
from upcard.rules.settings import HoleCard

if TYPE_CHECKING:
    from collections.abc import Iterable

    from upcard.coach.outcome_probabilities import OutcomeProbabilities
    from upcard.coach.question import Question
    from upcard.coach.seen_cards import Composition
    from upcard.core.cards import Rank
    from upcard.exact.shoe import Counts
    from upcard.exact.solution import UpcardSolution
    from upcard.rules.model import Rules

_KEPT: Final = 24
_LOCK: Final = threading.RLock()
"""Solutions are shared and filled when they are asked; the screen's thread never waits here."""


class TableSolver(ShoeSolver):
    """A `ShoeSolver` for a table in play, where the faces of the tens that are out are known."""

    def __init__(  # noqa: PLR0913 (each is named in the call)
        self,
        rules: Rules,
        shoe: Counts,
        *,
        splits: SplitPlay,
        upcards: Iterable[Rank],
        pairs: Iterable[Rank],
        further_pairs: float,
    ) -> None:
        """Prepare to solve; `further_pairs` unseen cards would make a further pair."""
        self._further_pairs = further_pairs
        super().__init__(rules, shoe, splits=splits, upcards=upcards, pairs=pairs)

    def pair_cards_after(self, rank: Rank, upcard: Rank) -> float:
        """Return how many cards left make a further pair, after upcard and a pair have left."""
        if needs_equal_faces(self.rules, rank):
            return self._further_pairs
        return super().pair_cards_after(rank, upcard)

    def _pair_cards(self, rank: Rank) -> int:
        if needs_equal_faces(self.rules, rank):
            return int(self._further_pairs) + 2
        return int(self.shoe[rank])


class _Solved:
    """The solution of one shoe against one upcard, with its splits as they are asked."""

    def __init__(self, solution: UpcardSolution) -> None:
        self.solution = solution
        self._splits: dict[Rank, float] = {}

    def split(self, rank: Rank) -> float:
        if rank not in self._splits:
            self._splits[rank] = self.solution.split_value(rank)
        return self._splits[rank]


@lru_cache(maxsize=_KEPT)
def _solve(  # noqa: PLR0913, PLR0917 (the key of the cache)
    rules: Rules,
    shoe: tuple[float, ...],
    upcard: Rank,
    pair: Rank,
    further_pairs: float,
    splits: SplitPlay,
) -> _Solved:
    solver = TableSolver(
        rules,
        # Whole at a table; at a count the composition is the expected one, and its parts weigh.
        cast("Counts", shoe),
        splits=splits,
        upcards=(upcard,),
        pairs=(pair,) if pair else (),
        further_pairs=further_pairs,
    )
    return _Solved(solver.against(upcard))


class FinitePosition:
    """A hand, the upcard, and a shoe of which all else that left is known."""

    def __init__(
        self, question: Question, cards: Composition, *, splits: str, has_looked: bool
    ) -> None:
        """Read the question; nothing is solved before it is asked."""
        self.question = question
        self.cards = cards
        self.has_looked = has_looked
        self.splits = SplitPlay(splits)
        shoe = list(cards.unseen)
        for rank in (*question.ranks, question.upcard.rank):
            shoe[rank] += 1
        self._shoe = tuple(shoe)
        self._upcard = question.upcard.rank
        matching = natural_rank(self._upcard)
        unseen = cards.unseen
        self.natural = unseen[matching] / sum(unseen) if matching else 0.0

    def stand(self) -> float:
        """EV of standing, per initial bet."""
        return self._finish(float(self._plain.solution.raw.stand[self._hand]))

    def hit(self) -> float:
        """EV of one card and the best play after it."""
        return self._finish(float(self._plain.solution.raw.hit[self._hand]))

    def double(self) -> float:
        """EV of a doubled bet and one card."""
        return self._finish(float(self._plain.solution.raw.double[self._hand]))

    def split(self, most: int | None) -> float:
        """EV of splitting into `most` hands at most."""
        with _LOCK:
            return self._finish(self._solved(most).split(self.question.pair))

    @cached_property
    def _plain(self) -> _Solved:
        if self.question.pair:
            try:  # the very solution that values its split will do
                return self._solved(self.question.most_hands)
            except (UnsupportedRuleError, NoExactValueError):
                pass
        return self._solved(1)

    @property
    def _hand(self) -> int:
        return self._plain.solution.solver.hands.find(self.question.ranks)

    def _solved(self, most: int | None) -> _Solved:
        question = self.question
        rules = lower_rules(
            question.rules,
            most=most,
            split_rank=question.split_rank,
            has_looked=self.has_looked,
        )
        if most is None:
            rules, _ = limit_splits(rules)
        pair = question.pair if most != 1 else 0
        further = pair_cards_unseen(question, self.cards, pair) if pair else 0.0
        try:
            with _LOCK:
                return _solve(rules, self._shoe, self._upcard, pair, further, self.splits)
        except EmptyShoeError as error:
            msg = f"{question}: no exact value: {error}"
            raise NoExactValueError(msg) from None

    def _finish(self, value: float) -> float:
        """Turn a kernel's value into the EV of this state of knowledge."""
        rules = self.question.rules
        if self.has_looked:
            return value / (1 - self.natural)
        return value if counts_naturals(rules) else value - self.natural

    def chances(self, action: Action) -> OutcomeProbabilities | None:
        """Return win, push and lose by an action; None where they are not known."""
        with _LOCK:
            solution = self._plain.solution
            ends = _Ends(solution, self._upcard)
            match action:
                case Action.STAND:
                    ending = ends.stand(self._hand)
                case Action.DOUBLE:
                    ending = ends.draw(self._hand, plays_on=False)
                case Action.HIT:
                    ending = ends.draw(self._hand, plays_on=True)
                case _:
                    return None
        return ending.finish(is_conditional=self.has_looked)

    def dealer(self) -> DealerTotals:
        """Return how the dealer ends."""
        solution = self._plain.solution
        row = solution.solver.removed.of_hand[0][self._hand]
        chances = [float(chance) for chance in solution.solver.outcomes[row, self._upcard]]
        natural = chances.pop(NATURAL_COLUMN)
        if self.has_looked:
            chances = [chance / (1 - natural) for chance in chances]
            natural = 0.0
        return DealerTotals.of(chances, natural=natural)


class _Ends:
    """The ends of hands on one solved shoe, played on by the solution's own plan."""

    def __init__(self, solution: UpcardSolution, upcard: Rank) -> None:
        self.solution = solution
        self.solver = solution.solver
        self.upcard = upcard
        self.known: dict[int, Ending] = {}

    def stand(self, hand: int) -> Ending:
        """Return the end of a hand left to stand, or that won at once."""
        rules, hands = self.solver.rules, self.solver.hands
        row = self.solver.removed.of_hand[0][hand]
        chances = [float(chance) for chance in self.solver.outcomes[row, self.upcard]]
        natural = chances.pop(NATURAL_COLUMN)
        total, cards = int(hands.total[hand]), int(hands.cards[hand])
        if rules.charlie is not None and cards >= rules.charlie:
            after_peek = rules.hole_card is HoleCard.PEEK
            if after_peek:
                return Ending(win=1 - natural, natural=natural)
            return Ending(win=1 - natural, natural_win=natural)
        return compare(
            rules,
            total,
            enumerate(chances, start=17),
            bust=1 - sum(chances) - natural,
            natural=natural,
        )

    def draw(self, hand: int, *, plays_on: bool) -> Ending:
        """Return the end of a hand that takes a card, and then stands or is played best."""
        solution, hands = self.solution, self.solver.hands
        left = solution.shoe - hands.counts[hand]
        cards = float(left[1:].sum())
        matching = solution.matching
        ending = Ending()
        for rank in RANKS:
            if left[rank] <= 0:
                continue
            share = float(left[rank]) / cards
            after = int(hands.next_hand[hand, rank])
            if after < 0:
                natural = 0.0
                if matching:
                    natural = float(left[matching] - (rank == matching)) / (cards - 1)
                ending = ending.plus(Ending(lose=1 - natural, natural=natural), share)
            elif plays_on:
                ending = ending.plus(self._play(after), share)
            else:
                ending = ending.plus(self.stand(after), share)
        return ending

    def _play(self, hand: int) -> Ending:
        if hand not in self.known:
            hands = self.solver.hands
            action = int(self.solution.plan.later[hand])
            if hands.total[hand] == BUST_LIMIT or action not in (HIT, DOUBLE):
                self.known[hand] = self.stand(hand)
            else:
                self.known[hand] = self.draw(hand, plays_on=action == HIT)
        return self.known[hand]
