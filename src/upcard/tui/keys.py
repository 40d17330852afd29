"""Keys of every screen: bindings, the file `keys.toml` that changes them, the line of keys."""

from __future__ import annotations

import string
from asyncio import InvalidStateError
from collections.abc import Awaitable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, TypeAlias, cast

from textual.await_complete import AwaitComplete
from textual.binding import ActiveBinding, Binding, BindingType
from textual.content import Content
from textual.events import Key as KeyPress
from textual.screen import Screen
from textual.widgets import Static

from upcard.core.actions import Action
from upcard.core.errors import UserFileError, quote
from upcard.core.user_files import is_user_file, parse_toml, read_user_file
from upcard.session.table_view import ANSWER_KEYS, KEYS, YES, AnswerKey
from upcard.store.files import keymap_path

if TYPE_CHECKING:
    from upcard.tui.app import UpcardApp

_MOVES_FOCUS: Final = ("app.focus_next", "app.focus_previous")


class Keyed:
    """Mixin of all screens: `say_of_key` reports a key that has no effect now."""

    def __init_subclass__(cls, **options: Any) -> None:
        bindings = cls.__dict__.get("BINDINGS")
        if bindings is not None:
            cls.BINDINGS = list(bind_both_cases(bindings))  # type: ignore[attr-defined]
        super().__init_subclass__(**options)

    WHERE_KEYS_ARE: ClassVar[str] = ""
    """Sentence about the place where keys are listed (default: `?`, or the bottom line)."""

    def on_key(self, event: KeyPress) -> Awaitable[None] | None:
        """Report a key that is not bound here, or whose action is disabled now."""
        found = self.find_binding(event.key)
        if found is None:
            self.say_of_key(self.write_unknown(event.key, event.character))
        elif not found.enabled:
            self.say_of_key(self.why_disabled(found.binding))
        return None

    async def action_press(self, key: str) -> None:
        """Run the action of a binding's id, or press a key: a click on the bottom line."""
        screen = cast("Screen[Any]", self)
        for found in screen.active_bindings.values():
            if found.binding.id == key:
                await screen.app.run_action(found.binding.action, found.node)
                return
        screen.app.simulate_key(key)

    def action_leave(self) -> None:
        """Leave the screen, without a result."""
        self.dismiss()

    def dismiss(self, result: Any = None) -> AwaitComplete:  # noqa: ANN401 (that of any screen)
        """Leave the screen with a result, once, and what is above it first.

        Textual leaves the screen on top, whichever is asked. Also where what waited has ended.
        """
        screen = cast("Screen[Any]", self)
        app = screen.app
        if screen not in app.screen_stack:
            return AwaitComplete()
        while app.screen is not screen:
            app.screen.dismiss()
        try:
            return cast("AwaitComplete", super().dismiss(result))  # type: ignore[misc]
        except InvalidStateError:
            return app.pop_screen()

    def why_disabled(self, binding: Binding) -> str:
        """Return why an action for which `check_action` is None is not possible now."""
        raise NotImplementedError(binding)

    def write_unknown(self, key: str, character: str | None = None) -> str:
        """Write that a key means nothing: `X means nothing here. ? lists the keys.`."""
        listed = "? lists the keys." if self.find_binding("question_mark") else ""
        where = self.WHERE_KEYS_ARE or listed or "The keys are at the bottom."
        return f"{name_key(key, character)} means nothing here. {where}"

    def find_binding(self, key: str) -> ActiveBinding | None:
        """Return what a key is bound to; None if it has no effect on this screen."""
        screen = cast("Screen[Any]", self)
        found = screen.active_bindings.get(key)
        moves = found is not None and found.binding.action in _MOVES_FOCUS
        return None if moves and len(screen.focus_chain) < 2 else found

    def say_of_key(self, words: str) -> None:
        """Report the effect of the last key."""
        raise NotImplementedError


def bind_both_cases(bindings: Iterable[BindingType]) -> Iterable[Binding]:
    """Return bindings in which every letter is bound in upper case too."""
    for binding in bindings:
        made = binding if isinstance(binding, Binding) else Binding(*binding)
        keys = [key.strip() for key in made.key.split(",")]
        upper = [key.upper() for key in keys if len(key) == 1 and key.islower()]
        yield replace(made, key=",".join([*keys, *(key for key in upper if key not in keys)]))


