"""The table of all texts that upcard takes from outside: what reads each, with valid examples.

A test keeps it complete: it fails for an option or argument of a command, or a function that reads
a text, which is not here. `TEXTS` has the kinds of text, `OPTIONS` says of which kind the options
and arguments are, and `NOT_TEXTS` why a function that looks like a reader takes no text from
outside.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from campaign.case import FindingError

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A kind of text."""

    examples: tuple[str, ...]
    """Valid ones."""
    readers: dict[str, Callable[[str], object]]
    """What reads it, by the dotted name below `upcard`; empty where only commands do."""


def _rules(text: str) -> object:
    from upcard.rules.model import Rules

    rules = Rules.parse(text)
    if Rules.parse(str(rules)) != rules:
        msg = f"Rules.parse(str(rules)) != rules for {text!r}, which prints as {str(rules)!r}"
        raise FindingError(msg)
    return rules


def _tokens(text: str) -> object:
    from upcard.rules.tokens import read_tokens

    return read_tokens(text.split())


@cache
def _hi_lo() -> Any:
    from upcard.strategy.counting import load_system

    return load_system("hi-lo")


@cache
def _default_rules() -> Any:
    from upcard.rules.model import Rules

    return Rules()


def _call(path: str, *args: object, **named: object) -> Callable[[str], object]:
    """Return a function that hands a text to `upcard.PATH`, and these arguments after it.

    What can be called is called first: the package is imported when a text is read, not before.
    """
    module, _, name = path.rpartition(".")

    @cache
    def find() -> Callable[..., object]:
        from importlib import import_module

        owner, attribute = module, name
        if module.rpartition(".")[2][:1].isupper():  # a method of a class
            owner, _, cls = module.rpartition(".")
            return getattr(getattr(import_module(f"upcard.{owner}"), cls), attribute)
        return getattr(import_module(f"upcard.{owner}"), attribute)

    def read(text: str) -> object:
        late = [arg() if callable(arg) else arg for arg in args]
        return find()(text, *late, **named)

    return read


def _direct(*paths: str) -> dict[str, Callable[[str], object]]:
    return {path: _call(path) for path in paths}


def _file(path: str) -> Callable[[str], object]:
    """Return a function that writes a text to a file and hands its name to `upcard.PATH`."""
    call = _call(path)

    def read(text: str) -> object:
        Path("text.json").write_text(text, encoding="utf-8", errors="surrogatepass")
        return call("text.json")

    return read


def _json_object(path: str) -> Callable[[str], object]:
    call = _call(path)

    def read(text: str) -> object:
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            return None
        return call(document if isinstance(document, dict) else {})

    return read


def _reveal(text: str) -> object:
    from upcard.core.user_files import parse_json
    from upcard.store.reveals import check_reveal

    return check_reveal(parse_json(text, "x"))


def _verify_shuffle(text: str) -> object:
    """Run the stand-alone program on a file; it may refuse, but not break."""
    Path("reveal-text.json").write_text(text, encoding="utf-8", errors="surrogatepass")
    return _run_verify_shuffle(["reveal-text.json"], text)


def _verify_shuffle_rules(text: str) -> object:
    return _run_verify_shuffle(["--server-seed", "0f" * 32, f"--rules={text}"], text)


def _verify_shuffle_seed(text: str) -> object:
    return _run_verify_shuffle([f"--server-seed={text}", "--method", "1"], text)


def _run_verify_shuffle(words: list[str], text: str) -> object:
    import contextlib
    import io

    from upcard.fair.verify_shuffle import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    if code not in (0, 1, 2):
        msg = f"verify_shuffle.py ended with {code} on {text[:200]!r}"
        raise FindingError(msg)
    return code


def _start_entry(text: str) -> object:
    """Type a text on every row of the start screen."""
    from upcard.core.errors import BlackjackError
    from upcard.tui.start_choice import Choice

    choice = Choice()
    for row in choice.rows(dialogue="", knows=""):
        try:
            choice.read(row, text)
        except BlackjackError:
            continue
    return None


def _computer(which: str) -> Callable[[str], object]:
    def read(text: str) -> object:
        from upcard.documents.roanoke import computer

        if which == "highest":
            return computer.read_highest(text, [])
        return computer.read_probability(text, "p", [])

    return read


def _run_state(text: str) -> object:
    """Read a run's file as --resume and `upcard ramp` do."""
    from upcard.analysis.run_file import read_run
    from upcard.core.errors import BlackjackError
    from upcard.simulation.checkpoint import load_state

    Path("run-text.json").write_text(text, encoding="utf-8", errors="surrogatepass")
    with contextlib.suppress(BlackjackError):
        load_state("run-text.json")
    return read_run("run-text.json")


