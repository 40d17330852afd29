"""Sessions in forked processes, killed at random moments: a tenth of a second a kill."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from typing import TYPE_CHECKING, Final, NoReturn

from campaign.books import check_shoes, check_store, digest, finish_open
from campaign.bystanders import die_with_parent, find_leftovers
from campaign.case import FindingError
from campaign.games import choose_game, choose_wager, count_features
from upcard.session.game_session import GameSession
from upcard.session.plan import TablePlan, plan_of
from upcard.store.bankroll import bankroll_of, deposit
from upcard.store.database import open_store
from upcard.store.sessions import find_open_rounds

if TYPE_CHECKING:
    from pathlib import Path

    from campaign.case import Case
    from upcard.store.database import Store

_KILLS_OF_A_STORE: Final = 25
_LONGEST_LIFE: Final = 0.35


class PlayKiller:
    """Kills sessions at one store, which begins anew after some kills."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kills = 0
        self.rounds = 0

    def kill(self, case: Case) -> None:
        """Kill a session once, and look at the store.

        Raises: FindingError.
        """
        path = self.folder / "upcard.db"
        if self.kills % _KILLS_OF_A_STORE == 0:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            with open_store(path) as store:
                deposit(store, 10**7)
            self.rounds = 0
        self.kills += 1
        said = _play_until_killed(path, case.rng)
        case.count("kills of forked sessions")
        new = check_store(path, said, self.rounds)
        self.rounds += len(new)
        case.counts.update(count_features(new))
        if case.rng.random() < 0.3 or self.kills % _KILLS_OF_A_STORE == 0:
            finished = finish_open(path, case.rng)
            self.rounds += finished
            case.count("hands found again and finished", finished)
        else:
            with open_store(path) as store:
                case.count("hands found again", len(list(find_open_rounds(store))))
        if self.kills % _KILLS_OF_A_STORE == 0:
            self._close(path, case)

    def _close(self, path: Path, case: Case) -> None:
        """Play a last session in peace: nothing may be left, and every shoe fits."""
        with open_store(path) as store, sit_down(store, random.Random(1)) as session:
            play_round(session, random.Random(1))
        case.count("shoes checked", check_shoes(path))
        left = find_leftovers(self.folder, {"upcard.db"})
        case.require(not left, f"left after the last session: {left}")


def _play_until_killed(path: Path, rng: random.Random) -> list[list[str]]:
    """Play in a forked process and kill it; return the lines it said, as words."""
    seed, life = rng.random(), rng.random() ** 2 * _LONGEST_LIFE
    waits_for_play = rng.random() < 0.9  # else it is killed while it opens the store
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        _play_for_ever(path, seed, writing)
    os.close(writing)
    data = b""
    if waits_for_play:
        data += os.read(reading, 1 << 16)
    until = time.monotonic() + life
    os.set_blocking(reading, False)
    while time.monotonic() < until:
        time.sleep(min(0.005, max(until - time.monotonic(), 0)))
        try:
            data += os.read(reading, 1 << 16)
        except BlockingIOError:
            continue
    os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    os.set_blocking(reading, True)
    while chunk := os.read(reading, 1 << 16):
        data += chunk
    os.close(reading)
    lines = data.decode().splitlines()
    if not os.WIFSIGNALED(status):
        msg = "a session ended before it was killed:\n" + "\n".join(lines[-20:])
        raise FindingError(msg)
    return [line.split() for line in lines if line != "open"]


def _play_for_ever(path: Path, seed: float, writing: int) -> NoReturn:
    """Play until the end of this process; say each line only when it is so."""
    die_with_parent()
    rng = random.Random(seed)

    def say(line: str) -> None:
        os.write(writing, f"{line}\n".encode())

    try:
        with open_store(path) as store:
            say("open")
            for left in find_open_rounds(store):
                with GameSession.resume(store, left, plan_of(left), rng=rng) as session:
                    finish_round(session, rng, say)
            while True:
                with sit_down(store, rng) as session:
                    for _ in range(rng.randint(1, 30)):
                        play_round(session, rng, say)
    except BaseException:
        import traceback

        say(traceback.format_exc())
        os._exit(1)


def sit_down(store: Store, rng: random.Random) -> GameSession:
    """Sit down at some table, with or without company."""
    rules = choose_game(rng)
    spots = max(min(rng.randint(1, 3), rules.max_spots), rules.min_spots)
    company = "mimic; you" if spots > rules.min_spots and rng.random() < 0.3 else ""
    hands = spots - 1 if company else spots
    plan = TablePlan(rules=rules, title="", hands=hands, company=company)
    return GameSession.keep(store, plan, rng=rng)


def play_round(session: GameSession, rng: random.Random, say: object = None) -> None:
    """Bet and play a round at random; `say` is called after each answer and at the end."""
    session.place(choose_wager(session.rules, rng))
    finish_round(session, rng, say)


def finish_round(session: GameSession, rng: random.Random, say: object = None) -> None:
    """Play a round to its end at random."""
    kept = session.kept
    while session.options:
        session.act(rng.choice(session.options))
        if callable(say) and kept is not None and session.is_playing:
            say(f"act {kept.round_number} {len(kept.actions)} {digest(session.state)}")
    if callable(say) and kept is not None and kept.last_round is not None:
        say(f"settled {kept.last_round} {bankroll_of(kept.store)}")
