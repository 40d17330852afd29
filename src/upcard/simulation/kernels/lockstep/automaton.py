"""A round of one spot as an automaton: what to do next is one look into a table.

It is lowered from the arrays of a `LoweredGame`, so no rule is named here. A *step* is a number of
16 bits that stands for all that the rest of a round depends on:

- below `ENDS`: a state that draws a card; the next step is `draw[step * DRAWN_KINDS + kind]`.
- `ENDS + outcome`: the round is over; `net_of[outcome]` and `extra_of[outcome]` are its sums.
- `ASKS + question`: no card; the count decides. The answer is
  `by_count[question_row[question] * counts + count]`, with the count as `count_play` gives it
  without the hole card, and the next step is `after_answer[question * ANSWERS + answer]`.
- `SPLITS + kind + KINDS * insured`: a hand of two cards of `kind` is split; two cards are drawn.
- `NOTES + result + RESULTS * wager`: a hand of a split round is finished, with a result and a
  wager as in `loop_codes`, but for its bit `GIVEN_HAND`.
- `DEALT + result`: the dealer's hand of a split round is finished.

A round starts with `start[pair_of[first * KINDS + second] + back_of[up * KINDS + hole]]`; where no
hole card is dealt, any card may stand in its place.

A split round keeps its hands in a few numbers outside the automaton, as the direct loop does
(`simulation.kernels.simulator`): the number of hands, those that wait, those that are done. Its
hands walk the same tables: the step of a hand of two cards is
`split_step[(context * rows + row) * KINDS + up]`, where the context is one of those for hands of a
split with or without room for another. A dealer who must draw for it starts with
`rest_of[dealer_row]`.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import inlined_kernel
from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import KINDS, MOST_HANDS, LoweredGame
from upcard.simulation.kernels.lockstep.lane_luck import FIELDS as LUCK_FIELDS
from upcard.simulation.kernels.lockstep.lane_luck import (
    INSURES,
    REST,
    LaneLuck,
    LuckSteps,
    answer_insurance,
    draw_for_hands,
    draw_for_split,
    split_in_lane,
)
from upcard.simulation.kernels.lockstep.lane_luck import NET as LUCK_NET
from upcard.simulation.kernels.loop_codes import RESULTS
from upcard.simulation.kernels.luck import find_double, find_hit
from upcard.simulation.kernels.randomness import at, whole
from upcard.simulation.kernels.references import MEAN_BITS, ZERO_ROW, References, find_line
from upcard.simulation.kernels.round_steps import (
    count_added,
    count_play,
    find_doubled_context,
    find_stake,
    natural_matters,
    return_added_bets,
    settle_hand,
)

NO_HOLE, HIDDEN_HOLE = -1, -2


class Hole(NamedTuple):
    """Facts of a round from its deal on."""

    up: int
    dealer_row: int
    """The row of upcard and hole card, `NO_HOLE`, or `HIDDEN_HOLE` after a peek: see `TurnUp`."""
    insured: int


class Hit(NamedTuple):
    """The player draws one card and may go on."""

    row: int
    hole: Hole


class Double(NamedTuple):
    """The player draws one card at the wager of a double."""

    row: int
    wager: int
    hole: Hole


class Dealer(NamedTuple):
    """The dealer draws against one hand."""

    result: int
    wager: int
    row: int
    insured: int


class DrawHole(NamedTuple):
    """The dealer draws the hole card after one hand was played."""

    result: int
    wager: int
    hole: Hole


class TurnUp(NamedTuple):
    """The dealer turns up the hole card after one hand was played; no card is drawn.

    Only with luck: values before it do not go by the hole card.
    """

    result: int
    wager: int
    hole: Hole


class SplitHit(NamedTuple):
    """A hand of a split draws one card and may go on."""

    context: int
    row: int
    up: int


class SplitDouble(NamedTuple):
    """A hand of a split draws one card at the wager of a double."""

    row: int
    wager: int
    up: int
    """The upcard if the hand is asked again or may live though it is bust, else 0."""


class Rest(NamedTuple):
    """The dealer draws for a split round."""

    row: int


State = Hit | Double | Dealer | DrawHole | TurnUp | SplitHit | SplitDouble | Rest


ENDS: Final = 1 << 15
"""From this number on, a step draws no card by the table `draw`."""
RARE: Final = 1 << 14
"""The bit of the steps from `ENDS` on that do not end the round."""
ASKS: Final = ENDS + RARE + (1 << 13)
SPLITS: Final = ENDS + RARE
NOTES: Final = SPLITS + (1 << 11)
DEALT: Final = NOTES + (1 << 11)
MOST_STATES: Final = 1 << 14
MOST_QUESTIONS: Final = 1 << 13
OUTCOMES: Final = 32
"""Most outcomes; outcome 0 stands for rounds whose sums were added up elsewhere."""
DRAWN_KINDS: Final = 12
"""Columns of the table `draw`: fewer than `KINDS`, because it is larger than the fastest cache."""
ANSWERS: Final = 8


class Automaton(NamedTuple):
    """The tables of the automaton; see the module for the steps."""

    draw: NDArray[np.uint16]
    """By state * DRAWN_KINDS + kind: the step after one more card."""
    pair_of: NDArray[np.uint16]
    """By first * KINDS + second: the player's part of an index in `start`."""
    back_of: NDArray[np.uint16]
    """By up * KINDS + hole: the dealer's part of an index in `start`."""
    start: NDArray[np.uint16]
    """The step after the opening deal."""
    question_row: NDArray[np.uint16]
    """By question: its row of `by_count`."""
    by_count: NDArray[np.uint8]
    """By row * counts + count: an answer. The deviations, then whether to insure."""
    after_answer: NDArray[np.uint16]
    """By question * ANSWERS + answer: the step; 0 where the answer is never given."""
    split_step: NDArray[np.uint16]
    """As `LoweredGame.choice`: the step of a hand of two cards after a split."""
    rest_of: NDArray[np.uint16]
    """By the dealer's row: the step of a dealer who draws for a split round."""
    net_of: NDArray[np.int64]
    """By outcome: the net of the round in 1/unit."""
    extra_of: NDArray[np.int64]
    """By outcome: the half bets added."""

    @property
    def states(self) -> int:
        """Number of states that draw a card."""
        return len(self.draw) // DRAWN_KINDS


