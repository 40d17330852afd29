"""Blackjack in five minutes: the game for a person who has never played, as text and hands.

The full screen, the command line and the documentation show this one text; each draws the cards
its own way. Totals are computed from the cards.
"""

from typing import Final, NamedTuple

from upcard.core.cards import ACE, TEN, Card, parse_cards
from upcard.core.hands import BUST_LIMIT, AceRule, hand_table

TITLE: Final = "Blackjack in five minutes"


class PrimerHand(NamedTuple):
    """A hand that a section shows; a card of None is face down."""

    name: str
    cards: tuple[Card | None, ...]

    @property
    def remark(self) -> str:
        """The total in words: `16`, `soft 17`, `24, bust`, `21, a natural`."""
        ranks = [card.rank for card in self.cards if card is not None]
        table = hand_table(AceRule.BEST)
        state = table.state_of(ranks)
        total = table.total[state]
        if sorted(ranks) == [ACE, TEN]:
            return f"{total}, a natural"
        if total > BUST_LIMIT:
            return f"{total}, bust"
        return f"soft {total}" if table.is_soft[state] and len(ranks) > 1 else str(total)


class PrimerSection(NamedTuple):
    """A heading, its text, and the hands drawn below it."""

    heading: str
    text: str
    hands: tuple[PrimerHand, ...] = ()
    commands: tuple[str, ...] = ()
    """Commands that show more of it, for the page of the documentation."""

    @property
    def paragraphs(self) -> list[str]:
        """The text, one string per paragraph."""
        return [" ".join(paragraph.split()) for paragraph in self.text.split("\n\n")]


def _hand(name: str, cards: str, *, has_hole_card: bool = False) -> PrimerHand:
    hole: tuple[Card | None, ...] = (None,) if has_hole_card else ()
    return PrimerHand(name, (*parse_cards(cards), *hole))


SECTIONS: Final = (
    PrimerSection(
        "The aim",
        """
        You play against the dealer, not against the other players at the table. You win if
        your cards total more than the dealer's without going over 21.
        """,
    ),
    PrimerSection(
        "What cards count",
        """
        Cards 2 to 10 count their number. A jack, queen or king counts 10. An ace counts 11,
        or 1 if 11 would take the hand over 21. Suits do not matter.

        A hand in which an ace counts 11 is called soft: one more card cannot take it over
        21, because the ace then counts 1. Any other hand is hard.
        """,
        (_hand("soft", "AS 6H"), _hand("the same, with a 9", "AS 6H 9C")),
    ),
    PrimerSection(
        "A round",
        """
        You bet, and get two cards. The dealer gets two as well: one face up, the upcard,
        and one face down, the hole card. Then it is your turn, and after you the dealer's.
        """,
        (_hand("dealer", "9H", has_hole_card=True), _hand("you", "TS 6D")),
        ("upcard basics --play",),
    ),
    PrimerSection(
        "Your turn",
        """
        Hit (H): take one more card. You may hit again and again.

        Stand (S): keep the hand as it is.

        Double (D): double the bet, take exactly one more card, and stand.

        Split (P): if your two cards are a pair, make two hands of them. Each gets a new
        card and a bet as large as the first.

        Surrender (R), where the house offers it: give up the hand and half of the bet.
        """,
        (_hand("a pair to split", "8S 8D"), _hand("a hand to double", "6C 5H")),
        ("upcard solve 88 v 6", "upcard solve 65 v 6"),
    ),
    PrimerSection(
        "Bust",
        """
        A hand over 21 is bust and loses at once, even if the dealer goes bust later. That
        you act before the dealer is the advantage of the house; everything else in the
        rules is there to give some of it back to you.
        """,
        (_hand("you hit 16", "TS 6D 8C"),),
        ("upcard solve T6 v T",),
    ),
    PrimerSection(
        "The dealer",
        """
        The dealer makes no choices. They turn the hole card up, draw to 16 or less, and
        stand on 17 or more. Houses differ on one point: on a soft 17 some dealers stand
        (S17) and some hit (H17).
        """,
        (_hand("dealer", "9H 5C 7D"),),
        ("upcard dealer",),
    ),
    PrimerSection(
        "A natural",
        """
        An ace and a ten-valued card as the first two cards are a natural, or blackjack. It
        beats every other hand, and usually pays 3:2: a bet of 10 wins 15. Where it pays 6:5
        it wins only 12; such a table costs you another 1.4 percent of every bet. If the
        dealer has a natural too, it is a push.
        """,
        (_hand("blackjack!", "AS KH"),),
        ("upcard edge --compare 6:5",),
    ),
    PrimerSection(
        "Who wins",
        """
        The higher total wins, and pays as much as the bet. Equal totals are a push: you get
        the bet back. If the dealer goes bust, every hand still standing wins.
        """,
    ),
    PrimerSection(
        "Insurance",
        """
        When the upcard is an ace you may be offered insurance: a side bet of half the bet
        that the dealer has a natural, paid 2:1. Even money is the same offer when you hold
        a natural. Decline both, unless you count cards.
        """,
        (_hand("dealer", "AD", has_hole_card=True),),
    ),
    PrimerSection(
        "How to play well",
        """
        Every hand has one best answer for the rules of the table. At a question W shows
        what each answer is worth and why; the coach (C) reports mistakes and what they
        cost.

        `upcard chart` prints the best answers for every hand, `upcard train` drills them,
        beginning with those that cost you most, and `upcard stats` adds up your play.
        """,
        commands=("upcard chart", "upcard train strategy", "upcard stats"),
    ),
)
"""The page, in the order in which a newcomer needs it."""
