"""The keys of every screen: bindings whose ids a keymap may give other keys."""

from __future__ import annotations

from typing import Final

from textual.binding import Binding

from upcard.session.table_view import ANSWER_KEYS, YES, AnswerKey


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
    _WHY,
    _MESSAGES,
    _THEME,
    _ANIMATION,
    _LETTERS,
    _HELP,
    _LEAVE,
]
REPLAY: Final[list[Binding]] = [
    *ANSWERS,
    _bind("replay.back", "left,up,backspace", "step(-1)", "Back", "Show the question before"),
    _bind("replay.on", "right,down,space,enter", "step(1)", "On", "Show the next question"),
    _bind("replay.first", "home", "go_to(0)", "First", "Show the first question"),
    _bind("replay.end", "end", "go_to(-1)", "End", "Show the end of the round"),
    _bind("replay.mistake", "m", "next_mistake", "Next mistake", "Show the next mistake"),
    _bind("replay.played", "o", "as_played", "As played", "Show the round as it was played"),
    _WHY,
    _MESSAGES,
    _THEME,
    _LETTERS,
    _HELP,
    _LEAVE,
]
START: Final[list[Binding]] = [
    Binding(
        "enter,p", "play", "Play", id="start.play", tooltip="Sit down at the table", priority=True
    ),
    _bind("start.type", "e", "type", "Type", "Type the value of the chosen row"),
    _bind("start.drills", "d", "drills", "Drills", "Open the drills for these rules"),
    _bind("start.history", "h", "app.open_history", "History", "List your rounds"),
    _THEME,
    _LETTERS,
    _ANIMATION,
    _HELP,
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
    _bind("drill.go_on", "space,enter", "go_on", "Go on", "Show the next question"),
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
