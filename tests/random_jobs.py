"""Random jobs of the compiled simulator: rules it supports, charts, counts, deviations, seats."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from random_rules import choose_rules

from upcard.core.actions import Action
from upcard.rules.bonuses import Bonuses
from upcard.rules.model import Rules
from upcard.rules.predicates import may_act_doubled
from upcard.rules.settings import HoleCard, Player21, Surrender
from upcard.simulation.job import Job, find_unsupported
from upcard.strategy.chart import (
    CELLS,
    DEALER_LABELS,
    DOUBLED_LABELS,
    HAND_LABELS,
    PAIR_LABELS,
    ROWS,
    WORTH_LABELS,
    Strategy,
)
from upcard.strategy.count_system import CountBy, DeckEstimate, Rounding, load_system, system_names
from upcard.strategy.deviations import Deviation, Deviations

BONUSES_BY_NUMBER = Bonuses.parse("5=3:2/6=2:1")
SUPPORTED = {
    "ace_rule": "best",
    "dealer_rule": "to-17",
    "shows_upcard": True,
    "suited_natural_pays": None,
    "natural_ties_21": False,
    "split_by": "value",
    "split_naturals": "never",
    "max_total_hands": None,
    "turn_order": "hand-by-hand",
    "betting": True,
    "max_spots": 7,
}
LETTERS = (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)


def choose_supported_rules(choose):
    """Choose rules that the simulator honours; every rule of the notation is among them."""
    rules = choose_rules(choose)
    changes = dict(SUPPORTED)
    if rules.player_21 is not Player21.ALWAYS_WINS:
        changes["player_21"] = Player21.STANDS
    if rules.hole_card is HoleCard.NO_PEEK:
        changes |= {"hole_card": choose(("peek", "none")), "natural_takes": "all"}
    rules = rules.replace(**changes)
    assert not find_unsupported(rules)
    return rules


def choose_vector_rules(choose):
    """Choose rules that compiled tables honour."""
    rules = choose_supported_rules(choose)
    plain = {"max_doubles": 1, "rescue": False, "bonuses": None, "charlie": None}
    return rules.replace(**plain, busts_live=False, shows_hole=False)


def fit_lockstep(job: Job) -> Job:
    """Return the job that has one spot, less than 32 outcomes, and needs no card of a round."""
    rules, strategy = job.rules.replace(switch=False), job.strategy
    if rules.bonuses is not None:
        rules = rules.replace(bonuses=BONUSES_BY_NUMBER, max_doubles=min(rules.max_doubles, 2))
    if rules.shows_hole:
        rules, strategy = rules.replace(shows_hole=False), SENSIBLE
    return job.replace(spots=1, rules=rules, strategy=strategy)


def choose_chart(choose, sensible: Strategy, rules: Rules) -> Strategy:
    """Choose a chart: a sensible one with some cells changed at random."""
    doubled, columns = (), DEALER_LABELS if rules.shows_hole else sensible.columns
    labels, width = ROWS[columns], len(columns)
    if may_act_doubled(rules, 1):
        column = tuple(choose(("S", "Rs", "Ds", "Dr")) for _ in DOUBLED_LABELS)
        doubled = tuple((cell,) * width for cell in column)
    worths = ()
    if rules.switch and choose((False, True)):
        worths = tuple((choose(range(-9999, 15000, 357)),) * width for _ in WORTH_LABELS)
    rows = [list(row) for row in sensible.cells]
    if rules.shows_hole:  # against each total of the dealer as against some upcard
        rows = [[cell for cell in row for _ in range(3)][:width] for row in rows]
        rows.insert(labels.index("20"), ["S", "H"] * (width // 2))
    for _ in range(choose((0, 3, 30))):
        row = choose(range(len(labels)))
        cells = CELLS if labels[row] in PAIR_LABELS else [c for c in CELLS if "p" not in c.lower()]
        rows[row][choose(range(width))] = choose(cells)
    insures = choose((False, True))
    return Strategy(
        cells=tuple(map(tuple, rows)),
        takes_insurance=insures,
        doubled=doubled,
        columns=columns,
        worths=worths,
    )


def choose_system(choose, rules):
    """Choose a count, and how exactly it is kept."""
    system = load_system(choose(system_names())).replace(deck_size=rules.deck_size)
    if system.by is CountBy.RUNNING:
        return system
    return system.replace(rounding=choose(tuple(Rounding)), decks_left=choose(tuple(DeckEstimate)))


def choose_deviations(choose, rules):
    """Choose plays at low indices, one of a kind for each cell."""
    plays = {}
    for _ in range(choose((0, 5, 40))):
        hand, upcard, action = choose(HAND_LABELS), choose(range(1, 11)), choose(LETTERS)
        if action is Action.SPLIT and hand not in PAIR_LABELS:
            continue
        if action is Action.SURRENDER and rules.surrender is Surrender.NONE:
            continue
        others = [o for o in (None, Action.HIT, Action.STAND) if o is not action]
        kind = Action.STAND if action is Action.HIT else action
        plays[hand, upcard, kind] = Deviation(
            hand=hand,
            upcard=upcard,
            action=action,
            index=choose(range(-5, 6)),
            at_or_above=choose((True, False)),
            otherwise=choose(others),
        )
    return Deviations(plays=tuple(plays.values()), insurance=choose((None, -2, 0, 1, 3)))


def choose_job(choose, *, is_counted, seed):
    """Choose a job of the compiled simulator."""
    rules = choose_supported_rules(choose)
    if is_counted:
        rules = rules.replace(shows_hole=False)
    if is_counted and rules.decks is None:
        rules = rules.replace(decks=choose((1, 2, 6)), ten_probability=Fraction(4, 13))
    swap = {"switch": True, "max_spots": 2, "hole_card": "peek", "insurance": False}
    swap |= {"even_money": "instead", "natural_takes": "all", "shows_hole": False}
    if choose((False, False, False, True)) and not rules.side_bets:
        surrender = choose((Surrender.NONE, Surrender.LATE))
        rules = rules.replace(**swap, surrender=surrender)
    return Job(
        rules=rules,
        strategy=choose_chart(choose, SENSIBLE, rules),
        seed=seed,
        spots=2 if rules.switch else choose((1, 1, 1, 2, 3, 7)),
        system=choose_system(choose, rules) if is_counted else None,
        deviations=choose_deviations(choose, rules) if is_counted else None,
        enter=choose((None, 0, 1)) if is_counted else None,
        leave=choose((None, -1, 0)) if is_counted else None,
    )


@st.composite
def any_job(draw, *, is_counted):
    def choose(options):
        return draw(st.sampled_from(tuple(options)))

    return choose_job(choose, is_counted=is_counted, seed=draw(st.integers(0, 2**64 - 1)))


SENSIBLE = Strategy.parse(
    "\n".join(
        [
            *(f"{total} H H H H H H H H H H" for total in range(5, 9)),
            "9 H Dh Dh Dh Dh H H H H H",
            "10 Dh Dh Dh Dh Dh Dh Dh Dh H H",
            "11 Dh Dh Dh Dh Dh Dh Dh Dh Dh H",
            "12 H H S S S H H H H H",
            *(f"{total} S S S S S H H H H H" for total in (13, 14)),
            "15 S S S S S H H H Rh H",
            "16 S S S S S H H Rh Rh Rh",
            *(f"{total} S S S S S S S S S S" for total in range(17, 20)),
            *(f"A{rank} H H Dh Dh Dh H H H H H" for rank in range(2, 7)),
            "A7 S Ds Ds Ds Ds S S H H H",
            *(f"A{rank} S S S S S S S S S S" for rank in (8, 9)),
            *(f"{rank}{rank} P P P P P P H H H H" for rank in (2, 3)),
            "44 H H H P P H H H H H",
            "55 Dh Dh Dh Dh Dh Dh Dh Dh H H",
            "66 P P P P P H H H H H",
            "77 P P P P P P H H H H",
            "88 P P P P P P P P P Rp",
            "99 P P P P P S P P S S",
            "1010 S S S S S S S S S S",
            "AA P P P P P P P P P P",
        ]
    )
)
