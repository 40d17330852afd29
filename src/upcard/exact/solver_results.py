"""Results of the exact solvers: values, probabilities, and the best answer.

A split with full memory takes long: `save_splits` saves each as soon as it is known.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, NamedTuple, Self

from upcard.core import cards, errors, figure, hands
from upcard.core.actions import Action
from upcard.exact.supported_rules import SplitPlay
from upcard.rules.model import Rules
from upcard.rules.payoffs import payoffs_of
from upcard.rules.settings import HoleCard, Player21

SPLIT_PLAYS: Final = {
    "CDZ-": "split hands are played by the optimum for unsplit hands",
    "CDP1": "split hands are played knowing that one card of the pair is out",
    "CDP": "as published: the optima by number of pair cards out, mixed; see CDP-exact",
    "CDP-exact": "split hands are played knowing how many cards of the pair are out",
    "full": "using every card seen; the second hand waits for its second card",
    "full-at-once": "using every card seen; both hands get a second card at once",
    "chart": "split hands are played by the chart",
    "infinite deck": "cards that are out change nothing, so all split plays are equal",
    "no splits": "no hand can be split",
}
"""Meaning of each split play, by its name."""
BEFORE_LOOK: Final = "EV and cost are as of the offer of early surrender, before the dealer looks"
"""The scale of a hand's values where the look follows that offer."""
ROUNDING_ERROR: Final = 1e-12
"""Gains up to this are rounding errors of sums of floats."""
_UPCARDS: Final = (*"23456789T", "A")
_TOTALS: Final = ("seventeen", "eighteen", "nineteen", "twenty", "twenty_one")


def difference(one: float, other: float) -> float:
    """Subtract; the difference of two infinite values is 0."""
    return 0.0 if one == other else one - other


def cost_of(best: float, chosen: float) -> float:
    """Return the EV lost, 0 for a rounding difference; EVs may be infinite."""
    if best == chosen:
        return 0.0
    lost = best - chosen
    return 0.0 if lost <= NEARLY_EQUAL or math.isnan(lost) else lost


def decimals_for(gap: float, *, least: int, digits: int = 2) -> int:
    """Return the decimals for `digits` significant digits of a gap, or `least`.

    Two numbers with that gap then never look alike, with one digit or more. A gap of rounding
    error, or of 1 or more, takes the least.
    """
    size = abs(gap)
    if not NEARLY_EQUAL < size < 1:
        return least
    return max(least, digits - 1 - math.floor(math.log10(size)))


def write_cost(cost: float, digits: int = 6, *, is_best: bool) -> str:
    """Write the EV lost with digits enough to tell it from 0; `best` for the best answer."""
    if not cost:
        return "best" if is_best else "0"
    return figure.write_ev(cost, decimals_for(cost, least=digits), sign="")


def weigh_upcards(
    chances: Mapping[cards.Rank, float] | Sequence[float], evs: Mapping[cards.Rank, float]
) -> float:
    """Return the EV of a round from those by upcard; NaN if it wins and loses without end."""
    total = 0.0  # no fsum: it refuses to add infinities of both signs
    for upcard, ev in evs.items():
        if chances[upcard]:
            total += chances[upcard] * ev
    return total


class AskedHand(NamedTuple):
    """A hand in the middle of a round."""

    ranks: tuple[cards.Rank, ...]
    """Ranks of its cards, in the order dealt."""
    upcard: cards.Rank
    pair: cards.Rank = 0
    """Rank of the pair if it may be split, else 0."""
    has_looked: bool = False
    """Whether it is known that the dealer has no natural; if not, naturals count."""
    doubles: int = 0
    """How often it has doubled."""
    suits: tuple[str, ...] = ()
    """Suits of its cards, if they are known; only bonuses ask for them."""
    is_free: bool = False
    """Whether the house has paid for it: it wins a bet and loses none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandValue(figure.Displayed):
    """Value of each legal answer to a hand, per initial bet, for the player.

    With a peek, values assume that the dealer has no natural (`is_conditional`), except those of
    two cards to which early surrender is offered before the look: they are as of that offer.
    """

    hand: str
    upcard: str
    hole: str | None
    """The hole card; None unless it is seen."""
    rules: Rules
    shoe: str
    """Cards before the deal."""
    splits: SplitPlay | str
    """Split play of the value of a split; a text where there is no choice."""
    ev: dict[Action, float]
    missing: dict[Action, str]
    """Legal answers without an exact value, each with the reason."""
    best: Action
    is_conditional: bool
    natural_probability: float
    """Chance of a dealer's natural, from the player's hand and the upcard."""
    insurance_ev: float | None
    """EV of insuring half a bet, per initial bet; None if it is not offered."""
    even_money_ev: float | None
    """Gain of even money over waiting, per initial bet; None if it is not offered."""
    dealer: DealerOutcomes
    """Probabilities of the dealer's result, next to this hand; given no natural as the values."""

    def table(self) -> figure.AnswerTable:
        """Return the answers, the best first."""
        order = rank_answers(self.ev, self.best)
        costs = {one: cost_of(max(self.ev.values()), self.ev[one]) for one in order}
        rows = (
            (str(one), self.ev[one], write_cost(costs[one], is_best=one is self.best), costs[one])
            for one in order
        )
        cards = self.upcard if self.hole is None else f"{self.upcard} {self.hole}"
        about = figure.caption(self.rules, shoe=self.shoe)
        return figure.make_table(f"{self.hand} v {cards}", ANSWER_COLUMNS, rows, about)


