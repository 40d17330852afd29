"""`upcard bench`: questions about single hands, and the exact price of a player's answers to them.

A question has a frequency: how often it comes up in a round from a fresh shoe, with the best play
before it. The regret of a player is the sum, over the questions, of frequency times the cost of the
answer. Costs are the coach's: the best value less that of the answer, with the best play later.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from random import Random
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, TypeAlias

from upcard.answers.questions import QUESTIONS, Asking, Sheet
from upcard.answers.shared_fields import CHART
from upcard.coach import adviser
from upcard.core import actions, cards, errors, figure, hands, user_files
from upcard.core.actions import Action
from upcard.core.fields import Field, FieldClashError
from upcard.core.figure import make_table
from upcard.core.number_texts import read_whole
from upcard.core.numbers import as_object, to_json
from upcard.exact import infinite_hands, solver_results
from upcard.exact.solver_results import cost_of
from upcard.players import bots, evaluation, seen_cards
from upcard.players.question import Question
from upcard.rules import describe, house, predicates, settings
from upcard.rules.model import Rules
from upcard.simulation import registry
from upcard.store import database, money
from upcard.strategy.chart import Strategy, load_strategy
from upcard.table import events, rounds, shoe
from upcard.table.state import TableView

if TYPE_CHECKING:
    from upcard.store import statistics

BenchPlayer: TypeAlias = "str | Strategy | bots.Decider | Mapping[str, object]"
"""A player by name, a chart, an object with `decide`, or answers by the ids of their questions."""
_Hand: TypeAlias = tuple[cards.Card, ...]
_After: TypeAlias = tuple[cards.Rank, bool]
"""Pair that a hand was split from, and whether the house has paid for it."""
_Reached: TypeAlias = tuple[_Hand, cards.Card, _After, float]
"""A hand, its upcard and split, and its chance without regard to a look."""
_RAREST: Final = 1 / 20_000
_LEFT_OUT: Final = ("Shuffle", "Deal", "Insurance", "Turns", "Hands")
"""Topics of the rules that change no answer to a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchQuestion:
    """A question about one hand of a freshly shuffled shoe."""

    id: str
    """The hand and the upcard: `T6 v 9`, `T42 v 9`, after a split `8+3 v 6` or `free 8+3 v 6`."""
    prompt: str
    """The rules, the cards and the question, in words."""
    legal: tuple[str, ...]
    frequency: float
    """How often it comes up in a round, with the best play before it."""
    ev: Mapping[Action, float]
    """Value of each answer, in initial bets; 0 for a natural, which has only one."""
    asked: Question
    """The question as the coach values it."""
    json_keys = "id prompt legal"


@house.reads_rules
def bench_questions(rules: Rules, *, long: bool = False) -> tuple[BenchQuestion, ...]:
    """Return the questions for a house: all 550 starts, two cards against an upcard.

    The `long` set has the hands after hits and splits too that come up at least once in 20,000
    rounds. A natural is a start whose only answer is to stand.

    Raises: UnsupportedRuleError or NoExactValueError for rules without exact values.
    """
    return _list_questions(rules, long)


