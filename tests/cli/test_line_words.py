"""`--words`: cards and choices as words, for screen readers; `help` lists the answers."""

import pytest
from driving import talk

RULES = ["--rules", "6D LS"]


def test_cards_and_choices_are_words():  # D1 (d)
    answer = talk(["play", "--words", *RULES, "--cards", "TD 9H 8C 7S 5D"], ["10", "stand"])
    assert "Dealer: nine of hearts, face down. 9" in answer.out
    assert "You: ten of diamonds, eight of clubs. 18" in answer.out
    assert "Hit, stand, double or surrender? " in answer.out
    assert "??" not in answer.out
    assert "[H]" not in answer.out


def test_words_are_seven_bit_in_ascii():
    answer = talk(["play", "--words", "--ascii", "--cards", "AD 9H KC 7S"], ["10"])
    assert answer.out.isascii()
    assert "You: ace of diamonds, king of clubs. 21" in answer.out


@pytest.mark.parametrize("house", ["deshmukh", "seven-hands", "roanoke"])
def test_a_document_with_a_dialogue_of_its_own_refuses_words(house):
    answer = talk(["play", "--words", "--house", house], [])
    assert answer.code == 2
    assert f"--words: {house} has the dialogue of its document" in answer.err


@pytest.mark.parametrize("option", ["--json"])
def test_words_and_json_are_refused_together(option):
    answer = talk(["play", "--words", option], [])
    assert answer.code == 2
    assert "--words" in answer.err


@pytest.mark.parametrize("word", ["help", "HELP", "?"])
def test_help_lists_the_answers_first(word):  # D1 (d)
    answer = talk(["play", *RULES, "--cards", "TD 9H 8C 7S 5D"], ["10", word, "stand"])
    said = answer.out.partition("su[R]render? ")[2].splitlines()
    first = next(line for line in said if line and line != word)
    assert first == "You can answer hit (h), stand (s), double (d) or surrender (r)."


def test_help_is_short_and_a_question_mark_adds_the_rules():
    short = talk(["play", *RULES, "--cards", "TD 9H 8C 7S 5D"], ["10", "help", "stand"])
    full = talk(["play", *RULES, "--cards", "TD 9H 8C 7S 5D"], ["10", "?", "stand"])
    assert "Rules: 6D" not in short.out
    assert "? lists the rules as well." in short.out
    assert "Rules: 6D" in full.out


def test_help_works_where_a_bet_and_another_round_are_asked():
    answer = talk(["play", "--bet", "10", "--cards", "TD 9H 8C 7S TD 9H 8C 7S"], ["s", "help", "n"])
    assert "You can answer yes or no" in answer.out
    answer = talk(["play", "--cards", "TD 9H 8C 7S"], ["help", "10", "s"])
    assert "You can answer with a bet" in answer.out


@pytest.mark.parametrize("house", ["lott", "mdp"])
def test_practice_is_announced_in_the_houses_without_a_dialogue(house):  # F32
    answer = talk(["play", "--line", "--practice", "--house", house], ["q"])
    assert "w says why" in answer.out
    assert "Practice: nothing is saved" in answer.out
