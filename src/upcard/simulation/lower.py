"""Lower a `Job` to the arrays of the simulator's kernel: rules, chart, deviations and count.

Legal actions come from `rules/predicates.py`, as at the table; `tests/differential` compares the
two, answer by answer.

A count is `floor(running * factor + addend)` in whole numbers with `COUNT_BITS` binary places. The
factor is rounded; an addend far smaller than the least gap between two counts and far larger than
that error makes the floor exact. `tests/unit/simulation` compares every value with
`CountSystem.convert`.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product, starmap
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.actions import Action
from upcard.core.cards import ACE, FACES, RANKS, SUITS, TEN, Card
from upcard.core.errors import UnsupportedRuleError
from upcard.core.hands import BUST_LIMIT, EMPTY_HAND, AceRule, hand_table
from upcard.core.numbers import write_chips
from upcard.rules import predicates, settings
from upcard.rules.bonuses import Bonuses, BySuit
from upcard.rules.model import Rules
from upcard.rules.payoffs import DealerEnd, Special, average_natural_pay, payoffs_of
from upcard.simulation.job import ENGINE, Job, check_supported
from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import COUNT_BITS, KINDS, MOST_HANDS, RANK_OF_KIND, LoweredGame
from upcard.simulation.kernels.side_tables import LoweredSide, lower_side_bets, write_card
from upcard.strategy.chart import HAND_LABELS, ChartHand, Strategy
from upcard.strategy.count_system import CountBy, CountSystem, Rounding
from upcard.strategy.deviations import Deviations

HANDS: Final = hand_table(AceRule.BEST)
PAIR_ROWS: Final = len(HANDS.total)
"""Rows from here on are pairs, aces first."""
ROWS: Final = PAIR_ROWS + len(RANKS)
ACTION_CODES: Final = {
    Action.STAND: loop_codes.STAND,
    Action.HIT: loop_codes.HIT,
    Action.DOUBLE: loop_codes.DOUBLE,
    Action.SPLIT: loop_codes.SPLIT,
    Action.SURRENDER: loop_codes.SURRENDER,
    Action.NO_SURRENDER: loop_codes.STAND,
}
_OTHER: Final = 2
"""Stands for all pairs but aces: they have the same rules."""
_CONTEXTS: Final = {
    loop_codes.FIRST_TWO: (2, 0, True),
    loop_codes.LATER: (3, 0, False),
    loop_codes.SPLIT_MORE: (2, _OTHER, True),
    loop_codes.SPLIT_FULL: (2, _OTHER, False),
    loop_codes.SPLIT_LATER: (3, _OTHER, False),
    loop_codes.ACES_MORE: (2, ACE, True),
    loop_codes.ACES_FULL: (2, ACE, False),
    loop_codes.ACES_LATER: (3, ACE, False),
}
"""Context of a hand: cards, the rank it was split from, room for one more hand."""
_DEALER_NUMBERS: Final = {
    **{total: total for total in range(1, BUST_LIMIT + 1)},
    BUST_LIMIT + 1: loop_codes.DEALER_22,
}
"""Number of the dealer's total in the loop, where it is not 0."""
_SPECIAL: Final = (
    *(Special.NATURAL, Special.EVEN_MONEY, Special.SURRENDERED, Special.WON, Special.CHARLIE),
)
"""Results that follow the totals: NATURAL to WON of `loop_codes`, and a charlie as BONUS."""
_CONTEXT_OF: Final = {facts: context for context, facts in _CONTEXTS.items()}
_INFINITE_AHEAD: Final = (8, 4)
"""Cards of an infinite deck that are drawn at once, and more of them for each spot."""
_ANY_CHART: Final = Strategy(cells=(("S",) * 10,) * len(HAND_LABELS))


class Decisions(NamedTuple):
    """A strategy for the kernel; the fields are those of `simulation.kernels.game.Game`."""

    choice: NDArray[np.uint16]
    by_count: NDArray[np.uint8]
    insures: NDArray[np.uint8]


