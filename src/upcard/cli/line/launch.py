"""From the wishes of the command line to a session: which table, whose voice, who plays."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from upcard.cli.line.messages import LineMessages, SpokenMessages
from upcard.cli.line.options import (
    asks_for_chips,
    check_seats,
    plan_table,
    refuse_bet_over,
    refuse_for_lines,
    speaks_as,
)
from upcard.documents.console import Console
from upcard.documents.terms import Terms
from upcard.session.bank import Bank
from upcard.session.plan import DEFAULT_CHIPS
from upcard.session.practice import make_practice_shoe, make_stream
from upcard.table.table import Table

if TYPE_CHECKING:
    from upcard.cli.line.options import PlayOptions
    from upcard.documents.dialogue import Dialogue
    from upcard.players.betting import BettingSystem
    from upcard.players.interface import Decider
    from upcard.rules.model import Rules
    from upcard.session.count_check import CountCheck
    from upcard.session.game_session import GameSession
    from upcard.session.plan import TablePlan
    from upcard.store.database import Store

DEFAULT_ROUNDS: Final = 10


def play(wishes: PlayOptions) -> None:
    """Play a session on the console of this process.

    Raises: RulesError for wishes that cannot be met together, before anything is printed;
    StoreError if memory cannot be opened.
    """
    plan = plan_table(wishes)
    refuse_for_lines(wishes, plan.rules)
    check = wishes.counting.make(plan, cards=wishes.cards)
    if wishes.player is not None:
        _play_bot(wishes, plan)
    elif wishes.is_practice:
        _practise(wishes, plan, check)
    else:
        _play_kept(wishes, plan, check)


def _play_bot(wishes: PlayOptions, plan: TablePlan) -> None:
    from upcard.cli.line.bots import BotGame
    from upcard.players.counting import CountingPlayer
    from upcard.simulation.registry import make_player

    rules = plan.rules
    chips = wishes.chips or DEFAULT_CHIPS
    if rules.betting:
        refuse_bet_over(wishes, chips)
    terms = _make_terms(wishes, plan)
    player = make_player(wishes.player or "", rules, terms.rng)
    betting = _make_betting(wishes, plan, player)
    bank = Bank(balance=chips if rules.betting else None)
    table = Table(rules, make_practice_shoe(rules, seed=wishes.seed, cards=wishes.cards))
    if isinstance(player, CountingPlayer):
        player.watch(table)
    voice = _choose_voice(wishes, _open_console(wishes), terms, bank)
    rounds = wishes.rounds or DEFAULT_ROUNDS
    BotGame(table, voice, bank).play(player, betting, rounds=rounds, spots=plan.hands)


def _practise(wishes: PlayOptions, plan: TablePlan, check: CountCheck | None) -> None:
    from upcard.session.coaching import CoachDesk
    from upcard.session.game_session import GameSession

    chips = wishes.chips or DEFAULT_CHIPS
    if plan.rules.betting and not asks_for_chips(wishes, plan.rules):
        refuse_bet_over(wishes, chips)
    sitting = GameSession.practise(
        plan,
        chips=chips,
        shoe=make_practice_shoe(plan.rules, seed=wishes.seed, cards=wishes.cards),
        desk=CoachDesk(plan.rules, knows=wishes.knows or "fresh"),
        rng=make_stream(wishes.seed, "company"),
    )
    console = _open_console(wishes)
    remarks = _choose_remarks(wishes, console, plan.rules)
    _play_sitting(wishes, sitting, console, remarks, check=check)


def _play_kept(wishes: PlayOptions, plan: TablePlan, check: CountCheck | None) -> None:
    from upcard.cli.line.unfinished import finish_left_rounds
    from upcard.session.buy_in import buy_in, has_bought_in
    from upcard.session.coaching import CoachDesk
    from upcard.session.game_session import GameSession
    from upcard.store.bankroll import free_chips_of

    rules = plan.rules
    check_seats(wishes, plan)  # before anything is kept, or a hand goes on
    with _open_memory() as store:
        if rules.betting and not asks_for_chips(wishes, rules):
            refuse_bet_over(wishes, wishes.chips or free_chips_of(store) or DEFAULT_CHIPS)
        console = _open_console(wishes)
        if not finish_left_rounds(
            store,
            wishes,
            remarks=_general_remarks(wishes, console),
            make_voice=lambda terms, bank: _general_voice(wishes, console, terms, bank),
        ):
            return
        brought = Fraction(0)
        if rules.betting and not asks_for_chips(wishes, rules):
            is_first = not has_bought_in(store)
            brought = buy_in(store, wishes.chips)
            brought = Fraction(0) if is_first else brought
        desk = CoachDesk(rules, knows=wishes.knows or "fresh")
        with GameSession.keep(store, plan, desk=desk, rng=random.SystemRandom()) as sitting:
            if wishes.player_seed and sitting.kept is not None:
                sitting.kept.fair_shoe.add_player_seed(wishes.player_seed)
            remarks = _choose_remarks(wishes, console, rules)
            _play_sitting(
                wishes, sitting, console, remarks, check=check, store=store, brought=brought
            )


def _open_memory() -> Store:
    """Open the store.

    Raises: StoreError that says how to play without it.
    """
    from upcard.store.database import open_store
    from upcard.store.errors import StoreError

    try:
        return open_store()
    except StoreError as error:
        msg = f"{str(error).rstrip('.')}. upcard play --practice plays without memory"
        raise StoreError(msg) from None


def _play_sitting(  # noqa: PLR0913 (three are named in the call)
    wishes: PlayOptions,
    sitting: GameSession,
    console: Console,
    remarks: LineMessages,
    *,
    check: CountCheck | None,
    store: Store | None = None,
    brought: Fraction = Fraction(0),
) -> None:
    from upcard.cli.line.advising import Adviser
    from upcard.cli.line.commitments import ShoeTeller
    from upcard.cli.line.game import LineGame
    from upcard.session.buy_in import buy_in
    from upcard.session.coaching import CoachVoice

    voice = _choose_voice(wishes, console, _make_terms(wishes, sitting.plan), sitting.bank)
    if store is not None:
        memory = store
        voice.desk.bring = lambda chips: buy_in(memory, chips)
    coach = CoachVoice(wishes.coach or CoachVoice.SILENT)
    is_eager = sitting.kept is not None or coach is not CoachVoice.SILENT
    game = LineGame(
        sitting,
        voice,
        remarks=remarks,
        adviser=Adviser(sitting, is_eager=is_eager),
        shoes=None if sitting.kept is None else ShoeTeller(sitting.kept, remarks),
        coach=coach,
        check=check,
        brought=brought,
        is_scripted=wishes.cards is not None,
    )
    game.play(wishes.rounds)


def _make_terms(wishes: PlayOptions, plan: TablePlan) -> Terms:
    from upcard.cli.line.unfinished import name_company

    return Terms(
        rules=plan.rules,
        title=plan.title,
        notation=str(plan.rules.replace(name="")),
        rng=make_stream(wishes.seed, "player"),
        chips=wishes.chips,
        bet=wishes.bet,
        hands=wishes.hands,
        unit=plan.unit,
        limit=wishes.limit,
        bot=wishes.player or "",
        is_practice=wishes.is_practice,
        company=name_company(plan),
    )


def _open_console(wishes: PlayOptions) -> Console:
    console = Console.of_process(ascii_only=wishes.ascii_only, in_words=wishes.words)
    if wishes.as_json:
        console.echo = False
    return console


def _choose_remarks(wishes: PlayOptions, console: Console, rules: Rules) -> LineMessages:
    if speaks_as(rules) and not wishes.as_json:
        return LineMessages()
    return _general_remarks(wishes, console)


def _general_remarks(wishes: PlayOptions, console: Console) -> LineMessages:
    if wishes.as_json:
        from upcard.cli.line.json_messages import JsonMessages

        return JsonMessages(console)
    return SpokenMessages(console)


def _choose_voice(wishes: PlayOptions, console: Console, terms: Terms, bank: Bank) -> Dialogue:
    document = "" if wishes.as_json else speaks_as(terms.rules)
    match document:
        case "roanoke":
            from upcard.documents.roanoke.dialogue import RoanokeDialogue

            return RoanokeDialogue(console, terms, bank)
        case "deshmukh":
            from upcard.documents.deshmukh import DeshmukhDialogue

            return DeshmukhDialogue(console, terms, bank)
        case "seven-hands":
            from upcard.documents.seven_hands.dialogue import SevenHandsDialogue

            return SevenHandsDialogue(console, terms, bank)
    return _general_voice(wishes, console, terms, bank, in_words_of=document)


def _general_voice(
    wishes: PlayOptions, console: Console, terms: Terms, bank: Bank, *, in_words_of: str = ""
) -> Dialogue:
    if wishes.as_json:
        from upcard.cli.line.jsonl import JsonDialogue

        return JsonDialogue(console, terms, bank)
    from upcard.cli.line.general import GeneralDialogue

    return GeneralDialogue(console, terms, bank, hint=wishes.hint, in_words_of=in_words_of)


def _make_betting(wishes: PlayOptions, plan: TablePlan, player: Decider) -> BettingSystem:
    """Make the bot's betting system; a counter bets by his ramp unless told otherwise."""
    from upcard.cli.line.bots import RampBetting
    from upcard.players.betting import make_betting
    from upcard.players.counting import CountingPlayer

    if wishes.betting is None and isinstance(player, CountingPlayer):
        return RampBetting(counter=player, unit=plan.bet, limit=wishes.limit)
    rng = make_stream(wishes.seed, "betting")
    return make_betting(wishes.betting or "flat", unit=plan.bet, limit=wishes.limit, rng=rng)
