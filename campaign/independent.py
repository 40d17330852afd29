"""Random rules, worked out by programs that share nothing with upcard's engines.

Rounds at the table are settled again on paper; tiny shoes are enumerated card by card in exact
fractions; whole games are simulated by plain Python and compared with upcard's simulator.
"""

from __future__ import annotations

import math
import random
import signal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from campaign.case import Subject
from campaign.choosing import choose_any_rules, use_tests
from campaign.fuzz import HangError
from upcard.core.errors import EmptyShoeError, UnsupportedRuleError
from upcard.rules.model import Rules
from upcard.rules.settings import Shuffle

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from campaign.case import Case
    from upcard.simulation.run_state import Run
    from upcard.strategy.chart import Strategy

_ROUNDS_OF_RULES: Final = 60
_PLAIN_ROUNDS: Final = 60_000
_KERNEL_ROUNDS: Final = 3_000_000
_FARTHEST: Final = 4.9
"""Standard errors: for 1,000 comparisons, one false alarm in 1,000 runs (Bonferroni)."""
_ENUMERATION_SECONDS: Final = 40.0
_TINY: Final = 1e-11
_KINDS: Final = (*("settle",) * 6, *("enumerate",) * 3, "simulate")


class Game(NamedTuple):
    """Rules as upcard reads them, and as plain facts."""

    text: str
    facts: dict[str, Any]


_CHOICES: Final[tuple[tuple[tuple[str, dict[str, Any]], ...], ...]] = (
    (("S17", {}), ("H17", {"soft_17": "hit"})),
    (
        ("PEEK", {}),
        ("ENHC", {"hole_card": "none"}),
        ("OBO", {"hole_card": "none", "natural_takes": "original"}),
        ("hole_card=no-peek", {"hole_card": "no peek"}),
        (
            "hole_card=no-peek natural_takes=original",
            {"hole_card": "no peek", "natural_takes": "original"},
        ),
    ),
    (
        ("DOA", {}),
        ("D9", {"double_on": "9 to 11"}),
        ("D10", {"double_on": "10 to 11"}),
        ("DANY", {"double_on": "any number"}),
        ("ND", {"double_on": "never"}),
    ),
    (("", {}), ("NDAS", {"das": False})),
    (("NS", {}), ("LS", {"surrender": "late"}), ("ES", {"surrender": "early"})),
    (
        ("3:2", {}),
        ("6:5", {"natural_pays": Fraction(6, 5)}),
        ("2:1", {"natural_pays": Fraction(2)}),
        ("1:1", {"natural_pays": Fraction(1)}),
    ),
    (
        ("", {}),
        ("", {}),
        ("split_naturals=on-tens", {"split_naturals": "on tens"}),
        ("split_naturals=always", {"split_naturals": "always"}),
    ),
    (("", {}), ("", {}), ("", {}), ("charlie=5", {"charlie": 5}), ("charlie=6", {"charlie": 6})),
)


def choose_game(rng: random.Random, *, most_hands: int) -> Game:
    """Choose rules that the naive twins know too."""
    words: list[str] = ["NOINS"]
    facts: dict[str, Any] = {}
    for options in _CHOICES:
        token, fact = rng.choice(options)
        words.append(token)
        facts |= fact
    hands = rng.randint(1, most_hands)
    words.append(f"SP{hands}")
    facts["max_hands"] = hands
    if hands > 2 and rng.random() < 0.4:
        words.append("RSA")
        facts["rsa"] = True
    if hands > 1 and rng.random() < 0.4:
        words.append("HSA")
        facts["hsa"] = True
        if facts.get("das", True) and facts.get("double_on") != "never" and rng.random() < 0.5:
            words.append("double_split_aces=true")
            facts["double_split_aces"] = True
    if facts.get("hole_card") == "none" and rng.random() < 0.3:
        words.append("natural_ties_21=true")
        facts["natural_ties_21"] = True
    return Game(" ".join(filter(None, words)), facts)


