"""Two worlds: what a player is shown may not depend on a card that is face down or undealt.

A round is played in a first world up to a random question, and once more in a second world whose
hidden cards are all others. Everything that was sent until then must be equal, byte for byte.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from unittest import mock

from campaign.case import FindingError, Subject
from campaign.choosing import choose_any_rules
from campaign.games import add_some_bets, choose_game, choose_wager, write_table
from campaign.worlds import WorldShoe, exchange_hidden, shuffle_world
from upcard.core.actions import Action
from upcard.core.errors import EmptyShoeError
from upcard.table.events import Board, Peeked, Revealed, RoundStarted
from upcard.table.legal import why_not
from upcard.table.rounds import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from campaign.case import Case
    from upcard.core.cards import Card
    from upcard.core.wager import Wager
    from upcard.rules.model import Rules
    from upcard.table.events import Event
    from upcard.table.state import RoundState

_DRAWN_EVERY: Final = 10
_LINES_EVERY: Final = 40
_SCREEN_EVERY: Final = 4000
_SIZES: Final = ((80, 20), (140, 40), (50, 14), (30, 6))
_TRIES: Final = 50


class _Played(NamedTuple):
    """A world and what it sent."""

    sent: list[str]
    shoe: WorldShoe
    state: RoundState | None
    """The round in progress; None between rounds."""
    has_looked: bool
    answers: int = 0
    """How many answers were given before."""
    was_shown: bool = False
    """Whether the dealer's cards were shown in an end that was taken back."""


def start(folder: Path) -> Callable[[Case], None]:
    """Prepare to compare worlds."""
    del folder

    def run(case: Case) -> None:
        if case.number % _SCREEN_EVERY == _SCREEN_EVERY - 1:
            from campaign.secrecy_screen import compare_screens

            compare_screens(case)
        elif case.number % _LINES_EVERY == _LINES_EVERY - 1:
            compare_line_games(case)
        else:
            compare_tables(case, draws=case.number % _DRAWN_EVERY == 0)

    return run


def _choose_rules(rng: random.Random, *, games: float) -> Rules:
    """Choose one of the games with this probability, else random rules, half with side bets."""
    if rng.random() < games:
        return choose_game(rng)
    rules = choose_any_rules(rng)
    return add_some_bets(rules, rng) if rng.random() < 0.5 else rules


def compare_tables(case: Case, *, draws: bool) -> None:
    """Compare views, events, legal answers and refusals; `draws` adds the table as drawn."""
    for _ in range(_TRIES):
        if _compare_round(case, draws=draws):
            case.count("rounds at the table" + (", drawn" if draws else ""))
            return
    msg = f"no round with a question in {_TRIES} tries: the campaign needs another policy"
    raise FindingError(msg)


def _compare_round(case: Case, *, draws: bool) -> bool:
    rules = _choose_rules(case.rng, games=0.3)
    spots = case.rng.randint(rules.min_spots, min(rules.max_spots, 3))
    wagers = [
        choose_wager(rules, case.rng)._replace(main=Fraction(1 + spot * (not rules.switch)))
        for spot in range(spots)
    ]
    policy = case.rng.random()

    def play(cards: Sequence[Card], stop: int) -> _Played:
        rng = random.Random(policy)
        return _play_round(rules, cards, wagers=wagers, stop=stop, rng=rng, draws=draws)

    first = play(shuffle_world(rules, case.rng), min(int(case.rng.expovariate(0.6)), 12))
    where = f"{rules}, bets {', '.join(map(str, wagers))}"
    case.count("side bets placed", sum(len(wager.side) for wager in wagers))
    return _compare(case, first, lambda cards: play(cards, first.answers), where)


def _compare(
    case: Case, first: _Played, play: Callable[[Sequence[Card]], _Played], where: str
) -> bool:
    """Play the second world; False if there is none to compare with."""
    if first.state is None:
        return False
    others = exchange_hidden(first.shoe, first.state, case.rng, has_looked=first.has_looked)
    if others is None:
        return False
    second = play(others)
    _require_equal(first.sent, second.sent, where, first.shoe, second.shoe)
    return True


def _require_equal(
    one: list[str], other: list[str], where: str, shoe: WorldShoe, other_shoe: WorldShoe
) -> None:
    if one == other:
        return
    at = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    rules, _, _ = where.partition(" ")
    there = [text[at] if at < len(text) else "(nothing)" for text in (one, other)]
    began = shoe.round_began
    shown = [" ".join(map(str, world.cards[began : began + 12])) for world in (shoe, other_shoe)]
    msg = (
        f"a hidden card shows. {where}\n  cards {shown[0]}\n   then {shown[1]}\n"
        f"  world 1 was sent: {there[0][:600]!r}\n  world 2 was sent: {there[1][:600]!r}\n"
        f"  {there[0][:24]} differs in {rules}"
    )
    raise FindingError(msg)


