"""Reasons for the best answer, and the changes to which it is sensitive: count and rules.

The shoe at a count is an expected one: the mean of a multivariate hypergeometric draw given one
linear sum of it, in its usual linear form. It is the average of all shoes with that count, so its
numbers of cards need not be whole.

Source: P. Griffin, The Theory of Blackjack, on the effects of a count (recalled, not checked here).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Final

from upcard.coach.judgement import Advice, write_bets
from upcard.core.actions import Action
from upcard.core.cards import RANKS, TEN
from upcard.core.errors import NoExactValueError, RulesError
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.core.numbers import with_minus, with_minus_signs
from upcard.exact import infinite_hands, insurance, solver_results
from upcard.exact.composition import natural_rank
from upcard.exact.solver_results import cost_of, decimals_for
from upcard.players.evaluation import value_question
from upcard.players.question import HandClass, Question
from upcard.players.seen_cards import Composition
from upcard.rules.settings import DoubleOn, HoleCard, Soft17
from upcard.strategy.count_system import CountBy, CountSystem, load_system
from upcard.table.state import Phase

_TOLD: Final = (Action.STAND, Action.HIT, Action.DOUBLE)
_PLAYED: Final = (Phase.PLAY, Phase.SPLIT, Phase.SURRENDER)
_DECIMALS: Final = 3
"""Decimals of an EV, unless it takes more to distinguish two."""
_NOTHING_MORE: Final = 0.001
"""Difference below which an EV follows from its chances alone."""
_HALF_BET: Final = -0.5
_PART_OFFERS: Final = (Action.NO_SPLIT, Action.NO_SURRENDER)
_DOING: Final = {
    Action.HIT: "hitting",
    Action.STAND: "standing",
    Action.DOUBLE: "doubling",
    Action.SURRENDER: "surrendering",
    Action.NO_SURRENDER: "playing on",
    Action.NO_SPLIT: "playing on with one hand",
    Action.SWITCH: "switching",
    Action.NO_SWITCH: "keeping both hands",
}
_FURTHEST: Final = 10
"""Largest true count considered: higher ones hardly ever occur."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Reasons for an advice."""

    dealer: solver_results.DealerOutcomes
    """The dealer's final totals from the unseen cards; no naturals once the dealer has looked."""
    chances: dict[Action, solver_results.OutcomeProbabilities]
    """Win, push and lose by action; a hit is followed by the best play."""
    bust: float
    """Chance that one card busts the hand."""
    sentence: str = ""

    def __str__(self) -> str:
        return self.sentence


def explain(advice: Advice, chosen: Action | None = None) -> Explanation:
    """Return the reasons for an advice; after a mistake, why `chosen` is worse than the best."""
    question, position = advice.question, advice.position
    chances: dict[Action, solver_results.OutcomeProbabilities] = {}
    if question.phase in _PLAYED and not question.must_be_natural:
        offered = any(action in question.legal for action in _PART_OFFERS)
        also = _TOLD[:2] if offered else ()
        wanted = [action for action in _TOLD if action in (*question.legal, *also)]
        found = {action: position.outcome_probabilities(action) for action in wanted}
        chances = {action: chance for action, chance in found.items() if chance is not None}
    dealer = (
        solver_results.DealerOutcomes.of([0.0] * 5, natural=1.0, bust=0.0)
        if question.must_be_natural
        else position.dealer_outcomes()
    )
    facts = Explanation(dealer=dealer, chances=chances, bust=chance_of_bust(advice))
    return replace(facts, sentence=with_minus_signs(_reason(advice, chosen, facts)))