def choose_chart(rng: random.Random) -> str:
    """Write a chart of sensible and of odd cells."""
    from upcard.strategy.chart import HAND_LABELS, PAIR_LABELS

    oddness = rng.choice((0.1, 0.5, 1.0))
    lines = ["\t".join(("hand", *map(str, range(2, 11)), "A"))]
    for label in HAND_LABELS:
        cells = [_choose_cell(rng, label, oddness, is_pair=label in PAIR_LABELS) for _ in range(10)]
        lines.append("\t".join((label, *cells)))
    return "\n".join(lines) + "\n"


def _choose_cell(rng: random.Random, label: str, oddness: float, *, is_pair: bool) -> str:
    is_hard = not is_pair and not label.startswith("A")
    if is_hard and int(label) >= 17:
        return "S"
    if rng.random() < oddness:
        return rng.choice(("H", "S", "Dh", "Ds", "Rh", "Rs", *(("P", "Rp") if is_pair else ())))
    if is_pair:
        return rng.choice(("P", "H", "S"))
    total = int(label) if is_hard else 11 + int(label[1])
    if is_hard:
        return "Dh" if 9 <= total <= 11 else rng.choice("HS") if total >= 12 else "H"
    return "S" if total >= 18 else "H"


# --- a round at the table, settled on paper ---


def settle_rounds(case: Case) -> None:
    """Play rounds of any rules at random, and settle each once more without upcard.

    Raises: FindingError.
    """
    use_tests()
    from settled_twice import settle_twice

    rules = choose_any_rules(case.rng)
    for found, expected, state in settle_twice(case.rng, rules, _ROUNDS_OF_RULES):
        if found != expected:
            hands = [str(hand) for hand in state.hands]
            case.require(False, f"on paper {expected}, not {found}: {rules}: {hands}")
        case.count("rounds settled on paper")


# --- a tiny shoe, enumerated ---


def choose_tiny_shoe(rng: random.Random) -> dict[int, int]:
    """Choose a shoe of three or four ranks that a round can hardly run out of."""
    ranks = rng.sample(range(1, 10), rng.choice((2, 2, 3)))
    return {rank: rng.randint(3, 5) for rank in sorted(ranks)} | {10: rng.randint(4, 7)}


def enumerate_shoe(case: Case) -> None:
    """Value a chart on a tiny shoe: plain recursion, the table walked, the exact solver.

    Raises: FindingError.
    """
    use_tests()
    import naive_exact
    from engine_walk import Walk
    from naive_chart import follow_chart
    from naive_dealer import OutOfCardsError, shoe_of

    from upcard.players.bots import ChartPlayer
    from upcard.strategy.chart import Strategy
    from upcard.table import view

    game, counts = choose_game(case.rng, most_hands=3), choose_tiny_shoe(case.rng)
    text = choose_chart(case.rng)
    rules, shoe, chart = Rules.parse(f"6D {game.text}"), shoe_of(counts), Strategy.parse(text)
    where = f"{rules} with the cards {counts} by the chart\n{text}"
    player = ChartPlayer(chart)
    signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, _ENUMERATION_SECONDS)
    try:
        plain = naive_exact.value_game(game.facts, shoe, strategy=follow_chart(text))
        walk = Walk(rules, lambda state: player.decide(view(state), state.legal))
        walked = walk.game_value(shoe)
        solved = _solve(rules, chart, shoe)
    except (OutOfCardsError, EmptyShoeError, ZeroDivisionError):
        case.count("shoes that could run out")
        return
    except HangError:
        case.count("shoes too large to enumerate")
        return
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    case.require(plain == walked, f"plain recursion {plain}, the table {walked}: {where}")
    case.count("shoes enumerated")
    if solved is None:
        return
    case.require(
        abs(float(plain) - solved) < _TINY,
        f"plain recursion {float(plain)}, solver {solved}: {where}",
    )
    case.count("shoes enumerated and solved")


