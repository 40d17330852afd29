"""The public functions of the exact solvers, their protocol `Solver`, and the choice of a solver.

NumPy is loaded only when a finite shoe is solved. These functions compute; `upcard.cache.exact` has
the same functions behind saved values.
"""

from __future__ import annotations

import time
from itertools import repeat
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias, TypedDict, Unpack

from upcard.core import long_work
from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN, Rank, rank_name, read_rank
from upcard.core.errors import EmptyShoeError, NotationError, RulesError, UnsupportedRuleError
from upcard.core.hands import BUST_LIMIT
from upcard.exact import composition, insurance, solver_results, supported_rules
from upcard.rules import predicates
from upcard.rules.house import reads_rules
from upcard.rules.model import Rules
from upcard.rules.payoffs import natural_ev, suited_natural_pay
from upcard.rules.settings import EngineName, EvenMoney, HoleCard
from upcard.strategy.chart import Strategy, load_strategy

if TYPE_CHECKING:
    from upcard.exact.finite_shoe import PreparedShoe

Values: TypeAlias = dict[Action, float]
"""EVs per initial bet, by action."""
OpeningCards: TypeAlias = tuple[tuple[Rank, ...], tuple[Rank, Rank], Rank]
"""Ranks of a hand, the upcard, and the rank of a pair that may be split, else 0."""


class Solver(Protocol):
    """Exact values of a house, per initial bet, for the player.

    It is bound to rules and, unless the deck is infinite, to a shoe.
    """

    @property
    def rules(self) -> Rules:
        """Rules of the solver."""

    @property
    def shoe_name(self) -> str:
        """The cards before the deal, in words."""

    @property
    def splits_name(self) -> str:
        """Name of the play of split hands."""

    def values(
        self, ranks: tuple[Rank, ...], upcard: Rank, *, pair: Rank = 0
    ) -> dict[Action, float]:
        """Return the value of each legal action of a hand, with the best play afterwards.

        They assume no natural if the dealer has looked by then (`looks_before_answer`).

        Raises: NoExactValueError if the look finds a natural for certain.
        """

    def value_answer(self, asked: solver_results.AskedHand, action: Action) -> float | None:
        """Return the value of one answer in the middle of a round; None if it is unknown."""

    def outcome_probabilities(
        self, asked: solver_results.AskedHand, action: Action
    ) -> solver_results.OutcomeProbabilities | None:
        """Return win, push and lose by an answer; None if they are unknown."""

    def dealer_outcomes(self, asked: solver_results.AskedHand) -> solver_results.DealerOutcomes:
        """Return the probabilities of the dealer's result, next to a hand."""

    def natural_probability(self, ranks: tuple[Rank, ...], upcard: Rank, /) -> float:
        """Return the chance of a dealer's natural, ignoring any look."""

    def upcard_probabilities(self) -> dict[Rank, float]:
        """Return the chance of each upcard."""

    def value_rounds(self) -> dict[Rank, insurance.RoundValue]:
        """Return the value of a round by upcard, with insurance and even money answered."""

    def describe_assumptions(self, offers: insurance.Offers) -> tuple[str, ...]:
        """Return the assumptions behind the value of a game, one sentence each."""

    def chart(self) -> Strategy:
        """Return the best chart by totals.

        Raises: UnsupportedRuleError if a chart cannot distinguish the hands.
        """

    def free_chart(self) -> Strategy:
        """Return the best chart for hands that the house has paid for.

        Raises: UnsupportedRuleError if the house has no free splits.
        """


class SolverOptions(TypedDict, total=False):
    """Options of `choose_solver`; only a finite shoe needs others than `strategy`."""

    splits: supported_rules.SplitPlay
    """Play of split hands (default: CDZ-)."""
    strategy: Strategy | None
    """Chart to follow (default: the best play)."""
    upcards: tuple[Rank, ...]
    """Upcards that the shoe is prepared for (default: all)."""
    pairs: tuple[Rank, ...]
    """Ranks whose splits it is prepared for (default: all)."""
    further_pairs: float | None
    """Number of unseen cards that make another pair of tens, if faces are known."""
    hole: Rank
    """The hole card that is seen, in a house that shows it (default: every one in turn)."""
    holding: tuple[Rank, ...]
    """Cards that every hand asked about holds (default: none): the others are not valued."""


