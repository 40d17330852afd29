"""Values of a round in every state, by references: luck is measured with them.

Every card that is drawn is a chance event. Its luck is what a reference says that the round is
worth after it, less what that was worth on average over the cards that are really left. The sum
over a round has mean 0 whatever the reference says, so that a net less its luck is unbiased; the
better the reference, the less is left. `simulation.kernels.luck` takes it while rounds are played.

Here are the references: infinite decks, one for each true count of a balanced count by which the
ranks of the cards left are shifted. A shoe of any composition is near one of them. Hands are valued
by the chart and the index plays of the game, at the count that belongs to the reference. What is
valued nearly only leaves more luck in: splits as if the hands of one were split no further, bonuses
by suit as if suits were mixed, hands as dealt as if no cards were swapped, and a natural of the
dealer as if each hand met it alone.

A row holds the values after a card of each kind. The rows of one reference stand one after the
other, those of the references in turn.
"""

from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import Floats, Integers, inlined_kernel
from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import COUNT_BITS, KINDS, RANK_OF_KIND, LoweredGame
from upcard.simulation.kernels.round_steps import return_added_bets

WIDTH_BITS: Final = 1
LEAST_TRUE: Final = -6
MOST_TRUE: Final = 10
"""Each reference is for `2**WIDTH_BITS` true counts, from the least up to the most; those beyond
are counted with the first and the last."""
RECIPROCAL_BITS: Final = 40
"""Binary places of a reciprocal number of cards."""
TAG_BITS: Final = 6
"""Binary places of the tags that choose a reference."""
MEAN_BITS: Final = 16
"""Binary places that a mean over the cards left has beyond those of a value."""
_MOST_VALUE: Final = 32_000
"""Of 16 bits."""
_RANKS: Final = 10
_TAGS: Final = (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1)
"""By rank: tags of the count that chooses a reference."""
_LATER: Final = {
    loop_codes.FIRST_TWO: loop_codes.LATER,
    loop_codes.LATER: loop_codes.LATER,
    **dict.fromkeys(
        (loop_codes.SPLIT_MORE, loop_codes.SPLIT_FULL, loop_codes.SPLIT_LATER),
        loop_codes.SPLIT_LATER,
    ),
    **dict.fromkeys(
        (loop_codes.ACES_MORE, loop_codes.ACES_FULL, loop_codes.ACES_LATER), loop_codes.ACES_LATER
    ),
}
_SPLITTING: Final = (loop_codes.SPLIT_MORE, loop_codes.ACES_MORE)


class References(NamedTuple):
    """The values after each card, by reference; numbers of rows are within one reference.

    `infos` are what players know of the dealer: the upcard, and the hole card where it is seen. A
    hole card that is hidden counts as drawn after the hands: a peek shows no more than whether it
    makes a natural. A line is what hits of a hand lead to, its
    context and whether the house paid for the split that made it: see `find_line`. Row 0 is of
    zeros, for cards whose luck is left in.
    """

    rows: NDArray[np.int16]
    """By (reference * `size` + row) * KINDS + kind: a value in 1/(unit * 2**bits) of a bet."""
    size: int
    """Rows of a reference."""
    last: int
    """The last reference; the first is 0."""
    bits: int
    """Binary places of 1/unit of a bet in a value; a mean has `MEAN_BITS` more."""
    info_of: Integers
    """By up * KINDS + hole: the number of what is known of the dealer."""
    infos: int
    hits: NDArray[np.int32]
    """By (line * `hands` + row) * infos + info: the row of a hit."""
    doubles: NDArray[np.int32]
    """By (wager * `hands` + row) * infos + info: the row of a double, the wager with it."""
    pairs: NDArray[np.int32]
    """By ((context * 2 + is given) * KINDS + kind) * infos + info: the row of the second card of a
    split hand."""
    dealer: NDArray[np.int32]
    """By (wager * RESULTS + result) * hands + row: the row of a card of the dealer."""
    holes: NDArray[np.int32]
    """By ((wager * RESULTS + result) * KINDS + up) * 2 + is insured: the row of the hole card of a
    finished hand. After a peek that of a natural is 0; else insurance is in the values."""
    peeks: NDArray[np.int32]
    """By row * KINDS + up: the row of the hole card at the peek, for two cards of a hand."""
    barred: Integers
    """By up: the kind that would have made a natural; without a peek or another one, that of no
    card."""
    insurance: int
    """The row of the card that insurance is about, for one hand that is insured."""
    hands: int
    """Rows of hands, as in `LoweredGame`."""
    tags: NDArray[np.int16]
    """By kind: the tag that chooses a reference, with `TAG_BITS` binary places."""
    deck: NDArray[np.int16]
    """By kind: the cards of a full shoe, or the weights of an infinite one."""
    cards: int
    """How many these are."""
    inverse: Integers
    """By number of cards: its reciprocal, with `RECIPROCAL_BITS` binary places."""
    taken: int
    """1 if a card that is drawn leaves the cards that are left; 0 in an infinite deck."""


