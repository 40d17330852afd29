"""Environments: one table, many tables in compiled code and the table engine must be one game.

Most steps are compared between the compiled tables and single ones, array for array, with resets,
copies, seeds and wrong actions at random moments. In the other cases the campaign shuffles the
shoe itself, counts the cards that are shown by a count of its own, and settles rounds on paper.
"""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any, Final

from campaign.case import Subject
from campaign.choosing import choose_any_rules, use_tests
from upcard.core.errors import (
    EmptyShoeError,
    IllegalActionError,
    RulesError,
    UnsupportedRuleError,
)
from upcard.rules.deck import DECK_SIZE
from upcard.rules.settings import Shuffle

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from campaign.case import Case
    from upcard.core.cards import Card

_KINDS: Final = (*("known rules",) * 7, *("random rules",) * 2, "own count")
_KNOWN_RULES: Final = (
    "6D H17 LS",
    "2D ENHC ES RSA HSA",
    "INF DANY",
    "1D CSM 6:5",
    "8D OBO D10 SP8",
)
"""Played for long: what single tables answer is then looked up, which is several times as fast."""
_TABLES, _STEPS, _DISTURBED = 256, 100, 20
_FEW_TABLES, _FEW_STEPS = 6, 100
_LAYOUTS: Final = ("hand", "cell", "sutton-barto")
_WRONG: Final = (-1, 99, 1.0, None, True, "1", 2 + 0j)
_BETS: Final = ((1,), (1, 3), (0, "2.5", 1))
_COPIED: Final = 0.02
_SHOES: Final = 10


# --- many tables beside single ones ---


def compare_known_rules(case: Case) -> None:
    """Step many tables by rules that this process has played before; compare all at once."""
    import gymnasium
    import numpy as np

    from upcard.env.blackjack import BlackjackEnv

    rng, draw = case.rng, np.random.default_rng(case.rng.randrange(2**32))
    options: dict[str, Any] = {
        "rules": rng.choice(_KNOWN_RULES),
        "observation": rng.choice(_LAYOUTS),
    }
    seed, where = rng.randrange(2**63), str(options)
    native: Any = gymnasium.make_vec("upcard/Blackjack-v1", _TABLES, credit=True, **options)
    singles = [BlackjackEnv(**options) for _ in range(_TABLES)]
    observed, info = native.reset(seed=seed)
    answers = [env.reset(seed=seed + table) for table, env in enumerate(singles)]
    _require_equal(case, observed, [answer[0] for answer in answers], where)
    masks, over = info["action_mask"], np.zeros(_TABLES, np.bool_)
    for number in range(_STEPS):
        if number % _DISTURBED == 0:
            native, table = _copy(case, native), rng.choice(np.flatnonzero(~over).tolist())
            singles[table] = _copy(case, singles[table])
            _refuse_both(case, native, singles[table], table, masks.argmax(axis=1).tolist())
        actions = (draw.random(masks.shape) * masks).argmax(axis=1)
        given = actions.tolist()
        observed, rewards, ends, _, info = native.step(actions)
        seen, paid, ended, legal = [], [], [], []
        for table, (env, was_over) in enumerate(zip(singles, over.tolist(), strict=True)):
            reward: Any = 0.0
            is_over = False
            if was_over:
                observation, report = env.reset()
            else:
                observation, reward, is_over, _, report = env.step(given[table])
            seen.append(observation)
            paid.append(reward)
            ended.append(is_over)
            legal.append(report["action_mask"])
            if is_over:
                credit = info["credit"][table][: len(report["credit"])].tolist()
                _require_equal(case, credit, report["credit"], where)
        for mine, theirs in (
            *((observed, seen), (rewards, paid), (ends, ended)),
            (info["action_mask"], legal),
        ):
            _require_equal(case, mine, theirs, where)
        masks, over = info["action_mask"], ends
    case.count("steps by known rules", _TABLES * _STEPS)


def _require_equal(case: Case, many: Any, singles: Sequence[Any], where: str) -> None:
    import numpy as np

    rows = np.stack(many, axis=1) if isinstance(many, tuple) else many
    if not np.array_equal(rows, singles):  # a text of so many arrays takes long
        case.require(False, f"{where}: many tables say {rows}, single ones {singles}")


