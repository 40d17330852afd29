"""Saved values: equal to computed and shipped ones, whatever is in the folder and whoever writes.

Most cases save a drawn value under random rules, so that the keys and entries of many rules cost
little; a share of them is really computed. No damaged or foreign file may give another value.
"""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import signal
import struct
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from campaign.bystanders import die_with_parent
from campaign.case import Subject
from campaign.choosing import choose_any_rules, use_tests
from campaign.damage import damage_bytes
from campaign.fuzz import shorten
from upcard.cache import exact as saved
from upcard.cache.entry import SavedQuestion, write_content, write_entry
from upcard.cache.recall import (
    VARIABLE,
    CacheFolder,
    bypass_cache,
    open_folder,
    program_stamp,
    read_shipped,
    recall,
)
from upcard.core.actions import Action
from upcard.core.errors import BlackjackError, RulesError, UnsupportedRuleError
from upcard.exact.solver_results import DealerOutcomes, GameValue
from upcard.exact.supported_rules import SplitPlay, check_solvable
from upcard.rules.model import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from campaign.case import Case

_COMPUTE: Final = 8
"""One case in so many computes its values ..."""
_SHARE: Final = 200
"""... one has several programs write into the folder ..."""
_SHIPPED: Final = 250
"""... and one computes the shipped values of a game."""
_KEPT_CASES: Final = 100
"""Cases with one folder: a key of two rules would give one of them the other's value."""
_SETTINGS: Final = tuple(
    name for name in Rules.__dataclass_fields__ if name not in ("name", "_hash")
)
_HANDS: Final = ("T6", "88", "A7", "AA", "532", "99", "T2", "64", "A22", "7333")
_FORMS: Final[tuple[Any, ...]] = (
    *(float, dict[str, float], dict[tuple[str, str], dict[Action, float]], DealerOutcomes),
    *(GameValue, tuple[float, ...]),
)
_PROGRAMS: Final = 4
_SHARED_QUESTIONS: Final = 12


class _Asked:
    """A question whose value is drawn, and how often it was computed."""

    def __init__(self, rng: random.Random, rules: Rules) -> None:
        form = rng.choice(_FORMS)
        asked = tuple(rng.choice((None, "CDZ-", "CDP", [0, 1, 24], 7)) for _ in range(3))
        self.value = _draw_value(rng, form, rules)
        self.times = 0
        kind = rng.choice(("hand", "game", "dealer", "cells", "removal", "chart", "openings"))
        self.question = SavedQuestion(kind, rules, asked, form, self._compute)

    def _compute(self) -> Any:
        self.times += 1
        return self.value

    def find_wrong(self) -> str:
        """Ask for the value; say what else came, if something did."""
        found = recall(self.question)
        if repr(found) == repr(self.value):
            return ""
        return f"{self.question.key}\nis {_shorten(self.value)}\nand was read as {_shorten(found)}"


class _Values:
    def __init__(self, folder: Path) -> None:
        self.place = folder / "cache"
        self.rules_of: dict[str, str] = {}
        self.cases = 0
        os.environ[VARIABLE] = str(self.place)

    def run(self, case: Case) -> None:
        """Run a case of a random kind: the number would give one worker all the long ones."""
        if self.cases % _KEPT_CASES == 0:
            shutil.rmtree(self.place, ignore_errors=True)
        self.cases += 1
        if case.rng.randrange(_SHIPPED) == 0:
            recompute_shipped(case)
        elif case.rng.randrange(_SHARE) == 0:
            self.share_folder(case)
        elif case.rng.randrange(_COMPUTE) == 0:
            compute_and_read(case)
        else:
            self.save_and_damage(case)

    def save_and_damage(self, case: Case) -> None:
        """Save a drawn value, read it, and read it again with something else in its place."""
        rng = case.rng
        rules = choose_any_rules(rng)
        asked = _Asked(rng, rules)
        self._note_key(case, rules)
        other = _Asked(random.Random(rng.random()), _change_one(rng, rules) or rules)
        other.question = other.question._replace(
            kind=asked.question.kind,
            asked=asked.question.asked,
            value_type=asked.question.value_type,
        )
        other.value = _draw_value(rng, other.question.value_type, other.question.rules)
        for one in (asked, asked):
            case.require(not (wrong := one.find_wrong()), wrong)
        case.require(asked.times == 1, f"{asked.question.key}: computed {asked.times} times")
        if other.question.rules != rules:
            case.require(not (wrong := other.find_wrong()), f"after {rules}: {wrong}")
            self._note_key(case, other.question.rules)
        case.count("values saved and read")
        how = rng.choice((*_DAMAGES, None))
        if how is not None:
            file = self.place / f"{asked.question.name}-{program_stamp()}.saved"
            _DAMAGES[how](file, asked, other, rng)
            asked.times = 0
            for _ in range(2):
                case.require(not (wrong := asked.find_wrong()), f"{how}: {wrong}")
            was_mended = asked.times <= 1 or how == "a folder in place of a file"
            case.require(was_mended, f"{how}: {asked.question.key} is computed each time")
            if file.is_dir():
                file.rmdir()
            case.count(f"files: {how}")

    def _note_key(self, case: Case, rules: Rules) -> None:
        """Require that these rules alone have their key."""
        name = SavedQuestion("game", rules, (), float, float).name
        facts = repr([getattr(rules, setting) for setting in _SETTINGS])
        known = self.rules_of.setdefault(name, facts)
        case.require(known == facts, f"one key for two rules:\n{known}\n{facts}")
        case.count("rules through the cache")

    def share_folder(self, case: Case) -> None:
        """Have several programs ask at once, one of them killed, one that damages files."""
        rng = case.rng
        shutil.rmtree(self.place, ignore_errors=True)
        asked = [_Asked(rng, choose_any_rules(rng)) for _ in range(_SHARED_QUESTIONS)]
        seeds = [rng.random() for _ in range(_PROGRAMS)]
        pids = [_fork(lambda seed=seed: _ask_all(asked, seed)) for seed in seeds]
        pids.append(_fork(lambda: _damage_all(self.place, rng.random())))
        time.sleep(rng.random() * 0.02)
        os.kill(pids[0], signal.SIGKILL)
        codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]
        case.require(not any(codes[1:]), f"programs ended with {codes}: one read a wrong value")
        for one in asked:
            case.require(not (wrong := one.find_wrong()), f"after several writers: {wrong}")
        odd = [file.name for file in self.place.iterdir() if file.suffix not in (".saved", ".part")]
        case.require(not odd, f"several writers left {odd}")
        case.count("folders with several writers")


