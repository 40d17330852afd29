"""`Rules`: all settings of a house in one frozen value, and their validation."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self, cast

from upcard.core.errors import RulesError, quote
from upcard.core.hands import BUST_LIMIT, AceRule
from upcard.rules import settings
from upcard.rules.bonuses import Bonuses
from upcard.rules.deck import DECK_SIZE, FullShoe, full_shoe
from upcard.rules.tokens import write_value

if TYPE_CHECKING:
    from upcard.rules.side_bets import SideBet


def find_faults(rules: Rules) -> tuple[str, ...]:
    """Return every reason why `rules` cannot be played."""
    # bool is an int to Python, and 1.5 equals a Fraction: compare the exact types.
    wrong_kinds = tuple(
        f"{name}: {quote(value)} is not {setting.possible}"
        for name, setting in settings.SETTINGS.items()
        if type(value := getattr(rules, name)) not in setting.kinds
    )
    out_of_range = tuple(
        f"{name}: {value} is not {setting.limits}"
        for name, setting in settings.SETTINGS.items()
        if setting.is_out_of_range(value := getattr(rules, name))
    )
    # Settings of the wrong type cannot be compared with one another.
    return (*wrong_kinds, *out_of_range, *(() if wrong_kinds else _find_clashes(rules)))


def _find_clashes(rules: Rules) -> Iterator[str]:
    peeks = rules.hole_card is settings.HoleCard.PEEK
    if peeks and rules.natural_takes is not settings.NaturalTakes.ALL:
        yield (
            f"natural_takes={rules.natural_takes} clashes with hole_card=peek:"
            " after a peek only original bets are on the table"
        )
    if not rules.shows_upcard:
        if rules.insurance:
            yield "insurance clashes with shows_upcard=false: players see no ace to insure against"
        if peeks:
            yield "hole_card=peek clashes with shows_upcard=false: a peek gives the upcard away"
        if rules.busts_live:
            yield "busts_live clashes with shows_upcard=false: it depends on the upcard"
        if rules.surrender is settings.Surrender.EARLY_V_TEN:
            yield (
                "surrender=early-v-ten clashes with shows_upcard=false: whether it is offered"
                " gives the upcard away"
            )
    if rules.shows_hole:
        yield from _find_shown_clashes(rules)
    if rules.decks is None and rules.deck_size != DECK_SIZE:
        yield (
            f"deck_size={rules.deck_size} clashes with decks=none: an infinite deck has no tens to"
            " take out; INF(1/4) has their share in decks of 48"
        )
    is_free = _has_free_doubles(rules) or rules.free_split is not settings.FreeSplit.NONE
    if is_free and not rules.betting:
        yield "free_double and free_split clash with betting=false: there are no bets"
    if rules.side_bets and not rules.betting:
        yield "side_bets clash with betting=false: there are no bets"
    yield from _find_natural_clashes(rules)
    yield from _find_double_clashes(rules)
    if rules.switch:
        yield from _find_switch_clashes(rules)
    yield from _find_split_clashes(rules)
    yield from _find_dealer_clashes(rules)
    if (
        rules.decks is not None
        and rules.shuffle is settings.Shuffle.EVERY_ROUND
        and rules.penetration != settings.DEFAULT_PENETRATION
    ):
        yield (
            f"penetration={rules.penetration} clashes with shuffle=every-round:"
            " no cut card is used when every round is shuffled"
        )


def _find_shown_clashes(rules: Rules) -> Iterator[str]:
    if rules.hole_card is not settings.HoleCard.PEEK:
        yield (
            f"shows_hole clashes with hole_card={rules.hole_card}: a natural that is seen ends the"
            " round before the players act"
        )
    if not rules.shows_upcard:
        yield "shows_hole clashes with shows_upcard=false: both cards are shown, or one, or none"
    if rules.surrender in (settings.Surrender.EARLY, settings.Surrender.EARLY_V_TEN):
        yield (
            f"surrender={rules.surrender} clashes with shows_hole: whether the dealer has a natural"
            " is seen before any offer"
        )


def _find_natural_clashes(rules: Rules) -> Iterator[str]:
    if rules.even_money is settings.EvenMoney.FIRST and not rules.insurance:
        yield "even_money=first clashes with insurance=false: there is nothing to offer second"
    if rules.even_money is settings.EvenMoney.FIRST and rules.natural_pays <= 1:
        yield (
            f"even_money=first clashes with natural_pays={rules.natural_pays}:"
            " a natural that pays no more than even money has nothing to give up"
        )
    if (
        rules.even_money is settings.EvenMoney.FIRST
        and rules.natural_tie is settings.NaturalTie.WIN
    ):
        yield (
            "even_money=first clashes with natural_tie=win: a natural that always wins has"
            " nothing to insure"
        )
    if rules.natural_ties_21 and rules.dealer_wins_ties == BUST_LIMIT:
        yield (
            "natural_ties_21 clashes with dealer_wins_ties=21: a 21 would push against a natural"
            " and lose to another 21"
        )


def _find_switch_clashes(rules: Rules) -> Iterator[str]:
    wanted = {
        "max_spots": (2, "the cards of two hands are swapped"),
        "hole_card": (settings.HoleCard.PEEK, "the swap comes after a look"),
        "insurance": (False, "it is not offered beside a swap"),
        "turn_order": (settings.TurnOrder.HAND_BY_HAND, "the hands are played one by one"),
        "betting": (True, "the bets of both hands are equal"),
        "max_total_hands": (None, "each hand has room of its own"),
    }
    for name, (value, reason) in wanted.items():
        if (found := getattr(rules, name)) != value:
            yield f"switch clashes with {name}={write_value(found)}: {reason}"
    if rules.surrender in (settings.Surrender.EARLY, settings.Surrender.EARLY_V_TEN):
        yield f"switch clashes with surrender={rules.surrender}: the swap comes after a look"
    if rules.side_bets:
        yield "switch clashes with side bets: they would know the cards before the swap"


def _find_double_clashes(rules: Rules) -> Iterator[str]:
    again = [f"max_doubles={rules.max_doubles}"] if rules.max_doubles > 1 else []
    again += ["rescue"] if rules.rescue else []
    for name in again:
        if rules.double_stake != _TWICE:
            yield f"{name} clashes with double_stake={rules.double_stake}: it is for doubled bets"
        if _has_free_doubles(rules) or rules.free_split is not settings.FreeSplit.NONE:
            yield f"{name} clashes with free_double and free_split: it is for bets that are paid"
    if rules.rescue and rules.hole_card is not settings.HoleCard.PEEK:
        yield f"rescue clashes with hole_card={rules.hole_card}: it is offered after a peek only"
    if rules.bonuses is None:
        return
    if rules.player_21 is not settings.Player21.ALWAYS_WINS:
        yield f"bonuses clash with player_21={rules.player_21}: they are for a 21 that always wins"
    if rules.charlie is not None:
        yield f"bonuses clash with charlie={rules.charlie}: both pay for a number of cards"
    if not rules.betting:
        yield "bonuses clash with betting=false: there are no bets"
    if rules.free_split is not settings.FreeSplit.NONE or _has_free_doubles(rules):
        yield "bonuses clash with free_double and free_split: they are for bets that are paid"


def _find_split_clashes(rules: Rules) -> Iterator[str]:
    most = rules.max_hands
    if rules.resplit_aces and most is not None and most <= 2:
        yield f"resplit_aces clashes with max_hands={most}: a resplit needs a third hand"
    if rules.max_ace_hands is not None:
        if rules.max_ace_hands > 2 and not rules.resplit_aces:
            yield (
                f"max_ace_hands={rules.max_ace_hands} clashes with resplit_aces=false:"
                " a third hand needs a resplit"
            )
        if most is not None and rules.max_ace_hands > most:
            yield f"max_ace_hands={rules.max_ace_hands} clashes with max_hands={most}: it is more"
    if unknown := [rank for rank in rules.never_split if rank not in settings.PAIR_RANKS]:
        yield f"never_split: {unknown[0]} is not a rank: 2 to 9, T or A"
    if rules.hit_split_aces and most == 1:
        yield "hit_split_aces clashes with max_hands=1: nothing is ever split"
    if rules.double_split_aces:
        if not rules.hit_split_aces:
            yield "double_split_aces clashes with hit_split_aces=false"
        if not rules.double_after_split:
            yield "double_split_aces clashes with double_after_split=false"
        if rules.double_on is settings.DoubleOn.NEVER and not _has_free_doubles(rules):
            yield "double_split_aces clashes with double_on=never"
    if rules.max_total_hands is not None and rules.max_total_hands < rules.max_spots:
        yield (
            f"max_total_hands={rules.max_total_hands} clashes with"
            f" max_spots={rules.max_spots}: more spots than hands"
        )
    if rules.turn_order is settings.TurnOrder.SPLITS_FIRST and most == 1:
        yield "turn_order=splits-first clashes with max_hands=1: there are no splits to offer"


def _find_dealer_clashes(rules: Rules) -> Iterator[str]:
    if rules.dealer_rule is settings.DealerRule.UNTIL_AHEAD:
        if rules.max_spots != 1 or rules.max_hands != 1:
            yield (
                "dealer_rule=until-ahead clashes with"
                f" max_spots={rules.max_spots}, max_hands={rules.max_hands}:"
                " the dealer can be ahead of one hand only, so both must be 1"
            )
        for bet in rules.side_bets:
            if bet.is_on_dealer:
                yield (
                    f"side bet {bet.name} clashes with dealer_rule=until-ahead:"
                    " the dealer's final hand depends on the player's"
                )
    if rules.busts_live and rules.natural_takes is not settings.NaturalTakes.ALL:
        yield (
            f"busts_live clashes with natural_takes={rules.natural_takes}:"
            " it treats busted hands as lost before the dealer plays"
        )
    if rules.busts_live and rules.dealer_rule is settings.DealerRule.UNTIL_AHEAD:
        yield "busts_live clashes with dealer_rule=until-ahead: a busted hand is behind every total"
    if rules.player_21 is settings.Player21.WINS and rules.hole_card is settings.HoleCard.NONE:
        yield "player_21=wins clashes with hole_card=none: it needs the dealer's two cards"


def _has_free_doubles(rules: Rules) -> bool:
    return rules.free_double is not settings.FreeDouble.NONE


_TWICE: Final = 2
RULE_NAMES: Final = tuple(settings.SETTINGS)
FAIR_FOR_EVEN_MONEY: Final = Fraction(3, 2)
"""Payout of a natural below which even money gains in full decks: few houses offer it then."""
_USUAL: Final = cast("settings.EvenMoney", None)
"""Default that depends on `natural_pays`, see `usual_even_money`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The rules of one table (default: a common six-deck game).

    A value: two `Rules` are equal when they play the same, whatever their `name`. Settings that
    a stronger one makes void (a penetration where every round is shuffled, doubling after splits
    where none may split) take their default, so that equal games compare equal.

    Raises: RulesError naming all settings that clash.

    >>> rules = Rules.parse("6D H17 LS")
    >>> rules.surrender, str(rules)
    (<Surrender.LATE: 'late'>, '6D H17 PEEK DOA DAS SP4 NRSA LS 3:2')
    """

    name: str = field(default="", compare=False)
    json_keys: ClassVar[Any] = str
    decks: int | None = 6
    """Number of decks, 1 to 8; None for an infinite deck."""
    deck_size: int = DECK_SIZE
    """Cards of each deck: 52, or 48 without the four tens (jacks, queens and kings stay)."""
    ten_probability: Fraction = settings.FAIR_TEN_PROBABILITY
    """Infinite deck only: share of ten-valued cards; the other nine ranks share the rest."""
    shuffle: settings.Shuffle = settings.Shuffle.CUT_CARD
    penetration: Fraction = settings.DEFAULT_PENETRATION
    """Share of the shoe dealt before the cut card, over 0, at most 1."""

    ace_rule: AceRule = AceRule.BEST
    soft_17: settings.Soft17 = settings.Soft17.STAND
    dealer_rule: settings.DealerRule = settings.DealerRule.TO_17
    hole_card: settings.HoleCard = settings.HoleCard.PEEK
    shows_upcard: bool = True
    shows_hole: bool = False
    """Whether the dealer's second card is dealt face up too."""
    natural_takes: settings.NaturalTakes = settings.NaturalTakes.ALL

    dealer_wins_ties: int | None = None
    """Highest total, from 17 on, at which the dealer wins a tie; None if ties push."""
    natural_pays: Fraction = Fraction(3, 2)
    """Payout of a natural, per unit bet."""
    pushes_22: bool = False
    """Whether a dealer's 22 pushes every hand that it would pay but naturals."""
    busts_live: bool = False
    """Whether against a 7 to an ace a busted hand wins if the dealer busts with more than 22."""
    suited_natural_pays: Fraction | None = None
    """Payout of a natural of one suit; None for that of any natural."""
    natural_tie: settings.NaturalTie = settings.NaturalTie.PUSH
    natural_ties_21: bool = False
    """Whether a dealer's natural only ties a player's other 21."""
    player_21: settings.Player21 = settings.Player21.STANDS
    charlie: int | None = None
    """Number of cards without a bust that wins at once; None for no such rule."""
    charlie_pays: Fraction = Fraction(1)
    """Payout of a charlie, per unit of its stake."""
    bonuses: Bonuses | None = None
    """Pays of a 21 that wins at once and was not doubled; None for even money."""
    min_stand: int | None = None
    """Least total to stand on; None for any. Split aces that get one card stand on any."""

    double_on: settings.DoubleOn = settings.DoubleOn.ANY_TWO
    double_stake: int = 2
    """Bets on the hand after a double: 2, or 3 where doubling is tripling."""
    max_doubles: int = 1
    """How often one hand may double, 1 to 3; each time the stake is doubled."""
    rescue: bool = False
    """Whether a doubled hand may be surrendered for half of its stake."""
    free_double: settings.FreeDouble = settings.FreeDouble.NONE
    free_split: settings.FreeSplit = settings.FreeSplit.NONE
    double_after_split: bool = True
    split_by: settings.SplitBy = settings.SplitBy.VALUE
    max_hands: int | None = 4
    """Most hands that one hand may become by splitting, 1 to 8; None for no limit."""
    max_ace_hands: int | None = None
    """Most hands that a pair of aces may become; None for `max_hands`, or 2 without resplits."""
    never_split: str = ""
    """Ranks of the pairs that are never split, such as `4T`."""
    max_total_hands: int | None = None
    """Most hands on the table in all; None for no limit."""
    resplit_aces: bool = False
    hit_split_aces: bool = False
    double_split_aces: bool = False
    split_naturals: settings.SplitNaturals = settings.SplitNaturals.NEVER
    surrender: settings.Surrender = settings.Surrender.NONE
    insurance: bool = True
    insurance_pays: Fraction = Fraction(2)
    """Payout of insurance, per unit of the insurance bet."""
    even_money: settings.EvenMoney = _USUAL
    """Default: `instead` if a natural pays 3:2 or more, `never` if it pays less."""

    turn_order: settings.TurnOrder = settings.TurnOrder.HAND_BY_HAND
    deal_order: settings.DealOrder = settings.DealOrder.CASINO
    betting: bool = True
    """Whether players bet; without bets a round only counts as won, lost or tied."""
    switch: bool = False
    """Whether a player has two hands with equal bets, and may swap their second cards once."""
    max_spots: int = 7
    """Most bet positions in one round, 1 to 7."""
    side_bets: tuple[SideBet, ...] = ()
    """Side bets that may be placed with the main bet; they change nothing in the main game but that
    the dealer plays out for a bet on the dealer's hand."""
    _hash: int = field(default=0, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Coerce the settings, validate them and reset void settings to their default."""
        for name, setting in settings.SETTINGS.items():
            object.__setattr__(self, name, setting.coerce(getattr(self, name)))
        if self.even_money is _USUAL:
            object.__setattr__(self, "even_money", usual_even_money(self.natural_pays))
        faults = find_faults(self)
        if faults:
            raise RulesError(*faults)
        for name, value in void_settings(self).items():
            object.__setattr__(self, name, value)
        values = tuple(getattr(self, name) for name in RULE_NAMES)
        object.__setattr__(self, "_hash", hash(values))

    def __hash__(self) -> int:
        """Return the hash of all settings, computed once because rules are looked up often."""
        return self._hash

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some settings changed.

        Where even money is as usual it stays so: it goes by what a natural pays in the copy.

        Raises: RulesError for an unknown setting, or if the result would clash.

        >>> print(Rules.parse("6D H17").replace(decks=2, surrender="late"))
        2D H17 PEEK DOA DAS SP4 NRSA LS 3:2
        """
        unknown = [name for name in changes if name not in (*RULE_NAMES, "name")]
        if unknown:
            msg = f"no such setting: {', '.join(unknown)}; one of {', '.join(RULE_NAMES)}"
            raise RulesError(msg)
        # Without insurance it is void.
        is_usual = not self.insurance or self.even_money is usual_even_money(self.natural_pays)
        if "even_money" not in changes and is_usual:
            changes["even_money"] = _USUAL
        return dataclasses.replace(self, **changes)

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read the rules notation, such as `6D H17 LS`, `european LS` or `my-house.toml H17`.

        Raises: NotationError naming the unknown, repeated or contradictory token.

        >>> Rules.parse("2D H17").decks
        2
        """
        # A value and its text form need each other.
        from upcard.rules.notation import parse_rules

        return parse_rules(text)

    def __str__(self) -> str:
        """Write the canonical notation; `Rules.parse` reads it back."""
        from upcard.rules.notation import format_rules

        return format_rules(self, self.name)

    @property
    def notation(self) -> str:
        """The canonical notation without the name of a house.

        >>> print(Rules.parse("european").notation)
        6D S17 ENHC D9 DAS SP4 NRSA NS 3:2
        """
        from upcard.rules.notation import format_rules

        return format_rules(self, "")

    @property
    def main_game(self) -> Rules:
        """The game without its side bets, which no decision about the main bet depends on.

        >>> print(Rules.parse("6D +PP(25/12/6)").main_game)
        6D S17 PEEK DOA DAS SP4 NRSA NS 3:2
        """
        return self.replace(side_bets=()) if self.side_bets else self

    @property
    def min_spots(self) -> int:
        """Least number of bets in one round.

        >>> Rules.parse("6D SWITCH NOINS").min_spots
        2
        """
        return 2 if self.switch else 1

    @property
    def is_infinite(self) -> bool:
        """Whether cards are drawn from an infinite deck.

        >>> Rules.parse("INF").is_infinite
        True
        """
        return self.decks is None

    @property
    def full_shoe(self) -> FullShoe:
        """All the cards before the first is dealt; one deck if the deck is infinite.

        >>> Rules.parse("6D48").full_shoe.size
        288
        """
        return full_shoe(self.decks or 1, self.deck_size)

    @property
    def full_deck(self) -> FullShoe:
        """The cards of one deck.

        >>> Rules.parse("6D48").full_deck.counts[10]
        12
        """
        return full_shoe(1, self.deck_size)


def usual_even_money(natural_pays: object) -> settings.EvenMoney:
    """Return whether houses with this payout usually offer even money; see decision 0024."""
    # A payout of the wrong type is reported later, with all other faults.
    is_fair = not isinstance(natural_pays, Fraction) or natural_pays >= FAIR_FOR_EVEN_MONEY
    return settings.EvenMoney.INSTEAD if is_fair else settings.EvenMoney.NEVER


def void_settings(rules: Rules) -> dict[str, Any]:
    """Return the settings that others make void, with their default."""
    void: dict[str, Any] = {}
    if rules.decks is None:
        void["shuffle"] = settings.Shuffle.EVERY_ROUND
    else:
        void["ten_probability"] = settings.FAIR_TEN_PROBABILITY
    if rules.decks is None or rules.shuffle is settings.Shuffle.EVERY_ROUND:
        void["penetration"] = settings.DEFAULT_PENETRATION
    is_never_doubled = rules.double_on is settings.DoubleOn.NEVER and not _has_free_doubles(rules)
    if is_never_doubled or rules.max_hands == 1:
        void["double_after_split"] = False
    if is_never_doubled:
        void |= {"double_stake": 2, "max_doubles": 1, "rescue": False}
    insures = rules.insurance and not rules.shows_hole
    if not insures:
        void["insurance"] = False
        void["insurance_pays"] = Fraction(2)
    wins_ties = rules.natural_tie is settings.NaturalTie.WIN
    if not insures or rules.natural_pays <= 1 or wins_ties:
        void["even_money"] = settings.EvenMoney.NEVER
    if rules.charlie is None:
        void["charlie_pays"] = Fraction(1)
    if rules.bonuses is not None and set(rules.bonuses.pays) == {1}:
        void["bonuses"] = None
    if rules.suited_natural_pays == rules.natural_pays:
        void["suited_natural_pays"] = None
    if rules.player_21 is settings.Player21.ALWAYS_WINS:
        void["natural_ties_21"] = False
        if rules.dealer_wins_ties == BUST_LIMIT:
            void["dealer_wins_ties"] = BUST_LIMIT - 1
    return void
