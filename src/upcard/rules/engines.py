"""Which engine honours which rule: a row for each setting, with what is refused and why.

What no row refuses, an engine takes account of, or it has no effect on its answers. A setting
without a row is refused by every engine but the table, for which `upcard rules` says so, and no
such row may be missing: a test looks. What depends on more than
rules (a count, a player, the pays of a side bet, the cards left) an engine refuses itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from upcard.core.cards import RANKS, TEN, Rank
from upcard.core.errors import UnsupportedRuleError
from upcard.rules import payoffs, predicates, settings
from upcard.rules.model import Rules
from upcard.rules.settings import SETTINGS, EngineName, NaturalTakes, Player21
from upcard.rules.tokens import write_value

_TABLE, SIMULATOR, CUDA, CELLS, VECTOR, LAYOUT, *_SOLVERS = EngineName
INFINITE, FINITE, FULL_MEMORY, NONSTANDARD, SWITCH, *_ANALYSES = _SOLVERS
INDICES, REMOVAL, CORRELATION, ROUND_VALUES = _ANALYSES

BASES: Final[Mapping[EngineName, EngineName]] = {
    CUDA: SIMULATOR,
    CELLS: SIMULATOR,
    VECTOR: CELLS,
    INDICES: SIMULATOR,
    FULL_MEMORY: FINITE,
    SWITCH: FINITE,
    CORRELATION: REMOVAL,
}
"""Engines that work by another one, and refuse what it refuses."""
MOST_PAYS: Final = 6
"""Pays of a 21, but 1:1, for which the simulator has room."""
UNKNOWN: Final = "it does not know this rule"
_LEAST_SHARE: Final = 2**32
"""Nine times a denominator, that of the share of tens, is below this in the simulator."""
_MOST_ENDED: Final = 4
"""More hands end in too many ways to count."""
_TWO_HANDS: Final = 2


class Refused(NamedTuple):
    """A setting that engines cannot honour, at its `values`, and `when` something else is so."""

    engines: tuple[EngineName, ...]
    reason: str
    when: Callable[[Rules], bool] | None = None
    values: Collection[object] = ()
    """Empty for all but the default."""
    rule: str = ""
    """How it is named, with `{}` for the value; empty for `setting=value`."""
    of_pair: Callable[[Rules, Rank], bool] | None = None
    """Ranks of pairs whose split full memory refuses; None for all."""
    of_two: bool = True
    """Whether also of a pair that may become two hands only."""


def honoured_but(*refusals: Refused) -> Mapping[EngineName, tuple[Refused, ...]]:
    """Return the row of a setting: what each engine refuses, and honours otherwise."""
    return {
        engine: tuple(one for one in refusals if engine in one.engines) for engine in EngineName
    }


def _splits_for_original(rules: Rules) -> bool:
    return rules.natural_takes is NaturalTakes.ORIGINAL and predicates.may_split(rules)


def _wins_unseen(rules: Rules) -> bool:
    return rules.hole_card is settings.HoleCard.NO_PEEK and predicates.may_split(rules)


def _counts_together(rules: Rules) -> bool:
    return predicates.counts_together(rules) and predicates.may_split(rules)


def _counts_many(rules: Rules) -> bool:
    most = predicates.most_hands(rules)
    by_face = predicates.needs_equal_faces(rules, TEN) and most != _TWO_HANDS
    return _counts_together(rules) and (most is None or most > _MOST_ENDED or by_face)


def _resplits_in_turn(rules: Rules) -> bool:
    return predicates.asks_first(rules) and predicates.most_hands(rules) not in (1, _TWO_HANDS)


def _has_too_many_pays(rules: Rules) -> bool:
    return rules.bonuses is not None and len(rules.bonuses.uneven_pays) > MOST_PAYS


def _shows_paid_seven(rules: Rules) -> bool:
    bonuses = rules.bonuses
    return rules.shows_hole and bonuses is not None and bonuses.suited_777_v_7 is not None


def _has_fine_share(rules: Rules) -> bool:
    return 9 * rules.ten_probability.denominator >= _LEAST_SHARE


def _splits_for_less(rules: Rules) -> bool:
    return predicates.takes_original(rules) and predicates.may_split(rules)


def _splits_spot(rules: Rules) -> bool:
    return rules.max_hands != 1


def _splits_seeing(rules: Rules) -> bool:
    return rules.shows_hole and predicates.may_split(rules)


def _splits_on(rules: Rules) -> bool:
    return predicates.most_hands(rules) is None and rules.split_by is settings.SplitBy.VALUE


def _counts_free(rules: Rules) -> bool:
    return _counts_together(rules) and predicates.has_free_bets(rules)


def _wins_free_later(rules: Rules) -> bool:
    return predicates.wins_later(rules) and predicates.has_free_bets(rules)


def _doubles_free_alone(rules: Rules) -> bool:
    is_later = rules.free_double is settings.FreeDouble.ANY_NUMBER
    return is_later and not predicates.may_double_later(rules)


def _frees_or_redoubles(rules: Rules) -> bool:
    return predicates.has_free_bets(rules) or predicates.acts_doubled(rules)


_HONOURED: Final = (
    *("deck_size", "penetration", "soft_17", "dealer_wins_ties", "natural_pays", "pushes_22"),
    *("natural_tie", "charlie_pays", "min_stand", "double_on", "double_stake"),
    *("double_after_split", "max_ace_hands", "never_split", "resplit_aces", "hit_split_aces"),
    *("double_split_aces", "surrender", "insurance", "insurance_pays", "even_money"),
    *("deal_order", "max_spots"),
)
_NO_COUNT: Final = "every round begins with all cards, so there is no count to go by"
_NOT_GONE: Final = "with a fresh shoe every round nothing has gone"
_ALL_HANDS: Final = "with OBO, what a natural takes depends on all hands"
_ALWAYS_WINS: Final = "with OBO, what a natural takes depends on the hands that won before it"
_ENDED: Final = "with splits, what a natural takes depends on the hands that ended before it"
_UP_TO: Final = f"it knows up to {_MOST_ENDED}, and pairs by value"
_ONE_BY_ONE: Final = "it values them one by one"
_HALVES: Final = (
    "with splits, whether a dealer's natural finds an original bet to take depends on all"
    f" the halves together; {_ONE_BY_ONE}"
)
_WINS: Final = "with splits and no peek, a half that wins at once shows the others that there is no"
_UP_MATTERS: Final = "with both dealer cards shown, which of them is up matters"
_ONE_DOUBLE: Final = "it knows one double, which ends a hand; name 1D to 8D"
_ENDS: Final = "a double ends a hand there"
_PLAYS_ON: Final = "doubled hands that play on, and bonuses, are not in it"
_WON: Final = "a hand that wins at once is not in it (charlie, player_21=wins)"
_FREE: Final = "bets that the house pays for are not in it"
_UNCOUNTED: Final = "the cards of a hand are not counted there"
_BY_TOTAL: Final = "it weighs a hand by its total, and not by its number of cards"
_NOT_DOUBLED: Final = "it asks no hand that has doubled"
_NOT_SPLIT: Final = "with a non-standard ace or dealer rule it knows hands that are not split (SP1)"
_BY_SUITS: Final = "whether to swap would depend on suits"
_TOO_LONG: Final = "it takes too long to value its rounds"
_ODDS: Final = "cards that leave a shoe change the odds; it knows INF only"
_NO_DECKS: Final = "its cards are those of decks; name 1D to 8D"
_NONE_LEAVES: Final = "no card can leave an infinite deck; name 1D to 8D"
_FINE: Final = "a denominator over 400 million does not fit its draws"
_BOTH_FACES: Final = "which faces both dealer cards have decides what is split"
_NOT_IN_IT: Final = "naturals after a split are not in it"
_LOOKS: Final = "its dealer looks at a hole card that is dealt"
_STANDS: Final = "it stands on every 21; a triple stake or a charlie can be better"
_RULES_OUT: Final = "a half that wins at once rules out a natural for the others"
_SWAPPED: Final = "a hand that is swapped to a 21 and wins at once is not in it"
_TOTALS: Final = "what a 21 pays depends on its cards, and it knows totals; name 1D to 8D"
_FREE_ALONE: Final = "it asks no hand of three cards about a double that others may not make"
_FACES: Final = "which faces are left decides which tens may be split again; it knows SP2"
_NO_LIMIT: Final = "without a limit on hands it knows INF, or pairs split by rank"
_ASKS_FIRST: Final = (
    "with resplits it asks the first hand, whose bet is the original, before the others"
)
_21: Final = Player21
_HANDS: Final = range(2, settings.MOST_HANDS + 1)
_SOLVING: Final = (INFINITE, FINITE, NONSTANDARD)

ROWS: Final[Mapping[str, Mapping[EngineName, tuple[Refused, ...]]]] = {
    **dict.fromkeys(_HONOURED, honoured_but()),
    "decks": honoured_but(
        Refused((INFINITE,), _ODDS, values=range(1, settings.MOST_DECKS + 1), rule="{}D"),
        Refused((FINITE, NONSTANDARD), _NO_DECKS, values=(None,), rule="INF"),
        Refused((INDICES,), _NO_COUNT, values=(None,), rule="INF"),
        Refused((REMOVAL,), _NONE_LEAVES, values=(None,), rule="INF"),
        Refused((ROUND_VALUES,), _NOT_GONE, values=(None,), rule="INF"),
    ),
    "ten_probability": honoured_but(Refused((SIMULATOR,), _FINE, _has_fine_share)),
    "shuffle": honoured_but(
        Refused((INDICES,), _NO_COUNT, rule="CSM"),
        Refused((ROUND_VALUES,), _NOT_GONE, rule="CSM"),
    ),
    "ace_rule": honoured_but(
        Refused((SIMULATOR,), "its charts know soft hands by the ordinary rule"),
        Refused((FINITE,), "it knows hands by their cards, not by their order"),
    ),
    "dealer_rule": honoured_but(
        Refused((SIMULATOR,), "its dealer draws without looking at the player"),
        Refused((FINITE,), "its dealer does not look at the player's total"),
    ),
    "hole_card": honoured_but(Refused((SIMULATOR,), _LOOKS, values=(settings.HoleCard.NO_PEEK,))),
    "shows_upcard": honoured_but(
        Refused((SIMULATOR,), "its charts are read by the upcard"),
        Refused(_SOLVING, "its values are those against an upcard that is seen"),
    ),
    "shows_hole": honoured_but(
        Refused((SIMULATOR,), "it swaps cards by the upcard", lambda rules: rules.switch),
        Refused((CUDA,), "a hole card that players see is not in it"),
        Refused((CELLS,), "its cells are read by the upcard"),
        Refused((LAYOUT,), "it has no room for the hole card"),
        Refused((FULL_MEMORY,), "its dealer starts with the upcard alone"),
        Refused((NONSTANDARD,), "its values are those against an upcard alone"),
        Refused((SWITCH,), "it values hands against an upcard alone"),
        Refused((INDICES,), "it decides by the dealer's upcard alone"),
        Refused((CORRELATION,), "a decision is against the upcard alone"),
        Refused((ROUND_VALUES,), _TOO_LONG),
    ),
    "max_doubles": honoured_but(
        Refused((INFINITE, NONSTANDARD), _ONE_DOUBLE),
        Refused((FINITE,), f"{_ENDED}, each doubled once at most", _counts_together),
        Refused((CELLS,), _ENDS),
        Refused((FULL_MEMORY,), _PLAYS_ON),
        Refused((INDICES,), _NOT_DOUBLED),
    ),
    "rescue": honoured_but(
        Refused((INFINITE, NONSTANDARD), _ONE_DOUBLE),
        Refused((CELLS,), _ENDS),
        Refused((FULL_MEMORY,), _PLAYS_ON),
        Refused((INDICES,), _NOT_DOUBLED),
    ),
    "bonuses": honoured_but(
        Refused((SIMULATOR,), f"it holds {MOST_PAYS} pays of a 21 but 1:1", _has_too_many_pays),
        Refused((CUDA,), "bonuses by suit need the cards of each round", payoffs.pays_by_suit),
        Refused((CELLS,), _UNCOUNTED),
        Refused((INFINITE, FINITE), _UP_MATTERS, _shows_paid_seven),
        Refused((INFINITE, NONSTANDARD), _TOTALS, rule="bonuses"),
        Refused((FULL_MEMORY,), _PLAYS_ON, rule="bonuses"),
        Refused((SWITCH,), _BY_SUITS, rule="bonuses"),
        Refused((INDICES,), _BY_TOTAL),
    ),
    "natural_takes": honoured_but(
        Refused((INFINITE,), _HALVES, predicates.may_split, values=(NaturalTakes.BUSTED_AND_ONE,)),
        Refused((FINITE,), f"{_ENDED}; {_UP_TO}", _counts_many),
        Refused((FINITE,), f"{_ENDED}, and free bets are not in it", _counts_free),
        Refused((FULL_MEMORY,), _ENDED, predicates.counts_ended),
    ),
    "busts_live": honoured_but(
        Refused((INFINITE, FINITE), _UP_MATTERS, lambda rules: rules.shows_hole),
        Refused((FINITE,), "it knows plain bets, and doubles that end a hand", _frees_or_redoubles),
        Refused((CELLS,), "a busted hand is lost there"),
        Refused((FULL_MEMORY,), "busted hands that live are not in it"),
        Refused((NONSTANDARD,), "it knows busted hands that lose at once"),
        Refused((INDICES,), "it weighs no hand that is bust"),
    ),
    "suited_natural_pays": honoured_but(
        Refused((SIMULATOR,), "its cards have no suits"), Refused((SWITCH,), _BY_SUITS)
    ),
    "natural_ties_21": honoured_but(
        Refused((SIMULATOR,), "its dealer's natural beats any other 21"),
        Refused((INFINITE,), _HALVES, _splits_for_original),
        Refused((FINITE, NONSTANDARD), _ALL_HANDS, predicates.takes_original),
    ),
    "player_21": honoured_but(
        Refused((SIMULATOR,), "its hands of 21 stand or win", values=(_21.ASKED, _21.WINS)),
        Refused((INFINITE,), f"{_WINS} natural; {_ONE_BY_ONE}", _wins_unseen, values=(_21.WINS,)),
        Refused((INFINITE,), _HALVES, _splits_for_original, values=(_21.ALWAYS_WINS,)),
        Refused((FINITE, NONSTANDARD), _STANDS, predicates.may_improve_21, values=(_21.ASKED,)),
        Refused((FINITE,), _ALWAYS_WINS, _wins_free_later),
        Refused((NONSTANDARD,), _ALWAYS_WINS, predicates.wins_later),
        Refused((FINITE,), _RULES_OUT, _wins_unseen, values=(_21.WINS,)),
        Refused((FULL_MEMORY,), _WON, values=(_21.WINS,)),
        Refused((SWITCH,), _SWAPPED, values=(_21.WINS,)),
    ),
    "charlie": honoured_but(
        Refused((INFINITE,), _HALVES, _splits_for_original),
        Refused((FINITE,), _ALL_HANDS, predicates.takes_original),
        Refused((CELLS,), _UNCOUNTED),
        Refused((FULL_MEMORY,), _WON),
        Refused((NONSTANDARD,), "a hand that wins by its number of cards is not in it"),
        Refused((INDICES,), _BY_TOTAL),
    ),
    "free_double": honoured_but(
        Refused((FULL_MEMORY,), _FREE),
        Refused((NONSTANDARD,), "it knows doubles that the player pays for"),
        Refused((INDICES,), _FREE_ALONE, _doubles_free_alone),
    ),
    "free_split": honoured_but(Refused((FULL_MEMORY,), _FREE, of_pair=predicates.splits_free)),
    "split_by": honoured_but(
        Refused((SIMULATOR,), "its tens are all alike", _splits_spot),
        Refused((FINITE,), _BOTH_FACES, _splits_seeing),
        Refused((FULL_MEMORY,), _FACES, of_pair=predicates.needs_equal_faces, of_two=False),
        Refused((SWITCH,), "which faces are paired after a swap is not in it"),
    ),
    "max_hands": honoured_but(
        Refused((FINITE,), _NO_LIMIT, _splits_on, rule="SPINF"),
        Refused((NONSTANDARD,), _NOT_SPLIT, predicates.may_split, values=(None,), rule="SPINF"),
        Refused((NONSTANDARD,), _NOT_SPLIT, predicates.may_split, values=_HANDS, rule="SP{}"),
    ),
    "max_total_hands": honoured_but(Refused((SIMULATOR,), "it limits the hands of each spot only")),
    "split_naturals": honoured_but(
        Refused((SIMULATOR,), "its split hands make no naturals", _splits_spot),
        Refused((INFINITE,), _HALVES, _splits_for_original),
        Refused((FINITE,), _ALL_HANDS, _splits_for_less),
        Refused((FULL_MEMORY,), _NOT_IN_IT, of_pair=predicates.makes_natural),
    ),
    "turn_order": honoured_but(
        Refused((SIMULATOR,), "it plays each hand to its end before the next"),
        Refused((INFINITE, FINITE), _ASKS_FIRST, _resplits_in_turn),
    ),
    "betting": honoured_but(Refused((SIMULATOR,), "it counts what bets win")),
    "switch": honoured_but(
        Refused((CUDA,), "its rounds have one spot"),
        Refused((CELLS,), "its spots keep their cards"),
        Refused((LAYOUT,), "it has no room for the other hand"),
        Refused(_SOLVING, "it values one hand, and a swap is of two"),
        Refused((SWITCH,), "it is for games with a swap", values=(False,)),
        Refused((INDICES,), "it weighs one hand alone"),
        Refused((ROUND_VALUES,), _TOO_LONG),
    ),
    "side_bets": honoured_but(
        Refused((CUDA, VECTOR), "it settles main bets only", rule="side bets {}")
    ),
}
"""Rows of all settings, in the order in which they are refused, those of `_HONOURED` never."""


@cache
def _rows_of(engine: EngineName) -> tuple[tuple[str, tuple[Refused, ...]], ...]:
    """List the settings that an engine may refuse."""
    silent = (Refused((engine,), UNKNOWN),)
    every = ((name, ROWS.get(name, {}).get(engine, silent)) for name in {**ROWS, **SETTINGS})
    return tuple((name, refusals) for name, refusals in every if refusals)


def find_refusals(
    rules: Rules, engine: EngineName, pairs: Mapping[Rank, int | None] | None = None
) -> Iterator[tuple[str, str]]:
    """Iterate over the settings that an engine cannot honour, as text, each with the reason.

    `pairs` are the splits that full memory is asked for (default: all that the rules have): the
    rank of each, and the hands that it may become, None for no limit.
    """
    has_swap = rules.switch or engine is not SWITCH  # without one, that alone is refused
    if engine in BASES and has_swap:
        yield from find_refusals(
            predicates.one_hand(rules) if engine is SWITCH else rules, BASES[engine]
        )
    if engine is FULL_MEMORY and pairs is None:
        most = ((rank, predicates.most_hands_of(rules, rank)) for rank in RANKS)
        pairs = {rank: hands for rank, hands in most if hands != 1}
    for name, refusals in _rows_of(engine) if has_swap else (("switch", ROWS["switch"][SWITCH]),):
        value = getattr(rules, name)
        for one in refusals:
            is_off = value in one.values if one.values else value != SETTINGS[name].default
            if not is_off or (one.when is not None and not one.when(rules)):
                continue
            if pairs is None or any(
                (one.of_two or hands is None or hands > _TWO_HANDS)
                and (one.of_pair is None or one.of_pair(rules, rank))
                for rank, hands in pairs.items()
            ):
                yield (one.rule or f"{name}={{}}").format(write_value(value)), one.reason


def check(rules: Rules, engine: EngineName, who: str = "") -> None:
    """Refuse rules that an engine cannot honour; `who` is its name in the message, if another.

    Raises: UnsupportedRuleError.
    """
    for rule, reason in find_refusals(rules, engine):
        raise UnsupportedRuleError(who or engine, rule, reason)
