"""`ExactValues`: the exact value of every answer, and what the chosen one lost."""

from typing import Any, Final, SupportsFloat

import gymnasium
import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import RANKS
from upcard.core.errors import NoExactValueError, RulesError
from upcard.env.blackjack import BlackjackEnv
from upcard.env.exact_rewards import NO_CARDS, SPLITS, value_asked
from upcard.env.observations import CODES, FIRST_BET, STAND, EnvQuestion, Stage
from upcard.exact import position, solver_results
from upcard.exact.solve import expected_value, read_split_play
from upcard.exact.solver_results import cost_of
from upcard.players import seen_cards
from upcard.players.seen_cards import require_upcard

_NO_BEST: Final = -1


class ExactValues(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Report the exact value of each answer in `info`, for the cards left as the player sees them.

    - `ev`: the value of each action, in units of the reward, NaN where it is illegal or unknown;
    - `best`: the best action, -1 if none has a value;
    - `regret`, after a step: the value of the best action less that of the one taken;
    - `round_regret`, at the end of a round: the sum of its regrets;
    - `notes`, if there are any: the approximations in the values.

    Values are on the scale of their question: those of the offer of early surrender before the look
    count a dealer's natural, later ones are given that there is none.

    Insurance is valued separately from the hand, and each spot and each hand of a split for itself,
    with splits played as the class `splits` says. A bet has a value, at 0.2 s each, with
    `values_bets`; without it a choice of bets counts as no regret.
    """

    def __init__(
        self, env: gymnasium.Env[Any, Any], *, splits: str = SPLITS, values_bets: bool = False
    ) -> None:
        """Follow the cards of the environment from its next reset on."""
        super().__init__(env)
        table = env.unwrapped
        if not isinstance(table, BlackjackEnv):
            raise RulesError(f"{env}: exact values are for upcard/Blackjack-v1 and BlackJackP-v0")
        require_upcard(table.rules, "oracle", reads_hole=True)
        position.check_rules(table.rules)
        self._splits = read_split_play(splits)
        self._values_bets = values_bets
        self._at = table
        self._seen = None if table.rules.is_infinite else table.follow_cards()
        self._ev = np.empty(0)
        self._lost = 0.0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, with the values of its first answers."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._lost = 0.0
        info |= self._value()
        return observation, info

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:  # noqa: ANN401
        """Answer, and report what the answer lost."""
        values = self._ev
        observation, reward, terminated, truncated, info = self.env.step(action)
        answered = self._at.last
        assert answered is not None  # noqa: S101 (a step has an answer)
        regret = 0.0
        if answered.question.stage is not Stage.BET or self._values_bets:
            known = values[~np.isnan(values)]
            regret = cost_of(max(known), values[answered.code]) if len(known) else np.nan
        self._lost += regret
        info["regret"] = float(regret)
        if "hands" in info:
            info["round_regret"] = float(self._lost)
            self._lost = 0.0
        info |= self._value()
        return observation, reward, terminated, truncated, info

    def _value(self) -> dict[str, Any]:
        self._ev = values = np.full(int(self._at.action_space.n), np.nan)  # type: ignore[attr-defined]
        question = self._at.question
        notes: tuple[str, ...] = ()
        if question.stage is Stage.SETTLED:
            table = self._at.table
            values[STAND] = float(table.state.net / table.state.hands[0].initial_bet)
            best = STAND
        elif question.stage is Stage.BET:
            best = self._value_bets(values)
        else:
            best, notes = self._value_answers(question, values)
        info: dict[str, Any] = {"ev": values.copy(), "best": best}
        return {**info, "notes": notes} if notes else info

    def _value_bets(self, values: NDArray[np.float64]) -> int:
        if not self._values_bets:
            return _NO_BEST
        unseen = self._compose().unseen
        rules = self._at.rules
        shoe = None if rules.is_infinite else [int(unseen[rank]) for rank in RANKS]
        ev = expected_value(rules, splits=self._splits, shoe=shoe)
        for number, bet in enumerate(self._at.bets):
            values[FIRST_BET + number] = ev * float(bet) * self._at.spots
        return int(np.nanargmax(values))

    def _value_answers(
        self, asked: EnvQuestion, values: NDArray[np.float64]
    ) -> tuple[int, tuple[str, ...]]:
        try:
            ev, notes, missing = value_asked(asked, self._compose(), self._splits)
        except NoExactValueError as error:
            return _NO_BEST, (str(error),)
        stake = float(self._at.stake)
        for action, value in ev.items():
            values[CODES[action]] = value * stake
        return CODES[solver_results.best_action(ev)], (*notes, *missing)

    def _compose(self) -> seen_cards.Composition:
        return seen_cards.compose(self._at.rules, self._seen.look() if self._seen else NO_CARDS, "")
