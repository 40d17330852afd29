"""Questions, actions, observations and credit of the environments."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from fractions import Fraction
from itertools import chain
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS
from upcard.core.errors import IllegalActionError, RulesError, quote
from upcard.core.hands import hand_table
from upcard.core.numbers import as_whole
from upcard.rules.engines import check
from upcard.rules.model import Rules
from upcard.rules.predicates import hands_left
from upcard.rules.settings import EngineName
from upcard.simulation import lower
from upcard.simulation.kernels import loop_codes as codes
from upcard.simulation.kernels.game import KINDS, LoweredGame
from upcard.simulation.kernels.loop_codes import INSURANCE_KIND
from upcard.table.state import Hand, Phase, TableView


class Stage(IntEnum):
    """The kind of a question."""

    BET = 0
    INSURANCE = 1
    """Insurance or even money."""
    SURRENDER = 2
    """Surrender as a separate offer."""
    SPLIT = 3
    """A split as a separate offer."""
    PLAY = 4
    SETTLED = 5
    """Nothing: the round was over at once, or the episode is."""
    SWITCH = 6
    """Whether to swap the second cards of two hands."""


_STAGES: Final = {
    Phase.INSURANCE: Stage.INSURANCE,
    Phase.SURRENDER: Stage.SURRENDER,
    Phase.SWITCH: Stage.SWITCH,
    Phase.SPLIT: Stage.SPLIT,
    Phase.PLAY: Stage.PLAY,
}
SETTLED_CELL, BET_CELL = 0, 1
"""No hand has these cells."""
CELLS: Final = codes.DOUBLED_ONCE * lower.ROWS * KINDS


class EnvQuestion(NamedTuple):
    """A question and the public state of the table."""

    stage: Stage
    view: TableView | None
    """None before the deal."""
    legal: tuple[Action, ...] = ()
    """Answers that the table takes; empty for a bet, and for a settled round."""


def ask(view: TableView, legal: tuple[Action, ...]) -> EnvQuestion:
    """Return the question of a table; that of a settled round if there are no answers."""
    if not legal:
        return EnvQuestion(Stage.SETTLED, view)
    return EnvQuestion(_STAGES[view.phase], view, legal)


def find_cell(question: EnvQuestion) -> int:
    """Return the number of the question in the simulator's tables, from 0 to `CELLS` - 1.

    Bets, insurance and settled rounds have cells that the simulator does not use.
    """
    if (view := question.view) is None:
        return BET_CELL
    if question.stage is Stage.SETTLED or view.upcard is None:
        return SETTLED_CELL
    hand = view.hand
    row = lower.PAIR_ROWS + hand.cards[0].rank - 1 if hand.is_pair else hand.arithmetic_state
    is_early = question.stage in (Stage.INSURANCE, Stage.SURRENDER)
    kind = INSURANCE_KIND if question.stage is Stage.INSURANCE else view.upcard.rank - 1
    return lower.number_cell(codes.EARLY if is_early else _context(view), row, kind)


def _context(view: TableView) -> int:
    hand = view.hand
    has_room = True
    if hand.is_split:
        of_spot = sum(other.spot == hand.spot for other in view.hands)
        room = hands_left(
            view.rules, spot_hands=of_spot, all_hands=len(view.hands), rank=hand.split_rank
        )
        has_room = room != 0
    return lower.find_context(len(hand.cards), hand.split_rank, has_room=has_room)


HAND_FIELDS: Final = (
    *("total", "is_soft", "upcard", "pair", "has_two_cards", "is_split", "hands_waiting"),
    "stage",
)
"""The entries of the layout `hand`."""
_MOST_WAITING: Final = 63
_MOST_CARDS: Final = 21


Extras: TypeAlias = Mapping[str, tuple[float, float, int]]
"""Parts that were asked for, each with its lowest and highest value and its size."""


def _parts(
    rules: Rules, extras: Extras, spots: int, *, has_cards: bool
) -> dict[str, tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Return the lowest and the highest values of each part."""
    last = Stage.SWITCH if rules.switch else Stage.SETTLED
    most = (_most_total(rules), 1, 10, 10, 1, 1, most_waiting(rules, spots), last)
    parts: dict[str, Sequence[tuple[float, float]]] = {"hand": [(0, one) for one in most]}
    if has_cards:
        parts["cards"] = [(0, _MOST_CARDS)] * len(RANKS)
    if rules.shows_hole:
        parts["hole"] = [(0, 10)]
    if rules.switch:
        parts["switch"] = [(0, 10)] * 4
    if spots > 1:
        parts["spot"] = [(0, spots - 1)]
    for name, (low, high, size) in extras.items():
        # The count has two numbers: itself, and the decks left.
        is_count = name == "count"
        parts[name] = [(low, high), (0, rules.decks or 0)] if is_count else [(low, high)] * size
    columns = {name: np.array(bounds, np.float32).T for name, bounds in parts.items()}
    return {name: (low.copy(), high.copy()) for name, (low, high) in columns.items()}


