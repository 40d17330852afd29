"""`serve`: bind first, print the link, open the browser, and answer until Ctrl-C."""

import gc
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from html import escape
from pathlib import Path
from threading import Thread

from upcard.core.user_files import forbid_user_files
from upcard.session.machine_code import compile_soon
from upcard.store.database import open_store
from upcard.web import door


def serve(options: door.ServeOptions, say: Callable[[str], object]) -> None:
    """Serve until Ctrl-C or a signal; `say` prints a line."""
    if options.new_key and options.is_practice:
        raise door.ServeError(
            "--new-key with --practice: a practice server has a new key at each start"
        )
    names = door.host_names(options)
    listener = _listen(options)
    port = listener.getsockname()[1]
    with listener:
        if options.is_practice:
            key, store = door.make_secret(), None
        else:
            key, store = door.load_key(makes_new=options.new_key), open_store()
        forbid_user_files()
        host = options.host if options.host and not door.is_any(options.host) else door.LOOPBACK
        path = f":{port}{door.OPEN_PATH}?key={key}"
        link = f"http://{door.bracket(options.name or host)}{path}"
        local = f"http://{door.LOOPBACK}{path}"
        say(f"upcard runs at\n  {link}")
        if options.host is not None and not door.is_loopback(options.host):
            say(
                "Other devices of your network can open this link. The connection is not encrypted:"
                " other people on that network can read the key and the cards."
            )
        saved = "Practice: nothing is saved. " if options.is_practice else ""
        say(f"{saved}Ctrl-C stops it.")
        if sys.stdout.isatty() and (told := compile_soon()):
            say(told)
        # The socket listens, so the browser starts while the pages are loaded.
        opener = _Opener(
            local if door.listens_here(options) else link, is_wanted=options.opens_browser
        )
        opener.open()
        gc.disable()  # until all is loaded: many objects are made, and few are given up
        hosts = frozenset(f"{name}:{port}" for name in names)
        if port == 80:
            hosts |= names  # browsers leave out the usual port
        try:
            from upcard.web.serving import answer_on

            opened = door.Door(hosts=hosts, key=key, port=port)
            answer_on(listener, door=opened, store=store, rules=options.rules)
        finally:
            opener.close()
            gc.enable()


def _listen(options: door.ServeOptions) -> socket.socket:
    host = options.host or door.LOOPBACK
    try:
        (family, kind, protocol, _, place), *_ = socket.getaddrinfo(
            host, options.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", error)
        raise door.ServeError(f"--host {host!r} is not an address of this machine: {why}") from None
    listener = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":  # elsewhere it would let two programs share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise door.ServeError(
            f"cannot listen on {host}, port {options.port}: {error.strerror};"
            " --port 0 chooses a free port"
        ) from None
    return listener


class _Opener:
    """Opens the browser on a file with the link, so that no list of processes shows the key."""

    def __init__(self, link: str, *, is_wanted: bool) -> None:
        self._link = link
        self._is_wanted = is_wanted and _has_desktop()
        self._file: Path | None = None

    def open(self) -> None:
        """Open it in a thread; some browsers return only when they are closed."""
        if not self._is_wanted:
            return
        import tempfile

        handle, path = tempfile.mkstemp(suffix=".html", prefix="upcard-")
        self._file = Path(path)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            link = escape(self._link)
            file.write(
                "<!DOCTYPE html><title>upcard</title>"
                f'<meta http-equiv="refresh" content="0;url={link}"><a href="{link}">upcard</a>'
            )
        Thread(target=_show, args=(self._file.as_uri(),), daemon=True).start()

    def close(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.unlink()


def _show(address: str) -> None:
    """Open an address in the browser; this module is for those who want that."""
    import webbrowser

    webbrowser.open(address)


def _has_desktop() -> bool:
    """Whether a browser would open a window, not take the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
