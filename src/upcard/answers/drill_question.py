"""Questions of the drills in words and cards, and why an answer is right or impossible."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from upcard.core.actions import Action
from upcard.core.cards import Card, write_face
from upcard.core.figure import Figure, make_figure
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.core.numbers import with_minus, with_minus_signs
from upcard.drills import catalogue, drill
from upcard.drills.counting_drills import CountingKind, write_number
from upcard.drills.dealer_drill import write_dealing
from upcard.drills.desk import DrillDesk, DrillStep, dress_prompt
from upcard.drills.side_bet_drills import SideBetKind
from upcard.rules.deck import DECK_SIZE
from upcard.rules.settings import DealOrder, HoleCard, Surrender
from upcard.table.legal import Refusal, find_refusal
from upcard.table.state import HandStatus, RoundState

if TYPE_CHECKING:
    from upcard.drills.ready import Session
    from upcard.drills.strategy_drills import PlayedHand
    from upcard.rules.model import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnHand:
    """Some cards and their words; a card face down is None."""

    name: str
    """`You`, `Dealer` or `Hand 2`."""
    cards: tuple[Card | None, ...]
    """The cards in the order of the deal, with suits, which mean nothing."""
    text: str
    """Total of the cards, or what the dealer shows."""
    is_active: bool = False
    """Whether it is the hand to answer for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCards:
    """Cards that are shown group by group; those to come are not in it."""

    cards: tuple[Card | None, ...]
    """The cards of this group; face down before the first."""
    place: int
    """Number of this group, from 1; 0 before the first."""
    of: int
    """Number of groups."""
    text: str
    """All the cards and groups in words."""
    best_text: str
    """The best time; empty if none is saved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnswer:
    """Question of a drill, with all that is shown with it."""

    question: int
    """Number of the question, from 1; a whole hand is one."""
    text: str
    """The whole question in one line."""
    ask: str
    """The question in a few words."""
    choices: tuple[str, ...]
    """The answers to choose from; empty if a number is asked for."""
    cards: tuple[Card, ...]
    """Cards of the hand; empty if a number is asked for."""
    upcard: Card | None
    """The dealer's upcard; None if a number is asked for."""
    hole: Card | None
    """The dealer's hole card; None unless the house shows it."""
    at: str
    """The count at which a hand is asked, `hi-lo +2`; empty without one."""
    dealer: DrawnHand | None
    """The dealer's cards as they are drawn; None if a number is asked for."""
    hands: tuple[DrawnHand, ...]
    """Your hands as they are drawn; empty if a number is asked for."""
    is_over: bool
    """Whether it is a whole hand that is over."""
    showing: ShownCards | None
    """The cards that are shown now, in two drills of counting; None once all were."""
    facts: tuple[Figure, ...]
    """Numbers of the question, such as the running count."""


def answer_drill(desk: DrillDesk) -> QuestionAnswer:
    """Return what a drill asks, or asked last."""
    prompt, rules, played = desk.prompt, desk.setup.options.rules, desk.run.hand
    at = name_count(prompt)
    dealer: DrawnHand | None = None
    hands: tuple[DrawnHand, ...] = ()
    state = None if played is None else played.state
    is_over = state is not None and state.is_over
    is_session = played is not None and played.is_session
    ask = _SHORT.get(prompt.item if is_session else desk.run.drill.name, "")
    if state is not None:
        if prompt.choices:
            ask = "The hand is over" if is_over else _ask_in_round(state)
        # At a session the dealer's cards are picked up face up, and are counted.
        is_whole = is_over and is_session
        drawn = list(state.dealer) if is_whole else _order_shown(state)
        total = _write_dealer_total(state, is_whole=is_whole)
        dealer = _draw("Dealer", drawn, total)
        hands = tuple(_draw_hands(state))
    elif prompt.drill == drill.DEALER:
        dealer = _draw("Dealer", prompt.fact("dealer"), "")  # to add up the cards is the drill
        hands = (_draw("You", prompt.cards, ""),)
    elif prompt.upcard is not None:
        cards, shown = dress_prompt(prompt, rules)
        ask = _ask_line(prompt, at)
        dealer = _draw("Dealer", _order_dealer(shown, rules), _write_shown(shown, rules))
        is_open = desk.step is DrillStep.ASKING
        hands = (_draw("You", cards, write_hand_total(cards, rules), is_active=is_open),)
    return QuestionAnswer(
        question=desk.run.questions,
        text=write_question(prompt, rules),
        ask=ask,
        choices=prompt.choices,
        cards=() if prompt.upcard is None else prompt.cards,
        upcard=prompt.upcard,
        hole=prompt.hole,
        at=at,
        dealer=dealer,
        hands=hands,
        is_over=is_over,
        showing=_show_cards(desk),
        facts=tuple(_list_facts(prompt)),
    )


