"""The expected shoe at a count: what a true count of +3 implies about the unseen cards.

Source: the mean of a multivariate hypergeometric draw given one linear sum of it, in its usual
linear form; see P. Griffin, The Theory of Blackjack, on the effects of a count (recalled, not
checked here). It is the average of all shoes with that count, so its parts need not be whole.
"""

from __future__ import annotations

import dataclasses
import math
from fractions import Fraction
from math import floor

from upcard.coach.question import Question
from upcard.coach.seen_cards import Composition
from upcard.core.cards import CARDS_PER_DECK, RANKS
from upcard.exact.composition import full_decks
from upcard.rules.settings import HoleCard
from upcard.strategy.count_system import CountBy, CountSystem


def mean_tags(system: CountSystem) -> tuple[float, ...]:
    """Return the mean tag of each rank; only red sevens make a difference."""
    tags = [float(tag) for tag in system.tags]
    if system.red_7 is not None:
        tags[7] = (tags[7] + float(system.red_7)) / 2
    return tuple(tags)


def expected_composition(
    question: Question, cards: Composition, system: CountSystem, count: int
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
    told = f"composition: the one to be expected at {system.name} {count:+d}"
    return dataclasses.replace(cards, unseen=expected, tens=None, told=told)


def thin(question: Question, cards: Composition) -> Composition:
    """Return the composition with at least half the shoe dealt.

    All ranks lose alike. A fresh shoe has only one count: no cards have been seen.
    """
    most = (question.rules.decks or 1) * CARDS_PER_DECK / 2
    share = min(most / math.fsum(cards.unseen), 1.0)
    if share == 1:
        return cards
    return dataclasses.replace(
        cards, unseen=tuple(count * share for count in cards.unseen), tens=None
    )


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
        return floor(running + 0.5)
    return floor(running / float(_decks_left(question, cards, system)) + 0.5)


def _decks_left(question: Question, cards: Composition, system: CountSystem) -> Fraction:
    """Return the decks undealt as the counter sees them: a hole card is not in the shoe."""
    hidden = question.rules.hole_card is not HoleCard.NONE
    return system.estimate_decks(max(round(math.fsum(cards.unseen)) - hidden, 1))


def _rest(question: Question) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Return the full decks without the hand and the upcard, and these cards."""
    seen = (*question.ranks, question.upcard.rank)
    rest = [float(count) for count in full_decks(question.rules.decks or 1)]
    for rank in seen:
        rest[rank] -= 1
    return tuple(rest), seen
