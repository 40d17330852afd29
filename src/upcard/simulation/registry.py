"""Players by name, and players in a file of Python: what `--player` accepts.

Reading such a file runs it. Therefore only `load_player` reads one, where a person has named it;
it returns the text that a run saves, with a hash of the source. By that text `make_file_player`
makes players in this process and its workers; a text from anywhere else is refused.
"""

from __future__ import annotations

import hashlib
import inspect
import random
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

from upcard.core.actions import Action
from upcard.core.errors import BlackjackError, RulesError, UserFileError, quote
from upcard.core.user_files import expand_user, is_user_file, read_user_file
from upcard.players.bots import ChartPlayer, CountingPlayer, Decider, basic_chart, basic_player
from upcard.players.seen_cards import count_decks, require_upcard
from upcard.rules.model import Rules
from upcard.rules.settings import Surrender
from upcard.strategy.count_system import load_system, system_names
from upcard.table.state import TableView

_WHAT: Final = "player file"
_SUFFIX: Final = ".py"
_DECIDE: Final = "decide"
_DIGITS: Final = 16
_LONGEST: Final = 200


class PlayerSource(NamedTuple):
    """The class of a player, and the file that was run for it; travels to worker processes."""

    file: str
    name: str
    source: str

    def load(self) -> str:
        """Run the file, and return the text of the player."""
        digest = hashlib.sha256(self.source.encode()).hexdigest()[:_DIGITS]
        cls = _choose(self.file, _run(self.file, self.source, digest), self.name)
        text = f"{Path(self.file).name}:{cls.__name__}@{digest}"
        _loaded[text] = self._replace(name=cls.__name__), cls, _find_arguments(text, cls)
        return text


_loaded: dict[str, tuple[PlayerSource, Callable[..., Decider], bool]] = {}
"""The players whose files were run in this process: file, class, whether that takes an `rng`."""


def load_player(text: str) -> str:
    """Run the file of a player that a person names, and return the text for `make_player`.

    Other texts are returned unchanged.
    """
    found = _split(str(text))
    if found is None or text in _loaded or text.partition(":")[0].lower() in _INCLUDED:
        return text
    file, name = found
    return PlayerSource(file, name, read_user_file(file, _WHAT)).load()


def find_source(text: str | None) -> PlayerSource | None:
    """Return the file of a loaded player, for worker processes; None for any other."""
    return _loaded[text][0] if text in _loaded else None


def make_file_player(text: str, rng: random.Random | None) -> FilePlayer:
    """Make a player whose file was loaded."""
    if (known := _loaded.get(text)) is None:
        shown = text.rpartition("@")[0] or text
        raise RulesError(
            f"player {quote(text)} is code in a file, which runs only where you name it: give"
            f" --player {shown}, and the file as it was"
        )
    (file, *_), make, takes_rng = known
    try:
        return FilePlayer(file, make(rng=rng or random.SystemRandom()) if takes_rng else make())
    except Exception as error:
        raise describe_fault(file, error) from error


@dataclass(frozen=True, slots=True)
class FilePlayer:
    """A player in a file; what goes wrong in it is an error with file and line."""

    file: str
    player: Decider

    def decide(self, view: TableView, legal: tuple[Action, ...]) -> Action:
        """Let the player decide."""
        try:
            answer = self.player.decide(view, legal)
        except BlackjackError:
            raise
        except Exception as error:
            raise describe_fault(self.file, error) from error
        for action in legal:
            if action == answer:
                return action
        hand = view.hands[view.active]
        code = getattr(self.player.decide, "__code__", None)
        line = f"line {code.co_firstlineno}: " if code and code.co_filename == self.file else ""
        reason = f"{line}decide() returned {quote(answer)} for {hand}. Legal: {', '.join(legal)}"
        raise UserFileError(self.file, reason, _WHAT, is_read=True)

    @property
    def name(self) -> str:
        """The file and the class."""
        return f"{Path(self.file).name}:{type(self.player).__name__}"

    def __str__(self) -> str:
        return str(self.player)


def _split(text: str) -> tuple[str, str] | None:
    """Split a text into a file and a class, which may be empty; None for any other text."""
    asked, at, digest = text.strip().rpartition("@")
    if not at or len(digest) != _DIGITS:
        asked = text.strip()
    if asked.lower().endswith(_SUFFIX):
        return asked, ""
    file, colon, name = asked.rpartition(":")
    if not colon or not name.isidentifier():
        return None
    if file.lower().endswith(_SUFFIX):
        return file, name
    file = file.replace(".", "/") + _SUFFIX  # as Python names a module
    return (file, name) if is_user_file(file) else None