class DecisionCell(NamedTuple):
    """One question that the kernel may have to answer."""

    number: int
    """Index in `Game.choice`."""
    context: int
    hand: ChartHand
    """The keyword arguments for a chart."""
    legal: tuple[Action, ...]


def lower_decisions(job: Job, least_count: int, most_count: int) -> Decisions:
    """Lower a job's chart and deviations for counts from `least_count` to `most_count`."""
    counts = range(least_count, most_count + 1)
    if job.deviations is not None:
        _check_indices(job.deviations, least_count, most_count)
    block = _count_entries(job.rules)
    size = block * (1 + loop_codes.RED_7 if job.rules.shows_hole else 1)
    choice = np.full(size, loop_codes.NOT_ASKED, np.uint16)
    numbers: dict[tuple[int, ...], int] = {}
    for cell in find_cells(job.rules):
        answers = tuple(ACTION_CODES[answer] for answer in _answers(job, cell, counts))
        if len(set(answers)) == 1:
            choice[cell.number] = answers[0]
        else:
            number = numbers.setdefault(answers, len(numbers))
            choice[cell.number] = loop_codes.FIRST_DEVIATION + number
    fill_red_7(choice)
    if job.rules.shows_hole:
        by_hole = choice.reshape(-1, block)
        by_hole[loop_codes.RED_7] = by_hole[6]
    rows = list(numbers) or [(loop_codes.NOT_ASKED,) * len(counts)]
    takes = [job.chart.takes_insurance] * len(counts)
    if job.deviations is not None:
        takes = [job.deviations.takes_insurance(job.chart, count) for count in counts]
    return Decisions(choice, np.array(rows, np.uint8).ravel(), np.array(takes, np.uint8))


def _count_entries(rules: Rules) -> int:
    """Return the number of entries of `Game.choice` for a hole card, seen or not."""
    return loop_codes.CONTEXTS * len(list_rows(rules)) * KINDS


def fill_red_7(choice: NDArray[np.unsignedinteger]) -> None:
    """Treat a red seven like any seven, in a table with the layout of `Game.choice`."""
    by_upcard = choice.reshape(-1, KINDS)
    by_upcard[:, loop_codes.RED_7] = by_upcard[:, 6]


def _answers(job: Job, cell: DecisionCell, counts: range) -> Iterator[Action]:
    strategy, hand = job.chart, cell.hand
    if job.deviations is None or not job.deviations.in_cell(**hand):
        yield strategy.decide(**hand, legal=cell.legal)
        return
    for count in counts:
        yield job.deviations.decide(strategy, **hand, count=count, legal=cell.legal)


def _check_indices(deviations: Deviations, least_count: int, most_count: int) -> None:
    indices = [play.index for play in deviations.plays]
    if deviations.insurance is not None:
        indices.append(deviations.insurance)
    for index in indices:
        if not least_count < index <= most_count:
            reason = f"counts are distinguished from {least_count} to {most_count}"
            raise UnsupportedRuleError(ENGINE, f"an index of {index}", reason)


def find_context(cards: int, split_rank: int, *, has_room: bool) -> int:
    """Return the context of a hand; room for one more hand counts with two cards only."""
    from_rank = split_rank if split_rank in (0, ACE) else _OTHER
    return _CONTEXT_OF[min(cards, 3), from_rank, cards == 2 and has_room]


def number_cell(context: int, row: int, kind: int, rows: int = ROWS) -> int:
    """Return the index in `Game.choice` of a row in a context, against a kind of upcard."""
    return (context * rows + row) * KINDS + kind


class LoopRow(NamedTuple):
    """A row of the tables: what the loop distinguishes of a hand."""

    state: int
    """Its number in `HANDS`."""
    pair_rank: int = 0
    cards: int = 0
    """Number of cards, counted up to a charlie or the last that a bonus names; 0 without them."""
    ranks: tuple[int, ...] = ()
    """The ranks of two or three cards, ascending, that are or may become 6 7 8 or 7 7 7."""

    @property
    def total(self) -> int:
        """Its total."""
        return HANDS.total[self.state]

    @property
    def is_soft(self) -> bool:
        """Whether an ace counts 11."""
        return HANDS.is_soft[self.state]


