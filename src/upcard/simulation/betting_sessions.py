"""Sessions: at most N rounds with a stake, any player and betting system, repeated.

The table plays them, through `play_rounds`, so every rule and every player is honoured.

Source: the simulator of document 003's book (Building Skills in Object-Oriented Design, part
Roulette): 50 sessions of at most 250 rounds with a stake of 100 bets; of each its length and
the highest stake after a round, of all the mean and the sample standard deviation.
"""

from __future__ import annotations

import math
import random
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from statistics import fmean
from typing import Final

from upcard.core import figure, numbers
from upcard.core.errors import RulesError
from upcard.core.numbers import read_seed, write_chips
from upcard.core.wager import read_bet
from upcard.players import betting_systems, bots
from upcard.players.play_rounds import play_rounds
from upcard.rules.model import Rules
from upcard.simulation.registry import make_player
from upcard.table.rounds import Table
from upcard.table.shoe import make_shoe
from upcard.table.state import RoundState

ROUNDS: Final = 250
SESSIONS: Final = 50
STAKE: Final = Fraction(100)
UNIT: Final = Fraction(1)
QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlan:
    """Settings of a series of sessions. `stake`, `unit` and `limit` are in chips.

    Only the seed and a session's number shuffle its cards: session 7 of two plans that differ
    only in their betting is dealt from the same shoes.
    """

    rules: Rules
    player: str = "basic"
    """Name, as `make_player` reads it."""
    betting: str = "flat"
    """Name, as `make_betting` reads it."""
    rounds: int = ROUNDS
    """Most rounds of a session."""
    stake: Fraction = STAKE
    unit: Fraction = UNIT
    limit: Fraction | None = None
    """Largest bet on a hand; None: limited only by the chips."""
    seed: int

    def __post_init__(self) -> None:
        read_seed(self.seed)
        if not self.rules.betting:
            msg = f"there are no bets in {self.rules.name or self.rules}, so no session has a stake"
            raise RulesError(msg)
        if self.rounds < 1:
            raise RulesError(f"sessions of {self.rounds} rounds: write 1 or more")
        if read_bet(self.stake) < read_bet(self.unit):
            raise RulesError(
                f"a stake of {write_chips(self.stake)} chips does not cover one bet of"
                f" {write_chips(self.unit)}"
            )
        self.make_betting(random.Random(0))  # refuses an unknown name

    def make_betting(self, rng: random.Random) -> betting_systems.BettingSystem:
        """Make the betting system for one session."""
        return betting_systems.make_betting(self.betting, unit=self.unit, limit=self.limit, rng=rng)

    def stream(self, number: int, purpose: str) -> str:
        """Name the random stream of a session for a purpose, so that streams stay independent."""
        return f"{self.seed} session {number} {purpose}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BettingSession:
    """Results of one session. Amounts are in chips."""

    number: int
    """Number in the series, from 1."""
    rounds: int
    stake: Fraction
    peak: Fraction
    """Most chips after any round; the stake before the first round does not count."""
    final: Fraction
    is_ruined: bool
    """Whether it ended early because the next bet was not covered; some chips may be left."""
    largest_bet: Fraction
    initial_bets: Fraction
    """Sum of the bets before the deal."""
    total_action: Fraction
    """Sum of all bets, those of doubles, splits and insurance too."""
    losing_streak: int
    """Most rounds lost in a row; a push neither ends a streak nor lengthens it."""
    path: Sequence[float] | None
    """Chips after each round; None if not recorded."""
    json_keys = """
        session=number rounds peak final net is_ruined largest_bet losing_streak initial_bets
        total_action
    """

    @property
    def net(self) -> Fraction:
        """Chips won or lost in all."""
        return self.final - self.stake