def compare_random_rules(case: Case) -> None:
    """Step a few tables by random rules, with all that can be observed."""
    while not _compare_random(case):  # a count may be of another deck
        case.count("tables that are refused by name")
    case.count("steps by random rules", _FEW_TABLES * _FEW_STEPS)


def _compare_random(case: Case) -> bool:
    """Return whether both can play the rules and what was chosen to be observed."""
    from random_jobs import choose_supported_rules

    from upcard.strategy.count_system import system_names

    rng = case.rng
    while True:
        try:
            rules = choose_supported_rules(rng.choice)
            break
        except RulesError:
            continue
    options: dict[str, Any] = {"rules": rules, "observation": rng.choice(("hand", "cards", "dict"))}
    if not rules.is_infinite:
        if rng.random() < 0.7:
            options |= {"count": rng.choice(system_names()), "composition": rng.random() < 0.7}
        options["episode"] = rng.choice(("round", "shoe"))
    options["bets"] = rng.choice(_BETS)
    options["spots"] = rng.choice((1, 1, 1, 2, 3))
    return _compare(case, tables=_FEW_TABLES, steps=_FEW_STEPS, **options)


def _compare(case: Case, *, tables: int, steps: int, **options: Any) -> bool:
    """Compare many tables with single ones; return False if the tables are refused."""
    from gymnasium.vector import AutoresetMode
    from vector_twins import Twins

    rng = case.rng
    options["illegal"] = rng.choice(("raise", "raise", "stand"))
    seed = rng.randrange(2**63)
    where = f"{options | {'rules': str(options['rules'])}}, seed {seed}"
    try:
        mode = rng.choice(tuple(AutoresetMode))
        try:
            twins = Twins(mode=mode, tables=tables, seed=seed, **options)
        except UnsupportedRuleError:
            return False
        left = steps
        while left > 0:
            some = min(left, rng.randint(1, max(steps // 4, 2)))
            twins.play(some)
            left -= some
            twins.native = _copy(case, twins.native)
            twins.singles.envs = tuple(_copy(case, env) for env in twins.singles.envs)
            if options["illegal"] == "raise" and not twins.over.any():
                table = rng.randrange(tables)
                legal = [twins.choose(mask) for mask in twins.masks]
                _refuse_both(case, twins.native, twins.singles.envs[table], table, legal)
    except AssertionError as difference:
        case.require(False, f"{where}: many tables and single ones differ: {difference}")
    return True


def _copy(case: Case, env: Any) -> Any:
    """Return a copy of an environment, in the middle of whatever it does."""
    case.count("copies in mid-round")
    if case.rng.random() < 0.5:
        return copy.deepcopy(env)
    return pickle.loads(pickle.dumps(env))  # noqa: S301 (our own)


def _refuse_both(case: Case, native: Any, single: Any, table: int, legal: list[Any]) -> None:
    """Give both the same wrong action; the next steps show that it has changed nothing."""
    wrong = case.rng.choice(_WRONG)
    said = []
    for env, given in ((native, [*legal[:table], wrong, *legal[table + 1 :]]), (single, wrong)):
        try:
            env.step(given)
        except IllegalActionError as error:
            said.append(str(error).removeprefix(f"table {table}: "))
        else:
            said.append("")
    case.require(said[0] and said[0] == said[1], f"action {wrong!r} is refused as {said}")
    case.count("wrong actions refused")


# --- a count of the campaign's own ---

_TAGS: Final = {
    "hi-lo": {**dict.fromkeys(range(2, 7), 1), 1: -1, 10: -1},
    "ko": {**dict.fromkeys(range(2, 8), 1), 1: -1, 10: -1},
    "red-7": {**dict.fromkeys(range(2, 7), 1), 1: -1, 10: -1},
    "zen": {**dict.fromkeys((2, 3, 7), 1), **dict.fromkeys((4, 5, 6), 2), 1: -1, 10: -2},
}
_STARTS: Final = {"ko": (4, -4), "red-7": (0, -2)}
"""Of the counts that decide without a division: the start, and what each deck adds to it."""


def count_cards(system: str, decks: int, seen: Sequence[Card], left: int) -> int:
    """Count the cards seen, with so many undealt."""
    tags = _TAGS[system]
    running = sum(tags.get(card.rank, 0) for card in seen)
    if system == "red-7":
        running += sum(card.rank == 7 and card.suit in "DH" for card in seen)
    if system in _STARTS:
        start, by_deck = _STARTS[system]
        return start + by_deck * decks + running
    return floor(Fraction(52 * running, max(left, 1)))


def count_alone(case: Case) -> None:
    """Play shuffled scripts at one table; count what is shown, and settle every round on paper."""
    for _ in range(_SHOES):
        _count_shoe(case)


def _count_shoe(case: Case) -> None:
    import gymnasium
    from settled_twice import facts_of, settle_naively

    rng = case.rng
    rules = choose_any_rules(rng)
    while (
        rules.is_infinite
        or not (rules.shows_upcard and rules.betting)
        or rules.switch
        or rules.deck_size != DECK_SIZE  # the counts are those of whole decks
    ):
        rules = choose_any_rules(rng)
    rules = rules.replace(shuffle=Shuffle.CUT_CARD, shows_hole=False)
    system, spots = rng.choice((*_TAGS,)), rng.randint(1, min(3, rules.max_spots))
    env: Any = gymnasium.make(
        "upcard/Blackjack-v1", rules=rules, observation="dict", episode="shoe", spots=spots,
        bets=(0, 1, "2.5"), count=system, composition=True,
    ).unwrapped  # fmt: skip
    cards = _shuffle(rng, rules.decks or 0)
    observation, info = env.reset(options={"cards": " ".join(map(str, cards))})
    facts, is_over, where = facts_of(rules), False, f"{rules}, {spots} spots, {system}"
    try:
        while not is_over:
            _require_count(case, env, observation, cards, system, where)
            if rng.random() < _COPIED:
                env = copy.deepcopy(env)
            legal = [code for code, one in enumerate(info["action_mask"]) if one]
            observation, reward, is_over, _, info = env.step(rng.choice(legal))
            case.count("steps with a count of its own")
            if "hands" not in info:
                continue
            state = env.table.state
            paid = settle_naively(facts, state, [card.rank for card in state.dealer])
            expected = float(paid["net"]) if info["hands"] else 0.0
            case.require(reward == expected, f"{where}: reward {reward}, on paper {expected}")
            case.count("rounds settled on paper")
    except EmptyShoeError:
        return


def _shuffle(rng: random.Random, decks: int) -> list[Card]:
    from upcard.core.cards import DECK

    cards = [*DECK] * decks
    rng.shuffle(cards)
    return cards


def _require_count(  # noqa: PLR0913, PLR0917 (private)
    case: Case, env: Any, observation: Any, cards: Sequence[Card], system: str, where: str
) -> None:
    """Compare count, decks and composition with those of the cards that lie face up."""
    from upcard.env.observations import Stage

    dealt, hidden = env.table.shoe.position, []
    if env.question.stage is not Stage.BET:
        state = env.table.state
        if not state.is_revealed:
            hidden = [card for card in state.dealer if card is not state.upcard][:1]
            if len(state.dealer) == 2 and not hidden:
                hidden = [state.upcard]  # a pair of equal cards
    seen = [*cards[:dealt]]
    for card in hidden:
        seen.remove(card)
    least, most = env.observation_space["count"].low[0], env.observation_space["count"].high[0]
    left = len(cards) - dealt
    count = min(max(count_cards(system, env.rules.decks, seen, left), least), most)
    found = observation["count"].tolist()
    expected = [float(count), left / 52]
    unseen = Counter(card.rank for card in cards) - Counter(card.rank for card in seen)
    shares = [unseen[rank] / max(unseen.total(), 1) for rank in range(1, 11)]
    agree = [abs(a - b) < 1e-6 for a, b in zip(found, expected, strict=True)]
    agree += [abs(a - b) < 1e-6 for a, b in zip(observation["composition"], shares, strict=True)]
    if not all(agree):
        case.require(False, f"{where}: count {found}, by hand {expected}; after {seen[-12:]}")


def start(folder: Path) -> Callable[[Case], None]:
    """Prepare to compare."""
    del folder
    use_tests()
    import upcard.env  # noqa: F401 (registers the environments)

    ways = {
        "known rules": compare_known_rules,
        "random rules": compare_random_rules,
        "own count": count_alone,
    }

    def run(case: Case) -> None:
        ways[_KINDS[case.number % len(_KINDS)]](case)

    return run


SUBJECT: Final = Subject(
    name="environments",
    about="one table, many tables and the table engine: the same arrays, counts and rewards",
    unit="comparisons",
    quick=60,
    long=600,
    start=start,
    patience=300.0,
)