_PLAIN_ROWS: Final = (
    *map(LoopRow, range(PAIR_ROWS)),
    *(LoopRow(HANDS.state_of((rank, rank)), rank) for rank in RANKS),
)
_BONUS_RANKS: Final = ((6, 7), (6, 8), (7, 7), (7, 8), (6, 7, 8), (7, 7, 7))


@lru_cache(maxsize=32)
def list_rows(rules: Rules) -> tuple[LoopRow, ...]:
    """Return the rows of a game: states, then pairs; with charlies or bonuses, by these too."""
    if rules.bonuses is None and rules.charlie is None:
        return _PLAIN_ROWS
    rows = dict.fromkeys([LoopRow(EMPTY_HAND), *starmap(partial(_open_row, rules), _TWO_RANKS)])
    found = list(rows)
    for row in found:  # it grows
        if row.total and row.total < BUST_LIMIT:
            after = (_draw_row(rules, row, rank) for rank in RANKS)
            found += [new for new in after if new not in rows and not rows.update({new: None})]
    return tuple(found)


_TWO_RANKS: Final = tuple(product(RANKS, RANKS))


def _open_row(rules: Rules, first: int, second: int) -> LoopRow:
    """Return the row of two cards."""
    state, pair_rank = HANDS.state_of((first, second)), first if first == second else 0
    return LoopRow(state, pair_rank, _count_cards(rules, 2), _bonus_ranks(rules, (first, second)))


def _draw_row(rules: Rules, row: LoopRow, rank: int) -> LoopRow:
    """Return the row after one more card."""
    state = HANDS.next_state[row.state][rank]
    if state < 0:  # a bust hand takes no card
        return LoopRow(EMPTY_HAND)
    if HANDS.total[state] > BUST_LIMIT:
        return LoopRow(state)
    ranks = _bonus_ranks(rules, (*row.ranks, rank)) if row.ranks else ()
    return LoopRow(state, 0, _count_cards(rules, row.cards + 1), ranks)


def _count_cards(rules: Rules, cards: int) -> int:
    by_cards = () if rules.bonuses is None else rules.bonuses.by_cards
    return min(cards, max((number for number, _ in by_cards), default=rules.charlie or 0))


def _bonus_ranks(rules: Rules, ranks: tuple[int, ...]) -> tuple[int, ...]:
    ranks = tuple(sorted(ranks))
    return ranks if rules.bonuses is not None and ranks in _BONUS_RANKS else ()


def find_cells(rules: Rules) -> Iterator[DecisionCell]:
    """Iterate over the questions that a house may ask."""
    rows, block = list_rows(rules), _count_entries(rules)
    for context in range(loop_codes.CONTEXTS):
        for place, row in enumerate(rows):
            rank = row.pair_rank
            if row.total >= BUST_LIMIT or row.state == EMPTY_HAND or row.cards == rules.charlie:
                continue
            for up in RANKS:
                if legal := _find_legal(rules, context, row, up):
                    may_split = Action.SPLIT in legal or (
                        context == loop_codes.EARLY
                        and rank > 0
                        and predicates.most_hands_of(rules, rank) != 1
                    )
                    number = number_cell(context, place, up - 1, len(rows))
                    for hole in RANKS if rules.shows_hole else (0,):
                        if {up, hole} == {ACE, TEN}:
                            continue  # the round is over
                        hand = ChartHand(
                            total=row.total,
                            is_soft=row.is_soft,
                            pair_rank=rank if may_split else 0,
                            upcard=up,
                            hole=hole,
                            doubles=max(context - loop_codes.DOUBLED_ONCE + 1, 0),
                        )
                        at = number + block * max(hole - 1, 0)
                        yield DecisionCell(at, context, hand, legal)


