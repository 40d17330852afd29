"""Values of the answers to a hand, their reasons, what would change them, and verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

from upcard.analysis.grades import Grade, grade_of
from upcard.answers.questions import SHOE, SPLITS, Sheet
from upcard.coach.judgement import Advice, Judgement, write_verdict
from upcard.core import figure
from upcard.core.actions import Action
from upcard.core.cards import ACE, TEN, Card, Rank, parse_cards, rank_name, read_rank, write_face
from upcard.core.errors import NotationError, as_sentence
from upcard.core.fields import Field, FieldClashError
from upcard.core.figure import AnswerTable, Displayed, Figure, make_figure, write_ev, write_percent
from upcard.core.hands import hand_table
from upcard.core.number_texts import read_whole
from upcard.core.numbers import count_of, fields_of, with_minus
from upcard.exact import composition, solver_results
from upcard.exact.insurance import insurance_ev
from upcard.exact.solver_results import cost_of, rank_answers, write_cost
from upcard.exact.supported_rules import QUICK_PLAYS, SplitPlay, choose_engine
from upcard.players.question import Question
from upcard.rules import predicates, settings
from upcard.rules.model import Rules
from upcard.rules.payoffs import pays_by_suit
from upcard.table.state import Phase

if TYPE_CHECKING:
    from upcard.coach.adviser import Coach
    from upcard.players.seen_cards import Composition

_DIGITS: Final = 6
_MOST_IN_HAND: Final = 12
_MOST_REMOVED: Final = 400
_FEWER: Final = 4
"""Digits of a value where it stands in a sentence, or where room is short."""
_LONGEST_BAR: Final = 100
_LONGEST_COST: Final = 0.5
"""Cost of an answer whose bar is the longest, in initial bets."""
_COMPOSITION: Final = "composition: "
VALUE_UNIT: Final = "of a bet"
"""Unit of the values of answers: initial bets."""
_AGAINST: Final = ("v", "vs", "v.", "vs.", "against")
_ONE_CARD: Final = re.compile(r"(?:10|[0-9TJQKA])[CDHS]?", re.IGNORECASE)
"""A hand of one card is not a hand, so that `8 T` without a v says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerValue:
    """The value of one answer."""

    action: str
    """The answer: `hit`, `stand`, `double`, `split`, `surrender`, `insurance` and so on."""
    ev: float
    """EV per initial bet."""
    text: str
    """The EV with its sign: `−0.534676`."""
    cost: float
    """EV that is lost against the best answer; 0 for the best."""
    cost_text: str
    """The cost, with digits enough to tell it from 0; `best` for the best answer."""
    is_best: bool
    """Whether it is the best answer; one only, also where two are equal."""
    grade: Grade
    """Grade of its cost: `right`, `slip`, `mistake` or `blunder`."""

    @property
    def short(self) -> str:
        """The EV with four decimals."""
        return write_ev(self.ev, _FEWER)

    @property
    def short_cost(self) -> str:
        """The cost with four decimals, more if it needs them."""
        return write_cost(self.cost, _FEWER, is_best=self.is_best)

    @property
    def bar(self) -> float:
        """Length of the bar of its cost: 100 for half a bet or more, 0 for the best answer."""
        return draw_cost(self.cost)


def draw_cost(cost: float) -> float:
    """Return the length of the bar of a cost, up to 100; the best answer has none."""
    return round(min(_LONGEST_BAR * cost / _LONGEST_COST, _LONGEST_BAR), 1)


