"""A store with odd fields: reported as damage, with its row, by whatever reads them."""

import shutil

import pytest
from driving import fix_shuffle, talk

from upcard.store.database import open_store

READERS = [
    ["history"],
    ["history", "--codes"],
    ["history", "--json"],
    ["history", "--csv", "-"],
    ["history", "--jsonl", "-"],
    ["replay", "2", "--json"],
    ["verify"],
    ["verify", "--shoe", "1"],
]
ODD_ROUNDS = {
    "a time": "settled_at = 'x'",
    "an infinite place": "shuffle = 9e999",
    "a time that no zone has": "settled_at = '0001-01-01T00:00:00+00:00'",
    "no dealer's cards": "dealer = ''",
    "a shuffle below none": "shuffle = -1",
    "a card below none": "dealt = -5",
    "no bets": "bets = ''",
    "no chips": "net = 'ten'",
    "chips without end": "net = '1e99999999'",
    "chips by nothing": "bankroll = '1/0'",
    "cards": "cards = '1X'",
    "hands": "hands = '[{}]'",
    "hands of nobody": "hands = '[]'",
    "deep hands": f"hands = '{'[' * 100_000}'",
    "bytes": "bets = x'00ff'",
    "another's spot": "own = '4', own_answers = '0'",
    "another's answer": "own = '0', own_answers = '9'",
    "an answer": "actions = 'fold'",
}


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A store with three rounds in it."""
    folder = tmp_path_factory.mktemp("original")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("UPCARD_DATA", str(folder))
        fix_shuffle(monkeypatch)
        talk(["play", "--rules", "6D NOINS"], ["10", "s", "10", "s", "10", "s", "q"])
    return folder / "upcard.db"


@pytest.fixture
def played(original, tmp_path, monkeypatch):
    monkeypatch.setenv("UPCARD_DATA", str(tmp_path))
    shutil.copy(original, tmp_path)


def change(statement):
    with open_store() as store:
        store.run(statement)


def change_round(odd):
    change(f"UPDATE rounds SET {odd} WHERE id = 2")  # noqa: S608


@pytest.mark.parametrize("odd", ODD_ROUNDS.values(), ids=ODD_ROUNDS)
def test_an_odd_round_is_reported_by_its_number(played, odd):
    """S4.4, and an amount with an exponent (S3-2), which took all memory."""
    change_round(odd)
    for words in READERS:
        code, _, err = talk(words)
        assert code == 2, words
        assert "is damaged: round 2: " in err
        assert err.count("\n") == 1


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize("odd", ODD_ROUNDS.values(), ids=ODD_ROUNDS)
def test_what_is_added_up_knows_no_odd_field_or_names_its_row(played, odd):
    change_round(odd)
    code, _, err = talk(["stats"])
    assert code == 0 or "is damaged: round 2: " in err


@pytest.mark.parametrize(
    ("statement", "words", "row"),
    [
        ("UPDATE sessions SET rules = '99D'", ["history"], "session 1: "),
        ("UPDATE sessions SET rules = '99D'", ["stats"], "session 1: "),
        ("UPDATE sessions SET rules = '99D'", ["verify"], "session 1: "),
        ("UPDATE bankroll SET amount = 'x'", ["history"], "the bankroll: "),
        ("UPDATE bankroll SET amount = 'x'", ["play"], "the bankroll: "),
        ("UPDATE shoes SET started_at = ''", ["verify"], "shoe 1: "),
        ("UPDATE shoes SET server_seed = 'x'", ["verify"], "shoe 1: "),
    ],
)
def test_an_odd_row_of_another_kind_is_named_too(played, statement, words, row):
    change(statement)
    code, _, err = talk(words, ["q"])
    assert code == 2
    assert row in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("column", ["house", "player", "company"])
def test_a_text_of_a_session_that_is_bytes_is_reported(played, column):
    change(f"UPDATE sessions SET {column} = x'ff00'")  # noqa: S608
    for words in READERS:
        code, _, err = talk(words)
        assert code == 2, words
        assert "is damaged: " in err
        assert f"session 1: its {column} is not text" in err