def _find_legal(rules: Rules, context: int, row: LoopRow, upcard: int) -> tuple[Action, ...]:
    """Return the legal actions of a hand in a context; empty if there is no question."""
    pair_rank, total, is_soft = row.pair_rank, row.total, row.is_soft
    if context >= loop_codes.DOUBLED_ONCE:
        return _find_legal_doubled(rules, context - loop_codes.DOUBLED_ONCE + 1)
    if context == loop_codes.EARLY:
        is_asked = predicates.surrenders_before_look(rules, upcard)
        return (Action.SURRENDER, Action.NO_SURRENDER) if is_asked else ()
    cards, split_rank, has_room = _CONTEXTS[context]
    splits = (
        has_room
        and bool(pair_rank)
        and predicates.most_hands_of(rules, pair_rank) != 1
        and predicates.may_resplit(rules, split_rank)
    )
    if predicates.gets_one_card(rules, split_rank):
        return (Action.STAND, Action.SPLIT) if splits else ()
    legal = [Action.HIT]
    if predicates.may_stand(rules, total=total, split_rank=split_rank):
        legal.append(Action.STAND)
    if predicates.may_double(
        rules, cards=cards, total=total, is_soft=is_soft, split_rank=split_rank
    ):
        legal.append(Action.DOUBLE)
    if splits:
        legal.append(Action.SPLIT)
    if predicates.may_surrender(
        rules, upcard=upcard, cards=cards, split_rank=split_rank
    ) and not predicates.surrenders_before_look(rules, upcard):
        legal.append(Action.SURRENDER)
    return tuple(legal)


def _find_legal_doubled(rules: Rules, doubles: int) -> tuple[Action, ...]:
    """Return the legal actions of a hand that has doubled; empty if it is asked nothing."""
    if doubles > rules.max_doubles or not predicates.may_act_doubled(rules, doubles):
        return ()
    again = (Action.DOUBLE,) if doubles < rules.max_doubles else ()
    rescue = (Action.SURRENDER,) if rules.rescue else ()
    return (Action.STAND, *again, *rescue)