@cache
def _house_texts() -> tuple[str, ...]:
    folder = resources.files("upcard.rules") / "houses"
    return tuple(item.read_text(encoding="utf-8") for item in folder.iterdir() if item.is_file())


def _data_texts(folder: str) -> tuple[str, ...]:
    place = resources.files("upcard.strategy") / folder
    return tuple(item.read_text(encoding="utf-8") for item in place.iterdir() if item.is_file())


def _chart() -> str:
    rows = [*map(str, range(5, 20)), *(f"A{n}" for n in range(2, 10))]
    rows += [f"{n}{n}" for n in range(2, 11)] + ["AA"]
    lines = ["# a chart", "hand\t" + "\t".join([*map(str, range(2, 11)), "A"])]
    for row in rows:
        cell = "P" if row[0] == row[-1] and len(row) in (2, 4) and not row.startswith("1") else "H"
        lines.append(
            row + f"\t{'S' if row.isdigit() and int(row) >= 17 and cell == 'H' else cell}" * 10
        )
    return "\n".join(lines) + "\n"


_CARDS: Final = ("8D 5H 4D TC 6C 3S", "T 6 8 T 9", "AS KH, 2c 3d", "10H 10D A", "AD")
_RULES: Final = (
    *("6D S17 PEEK DOA DAS SP4 NRSA NS 3:2", "6D H17 LS", "european LS", "INF(4/13) H17", "1D CSM"),
    *("2D OBO D9 NDAS SP1 PEN85", "deshmukh", "8D ENHC DANY SPINF RSA HSA ES 6:5 NOINS"),
    *("6D penetration=3/4 natural_pays=7/5", "6D ace_rule=one-softened charlie=5 max_spots=3"),
    "INF ten_probability=1/3 dealer_rule=until-ahead max_spots=1 max_hands=1",
)
_NAMES: Final = (
    "vegas-strip",
    "deshmukh",
    "european",
    "house.toml",
    "./house.toml",
    "~/house.toml",
)
_CHIPS: Final = ("10", "2.5", "100", "0.1", "2/3", "1000000", "7.25")
_COUNTS: Final = ("hi-lo", "ko", "zen", "wong-halves", "system.toml", "./system.toml")
_RAMPS: Final = ("1-8", "1,1,2,4,8", "1:1 2:2 5:8", "ramp.txt", "-1:0 0:1 3:6", "1/2-4")
_INDICES: Final = ("i18", "fab4", "i18+fab4", "indices.txt", "./indices.txt")
_PLAYS: Final = ("16 v T", "16 v T, insurance", "i18", "15 v T R", "A7 v 2, TT v 6")
_AMOUNTS: Final = ("1000", "1_000_000", "1e6", "2.5M", "1G", "10k", "1,000")
_SHARES: Final = ("0.01%", "0.0001", "5%", "1/2", ".5%", "1e-4")
_SHOES: Final = ("6D", "6D less T T 5", "24 24 24 24 24 24 24 24 24 96", "1D less AS", "2D")
_SPLITS: Final = ("CDZ-", "CDP", "CDP1", "CDP-exact", "full", "full-at-once")
_PLAYERS: Final = (
    *("basic", "mimic", "never-bust", "lott", "lott-simple", "counter", "counter:zen"),
    *("computer:1,17,0.5", "chart:chart.tsv", "counter:system.toml", "computer:1/3,16,1"),
)
_BETTINGS: Final = (
    *("flat", "martingale", "cancellation:1,2,3", "waiting:3", "random", "fibonacci", "paroli"),
    *("dalembert", "cancellation", "waiting"),
)
_COMPANIES: Final = ("basic; you", "you; mimic martingale", "never-bust; you; mimic", "lott", "")
_ANSWERS: Final = ("hit stand", "double", "split hit stand", "no insurance", "even money, stand")
_DRILLS: Final = ("strategy", "whole hands", "deviations", "countdown", "true-count", "1", "bet")
_CLASSES: Final = ("hard,soft", "pair", "surrender", "hard,soft,pair,surrender")
_SEEDS: Final = ("00" * 32, "ab" * 32, "0123456789abcdef" * 4)
_WORDS: Final = ("my own words", "päth", "1", "seed")
_CHOICES: Final = (
    '{"house": "", "rules": "6D LS", "hands": 2, "bet": "5/2", "company": "", "keeps": true}',
    (
        '{"house": "european", "rules": "6D ENHC", "hands": 1, "bet": "10", "company": "",'
        ' "keeps": false}'
    ),
    '{"theme": "dark", "letters": true, "ascii_only": false, "animate": false}',
)