def write_question(prompt: drill.Prompt, rules: Rules) -> str:
    """Write the whole question in one line."""
    known, cards = dict(prompt.data), " ".join(map(str, prompt.cards))
    dealer = " ".join(map(str, prompt.dealer))
    system = known.get("system", "")
    match prompt.drill:
        case CountingKind.COUNTDOWN:
            start = write_number(known["start"])
            text = f"{system}: count {len(prompt.cards)} cards of one deck from {start}"
        case CountingKind.RUNNING:
            text = f"{system}: the running count is {write_number(known['start'])}; count on"
        case CountingKind.TRUE:
            left = known["cards_left"]
            text = (
                f"{system}: running count {write_number(known['running'])}, {left} cards left"
                f" ({left / known['deck_size']:.2f} decks); the true count?"
            )
        case CountingKind.DECKS:
            size = known["deck_size"]
            shoe = f"{known['decks']}-deck shoe"
            shoe += "" if size == DECK_SIZE else f" of {size} cards a deck"
            text = f"the discard tray of a {shoe}: decks left, to a half?"
        case CountingKind.BET:
            text = f"{name_count(prompt)}: how many units?"
        case SideBetKind.COST:
            text = f"{known['title']}, in {known['game']}: the house edge, in percent?"
        case SideBetKind.COUNT:
            text = f"{known['title']}, in {known['game']}, counted {known['tags']}: the true count?"
        case catalogue.DEVIATIONS:
            is_insurance = Action.INSURANCE in prompt.choices
            hand = "insurance?" if is_insurance else f"{cards} v {prompt.upcard}"
            text = f"{hand} at {name_count(prompt)}"
        case drill.DEALER:
            text = write_dealing(known)
        case drill.READY if not prompt.choices:
            text = _write_between(known, is_bet=prompt.item == CountingKind.BET)
        case catalogue.HANDS | drill.READY:
            text = f"{cards} ({write_hand_total(prompt.cards, rules)}) v {dealer}"
        case _:
            offer = _name_offer(prompt)
            text = f"{cards} v {dealer}" + (f": {offer}" if offer else "")
    return with_minus_signs(text)


def _write_between(known: Mapping[str, Any], *, is_bet: bool) -> str:
    """Write a question between two rounds of a session: the dealer's, or what the tray shows."""
    if "words" in known:
        return str(known["words"])
    tray = f"{known['out']} of {known['shoe']} cards are in the tray"
    tray = "the cards are shuffled" if known["is_fresh"] else tray
    asked = "your bet, in units?" if is_bet else f"the running count ({known['system']})?"
    return f"round {known['round']} of {known['rounds']}, {tray}: {asked}"


def name_count(prompt: drill.Prompt) -> str:
    """Name the count at which something is asked: `hi-lo +2`; empty without one."""
    known = dict(prompt.data)
    return with_minus_signs(f"{known['system']} {known['count']:+d}") if "count" in known else ""


def _name_offer(prompt: drill.Prompt) -> str:
    """Name the offer, if the house asks for each offer alone; empty if it does not."""
    return _OFFERS.get(prompt.choices[-1], "") if prompt.choices else ""


_OFFERS: Final[Mapping[str, str]] = {
    Action.NO_SURRENDER: "surrender is offered",
    Action.NO_SPLIT: "a split is offered",
}


def write_reason(prompt: drill.Prompt, feedback: drill.Feedback) -> str:
    """Write why the right answer is right."""
    known = dict(prompt.data)
    if "start" in known:
        start, (end,) = known["start"], known["right"]
        moved = write_number(end - start)
        text = f"The cards add up to {moved}: from {write_number(start)} to {write_number(end)}."
    elif "running" in known:
        running, decks, (right,) = known["running"], known["decks"], known["right"]
        text = (
            f"{write_number(running)} over {float(decks):.3g} decks is"
            f" {float(running / decks):+.2f}; {known['rounding']}: {int(right):+d}."
        )
    elif "discards" in known:
        out = known["discards"]
        left = known["deck_size"] * known["decks"] - out
        text = f"{out} cards are out, {left} are left: {left / known['deck_size']:.2f} decks."
    elif prompt.drill == CountingKind.BET:
        (bet,) = known["right"]
        what = f"bet {write_number(bet)}" if bet else "sit the round out"
        text = f"At {known['count']:+d} the ramp says: {what}."
    elif "title" in known:
        text = f"{known['title']} in {known['game']}: {feedback.right}"
        of_bet = prompt.drill == SideBetKind.COST
        text += " of the bet is the house's." if of_bet else " is where it begins to pay."
    elif "index" in known:
        text = _write_index(prompt.item, known["count"], known["index"], holds=known["holds"])
        text = f"{text} {feedback.note}".rstrip()
    else:
        text = feedback.reason
    return with_minus_signs(text)


