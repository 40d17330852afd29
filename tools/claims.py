"""Every number that upcard claims and somebody else has: what it is, who says so, how to get ours.

The values of others stand in tests/golden/exact_values.json and tests/conformance/data, with their
origin; none of them was computed by upcard.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT: Final = Path(__file__).resolve().parent.parent
GOLDEN: Final = ROOT / "tests" / "golden" / "exact_values.json"
POLICIES: Final = ROOT / "tests" / "conformance" / "data"

EXACT: Final = 1e-10
FARMER: Final = "E. Farmer, blackjack 7.6, built and run"
FARMER_SPLIT: Final = "E. Farmer, blackjack_split of 2025-04-19, built and run"
ENUMERATION: Final = "an enumeration, brought in with the project"
APPENDIX_9: Final = "Wizard of Odds, appendix 9"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One number, or several of one kind, that somebody else has too."""

    section: str
    quantity: str
    rules: str
    source: str
    references: tuple[float, ...]
    tolerance: float
    """How far ours may be from the references: what these are good to."""
    compute: Callable[[], tuple[float, ...]]
    is_slow: bool = False
    """Whether it takes more than a second or two."""
    what: str = "values"
    """What several references are called."""


def list_claims() -> tuple[Claim, ...]:
    """Return all claims, in the order of the page."""
    return (
        *_whole_games(),
        *_games_by_upcard(),
        *_removals(),
        *_hands(),
        *_full_memory(),
        *_infinite_decks(),
        *_policies(),
        *_without_hole_card(),
        *_counts(),
    )


@cache
def _golden() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return data


def _whole_games() -> Iterator[Claim]:
    for rules, by_class in _golden()["overall_ev"].items():
        for splits, ev in by_class.items():
            yield Claim(
                section="Whole games",
                quantity=f"EV of a round, {splits}",
                rules=rules,
                source=FARMER,
                references=(ev,),
                tolerance=EXACT,
                compute=lambda rules=rules, splits=splits: (_game_ev(rules, splits),),
            )


def _game_ev(rules: str, splits: str) -> float:
    import upcard

    game = upcard.solve_game(upcard.Rules.parse(rules), splits=splits)
    return game.ev - game.insurance_ev


def _games_by_upcard() -> Iterator[Claim]:
    for rules, by_class in _golden()["ev_by_upcard"].items():
        for splits, evs in by_class.items():
            for up, ev in evs.items():
                yield Claim(
                    section="Whole games by upcard",
                    quantity=f"EV of a round with {up} up, {splits}",
                    rules=rules,
                    source=FARMER,
                    references=(ev,),
                    tolerance=EXACT,
                    compute=lambda rules=rules, splits=splits, up=up: (
                        _evs_by_upcard(rules, splits)[up],
                    ),
                )


@cache
def _evs_by_upcard(rules: str, splits: str) -> dict[str, float]:
    import upcard

    return upcard.solve_game(upcard.Rules.parse(rules), splits=splits).by_upcard


def _removals() -> Iterator[Claim]:
    for rules, rows in _golden()["effects_of_removal"].items():
        for rank, effect, splits in rows:
            yield Claim(
                section="Effects of removal",
                quantity=f"change of EV when one {rank} leaves, {splits}",
                rules=rules,
                source=FARMER,
                references=(effect,),
                tolerance=EXACT,
                compute=lambda rules=rules, splits=splits, rank=rank: (
                    _effects(rules, splits)[rank],
                ),
            )


@cache
def _effects(rules: str, splits: str) -> dict[str, float]:
    import upcard

    return upcard.effects_of_removal(upcard.Rules.parse(rules), splits=splits)


def _hands() -> Iterator[Claim]:
    for rules, by_class in _golden()["hand_ev"].items():
        for splits, unsorted in by_class.items():
            rows = sorted(unsorted, key=lambda row: (row["hand"], row["upcard"], row["action"]))
            for hand, group in groupby(rows, key=lambda row: row["hand"]):
                asked = [(row["upcard"], row["action"], row["ev"]) for row in group]
                actions = " ".join(sorted({action for _, action, _ in asked}))
                yield Claim(
                    section="Answers to a hand",
                    quantity=f"{hand} v A to T: {actions}, {splits}",
                    rules=rules,
                    source=FARMER,
                    references=tuple(ev for _, _, ev in asked),
                    tolerance=EXACT,
                    compute=lambda rules=rules, splits=splits, hand=hand, asked=asked: _answers(
                        rules, splits, hand, [(up, action) for up, action, _ in asked]
                    ),
                )


def _answers(rules: str, splits: str, hand: str, asked: list[tuple[str, str]]) -> tuple[float, ...]:
    import upcard

    parsed = upcard.Rules.parse(rules)
    values = {up: upcard.solve(parsed, hand, up, splits=splits).ev for up, _ in asked}
    return tuple(values[up][upcard.Action(action)] for up, action in asked)


def _full_memory() -> Iterator[Claim]:
    sources = {
        "full_memory_split": "optimal play over every card seen, brought in with the project",
        "full_memory_of_more_hands_or_decks": FARMER_SPLIT,
    }
    for name, source in sources.items():
        for row in _golden()[name]["rows"]:
            yield Claim(
                section="Splits with full memory",
                quantity=f"split {row['hand']} v {row['upcard']}, a dealer natural counted",
                rules=row["rules"],
                source=source,
                references=(row["ev"],),
                tolerance=EXACT,
                compute=lambda row=row: (_full_memory_ev(row),),
                is_slow=row["hand"] != "AA",
            )


