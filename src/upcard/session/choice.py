"""The choices of the start screen: house, rules, hands, bet, company, coach, count, saving."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from upcard.core.errors import BlackjackError, RulesError, quote
from upcard.core.number_texts import read_chips, read_whole
from upcard.core.numbers import fields_of, format_chips
from upcard.core.wager import read_bet, read_wager, type_wager
from upcard.players.shoe_tracker import countable_decks
from upcard.rules.describe import DEFAULT_NAME
from upcard.rules.house import house, house_names, load_house
from upcard.rules.model import Rules, void_settings
from upcard.rules.settings import SETTINGS
from upcard.rules.side_bet_files import shipped_side_bets
from upcard.session.count_check import read_ask_count
from upcard.session.plan import FEWEST, TablePlan
from upcard.store import bankroll, files
from upcard.strategy.count_system import load_system
from upcard.table import bet_limits

if TYPE_CHECKING:
    from upcard.store.database import Store


class RuleOption(NamedTuple):
    """One position of a switch: how it is written, and the settings that it stands for."""

    words: str
    changes: dict[str, Any]


class RuleChoice(NamedTuple):
    """A rule that can be turned."""

    name: str
    options: tuple[RuleOption, ...]

    def position(self, rules: Rules) -> int | None:
        """Return the position that `rules` are at; None if it is one that has no place here."""
        for index, option in enumerate(self.options):
            if all(getattr(rules, name) == value for name, value in option.changes.items()):
                return index
        return None

    def words(self, rules: Rules) -> str:
        """Write where it stands by these rules."""
        position = self.position(rules)
        return "of the house" if position is None else self.options[position].words


def turn(switch: RuleChoice, rules: Rules, step: int) -> tuple[Rules, list[str]]:
    """Turn a switch one position up (1) or down (-1), past those that clash with other rules.

    Return the rules then, and why positions on the way were passed over.
    """
    start = switch.position(rules)
    at = (-1 if step > 0 else 0) if start is None else start
    passed: list[str] = []
    for _ in switch.options:
        at = (at + step) % len(switch.options)
        if at == start:
            break
        try:
            return choose(switch, rules, at), passed
        except RulesError as error:
            passed.append(f"{switch.options[at].words}: {error}")
    return rules, passed


def choose(switch: RuleChoice, rules: Rules, position: int) -> Rules:
    """Return rules with a switch at this position."""
    base = house(rules.name) if rules.name in house_names() else Rules()
    # What is void is as in the house: it counts again once it is not.
    restored = {name: getattr(base, name) for name in void_settings(rules)}
    changed = rules.replace(**(restored | switch.options[position].changes))
    # A stronger rule may make this one void: then there is nothing to choose.
    if switch.position(changed) != position:
        raise RulesError("no effect with the other rules")
    return changed


RULE_CHOICES: Final = tuple(
    RuleChoice(
        menu.name,
        tuple(RuleOption(words, setting.changes(value)) for words, value in menu.options.items()),
    )
    for setting in sorted(SETTINGS.values(), key=lambda one: one.menu.place if one.menu else 0)
    if (menu := setting.menu) is not None
)
"""The choices of the start screen: all settings of the notation, without those of house files."""


_BETS: Final = (1, 2, 5, 10, 25, 50, 100, 500)
"""In smallest bets."""
_UNITS: Final = (Fraction(1, 2), Fraction(1), Fraction(5), Fraction(10), Fraction(25))
COMPANY: Final = {
    "none": "",
    "basic": "basic; you",
    "mimic and simple": "mimic; you; lott-simple",
    "counter": "you; counter",
    "martingale": "never-bust martingale; you",
    "a full table": "basic; mimic; computer:1,17,0.5; you; lott-simple fibonacci; counter",
}
"""Company to choose from, by the name on the screen; any other can be typed."""
_OFF: Final = "off"
Position = TypeVar("Position")
COUNTS: Final = ("", "hi-lo:1", "hi-lo:3", "hi-lo:5", "ko:3", "zen:3")
"""Count questions to choose from, as `--ask-count` writes them; any other can be typed."""


class ChoiceRow(NamedTuple):
    """One line of the screen: its name, where it stands, and what turns it."""

    name: str
    words: str
    kind: str
    switch: RuleChoice | None = None


def asked_count(plan: TablePlan) -> str | None:
    """Return the count question; None if none is asked, or there is nothing to count."""
    return plan.count if plan.count and _can_count(plan.rules) else None


def list_rows(plan: TablePlan, *, voice: str, knows: str) -> Iterator[ChoiceRow]:
    """Return the rows of the screen; what the coach does is the program's."""
    rules = plan.rules
    yield ChoiceRow("House", rules.name or DEFAULT_NAME, "house")
    for switch in RULE_CHOICES:
        yield ChoiceRow(switch.name, switch.words(rules), "rule", switch)
    yield ChoiceRow("Hands you play", str(plan.hands), "hands")
    if rules.betting:
        if rules.side_bets:  # without them there is no room; one is typed into the first row
            yield ChoiceRow("Side bets", " ".join(map(str, rules.side_bets)), "side")
        yield ChoiceRow("Bet", str(plan.wager), "bet")
        yield ChoiceRow("Smallest bet", format_chips(plan.unit), "unit")
    known = next((name for name, text in COMPANY.items() if text == plan.company), None)
    yield ChoiceRow("Other players", known or plan.company, "company")
    yield ChoiceRow("Coach speaks", voice, "voice")
    yield ChoiceRow("Coach assumes", "a full shoe" if knows == "fresh" else "cards seen", "knows")
    if _can_count(rules):
        system, every = read_ask_count(plan.count) if plan.count else (_OFF, 0)
        words = f"{system}, every {every}" if every else system
        yield ChoiceRow("Count question", words, "count")
    yield ChoiceRow("Rounds are", "saved" if plan.keeps else "practice", "keeps")


