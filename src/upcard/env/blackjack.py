"""`BlackjackEnv`: one table as an environment of Gymnasium, with its shoes and counts."""

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple, SupportsFloat, TypeAlias

import gymnasium
import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import RANKS, Card
from upcard.core.errors import EmptyShoeError, IllegalActionError, UnsupportedRuleError
from upcard.core.numbers import read_seed
from upcard.core.wager import Wager
from upcard.documents.lott import DealerHand, DealerMimic
from upcard.env import exact_rewards, observations
from upcard.env import options as env_options
from upcard.env.options import check_reset_options, read_spots
from upcard.env.quick_rounds import QuickRounds, graph_of
from upcard.players.seen_cards import CountedShoe, SeenCards, compose
from upcard.rules.house import RulesLike, as_rules
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import SideBetLike
from upcard.simulation.kernels import randomness
from upcard.simulation.lower import count_range
from upcard.strategy.count_system import load_system
from upcard.table import events, rounds, settle
from upcard.table.legal import find_refusal
from upcard.table.shoe import ScriptedShoe, Shoe
from upcard.table.state import start_round

_CHUNK: Final = np.uint64(2**63)
"""No simulation has a chunk with this number."""
_AHEAD: Final = 12
_RED_FIRST: Final = "DHCS"
"""The simulator counts the first two sevens of a deck as red."""


class SeededShoe:
    """Shoes 0, 1, 2, ... of a seed, the next of them when the cut card has come out.

    Shoe `j` is shuffled by the generator `seed_state(seed, 2**63, j)` of the simulator. Where the
    cards are shuffled every round, and with an infinite deck, every round has a shoe of its own.
    """

    def __init__(self, rules: Rules, seed: int) -> None:
        """Prepare shoe 0; the first round shuffles it."""
        self._seed = np.uint64(read_seed(seed))
        self._is_infinite = rules.is_infinite
        self._is_fresh = exact_rewards.is_fresh(rules)
        deck = rules.full_deck
        self._cards = sorted(deck.cards, key=lambda card: _RED_FIRST.index(card.suit))
        """The cards of a deck by their number."""
        self._of_rank = [
            [number for number, card in enumerate(self._cards) if card.rank == rank]
            for rank in RANKS
        ]
        self._deck = np.array([*range(deck.size)] * (rules.decks or 0), np.uint8)
        self._cut = int(len(self._deck) * rules.penetration)
        tens = rules.ten_probability
        self._weights = np.array((9 * tens.numerator, tens.denominator - tens.numerator), np.int64)
        self._state = np.zeros(randomness.STATE_WORDS, np.uint64)
        self._faces = random.Random(self._seed.item())
        self._numbers: list[int] = []
        """The cards of this shoe so far, by their number in the deck."""
        self._ahead: list[int] = []
        self._round_start = 0
        self._has_run_out = False
        self.has_cut_card = not rules.is_infinite
        self.shuffles = 0
        """Number of shoes so far."""
        self.position = 0

    @property
    def cards_left(self) -> int | None:
        """Number of cards not dealt yet; None if they never run out."""
        return None if self._is_infinite else len(self._numbers) - self.position

    @property
    def is_cut_out(self) -> bool:
        """Whether the next round has another shoe."""
        if self._has_run_out or not self.shuffles:
            return True
        return self.position > 0 if self._is_fresh else self.position >= self._cut

    def end(self) -> None:
        """Leave the rest of this shoe: the next round has another."""
        self._has_run_out = True

    def start_round(self) -> bool:
        """Shuffle the next shoe if this one is at its end; True if cards were shuffled."""
        is_due = self.is_cut_out
        if is_due:
            with np.errstate(over="ignore"):  # without machine code, NumPy reports the wrap
                randomness.seed_state(self._state, self._seed, _CHUNK, np.uint64(self.shuffles))
            self._ahead.clear()
            self._numbers = [] if self._is_infinite else self._shuffled(self._deck)
            self._has_run_out = False
            self.shuffles += 1
            self.position = 0
        self._round_start = self.position
        return is_due and not self._is_infinite

    def draw(self) -> Card:
        """Take the next card; an empty shoe takes the discards of earlier rounds back, once."""
        if self.position == len(self._numbers):
            self._numbers += [self._draw_one()] if self._is_infinite else self._take_discards_back()
        self.position += 1
        return self._cards[self._numbers[self.position - 1]]

    def _shuffled(self, numbers: NDArray[np.uint8]) -> list[int]:
        cards = numbers.copy()
        with np.errstate(over="ignore"):
            randomness.shuffle(cards, 0, len(cards), len(cards), self._state)
        shuffled: list[int] = cards.tolist()
        return shuffled

    def _take_discards_back(self) -> list[int]:
        if self._has_run_out or not self._round_start:
            size = len(self._deck)
            raise EmptyShoeError(f"all {size} cards are on the table: the round cannot continue")
        self._has_run_out = True
        return self._shuffled(np.array(self._numbers[: self._round_start], np.uint8))

    def _draw_one(self) -> int:
        """Draw from the infinite deck; face and suit come from another generator."""
        if not self._ahead:
            kinds = np.zeros(_AHEAD, np.uint8)
            with np.errstate(over="ignore"):
                randomness.draw_independently(kinds, 0, _AHEAD, self._weights, self._state)
            self._ahead = kinds[::-1].tolist()
        alike = self._of_rank[self._ahead.pop()]
        return alike[int(self._faces.random() * len(alike))]


