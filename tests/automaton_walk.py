"""Walk a round by the automaton in plain Python, as its module describes it."""

from __future__ import annotations

from typing import NamedTuple

from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import KINDS
from upcard.simulation.kernels.lockstep import automaton as steps
from upcard.simulation.kernels.round_steps import (
    count_added,
    count_play,
    find_stake,
    return_added_bets,
    settle_hand,
)


class WalkedRound(NamedTuple):
    """The sums of a round; `draws` counts the looks into the table of states."""

    net: int
    extra: int
    cards: int
    running: int
    draws: int


class Walker:
    """Walks rounds of a game by its automaton."""

    def __init__(self, game, automaton) -> None:
        self.game, self.automaton = game, automaton

    def walk(self, cards, begin, running_before) -> WalkedRound:  # noqa: PLR0912 (one a step)
        """Walk one round through its kinds of cards; `begin` cards of the shoe are dealt."""
        game, tables = self.game, self.automaton
        running, draws = running_before, 0
        up, hole = cards[game.up_at], cards[game.hole_at]
        place = game.dealt
        for card in cards[:place]:
            running += int(game.tags[card])
        pair = int(tables.pair_of[cards[0] * KINDS + cards[game.second_at]])
        step = int(tables.start[pair + int(tables.back_of[up * KINDS + hole])])
        split = None
        while True:
            if step < steps.ENDS:
                card = cards[place]
                running += int(game.tags[card])
                step = int(tables.draw[step * steps.DRAWN_KINDS + card])
                place += 1
                draws += 1
            elif step < steps.ENDS + steps.RARE:
                net, extra = (int(of[step - steps.ENDS]) for of in (tables.net_of, tables.extra_of))
                return WalkedRound(net, extra, place, running, draws)
            elif step >= steps.ASKS:
                unseen = int(game.tags[hole]) if game.has_hole else 0
                count = count_play(game, running - unseen, running_before, begin + place, begin)
                row = int(tables.question_row[step - steps.ASKS])
                answer = int(tables.by_count[row * game.counts + count])
                step = int(tables.after_answer[(step - steps.ASKS) * steps.ANSWERS + answer])
            elif step < steps.NOTES:
                kind, insured = (step - steps.SPLITS) % KINDS, (step - steps.SPLITS) // KINDS
                split = split or SplitRound(self, up, insured)
                step = split.split(kind, *cards[place : place + 2])
                running += sum(int(game.tags[card]) for card in cards[place : place + 2])
                place += 2
            elif step < steps.DEALT:
                wager, result = divmod(step - steps.NOTES, loop_codes.RESULTS)
                step = split.note(result, wager)
                if step is not None:
                    continue
                row = int(game.opening[up * KINDS + hole])
                if not game.has_hole:
                    if not split.needs_hole():
                        return WalkedRound(*split.settle(0), place, running, draws)
                    card = cards[place]
                    place += 1
                    running += int(game.tags[card])
                    row = int(game.opening[up * KINDS + card])
                    if game.total[row] == 21:
                        net = split.settle(loop_codes.DEALER_NATURAL)
                        return WalkedRound(*net, place, running, draws)
                if not split.live:
                    return WalkedRound(*split.settle(0), place, running, draws)
                step = int(tables.rest_of[row])
            else:
                net, extra = split.settle(step - steps.DEALT)
                return WalkedRound(net, extra, place, running, draws)


class SplitRound:
    """The hands of a split round."""

    def __init__(self, walker, up, insured) -> None:
        self.game, self.tables, self.up, self.insured = walker.game, walker.automaton, up, insured
        self.hands, self.more, self.extra = 1, loop_codes.SPLIT_MORE, insured
        self.is_free = 0
        self.waiting, self.done = [], []

    def split(self, kind, first, second) -> int:
        self.is_free = self.game.free_splits >> kind & 1
        self.hands += 1
        self.extra += 0 if self.is_free else 2
        if kind == loop_codes.ACE:
            self.more = loop_codes.ACES_MORE
        self.waiting.append(int(self.game.opening[kind * KINDS + second]))
        return self.step_of(int(self.game.opening[kind * KINDS + first]))

    def step_of(self, row) -> int:
        are_aces = self.more == loop_codes.ACES_MORE
        most_hands = self.game.max_ace_hands if are_aces else self.game.max_hands
        context = self.more + int(self.hands >= most_hands)
        return int(self.tables.split_step[(context * self.game.rows + row) * KINDS + self.up])

    def note(self, result, wager) -> int | None:
        """Note a hand that is done; return the step of the next one, if any."""
        self.extra += count_added(wager, self.game.double_stake)
        wager += loop_codes.GIVEN_HAND if self.done and self.is_free else 0
        self.done.append((result, wager))
        return self.step_of(self.waiting.pop()) if self.waiting else None

    @property
    def live(self) -> bool:
        return any(0 < result < loop_codes.NATURAL for result, _ in self.done)

    def needs_hole(self) -> bool:
        game = self.game
        stakes = [find_stake(game, wager) for result, wager in self.done if result == 0]
        takes_original = game.natural_takes == loop_codes.TAKES_ORIGINAL
        return self.live or (
            self.up in (loop_codes.ACE, loop_codes.TEN)
            and bool(
                self.insured
                or (takes_original and (len(stakes) > 1 or max(stakes, default=0) > game.unit))
            )
        )

    def settle(self, dealer) -> tuple[int, int]:
        game, net, charged = self.game, 0, 0
        has_natural = dealer == loop_codes.DEALER_NATURAL
        if self.insured:
            net = game.insurance_pays if has_natural else -(game.unit // 2)
        for result, wager in self.done:
            won = settle_hand(game.net_of, result, wager, dealer)
            if has_natural and game.natural_takes:
                won, charged = return_added_bets(
                    game.natural_takes, result, won, game.unit, charged
                )
            net += won
        return int(net), self.extra
