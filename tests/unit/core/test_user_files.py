"""Files that a user names: one place reads them, every fault a clear error (S3-3, S3-5, S4.3)."""

import pickle
import random
import re
from pathlib import Path

import pytest

import upcard
from upcard.core.errors import NotationError, UserFileError
from upcard.core.user_files import (
    MOST_BYTES,
    could_be_file,
    expand_user,
    is_user_file,
    parse_json,
    parse_toml,
    read_user_file,
)

ODD_NAMES = {
    "the home of nobody": ("~nobody7/x", "no home folder is known for '~nobody7'"),
    "a NUL": ("a\0b.toml", "no file's name can have"),
    "a lone surrogate": ("a\udc80b\ud800.toml", "no file's name can have"),
    "over 255 bytes": ("a" * 300 + "/x.toml", "File name too long"),
    "a folder": (".", "Is a directory"),
    "not there": ("nowhere/x", "No such file"),
    "empty": ("", "Is a directory"),
}


@pytest.mark.parametrize(("name", "reason"), ODD_NAMES.values(), ids=ODD_NAMES)
def test_a_file_that_cannot_be_read_is_named_with_the_reason(name, reason):
    with pytest.raises(UserFileError, match="cannot read the chart ") as caught:
        read_user_file(name, "chart")
    assert reason in caught.value.reason
    assert caught.value.file == name


@pytest.mark.parametrize("name", [name for name, _ in ODD_NAMES.values()], ids=ODD_NAMES)
def test_asking_whether_a_name_is_a_file_never_raises(name):
    assert not is_user_file(name)
    assert could_be_file(name, ".toml") is ("/" in name or name.endswith(".toml"))


