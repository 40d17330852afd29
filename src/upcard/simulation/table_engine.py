"""The slow engine: rounds at the table, by any rules and any registered player.

It shares only the shape of the tally and the range of counts with the kernel, so that each can be
compared with the other. It uses two of Python's random generators, one for the shoe and one for the
player, seeded with the SHA-256 of a text such as `upcard table seed 1 chunk 0 shoe`.
"""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple, Self, TypeAlias

import numpy as np

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.errors import EmptyShoeError, RulesError, UnsupportedRuleError
from upcard.core.wager import Wager
from upcard.players.bots import ChartPlayer, CountingPlayer, Decider, Reason, sit_down
from upcard.rules.side_bets import SideBet
from upcard.simulation.job import Job, valued_chart
from upcard.simulation.kernels.side_tables import number_results
from upcard.simulation.lower import count_range, shape_tally
from upcard.simulation.registry import make_player
from upcard.simulation.tally import SideSums, Tally, pairs
from upcard.strategy.chart import HAND_LABELS, Strategy
from upcard.strategy.ramp import BetRamp
from upcard.table.events import Event
from upcard.table.rounds import Table
from upcard.table.shoe import make_shoe
from upcard.table.side_stakes import SideBets
from upcard.table.state import Phase, RoundState, view

if TYPE_CHECKING:
    from upcard.players.perfect import RoundValuer

ENGINE: Final = "table engine"
MOST_HANDS: Final = 64
"""Most hands from one hand; if the house has no limit, more is an error."""
_UNIT: Final = Fraction(1)
_NEVER_ASKED: Final = Strategy(cells=(("S",) * 10,) * len(HAND_LABELS))


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedRound:
    """A round simulated at the table, with the bets of a ramp, or one unit a spot."""

    shoe: int
    """Number of shuffles before its shoe; 0 if there are none."""
    dealt: int
    """Cards of the shoe dealt before this round."""
    count: int
    """The betting count before the deal, within the range of the tally; 0 without a system."""
    is_seated: bool
    running: Fraction | None
    """Running count from which the betting count is derived; None without a system."""
    bet: Fraction
    """Bet on a spot by the ramp, in units (default: 1); 0 to sit out while others play for one
    unit."""
    state: RoundState
    cards: tuple[Card, ...]
    """Cards in the order dealt."""
    number: int = 0
    """Number of the round in its shoe, from 1; 0 if rounds are not numbered."""
    steps: tuple[Step, ...] = ()
    """Events of the table and decisions, in order, if recorded."""

    @property
    def net(self) -> Fraction:
        """Units won or lost; 0 in a round that was sat out."""
        return self.state.net if self.bet else Fraction(0)

    @property
    def added(self) -> Fraction | int:
        """Units added by doubling, splitting and insurance."""
        hands, insured = self.state.hands, self.state.insurance.bets
        added: Fraction | int = 0
        if len(hands) > len(insured):
            added += hands[0].initial_bet * (len(hands) - len(insured))
        for hand in hands:
            if hand.stake is not hand.initial_bet:  # quicker than comparing fractions
                added += hand.stake - hand.initial_bet
        for bet in insured:
            if bet:
                added += bet
        return added


class Decision(NamedTuple):
    """A question to a player, and the answer."""

    phase: Phase
    hand: int
    """Index of the active hand, as the table numbers it at that moment."""
    action: Action
    reason: Reason | None = None
    """Reason of a player who counts."""


Step: TypeAlias = "Event | Decision"


