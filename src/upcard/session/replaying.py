"""Cursor in a reviewed round, as it was played or with other answers."""

from __future__ import annotations

from dataclasses import dataclass

from upcard.core.actions import Action
from upcard.session.review import Review, Reviewed
from upcard.session.table_view import name_spots
from upcard.table.events import Board, Event, Revealed


@dataclass(slots=True)
class Replaying:
    """A place in a round: one of the person's questions, or the end.

    `played` is the round as it was; `review` the one that is shown, which may have been played
    differently from question `at` on.
    """

    played: Review
    review: Review
    at: int | None = None
    place: int = 0
    """The question, from 0."""

    @property
    def is_otherwise(self) -> bool:
        """Whether what is shown is not the round as it was played."""
        return self.at is not None

    @property
    def question(self) -> Reviewed | None:
        """The question at this place; None at the end."""
        answers = self.review.answers
        return answers[self.place] if self.place < len(answers) else None

    @property
    def events(self) -> tuple[Event, ...]:
        """All that had happened at this place."""
        happened: list[Event] = []
        for step in self.review.steps:
            if step is self.question:
                break
            if not isinstance(step, Reviewed):
                happened.append(step)
        return tuple(happened)

    @property
    def board(self) -> Board:
        """The table at this place, the dealer's cards turned up at the end of a round."""
        board = Board(self.review.record.rules)
        for event in self.events:
            board.hear(event)
        state = self.review.state
        if self.question is None and state.is_over and None in board.dealer:
            board.hear(Revealed(state.dealer, state.dealer_total))
        return board

    @property
    def names(self) -> tuple[str, ...]:
        """A short name for each spot."""
        spots = self.review.player_spots
        count = len(self.review.record.bets)
        return name_spots([None if spot in spots else "other" for spot in range(count)], spots)

    def step(self, by: int) -> None:
        """Go on or back, not beyond the ends."""
        self.place = min(max(self.place + by, 0), len(self.review.answers))

    def go_to(self, place: int) -> None:
        """Go to a question, from 0; -1 is the end."""
        last = len(self.review.answers)
        self.place = last if place < 0 else min(place, last)

    def find_mistake(self, after: int) -> int | None:
        """Return the place of the next mistake after a place, as played; None if there is none."""
        for place, answer in enumerate(self.played.answers):
            judgement = answer.judgement
            if place > after and judgement is not None and not judgement.is_right:
                return place
        return None

    def branch(self, action: Action) -> tuple[int, tuple[Action, ...]]:
        """Return the question and the answers that give this one another answer.

        Other answers to earlier questions stay.
        """
        number = self.place + 1
        if self.at is None or number <= self.at:
            return number, (action,)
        between = [answer.action for answer in self.review.answers[self.at - 1 : self.place]]
        return self.at, (*(one for one in between if one is not None), action)

    def otherwise(self, review: Review) -> Replaying:
        """Return the place after the question with another answer, in the round that follows."""
        at = self.place + 1 if self.at is None else min(self.at, self.place + 1)
        return Replaying(self.played, review, at=at, place=self.place + 1)

    def as_played(self) -> Replaying:
        """Return the same place in the round as it was played."""
        place = min(self.place, len(self.played.answers))
        return Replaying(self.played, self.played, place=place)
