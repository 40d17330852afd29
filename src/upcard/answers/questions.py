"""The questions: one function each is a command, a page with its JSON, a screen, a Python name.

A question is a function, `answer` of a module of `upcard.answers.asked` where its row in QUESTIONS
names no other. Its parameters are the fields that a person fills in; the help, the reader and the
default of each are in its signature, or in that of a dataclass among them. The function returns a
`Sheet`, which every door paints in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from inspect import cleandoc, signature
from typing import TYPE_CHECKING, Any, Final, Generic

from upcard.core.errors import NotationError, RulesError, quote
from upcard.core.fields import AskedField, Field, fill, list_fields

if TYPE_CHECKING:
    from upcard.charts.plots import Plot
    from upcard.core.figure import AnswerTable, Figure
    from upcard.rules.house import RulesLike
    from upcard.rules.model import Rules

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Result_co = TypeVar("Result_co", default=Any, covariant=True)
else:
    from typing import TypeVar

    Result_co = TypeVar("Result_co", covariant=True)

RULES: Final = "rules"
"""The parameter with the game, which every door has a way of its own to choose."""
GIVEN: Final = "is_given"
"""The parameter that says whether that game was chosen for the question, for a question that has a
game of its own; else it is the one on the screen."""
ASKING: Final = "asking"
"""The parameter with the caller, for long work."""


def _ignore(_what: str, _share: float) -> None:
    """Show no progress, and end work that is not wanted any more."""
    from upcard.core import long_work

    long_work.check()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """The caller: how long they wait, and what they see before the answer."""

    is_patient: bool = True
    """Whether minutes are fine, as for a command; a page waits for seconds."""
    watch: Callable[[str, float], None] = _ignore
    """Gets what is computed, in words, and the share that is done, 0 to 1."""
    early: Callable[[Sheet], None] | None = None
    """Gets the part of an answer that is there before the long work."""
    wants_result: bool = True
    """Whether the answer for programs is read, where it takes longer than that for people."""
    is_saved: bool = False
    """Whether the text goes to a file that is named."""
    has_color: bool = False
    """Whether a text is shown in colours, as on a terminal."""

    def choose_seed(self, given: int | None) -> int | None:
        """Return the seed that is given, or 1 where seconds are waited; else None, for any."""
        return given if given is not None or self.is_patient else 1

    def refuse_long(self, rounds: int, most: int, command: str) -> None:
        """Refuse more rounds than are played where seconds are waited. Raises: RulesError."""
        if not self.is_patient and rounds > most:
            raise RulesError(
                f"{rounds:,} rounds in all: here there are at most {most:,}; ask for fewer, or"
                f" upcard {command} on the command line"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet(Generic[Result_co]):
    """An answer as sentences, figures and tables.

    What a question returns says the type of its result, such as `Sheet[RemovalAnswer]`: the schema
    of its JSON.
    """

    title: str
    """The question in words."""
    rules: str = ""
    """The game, in notation; empty without one."""
    findings: tuple[str, ...] = ()
    """The answer in words, a sentence each."""
    facts: tuple[tuple[str, str], ...] = ()
    """Names and texts: what the answer is made of."""
    notes: tuple[tuple[str, str], ...] = ()
    """Names and texts below the tables: what their columns and marks are."""
    sentences: tuple[str, ...] = ()
    """Assumptions, and facts worth knowing, a sentence each."""
    figures: tuple[Figure, ...] = ()
    """Numbers that stand alone."""
    tables: tuple[AnswerTable, ...] = ()
    result: Result_co | None = None
    """The answer for programs: what `--json` of the command writes; None where that is the rest."""
    data: tuple[AnswerTable, ...] | None = field(default=None, metadata={"json": False})
    """The tables for programs, where they have more than those for people; else None."""
    plot: Callable[[], Plot] | None = field(default=None, metadata={"json": False})
    """Returns the picture of the answer; None where it has none."""
    card: Callable[[], str] | None = field(default=None, metadata={"json": False})
    """Returns a page to print; None where there is none."""
    text: Callable[[], str] | None = field(default=None, metadata={"json": False})
    """Returns the answer in a format of its own, such as that of a document or of another command;
    None where there is none."""
    file_name: str = ""
    """The name of a file that upcard reads, such as `hi-lo.toml`, whose text is the whole answer;
    empty for any other."""
    shows_all: bool = field(default=False, metadata={"json": False})
    """Whether people see every row of the tables, as of a list, and not the first ones."""
    interrupted: str = ""
    """How an answer that was interrupted continues; empty for a whole one."""


SHOE: Final = Field(
    str, 'Cards before the deal, such as "6D less T T 5", or ten numbers, ace to ten.'
)
"""The shoe of a question."""


def read_decks(text: str) -> int:
    """Read a number of decks. Raises: NotationError."""
    from upcard.core.number_texts import read_whole
    from upcard.rules.settings import MOST_DECKS

    return read_whole(text, "the number of decks", least=1, most=MOST_DECKS, example="6")


def read_quick_splits(text: str) -> str:
    """Return a split play that is computed while a page waits. Raises: NotationError."""
    from upcard.exact import solve, supported_rules

    play, quick = solve.read_split_play(text), supported_rules.QUICK_PLAYS
    if play not in quick:
        raise NotationError(
            f"splits={play}: remembering every card takes seconds to minutes; here there are"
            f" {', '.join(quick)}, and the commands edge, solve and removal have it"
        )
    return play


SPLITS: Final = Field(
    str,
    "How split hands are played: CDZ- (default), CDP1, CDP, CDP-exact; commands: full(-at-once).",
    "NAME",
    paste=read_quick_splits,
)


class AnswerInterruptedError(KeyboardInterrupt):
    """Ctrl-C ended an answer before there was anything to show; its text says how it continues."""


@dataclass(frozen=True, kw_only=True)
class NamedQuestion:
    """A question, by its name."""

    name: str
    title: str
    """The question in words."""
    about: str
    """The same as an instruction, for lists of commands."""
    changes: bool = False
    """Whether the answer changes with what is saved, so that it is remembered only for seconds."""
    is_about_you: bool = False
    """Whether it is about what you have played: a site that saves nothing shows nothing of it."""
    simulates: bool = False
    """Whether the answer may need a simulation or a search, which takes seconds."""
    is_by_games: bool = False
    """Whether its words are games, so that the command has no option for one."""
    needs_shoe: bool = False
    """Whether it is about cards that leave, so that an infinite deck cannot be asked."""
    needs_upcard: bool = False
    """Whether the player must see one card of the dealer, and not both."""
    needs_insurance: bool = False
    """Whether the game must offer insurance."""
    plots: bool = False
    """Whether an answer has a picture."""
    prints: bool = False
    """Whether an answer has a page to print."""
    page_option: str = "--card"
    """The option of the command that writes that page."""
    saves: bool = False
    """Whether `-o` writes to a file in place of the screen: the text, to the letter, or JSON."""
    writes: str = ""
    """Help of `-o`, for a text that other commands read, beside the answer; empty where there is
    none."""
    needs_words: bool = False
    """Whether the command is refused without words or options."""
    module: str = ""
    """The module of its function, below `answers`; empty for that of its name in `asked`. Another
    function than `answer` is behind a colon."""
    examples: tuple[str, ...] = ()
    """Words that may follow the name of the command, for its help."""
    parts: tuple[str, ...] = ()
    """Questions that were options of its command, and have their options now."""
    pages: tuple[str, ...] = ()
    """Addresses of pages of its own, where links lead: the first whose fields, in braces, are
    given. The last has none."""

    @cached_property
    def answer(self) -> Callable[..., Sheet]:
        """The function that answers it."""
        module, _, name = (self.module or f"asked.{self.name}").partition(":")
        found = import_module(f"upcard.answers.{module}")
        function: Callable[..., Sheet] = getattr(found, name or "answer")
        return function

    @cached_property
    def _parameters(self) -> Mapping[str, object]:
        return signature(self.answer).parameters

    @cached_property
    def help(self) -> str:
        """The answer in paragraphs: the first sentence, and those that the function adds."""
        more = (self.answer.__doc__ or "").partition("\n\n")[2].partition("Raises:")[0]
        return f"{self.about}\n\n{cleandoc(more)}".rstrip()

    def suits(self, rules: Rules) -> bool:
        """Whether a game can be asked about."""
        lacks = (
            self.needs_shoe and rules.is_infinite,
            self.needs_upcard and rules.shows_hole,
            self.needs_insurance and not rules.insurance,
        )
        return not any(lacks)

    @property
    def is_elsewhere(self) -> bool:
        """Whether only its own pages ask it: it is about something that their address names."""
        return any("{" in page for page in self.pages)

    @property
    def takes_rules(self) -> bool:
        """Whether it is about a game that is chosen before; else it finds one."""
        return RULES in self._parameters

    @property
    def has_own_game(self) -> bool:
        """Whether what it is about may have a game of its own, used where none is given."""
        return GIVEN in self._parameters

    @property
    def fields(self) -> tuple[AskedField, ...]:
        """The fields of the question beside the game, from the signature."""
        return list_fields(self.answer)

    def ask(
        self, rules: Rules, *, is_given: bool = True, asking: Asking | None = None, **values: Any
    ) -> Sheet:
        """Answer it, for a game if it takes one, which was given or is the one on the screen.

        A field that is not given has its default. Raises: NotationError without one that has none.
        """
        for one in self.fields:
            if one.name not in values:
                values[one.name] = one.read("")
        asked = fill(self.answer, values)
        if self.has_own_game:
            asked[GIVEN] = is_given
        if ASKING in self._parameters:
            asked[ASKING] = asking or Asking()
        return self.answer(rules, **asked) if self.takes_rules else self.answer(**asked)


QUESTIONS: Final = {
    question.name: question
    for question in (
        NamedQuestion(
            name="edge",
            title="What a round is worth",
            about="Compute the value of a game, and the effect of each rule.",
            module="asked.game_value",
            examples=(
                "--house european",
                '--rules "6D H17" --compare S17 LS 6:5 "RSA HSA"',
                '--rules "1D SP2" --splits full',
                "--sees-hole 10%",
                "--strategy mine.tsv",
            ),
        ),
        NamedQuestion(
            name="chart",
            title="The best chart",
            about="Draw the optimal strategy chart for any rules.",
            module="best_chart",
            pages=("/rules",),
            saves=True,
            examples=(
                "--house european --numbers cost",
                '--rules "6D H17 LS" -o chart.svg',
                "--rules 1D --format tsv > mine.tsv",
            ),
        ),
        NamedQuestion(
            name="solve",
            title="What a hand is worth",
            about="Compute the value of every play of a hand.",
            module="hand",
            pages=("/hand",),
            needs_words=True,
            examples=(
                "T6 v 9",
                "16 v T",
                "8 5 3 v T --house european",
                "T6 v T --hole 6",
                '88 v T --rules "6D H17 LS" --shoe "6D less T T 5"',
                '88 v T --rules "1D SP3" --splits full',
            ),
        ),
        NamedQuestion(
            name="dealer",
            title="How the dealer ends",
            about="Show how often the dealer ends with each total, by upcard.",
        ),
        NamedQuestion(
            name="removal",
            title="What each card is worth",
            about="Compute the effect of removing a card from the shoe.",
            simulates=True,
            needs_shoe=True,
            plots=True,
            examples=(
                "--rules 1D --splits CDP",
                "--strategy mine.tsv",
                "--by-cards --rules 2D --plot gone.svg",
            ),
        ),
        NamedQuestion(
            name="insurance",
            title="When to insure",
            about="Compute the running count from which insurance gains, by cards left.",
            needs_insurance=True,
            module="asked.when_to_insure",
            needs_shoe=True,
            prints=True,
            examples=(
                "--count ko --decks 2",
                '--decks 1 --hand "T 6" --csv -',
                "--count zen --card card.html",
            ),
        ),
        NamedQuestion(
            name="indices",
            title="When to deviate from the chart",
            about="Compute index plays for any rules and count, with the gain of each.",
            needs_upcard=True,
            simulates=True,
            needs_shoe=True,
            prints=True,
            writes="Write the plays for simulate --indices.",
            examples=(
                '--rules "6D LS" --count hi-lo -o mine.txt',
                "--rules 2D --plays i18 --ramp 1-8",
                "--method exact --ramp 1-12 --learn 10 --card card.html",
                "--ramp 1-12 --bankroll 1000 --plays i18",
                '--method exact --plays "16 v T, insurance"',
            ),
        ),
        NamedQuestion(
            name="sidebet",
            title="Side bets",
            about="Show what a side bet costs in this game or in any shoe, and a count for it.",
            examples=(
                "21+3 flat --removal",
                '"PP(25/12/6)" --shoe "6D less QH QH T 5"',
                'buster --rules "8D H17" --count --pen 80%',
                "mine.toml --decks 8 --json",
            ),
        ),
        NamedQuestion(
            name="counts",
            title="Counting systems",
            about="List the counting systems, or describe one.",
            simulates=True,
            examples=(
                "ko --rules 8D --json",
                "hi-lo --toml > mine.toml",
                "hi-lo --indices i18 > mine.txt",
                'hi-lo --decisions --rules "6D ES"',
            ),
            parts=("ceiling", "best-count"),
        ),
        NamedQuestion(
            name="ceiling",
            title="How far a count is from perfect",
            about="Compare counting systems with a player who knows every card gone.",
            simulates=True,
            needs_shoe=True,
            module="asked.counts:answer_ceiling",
            examples=('hi-lo --rules "6D S17" --rounds 20k',),
        ),
        NamedQuestion(
            name="best-count",
            title="The best tags for a count",
            about="Find the best tags of a counting system for a game, and simulate them.",
            simulates=True,
            needs_shoe=True,
            module="asked.counts:answer_best",
            examples=('growth --level 2 --rules "6D H17"', "playing --toml > mine.toml"),
        ),
        NamedQuestion(
            name="mastery",
            title="What you know",
            about="Show the chart as a map of what you know, its cost, your days and your goal.",
            changes=True,
        ),
        NamedQuestion(
            name="stats",
            title="Your results",
            about="Split your results into play, errors and luck; chart your mistakes.",
            pages=("/stats",),
            changes=True,
            is_about_you=True,
            saves=True,
            examples=(
                "--rounds-per-hour 60",
                "--chart",
                "--chart --house vegas-strip -o mistakes.svg",
            ),
        ),
        NamedQuestion(
            name="find",
            title="Find your game",
            about="Find the rules of a table from its place, its decks and the signs on the felt.",
        ),
        NamedQuestion(
            name="bankroll",
            title="What a bankroll goes through",
            about="Simulate a bankroll round by round; compare ruin with the formulas.",
            module="asked.bets.banks",
            simulates=True,
            plots=True,
            examples=(
                "--count hi-lo --ramp 1-8 --unit 10 --bankroll 5000 --seed 1",
                "--count hi-lo --ramp 1-12 --bankroll 400 --goal 400 --paths 5000",
                "RUN.json --ramp 1-8 --bankroll 500 --hours 200 --plot paths.svg",
                '--rules "6D" --bankroll 100 --rounds 1k --plot -',
            ),
        ),
        NamedQuestion(
            name="ramp",
            title="Bets by the count",
            about="Analyse the bets of a simulation: optimal ramps, risk of ruin, SCORE.",
            module="asked.bets.ramps",
            changes=True,
            needs_words=True,
            pages=("/runs/{run}/ramp", "/lab"),
            examples=(
                "run.json --spread 1-12 --bankroll 10000 --risk 5%",
                "run.json --spread 1-12 --wong best --bankroll 10000 --chip 5",
                "run.json --ramp 1-8 --unit 10 --bankroll 5000 --hours 20 --goal 2000",
            ),
        ),
        NamedQuestion(
            name="sessions",
            title="What a betting system does",
            about="Play sessions with a stake, to compare betting systems.",
            module="asked.bets.stakes",
            simulates=True,
            plots=True,
            examples=(
                "--betting martingale --sessions 50 --rounds 250 --stake 100",
                "--betting flat --betting martingale --limit 500 --seed 1",
                "--house lott --player lott-simple --betting 1-3-2-6",
                "--betting martingale --seed 1 --plot martingale.svg",
            ),
        ),
        NamedQuestion(
            name="policy",
            title="BlackJack(p)",
            about="Solve BlackJack(p): the best first action for every hand.",
            module="asked.best_actions",
            saves=True,
            needs_words=True,
            examples=("4/13", "0.3 -o Policy.txt", "0.5 --ev", "4/13 --json"),
        ),
        NamedQuestion(
            name="bench",
            title="Score a player",
            about="Ask a player about every hand, and score the answers exactly.",
            needs_upcard=True,
            module="bench",
            changes=True,
            examples=(
                '--rules "6D H17 LS" > questions.jsonl',
                'score answers.jsonl --rules "6D H17 LS"',
                "score --player mimic --player never-bust --long --csv -",
                "score answers.jsonl --strategy my-chart.tsv",
                "score --history",
            ),
        ),
        NamedQuestion(
            name="league",
            title="Rank players",
            about="Rank players in files by what their decisions lose.",
            module="league.priced_play",
            simulates=True,
            prints=True,
            page_option="--html",
            needs_words=True,
            examples=(
                "players",
                "players --house lott --rounds 5000 --seed 1",
                'players --rules "6D H17 LS" --csv league.csv --html league.html',
                "players --player basic --player mimic",
            ),
        ),
        NamedQuestion(
            name="houses",
            title="Houses",
            about="List the houses whose rules come with upcard.",
            module="rules:answer_houses",
            pages=("/houses",),
        ),
        NamedQuestion(
            name="rules",
            title="The rules in words",
            about="Explain rules in plain words.",
            module="rules",
            pages=("/rules",),
            is_by_games=True,
            needs_words=True,
            examples=('"6D H17 LS"', "european LS", "my-house.toml --json"),
        ),
        NamedQuestion(
            name="compare",
            title="Which game to play",
            about="Compare games: what each costs or earns, what changes, which one to play.",
            simulates=True,
            is_by_games=True,
            examples=(
                '"6D S17" "6D H17 LS" "2D H17 D10"',
                "las-vegas downtown --strategy mine.tsv",
                '"6D S17" "2D H17" --count hi-lo --spread 1-8 --bankroll 10000 --chip 5',
                '"6D PEN75" "6D PEN85" --count hi-lo -o games',
                '"6D S17" --count hi-lo,ko,zen --indices 18 --spread 1-8',
            ),
        ),
    )
}
"""The questions; a new one is a module, and a row here."""


def ask(
    name: str, rules: RulesLike | None = None, *, asking: Asking | None = None, **values: Any
) -> Sheet:
    """Answer a question by its name: its tables are `.tables`, and `.result` is its JSON.

    `rules` is the game (default: the default game), where the question takes one. The fields are
    those of the command: `by_cards=True` for `--by-cards`. A text or a number is read as there.

    Raises: RulesError for an unknown question or field; what the question raises.

    >>> ask("dealer", "INF").tables[0].rows[0][0]
    '2'
    """
    question = QUESTIONS.get(name)
    if question is None:
        raise RulesError(f"no question {quote(name)}; there are {', '.join(QUESTIONS)}")
    if rules is not None and not question.takes_rules:
        raise RulesError(f"{name} has no game to choose: its fields say what it is about")
    known = {one.name: one for one in question.fields}
    read: dict[str, Any] = {}
    for field_name, value in values.items():
        if (one := known.get(field_name)) is None:
            raise RulesError(f"{name} has no {quote(field_name)}: {', '.join(known)}")
        read[field_name] = one.take(value)
    from upcard.rules.house import as_rules
    from upcard.rules.model import Rules

    game = Rules() if rules is None else as_rules(rules)
    return question.ask(game, is_given=rules is not None, asking=asking, **read)