def rank_answers(ev: Mapping[Action, float], best: Action) -> list[Action]:
    """Return the answers, the best first."""
    return sorted(ev, key=lambda one: (one is not best, -ev[one]))


ANSWER_COLUMNS: Final = (
    *(figure.text("answer"), figure.ev("ev", "EV")),
    *(figure.label("cost_text", "cost"), figure.ev("cost", is_shown=False)),
)
"""Columns of the answers to a hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameValue(figure.Displayed):
    """EV of a round per initial bet, for the player, before any card is dealt.

    It is that of the first round of a shuffled shoe. Insurance and even money are taken if that
    gains, or as the followed chart says.
    """

    ev: float
    insurance_ev: float
    """Part of `ev` due to insurance and even money."""
    by_upcard: dict[str, float]
    """Value given each upcard, `A`, `2` to `9`, `T`."""
    rules: Rules
    shoe: str
    splits: SplitPlay | str
    notes: tuple[str, ...]
    """Assumptions, one sentence each."""
    seconds: float

    @property
    def house_edge(self) -> float:
        """The house's win per initial bet."""
        return -self.ev

    def table(self) -> figure.AnswerTable:
        """Return the EV of a round given each upcard, and of all rounds in the last row."""
        about = figure.caption(self.rules, shoe=self.shoe, splits=self.splits)
        found = tabulate_upcards(self.by_upcard)
        return replace(found, rows=(*found.rows, ("all", self.ev)), caption=about)


