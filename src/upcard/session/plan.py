"""A table to sit down at, and the form in which it is chosen.

`PlayTerms` is what a person fills in, `TablePlan` the table that it makes by some rules. The
options of `upcard play`, the form of the start page, the rows of the start screen and the table
that is saved follow from the fields of the form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, cast

from upcard.core.errors import RulesError
from upcard.core.fields import Field, FormTerms, choice
from upcard.core.number_texts import read_chips, read_whole
from upcard.core.numbers import count_of, read_seed
from upcard.core.wager import SideStakes, Wager
from upcard.players.betting_systems import betting_names
from upcard.rules.describe import DEFAULT_NAME
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.rules.predicates import say_hands
from upcard.table.bet_limits import BUY_IN, DEFAULT_BET, WHOLE_CHIPS

if TYPE_CHECKING:
    from upcard.store.records import SavedRound


YOU: Final = "you"
DEFAULT_CHIPS: Final = BUY_IN
DEFAULT_TITLE: Final = "Blackjack, the six-deck game"
OWN_NAME: Final = "own rules"


class SeatPlan(NamedTuple):
    """A player for a spot, and a betting system."""

    player: str
    betting: str = ""
    """Empty: the betting of the player, which is flat except for a counter."""

    def __str__(self) -> str:
        """Write it as `read_company` reads it."""
        return f"{self.player} {self.betting}".rstrip()


def read_company(text: str) -> tuple[SeatPlan | None, ...]:
    """Read who sits where, in the order of dealing: `basic; you; mimic martingale`.

    Seats are parted by semicolons: a player as `--player` has it, then a betting system if it is
    not flat. `you` is the person's place (None), the first one unless it is named.
    """
    seats: list[SeatPlan | None] = []
    for part in text.split(";") if text.strip() else ():
        words = part.split()
        if not words:
            raise RulesError(f"company {text!r}: the place between two semicolons is empty")
        if words == [YOU]:
            seats.append(None)
            continue
        has_betting = len(words) > 1 and words[-1].partition(":")[0].lower() in betting_names()
        player = " ".join(words[:-1] if has_betting else words)
        seats.append(SeatPlan(player, words[-1] if has_betting else ""))
    mine = seats.count(None)
    if mine > 1:
        msg = f"company {text!r}: you sit at one place, however many hands you play"
        raise RulesError(msg)
    return tuple(seats) if mine else (None, *seats)


def choose_table(house: str | None = None, rules: str | None = None) -> tuple[Rules, str]:
    """Return the rules asked for and a title for them; the default game's where nothing was."""
    if house is not None and rules is not None:
        msg = "give --house or --rules, not both; --rules may begin with a house: 'european LS'"
        raise RulesError(msg)
    if house is not None:
        found = load_house(house)
        return found.rules, f"{found.title} ({found.name})"
    chosen = Rules() if rules is None else Rules.parse(rules)
    return chosen, title_of(chosen)


def title_of(rules: Rules) -> str:
    """Return what a table with these rules is called."""
    if rules == Rules():
        return DEFAULT_TITLE
    if rules.name not in house_names():
        return "Blackjack by rules of your own"
    found = load_house(rules.name)
    changed = "" if found.rules == rules else ", changed"
    return f"{found.title} ({found.name}{changed})"


def name_of(rules: Rules) -> str:
    """Return the short name of a table with these rules: its house's, or `six decks`."""
    return DEFAULT_NAME if rules == Rules() else rules.name or OWN_NAME


FEWEST: Final = cast("int", None)
"""As few hands as the rules allow."""
PRACTICE: Final = "practice"
VOICES: Final = {"silent": "not at all", "after": "after the hand", "before": "before you answer"}
"""When the coach speaks, in words."""
KNOWN: Final = {"fresh": "a fresh shoe", "seen": "the cards seen"}
"""The cards that the coach goes by, in words."""
COMPANY: Final = {
    "none": "",
    "basic": "basic; you",
    "mimic and simple": "mimic; you; lott-simple",
    "counter": "you; counter",
    "martingale": "never-bust martingale; you",
    "a full table": "basic; mimic; computer:1,17,0.5; you; lott-simple fibonacci; counter",
}
"""Company to choose from, by its name; any other can be typed."""


