"""The closed sets that the settings of a house choose from."""

from __future__ import annotations

from enum import StrEnum


class Soft17(StrEnum):
    """What the dealer does on a soft 17."""

    STAND = "stand"
    HIT = "hit"


class DealerRule(StrEnum):
    """When the dealer stops drawing."""

    TO_17 = "to-17"
    """Draws to 17, whatever the players hold."""
    UNTIL_AHEAD = "until-ahead"
    """Draws to 17, but stops as soon as he is ahead of the player (document 000)."""


class HoleCard(StrEnum):
    """What the dealer does about his second card before the players act."""

    PEEK = "peek"
    """Dealt face down; with an ace or ten up he looks, and a natural ends the round."""
    NO_PEEK = "no-peek"
    """Dealt face down and not looked at, unless somebody took insurance."""
    NONE = "none"
    """Not dealt before the players have finished."""


class NaturalTakes(StrEnum):
    """What a dealer's natural takes when it shows only after the players have acted."""

    ALL = "all"
    """Every bet, doubles and splits included."""
    ORIGINAL = "original"
    """One original bet a spot; what was added by doubling and splitting is returned."""


class DoubleOn(StrEnum):
    """Which hands may double."""

    ANY_TWO = "any-two"
    HARD_9_TO_11 = "hard-9-to-11"
    HARD_10_TO_11 = "hard-10-to-11"
    ANY_NUMBER = "any-number"
    """At any number of cards."""
    NEVER = "never"


class Surrender(StrEnum):
    """When half the bet may be given up."""

    NONE = "none"
    LATE = "late"
    """After the peek; without a peek a dealer's natural takes the whole bet."""
    EARLY = "early"
    """Before the peek: half is lost whatever the dealer has."""


class EvenMoney(StrEnum):
    """Whether a natural facing an ace may be paid 1:1 at once."""

    NEVER = "never"
    INSTEAD = "instead"
    """Offered in place of insurance."""
    FIRST = "first"
    """Offered first; insurance is still offered when it is declined (document 003)."""


class Shuffle(StrEnum):
    """When the cards are shuffled."""

    CUT_CARD = "cut-card"
    """Between rounds, once the cut card has come out."""
    EVERY_ROUND = "every-round"


class SplitBy(StrEnum):
    """What makes two cards a pair."""

    VALUE = "value"
    """The same value: K and T are a pair."""
    RANK = "rank"
    """The same face: K and T are not."""


class SplitNaturals(StrEnum):
    """Whether an ace and a ten in a split hand are a natural."""

    NEVER = "never"
    ON_TENS = "on-tens"
    """An ace drawn to a split ten is, a ten drawn to a split ace is not (document 002)."""
    ALWAYS = "always"


class Player21(StrEnum):
    """What happens to a hand that reaches 21 without being a natural."""

    STANDS = "stands"
    ASKED = "asked"
    """The player is asked again, as with any other total."""
    WINS = "wins"
    """It wins at once if the dealer's two cards are under 21, else the player is asked."""


class TurnOrder(StrEnum):
    """In which order hands are asked."""

    HAND_BY_HAND = "hand-by-hand"
    ROUND_ROBIN = "round-robin"
    """One decision for each live hand, then again from the first."""
    SPLITS_FIRST = "splits-first"
    """All splits are offered before any hand is filled (document 003)."""


class DealOrder(StrEnum):
    """In which order the opening cards are dealt."""

    CASINO = "casino"
    """One card to each hand, the upcard, a second card to each hand, the hole card."""
    HANDS_UP_HOLE = "hands-up-hole"
    """Two cards to each hand in turn, then the upcard, then the hole card."""
    HANDS_HOLE_UP = "hands-hole-up"
    """Two cards to each hand in turn, then the hole card, then the upcard."""
