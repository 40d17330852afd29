"""Options of `upcard play`, checked against the rules of the table."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from upcard.core.errors import RulesError
from upcard.core.fields import FieldFaultsError
from upcard.core.numbers import format_chips
from upcard.rules.house import load_house
from upcard.rules.model import Rules
from upcard.session.choice import FIELDS, make_plan
from upcard.session.plan import PlayTerms, TablePlan, choose_table

_OWN_GAME: Final = (
    *("unit", "coach", "knows", "company", "player_seed"),
    *("count", "check_bets"),
)
_NOT_IN_DOCUMENTS: Final = {
    "coach": "coach",
    "knows": "coach",
    "company": "company",
    "count": "count question",
    "check_bets": "bet check",
}
"""Options that the words of a document have no place for, and what each asks for."""
_WITH_DIALOGUES: Final = ("deshmukh", "seven-hands", "roanoke")
_DOCUMENTS: Final = ("deshmukh", "seven-hands", "mdp", "lott", "roanoke")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions(PlayTerms):
    """The options of `upcard play`: the form of a table, a bot, and how it is written."""

    house: str | None = None
    rules: str | None = None
    player: str | None = None
    betting: str | None = None
    ascii_only: bool = False
    words: bool = False
    as_json: bool = False
    hint: str = ""
    """A last line of the greeting."""


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
    others = _find_faults(options, rules, is_screen=is_screen)
    in_document = bool(speaks_as(rules)) and not (options.as_json or is_screen)
    with naming_options():
        takes_any_bet = options.player is not None or in_document
        plan = make_plan(options, rules, title, takes_any_bet=takes_any_bet, others=others)
    return plan if rules.betting else replace(plan, bet=Fraction(1))


@contextmanager
def naming_options() -> Iterator[None]:
    """Name the options of the fields in faults of the form."""
    try:
        yield
    except FieldFaultsError as error:
        raise RulesError(*error.write(_option_of).values()) from None


def _option_of(name: str) -> str:
    return FIELDS[name].option if name in FIELDS else f"--{name}"


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
        f"{_option_of(name)}: {document} speaks in its document's words, which have no"
        f" {_NOT_IN_DOCUMENTS[name]}; on the full screen and with --json there is one"
        for name in _list_given(options, _NOT_IN_DOCUMENTS)
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


def _find_faults(options: PlayOptions, rules: Rules, *, is_screen: bool) -> dict[str, str]:
    """Return what a bot, a document or the way of writing leaves no room for."""
    faults: dict[str, str] = {}
    if not rules.betting and options.betting is not None:
        faults["betting"] = f"--betting: there are no bets in {rules.name or 'these rules'}"
    elif options.player is None and options.betting is not None:
        faults["betting"] = "--betting: it is a bot that bets by a system, so give --player too"
    if options.player is not None:
        why = f"it is for your own game, and {options.player} plays"
        faults |= {name: f"{{{name}}}: {why}" for name in _list_given(options, _OWN_GAME)}
    # On the full screen --bet is the first bet, and you can place any other.
    if options.check_bets is not None and options.bet is not None and not is_screen:
        why = "{bet} places every bet, so there is none of yours to check"
        faults.setdefault("check_bets", f"{{check_bets}}: {why}")
    if options.words and options.as_json:
        faults["words"] = (
            "--words: --json is for programs, which read cards as 8D; give one of them"
        )
    return faults


def _list_given(options: PlayOptions, names: Iterable[str]) -> list[str]:
    return [name for name in names if getattr(options, name) is not None]