def _write_index(play: str, count: int, index: int, *, holds: bool | None) -> str:
    if holds is None:
        side = "at it or above" if count >= index else "below it"
        return f"Insurance is taken from {index:+d} on; {count:+d} is {side}."
    side = "on its side" if holds else "on the other side"
    return f"The play is {play}; {count:+d} is {side} of the index."


def name_question(prompt: drill.Prompt, rules: Rules) -> str:
    """Name a question beside its verdict: `10 6 (hard 16) against 9 at hi-lo +2`."""
    if prompt.upcard is None:
        return capital(write_question(prompt, rules))
    total, at = write_hand_total(prompt.cards, rules), name_count(prompt)
    cards = " ".join(write_face(card.rank) for card in prompt.cards)
    hand = f"{cards} ({total})" if len(prompt.cards) > 1 else total
    dealer = " ".join(write_face(card.rank) for card in prompt.dealer)
    return f"{hand} against {dealer}" + (f" at {at}" if at else "")


def capital(text: str) -> str:
    """Write a text with a capital letter."""
    return text[:1].upper() + text[1:]


_SHORT: Final[Mapping[str, str]] = {
    CountingKind.COUNTDOWN: "What is the count?",
    CountingKind.RUNNING: "What is the running count?",
    CountingKind.TRUE: "What is the true count?",
    CountingKind.DECKS: "How many decks are left?",
    CountingKind.BET: "How many units do you bet?",
    drill.DEALER: "What is right?",
    "talk": "What do you say?",
    SideBetKind.COST: "What is the house edge, in percent?",
    SideBetKind.COUNT: "From which true count does it pay?",
}
_GROUPS: Final = {1: "one by one", 2: "by twos", 3: "by threes"}


def _list_facts(prompt: drill.Prompt) -> Iterable[Figure]:
    known = dict(prompt.data)
    if "running" in known:
        running, cards = known["running"], known["cards_left"]
        text = with_minus(write_number(running))
        yield make_figure("running", "Running count", float(running), text)
        yield make_figure("cards_left", "Cards left", float(cards), str(cards))
        decks = cards / known["deck_size"]
        yield make_figure("decks_left", "Decks left", decks, f"{decks:.2f}")
    elif "count" in known:
        yield make_figure("count", "Count", float(known["count"]), name_count(prompt))


def _show_cards(desk: DrillDesk) -> ShownCards | None:
    place, groups = desk.place, desk.prompt.groups
    if place is None:
        return None
    best = desk.run.progress.record(desk.prompt.item).best_seconds
    how = _GROUPS.get(len(groups[0]), "") if desk.is_countdown else f"in {len(groups)} groups"
    return ShownCards(
        cards=(None,) * len(groups[0]) if place < 0 else groups[place],
        place=place + 1,
        of=len(groups),
        text=f"{sum(map(len, groups))} cards {how}",
        best_text="" if best is None else write_seconds(best),
    )


_NAMES: Final = {"A": "an ace", "T": "a ten", "J": "a jack", "Q": "a queen", "K": "a king"}
_OUTCOMES: Final = {
    "win": "won",
    "natural": "won",
    "push": "pushed",
    "lose": "lost",
    "surrender": "surrendered",
}


def _draw(
    name: str, cards: Sequence[Card | None], text: str, *, is_active: bool = False
) -> DrawnHand:
    return DrawnHand(name=name, cards=tuple(cards), text=text, is_active=is_active)


def _draw_hands(state: RoundState) -> Iterable[DrawnHand]:
    for index, hand in enumerate(state.hands):
        yield _draw(
            "You" if len(state.hands) == 1 else f"Hand {index + 1}",
            hand.cards,
            _write_status(state, index),
            is_active=not state.is_over and index == state.active,
        )


def _ask_line(prompt: drill.Prompt, at: str) -> str:
    """Write what is asked: the count if there is one, and an offer separately."""
    offer = _name_offer(prompt)
    if "insurance" in prompt.choices:
        return f"Insurance at {at}?" if at else "Insurance?"
    what = f"{capital(offer)}: your answer?" if offer else "Your play?"
    return f"At {at}: {what[:1].lower()}{what[1:]}" if at else what


