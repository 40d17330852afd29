"""`ReadyDrill`: rounds as in a casino. You count, bet by a ramp and play; every answer is priced.

The plan is right: the chart, the index plays and the ramp, at the exact count of the cards seen.
An index of another game is not: where its play is not the best within its count, the best one is.
Units: costs are units of the ramp. A play costs the EV that it loses with the shoe to be expected
at the count; a bet what it loses in certainty equivalent at the bankroll, so that a bet too large
costs something too. A wrong running count costs nothing itself: the bets and plays after it do.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal

from upcard.analysis.count_rows import read_rows
from upcard.analysis.figures import bet_by_count
from upcard.analysis.ramp_plan import equivalent
from upcard.coach.adviser import Coach
from upcard.coach.judgement import Advice
from upcard.coach.reasons import expected_composition
from upcard.core.actions import Action
from upcard.core.errors import BlackjackError
from upcard.core.numbers import format_chips, with_minus
from upcard.drills import session_plan
from upcard.drills.counting_drills import write_number
from upcard.drills.drill import (
    CLOSE,
    Drill,
    DrillError,
    Feedback,
    Item,
    NumberPrompt,
    Prompt,
    read_number,
)
from upcard.drills.hand_prompts import WholeHandPrompt
from upcard.drills.strategy_drills import decide_by_values, read_answer
from upcard.exact.solver_results import cost_of
from upcard.players.bots import CountingPlayer
from upcard.players.question import read_question
from upcard.players.seen_cards import Knowledge, SeenCards
from upcard.simulation.job import Engine
from upcard.simulation.run import simulate
from upcard.table.rounds import Table
from upcard.table.shoe import make_shoe

if TYPE_CHECKING:
    from upcard.drills.drill_run import DrillMemory
    from upcard.rules.model import Rules
    from upcard.strategy.chart import Strategy
    from upcard.strategy.count_system import CountSystem
    from upcard.strategy.deviations import Deviations
    from upcard.strategy.ramp import BetRamp
    from upcard.table.state import RoundState, TableView

COUNT_EVERY: Final = 3
"""Rounds between two questions for the running count."""
_RUN_ROUNDS: Final = 10_000_000
"""Rounds of the simulation that says what the plan wins."""
_RUN_SEED: Final = 1
_MOST_BET: Final = 10_000


_PLAY: Final = "play"
"""The item of all plays: a question must not say whether an index decides it."""


class ReadyDrill(Drill[Prompt]):
    """Asks what a casino asks. Items are the count, the bet and the play."""

    name = session_plan.READY
    unit = "units"

    def __init__(  # noqa: PLR0913 (each is named in the call)
        self,
        rules: Rules,
        *,
        system: CountSystem,
        indices: Deviations,
        strategy: Strategy,
        ramp: BetRamp,
        bankroll: Fraction | None = None,
        talk: bool = False,
    ) -> None:
        """Simulate what the plan wins by the count; the `bankroll` is in units.

        With `talk` of the dealer every round ends with a question near the count.
        """
        self.talks = talk
        session_plan.refuse_session(rules, system, ramp)
        self.rules = rules
        self.system = system
        self.deviations = indices
        self.strategy = strategy
        self.ramp = ramp
        self.bank = float(session_plan.DEFAULT_BANK if bankroll is None else bankroll)
        self.about = session_plan.name_session(rules, system, indices, ramp, talks=talk)
        run = simulate(
            rules,
            strategy,
            rounds=_RUN_ROUNDS,
            seed=_RUN_SEED,
            count=system,
            ramp=ramp,
            indices=indices,
            engine=Engine.KERNEL,
            watch=lambda _: None,
        )
        self.game = read_rows(run.tally, rules)
        self.betting = bet_by_count(
            self.game, [float(ramp.bet(row.count)) for row in self.game.rows]
        )
        """Results of a round by the plan, in units."""
        self.coach = Coach(rules, cards=Knowledge.SEEN)

    def items(self) -> tuple[Item, ...]:
        """Return the items; a session asks what comes, so that their weights do not matter."""
        keys = (session_plan.Asked.COUNT, session_plan.Asked.BET, _PLAY)
        return tuple(Item(key=key, frequency=1 / len(keys), cost=1.0) for key in keys)

    def ask(self, item: str, rng: random.Random) -> Prompt:
        """Return the first question of a new session: whatever the item, it is the first bet."""
        del item
        seed = rng.getrandbits(64)
        return replace(Session(self, seed).ask_plan(), seed=seed)

    def begin(self, prompt: Prompt) -> Session:
        """Begin the session of a first question."""
        if not isinstance(prompt, session_plan.BetweenPrompt) or prompt.seed is None:
            raise DrillError(f"not the first question of a session: {prompt.item}")
        return Session(self, prompt.seed)

    def check(self, prompt: Prompt, answer: str) -> Feedback:
        """Judge the first bet of a session."""
        return self.begin(prompt).answer(answer)

    def price_bet(self, count: int, bet: Fraction, right: Fraction) -> float:
        """Return what a bet loses against the right one, in units of certainty equivalent."""
        rows = self.game.rows
        row = rows[min(max(count - rows[0].count, 0), len(rows) - 1)]
        one, two = row.moments[:2]

        def worth(units: Fraction) -> float:
            return equivalent(float(units) * one, float(units) ** 2 * two, bank=self.bank)

        return max(worth(right) - worth(bet), 0.0)


class Session:
    """A session at a table: answer until its rounds are over; it is saved after every answer."""

    is_session: Literal[True] = True

    def __init__(self, drill: ReadyDrill, seed: int) -> None:
        self.drill = drill
        self._begin(seed)

    def _begin(self, seed: int) -> None:
        drill = self.drill
        self.seed = seed
        self.judgements: list[session_plan.Judged] = []
        self.rounds = 0
        """Rounds that are over."""
        rng = random.Random(seed)
        self.table = Table(drill.rules, make_shoe(drill.rules, rng))
        self.player = _Planner(
            drill.strategy,
            drill.system,
            rules=drill.rules,
            deviations=drill.deviations,
            ramp=drill.ramp,
        )
        self.player.watch(self.table)
        self._seen = SeenCards(drill.rules)
        self.table.listeners.append(self._seen.hear)
        self._bet = Fraction(0)
        self._is_count_due = False
        self._talk: tuple[str, int] | None = None

    @property
    def is_over(self) -> bool:
        """Whether all rounds were played."""
        return self.rounds >= session_plan.ROUNDS and not self.table.is_playing

    @property
    def state(self) -> RoundState | None:
        """The round in progress, or the last one; None before the first."""
        return self.table.state if self.rounds or self.table.is_playing else None

    @property
    def round(self) -> int:
        """The number of the round that is played, or dealt next."""
        return min(self.rounds + 1, session_plan.ROUNDS)

    def prompt(self) -> Prompt:
        """Return the present question."""
        if self.table.is_playing:
            view = self.table.view()
            return WholeHandPrompt(
                item=_PLAY,
                choices=tuple(map(str, self.table.legal_actions())),
                cards=view.hand.cards,
                upcard=view.upcard,
            )
        return self._ask_number()

    def _ask_number(self) -> NumberPrompt:
        """Return the question between two rounds: the dealer's, the count or the bet."""
        if self._talk is None:
            return self.ask_plan()
        words, number = self._talk
        return session_plan.TalkPrompt(
            item=session_plan.Asked.TALK, right=(Fraction(number),), words=words
        )

    def ask_plan(self) -> session_plan.BetweenPrompt:
        """Return the question for the count, or for the bet."""
        cards, is_fresh = self.drill.rules.full_shoe.size, self.player.is_shuffle_due()
        right = self.player.running if self._is_count_due else self.player.next_bet()
        return session_plan.BetweenPrompt(
            item=session_plan.Asked.COUNT if self._is_count_due else session_plan.Asked.BET,
            right=(right,),
            system=str(self.drill.system),
            round=self.round,
            rounds=session_plan.ROUNDS,
            out=0 if is_fresh else cards - self.player.cards_left,
            shoe=cards,
            is_fresh=is_fresh,
        )

    @property
    def best(self) -> str:
        """The right answer to the present question."""
        if self.table.is_playing:
            return str(self._find_play(self.table.view(), self.table.legal_actions())[0])
        return write_number(self._ask_number().right[0])

    def answer(self, text: str) -> Feedback:
        """Judge an answer, and play it."""
        prompt = self.prompt()
        if prompt.choices:
            action = read_answer(prompt, text)
            feedback, asked = self._judge_play(action)
        else:
            number, asked = read_number(text), session_plan.Asked(prompt.item)
            if asked is session_plan.Asked.BET:
                feedback = self._judge_bet(number)
            else:
                feedback = self._judge_number(number, self._ask_number().right[0])
        cost = feedback.cost if feedback.unit == self.drill.unit else 0.0
        self.judgements.append(
            session_plan.Judged(feedback.answer, self.round, asked, feedback.grade, cost)
        )
        self._place(feedback.answer)
        return feedback

    def _place(self, text: str) -> None:
        """Bet or play, and deal on to the next question."""
        if self.table.is_playing:
            self.table.act(Action(text))
        elif self._talk is not None:
            self._talk = None
            return
        elif self._is_count_due:
            self._is_count_due = False
            return
        else:
            self._bet = Fraction(text)
            self.table.start((self._bet,))
        if not self.table.is_playing:
            self.rounds += 1
            self._seen.finish_round(self.table.state.dealer)
            self.player.finish_round(self.table.state.dealer)
            is_turn = self.rounds % COUNT_EVERY == 0 and not self.is_over
            self._is_count_due = is_turn and not self.player.is_shuffle_due()
            if self.drill.talks and not self.is_over:
                rng = random.Random(f"{self.seed} {self.rounds}")
                self._talk = session_plan.make_talk(self.player.running, rng)

    def _judge_number(self, number: Fraction, right: Fraction) -> Feedback:
        return Feedback(
            is_right=number == right,
            answer=str(number),
            right=write_number(right),
            cost=float(abs(number - right)),
            unit="counts off",
        )

    def _judge_bet(self, bet: Fraction) -> Feedback:
        if not 0 < bet <= _MOST_BET:
            msg = f"a bet of {format_chips(bet)}: bet more than 0 units, and at most {_MOST_BET}"
            raise DrillError(msg)
        player, ramp = self.player, self.drill.ramp
        count, right = player.bet_count(), player.next_bet()
        is_close = bet != right and bet in {ramp.bet(near) for near in player.near_bet_counts()}
        at = f"running count {with_minus(write_number(player.betting))}"
        at = "the cards are shuffled" if player.is_shuffle_due() else at
        left = "" if player.is_shuffle_due() else f", {player.cards_left} cards left"
        reason = f"The ramp bets {write_number(right)} at {count:+d}: {at}{left}."
        return self._value(
            is_right=bet == right,
            is_close=is_close,
            answer=str(bet),
            right=write_number(right),
            cost=lambda: self.drill.price_bet(count, bet, right),
            reason=reason,
        )

    def _find_play(
        self, view: TableView, legal: tuple[Action, ...]
    ) -> tuple[Action, set[Action], str, session_plan.Asked]:
        """Return the right answer, those of the plan within half a deck, why, and what is asked."""
        near = self.player.decide_near(view, legal)
        planned = right = self.player.decide(view, legal)
        why = self.player.last_reason
        asked, reason = session_plan.Asked.CHART, f"The plan is {why}."
        if why is not None and why.insurance is not None:
            asked = session_plan.Asked.INSURANCE
        elif len(near) > 1 or (why is not None and why.deviation is not None):
            asked = session_plan.Asked.INDEX
        if asked is not session_plan.Asked.CHART and why is not None:

            def look_up(end: Fraction) -> Advice:
                return self._advise(view, legal, float(end))

            right = decide_by_values(self.player.system, why.count, planned, look_up)
        if right is not planned:
            reason += f" Its index is of another game: here {right} is better."
        return right, near, reason, asked

    def _judge_play(self, action: Action) -> tuple[Feedback, session_plan.Asked]:
        view, legal = self.table.view(), self.table.legal_actions()
        right, near, reason, asked = self._find_play(view, legal)
        feedback = self._value(
            is_right=action is right,
            is_close=action is not right and action in near,
            answer=str(action),
            right=str(right),
            cost=lambda: self._price_play(view, legal, right, action),
            reason=reason,
        )
        return feedback, asked

    def _advise(self, view: TableView, legal: tuple[Action, ...], count: float) -> Advice:
        """Value the answers with the shoe to be expected at a count."""
        coach = self.drill.coach
        question, seen = read_question(view, legal), coach.compose(view, self._seen.look())
        shoe = expected_composition(question, seen, self.player.system, count)
        return coach.advise_on(question, seen if shoe is None else shoe)

    def _value(  # noqa: PLR0913 (what feedback is made of)
        self,
        *,
        is_right: bool,
        is_close: bool,
        answer: str,
        right: str,
        cost: Callable[[], float],
        reason: str,
    ) -> Feedback:
        if is_close:
            reason += " With half a deck more or less, yours is right: a close call."
        return Feedback(
            is_right=is_right,
            neither=CLOSE if is_close else "",
            answer=answer,
            right=right,
            cost=0.0 if is_right or is_close else cost(),
            unit=self.drill.unit,
            reason=reason,
        )

    def _price_play(
        self, view: TableView, legal: tuple[Action, ...], right: Action, action: Action
    ) -> float:
        """Return the EV lost with the shoe to be expected at the count, in units."""
        count = 0 if self.player.last_reason is None else self.player.last_reason.count
        ev = self._advise(view, legal, count).ev
        if not {right, action} <= set(ev):  # without an exact value it has no price
            return 0.0
        return cost_of(ev[right], ev[action]) * float(self._bet) if ev[right] > ev[action] else 0.0

    def save(self, feedback: Feedback, memory: DrillMemory) -> None:
        """Save the session with its last answer, and the feedback that it got.

        Raises: DrillError if another terminal has continued it.
        """
        last = self.judgements[-1]
        self.judgements[-1] = last._replace(grade=feedback.grade)
        memory.save_session(self.drill.about, self.seed, self.judgements)

    def resume(self, memory: DrillMemory) -> None:
        """Continue the saved session of this plan, if there is one that is not over.

        One that no longer fits, as another version deals or plays differently, is begun again.
        """
        found, fresh = memory.load_session(self.drill.about), self.seed
        if found is None:
            return
        try:
            self._replay(*found)
        except (BlackjackError, ValueError):
            self._begin(fresh)
        if self.is_over:
            self._begin(fresh)

    def _replay(self, seed: int, judged: Sequence[session_plan.Judged]) -> None:
        self._begin(seed)
        for one in judged:
            cost = one.cost
            if (
                one.asked is session_plan.Asked.BET and not self.table.is_playing
            ):  # by the bankroll of today
                bet, right = Fraction(one.text), self.player.next_bet()
                cost = self.drill.price_bet(self.player.bet_count(), bet, right)
            is_priced = one.grade not in ("right", "late", CLOSE)
            self._place(one.text)
            self.judgements.append(one._replace(cost=cost if is_priced else 0.0))


class _Planner(CountingPlayer):
    """The plan, and what it says if the decks left are estimated half a deck off."""

    def is_shuffle_due(self) -> bool:
        """Whether the cards are shuffled before the next deal."""
        return self._shoe.is_shuffle_due(self._table)

    def near_bet_counts(self) -> set[int]:
        """Return the counts for bets by estimates within half a deck."""
        if self.is_shuffle_due():
            return {self.bet_count()}
        return {self._shoe.count.bet_count(left) for left in self._near()}

    def decide_near(self, view: TableView, legal: tuple[Action, ...]) -> set[Action]:
        """Return the answers by estimates within half a deck."""
        there, found = self._shoe.cards_left, set()
        for left in self._near():
            self._shoe.cards_left = left
            found.add(self.decide(view, legal))
        self._shoe.cards_left = there
        return found

    def _near(self) -> tuple[int, ...]:
        half, left = self.system.deck_size // 2, self.cards_left
        return max(left - half, half), left, min(left + half, self._shoe.cards)
