"""What index plays gain: the kernel's replays against the table's, and against the solver's."""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from itertools import count

import numpy as np
import pytest
from marks import slow_except
from random_jobs import SENSIBLE

import upcard
from upcard.core.actions import Action
from upcard.core.errors import RulesError
from upcard.exact.finite_hands import UpcardSolution, opening_hands
from upcard.exact.finite_shoe import PreparedShoe
from upcard.players.bots import CountingPlayer
from upcard.rules.deck import full_shoe
from upcard.simulation.job import make_job
from upcard.simulation.kernel_rounds import play_chunk
from upcard.simulation.paired_play import INSURANCE, probe_chunk, probe_rounds
from upcard.simulation.run_rounds import record_shoe
from upcard.strategy.chart import HAND_LABELS, PAIR_LABELS
from upcard.strategy.deviations import Deviation, Deviations, load_deviations
from upcard.strategy.ramp import BetRamp
from upcard.table.rounds import Table
from upcard.table.shoe import ScriptedShoe

KNOWN = load_deviations("i18+fab4").plays
RAMP = BetRamp(least=-1, bets=(Fraction(1), Fraction(3, 2), Fraction(4), Fraction(8)))


def make(rules, *, indices="i18+fab4", seed=5, **changes):
    job = make_job(upcard.Rules.parse(rules), seed=seed, count="hi-lo", indices=indices)
    return job.replace(**changes)


def choose_plays(rng, *, surrenders):
    """Choose plays at low indices, so that the count is often on either side."""
    plays = {}
    while len(plays) < 90:
        hand, upcard_rank = rng.choice(HAND_LABELS), rng.randint(1, 10)
        actions = [Action.HIT, Action.STAND, Action.DOUBLE]
        actions += [Action.SURRENDER] * surrenders
        action = rng.choice([*actions, Action.SPLIT] if hand in PAIR_LABELS else actions)
        other = {Action.HIT: Action.STAND, Action.STAND: Action.HIT}.get(action)
        plays[hand, upcard_rank] = Deviation(
            hand=hand,
            upcard=upcard_rank,
            action=action,
            index=rng.randint(-2, 2),
            at_or_above=rng.random() < 0.5,
            otherwise=other,
        )
    return Deviations(plays=tuple(plays.values()))


def turn(deviations, play):
    """Return the set with one play the other way round."""
    is_plain = play.otherwise is not None
    turned = Deviation(
        hand=play.hand,
        upcard=play.upcard,
        action=play.otherwise if is_plain else play.action,
        index=play.index,
        at_or_above=play.at_or_above if is_plain else not play.at_or_above,
        otherwise=play.action if is_plain else None,
    )
    return Deviations(plays=(*(one for one in deviations.plays if one != play), turned))


class Seat:
    """A counter at a table, whose answers are written down."""

    def __init__(self, job, cards):
        self.table = Table(job.rules, ScriptedShoe(cards))
        self.player = CountingPlayer(
            job.strategy, job.system, rules=job.rules, deviations=job.deviations
        )
        self.player.watch(self.table)

    def play(self, deviations, turned=()):
        """Play a round by `deviations`; return its net, and where each turned set differs first.

        `turned` are sets by upcard and place.
        """
        first = {}
        state = self.table.start([1])
        while state.legal:
            action, count = self.ask(deviations, state.legal)
            for place, others in turned[state.upcard.rank].items() if turned else ():
                if self.ask(others, state.legal)[0] is not action:
                    first.setdefault(place, count)
            state = self.table.act(action)
        return state.net, first

    def ask(self, deviations, legal):
        self.player.deviations = deviations
        return self.player.decide(self.table.view(), legal), self.player.last_reason.count


