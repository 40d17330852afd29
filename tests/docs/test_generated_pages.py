"""What is generated is fresh: pages written from the program, and the output that pages show."""

import click
import pytest
from click.testing import CliRunner
from console_blocks import Command, PageFile, find_differences, matches, read_page, refresh
from gendocs import PAGES, ROOT, hand_written_pages, write_reference_page

from upcard.cli.app import cli

COMMANDS_PAGE = write_reference_page("commands")
COMMANDS = cli.list_commands(click.Context(cli, info_name="upcard"))


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_generated_page_is_what_the_program_writes_now(page):
    assert page.read_text(encoding="utf-8") == PAGES[page]()


# `make docs ARGS=--check` runs the commands of all pages.
@pytest.mark.parametrize("page", hand_written_pages()[:5], ids=name_of)
def test_the_commands_of_a_page_print_what_it_shows(page):
    differences = find_differences(page.read_text(encoding="utf-8"))
    assert [(command.text, command.output, printed) for command, printed in differences] == []


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_every_help_page_is_on_the_page_of_the_commands_and_has_an_example(name):
    asked = [name, "--help"] if name else ["--help"]
    printed = CliRunner().invoke(cli, asked, prog_name="upcard", terminal_width=88).output
    shown = "\n".join(line.rstrip() for line in printed.splitlines())
    assert f"\n## {f'upcard {name}'.strip()}\n\n```text\n{shown}\n```\n" in COMMANDS_PAGE
    assert not name or f"upcard {name}" in shown.partition("Example")[2]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_shown_with_its_output_on_some_page(name):
    texts = [page.read_text(encoding="utf-8") for page in hand_written_pages()]
    commands = [item.text for text in texts for item in read_page(text) if is_command(item)]
    assert any(f"upcard {name}" in text for text in commands)


def is_command(item):
    return isinstance(item, Command)


def test_a_page_is_read_as_commands_and_files():
    page = (
        "<!-- file: my.toml -->\n```toml\na = 1\n```\n"
        "```console\n$ upcard --version\nupcard 1\n$ upcard x\n```\n"
    )
    assert list(read_page(page)) == [
        PageFile("my.toml", "a = 1\n"),
        Command(5, "upcard --version", ("upcard 1",)),
        Command(7, "upcard x", ()),
    ]


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (("a", "b", "c"), True),
        (("a", "..."), True),
        (("...", "c"), True),
        (("...", "b", "..."), True),
        (("a", "b"), False),
        (("a", "...", "d"), False),
        ((), False),
    ],
)
def test_three_dots_stand_for_any_lines(shown, expected):
    assert matches(shown, ("a", "b", "c")) is expected


def test_refreshing_a_page_exchanges_wrong_output_and_nothing_else():
    page = "before\n```console\n$ upcard --nonsense\nwrong\n```\nafter\n"
    fresh = refresh(page)
    assert fresh.startswith("before\n```console\n$ upcard --nonsense\nupcard: ")
    assert fresh.endswith("\n```\nafter\n")
    assert refresh(fresh) == fresh


def test_refreshing_refuses_to_guess_what_to_abridge():
    with pytest.raises(ValueError, match="abridged"):
        refresh("```console\n$ upcard --nonsense\n...\nwrong\n```\n")
