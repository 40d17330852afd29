"""`upcard replay --mistakes`: the mistakes of your rounds, each with its verdict and reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from upcard.cli.output import echo_json, echo_topic
from upcard.coach.verdict import write_verdict
from upcard.core.chip_format import signed
from upcard.session.listing import write_hand
from upcard.session.review_source import source_of
from upcard.store.database import open_for_reading
from upcard.store.history import read_rounds

if TYPE_CHECKING:
    from upcard.session.review import Review
    from upcard.session.review_source import Source

_SHOWN: Final = 10
_NONE: Final = "The coach has found no mistake in your rounds."


def find_mistakes(last: int | None, *, cards: str) -> list[Source]:
    """Return the newest rounds with mistakes, oldest first. Raises: StoreError."""
    with open_for_reading() as store:
        rounds = list(read_rounds(store, last=last or _SHOWN, with_mistakes=True))
        return [source_of(store, stored, cards=cards) for stored in rounds]


def show_mistakes(last: int | None, *, cards: str, as_json: bool) -> None:
    """Print the mistakes of the newest rounds with mistakes.

    Raises: StoreError; as `review_round` does.
    """
    found = [(source, source.review()) for source in find_mistakes(last, cards=cards)]
    if as_json:
        from upcard.cli.replay.json_output import write_reviews

        echo_json({"rounds": [write_reviews(source, review, None) for source, review in found]})
        return
    if not found:
        click.echo(_NONE)
    for number, (source, review) in enumerate(found):
        if number:
            click.echo()
        _show(source, review)


def _show(source: Source, review: Review) -> None:
    stored, has_bets = source.stored, source.record.rules.betting
    if stored is None:
        return
    when = f"{stored.settled_at.astimezone():%Y-%m-%d %H:%M}"
    net = f", net {signed(stored.net)}" if has_bets else ""
    echo_topic(f"Round {stored.id}", f"{when}: {write_hand(stored)}{net}")
    wrong = [
        (answer, judgement)
        for answer in review.answers
        if (judgement := answer.judgement) is not None and not judgement.is_right
    ]
    for answer, judgement in wrong:
        echo_topic(f"  answer {answer.number}", write_verdict(judgement, has_bets=has_bets))
        echo_topic("", answer.reason)
    if not wrong:
        other = "the cards seen" if source.before is None else "a fresh shoe"
        echo_topic("", f"no mistake by these cards; at the table it was judged by {other}")
