"""From the options of `upcard play` to a session: which table, whose dialogue, who plays."""

import random
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
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
    naming_options,
    plan_table,
    refuse_bet_over,
    refuse_for_lines,
    speaks_as,
)
from upcard.players.betting_systems import BettingSystem, make_betting
from upcard.players.bots import CountingPlayer, Decider, sit_down
from upcard.players.play_rounds import Bank
from upcard.session import first_hand
from upcard.session.choice import check_count
from upcard.session.coaching import CoachQueue, CoachVoice, TableCoach
from upcard.session.plan import DEFAULT_CHIPS, TablePlan
from upcard.session.seat import LeftHand, Seat, find_left_hands, open_seat, prepare_company
from upcard.simulation.registry import load_player, make_player
from upcard.store.bankroll import buy_in, free_chips_of, has_bought_in
from upcard.store.database import Store, open_store
from upcard.store.files import StoreError
from upcard.table.rounds import Table
from upcard.table.shoe import make_practice_shoe, make_stream

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
        check_count(plan, options.cards)
    if options.player is not None:
        _play_bot(options, plan)
    elif not plan.keeps:
        chips = options.chips or DEFAULT_CHIPS
        if plan.rules.betting and not asks_for_chips(options, plan.rules):
            refuse_bet_over(options, plan, chips)
        _play_seat(options, _open_seat(options, plan), _open_console(options))
    else:
        _play_kept(options, plan)


def _open_seat(
    options: PlayOptions, plan: TablePlan, store: Store | None = None, *, buys_in: bool = True
) -> Seat:
    coach = TableCoach(plan.rules, knows=options.knows or "fresh")
    is_eager = store is not None or _voice_of(options) is not CoachVoice.SILENT
    queue = partial(CoachQueue, is_eager=is_eager)
    return open_seat(plan, store, coach, options, buys_in=buys_in, queue=queue)


def _voice_of(options: PlayOptions) -> CoachVoice:
    return CoachVoice(options.coach or CoachVoice.SILENT)


def play_first_hands(options: PlayOptions) -> None:
    """Play the led first hands on the console, from where they were left."""
    try:
        memory = open_store()
    except StoreError:
        memory = None
    with memory or nullcontext() as store:
        seat, console = first_hand.open_first_hands(store, has_end=True), _open_console(options)
        remarks = open_messages(console, as_json=options.as_json)
        terms = replace(_terms_of(options, seat.session.plan), practice=first_hand.WHAT_IS_SAVED)
        dialogue = _general_dialogue(options, console, terms, seat.session.bank)
        LineGame(seat=seat, dialogue=dialogue, remarks=remarks, shoes=None).play()
        if seat.guide is not None and seat.guide.step.is_over:
            remarks.tell_step(seat.guide.step)


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


def _play_kept(options: PlayOptions, plan: TablePlan) -> None:
    rules = plan.rules
    prepare_company(plan)  # before anything is saved, or a hand continues
    with _open_memory() as store:
        if rules.betting and not asks_for_chips(options, rules):
            refuse_bet_over(options, plan, options.chips or free_chips_of(store) or DEFAULT_CHIPS)
        console = _open_console(options)
        if not _finish_left_rounds(store, options, console):
            return
        is_first, buys_in = not has_bought_in(store), not asks_for_chips(options, rules)
        seat = _open_seat(options, plan, store, buys_in=buys_in)
        with seat.session:
            _play_seat(options, seat, console, tells_brought=not is_first)


def _open_memory() -> Store:
    try:
        return open_store()
    except StoreError as error:
        msg = f"{str(error).rstrip('.')}. upcard play --practice plays without saving"
        raise StoreError(msg) from None


def _play_seat(
    options: PlayOptions, seat: Seat, console: Console, *, tells_brought: bool = True
) -> None:
    session, kept = seat.session, seat.session.kept
    remarks = open_messages(console, as_json=options.as_json)
    if speaks_as(session.plan.rules) and not options.as_json:
        remarks = LineMessages()
    dialogue = _choose_dialogue(options, console, _terms_of(options, session.plan), session.bank)
    if kept is not None:
        dialogue.requests.bring = partial(buy_in, kept.store)
    game = LineGame(
        seat=seat,
        dialogue=dialogue,
        remarks=remarks,
        shoes=None if kept is None else ShoeTeller(kept, remarks),
        coach=_voice_of(options),
        tells_brought=tells_brought,
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
            seat = left.resume(store, knows=options.knows or "fresh")
        except BlackjackError as error:
            remarks.tell_kept(left, str(error))
            return True
        session, plan = seat.session, seat.session.plan
        bet = plan.wager if plan.rules.betting else None
        terms = Terms(plan=plan, rng=random.SystemRandom(), bet=bet, hands=plan.hands)
        with session:
            remarks.tell_unfinished(left)
            game = LineGame(
                seat=seat,
                dialogue=_general_dialogue(options, console, terms, session.bank),
                remarks=remarks,
                shoes=ShoeTeller(session.kept, remarks) if session.kept else None,
                coach=_voice_of(options),
            )
            game.finish()
        if not game.was_left:
            remarks.tell_next_table()
        return not game.was_left

    return all(map(finish, find_left_hands(store)))
