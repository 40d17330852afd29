"""Reasons for the best answer: dealer totals, win, push and lose by action, and a sentence."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from upcard.coach.judgement import Advice, cost_of
from upcard.coach.question import HandClass
from upcard.coach.verdict import decimals_for, write_bets
from upcard.core.actions import Action
from upcard.core.cards import RANKS
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.exact.insurance import insurance_ev
from upcard.exact.solver_results import NEARLY_EQUAL, DealerOutcomes, OutcomeProbabilities
from upcard.kernels.dealer_tree import natural_rank
from upcard.table.state import Phase

_TOLD: Final = (Action.STAND, Action.HIT, Action.DOUBLE)
_PLAYED: Final = (Phase.PLAY, Phase.SPLIT, Phase.SURRENDER)
_DECIMALS: Final = 3
"""Decimals of an EV, unless it takes more to distinguish two."""
_NOTHING_MORE: Final = 0.001
"""Difference below which an EV follows from its chances alone."""
_HALF_BET: Final = -0.5
_BREAK_EVEN: Final = 1 / 3
"""Share of tens as hole cards at which insurance breaks even."""
_PART_OFFERS: Final = (Action.NO_SPLIT, Action.NO_SURRENDER)
_DOING: Final = {
    Action.HIT: "hitting",
    Action.STAND: "standing",
    Action.DOUBLE: "doubling",
    Action.SURRENDER: "surrendering",
    Action.NO_SURRENDER: "playing on",
    Action.NO_SPLIT: "playing on with one hand",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Reasons for an advice."""

    dealer: DealerOutcomes
    """The dealer's final totals from the unseen cards; no naturals once the dealer has looked."""
    chances: dict[Action, OutcomeProbabilities]
    """Win, push and lose by action; a hit is followed by the best play."""
    bust: float
    """Chance that one card busts the hand."""
    sentence: str = ""

    def __str__(self) -> str:
        return self.sentence


def explain(advice: Advice, chosen: Action | None = None) -> Explanation:
    """Return the reasons for an advice; after a mistake, why `chosen` is worse than the best."""
    question, position = advice.question, advice.position
    chances: dict[Action, OutcomeProbabilities] = {}
    if question.phase in _PLAYED and not question.must_be_natural:
        offered = any(action in question.legal for action in _PART_OFFERS)
        wanted = [
            action
            for action in _TOLD
            if action in question.legal or (offered and action in _TOLD[:2])
        ]
        found = {action: position.outcome_probabilities(action) for action in wanted}
        chances = {action: chance for action, chance in found.items() if chance is not None}
    dealer = (
        DealerOutcomes.of([0.0] * 5, natural=1.0, bust=0.0)
        if question.must_be_natural
        else position.dealer_outcomes()
    )
    facts = Explanation(dealer=dealer, chances=chances, bust=chance_of_bust(advice))
    return replace(facts, sentence=_reason(advice, chosen, facts))


def chance_of_bust(advice: Advice) -> float:
    """Return the chance that the hand's next card busts it, as far as the player knows."""
    question = advice.question
    table = hand_table(question.rules.ace_rule)
    state = table.state_of(question.ranks)
    if table.total[state] > BUST_LIMIT:
        return 1.0
    if question.rules.is_infinite:
        from upcard.exact.infinite_hands import rank_odds

        unseen = rank_odds(question.rules)
    else:
        unseen = advice.cards.unseen
    cards = math.fsum(unseen)
    matching = natural_rank(question.upcard.rank) if question.has_looked else 0
    bust = whole = 0.0
    for rank in RANKS:
        share = unseen[rank] / cards
        if matching and not question.rules.is_infinite:
            # The hole card is not one of these, so a card that is one is slightly less likely to be
            # it.
            share *= 1 - (unseen[matching] - (rank == matching)) / (cards - 1)
        whole += share
        if table.total[table.next_state[state][rank]] > BUST_LIMIT:
            bust += share
    return bust / whole if whole else 0.0


