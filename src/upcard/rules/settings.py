"""Enumerations for the settings of a house."""

from __future__ import annotations

from enum import StrEnum


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


class DoubleOn(StrEnum):
    """Hands that may double."""

    ANY_TWO = "any-two"
    HARD_9_TO_11 = "hard-9-to-11"
    HARD_10_TO_11 = "hard-10-to-11"
    ANY_NUMBER = "any-number"
    """On any number of cards."""
    NEVER = "never"


class Surrender(StrEnum):
    """Moment when half the bet may be given up."""

    NONE = "none"
    LATE = "late"
    """After the peek; without a peek a dealer's natural takes the whole bet."""
    EARLY = "early"
    """Before the peek: half is lost whatever the dealer has."""


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
