"""A made-up chart in which every mark occurs, and made-up values that agree with it."""

import pytest

from upcard import Action, Rules, Strategy
from upcard.strategy.chart import COLUMN_KEYS, HAND_LABELS, PAIR_LABELS, UPCARD_LABELS

ROW = {
    "8": "H H H H H H H H H H",
    "12": "H H S S S H H H H H",
    "15": "S S S S S H H H Rh Rh",
    "17": "S S S S S S S S S Rs",
    "A7": "Ds Ds Ds Ds Ds S S H H H",
    "88": "P P P P P P P P P Rp",
    "11": "Dh Dh Dh Dh Dh Dh Dh Dh Dh H",
}
PLAYED = {
    "H": Action.HIT,
    "S": Action.STAND,
    "D": Action.DOUBLE,
    "P": Action.SPLIT,
    "R": Action.SURRENDER,
}


@pytest.fixture(scope="session")
def strategy():
    rows = (f"{label}\t{ROW.get(label, 'S S S S S H H H H H')}" for label in HAND_LABELS)
    return Strategy.parse("\n".join(("# A chart <made up> & odd", *rows)))


@pytest.fixture(scope="session")
def free():
    """Return another chart, for hands that the house has paid for: only hits."""
    return Strategy.parse("\n".join(f"{label}\t{'H ' * 10}".strip() for label in HAND_LABELS))


@pytest.fixture(scope="session")
def values(strategy):
    """Return EVs in which the chart's play is best by 0.25; splits of pairs only."""
    found = {}
    for label, cells in strategy:
        for letter, cell in zip(COLUMN_KEYS[UPCARD_LABELS], cells, strict=True):
            evs = {
                action: -0.3 - 0.125 * place
                for place, action in enumerate(PLAYED.values())
                if action is not Action.SPLIT or label in PAIR_LABELS
            }
            best = PLAYED[cell[0]]
            evs[best] = max(ev for action, ev in evs.items() if action is not best) + 0.25
            found[label, letter] = evs
    return found


@pytest.fixture(scope="session")
def rules():
    return Rules.parse("6D H17 LS")
