"""`upcard basics` explains the game in a plain terminal and through a pipe."""

from driving import talk

from upcard.cli.app import run
from upcard.coach.primer import SECTIONS


def test_basics_prints_every_section_within_80_columns(capsys):
    assert run(["basics"]) == 0
    printed = capsys.readouterr().out
    assert [one.heading for one in SECTIONS if one.heading not in printed] == []
    assert max(map(len, printed.splitlines())) < 80


def test_the_first_hands_are_played_line_by_line_and_resumed():
    first = talk(["basics", "--play", "--line"], ["10", "h", "d", "s", "q"])
    assert first.code == 0
    assert "Cannot double: this step asks you to stand." in first.out
    assert "Step 4 of 7: Bust" in first.out
    then = talk(["basics", "--play", "--line"], ["10", "h"])
    assert "Step 1 of 7" not in then.out
    assert "Step 5 of 7: Double" in then.out


def test_line_without_play_is_refused(capsys):
    assert run(["basics", "--line"]) == 2
    assert "--play" in capsys.readouterr().err


def test_basics_in_ascii(capsys):
    assert run(["basics", "--ascii"]) == 0
    assert capsys.readouterr().out.isascii()
