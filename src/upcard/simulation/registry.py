"""Players by name: what `--player` and other front-ends accept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from upcard.core.errors import NotationError, RulesError
from upcard.core.user_files import expand_user, read_user_file
from upcard.players.bots import Decider, require_upcard
from upcard.simulation.player_files import make_file_player, names_file

if TYPE_CHECKING:
    import random

    from upcard.players.bots import ChartPlayer, CountingPlayer
    from upcard.rules.model import Rules

_HI_LO: Final = "hi-lo"
_LINES: Final = {
    "basic": "the optimal chart for these rules and decks, computed exactly",
    "chart:FILE": "your own chart, a file in the format that upcard prints",
    "computer:P12,HIGHEST,PHIGH": "document 004's computer, such as computer:1,17,0.5",
    "counter": "basic play, a 1-8 ramp and indices by a count: counter (Hi-Lo) or counter:zen",
    "FILE.py:CLASS": "your own, a class in a Python file: ann.py:Ann, or ann.py with one player",
    "lott": "document 003's default player: rejects every offer, hits on 16 or less",
    "lott-simple": "document 003's simple player: splits aces and eights, doubles 10 and 11",
    "mimic": "plays as the dealer of the house does",
    "never-bust": "stands on hard 12, soft 18 or more, hits everything else",
}


def player_names() -> dict[str, str]:
    """Return the names of the players, with a line about each."""
    return dict(_LINES)


def make_player(text: str, rules: Rules, rng: random.Random | None = None) -> Decider:
    """Make a player by name for a table with these `rules`.

    The computer and players in a file use `rng` (default: the operating system's entropy). Players
    in a file are loaded before, by `load_player`.

    Raises: RulesError listing the players; UnsupportedRuleError if this player cannot play by these
    rules.

    >>> from upcard.rules.model import Rules
    >>> print(make_player("mimic", Rules()))
    Mimic: no hand
    """
    name, colon, details = str(text).strip().partition(":")
    match name.strip().lower(), bool(colon):
        case "mimic" | "never-bust" | "lott" | "lott-simple" as known, False:
            from upcard.documents import lott

            if known == "lott-simple":
                require_upcard(rules, "player lott-simple")
            return {
                "mimic": lott.DealerMimic,
                "never-bust": lott.NeverBust,
                "lott": lott.Player,
                "lott-simple": lott.SimpleBlackjackPlayer,
            }[known]()
        case "basic", False:
            from upcard.players.bots import basic_player

            require_upcard(rules, "player basic")
            return basic_player(rules)
        case "counter", _:
            return _make_counter(details if colon else _HI_LO, rules)
        case "computer", _:
            return _make_computer(text, details, rng)
        case "chart", _:
            require_upcard(rules, "player chart")
            return _read_chart_player(details.strip())
        case known, True if known in _LINES:
            raise RulesError(f"player {str(text)!r}: {known} takes nothing after a colon")
        case _ if names_file(str(text)):
            return make_file_player(str(text), rng)
    raise RulesError(f"no player is called {str(text)!r}: one of {', '.join(_LINES)}")


def check_player(text: str, rules: Rules) -> None:
    """Check that a player can play by these `rules`, without computing a chart.

    Raises: as `make_player`, except for rules without a chart.
    """
    name, colon, details = str(text).strip().partition(":")
    match name.strip().lower(), bool(colon):
        case "basic", False:
            require_upcard(rules, "player basic")
        case "counter", _:
            from upcard.players.bots import count_decks
            from upcard.strategy.count_system import load_system

            load_system((details if colon else _HI_LO).strip())
            count_decks(rules)
        case _:
            make_player(text, rules)


def _make_counter(system: str, rules: Rules) -> CountingPlayer:
    """Make a counter; indices are published for Hi-Lo, other counts play by the chart."""
    from upcard.players.bots import CountingPlayer, basic_chart
    from upcard.rules.settings import Surrender
    from upcard.strategy.count_system import load_system
    from upcard.strategy.deviations import load_deviations
    from upcard.strategy.ramp import parse_ramp

    count = load_system(system.strip())
    deviations = None
    if count.name == _HI_LO:
        surrenders = rules.surrender is not Surrender.NONE
        deviations = load_deviations("i18+fab4" if surrenders else "i18", count)
    require_upcard(rules, "player counter")
    return CountingPlayer(
        basic_chart(rules),
        count,
        rules=rules,
        deviations=deviations,
        ramp=parse_ramp("1-8", count, decks=rules.decks or 1),
        name="Counter" if count.name == _HI_LO else f"Counter by {count.name}",
    )


def _make_computer(text: str, details: str, rng: random.Random | None) -> Decider:
    from upcard.documents.roanoke import Computer

    numbers = details.split(",")
    if len(numbers) != 3:
        raise RulesError(
            f"player {str(text)!r}: the computer needs three numbers, the probability of hitting"
            " on 12, the highest count for a hit and its probability, as in computer:1,17,0.5"
        )
    return Computer(numbers[0], numbers[1], numbers[2], rng=rng)


def _read_chart_player(file: str) -> ChartPlayer:
    from upcard.players.bots import ChartPlayer
    from upcard.strategy.chart import Strategy

    if not file:
        raise RulesError("player 'chart:' needs a file, as in chart:my-chart.tsv")
    written = read_user_file(file, "chart")
    try:
        return ChartPlayer(Strategy.parse(written), name=expand_user(file).stem)
    except NotationError as error:
        raise NotationError(*(f"{file}: {fault}" for fault in error.faults)) from None
