"""`upcard solve`: the value of every answer to one hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import click

from upcard.cache.exact import dealer_outcomes, solve
from upcard.cli.options import (
    cache_option,
    choose_rules,
    json_option,
    rules_options,
    shoe_option,
    splits_option,
)
from upcard.cli.output import (
    describe,
    echo_columns,
    echo_heading,
    echo_json,
    echo_topic,
    fields_of,
    write_ev,
)
from upcard.core.actions import Action
from upcard.core.errors import EmptyShoeError, NotationError
from upcard.exact.parsing import read_hand
from upcard.exact.results import SPLIT_PLAYS, HandValue
from upcard.exact.shoe import read_shoe, remove_cards
from upcard.exact.supported_rules import is_nonstandard
from upcard.rules.model import Rules
from upcard.rules.settings import HoleCard

_AGAINST: Final = ("v", "vs", "v.", "vs.", "against")
_TOTALS: Final = ("17", "18", "19", "20", "21", "natural", "bust")


@click.command(
    "solve",
    epilog="\b\nExamples:\n  upcard solve T6 v 9\n  upcard solve 8 5 3 v T --house european\n"
    '  upcard solve 88 v T --rules "6D H17 LS" --shoe "6D less T T 5"\n'
    '  upcard solve 88 v T --rules "1D SP3" --splits full',
)
@click.argument("words", metavar="HAND v UPCARD", nargs=-1, required=True)
@rules_options
@shoe_option
@splits_option
@cache_option
@json_option
def command(  # noqa: PLR0913 (one parameter an option)
    words: tuple[str, ...],
    *,
    house: str | None,
    rules: str | None,
    shoe: str | None,
    splits: str | None,
    as_json: bool,
) -> None:
    """Compute the exact value of each legal answer to HAND against UPCARD, best first.

    HAND is two cards or more: T6, T 6, 8 5 3. --shoe is the cards before the round is dealt,
    including the hand's and the upcard.
    """
    hand, upcard = _read_words(words)
    wanted = choose_rules(house, rules)
    value = solve(wanted, hand, upcard, shoe=shoe, splits=splits or "CDZ-")
    dealer = _dealer(wanted, value, shoe)
    if as_json:
        echo_json(_to_json(value, dealer))
        return
    _write(value, dealer)


def _read_words(words: tuple[str, ...]) -> tuple[str, str]:
    """Split the words into hand and upcard. Raises: NotationError unless there are both."""
    parts = " ".join(words).split()
    places = [place for place, word in enumerate(parts) if word.lower() in _AGAINST]
    if len(places) != 1 or not 0 < places[0] == len(parts) - 2:
        raise NotationError(f"{' '.join(parts)!r}: write a hand, v and the upcard, as in T6 v 9")
    return " ".join(parts[: places[0]]), parts[-1]


def _dealer(rules: Rules, value: HandValue, shoe: str | None) -> dict[str, float] | None:
    """Return the chances of the dealer's totals with the hand out of the shoe.

    None if the dealer's draws depend on the player, or the hand leaves too few cards for them.
    """
    if is_nonstandard(rules):
        return None
    left = None
    if not rules.is_infinite:
        left = remove_cards(read_shoe(shoe, rules), read_hand(value.hand)[0])[1:]
    try:
        outcomes = dealer_outcomes(rules, value.upcard, shoe=left)
    except EmptyShoeError:
        return None
    return dict(zip(_TOTALS, outcomes, strict=True))


def _assumptions(value: HandValue) -> Iterator[str]:
    yield "EV is per initial bet, from the player's side, played best afterwards."
    if value.is_conditional:
        yield "The answers' EV is given that the dealer has looked and has no natural."
        if value.insurance_ev is not None:
            offers = "Insurance" if value.even_money_ev is None else "Insurance and even money"
            verb = "is" if value.even_money_ev is None else "are"
            yield f"{offers} {verb} answered before the look: a natural is counted there."
    elif value.natural_probability and value.rules.hole_card is HoleCard.PEEK:
        yield "It is as of the offer of early surrender, before the dealer looks."
    elif value.natural_probability:
        yield "The dealer does not look first: a natural is counted."
    if Action.SPLIT in value.ev and not value.rules.is_infinite:
        words = SPLIT_PLAYS[value.splits]
        yield f"Splits {value.splits}: {words}."
    if _is_natural(value):
        yield "A natural is settled unasked: any other answer is there for comparison."


def _is_natural(value: HandValue) -> bool:
    return sorted(value.hand.split()) == ["A", "T"]


def _write(value: HandValue, dealer: dict[str, float] | None) -> None:
    echo_heading(f"{value.hand} v {value.upcard}", describe(value.rules))
    best = value.ev[value.best]
    rows = [("answer", "EV", "against the best")]
    for action, ev in _best_first(value):
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
    if dealer is not None:
        click.echo(f"\nDealer ends with{_dealer_condition(value, dealer)}")
        shown = {total: chance for total, chance in dealer.items() if total != "natural" or chance}
        echo_columns([tuple(shown), tuple(f"{chance:.3%}" for chance in shown.values())], left=())
    click.echo()
    echo_topic("Shoe", value.shoe)
    echo_topic("Assumed", " ".join(_assumptions(value)))


def _dealer_condition(value: HandValue, dealer: dict[str, float]) -> str:
    is_given = value.natural_probability and not dealer["natural"]
    return ", given no natural:" if is_given else ":"


def _best_first(value: HandValue) -> list[tuple[str, float]]:
    ranked = sorted(value.ev.items(), key=lambda pair: (pair[0] != value.best, -pair[1]))
    return [(str(action), ev) for action, ev in ranked]


def _write_ev(ev: float) -> str:
    return write_ev(round(ev, 6), "+.6f")


def _to_json(value: HandValue, dealer: dict[str, float] | None) -> dict[str, Any]:
    best = value.ev[value.best]
    ranked = _best_first(value)
    return {
        **fields_of(value, "hand", "upcard"),
        "rules": str(value.rules),
        **fields_of(value, "shoe", "splits"),
        "best": str(value.best),
        "ev": dict(ranked),
        "cost": {action: 0.0 if ev == best else best - ev for action, ev in ranked},
        **fields_of(
            value, "is_conditional", "natural_probability", "insurance_ev", "even_money_ev"
        ),
        "dealer": dealer,
        "assumptions": list(_assumptions(value)),
    }
