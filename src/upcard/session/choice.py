"""The form of a table at every door: its faults, the rows of the start screen, what is saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from upcard.core.errors import BlackjackError, NotationError, RulesError, quote
from upcard.core.fields import FieldFaultsError, list_fields, quote_names
from upcard.core.numbers import fields_of, format_chips
from upcard.core.wager import SideStakes, read_bet, read_wager, type_wager
from upcard.fair.seeds import read_player_seed
from upcard.players.seen_cards import countable_decks
from upcard.rules.describe import DEFAULT_NAME
from upcard.rules.house import house, house_names, load_house
from upcard.rules.model import Rules, void_settings
from upcard.rules.predicates import say_hands
from upcard.rules.settings import SETTINGS
from upcard.rules.side_bet_files import shipped_side_bets
from upcard.session.count_check import CountCheck
from upcard.session.plan import FEWEST, PRACTICE, PlayTerms, TablePlan
from upcard.store import bankroll, files
from upcard.table import bet_limits
from upcard.table.shoe import ScriptedShoe

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
FIELDS: Final = {one.name: one for one in list_fields(PlayTerms)}
"""The form of a table, by the names of its fields."""
ROWS: Final = ("hands", "bet", "unit", "company", "coach", "knows", "count", "keep")
"""The fields that have a line on the start screen; at 80 by 24 there is no room for more."""
MORE: Final = ("chips", "limit", "check_bets", "player_seed", "seed", "cards")
"""The fields that the start screen asks for by a key."""
_OF_BETS: Final = ("chips", "bet", "side", "unit", "limit", "check_bets")
Position = TypeVar("Position")


class ChoiceRow(NamedTuple):
    """One line of the screen: its name, where it stands, and what turns it."""

    name: str
    words: str
    kind: str
    switch: RuleChoice | None = None


def fits(name: str, rules: Rules) -> bool:
    """Whether a field has a meaning by these rules."""
    if name == "side":
        return bool(rules.side_bets)
    is_countable = name not in ("count", "check_bets") or _can_count(rules)
    return is_countable and (rules.betting or name not in _OF_BETS)


def drop_counting(plan: TablePlan) -> TablePlan:
    """Return a plan without what cannot be counted by its rules."""
    return plan if _can_count(plan.rules) else replace(plan, count="", check_bets="")


def write_texts(plan: TablePlan) -> dict[str, str]:
    """Return the fields of a plan as they are typed; an empty text is the default."""
    limit, chosen = plan.limit, plan.is_own_unit or plan.unit != bet_limits.WHOLE_CHIPS
    return {
        "hands": str(plan.hands),
        "bet": format_chips(plan.bet),
        "side": " ".join(f"{code} {format_chips(chips)}" for code, chips in plan.side),
        "unit": format_chips(plan.unit) if chosen else "",
        "limit": "" if limit is None else format_chips(limit),
        **fields_of(plan, "company", "count", "check_bets"),
        "keep": "saved" if plan.keeps else PRACTICE,
    }


def find_faults(terms: PlayTerms, rules: Rules, *, takes_any_bet: bool = False) -> dict[str, str]:
    """Return why fields cannot be by these rules or beside others; company and counts later.

    `takes_any_bet` is for bots and for the words of documents, which have no smallest bet.
    """
    faults: dict[str, str] = {}
    if not rules.betting:
        why = f"there are no bets in {rules.name or 'these rules'}"
        faults |= {one: f"{{{one}}}: {why}" for one in _OF_BETS if getattr(terms, one) is not None}
    if why := _why_not_mixed(terms):
        faults["player_seed"] = f"{{player_seed}}: {why}"
    hands = rules.min_spots if terms.hands is None else terms.hands
    if not rules.min_spots <= hands <= rules.max_spots:
        name = rules.name or "these rules"
        faults["hands"] = f"{{hands}} {hands}: in {name} it is {say_hands(rules)} a round"
    unit, bet, limit = terms.unit or bet_limits.WHOLE_CHIPS, terms.bet, terms.limit
    smallest = f"{{unit}} {format_chips(unit)}"
    if bet is not None and limit is not None and bet > limit:
        why = f"over the {{limit}} {format_chips(limit)}"
        faults.setdefault("bet", f"{{bet}} {format_chips(bet)}: {why}")
    if bet is not None and bet % unit and not takes_any_bet:
        taken = f"{{unit}} {format_chips(Fraction(1, bet.denominator))} takes it"
        why = f"bets are multiples of {smallest}; {taken}"
        faults.setdefault("bet", f"{{bet}} {format_chips(bet)}: {why}")
    if limit is not None and limit < unit and not takes_any_bet:
        why = f"below the smallest bet, {smallest}"
        faults.setdefault("limit", f"{{limit}} {format_chips(limit)}: {why}")
    try:
        _read_side(terms, rules, bet_limits.SMALLEST_UNIT if takes_any_bet else unit)
    except BlackjackError as error:
        faults.setdefault("side", str(error))
    try:
        if terms.cards is not None:
            ScriptedShoe(terms.cards)
    except BlackjackError as error:
        faults["cards"] = quote_names(error)
    return faults


def _why_not_mixed(terms: PlayTerms) -> str:
    """Return why a seed of the person's cannot be mixed into the shuffle."""
    if terms.player_seed is None:
        return ""
    if not terms.keeps:
        return "there is no commitment to practice cards, so nothing is mixed in"
    try:
        read_player_seed(terms.player_seed)
    except NotationError as error:
        return quote_names(error)
    return ""