class _Source(InspectLoader):
    """The loader of a module that was run from its source."""

    def __init__(self, source: str) -> None:
        self._source = source

    def get_source(self, fullname: str) -> str:  # noqa: ARG002 (a loader's signature)
        """Return the text of the module."""
        return self._source


def _run(file: str, source: str, digest: str) -> ModuleType:
    name = f"upcard_player_{digest}"
    # With a loader, as of every module that is imported: without one Python 3.15 warns wherever a
    # line of the file is shown, and from 3.12 on a warning that the file gives can fail. It has the
    # source, as the file may be changed by now, or on another machine.
    module = module_from_spec(ModuleSpec(name, _Source(source), origin=file))
    module.__file__ = file
    sys.modules[module.__name__] = module  # dataclasses look for it there
    try:
        exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)  # noqa: S102 (asked for)
    except (Exception, SystemExit) as error:
        del sys.modules[module.__name__]
        raise describe_fault(file, error) from error
    return module


def describe_fault(file: str, error: BaseException) -> UserFileError:
    """Describe what the code of a file raised: its last line there, and the error."""
    frames = traceback.extract_tb(error.__traceback__)
    line = next((one.lineno for one in reversed(frames) if one.filename == file), None)
    if isinstance(error, SyntaxError) and error.filename == file:
        line = error.lineno
    words = " ".join(str(error.msg if isinstance(error, SyntaxError) else error).split())
    where = "" if line is None else f"line {line}: "
    reason = f"{where}{type(error).__name__}: {words[:_LONGEST]}".removesuffix(": ")
    return UserFileError(file, reason, _WHAT, is_read=True)


def _choose(file: str, module: ModuleType, name: str) -> type[Any]:
    players = {
        key: value
        for key, value in vars(module).items()
        if inspect.isclass(value) and callable(getattr(value, "decide", None))
    }
    own = [
        key
        for key, value in players.items()
        if value.__module__ == module.__name__ and not key.startswith("_")
    ]
    if not own and callable(decide := vars(module).get(_DECIDE)):
        of_class = {_DECIDE: staticmethod(decide), "__module__": module.__name__}
        players[_DECIDE] = type(_DECIDE, (), of_class)
        own = [_DECIDE]
    if name in players:
        return players[name]
    if name and own:
        reason = f"no player in it is called {quote(name)}: {_list(own)}"
    elif not own:
        reason = (
            "no player is in it: write a class that is a Player, or has decide(view, legal), or a"
            " function decide(view, legal)"
        )
    elif len(own) == 1:
        return players[own[0]]
    else:
        example = f"{Path(file).name}:{own[0]}"
        reason = f"{len(own)} players are in it: name one, such as {example}; {_list(own)}"
    raise UserFileError(file, reason, _WHAT, is_read=True)


def _list(names: list[str]) -> str:
    return f"it has {', '.join(names)}"


def _find_arguments(text: str, cls: type[Any]) -> bool:
    try:
        parameters = inspect.signature(cls).parameters
    except ValueError:  # made in C
        return False
    needed = [
        one.name
        for one in parameters.values()
        if one.default is one.empty
        and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
        and one.name != "rng"
    ]
    if needed:
        raise RulesError(
            f"player {quote(text.rpartition('@')[0])}: {cls.__name__}() needs {', '.join(needed)}:"
            " give a default for each argument but rng, the random numbers of the table"
        )
    return "rng" in parameters


_HI_LO: Final = "hi-lo"
_LINES: Final = {
    "basic": "the optimal chart for these rules and decks, computed exactly",
    "chart:FILE": "your own chart, a file in the format that upcard prints",
    "computer:P12,HIGHEST,PHIGH": "document 004's computer, such as computer:1,17,0.5",
    "counter": "basic play, a 1-8 ramp by a count, i18 for Hi-Lo: counter or counter:zen",
    "FILE.py:CLASS": "your own, a class in a Python file: ann.py:Ann, or ann.py with one player",
    "lott": "document 003's default player: rejects every offer, hits on 16 or less",
    "lott-simple": "document 003's simple player: splits aces and eights, doubles 10 and 11",
    "mimic": "plays as the dealer of the house does",
    "never-bust": "stands on hard 12, soft 18 or more, hits everything else",
    "perfect": "knows every card that has gone: the exact best answer for those left",
}