def chance_of_bust(advice: Advice) -> float:
    """Return the chance that the hand's next card busts it, as far as the player knows."""
    question = advice.question
    table = hand_table(question.rules.ace_rule)
    state = table.state_of(question.ranks)
    if table.total[state] > BUST_LIMIT:
        return 1.0
    is_infinite = question.rules.is_infinite
    unseen = infinite_hands.rank_odds(question.rules) if is_infinite else advice.cards.unseen
    cards = math.fsum(unseen)
    matching = natural_rank(question.upcard.rank) if question.has_looked else 0
    bust = whole = 0.0
    for rank in RANKS:
        share = unseen[rank] / cards
        if matching and not is_infinite:
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
    if action is Action.DOUBLE and advice.question.doubles:
        return "doubling again"
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
    # Else a natural takes the whole bet.
    is_half = abs(given_up - _HALF_BET) <= solver_results.NEARLY_EQUAL
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
    best, question = advice.best, advice.question
    decimals = decimals_for(100 * (advice.ev[best] - advice.ev[rival]), least=0, digits=1)
    first, second = (_tell(question, action, facts, decimals) for action in (rival, best))
    if Action.HIT in (best, rival) and Action.DOUBLE not in (best, rival):
        busts = f"busts {facts.bust:.0%}" if facts.bust else "cannot bust"
        risk = f" (the next card {busts})"
        first, second = (first + risk, second) if rival is Action.HIT else (first, second + risk)
    return f"{_capital(first)}; {second}"


def _tells_all(action: Action, advice: Advice, facts: Explanation) -> bool:
    """Whether the value follows from the chances alone: no bet grows, or is lost in part."""
    chance, is_free = facts.chances.get(action), advice.question.is_free
    is_raised = advice.question.doubles or (is_free and action is Action.DOUBLE)
    if chance is None or is_raised:
        return False
    bets = advice.question.rules.double_stake if action is Action.DOUBLE else 1
    lost = 0.0 if is_free else chance.lose
    return abs(bets * (chance.win - lost) - advice.ev[action]) < _NOTHING_MORE


def _tell(question: Question, action: Action, facts: Explanation, decimals: int) -> str:
    chance, rules = facts.chances[action], question.rules
    words = f"wins {chance.win:.{decimals}%}"
    if not question.is_free:
        words += f" and loses {chance.lose:.{decimals}%}"
    if action is Action.STAND:
        return f"standing {words} (the dealer busts {facts.dealer.bust:.0%})"
    if action is Action.DOUBLE:
        times = {2: "twice", 3: "three times"}[rules.double_stake]
        return f"doubling, for {times} the money and one card only, {words}"
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
    worth = insurance.insurance_ev(question.rules, natural)
    break_even = 1 / (1 + float(question.rules.insurance_pays))
    decimals = decimals_for(100 * (natural - break_even), least=1, digits=1)
    side = (
        f"The hole card is worth ten {natural:.{decimals}%} of the time,"
        f" and insurance breaks even at {break_even:.{decimals}%}"
    )
    extra = ev.get(Action.INSURANCE, worth) - worth
    if abs(extra) > solver_results.NEARLY_EQUAL:
        return f"{side}; the look that it buys is worth {extra:+.3f} of a bet on top."
    return f"{side}."


def mean_tags(system: CountSystem) -> tuple[float, ...]:
    """Return the mean tag of each rank; only red sevens make a difference."""
    tags = [float(tag) for tag in system.tags]
    if system.red_7 is not None:
        tags[7] = (tags[7] + float(system.red_7)) / 2
    return tuple(tags)


def expected_composition(
    question: Question, cards: Composition, system: CountSystem, count: float
) -> Composition | None:
    """Return the expected unseen cards at a count; None if no shoe has it.

    The hand and the upcard are known; all other seen cards only through the count.
    """
    rest, seen = _rest(question)
    unseen = math.fsum(cards.unseen)
    decks = _decks_left(question, cards, system)
    running = float(count * decks) if system.by is CountBy.TRUE else float(count)
    counted = running - float(system.initial_count(question.rules.decks or 1))
    tags = mean_tags(system)
    of_own = math.fsum(tags[rank] for rank in seen)
    total = math.fsum(rest)
    mean = math.fsum(tags[rank] * rest[rank] for rank in RANKS) / total
    others = total - unseen
    # The excess of the seen cards' tags over their mean; the unseen cards lack it.
    surplus = counted - of_own - others * mean
    spread = math.fsum(rest[rank] * (tags[rank] - mean) ** 2 for rank in RANKS) / total
    if system.red_7 is not None:  # sevens of two tags, half of them each
        spread += rest[7] * float((system.tags[7] - system.red_7) / 2) ** 2 / total
    if not spread:
        return None
    expected = tuple(
        rest[rank] / total * (unseen - surplus * (tags[rank] - mean) / spread) if rank else 0.0
        for rank in range(11)
    )
    if any(not 0 <= count <= there for count, there in zip(expected, rest, strict=True)):
        return None
    told = with_minus_signs(f"composition: the one to be expected at {system.name} {count:+g}")
    return replace(cards, unseen=expected, tens=None, told=told)


