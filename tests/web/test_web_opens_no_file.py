"""No text of a request opens a file: the readers of users' files refuse, and no page reads one."""

import sys

import pytest

import upcard
from upcard.core import user_files
from upcard.core.errors import BlackjackError
from upcard.session.count_check import read_ask_count
from upcard.simulation.registry import make_player
from upcard.strategy.count_system import load_system
from upcard.strategy.deviations import load_deviations
from upcard.strategy.ramp import parse_ramp

CONTENT = "a canary sings 1:1"
READERS = {
    "rules": upcard.Rules.parse,
    "house": upcard.house,
    "system": load_system,
    "deviations": load_deviations,
    "several deviations": lambda name: load_deviations(f"i18+{name}"),
    "ramp": lambda name: parse_ramp(name, load_system("hi-lo"), decks=6),
    "player": lambda name: make_player(f"chart:{name}", upcard.Rules()),
}
opened = []
is_listening = []


def hear(event, arguments):
    if is_listening and event == "open":
        opened.append(str(arguments[0]))


sys.addaudithook(hear)  # for the whole process: a hook cannot be taken away


@pytest.fixture
def openings():
    """The files that are opened during the test."""
    opened.clear()
    is_listening.append(True)
    yield opened
    is_listening.clear()


@pytest.fixture(params=["canary.toml", "canary", "canary.tsv"])
def canary(request, tmp_path):
    file = tmp_path / request.param
    file.write_text(CONTENT)
    return str(file)


@pytest.fixture
def server(monkeypatch):
    """Files are forbidden as the server forbids them, until the end of the test."""
    monkeypatch.setattr(user_files, "_forbidden", [])
    user_files.forbid_user_files()


@pytest.mark.parametrize("name", ["house", "system", "deviations", "ramp"])
def test_an_unknown_name_is_told_of_files_only_where_they_are_read(monkeypatch, name):
    for is_server in (False, True):
        monkeypatch.setattr(user_files, "_forbidden", [True] if is_server else [])
        with pytest.raises(BlackjackError) as caught:
            READERS[name]("nothing like it")
        assert ("or the path of a" in str(caught.value)) is not is_server


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_reader_of_users_files_opens_none_in_a_server_and_quotes_none(
    server, canary, read, openings
):
    with pytest.raises(BlackjackError) as caught:
        read(canary)
    assert "canary sings" not in str(caught.value)
    assert not [name for name in openings if "canary" in name]


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_the_same_readers_open_the_file_elsewhere(canary, read, openings):
    with pytest.raises(BlackjackError):
        read(canary)
    assert [name for name in openings if "canary" in name]


def test_a_server_does_not_reveal_whether_a_file_exists(server, canary):
    assert not user_files.is_user_file(canary)
    assert user_files.could_be_file(canary) == user_files.could_be_file(f"{canary}x")
    assert read_ask_count(f"{canary}:3") == (canary, 3)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "path", ["/", "/rules", "/hand", "/houses", "/drills", "/lab", "/learn/", "/rules/chart.svg"]
)
def test_no_field_of_a_page_opens_a_file(server, client, tmp_path, path, openings):
    canary = str(tmp_path / "canary.toml")
    (tmp_path / "canary.toml").write_text(CONTENT)
    openings.clear()
    for field in (
        *(
            "r",
            "was",
            "with",
            "c",
            "u",
            "less",
            "splits",
            "compare",
            "house",
            "add",
            "to",
            "q",
            "decks",
        ),
        *("system", "indices", "ramp", "classes", "speed"),
        *("count", "chart", "plays", "seed", "rounds"),
    ):
        for text in (canary, f"../../..{canary}"):
            answer = client.get(path, params={field: text}, follow_redirects=True)
            assert "canary sings" not in answer.text
    client.get(f"/learn/../../..{canary}")
    client.get(f"/houses/..%2f..%2f..{canary}")
    client.get(f"/static/x/..%2f..{canary}")
    assert not [name for name in openings if "canary" in name]


@pytest.mark.fast_cases(1)
def test_no_field_of_the_table_form_opens_a_file(server, client, canary, openings):
    for field in ("rules", "hands", "bet", "unit", "chips", "company", "count", "coach", "knows"):
        for text in (canary, f"chart:{canary}", f"you; chart:{canary}"):
            answer = client.post("/tables", data={"rules": "INF", field: text})
            assert "canary sings" not in answer.text
            assert answer.status_code == 422
    assert not [name for name in openings if "canary" in name]
