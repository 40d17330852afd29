"""The automaton of a round, walked in plain Python, against the rounds of the direct loop."""

import pytest
from automaton_walk import Walker
from hypothesis import given, settings
from random_jobs import SENSIBLE, any_job, fit_lockstep

from upcard.rules.model import Rules
from upcard.simulation.job import Job
from upcard.simulation.kernels.lockstep import automaton
from upcard.simulation.kernels.lockstep.automaton import NoFitError, build_automaton
from upcard.simulation.kernels.loop_codes import RED_7
from upcard.simulation.lower import lower
from upcard.simulation.run_rounds import record_rounds
from upcard.strategy.count_system import load_system
from upcard.strategy.deviations import load_deviations

HI_LO = load_system("hi-lo")
I18 = load_deviations("i18", HI_LO)


def make_job(notation, **changes):
    return Job(rules=Rules.parse(notation), strategy=SENSIBLE, seed=5, **changes)


def walk_rounds(job, rounds):
    """Compare every round of a run's first shoes; return the rounds that were walked."""
    lowered = lower(job)
    game = lowered.game
    walker = Walker(game, build_automaton(game, lowered.busts_live))
    shoe, running, walked = None, 0, []
    red_7 = RED_7 if RED_7 in game.deck else 6
    for one in record_rounds(job, 0, 0, rounds):
        if one.shoe != shoe or game.is_fresh:
            shoe, running = one.shoe, game.start_count
        cards = [red_7 if str(card) in ("7D", "7H") else card.rank - 1 for card in one.cards]
        result = walker.walk(cards, one.dealt, running)
        assert (result.net, result.extra, result.cards) == (one.net, one.added, len(cards)), one
        running = result.running
        walked.append(result)
    return walked


# Further cases need another variant of the direct loop, which takes 6 s to compile.
@pytest.mark.fast_cases(7)
@pytest.mark.parametrize(
    ("notation", "changes"),
    [
        ("6D S17 DAS LS PEN75", {"system": HI_LO, "deviations": I18}),
        ("2D H17 OBO ES SP8 RSA HSA", {}),
        ("1D BB1 D3X W21 INS(5:2) SP8 RSA HSA PEN95", {"system": HI_LO, "deviations": I18}),
        ("1D OBBO BJL T17-19 MS15 DH LSX SP8 RSA SPA3", {}),
        ("1D ES10 BJW TALL", {"system": HI_LO, "deviations": I18}),
        ("1D P22 FD9-11 FSNT RSA SP8 PEN95", {"system": HI_LO, "deviations": I18}),
        ("1D P22 FDANY DANY FSANY OBO D3X SP8 RSA HSA DAS", {}),
        ("1D P22 ZOMBIE DANY SP8 RSA HSA PEN95", {"system": HI_LO, "deviations": I18}),
        ("1D ZOMBIE ENHC DANY RD2 T17 PEN95", {}),
    ],
)
def test_a_round_of_the_automaton_wins_adds_and_takes_what_the_direct_loop_does(notation, changes):
    walk_rounds(make_job(notation, **changes), 300)


@pytest.mark.slow
@settings(max_examples=60)
@given(any_job(is_counted=True))
def test_any_counters_round_of_the_automaton_is_the_direct_loops(job):
    walk_rounds(fit_lockstep(job), 400)


@pytest.mark.slow
@settings(max_examples=30)
@given(any_job(is_counted=False))
def test_any_charts_round_of_the_automaton_is_the_direct_loops(job):
    walk_rounds(fit_lockstep(job), 400)


def test_a_player_who_does_not_count_is_asked_no_question_and_a_round_draws_little():
    game = lower(make_job("6D LS")).game
    tables = build_automaton(game, 0)
    assert (tables.draw < automaton.ASKS).all()
    assert (tables.start < automaton.ASKS).all()
    assert tables.states < 3000
    draws = [one.draws for one in walk_rounds(make_job("6D LS"), 200)]
    assert sum(draws) / len(draws) < 1.7


def test_the_first_outcome_stands_for_sums_that_are_kept_elsewhere():
    tables = build_automaton(lower(make_job("6D")).game, 0)
    outcomes = list(zip(tables.net_of.tolist(), tables.extra_of.tolist(), strict=True))
    assert outcomes[0] == (-1, -1)
    assert sorted(outcomes[1:]) == [(-4, 2), (-2, 0), (0, 0), (0, 2), (2, 0), (3, 0), (4, 2)]


def test_several_spots_do_not_fit_and_the_reason_is_told():
    with pytest.raises(NoFitError, match="several spots"):
        build_automaton(lower(make_job("6D", spots=2)).game, 0)


def test_more_questions_than_there_are_numbers_do_not_fit(monkeypatch):
    job = make_job("6D LS", system=HI_LO, deviations=I18)
    monkeypatch.setattr(automaton, "MOST_QUESTIONS", 3)
    with pytest.raises(NoFitError, match="more than 3 questions"):
        build_automaton(lower(job).game, 0)
