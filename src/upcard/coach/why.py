"""Why an answer is best: the dealer's totals, win, push and lose by action, one plain sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.coach.chances import DealerTotals
from upcard.coach.judgement import NEARLY_EQUAL, cost_of, decimals_for
from upcard.coach.question import HandClass
from upcard.core.actions import Action
from upcard.core.cards import RANKS
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.kernels.dealer_tree import natural_rank
from upcard.table.state import Phase

if TYPE_CHECKING:
    from upcard.coach.advice import Advice
    from upcard.coach.chances import Chances

_TOLD: Final = (Action.STAND, Action.HIT, Action.DOUBLE)
_PLAYED: Final = (Phase.PLAY, Phase.SPLIT, Phase.SURRENDER)
_DECIMALS: Final = 3
"""Of an EV, unless it takes more of them to tell it from another."""
_HALF_BET: Final = -0.5
_BREAK_EVEN: Final = 1 / 3
"""How often the hole card must be worth ten for insurance to pay for itself."""
_PART_OFFERS: Final = (Action.NO_SPLIT, Action.NO_SURRENDER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """The reasons for an advice."""

    dealer: DealerTotals
    """How the dealer ends, from the cards not seen; given no natural once he has looked."""
    chances: dict[Action, Chances]
    """Win, push and lose by action; hit is one card and then the best play."""
    bust: float
    """The chance that one card busts the hand."""
    sentence: str

    def __str__(self) -> str:
        """Write the sentence."""
        return self.sentence


def explain(advice: Advice, chosen: Action | None = None) -> Why:
    """Return the reasons for an advice, against the action `chosen` if it was another one."""
    question, position = advice.question, advice.position
    chances: dict[Action, Chances] = {}
    if question.phase in _PLAYED and not question.must_be_natural:
        offered = any(action in question.legal for action in _PART_OFFERS)
        wanted = [
            action
            for action in _TOLD
            if action in question.legal or (offered and action in _TOLD[:2])
        ]
        found = {action: position.chances(action) for action in wanted}
        chances = {action: chance for action, chance in found.items() if chance is not None}
    dealer = (
        DealerTotals.of([0.0] * 5, natural=1.0) if question.must_be_natural else position.dealer()
    )
    bust = chance_of_bust(advice)
    return Why(
        dealer=dealer,
        chances=chances,
        bust=bust,
        sentence=_reason(advice, _rival(advice, chosen), dealer, chances, bust),
    )


def chance_of_bust(advice: Advice) -> float:
    """Return the chance that the hand's next card busts it, by what the player knows."""
    question = advice.question
    table = hand_table(question.rules.ace_rule)
    state = table.state_of(question.ranks)
    if table.total[state] > BUST_LIMIT:
        return 1.0
    if question.rules.is_infinite:
        from upcard.exact.dealer import rank_odds

        unseen = rank_odds(question.rules)
    else:
        unseen = advice.cards.unseen
    cards = sum(unseen)
    matching = natural_rank(question.upcard.rank) if question.has_looked else 0
    bust = whole = 0.0
    for rank in RANKS:
        share = unseen[rank] / cards
        if matching and not question.rules.is_infinite:
            # The hole card is none of these: a card that is one is a little less likely to be it.
            share *= 1 - (unseen[matching] - (rank == matching)) / (cards - 1)
        whole += share
        if table.total[table.next_state[state][rank]] > BUST_LIMIT:
            bust += share
    return bust / whole if whole else 0.0


def _rival(advice: Advice, chosen: Action | None) -> Action | None:
    """Return what the best answer is held against: the chosen one, or the best of the others."""
    return chosen if chosen in advice.ev and chosen is not advice.best else advice.runner_up


