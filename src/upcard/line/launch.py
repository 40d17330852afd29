"""From the options of `upcard play` to a session: which table, whose dialogue, who plays."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from upcard.core.errors import BlackjackError, NotationError, RulesError
from upcard.core.numbers import format_chips
from upcard.documents.bank import Bank
from upcard.documents.console import Console
from upcard.documents.deshmukh import DeshmukhDialogue
from upcard.documents.dialogue import Dialogue, Terms
from upcard.documents.roanoke import RoanokeDialogue
from upcard.documents.seven_hands import SevenHandsDialogue
from upcard.fair.seeds import read_player_seed
from upcard.line.dialogues import GeneralDialogue, JsonDialogue
from upcard.line.game import BotGame, LineGame, RampBetting, ShoeTeller
from upcard.line.messages import JsonMessages, LineMessages
from upcard.players.betting_systems import BettingSystem, make_betting
from upcard.players.bots import CountingPlayer, Decider
from upcard.rules.house import load_house
from upcard.rules.model import Rules
from upcard.session.betting import buy_in, has_bought_in
from upcard.session.coaching import CoachDesk, CoachQueue, CoachVoice
from upcard.session.count_check import CountCheck, CountOptions
from upcard.session.game_session import GameSession, make_practice_shoe, make_stream, seat_companion
from upcard.session.plan import DEFAULT_CHIPS, TablePlan, choose_table
from upcard.session.seat import Arrival, LeftHand, Seat, find_left_hands, open_session
from upcard.simulation.registry import load_player, make_player
from upcard.store.bankroll import free_chips_of
from upcard.store.database import Store, open_store
from upcard.store.files import StoreError
from upcard.table.bet_limits import DEFAULT_BET, SMALLEST_UNIT, WHOLE_CHIPS, round_bet, why_not_unit
from upcard.table.rounds import Table
from upcard.table.shoe import ScriptedShoe

_OWN_GAME: Final = (
    *("unit", "coach", "knows", "company", "player_seed"),
    *("ask_count", "check_bets"),
)
_OF_BETS: Final = ("chips", "bet", "unit", "limit", "betting", "check_bets")
_NOT_IN_DOCUMENTS: Final = {
    "coach": "coach",
    "knows": "coach",
    "company": "company",
    "ask_count": "count question",
    "check_bets": "bet check",
}
"""Options that the words of a document have no place for, and what each asks for."""
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
    def counting(self) -> CountOptions:
        """Options for questions and remarks about the count."""
        return CountOptions(ask=self.ask_count, ramp=self.check_bets, unit=self.unit)


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
    return TablePlan(
        rules=rules,
        title=title,
        hands=options.hands or 1,
        bet=bet if rules.betting else Fraction(1),
        unit=unit,
        limit=options.limit,
        company=options.company or "",
    )


def _choose_unit(options: PlayOptions, rules: Rules, *, is_screen: bool) -> Fraction:
    """Return the smallest bet: whole chips by default; bots and documents bet any amount."""
    in_document = bool(speaks_as(rules)) and not (options.as_json or is_screen)
    if options.player is not None or in_document:
        return SMALLEST_UNIT
    unit = options.unit or WHOLE_CHIPS
    faults = []
    if options.bet is not None and why_not_unit(options.bet, unit):
        faults.append(
            f"--bet {format_chips(options.bet)}: bets are multiples of --unit {format_chips(unit)};"
            f" --unit {format_chips(Fraction(1, options.bet.denominator))} takes it"
        )
    if options.limit is not None and options.limit < unit:
        faults.append(
            f"--limit {format_chips(options.limit)}: below the smallest bet, --unit"
            f" {format_chips(unit)}"
        )
    if faults:
        raise RulesError(*faults)
    return unit


def check_seats(options: PlayOptions, plan: TablePlan) -> None:
    """Make sure that the company can sit there and that the cards are cards, before all else."""
    if options.cards is not None:
        ScriptedShoe(options.cards)
    for seat in filter(None, plan.seats):
        seat_companion(seat, plan.rules, unit=plan.bet)


def refuse_for_lines(options: PlayOptions, rules: Rules) -> None:
    """Refuse what the line game cannot do in the words of a document, which are not ours."""
    document = speaks_as(rules)
    if options.words and document in _DIALOGUES:
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


def refuse_bet_over(options: PlayOptions, chips: Fraction) -> None:
    """Refuse a fixed bet that the chips do not cover from the first round on."""
    if options.bet is None:
        return
    stake = options.bet * (options.hands or 1)
    if stake > chips:
        raise RulesError(
            f"--bet {format_chips(options.bet)}: it takes {format_chips(stake)} chips"
            f" and there are {format_chips(chips)}"
        )


def asks_for_chips(options: PlayOptions, rules: Rules) -> bool:
    """Whether the house asks for the chips before the first round."""
    is_talked_to = options.player is None and not options.as_json
    return is_talked_to and options.chips is None and speaks_as(rules) == "deshmukh"


def _refuse_what_cannot_be(options: PlayOptions, rules: Rules, *, is_screen: bool) -> None:
    """Collect everything that these rules or other options leave no room for."""
    name = rules.name or "these rules"
    faults: list[str] = []
    if not rules.betting:
        faults += [
            f"{option}: there are no bets in {name}" for _, option in _list_given(options, _OF_BETS)
        ]
    if options.player is None:
        if options.betting is not None:
            faults.append("--betting: it is a bot that bets by a system, so give --player too")
    else:
        faults += [
            f"{option}: it is for your own game, and {options.player} plays"
            for _, option in _list_given(options, _OWN_GAME)
        ]
    faults += _find_faults_of_seed(options)
    # On the full screen --bet is the first bet, and you can place any other.
    if options.check_bets is not None and options.bet is not None and not is_screen:
        faults.append("--check-bets: --bet places every bet, so there is none of yours to check")
    if options.words and options.as_json:
        faults.append("--words: --json is for programs, which read cards as 8D; give one of them")
    hands = 1 if options.hands is None else options.hands
    if not 1 <= hands <= rules.max_spots:
        most = "1 hand" if rules.max_spots == 1 else f"1 to {rules.max_spots} hands"
        faults.append(f"--hands {hands}: in {name} it is {most} a round")
    if options.limit is not None and options.bet is not None and options.bet > options.limit:
        faults.append(
            f"--bet {format_chips(options.bet)}: over the --limit {format_chips(options.limit)}"
        )
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


DEFAULT_ROUNDS: Final = 10
_DIALOGUES: Final[dict[str, Callable[[Console, Terms, Bank], Dialogue]]] = {
    "roanoke": RoanokeDialogue,
    "deshmukh": DeshmukhDialogue,
    "seven-hands": SevenHandsDialogue,
}


def play(options: PlayOptions) -> None:
    """Play a session on the console of this process."""
    plan = plan_table(options)
    refuse_for_lines(options, plan.rules)
    check = options.counting.make(plan, cards=options.cards)
    if options.player is not None:
        _play_bot(options, plan)
    elif options.is_practice:
        _practise(options, plan, check)
    else:
        _play_kept(options, plan, check)


def _play_bot(options: PlayOptions, plan: TablePlan) -> None:
    rules = plan.rules
    chips = options.chips or DEFAULT_CHIPS
    if rules.betting:
        refuse_bet_over(options, chips)
    terms = _terms_of(options, plan)
    player = make_player(load_player(options.player or ""), rules, terms.rng)
    betting = _make_betting(options, plan, player)
    bank = Bank(balance=chips if rules.betting else None)
    table = Table(rules, make_practice_shoe(rules, seed=options.seed, cards=options.cards))
    if isinstance(player, CountingPlayer):
        player.watch(table)
    dialogue = _choose_dialogue(options, _open_console(options), terms, bank)
    rounds = options.rounds or DEFAULT_ROUNDS
    BotGame(table, dialogue, bank).play(player, betting, rounds=rounds, spots=plan.hands)


def _practise(options: PlayOptions, plan: TablePlan, check: CountCheck | None) -> None:
    chips = options.chips or DEFAULT_CHIPS
    if plan.rules.betting and not asks_for_chips(options, plan.rules):
        refuse_bet_over(options, chips)
    desk = CoachDesk(plan.rules, knows=options.knows or "fresh")
    arrival = Arrival(chips=chips, seed=options.seed, cards=options.cards)
    session, _ = open_session(plan, None, desk, arrival)
    console = _open_console(options)
    remarks = _choose_messages(options, console, plan.rules)
    _play_session(options, session, console, remarks, check=check)


def _play_kept(options: PlayOptions, plan: TablePlan, check: CountCheck | None) -> None:
    rules = plan.rules
    check_seats(options, plan)  # before anything is saved, or a hand goes on
    with _open_memory() as store:
        if rules.betting and not asks_for_chips(options, rules):
            refuse_bet_over(options, options.chips or free_chips_of(store) or DEFAULT_CHIPS)
        console = _open_console(options)
        if not _finish_left_rounds(store, options, console):
            return
        desk = CoachDesk(rules, knows=options.knows or "fresh")
        arrival = Arrival(
            chips=options.chips,
            buys_in=not asks_for_chips(options, rules),
            player_seed=options.player_seed or "",
        )
        is_first = not has_bought_in(store)
        session, brought = open_session(plan, store, desk, arrival)
        brought = Fraction(0) if is_first else brought
        with session:
            remarks = _choose_messages(options, console, rules)
            _play_session(
                options, session, console, remarks, check=check, store=store, brought=brought
            )


def _open_memory() -> Store:
    """Open the store."""
    try:
        return open_store()
    except StoreError as error:
        msg = f"{str(error).rstrip('.')}. upcard play --practice plays without memory"
        raise StoreError(msg) from None


def _play_session(  # noqa: PLR0913 (three are named in the call)
    options: PlayOptions,
    session: GameSession,
    console: Console,
    remarks: LineMessages,
    *,
    check: CountCheck | None,
    store: Store | None = None,
    brought: Fraction = Fraction(0),
) -> None:
    dialogue = _choose_dialogue(options, console, _terms_of(options, session.plan), session.bank)
    if store is not None:
        memory = store
        dialogue.desk.bring = lambda chips: buy_in(memory, chips)
    coach = CoachVoice(options.coach or CoachVoice.SILENT)
    is_eager = session.kept is not None or coach is not CoachVoice.SILENT
    game = LineGame(
        seat=Seat(session, CoachQueue(session, is_eager=is_eager), check=check),
        dialogue=dialogue,
        remarks=remarks,
        shoes=None if session.kept is None else ShoeTeller(session.kept, remarks),
        coach=coach,
        brought=brought,
        is_scripted=options.cards is not None,
    )
    game.play(options.rounds)


def _terms_of(options: PlayOptions, plan: TablePlan) -> Terms:
    return _make_terms(
        plan,
        make_stream(options.seed, "player"),
        chips=options.chips,
        bet=options.bet,
        hands=options.hands,
        unit=plan.unit,
        limit=options.limit,
        bot=options.player or "",
        is_practice=options.is_practice,
    )


def _open_console(options: PlayOptions) -> Console:
    console = Console.of_process(ascii_only=options.ascii_only, in_words=options.words)
    if options.as_json:
        console.echo = False
    return console


def _choose_messages(options: PlayOptions, console: Console, rules: Rules) -> LineMessages:
    if speaks_as(rules) and not options.as_json:
        return LineMessages()
    return _general_messages(options, console)


def _general_messages(options: PlayOptions, console: Console) -> LineMessages:
    if options.as_json:
        return JsonMessages(console)
    return LineMessages(console.say)


def _choose_dialogue(options: PlayOptions, console: Console, terms: Terms, bank: Bank) -> Dialogue:
    document = "" if options.as_json else speaks_as(terms.rules)
    if document in _DIALOGUES:
        return _DIALOGUES[document](console, terms, bank)
    return _general_dialogue(options, console, terms, bank, in_words_of=document)


def _general_dialogue(
    options: PlayOptions, console: Console, terms: Terms, bank: Bank, *, in_words_of: str = ""
) -> Dialogue:
    if options.as_json:
        return JsonDialogue(console, terms, bank)
    return GeneralDialogue(console, terms, bank, hint=options.hint, in_words_of=in_words_of)


def _make_betting(options: PlayOptions, plan: TablePlan, player: Decider) -> BettingSystem:
    """Make the bot's betting system; by default a counter bets by its ramp."""
    if options.betting is None and isinstance(player, CountingPlayer):
        return RampBetting(counter=player, unit=plan.bet, limit=options.limit)
    rng = make_stream(options.seed, "betting")
    return make_betting(options.betting or "flat", unit=plan.bet, limit=options.limit, rng=rng)


