"""What is written from the program itself: the reference pages, the houses, the chart's picture.

A reference page is a page of docs/ that is written by hand and ends with a part between two marks.
On the site and under /learn/ what the program writes is in its place.
"""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING, Final

import click
import web_api

if TYPE_CHECKING:
    from collections.abc import Callable

    from upcard.rules.engines import Refused

_WIDTH: Final = 88
_HOUSES_INTRODUCTION: Final = """\
Play one with `upcard play --house NAME`; `upcard rules NAME` explains all its settings.
The files are in `src/upcard/rules/houses/`; [notation](notation.md) says how to read the rules.
"""
_CHART_RULES: Final = "6D S17 DAS LS"
_ENGINES: Final = {
    "simulator": "simulator",
    "CUDA device": "CUDA",
    "native vector environment": "vector environment",
    "infinite-deck solver": "infinite deck",
    "finite-deck solver": "decks",
    "full memory": "full memory",
    "non-standard solver": "non-standard",
    "switch solver": "switch",
    "indices": "indices",
}
_NOTE: Final = "<!-- Written by `make docs`; do not edit. -->\n"
_SHORT: Final = re.compile(r"<!-- in a clone -->\n.*<!-- end -->\n", re.DOTALL)


def write_commands() -> str:
    """Write the help page of every command."""
    from upcard.cli.app import cli

    settings = {**cli.context_settings, "terminal_width": _WIDTH}
    context = click.Context(_anew(cli), info_name="upcard", **settings)
    parts = [_section("upcard", context.get_help())]
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        if command is None:
            msg = f"the command {name} is listed and cannot be found"
            raise LookupError(msg)
        inner = click.Context(_anew(command), info_name=name, parent=context, terminal_width=_WIDTH)
        parts.append(_section(f"upcard {name}", inner.get_help()))
    return "\n".join(parts)


def _anew(command: click.Command) -> click.Command:
    """Copy a command without its help option, which remembers by which names it was first asked."""
    fresh = copy.copy(command)
    fresh._help_option = None  # noqa: SLF001 (click keeps it for good)
    return fresh


def _section(title: str, text: str) -> str:
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return f"## {title}\n\n```text\n{lines}\n```\n"


def write_houses_page() -> str:
    """Write what each built-in house is, by which rules it plays, and where these come from."""
    from upcard.rules.house import house_names, load_house

    houses = [load_house(name) for name in house_names()]
    parts = [
        _NOTE,
        "# Houses\n",
        _HOUSES_INTRODUCTION,
        "| house | title | rules |\n|---|---|---|",
        *(
            f"| [`{house.name}`](#{house.name}) | {house.title} | `{_rules(house.name)}` |"
            for house in houses
        ),
        "",
    ]
    for house in houses:
        about = " ".join(house.about.split())
        parts.append(f"## {house.name}\n\n{house.title}.\n{about}\n\nSource: {house.source}\n")
    return "\n".join(parts)


def write_engines() -> str:
    """Write which engine honours which setting, and each refusal with its reason."""
    from upcard.rules.engines import BASES, ROWS
    from upcard.rules.settings import SETTINGS, EngineName

    def list_refusals(name: str, engine: EngineName) -> tuple[Refused, ...]:
        is_of_two = (name, engine) == ("switch", EngineName.SWITCH)  # it works by one of one hand
        base = None if is_of_two else BASES.get(engine)
        return ROWS[name][engine] + (() if base is None else list_refusals(name, base))

    lines = [f"| setting | {' | '.join(_ENGINES.values())} |", "|---|" + "---|" * len(_ENGINES)]
    honoured, reasons = [], ["| setting | engines | reason |", "|---|---|---|"]
    for name in SETTINGS:
        cells = []
        for engine in map(EngineName, _ENGINES):
            refused = list_refusals(name, engine)
            always = any(not (one.when or one.values or one.of_pair) for one in refused)
            cells.append("no" if always else "in part" if refused else "yes")
        if set(cells) == {"yes"}:
            honoured.append(f"`{name}`")
            continue
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    for name in SETTINGS:
        of_all = (one for refused in ROWS[name].values() for one in refused)
        texts = (f"| `{name}` | {', '.join(one.engines)} | {one.reason} |" for one in of_all)
        reasons += dict.fromkeys(texts)
    every = f"All of these honour {', '.join(honoured)}, or have no use for them."
    return "\n\n".join(("\n".join(lines), every, "\n".join(reasons))) + "\n"


def fill(text: str) -> str:
    """Return a page with what the program writes between marks, where it has them."""
    for name, write in FILLED.items():
        head, mark, rest = text.partition(f"<!-- {name}: written by `make docs` -->\n")
        if mark:
            text = f"{head}{mark}\n{write()}\n{rest[rest.index('<!-- end -->') :]}"
    return text


def _rules(name: str) -> str:
    """Write the rules of a house without its name."""
    from upcard.rules.house import house

    return str(house(name).replace(name=""))


def draw_chart() -> str:
    """Draw the chart that the README shows."""
    from upcard.answers.best_chart import write_chart
    from upcard.rules.model import Rules

    return write_chart(Rules.parse(_CHART_RULES), "svg")


REFERENCE: Final[dict[str, Callable[[], str]]] = {
    "commands": write_commands,
    "web-api": web_api.write_reference,
}
"""Pages of docs/ that are whole only where they are built, with what writes the rest of each."""


FILLED: Final[dict[str, Callable[[], str]]] = {"engines": write_engines}
"""Parts of pages that are in git, between marks of their names."""


def complete(name: str, text: str) -> str:
    """Return a reference page as a whole, from its text in docs/. Raises: LookupError."""
    before, *after = _SHORT.split(text)
    if after != [""]:
        msg = f"docs/{name}.md does not end with a part between its two marks"
        raise LookupError(msg)
    return f"{_NOTE}\n{before}{REFERENCE[name]()}"