class ShoeCount(CountedShoe):
    """The count of a system and the decks left, as a player at the table knows them."""

    def __init__(self, rules: Rules, system: str) -> None:
        """Count with a system by its name or file."""
        super().__init__(rules, load_system(system))
        self.range = count_range(self.count.system, self.count.decks)
        """The smallest and the largest count that is distinguished."""

    def look(self, *, is_bet: bool) -> tuple[int, float]:
        """Return the count for the next bet or answer, and the number of decks undealt."""
        left = self.cards_left
        count = self.count.bet_count(left) if is_bet else self.count.play_count(left)
        least, most = self.range
        return min(max(count, least), most), left / self.count.system.deck_size


def unseen_shares(rules: Rules, seen: SeenCards) -> list[float]:
    """Return the share of each rank, ace to ten, among the cards that were not seen.

    All are 0 at the end of a round that has shown the last card.
    """
    known = seen.look()
    if known.cards == rules.full_shoe.size:
        return [0.0] * len(RANKS)
    unseen = compose(rules, known, "").unseen
    cards = math.fsum(unseen)
    return [unseen[rank] / cards for rank in RANKS]


def require_shoe(rules: Rules, what: str) -> None:
    """Refuse an infinite deck, which has no composition."""
    if rules.is_infinite:
        raise UnsupportedRuleError(what, "INF", "its cards never run out; name 1D to 8D")


def write_table(rules: Rules, question: observations.EnvQuestion) -> str:
    """Write the dealer, the hands of each spot and what is asked; a `>` marks the active hand."""
    name, view = rules.name or str(rules), question.view
    if view is None:
        return f"{name}: {question.stage.name.lower()}"
    spots: list[list[str]] = [[] for _ in view.insurance]
    for index, hand in enumerate(view.hands):
        spots[hand.spot].append(f"> {hand}" if index == view.active else str(hand))
    asked = "over" if question.stage is observations.Stage.SETTLED else ", ".join(question.legal)
    return "\n".join(
        (
            f"{name}: {asked}",
            f"dealer: {DealerHand(view.dealer, view.dealer_total, view.hidden)}",
            *(
                f"{'player' if len(spots) == 1 else f'spot {number}'}: {' | '.join(hands)}"
                for number, hands in enumerate(spots, 1)
            ),
        )
    )


Step: TypeAlias = tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]

RENDER_MODES: Final = ("ansi", "human")
_RESET_OPTIONS: Final = ("cards", "shuffle")
_ONE: Final = Fraction(1)


class LastAnswer(NamedTuple):
    """The last answer, after a replacement of an illegal one."""

    question: observations.EnvQuestion
    code: int
    bet: Fraction
    """Initial bet of a spot, in units of the reward."""


