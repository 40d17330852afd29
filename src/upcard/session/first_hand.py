"""The led first hands: seven steps at a table, each learned by doing it, and then ten hands.

The first cards of the shoe are chosen so that five hands have a hit, a stand, a bust, a double, a
split and a dealer who draws; the rest of its six decks is shuffled. The ten hands that follow are
played with the coach, who speaks before each answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.numbers import count_of
from upcard.players.seen_cards import Knowledge
from upcard.rules.model import Rules
from upcard.session.coaching import CoachQueue, CoachVoice, TableCoach
from upcard.session.game_session import GameSession
from upcard.session.plan import TablePlan
from upcard.session.seat import Seat
from upcard.store import bankroll, files
from upcard.table import bet_limits, events, legal, shoe

if TYPE_CHECKING:
    from upcard.store.database import Store


TITLE: Final = "Your first hands"
ABOUT: Final = (
    "Seven steps at a table, each learned by doing it: bet, hit, stand, bust, double, split, and"
    " the dealer's draw. Then ten hands with the coach."
)
WHAT_IS_SAVED: Final = "Practice chips; your place is saved after every hand."
HANDS: Final = 10
"""Hands with the coach after the led ones."""
_SETTING: Final = "first hands"
_CHIPS: Final = 20 * bet_limits.DEFAULT_BET


class _Ask(NamedTuple):
    """An answer that a led hand asks for, and the words before it."""

    action: Action
    words: str
    step: int


class _LedHand(NamedTuple):
    """A hand with its cards, the answers it asks for, and how it ends."""

    cards: dict[str, str]
    """The cards as `ScriptedShoe.stack` takes them."""
    before: str
    """Words before its bet."""
    asks: tuple[_Ask, ...]
    after: str


_STEPS: Final = ("Bet", "Hit", "Stand", "Bust", "Double", "Split", "The dealer")
_HANDS: Final = (
    _LedHand(
        {"hand": "7S 5D", "upcard": "9H", "hole": "9C", "then": "8C"},
        "Every hand begins with a bet, before you see a card. Bet 10 and let the cards be dealt.",
        (
            _Ask(
                Action.HIT,
                "You have 12 and the dealer shows a 9. 12 seldom wins: hit, to take a card.",
                2,
            ),
            _Ask(Action.STAND, "20 is a strong hand. Stand, to keep it; then the dealer plays.", 3),
        ),
        "The dealer has 18 and you have 20: you win as much as you bet.",
    ),
    _LedHand(
        {"hand": "TS 6H", "upcard": "TD", "hole": "7C", "then": "9S"},
        "Bet again: the next hand is a bad one.",
        (
            _Ask(
                Action.HIT,
                "16 against a 10 loses more often than it wins, whatever you do. Hit, and hope for"
                " a 5 or less.",
                4,
            ),
        ),
        "25 is over 21: bust. Your bet is lost before the dealer has to draw, and that is where"
        " the house has its advantage.",
    ),
    _LedHand(
        {"hand": "6C 5H", "upcard": "6D", "hole": "TC", "then": "TH 3D"},
        "Bet again: now a good one.",
        (
            _Ask(
                Action.DOUBLE,
                "11 is the best start: every 10, jack, queen and king makes it 21. Double: you bet"
                " as much again, and take exactly one card.",
                5,
            ),
        ),
        "21 beats 19, and with the bet doubled you win twice as much.",
    ),
    _LedHand(
        {"hand": "8S 8D", "upcard": "7C", "hole": "TS", "then": "TD 9H"},
        "Bet again: you will be dealt a pair.",
        (
            _Ask(
                Action.SPLIT,
                "Two 8s make 16, a poor hand. Split: each 8 begins a hand of its own, and you bet"
                " as much again for the second.",
                6,
            ),
            _Ask(Action.STAND, "The first hand has 18 now: stand.", 6),
            _Ask(Action.STAND, "The second hand has 17: stand here too.", 6),
        ),
        "The dealer has 17. Your 18 wins; 17 against 17 is a push, and that bet comes back.",
    ),
    _LedHand(
        {"hand": "TC 3S", "upcard": "5H", "hole": "4S", "then": "2D 3C KD"},
        "Bet again, and watch the dealer this time.",
        (
            _Ask(
                Action.STAND,
                "13 against a 5. A 10 would bust you, and the dealer may bust as well: leave the"
                " risk to them. Stand, and watch them draw.",
                7,
            ),
        ),
        "The dealer has no choice: they draw to 16 or less and stand on 17 or more. This time they"
        " went bust, so you win.",
    ),
)
LED: Final = len(_HANDS)
"""Hands that are led."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LedStep:
    """The place in the first hands, and what to do there."""

    title: str
    """The step or the hand: `Step 2 of 7: Hit`."""
    words: str
    """The last result and the next thing to do, as sentences."""
    hands_played: int
    """Hands played so far, of 15."""
    action: Action | None
    """The answer that is asked for; None before a bet, and in the ten hands."""
    is_over: bool
    """Whether all hands are played."""


