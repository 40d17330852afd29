"""What somebody else wrote, or a slip of the finger: one line, exit 2, at once (S3-2, 3, 5; S4)."""

import json

import pytest

from tests.cli.driving import talk

NINES = "9" * 5000
LONG = "a" * 300
HOUSE = 'title = "a"\nsource = "b"\nabout = "c"\nrules = "6D"\n'
FILES = {
    "deep.toml": "a = " + "[" * 3000,
    "digits.toml": "x = " + NINES,
    "hex.toml": HOUSE + "[settings]\ncharlie = 0x" + "f" * 9000,
    "dotted.toml": HOUSE + "settings.penetration." + ".".join("a" * 20_000) + " = 1",
    "exponent.toml": HOUSE + '[settings]\npenetration = "1e999999999"',
    "large.toml": "#" * 300_000,
    "deep.json": "[" * 200_000,
    "nan.json": '{"method": NaN}',
    "rules.json": json.dumps(
        {
            "method": "upcard-shuffle-2",
            "commitment": "00" * 32,
            "number": 1,
            "server_seed": "00" * 32,
            "player_seed": "",
            "rules": "6D penetration=1e999999999",
        }
    ),
}
FAULTS = {
    # S3-2: they ran until killed.
    "a giant penetration": (["rules", "penetration=1e999999999"], "penetration is a fraction"),
    "a giant payout": (["rules", "natural_pays=1e999999999"], "natural_pays is a fraction"),
    "a giant probability": (["rules", "INF(1e999999999)"], "a probability from 0 to 1"),
    "a giant number in a house": (["rules", "exponent.toml"], "line 6: penetration = '1e999"),
    "giant rules in a reveal": (["verify", "rules.json"], "penetration is '1e999999999'"),
    # S3-3
    "deep TOML": (["rules", "deep.toml"], "deep.toml: it is nested more than 32 levels deep"),
    "digits in TOML": (["edge", "--house", "digits.toml"], "a number in it has too many digits"),
    "hexadecimal TOML": (["edge", "--house", "hex.toml"], "a number in it has too many digits"),
    "dotted TOML": (["rules", "dotted.toml"], "more than 200 dots"),
    "large TOML": (["rules", "large.toml"], "larger than 256 KiB"),
    "a deep system": (["counts", "deep.toml"], "nested more than 32 levels deep"),
    "a deep system to drill": (["train", "count", "--system", "deep.toml"], "levels deep"),
    "a deep reveal": (["verify", "deep.json"], "nested more than 32 levels deep"),
    "not a number in a reveal": (["verify", "nan.json"], "NaN in it is not a number"),
    # S3-5
    "the house of nobody": (["edge", "--house", "~nobody7/x"], "no home folder is known"),
    "the rules of nobody": (["edge", "--rules", "~nobody7/x"], "no home folder is known"),
    "what nobody calls rules": (["rules", "~nobody7/x"], "no home folder is known"),
    "the count of nobody": (["simulate", "--count", "~nobody7/x"], "no home folder is known"),
    "the ramp of nobody": (
        ["simulate", "--count", "hi-lo", "--ramp", "~nobody7/x"],
        "no home folder is known",
    ),
    "the indices of nobody": (
        ["simulate", "--count", "hi-lo", "--indices", "~nobody7/x"],
        "no home folder is known",
    ),
    "the plays of nobody": (["indices", "--plays", "~nobody7/x"], "no home folder is known"),
    "the chart of nobody": (["edge", "--strategy", "~nobody7/x"], "no home folder is known"),
    "the run of nobody": (["simulate", "--resume", "~nobody7/x"], "no home folder is known"),
    "into the run of nobody": (["simulate", "-o", "~nobody7/x"], "no home folder is known"),
    "the reveal of nobody": (["verify", "~nobody7/x"], "no home folder is known"),
    # S4.1: "cannot write the output"
    "a long house": (["edge", "--house", LONG], "no house is called"),
    "a long house file": (["edge", "--house", LONG + ".toml"], "File name too long"),
    "long rules": (["rules", LONG], "unknown token"),
    "a long count": (["simulate", "--count", LONG], "no counting system is called"),
    "a long ramp": (["simulate", "--count", "hi-lo", "--ramp", LONG], "write a spread"),
    "long indices": (
        ["simulate", "--count", "hi-lo", "--indices", LONG],
        "no deviations are called",
    ),
    "long plays": (["indices", "--plays", LONG + ".txt"], "File name too long"),
    "a long run": (["simulate", "-o", LONG], "File name too long"),
    # S4.2 and its like
    "endless rounds": (["simulate", "--rounds", NINES], ": write a whole number at least 0"),
    "endless decks": (["edge", "--shoe", NINES + "D"], "a shoe of"),
    "an endless count of cards": (["edge", "--shoe", NINES + " 1" * 9], "a shoe of"),
    "endless decks in rules": (["rules", NINES + "D"], "from 1 to 8"),
    "an endless payout": (["rules", NINES + ":1"], "a natural must pay something, such as 3:2"),
    "an endless penetration": (["rules", "PEN" + NINES], "from PEN1 to PEN100"),
    "endless splits": (["rules", "SP" + NINES], "from 1 to 8"),
    "digits of another script": (["rules", "\uff16D"], "unknown token"),
    "a count beyond all": (
        ["simulate", "--count", "hi-lo", "--enter", "9" * 20],
        "counts are from -1000 to 1000",
    ),
    "a shoe beyond all": (["verify", "--shoe", "9" * 20], "--shoe"),
    "more rounds than can be": (["history", "--last", "9" * 20], "--last"),
    "a spread beyond all": (["ramp", "rules.json", "--spread", "1e-99-1e99"], "--spread"),
}


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("UPCARD_DATA", str(tmp_path))
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("arguments", "told"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_read_is_one_line_and_exit_2(arguments, told):
    answer = talk(arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("upcard")
    assert answer.err.count("\n") == 1
    assert told in answer.err


def test_the_data_folder_of_nobody_is_one_line_and_exit_2(monkeypatch):
    monkeypatch.setenv("UPCARD_DATA", "~nobody7/x")
    answer = talk(["history"])
    assert answer.code == 2
    assert "the folder that UPCARD_DATA names '~nobody7/x': no home folder is known" in answer.err