def name_key(key: str, character: str | None = None) -> str:
    """Return a key as it is written on a keyboard: `X`, `F5`, `Page up`, `Ctrl-X`."""
    if character and character.isprintable() and character.strip():
        return character.upper() if character.isascii() else "That key"
    words = key.replace("pageup", "page up").replace("pagedown", "page down")
    *held, last = words.replace("_", " ").split("+")
    return "-".join(part[:1].upper() + part[1:] for part in (*held, last))


def _bind(id: str, keys: str, action: str, description: str, tooltip: str) -> Binding:  # noqa: A002 (Textual's name for it)
    return Binding(keys, action, description, id=id, tooltip=tooltip)


def _bind_answer(one: AnswerKey) -> Binding:
    return _bind(one.id, one.key, f"answer({one.key!r})", one.name, one.effect)


ANSWERS: Final = [_bind_answer(one) for one in ANSWER_KEYS]
_THEME: Final = _bind("view.theme", "t", "app.turn_theme", "Theme", "Use the next theme")
_LETTERS: Final = _bind(
    "view.letters", "l", "app.turn_letters", "Letters", "Write suits as letters or glyphs"
)
_ANIMATION: Final = _bind(
    "view.animation", "a", "app.turn_animation", "Animation", "Deal cards one by one or at once"
)
_MESSAGES: Final = _bind("view.messages", "v", "show_messages", "Messages", "List all messages")
_WHY: Final = _bind("view.why", "w", "explain", "Why", "Show the reasons and values of an answer")
_HELP: Final = _bind("help", "question_mark", "help", "Help", "List the keys of this screen")
_LEAVE: Final = _bind("leave", "q,escape", "leave", "Leave", "Leave this screen")

