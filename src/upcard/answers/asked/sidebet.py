"""Side bets as front-ends show them: what one costs in a shoe, what pays, and a count for it.

`price` is asked by a table, a coach or a page; `make_sheet` is the same in sentences and tables,
with the effects of removal and a count on request. `answer` is the question of the pages: one bet,
or the list of all, those of the house first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import Annotated, Final

from upcard.answers.questions import QUESTIONS, Asking, Sheet, read_decks
from upcard.cache import exact
from upcard.core import errors, figure, numbers
from upcard.core.fields import Field, FieldClashError, FormTerms, refuse_given
from upcard.core.figure import make_table, tabulate_fields, write_percent
from upcard.core.number_texts import read_share
from upcard.exact.composition import ShoeLike
from upcard.exact.side import bet_counts, bet_values
from upcard.exact.side.bet_counts import SideBetCount
from upcard.exact.side.bet_values import RowChance, SideBetRemoval, SideBetValue
from upcard.rules import describe, side_bet_files
from upcard.rules.house import RulesLike
from upcard.rules.model import Rules
from upcard.rules.settings import MOST_DECKS
from upcard.rules.side_bet_files import SideBetLike, load_side_bet
from upcard.rules.side_bets import Published, SideBet
from upcard.store.money import MoneyPace, load_pace

_DIGITS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedSideBet:
    """A shipped side bet as lists show it."""

    name: Annotated[str, figure.text()]
    token: Annotated[str, figure.text()]
    """Its token in the rules notation."""
    title: Annotated[str, figure.text()]
    edge: Annotated[float, figure.share(title="house edge", digits=2)]
    """House edge, as a fraction of the bet."""
    rules: Annotated[str, figure.text()]
    """The cards of that edge, and the dealer's rule where it matters."""


@dataclass(frozen=True, kw_only=True)
class SideBetAnswer(SideBetValue):
    """The value of a side bet in a shoe, and in a fresh one."""

    fresh_edge: float
    """House edge in the full shoe of the rules."""
    cost_per_hour: float
    """Cost of an hour of the bet on every hand at the player's pace, in units of money."""
    sentences: tuple[str, ...]
    effects: SideBetRemoval | None = None
    """Changes of its EV as one card leaves; None where they were not asked for."""
    count: SideBetCount | None = None
    """A count for it; None where it was not asked for."""
    json_keys = """
        name=bet.name title=bet.title token=bet.__str__ source=bet.source rules shoe edge fresh_edge
        hit standard_deviation cost_per_hour rows decks outcomes?bet.for_each
        removal=effects.by_card?effects removal_by_suit=effects.by_suit?effects count?count
    """

    @cached_property
    def decks(self) -> dict[int, float]:
        """House edge by number of decks, in full shoes."""
        return {
            decks: bet_values.value_bet(self.bet, None, self.rules.replace(decks=decks)).edge
            for decks in range(1, MOST_DECKS + 1)
        }

    @property
    def is_fresh(self) -> bool:
        """Whether no card but those that the bet comes after is gone."""
        return self.edge == self.fresh_edge


def list_side_bets() -> tuple[ListedSideBet, ...]:
    """Return the shipped side bets, each priced in its own game, or else in six decks."""
    return tuple(map(_list_one, side_bet_files.shipped_side_bets()))


def _list_one(bet: SideBet) -> ListedSideBet:
    game = bet_values.choose_game(bet)
    return ListedSideBet(
        name=bet.name,
        token=str(bet),
        title=bet.title,
        edge=exact.side_bet_edge(bet, game),
        rules=_write_cards(bet, game),
    )


def _write_cards(bet: SideBet, rules: Rules) -> str:
    """Write what a bet depends on: the cards, and the dealer's rule where it matters."""
    cards = "INF" if rules.is_infinite else str(rules.full_shoe)
    return f"{cards} {rules.soft_17.value[0].upper()}17" if bet.is_on_dealer else cards


def price(
    bet: SideBetLike,
    rules: RulesLike | None = None,
    shoe: ShoeLike = None,
    *,
    beside: Rules | None = None,
) -> SideBetAnswer:
    """Return what a side bet is worth in a shoe (default: a fresh one) and in a fresh one.

    Without rules it is priced in the game of its pay table, or else in the one `beside` it.

    Raises: as `upcard.exact.side.bet_values.value_bet` does.
    """
    found = load_side_bet(bet)
    game = bet_values.choose_game(found, rules, shoe=shoe, beside=beside)
    now = bet_values.value_bet(found, shoe, game)
    fresh = now if shoe is None else bet_values.value_bet(found, None, game)
    pace = load_pace()
    by_own = _tell_game(fresh, is_given=rules is not None)
    return SideBetAnswer(
        **numbers.fields_of(now),
        fresh_edge=fresh.edge,
        cost_per_hour=-pace.value_hour(now.ev),
        sentences=(*_tell(now, fresh, pace), *by_own),
    )