def _play_round(  # noqa: PLR0913 (each is named in the call)
    rules: Rules,
    cards: Sequence[Card],
    *,
    wagers: Sequence[Wager],
    stop: int,
    rng: random.Random,
    draws: bool,
) -> _Played:
    """Play a round up to question `stop`, or to its last question."""
    shoe = WorldShoe(cards)
    table = Table(rules, shoe)
    sent: list[str] = []
    looked: list[bool] = []

    def hear(event: Event) -> None:
        sent.append(repr(event))
        if isinstance(event, Peeked):
            looked.append(True)

    table.listeners.append(hear)
    board = Board(rules)
    if draws:
        table.listeners.append(board.hear)
    last = _Played([], shoe, None, has_looked=False)
    drawn, began = 0, 0
    try:
        state = table.start(wagers)
        for answered in range(stop + 1):
            if state.is_over:
                break
            sent.append(repr(table.view()))
            sent.append(repr(table.legal_actions()))
            sent += [str(why_not(state, action)) for action in Action]
            if draws:
                sent += _draw(board, state)
            last = _Played(list(sent), shoe, state, bool(looked), answered)
            drawn, began = shoe.position, shoe.round_began
            if answered < stop:
                state = table.act(rng.choice(state.legal))
    except EmptyShoeError:
        pass
    shoe.position, shoe.round_began = drawn, began  # as they were at that question
    return last


def _draw(board: Board, state: RoundState) -> list[str]:
    from upcard.tui.appearance import Appearance
    from upcard.tui.drawing import Scene, draw_table

    pictures = []
    for ascii_only in (False, True):
        scene = Scene(board=board, look=Appearance(ascii_only=ascii_only), active=state.active)
        pictures += [
            "\n".join(line.markup for line in draw_table(scene, width=width, height=height))
            for width, height in _SIZES
        ]
    return pictures


# The line game, whole: its words, its JSON, the coach and the page of reasons.

_WORDS: Final = (
    *("h", "s", "h", "s", "d", "p", "r", "y", "n", "n", "1", "2", "2", "10", "5", "", "?"),
    *("hit", "stand", "double", "split", "surrender", "yes", "no", "u", "c", "k", "nonsense"),
)


def compare_line_games(case: Case) -> None:
    """Compare all that the line game prints to a player who leaves in the middle of a round."""
    rng = case.rng
    rules = _choose_rules(rng, games=0.7)
    has_coach = rng.random() < 0.15 and rules.decks is not None
    if has_coach:
        rules = choose_game(rng)
    words = [*write_table(rules, rng), "--practice", "--seed", "1"]
    words += rng.choice(([], ["--json"], ["--line"], ["--ascii"], ["--json"]))
    if has_coach:
        words += ["--coach", rng.choice(("before", "after"))]
    if rules.max_spots >= 3 and rng.random() < 0.2:
        words += ["--company", "mimic; you"]
    bets = [f"10 {bet.code} {rng.randint(1, 5)}" for bet in rules.side_bets]
    typed = (*_WORDS, *bets, *(["side"] if bets else []))
    answers = [rng.choice(typed) for _ in range(rng.randint(1, 14))]
    if has_coach:
        answers += ["w"]

    def play(cards: Sequence[Card]) -> _Played:
        return _play_lines(words, cards, answers)

    first = play(shuffle_world(rules, rng))
    others = exchange_hidden(
        first.shoe, first.state, rng, has_looked=first.has_looked, was_shown=first.was_shown
    )
    if others is None:
        case.count("line games without a second world")
        return
    second = play(others)
    where = f"upcard play {words} answered {answers}"
    _require_equal(first.sent, second.sent, where, first.shoe, second.shoe)
    case.count("line games with the coach" if has_coach else "line games")


def _play_lines(words: list[str], cards: Sequence[Card], answers: list[str]) -> _Played:
    from campaign.console import talk
    from upcard.line import launch
    from upcard.session.game_session import GameSession

    shoe = WorldShoe(cards)
    sat: list[GameSession] = []
    looked: list[Event] = []
    real_practise = GameSession.practise

    def note(event: Event) -> None:
        if isinstance(event, RoundStarted):
            looked.clear()
        elif isinstance(event, Peeked | Revealed):
            looked.append(event)

    def practise(*args: Any, **named: Any) -> GameSession:
        session = real_practise(*args, **named)
        session.listeners.append(note)
        sat.append(session)
        return session

    with (
        mock.patch.object(launch, "make_practice_shoe", return_value=shoe),
        mock.patch.object(GameSession, "practise", practise),
    ):
        answer = talk(["play", *words], answers)
    table = sat[-1].table if sat else None
    state = table.state if table is not None and table.is_playing else None
    sent = [*answer.out.splitlines(), answer.err, str(answer.code)]
    return _Played(
        sent,
        shoe,
        state,
        has_looked=bool(looked),
        was_shown=any(isinstance(event, Revealed) for event in looked),
    )


SUBJECT: Final = Subject(
    name="secrecy",
    about="two worlds that differ in every hidden card: what is sent must be equal",
    unit="rounds",
    quick=10_000,
    long=100_000,
    start=start,
    patience=180.0,
)
