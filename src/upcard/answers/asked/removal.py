"""Cards that leave: the effect of each rank on the EV, and the EV by the number of cards gone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

from upcard.answers.edge import RemovalAnswer, answer_removal
from upcard.answers.questions import SPLITS, Asking, Sheet
from upcard.answers.shared_fields import CHART, SEED, WORKERS
from upcard.core.fields import Field, FieldClashError, FormTerms, refuse_given
from upcard.core.number_texts import read_whole
from upcard.core.numbers import fields_of
from upcard.rules.model import Rules
from upcard.strategy.chart import Strategy, load_strategy

_EXACT_TO: Final = 4
_MOST_EXACT: Final = 6
_SHOES: Final = 200
"""Those of `analysis.cards_gone`, which loads the simulator's libraries."""
_QUICK_SHOES: Final = 20
"""Shoes for each number of cards where an answer is awaited in seconds."""
_QUICK_EXACT: Final = 2

if TYPE_CHECKING:
    from upcard.analysis.cards_gone import CardsGone
    from upcard.charts.plots import Plot


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthTerms(FormTerms):
    """How the EV by the number of cards gone is found."""

    exact: Annotated[
        int | None,
        Field(
            partial(read_whole, what="cards gone that are all valued", least=0, most=_MOST_EXACT),
            "By cards: value all shoes up to this many gone"
            f" (default: {_EXACT_TO}; on a page {_QUICK_EXACT}).",
            "N",
        ),
    ] = None
    shoes: Annotated[
        int | None,
        Field(
            partial(read_whole, what="shoes for each number", least=1),
            "By cards: shuffled shoes for each number beyond"
            f" (default: {_SHOES}; on a page {_QUICK_SHOES}).",
            "N",
        ),
    ] = None
    seed: Annotated[int | None, SEED] = None
    workers: Annotated[int | None, WORKERS] = None


def answer(  # noqa: PLR0913 (one parameter a field)
    rules: Rules,
    *,
    strategy: Annotated[Strategy | str | None, CHART] = None,
    splits: Annotated[str | None, SPLITS] = None,
    by_cards: Annotated[
        bool, Field(bool, "Show the EV by the number of cards gone, by perfect play.")
    ] = False,
    terms: DepthTerms,
    asking: Asking,
) -> Sheet[RemovalAnswer | CardsGone]:
    """Return the exact effect of removing one card of each rank on the player's EV.

    The play is the best for every shoe, so the effects need not cancel out; with a fixed chart
    their sum, weighted by the number of cards, is 0.

    By cards it is the EV by the number of cards gone, for a player who knows them all: over all
    shoes with few cards gone, beyond over shuffled ones to the cut card.
    """
    if by_cards:
        words = "{by_cards} is perfect play: without {strategy} and {splits}"
        refuse_given(words, strategy=strategy, splits=splits)
        return _answer_by_cards(rules, terms, asking)
    refuse_given("{} is for {by_cards}", **fields_of(terms))
    if strategy is not None and splits is not None:
        msg = "{strategy} with {splits}: a chart says itself how split hands are played"
        raise FieldClashError(msg)
    chart = None if strategy is None else load_strategy(strategy)
    found = answer_removal(rules, splits=splits or "CDZ-", strategy=chart)
    return Sheet(
        title="What each card is worth",
        rules=str(rules),
        facts=(("Play", found.play),),
        tables=(found.table(),),
        result=found,
    )


def _answer_by_cards(rules: Rules, terms: DepthTerms, asking: Asking) -> Sheet[CardsGone]:
    from upcard.analysis.cards_gone import find_cards_gone
    from upcard.simulation.job import draw_seed

    exact, shoes, seed = _EXACT_TO, _SHOES, asking.choose_seed(terms.seed)
    if not asking.is_patient:
        exact, shoes = _QUICK_EXACT, _QUICK_SHOES
    if seed is None:
        seed = draw_seed()
    found = find_cards_gone(
        rules,
        exact_to=exact if terms.exact is None else terms.exact,
        shoes=shoes if terms.shoes is None else terms.shoes,
        seed=seed,
        workers=terms.workers,
        watch=asking.watch,
    )

    def draw() -> Plot:
        from upcard.charts.plot_data import read_depth_plot

        return read_depth_plot(found)

    return Sheet(
        title="EV by cards gone",
        rules=str(rules),
        facts=tuple(found.sentences()),
        tables=(found.table(),),
        result=found,
        plot=draw,
        interrupted="" if found.is_whole else f"the same command with --seed {seed} continues",
    )