class SimulatedSeat:
    """The player of a job, with their count, and whether they are seated."""

    def __init__(
        self, job: Job, table: Table, rng: random.Random, player: Decider | None = None
    ) -> None:
        """Join a table; `player` takes the place of the job's."""
        self.job = job
        self.table = table
        self.counter: CountingPlayer | RoundValuer | None = None
        self.is_seated = job.enter is None
        self._range = (0, 0)
        if job.system is not None:
            if job.bets is not None:
                from upcard.players.perfect import RoundValuer  # the solver is heavy

                self.counter = RoundValuer(job.rules, valued_chart(job))
            else:
                # With a separate player the counter only counts: its chart is not used.
                self.counter = CountingPlayer(
                    *(job.strategy or _NEVER_ASKED, job.system),
                    rules=job.rules,
                    deviations=job.deviations,
                )
            self.counter.watch(table)
            self._range = count_range(job.system, job.rules.decks or 1)
        self.player = self._make_player(rng) if player is None else player
        self._unit = Wager(_UNIT, tuple((bet.code, _UNIT) for bet in job.rules.side_bets))

    def _make_player(self, rng: random.Random) -> Decider:
        name, strategy = self.job.player, self.job.strategy
        if name is not None:
            if name.strip().lower().startswith("chart:"):
                raise RulesError(
                    f"player {name!r}: a run keeps its chart, and not a file's name: give the file"
                    " as the strategy"
                )
            player = make_player(name, self.job.rules, rng)
            if isinstance(player, CountingPlayer):
                msg = f"player {name!r}: a player sees no other cards here; give the run a count"
                raise RulesError(msg)
            sit_down(player, self.table)
            return player
        if isinstance(self.counter, CountingPlayer):
            return self.counter
        if strategy is None:
            raise RulesError("the table engine needs a player or a chart, and this job has neither")
        return ChartPlayer(strategy)

    def count(self) -> int:
        """Return the betting count before the deal, within the range of the tally."""
        if self.counter is None:
            return 0
        least, most = self._range
        return min(max(self.counter.bet_count(), least), most)

    def move(self, count: int, *, is_new_shoe: bool) -> bool:
        """Sit down or get up by the count; return whether the seat is taken."""
        job = self.job
        if is_new_shoe:
            self.is_seated = job.enter is None
        if self.is_seated:
            self.is_seated = job.leave is None or count >= job.leave
        else:
            self.is_seated = job.enter is not None and count >= job.enter
        return self.is_seated

    def play(
        self,
        number: int,
        *,
        dealt: int,
        is_new_shoe: bool,
        ramp: BetRamp | None = None,
        steps: list[Step] | None = None,
    ) -> SimulatedRound:
        """Play a round of shoe `number`; decisions go to `steps`, each before what it leads to."""
        count = self.count()
        is_seated = self.move(count, is_new_shoe=is_new_shoe)
        job, table, decide = self.job, self.table, self.player.decide
        counter = self.counter if isinstance(self.counter, CountingPlayer) else None
        asked = counter if counter is self.player else None
        running = None
        if counter is not None:
            start = counter.system.initial_count(job.rules.decks or 1)
            running = start if is_new_shoe else counter.betting
        bet, wager = _UNIT if ramp is None else ramp.bet(count), self._unit
        if ramp is not None and is_seated and bet:
            wager = ramp.wager(count)
        state = table.start((wager,) * job.spots)
        while state.legal:
            action = decide(view(state), state.legal)
            if steps is not None:
                reason = None if asked is None else asked.last_reason
                steps.append(Decision(state.phase, state.active, action, reason))
            state = table.act(action)
            if action is Action.SPLIT and len(state.hands) > MOST_HANDS:
                self._refuse_hands(state)
        return SimulatedRound(
            shoe=number,
            dealt=dealt,
            count=count,
            is_seated=is_seated,
            running=running,
            bet=bet if is_seated else _UNIT * 0,
            state=state,
            cards=tuple(table.cards),
        )

    def _refuse_hands(self, state: RoundState) -> None:
        spots = [hand.spot for hand in state.hands]
        if max(spots.count(spot) for spot in set(spots)) > MOST_HANDS:
            reason = f"a hand was split into more than {MOST_HANDS}, the most it counts"
            raise UnsupportedRuleError(ENGINE, "SPINF", reason)