def _read_side(terms: PlayTerms, rules: Rules, unit: Fraction) -> SideStakes:
    """Read the side bets of the form for a house that has them."""
    if terms.side is None:
        return ()
    codes, typed = [bet.code for bet in rules.side_bets], terms.side.replace(",", " ").split()
    if len(typed) % 2:
        example = f", such as {codes[0]} 2" if codes else ""
        form = f"write each side bet and its chips{example}"
        raise NotationError(f"{{side}} {quote_names(quote(terms.side))}: {form}")
    try:
        wager = type_wager(f"1 {terms.side}", codes)
    except BlackjackError as error:
        raise NotationError(f"{{side}}: {quote_names(error)}") from None
    wrong = [bet_limits.why_not_unit(chips, unit) for _, chips in wager.side]
    over = [c for _, c in wager.side if terms.limit is not None and c > terms.limit]
    if any(wrong) or over:
        reason = next(filter(None, wrong), "over the {limit}")
        raise RulesError(f"{{side}} {quote_names(terms.side)}: {reason}")
    return wager.side


def make_plan(
    terms: PlayTerms,
    rules: Rules,
    title: str = "",
    *,
    takes_any_bet: bool = False,
    others: Mapping[str, str] | None = None,
) -> TablePlan:
    """Return the table of a form; `others` are faults that are known already.

    Raises: FieldFaultsError, with a sentence for each field that cannot be.
    """
    from upcard.session.game_session import check_company

    faults = {**find_faults(terms, rules, takes_any_bet=takes_any_bet), **(others or {})}
    try:
        check_company(terms.company or "", rules)
    except BlackjackError as error:
        faults.setdefault("company", quote_names(error))
    if faults:  # alone, a count is looked at by the door, which may have no question for it
        counted = TablePlan(rules=rules, count=terms.count or "", check_bets=terms.check_bets or "")
        try:
            CountCheck.of(counted)
        except FieldFaultsError as error:
            faults = {**error.fields, **faults}
        raise FieldFaultsError(faults)
    try:
        return _make_plan(terms, rules, title, takes_any_bet=takes_any_bet)
    except BlackjackError as error:
        raise FieldFaultsError({"company": quote_names(error)}) from None


