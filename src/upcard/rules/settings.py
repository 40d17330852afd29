"""The settings of a house: their enumerations, and the table with a row for each setting.

Notation, validation, descriptions and the start screen read this table.
"""

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from fractions import Fraction
from os import PathLike
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from upcard.core.hands import AceRule
from upcard.core.numbers import exact_number
from upcard.rules.bonuses import Bonuses
from upcard.rules.deck import DECK_SIZE, DECK_SIZES

if TYPE_CHECKING:
    from upcard.rules.side_bet_files import SideBetLike


class Soft17(StrEnum):
    """Dealer's play of a soft 17."""

    STAND = "stand"
    HIT = "hit"


class DealerRule(StrEnum):
    """Rule by which the dealer stops drawing."""

    TO_17 = "to-17"
    """Draws to 17, whatever the players have."""
    UNTIL_AHEAD = "until-ahead"
    """Draws to 17, but stops once ahead of the player (document 000)."""


class HoleCard(StrEnum):
    """Dealer's second card before the players act."""

    PEEK = "peek"
    """Dealt face down; with an ace or ten up the dealer looks, and a natural ends the round."""
    NO_PEEK = "no-peek"
    """Dealt face down and not looked at, unless a player took insurance."""
    NONE = "none"
    """Not dealt before the players have finished."""


class NaturalTakes(StrEnum):
    """Bets that a dealer's natural takes if it shows only after the players have acted."""

    ALL = "all"
    """Every bet, doubles and splits included."""
    ORIGINAL = "original"
    """One original bet a spot; bets added by doubling and splitting are returned."""
    ORIGINAL_AND_BUSTED = "original-and-busted"
    """The original bet, which is that of a spot's first hand, and all bets of busted hands."""
    BUSTED_AND_ONE = "busted-and-one"
    """All bets of busted hands, and one original bet of a hand of the spot that is not bust."""


class NaturalTie(StrEnum):
    """Result of a natural against that of the dealer."""

    PUSH = "push"
    WIN = "win"
    """It is paid as a natural."""
    LOSE = "lose"


class DoubleOn(StrEnum):
    """Hands that may double."""

    ANY_TWO = "any-two"
    HARD_9_TO_11 = "hard-9-to-11"
    HARD_10_TO_11 = "hard-10-to-11"
    ANY_NUMBER = "any-number"
    """On any number of cards."""
    HARD = "hard"
    """On two cards with a hard total."""
    NEVER = "never"


class FreeDouble(StrEnum):
    """Doubles that the house pays for: the added bet is won, and costs nothing if it is lost."""

    NONE = "none"
    TWO_CARDS = "two-cards"
    """Hard 9 to 11 of two cards."""
    ANY_NUMBER = "any-number"
    """Hard 9 to 11 of any number of cards."""


class FreeSplit(StrEnum):
    """Pairs whose split the house pays for, again and again."""

    NONE = "none"
    NOT_TENS = "not-tens"
    NOT_FOURS_OR_TENS = "not-fours-or-tens"
    ANY = "any"


class Surrender(StrEnum):
    """Moment when half the bet may be given up."""

    NONE = "none"
    LATE = "late"
    """After the peek; without a peek a dealer's natural takes the whole bet."""
    EARLY = "early"
    """Before the peek: half is lost whatever the dealer has."""
    EARLY_V_TEN = "early-v-ten"
    """Early, against a ten-valued upcard only."""
    ANY_CARDS = "any-cards"
    """Late, on any number of cards."""


class EvenMoney(StrEnum):
    """Offer to pay a natural 1:1 at once when the dealer shows an ace."""

    NEVER = "never"
    INSTEAD = "instead"
    """Offered in place of insurance."""
    FIRST = "first"
    """Offered first; insurance is still offered when it is declined (document 003)."""


class Shuffle(StrEnum):
    """Moment when the cards are shuffled."""

    CUT_CARD = "cut-card"
    """Between rounds, once the cut card has come out."""
    EVERY_ROUND = "every-round"


class SplitBy(StrEnum):
    """Definition of a pair."""

    VALUE = "value"
    """The same value: K and T are a pair."""
    RANK = "rank"
    """The same face: K and T are not."""


