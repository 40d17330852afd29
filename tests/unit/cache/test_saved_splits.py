"""A game with full memory that was interrupted: its splits are saved one by one."""

import pytest

from upcard.cache import exact as cached
from upcard.exact.full_memory import values
from upcard.rules.model import Rules


def test_a_later_process_goes_on_where_an_interrupted_game_stopped(monkeypatch, tmp_path):
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path))
    rules, shoe = Rules.parse("1D SP2"), [0, 0, 0, 0, 0, 0, 0, 5, 0, 7]
    real, solved = values.solve_split, []

    def solve(question, tell):
        solved.append(question)
        if len(solved) == 3:
            raise KeyboardInterrupt
        return real(question, tell)

    monkeypatch.setattr(values, "solve_split", solve)
    for _ in range(2):
        monkeypatch.setattr(values, "_known", {})  # as in a new process
        try:
            value = cached.expected_value(rules, shoe=shoe, splits="full")
        except KeyboardInterrupt:
            assert len(solved) == 3
    assert len(solved) == 5
    assert len(set(solved)) == 4
    monkeypatch.setattr(values, "_known", {})
    monkeypatch.setenv("UPCARD_CACHE", "off")
    assert value == pytest.approx(cached.expected_value(rules, shoe=shoe, splits="full"), abs=0)
