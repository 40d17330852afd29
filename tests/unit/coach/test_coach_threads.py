"""Several threads may ask the coach at a time: answers, reasons, the dealer's totals."""

import threading

from upcard import Action, Rules
from upcard.coach.adviser import Coach, compose_fresh, pose
from upcard.core.cards import parse_cards
from upcard.exact import position
from upcard.exact.position import Position

PATIENCE_SECONDS = 60.0


class SlowLock:
    """The solver's lock, whose first holder waits until another thread is about to ask for it."""

    def __init__(self, other_asks):
        self.lock = threading.RLock()
        self.other_asks = other_asks

    def __enter__(self):
        self.lock.acquire()
        if threading.current_thread().name == "reasons":
            self.other_asks.wait(0.3)

    def __exit__(self, *_):
        self.lock.release()


def test_reasons_in_one_thread_and_values_in_another_do_not_wait_for_each_other(monkeypatch):
    rules = Rules.parse("1D")
    hands = [parse_cards("T 6"), parse_cards("T 5")]
    found = [advise(rules, hand) for hand in hands]
    for one in found:
        one.__dict__.pop("_unsplit", None)
    other_asks = threading.Event()
    solver = Position._solver

    def find_solver(self, most):
        if threading.current_thread().name == "values":
            other_asks.set()
        return solver(self, most)

    monkeypatch.setattr(Position, "_solver", find_solver)
    monkeypatch.setattr(position, "_LOCK", SlowLock(other_asks))
    reasons, values = found
    jobs = {
        "reasons": lambda: reasons.outcome_probabilities(Action.STAND),
        "values": lambda: values.value(Action.STAND),
    }
    threads = [threading.Thread(target=job, name=name, daemon=True) for name, job in jobs.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    assert [thread.name for thread in threads if thread.is_alive()] == []


def advise(rules, hand):
    (upcard,) = parse_cards("9")
    cards = compose_fresh(rules, hand, upcard)
    return Coach(rules).advise_on(pose(rules, hand, upcard), cards).position
