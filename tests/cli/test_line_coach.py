"""The coach of the line game: before, after, on demand, and what is kept of what he says."""

from __future__ import annotations

import json
import threading

import pytest
from driving import fix_shuffle, play_json, talk

from campaign.books import read_judgements
from upcard.answers.hand import explain_advice
from upcard.coach.adviser import Coach
from upcard.coach.judgement import Advice
from upcard.core.actions import Action
from upcard.core.cards import to_ascii
from upcard.core.numbers import to_json
from upcard.rules.model import Rules
from upcard.session.coaching import TableCoach
from upcard.store.database import open_store
from upcard.store.history import read_rounds
from upcard.table import ScriptedShoe, Table

SIXTEEN = ["play", "--cards", "T T 6 7 4 5 9"]


def spoken(answer) -> str:
    """Return all that was said, in one line."""
    return " ".join(answer.out.split())


def sixteen() -> Advice:
    """Return the advice on SIXTEEN: hard 16 (ten, six) against a ten; see docs/coach.md."""
    table = Table(Rules(), ScriptedShoe("T T 6 7"))
    table.start([10])
    return Coach(Rules()).advise(table.view(), table.legal_actions())


def test_before_an_answer_the_values_are_told_the_best_first() -> None:
    answer = talk([*SIXTEEN, "--coach", "before"], ["10", "h"])
    found = explain_advice(sixteen())
    told = " ".join(to_ascii(answer.out).split())
    assert to_ascii(f"Coach: {found.values}. {found.reason} [H]it [S]tand [D]ouble?") in told


def test_a_hand_near_a_bonus_by_suits_is_added_up_in_json() -> None:
    play = ["play", "--house", "spanish-21", "--cards", "6S J 8S 9 9 9", "--json"]
    answer = talk([*play, "--coach", "after"], ["10", "s", "q"])
    (report,) = [one for one in map(json.loads, answer.out.splitlines()) if "judged" in one]
    assert (answer.code, report["judged"], report["right"]) == (0, 1, 0)


def test_after_a_round_each_answer_has_its_verdict_and_a_mistake_its_price() -> None:
    answer = talk([*SIXTEEN, "--coach", "after"], ["10", "s"])
    verdict = explain_advice(sixteen(), Action.STAND).verdict
    assert verdict is not None
    assert f"Coach: {verdict.text} {verdict.reason}" in spoken(answer)
    assert answer.out.index("You lose 10") < answer.out.index("Coach: You stood")


def test_a_round_without_a_mistake_takes_the_coach_one_line() -> None:
    answer = talk([*SIXTEEN, "--coach", "after"], ["10", "h", "s"])
    assert "Coach: no mistake.\n" in answer.out
    assert answer.out.count("Coach") == 1


@pytest.mark.parametrize("options", [[], ["--coach", "silent"]])
def test_a_silent_coach_says_nothing(options) -> None:
    assert "Coach" not in talk([*SIXTEEN, *options], ["10", "s"]).out


@pytest.mark.parametrize("options", [[], ["--coach", "before"], ["--coach", "after"]])
def test_w_explains_in_any_case(options) -> None:
    answer = talk([*SIXTEEN, *options], ["10", "W", "s"])
    found = explain_advice(sixteen(), has_changes=True)
    said = to_ascii(spoken(answer))
    chances = (f"{action.capitalize()} {one.text}" for action, one in found.chances.items())
    for words in (
        found.values,
        f"Why {found.reason}",
        f"Dealer {found.dealer[0].name} {found.dealer[0].text}",
        *chances,
        f"Changes {'; '.join(one.text for one in found.changes or ())}",
        f"Shoe {found.shoe}",
        f"Given {' '.join(found.given)}",
    ):
        assert to_ascii(words) in said
    assert max(map(len, answer.out.splitlines())) <= 80


def test_w_where_nothing_is_asked_says_so() -> None:
    assert "No hand is asked now." in talk(SIXTEEN, ["w"]).out


def test_the_coach_goes_by_the_cards_seen_if_told() -> None:
    cards = "T T 9 8  " * 6 + "T T 6 7 5 5"
    answers = [*["10", "s"] * 6, "10", "w", "s"]
    fresh = spoken(talk(["play", "--cards", cards], answers))
    seen = spoken(talk(["play", "--cards", cards, "--knows", "seen"], answers))
    assert "6 decks, fresh" in fresh
    assert "6 decks less the 27 cards seen" in seen
    assert fresh != seen


def test_where_there_is_no_coach_it_is_said_once() -> None:
    rules = ["--rules", "1D shows_upcard=false hole_card=no-peek NOINS"]
    options = ["play", *rules, "--cards", "T T 6 7 T T 6 7"]
    for coach in ("before", "after"):
        answer = talk([*options, "--coach", coach], ["10", "s", "10", "s"])
        assert answer.out.count("There is no coach here: ") == 1
        assert "shows_upcard=false" in answer.out
    silent = talk(options, ["10", "w", "s"])
    assert "There is no coach here" not in silent.out
    assert "no value is known: " in silent.out


