"""Cards, ranks, hands and actions; the standard library only."""

from __future__ import annotations

from typing import Any, Final, Protocol, TypeAlias

Of: TypeAlias = Any
"""A type of a package above."""


class Above(Protocol):
    """Functions of packages above that methods of results call, which must not import them.

    The package `upcard` provides it. Nothing is found by its name: a function that is renamed, or
    takes something else, fails the check of types.
    """

    def write_html(self, value: Of, /) -> str:
        """Write a `Displayed` result as HTML."""

    def draw_picture(self, value: Of, /) -> str:
        """Draw a `Pictured` result as SVG; empty without a picture."""

    def export_arrow(self, columns: Of, batches: Of, /) -> object:
        """Return rows as a stream of Arrow."""

    def value_side_bet(self, bet: Of, shoe: Of, rules: Of, /) -> Of:
        """Return the exact value of a side bet."""

    def remove_from_side_bet(self, bet: Of, shoe: Of, rules: Of, /) -> Of:
        """Return how the EV of a side bet changes as each card leaves."""

    def count_side_bet(self, bet: Of, shoe: Of, rules: Of, /, **options: Of) -> Of:
        """Return a count for a side bet."""

    def tabulate_figures(self, run: Of, /) -> Of:
        """Return the figures of a run as a table."""

    def analyse_ramp(self, run: Of, ramp: Of, /, **question: Of) -> Of:
        """Return what a ramp wins and risks, from a run."""

    def simulate_bankroll(self, run: Of, bankroll: float, /, **plan: Of) -> Of:
        """Play the paths of a bank in the game of a run."""


_above: Final[list[Above]] = []


def provide(packages: Above) -> None:
    """Set what packages above this one do for results."""
    _above[:] = [packages]


def above() -> Above:
    """Return what packages above this one do for results."""
    return _above[0]
