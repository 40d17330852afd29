"""The layouts of an observation, each with its space."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from upcard.core.cards import RANKS
from upcard.core.errors import RulesError
from upcard.core.hands import hand_table
from upcard.env.questions import CELLS, EnvQuestion, Stage, find_cell
from upcard.rules.model import Rules
from upcard.simulation.job import check_supported
from upcard.table.state import Hand

LAYOUTS: Final = ("hand", "cards", "cell", "dict", "sutton-barto")
HAND_FIELDS: Final = (
    *("total", "is_soft", "upcard", "pair", "has_two_cards", "is_split", "hands_waiting"),
    "stage",
)
"""The entries of the layout `hand`."""
_MOST_WAITING: Final = 63
_MOST_CARDS: Final = 21


class ObservationLayout(Protocol):
    """A form of the observation: its space, and how a question is written in it."""

    space: spaces.Space[Any]

    def write(self, question: EnvQuestion, extras: Mapping[str, list[float]], /) -> Any:  # noqa: ANN401
        """Return a new observation; `extras` are the count and the composition, if asked for."""


def choose_layout(
    name: str, rules: Rules, extras: Mapping[str, tuple[float, float, int]], *, spots: int = 1
) -> ObservationLayout:
    """Return a layout by its name; `extras` are low, high and size of each part to add.

    With several spots, those with room for extras also tell the spot of the hand.

    Raises: RulesError for an unknown layout, or one that has no room for the extras;
    UnsupportedRuleError for cells under rules that the simulator does not know.
    """
    if name not in LAYOUTS:
        raise RulesError(f"observation={name!r}: one of {', '.join(LAYOUTS)}")
    if name in ("hand", "cards"):
        return _Flat(rules, extras, spots, has_cards=name == "cards")
    if name == "dict":
        return _Named(rules, extras, spots)
    if extras:
        added = " and ".join(extras)
        raise RulesError(f"observation={name!r} has no room for {added}: use hand, cards or dict")
    return _Cell(rules) if name == "cell" else _SuttonBarto(rules)


def _parts(
    rules: Rules, extras: Mapping[str, tuple[float, float, int]], spots: int, *, has_cards: bool
) -> dict[str, tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Return the lowest and the highest values of each part."""
    waiting = most_waiting(rules, spots)
    most = (_most_total(rules), 1, 10, 10, 1, 1, waiting, max(Stage))
    parts = {"hand": (np.zeros(len(most), np.float32), np.array(most, np.float32))}
    if has_cards:
        shape = (len(RANKS),)
        parts["cards"] = np.zeros(shape, np.float32), np.full(shape, _MOST_CARDS, np.float32)
    if spots > 1:
        parts["spot"] = np.zeros(1, np.float32), np.full(1, spots - 1, np.float32)
    for name, (low, high, size) in extras.items():
        if name == "count":  # the count, and the decks left
            least, greatest = [low, 0.0], [high, float(rules.decks or 0)]
            parts[name] = np.array(least, np.float32), np.array(greatest, np.float32)
        else:
            parts[name] = np.full(size, low, np.float32), np.full(size, high, np.float32)
    return parts


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


def _count_cards(question: EnvQuestion) -> list[float]:
    hand = _shown_hand(question)
    ranks = [] if hand is None else [card.rank for card in hand.cards]
    return [ranks.count(rank) for rank in RANKS]


def _spot_of(question: EnvQuestion) -> int:
    hand = _shown_hand(question)
    return 0 if hand is None else hand.spot


class _Flat:
    """One array with all parts, in order."""

    def __init__(
        self,
        rules: Rules,
        extras: Mapping[str, tuple[float, float, int]],
        spots: int,
        *,
        has_cards: bool,
    ) -> None:
        parts = _parts(rules, extras, spots, has_cards=has_cards).values()
        low, high = (np.concatenate(bounds) for bounds in zip(*parts, strict=True))
        self.space: spaces.Space[Any] = spaces.Box(low, high, dtype=np.float32)
        self._most_waiting = float(high[HAND_FIELDS.index("hands_waiting")])
        self._has_cards, self._has_spot = has_cards, spots > 1

    def write(
        self, question: EnvQuestion, extras: Mapping[str, list[float]]
    ) -> NDArray[np.float32]:
        fields = _write_hand(question, self._most_waiting)
        if self._has_cards:
            fields += _count_cards(question)
        if self._has_spot:
            fields.append(_spot_of(question))
        for extra in extras.values():
            fields += extra
        return np.array(fields, np.float32)


class _Named:
    """A dictionary with an array for each part."""

    def __init__(
        self, rules: Rules, extras: Mapping[str, tuple[float, float, int]], spots: int
    ) -> None:
        parts = _parts(rules, extras, spots, has_cards=True)
        self._has_spot = spots > 1
        self._most_waiting = float(parts["hand"][1][HAND_FIELDS.index("hands_waiting")])
        self.space: spaces.Space[Any] = spaces.Dict(
            {name: spaces.Box(low, high, dtype=np.float32) for name, (low, high) in parts.items()}
        )

    def write(
        self, question: EnvQuestion, extras: Mapping[str, list[float]]
    ) -> dict[str, NDArray[np.float32]]:
        fields = {
            "hand": _write_hand(question, self._most_waiting),
            "cards": _count_cards(question),
        }
        if self._has_spot:
            fields["spot"] = [_spot_of(question)]
        fields.update(extras)
        return {name: np.array(values, np.float32) for name, values in fields.items()}


class _Cell:
    """The simulator's number of the question."""

    def __init__(self, rules: Rules) -> None:
        check_supported(rules)
        self.space: spaces.Space[Any] = spaces.Discrete(CELLS)

    def write(self, question: EnvQuestion, _extras: Mapping[str, list[float]]) -> np.int64:
        return np.int64(find_cell(question))


class _SuttonBarto:
    """Total, upcard and usable ace, as in Gymnasium's Blackjack-v1."""

    def __init__(self, rules: Rules) -> None:
        self.space: spaces.Space[Any] = spaces.Tuple(
            (spaces.Discrete(_most_total(rules) + 1), spaces.Discrete(11), spaces.Discrete(2))
        )

    def write(
        self, question: EnvQuestion, _extras: Mapping[str, list[float]]
    ) -> tuple[int, int, int]:
        total, is_soft, upcard = _write_hand(question, _MOST_WAITING)[:3]
        return int(total), int(upcard), int(is_soft)
