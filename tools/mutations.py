"""Try the tests on seeded faults: each mutation breaks one line, and some test must notice.

    python tools/mutations.py                        all of them, some minutes
    python tools/mutations.py --only NAME [NAME]     some
    python tools/mutations.py --list                 their names and the tests that must notice

The checkout is never changed: the tracked files are copied to a temporary folder, and one mutation
at a time is made there. No byte code is written, and machine code is cached where each mutation of
a kernel finds none. First the selected tests must pass without a mutation.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT: Final = Path(__file__).resolve().parents[1]
PATIENCE_SECONDS: Final = 900.0
_FAILED: Final = 1
"""Exit code of pytest for failed tests; the others are for faults of the selection."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One fault, in the style of a tired developer."""

    name: str
    files: str
    """Pattern of the files, one of which has `old`, once: files move, and packages stay."""
    old: str
    new: str
    tests: str
    """What pytest runs, separated by blanks; as little as takes seconds."""

    def find(self, root: Path) -> Path:
        """Return the file that has the text. Raises: LookupError unless it is there once."""
        found = [path for path in sorted(root.glob(self.files)) for _ in range(count(path, self))]
        if len(found) != 1:
            names = ", ".join(str(path.relative_to(root)) for path in found) or "no file"
            raise LookupError(f"{self.name}: {self.files} must have its text once, not in {names}")
        return found[0]


def count(path: Path, mutation: Mutation) -> int:
    return path.read_text(encoding="utf-8").count(mutation.old)


STORE: Final = "src/upcard/store/*.py"
CACHE: Final = "src/upcard/cache/*.py"
GATE: Final = "src/upcard/web/**/*.py"
ENV: Final = "src/upcard/env/*.py"
DESK: Final = "src/upcard/kernels/desk/*.py"
LOCKSTEP: Final = "src/upcard/kernels/lockstep/*.py"
SIMULATION: Final = "src/upcard/simulation/*.py"
ANALYSIS: Final = "src/upcard/analysis/*.py"