def choose_solver(
    rules: Rules, shoe: tuple[float, ...] | None, **options: Unpack[SolverOptions]
) -> Solver:
    """Return the solver for rules and the cards before the deal (None for an infinite deck)."""
    engine = supported_rules.choose_engine(rules)
    if engine is EngineName.SWITCH:
        supported_rules.check_solvable(rules)  # it has no shoe of an infinite deck
    if engine is EngineName.SWITCH and shoe is not None:
        from upcard.exact.switch import SwitchSolver

        return SwitchSolver(rules, shoe, **options)
    if engine is EngineName.INFINITE or shoe is None:
        from upcard.exact.infinite import InfiniteSolver

        return InfiniteSolver(rules, options.get("strategy"), hole=options.get("hole", 0))
    if engine is EngineName.NONSTANDARD:
        from upcard.exact.nonstandard import NonstandardSolver

        if options.get("strategy") is not None:
            raise UnsupportedRuleError(engine, "strategy", supported_rules.NO_CHART)
        return NonstandardSolver(rules, shoe)
    from upcard.exact.finite import FiniteSolver

    return FiniteSolver(rules, shoe, **options)


@reads_rules
def solve(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    hand: str | tuple[Rank, ...],
    upcard: str | Rank,
    *,
    hole: str | Rank | None = None,
    shoe: composition.ShoeLike = None,
    splits: str = supported_rules.SplitPlay.CDZ,
    doubles: int = 0,
) -> solver_results.HandValue:
    """Return the exact value of every legal action of a hand against an upcard.

    `hand` is two cards or more ("T6", "A 7", "8 5 3"), with suits where the house pays by them
    ("6S 7S", "AS KS"); unknown suits count with their chances. `hole` is the hole card if you see
    it, in a game whose dealer looks for a natural; a house that shows both dealer cards needs it.
    `shoe` is the cards before the deal, such as "6D less T T 5" (default: full decks). `splits`
    names the split play. `doubles` is how often the hand has doubled, in houses that ask doubled
    hands again.

    Raises: NotationError or RulesError for an invalid hand, upcard or shoe; UnsupportedRuleError
    for a rule without an exact method; EmptyShoeError if cards could run out; NoExactValueError if
    the dealer's look finds a natural for certain.

    >>> from upcard.rules.model import Rules
    >>> value = solve(Rules.parse("6D S17 DAS"), "T6", "9")
    >>> value.best, round(value.ev["hit"], 6)
    (<Action.HIT: 'hit'>, -0.504547)
    """
    play = read_split_play(splits)
    ranks, are_equal_faces = read_dealt_hand(hand)
    up, seen = read_rank(upcard, "upcard"), 0 if hole is None else read_rank(hole, "hole card")
    house = rules
    if seen:
        rules = supported_rules.rules_seeing_hole(rules, up)
    elif rules.shows_hole:
        raise NotationError(f"{upcard!r}: this house shows both dealer cards, name the hole card")
    pair = predicates.find_pair(rules, ranks, are_equal_faces=are_equal_faces)
    counts, known_suits = read_cards(rules, shoe), composition.read_suits(rules, hand)
    for card, what in ((upcard, "upcard"), (hole, "hole card")):
        composition.check_upcard_suit(rules, ranks, card or 0, what)
    if counts is not None:
        try:
            composition.remove_cards(counts, (*ranks, up, *((seen,) if seen else ())))
        except RulesError as error:
            raise RulesError(f"hand {hand!r} v {upcard!r}: {error}") from None
    missing: dict[Action, str] = {}
    try:
        pairs = (pair,) if pair else ()
        solver = choose_solver(rules, counts, splits=play, upcards=(up,), pairs=pairs, hole=seen)
    except EmptyShoeError as error:  # that the hands of a split empty it refuses only the split
        solver = choose_solver(rules, counts, splits=play, upcards=(up,), pairs=(), hole=seen)
        missing[Action.SPLIT] = str(error)
    has_looked = predicates.looks_before_answer(rules, upcard=up, cards=len(ranks))
    natural = solver.natural_probability(ranks, up)
    if seen:
        solver_results.chance_of_no_natural(natural)
    asked = solver_results.AskedHand(ranks, up, pair, has_looked, doubles, known_suits)
    is_natural = sorted(ranks) == [ACE, TEN]
    pays = suited_natural_pay(rules, known_suits) if is_natural else None
    if doubles:
        ev = _value_doubled(solver, asked)
    else:
        ev = solver.values(ranks, up, pair=pair)
        if pays is not None:
            ev[Action.STAND] = natural_ev(rules, 0.0 if has_looked else natural, pays)
        elif known_suits:
            for action in {Action.HIT, Action.STAND} & {*ev}:
                ev[action] = solver.value_answer(asked, action) or 0.0
    may_take_even_money = is_natural and up == ACE and rules.even_money is not EvenMoney.NEVER
    return solver_results.HandValue(
        hand=" ".join(map(str.__add__, map(rank_name, ranks), known_suits or repeat(""))),
        upcard=rank_name(up),
        hole=rank_name(seen) if seen else None,
        rules=house,
        shoe=solver.shoe_name,
        splits=solver.splits_name,
        ev=ev,
        missing=missing,
        # A natural's other values are for comparison.
        best=Action.STAND if is_natural else solver_results.best_action(ev),
        is_conditional=has_looked and natural > 0,
        natural_probability=natural,
        insurance_ev=(
            insurance.insurance_ev(rules, natural)
            if predicates.offers_insurance(rules, up)
            else None
        ),
        even_money_ev=(
            insurance.even_money_ev(rules, natural, pays) if may_take_even_money else None
        ),
        dealer=solver.dealer_outcomes(solver_results.AskedHand(ranks, up, has_looked=has_looked)),
    )