def _shorten(value: object) -> str:
    return shorten(repr(value))


def _change_one(rng: random.Random, rules: Rules) -> Rules | None:
    """Return the rules with one setting changed; None if it clashes or changes nothing."""
    name = rng.choice(_SETTINGS)
    with suppress(RulesError):
        changed = rules.replace(**{name: getattr(choose_any_rules(rng), name)})
        return None if changed == rules else changed
    return None


def _draw_value(rng: random.Random, form: Any, rules: Rules) -> Any:
    """Draw a value of a form, with any bits."""
    if form is GameValue:
        return GameValue(
            ev=_draw_float(rng),
            insurance_ev=_draw_float(rng),
            by_upcard={up: _draw_float(rng) for up in rng.sample("A23456789T", 4)},
            rules=rules,
            shoe=rng.choice(("6D", "1D less T", "infinite deck")),
            splits=rng.choice((*SplitPlay, "chart", "infinite deck")),
            notes=("One.",) * rng.randrange(3),
            seconds=rng.random(),
        )
    if form is DealerOutcomes:
        return DealerOutcomes.of(
            [_draw_float(rng) for _ in range(5)], natural=_draw_float(rng), bust=_draw_float(rng)
        )
    if form == tuple[float, ...]:
        return tuple(_draw_float(rng) for _ in range(rng.randrange(5)))
    if form == dict[str, float]:
        return {name: _draw_float(rng) for name in rng.sample("A23456789T", rng.randrange(10))}
    if form is float:
        return _draw_float(rng)
    return {(rng.choice(("16", "A7")), "T"): {action: _draw_float(rng) for action in Action}}


def _draw_float(rng: random.Random) -> float:
    while True:
        number: float = struct.unpack("<d", rng.randbytes(8))[0]
        if not math.isnan(number):
            return rng.choice((number, -rng.random(), rng.random(), 0.0, -0.0, math.inf))


# --- what is put in the place of a saved file ---


def _flip(file: Path, asked: _Asked, other: _Asked, rng: random.Random) -> None:
    del asked, other
    file.write_bytes(damage_bytes(file.read_bytes(), rng))


def _change_digit(file: Path, asked: _Asked, other: _Asked, rng: random.Random) -> None:
    """Change a digit of the value: still a right form, with the checksum of the old one."""
    del asked, other
    data = bytearray(file.read_bytes())
    value = data.rindex(b"\n", 0, -1)
    digits = [at for at in range(value, len(data)) if chr(data[at]).isdigit()]
    if digits:
        at = rng.choice(digits)
        data[at] = ord(rng.choice([one for one in "0123456789" if ord(one) != data[at]]))
        file.write_bytes(data)


def _put_foreign(file: Path, asked: _Asked, other: _Asked, *_: object) -> None:
    if other.question.key != asked.question.key:
        content = write_content(other.question, other.value)
        file.write_bytes(write_entry(other.question, content))


def _put_another_version(file: Path, asked: _Asked, other: _Asked, *_: object) -> None:
    """Leave a right entry of another version, with another value, and none of this one."""
    file.unlink()
    content = write_content(asked.question, other.value)
    folder = CacheFolder(file.parent, f"{int(program_stamp(), 16) ^ 1:016x}")
    folder.write(asked.question.name, write_entry(asked.question, content))


