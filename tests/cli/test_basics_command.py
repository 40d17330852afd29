"""`upcard basics` explains the game in a plain terminal and through a pipe."""

from upcard.cli.app import run
from upcard.session.primer import SECTIONS


def test_basics_prints_every_section_within_80_columns(capsys):
    assert run(["basics"]) == 0
    printed = capsys.readouterr().out
    assert [one.heading for one in SECTIONS if one.heading not in printed] == []
    assert max(map(len, printed.splitlines())) < 80


def test_basics_in_ascii(capsys):
    assert run(["basics", "--ascii"]) == 0
    assert capsys.readouterr().out.isascii()
