"""The exact value of a side bet from any shoe: edge, hit rate, deviation and chances of its rows.

The cards are those before the deal: cards that hands draw are unseen cards like any other, and the
dealer's final hand is that of a dealer who always plays out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import fsum, sqrt
from typing import Annotated, Final, NamedTuple

import numpy as np

from upcard.core import figure
from upcard.core.cards import DECK, FACES, RANKS, SUIT_NAMES, TEN, Card, rank_name
from upcard.core.errors import BlackjackError, RulesError, UnsupportedRuleError, quote
from upcard.core.numbers import as_object
from upcard.exact.composition import CardShoe, ShoeLike, decks_of, read_card_shoe
from upcard.exact.side import payouts
from upcard.rules.house import RulesLike, as_rules
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import SideBetLike, load_side_bet
from upcard.rules.side_bets import SideBet

_SAME: Final = 1e-13
"""Effects that differ by less are equal: what is left is rounding."""


@as_object()
class RowChance(NamedTuple):
    """A row of a pay table, or rows that pay together."""

    name: Annotated[str, figure.text(title="cards")]
    probability: Annotated[float, figure.share(title="chance", digits=5)]
    """Chance that it pays; of a row of a bet with `for_each`, alone or with others."""
    pays: Annotated[float, figure.real(digits=1)]
    """Paid to one; 0 for a row that returns the bet."""


@dataclass(frozen=True, kw_only=True)
class SideBetValue(figure.Displayed):
    """The value of a side bet from a shoe, per unit bet."""

    bet: SideBet
    rules: Rules
    shoe: str | None
    """The cards before the deal; None for an infinite deck."""
    ev: float
    hit: float
    """Chance that the bet wins; one that is returned does not."""
    standard_deviation: float
    """In bets."""
    rows: tuple[RowChance, ...]
    """The rows in the order of the pay table."""
    outcomes: tuple[RowChance, ...]
    """Everything that can pay, each with its own chance; rows that pay together are one."""

    @property
    def edge(self) -> float:
        """The house edge, as a fraction of the bet."""
        return -self.ev

    def table(self) -> figure.AnswerTable:
        """Return the pay table with chances, the edge in the caption."""
        caption = (
            ("house edge", figure.write_percent(self.edge, 4, sign="")),
            ("hit", figure.write_percent(self.hit, 4, sign="")),
            ("SD", f"{self.standard_deviation:.4f}"),
            ("rules", str(self.rules)),
            ("shoe", str(self.shoe)),
        )
        return figure.tabulate_fields(self.bet.title, RowChance, self.rows, caption)


@dataclass(frozen=True, kw_only=True)
class SideBetRemoval(figure.Displayed):
    """Changes of a side bet's EV as one card leaves the shoe; None for a card it does not have."""

    bet: SideBet
    rules: Rules
    shoe: str
    ev: float
    """EV of the whole shoe."""
    cards: tuple[float | None, ...]
    """By card, in the order of `DECK`."""
    numbers: tuple[int, ...]
    """Numbers of these cards in the shoe, cards gone with unknown suits among them."""

    def _average(self, places: list[int]) -> float | None:
        cards = sum(self.numbers[place] for place in places)
        total = fsum(self.numbers[place] * (self.cards[place] or 0.0) for place in places)
        return total / cards if cards else None

    @property
    def faces(self) -> dict[str, float | None]:
        """Changes by face, averaged over suits."""
        return {face: self._average([*range(place, 52, 13)]) for place, face in enumerate(FACES)}

    @property
    def ranks(self) -> dict[str, float | None]:
        """Changes by rank, `A` to `T`, averaged over suits and faces."""
        return {
            rank_name(rank): self._average([p for p, card in enumerate(DECK) if card.rank == rank])
            for rank in RANKS
        }

    @property
    def by_suit(self) -> dict[str, dict[str, float | None]]:
        """Changes by face and suit, of the faces for which suits matter."""
        found = {}
        for place, face in enumerate(FACES):
            own = {DECK[one].suit: self.cards[one] for one in range(place, 52, 13)}
            known = [change for change in own.values() if change is not None]
            if known and max(known) - min(known) > _SAME:
                found[face] = own
        return found

    @property
    def tells_faces(self) -> bool:
        """Whether ten-valued cards have different effects."""
        tens = [change for change in list(self.faces.values())[TEN - 1 :] if change is not None]
        return bool(tens) and max(tens) - min(tens) > _SAME

    @property
    def by_card(self) -> dict[str, float | None]:
        """Changes by rank; by face where ten-valued cards differ."""
        return self.faces if self.tells_faces else self.ranks

    def table(self) -> figure.AnswerTable:
        """Return the change of the EV as a card leaves, by rank, face and suit that differ."""
        suits = SUIT_NAMES if self.by_suit else {}
        changes = ("change", *(name.lower() for name in suits.values()))
        rows = (
            (card, change, *(self.by_suit.get(card, {}).get(suit) for suit in suits))
            for card, change in self.by_card.items()
        )
        columns = (figure.text("card"), *(figure.percent(name, least_digits=3) for name in changes))
        caption = (("rules", str(self.rules)), ("shoe", self.shoe))
        return figure.make_table(figure.REMOVAL, columns, rows, caption)


def own_game(bet: SideBet) -> Rules | None:
    """Return the game that a bet's pay table is made for; None if for any.

    Raises: RulesError for a game that cannot be read.
    """
    try:
        return Rules.parse(bet.game) if bet.game else None
    except BlackjackError as error:
        where = bet.path or f"side bet {bet.name}"
        raise RulesError(f"{where}: game {quote(bet.game)}: {error}") from None