@lru_cache(maxsize=8)
def _list_questions(rules: Rules, long: bool) -> tuple[BenchQuestion, ...]:  # noqa: FBT001
    seen_cards.require_upcard(rules, "bench")
    found: list[BenchQuestion] = []
    table = hands.hand_table(rules.ace_rule)
    reached: dict[str, _Reached] = {
        str(one): (one.cards, one.upcard, (0, False), one.frequency)
        for one in adviser.list_dealt(rules)
    }
    while reached and (long or not found):
        following: dict[str, _Reached] = {}
        is_start = not found
        for hand, upcard, (split_rank, is_free), chance in reached.values():
            state = table.state_of(card.rank for card in hand)
            if table.total[state] == hands.BUST_LIMIT or len(hand) == rules.charlie:
                if is_start:
                    found.append(_make_natural(rules, hand, upcard, chance))
                continue
            asked = adviser.pose(
                rules, hand, upcard, has_offers=False, split_rank=split_rank, is_free=is_free
            )
            sibling = (cards.Card(cards.rank_name(split_rank)),) * bool(split_rank)
            fresh = adviser.compose_fresh(rules, (*sibling, *hand), upcard)
            valued = evaluation.value_question(asked, fresh, splits="CDZ-")
            for reason in valued.missing.values():
                raise errors.NoExactValueError(reason)
            no_natural = 1 - valued.natural if asked.has_looked else 1.0
            dealt = chance / no_natural if is_start else chance
            if is_start or dealt * no_natural >= _RAREST:
                found.append(_make_question(asked, valued.ev, dealt * no_natural))
            odds = infinite_hands.rank_odds(rules) if rules.is_infinite else fresh.unseen
            for after, split in _draw(asked, solver_results.best_action(valued.ev)):
                share = dealt * odds[after[-1].rank] / math.fsum(odds)
                name = _name_hand(after, upcard, split)
                first, *_, known = following.get(name, (after, upcard, split, 0.0))
                if share:
                    following[name] = (first, upcard, split, known + share)
        reached = following
    return tuple(found)


def _make_natural(rules: Rules, hand: _Hand, upcard: cards.Card, frequency: float) -> BenchQuestion:
    """Make the question of a natural, which no table asks, after that of another hand."""
    twelve = tuple(map(cards.Card, "T2"))
    like = adviser.pose(rules, twelve, upcard, has_offers=False)
    natural = replace(like, cards=hand, total=hands.BUST_LIMIT, is_soft=True, legal=(Action.STAND,))
    return _make_question(natural, {Action.STAND: 0.0}, frequency)


def _draw(asked: Question, action: Action) -> Iterator[tuple[_Hand, _After]]:
    """Yield the hands after a hit, or the halves of a split but for another pair."""
    table = hands.hand_table(asked.rules.ace_rule)
    before, splits = asked.cards, [(asked.split_rank, asked.is_free)] * (action is Action.HIT)
    if action is Action.SPLIT and not asked.split_rank:
        is_free = predicates.splits_free(asked.rules, asked.pair)
        is_asked = not predicates.gets_one_card(asked.rules, asked.pair)
        before, splits = before[:1], [(asked.pair, False), (asked.pair, is_free)] * is_asked
    for drawn in cards.RANKS if splits else ():
        after = (*before, cards.Card(cards.rank_name(drawn)))
        is_bust = table.total[table.state_of(card.rank for card in after)] > hands.BUST_LIMIT
        if not is_bust and not (len(before) == 1 and drawn == asked.pair):
            for split in splits:
                yield after, split


def _name_hand(hand: _Hand, upcard: cards.Card, split: _After) -> str:
    """Write a hand with its highest card first: `A7 v 6`, `T42 v 6`, after a split `8+3 v 6`."""
    split_rank, is_free = split
    pair = hand[: bool(split_rank)]
    drawn = sorted(hand[len(pair) :], key=lambda card: (card.rank != cards.ACE, -card.rank))
    written = "".join((*map(str, pair), "+" * len(pair), *map(str, drawn)))
    return f"{'free ' * is_free}{written} v {upcard}"


def _make_question(asked: Question, ev: Mapping[Action, float], frequency: float) -> BenchQuestion:
    faces = [cards.write_face(card.face) for card in asked.cards]
    topics = describe.describe_rules(asked.rules)
    sentences = (
        "You play one hand of blackjack from a freshly shuffled shoe. Rules:",
        *(text for topic, text in topics if topic not in _LEFT_OUT),
        f"Your hand is {', '.join(faces[:-1])} and {faces[-1]}:",
        f"a {'soft' if asked.is_soft else 'hard'} {asked.total}.",
        _tell_split(asked),
        f"The dealer shows {cards.write_face(asked.upcard.face)}.",
        "The dealer has looked and has no natural." * asked.has_looked,
        "Which answer has the highest expected value?",
        f"Answer with one of these and nothing else: {', '.join(asked.legal)}.",
    )
    return BenchQuestion(
        id=_name_hand(asked.cards, asked.upcard, (asked.split_rank, asked.is_free)),
        prompt=" ".join(filter(None, sentences)),
        legal=tuple(map(str, asked.legal)),
        frequency=frequency,
        ev={action: ev[action] for action in asked.legal},
        asked=asked,
    )