MUTATIONS: Final = (
    # Those that no test of version 0.1 noticed.
    Mutation(
        "the key of the shoe is sent as the player's next seed",
        GATE,
        '**fields_of(shoe, "number", "player_seed", "next_player_seed"),',
        '**fields_of(shoe, "number", "player_seed"), next_player_seed=shoe.key.hex(),',
        "tests/web/test_web_secrecy.py::test_a_saved_table_sends_no_secret_of_a_shoe_before_its_end",
    ),
    Mutation(
        "the environment never counts an unturned hole card",
        ENV,
        "            one.finish_round(state.dealer)\n",
        "            pass\n",
        "tests/env/test_one_table.py::test_a_hole_card_that_was_not_turned_is_counted_when_the_round_is_over",
    ),
    Mutation(
        "a run's file gets its name before its bytes are on the disk",
        SIMULATION,
        "            os.fsync(file.fileno())\n        user_files.replace(fresh, path)\n",
        "        user_files.replace(fresh, path)\n",
        "tests/unit/simulation/test_run_state.py::test_a_run_outlasts_a_power_cut_at_every_moment",
    ),
    Mutation(
        "the cut card of the lockstep comes one card late",
        LOCKSTEP,
        "(1 if game.is_fresh else game.cut)",
        "(1 if game.is_fresh else game.cut + 1)",
        "tests/unit/simulation/test_whole_shoes.py::test_a_counters_rounds_side_by_side_are_those_of_the_direct_loop",
    ),
    Mutation(
        "EV per action counts one spot",
        ANALYSIS,
        "_quotient(game, bets, [spots + row.added for row in game.rows], both)",
        "_quotient(game, bets, [1 + row.added for row in game.rows], both)",
        "tests/unit/analysis/test_count_rows.py::test_bets_on_two_spots_are_reported_by_spot",
    ),
    Mutation(
        "the variance of a sample is that of a population",
        SIMULATION,
        "        spread = spread * count / (count - 1)\n",
        "        spread = spread * 1\n",
        "tests/unit/simulation/test_estimates.py::test_the_error_of_few_rounds_is_that_of_a_sample",
    ),
    Mutation(
        "the key of a saved value lacks a setting",
        CACHE,
        'for name in RULE_NAMES if name != "side_bets"]',
        'for name in RULE_NAMES if name not in ("side_bets", "resplit_aces")]',
        "tests/unit/cache/test_recall.py::test_rules_that_differ_in_one_setting_have_different_keys",
    ),
    # The store.
    Mutation(
        "the company's chips are at risk",
        STORE,
        "sum((bets[spot].total for spot in player_spots if has_bets), start=Fraction(0))",
        "sum((bet.total for bet in bets if has_bets), start=Fraction(0))",
        "tests/unit/store/test_company.py::test_an_unfinished_round_has_its_own_spots_and_its_company_again",
    ),
    Mutation(
        "chips on a table can be taken away",
        STORE,
        "        free = free_chips_of(store)\n        if chips < 0",
        "        free = bankroll_of(store)\n        if chips < 0",
        "tests/unit/store/test_kept_table.py::test_chips_on_a_table_cannot_be_taken_away",
    ),
    Mutation(
        "free chips are counted before the change that takes them",
        STORE,
        "    with store.change():\n        free = free_chips_of(store)\n",
        "    free = free_chips_of(store)\n    with store.change():\n",
        "tests/unit/store/test_kept_table.py::test_free_chips_are_counted_and_laid_in_one_transaction",
    ),
    Mutation(
        "a bet of all free chips is refused",
        STORE,
        "        if at_risk > free:\n",
        "        if at_risk >= free:\n",
        "tests/unit/store/test_kept_table.py::test_all_free_chips_can_be_bet_and_no_more",
    ),
    Mutation(
        "judgements of a void round stay",
        STORE,
        "                store.run(statement, number, row[0])\n",
        "",
        "tests/unit/store/test_results.py::test_judgements_of_a_void_round_are_not_those_of_the_next",
    ),
    Mutation(
        "words for the next shuffle are not saved",
        STORE,
        "        store.run(statement, state.next_player_seed, last[0])\n",
        "        store.run(statement, state.player_seed, last[0])\n",
        "tests/unit/store/test_kept_table.py::test_words_for_the_next_shuffle_outlast_the_process",
    ),
    Mutation(
        "a hand that another terminal plays is offered",
        STORE,
        "        if not lock.take():\n            continue\n",
        "        lock.take()\n",
        "tests/unit/store/test_kept_table.py::test_a_round_of_another_terminal_is_not_found",
    ),
    Mutation(
        "an answer is carried out before it is saved",
        STORE,
        "        self._save_answer(action, extra)\n        return self._carry_out(action)\n",
        "        state = self._carry_out(action)\n"
        "        self._save_answer(action, extra)\n"
        "        return state\n",
        "tests/unit/store/test_reported_when_saved.py::test_a_result_is_booked_before_it_is_reported",
    ),
    Mutation(
        "a result is reported before it is booked",
        STORE,
        "        if self.is_owed:\n            self.last_round",
        "        self._tell_listeners()\n        if self.is_owed:\n            self.last_round",
        "tests/unit/store/test_reported_when_saved.py::test_a_result_is_booked_before_it_is_reported",
    ),
    Mutation(
        "what the disk did not write counts as written",
        STORE,
        "            except OSError as error:\n                self._is_behind = True\n",
        "            except OSError as error:\n",
        "tests/unit/store/test_sync.py::test_a_disk_that_does_not_write_is_reported_until_it_does",
    ),
    Mutation(
        "mistakes of the company are the person's",
        STORE,
        "\"(own = '' OR instr(",
        '"(1 OR instr(',
        "tests/unit/store/test_company.py::test_statistics_are_of_own_bets_nets_and_decisions",
    ),
    # The gate.
    Mutation(
        "of two hosts the first counts",
        GATE,
        "len(hosts) != 1 or hosts[0] not in",
        "not hosts or hosts[0] not in",
        "tests/web/test_web_gate.py::test_two_hosts_are_refused",
    ),
    Mutation(
        "of two origins the first counts",
        GATE,
        "len(origins) == 1 and origins[0] in",
        "bool(origins) and origins[0] in",
        "tests/web/test_web_gate.py::test_a_change_with_two_origins_is_refused",
    ),
    Mutation(
        "a form of just the most bytes is refused",
        GATE,
        "int(length) > MOST_BODY_BYTES",
        "int(length) >= MOST_BODY_BYTES",
        "tests/web/test_web_gate.py::test_a_form_has_limits",
    ),
    Mutation(
        "a request that is refused stays counted",
        GATE,
        "        known = self.count_connections()\n"
        "        if known > self.most_connections - _NEWCOMERS:\n",
        "        self.requests += 1\n        known = self.count_connections()\n"
        "        if known > self.most_connections - _NEWCOMERS:\n",
        "tests/web/test_web_traffic.py::test_too_many_connections_are_refused_with_a_sentence",
    ),
    Mutation(
        "a connection is let in before its key is read",
        GATE,
        "            self._check_key(headers)\n"
        '            if let_in := scope.get("state", {}).get(LET_IN):\n'
        "                let_in()\n",
        '            if let_in := scope.get("state", {}).get(LET_IN):\n'
        "                let_in()\n"
        "            self._check_key(headers)\n",
        "tests/web/test_web_traffic.py::test_a_connection_with_a_wrong_key_stays_one_without",
    ),
    Mutation(
        "the cookie is the key",
        GATE,
        "answer.set_cookie(self.door.cookie, self.door.day_pass,",
        "answer.set_cookie(self.door.cookie, self.door.key,",
        "tests/web/test_web_gate.py::test_the_link_gives_a_cookie_that_scripts_and_other_sites_cannot_use",
    ),
    # The cache.
    Mutation(
        "a key lacks the cards before the deal",
        CACHE,
        '"shoe": solver.read_cards,',
        '"shoe": lambda *_: None,',
        "tests/unit/cache/test_recall.py::test_the_cards_before_the_deal_are_in_every_key_that_depends_on_them",
    ),
    Mutation(
        "a saved value gets its name before its bytes",
        CACHE,
        "stream.write(data)\n                user_files.replace(part, self._place(name))\n",
        "user_files.replace(part, self._place(name))\n                    stream.write(data)\n",
        "tests/unit/cache/test_cache_folder.py::test_a_value_has_its_bytes_before_its_name",
    ),
    Mutation(
        "the first answer has other types than later ones",
        CACHE,
        "            outcome = entry.read_content(question, content)  # as a later caller has it\n",
        "",
        "tests/unit/cache/test_recall.py::test_who_asks_first_gets_what_who_asks_later_gets",
    ),
    Mutation(
        "the value of another question is read",
        CACHE,
        " or key != question.key:",
        " or not key:",
        "tests/unit/cache/test_cache_folder.py::test_the_value_of_another_question_in_its_place_is_not_read",
    ),
    # The environments.
    Mutation(
        "counts have no least value",
        ENV,
        "return min(max(count, least), most), left / self.count.system.deck_size",
        "return min(count, most), left / self.count.system.deck_size",
        "tests/env/test_one_table.py::test_counts_beyond_those_that_are_distinguished_are_the_last_of_them",
    ),
    Mutation(
        "the regret of a round includes that of the last",
        ENV,
        '            info["round_regret"] = float(self._lost)\n            self._lost = 0.0\n',
        '            info["round_regret"] = float(self._lost)\n',
        "tests/env/test_oracle.py::test_the_regret_of_a_round_of_the_shoe_is_its_own",
    ),
    Mutation(
        "a mask is the caller's array",
        ENV,
        "    return np.array(mask)\n",
        "    return np.asarray(mask)\n",
        "tests/env/test_vector.py::test_a_reset_of_some_tables_touches_no_other",
    ),
    Mutation(
        "the tables shuffle one card after the cut card",
        DESK,
        "(position > 0 if is_fresh else position >= cut)",
        "(position > 0 if is_fresh else position > cut)",
        "tests/env/test_vector.py::test_a_shoe_ends_where_that_of_a_single_table_does",
    ),
    Mutation(
        "cards that were taken back count as seen",
        DESK,
        "(0 if has_run_out else terms.seen[table * RANKS + rank])",
        "terms.seen[table * RANKS + rank]",
        "tests/env/test_vector.py::"
        "test_the_unseen_cards_are_those_of_a_shoe_that_took_its_discards_back",
    ),
    # The lockstep.
    Mutation(
        "a round that is played again keeps the count of the first try",
        LOCKSTEP,
        "                words[mine + RUNNING] = words[mine + BEFORE]\n",
        "",
        "tests/unit/simulation/test_whole_shoes.py::test_a_seat_that_waits_a_hole_card_and_split_hands_are_the_same_in_lockstep",
    ),
    Mutation(
        "a fresh shoe's generator plays one round more",
        LOCKSTEP,
        "rounds_here[lane] < ROUNDS_A_FRESH_SHOE",
        "rounds_here[lane] <= ROUNDS_A_FRESH_SHOE",
        "tests/unit/simulation/test_whole_shoes.py::test_play_that_gives_every_answer_is_the_same_in_lockstep",
    ),
    # Statistics and analysis.
    Mutation(
        "the error of an EV at several spots is that of one",
        SIMULATION,
        "deviation / math.sqrt(count) / spots if",
        "deviation / math.sqrt(count) if",
        "tests/unit/simulation/test_estimates.py::test_the_error_of_few_rounds_is_that_of_a_sample",
    ),
    Mutation(
        "bets are cut off to a thousandth",
        ANALYSIS,
        "round(bet * FINENESS) / FINENESS for",
        "int(bet * FINENESS) / FINENESS for",
        "tests/unit/analysis/test_analysis_optimum.py::test_a_bet_is_rounded_to_the_nearest_thousandth",
    ),
)