TEXTS: Final[dict[str, Text]] = {
    "rules": Text(
        examples=_RULES,
        readers={
            "rules.model.Rules.parse": _rules,
            "rules.notation.parse_rules": _call("rules.notation.parse_rules"),
            "rules.notation.read_saved_rules": _call("rules.notation.read_saved_rules"),
            "rules.tokens.read_tokens": _tokens,
            "fair.verify_shuffle.read_rules": _verify_shuffle_rules,
            "store.sessions.read_rules": _call("store.sessions.read_rules", ""),
            "cli.rules.rules.read_rules": _call("cli.rules.rules.read_rules"),
        },
    ),
    "house file": Text(
        examples=_house_texts(),
        readers={
            "rules.house.read_house": _call("rules.house.read_house", name="x", where="x"),
            "core.user_files.parse_toml": _call("core.user_files.parse_toml", "x"),
        },
    ),
    "house": Text(examples=_NAMES, readers=_direct("rules.house.load_house")),
    "cards": Text(
        examples=_CARDS, readers=_direct("core.cards.parse_cards", "store.amounts.read_cards")
    ),
    "answers": Text(
        examples=_ANSWERS,
        readers=_direct(
            "core.actions.parse_action",
            "session.review.parse_answers",
            "store.amounts.read_actions",
        ),
    ),
    "hand": Text(
        examples=("T6", "A 7", "8 5 3", "88", "AA", "T 6 v 9", "10 10"),
        readers=_direct("exact.parsing.read_hand", "exact.parsing.read_upcard"),
    ),
    "shoe": Text(
        examples=_SHOES,
        readers={"exact.shoe.read_shoe": _call("exact.shoe.read_shoe", _default_rules)},
    ),
    "split play": Text(examples=_SPLITS, readers=_direct("exact.solve.read_split_play")),
    "chart": Text(
        examples=(_chart(),),
        readers=_direct("strategy.chart.Strategy.parse", "strategy.reading.read_chart"),
    ),
    "chart file": Text(
        examples=("chart.tsv", "./chart.tsv"), readers=_direct("cli.options.read_strategy_file")
    ),
    "chart as JSON": Text(
        examples=(
            '{"format": "upcard chart", "hard": {"5": ["H", "H"]}, "rules": "6D", "ev": -0.004}',
            json.dumps({"title": "x", "rows": {"5": ["H"] * 10, "AA": ["P"] * 10}}),
        ),
        readers=_direct("charts.data.read_json"),
    ),
    "index plays": Text(
        examples=_data_texts("deviation_sets"),
        readers={
            "strategy.deviations.Deviations.parse": _call("strategy.deviations.Deviations.parse"),
            "strategy.deviation_text.read_deviations": _call(
                "strategy.deviation_text.read_deviations", name="x"
            ),
        },
    ),
    "indices": Text(examples=_INDICES, readers=_direct("strategy.deviations.load_deviations")),
    "counting system": Text(
        examples=_data_texts("systems"),
        readers={
            "strategy.counting.read_system": _call("strategy.counting.read_system"),
            "strategy.system_files.read_toml": _call(
                "strategy.system_files.read_toml", name="x", where="x"
            ),
        },
    ),
    "count": Text(examples=_COUNTS, readers=_direct("strategy.counting.load_system")),
    "count question": Text(
        examples=(*_COUNTS, "hi-lo:5", "ko:1", "hi-lo:0", "zen:x"),
        readers=_direct("session.count_options.read_ask_count"),
    ),
    "count typed": Text(
        examples=("3", "-2", "+1", "0", "1/2", "-0.5"),
        readers=_direct("strategy.running.read_count"),
    ),
    "ramp": Text(
        examples=_RAMPS,
        readers={
            "strategy.ramp.read_pairs": _call("strategy.ramp.read_pairs"),
            "strategy.ramp.parse_ramp": _call("strategy.ramp.parse_ramp", _hi_lo, decks=6),
        },
    ),
    "file to read": Text(
        examples=("house.toml", "ramp.txt", "nothing.txt", "x/../ramp.txt", "~/ramp.txt"),
        readers=_direct("core.user_files.read_user_file"),
    ),
    "plays": Text(
        examples=_PLAYS,
        readers=_direct("analysis.indices.questions.read_wanted"),
    ),
    "method": Text(
        examples=("both", "exact", "simulation"),
        readers=_direct("analysis.indices.search.read_method"),
    ),
    "executor": Text(
        examples=("threads", "processes"),
        readers=_direct("simulation.executors.read_executor_kind"),
    ),
    "chips": Text(
        examples=_CHIPS,
        readers={
            "table.state.read_bet": _call("table.state.read_bet"),
            "core.chip_format.read_chips": _call("core.chip_format.read_chips"),
            "cli.options.read_chips": lambda text: _call_option("cli.options.read_chips", text),
            "store.amounts.read_amount": _call("store.amounts.read_amount"),
            "store.amounts.read_amounts": _call("store.amounts.read_amounts"),
            "store.amounts.read_numbers": _call("store.amounts.read_numbers"),
        },
    ),
    "money": Text(examples=("5000", "2.5", "1,000", "10"), readers={}),
    "rounds": Text(
        examples=_AMOUNTS,
        readers={
            "cli.simulate.options.read_amount": lambda text: _call_option(
                "cli.simulate.options.read_amount", text
            )
        },
    ),
    "share": Text(
        examples=_SHARES,
        readers={
            "cli.simulate.options.read_share": lambda text: _call_option(
                "cli.simulate.options.read_share", text
            )
        },
    ),
    "company": Text(examples=_COMPANIES, readers=_direct("session.company.read_company")),
    "player": Text(
        examples=_PLAYERS,
        readers={
            "simulation.registry.make_player": _call(
                "simulation.registry.make_player", _default_rules
            ),
            "documents.roanoke.computer.read_probability": _computer("probability"),
            "documents.roanoke.computer.read_highest": _computer("highest"),
        },
    ),
    "betting": Text(examples=_BETTINGS, readers=_direct("players.betting.make_betting")),
    # The examples of the next three are made when a worker starts, by `campaign.material`.
    "code": Text(
        examples=(),
        readers=_direct("store.codes.decode_round", "store.packing.read_packed"),
    ),
    "reveal file": Text(
        examples=(),
        readers={
            "store.reveals.check_reveal": _reveal,
            "fair.verify_shuffle.main": _verify_shuffle,
        },
    ),
    "run file": Text(
        examples=(),
        readers={
            "core.user_files.parse_json": _call("core.user_files.parse_json", "x"),
            "simulation.document.load_run_document": _file("simulation.document.load_run_document"),
            "analysis.run_file.read_run": _run_state,
            "simulation.checkpoint.load_state": _run_state,
        },
    ),
    "server seed": Text(
        examples=_SEEDS,
        readers={
            "fair.seeds.read_hex": _call("fair.seeds.read_hex", 32, "seed"),
            "fair.seeds.Commitment.parse": _call("fair.seeds.Commitment.parse"),
            "fair.verify_shuffle.read_seed": _verify_shuffle_seed,
        },
    ),
    "player seed": Text(examples=_WORDS, readers=_direct("fair.seeds.read_player_seed")),
    "drill": Text(examples=_DRILLS, readers=_direct("drills.options.read_name")),
    "drill classes": Text(examples=_CLASSES, readers=_direct("drills.options.read_classes")),
    "kept setting": Text(
        examples=_CHOICES,
        readers={
            "tui.start_choice.read_choice": _json_object("tui.start_choice.read_choice"),
            "tui.appearance.read_look": _json_object("tui.appearance.read_look"),
            "store.learning.read_object": _call("store.learning.read_object", "a setting"),
        },
    ),
    "start screen": Text(
        examples=(*_RULES, *_CHIPS, *_COMPANIES, *_COUNTS, "2", "3"),
        readers={"tui.start_choice.Choice.read": _start_entry},
    ),
    # Read by commands only.
    "probability": Text(examples=("4/13", "0.3", "1/2", "0.25"), readers={}),
    "spread": Text(examples=("1-12", "1-8", "2-4", "1/2-3"), readers={}),
    "lowest count": Text(examples=("-1", "best", "2", "0"), readers={}),
    "tokens": Text(examples=("H17", "6:5", "RSA HSA", "LS"), readers={}),
    "format": Text(examples=("text", "svg", "html", "json", "tsv", "md"), readers={}),
    "numbers": Text(examples=("ev", "cost", "none", "both"), readers={}),
    "address": Text(examples=("tcp://127.0.0.1:1", "127.0.0.1:1", "x"), readers={}),
    "file to write": Text(
        examples=("out.txt", "out.csv", "out.svg", "out.json", "sub/out.txt", "-", "out.html"),
        readers={},
    ),
    "source": Text(examples=("1", "2", "RUN.json", "reveal.json", "99", "x.json"), readers={}),
    "hand words": Text(examples=("T6", "v", "9", "A7", "88", "T", "8 5 3"), readers={}),
    # Typed line by line into a game or a drill.
    "line game": Text(
        examples=(
            *("h", "s", "d", "p", "r", "y", "n", "10", "", "?", "hit", "stand", "yes", "no", "2.5"),
            *("b 100", "seed my words", "u", "w", "k", "c", "f", "1", "2", "q", "leave", "rules"),
        ),
        readers={},
    ),
    "drill answers": Text(
        examples=("h", "s", "d", "p", "1", "-2", "0", "1/2", "3.5", "?", "yes", "no", "hit", "q"),
        readers={},
    ),
}