def _tell_split(asked: Question) -> str:
    """Return which hand of a split it is; empty without a split."""
    if not asked.split_rank:
        return ""
    words = f"It is one of the two hands of a split pair of {cards.write_face(asked.split_rank)}"
    if not predicates.splits_free(asked.rules, asked.split_rank):
        return f"{words}."
    return (
        f"{words}, the one {'that the house has paid for' if asked.is_free else 'with your bet'}."
    )


_BY_LETTER: Final = {letter: action for action, letter in actions.LETTERS.items()}
_FORM: Final = re.compile(r"\b(hit|stand|stick|stay|doubl|split|surrender)(?:t?ing|e?s)\b")
_NAMED: Final = re.compile(rf"\b(?:{'|'.join(sorted(actions.SPELLINGS, key=len)[::-1])})\b")
_DENIAL: Final = re.compile(r"\b(?:no|not|never|declin\w+|refus\w+|without)\b|n't\b")


def read_answer(text: object) -> Action | None:
    """Return the one action that a text names, in any case and form.

    It is None for a text that names none, or several, or denies the one that it names.

    >>> [str(read_answer(text)) for text in ("I would hit.", "Doubling!", "P", "hit or stand")]
    ['hit', 'double', 'split', 'None']
    """
    written = text.lower().replace("\u2019", "'") if isinstance(text, str) else ""
    words = " ".join(re.sub(r"[^\w']|_", " ", written).split())
    if words in _BY_LETTER:
        return _BY_LETTER[words]
    words = _FORM.sub(lambda form: form[1].replace("doubl", "double"), words)
    found = {actions.SPELLINGS[name] for name in _NAMED.findall(words)}
    return found.pop() if len(found) == 1 and not _DENIAL.search(words) else None


def script(asked: Question) -> tuple[shoe.ScriptedShoe, list[Action]]:
    """Return a shoe that deals the hand of a question, and the answers that lead to it."""
    hand, then = asked.cards[:2], asked.cards[2:]
    if asked.split_rank:
        other = cards.Card("6" if asked.split_rank == 5 else "5")  # no pair, no natural
        halves = (other, hand[1]) if asked.is_free else (hand[1], other)
        hand, then = hand[:1] * 2, (*halves, *then)
    before = [Action.SPLIT] * bool(asked.split_rank) + [Action.HIT] * (len(asked.cards) - 2)
    hole = "" if asked.rules.hole_card is settings.HoleCard.NONE else "7"
    stacked = shoe.ScriptedShoe.stack(
        asked.rules, hand=hand, upcard=asked.upcard, hole=hole, then=then
    )
    return stacked, before


def is_its_turn(asked: Question, view: TableView) -> bool:
    """Whether the active hand of a table is that of a question dealt by `script`."""
    return view.active == (asked.is_free and len(view.hands) > 1)


def ask(player: bots.Decider, asked: Question) -> object:
    """Deal the hand of a question at a table, and return what a player answers.

    Where the house offers surrender or a split separately, the player is asked for each in turn.
    """
    if len(asked.legal) == 1:  # a natural
        return asked.legal[0]
    stacked, before = script(asked)
    table = rounds.Table(asked.rules, stacked)
    if isinstance(player, bots.ShoeWatcher):
        player.watch(table)
        player.hear(events.Shuffled(None))
    table.start()
    while True:
        view, legal = table.view(), table.legal_actions()
        declined = next((action for action in legal if action.declines), Action.STAND)
        its_turn = is_its_turn(asked, view)
        if before and before[0] in legal and its_turn:
            table.act(before.pop(0))
        elif before or not its_turn or Action.NO_INSURANCE in legal:
            table.act(declined)  # also where the other half of a split takes its turn
        else:
            answer = player.decide(view, legal)
            if answer != declined or answer == Action.STAND:
                return answer
            table.act(declined)


