"""`upcard solve`: the value of every answer to one hand."""

import re
from typing import Final

import click

from upcard.answers.hand import HandAnswer, TotalAnswer, answer_hand, answer_total
from upcard.cache.exact import basic_strategy, cell_values, solve
from upcard.cli import options, output
from upcard.core.cards import rank_name, read_rank
from upcard.core.errors import NotationError
from upcard.core.figure import AnswerTable
from upcard.exact.composition import read_hand, read_total
from upcard.exact.solve import read_cards
from upcard.rules.model import Rules

_AGAINST: Final = ("v", "vs", "v.", "vs.", "against")
_ONE_CARD: Final = re.compile(r"(?:10|[0-9TJQKA])[CDHS]?", re.IGNORECASE)
"""A hand of one card is not a hand, so that `8 T` without a v says nothing."""


@click.command(
    "solve",
    epilog="\b\nExamples:\n  upcard solve T6 v 9\n  upcard solve 16 v T\n"
    "  upcard solve 8 5 3 v T --house european\n  upcard solve T6 v T --hole 6\n"
    '  upcard solve 88 v T --rules "6D H17 LS" --shoe "6D less T T 5"\n'
    '  upcard solve 88 v T --rules "1D SP3" --splits full',
)
@click.argument("words", metavar="HAND v UPCARD", nargs=-1, required=True)
@options.rules_options
@options.value("--hole", "CARD", "The hole card, if you see it.")
@options.shoe_option
@options.splits_option
@click.option(
    "--doubled",
    "doubles",
    type=options.Whole(0, 3),
    default=0,
    metavar="N",
    help="The hand has doubled N times, in a house that asks it again (rules RD2, RD3, RE).",
)
@options.cache_option
@options.table_options
def solve_command(  # noqa: PLR0913 (one parameter an option)
    words: tuple[str, ...],
    *,
    house: str | None,
    rules: str | None,
    hole: str | None,
    shoe: str | None,
    splits: str | None,
    doubles: int,
    form: output.Form,
) -> None:
    """Compute the exact value of each legal answer to HAND against UPCARD, best first.

    HAND is two cards or more (T6, T 6, 8 5 3), or a total (16, soft 18): then it is the hands of
    two cards that make it, and the best play of the total. The v may be left out. --shoe is the
    cards before the round is dealt, including the hand's and the upcard. --hole is for a dealer
    who looks for a natural, and has found none; where both dealer cards are shown it is needed.
    """
    hand, upcard = _read_words(words)
    wanted = options.choose_rules(house, rules)
    hands = _list_hands(wanted, hand, upcard, shoe)
    if hole is not None and len(hands) > 1:
        raise NotationError(f"{hand!r} with --hole: name the cards of the total, as T6 for a 16")
    play = splits or "CDZ-"
    values = [
        solve(wanted, one, upcard, hole=hole, shoe=shoe, splits=play, doubles=doubles)
        for one in hands
    ]
    if len(hands) == 1:
        found = answer_hand(values[0])
    else:
        label, up = str(sum(read_hand(hands[0])[0])), read_rank(upcard, "upcard")
        of_cell = cell_values(wanted, shoe=shoe)[label, rank_name(up)]
        cell = basic_strategy(wanted, shoe=shoe).cell(label, up)
        found = answer_total(label, values, of_cell, cell)
    table = found.table()
    form.write(lambda: _write(found, wanted, table), lambda: found, lambda: [table])


def _read_words(words: tuple[str, ...]) -> tuple[str, str]:
    parts = " ".join(words).split()
    places = [place for place, word in enumerate(parts) if word.lower() in _AGAINST]
    if not places and len(parts) > 1 and not _ONE_CARD.fullmatch(" ".join(parts[:-1])):
        return " ".join(parts[:-1]), parts[-1]
    if len(places) != 1 or not 0 < places[0] == len(parts) - 2:
        msg = f"{' '.join(parts)!r}: write a hand, v and the upcard, as in T6 v 9 or 16 v 9"
        raise NotationError(msg)
    return " ".join(parts[: places[0]]), parts[-1]


def _list_hands(rules: Rules, hand: str, upcard: str, shoe: str | None) -> tuple[str, ...]:
    """Return the hand, or those of a total that the cards allow; one if they allow none."""
    hands = read_total(hand) or (hand,)
    counts = read_cards(rules, shoe)
    if len(hands) == 1 or counts is None:
        return hands
    up = read_rank(upcard, "upcard")
    drawn = {cards: (*read_hand(cards)[0], up) for cards in hands}
    possible = (
        cards
        for cards, ranks in drawn.items()
        if all(counts[rank] >= ranks.count(rank) for rank in ranks)
    )
    return tuple(possible) or hands[:1]


def _write(found: HandAnswer, rules: Rules, table: AnswerTable) -> None:
    output.echo_heading(table.title, output.describe(rules))
    output.echo_table(table)
    if isinstance(found, TotalAnswer):
        click.echo()
        output.echo_topic("Best play", found.play_text)
    else:
        if found.figures:
            click.echo()
        output.echo_topics((figure.title, figure.text) for figure in found.figures)
        click.echo(f"\nDealer ends with{', given no natural' if found.is_conditional else ''}:")
        results = found.dealer
        rows = [[one.name for one in results], [one.text for one in results]]
        output.echo_columns(rows, left=())
    click.echo()
    output.echo_topics((("Shoe", found.shoe), ("Assumed", " ".join(found.given))))