def _make_plan(
    terms: PlayTerms, rules: Rules, title: str, *, takes_any_bet: bool = False
) -> TablePlan:
    unit = bet_limits.SMALLEST_UNIT if takes_any_bet else terms.unit or bet_limits.WHOLE_CHIPS
    bet = terms.bet or bet_limits.round_bet(bet_limits.DEFAULT_BET, unit, terms.limit)
    return TablePlan(
        rules=rules,
        title=title,
        hands=FEWEST if terms.hands is None else terms.hands,
        bet=bet,
        side=_read_side(terms, rules, unit),
        unit=unit,
        is_own_unit=terms.unit is not None,
        limit=terms.limit,
        company=(terms.company or "").strip(),
        keeps=terms.keeps,
        count=terms.count or "",
        check_bets=terms.check_bets or "",
    )


def list_rows(plan: TablePlan, *, voice: str, knows: str) -> Iterator[ChoiceRow]:
    """Return the rows of the screen; what the coach does is the program's."""
    rules = plan.rules
    yield ChoiceRow("House", rules.name or DEFAULT_NAME, "house")
    for switch in RULE_CHOICES:
        yield ChoiceRow(switch.name, switch.words(rules), "rule", switch)
    texts = write_texts(plan) | {"coach": voice, "knows": knows}
    texts |= {"bet": str(plan.wager), "unit": format_chips(plan.unit)}
    for name in ROWS:
        if name == "bet" and rules.side_bets:  # without them there is no room, and one is typed
            yield ChoiceRow("Side bets", " ".join(map(str, rules.side_bets)), "side bets")
        if fits(name, rules):
            describe = FIELDS[name].field.describe or str
            yield ChoiceRow(FIELDS[name].title, describe(texts[name]), name)


def turn_row(plan: TablePlan, row: ChoiceRow, step: int) -> tuple[TablePlan, str]:
    """Turn a row one position up or down; return the table then, and what to say of it."""
    match row.kind:
        case "house":
            name = _next(("", *house_names()), plan.rules.name, step)
            return fit_rules(plan, load_house(name).rules if name else Rules()), ""
        case "rule" if row.switch is not None:
            rules, passed = turn(row.switch, plan.rules, step)
            return fit_rules(plan, rules), "; ".join(passed)
        case "side bets":  # one shipped bet, alone; none comes before the first
            bets = [(), *((bet,) for bet in shipped_side_bets() if not bet.after)]
            turned_to = _next(bets, plan.rules.side_bets, step)
            return fit_rules(plan, plan.rules.replace(side_bets=turned_to)), ""
        case "hands" | "unit":
            units = [Fraction(text) for text in FIELDS["unit"].field.ruler]
            to = plan.hands + step if row.kind == "hands" else _turn(units, plan.unit, step)
            try:
                turned = put_field(plan, row.kind, format_chips(Fraction(to)))
            except RulesError as error:
                return plan, str(error)
            if row.kind == "unit" and turned.unit == bet_limits.WHOLE_CHIPS:
                # The usual one is chosen by typing it; turned back, it is as if it were untouched.
                turned = replace(turned, is_own_unit=False)
            return turned, ""
        case "bet":
            bet = _turn([plan.unit * n for n in _BETS], plan.bet, step)
            return replace(plan, bet=bet_limits.round_bet(bet, plan.unit, plan.limit)), ""
    return _turn_field(plan, row.kind, step), ""


def _turn_field(plan: TablePlan, name: str, step: int) -> TablePlan:
    """Turn a field to the next of its texts that the table has room for."""
    texts = FIELDS[name].field.choices or FIELDS[name].field.ruler
    for times in range(1, len(texts) + 1):
        with suppress(RulesError):
            return put_field(plan, name, _next(texts, write_texts(plan)[name], step * times))
    return plan


