"""The view model of a table's page: the session as every front-end shows it, and what is around."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from upcard.answers.hand import VALUE_UNIT, AnswerValue, HandAnswer, Verdict
from upcard.core.numbers import fields_of, format_chips
from upcard.players.seen_cards import Knowledge
from upcard.services.open_seat import OpenSeat
from upcard.session import report
from upcard.session.coaching import CoachVoice, price_side_bets
from upcard.session.first_hand import LedStep
from upcard.session.plan import KNOWN, VOICES
from upcard.session.table_view import ABOUT_COMMITMENT, SessionView, view_session

MOVED_ON: Final = "This table has moved on since the page was shown. This is how it stands now."
_SHOES_SHOWN: Final = 5
_CHIPS: Final = (100, 25, 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class SideField:
    """A side bet in the form of the next bet."""

    code: str
    """Short name of the bet."""
    title: str
    """Its name and pay table."""
    chips: str
    """The chips offered; 0 if it was not placed last."""
    price: str
    """Sentence of the coach about it; empty for a bet without an exact price."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetView:
    """The time between rounds: the bet that is offered, and the chips."""

    bet: str
    """The bet offered on each hand, in chips."""
    step: str
    """The smallest bet; every bet is a multiple of it."""
    most: str
    """The most that the chips cover on each hand; empty in a house without bets."""
    hands: int
    """Number of hands you play."""
    fewest_hands: int
    """Least number of hands that the rules allow."""
    most_hands: int
    """Number of hands that you could play: the spots that bots leave free."""
    shortage: str
    """Why no bet is covered; empty if one is."""
    covered_hands: int
    """Hands that the chips cover; the number played if there is no shortage."""
    has_bets: bool
    side: tuple[SideField, ...]
    """The side bets of the house."""
    count_question: str
    """The question for the running count, which comes before the bet; empty if there is none."""
    result: str
    """How the last round ended: `You win 10.`; empty before the first."""
    tone: str
    """`good`, `bad` or `even` after a round, else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachView:
    """The words of the coach at this moment."""

    voice: str
    voices: tuple[tuple[str, str], ...]
    knows: str
    """The cards that the coach takes as known: `fresh` or `seen`."""
    known: tuple[tuple[str, str], ...]
    """The two to choose from: value and words."""
    state: str
    """`ready`, `thinking`, `unknown` without a value, or `quiet`."""
    why_none: str
    values: tuple[AnswerValue, ...]
    """The answers with their values, the best first, if the coach speaks before."""
    unit: str
    reason: str
    """The reason for the best answer, with the values; else empty."""
    verdicts: tuple[Verdict, ...]
    """Verdicts on the answers of the last round, if the coach speaks after."""
    mistakes: tuple[str, ...]
    """All mistakes at this table so far, the last one first, unless the coach is silent."""
    can_explain: bool
    """Whether `/t/{table}/why` has something to explain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealView:
    """The seeds of a shoe that is over."""

    number: int
    server_seed: str
    """The seed of the shoe, in hex, secret until now; the commitment verifies it."""
    player_seed: str
    """Your seed, which was mixed in; empty if you gave none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FairView:
    """The commitment of the shuffle, and the revealed seeds."""

    about: str
    """The words about the commitment, and how a shoe is verified."""
    commitment: str
    """Hash that commits to the rules and to the seeds of all shoes before the first card."""
    number: int
    player_seed: str
    """Your seed that is mixed into this shoe; empty if you gave none."""
    next_player_seed: str
    """Your seed for the next shoe; empty if you gave none."""
    reveals: tuple[RevealView, ...]
    """The last shoes with their seeds, the newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage:
    """A table. `version` is to be sent with a move, which an older version does not make."""

    table: str
    version: int
    session: SessionView
    between: BetView | None
    """None while a round is in progress."""
    is_offer: bool
    """Whether something is offered: `y` takes it."""
    can_undo: bool
    """Whether the last answer can be taken back, which practice allows."""
    beats: dict[str, int]
    """The order in which the last move's cards came, by `dealer 1` or `0 2`: hand and card."""
    turned: int
    """Index of the dealer's card that the last move turned up; -1 if it turned none."""
    last_beat: int
    """The highest number in `beats`; 0 if the last move brought no card."""
    notes: tuple[str, ...]
    """Remarks beside the cards: chips you bring, the end of a shoe, a void round."""
    said: str
    """The last move and the question in sentences."""
    story: tuple[str, ...]
    coach: CoachView
    guide: LedStep | None
    """The step of the first hands; None at any other table."""
    fair: FairView | None
    """None in practice."""
    felt: tuple[str, ...]
    chips: tuple[str, ...]
    """The colour of the chip at each hand, by its value: `1`, `5`, `25`, `100`."""
    review: str
    """Address of the review of the last round; empty without one."""
    problem: str
    """Why the last request changed nothing; empty if it did."""
    error: str
    """The same as a word for programs: `old-version`, `refused` or `unsure`."""