class NoFitError(Exception):
    """A game that the automaton does not hold; the message is the reason."""


def build_automaton(game: LoweredGame, busts_live: int) -> Automaton:
    """Lower a game of one spot; `busts_live` is as in `SideTables`."""
    if game.spots > 1:
        raise NoFitError("rounds of several spots")
    if game.seen:
        raise NoFitError("a hole card that players see")
    if game.result_of.max() >= RESULTS:
        raise NoFitError("bonuses by suit need the cards of each round")
    return _AutomatonBuilder(game, busts_live).build()


def build_with_luck(
    game: LoweredGame, busts_live: int, tables: References
) -> tuple[Automaton, LuckSteps]:
    """Lower a game of one spot, and find the rows of references that its steps need."""
    if game.has_hole and game.early_surrender:
        raise NoFitError("luck where a hand surrenders before the dealer looks")
    builder = _AutomatonBuilder(game, busts_live, hides=game.has_hole > 0)
    automaton = builder.build()
    infos = {up: int(tables.info_of[up * KINDS]) for up in builder.kinds}

    def find(state: State) -> tuple[int, int]:
        """Return the row of a state, and its number in a split round."""
        match state:
            case Hit(row, hole):
                return find_hit(tables, 0, row, infos[hole.up]), 0
            case Double(row, wager, hole):
                return find_double(tables, wager, row, infos[hole.up]), 0
            case Dealer(result, wager, row, _):
                return int(tables.dealer[(wager * RESULTS + result) * game.rows + row]), 0
            case DrawHole(result, wager, hole) | TurnUp(result, wager, hole):
                place = (wager * RESULTS + result) * KINDS + hole.up
                return int(tables.holes[place * 2 + hole.insured]), 0
            case SplitHit(context, row, _):
                return ZERO_ROW, find_line(context, 0) * game.rows + row
            case SplitDouble(row, wager, _):
                return ZERO_ROW, -1 - (wager * game.rows + row)
            case Rest(row):
                return ZERO_ROW, REST + row

    rows, splits = zip(*map(find, builder.found), strict=True)
    turns = np.array([isinstance(state, TurnUp) for state in builder.found], np.int32)
    nets = automaton.net_of.copy()
    nets[0] = 0
    return automaton, LuckSteps(
        tables=tables,
        row_of=np.array(rows, np.int32) * 2 + turns,
        split_of=np.array(splits, np.int32),
        net_of=nets << (tables.bits + MEAN_BITS),
        insures=INSURES[bool(game.insurance and game.insures.max()), bool(game.insures.min())],
    )


