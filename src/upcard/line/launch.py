"""From the options of `upcard play` to a session: which table, whose dialogue, who plays."""

import random
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Final

from upcard.core.errors import BlackjackError
from upcard.line import deshmukh, general, roanoke, seven_hands
from upcard.line.console import Console
from upcard.line.dialogue import Dialogue, Terms
from upcard.line.game import BotGame, LineGame, RampBetting, ShoeTeller
from upcard.line.messages import LineMessages, open_messages
from upcard.line.options import (
    PlayOptions,
    asks_for_chips,
    check_seats,
    naming_options,
    plan_table,
    refuse_bet_over,
    refuse_for_lines,
    speaks_as,
)
from upcard.players.betting_systems import BettingSystem, make_betting
from upcard.players.bots import CountingPlayer, Decider, sit_down
from upcard.session import count_check, first_hand
from upcard.session.betting import Bank, buy_in, has_bought_in
from upcard.session.coaching import CoachQueue, CoachVoice, TableCoach
from upcard.session.game_session import GameSession, make_practice_shoe, make_stream
from upcard.session.plan import DEFAULT_CHIPS, TablePlan
from upcard.session.seat import LeftHand, Seat, find_left_hands, open_session
from upcard.simulation.registry import load_player, make_player
from upcard.store.bankroll import free_chips_of
from upcard.store.database import Store, open_store
from upcard.store.files import StoreError
from upcard.table.rounds import Table

DEFAULT_ROUNDS: Final = 10
_DIALOGUES: Final[dict[str, Callable[[Console, Terms, Bank], Dialogue]]] = {
    "roanoke": roanoke.RoanokeDialogue,
    "deshmukh": deshmukh.DeshmukhDialogue,
    "seven-hands": seven_hands.SevenHandsDialogue,
}


def play(options: PlayOptions) -> None:
    """Play a session on the console of this process."""
    plan = plan_table(options)
    refuse_for_lines(options, plan.rules)
    with naming_options():
        check = count_check.CountCheck.of(plan, options.cards)
    if options.player is not None:
        _play_bot(options, plan)
    elif not plan.keeps:
        chips = options.chips or DEFAULT_CHIPS
        if plan.rules.betting and not asks_for_chips(options, plan.rules):
            refuse_bet_over(options, plan, chips)
        coach = TableCoach(plan.rules, knows=options.knows or "fresh")
        session, _ = open_session(plan, None, coach, options)
        _play_session(options, session, _open_console(options), check=check)
    else:
        _play_kept(options, plan, check)


def play_first_hands(options: PlayOptions) -> None:
    """Play the led first hands on the console, from where they were left."""
    try:
        memory = open_store()
    except StoreError:
        memory = None
    with memory or nullcontext() as store:
        guide = first_hand.open_first_hands(store)
        session, console = guide.session, _open_console(options)
        remarks = open_messages(console, as_json=options.as_json)
        terms = replace(_terms_of(options, session.plan), practice=first_hand.WHAT_IS_SAVED)
        game = LineGame(
            seat=Seat(session, CoachQueue(session), guide=guide),
            dialogue=_general_dialogue(options, console, terms, session.bank),
            remarks=remarks,
            shoes=None,
        )
        game.play(guide.hands_left)
        if guide.step.is_over:
            remarks.tell_step(guide.step)


def _play_bot(options: PlayOptions, plan: TablePlan) -> None:
    rules = plan.rules
    chips = options.chips or DEFAULT_CHIPS
    if rules.betting:
        refuse_bet_over(options, plan, chips)
    terms = _terms_of(options, plan)
    player = make_player(load_player(options.player or ""), rules, terms.rng)
    betting = _make_betting(options, plan, player)
    bank = Bank(balance=chips if rules.betting else None)
    table = Table(rules, make_practice_shoe(rules, seed=options.seed, cards=options.cards))
    sit_down(player, table)
    dialogue = _choose_dialogue(options, _open_console(options), terms, bank)
    rounds = options.rounds or DEFAULT_ROUNDS
    BotGame(table, dialogue, bank).play(player, betting, rounds=rounds, spots=plan.hands)