TABLE: Final[list[Binding]] = [
    *ANSWERS,
    _bind_answer(YES),
    _bind("table.deal", "enter,space", "deal", "Deal", "Deal the next hand, or show all cards"),
    _bind("table.more", "plus,equals_sign,up", "change_bet(1)", "Bet more", "Raise the next bet"),
    _bind("table.less", "minus,down", "change_bet(-1)", "Bet less", "Lower the next bet"),
    _bind("table.side", "tab", "turn_bet", "Side bets", "Type the next side bet, or the bet"),
    _bind("table.chips", "b", "bring_chips", "Bring chips", "Bring chips if bets are not covered"),
    _bind("table.undo", "u", "undo", "Undo", "Take back the last answer, in practice"),
    _bind("table.coach", "c", "turn_coach", "Coach", "Change when the coach speaks"),
    _bind(
        "table.knowledge",
        "k",
        "turn_knowledge",
        "Coach's cards",
        "Let the coach use a fresh shoe or the cards seen",
    ),
    _bind("table.shoe", "f", "show_shoe", "Fair shuffle", "Show the commitment and the seeds"),
    Binding("escape", "skip_count", "Skip the count question"),
    *(_WHY, _MESSAGES, _THEME, _ANIMATION, _LETTERS, _HELP, _LEAVE),
]
REPLAY: Final[list[Binding]] = [
    *ANSWERS,
    _bind_answer(YES),
    _bind("replay.back", "left,up,backspace", "step(-1)", "Back", "Show the question before"),
    _bind("replay.on", "right,down,space,enter", "step(1)", "On", "Show the next question"),
    _bind("replay.first", "home", "go_to(0)", "First", "Show the first question"),
    _bind("replay.end", "end", "go_to(-1)", "End", "Show the end of the round"),
    _bind("replay.mistake", "m", "next_mistake", "Next mistake", "Show the next mistake"),
    _bind("replay.played", "o", "as_played", "As played", "Show the round as it was played"),
    *(_WHY, _MESSAGES, _THEME, _LETTERS, _HELP, _LEAVE),
]
START: Final[list[Binding]] = [
    Binding(
        "enter,p", "play", "Play", id="start.play", tooltip="Sit down at the table", priority=True
    ),
    _bind("start.type", "e", "type", "Type", "Type the value of the chosen row"),
    _bind("start.more", "o", "more", "Other choices", "Choose chips, limits, a ramp or the cards"),
    _bind("start.drills", "d", "drills", "Drills", "Open the drills for these rules"),
    _bind("start.history", "h", "app.open_history", "History", "List your rounds"),
    _bind("start.find", "f", "find", "Find a game", "Find your game by its place and its signs"),
    _bind("start.money", "m", "set_money", "Money", "Set the bet and speed of costs in money"),
    _bind("start.basics", "b", "open_basics", "Basics", "Explain the game in five minutes"),
    *(_THEME, _LETTERS, _ANIMATION, _HELP),
    _bind("start.quit", "q", "app.quit", "Quit", "End the program"),
    Binding("escape", "go_back", "Back"),
]
ROWS: Final[list[Binding]] = [
    _bind("start.down", "left,minus", "screen.turn(-1)", "Turn down", "Use the value before"),
    _bind("start.up", "right,plus,space", "screen.turn(1)", "Turn up", "Use the next value"),
    Binding("pagedown", "screen.scroll_rules(1)", "Rules further down"),
    Binding("pageup", "screen.scroll_rules(-1)", "Rules further up"),
]
HISTORY: Final[list[Binding]] = [
    _bind("history.mistakes", "m", "turn_mistakes", "Mistakes", "List mistakes only, or all"),
    _LEAVE,
]
DRILL: Final[list[Binding]] = [
    *ANSWERS,
    _bind("drill.go_on", "space,enter", "go_on", "Continue", "Show the next question"),
    _bind("drill.next", "space,enter,right", "turn", "Next cards", "Show the next cards"),
    _bind("drill.timer", "t", "toggle_timer", "Timer", "Show cards by a timer, or by the key"),
    _bind("drill.faster", "plus", "change_pace(-1)", "Faster", "Give cards less time"),
    _bind("drill.slower", "minus", "change_pace(1)", "Slower", "Give cards more time"),
    _bind("drill.auto", "a", "toggle_auto", "Pause", "Pause after mistakes only, or always"),
    _HELP,
    _LEAVE,
]
MENU: Final[list[Binding]] = [
    _bind("menu.up", "up,k", "move(-1)", "Up", "Choose the drill above"),
    _bind("menu.down", "down,j", "move(1)", "Down", "Choose the drill below"),
    _bind("menu.begin", "enter,space", "begin", "Begin", "Begin the chosen drill"),
    _bind("menu.options", "o", "options", "Options", "Change rules, count, indices and ramp"),
    _bind("menu.mistakes", "m", "turn_mistakes", "Mistakes", "Ask only mistakes, or everything"),
    _HELP,
    _LEAVE,
]
SCREENS: Final[dict[str, list[Binding]]] = {
    "the table": TABLE,
    "a replay": REPLAY,
    "the start screen": [*START, *ROWS],
    "the history": HISTORY,
    "a drill": DRILL,
    "the menu of drills": MENU,
}
"""All bindings of a screen by its name, as messages write it."""

Keymap: TypeAlias = Mapping[str, tuple[str, ...]]
_IDS: Final = sorted({one.id for screen in SCREENS.values() for one in screen if one.id})
_NAMED: Final = (
    *("enter", "space", "escape", "tab", "backspace", "delete", "insert", "comma"),
    *("home", "end", "pageup", "pagedown", "up", "down", "left", "right"),
    *(f"f{number}" for number in range(1, 13)),
)
_TAKEN: Final = {
    "ctrl+c": "ends the program",
    "ctrl+q": "ends the program",
    "ctrl+z": "suspends the program",
    "ctrl+p": "opens the command palette",
}
_CAPS: Final = {"escape": "Esc", "left": "<-", "right": "->"}


def read_keymap() -> dict[str, tuple[str, ...]]:
    """Return the keys of your keymap by the ids of their bindings; empty without a file."""
    path = keymap_path()
    if not is_user_file(str(path)):
        return {}
    data = parse_toml(read_user_file(path, "keymap"), path, "keymap")
    try:
        keymap = {id_: _read_keys(id_, value) for id_, value in _flatten(data)}
        _check_clashes(keymap)
    except ValueError as error:
        raise UserFileError(path, str(error), "keymap", is_read=True) from None
    return keymap