def turn_row(plan: TablePlan, row: ChoiceRow, step: int) -> tuple[TablePlan, str]:
    """Turn a row one position up or down; return the table then, and what to say of it."""
    match row.kind:
        case "house":
            name = _next(("", *house_names()), plan.rules.name, step)
            return fit_rules(plan, load_house(name).rules if name else Rules()), ""
        case "rule" if row.switch is not None:
            rules, passed = turn(row.switch, plan.rules, step)
            return fit_rules(plan, rules), "; ".join(passed)
        case "hands":
            try:
                return replace(plan, hands=plan.hands + step), ""
            except RulesError as error:
                return plan, str(error)
        case "bet":
            return replace(plan, bet=_turn([plan.unit * n for n in _BETS], plan.bet, step)), ""
        case "side":  # one shipped bet, alone; none comes before the first
            bets = [(), *((bet,) for bet in shipped_side_bets() if not bet.after)]
            turned_to = _next(bets, plan.rules.side_bets, step)
            return fit_rules(plan, plan.rules.replace(side_bets=turned_to)), ""
        case "unit":
            return _take_unit(plan, _turn(_UNITS, plan.unit, step)), ""
        case "company":
            return _turn_company(plan, step), ""
        case "count":
            return replace(plan, count=_next(COUNTS, plan.count, step)), ""
        case "keeps":
            return replace(plan, keeps=not plan.keeps), ""
    return plan, ""


def read_row(plan: TablePlan, row: ChoiceRow, text: str) -> TablePlan:
    """Take what was typed for a row: a house or rules, hands, a bet, company, a count."""
    match row.kind:
        case "house" | "rule":
            return fit_rules(plan, Rules.parse(text))
        case "bet":
            wager = type_wager(text, [bet.code for bet in plan.rules.side_bets])
            wrong = bet_limits.why_not_bet(wager, None, hands=plan.hands, unit=plan.unit)
            if wrong:
                raise RulesError(wrong)
            return replace(plan, bet=wager.main, side=wager.side)
        case "side":
            words = [] if text.strip().lower() in ("", "none") else text.replace(",", " ").split()
            return fit_rules(plan, plan.rules.replace(side_bets=words))
        case "unit":
            return _take_unit(plan, read_chips(text, "smallest bet"))
        case "hands":
            return replace(plan, hands=read_whole(text, "hands", example="1"))
        case "company":
            from upcard.session.game_session import check_company

            check_company(text, plan.rules)
            return replace(plan, company=text.strip())
        case "count":
            return replace(plan, count=read_count_question(text))
    raise RulesError(f"{quote(text)} does not fit {row.name}")