def _reason(advice: Advice, chosen: Action | None, facts: Explanation) -> str:
    """Return why the best answer is best; after a mistake, why the chosen one is not.

    The verdict on a mistake gives its cost, so the reason does not repeat it.
    """
    question, best = advice.question, advice.best
    is_mistake = chosen in advice.ev and bool(advice.costs[chosen])
    rival = chosen if is_mistake else advice.runner_up
    if question.must_be_natural:
        words = "The dealer has a natural, or this 21 would have won at once"
        return f"{words}; {_doing(rival, advice)} only loses more." if is_mistake else f"{words}."
    if question.hand_class in (HandClass.INSURANCE, HandClass.EVEN_MONEY):
        return _reason_of_side_bet(advice)
    if rival is None:
        return f"The only legal action is to {best}."
    if Action.SURRENDER in (best, rival):
        return _reason_about_surrender(advice, rival)
    is_by_chances = all(_tells_all(action, advice, facts) for action in (best, rival))
    compared = _compare_chances(advice, rival, facts) if is_by_chances else None
    words = compared or _compare_values(advice, rival)
    lead = cost_of(advice.ev[best], advice.ev[rival])
    if not lead:
        return f"{words}: {best} and {rival} are worth the same."
    if is_mistake or not compared:
        return f"{words}."
    return f"{words}: {best} is better by {write_bets(lead)}."


def _doing(action: Action | None, advice: Advice) -> str:
    """Return an action as the subject of a sentence."""
    if action is Action.SPLIT:
        face = advice.question.cards[0].face
        return f"splitting into hands of {'10' if face == 'T' else face}"
    return _DOING.get(action, str(action)) if action is not None else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _reason_about_surrender(advice: Advice, rival: Action) -> str:
    """Compare surrendering half the bet with playing on."""
    other = rival if advice.best is Action.SURRENDER else advice.best
    given_up, played = advice.ev[Action.SURRENDER], advice.ev[other]
    decimals = _decimals_to_tell(given_up, played)
    doing = _capital(_doing(other, advice))
    is_half = abs(given_up - _HALF_BET) <= NEARLY_EQUAL  # else a natural takes the whole bet
    lost = "half" if is_half else f"{-given_up:.{decimals}f}"
    if played >= 0:
        share = f"{played:.{decimals}f} of a bet"
        return f"{doing} wins {share} on average, and surrendering loses {lost}."
    words = f"{doing} loses {-played:.{decimals}f} of a bet on average"
    if not cost_of(max(given_up, played), min(given_up, played)):
        return f"{words}, and so does surrendering."
    return f"{words}, surrendering {lost}."


def _decimals_to_tell(one: float, other: float) -> int:
    return decimals_for(one - other, least=_DECIMALS, digits=1)


def _compare_values(advice: Advice, rival: Action) -> str:
    """Compare the value of the best answer with that of another, which comes first."""
    one, other = advice.ev[rival], advice.ev[advice.best]
    decimals = _decimals_to_tell(one, other)
    return (
        f"{_capital(_doing(rival, advice))} is worth {one:+.{decimals}f} of a bet,"
        f" {_doing(advice.best, advice)} {other:+.{decimals}f}"
    )


def _compare_chances(advice: Advice, rival: Action, facts: Explanation) -> str:
    """Compare the wins and losses of the best answer with those of another, which comes first."""
    best = advice.best
    gap = advice.ev[best] - advice.ev[rival]
    decimals = decimals_for(100 * gap, least=0, digits=1)
    first, second = (_tell(action, facts, decimals) for action in (rival, best))
    if Action.HIT in (best, rival) and Action.DOUBLE not in (best, rival):
        busts = f"busts {facts.bust:.0%}" if facts.bust else "cannot bust"
        risk = f" (the next card {busts})"
        first, second = (first + risk, second) if rival is Action.HIT else (first, second + risk)
    return f"{_capital(first)}; {second}"


def _tells_all(action: Action, advice: Advice, facts: Explanation) -> bool:
    """Whether the value follows from the chances alone: no bet grows, or is lost in part."""
    chance = facts.chances.get(action)
    bets = 2 if action is Action.DOUBLE else 1
    return chance is not None and (
        abs(bets * (chance.win - chance.lose) - advice.ev[action]) < _NOTHING_MORE
    )


def _tell(action: Action, facts: Explanation, decimals: int) -> str:
    chance = facts.chances[action]
    words = f"wins {chance.win:.{decimals}%} and loses {chance.lose:.{decimals}%}"
    if action is Action.STAND:
        return f"standing {words} (the dealer busts {facts.dealer.bust:.0%})"
    if action is Action.DOUBLE:
        return f"doubling, for twice the money and one card only, {words}"
    return f"hitting {words}"


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
    worth = insurance_ev(natural)
    decimals = decimals_for(100 * (natural - _BREAK_EVEN), least=1, digits=1)
    side = (
        f"The hole card is worth ten {natural:.{decimals}%} of the time,"
        f" and insurance breaks even at {_BREAK_EVEN:.{decimals}%}"
    )
    extra = ev.get(Action.INSURANCE, worth) - worth
    if abs(extra) > NEARLY_EQUAL:
        return f"{side}; the look that it buys is worth {extra:+.3f} of a bet on top."
    return f"{side}."
