"""Rules as the exact solvers take them: what each supports, split plays, and what rules pay."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from upcard.core.actions import Outcome
from upcard.core.cards import RANKS, TEN, Rank
from upcard.core.errors import UnsupportedRuleError
from upcard.core.hands import BUST_LIMIT, AceRule, hand_table
from upcard.rules import bonuses as bonus_cards
from upcard.rules import payoffs, predicates, settings
from upcard.rules.model import Rules, find_unknown

if TYPE_CHECKING:
    from upcard.exact.kernels.player_values import Payoffs


KNOWN_SETTINGS: Final = frozenset(
    (
        *("decks", "deck_size", "ten_probability", "shuffle", "penetration", "ace_rule", "soft_17"),
        *("dealer_rule", "hole_card", "shows_upcard", "shows_hole", "natural_takes"),
        *(
            "natural_pays",
            "suited_natural_pays",
            "natural_tie",
            "natural_ties_21",
            "dealer_wins_ties",
        ),
        *("player_21", "charlie", "charlie_pays", "min_stand", "double_on", "double_stake"),
        *("double_after_split", "split_by", "max_hands", "max_total_hands", "resplit_aces"),
        *("hit_split_aces", "double_split_aces", "split_naturals", "surrender", "insurance"),
        *("insurance_pays", "even_money", "turn_order", "deal_order", "betting", "max_spots"),
        *("pushes_22", "free_double", "free_split", "never_split", "max_ace_hands", "side_bets"),
        *("max_doubles", "rescue", "bonuses", "busts_live", "switch"),
    )
)
"""Honoured, refused by value below, or without effect on a value.

