"""Options of `upcard play`, checked against the rules of the table."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from upcard.core.errors import NotationError, RulesError
from upcard.core.numbers import format_chips
from upcard.core.wager import SideStakes, type_wager
from upcard.fair.seeds import read_player_seed
from upcard.rules.house import load_house
from upcard.rules.model import Rules
from upcard.rules.predicates import say_hands
from upcard.session import count_check, game_session
from upcard.session.plan import FEWEST, TablePlan, choose_table
from upcard.table.bet_limits import DEFAULT_BET, SMALLEST_UNIT, WHOLE_CHIPS, round_bet, why_not_unit
from upcard.table.shoe import ScriptedShoe

_OWN_GAME: Final = (
    *("unit", "coach", "knows", "company", "player_seed"),
    *("ask_count", "check_bets"),
)
_OF_BETS: Final = ("chips", "bet", "unit", "limit", "side_bets", "betting", "check_bets")
_NOT_IN_DOCUMENTS: Final = {
    "coach": "coach",
    "knows": "coach",
    "company": "company",
    "ask_count": "count question",
    "check_bets": "bet check",
}
"""Options that the words of a document have no place for, and what each asks for."""
_WITH_DIALOGUES: Final = ("deshmukh", "seven-hands", "roanoke")
_DOCUMENTS: Final = ("deshmukh", "seven-hands", "mdp", "lott", "roanoke")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """The options of `upcard play`; None and empty where nothing was asked for."""

    house: str | None = None
    rules: str | None = None
    hands: int | None = None
    chips: Fraction | None = None
    bet: Fraction | None = None
    unit: Fraction | None = None
    limit: Fraction | None = None
    side_bets: str | None = None
    """Side bets on every hand, `21+3 2 pp 1`."""
    rounds: int | None = None
    seed: int | None = None
    cards: str | None = None
    practice: bool = False
    player_seed: str | None = None
    company: str | None = None
    coach: str | None = None
    knows: str | None = None
    ask_count: str | None = None
    """A counting system, and after a colon the rounds between two questions."""
    check_bets: str | None = None
    """A ramp."""
    player: str | None = None
    betting: str | None = None
    ascii_only: bool = False
    words: bool = False
    as_json: bool = False
    hint: str = ""
    """A last line of the greeting."""

    @property
    def is_practice(self) -> bool:
        """Whether nothing is saved: the cards are known, or it was requested."""
        return self.practice or self.seed is not None or self.cards is not None

    @property
    def counting(self) -> count_check.CountOptions:
        """Options for questions and remarks about the count."""
        return count_check.CountOptions(ask=self.ask_count, ramp=self.check_bets, unit=self.unit)


def speaks_as(rules: Rules) -> str:
    """Return the document's house whose words fit the rules, empty for the general ones."""
    if rules.name == "seven-hands":
        return rules.name  # boxes and numbered options fit any rules
    if rules.name not in _DOCUMENTS:
        return ""
    return rules.name if load_house(rules.name).rules == rules else ""


def plan_table(options: PlayOptions, *, is_screen: bool = False) -> TablePlan:
    """Return the table that was asked for, for the line game or for the full screen."""
    rules, title = choose_table(options.house, options.rules)
    _refuse_what_cannot_be(options, rules, is_screen=is_screen)
    unit = _choose_unit(options, rules, is_screen=is_screen)
    bet = options.bet or round_bet(DEFAULT_BET, unit, options.limit)
    side = _read_side(options, rules, unit)
    return TablePlan(
        rules=rules,
        title=title,
        hands=FEWEST if options.hands is None else options.hands,
        bet=bet if rules.betting else Fraction(1),
        side=side,
        unit=unit,
        limit=options.limit,
        company=options.company or "",
        keeps=not options.is_practice,
        count=options.ask_count or "",
    )


def _read_side(options: PlayOptions, rules: Rules, unit: Fraction) -> SideStakes:
    """Read `--side-bets` for a house that has them."""
    if options.side_bets is None:
        return ()
    try:
        wager = type_wager(f"1 {options.side_bets}", [bet.code for bet in rules.side_bets])
    except NotationError as error:
        raise NotationError(f"--side-bets: {error}") from None
    wrong = [why_not_unit(chips, unit) for _, chips in wager.side]
    over = [c for _, c in wager.side if options.limit is not None and c > options.limit]
    if any(wrong) or over:
        reason = next(filter(None, wrong), "over the --limit")
        raise RulesError(f"--side-bets {options.side_bets}: {reason}")
    return wager.side


