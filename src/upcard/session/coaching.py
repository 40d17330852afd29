"""The coach of a session: asked about every decision; the judgements are saved as leaks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from upcard.coach.seen_cards import CardsSeen, Knowledge, SeenCards
from upcard.core.actions import Action
from upcard.core.errors import BlackjackError, IllegalActionError, NoExactValueError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from upcard.coach.adviser import Coach
    from upcard.coach.judgement import Advice, Judgement
    from upcard.core.cards import Card
    from upcard.rules.model import Rules
    from upcard.store.kept_table import KeptTable
    from upcard.table.events import Event
    from upcard.table.state import TableView


class CoachVoice(StrEnum):
    """The moment the coach speaks; every decision is judged in any case, for `upcard stats`."""

    SILENT = "silent"
    AFTER = "after"
    """After the hand: what each decision cost."""
    BEFORE = "before"
    """Before acting: what each answer is worth."""

    def next(self) -> CoachVoice:
        """Return the one after this, as a key goes round."""
        order = list(CoachVoice)
        return order[(order.index(self) + 1) % len(order)]

    @property
    def sentence(self) -> str:
        """When the coach speaks, as a sentence."""
        return {
            CoachVoice.SILENT: "The coach is silent, and still counts your mistakes.",
            CoachVoice.AFTER: "The coach speaks after the hand.",
            CoachVoice.BEFORE: "The coach speaks before you act.",
        }[self]


COACH_SETTING: Final = "coach"
"""Name of the setting that says when the coach speaks and what they go by."""


def read_coach(saved: Mapping[str, object] | None) -> tuple[CoachVoice, Knowledge]:
    """Read the setting; what is not understood is the default."""
    found = saved or {}
    voice = next((one for one in CoachVoice if one == found.get("voice")), CoachVoice.AFTER)
    return voice, next((one for one in Knowledge if one == found.get("knows")), Knowledge.FRESH)


def write_coach(voice: CoachVoice, knows: Knowledge) -> dict[str, object]:
    """Return the setting; `read_coach` reads it back."""
    return {"voice": voice.value, "knows": knows.value}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AdviceRequest:
    """One question of the table as it was put to the person: all that an advice needs.

    No two are equal: the same hand may be asked about again.
    """

    view: TableView
    legal: tuple[Action, ...]
    seen: CardsSeen
    step: int
    """How many answers of the round, of all players, came before it."""
    round_number: int = 0
    """The number of the round in its session."""


class CoachDesk:
    """The coach as a session asks it; only `advise` may run in another thread than the table.

    The solver is loaded by the first advice. Without an exact method for the rules there is no
    coach; `why_none` says so from then on.
    """

    def __init__(self, rules: Rules, *, knows: Knowledge | str = Knowledge.FRESH) -> None:
        """Sit down at a freshly shuffled shoe; let it `hear` the events of the table."""
        self.rules = rules
        self.seen = SeenCards(rules)
        self.why_none = ""
        self.knows = Knowledge(knows)
        """Cards that the coach takes as known from now on."""

    def hear(self, event: Event) -> None:
        """Take in what happened at the table."""
        self.seen.hear(event)

    def finish_round(self, dealer: Iterable[Card]) -> None:
        """See all the dealer's cards of a round that is over, where the table shows them."""
        self.seen.finish_round(dealer)

    def ask(
        self, view: TableView, legal: tuple[Action, ...], *, step: int, round_number: int = 0
    ) -> AdviceRequest:
        """Write down a question and what is known of the shoe at this moment."""
        return AdviceRequest(
            view=view, legal=legal, seen=self.seen.look(), step=step, round_number=round_number
        )

    def advise(self, asked: AdviceRequest) -> Advice:
        """Return what each answer is worth."""
        try:
            return self._find_coach().advise(asked.view, asked.legal, asked.seen)
        except IllegalActionError as error:  # a hidden upcard
            raise NoExactValueError(str(error)) from None

    def _find_coach(self) -> Coach:
        from upcard.coach.adviser import Coach

        if self.why_none:
            raise NoExactValueError(self.why_none)
        try:
            return Coach(self.rules, cards=self.knows)
        except BlackjackError as error:
            self.why_none = str(error)
            raise NoExactValueError(self.why_none) from None


def keep_judgement(
    table: KeptTable, asked: AdviceRequest, advice: Advice, judgement: Judgement
) -> None:
    """Save the judgement of an answer at a saved table."""
    from upcard.store.learning import record_judgement
    from upcard.store.records import JudgementRecord

    kept = JudgementRecord(
        step=asked.step,
        situation=judgement.key,
        category=leak_class(judgement),
        chosen=judgement.chosen,
        best=judgement.best,
        cost_ev=judgement.cost,
        cost_chips=judgement.chips,
        method="; ".join(advice.assumptions),
    )
    record_judgement(table.store, table.session, asked.round_number, kept)


def leak_class(judgement: Judgement) -> str:
    """Return the class of decisions that a mistake is counted in: `soft doubles`, `insurance`."""
    from upcard.coach.question import HandClass

    if judgement.hand_class in (HandClass.INSURANCE, HandClass.EVEN_MONEY):
        return str(judgement.hand_class)
    kind = "" if judgement.best is Action.SURRENDER else f"{judgement.hand_class} "
    return f"{kind}{judgement.best}s"
