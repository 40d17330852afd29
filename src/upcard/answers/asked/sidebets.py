"""A side bet: what it costs in full decks or in any shoe, what pays, which cards it misses most.

Without a bet, all of them: those of the house first, with their prices there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final

from upcard.answers import side_bet
from upcard.answers.topics import TOPICS, Field, Sheet
from upcard.core import figure
from upcard.core.errors import BlackjackError
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import load_side_bet, side_bet_names
from upcard.rules.side_bets import Published, SideBet

BET: Final = Field(
    load_side_bet,
    "A side bet by its name, or by its token, such as PP(25/12/6).",
    "NAME",
    side_bet_names(),
    "all of them",
)
SHOE: Final = Field(
    str, 'Cards before the deal, with suits where they matter: "6D less QH QH AS T".'
)


_ABOUT: Final = (
    "A side bet is placed with the main bet and has a pay table of its own. Choose one for its"
    " chances, its price in this game or in any shoe, and a count for it."
)


def answer(
    rules: Rules,
    *,
    bet: Annotated[SideBet | None, BET] = None,
    shoe: Annotated[str | None, SHOE] = None,
) -> Sheet:
    """Return a side bet with its price, effects of removal and count, or the list of all."""
    if bet is None:
        return _list(rules)
    priced = side_bet.price(bet, rules, shoe)
    try:
        removal = bet.removal(shoe, rules)
        count = None if rules.is_infinite else bet.count(shoe, rules)
    except BlackjackError:  # an infinite deck has no card that leaves
        removal = count = None
    sheet = side_bet.make_sheet(priced, removal=removal, count=count)
    published = tuple(map(_write_published, bet.published))
    return Sheet(
        title=f"{priced.title} {priced.token}",
        rules=sheet.rules,
        findings=sheet.findings,
        sentences=(*sheet.sentences, *published),
        tables=sheet.tables,
    )


def _write_published(one: Published) -> str:
    figures = [f"a house edge of {one.edge}%"]
    if one.hit is not None:
        figures.append(f"wins {one.hit}% of the time")
    if one.standard_deviation is not None:
        figures.append(f"a standard deviation of {one.standard_deviation} bets")
    return f"Published for {one.rules}: {', '.join(figures)} ({one.source})."


def _list(rules: Rules) -> Sheet:
    return Sheet(
        title=TOPICS["sidebets"].title,
        rules=str(rules),
        findings=(_ABOUT,),
        tables=tuple(_tabulate(rules)),
        sentences=("House edge: as published, or else computed in six decks.",),
    )


def _tabulate(rules: Rules) -> Iterator[figure.AnswerTable]:
    if rules.side_bets:
        priced = [side_bet.price(bet, rules) for bet in rules.side_bets]
        yield figure.AnswerTable(
            title="Side bets of this game",
            columns=(
                *map(figure.text, ("name", "title")),
                figure.share("edge", "house edge", digits=2),
                figure.share("hit", "wins", digits=2),
                figure.real("per_hour", "cost an hour", digits=2),
            ),
            rows=tuple(
                (one.name, one.title, one.edge, one.hit, one.cost_per_hour) for one in priced
            ),
        )
    yield side_bet.tabulate_side_bets(side_bet.list_side_bets())