def _find_words(words: Mapping[str, str], text: str) -> str:
    return words.get(text, text)


def _name_count(text: str) -> str:
    from upcard.session.count_check import read_ask_count

    system, every = read_ask_count(text)
    return f"{system}, every {every}" if text else "off"


def _chips(title: str, help: str, **more: Any) -> Field:  # noqa: A002 (the field's own name)
    return Field(partial(read_chips, what=title.lower()), help, "N", title=title, **more)


def _read_count(text: str) -> str:
    """Read a count question; `off` asks nothing."""
    return "" if text.strip().lower() == "off" else text.strip()


def _read_seed(text: str) -> int:
    return read_seed(read_whole(text))


def _text(title: str, help: str, metavar: str = "TEXT", **more: Any) -> Field:  # noqa: A002
    return Field(str, help, metavar, title=title, **more)


_HANDS: Final = partial(read_whole, what="hands", example="1")
_ROUNDS: Final = partial(read_whole, what="rounds", least=1, example="10")
_NAMES: Final = {company: name for name, company in COMPANY.items()}
_COMPANY: Final = {"ruler": tuple(COMPANY.values()), "describe": partial(_find_words, _NAMES)}
_COUNTS: Final = ("", "hi-lo:1", "hi-lo:3", "hi-lo:5", "ko:3", "zen:3")
_COUNT: Final = {"option": "--ask-count", "ruler": _COUNTS, "describe": _name_count}
_VOICE: Final = {"title": "Coach speaks", "describe": partial(_find_words, VOICES)}
_KNOWN: Final = {"title": "Coach assumes", "describe": partial(_find_words, KNOWN)}
_KEEP: Final = {"title": "Rounds are", "option": "--practice", "sets": PRACTICE}
_UNITS: Final = ("0.5", "1", "5", "10", "25")
_CHIPS: Final = (
    "Chips to start with: the difference is brought or taken home (default: your saved chips, 100"
    " at first)."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayTerms(FormTerms):
    """Choices about a table before it is opened, beside its rules; None is the default.

    Units: chips, for all amounts.
    """

    hands: Annotated[
        int | None, Field(_HANDS, "Hands to play in each round.", "N", title="Hands you play")
    ] = None
    chips: Annotated[Fraction | None, _chips("Chips", _CHIPS)] = None
    bet: Annotated[
        Fraction | None,
        _chips("Bet", "Bet on every hand (default: 10); line by line, it is not asked for."),
    ] = None
    side: Annotated[
        str | None,
        _text(
            "Chips on side bets",
            'Side bets on every hand, by their names: "21+3 2 pp 1".',
            option="--side-bets",
        ),
    ] = None
    unit: Annotated[
        Fraction | None,
        _chips(
            "Smallest bet",
            "Smallest bet; every bet is a multiple of it (default: 1).",
            ruler=_UNITS,
        ),
    ] = None
    limit: Annotated[Fraction | None, _chips("Largest bet", "Largest bet on a hand.")] = None
    rounds: Annotated[
        int | None, Field(_ROUNDS, "Rounds to play (a bot: 10).", "N", is_for_pages=False)
    ] = None
    company: Annotated[
        str | None,
        _text("Other players", 'Players at the table: "basic; you; mimic martingale".', **_COMPANY),
    ] = None
    coach: Annotated[
        str | None,
        choice(
            VOICES,
            "When the coach speaks: never, after each round, or before each answer.",
            **_VOICE,
        ),
    ] = None
    knows: Annotated[
        str | None,
        choice(
            KNOWN, "Cards the coach knows: those of a fresh shoe, or all the cards seen.", **_KNOWN
        ),
    ] = None
    count: Annotated[
        str | None,
        Field(
            _read_count,
            "Ask for the running count after N rounds (default: 3). hi-lo, ko:5 ...",
            "SYSTEM[:N]",
            title="Count question",
            **_COUNT,
        ),
    ] = None
    check_bets: Annotated[
        str | None,
        _text(
            "Bets by a ramp",
            "Compare your bets with a ramp, 1-8 or 1,1,2,4,8, by the count asked for or hi-lo.",
            "RAMP",
        ),
    ] = None
    player_seed: Annotated[
        str | None, _text("Your seed", "Mix your own words into the shuffle.")
    ] = None
    keep: Annotated[
        str | None,
        choice(
            ("saved", PRACTICE), "Practice: nothing is saved, and answers can be undone.", **_KEEP
        ),
    ] = None
    seed: Annotated[int | None, Field(_read_seed, "Shuffle with this seed, as practice.", "N")] = (
        None
    )
    cards: Annotated[str | None, Field(str, 'Deal these cards, as practice: "8D 5H 4D TC".')] = None

    @property
    def keeps(self) -> bool:
        """Whether the rounds are saved: not in practice, and not where the cards are known."""
        return self.keep != PRACTICE and self.seed is None and self.cards is None


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """A table to sit down at, as it is chosen by options, in a form or on the start screen."""

    rules: Rules = field(default_factory=Rules)
    title: str = ""
    """Title of the table (default: that of the rules)."""
    hands: int = FEWEST
    """How many hands the person plays each round (default: as few as the rules allow)."""
    bet: Fraction = DEFAULT_BET
    """The bet to begin with, in chips; the unit of the company too."""
    side: SideStakes = ()
    """The side bets to begin with, on each hand."""
    unit: Fraction = WHOLE_CHIPS
    """The smallest bet on a hand; every bet of the person's is a multiple of it."""
    is_own_unit: bool = False
    """Whether the smallest bet was chosen, though it is that of every table."""
    limit: Fraction | None = None
    """The most that a hand may bet; None if there is no limit."""
    company: str = ""
    """Who sits at the other spots, as `read_company` reads it."""
    keeps: bool = True
    """Whether the rounds are saved."""
    count: str = ""
    """The count question, as `--ask-count` writes it; empty if none is asked."""
    check_bets: str = ""
    """The ramp that bets are compared with; empty if they are not."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "side", self.wager.side)
        least, most = self.rules.min_spots, self.rules.max_spots
        if self.hands is FEWEST:
            object.__setattr__(self, "hands", least)
        if not self.title:
            object.__setattr__(self, "title", title_of(self.rules))
        spots = self.hands + sum(seat is not None for seat in read_company(self.company))
        if self.hands < least or spots > most:
            name, limit = self.rules.name or "these rules", say_hands(self.rules)
            others = spots - self.hands
            beside = f" beside {others} of the company" if others else ""
            hands = count_of(self.hands, "hand")
            raise RulesError(f"{hands}{beside}: in {name} it is {limit} a round")

    @property
    def wager(self) -> Wager:
        """The bets to begin with, on each hand."""
        return Wager(self.bet, self.side).in_order(bet.code for bet in self.rules.side_bets)

    @property
    def ramp_unit(self) -> Fraction:
        """Chips of a unit of the ramp: the smallest bet if one was chosen, else the first bet."""
        return self.unit if self.is_own_unit or self.unit != WHOLE_CHIPS else self.bet

    @property
    def seats(self) -> tuple[SeatPlan | None, ...]:
        """Who plays each spot, in the order of dealing; None for the person's own."""
        found: list[SeatPlan | None] = []
        for seat in read_company(self.company):
            found.extend([seat] if seat is not None else [None] * self.hands)
        return tuple(found)

    @property
    def player_spots(self) -> tuple[int, ...]:
        """The spots that the person plays."""
        return tuple(spot for spot, seat in enumerate(self.seats) if seat is None)


def plan_of(left: SavedRound) -> TablePlan:
    """Return the table that a hand was left at."""
    rules, bets = left.session.rules, left.record.bets[left.player_spots[0]]
    plan = TablePlan(
        rules=rules,
        hands=len(left.player_spots),
        bet=bets.main,
        side=bets.side,
        company=left.session.company,
    )
    if plan.player_spots != left.player_spots or len(plan.seats) != len(left.record.bets):
        msg = f"its company {left.session.company!r} does not fit its {len(left.record.bets)} bets"
        raise RulesError(msg)
    return plan
