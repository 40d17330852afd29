"""One question has one value at every door: command, Python, page, coach and oracle."""

from __future__ import annotations

import json
import math
import random
from typing import Any, NamedTuple

import pytest

import upcard
from campaign.console import talk
from upcard.coach.adviser import Coach, pose
from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN, Card, rank_name
from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.hands import BUST_LIMIT, AceRule, hand_table
from upcard.env.blackjack import BlackjackEnv
from upcard.env.observations import CODES, HIT, STAND
from upcard.env.oracle import ExactValues
from upcard.players.seen_cards import CardsSeen, compose
from upcard.rules.model import Rules

SEED = 2611
QUESTIONS = 200
PARTNER = {ACE: TEN, TEN: ACE}
CHOICES = (
    ("1D", "2D", "2D", "6D"),
    ("S17", "H17"),
    ("PEEK", "PEEK", "PEEK", "ENHC", "OBO"),
    ("NS", "LS", "ES", "ES"),
    ("DOA", "D9", "DANY"),
    ("DAS", "NDAS"),
    ("SP1", "SP2", "SP4", "SP4 RSA"),
)


class Asked(NamedTuple):
    """A question: rules, cards, and the cards that are out of the shoe besides."""

    rules: Rules
    hand: tuple[int, ...]
    upcard: int
    removed: tuple[int, ...]

    @property
    def seen(self) -> list[Card]:
        return [Card(rank_name(rank)) for rank in (*self.hand, self.upcard, *self.removed)]

    @property
    def shoe(self) -> tuple[int, ...]:
        """Cards before the hand and the upcard were dealt, ace to ten."""
        full = self.rules.full_shoe.counts
        return tuple(full[rank] - self.removed.count(rank) for rank in RANKS)


class Found(NamedTuple):
    """What a door says: values and costs, answers without a value, or why there is none."""

    ev: dict[str, float]
    missing: frozenset[str] = frozenset()
    refusal: str = ""


def draw(number: int) -> Asked:
    """Draw a question that a table asks, of two to five cards, half of them from a poor shoe."""
    rng = random.Random(f"{SEED}/{number}")
    table = hand_table(AceRule.BEST)
    while True:
        rules = Rules.parse(f"{' '.join(map(rng.choice, CHOICES))} NOINS")
        left = list(rules.full_shoe.counts)
        up = rng.choice((ACE, TEN, TEN, rng.choice(RANKS)))
        if number % 8 == 1:
            up = ACE  # tens alone can be left: they count enough for a round
        size = rng.choice((2, 2, 3, 3, 4, 5))
        cards = [rng.choices(RANKS, weights=left[1:])[0] for _ in range(size)]
        if rng.random() < 0.3:
            cards = cards[:1] * 2
        prefixes = [table.total[table.state_of(cards[:n])] for n in range(2, len(cards) + 1)]
        drawn = [*cards, up]
        if max(prefixes) >= BUST_LIMIT or any(left[rank] < drawn.count(rank) for rank in RANKS):
            continue
        for rank in drawn:
            left[rank] -= 1
        return Asked(rules, tuple(cards), up, remove(rng, left, up, number))


def remove(rng: random.Random, left: list[int], up: int, number: int) -> tuple[int, ...]:
    """Take cards out of the shoe: none, some, all that make a natural, or all that do not."""
    deck = [rank for rank in RANKS for _ in range(left[rank])]
    partner = PARTNER.get(up, 0)
    match number % 8:
        case 1:
            return tuple(rank for rank in deck if rank != partner)
        case 3 if partner:
            return (partner,) * left[partner]
        case 5 | 7:
            return tuple(rng.sample(deck, rng.randrange(len(deck) - 3)))
    return ()


def ask_python(asked: Asked) -> Found:
    hand, up = " ".join(map(rank_name, asked.hand)), rank_name(asked.upcard)
    try:
        value = upcard.solve(asked.rules, hand, up, shoe=asked.shoe)
    except BlackjackError as error:
        return Found({}, refusal=str(error))
    assert min(value.dealer) >= 0
    return Found({str(one): ev for one, ev in value.ev.items()}, frozenset(value.missing))


def ask_command(asked: Asked) -> Found:
    words = ["solve", *map(rank_name, asked.hand), "v", rank_name(asked.upcard), "--json"]
    shoe = " ".join(map(str, asked.shoe))
    answer = talk([*words, "--rules", str(asked.rules), "--shoe", shoe])
    if answer.code:
        assert answer.code == 2
        return Found({}, refusal=answer.err.removeprefix("upcard: ").strip())
    said = json.loads(answer.out)
    return read_answer(asked, said)


def ask_page(asked: Asked, client: Any) -> Found:
    cards, removed = (".".join(map(rank_name, ranks)) for ranks in (asked.hand, asked.removed))
    fields = {"r": str(asked.rules), "c": cards, "u": rank_name(asked.upcard), "less": removed}
    answer = client.get("/hand", params=fields, headers={"Accept": "application/json"})
    said = answer.json()
    if said["problem"]:
        assert answer.status_code == 422
        return Found({}, refusal=said["problem"])
    for chances in said["values"]["chances"].values():
        assert min(chances[name] for name in ("win", "push", "lose")) >= 0
    return read_answer(asked, said["values"])