def _ask_in_round(state: RoundState) -> str:
    """Write what is asked in a whole hand: `Your play?`, `Hand 1 of 2: surrender?`."""
    count = len(state.hands)
    which = f"Hand {state.active + 1} of {count}: " if count > 1 else ""
    offers = {"surrender": "surrender?", "split": "split?", "insurance": "insurance?"}
    line = which + offers.get(state.phase, "your play?")
    return capital(line)


def _order_dealer(shown: Sequence[Card], rules: Rules) -> list[Card | None]:
    """Return the dealer's opening cards in the order of the deal, as the table draws them."""
    upcard, *hole = shown
    if rules.hole_card is HoleCard.NONE:
        return [upcard]
    hidden = hole[0] if hole else None
    return [hidden, upcard] if rules.deal_order is DealOrder.HANDS_HOLE_UP else [upcard, hidden]


def _write_shown(shown: Sequence[Card], rules: Rules) -> str:
    """Write what the dealer shows: `shows a 9`, `shows hard 16`."""
    return f"shows {_name_card(shown[0]) if len(shown) == 1 else write_hand_total(shown, rules)}"


def _order_shown(state: RoundState) -> list[Card | None]:
    """Return the dealer's cards in the order of the deal, as the table draws them."""
    if len(state.shown_dealer_cards) == len(state.dealer):
        return list(state.dealer)
    up = state.setup.up_index if state.shown_dealer_cards else -1
    return [card if place == up else None for place, card in enumerate(state.dealer)]


def write_hand_total(cards: Sequence[Card], rules: Rules) -> str:
    """Write the total of cards: `hard 16`, `soft 18`, `21`, `24, bust`."""
    table = hand_table(rules.ace_rule)
    state = table.state_of(card.rank for card in cards)
    total = table.total[state]
    if total >= BUST_LIMIT:
        return f"{total}, bust" if total > BUST_LIMIT else str(total)
    return f"{'soft' if table.is_soft[state] else 'hard'} {total}"


def _write_dealer_total(state: RoundState, *, is_whole: bool) -> str:
    """Write the dealer's total if all cards are shown (`is_whole`), else what the dealer shows."""
    if is_whole or (state.is_over and len(state.dealer) == len(state.shown_dealer_cards) > 1):
        total = state.dealer_total
        return f"{total}, bust" if total > BUST_LIMIT else str(total)
    shown = state.shown_dealer_cards if state.rules.shows_hole else (state.upcard,)
    return _write_shown(shown, state.rules)


def _write_status(state: RoundState, index: int) -> str:
    """Write the total of a hand, and that it waits, is finished or how it ended."""
    hand = state.hands[index]
    total = write_hand_total(hand.cards, state.rules)
    if state.is_over:
        outcome = str(state.results[index][0])
        return total if outcome == "bust" else f"{total}, {_OUTCOMES.get(outcome, outcome)}"
    if hand.status is HandStatus.PLAYING:
        return total if index == state.active else f"{total}, waits"
    is_told = hand.status in (HandStatus.BUST, HandStatus.TWENTY_ONE)
    return total if is_told else f"{total}, {hand.status}"


def _name_card(card: Card) -> str:
    """Write a card's face as players do: `an ace`, `a 9`."""
    return _NAMES.get(card.face, f"an {card.face}" if card.face == "8" else f"a {card.face}")


def write_seconds(seconds: float) -> str:
    """Write a time: `24.3 s`, `4 min 10 s`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest:02d} s"


def explain_refusal(
    action: Action, prompt: drill.Prompt, *, rules: Rules, hand: PlayedHand | Session | None = None
) -> str:
    """Return one sentence saying why an action is not an answer to a question of a drill."""
    if hand is not None and prompt.choices and not hand.is_over and hand.state is not None:
        return _shorten(find_refusal(hand.state, action), action)
    if prompt.upcard is None or not prompt.cards:
        return f"cannot {action.verb}: a number is asked for"
    if Action.INSURANCE in prompt.choices or Action.EVEN_MONEY in prompt.choices:
        return f"cannot {action.verb}: the question is insurance alone"
    if action is Action.SURRENDER and rules.surrender is not Surrender.NONE and prompt.choices:
        return f"cannot {action.verb}: this play is asked as if there were no surrender"
    from upcard.drills.strategy_drills import deal_opening

    table = deal_opening(rules, prompt.cards, prompt.dealer, random.Random(0))
    return _shorten(find_refusal(table.state, action), action)


def _shorten(refusal: Refusal | None, action: Action) -> str:
    """Omit the legal actions, which the screen shows."""
    return f"cannot {action.verb} here" if refusal is None else refusal.without_legal
