"""`upcard replay`: a round of a run, of a code or of your history, replayed at the table.

`upcard replay --mistakes`: the mistakes of your rounds, each with its verdict and reason.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

import click

from upcard.cli import options, output
from upcard.cli.streams import can_show_screen, open_screen
from upcard.coach.judgement import Advice, write_verdict
from upcard.core import actions, numbers, user_files
from upcard.core.errors import RulesError
from upcard.session import narration
from upcard.session import review as review_words
from upcard.session.review import Review, Reviewed, Source, find_source, source_of
from upcard.store.database import open_for_reading
from upcard.store.history import RoundSearch, read_rounds

if TYPE_CHECKING:
    from upcard.session import run_replay
    from upcard.simulation import table_engine

_INDENT: Final = 18
_MISTAKES_SHOWN: Final = 10


def show_round(
    source: str, *, at: int | None, instead: str | None, cards: str, as_json: bool
) -> None:
    """Show a round by its code or its number, as played or with other answers."""
    found = find_source(source, cards=cards)
    other = None
    if instead is not None:
        other, at = found.review(at, actions.parse_answers(instead)), None
    played = found.review(at)
    if as_json:
        output.echo_json(review_words.write_reviews(found, played, other))
    else:
        _show(found, played, other)


def _show(found: Source, played: Review, other: Review | None) -> None:
    shown = played if other is None else other
    output.echo_heading(output.describe(found.record.rules))
    if found.stored is not None:
        when = f"{found.stored.settled_at.astimezone():%Y-%m-%d %H:%M}"
        output.echo_topic("Round", f"{found.stored.id} of yours, {when}")
        if found.stored.session.company:
            output.echo_topic("Table", found.stored.session.company)
    output.echo_topic("Code", found.code)
    if found.record.rules.betting:
        output.echo_topic("Bets", _describe_bets(shown))
    click.echo()
    _tell(shown)
    _show_end(shown)
    if other is not None:
        click.echo()
        _show_side_by_side(played, other)
    click.echo()
    _show_terms(shown)


def _describe_bets(review: Review) -> str:
    bets = list(map(str, review.record.bets))
    if len(bets) == 1:
        return bets[0]
    return ", ".join(
        f"{bet} on spot {spot + 1}{_yours(review, spot)}" for spot, bet in enumerate(bets)
    )


def _yours(review: Review, spot: int) -> str:
    return " (you)" if review.has_company and spot in review.player_spots else ""


def _tell(review: Review) -> None:
    narrator = narration.Narrator(review.record.rules)
    for step in review.steps:
        if isinstance(step, Reviewed):
            name = f"hand {step.view.active + 1}{_yours(review, step.view.hand.spot)}"
            _show_question(step, name, has_bets=review.record.rules.betting)
            continue
        message = narrator.hear(step)
        if message.brief:
            whose = "" if message.spot is None else _yours(review, message.spot)
            output.echo_topic(f"  {message.seat}{whose}", message.brief)
    if not isinstance(review.steps[-1], Reviewed):
        click.echo()


def _show_question(question: Reviewed, name: str, *, has_bets: bool) -> None:
    view = question.view
    dealer = " ".join(map(str, view.dealer))
    asked = f"{view.hand} against {dealer}" if dealer else f"{view.hand}"
    if not question.number:
        output.echo_topic(f"  {name}", f"{question.action}, with {asked}")
        return
    click.echo()
    many = f"{name}: " if len(view.hands) > 1 else ""
    text = review_words.describe_answer(question, has_bets=has_bets)
    output.echo_topic(f"  answer {question.number}", f"{many}{asked}: {text}")
    if question.advice is not None:
        _show_values(question, question.advice, has_bets=has_bets)
    reason = question.reason
    output.echo_topic("", reason if question.advice is not None else f"No values: {reason}")
    click.echo()


def _show_values(question: Reviewed, advice: Advice, *, has_bets: bool) -> None:
    rows = [("", "EV", "cost", "chips" if has_bets else "", "")]
    for value in question.values:
        chips = review_words.write_lost_chips(question, value, has_bets=has_bets)
        mark = "answered" if value.action == question.action else ""
        rows.append((value.action, value.text, value.cost_text, chips, mark))
    output.echo_columns(rows, left=(0, 4), indent=_INDENT)
    missing = advice.missing.items()
    output.echo_topics(("", f"{action}: no exact value: {reason}") for action, reason in missing)


def _show_end(review: Review) -> None:
    net = review.net
    if net is None:
        stopped = review.answers[-1:] and review.answers[-1].action is None
        number = review.answers[-1].number if review.answers else 0
        rest = 'to try other answers: --at K --instead "hit stand"'
        where = f"before answer {number}" if stopped else "where its answers end"
        output.echo_topic("Stopped", f"{where}; {rest}")
    else:
        unit = " chips" if review.record.rules.betting else ", in a house without bets"
        whose = " on your spots" if review.has_company else ""
        output.echo_topic("Net", f"{numbers.signed(net)}{unit}{whose}")
    if review.unasked:
        words = ", ".join(review.unasked)
        output.echo_topic("Not asked", f"{words}: the round was over before")
    if errors := review_words.describe_errors(review):
        output.echo_topic("Errors cost", errors)


def _show_side_by_side(played: Review, other: Review) -> None:
    _echo_wrapped([("", "as played", "instead"), *review_words.compare_ends(played, other)])
    if difference := review_words.write_difference(played, other):
        output.echo_topic("  difference", difference)


def _echo_wrapped(rows: list[tuple[str, str, str]]) -> None:
    """Write a name and two columns of 29, each wrapped."""
    width = 29
    for name, left, right in rows:
        parts = (textwrap.wrap(text, width) or [""] for text in (left, right))
        for number, (one, other) in enumerate(zip_longest(*parts, fillvalue="")):
            head = f"  {name}" if not number else ""
            click.echo(f"{head:<{_INDENT}}{one:<{width}}  {other}".rstrip())


def _show_terms(review: Review) -> None:
    terms = zip(("Values", "Not exact"), review_words.describe_terms(review), strict=True)
    output.echo_topics((topic, text) for topic, text in terms if text)


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
        output.echo_json(
            {
                "rounds": [
                    review_words.write_reviews(source, review, None) for source, review in found
                ]
            }
        )
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
    net = f", net {numbers.signed(stored.net)}" if has_bets else ""
    output.echo_topic(f"Round {stored.id}", f"{when}: {narration.write_settled_hand(stored)}{net}")
    wrong = [
        (answer, judgement)
        for answer in review.answers
        if (judgement := answer.judgement) is not None and not judgement.is_right
    ]
    for answer, judgement in wrong:
        output.echo_topic(f"  answer {answer.number}", write_verdict(judgement, has_bets=has_bets))
        output.echo_topic("", answer.reason)
    if not wrong:
        other = "the cards seen" if source.before is None else "a fresh shoe"
        output.echo_topic("", f"no mistake by these cards; at the table it was judged by {other}")


_WIDTH = 79


def show_run(
    source: str, *, shoe: int | None, chunk: int, number: int | None, as_json: bool
) -> None:
    """Show a shoe of a run, or one round of it."""
    from upcard.session import run_replay  # the help does without the simulator
    from upcard.simulation import run_rounds, run_state

    document = run_state.load_run_document(source)
    with run_state.naming_file(source):
        state = run_state.restore_run(document)
    if shoe is None:
        shoes = run_rounds.count_shoes(state.job, chunk, run_rounds.count_rounds(state, chunk))
        raise RulesError(f"say which shoe of chunk {chunk}: --shoe 0 to --shoe {shoes - 1}")
    found = run_replay.replay_run(state, chunk, shoe)
    shown = found.rounds if number is None else (found.choose(number),)
    if as_json:
        output.echo_json(found.to_json(shown, is_whole=number is not None))
    elif number is None:
        _write_list(found)
    else:
        _write_round(found, shown[0])


def _write_list(found: run_replay.RunShoe) -> None:
    output.echo_heading(output.describe(found.job.rules))
    output.echo_topic("Shoe", found.describe())
    output.echo_topic("Rounds", f"{len(found.rounds)}; what one of them was like: --round J")
    click.echo()
    lines = [found.list_columns(), *map(found.list_round, found.rounds)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)][:-1]
    for *cells, cards in lines:
        row = "  ".join(f"{cell:>{width}}" for width, cell in zip(widths, cells, strict=True))
        indent = f"  {row}  "
        room = _WIDTH - len(indent)
        for start in range(0, max(len(cards), 1), room):
            click.echo(((" " * len(indent) if start else indent) + cards[start:][:room]).rstrip())


def _write_round(found: run_replay.RunShoe, one: table_engine.SimulatedRound) -> None:
    output.echo_heading(output.describe(found.job.rules))
    output.echo_topic("Round", f"{one.number} of shoe {found.describe()}")
    output.echo_topics(found.describe_round(one))
    click.echo()
    output.echo_topics((f"  {who}", text) for who, text in found.tell(one))
    click.echo()
    output.echo_topics((("Net", found.describe_net(one)), ("Checked", found.check)))


@click.command(
    "replay",
    epilog="\b\nExamples:\n"
    "  upcard replay 17\n"
    "  upcard replay 17 --at 2\n"
    '  upcard replay 17 --at 1 --instead "hit stand"\n'
    "  upcard replay CODE\n"
    "  upcard replay --mistakes --last 5\n"
    "  upcard simulate --rounds 1M --seed 1 --count hi-lo --indices i18 -o RUN.json\n"
    "  upcard replay RUN.json --shoe 0\n"
    "  upcard replay RUN.json --shoe 0 --round 7",
)
@click.argument("source", required=False)
@options.flag("--mistakes", "Review the mistakes of your rounds, instead of SOURCE.")
@options.positive_option(
    "--last",
    callback=options.read_row,
    help="With --mistakes: the newest N rounds with mistakes (default: 10).",
)
@options.positive_option(
    "--at", metavar="K", help="For a code or a round of yours: stop before answer K, from 1."
)
@options.value("--instead", "TEXT", 'With --at: answers from there on, such as "hit stand".')
@options.choice(
    "--cards",
    ("fresh", "seen"),
    "Cards the coach knows: those of a fresh shoe (default), or all cards seen.",
    metavar="NAME",
    case_sensitive=True,
)
@options.place_option("--shoe", metavar="K", help="For a run: the shoe, from 0.")
@options.place_option(
    "--chunk", metavar="C", help="For a run: the chunk of the shoe, from 0 (default: 0)."
)
@options.positive_option(
    "--round", "number", metavar="J", help="For a run: the round of the shoe, from 1."
)
@options.flag("--line", "Print instead of showing a full screen.")
@options.json_option
def replay_command(  # noqa: PLR0913 (one parameter an option)
    *,
    source: str | None,
    mistakes: bool,
    last: int | None,
    at: int | None,
    instead: str | None,
    cards: str | None,
    shoe: int | None,
    chunk: int | None,
    number: int | None,
    line: bool,
    as_json: bool,
) -> None:
    """Replay a round. SOURCE is the file of a run, a code, or a round's number.

    A code, or the number of a round that you have played (upcard history shows both), shows every
    card, and at each question the exact value of each answer, your answer, its cost and the reason.
    On a terminal it is a full screen: arrows step, and the key of another answer tries it. In
    print,
    --at and --instead do that, and show both results side by side.

    --mistakes reviews the mistakes of your newest rounds. On a terminal each question is asked
    again before the answer is shown, and M goes to the next; in print each has its verdict and
    reason.

    The file of a run, RUN.json: without --round, it lists a shoe's rounds; with it, it shows every
    card, decision, reason and payment of that round. The table replays the shoe from its cards, and
    a result that differs from the run's is an error.
    """
    of_rounds = {"--at": at, "--instead": instead, "--cards": cards}
    of_runs = {"--shoe": shoe, "--chunk": chunk, "--round": number}
    if mistakes:
        of_one = {"SOURCE": source, "--at": at, "--instead": instead, **of_runs}
        _refuse(of_one, "--mistakes: it is for one round")
        _review_mistakes(last, cards or "fresh", line=line, as_json=as_json)
        return
    if last is not None:
        msg = "--last without --mistakes: one round is replayed, or the mistakes of several"
        raise click.UsageError(msg)
    if source is None:
        msg = "say what to replay: a round's number, a code, the file of a run, or --mistakes"
        raise click.UsageError(msg)
    # No code has a dot or a slash.
    if user_files.could_be_file(source) or "." in source or "\\" in source:
        _refuse(of_rounds, "the file of a run: it is for a code or a round of yours")
        show_run(source, shoe=shoe, chunk=chunk or 0, number=number, as_json=as_json)
        return
    _refuse(of_runs, f"{source!r}, which is not a file: it is for the file of a run")
    if instead is not None and at is None:
        raise click.UsageError("--instead without --at: say before which answer, such as --at 1")
    if at is None and not line and not as_json and can_show_screen():
        open_screen(replay=find_source(source, cards=cards or "fresh"), keep="practice")
        return
    show_round(source, at=at, instead=instead, cards=cards or "fresh", as_json=as_json)


def _review_mistakes(last: int | None, cards: str, *, line: bool, as_json: bool) -> None:
    if not line and not as_json and can_show_screen():
        found = find_mistakes(last, cards=cards)
        if found:
            first, *others = found
            following = tuple(partial(_same, source) for source in others)
            open_screen(replay=first, following=following, asks_first=True, keep="practice")
            return
    show_mistakes(last, cards=cards, as_json=as_json)


def _same(source: Source) -> Source:
    return source


def _refuse(others: Mapping[str, object], where: str) -> None:
    given = [name for name, value in others.items() if value is not None]
    if given:
        raise click.UsageError(f"{given[0]} with {where}")
