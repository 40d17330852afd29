"""Insurance by the count as a question: the running count from which it gains, by cards left."""

from __future__ import annotations

from typing import Annotated, Final

from upcard.analysis.insurance_counts import InsuranceCounts, insurance_counts
from upcard.answers.questions import Sheet, read_decks
from upcard.answers.shared_fields import HI_LO
from upcard.core.errors import UnsupportedRuleError
from upcard.core.fields import Field, FieldClashError
from upcard.rules.model import Rules
from upcard.strategy.count_system import CountSystem, load_system

_PAYS: Final = 2
_WHO: Final = "insurance by the count"


def answer(
    rules: Rules,
    *,
    is_given: bool = True,
    count: Annotated[CountSystem | None, HI_LO] = None,
    decks: Annotated[int | None, Field(read_decks, "Number of decks (default: 6).", "N")] = None,
    hand: Annotated[
        str, Field(str, "Your own two cards, such as T 6 (default: any two).", "CARDS")
    ] = "",
) -> Sheet[InsuranceCounts]:
    """Return the running count from which insurance gains, by the number of cards left.

    Exact, over all shoes that have the count after the dealer's ace and your own two cards.
    """
    if decks is not None and is_given:
        raise FieldClashError("{decks} with {rules}: the rules name the decks")
    system = count or load_system("hi-lo")
    found = insurance_counts(system, decks=decks or _count_decks(rules, system), hand=hand)
    facts = tuple(found.sentences())

    def draw() -> str:
        from upcard.charts.render import draw_card

        return draw_card(found.table(), (f"{name}: {text}" for name, text in facts))

    return Sheet(
        title=found.title,
        facts=facts,
        tables=(found.table(),),
        data=(found.full_table(),),
        result=found,
        card=draw,
    )


def _count_decks(rules: Rules, system: CountSystem) -> int:
    """Return the number of decks of a game whose insurance the table is about."""
    if rules.decks is None:
        raise UnsupportedRuleError(_WHO, "INF", "no card can leave an infinite deck")
    if not rules.insurance:
        raise UnsupportedRuleError(_WHO, "NOINS", "this game offers none")
    if rules.insurance_pays != _PAYS:
        raise UnsupportedRuleError(_WHO, f"insurance at {rules.insurance_pays}:1", "it is for 2:1")
    system.require_deck(rules)
    return rules.decks