def _next(positions: Sequence[Position], now: Position, step: int) -> Position:
    """Return the position after what it is now, going round; another counts as the first."""
    at = positions.index(now) if now in positions else 0
    return positions[(at + step) % len(positions)]


def _take_unit(plan: TablePlan, unit: Fraction) -> TablePlan:
    return replace(plan, unit=unit, bet=bet_limits.round_bet(plan.bet, unit))


def _turn_company(plan: TablePlan, step: int) -> TablePlan:
    texts = list(COMPANY.values())
    for times in range(1, len(texts) + 1):
        with suppress(RulesError):
            return replace(plan, company=_next(texts, plan.company, step * times))
    return plan


def _turn(positions: Sequence[Fraction], now: Fraction, step: int) -> Fraction:
    """Return the next position, up or down, from the one nearest to what it is now."""
    at = min(range(len(positions)), key=lambda index: abs(positions[index] - now))
    return positions[min(max(at + step, 0), len(positions) - 1)]


def fit_rules(plan: TablePlan, rules: Rules) -> TablePlan:
    """Return a table by other rules, with as many hands and as much company as they take."""
    codes = [bet.code for bet in rules.side_bets]
    plan = replace(plan, side=tuple(one for one in plan.side if one[0] in codes))
    fewer = (plan.hands, plan.company), (FEWEST, plan.company), (plan.hands, "")
    for hands, company in fewer:
        with suppress(RulesError):
            return replace(plan, rules=rules, title="", hands=hands, company=company)
    return replace(plan, rules=rules, title="", hands=FEWEST, company="")


def write_plan(plan: TablePlan) -> dict[str, Any]:
    """Return a choice as JSON values; `read_plan` reads it back."""
    return {
        "house": plan.rules.name,
        "rules": str(plan.rules.replace(name="")),
        "hands": plan.hands,
        "bet": str(plan.wager),
        "unit": str(plan.unit),
        **fields_of(plan, "company", "keeps", "count"),
    }


def read_plan(kept: dict[str, Any] | None) -> TablePlan:
    """Read what `write_plan` wrote; one that cannot be read is as if nothing had been chosen."""
    if not kept:
        return TablePlan()
    try:
        rules = Rules.parse(str(kept["rules"])).replace(name=str(kept["house"]))
        unit, wager = read_bet(str(kept.get("unit", "1"))), read_wager(str(kept["bet"]))
        return TablePlan(
            rules=rules,
            hands=read_whole(str(kept["hands"]), "hands", example="1"),
            bet=bet_limits.round_bet(wager.main, unit),
            side=wager.side,
            unit=unit,
            company=str(kept["company"]),
            keeps=bool(kept["keeps"]),
            count=read_count_question(str(kept.get("count", ""))),
        )
    except (BlackjackError, KeyError, TypeError):
        return TablePlan()


_LAST: Final = "start"
"""Name of the setting with the table that was chosen last."""


def load_last_plan(store: Store | None) -> TablePlan:
    """Return the table that was chosen last, on the screen or in the browser."""
    if store is None:
        return TablePlan()
    with suppress(files.StoreError):
        return read_plan(bankroll.load_setting(store, _LAST))
    return TablePlan()


def save_last_plan(store: Store | None, plan: TablePlan) -> None:
    """Save the table that was chosen; without a store it is forgotten."""
    if store is not None:
        bankroll.save_setting(store, _LAST, write_plan(plan))


def _can_count(rules: Rules) -> bool:
    try:
        countable_decks(rules)
    except BlackjackError:
        return False
    return True


def read_count_question(text: str) -> str:
    """Read a count question, which can be `off`."""
    text = text.strip()
    if text in {"", _OFF}:
        return ""
    system, _ = read_ask_count(text)
    load_system(system)
    return text
