"""Numbers that stand for something between the compiled loops and their callers."""

from typing import Final

ACE: Final = 0
TEN: Final = 9
RED_7: Final = 10
"""Kinds of cards: 0 to 9 are ace to ten."""

STAND, HIT, DOUBLE, SPLIT, SURRENDER, NOT_ASKED = range(6)
"""The actions of a hand; one that is not asked stands."""
INSURE: Final = 5
"""The answer that takes insurance or even money at a table, where 0 declines every offer."""
FIRST_DEVIATION: Final = 8
"""From this number on: the number of a deviation, whose answer depends on the count."""

FIRST_TWO, LATER, SPLIT_MORE, SPLIT_FULL, SPLIT_LATER, ACES_MORE, ACES_FULL, ACES_LATER, EARLY = (
    range(9)
)
"""Contexts of a question: two cards, or more; after a split, with another one possible or not."""
DOUBLED_ONCE: Final = 9
"""The context of a hand that doubled, if it is asked again; the next two are of one that doubled
twice and three times."""
CONTEXTS: Final = 12

LIVING_BUST: Final = 1
"""The result of a bust hand that is compared with the dealer; any other bust hand has 0."""
NATURAL, EVEN_MONEY, SURRENDERED, WON, BONUS = range(22, 27)
"""Results of a hand beside its total. One of these, or 0, is not live. From BONUS on: a 21 that
wins at once, by what it pays, or a charlie; no house has both."""
RESULTS: Final = 32
"""Columns of `LoweredGame.net_of`, a power of two."""
BY_SUIT_678, BY_SUIT_777, BY_SUIT_777_V_7 = range(RESULTS, RESULTS + 3)
"""Stand for the result of three cards whose suits decide it; see `SideTables.bonus_of`."""
SUITS_OF_BONUS: Final = 3
"""Mixed suits, one suit, all spades."""
DEALER_NATURAL, DEALER_22 = 22, 23
"""The dealer's results beside a total; a hand that is bust with more than 22 has 0."""
DEALERS: Final = 24
DOUBLED, FREELY, GIVEN_HAND = 1, 2, 4
AGAIN_SHIFT: Final = 3
"""Bits of a wager: the hand doubled; the house paid for that; the house paid for the split that
made the hand; and from this bit on, how often it doubled again. It is 0 for the original bet."""
WAGERS: Final = 24
TAKES_ALL, TAKES_ORIGINAL, TAKES_ORIGINAL_AND_BUSTED, TAKES_BUSTED_AND_ONE = range(4)
"""Bets taken by a natural that shows after the players have acted."""

LOG_ROUND, LOG_ANSWER, LOG_HAND, LOG_INSURANCE, LOG_CARD, LOG_END, LOG_SIDE = range(7)
"""Kinds of entries of a log, its first field.

Their values: cards dealt before, count, seat, shoe; hand, question, answer; spot, net, bets; net;
kind, or the card in full with side bets; net, half bets added; spot, side bet, outcome.
"""
LOG_FIELDS: Final = 5
ASKED_EVEN_MONEY, ASKED_INSURANCE, ASKED_SURRENDER, ASKED_PLAY, ASKED_SWITCH = range(5)

DONE, TOO_MANY_HANDS, TOO_FEW_CARDS, LOG_FULL = range(4)
"""The ways in which the loop ends."""


FIELDS: Final = 16
BEGIN, POSITION, READY, GIVEN, STATUS, CELL, WAITING, HIDES = range(8)
NET, HANDS, INSURED, BET, PAIR, DRAWN, LAST, SPOT = range(8, FIELDS)
"""Fields of a table: cards dealt before the round, and now; cards ready; answers of the round; its
status; the cell of the question, or of the last hand; hands waiting;
whether the hole card is face down; net, number of hands and net of insurance; the choice of bet;
where the hand's second card is, and where the cards it drew begin and end; its spot. At a question
after a split, HANDS has the hands of the spot and from bit `ALIKE_SHIFT` on those that wait and are
the same pair, and at any question INSURED has the number of insured hands."""
ALIKE_SHIFT: Final = 6

OVER, BETTING, ASKED, SETTLED, DUE, ENDED = range(6)
"""Status of a table: it waits for a reset, a bet, an answer, or the one answer of a round that was
over at once; in a step, its round is to be played, or has just ended."""

INSURANCE_KIND: Final = 15
"""Stands for the upcard in the cell of an insurance question."""
CELL_MASK: Final = (1 << 16) - 1
PLACE_SHIFT: Final = 16
"""An entry of `trail` is the cell, and from this bit on what `LEVEL_SHIFT` describes."""
LEVEL_SHIFT: Final = 24
"""Bits 16 to 23 of an entry: the number of finished hands, or the spot of an offer; from bit 24:
the hands that wait to be played, or 1 for even money."""
