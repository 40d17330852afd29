"""`upcard replay CODE`: a round with the values of each question, and alternatives.

`upcard replay --mistakes`: the mistakes of your rounds, each with its verdict and reason.
"""

from __future__ import annotations

import textwrap
from typing import Final

import click

from upcard.cli.output import describe, echo_columns, echo_heading, echo_json, echo_topic, write_ev
from upcard.coach.judgement import Advice, write_chips, write_verdict
from upcard.core.actions import Action
from upcard.core.numbers import format_chips, signed
from upcard.session.history_words import write_hand
from upcard.session.narration import Narrator
from upcard.session.review import Review, Reviewed, Source, find_source, parse_answers, source_of
from upcard.session.review_words import (
    compare_ends,
    describe_answer,
    describe_errors,
    describe_terms,
    list_values,
    write_difference,
    write_reviews,
)
from upcard.store.database import open_for_reading
from upcard.store.history import RoundSearch, read_rounds

_INDENT: Final = 18
_MISTAKES_SHOWN: Final = 10


def show_round(
    source: str, *, at: int | None, instead: str | None, cards: str, as_json: bool
) -> None:
    """Show a round by its code or its number, as played or with other answers."""
    found = find_source(source, cards=cards)
    other = None
    if instead is not None:
        other = found.review(at, parse_answers(instead))
        at = None
    played = found.review(at)
    if as_json:
        echo_json(write_reviews(found, played, other))
        return
    _show(found, played, other)


# --- text ---


def _show(found: Source, played: Review, other: Review | None) -> None:
    shown = played if other is None else other
    echo_heading(describe(found.record.rules))
    if found.stored is not None:
        when = f"{found.stored.settled_at.astimezone():%Y-%m-%d %H:%M}"
        echo_topic("Round", f"{found.stored.id} of yours, {when}")
        if found.stored.session.company:
            echo_topic("Table", found.stored.session.company)
    echo_topic("Code", found.code)
    if found.record.rules.betting:
        echo_topic("Bets", _describe_bets(shown))
    click.echo()
    _tell(shown)
    _show_end(shown)
    if other is not None:
        click.echo()
        _show_side_by_side(played, other)
    click.echo()
    _show_terms(shown)


def _describe_bets(review: Review) -> str:
    bets = [format_chips(bet) for bet in review.record.bets]
    if len(bets) == 1:
        return bets[0]
    return ", ".join(
        f"{bet} on spot {spot + 1}{_yours(review, spot)}" for spot, bet in enumerate(bets)
    )


def _yours(review: Review, spot: int) -> str:
    return " (you)" if review.has_company and spot in review.player_spots else ""


def _tell(review: Review) -> None:
    narrator = Narrator(review.record.rules)
    for step in review.steps:
        if isinstance(step, Reviewed):
            name = f"hand {step.view.active + 1}{_yours(review, step.view.hand.spot)}"
            _show_question(step, name, has_bets=review.record.rules.betting)
            continue
        message = narrator.hear(step)
        if message.brief:
            whose = "" if message.spot is None else _yours(review, message.spot)
            echo_topic(f"  {message.seat}{whose}", message.brief)
    if not isinstance(review.steps[-1], Reviewed):
        click.echo()


def _show_question(question: Reviewed, name: str, *, has_bets: bool) -> None:
    view = question.view
    asked = f"{view.hand}" if view.upcard is None else f"{view.hand} against {view.upcard}"
    if not question.number:
        echo_topic(f"  {name}", f"{question.action}, with {asked}")
        return
    click.echo()
    many = f"{name}: " if len(view.hands) > 1 else ""
    text = describe_answer(question, has_bets=has_bets)
    echo_topic(f"  answer {question.number}", f"{many}{asked}: {text}")
    if question.advice is not None:
        _show_values(question.advice, question.action, has_bets=has_bets)
    reason = question.reason
    echo_topic("", reason if question.advice is not None else f"No values: {reason}")
    click.echo()


def _show_values(advice: Advice, chosen: Action | None, *, has_bets: bool) -> None:
    rows = [("", "EV", "cost", "chips" if has_bets else "", "")]
    for value in list_values(advice, chosen):
        marks = ["best"] if value.is_best else []
        marks += ["answered"] if value.is_chosen else []
        rows.append(
            (
                str(value.action),
                write_ev(value.ev, "+.5f"),
                write_ev(value.cost, ".5f") if value.cost else "",
                write_chips(value.chips) if value.cost and has_bets else "",
                ", ".join(marks),
            )
        )
    echo_columns(rows, left=(0, 4), indent=_INDENT)
    for action, reason in advice.missing.items():
        echo_topic("", f"{action}: no exact value: {reason}")


def _show_end(review: Review) -> None:
    net = review.net
    if net is None:
        stopped = review.answers[-1:] and review.answers[-1].action is None
        number = review.answers[-1].number if review.answers else 0
        rest = 'to try other answers: --at K --instead "hit stand"'
        where = f"before answer {number}" if stopped else "where its answers end"
        echo_topic("Stopped", f"{where}; {rest}")
    else:
        unit = " chips" if review.record.rules.betting else ", in a house without bets"
        echo_topic("Net", f"{signed(net)}{unit}{_of_whom(review)}")
    if review.unasked:
        words = ", ".join(review.unasked)
        echo_topic("Not asked", f"{words}: the round was over before")
    if errors := describe_errors(review):
        echo_topic("Errors cost", errors)


def _of_whom(review: Review) -> str:
    return " on your spots" if review.has_company else ""


def _show_side_by_side(played: Review, other: Review) -> None:
    _echo_wrapped([("", "as played", "instead"), *compare_ends(played, other)])
    if difference := write_difference(played, other):
        echo_topic("  difference", difference)


def _echo_wrapped(rows: list[tuple[str, str, str]]) -> None:
    """Write a name and two columns of 29, each wrapped."""
    width = 29
    for name, left, right in rows:
        parts = [textwrap.wrap(text, width) or [""] for text in (left, right)]
        for number in range(max(map(len, parts))):
            cells = [part[number] if number < len(part) else "" for part in parts]
            head = f"  {name}" if not number else ""
            click.echo(f"{head:<{_INDENT}}{cells[0]:<{width}}  {cells[1]}".rstrip())


def _show_terms(review: Review) -> None:
    values, inexact = describe_terms(review)
    if values:
        echo_topic("Values", values)
    if inexact:
        echo_topic("Not exact", inexact)


# --- mistakes ---


def find_mistakes(last: int | None, *, cards: str) -> list[Source]:
    """Return the newest rounds with mistakes, oldest first."""
    with open_for_reading() as store:
        rounds = list(
            read_rounds(store, RoundSearch(with_mistakes=True), last=last or _MISTAKES_SHOWN)
        )
        return [source_of(store, stored, cards=cards) for stored in rounds]


def show_mistakes(last: int | None, *, cards: str, as_json: bool) -> None:
    """Print the mistakes of the newest rounds with mistakes."""
    found = [(source, source.review()) for source in find_mistakes(last, cards=cards)]
    if as_json:
        echo_json({"rounds": [write_reviews(source, review, None) for source, review in found]})
        return
    if not found:
        click.echo("The coach has found no mistake in your rounds.")
    for number, (source, review) in enumerate(found):
        if number:
            click.echo()
        _show_wrong_answers(source, review)


def _show_wrong_answers(source: Source, review: Review) -> None:
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