def _full_memory_ev(row: dict[str, Any]) -> float:
    import upcard

    rules = upcard.Rules.parse(row["rules"])
    value = upcard.solve(rules, row["hand"], row["upcard"], splits="full")
    natural = value.natural_probability if value.is_conditional else 0.0
    return value.ev[upcard.Action.SPLIT] * (1 - natural) - natural


def _infinite_decks() -> Iterator[Claim]:
    for rules, ev in _golden()["infinite_deck"].items():
        if rules == "source":
            continue
        known = rules == "S17 PEEK DOA DAS SP4 NRSA NS 3:2"
        yield Claim(
            section="Infinite deck",
            quantity="EV of a round",
            rules=f"INF {rules}",
            source="independent recursion" + (", and Wizard of Odds, appendix 1" if known else ""),
            references=(ev,),
            tolerance=EXACT,
            compute=lambda rules=rules: (_game_ev(f"INF {rules}", "CDZ-"),),
        )


def _policies() -> Iterator[Claim]:
    names = {
        "4/13": ("policy_4_13.txt", "document 002, its sample output"),
        "0.1": ("policy_0.1.txt", "two other solvers of document 002's game"),
        "0.2": ("policy_0.2.txt", "two other solvers of document 002's game"),
        "0.5": ("policy_0.5.txt", "two other solvers of document 002's game"),
    }
    for p, (name, source) in names.items():
        written = (POLICIES / name).read_text(encoding="utf-8")
        yield Claim(
            section="BlackJack(p)",
            quantity=f"best first action of 33 hands v 10 upcards, p = {p}",
            rules=f"mdp INF({p})",
            source=source,
            references=_letters(written),
            tolerance=0.0,
            compute=lambda p=p: _policy_letters(p),
            what="cells",
        )


def _letters(policy: str) -> tuple[float, ...]:
    """Return the cells of a policy as numbers, so that they can be told apart."""
    cells = [word for line in policy.splitlines() for word in line.split("\t")[1].split()]
    return tuple(float("HSDP".index(cell)) for cell in cells)


def _policy_letters(p: str) -> tuple[float, ...]:
    import upcard

    return _letters(str(upcard.policy(p)))


def _without_hole_card() -> Iterator[Claim]:
    for rules, ev in _golden()["no_hole_card_all_bets_lost"].items():
        if rules != "source":
            yield Claim(
                section="No hole card",
                quantity="EV of a round, CDZ-",
                rules=rules,
                source=APPENDIX_9,
                references=(ev,),
                tolerance=1e-5,
                compute=lambda rules=rules: (_game_ev(rules, "CDZ-"),),
            )


def _counts() -> Iterator[Claim]:
    for decks, hands in ((1, 2008), (2, 2796), (4, 3060), (6, 3072)):
        yield Claim(
            section="Counts",
            quantity="distinct hands of two cards or more, hard total up to 21",
            rules=f"{decks}D",
            source=ENUMERATION,
            references=(hands,),
            tolerance=0.0,
            compute=lambda decks=decks: (_count_hands(decks),),
        )
    for rule, sequences in (("S17", 26_700), ("H17", 32_845)):
        yield Claim(
            section="Counts",
            quantity="ordered dealer sequences that do not bust, all upcards",
            rules=f"1D {rule}",
            source=ENUMERATION,
            references=(sequences,),
            tolerance=0.0,
            compute=lambda rule=rule: (_count_dealer_sequences(hits=rule == "H17"),),
        )
    for rule, pairs in (("S17", 4634), ("H17", 4961)):
        yield Claim(
            section="Counts",
            quantity="upcards with the sets of cards that end the dealer's hand at 17 to 21",
            rules=rule,
            source=ENUMERATION,
            references=(pairs,),
            tolerance=0.0,
            compute=lambda rule=rule: (_count_dealer_ends(hits=rule == "H17"),),
        )


def _count_hands(decks: int) -> int:
    from upcard.exact.kernels.hand_sets import player_hands
    from upcard.rules.deck import full_shoe

    hands = player_hands()
    shoe = full_shoe(decks).counts
    there = (hands.counts[:, 1:] <= shoe[1:]).all(axis=1)
    return int((there & (hands.cards >= 2)).sum())


def _count_dealer_sequences(*, hits: bool) -> int:
    from upcard.core.cards import RANKS
    from upcard.core.hands import AceRule, hand_table
    from upcard.rules.deck import full_shoe

    table = hand_table(AceRule.BEST)
    left = list(full_shoe(1).counts)

    def count(state: int) -> int:
        total = table.total[state]
        if total > 21:
            return 0
        if total > 17 or (total == 17 and not (table.is_soft[state] and hits)):
            return 1
        found = 0
        for rank in RANKS:
            if left[rank]:
                left[rank] -= 1
                found += count(table.next_state[state][rank])
                left[rank] += 1
        return found

    return count(0)


def _count_dealer_ends(*, hits: bool) -> int:
    from upcard.core.cards import RANKS
    from upcard.exact.kernels.dealer_hands import dealer_tree

    return sum(len(dealer_tree(hits, (upcard,)).end_node) for upcard in RANKS)
