#!/usr/bin/env bash
# States: Textual answers SIGTSTP and SIGCONT from its first app on, and goes on to do so when
#   App.run() has returned. A program that goes on and is then continued (Ctrl-Z and fg, or a
#   SIGCONT of its shell) takes the terminal again, outside its loop: RuntimeError.
# Seen with: textual 8.2.8, CPython 3.11.7, 2026-11-28.
# Matters: anyone who shows a screen and then does other work, or asks a second question. Save both
#   handlers before App.run() and restore them after it.
. "$(dirname -- "${BASH_SOURCE[0]}")/common"

install textual==8.2.8
cat >"$work/screen.py" <<'END'
import signal
import sys

from textual.app import App


class Screen(App):
    def on_mount(self):
        self.exit()


numbers = (signal.SIGTSTP, signal.SIGCONT)
before = [signal.getsignal(number) for number in numbers]
Screen().run()
with open(sys.argv[1], "w") as said:
    for number, handler in zip(numbers, before):
        print(number.name, signal.getsignal(number) == handler, file=said)
    try:
        signal.raise_signal(signal.SIGCONT)
    except RuntimeError as error:
        print(f"RuntimeError: {error}", file=said)
END
cat >"$work/terminal.py" <<'END'
import os
import pty
import sys

pty.spawn([sys.executable, *sys.argv[1:]], lambda file: os.read(file, 1024) and b" ")
END
show() {
    run terminal.py "$work/screen.py" "$work/said" >/dev/null 2>&1 </dev/null
    cat "$work/said"
}
expect show <<'END'
SIGTSTP False
SIGCONT False
RuntimeError: no running event loop
END