@as_object()
class PricedAnswer(NamedTuple):
    """An answer to a question, and its price. Units: initial bets."""

    id: Annotated[str, figure.text("hand", "hand")]
    """The id of the question; of a history the situation, `hard 16 v T`."""
    answer: Annotated[str, figure.text()]
    kind: str
    """`legal`, `illegal`, `unreadable` or `missing`."""
    best: Annotated[str, figure.text()]
    cost: Annotated[float, figure.share(digits=2)]
    """EV lost; without a legal answer what the worst one loses."""
    frequency: Annotated[float, figure.share(title="comes up")]

    @property
    def per_round(self) -> Annotated[float, figure.share(title="cost a round", digits=5)]:
        """Cost of the answer in a round."""
        return self.frequency * self.cost


_LEGAL: Final = "legal"
_FAULTS_SHOWN: Final = 10
KINDS: Final = (_LEGAL, "illegal", "unreadable", "missing")


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchScore(figure.Displayed):
    """The exact price of a player's answers. Units: initial bets per 100 rounds."""

    player: str
    """The name of the player, or of the file with the answers."""
    rules: Rules
    answers: tuple[PricedAnswer, ...]
    """Every answer, the costliest first."""
    faults: tuple[str, ...] = ()
    """Lines that were not read, each with its number."""
    left_out: str = ""
    """A sentence on what the questions leave out in the house; empty if it is little."""
    listed: int | None = None
    """Number of answers in its JSON; None for all."""
    json_keys = """
        rules player regret_per_100 most_regret_per_100 money_per_hour shares faults
        legal=counts.legal illegal=counts.illegal unreadable=counts.unreadable
        missing=counts.missing right=counts.right answers=listed_answers
    """

    @property
    def listed_answers(self) -> tuple[PricedAnswer, ...]:
        """The answers, the costliest first."""
        return self.answers[: self.listed]

    @property
    def regret_per_100(self) -> float:
        """Loss of the legal answers against the best ones."""
        return 100 * math.fsum(one.per_round for one in self.answers if one.kind == _LEGAL)

    @property
    def most_regret_per_100(self) -> float:
        """The same if every other answer were the worst one."""
        return 100 * math.fsum(one.per_round for one in self.answers)

    @property
    def money_per_hour(self) -> float | None:
        """The regret as money, at the pace of `upcard money`; None in a house without bets."""
        lost = self.regret_per_100 / 100
        return money.load_pace().value_hour(lost) if self.rules.betting else None

    @property
    def counts(self) -> dict[str, int]:
        """The number of answers of each kind, and of `right` ones, which cost nothing."""
        counts = Counter(one.kind for one in self.answers)
        right = sum(one.kind == _LEGAL and not one.cost for one in self.answers)
        return {**{kind: counts[kind] for kind in KINDS}, "right": right}

    @property
    def shares(self) -> dict[str, float]:
        """The share of the decisions with each kind of answer, by their frequency."""
        weights = dict.fromkeys(KINDS, 0.0)
        for one in self.answers:
            weights[one.kind] += one.frequency
        return {kind: weight / math.fsum(weights.values()) for kind, weight in weights.items()}

    @property
    def findings(self) -> tuple[str, ...]:
        """The regret as a sentence, with money if the house has bets, and the first bad lines."""
        hour = f", {money.load_pace().say_hour(self.regret_per_100 / 100)}" * self.rules.betting
        regret = f"{self.player}: regret {self.regret_per_100:.4f} bets in 100 rounds{hour}."
        more = len(self.faults) - _FAULTS_SHOWN
        rest = (f"And {more:,} more bad lines: --json lists them.",) if more > 0 else ()
        left_out = (self.left_out,) if self.left_out else ()
        return (regret, *left_out, *self.faults[:_FAULTS_SHOWN], *rest)

    def table(self, most: int | None = None) -> figure.AnswerTable:
        """Return the costliest legal answers."""
        worst = [one for one in self.answers if one.cost and one.kind == _LEGAL][:most]
        caption = (("rules", str(self.rules)), ("player", self.player))
        title = "Costliest answers, in percent of a bet"
        return figure.tabulate_fields(title, PricedAnswer, worst, caption)

    def sheet(self, most: int | None = None) -> Sheet:
        """Return the score in words, with a table of the costliest legal answers."""
        counts, shares, table = self.counts, self.shares, self.table(most)
        rest = (f"{counts[kind]:,} {kind} ({100 * shares[kind]:.1f}%)" for kind in KINDS[1:])
        unpriced = (
            f"Not priced: {', '.join(rest)} of the decisions. If each were the worst answer, the"
            f" regret would be {self.most_regret_per_100:.4f}."
        )
        right = f"{counts['right']:,} of {counts[_LEGAL]:,} legal answers are right."
        is_whole = counts[_LEGAL] == len(self.answers)
        return Sheet(
            title="Score",
            rules=str(self.rules),
            findings=(*self.findings, right, *((unpriced,) * (not is_whole))),
            tables=(table,) * bool(table.rows),
        )


