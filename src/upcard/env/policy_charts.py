"""Policies as charts: `chart_of` asks a policy in every cell, `evaluate` values it exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from numpy.typing import NDArray

from upcard.analysis.player_chart import DealtCell, ask_chart
from upcard.answers import bench
from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.errors import IllegalActionError, RulesError
from upcard.core.figure import AnswerTable, Displayed
from upcard.env import blackjack, observations
from upcard.env.oracle import ExactValues
from upcard.exact.solve import basic_strategy, costliest_cells, expected_value
from upcard.exact.solver_results import CellCost, tabulate_costs
from upcard.players.bots import ChartPlayer
from upcard.players.question import Question
from upcard.rules.model import Rules
from upcard.rules.settings import Shuffle
from upcard.strategy.chart import Strategy

Env: TypeAlias = gymnasium.Env[Any, Any]
Decide: TypeAlias = Callable[[Any, observations.Mask], int]
Policy: TypeAlias = "Decide | NDArray[np.floating]"
"""A function of observation and mask, or the value of each action by cell, (CELLS, 6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRegret:
    """Loss of a policy against the best play, measured over rounds of fresh cards.

    Units: initial bets a round.
    """

    rounds: int
    regret: float
    standard_error: float
    unlike: dict[str, float]
    """Share of the answers that differ from the chart, by kind: two cards, more cards, split."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation(Displayed):
    """A policy's chart, valued exactly. Units: initial bets a round."""

    chart: Strategy
    ev: float
    """EV of the chart."""
    best_chart_ev: float
    best_ev: float
    """EV of the best play by the cards, with splits of class CDZ-."""
    costliest: tuple[CellCost, ...] | None
    """The cells that lose most, worst first; None for an infinite deck."""
    played: PlayedRegret | None

    @property
    def regret(self) -> float:
        """EV that the chart loses against the best chart."""
        return self.best_chart_ev - self.ev

    def table(self) -> AnswerTable:
        """Return the cells that lose most; none for an infinite deck."""
        return tabulate_costs(self.costliest or ())


def chart_of(policy: Policy, rules: Rules | str | Env = "6D") -> Strategy:
    """Return the chart of a policy: its answers to 330 opening hands, each dealt as a script.

    `rules` may be an environment with the observation that the policy reads (default: `hand`, or
    `cell` for an array). Where the best answer is to double, split or surrender, the policy is
    asked again without it.
    """
    env = _open(policy, rules)
    decide = _decider(policy)
    return ask_chart(_table_of(env).rules, lambda script: _AskedPolicy(env, decide, script))


def evaluate(
    policy: Policy, rules: Rules | str | Env = "6D", *, rounds: int = 0, seed: int = 0
) -> Evaluation:
    """Value the chart of a policy exactly; over `rounds`, measure what the chart does not explain.

    The EVs are those of a round from a fresh shoe, and the rounds are dealt from fresh cards too. A
    policy that counts is not a chart: then only `played` describes it.
    """
    env = _open(policy, rules)
    house = _table_of(env).rules
    chart = chart_of(policy, env)
    return Evaluation(
        chart=chart,
        ev=expected_value(house, strategy=chart),
        best_chart_ev=expected_value(house, strategy=basic_strategy(house)),
        best_ev=expected_value(house),
        costliest=None if house.is_infinite else costliest_cells(house, chart),
        played=_measure(env, _decider(policy), chart, rounds, seed) if rounds else None,
    )


def chart_policy(chart: Strategy, env: Env) -> Decide:
    """Return the policy that plays by a chart in an environment; it reads no observation."""
    table, player = _table_of(env), ChartPlayer(chart)

    def decide(observation: Any, mask: observations.Mask) -> int:  # noqa: ANN401, ARG001
        question = table.question
        legal = tuple(action for action in question.legal if mask[observations.CODES[action]])
        if question.view is None or not legal:
            return int(np.flatnonzero(mask)[0])
        return observations.CODES[player.decide(question.view, legal)]

    return decide


def score_policy(
    policy: Policy, rules: Rules | str | Env = "6D", *, long: bool = False
) -> bench.BenchScore:
    """Return the exact score of a policy's answers to the questions of `upcard bench`.

    `rules` are those of `chart_of`; each question is dealt as a script.
    """
    env = _open(policy, rules)
    house, decide = _table_of(env).rules, _decider(policy)
    questions = bench.bench_questions(house, long=long)
    answers = {one.id: _answer(env, decide, one.asked) for one in questions}
    return bench.score_player(house, answers, long=long, name="policy")


def _answer(env: Env, decide: Decide, asked: Question) -> str:
    table = _table_of(env)
    stacked, before = bench.script(asked)
    if len(asked.legal) == 1:  # a natural
        return asked.legal[0]
    observation, info = env.reset(options={"cards": [*stacked.cards, Card("7")]})
    while True:
        mask, question = info["action_mask"], table.question
        if question.stage is observations.Stage.BET:
            code = _largest_bet(table)
        elif question.stage is observations.Stage.INSURANCE or (
            question.view is None or not bench.is_its_turn(asked, question.view)
        ):
            code = observations.STAND
        elif before:
            taken = mask[observations.CODES[before[0]]]
            code = observations.CODES[before.pop(0)] if taken else observations.STAND
        else:
            code = int(decide(observation, mask))
            if question.stage is observations.Stage.PLAY or code != observations.STAND:
                action = observations.find_action(code, question.legal)
                return str(code) if action is None else action
        observation, _, _, _, info = env.step(code)


def _largest_bet(table: blackjack.BlackjackEnv) -> int:
    return observations.FIRST_BET + max(range(len(table.bets)), key=table.bets.__getitem__)


def _table_of(env: Env) -> blackjack.BlackjackEnv:
    table = env.unwrapped
    if not isinstance(table, blackjack.BlackjackEnv):
        raise RulesError(f"{env}: charts are for upcard/Blackjack-v1 and upcard/BlackJackP-v0")
    return table


def _open(policy: Policy, rules: Rules | str | Env) -> Env:
    if isinstance(rules, gymnasium.Env):
        spots = _table_of(rules).spots
        if spots > 1:
            raise RulesError(f"{rules} has {spots} spots: a chart is asked with spots=1")
        return rules
    return blackjack.BlackjackEnv(rules, observation="hand" if callable(policy) else "cell")


def _decider(policy: Policy) -> Decide:
    if callable(policy):
        return policy
    values = np.asarray(policy)
    shape = (observations.CELLS, observations.FIRST_BET)
    if values.shape != shape:
        raise RulesError(f"a policy of shape {values.shape}: {shape}, by cell and action")
    return lambda cell, mask: int(
        np.where(mask[: observations.FIRST_BET] == 1, values[cell], -np.inf).argmax()
    )


class _AskedPolicy(DealtCell):
    """The environment after a deal, and the policy that is asked in it."""

    def __init__(self, env: Env, decide: Decide, script: str) -> None:
        self._env, self._decide, self._asking = env, decide, _table_of(env)
        self._observation, self._info = env.reset(options={"cards": script})
        if self._asking.question.stage is observations.Stage.BET:
            self._step(_largest_bet(self._asking))
        super().__init__(self._asking.table)

    def ask(self, *without: Action) -> Action:
        mask = self._info["action_mask"].copy()
        mask[[observations.CODES[action] for action in without]] = 0
        code = int(self._decide(self._observation, mask))
        legal = [one for one in self._asking.question.legal if mask[observations.CODES[one]]]
        if (action := observations.find_action(code, legal)) is None:
            raise IllegalActionError(f"the policy answered {code}. Legal: {', '.join(legal)}")
        return action

    def answer(self, action: Action) -> None:
        self._step(observations.CODES[action])

    def _step(self, code: int) -> None:
        self._observation, _, _, _, self._info = self._env.step(code)


def _measure(env: Env, decide: Decide, chart: Strategy, rounds: int, seed: int) -> PlayedRegret:
    """Play rounds of fresh cards with the oracle beside the table."""
    oracle = ExactValues(env)
    table, by_chart = _table_of(env), chart_policy(chart, env)
    lost = np.zeros(rounds)
    asked = dict.fromkeys(("two cards", "more cards", "split"), 0)
    unlike = dict(asked)
    options = {} if table.rules.shuffle is Shuffle.EVERY_ROUND else {"shuffle": True}
    for number in range(rounds):
        observation, info = oracle.reset(seed=None if number else seed, options=options)
        is_over = False
        while not is_over:
            mask = info["action_mask"]
            code = int(decide(observation, mask))
            if (kind := _kind(table.question)) is not None:
                asked[kind] += 1
                unlike[kind] += code != by_chart(observation, mask)
            observation, _, is_over, _, info = oracle.step(code)
            lost[number] += info.get("round_regret", 0.0)
    return PlayedRegret(
        rounds=rounds,
        regret=float(lost.mean()),
        standard_error=float(lost.std() / rounds**0.5),
        unlike={kind: unlike[kind] / number if number else 0.0 for kind, number in asked.items()},
    )


def _kind(question: observations.EnvQuestion) -> str | None:
    if question.view is None or question.stage is not observations.Stage.PLAY:
        return None
    hand = question.view.hand
    number = "two cards" if len(hand.cards) == 2 else "more cards"
    return "split" if hand.is_split else number
