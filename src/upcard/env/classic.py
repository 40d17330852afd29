"""`SuttonBartoEnv`: the game of Example 5.1 of Sutton and Barto, as in Gymnasium."""

from __future__ import annotations

from typing import Any, Final, TypeAlias, cast

import gymnasium
import numpy as np
from gymnasium.envs.toy_text.blackjack import BlackjackEnv as GymnasiumBlackjack

from upcard.core.errors import IllegalActionError, quote
from upcard.core.numbers import read_seed
from upcard.env.observations import INTEGERS, read_action

Seen: TypeAlias = tuple[int, int, int]

_DECK: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
_TEN: Final = 10
_MOST: Final = 21
_SUITS: Final = "CDHS"
_FACES: Final = "JQK"
_ACTIONS: Final = (0, 1)
_AHEAD: Final = 256
_LOW: Final = 0xFFFFFFFF


class SuttonBartoEnv(GymnasiumBlackjack):  # type: ignore[misc,unused-ignore]
    """Gymnasium's Blackjack-v1, bit for bit by seed, at ten times its speed.

    `sab` and `natural` have the meaning that they have there, and the pictures are Gymnasium's.
    """

    player: list[int]
    dealer: list[int]

    def __init__(
        self, render_mode: str | None = None, *, natural: bool = False, sab: bool = False
    ) -> None:
        """Open a table; `reset` deals."""
        super().__init__(render_mode=render_mode, natural=natural, sab=sab)
        self._halves: list[int] = []
        """Numbers of 32 bits drawn ahead, the next one last."""
        self._before: Any = None
        """The generator's state before they were drawn."""
        self._is_shared = False

    @property
    def np_random(self) -> np.random.Generator:
        """The generator, in the state that Gymnasium's has here.

        A caller may draw from it: from then on, until another seed, no number is drawn ahead.
        """
        generator: np.random.Generator = gymnasium.Env.np_random.fget(self)  # type: ignore[attr-defined]
        if self._halves:
            generator.bit_generator.state = self._before
            _draw_halves(generator, _AHEAD - len(self._halves))
            self._halves.clear()
        self._is_shared = True
        return generator

    @np_random.setter
    def np_random(self, value: np.random.Generator) -> None:
        self._np_random = value
        self._np_random_seed = -1
        self._halves.clear()
        self._is_shared = True

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Deal a round, and return what is seen: total, upcard, usable ace.

        Raises: RulesError for an invalid seed.
        """
        if seed is not None:
            gymnasium.Env.reset(self, seed=read_seed(seed), options=options)
            self._halves.clear()
            self._is_shared = False
        draw = self._draw
        self.dealer = [_DECK[draw(13)], _DECK[draw(13)]]
        self.player = [_DECK[draw(13)], _DECK[draw(13)]]
        upcard = self.dealer[0]
        self.dealer_top_card_suit = _SUITS[draw(4)]
        if upcard == _TEN:
            self.dealer_top_card_value_str = _FACES[draw(3)]
        else:
            self.dealer_top_card_value_str = "A" if upcard == 1 else str(upcard)
        if self.render_mode == "human":
            self._show()
        total, has_usable_ace = _add(self.player)
        return (total, upcard, has_usable_ace), {}

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Hit (1) or stick (0). Raises: IllegalActionError for another action."""
        code = action if type(action) in INTEGERS else read_action(action)
        if code not in _ACTIONS:
            raise refuse_classic(action)
        player = self.player
        reward, is_over = 0.0, True
        if code:
            player.append(_DECK[self._draw(13)])
            total, has_usable_ace = _add(player)
            is_over = total > _MOST
            if is_over:
                reward = -1.0
        else:
            total, has_usable_ace = _add(player)
            reward = self._stick(total)
        if self.render_mode == "human":
            self._show()
        return (total, self.dealer[0], has_usable_ace), reward, is_over, False, {}

    def _stick(self, total: int) -> float:
        """Play the dealer's hand, and return the reward."""
        dealer = self.dealer
        dealer_total, _ = _add(dealer)
        while dealer_total < 17:
            dealer.append(_DECK[self._draw(13)])
            dealer_total, _ = _add(dealer)
        score = total if total <= _MOST else 0
        dealer_score = dealer_total if dealer_total <= _MOST else 0
        reward = float((score > dealer_score) - (score < dealer_score))
        if total == _MOST and len(self.player) == 2:
            if self.sab and not (dealer_total == _MOST and len(dealer) == 2):
                return 1.0
            if self.natural and not self.sab and reward == 1.0:
                return 1.5
        return reward

    def _show(self) -> None:
        cast("Any", self).render()

    def _draw(self, size: int) -> int:
        """Draw a number below `size`, from the words that NumPy would take, as it takes them."""
        halves = self._halves or self._draw_ahead()
        product = halves.pop() * size
        if product & _LOW < size:
            least = (_LOW + 1 - size) % size
            while product & _LOW < least:
                halves = self._halves or self._draw_ahead()
                product = halves.pop() * size
        return product >> 32

    def _draw_ahead(self) -> list[int]:
        generator = gymnasium.Env.np_random.fget(self)  # type: ignore[attr-defined]
        if self._is_shared:
            return _draw_halves(generator, 1)
        self._before = generator.bit_generator.state
        self._halves = _draw_halves(generator, _AHEAD)
        return self._halves


def refuse_classic(action: object) -> IllegalActionError:
    """Return the error for what is no action of this game."""
    return IllegalActionError(f"action {quote(action)}: 0 sticks, 1 hits")


def _add(hand: list[int]) -> tuple[int, int]:
    """Return the total of a hand, and whether an ace in it counts 11."""
    hard = sum(hand)
    if hard <= _MOST - _TEN and 1 in hand:
        return hard + _TEN, 1
    return hard, 0


def _draw_halves(generator: np.random.Generator, number: int) -> list[int]:
    """Draw numbers of 32 bits; the first comes last."""
    drawn: list[int] = generator.integers(_LOW + 1, size=number, dtype=np.uint32)[::-1].tolist()
    return drawn
