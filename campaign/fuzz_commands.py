"""Whole command lines at random: options, arguments, files and typed lines, run in this process."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Final

import click

from campaign.case import FindingError, describe_error
from campaign.console import talk
from campaign.entry_points import kind_of
from campaign.material import copy_store
from campaign.mutation import choose_text

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator
    from pathlib import Path

    from campaign.case import Case
    from campaign.entries import Text
    from campaign.material import Material

_NEW_STORE_EVERY: Final = 100
_MOST_ERROR_LINES: Final = 3
_INTEGERS: Final = ("0", "1", "2", "3", "7", "-1", "999999999999999999999", "x", "1.5", "")
_FLOATS: Final = ("1", "0.5", "5000", "-1", "nan", "inf", "1e308", "1e-308", "x", "0")
_TYPED: Final = {"play": "line game", "train": "drill answers"}
_SERVERS: Final = ("web",)
_SETTINGS: Final = ("choice", "look", "coach", "felt", "table")
_CODES: Final = (0, 2)
_NOT_AFTER_ALL: Final = 1
"""`upcard verify`: something does not fit."""
_FILES: Final = {
    "house.toml": "house file",
    "chart.tsv": "chart",
    "system.toml": "counting system",
    "ramp.txt": "ramp",
    "indices.txt": "index plays",
    "RUN.json": "run file",
    "reveal.json": "reveal file",
    "answers.jsonl": "lines of answers",
}


def list_commands() -> dict[str, click.Command]:
    """Return all commands of upcard by name, without those that run until they are stopped."""
    from upcard.cli.app import cli

    context = click.Context(cli)
    found = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    return {
        name: command
        for name, command in found.items()
        if command is not None and name not in _SERVERS
    }


def list_parameters() -> Iterator[tuple[str, click.Parameter]]:
    """Go through all options and arguments of all commands."""
    for name, command in list_commands().items():
        for parameter in command.params:
            yield name, parameter


def is_text(parameter: click.Parameter) -> bool:
    """Whether click hands the text on as it is, for upcard to read."""
    is_flag = isinstance(parameter, click.Option) and parameter.is_flag
    return isinstance(parameter.type, click.types.StringParamType) and not is_flag


class CommandFuzzer:
    """Makes command lines in a folder and runs them."""

    def __init__(self, folder: Path, material: Material, texts: dict[str, Text]) -> None:
        self.folder = folder
        self.material = material
        self.texts = texts
        self.commands = list_commands()
        self.words: list[str] = []
        self.typed: list[str] = []
        self._runs = 0

    def describe(self) -> str:
        """Write the command that is running."""
        words = " ".join(
            repr(word) if len(word) < 200 else f"{word[:200]!r}..." for word in self.words
        )
        typed = f" typed {self.typed}" if self.typed else ""
        files = {
            name: (self.folder / name).read_text(encoding="utf-8", errors="replace")[:200]
            for name in _FILES
            if name in " ".join(self.words)
        }
        return f"upcard {words}{typed}" + (f" files {files}" if files else "")

    def run(self, case: Case) -> None:
        """Run one command line.

        Raises: FindingError unless it ends with 0, or with 2 and one line.
        """
        rng = case.rng
        data = self.folder / "data"
        if self._runs % _NEW_STORE_EVERY == 0:
            copy_store(self.material, data)
        self._runs += 1
        if rng.random() < 0.05:
            self._change_settings(rng)
        name = rng.choice(list(self.commands))
        self.words = [name, *self._choose_words(rng, name)]
        self._write_files(rng)
        kind = _TYPED.get(name)
        self.typed = []
        if kind is not None:
            examples = self.texts[kind].examples
            lines = [choose_text(rng, examples, wildness=0.4) for _ in range(rng.randint(0, 25))]
            self.typed = [
                line.replace("\n", " ").encode("utf-8", "replace").decode() for line in lines
            ]
        try:
            answer = talk(self.words, self.typed)
        except FindingError:
            raise
        except (Exception, SystemExit) as error:
            msg = f"{self.describe()}:\n{describe_error(error)}"
            raise FindingError(msg) from None
        self._check(answer.code, answer.out, answer.err)

    def _check(self, code: int, out: str, err: str) -> None:
        allowed = (*_CODES, _NOT_AFTER_ALL) if self.words[0] == "verify" else _CODES
        if code not in allowed:
            msg = f"{self.describe()} ended with {code}:\n{err[-600:]}"
            raise FindingError(msg)
        if "Traceback" in out + err:
            msg = f"{self.describe()} printed a traceback:\n{(out + err)[-600:]}"
            raise FindingError(msg)
        lines = err.strip().splitlines()
        if code == _CODES[1] and not 1 <= len(lines) <= _MOST_ERROR_LINES:
            msg = f"{self.describe()} refused in {len(lines)} lines:\n{err[-600:]}"
            raise FindingError(msg)
        writes_json = "--json" in self.words and not {"--export", "-h"} & set(self.words)
        if writes_json and code == 0 and out.strip():
            _check_json(self.describe(), out)

    def _choose_words(self, rng: random.Random, name: str) -> list[str]:
        parameters = self.commands[name].params
        words: list[str] = []
        for parameter in parameters:
            is_argument = isinstance(parameter, click.Argument)
            if is_argument and (parameter.required or rng.random() < 0.5):
                many = rng.randint(1, 3) if parameter.nargs != 1 else 1
                words += [self._choose_value(rng, name, parameter) for _ in range(many)]
        options = [one for one in parameters if isinstance(one, click.Option)]
        for option in rng.sample(options, min(rng.choice((0, 1, 1, 2, 2, 3, 4, 6)), len(options))):
            words.append(rng.choice(option.opts))
            if not option.is_flag:
                words.append(self._choose_value(rng, name, option))
        if rng.random() < 0.03:
            words.insert(rng.randrange(len(words) + 1), choose_text(rng, ("--nonsense", "-x", "x")))
        # What a shell cannot hand over: a NUL, and text that no file system encoding has.
        return [os.fsdecode(word.replace("\x00", "").encode("utf-8", "replace")) for word in words]

    def _choose_value(self, rng: random.Random, command: str, parameter: click.Parameter) -> str:
        kind = kind_of(command, parameter.name or "")
        match parameter.type:
            case click.Choice() as choice:
                return choose_text(rng, [str(one) for one in choice.choices], wildness=0.2)
            case click.types.IntParamType():
                return rng.choice(_INTEGERS)
            case click.types.FloatParamType():
                return rng.choice(_FLOATS)
        if kind is None:
            msg = f"campaign/entries.py has no kind for {parameter.name!r} of upcard {command}"
            raise FindingError(msg)
        text = choose_text(rng, self.texts[kind].examples or ("x",), wildness=0.35)
        return _keep_here(text) if kind == "file to write" else _keep_off_devices(text)

    def _write_files(self, rng: random.Random) -> None:
        """Write the files that the words name, now and then damaged."""
        said = " ".join(self.words)
        for name, kind in _FILES.items():
            if name in said or not (self.folder / name).exists():
                text = choose_text(rng, self.texts[kind].examples, wildness=0.5)
                (self.folder / name).write_text(text, encoding="utf-8", errors="surrogatepass")

    def _change_settings(self, rng: random.Random) -> None:
        """Damage what the program remembers of one's choices."""
        from upcard.store.bankroll import save_setting
        from upcard.store.database import open_store

        value: Any = choose_text(rng, self.texts["kept setting"].examples)
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = {"rules": value}
        with open_store() as store:
            if isinstance(value, dict):
                try:
                    save_setting(store, rng.choice(_SETTINGS), value)
                except (ValueError, UnicodeError):  # what JSON cannot say cannot be kept
                    return


def _keep_here(text: str) -> str:
    """Keep a file that is to be written in this folder."""
    return text.replace("..", "_").replace("~", "_").lstrip("/") or "out.txt"


def _keep_off_devices(text: str) -> str:
    """Name no device: some can be read for ever."""
    return text.replace("/dev", "/nothing")


def _check_json(where: str, out: str) -> None:
    """Check that what --json writes is JSON: one object, or one a line.

    Raises: FindingError.
    """
    try:
        json.loads(out)
    except ValueError:
        try:
            for line in out.splitlines():
                json.loads(line)
        except ValueError as error:
            msg = f"{where} wrote what is no JSON ({error}):\n{out[:400]}"
            raise FindingError(msg) from None