def _tell(now: SideBetValue, fresh: SideBetValue, pace: MoneyPace) -> Iterable[str]:
    if now.ev < 0:
        yield f"The house has {write_edge(now.edge)} of the bet: {pace.say_hour(now.ev)}."
    elif now.ev > 0:
        gain = write_percent(now.ev, _DIGITS, sign="")
        yield f"The player gains {gain} of the bet: {pace.say_hour(now.ev)}."
    else:
        yield "It is a fair bet: nothing is lost or gained on average."
    if now is not fresh:
        yield f"In a fresh shoe the house edge is {write_edge(fresh.edge)}."
    wins = write_percent(now.hit, 2, sign="")
    spread = f"{now.standard_deviation:.2f} bets"
    yield f"It wins {wins} of the time; its standard deviation is {spread}."
    yield from describe.say_when_settled(now.bet)


def _tell_game(fresh: SideBetValue, *, is_given: bool) -> Iterable[str]:
    """Say what game a bet is priced in, if its pay table is made for one."""
    own = bet_values.own_game(fresh.bet)
    if own is None or fresh.bet in fresh.rules.side_bets:
        return
    edge = bet_values.value_bet(fresh.bet, None, own).edge
    if edge != fresh.edge:
        made_for = f"Its pay table is made for {_write_cards(fresh.bet, own)}"
        yield f"{made_for}: there the house edge is {write_edge(edge)}."
    elif not is_given:
        cards = _write_cards(fresh.bet, fresh.rules)
        yield f"It is priced in {cards}, the game that its pay table is made for."


def write_edge(edge: float) -> str:
    """Write a house edge in percent."""
    return write_percent(edge, _DIGITS, sign="")


def make_sheet(answer: SideBetAnswer) -> Sheet[SideBetAnswer]:
    """Return the price of a side bet in sentences and tables, with what else was computed."""
    decks, count = answer.decks, answer.count
    columns = (figure.share(f"decks_{one}", str(one), digits=2) for one in decks)
    title = "House edge by number of decks, in full shoes"
    by_decks = make_table(title, columns, [tuple(decks.values())])
    tables = [tabulate_fields("What it pays", RowChance, answer.rows), by_decks]
    if answer.bet.for_each:
        tables.insert(1, tabulate_fields("What pays together", RowChance, answer.outcomes))
    if answer.effects is not None:
        tables.append(answer.effects.table())
    if count is not None:
        tables.append(count.table())
    return Sheet(
        title=f"{answer.bet.title} {answer.bet}",
        rules=str(answer.rules) if answer.is_fresh else f"{answer.rules}; {answer.shoe}",
        findings=answer.sentences if count is None else (*answer.sentences, *tell_count(count)),
        sentences=(
            "Exact; the cards are those before the deal.",
            f"Pay table: {answer.bet.source}.",
        ),
        tables=tuple(tables),
        result=answer,
    )


def tell_count(found: SideBetCount) -> tuple[str, ...]:
    """Return what a count for a side bet is worth, a sentence each."""
    if found.begins is None:
        return ("No linear count follows it: no card's removal changes its value much.",)
    follow = (
        "Count it with the tags below: they follow the effects of cards with a correlation of"
        f" {found.correlation:.3f} (their exact values with {found.best_correlation:.3f})."
    )
    begin = (
        f"It begins to pay at a true count of {found.begins:+.2f}; each more adds"
        f" {write_percent(found.slope, 3, sign='')} of the bet."
    )
    earn = (
        f"With {float(found.penetration):.0%} of the shoe dealt, it pays in {found.share:.2%} of"
        f" the rounds; one unit bet in those earns {found.per_100:.3f} units in 100 rounds."
    )
    return follow, begin, earn


@lru_cache(maxsize=64)
def tell_when_it_pays(bet: SideBet, rules: Rules) -> tuple[str, ...]:
    """Return the sentence that says from which count a bet pays; empty if none follows it."""
    try:
        found = bet_counts.count_bet(bet, None, rules)
    except errors.BlackjackError:
        return ()
    return tell_count(found)[1:2]


_ABOUT: Final = (
    "A side bet is placed with the main bet and has a pay table of its own. Choose one for its"
    " chances, its price in this game or in any shoe, and a count for it."
)