def _finish_left_rounds(store: Store, options: PlayOptions, console: Console) -> bool:
    """Play all unfinished hands to their ends; False if you left again."""
    remarks = _general_messages(options, console)

    def finish(left: LeftHand) -> bool:
        try:
            session = left.resume(store, knows=options.knows or "fresh")
        except BlackjackError as error:
            remarks.tell_kept(left, str(error))
            return True
        plan = session.plan
        bet = plan.bet if plan.rules.betting else None
        terms = _make_terms(plan, random.SystemRandom(), bet=bet, hands=plan.hands)
        with session:
            remarks.tell_unfinished(left)
            game = LineGame(
                seat=Seat(session),
                dialogue=_general_dialogue(options, console, terms, session.bank),
                remarks=remarks,
                shoes=ShoeTeller(session.kept, remarks) if session.kept else None,
                coach=CoachVoice(options.coach or CoachVoice.SILENT),
            )
            game.finish()
        if not game.was_left:
            remarks.tell_next_table()
        return not game.was_left

    return all(map(finish, find_left_hands(store)))


def _make_terms(plan: TablePlan, rng: random.Random, **settings: Any) -> Terms:
    """Return the terms of a table for a dialogue, with further settings of `Terms`."""
    notation = str(plan.rules.replace(name=""))
    company: tuple[str | None, ...] = ()
    if plan.company.strip():
        company = tuple(None if seat is None else str(seat) for seat in plan.seats)
    return Terms(
        rules=plan.rules, title=plan.title, notation=notation, rng=rng, company=company, **settings
    )
