"""Rules in plain words: a sentence for every setting."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Final

from upcard.core.numbers import format_chips
from upcard.rules import settings
from upcard.rules.deck import DECK_SIZE
from upcard.rules.model import Rules
from upcard.rules.predicates import DEALER_STANDS_ON
from upcard.rules.side_bets import HOLE, NEXT, SideBet
from upcard.rules.tokens import write_pays

_DECKS: Final = (
    *("one deck", "two decks", "three decks", "four decks"),
    *("five decks", "six decks", "seven decks", "eight decks"),
)
_DOUBLE_ON_NAMES: Final = {
    settings.DoubleOn.ANY_TWO: "double on any two cards",
    settings.DoubleOn.HARD_9_TO_11: "double on 9 to 11 only",
    settings.DoubleOn.HARD_10_TO_11: "double on 10 and 11 only",
    settings.DoubleOn.ANY_NUMBER: "double on any number of cards",
    settings.DoubleOn.NEVER: "no doubling",
    settings.DoubleOn.HARD: "double on hard totals only",
}

_SURRENDER_NAMES: Final = {
    settings.Surrender.LATE: "late surrender",
    settings.Surrender.EARLY: "early surrender",
    settings.Surrender.EARLY_V_TEN: "early surrender against tens",
    settings.Surrender.ANY_CARDS: "late surrender on any number of cards",
}


def describe_rules(rules: Rules) -> list[tuple[str, str]]:
    """Describe every setting of `rules` as pairs of a topic and a sentence, in reading order."""
    return [(topic, words) for topic, words in describe_topics(rules).items() if words]


def describe_topics(rules: Rules) -> dict[str, str]:
    """Describe every topic of rules, in reading order; empty where these rules have none of it.

    The topics and their order are those of all rules, so that games can be compared by them.
    """
    topics = {topic: compose(rules) if compose else "" for topic, compose in _COMPOSED.items()}
    for name, setting in settings.SETTINGS.items():
        if setting.topic:
            words = (topics.get(setting.topic, ""), _say(rules, name))
            topics[setting.topic] = " ".join(word for word in words if word)
    return topics


def _say(rules: Rules, name: str) -> str:
    return settings.SETTINGS[name].say(getattr(rules, name))


DEFAULT_NAME: Final = "six decks"
"""The name of the default game, where a house has a name."""


def name_game(rules: Rules) -> str:
    """Name a game by what distinguishes it: `Six decks, dealer stands on soft 17`.

    A house goes by its title as long as its rules are unchanged.
    """
    from upcard.rules.house import house_names, load_house

    if rules.name in house_names() and (house := load_house(rules.name)).rules == rules:
        return house.title
    words = [
        "infinite deck" if rules.decks is None else _DECKS[rules.decks - 1],
        f"dealer {rules.soft_17}s on soft 17",
    ]
    if rules.deck_size != DECK_SIZE:
        words[0] += f" of {rules.deck_size} cards"
    pays = rules.natural_pays
    if pays.numerator * 2 != pays.denominator * 3:
        words.append(f"naturals pay {write_pays(pays)}")
    if rules.hole_card is not settings.HoleCard.PEEK:
        words.append("no hole card" if rules.hole_card is settings.HoleCard.NONE else "no peek")
    if rules.double_on is not settings.DoubleOn.ANY_TWO:
        words.append(_DOUBLE_ON_NAMES[rules.double_on])
    elif rules.max_hands != 1 and not rules.double_after_split:
        words.append("no double after split")
    if rules.surrender is not settings.Surrender.NONE:
        words.append(_SURRENDER_NAMES[rules.surrender])
    words.extend(_name_extras(rules))
    text = ", ".join(words)
    return text[0].upper() + text[1:]


def _name_extras(rules: Rules) -> Iterator[str]:
    """Name rules of few houses that change what a game is worth."""
    if rules.shows_hole:
        yield "both dealer cards shown"
    if rules.dealer_wins_ties is not None:
        most = rules.dealer_wins_ties
        yield f"dealer wins ties at {f'17 to {most}' if most > DEALER_STANDS_ON else most}"
    if rules.pushes_22:
        yield "22 pushes"
    if rules.busts_live:
        yield "busted hands live"
    if rules.switch:
        yield "two hands, and a swap"
    if rules.free_double is not settings.FreeDouble.NONE:
        yield "free doubles"
    if rules.free_split is not settings.FreeSplit.NONE:
        yield "free splits"
    if rules.player_21 is settings.Player21.ALWAYS_WINS:
        yield "21 wins at once"
    if rules.charlie is not None:
        yield f"{rules.charlie} cards win"
    if rules.bonuses is not None:
        yield "bonuses for 21"
    if rules.max_doubles > 1:
        yield "redoubling"
    if rules.rescue:
        yield "rescue after a double"


def _cards(rules: Rules) -> str:
    if rules.decks is None:
        return (
            "An infinite deck: every card is drawn from a full one. A card is worth ten with"
            f" probability {rules.ten_probability}; ace and 2 to 9 share the rest equally."
        )
    decks = "One deck" if rules.decks == 1 else f"{rules.decks} decks"
    tens = ". Tens, jacks"
    if rules.deck_size != DECK_SIZE:
        tens = ": the four tens are taken out. Jacks"
    return f"{decks} of {rules.deck_size} cards{tens}, queens and kings count 10."


def _shuffle(rules: Rules) -> str:
    if rules.shuffle is settings.Shuffle.EVERY_ROUND:
        return "All the cards are shuffled before every round."
    share = _percent(rules.penetration)
    return f"The cards are shuffled between rounds once {share} of them have been dealt."


def _percent(share: Fraction) -> str:
    percent = share * 100
    if (percent * 10).denominator == 1:
        return f"{float(percent):g}%"
    return f"{share} ({float(percent):.1f}%)"


def _deal(rules: Rules) -> str:
    order = _say(rules, "deal_order")
    if rules.hole_card is settings.HoleCard.NONE:
        text = f"{order}; the dealer's second card comes only after the players."
    elif rules.shows_hole:
        text = f"{order}, then the dealer's second card. Both dealer cards are face up."
    elif rules.deal_order is settings.DealOrder.HANDS_HOLE_UP:
        text = f"{order}, the first of them face down."
    else:
        text = f"{order}, then the hole card face down."
    if not rules.shows_upcard:
        text += " The dealer shows no card before the players have finished."
    return text


def _dealer(rules: Rules) -> str:
    soft = "stands on soft 17" if rules.soft_17 is settings.Soft17.STAND else "hits soft 17"
    text = f"The dealer draws to 17 and {soft}."
    if rules.dealer_rule is settings.DealerRule.UNTIL_AHEAD:
        text += (
            " If they are already ahead of your total, they stop, even under 17;"
            " on 16 or less they draw to break a tie."
        )
    return text


def _naturals(rules: Rules) -> str:
    pays = write_pays(rules.natural_pays)
    if rules.suited_natural_pays is not None:
        pays += f", {write_pays(rules.suited_natural_pays)} if both cards have one suit"
    return (
        f"An ace with a ten as the first two cards is a natural and pays {pays};"
        f" {_say(rules, 'natural_tie')}"
    )


def _dealer_natural(rules: Rules) -> str:
    look = _say(rules, "hole_card")
    if rules.hole_card is settings.HoleCard.NO_PEEK and rules.insurance:
        look = f"{look[:-1]}, or at once if a player took insurance."
    if rules.shows_hole:
        look = "A dealer's natural is seen at once and ends the round before you act."
    is_seen = rules.hole_card is settings.HoleCard.PEEK
    takes = "It takes your bet." if is_seen else _say(rules, "natural_takes")
    always_wins = rules.player_21 is settings.Player21.ALWAYS_WINS
    ties = "" if always_wins else f" {_say(rules, 'natural_ties_21')}"
    return f"{look} {takes}{ties}"


def _charlie(rules: Rules) -> str:
    words = _say(rules, "charlie")
    return words if rules.charlie is None else f"{words}, {write_pays(rules.charlie_pays)}."


def _double(rules: Rules) -> str:
    is_never_paid = rules.double_on is settings.DoubleOn.NEVER
    if is_never_paid and rules.free_double is not settings.FreeDouble.NONE:
        return f"There is no doubling but where it is free; {_say(rules, 'double_after_split')}"
    if is_never_paid:
        return "There is no doubling."
    verb = _say(rules, "double_stake")
    text = f"You may {verb} your bet {_say(rules, 'double_on')}, and get exactly one more card"
    text += "." if rules.max_hands == 1 else f"; {_say(rules, 'double_after_split')}"
    return " ".join(filter(None, (text, _say(rules, "max_doubles"), _say(rules, "rescue"))))


def _bonuses(rules: Rules) -> str:
    if rules.bonuses is None:
        return ""
    return f"A 21 that was not doubled pays {'; '.join(rules.bonuses.say())}; others pay 1:1."


def _split(rules: Rules) -> str:
    if rules.max_hands == 1:
        return "There is no splitting."
    names = ("split_by", "max_hands", "max_total_hands")
    first = [*(_say(rules, name) for name in names), _never_split(rules)]
    again = _say(rules, "resplit_aces")
    if not rules.hit_split_aces:
        aces = f"Split aces get one card each and {again}."
    else:
        double = "and doubled" if rules.double_split_aces else "but not doubled"
        aces = f"Split aces may be hit {double}, and {again}."
    last = (_say(rules, "max_ace_hands"), _say(rules, "split_naturals"))
    return " ".join(text for text in (*first, aces, *last) if text)


def _free_bets(rules: Rules) -> str:
    words = " ".join(filter(None, (_say(rules, "free_double"), _say(rules, "free_split"))))
    return f"{words} A free bet pays when it wins and costs nothing when it loses." if words else ""


def _never_split(rules: Rules) -> str:
    pairs = [_PLURALS[rank] for rank in rules.never_split]
    return f"Pairs of {_join(pairs)} are never split." if pairs else ""


def _join(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


_PLURALS: Final = {"T": "tens", "A": "aces"} | {str(rank): f"{rank}s" for rank in range(2, 10)}


def _surrender(rules: Rules) -> str:
    if rules.surrender is settings.Surrender.NONE:
        return "There is no surrender."
    number = (
        "any number of cards"
        if rules.surrender is settings.Surrender.ANY_CARDS
        else "the first two cards"
    )
    text = f"On {number} you may give up half your bet"
    if rules.surrender is settings.Surrender.EARLY_V_TEN:
        return f"{text} against a ten, whatever the dealer turns out to have."
    if rules.surrender is settings.Surrender.EARLY:
        return f"{text}, whatever the dealer turns out to have."
    if rules.shows_hole:
        return f"{text}."
    if rules.hole_card is settings.HoleCard.PEEK:
        return f"{text}, after the dealer has looked for a natural."
    return f"{text}; but if the dealer turns out to have a natural, the whole bet is lost."


def _insurance(rules: Rules) -> str:
    if not rules.insurance:
        return "Insurance is not offered."
    return (
        "With an ace up you may bet half your bet, at"
        f" {write_pays(rules.insurance_pays)}, that the dealer has a natural."
        f" {_say(rules, 'even_money')}"
    )


def _side_bets(rules: Rules) -> str:
    return " ".join(
        f"{bet.title}: {say_pays(bet)}. {' '.join(say_when_settled(bet))}"
        for bet in rules.side_bets
    )


def say_pays(bet: SideBet) -> str:
    """Write what a side bet pays, the rows in their order."""
    return "; ".join(
        f"{row.name} {f'{format_chips(row.pays)}:1' if row.pays else 'returns the bet'}"
        for row in bet.rows
    )


def say_when_settled(bet: SideBet) -> tuple[str, ...]:
    """Say which cards settle a side bet, and what that asks of the house, a sentence each."""
    if bet.is_on_dealer:
        return ("It is settled on the dealer's final hand: the dealer always plays out.",)
    names = [_NAMES_OF_CARDS[name] for name in bet.names]
    found = [f"It is settled on {_join(names)}."]
    if bet.needs_natural:
        found.append("It waits until it is known whether the dealer has a natural.")
    if NEXT in bet.names:
        when = "only if the first hand" if bet.if_drawn else "whether or not a hand"
        found.append(f"The card after the deal counts {when} draws it.")
    if bet.after:
        found.append(f"It is offered only after {' '.join(map(str, bet.after))}.")
    return tuple(found)


_NAMES_OF_CARDS: Final = {
    "player1": "your first card",
    "player2": "your second card",
    "upcard": "the upcard",
    HOLE: "the dealer's second card",
    NEXT: "the first card after the deal",
}
_COMPOSED: Final[dict[str, Callable[[Rules], str] | None]] = {
    "Cards": _cards,
    "Shuffle": _shuffle,
    "Aces": None,
    "Deal": _deal,
    "Dealer": _dealer,
    "Naturals": _naturals,
    "Dealer's natural": _dealer_natural,
    "21": None,
    "Bonuses": _bonuses,
    "Many cards": _charlie,
    "Stand": None,
    "Double": _double,
    "Split": _split,
    "Free bets": _free_bets,
    "Surrender": _surrender,
    "Insurance": _insurance,
    "Side bets": _side_bets,
    "Turns": None,
    "Bets": None,
}
"""Topics in reading order, each with the text that several settings share, if any.

Settings with a topic of their own follow.
"""
