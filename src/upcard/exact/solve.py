"""The public face of the exact solvers: hands, games, the dealer, effects of removal."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN, rank_name
from upcard.core.errors import NotationError, RulesError, UnsupportedRuleError
from upcard.core.hands import BUST_LIMIT
from upcard.exact.best_action import best_action
from upcard.exact.dealer import dealer_outcomes as infinite_dealer_outcomes
from upcard.exact.dealer import natural_odds
from upcard.exact.finite import ShoeSolver
from upcard.exact.finite_rules import ENGINE, SplitPlay
from upcard.exact.game import describe_assumptions, offers_in, value_game, weigh_rounds
from upcard.exact.infinite import solve_infinite
from upcard.exact.infinite_rules import ENGINE as INFINITE_ENGINE
from upcard.exact.insurance import describe_offers, even_money_ev, insurance_ev
from upcard.exact.nonstandard import NonstandardSolver
from upcard.exact.nonstandard_rules import ENGINE as ODD_ENGINE
from upcard.exact.nonstandard_rules import is_nonstandard
from upcard.exact.parsing import read_hand, read_upcard
from upcard.exact.results import DealerOutcomes, GameValue, HandValue
from upcard.exact.shoe import describe_shoe, read_shoe, remove_cards
from upcard.exact.total_dependent import best_chart
from upcard.kernels.dealer_tree import NATURAL_COLUMN
from upcard.rules.model import Rules
from upcard.rules.predicates import (
    find_pair,
    needs_equal_faces,
    offers_insurance,
    surrenders_before_look,
)
from upcard.rules.settings import EvenMoney, HoleCard, SplitBy
from upcard.strategy.chart import HARD_LABELS

if TYPE_CHECKING:
    from upcard.core.cards import Rank
    from upcard.exact.shoe import Counts, ShoeLike
    from upcard.strategy.chart import Strategy

_INFINITE: Final = "infinite deck"
_ODD: Final = "no splits"
_FULL: Final = (SplitPlay.FULL, SplitPlay.FULL_AT_ONCE)


def solve(
    rules: Rules,
    hand: str,
    upcard: str,
    *,
    shoe: ShoeLike = None,
    splits: str = SplitPlay.CDZ,
) -> HandValue:
    """Return the exact value of every legal action of a hand against an upcard.

    `hand` is two cards or more ("T6", "A 7", "8 5 3"). `shoe` holds the cards before the round's
    are dealt: full decks unless given ("6D less T T 5"). `splits` names the split play.

    Raises: NotationError or RulesError for a hand, an upcard or a shoe that cannot be;
    UnsupportedRuleError for a rule without an exact method; EmptyShoeError if cards could run out.

    >>> from upcard.rules.model import Rules
    >>> value = solve(Rules.parse("6D S17 DAS"), "T6", "9")
    >>> value.best, round(value.ev["hit"], 6)
    (<Action.HIT: 'hit'>, -0.504547)
    """
    play = read_split_play(splits)
    ranks, are_equal_faces = _read_cards(hand)
    up = read_upcard(upcard)
    pair = find_pair(rules, ranks, are_equal_faces=are_equal_faces)
    if rules.is_infinite:
        return _solve_infinite_hand(rules, hand, ranks, up, shoe)
    counts = read_shoe(shoe, rules)
    try:
        remove_cards(counts, (*ranks, up))
    except RulesError as error:
        msg = f"hand {hand!r} v {upcard!r}: {error}"
        raise RulesError(msg) from None
    if is_nonstandard(rules):
        return _solve_nonstandard_hand(rules, ranks, up, counts)
    if needs_equal_faces(rules, pair):
        _check_faces(counts)
    first_play = SplitPlay.CDZ if play in _FULL else play
    solver = ShoeSolver(
        rules, counts, splits=first_play, upcards=(up,), pairs=(pair,) if pair else ()
    )
    solution = solver.against(up)
    number = solver.hands.find(ranks)
    values = solution.values(number, pair=pair)
    if play in _FULL and Action.SPLIT in values:
        from upcard.exact.full_memory import split_with_full_memory

        values[Action.SPLIT] = split_with_full_memory(
            solution, pair, at_once=play is SplitPlay.FULL_AT_ONCE
        )
    before_look = surrenders_before_look(rules, up)
    finish = solution.before_look if before_look else solution.given_no_natural
    natural = solution.natural_probability(number)
    ev = {action: finish(value, number) for action, value in values.items()}
    return HandValue(
        hand=" ".join(map(rank_name, ranks)),
        upcard=rank_name(up),
        rules=rules,
        shoe=describe_shoe(counts),
        splits=play,
        ev=ev,
        best=Action.STAND if solution.is_natural(number) else best_action(ev),
        is_conditional=rules.hole_card is HoleCard.PEEK and not before_look and natural > 0,
        natural_probability=natural,
        insurance_ev=_insurance_ev(rules, up, natural),
        even_money_ev=_even_money_ev(rules, ranks, up, natural),
    )


def solve_game(
    rules: Rules,
    *,
    splits: str = SplitPlay.CDZ,
    strategy: Strategy | None = None,
    shoe: ShoeLike = None,
) -> GameValue:
    """Return the exact value of a round, by the best play or by a fixed chart.

    Raises: as `solve` does.
    """
    start = time.perf_counter()
    play = read_split_play(splits)
    if play in _FULL:
        reason = "full memory is for single hands, in one deck with two hands at most"
        raise UnsupportedRuleError(ENGINE, f"splits={play}", reason)
    if rules.is_infinite:
        return _value_infinite_game(rules, strategy, shoe, start)
    counts = read_shoe(shoe, rules)
    if is_nonstandard(rules):
        return _value_nonstandard_game(rules, counts, strategy, start)
    if rules.split_by is SplitBy.RANK:
        _check_faces(counts)
    solver = ShoeSolver(rules, counts, splits=play, strategy=strategy)
    rounds = value_game(solver)
    ev, insurance_part = weigh_rounds(counts, rounds)
    return GameValue(
        ev=ev,
        insurance_ev=insurance_part,
        by_upcard={rank_name(up): value.ev for up, value in rounds.items()},
        rules=rules,
        shoe=describe_shoe(counts),
        splits="chart" if strategy is not None else play,
        notes=describe_assumptions(solver, offers_in(rounds)),
        seconds=time.perf_counter() - start,
    )


def expected_value(
    rules: Rules,
    *,
    splits: str = SplitPlay.CDZ,
    strategy: Strategy | None = None,
    shoe: ShoeLike = None,
) -> float:
    """Return the exact EV of a round per initial bet, from the player's side.

    It is that of the first round after a shuffle, with the best play for the split class or, with
    `strategy`, by that fixed chart. Insurance and even money are taken where that gains, or as the
    chart says.

    Raises: as `solve` does.
    """
    return solve_game(rules, splits=splits, strategy=strategy, shoe=shoe).ev


def dealer_outcomes(rules: Rules, upcard: str, *, shoe: ShoeLike = None) -> DealerOutcomes:
    """Return the chances of the dealer's final totals from an upcard, on a shoe otherwise whole.

    With a peek they are given that he has no natural.

    Raises: as `solve` does.
    """
    up = read_upcard(upcard)
    if is_nonstandard(rules):
        reason = "with a non-standard ace or dealer rule they depend on the player's hand"
        raise UnsupportedRuleError(ODD_ENGINE, "dealer_outcomes", reason)
    if rules.is_infinite:
        _refuse_shoe(shoe)
        found = infinite_dealer_outcomes(rules, up)
        chances, natural, bust = list(found.totals[17:]), found.natural, found.bust
    else:
        counts = read_shoe(shoe, rules)
        remove_cards(counts, (up,))
        # Of the rules, only what the dealer does and the cards matter here.
        plain = Rules(decks=rules.decks, soft_17=rules.soft_17, max_hands=1)
        solver = ShoeSolver(plain, counts, upcards=(up,), pairs=())
        solver.against(up)  # fills the outcomes
        chances = [float(chance) for chance in solver.outcomes[0, up]]
        natural = chances.pop(NATURAL_COLUMN)
        bust = 1 - sum(chances) - natural
        if rules.hole_card is HoleCard.PEEK:
            chances = [chance / (1 - natural) for chance in chances]
            bust, natural = bust / (1 - natural), 0.0
    return DealerOutcomes(
        seventeen=chances[0],
        eighteen=chances[1],
        nineteen=chances[2],
        twenty=chances[3],
        twenty_one=chances[4],
        natural=natural,
        bust=bust,
    )


def effects_of_removal(
    rules: Rules, *, splits: str = SplitPlay.CDZ, strategy: Strategy | None = None
) -> dict[str, float]:
    """Return by rank how the EV changes when one such card leaves the full shoe.

    Played best anew for each shoe, or by a fixed `strategy`: then the effects, weighed by the
    number of cards, sum to 0.

    Raises: as `solve` does.
    """
    if rules.is_infinite:
        reason = "a card that leaves an infinite deck changes nothing"
        raise UnsupportedRuleError(INFINITE_ENGINE, "effects_of_removal", reason)
    whole = expected_value(rules, splits=splits, strategy=strategy)
    counts = read_shoe(None, rules)
    return {
        rank_name(rank): expected_value(
            rules, splits=splits, strategy=strategy, shoe=remove_cards(counts, (rank,))[1:]
        )
        - whole
        for rank in RANKS
    }


def basic_strategy(rules: Rules, *, shoe: ShoeLike = None) -> Strategy:
    """Return the best total-dependent chart for these rules and cards.

    Raises: as `solve` does.
    """
    if rules.is_infinite:
        _refuse_shoe(shoe)
        return solve_infinite(rules).chart()
    if is_nonstandard(rules):
        reason = "a chart by totals does not tell hands apart that this house's ace rule does"
        raise UnsupportedRuleError(ODD_ENGINE, f"ace_rule={rules.ace_rule}", reason)
    counts = read_shoe(shoe, rules)
    return best_chart(rules, counts)


def read_split_play(splits: str) -> SplitPlay:
    """Read the name of a split play.

    Raises: NotationError listing those that exist.
    """
    for play in SplitPlay:
        if play.lower() == str(splits).lower():
            return play
    msg = f"no split play is called {splits!r}: one of {', '.join(SplitPlay)}"
    raise NotationError(msg)


def _read_cards(hand: str) -> tuple[tuple[Rank, ...], bool]:
    """Read a hand by its cards; a bare total will not do where the cards matter."""
    if hand.strip() in HARD_LABELS:
        msg = f"hand {hand!r} is a total: name its cards, as T6 for a 16"
        raise NotationError(msg)
    ranks, are_equal_faces = read_hand(hand)
    hard = sum(ranks)
    if hard > BUST_LIMIT:
        msg = f"hand {hand!r} counts {hard}: it is bust"
        raise NotationError(msg)
    return ranks, are_equal_faces


def _check_faces(counts: Counts) -> None:
    if counts[TEN] % 16:
        reason = "which ten-valued faces have left the shoe matters, and ranks do not tell"
        raise UnsupportedRuleError(ENGINE, "split_by=rank", reason)


def _insurance_ev(rules: Rules, upcard: Rank, natural: float) -> float | None:
    if not offers_insurance(rules, upcard):
        return None
    return insurance_ev(natural)


def _even_money_ev(
    rules: Rules, ranks: tuple[Rank, ...], upcard: Rank, natural: float
) -> float | None:
    is_natural = sorted(ranks) == [ACE, TEN]
    if upcard != ACE or not is_natural or rules.even_money is EvenMoney.NEVER:
        return None
    return even_money_ev(rules, natural)


def _solve_infinite_hand(
    rules: Rules, hand: str, ranks: tuple[Rank, ...], upcard: Rank, shoe: ShoeLike
) -> HandValue:
    _refuse_shoe(shoe)
    solution = solve_infinite(rules)
    ev = solution.values(hand, upcard)
    natural = natural_odds(rules, upcard)
    is_before_look = solution.is_before_look(upcard)
    return HandValue(
        hand=" ".join(map(rank_name, ranks)),
        upcard=rank_name(upcard),
        rules=rules,
        shoe=_INFINITE,
        splits=_INFINITE,
        ev=ev,
        best=best_action(ev),
        is_conditional=rules.hole_card is HoleCard.PEEK and not is_before_look and natural > 0,
        natural_probability=natural,
        insurance_ev=_insurance_ev(rules, upcard, natural),
        even_money_ev=_even_money_ev(rules, ranks, upcard, natural),
    )


def _value_infinite_game(
    rules: Rules, strategy: Strategy | None, shoe: ShoeLike, start: float
) -> GameValue:
    _refuse_shoe(shoe)
    solution = solve_infinite(rules, strategy)
    return GameValue(
        ev=solution.game_ev,
        insurance_ev=solution.game_insurance_ev,
        by_upcard={rank_name(up): solution.round_ev(up) for up in RANKS},
        rules=rules,
        shoe=_INFINITE,
        splits=_INFINITE if strategy is None else "chart",
        notes=(
            "Cards never run out, so every round is the same.",
            *describe_offers(rules, strategy, solution.offers()),
        ),
        seconds=time.perf_counter() - start,
    )


def _solve_nonstandard_hand(
    rules: Rules, ranks: tuple[Rank, ...], upcard: Rank, counts: Counts
) -> HandValue:
    solver = NonstandardSolver(rules, counts)
    number = solver.find(ranks)
    if not number:
        msg = f"hand {' '.join(map(rank_name, ranks))} is bust by the ace rule of this house"
        raise NotationError(msg)
    return HandValue(
        hand=" ".join(map(rank_name, ranks)),
        upcard=rank_name(upcard),
        rules=rules,
        shoe=describe_shoe(counts),
        splits=_ODD,
        ev=(ev := solver.against(upcard)[number]),
        best=best_action(ev),
        is_conditional=False,
        natural_probability=(natural := solver.natural_probability(ranks, upcard)),
        insurance_ev=_insurance_ev(rules, upcard, natural),
        even_money_ev=_even_money_ev(rules, ranks, upcard, natural),
    )


def _value_nonstandard_game(
    rules: Rules, counts: Counts, strategy: Strategy | None, start: float
) -> GameValue:
    if strategy is not None:
        reason = "a chart by totals does not tell hands apart that this house's ace rule does"
        raise UnsupportedRuleError(ODD_ENGINE, "strategy", reason)
    solver = NonstandardSolver(rules, counts)
    rounds = {up: solver.value_round(up) for up in RANKS if counts[up]}
    ev, insurance_part = weigh_rounds(counts, rounds)
    return GameValue(
        ev=ev,
        insurance_ev=insurance_part,
        by_upcard={rank_name(up): value.ev for up, value in rounds.items()},
        rules=rules,
        shoe=describe_shoe(counts),
        splits=_ODD,
        notes=(
            "It is the value of the first round after a shuffle, with one spot in play.",
            "Hands are told apart by their cards and, where the ace rule asks, by their order.",
            *describe_offers(rules, strategy, offers_in(rounds)),
        ),
        seconds=time.perf_counter() - start,
    )


def _refuse_shoe(shoe: ShoeLike) -> None:
    if shoe is not None:
        reason = "an infinite deck has no cards to take out"
        raise UnsupportedRuleError(INFINITE_ENGINE, f"shoe={shoe!r}", reason)