def read_answer(asked: Asked, said: dict[str, Any]) -> Found:
    """Read the object that the command prints and the page contains."""
    assert is_said(asked, said["assumptions"])
    best = said["answers"][0]
    assert (best["action"], best["is_best"]) == (said["best"], True)
    for one in said["answers"]:
        assert one["cost"] == pytest.approx(best["ev"] - one["ev"], abs=1e-9)
    ev = {one["action"]: one["ev"] for one in said["answers"]}
    return Found(ev, frozenset(said["missing"]))


def ask_coach(asked: Asked) -> Found:
    cards = tuple(Card(rank_name(rank)) for rank in asked.hand)
    question = pose(asked.rules, cards, Card(rank_name(asked.upcard)))
    try:
        unseen = compose(asked.rules, CardsSeen.of(asked.seen), "")
        advice = Coach(asked.rules).advise_on(question, unseen)
    except BlackjackError as error:
        return Found({}, refusal=str(error))
    assert is_said(asked, advice.assumptions)
    return Found({str(one): ev for one, ev in advice.ev.items()}, frozenset(advice.missing))


def ask_oracle(asked: Asked) -> dict[int, float] | str:
    """Play the cards in the environment; return the value of each action, or the refusal."""
    env = ExactValues(BlackjackEnv(asked.rules))
    env._seen = type("Known", (), {"look": lambda _: CardsSeen.of(asked.seen)})()
    first, second, *more = map(rank_name, asked.hand)
    hole = ["5"] if "PEEK" in str(asked.rules).split() else []
    cards = [first, rank_name(asked.upcard), second, *hole, *more, *"5555555"]
    _, info = env.reset(options={"cards": " ".join(cards)})
    is_offered = "no surrender" in env._at.question.legal
    if more and is_offered:
        *_, info = env.step(STAND)
    for _ in more:
        *_, info = env.step(HIT)
    known = {code: float(ev) for code, ev in enumerate(info["ev"]) if not math.isnan(ev)}
    return known or info["notes"][0]


def is_said(asked: Asked, assumptions: Any) -> bool:
    """Whether it is said that values are before the look exactly where they are."""
    is_early = "ES" in str(asked.rules).split() and "PEEK" in str(asked.rules).split()
    left = asked.shoe[PARTNER[asked.upcard] - 1] if asked.upcard in PARTNER else 0
    is_before = is_early and len(asked.hand) == 2 and asked.upcard in PARTNER
    is_possible = left > asked.hand.count(PARTNER.get(asked.upcard, 0))
    said = any("before the dealer looks" in one for one in assumptions)
    return said == is_before or not is_possible


@pytest.mark.fast_cases(20)
@pytest.mark.parametrize("number", range(QUESTIONS))
def test_five_doors_give_one_value(number: int, client: Any) -> None:
    asked = draw(number)
    python = ask_python(asked)
    command, page, coach = ask_command(asked), ask_page(asked, client), ask_coach(asked)
    oracle = ask_oracle(asked)
    if python.refusal:
        assert command.refusal == python.refusal
        assert as_sentence(python.refusal)[1:] in page.refusal
        assert python.refusal in coach.refusal
        assert isinstance(oracle, str)
        assert python.refusal in oracle
        return
    assert command == python
    assert page == python
    assert coach.missing == python.missing or Action.SPLIT in python.missing
    wanted = python.ev
    if Action.NO_SURRENDER in coach.ev:
        given_up = wanted[Action.SURRENDER]
        played = max(ev for action, ev in wanted.items() if action != Action.SURRENDER)
        wanted = {Action.SURRENDER: given_up, Action.NO_SURRENDER: played}
    assert coach.ev == wanted
    assert oracle == {CODES[Action(action)]: ev for action, ev in wanted.items()}


def test_the_questions_are_of_every_kind() -> None:
    """The random questions hold certain and impossible naturals, and each sort of surrender."""
    asked = [draw(number) for number in range(QUESTIONS)]
    partners = [one for one in asked if one.upcard in PARTNER]
    left = [
        one.shoe[PARTNER[one.upcard] - 1] - one.hand.count(PARTNER[one.upcard]) for one in partners
    ]
    cards = [sum(one.shoe) - len(one.hand) - 1 for one in partners]
    assert sum(there == all_ for there, all_ in zip(left, cards, strict=True)) > 10
    assert left.count(0) > 10
    for word in ("PEEK", "ENHC", "OBO"):
        for surrender in ("NS", "LS", "ES"):
            words = [str(one.rules).split() for one in asked]
            assert sum({word, surrender} <= set(of) for of in words) > 5
    assert {len(one.hand) for one in asked} == {2, 3, 4, 5}