Add a setting once all three solvers do one of these; until then they refuse it.
"""
NO_CHART: Final = "a chart by totals does not distinguish hands that this house's ace rule does"
FIRST_ROUND: Final = "It is the value of the first round after a shuffle, with one spot in play."
_NO_DECKS: Final = ("INF", "its cards are those of decks; name 1D to 8D")
_HIDDEN: Final = ("shows_upcard=false", "its values are those against an upcard that is seen")
_SHOWN: Final = ("shows_hole=true", "its values are those against an upcard alone")
_ALL_HANDS: Final = "with OBO, what a natural takes depends on all hands"
_ALWAYS_WINS: Final = "with OBO, what a natural takes depends on the hands that won before it"
_ENDED: Final = "with splits, what a natural takes depends on the hands that ended before it"
_MOST_ENDED: Final = 4
"""More hands end in too many ways to count."""
_DOUBLE: Final = 2
_SWITCH: Final = ("switch=true", "it values one hand, and a swap is of two")
_ONE_BY_ONE: Final = "it values them one by one"


class ExactEngine(NamedTuple):
    """A method for exact values: its name, and what it does not support."""

    name: str
    find_unsupported: Callable[[Rules], Iterator[tuple[str, str]]]
    """Settings that it cannot honour, with the reasons."""

    def check(self, rules: Rules) -> None:
        """Refuse rules that it does not support."""
        for rule, reason in self.find_unsupported(rules):
            raise UnsupportedRuleError(self.name, rule, reason)


def one_hand(rules: Rules) -> Rules:
    """Return the rules of each of two hands, for values after a swap or without one."""
    return rules.replace(switch=False, max_spots=1) if rules.switch else rules


def _refuse_switch(rules: Rules) -> Iterator[tuple[str, str]]:
    if not rules.switch:
        yield "switch=false", "it is for games with a swap"
        return
    if rules.is_infinite:
        yield _NO_DECKS
    if is_nonstandard(rules):
        rule = f"ace_rule={rules.ace_rule}"
        if rules.ace_rule is AceRule.BEST:
            rule = f"dealer_rule={rules.dealer_rule}"
        yield rule, "it values hands by their cards, against a dealer who draws to 17"
    if rules.shows_hole:
        yield "shows_hole=true", "it values hands against an upcard alone"
    reason = "whether to swap would depend on suits"
    if rules.suited_natural_pays is not None:
        yield f"suited_natural_pays={rules.suited_natural_pays}", reason
    if rules.bonuses is not None:
        yield "bonuses", reason
    if rules.player_21 is settings.Player21.WINS:
        yield "player_21=wins", "a hand that is swapped to a 21 and wins at once is not in it"
    if predicates.needs_equal_faces(rules, TEN):
        yield f"split_by={rules.split_by}", "which faces are paired after a swap is not in it"
    if not (rules.is_infinite or is_nonstandard(rules)):
        yield from _refuse_finite(one_hand(rules))


def _refuse_infinite(rules: Rules) -> Iterator[tuple[str, str]]:
    yield from find_unknown(rules, KNOWN_SETTINGS)
    if rules.switch:
        yield _SWITCH
    if rules.decks is not None:
        yield f"{rules.decks}D", "cards that leave a shoe change the odds; it knows INF only"
    if not rules.shows_upcard:
        yield _HIDDEN
    yield from _refuse_doubled(rules)
    yield from _refuse_shown_busts(rules)
    if predicates.most_hands(rules) == 1:
        return
    if rules.player_21 is settings.Player21.WINS and rules.hole_card is settings.HoleCard.NO_PEEK:
        reason = (
            "with splits and no peek, a half that wins at once shows the others that there is no"
            f" natural; {_ONE_BY_ONE}"
        )
        yield "player_21=wins", reason
    yield from _refuse_resplits_in_turn(rules)
    reason = (
        "with splits, whether a dealer's natural finds an original bet to take depends on all"
        f" the halves together; {_ONE_BY_ONE}"
    )
    if takes_busted(rules) and not takes_first(rules):
        yield f"natural_takes={rules.natural_takes}", reason
    if rules.natural_takes is settings.NaturalTakes.ORIGINAL:
        if rules.charlie is not None:
            yield f"charlie={rules.charlie}", reason
        if rules.player_21 is settings.Player21.ALWAYS_WINS:
            yield f"player_21={rules.player_21}", reason
        if rules.natural_ties_21:
            yield "natural_ties_21=true", reason
        if rules.split_naturals is not settings.SplitNaturals.NEVER:
            yield f"split_naturals={rules.split_naturals}", reason


def _refuse_doubled(rules: Rules) -> Iterator[tuple[str, str]]:
    """Refuse what becomes of a doubled hand, and bonuses."""
    reason = "it knows one double, which ends a hand; name 1D to 8D"
    if rules.max_doubles > 1:
        yield f"max_doubles={rules.max_doubles}", reason
    if rules.rescue:
        yield "rescue=true", reason
    if rules.bonuses is not None:
        reason = "what a 21 pays depends on its cards, and it knows totals; name 1D to 8D"
        yield "bonuses", reason


def _refuse_resplits_in_turn(rules: Rules) -> Iterator[tuple[str, str]]:
    """Refuse an order of splits that is not the solvers' where the first hand is not alike."""
    if asks_first(rules) and predicates.most_hands(rules) != _TWO_HANDS:
        reason = (
            "with resplits it asks the first hand, whose bet is the original, before the others"
        )
        yield "turn_order=round-robin", reason


def asks_first(rules: Rules) -> bool:
    """Whether a round-robin order of splits matters: the first hand has a bet of its own."""
    is_first = rules.free_split is not settings.FreeSplit.NONE or takes_first(rules)
    return is_first and rules.turn_order is settings.TurnOrder.ROUND_ROBIN


def _refuse_shown_busts(rules: Rules) -> Iterator[tuple[str, str]]:
    reason = "with both dealer cards shown, which of them is up matters"
    if rules.shows_hole and rules.busts_live:
        yield "busts_live=true", reason
    if rules.shows_hole and rules.bonuses is not None and rules.bonuses.suited_777_v_7 is not None:
        yield f"bonuses={rules.bonuses}", reason