def play_sessions(
    plan: SessionPlan, *, sessions: int = SESSIONS, keep_paths: bool = True
) -> Iterator[BettingSession]:
    """Play sessions 1 to `sessions`, one each time the iterator is advanced.

    >>> from upcard.rules.model import Rules
    >>> plan = SessionPlan(rules=Rules.parse("6D"), player="mimic", rounds=10, seed=1)
    >>> [session.rounds for session in play_sessions(plan, sessions=3)]
    [10, 10, 10]
    """
    if sessions < 1:
        raise RulesError(f"{sessions} sessions: write 1 or more")
    rng = random.Random()
    player = make_player(plan.player, plan.rules, rng)
    if isinstance(player, bots.CountingPlayer):
        raise RulesError(
            f"player {plan.player!r}: betting systems are compared here for one who does not count;"
            " upcard bankroll plays a bank by a count and a ramp"
        )

    def play() -> Iterator[BettingSession]:
        for number in range(1, sessions + 1):
            rng.seed(plan.stream(number, "player"))
            yield _play_session(plan, player, number, keep_path=keep_paths)

    return play()


def _play_session(
    plan: SessionPlan, player: bots.Decider, number: int, *, keep_path: bool
) -> BettingSession:
    shoe = make_shoe(plan.rules, random.Random(plan.stream(number, "shoe")))
    table = Table(plan.rules, shoe)
    bots.sit_down(player, table)
    rounds = play_rounds(
        table,
        player,
        betting=plan.make_betting(random.Random(plan.stream(number, "betting"))),
        rounds=plan.rounds,
        bankroll=plan.stake,
    )
    length = lost = streak = 0
    largest = initial = action = Fraction(0)
    final, peak = plan.stake, Fraction(0)
    path = array("d")
    for played in rounds:
        length = played.number
        final += played.net
        peak = max(peak, final)
        largest = max(largest, played.bet)
        initial += played.bet
        action += measure_action(played.state)
        if played.net:
            lost = lost + 1 if played.net < 0 else 0
            streak = max(streak, lost)
        if keep_path:
            path.append(float(final))
    return BettingSession(
        number=number,
        rounds=length,
        stake=plan.stake,
        peak=peak if length else plan.stake,
        final=final,
        is_ruined=length < plan.rounds,
        largest_bet=largest,
        initial_bets=initial,
        total_action=action,
        losing_streak=streak,
        path=path if keep_path else None,
    )


def measure_action(state: RoundState) -> Fraction:
    """Return all bets of a round: on its hands as they ended, and on insurance."""
    action = sum((hand.stake for hand in state.hands), Fraction(0))
    return action + sum((bet for bet in state.insurance.bets if bet), Fraction(0))


@dataclass(frozen=True, slots=True)
class Sample:
    """Mean, sample standard deviation and quantiles of `size` numbers, such as results of sessions.

    A single number has no deviation.
    """

    size: int
    mean: float
    deviation: float | None
    quantiles: tuple[float, ...] = ()
    """At the shares of `QUANTILES`, if they were asked for."""
    json_keys = "mean standard_deviation=deviation standard_error"

    @property
    def standard_error(self) -> float | None:
        """Standard error of the mean."""
        return None if self.deviation is None else self.deviation / math.sqrt(self.size)


def describe_sample(numbers: Sequence[float | Fraction]) -> Sample:
    """Compute mean and sample standard deviation.

    >>> sample = describe_sample([10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5])
    >>> sample.mean, round(sample.deviation, 3)
    (9.0, 3.317)
    """
    if not numbers:
        raise RulesError("there is no mean of no numbers")
    mean = fmean(numbers)
    if len(numbers) == 1:
        return Sample(1, mean, None)
    squares = math.fsum((number - mean) ** 2 for number in map(float, numbers))
    return Sample(len(numbers), mean, math.sqrt(squares / (len(numbers) - 1)))


