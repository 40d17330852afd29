"""Drills of play: basic strategy, deviations, and whole hands, judged by exact values."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal

from upcard.coach import adviser
from upcard.coach.judgement import Advice, Judgement
from upcard.coach.reasons import expected_composition, explain, thin
from upcard.core.actions import Action, parse_action
from upcard.core.cards import ACE, TEN, Card
from upcard.core.errors import IllegalActionError
from upcard.core.numbers import fields_of
from upcard.drills import drill
from upcard.drills.counting_drills import refuse_infinite
from upcard.drills.hand_prompts import DeviationPrompt, HandPrompt, WholeHandPrompt
from upcard.exact.solver_results import cost_of
from upcard.players.question import HandClass, Question
from upcard.players.seen_cards import require_upcard
from upcard.rules.model import Rules
from upcard.rules.settings import HoleCard, Surrender
from upcard.strategy.chart import Strategy
from upcard.strategy.count_system import CountSystem
from upcard.table.rounds import Table
from upcard.table.shoe import InfiniteShoe, ScriptedShoe
from upcard.table.state import Phase, RoundState, order_deal

if TYPE_CHECKING:
    from upcard.strategy.deviations import Deviation, Deviations


_OBVIOUS: Final = 0.15
_BY_LETTER: Final = {"p": Action.SPLIT, "r": Action.SURRENDER, "s": Action.STAND}
_WHO: Final = "drill of deviations"
_NEAR: Final = (-3, -2, -1, 0, 1, 2)
"""Distances from its index at which a play is asked."""
_INSURANCE: Final = "insurance"
_EQUAL: Final = 1e-9
"""Values that differ less are equal."""


class StrategyDrill(drill.Drill[HandPrompt]):
    """Asks for the play of opening hands of a fresh shoe. An item is a cell of the chart."""

    name = "strategy"
    share: float

    def __init__(self, rules: Rules, classes: Iterable[HandClass | str] = drill.CLASSES) -> None:
        wanted = tuple(dict.fromkeys(map(drill.read_class, classes)))
        self.rules = self.chart_rules = rules
        self.about = str(rules)  # classes share their progress
        self.classes = tuple(one for one in drill.CLASSES if one in wanted)
        found: dict[str, list[adviser.ValuedOpening]] = {}
        for opening in adviser.list_openings(rules):
            # If no answer costs anything, there is nothing to learn.
            if opening.hand_class in self.classes and opening.slip > 0:
                found.setdefault(f"{opening.hand_class} {opening.cell}", []).append(opening)
        if not found:
            named = " or ".join(self.classes) or "no class"
            raise drill.DrillError(f"a drill of {named}: {rules} ask no such question")
        self._openings = found
        self._items = _weigh(found)
        self.share = sum_shares(one for cell in found.values() for one in cell)

    def items(self) -> tuple[drill.Item, ...]:
        """Return the cells of the drill; frequencies sum to 1."""
        return self._items

    def ask(self, item: str, rng: random.Random) -> HandPrompt:
        """Deal a hand of a cell, by its chance."""
        opening = choose_opening(self._openings, item, rng)
        cards = opening.situation.cards
        if rng.random() < 0.5:
            cards = (cards[1], cards[0])
        return HandPrompt(
            item=item,
            choices=tuple(map(str, opening.question.legal)),
            cards=cards,
            upcard=opening.situation.upcard,
            hole=opening.situation.hole,
        )

    def check(self, prompt: HandPrompt, answer: str) -> drill.Feedback:
        """Judge an action by its exact value."""
        action = read_answer(prompt, answer)
        if prompt.upcard is None:
            raise drill.DrillError(f"not a question of this drill: {prompt.item}")
        advice = adviser.advise_opening(self.rules, prompt.cards, *prompt.dealer)
        return give_feedback(advice, advice.judge(action))


def choose_opening(
    openings: dict[str, list[adviser.ValuedOpening]], item: str, rng: random.Random
) -> adviser.ValuedOpening:
    """Return one of the openings of an item, by its frequency."""
    if item not in openings:
        raise drill.DrillError(f"no item is called {item!r} in this drill")
    weights = [opening.situation.frequency for opening in openings[item]]
    return rng.choices(openings[item], weights=weights)[0]


def give_feedback(advice: Advice, judgement: Judgement) -> drill.Feedback:
    """Return the feedback to an answer that was judged by exact values."""
    return drill.Feedback(
        is_right=judgement.is_right,
        answer=str(judgement.chosen),
        right=str(judgement.best),
        cost=judgement.cost,
        reason=explain(advice, judgement.chosen).sentence,
        judgement=judgement,
        ev=tuple((str(one), ev) for one, ev in advice.ev.items()),
    )


def read_answer(prompt: drill.Prompt, answer: str) -> Action:
    """Read an action, by its word or its first letter where that is unique."""
    word = answer.strip().lower()
    by_letter = [choice for choice in prompt.choices if word and choice[0] == word]
    named = _BY_LETTER.get(word)
    if named in prompt.choices:
        by_letter = [named]
    try:
        action = parse_action(by_letter[0] if len(by_letter) == 1 else word)
    except IllegalActionError:
        action = None
    if action is None or action not in prompt.choices:
        msg = f"{answer!r} is not an answer here: write one of {', '.join(prompt.choices)}"
        raise drill.DrillError(msg)
    return action


def _weigh(found: dict[str, list[adviser.ValuedOpening]]) -> tuple[drill.Item, ...]:
    """Add up the hands of a cell; the frequencies of a drill sum to 1."""
    total = sum_shares(opening for cell in found.values() for opening in cell)
    items = []
    for key, openings in found.items():
        share = sum_shares(openings)
        lost = math.fsum(opening.situation.frequency * opening.slip for opening in openings)
        offer, _, cell = key.partition(" ")
        name = f"{cell}: {offer}?" if offer == HandClass.SURRENDER else key
        item = make_item(key, share / total, lost / share)
        items.append(replace(item, name=name, cell=cell))
    return tuple(items)


def sum_shares(openings: Iterable[adviser.ValuedOpening]) -> float:
    """Return the share of all opening hands that some of them have."""
    return math.fsum(opening.situation.frequency for opening in openings)


def make_item(key: str, frequency: float, cost: float) -> drill.Item:
    """Make an item whose likeliest mistake costs this EV.

    Its `prior` is a rough start until there are answers: even odds if the mistake costs nothing,
    and a third of that for each `_OBVIOUS` of a bet; hitting a 20, for example, is very unlikely.
    """
    prior = 0.5 * math.exp(-cost / _OBVIOUS)
    return drill.Item(key=key, frequency=frequency, cost=cost, prior=prior)


def decide_by_values(
    system: CountSystem, count: int, by_set: Action, look_up: Callable[[Fraction], Advice | None]
) -> Action:
    """Return the answer of a set of index plays if it is best within its count, else the best one.

    `look_up` values the answers at a count that is not rounded; None if no shoe has it.
    """
    best: Action | None = None
    for end in system.bin_of(count):
        advice = look_up(end)
        if advice is None or by_set not in advice.ev:
            continue
        highest = max(advice.ev.values())
        if highest - advice.ev[by_set] <= _EQUAL:
            return by_set
        best = best or next(one for one, ev in advice.ev.items() if ev == highest)
    return best or by_set


class DeviationDrill(drill.Drill[DeviationPrompt]):
    """Asks for plays near their index. An item is a play of the set, or insurance.

    The right answer is the set's play, applied to the chart, where that is best anywhere within the
    counts that are rounded to the one of the question. Elsewhere the set is for another game, and
    the answer of the highest value is right. Values are those of the expected shoe at that count,
    half of it dealt: a named approximation.
    """

    name = "deviations"

    def __init__(
        self, rules: Rules, *, system: CountSystem, indices: Deviations, strategy: Strategy
    ) -> None:
        refuse_infinite(rules, _WHO)
        require_upcard(rules, _WHO)
        system.require_deck(rules)
        indices.require_system(system)
        self.rules = rules
        self.system = system
        self.deviations = indices
        self.strategy = strategy
        self.about = f"{rules} {system} {indices.name}"
        self.note = indices.note_game(rules) or ""
        self._plays: dict[str, Deviation] = {}
        self._openings: dict[str, list[adviser.ValuedOpening]] = {}
        self._sort_openings()
        self._items = self._weigh()
        self._asked: dict[tuple[str, tuple[Card, ...], Card, Fraction], Advice | None] = {}

    def items(self) -> tuple[drill.Item, ...]:
        """Return the plays of the drill; frequencies sum to 1."""
        return self._items

    def ask(self, item: str, rng: random.Random) -> DeviationPrompt:
        """Deal a hand of a play, at a count near its index."""
        situation = choose_opening(self._openings, item, rng).situation
        count = self._index(item) + rng.choice(_NEAR)
        question = self._pose(item, situation)
        play = self._plays.get(item)
        return DeviationPrompt(
            item=item,
            choices=tuple(map(str, question.legal)),
            cards=situation.cards,
            upcard=situation.upcard,
            system=str(self.system),
            count=count,
            index=self._index(item),
            holds=None if play is None else play.holds(count),
        )

    def check(self, prompt: DeviationPrompt, answer: str) -> drill.Feedback:
        """Judge an action by the indices, and its cost by the expected shoe."""
        action = read_answer(prompt, answer)
        if prompt.upcard is None:
            raise drill.DrillError(f"not a question of this drill: {prompt.item}")
        count = prompt.count
        question = self._question(prompt.item, prompt.cards, prompt.upcard)
        by_set = self._decide(question, count)
        advice = self._look_up(prompt.item, question, Fraction(count))

        def look_up(end: Fraction) -> Advice | None:
            return self._look_up(prompt.item, question, end)

        right = decide_by_values(self.system, count, by_set, look_up)
        cost = 0.0
        if action is not right and advice is not None and {action, right} <= set(advice.ev):
            cost = cost_of(advice.ev[right], advice.ev[action])
        return drill.Feedback(
            is_right=action is right,
            answer=str(action),
            right=str(right),
            cost=cost,
            note="" if right is by_set else self._explain(by_set, right),
            ev=() if advice is None else tuple((str(one), ev) for one, ev in advice.ev.items()),
        )

    def _look_up(self, item: str, question: Question, count: Fraction) -> Advice | None:
        key = (item, question.cards, question.upcard, count)
        if key not in self._asked:
            self._asked[key] = self._advise(question, count)
        return self._asked[key]

    def _explain(self, by_set: Action, right: Action) -> str:
        named = self.deviations.name or "the set"
        made = self.deviations.games
        why = f"is made for {made}" if made else "is not made for this shoe"
        return f"{named} says {by_set}, but {why}: here {right} is better."

    def _sort_openings(self) -> None:
        """Find the hands that each play acts on."""
        openings = adviser.list_openings(self.rules)
        for play in self.deviations.plays:
            key = str(play)
            self._plays[key] = play
            of_cell = [one for one in openings if one.cell == play.cell]
            hands = [one for one in of_cell if play.action in self._pose(key, one.situation).legal]
            if hands:
                self._openings[key] = hands
        faces_ace = [one for one in openings if one.situation.upcard.rank == ACE]
        if self.deviations.insurance is not None and self.rules.insurance and faces_ace:
            self._openings[_INSURANCE] = faces_ace
        if not self._openings:
            msg = f"the rules {self.rules} ask about none of {self.deviations.name}"
            raise drill.DrillError(msg)

    def _index(self, item: str) -> int:
        if item == _INSURANCE:
            return self.deviations.insurance or 0
        return self._plays[item].index

    def _question(self, item: str, cards: tuple[Card, ...], upcard: Card) -> Question:
        # A hand that surrenders does not show whether it would hit or stand.
        play, rules = self._plays.get(item), self.rules
        if play is not None and play.action is not Action.SURRENDER:
            rules = rules.replace(surrender=Surrender.NONE)
        question = adviser.pose(rules, cards, upcard)
        if item != _INSURANCE:
            return question
        legal = (Action.INSURANCE, Action.NO_INSURANCE)
        return replace(question, phase=Phase.INSURANCE, legal=legal, has_looked=False)

    def _pose(self, item: str, situation: adviser.OpeningHand) -> Question:
        return self._question(item, situation.cards, situation.upcard)

    def _decide(self, question: Question, count: int) -> Action:
        if question.phase is Phase.INSURANCE:
            takes = self.deviations.takes_insurance(self.strategy, count)
            return Action.INSURANCE if takes else Action.NO_INSURANCE
        return self.deviations.decide(
            self.strategy,
            total=question.total,
            is_soft=question.is_soft,
            pair_rank=question.pair,
            upcard=question.upcard.rank,
            doubles=question.doubles,
            count=count,
            legal=question.legal,
        )

    def _advise(self, question: Question, count: Fraction | int) -> Advice | None:
        fresh = adviser.compose_fresh(self.rules, question.cards, question.upcard)
        shoe = expected_composition(question, thin(question, fresh), self.system, float(count))
        return None if shoe is None else adviser.Coach(question.rules).advise_on(question, shoe)

    def _weigh(self) -> tuple[drill.Item, ...]:
        """Weight each play by the frequency of its hands, and by its gain past its index."""
        shares = {key: sum_shares(openings) for key, openings in self._openings.items()}
        total = math.fsum(shares.values())
        return tuple(
            make_item(key, share / total, self._gain(key)) for key, share in shares.items()
        )

    def _gain(self, item: str) -> float:
        """Return the gain of the play two counts past its index, in its most frequent hand."""
        common = max(self._openings[item], key=lambda one: one.situation.frequency).situation
        question = self._pose(item, common)
        play = self._plays.get(item)
        past = 2 if play is None or play.at_or_above else -3
        advice = self._advise(question, self._index(item) + past)
        if advice is None or len(advice.ev) < 2:
            return 0.0
        best, second = sorted(advice.ev.values(), reverse=True)[:2]
        return cost_of(best, second)


_DECLINED = (Action.NO_INSURANCE, Action.NO_EVEN_MONEY)
_INFINITE_SUPPLY = 64


class HandDrill(StrategyDrill):
    """Asks for every decision of a hand, until it is over. An item is the cell of its opening.

    A prompt of `ask` holds the seed of its shoe: `begin` deals it, and the round continues.
    `check` judges the opening decision alone, as the strategy drill does.
    """

    name = "hands"

    def __init__(self, rules: Rules, classes: Iterable[HandClass | str] = drill.CLASSES) -> None:
        super().__init__(rules, classes)
        self._coach = adviser.Coach(rules)

    def ask(self, item: str, rng: random.Random) -> WholeHandPrompt:
        """Deal an opening of a cell, and fix the cards that will follow."""
        asked = super().ask(item, rng)
        return WholeHandPrompt(**fields_of(asked), seed=rng.getrandbits(64))

    def begin(self, prompt: HandPrompt) -> PlayedHand:
        """Deal the hand of a question."""
        if not isinstance(prompt, WholeHandPrompt):
            raise drill.DrillError(f"not the opening of a hand: {prompt.item}")
        return PlayedHand(self._coach, prompt)


class PlayedHand:
    """A hand in play: answer until it is over; every answer is judged."""

    is_session: Literal[False] = False

    def __init__(self, coach: adviser.Coach, prompt: WholeHandPrompt) -> None:
        if prompt.upcard is None or len(prompt.cards) != 2:
            raise drill.DrillError(f"not the opening of a hand: {prompt.item}")
        self._coach = coach
        self._item = prompt.item
        rng = random.Random(prompt.seed)
        self._table = deal_opening(coach.rules, prompt.cards, prompt.dealer, rng)
        self.judgements: list[Judgement] = []
        self._advice: Advice | None = None

    @property
    def is_over(self) -> bool:
        """Whether there are no more questions."""
        return not self._table.legal_actions()

    @property
    def state(self) -> RoundState:
        """The state of the round."""
        return self._table.state

    @property
    def cost(self) -> float:
        """The cost of all mistakes of the hand, per initial bet."""
        return math.fsum(judgement.cost for judgement in self.judgements)

    @property
    def best(self) -> str:
        """The right answer to the present question."""
        return str(self.advice().best)

    def advice(self) -> Advice:
        """Return the values of the answers to the present question; computed on request."""
        if self._advice is None:
            legal = self._table.legal_actions()
            self._advice = self._coach.advise(self._table.view(), legal)
        return self._advice

    def prompt(self) -> WholeHandPrompt:
        """Return the present question."""
        view = self._table.view()
        return WholeHandPrompt(
            item=self._item,
            choices=tuple(map(str, self._table.legal_actions())),
            cards=view.hand.cards,
            upcard=view.upcard,
            hole=view.hole,
        )

    def answer(self, text: str) -> drill.Feedback:
        """Judge an answer, and play it."""
        action = read_answer(self.prompt(), text)
        advice = self.advice()
        judgement = advice.judge(action)
        self.judgements.append(judgement)
        self._advice = None
        self._table.act(action)
        return give_feedback(advice, judgement)


def deal_opening(
    rules: Rules, hand: tuple[Card, ...], dealer: tuple[Card, ...], rng: random.Random
) -> Table:
    """Return a table with this hand dealt against the dealer's shown cards, insurance declined.

    The cards get suits, and a ten any face that the rules treat alike: later cards come from the
    rest of the same shoe.
    """
    table = Table(rules, ScriptedShoe(_stack(rules, hand, dealer, rng)))
    table.start()
    while declined := [one for one in _DECLINED if one in table.legal_actions()]:
        table.act(declined[0])
    return table


def _stack(
    rules: Rules, hand: tuple[Card, ...], dealer: tuple[Card, ...], rng: random.Random
) -> list[Card]:
    """Return a shuffled shoe that deals this hand and the dealer's cards first.

    If the dealer peeks before the first question, the dealer has no natural.
    """
    found, rest = _take_out(rules, (*hand, *dealer), rng)
    wanted, (shown, *hole) = found[: len(hand)], found[len(hand) :]
    if hole:
        rest[:0] = hole
    elif rules.hole_card is HoleCard.PEEK:
        hidden = enumerate(card.rank for card in rest)
        place = next(at for at, rank in hidden if {shown.rank, rank} != {ACE, TEN})
        rest[0], rest[place] = rest[place], rest[0]
    left = iter(rest)
    return [*order_deal(rules, wanted, shown, left), *left]


def _take_out(
    rules: Rules, wanted: tuple[Card, ...], rng: random.Random
) -> tuple[list[Card], list[Card]]:
    """Take cards out of a shuffled shoe: return these cards of the shoe, and the rest."""
    if rules.is_infinite:
        shoe = InfiniteShoe(rules, rng)
        out = [card if card.suit else drill.dress(card, rules, rng) for card in wanted]
        return out, [shoe.draw() for _ in range(_INFINITE_SUPPLY)]
    rest = list(rules.full_shoe.cards)
    rng.shuffle(rest)
    out = []
    for card in wanted:
        out.append(next(one for one in rest if drill.stands_for(card, one)))
        rest.remove(out[-1])
    return out, rest
