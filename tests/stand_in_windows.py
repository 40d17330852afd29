"""A stand-in for Windows: modules of upcard see an `os`, `sys`, `signal` and `select` as there.

Run as a program it imports every module of upcard, runs commands and asks for pages, and prints
what failed as JSON. The rest of Python sees the system that there is; paths and files are its own.
"""

import builtins
import importlib
import io
import json
import os
import pkgutil
import select
import signal
import socket
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType, SimpleNamespace

MISSING_MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "termios", "tty")
MISSING_NAMES = {
    "os": (
        *("PRIO_PROCESS", "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "WNOHANG"),
        *("chown", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getgroups"),
        *("getloadavg", "getpgid", "getpgrp", "getpriority", "getsid", "getuid", "killpg"),
        *("mkfifo", "nice", "openpty", "posix_spawn", "pread", "pwrite", "register_at_fork"),
        *("sched_getaffinity", "sched_setaffinity", "sendfile", "setpgid", "setpriority"),
        *("setsid", "statvfs", "sync", "sysconf", "tcgetpgrp", "tcsetpgrp", "ttyname", "uname"),
        *("wait", "waitid", "wait3", "wait4", "fchmod"),
    ),
    "signal": (
        *("SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP"),
        *("SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGUSR1", "SIGUSR2", "SIGWINCH", "alarm", "pause"),
        *("pthread_kill", "pthread_sigmask", "setitimer", "siginterrupt", "sigwait"),
    ),
    "select": ("epoll", "kqueue", "poll"),
    "socket": ("AF_UNIX", "SO_REUSEPORT", "socketpair_unix"),
    "time": ("tzset",),
}
SIGNALS = ("SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM")


class StandIn(ModuleType):
    """A module with other values for some names, and without some others."""

    def __init__(self, real, **names):
        super().__init__(real.__name__)
        vars(self).update(_real=real, _names=names)

    def __getattr__(self, name):
        if name in self._names:
            return self._names[name]
        if name in MISSING_NAMES.get(self.__name__, ()):
            raise AttributeError(f"Windows has no {self.__name__}.{name}")
        return getattr(self._real, name)

    def __setattr__(self, name, value):
        setattr(self._real, name, value)


def select_sockets(reading, writing, failing, timeout=None):
    for one in (*reading, *writing, *failing):
        if not isinstance(one, socket.socket):
            raise OSError(10038, "An operation was attempted on something that is not a socket")
    return select.select(reading, writing, failing, timeout)


def set_handler(number, handler):
    if signal.Signals(number).name not in SIGNALS:
        raise ValueError("invalid signal value")
    return signal.signal(number, handler)


class Console:
    """The part of Windows that its consoles answer; it notes the modes that are set."""

    def __init__(self):
        self.modes = []

    def GetConsoleMode(self, console, mode):  # noqa: N802 (Windows' name)
        mode._obj.value = 3
        return 1

    def SetConsoleMode(self, console, mode):  # noqa: N802 (Windows' name)
        self.modes.append(mode)
        return 1


def make_modules(console):
    """Return the modules that upcard sees, by name."""
    import ctypes
    import time

    return {
        "os": StandIn(os, name="nt"),
        "sys": StandIn(sys, platform="win32"),
        "signal": StandIn(signal, signal=set_handler),
        "select": StandIn(select, select=select_sockets),
        "socket": StandIn(socket),
        "time": StandIn(time),
        "ctypes": StandIn(ctypes, windll=SimpleNamespace(kernel32=console)),
        "msvcrt": SimpleNamespace(get_osfhandle=lambda file: file),
    }


def install(console):
    """Have every module of upcard that is imported from now on see Windows."""
    modules = make_modules(console)

    def import_module(name, names=None, local=None, given=(), level=0):
        if level == 0 and name in MISSING_MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if level == 0 and name in modules:
            return modules[name]
        return builtins.__import__(name, names, local, given, level)

    names = vars(builtins) | {"__import__": import_module}

    class Loader(SourceFileLoader):
        def exec_module(self, module):
            vars(module)["__builtins__"] = names
            exec(self.get_code(module.__name__), vars(module))  # noqa: S102 (our own)

    class Finder(PathFinder):
        @classmethod
        def find_spec(cls, name, path=None, target=None):
            spec = super().find_spec(name, path, target) if name.startswith("upcard") else None
            if spec is not None and type(spec.loader) is SourceFileLoader:
                spec.loader = Loader(spec.loader.name, spec.loader.path)
            return spec

    sys.meta_path.insert(0, Finder)


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self):
        return True

    def fileno(self):
        return 1


def run_command(*words, typed="", shown=None):
    """Return the exit code of a command, and what it wrote."""
    from upcard.cli.app import run

    shown = shown or io.StringIO()
    sys.stdin = io.StringIO(typed)
    with redirect_stdout(shown), redirect_stderr(shown):
        code = run(list(words))
    return code, shown.getvalue()


def import_everything():
    """Yield the modules that cannot be imported, and why."""
    import upcard

    for module in pkgutil.walk_packages(upcard.__path__, "upcard."):
        if module.name.endswith(".__main__"):
            continue
        try:
            importlib.import_module(module.name)
        except Exception as error:  # noqa: BLE001 (it is the finding)
            yield module.name, f"{type(error).__name__}: {error}"


def ask_pages():
    """Yield each page of the navigation, and its status."""
    from starlette.testclient import TestClient
    from web_server import KEY, ORIGIN, make_site

    from upcard.web.app import make_app
    from upcard.web.showing import NAVIGATION

    key = {"Authorization": f"Bearer {KEY}"}
    with TestClient(make_app(make_site()), base_url=ORIGIN, headers=key) as client:
        for address, _ in NAVIGATION:
            yield address, client.get(address).status_code


def main(folder):
    """Try all of it in an empty folder, and print what came of it."""
    console = Console()
    install(console)
    os.chdir(folder)
    game = ("--rules", "2D H17 LS", "--cards", "TS TD 6H 7C")
    play = run_command("play", *game, typed="10\nsurrender\n")
    colours = run_command("chart", "--rules", "6D", shown=Terminal())
    commands = [
        ("--help",),
        ("rules", "6D H17"),
        ("solve", "88 v T"),
        ("edge", "--rules", "6D H17 LS"),
        ("simulate", "--rounds", "2000", "--seed", "1", "--workers", "1", "-o", "run.json"),
        ("simulate", "--rounds", "2000", "--seed", "1", "--workers", "1", "-o", "run.json"),
        ("stats",),
        ("history",),
        ("train", "--ready"),
        ("cache",),
    ]
    report = {
        "play": play,
        "colours": [colours, console.modes],
        "commands": {" ".join(words): run_command(*words) for words in commands},
        "pages": dict(ask_pages()),
        "modules": dict(import_everything()),
        "files": sorted(path.name for path in Path().iterdir()),
    }
    json.dump(report, sys.__stdout__)


if __name__ == "__main__":
    main(sys.argv[1])