NO_KIND: Final = KINDS - 1
"""A kind that no card has."""
ZERO_ROW, UPCARD_ROW, HOLE_ROWS = range(3)
"""Rows of the deal: that of the upcard; by upcard, those of the hole card."""
SECOND_ROWS: Final = HOLE_ROWS + KINDS
"""By info, `1 + KINDS` each: the row of a hand's first card, then by it those of the second."""


@inlined_kernel
def find_line(context: int, wager: int) -> int:
    """Return the line of a hand whose next context is `context`, by its wager so far."""
    return (context - loop_codes.LATER) // 3 + LINES // 2 * (wager // loop_codes.GIVEN_HAND % 2)


LINES: Final = 6


@lru_cache(maxsize=8)
def _spread_tags(shares: tuple[float, ...]) -> tuple[tuple[float, ...], float]:
    """Return the tags by rank with a mean of 0 in a deck of these shares, and their variance."""
    weights, tags = np.array(shares), np.array(_TAGS, float)
    tags -= weights @ tags
    return tuple(tags.tolist()), float(weights @ tags**2)


class _ReferenceValues:
    """Values hands against the dealer, for all references at once.

    Values are arrays by reference and info; those of a dealer's row by reference.
    """

    def __init__(self, game: LoweredGame, busts_live: int, bonus_of: NDArray[np.uint8]) -> None:
        self.game, self.busts_live, self.bonus_of = game, busts_live, bonus_of
        self.kinds = range(_RANKS)
        self.next_row = game.next_row.reshape(-1, KINDS)
        self.opening = game.opening.reshape(-1, KINDS)
        self.choice = game.choice.reshape(-1, loop_codes.CONTEXTS, game.rows, KINDS)
        self.nets = game.net_of.reshape(loop_codes.WAGERS, loop_codes.DEALERS, loop_codes.RESULTS)
        doubled = self.choice[:, loop_codes.DOUBLED_ONCE :]
        self.asks_doubled = bool((doubled != loop_codes.NOT_ASKED).any())
        self.shares, self.counts = self._find_references()
        self.references = len(self.shares)
        self.peeks = game.has_hole and not game.seen
        self.infos = [
            (up, hole) for up in self.kinds for hole in (self.kinds if game.seen else (up,))
        ]
        self.ups = np.array([up for up, _ in self.infos])
        self.played: dict[tuple[int, int, int], Floats] = {}
        self.finished: dict[tuple[int, int], Floats] = {}
        self.ended: dict[int, Floats] = {}
        self.met: dict[tuple[int, int], Floats] = {}

    def _find_references(self) -> tuple[Floats, list[int]]:
        """Return the shares of the ranks by reference, and the row of its playing count."""
        game = self.game
        if game.is_infinite:
            weights = np.full(_RANKS, game.weights[1], float)
            weights[-1] = game.weights[0]
            self.deck = weights / weights.sum()
            return self.deck[None], [0]
        ranks = np.array([RANK_OF_KIND[kind] - 1 for kind in game.deck.tolist()])
        deck = self.deck = np.bincount(ranks, minlength=_RANKS) / len(ranks)
        if game.is_fresh:
            return deck[None], [self._count_at(deck, deck, 0)]
        tags, variance = _spread_tags(tuple(deck.tolist()))
        found = []
        width = 1 << WIDTH_BITS
        for true in range(LEAST_TRUE, MOST_TRUE, width):
            shares = deck * (1 - np.array(tags) * (true + width / 2) / (52 * variance))
            shares = np.maximum(shares, 0)
            found.append(shares / shares.sum())
        return np.array(found), [self._count_at(deck, shares, game.cut // 2) for shares in found]

    def _count_at(self, deck: Floats, shares: Floats, dealt: int) -> int:
        """Return the row of the playing count where `dealt` cards left these shares."""
        game = self.game
        size = len(game.deck)
        tags = [(int(game.tags[kind]) + (1 << 31)) >> 32 for kind in self.kinds]
        gone = size * deck - (size - dealt) * shares
        running = ((int(game.start_count) + (1 << 31)) >> 32) + round(float(gone @ np.array(tags)))
        added = game.add_negative if running < 0 else game.add_positive
        count = (running * int(game.factor[min(dealt, size - 1)]) + added) >> COUNT_BITS
        return min(max(count, game.least_count), game.most_count) - game.least_count

    # The dealer.

    def end(self, row: int) -> Floats:
        """Return the chances of the dealer's results from a row on, by reference and result."""
        if row not in self.ended:
            chances = np.zeros((self.references, loop_codes.DEALERS))
            if self.game.stops[row]:
                chances[:, self.game.dealer_result_of[row]] = 1
            else:
                for kind in self.kinds:
                    chances += self.shares[:, kind, None] * self.end(int(self.next_row[row, kind]))
            self.ended[row] = chances
        return self.ended[row]

    def meet(self, result: int, wager: int, row: int) -> Floats:
        """Return the value of a finished hand against a dealer at `row`, by reference."""
        if not self.is_live(result):
            return np.full(self.references, float(self.nets[wager, 0, result]))
        value: Floats = self.end(row) @ self.nets[wager, :, result].astype(float)
        return value

    @staticmethod
    def is_live(result: int) -> bool:
        """Whether the dealer draws for a hand with this result."""
        return 0 < result < loop_codes.NATURAL

    def bar(self, up: int) -> int:
        """Return the kind that a peek shows the hole card not to be; else that of no card."""
        if not self.peeks or up not in (loop_codes.ACE, loop_codes.TEN):
            return NO_KIND
        return loop_codes.ACE + loop_codes.TEN - up

    def meet_hole(self, result: int, wager: int, up: int, hole: int) -> Floats:
        """Return the value of a finished hand when a hole card that was drawn late is known."""
        row = int(self.opening[up, hole])
        if self.game.total[row] != 21:
            return self.meet(result, wager, row)
        net = int(self.nets[wager, loop_codes.DEALER_NATURAL, result])
        if self.game.natural_takes:
            net, _ = return_added_bets(
                self.game.natural_takes, result, net, self.game.unit, charged=0
            )
        return np.full(self.references, float(net))

    # Hands.

    def find_result(self, row: int, up: int) -> int:
        """Return the result of a hand that ends at a row."""
        result = int(self.game.result_of[row])
        if result >= loop_codes.RESULTS:
            place = (result - loop_codes.BY_SUIT_678) * loop_codes.SUITS_OF_BONUS
            return int(self.bonus_of[place])
        return result or loop_codes.LIVING_BUST * ((self.busts_live >> up) & 1)

    def finish(self, result: int, wager: int) -> Floats:
        """Return the value of a hand with this result."""
        key = result, wager
        if key not in self.finished:
            columns = []
            for up, hole in self.infos:
                if self.game.seen:
                    columns.append(self.meet(result, wager, int(self.opening[up, hole])))
                    continue
                barred = self.bar(up)
                kinds = [kind for kind in self.kinds if kind != barred]
                parts = [
                    self.shares[:, kind] * self.meet_hole(result, wager, up, kind) for kind in kinds
                ]
                columns.append(np.sum(parts, axis=0) / self.shares[:, kinds].sum(axis=1))
            self.finished[key] = np.stack(columns, axis=1)
        return self.finished[key]

    def stand(self, row: int, wager: int) -> Floats:
        """Return the value of a hand that ends at a row."""
        results = np.array([self.find_result(row, up) for up in range(_RANKS)])[self.ups]
        value = np.empty((self.references, len(self.infos)))
        for result in set(results.tolist()):
            chosen = results == result
            value[:, chosen] = self.finish(result, wager)[:, chosen]
        return value

    def draw(self, row: int, context: int, wager: int) -> Floats:
        """Return the value of a hand that takes a card and continues in a context."""
        value = np.zeros((self.references, len(self.infos)))
        for kind in self.kinds:
            value += self.shares[:, kind, None] * self.play(
                context, int(self.next_row[row, kind]), wager
            )
        return value

    def double(self, row: int, wager: int) -> Floats:
        """Return the value of a hand that takes one card at the wager of a double."""
        value = np.zeros((self.references, len(self.infos)))
        for kind in self.kinds:
            value += self.shares[:, kind, None] * self.doubled(int(self.next_row[row, kind]), wager)
        return value

    def doubled(self, row: int, wager: int) -> Floats:
        """Return the value of a hand that has doubled."""
        if not self.asks_doubled:
            return self.stand(row, wager)
        return self.play(loop_codes.DOUBLED_ONCE + (wager >> loop_codes.AGAIN_SHIFT), row, wager)

    def pair(self, context: int, kind: int, wager: int) -> Floats:
        """Return the value of a hand of a split that waits for its second card."""
        value = np.zeros((self.references, len(self.infos)))
        for other in self.kinds:
            value += self.shares[:, other, None] * self.play(
                context, int(self.opening[kind, other]), wager
            )
        return value

    def split(self, context: int, row: int, wager: int) -> Floats:
        """Return the value of a split; one of its hands is split no further."""
        kind = int(self.game.pair_kind[row])
        given = loop_codes.GIVEN_HAND * ((self.game.free_splits >> kind) & 1)
        are_aces = kind == loop_codes.ACE
        after = loop_codes.ACES_MORE if are_aces else loop_codes.SPLIT_MORE
        most = self.game.max_ace_hands if are_aces else self.game.max_hands
        after += int(context in _SPLITTING or most <= 2)
        return self.pair(after, kind, wager) + self.pair(after, kind, given)

    def read_choice(self, context: int, row: int) -> Integers:
        """Return the codes of `LoweredGame.choice` by info."""
        if self.game.seen:
            holes = [int(self.choice[hole, context, row, up]) for up, hole in self.infos]
            return np.array(holes)
        codes: Integers = self.choice[0, context, row, self.ups].astype(np.int64)
        return codes

    def choose(self, context: int, row: int) -> NDArray[np.int64]:
        """Return the actions of a hand, by reference and info."""
        game, codes = self.game, self.read_choice(context, row)
        answers = np.tile(codes, (self.references, 1))
        by_count = game.by_count.reshape(-1, game.counts)
        for info in np.flatnonzero(codes >= loop_codes.FIRST_DEVIATION):
            answers[:, info] = by_count[codes[info] - loop_codes.FIRST_DEVIATION, self.counts]
        return answers

    def play(self, context: int, row: int, wager: int) -> Floats:
        """Return the value of a hand that is to act."""
        key = context, row, wager
        if key not in self.played:
            answers = self.choose(context, row)
            value = np.empty(answers.shape)
            for action in set(answers.ravel().tolist()):
                chosen = answers == action
                value[chosen] = self._act(action, context, row, wager)[chosen]
            self.played[key] = value
        return self.played[key]

    def _act(self, action: int, context: int, row: int, wager: int) -> Floats:
        if action == loop_codes.HIT:
            return self.draw(row, _LATER[context], wager)
        if action == loop_codes.DOUBLE:
            raised = wager + int(self.game.doubling[context * self.game.rows + row])
            return self.double(row, raised)
        if action == loop_codes.SPLIT:
            return self.split(context, row, wager)
        if action == loop_codes.SURRENDER:
            return self.finish(loop_codes.SURRENDERED, wager)
        return self.stand(row, wager)

    # The deal.

    def open(self, row: int) -> Floats:
        """Return the value of two cards once everything is dealt, without insurance."""
        value = self.begin(row).copy()
        for place, (up, hole) in enumerate(self.infos):
            natural = self.meet_natural(row, up)
            if self.game.seen:
                if self.game.total[self.opening[up, hole]] == 21:
                    value[:, place] = natural
            elif (barred := self.bar(up)) != NO_KIND:
                share = self.shares[:, barred]
                value[:, place] = share * natural + (1 - share) * value[:, place]
        return self._surrender_early(value, row)

    def begin(self, row: int) -> Floats:
        """Return the value of two cards where a peek showed no natural."""
        if self.game.total[row] != 21:
            return self.play(loop_codes.FIRST_TWO, row, 0)
        value = self.finish(loop_codes.NATURAL, 0).copy()
        chosen = self.takes_even_money[:, None] & (self.ups == loop_codes.ACE)
        value[chosen] = self.finish(loop_codes.EVEN_MONEY, 0)[chosen]
        return value

    def meet_natural(self, row: int, up: int) -> Floats:
        """Return the value of two cards against a natural that ends the round, by reference."""
        nets = self.nets[0, loop_codes.DEALER_NATURAL]
        result = int(self.game.total[row])
        if result != 21:
            return np.full(self.references, float(nets[result]))
        takes = self.takes_even_money & (up == loop_codes.ACE)
        value = np.where(takes, nets[loop_codes.EVEN_MONEY], nets[loop_codes.NATURAL])
        return np.array(value, float)

    @property
    def takes_even_money(self) -> NDArray[np.bool_]:
        """By reference: whether a natural takes even money."""
        may = bool(self.game.insurance and self.game.even_money)
        return (self.game.insures[self.counts] > 0) & may

    def _surrender_early(self, value: Floats, row: int) -> Floats:
        if self.game.total[row] == 21 or not self.game.early_surrender:
            return value
        gives_up = self.choose(loop_codes.EARLY, row) == loop_codes.SURRENDER
        offers = np.array([(self.game.early_surrender >> int(up)) & 1 for up in self.ups]) > 0
        lost = float(self.nets[0, 0, loop_codes.SURRENDERED])
        return np.where(gives_up & offers, lost, value)


def fits_references(game: LoweredGame) -> bool:
    """Whether sums of values over the weights of an infinite deck fit 32 bits."""
    tens, others = (int(weight) for weight in game.weights)
    return max(tens, others) < 2**15 and (_RANKS - 1) * others + tens < 2**31 // _MOST_VALUE


def build_references(
    game: LoweredGame, busts_live: int = 0, bonus_of: NDArray[np.uint8] | None = None
) -> References:
    """Return the references of a game; the other arguments are as in `SideTables`."""
    bonuses = np.zeros(0, np.uint8) if bonus_of is None else bonus_of
    return _Builder(game, busts_live, bonuses).build()


class _Builder(_ReferenceValues):
    """Finds the rows of all cards that a round may draw."""

    def build(self) -> References:
        """Return the references."""
        game = self.game
        self.blocks: list[Floats] = []
        self.size = 0
        self._add([[np.zeros((self.references, 1))] * _RANKS])
        self._add_deal()
        maps = self._add_hands()
        rows, bits = self._write()
        insurance = rows.shape[1]
        rows, holes = self._insure(rows, bits, maps["holes"])
        weights = np.full(KINDS, 0, np.int16)
        if game.is_infinite:
            weights[:_RANKS] = game.weights[1]
            weights[loop_codes.TEN] = game.weights[0]
        else:
            weights[:] = np.bincount(game.deck, minlength=KINDS)
        cards = int(weights.sum())
        shares = [float(share) for share in self.deck]
        tags = np.zeros(KINDS)
        tags[:_RANKS] = _spread_tags(tuple(shares))[0]
        tags[loop_codes.RED_7] = tags[RANK_OF_KIND[loop_codes.RED_7] - 1]
        inverse = np.zeros(cards + 1, np.int64)
        inverse[1:] = np.rint(2.0**RECIPROCAL_BITS / np.arange(1, cards + 1))
        ups = np.array([RANK_OF_KIND[min(kind, loop_codes.RED_7)] - 1 for kind in range(KINDS)])
        info_of = np.tile(ups[:, None], (1, KINDS))
        if game.seen:
            info_of = ups[:, None] * _RANKS + ups
        return References(
            rows=rows.ravel(),
            size=rows.shape[1],
            last=self.references - 1,
            bits=bits,
            info_of=info_of.ravel().astype(np.int64),
            infos=len(self.infos),
            hits=maps["hits"].ravel(),
            doubles=maps["doubles"].ravel(),
            pairs=maps["pairs"].ravel(),
            dealer=maps["dealer"].ravel(),
            holes=holes.ravel(),
            peeks=maps["peeks"].ravel(),
            barred=np.array([self.bar(up) if up < _RANKS else NO_KIND for up in range(KINDS)]),
            insurance=insurance,
            hands=game.rows,
            tags=np.rint(tags * 2**TAG_BITS).astype(np.int16),
            deck=weights,
            cards=cards,
            inverse=inverse,
            taken=1 - game.is_infinite,
        )

    def _add(self, rows: list[list[Floats]], chosen: NDArray[np.bool_] | None = None) -> Integers:
        """Add rows by kind, each value by reference and row; return the numbers of all rows.

        Of those that are not chosen it is that of the row of zeros.
        """
        block = np.concatenate([np.stack(row, axis=2) for row in rows], axis=1)
        chosen = np.ones(block.shape[1], bool) if chosen is None else chosen
        block = block[:, chosen]
        numbers = np.zeros(len(chosen), np.int64)
        numbers[chosen] = self.size + np.arange(block.shape[1])
        self.blocks.append(block)
        self.size += block.shape[1]
        return numbers

    def _add_deal(self) -> None:
        """Add the rows of the deal, in their order."""
        kinds = [RANK_OF_KIND[kind] - 1 for kind in range(loop_codes.RED_7 + 1)]
        kinds += [0] * (KINDS - len(kinds))  # no card
        shares, infos = self.shares, len(self.infos)
        seconds = np.stack(
            [
                np.stack([self.open(int(self.opening[one, two])) for two in self.kinds], axis=2)
                for one in self.kinds
            ],
            axis=2,
        )  # by reference, info, first card and second card
        firsts = np.einsum("zifs,zs->zif", seconds, shares)
        holes = np.einsum("zif,zf->zi", firsts, shares)
        by_up = holes.reshape(self.references, _RANKS, -1)
        upcards = by_up[:, :, 0]
        if self.game.seen:
            upcards = np.einsum("zuh,zh->zu", by_up, shares)
        else:
            by_up = np.tile(by_up, (1, 1, _RANKS))
        self.blocks.append(upcards[:, None, :])
        self.blocks.append(by_up[:, kinds])
        rows = np.concatenate([firsts[:, :, None, :], seconds[:, :, kinds]], axis=2)
        self.blocks.append(rows.reshape(self.references, infos * (1 + KINDS), _RANKS))
        self.size += 1 + KINDS + infos * (1 + KINDS)

    def _find_chosen(self) -> dict[tuple[int, int, int], NDArray[np.bool_]]:
        """Return by context, row and action the infos where the action may be chosen."""
        game = self.game
        by_count = game.by_count.reshape(-1, game.counts)
        found = {}
        for context, row in product(range(loop_codes.CONTEXTS), range(game.rows)):
            codes = self.read_choice(context, row)
            for action in (loop_codes.HIT, loop_codes.DOUBLE, loop_codes.SPLIT):
                asked = codes >= loop_codes.FIRST_DEVIATION
                chosen = codes == action
                chosen[asked] = [
                    action in by_count[code - loop_codes.FIRST_DEVIATION] for code in codes[asked]
                ]
                if chosen.any():
                    found[context, row, action] = chosen
        return found

    def _add_hands(self) -> dict[str, NDArray[np.int32]]:
        """Add the rows of hands and of the dealer; return where each is."""
        game, infos = self.game, len(self.infos)
        hits = np.zeros((LINES, game.rows, infos), np.int32)
        doubles = np.zeros((loop_codes.WAGERS, game.rows, infos), np.int32)
        pairs = np.zeros((loop_codes.CONTEXTS, 2, KINDS, infos), np.int32)
        bases = [0, loop_codes.GIVEN_HAND] if game.free_splits else [0]
        wagers = set(bases)
        for (context, row, action), chosen in self._find_chosen().items():
            if action == loop_codes.HIT:
                after = _LATER[context]
                for base in bases if after != loop_codes.LATER else [0]:
                    own = hits[find_line(after, base), row]
                    cards = [self.play(after, int(card), base) for card in self._draws(row)]
                    own += self._add([cards], chosen & (own == 0)).astype(np.int32)
            elif action == loop_codes.DOUBLE:
                level = context - loop_codes.DOUBLED_ONCE
                before = (
                    bases
                    if level < 0
                    else [
                        wager
                        for wager in wagers
                        if wager & loop_codes.DOUBLED and wager >> loop_codes.AGAIN_SHIFT == level
                    ]
                )
                for base in before:
                    wager = base + int(game.doubling[context * game.rows + row])
                    wagers.add(wager)
                    own = doubles[wager, row]
                    cards = [self.doubled(int(card), wager) for card in self._draws(row)]
                    own += self._add([cards], chosen & (own == 0)).astype(np.int32)
            else:
                kind = int(game.pair_kind[row])
                more = loop_codes.ACES_MORE if kind == loop_codes.ACE else loop_codes.SPLIT_MORE
                for after, base in product((more, more + 1), bases):
                    own = pairs[after, base // loop_codes.GIVEN_HAND, kind]
                    cards = [
                        self.play(after, int(self.opening[kind, other]), base)
                        for other in self.kinds
                    ]
                    own += self._add([cards], chosen & (own == 0)).astype(np.int32)
        pairs[:, :, loop_codes.RED_7] = pairs[:, :, RANK_OF_KIND[loop_codes.RED_7] - 1]
        return {
            "hits": hits,
            "doubles": doubles,
            "pairs": pairs,
            "dealer": self._add_dealer(sorted(wagers)),
            "holes": self._add_holes(sorted(wagers)),
            "peeks": self._add_peeks(),
        }

    def _draws(self, row: int) -> list[int]:
        rows: list[int] = self.next_row[row, :_RANKS].tolist()
        return rows

    def _add_dealer(self, wagers: list[int]) -> NDArray[np.int32]:
        """Add the rows of the dealer's cards; results that no dealer's total is below share one."""
        game = self.game
        rows = [row for row in sorted(self._find_dealer_rows()) if not game.stops[row]]
        finals = [int(total) for total in game.total[game.stops > 0] if total]
        dealer = np.zeros((loop_codes.WAGERS, loop_codes.RESULTS, game.rows), np.int32)
        for wager, result in product(wagers, range(1, loop_codes.NATURAL)):
            if loop_codes.LIVING_BUST < result < min(finals) - 1:
                continue
            for row in rows:
                cards = [self.meet(result, wager, card)[:, None] for card in self._draws(row)]
                dealer[wager, result, row] = self._add([cards])[0]
        for result in range(loop_codes.LIVING_BUST + 1, min(finals) - 1):
            dealer[:, result] = dealer[:, min(finals) - 1]
        return dealer

    def _find_dealer_rows(self) -> set[int]:
        found = {int(self.opening[one, two]) for one in self.kinds for two in self.kinds}
        todo = list(found)
        for row in todo:  # it grows
            if not self.game.stops[row]:
                new = set(self._draws(row)) - found
                found |= new
                todo += new
        return found

    def _add_holes(self, wagers: list[int]) -> NDArray[np.int32]:
        """Add the rows of hole cards that are drawn late, of hands that are not insured."""
        holes = np.zeros((loop_codes.WAGERS, loop_codes.RESULTS, KINDS), np.int32)
        if self.game.seen:
            return holes
        most = loop_codes.NATURAL if self.peeks else loop_codes.RESULTS
        for wager, result, up in product(wagers, range(int(self.peeks), most), self.kinds):
            cards = [self.meet_hole(result, wager, up, hole)[:, None] for hole in self.kinds]
            if self.bar(up) != NO_KIND:
                cards[self.bar(up)] = np.zeros_like(cards[0])
            holes[wager, result, up] = self._add([cards])[0]
        holes[:, :, loop_codes.RED_7] = holes[:, :, RANK_OF_KIND[loop_codes.RED_7] - 1]
        return holes

    def _add_peeks(self) -> NDArray[np.int32]:
        """Add the rows of hole cards at the peek."""
        peeks = np.zeros((self.game.rows, KINDS), np.int32)
        for up in (loop_codes.ACE, loop_codes.TEN) if self.peeks else ():
            for row in sorted(set(self.opening[:_RANKS, :_RANKS].ravel().tolist())):
                cards = [self.begin(row)[:, up, None]] * _RANKS
                cards[self.bar(up)] = self.meet_natural(row, up)[:, None]
                peeks[row, up] = self._add([cards])[0]
        return peeks

    def _write(self) -> tuple[NDArray[np.int16], int]:
        """Return all rows in whole numbers, by reference, and their binary places."""
        values = np.concatenate(self.blocks, axis=1)
        most = float(np.abs(values).max()) + max(self.game.insurance_pays, self.game.unit)
        bits = int(np.floor(np.log2(_MOST_VALUE / most)))
        rows = np.zeros((*values.shape[:2], KINDS), np.int16)
        rows[:, :, :_RANKS] = np.rint(values * 2.0**bits)
        rows[:, :, loop_codes.RED_7] = rows[:, :, RANK_OF_KIND[loop_codes.RED_7] - 1]
        return rows, bits

    def _insure(
        self, rows: NDArray[np.int16], bits: int, holes: NDArray[np.int32]
    ) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
        """Add the row of insurance, the last but those of late hole cards with insurance.

        Returns all rows, and those of late hole cards, without insurance and with it.
        """
        game = self.game
        paid = np.full(KINDS, -(game.unit // 2))
        paid[loop_codes.TEN] = game.insurance_pays
        paid = np.ldexp(paid.astype(float), bits).astype(np.int16)
        own = holes[:, :, loop_codes.ACE] * (1 - self.peeks)
        insured = holes.copy()
        known = np.flatnonzero(own.ravel())
        flat = np.zeros(own.size, np.int32)
        flat[known] = rows.shape[1] + 1 + np.arange(len(known))
        if not self.peeks:
            insured[:, :, loop_codes.ACE] = flat.reshape(own.shape)
        more = rows[:, own.ravel()[known]] + paid
        one = np.tile(paid, (len(rows), 1, 1))
        rows = np.concatenate([rows, one, more.astype(np.int16)], axis=1)
        return rows, np.stack([holes, insured], axis=3)