def list_values(ev: Mapping[Action, float], best: Action) -> tuple[AnswerValue, ...]:
    """Return the value of each answer, the best first."""
    most = max(ev.values())
    costs = {action: cost_of(most, value) for action, value in ev.items()}
    return tuple(
        AnswerValue(
            action=action,
            ev=ev[action],
            text=write_ev(ev[action], _DIGITS),
            cost=costs[action],
            cost_text=write_cost(costs[action], _DIGITS, is_best=action is best),
            is_best=action is best,
            grade=grade_of(costs[action]),
        )
        for action in rank_answers(ev, best)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerChances:
    """Chances of a hand's result by one answer; a hit is followed by the best play."""

    win: float
    """Chance to win, 0 to 1."""
    push: float
    """Chance of a push, 0 to 1."""
    lose: float
    """Chance to lose, 0 to 1."""
    text: str
    """The chances in percent: `win 23.0%, push 0.0%, lose 77.0%`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerChance:
    """A final result of the dealer that is possible, and its chance."""

    name: str
    """`17` to `21`, `natural` or `bust`; `under 17` where the dealer may stop there."""
    chance: float
    """Chance of it, 0 to 1."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedAnswer:
    """A change of the rules or the count, and the best answer with it."""

    what: str
    """The change: `one deck more`, `hi-lo +1 and above`."""
    best: str
    is_other: bool
    """Whether another answer is best with it."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The coach's verdict on one answer."""

    situation: str
    """The situation as a chart names it, `hard 16 v T`; the cards without a value."""
    action: str
    best: str | None = None
    """The best answer; None if no value is known."""
    grade: Grade | None = None
    """`right`, `slip`, `mistake` or `blunder`; None if no value is known."""
    cost: float | None = None
    """EV lost, 0 for a best answer; None if no value is known."""
    cost_chips: float | None = None
    """The same in chips."""
    is_mistake: bool = False
    """Whether another answer was worth more."""
    text: str = ""
    """The hand, the answer, the better one and the cost; empty if no value is known."""
    reason: str
    """Why the best answer is best, or why no value is known."""

    @property
    def is_known(self) -> bool:
        """Whether the answer has a value."""
        return self.best is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandAnswer(Displayed):
    """Values of the answers to a hand, with all that they rest on."""

    question: str
    """The hand and the upcard in words: `Hard 16 against 10`."""
    hand: str
    """The cards of the hand, `T 6`, or a total, `16`."""
    upcard: str
    """The dealer's upcard, `T`."""
    hole: str | None
    """The dealer's hole card; None unless it is seen."""
    rules: str
    shoe: str
    """The cards that the values go by."""
    splits: str
    """How split hands are played: `CDZ-` and so on; empty if the hand may not split."""
    best: str
    sentence: str
    """The question, the best answer and its value."""
    answers: tuple[AnswerValue, ...]
    missing: dict[str, str] = field(default_factory=dict)
    """Answers without an exact value, each with the reason."""
    is_conditional: bool
    """Whether the values are given that the dealer has looked and has no natural."""
    figures: tuple[Figure, ...] = ()
    """Chance of a dealer's natural, EV of insurance and of even money, where they matter."""
    dealer: tuple[DealerChance, ...] = ()
    """The dealer's possible final results; empty if they were not asked for."""
    chances: dict[str, AnswerChances] = field(default_factory=dict)
    """Chances by answer, where they are known and were asked for."""
    reason: str = ""
    """Why the best answer is best, or better than the one given; empty if it was not asked for."""
    verdict: Verdict | None = None
    """The verdict on the answer that was given; None if none was given, or without a value."""
    changes: tuple[ChangedAnswer, ...] | None = None
    """Changes that were tried, and the best answer with each; None if none were asked for."""
    assumptions: tuple[str, ...]
    """Assumptions of the values, a sentence each."""
    approximations: tuple[str, ...] = ()
    """Approximations in the values, a sentence each; empty if all are exact."""

    @property
    def dealer_cards(self) -> str:
        """The dealer's known cards: `T`, `T 6` where the hole card is seen."""
        return self.upcard if self.hole is None else f"{self.upcard} {self.hole}"

    @property
    def given(self) -> tuple[str, ...]:
        """The assumptions and approximations."""
        return (*self.assumptions, *self.approximations)

    @property
    def likeliest(self) -> float:
        """Chance of the dealer's likeliest result."""
        return max((one.chance for one in self.dealer), default=1.0)

    @property
    def values(self) -> str:
        """The values in a line: `hit −0.5347 (best), stand −0.5410 of a bet`."""
        known = [f"{one.action} {one.short}{' (best)' * one.is_best}" for one in self.answers]
        words = f"{', '.join(known)} {VALUE_UNIT}"
        return ", ".join([words, *(f"{action} not known" for action in self.missing)])

    def table(self) -> AnswerTable:
        """Return the answers, the best first."""
        rows = ((str(one.action), one.ev, one.cost_text, one.cost) for one in self.answers)
        return self._tabulate(solver_results.ANSWER_COLUMNS, rows)

    def _tabulate(
        self, columns: Iterable[figure.TableColumn], rows: Iterable[tuple[figure.Value, ...]]
    ) -> AnswerTable:
        about = figure.caption(self.rules, shoe=self.shoe)
        return figure.make_table(f"{self.hand} v {self.dealer_cards}", columns, rows, about)


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalAnswer(HandAnswer):
    """The value of a total: its hands of two cards, weighed by their chances."""

    play: str
    """The best play of the total by a chart: `surrender, else stand`."""
    play_text: str
    """The best play as sentences, with what its mark and the total's row mean."""
    hands: tuple[HandAnswer, ...]
    """Each hand of two cards that makes the total."""

    def table(self) -> AnswerTable:
        """Return the answers of the total's hands, its own last."""
        lines = (*self.hands, self)
        named = (one.action for each in (self, *self.hands) for one in each.answers)
        actions = dict.fromkeys(named)
        evs = [{one.action: one.ev for one in line.answers} for line in lines]
        columns = (*map(figure.text, ("hand", "best")), *map(figure.ev, actions))
        rows = (
            (line.hand, str(line.best), *map(ev.get, actions))
            for line, ev in zip(lines, evs, strict=True)
        )
        return self._tabulate(columns, rows)


def answer_hand(value: solver_results.HandValue) -> HandAnswer:
    """Return the answer of the exact solver."""
    ranks, rules = composition.read_hand(value.hand)[0], value.rules
    known = filter(None, (value.upcard, value.hole))
    question = _name_question(rules, ranks, [read_rank(card, "card") for card in known])
    splits = str(value.splits) if {*value.ev, *value.missing} & {Action.SPLIT} else ""
    return HandAnswer(
        question=question,
        **fields_of(value, "hand", "upcard", "hole", "shoe", "best", "is_conditional"),
        rules=str(rules),
        splits=splits,
        sentence=_write_sentence(question, value.best, value.ev),
        answers=list_values(value.ev, value.best),
        missing=_by_name(value.missing),
        figures=tuple(
            _list_figures(value.natural_probability, value.insurance_ev, value.even_money_ev)
        ),
        dealer=_list_results(value.dealer),
        assumptions=tuple(
            _assume(
                rules,
                value.missing,
                natural=value.natural_probability,
                is_conditional=value.is_conditional,
                splits=splits if Action.SPLIT in value.ev else "",
                offers=_name_offers(value),
                is_natural=sorted(ranks) == [ACE, TEN],
                sees_hole=value.hole is not None,
            )
        ),
    )


def answer_total(
    total: str, values: Sequence[solver_results.HandValue], ev: Mapping[Action, float], cell: str
) -> TotalAnswer:
    """Return the answer to a hard total: `values` of its hands, its own `ev`, its chart's cell."""
    from upcard.charts import facts, layout

    hands = tuple(map(answer_hand, values))
    first, best = hands[0], solver_results.best_action(ev)
    of_splits = next((one for one in values if Action.SPLIT in one.ev), values[0])
    basis = answer_hand(replace(of_splits, insurance_ev=None))
    play = layout.MARKS[cell].words
    question = f"Hard {total} against {write_face(read_rank(first.upcard, 'upcard'))}"
    return TotalAnswer(
        question=question,
        hand=total,
        **fields_of(first, "upcard", "hole", "rules", "shoe", "is_conditional"),
        splits=basis.splits,
        best=best,
        sentence=_write_sentence(question, best, ev),
        answers=list_values(ev, best),
        assumptions=basis.assumptions,
        play=play,
        play_text=" ".join(
            (
                f"{play}.",
                *facts.explain_marks(((cell,),)),
                f"The row {total} weighs its hands by their chances, without a pair.",
            )
        ),
        hands=hands,
    )


def read_dealt(text: str) -> tuple[str, str]:
    """Read a hand and the upcard, as in `T6 v 9`. Raises: NotationError."""
    parts = text.split()
    places = [place for place, word in enumerate(parts) if word.lower() in _AGAINST]
    if not places and len(parts) > 1 and not _ONE_CARD.fullmatch(" ".join(parts[:-1])):
        return " ".join(parts[:-1]), parts[-1]
    if len(places) != 1 or not 0 < places[0] == len(parts) - 2:
        raise NotationError(f"{text!r}: write a hand, v and the upcard, as in T6 v 9 or 16 v 9")
    return " ".join(parts[: places[0]]), parts[-1]


_HAND: Final = Field(
    read_dealt, "Hand v upcard: T6 v 9 or 16 v T.", "HAND v UPCARD", typed="T6 v 9", is_word=True
)


def answer(  # noqa: PLR0913 (one parameter a field)
    rules: Rules,
    *,
    hand: Annotated[tuple[str, str], _HAND],
    hole: Annotated[str | None, Field(str, "The hole card, if you see it.", "CARD")] = None,
    shoe: Annotated[str | None, SHOE] = None,
    splits: Annotated[str, SPLITS] = "CDZ-",
    doubled: Annotated[
        int,
        Field(
            partial(read_whole, what="doubles", least=0, most=3),
            "The hand has doubled N times, in a house that asks it again (rules RD2, RD3, RE).",
            "N",
        ),
    ] = 0,
) -> Sheet[HandAnswer | TotalAnswer]:
    """Return the exact value of each legal answer to a hand, best first.

    HAND is two cards or more (T6, T 6, 8 5 3), or a total (16, soft 18): then it is the hands of
    two cards that make it, and the best play of the total. The v may be left out. --shoe is the
    cards before the round is dealt, including the hand's and the upcard. --hole is for a dealer
    who looks for a natural, and has found none; where both dealer cards are shown it is needed.
    """
    from upcard.cache import exact
    from upcard.exact.solve import read_cards

    cards, upcard = hand
    hands = _list_hands(cards, upcard, read_cards(rules, shoe))
    if hole is not None and len(hands) > 1:
        raise FieldClashError(f"{cards!r} with {{hole}}: name its cards, as T6 for a 16")
    values = [
        exact.solve(rules, one, upcard, hole=hole, shoe=shoe, splits=splits, doubles=doubled)
        for one in hands
    ]
    if len(hands) == 1:
        return _show(answer_hand(values[0]))
    label, up = str(sum(composition.read_hand(hands[0])[0])), read_rank(upcard, "upcard")
    of_cell = exact.cell_values(rules, shoe=shoe)[label, rank_name(up)]
    cell = exact.basic_strategy(rules, shoe=shoe).cell(label, up)
    return _show(answer_total(label, values, of_cell, cell))


def _list_hands(hand: str, upcard: str, counts: Sequence[int] | None) -> tuple[str, ...]:
    """Return the hand, or those of a total that the cards allow; one if they allow none."""
    hands = composition.read_total(hand) or (hand,)
    if len(hands) == 1 or counts is None:
        return hands
    up = read_rank(upcard, "upcard")
    drawn = {cards: (*composition.read_hand(cards)[0], up) for cards in hands}
    possible = (
        cards
        for cards, ranks in drawn.items()
        if all(counts[rank] >= ranks.count(rank) for rank in ranks)
    )
    return tuple(possible) or hands[:1]


def _show(found: HandAnswer) -> Sheet[HandAnswer | TotalAnswer]:
    """Show the answers, and below those to one hand how the dealer ends."""
    table, notes = found.table(), [("Shoe", found.shoe)]
    tables = [table]
    if isinstance(found, TotalAnswer):
        notes.insert(0, ("Best play", found.play_text))
    else:
        title = f"Dealer ends with{', given no natural' if found.is_conditional else ''}"
        columns = [figure.share(one.name) for one in found.dealer]
        chances = tuple(one.chance for one in found.dealer)
        tables.append(figure.make_table(title, columns, [chances]))
    return Sheet(
        title=table.title,
        rules=found.rules,
        tables=tuple(tables),
        data=(table,),
        figures=found.figures,
        notes=tuple(notes),
        sentences=found.given,
        result=found,
    )


def read_cards(text: str, what: str, most: int) -> tuple[str, ...]:
    """Read cards with dots between them. Raises: NotationError, which names them `what`."""
    cards = parse_cards(text.replace(".", " ")) if text else ()
    if len(cards) > most:
        raise NotationError(f"{what}: {count_of(most, 'card')} at most, not {len(cards)}")
    return tuple(map(str, cards))


def read_on_table(
    rules: Rules, hand: str, upcard: str, removed: str
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Read the cards of a hand, of the dealer, and out of the shoe, with dots between them.

    Those of the hand have their suits where the house pays it by them, and all are written.

    Raises: NotationError, RulesError, UnsupportedRuleError for suits that cannot be honoured.
    """
    cards = read_cards(hand, "hand", _MOST_IN_HAND)
    known = composition.read_suits(rules, " ".join(cards)) if len(cards) > 1 else ()
    if not pays_by_suit(rules) or (len(cards) > 1 and not known):
        cards = _by_face(cards)
    up = read_cards(upcard, "upcard", 1)
    for card in up:
        composition.check_upcard_suit(rules, [Card(one).rank for one in cards], card, "upcard")
    gone = read_cards(removed, "removed cards", _MOST_REMOVED)
    composition.check_gone_suits(rules, parse_cards(gone), choose_engine(rules))
    return cards, _by_face(up), _by_face(gone)


def _by_face(cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(Card(card).face for card in cards)


def list_faces(hand: str) -> tuple[str, ...]:
    """Return the ranks of a hand's cards; empty for a total that several hands make."""
    hands = composition.read_total(hand) or (hand,)
    return tuple(map(rank_name, composition.read_hand(hands[0])[0])) if len(hands) == 1 else ()


def list_split_plays(rules: Rules, cards: Sequence[Card]) -> tuple[tuple[str, str], ...]:
    """Return the quick split plays with their words; none for a hand that they do not affect."""
    if rules.is_infinite or len(cards) != 2 or predicates.why_not_split(rules, cards) is not None:
        return ()
    return tuple((str(play), solver_results.SPLIT_PLAYS[play]) for play in QUICK_PLAYS)


def answer_question(
    question: Question,
    cards: Composition,
    *,
    splits: SplitPlay | str = SplitPlay.CDZ,
    has_changes: bool = False,
) -> HandAnswer:
    """Value a hand with all its answers, given the unseen cards, and explain the values."""
    from upcard.coach.adviser import Coach

    coach = Coach(question.rules, splits=splits)
    advice = coach.advise_on(question, cards)
    rules, natural = question.rules, advice.position.natural
    has_insurance = predicates.offers_insurance(rules, question.upcard.rank)
    is_conditional = question.has_looked and natural > 0
    insurance = insurance_ev(rules, natural) if has_insurance else None
    with_look = _value_look(coach, question, cards) if has_insurance else None
    figures = _list_figures(natural, insurance, None, with_look=with_look)
    assumptions = _assume(
        rules,
        advice.missing,
        natural=natural,
        is_conditional=is_conditional,
        splits=str(splits) if Action.SPLIT in advice.ev else "",
        offers="Insurance is" if has_insurance else "",
    )
    return replace(
        explain_advice(advice, has_changes=has_changes),
        is_conditional=is_conditional,
        figures=tuple(figures),
        assumptions=tuple(assumptions),
    )


def _value_look(coach: Coach, question: Question, cards: Composition) -> float:
    """Return the EV of insurance with the gain of a look that it buys."""
    asked = replace(
        question,
        phase=Phase.INSURANCE,
        legal=(Action.INSURANCE, Action.NO_INSURANCE),
        has_looked=False,
    )
    return coach.advise_on(asked, cards).ev[Action.INSURANCE]


def explain_advice(
    advice: Advice, answer: Action | None = None, *, has_changes: bool = False
) -> HandAnswer:
    """Return an advice with its reasons; after a mistake, why `answer` is worse than the best."""
    from upcard.coach.reasons import explain

    why = explain(advice, answer)
    verdict = None
    if answer is not None and answer in advice.ev:
        has_bets = advice.question.rules.betting
        verdict = answer_verdict(advice.judge(answer), why.sentence, has_bets=has_bets)
    return replace(
        answer_advice(advice),
        dealer=_list_results(why.dealer),
        chances={
            str(action): AnswerChances(win=one.win, push=one.push, lose=one.lose, text=str(one))
            for action, one in why.chances.items()
        },
        reason=why.sentence,
        verdict=verdict,
        changes=list_changes(advice) if has_changes else None,
    )


def answer_advice(advice: Advice) -> HandAnswer:
    """Return an advice of the coach, without its reasons."""
    question = advice.question
    dealer = [card.rank for card in question.dealer]
    name = _name_question(question.rules, question.ranks, dealer)
    return HandAnswer(
        question=name,
        hand=question.hands_text,
        upcard=str(question.upcard),
        hole=None if question.hole is None else str(question.hole),
        rules=str(question.rules),
        shoe=advice.cards.told.removeprefix(_COMPOSITION),
        splits=advice.split_class or "",
        best=advice.best,
        sentence=_write_sentence(name, advice.best, advice.ev),
        answers=list_values(advice.ev, advice.best),
        missing=_by_name(advice.missing),
        is_conditional=question.has_looked,
        figures=tuple(_list_figures(advice.natural_probability, None, None)),
        assumptions=tuple(
            as_sentence(one) for one in advice.assumptions if not one.startswith(_COMPOSITION)
        ),
        approximations=tuple(map(as_sentence, advice.approximations)),
    )


def list_changes(advice: Advice) -> tuple[ChangedAnswer, ...]:
    """Find what would change an advice; this takes some tenths of a second."""
    from upcard.coach.reasons import find_changes

    changes = find_changes(advice)
    found = [(one.what, one.best, one.is_other, str(one)) for one in changes.rules]
    system = changes.system
    if system:
        at, best = f"{system} at {with_minus(f'{changes.neutral:+d}')}", changes.at_neutral
        found.append((at, best, False, f"{at}: {best}"))
        found += [
            (f"{system} {turn.where}", turn.action, True, f"{system} {turn}")
            for turn in changes.turns
        ]
        if not changes.turns:
            found.append((system, best, False, f"{system}: no count changes it"))
    if not found:
        found.append(("", advice.best, False, f"{advice.best} in any case"))
    return tuple(
        ChangedAnswer(what=what, best=best, is_other=is_other, text=text)
        for what, best, is_other, text in found
    )


def answer_verdict(judgement: Judgement, reason: str, *, has_bets: bool = True) -> Verdict:
    """Return the verdict of a judgement; `reason` explains it, and `has_bets` adds the chips."""
    return Verdict(
        situation=judgement.key,
        action=judgement.chosen,
        **fields_of(judgement, "best", "grade", "cost"),
        cost_chips=judgement.chips,
        is_mistake=not judgement.is_right,
        text=write_verdict(judgement, has_bets=has_bets),
        reason=reason,
    )


def no_verdict(cards: Iterable[Card], action: Action, reason: str) -> Verdict:
    """Return the verdict on an answer without a value; `reason` says why there is none."""
    return Verdict(situation=" ".join(map(str, cards)), action=action, reason=reason)


def _write_sentence(question: str, best: Action, ev: Mapping[Action, float]) -> str:
    return f"{question}: {best}, {write_ev(ev[best], _FEWER)} of a bet."


def _name_question(rules: Rules, ranks: Sequence[Rank], dealer: Iterable[Rank]) -> str:
    """Name a hand and the dealer's known cards: `Hard 16 against 10`, `8,8 against A 6`."""
    table = hand_table(rules.ace_rule)
    state = table.state_of(ranks)
    hand = f"{'Soft' if table.is_soft[state] else 'Hard'} {table.total[state]}"
    if len(ranks) == 2 and len(set(ranks)) == 1:
        hand = ",".join(map(write_face, ranks))
    return f"{hand} against {' '.join(map(write_face, dealer))}"


def _by_name(missing: Mapping[Action, str]) -> dict[str, str]:
    return {str(action): reason for action, reason in missing.items()}


def _list_figures(
    natural: float,
    insurance: float | None,
    even_money: float | None,
    *,
    with_look: float | None = None,
) -> Iterator[Figure]:
    if natural:
        text = write_percent(natural, 4, sign="")
        yield make_figure("natural_probability", "Dealer's natural", natural, text)
    if insurance is not None:
        text = f"{write_ev(insurance)} for half a bet"
        if with_look is not None and abs(with_look - insurance) > solver_results.NEARLY_EQUAL:
            text += f", {write_ev(with_look)} with the look that it buys"
        yield make_figure("insurance_ev", "Insurance", insurance, text)
    if even_money is not None:
        text = f"{write_ev(even_money)} against waiting"
        yield make_figure("even_money_ev", "Even money", even_money, text)


def _list_results(dealer: solver_results.DealerOutcomes) -> tuple[DealerChance, ...]:
    return tuple(
        DealerChance(name=name, chance=chance, text=f"{chance:.3%}")
        for name, chance in dealer.as_dict().items()
        if chance
    )


def _name_offers(value: solver_results.HandValue) -> str:
    if value.insurance_ev is None:
        return ""
    return "Insurance is" if value.even_money_ev is None else "Insurance and even money are"


def _assume(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    missing: Mapping[Action, str],
    *,
    natural: float,
    is_conditional: bool,
    splits: str,
    offers: str,
    is_natural: bool = False,
    sees_hole: bool = False,
) -> Iterator[str]:
    """Yield what the values of a hand with all its answers assume, one sentence each."""
    yield "EV is per initial bet, from the player's side, played best afterwards."
    yield from (f"No exact value of {action}: {why}." for action, why in missing.items())
    if sees_hole:
        yield "Both dealer cards are seen."
    if is_conditional:
        yield "The answers' EV and cost are given that the dealer has looked and has no natural."
        if offers:
            yield f"{offers} answered before the look: a natural is counted there."
    elif natural and rules.hole_card is settings.HoleCard.PEEK:
        yield f"{solver_results.BEFORE_LOOK}: a natural is counted."
    elif natural:
        yield "The dealer does not look first: a natural is counted."
    if splits and not rules.is_infinite:
        yield f"Splits {splits}: {solver_results.SPLIT_PLAYS[splits]}."
    if is_natural:
        yield "A natural is settled unasked: any other answer is there for comparison."