@dataclass(frozen=True, slots=True)
class Trial:
    """What the tests said of a mutation."""

    mutation: Mutation
    seen_by: str
    """The first test that failed; empty if none did."""
    seconds: float
    words: str
    """The end of what pytest printed."""


def copy_tree(root: Path, place: Path) -> None:
    """Copy the tracked files as they are now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
    for name in listed.stdout.decode().split("\0"):
        if name and (root / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / name, place / name)


@contextmanager
def mutated(mutation: Mutation, tree: Path) -> Iterator[None]:
    """Make a mutation in a copy of the tree, and undo it."""
    path = mutation.find(tree)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(text, encoding="utf-8")


def run_tests(tree: Path, tests: Sequence[str], caches: Path) -> tuple[int, str]:
    """Run tests of a copy; return pytest's exit code and what it printed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    kept |= {
        "PYTHONPATH": str(tree / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": str(caches),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-rfE", "--tb=line", *_NO_PLUGINS]
    try:
        done = subprocess.run(
            [*command, *tests],
            cwd=tree,
            env=kept,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return -1, f"the tests did not end in {PATIENCE_SECONDS:.0f} s"
    return done.returncode, done.stdout + done.stderr


_NO_PLUGINS: Final = ("-p", "no:cacheprovider", "-p", "no:xdist")


def try_mutation(mutation: Mutation, tree: Path, caches: Path) -> Trial:
    """Make a mutation and run its tests."""
    begun = time.monotonic()
    is_kernel = "/kernels/" in mutation.files
    with mutated(mutation, tree), tempfile.TemporaryDirectory() as own:
        place = Path(own) if is_kernel else caches
        code, words = run_tests(tree, mutation.tests.split(), place)
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", words, re.MULTILINE)
    seen_by = found[1] if code == _FAILED and found else ""
    return Trial(mutation, seen_by, time.monotonic() - begun, words[-2000:])


def try_all(mutations: Sequence[Mutation]) -> list[Trial]:
    """Try mutations one after the other, with a line for each. Raises: SystemExit."""
    with tempfile.TemporaryDirectory(prefix="upcard-mutations-") as place:
        tree, caches = Path(place, "tree"), Path(place, "machine-code")
        copy_tree(ROOT, tree)
        for mutation in mutations:
            mutation.find(tree)
        tests = list(dict.fromkeys(" ".join(one.tests for one in mutations).split()))
        code, words = run_tests(tree, tests, caches)
        if code:
            sys.exit(f"{words}\nwithout a mutation these tests must pass")
        trials = []
        for mutation in mutations:
            trial = try_mutation(mutation, tree, caches)
            seen = f"seen by {trial.seen_by}" if trial.seen_by else "NOT SEEN"
            print(f"{trial.seconds:5.1f} s  {mutation.name}: {seen}", flush=True)
            trials.append(trial)
        return trials


def main() -> None:
    """Try the mutations that are asked for."""
    parser = argparse.ArgumentParser(description="Try the tests on seeded faults.")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="names, or parts of names")
    parser.add_argument("--list", action="store_true", help="list them and change nothing")
    asked = parser.parse_args()
    chosen = [
        one for one in MUTATIONS if not asked.only or any(part in one.name for part in asked.only)
    ]
    if not chosen:
        sys.exit("no mutation has such a name; --list shows all")
    if asked.list:
        for one in chosen:
            print(f"{one.name}\n    {one.tests}")
        return
    missed = [trial for trial in try_all(chosen) if not trial.seen_by]
    for trial in missed:
        print(f"\n{trial.mutation.name}: no test noticed\n{trial.words}")
    print(f"{len(chosen) - len(missed)} of {len(chosen)} mutations were noticed")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
