"""Valid examples of the texts that upcard takes from outside."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final


@cache
def house_texts() -> tuple[str, ...]:
    """Return the house files of the package."""
    folder = resources.files("upcard.rules") / "houses"
    return tuple(item.read_text(encoding="utf-8") for item in folder.iterdir() if item.is_file())


def side_bet_texts() -> tuple[str, ...]:
    """Return the side bets of the package."""
    folder = resources.files("upcard.rules") / "bets"
    return tuple(item.read_text(encoding="utf-8") for item in folder.iterdir() if item.is_file())


def data_texts(folder: str) -> tuple[str, ...]:
    """Return the files in a folder of `upcard.strategy`."""
    place = resources.files("upcard.strategy") / folder
    return tuple(item.read_text(encoding="utf-8") for item in place.iterdir() if item.is_file())


def chart_text() -> str:
    """Return a strategy chart of all rows."""
    rows = [*map(str, range(5, 20)), *(f"A{n}" for n in range(2, 10))]
    rows += [f"{n}{n}" for n in range(2, 11)] + ["AA"]
    lines = ["# a chart", "hand\t" + "\t".join([*map(str, range(2, 11)), "A"])]
    for row in rows:
        cell = "P" if row[0] == row[-1] and len(row) in (2, 4) and not row.startswith("1") else "H"
        lines.append(
            row + f"\t{'S' if row.isdigit() and int(row) >= 17 and cell == 'H' else cell}" * 10
        )
    return "\n".join(lines) + "\n"


CARDS: Final = ("8D 5H 4D TC 6C 3S", "T 6 8 T 9", "AS KH, 2c 3d", "10H 10D A", "AD")
RULES: Final = (
    *("6D S17 PEEK DOA DAS SP4 NRSA NS 3:2", "6D H17 LS", "european LS", "INF(4/13) H17", "1D CSM"),
    *("2D OBO D9 NDAS SP1 PEN85", "deshmukh", "8D ENHC DANY SPINF RSA HSA ES 6:5 NOINS"),
    *("6D penetration=3/4 natural_pays=7/5", "6D ace_rule=one-softened charlie=5 max_spots=3"),
    "INF ten_probability=1/3 dealer_rule=until-ahead max_spots=1 max_hands=1",
)
NAMES: Final = (
    "vegas-strip",
    "deshmukh",
    "european",
    "house.toml",
    "./house.toml",
    "~/house.toml",
)
CHIPS: Final = ("10", "2.5", "100", "0.1", "2/3", "1000000", "7.25")
COUNTS: Final = ("hi-lo", "ko", "zen", "wong-halves", "system.toml", "./system.toml")
RAMPS: Final = ("1-8", "1,1,2,4,8", "1:1 2:2 5:8", "ramp.txt", "-1:0 0:1 3:6", "1/2-4")
INDICES: Final = ("i18", "fab4", "i18+fab4", "indices.txt", "./indices.txt")
PLAYS: Final = ("16 v T", "16 v T, insurance", "i18", "15 v T R", "A7 v 2, TT v 6")
AMOUNTS: Final = ("1000", "1_000_000", "1e6", "2.5M", "1G", "10k", "1,000")
SHARES: Final = ("0.01%", "0.0001", "5%", "1/2", ".5%", "1e-4")
SIDE_BETS: Final = (
    *("21+3 flat", "21+3-v3", "+21+3(9)", "PP(25/12/6)", "+BUST(2/2/4/12/50/250)", "insurance"),
    *("bet.toml", "./bet.toml", "s7", "PP(20/10/5)"),
)
SHOES: Final = (
    *("6D", "6D less T T 5", "24 24 24 24 24 24 24 24 24 96", "1D less AS", "2D"),
    "6D less QH QH AS T Q",
)
SPLITS: Final = ("CDZ-", "CDP", "CDP1", "CDP-exact", "full", "full-at-once")
PLAYERS: Final = (
    *("basic", "mimic", "never-bust", "lott", "lott-simple", "counter", "counter:zen"),
    *("computer:1,17,0.5", "chart:chart.tsv", "counter:system.toml", "computer:1/3,16,1"),
)
BETTINGS: Final = (
    *("flat", "martingale", "cancellation:1,2,3", "waiting:3", "random", "fibonacci", "paroli"),
    *("dalembert", "cancellation", "waiting"),
)
COMPANIES: Final = ("basic; you", "you; mimic martingale", "never-bust; you; mimic", "lott", "")
ANSWERS: Final = ("hit stand", "double", "split hit stand", "no insurance", "even money, stand")
DRILLS: Final = ("strategy", "whole hands", "deviations", "countdown", "true-count", "1", "bet")
CLASSES: Final = ("hard,soft", "pair", "surrender", "hard,soft,pair,surrender")
SEEDS: Final = ("00" * 32, "ab" * 32, "0123456789abcdef" * 4)
WORDS: Final = ("my own words", "päth", "1", "seed")
CHOICES: Final = (
    '{"house": "", "rules": "6D LS", "hands": 2, "bet": "5/2", "company": "", "keeps": true}',
    (
        '{"house": "european", "rules": "6D ENHC", "hands": 1, "bet": "10", "company": "",'
        ' "keeps": false}'
    ),
    '{"theme": "dark", "letters": true, "ascii_only": false, "animate": false}',
)
