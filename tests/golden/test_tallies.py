"""The simulator's integers, recorded before its loop also played tables that ask."""

import hashlib

import pytest
from random_jobs import SENSIBLE

from upcard.rules.model import Rules
from upcard.simulation.job import Job
from upcard.simulation.kernel_rounds import RoundSums, play_rounds
from upcard.simulation.lower import lower
from upcard.strategy.count_system import load_system

ROUNDS = 20_000
GAMES = {
    ("6D S17 DAS LS", None, 1): "b49732cac7cbdedf",
    ("6D ENHC ES", None, 1): "bcd295cac729d158",
    ("8D OBO D10 RSA", None, 1): "5e1705020e2686e8",
    ("INF", None, 1): "d7e7c430c8eb0e36",
    ("2D CSM", None, 3): "2ac62a53b546ac0c",
    ("6D H17 LS", "hi-lo", 1): "bfaf9cf3a5c3f6d7",
    ("1D 6:5 SP8", "red-7", 3): "a7a7970becd12bfd",
}


@pytest.mark.parametrize(("text", "count", "spots"), GAMES)
def test_a_seed_gives_the_integers_that_were_recorded(text, count, spots):
    system = None if count is None else load_system(count)
    job = Job(rules=Rules.parse(text), strategy=SENSIBLE, seed=11, system=system, spots=spots)
    lowered = lower(job)
    sums = RoundSums.zeros(lowered)
    play_rounds(job, lowered, 3, ROUNDS, sums=sums)
    digest = hashlib.sha256(b"".join(one.astype("<i8").tobytes() for one in sums[:3]))
    assert digest.hexdigest()[:16] == GAMES[text, count, spots]