def _value_doubled(solver: Solver, asked: solver_results.AskedHand) -> Values:
    """Return the values of the answers to a hand that has doubled."""
    rules, doubles = solver.rules, asked.doubles
    if not 1 <= doubles <= rules.max_doubles or not predicates.may_act_doubled(rules, doubles):
        most = rules.max_doubles if rules.rescue else rules.max_doubles - 1
        asks = f"asks hands that doubled 1 to {most} times" if most else "asks no doubled hand"
        raise RulesError(f"doubles={doubles}: this house {asks} (rules: RD2, RD3, RE)")
    if len(asked.ranks) < _CARDS_OF_A_DOUBLE:
        raise RulesError("a hand that has doubled has three cards or more")
    answers = (Action.STAND, Action.DOUBLE, Action.SURRENDER)
    values = {action: solver.value_answer(asked, action) for action in answers}
    return {action: value for action, value in values.items() if value is not None}


_CARDS_OF_A_DOUBLE: Final = 3


@reads_rules
def solve_game(
    rules: Rules,
    *,
    splits: str = supported_rules.SplitPlay.CDZ,
    strategy: Strategy | str | None = None,
    shoe: composition.ShoeLike = None,
    sees_hole: float = 0.0,
) -> solver_results.GameValue:
    """Return the exact value of a round, with the best play or by a fixed chart, or its file.

    `sees_hole` is the share of the rounds, 0 to 1, in which you see the hole card: there you answer
    everything best against both dealer cards, insurance too.

    Raises: as `solve` does.
    """
    start = time.perf_counter()
    play = read_split_play(splits)
    chart = None if strategy is None else load_strategy(strategy)
    counts = read_cards(rules, shoe)
    solver = choose_solver(rules, counts, splits=play, strategy=chart)
    rounds, chances = solver.value_rounds(), solver.upcard_probabilities()
    if sees_hole:
        seen = _value_seen(rules, counts, play, share=sees_hole)
        rounds = {up: value.mix(seen[up], sees_hole) for up, value in rounds.items()}
    offers = rounds[ACE].offers if ACE in rounds else insurance.Offers()
    notes = solver.describe_assumptions(offers)
    if sees_hole:
        notes = (*notes, _SEEN.format(100 * sees_hole))
    return solver_results.GameValue(
        ev=solver_results.weigh_upcards(chances, {up: value.ev for up, value in rounds.items()}),
        insurance_ev=chances[ACE] * offers.gain if offers.gain else 0.0,
        by_upcard={rank_name(up): value.ev for up, value in rounds.items()},
        rules=rules,
        shoe=solver.shoe_name,
        splits=solver.splits_name,
        notes=notes,
        seconds=time.perf_counter() - start,
    )


_SEEN: Final = "The hole card is seen in {:.4g}% of the rounds, and every answer there knows it."


def _value_seen(
    rules: Rules,
    counts: composition.Counts | None,
    play: supported_rules.SplitPlay,
    *,
    share: float,
) -> dict[Rank, insurance.RoundValue]:
    """Return the value of a round by upcard for a player who sees the hole card."""
    if not 0 <= share <= 1:
        raise RulesError(f"sees_hole={share}: a share of the rounds, from 0 to 1")
    engine = supported_rules.choose_engine(rules)
    if rules.shows_hole:
        raise UnsupportedRuleError(engine, "sees_hole", "the house shows the hole card anyway")
    if predicates.is_early_surrender(rules):
        reason = "early surrender is offered before a natural that is seen ends the round"
        raise UnsupportedRuleError(engine, f"sees_hole with surrender={rules.surrender}", reason)
    seeing = supported_rules.rules_seeing_hole(rules)
    rounds = choose_solver(seeing, counts, splits=play).value_rounds()
    if ACE in rounds:
        offers = insurance.answer_seeing(rules, counts)
        rounds[ACE] = insurance.RoundValue(rounds[ACE].ev + offers.gain, offers)
    return rounds