def tabulate_upcards(evs: Mapping[str, float]) -> figure.AnswerTable:
    """Return the EV of a round given each upcard."""
    columns = (figure.label("upcard"), figure.percent("ev", "EV", digits=2))
    rows = ((upcard, evs[upcard]) for upcard in _UPCARDS if upcard in evs)
    return figure.make_table("By upcard", columns, rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerOutcomes(figure.Displayed):
    """Probabilities of the dealer's results; they sum to 1."""

    seventeen: float
    eighteen: float
    nineteen: float
    twenty: float
    twenty_one: float
    natural: float
    """0 once the dealer has looked and has no natural."""
    bust: float
    below: float = field(default=0.0, repr=False)
    """Under 17: only a dealer who stops when ahead ends there."""

    @classmethod
    def of(
        cls, finals: Iterable[float], *, natural: float, bust: float, below: float = 0.0
    ) -> Self:
        """Make them from the probabilities of 17 to 21 and the others."""
        return cls(
            **dict(zip(_TOTALS, finals, strict=True)), natural=natural, bust=bust, below=below
        )

    def __iter__(self) -> Iterator[float]:
        """Iterate over 17, 18, 19, 20, 21, natural and bust."""
        return iter((*(getattr(self, name) for name in _TOTALS), self.natural, self.bust))

    def as_dict(self) -> dict[str, float]:
        """Return the probabilities by name of the result, in order."""
        named = dict(zip(("17", "18", "19", "20", "21", "natural", "bust"), self, strict=True))
        return {"under 17": self.below, **named} if self.below else named

    def table(self) -> figure.AnswerTable:
        """Return the chances of the results."""
        columns = (figure.label("result"), figure.share("chance"))
        return figure.make_table("Dealer ends with", columns, self.as_dict().items())


class EffectsOfRemoval(dict[str, float], figure.Displayed):
    """Change of the EV, by the rank of the card that leaves the full shoe."""

    def __init__(self, effects: Mapping[str, float], rules: Rules) -> None:
        super().__init__(effects)
        self.rules = rules

    def table(self) -> figure.AnswerTable:
        """Return the change as a card of each rank leaves."""
        columns = (figure.text("card"), figure.percent("change"))
        about = figure.caption(self.rules)
        return figure.make_table(figure.REMOVAL, columns, self.items(), about)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellCost:
    """Cost of one cell of a chart per round, compared with the same chart with the best cell."""

    hand: Annotated[str, figure.text()]
    upcard: Annotated[str, figure.text()]
    cell: Annotated[str, figure.text(title="played")]
    better: Annotated[str, figure.text()]
    cost: Annotated[float, figure.share(title="cost a round", digits=5)]
    """Cost per round and initial bet; 0.01 is one percent of a bet."""


def tabulate_costs(cells: Iterable[CellCost]) -> figure.AnswerTable:
    """Return cells of a chart with their costs."""
    title = "Cells that cost most, each corrected alone, in percent of the bet"
    return figure.tabulate_fields(title, CellCost, cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionException:
    """A two-card hand whose best play depends on its cards, not only its total."""

    hand: Annotated[str, figure.text()]
    upcard: Annotated[str, figure.text()]
    charted: Annotated[Action, figure.text()]
    better: Annotated[Action, figure.text()]
    gain: Annotated[float, figure.percent(digits=3)]
    """Gain per initial bet, when the hand occurs."""
    gain_per_round: Annotated[float, figure.percent(is_shown=False)]


@dataclass(frozen=True, slots=True, kw_only=True)
class BonusPlay:
    """A cell of a chart that says stand or double, and the hands there that a bonus lets hit."""

    hand: str
    """Row of the chart, or the two cards whose suits decide."""
    upcard: str
    charted: Action
    when: str
    """`with 4 or more cards`, `of one suit`."""
    gain: float
    """EV of a hit less that of the chart, for the fewest cards or the first kind of suits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeProbabilities:
    """Probabilities of a win, a tie and a loss, for any stake; they sum to 1."""

    win: float
    push: float
    lose: float

    def __str__(self) -> str:
        return f"win {self.win:.1%}, push {self.push:.1%}, lose {self.lose:.1%}"


def chance_of_no_natural(natural: float) -> float:
    """Return the chance that the dealer's look finds no natural."""
    if natural >= 1:
        raise errors.NoExactValueError("the dealer has a natural for certain: you are not asked")
    return 1 - natural


class Ending(NamedTuple):
    """Chances of a hand's results, as parts of the whole, which can be added and weighted.

    A surrender, which can follow a hit, is a loss.
    """

    win: float = 0.0
    push: float = 0.0
    lose: float = 0.0
    natural: float = 0.0
    """Part in which the dealer has a natural that takes the bet."""
    natural_push: float = 0.0
    natural_win: float = 0.0

    def plus(self, other: Ending, share: float) -> Ending:
        """Return the sum with a share of another."""
        return Ending(*(mine + share * theirs for mine, theirs in zip(self, other, strict=True)))

    def finish(self, *, is_conditional: bool) -> OutcomeProbabilities:
        """Return the chances, including naturals or given that there is none."""
        if is_conditional:
            win, push, lose = self[:3]
            whole = win + push + lose
            return OutcomeProbabilities(win=win / whole, push=push / whole, lose=lose / whole)
        return OutcomeProbabilities(
            win=self.win + self.natural_win,
            push=self.push + self.natural_push,
            lose=self.lose + self.natural,
        )


class HandOutcomes(ABC):
    """Results of hands against one upcard; hands are numbered by the solver."""

    def __init__(self) -> None:
        self.known: dict[int, Ending] = {}

    @abstractmethod
    def stand(self, hand: int) -> Ending:
        """Return the result of a hand that stands, or that won at once."""

    @abstractmethod
    def next_action(self, hand: int) -> Action:
        """Return the action of a hand of three or more cards."""

    @abstractmethod
    def next_cards(self, hand: int) -> Iterator[tuple[float, int, float]]:
        """Iterate over one more card: chance, hand (-1 for a bust), then a natural's chance."""

    def answer(self, hand: int, action: Action, *, has_looked: bool) -> OutcomeProbabilities | None:
        """Return win, push and lose by an answer; None if it is not the end of one hand."""
        if action not in (Action.STAND, Action.HIT, Action.DOUBLE):
            return None
        return self._act(hand, action).finish(is_conditional=has_looked)

    def _act(self, hand: int, action: Action) -> Ending:
        if action is Action.STAND:
            return self.stand(hand)
        if action is Action.SURRENDER:
            end = self.stand(hand)
            natural = end.natural + end.natural_push + end.natural_win
            return Ending(lose=1 - natural, natural=natural)
        ending = Ending()
        for share, after, natural in self.next_cards(hand):
            if after < 0:
                end = Ending(lose=1 - natural, natural=natural)
            else:
                end = self._play(after) if action is Action.HIT else self.stand(after)
            ending = ending.plus(end, share)
        return ending

    def _play(self, hand: int) -> Ending:
        if hand not in self.known:
            self.known[hand] = self._act(hand, self.next_action(hand))
        return self.known[hand]


def win_at_once(rules: Rules, natural: float) -> Ending:
    """Return the result of a hand that wins whatever the dealer has; parts of the whole."""
    if rules.hole_card is HoleCard.PEEK:  # a natural has ended the round before
        return Ending(win=1 - natural, natural=natural)
    return Ending(win=1 - natural, natural_win=natural)


def compare(
    rules: Rules, total: int, by_total: Iterable[tuple[int, float]], *, bust: float, natural: float
) -> Ending:
    """Return the result of a hand that stands, or of a 21 that won at once; parts of the whole.

    `by_total` are the dealer's totals with their chances, without naturals; a 22 may be among
    them, and is no part of `bust` then.
    """
    is_21 = total == hands.BUST_LIMIT
    if is_21 and rules.player_21 is Player21.ALWAYS_WINS:
        return win_at_once(rules, natural)
    # With a peek, a natural has ended the round before a hand can reach 21.
    ties = is_21 and rules.natural_ties_21 and rules.hole_card is not HoleCard.PEEK
    if is_21 and rules.player_21 is Player21.WINS:
        win, push, lose = 1 - natural, 0.0, 0.0
    else:
        win, push, lose = bust, 0.0, 0.0
        payoffs = payoffs_of(rules).rows[total]
        for reached, chance in by_total:
            if payoffs[reached].won:
                win += chance
            elif payoffs[reached].lost:
                lose += chance
            else:
                push += chance
    if ties:
        return Ending(win, push, lose, natural_push=natural)
    return Ending(win, push, lose, natural)


NEARLY_EQUAL: Final = 1e-9
"""EVs closer than this are equal: the difference is rounding, not a mistake."""
_PREFERENCE: Final = (
    *(Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER),
    *(
        Action.NO_SPLIT,
        Action.NO_SURRENDER,
        Action.NO_SWITCH,
        Action.NO_INSURANCE,
        Action.NO_EVEN_MONEY,
    ),
    *(Action.INSURANCE, Action.EVEN_MONEY, Action.SWITCH),
)
"""Order of equally good actions: the one that stakes least comes first."""


def best_action(values: Mapping[Action, float], among: Collection[Action] = _PREFERENCE) -> Action:
    """Return the action with the highest value; ties go by the order of `among`."""
    candidates = [action for action in _PREFERENCE if action in values and action in among]
    if not candidates:
        msg = f"none of {', '.join(among)} is possible. Legal: {', '.join(values)}"
        raise errors.IllegalActionError(msg)
    most = max(values[action] for action in candidates)
    return next(
        action
        for action in candidates
        if values[action] == most or most - values[action] <= NEARLY_EQUAL
    )


Asked = tuple[Any, ...]
"""All that the value depends on besides the rules, as JSON values."""


class SplitSaver(NamedTuple):
    """A way to find and to save the value of a split."""

    find: Callable[[Rules, Asked], float | None]
    save: Callable[[Rules, Asked, float], object]


_saver: Final[ContextVar[SplitSaver | None]] = ContextVar("split_saver", default=None)


@contextmanager
def save_splits(saver: SplitSaver) -> Iterator[None]:
    """Save the splits that are computed meanwhile."""
    token = _saver.set(saver)
    try:
        yield
    finally:
        _saver.reset(token)


def find_split(rules: Rules, asked: Asked) -> float | None:
    """Return a saved value, None if there is none."""
    saver = _saver.get()
    return None if saver is None else saver.find(rules, asked)


def save_split(rules: Rules, asked: Asked, value: float) -> None:
    """Save a value, if that is asked for."""
    saver = _saver.get()
    if saver is not None:
        saver.save(rules, asked, value)