class _AutomatonBuilder:
    """Finds all states that a round can reach, from the deal on."""

    def __init__(self, game: LoweredGame, busts_live: int, *, hides: bool = False) -> None:
        self.game, self.hides = game, hides
        self.busts_live = busts_live
        self.kinds = range(10) if game.is_infinite else sorted(set(game.deck.tolist()))
        self.next_row: list[list[int]] = game.next_row.reshape(-1, KINDS).tolist()
        self.opening: list[list[int]] = game.opening.reshape(-1, KINDS).tolist()
        self.total: list[int] = game.total.tolist()
        self.result_of: list[int] = game.result_of.tolist()
        self.stops: list[int] = game.stops.tolist()
        self.dealer_result_of: list[int] = game.dealer_result_of.tolist()
        self.doubling: list[list[int]] = game.doubling.reshape(-1, game.rows).tolist()
        self.pair_kind: list[int] = game.pair_kind.tolist()
        self.choice: list[list[list[int]]] = game.choice.reshape(
            loop_codes.CONTEXTS, game.rows, KINDS
        ).tolist()
        doubled = self.choice[loop_codes.DOUBLED_ONCE]
        self.asks_doubled = any(set(line) != {loop_codes.NOT_ASKED} for line in doubled)
        self.follows_doubled = self.asks_doubled or busts_live > 0
        rows = np.vstack((game.by_count.reshape(-1, game.counts), game.insures))
        self.by_count: NDArray[np.uint8] = np.ascontiguousarray(rows)
        self.answers: list[list[int]] = [sorted(set(row)) for row in rows.tolist()]
        finals = [t for t, stop in zip(self.total, self.stops, strict=True) if stop and t > 0]
        self.least_final: int = min(finals)
        self.states: dict[tuple[type, State], int] = {}
        self.found: list[State] = []
        self.questions: dict[tuple[object, ...], int] = {}
        self.question_row: list[int] = []
        self.after_answer: list[list[int]] = []
        self.outcomes: dict[tuple[int, int], int] = {(-1, -1): 0}
        self.split_step = np.zeros((loop_codes.CONTEXTS, game.rows, KINDS), np.uint16)
        self.splits: set[tuple[int, int, int]] = set()
        self.to_split: list[tuple[int, int, int]] = []

    def build(self) -> Automaton:
        """Lower the game."""
        pair_of, back_of, start = self._deal()
        rest_of = np.zeros(self.game.rows, np.uint16)
        for up in self.kinds:
            for hole in self.kinds:
                row = self.opening[up][hole]
                rest_of[row] = self._rest(row)
        draw: list[list[int]] = []
        while len(draw) < len(self.found) or self.to_split:
            while self.to_split:
                self._split_hands(*self.to_split.pop())
            if len(draw) < len(self.found):
                line = [0] * DRAWN_KINDS
                for kind in self.kinds:
                    line[kind] = self._step(self.found[len(draw)], kind)
                draw.append(line)
        return Automaton(
            draw=np.array(draw or [[0] * DRAWN_KINDS], np.uint16).ravel(),
            pair_of=pair_of,
            back_of=back_of,
            start=start,
            question_row=np.array(self.question_row or [0], np.uint16),
            by_count=self.by_count.ravel(),
            after_answer=np.array(self.after_answer or [[0] * ANSWERS], np.uint16).ravel(),
            split_step=self.split_step.ravel(),
            rest_of=rest_of,
            net_of=np.array([net for net, _ in self.outcomes], np.int64),
            extra_of=np.array([extra for _, extra in self.outcomes], np.int64),
        )

    def _deal(self) -> tuple[NDArray[np.uint16], NDArray[np.uint16], NDArray[np.uint16]]:
        """Return `pair_of`, `back_of` and `start`: hands of one row are one."""
        has_hole = self.game.has_hole
        hands: dict[int, int] = {}
        backs: dict[tuple[int, int], int] = {}
        pair_of = np.zeros((KINDS, KINDS), np.uint16)
        back_of = np.zeros((KINDS, KINDS), np.uint16)
        for one in self.kinds:
            for other in self.kinds:
                row = self.opening[one][other]
                pair_of[one, other] = hands.setdefault(row, len(hands))
                back = (one, row if has_hole else NO_HOLE)
                back_of[one, other] = backs.setdefault(back, len(backs))
        start = [self._start(row, up, dealer) for row in hands for up, dealer in backs]
        return (pair_of * len(backs)).ravel(), back_of.ravel(), np.array(start, np.uint16)

    # Steps of a round, in the order of the direct loop.

    def _start(self, row: int, up: int, dealer_row: int) -> int:
        game = self.game
        insures = self.answers[-1] if up == loop_codes.ACE and game.insurance else [0]
        if len(insures) == 1:
            return self._offer(row, up, dealer_row, insures[0])
        after = {answer: self._offer(row, up, dealer_row, answer) for answer in insures}
        return self._ask_count(("insurance", row, up, dealer_row), len(self.by_count) - 1, after)

    def _offer(self, row: int, up: int, dealer_row: int, insures: int) -> int:
        """Offer early surrender, once insurance is answered."""
        is_natural = self.total[row] == 21
        insured = int(insures and not (is_natural and self.game.even_money))
        hole = Hole(up, dealer_row, insured)
        if is_natural:
            even = int(insures and self.game.even_money > 0)
            return self._peek(row, hole, loop_codes.NATURAL + even)
        if not (self.game.early_surrender >> up) & 1:
            return self._peek(row, hole, 0)
        action = self.choice[loop_codes.EARLY][row][up]
        after = {
            answer: self._peek(row, hole, loop_codes.SURRENDERED * (answer == loop_codes.SURRENDER))
            for answer in self._possible(action)
        }
        return self._choose(("early", row, hole), action, after)

    def _peek(self, row: int, hole: Hole, result: int) -> int:
        """Let the dealer look at the hole card; `result` is 0 for a hand that is still to play."""
        if hole.dealer_row != NO_HOLE and self.total[hole.dealer_row] == 21:
            return self._settle(result, 0, loop_codes.DEALER_NATURAL, hole.insured)
        if self.hides:
            hole = hole._replace(dealer_row=HIDDEN_HOLE)
        if result:
            return self._finish(result, 0, hole)
        return self._play(loop_codes.FIRST_TWO, row, hole)

    def _play(self, context: int, row: int, hole: Hole, wager: int = 0) -> int:
        action = self.choice[context][row][hole.up]
        after = {
            answer: self._act(answer, context, row, hole, wager)
            for answer in self._possible(action)
        }
        return self._choose(("play", context, row, hole, wager), action, after)

    def _act(self, action: int, context: int, row: int, hole: Hole, wager: int) -> int:
        if action == loop_codes.HIT:
            return self._go(Hit(row, hole))
        if action == loop_codes.DOUBLE:
            return self._go(Double(row, wager + self.doubling[context][row], hole))
        if action == loop_codes.SPLIT:
            return self._split(row, hole.up, is_aces=False) + KINDS * hole.insured
        if action == loop_codes.SURRENDER:
            return self._finish(loop_codes.SURRENDERED, wager, hole)
        return self._finish(self._result(row, hole.up), wager, hole)

    def _play_doubled(self, row: int, wager: int, hole: Hole) -> int:
        if self.asks_doubled:
            return self._play(find_doubled_context(wager), row, hole, wager)
        return self._finish(self._result(row, hole.up), wager, hole)

    def _result(self, row: int, up: int) -> int:
        return self.result_of[row] or loop_codes.LIVING_BUST * ((self.busts_live >> up) & 1)

    def _finish(self, result: int, wager: int, hole: Hole) -> int:
        """Go on with the dealer after the player's only hand."""
        game = self.game
        is_live = 0 < result < loop_codes.NATURAL
        if is_live and hole.dealer_row == HIDDEN_HOLE:
            return self._go(TurnUp(self._class_of(result), wager, hole))
        if hole.dealer_row != NO_HOLE:
            if is_live:
                return self._dealer(result, wager, hole.dealer_row, hole.insured)
            return self._settle(result, wager, 0, hole.insured)
        takes_original = game.natural_takes == loop_codes.TAKES_ORIGINAL
        may_have_natural = hole.up in (loop_codes.ACE, loop_codes.TEN) and (
            hole.insured
            or natural_matters(game.net_of, result)
            or (takes_original and result == 0 and find_stake(game, wager) > game.unit)
        )
        if is_live or may_have_natural:
            # Only the insurance of a round and its result matter from here on.
            return self._go(DrawHole(self._class_of(result), wager, hole))
        return self._settle(result, wager, 0, hole.insured)

    def _dealer(self, result: int, wager: int, row: int, insured: int) -> int:
        if self.stops[row]:
            return self._settle(result, wager, self.dealer_result_of[row], insured)
        return self._go(Dealer(self._class_of(result), wager, row, insured))

    def _class_of(self, result: int) -> int:
        """Return one total for all that are below every dealer who stops and is not bust."""
        if result in (0, loop_codes.LIVING_BUST) or result >= self.least_final:
            return result
        return self.least_final - 1

    def _settle(self, result: int, wager: int, dealer: int, insured: int) -> int:
        game = self.game
        net = int(settle_hand(game.net_of, result, wager, dealer))
        has_natural = dealer == loop_codes.DEALER_NATURAL
        if has_natural and game.natural_takes:
            net, _ = return_added_bets(game.natural_takes, result, net, game.unit, charged=0)
        if insured:
            net += game.insurance_pays if has_natural else -(game.unit // 2)
        return self._end(net, insured + count_added(wager, game.double_stake))

    # Steps of a split round.

    def _split(self, row: int, up: int, *, is_aces: bool) -> int:
        kind = self.pair_kind[row]
        more = loop_codes.ACES_MORE if is_aces or kind == loop_codes.ACE else loop_codes.SPLIT_MORE
        if (kind, up, more) not in self.splits:
            self.splits.add((kind, up, more))
            self.to_split.append((kind, up, more))
        return SPLITS + kind

    def _split_hands(self, kind: int, up: int, more: int) -> None:
        """Find the steps of all hands that a split can begin."""
        for other in self.kinds:
            row = self.opening[kind][other]
            for context in (more, more + 1):
                self.split_step[context, row, up] = self._play_split(context, row, up)

    def _play_split(self, context: int, row: int, up: int, wager: int = 0) -> int:
        action = self.choice[context][row][up]
        after = {
            answer: self._act_split(answer, context, row, up, wager)
            for answer in self._possible(action)
        }
        return self._choose(("split", context, row, up, wager), action, after)

    def _act_split(self, action: int, context: int, row: int, up: int, wager: int) -> int:
        is_aces = context >= loop_codes.ACES_MORE
        if action == loop_codes.HIT:
            later = loop_codes.ACES_LATER if is_aces else loop_codes.SPLIT_LATER
            return self._go(SplitHit(later, row, up))
        if action == loop_codes.DOUBLE:
            raised = wager + self.doubling[context][row]
            return self._go(SplitDouble(row, raised, up if self.follows_doubled else 0))
        if action == loop_codes.SPLIT:
            return self._split(row, up, is_aces=is_aces)
        is_surrender = action == loop_codes.SURRENDER
        result = loop_codes.SURRENDERED if is_surrender else self._result(row, up)
        return NOTES + RESULTS * wager + result

    def _rest(self, row: int) -> int:
        if self.stops[row]:
            return DEALT + self.dealer_result_of[row]
        return self._go(Rest(row))

    # The tables.

    def _step(self, state: State, kind: int) -> int:
        """Return the step of a state after one more card."""
        match state:
            case Hit(row, hole):
                return self._play(loop_codes.LATER, self.next_row[row][kind], hole)
            case Double(row, wager, hole):
                return self._play_doubled(self.next_row[row][kind], wager, hole)
            case Dealer(result, wager, row, insured):
                return self._dealer(result, wager, self.next_row[row][kind], insured)
            case DrawHole(result, wager, hole):
                row = self.opening[hole.up][kind]
                if self.total[row] == 21:
                    return self._settle(result, wager, loop_codes.DEALER_NATURAL, hole.insured)
                if 0 < result < loop_codes.NATURAL:
                    return self._dealer(result, wager, row, hole.insured)
                return self._settle(result, wager, self.total[row], hole.insured)
            case TurnUp(result, wager, hole):
                return self._dealer(result, wager, self.opening[hole.up][kind], hole.insured)
            case SplitHit(context, row, up):
                return self._play_split(context, self.next_row[row][kind], up)
            case SplitDouble(row, wager, up):
                row = self.next_row[row][kind]
                if self.asks_doubled:
                    return self._play_split(find_doubled_context(wager), row, up, wager)
                return NOTES + RESULTS * wager + self._result(row, up)
            case Rest(row):
                return self._rest(self.next_row[row][kind])

    def _possible(self, action: int) -> list[int]:
        """Return the answers that a cell of `choice` may give."""
        if action < loop_codes.FIRST_DEVIATION:
            return [action]
        return self.answers[action - loop_codes.FIRST_DEVIATION]

    def _choose(self, key: tuple[object, ...], action: int, after: dict[int, int]) -> int:
        if action < loop_codes.FIRST_DEVIATION:
            return after[action]
        return self._ask_count(key, action - loop_codes.FIRST_DEVIATION, after)

    def _ask_count(self, key: tuple[object, ...], row: int, after: dict[int, int]) -> int:
        if len(set(after.values())) == 1:
            return next(iter(after.values()))
        if key not in self.questions:
            if len(self.questions) == MOST_QUESTIONS:
                raise NoFitError(f"a round has more than {MOST_QUESTIONS} questions to the count")
            self.questions[key] = len(self.questions)
            self.question_row.append(row)
            self.after_answer.append([after.get(answer, 0) for answer in range(ANSWERS)])
        return ASKS + self.questions[key]

    def _go(self, state: State) -> int:
        # With its type: tuples of different types may be equal.
        number = self.states.setdefault((type(state), state), len(self.found))
        if number == len(self.found):
            if number == MOST_STATES:
                raise NoFitError(f"a round has more than {MOST_STATES} states")
            self.found.append(state)
        return number

    def _end(self, net: int, extra: int) -> int:
        outcome = self.outcomes.setdefault((net, extra), len(self.outcomes))
        if outcome == OUTCOMES:
            raise NoFitError(f"a round has more than {OUTCOMES - 1} outcomes")
        return ENDS + outcome


HANDS, WAITING, DONE, MORE, EXTRA, LIVE, INSURED, BUSTED, LATER_WAGER = range(9)
"""Hands in all, those that wait and those that are done; sums of those that are done; and the wager
of every hand but the first, unless it doubles."""
ROWS: Final = 16
"""From here on the rows of the hands that wait, then results and wagers of those that are done."""
ENDED: Final = ROWS + MOST_HANDS
ENDED_WAGERS: Final = ENDED + MOST_HANDS
HAND_FIELDS: Final = ENDED_WAGERS + MOST_HANDS
"""Numbers that a split round keeps; those before the rows are 0 before and after it."""


@inlined_kernel
def forget_hands(hands: NDArray[np.int64]) -> None:
    """Forget the hands of a round, for the next one."""
    for field in range(ROWS):
        hands[field] = 0


@inlined_kernel
def note_result(game: LoweredGame, hands: NDArray[np.int64], kept: int) -> None:
    """Note the wager and the result of a finished hand, by the number of its step above `NOTES`."""
    wager, result = kept // RESULTS, kept % RESULTS
    if hands[DONE] > 0:
        wager += hands[LATER_WAGER]
    if result == 0:
        hands[BUSTED] += 1 + int(find_stake(game, wager) > game.unit)
    elif result < loop_codes.NATURAL:
        hands[LIVE] += 1
    hands[ENDED + hands[DONE]] = result
    hands[ENDED_WAGERS + hands[DONE]] = wager
    hands[DONE] += 1
    hands[EXTRA] += count_added(wager, game.double_stake)


@inlined_kernel
def needs_hole(hands: NDArray[np.int64], up: int, natural_takes: int) -> bool:
    """Whether the dealer draws a second card: for live hands, or to see a natural that matters."""
    if hands[LIVE] > 0:
        return True
    if up != loop_codes.ACE and up != loop_codes.TEN:  # noqa: PLR1714 (a tuple is slower here)
        return False
    takes_original = natural_takes == loop_codes.TAKES_ORIGINAL
    return hands[INSURED] > 0 or (takes_original and hands[BUSTED] > 1)


@inlined_kernel
def settle_hands(game: LoweredGame, hands: NDArray[np.int64], dealer: int) -> int:
    """Return the net of a split round, its insurance included."""
    has_natural = dealer == loop_codes.DEALER_NATURAL
    net, charged = 0, 0
    if hands[INSURED] > 0:
        net = game.insurance_pays if has_natural else -(game.unit // 2)
    for hand in range(hands[DONE]):
        result = hands[ENDED + hand]
        hand_net = settle_hand(game.net_of, result, hands[ENDED_WAGERS + hand], dealer)
        if has_natural and game.natural_takes:
            hand_net, charged = return_added_bets(
                game.natural_takes, result, hand_net, game.unit, charged
            )
        net += hand_net
    return net


@inlined_kernel
def take_rare_steps(
    game: LoweredGame,
    tables: Automaton,
    cards: NDArray[np.uint8],
    base: int,
    begin: int,
    place: int,
    step: int,
    running: int,
    running_before: int,
    ready: int,
    hands: NDArray[np.int64],
    luck: LaneLuck | None,
    lane: int,
) -> tuple[int, int, int, int, int]:
    """Go on from a step with the bit `RARE` to one without; return place, step and running count.

    The shoe begins at `cards[base]`, and its first `ready` cards are ready; `begin` and `place` are
    those of the round's first card and of the next one in the array. The last two numbers are net
    and half bets added, where the step is `ENDS`: a split round is over, and the automaton has no
    outcome for it. The place is -1 if a hand was split too often. With the luck of a lane, a split
    round is played to its end.
    """
    up = whole(cards[begin + game.up_at])
    end = base + len(game.deck)
    dealer_row = whole(0)
    while True:
        if luck is not None:
            while step < ENDS and hands[HANDS] > 0:
                card = whole(cards[place])
                number = end - place
                if luck.steps.split_of[step] >= REST:
                    ended = (hands[DONE], whole(ENDED), whole(ENDED_WAGERS))
                    draw_for_hands(
                        luck, game, lane, hands, ended, dealer_row, up, whole(0), card, number
                    )
                    dealer_row = whole(game.next_row[dealer_row * KINDS + card])
                else:
                    wager = hands[LATER_WAGER] * int(hands[DONE] > 0)
                    draw_for_split(luck, game, lane, step, wager, card, number)
                place += 1
                running += game.tags[card]
                step = whole(tables.draw[step * DRAWN_KINDS + card])
        if step < ENDS + RARE:
            break
        if step >= ASKS:
            unseen = game.tags[cards[begin + game.hole_at]] * game.has_hole
            count = count_play(game, running - unseen, running_before, place - base, begin - base)
            row = whole(tables.question_row[step - ASKS])
            answer = whole(tables.by_count[row * game.counts + count])
            if luck is not None and (row + 1) * game.counts == len(tables.by_count):
                answer_insurance(
                    luck, game, lane, answer, whole(cards[begin]),
                    whole(cards[begin + game.second_at]), whole(cards[begin + game.hole_at]),
                    end - place,
                )  # fmt: skip
            step = whole(tables.after_answer[(step - ASKS) * ANSWERS + answer])
            continue
        if step < NOTES:
            if hands[HANDS] == MOST_HANDS:
                if place - base <= ready:
                    return -1, step, running, 0, 0
                # Cards that are not ready: the round is played again anyway.
                forget_hands(hands)
                return place, ENDS, running, 0, 0
            kind = (step - SPLITS) % KINDS
            if hands[HANDS] == 0:
                hands[HANDS] = 1
                hands[MORE] = loop_codes.SPLIT_MORE
                hands[INSURED] = hands[EXTRA] = (step - SPLITS) // KINDS
            is_free = (game.free_splits >> kind) & 1
            hands[LATER_WAGER] = loop_codes.GIVEN_HAND * is_free
            hands[HANDS] += 1
            hands[EXTRA] += 2 - 2 * is_free
            if kind == loop_codes.ACE:
                hands[MORE] = loop_codes.ACES_MORE
            first, second = cards[place], cards[place + 1]
            place += 2
            running += game.tags[first] + game.tags[second]
            hands[ROWS + hands[WAITING]] = game.opening[kind * KINDS + second]
            hands[WAITING] += 1
            row = whole(game.opening[kind * KINDS + first])
        else:
            dealer, kind, first, second = whole(0), -1, np.uint8(0), np.uint8(0)
            if step >= DEALT:
                dealer = step - DEALT
            else:
                note_result(game, hands, step - NOTES)
                if hands[WAITING] == 0:
                    dealer_row = whole(game.opening[up * KINDS + cards[begin + game.hole_at]])
                    if not game.has_hole and needs_hole(hands, up, game.natural_takes):
                        hole = whole(cards[place])
                        if luck is not None:
                            draw_for_hands(
                                luck, game, lane, hands,
                                (hands[DONE], whole(ENDED), whole(ENDED_WAGERS)),
                                whole(-1), up, hands[INSURED], hole, end - place,
                            )  # fmt: skip
                        place += 1
                        running += game.tags[hole]
                        dealer_row = whole(game.opening[up * KINDS + hole])
                        if game.total[dealer_row] == 21:
                            dealer = loop_codes.DEALER_NATURAL
                    if luck is not None and game.has_hole and hands[LIVE] > 0:
                        draw_for_hands(
                            luck, game, lane, hands,
                            (hands[DONE], whole(ENDED), whole(ENDED_WAGERS)), whole(-1), up,
                            whole(0), whole(cards[begin + game.hole_at]), end - place,
                        )  # fmt: skip
                    if hands[LIVE] > 0 and dealer == 0:
                        step = whole(tables.rest_of[dealer_row])
                        continue
            if hands[WAITING] == 0:
                net = settle_hands(game, hands, dealer)
                extra = hands[EXTRA]
                if luck is not None:
                    luck.fields[at(lane * LUCK_FIELDS + LUCK_NET)] += net << (
                        luck.steps.tables.bits + MEAN_BITS
                    )
                forget_hands(hands)
                return place, ENDS, running, net, extra
            hands[WAITING] -= 1
            row = whole(hands[ROWS + hands[WAITING]])
        are_aces = hands[MORE] == loop_codes.ACES_MORE
        most_hands = game.max_ace_hands if are_aces else game.max_hands
        context = hands[MORE] + int(hands[HANDS] >= most_hands)
        if luck is not None and kind >= 0:
            wager = hands[LATER_WAGER] * int(hands[DONE] > 0)
            split_in_lane(
                luck, game, lane, (context, kind), (wager, hands[LATER_WAGER]),
                (whole(first), whole(second)), end - place + 2,
            )  # fmt: skip
        step = whole(tables.split_step[(context * game.rows + row) * KINDS + up])
    return place, step, running, 0, 0