def _refuse_finite(rules: Rules) -> Iterator[tuple[str, str]]:
    yield from find_unknown(rules, KNOWN_SETTINGS)
    if rules.switch:
        yield _SWITCH
    if rules.is_infinite:
        yield _NO_DECKS
    if rules.ace_rule is not AceRule.BEST:
        yield f"ace_rule={rules.ace_rule}", "it knows hands by their cards, not by their order"
    if rules.dealer_rule is not settings.DealerRule.TO_17:
        yield f"dealer_rule={rules.dealer_rule}", "its dealer does not look at the player's total"
    if not rules.shows_upcard:
        yield _HIDDEN
    yield from _refuse_shown_busts(rules)
    by_rank = rules.split_by is settings.SplitBy.RANK and predicates.most_hands(rules) != 1
    if rules.shows_hole and by_rank:
        yield (
            f"split_by={rules.split_by}",
            "which faces both dealer cards have decides what is split",
        )
    takes_original = rules.natural_takes is not settings.NaturalTakes.ALL
    if takes_original and rules.charlie is not None:
        yield f"charlie={rules.charlie}", _ALL_HANDS
    if takes_original and rules.natural_ties_21:
        yield "natural_ties_21=true", _ALL_HANDS
    yield from _refuse_triple_21(rules)
    if rules.busts_live and (has_free_bets(rules) or acts_doubled(rules)):
        yield "busts_live=true", "it knows plain bets, and doubles that end a hand"
    if wins_later(rules) and has_free_bets(rules):
        yield "player_21=always-wins", _ALWAYS_WINS
    if predicates.most_hands(rules) != 1:
        yield from _refuse_finite_splits(rules)


def _refuse_finite_splits(rules: Rules) -> Iterator[tuple[str, str]]:
    takes_original = rules.natural_takes is not settings.NaturalTakes.ALL
    most = predicates.most_hands(rules)
    by_face = predicates.needs_equal_faces(rules, TEN) and most != _TWO_HANDS
    if counts_together(rules) and (most is None or most > _MOST_ENDED or by_face):
        reason = f"{_ENDED}; it knows up to {_MOST_ENDED}, and pairs by value"
        yield f"natural_takes={rules.natural_takes}", reason
    elif counts_together(rules) and has_free_bets(rules):
        yield f"natural_takes={rules.natural_takes}", f"{_ENDED}, and free bets are not in it"
    elif counts_together(rules) and acts_doubled(rules) and predicates.may_act_doubled(rules, 1):
        yield f"max_doubles={rules.max_doubles}", f"{_ENDED}, each doubled once at most"
    if predicates.most_hands(rules) is None and rules.split_by is settings.SplitBy.VALUE:
        yield "SPINF", "without a limit on hands it knows INF, or pairs split by rank"
    if takes_original and rules.split_naturals is not settings.SplitNaturals.NEVER:
        yield f"split_naturals={rules.split_naturals}", _ALL_HANDS
    yield from _refuse_resplits_in_turn(rules)
    if rules.player_21 is settings.Player21.WINS and rules.hole_card is settings.HoleCard.NO_PEEK:
        yield "player_21=wins", "a half that wins at once rules out a natural for the others"


def _refuse_21(rules: Rules) -> Iterator[tuple[str, str]]:
    """Refuse what becomes of a 21 that is beyond the non-standard solver."""
    takes_original = rules.natural_takes is not settings.NaturalTakes.ALL
    if takes_original and rules.player_21 is settings.Player21.ALWAYS_WINS:
        yield "player_21=always-wins", _ALWAYS_WINS
    yield from _refuse_triple_21(rules)


def _refuse_triple_21(rules: Rules) -> Iterator[tuple[str, str]]:
    doubles_21 = rules.double_on in (settings.DoubleOn.ANY_TWO, settings.DoubleOn.ANY_NUMBER)
    is_improvable = rules.charlie is not None or (rules.double_stake > _DOUBLE and doubles_21)
    if rules.player_21 is settings.Player21.ASKED and is_improvable:
        yield "player_21=asked", "it stands on every 21; a triple stake or a charlie can be better"


def _refuse_nonstandard(rules: Rules) -> Iterator[tuple[str, str]]:
    yield from find_unknown(rules, KNOWN_SETTINGS)
    if rules.switch:
        yield _SWITCH
    if rules.is_infinite:
        yield _NO_DECKS
    if predicates.most_hands(rules) != 1:
        reason = "with a non-standard ace or dealer rule it knows hands that are not split (SP1)"
        yield f"SP{rules.max_hands or 'INF'}", reason
    if rules.charlie is not None:
        yield f"charlie={rules.charlie}", "a hand that wins by its number of cards is not in it"
    if rules.natural_takes is not settings.NaturalTakes.ALL and rules.natural_ties_21:
        yield "natural_ties_21=true", _ALL_HANDS
    if rules.free_double is not settings.FreeDouble.NONE:
        yield f"free_double={rules.free_double}", "it knows doubles that the player pays for"
    if rules.busts_live:
        yield "busts_live=true", "it knows busted hands that lose at once"
    yield from _refuse_doubled(rules)
    yield from _refuse_21(rules)
    if not rules.shows_upcard:
        yield _HIDDEN
    if rules.shows_hole:
        yield _SHOWN