@house.reads_rules
def score_player(
    rules: Rules, player: BenchPlayer, *, long: bool = False, name: str = ""
) -> BenchScore:
    """Return the exact score of a player in a house, with nothing sampled.

    `player` is a name such as `mimic`, a chart, an object with `decide`, or answers by the ids of
    `bench_questions`. Illegal, unreadable and missing answers are counted separately.

    Raises: as `bench_questions` does; RulesError for an unknown player.

    >>> score = score_player("6D", "mimic")
    >>> round(score.regret_per_100, 4), score.answers[0].id
    (3.858, 'T6 v 5')
    """
    if isinstance(player, str):
        name = name or player
        player = registry.make_player(registry.load_player(player), rules, Random(0))
    questions, answers = _list_questions(rules, long), player
    if not isinstance(answers, Mapping):
        decider = bots.ChartPlayer(answers) if isinstance(answers, Strategy) else answers
        answers = {one.id: ask(decider, one.asked) for one in questions}
        name = name or str(decider)
    score = _add_up(name or "answers", rules, (_price(one, answers) for one in questions))
    return replace(score, left_out=_name_left_out(rules))


def _name_left_out(rules: Rules) -> str:
    """Say what the questions leave out where hands of many cards have an answer of their own."""
    asked = [f"{rules.charlie} cards win at once"] if rules.charlie else []
    asked += ["any hand may surrender"] * (rules.surrender is settings.Surrender.ANY_CARDS)
    if not asked:
        return ""
    return (
        f"{' and '.join(asked).capitalize()} here: what a player loses with rare hands of many"
        " cards, and with hands that only a worse answer reaches, is not asked about."
        " upcard simulate --player NAME has it."
    )


def read_score(text: str, rules: Rules, *, name: str, long: bool = False) -> BenchScore:
    """Return the score of answers in lines of JSON, `{"id": ..., "answer": ...}`.

    Bad lines are `faults` of the score, named by their numbers; of two lines with one id the first
    counts.

    Raises: NotationError if no line answers a question.
    """
    known = {one.id for one in _list_questions(rules, long)}
    given, faults = dict[str, object](), list[str]()
    for number, line in enumerate(text.split("\n"), start=1):
        where = f"{name}, line {number}"
        try:
            found = user_files.parse_json(line, where, "line") if line.strip() else {}
        except errors.UserFileError as error:
            faults.append(str(error))
            continue
        one = found.get("id") if isinstance(found, dict) else None
        if line.strip() and (one is None or "answer" not in found):
            faults.append(f'{where}: it is not {{"id": ..., "answer": ...}}')
        elif not isinstance(one, str) or one not in known:
            faults += [f"{where}: no question here has the id {errors.quote(one)}"] * bool(found)
        elif one in given:
            faults.append(f"{where}: {errors.quote(one)} was answered before")
        else:
            given[one] = found["answer"]
    if not given:
        raise errors.NotationError(faults[0] if faults else f"{name}: no answer is in it")
    return replace(score_player(rules, given, long=long, name=name), faults=tuple(faults))