def read_row(plan: TablePlan, row: ChoiceRow, text: str) -> TablePlan:
    """Take what was typed for a row: a house or rules, hands, a bet, company, a count."""
    if row.kind in ("house", "rule"):
        return fit_rules(plan, Rules.parse(text))
    if row.kind == "side bets":
        words = [] if text.strip().lower() in ("", "none") else text.replace(",", " ").split()
        return fit_rules(plan, plan.rules.replace(side_bets=words))
    if row.kind == "bet":
        bet, _, side = text.strip().partition(" ")
        return put_field(put_field(plan, "side", side), "bet", bet)
    if row.kind in ("coach", "knows"):
        raise RulesError(f"{quote(text)} does not fit {row.name}: it is turned")
    return put_field(plan, row.kind, text)


_WITH_BET: Final = {"unit": ("unit", "is_own_unit", "bet"), "limit": ("limit", "bet")}
"""The fields that round the bet, and what changes in the plan."""


def put_field(plan: TablePlan, name: str, text: str) -> TablePlan:
    """Return a table with a field as it was typed.

    Raises: RulesError, NotationError: the table stays as it is.
    """
    rules, texts = plan.rules, write_texts(plan)
    before = PlayTerms(**{one: FIELDS[one].read(texts[one]) for one in texts if fits(one, rules)})
    terms = replace(before, **{name: FIELDS[name].read(text)})
    if name in _WITH_BET:
        unit = terms.unit or bet_limits.WHOLE_CHIPS
        terms = replace(terms, bet=bet_limits.round_bet(plan.bet, unit, terms.limit))
    _refuse_change(before, terms, rules, name)
    made = _make_plan(terms, plan.rules, plan.title)
    try:
        if name == "company":
            from upcard.session.game_session import check_company

            check_company(made.company, plan.rules)
        elif name in ("count", "check_bets"):
            CountCheck.of(made)
    except FieldFaultsError as error:
        if name in error.fields or _is_counted(plan):  # else the other one was faulty before
            raise RulesError(*write_faults(error).values()) from None
    changed = _WITH_BET.get(name, ("keeps" if name == "keep" else name,))
    return replace(plan, **{one: getattr(made, one) for one in changed})


Terms = TypeVar("Terms", bound=PlayTerms)


def put_term(terms: Terms, plan: TablePlan, name: str, text: str) -> Terms:
    """Return a form with a field as it was typed, beside the table that is chosen.

    Raises: RulesError, NotationError: the form stays as it is.
    """
    changed = replace(terms, **{name: FIELDS[name].read(text)})
    before, after = (_keep_as(plan, one) for one in (terms, changed))
    _refuse_change(before, after, plan.rules, name)
    return changed


def why_not_opened(terms: PlayTerms, plan: TablePlan) -> str:
    """Return why what is brought to a table does not go with it; empty if it does."""
    why = _why_not_mixed(_keep_as(plan, terms))
    return why and f"{FIELDS['player_seed'].title}: {why}"


def _keep_as(plan: TablePlan, terms: PlayTerms) -> PlayTerms:
    return terms if plan.keeps else replace(terms, keep=PRACTICE)


def _refuse_change(before: PlayTerms, after: PlayTerms, rules: Rules, name: str) -> None:
    """Refuse a change of a field that makes a fault, there or at another."""
    known = find_faults(before, rules)
    faults = {one: why for one, why in find_faults(after, rules).items() if one not in known}
    if name in faults:
        faults = {name: faults[name]}
    if faults:
        raise RulesError(*write_faults(FieldFaultsError(faults)).values())


def write_terms(terms: PlayTerms) -> dict[str, str]:
    """Return the fields of a form that are given, as they are typed."""
    values = ((name, getattr(terms, name)) for name in FIELDS)
    return {
        name: format_chips(value) if isinstance(value, Fraction) else str(value)
        for name, value in values
        if value is not None
    }


def write_faults(error: FieldFaultsError) -> dict[str, str]:
    """Return the faults of a form by its fields, with their names in words."""
    return error.write(lambda name: FIELDS[name].title.lower())


