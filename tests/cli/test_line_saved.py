"""Games of a person are kept: chips continue, and a hand that was left continues first."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from contextlib import contextmanager

import pytest
from driving import PROGRAM, ending, finish, fix_shuffle, open_terminal, pipe, talk

from campaign.books import check_books
from upcard.store.bankroll import bankroll_of, deposit
from upcard.store.database import open_store
from upcard.store.files import StoreError
from upcard.store.history import read_rounds
from upcard.store.sessions import find_open_rounds

DOCUMENTS = {
    # Answers up to a question about a hand, with the shuffle 1.
    "deshmukh": (["100", "10"], "Balance: "),
    "seven-hands": (["n", "2", "10"], "Balance "),
    "roanoke": (["Ann"], "Ties: "),
    "lott": (["10"], "Balance "),
}


@contextmanager
def memory():
    with open_store() as store:
        yield store
        check_books(store)


def rounds_kept() -> int:
    with memory() as store:
        return len(list(read_rounds(store)))


def open_hands() -> int:
    with memory() as store:
        return len(list(find_open_rounds(store)))


# Chips.


def test_chips_go_on_from_game_to_game(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    first = talk(["play", "--rounds", "1", "--bet", "10"], ["s", "s"])
    assert first.code == 0
    assert ending(first.out) != "Balance 100"
    second = talk(["play"], ["q"])
    assert ending(second.out) == ending(first.out)
    assert "chips" not in second.out
    with memory() as store:
        assert f"Balance {bankroll_of(store)}" == ending(first.out)


def test_a_first_game_says_nothing_of_the_chips_it_brings() -> None:
    assert "chips" not in talk(["play", "--chips", "40"], ["q"]).out


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("60", "You bring 20 more chips to the table."),
        ("15", "You take 25 chips home."),
        ("40", ""),
    ],
)
def test_chips_asked_for_are_brought_or_taken_home(wanted, said) -> None:
    talk(["play", "--chips", "40"], ["q"])
    answer = talk(["play", "--chips", wanted], ["q"])
    assert (said in answer.out) if said else ("chips" not in answer.out)
    assert ending(answer.out) == f"Balance {wanted}"


def test_who_has_lost_all_brings_a_hundred_and_is_told() -> None:
    with memory() as store:
        deposit(store, 5)
        deposit(store, -5)
    assert "You bring 100 more chips to the table." in talk(["play"], ["q"]).out


def test_a_fixed_bet_is_held_against_the_chips_of_memory() -> None:
    with memory() as store:
        deposit(store, 30)
    answer = talk(["play", "--bet", "40"])
    assert (answer.code, answer.out) == (2, "")
    assert "--bet 40: it takes 40 chips and there are 30" in answer.err


def test_a_document_that_asks_for_chips_brings_them(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    talk(["play", "--house", "deshmukh"], ["70"])
    with memory() as store:
        assert bankroll_of(store) == 70
    talk(["play", "--house", "deshmukh"], ["30", "30", "2", "2"])
    with memory() as store:
        (stored,) = read_rounds(store)
        assert stored.initial_bet == 30
        assert bankroll_of(store) == 30 + stored.net


# What is practice.


@pytest.mark.parametrize(
    "options", [["--practice"], ["--seed", "3"], ["--cards", "T T 8 7"]], ids=lambda words: words[0]
)
def test_practice_keeps_nothing_and_says_so(options) -> None:
    answer = talk(["play", *options], ["10", "s", "s"])
    assert "Practice: nothing is saved, and u takes an answer back.\n" in answer.out
    assert "Commitment" not in answer.out
    assert rounds_kept() == 0


def test_bots_keep_nothing() -> None:
    answer = talk(["play", "--player", "mimic", "--rounds", "2"])
    assert answer.code == 0
    assert "Practice" not in answer.out
    assert rounds_kept() == 0


def test_a_kept_game_is_no_practice(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    answer = talk(["play", "--rounds", "2"], ["10", "s", "10", "s"])
    assert "Practice" not in answer.out
    assert rounds_kept() == 2


@pytest.mark.parametrize("house", DOCUMENTS)
def test_documents_keep_in_silence(monkeypatch, house) -> None:
    fix_shuffle(monkeypatch)
    answers, _ = DOCUMENTS[house]
    answer = talk(["play", "--house", house], [*answers, *["n", "s"] * 4, "q"])
    assert answer.code == 0
    assert rounds_kept() == 1
    for word in ("Commitment", "Server seed", "Practice", "kept", "Coach", "w says why"):
        assert word not in answer.out


def test_a_computer_that_the_opening_names_is_nobodys_game() -> None:
    answers = ["Computer", "1", "17", "0.5", "y", "n"]
    answer = talk(["play", "--house", "roanoke"], answers)
    assert answer.out.count("Dealing Computer's hand...") == 2
    assert rounds_kept() == 0


def test_a_house_without_bets_is_kept_too(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    talk(["play", "--house", "roanoke"], ["Ann", "s", "n"])
    with memory() as store:
        (stored,) = read_rounds(store)
        assert stored.session.house == "roanoke"
        assert bankroll_of(store) == 0


# A memory that cannot be used.


@pytest.fixture
def spoilt(tmp_path, monkeypatch):
    (tmp_path / "upcard.db").write_text("no store of ours, this one")
    monkeypatch.setenv("UPCARD_DATA", str(tmp_path))
    yield
    assert (tmp_path / "upcard.db").read_text() == "no store of ours, this one"


@pytest.mark.usefixtures("spoilt")
@pytest.mark.parametrize("options", [[], ["--json"], ["--house", "deshmukh"]])
def test_a_damaged_memory_is_named_with_a_way_to_play(options) -> None:
    answer = talk(["play", *options], ["q"])
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert "not a store of upcard's" in answer.err
    assert "upcard play --practice plays without saving" in answer.err


@pytest.mark.usefixtures("spoilt")
def test_practice_needs_no_memory() -> None:
    assert talk(["play", "--practice"], ["q"]).code == 0


def test_a_newer_memory_is_refused() -> None:
    with memory() as store:
        store.run("PRAGMA user_version = 99")
    answer = talk(["play"], ["q"])
    assert answer.code == 2
    assert "--practice" in answer.err


# A hand that is left.


@pytest.mark.parametrize("interrupts", [False, True], ids=["end of input", "interrupt"])
@pytest.mark.parametrize("house", [None, *DOCUMENTS])
def test_a_hand_that_is_left_is_kept_and_goes_on_first(monkeypatch, house, interrupts) -> None:
    fix_shuffle(monkeypatch)
    answers, _ = DOCUMENTS.get(house, (["10"], ""))
    chosen = [] if house is None else ["--house", house]
    left = talk(["play", *chosen], answers, interrupts=interrupts)
    assert left.code == 0
    assert "The hand is saved: it continues at the next start." in left.out
    assert "does not count" not in left.out
    assert (open_hands(), rounds_kept()) == (1, 0)

    again = talk(["play", "--house", "european"], [*["n", "s"] * 4, "q"])
    assert again.code == 0
    first, _, rest = again.out.partition("\n\n")
    assert first.startswith("A hand was left unfinished: ")
    assert (house or "the six-deck game") in first
    assert rest.startswith("European, no hole card (european)\n")
    assert (open_hands(), rounds_kept()) == (0, 1)


def test_the_hand_that_goes_on_is_the_one_that_was_left(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    left = talk(["play", "--bet", "25"])
    again = talk(["play"], ["s", "s", "q"])
    table = [line for line in left.out.splitlines() if line.startswith(("Dealer ", "You "))]
    assert len(table) == 2
    assert all(line in again.out.splitlines() for line in table)
    assert "bet 25." in " ".join(again.out.partition("Dealer")[0].split())
    with memory() as store:
        (stored,) = read_rounds(store)
        assert stored.record.bets == ((25, ()),)


@pytest.mark.parametrize("house", DOCUMENTS)
def test_documents_begin_after_the_hand_that_was_left(monkeypatch, house) -> None:
    fix_shuffle(monkeypatch)
    plain = talk(["play", "--house", house, "--practice"]).out
    talk(["play"], ["10"])
    again = talk(["play", "--house", house], ["s"])
    first, _, rest = again.out.partition("\n\n")
    assert first.startswith("A hand was left unfinished: Blackjack, the six-deck game, bet 10.")
    assert rest.splitlines()[0] == plain.splitlines()[0]


def test_a_hand_can_be_left_twice(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    talk(["play"], ["10"])
    again = talk(["play", "--house", "european"])
    assert "The hand is saved: it continues at the next start." in again.out
    assert "European" not in again.out
    assert open_hands() == 1


def test_a_hand_is_left_with_its_company(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    talk(["play", "--company", "mimic; you; never-bust"], ["10"])
    again = talk(["play"], ["s", "s", "q"])
    assert "\nmimic " in again.out
    assert "\nnever-bust " in again.out
    with memory() as store:
        (stored,) = read_rounds(store)
        assert stored.player_spots == (1,)


def test_company_that_is_gone_leaves_the_hand_as_it_is(monkeypatch, tmp_path) -> None:
    fix_shuffle(monkeypatch)
    chart = tmp_path / "chart.tsv"
    chart.write_text(talk(["chart", "--format", "tsv"]).out)
    talk(["play", "--company", f"you; chart:{chart}"], ["10"])
    assert open_hands() == 1
    chart.unlink()
    again = talk(["play"], ["q"])
    assert again.code == 0
    assert "cannot continue now: cannot read the chart" in " ".join(again.out.split())
    assert "Blackjack, the six-deck game\n" in again.out
    assert open_hands() == 1


@pytest.mark.parametrize("how", [[], ["--json"]])
def test_a_hand_that_a_full_disk_stops_is_not_called_lost(monkeypatch, how) -> None:
    """S4.7: it stays as it is, and continues when there is room."""
    fix_shuffle(monkeypatch)

    def fail(*_, **__):
        msg = "the disk is full"
        raise StoreError(msg)

    with monkeypatch.context() as full:
        full.setattr("upcard.store.kept_table.KeptTable._settle", fail)
        assert talk(["play", "--rules", "6D NOINS"], ["10", "s"]).code == 2
        again = talk(["play", "--rules", "6D NOINS", *how], ["q"])
    assert again.code == 0
    assert "lost" not in again.out
    assert "the disk is full" in again.out
    assert ("unfinished_hand_kept" if how else "stays as it is") in " ".join(again.out.split())
    assert open_hands() == 1
    talk(["play", "--rules", "6D NOINS"], ["q"])
    assert open_hands() == 0


def test_practice_does_not_look_for_hands(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    talk(["play"], ["10"])
    assert "unfinished" not in talk(["play", "--practice"], ["q"]).out
    assert open_hands() == 1


def test_json_tells_of_a_hand_that_was_left(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    left = [json.loads(line) for line in talk(["play", "--json"], ["10"]).out.splitlines()]
    again = [json.loads(line) for line in talk(["play", "--json"], ["stand", "q"]).out.splitlines()]
    assert again[0]["type"] == "unfinished_hand"
    assert again[0]["bets"] == [10]
    dealt = [line for line in left if "dealt" in line["type"]]
    assert [line for line in again if "dealt" in line["type"]][: len(dealt)] == dealt
    kinds = [line["type"] for line in again]
    assert kinds.index("standing") < kinds.index("session_started")
    assert kinds.count("session_ended") == 1


def test_a_round_of_seven_hands_takes_another_number_each_time(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    answers = ["n", "2", "10", *["2"] * 2, "y", "1", "10", "2", "y", "3"]
    talk(["play", "--house", "seven-hands"], answers)
    with memory() as store:
        assert [len(stored.record.bets) for stored in read_rounds(store)][:2] == [2, 1]


# A process that dies.


@pytest.mark.slow
def test_a_killed_game_goes_on_where_it_stood() -> None:
    """`kill -9` while a hand is asked: the bet is laid, the hand is found, nothing is lost."""
    for _ in range(20):  # a hand that is over at once asks nothing
        with subprocess.Popen(
            # Without insurance: "stand" answers every question below, whatever the cards.
            [*PROGRAM, "play", "--json", "--rounds", "1", "--bet", "10", "--rules", "6D NOINS"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as game:
            shown = []
            for line in game.stdout:
                shown.append(json.loads(line))
                if shown[-1]["type"] == "asked":
                    game.kill()
                    break
            game.wait()
        if shown[-1]["type"] == "asked":
            break
    assert game.returncode == -signal.SIGKILL
    assert open_hands() == 1
    again = pipe(["play", "--json", "--rounds", "1"], "stand\nstand\n")
    lines = [json.loads(line) for line in again.out.splitlines()]
    assert lines[0]["type"] == "unfinished_hand"
    asked = next(line for line in lines if line["type"] == "asked")
    assert asked == shown[-1]
    assert open_hands() == 0


@pytest.mark.slow
def test_a_closed_terminal_keeps_the_hand() -> None:
    terminal = None
    for _ in range(20):
        terminal = open_terminal(["play", "--line", "--bet", "10"])
        if terminal.expect([r"\]tand.*\? |\[y/n\] ", "Another round"]) == 0:
            break
        terminal.sendline("q")
        finish(terminal)
    terminal.close(force=True)
    for _ in range(100):
        if open_hands():
            break
        time.sleep(0.05)
    assert open_hands() == 1


@pytest.mark.slow
def test_an_interrupt_at_a_terminal_keeps_the_hand() -> None:
    for _ in range(20):
        terminal = open_terminal(["play", "--line", "--rounds", "1", "--bet", "10"])
        if terminal.expect([r"\]tand.*\? |\[y/n\] ", r"Balance \S+ after 1 round"]) == 0:
            break
        finish(terminal)
    terminal.sendintr()
    terminal.expect_exact("The hand is saved: it continues at the next start.")
    assert finish(terminal) == 0
    assert open_hands() == 1