class SplitNaturals(StrEnum):
    """Whether an ace and a ten in a split hand are a natural."""

    NEVER = "never"
    ON_TENS = "on-tens"
    """Only for an ace drawn to a split ten, not for a ten drawn to a split ace (document 002)."""
    ALWAYS = "always"


class Player21(StrEnum):
    """Fate of a hand that reaches 21 without being a natural."""

    STANDS = "stands"
    ASKED = "asked"
    """The hand is played on, like any other total."""
    WINS = "wins"
    """The hand wins at once if the dealer's two cards are under 21; if not, it is played on."""
    ALWAYS_WINS = "always-wins"
    """Every 21 wins at once, a doubled one and one of a split hand too, whatever the dealer has."""


class TurnOrder(StrEnum):
    """Order in which hands are played."""

    HAND_BY_HAND = "hand-by-hand"
    ROUND_ROBIN = "round-robin"
    """One decision for each live hand, then again from the first."""
    SPLITS_FIRST = "splits-first"
    """All splits are offered before any hand is played (document 003)."""


class DealOrder(StrEnum):
    """Order in which the opening cards are dealt."""

    CASINO = "casino"
    """One card to each hand, the upcard, a second card to each hand, the hole card."""
    HANDS_UP_HOLE = "hands-up-hole"
    """Two cards to each hand in turn, then the upcard, then the hole card."""
    HANDS_HOLE_UP = "hands-hole-up"
    """Two cards to each hand in turn, then the hole card, then the upcard."""


class EngineName(StrEnum):
    """Program that deals, values or shows rounds by rules, by its name in messages.

    `rules.engines` has what each of them refuses.
    """

    TABLE = "table"
    SIMULATOR = "simulator"
    CUDA = "CUDA device"
    CELLS = "compiled tables"
    """Rounds of the simulator whose questions go to the player of an environment."""
    VECTOR = "native vector environment"
    LAYOUT = "observation"
    """An observation without room for more than the upcard and a hand."""
    INFINITE = "infinite-deck solver"
    FINITE = "finite-deck solver"
    FULL_MEMORY = "full memory"
    NONSTANDARD = "non-standard solver"
    SWITCH = "switch solver"
    INDICES = "indices"
    REMOVAL = "effects of removal"
    CORRELATION = "correlation"
    ROUND_VALUES = "values of rounds"
    """The value of each round of a shoe, by the cards left."""


OTHER: Final = object()
"""Key in `Setting.sentences` for values without a sentence of their own."""
_KIND_NAMES: Final = {
    bool: "true or false",
    int: "a whole number",
    Fraction: "a fraction",
    str: "ranks such as 4T",
    tuple: "a list of side bets",
    Bonuses: "bonuses such as 5=3:2/678=3:2-2:1-3:1",
}


PAIR_RANKS: Final = "23456789TA"


class Words(NamedTuple):
    """The words of the notation for a setting."""

    place: int
    """Position in the canonical notation."""
    values: Mapping[str, Any] = {}
    """Value of this setting for each word, or changes of several settings."""
    is_usual: bool = True
    """Whether a word is written even for the default."""
    vocabulary: str = ""
    """The words as messages list them, if some are patterns such as `SP4`."""