def _next(positions: Sequence[Position], now: Position, step: int) -> Position:
    """Return the position after what it is now, going round; another counts as the first."""
    at = positions.index(now) if now in positions else 0
    return positions[(at + step) % len(positions)]


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


_SAVED: Final = ("limit", "company", "count", "check_bets")
"""The fields that are saved as texts; chips, seeds and cards are brought once."""


def write_plan(plan: TablePlan) -> dict[str, Any]:
    """Return a choice as JSON values; `read_plan` reads it back."""
    texts = write_texts(plan)
    return {name: texts[name] for name in _SAVED} | {
        "house": plan.rules.name,
        "rules": plan.rules.notation,
        "hands": plan.hands,
        "bet": str(plan.wager),
        "unit": str(plan.unit),
        **({"is_own_unit": True} if plan.is_own_unit else {}),
        "keeps": plan.keeps,
    }


def read_plan(kept: dict[str, Any] | None) -> TablePlan:
    """Read what `write_plan` wrote; one that cannot be read is as if nothing had been chosen."""
    if not kept:
        return TablePlan()

    def read(name: str) -> Any:  # noqa: ANN401 (the type of the field)
        return FIELDS[name].read(str(kept.get(name, "")))

    try:
        unit, wager = read_bet(str(kept.get("unit", "1"))), read_wager(str(kept["bet"]))
        plan = TablePlan(
            rules=Rules.parse(str(kept["rules"])).replace(name=str(kept["house"])),
            hands=read("hands"),
            bet=bet_limits.round_bet(wager.main, unit, read("limit")),
            side=wager.side,
            unit=unit,
            is_own_unit=bool(kept.get("is_own_unit")),
            limit=read("limit"),
            company=read("company") or "",
            keeps=bool(kept["keeps"]),
            count=read("count") or "",
            check_bets=read("check_bets") or "",
        )
    except (BlackjackError, KeyError, TypeError):
        return TablePlan()
    # What cannot be by the usual rules either, such as a ramp in a file that is gone, goes alone.
    return _drop_unknown(plan, plan.rules, Rules())


def check_count(plan: TablePlan, cards: str | None = None) -> None:
    """Make sure that the count and the ramp of a table can be, with `cards` if they are listed.

    Raises: FieldFaultsError, by the field that cannot be.
    """
    CountCheck.of(plan, cards)


def _is_counted(plan: TablePlan) -> bool:
    """Whether the count and the ramp of a plan can be, by its rules."""
    with suppress(BlackjackError):
        CountCheck.of(plan)
        return True
    return False


def _drop_unknown(plan: TablePlan, *games: Rules) -> TablePlan:
    """Return a plan without a count and a ramp that can be in none of these games."""
    if not any(_is_counted(replace(plan, rules=one, check_bets="", hands=FEWEST)) for one in games):
        plan = replace(plan, count="")
    if not any(_is_counted(replace(plan, rules=one, hands=FEWEST)) for one in games):
        plan = replace(plan, check_bets="")
    return plan


def fit_all(plan: TablePlan) -> TablePlan:
    """Return a plan without the company, the count and the ramp that its rules do not take."""
    if plan.company:
        from upcard.session.game_session import check_company  # it loads the players

        try:
            check_company(plan.company, plan.rules)
        except BlackjackError:
            plan = replace(plan, company="")
    return _drop_unknown(plan, plan.rules)


_LAST: Final = "start"
"""Name of the setting with the table that was chosen last."""


def load_last_plan(store: Store | None) -> TablePlan:
    """Return the table that was chosen last, on the screen or in the browser."""
    with suppress(files.StoreError):
        return read_plan(bankroll.load_setting(store, _LAST))
    return TablePlan()


def save_last_plan(store: Store | None, plan: TablePlan) -> None:
    """Save the table that was chosen; without a store it is forgotten."""
    bankroll.save_setting(store, _LAST, write_plan(plan))


def _can_count(rules: Rules) -> bool:
    try:
        countable_decks(rules)
    except BlackjackError:
        return False
    return True