def test_what_a_file_holds_is_read_without_its_byte_order_mark(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(b"\xef\xbb\xbfeins \xe2\x99\xa0\n")
    assert read_user_file(file, "chart") == "eins ♠\n"
    assert could_be_file(str(file))
    assert is_user_file(str(file))


def test_a_file_that_is_not_text_is_refused(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserFileError, match="it is not UTF-8 text"):
        read_user_file(file, "chart")


def test_a_file_that_is_too_large_is_refused_with_the_most_that_is_read(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(b"#" * (MOST_BYTES + 1))
    with pytest.raises(UserFileError, match="it is larger than 256 KiB, the most that is read"):
        read_user_file(file, "chart")
    file.write_bytes(b"#" * MOST_BYTES)
    assert len(read_user_file(file, "chart")) == MOST_BYTES


def test_a_device_without_an_end_is_not_read_for_ever():
    with pytest.raises(UserFileError, match="larger than"):
        read_user_file("/dev/zero", "chart")


def test_a_home_folder_stands_for_its_sign(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert expand_user("~/x") == tmp_path / "x"


def test_a_file_error_survives_the_way_between_processes():
    error = UserFileError("x.toml", "not TOML", "house file", is_read=True)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 (our own)
    assert (str(again), again.file, again.reason, again.what) == (
        str(error),
        "x.toml",
        "not TOML",
        "house file",
    )
    assert isinstance(again, NotationError)


FAULTY_TOML = {
    "deep": ("a = " + "[" * 3000 + "]" * 3000, "nested more than 32 levels deep"),
    "deep enough for a parser, too deep for a reader": (
        "a = " + "[" * 40 + "]" * 40,
        "nested more than 32 levels deep",
    ),
    "dotted": ("x = 1\n" + ".".join("a" * 20_000) + " = 1", "more than 200 dots"),
    "deep by a table's name": ("[" + ".".join("a" * 100) + "]", "nested more than 32 levels deep"),
    "5,000 digits": ("x = " + "9" * 5000, "a number in it has too many digits"),
    "9,000 hexadecimal digits": ("x = 0x" + "f" * 9000, "a number in it has too many digits"),
    "a bad date": ("x = 2026-13-45", "x.toml: "),
    "no TOML": ("x = = 1", "x.toml: not TOML: "),
}


@pytest.mark.parametrize(("text", "reason"), FAULTY_TOML.values(), ids=FAULTY_TOML)
def test_toml_that_breaks_a_parser_or_its_readers_is_refused(text, reason):
    with pytest.raises(UserFileError) as caught:
        parse_toml(text, "x.toml", "house file")
    assert str(caught.value).startswith("x.toml: ")
    assert reason in str(caught.value)


FAULTY_JSON = {
    "deep": ("[" * 200_000, "nested more than 32 levels deep"),
    "deep, and closed": ("[" * 500 + "]" * 500, "nested more than 32 levels deep"),
    "5,000 digits": ('{"a": ' + "9" * 5000 + "}", "a number in it has too many digits"),
    "2,000 digits": ("9" * 2000, "a number in it has too many digits"),
    "NaN": ('{"a": NaN}', "NaN in it is not a number"),
    "infinity": ("[-Infinity]", "-Infinity in it is not a number"),
    "infinite by its exponent": ("[1e999]", "1e999 in it is not a number"),
    "no JSON": ("{", "not JSON: "),
    "nothing": ("", "not JSON: "),
    "no text": (b"\xff\xff", "not UTF-8"),
}


@pytest.mark.parametrize(("text", "reason"), FAULTY_JSON.values(), ids=FAULTY_JSON)
def test_json_that_breaks_a_parser_or_its_readers_is_refused(text, reason):
    with pytest.raises(UserFileError, match=r"x\.json") as caught:
        parse_json(text, "x.json", "reveal file")
    assert reason in str(caught.value)


def test_plain_toml_and_json_are_read():
    assert parse_toml("a = 1.50\n[b]\nc = true", "x", parse_float=str) == {
        "a": "1.50",
        "b": {"c": True},
    }
    assert parse_json('{"a": [1, -2.5e3, null, "\\ud83c\\udca1"]}', "x") == {
        "a": [1, -2500.0, None, "🂡"]
    }


def test_any_text_is_read_or_refused_with_its_file():
    """Seeded fuzz of both parsers, from pieces that have broken parsers."""
    rng = random.Random(7)
    pieces = [*"[]{}=\"'#.,:\n-+ ab1", "[[", "]]", '"""', "\\u", "\\ud800", "\x00", "\x7f", "nan"]
    pieces += ["inf", "1e999", "0x", "2026-01-01", "9" * 20, "true", "null", "a.b", "\ufeff", "é"]
    for _ in range(4000):
        text = "".join(rng.choice(pieces) for _ in range(rng.randint(0, 30)))
        for parse in (parse_toml, parse_json):
            try:
                parse(text, "x", "file")
            except UserFileError as error:
                assert error.file == "x"  # noqa: PT017 (most texts raise nothing)


def test_any_damage_to_a_house_is_read_or_refused(tmp_path):
    """Seeded fuzz: a house file with bytes flipped, dropped and put in twice."""
    source = Path(upcard.__file__).parent / "rules/houses/european.toml"
    whole = source.read_bytes()
    rng = random.Random(11)
    file = tmp_path / "mine.toml"
    for _ in range(150):
        damaged = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(damaged))
            match rng.randrange(3):
                case 0:
                    damaged[at] = rng.randrange(256)
                case 1:
                    del damaged[at : at + rng.randint(1, 40)]
                case _:
                    damaged[at:at] = damaged[at : at + rng.randint(1, 40)]
        file.write_bytes(damaged)
        try:
            upcard.house(str(file))
        except upcard.BlackjackError as error:
            assert "mine.toml" in str(error)  # noqa: PT017 (some are still houses)


# What reads a file, or a text that came from one, and where that may stand: files of the package
# itself, of upcard's own making, and the programs that stand alone.
RAW_CALL = re.compile(r"\b(expanduser|tomllib|json\.loads?|is_file|os\.path\.exists)\b")
ALLOWED = {
    "core/user_files.py": {"expanduser", "tomllib", "json.loads", "is_file"},
    "rules/house.py": {"is_file"},  # the package's own houses
    "simulation/executors.py": {"json.loads"},  # what one process tells another
    "simulation/tally.py": {"json.loads"},
    "simulation/run_state.py": {"is_file"},
    "store/history.py": {"json.loads"},  # hands, as the store wrote them
    "coach/judgement.py": {"json.loads"},  # a judgement's own fields
    "session/machine_code.py": {"os.path.exists"},  # what the compiler wrote
    "services/run_queue.py": {"is_file"},  # runs of its own, by names that it made
    "kernels/jit.py": {"is_file"},  # sources of its own
    "fair/verify_shuffle.py": {"json.load"},  # stands alone
}


def test_users_files_are_read_in_one_place_only():
    root = Path(upcard.__file__).parent
    found = {}
    for file in sorted(root.rglob("*.py")):
        if calls := set(RAW_CALL.findall(file.read_text(encoding="utf-8"))):
            found[file.relative_to(root).as_posix()] = calls
    outside = {
        name: extra for name, calls in found.items() if (extra := calls - ALLOWED.get(name, set()))
    }
    assert not outside, "read users' files with upcard.core.user_files"
