"""`Judgement`: one decision, the best action, the cost; and the verdict in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from upcard.analysis.grades import Grade, grade_of
from upcard.core.actions import Action
from upcard.core.cards import Rank, rank_name, write_face
from upcard.core.errors import IllegalActionError, NoExactValueError, NotationError
from upcard.exact.solver_results import cost_of, decimals_for
from upcard.players.question import HandClass, Question

if TYPE_CHECKING:
    from upcard.exact.position import Position
    from upcard.players.seen_cards import Composition


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One decision, judged. Units: EV per initial bet of the hand, chips of that bet.

    `key` names the situation as a chart does (`hard 16 v T`), so that judgements can be grouped;
    `cards` are the hand.
    """

    key: str
    hand_class: HandClass
    label: str
    """Row of the chart, as near as possible."""
    upcard: Rank
    hole: Rank = 0
    """The dealer's hole card, 0 unless the house shows it."""
    cards: tuple[str, ...]
    actions: tuple[Action, ...]
    ev: tuple[float, ...]
    """EV of each action, in their order."""
    best: Action
    chosen: Action
    cost: float
    """EV lost, 0 for the best action."""
    chips: float
    """The cost in chips."""
    is_free: bool = False
    """Whether the house has paid for the hand."""
    is_exact: bool = True

    def __post_init__(self) -> None:
        if not (self.cost >= 0 and self.chips >= 0):
            msg = f"a judgement with cost {self.cost}, {self.chips} chips: a cost is 0 or more"
            raise NotationError(msg)

    @property
    def is_right(self) -> bool:
        """Whether the action was a best one."""
        return self.cost == 0

    @property
    def grade(self) -> Grade:
        """Whether the action was right, a slip, a mistake or a blunder."""
        return grade_of(self.cost)

    @property
    def cell(self) -> tuple[str, str]:
        """Row and column of the chart, by which heat maps add up."""
        return self.label, rank_name(self.upcard)

    def __str__(self) -> str:
        return write_verdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """EV of every answer, per initial bet of the hand, for the player.

    Insurance and even money are valued separately from the hand.
    """

    question: Question
    ev: dict[Action, float]
    """EV by action, in the order of the table."""
    best: Action
    split_class: str | None
    """Name of the way in which split hands are played; None if no split is valued."""
    assumptions: tuple[str, ...]
    """Assumptions behind the values, one sentence each."""
    approximations: tuple[str, ...]
    """Approximations in the values, one sentence each; empty if all are exact."""
    missing: dict[Action, str]
    """Legal actions without an exact value, with the reason."""
    natural_probability: float
    """Chance of a dealer's natural; 0 once the dealer has looked."""
    splits: str = field(repr=False)
    cards: Composition = field(repr=False)
    position: Position = field(repr=False, compare=False)

    @property
    def is_exact(self) -> bool:
        """Whether every answer has an exact value."""
        return not self.approximations and not self.missing

    @property
    def chips(self) -> dict[Action, float]:
        """EV of every answer, in chips."""
        bet = float(self.question.bet)
        return {action: ev * bet for action, ev in self.ev.items()}

    @property
    def costs(self) -> dict[Action, float]:
        """Cost of every answer, per initial bet; 0 for the best."""
        best = max(self.ev.values())
        return {action: cost_of(best, ev) for action, ev in self.ev.items()}

    @property
    def runner_up(self) -> Action | None:
        """The second best answer; None if there is no other."""
        others = [action for action in self.ev if action is not self.best]
        return max(others, key=lambda action: self.ev[action], default=None)

    def judge(self, action: Action) -> Judgement:
        """Return the verdict on an action."""
        question = self.question
        if action in self.missing:
            raise NoExactValueError(self.missing[action])
        if action not in self.ev:
            legal = ", ".join(question.legal)
            msg = f"cannot judge {action} with {question}: it is not legal here. Legal: {legal}"
            raise IllegalActionError(msg)
        cost = self.costs[action]
        return Judgement(
            key=question.key,
            hand_class=question.hand_class,
            label=question.label,
            upcard=question.upcard.rank,
            hole=0 if question.hole is None else question.hole.rank,
            cards=tuple(map(str, question.cards)),
            actions=tuple(self.ev),
            ev=tuple(self.ev.values()),
            best=self.best if cost else action,
            chosen=action,
            cost=cost,
            chips=cost * float(question.bet),
            is_free=question.is_free,
            is_exact=self.is_exact,
        )


_DID: Final = {
    Action.HIT: "hit",
    Action.STAND: "stood on",
    Action.DOUBLE: "doubled",
    Action.SPLIT: "split",
    Action.SURRENDER: "surrendered",
    Action.INSURANCE: "took insurance with",
    Action.NO_INSURANCE: "declined insurance with",
    Action.EVEN_MONEY: "took even money with",
    Action.NO_EVEN_MONEY: "declined even money with",
    Action.NO_SPLIT: "did not split",
    Action.NO_SURRENDER: "did not surrender",
    Action.SWITCH: "switched",
    Action.NO_SWITCH: "did not switch",
}


def write_verdict(judgement: Judgement, *, has_bets: bool = True) -> str:
    """Write a verdict, such as `You doubled 12 v 5. Stand was better: a blunder, 0.21 of a bet.`.

    The cost in chips follows if the house `has_bets`.
    """
    return f"{write_answer(judgement)} {write_outcome(judgement, has_bets=has_bets)}"


def write_answer(judgement: Judgement) -> str:
    """Write what was answered: `You doubled 12 v 5.`."""
    return f"You {_DID[judgement.chosen]} {name_hand(judgement)}."


def write_outcome(judgement: Judgement, *, has_bets: bool = True) -> str:
    """Write the second half of a verdict: that it was right, or the better action and the cost."""
    if judgement.is_right:
        return "That was right."
    amount = write_chips(judgement.chips)
    chips = f", {amount} chip{'' if amount == '1' else 's'}" if has_bets else ""
    better = f"{str(judgement.best).capitalize()} was better"
    return f"{better}: a {judgement.grade}, {write_bets(judgement.cost)}{chips}."


def write_bets(cost: float) -> str:
    """Write a cost with two significant digits: `0.0063 of a bet`, `1.61 bets`."""
    return f"{cost:.{decimals_for(cost, least=2)}f} {'bets' if cost > 1 else 'of a bet'}"


def name_hand(judgement: Judgement) -> str:
    """Name a hand and the dealer's cards as players do: `12 v 5`, `soft 18 v A`, `8,8 v 10 6`."""
    label = judgement.label
    dealer = " ".join(write_face(rank) for rank in (judgement.upcard, judgement.hole) if rank)
    if judgement.hand_class is HandClass.EVEN_MONEY:
        return f"a natural v {dealer}"
    if judgement.hand_class is HandClass.SWITCH:
        return f"{label} v {dealer}"
    if len(label) == 2 and label[0] == label[1] and label != "11":
        label = f"{write_face(label[0])},{write_face(label[0])}"
    elif label.startswith("A") and label[1:].isdecimal():
        label = f"soft {11 + int(label[1:])}"
    return f"{'a free ' * judgement.is_free}{label} v {dealer}"


def write_chips(chips: float) -> str:
    """Write an amount of chips with as many digits as needed, two at most."""
    text = f"{chips:.2f}"
    return "under 0.01" if text == "0.00" and chips > 0 else text.removesuffix(".00")