@reads_rules
def expected_value(
    rules: Rules,
    *,
    splits: str = supported_rules.SplitPlay.CDZ,
    strategy: Strategy | str | None = None,
    shoe: composition.ShoeLike = None,
    sees_hole: float = 0.0,
) -> float:
    """Return the exact EV of a round per initial bet, for the player.

    It is that of the first round after a shuffle, with the best play for the split class or by a
    fixed `strategy`. Insurance and even money are taken if that gains, or as the chart says.
    `sees_hole` is as in `solve_game`.

    Raises: as `solve` does.
    """
    return solve_game(rules, splits=splits, strategy=strategy, shoe=shoe, sees_hole=sees_hole).ev


@reads_rules
def dealer_outcomes(
    rules: Rules, upcard: str | Rank, *, shoe: composition.ShoeLike = None
) -> solver_results.DealerOutcomes:
    """Return the chances of the dealer's final totals from an upcard, on an otherwise full shoe.

    With a peek they assume that there is no natural.

    Raises: as `solve` does.
    """
    up = read_rank(upcard, "upcard")
    if predicates.is_nonstandard(rules):
        reason = "with a non-standard ace or dealer rule they depend on the player's hand"
        raise UnsupportedRuleError(EngineName.NONSTANDARD, "dealer_outcomes", reason)
    counts = read_cards(rules, shoe, is_paid=False)
    if counts is not None:
        composition.remove_cards(counts, (up,))
    # Of the rules, only the dealer's and the cards matter here.
    names = ("decks", "ten_probability", "soft_17", "hole_card")
    plain = Rules(max_hands=1, **{name: getattr(rules, name) for name in names})
    none = solver_results.AskedHand((), up, has_looked=rules.hole_card is HoleCard.PEEK)
    return choose_solver(plain, counts, upcards=(up,), pairs=()).dealer_outcomes(none)


@reads_rules
def effects_of_removal(
    rules: Rules,
    *,
    splits: str = supported_rules.SplitPlay.CDZ,
    strategy: Strategy | str | None = None,
) -> solver_results.EffectsOfRemoval:
    """Return by rank how the EV changes when one such card leaves the full shoe.

    With the best play for each shoe, or by a fixed `strategy`: then the effects, weighted by the
    number of cards, sum to 0.

    Raises: as `solve` does.
    """
    strategy = None if strategy is None else load_strategy(strategy)
    if rules.is_infinite:
        reason = "a card that leaves an infinite deck changes nothing"
        raise UnsupportedRuleError(EngineName.INFINITE, "effects_of_removal", reason)
    whole = expected_value(rules, splits=splits, strategy=strategy)
    counts = composition.read_shoe(None, rules)
    effects = {}
    with long_work.following(long_work.REMOVAL) as tell:
        for done, rank in enumerate(RANKS):
            tell(f"without {rank_name(rank)}", done / len(RANKS))
            left = composition.remove_cards(counts, (rank,))[1:]
            ev = expected_value(rules, splits=splits, strategy=strategy, shoe=left)
            effects[rank_name(rank)] = ev - whole
    return solver_results.EffectsOfRemoval(effects, rules)


@reads_rules
def basic_strategy(rules: Rules, *, shoe: composition.ShoeLike = None) -> Strategy:
    """Return the best total-dependent chart for these rules and cards. Raises: as `solve` does."""
    return choose_solver(rules, read_cards(rules, shoe)).chart()


@reads_rules
def free_strategy(rules: Rules, *, shoe: composition.ShoeLike = None) -> Strategy:
    """Return the best chart for free hands after a split. Raises: as `solve` does."""
    return choose_solver(rules, read_cards(rules, shoe)).free_chart()


def value_swap(
    rules: Rules,
    shoe: tuple[float, ...],
    hands: tuple[tuple[Rank, Rank], tuple[Rank, Rank]],
    upcard: Rank,
    splits: str = supported_rules.SplitPlay.CDZ,
) -> Values:
    """Return the EV of swapping the second cards of two hands, and of keeping them.

    Each is that of both hands together, per initial bet of one, once the dealer has looked. `shoe`
    is the cards before the deal.

    Raises: UnsupportedRuleError if the house has no swap, or another rule is not in it.
    """
    from upcard.exact.switch import SwitchSolver

    solver = SwitchSolver(rules, shoe, splits=read_split_play(splits), upcards=(upcard,))
    return solver.value_pairings(*hands, upcard)


