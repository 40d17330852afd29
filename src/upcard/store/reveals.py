"""Reveal files: everything needed to check a shoe, as JSON, and the check."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from upcard.core.cards import Card
from upcard.core.errors import BlackjackError, NotationError, quote
from upcard.fair.fair_shoe import KeyedShoe, Place
from upcard.fair.seeds import (
    METHOD_1,
    METHODS,
    SERVER_SEED_BYTES,
    Commitment,
    FairnessError,
    Reveal,
    read_hex,
    read_player_seed,
    read_shoe_number,
)
from upcard.rules.model import Rules
from upcard.store.files import StoreError
from upcard.store.records import SettledRound, StoredShoe, write_cards
from upcard.store.sessions import write_rules

_MOST_CARDS: Final = 1000


def make_reveal(shoe: StoredShoe, rounds: Sequence[SettledRound]) -> dict[str, Any]:
    """Make the reveal file of a finished shoe, with its rounds in the order played.

    Raises: StoreError while the shoe is in play.
    """
    if shoe.reveal is None:
        raise StoreError(f"shoe {shoe.id} is in play: its seeds are shown when it is over")
    rules = shoe.session.rules
    committed: dict[str, Any] = {} if shoe.method == METHOD_1 else {"number": shoe.reveal.number}
    return {
        "method": shoe.method,
        "commitment": str(shoe.commitment),
        **committed,
        "server_seed": shoe.reveal.server_seed.hex(),
        "player_seed": shoe.reveal.player_seed,
        "rules": shoe.reveal.rules or write_rules(rules),
        **_write_settings(rules),
        "rounds": [
            {
                "shuffle": stored.place.shuffle,
                "dealt": stored.place.dealt,
                "cards": write_cards(stored.cards),
            }
            for stored in rounds
        ],
    }


def check_reveal(document: object) -> int:
    """Check a reveal file: commitment, positions without a gap, every card; return its rounds.

    Raises: NotationError if it is not a reveal file; FairnessError for the first difference.
    """
    try:
        return _check(document if isinstance(document, dict) else {})
    except KeyError as error:
        raise NotationError(f"no reveal file: {error} is missing") from None
    except (TypeError, AttributeError):
        raise NotationError("no reveal file: a value in it is not of the kind it must be") from None


def _check(document: dict[str, Any]) -> int:
    method = document["method"]
    if method not in METHODS:
        known = " and ".join(METHODS)
        raise NotationError(f"a shuffle by the method {quote(method)}: this upcard knows {known}")
    reveal = Reveal(
        server_seed=read_hex(document["server_seed"], SERVER_SEED_BYTES, "server seed"),
        player_seed=read_player_seed(document["player_seed"]),
        number=1 if method == METHOD_1 else read_shoe_number(document["number"]),
        rules=str(document["rules"]),
        method=method,
    )
    rules = Rules.parse(document["rules"])
    _check_settings(document, rules)
    reveal.check(Commitment.parse(document["commitment"], method=method))
    shoe = KeyedShoe(rules, reveal.key)
    rounds = document["rounds"]
    for number, played in enumerate(rounds, start=1):
        place = Place(*map(_read_place, (played["shuffle"], played["dealt"])))
        if place != shoe.next_place or (place.shuffle and rules.shuffle == "cut-card"):
            raise FairnessError(
                f"round {number} begins at card {place.dealt} of shuffle {place.shuffle}:"
                f" card {shoe.next_place.dealt} of shuffle {shoe.next_place.shuffle} comes next"
            )
        shoe.start_round()
        _check_cards(number, played["cards"].split(), shoe)
    return len(rounds)


def _read_place(number: object) -> int:
    """Check that a position is a whole number, not a text. Raises: NotationError."""
    if type(number) is not int:
        msg = f"no reveal file: a round's place is {quote(number)}, not a whole number"
        raise NotationError(msg)
    return number


def _write_settings(rules: Rules) -> dict[str, int | str | None]:
    """Return the settings that the stand-alone program needs."""
    names = ("ten_probability", "shuffle", "penetration")
    return {"decks": rules.decks} | {name: str(getattr(rules, name)) for name in names}


def _check_settings(document: dict[str, Any], rules: Rules) -> None:
    for name, written in _write_settings(rules).items():
        if document[name] != written:
            msg = f"{name} is {document[name]!r} in the file, and {written!r} by its rules"
            raise FairnessError(msg)


def _check_cards(number: int, cards: list[str], shoe: KeyedShoe) -> None:
    if not 1 <= len(cards) <= _MOST_CARDS:
        raise NotationError(f"no reveal file: round {number} has {len(cards)} cards")
    for at, card in enumerate(cards, start=1):
        dealt = _draw(shoe)
        if dealt is None or str(dealt) != card:
            given = "no card is left" if dealt is None else f"the seeds give {dealt}"
            raise FairnessError(f"round {number}, card {at}: {card} was dealt, and {given}")


def _draw(shoe: KeyedShoe) -> Card | None:
    try:
        return shoe.draw()
    except BlackjackError:
        return None
