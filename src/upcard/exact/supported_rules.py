"""Rules as the exact solvers take them: which solver, split plays, and what rules pay."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from upcard.core.actions import Outcome
from upcard.core.cards import RANKS, Rank
from upcard.core.errors import UnsupportedRuleError
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.rules import bonuses as bonus_cards
from upcard.rules import payoffs, predicates, settings
from upcard.rules.model import Rules
from upcard.rules.settings import EngineName

if TYPE_CHECKING:
    from upcard.exact.kernels.player_values import Payoffs


NO_CHART: Final = "a chart by totals does not distinguish hands that this house's ace rule does"
FIRST_ROUND: Final = "It is the value of the first round after a shuffle, with one spot in play."


def check_hole(rules: Rules, hole: Rank) -> None:
    """Refuse values against the upcard alone where the house shows both dealer cards."""
    if rules.shows_hole and not hole:
        reason = "its values are those against an upcard alone"
        raise UnsupportedRuleError(choose_engine(rules), "shows_hole=true", reason)


def rules_seeing_hole(rules: Rules, upcard: Rank | None = None) -> Rules:
    """Return the rules for a player who sees the hole card of a dealer who peeks.

    Surrender that is early is offered with the hole card seen, like a late one; early surrender
    against tens only (against this upcard) where it would be.

    Raises: UnsupportedRuleError if there is no hole card before the players act.
    """
    if rules.hole_card is not settings.HoleCard.PEEK:
        reason = "a hole card is seen where the dealer looks for a natural"
        raise UnsupportedRuleError(choose_engine(rules), f"hole_card={rules.hole_card}", reason)
    surrender = rules.surrender
    if predicates.is_early_surrender(rules):
        may = upcard is None or predicates.may_surrender(rules, upcard=upcard, cards=2)
        surrender = settings.Surrender.LATE if may else settings.Surrender.NONE
    return rules.replace(shows_hole=True, surrender=surrender)


def choose_engine(rules: Rules) -> EngineName:
    """Return the engine for these rules, even if it does not support all of them."""
    if rules.switch:
        return EngineName.SWITCH
    if rules.is_infinite:
        return EngineName.INFINITE
    return EngineName.NONSTANDARD if predicates.is_nonstandard(rules) else EngineName.FINITE


def check_solvable(rules: Rules, engine: EngineName | None = None) -> None:
    """Refuse rules that a solver (default: that of the rules) does not support."""
    from upcard.rules.engines import check  # a saved value does without it

    check(rules, engine or choose_engine(rules))


class SplitPlay(StrEnum):
    """Knowledge of the player when playing the hands of a split."""

    CDZ = "CDZ-"
    """Plays by the composition-dependent optimum of an unsplit hand."""
    CDP1 = "CDP1"
    """Plays by the optimum that knows of one removed pair card."""
    CDP = "CDP"
    """As published: the recurrence over removed pair cards, with the optimum of each number.

    It mixes plans, so it is not exactly the value of any play; `CDP-exact` is.
    """
    CDP_EXACT = "CDP-exact"
    """Plays by the optimum that knows how many pair cards the other hands got."""
    FULL = "full"
    """Remembers every card; the second hand gets its second card when the first is done."""
    FULL_AT_ONCE = "full-at-once"
    """Remembers every card; both hands get their second card at once, as at our table."""


FULL_MEMORY: Final = (SplitPlay.FULL, SplitPlay.FULL_AT_ONCE)
"""The split plays that remember every card."""
QUICK_PLAYS: Final = tuple(play for play in SplitPlay if play not in FULL_MEMORY)
"""Those that are computed while you wait."""


@lru_cache(maxsize=64)
def drawing_states(rules: Rules, player_total: int | None) -> tuple[bool, ...]:
    """Return for every state whether the dealer takes another card.

    `player_total` is None for a dealer who ignores it.
    """
    table = hand_table(rules.ace_rule)
    states = zip(table.total, table.is_soft, table.was_softened, strict=True)
    return tuple(
        predicates.dealer_draws(
            rules, total, is_soft=is_soft, was_softened=was_softened, player_total=player_total
        )
        for total, is_soft, was_softened in states
    )


def counts_naturals(rules: Rules) -> bool:
    """Whether kernel values include the dealer's naturals: if a natural takes all bets."""
    return (
        rules.hole_card is not settings.HoleCard.PEEK
        and rules.natural_takes is settings.NaturalTakes.ALL
    )


def most_dealer_total(rules: Rules) -> int:
    """Return the largest total of the dealer that is distinguished: 22 if it is no other bust."""
    return BUST_LIMIT + payoffs.payoffs_of(rules).splits_22