def find_quantile(ordered: Sequence[float | Fraction], share: float) -> float:
    """Return the quantile of `ordered` numbers at `share`, interpolated linearly.

    >>> find_quantile([1, 2, 3, 4], 0.5)
    2.5
    """
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return float(ordered[low]) + (place - low) * float(ordered[high] - ordered[low])


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionsSummary:
    """The results of a series of sessions. Amounts are in chips."""

    rounds: int
    """Rounds of all sessions together."""
    length: Sample
    peak: Sample
    final: Sample
    net: Sample
    ruined: Sample
    """Ruined sessions, as 0 or 1; its mean is their share."""
    losing_streak: Sample
    longest_losing_streak: int
    largest_bet: Fraction
    initial_bets: Fraction
    total_action: Fraction
    ev: float
    """Net per chip bet before the deal, over all sessions."""
    standard_error: float | None
    """Standard error of `ev`, sessions being independent; None for a single session."""
    final_quantiles: tuple[float, ...]
    """Final chips at the shares of `QUANTILES`."""
    most: float
    """Most chips that a session ended with."""
    json_keys = """
        rounds ev standard_error length peak final net ruined losing_streak
        longest_losing_streak largest_bet initial_bets total_action final_quantiles=quantiles
    """

    @property
    def quantiles(self) -> dict[str, float]:
        """Final chips by the share of the sessions that end with less."""
        pairs = zip(QUANTILES, self.final_quantiles, strict=True)
        return {f"{share:g}": chips for share, chips in pairs}


def summarize_sessions(sessions: Sequence[BettingSession]) -> SessionsSummary:
    """Summarize a series."""
    nets = [session.net for session in sessions]
    bets = [session.initial_bets for session in sessions]
    finals = sorted(session.final for session in sessions)
    if not any(bets):
        raise RulesError(
            "no session was played" if not sessions else "the stake covered no session's first bet"
        )
    ev = float(sum(nets) / sum(bets))
    # A ratio of two sums: its error is that of the nets after charging each bet `ev`.
    left = describe_sample(
        [float(net) - ev * float(bet) for net, bet in zip(nets, bets, strict=True)]
    )
    error = left.standard_error
    return SessionsSummary(
        rounds=sum(session.rounds for session in sessions),
        length=describe_sample([session.rounds for session in sessions]),
        peak=describe_sample([session.peak for session in sessions]),
        final=describe_sample(finals),
        net=describe_sample(nets),
        ruined=describe_sample([float(session.is_ruined) for session in sessions]),
        losing_streak=describe_sample([session.losing_streak for session in sessions]),
        longest_losing_streak=max(session.losing_streak for session in sessions),
        largest_bet=max(session.largest_bet for session in sessions),
        initial_bets=sum(bets, Fraction(0)),
        total_action=sum((session.total_action for session in sessions), Fraction(0)),
        ev=ev,
        standard_error=None if error is None else error / (math.fsum(bets) / len(bets)),
        final_quantiles=tuple(find_quantile(finals, share) for share in QUANTILES),
        most=float(finals[-1]),
    )


def tabulate_sessions(
    series: Sequence[tuple[str, SessionsSummary]],
) -> tuple[figure.AnswerTable, ...]:
    """Return lengths and nets, chips at the end and bets of betting systems, a row for each."""
    name = figure.text("betting")
    chips = partial(figure.real, digits=2, unit="chips")
    rounds = partial(figure.real, digits=2, unit="rounds")
    lengths = figure.make_table(
        "Sessions",
        (
            *(name, rounds("length"), rounds("length_deviation", "SD")),
            *(chips("peak"), chips("peak_deviation", "SD"), chips("net")),
            *(chips("net_standard_error", "±"), figure.share("ruined", digits=1)),
        ),
        (
            (
                *(betting, one.length.mean, one.length.deviation, one.peak.mean),
                *(one.peak.deviation, one.net.mean, one.net.standard_error, one.ruined.mean),
            )
            for betting, one in series
        ),
    )
    shares = (chips(f"below_{each:g}", f"{each:.0%}") for each in QUANTILES)
    ends = figure.make_table(
        "Chips at the end: the share of the sessions that ended with less",
        (name, *shares, chips("most")),
        ((betting, *one.final_quantiles, one.most) for betting, one in series),
    )
    bets = figure.make_table(
        "Bets",
        (
            *(name, figure.number("rounds")),
            figure.number("longest_losing_streak", "losses in a row"),
            *(figure.amount("largest_bet", "largest"), figure.amount("initial_bets", "in all")),
            figure.percent("ev", "EV", digits=2),
            figure.share("standard_error", "±", digits=2),
        ),
        (
            (
                *(betting, one.rounds, one.longest_losing_streak, one.largest_bet),
                *(one.initial_bets, one.ev, numbers.finite(one.standard_error)),
            )
            for betting, one in series
        ),
    )
    return lengths, ends, bets
