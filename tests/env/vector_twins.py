"""Many tables in compiled code beside the same tables one by one, array for array."""

import random

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

import upcard.env  # noqa: F401 (registers the environments)

ID = "upcard/Blackjack-v1"
RARE = (3, 4, 5)
"""Splits, surrender and insurance are chosen more often than they come up."""


class Twins:
    """A native vector environment and Gymnasium's own over single ones, stepped together."""

    def __init__(self, rules, mode=AutoresetMode.NEXT_STEP, tables=8, seed=0, threads=1, **options):
        self.mode, self.tables = mode, tables
        self.rng = random.Random(seed)
        self.stands_in = options.get("illegal") == "stand"
        self.native = gymnasium.make_vec(
            *(ID, tables), rules=rules, autoreset_mode=mode, credit=True, threads=threads, **options
        )
        self.singles = gymnasium.make_vec(
            *(ID, tables, "sync", {"autoreset_mode": mode}), rules=rules, **options
        )
        assert self.native.observation_space == self.singles.observation_space
        assert self.native.action_space == self.singles.action_space
        self.masks = np.zeros((tables, self.native.single_action_space.n), np.int8)
        self.over = np.zeros(tables, np.bool_)
        self.rounds = 0
        self.reset(seed=seed)

    def reset(self, **arguments):
        """Reset both."""
        copies = [{**arguments} for _ in range(2)]
        if "options" in arguments:  # Gymnasium takes its mask out of the options
            copies = [{**arguments, "options": {**arguments["options"]}} for _ in range(2)]
        observed, info = self.native.reset(**copies[0])
        expected, their_info = self.singles.reset(**copies[1])
        require_equal(observed, expected)
        compare_info(info, their_info)
        resets = info["_action_mask"]
        self.masks[resets] = info["action_mask"][resets]
        self.over[resets] = False
        assert np.array_equal(self.masks, self.native.action_masks())

    def reset_some(self):
        """Reset the tables that are over, or another one, in one of the ways there are."""
        resets = self.over.copy()
        resets[self.rng.randrange(self.tables)] = True
        options = {"reset_mask": resets}
        if self.rng.random() < 0.3:
            options["shuffle"] = True
        seed = None
        if self.rng.random() < 0.3:
            seed = [self.rng.randrange(1000) for _ in range(self.tables)]
        self.reset(seed=seed, options=options)

    def step(self):
        """Step both with random legal actions."""
        actions = np.array([self.choose(mask) for mask in self.masks])
        if self.stands_in:
            actions[self.rng.randrange(self.tables)] = RARE[-1]
        *observed, info = self.native.step(actions)
        *expected, their_info = self.singles.step(actions)
        for mine, theirs in zip(observed, expected, strict=True):
            require_equal(mine, theirs)
        compare_info(info, their_info)
        self.masks[:] = info["action_mask"]
        ends = observed[2]
        self.rounds += int(ends.sum())
        self.over = ends.copy() if self.mode is not AutoresetMode.SAME_STEP else self.over

    def choose(self, mask):
        legal = np.flatnonzero(mask).tolist()
        return self.rng.choices(legal, [4 if code in RARE else 2 for code in legal])[0]

    def play(self, steps):
        """Step, and reset now and then; return the number of episodes that ended."""
        for _ in range(steps):
            must_reset = self.mode is AutoresetMode.DISABLED and self.over.any()
            if must_reset or self.rng.random() < 0.02:
                self.reset_some()
            self.step()
        return self.rounds


def require_equal(mine, theirs):
    """Compare arrays, or tuples or dictionaries of them, with their types."""
    if isinstance(theirs, dict):
        assert mine.keys() == theirs.keys()
        for name, their in theirs.items():
            require_equal(mine[name], their)
    elif isinstance(theirs, tuple):
        for one, other in zip(mine, theirs, strict=True):
            require_equal(one, other)
    else:
        assert mine.dtype == theirs.dtype
        np.testing.assert_array_equal(mine, theirs)


def pick_row(parts, table):
    """Return what belongs to one table."""
    if isinstance(parts, dict):
        return {name: part[table] for name, part in parts.items()}
    if isinstance(parts, tuple):
        return tuple(part[table] for part in parts)
    return parts[table]


def compare_info(mine, theirs):
    """Compare infos: `final_obs`, `hands` and `credit` where they are valid, the rest entirely."""
    assert mine.keys() == theirs.keys()
    for name, their in theirs.items():
        if name == "final_info":
            compare_info(mine[name], their)
        elif name == "final_obs":
            for table in np.flatnonzero(theirs["_final_obs"]):
                row = pick_row(mine[name], table)
                if isinstance(row, tuple):
                    assert row == their[table]
                else:
                    require_equal(row, their[table])
        elif name in ("hands", "credit"):
            for table in np.flatnonzero(theirs[f"_{name}"]):
                row = mine[name][table]
                assert tuple(row[~np.isnan(row)]) == their[table]
        else:
            require_equal(mine[name], their)