def probe_at_table(job, cards, rounds):
    """Yield play, bet count, count of the first other answer, and both nets, round by round."""
    base, own = Seat(job, cards), job.deviations
    turned = defaultdict(dict)
    for place, play in enumerate(own.plays):
        turned[play.upcard][place] = turn(own, play)
    for number in range(rounds):
        bet_count = base.player.bet_count()
        net, first = base.play(own, turned)
        up = base.table.state.dealer[0].rank
        for place, count_then in first.items():
            other = Seat(job, cards)
            for _ in range(number):
                other.play(own)
            net_turned, _ = other.play(turned[up][place])
            yield place, bet_count, count_then, net_turned, net


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    slow_except(
        ["1D PEN50 LS DAS"],
        ["1D PEN50 LS DAS", "2D PEN50 H17 RSA HSA LS", "1D ENHC PEN45 6:5", "1D OBO NDAS PEN45 LS"],
    ),
)
def test_every_gain_is_that_of_the_table_with_the_play_turned_round(rules):
    rng = random.Random(rules)
    job = make(
        rules, indices=choose_plays(rng, surrenders="LS" in rules), seed=rng.randrange(10**6)
    )
    # The same shoes, dealt further: a round turned round may need more cards than were dealt.
    longer = job.replace(rules=job.rules.replace(penetration=Fraction(8, 10)))
    expected = defaultdict(lambda: [0, 0])
    bet = defaultdict(lambda: [0, 0])
    squares = defaultdict(int)
    rounds = 0
    for shoe in count():
        if rounds > 70:
            break
        own = len(record_shoe(job, 0, shoe, rounds=100))
        cards = [card for one in record_shoe(longer, 0, shoe, rounds=100) for card in one.cards]
        rounds += own
        for place, bet_count, played, *nets in probe_at_table(job, cards, own):
            turned, net = (one * (10 if "6:5" in rules else 2) for one in nets)
            gained = turned - net
            squares[place, played] += turned**2 - net**2
            for sums, amount in ((expected, gained), (bet, gained * 2 * RAMP.bet(bet_count))):
                sums[place, played][0] += amount
                sums[place, played][1] += amount**2
    found = probe_chunk(job, job.deviations.plays, 0, rounds, RAMP)
    assert found.bet_unit == 2
    assert len(expected) > 5
    for place in range(len(job.deviations.plays)):
        for column, played in enumerate(range(found.least_count, found.least_count + 81)):
            hits, *sums = found.sums[place + 1, column].tolist()
            assert sums == [*expected[place, played], *bet[place, played], squares[place, played]]
            assert hits or not any(sums)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["6D LS", "2D H17 ENHC RSA", "1D PEN60"])
def test_the_rounds_of_a_probe_are_those_of_the_run(rules):
    job = make(rules, indices="i18+fab4" if "LS" in rules else "i18")
    plays = job.deviations.plays
    assert probe_chunk(job, plays, 3, 20_000).tally == play_chunk(job, 3, 20_000)


@pytest.mark.slow
def test_several_spots_are_probed_as_they_are_played():
    job = make("6D LS", spots=3)
    found = probe_chunk(job, KNOWN, 0, 5_000)
    assert found.tally == play_chunk(job, 0, 5_000)
    assert found.sums[1:, :, 0].any(axis=1).sum() > 20


@pytest.mark.slow
def test_chunks_add_up_on_any_number_of_workers():
    job = make("6D LS", chunk_rounds=4_000)
    chunks = [
        probe_chunk(job, KNOWN, chunk, size) for chunk, size in ((0, 4000), (1, 4000), (2, 1))
    ]
    whole = chunks[2] + chunks[0] + chunks[1]
    heard = []
    assert probe_rounds(job, KNOWN, rounds=8_001, workers=1) == whole
    assert probe_rounds(job, KNOWN, rounds=8_001, workers=3, watch=heard.append) == whole
    assert heard[-1] == 8_001
    assert probe_rounds(job.replace(seed=6), KNOWN, rounds=8_001, workers=2) != whole
    with pytest.raises(RulesError, match="different probes"):
        _ = whole + probe_chunk(job, KNOWN[:2], 0, 10)


@pytest.mark.slow
def test_a_play_is_probed_alone_as_among_others():
    """Plays that share a question are asked about in two passes over the same cards."""
    job = make("6D LS")
    together = probe_chunk(job, KNOWN, 0, 30_000)
    for place, play in enumerate(KNOWN):
        alone = probe_chunk(job, (play,), 0, 30_000)
        assert np.array_equal(alone.sums[1], together.sums[place + 1])
        assert np.array_equal(alone.sums[INSURANCE], together.sums[INSURANCE])


@pytest.mark.slow
def test_flat_bets_gain_what_a_unit_gains():
    job = make("6D LS")
    flat = BetRamp(least=0, bets=(Fraction(3),))
    sums = probe_chunk(job, KNOWN, 0, 30_000, flat).sums
    assert np.array_equal(3 * sums[:, :, 1], sums[:, :, 3])
    assert np.array_equal(9 * sums[:, :, 2], sums[:, :, 4])


