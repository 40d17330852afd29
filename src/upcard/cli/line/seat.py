"""From the wishes of the command line to a session: which table, whose voice, who plays."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from upcard.cli.line.bank import Bank
from upcard.cli.line.console import Console, format_chips
from upcard.cli.line.game import Game
from upcard.cli.line.voice import DEFAULT_BET, Terms
from upcard.core.errors import RulesError
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.table.session import Table
from upcard.table.shoe import ScriptedShoe, make_shoe

if TYPE_CHECKING:
    from upcard.cli.line.voice import Voice
    from upcard.players.betting import BettingSystem
    from upcard.table.shoe import Shoe

DEFAULT_CHIPS: Final = Fraction(100)
DEFAULT_ROUNDS: Final = 10
DEFAULT_TITLE: Final = "Blackjack, the six-deck game"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """The options of `upcard play`; None and empty where nothing was asked for."""

    house: str | None = None
    rules: str | None = None
    hands: int | None = None
    chips: Fraction | None = None
    bet: Fraction | None = None
    limit: Fraction | None = None
    rounds: int | None = None
    seed: int | None = None
    cards: str | None = None
    player: str | None = None
    betting: str | None = None
    ascii_only: bool = False
    as_json: bool = False
    hint: str = ""
    """A last line of the greeting."""


def play(wishes: Wishes) -> None:
    """Play a session on the console of this process.

    Raises: RulesError for wishes that cannot be met together, before anything is printed.
    """
    rules, title = _choose_rules(wishes)
    _refuse_what_cannot_be(wishes, rules)
    terms = Terms(
        rules=rules,
        title=title,
        notation=str(rules.replace(name="")),
        rng=_make_rng(wishes.seed, "player"),
        chips=wishes.chips,
        bet=wishes.bet,
        hands=wishes.hands,
        limit=wishes.limit,
        bot=wishes.player or "",
    )
    console = Console.of_process(ascii_only=wishes.ascii_only)
    balance = (wishes.chips or DEFAULT_CHIPS) if rules.betting else None
    bank = Bank(balance=balance)
    voice = _choose_voice(wishes, console, terms, bank)
    game = Game(Table(rules, _make_shoe(wishes, rules)), voice, bank)
    if wishes.player is None:
        game.play_person(wishes.rounds)
        return
    from upcard.players.registry import make_player

    player = make_player(wishes.player, rules, terms.rng)
    rounds = wishes.rounds or DEFAULT_ROUNDS
    game.play_bot(player, _make_betting(wishes, rules), rounds=rounds, spots=wishes.hands or 1)


def _choose_rules(wishes: Wishes) -> tuple[Rules, str]:
    if wishes.house is not None and wishes.rules is not None:
        msg = "give --house or --rules, not both; --rules may begin with a house: 'european LS'"
        raise RulesError(msg)
    if wishes.house is not None:
        house = load_house(wishes.house)
        return house.rules, f"{house.title} ({house.name})"
    if wishes.rules is None:
        return Rules(), DEFAULT_TITLE
    rules = Rules.parse(wishes.rules)
    if rules == Rules():
        return rules, DEFAULT_TITLE
    if rules.name not in house_names():
        return rules, "Blackjack by rules of your own"
    house = load_house(rules.name)
    changed = "" if house.rules == rules else ", changed"
    return rules, f"{house.title} ({house.name}{changed})"


def _refuse_what_cannot_be(wishes: Wishes, rules: Rules) -> None:
    """Collect everything that these rules or other wishes leave no room for."""
    name = rules.name or "these rules"
    faults: list[str] = []
    if not rules.betting:
        faults += [
            f"--{option}: there are no bets in {name}"
            for option in ("chips", "bet", "limit", "betting")
            if getattr(wishes, option) is not None
        ]
    if wishes.betting is not None and wishes.player is None:
        faults.append("--betting: it is a bot that bets by a system, so give --player too")
    hands = 1 if wishes.hands is None else wishes.hands
    if not 1 <= hands <= rules.max_spots:
        most = "1 hand" if rules.max_spots == 1 else f"1 to {rules.max_spots} hands"
        faults.append(f"--hands {hands}: in {name} it is {most} a round")
    if wishes.limit is not None and wishes.bet is not None and wishes.bet > wishes.limit:
        faults.append(
            f"--bet {format_chips(wishes.bet)}: over the --limit {format_chips(wishes.limit)}"
        )
    chips = wishes.chips
    if chips is None and not _asks_for_chips(wishes, rules):
        chips = DEFAULT_CHIPS
    if wishes.bet is not None and rules.betting and chips is not None:
        stake = wishes.bet * max(hands, 1)
        if stake > chips:
            faults.append(
                f"--bet {format_chips(wishes.bet)}: it takes {format_chips(stake)} chips"
                f" and there are {format_chips(chips)}"
            )
    if faults:
        raise RulesError(*faults)


def _asks_for_chips(wishes: Wishes, rules: Rules) -> bool:
    return _speaks_as(rules) == "deshmukh" and wishes.player is None and not wishes.as_json


def _speaks_as(rules: Rules) -> str:
    """Return the house whose voice fits the rules, empty for the general one."""
    if rules.name == "seven-hands":
        return rules.name  # boxes and numbered options fit any rules
    if rules.name in house_names() and load_house(rules.name).rules == rules:
        return rules.name
    return ""


def _choose_voice(wishes: Wishes, console: Console, terms: Terms, bank: Bank) -> Voice:
    if wishes.as_json:
        from upcard.cli.line.jsonl import JsonVoice

        console.echo = False
        return JsonVoice(console, terms, bank)
    match _speaks_as(terms.rules):
        case "roanoke":
            from upcard.cli.line.roanoke import RoanokeVoice

            return RoanokeVoice(console, terms, bank)
        case "deshmukh":
            from upcard.cli.line.deshmukh import DeshmukhVoice

            return DeshmukhVoice(console, terms, bank)
        case "seven-hands":
            from upcard.cli.line.seven_hands import SevenHandsVoice

            return SevenHandsVoice(console, terms, bank)
    from upcard.cli.line.general import GeneralVoice

    return GeneralVoice(console, terms, bank, hint=wishes.hint)


def _make_shoe(wishes: Wishes, rules: Rules) -> Shoe:
    if wishes.cards is not None:
        return ScriptedShoe(wishes.cards)
    return make_shoe(rules, _make_rng(wishes.seed, "shoe"))


def _make_rng(seed: int | None, purpose: str) -> random.Random:
    """Make a stream of its own for each purpose, so that a bot's chance moves no card."""
    return random.SystemRandom() if seed is None else random.Random(f"{seed} {purpose}")


def _make_betting(wishes: Wishes, rules: Rules) -> BettingSystem:
    from upcard.players.betting import make_betting

    unit = (wishes.bet or DEFAULT_BET) if rules.betting else Fraction(1)
    if wishes.bet is None and wishes.limit is not None:
        unit = min(unit, wishes.limit)
    rng = _make_rng(wishes.seed, "betting")
    return make_betting(wishes.betting or "flat", unit=unit, limit=wishes.limit, rng=rng)
