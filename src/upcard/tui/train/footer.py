"""The bottom line of the drills, and what they write in it."""

from __future__ import annotations

from typing import Final

from upcard.tui.action_bar import HELP_KEY, LEAVE_KEY, Key

MUTED: Final = "$foreground 65%"
"""The style of what matters less."""
HELP: Final = HELP_KEY
LEAVE: Final = LEAVE_KEY
GO_ON: Final = Key("drill.go_on", "any key", "goes on")
FOOT_CSS: Final = """
#drill-foot {
    dock: bottom; height: 1; padding: 0 1; background: $panel;
    link-color: $foreground; link-style: none; link-background: transparent;
    link-color-hover: $foreground; link-style-hover: bold; link-background-hover: $primary 40%;
}
"""