MOST_TRUE: Final = 40
"""True counts are distinguished from -40 to +40."""
_RUNNING_SWING: Final = 60
_MOST_SCALE: Final = 400
_MOST_TAG: Final = 20
"""Largest tag for which the kernel's integers are large enough, at the finest scale."""
_NUDGE: Final = 1 << 20
_ONE: Final = 1 << COUNT_BITS
CARD_OF_KIND: Final = (*["AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "7H"],)


class LoweredCount(NamedTuple):
    """A count for the kernel; the fields are those of `simulation.kernels.game.Game`."""

    tags: NDArray[np.int64]
    factor: NDArray[np.int64]
    least_count: int
    most_count: int
    add_positive: int
    add_negative: int
    start_count: int


def no_count(cards: int) -> LoweredCount:
    """Return the count of a player who does not count: every count is 0."""
    return LoweredCount(np.zeros(KINDS, np.int64), np.zeros(cards, np.int64), 0, 0, 0, 0, 0)


def lower_count(system: CountSystem, decks: int | None, cards: int) -> LoweredCount:
    """Lower a count for a shoe of `cards` cards."""
    if decks is None:
        reason = "an infinite deck never changes, so there is nothing to count"
        raise UnsupportedRuleError(ENGINE, f"count {system.name}", reason)
    scale = system.scale
    if scale > _MOST_SCALE:
        reason = f"its tags need steps of 1/{scale}, and the kernel's are 1/{_MOST_SCALE} at finest"
        raise UnsupportedRuleError(ENGINE, f"count {system.name}", reason)
    start = system.initial_count(decks)
    least, most = count_range(system, decks)
    add_positive, add_negative = _addends(system)
    return LoweredCount(
        tags=_pack_tags(system, scale),
        factor=np.array([_factor(system, scale, cards - dealt) for dealt in range(cards)]),
        least_count=least,
        most_count=most,
        add_positive=add_positive,
        add_negative=add_negative,
        start_count=_pack(int(start * scale), int(start * scale)),
    )


def count_range(system: CountSystem, decks: int) -> tuple[int, int]:
    """Return the smallest and the largest distinguished count; counts beyond are added to them.

    Raises: UnsupportedRuleError for tags that the kernel's integers cannot hold.
    """
    tags = (*system.tags, system.red_7 or Fraction(0), system.side_aces)
    largest = max(abs(tag) for tag in tags)
    if largest > _MOST_TAG:
        reason = f"it has tags of up to {write_chips(largest)}, and the kernel's are {_MOST_TAG}"
        raise UnsupportedRuleError(ENGINE, f"count {system.name}", f"{reason} at most")
    if system.by is CountBy.TRUE:
        return -MOST_TRUE, MOST_TRUE
    start = system.initial_count(decks)
    drift = decks * system.deck_sum
    low, high = min(start, start + drift), max(start, start + drift)
    return int(low) - _RUNNING_SWING, int(high) + _RUNNING_SWING


def _pack_tags(system: CountSystem, scale: int) -> NDArray[np.int64]:
    tags = np.zeros(KINDS, np.int64)
    for kind, card in enumerate(map(Card, CARD_OF_KIND)):
        tags[kind] = _pack(int(system.tag(card) * scale), int(system.betting_tag(card) * scale))
    return tags


def _pack(play: int, bet: int) -> int:
    """Pack both running counts into one word, so that one addition counts a card."""
    return (play << 32) + bet


def _factor(system: CountSystem, scale: int, cards_left: int) -> int:
    if system.by is CountBy.RUNNING:
        return round(Fraction(_ONE, scale))
    return round(Fraction(_ONE) / (scale * system.estimate_decks(cards_left)))


def _addends(system: CountSystem) -> tuple[int, int]:
    """Return the addends of counts from 0 and of counts below 0, before taking the floor."""
    if system.by is CountBy.RUNNING or system.rounding is Rounding.FLOOR:
        return _NUDGE, _NUDGE
    if system.rounding is Rounding.TRUNCATE:
        return _NUDGE, _ONE - _NUDGE
    return _ONE // 2 + _NUDGE, _ONE // 2 - _NUDGE


DEPTHS: Final = 8
_INFINITE_SHOE: Final = 1024
_INFINITE_CUT: Final = 960
_NEVER: Final = 10**6
_UNIT: Final = Fraction(1)
_MOST_CELLS: Final = 2_000_000


class Lowered(NamedTuple):
    """A job as the kernel's input, and the shape of its tally."""

    game: LoweredGame
    shape: tuple[int, int, int, int]
    """Depths, 2, counts, nets."""
    side: LoweredSide | None = None

    @property
    def busts_live(self) -> int:
        """By kind of upcard, a bit each: whether a bust hand is compared with the dealer."""
        return 0 if self.side is None else self.side.tables.busts_live


@lru_cache(maxsize=32)
def lower(job: Job) -> Lowered:
    """Lower a job."""
    rules, spots = job.rules, job.spots
    check_supported(rules)
    if rules.shows_hole and job.system is not None:
        reason = "it counts the hole card when the dealer turns it up"
        raise UnsupportedRuleError(ENGINE, "shows_hole=true with a count", reason)
    in_full = _deck(rules, has_red_7=job.system is not None and job.system.red_7 is not None)
    deck = in_full & np.uint8(KINDS - 1)
    size = len(deck)
    count = no_count(size) if job.system is None else lower_count(job.system, rules.decks, size)
    shape, unit, least_net = shape_tally(job, most_hands=MOST_HANDS)
    depths, _, counts, _ = shape
    decisions = lower_decisions(job, count.least_count, count.most_count)
    is_fresh = rules.shuffle is settings.Shuffle.EVERY_ROUND and not rules.is_infinite
    cut = _INFINITE_CUT if rules.is_infinite else int(size * rules.penetration)
    tens = rules.ten_probability
    rows = list_rows(rules)
    totals = [row.total for row in rows]
    is_casino = rules.deal_order is settings.DealOrder.CASINO
    has_hole = rules.hole_card is settings.HoleCard.PEEK
    hole_first = has_hole and rules.deal_order is settings.DealOrder.HANDS_HOLE_UP
    up_at = spots if is_casino else 2 * spots + hole_first
    hole_at = 2 * spots + (not hole_first) if has_hole else up_at
    game = LoweredGame(
        **decisions._asdict(),
        **count._asdict(),
        deck=deck,
        weights=np.array([9 * tens.numerator, tens.denominator - tens.numerator], np.int64),
        next_row=_draws(rules, rows),
        opening=_openings(rules, rows),
        total=np.array([total if total <= BUST_LIMIT else 0 for total in totals], np.uint8),
        doubling=_doublings(rules, rows),
        result_of=np.array([_find_result(rules, row) for row in rows], np.uint8),
        net_of=_nets(rules, unit),
        stops=_dealer_stops(rules, rows),
        dealer_result_of=np.array([_DEALER_NUMBERS.get(total, 0) for total in totals], np.uint8),
        pair_kind=np.array([max(row.pair_rank - 1, 0) for row in rows], np.uint8),
        depth=np.minimum(np.arange(size, dtype=np.int64) * depths // max(cut, 1), depths - 1),
        rows=len(rows),
        counts=counts,
        cut=_NEVER if is_fresh else cut,
        is_fresh=int(is_fresh),
        is_infinite=int(rules.is_infinite),
        shuffled_ahead=min(size, (4 + 4 * spots) if is_fresh else cut + 12 + 8 * spots),
        spots=spots,
        first_step=1 if is_casino else 2,
        second_at=spots + 1 if is_casino else 1,
        up_at=up_at,
        hole_at=hole_at,
        dealt=2 * spots + 1 + has_hole,
        has_hole=int(has_hole),
        seen=_count_entries(rules) if rules.shows_hole else 0,
        natural_takes=tuple(settings.NaturalTakes).index(rules.natural_takes),
        double_stake=rules.double_stake,
        free_splits=sum(1 << rank - 1 for rank in RANKS if predicates.splits_free(rules, rank)),
        insurance=int(rules.insurance),
        insurance_pays=int(rules.insurance_pays / 2 * unit),
        even_money=(
            settings.EvenMoney.NEVER,
            settings.EvenMoney.INSTEAD,
            settings.EvenMoney.FIRST,
        ).index(rules.even_money),
        early_surrender=sum(
            1 << up - 1 for up in RANKS if predicates.surrenders_before_look(rules, up)
        ),
        max_hands=rules.max_hands or MOST_HANDS + 1,
        max_ace_hands=rules.max_ace_hands or rules.max_hands or MOST_HANDS + 1,
        unit=unit,
        least_net=least_net,
        enter=_NEVER if job.enter is None else job.enter,
        leave=-_NEVER if job.leave is None else job.leave,
        starts_seated=int(job.enter is None),
    )
    needs_suits = game.result_of.max() >= loop_codes.RESULTS
    is_odd = needs_suits or rules.busts_live or rules.switch or predicates.may_act_doubled(rules, 1)
    if not rules.side_bets and not is_odd:
        return Lowered(game, shape)
    odd = _bonuses_by_suit(rules.bonuses), _worths(rules, job.chart)
    return Lowered(game, shape, lower_side_bets(rules, game, in_full, job.chunk_rounds, *odd))


def shape_tally(job: Job, *, most_hands: int) -> tuple[tuple[int, int, int, int], int, int]:
    """Return the shape of a job's tally, the unit of its nets, and its least net.

    A hand is split into at most `most_hands` if the house has no limit.
    """
    rules = job.rules
    insurance = rules.insurance_pays / 2
    paid = [row[0].won for row in payoffs_of(rules).rows]  # against a total
    bonuses = () if rules.bonuses is None else rules.bonuses.pays
    unit = math.lcm(2, insurance.denominator, *(pay.denominator for pay in (*paid, *bonuses)))
    hands = most_hands if rules.max_hands is None else rules.max_hands
    # Every hand doubled and lost or a charlie, or naturals, and insurance.
    naturals = 1 if rules.split_naturals is settings.SplitNaturals.NEVER else hands
    stake = rules.double_stake * 2 ** (rules.max_doubles - 1)
    doubled = hands * max(stake * max(_UNIT, paid[Special.CHARLIE]), *bonuses, _UNIT)
    natural = naturals * max(paid[Special.NATURAL], paid[Special.SUITED_NATURAL])
    best = max(doubled, natural) + max(_UNIT, insurance)
    most = int(best * unit) * job.spots
    counts = 1
    if job.system is not None:
        least, greatest = count_range(job.system, rules.decks or 1)
        counts = greatest - least + 1
    nets = 2 * most + 1
    depths = 1 if rules.shuffle is settings.Shuffle.EVERY_ROUND else DEPTHS
    if depths * 2 * counts * nets > _MOST_CELLS:
        depths = 1
    return (depths, 2, counts, nets), unit, -most


def _deck(rules: Rules, *, has_red_7: bool) -> NDArray[np.uint8]:
    """Return the cards of a full shoe, as bytes of `simulation.kernels.side_results`."""
    if rules.decks is None:
        return np.zeros(_INFINITE_SHOE, np.uint8)
    faces = [place for place, count in enumerate(rules.full_deck.faces) if count]
    cards = [
        write_card(suit * len(FACES) + face, has_red_7=has_red_7)
        for suit in range(len(SUITS))
        for face in faces
    ]
    return np.array(cards * rules.decks, np.uint8)


def _find_result(rules: Rules, row: LoopRow) -> int:
    """Return an entry of `LoweredGame.result_of`."""
    if row.cards == rules.charlie:
        return loop_codes.BONUS
    if row.total != BUST_LIMIT or rules.player_21 is not settings.Player21.ALWAYS_WINS:
        return row.total if row.total <= BUST_LIMIT else 0
    if (bonuses := rules.bonuses) is None:
        return loop_codes.WON
    of_678, of_777, v_7 = _list_pays_by_suit(bonuses)
    if row.ranks == (6, 7, 8) and len(set(of_678)) > 1:
        return loop_codes.BY_SUIT_678
    if row.ranks == (7, 7, 7) and len({*of_777, *v_7}) > 1:
        return loop_codes.BY_SUIT_777
    return _result_of_pay(bonuses, bonuses.pay_of_ranks(row.ranks or (0,) * row.cards))


def _result_of_pay(bonuses: Bonuses, pay: Fraction) -> int:
    if pay == _UNIT:
        return loop_codes.WON
    return loop_codes.BONUS + bonuses.uneven_pays.index(pay)


def _list_pays_by_suit(bonuses: Bonuses) -> tuple[BySuit, BySuit, BySuit]:
    """Return the pays of 6 7 8, of 7 7 7, and of those against a 7 if the hand was not split."""
    best = bonuses.suited_777_v_7
    v_7 = bonuses.of_777 if best is None else BySuit(bonuses.of_777.mixed, best, best)
    return bonuses.of_678, bonuses.of_777, v_7


def _bonuses_by_suit(bonuses: Bonuses | None) -> NDArray[np.uint8]:
    """Return `SideTables.bonus_of`."""
    if bonuses is None:
        return np.zeros(0, np.uint8)
    pays = (pay for by_suits in _list_pays_by_suit(bonuses) for pay in by_suits)
    return np.array([_result_of_pay(bonuses, pay) for pay in pays], np.uint8)


def _worths(rules: Rules, chart: Strategy) -> NDArray[np.int32]:
    """Return `SideTables.worths`."""
    if not rules.switch:
        return np.zeros(0, np.int32)
    worths = np.zeros((2, KINDS, KINDS, KINDS), np.int32)
    pays = average_natural_pay(rules)
    for kinds in product(range(len(RANK_OF_KIND)), repeat=3):
        up, *hand = (RANK_OF_KIND[kind] for kind in kinds)
        worths[0, *kinds] = chart.worth((hand[0], hand[1]), up, natural_pays=pays)
        worths[1, *kinds] = chart.worth((hand[0], hand[1]), up)
    return worths.ravel()


def _nets(rules: Rules, unit: int) -> NDArray[np.int64]:
    """Return `LoweredGame.net_of`: the payoffs of the house, by the numbers of the loop."""
    rows = payoffs_of(rules).rows
    hands = (Special.BUST, Special.LIVING_BUST, *range(2, BUST_LIMIT + 1), *_SPECIAL)
    columns = (DealerEnd.BUST, *range(1, BUST_LIMIT + 1), DealerEnd.NATURAL, DealerEnd.TWENTY_TWO)
    bonuses = () if rules.bonuses is None else rules.bonuses.uneven_pays
    nets = np.zeros((loop_codes.WAGERS, loop_codes.DEALERS, loop_codes.RESULTS), np.int64)
    for wager, lines in enumerate(nets):
        doubles = bool(wager & loop_codes.DOUBLED) + (wager >> loop_codes.AGAIN_SHIFT)
        raised = sum(predicates.raise_of_double(rules, _UNIT, number) for number in range(doubles))
        paid = not wager & loop_codes.GIVEN_HAND, raised * (not wager & loop_codes.FREELY)
        stake, pays_on = Fraction(sum(paid) * unit), Fraction((1 + raised) * unit)
        for line, column in zip(lines, columns, strict=True):
            line[: len(hands)] = [int(rows[hand][column].net(stake, pays_on)) for hand in hands]
            for place, pay in enumerate(bonuses, loop_codes.BONUS):
                line[place] = int(pays_on * (1 if doubles else pay))
    return nets.ravel()


def _doublings(rules: Rules, rows: tuple[LoopRow, ...]) -> NDArray[np.uint8]:
    """Return `LoweredGame.doubling`."""
    doublings = np.full((loop_codes.CONTEXTS, len(rows)), loop_codes.DOUBLED, np.uint8)
    doublings[loop_codes.DOUBLED_ONCE :] = 1 << loop_codes.AGAIN_SHIFT
    for context, (cards, _, _) in _CONTEXTS.items():
        for place, row in enumerate(rows):
            if predicates.doubles_free(rules, cards=cards, total=row.total, is_soft=row.is_soft):
                doublings[context, place] |= loop_codes.FREELY
    return doublings.ravel()


def _dealer_stops(rules: Rules, rows: tuple[LoopRow, ...]) -> NDArray[np.uint8]:
    draws = [predicates.dealer_draws(rules, row.total, is_soft=row.is_soft) for row in rows]
    return np.logical_not(draws).astype(np.uint8)


def _openings(rules: Rules, rows: tuple[LoopRow, ...]) -> NDArray[np.uint8]:
    place_of = {row: place for place, row in enumerate(rows)}
    opening = np.zeros((KINDS, KINDS), np.uint8)
    for (first, rank), (second, other) in product(enumerate(RANK_OF_KIND), repeat=2):
        opening[first, second] = place_of[_open_row(rules, rank, other)]
    return opening.ravel()


def _draws(rules: Rules, rows: tuple[LoopRow, ...]) -> NDArray[np.uint8]:
    """Return `LoweredGame.next_row`."""
    place_of = {row: place for place, row in enumerate(rows)}
    after = np.zeros((len(rows), KINDS), np.uint8)
    for place, row in enumerate(rows):
        for kind, rank in enumerate(RANK_OF_KIND):
            after[place, kind] = place_of.get(_draw_row(rules, row, rank), 0)
    return after.ravel()


def lower_asked(rules: Rules, *, system: CountSystem | None = None, spots: int = 1) -> LoweredGame:
    """Lower a game whose player is asked: `choice` has a bit for each legal answer of a cell."""
    from upcard.rules.engines import check  # a run does without it

    check(rules, settings.EngineName.CELLS, ENGINE)
    game = lower(Job(rules=rules, strategy=_ANY_CHART, seed=0, system=system, spots=spots)).game
    bits = np.zeros(len(game.choice), np.uint16)
    for cell in find_cells(rules):
        for action in cell.legal:
            bits[cell.number] |= 1 << ACTION_CODES[action]
    for row in range(ROWS):
        number = number_cell(loop_codes.EARLY, row, loop_codes.INSURANCE_KIND)
        bits[number] = 1 << loop_codes.STAND | 1 << loop_codes.INSURE
    fill_red_7(bits)
    ahead = game.shuffled_ahead
    if rules.is_infinite:
        ahead = _INFINITE_AHEAD[0] + spots * _INFINITE_AHEAD[1]
    return game._replace(choice=bits, shuffled_ahead=ahead)