class Menu(NamedTuple):
    """A question of the start screen about a setting."""

    place: int
    name: str
    options: Mapping[str, Any]
    """Value of this setting for each text on the screen, or changes of several settings."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting of `Rules`."""

    name: str
    default: Any
    _: KW_ONLY
    kind: type = field(init=False)
    """Type of its values: that of the default, or `optional_kind`."""
    is_optional: bool = False
    """Whether None is a value."""
    optional_kind: type = int
    """Type of its other values if the default is None."""
    least: int | Fraction = 0
    most: int | Fraction = 0
    only: tuple[int, ...] = ()
    """The only numbers that are possible."""
    words: Words | None = None
    menu: Menu | None = None
    topic: str = ""
    """Heading of its sentence in a description; empty if `describe` places the sentence."""
    sentences: Mapping[Any, str] = field(default_factory=dict)
    """Meaning of each value; `{}` stands for the value."""

    def __post_init__(self) -> None:
        kind = self.optional_kind if self.default is None else type(self.default)
        object.__setattr__(self, "kind", kind)

    @property
    def kinds(self) -> tuple[type, ...]:
        """Types that a value may have."""
        return (self.kind, type(None)) if self.is_optional else (self.kind,)

    def changes(self, value: object) -> dict[str, Any]:
        """Return the changes that a word or an option of a menu makes."""
        return value if isinstance(value, dict) else {self.name: value}

    def is_out_of_range(self, value: object) -> bool:
        """Whether a number is outside the range."""
        if type(value) is not self.kind or not isinstance(value, int | Fraction):
            return False
        if self.only:
            return value not in self.only
        return bool(self.most) and not self.least <= value <= self.most

    @property
    def limits(self) -> str:
        """The range of a number, in words."""
        if self.only:
            return " or ".join(map(str, self.only))
        return f"from {self.least} to {self.most}"

    def say(self, value: object) -> str:
        """Return the meaning of a value, as a sentence or a part of one."""
        text = self.sentences.get(value)
        return self.sentences.get(OTHER, "").format(value) if text is None else text

    def coerce(self, value: object) -> object:
        """Convert a value from its written form to the setting's own type.

        Text names members of enumerations; fractions are written `3/2` or `3:2`. Other values are
        returned unchanged, for validation to report.
        """
        if type(value) in self.kinds and (self.kind not in (tuple, str) or not value):
            return value
        if value == "none" and self.is_optional:
            return None
        if self.kind is tuple:
            return _read_bets(value)
        if self.kind is Bonuses and isinstance(value, str):
            bonuses = Bonuses.parse(value)
            return value if bonuses is None else bonuses
        if self.kind is str and isinstance(value, str):
            ranks = "" if value == "none" else value.upper()
            return "".join(sorted(set(ranks), key=PAIR_RANKS.find))
        if issubclass(self.kind, StrEnum) and isinstance(value, str):
            word = value.lower().replace("_", "-")
            return self.kind(word) if word in list(self.kind) else value
        if self.kind is Fraction and type(value) in (int, str):
            number = exact_number(str(value).replace(":", "/"))
            return value if number is None else number
        return value

    @property
    def possible(self) -> str:
        """Describe the possible values in words."""
        kind = self.kind
        words = list(map(str, kind)) if issubclass(kind, StrEnum) else [_KIND_NAMES[kind]]
        if self.is_optional:
            words.append("none")
        return words[0] if len(words) == 1 else "one of " + ", ".join(words)


def _read_bets(value: object) -> object:
    """Return side bets that are given by a list of names and files, or by one text."""
    if value == "none":
        return ()
    if isinstance(value, str | PathLike) or not isinstance(value, Iterable):
        value = (value,)
    from upcard.rules.side_bet_files import read_side_bets  # loads parsers that few games need

    return read_side_bets(cast("Iterable[SideBetLike]", value))


MOST_DECKS: Final = 8
MOST_HANDS: Final = 8
MOST_SPOTS: Final = 7
DEFAULT_PENETRATION: Final = Fraction(3, 4)
FAIR_TEN_PROBABILITY: Final = Fraction(4, 13)
_NO_YES: Final = {"no": False, "yes": True}
_HOLE_CARD_WORDS: Final = {
    "PEEK": {"hole_card": HoleCard.PEEK, "natural_takes": NaturalTakes.ALL},
    "ENHC": {"hole_card": HoleCard.NONE, "natural_takes": NaturalTakes.ALL},
    "OBO": {"hole_card": HoleCard.NONE, "natural_takes": NaturalTakes.ORIGINAL},
    "OBBO": {"hole_card": HoleCard.NONE, "natural_takes": NaturalTakes.ORIGINAL_AND_BUSTED},
    "BB1": {"hole_card": HoleCard.NONE, "natural_takes": NaturalTakes.BUSTED_AND_ONE},
}
_DECKS: Final = {
    **{str(n): {"decks": n, "deck_size": DECK_SIZE} for n in (1, 2, 4, 5, 6, 8)},
    **{f"{n} without tens": {"decks": n, "deck_size": min(DECK_SIZES)} for n in (6, 8)},
    "infinite": {"decks": None, "deck_size": DECK_SIZE},
}
_HOLE_CARDS: Final = (
    *("peek", "none", "none, one bet lost", "none, busted bets and the first lost"),
    "none, busted bets and one lost",
)
_DOUBLE_WORDS: Final = ("DOA", "D9", "D10", "DANY", "DH", "ND")
_DOUBLES: Final = (
    *("any two cards", "hard 9 to 11", "hard 10, 11", "any number", "hard totals", "never"),
)
_SURRENDER_WORDS: Final = ("NS", "LS", "ES", "ES10", "LSX")
_SURRENDERS: Final = ("none", "late", "early", "early v ten only", "late, any number of cards")
_EVERY_ROUND: Final = {"shuffle": Shuffle.EVERY_ROUND, "penetration": DEFAULT_PENETRATION}
"""No cut card is used, so the penetration is reset: any other value would clash."""
_CUTS: Final = {
    f"at {percent}%": {"shuffle": Shuffle.CUT_CARD, "penetration": Fraction(percent, 100)}
    for percent in (50, 60, 70, 75, 80, 85, 90)
}