def _reason(
    advice: Advice,
    rival: Action | None,
    dealer: DealerTotals,
    chances: dict[Action, Chances],
    bust: float,
) -> str:
    """Say in one sentence why the best answer is best."""
    question, ev, best = advice.question, advice.ev, advice.best
    if question.must_be_natural:
        return "The dealer has a natural, for else this 21 would have won at once."
    if question.hand_class in (HandClass.INSURANCE, HandClass.EVEN_MONEY):
        return _reason_of_side_bet(advice)
    if rival is None:
        return f"There is nothing else to do than to {best}."
    if Action.SURRENDER in (best, rival):
        played = max(value for action, value in ev.items() if action is not Action.SURRENDER)
        if played >= 0:
            return f"Played on, the hand wins {played:.3f} of a bet on average: nothing to give up."
        return _reason_to_surrender(ev[Action.SURRENDER], played)
    if Action.SPLIT in ev and Action.SPLIT in (best, rival):
        other = max(value for action, value in ev.items() if action is not Action.SPLIT)
        split = ev[Action.SPLIT]
        decimals = _decimals_to_tell(split, other)
        return (
            f"As one hand the pair is worth {other:+.{decimals}f} of a bet, split into hands of"
            f" {question.cards[0].face} {split:+.{decimals}f}."
        )
    words = _reason_by_chances(best, rival, dealer, chances, bust)
    lead = cost_of(ev[best], ev[rival])
    if not lead:
        return f"{words}: {best} and {rival} are worth the same."
    return f"{words}: {best} is better by {lead:.{decimals_for(lead, least=_DECIMALS)}f} of a bet."


def _reason_to_surrender(given_up: float, played: float) -> str:
    decimals = _decimals_to_tell(given_up, played)
    words = f"Played on, the hand loses {-played:.{decimals}f} of a bet on average"
    if abs(given_up - _HALF_BET) > NEARLY_EQUAL:  # a natural of the dealer takes the whole bet
        return f"{words}, given up {-given_up:.{decimals}f}."
    if not cost_of(max(given_up, played), min(given_up, played)):
        return f"{words}: as much as surrender does."
    return f"{words}: {'more' if played < given_up else 'less'} than half a bet."


def _decimals_to_tell(one: float, other: float) -> int:
    return decimals_for(one - other, least=_DECIMALS, digits=1)


def _reason_by_chances(
    best: Action, rival: Action, dealer: DealerTotals, chances: dict[Action, Chances], bust: float
) -> str:
    stand, hit = chances.get(Action.STAND), chances.get(Action.HIT)
    double = chances.get(Action.DOUBLE)
    if best is Action.DOUBLE and double is not None:
        return (
            f"One card wins {double.win:.0%} and loses {double.lose:.0%}, which is worth two bets"
        )
    if best is Action.HIT and rival is Action.DOUBLE and double is not None and hit is not None:
        return (
            f"One card alone wins {double.win:.0%}, and with the right to more"
            f" the hand wins {hit.win:.0%}"
        )
    if stand is not None and hit is not None:
        return (
            f"Standing wins {stand.win:.0%} (the dealer busts {dealer.bust:.0%}), drawing wins"
            f" {hit.win:.0%}, and the next card busts you {bust:.0%} of the time"
        )
    if stand is not None:
        return (
            f"Standing wins {stand.win:.0%} (the dealer busts {dealer.bust:.0%}), and the next"
            f" card busts you {bust:.0%} of the time"
        )
    return f"The dealer busts {dealer.bust:.0%} of the time"


def _reason_of_side_bet(advice: Advice) -> str:
    question, ev = advice.question, advice.ev
    natural = advice.natural_probability
    if question.hand_class is HandClass.EVEN_MONEY:
        waiting = ev.get(Action.NO_EVEN_MONEY, 0.0)
        decimals = _decimals_to_tell(waiting, 1)
        return (
            f"The dealer has a natural {natural:.1%} of the time: to wait is worth"
            f" {waiting:.{decimals}f} of a bet, even money 1."
        )
    worth = (3 * natural - 1) / 2
    decimals = decimals_for(100 * (natural - _BREAK_EVEN), least=1, digits=1)
    side = (
        f"The hole card is worth ten {natural:.{decimals}%} of the time,"
        f" and insurance breaks even at {_BREAK_EVEN:.{decimals}%}"
    )
    extra = ev.get(Action.INSURANCE, worth) - worth
    if abs(extra) > NEARLY_EQUAL:
        return f"{side}; the look that it buys is worth {extra:+.3f} of a bet on top."
    return f"{side}."