@pytest.mark.slow
@pytest.mark.parametrize(("words", "pays", "unit"), [("", 2, 2), ("INS(5:2)", 2.5, 4)])
def test_insurance_gains_what_the_tens_say(words, pays, unit):
    """From a fresh shoe every upcard is followed by a ten with the odds of 51 other cards."""
    job = make_job(upcard.Rules.parse(f"1D PEN5 {words}"), SENSIBLE, seed=5, count="hi-lo")
    sums = probe_chunk(job, (), 0, 400_000).sums[INSURANCE]
    rounds, gained, squares = sums[:, :3].sum(axis=0) / (1, unit, unit**2)
    expected = (pays * 16 - 35) / 51 / 2
    error = (squares / rounds - expected**2) ** 0.5 / rounds**0.5
    assert rounds / 400_000 == pytest.approx(1 / 13, rel=0.02)
    assert gained / rounds == pytest.approx(expected, abs=4 * error)


@pytest.mark.slow
def test_a_play_gains_what_the_solver_says_where_every_round_has_a_fresh_shoe():
    """One round a shoe, 12 v T surrendered at every count: against the chart's hit, exactly."""
    play = Deviation(hand="12", upcard=10, action=Action.SURRENDER, index=-30)
    rules = upcard.Rules.parse("1D PEN5 LS NDAS")
    chart = upcard.basic_strategy(rules)
    solver = PreparedShoe(rules, full_shoe(1).counts, strategy=chart, upcards=(10,))
    solution = UpcardSolution(solver, 10)
    exact = 0.0
    for ranks, pair, chance in opening_hands(solution):
        hand = solver.hands.find(ranks)
        if solver.hands.total[hand] == 12 and not pair and not solver.hands.is_soft[hand]:
            values = solution.values(hand, pair=pair)
            # Where the dealer has a natural the round ends before the question.
            exact += 16 / 52 * chance * (values[Action.HIT] - values[Action.SURRENDER])
    job = make("1D PEN5 LS NDAS", indices=Deviations(plays=(play,)))
    found = probe_chunk(job, (play,), 0, 1_000_000)
    _, gained, squares = found.sums[1, :, :3].sum(axis=0) / (1, 2, 4)
    variance = squares / 1_000_000
    assert gained / 1_000_000 == pytest.approx(exact, abs=4 * (variance / 1_000_000) ** 0.5)
    assert abs(exact) > 8 * (variance / 1_000_000) ** 0.5


def test_what_cannot_be_asked_is_refused():
    job = make("6D", indices="i18")
    with pytest.raises(RulesError, match="does not play it"):
        probe_chunk(job, load_deviations("fab4").plays, 0, 10)
    fine = BetRamp(least=0, bets=(Fraction(1), Fraction(1500, 7)))
    with pytest.raises(RulesError, match="1000 steps of 1/7"):
        probe_chunk(job, (), 0, 10, fine)
    for rounds, workers in ((0, 1), (10, 0)):
        with pytest.raises(RulesError, match="1 or more of each"):
            probe_rounds(job, (), rounds=rounds, workers=workers)


def total_net(job, rounds):
    """Return what a chunk of a job wins or loses in all, in half bets."""
    tally = play_chunk(job, 0, rounds)
    nets = np.arange(tally.least_net, tally.least_net + tally.rounds.shape[-1])
    return int((tally.rounds * nets).sum())


@pytest.mark.slow
@pytest.mark.parametrize(
    "plays",
    [
        ("16 v T  S >= 0 else H", "16 v T  R >= -1"),
        ("88 v T  S >= 0 else H", "88 v T  P >= -1", "88 v T  R >= 1"),
        ("11 v T  S >= -2 else H", "11 v T  D >= 0"),
    ],
)
def test_plays_of_a_cell_taken_back_lose_what_they_had_added_to_the_chart_together(plays):
    """G1: with one round a shoe all jobs meet the same cards, so the sums are equal to the chip."""
    rules, rounds = "1D LS PEN5", 100_000
    job = make(rules, indices=Deviations.parse("\n".join(plays)))
    sums = probe_rounds(job, job.deviations.plays, rounds=rounds, as_chart=True).sums
    lost = {
        str(play): int(sums[number, :, 1].sum())
        for number, play in enumerate(job.deviations.plays, start=1)
    }
    chart = total_net(make(rules, indices=None), rounds)
    assert total_net(job, rounds) - chart == -sum(lost.values()) != 0
    if plays[0].startswith("16"):
        # The step from stand to hit of the hands that surrender no more is not the lower play's.
        alone = make(rules, indices=Deviations.parse(plays[0]))
        assert total_net(alone, rounds) - chart == -lost[plays[0]] != 0