_INCLUDED: Final = {name.partition(":")[0] for name in _LINES if "FILE" not in name}


def read_included(text: str) -> str:
    """Return the text of a player that comes with upcard, for a door that runs and reads no file.

    Raises: RulesError for any other.
    """
    name, colon, details = text.lower().partition(":")
    takes = {"counter": details in system_names(), "computer": True}.get(name, False)
    if name not in _INCLUDED or (colon and not takes):
        raise RulesError(
            f"player {quote(text)}: none in a file, which is code; here are those that come with"
            f" upcard, with no file: {', '.join(sorted(_INCLUDED))}"
        )
    return text


def player_names() -> dict[str, str]:
    """Return the names of the players, with a line about each."""
    return dict(_LINES)


def make_player(text: str, rules: Rules, rng: random.Random | None = None) -> Decider:
    """Make a player by name for a table with these `rules`.

    The computer and players in a file use `rng` (default: the operating system's entropy). Players
    in a file are loaded before, by `load_player`.

    >>> from upcard.rules.model import Rules
    >>> print(make_player("mimic", Rules()))
    Mimic: no hand
    """
    name, colon, details = str(text).strip().partition(":")
    match name.strip().lower(), bool(colon):
        case "mimic" | "never-bust" | "lott" | "lott-simple" as known, False:
            from upcard.documents import lott

            if known == "lott-simple":
                require_upcard(rules, "player lott-simple")
            return {
                "mimic": lott.DealerMimic,
                "never-bust": lott.NeverBust,
                "lott": lott.Player,
                "lott-simple": lott.SimpleBlackjackPlayer,
            }[known]()
        case "basic", False:
            require_upcard(rules, "player basic", reads_hole=True)
            return basic_player(rules)
        case "counter", _:
            return _make_counter(details if colon else _HI_LO, rules)
        case "perfect", False:
            from upcard.players.perfect import PerfectPlayer

            return PerfectPlayer(rules)
        case "computer", _:
            return _make_computer(text, details, rng)
        case "chart", _:
            require_upcard(rules, "player chart", reads_hole=True)
            player = _read_chart_player(details.strip())
            player.strategy.require_dealer(shows_hole=rules.shows_hole, who="player chart")
            return player
        case known, True if known in _LINES:
            raise RulesError(f"player {str(text)!r}: {known} takes nothing after a colon")
        case _ if _split(str(text)) is not None:
            return make_file_player(str(text), rng)
    raise RulesError(f"no player is called {str(text)!r}: one of {', '.join(_LINES)}")


def check_player(text: str, rules: Rules) -> None:
    """Check that a player can play by these `rules`, without computing a chart."""
    name, colon, details = str(text).strip().partition(":")
    match name.strip().lower(), bool(colon):
        case "basic", False:
            require_upcard(rules, "player basic", reads_hole=True)
        case "counter", _:
            count_decks(rules, load_system((details if colon else _HI_LO).strip()))
        case _:
            make_player(text, rules)


def _make_counter(system: str, rules: Rules) -> CountingPlayer:
    """Make a counter; indices are published for Hi-Lo, other counts play by the chart."""
    from upcard.strategy.deviations import load_deviations
    from upcard.strategy.ramp import parse_ramp

    count = load_system(system.strip())
    count_decks(rules, count)
    deviations = None
    if count.name == _HI_LO:
        surrenders = rules.surrender is not Surrender.NONE
        deviations = load_deviations("i18+fab4" if surrenders else "i18", count)
    require_upcard(rules, "player counter")
    return CountingPlayer(
        basic_chart(rules),
        count,
        rules=rules,
        deviations=deviations,
        ramp=parse_ramp("1-8", count, decks=rules.decks or 1),
        name="Counter" if count.name == _HI_LO else f"Counter by {count.name}",
    )


def _make_computer(text: str, details: str, rng: random.Random | None) -> Decider:
    from upcard.documents.roanoke import Computer

    numbers = details.split(",")
    if len(numbers) != 3:
        raise RulesError(
            f"player {str(text)!r}: the computer needs three numbers, the probability of hitting"
            " on 12, the highest count for a hit and its probability, as in computer:1,17,0.5"
        )
    return Computer(numbers[0], numbers[1], numbers[2], rng=rng)


def _read_chart_player(file: str) -> ChartPlayer:
    from upcard.strategy.chart import load_strategy

    if not file:
        raise RulesError("player 'chart:' needs a file, as in chart:my-chart.tsv")
    return ChartPlayer(load_strategy(file), name=expand_user(file).stem)