BET: Final = Field(
    load_side_bet,
    "A side bet by its name, or by its token, such as PP(25/12/6), or a TOML file.",
    "[NAME|FILE]",
    side_bet_files.side_bet_names(),
    "all of them",
    describe=lambda name: load_side_bet(name).title,
    is_word=True,
)
SHOE: Final = Field(
    str, 'Cards before the deal, with suits where they matter: "6D less QH QH AS T".'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBetTerms(FormTerms):
    """The cards from which a side bet is settled, and what is computed beside its price."""

    decks: Annotated[
        int | None,
        Field(read_decks, f"Number of decks, 1 to {MOST_DECKS}.", "N", is_for_pages=False),
    ] = None
    shoe: Annotated[str | None, SHOE] = None
    removal: Annotated[
        bool, Field(bool, "Show the effect of each card that leaves.", is_for_pages=False)
    ] = False
    count: Annotated[
        bool,
        Field(bool, "Show the best count for it, and what it earns.", is_for_pages=False),
    ] = False
    pen: Annotated[
        Fraction | None,
        Field(
            partial(read_share, over=0, most=1, example="75% or 3/4"),
            "Share of the shoe dealt, for the count: 75% or 3/4 (default: that of the rules).",
            "SHARE",
        ),
    ] = None


def answer(
    rules: Rules,
    *,
    is_given: bool = True,
    bet: Annotated[SideBet | None, BET] = None,
    terms: SideBetTerms,
    asking: Asking,
) -> Sheet[tuple[ListedSideBet, ...] | SideBetAnswer]:
    """Return a side bet with its price, effects of removal and count, or the list of all.

    A bet whose pay table is made for one game is priced in that game by default, another one in
    six decks, or in the game on the screen.

    All values are exact, from a full shoe or from the cards of the shoe that is given, in which
    suits count: "6D less QH QH AS T". A card without a suit is one of any suit, a T without a suit
    any ten-valued card. Suits that are not known are averaged over.
    """
    if terms.decks is not None and is_given:
        raise FieldClashError("{decks} with {house} or {rules}: the rules name the decks")
    if bet is None:
        refuse_given("{} is about one side bet: name it", **numbers.fields_of(terms))
        return _list(rules)
    shows_all = not asking.is_patient  # a page has room, and nothing there takes long
    if terms.pen is not None and not (terms.count or shows_all):
        raise FieldClashError("{pen} is about {count}, which is not given")
    game = rules if is_given else None
    if terms.decks is not None:
        game = bet_values.choose_game(bet).replace(decks=terms.decks)
    rules = bet_values.choose_game(bet, game, shoe=terms.shoe, beside=rules)
    priced = price(bet, game, terms.shoe, beside=rules)
    effects = counted = None
    more = [_write_published(one) for one in bet.published]
    if terms.removal or (shows_all and not rules.is_infinite):
        effects = bet.removal(terms.shoe, rules)
    if terms.count or shows_all:
        try:
            counted = bet.count(terms.shoe, rules, penetration=terms.pen)
        except errors.BlackjackError as error:
            if terms.count:
                raise
            more.insert(0, errors.as_sentence(str(error)))
    sheet = make_sheet(replace(priced, effects=effects, count=counted))
    return replace(sheet, sentences=(*sheet.sentences, *more))


def _write_published(one: Published) -> str:
    figures = [f"a house edge of {one.edge}%"]
    if one.hit is not None:
        figures.append(f"wins {one.hit}% of the time")
    if one.standard_deviation is not None:
        figures.append(f"a standard deviation of {one.standard_deviation} bets")
    return f"Published for {one.rules}: {', '.join(figures)} ({one.source})."


def _list(rules: Rules) -> Sheet[tuple[ListedSideBet, ...]]:
    return Sheet(
        title=QUESTIONS["sidebet"].title,
        rules=str(rules) if rules.side_bets else "",
        findings=(_ABOUT,),
        tables=tuple(_tabulate(rules)),
        sentences=("House edge: exact, in the game of its pay table, or else in six decks.",),
        result=list_side_bets(),
        shows_all=True,
    )


def _tabulate(rules: Rules) -> Iterator[figure.AnswerTable]:
    if rules.side_bets:
        priced = [price(bet, rules) for bet in rules.side_bets]
        columns = (
            *(*map(figure.text, ("name", "title")), figure.share("edge", "house edge", digits=2)),
            figure.share("hit", "wins", digits=2),
            figure.real("per_hour", "cost an hour", digits=2),
        )
        rows = (
            (one.bet.name, one.bet.title, one.edge, one.hit, one.cost_per_hour) for one in priced
        )
        yield make_table("Side bets of this game", columns, rows)
    yield tabulate_fields("Side bets", ListedSideBet, list_side_bets())