INFINITE: Final = ExactEngine("infinite-deck solver", _refuse_infinite)
FINITE: Final = ExactEngine("finite-deck solver", _refuse_finite)
SWITCH: Final = ExactEngine("switch solver", _refuse_switch)
NONSTANDARD: Final = ExactEngine("non-standard solver", _refuse_nonstandard)


def check_hole(rules: Rules, hole: Rank) -> None:
    """Refuse values against the upcard alone where the house shows both dealer cards."""
    if rules.shows_hole and not hole:
        raise UnsupportedRuleError(choose_engine(rules).name, *_SHOWN)


def rules_seeing_hole(rules: Rules, upcard: Rank | None = None) -> Rules:
    """Return the rules for a player who sees the hole card of a dealer who peeks.

    Surrender that is early is offered with the hole card seen, like a late one; early surrender
    against tens only (against this upcard) where it would be.

    Raises: UnsupportedRuleError if there is no hole card before the players act.
    """
    if rules.hole_card is not settings.HoleCard.PEEK:
        reason = "a hole card is seen where the dealer looks for a natural"
        raise UnsupportedRuleError(
            choose_engine(rules).name, f"hole_card={rules.hole_card}", reason
        )
    surrender = rules.surrender
    if predicates.is_early_surrender(rules):
        may = upcard is None or predicates.may_surrender(rules, upcard=upcard, cards=2)
        surrender = settings.Surrender.LATE if may else settings.Surrender.NONE
    return rules.replace(shows_hole=True, surrender=surrender)


def is_nonstandard(rules: Rules) -> bool:
    """Whether the ace rule is non-standard, or the dealer looks at the player."""
    return rules.ace_rule is not AceRule.BEST or rules.dealer_rule is not settings.DealerRule.TO_17


def choose_engine(rules: Rules) -> ExactEngine:
    """Return the engine for these rules, even if it does not support all of them."""
    if rules.switch:
        return SWITCH
    if rules.is_infinite:
        return INFINITE
    return NONSTANDARD if is_nonstandard(rules) else FINITE


def check_solvable(rules: Rules) -> None:
    """Refuse rules that their solver does not support."""
    choose_engine(rules).check(rules)


_TWO_HANDS: Final = 2


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


def find_without_memory(rules: Rules, rank: Rank, *, hands: int | None) -> tuple[str, str] | None:
    """Return the rule that rules out full memory for a pair split into `hands`, with the reason.

    Returns None if it is possible. `hands` is None for no limit.
    """
    if rules.charlie is not None or rules.player_21 is settings.Player21.WINS:
        rule = "player_21=wins" if rules.charlie is None else f"charlie={rules.charlie}"
        return rule, "a hand that wins at once is not in it (charlie, player_21=wins)"
    if rules.free_double is not settings.FreeDouble.NONE or predicates.splits_free(rules, rank):
        rule = f"free_double={rules.free_double}"
        if predicates.splits_free(rules, rank):
            rule = f"free_split={rules.free_split}"
        return rule, "bets that the house pays for are not in it"
    if rules.shows_hole:
        return "shows_hole=true", "its dealer starts with the upcard alone"
    if rules.busts_live:
        return "busts_live=true", "busted hands that live are not in it"
    if counts_ended(rules):
        return f"natural_takes={rules.natural_takes}", _ENDED
    if acts_doubled(rules):
        rule = f"max_doubles={rules.max_doubles}" if rules.bonuses is None else "bonuses"
        rule = "rescue=true" if rules.rescue else rule
        return rule, "doubled hands that play on, and bonuses, are not in it"
    if predicates.makes_natural(rules, rank):
        return f"split_naturals={rules.split_naturals}", "naturals after a split are not in it"
    if predicates.needs_equal_faces(rules, rank) and (hands is None or hands > _TWO_HANDS):
        reason = "which faces are left decides which tens may be split again; it knows SP2"
        return f"split_by={rules.split_by}", reason
    return None


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