def thin(question: Question, cards: Composition) -> Composition:
    """Return the composition with at least half the shoe dealt.

    All ranks lose alike. A fresh shoe has only one count: no cards have been seen.
    """
    most = question.rules.full_shoe.size / 2
    share = min(most / math.fsum(cards.unseen), 1.0)
    if share == 1:
        return cards
    return replace(cards, unseen=tuple(count * share for count in cards.unseen), tens=None)


def neutral_count(question: Question, cards: Composition, system: CountSystem) -> int:
    """Return the count that implies nothing beyond the number of cards left."""
    if system.by is CountBy.TRUE and not system.deck_sum and not system.start_constant:
        return 0
    rest, seen = _rest(question)
    tags = mean_tags(system)
    total = math.fsum(rest)
    mean = math.fsum(tags[rank] * rest[rank] for rank in RANKS) / total
    running = float(system.initial_count(question.rules.decks or 1))
    running += math.fsum(tags[rank] for rank in seen) + (total - math.fsum(cards.unseen)) * mean
    if system.by is CountBy.RUNNING:
        return math.floor(running + 0.5)
    return math.floor(running / float(_decks_left(question, cards, system)) + 0.5)


def _decks_left(question: Question, cards: Composition, system: CountSystem) -> Fraction:
    """Return the decks undealt as the counter sees them: a hole card is not in the shoe."""
    hidden = question.rules.hole_card is not HoleCard.NONE and question.hole is None
    return system.estimate_decks(max(round(math.fsum(cards.unseen)) - hidden, 1))


def _rest(question: Question) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Return the full decks without the hand and the dealer's cards that are seen, and these."""
    seen = (*question.ranks, *(card.rank for card in question.dealer))
    rest = [float(count) for count in question.rules.full_shoe.counts]
    for rank in seen:
        rest[rank] -= 1
    return tuple(rest), seen


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One changed rule, and the best answer with it."""

    what: str
    best: Action
    ev: dict[Action, float]
    is_other: bool
    """Whether the best answer differs."""

    def __str__(self) -> str:
        return f"{self.what}: {'' if self.is_other else 'still '}{self.best}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A count from which another answer is best.

    An approximation: the shoe is the expected one at that count, with at least half of it dealt.
    """

    count: int
    is_above: bool
    """Whether it applies at the count and above, or at the count and below."""
    action: Action

    @property
    def where(self) -> str:
        """The counts in words: `+1 and above`."""
        return with_minus(f"{self.count:+d} and {'above' if self.is_above else 'below'}")

    def __str__(self) -> str:
        return f"{self.where}: {self.action}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Changes that affect an answer, and those that do not."""

    rules: tuple[Change, ...]
    system: str
    """Counting system of `turns`; empty if counts do not apply."""
    neutral: int
    """Count that implies nothing about the cards."""
    at_neutral: Action
    turns: tuple[Turn, ...]

    @property
    def others(self) -> tuple[Change, ...]:
        """The changes of rules that change the answer."""
        return tuple(change for change in self.rules if change.is_other)


