"""Questions in JSON: each says what it asks, and is asked again after a refusal."""

import pytest
from driving import play_json, talk


def test_every_question_names_itself():  # F29
    lines = play_json(
        ["--rules", "6D ES", "--cards", "AD AH 7C 7S 5D"], ["10", "no", "no", "stand"]
    )
    asked = [line["question"] for line in lines if line["type"] == "asked"]
    assert asked[0] == "bet"
    assert set(asked) <= {"bet", "insurance", "surrender", "play"}
    assert "play" in asked


@pytest.mark.parametrize(("cards", "is_soft"), [("AD 9H 7C 7S", True), ("TD 9H 7C 7S", False)])
def test_a_question_says_whether_the_total_is_soft(cards, is_soft):  # F29
    lines = play_json(["--cards", cards], ["10", "stand"])
    (asked,) = (line for line in lines if line.get("question") == "play")
    assert asked["soft"] is is_soft


@pytest.mark.parametrize("nonsense", ["nonsense", "split", "-5"])
def test_a_question_is_asked_again_after_a_refusal(nonsense):  # F29
    lines = play_json(["--cards", "TD 9H 7C 7S"], ["x", "10", nonsense, "stand"])
    kinds = [line["type"] for line in lines if line["type"] in {"asked", "refused"}]
    assert kinds[:6] == ["asked", "refused", "asked", "asked", "refused", "asked"]
    first, again = (line for line in lines if line.get("question") == "play")
    assert first == again


def test_the_end_of_input_writes_no_blank_line():
    answer = talk(["play", "--json", "--cards", "TD 9H 7C 7S"], ["10"])
    assert "" not in answer.out.splitlines()