class TableGame:
    """The rounds of a chunk, one after another, reproducible."""

    def __init__(self, job: Job, chunk: int, player: Decider | None = None) -> None:
        """Seed the shoe and the player, and seat the player (default: that of the job)."""
        rules = job.rules
        rng = make_generator(job.seed, chunk, "shoe")
        self.job = job
        self.shoe = make_shoe(rules, rng)
        self.table = Table(rules, self.shoe)
        rng = make_generator(job.seed, chunk, "player")
        self.seat = SimulatedSeat(job, self.table, rng, player)

    def play(self, ramp: BetRamp | None = None, steps: list[Step] | None = None) -> SimulatedRound:
        """Play the next round."""
        shoe = self.shoe
        is_new_shoe = shoe.is_cut_out
        return self.seat.play(
            max(shoe.shuffles - (not is_new_shoe), 0),
            dealt=0 if is_new_shoe or shoe.cards_left is None else shoe.position,
            is_new_shoe=is_new_shoe,
            ramp=ramp,
            steps=steps,
        )


def make_generator(seed: int, chunk: int, what: str) -> random.Random:
    """Return the generator of a chunk's `shoe` or `player`.

    Its seed is a SHA-256, so that neighbouring seeds and chunks are unrelated, as a whole number,
    which every Python version seeds alike.
    """
    text = f"upcard table seed {seed} chunk {chunk} {what}"
    return random.Random(int.from_bytes(hashlib.sha256(text.encode()).digest(), "big"))


def play_table_chunk(job: Job, chunk: int, rounds: int) -> Tally:
    """Play the first `rounds` rounds of a chunk at the table."""
    game = TableGame(job, chunk)
    shape, unit, least_net = shape_tally(job, most_hands=MOST_HANDS)
    depths = shape[0]
    least_count = 0
    if job.system is not None:
        least_count = count_range(job.system, job.rules.decks or 1)[0]
    cut = max(1, int(job.rules.full_shoe.size * job.rules.penetration))
    tally = np.zeros(shape, np.int64)
    added = np.zeros(shape[:3], np.int64)
    side = _SideCounter.of(job, shape[:3])
    cards = 0
    for _ in range(rounds):
        try:
            played = game.play()
        except EmptyShoeError:
            size = job.rules.full_shoe.size
            raise EmptyShoeError(
                f"a round of {job.spots} spots needed more than the {size} cards"
                " there are: the round cannot continue"
            ) from None
        depth = min(played.dealt * depths // cut, depths - 1)
        place = (depth, int(played.is_seated), played.count - least_count)
        net = played.state.net - played.state.side.net
        tally[(*place, net.numerator * unit // net.denominator - least_net)] += 1
        if side is not None:
            side.add(place, net * unit, played.state.side)
        added[place] += int(2 * played.added)
        cards += len(played.cards)
    return Tally(
        unit=unit,
        least_net=least_net,
        least_count=least_count,
        spots=job.spots,
        rounds=tally,
        added=added,
        shoes=game.shoe.shuffles,
        cards=cards,
        side=None if side is None else side.sums,
    )


class _SideCounter:
    """Adds up side bets that the table settled, each with one unit."""

    def __init__(self, bets: tuple[SideBet, ...], sums: SideSums) -> None:
        self.sums = sums
        self._pairs = pairs(len(bets))
        self._places = {bet.code: place for place, bet in enumerate(bets)}
        self._numbers = [number_results(bet) for bet in bets]

    @classmethod
    def of(cls, job: Job, shape: tuple[int, ...]) -> Self | None:
        bets = job.rules.side_bets
        return cls(bets, SideSums.of(bets, shape)) if bets else None

    def add(self, place: tuple[int, ...], main: Fraction, side: SideBets) -> None:
        """Add a round; `main` is the net of the main bets in the unit of the tally."""
        nets = [main, *(Fraction(0) for _ in self._places)]
        for result in side.results:
            bet = self._places[result.code]
            self.sums.counts[(*place, bet, self._numbers[bet][result.row, result.net])] += 1
            nets[1 + bet] += result.net * self.sums.unit
        products = [int(nets[one] * nets[other]) for one, other in self._pairs]
        self.sums.products[place] += np.array(products, np.int64)
