"""Deviations applied to a chart's options: the list to try in turn, with one play inserted."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final, TypeAlias

from upcard.core.actions import Action
from upcard.core.errors import IllegalActionError

Options: TypeAlias = tuple[Action, ...]

PLAIN: Final = (Action.HIT, Action.STAND)


def first_legal(options: Options, legal: Collection[Action]) -> Action | None:
    """Return the first of the options that is legal; None if none is."""
    return next((action for action in options if action in legal), None)


def no_answer(
    options: Options, legal: Collection[Action], *, total: int, is_soft: bool, where: str
) -> IllegalActionError:
    """Return the error for a hand that has no legal option; `where` names upcard and count."""
    return IllegalActionError(
        f"the chart has no answer for {'soft ' if is_soft else ''}{total} v {where}: it knows"
        f" {', '.join(options)}. Legal: {', '.join(legal) or 'nothing'}"
    )


@lru_cache(maxsize=4096)
def put_in(
    options: Options,
    action: Action,
    otherwise: Action | None,
    holds: bool,  # noqa: FBT001
) -> Options:
    """Insert one play into the chart's options, or its other side if it does not hold."""
    if action in PLAIN:
        wanted = action if holds else otherwise
        return options if wanted is None else _put_plain(options, wanted)
    rest = _without(options, action)
    if not holds:
        return rest if otherwise is None else _put_plain(rest, otherwise)
    if action is Action.SURRENDER:
        return (action, *rest)
    first, _ = _split_off_surrender(options)
    rest = rest[len(first) :]
    # A pair that will be split declines a surrender that is offered before the splits.
    declines = (Action.NO_SURRENDER,) if action is Action.SPLIT else ()
    return (*first, action, *declines, *rest)


def _put_plain(options: Options, wanted: Action) -> Options:
    """Insert hit or stand after surrender, in place of double and split."""
    first, rest = _split_off_surrender(options)
    kept = (a for a in rest if a not in (wanted, Action.DOUBLE, Action.SPLIT, Action.SURRENDER))
    return (*first, wanted, *kept)


def _without(options: Options, action: Action) -> Options:
    """Remove an action, and for a split the answers that belong to it."""
    if action is Action.SPLIT and action in options:
        place = options.index(action)
        after = options[place + 1 :]
        after = after[1:] if after[:1] == (Action.NO_SURRENDER,) else after
        return (*options[:place], *after)
    return tuple(other for other in options if other is not action)


def _split_off_surrender(options: Options) -> tuple[Options, Options]:
    """Separate surrender, if it is the first option, from the rest."""
    if options[:1] == (Action.SURRENDER,):
        return options[:1], options[1:]
    return (), options
