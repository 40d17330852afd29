"""The games that campaigns play, from the registries: every house, every side bet.

A house or a side bet that is added to upcard is played by every campaign automatically.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from upcard.core.actions import Action
from upcard.core.errors import RulesError
from upcard.core.wager import Wager
from upcard.rules.house import house, house_names
from upcard.rules.model import Rules
from upcard.rules.settings import FreeDouble, FreeSplit
from upcard.rules.side_bet_files import MOST_SIDE_BETS, shipped_side_bets

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

    from upcard.rules.side_bets import SideBet
    from upcard.store.records import SettledRound

_OTHER_GAMES: Final = ("1D PEN50", "1D CSM", "INF ES", "8D ENHC RD3", "6D OBBO TALL RD2")
"""Ways to deal and rules that few houses have, written in notation."""
_MOST_CHIPS: Final = 20
_MOST_ON_SIDE: Final = 5
_SIDE_BET_SHARE: Final = 0.6
"""How often a side bet is placed."""


def group_side_bets(bets: Iterable[SideBet]) -> list[list[SideBet]]:
    """Divide side bets into groups that a table may have: no two with one short name."""
    groups: list[list[SideBet]] = []
    for bet in bets:
        fitting = (
            group
            for group in groups
            if len(group) < MOST_SIDE_BETS and bet.code not in {other.code for other in group}
        )
        group = next(fitting, None)
        if group is None:
            groups.append(group := [])
        group.append(bet)
    return groups


def add_side_bets(rules: Rules, bets: Iterable[SideBet]) -> Rules:
    """Return rules with those of some side bets that they can have."""
    for bet in bets:
        try:
            rules = rules.replace(side_bets=(*rules.side_bets, bet))
        except RulesError:
            continue
    return rules


def add_some_bets(rules: Rules, rng: random.Random) -> Rules:
    """Return rules with some side bets at random, as far as they can have them."""
    bets = [bet for bet in shipped_side_bets() if not bet.after]
    return add_side_bets(rules, rng.sample(bets, rng.randint(1, MOST_SIDE_BETS)))


@cache
def list_games() -> tuple[Rules, ...]:
    """Return every house, plain and with side bets; every side bet is at some table.

    A bet that is offered only after some cards cannot be placed before the deal, and is left out.
    """
    plain = [house(name) for name in house_names()] + [Rules.parse(text) for text in _OTHER_GAMES]
    groups = group_side_bets(bet for bet in shipped_side_bets() if not bet.after)
    takers = [rules for rules in plain if add_side_bets(rules, groups[0]).side_bets]
    wanted = max(len(takers), len(groups))
    with_bets = [
        add_side_bets(takers[at % len(takers)], groups[at % len(groups)]) for at in range(wanted)
    ]
    # A house may refuse one of its group: the next ones are asked for what is left over.
    placed = {bet for rules in with_bets for bet in rules.side_bets}
    left = [bet for group in groups for bet in group if bet not in placed]
    for rules in takers if left else ():
        with_bets.append(add_side_bets(rules, left))
        left = [bet for bet in left if bet not in with_bets[-1].side_bets]
    return (*plain, *with_bets)


def choose_game(rng: random.Random) -> Rules:
    """Choose one of the games."""
    return rng.choice(list_games())


def choose_wager(rules: Rules, rng: random.Random) -> Wager:
    """Choose the bets of a hand: the main one, and some side bets."""
    if not rules.betting:
        return Wager(Fraction(1))
    side = tuple(
        (bet.code, Fraction(rng.randint(1, _MOST_ON_SIDE)))
        for bet in rules.side_bets
        if rng.random() < _SIDE_BET_SHARE
    )
    return Wager(Fraction(rng.randint(1, _MOST_CHIPS)), side)


def write_game(rules: Rules) -> list[str]:
    """Return the options of a command that plays a game: `--house` where it is a house."""
    name = str(rules)
    return ["--house", name] if name in house_names() else ["--rules", name]


def write_table(rules: Rules, rng: random.Random) -> list[str]:
    """Return the options of `upcard play` for a game and its bets."""
    words = write_game(rules)
    if rules.betting:
        words += ["--chips", "5000"]
    if rules.side_bets and (side := choose_wager(rules, rng).side):
        words += ["--side-bets", " ".join(f"{code} {chips}" for code, chips in side)]
    return words


def answer_json(asked: dict[str, Any], rng: random.Random) -> str:
    """Answer a question of `upcard play --json` at random."""
    words = asked.get("legal") or asked.get("answers")
    if words:
        return str(rng.choice(words))
    bet = str(rng.randint(1, _MOST_CHIPS))
    for code in asked.get("side_bets", ()):
        if rng.random() < _SIDE_BET_SHARE:
            bet += f" {code} {rng.randint(1, _MOST_ON_SIDE)}"
    return bet


FEATURES: Final = (
    "side bets",
    "a swap",
    "a free double",
    "a free split",
    "an open hole card",
    "bonuses",
    "redoubling",
    "rescue",
    "busted hands that live",
)
"""What rounds are counted by: rules that change how a hand is played or paid."""


def list_features(rules: Rules) -> list[str]:
    """Return what is special about a game."""
    has = (
        rules.side_bets,
        rules.switch,
        rules.free_double is not FreeDouble.NONE,
        rules.free_split is not FreeSplit.NONE,
        rules.shows_hole,
        rules.bonuses,
        rules.max_doubles > 1,
        rules.rescue,
        rules.busts_live,
    )
    return [name for name, is_so in zip(FEATURES, has, strict=True) if is_so]


def count_features(rounds: Iterable[SettledRound]) -> dict[str, int]:
    """Count settled rounds by what was played in them."""
    found = {"rounds with side bets": 0, "rounds with a swap": 0, "rounds of special rules": 0}
    for stored in rounds:
        found["rounds with side bets"] += bool(stored.side)
        found["rounds with a swap"] += Action.SWITCH in stored.record.actions
        found["rounds of special rules"] += bool(
            {*list_features(stored.record.rules)} - {"side bets"}
        )
    return found
