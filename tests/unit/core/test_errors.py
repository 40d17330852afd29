"""Errors say what, where and what is possible, here and on another machine."""

from __future__ import annotations

import pickle

from upcard.core.errors import NotationError, UnsupportedRuleError


def test_a_refusal_travels_between_processes():
    error = UnsupportedRuleError("simulator", "split_by=rank", "its tens are all alike")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    assert type(again) is UnsupportedRuleError
    assert str(again) == str(error)
    assert (again.engine, again.rule, again.reason) == (error.engine, error.rule, error.reason)


def test_all_faults_travel_too():
    again = pickle.loads(pickle.dumps(NotationError("one", "two")))  # noqa: S301 (our own)
    assert again.faults == ("one", "two")
