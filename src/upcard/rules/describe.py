"""Rules in plain words: every setting as a sentence, for people who do not read the notation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from upcard.core.hands import AceRule
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

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from upcard.rules.model import Rules

_ACES: Final = {
    AceRule.BEST: "An ace counts 11 unless that would go over 21; then it counts 1.",
    AceRule.ONE_SOFTENED: (
        "An ace counts 11, or 1 if 11 would go over 21; but in one hand only one ace is ever"
        " counted 1, and an ace drawn later and counted 11 stays 11."
    ),
}
_DEAL_ORDER: Final = {
    DealOrder.CASINO: "One card to each hand, the dealer's upcard, a second card to each hand",
    DealOrder.HANDS_UP_HOLE: "Two cards to each hand in turn, then the dealer's upcard",
    DealOrder.HANDS_HOLE_UP: "Two cards to each hand in turn, then the dealer's cards",
}
_NATURAL_TAKES: Final = {
    NaturalTakes.ALL: "It takes every bet, doubles and splits included.",
    NaturalTakes.ORIGINAL: (
        "It takes your original bet only; what you added by doubling and splitting is returned."
    ),
}
_PLAYER_21: Final = {
    Player21.STANDS: "A hand that reaches 21 stands by itself.",
    Player21.ASKED: "A hand that reaches 21 is asked again, as with any other total.",
    Player21.WINS: (
        "A hand that reaches 21 wins at once if the dealer's two cards are under 21;"
        " otherwise it is asked again."
    ),
}
_DOUBLE_ON: Final = {
    DoubleOn.ANY_TWO: "You may double your bet on any first two cards",
    DoubleOn.HARD_9_TO_11: "You may double your bet on a hard 9, 10 or 11 of two cards",
    DoubleOn.HARD_10_TO_11: "You may double your bet on a hard 10 or 11 of two cards",
    DoubleOn.ANY_NUMBER: "You may double your bet with any number of cards",
}
_SPLIT_NATURALS: Final = {
    SplitNaturals.NEVER: "An ace with a ten in a split hand is 21, not a natural.",
    SplitNaturals.ON_TENS: (
        "An ace drawn to a split ten is a natural; a ten drawn to a split ace is 21 only."
    ),
    SplitNaturals.ALWAYS: "An ace with a ten is a natural in a split hand too.",
}
_EVEN_MONEY: Final = {
    EvenMoney.NEVER: "Even money is not offered.",
    EvenMoney.INSTEAD: (
        "A natural facing an ace is offered even money (paid 1:1 at once) in place of insurance."
    ),
    EvenMoney.FIRST: (
        "A natural facing an ace is offered even money (paid 1:1 at once) first,"
        " and insurance if it declines."
    ),
}
_DECKS: Final = (
    *("one deck", "two decks", "three decks", "four decks"),
    *("five decks", "six decks", "seven decks", "eight decks"),
)
_DOUBLE_ON_NAMES: Final = {
    DoubleOn.ANY_TWO: "double on any two cards",
    DoubleOn.HARD_9_TO_11: "double on 9 to 11 only",
    DoubleOn.HARD_10_TO_11: "double on 10 and 11 only",
    DoubleOn.ANY_NUMBER: "double on any number of cards",
    DoubleOn.NEVER: "no doubling",
}
_TURN_ORDER: Final = {
    TurnOrder.HAND_BY_HAND: "Each hand is played to its end before the next is asked.",
    TurnOrder.ROUND_ROBIN: "In each turn every live hand makes one decision, first hand first.",
    TurnOrder.SPLITS_FIRST: (
        "All splits are offered first; then each hand is played to its end before the next."
    ),
}


def describe_rules(rules: Rules) -> list[tuple[str, str]]:
    """Return every setting of `rules` as pairs of a topic and a sentence, in reading order."""
    return [
        ("Cards", _cards(rules)),
        ("Shuffle", _shuffle(rules)),
        ("Aces", _ACES[rules.ace_rule]),
        ("Deal", _deal(rules)),
        ("Dealer", _dealer(rules)),
        ("Naturals", _naturals(rules)),
        ("Dealer's natural", _dealer_natural(rules)),
        ("21", _PLAYER_21[rules.player_21]),
        ("Many cards", _charlie(rules)),
        ("Double", _double(rules)),
        ("Split", " ".join(_split(rules))),
        ("Surrender", _surrender(rules)),
        ("Insurance", _insurance(rules)),
        ("Turns", _TURN_ORDER[rules.turn_order]),
        ("Bets", _bets(rules)),
        ("Hands", _spots(rules)),
    ]


def name_game(rules: Rules) -> str:
    """Name a game in words by what sets it apart: `Six decks, dealer stands on soft 17`.

    A house goes by its title as long as its rules are the house's.
    """
    from upcard.rules.house import house_names, load_house

    if rules.name in house_names() and (house := load_house(rules.name)).rules == rules:
        return house.title
    words = [
        "infinite deck" if rules.decks is None else _DECKS[rules.decks - 1],
        f"dealer {rules.soft_17}s on soft 17",
    ]
    pays = rules.natural_pays
    if pays.numerator * 2 != pays.denominator * 3:
        words.append(f"naturals pay {pays.numerator}:{pays.denominator}")
    if rules.hole_card is not HoleCard.PEEK:
        words.append("no hole card" if rules.hole_card is HoleCard.NONE else "no peek")
    if rules.double_on is not DoubleOn.ANY_TWO:
        words.append(_DOUBLE_ON_NAMES[rules.double_on])
    elif rules.max_hands != 1 and not rules.double_after_split:
        words.append("no double after split")
    if rules.surrender is not Surrender.NONE:
        words.append(f"{rules.surrender} surrender")
    text = ", ".join(words)
    return text[0].upper() + text[1:]


def _cards(rules: Rules) -> str:
    if rules.decks is None:
        return (
            "An infinite deck: every card is drawn anew. A card is worth ten with probability"
            f" {rules.ten_probability}; ace and 2 to 9 share the rest equally."
        )
    decks = "One deck" if rules.decks == 1 else f"{rules.decks} decks"
    return f"{decks} of 52 cards. Tens, jacks, queens and kings count 10."


def _shuffle(rules: Rules) -> str:
    if rules.shuffle is Shuffle.EVERY_ROUND:
        return "All the cards are shuffled before every round."
    return (
        f"The cards are shuffled between rounds once {_percent(rules.penetration)} of them"
        " have been dealt."
    )


def _percent(share: Fraction) -> str:
    percent = share * 100
    if (percent * 10).denominator == 1:
        return f"{float(percent):g}%"
    return f"{share} ({float(percent):.1f}%)"


def _deal(rules: Rules) -> str:
    order = _DEAL_ORDER[rules.deal_order]
    if rules.hole_card is HoleCard.NONE:
        text = f"{order}; the dealer's second card comes only after the players."
    elif rules.deal_order is DealOrder.HANDS_HOLE_UP:
        text = f"{order}, the first of them face down."
    else:
        text = f"{order}, then his hole card face down."
    if not rules.shows_upcard:
        text += " The dealer shows no card before the players have finished."
    return text


def _dealer(rules: Rules) -> str:
    soft = "stands on soft 17" if rules.soft_17 is Soft17.STAND else "hits soft 17"
    text = f"The dealer draws to 17 and {soft}."
    if rules.dealer_rule is DealerRule.UNTIL_AHEAD:
        text += (
            " He looks at your total and stops as soon as he is ahead of it, even under 17;"
            " on 16 or less a tie makes him draw."
        )
    return text


def _naturals(rules: Rules) -> str:
    pays = f"{rules.natural_pays.numerator}:{rules.natural_pays.denominator}"
    return (
        f"An ace with a ten as the first two cards is a natural and pays {pays};"
        " against a dealer's natural it is a push."
    )


def _dealer_natural(rules: Rules) -> str:
    look = {
        HoleCard.PEEK: (
            "With an ace or a ten up the dealer looks at his hole card;"
            " a natural ends the round before you act."
        ),
        HoleCard.NO_PEEK: "The dealer looks at his hole card only after you have finished.",
        HoleCard.NONE: "There is no hole card to look at, so you act before it can show.",
    }[rules.hole_card]
    if rules.hole_card is HoleCard.NO_PEEK and rules.insurance:
        look = (
            "The dealer looks at his hole card only after you have finished,"
            " or at once if somebody took insurance."
        )
    if rules.hole_card is HoleCard.PEEK:
        takes = "It takes your bet."
    else:
        takes = _NATURAL_TAKES[rules.natural_takes]
    ties = "It only ties another 21." if rules.natural_ties_21 else "It beats any other 21."
    return f"{look} {takes} {ties}"


def _charlie(rules: Rules) -> str:
    if rules.charlie is None:
        return "There is no prize for drawing many cards."
    return f"A hand of {rules.charlie} cards that is not over 21 wins at once, 1:1."


def _double(rules: Rules) -> str:
    if rules.double_on is DoubleOn.NEVER:
        return "There is no doubling."
    text = f"{_DOUBLE_ON[rules.double_on]}, and get exactly one more card"
    if rules.max_hands == 1:
        return f"{text}."
    return f"{text}; " + (
        "after a split too." if rules.double_after_split else "not after a split."
    )


def _split(rules: Rules) -> Iterator[str]:
    if rules.max_hands == 1:
        yield "There is no splitting."
        return
    if rules.split_by is SplitBy.VALUE:
        yield "Two cards of the same value (a king and a ten too) may be split for a second bet"
    else:
        yield "Two cards of the same rank (not a king and a ten) may be split for a second bet"
    if rules.max_hands is None:
        yield "and split again without limit."
    elif rules.max_hands == 2:
        yield "once."
    else:
        yield f"and split again, to at most {rules.max_hands} hands."
    if rules.max_total_hands is not None:
        yield f"No more than {rules.max_total_hands} hands lie on the table in all."
    again = "may be split again" if rules.resplit_aces else "are not split again"
    if not rules.hit_split_aces:
        yield f"Split aces get one card each and {again}."
    elif rules.double_split_aces:
        yield f"Split aces may be hit and doubled, and {again}."
    else:
        yield f"Split aces may be hit but not doubled, and {again}."
    yield _SPLIT_NATURALS[rules.split_naturals]


def _surrender(rules: Rules) -> str:
    if rules.surrender is Surrender.NONE:
        return "There is no surrender."
    text = "On the first two cards you may give up half your bet"
    if rules.surrender is Surrender.EARLY:
        return f"{text}, whatever the dealer turns out to have."
    if rules.hole_card is HoleCard.PEEK:
        return f"{text}, after the dealer has looked for a natural."
    return f"{text}; but if the dealer turns out to have a natural, the whole bet is lost."


def _insurance(rules: Rules) -> str:
    if not rules.insurance:
        return "Insurance is not offered."
    return (
        "With an ace up you may bet half your bet, at 2:1, that the dealer has a natural."
        f" {_EVEN_MONEY[rules.even_money]}"
    )


def _bets(rules: Rules) -> str:
    if not rules.betting:
        return "There are no bets: a round is won, lost or tied."
    return "A win pays 1:1, a push returns the bet."


def _spots(rules: Rules) -> str:
    if rules.max_spots == 1:
        return "You play one hand."
    return f"You may play 1 to {rules.max_spots} hands a round."