def _forbid(file: Path, *_: object) -> None:
    file.chmod(0)


def _put_folder(file: Path, *_: object) -> None:
    file.unlink()
    file.mkdir()


def _put_much(file: Path, *_: object) -> None:
    with file.open("r+b") as stream:
        stream.truncate(1 << 33)


_DAMAGES: Final[dict[str, Callable[[Path, _Asked, _Asked, random.Random], None]]] = {
    "damaged bytes": _flip,
    "another digit": _change_digit,
    "an entry of other rules": _put_foreign,
    "an entry of another version": _put_another_version,
    "unreadable": _forbid,
    "a folder in place of a file": _put_folder,
    "eight gigabytes": _put_much,
}


# --- several programs ---


def _fork(work: Callable[[], bool]) -> int:
    """Do work in another process, which ends with 1 unless it returns that all is right."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        die_with_parent()
        code = 0 if work() else 1
    finally:
        os._exit(code)


def _ask_all(asked: list[_Asked], seed: float) -> bool:
    rng = random.Random(seed)
    return not any(one.find_wrong() for _ in range(5) for one in rng.sample(asked, len(asked)))


def _damage_all(place: Path, seed: float) -> bool:
    rng = random.Random(seed)
    for _ in range(30):
        for file in list(place.glob("*.saved"))[:3]:
            with suppress(OSError, ValueError):
                match rng.randrange(3):
                    case 0:
                        file.unlink()
                    case 1:
                        file.write_bytes(damage_bytes(file.read_bytes(), rng))
                    case _:
                        file.rename(file.with_name(rng.choice(list(place.glob("*.saved"))).name))
        time.sleep(0.001)
    return True


# --- values that are computed ---


def compute_and_read(case: Case) -> None:
    """Compute a value, save it and read it: the same bits, or the same refusal."""
    rng = case.rng
    rules = _choose_solvable(rng) if rng.random() < 0.8 else choose_any_rules(rng)
    kind, ask = rng.choice(list(_list_questions(rng, rules)))
    with bypass_cache():
        computed = _answer(ask)
    for which in ("when it was computed and saved", "when it was read"):
        found = _answer(ask)
        case.require(
            found == computed,
            f"{kind} under {rules}:\n{shorten(computed)}\nand {which}\n{shorten(found)}",
        )
    case.count("rules through the cache")
    is_refused = computed.partition("(")[0].endswith("Error")
    case.count(f"{'refusals' if is_refused else kind} computed, saved and read")


def _choose_solvable(rng: random.Random) -> Rules:
    """Choose rules that have exact values, with an infinite deck too."""
    while True:
        rules = choose_any_rules(rng)
        with suppress(UnsupportedRuleError):
            check_solvable(rules)
            check_solvable(_make_endless(rules))
            return rules


def _make_endless(rules: Rules) -> Rules:
    return rules.replace(decks=None, deck_size=52, charlie=None)


def _list_questions(rng: random.Random, rules: Rules) -> Iterator[tuple[str, Callable[[], object]]]:
    """List cheap questions; the game and the chart are those of an infinite deck."""
    hand, up = rng.choice(_HANDS), rng.choice("A23456789T")
    endless = _make_endless(rules)
    yield "hands", lambda: saved.solve(rules, hand, up)
    yield "hands", lambda: saved.solve(endless, hand, up, splits=rng.choice(("CDZ-", "CDP")))
    yield "dealers' hands", lambda: saved.dealer_outcomes(rules, up)
    yield "games", lambda: saved.solve_game(endless)
    yield "charts", lambda: saved.basic_strategy(endless)
    yield "cells of charts", lambda: saved.cell_values(endless)


def _answer(ask: Callable[[], object]) -> str:
    """Return a result with all its bits and the types of its parts, or a refusal."""
    try:
        found = ask()
    except BlackjackError as error:
        return repr(error)
    if isinstance(found, GameValue):
        found = replace(found, seconds=0.0)
    return repr(found)


def recompute_shipped(case: Case) -> None:
    """Compute the shipped values of a game again."""
    use_tests()
    import shipped_values

    if not read_shipped():
        case.count("games whose shipped values are stale")
        return
    rules = case.rng.choice(shipped_values.list_games())
    computed = shipped_values.compute([rules])
    faults = list(shipped_values.find_faults(computed))
    case.require(not faults, f"{rules}: {json.dumps(faults)}")
    case.count("shipped values computed again", len(computed))


def start(folder: Path) -> Callable[[Case], None]:
    """Use a folder of saved values of one's own."""
    values = _Values(folder)
    open_folder()
    return values.run


SUBJECT: Final = Subject(
    name="values",
    about="saved = computed = shipped values for random rules, from any folder",
    unit="rules asked",
    quick=2_000,
    long=20_000,
    start=start,
    patience=120.0,
)