def bonus_plays(
    rules: Rules, strategy: Strategy, *, shoe: composition.ShoeLike = None
) -> tuple[solver_results.BonusPlay, ...]:
    """Return the hands that are hit for a bonus where a chart stands or doubles.

    Raises: as `solve` does.
    """
    if rules.bonuses is None:
        return ()
    from upcard.exact.finite_charts import find_bonus_plays

    return find_bonus_plays(_prepare(rules, shoe), strategy)


def opening_values(rules: Rules, hands: tuple[OpeningCards, ...]) -> tuple[Values, ...]:
    """Return the values of hands from a full shoe, by one solution for each hole card shown."""
    shoe = None if rules.is_infinite else rules.full_shoe.counts
    holes = {hole for _, (_, hole), _ in hands}
    solvers = {hole: choose_solver(rules, shoe, hole=hole) for hole in holes}
    return tuple(solvers[hole].values(ranks, up, pair=pair) for ranks, (up, hole), pair in hands)


def cell_values(
    rules: Rules, *, shoe: composition.ShoeLike = None
) -> dict[tuple[str, str], Values]:
    """Return EVs per initial bet by row label and upcard letter, with the best play afterwards.

    A row stands for its two-card hands, weighted by their chances. As in `solve`, they assume no
    natural once the dealer has looked. Cells whose hands cannot occur are left out.
    """
    if rules.is_infinite:
        from upcard.exact.infinite import InfiniteSolver

        return InfiniteSolver(rules).cell_values()
    from upcard.exact.finite_charts import value_cells

    return value_cells(_prepare(rules, shoe))


def costliest_cells(
    rules: Rules, strategy: Strategy, *, shoe: composition.ShoeLike = None
) -> tuple[solver_results.CellCost, ...]:
    """Return the cells of a chart with a cost, worst first.

    Each cell is corrected alone, to that of the best total-dependent chart, and the chart is valued
    again, exactly: its cost is the change of the game's EV.
    """
    from upcard.exact.finite_charts import find_costs

    return find_costs(_prepare(rules, shoe), strategy)


def composition_exceptions(
    rules: Rules, strategy: Strategy, *, shoe: composition.ShoeLike = None
) -> tuple[solver_results.CompositionException, ...]:
    """Return the two-card hands that gain from composition-dependent play, most valuable first."""
    from upcard.exact.finite_charts import find_exceptions

    return find_exceptions(_prepare(rules, shoe), strategy)


def _prepare(rules: Rules, shoe: composition.ShoeLike) -> PreparedShoe:
    composition.check_shoe_suits(rules, shoe, supported_rules.choose_engine(rules))
    if rules.is_infinite:
        reason = "cells are weighed by the cards of a shoe; name 1D to 8D"
        raise UnsupportedRuleError(EngineName.FINITE, "INF", reason)
    from upcard.exact.finite_shoe import PreparedShoe

    return PreparedShoe(predicates.one_hand(rules), composition.read_shoe(shoe, rules))


def read_split_play(splits: str) -> supported_rules.SplitPlay:
    """Read the name of a split play."""
    for play in supported_rules.SplitPlay:
        if play.lower() == str(splits).lower():
            return play
    msg = f"no split play is called {splits!r}: one of {', '.join(supported_rules.SplitPlay)}"
    raise NotationError(msg)


def read_dealt_hand(hand: str | tuple[Rank, ...]) -> tuple[tuple[Rank, ...], bool]:
    """Return a hand's ranks, and whether all its cards may have one face."""
    if isinstance(hand, str) and composition.read_total(hand):
        raise NotationError(f"hand {hand!r} is a total: name its cards, as T6 for a 16")
    ranks, are_equal_faces = composition.read_hand(hand)
    if sum(ranks) > BUST_LIMIT:
        raise NotationError(f"hand {hand!r} counts {sum(ranks)}: it is bust")
    return ranks, are_equal_faces


def read_cards(
    rules: Rules, shoe: composition.ShoeLike, *, is_paid: bool = True
) -> composition.Counts | None:
    """Read the cards before the deal; None for an infinite deck.

    `is_paid` is whether what hands are paid matters. Raises: UnsupportedRuleError for suits then,
    in a house that pays by suit.
    """
    if shoe is None:
        return None if rules.is_infinite else rules.full_shoe.counts
    if rules.is_infinite:
        reason = "an infinite deck has no cards to take out"
        raise UnsupportedRuleError(EngineName.INFINITE, f"shoe={shoe!r}", reason)
    if is_paid:
        composition.check_shoe_suits(rules, shoe, supported_rules.choose_engine(rules))
    return composition.read_shoe(shoe, rules)