def _choose_unit(options: PlayOptions, rules: Rules, *, is_screen: bool) -> Fraction:
    """Return the smallest bet: whole chips by default; bots and documents bet any amount."""
    in_document = bool(speaks_as(rules)) and not (options.as_json or is_screen)
    if options.player is not None or in_document:
        return SMALLEST_UNIT
    unit = options.unit or WHOLE_CHIPS
    faults, smallest = [], f"--unit {format_chips(unit)}"
    if options.bet is not None and why_not_unit(options.bet, unit):
        taken = f"--unit {format_chips(Fraction(1, options.bet.denominator))} takes it"
        bet = f"--bet {format_chips(options.bet)}"
        faults.append(f"{bet}: bets are multiples of {smallest}; {taken}")
    if options.limit is not None and options.limit < unit:
        limit = f"--limit {format_chips(options.limit)}"
        faults.append(f"{limit}: below the smallest bet, {smallest}")
    if faults:
        raise RulesError(*faults)
    return unit


def check_seats(options: PlayOptions, plan: TablePlan) -> None:
    """Make sure that the company can sit there and that the cards are cards, before all else."""
    if options.cards is not None:
        ScriptedShoe(options.cards)
    for seat in filter(None, plan.seats):
        game_session.seat_companion(seat, plan.rules, unit=plan.bet)


def refuse_for_lines(options: PlayOptions, rules: Rules) -> None:
    """Refuse what the line game cannot do in the words of a document, which are not ours."""
    document = speaks_as(rules)
    if options.words and document in _WITH_DIALOGUES:
        msg = f"--words: {document} has the dialogue of its document, which is not changed"
        raise RulesError(msg)
    if not document or options.as_json or options.player is not None:
        return
    if options.unit is not None:
        raise RulesError(f"--unit: {document} speaks in its document's words, which take any bet")
    faults = [
        f"{name}: {document} speaks in its document's words, which have no"
        f" {_NOT_IN_DOCUMENTS[option]}; on the full screen and with --json there is one"
        for option, name in _list_given(options, _NOT_IN_DOCUMENTS)
    ]
    if faults:
        raise RulesError(*faults)


def refuse_bet_over(options: PlayOptions, plan: TablePlan, chips: Fraction) -> None:
    """Refuse a fixed bet that the chips do not cover from the first round on."""
    if options.bet is None:
        return
    stake = plan.wager.total * plan.hands
    if stake > chips:
        takes = f"it takes {format_chips(stake)} chips and there are {format_chips(chips)}"
        raise RulesError(f"--bet {plan.wager}: {takes}")


def asks_for_chips(options: PlayOptions, rules: Rules) -> bool:
    """Whether the house asks for the chips before the first round."""
    is_talked_to = options.player is None and not options.as_json
    return is_talked_to and options.chips is None and speaks_as(rules) == "deshmukh"


def _refuse_what_cannot_be(options: PlayOptions, rules: Rules, *, is_screen: bool) -> None:
    """Collect everything that these rules or other options leave no room for."""
    name = rules.name or "these rules"
    faults: list[str] = []
    if not rules.betting:
        given = _list_given(options, _OF_BETS)
        faults += [f"{option}: there are no bets in {name}" for _, option in given]
    if options.player is not None:
        why = f"it is for your own game, and {options.player} plays"
        faults += [f"{option}: {why}" for _, option in _list_given(options, _OWN_GAME)]
    elif options.betting is not None:
        faults.append("--betting: it is a bot that bets by a system, so give --player too")
    faults += _find_faults_of_seed(options)
    # On the full screen --bet is the first bet, and you can place any other.
    if options.check_bets is not None and options.bet is not None and not is_screen:
        faults.append("--check-bets: --bet places every bet, so there is none of yours to check")
    if options.words and options.as_json:
        faults.append("--words: --json is for programs, which read cards as 8D; give one of them")
    least = rules.min_spots
    hands = least if options.hands is None else options.hands
    if not least <= hands <= rules.max_spots:
        faults.append(f"--hands {hands}: in {name} it is {say_hands(rules)} a round")
    if options.limit is not None and options.bet is not None and options.bet > options.limit:
        limit = f"the --limit {format_chips(options.limit)}"
        faults.append(f"--bet {format_chips(options.bet)}: over {limit}")
    if faults:
        raise RulesError(*faults)


def _list_given(options: PlayOptions, names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the names of the options that are given, as fields and as words of the command."""
    given = [name for name in names if getattr(options, name) is not None]
    return [(name, f"--{name.replace('_', '-')}") for name in given]


def _find_faults_of_seed(options: PlayOptions) -> list[str]:
    if options.player_seed is None or options.player is not None:
        return []
    if options.is_practice:
        return ["--player-seed: there is no commitment to practice cards, so nothing is mixed in"]
    try:
        read_player_seed(options.player_seed)
    except NotationError as error:
        return [f"--player-seed: {error}"]
    return []
