"""Every reader refuses a wrong file, however long, in at most 20 lines and 2,000 characters."""

import json

import pytest

from campaign.entries import TEXTS
from upcard.cli.app import run
from upcard.core.errors import LONGEST_MESSAGE, MOST_LINES, BlackjackError, RulesError, shorten

LINES = 2_000


def wrong_files(examples):
    """Return long texts that resemble each form of file, and what people paste by mistake."""
    yield "\n".join(f"this is line {number} of a letter; it is no file" for number in range(LINES))
    yield "\n".join(f"key{number} = {number}" for number in range(LINES))
    yield "\n".join(f'"a name {number}" = "{number}"' for number in range(LINES))
    yield "\n".join("\t".join("SHDPXYZ"[number % 7] * 11) for number in range(LINES))
    yield "\n".join(f"{number},16,T,hit,{number}" for number in range(LINES))
    yield json.dumps([{"id": str(number), "wrong": number} for number in range(LINES)])
    yield json.dumps({f"key {number}": number for number in range(LINES)})
    yield "x" * 100_000
    yield " ".join(f"word{number}" for number in range(LINES))
    for example in examples[:2]:
        yield "\n".join([example] * 200)
        yield f"{example}\n" + "\n".join(f"wrong{number} = {number}" for number in range(LINES))


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    """Readers of files write their texts where they are run."""
    monkeypatch.chdir(tmp_path)


READERS = [
    pytest.param(text.examples, reader, id=f"{name}: {where}")
    for name, text in TEXTS.items()
    for where, reader in text.readers.items()
]


@pytest.mark.fast_cases(12)
@pytest.mark.parametrize(("examples", "reader"), READERS)
def test_every_reader_refuses_a_long_wrong_text_in_a_short_message(examples, reader):
    for text in wrong_files(examples):
        try:
            reader(text)
        except BlackjackError as error:
            message = str(error)
            assert len(message) <= LONGEST_MESSAGE, message[:300]
            assert len(message.splitlines()) <= MOST_LINES


FILES = {
    "rules.toml": ("rules", "{}"),
    "chart.tsv": ("edge", "--strategy", "{}"),
    "count.toml": ("counts", "{}"),
    "bet.toml": ("sidebet", "{}"),
    "plays.txt": ("simulate", "--rounds", "10", "--count", "hi-lo", "--indices", "{}"),
    "ramp.json": ("ramp", "{}", "--spread", "1-8"),
    "run.json": ("bankroll", "{}", "--bankroll", "100"),
    "answers.jsonl": ("bench", "score", "{}"),
}


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("name", FILES)
def test_every_command_refuses_a_long_wrong_file_in_a_short_line(capsys, tmp_path, name):
    for text in wrong_files(()):
        file = tmp_path / name
        file.write_text(text)
        status = run([word.format(file) for word in FILES[name]])
        error = capsys.readouterr().err
        assert status in (0, 2)
        assert len(error) <= LONGEST_MESSAGE + 200, error[:300]
        assert len(error.splitlines()) <= MOST_LINES


def test_many_faults_are_the_first_and_their_number():
    error = RulesError(*(f"fault {number}" for number in range(2_000)))
    assert str(error).startswith("fault 0; fault 1; ")
    assert str(error).endswith("fault 19; and 1,980 more")
    assert len(error.faults) == 2_000
    long = RulesError(*("x" * 1_000 for _ in range(30)))
    assert len(str(long)) <= LONGEST_MESSAGE
    assert str(long).endswith("more")


@pytest.mark.parametrize("text", ["", "short", "x" * 2_000, "a\nb", "\n".join("abc")])
def test_a_short_message_stays_as_it_is(text):
    assert shorten(text) == text
    assert str(RulesError(text)) == text
    assert str(BlackjackError(text)) == text


def test_a_long_message_keeps_its_beginning_and_its_end():
    text = f"begin {'x' * 90_000} end"
    for short in (shorten(text), str(BlackjackError(text)), str(RulesError(text))):
        assert len(short) == LONGEST_MESSAGE
        assert short.startswith("begin x")
        assert short.endswith("x end")
    lines = shorten("\n".join(str(number) for number in range(9_000))).splitlines()
    assert len(lines) <= MOST_LINES
    assert (lines[0], lines[-1]) == ("0", "8999")


FILES_OF_KEYS = [
    ("house file", "rules.house.read_house"),
    ("side bet file", "rules.side_bet_files.read_side_bet"),
    ("counting system", "strategy.count_system.read_system"),
]


@pytest.mark.parametrize(("name", "reader"), FILES_OF_KEYS)
def test_lines_are_looked_for_only_where_a_message_shows_them(name, reader):
    """Each is a search through the whole text: thousands of wrong keys took minutes."""
    read = TEXTS[name].readers[reader]
    with pytest.raises(RulesError) as refused:
        read("\n".join(f"key{number} = {number}" for number in range(100)))
    found = [fault for fault in refused.value.faults if "unknown key 'key" in fault]
    assert len(found) == 100
    assert [", line " in fault for fault in found] == [True] * MOST_LINES + [False] * 80
