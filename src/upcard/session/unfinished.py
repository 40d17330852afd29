"""Hands left unfinished: found, announced and played on before any other table opens."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.core.numbers import format_chips
from upcard.session.coaching import CoachDesk
from upcard.session.plan import TablePlan, plan_of
from upcard.store.sessions import find_open_rounds

if TYPE_CHECKING:
    from upcard.coach.seen_cards import Knowledge
    from upcard.rules.model import Rules
    from upcard.session.game_session import GameSession
    from upcard.store.database import Store
    from upcard.store.records import SavedRound


@dataclass(frozen=True, slots=True)
class LeftHand:
    """A hand left unfinished in the history of a profile."""

    found: SavedRound

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""
        return self.found.session.rules

    @property
    def plan(self) -> TablePlan:
        """The table that it was left at."""
        return plan_of(self.found)

    @property
    def announcement(self) -> str:
        """The sentence that announces it."""
        return f"A hand was left unfinished: {self.plan.title}{self._stake}. It goes on first."

    def why_kept(self, reason: str) -> str:
        """Say that it cannot go on now, and why."""
        hand = f"A hand was left unfinished ({self.rules}{self._stake})"
        return f"{hand} and cannot go on now: {reason}. It stays as it is."

    @property
    def _stake(self) -> str:
        if not self.rules.betting:
            return ""
        player_spots = self.found.player_spots
        each = "" if len(player_spots) == 1 else f" on each of {len(player_spots)} hands"
        return f", bet {format_chips(self.found.record.bets[player_spots[0]])}{each}"

    def resume(self, store: Store, *, knows: Knowledge | str) -> GameSession:
        """Sit down at it, with its shoe, its company and a coach; it stands where it was left."""
        from upcard.session.game_session import GameSession

        desk = CoachDesk(self.rules, knows=knows)
        return GameSession.resume(
            store, self.found, self.plan, desk=desk, rng=random.SystemRandom()
        )


def leave_table(session: GameSession, *report: str, saved: str = "") -> str:
    """Leave a table; return the balance, the `report`, and `saved` if a hand is left unfinished."""
    is_left = session.is_playing and session.kept is not None
    if is_left:
        session.bank.on_table = session.on_table
    words = [session.bank.summarize("round"), *report, saved if is_left else ""]
    session.close()
    return " ".join(filter(None, words))


def find_left_hands(store: Store) -> Iterator[LeftHand]:
    """Find the hands of the profile that were left unfinished, the oldest first."""
    for found in list(find_open_rounds(store)):
        yield LeftHand(found)