def score_history(rules: Rules, found: statistics.Mistakes) -> BenchScore:
    """Return the score of the decisions that the coach judged in the rounds of a history."""
    if not found.judged:
        raise errors.RulesError(f"no decision by '{rules}' was judged: play with the coach")
    judged = ((one.name, _LEGAL, one.asked, math.fsum(one.wrong)) for one in found.situations)
    rest = ("not judged", "missing", found.decisions - found.judged, 0.0)
    answers = [
        PricedAnswer(name, "", kind, "", cost / asked, asked / found.coached_rounds)
        for name, kind, asked, cost in (*judged, rest)
        if asked
    ]
    return _add_up("your history", rules, answers)


def _price(one: BenchQuestion, answers: Mapping[str, object]) -> PricedAnswer:
    given, best = answers.get(one.id), solver_results.best_action(one.ev)
    action = read_answer(given)
    kind = "illegal" if action else "unreadable"
    value = min(one.ev.values())
    if action is not None and action in one.ev:
        kind, value = _LEGAL, one.ev[action]
    elif one.id not in answers:
        kind = "missing"
    cost = cost_of(one.ev[best], value)
    return PricedAnswer(one.id, str(action or given or ""), kind, best, cost, one.frequency)


def _add_up(player: str, rules: Rules, answers: Iterable[PricedAnswer]) -> BenchScore:
    ordered = sorted(answers, key=lambda one: -one.per_round)
    return BenchScore(player=player, rules=rules, answers=tuple(ordered))


def tabulate_differences(
    one: BenchScore, other: BenchScore, most: int | None = None
) -> figure.AnswerTable:
    """Return the questions to which two players' answers cost differently, the worst first."""
    rows = sorted((row for row in _pair(one, other) if row[-1]), key=lambda row: -row[-1])
    words = figure.make_maker(figure.ColumnKind.TEXT, 0)
    columns = (
        *(words("hand"), words("first", one.player), words("second", other.player), words("best")),
        figure.percent("per_round", "difference a round", unit=""),
    )
    title = "Answers with different costs, in percent of a bet"
    return make_table(title, columns, rows[:most])


def _pair(one: BenchScore, other: BenchScore) -> list[tuple[str, str, str, str, float]]:
    others = {answer.id: answer for answer in other.answers if answer.kind == _LEGAL}
    return [
        (mine.id, mine.answer, its.answer, its.best, mine.per_round - its.per_round)
        for mine in one.answers
        if mine.kind == _LEGAL and (its := others.get(mine.id)) is not None
    ]


def compare_scores(one: BenchScore, other: BenchScore, most: int | None = None) -> Sheet:
    """Return the difference of two players' regret, hand by hand, the worst for `one` first."""
    rows, table = _pair(one, other), tabulate_differences(one, other, most)
    more = 100 * math.fsum(row[-1] for row in rows)
    unit = f"bets in 100 rounds that {one.player} loses more"
    text = figure.write_ev(more, 4)
    return Sheet(
        title="Difference",
        rules=str(one.rules),
        findings=(*one.findings, *other.findings),
        figures=(figure.make_figure("difference_per_100", "Difference", more, text, unit),),
        sentences=(f"{len(rows):,} questions have a legal answer of both players.",),
        tables=(table,) * bool(table.rows),
    )


_SHOWN: Final = 20
PLAYER: Final = Field(
    str,
    "Score a bot, or a FILE.py of yours; a page asks those of upcard, and runs no file.",
    "NAME",
    no_choice="no bot",
    suggestions=("basic", "counter", "lott", "lott-simple", "mimic", "never-bust", "perfect"),
    many=";",
    paste=registry.read_included,
)


_WORDS: Final = Field(
    str,
    "The word score, and files of answers.",
    "[score [FILE]...]",
    is_word=True,
    many=" ",
    is_for_pages=False,
)
_CHART: Final = replace(CHART, help="Score a chart, a file as printed; on a page pasted.", many=";")
_HISTORY: Final = Field(bool, "Score the decisions of your rounds in the house.")
_WORST: Final = Field(
    partial(read_whole, what="the number of answers", least=1, example="20"),
    "Number of answers shown (default: 20, all in files).",
    "N",
)