def view_seat(
    seat: OpenSeat, voice: CoachVoice, *, review: str = "", problem: str = "", error: str = ""
) -> TablePage:
    """Return what the page of a seat shows."""
    session = view_session(seat.session, seat.board, seat.coaching)
    guide = None if seat.seat.guide is None else seat.seat.guide.step
    rules, pays = seat.session.rules, seat.session.rules.natural_pays
    felt = (
        f"Blackjack pays {pays.numerator} to {pays.denominator}",
        f"Dealer {rules.soft_17}s on soft 17",
    )
    return TablePage(
        table=seat.name,
        version=seat.seat.version,
        session=session,
        between=None if seat.session.is_playing else _view_bet(seat, session),
        is_offer=bool(seat.session.options) and seat.session.options[-1].declines,
        can_undo=seat.session.can_undo,
        beats=_name_beats(seat),
        turned=seat.beats.turned,
        last_beat=seat.beats.last,
        notes=tuple(seat.notes),
        said=problem or _say(seat, session, guide),
        story=tuple(seat.story),
        coach=_view_coach(seat, seat.seat.choose_voice(voice)),
        guide=guide,
        fair=_view_fair(seat),
        felt=felt,
        chips=tuple(map(_color_chip, seat.board.bets)),
        review=review if session.result else "",
        problem=problem,
        error=error,
    )


def _say(seat: OpenSeat, session: SessionView, guide: LedStep | None) -> str:
    step = "" if guide is None else f"{guide.title}. {guide.words}"
    said = (*seat.said, step, _write_question(session), seat.betting.question)
    return " ".join(filter(None, said))


def _view_bet(seat: OpenSeat, shown: SessionView) -> BetView:
    session, rules = seat.session, seat.session.rules
    shortage = seat.betting.shortage
    hands = len(session.player_spots)
    most, unit = "", session.plan.unit
    if rules.betting and session.bank.balance is not None:
        most = format_chips(session.bank.balance / hands // unit * unit)
    net = session.net
    advice = price_side_bets(session) if rules.side_bets else ()
    prices = {one.code: one.sentences[0] for one in advice}
    return BetView(
        bet=format_chips(seat.betting.entry.wager.main),
        step=format_chips(unit),
        most=most,
        hands=hands,
        fewest_hands=rules.min_spots,
        most_hands=rules.max_spots - sum(one is not None for one in session.seats),
        shortage="" if shortage is None else str(shortage),
        covered_hands=hands if shortage is None else shortage.most_hands,
        has_bets=rules.betting,
        side=tuple(
            SideField(
                code=one.code,
                title=one.title,
                chips=format_chips(seat.betting.entry.wager.on(one.code)),
                price=prices.get(one.code, ""),
            )
            for one in rules.side_bets
        ),
        count_question=seat.betting.question,
        result=shown.result,
        tone="" if net is None else "good" if net > 0 else "bad" if net < 0 else "even",
    )


def _name_beats(seat: OpenSeat) -> dict[str, int]:
    hands = [*enumerate(seat.beats.hands), ("dealer", seat.beats.dealer)]
    return {
        f"{hand} {card}": beat for hand, cards in hands for card, beat in enumerate(cards) if beat
    }


def _write_question(shown: SessionView) -> str:
    asked = shown.asked
    if asked is None:
        return ""
    which = f"Hand {asked.place} of {asked.hands}: " if asked.hands > 1 else "You have "
    dealer = " and ".join(card.in_words for card in asked.dealer)
    against = f" against {dealer}" if dealer else ""
    offer = f" {asked.offer}" if asked.offer else ""
    return f"{which}{asked.total}{against}.{offer}"


def _view_coach(seat: OpenSeat, voice: CoachVoice) -> CoachView:
    coaching, session = seat.coaching, seat.session
    coach = session.coach
    state, why_none = "quiet", ""
    told: HandAnswer | None = None
    verdicts: tuple[Verdict, ...] = ()
    if session.options and voice is CoachVoice.BEFORE:
        why_none, told = coaching.why_no_value, coaching.told
        state = "ready" if told is not None else "unknown" if why_none else "thinking"
    elif voice is not CoachVoice.SILENT and session.net is not None:
        state = "thinking" if coaching.is_thinking else "ready"
        verdicts = tuple(coaching.verdicts)
    return CoachView(
        voice=voice.value,
        voices=tuple(VOICES.items()),
        knows=(Knowledge.FRESH if coach is None else coach.knows).value,
        known=tuple(KNOWN.items()),
        state=state,
        why_none=why_none,
        values=() if told is None else told.answers,
        unit=VALUE_UNIT,
        reason="" if told is None else told.reason,
        verdicts=verdicts,
        mistakes=() if voice is CoachVoice.SILENT else tuple(report.list_mistakes(session)),
        can_explain=coaching.to_explain is not None,
    )


def _view_fair(seat: OpenSeat) -> FairView | None:
    kept = seat.session.kept
    if kept is None:
        return None
    shoe = kept.fair_shoe
    return FairView(
        about=ABOUT_COMMITMENT,
        commitment=str(shoe.commitment),
        **fields_of(shoe, "number", "player_seed", "next_player_seed"),
        reveals=tuple(
            RevealView(**fields_of(one, "number", "player_seed"), server_seed=one.server_seed.hex())
            for one in shoe.reveals[-_SHOES_SHOWN:][::-1]
        ),
    )


def _color_chip(bet: Fraction) -> str:
    return next((str(value) for value in _CHIPS if bet >= value), "1")