_ROWS: Final = (
    Setting(
        "decks",
        6,
        is_optional=True,
        least=1,
        most=MOST_DECKS,
        words=Words(1, vocabulary="1D..8D 1D48..8D48 INF"),
        menu=Menu(1, "Decks", _DECKS),
    ),
    Setting("deck_size", DECK_SIZE, only=DECK_SIZES),
    Setting("ten_probability", FAIR_TEN_PROBABILITY, most=Fraction(1)),
    Setting(
        "shuffle",
        Shuffle.CUT_CARD,
        words=Words(12, {"CSM": _EVERY_ROUND}, is_usual=False, vocabulary="PENnn CSM"),
        menu=Menu(12, "Shuffle", {**_CUTS, "every round": _EVERY_ROUND}),
    ),
    Setting("penetration", DEFAULT_PENETRATION, least=Fraction(1, 100), most=Fraction(1)),
    Setting(
        "ace_rule",
        AceRule.BEST,
        topic="Aces",
        sentences={
            AceRule.BEST: "An ace counts 11 unless that would go over 21; then it counts 1.",
            AceRule.ONE_SOFTENED: (
                "An ace counts 11, or 1 if 11 would go over 21; but in one hand only one ace is"
                " ever counted 1, and an ace drawn later and counted 11 stays 11."
            ),
        },
    ),
    Setting(
        "soft_17",
        Soft17.STAND,
        words=Words(2, {"S17": Soft17.STAND, "H17": Soft17.HIT}),
        menu=Menu(2, "Dealer on soft 17", {"stands": Soft17.STAND, "hits": Soft17.HIT}),
    ),
    Setting("dealer_rule", DealerRule.TO_17),
    Setting(
        "hole_card",
        HoleCard.PEEK,
        words=Words(3, _HOLE_CARD_WORDS),
        menu=Menu(3, "Hole card", dict(zip(_HOLE_CARDS, _HOLE_CARD_WORDS.values(), strict=True))),
        sentences={
            HoleCard.PEEK: (
                "With an ace or a ten up the dealer looks at the hole card;"
                " a natural ends the round before you act."
            ),
            HoleCard.NO_PEEK: "The dealer looks at the hole card only after you have finished.",
            HoleCard.NONE: "There is no hole card: you act before a natural can show.",
        },
    ),
    Setting("shows_upcard", True),
    Setting("shows_hole", False, words=Words(30, {"UP2": True}, is_usual=False)),
    Setting(
        "natural_takes",
        NaturalTakes.ALL,
        sentences={
            NaturalTakes.ALL: "It takes every bet, doubles and splits included.",
            NaturalTakes.ORIGINAL: (
                "It takes your original bet only; what you added by doubling and splitting is"
                " returned."
            ),
            NaturalTakes.ORIGINAL_AND_BUSTED: (
                "It takes the bets of busted hands and the original bet, which is that of your"
                " first hand; what you added otherwise is returned."
            ),
            NaturalTakes.BUSTED_AND_ONE: (
                "It takes the bets of busted hands and one original bet of the others; what you"
                " added otherwise is returned."
            ),
        },
    ),
    Setting(
        "dealer_wins_ties",
        None,
        is_optional=True,
        least=17,
        most=21,
        words=Words(
            13,
            {"T17": 17, **{f"T17-{most}": most for most in (18, 19, 20)}, "TALL": 21},
            is_usual=False,
        ),
        topic="Bets",
        sentences={
            None: "",
            17: "The dealer wins ties at 17.",
            OTHER: "The dealer wins ties at 17 to {}.",
        },
    ),
    Setting(
        "natural_pays",
        Fraction(3, 2),
        least=Fraction(1, 100),
        most=Fraction(10),
        words=Words(10, vocabulary="3:2 6:5 1:1 2:1"),
        menu=Menu(
            4,
            "A natural pays",
            {f"{n}:{m}": Fraction(n, m) for n, m in ((3, 2), (6, 5), (1, 1), (2, 1))},
        ),
    ),
    Setting(
        "pushes_22",
        False,
        words=Words(23, {"P22": True}, is_usual=False),
        topic="Bets",
        sentences={
            True: "A dealer's 22 pushes every hand that waits for the dealer but naturals.",
            False: "",
        },
    ),
    Setting(
        "busts_live",
        False,
        words=Words(29, {"ZOMBIE": True}, is_usual=False),
        topic="Bets",
        sentences={
            True: (
                "Against a 7 to an ace a busted hand lives: it wins if the dealer busts with more"
                " than 22, and loses otherwise."
            ),
            False: "",
        },
    ),
    Setting(
        "suited_natural_pays",
        None,
        is_optional=True,
        optional_kind=Fraction,
        least=Fraction(1, 100),
        most=Fraction(100),
        words=Words(17, is_usual=False, vocabulary="BJS(2:1)"),
    ),
    Setting(
        "natural_tie",
        NaturalTie.PUSH,
        words=Words(14, {"BJW": NaturalTie.WIN, "BJL": NaturalTie.LOSE}, is_usual=False),
        sentences={
            NaturalTie.PUSH: "against a dealer's natural it is a push.",
            NaturalTie.WIN: "it wins against a dealer's natural too.",
            NaturalTie.LOSE: "it loses to a dealer's natural.",
        },
    ),
    Setting(
        "natural_ties_21",
        False,
        sentences={True: "It only ties another 21.", False: "It beats any other 21."},
    ),
    Setting(
        "player_21",
        Player21.STANDS,
        words=Words(15, {"W21": Player21.ALWAYS_WINS}, is_usual=False),
        topic="21",
        sentences={
            Player21.STANDS: "A hand that reaches 21 stands automatically.",
            Player21.ASKED: "A hand that reaches 21 is played on like any other total.",
            Player21.WINS: (
                "A hand that reaches 21 wins at once if the dealer's two cards are under 21;"
                " otherwise it is played on. One that doubles to 21 waits for the dealer."
            ),
            Player21.ALWAYS_WINS: (
                "A hand that reaches 21 wins at once, a doubled or split one too, whatever the"
                " dealer has."
            ),
        },
    ),
    Setting(
        "charlie",
        None,
        is_optional=True,
        least=3,
        most=21,
        words=Words(16, is_usual=False, vocabulary="5CC 5CC(2:1)"),
        sentences={
            None: "There is no prize for drawing many cards.",
            OTHER: "A hand of {} cards that is not over 21 wins at once",
        },
    ),
    Setting("charlie_pays", Fraction(1), least=Fraction(1, 100), most=Fraction(100)),
    Setting(
        "bonuses",
        None,
        is_optional=True,
        optional_kind=Bonuses,
        words=Words(28, is_usual=False, vocabulary="BON BON(5=3:2)"),
    ),
    Setting(
        "min_stand",
        None,
        is_optional=True,
        least=4,
        most=17,
        words=Words(18, is_usual=False, vocabulary="MS15"),
        topic="Stand",
        sentences={None: "", OTHER: "You may not stand on less than {}."},
    ),
    Setting(
        "double_on",
        DoubleOn.ANY_TWO,
        words=Words(4, dict(zip(_DOUBLE_WORDS, DoubleOn, strict=True))),
        menu=Menu(5, "Double", dict(zip(_DOUBLES, DoubleOn, strict=True))),
        sentences={
            DoubleOn.ANY_TWO: "on any first two cards",
            DoubleOn.HARD_9_TO_11: "on a hard 9, 10 or 11 of two cards",
            DoubleOn.HARD_10_TO_11: "on a hard 10 or 11 of two cards",
            DoubleOn.ANY_NUMBER: "with any number of cards",
            DoubleOn.HARD: "on a hard total of two cards",
        },
    ),
    Setting(
        "double_stake",
        2,
        only=(2, 3),
        words=Words(19, {"D3X": 3}, is_usual=False),
        sentences={2: "double", 3: "triple"},
    ),
    Setting(
        "max_doubles",
        1,
        least=1,
        most=3,
        words=Words(26, {"RD2": 2, "RD3": 3}, is_usual=False),
        sentences={
            1: "",
            OTHER: "A doubled hand may double what it stakes again: {} times in all.",
        },
    ),
    Setting(
        "rescue",
        False,
        words=Words(27, {"RE": True}, is_usual=False),
        sentences={
            True: "A doubled hand may be surrendered: it loses half of what it stakes.",
            False: "",
        },
    ),
    Setting(
        "free_double",
        FreeDouble.NONE,
        words=Words(
            24,
            {"FD9-11": FreeDouble.TWO_CARDS, "FDANY": FreeDouble.ANY_NUMBER},
            is_usual=False,
        ),
        sentences={
            FreeDouble.TWO_CARDS: "The house pays for doubles on a hard 9, 10 or 11 of two cards.",
            FreeDouble.ANY_NUMBER: (
                "The house pays for doubles on a hard 9, 10 or 11 of any number of cards."
            ),
        },
    ),
    Setting(
        "free_split",
        FreeSplit.NONE,
        words=Words(
            25,
            dict(zip(("FSNT", "FSN4T", "FSANY"), tuple(FreeSplit)[1:], strict=True)),
            is_usual=False,
        ),
        sentences={
            FreeSplit.NOT_TENS: "It pays for the second hand of a split, but not of tens.",
            FreeSplit.NOT_FOURS_OR_TENS: (
                "It pays for the second hand of a split, but not of 4s or tens."
            ),
            FreeSplit.ANY: "It pays for the second hand of a split.",
        },
    ),
    Setting(
        "double_after_split",
        True,
        words=Words(5, {"DAS": True, "NDAS": False}),
        menu=Menu(6, "Double after a split", _NO_YES),
        sentences={True: "after a split too.", False: "not after a split."},
    ),
    Setting(
        "split_by",
        SplitBy.VALUE,
        sentences={
            SplitBy.VALUE: (
                "Two cards of the same value (a king and a ten too) may be split for a second bet"
            ),
            SplitBy.RANK: (
                "Two cards of the same rank (not a king and a ten) may be split for a second bet"
            ),
        },
    ),
    Setting(
        "max_hands",
        4,
        is_optional=True,
        least=1,
        most=MOST_HANDS,
        words=Words(6, vocabulary="SP1..SP8 SPINF"),
        menu=Menu(
            7,
            "Hands from a split",
            {
                "no splits": 1,
                **{f"up to {most}": most for most in range(2, MOST_HANDS + 1)},
                "no limit": None,
            },
        ),
        sentences={
            None: "and split again without limit.",
            2: "once.",
            OTHER: "and split again, to at most {} hands.",
        },
    ),
    Setting(
        "max_ace_hands",
        None,
        is_optional=True,
        least=2,
        most=MOST_HANDS,
        words=Words(22, is_usual=False, vocabulary="SPA2..SPA8"),
        sentences={None: "", OTHER: "Aces become at most {} hands."},
    ),
    Setting(
        "never_split",
        "",
        words=Words(21, is_usual=False, vocabulary="NS4 NS45T"),
    ),
    Setting(
        "max_total_hands",
        None,
        is_optional=True,
        least=1,
        most=MOST_SPOTS * MOST_HANDS,
        sentences={None: "", OTHER: "There are at most {} hands on the table in all."},
    ),
    Setting(
        "resplit_aces",
        False,
        words=Words(7, {"RSA": True, "NRSA": False}),
        menu=Menu(8, "Resplit aces", _NO_YES),
        sentences={True: "may be split again", False: "are not split again"},
    ),
    Setting(
        "hit_split_aces",
        False,
        words=Words(8, {"HSA": True, "NHSA": False}, is_usual=False),
        menu=Menu(9, "Hit split aces", _NO_YES),
    ),
    Setting("double_split_aces", False),
    Setting(
        "split_naturals",
        SplitNaturals.NEVER,
        sentences={
            SplitNaturals.NEVER: "An ace with a ten in a split hand is 21, not a natural.",
            SplitNaturals.ON_TENS: (
                "An ace drawn to a split ten is a natural; a ten drawn to a split ace is 21 only."
            ),
            SplitNaturals.ALWAYS: "An ace with a ten is a natural in a split hand too.",
        },
    ),
    Setting(
        "surrender",
        Surrender.NONE,
        words=Words(9, dict(zip(_SURRENDER_WORDS, Surrender, strict=True))),
        menu=Menu(10, "Surrender", dict(zip(_SURRENDERS, Surrender, strict=True))),
    ),
    Setting(
        "insurance",
        True,
        words=Words(11, {"INS": True, "NOINS": False}, is_usual=False),
        menu=Menu(11, "Insurance", _NO_YES),
    ),
    Setting(
        "insurance_pays",
        Fraction(2),
        least=Fraction(1, 100),
        most=Fraction(100),
        words=Words(20, is_usual=False, vocabulary="INS(5:2)"),
    ),
    Setting(
        "even_money",
        EvenMoney.INSTEAD,
        sentences={
            EvenMoney.NEVER: "Even money is not offered.",
            EvenMoney.INSTEAD: (
                "A natural facing an ace is offered even money (paid 1:1 at once) in place of"
                " insurance."
            ),
            EvenMoney.FIRST: (
                "A natural facing an ace is offered even money (paid 1:1 at once) first,"
                " and insurance if it declines."
            ),
        },
    ),
    Setting(
        "turn_order",
        TurnOrder.HAND_BY_HAND,
        topic="Turns",
        sentences={
            TurnOrder.HAND_BY_HAND: "Each hand is played to its end before the next one.",
            TurnOrder.ROUND_ROBIN: (
                "In each turn every live hand makes one decision, first hand first."
            ),
            TurnOrder.SPLITS_FIRST: (
                "All splits are offered first; then the hands are played to the end one by one."
            ),
        },
    ),
    Setting(
        "deal_order",
        DealOrder.CASINO,
        sentences={
            DealOrder.CASINO: (
                "One card to each hand, the dealer's upcard, a second card to each hand"
            ),
            DealOrder.HANDS_UP_HOLE: "Two cards to each hand in turn, then the dealer's upcard",
            DealOrder.HANDS_HOLE_UP: "Two cards to each hand in turn, then the dealer's cards",
        },
    ),
    Setting(
        "betting",
        True,
        topic="Bets",
        sentences={
            True: "A win pays 1:1, a push returns the bet.",
            False: "There are no bets: a round is won, lost or tied.",
        },
    ),
    Setting(
        "switch",
        False,
        words=Words(31, {"SWITCH": {"switch": True, "max_spots": 2}}, is_usual=False),
        topic="Hands",
        sentences={
            True: (
                "You play two hands with equal bets, and may swap their second cards once, after"
                " the dealer has looked; an ace with a ten is then 21, not a natural."
            ),
            False: "",
        },
    ),
    Setting(
        "max_spots",
        7,
        least=1,
        most=MOST_SPOTS,
        topic="Hands",
        sentences={1: "You play one hand.", OTHER: "You may play 1 to {} hands a round."},
    ),
    Setting("side_bets", ()),
)

SETTINGS: Final[dict[str, Setting]] = {setting.name: setting for setting in _ROWS}
"""All settings by name, in the order of the fields of `Rules`."""