class BlackjackEnv(gymnasium.Env[Any, Any]):
    """One player at a table, by any rules.

    Actions: 0 stand, and no to every offer; 1 hit; 2 double; 3 split; 4 surrender; 5 insurance,
    even money or a swap of second cards. With several `bets`, `6 + k` bets `bets[k]` before the
    deal, at each of the `spots` (default: the fewest that the rules take).

    Reward: the round's net over all spots in initial bets of one, exactly as the table settles it,
    in the last step of the round; with several `bets`, in their unit. A bet of 0 sits a round out.
    `side_bets` (names, tokens or files) are added to those of the rules; a bet may place some of
    them, as `bets=(1, "1 21+3 1")`, and their nets are in the reward, and in `info["side"]`.
    Other `rewards` are minus the exact cost of each answer (`exact_rewards.ExactRewards`).

    `info` has `action_mask` (int8), and at the end of a round `hands`, the net of each hand, and
    `credit`, for each answer of the round the net of what it decided about. Truncated is always
    False.
    """

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 4}  # noqa: RUF012

    def __init__(  # noqa: PLR0913 (each is named in the call)
        self,
        rules: RulesLike = "6D",
        *,
        observation: str = "hand",
        bets: Sequence[int | float | str | Fraction] = (1,),
        side_bets: Sequence[SideBetLike] = (),
        spots: int | None = None,
        count: str | None = None,
        composition: bool = False,
        episode: str = "round",
        illegal: str = "raise",
        rewards: str = "net",
        render_mode: str | None = None,
    ) -> None:
        """Open a table; `rules` are notation, the name of a house, or `Rules`."""
        self.rules = env_options.add_side_bets(as_rules(rules), side_bets)
        env_options.check_option("episode", episode, env_options.EPISODES)
        env_options.check_option("illegal", illegal, env_options.ILLEGAL)
        if render_mode is not None:
            env_options.check_option("render_mode", render_mode, RENDER_MODES)
        if episode == "shoe":
            require_shoe(self.rules, "shoe as an episode")
        self._wagers = env_options.read_wagers(bets, self.rules, rewards)
        self.bets, self.spots = env_options.main_bets(self._wagers), read_spots(spots, self.rules)
        self.episode = episode
        self.illegal = illegal
        self.render_mode = render_mode
        self._exact = exact_rewards.open_rewards(rewards, self.rules, self.bets, self.spots)
        self.reward_notes = () if self._exact is None else self._exact.notes
        """Approximations in the rewards, one sentence each."""
        self.seen = SeenCards(self.rules)
        """Cards seen, if `follow_cards` was called or the composition is observed."""
        self._quick: QuickRounds | None = None
        """The rounds, until more is asked for than positions have; then the table has them."""
        self._count = None if count is None else ShoeCount(self.rules, count)
        self._followed: list[SeenCards | ShoeCount] = [] if self._count is None else [self._count]
        extras: dict[str, tuple[float, float, int]] = {}
        if self._count is not None:
            extras["count"] = (*self._count.range, 2)
        self._has_composition = composition
        if composition:
            require_shoe(self.rules, "composition of the unseen cards")
            extras["composition"] = (0.0, 1.0, 10)
            self.follow_cards()
        self._layout = observations.choose_layout(observation, self.rules, extras, spots=self.spots)
        self.observation_space = self._layout.space
        self._actions = observations.FIRST_BET + (len(self.bets) if len(self.bets) > 1 else 0)
        self.action_space = gymnasium.spaces.Discrete(self._actions)
        self._shoe: SeededShoe | None = None
        self._is_scripted = False
        self._table: rounds.Table | None = None
        self._bet, self._side = self._wagers[0]
        self._answers: list[tuple[int, int]] = []
        """Target and number of each answer of the round."""
        self._question = observations.EnvQuestion(observations.Stage.SETTLED, None)
        self._last: LastAnswer | None = None
        self._is_over = True
        if self._exact and self._exact.is_by_shoe:
            self.follow_cards()
        has_suits = self.rules.side_bets or self.rules.suited_natural_pays is not None
        is_by_hand = has_suits or self.rules.bonuses is not None or self.rules.shows_hole
        is_slow = self._layout.HAS_CARDS or extras or render_mode or self._exact
        if not (is_slow or is_by_hand) and len(self.bets) == self.spots == 1 and episode == "round":
            self._quick = QuickRounds(graph_of(self.rules, observation))

    def follow_cards(self) -> SeenCards:
        """Count the cards seen from the next shuffle on, which the next reset brings."""
        self._sit_down()
        if self.seen not in self._followed:
            self._followed.append(self.seen)
            self._shoe = None
        return self.seen

    @property
    def stake(self) -> Fraction:
        """Initial bet of a spot in units of the reward: 1 unless there is a choice of bets."""
        return self._bet if len(self.bets) > 1 else _ONE

    @property
    def table(self) -> rounds.Table:
        """The table of the round, which knows the dealer's hole card and the shoe."""
        self._sit_down()
        if self._table is None:
            raise IllegalActionError("no round has been dealt: call reset()")
        return self._table

    @property
    def question(self) -> observations.EnvQuestion:
        """The question that is asked now."""
        self._sit_down()
        return self._question

    @property
    def last(self) -> LastAnswer | None:
        """The question and the answer of the last step."""
        self._sit_down()
        return self._last

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, and return the first observation.

        A seed starts its shoe 0. `options` are `shuffle` (True: another shoe) and `cards`, a text
        of the cards to deal, in the deal order of the house; the episode after it has a new shoe.
        """
        is_next = self._is_over and seed is None and not options and not self._is_scripted
        if is_next and self._quick is not None and self._shoe is not None:
            return self._deal_quick(self._quick, self._shoe)
        options = {} if options is None else dict(check_reset_options(options, _RESET_OPTIONS))
        script = ScriptedShoe(options["cards"]) if "cards" in options else None
        seed = None if seed is None else read_seed(seed)
        super().reset(seed=seed)
        if seed is not None or self._shoe is None:
            entropy = int(self.np_random.integers(2**63)) if seed is None else seed
            self._shoe = SeededShoe(self.rules, entropy)
            self._open_table(self._shoe)
        elif options.get("shuffle") or self.episode == "shoe" or self._is_scripted:
            self._shoe.end()
            self._open_table(self._shoe)
        elif not self._is_over:
            self._open_table(self._shoe)
        if script is not None:
            self._open_table(script)
        if self._quick is not None:
            assert self._table is not None  # noqa: S101 (it was opened above, or before)
            return self._deal_quick(self._quick, self._table.shoe)
        self._is_over = False
        self._last = None
        self._begin_round()
        if self.render_mode == "human":
            print(write_table(self.rules, self.question))  # noqa: T201 (that is its mode)
        return self._observe(), {"action_mask": self.action_masks()}

    def step(self, action: Any) -> Step:  # noqa: ANN401 (Gymnasium's)
        """Answer the question."""
        if self._quick is not None:
            if (stepped := self._step_quick(self._quick, action)) is not None:
                return stepped
            self._sit_down()
        info: dict[str, Any] = {}
        code = self._read(action, info)
        exact = None
        if self._exact is not None:
            exact = float(self._exact.value(self.question, self.seen.look())[code])
        self._answers.append((observations.target_of(self.question), code))
        if self.question.stage is observations.Stage.BET:
            self._bet, self._side = self._wagers[code - observations.FIRST_BET]
            self._last = LastAnswer(self.question, code, self.stake)
            self._deal()
            is_round_over = self.table.state.is_over
        else:
            self._last = LastAnswer(self.question, code, self.stake)
            if (answer := observations.find_action(code, self.question.legal)) is not None:
                self.table.act(answer)
            is_round_over = self.table.state.is_over
            self._ask_table()
        reward = self._finish_round(info) if is_round_over else 0.0
        info["action_mask"] = self.action_masks()
        if self.render_mode == "human":
            print(write_table(self.rules, self.question))  # noqa: T201
        return self._observe(), reward if exact is None else exact, self._is_over, False, info

    def action_masks(self) -> observations.Mask:
        """Return a new mask of the actions that are possible now: 1 legal, 0 not."""
        if self._quick is not None and self._quick.has_round:
            return self._quick.position.mask.copy()
        return observations.make_mask(self._legal_codes(), self._actions)

    def render(self) -> str | None:
        """Return the public state of the table as text (`ansi`), or print it (`human`)."""
        if self.render_mode == "human":
            print(write_table(self.rules, self.question))  # noqa: T201
            return None
        if self.render_mode is None:
            gymnasium.logger.warn('render() needs a mode: make(..., render_mode="ansi")')
            return None
        return write_table(self.rules, self.question)

    # --- rounds along known positions ---

    def _deal_quick(self, quick: QuickRounds, shoe: Shoe) -> tuple[Any, dict[str, Any]]:
        quick.deal(shoe)
        self._is_over = False
        position = quick.position
        return position.look(), {"action_mask": position.mask.copy()}

    def _step_quick(self, quick: QuickRounds, action: Any) -> Step | None:  # noqa: ANN401
        """Answer along the known positions; None for what the table has to say."""
        if self._is_over or not quick.has_round:
            return None
        info: dict[str, Any] = {}
        code = action if type(action) is int else observations.read_action(action)
        if code in quick.position.codes:
            quick.answer(code)
        elif self.illegal == "stand":
            info["illegal"] = True
            quick.answer(min(quick.position.codes))
        else:
            return None
        position = quick.position
        info["action_mask"] = position.mask.copy()
        if not position.is_over:
            return position.look(), 0.0, False, False, info
        self._is_over = True
        return position.look(), quick.report(info), True, False, info

    def _sit_down(self) -> None:
        """Play at the table from here on: someone asks for what only the table knows."""
        quick, self._quick = self._quick, None
        if quick is None or self._table is None or not quick.has_round:
            return
        state, cards, asked = quick.replay(start_round(self.rules, self.bets))
        self._table.take_over(state, cards)
        self._answers = quick.answers
        self._ask_table()
        if asked is not None:
            self._last = LastAnswer(asked, quick.answers[-1][1], self.stake)

    # --- rounds ---

    def _open_table(self, shoe: Shoe) -> None:
        """Sit down at a shoe; an unfinished round is left as it is, its hole card unseen."""
        self._is_scripted = isinstance(shoe, ScriptedShoe)
        self._table = rounds.Table(self.rules, shoe)
        self._table.listeners += [one.hear for one in self._followed]
        if self._is_scripted and not self.rules.is_infinite:
            self._tell(events.Shuffled(self.rules.full_shoe.size))

    def _tell(self, event: events.Event) -> None:
        assert self._table is not None  # noqa: S101 (it is open)
        for listener in self._table.listeners:
            listener(event)

    def _begin_round(self) -> None:
        self._answers = []
        if len(self.bets) == 1:
            self._bet, self._side = self._wagers[0]
            self._deal()
            return
        shoe = self.table.shoe
        if shoe.start_round():  # the shuffle is public before the bet
            self._tell(events.Shuffled(shoe.cards_left))
        self._question = observations.EnvQuestion(observations.Stage.BET, None)

    def _deal(self) -> None:
        table = self.table
        table.start((Wager(self._bet or _ONE, self._side),) * self.spots)
        if not self._bet:  # another player takes the cards of a round that is sat out
            stranger = DealerMimic()
            while not table.state.is_over:
                stranger.table = table.view()
                table.act(stranger.decide(table.view(), table.legal_actions()))
        self._ask_table()

    def _ask_table(self) -> None:
        self._question = observations.ask(self.table.view(), self.table.legal_actions())

    def _finish_round(self, info: dict[str, Any]) -> float:
        """Settle a round that is over, begin the next of the episode, and return the reward."""
        state = self.table.state
        for one in self._followed:
            one.finish_round(state.dealer)
        unit = self._bet / self.stake if self._bet else _ONE
        nets = [net / unit for _, net in state.results] if self._bet else []
        info["hands"] = tuple(map(float, nets))
        if self._side:
            info["side"] = {
                code: float(sum(one.net for one in state.side.results if one.code == code) / unit)
                for code, _ in self._side
            }
        insured = [net / unit for net in settle.insurance_of_spots(state)]
        info["credit"] = observations.share_credit(self._answers, nets, insured)
        shoe = self.table.shoe
        is_shoe_over = shoe.is_cut_out if isinstance(shoe, SeededShoe) else not shoe.cards_left
        self._is_over = self.episode == "round" or is_shoe_over
        if not self._is_over:
            self._begin_round()
        return float(state.net / unit) if self._bet else 0.0

    # --- answers and observations ---

    def _legal_codes(self) -> list[int]:
        if self.question.stage is observations.Stage.BET:
            return [observations.FIRST_BET + number for number in range(len(self.bets))]
        return [observations.CODES[action] for action in self.question.legal] or [
            observations.STAND
        ]

    def _read(self, action: Any, info: dict[str, Any]) -> int:  # noqa: ANN401
        if self._is_over:
            raise IllegalActionError("the episode is over: call reset()")
        legal, code = self._legal_codes(), observations.read_action(action)
        if code in legal:
            return code
        if self.illegal == "stand":
            info["illegal"] = True
            return min(legal)  # to stand is 0, and not every house lets a low total stand
        reason = ""
        if self.question.legal and 0 <= code < observations.FIRST_BET:
            refused = next(one for one, number in observations.CODES.items() if number == code)
            refusal = find_refusal(self.table.state, refused)
            reason = "" if refusal is None else refusal.without_legal
        raise observations.refuse_action(action, self.question.stage, legal, self.bets, reason)

    def _observe(self) -> Any:  # noqa: ANN401
        extras: dict[str, list[float]] = {}
        if self._count is not None:
            count, decks = self._count.look(is_bet=self.question.stage is observations.Stage.BET)
            extras["count"] = [count, decks]
        if self._has_composition:
            extras["composition"] = unseen_shares(self.rules, self.seen)
        return self._layout.write(self.question, extras)
