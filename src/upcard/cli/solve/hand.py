"""`upcard solve`: the value of every answer to one hand."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypedDict

import click

from upcard.cache.exact import basic_strategy, cell_values, solve
from upcard.charts.facts import explain_marks
from upcard.charts.layout import MARKS
from upcard.cli import options
from upcard.cli.output import describe, echo_columns, echo_heading, echo_json, echo_topic, write_ev
from upcard.core.actions import Action
from upcard.core.cards import rank_name, read_rank
from upcard.core.errors import NotationError
from upcard.core.numbers import fields_of
from upcard.exact.composition import read_hand, read_total
from upcard.exact.solve import read_cards
from upcard.exact.solver_results import BEFORE_LOOK, SPLIT_PLAYS, HandValue, best_action
from upcard.rules.model import Rules
from upcard.rules.settings import HoleCard

_AGAINST: Final = ("v", "vs", "v.", "vs.", "against")
_ONE_CARD: Final = re.compile(r"(?:10|[0-9TJQKA])[CDHS]?", re.IGNORECASE)
"""A hand of one card is no hand, so that `8 T` without a v says nothing."""


class _SolveOptions(TypedDict):
    """Options of every question."""

    shoe: str | None
    splits: str


class _Total(NamedTuple):
    """A hard total against an upcard."""

    label: str
    hands: tuple[HandValue, ...]
    ev: dict[Action, float]
    """Values of its hands, weighed by their chances."""
    cell: str
    """Mark of the best chart."""

    @property
    def basis(self) -> HandValue:
        """The hand that has the assumptions of all."""
        splits = (value for value in self.hands if Action.SPLIT in value.ev)
        return replace(next(splits, self.hands[0]), insurance_ev=None)


@click.command(
    "solve",
    epilog="\b\nExamples:\n  upcard solve T6 v 9\n  upcard solve 16 v T\n"
    "  upcard solve 8 5 3 v T --house european\n"
    '  upcard solve 88 v T --rules "6D H17 LS" --shoe "6D less T T 5"\n'
    '  upcard solve 88 v T --rules "1D SP3" --splits full',
)
@click.argument("words", metavar="HAND v UPCARD", nargs=-1, required=True)
@options.rules_options
@options.shoe_option
@options.splits_option
@options.cache_option
@options.json_option
def solve_command(  # noqa: PLR0913 (one parameter an option)
    words: tuple[str, ...],
    *,
    house: str | None,
    rules: str | None,
    shoe: str | None,
    splits: str | None,
    as_json: bool,
) -> None:
    """Compute the exact value of each legal answer to HAND against UPCARD, best first.

    HAND is two cards or more (T6, T 6, 8 5 3), or a total (16, soft 18): then it is the hands of
    two cards that make it, and the best play of the total. The v may be left out. --shoe is the
    cards before the round is dealt, including the hand's and the upcard.
    """
    hand, upcard = _read_words(words)
    wanted = options.choose_rules(house, rules)
    asked: _SolveOptions = {"shoe": shoe, "splits": splits or "CDZ-"}
    hands = _list_hands(wanted, hand, upcard, shoe)
    if len(hands) > 1:
        total = _solve_total(wanted, hands, upcard, asked)
        if as_json:
            echo_json(_total_to_json(total))
        else:
            _write_total(total)
        return
    value = solve(wanted, hands[0], upcard, **asked)
    if as_json:
        echo_json(_to_json(value))
        return
    _write(value)


def _read_words(words: tuple[str, ...]) -> tuple[str, str]:
    """Split the words into hand and upcard."""
    parts = " ".join(words).split()
    places = [place for place, word in enumerate(parts) if word.lower() in _AGAINST]
    if not places and len(parts) > 1 and not _ONE_CARD.fullmatch(" ".join(parts[:-1])):
        return " ".join(parts[:-1]), parts[-1]
    if len(places) != 1 or not 0 < places[0] == len(parts) - 2:
        raise NotationError(
            f"{' '.join(parts)!r}: write a hand, v and the upcard, as in T6 v 9 or 16 v 9"
        )
    return " ".join(parts[: places[0]]), parts[-1]


def _list_hands(rules: Rules, hand: str, upcard: str, shoe: str | None) -> tuple[str, ...]:
    """Return the hand, or those of a total that the cards allow; one if they allow none."""
    hands = read_total(hand) or (hand,)
    counts = read_cards(rules, shoe)
    if len(hands) == 1 or counts is None:
        return hands
    up = read_rank(upcard, "upcard")
    drawn = {cards: (*read_hand(cards)[0], up) for cards in hands}
    return (
        tuple(
            cards
            for cards, ranks in drawn.items()
            if all(counts[rank] >= ranks.count(rank) for rank in ranks)
        )
        or hands[:1]
    )


def _solve_total(rules: Rules, hands: tuple[str, ...], upcard: str, asked: _SolveOptions) -> _Total:
    """Value the two-card hands of a total, and the total itself."""
    label = str(sum(read_hand(hands[0])[0]))
    up = read_rank(upcard, "upcard")
    shoe = asked["shoe"]
    return _Total(
        label,
        tuple(solve(rules, cards, upcard, **asked) for cards in hands),
        cell_values(rules, shoe=shoe)[label, rank_name(up)],
        basic_strategy(rules, shoe=shoe).cell(label, up),
    )


def _assumptions(value: HandValue) -> Iterator[str]:
    yield "EV is per initial bet, from the player's side, played best afterwards."
    yield from (f"No exact value of {action}: {why}." for action, why in value.missing.items())
    if value.is_conditional:
        yield "The answers' EV and cost are given that the dealer has looked and has no natural."
        if value.insurance_ev is not None:
            offers = "Insurance" if value.even_money_ev is None else "Insurance and even money"
            verb = "is" if value.even_money_ev is None else "are"
            yield f"{offers} {verb} answered before the look: a natural is counted there."
    elif value.natural_probability and value.rules.hole_card is HoleCard.PEEK:
        yield f"{BEFORE_LOOK}: a natural is counted."
    elif value.natural_probability:
        yield "The dealer does not look first: a natural is counted."
    if Action.SPLIT in value.ev and not value.rules.is_infinite:
        words = SPLIT_PLAYS[value.splits]
        yield f"Splits {value.splits}: {words}."
    if _is_natural(value):
        yield "A natural is settled unasked: any other answer is there for comparison."


def _is_natural(value: HandValue) -> bool:
    return sorted(value.hand.split()) == ["A", "T"]


def _write(value: HandValue) -> None:
    echo_heading(f"{value.hand} v {value.upcard}", describe(value.rules))
    best = value.ev[value.best]
    rows = [("answer", "EV", "against the best")]
    for action, ev in _best_first(value.ev, value.best):
        cost = "best" if action == value.best else _write_ev(ev - best)
        rows.append((action, _write_ev(ev), cost))
    echo_columns(rows)
    if value.natural_probability or value.insurance_ev is not None:
        click.echo()
    if value.natural_probability:
        echo_topic("Dealer's natural", f"{value.natural_probability:.4%}")
    if value.insurance_ev is not None:
        echo_topic("Insurance", f"{_write_ev(value.insurance_ev)} for half a bet")
    if value.even_money_ev is not None:
        echo_topic("Even money", f"{_write_ev(value.even_money_ev)} against waiting")
    dealer = value.dealer.as_dict()
    is_given = value.natural_probability and not value.dealer.natural
    click.echo(f"\nDealer ends with{', given no natural' if is_given else ''}:")
    shown = {total: chance for total, chance in dealer.items() if total != "natural" or chance}
    echo_columns([tuple(shown), tuple(f"{chance:.3%}" for chance in shown.values())], left=())
    _write_basis(value, _assumptions(value))


def _write_total(total: _Total) -> None:
    first = total.hands[0]
    echo_heading(f"{total.label} v {first.upcard}", describe(first.rules))
    best = best_action(total.ev)
    actions = [action for action, _ in _best_first(total.ev, best)]
    actions += [action for value in total.hands for action in value.ev if action not in actions]
    actions = list(dict.fromkeys(actions))
    rows = [("hand", "best", *actions)]
    found = [(value.hand, value.best, value.ev) for value in total.hands]
    for name, best_of_row, ev in (*found, (total.label, best, total.ev)):
        figures = (_write_ev(ev[Action(one)]) if one in ev else "" for one in actions)
        rows.append((name, best_of_row, *figures))
    echo_columns(rows, left=(0, 1))
    click.echo()
    echo_topic("Best play", " ".join((f"{MARKS[total.cell].words}.", *_describe_total(total))))
    _write_basis(first, _assumptions(total.basis))


def _write_basis(value: HandValue, assumptions: Iterable[str]) -> None:
    click.echo()
    echo_topic("Shoe", value.shoe)
    echo_topic("Assumed", " ".join(assumptions))


def _describe_total(total: _Total) -> Iterator[str]:
    """Yield what the row of a total stands for, one sentence each."""
    yield from explain_marks(((total.cell,),))
    yield f"The row {total.label} weighs its hands by their chances, without a pair."


def _best_first(evs: Mapping[Action, float], best: Action) -> list[tuple[str, float]]:
    ranked = sorted(evs.items(), key=lambda pair: (pair[0] != best, -pair[1]))
    return [(str(action), ev) for action, ev in ranked]


def _write_ev(ev: float) -> str:
    return write_ev(round(ev, 6), "+.6f")


def _values_to_json(evs: Mapping[Action, float], best: Action) -> dict[str, Any]:
    ranked = _best_first(evs, best)
    costs = {action: 0.0 if ev == evs[best] else evs[best] - ev for action, ev in ranked}
    return {"best": str(best), "ev": dict(ranked), "cost": costs}


def _to_json(value: HandValue) -> dict[str, Any]:
    return {
        **fields_of(value, "hand", "upcard"),
        "rules": str(value.rules),
        **fields_of(value, "shoe", "splits"),
        **_values_to_json(value.ev, value.best),
        "missing": {str(action): reason for action, reason in value.missing.items()},
        **fields_of(
            value, "is_conditional", "natural_probability", "insurance_ev", "even_money_ev"
        ),
        "dealer": value.dealer.as_dict(),
        "assumptions": list(_assumptions(value)),
    }


def _total_to_json(total: _Total) -> dict[str, Any]:
    first = total.hands[0]
    return {
        "hand": total.label,
        "upcard": first.upcard,
        "rules": str(first.rules),
        **fields_of(first, "shoe", "splits"),
        "play": MARKS[total.cell].words,
        **_values_to_json(total.ev, best_action(total.ev)),
        "hands": [
            {"hand": value.hand, **_values_to_json(value.ev, value.best)} for value in total.hands
        ],
        "is_conditional": first.is_conditional,
        "assumptions": [*_assumptions(total.basis), *_describe_total(total)],
    }
