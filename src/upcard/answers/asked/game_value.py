"""The value of a game as a question: by the best play or a chart, by upcard, with other rules."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Annotated

from upcard.answers.edge import GameAnswer, answer_game
from upcard.answers.questions import SHOE, SPLITS, Asking, Sheet
from upcard.answers.shared_fields import CHART
from upcard.core.errors import RulesError
from upcard.core.fields import Field, FieldClashError
from upcard.core.number_texts import read_float, read_share
from upcard.rules.model import Rules
from upcard.rules.tokens import merge_changes, read_tokens
from upcard.strategy.chart import Strategy, load_strategy


def answer(  # noqa: PLR0913 (one parameter a field)
    rules: Rules,
    *,
    strategy: Annotated[Strategy | str | None, CHART] = None,
    shoe: Annotated[str | None, SHOE] = None,
    splits: Annotated[str, SPLITS] = "CDZ-",
    sees_hole: Annotated[
        float,
        Field(
            partial(read_float, read=read_share, least=0, most=1, example="10%"),
            "See the hole card in this share of the rounds, such as 10%.",
            "SHARE",
        ),
    ] = 0.0,
    compare: Annotated[
        tuple[str, ...],
        Field(
            str,
            "Compare the edge with other rules: each text switches rules, one after another.",
            "TOKENS...",
            many=";",
            takes_rest=True,
        ),
    ] = (),
    asking: Asking,
) -> Sheet[GameAnswer]:
    """Return the exact value of a round: the player's EV and the house edge.

    Shows the best play and the optimal chart. With a strategy it is the value of your chart, and
    the cells that cost most are listed. EV is per initial bet, of the first round of the shoe.
    """
    if strategy is not None and sees_hole:
        raise FieldClashError("{sees_hole} with {strategy}: a chart does not know the hole card")
    name = strategy if isinstance(strategy, str) else "that was given"
    found = answer_game(
        rules,
        splits=splits,
        shoe=shoe,
        strategy=None if strategy is None else load_strategy(strategy),
        strategy_name=name,
        sees_hole=sees_hole,
        switches=[(tokens, switch_rules(rules, tokens, shoe)) for tokens in compare],
    )
    title = "By upcard, in percent of the bet"
    tables = [replace(found.tabulate_upcards(), title=title, is_across=True)]
    if found.strategy is not None:
        tables.append(found.tabulate_costs())
    if found.compare:
        tables.append(found.tabulate_compared())
    seconds = (("Time", f"{found.seconds:.3f} s"),) if asking.is_patient else ()
    return Sheet(
        title="What a round is worth",
        rules=str(rules),
        facts=(*found.in_words, *seconds),
        tables=tuple(tables),
        result=found,
    )


def switch_rules(rules: Rules, tokens: str, shoe: str | None = None) -> Rules:
    """Return rules with the settings that `tokens` change; a given shoe keeps its decks.

    Raises: NotationError or RulesError, with the name of the field.
    """
    read, faults = read_tokens(tokens.replace(",", " ").split())
    if not read and not faults:
        faults = ["no token"]
    if faults:
        raise FieldClashError(f"{{compare}} {tokens!r}: {'; '.join(faults)}")
    try:
        switched = rules.replace(**merge_changes(read))
    except RulesError as error:
        raise FieldClashError(f"{{compare}} {tokens!r}: {error}") from None
    cards = ("decks", "deck_size")
    if shoe is not None and any(getattr(switched, one) != getattr(rules, one) for one in cards):
        msg = f"{{compare}} {tokens!r} with {{shoe}} {shoe!r}: the cards are those of the shoe"
        raise FieldClashError(msg)
    return switched
