"""`play_round`: one round from a known sequence of cards and decisions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from upcard.core.actions import Action, Outcome, parse_action
from upcard.core.cards import Card
from upcard.core.errors import OutOfDecisionsError
from upcard.rules.model import Rules
from upcard.table.events import Event
from upcard.table.legal import legal_actions
from upcard.table.shoe import ScriptedShoe
from upcard.table.state import Phase, RoundState
from upcard.table.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class HandResult:
    """Result of a hand. `bet` is the final bet and `net` what it won or lost, in chips."""

    cards: tuple[Card, ...]
    total: int
    is_natural: bool
    outcome: Outcome
    bet: Fraction
    net: Fraction
    spot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerResult:
    """All the dealer's cards, the hole card included, in deal order."""

    cards: tuple[Card, ...]
    total: int
    is_natural: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundResult:
    """A settled round. `net` is over all hands, insurance included, in chips.

    `unasked` are unused decisions, `cards_left` cards not dealt.
    """

    hands: tuple[HandResult, ...]
    dealer: DealerResult
    insurance_net: Fraction
    net: Fraction
    events: tuple[Event, ...]
    unasked: tuple[Action, ...]
    cards_left: tuple[Card, ...]


def play_round(
    rules: Rules,
    cards: str | Iterable[Card | str],
    *,
    decisions: Iterable[Action | str] = (),
    bets: Iterable[Fraction | int | str] = (1,),
) -> RoundResult:
    """Play one round from `cards` in the house's deal order and `decisions` in the order asked.

    A split that is a separate offer, and early surrender before a peek, are declined by any other
    decision, which then answers the next question.

    Raises: NotationError, RulesError (bets), IllegalActionError, EmptyShoeError (too few cards),
    OutOfDecisionsError.

    >>> from upcard.rules.house import load_house
    >>> rules = load_house("deshmukh").rules
    >>> str(play_round(rules, "AC KD 9H 8S", bets=[10]).net)
    '10'
    """
    shoe = ScriptedShoe(cards)
    table = Table(rules, shoe)
    events: list[Event] = []
    table.listeners.append(events.append)
    answers = [parse_action(decision) for decision in decisions]
    state = table.start(bets)
    given = 0
    while not state.is_over:
        action = _next_answer(state, answers[given:])
        given += action in answers[given : given + 1]
        state = table.act(action)
    return summarize_round(
        state, events, unasked=answers[given:], cards_left=shoe.cards[shoe.position :]
    )


def _next_answer(state: RoundState, answers: list[Action]) -> Action:
    legal = legal_actions(state)
    if not answers:
        hand = state.hands[state.active]
        msg = f"the table asks about {hand} and no decision is left. Legal: {', '.join(legal)}"
        raise OutOfDecisionsError(msg)
    is_own_offer = state.phase in (Phase.SPLIT, Phase.SURRENDER)
    if is_own_offer and answers[0] not in legal and not answers[0].declines:
        return next(action for action in legal if action.declines)
    return answers[0]


def summarize_round(
    state: RoundState,
    events: Iterable[Event] = (),
    *,
    unasked: Iterable[Action] = (),
    cards_left: Iterable[Card] = (),
) -> RoundResult:
    """Summarize a round that is over."""
    hands = tuple(
        HandResult(
            cards=hand.cards,
            total=hand.total,
            is_natural=hand.is_natural,
            outcome=outcome,
            bet=hand.bet,
            net=net,
            spot=hand.spot,
        )
        for hand, (outcome, net) in zip(state.hands, state.results, strict=True)
    )
    dealer = DealerResult(
        cards=state.dealer, total=state.dealer_total, is_natural=state.dealer_has_natural
    )
    return RoundResult(
        hands=hands,
        dealer=dealer,
        insurance_net=state.insurance.net,
        net=state.net,
        events=tuple(events),
        unasked=tuple(unasked),
        cards_left=tuple(cards_left),
    )