def _suited_hands(
    rules: Rules, upcard: Rank
) -> Iterator[tuple[tuple[Rank, ...], Rank, tuple[float, ...], tuple[float, ...]]]:
    """List the two ranks whose suits decide what a third pays, and that third.

    Then the chance that they are mixed, of one suit but not spades, and spades, and the additional
    pay of the third over mixed suits, on average over its suits. Which suits left the shoe before
    is not known, so that of two ranks the suits are independent, and those of one rank are as in
    full decks. The suit of the upcard is not looked at.
    """
    bonuses, decks = rules.bonuses, rules.decks or 1
    if bonuses is None:
        return
    one_suit = (len({*bonuses.of_678}) > 1, 1 / 4, 1 / 4)
    same_rank = (decks - 1) / (4 * decks - 1), max(decks - 2, 0) / (4 * decks - 2)
    of_777 = bonuses.of_777
    if upcard == bonus_cards.SEVEN and (pay := bonuses.suited_777_v_7) is not None:
        of_777 = of_777._replace(suited=pay, spades=pay)
    for ranks, needs, pays, (matters, suited, third) in (
        *((pair, 21 - sum(pair), bonuses.of_678, one_suit) for pair in ((6, 7), (6, 8), (7, 8))),
        ((7, 7), 7, of_777, (len({*of_777}) > 1, *same_rank)),
    ):
        if matters:
            more = (third * float(pay - pays.mixed) for pay in (pays.suited, pays.spades))
            chances = (1 - suited, suited * 3 / 4, suited / 4)
            yield ranks, needs, chances, (0.0, *more)


@lru_cache(maxsize=64)
def payoffs_of(rules: Rules, upcard: Rank = 0) -> Payoffs:
    """Lower the payoffs of a hand; one that was not split may be paid by the upcard."""
    import numpy as np

    from upcard.exact.kernels.hand_sets import player_hands
    from upcard.exact.kernels.player_values import Payoffs

    suited = list(_suited_hands(rules, upcard))
    hands = player_hands()
    is_asked = predicates.acts_doubled(rules) or predicates.counts_ended(rules)
    pays_21 = np.ones(0)
    if rules.bonuses is not None:
        ranks = ([rank for rank in RANKS for _ in range(int(row[rank]))] for row in hands.counts)
        pays_21 = np.array([float(rules.bonuses.pay_of_ranks(cards)) for cards in ranks])

    table = payoffs.payoffs_of(rules)
    totals = payoffs.TOTALS
    against_natural = table.rows[BUST_LIMIT][payoffs.DealerEnd.NATURAL]
    return Payoffs(
        nets=np.array([[table.net_of(hand, dealer) for dealer in totals] for hand in totals]),
        natural_takes_all=float(counts_naturals(rules)),
        natural_takes_busted=float(predicates.takes_busted(rules)),
        spot_loss=1.0,
        wins_later=int(predicates.wins_later(rules)),
        natural_ties_21=float(against_natural.outcome is Outcome.PUSH),
        natural_pays=float(payoffs.average_natural_pay(rules)),
        natural_tied=counts_naturals(rules) * payoffs.natural_ev(rules, 1.0),
        charlie=rules.charlie or 0,
        charlie_pays=float(rules.charlie_pays),
        wins_21=int(rules.player_21 is settings.Player21.WINS),
        always_wins_21=int(rules.player_21 is settings.Player21.ALWAYS_WINS),
        double_stake=float(rules.double_stake),
        min_stand=rules.min_stand or 0,
        surrenders=int(rules.surrender is settings.Surrender.ANY_CARDS),
        busts_live=int(predicates.busts_live(rules, upcard)),
        pushes_22=int(rules.pushes_22),
        has_free_bets=int(predicates.has_free_bets(rules)),
        stake=1.0,
        pays_21=pays_21,
        doubled=rules.max_doubles if is_asked and not predicates.has_free_bets(rules) else 0,
        rescues=int(rules.rescue),
        suited=np.array([hands.find(ranks) for ranks, *_ in suited], dtype=np.int32),
        suited_needs=np.array([needs for _, needs, *_ in suited], dtype=np.int32),
        suited_chances=np.array([chances for *_, chances, _ in suited]).reshape(-1, 3),
        suited_extras=np.array([extras for *_, extras in suited]).reshape(-1, 3),
    )


def surrender_value(rules: Rules, natural: float) -> float:
    """Return the kernel value of a surrender, given the chance of a dealer's natural."""
    counted = counts_naturals(rules)
    if predicates.is_early_surrender(rules):
        return -0.5 + (0.0 if counted else natural)
    return -0.5 * (1 - natural) - (natural if counted else 0.0)
