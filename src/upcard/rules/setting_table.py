"""The settings of `Rules`, one row each: type, range, words, sentences, start screen.

Notation, validation, descriptions, packed rounds and the start screen read this table.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from upcard.core.hands import AceRule
from upcard.rules.setting_type import OTHER, Menu, Setting, Words
from upcard.rules.settings import (
    DealerRule,
    DealOrder,
    DoubleOn,
    EvenMoney,
    HoleCard,
    NaturalTakes,
    Player21,
    Shuffle,
    Soft17,
    SplitBy,
    SplitNaturals,
    Surrender,
    TurnOrder,
)

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
}
_HOLE_CARDS: Final = ("peek", "none", "none, one bet lost")
_DOUBLES: Final = ("any two cards", "hard 9 to 11", "hard 10, 11", "any number", "never")
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
        words=Words(1, vocabulary="1D..8D INF"),
        menu=Menu(1, "Decks", {**{str(n): n for n in (1, 2, 4, 5, 6, 8)}, "infinite": None}),
    ),
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
    Setting(
        "natural_takes",
        NaturalTakes.ALL,
        sentences={
            NaturalTakes.ALL: "It takes every bet, doubles and splits included.",
            NaturalTakes.ORIGINAL: (
                "It takes your original bet only; what you added by doubling and splitting is"
                " returned."
            ),
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
        "natural_ties_21",
        False,
        sentences={True: "It only ties another 21.", False: "It beats any other 21."},
    ),
    Setting(
        "player_21",
        Player21.STANDS,
        topic="21",
        sentences={
            Player21.STANDS: "A hand that reaches 21 stands automatically.",
            Player21.ASKED: "A hand that reaches 21 is played on like any other total.",
            Player21.WINS: (
                "A hand that reaches 21 wins at once if the dealer's two cards are under 21;"
                " otherwise it is played on. One that doubles to 21 waits for the dealer."
            ),
        },
    ),
    Setting(
        "charlie",
        None,
        is_optional=True,
        least=3,
        most=21,
        topic="Many cards",
        sentences={
            None: "There is no prize for drawing many cards.",
            OTHER: "A hand of {} cards that is not over 21 wins at once, 1:1.",
        },
    ),
    Setting(
        "double_on",
        DoubleOn.ANY_TWO,
        words=Words(4, dict(zip(("DOA", "D9", "D10", "DANY", "ND"), DoubleOn, strict=True))),
        menu=Menu(5, "Double", dict(zip(_DOUBLES, DoubleOn, strict=True))),
        sentences={
            DoubleOn.ANY_TWO: "on any first two cards",
            DoubleOn.HARD_9_TO_11: "on a hard 9, 10 or 11 of two cards",
            DoubleOn.HARD_10_TO_11: "on a hard 10 or 11 of two cards",
            DoubleOn.ANY_NUMBER: "with any number of cards",
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
        words=Words(9, {"NS": Surrender.NONE, "LS": Surrender.LATE, "ES": Surrender.EARLY}),
        menu=Menu(10, "Surrender", {str(when): when for when in Surrender}),
    ),
    Setting(
        "insurance",
        True,
        words=Words(11, {"INS": True, "NOINS": False}, is_usual=False),
        menu=Menu(11, "Insurance", _NO_YES),
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
        "max_spots",
        7,
        least=1,
        most=MOST_SPOTS,
        topic="Hands",
        sentences={1: "You play one hand.", OTHER: "You may play 1 to {} hands a round."},
    ),
)

SETTINGS: Final[dict[str, Setting]] = {setting.name: setting for setting in _ROWS}
"""All settings by name, in the order of the fields of `Rules`.

Codes of version 0.1 number the settings, and the members of each enumeration, in this order: add
new ones at the end, or old codes are misread."""
