#!/usr/bin/env bash
# States: Textual's Screen.dismiss() leaves the screen on top, whichever screen is asked: a page that
#   is dismissed twice takes the page below it along, and a page that is dismissed while another
#   (the command palette) lies over it gives its result, and stays, while the other goes.
# Seen with: textual 8.2.8, CPython 3.11.7, 2026-11-28.
# Matters: two fast keys, or a worker that ends while the palette is open. Before you dismiss a
#   screen look whether it is in `app.screen_stack`, and dismiss first what lies over it.
. "$(dirname -- "${BASH_SOURCE[0]}")/common"

install textual==8.2.8
cat >"$work/pages.py" <<'END'
import asyncio

from textual.app import App
from textual.screen import Screen


async def main():
    app = App()
    async with app.run_test() as pilot:
        a, b = Screen(name="a"), Screen(name="b")
        given = []

        def names():
            return " ".join(screen.name or screen.id for screen in app.screen_stack)

        await app.push_screen(a)
        await app.push_screen(b)
        print("three:", names())
        b.dismiss()
        b.dismiss()
        print("b dismissed twice:", names())

        a, b = Screen(name="a"), Screen(name="b")
        await app.push_screen(a, given.append)
        await app.push_screen(b)
        a.dismiss("done")
        await pilot.pause()
        print("a dismissed under b:", names(), given)


asyncio.run(main())
END
expect run pages.py <<'END'
three: _default a b
b dismissed twice: _default
a dismissed under b: _default a ['done']
END