def answer(  # noqa: PLR0913 (one parameter a field)
    rules: Rules,
    *,
    words: Annotated[tuple[str, ...], _WORDS] = (),
    long: Annotated[
        bool, Field(bool, "Ask about hands after hits and splits too.", is_for_pages=False)
    ] = False,
    player: Annotated[tuple[str, ...], PLAYER] = (),
    strategy: Annotated[tuple[Strategy | str, ...], _CHART] = (),
    history: Annotated[bool, _HISTORY] = False,
    worst: Annotated[int | None, _WORST] = None,
    asking: Asking,
) -> Sheet[tuple[BenchQuestion, ...] | BenchScore | None]:
    """Return the questions for a house, or the score of one or two players.

    Without a word it prints the questions for a house, a line of JSON each, {"id", "prompt",
    "legal"}, for a language model or a person. With score it reads lines {"id", "answer"} from a
    FILE (- is standard input), or asks a bot or a chart, and prices each answer by its exact cost
    and the frequency of its hand. Of two players it shows the difference, hand by hand.
    """
    count = len(words[1:]) + len(player) + len(strategy) + history
    is_page = not asking.is_patient
    if not words and not (count and is_page):
        if count or (worst and not is_page):
            raise FieldClashError("without score it prints questions, and takes only {long}")
        return _show_questions(rules, worst or (_SHOWN if is_page else None), long=long)
    if words[:1] not in ((), ("score",)):
        raise errors.RulesError(f"{words[0]!r}: the only word here is score")
    if not 1 <= count <= 2:
        files = "" if is_page else "each a FILE of answers (- is standard input), "
        msg = f"{count} players: name one or two, {files}{{player}}, {{strategy}} or {{history}}"
        raise FieldClashError(msg)
    if history and (count > 1 or long):
        msg = "{history} has its own hands: it goes with no other player or set"
        raise FieldClashError(msg)
    scores = [
        read_score(user_files.read_input(file, "file of answers"), rules, name=file, long=long)
        for file in words[1:]
    ]
    scores += (score_player(rules, name, long=long) for name in player)
    scores += (_score_chart(rules, chart, long=long) for chart in strategy)
    if history:
        from upcard.store import statistics

        with database.open_for_reading() as store:
            found = statistics.find_mistakes(store, rules)
        if is_page and not found.judged:
            none = f"No decision by {rules} was judged yet: play with the coach."
            return Sheet(title="Score a player", rules=str(rules), findings=(none,))
        scores.append(score_history(rules, found))
    most = worst or (_SHOWN if is_page else None)
    one, other = scores[0], scores[-1]
    if count == 2:
        sheet, table = compare_scores(one, other, most), tabulate_differences(one, other, worst)
        return replace(sheet, data=(table,), shows_all=worst is not None)
    sheet, table = one.sheet(most), one.table(worst)  # a table also where no answer is wrong
    result = replace(one, listed=worst)
    return replace(sheet, data=(table,), result=result, shows_all=worst is not None)


def _score_chart(rules: Rules, chart: Strategy | str, *, long: bool) -> BenchScore:
    name = chart if isinstance(chart, str) else "your chart"
    return score_player(rules, load_strategy(chart), long=long, name=name)


def _show_questions(
    rules: Rules, most: int | None, *, long: bool
) -> Sheet[tuple[BenchQuestion, ...]]:
    """Return the questions, those that come up most first; their text has a line of JSON each."""
    found = bench_questions(rules, long=long)
    columns = (
        *(figure.text("hand"), figure.text("legal", "answers")),
        figure.share("frequency", "comes up"),
    )
    ordered = sorted(found, key=lambda one: -one.frequency)
    rows = [(one.id, ", ".join(one.legal), one.frequency) for one in ordered]
    table = make_table("Questions, those that come up most first", columns, rows)
    return Sheet(
        title=QUESTIONS["bench"].title,
        rules=str(rules),
        findings=(f"{len(found):,} questions for a player: choose one, or ask them yourself.",),
        tables=(replace(table, rows=table.rows[:most]),),
        sentences=("The text has all of them, a line of JSON each, with its prompt.",),
        data=(table,),
        result=found,
        text=lambda: "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in to_json(found)),
    )