def choose_game(
    bet: SideBet,
    rules: RulesLike | None = None,
    *,
    shoe: ShoeLike | CardShoe = None,
    beside: Rules | None = None,
) -> Rules:
    """Return the game that a bet is priced in: the given rules, or else that of its pay table.

    Without rules a shoe such as `8D less 5` names the decks. A bet of no game of its own, or one
    that the game `beside` offers, is priced in that one (default: six decks).

    Raises: RulesError for rules, or a game of the bet, that cannot be read.
    """
    if rules is not None:
        return as_rules(rules)
    if beside is not None and bet in beside.side_bets:
        return beside
    game = own_game(bet) or beside or Rules()
    full = decks_of(shoe)
    if full is None or game.is_infinite:
        return game
    return replace(game, decks=full.decks, deck_size=full.deck_size)


def find_shoe(bet: SideBet, shoe: ShoeLike | CardShoe, rules: Rules) -> CardShoe | None:
    """Return the cards that a bet is settled from; None for an infinite deck.

    Raises: NotationError, or RulesError for a shoe without the cards that the bet comes after.
    """
    if isinstance(shoe, CardShoe):
        return shoe.without(bet.after)
    if not rules.is_infinite:
        return read_card_shoe(shoe, rules).without(bet.after)
    if shoe is not None:
        reason = "an infinite deck has no cards to take out"
        raise UnsupportedRuleError(payouts.ENGINE, f"shoe={shoe!r}", reason)
    return None


def value_bet(
    bet: SideBetLike, shoe: ShoeLike | CardShoe = None, rules: RulesLike | None = None
) -> SideBetValue:
    """Return the exact value of a side bet from a shoe (default: the full shoe of the rules).

    Without rules it is that in the game of its pay table (`choose_game`).

    Raises: RulesError for an unknown bet or a shoe of too few cards, NotationError for a faulty
    shoe, UnsupportedRuleError for a bet that depends on how hands are played.
    """
    found = load_side_bet(bet)
    game = choose_game(found, rules, shoe=shoe)
    cards = find_shoe(found, shoe, game)
    compiled = payouts.compile_bet(found, game)
    pool = payouts.pool_infinite(game) if cards is None else payouts.pool_shoe(cards)
    paid = list(zip(compiled.outcomes, compiled.weigh(pool).tolist(), strict=True))
    outcomes = tuple(
        RowChance(found.name_rows(rows), share, float(found.pays(rows)))
        for rows, share in paid
        if rows
    )
    rows = tuple(
        RowChance(
            row.name, fsum(share for numbers, share in paid if at in numbers), float(row.pays)
        )
        for at, row in enumerate(found.rows)
    )
    lost = 1 - fsum(one.probability for one in outcomes)
    ev = fsum((*(one.probability * one.pays for one in outcomes), -lost))
    square = fsum((*(one.probability * one.pays**2 for one in outcomes), lost))
    return SideBetValue(
        bet=found,
        rules=game,
        shoe=None if cards is None else str(cards),
        ev=ev,
        hit=fsum(one.probability for one in outcomes if one.pays > 0),
        standard_deviation=sqrt(max(square - ev * ev, 0)),
        rows=rows,
        outcomes=outcomes,
    )


def expected_value(bet: SideBet, cards: CardShoe, rules: Rules) -> float:
    """Return the EV of a bet from cards, from which those that it comes after are gone."""
    compiled = payouts.compile_bet(bet, rules)
    return float(compiled.weigh(payouts.pool_shoe(cards)) @ _payments(bet, compiled)) - 1


def _payments(bet: SideBet, compiled: payouts.Payouts) -> payouts.Floats:
    """Return what each outcome returns, the bet included."""
    return np.array([float(bet.pays(rows)) + 1 for rows in compiled.outcomes])


def effects_of_removal(
    bet: SideBetLike, shoe: ShoeLike = None, rules: RulesLike | None = None
) -> SideBetRemoval:
    """Return the change of a bet's EV as each card leaves the shoe, exactly.

    Raises: as `value_bet` does, and UnsupportedRuleError for an infinite deck.
    """
    found = load_side_bet(bet)
    game = choose_game(found, rules, shoe=shoe)
    cards = find_shoe(found, shoe, game)
    if cards is None:
        reason = "a card that leaves an infinite deck changes nothing"
        raise UnsupportedRuleError(payouts.ENGINE, "INF", reason)
    whole = expected_value(found, cards, game)
    values: dict[object, float | None] = {}
    changes = []
    for card in DECK:
        kind = card if found.needs_suits else card.face if found.needs_faces else card.rank
        if values.get(kind) is None:  # a card of another suit, where suits do not matter
            values[kind] = _value_without(found, cards, card, game)
        value = values[kind]
        change = None if value is None else value - whole
        changes.append(0.0 if change is not None and abs(change) < _SAME else change)
    return SideBetRemoval(
        bet=found,
        rules=game,
        shoe=str(cards),
        ev=whole,
        cards=tuple(changes),
        numbers=cards.cards,
    )


def _value_without(bet: SideBet, cards: CardShoe, card: Card, rules: Rules) -> float | None:
    """Return the EV without a card; None for a shoe without it."""
    try:
        left = cards.without((card,))
    except RulesError:
        return None
    return expected_value(bet, left, rules)
