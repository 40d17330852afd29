"""`upcard cache`, `--no-cache`, and commands that were asked before."""

import json
import os
import re
import subprocess
import sys

import pytest
from driving import talk

from upcard.cache.recall import KINDS, program_stamp

QUESTIONS = {
    "edge": ["edge", "--rules", "INF D9"],
    "edge as JSON": ["edge", "--rules", "INF D9 H17", "--json", "--compare", "LS", "6:5"],
    "chart": ["chart", "--rules", "INF D9"],
    "chart as JSON": ["chart", "--rules", "INF D9", "--json"],
    "chart as a picture": ["chart", "--rules", "INF D9", "--format", "svg", "--numbers", "cost"],
    "chart as a table": ["chart", "--rules", "INF D9", "--format", "tsv"],
    "solve": ["solve", "88", "v", "T", "--rules", "INF D9"],
    "solve as JSON": ["solve", "A7", "v", "9", "--rules", "INF D9 ENHC", "--json"],
    "no chart": ["edge", "--rules", "deshmukh 6:5"],
    "refused": ["edge", "--rules", "6D SPINF"],
}
FINITE = {
    "edge": ["edge", "--json", "--rules", "6D D9"],
    "edge of a chart": ["edge", "--strategy", "mine.tsv", "--json", "--rules", "2D D9"],
    "chart": ["chart", "--rules", "1D D9"],
    "chart as a page": ["chart", "--rules", "1D D9 LS", "--format", "html"],
    "solve": ["solve", "88", "v", "T", "--shoe", "6D less T T 5"],
    "removal": ["removal", "--json"],
    "simulate": ["simulate", "--rounds", "10k", "--seed", "1", "--json"],
}
WATCH = """
import sys
from upcard.cli.app import run
code = run(sys.argv[1:])
print(sorted({"numpy", "numba"} & set(sys.modules)), code)
"""


@pytest.mark.parametrize("words", QUESTIONS.values(), ids=QUESTIONS)
def test_a_question_asked_again_prints_the_same_bytes(saved_values, words):
    first = talk(words)
    assert list(saved_values.glob("*.saved"))
    assert talk(words) == first
    without = talk([*words, "--no-cache"])
    assert drop_time(without) == drop_time(first)


def drop_time(answer):
    """Leave out how long the computation took, and where a message says it."""
    return re.sub(r'(Time +|"seconds": )[\d.e-]+', "", answer.out), answer.err, answer.code


@pytest.mark.slow
@pytest.mark.parametrize("words", FINITE.values(), ids=FINITE)
def test_a_finite_shoe_asked_again_prints_the_same_bytes_without_number_libraries(
    saved_values, tmp_path, words
):
    if "mine.tsv" in words:
        talk(["chart", "--rules", "2D", "-o", str(tmp_path / "mine.tsv")])
    printed = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", WATCH, *words],
            cwd=tmp_path,
            env=os.environ | {"UPCARD_CACHE": str(saved_values)},
            stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            check=True,
        )
        printed.append(done.stdout.rpartition("\n[")[::2])
    assert printed[1][0] == printed[0][0]
    if words[:1] != ["simulate"]:
        assert printed[0][1] == "'numba', 'numpy'] 0\n"
        assert printed[1][1] == "] 0\n"


def test_no_cache_neither_reads_nor_writes(saved_values):
    talk(["edge", "--rules", "INF D9", "--no-cache"])
    assert not saved_values.exists()
    talk(["edge", "--rules", "INF D9"])
    before = {file.name: file.read_bytes() for file in saved_values.iterdir()}
    talk(["edge", "--rules", "INF D9", "--no-cache"])
    assert {file.name: file.read_bytes() for file in saved_values.iterdir()} == before
    talk(["edge", "--rules", "INF D10"])  # the option ends with its command
    assert len(list(saved_values.iterdir())) == 2 * len(before)


def test_the_command_shows_what_is_saved_and_clears_it(saved_values):
    assert "Saved             0 values, 0.0 kB" in talk(["cache"]).out
    talk(["edge", "--rules", "INF D9"])
    talk(["edge", "--rules", "INF D9"])
    (saved_values / ("game-" + "0" * 40 + "-" + "1" * 16 + ".saved")).write_text("of 9.9")
    answer = talk(["cache"])
    assert (answer.code, answer.err) == (0, "")
    assert "1 of another version of upcard" in answer.out
    assert re.search(r"values of games +2 +\S+ kB\n", answer.out)
    document = json.loads(talk(["cache", "--json"]).out)
    assert document["folder"] == str(saved_values)
    assert document["values"] == 4
    assert {row["kind"]: row["values"] for row in document["kinds"]} == {"game": 2, "chart": 1}
    assert document["room"] <= document["most_room"]
    assert talk(["cache", "--clear"]).out.startswith("Deleted 4 values, ")
    assert not saved_values.exists()
    assert json.loads(talk(["cache", "--clear", "--json"]).out)["cleared"] == 0
    assert talk(["cache", "--clear", "--compile"]).code == 2


def test_the_command_lists_every_kind_in_every_format(saved_values):
    saved_values.mkdir()
    for number, kind in enumerate(KINDS, start=1):
        name = f"{kind}-{'0' * 40}-{program_stamp()}.saved"
        (saved_values / name).write_text("1" * number)
    rows = [(kind, number) for number, kind in enumerate(KINDS, start=1)]
    found = json.loads(talk(["cache", "--json"]).out)["kinds"]
    assert [(row["kind"], row["bytes"]) for row in found] == rows
    for answer in (talk(["cache"]), talk(["cache", "--csv", "-"])):
        assert [words for words in KINDS.values() if words not in answer.out] == []
    assert talk(["cache", "--clear"]).out.startswith(f"Deleted {len(KINDS)} values, ")


def test_the_command_says_when_values_are_not_saved(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("UPCARD_CACHE", "off")
    answer = talk(["cache"])
    assert answer.out == "Off               UPCARD_CACHE is 'off': every value is computed.\n"
    assert json.loads(talk(["cache", "--json"]).out)["is_off"]
