"""A session that plays by itself until it is killed, for tests: says what was settled.

    python automatic_session.py STORE SEED ROUNDS

An unfinished round is found again and finished first. Lines on standard output:
`act NUMBER COUNT` after an answer, `settled ID BANKROLL` after a round.
"""

from __future__ import annotations

import random
import sys

from upcard.rules.model import Rules
from upcard.store.bankroll import bankroll_of, free_chips_of
from upcard.store.database import open_store
from upcard.store.kept_table import KeptTable
from upcard.store.sessions import find_open_rounds

GAMES = ("1D PEN50", "6D LS", "2D CSM", "INF ES", "roanoke")


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def play_on(table: KeptTable, rng: random.Random) -> None:
    state = table.state
    while not state.is_over:
        state = table.act(rng.choice(state.legal))
        say(f"act {table.round_number} {len(table.actions)}")
    say(f"settled {table.last_round} {bankroll_of(table.store)}")


def main(path: str, seed: int, rounds: int) -> None:
    rng = random.Random(seed)
    with open_store(path) as store:
        say("open")
        for found in find_open_rounds(store):
            with KeptTable.resume(store, found) as table:
                play_on(table, rng)
        rules = Rules.parse(GAMES[seed % len(GAMES)])
        spots = min(1 + seed % 3, rules.max_spots)
        # Now and then the others' spots are played by company, whose chips are not the person's.
        others = rng.randrange(spots)
        company = "; ".join(["you", *["basic"] * others])
        with KeptTable.sit_down(store, rules, player="automatic", company=company) as table:
            for _ in range(rounds):
                if free_chips_of(store) < 1000:
                    return
                player_spots = sorted(rng.sample(range(spots), spots - others))
                table.start([rng.randint(1, 20) for _ in range(spots)], player_spots=player_spots)
                play_on(table, rng)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
