"""`DealerDrill`: settled rounds, some of them wrong, as dealers err; you say what is right."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from upcard.core.actions import Action, Outcome
from upcard.core.cards import Card
from upcard.core.hands import BUST_LIMIT
from upcard.core.numbers import format_chips, signed
from upcard.drills import drill
from upcard.drills.hand_prompts import DrawnHand
from upcard.table.rounds import Table
from upcard.table.shoe import make_shoe

if TYPE_CHECKING:
    from upcard.rules.model import Rules
    from upcard.table.state import RoundState

_BETS: Final = tuple(map(Fraction, (10, 15, 20, 25, 30, 40, 50, 75)))
_ROUNDS: Final = 3_000
"""Rounds that are played to find some of each kind."""
_MOST: Final = 40
"""Rounds of a kind to choose from."""
_RIGHT: Final = "no mistake"
_SHARE_RIGHT: Final = 0.4
"""Share of the questions in which the dealer is right."""
_STANDS_ON: Final = 17
_DOUBLES: Final = (10, 11)
_SURRENDERS: Final = (15, 16)


class DealtRound(NamedTuple):
    """A settled round, for a bet of one."""

    cards: tuple[Card, ...]
    dealer: tuple[Card, ...]
    net: Fraction
    stake: Fraction
    """The bet, with a double."""
    insurance: Fraction
    insurance_net: Fraction
    """Won or lost on it, part of `net`."""


class _Mistake(NamedTuple):
    words: str
    find: Callable[[RoundState], bool]
    """Whether a round can have the mistake."""
    pay: Callable[[DealtRound], Fraction]
    """The net that the dealer pays by mistake, for a bet of one."""


def _has(state: RoundState, outcome: Outcome) -> bool:
    return state.results[0][0] is outcome and not _is_insured(state)


def _is_insured(state: RoundState) -> bool:
    return bool(state.insurance.bets[0])


def _is_paid_double(state: RoundState) -> bool:
    hand = state.hands[0]
    return _has(state, Outcome.WIN) and hand.doubles > 0 and state.net > 1


_MISTAKES: Final[Mapping[str, _Mistake]] = {
    "short natural": _Mistake(
        "the natural was paid as any other hand",
        lambda state: _has(state, Outcome.NATURAL) and state.net > 1,
        lambda _: Fraction(1),
    ),
    "insurance": _Mistake(
        "the dealer has a natural, and insurance was not paid",
        lambda state: _is_insured(state) and state.dealer_has_natural,
        lambda dealt: dealt.net - dealt.insurance_net - dealt.insurance,
    ),
    "22 for 21": _Mistake(
        "the dealer has 22, and took it for 21",
        lambda state: _has(state, Outcome.WIN) and state.dealer_total == BUST_LIMIT + 1,
        lambda dealt: -dealt.stake,
    ),
    "tie taken": _Mistake(
        "a tie was taken", lambda state: _has(state, Outcome.PUSH), lambda dealt: -dealt.stake
    ),
    "tie paid": _Mistake(
        "a tie was paid", lambda state: _has(state, Outcome.PUSH), lambda dealt: dealt.stake
    ),
    "short double": _Mistake("the double was paid once", _is_paid_double, lambda _: Fraction(1)),
    "surrendered bet": _Mistake(
        "a surrender costs half the bet, and all of it was taken",
        lambda state: _has(state, Outcome.SURRENDER) and state.net > -1,
        lambda _: Fraction(-1),
    ),
    _RIGHT: _Mistake("the dealer was right", lambda _: True, lambda dealt: dealt.net),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerPrompt(drill.NumberPrompt):
    """A settled round, and what the dealer does with the bets: what is right."""

    paid: Fraction
    """The net that the dealer pays."""
    bet: Fraction
    doubled: Fraction
    insurance: Fraction
    dealer_cards: tuple[Card, ...]
    short: ClassVar[str] = "What is right?"

    def write(self, rules: Rules) -> str:
        """Write the bets, and what the dealer does with them."""
        del rules
        text = f"you bet {format_chips(self.bet)}"
        text += f", doubled for {format_chips(self.doubled)}" if self.doubled > 0 else ""
        text += f", took insurance for {format_chips(self.insurance)}" if self.insurance else ""
        paid = self.paid
        does = "gives back what you bet" if not paid else f"pays you {format_chips(paid)} in all"
        does = does if paid >= 0 else f"takes {format_chips(-paid)} in all"
        return f"{text}; the dealer {does}: what is right, with a minus if you lose?"

    def draw(self, rules: Rules) -> tuple[DrawnHand, ...]:
        """Return both hands without their totals: to add up the cards is the drill."""
        del rules
        return (
            DrawnHand(name="Dealer", cards=self.dealer_cards, text=""),
            DrawnHand(name="You", cards=self.cards, text=""),
        )


class DealerDrill(drill.Drill[DealerPrompt]):
    """Shows settled rounds and what the dealer pays; asks what is right. Items are the mistakes."""

    name = "dealer mistakes"
    unit = "bets off"

    def __init__(self, rules: Rules) -> None:
        self.game = rules
        self.about = str(rules)

    @cached_property
    def _by_key(self) -> dict[str, list[DealtRound]]:
        """Rounds by what can be wrong with them; the same ones for the same rules."""
        rng = random.Random(self.about)
        table = Table(self.game, make_shoe(self.game, rng))
        found: dict[str, list[DealtRound]] = {key: [] for key in _MISTAKES}
        for _ in range(_ROUNDS):
            dealt, state = _deal(table, rng)
            if len(state.hands) > 1:
                continue
            for key, mistake in _MISTAKES.items():
                if len(found[key]) < _MOST and mistake.find(state):
                    found[key].append(dealt)
        return {key: rounds for key, rounds in found.items() if rounds}

    def items(self) -> tuple[drill.Item, ...]:
        """Return the mistakes that these rules allow, and none; their cost is in bets."""
        wrong = (1 - _SHARE_RIGHT) / max(len(self._by_key) - 1, 1)
        return tuple(
            drill.Item(
                key=key,
                frequency=_SHARE_RIGHT if key == _RIGHT else wrong,
                cost=float(abs(self._pay(key, rounds[0]) - rounds[0].net)) or 1.0,
            )
            for key, rounds in self._by_key.items()
        )

    def _pay(self, key: str, dealt: DealtRound) -> Fraction:
        return _MISTAKES[key].pay(dealt)

    def ask(self, item: str, rng: random.Random) -> DealerPrompt:
        """Show a round that a dealer settles with this mistake."""
        if item not in self._by_key:
            raise drill.DrillError(f"no item is called {item!r} in this drill")
        dealt, bet = rng.choice(self._by_key[item]), rng.choice(_BETS)
        return DealerPrompt(
            item=item,
            cards=dealt.cards,
            right=(dealt.net * bet,),
            paid=self._pay(item, dealt) * bet,
            bet=bet,
            doubled=(dealt.stake - 1) * bet,
            insurance=dealt.insurance * bet,
            dealer_cards=dealt.dealer,
        )

    def check(self, prompt: DealerPrompt, answer: str) -> drill.Feedback:
        """Judge an amount by its distance, in bets."""
        given = drill.read_number(answer, "an amount, such as 15 or -10")
        (right,), paid = prompt.right, prompt.paid
        words = _MISTAKES[prompt.item].words
        missed = " You let it pass." if given == paid != right else ""
        return drill.Feedback(
            is_right=given == right,
            answer=answer.strip(),
            right=signed(right),
            cost=float(abs(given - right) / prompt.bet),
            unit=self.unit,
            reason=f"{words[0].upper()}{words[1:]}: {signed(right)} is right.{missed}",
        )


def _deal(table: Table, rng: random.Random) -> tuple[DealtRound, RoundState]:
    """Play a round simply: no pair is split, so that there is one hand to settle."""
    table.start((Fraction(1),))
    while legal := table.legal_actions():
        table.act(_choose(table, legal, rng))
    state = table.state
    hand = state.hands[0]
    return (
        DealtRound(
            cards=tuple(hand.cards),
            dealer=tuple(state.dealer),
            net=Fraction(state.net),
            stake=Fraction(hand.stake),
            insurance=state.insurance.bets[0] or Fraction(0),
            insurance_net=state.insurance.net,
        ),
        state,
    )


def _choose(table: Table, legal: tuple[Action, ...], rng: random.Random) -> Action:
    view = table.view()
    total = view.hand.total
    for declines in (Action.NO_EVEN_MONEY, Action.NO_SPLIT, Action.NO_SURRENDER):
        if declines in legal:
            return declines
    if Action.INSURANCE in legal:
        return rng.choice((Action.INSURANCE, Action.NO_INSURANCE))
    if Action.SURRENDER in legal and total in _SURRENDERS:
        return Action.SURRENDER
    if Action.DOUBLE in legal and total in _DOUBLES:
        return Action.DOUBLE
    if Action.STAND in legal and (total >= _STANDS_ON or Action.HIT not in legal):
        return Action.STAND
    return Action.HIT if Action.HIT in legal else legal[0]


ENTRY: Final = drill.DrillEntry(
    name=DealerDrill.name,
    about="Rounds that the dealer settles, some of them wrongly",
    explanation=(
        "Say what you won in all: with a minus if you lost, 0 if nothing changes hands. In six of"
        " ten rounds the dealer is wrong: a natural paid short, insurance not paid, a 22 taken for"
        " 21, a tie taken or paid, a double paid once, a surrender taken whole."
    ),
    make=DealerDrill,
    inputs=(drill.InputKind.NUMBER,),
    icon="mistake",
    has_one_bet=True,
)