def takes_busted(rules: Rules) -> bool:
    """Whether a natural takes all bets of busted hands, and one bet of others."""
    return rules.natural_takes not in (settings.NaturalTakes.ALL, settings.NaturalTakes.ORIGINAL)


def has_free_bets(rules: Rules) -> bool:
    """Whether the house pays for some bets: they are won and not lost."""
    is_free = rules.free_double is not settings.FreeDouble.NONE
    return is_free or rules.free_split is not settings.FreeSplit.NONE


def acts_doubled(rules: Rules) -> bool:
    """Whether doubled hands are asked again, or lose a bonus."""
    return predicates.may_act_doubled(rules, 1) or rules.bonuses is not None


def wins_later(rules: Rules) -> bool:
    """Whether a hand that won at once keeps it against a natural that does not take all bets."""
    takes_original = rules.natural_takes is not settings.NaturalTakes.ALL
    return takes_original and rules.player_21 is settings.Player21.ALWAYS_WINS


def counts_ended(rules: Rules) -> bool:
    """Whether what a natural takes depends on the hands that ended before it."""
    return takes_busted(rules) or wins_later(rules)


def takes_first(rules: Rules) -> bool:
    """Whether a natural takes the bet of a spot's first hand, and those of busted hands."""
    return rules.natural_takes is settings.NaturalTakes.ORIGINAL_AND_BUSTED


def counts_together(rules: Rules) -> bool:
    """Whether that depends on all hands together, not on each of them and which is the first."""
    return counts_ended(rules) and not takes_first(rules)


def most_dealer_total(rules: Rules) -> int:
    """Return the largest total of the dealer that is distinguished: 22 if it is no other bust."""
    return BUST_LIMIT + payoffs.payoffs_of(rules).splits_22


class _SuitedHand(NamedTuple):
    """Two cards whose suits decide what a third pays."""

    ranks: tuple[Rank, Rank]
    needs: Rank
    chances: tuple[float, ...]
    """Chance that they are mixed, of one suit but not spades, and spades."""
    extras: tuple[float, ...]
    """Additional pay of the third card over mixed suits, on average over its suits."""


def _suited_hands(rules: Rules, upcard: Rank) -> Iterator[_SuitedHand]:
    """List the hands whose suits matter.

    Which suits left the shoe before is not known, so that of two ranks the suits are independent,
    and those of one rank are as in full decks. The suit of the upcard is not looked at.
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
            yield _SuitedHand(ranks, needs, chances, (0.0, *more))


@lru_cache(maxsize=64)
def payoffs_of(rules: Rules, upcard: Rank = 0) -> Payoffs:
    """Lower the payoffs of a hand; one that was not split may be paid by the upcard."""
    import numpy as np

    from upcard.exact.kernels.hand_sets import player_hands
    from upcard.exact.kernels.player_values import Payoffs

    suited = list(_suited_hands(rules, upcard))
    hands = player_hands()
    is_asked = acts_doubled(rules) or counts_ended(rules)
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
        natural_takes_busted=float(takes_busted(rules)),
        spot_loss=1.0,
        wins_later=int(wins_later(rules)),
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
        has_free_bets=int(has_free_bets(rules)),
        stake=1.0,
        pays_21=pays_21,
        doubled=rules.max_doubles if is_asked and not has_free_bets(rules) else 0,
        rescues=int(rules.rescue),
        suited=np.array([hands.find(one.ranks) for one in suited], dtype=np.int32),
        suited_needs=np.array([one.needs for one in suited], dtype=np.int32),
        suited_chances=np.array([one.chances for one in suited]).reshape(-1, 3),
        suited_extras=np.array([one.extras for one in suited]).reshape(-1, 3),
    )


def surrender_value(rules: Rules, natural: float) -> float:
    """Return the kernel value of a surrender, given the chance of a dealer's natural."""
    counted = counts_naturals(rules)
    if predicates.is_early_surrender(rules):
        return -0.5 + (0.0 if counted else natural)
    return -0.5 * (1 - natural) - (natural if counted else 0.0)
