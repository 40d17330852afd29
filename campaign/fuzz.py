"""Every text that upcard takes from outside, mutated: it is taken, or refused in one line.

Most inputs go straight to what reads them; every `_COMMAND_EVERY`-th is a whole command line, with
lines typed into it where it asks for some, run in this process.
"""

from __future__ import annotations

import contextlib
import os
import signal
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from campaign.case import FindingError, Subject, describe_error
from campaign.entries import TEXTS
from campaign.material import make_material
from campaign.mutation import choose_text
from upcard.core.errors import BlackjackError

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from campaign.case import Case
    from campaign.entries import Text

_COMMAND_EVERY: Final = 40
_SECONDS: Final = 10.0
_SHOWN: Final = 300


class HangError(BaseException):
    """It takes too long. No `except Exception` may swallow this."""


def start(folder: Path) -> Callable[[Case], None]:
    """Make files to read, stop upcard where work would begin, and return what runs a case."""
    from campaign.fuzz_commands import CommandFuzzer
    from campaign.seams import close_seams

    os.chdir(folder)
    material = make_material(folder / "material")
    texts = TEXTS | {
        "code": replace(TEXTS["code"], examples=material.codes),
        "reveal file": replace(TEXTS["reveal file"], examples=material.reveals),
        "run file": replace(TEXTS["run file"], examples=material.runs),
    }
    close_seams()
    signal.signal(signal.SIGPROF, _ring)
    commands = CommandFuzzer(folder, material, texts)
    pairs = [
        (name, reader) for name, text in sorted(texts.items()) for reader in sorted(text.readers)
    ]

    def run(case: Case) -> None:
        if case.number % _COMMAND_EVERY == 0:
            with limit_time(commands.describe):
                commands.run(case)
            case.count("command lines")
        else:
            name, reader = pairs[case.number % len(pairs)]
            read_one(case.rng, texts[name], reader)
            case.count("texts read")

    return run


def read_one(rng: random.Random, text: Text, reader: str) -> None:
    """Hand a text to a reader.

    Raises: FindingError unless it is read or refused with a BlackjackError.
    """
    written = choose_text(rng, text.examples)
    with limit_time(lambda: f"upcard.{reader} reads {shorten(written)}"):
        try:
            text.readers[reader](written)
        except BlackjackError as error:
            message = str(error)
            if not message.strip():
                msg = f"upcard.{reader}: an empty refusal of {shorten(written)}"
                raise FindingError(msg) from None
        except FindingError:
            raise
        except Exception as error:
            msg = f"upcard.{reader} reads {shorten(written)}:\n{describe_error(error)}"
            raise FindingError(msg) from None


@contextlib.contextmanager
def limit_time(what: Callable[[], str]) -> Iterator[None]:
    """Turn what takes more than ten seconds of a processor into a finding.

    On a busy machine that can be minutes; the subject's patience ends what waits for nothing.

    Raises: FindingError.
    """
    signal.setitimer(signal.ITIMER_PROF, _SECONDS)
    try:
        yield
    except HangError:
        msg = f"it takes over {_SECONDS:.0f} s: {what()}"
        raise FindingError(msg) from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _ring(*_: object) -> None:
    raise HangError


def shorten(text: str) -> str:
    """Write a text so that it can be read, in one line."""
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}... ({len(text)} characters)"


SUBJECT: Final = Subject(
    name="fuzz",
    about="every text from outside, mutated: taken or refused in one line, never a traceback",
    unit="inputs",
    quick=60_000,
    long=1_000_000,
    start=start,
    patience=120.0,
    megabytes=3000,
)