def write_caps(keymap: Keymap) -> dict[str, str]:
    """Return how the first key of each id is written on the bottom line."""
    return {id_: _CAPS.get(keys[0]) or _write_key(keys[0]) for id_, keys in keymap.items()}


def to_textual(keymap: Keymap) -> dict[str, str]:
    """Return a keymap for `App.set_keymap`: every letter in both cases."""
    return {
        id_: ",".join(dict.fromkeys(case for key in keys for case in (key, _other_case(key))))
        for id_, keys in keymap.items()
    }


def _flatten(data: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield ids and values; `answer.hit` may be written in a table `[answer]` too."""
    for name, value in data.items():
        if isinstance(value, dict):
            yield from ((f"{name}.{key}", one) for key, one in value.items())
        else:
            yield name, value


def _read_keys(id_: str, value: object) -> tuple[str, ...]:
    if id_ not in _IDS:
        near = get_close_matches(id_, _IDS, n=3)
        possible = f"{'similar ones' if near else 'possible'}: {', '.join(near or _IDS)}"
        raise ValueError(f"no action is called {quote(id_)}; {possible}")
    if not isinstance(value, str) or not value.split():
        raise ValueError(
            f'{id_}: write its keys in quotes with blanks between, such as "x" or "x f5"'
        )
    return tuple(_read_key(id_, key) for key in value.split())


def _read_key(id_: str, key: str) -> str:
    key = key.lower()
    control, _, letter = key.rpartition("+")
    if key in _TAKEN:
        raise ValueError(f"{id_}: key {quote(key)} {_TAKEN[key]}; choose another one")
    if key.isdigit() or key == ".":
        raise ValueError(f"{id_}: key {quote(key)} is needed to type numbers; choose another one")
    is_plain = len(key) == 1 and key in string.ascii_lowercase + string.punctuation
    is_control = control == "ctrl" and len(letter) == 1 and letter in string.ascii_lowercase
    if not (is_plain or is_control or key in _NAMED):
        raise ValueError(
            f"{id_}: key {quote(key)} is unknown; possible: a letter, a punctuation mark,"
            f" ctrl+LETTER, {', '.join(_NAMED[:16])}, f1 to f12"
        )
    return _name("comma" if key == "," else key)


def _name(key: str) -> str:
    """Return the name that Textual gives a key."""
    return next(iter(Binding.make_bindings([Binding(key, "")]))).key


def _other_case(key: str) -> str:
    return key.upper() if len(key) == 1 else key


def _write_key(key: str) -> str:
    marks = {_name(mark): mark for mark in string.punctuation if mark != ","} | {"comma": ","}
    return marks.get(key) or name_key(key)


def _check_clashes(keymap: Keymap) -> None:
    for screen, bindings in SCREENS.items():
        found: dict[str, set[str]] = {}
        for id_, keys in _keys_of(bindings, keymap):
            for key in keys:
                found.setdefault(key, set()).add(id_)
        for id_, keys in _keys_of(bindings, keymap):
            for key in keys if id_ in keymap else ():
                others = sorted(found[key] - {id_})
                if others:
                    raise ValueError(
                        f"key {quote(_write_key(key))} is {id_} and {others[0]} on {screen};"
                        " give each of them a key of its own"
                    )


def _keys_of(bindings: list[Binding], keymap: Keymap) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the id, or without one the action, and the keys of each binding."""
    for one in Binding.make_bindings(bindings):
        yield (one.id or one.action, keymap.get(one.id or "", (one.key.lower(),)))


_BAR_IDS: Final = {one.key: one.id for one in (*ANSWER_KEYS, YES)}

SELDOM: Final = 1
"""The weight of a key that is the first to be left out where the bar has no room."""
SOMETIMES: Final = 2
WHY: Final = 4
_LEAVING: Final = 3
_ANSWER: Final = 5
_ALWAYS: Final = 6


class Key(NamedTuple):
    """A key as it is shown: its binding's id or its name, how it is written, what it does."""

    key: str
    cap: str
    words: str
    weight: int = _ANSWER
    """The lighter, the sooner it is left out."""
    short: str | None = None
    """Its effect in fewer words, for a bar without room."""

    @property
    def width(self) -> int:
        """How many columns it takes."""
        return len(self.cap) + 2 + (len(self.words) + 1 if self.words else 0)


HELP_KEY: Final = Key("help", "?", "help", _ALWAYS)
LEAVE_KEY: Final = Key("leave", "Q", "leave", _LEAVING, "")
WHY_KEY: Final = Key("view.why", "W", "why", weight=WHY)
TABLE_KEYS: Final = (WHY_KEY, Key("table.coach", "C", "coach", SELDOM), HELP_KEY, LEAVE_KEY)
"""Keys that the table always shows."""
_SHORT: Final = {
    **{action: "no" for action in Action if action.declines},
    Action.DOUBLE: "dbl.",
    Action.SURRENDER: "surr.",
    Action.INSURANCE: "insure",
    Action.EVEN_MONEY: "even",
}


def answer_keys(options: Iterable[Action]) -> list[Key]:
    """Return the keys of the answers that can be given."""
    return [
        Key(_BAR_IDS[KEYS[action]], KEYS[action].upper(), str(action), _ANSWER, _SHORT.get(action))
        for action in options
    ]


def meant_by(binding: Binding) -> Action | None:
    """Return the answer that a binding would give if it were legal."""
    return next((one for one, key in KEYS.items() if binding.action == f"answer({key!r})"), None)


def fit_keys(keys: Sequence[Key], room: int) -> list[Key]:
    """Return the keys that have room: the least important are left out first, `?` never is.

    Where some are left out, `?` is for more.
    """
    shown = list(keys)
    for take_step, weights in _STEPS:
        while _width(shown) > room and take_step(shown, weights):
            pass
    return shown


def _width(keys: Sequence[Key]) -> int:
    return sum(key.width for key in keys) + max(len(keys) - 1, 0)


def _leave_out(keys: list[Key], weights: Collection[int]) -> bool:
    """Leave out the lightest key of these weights, the last one first; False if there is none."""
    lightest = min((key.weight for key in keys if key.weight in weights), default=None)
    if lightest is None:
        return False
    del keys[max(place for place, key in enumerate(keys) if key.weight == lightest)]
    keys[:] = [key._replace(words="more") if key == HELP_KEY else key for key in keys]
    return True


def _shorten(keys: list[Key], weights: Collection[int]) -> bool:
    """Write one key of these weights shorter, the first one first; False if there is none."""
    for place, key in enumerate(keys):
        if key.weight in weights and key.short is not None and key.words != key.short:
            keys[place] = key._replace(words=key.short)
            return True
    return False


def _strip(keys: list[Key], weights: Collection[int]) -> bool:
    """Leave nothing but the caps of the keys of these weights; False if nothing changes."""
    before = list(keys)
    keys[:] = [key._replace(words="") if key.weight in weights else key for key in keys]
    return keys != before


_STEPS: Final = (
    (_leave_out, (SELDOM, SOMETIMES)),
    (_shorten, (_LEAVING,)),
    (_shorten, (_ANSWER,)),
    (_strip, (_LEAVING, WHY, _ALWAYS)),
    (_strip, (_ANSWER,)),
    (_leave_out, (_LEAVING, WHY, _ANSWER)),
)
"""Ways to gain room, in their order, and the weights of the keys that each concerns."""


class ActionBar(Static):
    """Shows keys; a click on one presses it."""

    app: UpcardApp

    def show(self, keys: Iterable[Key], right: Iterable[Key] = ()) -> None:
        """Show the keys of the moment, and on the right those that always work."""
        caps = self.app.caps  # those of the keymap
        left, fixed = (
            [key._replace(cap=caps.get(key.key, key.cap)) for key in part] for part in (keys, right)
        )
        room = self.size.width or self.app.size.width - 2
        shown = fit_keys([*left, *fixed], room)
        names = {key.key for key in fixed}
        line = Content(" ").join(_write(key) for key in shown if key.key not in names)
        end = Content(" ").join(_write(key) for key in shown if key.key in names)
        gap = " " * max(room - line.cell_length - end.cell_length, 0)
        self.update(line + Content(gap) + end)


def _write(key: Key) -> Content:
    words = f" {key.words}" if key.words else ""
    markup = f"[@click=screen.press('{key.key}')][bold reverse]$cap[/]$words[/]"
    return Content.from_markup(markup, cap=f" {key.cap} ", words=words)