def find_changes(advice: Advice, system: CountSystem | None = None) -> Changes:
    """Find what would change an advice. Takes some tenths of a second: call only when needed."""
    found = []
    for what, question, cards in _vary(advice):
        try:
            ev = value_question(question, cards, splits=advice.splits).ev
        except (NoExactValueError, RulesError):
            continue
        best = solver_results.best_action(ev)
        found.append(Change(what=what, best=best, ev=ev, is_other=best is not advice.best))
    if system is not None:
        system.require_deck(advice.question.rules)
    name, neutral, at_neutral, turns = _find_turns(advice, system or load_system("hi-lo"))
    return Changes(
        rules=tuple(found), system=name, neutral=neutral, at_neutral=at_neutral, turns=turns
    )


def _vary(advice: Advice) -> Iterator[tuple[str, Question, Composition]]:
    question, cards = advice.question, advice.cards
    rules = question.rules
    if not rules.is_infinite:
        for sign, what in ((1, "one deck more"), (-1, "one deck less")):
            deck = rules.full_deck
            unseen = tuple(
                count + sign * more for count, more in zip(cards.unseen, deck.counts, strict=True)
            )
            if min(unseen) >= 0 and math.fsum(unseen) > 0:
                tens = None
                if cards.tens is not None:
                    tens = tuple(
                        count + sign * more
                        for count, more in zip(cards.tens, deck.faces[TEN - 1 :], strict=True)
                    )
                    tens = tens if min(tens) >= 0 else None
                changed = replace(cards, unseen=unseen, tens=tens, told=what)
                yield what, question, changed
    verb, soft_17 = "hits", Soft17.HIT
    if rules.soft_17 is Soft17.HIT:
        verb, soft_17 = "stands", Soft17.STAND
    changes: dict[str, dict[str, object]] = {f"dealer {verb} soft 17": {"soft_17": soft_17}}
    if question.pair and not question.split_rank and rules.double_on is not DoubleOn.NEVER:
        das = rules.double_after_split
        what = f"{'no ' if das else ''}double after a split"
        changes[what] = {
            "double_after_split": not das,
            "double_split_aces": rules.double_split_aces and not das,
        }
    for what, change in changes.items():
        yield what, replace(question, rules=rules.replace(**change)), cards


def _find_turns(advice: Advice, system: CountSystem) -> tuple[str, int, Action, tuple[Turn, ...]]:
    """Find the nearest counts, up and down, from which another answer is best."""
    question = advice.question
    rules = question.rules
    none: tuple[str, int, Action, tuple[Turn, ...]] = "", 0, advice.best, ()
    if rules.is_infinite or rules.deck_size != system.deck_size or question.must_be_natural:
        return none
    cards = thin(question, advice.cards)

    @cache
    def best_at(count: int) -> Action | None:
        shoe = expected_composition(question, cards, system, count)
        if shoe is None:
            return None
        return solver_results.best_action(value_question(question, shoe, splits=advice.splits).ev)

    neutral = neutral_count(question, cards, system)
    try:
        start = best_at(neutral)
    except NoExactValueError:
        return none
    if start is None:
        return none
    step = 1
    if system.by is CountBy.RUNNING:
        step = max(1, round(math.fsum(cards.unseen) / system.deck_size))
    turns = []
    for sign in (1, -1):
        count = _find_turn(best_at, neutral, sign, _FURTHEST * step)
        action = None if count is None else best_at(count)
        if count is not None and action is not None:
            turns.append(Turn(count=count, is_above=sign > 0, action=action))
    return system.name, neutral, start, tuple(turns)


def _find_turn(
    best_at: Callable[[int], Action | None], start: int, sign: int, furthest: int
) -> int | None:
    """Return the first count on one side with another answer; None if there is none.

    Searches by bisection, so it may miss an answer that changes and changes back.
    """
    near, far = 0, furthest
    while far > near and best_at(start + sign * far) is None:
        far -= 1  # no such shoe exists
    if far == near or best_at(start + sign * far) is best_at(start):
        return None
    while far - near > 1:
        middle = (near + far) // 2
        if best_at(start + sign * middle) is best_at(start):
            near = middle
        else:
            far = middle
    return start + sign * far