class FirstHands:
    """Leads a session through the first hands; its place follows from what was played."""

    def __init__(
        self,
        session: GameSession,
        played: int = 0,
        score: tuple[int, int] = (0, 0),
        *,
        keep: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        """Lead on after `played` hands, of whose answers `score` were judged and right."""
        self.session = session
        session.why_final = "in your first hands an answer stays"
        self._played_before = played
        self._score_before = score
        self._keep = keep
        self._kept: dict[str, Any] = {}

    @property
    def hands_left(self) -> int:
        """Hands that this session is to play."""
        return LED + HANDS - self._played_before

    @property
    def played(self) -> int:
        """Hands that are over."""
        return self._played_before + self.session.bank.rounds

    @property
    def voice(self) -> CoachVoice:
        """When the coach speaks: never while the hands are led, then before each answer."""
        return CoachVoice.SILENT if self.played < LED else CoachVoice.BEFORE

    @property
    def step(self) -> LedStep:
        """The place, and what to do there."""
        played, ask = self.played, self._ask
        has_end = not self.session.is_playing and 0 < played <= LED
        over = _HANDS[played - 1].after if has_end else ""
        if ask is not None:
            title, words = _name_step(ask.step), ask.words
        elif played < LED:
            hand = _HANDS[played]
            title = _name_step(1 if not played else hand.asks[0].step)
            words = hand.before
        else:
            title, words = self._tell_ten(played)
        return LedStep(
            title=title,
            words=f"{over} {words}".strip(),
            hands_played=played,
            action=None if ask is None else ask.action,
            is_over=played >= LED + HANDS and not self.session.is_playing,
        )

    def refuse(self, action: Action) -> legal.Refusal | None:
        """Return why an answer is not given in a led hand; None if it is the one asked for."""
        ask = self._ask
        if ask is None or ask.action is action:
            return None
        return legal.Refusal(action, f"this step asks you to {ask.action.verb}", (ask.action,))

    def keep_place(self) -> None:
        """Save the place if it has changed; not without a store, nor on a full disk."""
        judged, right = self._score
        place = {"played": self.played, "judged": judged, "right": right}
        if self._keep is not None and place != self._kept:
            self._kept = place
            with suppress(files.StoreError):
                self._keep(place)

    @property
    def _ask(self) -> _Ask | None:
        """The answer that a led hand asks for now."""
        session = self.session
        if self.played >= LED or not session.options:
            return None
        answered = sum(isinstance(event, events.Acted) for event in session.events)
        return _HANDS[self.played].asks[answered]

    @property
    def _score(self) -> tuple[int, int]:
        """How many answers of the ten hands were judged, and how many were right."""
        first = LED - self._played_before
        found = [
            judgement
            for number, one in self.session.ledger.items()
            if number > first
            for judgement in one.judged.values()
        ]
        judged, right = self._score_before
        return judged + len(found), right + sum(one.is_right for one in found)

    def _tell_ten(self, played: int) -> tuple[str, str]:
        judged, right = self._score
        wrong = judged - right
        mistakes = count_of(wrong, "mistake")
        if played >= LED + HANDS and not self.session.is_playing:
            goal = "the goal is reached" if not wrong else f"{mistakes}, and the goal was none"
            words = (
                f"You have played ten hands: {right} of {judged} answers were the best, {goal}."
                " At a table of your own the coach can speak before you answer, after, or not at"
                " all."
            )
            return "Your first hands are played", words
        number = played - LED + 1
        words = f"{mistakes if wrong else 'No mistake'} so far. The goal: ten hands without one."
        if number == 1 and not self.session.is_playing:
            words = (
                "That is the whole game. Now play ten hands: before you answer, the coach shows"
                " what each answer is worth. The goal: ten hands without a mistake."
            )
        return f"Hand {number} of {HANDS}, with the coach", words


def _name_step(number: int) -> str:
    return f"Step {number} of {len(_STEPS)}: {_STEPS[number - 1]}"


def open_first_hands(
    store: Store | None,
    make_coach: Callable[..., TableCoach | None] = TableCoach,
    *,
    queue: Callable[[GameSession], CoachQueue] = CoachQueue,
    has_end: bool = False,
) -> Seat:
    """Sit down for the first hands, where they were left; played to the end, they begin again.

    Chips are of practice. The place is saved in `store`, if there is one. With `has_end` the table
    is over after them.
    """
    place = _read_place(store)
    played = place["played"]
    rules = Rules()
    plan = TablePlan(rules=rules, title=TITLE, limit=bet_limits.DEFAULT_BET, keeps=False)
    session = GameSession.practise(
        plan,
        chips=_CHIPS,
        shoe=shoe.ScriptedShoe(_choose_cards(rules, played)),
        coach=make_coach(rules, knows=Knowledge.FRESH),
    )
    keep = partial(bankroll.save_setting, store, _SETTING)
    guide = FirstHands(session, played, (place["judged"], place["right"]), keep=keep)
    return Seat(session, queue(session), guide=guide, rounds=guide.hands_left if has_end else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonPlace:
    """The led first hands, before sitting down, and the place at which they were left."""

    title: str = TITLE
    about: str = ABOUT
    """The steps in a sentence."""
    steps: tuple[str, ...]
    """The steps, and last the ten hands."""
    done: int
    """Number of steps that are done."""
    place: str
    """The place where they were left, `3 of 15 hands played`; empty at the beginning."""


def find_place(store: Store | None) -> LessonPlace:
    """Find where the first hands were left."""
    played = _read_place(store)["played"]
    next_step = _HANDS[played].asks[0].step if 0 < played < LED else 1
    return LessonPlace(
        place=f"{played} of {LED + HANDS} hands played" if played else "",
        steps=(*_STEPS, "Ten hands with the coach"),
        done=len(_STEPS) if played >= LED else next_step - 1,
    )


def _read_place(store: Store | None) -> Mapping[str, int]:
    """Read the place; one that cannot be read, or at the end, is the beginning."""
    begin = dict.fromkeys(("played", "judged", "right"), 0)
    saved = bankroll.load_setting(store, _SETTING)
    if saved is None or saved.keys() != begin.keys():
        return begin
    numbers = {name: saved[name] for name in begin}
    is_sound = all(isinstance(number, int) for number in numbers.values())
    return numbers if is_sound and 0 <= numbers["played"] < LED + HANDS else begin


def _choose_cards(rules: Rules, played: int) -> list[Card]:
    """Return six decks: the cards of the led hands that are left, then the others, shuffled."""
    led = [list(shoe.ScriptedShoe.stack(rules, **hand.cards).cards) for hand in _HANDS]
    others = list(rules.full_shoe.cards)
    for card in (card for cards in led for card in cards):
        others.remove(card)
    shoe.make_stream(None, "shoe").shuffle(others)
    return [*(card for cards in led[played:] for card in cards), *others]