def most_waiting(rules: Rules, spots: int) -> int:
    """Return the largest number of waiting hands that is observed."""
    return _MOST_WAITING if rules.max_hands is None else max(spots * rules.max_hands - 1, 1)


def _most_total(rules: Rules) -> int:
    return max(hand_table(rules.ace_rule).total)


def _shown_hand(question: EnvQuestion) -> Hand | None:
    """Return the hand in question; after the round the last one, before the deal none."""
    if question.view is None:
        return None
    return question.view.hand if question.legal else question.view.hands[-1]


def _write_hand(question: EnvQuestion, most_waiting: float) -> list[float]:
    view, hand = question.view, _shown_hand(question)
    if view is None or hand is None:
        return [0.0] * (len(HAND_FIELDS) - 1) + [question.stage]
    waiting = pair = 0
    if question.legal:
        waiting = sum(other.is_live for other in view.hands) - hand.is_live
        is_asked = question.stage is not Stage.PLAY or "split" in question.legal
        pair = hand.cards[0].rank if is_asked and hand.is_pair else 0
    return [
        hand.total,
        hand.is_soft,
        view.upcard.rank if view.upcard is not None else 0,
        pair,
        len(hand.cards) == 2,
        hand.is_split,
        min(waiting, most_waiting),
        question.stage,
    ]


class ObservationLayout(ABC):
    """A form of the observation: its space, and how a question is written in it.

    The extras are the count and the composition, if asked for: low, high and size of each. With
    several spots, the layouts with room for extras also tell the spot of the hand.
    """

    HAS_CARDS: ClassVar = False
    """Whether the cards of the hand are part of it."""
    TAKES_EXTRAS: ClassVar = True
    """Whether it has room for extras."""
    IS_CELL: ClassVar = False
    """Whether the number of the question is all of it."""
    space: spaces.Space[Any]

    def __init__(self, rules: Rules, extras: Extras, spots: int) -> None:
        if not self.TAKES_EXTRAS:
            spots = 1
        self._bounds = _parts(rules, extras, spots, has_cards=self.HAS_CARDS)
        self._most_waiting = float(self._bounds["hand"][1][HAND_FIELDS.index("hands_waiting")])
        self.parts = {name: len(low) for name, (low, _) in self._bounds.items()}
        """Number of columns of each part, in the order of the compiled tables."""

    def _gather(
        self, question: EnvQuestion, extras: Mapping[str, list[float]]
    ) -> dict[str, list[float]]:
        values = {"hand": _write_hand(question, self._most_waiting)}
        hand = _shown_hand(question)
        if self.HAS_CARDS:
            ranks = [] if hand is None else [card.rank for card in hand.cards]
            values["cards"] = [ranks.count(rank) for rank in RANKS]
        view = question.view
        if "hole" in self.parts:
            values["hole"] = [view.hole.rank if view and view.hole else 0]
        if "switch" in self.parts:
            hands = view.hands if view and question.stage is Stage.SWITCH else ()
            values["switch"] = [card.rank for hand in hands for card in hand.cards] or [0] * 4
        if "spot" in self.parts:
            values["spot"] = [0 if hand is None else hand.spot]
        values.update(extras)
        return values

    @abstractmethod
    def write(self, question: EnvQuestion, extras: Mapping[str, list[float]], /) -> Any:  # noqa: ANN401
        """Return a new observation of one table."""

    @abstractmethod
    def write_tables(self, cells: NDArray[np.int64], rows: NDArray[np.float32], /) -> Any:  # noqa: ANN401
        """Return those of many tables, from the numbers of their questions and their parts."""