def test_a_question_without_a_value_is_named_once_for_its_reason() -> None:
    """Five deuces of one deck have been seen: no shoe is like that."""
    cards = "2 2 2 T 2 2 3 7 9"
    options = ["--rules", "1D", "--hands", "3", "--knows", "seen", "--coach", "before"]
    answer = talk(["play", *options, "--cards", cards], ["10", "s", "s", "s"])
    assert "Hand 3: " in answer.out
    assert answer.out.count("There is no coach here: ") == 1
    assert "5 cards of rank 2 were seen, and 1 deck has only 4" in spoken(answer)


@pytest.mark.parametrize("house", ["deshmukh", "seven-hands", "roanoke", "lott", "mdp"])
@pytest.mark.parametrize("options", [["--coach", "after"], ["--knows", "seen"]])
def test_documents_have_no_coach(house, options) -> None:
    answer = talk(["play", "--house", house, *options])
    assert (answer.code, answer.out) == (2, "")
    assert f"{options[0]}: {house} speaks in its document's words" in answer.err


def test_a_document_that_is_changed_has_a_coach() -> None:
    assert talk(["play", "--rules", "lott LS", "--coach", "after", "--practice"], ["q"]).code == 0


# What is kept.


def play_some(options, monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    assert talk(["play", *options], ["n", *["10", "s", "n"] * 12, "q"]).code == 0


@pytest.mark.parametrize("coach", ["silent", "after", "before"])
def test_every_answer_is_judged_and_kept(monkeypatch, coach) -> None:
    play_some(["--coach", coach, "--chips", "1000"], monkeypatch)
    with open_store() as store:
        rounds = list(read_rounds(store))
        answers = sum(len(stored.own_answers) for stored in rounds)
        judged = read_judgements(store)
        assert len(rounds) > 5
        assert len(judged) == answers
        assert any(one.judgement.cost_ev for one in judged)
        for one in judged:
            (stored,) = (stored for stored in rounds if stored.number == one.number)
            assert one.judgement.chosen is stored.record.actions[one.judgement.step]


def test_answers_of_company_are_not_judged(monkeypatch) -> None:
    play_some(["--company", "mimic; you; never-bust", "--chips", "1000"], monkeypatch)
    with open_store() as store:
        rounds = {stored.number: stored for stored in read_rounds(store)}
        judged = read_judgements(store)
        assert judged
        for one in judged:
            assert one.judgement.step in rounds[one.number].own_answers


def test_answers_before_a_hand_was_left_are_judged_too(monkeypatch) -> None:
    fix_shuffle(monkeypatch, 3)
    options = ["play", "--house", "european"]
    for answers in (["10", "h"], ["s", "q"]):
        talk(options, answers)
    with open_store() as store:
        (stored,) = read_rounds(store)
        assert len(stored.record.actions) == 2
        assert [one.judgement.step for one in read_judgements(store)] == [0, 1]


def test_documents_are_judged_in_silence(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    talk(["play", "--house", "deshmukh"], ["100", "10", "2", "2"])
    with open_store() as store:
        assert read_judgements(store)


def test_a_slow_coach_keeps_nobody_waiting(monkeypatch) -> None:
    """The advice is not in before the answer is given, and is judged in the end."""
    fix_shuffle(monkeypatch)
    answered = threading.Event()
    advise, act = TableCoach.advise, upcard_act()

    def think(coach, asked):
        assert answered.wait(60)
        return advise(coach, asked)

    def act_and_tell(session, action):
        state = act(session, action)
        answered.set()
        return state

    monkeypatch.setattr(TableCoach, "advise", think)
    monkeypatch.setattr("upcard.session.game_session.GameSession.act", act_and_tell)
    talk(["play"], ["10", "s", "q"])
    with open_store() as store:
        assert len(read_judgements(store)) == 1


def upcard_act():
    from upcard.session.game_session import GameSession

    return GameSession.act


# JSON.


def test_json_tells_values_verdicts_and_reasons() -> None:
    cards = ["--cards", "T T 6 7 4 5 9"]
    before = play_json([*cards, "--coach", "before"], ["10", "why", "stand"])
    (values,) = (line for line in before if line["type"] == "values")
    found = explain_advice(sixteen(), has_changes=True)
    (why,) = (line for line in before if line["type"] == "why")
    assert why == {"type": "why"} | to_json(found)
    assert values == {"type": "values"} | to_json(explain_advice(sixteen()))
    after = play_json([*cards, "--coach", "after"], ["10", "stand"])
    (judged,) = (line for line in after if line["type"] == "judged")
    assert judged["situation"] == "hard 16 v T"
    assert judged["cost_chips"] == pytest.approx(0.063, abs=5e-4)
    assert judged == {"type": "judged"} | to_json(explain_advice(sixteen(), Action.STAND).verdict)


def test_json_documents_have_a_coach() -> None:
    lines = play_json(
        ["--house", "lott", "--cards", "T T 6 7 9", "--coach", "before"], ["10", "stand"]
    )
    assert any(line["type"] == "values" for line in lines)
