"""Rules that the infinite-deck solver supports; it refuses all others by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from upcard.exact.known_settings import KNOWN_SETTINGS
from upcard.rules.known_settings import find_unknown
from upcard.rules.predicates import most_hands
from upcard.rules.settings import HoleCard, NaturalTakes, Player21, SplitNaturals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.rules.model import Rules

ENGINE: Final = "infinite-deck solver"
_ONE_BY_ONE: Final = "it values them one by one"


def find_unsupported(rules: Rules) -> Iterator[tuple[str, str]]:
    """Find the settings that the infinite-deck solver cannot honour, with the reasons."""
    yield from find_unknown(rules, KNOWN_SETTINGS)
    if rules.decks is not None:
        yield f"{rules.decks}D", "cards that leave a shoe change the odds; it knows INF only"
    if rules.charlie is not None:
        yield f"charlie={rules.charlie}", "it does not count a hand's cards"
    if not rules.shows_upcard:
        yield "shows_upcard=false", "its values are those against an upcard that is seen"
    if most_hands(rules) == 1:
        return
    if rules.player_21 is Player21.WINS and rules.hole_card is HoleCard.NO_PEEK:
        reason = (
            "with splits and no peek, a half that wins at once shows the others that there is no"
            f" natural; {_ONE_BY_ONE}"
        )
        yield "player_21=wins", reason
    if rules.natural_takes is NaturalTakes.ORIGINAL:
        reason = (
            "with splits, whether a dealer's natural finds an original bet to take depends on all"
            f" the halves together; {_ONE_BY_ONE}"
        )
        if rules.natural_ties_21:
            yield "natural_ties_21=true", reason
        if rules.split_naturals is not SplitNaturals.NEVER:
            yield f"split_naturals={rules.split_naturals}", reason