class _Flat(ObservationLayout):
    """One array with all parts, in order."""

    def __init__(self, rules: Rules, extras: Extras, spots: int) -> None:
        super().__init__(rules, extras, spots)
        low, high = (np.concatenate(bounds) for bounds in zip(*self._bounds.values(), strict=True))
        self.space = spaces.Box(low, high, dtype=np.float32)

    def write(
        self, question: EnvQuestion, extras: Mapping[str, list[float]]
    ) -> NDArray[np.float32]:
        parts = self._gather(question, extras).values()
        return np.array([*chain.from_iterable(parts)], np.float32)

    def write_tables(
        self, _cells: NDArray[np.int64], rows: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        return rows


class _FlatWithCards(_Flat):
    """One array with all parts, and the cards of the hand."""

    HAS_CARDS = True


class _Named(ObservationLayout):
    """A dictionary with an array for each part."""

    HAS_CARDS = True

    def __init__(self, rules: Rules, extras: Extras, spots: int) -> None:
        super().__init__(rules, extras, spots)
        bounds = self._bounds.items()
        self.space = spaces.Dict(
            {name: spaces.Box(low, high, dtype=np.float32) for name, (low, high) in bounds}
        )

    def write(
        self, question: EnvQuestion, extras: Mapping[str, list[float]]
    ) -> dict[str, NDArray[np.float32]]:
        parts = self._gather(question, extras)
        return {name: np.array(values, np.float32) for name, values in parts.items()}

    def write_tables(
        self, _cells: NDArray[np.int64], rows: NDArray[np.float32]
    ) -> dict[str, NDArray[np.float32]]:
        parts = np.split(rows, np.cumsum([*self.parts.values()])[:-1], axis=1)
        return dict(zip(self.parts, map(np.ascontiguousarray, parts), strict=True))


class _Cell(ObservationLayout):
    """The simulator's number of the question."""

    TAKES_EXTRAS = False
    IS_CELL = True

    def __init__(self, rules: Rules, extras: Extras, spots: int) -> None:
        super().__init__(rules, extras, spots)
        check(rules, EngineName.CELLS, EngineName.SIMULATOR)
        self.space = spaces.Discrete(CELLS)

    def write(self, question: EnvQuestion, _extras: Mapping[str, list[float]]) -> np.int64:
        return np.int64(find_cell(question))

    def write_tables(
        self, cells: NDArray[np.int64], _rows: NDArray[np.float32]
    ) -> NDArray[np.int64]:
        return cells


class _SuttonBarto(ObservationLayout):
    """Total, upcard and usable ace, as in Gymnasium's Blackjack-v1."""

    TAKES_EXTRAS = False

    def __init__(self, rules: Rules, extras: Extras, spots: int) -> None:
        super().__init__(rules, extras, spots)
        self.space = spaces.Tuple(
            (spaces.Discrete(_most_total(rules) + 1), spaces.Discrete(11), spaces.Discrete(2))
        )

    def write(
        self, question: EnvQuestion, _extras: Mapping[str, list[float]]
    ) -> tuple[int, int, int]:
        total, is_soft, upcard = _write_hand(question, _MOST_WAITING)[:3]
        return int(total), int(upcard), int(is_soft)

    def write_tables(
        self, _cells: NDArray[np.int64], rows: NDArray[np.float32]
    ) -> tuple[NDArray[np.int64], ...]:
        return tuple(rows[:, column].astype(np.int64) for column in (0, 2, 1))


LAYOUTS: Final[dict[str, type[ObservationLayout]]] = {
    "hand": _Flat,
    "cards": _FlatWithCards,
    "cell": _Cell,
    "dict": _Named,
    "sutton-barto": _SuttonBarto,
}


def choose_layout(name: str, rules: Rules, extras: Extras, *, spots: int = 1) -> ObservationLayout:
    """Return a layout by its name, with the extras."""
    if name not in LAYOUTS:
        raise RulesError(f"observation={name!r}: one of {', '.join(LAYOUTS)}")
    if not LAYOUTS[name].TAKES_EXTRAS:
        check(rules, EngineName.LAYOUT, f"observation={name!r}")
    if extras and not LAYOUTS[name].TAKES_EXTRAS:
        roomy = [known for known, layout in LAYOUTS.items() if layout.TAKES_EXTRAS]
        raise RulesError(
            f"observation={name!r} has no room for {' and '.join(extras)}:"
            f" use {', '.join(roomy[:-1])} or {roomy[-1]}"
        )
    return LAYOUTS[name](rules, extras, spots)


Mask: TypeAlias = NDArray[np.int8]

STAND, HIT, DOUBLE = codes.STAND, codes.HIT, codes.DOUBLE
SPLIT, SURRENDER = codes.SPLIT, codes.SURRENDER
INSURE: Final = 5
"""Also takes even money and swaps, as stand also declines. Numbers before are the kernel's."""
FIRST_BET: Final = 6
"""From here on: bets, where there is a choice of them."""

CODES: Final = {
    Action.STAND: STAND,
    Action.HIT: HIT,
    Action.DOUBLE: DOUBLE,
    Action.SPLIT: SPLIT,
    Action.SURRENDER: SURRENDER,
    Action.INSURANCE: INSURE,
    Action.EVEN_MONEY: INSURE,
    Action.NO_INSURANCE: STAND,
    Action.NO_EVEN_MONEY: STAND,
    Action.NO_SPLIT: STAND,
    Action.NO_SURRENDER: STAND,
    Action.SWITCH: INSURE,
    Action.NO_SWITCH: STAND,
}
"""The number of each answer to the table."""
NAMES: Final = ("stand", "hit", "double", "split", "surrender", "insurance")
NO_ACTION: Final = -1
_MOST: Final = 2**31
INTEGERS: Final = frozenset({int, np.int64, np.int32, np.int8})
"""Types that are whole numbers without a further look."""


def read_action(action: Any) -> int:  # noqa: ANN401 (Gymnasium's)
    """Return the number of an action: a whole number, or an array of one; else NO_ACTION."""
    if type(action) not in INTEGERS:
        if hasattr(action, "__array__"):
            array = np.asarray(action)
            action = array.item() if array.size == 1 else None
        action = as_whole(action)
    return NO_ACTION if action is None or not 0 <= action < _MOST else int(action)


def refuse_action(
    action: object, stage: Stage, legal: Iterable[int], bets: Sequence[Fraction], why_not: str
) -> IllegalActionError:
    """Return the error for an action at a stage; `why_not` is for those that a hand could take."""
    names = [*NAMES, *(f"bet {bet}" for bet in bets if len(bets) > 1)]
    if stage is Stage.SWITCH:
        names[INSURE] = Action.SWITCH
    possible = ", ".join(f"{code} ({names[code]})" for code in sorted(legal))
    code = read_action(action)
    if not 0 <= code < len(names):
        most = len(names) - 1
        text = f"action {quote(action)} is not a whole number from 0 to {most}. Legal: {possible}"
        return IllegalActionError(text)
    if stage is Stage.BET:
        why_not = "the table asks for a bet"
    elif stage is Stage.SETTLED:
        why_not = "the round is over, and 0 ends it"
    elif code >= FIRST_BET:
        why_not = "a round is in progress"
    return IllegalActionError(f"action {code} ({names[code]}): {why_not}. Legal: {possible}")


def find_action(code: int, legal: Iterable[Action]) -> Action | None:
    """Return the one of the `legal` actions that has this number; None if there is none."""
    return next((action for action in legal if CODES[action] == code), None)


def make_mask(codes: Iterable[int], size: int) -> Mask:
    """Return 1 for each of the numbers and 0 for the others, shape (size,)."""
    mask = np.zeros(size, np.int8)
    for code in codes:
        mask[code] = 1
    return mask


ROUND: Final = -1
"""A bet, a switch, and 0 where the round was over at once, decide about the round."""
INSURANCE: Final = -2
"""The side bet of spot 0; that of spot `k` is `INSURANCE - k`."""


_NOTHING: Final = Fraction(0)


def target_of(question: EnvQuestion) -> int:
    """Return what an answer decides about: ROUND, a side bet, or the index of the active hand."""
    view = question.view
    if view is None or question.stage in (Stage.SETTLED, Stage.SWITCH):
        return ROUND
    return INSURANCE - view.hand.spot if Action.INSURANCE in question.legal else view.active


def share_credit(
    answers: Sequence[tuple[int, int]], nets: Sequence[Fraction], insurance_nets: Sequence[Fraction]
) -> tuple[float, ...]:
    """Return the net of what each answer decided about, in order.

    An answer about a hand decides about that hand and all that are split from it. `answers` have
    their target and the number of the action; `nets` are those of the hands, none if the round was
    sat out, and `insurance_nets` those of the side bets, one a spot.
    """
    credit = [_NOTHING] * len(answers)
    if not nets:
        return tuple(map(float, credit))
    of_hands: list[list[int]] = [[] for _ in insurance_nets]
    for number, (target, code) in enumerate(answers):
        if target == ROUND:
            credit[number] = sum((*nets, *insurance_nets), _NOTHING)
        elif target <= INSURANCE:
            if code == INSURE:
                credit[number] = insurance_nets[INSURANCE - target]
        else:
            of_hands[target].append(number)
            if code == SPLIT:
                of_hands.insert(target, [*of_hands[target]])
    for owners, net in zip(of_hands, nets, strict=True):
        for number in owners:
            credit[number] += net
    return tuple(map(float, credit))


_TWO_CARDS: Final = (
    *(codes.FIRST_TWO, codes.EARLY, codes.SPLIT_MORE, codes.SPLIT_FULL),
    *(codes.ACES_MORE, codes.ACES_FULL),
)
_NOT_SPLIT: Final = (codes.FIRST_TWO, codes.LATER, codes.EARLY)


def list_cell_rows(game: LoweredGame) -> NDArray[np.float32]:
    """Return what `HAND_FIELDS` show in a cell, without the hands that wait.

    `game.choice` has the bits of the legal answers. Shape: (CELLS, fields).
    """
    rows = np.zeros((CELLS, len(HAND_FIELDS)), np.float32)
    for cell in range(CELLS):
        context, rest = divmod(cell, lower.ROWS * KINDS)
        row, kind = divmod(rest, KINDS)
        pair = max(row - lower.PAIR_ROWS + 1, 0)
        state = lower.HANDS.state_of((pair, pair)) if pair else row
        stage = Stage.PLAY
        if context == codes.EARLY:
            stage = Stage.INSURANCE if kind == INSURANCE_KIND else Stage.SURRENDER
        is_shown = stage is not Stage.PLAY or (int(game.choice[cell]) >> SPLIT) & 1
        rows[cell] = (
            lower.HANDS.total[state],
            lower.HANDS.is_soft[state],
            ACE if stage is Stage.INSURANCE else kind + 1,
            pair if is_shown else 0,
            context in _TWO_CARDS,
            context not in _NOT_SPLIT,
            0,
            stage,
        )
    return rows
