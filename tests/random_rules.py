"""Random but valid rules, from whatever makes the choices: hypothesis, or a seeded generator."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from upcard.core.hands import AceRule
from upcard.rules.bonuses import Bonuses
from upcard.rules.model import Rules
from upcard.rules.settings import (
    SETTINGS,
    DealerRule,
    DealOrder,
    DoubleOn,
    EvenMoney,
    FreeDouble,
    FreeSplit,
    HoleCard,
    NaturalTakes,
    NaturalTie,
    Player21,
    Shuffle,
    Soft17,
    SplitBy,
    SplitNaturals,
    Surrender,
    TurnOrder,
)

YES_NO = (False, True)
DECKS = (1, 2, 6, 8, None)
NATURAL_PAYS = (Fraction(3, 2), Fraction(6, 5), Fraction(1), Fraction(2))
BONUSES = tuple(map(Bonuses.parse, ("usual/777v7=3:1", "3=4:3/678=2:1-5:2-3:1", "777=1:2-2:1-3:1")))


OPTIONS = {
    "decks": DECKS,
    "ten_probability": (Fraction(4, 13), Fraction(1, 2), Fraction(1, 10)),
    "shuffle": tuple(Shuffle),
    "penetration": (Fraction(3, 4), Fraction(1, 2), Fraction(2, 3)),
    "ace_rule": tuple(AceRule),
    "soft_17": tuple(Soft17),
    "dealer_rule": (DealerRule.TO_17, DealerRule.TO_17, DealerRule.UNTIL_AHEAD),
    "hole_card": tuple(HoleCard),
    "shows_upcard": (True, True, False),
    "shows_hole": (False, False, True),
    "natural_takes": tuple(NaturalTakes),
    "dealer_wins_ties": (None, None, None, 17, 19, 21),
    "natural_pays": NATURAL_PAYS,
    "pushes_22": (False, False, True),
    "suited_natural_pays": (None, None, None, Fraction(2)),
    "natural_tie": (NaturalTie.PUSH, *NaturalTie),
    "natural_ties_21": YES_NO,
    "player_21": tuple(Player21),
    "charlie": (None, None, 5, 6),
    "charlie_pays": (Fraction(1), Fraction(1), Fraction(2)),
    "min_stand": (None, None, None, 15, 17),
    "double_on": tuple(DoubleOn),
    "double_stake": (2, 2, 3),
    "free_double": (FreeDouble.NONE, FreeDouble.NONE, *FreeDouble),
    "free_split": (FreeSplit.NONE, FreeSplit.NONE, *FreeSplit),
    "double_after_split": YES_NO,
    "split_by": tuple(SplitBy),
    "max_hands": (1, 2, 3, 4, 8, None),
    "max_ace_hands": (None, None, None, 2, 3),
    "never_split": ("", "", "", "4", "5T"),
    "max_total_hands": (None, None, 7),
    "resplit_aces": YES_NO,
    "hit_split_aces": YES_NO,
    "double_split_aces": YES_NO,
    "split_naturals": tuple(SplitNaturals),
    "surrender": tuple(Surrender),
    "insurance": YES_NO,
    "insurance_pays": (Fraction(2), Fraction(2), Fraction(5, 2)),
    "even_money": tuple(EvenMoney),
    "turn_order": tuple(TurnOrder),
    "deal_order": tuple(DealOrder),
    "betting": YES_NO,
    "max_spots": (1, 3, 7),
    "deck_size": (52, 52, 48),
    "max_doubles": (1, 1, 2, 3),
    "rescue": YES_NO,
    "bonuses": (None, None, *BONUSES),
    "busts_live": (False, False, True),
}
"""Values of each setting; those that others need to be seen come more than once."""


def choose_rules(choose) -> Rules:
    """Choose every setting with `choose(options)`, then withdraw what clashes."""
    return Rules(**withdraw_clashes({name: choose(values) for name, values in OPTIONS.items()}))


def withdraw_clashes(settings: dict) -> dict:  # noqa: C901, PLR0912, PLR0915 (one after another)
    """Give up the weaker setting of each pair that cannot stand together."""
    s = dict(settings)
    no_free_bets = {"free_double": FreeDouble.NONE, "free_split": FreeSplit.NONE}
    if s["bonuses"] is not None and s["betting"]:
        s |= {"player_21": Player21.ALWAYS_WINS, "charlie": None} | no_free_bets
    else:
        s["bonuses"] = None
    if s["double_stake"] != 2:
        s |= {"max_doubles": 1, "rescue": False}
    if s["dealer_rule"] is DealerRule.UNTIL_AHEAD:
        s |= {"max_spots": 1, "max_hands": 1}
    if not s["shows_upcard"]:
        s |= {"insurance": False, "busts_live": False}
        if s["hole_card"] is HoleCard.PEEK:
            s["hole_card"] = HoleCard.NO_PEEK
        if s["surrender"] is Surrender.EARLY_V_TEN:
            s["surrender"] = Surrender.EARLY
    if s["hole_card"] is HoleCard.PEEK:
        s["natural_takes"] = NaturalTakes.ALL
    else:
        s |= {"rescue": False, "shows_hole": False}
    if s["max_doubles"] > 1 or s["rescue"]:
        s |= no_free_bets
    if s["natural_takes"] is not NaturalTakes.ALL or s["dealer_rule"] is DealerRule.UNTIL_AHEAD:
        s["busts_live"] = False
    if s["shows_hole"]:
        s["insurance"] = False
        if s["surrender"] in (Surrender.EARLY, Surrender.EARLY_V_TEN):
            s["surrender"] = Surrender.LATE
    if s["hole_card"] is HoleCard.NONE and s["player_21"] is Player21.WINS:
        s["player_21"] = Player21.STANDS
    if s["dealer_wins_ties"] == 21:
        s["natural_ties_21"] = False
    nothing_to_insure = (
        not s["insurance"] or s["natural_pays"] <= 1 or s["natural_tie"] is NaturalTie.WIN
    )
    if s["even_money"] is EvenMoney.FIRST and nothing_to_insure:
        s["even_money"] = EvenMoney.INSTEAD
    if not s["betting"]:
        s |= no_free_bets
    if s["max_hands"] in (1, 2):
        s["resplit_aces"] = False
    if s["max_ace_hands"] is not None and (
        not s["resplit_aces"] or (s["max_hands"] or 8) < s["max_ace_hands"]
    ):
        s["max_ace_hands"] = None
    if s["max_hands"] == 1:
        s["hit_split_aces"] = False
        if s["turn_order"] is TurnOrder.SPLITS_FIRST:
            s["turn_order"] = TurnOrder.HAND_BY_HAND
    if (
        not s["hit_split_aces"]
        or not s["double_after_split"]
        or s["double_on"] is DoubleOn.NEVER
        or s["max_hands"] == 1
    ):
        s["double_split_aces"] = False
    if s["decks"] is None:
        s["deck_size"] = 52
    if s["decks"] is None or s["shuffle"] is Shuffle.EVERY_ROUND:
        s["penetration"] = Fraction(3, 4)
    return s


@st.composite
def any_rules(draw) -> Rules:
    """Draw valid rules."""
    return choose_rules(lambda options: draw(st.sampled_from(options)))


NEEDS = {
    "natural_takes": {"hole_card": HoleCard.NONE},
    "natural_ties_21": {"hole_card": HoleCard.NONE} | {"natural_takes": NaturalTakes.ORIGINAL},
    "charlie_pays": {"charlie": 5},
    "bonuses": {"player_21": Player21.ALWAYS_WINS},
    "shows_upcard": {"hole_card": HoleCard.NONE} | {"insurance": False},
    "shows_hole": {"insurance": False},
    "max_ace_hands": {"resplit_aces": True},
    "double_split_aces": {"hit_split_aces": True},
    "insurance_pays": {"insurance": True},
    "dealer_rule": {"max_spots": 1, "max_hands": 1},
}
"""What must be so for a setting to be seen."""
ODD_VALUES = [
    (name, value)
    for name, values in OPTIONS.items()
    for value in dict.fromkeys(values)
    if value != SETTINGS[name].default
]
USUAL = {name: SETTINGS[name].default for name in OPTIONS}


def vary(name, value, **base):
    """Return rules with one setting changed, and what it needs."""
    return Rules(**withdraw_clashes(USUAL | base | NEEDS.get(name, {}) | {name: value}))