def _play_kept(options: PlayOptions, plan: TablePlan, check: count_check.CountCheck | None) -> None:
    rules = plan.rules
    check_seats(plan)  # before anything is saved, or a hand continues
    with _open_memory() as store:
        if rules.betting and not asks_for_chips(options, rules):
            refuse_bet_over(options, plan, options.chips or free_chips_of(store) or DEFAULT_CHIPS)
        console = _open_console(options)
        if not _finish_left_rounds(store, options, console):
            return
        coach = TableCoach(rules, knows=options.knows or "fresh")
        is_first, buys_in = not has_bought_in(store), not asks_for_chips(options, rules)
        session, brought = open_session(plan, store, coach, options, buys_in=buys_in)
        with session:
            told = Fraction(0) if is_first else brought
            _play_session(options, session, console, check=check, store=store, brought=told)


def _open_memory() -> Store:
    try:
        return open_store()
    except StoreError as error:
        msg = f"{str(error).rstrip('.')}. upcard play --practice plays without saving"
        raise StoreError(msg) from None


def _play_session(  # noqa: PLR0913 (three are named in the call)
    options: PlayOptions,
    session: GameSession,
    console: Console,
    *,
    check: count_check.CountCheck | None,
    store: Store | None = None,
    brought: Fraction = Fraction(0),
) -> None:
    remarks = open_messages(console, as_json=options.as_json)
    if speaks_as(session.plan.rules) and not options.as_json:
        remarks = LineMessages()
    dialogue = _choose_dialogue(options, console, _terms_of(options, session.plan), session.bank)
    if store is not None:
        dialogue.requests.bring = partial(buy_in, store)
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
    return Terms(
        plan=plan,
        rng=make_stream(options.seed, "player"),
        chips=options.chips,
        bet=None if options.bet is None else plan.wager,
        hands=options.hands,
        bot=options.player or "",
    )


def _open_console(options: PlayOptions) -> Console:
    console = Console.of_process(ascii_only=options.ascii_only, in_words=options.words)
    if options.as_json:
        console.echo = False
    return console


def _choose_dialogue(options: PlayOptions, console: Console, terms: Terms, bank: Bank) -> Dialogue:
    document = "" if options.as_json else speaks_as(terms.plan.rules)
    if document in _DIALOGUES:
        return _DIALOGUES[document](console, terms, bank)
    return _general_dialogue(options, console, terms, bank, in_words_of=document)


def _general_dialogue(
    options: PlayOptions, console: Console, terms: Terms, bank: Bank, *, in_words_of: str = ""
) -> Dialogue:
    if options.as_json:
        return general.open_json(console, terms, bank)
    return general.GeneralDialogue(console, terms, bank, hint=options.hint, in_words_of=in_words_of)


def _make_betting(options: PlayOptions, plan: TablePlan, player: Decider) -> BettingSystem:
    """Make the bot's betting system; by default a counter bets by its ramp."""
    if options.betting is None and isinstance(player, CountingPlayer):
        return RampBetting(counter=player, unit=plan.bet, limit=options.limit)
    rng = make_stream(options.seed, "betting")
    return make_betting(options.betting or "flat", unit=plan.bet, limit=options.limit, rng=rng)


def _finish_left_rounds(store: Store, options: PlayOptions, console: Console) -> bool:
    """Play all unfinished hands to their ends; False if you left again."""
    remarks = open_messages(console, as_json=options.as_json)

    def finish(left: LeftHand) -> bool:
        try:
            session = left.resume(store, knows=options.knows or "fresh")
        except BlackjackError as error:
            remarks.tell_kept(left, str(error))
            return True
        plan = session.plan
        bet = plan.wager if plan.rules.betting else None
        terms = Terms(plan=plan, rng=random.SystemRandom(), bet=bet, hands=plan.hands)
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