def _call_option(path: str, text: str) -> object:
    """Read a text as click has it read; a `click.BadParameter` is a clean refusal."""
    import click

    module, _, name = path.rpartition(".")
    from importlib import import_module

    try:
        return getattr(import_module(f"upcard.{module}"), name)(None, None, text)
    except click.BadParameter:
        return None


OPTIONS: Final[dict[str, str]] = {
    # An option or argument by its name, or by command and name where that differs.
    "house": "house",
    "rules": "rules",
    "cards": "cards",
    "chips": "chips",
    "bet": "chips",
    "limit": "chips",
    "stake": "chips",
    "company": "company",
    "player_seed": "player seed",
    "player": "player",
    "betting": "betting",
    "drill": "drill",
    "classes": "drill classes",
    "system": "count",
    "count": "count",
    "ask_count": "count question",
    "check_bets": "ramp",
    "indices": "indices",
    "ramp": "ramp",
    "strategy": "chart file",
    "shoe": "shoe",
    "splits": "split play",
    "compare": "tokens",
    "more": "tokens",
    "words": "hand words",
    "kind": "format",
    "numbers": "numbers",
    "output": "file to write",
    "csv": "file to write",
    "plot": "file to write",
    "jsonl": "file to write",
    "export": "file to write",
    "file": "source",
    "path": "source",
    "source": "source",
    "resume": "source",
    "rounds": "rounds",
    "extend": "rounds",
    "paths": "rounds",
    "until": "share",
    "risk": "share",
    "kelly": "share",
    "unit": "money",
    "bankroll": "money",
    "goal": "money",
    "hours": "money",
    "rounds_per_hour": "money",
    "cluster": "address",
    "spread": "spread",
    "wong": "lowest count",
    "plays": "plays",
    "instead": "answers",
    "p": "probability",
    "commitment": "server seed",
    "server_seed": "server seed",
    "text": "rules",
    "counts name": "count",
}