def _solve(rules: Rules, chart: Strategy, shoe: Any = None) -> float | None:
    """Return the exact value of a chart; None where upcard says that it has no method."""
    from upcard.exact.solve import expected_value

    try:
        return expected_value(rules, strategy=chart, shoe=shoe)
    except UnsupportedRuleError:
        return None


def _ring(*_: object) -> None:
    raise HangError


# --- a whole game, simulated ---


def simulate_game(case: Case) -> None:
    """Simulate a chart by plain Python and by upcard, on different cards.

    Raises: FindingError.
    """
    use_tests()
    from naive_chart import follow_chart
    from naive_dealer import USUAL_FACTS

    from campaign.plain_game import PlainShoe, play_round
    from upcard.simulation.job import find_unsupported
    from upcard.strategy.chart import Strategy

    rng = case.rng
    decks, penetration = rng.choice((1, 2, 6)), rng.choice((50, 70, 80))
    game, text = choose_game(rng, most_hands=4), choose_chart(rng)
    while find_unsupported(rules := Rules.parse(f"{decks}D PEN{penetration} {game.text}")):
        game = choose_game(rng, most_hands=4)  # the compiled simulator knows fewer rules
    chart, facts = Strategy.parse(text), USUAL_FACTS | game.facts
    where = f"{rules} by the chart\n{text}"
    run = _simulate(rules, chart, rng)
    shoe = PlainShoe(decks, penetration / 100, random.Random(rng.random()))
    follow = follow_chart(text)
    known: dict[Any, str] = {}

    def play(hand: tuple[int, ...], up: int, words: set[str]) -> str:
        key = (hand, up, frozenset(words))
        if key not in known:
            known[key] = follow(hand, up, words)
        return known[key]

    nets = [float(play_round(facts, shoe, play)) for _ in range(_PLAIN_ROUNDS)]
    mean = math.fsum(nets) / len(nets)
    variance = math.fsum((net - mean) ** 2 for net in nets) / (len(nets) - 1)
    error = math.hypot(math.sqrt(variance / len(nets)), run.standard_error)
    case.require(
        abs(mean - run.ev) < _FARTHEST * error,
        f"plain Python {mean:.5f}, upcard simulate {run.ev:.5f}, {abs(mean - run.ev) / error:.1f}"
        f" standard errors: {where}",
    )
    case.count("games simulated")
    fresh = rules.replace(shuffle=Shuffle.EVERY_ROUND, penetration=Fraction(3, 4))
    exact, flat = _solve(fresh, chart), _simulate(fresh, chart, rng)
    if exact is None:
        return
    case.require(
        abs(flat.ev - exact) < _FARTHEST * flat.standard_error,
        f"exact {exact:.6f}, simulated {flat.ev:.6f} ± {flat.standard_error:.6f}: {where}",
    )
    case.count("exact values simulated")


def _simulate(rules: Rules, chart: Strategy, rng: random.Random) -> Run:
    from upcard.simulation.job import Engine
    from upcard.simulation.run import simulate

    seed = rng.randrange(2**31)
    return simulate(
        rules, strategy=chart, rounds=_KERNEL_ROUNDS, seed=seed, workers=1, engine=Engine.KERNEL
    )


def start(folder: Path) -> Callable[[Case], None]:
    """Prepare to compare."""
    del folder
    ways = {"settle": settle_rounds, "enumerate": enumerate_shoe, "simulate": simulate_game}

    def run(case: Case) -> None:
        ways[_KINDS[case.rng.randrange(len(_KINDS))]](case)

    return run


SUBJECT: Final = Subject(
    name="independent",
    about="random rules in plain Python: the table, the solver and the simulator must agree",
    unit="comparisons",
    quick=60,
    long=240,
    start=start,
    patience=300.0,
)
