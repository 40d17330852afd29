"""The line game in a real pseudo-terminal of 80 columns and 24 lines."""

from __future__ import annotations

import pexpect
import pytest
from driving import PROGRAM, finish, open_terminal, uncolored
from marks import slow_except

PROMPTS = {
    "vegas-strip": ["Your bet \\[10\\]: ", "10", "\\? "],
    "deshmukh": ["How many chips will you play with\\? ", "100", "Your bet\\? "],
    "seven-hands": ["Read the rules\\? \\(y/N\\) ", "n", "How many hands \\(1-7\\)\\? "],
    "roanoke": ["\\(or enter Computer\\): ", "Ann", "Do you want to hit or stick \\(h or s\\)\\? "],
}
ENDS = {
    "vegas-strip": "Balance 100 after 0 rounds, net 0.",
    "deshmukh": "Balance: 100 chips",
    "seven-hands": "Balance 100 after 0 games, net 0.",
    "roanoke": "Ann wins: 0",
}
CARDS = {
    "vegas-strip": "8H 6S 3D TC 9C 7H",
    "deshmukh": "8H 5D TC 6S",
    "seven-hands": "8H 5D 6S TC",
    "roanoke": "8H 5D TC 6S",
}


def start(house: str, *options: str, **environment: str):
    arguments = ["play", "--line", "--house", house, "--cards", CARDS[house], *options]
    return open_terminal(arguments, **environment)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("ending", ["interrupt", "end of input"])
@pytest.mark.parametrize("house", slow_except(["vegas-strip"], PROMPTS))
def test_ending_a_session_shows_the_balance(house, ending) -> None:
    terminal = start(house)
    first, answer, second = PROMPTS[house]
    terminal.expect(first)
    terminal.sendline(answer)
    terminal.expect(second)
    terminal.sendintr() if ending == "interrupt" else terminal.sendeof()
    terminal.expect_exact(ENDS[house])
    assert finish(terminal) == 0
    assert "Traceback" not in terminal.before


@pytest.mark.slow
def test_a_round_by_keys() -> None:
    terminal = start("vegas-strip")
    terminal.expect("Your bet \\[10\\]: ")
    terminal.sendline("")
    terminal.expect("\\[H\\]it  \\[S\\]tand  \\[D\\]ouble\\? ")
    terminal.sendline("D")
    terminal.expect_exact("You win 20, the dealer is bust.")
    terminal.expect("No card is left in the script.")
    assert finish(terminal) == 0


@pytest.mark.slow
def test_red_suits_are_red_on_a_terminal() -> None:
    terminal = start("vegas-strip")
    terminal.expect("Your bet")
    terminal.sendline("10")
    terminal.expect_exact("\x1b[31m8♥\x1b[0m")
    terminal.sendintr()
    assert finish(terminal) == 0


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["no", "dumb"])
def test_colors_are_left_out_where_they_are_not_wanted(environment) -> None:
    terminal = start("vegas-strip", **environment)
    terminal.expect("Your bet")
    terminal.sendline("10")
    terminal.expect("8♥")
    assert "\x1b" not in terminal.before
    terminal.sendintr()
    assert finish(terminal) == 0


@pytest.mark.slow
@pytest.mark.parametrize("house", slow_except(["vegas-strip"], PROMPTS))
def test_nothing_is_wider_than_the_screen(house) -> None:
    terminal = start(house)
    first, answer, second = PROMPTS[house]
    terminal.expect(first)
    shown = terminal.before
    terminal.sendline(answer)
    terminal.expect(second)
    shown += terminal.before
    terminal.sendintr()
    finish(terminal)
    assert max(len(uncolored(line)) for line in (shown + terminal.before).splitlines()) <= 80


@pytest.mark.slow
def test_long_pages_wait_for_enter() -> None:
    terminal = start("vegas-strip")
    terminal.expect("Your bet")
    terminal.sendline("?")
    terminal.expect("Enter for more ")
    assert "You may play 1 to 7 hands" not in terminal.before
    terminal.sendline("")
    terminal.expect("You may play 1 to 7 hands a round.")
    terminal.expect("Your bet")
    terminal.sendintr()
    assert finish(terminal) == 0


@pytest.mark.slow
def test_upcard_alone_on_a_dumb_terminal_starts_the_default_game() -> None:
    terminal = open_terminal([], TERM="dumb")
    terminal.expect_exact("6D S17 PEEK DOA DAS SP4 NRSA NS 3:2")
    terminal.expect_exact("upcard play --house NAME")
    terminal.expect("Your bet \\[10\\]: ")
    terminal.sendline("q")
    terminal.expect_exact("Balance 100 after 0 rounds, net 0.")
    assert finish(terminal) == 0


ALTERNATE_SCREEN = "\x1b[?1049h"


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("arguments", [[], ["play"], ["play", "--house", "deshmukh"]])
def test_a_terminal_gets_the_full_screen(arguments) -> None:
    terminal = open_terminal(arguments)
    terminal.expect_exact(ALTERNATE_SCREEN)
    terminal.close(force=True)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("options", "environment"),
    [
        (["--line"], {}),
        (["--json"], {}),
        (["--player", "mimic", "--rounds", "1"], {}),
        ([], {"TERM": "dumb"}),
    ],
    ids=["line", "json", "bot", "dumb"],
)
def test_the_line_game_is_played_where_it_was_asked_for(options, environment) -> None:
    terminal = open_terminal(["play", "--practice", *options], **environment)
    terminal.expect("Your bet|session_started|Round 1")
    shown = terminal.before
    terminal.close(force=True)
    assert ALTERNATE_SCREEN not in shown


@pytest.mark.slow
def test_seven_hands_draws_boxes() -> None:
    terminal = start("seven-hands", "--hands", "1", "--bet", "5")
    terminal.expect("Read the rules")
    terminal.sendline("")
    terminal.expect_exact("│\x1b[31m♥\x1b[0m  8│    │♠  6│")
    terminal.expect_exact("Hand 1: 1 hit  2 stand  3 double down  4 surrender")
    terminal.sendintr()
    terminal.expect_exact("The round is not finished and does not count.")
    assert finish(terminal) == 0


def test_an_interrupt_that_another_thread_receives_ends_the_question() -> None:
    """Ctrl-C that came while the coach computed was lost until the next Enter."""
    script = """
import os, signal, sys, threading, time
from upcard.line.console import Console, SessionOverError

def press():
    time.sleep(0.5)
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)

threading.Thread(target=press, daemon=True).start()
try:
    print(repr(Console.of_process().ask("Stand? ")))
except SessionOverError:
    print("interrupted")
"""
    terminal = pexpect.spawn(PROGRAM[0], ["-c", script], encoding="utf-8", timeout=90)
    terminal.expect_exact("Stand? ")
    assert terminal.expect_exact(["interrupted", pexpect.TIMEOUT], timeout=90) == 0
    assert finish(terminal) == 0