NOT_TEXTS: Final[dict[str, str]] = {
    "fair.verify_shuffle.read_document": "a file: verify_shuffle.main reads it",
    "fair.verify_shuffle.read_number": "a field of a file: verify_shuffle.main reads it",
    "fair.verify_shuffle.read_whole": "a field of a file: verify_shuffle.main reads it",
    "analysis.run_file.CountedRun.parse_ramp": "hands a text on to strategy.ramp.parse_ramp",
    "documents.dialogue.DialogueQuestion.read": "typed in the line game",
    "drills.memory.DrillMemory.load": "the name of a drill; what is kept is a kept setting",
    "drills.strategy.read_answer": "typed in drills",
    "simulation.job.read_ramp": "hands a text on to strategy.ramp.parse_ramp",
    "core.user_files.read_user_stream": "an open file: what read_user_file reads",
    "store.learning.load_drill": "the name of a drill; what is kept is a kept setting",
    "store.settings.load_setting": "the name of a setting; what is kept is a kept setting",
    "strategy.files.read_data_file": "files of the package",
    "tui.app.UpcardApp.load": "the name of a setting",
    "tui.train.actions.ActionScreen.read_key": "one key",
    "tui.train.numbers.NumberScreen.read_key": "one key",
    "tui.train.screen.DrillScreen.read_key": "one key",
    "tui.train.showing.ShowingScreen.read_key": "one key",
}


def kind_of(command: str, name: str) -> str | None:
    """Return the kind of text of an option or argument; None if the table lacks it."""
    return OPTIONS.get(f"{command} {name}", OPTIONS.get(name))
